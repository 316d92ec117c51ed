"""The law of a chain: what is verified of a candidate for it, and what follows.

>>> from asymp.kernel.terms import name
>>> from asymp.language.chains import read_definition
>>> chain = read_definition("f(b, p) = jumps of: 0 < p < 1; states whole b, 0 <= b <= 1; (0) -> (1) with 1; (1) -> (0) at p")
>>> pieces = [Piece((("b", end, end),), ONE, rate) for end, rate in ((ZERO, None), (ONE, name("p")))]
>>> law = Law(chain, (), pieces)
>>> law.verify()
>>> str(law.throughput)
'(p^(-1))^(-1)'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asymp.kernel import terms
from asymp.kernel.chains.listing import Listing
from asymp.kernel.chains.pieces import Candidate, Piece, Step
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import solved, with_values
from asymp.kernel.summation.linear import System
from asymp.kernel.summation.sums import Sums, bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, negative, reciprocal, substitute
from asymp.kernel.theorem import read_closed
from asymp.kernel.trust import rests_on
from asymp.language.chains import Chain, read_kind
from asymp.language.conditions import Conditions, OfKind, text_of
from asymp.language.statement import Statement

DRIFT = "Latouche and Ramaswami 1999, chapter 7"


class Law(Candidate):
    """A chain with a candidate for its law, once it is verified."""

    def __init__(self, chain: Chain, given: Conditions, pieces: Sequence[Piece], listing: Listing | None = None) -> None:
        super().__init__(chain, given, pieces)
        self.listing = listing

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
            for part, moves in self.leaving(cell):
                self._left(part, self.pieces[k], moves)
        if self.listing is not None:
            self.listing.verify(self)
        for cell, k in self.located(self.start):
            self._entered(cell, self.pieces[k].value, 0, [])

    def _left(self, cell: System, piece: Piece, moves: Sequence[Step]) -> None:
        """That the moves out of the states of a cell are a law, and lead to states."""
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
            self.on(cell, lambda one, put: one.is_zero(total_of(one, [put(flow) for flow in gap])), "a balance equation fails")
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
                self.on(cell, lambda one, put: one.is_zero(total_of(one, list(map(put, parts)))), "not seen at once")
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
        in_time = self.total(lambda one: None if one.rate is None else multiply(own[id(one)], _per(one.value, one.rate)))
        time = self.total(lambda one: None if one.rate is None else _per(one.value, one.rate))
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

    def mean(self, c: Term) -> Term:
        """The mean of a term by the fractions of time, which is to be defined in each state in which time passes."""
        for piece in self.pieces:
            if piece.rate is not None:
                for cell, inside in self.parts(self.start, self.at(piece.relations)):
                    if inside:
                        self.on(cell, lambda one, put: one.of(put(c)) is not None, f"{c} is not seen to be defined")
        weighed = self.total(lambda one: None if one.rate is None else multiply(c, _per(one.value, one.rate)))
        time = self.total(lambda one: None if one.rate is None else _per(one.value, one.rate))
        return multiply(weighed, reciprocal(time))

    def counts(self, jobs: Term) -> None:
        """That a term counts the jobs that have been drawn: by moves that add 1 to it, and completions that take 1 from it.

        Raises:
            Refused: a drawn move adds what is neither 0 nor 1, or a completion takes another number.
        """
        for step in self.steps:
            by, number = linear.form(self.change(jobs, step), self.whole)
            if any(by.values()) or number not in ((-1,) if step.takes_time else (0, 1)):
                raise Refused(f"{jobs} is to rise by 0 or 1 at a drawn move, and to fall by 1 at a completion")

    def change(self, c: Term, step: Step) -> Term:
        """By how much a move changes a term."""
        return add(substitute(c, self.moved(step)), negative(c))

    def border(self, jobs: Term) -> Term:
        """The rate of arrivals up to which a line of jobs in front of the chain is positive recurrent.

        A line that is not empty rises by 1 at an arrival, and falls by 1 at a move that draws a job: what counts the jobs that
        are drawn and not completed has bounds, as there are finitely many states, so in the long run as many are drawn as are
        completed.  The mean drift is the rate of arrivals less the throughput.  The phases of that line are the states in which
        time passes: of each the law is positive, so they lead to one another.

        Raises:
            Refused: the term does not count jobs, or the law of a state in which time passes is not positive.
        """
        if any(one.value == ZERO and one.rate is not None for one in self.pieces):
            raise Refused("a state in which time passes, and that does not return")
        self.counts(jobs)
        rests_on(DRIFT)
        return self.throughput

    def conserved(self, mean: Term, c: Term, jobs: Term, share: Term) -> Term:
        """The mean of a term, in time, where it is the rate at which completions lower c, and c rises as jobs are drawn.

        In the long run c, which has bounds, rises as much as it falls.  Where a move is drawn, c rises in the mean by
        ``share`` times what the jobs do; these rise as often as one is completed: the mean is share*throughput.

        Raises:
            Refused: that is not seen.
        """
        self.counts(jobs)
        if not terms.free(share) <= set(self.chain.parameters):
            raise Refused("a share in terms of the parameters")
        for start, k in self.located(self.start):
            for cell, moves in self.leaving(start):
                gap = [multiply(step.weight, self.change(c, step)) for step in moves]
                if self.pieces[k].rate is None:
                    gap += [negative(multiply(share, step.weight, self.change(jobs, step))) for step in moves]
                else:
                    gap.append(mean)

                def work(one: Sums, put: Callable[[Term], Term], gap: Sequence[Term] = gap) -> bool:
                    one.of(put(c))
                    return one.is_zero(total_of(one, list(map(put, gap))))

                self.on(cell, work, f"{c} does not rise by {share} at a job that is drawn, and fall by {mean} in time")
        return multiply(share, self.throughput)

    def function(self, kind: str, piece: Piece) -> Term:
        """What a function of the chain is on a piece."""
        word, term = read_kind(kind)
        if term is not None:
            return self.mean(terms.of(term)) if word == "mean" else self.border(terms.of(term))
        completing = self.total(lambda one: None if one.rate is None else one.value)
        time = self.total(lambda one: None if one.rate is None else _per(one.value, one.rate))
        if kind == "throughput":
            return multiply(completing, reciprocal(time))
        if kind == "jumps":
            return multiply(piece.value, reciprocal(self.total(lambda one: one.value, over_all=True)))
        if piece.rate is None:
            raise Refused("of states in which no time passes this is not said")
        if kind == "leaving":
            return piece.rate
        if kind == "time":
            return multiply(_per(piece.value, piece.rate), reciprocal(time))
        if kind == "completions":
            return multiply(piece.value, reciprocal(completing))
        raise Refused(f"{kind} is no function of a chain")


def _per(value: Term, rate: Term) -> Term:
    """A value over a rate, which is > 0: a factor of both goes."""
    factors = list(value.parts) if value.head == "product" else [value]
    if rate in factors:
        factors.remove(rate)
        return multiply(*factors)
    return multiply(value, reciprocal(rate))


def total_of(one: Sums, found: Sequence[Term]) -> Ratio:
    """The sum of some terms."""
    total = rational(0)
    for term in found:
        total = total + one.of(term)
    return total
