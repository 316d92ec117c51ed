"""The expander: the series of the kernel of an expression, in which what the kernel does not read stands for its expansion.

What is not the kernel's (:mod:`asymp.expand.mills`) is expanded by itself, and is a leaf of the rest.

>>> n = sp.Symbol("n", positive=True)
>>> Expander(Regime.single(n), 1)(sp.log(n + 1))
log(n) + 1/n + O(n**(-2))
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import METER, NODE
from asymp.claim import Step
from asymp.expand.kernel_series import KernelSeries, canonical
from asymp.expansion import Expansion, NoTerm, Refused
from asymp.notes import Memory
from asymp.scale import Regime
from asymp.vanishing import is_coarse


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
        self._bound: dict[sp.Symbol, Expansion] = {}
        self.kernel = KernelSeries(regime, order, self._bound)
        self._memo: Memory[tuple[sp.Expr, bool], tuple[Expansion, tuple[Step, ...]]] = Memory()

    def __call__(self, expr: sp.Expr) -> Expansion:
        """The expansion of ``expr``.

        Raises:
            Refused: no method applies, or a comparison cannot be decided.
        """
        expr = canonical(sp.sympify(expr))

        def expanded() -> tuple[Expansion, tuple[Step, ...]]:
            # steps of its own, since a method that is given up later drops those of the common list
            before, self.steps = self.steps, []
            METER.steps += NODE
            try:
                with sy.refusing("expanding"):
                    return self._expand(expr), tuple(self.steps)
            finally:
                self.steps = before

        found, steps = self._memo((expr, is_coarse()), expanded)
        self.steps += [step for step in steps if step not in self.steps]
        return found

    def note(self, rule: str, latex: str, source: str = "") -> None:
        """Record a step of the derivation, once."""
        step = Step(rule, latex, source)
        if step not in self.steps:
            self.steps.append(step)

    def resolved(self, expr: sp.Expr) -> sp.Expr:
        """The expression in the scales (its special functions and sums untouched)."""
        return self.regime.resolve(expr)

    def standing_for(self, x: Expansion) -> sp.Symbol:
        """A symbol that has this expansion, for expressions in it."""
        found = sp.Dummy("x", real=True)
        self._bound[found] = x
        return found

    def _expand(self, expr: sp.Expr) -> Expansion:
        if isinstance(expr, sp.Sum | sp.Integral | sp.Product) and sy.degree_bound(expr.function) > sy.MIDDLE_DEGREE:
            raise Refused(f"an exponent above {sy.MIDDLE_DEGREE} below a {expr.func.__name__}")
        found = self.kernel(expr)
        if (
            not found.terms
            and found.remainder
            and isinstance(expr, sp.Sum | sp.Integral | sp.Product)
            and not is_coarse()
        ):
            raise NoTerm(f"no term is known, only {found}")
        if self.kernel.facts or not found.is_exact():
            self.note("series of the kernel", sy.latex(expr), ", ".join(self.kernel.facts))
        return found

