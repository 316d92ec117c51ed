"""The sums over all states of a population for which its functions stand, and the integrals that are such sums.

The mathematics stand in :mod:`asymp.kernel.chains.means`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from asymp.kernel import terms
from asymp.kernel.chains.population import Balanced
from asymp.kernel.chains.rates import Rates
from asymp.kernel.chains.stated import LEVEL, TIME, TOTAL, WEIGHT
from asymp.kernel.summation import linear
from asymp.kernel.summation.sums import bound
from asymp.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    multiply,
    name,
    negative,
    number,
    opened,
    power,
    reciprocal,
    substitute,
)
from asymp.kernel.trust import rests_on
from asymp.language.names import BINDERS
from asymp.language.statement import Statement


@dataclass
class Sum:
    """A sum of the weights of all states, times products of f(k)^s(k), or times sum v(k) s(k): what stands for it."""

    stands: Term
    factor: Term
    single: bool
    """Whether it is sum v(k) s(k); then the factor is v, at the level ``only`` alone if there is one."""
    only: Term | None = None


class Totals(Rates):
    """A statement that may speak of such sums, by quotients over the sum of all weights, and by integrals."""

    def __init__(self, law: Balanced, statement: Statement) -> None:
        super().__init__(law, statement)
        self.sums = [Sum(WEIGHT, ONE, False)]

    def over(self, wanted: Sum) -> Term:
        """A sum over the sum of all weights, whose factor is seen to be defined at all levels."""
        factor = self.plain(wanted.factor, {})
        if not self.seen(lambda one, put: bool(one.of(put(factor))) or True, cell=self.levels, whole=[LEVEL]):
            raise Refused(f"{wanted.factor} is not seen to be defined at all levels")
        for one in self.sums:
            if (one.factor, one.single, one.only) == (wanted.factor, wanted.single, wanted.only):
                return multiply(one.stands, reciprocal(WEIGHT))
        wanted = replace(wanted, stands=name(f"sum{len(self.sums)}_of_population"))
        self.sums.append(wanted)
        return multiply(wanted.stands, reciprocal(WEIGHT))

    def flow(self, by: Term) -> Term:
        """The mean number of moves by one level up or down in a unit of time."""
        rates = self.law.flows()
        if rates is None or by not in (ONE, number(-1)):
            raise Refused("the rates of the moves by so many levels are not seen to add up")
        return multiply(substitute(rates[0], self.put_in), self._not_full(), reciprocal(WEIGHT))

    def _not_full(self) -> Term:
        """The sum of the weights of all states but that with all objects at the last level."""
        at = {LEVEL.name: self.high}
        full = multiply(power(substitute(self.weight, at), self.size), substitute(self.of_total, {TOTAL.name: ZERO}))
        return add(WEIGHT, negative(full))

    def by_flows(self) -> dict[str, Term]:
        """What the mean numbers at the first level, and at the last of two, stand for, by the flows between levels."""
        rates = self.law.flows()
        if rates is None:
            return {}
        up, down = (substitute(one, self.put_in) for one in rates)
        above = multiply(up, reciprocal(down), self._not_full())
        found = {}
        for one in self.sums:
            if one.single and one.factor == ONE and one.only == self.low:
                found[one.stands.name] = add(multiply(self.size, WEIGHT), negative(above))
            if one.single and one.factor == ONE and one.only == self.high and self.width() == 2:
                found[one.stands.name] = above
        return found

    def at_two_levels(self, one: Sum) -> Term:
        """The sum over the states of two levels, by the count of the higher one."""
        j = LEVEL
        places, counts = (self.low, self.high), (add(self.size, negative(j)), j)
        factors = [substitute(one.factor, {LEVEL.name: k}) for k in places]
        if one.only is not None:
            if one.only not in places:
                raise Refused("which of the two levels is not seen")
            factors = [number(int(k == one.only)) for k in places]
        more = [add(*map(multiply, factors, counts))] if one.single else list(map(power, factors, counts))
        return Term("Sum", (bound(multiply(self.weigh(places, counts), *more), j.name), ZERO, self.size))

    def stand(self) -> dict[str, Term]:
        """What the sums are, where they are powers, or may be sums over the count at one of two levels."""
        if TOTAL.name not in terms.free(self.of_total):
            return {one.stands.name: self._plainly(one) for one in self.sums}
        integrals = any(part.head == "Integral" for node in self.statement.terms() for part in terms.walk(terms.of(node)))
        return {one.stands.name: self.at_two_levels(one) for one in self.sums} if self.width() == 2 and not integrals else {}

    def _plainly(self, one: Sum) -> Term:
        def total(term: Term) -> Term:
            return Term("Sum", (bound(term, LEVEL.name), self.low, self.high))

        if not one.single:
            return multiply(self.of_total, power(total(multiply(self.weight, one.factor)), self.size))
        apart = total(multiply(self.weight, one.factor)) if one.only is None else substitute(self.weight, {LEVEL.name: one.only})
        return multiply(self.of_total, self.size, apart, power(total(self.weight), add(self.size, number(-1))))

    def put(self, term: Term) -> Term:
        """The term with what they stand for in place of integrals."""
        if term.head == "Integral":
            return self._integral(term)
        if term.head in BINDERS:
            if any(part.head == "Integral" for part in terms.walk(term)):
                raise Refused(f"an integral under a {term.head}")
            return term
        return terms.rebuilt(term, tuple(map(self.put, term.parts))) if term.parts else term

    def _integral(self, term: Term) -> Term:
        """What an integral is, of the sums that are asked for."""
        body, low, high = term.parts
        if (low, high) != (ZERO, name("oo")):
            raise Refused("integrals from 0 to oo are wanted")
        inside = opened(body, TIME)
        factors = list(inside.parts) if inside.head == "product" else [inside]
        falling = [one for one in factors if one.head == "exp" and TIME.name in one.free]
        powers = [one for one in factors if one.head == "power" and one.parts[0] != TIME and TIME.name in one.parts[0].free]
        size, less = self.size, add(self.size, number(-1))
        powers = [one for one in powers if one.parts[1] in (size, less)]
        if len(falling) != 1 or len(powers) != 1:
            raise Refused("an integral of another form")
        rate = self._rate(falling[0].parts[0])
        (base, exponent), others = powers[0].parts, [one for one in factors if one not in (falling[0], powers[0])]
        front, a = self._gamma()
        at = power(TIME, a) if a != ZERO else ONE
        scale = reciprocal(multiply(front, power(rate, add(a, ONE))))
        weight = multiply(self.weight, power(rate, self.share), power(TIME, self.share))
        rests_on("DLMF 5.4.1")
        rests_on("DLMF 5.9.1")
        if exponent == size:
            free = [one for one in others if TIME.name not in one.free]
            if self.same([multiply(*(one for one in others if one not in free)), at], more=[TIME]):
                for one in self.sums:
                    if not one.single and self._is_sum(base, multiply(weight, one.factor)):
                        return multiply(*free, one.stands, scale)
        elif self._is_sum(base, weight):
            left, more = multiply(*others), [TIME]
            for one in self.sums:
                if one.single and one.only is None:
                    total = Term("Sum", (bound(multiply(one.factor, weight), LEVEL.name), self.low, self.high))
                elif one.single and one.only is not None:
                    total = substitute(weight, {LEVEL.name: one.only})
                else:
                    continue
                if not self.is_of_functions(left, total) and self.same([left, multiply(total, at)], more=more):
                    return multiply(one.stands, reciprocal(size), scale)
            first = multiply(substitute(weight, {LEVEL.name: self.low}), at)  # all but what the first level gives
            if not self.is_of_functions(left) and self.same([add(left, first), multiply(base, at)], more=more):
                at_first = multiply(self.over(Sum(ZERO, ONE, True, self.low)), WEIGHT)
                return multiply(add(WEIGHT, negative(multiply(at_first, reciprocal(size)))), scale)
        raise Refused("an integral that is none of the sums that are asked for")

    def _rate(self, exponent: Term) -> Term:
        """r of exp(-r t), r > 0."""
        factors = list(exponent.parts) if exponent.head == "product" else [exponent]
        if factors.count(TIME) == 1:
            factors.remove(TIME)
            rate = multiply(number(-1), *factors)
            if TIME.name not in rate.free and not self.is_of_functions(rate):
                if self.seen(lambda one, put: one.sign(one.of(put(rate))) == 1):
                    return rate
        raise Refused("an exponential that is not seen to fall")

    def _gamma(self) -> tuple[Term, Term]:
        """c and a, where h(m) = c (m + a)!, c > 0 and a >= 0 whole."""
        m, of_total = TOTAL, self.of_total
        factors = list(of_total.parts) if of_total.head == "product" else [of_total]
        moving = [one for one in factors if m.name in one.free]
        if len(moving) == 1 and moving[0].head == "factorial":
            a = add(moving[0].parts[0], negative(m)) if moving[0].parts[0] != m else ZERO
            if moving[0].parts[0].head == "sum" and m in moving[0].parts[0].parts:
                left = list(moving[0].parts[0].parts)
                left.remove(m)
                a = add(*left)
            if m.name not in a.free and linear.is_whole(a, self.whole) and linear.implies(self.cell, self.row(ZERO, a)):
                return multiply(*(one for one in factors if one is not moving[0])), a
        raise Refused("the weight of the total is no c*(m + a)!, whose integral is known")

    def _is_sum(self, found: Term, summand: Term) -> bool:
        """Whether a term is the sum of a summand over all levels: term by term, also from the end, or as a whole."""
        if found.head == "Sum" and found.parts[1:] == (self.low, self.high):
            for k in (LEVEL, add(self.low, self.high, negative(LEVEL))):
                fresh: dict[Term, Term] = {}
                sides = [self.plain(opened(found.parts[0], k), fresh), self.plain(summand, fresh)]
                if self.same(sides, cell=self.levels, more=[TIME], whole=[LEVEL]):
                    return True
        if self.is_of_functions(found, summand):
            return False
        return self.same([found, Term("Sum", (bound(summand, LEVEL.name), self.low, self.high))], more=[TIME])
