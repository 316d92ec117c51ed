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


def dispersion_by_cycles(throughput: sp.Expr | None = None) -> sp.Expr:
    """I, the index of dispersion of saturated completions: lim Var D(t) / E D(t).

    A cycle runs from one n-server completion to the next.  G 1-server jobs come before its n-server
    job, ``P(G = g) = (1-p)^g p``, so that ``N = G + 1`` jobs complete in it, in the time

    ``T = X + max of G Exp(mu1)`` if G < n;  ``T = X + Gamma(G-n+1)/(n mu1) + max of n-1 Exp(mu1)`` if not,

    X ~ Exp(mun), all independent given G: while all n servers are busy each completion brings the
    next job forward, the n-server job comes with the (G-n+1)th, and n-1 jobs then drain.  The
    maximum of g has mean ``H_g/mu1`` and variance ``H_g^(2)/mu1^2``.  By the central limit theorem
    of renewal rewards, ``I = E[(N - mu T)^2] / E[N] = p E[(N - mu T)^2]``; the square is summed here
    over G, the geometric tail from n on in closed form.
    """
    m = throughput_formula() if throughput is None else throughput

    def square(jobs: sp.Expr, extra_mean: sp.Expr, extra_variance: sp.Expr, drained: sp.Expr) -> sp.Expr:
        mean = jobs - m / mun - m / mu1 * sp.harmonic(drained) + extra_mean
        return mean**2 + m**2 * (1 / mun**2 + sp.harmonic(drained, 2) / mu1**2) + extra_variance

    # Overflow of M = G-n+1 completions, geometric on 1, 2, ...: mean 1/p, variance (1-p)/p^2; given
    # M it adds M (1 - mu/(n mu1)) to the mean of N - mu T, and M (mu/(n mu1))^2 to its variance.
    net = 1 - m / (n * mu1)
    spread = net**2 * (1 - p) / p**2 + (m / (n * mu1)) ** 2 / p
    tail = (1 - p) ** n * square(n, net / p, spread, n - 1)
    return p * (sp.Sum((1 - p) ** b * p * square(b + 1, sp.Integer(0), sp.Integer(0), b), (b, 0, n - 1)) + tail)


def mean_relative_completions_by_cycles(throughput: sp.Expr | None = None) -> sp.Expr:
    """E[Delta(Y_d)] by a second route, from regeneration cycles: ``(I - 1)/2``.

    In heavy traffic the mean queue of Poisson arrivals and a service of dispersion I is
    ``(1 + I)/2 /(1 - rho)``; with the paper's equation (2) that is ``E[Delta(Y_d)] = (I - 1)/2``.
    The two routes share neither Poisson's equation nor the stationary law.

    >>> half = {n: 2, p: sp.Rational(1, 2), mu1: 1, mun: 1}
    >>> mean_relative_completions_by_cycles(sp.Rational(8, 7)).subs(half).doit()
    4/49
    """
    return (dispersion_by_cycles(throughput) - 1) / 2
