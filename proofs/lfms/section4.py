"""Section 4: the main results, and what the text says about them in words."""

from __future__ import annotations

import sympy as sp

from asymp.claim import Claim, Equivalent, ExpansionOf, Limit, Order
from proofs.lfms import samples
from proofs.lfms.notation import (
    E_DELTA,
    MU,
    ORANGE_E,
    ORANGE_MU,
    beyond,
    claim,
    erratum,
    i,
    p1,
    power_sum,
    r,
)
from proofs.lfms.regimes import (
    BALANCED,
    N_DOMINATED,
    ONE_DOMINATED,
    POLYNOMIAL,
    VANISHING,
    alpha,
    c,
    mu1,
    mun,
    n,
    p,
)

gamma = sp.EulerGamma
g = sp.Symbol("g", integer=True, nonnegative=True)

TIME_DRAINING = MU * p * power_sum(1 / (i * mu1))
"""The fraction of time in the states (1, b), 0 < b < n, by Lemma 5.2."""
TIME_FULL = MU * p1**n / (n * mu1)
BUSY = MU * p / mun + TIME_FULL + MU * (p1 - p1**n) / (n * mu1)
"""The mean fraction of servers that are busy: n in (1, 0) and (0, n), b in (1, b)."""


def claims() -> list[Claim]:
    """The statements of section 4, in order."""
    return [*_theorem_1(), *_theorem_2(), *_theorem_3()]


def _theorem_1() -> list[Claim]:
    words = "Section 4"
    return [
        claim(
            "theorem-4.1-throughput",
            "Theorem 4.1",
            Equivalent(MU, ORANGE_MU),
            "If p_n = omega(1/n), as p_n -> 0, n -> oo: mu = (1 + o(1)) mu1/(p_n ln(1/p_n)).",
            regime=N_DOMINATED,
            sampled=samples.N_THROUGHPUT,
        ),
        claim(
            "theorem-4.1-response",
            "Theorem 4.1",
            Equivalent(E_DELTA, ORANGE_E),
            "If p_n = omega(1/n), as p_n -> 0, n -> oo: E[Delta(Y_d)] = (1 + o(1)) 1/(2 p_n).",
            regime=N_DOMINATED,
            sampled=samples.N_RESPONSE,
        ),
        claim(
            "section-4-n-dominated-draining",
            words,
            Limit(TIME_DRAINING, sp.Integer(1)),
            "In the n-server dominated regime, the throughput is dominated by 1-server jobs which are served while "
            "there is an n-server job at the head of the queue.",
            regime=N_DOMINATED,
            note="Read: the fraction of time spent so tends to 1 (so does the fraction of completions).",
            sampled=samples.approaches(samples.TIME_DRAIN, TIME_DRAINING, 1, samples.N_RUN),
        ),
        claim(
            "section-4-n-dominated-completions",
            words,
            Limit(p1 - p1**n, sp.Integer(1)),
            "In the n-server dominated regime nearly all completions are of 1-server jobs which are served while "
            "there is an n-server job at the head of the queue.",
            regime=N_DOMINATED,
            note="The same sentence, counted in completions.",
            sampled=samples.agrees(samples.DONE_DRAIN, p1 - p1**n, samples.N_RUN),
        ),
        claim(
            "section-4-n-dominated-idle",
            words,
            Limit(BUSY, sp.Integer(0)),
            "... and most of the servers are idle.",
            regime=N_DOMINATED,
            note="Read: the mean fraction of busy servers tends to 0.",
        ),
        claim(
            "section-4-far-below",
            words,
            Order(MU, "o", n * mu1),
            "This is why mu is far below n mu1.",
            regime=N_DOMINATED,
        ),
        claim(
            "section-4-cycle-length",
            words,
            Equivalent(sp.Sum(g * p1**g * p, (g, 0, sp.oo)), 1 / p),
            "... cycles of length 1/p_n, the number of 1-server jobs between each n-server.",
            regime=VANISHING,
            note="The mean number is p1/p_n = 1/p_n - 1; read as ~.",
        ),
    ]


def _theorem_2() -> list[Claim]:
    words = "Section 4"
    return [
        claim(
            "theorem-4.2-throughput",
            "Theorem 4.2",
            Equivalent(MU, ORANGE_MU),
            "If p_n = c/n, as n -> oo: mu = (1 + o(1)) mu1/(p_n ln(1/p_n)).",
            regime=BALANCED,
            sampled=samples.BALANCED_THROUGHPUT,
        ),
        claim(
            "theorem-4.2-response",
            "Theorem 4.2",
            Equivalent(E_DELTA, ORANGE_E),
            "If p_n = c/n, as n -> oo: E[Delta(Y_d)] = (1 + o(1)) 1/(2 p_n).",
            regime=BALANCED,
            sampled=samples.BALANCED_RESPONSE,
        ),
        claim(
            "theorem-4.2-no-c",
            words,
            Limit(2 * p * E_DELTA, sp.Integer(1)),
            "The asymptotic growth rates proven in Theorem 4.2 do not depend on c.",
            regime=BALANCED,
            note="As functions of p_n; as functions of n they are n mu1/(c ln n) and n/(2c).",
        ),
        claim(
            "section-4-balanced-draining",
            words,
            Limit(TIME_DRAINING, sp.Integer(1)),
            "The balanced load regime exhibits the same behavior as regime 1: throughput is dominated by 1-server jobs "
            "served while there is an n-server job at the head of the queue.",
            regime=BALANCED,
            note="Read as a fraction of time.  Counted in completions it fails: see "
            "lfms/section-4-balanced-completions.",
            sampled=samples.approaches(samples.TIME_DRAIN, TIME_DRAINING, 1, samples.BALANCED_RUN),
        ),
        beyond(
            "section-4-balanced-completions",
            words,
            Limit(p1 - p1**n, 1 - sp.exp(-c)),
            "In the balanced regime a fraction 1 - e^(-c) of the completions, not all, are of 1-server jobs served while "
            "there is an n-server job at the head of the queue.",
            regime=BALANCED,
            note="For c = 1/10 that is under a tenth: counted so, the balanced regime does not behave as regime 1 does.",
            sampled=samples.agrees(samples.DONE_DRAIN, p1 - p1**n, samples.BALANCED_RUN),
        ),
        claim(
            "section-4-balanced-idle",
            words,
            Limit(BUSY, sp.Integer(0)),
            "... and most servers are idle.",
            regime=BALANCED,
        ),
    ]


def _theorem_3() -> list[Claim]:
    words = "Section 4"
    printed = sp.log(n) + r - 1
    return [
        *erratum(
            "theorem-4.3-throughput",
            "Theorem 4.3",
            (
                ExpansionOf(MU, mu1 * (n - n ** (2 - alpha) * printed), "o", n ** (2 - alpha)),
                "If p_n = 1/n^alpha, alpha > 1: mu = mu1 (n - n^(2-alpha) (ln n + mu1/mun - 1 + o(1))).",
            ),
            (
                ExpansionOf(MU, mu1 * (n - n ** (2 - alpha) * (printed + gamma)), "o", n ** (2 - alpha)),
                "If p_n = 1/n^alpha, alpha > 1: mu = mu1 (n - n^(2-alpha) (ln n + gamma + mu1/mun - 1 + o(1))), "
                "gamma Euler's constant.",
            ),
            regime=POLYNOMIAL,
            note="The sum of 1/b, b < n, is ln n + gamma + o(1); its constant gamma is lost (see Lemma 8.3).",
            sampled=samples.PRINTED_CONSTANT,
            corrected_sampled=samples.EULERS_CONSTANT,
        ),
        claim(
            "theorem-4.3-response",
            "Theorem 4.3",
            Equivalent(E_DELTA, n ** (2 - alpha) * sp.log(n) ** 2 / 2),
            "If p_n = 1/n^alpha, alpha > 1: E[Delta(Y_d)] = (1 + o(1)) n^(2-alpha) ln^2 n / 2.",
            regime=POLYNOMIAL,
            note="For alpha > 2 it tends to 0, so that E[Q(1-rho)] -> E[Delta(Y_d)] + 1 tends to 1.",
            sampled=samples.POLYNOMIAL_RESPONSE,
        ),
        claim(
            "section-4-nearly-full",
            words,
            Equivalent(MU, n * mu1),
            "In the 1-server dominated regime, throughput nearly matches n mu1.",
            regime=POLYNOMIAL,
        ),
        claim(
            "section-4-full-dominates",
            words,
            Limit(TIME_FULL, sp.Integer(1)),
            "The service that occurs when all n servers are serving 1-server jobs dominates the behavior of the system.",
            regime=POLYNOMIAL,
            note="Read: the fraction of time with n 1-server jobs in service tends to 1.",
            sampled=samples.approaches(samples.TIME_FULL, TIME_FULL, 1, samples.POLYNOMIAL_RUN),
        ),
        claim(
            "section-4-smaller-response",
            words,
            Order(E_DELTA, "o", n),
            "Correspondingly, we see smaller values of E[Delta(Y_d)].",
            regime=POLYNOMIAL,
            note="Smaller than the order n of the balanced regime.",
        ),
        claim(
            "section-4-cycle-length-still",
            words,
            Equivalent(sp.Sum(g * p1**g * p, (g, 0, sp.oo)), 1 / p),
            "In this regime, the expected number of small jobs between a pair of large jobs is still 1/p_n.",
            regime=ONE_DOMINATED,
            note="It is 1/p_n - 1; read as ~.",
        ),
        claim(
            "section-4-balanced-value",
            words,
            Equivalent(E_DELTA, n / (2 * c)),
            "E[Delta(Y_d)] falls from n/(2c), reached in the balanced load regime.",
            regime=BALANCED,
            note="That this is a peak is lfms/section-10-largest, refuted; the peak is lfms/beyond-peak-location.",
        ),
        claim(
            "section-4-slower-and-slower",
            words,
            Limit(_faster_than(sp.Rational(1, 4)), sp.Integer(0)),
            "... with slower and slower growth rates for larger values of alpha > 1.",
            regime=POLYNOMIAL,
            note="Tried as E[Delta(Y_d)] at alpha + 1/4 over the same at alpha: the ratio tends to 0.",
        ),
    ]


def _faster_than(step: sp.Rational) -> sp.Expr:
    """E at alpha + step over E at alpha, by n."""
    return E_DELTA.subs(p, n ** -(alpha + step)) / E_DELTA.subs(p, n**-alpha)
