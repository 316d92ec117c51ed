"""Expansions that are asked for: the terms of a quantity in a regime, read off the kernel's series, and then a theorem.

Of a statement ``f = O(...)`` the right side is looked for.  The series of f is taken in the quantities of the regime, with as
many terms as are wanted; what it says is a statement, of which the rule ``asymptotic`` makes a theorem.  A refusal says what it
hangs on, where that is the sign of a coefficient, or which of two quantities is larger (see :mod:`asymp.prove.parting`).

>>> from asymp.language.statement import read_statement
>>> expanded(read_statement("harmonic(n) = O(1) as n -> oo"), 2).theorem
⊢ harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo
>>> expanded(read_statement("sqrt(x^2 + 1) = O(1) as x -> -oo"), 2).terms
('-x', '-1/(2*x)')
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.signs import Signs
from asymp.kernel.growths.asymptotics import MOST_ORDER, by_series
from asymp.kernel.growths.growth import Domain, Growth, power_of
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.limit_points import at_infinity, limit_points
from asymp.kernel.growths.regime import Placed, alone, placed, ties
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding
from asymp.language.conditions import Condition, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words
from asymp.prove import first as first_
from asymp.prove.asymptotic import Leaves, atoms
from asymp.prove.by_hand import by_hand
from asymp.prove.claims import theorem as proved
from asymp.prove.written import Quantities, in_factors
from asymp.regimes.names import unused
from asymp.regimes.paths import path
from asymp.regimes.quantities import Place, implied, places

EXTRA = (0, 1, 2, 4, 8, 16, 32)
"""How much further than the terms that are wanted the series are taken, until these are known and the next one is."""
MOST_OF_LEAVES = 5
"""Terms that are asked of methods from outside."""
Summand = tuple[Ratio, Growth]


@dataclass(frozen=True)
class Expanded:
    """``theorem``: f is ``terms`` + O(``growth``), or with o for O, as text; growth "0" where that is exact.

    Args:
        fewer: why there are fewer terms than are wanted.
        leading: the coefficient of the first term.
    """

    theorem: Theorem
    terms: tuple[str, ...]
    kind: str
    growth: str
    fewer: str
    leading: Term


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
    far, back = _at_infinity(statement)
    inner = _simpler(far)
    last: Refused | None = None
    for place in sorted(places(inner), key=lambda one: "small" in one):  # p itself, if that will do
        try:
            found = _expanded(inner, count, place)
        except Refused as error:
            last = error if last is None or (isinstance(error, Hangs) and not isinstance(last, Hangs)) else last
        else:
            return _proved(statement, found, back, place if inner == far else None)
    raise last or Refused("no quantities for this regime")


def _at_infinity(statement: Statement) -> tuple[Statement, dict[str, Term]]:
    """The statement in what tends to infinity, and what that is in its variables."""
    back: dict[str, Term] = {}
    while near := limit_points(statement):
        (limit,) = (
            c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and c.term.text == near[0]
        )
        v, x, target = _runner(statement, near[0]), terms.name(near[0]), terms.of(limit.target)
        statement = at_infinity(statement, near[0], v)
        gap = terms.add(x, terms.negative(target))
        finite = not any(part == terms.name("oo") for part in terms.walk(target))
        back[v] = terms.reciprocal(gap if limit.side == "+" else terms.negative(gap)) if finite else terms.negative(x)
    return statement, back


def _runner(statement: Statement, x: str) -> str:
    return unused(statement, ("v", "u", "w"), f"{x}_v")


def _simpler(statement: Statement) -> Statement:
    """The statement with monomials for what is one, without the limits of what is tied, and with those that others imply."""
    tied, lone = ties(statement.regime), alone(statement)
    domain = Domain(within={v: Range(mpq(kind == "oo"), True) for v, kind in lone.items() if kind})

    def simple(c: Condition) -> Condition:
        if isinstance(c, Tends) and c.term.kind not in ("name", "call"):
            with suppress(Refused):
                return replace(c, term=node_of(to_term(domain.value(terms.of(c.term)))))
        return c

    plain = replace(statement, regime=tuple(map(simple, _untied(statement).regime)))
    return replace(plain, regime=(*plain.regime, *implied(plain, tied)))


@dataclass(frozen=True)
class _Found:
    """The first terms and the remainder as terms in the variables, the order at which they are known, why there are no more, and
    the coefficient of the first."""

    kept: list[Term]
    kind: str
    rest: list[Term]
    order: int
    fewer: str
    leading: Term


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
        stuck += before is not None and best is not None and (before.kept, before.rest) == (best.kept, best.rest)
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
    f, leaves = where.put(terms.of(_left(statement))), _leaves(statement, order, place)
    made: list[tuple[Algebra, Series]] = []

    def taken(algebra: Algebra) -> None:
        made[:] = [(algebra, expander_of(leaves, statement, where, algebra).series(f))]

    quantities = Quantities(where, place["scales"])
    try:
        by_series(taken, Algebra(asked, order), [f])
        algebra, series = made[0]
        first, others = _first(series, algebra, count)
    except Refused as error:
        open_ = made[0][0].domain if made else asked
        raise _hanging(error, open_, quantities) or _blaming(error, statement, where, order) from error
    rest = algebra.made([], [*(g for _, g in others), *series.rest]).rest
    if not first and rest:
        growths = " + ".join(by_hand(quantities.term(rational(1), r)) for r in rest)
        raise Refused(f"no term could be derived, only O({growths})")
    fewer = ""
    if len(first) < count:
        terms_ = f"{len(first)} term{'s' * (len(first) != 1)}"
        fewer = f"only {terms_} could be derived: the rest is not known beyond its order"
        if not series.rest:
            fewer = "exact: there are no more terms"
        if others:
            rivals = sorted(by_hand(quantities.term(rational(1), r)) for r in rest)
            fewer = f"the order of {' and '.join(rivals)} is not given"
    kind, near = "O", {*range(len(where.scales), len(quantities.names))}
    if any(r.places() & near for r in rest):  # of what tends to a constant nothing more is known
        kind, rest = "o", (first[-1][0][1],)
    back = {q.name: terms.read(f"-log(1 - {p})") for p, q in where.powers.items()}
    kept = [terms.substitute(_term(x, quantities), back) for x in first]
    left = [terms.substitute(_size(quantities.term(rational(1), r)), back) for r in rest]
    found = _Found(kept, kind, left, order, fewer, to_term(first[0][0][0]) if first else terms.ONE)
    return found, len(series.terms) > count or not series.rest or bool(others)


def _size(term: Term) -> Term:
    """A growth that is positive, without a sign: log(1/x) is written -log(x)."""
    if term.head != "product":
        return term
    return terms.multiply(*(terms.number(abs(x.number)) if x.is_number else x for x in term.parts))


def _left(statement: Statement) -> Node:
    return next(iter(statement.body.terms()))


def _leaves(statement: Statement, order: int, place: Place) -> list[Theorem]:
    """What methods from outside say of functions from there."""
    return Leaves(statement, [place], list(atoms(statement))).to(min(order, MOST_OF_LEAVES))


def _hanging(error: Refused, asked: Domain, quantities: Quantities) -> Refused | None:
    """What a refusal hangs on, where that is known."""
    assert isinstance(asked, _Asked)
    for x in asked.open[-1:]:
        with suppress(Refused):
            of = to_term(x) if isinstance(x, Ratio) else quantities.term(rational(1), x)
            return Hangs(str(error), of, isinstance(x, Growth))
    return None


def _blaming(error: Refused, statement: Statement, where: Placed, order: int) -> Refused:
    """The refusal with the sum, product or integral that it is of, where it is of one."""
    expander = expander_of((), statement, where, Algebra(where.domain, order))
    for total in _totals(_left(statement)):
        try:
            expander.series(where.put(terms.of(total)))
        except Refused as why:
            return Refused(f"no expansion of {words(total)} was found: {why}")
    return error


def _totals(node: Node) -> Iterator[Node]:
    if node.kind == "call" and node.text in ("Sum", "Product", "Integral"):
        yield node
    else:
        for part in node.parts:
            yield from _totals(part)


def _first(series: Series, algebra: Algebra, count: int) -> tuple[list[list[Summand]], list[Summand]]:
    """The first terms, each before all others and before the remainder, and the others; at least one is found.

    Several that are one logarithm of a product are one term.

    Raises:
        Refused: it is not seen which is first.
    """
    told, left = algebra.domain.quotient, list(series.terms)
    found: list[list[Summand]] = []
    asked = algebra.domain
    assert isinstance(asked, _Asked)
    asked.open.clear()
    while left and len(found) < count:
        lead = [t for t in left if all(u is t or told(t[1], u[1]) != "zero" for u in left)]
        beside = [u for u in left if u not in lead]
        behind = (*(g for _, g in beside), *series.rest)
        if not (len(lead) == 1 or _is_one_log(lead)) or any(told(h, g) != "zero" for h in behind for _, g in lead):
            if not found or (asked.open and isinstance(asked.open[-1], Ratio)):
                raise Refused("no term that leads")
            break
        found.append(lead)
        left = beside
    return found, left


def _is_one_log(several: list[Summand]) -> bool:
    """Whether terms are rational multiples of one growth times logarithms of several quantities, in one direction."""
    (c, g), *others = several
    logs = [place for place, e in g.powers if place[1] == 1 and e == rational(1)]
    alike = ((d * c.inverse(), h, [p for p, e in h.powers if p[1] == 1 and e == rational(1)]) for d, h in others)
    return bool(logs) and all(
        (k := d.constant()) is not None
        and k > 0
        and any((g / power_of(*p)).same(h / power_of(*q)) for p in logs for q in own)
        for d, h, own in alike
    )


def _term(several: list[Summand], quantities: Quantities) -> Term:
    """A term, as one logarithm where it is several."""
    (c, g), *others = several
    if not others:
        return terms.multiply(in_factors(c), quantities.term(rational(1), g))
    for p in (place for place, _ in g.powers if place[1] == 1):
        rest = g / power_of(*p)
        logs = [(h / rest, d * c.inverse()) for d, h in several]
        if all(len(h.powers) == 1 and h.powers[0][0][1] == 1 and not h.exponent for h, _ in logs):
            product = terms.multiply(
                *(
                    terms.power(quantities.term(rational(1), power_of(h.powers[0][0][0], 0)), to_term(k))
                    for h, k in logs
                )
            )
            return terms.multiply(in_factors(c), quantities.term(rational(1), rest), terms.call("log", product))
    raise Refused("no one logarithm")


def _proved(statement: Statement, found: _Found, back: dict[str, Term], place: Place | None) -> Expanded:
    """The theorem of what was found; without a place by a search of its own."""
    kept, rest = ([by_hand(terms.substitute(x, back)) for x in several] for several in (found.kept, found.rest))
    growth = " + ".join(one.removeprefix("-") for one in rest) or "0"
    terms_ = Parser(" + ".join(kept).replace("+ -", "- ") or "0").whole()
    said = replace(statement, body=Expanding(_left(statement), terms_, found.kind, Parser(growth).whole()))
    theorem = _searched(said) if place is None else _theorem(said, found.order, place)
    return Expanded(theorem, tuple(kept), found.kind, growth, found.fewer, found.leading)


def _searched(statement: Statement) -> Theorem:
    """By a search; or without the limits of what is tied, which are implied."""
    plain = _untied(statement)
    return first_(
        [partial(proved, statement, True), *([] if plain == statement else [partial(_narrower, statement, plain)])]
    )


def _narrower(statement: Statement, plain: Statement) -> Theorem:
    return apply("narrower", [proved(plain, True)], statement=str(statement), **path(statement))


def _untied(statement: Statement) -> Statement:
    tied = ties(statement.regime)
    return replace(
        statement, regime=tuple(c for c in statement.regime if not (isinstance(c, Tends) and c.term.text in tied))
    )


def _theorem(statement: Statement, order: int, place: Place) -> Theorem:
    if near := limit_points(statement):
        v = _runner(statement, near[0])
        premise = _theorem(at_infinity(statement, near[0], v), order, place)
        return apply("limit point", [premise], statement=str(statement), variable=near[0], runner=v)
    leaves = _leaves(statement, order, place)
    return apply("asymptotic", leaves, statement=str(statement), order=order, place=place, **path(statement))
