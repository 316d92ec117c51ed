"""The 1-and-n system in symbols: the formulas of Grosof and Ayhan (2025), section 5.

Each formula is a *claim* about the chain of :mod:`asymp.queues.saturated`, which is built from the
rules alone; the kernel proves them for all n from the chain as data, the exact chain confirms
them at given n.  ``p`` is the probability of an n-server job (the paper's p_n), ``1 - p`` its p_1; ``mu1``
and ``mun`` are service rates.

>>> sp.nsimplify(throughput_formula().subs({n: 2, p: sp.Rational(1, 2), mu1: 1, mun: 1}).doit())
8/7
"""

from __future__ import annotations

import sympy as sp

n, p, mu1, mun = sp.symbols("n p mu1 mun", positive=True)
b = sp.Symbol("b", integer=True, nonnegative=True)
"""The number of 1-server jobs present, a running index."""


def mean_cycle_time_formula() -> sp.Expr:
    """1/C', the mean time from one n-server completion to the next (Lemma 5.2).

    ``1/mun + (1-p)^n/(n mu1 p) + sum_{b=1}^{n-1} (1-p)^b/(b mu1)``
    """
    drain = sp.Sum((1 - p) ** b / (b * mu1), (b, 1, n - 1))
    return 1 / mun + (1 - p) ** n / (n * mu1 * p) + drain


def throughput_formula() -> sp.Expr:
    """mu, completions of any class a unit of time (Lemma 5.3).

    >>> throughput_formula().subs({n: 1, p: sp.Rational(1, 3), mu1: 2, mun: 5}).doit()
    5/2
    """
    return 1 / p / mean_cycle_time_formula()


def mean_relative_completions_formula(throughput: sp.Expr | None = None) -> sp.Expr:
    """E[Delta(Y_d)] of Lemma 5.5; ``throughput`` is mu, the formula of Lemma 5.3 unless given.

    >>> half = {n: 2, p: sp.Rational(1, 2), mu1: 1, mun: 1}
    >>> mean_relative_completions_formula(sp.Rational(8, 7)).subs(half).doit()
    4/49
    """
    m = throughput_formula() if throughput is None else throughput
    last = (1 - p) ** n * (1 - m / (n * mu1))
    last *= n - 1 + 1 / p - m / mu1 * sp.harmonic(n - 1) - m / (n * p * mu1)
    term = (1 - p) ** b * p * (1 - m / (b * mu1)) * (b - m / mu1 * sp.harmonic(b))
    return last + sp.Sum(term, (b, 1, n - 1))
