"""Kernels compiled once for an installation: numba's dispatchers with machine code kept on disk.

numba's own ``cache=True`` would not do.  It never finds closures over other kernels again, as ours are; it looks at the
file of a function alone, so that a change in a module it calls goes unseen; and two processes that compile one function
for different arguments at a time may write each the other's code under its name.

Here each piece of machine code has a file of its own, named by a hash of all that it was made from:

* the function's byte code and the values of the globals and closure variables it names, and so on down to what it
  calls; SHA-256 of the source of each module where one of these functions or the class of an argument stands;
* the types of the arguments, with the fields of named tuples;
* the versions of numba, llvmlite, NumPy and Python, numba's settings, and the processor.

A file is written under another name and moved into place, and holds its own checksum; it is removed when the same kernel
is kept as made from something else.  Whatever goes wrong with a file (no room, no right to write, a damaged one) the
kernel is compiled as if there were none.

The folder lies in ``NUMBA_CACHE_DIR`` if that is set, else beside the sources, else in the user's cache directory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import tempfile
import types
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

SETTINGS = "OPT LOOP_VECTORIZE SLP_VECTORIZE BOUNDSCHECK DEBUGINFO_DEFAULT ENABLE_AVX CPU_NAME CPU_FEATURES".split()
"""numba's settings that change machine code."""
SOURCES = Path(__file__).parent


def jit(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """``numba.njit(nogil=True, **options)`` whose machine code is kept.

    For functions that Python calls; what they call is part of their machine code.

    Args:
        options: numba's; not ``cache``.
    """
    import numba

    plain = numba.njit(**{"nogil": True, **options})

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = plain(function)
        if hasattr(dispatcher, "_cache"):  # with NUMBA_DISABLE_JIT=1 it is the Python function
            dispatcher._cache = Kept(dispatcher)
        return dispatcher

    return decorate


class Kept:
    """The machine code of one dispatcher on disk, with the methods that numba's dispatchers call on a cache."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher

    @property
    def cache_path(self) -> str | None:
        """Where the files are, None if they are not kept."""
        place = folder()
        return None if place is None else str(place)

    def enable(self) -> None:
        """Nothing: it is always on."""

    def disable(self) -> None:
        """Nothing: it is always on."""

    def flush(self) -> None:
        """Nothing: a file never goes out of date."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for these types of arguments, None if it has to be compiled."""
        target_context.refresh()
        try:
            from numba.core.compiler import CompileResult

            path, arguments = self._path(sig, target_context.codegen())
            content = path.read_bytes()
            if hashlib.sha256(content[32:]).digest() != content[:32]:
                return None
            found = CompileResult._rebuild(target_context, *pickle.loads(content[32:]))
            return found if tuple(found.signature.args) == arguments else None
        except Exception:  # whatever it is, compiling helps
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function."""
        with contextlib.suppress(Exception):  # whatever it is, the function in memory serves
            from numba.core.serialize import dumps

            if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
                return  # holds addresses of this process
            path, _ = self._path(sig, data.codegen)
            content = dumps(data._reduce())
            write(path, hashlib.sha256(content).digest() + content)
            kernel, made_from, _ = path.name.rsplit("-", 2)
            for old in path.parent.glob(f"{kernel}-*"):
                if not old.name.startswith(f"{kernel}-{made_from}-"):
                    old.unlink(missing_ok=True)

    def _path(self, sig: Any, codegen: Any) -> tuple[Path, tuple[Any, ...]]:
        import numba
        from numba.core.sigutils import normalize_signature

        place = folder()
        if place is None:
            raise FileNotFoundError
        arguments = tuple(normalize_signature(sig)[0])
        function = self._dispatcher.py_func
        kernel = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
        made_from = short_hash((versions(), describe(self._dispatcher)))
        settings = [(name, getattr(numba.config, name, None)) for name in SETTINGS]
        made_for = short_hash(([describe_type(t) for t in arguments], codegen.magic_tuple(), settings))
        return place / f"{kernel}-{made_from}-{made_for}", arguments


def write(path: Path, content: bytes) -> None:
    """Replaces a file whole, or leaves it as it was."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def short_hash(value: Any) -> str:
    """A hash of what ``repr`` says of a value, 160 bits."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:40]


@cache
def versions() -> tuple[str, ...]:
    """Of what compiles."""
    names = ("numba", "llvmlite", "numpy")
    return (*(str(import_module(name).__version__) for name in names), sys.version)


@cache
def source(module: str) -> str:
    """SHA-256 of the source of a module.

    Raises:
        OSError: where it cannot be read.
    """
    path = getattr(sys.modules[module], "__file__", None)
    if path is None:
        raise FileNotFoundError(module)
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@cache
def folder() -> Path | None:
    """Where machine code is kept, made if need be; None if there is nowhere to write."""
    import numba

    for base in bases():
        place = base / f"asymp-{numba.__version__}-{sys.implementation.cache_tag}"
        try:
            place.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=place).close()
        except OSError:
            continue
        return place
    return None


def bases() -> list[Path]:
    """Where the folder may be, best first."""
    import numba

    own = short_hash(str(SOURCES.resolve()))[:20]  # installations apart, so that one does not remove another's
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    given = numba.config.CACHE_DIR
    return ([Path(given) / f"asymp-{own}"] if given else []) + [SOURCES / "__pycache__", Path(home) / "asymp" / own]


def describe(value: Any, seen: tuple[int, ...] = ()) -> Any:
    """What decides the machine code of a kernel or of a value it names, as nested tuples whose ``repr`` says it all.

    Raises:
        TypeError: for what is not known to be so described.
    """
    from numba.core.dispatcher import Dispatcher
    from numba.extending import _Intrinsic

    if id(value) in seen:  # a function that calls itself
        return ("above", len(seen) - seen.index(id(value)))
    seen = (*seen, id(value))
    if isinstance(value, Dispatcher):
        return ("kernel", sorted((k, repr(v)) for k, v in value.targetoptions.items()), describe(value.py_func, seen))
    if isinstance(value, _Intrinsic):
        return ("intrinsic", describe(value._defn, seen))
    if isinstance(value, types.FunctionType):
        code = value.__code__
        cells = zip(code.co_freevars, value.__closure__ or (), strict=True)
        named = sorted(_names(code) & value.__globals__.keys())
        return (
            value.__module__,
            source(value.__module__),
            value.__qualname__,
            _describe_code(code),
            describe(value.__defaults__, seen),
            [(name, describe(cell.cell_contents, seen)) for name, cell in cells],
            [(name, describe(value.__globals__[name], seen)) for name in named],
        )
    if isinstance(value, tuple):
        return (type(value).__qualname__, [describe(item, seen) for item in value])
    if isinstance(value, frozenset):
        return ("set", sorted(repr(describe(item, seen)) for item in value))
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    if value is None or isinstance(value, bool | int | float | str | bytes | np.generic):
        return (type(value).__qualname__, repr(value))
    if isinstance(value, types.ModuleType):
        return ("module", value.__name__)
    if isinstance(value, type | types.BuiltinFunctionType | np.ufunc):
        return ("library", getattr(value, "__module__", ""), getattr(value, "__qualname__", value.__name__))
    raise TypeError(f"{value!r} in compiled code")


def describe_type(kind: Any) -> Any:
    """A type of numba, named tuples with their fields."""
    known: Any = import_module("numba.core.types")
    if isinstance(kind, known.BaseTuple):
        made = getattr(kind, "instance_class", tuple)
        fields = getattr(made, "_fields", ())
        text = "" if made is tuple else source(made.__module__)
        return (made.__module__, text, made.__qualname__, fields, [describe_type(part) for part in kind])
    return (repr(kind), str(kind))


def _describe_code(code: types.CodeType) -> Any:
    constants = [_describe_code(c) if isinstance(c, types.CodeType) else describe(c) for c in code.co_consts]
    return (code.co_code, constants, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)


def _names(code: types.CodeType) -> set[str]:
    inner = [_names(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*inner)
