r"""The stationary law of a population (see :mod:`asymp.language.populations`), from a candidate for it, by detailed balance.

The candidate for the weight of a state with counts s(k), of N objects in all, and with the total m = sum g(k) s(k), is

.. math:: q(s) = N! \prod_k \frac{w(k)^{s(k)}}{s(k)!}\; h(m).

For all values of the parameters it is verified, on cells of levels on which each question has one answer, that

* the levels are whole, from the first to the last, N >= 1 is whole, g(k) >= 0 is whole; w(k) > 0, and h(m) > 0 for whole m >= 0;
* each move leads by a fixed number d of levels, from where its conditions hold to a level, at a rate > 0 wherever s(k) >= 1;
* of two levels k and k + d, d > 0, either no move leads from one to the other, or from each to the other, and then
  q(s) a(s) = q(s') a'(s') for all states s with s(k) = x >= 1, s(k + d) = y >= 0, and s' with x - 1, y + 1 and the total
  m + g(k + d) - g(k), a and a' being the sums of the rates;
* from each level but the first a move leads down; or from each but the last a move leads up.

By the last, all objects get to one level from every state, so that there is one closed class, hence one stationary law; by
detailed balance (the flows between any two states are equal) it is q over its sum.  As m >= g(k) x + g(k + d) y and as x >= 1,
m >= g(k) is used; and nothing else of m.  Several moves between the same two states add up.

>>> from asymp.language.populations import read_transitions_of
>>> text = ("full(n, r) = all at 1 of: whole n, n >= 1, r > 0; counts s(k) of n for 0 <= k <= 1; "
...     "total m = Sum((1 - k)*s(k), (k, 0, 1)); (k) -> (k + 1) at n*r*s(k)/m for k < 1; (k) -> (k - 1) at s(k) for k > 0")
>>> Balanced(read_transitions_of(text), terms.read("(n*r)^(k - 1)"), terms.read("m!")).verify()
>>> Balanced(read_transitions_of(text), terms.read("(n*r)^k"), ONE).verify()
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the flows between levels 1 apart are not seen to be equal
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from asymp.kernel import terms
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import on_cell, split
from asymp.kernel.summation.linear import Linear, Relation, System, relations
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, number, substitute
from asymp.language.populations import Population
from asymp.language.transitions import Transitions

HERE, THERE, OTHERS = "s_here", "s_there", "m_in_all"
"""Names for s(k), for the count of the level to which a move leads, and for the total where the population has none."""
FARTHEST = 20


@dataclass(frozen=True)
class Shift:
    """A move from a level to that by d higher: where, and its rate by k, the two counts and the total."""

    by: int
    where: tuple[Relation, ...]
    rate: Term


class Levels:
    """A population with what is known of its parameters and levels."""

    def __init__(self, chain: Transitions) -> None:
        if not isinstance(chain, Population):
            raise Refused("a chain of counts is wanted")
        self.chain, self.level = chain, chain.level
        self.total = name(chain.total[0] if chain.total else OTHERS)
        own = {chain.level, chain.counted, self.total.name, HERE, THERE}
        if len(own) < 5 or own & set(chain.parameters):
            raise Refused("a name that stands for two things")
        self.size, self.low, self.high = (terms.of(node) for node in (chain.size, chain.low, chain.high))
        self.share = terms.of(chain.total[1]) if chain.total else ZERO
        self.base, self.rest = linear.system(chain.of, chain.whole)
        for term in (self.size, self.low, self.high):
            if not linear.is_whole(term, chain.whole):
                raise Refused(f"{term} may not be whole")
        if not linear.all_of(self.base, [self.row(ONE, self.size), self.row(self.low, self.high)]):
            raise Refused("there may be no objects, or no levels")

    def row(self, low: Term, high: Term, more: Sequence[str] = ()) -> Linear:
        """low <= high, of whole quantities."""
        return linear.at_least(low, high, {*self.chain.whole, *more})

    def cell(self, base: System, last: Term | None = None) -> System:
        """What is known of a level, from the first to the last of all, or to another."""
        k = name(self.level)
        return base | {self.row(self.low, k, (self.level,)), self.row(k, last or self.high, (self.level,))}


class Balanced(Levels):
    """A population with a candidate for its law."""

    def __init__(self, chain: Transitions, weight: Term, of_total: Term) -> None:
        super().__init__(chain)
        self.weight, self.of_total = weight, of_total
        known = set(self.chain.parameters)
        if not weight.free <= {self.level, *known} or not of_total.free <= {self.total.name, *known}:
            raise Refused("weights in terms of the level, of the total and of the parameters")
        if not self.chain.total and self.total.name in of_total.free:
            raise Refused("there is no total")
        self.shifts = tuple(map(self._shift, range(len(self.chain.moves))))

    def _shift(self, place: int) -> Shift:
        move, k = self.chain.moves[place], name(self.level)
        by = linear.form(add(terms.of(move.target[0]), negative(k)), {self.level, *self.chain.whole})
        d = by[1]
        if any(by[0].values()) or d == 0 or d.denominator != 1 or abs(d) > FARTHEST:
            raise Refused(f"{move}: not by a fixed number of levels")
        counts = {k: name(HERE), terms.of(move.target[0]): name(THERE)}

        def put(term: Term) -> Term:
            if term.head == self.chain.counted:
                if len(term.parts) != 1 or term.parts[0] not in counts:
                    raise Refused(f"{move}: the count of another level")
                return counts[term.parts[0]]
            return terms.rebuilt(term, tuple(map(put, term.parts))) if term.parts else term

        return Shift(int(d), relations(move.where), put(terms.of(move.weight)))

    def verify(self) -> None:
        """All that makes the candidate the stationary law, up to a factor.

        Raises:
            Refused: what is not seen.
        """
        k, whole = name(self.level), {self.level, *self.chain.whole}
        levels = self.cell(self.base)
        if not linear.is_whole(self.share, whole) or not linear.implies(levels, self.row(ZERO, self.share, (self.level,))):
            raise Refused("what an object gives to the total is not seen to be whole, and not negative")
        self._positive(levels, self.weight, "the weight of a level")
        self._positive(self.base | {self.row(ZERO, self.total, (self.total.name,))}, self.of_total, "the weight of the total")
        for shift in self.shifts:
            inside = levels | self._at(shift.where)
            to = add(k, number(shift.by))
            if not linear.all_of(inside, [self.row(self.low, to, (self.level,)), self.row(to, self.high, (self.level,))]):
                raise Refused("a move that leads to no level")
            self._positive(self._state(inside), shift.rate, "a rate")
        for d in sorted({abs(shift.by) for shift in self.shifts}):
            self._balance(d)
        ends = ((add(self.low, ONE), k), (add(k, ONE), self.high))
        for side, others in zip((-1, 1), (self.row(*pair, (self.level,)) for pair in ends), strict=True):
            if linear.covered(levels | {others}, [sorted(self._at(one.where)) for one in self.shifts if one.by * side > 0]):
                return
        raise Refused("objects are not seen to get all to one level")

    def _at(self, region: Sequence[Relation], values: Mapping[str, Term] | None = None) -> System:
        return frozenset(one.at(values or {}, {self.level, *self.chain.whole}) for one in region)

    def _state(self, cell: System) -> System:
        """What is known of the counts and the total, where s(k) >= 1."""
        own = (self.level, HERE, THERE, self.total.name)
        found = {self.row(ONE, name(HERE), own), self.row(ZERO, name(THERE), own)}
        return cell | found | {self.row(end, self.total, own) for end in (self.share, ZERO)}

    def on(self, cell: System, work: Callable[[Sums, Callable[[Term], Term]], bool]) -> bool:
        """Whether something is seen on a cell."""
        return on_cell(cell, self.rest, {self.level, HERE, THERE, self.total.name, *self.chain.whole}, (self.level,), work)

    def _positive(self, cell: System, term: Term, what: str) -> None:
        if not self.on(cell, lambda one, put: one.sign(one.of(put(term))) == 1):
            raise Refused(f"{what}, {term}, is not seen to be positive")

    def _balance(self, d: int) -> None:
        """Detailed balance between levels k and k + d."""
        k, x, y, m = name(self.level), name(HERE), name(THERE), self.total
        above = {self.level: add(k, number(d))}
        cells: list[tuple[System, list[Term], list[Term]]] = [(self.cell(self.base, add(self.high, number(-d))), [], [])]
        gained = add(substitute(self.share, above), negative(self.share))
        after = {**above, HERE: add(y, ONE), THERE: add(x, number(-1)), m.name: add(m, gained)}
        for shift in (one for one in self.shifts if abs(one.by) == d):
            found = []
            for cell, up, down in cells:
                region = self._at(shift.where) if shift.by > 0 else self._at(shift.where, above)
                for part, inside in split(cell, sorted(region)):
                    more = [shift.rate] if shift.by > 0 else [substitute(shift.rate, after)]
                    found.append((part, up + more * (inside and shift.by > 0), down + more * (inside and shift.by < 0)))
            cells = found
        before, behind = ((self.weight, self.of_total), (substitute(self.weight, above), substitute(self.of_total, after)))
        for cell, up, down in cells:
            if (not up and not down) or linear.is_empty(cell):
                continue
            if not up or not down:
                raise Refused(f"between levels {d} apart moves lead one way alone")
            gap = add(
                multiply(add(*up), add(y, ONE), *before), negative(multiply(add(*down), x, *behind))
            )  # q(s) a(s) = q(s') a'(s'), where q(s')/q(s) is x/(y + 1) w(k + d)/w(k) h(m')/h(m)

            def work(one: Sums, put: Callable[[Term], Term], gap: Term = gap) -> bool:
                return one.is_zero(one.of(put(gap)))

            if not self.on(self._state(cell), work):
                raise Refused(f"the flows between levels {d} apart are not seen to be equal")

    def flows(self) -> tuple[Term, Term] | None:
        """c and r of a population whose objects move by one level: up at the rate c where m > 0, and each down at the rate r.

        The moves are one up, at c g(k) s(k)/m from the levels with g(k) > 0, which are all but the last, so that these rates add
        up to c where m > 0, that is, where not all objects are at the last level; and one down, at r s(k) from all levels but the
        first.  As the mean flows are equal, c (1 - P(all at the last)) = r (N - the mean number at the first).
        """
        k, x, m, ends = name(self.level), name(HERE), self.total, {shift.by: shift for shift in self.shifts}
        if set(ends) != {1, -1} or len(self.shifts) != 2:
            return None
        up, down = (substitute(ends[by].rate, {HERE: ONE}) for by in (1, -1))
        up = substitute(up, {m.name: substitute(self.share, {self.level: self.low}), self.level: self.low})
        levels = self.cell(self.base)
        if not up.free | down.free <= set(self.chain.parameters):
            return None
        for by, outside in ((1, (self.high, k)), (-1, (k, self.low))):
            if not linear.covered(levels, [sorted(self._at(ends[by].where)), [self.row(*outside, (self.level,))]]):
                return None
        last = self.row(substitute(self.share, {self.level: self.high}), ZERO)
        pairs = ((multiply(ends[1].rate, m), multiply(up, self.share, x)), (ends[-1].rate, multiply(down, x)))
        for shift, gap in zip((ends[1], ends[-1]), (add(one, negative(other)) for one, other in pairs), strict=True):
            cell = self._state(levels | self._at(shift.where))

            def work(one: Sums, put: Callable[[Term], Term], gap: Term = gap) -> bool:
                return one.is_zero(one.of(put(gap)))

            if not self.on(cell, work):
                return None
        return (up, down) if linear.implies(self.base, last) else None
