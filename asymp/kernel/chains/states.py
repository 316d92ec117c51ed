r"""Probabilities of the states of a population in an equation: what is left of it where its factors agree level by level.

A state is Vector(s(k), (k, low, high)), s being a declared function with whole values, >= 0 at all levels and of sum N there;
its probability is q(s)/Z.  The state with one object at level j instead of i, Vector(s(k) + [k = j] - [k = i], ...), i and j
different and s(i) >= 1, has that times

.. math:: \frac{w(j)}{w(i)}\,\frac{s(i)}{s(j) + 1}\,\frac{h(m + g(j) - g(i))}{h(m)},

[k = i] being written AtMost(k, i)*AtMost(i, k).  Of an equation of products the products over all levels of terms in s(k) are to
be equal level by level, for all s(k) >= 0.  What is left speaks of s by A + sum c(k) s(k) = m, as the s(k) add up to N, and by
s(i), at single levels i, of which m >= g(i) s(i) is used, and what the domain says of these.
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel import terms
from asymp.kernel.chains.population import HERE, Balanced
from asymp.kernel.chains.stated import LEVEL, TOTAL, WEIGHT, Stated
from asymp.kernel.domain import compared
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import System
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
from asymp.language.conditions import read_conditions
from asymp.language.names import BINDERS
from asymp.language.statement import Statement

PROBABILITY = "probability of the state"
"""The head of a term that no text can name."""
MOST_LEVELS = 6
BOUND = Term("bound")


class States(Stated):
    """A statement that may speak of the probabilities of states."""

    def __init__(self, law: Balanced, statement: Statement) -> None:
        super().__init__(law, statement)
        self.counts: dict[Term, Term] = {}
        """Names for the counts at single levels."""
        self.known: System = frozenset()
        self.asked: set[str] = set()
        """The declared states of which it speaks."""

    def probability(self, vector: Term) -> Term:
        """The probability of a state; of one that is declared, by a term that stands for it."""
        body = self.vector(vector)
        if not self.is_of_functions(body):
            return multiply(self._of_terms(body), reciprocal(WEIGHT))
        parts = body.parts if body.head == "sum" else (body,)
        own = [one for one in parts if one.head in self.declared]
        if len(own) != 1:
            raise Refused("one declared state is wanted")
        s = self.declared_state(own[0])
        at = Term(PROBABILITY, (name(s),))
        moved = [one for one in parts if one is not own[0]]
        return multiply(at, self._moved(moved, s)) if moved else at

    def _of_terms(self, body: Term) -> Term:
        """The weight of a state that is given by a term for each of a number of levels."""
        if not 0 < self.width() <= MOST_LEVELS:
            raise Refused("a state of a number of levels is wanted")
        places = [add(self.low, number(j)) for j in range(self.width())]
        counts = [self.in_order(opened(body, k)) for k in places]
        total = linear.form(add(*counts, negative(self.size)), self.whole)
        if not all(linear.is_whole(one, self.whole) for one in counts) or any(total[0].values()) or total[1]:
            raise Refused("the counts are not seen to be whole, and of all objects")
        if not linear.all_of(self.cell, [self.row(ZERO, one) for one in counts]):
            raise Refused("the counts are not seen not to be negative")
        return self.weigh(places, counts)

    def weigh(self, places: Sequence[Term], counts: Sequence[Term]) -> Term:
        """The weight of a state with counts at some levels, and none elsewhere."""
        factors = [terms.call("factorial", self.size)]
        held = []
        for k, n in zip(places, counts, strict=True):
            at = {LEVEL.name: k}
            factors += [power(substitute(self.weight, at), n), reciprocal(terms.call("factorial", n))]
            held.append(multiply(n, substitute(self.share, at)))
        return multiply(*factors, substitute(self.of_total, {TOTAL.name: self.in_order(add(*held))}))

    def declared_state(self, term: Term) -> str:
        """The function by whose values a state is given, if it is seen that it is one."""
        s = term.head
        if term != Term(s, (BOUND,)) or s not in self.declared or self.declared[s].kind != "whole":
            raise Refused("a state is Vector(s(k), (k, ...)), s being a function with whole values")
        k, low, high = LEVEL.name, self.low, self.high
        every = (f"[{s}({k}) >= 0 for whole {k}{end}]" for end in (f", {low} <= {k}, {k} <= {high}", ""))
        total = f"Sum({s}({k}), ({k}, {low}, {high}))"
        nonnegative, size = (
            terms.singles(c for text in texts for c in read_conditions(text))
            for texts in (every, (f"{total} = {self.size}", f"{self.size} = {total}"))
        )
        if not nonnegative & self.said or not size & self.said:
            raise Refused(f"the domain does not say that {s} are counts of all objects")
        self.asked.add(s)
        return s

    # --- one object elsewhere --------------------------------------------------------------------------

    def _moved(self, moved: Sequence[Term], s: str) -> Term:
        """The probability of a state with one object at another level, over that of the state."""
        places = dict(map(_place, moved))
        if len(moved) != 2 or set(places) != {1, -1}:
            raise Refused("a state with one object at another level is wanted")
        to, at = (self.in_order(places[side]) for side in (1, -1))
        there, here = self.count(to, s), self.count(at, s)
        self.learn(s)
        apart = [self.row(*ends) for ends in ((add(to, ONE), at), (add(at, ONE), to))]
        is_there = linear.implies(self.cell | self.known, self.row(ONE, here))
        if not is_there or not any(linear.implies(self.cell, one) for one in apart):
            raise Refused("an object is not seen to be at a level, and to move to another")
        weight, share = ([substitute(term, {LEVEL.name: k}) for k in (to, at)] for term in (self.weight, self.share))
        after = substitute(self.of_total, {TOTAL.name: add(TOTAL, share[0], negative(share[1]))})
        return multiply(*(weight[0], here, after), *map(reciprocal, (weight[1], add(there, ONE), self.of_total)))

    def count(self, level: Term, s: str) -> Term:
        """A name for s(i), i being a level."""
        level = self.a_level(self.in_order(level))
        if level not in self.counts:
            found = self.counts[level] = name(f"count{len(self.counts)}_of_population")
            self.more.add(found.name)
            held = multiply(substitute(self.share, {LEVEL.name: level}), found)
            self.known |= {self.row(ZERO, found), self.row(held, TOTAL), self.row(ZERO, TOTAL)}
        return self.counts[level]

    def learn(self, s: str) -> None:
        """What the domain says of single counts, and of the total."""
        whole = {*self.whole, TOTAL.name}
        for c in self.of_functions:
            for low, sign, high in compared(c):
                try:
                    low, high = self._named(low, s), self._named(high, s)
                    self.known |= {linear.at_least(low, high, whole | self.more, sign == "<")}
                    self.known |= {self.row(high, low)} if sign == "=" else set()
                except Refused:
                    continue

    def _named(self, term: Term, s: str) -> Term:
        """A term with names for the total and for single counts."""
        if not self.is_of_functions(term):
            return term
        if term.head == s and len(term.parts) == 1:
            return self.count(term.parts[0], s)
        if term.head in ("sum", "Sum") and (found := self._of_total(term, s)) is not None:
            return found
        if term.head in BINDERS or term.head in self.declared:
            raise Refused(f"{term} is no multiple of the total and a number, and no count at a level")
        return terms.rebuilt(term, tuple(self._named(part, s) for part in term.parts))

    # --- level by level --------------------------------------------------------------------------------

    def level_by_level(self, sides: Sequence[Term]) -> list[Term]:
        """What is left of the sides where their products over the levels are seen to be equal."""
        if len(self.asked) != 1:
            if self.asked:
                raise Refused("one state is wanted")
            return list(sides)
        (s,) = self.asked
        self.learn(s)
        if not any(part.head == PROBABILITY for side in sides for part in terms.walk(side)):
            return [self._named(side, s) for side in sides]
        split = [self._split(side, s) for side in sides]
        x = name(HERE)
        if not self.same([body for body, _ in split], cell=self.levels | {self.row(ZERO, x)}, whole=[LEVEL, x]):
            raise Refused("the factors of one level are not seen to be equal")
        return [rest for _, rest in split]

    def _split(self, side: Term, s: str) -> tuple[Term, Term]:
        """The factor of each level, in LEVEL and its count, and the rest."""
        x = name(HERE)
        body: list[Term] = []
        rest: list[Term] = []
        for factor in side.parts if side.head == "product" else (side,):
            base, e = factor.parts if factor.head == "power" else (factor, ONE)
            if base.head == PROBABILITY and e in (ONE, number(-1)):
                body.append(power(multiply(power(self.weight, x), reciprocal(terms.call("factorial", x))), e))
                rest.append(power(multiply(terms.call("factorial", self.size), self.of_total, reciprocal(WEIGHT)), e))
            elif base.head == "Product" and base.parts[1:] == (self.low, self.high) and not self.is_of_functions(e):
                body.append(power(self._counted(opened(base.parts[0], LEVEL), s), e))
            else:
                rest.append(self._named(factor, s))
        return multiply(*body), multiply(*rest)

    def _counted(self, term: Term, s: str) -> Term:
        """A term in the count at a level."""
        if term == Term(s, (LEVEL,)):
            return name(HERE)
        if term.head in self.declared or term.head in BINDERS:
            raise Refused("the count of another level")
        return terms.rebuilt(term, tuple(self._counted(part, s) for part in term.parts)) if term.parts else term

    def _of_total(self, term: Term, s: str) -> Term | None:
        """A + sum c(k) s(k) as b m + N c, where A + N c(k) = N (b g(k) + c) for all k, b being 1, -1, 1/N or -1/N."""
        each, fixed = list[Term](), list[Term]()
        for part in term.parts if term.head == "sum" else (term,):
            if not self.is_of_functions(part):
                fixed.append(part)
                continue
            factors = list(part.parts) if part.head == "product" else [part]
            sums = [one for one in factors if one.head == "Sum" and one.parts[1:] == (self.low, self.high)]
            if len(sums) != 1:
                return None
            inner = opened(sums[0].parts[0], LEVEL)
            inside = list(inner.parts) if inner.head == "product" else [inner]
            if inside.count(Term(s, (LEVEL,))) != 1:
                return None
            others = [one for one in (*factors, *inside) if one not in (sums[0], Term(s, (LEVEL,)))]
            if self.is_of_functions(*others):
                return None
            each.append(multiply(*others))
        total = add(*fixed, multiply(self.size, add(*each)))
        for b in (ONE, number(-1), reciprocal(self.size), negative(reciprocal(self.size))):
            held = multiply(self.size, b, self.share)
            rest = substitute(add(total, negative(held)), {LEVEL.name: self.low})
            if self.same([total, add(held, rest)], cell=self.levels, whole=[LEVEL]):
                is_nothing = self.same([rest, ZERO])
                return multiply(b, TOTAL) if is_nothing else add(multiply(b, TOTAL), rest)
        return None


def _place(term: Term) -> tuple[int, Term]:
    """1 and i of AtMost(k, i)*AtMost(i, k), or -1 and i where it is subtracted."""
    factors = list(term.parts) if term.head == "product" else []
    side = -1 if number(-1) in factors else 1
    both = [one.parts for one in factors if one.head == "AtMost" and len(one.parts) == 2]
    if len(both) != 2 or len(factors) != 2 + (side < 0) or both[0] != both[1][::-1] or BOUND not in both[0]:
        raise Refused("a state with one object at another level is wanted")
    (level,) = [one for one in both[0] if one != BOUND] or [BOUND]
    if terms.has_bound(level) or level.head == "bound":
        raise Refused("a level is wanted")
    return side, level
