"""What the engine proposes to the kernel: quantities of a regime, paths of a refutation, expansions of atoms.

>>> from asymp.language.statement import read_statement
>>> statement = read_statement("n*p -> 0 as n -> oo, p -> 0+, n*p -> 0")
>>> sorted(next(places(statement, statement))["scales"].values())
['1/(n*q)', 'n']
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.cas import text as text_of
from asymp.expand.engine import Expander
from asymp.expand.method import BORROWED
from asymp.expansion import Expansion
from asymp.growth import Growth
from asymp.kernel import terms
from asymp.kernel.growths.regime import names_in, ranges, ties
from asymp.kernel.terms import Refused
from asymp.language.bodies import Expanding, Ordering
from asymp.language.conditions import Tends
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words
from asymp.parse.build import build
from asymp.prove.names import unused
from asymp.refusal import Refused as NotExpanded
from asymp.relation import Order
from asymp.scale import Regime
from asymp.vanishing import assumptions, coarse


def regime_of(statement: Statement) -> Regime | None:
    """The engine's reading of the regime."""
    try:
        return build(statement).regime
    except (ParseError, NotExpanded):
        return None



def places(statement: Statement, asked: Statement) -> Iterator[dict[str, Any]]:
    """The quantities of a regime, as the kernel is told them: those of the engine, with p or with -ln(1 - p).

    ``asked``: the statement of which the engine reads the regime.
    """
    tending = [str(c.term.text) for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"]
    regime = regime_of(asked)
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


def paths(statement: Statement, runner: str) -> Iterator[dict[str, str]]:
    """Paths of a regime with values of the parameters, in the runner."""
    regime, symbol, own = regime_of(statement), sp.Symbol(runner, positive=True), names_in(statement)
    for one in () if regime is None else regime.paths:
        assert regime is not None
        for instance in _instances(statement, regime):
            along = {one.runner: symbol, **{s: sp.sympify(e).subs(instance) for s, e in one.values.items()}}
            found = {s.name: text_of(sp.sympify(e).subs(one.runner, symbol)) for s, e in along.items()}
            found |= {s.name: text_of(sp.sympify(x)) for s, x in instance.items()}
            yield {name: value for name, value in found.items() if name in own}


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


def _expanded(regime: Regime, order: int, expr: sp.Expr) -> tuple[Expansion, Expander]:
    expander = Expander(regime, order)
    try:
        return expander(expr), expander
    except NotExpanded:
        with coarse():  # what is exponentially small stands for itself by its order
            expander = Expander(regime, order)
            return expander(expr), expander


def expansion_of(statement: Statement, order: int) -> tuple[Expanding, tuple[str, ...]]:
    """What the engine says of the atom of ``atom = O(1) as ...``, and the methods from outside that had a part in it.

    Raises:
        Refused: nothing that can be written as terms and a remainder.
    """
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
