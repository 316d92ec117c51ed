"""One-line messages."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

LIKE = 0.6
"""How alike (:class:`difflib.SequenceMatcher`) two names are of which one may be meant by the other."""


def unknown(noun: str, name: str, known: Iterable[str], hint: str = "", all_of: str = "") -> str:
    """What is said of a name that is not known; ``all_of``: the command that shows them all.

    >>> unknown("paper", "lfsm", ["lfms", "ilb"])
    "unknown paper 'lfsm': did you mean lfms?"
    >>> unknown("claim", "lfms/nosuch", ["lfms/equation-27-sum"], all_of="asymp list lfms")
    "unknown claim 'lfms/nosuch': asymp list lfms shows what there is"
    """
    names = list(known)
    shown = name if len(name) <= 80 else name[:77] + "..."
    close = near(name, names)
    if close:
        return f"unknown {noun} {shown!r}: did you mean {' or '.join(close)}?"
    if not names:
        return f"unknown {noun} {shown!r}: none is registered{hint}"
    if all_of:
        return f"unknown {noun} {shown!r}: {all_of} shows what there is"
    return f"unknown {noun} {shown!r}: there are {', '.join(names[:10])}{', ...' if len(names) > 10 else ''}"


def said_by(prog: str, message: str) -> str:
    """A message with the program that says it; one that begins with a place in a .tex file stays as editors read it.

    >>> said_by("asymp check", "no claims"), said_by("asymp check", "paper.tex:3: no claims")
    ('asymp check: no claims', 'paper.tex:3: no claims')
    """
    return message if re.match(r"[^:]+\.tex:\d+: ", message) else f"{prog}: {message}"


def near(name: str, names: Iterable[str]) -> list[str]:
    """Up to three of the names that may have been meant: what stands before the last / is not counted for likeness.

    >>> near("lfms/lemma-8", ["lfms/lemma-8.3", "lfms/section-2", "ilb/lemma-8.3"])
    ['lfms/lemma-8.3', 'ilb/lemma-8.3']
    >>> near("throughput", ["lfms/throughput", "lfms/wastage"]), near("lfms/nosuch", ["lfms/equation-27-sum"])
    (['lfms/throughput'], [])
    """
    head, _, tail = name[:200].lower().rpartition("/")
    found = []
    for place, other in enumerate(names):
        its_head, _, its_tail = other.lower().rpartition("/")
        if len(tail) > 2 and its_tail.startswith(tail):
            ratio = 0.95
        else:
            matcher = difflib.SequenceMatcher(None, tail, its_tail)
            ratio = matcher.ratio() if matcher.real_quick_ratio() >= LIKE and matcher.quick_ratio() >= LIKE else 0.0
        if ratio >= LIKE:
            found.append((-ratio, bool(head) and its_head != head, place, other))
    best = sorted(found)
    if head and any(not elsewhere for _, elsewhere, *_ in best):
        best = [*(item for item in best if not item[1]), *(item for item in best if item[1])]
    return [other for *_, other in best[:3]]


def conditions_given(to: object, assume: object) -> None:
    """That what tends where, and what is assumed, are given as text.

    >>> conditions_given("n->oo", ["a > 0"]), conditions_given(None, "a > 0")
    (None, None)
    >>> conditions_given(3, ())
    Traceback (most recent call last):
    ...
    TypeError: to= is text such as "n->oo", not of the type int
    """
    if not isinstance(to, str | None):
        raise TypeError(f'to= is text such as "n->oo", not of the type {type(to).__name__}')
    good = isinstance(assume, Iterable) and not isinstance(assume, bytes)
    if isinstance(assume, list | tuple):  # what can be gone through once is left to who reads it
        good = all(isinstance(one, str) for one in assume)
    if not good:
        raise TypeError('assume= is text such as "a > 0", or a list of such')


def one_line(error: BaseException | str, length: int = 400) -> str:
    """An error's message in one line of bounded length.

    >>> one_line(ValueError("first\\n  second")), one_line(FileNotFoundError(2, "No such file or directory", "a.tex"))
    ('first second', 'a.tex: No such file or directory')
    """
    words = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename and error.strerror else error
    text = " ".join(str(words).split()) or type(error).__name__
    return text if len(text) <= length else text[: length - 3] + "..."
