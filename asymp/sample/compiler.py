"""Kernels compiled once for an installation: numba's dispatchers with machine code kept on disk.

numba's own ``cache=True`` would not do.  It never finds closures over other kernels again, as ours are; it looks at the
file of a function alone, so that a change in a module it calls goes unseen; two processes that compile one function
for different arguments at a time may write each the other's code under its name; and it loads what lies in its folder,
whoever put it there.

Here each piece of machine code has a file of its own, named by a hash of all that it was made from:

* the function's byte code and the values of the globals and closure variables it names, and so on down to what it
  calls; SHA-256 of the source of each module where one of these functions or the class of an argument stands;
* the types of the arguments, with the fields of named tuples;
* the versions of numba, llvmlite, NumPy and Python, numba's settings, and the processor.

A file holds its own checksum, which finds damage, and runs when it is loaded: it is read and written only in a folder
where nobody else could have put it (:mod:`asymp.sample.safe_folder`), the first such of ``NUMBA_CACHE_DIR`` (if it is
set), the folder beside the sources, and the user's cache.  ``ASYMP_KERNEL_CACHE=off`` keeps and loads nothing.  Where
no folder is safe, or a file is damaged, or there is no room, the kernel is compiled as if there were no files.

Of numba's private interfaces this uses: ``Dispatcher._cache`` and its methods, ``CompileResult._reduce`` and
``_rebuild``, ``numba.core.serialize.dumps``, ``CodeLibrary.has_dynamic_globals``, ``CPUCodegen.magic_tuple``.  They are as
they were in the versions of ``TESTED``; with any other, or where one is missing, kernels are compiled in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import sys
import types
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from asymp.sample import safe_folder

SWITCH = "ASYMP_KERNEL_CACHE"
"""The environment variable that turns the files off: ``off``, ``0`` or ``no``."""
TESTED = ((0, 60), (0, 68))
"""The first and the last version of numba whose private interfaces are known to be as this module has them: the tests
passed with 0.60, 0.64 and 0.68."""
SETTINGS = "OPT LOOP_VECTORIZE SLP_VECTORIZE BOUNDSCHECK DEBUGINFO_DEFAULT ENABLE_AVX CPU_NAME CPU_FEATURES".split()
"""numba's settings that change machine code."""
SOURCES = Path(__file__).parent
LIBRARIES = frozenset(["builtins", "cmath", "llvmlite", "math", "numba", "numpy", "operator"])
"""Packages whose version stands for their source."""


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
        if interfaces_known(dispatcher):
            dispatcher._cache = Kept(dispatcher)
        return dispatcher

    return decorate


@cache
def version_known() -> bool:
    """Whether this is a version of numba of ``TESTED``."""
    import numba

    parts = numba.__version__.split(".")
    try:
        return TESTED[0] <= (int(parts[0]), int(parts[1])) <= TESTED[1]
    except (ValueError, IndexError):
        return False


def interfaces_known(dispatcher: Any) -> bool:
    """Whether numba's private interfaces are there; not for the plain function of NUMBA_DISABLE_JIT=1."""
    if not version_known():
        return False
    try:
        from numba.core.caching import _Cache
        from numba.core.codegen import CodeLibrary, CPUCodegen
        from numba.core.compiler import CompileResult
        from numba.core.dispatcher import Dispatcher
        from numba.core.serialize import dumps
    except ImportError:
        return False
    return (
        isinstance(dispatcher, Dispatcher)
        and isinstance(getattr(dispatcher, "_cache", None), _Cache)
        and getattr(_Cache, "__abstractmethods__", frozenset()) <= set(dir(Kept))
        and all(callable(getattr(CompileResult, name, None)) for name in ("_reduce", "_rebuild"))
        and callable(getattr(CPUCodegen, "magic_tuple", None))
        and hasattr(CodeLibrary, "has_dynamic_globals")
        and callable(dumps)
    )


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

            name, arguments = self._name(sig, target_context.codegen())
            with opened() as here:
                content = safe_folder.read(here, name)
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
            name, _ = self._name(sig, data.codegen)
            with opened() as here:
                content = dumps(data._reduce())
                safe_folder.write(here, name, hashlib.sha256(content).digest() + content)
                kernel, made_from, _ = name.rsplit("-", 2)
                for old in os.listdir(here):
                    if old.startswith(f"{kernel}-") and not old.startswith(f"{kernel}-{made_from}-"):
                        with contextlib.suppress(FileNotFoundError):
                            os.unlink(old, dir_fd=here)

    def _name(self, sig: Any, codegen: Any) -> tuple[str, tuple[Any, ...]]:
        """The name of the file, and the types of the arguments."""
        import numba
        from numba.core.sigutils import normalize_signature

        arguments = tuple(normalize_signature(sig)[0])
        function = self._dispatcher.py_func
        kernel = f"{function.__module__}.{function.__qualname__}".replace(".<locals>", "")
        made_from = short_hash((versions(), describe(self._dispatcher)))
        settings = [(name, getattr(numba.config, name, None)) for name in SETTINGS]
        made_for = short_hash(([describe_type(t) for t in arguments], codegen.magic_tuple(), settings))
        return f"{kernel}-{made_from}-{made_for}", arguments


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


@contextlib.contextmanager
def opened() -> Iterator[int]:
    """A handle of the first folder that is safe, for the length of the block.

    Asked anew each time, which costs some ten calls of the system: what was safe may have been opened to others since.

    Raises:
        OSError: there is none, or the files are switched off.
    """
    with contextlib.ExitStack() as stack:
        for place in folders():
            try:
                here = stack.enter_context(safe_folder.opened(place))
                if os.access(".", os.W_OK, dir_fd=here):
                    break
            except OSError:
                continue
        else:
            raise FileNotFoundError("no folder for machine code")
        yield here


def folder() -> Path | None:
    """Where machine code is kept, made if need be; None if there is no safe place to write."""
    for place in folders():
        with contextlib.suppress(OSError), safe_folder.opened(place) as here:
            if os.access(".", os.W_OK, dir_fd=here):
                return place
    return None


def folders() -> list[Path]:
    """Where the files may be, best first; none if they are switched off."""
    import numba

    if os.environ.get(SWITCH, "").strip().lower() in ("off", "0", "no"):
        return []
    # "kernels": folders of earlier versions of asymp, of another name, were not checked
    return [base / f"asymp-kernels-{numba.__version__}-{sys.implementation.cache_tag}" for base in bases()]


def bases() -> list[Path]:
    """Where the folder may be, best first: absolute paths alone, for a relative one is whoever's folder we stand in."""
    import numba

    own = short_hash(str(SOURCES.resolve()))[:20]  # installations apart, so that one does not remove another's
    given = numba.config.CACHE_DIR
    places = [Path(given) / f"asymp-{own}"] if given else []
    places.append(SOURCES.resolve() / "__pycache__")
    caches = [os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.path.expanduser("~"), ".cache")]
    places += [Path(place) / "asymp" / own for place in [c for c in caches if os.path.isabs(c)][:1]]
    return [place for place in places if place.is_absolute()]


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
    if isinstance(value, types.ModuleType) and value.__name__.partition(".")[0] in LIBRARIES:
        return ("module", value.__name__)  # of another one a kernel may name anything
    if isinstance(value, type | types.BuiltinFunctionType | np.ufunc):
        module = getattr(value, "__module__", None) or ""
        text = "" if module.partition(".")[0] in LIBRARIES or not isinstance(value, type) else source(module)
        return ("library", module, text, getattr(value, "__qualname__", value.__name__), getattr(value, "_fields", ()))
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
