"""Expansions of what is typed in: each is a theorem, or refused.

>>> answer = expand_expression("harmonic(n)", to="n->oo", order=2)
>>> answer["terms"], answer["remainder"]["growth"], answer["strength"]
(['log(n)', 'EulerGamma'], '1/n', 'proved')

Where the answer hangs on a parameter it splits into cases:

>>> answer = expand_expression("n^(3-2*a)*log(n) + n^(1-a)", to="n->oo", assume="a>1", order=1)
>>> [(case["when"], *case["terms"]) for case in answer["cases"]]
[('a<2', 'n**(3 - 2*a)*log(n)'), ('a=2', 'log(n)/n'), ('a>2', 'n**(1 - a)')]
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from asymp.check.meant import meant
from asymp.claim import Strength
from asymp.kernel.growths.limit_points import sideless
from asymp.kernel.terms import Refused
from asymp.language.conditions import Tends
from asymp.language.everyday import text_in_terms
from asymp.language.hints import Unsaid
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser, words
from asymp.meaning import Meaningless
from asymp.parse import ParseError, claim
from asymp.prove.by_hand import by_hand
from asymp.prove.expanding import Expanded, Hangs, expanded
from asymp.prove.parting import Found, by_cases
from asymp.stopwatch import Stopwatch


def expand_expression(expression: str, to: str, assume: Iterable[str] | str = (), order: int = 3) -> dict[str, Any]:
    """The terms, the remainder, the strength and the seconds; or refused.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    watch = Stopwatch()
    assumed = [assume] if isinstance(assume, str) else list(assume)
    text = words(Parser(text_in_terms(expression)).whole())
    try:
        asked = claim("ask/expand", f"{text} = O(1)", to=to, source="typed in, typed in", assume=assumed)
    except Unsaid as error:
        raise Unsaid(error.name, 'assume "{} > 0" or the like') from error
    statement = read_statement(asked.closed)
    if both := sideless(statement):
        (c,) = (c for c in statement.regime if isinstance(c, Tends) and c.term.text == both[0])
        raise ParseError(f"say from which side: {c}+ or {c}-", to)
    try:
        meant(asked)
        found = by_cases(partial(expanded, count=order), statement)
    except Meaningless as error:
        return {"refused": f"no meaning: {error}"}
    except Refused as refused:
        return {"refused": _reason(refused)}
    shown = [_plain(one) for one in found]
    theorems = [one.answer.theorem for one in found if one.answer is not None]
    strength = Strength.PROVED if len(theorems) == len(found) else Strength.SUPPORTED
    result = shown[0] if len(shown) == 1 and "when" not in shown[0] else {"cases": shown}
    trusts = sorted(frozenset().union(*(theorem.trusts for theorem in theorems)))
    return {**result, "strength": str(strength), "trusts": trusts, "seconds": watch.seconds()}


def _plain(one: Found[Expanded]) -> dict[str, Any]:
    """A case as plain data."""
    shown: dict[str, Any] = {"when": one.case.when} if one.case.when else {}
    if one.answer is None:
        return {**shown, "refused": _reason(one.refused or Refused(""))}
    shown["terms"] = list(map(_sympy, one.answer.terms))
    growth = _sympy(one.answer.growth)
    shown["remainder"] = {"kind": one.answer.kind, "growth": growth, "constant": None, "valid_from": None}
    return {**shown, **({"fewer": one.answer.fewer} if one.answer.fewer else {})}


def _sympy(text: str) -> str:
    return text.replace("^", "**")


def _reason(refused: Refused) -> str:
    """Why, in one line; what an ordering of the variables would decide is named in it."""
    if isinstance(refused, Hangs) and refused.along:
        return (
            f"whether {by_hand(refused.of)} tends to oo, to 0 or to a constant is not given, and the answer hangs on it"
        )
    return " ".join(str(refused).split())
