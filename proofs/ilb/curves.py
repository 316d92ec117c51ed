"""The numbers in the figures of :mod:`asymp.papers.ilb.plots`: certified blocking, the formulas of the phases, samples."""

from __future__ import annotations

import math
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import mpmath

if TYPE_CHECKING:
    from asymp.sample.estimate import Estimate

DIGITS = 15
CUSTOM = "two-point:0.1,10"
"""The paper's other law: 0.1 with probability 9/9.9, 10 with 0.9/9.9, of mean 1."""
WORK = 60
"""Decimal digits where n R(gamma) is taken: at n = 10^15 its exponential loses 15 of them."""


@cache
def _quantity() -> Any:
    from asymp.registry import find_quantity

    return find_quantity("ilb/blocking")


@lru_cache(maxsize=4096)
def blocking(theta: int, n: int, rho: str | float, digits: int = DIGITS) -> Any:
    """B_theta^(n), certified to 15 digits unless said: the one door to it."""
    from asymp.enclosure import enclose_quantity

    raw = {"theta": str(theta), "n": str(n), "rho": str(rho)}
    with mpmath.workdps(WORK):
        return mpmath.mpf(str(enclose_quantity(_quantity(), raw, digits).value))


def g(k: int, t: Any) -> Any:
    """g_k(t), the sum of t^i/i! for i <= k."""
    return mpmath.fsum(t**i / mpmath.factorial(i) for i in range(k + 1))


def below(theta: int, n: int, rho: str | float) -> Any:
    """Theorem 5: exp(-n R(gamma)) (alpha/(2 pi n))^(1/2), for rho < 1."""
    with mpmath.workdps(WORK):
        rho = mpmath.mpf(str(rho))

        def slope(x: Any) -> Any:
            return g(theta - 1, x) - rho * g(theta, x)

        gamma = mpmath.findroot(slope, (0, theta / rho + 1), solver="anderson", tol=mpmath.mpf(10) ** (-WORK + 10))
        r = mpmath.log(g(theta, gamma)) - rho * gamma
        alpha = (1 - rho) / rho * (theta / (rho * gamma) - 1)
        return mpmath.exp(-n * r) * mpmath.sqrt(alpha / (2 * mpmath.pi * n))


def window(theta: int, n: int, a: float, printed: bool = False) -> Any:
    """n^(-theta/(theta+1)) over the integral of exp(-a u - u^(theta+1)/(theta+1)!), at n rho = n + a n^(1/(theta+1)).

    Theorem 7 prints +a u; at a = 0 this is Corollary 6 with its fraction turned over.
    """
    with mpmath.workdps(30):
        m, b = theta + 1, mpmath.mpf(a if printed else -a)
        far = max(float(b), 0.0) ** (1 / theta) * theta + 6 * m
        return n ** -(mpmath.mpf(theta) / m) / mpmath.quad(
            lambda u: mpmath.exp(b * u - u**m / mpmath.factorial(m)), mpmath.linspace(0, far, 13)
        )


def above(theta: int, n: int, rho: str | float, order: str = "(70)") -> Any:
    """1 - 1/rho (70); with the next term as printed in (51); or with that term over rho, which is right."""
    with mpmath.workdps(WORK):
        rho = mpmath.mpf(str(rho))
        term = 1 / ((rho - 1) * n) ** theta
        return 1 - 1 / rho + {"(70)": 0, "(51)": term, "corrected": term / rho}[order]


def rho_of(theta: int, n: int, a: float) -> str:
    """1 + a n^(-theta/(theta+1)) as a decimal."""
    with mpmath.workdps(40):
        return mpmath.nstr(1 + mpmath.mpf(a) * mpmath.mpf(n) ** (-mpmath.mpf(theta) / (theta + 1)), 35)


@lru_cache(maxsize=256)
def sampled(theta: int, n: int, rho: float, policy: str = "insensitive", law: str = "exponential", size: int = 2 * 10**6) -> Estimate:
    """Blocking from a run of ``asymp sample ilb``, with an interval of level 0.99."""
    from asymp.queues.law_text import read_law
    from asymp.sample.balancing import balance

    return balance(n, theta, rho, policy, read_law(law)(1.0), size)["blocking"]


# --- other policies at load 1 ---------------------------------------------------------------------


def jsq_at_one(theta: int, n: int) -> float:
    """JSQ, theta >= 2, rho = 1: 1/(n (theta - 4 + e))."""
    return 1 / (n * (theta - 4 + math.e))


def jiq_at_one(theta: int, n: int) -> float:
    """JIQ, theta >= 2, rho = 1, m = theta + 1: m^(1-1/m) Gamma(1+1/m)/Gamma(2/m) n^(-theta/m)."""
    m = theta + 1
    return m ** (1 - 1 / m) * math.gamma(1 + 1 / m) / math.gamma(2 / m) * n ** (-theta / m)
