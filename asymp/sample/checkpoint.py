"""A checkpoint of a long run: one file, replaced whole after each block, so that a run killed at any moment can go on.

What is written goes to a file beside it first, is forced to the disk, and takes the name in one step: at every moment
the name holds one complete checkpoint.  With it are kept what the run is (its configuration) and what made it: the
layout of the file, the version of asymp, and SHA-256 of the sources that draw and add up.  One of another run or made
by other sources is refused, for its draws may be others.  One run at a time holds a checkpoint (:func:`held`): a second
one is told so, and neither writes into the other's file.
"""

from __future__ import annotations

import contextlib
import glob
import hashlib
import io
import json
import os
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from asymp.version import __version__

Array = np.ndarray[Any, Any]

FORMAT = 2
"""The layout of the file: 1 had no version."""
_OPEN = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@contextlib.contextmanager
def held(path: str | Path | None) -> Iterator[None]:
    """For the length of the block this run alone has the checkpoint; nothing for None.

    The lock is that of a file beside it, ``NAME.lock``, which ends with the process whatever ends it.  Where the file
    system has no locks, the block runs without one.

    Raises:
        ValueError: another run has it.
        OSError: the folder cannot be written in.
    """
    if path is None:
        yield
        return
    where = Path(path)
    beside = where.with_name(where.name + ".lock")
    handle = _lock(beside, where)
    try:
        if handle is not None:
            for left in where.parent.glob(f"{glob.escape(where.name)}.*.new"):  # by runs that were killed
                left.unlink(missing_ok=True)
        yield
    finally:
        if handle is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(beside)  # before it is unlocked: who waits finds that the name is another file's
            os.close(handle)


def _lock(beside: Path, where: Path) -> int | None:
    try:
        import fcntl
    except ImportError:  # not a Unix
        return None
    while True:
        handle = os.open(beside, os.O_RDWR | _OPEN, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(handle), os.stat(beside)):
                return handle
        except FileNotFoundError:
            pass
        except BlockingIOError:
            os.close(handle)
            raise ValueError(f"{where} is in use by another run") from None
        except OSError:
            os.close(handle)
            os.unlink(beside)
            return None
        os.close(handle)  # taken away meanwhile by the run that had it


@cache
def made_by() -> dict[str, Any]:
    """What a run's numbers follow from besides its configuration.

    >>> sorted(made_by())
    ['asymp', 'format', 'sources']
    """
    rooms = (Path(__file__).parent, Path(__file__).parents[1] / "queues")
    files = sorted(f for room in rooms for f in room.iterdir() if f.suffix in (".py", ".cu"))
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.parent.name}/{file.name} {len(content)}\n".encode() + content)
    return {"format": FORMAT, "asymp": __version__, "sources": digest.hexdigest()[:16]}


def save(path: str | Path, configuration: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Replace the checkpoint: what the run is (numbers and text), and its arrays.

    Raises:
        OSError: it could not be written; the checkpoint is then as it was.
    """
    where = Path(path)
    content = io.BytesIO()
    text = json.dumps({"made by": made_by(), "run": configuration}, sort_keys=True)
    np.savez(content, configuration=np.frombuffer(text.encode(), np.uint8), **arrays)  # type: ignore[arg-type]
    # a name of this process: without locks two may write at a time
    beside = where.with_name(f"{where.name}.{os.getpid()}.new")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_TRUNC | _OPEN, 0o666), "wb") as file:
            file.write(content.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, where)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)
        raise
    folder = os.open(where.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def load(path: str | Path, configuration: dict[str, Any]) -> dict[str, Array] | None:
    """The arrays of a checkpoint of this configuration, or nothing where no file is.

    Raises:
        ValueError: in one line, if the file is not a checkpoint, or is of another configuration or version of asymp
            (which says where they differ).
    """
    where = Path(path)
    if not where.exists():
        return None
    try:
        with np.load(io.BytesIO(where.read_bytes()), allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        found = json.loads(arrays.pop("configuration").tobytes().decode())
        maker, run = found.get("made by", {"format": 1}), found.get("run", {})
        if not isinstance(maker, dict) or not isinstance(run, dict):
            raise ValueError
    except (OSError, ValueError, KeyError, AttributeError, RecursionError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{where} is not a checkpoint ({type(error).__name__})") from error
    for name, here in made_by().items():
        if maker.get(name) != here:
            there = _short(maker.get(name))
            raise ValueError(f"{where} was made by another version of asymp: {name} is {there} there and {here} here")
    wanted = json.loads(json.dumps(configuration))
    for name in sorted(set(run) | set(wanted), key=lambda name: (name != "kind", name)):
        if run.get(name) != wanted.get(name):
            there, here = _short(run.get(name)), _short(wanted.get(name))
            raise ValueError(f"{where} is the checkpoint of another run: {name} is {there} there and {here} here")
    return arrays


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
