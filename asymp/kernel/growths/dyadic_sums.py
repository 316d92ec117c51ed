r"""Series of sums over whole k >= a of F(q^k), q > 1 fixed, where one quantity s moves, up to where their terms change.

Let N = s^e, and let these be series of F(y), each with its remainder (u and v are quantities of their own):

- *left*: y and u tend to infinity, N = y u: terms :math:`c\,y^\alpha u^\beta = c\,y^{\alpha-\beta} N^\beta`;
- *right*: v and N tend to infinity, y = v N: all terms are O(v^(-r) N^j), r > 0;
- *between*: N tends to infinity, y = z N with a parameter z > 0;
- *first*: N tends to infinity, y = q^k with a parameter k.

Then the sum converges from some point on.  With T for the terms of *left* in which :math:`\alpha < \beta`, it is

.. math:: \sum_{\alpha = \beta} c N^\beta \frac{\log N}{\log q}
   + \sum_{\alpha < \beta} c N^\beta \frac{q^{a (\alpha - \beta)}}{1 - q^{\alpha - \beta}}

up to O of: N^beta for each term of the first sum and N^alpha for each of the second; for the other terms of *left*, those with
:math:`\alpha > \beta`, N^alpha; for its remainders N^alpha, N^beta log N, N^beta, where alpha - beta is positive, 0, negative;
N^j of *right*; all of *between*; and all of *first*, for F - T in place of F.

*Proof.*  There are M and C such that what *left* says holds, with C for its O, whenever y >= M and u >= M: else there would be
y_j and u_j, at least j, at which it fails with C = j, and on that path it would fail with every C.  So it is for *right*, with
v >= M.  For z from 1/M to M *between* is uniform: coefficients and exponents are continuous in parameters.  There are O(1) of k
with y < M, and of k with N/M < y < M N; and of those with M <= y <= N/M, log N/log q + O(1), over which the sum of
y^(alpha - beta) is geometric, as is that of T over all k with q^k <= N/M.  ∎

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {})
>>> found = e.series(terms.read("Sum(1 - exp(-n/2^k), (k, 0, oo))"))
>>> [(str(to_term(c)), g.same(power_of(0, 1))) for c, g in found.terms], [g.same(ONE) for g in found.rest]
([('log(2)^(-1)', True)], [True])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import BOUNDED, ONE, Domain, Growth, power_of
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra, Expands, Series
from asymp.kernel.growths.summands import INDEX, OO, I
from asymp.kernel.growths.summands import summands as summands
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term, add, first, multiply, negative, number, power

Y, U = terms.name("@y"), terms.name("@u")
PLACES = (mpq(1), mpq(2), mpq(1, 2))
"""The e that are tried."""
LATE = mpq(1000)
"""From there on quantities are looked at that tend to infinity."""
MORE = 2
"""Terms that are kept where signs are asked."""
MOST_FIRST = 4
"""Terms of a sum that are looked at one by one."""
HALVES = tuple(mpq(k, 2) for k in range(-6, 7))
"""Exponents of powers by which other growths are bounded."""


def dyadic(e: Expands, term: Term) -> Dyadic:
    """A sum over whole k >= a of F(q^k), q > 1.

    Raises:
        Refused: it is another sum.
    """
    if type(e.algebra) is not Algebra:
        raise Refused("an explicit remainder of such a sum")
    base, f, start = in_base(term)
    names = [name for name in f.free if name != Y.name and not e.constant(terms.name(name))]
    if len(names) != 1 or names[0] not in e.scales or e.algebra.domain.between:
        raise Refused("a sum in which not one quantity moves")
    if not e.constant(base):
        raise Refused("powers of what moves")
    way = e.algebra.domain.sign(e.algebra.domain.value(base) - rational(1))
    if way not in (1, -1) or e.algebra.domain.sign(e.algebra.domain.value(base)) != 1:
        raise Refused("a base that may be 1, or may not be positive")
    if way == -1:
        base, f = power(base, number(-1)), terms.substitute(f, {Y.name: power(Y, number(-1))})
    return Dyadic(e, f, base, start, names[0])


def series_of_dyadic(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: it is another sum, or that is not seen.
    """
    one = dyadic(e, term)
    return first(partial(one.series, place) for place in PLACES)


def size_of_dyadic(e: Expands, term: Term) -> Term:
    """g, a power of s, where the sum is at least a positive constant times g and at most one, in the end: it is O(g), none
    of its summands is negative, and the one with N <= q^k < q N is at least a constant times g.

    Raises:
        Refused: that is not seen.
    """
    one = dyadic(e, term)
    return first(partial(one.size, place) for place in PLACES)


def in_base(term: Term) -> tuple[Term, Term, int]:
    """b, F(y) and a of the sum of F(b^k) over whole k >= a.

    Raises:
        Refused: it is another sum; the index stands elsewhere than in exponents, or in powers of other numbers.

    >>> [str(x) for x in in_base(terms.read("Sum(2^(k + 1)*4^(-k)/(2^k + a), (k, 0, oo))"))]
    ['2', '2*@y*@y^(-2)*(@y + a)^(-1)', '0']
    """
    body, low, high = term.parts
    if high != OO or not (low.is_number and low.number.denominator == 1):
        raise Refused("a sum without a first term, or with a last one")
    body = terms.opened(body, I)
    if body.free & {Y.name, U.name}:
        raise Refused("a sum of this kind in another")
    bases = [one[0] for part in terms.walk(body) if (one := in_power(part, INDEX)) is not None]
    if not bases:
        raise Refused("no powers of a number in a sum")
    numbers = [base for base in bases if base.is_number and base.number > 1]
    base = min(numbers, key=lambda x: x.number) if numbers else bases[0]
    found = written(body, base, INDEX, Y)
    if INDEX in found.free:
        raise Refused("an index outside of exponents")
    return base, found, int(low.number)


def in_power(term: Term, index: str) -> tuple[Term, Term, mpq] | None:
    """b, c and a number d, where a term is c b^(d i) for the index i, b and c free of it; None: it is no power, nor exponential.

    >>> [[str(x) for x in in_power(terms.read(t), "i")] for t in ("2^(a - i)", "exp(1/2 - 3*c*i)", "exp(i)")]
    [['2', '2^a', '-1'], ['exp(c)', 'exp(1/2)', '-3'], ['exp(1)', '1', '1']]
    """
    if term.head not in ("power", "exp") or index not in term.parts[-1].free or any(index in x.free for x in term.parts[:-1]):
        return None
    try:
        parts = summands(terms.substitute(term.parts[-1], {index: I}))
    except Refused:
        return None
    steps = [one.coefficient for one in parts if one.degree]
    if any((one.degree, one.harmonic, one.log, one.base) not in ((0, 0, 0, terms.ONE), (1, 0, 0, terms.ONE)) for one in parts):
        return None
    if len(steps) != 1 or index in steps[0].free:
        return None
    factors = steps[0].parts if steps[0].head == "product" else steps
    d, rest = mpq(1), multiply(*(x for x in factors if not x.is_number))
    for x in factors:
        d *= x.number if x.is_number else 1
    start = add(*(one.coefficient for one in parts if not one.degree))
    base = terms.call("exp", rest) if term.head == "exp" else term.parts[0] if rest == terms.ONE else None
    if base is None or d == 0 or index in start.free:
        return None
    return base, terms.ONE if start == terms.ZERO else terms.rebuilt(term, (*term.parts[:-1], start)), d


def written(term: Term, base: Term, index: str, y: Term) -> Term:
    """A term with y for base^index, where it is seen to be in that."""
    if index not in term.free:
        return term
    if (found := in_power(term, index)) is not None:
        own, c, step = found
        root = next((k for k in range(-6, 7) if own.is_number and base.is_number and base.number**k == own.number), None)
        exponent = step if own == base else None if not root else step * root
        if exponent is not None:
            return multiply(c, power(y, number(exponent)))
    return terms.rebuilt(term, tuple(written(part, base, index, y) for part in term.parts))


@dataclass(frozen=True)
class Dyadic:
    """The sum of F(q^k) over whole k >= start; ``f`` is F(y) for the name y, ``moves`` that of s."""

    expander: Expands
    f: Term
    q: Term
    start: int
    moves: str
    more: int = 0
    whole: bool = False
    """Whether N, too, is a whole power of q, which is whole: so are y, N/y and y/N where these are large."""

    @cached_property
    def place(self) -> int:
        """The number of s."""
        return self.expander.scales[self.moves]

    @property
    def algebra(self) -> Algebra:
        """Of the result."""
        return self.expander.algebra

    def wider(self, **within: Range) -> Domain:
        """The domain with further parameters."""
        domain = self.algebra.domain
        return (
            replace(domain, within={**domain.within, **{f"@{x}": r for x, r in within.items()}}) if within else domain
        )

    def of(self, f: Term, values: Mapping[str, Term], scales: Mapping[str, int], **within: Range) -> Series:
        """The series of a term in other quantities, and parameters."""
        inner = Algebra(self.wider(**within), self.algebra.order + self.more, self.algebra.spent)
        large = frozenset(x for x in (Y, U) if x.name in scales and self.whole)
        made = type(self.expander)(inner, scales, {}, large)  # type: ignore[call-arg]
        return made.series(terms.substitute(f, values))

    def bounds(self, f: Term, values: Mapping[str, Term], **within: Range) -> list[Growth]:
        """Growths of s alone of the sum of which a term is O; with one constant on each compact set of the further parameters."""
        domain = self.wider(**within)
        found = []
        for g in loose(self.of(f, values, {self.moves: self.place}, **within)):
            if _names(g).isdisjoint(f"@{x}" for x in within):
                found.append(g)
            else:
                j = next(
                    (j for j in HALVES if domain.quotient(g, power_of(self.place, 0, rational(j))) in BOUNDED), None
                )
                if j is None:
                    raise Refused("a growth that no power bounds")
                found.append(power_of(self.place, 0, rational(j)) if j else ONE)
        return found

    def large(self, c: Ratio | mpq, place: mpq) -> Growth:
        """N^c."""
        c = c if isinstance(c, Ratio) else rational(c)
        return power_of(self.place, 0, c * rational(place)) if not c.is_zero else ONE

    def series(self, place: mpq) -> Series:
        """The sum, with N = s^place.

        Raises:
            Refused: its terms do not change there.
        """
        a, s, e = self.algebra, terms.name(self.moves), number(place)
        rest: list[Growth] = []
        main: list[tuple[Ratio, Growth]] = []
        kept: list[Term] = []
        left = self.of(self.f, {self.moves: power(multiply(Y, U), number(1 / place))}, {Y.name: 0, U.name: 1})
        for c, g in left.terms:
            powers = powers_of(g, 2)
            way = a.domain.sign(powers[0] - powers[1]) if powers else None
            if powers and way == 0:
                count = self._over_log(c * rational(place))
                main.append((count, self.large(powers[1], place).times(power_of(self.place, 1))))
                rest.append(self.large(powers[1], place))
            elif powers and way == -1:
                gap = to_term(powers[0] - powers[1])
                kept.append(multiply(to_term(c), power(Y, gap), power(power(s, e), to_term(powers[1]))))
                rate = power(self.q, gap)
                whole = multiply(power(rate, number(self.start)), power(add(terms.ONE, negative(rate)), number(-1)))
                main.append((c * a.domain.value(whole), self.large(powers[1], place)))
                rest.append(self.large(powers[0], place))
            else:
                rest += self._in_the_left(g, place)
        for g in left.rest:
            rest += self._in_the_left(g, place)
        right = self.of(self.f, {Y.name: multiply(U, power(s, e))}, {U.name: 0, self.moves: 1})
        rest += [self._in_the_right(g) for g in loose(right)]
        rest += self.bounds(self.f, {Y.name: multiply(U, power(s, e))}, u=Range(mpq(0), True))
        rest += self.first(add(self.f, *map(negative, kept)) if kept else self.f)
        return a.made(main, rest)

    def _over_log(self, c: Ratio) -> Ratio:
        return c * self.algebra.domain.value(power(terms.call("log", self.q), number(-1)))

    def size(self, place: mpq) -> Term:
        """A growth that the sum has exactly, N = s^place: see :func:`size_of_dyadic`.

        Raises:
            Refused: that is not seen.
        """
        a, s, own = self.algebra, multiply(U, power(terms.name(self.moves), number(place))), {self.moves: self.place}
        found, every = self.series(place), Range(mpq(0), True)
        told, least = 0, list[Growth]()
        for z in (1, -1):  # z, or 1/z, is the parameter
            with suppress(Refused):
                between = self.of(self.f, {Y.name: terms.substitute(s, {U.name: power(U, number(z))})}, own, u=every)
                told, least = Algebra(self.wider(u=every), a.order).below(between)
                break
        powers = powers_of(found.rest[0], self.place + 1) if len(found.rest) == 1 and not found.terms else None
        if powers is None or told != 1 or not any(found.rest[0].same(g) for g in least):
            raise Refused("a sum whose growth is not seen")
        self.positive(self.f, {self.moves: power(multiply(Y, U), number(1 / place))}, {Y.name: 0, U.name: 1})
        self.positive(self.f, {Y.name: s}, {U.name: 0, self.moves: 1})
        self.first(self.f, lambda f, values, **within: self.positive(f, values, own, **within))
        return power(terms.name(self.moves), to_term(powers[self.place]))

    def positive(self, f: Term, values: Mapping[str, Term], scales: Mapping[str, int], **within: Range) -> list[Growth]:
        """That a term is not negative from some point on; there is nothing to return.

        Raises:
            Refused: that is not seen.
        """
        domain = self.wider(**within)
        found = replace(self, more=MORE).of(f, values, scales, **within)
        with suppress(Refused):
            if not (found.terms or found.rest) or Algebra(domain, self.algebra.order).below(found)[0] == 1:
                return []
        late = replace(domain, within={**domain.within, **{x: Range(LATE) for x in scales}})
        if not late.of(late.value(terms.substitute(f, values))) <= {0, 1}:
            raise Refused("summands that may be negative")
        return []

    def first(self, f: Term, look: Callable[..., list[Growth]] | None = None) -> list[Growth]:
        """Growths of F(y) for each of the first k, one by one for as many as have to be."""
        look = look or self.bounds
        found: list[Growth] = []
        for k in range(self.start, self.start + MOST_FIRST):
            with suppress(Refused):
                if self.q.is_number:
                    return found + look(f, {}, y=Range(self.q.number**k))
                if k > 0:
                    return found + look(f, {}, y=Range(mpq(1), True))
            found += look(f, {Y.name: power(self.q, number(k)) if k else terms.ONE})
        raise Refused("the first terms of a sum")

    def _in_the_left(self, g: Growth, place: mpq) -> Sequence[Growth]:
        """What the sum of a growth in y and u is O of."""
        domain, powers = self.algebra.domain, powers_of(g, 2)
        if powers is not None and (way := domain.sign(powers[0] - powers[1])) is not None:
            found = self.large(powers[0] if way == 1 else powers[1], place)
            return [found if way else found.times(power_of(self.place, 1))]
        for i, j in sorted(((i, j) for i in HALVES for j in HALVES if i != j), key=max):
            if domain.quotient(g, monomial(i, j)) in BOUNDED:
                return [self.large(max(i, j), place)]
        raise Refused("a growth that no power bounds")

    def _in_the_right(self, g: Growth) -> Growth:
        """What the sum of a growth in v and s is O of."""
        domain, powers = self.algebra.domain, powers_of(g, 2)
        if powers is not None and domain.sign(powers[0]) == -1:
            return power_of(self.place, 0, powers[1]) if not powers[1].is_zero else ONE
        for j in HALVES:
            if domain.quotient(g, monomial(-mpq(1, 2), j)) in BOUNDED:
                return power_of(self.place, 0, rational(j)) if j else ONE
        raise Refused("a sum that is not seen to converge")


def _names(g: Growth) -> frozenset[str]:
    """The parameters in its exponents."""
    own = (to_term(c).free for c in (*(e for _, e in g.powers), *(c for c, _ in g.exponent)))
    return frozenset[str]().union(*own, *(_names(h) for _, h in g.exponent))


def monomial(i: mpq, j: mpq) -> Growth:
    """A product of powers of the first two quantities."""
    return Growth(tuple(((k, 0), rational(e)) for k, e in enumerate((i, j)) if e))


def powers_of(g: Growth, count: int) -> list[Ratio] | None:
    """The exponents of a monomial in the first quantities; None: it has logarithms or exponentials."""
    if g.exponent or any(depth or k >= count for (k, depth), _ in g.powers):
        return None
    found = dict(g.powers)
    return [found.get((k, 0), rational(0)) for k in range(count)]
