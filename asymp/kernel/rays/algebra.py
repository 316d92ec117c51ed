"""Series on a half-line with explicit remainders: f = sum c_k m_k + theta C r with |theta| <= 1 for all s >= N.

It is the algebra of :mod:`asymp.kernel.growths.series`, with a constant for each remainder: growths absorb smaller ones with the
suprema of their quotients, and each power series is cut with Lagrange's remainder on |e| <= delta, where delta bounds e on the
whole half-line.  Where that fails (delta >= 1, a leading term that does not outweigh the others) a later start may do.

>>> from asymp.kernel.growths.growth import Domain, power_of
>>> a = Ray(Domain(), 2, line=HalfLine(fmpq(10), Numbers(96)))
>>> f = a.log(Series(((rational(1), power_of(0, 0)), (rational(1), ONE))))  # log(s + 1)
>>> len(f.terms), [r.size.str(3, radius=False) for r in f.rest], a.below(f)[0]
(3, ['0.370'], 1)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from flint import arb, ctx, fmpq
from gmpy2 import mpq

from asymp.kernel.growths.growth import BOUNDED, ONE, Growth
from asymp.kernel.growths.series import MOST_TERMS, Algebra, Series
from asymp.kernel.rays.supremum import HalfLine, Later, Numbers
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused
from asymp.kernel.trust import of_flint


@dataclass(frozen=True, eq=False)
class Sized(Growth):
    """At most ``size`` times a growth, on the whole half-line."""

    size: arb = field(default_factory=arb)


def sized(growth: Growth, size: arb | int | fmpq) -> Sized:
    """A remainder."""
    upper = (size if isinstance(size, arb) else arb(size)).abs_upper()
    if not upper.is_finite():
        raise Later("a constant is not finite from this start on")
    return Sized(growth.powers, growth.exponent, upper)


@dataclass(frozen=True)
class Ray(Algebra):
    """Series in one quantity s >= line.start; no parameters stand in them."""

    line: HalfLine = field(default_factory=lambda: HalfLine(fmpq(1), Numbers(96)))

    # --- remainders ---------------------------------------------------------------------------------

    def made(self, parts: list[tuple[Ratio, Growth]], rest: list[Growth], cut: Growth | None = None) -> Series:
        """Like terms added; all remainders in one, which takes in the terms that tend to 0 beside it.

        With ``cut`` also what is at most of that growth is taken in.
        """
        exact = super().made(parts, [])
        self.line.positive([*(g for _, g in exact.terms), *rest])
        if any(not isinstance(r, Sized) for r in rest):
            raise Refused("a remainder without a constant")
        top = self.largest([*rest, *([] if cut is None else [cut])])
        if top is None:
            return exact
        with ctx.workprec(self.line.bits):
            total = sum((r.size * self.line.supremum(r / top) for r in rest if isinstance(r, Sized)), arb(0))
            kept: list[tuple[Ratio, Growth]] = []
            for c, g in exact.terms:
                where = (g / top).limit(self.domain)
                if where == "zero" or (where == "one" and cut is not None and top.same(cut)):
                    total += abs(self.line.number(c)) * self.line.supremum(g / top)
                elif where in ("one", "infinity"):  # 2 + theta stays apart: its inverse is bounded
                    kept.append((c, g))
                else:
                    raise Refused("growths that cannot be compared")
        return Series(tuple(kept), (sized(top, total),) if rest or len(kept) < len(exact.terms) else ())

    def largest(self, growths: Sequence[Growth]) -> Growth | None:
        """One that no other outweighs.

        Raises:
            Refused: two cannot be compared.
        """
        top: Growth | None = None
        for g in growths:
            where = "infinity" if top is None else (g / top).limit(self.domain)
            if where == "unknown":
                raise Refused("growths that cannot be compared")
            top = g if where == "infinity" else top
        return top

    def times(self, f: Series, g: Series, cut: Growth | None = None) -> Series:
        """The product."""
        if len(f.terms) * len(g.terms) > 20 * MOST_TERMS:
            raise Refused("a series of too many terms")
        parts = [(c * d, a.times(b)) for c, a in f.terms for d, b in g.terms]
        rest: list[Growth] = []
        with ctx.workprec(self.line.bits):
            for one, other in ((f, g), (g, Series(f.terms))):
                for r in one.rest:
                    if other.terms or other.rest:
                        top = self.magnitude(other)
                        rest.append(sized(r.times(top), _size(r) * top.size))
        return self.made(parts, rest, cut)

    def magnitude(self, f: Series) -> Sized:
        """A bound of |f|, of the growth of its largest part."""
        with ctx.workprec(self.line.bits):
            parts = [sized(g, self.line.number(c)) for c, g in f.terms]
            parts += [sized(r, _size(r)) for r in f.rest]
            top = self.largest(parts)
            if top is None:
                return sized(ONE, 0)
            self.line.positive(parts)
            return sized(top, sum((p.size * self.line.supremum(p / top) for p in parts), arb(0)))

    def bound(self, f: Series) -> arb:
        """A number that |f| is nowhere above.

        Raises:
            Refused: f is not seen to be bounded.
        """
        top = self.magnitude(f)
        if top.size.is_zero():
            return arb(0)
        with ctx.workprec(self.line.bits):
            return (top.size * self.line.supremum(Growth(top.powers, top.exponent))).abs_upper()

    # --- what leads ---------------------------------------------------------------------------------

    def leading(self, f: Series) -> tuple[Ratio, Growth]:
        """The term that outweighs all others in the end, the remainder up to a constant; its coefficient is not 0."""
        for k, (c, g) in enumerate(f.terms):
            if all((h / g).limit(self.domain) == "zero" for j, (_, h) in enumerate(f.terms) if j != k):
                if all((r / g).limit(self.domain) in BOUNDED for r in f.rest) and self.domain.sign(c):
                    return c, g
        raise Refused("no term that leads")

    def below(self, f: Series) -> tuple[int, list[Growth]]:
        """The sign of f on the whole half-line: its leading term outweighs all of another sign, and the remainder.

        Raises:
            Later: not from this start on.
        """
        c, g = self.leading(f)
        sign = self.domain.sign(c) or 0
        if not self.least(f, c, g, sign) > 0:
            raise Later("the leading term does not outweigh the others from this start on")
        return sign, [g]

    def least(self, f: Series, c: Ratio, g: Growth, sign: int) -> arb:
        """A lower bound of sign f/g, for its leading term c g."""
        with ctx.workprec(self.line.bits):
            against = arb(0)
            for d, h in f.terms:
                value = self.line.number(d)
                if not h.same(g) and not value * sign > 0:  # terms of the leading sign only help
                    against += abs(value) * self.line.supremum(h / g)
            for r in f.rest:
                against += _size(r) * self.line.supremum(r / g)
            return (abs(self.line.number(c)) - against).lower()

    def is_nonnegative(self, f: Series) -> bool:
        """Whether f >= 0 on the whole half-line; False where its leading term is negative.

        Raises:
            Later: it is not seen from this start on.
        """
        if f.is_zero:
            return True
        c, g = self.leading(f)
        if self.domain.sign(c) == 1 and not self.least(f, c, g, 1) >= 0:
            raise Later("the leading term does not outweigh the others from this start on")
        return self.domain.sign(c) == 1

    def vanishes(self, f: Series) -> bool:
        """Whether f tends to 0, but for a bounded remainder."""
        return all(g.limit(self.domain) == "zero" for _, g in f.terms) and all(r.limit(self.domain) in BOUNDED for r in f.rest)

    def absolute(self, f: Series) -> Series:
        """|f|: f or -f where its sign is seen, else between 0 and a bound, as its half and a remainder."""
        try:
            return self.scaled(f, rational(self.below(f)[0]))
        except Refused:
            top = self.magnitude(f)
        high = top.size.upper()
        digits, exponent = high.man_exp()
        half = mpq(int(digits)) * mpq(2) ** (int(exponent) - 1)
        growth = Growth(top.powers, top.exponent)
        return self.made([(rational(half), growth)], [sized(growth, high / 2)])

    # --- functions ------------------------------------------------------------------------------------

    def composed(self, coefficient: Callable[[int], Ratio], e: Series, count: int = 0) -> Series:
        """What is known up to O(e^count) alone has no constant."""
        raise Refused("a remainder without a constant")

    def in_reciprocal(self, coefficients: list[mpq], f: Series) -> Series:
        """The same."""
        raise Refused("a remainder without a constant")

    def cut(self, coefficients: Sequence[Ratio], e: Series, tail: arb) -> Series:
        """sum_(k<K) a_k e^k + theta tail |e|^K, by Horner's scheme."""
        top, count = self.magnitude(e), len(coefficients)
        if top.size.is_zero():
            return self.constant(coefficients[0])
        growth = Growth(top.powers, top.exponent)
        total = self.constant(coefficients[-1])
        for k in range(count - 2, -1, -1):
            total = self.times(total, e, growth.raised(rational(count - k)))
            total = self.add(total, self.constant(coefficients[k]))
        with ctx.workprec(self.line.bits):
            return self.made(list(total.terms), [*total.rest, sized(growth.raised(rational(count)), tail * top.size**count)])

    def below_one(self, e: Series) -> arb:
        """A bound of |e|, which is below 1."""
        delta = self.bound(e)
        if not delta < 1:
            raise Later("a series about the leading term does not converge from this start on")
        return delta

    def binomial(self, e: Ratio, f: Series) -> Series:
        """(1 + f)^e: |rest| <= |C(e, K)| sup (1 + xi)^(e - K) |f|^K."""
        delta, count = self.below_one(f), self.order + 1
        found = [rational(1)]
        for j in range(count):
            found.append(found[-1] * (e - rational(j)) * rational(mpq(1, j + 1)))
        with ctx.workprec(self.line.bits):
            power = self.line.number(e) - count
            ends = [of_flint(of_flint(1 + sign * delta, "log") * power, "exp") for sign in (-1, 1)]
            tail = abs(self.line.number(found[count])) * ends[0].max(ends[1])
        return self.cut(found[:count], f, tail)

    def logarithm(self, f: Series) -> Series:
        """log(1 + f): |rest| <= |f|^K/(K (1 - delta)), since |f|^k/k summed over k >= K is at most that."""
        delta, count = self.below_one(f), self.order + 1
        with ctx.workprec(self.line.bits):
            tail = 1 / (count * (1 - delta))
        return self.cut([rational(0), *(rational(mpq((-1) ** (k + 1), k)) for k in range(1, count))], f, tail)

    def exponential(self, f: Series) -> Series:
        """exp f: |rest| <= e^delta |f|^K/K!."""
        delta, count, found = self.bound(f), self.order + 1, [mpq(1)]
        for k in range(count):
            found.append(found[-1] / (k + 1))
        with ctx.workprec(self.line.bits):
            tail = of_flint(delta, "exp") * fmpq(int(found[count].numerator), int(found[count].denominator))
        return self.cut([rational(x) for x in found[:count]], f, tail)

    def _bounded_above(self, large: list[tuple[Ratio, Growth]], loose: list[Growth]) -> Series:
        """It would have no constant."""
        raise Refused("an exponential of what neither vanishes nor grows")


def _size(r: Growth) -> arb:
    if not isinstance(r, Sized):
        raise Refused("a remainder without a constant")
    return r.size
