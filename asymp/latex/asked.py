r"""A formula that is pasted into a question: as text of the language, with what tends where and what is assumed.

>>> asked(r"H_n \sim \ln n", r"n \to \infty")
'harmonic(n) ~ log(n) as n -> oo'
>>> asked(r"\log x \le x - 1", assume=["x > 0"], answers={r"\log": r"\ln"})
'log(x) <= x - 1 for x > 0'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from asymp.language.conditions import read_conditions as read_text
from asymp.latex.choices import QUESTIONS
from asymp.latex.notation import Notation, notation
from asymp.latex.read import read
from asymp.latex.source import Unreadable
from asymp.latex.statements import limits


def asked(
    latex: str, to: str | None = None, assume: Iterable[str] | str = (), answers: Mapping[str, str] | None = None
) -> str:
    r"""The one statement of a formula as text.

    Args:
        latex: the formula.
        to: what tends where, as LaTeX or in the language: ``n \to \infty`` or ``n->oo``.
        assume: ranges of parameters, in either.
        answers: what its signs mean, and answers to what is ambiguous, as in a ``[notation]`` table.

    Raises:
        TwoReadings, Unreadable, ParseError: one line.
    """
    known = notation(answers or {})
    regime = texts(to, known) if to is not None else []
    assumed = [one for text in ([assume] if isinstance(assume, str) else assume) for one in texts(text, known)]
    variables = {name for one in (*regime, *assumed) for c in read_text(one) for node in c.terms() for name in node.free}
    statement = read(latex, replace(known, variables=known.variables | variables), regime or None)
    if not assumed:
        return str(statement)
    return str(replace(statement, domain=(*statement.domain, *(c for one in assumed for c in read_text(one)))))


def texts(given: str, known: Notation) -> list[str]:
    """Conditions in LaTeX or in the language, as texts of the language."""
    if "\\" in given or not given.isascii():
        return list(map(str, limits(given, known)))
    if not given.strip():
        raise Unreadable("an empty condition")
    return [str(one) for one in read_text(given)]


def table(words: Iterable[str]) -> dict[str, str]:
    r"""``KEY=VALUE`` words as a notation's table; a key may be a question that has a sign of equality in it.

    >>> table([r"\log=\ln", "f = O(g) = O(h)=f = O(g), f = O(h)"])
    {'\\log': '\\ln', 'f = O(g) = O(h)': 'f = O(g), f = O(h)'}
    """
    found: dict[str, str] = {}
    for word in words:
        key = next((question for question in QUESTIONS if word.startswith(question + "=")), word.partition("=")[0])
        value = word[len(key) + 1 :]
        if not key.strip() or not value.strip() or word[len(key) : len(key) + 1] != "=":
            raise Unreadable(f"{word[:60]!r}: a notation is written KEY=VALUE")
        found[key if key in QUESTIONS else key.strip()] = value if key in QUESTIONS else value.strip()
    return found
