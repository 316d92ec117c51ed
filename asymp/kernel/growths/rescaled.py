"""Integrals over t > 0 in another unit: with t = L u, L > 0, a + b t is a (1 + u) for L = a/b, where that moves.

>>> str(rescaled(terms.read("Integral(exp(-t)*(1 + t/n)^n, (t, 0, oo))"), lambda x: True, lambda x: not x.free & {"n"}))
'Integral(exp(-b0*(n^(-1))^(-1))*(n^(-1))^(-1)*(b0 + 1)^n, (b0, 0, oo))'
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.kernel import terms
from asymp.kernel.growths.integrand import T
from asymp.kernel.rings.recurring import INDEX, K, straight
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, reciprocal

Seen = Callable[[Term], bool]


def rescaled(term: Term, positive: Seen, constant: Seen) -> Term:
    """An integral from 0 to infinity so written.

    Args:
        term: the integral.
        positive: whether what is free of t is seen to be above 0.
        constant: whether it does not move.

    Raises:
        Refused: no a + b t with an a/b that moves is seen in it.
    """
    body, low, high = term.parts
    if low != ZERO or high != terms.name("oo") or INDEX in term.free or T.name in term.free:
        raise Refused("an integral of another form")
    opened = terms.opened(body, K)
    for part in terms.walk(opened):
        if part.head == "sum" and INDEX in part.free and not terms.has_bound(part):
            try:
                slope, rest = straight(part)
            except Refused:
                continue
            unit = multiply(rest, reciprocal(slope))
            if not constant(unit) and positive(unit):
                inside = multiply(unit, _changed(opened, part, multiply(rest, add(ONE, K)), multiply(unit, K)))
                return Term("Integral", (bound(inside, INDEX), low, high))
    raise Refused("no base whose coefficients move")


def _changed(term: Term, base: Term, new: Term, t: Term) -> Term:
    """With ``new`` for a part, and a multiple of t for t elsewhere."""
    if term == base:
        return new
    if term == K or INDEX not in term.free:
        return t if term == K else term
    return terms.rebuilt(term, tuple(_changed(part, base, new, t) for part in term.parts))
