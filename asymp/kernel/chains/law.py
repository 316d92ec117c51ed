"""A chain with a candidate for its law, and what is verified of it, on cells of states on which every question has one answer.

>>> from asymp.language.chains import read_definition
>>> chain = read_definition("f(b, p) = jumps of: 0 < p < 1; states whole b, 0 <= b <= 1; (0) -> (1) with 1; (1) -> (0) at p")
>>> ends = [terms.number(k) for k in (0, 1)]
>>> pieces = [Piece((("b", end, end),), ONE, rate) for end, rate in zip(ends, (None, name("p")), strict=True)]
>>> law = Law(chain, (), pieces)
>>> law.verify()
>>> str(law.throughput)
'(p^(-1))^(-1)'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from asymp.kernel import terms
from asymp.kernel.chains.listing import Listing, Piece
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import on_cell, solved, split, with_values
from asymp.kernel.summation.linear import Linear, Relation, System, relations
from asymp.kernel.summation.sums import Sums, bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, reciprocal, substitute
from asymp.kernel.theorem import read_closed
from asymp.language.chains import Chain
from asymp.language.conditions import Conditions, OfKind, text_of
from asymp.language.statement import Statement

MOST_CELLS = 3_000
Values = Mapping[str, Term]


@dataclass(frozen=True)
class Step:
    """A move: which states it leaves, by how much it changes a state, and its probability or rate there."""

    source: tuple[Relation, ...]
    shift: Values
    weight: Term
    takes_time: bool


class Law:
    """A chain with a candidate for its law, once it is verified."""

    def __init__(self, chain: Chain, given: Conditions, pieces: Sequence[Piece], listing: Listing | None = None) -> None:
        self.chain, self.pieces, self.listing = chain, tuple(pieces), listing
        self.whole = frozenset({*chain.coordinates, *chain.whole})
        self._at: dict[object, frozenset[Linear]] = {}
        self.of = (*chain.of, *given)
        for c in given:
            if {v for node in c.terms() for v in terms.free(terms.of(node))} - set(chain.parameters) or isinstance(c, OfKind):
                raise Refused(f"{c} is not on the parameters")
        self.base, self.rest = linear.system(self.of, chain.whole)
        self.states = relations(chain.states)
        self.start = self.base | self.at(self.states)
        self.steps = tuple(map(self._step, range(len(chain.moves))))
        self.cells = 0
        for piece in self.pieces:
            for _, *ends in piece.ranges:
                for end in ends:
                    self.require_whole(end, self.whole)

    # --- what it is made of ------------------------------------------------------------------------

    def _step(self, k: int) -> Step:
        move, own = self.chain.moves[k], self.chain.coordinates
        fixed = {c: terms.of(node) for c, node in zip(own, move.source, strict=True) if node.kind != "name" or node.text != c}
        source = [Relation(*ends) for c, value in fixed.items() for ends in ((name(c), value), (value, name(c)))]
        shift = {}
        for c, node in zip(own, move.target, strict=True):
            by = add(substitute(terms.of(node), fixed), negative(fixed.get(c, name(c))))
            moved = linear.form(by, self.whole)
            if any(coefficient and not set(own).isdisjoint(linear.factors(v)) for v, coefficient in moved[0].items()):
                raise Refused(f"{move}: by how much it changes {c} depends on the state")
            self.require_whole(by, self.whole)
            shift[c] = add(
                terms.number(moved[1]),
                *(multiply(terms.number(coefficient), linear.product(v)) for v, coefficient in moved[0].items() if coefficient),
            )
        return Step((*source, *relations(move.where)), shift, terms.of(move.weight), move.takes_time)

    @staticmethod
    def require_whole(term: Term, whole: frozenset[str]) -> None:
        """That a linear form in whole variables has whole values: a state, or an end of a range, in between is none."""
        if not linear.is_whole(term, whole):
            raise Refused("what may not be whole")

    def at(self, region: Sequence[Relation], values: Values | None = None) -> frozenset[Linear]:
        """The conditions of a region at a state."""
        key = (tuple(region), tuple((values or {}).items()))
        if key not in self._at:
            self._at[key] = frozenset(one.at(values or {}, self.whole) for one in region)
        return self._at[key]

    def moved(self, step: Step, back: bool = False) -> dict[str, Term]:
        """Where a move leads, or where it comes from."""
        return {c: add(name(c), negative(by) if back else by) for c, by in step.shift.items()}

    def parts(self, cell: System, region: frozenset[Linear]) -> list[tuple[System, bool]]:
        """A cell split by a region."""
        found = list(split(cell, sorted(region)))
        self.cells += len(found)
        if self.cells > MOST_CELLS:
            raise Refused("too many cells of states")
        return found

    def located(self, cell: System, values: Values | None = None) -> list[tuple[System, int]]:
        """A cell split by the pieces in which a state lies.

        Raises:
            Refused: some lie in no piece, or in two.
        """
        regions = [self.at(piece.relations, values) for piece in self.pieces]
        found: list[tuple[System, int]] = []
        left = [cell]
        for k, region in enumerate(regions):
            outside = []
            for part in left:
                for inner, inside in self.parts(part, region):
                    if not inside:
                        outside.append(inner)
                    elif any(not linear.is_empty(inner | other) for other in regions[k + 1 :]):
                        raise Refused(f"piece {k + 1} and a later one have states in common")
                    else:
                        found.append((inner, k))
            left = outside
        if left:
            raise Refused("states in no piece")
        return found

    def on(self, cell: System, work: Callable[[Sums, Callable[[Term], Term]], bool], why: str) -> None:
        """That something is seen on a cell."""
        if not on_cell(cell, self.rest, self.whole, self.chain.coordinates, work):
            raise Refused(why)

    # --- what is verified ---------------------------------------------------------------------------

    def verify(self) -> None:
        """All that makes the candidate a solution of the balance equations; that there is one, up to a factor, see home.

        Raises:
            Refused: what is not seen.
        """
        own = self.chain.coordinates
        if not linear.is_bounded(self.start, own, frozenset(own)):
            raise Refused("the states are not seen to be finitely many")
        states = self.at(self.states)
        for k, piece in enumerate(self.pieces):
            if piece.ranges and not linear.all_of(self.base | self.at(piece.relations), states):
                raise Refused(f"piece {k + 1} holds what is no state")
        for cell, k in self.located(self.start):
            self._leaving(cell, self.pieces[k], 0, [])
        if self.listing is not None:
            self.listing.verify(self)
        for cell, k in self.located(self.start):
            self._entered(cell, self.pieces[k].value, 0, [])

    def _leaving(self, cell: System, piece: Piece, k: int, moves: list[Step]) -> None:
        """The moves out of the states of a cell."""
        if k < len(self.steps):
            step = self.steps[k]
            for part, inside in self.parts(cell, self.at(step.source)):
                self._leaving(part, piece, k + 1, [*moves, step] if inside else moves)
            return
        if not moves or len({step.takes_time for step in moves}) > 1:
            raise Refused("states that are not left, or both by draws and by completions")
        if moves[0].takes_time is (piece.rate is None):
            raise Refused("a piece has a rate where its states are left by completions, and there alone")
        total = ONE if piece.rate is None else piece.rate
        for step in moves:
            if not linear.all_of(cell, self.at(self.states, self.moved(step))):
                raise Refused("a move out of the states")

        def work(one: Sums, put: Callable[[Term], Term]) -> bool:
            left = rational(0)
            for step in moves:
                weight = one.of(put(step.weight))
                if one.sign(weight) != 1:
                    raise Refused(f"{step.weight} is not seen to be positive")
                left = left + weight
            if piece.value != ZERO and one.sign(one.of(put(piece.value))) != 1:
                raise Refused(f"{piece.value} is not seen to be positive")
            return one.is_zero(left - one.of(put(total)))

        self.on(cell, work, f"the moves out of a state do not sum to {total}")

    def _entered(self, cell: System, value: Term, k: int, flows: list[Term]) -> None:
        """The balance of the states of a cell."""
        if k == len(self.steps):
            gap = [*flows, negative(value)]
            self.on(cell, lambda one, put: one.is_zero(_total(one, [put(flow) for flow in gap])), "a balance equation fails")
            return
        step = self.steps[k]
        back = self.moved(step, back=True)
        for part, inside in self.parts(cell, self.at((*step.source, *self.states), back)):
            if not inside:
                self._entered(part, value, k + 1, flows)
                continue
            for inner, j in self.located(part, back):
                piece = self.pieces[j]
                flow = multiply(piece.value, step.weight)
                if piece.rate is not None:
                    flow = multiply(flow, reciprocal(piece.rate))
                self._entered(inner, value, k + 1, flows if piece.value == ZERO else [*flows, substitute(flow, back)])

    # --- completions ahead of the mean ----------------------------------------------------------------

    def ahead(self, found: Sequence[Term], shown: Callable[[Statement], bool]) -> None:
        """That terms, one for each piece, are h up to a number: h(s) = r(s) + the mean of h after the next move.

        ``shown``: whether an equation that is not seen here is known otherwise.

        Raises:
            Refused: an equation is not seen.
        """
        if len(found) != len(self.pieces):
            raise Refused("a term for each piece")
        for cell, k in self.located(self.start):
            piece = self.pieces[k]
            reward = ZERO if piece.rate is None else add(ONE, negative(multiply(self.throughput, reciprocal(piece.rate))))
            self._ahead(cell, piece, found, 0, [reward, negative(found[k])], shown)

    def _ahead(
        self, cell: System, piece: Piece, found: Sequence[Term], k: int, parts: list[Term], shown: Callable[[Statement], bool]
    ) -> None:  # fmt: skip
        if k == len(self.steps):
            try:
                self.on(cell, lambda one, put: one.is_zero(_total(one, list(map(put, parts)))), "not seen at once")
            except Refused:
                if not shown(self.obligation(cell, add(*parts))):
                    raise Refused("h is not r and the mean of h after the next move") from None
            return
        step = self.steps[k]
        after = self.moved(step)
        weight = step.weight if piece.rate is None else multiply(step.weight, reciprocal(piece.rate))
        for part, inside in self.parts(cell, self.at(step.source)):
            for inner, j in self.located(part, after) if inside else [(part, -1)]:
                more = [multiply(weight, substitute(found[j], after))] if inside else []
                self._ahead(inner, piece, found, k + 1, [*parts, *more], shown)

    def obligation(self, cell: System, gap: Term) -> Statement:
        """That a term is 0 on a cell."""
        values, found = solved(cell, self.whole, self.chain.coordinates)
        others = (c for c in self.rest if not (isinstance(c, OfKind) and c.name in self.whole))
        where = (*found, *with_values(others, values))
        return read_closed(f"{substitute(gap, values)} = 0 for {text_of(where)}")

    @property
    def throughput(self) -> Term:
        """Completions per unit of time."""
        return self.function("throughput", self.pieces[0])

    def relative(self, kind: str, found: Sequence[Term], k: int) -> Term:
        """What h is on a piece, or its mean at completions."""
        if self.listing is not None:
            raise Refused("of h there is no sum over such a list of states")
        own = dict(zip(map(id, self.pieces), found, strict=True))
        in_time = self.total(lambda one: None if one.rate is None else multiply(own[id(one)], one.value, reciprocal(one.rate)))
        time = self.total(lambda one: None if one.rate is None else multiply(one.value, reciprocal(one.rate)))
        mean = negative(multiply(in_time, reciprocal(time)))
        if kind == "relative":
            return add(found[k], mean)
        completing = self.total(lambda one: None if one.rate is None else one.value)
        at = self.total(lambda one: None if one.rate is None else multiply(own[id(one)], one.value))
        return add(multiply(at, reciprocal(completing)), mean)

    # --- what follows -------------------------------------------------------------------------------

    def total(self, weight: Callable[[Piece], Term | None], over_all: bool = False) -> Term:
        """The sum of a weight over the states in which time passes, or over all states."""
        if self.listing is not None:
            if over_all:
                raise Refused("of all states there is no sum")
            return self.listing.total(weight)
        found: list[Term] = []
        for piece in self.pieces:
            term = weight(piece)
            if term is None or piece.value == ZERO:
                continue
            if not piece.ranges:
                raise Refused("states that are not listed")
            for c, low, high in reversed(piece.ranges):
                term = substitute(term, {c: low}) if low == high else Term("Sum", (bound(term, c), low, high))
            found.append(term)
        return add(*found)

    def function(self, kind: str, piece: Piece) -> Term:
        """What a function of the chain is on a piece."""
        completing = self.total(lambda one: None if one.rate is None else one.value)
        time = self.total(lambda one: None if one.rate is None else multiply(one.value, reciprocal(one.rate)))
        if kind == "throughput":
            return multiply(completing, reciprocal(time))
        if kind == "jumps":
            return multiply(piece.value, reciprocal(self.total(lambda one: one.value, over_all=True)))
        if piece.rate is None:
            raise Refused("of states in which no time passes this is not said")
        if kind == "leaving":
            return piece.rate
        if kind == "time":
            return multiply(piece.value, reciprocal(piece.rate), reciprocal(time))
        if kind == "completions":
            return multiply(piece.value, reciprocal(completing))
        raise Refused(f"{kind} is no function of a chain")


def _total(one: Sums, found: Sequence[Term]) -> Ratio:
    total = rational(0)
    for term in found:
        total = total + one.of(term)
    return total
