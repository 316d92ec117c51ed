"""One-line messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def unknown(noun: str, name: str, known: Iterable[str], hint: str = "") -> str:
    """What is said of a name that is not known.

    >>> unknown("paper", "lfsm", ["lfms", "ilb"])
    "unknown paper 'lfsm': did you mean lfms?"
    """
    names = list(known)
    shown = name if len(name) <= 80 else name[:77] + "..."
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        return f"unknown {noun} {shown!r}: did you mean {' or '.join(close)}?"
    if not names:
        return f"unknown {noun} {shown!r}: none is registered{hint}"
    return f"unknown {noun} {shown!r}: there are {', '.join(names[:10])}{', ...' if len(names) > 10 else ''}"


def one_line(error: BaseException | str, length: int = 400) -> str:
    """An error's message in one line of bounded length.

    >>> one_line(ValueError("first\\n  second"))
    'first second'
    """
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= length else text[: length - 3] + "..."
