"""The record while it grows: ``FILE.partial`` holds a line for each verdict, written through to the disk as it comes.

Only one run at a time writes it (a lock that ends with its process).  It outlives a killed run, and
``--resume`` takes from it the verdicts on claims that are still the same (:func:`asymp.command.claims.key`).  When all
claims have a verdict, the record itself is written whole and the partial one is removed.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from asymp.export.files import to_json, write_text

SUFFIX = ".partial"
VERSION = 1
PATIENCE = 20  # tenths of a second that a pipe may wait for its reader
_TAKEN: dict[str, Any] = {
    "id": str,
    "outcome": str,
    "strength": str,
    "evidence": list,
    "next_term": (str, type(None)),
    "seconds": (int, float),
}
_MAYBE: dict[str, Any] = {"reason": str, "meaning": list, "trusts": list, "certificate": (list, type(None))}


class RecordError(ValueError):
    """The record cannot be written: one line."""


class Journal:
    """The record of a run, in ``path`` when it is finished and beside it until then.

    Args:
        path: the record's place; anything that is no regular file (a pipe) has no partial record.
        resume: go on from what is there.
        sources: words of the command line; a file among them is not written over.

    Raises:
        RecordError: it cannot be written there, or another run is writing it.
    """

    def __init__(self, path: str, resume: bool, sources: Sequence[str] = ()) -> None:
        self.path = self.partial = Path(path)
        self.verdicts: dict[str, dict[str, Any]] = {}
        self.stale = False  # there was a partial record, and nobody asked for it
        self.kept = 0  # lines of verdicts in the partial record
        self._handle = self._pipe = -1
        self._length = 0
        if self.path.is_dir():
            raise RecordError(f"--json: {path} is a folder")
        if self.path.exists() and not self.path.is_file():
            self._open_pipe()
            return
        self.path = self.path.resolve()
        self.partial = self.path.with_name(self.path.name + SUFFIX)
        if not self.path.parent.is_dir():
            raise RecordError(f"--json: there is no folder {Path(path).parent}")
        if self.path.exists() and not os.access(self.path, os.W_OK):
            raise RecordError(f"--json: {path} cannot be written to")
        for source in sources:
            file = Path(source.partition("::")[0])
            if any(place.exists() and file.exists() and place.samefile(file) for place in (self.path, self.partial)):
                raise RecordError(f"--json: {path}: the record or its {SUFFIX} would take the place of {file}")
        if not _is_record(self.path):
            raise RecordError(f"--json: {path} is there and is no record: name another file")
        try:
            self._open()
            if (left := self._temporary()) is not None:
                left.unlink(missing_ok=True)  # of a run that was killed while it wrote the record
            self._read(resume)
            self._append({"partial": VERSION})
        except OSError as error:
            self.close(remove=self._length == 0)
            raise RecordError(f"--json: {path} cannot be written: {error.strerror}") from error

    def _open_pipe(self) -> None:
        """Open what is no regular file now: without a reader, or full, it fails before the work and not after it."""
        for tries in range(PATIENCE, -1, -1):
            try:
                self._pipe = os.open(self.path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                os.set_blocking(self._pipe, True)
                os.write(self._pipe, b"")
                return
            except OSError as error:
                if error.errno != errno.ENXIO or not tries:
                    self.close(remove=False)
                    why = "nobody reads it" if error.errno == errno.ENXIO else error.strerror
                    raise RecordError(f"--json: {self.path} cannot be written to: {why}") from error
                time.sleep(0.1)

    def _open(self) -> None:
        """Open and lock the partial record, and see that nobody has removed it in between."""
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            self._handle = os.open(self.partial, flags, 0o666)
            if os.fstat(self._handle).st_uid != os.geteuid():  # verdicts are not taken from somebody else
                self.close(remove=False)
                raise RecordError(f"--json: {self.partial} belongs to another user")
            try:
                fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError) as error:
                self._length = 1  # not ours: it stays
                self.close(remove=False)
                raise RecordError(f"--json: another run is writing {self.path}") from error
            except OSError as error:
                if error.errno not in (errno.ENOLCK, errno.ENOTSUP):  # a place that has no locks is used without
                    raise
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._handle), os.stat(self.partial)):
                    return
            os.close(self._handle)

    def _read(self, resume: bool) -> None:
        """Take over what is there, up to the first line that is not whole; what no run has written is not taken.

        Raises:
            RecordError: another version of this program has written it.
        """
        with open(self._handle, "rb", closefd=False) as stream:
            text = stream.read()
        self.stale = bool(text) and not resume
        for line in text.splitlines(keepends=True) if resume else ():
            if not line.endswith(b"\n"):
                break
            self._length += len(line)
            version = VERSION
            with contextlib.suppress(ValueError, RecursionError):
                item = json.loads(line)
                if isinstance(item, dict) and _is_verdict(item.get("key"), item.get("entry")):
                    self.verdicts[item["key"]] = item["entry"]
                    self.kept += 1
                version = item.get("partial", VERSION) if isinstance(item, dict) else VERSION
            if version != VERSION:
                self.close(remove=False)
                raise RecordError(f"--json: {self.partial} is of another version of asymp: --resume cannot use it")
        os.ftruncate(self._handle, self._length)

    def taken(self, one: Mapping[str, Any]) -> dict[str, Any] | None:
        """The entry of a claim as it is now, with the verdict that is there; None where there is none."""
        entry = self.verdicts.get(one["key"], {})
        if entry.get("id") != one["id"]:
            return None
        return {**one["entry"], **{name: entry[name] for name in (*_TAKEN, *_MAYBE) if name in entry}}

    def _temporary(self) -> Path | None:
        """Where the record is while it is written; none but the owner of the partial record writes there."""
        return self.partial.with_name(f".{self.path.name[:100]}.tmp") if self._handle >= 0 else None

    def add(self, key: str, entry: dict[str, Any]) -> None:
        """Keep a verdict.

        Raises:
            RecordError: the disk is full, or gone; what was kept before is still there.
        """
        if self._handle < 0:
            return
        try:
            self._append({"key": key, "entry": entry})
            self.kept += 1
        except OSError as error:
            raise self._failed(error) from error

    def _append(self, item: dict[str, Any]) -> None:
        data = json.dumps(item, allow_nan=False).encode() + b"\n"
        done = 0
        try:
            while done < len(data):
                done += os.pwrite(self._handle, data[done:], self._length + done)
            os.fsync(self._handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(self._handle, self._length)  # no half of a line
            raise
        self._length += len(data)

    def finish(self, data: dict[str, Any], complete: bool) -> None:
        """Write the record; if it is not ``complete``, the partial one stays too, to go on from.

        Raises:
            RecordError: it cannot be written; the partial record stays.
        """
        try:
            if self._pipe >= 0:
                with os.fdopen(os.dup(self._pipe), "wb") as stream:
                    stream.write(to_json(data).encode())
            else:
                write_text(self.path, to_json(data), self._temporary())
        except OSError as error:
            raise self._failed(error) from error
        self.close(remove=complete)

    def _failed(self, error: OSError) -> RecordError:
        kept = f"; {self.kept} verdicts are kept in {self.partial} for --resume" if self.kept else ""
        self.close(remove=not self.kept)
        return RecordError(f"--json: {self.path} cannot be written: {error.strerror or error}{kept}")

    def close(self, remove: bool) -> None:
        """Let another run have it; ``remove`` the partial record first."""
        if self._pipe >= 0:
            os.close(self._pipe)
            self._pipe = -1
        if self._handle >= 0:
            if remove:
                with contextlib.suppress(OSError):
                    os.unlink(self.partial)
            os.close(self._handle)
            self._handle = -1


def _is_record(path: Path) -> bool:
    """Whether a record may be written there: nothing is there, an empty file, or another record."""
    if not path.exists() or not path.stat().st_size:
        return True
    try:
        data = json.loads(path.read_bytes())
    except (ValueError, RecursionError, OSError):
        return False
    return isinstance(data, dict) and isinstance(data.get("claims"), list)


def _is_verdict(key: Any, entry: Any) -> bool:
    """Whether a line of a partial record is a verdict as :meth:`Journal.add` writes it, of a check that came to its end."""
    from asymp.claim import Outcome, Strength

    if not isinstance(key, str) or not key or not isinstance(entry, dict) or entry.get("ended") is not None:
        return False
    kinds = {**_TAKEN, **{name: kind for name, kind in _MAYBE.items() if name in entry}}
    if not all(name in entry and isinstance(entry[name], kind) for name, kind in kinds.items()):
        return False
    to_json(entry)  # ValueError: a number that is not finite
    known = entry["outcome"] in list(Outcome) and entry["strength"] in list(Strength)
    return known and 0 <= entry["seconds"] < 1e12 and all(isinstance(each, dict) for each in entry["evidence"])
