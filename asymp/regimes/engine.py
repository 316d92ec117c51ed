"""What the engine proposes of a regime: quantities in which it can be written, and paths.

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
from asymp.cas import term_of
from asymp.cas import text as text_of
from asymp.claim import Asymptotic
from asymp.expand.engine import Expander
from asymp.expand.view import Order, View, view_of
from asymp.kernel.growths.regime import names_in, ties
from asymp.kernel.terms import Term
from asymp.language.bodies import Ordering
from asymp.language.conditions import Tends
from asymp.language.statement import Statement
from asymp.refusal import Refused as NotExpanded
from asymp.regimes.names import unused


def seen(statement: Statement) -> View | None:
    """The engine's view of a statement; None where it has none."""
    try:
        return view_of(Asymptotic(statement))
    except NotExpanded:
        return None


def quantities(statement: Statement) -> tuple[tuple[str, ...], dict[str, Term]] | None:
    """The names of the engine's quantities, and what the variables are in them; None where it has no view of the regime.

    Nothing is said of s in n p = c + s/w but that it is not 0.
    """
    view = seen(statement)
    if view is None:
        return None
    return tuple(s.name for s in view.regime.scales), {s.name: term_of(sp.sympify(tie)) for s, tie in view.regime.ties.items()}


def places(statement: Statement, asked: Statement) -> Iterator[dict[str, Any]]:
    """The quantities of a regime, as the kernel is told them: those of the engine, with p or with -ln(1 - p).

    ``asked``: the statement of which the engine reads the regime.
    """
    tending = [str(c.term.text) for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"]
    view = seen(asked)
    regime = view.regime if view is not None else None
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
    view, symbol, own = seen(statement), sp.Symbol(runner, positive=True), names_in(statement)
    if view is None:
        return
    for one in view.regime.paths:
        for instance in _instances(statement, view):
            along = {one.runner: symbol, **{s: sp.sympify(e).subs(instance) for s, e in one.values.items()}}
            found = {s.name: text_of(sp.sympify(e).subs(one.runner, symbol)) for s, e in along.items()}
            found |= {s.name: text_of(sp.sympify(x)) for s, x in instance.items()}
            yield {name: value for name, value in found.items() if name in own}


def _instances(statement: Statement, view: View) -> list[dict[sp.Symbol, sp.Expr]]:
    """Values of the parameters: those of the regime, larger ones, and zeros of a coefficient of what is to be of an order."""
    regime, relation = view.regime, view.relation
    found = [dict(instance) for instance in regime.instances]
    found += [{s: x + shift for s, x in found[0].items()} for shift in (1, 3) if found and found[0]]
    body = statement.body
    if found and isinstance(body, Ordering) and body.order in ("Theta", "Omega", "omega"):
        try:
            parts = Expander(regime, 1)(relation.f).terms.values() if isinstance(relation, Order) else ()
            zeros = [(s, x) for c in parts for s in c.free_symbols & found[0].keys() for x in sy.solve(c, s)]
        except NotExpanded:
            zeros = []
        found += [{**found[0], s: x} for s, x in zeros if x.is_number and x.is_real]
    return found


