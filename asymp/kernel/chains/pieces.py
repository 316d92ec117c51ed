"""A chain with a candidate for its law in pieces, and cells of states on which every question about it has one answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from asymp.kernel import terms
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import on_cell, split
from asymp.kernel.summation.linear import Linear, Relation, System, relations
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, substitute
from asymp.language.chains import Chain
from asymp.language.conditions import Conditions, OfKind, read_conditions

MOST_CELLS = 3_000
Values = Mapping[str, Term]


@dataclass(frozen=True)
class Piece:
    """The candidate on the states low <= c <= high, for each coordinate c, the ends of later ones in terms of earlier ones;
    or, without ranges, on the states that meet conditions."""

    ranges: tuple[tuple[str, Term, Term], ...]
    value: Term
    rate: Term | None
    where: Conditions = ()

    @property
    def conditions(self) -> Conditions:
        """Its states, as conditions."""
        ends = ", ".join(f"{low} <= {c}, {c} <= {high}" for c, low, high in self.ranges)
        return (*(read_conditions(ends) if ends else ()), *self.where)

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Its states."""
        ends = tuple(one for c, low, high in self.ranges for one in (Relation(low, name(c)), Relation(name(c), high)))
        return (*ends, *relations(self.where))


@dataclass(frozen=True)
class Step:
    """A move: which states it leaves, by how much it changes a state, and its probability or rate there."""

    source: tuple[Relation, ...]
    shift: Values
    weight: Term
    takes_time: bool


class Candidate:
    """A chain with a candidate for its law, of which nothing is verified."""

    def __init__(self, chain: Chain, given: Conditions, pieces: Sequence[Piece]) -> None:
        self.chain, self.pieces = chain, tuple(pieces)
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

    def leaving(self, cell: System, k: int = 0, moves: tuple[Step, ...] = ()) -> Iterator[tuple[System, tuple[Step, ...]]]:
        """A cell split by which moves leave its states."""
        if k == len(self.steps):
            yield cell, moves
            return
        for part, inside in self.parts(cell, self.at(self.steps[k].source)):
            yield from self.leaving(part, k + 1, (*moves, self.steps[k]) if inside else moves)

    def located(
        self, cell: System, values: Values | None = None, elsewhere: list[System] | None = None
    ) -> list[tuple[System, int]]:
        """A cell split by the pieces in which a state lies; what lies in none goes ``elsewhere``.

        Raises:
            Refused: some lie in no piece, if there is no elsewhere, or in two.
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
        if left and elsewhere is None:
            raise Refused("states in no piece")
        if elsewhere is not None:
            elsewhere += left
        return found

    def on(self, cell: System, work: Callable[[Sums, Callable[[Term], Term]], bool], why: str) -> None:
        """That something is seen on a cell."""
        if not on_cell(cell, self.rest, self.whole, self.chain.coordinates, work):
            raise Refused(why)
