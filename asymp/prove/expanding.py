"""Expansions that are asked for: the terms of a quantity in a regime, read off the kernel's series, and then a theorem.

Of a statement ``f = O(...)`` the right side is looked for.  The series of f is taken in the quantities of the regime, with as many
terms as are wanted; what it says is a statement, of which the rule ``asymptotic`` makes a theorem.  A refusal says what it hangs
on, where that is the sign of a coefficient, or which of two quantities is larger (see :mod:`asymp.prove.parting`).

>>> from asymp.language.statement import read_statement
>>> expanded(read_statement("harmonic(n) = O(1) as n -> oo"), 2).theorem
⊢ harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo
>>> expanded(read_statement("sqrt(x^2 + 1) = O(1) as x -> -oo"), 2).terms
('-x', '-1/(2*x)')
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace

from asymp.kernel import terms
from asymp.kernel.facts.signs import Signs
from asymp.kernel.growths.asymptotics import MOST_ORDER, by_series
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.limit_points import at_infinity, limit_points
from asymp.kernel.growths.regime import Placed, placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding
from asymp.language.conditions import Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.prove.by_hand import by_hand
from asymp.prove.written import Quantities
from asymp.regimes.names import unused
from asymp.regimes.paths import path
from asymp.regimes.quantities import Place, places

EXTRA = (0, 1, 2, 4, 8, 16, 32)
"""How much further than the terms that are wanted the series are taken, until these are known and the next one is."""
Summand = tuple[Ratio, Growth]


@dataclass(frozen=True)
class Expanded:
    """``theorem``: f is ``terms`` + O(``growth``), as text; growth "0" where that is exact.

    ``fewer`` says why there are fewer terms than are wanted.
    """

    theorem: Theorem
    terms: tuple[str, ...]
    growth: str
    fewer: str = ""


class Hangs(Refused):
    """It hangs on the sign of ``of``, or, ``along`` a path, on where that tends."""

    def __init__(self, why: str, of: Term, along: bool) -> None:
        super().__init__(why)
        self.of, self.along = of, along


@dataclass(frozen=True)
class _Asked(Domain):
    """A domain that keeps what was asked of it and not told."""

    open: list[Ratio | Growth] = field(default_factory=list, init=False, repr=False, compare=False)

    def of(self, x: Ratio) -> Signs:
        found = super().of(x)
        if len(found) > 1:
            self.open.append(x)
        return found

    def untold(self, growth: Growth) -> None:
        if self.open and isinstance(self.open[-1], Growth):
            return  # the first is the one that is told
        if all(self.sign(e) is not None for e in (*(e for _, e in growth.powers), *(c for c, _ in growth.exponent))):
            self.open.append(growth)  # what it hangs on is no coefficient, but the path


def expanded(statement: Statement, count: int) -> Expanded:
    """The first terms of the left side in the regime, as many as are wanted or as are known.

    Raises:
        Refused: no term is found; Hangs: it hangs on what is not said.
    """
    inner, back = _at_infinity(statement)
    last: Refused | None = None
    # p itself, if that will do
    for place in sorted(places(replace(inner, uniform=())), key=lambda one: "small" in one):
        try:
            found = _expanded(inner, count, place)
        except Hangs as error:
            last = error if last is None or not isinstance(last, Hangs) else last
        except Refused as error:
            last = last or error
        else:
            return _proved(statement, found, back, place)
    raise last or Refused("no quantities for this regime")


def _at_infinity(statement: Statement) -> tuple[Statement, dict[str, Term]]:
    """The statement in what tends to infinity, and what that is in its variables."""
    back: dict[str, Term] = {}
    while near := limit_points(statement):
        (limit,) = (c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and c.term.text == near[0])
        v, x, target = unused(statement, ("v", "u", "w"), f"{near[0]}_v"), terms.name(near[0]), terms.of(limit.target)
        statement = at_infinity(statement, near[0], v)
        gap = terms.add(x, terms.negative(target))
        finite = not any(part == terms.name("oo") for part in terms.walk(target))
        back[v] = terms.reciprocal(gap if limit.side == "+" else terms.negative(gap)) if finite else terms.negative(x)
    return statement, back


@dataclass(frozen=True)
class _Found:
    """The first terms and the remainder as terms in the variables, the order at which they are known, and why there are no more."""

    kept: list[Term]
    rest: list[Term]
    order: int
    fewer: str


def _expanded(statement: Statement, count: int, place: Place) -> _Found:
    """At the least order at which enough is known."""
    best: _Found | None = None
    failure: Refused | None = None
    stuck = 0
    for order in dict.fromkeys(min(count + extra, MOST_ORDER) for extra in EXTRA):
        before = best
        try:
            best, enough = _at(statement, count, place, order)
        except Hangs as error:
            failure = failure or error
            break
        except Refused as error:
            stuck += best is not None or (failure is not None and str(error) == str(failure))
            failure = failure or error
            enough = False
        stuck += before is not None and before.kept == best.kept and before.rest == best.rest
        if enough or stuck == 2:  # a further order helps against cancellation, not against what is not known better
            break
    if best is None:
        raise failure or Refused("no order was tried")
    return best


def _at(statement: Statement, count: int, place: Place, order: int) -> tuple[_Found, bool]:
    """The first terms of the series at one order, and whether no further order is wanted."""
    plain = placed(statement, place)
    asked = _Asked(**{one.name: getattr(plain.domain, one.name) for one in fields(plain.domain) if one.init})
    where = replace(plain, domain=asked)
    f = where.put(terms.of(_left(statement)))
    made: list[tuple[Algebra, Series]] = []

    def taken(algebra: Algebra) -> None:
        made[:] = [(algebra, expander_of((), statement, where, algebra).series(f))]

    quantities = Quantities(where, place["scales"])
    try:
        by_series(taken, Algebra(asked, order), [f])
        algebra, series = made[0]
        first, others = _first(series, algebra, count)
    except Refused as error:
        raise _hanging(error, asked, quantities) from error
    rest = algebra.made([], [*(g for _, g in others), *series.rest]).rest
    if not first and rest:
        growths = " + ".join(by_hand(quantities.term(rational(1), r)) for r in rest)
        raise Refused(f"no term could be derived, only O({growths})")
    fewer = ""
    if len(first) < count:
        fewer = f"only {len(first)} term{'s' * (len(first) != 1)} could be derived: the rest is not known beyond its order"
        if not series.rest:
            fewer = "exact: there are no more terms"
        if others:
            rivals = sorted(by_hand(quantities.term(rational(1), r)) for r in rest)
            fewer = f"the order of {' and '.join(rivals)} is not given"
    back = {q.name: terms.read(f"-log(1 - {p})") for p, q in where.powers.items()}
    kept = [terms.substitute(x, back) for x in _joined(first, quantities)]
    found = _Found(kept, [terms.substitute(_size(quantities.term(rational(1), r)), back) for r in rest], order, fewer)
    return found, len(series.terms) > count or not series.rest or bool(others)


def _size(term: Term) -> Term:
    """A growth that is positive, without a sign: log(1/x) is written -log(x)."""
    return terms.multiply(*(x if not x.is_number else terms.number(abs(x.number)) for x in term.parts)) if term.head == "product" else term


def _left(statement: Statement) -> Node:
    return next(iter(statement.body.terms()))


def _hanging(error: Refused, asked: _Asked, quantities: Quantities) -> Refused:
    """What a refusal hangs on, where that is known."""
    for x in asked.open[-1:]:
        try:
            of = to_term(x) if isinstance(x, Ratio) else quantities.term(rational(1), x)
        except Refused:
            continue
        return Hangs(str(error), of, isinstance(x, Growth))
    return error


def _first(series: Series, algebra: Algebra, count: int) -> tuple[list[Summand], list[Summand]]:
    """The first terms, each before all others and before the remainder, and the others; at least one is found.

    Raises:
        Refused: it is not seen which is first.
    """
    told, left, found = algebra.domain.quotient, list(series.terms), []
    algebra.domain.open.clear()
    while left and len(found) < count:
        lead = next((t for t in left if all(u is t or told(u[1], t[1]) == "zero" for u in left)), None)
        if lead is None or any(told(r, lead[1]) != "zero" for r in series.rest):
            open_ = getattr(algebra.domain, "open", ())
            if not found or (open_ and isinstance(open_[-1], Ratio)):
                raise Refused("no term that leads")
            break
        found.append(lead)
        left.remove(lead)
    return found, left


def _joined(first: list[Summand], quantities: Quantities) -> Iterator[Term]:
    for c, g in first:
        yield quantities.shown(c, g)


def _proved(statement: Statement, found: _Found, back: dict[str, Term], place: Place) -> Expanded:
    """The theorem of what was found."""
    kept, rest = ([by_hand(terms.substitute(x, back)) for x in several] for several in (found.kept, found.rest))
    growth = " + ".join(rest) or "0"
    body = Expanding(_left(statement), Parser(" + ".join(kept).replace("+ -", "- ") or "0").whole(), "O", Parser(growth).whole())
    return Expanded(_theorem(replace(statement, body=body), found.order, place), tuple(kept), growth, found.fewer)


def _theorem(statement: Statement, order: int, place: Place) -> Theorem:
    if near := limit_points(statement):
        v = unused(statement, ("v", "u", "w"), f"{near[0]}_v")
        premise = _theorem(at_infinity(statement, near[0], v), order, place)
        return apply("limit point", [premise], statement=str(statement), variable=near[0], runner=v)
    return apply("asymptotic", statement=str(statement), order=order, place=place, **path(statement))
