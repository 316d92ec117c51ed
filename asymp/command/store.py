"""The store: what was found of claims, kept in the user's cache folder by what it was found from.

An entry is a file whose name is a hash of the whole input.  What is trusted, and why:

- That an entry is what asymp itself wrote there.  Each is signed (HMAC-SHA256) with a key that the folder holds, readable by
  its user alone, and the signature covers the name: an entry that is planted, edited, cut short or moved to another
  name is not taken; that is said, and what it held is computed anew.  Whoever can read that key can change asymp as well.
- Not that what was found then would be found now: an entry names the files of asymp that it rests on
  (:mod:`asymp.command.stored`), and is not taken where one of them says something else.
- Not the word *proved*, for good: a theorem is replayed by the kernel where anything of the kernel that its certificate uses has
  changed, a few, chosen by chance, in each run, and all by ``asymp store --replay``.

Nothing in it is code: an entry is JSON.  It is written whole or not at all; any number of processes may read and write at once.
``ASYMP_STORE`` names another folder, or is ``off``; without a place that is the user's own there is no store.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as place:
...     store = Store(Path(place, "store"))
...     store.put("verdict", "k", {"outcome": "holds"})
...     found = store.get("verdict", "k")
...     file = next(store.files("verdict"))
...     _ = file.write_bytes(file.read_bytes().replace(b"holds", b"fails"))
...     found, store.get("verdict", "k"), store.refused
({'outcome': 'holds'}, None, ['k'])
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asymp.export.files import write_bytes

SWITCH = "ASYMP_STORE"
KINDS = ("verdict", "survey")
MOST_BYTES = 1 << 26
"""Of an entry: a longer file is none of ours."""
_KEY, _NEW = "key", "new"
_HOUR = 3600
_LENGTH = 32


def place() -> Path | None:
    """Where the store is to be; None where it is switched off, or the user has no folder of his own."""
    said = os.environ.get(SWITCH, "").strip()
    if said.lower() in ("off", "0", "no") or not hasattr(os, "geteuid"):
        return None
    if said:
        return Path(said) if os.path.isabs(said) else None
    caches = [os.environ.get("XDG_CACHE_HOME", ""), os.path.join(os.path.expanduser("~"), ".cache")]
    return next((Path(one, "asymp", "store") for one in caches if os.path.isabs(one)), None)


def opened(fresh: bool = False) -> Store | None:
    """The user's store; None with ``fresh``, and where there is none."""
    where = None if fresh else place()
    if where is None:
        return None
    store = Store(where)
    return store if store.is_open else None


class Store:
    """The entries in a folder, which is made if need be.

    ``refused`` lists the names of the entries that were there and not taken.  What cannot be read or written is not there: a
    store that fails costs time, and no answer.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.refused = folder, list[str]()
        self._secret = self._open()

    @property
    def is_open(self) -> bool:
        """Whether the folder is there, this user's, and closed to all others."""
        return bool(self._secret)

    def _open(self) -> bytes:
        try:
            for one in (self.folder, *(self.folder / name for name in (*KINDS, _NEW))):
                one.mkdir(parents=True, mode=0o700, exist_ok=True)
                is_own(one, stat.S_ISDIR)
            for one in (self.folder / _NEW).iterdir():  # that killed processes have left
                with contextlib.suppress(OSError):
                    if one.stat().st_mtime < time.time() - _HOUR:
                        one.unlink()
            file = self.folder / _KEY
            if not file.exists():
                self._make(file)
            handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as stream:
                is_own(handle, stat.S_ISREG)
                found = stream.read(_LENGTH + 1)
        except OSError:
            return b""
        return found if len(found) == _LENGTH else b""

    def _make(self, file: Path) -> None:
        """A key, where another process has not made one in between."""
        temporary = self._temporary()
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(secrets.token_bytes(_LENGTH))
                stream.flush()
                os.fsync(stream.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(temporary, file)
        finally:
            temporary.unlink()

    def _temporary(self) -> Path:
        """Where a file is until it is whole."""
        return self.folder / _NEW / secrets.token_hex(8)

    def path(self, kind: str, name: str) -> Path:
        """The file of what is kept by a name."""
        return self.folder / kind / hashlib.sha256(name.encode()).hexdigest()

    def _signature(self, kind: str, file: str, data: bytes) -> bytes:
        return hmac.new(self._secret, f"{kind}\0{file}\0".encode() + data, "sha256").hexdigest().encode()

    def get(self, kind: str, name: str) -> dict[str, Any] | None:
        """What is kept by that name; None where nothing is, or what asymp has not written, which is removed."""
        path = self.path(kind, name)
        found = self.read(kind, path)
        if found is None and os.path.lexists(path):
            self.refused.append(name)
            with contextlib.suppress(OSError):
                path.unlink()
        return found

    def read(self, kind: str, path: Path) -> dict[str, Any] | None:
        """What is in a file of the store; None where asymp has not written that."""
        with contextlib.suppress(OSError, ValueError, RecursionError):
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(handle, "rb") as stream:
                signature, _, data = stream.read(MOST_BYTES).partition(b"\n")
            if hmac.compare_digest(signature, self._signature(kind, path.name, data)):
                found = json.loads(data)
                return found if isinstance(found, dict) else None
        return None

    def put(self, kind: str, name: str, found: dict[str, Any]) -> None:
        """Keep it, in place of what is there; a full disk keeps nothing."""
        with contextlib.suppress(OSError, ValueError):
            data = json.dumps(found, allow_nan=False).encode()
            if len(data) < MOST_BYTES // 2:
                path = self.path(kind, name)
                write_bytes(path, self._signature(kind, path.name, data) + b"\n" + data, self._temporary())

    def drop(self, kind: str, name: str) -> None:
        """Let go of it."""
        with contextlib.suppress(OSError):
            self.path(kind, name).unlink()

    def files(self, kind: str) -> Iterator[Path]:
        """The files of the entries of a kind."""
        with contextlib.suppress(OSError):
            yield from sorted(file for file in (self.folder / kind).iterdir() if len(file.name) == 2 * _LENGTH)

    def clear(self) -> int:
        """Remove what is kept, and what a killed process has left; how many entries there were."""
        count = 0
        for kind in (*KINDS, _NEW):
            for file in list((self.folder / kind).iterdir()):
                count += kind != _NEW and len(file.name) == 2 * _LENGTH
                file.unlink(missing_ok=True)
        return count


def is_own(what: Path | int, kind: Any) -> None:
    """That it belongs to this user, and nobody else may look at it or write there.

    Raises:
        PermissionError: it does not.
    """
    found = os.fstat(what) if isinstance(what, int) else os.lstat(what)
    if not kind(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError(f"{what} is not this user's alone")
