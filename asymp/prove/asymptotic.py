"""Certificates of asymptotic statements: the regime in independent quantities, the engine's atoms as leaves, a path for
a refutation.

>>> from asymp.language.statement import read_statement
>>> theorem = holds(read_statement("harmonic(n) ~ log(n) as whole n -> oo"))
>>> theorem, sorted(theorem.trusts)
(⊢ harmonic(n) ~ log(n) as whole n -> oo, ['DLMF 5.11.2', 'DLMF 5.4.14'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.functions.table import BORROWED
from asymp.kernel import terms
from asymp.kernel.growths import narrower as narrower
from asymp.kernel.growths import uniform as uniform
from asymp.kernel.growths.asymptotics import MOST_ORDER, Decided, by_series
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import alone, moving, placed
from asymp.kernel.growths.series import Algebra
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding, Ordering
from asymp.language.conditions import Tends
from asymp.language.names import substitute
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import Node
from asymp.prove import first, powers, rooted
from asymp.regimes.names import runner_of
from asymp.regimes.paths import names_of, path
from asymp.regimes.quantities import Place, paths, places

ORDERS = ((1, 2), (2, 2), (2, 3), (3, 3), (4, 4), (5, 5))
"""Of the engine's expansions of atoms, and of the kernel's series: the fewest terms first."""
LOW_ORDERS = (2, 3)
"""Of the kernel's series of an atom that is not asked of the engine."""


def holds(statement: Statement) -> Theorem:
    """A theorem that an asymptotic statement holds.

    Raises:
        Refused: none is found.
    """
    wider = _wider(statement)
    if wider is not None:
        try:
            return apply("narrower", [_holds(wider)], statement=str(statement), **path(statement))
        except Refused:
            pass
    return _holds(statement)


def _wider(statement: Statement) -> Statement | None:
    """The statement with T/log(n) -> 0 for a condition T -> k, where T has a factor log(n)."""
    for condition in statement.regime:
        if not isinstance(condition, Tends) or condition.term.kind != "product" or condition.target.text in ("0", "oo"):
            continue
        parts = list(zip(condition.term.parts, condition.term.signs, strict=True))
        kept = [x for k, x in enumerate(parts) if not (k and x[1] == "*" and x[0].kind == "call" and x[0].text == "log")]
        if len(kept) == len(parts) - 1:
            term = replace(condition.term, parts=tuple(p for p, _ in kept), signs="".join(s for _, s in kept))
            new = Tends(term if len(kept) > 1 else kept[0][0], Node("number", 1, "0"))
            own = terms.free(terms.of(condition.target)).difference(*(terms.free(terms.of(x)) for x in statement.terms()))
            domain = tuple(c for c in statement.domain if not own & names_of(c))
            return replace(statement, regime=tuple(new if c is condition else c for c in statement.regime), domain=domain)
    return None


def _holds(statement: Statement) -> Theorem:
    last = Refused("no quantities for this regime")
    along = path(statement)
    plain = replace(statement, uniform=())
    found = list(places(plain))
    name = "uniform" if statement.uniform else "asymptotic"
    own = tries(plain, found, [[]]) if statement.uniform else ()  # no leaf is uniform in a variable
    for said, engine, order in chain(own, tries(plain, found)):
        for place in found:
            try:
                return apply(name, said.to(engine), statement=str(statement), order=order, place=place, **along)
            except Decided:
                raise
            except Refused as error:
                last = error
    raise last


def fails(statement: Statement) -> Theorem:
    """A theorem that an asymptotic statement fails, on one of the regime's paths; sums over powers are known on some.

    Raises:
        Refused: none is found.
    """
    if statement.uniform:
        return _fails_for_a_choice(statement)
    with suppress(Refused):
        return powers.fails(statement)
    last = Refused("no path for this regime")
    found = list(paths(statement))
    quantities = list(places(statement))
    own = tries(statement, quantities, [[]]) if len(moving(statement)) > 1 else ()  # of which there may be series on a path
    for said, engine, order in chain(own, tries(statement, quantities)):
        for values in list(found):
            try:
                given = said.to(engine)
                return apply("path", given, statement=str(statement), order=order, runner=runner_of(statement), values=values)
            except Refused as error:
                last = error
                if isinstance(error, Decided):
                    found.remove(values)
    raise last


def _fails_for_a_choice(statement: Statement) -> Theorem:
    """Of a uniform statement, at an end of its range, next to it, or in its midst."""
    variable, below, above = uniform.uniform_range(statement)
    low, high = below[0][0], above[0][0]
    middle = terms.multiply(terms.add(low, high), terms.number(mpq(1, 2)))
    ends = [low, high, middle]
    ends += [terms.call(head, x) for x in (low, high, middle) for head in ("floor", "ceiling")]
    ends += [terms.add(terms.call("floor", low), terms.ONE), terms.add(terms.call("ceiling", high), terms.number(-1))]
    for v in [v for v, kind in alone(statement).items() if kind == "oo"][:1]:  # what tends to an end
        part = terms.multiply(terms.add(high, terms.negative(low)), terms.reciprocal(terms.name(v)))
        ends += [terms.add(low, part), terms.add(high, terms.negative(part))]

    def along(place: Term, order: int) -> Theorem:
        body = statement.body.changed(lambda node: substitute(node, {variable: node_of(place)}))
        plain = replace(statement, uniform=(), body=body)
        runner, own = runner_of(statement), runner_of(plain)

        def by(values: dict[str, str]) -> Theorem:
            along = {v: terms.substitute(terms.read(x), {own: terms.name(runner)}) for v, x in values.items()}
            along[variable] = terms.substitute(place, along)
            said = {v: str(x) for v, x in along.items()}
            return apply("path", statement=str(statement), order=order, runner=runner, values=said)

        return first((partial(by, values) for values in paths(plain)), "no path for this regime")

    return first(partial(along, place, order) for order in LOW_ORDERS for place in dict.fromkeys(ends))


# --- leaves ------------------------------------------------------------------------------------------


def tries(
    statement: Statement, places: Sequence[Place], asked: Iterable[list[Node]] = ()
) -> Iterator[tuple[Leaves, int, int]]:
    """Leaves of what is asked, and orders of the engine and of the kernel: at first without leaves of what the kernel expands
    itself."""
    for nodes in asked or asked_of_the_engine(statement, places):
        said, before = Leaves(statement, places, nodes), 0
        for engine, order in (*ORDERS, *_further(statement)):
            if nodes or order > before:
                yield said, engine, order
            before = order


def _further(statement: Statement) -> list[tuple[int, int]]:
    """Further orders for an expansion that has more terms than these may show."""
    kept = terms.of(statement.body.kept) if isinstance(statement.body, Expanding) else terms.ZERO
    wanted = min(MOST_ORDER, 2 * len(kept.parts) + 2) if kept.head == "sum" else 0
    engine, last = ORDERS[-1]
    return [(engine, order) for order in sorted({last + 1, wanted}) if last < order <= wanted]


def asked_of_the_engine(statement: Statement, places: Sequence[Place]) -> Iterator[list[Node]]:
    """The atoms of which leaves are wanted, once without those of which the kernel has a series, and then with them."""
    nodes = {terms.of(node): node for node in atoms(statement)}
    others = [node for term, node in nodes.items() if not _has_series(term, statement, places)]
    yield others
    if len(others) < len(nodes):
        yield list(nodes.values())


def _has_series(term: terms.Term, statement: Statement, places: Sequence[Place]) -> bool:
    """Whether the kernel has a series of an atom, in the first quantities."""
    for order in LOW_ORDERS:
        with suppress(IndexError, Refused):
            where = placed(statement, places[0])
            own = where.put(term)
            by_series(lambda a: expander_of((), statement, where, a).series(own), Algebra(where.domain, order), [own])  # noqa: B023
            return True
    return False


class Leaves:
    """What the engine says of atoms of a statement, each asked once an order."""

    def __init__(self, statement: Statement, places: Sequence[Place], nodes: Sequence[Node]) -> None:
        self.statement, self.places, self.nodes = statement, places, nodes
        self.found: dict[int, list[Theorem] | Refused] = {}

    def to(self, order: int) -> list[Theorem]:
        """A leaf for each.

        Raises:
            Refused: the engine says nothing of one of them.
        """
        if order not in self.found:
            try:
                self.found[order] = [leaf(node, self.statement, order, self.places) for node in self.nodes]
            except Refused as error:
                self.found[order] = error
        found = self.found[order]
        if isinstance(found, Refused):
            raise Refused(str(found))
        return found


def atoms(statement: Statement) -> Iterator[Node]:
    """The largest parts of a statement of which a leaf may be."""
    tending = moving(statement)
    for node in statement.body.terms():
        yield from _atoms(node, tending)


def _atoms(node: Node, tending: set[str]) -> Iterator[Node]:
    head = terms.of(node).head if node.kind == "call" else ""
    if head in BORROWED:
        if terms.free(terms.of(node)) & tending:
            yield node
        return
    if head in terms.BINDERS:
        return
    for part in node.parts:
        yield from _atoms(part, tending)


def leaf(node: Node, statement: Statement, order: int, places: Sequence[Place]) -> Theorem:
    """One atom's expansion, in the variables of the statement, which has these quantities: as the engine says, or proved where an
    equation defines it.

    Raises:
        Refused: the engine has none, or none without functions of its own.
    """
    text, by, why = _said(str(replace(statement, body=Ordering(node, "O", Node("number", 1, "1")))), order)
    if why:
        raise Refused(why)
    along = path(read_statement(text))
    if rooted.is_rooted(terms.of(node).head):
        with suppress(Refused):
            return rooted.expansion(read_statement(text), order, places, along)
    given: dict[str, Any] = {"by": list(by)} if by else {}
    tries = (partial(apply, "leaf", statement=text, place=one, **along, **given) for one in places)
    return first(tries, "no quantities for this regime")


@uncounted
@lru_cache(maxsize=256)
def _said(asked: str, order: int) -> tuple[str, tuple[str, ...], str]:
    """The expansion of an atom in a regime, asked as ``atom = O(1) as ...``, as a statement, and the methods from outside that
    had a part in it; or why there is none."""
    statement = read_statement(asked)
    from asymp.prove import engine

    try:
        body, by = engine.expansion_of(statement, order)
        return str(replace(statement, body=body)), by, ""
    except Refused as error:
        return "", (), str(error)
