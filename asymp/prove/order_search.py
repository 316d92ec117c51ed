"""The search for a proof of one comparison: definitions unfolded, what is said put to use, cases, ranks.

It writes the steps that :mod:`asymp.kernel.functions.order` takes; each is tried there as soon as it is written.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from asymp.kernel import terms
from asymp.kernel.functions.order import Known, Said, _forward
from asymp.kernel.functions.order_terms import Fact, gap, normal, replaced
from asymp.kernel.functions.ranked import at
from asymp.kernel.terms import ZERO, Refused, Term, add, name, number
from asymp.prove import first, order_double, order_monotone, order_products, order_sums
from asymp.prove.order_asked import MOST_ASKED, Asking, Steps
from asymp.prove.order_maxima import by_maxima
from asymp.prove.order_parts import (
    alike,
    calls,
    extremes,
    few_values,
    has_rank,
    is_bounded,
    is_definition,
    matched,
    on_sides,
    parts_of,
    parts_with,
    shifts,
    tight,
    without_it,
)  # fmt: skip

DEEPEST = 14
MOST_INSTANCES = 60
MOST_CASES = 9
MOST_NODES = 250
FEW_NODES = 30


class Search(Asking):
    """One search, and how much has been tried."""

    def __init__(self, defined: Sequence[Sequence[Any]]) -> None:
        super().__init__(defined)
        self.nodes = 0
        self.most = MOST_NODES
        self.loosely = self.inward = False
        self.failed: set[tuple[Term, Term]] = set()

    # --- small steps -------------------------------------------------------------------------------------

    def begun(self, known: Known, goal: Fact, most: int = MOST_NODES) -> Steps:
        """A proof of a goal, looked for at so many places at most."""

        def looked(loosely: bool, inward: bool = False) -> Steps:
            self.nodes, self.most, self.loosely, self.inward = 0, most, loosely, inward
            self.failed.clear()
            return self.solve(known, goal)

        ways = [lambda: looked(False), lambda: looked(False, inward=True), lambda: looked(True)]
        return first(ways if has_rank(goal) else [ways[0], ways[2]])

    def solve(self, known: Known, goal: Fact, depth: int = 0, cases: int = 0) -> Steps:
        """A proof of a goal.

        Raises:
            Refused: none is found.
        """
        self.nodes += 1
        if depth > DEEPEST or self.nodes > self.most or self.asked > MOST_ASKED:
            raise Refused(f"no proof found of {goal[0]} {goal[1]} {goal[2]}")
        found = self.closed(known, goal)
        if found is not None:
            return found
        steps: Steps = []

        def forward(one: Any) -> None:
            nonlocal known, goal
            known, goal = _forward(known, goal, one)
            steps.append(one)

        for one in tight(known):
            forward(one)
        for one in self.instances(known, goal) if depth == 0 else ():
            forward(one)
        for one in [*order_sums.constant(self, known)]:
            forward(one)
        found = self.closed(known, goal) if depth == 0 else None
        if found is not None:
            return [*steps, *found]
        for one in self.told_values(known, goal):
            forward(one)
            return [*steps, *self.solve(known, goal, depth, cases)]
        for one in self.unfolding(known, goal):
            forward(one)
            if one[0] == "use":
                forward(["put", len(known.facts) - 1, None])
                return [*steps, *self.solve(known, goal, depth, cases)]
        def term_by_term(solve: Callable[[Known, Fact], Steps]) -> Steps | None:
            for low, high in order_sums.pairs(goal):
                try:
                    forward(order_sums.term_by_term(self, known, low, high, goal[1], solve))
                except Refused:
                    continue
                found = self.closed(known, goal)
                if found is not None:
                    return [*steps, *found]
            return None

        found = term_by_term(self.quickly)
        if found is not None:
            return found
        for one in itertools.chain(order_sums.rewritten(self, known, goal), order_double.told(self, known, goal)):
            forward(one)
            forward(["put", len(known.facts) - 1, None])
            return [*steps, *self.solve(known, goal, depth, cases)]
        for turn in range(2):
            for one in self.choices(known, goal):
                forward(one)
                forward(["put", len(known.facts) - 1, None])
                return [*steps, *self.solve(known, goal, depth, cases)]
            for one in () if turn else [*self.instances(known, goal), *self.bounds(known, goal)]:
                forward(one)
        found = term_by_term(lambda known, goal: self.solve(known, goal, depth + 1, cases))
        if found is not None:
            return found
        if any(term.head in ("Max", "Min") for term in extremes(goal)):
            try:
                return [*steps, *by_maxima(self, known, goal)]
            except Refused:
                pass
        for some in order_monotone.inward(self, known, goal) if self.inward else ():
            for one in some:
                forward(one)
            forward(["put", len(known.facts) - 1, None])
            return [*steps, *self.solve(known, goal, depth, cases)]
        for one in self.told(known):
            forward(one)
        for k, one in self.cleared(known):
            forward(one)
            forward(["put", len(known.facts) - 1, k])
        found = self.closed(known, goal)
        if found is not None:
            return [*steps, *found]
        for way in order_products.ways(self, known, goal, lambda known, goal: self.solve(known, goal, depth + 1, cases)):
            try:
                return [*steps, *way()]
            except Refused:
                continue
        split = next(self.splits(known, goal), None) if cases < MOST_CASES else None
        for rank in self.ranks(known, goal, split is None, depth, cases):
            try:
                forward(rank(known))
            except Refused:
                continue
            found = self.closed(known, goal)
            if found is not None:
                return [*steps, *found]
            if known.facts[-1][1] == "=" and known.facts[-1][0] in parts_of(goal, ("Ranked",)):
                forward(["put", len(known.facts) - 1, None])
                return [*steps, *self.solve(known, goal, depth + 1, cases)]
        if split is not None:
            x, y = split
            ways = [self.solve(known.also(fact), goal, depth + 1, cases + 1) for fact in ((x, "<=", y), (y, "<", x))]
            return [*steps, ["cases", str(x), str(y), *ways]]
        if goal[1] == "=":
            one, other = (goal[0], "<=", goal[2]), (goal[2], "<=", goal[0])
            return [
                *steps,
                ["both", self.solve(known, one, depth + 1, cases), self.solve(known, other, depth + 1, cases)],
            ]
        raise Refused(f"no proof found of {goal[0]} {goal[1]} {goal[2]}")

    # --- what there is to do -----------------------------------------------------------------------------

    def told_values(self, known: Known, goal: Fact) -> Iterator[Any]:
        """Calls in the goal of which a fact says what they are, without another call."""
        for k, (left, sign, right) in enumerate(known.facts):
            plain = sign == "=" and not any(part.head in known.functions for part in terms.walk(right))
            if plain and left in calls(goal, known.functions):
                yield ["put", k, None]

    def unfolding(self, known: Known, goal: Fact) -> Iterator[Any]:
        """An equation for a function of the goal, at values at which it is given: the latest first, then definitions.

        What is defined for n + 1 is put in there, and at numbers, not for any n - 1 + 1.
        """
        for call in calls(goal, known.functions):
            for k, said in reversed([*enumerate(known.said)]):
                left, sign, right = said.chain[0]
                if sign != "=" or left.head != call.head or len(said.chain) > 1:
                    continue
                values = matched(said, left, call)
                if values is not None:
                    values = {**dict.fromkeys(said.names, ZERO), **values}
                steps = [there for part, there in zip(left.parts, call.parts, strict=True) if part.head == "sum"]
                if any(part.head == left.head for part in terms.walk(right)) and any(
                    part.head == "name" for part in steps
                ):
                    continue
                one = self.use(known, k, values) if values is not None and set(values) == set(said.names) else None
                if one is not None and not self.is_known(known, goal, one):
                    yield one

    def is_known(self, known: Known, goal: Fact, one: Any) -> bool:
        """Whether a step says nothing new."""
        new = _forward(known, goal, one)[0].facts[len(known.facts) :]
        return all(fact in known.facts or fact[0] == fact[2] for fact in new)

    def use(self, known: Known, k: int, values: Mapping[str, Term]) -> Any | None:
        """What is said in a place at these values, where its conditions are seen to hold."""
        said = known.said[k]
        if not all(map(known.is_whole, values.values())):
            return None
        try:
            by = [self.by(known, fact) for fact in said.at(values).over]
        except Refused:
            return None
        return ["use", k, [str(values[v]) for v in said.names], by]

    def choices(self, known: Known, goal: Fact) -> Iterator[Any]:
        """A Max, Min, AtMost, or rank of a few values, of the goal, of which it is known what it is."""
        for term in few_values(goal):
            try:
                yield self.listed(known, term)
            except Refused:
                continue
        yield from self.known_extremes(known, extremes(goal))

    def told(self, known: Known) -> list[Any]:
        """The same of the facts, where that is new."""
        there = [term for fact in known.facts for term in extremes(fact) if term.head != "AtMost"]
        told = {fact[0] for fact in known.facts if fact[1] == "="}
        return list(self.known_extremes(known, [term for term in dict.fromkeys(there) if term not in told]))

    def cleared(self, known: Known) -> list[tuple[int, Any]]:
        """Facts with an AtMost of which it is known what it is, each with the step that says so."""
        found = []
        for k, fact in enumerate(known.facts):
            there = [term for term in extremes(fact) if term.head == "AtMost" and term not in (fact[0], fact[2])]
            for one in list(self.known_extremes(known, there))[:1]:
                new = _forward(known, fact, one)[0].facts[-1]
                changed = tuple(replaced(side, new[0], new[2]) for side in (fact[0], fact[2]))
                if (changed[0], fact[1], changed[1]) not in known.facts and changed[0] != changed[1]:
                    found.append((k, one))
        return found

    def instances(self, known: Known, goal: Fact) -> list[Any]:
        """What is said, at values that make its functions those of the goal and the facts."""
        found: list[Any] = []
        for k, said in [*enumerate(known.said)] * (1 + self.loosely):
            there = calls(goal, {*known.functions, "Sum"}, known.facts)
            left, sign, _ = said.chain[0]
            if sign == "=" and left.head in self.defined and is_definition(said, left.head):
                continue
            for values in self.values(said, there, known.functions):
                one = self.use(known, k, values)
                if one is not None and not self.is_known(known, goal, one) and len(found) < MOST_INSTANCES:
                    found.append(one)
                    known = _forward(known, goal, one)[0]
        return found

    def values(self, said: Said, given: Sequence[Term], functions: Collection[str]) -> Iterator[dict[str, Term]]:
        """Values of the variables of what is said at which its calls are calls that there are."""
        own = [call for fact in said.chain for side in (fact[0], fact[2]) for call in parts_with(side, functions)]
        own = [call for call in dict.fromkeys(own) if terms.free(call) & set(said.names) and not terms.has_bound(call)]
        own.sort(key=lambda call: not all(part.head == "name" for part in call.parts))  # the plainest say most
        ways: list[Sequence[Term]] = [own]
        if self.loosely:  # any that give all variables a value
            ways = [c for k in (1, 2) for c in itertools.combinations(own, k)
                    if set(said.names) <= frozenset().union(*map(terms.free, c))]  # fmt: skip
        told: list[dict[str, Term]] = []
        for way in ways:
            found: list[dict[str, Term]] = [{}]
            for call in way:
                found = [
                    values for before in found for there in given if there.head == call.head
                    if (values := matched(said, call, there, before)) is not None
                ]  # fmt: skip
            for values in found:
                if set(values) == set(said.names) and values not in told:
                    told.append(values)
                    yield values
        sums = dict.fromkeys(part for fact in said.chain for part in parts_of(fact, ("Sum",)))
        for pattern, there in itertools.product(sums, given):
            values_ = alike(pattern, there, said.names)
            if values_ is not None and set(values_) == set(said.names) and values_ not in told:
                told.append(values_)
                yield values_

    def bounds(self, known: Known, goal: Fact) -> list[Any]:
        """What is known of each Max, Min and AtMost without cases."""
        return [
            ["bounds", str(term)]
            for fact in (goal, *known.facts)
            for term in extremes(fact)
            if not is_bounded(known, term)
        ]

    def splits(self, known: Known, goal: Fact) -> Iterator[tuple[Term, Term]]:
        """Two terms of which it matters which is larger."""
        for fact in (goal, *known.facts):
            for term in extremes(fact):
                if term.head == "AtMost":
                    pairs = [(ZERO, term.parts[1])]
                else:
                    pairs = list(itertools.combinations(term.parts, 2))
                for x, y in pairs:
                    if self.is_open(known, x, y):
                        yield x, y
        for term in few_values(goal):
            low, high = (int(part.number) for part in term.parts[1:3])
            for x, y in itertools.combinations([at(term.parts[0], number(k)) for k in range(low, high + 1)], 2):
                if self.is_open(known, x, y):
                    yield x, y

    # --- ranks -----------------------------------------------------------------------------------------------

    def ranks(self, known: Known, goal: Fact, last: bool, depth: int, cases: int) -> Iterator[Callable[[Known], Any]]:
        """Facts on the order statistics of the goal: what makes each of what is known; ``last``: no cases are left."""
        found = [term for term in parts_of(goal, ("Ranked",)) if not terms.has_bound(term)]
        others = [term for fact in known.facts for term in parts_of(fact, ("Ranked",)) if not terms.has_bound(term)]
        rest = gap(goal)
        for one, other in itertools.permutations(found, 2):
            if one.parts[:3] == other.parts[:3]:
                yield partial(self.higher, one=one, other=other)
        for one, other in itertools.product(found, dict.fromkeys([*found, *others] if last else found)):
            if one == other or one.parts[1:] != other.parts[1:]:
                continue
            if not last and ((one, other) in self.failed or not on_sides(goal, one, other)):
                continue
            for low, high, shift in shifts(known, goal, one, other, rest) if last else [(one, other, ZERO)]:
                sign = "=" if goal[1] == "=" else "<="
                yield partial(self.compared, one=low, other=high, shift=shift, sign=sign, depth=depth, cases=cases)
        for one in () if last or len(parts_of(goal, ("Ranked",))) > 1 else found:  # without cases of what is known
            for place in self.ends(known, goal, one):
                yield partial(self.extreme, one=one, place=place)
            if rest.get((one,)) in (1, -1):
                bound = without_it(goal, one, rest[(one,)])
                yield partial(self.bounded, one=one, bound=bound, above=rest[(one,)] == 1, quickly=True)
        for one in found if last else ():
            if rest.get((one,)) in (1, -1):
                above = rest[(one,)] == 1
                bound = without_it(goal, one, rest[(one,)])
                if self.loosely or not any(term.head == "Ranked" for term in terms.walk(bound)):
                    yield partial(self.bounded, one=one, bound=bound, above=above, depth=depth, cases=cases)
            yield partial(self.ordered, one=one, depth=depth, cases=cases)
            for place in self.ends(known, goal, one) if last else ():
                yield partial(self.extreme, one=one, place=place)

    def compared(self, known: Known, one: Term, other: Term, shift: Term, sign: str, depth: int, cases: int) -> Any:
        """R <= Q + c from the values."""
        j = self.new(known, "j")
        by = self.valid(known, one)
        goal = (at(one.parts[0], name(j)), sign, normal(add(at(other.parts[0], name(j)), shift)))
        self.failed.add((one, other))
        proof = self.solve(self.within(known, one, j), goal, depth + 1, cases)
        self.failed.discard((one, other))
        return ["ranks", str(one), str(other), str(shift), sign, j, proof, by]

    def quickly(self, known: Known, goal: Fact) -> Steps:
        """A proof by what is said, and part by part."""
        steps = [["bounds", str(term)] for term in extremes(goal) if not is_bounded(known, term)]
        for one in steps:
            known = _forward(known, goal, one)[0]
        more = self.instances(known, goal)
        for one in more:
            known = _forward(known, goal, one)[0]
        return [*steps, *more, *by_maxima(self, known, goal)]

    def bounded(
        self, known: Known, one: Term, bound: Term, above: bool, depth: int = 0, cases: int = 0, quickly: bool = False
    ) -> Any:
        """R <= c, or c <= R, from the values."""
        j = self.new(known, "j")
        by = self.valid(known, one)
        value = at(one.parts[0], name(j))
        goal = (bound, "<=", value) if above else (value, "<=", bound)
        within = self.within(known, one, j)
        proof = self.quickly(within, goal) if quickly else self.solve(within, goal, depth + 1, cases)
        return ["within", str(one), str(bound), above, j, proof, by]

    def ordered(self, known: Known, one: Term, depth: int, cases: int) -> Any:
        """The rank of values that are in order."""
        if all(part.is_number for part in one.parts[1:]):
            return self.listed(known, one)
        j = self.new(known, "j")
        k = self.new(known.with_whole(j), "k")
        by = self.valid(known, one)
        low, high = one.parts[1:3]
        within = known.with_whole(j, k).also((low, "<=", name(j)), (name(j), "<=", name(k)), (name(k), "<=", high))
        goal = (at(one.parts[0], name(j)), "<=", at(one.parts[0], name(k)))
        return ["ordered", str(one), j, k, self.solve(within, goal, depth + 1, cases), by]
