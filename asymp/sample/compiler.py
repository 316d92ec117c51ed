"""Kernels: functions at module level that numba compiles when they are first called, and whose machine code it keeps.

Files are numba's own (``cache=True``).  numba looks at the file of a function alone, and loads what lies in its folder,
whoever put it there; so the folder that it is given has a name of its own for each text of the sampler (SHA-256 of its
sources, the versions of what compiles, numba's settings), and nobody else can have written in it or can from now on
(:func:`trusted`): machine code and pickles run when they are loaded.  It is in the first such of ``NUMBA_CACHE_DIR`` (if
it is set), the folder beside the sources, and the user's cache.  Where there is none, with ``ASYMP_KERNEL_CACHE=off``, or
once a file could not be written or read, kernels are compiled in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import shutil
import stat
import sys
import threading
import weakref
from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from asymp.sample.checkpoint import made_by

SWITCH = "ASYMP_KERNEL_CACHE"
"""The environment variable that turns the files off: ``off``, ``0`` or ``no``."""
SETTINGS = "OPT LOOP_VECTORIZE SLP_VECTORIZE BOUNDSCHECK DEBUGINFO_DEFAULT ENABLE_AVX CPU_NAME CPU_FEATURES".split()
"""numba's settings that change machine code."""
SOURCES = Path(__file__).resolve().parent
TEXT = made_by()["sources"]  # now: of the sources that are being imported, not of what they are when a kernel is called
OPTIONS = {"nogil": True, "error_model": "numpy"}
"""Of ``numba.njit``.  error_model: Python's would test every divisor for zero, a branch that keeps loops from vectors."""
_one_at_a_time = threading.RLock()
_kernels: weakref.WeakSet[Kernel] = weakref.WeakSet()


class Kernel:
    """A function that numba compiles when it is first called, from Python or from another kernel.

    numba is not imported before, and need not be there.  ``keep`` is whether files are used in this process.

    Args:
        function: nopython code; what it names are constants, modules and kernels at module level.
        late: whether ``function`` makes the function, since that needs numba.
        options: of ``numba.njit``.
    """

    keep = True

    def __init__(self, function: Callable[..., Any], late: bool = False, **options: Any) -> None:
        self.function, self.late, self.options = function, late, OPTIONS | options
        self._made: Any = None
        self.__doc__ = function.__doc__
        _kernels.add(self)

    @property
    def compiled(self) -> Any:
        """numba's dispatcher (the plain function under NUMBA_DISABLE_JIT=1)."""
        with _one_at_a_time:
            if self._made is None:
                self._made = self._make()
        return self._made

    def _make(self) -> Any:
        numba = _numba()
        function = self.function() if self.late else self.function
        place = folder() if self.options.get("cache") and Kernel.keep else None
        if place is not None:
            given, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(place)
            try:
                with contextlib.suppress(RuntimeError):  # nowhere to write
                    found = numba.njit(**self.options)(function)
                    # where it cannot write there numba takes another folder, which was not looked at
                    if Path(getattr(getattr(found, "stats", None), "cache_path", place)).is_relative_to(place):
                        return found
            finally:
                numba.config.CACHE_DIR = given
        return numba.njit(**self.options | {"cache": False})(function)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return (self._made or self.compiled)(*arguments)
        except (OSError, EOFError, pickle.UnpicklingError):
            # numba says so before it runs anything: there is no room for a file, or one is damaged
            if not Kernel.keep:
                raise
            with _one_at_a_time:
                Kernel.keep = False
                for kernel in _kernels:
                    kernel._made = None
        return self.compiled(*arguments)


@cache
def _numba() -> Any:
    """numba, which now takes kernels that other kernels name."""
    import numba
    from numba.extending import typeof_impl

    typeof_impl.register(Kernel)(lambda kernel, _: numba.types.Dispatcher(kernel.compiled))
    return numba


def jit(function: Any = None, **options: Any) -> Any:
    """A kernel whose machine code is kept in a file."""
    return partial(jit, **options) if function is None else Kernel(function, cache=True, **options)


def part(function: Callable[..., Any]) -> Kernel:
    """A kernel that other kernels call: its machine code is kept with theirs."""
    return Kernel(function)


def inline(function: Callable[..., Any]) -> Kernel:
    """A kernel for other kernels alone, put into each where it is called."""
    return Kernel(function, forceinline=True)


def late(make: Callable[[], Callable[..., Any]]) -> Kernel:
    """The same of a function that is made when it is wanted, since making it needs numba."""
    return Kernel(make, late=True, forceinline=True)


def folder() -> Path | None:
    """Where machine code is kept, made if need be; None if there is no place that is safe."""
    if os.environ.get(SWITCH, "").strip().lower() in ("off", "0", "no") or not hasattr(os, "geteuid"):
        return None
    own, here = name()
    for base in bases():
        with contextlib.suppress(OSError, RuntimeError):  # of links in a ring
            place = base.resolve() / own / here
            new = [one for one in (place, *place.parents) if not one.exists()]
            for one in reversed(new):  # __pycache__ is shared by all who may read the sources
                one.mkdir(0o755 if one.name == "__pycache__" else 0o700, exist_ok=True)
            if not trusted(place):
                continue
            for old in place.parent.iterdir() if new else ():  # what was compiled from other texts goes
                if not old.name.startswith(TEXT):
                    shutil.rmtree(old, ignore_errors=True)
            return place
    return None


def bases() -> list[Path]:
    """Where the folder may be, best first: absolute paths alone, for a relative one is whoever's folder we stand in."""
    import numba

    caches = [os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.path.expanduser("~"), ".cache")]
    home = [Path(place) for place in caches if os.path.isabs(place)][:1]
    return [place for place in (Path(numba.config.CACHE_DIR or ""), SOURCES / "__pycache__", *home) if place.is_absolute()]


@cache
def name() -> tuple[str, str]:
    """The names of the folders of this installation, and in it of these sources, versions and settings."""
    import numba

    versions = [str(import_module(one).__version__) for one in ("numba", "llvmlite", "numpy")]
    settings = [getattr(numba.config, one, None) for one in SETTINGS]
    own, made = (hashlib.sha256(repr(x).encode()).hexdigest()[:16] for x in (str(SOURCES), (versions, settings, sys.version)))
    return f"asymp-kernels-{own}", f"{TEXT}-{made}"


def trusted(place: Path) -> bool:
    """Whether nobody but this user (and root) wrote what is in a folder, or can from now on; damaged files are removed.

    The path has no symbolic links.  Every folder above belongs to this user or to root, and nobody else may write in it,
    but for sticky folders such as ``/tmp``, where the names of others cannot be taken away.  The folder and the one above
    are this user's and of mode 0700.  All in it belongs to this user, is a folder or a regular file of one name, and may not
    be written by all (by the group: that is how numba writes where the umask is 002).
    """
    us = os.geteuid()
    for above in place.parents:
        found = os.lstat(above)
        if found.st_uid not in (0, us) or (found.st_mode & 0o022 and not found.st_mode & stat.S_ISVTX):
            return False
    for own in (place.parent, place):
        found = os.lstat(own)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != us or found.st_mode & 0o077 or not os.access(own, os.W_OK):
            return False
    for here, folders, files in os.walk(place):
        for one in (*folders, *files):
            path = os.path.join(here, one)
            found = os.lstat(path)
            whole = (stat.S_ISREG(found.st_mode) and found.st_nlink == 1) or stat.S_ISDIR(found.st_mode)
            if not whole or found.st_uid != us or found.st_mode & 0o002:
                return False
            if one in files and not _complete(path):
                os.unlink(path)
    return True


def _complete(path: str) -> bool:
    """Whether a file ends as a pickle does: one that was cut off, by a machine that stopped, does not."""
    with open(path, "rb") as file:
        file.seek(max(os.path.getsize(path) - 1, 0))
        return file.read() == b"."
