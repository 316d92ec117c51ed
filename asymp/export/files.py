"""Files that are written whole or not at all."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


def write_text(path: str | Path, text: str, temporary: Path | None = None) -> None:
    """Write a text file whole or not at all, as :func:`write_bytes`."""
    write_bytes(path, text.encode("utf-8", "replace"), temporary)  # half of a surrogate pair is no character


def write_bytes(path: str | Path, data: bytes, temporary: Path | None = None) -> None:
    """Write a file whole or not at all: a reader never sees half of one, and a full disk leaves the old one.

    ``temporary``, beside it, is where the file is until it is whole, for one who has that name for himself; it is
    overwritten.  A path that is not a regular file (a pipe, ``/dev/stdout``) is written to directly.

    Raises:
        OSError: it could not be written; nothing was left behind.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    target = target.resolve()  # through a link, so that the link stays one
    if temporary is None:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
        temporary = Path(name)
    else:
        temporary.unlink(missing_ok=True)
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())  # a disk may be found full only now
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def to_json(data: Any) -> str:
    """One JSON object, readable, ending in a newline; never NaN or Infinity, which are not JSON."""
    text = json.dumps(data, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    return text.encode("utf-8", "replace").decode()  # half of a surrogate pair is no character
