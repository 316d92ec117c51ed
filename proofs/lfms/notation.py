"""The paper's notation as SymPy symbols, for samples and figures.

The quantities have one definition each, that of :mod:`asymp.queues.one_and_n`: the throughput mu of
Lemma 5.3 and E[Delta(Y_d)] of Lemma 5.5.  ``p`` is the paper's p_n and ``p1 = 1 - p``.
"""

from __future__ import annotations

import sympy as sp

from asymp.queues.one_and_n import mean_relative_completions_formula, throughput_formula

n, p, mu1, mun, alpha = sp.symbols("n p mu1 mun alpha", positive=True)
i = sp.Symbol("i", integer=True, positive=True)
p1 = 1 - p
r = mu1 / mun
L = sp.log(1 / p)
MU = throughput_formula()
"""mu of Lemma 5.3."""
E_DELTA = mean_relative_completions_formula()
"""E[Delta(Y_d)] of Lemma 5.5 with mu of Lemma 5.3."""
ORANGE_MU, ORANGE_E = mu1 / (p * L), 1 / (2 * p)
"""The asymptotic formulas of Theorems 4.1 and 4.2, orange in the figures."""
RATIOS = tuple({mu1: sp.Integer(m1), mun: sp.Integer(mn)} for m1, mn in ((1, 1), (10, 1), (1, 10)))
"""The service rates of section 9 and appendix A: mu1/mun = 1, 10, 1/10."""


def power_sum(weight: sp.Expr, lower: sp.Expr | int = 1, upper: sp.Expr = n - 1) -> sp.Sum:
    """``sum of p1^i weight(i)``, i from lower to upper."""
    return sp.Sum(p1**i * weight, (i, lower, upper))
