"""A folder of one's own on disk: what is read from it was written by this user, and nobody else could have.

Machine code and pickles run when they are loaded, so a file that somebody else could plant is somebody else's program.
The way to the folder is walked from ``/`` one name at a time, each opened relative to the one above, so that what was
checked is what is used:

* every folder on the way belongs to this user or to root, and nobody else may write in it, but for sticky folders
  such as ``/tmp``, where the names of others cannot be taken away; a symbolic link on the way must be of the same owners;
* the folder itself belongs to this user and is of mode 0700;
* a file is opened without following links and asked about through its open handle: a regular file of this user that
  nobody else may write, of one name and of bounded size.  The bytes that are used are those of that handle.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 1 << 28
"""Files beyond this are not read."""
LINKS = 40
"""Symbolic links that are followed on the way, as many as Linux does."""
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_WRITABLE = stat.S_IWGRP | stat.S_IWOTH


class Unsafe(OSError):
    """The place is not this user's alone; the message says what is in the way."""


def available() -> bool:
    """Whether the system has what the checks need: owners, and names relative to an open folder."""
    return hasattr(os, "geteuid") and hasattr(os, "O_NOFOLLOW") and {os.open, os.mkdir, os.stat} <= os.supports_dir_fd


@contextlib.contextmanager
def opened(path: Path) -> Iterator[int]:
    """A handle of the folder, made if need be, and open for the length of the block.

    Raises:
        Unsafe: the path is relative, or somebody else could write there.
        OSError: as the system has it.

    >>> with opened(Path("kernels")):
    ...     pass
    Traceback (most recent call last):
    asymp.sample.safe_folder.Unsafe: kernels is not an absolute path
    """
    if not available():
        raise Unsafe("no owners of files on this system")
    if not path.is_absolute() or ".." in path.parts:
        raise Unsafe(f"{path} is not an absolute path")
    handle = os.open("/", _FOLDER)
    try:
        _check_folder(handle, "/")
        todo, followed = list(reversed(path.parts[1:])), 0
        while todo:
            name = todo.pop()
            target = _link(handle, name, path)
            if target is None:
                handle = _step(handle, name, path)
                continue
            followed += 1
            if followed > LINKS:
                raise Unsafe(f"{path}: too many symbolic links")
            way = Path(target)
            if way.is_absolute():
                handle = _replace(handle, os.open("/", _FOLDER))
            todo += [part for part in reversed(way.parts) if part != way.anchor]
        found = os.fstat(handle)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o077:
            raise Unsafe(f"{path} is open to others: its mode is to be 0700")
        yield handle
    finally:
        os.close(handle)


def read(folder: int, name: str) -> bytes:
    """The content of a file of an opened folder.

    Raises:
        Unsafe: it is a link, no regular file, has another owner or name, may be written by others, or is too large.
        OSError: as the system has it.
    """
    # not blocking: a pipe would wait for a writer
    handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | _FILE, dir_fd=folder)
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & _WRITABLE:
            raise Unsafe(f"{name} is not a file that its owner alone can write")
        if found.st_nlink != 1 or found.st_size > MOST_BYTES:
            raise Unsafe(f"{name} has other names, or is too large")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(MOST_BYTES)
    finally:
        os.close(handle)


def write(folder: int, name: str, content: bytes) -> None:
    """Replaces a file of an opened folder whole, or leaves it as it was."""
    new = f".new-{secrets.token_hex(8)}"
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _FILE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        os.unlink(new, dir_fd=folder)
        raise


def _replace(old: int, new: int) -> int:
    os.close(old)
    return new


def _link(folder: int, name: str, path: Path) -> str | None:
    """Where a symbolic link leads, None for what is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    if not stat.S_ISLNK(found.st_mode):
        return None
    if found.st_uid not in (0, os.geteuid()):
        raise Unsafe(f"{path}: the link {name} belongs to somebody else")
    return os.readlink(name, dir_fd=folder)


def _step(folder: int, name: str, path: Path) -> int:
    """The folder of that name, made if it is not there; the one above is closed."""
    try:
        below = os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        # __pycache__ is shared by all who may read the sources; what is made else is this user's
        with contextlib.suppress(FileExistsError):
            os.mkdir(name, 0o755 if name == "__pycache__" else 0o700, dir_fd=folder)
        below = os.open(name, _FOLDER, dir_fd=folder)
    try:
        _check_folder(below, f"{name} in {path}")
    except BaseException:
        os.close(below)
        raise
    return _replace(folder, below)


def _check_folder(handle: int, what: str) -> None:
    found = os.fstat(handle)
    if found.st_uid not in (0, os.geteuid()):
        raise Unsafe(f"{what} belongs to somebody else")
    if found.st_mode & _WRITABLE and not found.st_mode & stat.S_ISVTX:
        raise Unsafe(f"{what} may be written by others")
