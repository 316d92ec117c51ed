r"""Exponentials of what is not known up to what vanishes: exp(exp(x + 1/x)), whose exponent has infinitely many terms that grow.

Let E = c_1 g_1 + ... + c_k g_k + r with r = o(g_k), g_k -> infinity.  Then s = |E - c_1 g_1 - ... - c_(k-1) g_(k-1)| is a
quantity that lies between two positive multiples of g_k from some point on, and

    exp(E) = exp(c_1 g_1) ... exp(c_(k-1) g_(k-1)) exp(sign(c_k) s)

is a growth.  An exponential whose exponent differs from E by D is exp(E) exp(D), and D may be known up to what vanishes where
E is not: so one quantity stands for a class of exponents (Gruntz, On Computing Limits in a Symbolic Manipulation System, 1996,
chapter 3, where the elements of a set of most rapidly varying functions are written by one of them).

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"x": 0}, {})
>>> found = e.series(terms.read("exp(exp(x + 1/x) + 1/x)/exp(exp(x + 1/x))"))
>>> [str(c.constant()) for c, _ in found.terms], [g.limit(e.algebra.domain) for g in found.rest]
(['1', '1'], ['zero'])
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from asymp.kernel import terms
from asymp.kernel.growths.growth import Growth, power_of
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused, Term

FIRST = 1_000
"""The number of the first such quantity: beyond those of a regime."""
MOST = 6


@dataclass(frozen=True)
class Representative:
    """An exponent and its exponential."""

    exponent: Term
    value: Series
    last: Growth
    """Of the size of what its quantity stands for."""


def exponential(e: Any, x: Term, bounded: bool = True) -> Series:
    """The series of exp x; ``e`` is the expander, and what is small may be ``bounded`` by what is less so.

    Raises:
        Refused: x has none, or none of these forms.
    """
    a, f = e.algebra, e.series(x)
    with suppress(Refused):
        return a.exp(f, exact=True)
    for one in e.representatives:
        with suppress(Refused):
            rest = terms.add(x, terms.negative(one.exponent))
            if a.domain.quotient(a.leading(e.series(rest))[1], one.last) == "zero":  # which has a form of its own
                return a.times(one.value, exponential(e, rest, bounded=False))
            return a.times(one.value, a.exp(e.series(rest), exact=True))
    bound: Series | None = None
    with suppress(Refused):
        bound = a.exp(f)
        if (bounded and a.vanishes(bound)) or a.is_bounded_beside(f):  # no more may be known than its size
            return bound
    try:
        found, last = e.represented(f)
    except Refused:
        if bound is None:
            raise
        return bound
    e.representatives.append(Representative(x, found, last))
    return found


def together(e: Any, parts: Sequence[Term]) -> Term | None:
    """A product with one exponential for several of which one is not known exactly; None where there is nothing to do."""
    exponents, others = list[Term](), list[Term]()
    for part in parts:
        base, k = part.parts if part.head == "power" else (part, terms.ONE)
        if base.head == "exp" and e.constant(k) and not e.constant(base):
            exponents.append(terms.multiply(k, base.parts[0]))
        else:
            others.append(part)
    if len(exponents) < 2 or all(_is_exact(e, x) for x in exponents):
        return None
    return terms.multiply(*others, terms.call("exp", terms.add(*exponents)))


def _is_exact(e: Any, x: Term) -> bool:
    try:
        e.algebra.exp(e.series(x), exact=True)
    except Refused:
        return False
    return True


def represented(a: Algebra, f: Series, count: int) -> tuple[Series, Growth]:
    """exp f by a quantity of its own, which stands for the least term of f that grows and outweighs all that is not before it;
    and how large that is.

    Raises:
        Refused: there is none.
    """
    if count == MOST:
        raise Refused("too many exponentials that are not known up to what vanishes")
    found: list[tuple[list[tuple[Ratio, Growth]], int, Growth]] = []
    for c, g in f.terms:
        if g.limit(a.domain) == "infinity" and (way := a.domain.sign(c)):
            before = [x for x in f.terms if a.domain.quotient(g, x[1]) == "zero"]
            after = [h for h in (*(h for _, h in f.terms), *f.rest) if a.domain.quotient(h, g) == "zero"]
            if len(before) + 1 + len(after) == len(f.terms) + len(f.rest):
                found.append((before, way, g))
    if not found:
        raise Refused("an exponential of what neither vanishes nor grows")
    before, way, g = max(found, key=lambda one: len(one[0]))
    number = FIRST + len(a.domain.between)
    a.domain.between[number] = (g, g)
    return Series(((rational(1), a.grown([*before, (rational(way), power_of(number, 0))])),)), g
