"""Expansions with explicit remainders: f = terms + theta C g, |theta| <= 1, certified for all n >= N.

>>> n = sp.Symbol("n", positive=True)
>>> terms, rest = explicit(sp.harmonic(n), n, order=3, start=10)
>>> terms, rest.kind, rest.growth, decimal_text(rest.constant), rest.valid_from
([log(n), EulerGamma, 1/(2*n)], 'B', n**(-2), '0.08342', 10)
"""

from __future__ import annotations

import sympy as sp

from asymp.enclosure import InputError, Undecided
from asymp.enclosure.explicit import decimal, number, rounded_up
from asymp.expand import explicit_functions  # noqa: F401 - it registers its methods
from asymp.expand.calculus import Calculus, Explicit
from asymp.expand.supremum import Later
from asymp.expansion import Refused, Remainder

DIGITS = 4
"""Significant digits of a printed constant, rounded up."""
SHARP, FAIR = 1.25, 2
"""A start is taken if the constant is at most SHARP times the next coefficient (its limit for large N), or FAIR
times where that is not reached at NEAR."""
NEAR = 100
STARTS = (*(sp.Integer(k) for k in (1, 2, 3, 5, 10, 20, 50, 100, 1000, 10**4, 10**6)),
          *(sp.Integer(10) ** k for k in (9, 20, 50, 100, 300, 1000)))  # fmt: skip
Answer = tuple[list[sp.Expr], Remainder]


def explicit(
    expr: sp.Expr, n: sp.Symbol, order: int = 3, start: sp.Rational | int | None = None
) -> Answer:
    """The first ``order`` terms of f, n -> oo, and a remainder C g certified for all n >= start.

    Without a start, the first of a ladder is taken from which C is within 25% of its limit for large n.  Where f
    is exactly its terms the remainder is 0.

    Args:
        expr: f; it holds no other symbol.  Sums with upper end n are meant at whole n.
        n: the variable.
        order: how many terms.
        start: N, a rational number >= 1.

    Raises:
        Refused: no explicit bound is known (:class:`Later`: not from this start on).
    """
    failure: Refused | None = None
    fair: Answer | None = None
    best: Answer | None = None
    for first in STARTS if start is None else (sp.sympify(start),):
        if fair is not None and first > NEAR:
            return fair
        for extra in (1, 2, 4, 7):
            try:
                found, ratio = _at(expr, n, order, first, extra)
            except Later as later:
                failure = later
                break
            except (Undecided, InputError, ZeroDivisionError) as error:
                raise Refused(str(error)) from error
            if found is None:
                continue
            best = found
            if ratio <= SHARP:
                return found
            if ratio <= FAIR and fair is None:
                fair = found
            if ratio < float("inf"):  # the next coefficient is known: more terms change little
                break
    if fair or best:
        return fair or best  # type: ignore[return-value]
    raise failure or Refused("fewer terms are known than were asked for")


def _at(
    expr: sp.Expr, n: sp.Symbol, order: int, start: sp.Rational, extra: int
) -> tuple[Answer | None, float]:
    """The answer at one start with so many terms a series, and the ratio of its constant to the limit."""
    c = Calculus(n, start, order + extra)
    e = c(expr)
    growths = [g for g in c.ordered(e) if e.error is None or c.compare(g, e.error[0]) > 0]
    kept = growths[:order]
    terms = [e.terms[g] * g.expr for g in kept]
    rest = Explicit({g: t for g, t in e.terms.items() if g not in kept}, e.error)
    if not rest.terms and rest.error is None:
        return (terms, Remainder("B", sp.S.Zero, sp.S.Zero, start)), 1.0
    growth, constant = c.magnitude(rest)
    c.half_line.require_positive(growth)
    known = growth in growths  # its coefficient is the limit of the constant
    if len(kept) < order and not known:
        return None, float("inf")
    ratio = float(constant.upper() / abs(number(rest.terms[growth])).lower()) if known else float("inf")
    value = sp.Rational(rounded_up(constant, DIGITS))
    return (terms, Remainder("B", growth.expr, value, start)), ratio


def decimal_text(constant: sp.Rational) -> str:
    """A constant from :func:`explicit` as its decimal."""
    place = 0
    while not (constant * 10**place).is_Integer:
        place += 1
    return decimal(int(constant * 10**place), -place)
