"""Section 6: regime 1, p_n = omega(1/n).  Lemma 6.1 with every step of its proof."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import (
    Bound,
    Claim,
    Domain,
    Equivalent,
    Evidence,
    ExpansionOf,
    Identity,
    Limit,
    Order,
    Outcome,
    Property,
    Step,
    Strength,
    Value,
    Witness,
)
from asymp.enclosure import enclose
from asymp.expand import expand
from asymp.scale import Regime
from proofs.lfms.notation import (
    MU,
    ORANGE_MU,
    L,
    beyond,
    claim,
    erratum,
    i,
    p1,
    power_integral,
    power_sum,
    require_vanishing,
    t,
)
from proofs.lfms.regimes import N_DOMINATED, VANISHING, k, mu1, mun, n, p

gamma = sp.EulerGamma
x = sp.Symbol("x", positive=True)
z = -sp.log(p1)
HARMONIC_SUM = power_sum(1 / i)
HARMONIC_SERIES = power_sum(1 / i, 1, sp.oo)
INTEGRAL = power_integral(1 / t)

SMALL_P = Domain.product(
    "0 < p_n <= 1/3 (the lemma is about p_n -> 0)",
    p=[Fraction(1, 3), Fraction(1, 4), Fraction(2, 7), Fraction(1, 10), Fraction(3, 100), Fraction(1, 1000)],
)
ANY_P = Domain.product(
    "0 < p_n < 1",
    p=[
        Fraction(9, 10),
        Fraction(51, 100),
        Fraction(1, 2),
        Fraction(1, 3),
        Fraction(1, 10),
        Fraction(1, 1000),
    ],
)


def claims() -> list[Claim]:
    """The statements about mu, in order."""
    return [*_lemma(), *_lemma_tail(), *_lemma_integral()]


# --- Lemma 6.1 ---------------------------------------------------------------------------------
def _lemma() -> list[Claim]:
    place = "Lemma 6.1"
    inverse = 1 / (p * (1 / mun + HARMONIC_SUM / mu1))
    return [
        claim(
            "lemma-6.1",
            place,
            Equivalent(MU, ORANGE_MU),
            "If p_n = omega(1/n), as p_n -> 0, n -> oo: mu = (1 + o(1)) mu1/(p_n ln 1/p_n).",
            regime=N_DOMINATED,
        ),
        *erratum(
            "lemma-6.1-proof-nonzero-constant",
            place,
            (
                Property(_only_theta),
                "As n -> oo, p1^n = (1 - p_n)^n can only converge to a nonzero constant if p_n = theta(1/n).",
            ),
            (
                Limit(p1**n, sp.Integer(0)),
                "As n -> oo, p1^n can only converge to a nonzero constant if p_n = O(1/n).",
            ),
            corrected_regime=N_DOMINATED,
            note="If p_n = o(1/n), then p1^n -> 1.  What the proof needs is the corrected statement.",
            corrected_note="Contraposed: if n p_n -> oo, then p1^n -> 0.",
        ),
        claim(
            "lemma-6.1-proof-power",
            place,
            Order(p1**n, "o", sp.Integer(1)),
            "In this setting, p_n = omega(1/n), so p1^n = o(1).",
            regime=N_DOMINATED,
        ),
        claim(
            "lemma-6.1-proof-full-term",
            place,
            Order(p1**n / (n * p), "o", sp.Integer(1)),
            "p1^n/(n p_n) = o(1)/omega(1) = o(1).",
            regime=N_DOMINATED,
        ),
        claim(
            "lemma-6.1-proof-drop-full-term",
            place,
            Equivalent(MU, inverse),
            "mu = (1 + o(1)) 1/p_n (1/mun + sum_{b=1}^{n-1} p1^b/(b mu1))^(-1).",
            regime=N_DOMINATED,
        ),
        claim(
            "lemma-6.1-proof-sum-order",
            place,
            Order(HARMONIC_SUM / mu1, "Theta", L),
            "sum_{b=1}^{n-1} p1^b/(b mu1) = theta(ln 1/p_n).",
            regime=N_DOMINATED,
        ),
        claim(
            "equation-7",
            "Equation (7)",
            Equivalent(inverse, mu1 / (p * HARMONIC_SUM)),
            "(1 + o(1)) 1/p_n (1/mun + sum p1^b/(b mu1))^(-1) = (1 + o(1)) mu1/p_n (sum p1^b/b)^(-1).",
            regime=N_DOMINATED,
        ),
        claim(
            "equation-8",
            "Equation (8)",
            Equivalent(HARMONIC_SUM, HARMONIC_SERIES),
            "sum_{b=1}^{n-1} p1^b/b = (1 + o(1)) sum_{b=1}^{oo} p1^b/b.",
            regime=N_DOMINATED,
            note="The sum is printed with p_b in place of p_1 just before; a misprint.",
        ),
        claim(
            "equation-8-integral",
            "Equation (8)",
            Equivalent(HARMONIC_SERIES, INTEGRAL),
            "sum_{b=1}^{oo} p1^b/b = (1 + o(1)) integral_1^oo p1^b/b db.",
            regime=VANISHING,
        ),
    ]


def _only_theta() -> list[Evidence]:
    """p_n = n^-2 is not theta(1/n), and yet p1^n converges to a nonzero constant: both by expansion."""
    square = Regime("p_n = n^(-2)", (n,), {p: n**-2})
    power, scaled = expand(p1**n, square), expand(n * p, square)
    (growth, limit), (smaller, _) = power.leading(), scaled.leading()
    if growth.limit() != "one" or limit == 0 or smaller.limit() != "zero":
        detail = f"p_n = 1/n^2 is no counterexample: p1^n = {power}, n p_n = {scaled}"
        return [Evidence("symbolic", Outcome.UNDECIDED, Strength.NONE, detail)]
    points = []
    for size in (10**8, 10**20, 10**100):
        ball = enclose(p1**n, {"n": size, "p": Fraction(1, size**2)}, digits=12)
        points.append(Witness({"n": f"1e{len(str(size)) - 1}", "p": "n^(-2)"}, ball.value, ball.radius))
    steps = (
        Step("p1^n at p_n = 1/n^2", sp.latex(power.expr) + r" + \ldots"),
        Step("n p_n at p_n = 1/n^2, which is therefore not theta(1/n)", sp.latex(scaled.expr) + r" \to 0"),
    )
    detail = f"p_n = 1/n^2 is o(1/n), and p1^n -> {limit}, a nonzero constant"
    return [Evidence("symbolic", Outcome.REFUTED, Strength.PROVED, detail, tuple(points), steps)]


def floor_block(lower: sp.Expr | int, upper: sp.Expr | int) -> sp.Sum:
    """``sum of p1^b/b`` over floor(lower/p) <= b <= floor(upper/p)."""
    return power_sum(1 / i, sp.floor(lower / p), sp.floor(upper / p))


BLOCK_NOTE = "Read as the regime has it, for p_n near 0.  At p_n = 0.51, say, the sum is 0.667 > 1/e; for p_n <= 1/3 it never is."


def _lemma_tail() -> list[Claim]:
    place = "Lemma 6.1"
    every_k = Domain.product(
        SMALL_P.text + ", k = 1, 2, 3, ...", k=[1, 2, 3, 4, 6], p=[pt["p"] for pt in SMALL_P.grid]
    )
    return [
        claim(
            "lemma-6.1-proof-index",
            place,
            Order(1 / p, "o", n),
            "p_n = omega(1/n) and hence 1/p_n = o(n).",
            regime=N_DOMINATED,
        ),
        claim(
            "lemma-6.1-proof-at-index",
            place,
            Equivalent(p1 ** sp.floor(1 / p), sp.exp(-1)),
            "At index b = floor(1/p_n), p1^b ~ 1/e.",
            regime=VANISHING,
        ),
        claim(
            "lemma-6.1-proof-first-block-words",
            place,
            Bound(floor_block(1, 2), "<=", 1 / (p * sp.E), ANY_P),
            "All indices from floor(1/p_n) to floor(2/p_n) sum to at most 1/(p_n e).",
            note="True, but it is the display's 1/e that the proof uses.",
        ),
        claim(
            "lemma-6.1-proof-first-block",
            place,
            Bound(floor_block(1, 2), "<=", sp.exp(-1), SMALL_P),
            "sum_{b=floor(1/p_n)}^{floor(2/p_n)} p1^b/b <= 1/p_n p_n/e = 1/e.",
            note=BLOCK_NOTE,
        ),
        claim(
            "lemma-6.1-proof-second-block",
            place,
            Bound(floor_block(2, 3), "<=", sp.exp(-2) / 2, SMALL_P),
            "Indices from floor(2/p_n) to floor(3/p_n) sum to at most 1/(2 e^2).",
            note="Read for p_n near 0.",
        ),
        claim(
            "lemma-6.1-proof-block",
            place,
            Bound(floor_block(k, k + 1), "<=", k * sp.exp(-k), every_k),
            "In general for any constant k, sum_{b=floor(k/p_n)}^{floor((k+1)/p_n)} p1^b/b <= k/e^k.",
            note=BLOCK_NOTE,
        ),
        beyond(
            "lemma-6.1-proof-first-block-limit",
            place,
            Limit(floor_block(1, 2), sp.uppergamma(0, 1) - sp.uppergamma(0, 2)),
            "The first block tends to E1(1) - E1(2) = 0.1705, less than half of 1/e.",
            regime=VANISHING,
        ),
        claim(
            "lemma-6.1-proof-tail",
            place,
            Bound(-sp.log(p) - power_sum(1 / i, 1, sp.floor(1 / p) - 1), "<=", sp.E / (sp.E - 1) ** 2, ANY_P),
            "sum_{b=floor(1/p_n)}^{oo} p1^b/b <= sum_{k=1}^{oo} k/e^k.",
            note="The infinite sum is written -ln p_n less its first terms.",
        ),
        claim(
            "lemma-6.1-proof-series",
            place,
            Identity(
                sp.Sum(i * sp.exp(-i), (i, 1, sp.oo)),
                sp.E / (sp.E - 1) ** 2,
                Domain.points(),
                proof=series_k,
            ),
            "sum_{k=1}^{oo} k/e^k = e/(e-1)^2.",
        ),
        claim(
            "lemma-6.1-proof-tail-order",
            place,
            Order(power_sum(1 / i, n, sp.oo), "O", sp.Integer(1)),
            "The sum over indices b >= n must also be O(1).",
            regime=N_DOMINATED,
        ),
    ]


def series_k() -> list[Step]:
    """sum k y^k = y/(1-y)^2: the partial sums satisfy a closed form, by induction."""
    y, m = sp.symbols("y m", positive=True)
    partial = y * (1 - (m + 1) * y**m + m * y ** (m + 1)) / (1 - y) ** 2
    if sp.simplify(partial.subs(m, 1) - y) != 0:
        raise ValueError("the closed form fails at m = 1")
    if sp.simplify(sp.expand_power_exp(partial.subs(m, m + 1) - partial - (m + 1) * y ** (m + 1))) != 0:
        raise ValueError("the induction step fails")
    s = sp.Symbol("s", positive=True)  # y = e^(-s) covers 0 < y < 1
    require_vanishing((partial - y / (1 - y) ** 2).subs(y, sp.exp(-s)), m)
    if sp.simplify((y / (1 - y) ** 2).subs(y, sp.exp(-1)) - sp.E / (sp.E - 1) ** 2) != 0:
        raise ValueError("the value at 1/e differs")
    return [
        Step("partial sums by induction on m", sp.latex(partial)),
        Step("m -> oo with 0 < y < 1, since m y^m -> 0", r"\frac{y}{(1-y)^2}"),
        Step("y = 1/e", r"\frac{e}{(e-1)^2}"),
    ]


def _lemma_integral() -> list[Claim]:
    place = "Lemma 6.1"
    b_grid = Domain.product(
        "b >= 1, 0 < p_n < 1",
        i=[1, 2, 5, 40],
        p=[Fraction(9, 10), Fraction(1, 2), Fraction(1, 10), Fraction(1, 1000)],
    )
    term = p1**i / i - p1 ** (i + 1) / (i + 1)
    return [
        claim(
            "lemma-6.1-proof-difference",
            place,
            Identity(
                HARMONIC_SERIES - INTEGRAL,
                -sp.log(p) - sp.uppergamma(0, z),
                ANY_P,
                proof=_telescoped,
            ),
            "sum_{b=1}^{oo} p1^b/b - integral_1^oo p1^b/b db = sum_{b=1}^{oo} (p1^b/b - integral_b^{b+1} p1^x/x dx).",
            note="Both sides converge absolutely, and the integrals add up; their value is -ln p_n - Gamma(0, -ln p1).",
        ),
        claim(
            "lemma-6.1-proof-decreasing",
            place,
            Bound(p1 ** (i + 1) / (i + 1), "<=", p1**i / i, b_grid, proof=_decreasing),
            "p1^b/b is decreasing as a function of b.",
        ),
        claim(
            "lemma-6.1-proof-difference-bound",
            place,
            Bound(-sp.log(p) - sp.uppergamma(0, z), "<=", p1, ANY_P),
            "sum (p1^b/b - integral_b^{b+1} p1^x/x dx) <= sum (p1^b/b - p1^(b+1)/(b+1)).",
            note="The left side is -ln p_n - Gamma(0, -ln p1); the right side telescopes to p1.",
        ),
        *erratum(
            "lemma-6.1-proof-term-first",
            place,
            (
                Bound(term, "<=", p1**i / i - p1 ** (i + 1) / i, b_grid),
                "p1^b/b - p1^(b+1)/(b+1) <= p1^b/b - p1^(b+1)/b.",
            ),
            (
                Bound(term, ">=", p1**i / i - p1 ** (i + 1) / i, b_grid, proof=_term_first),
                "p1^b/b - p1^(b+1)/(b+1) >= p1^b/b - p1^(b+1)/b.",
            ),
            note="The wrong way round for every b, as p1^(b+1)/(b+1) < p1^(b+1)/b.",
        ),
        claim(
            "lemma-6.1-proof-term-second",
            place,
            Bound(p1**i / i - p1 ** (i + 1) / i, "<=", p1**i - p1 ** (i + 1), b_grid),
            "p1^b/b - p1^(b+1)/b <= p1^b - p1^(b+1).",
        ),
        *erratum(
            "lemma-6.1-proof-term",
            place,
            (
                Bound(term, "<=", p1**i - p1 ** (i + 1), b_grid),
                "p1^b/b - p1^(b+1)/(b+1) <= p1^b - p1^(b+1).",
            ),
            (
                Bound(term, "<=", p1**i - p1 ** (i + 1) + p1 ** (i + 1) / (i * (i + 1)), b_grid),
                "p1^b/b - p1^(b+1)/(b+1) <= p1^b - p1^(b+1) + p1^(b+1)/(b (b+1)).",
            ),
            note="The outer sides of the chain; fails at b = 1 (p1 - p1^2/2 > p1 - p1^2), and wherever p1 > 1 - 1/b^2.  "
            "The sums over b are equal nevertheless, and the conclusion p1 < 1 stands.",
            corrected_note="The first step turned right, then the second.",
        ),
        claim(
            "lemma-6.1-proof-sums",
            place,
            Identity(
                sp.Sum(p1**i / i - p1 ** (i + 1) / (i + 1), (i, 1, x)),
                p1 - p1 ** (x + 1) / (x + 1),
                Domain.product("x >= 1, 0 < p_n < 1", x=[1, 2, 10], p=[Fraction(1, 2), Fraction(1, 10)]),
                proof=lambda: _telescope(p1**x / x),
            ),
            "sum_{b=1}^{oo} (p1^b/b - p1^(b+1)/(b+1)) <= p1.",
            note="Partial sums to x; as x -> oo they tend to p1, so that <= holds with equality.",
        ),
        claim(
            "lemma-6.1-proof-sums-right",
            place,
            Identity(
                sp.Sum(p1**i - p1 ** (i + 1), (i, 1, x)),
                p1 - p1 ** (x + 1),
                Domain.product("x >= 1, 0 < p_n < 1", x=[1, 2, 10], p=[Fraction(1, 2), Fraction(1, 10)]),
                proof=lambda: _telescope(p1**x),
            ),
            "sum_{b=1}^{oo} (p1^b - p1^(b+1)) = p1 < 1.",
            note="Partial sums to x; as x -> oo they tend to p1.",
        ),
        claim(
            "lemma-6.1-proof-incomplete-gamma",
            place,
            Identity(INTEGRAL, sp.uppergamma(0, z), ANY_P, proof=_exponential_integral),
            "integral_1^oo p1^b/b db = Gamma[0, -ln p1] = Gamma[0, -ln(1 - p_n)].",
        ),
        *erratum(
            "lemma-6.1-proof-limit-gamma",
            place,
            (
                Limit(sp.uppergamma(0, z) + sp.log(p), gamma),
                "lim_{p_n -> 0} Gamma[0, -ln(1 - p_n)] + ln p_n = gamma.",
            ),
            (
                Limit(sp.uppergamma(0, z) + sp.log(p), -gamma),
                "lim_{p_n -> 0} Gamma[0, -ln(1 - p_n)] + ln p_n = -gamma.",
            ),
            regime=VANISHING,
            note="The sign: Gamma(0, z) = -gamma - ln z + O(z).",
        ),
        *erratum(
            "lemma-6.1-proof-gamma-value",
            place,
            (Value(gamma, "0.57726"), "gamma ~ 0.57726 is the Euler-Mascheroni constant."),
            (Value(gamma, "0.57722"), "gamma ~ 0.57722 is the Euler-Mascheroni constant."),
            note="gamma = 0.5772156649...",
        ),
        claim(
            "equation-9",
            "Equation (9)",
            ExpansionOf(INTEGRAL, -sp.log(p), "O", sp.Integer(1)),
            "integral_1^oo p1^b/b db = -ln p_n + O(1) = ln(1/p_n) + O(1).",
            regime=VANISHING,
        ),
    ]


def _exponential_integral() -> list[Step]:
    """-Gamma(0, s t) is a primitive of e^(-s t)/t that vanishes at infinity; p1^t = e^(-s t), s = -ln p1."""
    s = sp.Symbol("s", positive=True)
    primitive = -sp.uppergamma(0, s * t)
    if sp.simplify(sp.diff(primitive, t) - sp.exp(-s * t) / t) != 0:
        raise ValueError("not an antiderivative")
    require_vanishing(primitive, t)
    rule = "antiderivative of e^(-s t)/t, s = -ln p1, checked by differentiation; it tends to 0 at infinity"
    return [Step(rule, sp.latex(primitive))]


def _telescoped() -> list[Step]:
    m, s = sp.symbols("m s", positive=True)
    require_vanishing(sp.uppergamma(0, m * s), m)
    return [
        *_exponential_integral(),
        Step(
            "sum over b >= 1 of (Gamma(0, b z) - Gamma(0, (b+1) z)) telescopes, as Gamma(0, m z) -> 0",
            r"\Gamma(0, z)",
        ),
        Step("the series of -ln(1 - p1)", r"\sum_{b\ge1} p_1^b/b = -\ln p_n"),
    ]


def _telescope(f: sp.Expr) -> list[Step]:
    s = sp.Symbol("s", positive=True)  # p1 = e^(-s)
    require_vanishing(f.subs(p, 1 - sp.exp(-s)), x)
    if f.subs(x, 1) != p1:
        raise ValueError("the first term is not p1")
    return [
        Step(
            "the sum telescopes: first term less the one after the last",
            sp.latex(f.subs(x, 1) - f.subs(x, x + 1)),
        )
    ]


def _decreasing() -> list[Step]:
    """p1^b/b - p1^(b+1)/(b+1) = p1^b (b p_n + 1)/(b (b+1)) > 0."""
    q = sp.Symbol("q", positive=True)
    gap = sp.simplify(q**i / i - q ** (i + 1) / (i + 1) - q**i * (i * (1 - q) + 1) / (i * (i + 1)))
    if gap != 0:
        raise ValueError("the difference is another")
    return [Step("the difference is positive", r"\frac{p_1^b (1 + b p_n)}{b(b+1)} > 0")]


def _term_first() -> list[Step]:
    q = sp.Symbol("q", positive=True)
    gap = q ** (i + 1) / i - q ** (i + 1) / (i + 1) - q ** (i + 1) / (i * (i + 1))
    if sp.simplify(gap) != 0:
        raise ValueError("the difference is another")
    return [Step("left less right", r"\frac{p_1^{b+1}}{b(b+1)} > 0")]
