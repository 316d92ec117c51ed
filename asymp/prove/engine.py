"""What the engine says of single atoms: their expansions, for the kernel to compare."""

from __future__ import annotations

import sympy as sp

from asymp.cas import text as text_of
from asymp.expand.engine import Expander
from asymp.expand.method import BORROWED
from asymp.expand.tried import in_words
from asymp.expansion import Expansion
from asymp.growth import Growth
from asymp.kernel import terms
from asymp.kernel.growths.regime import ranges
from asymp.kernel.terms import Refused
from asymp.language.bodies import Expanding, Ordering
from asymp.language.conditions import OfKind
from asymp.language.functions import variables_of
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words
from asymp.parse.limits import said_of_parameters
from asymp.parse.mathematics import Builder
from asymp.parse.setting import setting_of
from asymp.refusal import Refused as NotExpanded
from asymp.scale import Regime
from asymp.vanishing import assumptions, coarse


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
    kinds = tuple(c for c in statement.conditions() if isinstance(c, OfKind))
    try:
        setting = setting_of(statement.regime, (*kinds, *said_of_parameters(statement)), variables_of(statement))
        expr = Builder(words(node), setting.symbols).build(node)
    except ParseError as error:
        raise Refused(str(error)) from error
    regime = setting.regime
    assert regime is not None
    try:
        with assumptions() as assumed:
            found, expander = _expanded(regime, order, expr)
        kept = sp.Add(*(c * g.expr for g, c in found.terms.items()))
        rest = sp.Add(*(g.expr for g in found.remainder or [Growth.of(s, -2 * order) for s in regime.scales[:1]]))
    except NotExpanded as error:
        raise Refused(in_words(error, words(node))) from error
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
