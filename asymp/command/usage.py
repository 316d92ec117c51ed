"""Bad input: the one error whose message is the one line that the user sees."""

from __future__ import annotations

import tempfile
from pathlib import Path


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


def require(condition: bool, message: str) -> None:
    """UsageError with that message unless the condition holds."""
    if not condition:
        raise UsageError(message)
