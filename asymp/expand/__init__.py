"""Derive expansions: ``expand(expr, regime)`` and the methods behind it.

>>> import sympy as sp
>>> from asymp.scale import Regime
>>> n = sp.Symbol("n", positive=True)
>>> expand(sp.harmonic(n), Regime.single(n), order=2)
log(n) + EulerGamma + 1/(2*n) - 1/(12*n**2) + 1/(120*n**4) + O(n**(-6))
"""

from __future__ import annotations

import sympy as sp

from asymp.claim import Step
from asymp.expand import oracle  # noqa: F401 - it plugs itself in
from asymp.expand.engine import Expander
from asymp.expansion import Expansion, Refused
from asymp.scale import Regime

__all__ = ["Expander", "Expansion", "Refused", "derive", "expand"]


def expand(expr: sp.Expr, regime: Regime, order: int = 3) -> Expansion:
    """The expansion of an expression in a regime, ``order`` terms of every series kept.

    Raises:
        Refused: no method applies, or a comparison cannot be decided.
    """
    return Expander(regime, order)(expr)


def derive(expr: sp.Expr, regime: Regime, order: int = 3) -> tuple[Expansion, tuple[Step, ...]]:
    """The expansion and the steps that led to it.

    Raises:
        Refused: as :func:`expand`.
    """
    expander = Expander(regime, order)
    result = expander(expr)
    return result, tuple(expander.steps)
