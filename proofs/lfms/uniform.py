"""Formulas for all regimes, to a stated error: what the figure ``uniform-error`` draws.

With x = p1, z = -ln(1 - p_n), U = n z, by the tails of sum x^b/b and sum x^i H_i/i from Euler and Maclaurin.
"""

from __future__ import annotations

import sympy as sp

from asymp.papers.lfms.notation import mu1, n, p, p1, r
from asymp.special import GammaDerivative

_Z = -sp.log(1 - p)
_U = n * _Z
_Q = p1**n
_E1 = sp.uppergamma(0, _U)

UNIFORM_T = -sp.log(p) - _E1 - _Q / (2 * n) - _Q * (1 + _U) / (12 * n**2)
UNIFORM_S = r + _Q / (n * p) + UNIFORM_T
UNIFORM_MU = mu1 / (p * UNIFORM_S)
"""mu to relative error under 1/(250 n^4)."""


def uniform_response() -> sp.Expr:
    """E[Delta(Y_d)] to relative error under 1/(5 n^2), for p_n >= n^(-3): elementary functions, Gamma(0, U), Li2.

    The tail of ``sum x^i H_i/i`` is ``int_n^oo e^(-zt) (ln t + gamma + 1/(2t))/t dt`` and half its first term.
    """
    m, h = 1 / (p * UNIFORM_S), sp.harmonic(n - 1)
    tail = GammaDerivative(1, 0, _U) + (sp.EulerGamma - sp.log(_Z)) * _E1
    tail += _Z * (sp.exp(-_U) / _U - _E1) / 2 + _Q * sp.harmonic(n) / (2 * n)
    weighted = sp.polylog(2, 1 - p) + sp.log(p) ** 2 / 2 - tail
    last = _Q * (1 - m / n) * (n - 1 + 1 / p - m * h - m / (n * p))
    closed = (p1 * (1 - _Q) - n * _Q * p) / p - m * (p1 - _Q) - m * (UNIFORM_T - _Q * h)
    return last + closed + m**2 * p * weighted
