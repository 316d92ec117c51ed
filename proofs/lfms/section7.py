"""Section 7: regime 2, p_n = c/n.  Lemma 7.1 and Theorem 7.1 with every step of their proofs."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Equivalent, ExpansionOf, Identity, Limit, Order, Step
from proofs.lfms.notation import (
    CHAIN_ONE,
    E_DELTA,
    MU,
    ORANGE_E,
    ORANGE_MU,
    H_i,
    L,
    claim,
    erratum,
    five_terms,
    i,
    last_factor,
    last_term,
    p1,
    power_integral,
    power_sum,
    require_vanishing,
    t,
)
from proofs.lfms.regimes import BALANCED, c, k, mu1, mun, n, p
from proofs.lfms.section6 import (
    ANY_P,
    BLOCK_NOTE,
    HARMONIC_SERIES,
    HARMONIC_SUM,
    INTEGRAL,
    SMALL_P,
    floor_block,
)

gamma = sp.EulerGamma
e_c = sp.exp(-c)
ln_n = sp.log(n)
x = sp.Symbol("x", positive=True)


def claims() -> list[Claim]:
    """The statements of section 7, in order."""
    return [*_lemma(), *_theorem(), *_item_1(), *_item_2(), *_item_3(), *_item_4(), *_item_5()]


def _balanced(slug: str, place: str, relation: object, statement: str, **more: object) -> Claim:
    return claim(slug, place, relation, statement, regime=BALANCED, **more)  # type: ignore[arg-type]


# --- Lemma 7.1 ---------------------------------------------------------------------------------


def _lemma() -> list[Claim]:
    place = "Lemma 7.1"
    floor = sp.floor(1 / p)
    blocks = Domain.product(
        SMALL_P.text + ", k = 1, 2, 3, ...", k=[1, 2, 3, 4, 6], p=[pt["p"] for pt in SMALL_P.grid]
    )
    without_mu1 = 1 / (p * L)
    return [
        _balanced(
            "lemma-7.1",
            place,
            Equivalent(MU, ORANGE_MU),
            "If p_n = c/n, as n -> oo: mu = (1 + o(1)) mu1/(p_n ln 1/p_n).",
        ),
        _balanced(
            "lemma-7.1-proof-power",
            place,
            Equivalent(p1**n, e_c),
            "As n -> oo, p1^n = (1 - p_n)^n = (1 + o(1)) e^(-c).",
        ),
        _balanced(
            "lemma-7.1-proof-full-term",
            place,
            Equivalent(p1**n / (n * mu1 * p), e_c / (c * mu1)),
            "mu = 1/p_n (1/mun + (1 + o(1)) e^(-c)/(c mu1) + sum p1^b/(b mu1))^(-1).",
        ),
        _balanced(
            "equation-21",
            "Equation (21)",
            Order(1 / mun + p1**n / (n * mu1 * p), "O", sp.Integer(1)),
            "mu = 1/p_n (O(1) + sum_{b=1}^{n-1} p1^b/(b mu1))^(-1).",
        ),
        _balanced(
            "lemma-7.1-proof-sum-grows",
            place,
            Order(HARMONIC_SUM, "omega", sp.Integer(1)),
            "sum_{b=1}^{n-1} p1^b/b = omega(1).",
            note="Printed with p_b in place of p_1; a misprint.",
        ),
        _balanced(
            "lemma-7.1-proof-infinite",
            place,
            Equivalent(HARMONIC_SUM, HARMONIC_SERIES),
            "sum_{b=1}^{n-1} p1^b/b = (1 + o(1)) sum_{b=1}^{oo} p1^b/b.",
        ),
        _balanced(
            "lemma-7.1-proof-integral",
            place,
            Equivalent(HARMONIC_SERIES, INTEGRAL),
            "sum_{b=1}^{oo} p1^b/b = (1 + o(1)) integral_1^oo p1^b/b db.",
        ),
        _balanced(
            "lemma-7.1-proof-at-index",
            place,
            Equivalent(p1**floor, sp.exp(-1)),
            "At index b = floor(1/p_n), p1^b ~ 1/e.",
        ),
        _balanced(
            "lemma-7.1-proof-at-index-term",
            place,
            Equivalent(p1**floor / floor, p * sp.exp(-1)),
            "... and p1^b/b ~ p_n/e.",
        ),
        claim(
            "lemma-7.1-proof-first-block",
            place,
            Bound(floor_block(1, 2), "<=", sp.exp(-1), SMALL_P),
            "All indices from floor(1/p_n) to floor(2/p_n) sum to at most 1/e.",
            note=BLOCK_NOTE,
        ),
        claim(
            "lemma-7.1-proof-second-block",
            place,
            Bound(floor_block(2, 3), "<=", 2 * sp.exp(-2), SMALL_P),
            "Indices from floor(2/p_n) to floor(3/p_n) sum to at most 2/e^2.",
            note="Section 6 has the sharper 1/(2 e^2), which holds too.",
        ),
        claim(
            "lemma-7.1-proof-block",
            place,
            Bound(floor_block(k, k + 1), "<=", k * sp.exp(-k), blocks),
            "In general, sum_{b=floor(k/p_n)}^{floor((k+1)/p_n)} p1^b/b <= k/e^k.",
            note=BLOCK_NOTE,
        ),
        claim(
            "lemma-7.1-proof-tail",
            place,
            Bound(-sp.log(p) - power_sum(1 / i, 1, floor - 1), "<=", sp.E / (sp.E - 1) ** 2, ANY_P),
            "sum_{b=floor(1/p_n)}^{oo} p1^b/b <= sum_{k=1}^{oo} k/e^k = e/(e-1)^2 = O(1).",
            note="The infinite sum is written -ln p_n less its first terms.",
        ),
        _balanced(
            "lemma-7.1-proof-tail-order",
            place,
            Order(power_sum(1 / i, n, sp.oo), "O", sp.Integer(1)),
            "As 1/p_n = theta(n), we similarly find that the sum from index n to oo is O(1).",
        ),
        _balanced(
            "lemma-7.1-proof-equation-9",
            place,
            ExpansionOf(INTEGRAL, -sp.log(p), "O", sp.Integer(1)),
            "As shown in (9), integral_1^oo p1^b/b db = -ln p_n + O(1).",
            note="The O(p_n) term that is next called negligible is the O(1) of (21); a misprint.",
        ),
        *erratum(
            "lemma-7.1-proof-inverse",
            place,
            (ExpansionOf(1 / (p * MU), -sp.log(p), "O", sp.Integer(1)), "mu = 1/p_n (O(1) - ln p_n)^(-1)."),
            (
                ExpansionOf(mu1 / (p * MU), -sp.log(p), "O", sp.Integer(1)),
                "mu = mu1/p_n (O(1) - ln p_n)^(-1).",
            ),
            regime=BALANCED,
            note="mu1 is dropped: right only for mu1 = 1.",
            refuting=({"mu1": 10, "mun": 1, "c": 1},),
        ),
        *erratum(
            "lemma-7.1-proof-conclusion",
            place,
            (Equivalent(MU, without_mu1), "mu = (1 + o(1)) 1/(p_n ln 1/p_n), as desired."),
            (Equivalent(MU, mu1 * without_mu1), "mu = (1 + o(1)) mu1/(p_n ln 1/p_n), as the lemma has it."),
            regime=BALANCED,
            note="mu1 is dropped: right only for mu1 = 1.",
            refuting=({"mu1": 10, "mun": 1, "c": 1},),
        ),
    ]


# --- Theorem 7.1 -------------------------------------------------------------------------------


def _theorem() -> list[Claim]:
    place = "Theorem 7.1"
    t22, t23, t24, t25, t26 = five_terms(MU)
    one = 1 / p
    return [
        _balanced(
            "theorem-7.1",
            place,
            Equivalent(E_DELTA, ORANGE_E),
            "If p_n = c/n, as n -> oo: E[Delta(Y_d)] = (1 + o(1)) 1/(2 p_n).",
        ),
        claim(
            "theorem-7.1-proof-five-terms",
            place,
            Identity(E_DELTA, sum(five_terms(MU)), CHAIN_ONE.where(lambda n, **_: n <= 5)),
            "E[Delta(Y_d)] = (22) + (23) + (24) + (25) + (26).",
        ),
        _balanced(
            "theorem-7.1-item-1",
            "Theorem 7.1 item 1",
            ExpansionOf(t22, c * e_c / p, "o", one),
            "Non-summation term (22): c e^(-c)/p_n + o(1/p_n).",
        ),
        _balanced(
            "theorem-7.1-item-2",
            "Theorem 7.1 item 2",
            ExpansionOf(t23, (1 - e_c * (1 + c)) / p, "o", one),
            "p1^i i term (23): (1 - e^(-c) (1+c))/p_n + o(1/p_n).",
        ),
        _balanced(
            "theorem-7.1-item-3", "Theorem 7.1 item 3", Order(t24, "o", one), "p1^i term (24): o(1/p_n)."
        ),
        _balanced(
            "theorem-7.1-item-4",
            "Theorem 7.1 item 4",
            ExpansionOf(t25, -(1 - e_c) / p, "o", one),
            "p1^i H_i term (25): -(1 - e^(-c))/p_n + o(1/p_n).",
        ),
        _balanced(
            "theorem-7.1-item-5",
            "Theorem 7.1 item 5",
            ExpansionOf(t26, 1 / (2 * p), "o", one),
            "p1^i H_i/i term (26): 1/(2 p_n) + o(1/p_n).",
        ),
        _balanced(
            "theorem-7.1-proof-significant",
            place,
            Order(t22, "Theta", one),
            "The non-summation term (22) is now significant, which was not the case in section 6.",
        ),
        claim(
            "theorem-7.1-proof-sum-of-rates",
            place,
            Identity(
                c * e_c / p + (1 - e_c * (1 + c)) / p + 0 - (1 - e_c) / p + 1 / (2 * p),
                1 / (2 * p),
                Domain.product("c > 0, 0 < p_n < 1", c=[Fraction(1, 10), 1, 3], p=[Fraction(1, 10)]),
            ),
            "These growth rates sum to 1/(2 p_n) + o(1/p_n); c does not appear, as its contributions cancel out.",
        ),
    ]


def _item_1() -> list[Claim]:
    place = "Theorem 7.1"
    first = 1 - MU / (n * mu1)
    bracket = (c + 1) / p - MU / mu1 * sp.harmonic(n - 1)
    sizes = Domain.product("n >= 1", n=[1, 2, 3, 10, 10**4, 10**20])
    return [
        _balanced(
            "equation-22-power",
            "Equation (22)",
            Equivalent(last_term(MU), e_c * first * last_factor(MU)),
            "(22) = (1 + o(1)) e^(-c) (1 - mu/(n mu1)) (n - 1 + 1/p_n - (mu/mu1) H_{n-1} - mu/(n p_n mu1)).",
        ),
        _balanced("theorem-7.1-proof-mu-over-n", place, Limit(MU / n, sp.Integer(0)), "mu/n is negligible."),
        _balanced(
            "theorem-7.1-proof-mu-order",
            place,
            Order(MU, "O", 1 / (p * L)),
            "... because mu = O(1/(p_n ln(1/p_n))).",
        ),
        _balanced("theorem-7.1-proof-n-order", place, Order(n, "O", 1 / p), "... and n = O(1/p_n)."),
        _balanced(
            "equation-22-negligible",
            "Equation (22)",
            Equivalent(e_c * first * last_factor(MU), e_c * bracket),
            "(1 + o(1)) e^(-c) (1 - mu/(n mu1)) (...) = (1 + o(1)) e^(-c) ((c+1)/p_n - (mu/mu1) H_{n-1}).",
        ),
        claim(
            "theorem-7.1-proof-harmonic-above",
            place,
            Bound(sp.harmonic(n - 1) - ln_n, "<=", sp.Integer(1), sizes),
            "|H_{n-1} - ln n| <= 1: from above.",
        ),
        claim(
            "theorem-7.1-proof-harmonic-below",
            place,
            Bound(sp.harmonic(n - 1) - ln_n, ">=", sp.Integer(-1), sizes),
            "|H_{n-1} - ln n| <= 1: from below.",
        ),
        claim(
            "theorem-7.1-proof-logarithms",
            place,
            Identity(
                ln_n - sp.log(n / c),
                sp.log(c),
                Domain.product("n >= 1, c > 0", n=[1, 10], c=[Fraction(1, 10), 3]),
                proof=_logarithms,
            ),
            "ln n - ln 1/p_n = ln c.",
        ),
        _balanced(
            "equation-22-conclusion",
            "Equation (22)",
            Equivalent(e_c * bracket, e_c * c / p),
            "(1 + o(1)) e^(-c) ((c+1)/p_n - (mu/mu1) H_{n-1}) = (1 + o(1)) e^(-c) c/p_n.",
        ),
    ]


def _logarithms() -> list[Step]:
    if sp.expand_log(ln_n - sp.log(n / c) - sp.log(c)) != 0:
        raise ValueError("the logarithms do not cancel")
    return [Step("ln(n/c) = ln n - ln c for positive n and c", r"\ln n - \ln(n/c) = \ln c")]


_FINITE = Domain.product(
    "n >= 1, 0 < p_n < 1", n=[1, 2, 3, 10], p=[Fraction(1, 2), Fraction(1, 10), Fraction(6, 7)]
)


def _item_2() -> list[Claim]:
    total = p * power_sum(i)
    return [
        *erratum(
            "equation-23",
            "Equation (23)",
            (
                Identity(total, p * (p1 + p1 ** (n + 1) * (-1 - n + n * p1)) / p**2, _FINITE),
                "p_n sum_{i=1}^{n-1} p1^i i = p_n (p1 + p1^(n+1) (-1 - n + n p1))/p_n^2.",
            ),
            (
                Identity(
                    total, p * (p1 + p1**n * (-n + (n - 1) * p1)) / p**2, _FINITE, proof=_weighted_geometric
                ),
                "p_n sum_{i=1}^{n-1} p1^i i = p_n (p1 + p1^n (-n + (n-1) p1))/p_n^2.",
            ),
            note="The closed form is that of the sum to n, not n - 1.",
        ),
        _balanced(
            "equation-23-middle",
            "Equation (23)",
            Equivalent(total, (1 + e_c * (-1 - n * (1 - p1))) / p),
            "p_n sum p1^i i = (1 + o(1)) (1 + e^(-c) (-1 - n (1 - p1)))/p_n.",
            note="The last term of the sum, lost in the closed form, is negligible here.",
        ),
        _balanced(
            "equation-23-conclusion",
            "Equation (23)",
            Equivalent(total, (1 - e_c * (1 + c)) / p),
            "p_n sum p1^i i = (1 + o(1)) (1 - e^(-c) (1+c))/p_n.",
        ),
    ]


def _weighted_geometric() -> list[Step]:
    """By induction on n: 0 at n = 1, and one more term at each step."""
    y = sp.Symbol("y", positive=True)
    closed = (y + y**n * (-n + (n - 1) * y)) / (1 - y) ** 2
    step = sp.simplify(sp.expand_power_exp((closed.subs(n, n + 1) - closed - n * y**n) * (1 - y) ** 2))
    if sp.simplify(closed.subs(n, 1)) != 0 or sp.expand(step) != 0:
        raise ValueError("the induction fails")
    return [Step("induction on n", sp.latex(closed))]


def _item_3() -> list[Claim]:
    total = power_sum(sp.Integer(1))
    return [
        *erratum(
            "equation-24",
            "Equation (24)",
            (Identity(total, (1 - p1**n) / (1 - p1), _FINITE), "sum_{i=1}^{n-1} p1^i = (1 - p1^n)/(1 - p1)."),
            (
                Identity(total, (p1 - p1**n) / (1 - p1), _FINITE),
                "sum_{i=1}^{n-1} p1^i = (p1 - p1^n)/(1 - p1).",
            ),
            note="The closed form is that of the sum from i = 0.",
        ),
        _balanced(
            "equation-24-value",
            "Equation (24)",
            Equivalent(total, (1 - e_c) / p),
            "sum_{i=1}^{n-1} p1^i = (1 - e^(-c))/p_n.",
            note="The (1 + o(1)) of the next display belongs here too.",
        ),
        _balanced(
            "equation-24-conclusion",
            "Equation (24)",
            Equivalent(-MU * p / mu1 * total, -(1 - e_c) / (p * L)),
            "-(mu p_n/mu1) sum p1^i = -(1 + o(1)) (1 - e^(-c))/(p_n ln(1/p_n)).",
        ),
        _balanced(
            "equation-24-order",
            "Equation (24)",
            Order(1 / (p * L), "o", 1 / p),
            "1/(p_n ln(1/p_n)) = o(1/p_n).",
        ),
    ]


def _item_4() -> list[Claim]:
    place = "Theorem 7.1"
    total = power_sum(H_i)
    finite = power_integral(sp.log(t), 1, n)
    numerator = -sp.Ei(n * sp.log(p1)) + p1**n * ln_n + sp.li(p1)
    indices = Domain.product("i >= 1", i=[1, 2, 3, 10, 10**6, 10**30])
    return [
        claim(
            "equation-25-harmonic-above",
            "Equation (25)",
            Bound(H_i - sp.log(i), "<=", sp.Integer(1), indices),
            "H_i - ln(i) lies in [0, 1]: at most 1.",
        ),
        claim(
            "equation-25-harmonic-below",
            "Equation (25)",
            Bound(H_i - sp.log(i), ">=", sp.Integer(0), indices),
            "H_i - ln(i) lies in [0, 1]: at least 0.",
        ),
        _balanced(
            "equation-27-sum",
            "Equation (27)",
            Equivalent(total, finite),
            "sum_{i=1}^{n-1} p1^i H_i = (1 + o(1)) integral_1^n p1^i ln(i) di.",
        ),
        claim(
            "equation-27",
            "Equation (27)",
            Identity(
                finite,
                numerator / sp.log(p1),
                Domain.product(
                    "n > 1, 0 < p_n < 1",
                    n=[2, 10, 100],
                    p=[Fraction(1, 2), Fraction(1, 10), Fraction(1, 500)],
                ),
                proof=_finite_integral,
            ),
            "integral_1^n p1^i ln i di = (-ExpIntegralEi[n ln p1] + p1^n ln n + LogIntegral[p1])/ln p1.",
        ),
        claim(
            "theorem-7.1-proof-ei-definition",
            place,
            Identity(
                sp.Ei(-x),
                -sp.Integral(sp.exp(-t) / t, (t, x, sp.oo)),
                Domain.product("x > 0", x=[Fraction(1, 10), 1, 5]),
                proof=_ei,
            ),
            "ExpIntegralEi[x] = -integral_{-x}^oo e^(-t)/t dt, the exponential integral function.",
            note="At negative arguments, the only ones used.",
        ),
        *erratum(
            "theorem-7.1-proof-ei-limit",
            place,
            (
                Limit(sp.Ei(n * sp.log(1 - p)), sp.Ei(c)),
                "lim_{n -> oo} ExpIntegralEi[n ln(1 - c/n)] = ExpIntegralEi[c].",
            ),
            (
                Limit(sp.Ei(n * sp.log(1 - p)), sp.Ei(-c)),
                "lim_{n -> oo} ExpIntegralEi[n ln(1 - c/n)] = ExpIntegralEi[-c].",
            ),
            regime=BALANCED,
            note="The sign: n ln(1 - c/n) -> -c.",
        ),
        _balanced(
            "theorem-7.1-proof-ei-order",
            place,
            Order(sp.Ei(n * sp.log(p1)), "Theta", sp.Integer(1)),
            "Equivalently, ExpIntegralEi[n ln p1] = theta(1).",
        ),
        _balanced(
            "theorem-7.1-proof-li",
            place,
            Order(sp.li(p1) - sp.log(p), "Theta", sp.Integer(1)),
            "LogIntegral[p1] = ln p_n + theta(1).",
            note="The difference tends to gamma.",
        ),
        *erratum(
            "theorem-7.1-proof-li-n",
            place,
            (
                Order(sp.li(p1) + ln_n, "Theta", sp.Integer(1)),
                "LogIntegral[p1] = -ln n + theta(1).",
            ),
            (
                Order(sp.li(p1) + ln_n, "O", sp.Integer(1)),
                "LogIntegral[p1] = -ln n + O(1).",
            ),
            regime=BALANCED,
            note="The difference tends to gamma + ln c, which is 0 at c = e^(-gamma): there it is not theta(1), which by "
            "section 3 asks for a limit other than 0.",
            refuting=({"c": sp.exp(-gamma), "mu1": 1, "mun": 1},),
        ),
        _balanced("theorem-7.1-proof-ln-p1", place, Equivalent(sp.log(p1), -p), "ln p1 = -p_n (1 + o(1))."),
        _balanced(
            "theorem-7.1-proof-power-log",
            place,
            ExpansionOf(p1**n * ln_n, e_c * ln_n, "o", ln_n),
            "p1^n ln n = e^(-c) ln n + o(ln n).",
        ),
        _balanced(
            "theorem-7.1-proof-weight",
            place,
            Equivalent(MU * p / mu1, 1 / L),
            "mu p_n/mu1 = (1 + o(1)) 1/ln(1/p_n).",
        ),
        _balanced(
            "theorem-7.1-proof-weight-n",
            place,
            ExpansionOf(MU * p / mu1, 1 / ln_n, "o", 1 / ln_n),
            "mu p_n/mu1 = 1/ln n + o(1/ln n).",
        ),
        _balanced(
            "theorem-7.1-proof-numerator",
            place,
            ExpansionOf(numerator, (e_c - 1) * ln_n, "o", ln_n),
            "-ExpIntegralEi[n ln p1] + p1^n ln n + LogIntegral[p1] = (e^(-c) - 1) ln n + o(ln n).",
        ),
        _balanced(
            "equation-25-sum",
            "Equation (25)",
            Equivalent(total, (1 - e_c) * ln_n / p),
            "sum_{i=1}^{n-1} p1^i H_i = (1 + o(1)) (1 - e^(-c)) ln n/p_n.",
        ),
        _balanced(
            "equation-25-conclusion",
            "Equation (25)",
            ExpansionOf(MU * p / mu1 * total, (1 - e_c) / p, "o", 1 / p),
            "(mu p_n/mu1) sum_{i=1}^{n-1} p1^i H_i = (1 - e^(-c))/p_n + o(1/p_n).",
        ),
    ]


def _finite_integral() -> list[Step]:
    """The primitive of section 6 between 1 and n, with Ei(-y) = -Gamma(0, y) and li(e^-s) = Ei(-s)."""
    s = sp.Symbol("s", positive=True)
    primitive = -sp.exp(-s * t) * sp.log(t) / s + sp.Ei(-s * t) / s
    if sp.simplify(sp.diff(primitive, t) - sp.exp(-s * t) * sp.log(t)) != 0:
        raise ValueError("not an antiderivative")
    value = primitive.subs(t, n) - primitive.subs(t, 1)
    printed = (-sp.Ei(-s * n) + sp.exp(-s * n) * ln_n + sp.Ei(-s)) / (-s)
    if sp.simplify(value - printed) != 0:
        raise ValueError("the value differs")
    return [
        Step("antiderivative, checked by differentiation; s = -ln p1", sp.latex(primitive)),
        Step("between 1 and n, with li(p1) = Ei(ln p1)", sp.latex(printed)),
    ]


def _ei() -> list[Step]:
    if sp.simplify(sp.diff(sp.Ei(-x), x) - sp.exp(-x) / x) != 0:
        raise ValueError("the derivative differs")
    require_vanishing(sp.Ei(-x), x)
    require_vanishing(sp.uppergamma(0, x), x)
    return [
        Step(
            "both sides have derivative e^(-x)/x and vanish as x -> oo",
            r"\frac{d}{dx}\mathrm{Ei}(-x) = \frac{e^{-x}}{x}",
        )
    ]


def _item_5() -> list[Claim]:
    total = power_sum(H_i / i)
    with_harmonic = power_integral(sp.harmonic(t) / t, 1, n)
    with_log = power_integral(sp.log(t) / t, 1, c / p)
    return [
        _balanced(
            "equation-26-factor",
            "Equation (26)",
            Equivalent(MU**2 * p / mu1**2, 1 / (p * L**2)),
            "mu^2 p_n/mu1^2 = 1/(p_n ln(1/p_n)^2).",
            note="Read as ~: the (1 + o(1)) of Lemma 7.1 is dropped.",
        ),
        claim(
            "equation-26-integral-harmonic",
            "Equation (26)",
            Bound(
                total - with_harmonic,
                "<=",
                p1,
                Domain.product(
                    "n >= 1, 0 < p_n < 1",
                    n=[2, 10, 100],
                    p=[Fraction(1, 2), Fraction(1, 10), Fraction(1, 100)],
                ),
                proof=_decreasing,
            ),
            "sum_{i=1}^{n-1} p1^i H_i/i ~ integral_1^n p1^i H_i/i di.",
            note="The difference lies between 0 and p1, the first term, while both sides grow without bound.",
        ),
        _balanced(
            "equation-26-integral-log",
            "Equation (26)",
            Equivalent(total, with_log),
            "... ~ integral_1^{c/p_n} (1 - p_n)^i ln i/i di.",
        ),
        _balanced(
            "equation-26-integral",
            "Equation (26)",
            Order(with_log - L**2 / 2, "Theta", L),
            "integral_1^{c/p_n} (1 - p_n)^i ln i/i di = ln(1/p_n)^2/2 + theta(log(1/p_n)).",
            note="The coefficient is -(gamma + E1(c)), never 0.",
        ),
        _balanced(
            "equation-26-conclusion",
            "Equation (26)",
            ExpansionOf(MU**2 * p / mu1**2 * total, 1 / (2 * p), "o", 1 / p),
            "(mu^2 p_n/mu1^2) sum_{i=1}^{n-1} p1^i H_i/i = 1/(2 p_n) + o(1/p_n).",
        ),
    ]


def _decreasing() -> list[Step]:
    """f(t) = p1^t H_t/t decreases: H_t = sum_k t/(k (k+t)), so that H_t/t = sum_k 1/(k (k+t))."""
    j, s = sp.symbols("j s", positive=True)
    if sp.simplify((1 / j - 1 / (j + s)) / s - 1 / (j * (j + s))) != 0:
        raise ValueError("the series of H_t/t differs")
    slope = sp.simplify(sp.diff(1 / (j * (j + s)), s))
    if sp.simplify(slope + 1 / (j * (j + s) ** 2)) != 0:
        raise ValueError("its terms do not decrease")
    return [
        Step("H_t/t is a sum of decreasing terms", r"H_t/t = \sum_{k\ge1} \frac{1}{k(k+t)}"),
        Step(
            "for a decreasing f the sum less the integral is at most the first term",
            r"\sum_{i=1}^{n-1} f(i) - \int_1^n f \le f(1) = p_1",
        ),
    ]
