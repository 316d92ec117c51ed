r"""Incomplete gamma functions of which the first argument moves, and sums of z^k/Gamma(g + k), which are differences of them.

**Away from x = a.**  Let D = x - a tend to infinity or to -infinity, x > 0, and let xi = x/D be bounded.  With u = x e^t and
u = x e^(-t) in the integrals of u^(a-1) e^(-u) (DLMF 8.2.1, 8.2.2),

    Gamma(a, x) = x^a e^(-x) int_0^oo e^(-D h(t)) dt,    h = t + xi (e^t - 1 - t),      D > 0,
    gamma(a, x) = x^a e^(-x) int_0^oo e^(D h(t)) dt,     h = t - xi (e^(-t) - 1 + t),   D < 0, so that a > x > 0.

In both h' >= 1.  Take v = h(t) for the variable, and w = dt/dv = 1/h', 0 < w <= 1: it is 1 at v = 0, and

    dw/dv = w^2 ((1 - xi) w - 1)  for D > 0,    dw/dv = -w^2 ((1 - xi) w - 1)  for D < 0.

So all derivatives of w by v are polynomials in w and xi, and bounded; by parts, K times, the integral is sum_(k<K) c_k/D^(k+1) up
to O(D^(-K-1)), times -1 for D < 0, where c_0 = 1 and c_k, a polynomial in xi, is the k-th derivative of w for D > 0 at w = 1.
(These are DLMF 8.11.6, 8.11.7 and 8.20.6, all at once.)  The other of the two functions is Gamma(a) less this one, for a > 0.

**Next to it.**  Let a -> oo and delta = x/a - 1 -> 0; eta^2/2 = delta - log(1 + delta), where eta has the sign of delta.  Then

    Gamma(a, x)/Gamma(a) = erfc(eta (a/2)^(1/2))/2 + R,
    R = e^(-a eta^2/2)/(2 pi a)^(1/2) (sum_(k<K) c_k(eta)/a^k + O(a^(-K))),

uniformly in eta (Temme 1979; DLMF 8.12.3, 8.12.7), and c_k is analytic at 0; gamma(a, x)/Gamma(a) is 1 less that.

**Sums.**  By Gamma(a + 1, z) = a Gamma(a, z) + z^a e^(-z) (DLMF 8.8.2), with Q(a, z) = Gamma(a, z)/Gamma(a) and Q(0, z) = 0,

    sum_(p<=k<=q) z^k/Gamma(g + k) = z^(1-g) e^z (Q(g + q, z) - Q(g + p - 1, z)),    z > 0, g + p >= 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb, factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra, Expands, Series
from asymp.kernel.growths.summands import OO, I
from asymp.kernel.noted import noted
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.field import exponential, logarithm
from asymp.kernel.rings.gamma import derivative_of_gamma
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.rings.recurring import unit
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_STEPS = 4
"""Whole numbers between a and z in Gamma(a, x)/Gamma(z)."""


def moving(e: Expands, term: Term, share: bool = False, coarse: bool = False) -> Series:
    """Gamma(a, x), gamma(a, x) or E_p(x) = x^(p-1) Gamma(1 - p, x), where the first argument moves.

    Args:
        e: what knows series of terms.
        term: the function.
        share: whether it is divided by Gamma(a), so that the 1 in 1 - gamma(a, x)/Gamma(a) is exact.
        coarse: whether one term is enough of what stands beside that 1, away from x = a.

    Raises:
        Refused: x is not seen to be positive, or the regime is another.
    """
    a, (first, x), lower = e.algebra, term.parts, term.head == "lowergamma"
    exponential = term.head == "expint"
    first = add(terms.ONE, negative(first)) if exponential else first
    f, at = e.series(first), e.series(x)
    if a.below(at)[0] != 1:
        raise Refused(f"{term.head} of what may not be positive")
    if e.constant(x) and (c := _limit(a, f)) is not None and not (share or exponential):
        found = _taylor(a, c, a.add(f, a.constant(-c)), a.domain.value(x))
        return a.minus(e.series(call("gamma", first)), found) if lower else found
    if not (share or exponential) and (c := _limit(a, f)) is not None and (near := _limit(a, at)) is not None:
        if a.domain.sign(near) == 1:
            found = _near_both(a, a.add(f, a.constant(-c)), c, a.add(at, a.constant(-near)), near)
            return a.minus(e.series(call("gamma", first)), found) if lower else found
    gap = a.minus(at, f)
    try:
        around = _away(replace(a, order=1), _first(a, at), _first(a, gap)) if coarse else _away(a, at, gap)
    except Refused:
        if exponential:
            raise
        found = _next_to(e, f, gap, lower)
        return found if share else a.times(found, e.series(call("gamma", first)))
    rests_on("DLMF 8.2.2")
    below = a.below(gap)[0] == -1
    if exponential:
        if below:
            raise Refused("an exponential integral of an order far below 0")
        rests_on("DLMF 8.19.1")
        return a.times(a.exp(a.scaled(at, rational(-1))), around)
    exponent = a.minus(a.times(f, e.log(x)), at)
    if share:
        exponent = a.minus(exponent, e.series(call("loggamma", first)))
    found = a.times(a.exp(exponent), around)  # the upper one, or less than 0 the lower one
    found = a.scaled(found, rational(-1)) if lower else found
    if below == lower:
        return found
    if a.below(f)[0] != 1:
        raise Refused("a gamma function of what may not be positive")
    return a.add(a.constant(rational(1)) if share else e.series(call("gamma", first)), found)


def shared(e: Expands, parts: Sequence[Term]) -> Series | None:
    """A product in which one factor is an incomplete gamma function of a moving a and another 1/Gamma(a + m), m a small whole
    number; None where there are none."""
    a = e.algebra
    for top in parts:
        if top.head not in ("uppergamma", "lowergamma") or e.constant(top.parts[0]):
            continue
        for bottom in parts:
            if bottom.head != "power" or bottom.parts[1] != number(-1) or bottom.parts[0].head not in ("gamma", "factorial"):
                continue
            first, z = top.parts[0], bottom.parts[0].parts[0]
            z = add(z, terms.ONE) if bottom.parts[0].head == "factorial" else z
            m = _whole(a, a.minus(e.series(z), e.series(first)))
            if m is None or abs(m) > MOST_STEPS:
                continue
            if m < 0 and a.below(e.series(z))[0] != 1:  # 1/Gamma(z), z <= 0, may have no value
                continue
            try:
                found = moving(e, top, share=True)
            except Refused:
                continue
            others = [part for part in parts if part is not top and part is not bottom]
            others += [power(add(first, number(j)), number(-1)) for j in range(m)]  # Gamma(a)/Gamma(a + m)
            others += [add(first, number(j)) for j in range(-1, m - 1, -1)]
            return a.times(found, e.series(multiply(*others)))
    return None


# --- the function --------------------------------------------------------------------------------------


def _limit(a: Algebra, f: Series) -> Ratio | None:
    """The constant to which f tends; None where it does not."""
    c = next((c for c, g in f.terms if g.same(ONE)), rational(0))
    return c if a.vanishes(a.add(f, a.constant(-c))) else None


def _whole(a: Algebra, f: Series) -> int | None:
    """The whole number that f is."""
    c = _limit(a, f)
    k = None if c is None or a.add(f, a.constant(-c)).terms or f.rest else c.constant()
    return int(k) if k is not None and k.denominator == 1 else None


def _taylor(a: Algebra, c: Ratio, small: Series, x: Ratio) -> Series:
    """Gamma(c + e, x), which is entire in e for each x > 0."""

    def coefficient(k: int) -> Ratio:
        value = a.domain.value(derivative_of_gamma(k, to_term(c), to_term(x)))
        return value * rational(mpq(1, factorial(k)))

    return a.composed(coefficient, small)


def _near_both(a: Algebra, e: Series, c: Ratio, d: Series, x: Ratio) -> Series:
    """Gamma(c + e, x + d), e and d -> 0, x > 0: Gamma(c + e, x) less the integral of h(t) = t^(c + e - 1) exp(-t) from x to
    x + d, by Taylor's series of h at x, whose derivatives are bounded near x for all small e."""
    found = _taylor(a, c, e, x)
    rests_on("DLMF 8.2.2")
    below = a.add(e, a.constant(c - rational(1)))
    front = a.times(a.exp(a.scaled(e, logarithm(x, a.domain))), a.constant(a.domain.raised(x, c - rational(1)) * exponential(-x)))
    power = d
    for k in range(a.order):
        slope, falling = Series(()), a.constant(rational(1))
        for j in range(k + 1):  # of t^s exp(-t), s = c + e - 1, by Leibniz
            weight = rational((-1) ** (k - j) * comb(k, j)) * x.power(-j)
            slope = a.add(slope, a.scaled(falling, weight))
            falling = a.times(falling, a.add(below, a.constant(rational(-j))))
        part = a.scaled(a.times(a.times(front, slope), power), rational(mpq(-1, factorial(k + 1))))
        found, power = a.add(found, part), a.times(power, d)
    return a.made(list(found.terms), [*found.rest, *loose(power)])


@lru_cache(maxsize=64)
def derivative(k: int) -> dict[tuple[int, int], int]:
    """The k-th derivative of w where w' = w^2 ((1 - xi) w - 1): exponents of w and xi -> coefficient.

    >>> derivative(1) == {(3, 0): 1, (3, 1): -1, (2, 0): -1}
    True
    """
    if k == 0:
        return {(1, 0): 1}
    found: dict[tuple[int, int], int] = {}
    for (i, j), c in derivative(k - 1).items():
        for key, d in (((i + 2, j), 1), ((i + 2, j + 1), -1), ((i + 1, j), -1)):
            found[key] = found.get(key, 0) + i * c * d
    return found


def polynomial(k: int) -> list[int]:
    """The coefficients of c_k, a polynomial in xi: that derivative at w = 1.

    >>> polynomial(1), polynomial(2)
    ([0, -1], [0, -1, 3])
    """
    found = [0] * (k + 1)
    for (_, j), c in derivative(k).items():
        found[j] += c
    return found


def _away(a: Algebra, x: Series, gap: Series) -> Series:
    """sum_k c_k(x/D)/D^(k+1).

    Raises:
        Refused: x/D is not seen to be bounded, or D to tend to infinity.
    """
    if not a.within(x, "O", gap):
        raise Refused("a ratio of the arguments that may tend to 1")
    inverse = _short(a.power(gap, rational(-1)))
    if not a.vanishes(inverse):
        raise Refused("arguments that are not seen to part")
    share, total, weight = _short(a.times(x, inverse)), Series(()), inverse
    for k in range(a.order):
        value = Series(())
        for c in reversed(polynomial(k)):
            value = _short(a.add(a.times(value, share), a.constant(rational(c))))
        total = _short(a.add(total, _short(a.times(weight, value))))
        weight = _short(a.times(weight, inverse))
    return a.made(list(total.terms), [*total.rest, *loose(weight)])


def _first(a: Algebra, f: Series) -> Series:
    """The same with its first term alone."""
    c, g = a.leading(f)
    return a.made([(c, g)], [*(h for _, h in f.terms if not h.same(g)), *f.rest])


def _short(f: Series) -> Series:
    """The same with coefficients in lowest terms."""
    return Series(tuple((reduced(c), g) for c, g in f.terms), f.rest)


# --- next to the transition ----------------------------------------------------------------------------


@lru_cache(maxsize=32)
def stirling(count: int) -> list[mpq]:
    """g_k in Gamma(a) ~ (2 pi/a)^(1/2) (a/e)^a sum_k g_k a^(-k), DLMF 5.11.3: the exponential of Stirling's series.

    >>> [str(g) for g in stirling(4)]
    ['1', '1/12', '1/288', '-139/51840']
    """
    logs = [bernoulli(k + 1) / (k * (k + 1)) if k % 2 else mpq(0) for k in range(1, count)]
    found = [mpq(1)]
    for k in range(1, count):
        found.append(sum((j * logs[j - 1] * found[k - j] for j in range(1, k + 1)), mpq(0)) / k)
    return found


@lru_cache(maxsize=32)
def transition(depth: int, count: int) -> list[list[mpq]]:
    """d_(k,n), where c_k(eta) = sum_(n<depth) d_(k,n) eta^n, for k < count (DLMF 8.12.9-12):

    d_(k,n) = (-1)^k g_k d_(0,n) + (n+2) d_(k-1,n+2), from c_0 = 1/mu - 1/eta, eta^2/2 = mu - log(1 + mu).  As eta (1 + mu) =
    mu mu', mu = sum alpha_n eta^n has (n+1) alpha_n = alpha_(n-1) - sum_(1<k<n) k alpha_k alpha_(n-k+1), and 1/mu = mu'/eta - 1.

    >>> [[str(d) for d in row] for row in transition(3, 2)]
    [['-1/3', '1/12', '-2/135'], ['-1/540', '-1/288', '1/378']]
    """
    most = depth + 2 * count
    alpha = [mpq(0), mpq(1)]
    for n in range(2, most + 3):
        inner = sum((k * alpha[k] * alpha[n - k + 1] for k in range(2, n)), mpq(0))
        alpha.append((alpha[n - 1] - inner) / (n + 1))
    rows = [[(n + 2) * alpha[n + 2] - (n == 0) for n in range(most + 1)]]
    for k, g in enumerate(stirling(count)[1:], 1):
        rows.append([(-1) ** k * g * rows[0][n] + (n + 2) * rows[-1][n + 2] for n in range(len(rows[-1]) - 2)])
    return [row[:depth] for row in rows]


def _next_to(e: Expands, f: Series, gap: Series, lower: bool) -> Series:
    """The share in Gamma(a) where x/a - 1 tends to 0."""
    a = e.algebra
    if not a.grows(f):
        raise Refused("a first argument that does not tend to infinity, near the second one")
    inverse = a.power(f, rational(-1))
    delta = a.times(gap, inverse)
    if not a.vanishes(delta):
        raise Refused("it is not seen whether the ratio of the arguments exceeds 1, or tends to 1")
    rests_on("DLMF 8.12.3")
    halves = [mpq(2 * (-1) ** k, k + 2) for k in range(a.order + 1)]  # of eta^2/delta^2
    roots = [mpq(1)]
    for k in range(1, a.order + 1):  # of eta/delta
        roots.append((halves[k] - sum((roots[j] * roots[k - j] for j in range(1, k)), mpq(0))) / 2)
    eta = a.times(delta, a.composed(lambda k: rational(roots[k]), delta))
    square = a.times(a.times(delta, delta), a.composed(lambda k: rational(halves[k]), delta))
    weight = a.exp(a.scaled(a.times(f, square), rational(mpq(-1, 2))))
    total, over = Series(()), a.constant(rational(1))
    for row in transition(a.order, a.order):
        total = a.add(total, a.times(over, a.composed(lambda n, row=row: rational(row[n]), eta, a.order)))  # type: ignore[misc]
        over = a.times(over, inverse)
    total = a.made(list(total.terms), [*total.rest, *loose(over)])
    root = a.power(a.scaled(f, a.domain.value(terms.read("2*pi"))), rational(mpq(-1, 2)))
    at, half = a.times(eta, a.power(a.scaled(f, rational(mpq(1, 2))), rational(mpq(1, 2)))), rational(mpq(1, 2))
    found = a.add(a.scaled(e.of("erfc", at), half), a.times(a.times(weight, root), total))
    return a.minus(a.constant(rational(1)), found) if lower else found


# --- sums ----------------------------------------------------------------------------------------------


def exponential_sum(e: Expands, term: Term) -> Series:
    """A sum of C z^k/Gamma(g + k) or C z^k/Gamma(g - k), where C, z and g are free of k.

    Raises:
        Refused: another sum, or z is not seen to be positive, or a gamma function of what is below 1.
    """
    a, (body, low, high) = e.algebra, term.parts
    in_range(term, a, e.series, e.whole)
    found = ExponentialSummand()
    found.read(terms.opened(body, I), 1)
    if found.gamma is None or not found.base:
        raise Refused("no sum of powers over gamma functions")
    g, z, way = found.gamma, multiply(*found.base), found.way
    if way == -1:  # with -k for k
        if high == OO:
            raise Refused("a sum to infinity over gamma functions of what falls")
        z, low, high = power(z, number(-1)), negative(high), negative(low)
    if a.below(e.series(z))[0] != 1:
        raise Refused("powers of what may not be positive")
    rests_on("DLMF 8.8.2")
    before = add(g, low, number(-1))
    at = e.series(before)
    whole = terms.ONE if high == OO else _share(add(g, high), z)
    share, shares = e.series(whole), whole
    if at.terms or at.rest:
        if a.below(at)[0] != 1:
            raise Refused("a gamma function of what may be below 1")
        share, shares = a.minus(share, e.series(_share(before, z))), add(whole, negative(_share(before, z)))
    raised = [] if g == terms.ONE else [power(z, add(terms.ONE, negative(g)))]
    outside = multiply(*found.outside, *raised, call("exp", z))
    noted("closed", term=term, by=multiply(outside, shares))
    return a.times(e.series(outside), share)


def _share(first: Term, z: Term) -> Term:
    return multiply(call("uppergamma", first, z), power(call("gamma", first), number(-1)))


class ExponentialSummand:
    """The factors of a summand, as they are read: ``outside``, the ``base`` of the k-th power, ``gamma`` and the ``way`` of k."""

    def __init__(self) -> None:
        self.outside: list[Term] = []
        self.base: list[Term] = []
        self.gamma: Term | None = None
        self.way = 1

    def read(self, term: Term, sign: int) -> None:
        """term^sign, for the sign 1 or -1."""
        if I.name not in term.free:
            self.outside.append(power(term, number(sign)))
        elif term.head == "product":
            for part in term.parts:
                self.read(part, sign)
        elif term.head == "power" and term.parts[1] == number(-1):
            self.read(term.parts[0], -sign)
        elif term.head == "power" and I.name not in term.parts[0].free:
            way, rest = unit(term.parts[1])
            self.base.append(power(term.parts[0], number(sign * way)))
            if rest != terms.ZERO:  # the base is not 0
                self.outside.append(power(term.parts[0], multiply(number(sign), rest)))
        elif term.head in ("gamma", "factorial") and sign == -1 and self.gamma is None:
            self.way, self.gamma = unit(term.parts[0])
            self.gamma = add(self.gamma, terms.ONE) if term.head == "factorial" else self.gamma
        else:
            raise Refused(f"a summand with {term.head}")
