"""Section 8, continued: Theorem 8.1 with every step of its proof."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Equivalent, ExpansionOf, Identity, Limit, Order, Step
from proofs.lfms.notation import (
    CHAIN_ONE,
    E_DELTA,
    MU,
    H_i,
    claim,
    erratum,
    five_terms,
    i,
    last_factor,
    last_term,
    mu,
    p1,
    power_integral,
    power_sum,
    r,
    t,
)
from proofs.lfms.regimes import (
    ONE_DOMINATED,
    POLYNOMIAL,
    alpha,
    mu1,
    n,
    p,
)
from proofs.lfms.section8 import in_polynomial, in_regime, sign_of

gamma = sp.EulerGamma
ln_n = sp.log(n)
x = sp.Symbol("x", positive=True)
H_LAST = sp.harmonic(n - 1)
N_ALPHA = n ** (2 - alpha)


def claims() -> list[Claim]:
    """The statements about E[Delta(Y_d)], in order."""
    return [*_theorem(), *_item_1(), *_item_2_3(), *_item_4(), *_item_5()]


# --- Theorem 8.1 -------------------------------------------------------------------------------


def _theorem() -> list[Claim]:
    place = "Theorem 8.1"
    t32, t33, t34, t35, t36 = five_terms(MU)
    return [
        in_polynomial(
            "theorem-8.1",
            place,
            Equivalent(E_DELTA, N_ALPHA * ln_n**2 / 2),
            "If p_n = 1/n^alpha, alpha > 1: E[Delta(Y_d)] = (1 + o(1)) n^(2-alpha) ln^2 n/2.",
        ),
        claim(
            "theorem-8.1-proof-five-terms",
            place,
            Identity(E_DELTA, sum(five_terms(MU)), CHAIN_ONE.where(lambda n, **_: n <= 5)),
            "E[Delta(Y_d)] = (32) + (33) + (34) + (35) + (36).",
        ),
        *erratum(
            "theorem-8.1-item-1",
            "Theorem 8.1 item 1",
            (
                Equivalent(t32, (r - gamma) * N_ALPHA * ln_n),
                "Non-summation term (32): (1 + o(1)) (mu1/mun - gamma) n^(2-alpha) ln n.",
            ),
            (
                Equivalent(t32, r * N_ALPHA * ln_n),
                "Non-summation term (32): (1 + o(1)) (mu1/mun) n^(2-alpha) ln n.",
            ),
            regime=POLYNOMIAL,
            note="From Lemma 8.3 without gamma; with it the gammas cancel.",
        ),
        in_polynomial(
            "theorem-8.1-item-2",
            "Theorem 8.1 item 2",
            Order(t33, "O", N_ALPHA),
            "p1^i i term (33): O(n^(2-alpha)).",
        ),
        in_polynomial(
            "theorem-8.1-item-3",
            "Theorem 8.1 item 3",
            Equivalent(t34, -p1 * N_ALPHA),
            "p1^i term (34): -(1 + o(1)) p1 n^(2-alpha).",
        ),
        in_polynomial(
            "theorem-8.1-item-4",
            "Theorem 8.1 item 4",
            ExpansionOf(t35, -N_ALPHA * ln_n, "O", N_ALPHA),
            "p1^i H_i term (35): -n^(2-alpha) ln n + O(n^(2-alpha)).",
        ),
        in_polynomial(
            "theorem-8.1-item-5",
            "Theorem 8.1 item 5",
            ExpansionOf(t36, N_ALPHA * ln_n**2 / 2, "O", N_ALPHA * ln_n),
            "p1^i H_i/i term (36): n^(2-alpha) ln^2 n/2 + O(n^(2-alpha) ln n).",
        ),
        *erratum(
            "theorem-8.1-proof-only-item",
            place,
            (
                Order(t32, "Theta", E_DELTA),
                "Only Item 1, the asymptotic growth rate for (36), is non-negligible: Item 1.",
            ),
            (
                Equivalent(t36, E_DELTA),
                "Only Item 5, the asymptotic growth rate for (36), is non-negligible.",
            ),
            regime=POLYNOMIAL,
            note="(36) is Item 5; Item 1 is (32), which is negligible.",
        ),
        in_polynomial(
            "theorem-8.1-proof-sum-of-rates",
            place,
            ExpansionOf(E_DELTA, N_ALPHA * ln_n**2 / 2, "O", N_ALPHA * ln_n),
            "As a result, these growth rates sum to n^(2-alpha) ln^2 n/2 + O(n^(2-alpha) ln n).",
            note="Printed ln^2 without its argument, a misprint.",
        ),
    ]


def _item_1() -> list[Claim]:
    place = "Theorem 8.1"
    first = 1 - MU / (n * mu1)
    exact = n - 1 + 1 / p - mu / mu1 * H_LAST - mu / (n * p * mu1)
    printed_mu = n - N_ALPHA * ln_n - (r - 1) * N_ALPHA
    formal = n - 1 - printed_mu * H_LAST + n * ln_n + n * (r - 1)
    algebra = Domain.product("n >= 2, alpha > 1, any mu", n=[2, 3, 7], alpha=[2, 3], mu1=[1, 10], mu=[1, 5])
    return [
        in_polynomial("theorem-8.1-proof-power", place, Limit(p1**n, sp.Integer(1)), "p1^n = 1 + o(1)."),
        claim(
            "theorem-8.1-proof-first-factor-identity",
            place,
            Identity(1 - mu / (n * mu1), (n * mu1 - mu) / (n * mu1), algebra),
            "1 - mu/(n mu1) = (n mu1 - mu)/(n mu1).",
        ),
        *erratum(
            "theorem-8.1-proof-first-factor",
            place,
            (
                ExpansionOf(first, n ** (1 - alpha) * (ln_n + r - 1), "o", n ** (1 - alpha)),
                "1 - mu/(n mu1) = n^(1-alpha) ln n + (1 + o(1)) (mu1/mun - 1) n^(1-alpha).",
            ),
            (
                ExpansionOf(first, n ** (1 - alpha) * (ln_n + gamma + r - 1), "o", n ** (1 - alpha)),
                "1 - mu/(n mu1) = n^(1-alpha) (ln n + gamma + mu1/mun - 1) + o(n^(1-alpha)).",
            ),
            regime=POLYNOMIAL,
            note="From Lemma 8.3: gamma is lost.",
        ),
        claim(
            "equation-37-first",
            "Equation (37)",
            Identity(
                exact.subs(p, n**-alpha), n - 1 - mu / mu1 * H_LAST + n**alpha * (1 - mu / (n * mu1)), algebra
            ),
            "n - 1 + 1/p_n - (mu/mu1) H_{n-1} - mu/(n p_n mu1) = n - 1 - (mu/mu1) H_{n-1} + n^alpha (1 - mu/(n mu1)).",
        ),
        *erratum(
            "equation-37-second",
            "Equation (37)",
            (
                ExpansionOf(n**alpha * first, n * ln_n + n * (r - 1), "o", n),
                "... = n - 1 - (mu/mu1) H_{n-1} + n ln n + (1 + o(1)) n (mu1/mun - 1).",
            ),
            (
                ExpansionOf(n**alpha * first, n * ln_n + n * (gamma + r - 1), "o", n),
                "... = n - 1 - (mu/mu1) H_{n-1} + n ln n + n (gamma + mu1/mun - 1) + o(n).",
            ),
            regime=POLYNOMIAL,
            note="From Lemma 8.3: gamma is lost.",
        ),
        *erratum(
            "equation-37",
            "Equation (37)",
            (
                ExpansionOf(last_factor(MU), formal, "o", n),
                "... = n - 1 - (n - ln n/n^(2-alpha) - (1 + o(1)) (mu1/mun - 1) n^(2-alpha)) H_{n-1} + n ln n "
                "+ (1 + o(1)) n (mu1/mun - 1).",
            ),
            (
                ExpansionOf(last_factor(MU), formal + gamma * n, "o", n),
                "... = n - 1 - (n - n^(2-alpha) ln n - ...) H_{n-1} + n ln n + n (gamma + mu1/mun - 1) + o(n).",
            ),
            regime=POLYNOMIAL,
            note="gamma is lost.  ln n/n^(2-alpha) is read n^(2-alpha) ln n, as the next display has it (garbled text may "
            "explain it); and a parenthesis is not opened.",
        ),
        claim(
            "theorem-8.1-proof-epsilon",
            place,
            Bound(
                2 - alpha,
                "<",
                sp.Integer(1),
                Domain.product("alpha > 1", alpha=[Fraction(101, 100), 2, 10]),
                proof=lambda: sign_of(alpha - 1, 1 - (2 - alpha)),
            ),
            "Note that 2 - alpha < 1.",
        ),
        in_polynomial(
            "theorem-8.1-proof-harmonic",
            place,
            ExpansionOf(H_LAST, ln_n + gamma, "O", 1 / n),
            "H_{n-1} = ln n + gamma + O(1/n).",
        ),
        in_polynomial(
            "theorem-8.1-proof-formal",
            place,
            ExpansionOf(formal, n * (r - gamma), "o", n),
            "n - 1 - (n - n^(2-alpha) ln n - (mu1/mun - 1) n^(2-alpha)) H_{n-1} + n ln n + n (mu1/mun - 1) "
            "= n (mu1/mun - gamma) + o(n).",
            note="The steps from (37) on are right as they stand: gamma, kept here in H_{n-1}, is what shows.",
        ),
        *erratum(
            "theorem-8.1-proof-last-factor",
            place,
            (
                ExpansionOf(last_factor(MU), n * (r - gamma), "o", n),
                "The rightmost parenthesis of (32) is n (mu1/mun - gamma) + o(n).",
            ),
            (
                ExpansionOf(last_factor(MU), n * r, "o", n),
                "The rightmost parenthesis of (32) is n mu1/mun + o(n).",
            ),
            regime=POLYNOMIAL,
        ),
        *erratum(
            "equation-32",
            "Equation (32)",
            (
                Equivalent(last_term(MU), (r - gamma) * N_ALPHA * ln_n),
                "The overall growth rate of (32) is (1 + o(1)) (mu1/mun - gamma) n^(2-alpha) ln n.",
            ),
            (
                Equivalent(last_term(MU), r * N_ALPHA * ln_n),
                "The overall growth rate of (32) is (1 + o(1)) (mu1/mun) n^(2-alpha) ln n.",
            ),
            regime=POLYNOMIAL,
        ),
    ]


_FINITE = Domain.product(
    "n >= 1, 0 < p_n < 1", n=[1, 2, 3, 10], p=[Fraction(1, 2), Fraction(1, 10), Fraction(6, 7)]
)


def _item_2_3() -> list[Claim]:
    total = sp.Sum(p1**i * p * i, (i, 1, n - 1))
    closed = (p1 * (1 - p1**n) - n * p1**n * (1 - p1)) / p
    weight = -MU / mu1 * p1
    order_34 = Domain.product(
        "n >= 1, 0 < p_n < 1, any mu", n=[1, 2, 10], p=[Fraction(1, 2), Fraction(1, 10)], mu=[3], mu1=[1, 10]
    )
    sum_34 = -sp.Sum(p1**i * p * mu / mu1, (i, 1, n - 1))
    return [
        claim(
            "equation-33",
            "Equation (33)",
            Identity(
                total,
                p * (p1 - n * p1**n + (n - 1) * p1 ** (1 + n)) / (1 - p1) ** 2,
                _FINITE,
                proof=_closed_33,
            ),
            "sum_{i=1}^{n-1} p1^i p_n i = p_n (p1 - n p1^n + (n-1) p1^(1+n))/(1 - p1)^2.",
        ),
        claim(
            "equation-33-second",
            "Equation (33)",
            Identity(total, (p1 - n * p1**n + n * p1 * p1**n - p1 * p1**n) / p, _FINITE),
            "... = (p1 - n p1^n + n p1 p1^n - p1 p1^n)/p_n.",
        ),
        claim(
            "equation-33-third",
            "Equation (33)",
            Identity(total, closed, _FINITE),
            "... = (p1 (1 - p1^n) - n p1^n (1 - p1))/p_n.",
        ),
        in_regime(
            ONE_DOMINATED,
            "theorem-8.1-proof-33-binomial",
            "Theorem 8.1",
            ExpansionOf(p1**n, 1 - n * p, "O", n**2 * p**2),
            "Recalling that n p_n = o(1), 1 - p1^n = n p_n + O(n^2 p_n^2).",
        ),
        in_regime(
            ONE_DOMINATED,
            "theorem-8.1-proof-33-third",
            "Theorem 8.1",
            ExpansionOf(closed, -n * p**2 / p, "O", n**2 * p**2 / p),
            "... = (-(1 - p1) n p_n + O(n^2 p_n^2))/p_n = (-n p_n^2 + O(n^2 p_n^2))/p_n.",
        ),
        in_regime(
            ONE_DOMINATED,
            "theorem-8.1-proof-33-order",
            "Theorem 8.1",
            Order(closed, "O", n**2 * p),
            "... = O(n^2 p_n^2)/p_n = O(n^2 p_n).",
        ),
        in_polynomial(
            "theorem-8.1-proof-33-polynomial",
            "Theorem 8.1",
            Order(n**2 * p, "O", N_ALPHA),
            "O(n^2 p_n) = O(n^(2-alpha)).",
        ),
        claim(
            "equation-34",
            "Equation (34)",
            Identity(sum_34, -mu / mu1 * p * (p1 - p1**n) / (1 - p1), order_34),
            "-sum_{i=1}^{n-1} p1^i p_n mu/mu1 = -(mu/mu1) p_n (p1 - p1^n)/(1 - p1).",
        ),
        claim(
            "equation-34-second",
            "Equation (34)",
            Identity(sum_34, -mu / mu1 * (p1 - p1**n), order_34),
            "... = -(mu/mu1) (p1 - p1^n).",
        ),
        claim(
            "equation-34-third",
            "Equation (34)",
            Identity(sum_34, -mu / mu1 * p1 * (1 - p1 ** (n - 1)), order_34),
            "... = -(mu/mu1) p1 (1 - p1^(n-1)).",
        ),
        in_polynomial(
            "equation-34-fourth",
            "Equation (34)",
            Equivalent(weight * (1 - p1 ** (n - 1)), weight * n ** (1 - alpha)),
            "... = -(mu/mu1) p1 (1 + o(1)) n^(1-alpha).",
        ),
        in_polynomial(
            "equation-34-fifth",
            "Equation (34)",
            Equivalent(weight * (1 - p1 ** (n - 1)), -p1 * N_ALPHA),
            "... = -p1 (1 + o(1)) n^(2-alpha).",
        ),
    ]


def _closed_33() -> list[Step]:
    """By induction on n: 0 at n = 1, and one more term at each step."""
    q = sp.Symbol("q", positive=True)
    form = (q - n * q**n + (n - 1) * q ** (1 + n)) / (1 - q) ** 2
    step = sp.simplify(sp.expand_power_exp((form.subs(n, n + 1) - form - n * q**n) * (1 - q) ** 2))
    if sp.simplify(form.subs(n, 1)) != 0 or sp.expand(step) != 0:
        raise ValueError("the induction fails")
    return [Step("induction on n", sp.latex(form))]


def _item_4() -> list[Claim]:
    place = "Theorem 8.1"
    weight = p * MU / mu1
    harmonic = -weight * power_sum(H_i)
    logarithmic = -weight * power_sum(sp.log(i))
    integral = power_integral(sp.log(t), 1, n)
    plain = n * ln_n - n + 1
    indices = Domain.product("i >= 2", i=[2, 3, 10, 10**6, 10**30])
    pairs = Domain.product("n > 1, 0 < p_n < 1", n=[2, 10, 100], p=[Fraction(1, 2), Fraction(1, 100)])
    return [
        in_polynomial(
            "equation-38-logarithm",
            "Equation (38)",
            ExpansionOf(harmonic, logarithmic, "O", N_ALPHA),
            "-sum p1^i p_n (mu/mu1) H_i = -sum p1^i p_n (mu/mu1) ln i + O(n^(2-alpha)).",
        ),
        in_polynomial(
            "equation-38",
            "Equation (38)",
            ExpansionOf(harmonic, -weight * integral, "O", N_ALPHA),
            "... = -p_n (mu/mu1) integral_1^n (1 - n^(-alpha))^i ln i di + O(n^(2-alpha)).",
        ),
        claim(
            "theorem-8.1-proof-harmonic-log",
            place,
            Bound(
                sp.Abs(H_i - sp.log(i)),
                "<=",
                sp.Integer(1),
                Domain.product("i >= 1", i=[1, 2, 3, 10, 10**6, 10**30]),
            ),
            "|H_i - ln i| <= 1.",
        ),
        claim(
            "theorem-8.1-proof-log-step",
            place,
            Bound(sp.log(i) - sp.log(i - 1), "<=", sp.Integer(1), indices),
            "ln i - ln(i-1) <= 1.",
            note="For i >= 2.",
        ),
        claim(
            "theorem-8.1-proof-integral-above",
            place,
            Bound(integral, "<=", plain, pairs),
            "integral_1^n p1^i ln i di <= integral_1^n ln i di = n ln n - n + 1.",
        ),
        claim(
            "theorem-8.1-proof-integral-value",
            place,
            Identity(
                sp.Integral(sp.log(t), (t, 1, n)),
                plain,
                Domain.product("n >= 1", n=[1, 2, 10, 1000]),
                proof=_log_integral,
            ),
            "integral_1^n ln i di = n ln n - n + 1.",
        ),
        claim(
            "theorem-8.1-proof-integral-below",
            place,
            Bound(integral, ">=", plain * p1**n, pairs),
            "integral_1^n p1^i ln i di >= integral_1^n p1^n ln i di = (n ln n - n + 1) p1^n.",
        ),
        in_polynomial(
            "theorem-8.1-proof-binomial",
            place,
            ExpansionOf(p1**n, sp.Integer(1), "O", n ** (1 - alpha)),
            "p1^n = 1 - n n^(-alpha) + (n (n-1)/2) n^(-2 alpha) - ... = 1 - O(n^(1-alpha)).",
        ),
        *erratum(
            "theorem-8.1-proof-integral-expanded",
            place,
            (
                ExpansionOf(plain * p1**n, n * ln_n - n, "O", N_ALPHA * ln_n),
                "(n ln n - n + 1) p1^n = (n ln n - n + 1) (1 - O(n^(1-alpha))) = n ln n - n - O(n^(2-alpha) ln n).",
            ),
            (
                ExpansionOf(plain * p1**n, n * ln_n - n + 1, "O", N_ALPHA * ln_n),
                "(n ln n - n + 1) p1^n = n ln n - n + 1 - O(n^(2-alpha) ln n).",
            ),
            regime=POLYNOMIAL,
            note="The 1 is dropped, which for alpha > 2 is larger than the error.  Harmless: O(n) is all that is used.",
            refuting=({"alpha": 3, "mu1": 1, "mun": 1},),
        ),
        in_polynomial(
            "theorem-8.1-proof-integral-order-lower",
            place,
            ExpansionOf(plain * p1**n, n * ln_n, "O", n),
            "... = n ln n - O(n).",
        ),
        in_polynomial(
            "theorem-8.1-proof-integral-order",
            place,
            ExpansionOf(integral, n * ln_n, "O", n),
            "integral_1^n p1^i ln i di = n ln n - O(n).",
        ),
        *erratum(
            "theorem-8.1-proof-weight",
            place,
            (
                ExpansionOf(-weight, n ** (1 - alpha), "O", n ** (2 - 2 * alpha) * ln_n),
                "-p_n mu/mu1 = n^(1-alpha) + O(n^(2-2alpha) ln n).",
            ),
            (
                ExpansionOf(weight, n ** (1 - alpha), "O", n ** (2 - 2 * alpha) * ln_n),
                "p_n mu/mu1 = n^(1-alpha) + O(n^(2-2alpha) ln n).",
            ),
            regime=POLYNOMIAL,
            note="The sign.",
        ),
        in_polynomial(
            "equation-35",
            "Equation (35)",
            ExpansionOf(harmonic, -N_ALPHA * ln_n, "O", N_ALPHA),
            "-sum p1^i p_n (mu/mu1) H_i = -n^(2-alpha) ln n + O(n^(2-alpha)).",
        ),
    ]


def _log_integral() -> list[Step]:
    primitive = t * sp.log(t) - t
    if sp.simplify(sp.diff(primitive, t) - sp.log(t)) != 0:
        raise ValueError("not an antiderivative")
    if sp.simplify(primitive.subs(t, n) - primitive.subs(t, 1) - (n * ln_n - n + 1)) != 0:
        raise ValueError("the value differs")
    return [Step("antiderivative, checked by differentiation", sp.latex(primitive))]


def _item_5() -> list[Claim]:
    place = "Theorem 8.1"
    factor = p * MU**2 / mu1**2
    total = factor * power_sum(H_i / i)
    integral = power_integral(sp.log(t) / t, 1, n)
    error = N_ALPHA * ln_n
    pairs = Domain.product("n > 1, 0 < p_n < 1", n=[2, 10, 100], p=[Fraction(1, 2), Fraction(1, 100)])
    return [
        in_polynomial(
            "equation-39",
            "Equation (39)",
            ExpansionOf(total, factor * integral, "O", error),
            "sum p1^i p_n (mu^2/(i mu1^2)) H_i = p_n (mu^2/mu1^2) integral_1^n p1^i ln i/i di + O(n^(2-alpha) ln n).",
        ),
        *erratum(
            "theorem-8.1-proof-mu-order",
            place,
            (
                ExpansionOf(MU, n * mu1, "O", n ** (1 - alpha) * ln_n),
                "Lemma 8.3 states that mu = n mu1 + O(n^(1-alpha) ln).",
            ),
            (
                ExpansionOf(MU, n * mu1, "O", N_ALPHA * ln_n),
                "Lemma 8.3 states that mu = n mu1 + O(n^(2-alpha) ln n).",
            ),
            regime=POLYNOMIAL,
            note="The exponent should be 2 - alpha, as before (42); ln without its argument is a misprint.",
        ),
        claim(
            "theorem-8.1-proof-power-uniform",
            place,
            Bound(
                1 - (1 - n**-alpha) ** i,
                "<=",
                n ** (1 - alpha),
                Domain.product(
                    "1 <= i <= n, alpha > 1", i=[1, 2, 10], n=[2, 10, 100], alpha=[Fraction(3, 2), 2, 3]
                ).where(lambda i, n, **_: i <= n),
            ),
            "The earlier shown result p1^i = 1 + O(n^(1-alpha)).",
        ),
        in_polynomial(
            "theorem-8.1-proof-error",
            place,
            Order(p * MU**2 / mu1 * power_sum(1 / i), "O", error),
            "p_n (mu^2/mu1) sum p1^i/i = O(n^(2-alpha) ln n).",
            note="mu1 where the error has mu1^2: a constant factor.",
        ),
        claim(
            "theorem-8.1-proof-log-over-above",
            place,
            Bound(integral, "<=", ln_n**2 / 2, pairs),
            "integral_1^n p1^i ln i/i di <= integral_1^n ln i/i di = ln^2 n/2.",
        ),
        claim(
            "theorem-8.1-proof-log-over-value",
            place,
            Identity(
                sp.Integral(sp.log(t) / t, (t, 1, n)),
                ln_n**2 / 2,
                Domain.product("n >= 1", n=[1, 2, 10]),
                proof=_log_over,
            ),
            "integral_1^n ln i/i di = ln^2 n/2.",
        ),
        claim(
            "equation-40",
            "Equation (40)",
            Bound(integral, ">=", p1**n * ln_n**2 / 2, pairs),
            "integral_1^n p1^i ln i/i di >= integral_1^n p1^n ln i/i di = p1^n ln^2 n/2.",
        ),
        in_polynomial(
            "theorem-8.1-proof-log-over-below",
            place,
            ExpansionOf(p1**n * ln_n**2 / 2, ln_n**2 / 2, "O", n ** (1 - alpha) * ln_n**2 / 2),
            "p1^n ln^2 n/2 = (1 + O(n^(1-alpha))) ln^2 n/2 = ln^2 n/2 + O(n^(1-alpha) ln^2 n/2).",
        ),
        in_polynomial(
            "equation-41",
            "Equation (41)",
            ExpansionOf(integral, ln_n**2 / 2, "O", n ** (1 - alpha) * ln_n**2 / 2),
            "integral_1^n p1^i ln i/i di = ln^2 n/2 + O(n^(1-alpha) ln^2 n/2).",
        ),
        in_polynomial(
            "theorem-8.1-proof-mu-over-mu1",
            place,
            ExpansionOf(MU / mu1, n, "O", N_ALPHA * ln_n),
            "From Lemma 8.3, we have mu/mu1 = n + O(n^(2-alpha) ln n).",
        ),
        in_polynomial(
            "equation-42-square",
            "Equation (42)",
            ExpansionOf((MU / mu1) ** 2, n**2, "O", n ** (3 - alpha) * ln_n),
            "(n + O(n^(2-alpha) ln n))^2 = n^2 + O(n^(3-alpha) ln n).",
        ),
        in_polynomial(
            "equation-42",
            "Equation (42)",
            ExpansionOf(factor, N_ALPHA, "O", n ** (3 - 2 * alpha) * ln_n),
            "p_n mu^2/mu1^2 = n^(2-alpha) + O(n^(3-2alpha) ln n).",
        ),
        in_polynomial(
            "equation-36",
            "Equation (36)",
            ExpansionOf(total, N_ALPHA * ln_n**2 / 2, "O", error),
            "sum p1^i p_n (mu^2/(i mu1^2)) H_i = n^(2-alpha) ln^2 n/2 + O(n^(2-alpha) ln n).",
        ),
    ]


def _log_over() -> list[Step]:
    primitive = sp.log(t) ** 2 / 2
    if sp.simplify(sp.diff(primitive, t) - sp.log(t) / t) != 0:
        raise ValueError("not an antiderivative")
    return [Step("antiderivative, checked by differentiation", sp.latex(primitive))]
