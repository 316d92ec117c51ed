"""Series: finite sums of coefficients times growths, with a remainder O(growths) or none, and their algebra.

``f = sum c_k m_k + O(r_1) + ... + O(r_j)`` says: for every fixed value of the parameters in the domain, |f - sum| is at
most a constant times r_1 + ... + r_j from some point on, on every path on which all s_i tend to infinity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any, Protocol

from gmpy2 import mpq

from asymp.kernel.growths.growth import BOUNDED, ONE, Domain, Growth, dominated, power_of
from asymp.kernel.rings.field import exponential, logarithm
from asymp.kernel.rings.ratio import Poly, Ratio, atom, rational
from asymp.kernel.terms import Refused, Term, walk

MOST_TERMS = 400
MOST_WORK = 8_000
ROOTED = frozenset({"number", "sum", "product", "power"})
"""What sums of roots are made of."""
FRACTION = 1_000
"""The number of the first quantity that stands for what is rounded off."""
MOST_FRACTIONS = 4


@dataclass(frozen=True, eq=False)
class Series:
    """Terms of different growths, none of them zero or inside the remainder."""

    terms: tuple[tuple[Ratio, Growth], ...]
    rest: tuple[Growth, ...] = ()

    @property
    def is_zero(self) -> bool:
        """Whether it is 0 from some point on, by identity."""
        return not self.terms and not self.rest


@dataclass(frozen=True)
class Algebra:
    """Series over one domain; expansions of functions are cut after ``order`` terms."""

    domain: Domain
    order: int
    spent: list[int] = field(default_factory=lambda: [0], repr=False)
    squares: dict[Term, Term] = field(default_factory=dict, repr=False)
    """Parameters y with x: x^2 + y^2 = 1."""
    fractions: dict[Term, int] | None = None
    """Numbers of quantities s, 1 <= s <= 2, that stand for what is rounded off of terms; None where O(1) does."""

    def spend(self, work: int) -> None:
        """Counts terms that are made: what would take long is refused, on a machine of any speed."""
        self.spent[0] += work
        if self.spent[0] > MOST_WORK:
            raise Refused("the series are too long")

    def exactly(self) -> Algebra:
        """The same with quantities for what is rounded off."""
        between = {FRACTION + k: (ONE, ONE) for k in range(MOST_FRACTIONS)}
        domain = replace(self.domain, between={**self.domain.between, **between})
        return Algebra(domain, self.order, fractions={})

    def fraction(self, term: Term) -> Growth | None:
        """The quantity of a rounded term; None where there are none.

        Raises:
            Refused: too many are rounded.
        """
        if self.fractions is None:
            return None
        k = self.fractions.setdefault(term, FRACTION + len(self.fractions))
        if k >= FRACTION + MOST_FRACTIONS:
            raise Refused("too many terms are rounded")
        return power_of(k, 0)

    # --- the ring ---------------------------------------------------------------------------------

    def made(self, parts: list[tuple[Ratio, Growth]], rest: list[Growth]) -> Series:
        """Like terms added, and what a remainder holds left out."""
        kept: list[Growth] = []
        for r in rest:
            if not dominated(r, tuple(kept), self.domain):
                kept = [k for k in kept if not dominated(k, (r,), self.domain)] + [r]
        found: list[tuple[Ratio, Growth]] = []
        place: dict[Any, int] = {}
        self.spend(len(parts) + len(rest))
        for c, g in parts:
            if g.key is None:
                self.spend(10 * len(found))
            k = place.get(g.key) if g.key is not None else next((j for j, (_, h) in enumerate(found) if g.same(h)), None)
            if k is None:
                place[g.key] = len(found)
                found.append((c, g))
            else:
                found[k] = (found[k][0] + c, found[k][1])
        if self.squares:
            found = [(_without_squares(c, self.squares), g) for c, g in found]
        found = [(c, g) for c, g in found if not self._is_null(c) and not dominated(g, tuple(kept), self.domain)]
        if len(found) > MOST_TERMS:
            raise Refused("a series of too many terms")
        return Series(tuple(found), tuple(kept))

    def _is_null(self, c: Ratio) -> bool:
        """Whether a coefficient is seen to be 0: by identity, or as a sum of roots."""
        if c.is_zero or len(c.num) < 2:
            return c.is_zero
        roots = all(part.head in ROOTED for powers in c.num for atom, _ in powers for part in walk(atom))
        return roots and self.domain.sign(c) == 0

    def constant(self, c: Ratio) -> Series:
        """A coefficient alone."""
        return Series(() if c.is_zero else ((c, ONE),))

    def add(self, f: Series, g: Series) -> Series:
        """The sum."""
        return self.made([*f.terms, *g.terms], [*f.rest, *g.rest])

    def total(self, parts: Iterable[Series]) -> Series:
        """The sum of several."""
        return reduce(self.add, parts, Series(()))

    def minus(self, f: Series, g: Series) -> Series:
        """The difference."""
        return self.add(f, self.scaled(g, rational(-1)))

    def times(self, f: Series, g: Series) -> Series:
        """The product."""
        if len(f.terms) * len(g.terms) > 20 * MOST_TERMS:
            raise Refused("a series of too many terms")
        parts = [(c * d, a.times(b)) for c, a in f.terms for d, b in g.terms]
        rest = [a.times(r) for _, a in f.terms for r in g.rest] + [r.times(b) for r in f.rest for _, b in g.terms]
        return self.made(parts, rest + [r.times(s) for r in f.rest for s in g.rest])

    def scaled(self, f: Series, c: Ratio, g: Growth = ONE) -> Series:
        """Times one coefficient and growth."""
        return self.times(f, Series(((c, g),)))

    # --- what leads ---------------------------------------------------------------------------------

    def leading(self, f: Series) -> tuple[Ratio, Growth]:
        """The term that outweighs all others and the remainder; its coefficient is not 0 anywhere in the domain.

        Raises:
            Refused: there is none that is seen to.
        """
        for k, (c, g) in enumerate(f.terms):
            others = [h for j, (_, h) in enumerate(f.terms) if j != k]
            if all(self.domain.quotient(h, g) == "zero" for h in (*others, *f.rest)):
                if not self.domain.sign(c):
                    raise Refused("a leading coefficient that may be 0")
                return c, g
        raise Refused("no term that leads")

    def below(self, f: Series) -> tuple[int, list[Growth]]:
        """The sign that f has in the end, and growths: |f| is at least a constant times the sum of them, from some point on.

        They are those of the terms that no other term outweighs, where all these have coefficients of one sign, and the
        remainder is outweighed by them: with d_j > 0, sum d_j h_j + o(max h_j) >= (min d_j)/2 * max h_j in the end.

        Raises:
            Refused: that is not seen.
        """
        top = [
            (c, g)
            for k, (c, g) in enumerate(f.terms)
            if not any(self.domain.quotient(g, h) == "zero" for j, (_, h) in enumerate(f.terms) if j != k)
        ]
        signs = {self.domain.sign(c) for c, _ in top}
        if not signs:
            raise Refused("no term that leads")
        if len(signs) > 1 or not (found := signs.pop()):
            raise Refused("a leading coefficient that may be 0, or leading terms of different signs")
        if not all(any(self.domain.quotient(r, h) == "zero" for _, h in top) for r in f.rest):
            raise Refused("a remainder that may lead")
        return found, [g for _, g in top]

    def grows(self, f: Series) -> bool:
        """Whether f tends to infinity.

        Raises:
            Refused: its sign is not seen.
        """
        sign, growths = self.below(f)
        return sign == 1 and all(g.limit(self.domain) == "infinity" for g in growths)

    def within(self, f: Series, order: str, g: Series) -> bool:
        """Whether f = O(g), f = o(g) or one of their kin."""
        self.below(g)  # which is not 0
        if order in ("Omega", "omega"):
            return self.within(g, "O" if order == "Omega" else "o", f)
        if order == "Theta":
            return self.within(f, "O", g) and self.within(g, "O", f)
        told = {"O": BOUNDED, "o": ("zero",)}[order]
        _, least = self.below(g)
        parts = (*(h for _, h in f.terms), *f.rest)
        return all(any(self.domain.quotient(part, h) in told for h in least) for part in parts)

    def vanishes(self, f: Series) -> bool:
        """Whether f tends to 0."""
        return all(g.limit(self.domain) == "zero" for g in (*(g for _, g in f.terms), *f.rest))

    def over_leading(self, f: Series) -> tuple[Ratio, Growth, Series]:
        """c, m and e, where f = c m (1 + e) and e tends to 0."""
        c, g = self.leading(f)
        whole = self.scaled(f, c.inverse(), ONE / g)
        rest = self.made([(d, h) for d, h in whole.terms if not h.same(ONE)], list(whole.rest))
        if not self.vanishes(rest):
            raise Refused("no term that leads")
        return c, g, rest

    # --- functions -------------------------------------------------------------------------------------

    def composed(self, coefficient: Callable[[int], Ratio], e: Series, count: int = 0) -> Series:
        """sum_k a_k e^k for e that tends to 0: the first ``count`` terms (or as many as the order), and O(e^count), which
        Taylor's theorem allows for a function that is analytic at 0."""
        if not self.vanishes(e):
            raise Refused("a series in what does not tend to 0")
        total, power = Series(()), self.constant(rational(1))
        for k in range(count or self.order):
            total = self.add(total, self.scaled(power, coefficient(k)))
            if power.is_zero:
                return total
            power = self.times(power, e)
        return self.made(list(total.terms), [*total.rest, *power.rest, *(g for _, g in power.terms)])

    def binomial(self, e: Ratio, f: Series) -> Series:
        """(1 + f)^e, for f that tends to 0."""
        found = [rational(1)]
        for j in range(self.order):
            found.append(found[-1] * (e - rational(j)) * rational(mpq(1, j + 1)))
        return self.composed(lambda j: found[j], f)

    def logarithm(self, f: Series) -> Series:
        """log(1 + f), for f that tends to 0."""
        return self.composed(lambda k: rational(mpq((-1) ** (k + 1), k)) if k else rational(0), f)

    def exponential(self, f: Series) -> Series:
        """exp f, for f that tends to 0."""
        found = [mpq(1)]
        for k in range(self.order):
            found.append(found[-1] / (k + 1))
        return self.composed(lambda k: rational(found[k]), f)

    def power(self, f: Series, e: Ratio) -> Series:
        """f^e, for a constant e: a whole number, or f positive in the end."""
        k = e.constant()
        whole = k is not None and k.denominator == 1
        if k == 0:
            self.below(f)  # 0^0 is nothing
        if k is not None and whole and 0 <= k <= 12:
            found = self.constant(rational(1))
            for _ in range(int(k)):
                found = self.times(found, f)
            return found
        c, g, rest = self.over_leading(f)
        if not whole and self.domain.sign(c) != 1:
            raise Refused("a root of what may be negative")
        return self.scaled(self.binomial(e, rest), self.domain.raised(c, e), g.raised(e))

    def log(self, f: Series) -> Series:
        """log f, for f positive in the end."""
        c, g, rest = self.over_leading(f)
        if self.domain.sign(c) != 1:
            raise Refused("a logarithm of what may be negative")
        parts = [(e, power_of(i, d + 1)) for (i, d), e in g.powers if i not in self.domain.between] + list(g.exponent)
        loose = [h for (i, _), _ in g.powers if i in self.domain.between for h in self.logarithms(i)]
        head = self.add(self.constant(logarithm(c, self.domain)), self.made(parts, loose))
        return self.add(head, self.logarithm(rest))

    def logarithms(self, i: int) -> list[Growth]:
        """Growths the sum of which log s_i is O of, for a quantity that lies between two."""
        ends = {place for end in self.domain.between[i] for place, _ in end.powers}
        return [ONE, *(power_of(j, d + 1) for j, d in sorted(ends))]

    def exp(self, f: Series, exact: bool = False) -> Series:
        """exp f, where all that does not tend to 0 is known exactly; else an upper bound, see below, or, where it is to be
        ``exact``, a refusal."""
        small: list[tuple[Ratio, Growth]] = []
        large: list[tuple[Ratio, Growth]] = []
        loose: list[Growth] = []
        head = rational(1)
        for c, g in f.terms:
            if g.same(ONE):
                head = head * exponential(c)
            elif (kind := g.limit(self.domain)) == "zero":
                small.append((c, g))
            elif kind == "infinity":
                large.append((c, g))
            else:
                loose.append(g)
        rest = self.made(small, list(f.rest))
        if not loose and self.vanishes(rest):
            return self.scaled(self.exponential(rest), head, self.grown(large))
        if exact:
            raise Refused("an exponential of what is not known up to what vanishes")
        return self._bounded_above(large, [*loose, *f.rest])

    def is_bounded_beside(self, f: Series) -> bool:
        """Whether f is bounded but for terms that tend to infinity or to -infinity."""
        kinds = [(g.limit(self.domain), True) for _, g in f.terms] + [(g.limit(self.domain), False) for g in f.rest]
        return all(kind in BOUNDED or (is_term and kind == "infinity") for kind, is_term in kinds)

    def grown(self, parts: Iterable[tuple[Ratio, Growth]]) -> Growth:
        """exp of a sum of c g."""
        growth = ONE
        for c, g in parts:
            growth = growth.times(self._exponential_growth(c, g))
        return growth

    def _bounded_above(self, large: list[tuple[Ratio, Growth]], loose: list[Growth]) -> Series:
        """O(exp(L)) for exp(L + r), where L is known exactly and r = O(loose) is bounded; where it is not, and L has a part c g,
        g -> oo and r = o(g), O(exp(L - c g/2)) for c < 0, and O(exp(L + c g)) for c > 0, as |r| <= |c| g/2 in the end."""
        growths = [self._exponential_growth(c, g) for c, g in large]
        if not all(one.limit(self.domain) in BOUNDED for one in loose):
            for k, (c, g) in sorted(enumerate(large), key=lambda part: self.domain.sign(part[1][0]) != -1):
                if (sign := self.domain.sign(c)) and all(self.domain.quotient(one, g) == "zero" for one in loose):
                    growths[k] = self._exponential_growth(c * rational(mpq(1, 2) if sign == -1 else 2), g)
                    break
            else:
                raise Refused("an exponential of what neither vanishes nor grows")
        return Series((), (reduce(Growth.times, growths, ONE),))

    def _exponential_growth(self, c: Ratio, g: Growth) -> Growth:
        """exp(c g): a power of s where g is log s, and of log s where it is log log s."""
        if not g.exponent and len(g.powers) == 1:
            (i, d), e = g.powers[0]
            if d > 0 and e.is_one:
                return power_of(i, d - 1, c)
        return Growth((), ((c, g),))

    # --- functions with an asymptotic series at infinity ------------------------------------------------

    def in_reciprocal(self, coefficients: list[mpq], f: Series) -> Series:
        """sum_k a_k f^(-k) + O(f^-K), K = len(coefficients), for f that tends to infinity."""
        c, g = self.leading(f)
        if g.limit(self.domain) != "infinity" or self.domain.sign(c) != 1:
            raise Refused("a series at infinity of what does not tend there")
        inverse = self.power(f, rational(-1))
        total, power = Series(()), self.constant(rational(1))
        for a in coefficients:
            total = self.add(total, self.scaled(power, rational(a)))
            power = self.times(power, inverse)
        return self.made(list(total.terms), [*total.rest, g.raised(rational(-len(coefficients)))])


def _without_squares(c: Ratio, squares: Mapping[Term, Term]) -> Ratio:
    """A coefficient with 1 - x^2 for each y^2."""
    for y, x in squares.items():
        if any(a == y and k >= 2 for p in (c.num, c.den) for row in p for a, k in row):
            c = _without(c.num, y, x) * _without(c.den, y, x).inverse()
    return c


def _without(p: Poly, y: Term, x: Term) -> Ratio:
    total, one = rational(0), rational(1) - atom(x).power(2)
    for powers, k in p.items():
        e = int(dict(powers).get(y, 0))
        others = Ratio({tuple((a, j) for a, j in powers if a != y): k})
        total = total + others * one.power(e // 2) * (atom(y) if e % 2 else rational(1))
    return total


class Expands(Protocol):
    """What knows series of terms: see expander."""

    algebra: Algebra
    scales: Mapping[str, int]
    whole: frozenset[Term]

    def series(self, term: Term) -> Series: ...
    def log(self, term: Term) -> Series: ...
    def constant(self, term: Term) -> bool: ...
    def of(self, head: str, f: Series) -> Series: ...
    def is_positive(self, term: Term) -> bool: ...
    def sees_positive(self, term: Term) -> bool: ...
    def by_table(self, head: str, arguments: tuple[str, ...], put: Mapping[str, Term]) -> Series: ...
    def alone(self, name: str, more: int = 0) -> Expands: ...
    def limit(self, x: Term) -> Term: ...
