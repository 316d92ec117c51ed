r"""LaTeX to statements of the language: one reading, or a refusal that has all of them.

>>> print(read(r"\mu \sim \frac{\mu_1}{p_n \ln(1/p_n)}"))
mu ~ mu1/(p_n*log(1/p_n))
>>> read("1/2n = m")
Traceback (most recent call last):
...
asymp.latex.source.TwoReadings: 2 readings, as 1/2n is "(1/2)n": 1/2*n = m; "1/(2n)": 1/(2*n) = m.  Write which, or ...
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

from asymp.language.statement import Statement
from asymp.language.statement_tex import statement_tex
from asymp.latex.choices import Answers, every
from asymp.latex.items import Items
from asymp.latex.notation import Notation
from asymp.latex.pieces import links, unwrapped
from asymp.latex.source import Reading, TwoReadings, Unreadable
from asymp.latex.statements import Statements, limits

Same = Callable[[Statement], Hashable]
"""What two statements have in common that say the same; it may raise ValueError of what is no statement there."""


def read_all(
    latex: str, notation: Notation | None = None, to: str | Sequence[str] | None = None, same: Same | None = None
) -> tuple[Statement, ...]:
    r"""The statements of a formula or a display, in order.

    Args:
        latex: a formula, with or without dollars, or a display; or mathematics typed with Unicode.
        notation: what its signs mean.
        to: what tends where, where the formula does not say it: LaTeX, or conditions of the language.
        same: when two readings are one; by default where their texts are equal.  One of which it raises ValueError is another
            reading still: what a paper does not declare may be meant.

    Raises:
        TwoReadings: it has more than one reading.
        Unreadable: it has none: one line with the place.

    >>> [str(one) for one in read_all(r"\begin{align} a &= b \\ c &\le d \end{align}")]
    ['a = b', 'c <= d']
    """
    known = notation or Notation()
    items = known.items(latex)  # once: the macros and the signs do not depend on the answers
    regime = list(map(str, limits(to, known))) if isinstance(to, str) else list(to or ())

    def once(answers: Answers) -> tuple[Statement, ...]:
        return Statements(latex, known, answers, regime, items).read()

    try:
        found, first = every(once, known.readings, latex)
    except RecursionError as error:
        raise Unreadable("nested too deeply", latex, 0) from error
    kinds: dict[Hashable, tuple[dict[Any, str], tuple[Statement, ...]]] = {}
    for tried, statements in found:
        kinds.setdefault(tuple(_key(one, same) for one in statements), (tried, statements))
    if len(kinds) == 1:
        return next(iter(kinds.values()))[1]
    assert first is not None, "several readings come from a question"
    asked = _question(list(kinds.values()), first.question)
    readings = tuple(
        Reading("; ".join(map(str, statements)), r" \\ ".join(statement_tex(one, known.signs) for one in statements),
                next((answer for spot, answer in tried.items() if spot[0] == asked), ""))
        for tried, statements in kinds.values()
    )  # fmt: skip
    raise TwoReadings(asked, readings, latex, first.at, frozenset(_differing(list(kinds.values()))))


def read_steps(
    latex: str, notation: Notation | None = None, to: Sequence[str] | None = None, same: Same | None = None
) -> tuple[Statement, ...]:
    r"""What a chain says of two of its sides, where not all of it can be read: each of them that has one reading.

    >>> [str(one) for one in read_steps(r"f = \sqrt{1 + O(1)} g = h", to=["n -> oo"])]
    ['f = h as n -> oo']
    >>> read_steps(r"f = \sqrt{1 + O(1)} g")
    ()
    """
    known = notation or Notation()
    try:
        plain = tuple(item for item in unwrapped(known.items(latex)) if item.kind not in ("row", "cell"))
    except Unreadable:
        return ()
    pieces = links(plain)
    found: list[Statement] = []
    for first in range(len(pieces)):
        for last in range(first + 1, len(pieces)):
            between = [sign for sign, _ in pieces[first + 1 : last + 1] if sign is not None and sign.text != "="]
            if len({sign.text for sign in between}) > 1 or (last < len(pieces) - 1 and _is_order(known, pieces[last][1])):
                continue
            sign = between[0] if between else pieces[last][0]
            assert sign is not None
            step = (*pieces[first][1], sign, *pieces[last][1])
            try:
                read, _ = every(partial(_once, latex, known, list(to or ()), step), known.readings, latex)
            except (Unreadable, RecursionError):
                continue
            if len({tuple(_key(one, same) for one in statements) for _, statements in read}) == 1:
                found += read[0][1]
    return tuple(dict.fromkeys(found))


def _once(latex: str, known: Notation, regime: list[str], found: Items, answers: Answers) -> tuple[Statement, ...]:
    return Statements(latex, known, answers, regime, found).read()


def _is_order(known: Notation, found: Items) -> bool:
    """Whether a side in a chain has an order, and it is not said that what follows is of the first side too."""
    ordered = any(item.kind == "letter" and item.text in ("O", "o", "theta", "Theta", "Omega", "omega") for item in found)
    return ordered and known.readings.get("f = O(g) = O(h)") != "f = O(g), f = O(h)"


def _key(statement: Statement, same: Same | None) -> Hashable:
    """What a statement has in common with others that say the same."""
    try:
        return same(statement) if same else str(statement)
    except ValueError:
        return str(statement)


Found = list[tuple[dict[Any, str], tuple[Statement, ...]]]


def _differing(found: Found) -> list[str]:
    """The questions of which the answers differ, in order."""
    spots = dict.fromkeys(spot for tried, _ in found for spot in tried)
    return [str(spot[0]) for spot in spots if len({tried.get(spot) for tried, _ in found}) > 1]


def _question(found: Found, first: str) -> str:
    """The first question of which the answers differ."""
    return next(iter(_differing(found)), first)


def read(
    latex: str, notation: Notation | None = None, to: str | Sequence[str] | None = None, same: Same | None = None
) -> Statement:
    r"""The one statement of a formula: see :func:`read_all`.

    Raises:
        TwoReadings, Unreadable: as there, and of several statements.

    >>> print(read(r"H_n = \ln n + \gamma + O(1/n)", to=r"n \to \infty"))
    harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo
    """
    found = read_all(latex, notation, to, same)
    if len(found) > 1:
        shown = "; ".join(map(str, found))
        raise Unreadable(f"{len(found)} statements, ask for one of them: {shown}", latex, 0)
    return found[0]
