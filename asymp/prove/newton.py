r"""Terms of a root, in series of the kernel: dominant balance for the first one, then Newton's step, term by term.

The unknown is put into a chart x = X, c +- 1/X, -X with a quantity X of its own that tends to infinity, a form F of the equation
is expanded in all quantities, and each two of its terms are set against each other: X^a (log X)^b (log log X)^c N = const gives
X ~ C N^(-1/a) (log)^(-b/a) (log log)^(-c/a) with log X ~ log N^(-1/a); terms of one order together fix C.  From terms P the next
one is what leads in -F(P)/F'(P) (de Bruijn, Asymptotic Methods in Analysis, 2.3-2.4; Bender and Orszag, Advanced Mathematical
Methods, 7.2).  All of this proposes: that the root has these terms is the kernel's word (:mod:`asymp.kernel.sequences.implicit`).

>>> from asymp.kernel.growths.regime import placed
>>> from asymp.language.statement import read_statement
>>> place = {"scales": {"n_": "n"}, "values": {"n": "n_"}}
>>> form = Form(terms.read("x + log(x) - n"), "x", placed(read_statement("n = O(n) as n -> oo"), place), place["scales"])
>>> start = next(form.starts([(None, 1)]))
>>> [str(one) for one in form.refined(start, 3)]
['n', '-log(n)', 'log(n)*n^(-1)']
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import ONE, Domain, Growth, power_of
from asymp.kernel.growths.regime import Placed
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.ratio import Ratio, rational, to_term, without_sums_below
from asymp.kernel.sequences.rooted import Lowest
from asymp.kernel.terms import Refused, Term, add, multiply, name, number, reciprocal, substitute
from asymp.prove.written import Quantities, in_order

ORDERS = (1, 2, 3, 4, 6, 8, 11)
"""Terms of series that are kept, until a leading term is known."""
FAR, SIZE = "far_", "size_"
"""The quantity of a chart, and a constant that is looked for."""
Chart = tuple[Term | None, int]
"""A place and a side of it; no place: to infinity, on that side."""
Leading = tuple[Ratio, Growth]


class Form:
    """A form F of an equation in x, with the same roots, in a regime's quantities."""

    def __init__(self, form: Term, x: str, where: Placed, scales: Mapping[str, str]) -> None:
        self.form, self.x, self.where, self.domain = form, x, where, where.domain
        self.scales, self.quantities = scales, Quantities(where, scales)
        self.expanders: dict[tuple[int, str], Expander] = {}
        self.place = 0  # in ORDERS: what was needed last is needed next

    # --- series -----------------------------------------------------------------------------------------

    def expander(self, order: int, more: str = "") -> Expander:
        """What expands terms in the quantities, and perhaps one more, or with one more parameter above 0."""
        if (order, more) not in self.expanders:
            domain, scales = self.domain, dict(self.where.scales)
            if more == FAR:
                scales[FAR] = len(scales) + len(self.where.near)
            elif more:
                domain = replace(domain, within={**domain.within, more: Range(mpq(0), True)})
            self.expanders[order, more] = Expander(Lowest(domain, order), scales, self.where.leaves())
        found = self.expanders[order, more]
        found.algebra.spent[0] = 0
        return found

    def series(self, term: Term, point: Term, order: int, more: str = "") -> Series:
        """A term at a point."""
        return self.expander(order, more).series(self.where.put(substitute(term, {self.x: point})))

    def leading(self, term: Term, point: Term) -> Leading | None:
        """What leads at a point; None where the term is 0 there.

        Raises:
            Refused: none is known at any order.
        """
        why = Refused("no order was tried")
        for k in range(self.place, len(ORDERS)):
            try:
                found = self.series(term, point, ORDERS[k])
                if found.is_zero:
                    return None
                first = self.expander(ORDERS[k]).algebra.leading(found)
            except Refused as error:
                why = error
                continue
            self.place = k
            return first
        raise why

    def written(self, c: Ratio, growth: Growth) -> Term:
        """A term of the root in the statement's variables."""
        return self.quantities.term(reduced(c), growth)

    # --- further terms ----------------------------------------------------------------------------------

    def refined(self, start: Sequence[Term], count: int, rough: Form | None = None) -> list[Term]:
        """So many terms at least, or all where they are the root; a rough form may have the same slope, to leading order.

        Raises:
            Refused: a step is not known, or not small against the terms before it.
        """
        found = list(start)
        sizes = [self._size(one) for one in found]
        while len(found) < count:
            point = add(*found)
            gap = self.leading(self.form, point)
            if gap is None:
                break
            slope = self._slope(point, rough)
            growth = gap[1] / slope[1]
            if any(self.domain.quotient(growth, other) != "zero" for other in sizes):
                raise Refused("a step that is not small")
            found.append(self.written(-gap[0] * slope[0].inverse(), growth))
            sizes.append(growth)
        return found

    def _size(self, term: Term) -> Growth:
        found = self.leading(term, terms.ZERO)
        if found is None:
            raise Refused("a term that is 0")
        return found[1]

    def size(self, term: Term) -> Term:
        """The growth of a term."""
        return self.written(rational(1), self._size(term))

    def _slope(self, point: Term, rough: Form | None) -> Leading:
        """What leads in F' at a point: by the derivative, or by F(P + P/X) - F(P) for a large X."""
        for one in (self, *([rough] if rough else [])):
            with suppress(Refused):
                if (found := one.leading(derivative(one.form, self.x), point)) is not None:
                    return found
        k = len(self.where.scales) + len(self.where.near)
        moved = multiply(point, add(terms.ONE, reciprocal(name(FAR))))
        for order in (1, 2, 3):
            parts = self.series(self.form, moved, order, FAR).terms
            linear = [(c, g) for c, g in parts if dict(g.powers).get((k, 0)) == rational(-1) and not g.exponent]
            if linear:
                series = Series(tuple((c, Growth(tuple(one for one in g.powers if one[0][0] != k))) for c, g in linear))
                c, g = self.expander(order).algebra.leading(series)
                lead = self.leading(name(self.x), point)
                assert lead is not None
                return c * lead[0].inverse(), g / lead[1]
        raise Refused("a slope that is not seen")

    def composed(self, value: Term, inner: Sequence[Term], rest: Sequence[Term], count: int) -> tuple[list[Term], Term]:
        """The first terms of a function of the root, and the next growth: where the root is the inner terms and O(rest).

        Raises:
            Refused: there are not so many.
        """
        why = Refused("no order was tried")
        for order in ORDERS[1:]:
            own = self.expander(order)
            own.algebra.spent[0] = 0
            at = own.series(self.where.put(add(*inner)))
            known = own.algebra.made(list(at.terms), [*at.rest, *(self._size(one) for one in rest)])
            expander = Expander(own.algebra, own.scales, {**own.leaves, name(self.x): known})
            try:
                found = expander.series(self.where.put(value))
            except Refused as error:
                why = error
                continue
            ordered = in_order(found.terms, own.algebra)
            shown = [self.written(*one) for one in ordered]
            if not found.rest and len(shown) <= count:
                return shown, terms.ZERO
            if len(shown) > count:
                return shown[:count], self.written(rational(1), ordered[count][1])
        raise why

    # --- first terms ------------------------------------------------------------------------------------

    def starts(self, charts: Sequence[Chart]) -> Iterator[list[Term]]:
        """What may be the first terms of a root, to be tried."""
        for centre, side in charts:
            far = multiply(number(side), name(FAR))
            at = far if centre is None else add(centre, multiply(number(side), reciprocal(name(FAR))))
            for c, g in self._balances(at):
                if centre is None:
                    yield [self.written(c * rational(side), g)]
                else:
                    small = self.written(c.inverse() * rational(side), g.raised(rational(-1)))
                    yield [small] if centre == terms.ZERO else [centre, small]
        for side in (1, -1):
            for c in self._at_size(multiply(number(side), name(SIZE))):
                yield [self.written(c * rational(side), ONE)]
        yield from self._shares()

    def _shares(self) -> Iterator[list[Term]]:
        """Multiples of a quantity."""
        for scale in self.where.scales:
            one = self.quantities.values[scale]
            for share in (add(terms.ONE, name(SIZE)), reciprocal(add(terms.ONE, name(SIZE))), name(SIZE)):
                for c in self._at_size(multiply(share, one)):
                    yield [self.quantities.tidy(multiply(substitute(share, {SIZE: to_term(c)}), one))]

    def near_scales(self) -> Iterator[list[Term]]:
        """A quantity s: s (1 +- 1/X) and s X^(+-1) for a large X, and multiples of it."""
        yield from self._shares()
        for scale, k in self.where.scales.items():
            one, size = self.quantities.values[scale], power_of(k, 0)
            for side in (-1, 1):
                at = multiply(one, add(terms.ONE, multiply(number(side), reciprocal(name(FAR)))))
                for c, g in self._balances(at):
                    yield [one, self.written(c.inverse() * rational(side), size / g)]
            for side in (1, -1):
                for c, g in self._balances(multiply(one, terms.power(name(FAR), number(side)))):
                    yield [self.written(self.domain.raised(c, rational(side)), size.times(g.raised(rational(side))))]

    def _at_size(self, point: Term) -> list[Ratio]:
        """The constants at which what leads of the form at a point vanishes."""
        for order in ORDERS[1:3]:
            with suppress(Refused):
                found = self.series(self.form, point, order, SIZE)
                top = self._top([(c, g) for c, g in found.terms], self.expander(order, SIZE).algebra.domain)
                return zeros(
                    reduced(without_sums_below(sum((c for c, _ in top), rational(0)))), name(SIZE), self.domain
                )
        return []

    def _top(self, parts: Sequence[Leading], domain: Domain) -> list[Leading]:
        """The terms that no other outweighs, where they are all of one growth."""
        for _, g in parts:
            if all(domain.quotient(h, g) in ("zero", "one") for _, h in parts):
                return [(c, h) for c, h in parts if domain.quotient(h, g) == "one"]
        raise Refused("no terms that lead")

    def _balances(self, at: Term) -> Iterator[Leading]:
        """X ~ c g for which two terms of the form, or more, balance and win over the others."""
        k, seen = len(self.where.scales) + len(self.where.near), list[Growth]()
        for order in ORDERS[1:5]:
            try:
                parts = self.series(self.form, at, order, FAR).terms
            except Refused:
                continue
            plain = [(c, g) for c, g in parts if k not in frozenset().union(*(h.places() for _, h in g.exponent))]
            for (c, g), (d, h) in itertools.combinations(plain, 2):
                if self.domain.sign(c) == self.domain.sign(d) != None:  # noqa: E711
                    continue
                with suppress(Refused):
                    growth = self._balanced(g / h, k)
                    if growth is None or any(growth.same(one) for one in seen):
                        continue
                    seen.append(growth)
                    for size in self._sizes(plain, growth, k):
                        yield size, growth

    def _split(self, growth: Growth, k: int) -> tuple[Ratio, Ratio, Ratio, Growth]:
        """Powers of X, log X, log log X, and the rest."""
        powers = dict(growth.powers)
        own = [powers.pop((k, depth), rational(0)) for depth in range(3)]
        return own[0], own[1], own[2], Growth(tuple(powers.items()), growth.exponent)

    def _logarithms(self, growth: Growth) -> list[Leading]:
        """What leads in log X and log log X for X of this growth; 0 where there is none."""
        found: list[Leading] = []
        term: Leading = (rational(1), growth)
        algebra = self.expander(2).algebra
        for _ in range(2):
            try:
                term = algebra.leading(algebra.log(Series((term,))))
            except Refused:
                return [*found, *[(rational(0), ONE)] * (2 - len(found))]
            found.append(term)
        return found

    def _balanced(self, ratio: Growth, k: int) -> Growth | None:
        """The growth of X for which a quotient stays between constants."""
        a, b, c, rest = self._split(ratio, k)
        if a.is_zero:
            return None
        base = rest.raised(-a.inverse())
        if base.limit(self.domain) != "infinity":
            return None
        log, loglog = self._logarithms(base) if not (b.is_zero and c.is_zero) else [(rational(1), ONE)] * 2
        return base.times(log[1].raised(-b * a.inverse())).times(loglog[1].raised(-c * a.inverse()))

    def _sizes(self, parts: Sequence[Leading], growth: Growth, k: int) -> list[Ratio]:
        """The constants C for which the largest terms cancel at X ~ C growth."""
        log, loglog = self._logarithms(growth)
        found: list[tuple[Ratio, Ratio, Growth]] = []
        for d, g in parts:
            a, b, c, rest = self._split(g, k)
            weight = d * self.domain.raised(log[0], b) * self.domain.raised(loglog[0], c)
            size = rest.times(growth.raised(a)).times(log[1].raised(b)).times(loglog[1].raised(c))
            found.append((a, weight, size))
        top = self._top([(d, g) for _, d, g in found], self.domain)
        return solutions([(a, d) for a, d, g in found if any(g is h for _, h in top)], self.domain)


def solutions(parts: Sequence[tuple[Ratio, Ratio]], domain: Context) -> list[Ratio]:
    """The C > 0 with sum of d C^a = 0, for two exponents, or three in arithmetic progression.

    >>> [str(to_term(c)) for c in solutions([(rational(k), rational(d)) for k, d in ((2, 1), (1, -3), (0, 2))], Domain())]
    ['2', '1']
    """
    found: list[tuple[Ratio, Ratio]] = []
    for a, d in parts:
        same = next((k for k, (b, _) in enumerate(found) if (a - b).is_zero), None)
        found = [*found, (a, d)] if same is None else [
            (b, c + d if k == same else c) for k, (b, c) in enumerate(found)]  # fmt: skip
    found = [(a, d) for a, d in found if not d.is_zero]
    if len(found) == 2:
        (a, d), (b, e) = found
        return _positive([reduced(-e * d.inverse())], a - b, domain)
    if len(found) == 3 and all(a.constant() is not None for a, _ in found):
        (_, r), (b, q), (c, p) = sorted(found, key=lambda one: one[0].constant() or mpq(0))
        low = min(one[0].constant() or mpq(0) for one in found)
        if (b - rational(low)) * rational(2) != c - rational(low):
            return []
        under = reduced(q * q - rational(4) * p * r)
        if under.is_zero:
            return _positive([-q * (rational(2) * p).inverse()], b - rational(low), domain)
        with suppress(Refused):
            root = domain.raised(under, rational(mpq(1, 2)))
            both = [reduced((sign * root - q) * (rational(2) * p).inverse()) for sign in (rational(1), rational(-1))]
            return _positive(both, b - rational(low), domain)
    return []


def _positive(powers: Sequence[Ratio], exponent: Ratio, domain: Context) -> list[Ratio]:
    """C > 0 with C^exponent one of these."""
    return [domain.raised(one, exponent.inverse()) for one in powers if domain.sign(one) == 1]


def zeros(c: Ratio, x: Term, domain: Context) -> list[Ratio]:
    """The x > 0 at which what is a polynomial in powers of x is 0, where they are found; of a factor log(x), 1."""
    powers, others = [], False
    for monomial, k in c.num.items():
        own = dict(monomial)
        e = own.pop(x, mpq(0))
        others |= any(x.name in part.free for part in own)
        powers.append((rational(e), Ratio({tuple(one for one in monomial if one[0] != x): k})))
    return [] if others else solutions(powers, domain)
