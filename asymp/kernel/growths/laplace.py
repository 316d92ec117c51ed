r"""Laplace's method: integrals of which the integrand is largest at one point, more and more so, by what it is near that point.

.. math:: I = C \int_0^\infty t^s A(t)\, e^{-N h(t) - \nu t}\,dt, \qquad
   A = \prod_i B_i^{f_i},\ h = -P - \sum_i \alpha_i \log B_i,

as in :mod:`integrand`: :math:`N \to \infty`, :math:`\nu = o(N)`, P a polynomial, and :math:`B_i > 0` for t >= 0; s > -1.

**Theorem** (Watson 1918, Erdelyi 1956; Olver, Asymptotics and Special Functions, 1974, theorem 3.8.1; DLMF 2.3(ii), 2.3(iii)).
Let h' > 0 for t > 0, P of degree d > 0 with a coefficient of t^d below 0, and near 0 let h(t) - h(0) = c t^k + ..., c > 0.
Let L be :math:`N^{-1/k}` where :math:`\nu = O(N^{1/k})`, else 1/g, where :math:`\nu = a g (1 + o(1))`, a > 0; and put t = L u.
Take the Taylor series in t of the logarithm of the integrand over t^s, without its value at 0, up to some power: let D(u) be
those of its terms that do not depend on N, X the others, and O(R) what is left.  Then for each M the integral is the value at 0
times

.. math:: L^{s+1} \int_0^\infty u^s e^{D(u)} \Big(\sum_{m<M} X^m/m! + O(R + |X|^M)\Big)\,du + O(e^{-N^{1/(2k)}}).

*Proof.*  Let h(0) = 0.  Then h > 0 for t > 0, and h(t)/t tends to a positive number or to infinity, as the logarithms of the B_i
are o(t): for each b > 0 there is an e > 0 with h(t) >= 2 e t for t >= b.  There the integrand is from some point on at most
:math:`t^s A(t) e^{-N e t}`, and as A grows no faster than a power of t, the integral of it is :math:`O(e^{-N e b/2})`.

For t <= b, b small, the series converges, and :math:`-N h(t) - \nu t \le C - r u^q` with an r > 0, q the largest exponent in D.
For :math:`L = N^{-1/k}` this is since N h(t) >= c u^k/2, and since nu t is at most a multiple of u, if k > 1, or o(1) times u, if
k = 1; else since h >= 0 and nu t >= a u/2.  So e^D and, with Y = X + O(R), also e^(D + Y) are :math:`O(e^{-r u^q})`, and

.. math:: \Big|e^Y - \sum_{m<M} Y^m/m!\Big| \le |Y|^M \max(1, e^Y), \qquad Y \in \mathbb{R},

is, times e^D, a sum of powers of u times that.  To take the integral of all this from u = b/L on to infinity adds
:math:`O(e^{-r' L^{-q}})`, where 1/L is at least a multiple of N^(1/k).  ∎

Of a truncated exponential B one term may have another weight: see weighted.  Where that is a number, so that B is less, h > 0 and
h >= 2 e t are seen from what h is without it.

Where h is least at p > 0 (DLMF 2.3(iii), 2.4(iv)), the integral has two such sides, t = p + y, and t = p - y with y < p.  To the
left h'(t) < 0 for 0 < t < p is asked, and the proof is the same: for y >= b there is an e > 0 with h(t) >= h(p) + e, and
t^s A(t) is integrable on [0, p], if s > -1; or t^(s + alpha N) A(t) is in the end, if alpha > 0.

>>> from asymp.kernel.growths.expander import Expander
>>> atom = terms.read("Integral((1 + t)^n*exp(-2*n*t), (t, 0, oo))")
>>> found = by_laplace(Expander(Algebra(Domain(), 2), {"n": 0}, {}), atom)
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)  # 1/n - 1/n^2 + O(n^(-3))
(['1', '-1'], 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.amplitude import OO, Amplitude, Near
from asymp.kernel.growths.growth import ONE, Domain, Growth
from asymp.kernel.growths.integrand import MOST_DEGREE, Base, Integrand, Polynomial, Raised, T, moved, plus, slope
from asymp.kernel.growths.series import Algebra, Expands, Series
from asymp.kernel.noted import noted
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.field import Range, exponential, logarithm
from asymp.kernel.rings.moments import integral
from asymp.kernel.rings.ratio import Ratio, atom, gathered, rational, to_term
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import Refused, Term

Powers = list[tuple[Ratio, Series]]
"""A sum of powers of u, with series in what moves as coefficients."""


def by_laplace(expander: Expands, term: Term) -> Series:
    """The series of an integral over t > 0, whose integrand is largest at 0, or at a zero of its logarithm's slope.

    Raises:
        Refused: no such place is seen.
    """
    if T.name in term.free:
        raise Refused("an integral from 0 to infinity is wanted, without a name of the kernel's")
    if term.parts[1:] == (terms.negative(OO), OO):
        halves = (_written(term, lambda t: t, terms.ZERO, OO), _written(term, terms.negative, terms.ZERO, OO))
        return expander.algebra.add(*(by_laplace(expander, half) for half in halves))
    last = Refused("no place where the integrand is largest")
    for own in _from_zero(term):
        integrand = Integrand.of(own, expander)
        for at in (terms.ZERO, *integrand.peaks()):
            try:
                found = expansion(integrand, at)
                noted("peak", at=at)
                return Series(tuple((_gathered(c), g) for c, g in found.terms), found.rest)
            except Refused as error:
                last = error
    raise last


def _from_zero(term: Term) -> Iterator[Term]:
    """The same from 0 to oo, or to a number, where one end is finite; of two such ends, from either."""
    _, low, high = term.parts
    width = OO if OO in (high, terms.negative(low)) else terms.add(high, terms.negative(low))
    if low == terms.ZERO:
        yield term
    elif low != terms.negative(OO):
        yield _written(term, lambda t: terms.add(low, t), terms.ZERO, width)
    if high != OO:
        yield _written(term, lambda t: terms.add(high, terms.negative(t)), terms.ZERO, width)


def _written(term: Term, of: Callable[[Term], Term], low: Term, high: Term) -> Term:
    """An integral in another variable."""
    inside = terms.substitute(terms.opened(term.parts[0], T), {T.name: of(T)})
    return Term("Integral", (bound(inside, T.name), low, high))


def _gathered(c: Ratio) -> Ratio:
    """The same in lowest terms, with one power of each sum that stands in it as a base: (x + 2)^(-7/2) (1 + (x + 2)) is
    (x + 2)^(-7/2) (x + 3)."""
    c = reduced(c) if len(c.den) > 1 else c
    powers, found = gathered(c.num)
    return Ratio({powers: mpq(1)}) * Ratio(found, c.den)


# --- powers of u -----------------------------------------------------------------------------------------


def _added(a: Algebra, parts: Powers) -> Powers:
    found: dict[object, tuple[Ratio, Series]] = {}
    for q, f in parts:
        if q.key is None:
            raise Refused("an exponent with a denominator")
        found[q.key] = (q, a.add(found[q.key][1], f) if q.key in found else f)
    return list(found.values())


def _times(a: Algebra, f: Powers, g: Powers) -> Powers:
    return _added(a, [(p + q, a.times(c, d)) for p, c in f for q, d in g])


def _exponential(a: Algebra, x: Powers) -> Powers:
    """e^x = sum_{m<M} x^m/m! + O(|x|^M)."""
    power: Powers = [(rational(0), a.constant(rational(1)))]
    total = list(power)
    for m in range(1, a.order):
        power = _times(a, power, x)
        total += [(q, a.scaled(c, rational(mpq(1, factorial(m))))) for q, c in power]
    return _added(a, total + _times(a, _bare(a, power), _bare(a, x)))


def _bare(a: Algebra, f: Powers) -> Powers:
    """O of each of its growths."""
    return [(q, a.made([], [*c.rest, *(g for _, g in c.terms)])) for q, c in f]


# --- the integral by the two sides of where the integrand is largest --------------------------------------------


def expansion(f: Integrand, at: Term) -> Series:
    """The series of the integral, where h is least at a point that is 0 or positive.

    Raises:
        Refused: that is not seen.
    """
    a, domain = f.expander.algebra, f.domain
    if T.name in at.free or not f.expander.constant(at):
        raise Refused("a point that moves")
    p = domain.value(at)
    end = None if f.high == OO else domain.value(f.high)
    if end is not None:
        for base, _, e in f.bases:
            last = domain.sign(base.moved(end, 1, domain).at_zero) if base.theta is None else 1
            grows = f.of_large(e)
            if last != 1 and (last or not (domain.sign(grows) == 1 or (grows.is_zero and _is_mild(f, e)))):
                raise Refused("a base that may not be positive at the end")
    g = Amplitude(f.expander, f.amplitude, f.high)
    if p.is_zero:
        if not f.expander.constant(f.power[1]):
            raise Refused("a power of t whose exponent moves, at 0")
        s = domain.value(f.power[1])
        g.require_mild(s)
        return a.times(_value(f, f.bases, p), _side(f, f.bases, (p, 1, end), s, g))
    if end is not None and domain.sign(end - p) != 1:
        raise Refused("a point that may lie beyond the end")
    rises = domain.sign(f.of_large(f.power[2]))
    g.require_mild(None if rises == 1 else domain.value(f.power[1]))
    if domain.sign(p) != 1 or not (rises == 1 or (rises == 0 and domain.sign(domain.value(f.power[1]) + rational(1)) == 1)):
        raise Refused("a point that may not be positive, or an integrand that is not seen to be integrable at 0")
    if any(domain.sign(base.at_zero) != 1 for base, _, _ in f.bases):
        raise Refused("a base that may not be positive at 0")
    bases = (f.power, *f.bases)
    sides = ((p, 1, None if end is None else end - p), (p, -1, p))
    return a.times(_value(f, bases, p), a.add(*(_side(f, bases, side, rational(0), g) for side in sides)))


def _is_mild(f: Integrand, e: Series) -> bool:
    """Whether an exponent stays, and is at least 0."""
    return not e.rest and all(g.same(ONE) and f.domain.sign(c) in (0, 1) for c, g in e.terms)


def _value(f: Integrand, bases: Sequence[Raised], p: Ratio) -> Series:
    """The integrand at p; at 0 without the power of t."""
    a, inside = f.expander.algebra, Series(())
    powers = [terms.power(to_term(base.moved(p, 1, f.domain).at_zero), e) for base, e, _ in bases]
    for j, g in f.exponent.items():
        inside = a.add(inside, a.scaled(g, p.power(j) if j else rational(1)))
    for one in f.weighted:
        inside = a.add(inside, one.value(a, p))
    return a.times(f.expander.series(terms.multiply(*f.factors, *powers)), a.exp(inside))


def _side(f: Integrand, bases: Sequence[Raised], side: tuple[Ratio, int, Ratio | None], s: Ratio, own: Amplitude) -> Series:
    """The integral over y > 0 of y^s times the integrand at p + y, or over 0 < y < p of that at p - y, over its value at p; but
    with the amplitude itself."""
    a, exponent, (p, way, length) = f.expander.algebra, dict[int, Series](), side
    for i, g in f.exponent.items():
        for j, c in moved({i: rational(1)}, p, way).items():
            exponent[j] = a.add(exponent.get(j, Series(())), a.scaled(g, c))
    near = [(base.moved(p, way, f.domain), e) for base, _, e in bases]
    return Side(f, near, exponent, length, (p, way)).expansion(s, own.near(p, way))


@dataclass(frozen=True)
class Side:
    """The integrand over its value at y = 0, without y^s, for 0 < y < length: bases with exponents, and exp of powers of y."""

    of: Integrand
    bases: Sequence[tuple[Base, Series]]
    exponent: Mapping[int, Series]
    length: Ratio | None
    at: tuple[Ratio, int]

    def expansion(self, s: Ratio, weight: Near) -> Series:
        """The integral of it times y^s and the amplitude.

        Raises:
            Refused: the conditions of the theorem are not seen to hold.
        """
        a, domain = self.of.expander.algebra, self.of.domain
        exponents = [*(q for q, _, _ in weight.known), *(q for q, _ in weight.rest)]
        if not all(domain.sign(s + q + rational(1)) == 1 for q in exponents):
            raise Refused("a power of t that may not be integrable at 0")
        self._falls()
        k = self._first()
        small = self._scale(k)
        dominant: list[tuple[Term, Term]] = []
        x: Powers = []
        for q, f in self._logarithm(a.order + int(k.constant() or 0)):
            for c, g in a.scaled(f, rational(1), small.raised(q)).terms:
                if g.same(ONE):
                    dominant.append((to_term(c), to_term(q)))
                else:
                    x.append((q, Series(((c, g),))))
            x += [(q, Series((), (g.times(small.raised(q)),))) for g in f.rest]
        if any(g.limit(domain) != "zero" for _, f in x for g in (*(g for _, g in f.terms), *f.rest)):
            raise Refused("terms of the exponent that are not seen to vanish")
        total = Series((), (Growth((), ((rational(-1), self.of.large.raised((k + k).inverse())),)),))
        inside = self._of_the_rest(_added(a, x))
        size = a.log(Series(((rational(1), small),)))
        for r, j, c in weight.known:
            for q, f in inside:
                whole = a.constant(domain.value(integral(to_term(s + q + r), dominant)) if f.terms else rational(1))
                if j:
                    own = domain.value(integral(to_term(s + q + r), dominant, True)) if f.terms else rational(1)
                    whole = a.add(a.times(size, whole), a.constant(own))
                total = a.add(total, a.times(a.scaled(f, c, small.raised(r)), whole))
        for r, j in weight.rest:
            sizes = [ONE, *(g for _, g in size.terms)] if j else [ONE]
            for _, f in inside:
                growths = [*f.rest, *(g for _, g in f.terms)]
                more = [g.times(small.raised(r)).times(h) for g in growths for h in sizes]
                total = a.made(list(total.terms), [*total.rest, *more])
        return a.scaled(total, rational(1), small.raised(s + rational(1)))

    def _of_the_rest(self, x: Powers) -> Powers:
        """e^X, as far as its coefficients are short: at least 1 + O(|X|)."""
        a = self.of.expander.algebra
        try:
            return _exponential(a, x)
        except Refused:
            return _added(a, [(rational(0), a.constant(rational(1))), *_bare(a, x)])

    def _falls(self) -> None:
        """That bases are positive, and h' > 0; and that h grows at least as y where there is no end.

        h' = M/prod B_i with a polynomial M; with a truncated exponential B alone, B'/B = 1 - t^theta/(theta! B) is below 1, and
        it decreases for theta >= 1: its last term over it is 1 over the sum of t^(k - theta) theta!/k!.

        Raises:
            Refused: it is not seen.
        """
        large, domain = self.of.of_large, self.of.domain
        own = {j - 1: -large(f) * rational(j) for j, f in self.exponent.items() if j and not large(f).is_zero}
        if self.length is None and (not own or domain.sign(own[max(own)]) != 1):
            raise Refused("an integral that is not seen to converge at infinity")
        for base, _ in self.bases:
            if domain.sign(base.at_zero) != 1 or not self._positive(base.coefficients):
                raise Refused("a base that is not seen to be positive")
        rising = [(base, large(f)) for base, f in self.bases if not large(f).is_zero]
        if len(rising) == 1 and rising[0][0].theta is not None and domain.sign(rising[0][1]) == 1:
            base, c = rising[0]
            least = plus(own, {0: -c})  # to which a positive part comes
            falls = not least or self._positive(least) if base.at is None else self._convex(own, base, c)
        else:
            falls = self._positive(slope(own, rising))
        if not falls:
            raise Refused("an exponent that is not seen to fall")

    def _convex(self, own: Polynomial, base: Base, c: Ratio) -> bool:
        """Whether h' is 0 at y = 0, for h = h_1(y) - c log B with h_1' constant: it increases in t, so that h is least there."""
        (_, first), *_ = base.logarithm(2, 1, self.of.domain)[0]
        rises = self.of.domain.sign(base.theta or rational(0)) == 1
        return rises and own.keys() <= {0} and (own.get(0, rational(0)) - c * first).is_zero

    def _positive(self, p: Polynomial) -> bool:
        """Whether a polynomial is positive for 0 < y < length: with y = length z/(1 + z), z > 0."""
        z, one, total = atom(T), rational(1), rational(0)
        for j, c in p.items():
            end = one if self.length is None else self.length.power(j) * (one + z).power(max(p) - j)
            total = total + c * z.power(j) * end
        domain = self.of.domain
        return replace(domain, within={**domain.within, T.name: Range(mpq(0), True)}).sign(total) == 1

    def _first(self) -> Ratio:
        """k, where h = c y^k + ...

        Raises:
            Refused: no k is seen, or c may not be positive.
        """
        large, domain = self.of.of_large, self.of.domain
        for degree in range(2, MOST_DEGREE):
            found = [(q, -large(f)) for q, f in self._logarithm(degree) if not large(f).is_zero]
            for k, c in found:
                if all(q is k or domain.sign(q - k) == 1 for q, _ in found):
                    if domain.sign(c) != 1:
                        raise Refused("a leading coefficient that may not be positive")
                    return k
        raise Refused("no leading term of the exponent")

    def _logarithm(self, degree: int) -> Powers:
        """The logarithm, up to y^degree: in coefficients there are powers of factors for denominators, which keeps them short."""
        a, domain = self.of.expander.algebra, self.of.domain
        found: Powers = [(rational(j), f) for j, f in self.exponent.items() if j]
        for base, e in self.bases:
            own, rest = base.logarithm(degree, a.order, domain)
            found += [(q, a.scaled(e, c)) for q, c in own]
            found += [(q, Series((), tuple(g for _, g in e.terms))) for q in rest]
        for one in self.of.weighted:
            found += one.logarithm(a, *self.at, degree)
        return [(q, Series(tuple((_undivided(c, domain), g) for c, g in f.terms), f.rest)) for q, f in _added(a, found)]

    def _scale(self, k: Ratio) -> Growth:
        """L, of which y is a multiple where the integrand is not small."""
        a, root = self.of.expander.algebra, self.of.large.raised(k.inverse())
        linear = Series(tuple((c, g) for c, g in self.exponent.get(1, Series(())).terms if not g.same(self.of.large)))
        if all((g / root).limit(a.domain) in ("zero", "one") for _, g in linear.terms):
            return ONE / root
        c, g = a.leading(linear)
        if (g / root).limit(a.domain) != "infinity" or a.domain.sign(c) != -1:
            raise Refused("a linear part of the exponent that may grow")
        return ONE / g


def _undivided(c: Ratio, domain: Domain) -> Ratio:
    """The same with powers of factors for its denominator, where that is seen not to be 0."""
    c = reduced(c)
    den = Ratio(c.den)
    way = domain.sign(den)
    if len(c.den) == 1 or not way:
        return c
    return Ratio(c.num) * rational(way) * exponential(-logarithm(den if way == 1 else -den, domain))
