"""The expander: one recursion over an expression, one handler a kind of node.

Every handler returns an :class:`asymp.expansion.Expansion` whose remainder is proved by the
theorem its docstring names; what no handler can bound is refused, never guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import sympy as sp

from asymp.claim import Step
from asymp.expansion import Expansion, Refused
from asymp.scale import Growth, Regime

Handler = Callable[["Expander", sp.Expr], Expansion]
HANDLERS: dict[type, Handler] = {}
"""Node type -> handler; the modules of methods add theirs with :func:`handles`."""


def handles(*kinds: type) -> Callable[[Handler], Handler]:
    """Register a handler for node types."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


class Expander:
    """Expansions in one regime to one order (the number of terms kept of each series).

    Args:
        regime: what tends where.
        order: terms of each elementary series; costs grow like its square.
    """

    def __init__(self, regime: Regime, order: int = 3) -> None:
        self.regime = regime
        self.order = order
        self.steps: list[Step] = []
        self._memo: dict[sp.Expr, Expansion] = {}

    def __call__(self, expr: sp.Expr) -> Expansion:
        """The expansion of ``expr``.

        Raises:
            Refused: no method applies, or a comparison cannot be decided.
        """
        expr = _canonical(sp.sympify(expr))
        if expr not in self._memo:
            self._memo[expr] = self._expand(expr)
        return self._memo[expr]

    def note(self, rule: str, latex: str, source: str = "") -> None:
        """Record a step of the derivation, once."""
        step = Step(rule, latex, source)
        if step not in self.steps:
            self.steps.append(step)

    def resolved(self, expr: sp.Expr) -> sp.Expr:
        """The expression in the scales (its special functions and sums untouched)."""
        return self.regime.resolve(expr)

    def _expand(self, expr: sp.Expr) -> Expansion:
        if expr.is_Symbol:
            return self._symbol(expr)
        if expr.is_number or not (expr.free_symbols & self._variables()):
            if expr.has(sp.oo, -sp.oo, sp.zoo, sp.nan):
                raise Refused(f"{expr} is not a finite number")
            return Expansion.constant(expr.subs(dict(self.regime.ranges)))
        handler = HANDLERS.get(expr.func)
        if handler is None:
            raise Refused(f"no method expands {expr.func.__name__}")
        return handler(self, expr)

    @lru_cache(maxsize=1)  # noqa: B019 - one small frozen set, held as long as the expander
    def _variables(self) -> frozenset[sp.Symbol]:
        return frozenset(self.regime.scales) | frozenset(self.regime.ties)

    def _symbol(self, symbol: sp.Symbol) -> Expansion:
        if symbol in self.regime.ties:
            return self(self.regime.ties[symbol])
        if symbol in self.regime.scales:
            return Expansion.of(Growth.of(symbol))
        return Expansion.constant(self.regime.ranges.get(symbol, symbol))


@lru_cache(maxsize=10_000)
def _canonical(expr: sp.Expr) -> sp.Expr:
    """One name for each constant: Gamma(0, x) and -Ei(-x) are E_1(x)."""
    expr = expr.replace(sp.uppergamma, lambda a, x: sp.expint(1, x) if a == 0 else sp.uppergamma(a, x))
    return expr.replace(
        lambda e: isinstance(e, sp.Ei) and e.args[0].could_extract_minus_sign() and e.args[0].is_negative,
        lambda e: -sp.expint(1, -e.args[0]),
    )


@handles(sp.Add)
def _add(expander: Expander, expr: sp.Expr) -> Expansion:
    """A rational function of the variables is put into the scales first: 1 - (1 - e^(-1/v)) is e^(-1/v)."""
    if not expr.has(sp.Function, sp.Sum, sp.Integral):
        resolved = expander.resolved(expr)
        if not resolved.is_Add:
            return expander(resolved)
        return Expansion.sum(expander(term) for term in resolved.args)
    return Expansion.sum(expander(term) for term in expr.args)


@handles(sp.Mul)
def _mul(expander: Expander, expr: sp.Expr) -> Expansion:
    product = Expansion.constant(1)
    for factor in expr.args:
        product = product * expander(factor)
    return product


@handles(sp.Pow)
def _pow(expander: Expander, expr: sp.Expr) -> Expansion:
    base, exponent = expr.args
    if not exponent.free_symbols & expander._variables():
        if base.is_Symbol and base in expander.regime.scales:
            return Expansion.of(Growth.of(base, exponent.subs(dict(expander.regime.ranges))))
        return expander(base).power(exponent.subs(dict(expander.regime.ranges)), expander.order)
    return expander(sp.exp(exponent * sp.log(base), evaluate=False))


@handles(sp.exp)
def _exp(expander: Expander, expr: sp.Expr) -> Expansion:
    return expander(expr.args[0]).exp(expander.order)


@handles(sp.log)
def _log(expander: Expander, expr: sp.Expr) -> Expansion:
    argument = expr.args[0]
    if not argument.has(sp.Sum, sp.Integral):
        resolved = sp.log(expander.resolved(argument))
        if not isinstance(resolved, sp.log):
            return expander(resolved)
        argument = resolved.args[0]
    return expander(argument).log(expander.order)
