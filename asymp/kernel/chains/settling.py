"""Where a chain comes to rest: the law of the first state in which time passes, from a state on.

A candidate u(s, t) is given in pieces, each a term on pairs of a state s and a state t in which time passes, and is 0 on all
other pairs.  It is checked, for states s of a region, on cells of pairs on which every question has one answer, that

* a drawn move out of a state of the region leads to one of the region, and lowers a number: the draws end;
* u(s, t) is 1 for t = s and else 0 where time passes in s, and elsewhere the mean of u(., t) after the next move.

There is one such u: what is asked for.

>>> from asymp.kernel.theorem import apply
>>> walk = ("rests(b, b_, n, p) = settles of: whole n, n >= 0, 0 < p < 1; states whole b, 0 <= b, b <= n + 1; "
...     "(b) -> (b + 1) with 1 for b <= n; (n + 1) -> (0) at p")
>>> law = [{"ranges": [["b", "0", "n"]], "is": "1", "rate": None}, {"ranges": [["b", "n + 1", "n + 1"]], "is": "1", "rate": "p"}]
>>> data = {"chain": walk, "given": "", "law": law, "home": ["n + 1"], "order": [["b <= n", 0, "-b"]]}
>>> rest = {"within": "b >= 0", "falls": "-b", "values": [{"where": "b >= 0", "is": "1"}]}
>>> print(apply("settles", **data, rest=rest, function="rests", piece=0, end=0).statement.body)
rests(b, b_, n, p) = 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from asymp.kernel.chains.law import Law, total_of
from asymp.kernel.chains.pieces import Candidate, Piece, Step, Values
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.linear import Relation, System, relations
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import ONE, ZERO, Refused, Term, multiply, name, negative, substitute
from asymp.language.chains import Chain, Move, at_the_end, end_of
from asymp.language.conditions import Conditions


class Settling(Candidate):
    """A chain with a law that is verified, and a candidate for where it comes to rest from the states of a region."""

    def __init__(self, law: Law, within: Conditions, falls: Term, pieces: Sequence[Piece]) -> None:
        given = law.of[len(law.chain.of) :]
        super().__init__(_in_pairs(law.chain, within), given, pieces)
        self.law, self.within, self.falls = law, relations(within), falls

    def verify(self) -> None:
        """That the candidate is where the chain comes to rest.

        Raises:
            Refused: what is not seen.
        """
        for end in self.ends:
            for cell, value in self.valued(self.start | self.at(relations(end))):
                for part, moves in self.leaving(cell):
                    if len({step.takes_time for step in moves}) != 1:
                        raise Refused("states that are not seen to be left by draws, or by completions")
                    if moves[0].takes_time:
                        self._at_rest(part, value)
                    else:
                        for step in moves:
                            self._led_on(part, step)
                        self._moved_on(part, [negative(value)], moves)

    @property
    def ends(self) -> list[Conditions]:
        """On which states, by the names of the ends, time passes: one list of conditions for each piece of the law."""
        return [at_the_end(self.law.chain, one.conditions) for one in self.law.pieces if one.rate is not None]

    def valued(self, cell: System, values: Values | None = None) -> Iterator[tuple[System, Term]]:
        """A cell split by what the candidate is at its pairs, or after a move."""
        outside: list[System] = []
        for inner, k in self.located(cell, values, outside):
            yield inner, substitute(self.pieces[k].value, values or {})
        yield from ((one, ZERO) for one in outside)

    def _at_rest(self, cell: System, value: Term) -> None:
        own = self.law.chain.coordinates
        same = [Relation(*pair) for c in own for pair in ((name(c), name(end_of(c))), (name(end_of(c)), name(c)))]
        for part, inside in self.parts(cell, self.at(same)):
            self._is_zero(part, [value, negative(ONE)] if inside else [value], "no law where time passes")

    def _is_zero(self, cell: System, gap: Sequence[Term], why: str) -> None:
        self.on(cell, lambda one, put: one.is_zero(total_of(one, list(map(put, gap)))), why)

    def _led_on(self, cell: System, step: Step) -> None:
        after = self.moved(step)
        if not linear.all_of(cell, self.at(self.within, after)):
            raise Refused("a draw that leads out of the region")
        if not linear.implies(cell, Relation(substitute(self.falls, after), self.falls, True).at({}, self.whole)):
            raise Refused(f"a draw that does not lower {self.falls}")

    def _moved_on(self, cell: System, gap: list[Term], moves: Sequence[Step]) -> None:
        if not moves:
            self._is_zero(cell, gap, "not the mean after the next move")
            return
        for part, value in self.valued(cell, self.moved(moves[0])):
            self._moved_on(part, gap if value == ZERO else [*gap, multiply(moves[0].weight, value)], moves[1:])

    def said(self, k: int, end: int) -> tuple[Conditions, Term]:
        """What is found on a piece of the candidate, at ends in a piece of the law."""
        if not 0 <= k < len(self.pieces) or not 0 <= end < len(self.ends):
            raise Refused("the number of a piece, and of one in which time passes")
        where = (*self.ends[end], *self.pieces[k].where)
        value = self.pieces[k].value

        def work(one: Sums, put: Callable[[Term], Term]) -> bool:
            one.of(put(value))
            return True

        cell = self.start | self.at(relations(where))
        if linear.is_empty(cell):
            raise Refused("no such pairs")
        self.on(cell, work, "")
        return (*self.of, *self.chain.states, *where), value


def _in_pairs(chain: Chain, within: Conditions) -> Chain:
    """The chain of pairs, of which the second state stays; the first one is in a region."""
    ends = tuple(node_of(name(end_of(c))) for c in chain.coordinates)

    def pair(move: Move) -> Move:
        return replace(move, source=(*move.source, *ends), target=(*move.target, *ends))

    states = (*chain.states, *within, *at_the_end(chain, chain.states))
    return Chain((), chain.of, states, tuple(map(pair, chain.moves)))
