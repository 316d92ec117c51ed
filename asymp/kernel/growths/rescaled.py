r"""Integrals over t > 0 in another unit: with t = L u, L > 0, a + b t is a (1 + u) for L = a/b, where that moves; and that of
t^s exp(sum c_i t^(q_i)), where each c_i L^(q_i) is a number b_i, is L^(s+1) times that of u^s exp(sum b_i u^(q_i)).

>>> str(rescaled(terms.read("Integral(exp(-t)*(1 + t/n)^n, (t, 0, oo))"), lambda x: True, lambda x: not x.free & {"n"}))
'Integral(exp(-b0*(n^(-1))^(-1))*(n^(-1))^(-1)*(b0 + 1)^n, (b0, 0, oo))'
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.kernel import terms
from asymp.kernel.growths.growth import ONE as STILL
from asymp.kernel.growths.growth import Growth
from asymp.kernel.growths.integrand import T
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.rings import named_integrals
from asymp.kernel.rings.moments import integral
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.rings.recurring import INDEX, K, straight
from asymp.kernel.summation.generalised import bound, replaced
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, reciprocal

PART = terms.name("@part")
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
                put = {PART.name: multiply(rest, add(ONE, K)), INDEX: multiply(unit, K)}
                inside = multiply(unit, terms.substitute(replaced(opened, part, PART), put))
                return Term("Integral", (bound(inside, INDEX), low, high))
    raise Refused("no base whose coefficients move")


def in_one_unit(e: Expands, term: Term) -> Series:
    """The series of an integral of a power times an exponential of powers, all of one scale.

    Raises:
        Refused: it is another integral, or not seen to converge.

    >>> from asymp.kernel.growths.expander import Expander
    >>> from asymp.kernel.growths.growth import Domain
    >>> from asymp.kernel.growths.series import Algebra
    >>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {})
    >>> found = in_one_unit(e, terms.read("Integral(exp(-n*t^3 - n^(1/3)*t), (t, 0, oo))"))
    >>> [(str(to_term(c)), str(to_term(g.powers[0][1]))) for c, g in found.terms], found.rest
    ([('Integral(exp(-b0 - b0^3)*b0^0, (b0, 0, oo))', '-1/3')], ())
    """
    body, low, high = term.parts
    if low != ZERO or high != terms.name("oo") or named_integrals.T.name in term.free:
        raise Refused("an integral of another form")
    f = named_integrals.Integrand()
    f.read(terms.opened(body, named_integrals.T))
    if f.logs or f.waves or f.cosh != ZERO or not all(map(e.constant, (f.power, *f.exponent))):
        raise Refused("an integrand of another form")
    a, domain = e.algebra, e.algebra.domain
    s, rows = domain.value(f.power), list[tuple[Ratio, Ratio, Growth]]()
    for q, c in f.exponent.items():
        g = e.series(c)
        if g.rest or len(g.terms) > 1:
            raise Refused("an exponent of several scales")
        rows += [(domain.value(q), *one) for one in g.terms]
    exponent, _, scale = next((row for row in rows if not row[2].same(STILL)), (rational(1), rational(1), STILL))
    unit = scale.raised(-exponent.inverse())
    if not all(h.times(unit.raised(p)).same(STILL) for p, _, h in rows):
        raise Refused("an exponent of several scales")
    value = domain.value(integral(f.power, [(to_term(c), to_term(p)) for p, c, _ in rows]))
    found = a.scaled(a.constant(value), rational(1), unit.raised(s + rational(1)))
    return a.times(e.series(multiply(*f.factor)), found)
