"""Section 8: regime 3, p_n = o(1/n).  Lemmas 8.1 to 8.3 with every step of their proofs."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Equivalent, ExpansionOf, Identity, Limit, Order, Step
from asymp.scale import Regime
from proofs.lfms import samples
from proofs.lfms.notation import (
    CHAIN_ONE,
    E_DELTA,
    MU,
    H_i,
    claim,
    erratum,
    i,
    inner_term,
    last_factor,
    last_term,
    mu,
    p1,
    power_sum,
    r,
)
from proofs.lfms.regimes import (
    ABOVE_BOUNDARY,
    BELOW_BOUNDARY,
    BOUNDARY,
    ONE_DOMINATED,
    POLYNOMIAL,
    alpha,
    mu1,
    mun,
    n,
    p,
)

gamma = sp.EulerGamma
ln_n = sp.log(n)
x = sp.Symbol("x", positive=True)
y = sp.Symbol("y", real=True)
HARMONIC_SUM = power_sum(1 / i)
H_LAST = sp.harmonic(n - 1)
N_ALPHA = n ** (2 - alpha)


def claims() -> list[Claim]:
    """The statements of the three lemmas, in order."""
    return [*_lemma_1(), *_lemma_2(), *_lemma_3()]


def in_regime(
    regime: Regime, slug: str, place: str, relation: object, statement: str, **more: object
) -> Claim:
    return claim(slug, place, relation, statement, regime=regime, **more)  # type: ignore[arg-type]


def in_polynomial(slug: str, place: str, relation: object, statement: str, **more: object) -> Claim:
    return in_regime(POLYNOMIAL, slug, place, relation, statement, **more)


# --- 8.1: Lemma 8.1 ------------------------------------------------------------------------------


def _lemma_1() -> list[Claim]:
    place = "Lemma 8.1"
    full = 1 / (n * mu1 * p)
    drain = ln_n / mu1
    return [
        in_regime(
            BELOW_BOUNDARY,
            "lemma-8.1-below",
            place,
            Equivalent(MU, n * mu1),
            "If p_n = o(1/n ln n), then mu = (1 + o(1)) n mu1.",
            note="1/n ln n is read 1/(n ln n), as the proof has it.",
        ),
        in_regime(
            ABOVE_BOUNDARY,
            "lemma-8.1-above",
            place,
            Equivalent(MU, mu1 / (p * ln_n)),
            "If p_n = omega(1/(n ln n)) and p_n = o(1/n), then mu = (1 + o(1)) mu1/(p_n ln n).",
        ),
        in_regime(
            ONE_DOMINATED, "lemma-8.1-proof-power", place, Limit(p1**n, sp.Integer(1)), "p1^n = 1 + o(1)."
        ),
        in_regime(
            ONE_DOMINATED,
            "lemma-8.1-proof-full-term",
            place,
            Equivalent(p1**n / (n * mu1 * p), full),
            "mu = 1/p_n (1/mun + (1 + o(1)) 1/(n mu1 p_n) + sum_{b=1}^{n-1} p1^b/(b mu1))^(-1).",
        ),
        claim(
            "lemma-8.1-proof-below",
            place,
            Bound(p1**n, "<=", p1**i, _I_UP_TO_N),
            "p1^n <= p1^b <= 1: the first.",
        ),
        claim(
            "lemma-8.1-proof-above",
            place,
            Bound(p1**i, "<=", sp.Integer(1), _I_UP_TO_N),
            "p1^n <= p1^b <= 1: the second.",
        ),
        in_regime(
            ONE_DOMINATED,
            "lemma-8.1-proof-negligible",
            place,
            Order(1 / mun, "o", full),
            "Furthermore, n p_n = o(1), so the 1/mun term is negligible.",
        ),
        in_regime(
            ONE_DOMINATED,
            "lemma-8.1-proof-simplified",
            place,
            Equivalent(MU, 1 / (p * (full + sp.harmonic(n - 1) / mu1))),
            "mu = (1 + o(1))/p_n (1/(n mu1 p_n) + sum_{b=1}^{n-1} 1/(b mu1))^(-1) "
            "= (1 + o(1))/p_n (1/(n mu1 p_n) + H_{n-1}/mu1)^(-1).",
        ),
        in_regime(
            ONE_DOMINATED,
            "lemma-8.1-proof-logarithm",
            place,
            Equivalent(MU, 1 / (p * (full + drain))),
            "mu = (1 + o(1))/p_n (1/(n mu1 p_n) + ln n/mu1)^(-1).",
        ),
        in_regime(
            BELOW_BOUNDARY,
            "lemma-8.1-proof-larger-below",
            place,
            Order(drain, "o", full),
            "If p_n = o(1/(n ln n)), then 1/(n mu1 p_n) is larger.",
        ),
        in_regime(
            ABOVE_BOUNDARY,
            "lemma-8.1-proof-larger-above",
            place,
            Order(full, "o", drain),
            "If p_n = omega(1/(n ln n)), then ln n/mu1 is larger.",
        ),
        in_regime(
            BELOW_BOUNDARY,
            "lemma-8.1-proof-former",
            place,
            Equivalent(MU, 1 / (p * full)),
            "In the former case mu = (1 + o(1))/p_n (1/(n mu1 p_n))^(-1) = (1 + o(1)) n mu1.",
        ),
        in_regime(
            ABOVE_BOUNDARY,
            "lemma-8.1-proof-latter",
            place,
            Equivalent(MU, 1 / (p * drain)),
            "In the latter case mu = (1 + o(1))/p_n (ln n/mu1)^(-1) = (1 + o(1)) mu1/(p_n ln n).",
        ),
        in_regime(
            BOUNDARY,
            "lemma-8.1-proof-boundary",
            place,
            Order(full, "Theta", drain),
            "If p_n = theta(1/(n ln n)), then both terms are within a constant factor of each other.",
            note="theta in the paper's sense: p_n ~ k/(n ln n).",
        ),
        in_regime(
            BOUNDARY,
            "lemma-8.1-proof-boundary-both",
            place,
            Equivalent(MU, 1 / (p * (full + drain))),
            "... and both contribute to the asymptotic behavior of mu.",
        ),
    ]


_I_UP_TO_N = Domain.product(
    "1 <= b <= n, 0 < p_n < 1", i=[1, 2, 5], n=[1, 2, 5, 50], p=[Fraction(1, 2), Fraction(1, 100)]
).where(lambda i, n, **_: i <= n)


# --- Lemma 8.2 ---------------------------------------------------------------------------------


def _lemma_2() -> list[Claim]:
    place = "Lemma 8.2"
    below = BELOW_BOUNDARY
    inner = sp.Sum(inner_term(MU), (i, 1, n - 1))
    grid = Domain.product(
        "1 <= i <= n, n >= mun/mu1, p_n = 1/n^2",
        i=[1, 2, 3, 6, 20, 57, 100],
        n=[10, 100],
        p=[Fraction(1, 100), Fraction(1, 10000)],
        mu1=[1, 10],
        mun=[1, 10],
    ).where(lambda i, n, p, **_: i <= n and p * n**2 == 1)
    reduced = i - MU / mu1 * H_i
    return [
        in_regime(
            below,
            "lemma-8.2",
            place,
            Order(E_DELTA, "o", 1 / p),
            "If p_n = o(1/(n ln n)), then E[Delta(Y_d)] = o(1/p_n).",
        ),
        claim(
            "equation-29",
            "Equation (29)",
            Identity(E_DELTA, last_term(MU) + inner, CHAIN_ONE.where(lambda n, **_: n <= 5)),
            "E[Delta(Y_d)] = (28) + (29).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-first-factor",
            place,
            Order(1 - MU / (n * mu1), "o", sp.Integer(1)),
            "mu = (1 + o(1)) n mu1, and hence 1 - mu/(n mu1) = o(1).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-dominant",
            place,
            Order(1 / p, "omega", n * ln_n),
            "1/p_n = omega(n ln n).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-bracket",
            place,
            ExpansionOf(last_factor(MU), (1 - MU / (n * mu1)) / p, "O", n * ln_n),
            "n - 1 + 1/p_n - (mu/mu1) H_{n-1} - mu/(n p_n mu1) = (1 - mu/(n mu1))/p_n + O(n ln n).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-bracket-order",
            place,
            Order(last_factor(MU), "o", 1 / p),
            "(1 - mu/(n mu1))/p_n + O(n ln n) = o(1/p_n).",
        ),
        in_regime(
            below,
            "equation-28",
            "Equation (28)",
            Order(last_term(MU), "o", 1 / p),
            "We only derive an upper bound on the growth rate of (28), namely o(1/p_n).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-power",
            place,
            Limit(p1**n, sp.Integer(1)),
            "p1^i = 1 + o(1) for any i <= n.",
            note="At i = n, where p1^i is least.",
        ),
        claim(
            "lemma-8.2-proof-factor-below",
            place,
            Bound(1 - MU / (i * mu1), ">=", -n / i, grid, proof=_at_most_full),
            "-n/i <= 1 - mu/(i mu1).",
        ),
        claim(
            "lemma-8.2-proof-factor-above",
            place,
            Bound(1 - MU / (i * mu1), "<=", sp.Integer(1), grid),
            "1 - mu/(i mu1) <= 1.",
        ),
        claim(
            "lemma-8.2-proof-factor-order",
            place,
            Bound(sp.Abs(1 - MU / (i * mu1)), "<=", n / i, grid),
            "Specifically, 1 - mu/(i mu1) = O(n/i).",
            note="With the constant 1.",
        ),
        *erratum(
            "lemma-8.2-proof-reduced-below",
            place,
            (Bound(reduced, ">=", -n * sp.log(i), grid), "-n ln i <= i - (mu/mu1) H_i."),
            (Bound(reduced, ">=", -n * (1 + sp.log(i)), grid), "-n (1 + ln i) <= i - (mu/mu1) H_i."),
            note="At i = 1 it reads mu <= mu1; as H_i > ln i + gamma it fails for all i < 0.577 n, n large.  H_i <= 1 + "
            "ln i gives the corrected bound, and the O(n ln n) that the proof needs.  Printed with h_i for H_i.",
        ),
        claim(
            "lemma-8.2-proof-reduced-above",
            place,
            Bound(reduced, "<=", i, grid),
            "i - (mu/mu1) H_i <= i.",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-reduced-order",
            place,
            Order(n - MU / mu1 * sp.harmonic(n), "O", n * ln_n),
            "This gives the bound i - (mu/mu1) H_i = O(n ln n).",
            note="At i = n, where the modulus is largest in order.",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-sum",
            place,
            Order(inner, "O", p * n**2 * ln_n * H_LAST),
            "(29) <= O(p_n) sum_{i=1}^{n-1} n^2 ln n/i = O(p_n) n^2 ln n H_{n-1}.",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-sum-order",
            place,
            Order(p * n**2 * ln_n * H_LAST, "O", p * n**2 * ln_n**2),
            "O(p_n) n^2 ln n H_{n-1} = O(p_n n^2 ln^2 n).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-sum-small",
            place,
            Order(p * n**2 * ln_n**2, "o", n * ln_n),
            "O(p_n n^2 ln^2 n) = o(n ln n).",
        ),
        in_regime(
            below,
            "lemma-8.2-proof-sum-smaller",
            place,
            Order(n * ln_n, "o", 1 / p),
            "o(n ln n) = o(1/p_n).",
        ),
    ]


def _at_most_full() -> list[Step]:
    """mu <= n mu1 for n >= mun/mu1: each term of 1/C' is at least its part of 1/(n mu1 p_n)."""
    total = 1 + p1**n / p + (p1 - p1**n) / p
    if sp.simplify(total - 1 / p) != 0:
        raise ValueError("the parts do not add up")
    _slower_than_full()
    return [
        Step(
            "1/mun >= 1/(n mu1) and 1/(b mu1) >= 1/(n mu1) for b <= n",
            r"\frac1{C'} \ge \frac{1}{n\mu_1}\Bigl(1 + \frac{p_1^n}{p_n} + \sum_{b<n} p_1^b\Bigr)",
        ),
        Step("the parenthesis is 1/p_n, so that mu = 1/(p_n (1/C')) <= n mu1", r"\mu \le n\mu_1"),
        Step("hence", r"1 - \frac{\mu}{i\mu_1} \ge 1 - \frac{n}{i} \ge -\frac{n}{i}"),
    ]


# --- 8.2: Lemma 8.3 ----------------------------------------------------------------------------


def _lemma_3() -> list[Claim]:
    place = "Lemma 8.3"
    excess = n * mu1 / MU - 1
    constant = r - 1
    error = n ** (2 - 2 * alpha) * ln_n
    small = n**-alpha
    full = Domain.product(
        "n >= 2, n > mun/mu1, 0 < p_n < 1",
        n=[2, 3, 20, 100],
        p=[Fraction(1, 2), Fraction(1, 100)],
        mu1=[1, 10],
        mun=[1, 10],
    ).where(lambda n, mu1, mun, **_: n * mu1 > mun)
    algebra = Domain.product("n >= 1, p_n = 1/n^alpha", n=[2, 3, 7], alpha=[2, 3], mu1=[1, 10], mun=[1, 10])
    thirty = n ** (1 - alpha) * mu1 / mun + p1**n - 1 + n ** (1 - alpha) * HARMONIC_SUM
    in_n = {p: n**-alpha}
    uniform = Domain.product(
        "1 <= b <= n, p_n = n^(-alpha), alpha > 1", i=[1, 2, 10], n=[2, 10, 100], alpha=[Fraction(3, 2), 2, 3]
    ).where(lambda i, n, **_: i <= n)
    return [
        *erratum(
            "lemma-8.3",
            place,
            (
                ExpansionOf(MU, n * mu1 - mu1 * N_ALPHA * ln_n - mu1 * constant * N_ALPHA, "o", N_ALPHA),
                "If p_n = 1/n^alpha, alpha > 1: mu = n mu1 - mu1 n^(2-alpha) ln n - (1 + o(1)) mu1 (mu1/mun - 1) n^(2-alpha).",
            ),
            (
                ExpansionOf(
                    MU, n * mu1 - mu1 * N_ALPHA * ln_n - mu1 * (constant + gamma) * N_ALPHA, "o", N_ALPHA
                ),
                "If p_n = 1/n^alpha, alpha > 1: mu = n mu1 - mu1 n^(2-alpha) ln n - mu1 (mu1/mun - 1 + gamma) n^(2-alpha) "
                "+ o(n^(2-alpha)).",
            ),
            regime=POLYNOMIAL,
            note="Euler's gamma is lost where H_{n-1} is replaced with ln n.  The (1 + o(1)) is read as + o(n^(2-alpha)), "
            "which is the same for mu1 != mun and weaker, so easier to satisfy, for mu1 = mun.",
            sampled=samples.PRINTED_CONSTANT,
            corrected_sampled=samples.EULERS_CONSTANT,
        ),
        claim(
            "lemma-8.3-proof-below-full",
            place,
            Bound(MU, "<", n * mu1, full, proof=_below_full),
            "For sufficiently large n, mun < n mu1, and as a result mu < n mu1.",
        ),
        claim(
            "lemma-8.3-proof-every-rate",
            place,
            Bound(
                sp.Max(mun, i * mu1),
                "<=",
                n * mu1,
                Domain.product(
                    "1 <= i <= n, n >= mun/mu1", n=[2, 10, 30], i=[1, 2, 10], mu1=[1, 10], mun=[1, 10]
                ).where(lambda n, i, mu1, mun: i <= n and n * mu1 >= mun),
            ),
            "The completion rate mu_i in state i is at most n mu1 for all states i, for all n >= mun/mu1.",
        ),
        claim(
            "equation-30-first",
            "Equation (30)",
            Identity(
                excess,
                n * mu1 * p * (1 / mun + p1**n / (n * mu1 * p) + power_sum(1 / (i * mu1))) - 1,
                CHAIN_ONE,
            ),
            "n mu1/mu - 1 = n mu1 p_n (1/mun + p1^n/(n mu1 p_n) + sum p1^b/(b mu1)) - 1.",
        ),
        claim(
            "equation-30",
            "Equation (30)",
            Identity(excess.subs(in_n), thirty.subs(in_n), algebra),
            "n mu1/mu - 1 = n^(1-alpha) mu1/mun + p1^n - 1 + n^(1-alpha) sum_{b=1}^{n-1} p1^b/b.",
        ),
        in_polynomial(
            "lemma-8.3-proof-binomial",
            place,
            ExpansionOf(
                p1**n,
                1 - n ** (1 - alpha) + n * (n - 1) / 2 * n ** (-2 * alpha),
                "O",
                n ** (3 - 3 * alpha),
            ),
            "(1 - n^(-alpha))^n = 1 - n n^(-alpha) + (n (n-1)/2) n^(-2 alpha) ...",
        ),
        in_polynomial(
            "lemma-8.3-proof-power",
            place,
            ExpansionOf(p1**n, 1 - n ** (1 - alpha), "O", n ** (2 - 2 * alpha)),
            "p1^n = 1 - n^(1-alpha) + O(n^(2-2alpha)).",
        ),
        claim(
            "lemma-8.3-proof-interval",
            place,
            Bound(1 - (1 - n**-alpha) ** i, "<=", n ** (1 - alpha), uniform),
            "p1^b lies in [p1^n, 1]; in particular p1^b = 1 + O(n^(1-alpha)), uniformly for all b <= n.",
            note="With the constant 1, by Bernoulli's inequality.",
        ),
        in_polynomial(
            "lemma-8.3-proof-sum",
            place,
            ExpansionOf(n ** (1 - alpha) * HARMONIC_SUM, n ** (1 - alpha) * H_LAST, "O", error),
            "n^(1-alpha) sum p1^b/b = n^(1-alpha) (1 + O(n^(1-alpha))) sum_{b=1}^{n-1} 1/b.",
        ),
        *erratum(
            "lemma-8.3-proof-sum-logarithm",
            place,
            (
                ExpansionOf(n ** (1 - alpha) * HARMONIC_SUM, n ** (1 - alpha) * ln_n, "O", error),
                "n^(1-alpha) sum_{b=1}^{n-1} p1^b/b = n^(1-alpha) ln n + O(n^(2-2alpha) ln n).",
            ),
            (
                ExpansionOf(
                    n ** (1 - alpha) * HARMONIC_SUM, n ** (1 - alpha) * (ln_n + gamma), "O", error + small
                ),
                "n^(1-alpha) sum_{b=1}^{n-1} p1^b/b = n^(1-alpha) (ln n + gamma) + O(n^(2-2alpha) ln n + n^(-alpha)).",
            ),
            regime=POLYNOMIAL,
            note="Here gamma is lost: H_{n-1} = ln n + gamma - 1/(2n) + ..., and n^(1-alpha) gamma is not O(n^(2-2alpha) "
            "ln n).  The term -n^(-alpha)/2 matters for alpha > 2.",
        ),
        *erratum(
            "equation-31",
            "Equation (31)",
            (
                ExpansionOf(excess, n ** (1 - alpha) * (ln_n + constant), "O", error),
                "n mu1/mu - 1 = n^(1-alpha) (ln n + mu1/mun - 1) + O(n^(2-2alpha) ln n).",
            ),
            (
                ExpansionOf(excess, n ** (1 - alpha) * (ln_n + gamma + constant), "O", error + small),
                "n mu1/mu - 1 = n^(1-alpha) (ln n + gamma + mu1/mun - 1) + O(n^(2-2alpha) ln n + n^(-alpha)).",
            ),
            regime=POLYNOMIAL,
            note="gamma is lost.  The line before has O(n^(2-2alpha)) for O(n^(2-2alpha) ln n) once, a misprint.",
        ),
        claim(
            "lemma-8.3-proof-solve",
            place,
            Identity(
                n * mu1 / (1 + (n * mu1 / mu - 1)),
                mu,
                Domain.product("n, mu1, mu > 0", n=[1, 5], mu1=[1, 10], mu=[1, Fraction(7, 2)]),
            ),
            "n mu1/mu - 1 = x implies mu = n mu1/(1 + x).",
        ),
        claim(
            "lemma-8.3-proof-reciprocal",
            place,
            Bound(
                sp.Abs(1 / (1 + y) - (1 - y)),
                "<=",
                2 * y**2,
                Domain.product(
                    "|x'| <= 1/2",
                    y=[Fraction(-1, 2), Fraction(-1, 10), Fraction(1, 1000), Fraction(1, 10), Fraction(1, 2)],
                ),
                proof=_reciprocal,
            ),
            "For any x' near zero, 1/(1+x') = 1 - x' + O(x'^2).",
            note="With the constant 2 on |x'| <= 1/2.",
        ),
        in_polynomial(
            "lemma-8.3-proof-near-0",
            place,
            Limit(excess, sp.Integer(0)),
            "Since alpha > 1, x is in fact near 0.",
        ),
        in_polynomial(
            "lemma-8.3-proof-first-order",
            place,
            Order(excess**2, "O", n ** (2 - 2 * alpha) * ln_n**2),
            "mu = n mu1 (1 - x + O(x^2)), where x^2 = O(n^(2-2alpha) ln^2 n).",
        ),
        *erratum(
            "lemma-8.3-proof-error-bound",
            place,
            (
                ExpansionOf(
                    MU,
                    n * mu1 - mu1 * N_ALPHA * ln_n - mu1 * constant * N_ALPHA,
                    "O",
                    n ** (3 - 2 * alpha) * ln_n**2,
                ),
                "mu = n mu1 - mu1 n^(2-alpha) ln n - mu1 (mu1/mun - 1) n^(2-alpha) + O(n^(3-2alpha) ln^2 n).",
            ),
            (
                ExpansionOf(
                    MU,
                    n * mu1 - mu1 * N_ALPHA * ln_n - mu1 * (constant + gamma) * N_ALPHA,
                    "O",
                    n ** (3 - 2 * alpha) * ln_n**2 + n ** (1 - alpha),
                ),
                "mu = n mu1 - mu1 n^(2-alpha) ln n - mu1 (mu1/mun - 1 + gamma) n^(2-alpha) "
                "+ O(n^(3-2alpha) ln^2 n + n^(1-alpha)).",
            ),
            regime=POLYNOMIAL,
            note="gamma is lost; and even with it the error bound fails for alpha > 2, where the term mu1 n^(1-alpha)/2 of "
            "H_{n-1} is larger.",
        ),
        claim(
            "lemma-8.3-proof-exponents",
            place,
            Bound(
                3 - 2 * alpha,
                "<",
                2 - alpha,
                Domain.product("alpha > 1", alpha=[Fraction(101, 100), 2, 10]),
                proof=lambda: sign_of(alpha - 1, 2 - alpha - (3 - 2 * alpha)),
            ),
            "Since alpha > 1, we have 3 - 2 alpha < 2 - alpha.",
        ),
    ]


def _slower_than_full() -> None:
    """1/mun - 1/(n mu1) > 0 where n > mun/mu1, and 1/(b mu1) - 1/(n mu1) > 0 where b < n (0 at equality).

    Raises:
        ValueError: a difference is not known to be positive.
    """
    above, b = sp.symbols("above b", positive=True)
    service = (1 / mun - 1 / (n * mu1)).subs(n, mun / mu1 + above)
    drain = (1 / (b * mu1) - 1 / (n * mu1)).subs(n, b + above)
    if not all(sp.factor(gap).is_positive and sp.simplify(gap.subs(above, 0)) == 0 for gap in (service, drain)):
        raise ValueError("a state is not slower than the full one")


def _below_full() -> list[Step]:
    steps = _at_most_full()[:2]
    return [*steps, Step("strict, since 1/mun > 1/(n mu1)", r"\mu < n\mu_1")]


def _reciprocal() -> list[Step]:
    if sp.simplify(1 / (1 + y) - (1 - y) - y**2 / (1 + y)) != 0:
        raise ValueError("the difference is another")
    return [Step("1/(1+x) - (1 - x) = x^2/(1+x), and 1 + x >= 1/2", r"\left|\frac{x^2}{1+x}\right| \le 2x^2")]


def sign_of(positive: sp.Expr, gap: sp.Expr) -> list[Step]:
    """``gap`` equals ``positive``, which the domain makes positive."""
    if sp.expand(gap - positive) != 0:
        raise ValueError("the difference is another")
    return [Step("right less left, positive for alpha > 1", sp.latex(positive))]
