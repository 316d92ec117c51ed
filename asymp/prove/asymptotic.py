"""Certificates of asymptotic statements: the regime in independent quantities, the engine's atoms as leaves, a path for
a refutation.

>>> from asymp.language.statement import read_statement
>>> theorem = holds(read_statement("harmonic(n) ~ log(n) as whole n -> oo"))
>>> theorem, sorted(theorem.trusts)
(⊢ harmonic(n) ~ log(n) as whole n -> oo, ['DLMF 5.11.2', 'DLMF 5.4.14'])
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.cas import text as text_of
from asymp.expand.engine import Expander
from asymp.expand.method import BORROWED
from asymp.expansion import Expansion
from asymp.growth import Growth
from asymp.kernel import terms
from asymp.kernel.growths import narrower as narrower
from asymp.kernel.growths import uniform as uniform
from asymp.kernel.growths.asymptotics import Decided
from asymp.kernel.growths.leaves import EXPANDED, WORDS, expander_of
from asymp.kernel.growths.regime import moving, names_in, placed, ranges, ties
from asymp.kernel.growths.series import Algebra
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding, Ordering
from asymp.language.conditions import Tends
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import Node, Parser, words
from asymp.meaning.paths import names_of, path
from asymp.parse.build import build
from asymp.prove import first, integrals
from asymp.refusal import Refused as NotExpanded
from asymp.relation import Order
from asymp.scale import Regime
from asymp.vanishing import assumptions, coarse

ORDERS = ((1, 2), (2, 2), (2, 3), (3, 3), (5, 5))
"""Of the engine's expansions of atoms, and of the kernel's series: the fewest terms first."""
Place = dict[str, Any]
KNOWN = WORDS | EXPANDED
"""What the kernel expands by itself, or never."""


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
    moves = next((c.term for c in statement.regime if isinstance(c, Tends)), None)
    asked = replace(plain, body=Ordering(moves, "O", moves)) if statement.uniform and moves is not None else plain
    found = list(places(plain, regime_of(asked)))
    name = "uniform" if statement.uniform else "asymptotic"
    for said, engine, order in tries(plain, found):
        for place in found:
            try:
                return apply(name, said.to(engine), statement=str(statement), order=order, place=place, **along)
            except Decided:
                raise
            except Refused as error:
                last = error
    raise last


def fails(statement: Statement) -> Theorem:
    """A theorem that an asymptotic statement fails, on one of the regime's paths.

    Raises:
        Refused: none is found.
    """
    last = Refused("no path for this regime")
    regime = regime_of(statement)
    found = list(paths(statement, regime))
    for said, engine, order in tries(statement, list(places(statement, regime))):
        for values in list(found):
            try:
                given = said.to(engine)
                return apply("path", given, statement=str(statement), order=order, runner=runner_of(statement), values=values)
            except Refused as error:
                last = error
                if isinstance(error, Decided):
                    found.remove(values)
    raise last


def regime_of(statement: Statement) -> Regime | None:
    """The engine's reading of the regime."""
    try:
        return build(statement).regime
    except (ParseError, NotExpanded):
        return None


# --- regimes -----------------------------------------------------------------------------------------


def places(statement: Statement, regime: Regime | None) -> Iterator[Place]:
    """The quantities of a regime, as the kernel is told them: those of the engine, with p or with -ln(1 - p)."""
    tending = [str(c.term.text) for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"]
    if regime is None or regime.cases:
        if len(tending) == 1:
            yield {"scales": {"s_": tending[0]}, "values": {tending[0]: "s_"}}
        return
    tied = set(ties(statement.regime))
    fresh = {s: sp.Symbol(f"{s}_") for s in regime.scales}
    values = {s: e for s, e in regime.ties.items() if s.name not in tied}
    values |= {s: s for s in regime.scales if s.name in tending}
    names = {s: regime.names.get(s, s) for s in regime.scales}
    shown: dict[sp.Symbol, sp.Expr] = {}
    for s, e in values.items():
        inner = sp.sympify(e).subs(fresh)  # p = 1 - exp(-E): its q is E, and what is a monomial in q is one in p
        shown[s] = -(1 - inner).args[0] if inner.has(sp.exp) and (1 - inner).func is sp.exp else inner
    small = [str(c.term.text) for c in statement.regime if isinstance(c, Tends) and c.side == "+" and c.term.kind == "name"]
    for chosen in ([p for p in small if p not in tied], []):
        letter = unused(statement, ("q", "u", "w"), "q_")  # in the derivation a reader meets it
        swap = {s: sp.Symbol(letter if len(chosen) == 1 else f"{s}_q") for s in shown if s.name in chosen}
        scales = {str(fresh[s]): text_of(sp.sympify(x).subs(swap)) for s, x in names.items()}
        found = {str(swap.get(s, s)): text_of(e) for s, e in shown.items()}
        yield {"scales": scales, "values": found, **({"small": {s.name: q.name for s, q in swap.items()}} if swap else {})}
        if not chosen:
            return


def paths(statement: Statement, regime: Regime | None) -> Iterator[dict[str, str]]:
    """Paths of a regime with values of the parameters, in the runner."""
    if regime is None:
        return
    runner, own = sp.Symbol(runner_of(statement), positive=True), names_in(statement)
    for one in regime.paths:
        for instance in _instances(statement, regime):
            along = {one.runner: runner, **{s: sp.sympify(e).subs(instance) for s, e in one.values.items()}}
            found = {s.name: text_of(sp.sympify(e).subs(one.runner, runner)) for s, e in along.items()}
            found |= {s.name: text_of(sp.sympify(x)) for s, x in instance.items()}
            yield {name: value for name, value in found.items() if name in own}
    if len(moving(statement)) > 1:  # as slowly as the conditions let it
        with contextlib.suppress(Refused):
            slow = path(statement, slow=True)
            if slow["runner"] == runner.name:
                yield slow["values"]


def unused(statement: Statement, letters: Iterable[str], last: str) -> str:
    """The first letter that is no name of a statement."""
    return next((letter for letter in letters if letter not in names_in(statement)), last)


def runner_of(statement: Statement) -> str:
    """The whole number by which a path of a refutation is numbered."""
    return unused(statement, ("k", "m", "r"), "s_")


def _instances(statement: Statement, regime: Regime) -> list[dict[sp.Symbol, sp.Expr]]:
    """Values of the parameters: those of the regime, larger ones, and zeros of a coefficient of what is to be of an order."""
    found = [dict(instance) for instance in regime.instances]
    found += [{s: x + shift for s, x in found[0].items()} for shift in (1, 3) if found and found[0]]
    body = statement.body
    if found and isinstance(body, Ordering) and body.order in ("Theta", "Omega", "omega"):
        try:
            relation = build(statement).relation
            parts = Expander(regime, 1)(relation.f).terms.values() if isinstance(relation, Order) else ()
            zeros = [(s, x) for c in parts for s in c.free_symbols & found[0].keys() for x in sy.solve(c, s)]
        except (NotExpanded, ParseError):
            zeros = []
        found += [{**found[0], s: x} for s, x in zeros if x.is_number and x.is_real]
    return found


# --- leaves ------------------------------------------------------------------------------------------


def tries(statement: Statement, places: Sequence[Place]) -> Iterator[tuple[Leaves, int, int]]:
    """Leaves, and orders of the engine and of the kernel: at first without leaves of what the kernel expands itself."""
    for nodes in asked_of_the_engine(statement, places):
        said, before = Leaves(statement, places, nodes), 0
        for engine, order in ORDERS:
            if nodes or order > before:
                yield said, engine, order
            before = order


def asked_of_the_engine(statement: Statement, places: Sequence[Place]) -> Iterator[list[Node]]:
    """The atoms of which leaves are wanted, once without those of which the kernel has a series, and then with them."""
    nodes = {terms.of(node): node for node in atoms(statement)}
    others = [node for term, node in nodes.items() if not _has_series(term, statement, places)]
    yield others
    if len(others) < len(nodes):
        yield list(nodes.values())


def _has_series(term: terms.Term, statement: Statement, places: Sequence[Place]) -> bool:
    """Whether the kernel has a series of an atom, in the first quantities."""
    try:
        where = placed(statement, places[0])
        expander_of((), statement, where, Algebra(where.domain, ORDERS[0][1])).series(where.put(term))
    except (IndexError, Refused):
        return False
    return True


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
    """The largest parts of a statement that begin with a function which the kernel may not expand."""
    tending = moving(statement)
    for node in statement.body.terms():
        yield from _atoms(node, tending)


def _atoms(node: Node, tending: set[str]) -> Iterator[Node]:
    if node.kind == "call" and terms.of(node).head not in KNOWN:
        if terms.free(terms.of(node)) & tending:
            yield node
        return
    for part in node.parts:
        yield from _atoms(part, tending)


def _expanded(regime: Regime, order: int, expr: sp.Expr) -> tuple[Expansion, Expander]:
    expander = Expander(regime, order)
    try:
        return expander(expr), expander
    except NotExpanded:
        with coarse():  # what is exponentially small stands for itself by its order
            expander = Expander(regime, order)
            return expander(expr), expander


def leaf(node: Node, statement: Statement, order: int, places: Sequence[Place]) -> Theorem:
    """One atom's expansion by the engine, in the variables of the statement, which has these quantities.

    A rule that shows it by itself is asked first.

    Raises:
        Refused: the engine has none, or none without functions of its own.
    """
    text, by, why = _said(str(replace(statement, body=Ordering(node, "O", Node("number", 1, "1")))), order)
    if why:
        raise Refused(why)
    along = path(read_statement(text))
    given: dict[str, Any] = {"by": list(by)} if by else {}
    tries: Iterator[Callable[[], Theorem]] = chain(
        (way for one in places for way in integrals.ways(text, one, along)),
        (partial(apply, "leaf", statement=text, place=one, **along, **given) for one in places),
    )
    return first(tries, "no quantities for this regime")


@uncounted
@lru_cache(maxsize=256)
def _said(asked: str, order: int) -> tuple[str, tuple[str, ...], str]:
    """The expansion of an atom in a regime, asked as ``atom = O(1) as ...``, as a statement, and the methods from outside that
    had a part in it; or why there is none."""
    statement = read_statement(asked)
    try:
        body, by = _by_the_engine(statement, order)
        return str(replace(statement, body=body)), by, ""
    except Refused as error:
        return "", (), str(error)


def _by_the_engine(statement: Statement, order: int) -> tuple[Expanding, tuple[str, ...]]:
    assert isinstance(statement.body, Ordering)
    node = statement.body.left
    built = build(statement)
    regime, relation = built.regime, built.relation
    if regime is None or regime.cases or not isinstance(relation, Order):
        raise Refused("a regime in cases")
    expr = relation.f
    try:
        with assumptions() as assumed:
            found, expander = _expanded(regime, order, expr)
        kept = sp.Add(*(c * g.expr for g, c in found.terms.items()))
        rest = sp.Add(*(g.expr for g in found.remainder or [Growth.of(s, -2 * order) for s in regime.scales[:1]]))
    except NotExpanded as error:
        raise Refused(f"the engine on {words(node)}: {error}") from error
    back = dict(regime.inverse) or dict(regime.names)
    back |= {s: x for s, x in regime.names.items() if s not in back}

    def shown(e: sp.Expr) -> Node:
        return Parser(text_of(e.subs(back).subs(regime.uncovered()))).whole()

    domain = ranges((*statement.domain, *statement.regime))
    for coefficient in assumed:  # what the engine divides by: the kernel's word that it is not 0, for all parameters
        if not domain.sign(domain.value(terms.read(text_of(coefficient.subs(back).subs(regime.uncovered()))))):
            raise Refused(f"the engine divides by {coefficient}, which may be 0")
    try:
        by = {step.source.removeprefix("engine: ") for step in expander.steps if step.rule == BORROWED}
        return Expanding(node, shown(kept), "O", shown(rest)), tuple(sorted(by))
    except ParseError as error:  # longer than what is read
        raise Refused(f"the engine's terms: {error}") from error
