"""Bad input, the one error whose message is the one line that the user sees; and where output goes."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO


class UsageError(Exception):
    """Bad input: its message is the one line that the user sees."""


def folder(name: str) -> Path:
    """The folder of that name, made if it is not there; UsageError where it cannot be, or not be written in."""
    made = Path(name)
    try:
        made.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=made).close()  # what cannot be written there fails before the work
    except OSError as error:
        raise UsageError(f"--out {name}: {error.strerror}") from error
    return made


def writable(option: str, path: str | None) -> None:
    """UsageError where that is a folder, or its folder is not there."""
    if path:
        require(not Path(path).is_dir(), f"{option}: {path} is a folder")
        require(Path(path).parent.is_dir(), f"{option}: there is no folder {Path(path).parent}")


def require(condition: bool, message: str) -> None:
    """UsageError with that message unless the condition holds."""
    if not condition:
        raise UsageError(message)


def assignments(words: Sequence[str]) -> dict[str, str]:
    """``name=value`` words as a mapping."""
    raw: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name, value = name.strip(), value.strip()
        require(bool(equals and name and value), f"{word[:80]!r}: write parameters as name=value")
        require(name not in raw, f"the parameter {name!r} is given twice")
        raw[name] = value
    return raw


def look(stream: TextIO, ascii_alone: bool = False) -> dict[str, bool]:
    """How a stream is to be written: with colours or not, in ASCII alone or not.

    Mathematics is set in Unicode (``formulas``) on a terminal that is written with colours, and nowhere else: a pipe, a file
    and who asks for ASCII get text that can be typed again.
    """
    colour = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    try:
        "✓✗".encode(getattr(stream, "encoding", None) or "utf-8")
        ascii_only = os.environ.get("LC_ALL") in ("C", "POSIX")
    except (UnicodeEncodeError, LookupError):
        ascii_only = True
    ascii_only = ascii_only or ascii_alone
    return {"colour": colour, "ascii_only": ascii_only, "formulas": colour and not ascii_only}


def open_standard() -> None:
    """Open what of standard input and error was closed, lest a pipe or a file of ours gets that number."""
    for handle in (0, 2):
        try:
            os.fstat(handle)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != handle:
                os.dup2(null, handle)
                os.close(null)
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  (for the rest of the process)
