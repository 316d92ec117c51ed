"""The stationary law of a chain whose number of states is a parameter, from a candidate for it.

A chain (see :mod:`asymp.language.chains`) has finitely many states for each choice of its parameters.  A candidate q is
given in pieces, each a term on a set of states.  For all values of the parameters it is checked, on cells of states on
which every question has one answer, that

* the moves out of a state are all drawn, with probabilities > 0 of sum 1, or all completions, at rates > 0, and lead to states;
* q > 0 on each piece, or q = 0 there by definition; the pieces are disjoint, made of states, and all of them;
* q(s) = sum over moves s' -> s of q(s') P(s' -> s), P being the probability, or the rate over the state's total rate;
* a state, the *home*, is reached from every state, and q > 0 there.

By the last the chain has one closed class, hence one stationary law, and each solution of the balance equations is a
multiple of it: the law is q over its sum, a finite sum of the pieces.  In time a state has the weight q over its total rate.

What a theorem says of the functions of a chain rests on their definition, which is trusted to be what is meant: it is shown.

>>> from asymp.kernel.theorem import apply
>>> walk = ("visits(b, n, p) = jumps of: whole n, n >= 1, 0 < p < 1; states whole b, 0 <= b <= n; "
...     "(b) -> (b + 1) with p for b < n; (b) -> (b - 1) with 1 - p for b > 0; (0) -> (0) with 1 - p; (n) -> (n) with p")
>>> law = {"ranges": [["b", "0", "n"]], "is": "p^b*(1 - p)^(-b)", "rate": None}
>>> order = [["b > 0", 1, "b"]]
>>> print(apply("chain", chain=walk, given="", law=[law], home=["0"], order=order, function="visits", piece=0).statement.body)
visits(b, n, p) = Sum(p^b0*(1 - p)^(-b0), (b0, 0, n))^(-1)*p^b*(1 - p)^(-b)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.kernel import linear, terms
from asymp.kernel.cells import Relation, on_cell, relations, solved, split, with_values
from asymp.kernel.linear import Linear, System
from asymp.kernel.ratio import rational
from asymp.kernel.sums import Sums, bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, reciprocal, substitute
from asymp.kernel.theorem import DEFINITION, Conclusion, Theorem, read_closed, rule
from asymp.language.chains import OF_PARAMETERS, Chain, read_definition
from asymp.language.conditions import Condition, Conditions, OfKind, read_conditions, text_of
from asymp.language.statement import Statement

MOST_CELLS = 3_000
MOST_PIECES = 30
RESERVED = terms.ARGUMENTS.keys() | terms._OWN_HEADS | frozenset(
    """E1 Ei FallingFactorial Integral LambertW Li Max Min Product RisingFactorial Sum acos acosh airyai airyaiprime airybi
    airybiprime asin asinh atan atanh besseli besselj besselk beta binomial catalan cos cosh cot coth csc csch erf erfc erfi
    ff li ln lowergamma polygamma rf sec sech sign sin sinh tan tanh trigamma abs ceil O o Theta Omega omega""".split()
)  # fmt: skip
"""Functions that have a meaning already."""
Values = Mapping[str, Term]
Way = tuple[tuple[Relation, ...], int, Term]
"""A region of states, the number of a move that leaves them, and a term that falls."""


@dataclass(frozen=True)
class Piece:
    """The candidate on the states low <= c <= high, for each coordinate c, the ends of later ones in terms of earlier ones."""

    ranges: tuple[tuple[str, Term, Term], ...]
    value: Term
    rate: Term | None

    @property
    def relations(self) -> tuple[Relation, ...]:
        """Its states."""
        return tuple(one for c, low, high in self.ranges for one in (Relation(low, name(c)), Relation(name(c), high)))


@dataclass(frozen=True)
class Step:
    """A move: which states it leaves, by how much it changes a state, and its probability or rate there."""

    source: tuple[Relation, ...]
    shift: Values
    weight: Term
    takes_time: bool


class Law:
    """A chain with a candidate for its law, once it is verified."""

    def __init__(self, chain: Chain, given: Conditions, pieces: Sequence[Piece]) -> None:
        self.chain, self.pieces = chain, tuple(pieces)
        self.whole = frozenset({*chain.coordinates, *chain.whole})
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
                    _require_whole(linear.form(end, self.whole))

    # --- what it is made of ------------------------------------------------------------------------

    def _step(self, k: int) -> Step:
        move, own = self.chain.moves[k], self.chain.coordinates
        fixed = {c: terms.of(node) for c, node in zip(own, move.source, strict=True) if node.kind != "name" or node.text != c}
        source = [Relation(*ends) for c, value in fixed.items() for ends in ((name(c), value), (value, name(c)))]
        shift = {}
        for c, node in zip(own, move.target, strict=True):
            moved = linear.form(add(substitute(terms.of(node), fixed), negative(fixed.get(c, name(c)))), self.whole)
            if any(v in own and coefficient for v, coefficient in moved[0].items()):
                raise Refused(f"{move}: by how much it changes {c} depends on the state")
            _require_whole(moved)
            shift[c] = add(
                terms.number(moved[1]),
                *(multiply(terms.number(coefficient), name(v)) for v, coefficient in moved[0].items() if coefficient),
            )
        return Step((*source, *relations(move.where)), shift, terms.of(move.weight), move.takes_time)

    def at(self, region: Sequence[Relation], values: Values | None = None) -> frozenset[Linear]:
        """The conditions of a region at a state."""
        return frozenset(one.at(values or {}, self.whole) for one in region)

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

    def verify(self, home: Sequence[Term], order: Sequence[Way]) -> None:
        """All that makes the candidate the law of the chain, up to its sum.

        Raises:
            Refused: what is not seen.
        """
        own = self.chain.coordinates
        if not linear.is_bounded(self.start, own, frozenset(own)):
            raise Refused("the states are not seen to be finitely many")
        states = self.at(self.states)
        for k, piece in enumerate(self.pieces):
            if not linear.all_of(self.base | self.at(piece.relations), states):
                raise Refused(f"piece {k + 1} holds what is no state")
        for cell, k in self.located(self.start):
            self._leaving(cell, self.pieces[k], 0, [])
        self._reached(home, order)
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

    def _reached(self, home: Sequence[Term], order: Sequence[Way]) -> None:
        """That the home is reached from every state: by induction over the list, and over a falling number within."""
        own = self.chain.coordinates
        if len(home) != len(own):
            raise Refused("a home has all coordinates")
        for term in home:  # of the parameters alone
            _require_whole(linear.form(term, self.chain.whole))
        place = dict(zip(own, home, strict=True))
        if not linear.all_of(self.base, self.at(self.states, place)):
            raise Refused("the home is not always a state")
        if any(self.pieces[k].value == ZERO for _, k in self.located(self.base, place)):
            raise Refused("the candidate is 0 at home")
        regions = [tuple(Relation(*ends) for c, term in place.items() for ends in ((name(c), term), (term, name(c))))]
        for way in order:
            if not self.leads(way, regions):
                raise Refused("a move that is not seen to lead towards home")
            regions.append(way[0])
        if not linear.covered(self.start, [sorted(self.at(region)) for region in regions]):
            raise Refused("states from which no way leads home")

    def leads(self, way: Way, regions: Sequence[tuple[Relation, ...]]) -> bool:
        """Whether from all states of a region a move leads to one of some regions, or falls in the same region."""
        region, chosen, by = way
        step, cell = self.steps[chosen], self.start | self.at(region)
        after = self.moved(step)
        goals = [self.at(one, after) for one in regions]
        goals.append(self.at(region, after) | self.at((Relation(substitute(by, after), by, True),)))
        return linear.all_of(cell, self.at(step.source)) and linear.covered(cell, [sorted(goal) for goal in goals])

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

    def total(self, weight: Callable[[Piece], Term | None]) -> Term:
        """The sum of a weight over all states."""
        found: list[Term] = []
        for piece in self.pieces:
            term = weight(piece)
            if term is None or piece.value == ZERO:
                continue
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
            return multiply(piece.value, reciprocal(self.total(lambda one: one.value)))
        if piece.rate is None:
            raise Refused("of states in which no time passes this is not said")
        if kind == "leaving":
            return piece.rate
        if kind == "time":
            return multiply(piece.value, reciprocal(piece.rate), reciprocal(time))
        if kind == "completions":
            return multiply(piece.value, reciprocal(completing))
        raise Refused(f"{kind} is no function of a chain")


def _require_whole(found: tuple[Mapping[str, Fraction], Fraction]) -> None:
    """That a linear form in whole variables has whole values: a state, or an end of a range, in between is none."""
    if any(c.denominator != 1 for c in (found[1], *found[0].values())):
        raise Refused("what may not be whole")


def _total(one: Sums, found: Sequence[Term]) -> Any:
    total = rational(0)
    for term in found:
        total = total + one.of(term)
    return total


# --- the rule --------------------------------------------------------------------------------------------


@rule("chain")
def _chain(premises: Sequence[Theorem], data: Mapping[str, Any]) -> Conclusion:
    """What a function of a chain is, on one piece of a candidate for its law that is verified.

    ``given``: conditions on the parameters, besides those of the chain.  ``law``: the pieces, each with ``ranges`` (of each
    coordinate), ``is`` and ``rate`` (the total rate, null where the states are left by draws).  ``home``: a state.
    ``order``: triples of conditions, the number of a move, and a term: from the states that meet the conditions the move
    leads home, or to states of triples before, or to one of the same triple at which the term is less.
    """
    if premises or set(data) != {"chain", "given", "law", "home", "order", "function", "piece"}:
        raise Refused("the data are chain, given, law, home, order, function, piece")
    own = {key: data[key] for key in ("chain", "given", "law", "home", "order")}
    law = _verified(json.dumps(own, sort_keys=True))
    kind, k = _asked(law, data)
    return _said(law, data["function"], k, law.function(kind, law.pieces[k]))


@rule("relative")
def _relative(premises: Sequence[Theorem], data: Mapping[str, Any]) -> Conclusion:
    """What h is on one piece of the law, or its mean at completions, from terms that are h up to a number.

    The data are as of the rule ``chain``, with ``relative``: a term for each piece, in which the throughput may be called.
    Equations of h that are not seen at once are premises.  On a chain of one closed class h is theirs less their mean in time.
    """
    if set(data) != {"chain", "given", "law", "home", "order", "function", "piece", "relative"}:
        raise Refused("the data are chain, given, law, home, order, function, piece, relative")
    key = json.dumps({key: data[key] for key in data if key not in ("function", "piece")}, sort_keys=True)
    law, found = _verified_ahead(key, frozenset(terms.canonical(one.statement) for one in premises if one.holds))
    kind, k = _asked(law, data)
    if kind not in ("relative", "relative_mean"):
        raise Refused(f"{kind} is said by the law")
    return _said(law, data["function"], k, law.relative(kind, found, k))


def law_and_relative(data: Mapping[str, Any]) -> tuple[Law, list[Term]]:
    """A law that is verified, and the terms for h with the throughput put in."""
    law = _verified(json.dumps({key: data[key] for key in ("chain", "given", "law", "home", "order")}, sort_keys=True))
    calls = {
        terms.call(one, *map(name, law.chain.parameters)): law.throughput
        for one, kind in law.chain.functions if kind == "throughput"
    }  # fmt: skip

    def put(term: Term) -> Term:
        return calls[term] if term in calls else terms.rebuilt(term, tuple(map(put, term.parts))) if term.parts else term

    found = [put(terms.read(_text(one))) for one in _list(data["relative"])]
    known = {*law.chain.coordinates, *law.chain.parameters}
    if any(not terms.free(one) <= known for one in found):
        raise Refused("h in terms of the state and the parameters")
    return law, found


def _asked(law: Law, data: Mapping[str, Any]) -> tuple[str, int]:
    """What the function is of the chain, and the piece."""
    function, k = data["function"], data["piece"]
    kinds = dict(law.chain.functions)
    if type(function) is not str or function not in kinds or type(k) is not int or not 0 <= k < len(law.pieces):
        raise Refused("a function of the chain, and the number of a piece")
    return kinds[function], k


def _said(law: Law, function: str, k: int, value: Term) -> Conclusion:
    """That a function is a term on a piece, or everywhere."""
    where: tuple[Condition, ...] = law.of
    cell, piece = law.base, law.pieces[k]
    if dict(law.chain.functions)[function] not in OF_PARAMETERS:
        where = (*where, *(OfKind(c, "whole") for c in law.chain.coordinates))
        where = (*where, *read_conditions(", ".join(f"{low} <= {c}, {c} <= {high}" for c, low, high in piece.ranges)))
        cell = cell | law.at(piece.relations)

    def work(one: Sums, put: Callable[[Term], Term]) -> bool:
        one.of(put(value))
        return True

    law.on(cell, work, "")
    arguments = ", ".join(law.chain.arguments(function))
    statement = read_closed(f"{function}({arguments}) = {value} for {text_of(where)}")
    return Conclusion(statement, trusts=frozenset({f"{DEFINITION}{law.chain}"}))


@lru_cache(maxsize=200)
def _verified(key: str) -> Law:
    data = json.loads(key)
    if type(data["chain"]) is not str or type(data["given"]) is not str:
        raise Refused("a chain, and what is given besides, are texts")
    chain = read_definition(data["chain"])
    if taken := sorted({one for one, _ in chain.functions} & RESERVED):
        raise Refused(f"{taken[0]} has a meaning already")
    given = read_conditions(data["given"]) if data["given"] else ()
    if type(data["law"]) is not list or not 0 < len(data["law"]) <= MOST_PIECES:
        raise Refused("a law is a list of pieces")
    law = Law(chain, given, [_piece(one, chain) for one in data["law"]])
    home = [terms.read(_text(one)) for one in _list(data["home"])]
    order = []
    for one in _list(data["order"]):
        region, move, by = _list(one)
        if type(move) is not int or not 0 <= move < len(chain.moves):
            raise Refused("the number of a move")
        found = read_conditions(_text(region))
        if any(isinstance(c, OfKind) for c in found):
            raise Refused("kinds are those of the coordinates")
        order.append((relations(found), move, terms.read(_text(by))))
    law.verify(home, order)
    return law


@lru_cache(maxsize=200)
def _verified_ahead(key: str, known: frozenset[terms.Canonical]) -> tuple[Law, list[Term]]:
    law, found = law_and_relative(json.loads(key))
    law.ahead(found, lambda wanted: terms.canonical(wanted) in known)
    return law, found


def _piece(data: Any, chain: Chain) -> Piece:
    if type(data) is not dict or set(data) != {"ranges", "is", "rate"}:
        raise Refused("a piece has ranges, is, rate")
    ranges = [tuple(map(_text, _list(one))) for one in _list(data["ranges"])]
    if sorted(c for c, _, _ in ranges) != sorted(chain.coordinates):
        raise Refused("a piece has a range for each coordinate")
    rate = None if data["rate"] is None else terms.read(_text(data["rate"]))
    found = tuple((c, terms.read(low), terms.read(high)) for c, low, high in ranges)
    seen = set(chain.parameters)
    for c, low, high in found:
        if not terms.free(low) | terms.free(high) <= seen:
            raise Refused(f"the ends of {c} are in terms of what comes before it")
        seen.add(c)
    value = terms.read(_text(data["is"]))
    if not terms.free(value) | (terms.free(rate) if rate else set()) <= seen:
        raise Refused("a law in terms of the state and the parameters")
    return Piece(found, value, rate)


def _list(found: Any) -> list[Any]:
    if type(found) is not list:
        raise Refused("a list is wanted")
    return found


def _text(found: Any) -> str:
    if type(found) is not str:
        raise Refused("a text is wanted")
    return found
