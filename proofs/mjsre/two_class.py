"""Two classes of jobs: the argument that makes equation (8) explicit, and the curve of figure 2(a)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import sympy as sp

from asymp.claim import Step
from asymp.queues.one_and_n import mu1, mun, n, p, throughput_formula
from asymp.queues.two_class import wastage

SERVERS, BIG, HALF = 200, 100, Fraction(1, 2)
"""The setting of figure 2(a); small jobs need one server for a time of mean 1."""
TIMES = tuple(Fraction(1, 500) * Fraction(3, 2) ** k for k in range(24))
"""Mean service times of big jobs, from 0.002 to 22."""


# --- equation (8) ----------------------------------------------------------------------------------


def cycle_steps() -> Sequence[Step]:
    """p_g E|H_eta| for 1-and-n jobs with exponential services is 1/(Lemma 5.3 of lfms), for every n.

    A cycle is the global job and K small ones, P(K = k) = p q^k.  The pile of k small jobs has the mean height
    H_k/mu1 if k <= n; if not, k - n completions at rate n mu1 bring the last ones forward, and n jobs drain:
    (k - n)/(n mu1) + H_n/mu1.
    """
    q = 1 - p
    b = sp.Symbol("b", integer=True, nonnegative=True)
    x = sp.Symbol("x", positive=True)
    # sum of x^j over j >= 0, for 0 < x < 1, and of j x^j
    geometric = sp.Sum(x**b, (b, 0, sp.oo)).doit().args[0][0]
    weighted = x * sp.diff(geometric, x)
    # H_min(K, n) is the sum of 1/b over b <= min(K, n), so that its mean is the sum of P(K >= b)/b.
    at_least = p * q**b * geometric.subs(x, q)
    overflow = p * q**n * weighted.subs(x, q)  # E (K - n)^+, the sum over K = n + j of j p q^(n + j)
    drain = sp.Sum(q**b / (b * mu1), (b, 1, n - 1))
    cycle = 1 / mun + drain + q**n / (n * mu1) + overflow / (n * mu1)
    found = (
        ("P(K >= b) = q^b, so that E H_min(K,n) is the sum of q^b/b, b <= n", at_least - q**b),
        ("E (K - n)^+ = q^(n+1)/p", overflow - q ** (n + 1) / p),
        (
            "p (1/mun + E height of K small jobs) = 1/mu, mu of Lemma 5.3 of lfms",
            cycle - 1 / (p * throughput_formula()),
        ),
    )
    for name, difference in found:
        residual = sp.simplify(difference)
        if residual != 0:
            raise ValueError(f"{name}: residual {residual}")
    return [Step(f"{name}: residual 0 for symbolic n", "0 = 0") for name, _ in found]


# --- figure 2(a) ---------------------------------------------------------------------------------------


def curve(times: Sequence[Fraction] = TIMES) -> list[tuple[Fraction, Fraction]]:
    """(mean service time of a big job, mean number of wasted servers), exactly."""
    return [(time, wastage(1, BIG, SERVERS, HALF, 1, 1 / time)) for time in times]
