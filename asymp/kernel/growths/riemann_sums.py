r"""Sums of A phi(k h) over l <= k <= M, h -> 0, that are Riemann's sums of a smooth phi: by Euler and Maclaurin.

**Theorem** (DLMF 2.10.1).  Let phi have continuous derivatives up to the (2K + 1)-th on [0, C], M h = C; or on [0, oo), where phi
and that derivative are integrable and the others tend to 0.  Then, with phi = 0 and so on at oo, as h -> 0

.. math:: \sum_{k=0}^{M} \varphi(k h) = \frac1h \int_0^C \varphi + \frac{\varphi(0) + \varphi(C)}2
   + \sum_{j=1}^{K} \frac{B_{2j}}{(2j)!}\, h^{2j-1} \big(\varphi^{(2j-1)}(C) - \varphi^{(2j-1)}(0)\big) + O(h^{2K}).

Where C tends to infinity what is left of the sum over all k is O(g(C) (1 + C/h)), for a growth g of phi with t^2 g(t) -> 0: as
t^2 g falls from some point on, the integral of g from C on is at most C g(C).

1/h is looked for among powers of the quantities: with k = t/h the summand has to be 1, or its value at t = 0 or t = 1, times a
phi that does not move.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_riemann(e, terms.read("Sum(1/(n^2 + k^2), (k, 1, n))"))
>>> [str(to_term(c)) for c, _ in found.terms]
['1/4*pi', '-1/4', '-1/24']
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import power_of
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra as Algebra
from asymp.kernel.growths.series import Expands, Series
from asymp.kernel.growths.summands import INDEX, OO, I
from asymp.kernel.growths.telescoped_sums import written
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power, substitute
from asymp.kernel.trust import rests_on

T = terms.name("@t")
POWERS = (mpq(1), mpq(1, 2), mpq(2), mpq(1, 3), mpq(3))
MOST_BEFORE, MOST_DEGREE = 12, 4
HALF = number(mpq(1, 2))
BEYOND = mpq(1, 8)
"""phi = O(t^(-1-BEYOND)) is integrable."""


def series_of_riemann(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: it is another sum, or the conditions are not seen.
    """
    in_range(term, e.algebra, e.series, e.whole)
    body, low, high = term.parts
    f, a = terms.opened(body, I), e.algebra
    if INDEX in term.free or T.name in term.free or not low.is_number or not 0 <= low.number <= MOST_BEFORE:
        raise Refused("a sum that begins elsewhere")
    for unit in _units(e, f):
        for factor in (ONE, *(substitute(f, {INDEX: k}) for k in (ZERO, unit))):
            with suppress(Refused):
                phi, end = _over(e, substitute(f, {INDEX: multiply(unit, T)}), factor, unit, high)
                return _without_first(e, a.times(e.series(factor), _to_end(e, phi, unit, end)), f, low)
    raise Refused("a summand that is no function of the index over a unit")


def _over(e: Expands, spread: Term, factor: Term, unit: Term, high: Term) -> tuple[Term, Term]:
    """phi and C.

    Raises:
        Refused: what is left moves.
    """
    scales = e.algebra.domain.with_range(next(iter(unit.free)), ONE, OO, whole=False).with_range(
        T.name, ZERO, OO, whole=False
    )
    phi = to_term(reduced(scales.value(multiply(spread, power(factor, number(-1))))))
    end = OO if high == OO else to_term(reduced(scales.value(multiply(high, power(unit, number(-1))))))
    if T.name not in phi.free or not e.constant(phi):
        raise Refused("a summand that is no function of the index over a unit")
    return phi, end


def _without_first(e: Expands, whole: Series, f: Term, low: Term) -> Series:
    """Without the terms before the first index."""
    for k in range(int(low.number)):
        whole = e.algebra.add(whole, e.algebra.scaled(e.series(substitute(f, {INDEX: number(k)})), rational(-1)))
    return whole


def _units(e: Expands, f: Term) -> Iterator[Term]:
    for name in sorted(f.free - {INDEX}):
        if not e.constant(terms.name(name)) and e.is_positive(terms.name(name)):
            yield from (power(terms.name(name), number(p)) for p in POWERS)


def _to_end(e: Expands, phi: Term, unit: Term, end: Term) -> Series:
    """The sum of phi(k h) from k = 0 on, to C/h."""
    if end == OO or e.constant(end):
        return _from_zero(e, phi, unit, end)
    a, inner, found = e.algebra, e.alone(T.name, 1 - e.algebra.order), _from_zero(e, phi, unit, OO)
    if not a.grows(e.series(end)):
        raise Refused("an end that is not seen to tend to infinity")
    left = list(found.rest)
    for g in loose(inner.series(phi)):
        if g.times(power_of(0, 0, rational(2))).limit(a.domain) != "zero":
            raise Refused("a summand that is not seen to fall fast enough")
        left += loose(e.series(multiply(written(g, end), add(ONE, multiply(end, unit)))))
    return a.made(list(found.terms), left)


def _from_zero(e: Expands, phi: Term, unit: Term, end: Term) -> Series:
    """The sum of phi(k h) from k = 0 on, 1/h = ``unit``."""
    a, inside = e.algebra, e.algebra.domain.with_range(T.name, ZERO, end, whole=False)
    slopes = [to_term(inside.value(phi))]
    with suppress(Refused):
        while len(slopes) < 2 * (a.order // 2) + 4:
            slopes.append(to_term(reduced(inside.value(derivative(slopes[-1], T.name)))))
    if (most := len(slopes) // 2 - 1) < 1:
        raise Refused("a summand without derivatives")
    if end == OO:
        _require_decay(e, slopes[: 2 * most + 2])
    rests_on("DLMF 2.10.1")

    def at(slope: Term, sign: int) -> Series:
        """The value at the end and ``sign`` times that at 0."""
        values = [(mpq(sign), ZERO)] + ([(mpq(1), end)] if end != OO else [])
        return a.total(a.constant(a.domain.value(substitute(slope, {T.name: x})) * rational(c)) for c, x in values)

    parts = [e.series(multiply(unit, _area(e, phi, end))), a.scaled(at(phi, 1), rational(mpq(1, 2)))]
    for j in range(1, most + 1):
        step = e.series(power(unit, number(1 - 2 * j)))
        parts.append(a.scaled(a.times(step, at(slopes[2 * j - 1], -1)), rational(bernoulli(2 * j) / factorial(2 * j))))
    found = a.total(parts)
    return a.made(list(found.terms), [*found.rest, *loose(e.series(power(unit, number(-2 * most))))])


def _area(e: Expands, phi: Term, end: Term) -> Term:
    """The integral of phi from 0 to ``end``: by a primitive, where one is seen whose derivative is phi, else as it is written."""
    domain = e.algebra.domain
    inside = domain.with_range(T.name, ZERO, end, whole=False)
    with suppress(Refused):
        primitive = _primitive(inside, phi)
        if reduced(inside.value(derivative(primitive, T.name)) - inside.value(phi)).is_zero:
            last = e.alone(T.name).limit(primitive) if end == OO else substitute(primitive, {T.name: end})
            return to_term(domain.value(add(last, negative(substitute(primitive, {T.name: ZERO})))))
    return Term("Integral", (bound(phi, T.name), ZERO, end))


def _primitive(inside: Context, phi: Term) -> Term:
    """Of (p + q t)/(a + b t^2), a, b > 0: a proposal.

    Raises:
        Refused: it is another function.
    """
    x = inside.value(phi)
    over, under = (_coefficients(to_term(Ratio(part))) for part in (x.num, x.den))
    if len(over) > 2 or len(under) != 3 or under[1] != ZERO:
        raise Refused("an integrand of another form")
    (a, _, b), (p, q) = under, (*over, ZERO)[:2]
    arc = call("atan", multiply(T, power(multiply(b, power(a, number(-1))), HALF)))
    log = call("log", add(a, multiply(b, power(T, number(2)))))
    return add(multiply(p, power(multiply(a, b), negative(HALF)), arc), multiply(HALF, q, power(b, number(-1)), log))


def _coefficients(term: Term) -> list[Term]:
    """Those of a polynomial in t, as Taylor's series has them."""
    found, k = [], 1
    while term != ZERO:
        if k > MOST_DEGREE:
            raise Refused("no polynomial of low degree")
        found.append(substitute(term, {T.name: ZERO}))
        term = multiply(number(mpq(1, k)), derivative(term, T.name))
        term, k = to_term(reduced(Context().value(term))), k + 1
    return found


def _require_decay(e: Expands, slopes: list[Term]) -> None:
    """That phi and its last derivative are integrable, and the others tend to 0.

    Raises:
        Refused: that is not seen.
    """
    inner = e.alone(T.name, 1 - e.algebra.order)  # its leading term is enough
    a, beyond = inner.algebra, power_of(0, 0, rational(1 + BEYOND))
    for slope in slopes:
        if not all(g.times(beyond).limit(a.domain) == "zero" for g in loose(inner.series(slope))):
            raise Refused("a summand that is not seen to fall fast enough")
