"""What the paper does not state: next orders, the boundary inside regime 3, formulas for all regimes.

All of it follows from exact summation by parts, with x = p1 and T = sum_{b<n} x^b/b,

    sum_{i<n} x^i H_i = (T - x^n H_{n-1})/p_n,   mu = mu1/(p_n S),   S = mu1/mun + x^n/(n p_n) + T,

and from the tails of sum x^b/b and sum x^i H_i/i by Euler and Maclaurin, with z = -ln(1 - p_n), U = n z.
"""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Equivalent, ExpansionOf, Limit, Step
from asymp.special import GammaDerivative
from proofs.lfms.notation import E_DELTA, MU, ORANGE_E, L, beyond, p1, r
from proofs.lfms.regimes import (
    ABOVE_BOUNDARY,
    BALANCED,
    BELOW_BOUNDARY,
    BOUNDARY,
    N_DOMINATED,
    POLYNOMIAL,
    RATIOS,
    alpha,
    c,
    k,
    mu1,
    n,
    p,
)

gamma = sp.EulerGamma
ln_n = sp.log(n)
S_SCALED = mu1 / (p * MU)
"""S = mu1/(p_n mu), the mean time of an n-server cycle in units of 1/mu1."""


def claims() -> list[Claim]:
    """Regime by regime, then the formulas for all of them."""
    return [*_n_dominated(), *_balanced(), *_boundary(), *_polynomial(), *_uniform()]


def _n_dominated() -> list[Claim]:
    small = p1**n
    closed = 1 - 2 / (L + r) + (r**2 + sp.pi**2 / 3) / (L + r) ** 2
    text = "n p_n >= 3, p_n <= 1/3, mu1/mun in [1/10, 10]"
    grid = tuple(
        at
        for at in _grid((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), (1, 2, 4, 6))
        if at["n"] * at["p"] >= 3
    )
    grid = tuple(at for at in grid if at["p"] <= sp.Rational(1, 3))
    return [
        beyond(
            "beyond-n-dominated-throughput",
            "Theorem 4.1",
            ExpansionOf(S_SCALED, L + r, "O", p + small),
            "In regime 1, mu = mu1/(p_n (ln 1/p_n + mu1/mun + O(p_n + p1^n))).",
            regime=N_DOMINATED,
            note="ln 1/p_n + mu1/mun is all there is: the error is in fact exponentially small in n p_n.",
        ),
        beyond(
            "beyond-n-dominated-response",
            "Theorem 4.1",
            ExpansionOf(
                2 * p * E_DELTA, 1 - 2 / L + (r**2 + 2 * r + sp.pi**2 / 3) / L**2, "O", L**-3 + n * p * small
            ),
            "In regime 1, 2 p_n E[Delta(Y_d)] = 1 - 2/L + (r^2 + 2 r + pi^2/3)/L^2 + O(L^(-3) + n p_n p1^n), with L = ln "
            "1/p_n and r = mu1/mun.",
            regime=N_DOMINATED,
        ),
        beyond(
            "beyond-n-dominated-response-closed",
            "Theorem 4.1",
            Bound(sp.Abs(2 * p * E_DELTA - closed), "<=", 4 * (p + n * p * small), Domain(text, grid)),
            "In regime 1, 2 p_n E[Delta(Y_d)] = 1 - 2/(L + r) + (r^2 + pi^2/3)/(L + r)^2, to within 4 (p_n + n p_n p1^n).",
            note="The series in 1/L, summed.  Why the convergence in Fig. 2 is slow (-2/ln), and in Fig. 5 (r = 10) not "
            "monotone.",
        ),
    ]


def _balanced() -> list[Claim]:
    e_c = sp.exp(-c)
    e1 = sp.uppergamma(0, c)
    constant = sp.log(n / c) + r + e_c / c - e1
    return [
        beyond(
            "beyond-balanced-throughput",
            "Theorem 4.2",
            ExpansionOf(S_SCALED, constant, "O", ln_n / n),
            "In regime 2, mu = mu1/(p_n (ln(n/c) + mu1/mun + e^(-c)/c - E1(c) + O(ln n/n))).",
            regime=BALANCED,
        ),
        beyond(
            "beyond-balanced-response",
            "Theorem 4.2",
            ExpansionOf(2 * p * E_DELTA, 1 - 2 * (1 + e_c / c) / ln_n, "o", 1 / ln_n),
            "In regime 2, 2 p_n E[Delta(Y_d)] = 1 - 2 (1 + e^(-c)/c)/ln n + o(1/ln n).",
            regime=BALANCED,
            note="So c does appear, one order on: for small c the convergence is slow.",
        ),
    ]


def _boundary() -> list[Claim]:
    peak = k * n * ln_n / (2 * (1 + k) ** 2)
    return [
        beyond(
            "beyond-below-boundary-response",
            "Lemma 8.2",
            Equivalent(E_DELTA, n**2 * p * ln_n**2 / 2),
            "If p_n = o(1/(n ln n)), then E[Delta(Y_d)] ~ n^2 p_n ln^2 n/2.",
            regime=BELOW_BOUNDARY,
            note="Sharpens Lemma 8.2; at p_n = n^(-alpha) it is Theorem 8.1.",
        ),
        beyond(
            "beyond-boundary-throughput",
            "Lemma 8.1",
            Equivalent(MU, n * mu1 / (1 + k)),
            "If p_n = k/(n ln n), then mu ~ n mu1/(1 + k).",
            regime=BOUNDARY,
        ),
        beyond(
            "beyond-boundary-response",
            "Lemma 8.2",
            Equivalent(E_DELTA, peak),
            "If p_n = k/(n ln n), then E[Delta(Y_d)] ~ n ln n k/(2 (1 + k)^2).",
            regime=BOUNDARY,
        ),
        beyond(
            "beyond-boundary-peak",
            "Section 10",
            Bound(
                k / (2 * (1 + k) ** 2),
                "<=",
                sp.Rational(1, 8),
                Domain.product("k > 0", k=[Fraction(1, 100), Fraction(1, 2), 1, 2, 50]),
                proof=_peak,
            ),
            "The coefficient k/(2 (1 + k)^2) is at most 1/8, at k = 1: E[Delta(Y_d)] peaks at p_n = 1/(n ln n), as n ln "
            "n/8.",
        ),
        beyond(
            "beyond-above-boundary-response",
            "Section 10",
            Equivalent(E_DELTA, ORANGE_E),
            "If p_n = omega(1/(n ln n)) and p_n = o(1/n), then E[Delta(Y_d)] ~ 1/(2 p_n).",
            regime=ABOVE_BOUNDARY,
            note="The formula of regimes 1 and 2 extends down to 1/(n ln n), and grows faster than n there.",
        ),
        beyond(
            "beyond-above-boundary-larger",
            "Section 10",
            Limit(E_DELTA / n, sp.oo),
            "If p_n = omega(1/(n ln n)) and p_n = o(1/n), then E[Delta(Y_d)] grows faster than n.",
            regime=ABOVE_BOUNDARY,
        ),
    ]


def _peak() -> list[Step]:
    if sp.simplify(sp.Rational(1, 8) - k / (2 * (1 + k) ** 2) - (1 - k) ** 2 / (8 * (1 + k) ** 2)) != 0:
        raise ValueError("the difference is another")
    return [Step("right less left, 0 at k = 1 alone", r"\frac{(1-k)^2}{8(1+k)^2} \ge 0")]


def _polynomial() -> list[Claim]:
    log = ln_n + gamma + r - 1
    return [
        beyond(
            "beyond-polynomial-response",
            "Theorem 4.3",
            ExpansionOf(
                n ** (alpha - 2) * E_DELTA, log**2 / 2 + r**2 / 2 + sp.pi**2 / 12, "o", sp.Integer(1)
            ),
            "If p_n = n^(-alpha), alpha > 1: E[Delta(Y_d)] = n^(2-alpha) ((ln n + gamma + r - 1)^2/2 + r^2/2 + pi^2/12 + "
            "o(1)), with r = mu1/mun.",
            regime=POLYNOMIAL,
            note="Why the green curve of Fig. 7 (r = 10) is far off: the relative error is ~ 2 (gamma + r - 1)/ln n.",
        ),
    ]


# --- formulas for all regimes ------------------------------------------------------------------

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
    tail = GammaDerivative(1, 0, _U) + (gamma - sp.log(_Z)) * _E1
    tail += _Z * (sp.exp(-_U) / _U - _E1) / 2 + _Q * sp.harmonic(n) / (2 * n)
    weighted = sp.polylog(2, 1 - p) + sp.log(p) ** 2 / 2 - tail
    last = _Q * (1 - m / n) * (n - 1 + 1 / p - m * h - m / (n * p))
    closed = (p1 * (1 - _Q) - n * _Q * p) / p - m * (p1 - _Q) - m * (UNIFORM_T - _Q * h)
    return last + closed + m**2 * p * weighted


def _grid(exponents: tuple[Fraction | int, ...], powers: tuple[int, ...]) -> tuple[dict[str, object], ...]:
    """p_n = n^(-a) and p_n = 1/(n ln n), the three pairs of rates."""
    found = []
    for power in powers:
        size = sp.Integer(10) ** power
        for prob in [size ** -sp.Rational(a) for a in exponents] + [1 / (size * sp.log(size))]:
            for rates in RATIOS:
                found.append(
                    {"n": size, "p": prob, **{symbol.name: value for symbol, value in rates.items()}}
                )
    return tuple(found)


def _uniform() -> list[Claim]:
    grid = _grid((Fraction(1, 2), Fraction(3, 4), 1, Fraction(5, 4), Fraction(3, 2), 2, 3), (1, 2, 3, 5, 8))
    text = "n >= 10, n^(-3) <= p_n <= n^(-1/2), mu1/mun in [1/10, 10]: a grid over all regimes"
    return [
        beyond(
            "beyond-uniform-throughput",
            "Lemma 5.3",
            Bound(sp.Abs(UNIFORM_MU / MU - 1), "<=", 1 / (250 * n**4), Domain(text, grid)),
            "In every regime mu = mu1/(p_n S) with S = mu1/mun + p1^n/(n p_n) - ln p_n - Gamma(0, U) - p1^n/(2n) - p1^n (1 + "
            "U)/(12 n^2), U = -n ln(1 - p_n), to relative error 1/(250 n^4).",
        ),
        beyond(
            "beyond-uniform-response",
            "Lemma 5.5",
            Bound(sp.Abs(uniform_response() / E_DELTA - 1), "<=", 1 / (5 * n**2), Domain(text, grid)),
            "In every regime E[Delta(Y_d)] is given in closed form by the dilogarithm, Gamma(0, U) and its derivative in "
            "the first argument, to relative error 1/(5 n^2).",
        ),
    ]
