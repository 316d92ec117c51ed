r"""Coefficients of exponentials by the saddle-point method, to any order (Flajolet and Sedgewick, VIII.3; Wright 1932).

Let F = exp(G), kappa_k = (z d/dz)^k G at z = r, b = kappa_2. Of Cauchy's integral over \|z\| = r,

.. math:: [z^N] F = \frac{e^{G(r)} r^{-N}}{2 \pi} \int_{-\pi}^{\pi} \exp\Bigl(i (\kappa_1 - N) \theta
          + \sum_{k \ge 2} \kappa_k \frac{(i \theta)^k}{k!}\Bigr) d\theta ,

only \|theta\| < e^(-delta) b^(-1/2) matters, e the size below, and there, with t = theta b^(1/2),

.. math:: [z^N] F = \frac{e^{G(r)} r^{-N}}{\sqrt{2 \pi b}} \Bigl(\sum_m \prod_{k \ge 3} \frac{(i^k \lambda_k)^{m_k}}{m_k!}
          \bigl(\textstyle\sum k m_k - 1\bigr)!! + O(e^{2K})\Bigr), \quad \lambda_k = \frac{\kappa_k}{k!\, b^{k/2}} = O(e^{k-2}),

over all m with sum (k - 2) m_k < 2K even, for any r with (kappa_1 - N) b^(-1/2) = O(e^(2K)).  Two kinds of G are seen to:

* a polynomial with coefficients that are not negative besides the constant, whose exponents have no common divisor:
  e = N^(-1/2).  Then G(r) - Re G(r e^(i theta)) = sum c_k r^k (1 - cos(k theta)): where the highest term is small away from 0,
  near 2 pi j/d, another is at least a constant times r;
* G with a singularity at rho > 0 and no other in a larger disc, G = c u^(-a) + O(u^(-a') log(1/u)^j), u = 1 - z/rho, c > 0,
  a > a', in the disc without the ray from rho on: e = (1 - r/rho)^(a/2).  Then \|G\| is at most c \|u\|^(-a) (1 + o(1)) near
  rho, and bounded elsewhere; for y = theta/(1 - r/rho) bounded, G(r) - Re G(r e^(i theta)) is at least a constant times
  (1 - r/rho)^(-a) y^2, since what is smaller has a second derivative that is smaller (Cauchy), and is real for real z.

>>> found = by_saddle(terms.substitute(terms.read("exp(z/(1 - z))"), {"z": Z}), Domain(), 1)
>>> str(found.kept), [str(one) for one in found.rest]
('1/2*exp(-1/2)*exp(2*@N^(1/2))*@N^(-3/4)*pi^(-1/2)', ['exp(2*@N^(1/2))*@N^(-5/4)'])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from math import factorial, gcd, prod

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.equations import polynomial
from asymp.kernel.growths.growth import Domain, Growth, power_of
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.local import Local
from asymp.kernel.growths.plane import compared
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.singularities import Singularities
from asymp.kernel.growths.transfer import exponents
from asymp.kernel.rings.power_series import Z, series
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import remembered, rests_on

N = terms.name("@N")
MOST_ORDER = 2
"""Terms of the expansion at the saddle."""
STEPS, FINER = 10, (3, 5, 8)
"""Improvements of the radius, and terms kept of powers and logarithms of it: the fewest first."""
Part = tuple[Ratio, Ratio, int]
"""c, e and j of c s^e (log s)^j."""


@dataclass(frozen=True)
class Saddled:
    """The terms in N, and what the remainder is O of; the radius, G(r) - N log r and kappa_2 there, for whoever tells it."""

    kept: Term
    rest: tuple[Term, ...]
    seen: tuple[Series, Series, Series]


@dataclass(frozen=True)
class Shape:
    """G as a sum in s, up to a remainder that is O of others: s = z, or s = 1/(1 - z/rho) where ``rho`` is given.

    ``size``: e is a constant times s^(-size).
    """

    parts: tuple[Part, ...]
    rest: tuple[Part, ...]
    rho: Ratio | None
    size: Ratio

    def moved(self) -> Shape:
        """z d/dz of it: of s^e (log s)^j that is e s^e + ..., or (1 - 1/s) (e s^(e+1) (log s)^j + j s^(e+1) (log s)^(j-1))."""
        parts: list[Part] = []
        for c, e, j in self.parts:
            for d, k in ((c * e, j), (c * rational(j), j - 1)):
                if d.is_zero:
                    continue
                if self.rho is None:
                    parts.append((d, e, k))
                else:
                    parts += [(d, e + rational(1), k), (-d, e, k)]
        up = rational(0) if self.rho is None else rational(1)
        return Shape(tuple(parts), tuple((c, e + up, j) for c, e, j in self.rest), self.rho, self.size)

    def at(self, s: Series, a: Algebra) -> Series:
        """Its series, for a series of s."""
        log, found = a.log(s), Series(())
        for own, is_rest in ((self.parts, False), (self.rest, True)):
            for c, e, j in own:
                part = a.scaled(a.power(s, e), c) if not e.is_zero else a.constant(c)
                for _ in range(j):
                    part = a.times(part, log)
                found = a.add(found, a.made([], loose(part)) if is_rest else part)
        return found


def by_saddle(term: Term, domain: Domain, order: int) -> Saddled:
    """The coefficients of an exponential, for whole N that tend to infinity.

    Raises:
        Refused: it is none of these.
    """
    return _by_saddle(term, domain, min(order, MOST_ORDER))


@remembered(64)
def _by_saddle(term: Term, domain: Domain, order: int) -> Saddled:
    rests_on("Flajolet and Sedgewick 2009, chapter 8")
    shape, top = _shape(_logarithm(term), domain)
    said, best = Refused("no radius is found"), None
    for finer in FINER:
        try:
            found, is_fine = _expanded(shape, top, domain, order, finer)
        except Refused as error:
            said = error
            continue
        if is_fine:
            return found
        best = best or found
    if best is None:
        raise said
    return best


def _expanded(shape: Shape, top: Part, domain: Domain, steps: int, finer: int) -> tuple[Saddled, bool]:
    """The coefficients, with so many terms of powers of the radius; and whether the remainder is as small as asked for."""
    kappas = [shape]
    for _ in range(2 * steps + 2):
        kappas.append(kappas[-1].moved())
    n = Series(((rational(1), power_of(0, 0)),))
    s, a = _radius(kappas, top, n, domain, finer, steps), Algebra(domain, finer)
    last = _size(shape, s, a).raised(rational(2 * steps))
    root = a.power(kappas[2].at(s, a), rational(mpq(-1, 2)))
    total = a.constant(rational(1))
    lambdas = {
        k: a.scaled(a.times(kappas[k].at(s, a), a.power(root, rational(k))), rational(mpq(1, factorial(k))))
        for k in range(3, 2 * steps + 1)
    }
    for way in _ways(2 * steps - 2):
        power = sum(k * m for k, m in way)
        c = mpq((-1) ** (power // 2) * prod(range(power - 1, 0, -2)), prod(factorial(m) for _, m in way))
        part = reduce(a.times, [lambdas[k] for k, m in way for _ in range(m)])
        total = a.add(total, a.scaled(part, rational(c)))
    total = a.made(list(total.terms), [*total.rest, last])
    a = Algebra(domain, finer)
    log = a.log(s) if shape.rho is None else a.add(
        a.constant(domain.value(terms.call("log", to_term(shape.rho)))),
        a.logarithm(a.scaled(a.power(s, rational(-1)), rational(-1))),
    )
    radius = s if shape.rho is None else a.scaled(
        a.minus(a.constant(rational(1)), a.power(s, rational(-1))), shape.rho
    )
    exponent = a.minus(shape.at(s, a), a.times(n, log))
    half = domain.raised(rational(2) * domain.value(terms.name("pi")), rational(mpq(-1, 2)))
    found = a.times(a.scaled(a.times(a.exp(exponent), root), half), total)
    if not found.terms:
        raise Refused("a saddle of which no term is known")
    size = a.leading(found)[1].times(last)
    is_fine = all((g / size).limit(domain) in ("zero", "one") for g in found.rest)
    kept = terms.add(*(terms.multiply(to_term(c), _term(g)) for c, g in found.terms))
    return Saddled(kept, tuple(map(_term, found.rest)), (radius, exponent, kappas[2].at(s, a))), is_fine


def _size(shape: Shape, s: Series, a: Algebra) -> Growth:
    """e, up to a constant."""
    (_, found), = a.power(Series((a.leading(s),)), -shape.size).terms
    return found


def _logarithm(term: Term) -> Term:
    """log F."""
    match term.head:
        case "exp":
            return term.parts[0]
        case "product":
            return terms.add(terms.ZERO, *map(_logarithm, term.parts))
        case "power" if Z.name not in term.parts[1].free:
            return terms.multiply(term.parts[1], _logarithm(term.parts[0]))
    return terms.call("log", term)


def _shape(log: Term, domain: Domain) -> tuple[Shape, Part]:
    """G near where the radius goes, and its first term.

    Raises:
        Refused: it is of another kind.
    """
    if (p := polynomial(log, domain)) is not None:
        while p and p[-1].is_zero:
            p.pop()
        own = [k for k, c in enumerate(p) if k and not c.is_zero]
        if not own or any(not domain.of(p[k]) <= {0, 1} for k in own) or domain.sign(p[-1]) != 1:
            raise Refused("an exponential of a polynomial with negative coefficients")
        if gcd(*(k for k in own if domain.sign(p[k]) == 1)) != 1:
            raise Refused("an exponential of a polynomial in a power of its variable")
        parts = tuple((p[k], rational(k), 0) for k in [0, *own] if not p[k].is_zero)
        return Shape(parts, (), None, rational(mpq(own[-1], 2))), parts[-1]
    places = Singularities(domain).of(log)
    if not places:
        raise Refused("an exponential of an entire function that is no polynomial")
    first = places[0].place
    for one in places[1:]:
        first = one.place if compared(one.place, first, domain) < 0 else first
    alone = sum(compared(one.place, first, domain) == 0 for one in places) == 1
    if not alone or first.value is None or domain.sign(first.value) != 1:
        raise Refused("an essential singularity that is not alone on its circle, on the positive axis")
    a = Algebra(domain, FINER[-1])
    f = series(log, Local(a, first.value))
    c, g = a.leading(f)
    e, j = exponents(g)
    if domain.sign(c) != 1 or domain.sign(e) != 1 or not j.is_zero:
        raise Refused("an essential singularity where the exponent is not seen to rise like a power")
    parts = tuple((c, *_whole(g)) for c, g in f.terms)
    return Shape(parts, tuple((rational(1), *_whole(g)) for g in f.rest), first.value, e * rational(mpq(1, 2))), (c, e, 0)


def _whole(g: Growth) -> tuple[Ratio, int]:
    e, j = exponents(g)
    k = j.constant()
    if k is None or k.denominator != 1 or k < 0:
        raise Refused("powers of logarithms that are not whole")
    return e, int(k)


def _radius(kappas: Sequence[Shape], top: Part, n: Series, domain: Domain, finer: int, steps: int) -> Series:
    """A finite series of s with (kappa_1 - N) b^(-1/2) = O(e^(2K)): each step takes an error to a smaller one.

    Raises:
        Refused: none is found.
    """
    c, e, _ = top
    m = e if kappas[0].rho is None else e + rational(1)
    s = Algebra(domain, finer).power(Series((((c * e).inverse(), n.terms[0][1]),)), m.inverse())
    for count in range(2, STEPS):
        a = Algebra(domain, finer)
        first = kappas[1].at(s, a)
        gap = a.times(a.minus(first, n), a.power(kappas[2].at(s, a), rational(mpq(-1, 2))))
        last = _size(kappas[0], s, a).raised(rational(2 * steps))
        if all((g / last).limit(domain) in ("zero", "one") for g in loose(gap)):
            return s
        a = Algebra(domain, finer)
        better = a.times(s, a.power(a.times(n, a.power(first, rational(-1))), m.inverse()))
        s = Series(tuple(sorted(better.terms, key=lambda part: -_exponent(part[1]))[:count]))
    raise Refused("a radius that is not near enough to the saddle")


def _exponent(g: Growth) -> mpq:
    e, j = exponents(g)
    k = e.constant()
    if k is None or not j.is_zero:
        raise Refused("a radius with logarithms or parameters in its exponents")
    return k


def _ways(weight: int) -> Iterator[Sequence[tuple[int, int]]]:
    """The m_k, as pairs k and m_k > 0, with sum (k - 2) m_k even, from 2 to a weight."""

    def parts(left: int, most: int) -> Iterator[list[int]]:
        yield []
        for part in range(1, min(left, most) + 1):
            for rest in parts(left - part, part):
                yield [part, *rest]

    for found in parts(weight, weight):
        if found and sum(found) % 2 == 0:
            yield [(k + 2, found.count(k)) for k in sorted(set(found))]


def _term(g: Growth) -> Term:
    """A growth in N as a term."""
    parts = []
    for (_, depth), e in g.powers:
        base = N
        for _ in range(depth):
            base = terms.call("log", base)
        parts.append(terms.power(base, to_term(e)))
    inner = [terms.multiply(to_term(c), _term(h)) for c, h in g.exponent]
    if inner:
        parts.append(terms.call("exp", terms.add(*inner)))
    return terms.multiply(terms.ONE, *parts)
