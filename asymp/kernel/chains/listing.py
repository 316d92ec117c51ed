"""Lists of a chain's states by one coordinate of which the others are functions.

>>> from asymp.language.chains import read_definition
>>> text = "of: whole n, n >= 1, whole d, d >= 1; states whole q, whole r, q >= 0, 0 <= r, r < d, d*q + r <= n, n <= d*q + r; "
>>> chain = read_definition(f"f(q, r, n, d) = time {text}(q, r) -> (q, r) at 1")
>>> quotient, rest = terms.read("floor(n/d)"), terms.read("n - d*q")
>>> listing = Listing("q", quotient, quotient, (("r", rest),), terms.ONE, terms.ONE)
>>> listing.verify(Candidate(chain, (), [Piece((), terms.ONE, terms.ONE)]))
>>> listing = Listing("q", terms.ZERO, quotient, (("r", rest),), terms.ONE, terms.ONE)
>>> listing.verify(Candidate(chain, (), [Piece((), terms.ONE, terms.ONE)]))
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a list with what is no state in which time passes
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lcm

from asymp.kernel import terms
from asymp.kernel.chains.pieces import Candidate, Piece
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import Linear, Relation, System
from asymp.kernel.summation.sums import Sums, bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, substitute


@dataclass(frozen=True)
class Listing:
    """The states in which time passes, one for each value from low to high of one coordinate, with a candidate and a rate.

    ``others``: each other coordinate in terms of this one, of the parameters, and of those before it; there and in the ends
    may stand floor(p/d), p and d > 0 being polynomials in whole quantities with whole coefficients.
    """

    by: str
    low: Term
    high: Term
    others: tuple[tuple[str, Term], ...]
    value: Term
    rate: Term

    def total(self, weight: Callable[[Piece], Term | None]) -> Term:
        """The sum of a weight, which may be of the candidate and of the rate."""
        term = weight(Piece((), self.value, self.rate))
        if term is None:
            raise Refused("no sum over states in which time passes")
        for c, value in reversed(self.others):
            term = substitute(term, {c: value})
        return Term("Sum", (bound(term, self.by), self.low, self.high))

    def verify(self, law: Candidate) -> None:
        """That it lists all the states in which time passes and the candidate is not 0, each once, with their values.

        Raises:
            Refused: what is not seen.
        """
        if sorted((self.by, *(c for c, _ in self.others))) != sorted(law.chain.coordinates):
            raise Refused("a list gives each coordinate once")
        floors = Floors(law)
        low, high = floors.put(self.low), floors.put(self.high)
        seen = {*law.chain.parameters}
        if not terms.free(self.low) | terms.free(self.high) <= seen:
            raise Refused("the ends of a list are of the parameters")
        place: list[tuple[str, Term]] = []
        seen.add(self.by)
        for c, value in self.others:
            if not terms.free(value) <= seen:
                raise Refused(f"{c} in a list is of what stands before it")
            place.append((c, floors.put(value)))
            seen.add(c)
        if not terms.free(self.value) | terms.free(self.rate) <= seen:
            raise Refused("a list in terms of the state and the parameters")
        pieces = [one for one in law.pieces if one.rate is not None and one.value != ZERO]
        within = {*law.whole, *floors.names}
        if not all(linear.is_whole(one, within) for one in (low, high, *(value for _, value in place))):
            raise Refused("a list of what may not be whole")
        ends = [Relation(low, name(self.by)), Relation(name(self.by), high)]
        equal = [Relation(*pair) for c, value in place for pair in ((name(c), value), (value, name(c)))]

        def rows(found: Sequence[Relation]) -> list[Linear]:
            return [one.at({}, within) for one in found]

        listed = law.base | frozenset(rows([*ends, *equal])) | floors.rows
        states = rows(law.states)
        if not linear.covered(listed, [[*rows(one.relations), *states] for one in pieces]):
            raise Refused("a list with what is no state in which time passes")
        for piece in pieces:
            cell = law.start | frozenset(rows(piece.relations)) | floors.rows
            for one in rows([*ends, *equal]):
                if not linear.implies(cell, one):
                    raise Refused("states that are not in the list, or elsewhere")
                cell |= {one}

            def work(one: Sums, put: Callable[[Term], Term], piece: Piece = piece) -> bool:
                assert piece.rate is not None
                gaps = (add(self.value, negative(piece.value)), add(self.rate, negative(piece.rate)))
                return all(one.is_zero(one.of(put(gap))) for gap in gaps)

            law.on(law.start | law.at(piece.relations), work, "a list with other values than the candidate's")

    def is_never_empty(self, law: Candidate) -> bool:
        """Whether for all values of the parameters there is a state in it."""
        floors = Floors(law)
        one = Relation(floors.put(self.low), floors.put(self.high)).at({}, {*law.whole, *floors.names})
        return linear.implies(law.base | floors.rows, one)


class Floors:
    """Names for floor(p/d), of which 0 <= p - d floor(p/d) <= d - 1 is known; d >= 1 is asked of the parameters alone."""

    def __init__(self, law: Candidate) -> None:
        self.law, self.rows = law, System()
        self.names: dict[str, Term] = {}

    def put(self, term: Term) -> Term:
        """A term with names for roundings.

        Raises:
            Refused: a rounding of another form.
        """
        if term.head != "floor":
            return terms.rebuilt(term, tuple(map(self.put, term.parts))) if term.parts else term
        found = next((k for k, one in self.names.items() if one == term), None)
        if found is not None:
            return name(found)
        factors = term.parts[0].parts if term.parts[0].head == "product" else term.parts[:1]
        below = [one for one in factors if one.head == "power" and one.parts[1] == terms.number(-1)]
        if len(below) > 1:
            raise Refused("a rounding that is no quotient")
        d, p = below[0].parts[0] if below else ONE, self.put(multiply(*(one for one in factors if one not in below)))
        within = {*self.law.whole, *self.names}
        found = f"floor{len(self.names)}'"
        coefficients, c = linear.form(p, within)
        scale = terms.number(lcm(c.denominator, *(k.denominator for k in coefficients.values())))
        p, d = multiply(scale, p), multiply(scale, d)
        if not linear.is_whole(d, self.law.whole):
            raise Refused("a rounding of a quotient by what may not be whole")
        if not linear.implies(self.law.base, linear.at_least(ONE, d, self.law.whole)):
            raise Refused("a rounding of a quotient by what may not be positive")
        self.names[found] = term
        within.add(found)
        rest = add(p, negative(multiply(d, name(found))))
        self.rows |= {linear.at_least(ZERO, rest, within), linear.at_least(rest, d, within, True)}
        return name(found)
