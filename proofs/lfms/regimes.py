"""The regimes of the paper (sections 3.1, 4 and 8), each parametrised by free large scales.

Writing z = -ln(1 - p), regime 1 is n = u v, z = 1/v with u, v -> oo free of one another: since
z ~ p as p -> 0, "n p -> oo and p -> 0" and "u, v -> oo" are the same set of paths.
"""

from __future__ import annotations

import sympy as sp

from asymp.scale import Path, Regime

n, p, mu1, mun = sp.symbols("n p mu1 mun", positive=True)
alpha, c, k = sp.symbols("alpha c k", positive=True)
_a, _b = sp.symbols("a b", positive=True)
u, v, w, y = sp.symbols("u v w y", positive=True)

RATIOS = tuple({mu1: sp.Integer(m1), mun: sp.Integer(mn)} for m1, mn in ((1, 1), (10, 1), (1, 10)))
"""The service rates of section 9 and appendix A: mu1/mun = 1, 10, 1/10."""

_half = sp.Rational(1, 2)

VANISHING = Regime(
    "p_n -> 0",
    scales=(v,),
    ties={p: 1 / v},
    names={v: 1 / p},
    paths=(Path("p = 1/m", sp.Symbol("m", positive=True), {p: 1 / sp.Symbol("m", positive=True)}),),
)

N_DOMINATED = Regime(
    "p_n = omega(1/n), p_n -> 0, n -> oo",
    scales=(u, v),
    ties={n: u * v, p: 1 - sp.exp(-1 / v)},
    names={u: n * p, v: 1 / p},
    inverse={u: -n * sp.log(1 - p), v: -1 / sp.log(1 - p)},
    paths=(
        Path("p = n^(-1/2)", n, {p: n**-_half}),
        Path("p = 1/ln n", n, {p: 1 / sp.log(n)}),
        Path("p = 2 ln n/n", n, {p: 2 * sp.log(n) / n}),
    ),
    instances=RATIOS,
)

BALANCED = Regime(
    "p_n = c/n, c > 0, n -> oo",
    scales=(n,),
    ties={p: c / n},
    paths=(Path("p = c/n", n, {p: c / n}),),
    instances=tuple({**rates, c: value} for rates in RATIOS for value in (sp.Integer(1), sp.Rational(1, 10), sp.Integer(3))),
)

BELOW_BOUNDARY = Regime(
    "p_n = o(1/(n ln n)), n -> oo",
    scales=(n, y),
    ties={p: 1 / (n * sp.log(n) * y)},
    names={y: 1 / (n * p * sp.log(n))},
    paths=(
        Path("p = 1/(n (ln n)^2)", n, {p: 1 / (n * sp.log(n) ** 2)}),
        Path("p = n^(-3/2)", n, {p: n ** (-3 * _half)}),
        Path("p = n^(-2)", n, {p: n**-2}),
    ),
    instances=RATIOS,
)

ABOVE_BOUNDARY = Regime(
    "p_n = omega(1/(n ln n)) and p_n = o(1/n), n -> oo",
    scales=(w, y),
    ties={n: sp.exp(w * y), p: sp.exp(-w * y) / w},
    names={w: 1 / (n * p), y: n * p * sp.log(n)},
    paths=(
        Path("p = 1/(n (ln n)^(1/2))", n, {p: 1 / (n * sp.sqrt(sp.log(n)))}),
        Path("p = 1/(n (ln n)^(1/4))", n, {p: 1 / (n * sp.log(n) ** sp.Rational(1, 4))}),
    ),
    instances=RATIOS,
)

BOUNDARY = Regime(
    "p_n = k/(n ln n), k > 0, n -> oo",
    scales=(n,),
    ties={p: k / (n * sp.log(n))},
    paths=(Path("p = k/(n ln n)", n, {p: k / (n * sp.log(n))}),),
    instances=tuple({**rates, k: value} for rates in RATIOS for value in (sp.Integer(1), sp.Rational(1, 3), sp.Integer(4))),
)



def _near(direction: int) -> Regime:
    """p = k_n/(n ln n) with k_n = k e^(+-1/s), s -> oo: every k_n -> k from above or from below."""
    s = sp.Symbol("s", positive=True)
    return Regime(
        "p_n = k_n/(n ln n), k_n -> k " + ("from above" if direction > 0 else "from below"),
        scales=(n, s),
        ties={p: k * sp.exp(direction / s) / (n * sp.log(n))},
        names={s: direction / sp.log(n * p * sp.log(n) / k)},
        paths=(Path("p = k e^(+-1/ln n)/(n ln n)", n, {p: k * sp.exp(direction / sp.log(n)) / (n * sp.log(n))}),),
        instances=tuple({**rates, k: sp.Integer(1)} for rates in RATIOS),
    )


ONE_DOMINATED = Regime(
    "p_n = o(1/n), n -> oo",
    scales=(n, w),
    ties={p: 1 / (n * w)},
    names={w: 1 / (n * p)},
    paths=(
        Path("p = n^(-2)", n, {p: n**-2}),
        Path("p = 1/(n ln n)", n, {p: 1 / (n * sp.log(n))}),
        Path("p = n^(-3/2)", n, {p: n ** (-3 * _half)}),
    ),
    instances=RATIOS,
    # n p ln n has a subsequence that tends to 0, to oo, or to some k: equal to it, from above, from below
    cases=(BELOW_BOUNDARY, ABOVE_BOUNDARY, BOUNDARY, _near(1), _near(-1)),
)

POLYNOMIAL = Regime(
    "p_n = 1/n^alpha, alpha > 1, n -> oo",
    scales=(n,),
    ties={p: n**-alpha},
    ranges={alpha: 1 + _a},
    paths=(Path("p = n^(-alpha)", n, {p: n**-alpha}),),
    instances=tuple(
        {**rates, alpha: value} for rates in RATIOS for value in (sp.Rational(3, 2), sp.Integer(2), sp.Integer(3))
    ),
)

N_POLYNOMIAL = Regime(
    "p_n = 1/n^alpha, 0 < alpha < 1, n -> oo",
    scales=(n,),
    ties={p: n**-alpha},
    ranges={alpha: 1 / (1 + _b)},
    paths=(Path("p = n^(-alpha)", n, {p: n**-alpha}),),
    instances=tuple({**rates, alpha: value} for rates in RATIOS for value in (_half, sp.Rational(3, 4))),
)
