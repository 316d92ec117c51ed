"""Sections 9 and 10: what is said of figures 2 to 4, and the conclusion."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Claim, Equivalent, Limit, Order, Property
from asymp.scale import Path, Regime
from proofs.lfms import curves, samples
from proofs.lfms.curves import CURVES, EXACT, FIGURES
from proofs.lfms.notation import E_DELTA, beyond, claim, erratum, p1
from proofs.lfms.regimes import (
    ABOVE_BOUNDARY,
    BALANCED,
    BOUNDARY,
    N_DOMINATED,
    N_POLYNOMIAL,
    ONE_DOMINATED,
    POLYNOMIAL,
    alpha,
    k,
    mu1,
    mun,
    n,
    p,
)
from proofs.lfms.section3 import heavy_traffic
from proofs.lfms.section4 import TIME_DRAINING, TIME_FULL

TIGHT = Fraction(3, 2)
"""How ``tight`` is read: within a factor 3/2, at most 0.18 of a decade on the plots."""
VERY_TIGHT = Fraction(5, 4)


def figure_regime(number: int) -> Regime:
    """The regime of a figure: one curve, one number n that tends to infinity."""
    setting = FIGURES[number]
    return Regime(
        setting.text + ", n -> oo",
        (n,),
        {p: n**-setting.exponent},
        paths=(Path(setting.text, n, {p: n**-setting.exponent}),),
    )


def converge(number: int, what: str, colour: str, against: str = "exact") -> Equivalent:
    """``exact ~ curve`` (or ``other curve ~ curve``) in the setting of a figure."""
    setting = FIGURES[number]
    left = EXACT[what] if against == "exact" else CURVES[what, against]
    rates = {mu1: sp.Integer(setting.rate1), mun: sp.Integer(setting.raten)}
    rates[alpha] = setting.exponent
    return Equivalent(left.subs(rates), CURVES[what, colour].subs(rates))


def claims() -> list[Claim]:
    """The statements of sections 9 and 10, in order."""
    return [*_regimes(), *_figures_2_3(), *_figure_4(), *_conclusion()]


def _regimes() -> list[Claim]:
    words = "These three values of alpha, 0.5, 1, 2, correspond to our three regimes"
    limits = {2: sp.oo, 3: sp.Integer(1), 4: sp.Integer(0)}
    return [
        claim(
            f"section-9-regime-of-figure-{number}",
            "Section 9",
            Limit(n * p, value),
            f"{words}: {FIGURES[number].text}, n p_n -> {value}.",
            regime=figure_regime(number),
        )
        for number, value in limits.items()
    ]


def _figures_2_3() -> list[Claim]:
    found = []
    for number in (2, 3):
        for what, symbol in (("throughput", "mu"), ("response", "E[Delta(Y_d)]")):
            regime = figure_regime(number)
            found += [
                claim(
                    f"figure-{number}-{what}",
                    f"Figure {number}",
                    converge(number, what, "orange"),
                    f"The purple and orange curves of {symbol} differ by a ratio of 1 + o(1).",
                    regime=regime,
                ),
                claim(
                    f"figure-{number}-{what}-apparent",
                    f"Figure {number}",
                    Property(curves.shrinking(number, what, "orange")),
                    f"The convergence of {symbol} is clearly apparent over the interval n in [10, 10^8].",
                    note="Read: the vertical gap of the two curves decreases from each power of ten to the next.",
                ),
                claim(
                    f"figure-{number}-{what}-green",
                    f"Figure {number}",
                    _diverges(number, what, "exact"),
                    f"As expected, the green curve of {symbol} diverges from the true value.",
                    regime=regime,
                ),
                claim(
                    f"figure-{number}-{what}-green-orange",
                    f"Figure {number}",
                    _diverges(number, what, "orange"),
                    f"... and from the correct asymptotic curve of {symbol}.",
                    regime=regime,
                ),
            ]
    return found


def _diverges(number: int, what: str, against: str) -> Limit:
    both = converge(number, what, "green", against)
    return Limit(both.g / both.f, sp.oo)


def _figure_4() -> list[Claim]:
    place = "Figure 4"
    regime = figure_regime(4)
    return [
        *erratum(
            "figure-4-theorem",
            place,
            (
                Order(p, "omega", 1 / n),
                "As expected from Theorem 4.1, the tight asymptotics are the green curves in this setting: "
                "Theorem 4.1, which asks for p_n = omega(1/n).",
            ),
            (
                Order(p, "o", 1 / n),
                "As expected from Theorem 4.3, the tight asymptotics are the green curves in this setting.",
            ),
            regime=regime,
            note="Theorem 4.1 says nothing of p_n = n^(-2); it is Theorem 4.3 that does.",
            corrected_note="p_n = n^(-alpha), alpha = 2 > 1, the hypothesis of Theorem 4.3, gives p_n = o(1/n).",
        ),
        claim(
            "figure-4-throughput",
            place,
            converge(4, "throughput", "green"),
            "The tight asymptotics are the green curves in this setting: n mu1 for mu.",
            regime=regime,
        ),
        claim(
            "figure-4-response",
            place,
            converge(4, "response", "green"),
            "... and n^(2-alpha) ln^2 n/2 for E[Delta(Y_d)].",
            regime=regime,
        ),
        claim(
            "figure-4-throughput-tight",
            place,
            Property(curves.within(4, "throughput", "green", TIGHT)),
            "Throughout the range of n there is nearly no perceptible separation: a tight multiplicative approximation of "
            "mu.",
            note="Tight is read: within a factor 3/2 at every n = 10 .. 10^8.  The worst ratio is 0.782, at n = 10.",
        ),
        claim(
            "figure-4-response-tight",
            place,
            Property(curves.within(4, "response", "green", TIGHT)),
            "Throughout the range of n there is nearly no perceptible separation: a tight multiplicative approximation of "
            "E[Delta(Y_d)].",
            note="Tight is read: within a factor 3/2 at every n = 10 .. 10^8.  The ratio is 1.07 at n = 10, 1.246 at "
            "n = 100, 1.07 at n = 10^8.",
        ),
    ]


def _conclusion() -> list[Claim]:
    place = "Section 10"
    return [
        claim(
            "section-10-n-dominated",
            place,
            Limit(TIME_DRAINING, sp.Integer(1)),
            "In the n-server dominated regime, throughput is dominated by 1-server jobs that run while an n-server job is "
            "blocking the head of the queue.",
            regime=N_DOMINATED,
            note="As a fraction of time; as a fraction of completions see lfms/section-4-n-dominated-completions.",
            sampled=samples.approaches(samples.TIME_DRAIN, TIME_DRAINING, 1, samples.N_RUN),
        ),
        claim(
            "section-10-one-dominated",
            place,
            Limit(p1**n, sp.Integer(1)),
            "In the 1-server dominated regime, throughput is dominated by 1-server jobs running on all n servers.",
            regime=ONE_DOMINATED,
            note="As a fraction of completions, pi^d_{0,n} = p1^n.  As a fraction of time it fails where p_n is above "
            "1/(n ln n) (lfms/section-10-one-dominated-time).",
            sampled=samples.agrees(samples.DONE_FULL, p1**n, samples.POLYNOMIAL_RUN),
        ),
        beyond(
            "section-10-one-dominated-time",
            place,
            Limit(TIME_FULL, sp.Integer(0)),
            "Between 1/(n ln n) and 1/n, the fraction of time in which all n servers run 1-server jobs tends to 0.",
            regime=ABOVE_BOUNDARY,
            sampled=samples.approaches(samples.TIME_FULL, TIME_FULL, 0, samples.ABOVE_RUN),
        ),
        *erratum(
            "section-10-scaled-queue",
            place,
            (
                Equivalent(E_DELTA + 1, E_DELTA),
                "Scaled mean queue length E[Q(1 - rho)] -> E[Delta(Y_d)].",
            ),
            (
                Property(heavy_traffic),
                "Scaled mean queue length E[Q(1 - rho)] -> E[Delta(Y_d)] + 1.",
            ),
            regime=POLYNOMIAL,
            note="Equation (2) has + 1.  Read as ~ it is harmless where E[Delta(Y_d)] -> oo; for p_n = n^(-alpha), alpha > "
            "2, E[Delta(Y_d)] -> 0 and the scaled mean queue length tends to 1.",
            refuting=({"alpha": 3, "mu1": 1, "mun": 1},),
        ),
        claim(
            "section-10-balanced-order",
            place,
            Order(E_DELTA, "Theta", n),
            "E[Delta(Y_d)] = theta(n) in the balanced load regime.",
            regime=BALANCED,
        ),
        claim(
            "section-10-slower-n-dominated",
            place,
            Order(E_DELTA, "o", n),
            "... with slower growth rates as a function of n in the n-server dominated regime.",
            regime=N_DOMINATED,
        ),
        claim(
            "section-10-slower-n-polynomial",
            place,
            Order(E_DELTA, "o", n),
            "... among them p_n = n^(-alpha), alpha < 1.",
            regime=N_POLYNOMIAL,
        ),
        *erratum(
            "section-10-largest",
            place,
            (
                Order(E_DELTA, "o", n),
                "The balanced load regime exhibits the largest scaled response time, with slower growth rates as a function "
                "of n in the 1-server dominated regime.",
            ),
            (
                Equivalent(E_DELTA, k * n * sp.log(n) / (2 * (1 + k) ** 2)),
                "The largest scaled response time is reached inside the 1-server dominated regime, at p_n = k/(n ln n): "
                "E[Delta(Y_d)] ~ n ln n k/(2 (1+k)^2), largest for k = 1.",
            ),
            regime=BOUNDARY,
            note="Tried at p_n = k/(n ln n), which is o(1/n): there E[Delta(Y_d)] grows as n ln n, faster than n.  Right "
            "among p_n = n^(-alpha), the case that the paper solves (lfms/section-10-slower-polynomial); in the "
            "balanced regime too n/(2c) grows as c falls.",
            corrected_note="Contained in lfms/beyond-one-dominated-response, for all p_n = o(1/n).  Where the peak is: "
            "lfms/beyond-peak-location.  How far above the balanced regime: lfms/beyond-peak-over-balanced.",
        ),
        claim(
            "section-10-slower-polynomial",
            place,
            Order(E_DELTA, "o", n),
            "... with slower growth rates as a function of n for p_n = n^(-alpha), alpha > 1.",
            regime=POLYNOMIAL,
        ),
    ]
