"""Search for proofs of equations with sums of hypergeometric terms: by telescoping, or by a recurrence and first values.

Zeilberger's algorithm finds a recurrence of each sum together with what telescopes; the kernel's rules check both, and the ends.

>>> from asymp.kernel.theorem import apply
>>> from asymp.language.statement import read_statement
>>> plainly = lambda one: apply("sums", statement=str(one), by=[])
>>> holds(read_statement("Sum(binomial(n, k)^2, (k, 0, n)) = binomial(2*n, n) for whole n >= 0"), plainly)
⊢ Sum(binomial(n, k)^2, (k, 0, n)) = binomial(2*n, n) for whole n >= 0
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from asymp.kernel import terms
from asymp.kernel.sequences.induction import links, started
from asymp.kernel.sequences.recurrences import combined
from asymp.kernel.sequences.rewriting import with_case
from asymp.kernel.summation.sums import bound
from asymp.kernel.terms import ONE, Refused, Term, add, multiply, name, negative, number, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import Condition, OfKind
from asymp.language.statement import Statement, read_statement
from asymp.prove import asymptotic, first, read_on
from asymp.prove.closed_forms import names_in
from asymp.prove.hypergeometric import Formal, NoTelescoper, Quotient, Ring, telescoper, whole_number

MOST_ORDER = 3
OO = name("oo")
Prover = Callable[[Statement], Theorem]


@dataclass(frozen=True)
class Piece:
    """Sum(term, (k, low, high)), with its factor in the term."""

    term: Term
    low: Term
    high: Term

    def at(self, n: str, by: int, factor: Term = ONE) -> Piece:
        """With n + by for n, and a factor."""
        put = {n: add(name(n), number(by))}
        return Piece(multiply(factor, substitute(self.term, put)), substitute(self.low, put), substitute(self.high, put))


def holds(statement: Statement, prover: Prover) -> Theorem:
    """A theorem that an equation holds; ``prover`` proves what has no sums any more, and the first values.

    Raises:
        Refused: it is another statement, or none was found.
    """
    if type(statement.body) is not Comparison or len(links(statement.body.chain)) != 1:
        raise Refused("one comparison is wanted")
    ((left, sign, right),) = links(statement.body.chain)
    if sign != "=" or not any(part.head == "Sum" for side in (left, right) for part in terms.walk(side)):
        raise Refused("no equation with sums")
    found = _Equation(statement, left, right, prover)
    return first((found.infinite, found.finite, found.after_the_first))


def of_binomials(statement: Statement) -> bool:
    """Whether binomials or factorials stand in a sum of it: inductions that know no recurrence take long with these.

    >>> [of_binomials(read_statement(f"Sum({f}, (k, 1, n)) = 1 for whole n >= 1")) for f in ("binomial(n, k)", "k^2")]
    [True, False]
    """
    sums = (part for node in statement.terms() for part in terms.walk(terms.of(node)) if part.head == "Sum")
    return any(one.head in ("binomial", "factorial", "catalan") for part in sums for one in terms.walk(part.parts[0]))


class _Equation:
    """An equation, and left - right as sums and a rest."""

    def __init__(self, statement: Statement, left: Term, right: Term, prover: Prover) -> None:
        self.statement, self.left, self.right, self.prover = statement, left, right, prover
        taken = terms.free(left) | terms.free(right) | {v for c in statement.domain for v in names_in(c)}
        self.k = next(v for v in (f"k{j}" if j else "k" for j in range(100)) if v not in taken)
        self.pieces = list(_pieces(add(left, negative(right)), ONE, self.k))

    def ring(self, *names: str) -> Ring:
        """Rational functions of what stands in the sums; of ``k`` first, then of some names."""
        parts = [part for piece in self.pieces for part in (piece.term, piece.low, piece.high)]
        own = {one.name for part in parts for one in terms.walk(part) if one.head == "name"}
        return Ring(self.k, [*names, *sorted(own - {*names, self.k, "oo"})])

    # --- what telescopes -------------------------------------------------------------------------

    def infinite(self) -> Theorem:
        """The left side is an infinite sum."""
        if self.left.head != "Sum" or self.left.parts[2] != OO:
            raise Refused("no infinite sum")
        ring = self.ring()
        (piece,) = _pieces(self.left, ONE, self.k)
        t = ring.formal(piece.term)
        G = self._certificate(ring, t, piece.term, ring.field(1))
        with contextlib.suppress(Refused):
            return apply("telescope", statement=str(self.statement), variable=self.k, by=str(G))
        limit = asymptotic.holds(read_on(f"{G} -> {self._limit(ring, G)} as whole {self.k} -> oo", self.statement.domain))
        return apply("series", [limit], statement=str(self.statement), variable=self.k, by=str(G))

    def _limit(self, ring: Ring, G: Term) -> Term:
        """Of a rational function the limit; of anything else it is taken to be 0."""
        try:
            return ring.term(ring.limit(ring.rational(G)))
        except Refused:
            return terms.ZERO

    def _certificate(self, ring: Ring, t: Formal, term: Term, total: Quotient) -> Term:
        """G with G(k + 1) - G(k) = total t, t a term."""
        (a,), certificate = telescoper(ring, [total], ring.quotient(ring.moved(t, self.k, 1), t))
        return ring.times(certificate / a, term)

    def at_once(self) -> Theorem:
        """Each group of sums telescopes."""
        ring = self.ring()
        premises = []
        for group in self._groups(ring, self.pieces):
            t = ring.formal(group[0].term)
            total = sum((ring.quotient(ring.formal(one.term), t) for one in group), ring.field(0))
            premises.append(self._telescoped(group, self._certificate(ring, t, group[0].term, total), ring))
        by = [[j, "1"] for j in range(len(premises))]
        return apply("sums", premises, statement=str(self.statement), by=[by])

    def _groups(self, ring: Ring, pieces: Iterable[Piece]) -> list[list[Piece]]:
        """Sums of similar terms over ranges that differ by numbers."""
        found: list[list[Piece]] = []
        for piece in pieces:
            if OO in (piece.low, piece.high):
                raise Refused("an infinite sum among others")
            t = ring.formal(piece.term)
            for group in found:
                try:
                    ring.quotient(t, ring.formal(group[0].term))
                    for one, other in ((piece.low, group[0].low), (piece.high, group[0].high)):
                        _gap(ring, one, other)
                except Refused:
                    continue
                group.append(piece)
                break
            else:
                found.append([piece])
        return found

    def _telescoped(self, group: Sequence[Piece], G: Term, ring: Ring) -> Theorem:
        """The sum of a group, over the range that all have in common."""
        low = max((one.low for one in group), key=lambda x: _gap(ring, x, group[0].low))
        high = min((one.high for one in group), key=lambda x: _gap(ring, x, group[0].high))
        f = add(*(one.term for one in group))
        value = add(substitute(G, {self.k: high}), negative(substitute(G, {self.k: low})), substitute(f, {self.k: high}))
        total = Term("Sum", (bound(f, self.k), low, high))
        goal = read_on(f"{total} = {value}", self.statement.domain)
        return apply("partial sum", statement=str(goal), variable=self.k, by=str(G))

    # --- recurrences -------------------------------------------------------------------------------

    def finite(self) -> Theorem:
        """All sums telescope; or there is a recurrence in a whole variable that starts at a number."""
        ways: list[Callable[[], Theorem]] = [self.at_once, *(partial(self._over, n) for n in self._runners())]
        return first(ways)

    def _runners(self) -> list[str]:
        """Whole variables of the domain, those at the ends of sums first."""
        whole = [c.name for c in self.statement.domain if isinstance(c, OfKind) and c.kind == "whole"]
        at_ends = {v for piece in self.pieces for v in terms.free(piece.low) | terms.free(piece.high)}
        return sorted(whole, key=lambda v: (v not in at_ends, v))

    def after_the_first(self) -> Theorem:
        """The same for all values of a whole variable but the first, which is taken by itself: a sum may be empty there."""
        return first(partial(self._after, n) for n in self._runners())

    def _after(self, n: str) -> Theorem:
        least, others = started(self.statement, n)
        after = f"{n} >= {add(least, ONE)}"
        cases = [{"put": {n: str(least)}}, {"where": after}]
        domain = [*others, *read_statement(f"0 = 0 for whole {n}, {after}").domain]
        begun = self.prover(read_on(f"{substitute(self.left, {n: least})} = {substitute(self.right, {n: least})}", others))
        rest = _Equation(read_on(f"{self.left} = {self.right}", domain), self.left, self.right, self.prover).finite()
        parts = [
            apply("instance", [one], statement=str(with_case(self.statement, case, frozenset({n}))[0]), values={})
            for one, case in zip((begun, rest), cases, strict=True)
        ]
        return apply("cases", parts, statement=str(self.statement), cases=cases)

    def _over(self, n: str) -> Theorem:
        least, others = started(self.statement, n)
        for order in range(1, MOST_ORDER + 1):
            try:
                factors, premises = self._of_order(n, order)
            except NoTelescoper:
                continue
            return self._recurring(n, least, others, [self.ring(n).term(a) for a in factors], premises)
        raise Refused("no recurrence of a low order")

    def _of_order(self, n: str, order: int) -> tuple[list[Quotient], list[Theorem]]:
        """The factors of a recurrence that all sums satisfy, and for each group of sums what that leaves."""
        ring = self.ring(n)
        factors: list[Quotient] = []
        found: list[tuple[list[Piece], Term]] = []
        for group in self._groups(ring, self.pieces):
            formal = [ring.formal(piece.term) for piece in group]
            t = formal[0]
            step = ring.quotient(ring.moved(t, self.k, 1), t)
            quotients = [
                sum((ring.quotient(ring.moved(one, n, j), t) for one in formal), ring.field(0)) for j in range(order + 1)
            ]
            if factors:
                quotients = [sum((a * x for a, x in zip(factors, quotients, strict=True)), ring.field(0))]
            own, certificate = telescoper(ring, quotients, step)
            if factors:
                certificate = certificate / own[0]
            else:
                factors = own
            moved = [piece.at(n, j, ring.term(a)) for j, a in enumerate(factors) for piece in group if a]
            found.append((moved, ring.times(certificate, group[0].term)))
        if not found or not factors[-1]:
            raise NoTelescoper("no recurrence of that order")
        return factors, [self._telescoped(moved, G, ring) for moved, G in found]

    def _recurring(
        self, n: str, least: Term, others: Sequence[Condition], by: Sequence[Term], premises: Sequence[Theorem]
    ) -> Theorem:
        goal = read_on(f"{combined(by, self.left, n)} = {combined(by, self.right, n)}", self.statement.domain)
        step = apply("sums", premises, statement=str(goal), by=[[[j, "1"] for j in range(len(premises))]])
        starts = []
        for j in range(len(by) - 1):
            at = {n: number(least.number + j)}
            starts.append(self.prover(read_on(f"{substitute(self.left, at)} = {substitute(self.right, at)}", others)))
        return apply("recurrence", [*starts, step], statement=str(self.statement), variable=n, by=[str(a) for a in by])


def _pieces(term: Term, factor: Term, k: str) -> Iterable[Piece]:
    """The sums of a term, which is linear in them.

    Raises:
        Refused: it is not, or there are many.
    """
    if not any(part.head == "Sum" for part in terms.walk(term)):
        return
    if term.head == "Sum":
        body, low, high = term.parts
        if any(part.head == "Sum" for part in terms.walk(body)):
            raise Refused("a sum in a sum")
        yield Piece(multiply(factor, terms.opened(body, name(k))), low, high)
    elif term.head == "sum":
        for part in term.parts:
            yield from _pieces(part, factor, k)
    elif term.head == "product":
        inner = [part for part in term.parts if any(one.head == "Sum" for one in terms.walk(part))]
        if len(inner) != 1:
            raise Refused("a product of sums")
        yield from _pieces(inner[0], multiply(factor, *(part for part in term.parts if part is not inner[0])), k)
    else:
        raise Refused(f"a sum in a {term.head}")


def _gap(ring: Ring, one: Term, other: Term) -> int:
    """one - other, a whole number."""
    found = whole_number(ring.rational(one) - ring.rational(other)) if one != other else 0
    if found is None:
        raise Refused("ends that do not differ by a number")
    return found
