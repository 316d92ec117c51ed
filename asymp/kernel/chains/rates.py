"""Rates in the states of a population, by its moves alone: of all moves by one level, and by how much a count grows.

In a state s the count at level j grows, in a unit of time and in the mean, by the rates of the moves that lead there less those
of the moves that leave it.  A rate is that of a move from a level with an object; where the term for it is 0 without one, it
is the rate in all states in which it has a meaning.

>>> from asymp.kernel.theorem import apply
>>> pool = ("grows(s, j, n, r) = drift at j of: whole n, n >= 1, r > 0; counts s(k) of n for 0 <= k <= 1; "
...     "(k) -> (k + 1) at r*s(k) for k < 1; (k) -> (k - 1) at s(k) for k > 0")
>>> said = ("grows(Vector(s(k), (k, 0, 1)), 0, n, r) = s(1) - r*s(0) for whole n, n >= 1, r > 0, function whole s(k), "
...     "[s(k) >= 0 for whole k, 0 <= k <= 1], Sum(s(k), (k, 0, 1)) = n")
>>> apply("population", chain=pool, weight="r^k", of_total="1", statement=said).trusts == {f"definition: {pool}"}
True
"""

from __future__ import annotations

from asymp.kernel.chains.population import HERE, THERE
from asymp.kernel.chains.stated import LEVEL, TOTAL
from asymp.kernel.chains.states import States
from asymp.kernel.summation import linear
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, negative, number, substitute


class Rates(States):
    """A statement that may speak of rates in a declared state."""

    def rate(self, vector: Term, by: Term) -> Term:
        """The total rate of the moves by one level up, where m > 0, or down."""
        s = self.declared_state(self.vector(vector))
        self.learn(s)
        rates = self.law.flows()
        if rates is None or by not in (ONE, number(-1)):
            raise Refused("the rates of the moves by so many levels are not seen to add up")
        up, down = (substitute(one, self.put_in) for one in rates)
        if by != ONE:
            return multiply(down, add(self.size, negative(self.count(self.low, s))))
        if not linear.implies(self.cell | self.known, self.row(ONE, TOTAL)):
            raise Refused("the total is not seen to be positive")
        return up

    def drift(self, vector: Term, level: Term) -> Term:
        """By how much the count at a level grows."""
        s = self.declared_state(self.vector(vector))
        self.count(level, s)
        self.learn(s)
        found = [ZERO]
        for k, shift in enumerate(self.law.shifts):
            for side, start in ((-1, level), (1, add(level, number(-shift.by)))):
                start = self.in_order(start)
                whole = {*self.whole, LEVEL.name}
                inside = [one.at({**self.put_in, self.law.level: start}, whole) for one in shift.where]
                inside += [self.row(self.low, start), self.row(start, self.high)]
                if linear.all_of(self.cell, inside):
                    found.append(multiply(number(side), self._rate_from(k, start, s)))
                elif not linear.is_empty(self.cell | frozenset(inside)):
                    raise Refused("which moves lead to the level, and from it, is not seen")
        return add(*found)

    def _rate_from(self, k: int, start: Term, s: str) -> Term:
        """The rate of a move from a level, which is to be 0 where no object is there."""
        shift = self.law.shifts[k]
        put = {**self.put_in, self.law.level: start, self.law.total.name: TOTAL}
        put |= {HERE: self.count(start, s), THERE: self.count(add(start, number(shift.by)), s)}
        alone = substitute(shift.rate, {**put, HERE: ZERO})
        if not self.same([alone, ZERO], cell=self.known, whole=[TOTAL, *self.counts.values()]):
            raise Refused("a rate that may not be 0 where there is no object")
        return substitute(shift.rate, put)
