"""Expansions that are asked for: derived, then confirmed by certified numbers, or refused.

>>> answer = expand_text("harmonic(n)", to="n->oo", order=2)
>>> answer["terms"], answer["remainder"]["growth"], answer["strength"]
(['log(n)', 'EulerGamma'], '1/n', 'proved')
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from asymp.check import trend
from asymp.check.symbolic import Derivation
from asymp.claim import Outcome, Step
from asymp.enclosure import InputError, Undecided
from asymp.expand import Expander, Expansion, Refused
from asymp.expansion import assumptions
from asymp.parse import ParseError, parse_expression, parse_setting
from asymp.scale import Growth, Regime, sign

MOST_TERMS = 30
"""The time for K terms grows like K^2 or faster."""
EXTRA = (0, 1, 2, 4, 8)
"""How much further than K the series are taken until K terms and the next one are known."""


@dataclass(frozen=True)
class Answer:
    """The first terms, what is left, the steps, and the coefficients that must not vanish."""

    regime: Regime
    expansion: Expansion
    steps: tuple[Step, ...]
    nonzero: tuple[sp.Expr, ...]

    def terms(self) -> list[sp.Expr]:
        """The terms in the statement's variables, larger ones first."""
        return [self.regime.display(c * g.expr) for g, c in self.expansion.ordered()]

    def growth(self) -> sp.Expr:
        """The growth of the remainder; 0 where the expansion is exact.  Incomparable growths are added up."""
        return self.regime.display(sp.Add(*(r.expr for r in self.expansion.remainder)))


def confirmed(expr: sp.Expr, regime: Regime, order: int = 3) -> Answer:
    """The first ``order`` terms, derived, and confirmed by certified values on the regime's paths.

    Raises:
        Refused: no method applies, or the numbers do not confirm what was derived.
    """
    steps, full, nonzero = _derived(expr, regime, order)
    answer = Answer(regime, _first(full, order), steps, nonzero)
    derivation = Derivation(regime, *_scaled(expr, answer.expansion, regime), Outcome.HOLDS, "", ())
    try:
        fits, _ = trend.confirm(derivation)
    except (Undecided, InputError) as error:
        raise Refused(f"derived, but not confirmed by certified numbers: {error}") from error
    if any(not fit.bounded for fit in fits):
        raise Refused("derived, but certified numbers do not follow it")
    if full.remainder and not any(fit.ratios for fit in fits):
        raise Refused("derived, but no certified number could be compared with it")
    return answer


def _scaled(expr: sp.Expr, e: Expansion, regime: Regime) -> tuple[sp.Expr, Expansion]:
    """Both over an exponential that leads: at huge n e^(-n) itself is beyond any precision."""
    try:
        growth, _ = e.leading()
    except Refused:
        return expr, e
    if not growth.large:
        return expr, e
    exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
    head = Growth((), growth.large)
    return expr / regime.display(head.expr.subs(exact, simultaneous=True)), e * Expansion.of(head**-1)


def _derived(expr: sp.Expr, regime: Regime, order: int) -> tuple[tuple[Step, ...], Expansion, tuple[sp.Expr, ...]]:
    """Steps, expansion and noted coefficients, at the first order at which enough terms are known."""
    failure = Refused("no order was tried")
    best: tuple[tuple[Step, ...], Expansion, tuple[sp.Expr, ...]] | None = None
    for extra in EXTRA:
        try:
            with assumptions() as noted:
                expander = Expander(regime, order + extra)
                found = expander(expr)
        except Refused as refused:
            failure = refused
            continue
        best = (tuple(expander.steps), found, tuple(a for a in noted if sign(a) is None))
        if len(found.terms) > order or found.is_exact():
            break
    if best is None:
        raise failure
    return best


def _first(full: Expansion, order: int) -> Expansion:
    """The first terms; the growths of the others join the remainder."""
    ordered = full.ordered()
    rest = [growth for growth, _ in ordered[order:]]
    return Expansion.make(dict(ordered[:order]), [*rest, *full.remainder])


def expand_text(
    expression: str | None,
    to: str,
    assume: Iterable[str] | str = (),
    order: int = 3,
    equation: str | None = None,
    unknown: str | None = None,
) -> dict[str, Any]:
    """The answer to ``asymp expand`` as plain data: terms, remainder, strength, seconds; or refused.

    Where a coefficient that was divided by may vanish, the answer is one case, with what must not be 0.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    begin = time.perf_counter()
    if not 1 <= order <= MOST_TERMS:
        raise ParseError(f"--order: not in 1..{MOST_TERMS}")
    if equation is not None or expression is None:
        return {"refused": f"implicit quantities (--equation for {unknown}) are not expanded in this version"}
    assumed = [assume] if isinstance(assume, str) else list(assume)
    setting = parse_setting(to, assumed, re.findall(r"[^\W\d]\w*", expression))
    expr = parse_expression(expression, setting.symbols)
    if setting.regime is None:
        raise ParseError("say what tends where, such as --to n->oo")
    if setting.values:
        expr = expr.subs(dict(setting.values))
    try:
        answer = confirmed(expr, setting.regime, order)
    except ValueError as refused:  # Refused, or a method that met what it cannot take
        return {"refused": " ".join(str(refused).split())}
    remainder = {"kind": "O", "growth": str(answer.growth()), "constant": None, "valid_from": None}
    found: dict[str, Any] = {"terms": [str(term) for term in answer.terms()], "remainder": remainder}
    if answer.nonzero:
        found = {"cases": [{"when": " and ".join(f"{answer.regime.display(a)} != 0" for a in answer.nonzero), **found}]}
    return {**found, "strength": "proved", "seconds": round(time.perf_counter() - begin, 4)}
