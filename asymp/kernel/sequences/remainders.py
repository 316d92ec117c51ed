"""The rules that take a variable apart: a whole one by its remainder, a real one by its whole and its fractional part.

>>> from asymp.kernel.theorem import apply
>>> import asymp.kernel.sequences.induction
>>> where = "for whole n"
>>> odd_even = [f"floor((2*m + {r})/2) + ceiling((2*m + {r})/2) = 2*m + {r} for whole m" for r in (0, 1)]
>>> parts = [apply("sums", statement=one, by=[[]]) for one in odd_even]
>>> apply("residues", parts, statement="floor(n/2) + ceiling(n/2) = n for whole n", variable="n", of="m")
⊢ floor(n/2) + ceiling(n/2) = n for whole n
>>> said = "floor(m + t) + floor(m + t + 1/2) = floor(2*(m + t)) for whole m"
>>> parts = [apply("sums", statement=f"{said}, {where}", by=[[]]) for where in ("0 <= t < 1/2", "1/2 <= t < 1")]
>>> names = {"variable": "x", "of": "m", "rest": "t", "cuts": ["1/2"]}
>>> apply("fraction", parts, statement="floor(x) + floor(x + 1/2) = floor(2*x) for real x", **names)
⊢ floor(x) + floor(x + 1/2) = floor(2*x) for real x
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data, text
from asymp.kernel.domain import given
from asymp.kernel.growths.regime import names_in, require_fresh
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, add, multiply, name, number
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.names import substitute
from asymp.language.statement import Statement

MOST = 24


@rule("residues")
def _residues(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison for whole n from the same for q m, q m + 1, ..., q m + q - 1, whole m: each n is one of these.

    ``variable`` is n, ``of`` the name of m; q is the number of premises.
    """
    statement, n, m = comparison_in(data), text(data["variable"]), text(data["of"])
    if not 2 <= len(premises) <= MOST or n not in given(statement.domain).whole:
        raise Refused("a whole variable, and a premise for each remainder")
    for r, premise in enumerate(premises):
        _same(premise, remainder_of(statement, n, m, len(premises), r))
    return Conclusion(statement)


@rule("fraction")
def _fraction(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A comparison for real x from the same for m + t, whole m and 0 <= t < 1, in pieces of these t.

    ``variable`` is x, ``of`` and ``rest`` the names of m and t, ``cuts`` where the pieces end, besides 1.
    """
    statement, x = comparison_in(data), text(data["variable"])
    cuts = [mpq(one) if _is_fraction(one) else mpq(0) for one in data.texts("cuts")]
    pieces = list(pairwise([mpq(0), *cuts, mpq(1)]))
    if any(low >= high for low, high in pieces) or len(premises) != len(pieces) or len(pieces) > MOST:
        raise Refused("a premise for each piece of what is below 1")
    if x not in names_in(statement) or x in given(statement.domain).whole:
        raise Refused("a real variable")
    for premise, (low, high) in zip(premises, pieces, strict=True):
        _same(premise, piece_of(statement, x, text(data["of"]), text(data["rest"]), low, high))
    return Conclusion(statement)


def remainder_of(statement: Statement, n: str, m: str, q: int, r: int) -> Statement:
    """The statement for q m + r, with a bound of m by a number for one of q m + r."""
    require_fresh([statement], [m])
    value = add(multiply(number(q), name(m)), number(r))
    found = _put(statement, n, value, [OfKind(m, "whole")])

    def simple(c: Condition) -> Condition:
        if isinstance(c, Compared) and c.signs in (("<=",), (">=",)):
            low, high = map(terms.of, c.parts if c.signs == ("<=",) else c.parts[::-1])
            if low.is_number and high == value:  # q m + r >= c
                return Compared((node_of(name(m)), node_of(number(-((r - low.number) // q)))), (">=",))
        return c

    return replace(found, domain=tuple(map(simple, found.domain)))


def piece_of(statement: Statement, x: str, m: str, t: str, low: mpq, high: mpq) -> Statement:
    """The statement for m + t, low <= t < high."""
    require_fresh([statement], [m, t])
    between = Compared(tuple(map(node_of, (number(low), name(t), number(high)))), ("<=", "<"))
    return _put(statement, x, add(name(m), name(t)), [OfKind(m, "whole"), between])


def _is_fraction(one: str) -> bool:
    top, _, bottom = one.partition("/")
    return top.isdecimal() and bottom.isdecimal() and int(bottom) > 0


def _put(statement: Statement, v: str, value: Term, more: Sequence[Condition]) -> Statement:
    plain = all(isinstance(c, (OfKind, Compared)) for c in statement.domain)
    if statement.some or statement.uniform or statement.regime or not plain:
        raise Refused("a domain with lists of values")
    put = {v: node_of(value)}
    kept = [c for c in statement.domain if not (isinstance(c, OfKind) and c.name == v)]
    domain = (*more, *(c.changed(lambda one: substitute(one, put)) for c in kept))
    return replace(statement, body=statement.body.changed(lambda one: substitute(one, put)), domain=domain)


def _same(premise: Theorem, wanted: Statement) -> None:
    if not premise.holds or terms.canonical(premise.statement) != terms.canonical(wanted):
        raise Refused("a premise is not its case")
