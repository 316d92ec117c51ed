"""Appendix A: what is said of figures 5 to 10, where mu1 and mun differ."""

from __future__ import annotations

import sympy as sp

from asymp.claim import Bound, Claim, Domain, Limit, Property
from proofs.lfms import curves
from proofs.lfms.curves import FIGURES
from proofs.lfms.notation import MU, beyond, claim, erratum
from proofs.lfms.regimes import BALANCED, N_DOMINATED, mu1, mun, p
from proofs.lfms.section9 import TIGHT, VERY_TIGHT, converge, figure_regime

SYMBOLS = {"throughput": "mu", "response": "E[Delta(Y_d)]"}
IN_SERVICE = MU * p / mun
"""P_{1,0}, the fraction of time in which an n-server job is in service."""


def claims() -> list[Claim]:
    """The statements of appendix A, in order."""
    return [
        *_converge((5, 6)),
        *_green(7),
        *_faster_or_slower(),
        *_why(),
        *_converge((8, 9)),
        *_green(10),
        *_tight(),
    ]


def _converge(numbers: tuple[int, ...]) -> list[Claim]:
    return [
        claim(
            f"figure-{number}-{what}",
            f"Figure {number}",
            converge(number, what, "orange"),
            f"In Fig. {number}, the orange and purple curves of {symbol} converge ({FIGURES[number].text}).",
            regime=figure_regime(number),
        )
        for number in numbers
        for what, symbol in SYMBOLS.items()
    ]


def _green(number: int) -> list[Claim]:
    found = []
    for what, symbol in SYMBOLS.items():
        found += erratum(
            f"figure-{number}-{what}",
            f"Figure {number}",
            (
                converge(number, what, "green", "orange"),
                f"In Fig. {number}, the green and orange curves of {symbol} converge.",
            ),
            (
                converge(number, what, "green"),
                f"In Fig. {number}, the green and purple curves of {symbol} converge.",
            ),
            regime=figure_regime(number),
            note="Green and orange are the two asymptotic formulas, of different order here.",
        )
    return found


def _larger_than_in_figure_2(size: int) -> bool:
    if not 4 <= size <= 7:  # n = 10^size
        return True
    return curves.gap(2, "response", "orange", size) < curves.gap(5, "response", "orange", size)


def _faster_or_slower() -> list[Claim]:
    return [
        claim(
            "figure-5-throughput-slower",
            "Figure 5",
            Property(curves.closer(2, 5, "throughput", "orange")),
            "In Fig. 5, the convergence for mu to its asymptotic curve is slower than it was in Fig. 2.",
            note="Read: the gap is larger at every n.",
        ),
        claim(
            "figure-5-response-faster",
            "Figure 5",
            Property(curves.worst_closer(5, 2, "response", "orange")),
            "In Fig. 5, the convergence for E[Delta(Y_d)] is faster than in Fig. 2.",
            note="Read: the largest gap is less than in Fig. 2.  It is not less at every n: it is larger at n = 10^4 to 10^7 "
            "(lfms/beyond-figure-5-gap).  In Fig. 5 exact/orange first leaves 1: it is 1.06, 1.33, 1.36 at n = 10, 100, 1000, "
            "then falls slowly, 1.18 at n = 10^8; in Fig. 2 it is 0.32, 0.58, 0.70 and 0.85.  Both ratios are 1 - 2/(L+r) + "
            "(r^2 + pi^2/3)/(L+r)^2 + O(p_n), L = ln 1/p_n, r = mu1/mun (lfms/beyond-n-dominated-response).",
        ),
        beyond(
            "beyond-figure-5-gap",
            "Figure 5",
            Property(curves.every(5, "response", "orange", _larger_than_in_figure_2, "the gap is larger than in Fig. 2 for 10^4 <= n <= 10^7")),
            "Between n = 10^4 and n = 10^7 the gap of the two curves of E[Delta(Y_d)] is larger in Fig. 5 than in Fig. 2.",
            note="A finer reading of \"faster\" than the words ask for.",
        ),
        claim(
            "figure-5-response-tight",
            "Figure 5",
            Property(curves.within(5, "response", "orange", TIGHT)),
            "... and in fact the asymptotic expression is a tight approximation across all n.",
            note="Tight is read: within a factor 3/2 at every n.  The worst ratio is 1.362, at n = 1000.",
        ),
    ]


def _why() -> list[Claim]:
    words = "The time when the n-server jobs are in service is not asymptotically relevant"
    grid = Domain(
        "p_n = n^(-1/2), n = 10, 10^2, 10^3",
        tuple({"n": sp.Integer(10) ** j, "p": sp.Integer(10) ** (-sp.Rational(j, 2))} for j in (1, 2, 3)),
    )
    return [
        claim(
            "appendix-a-n-server-time",
            "Appendix A",
            Limit(IN_SERVICE, sp.Integer(0)),
            f"{words}.",
            regime=N_DOMINATED,
        ),
        claim(
            "appendix-a-n-server-time-balanced",
            "Appendix A",
            Limit(IN_SERVICE, sp.Integer(0)),
            f"{words}: in the balanced regime.",
            regime=BALANCED,
        ),
        claim(
            "appendix-a-n-server-time-raised",
            "Appendix A",
            Bound(IN_SERVICE.subs({mu1: 10, mun: 1}), ">", IN_SERVICE.subs({mu1: 1, mun: 1}), grid),
            "In the mu1 = 10, mun = 1 parameterization, the importance of the time when the n-server jobs are in service "
            "is raised, which shows up in these plots for small n.",
            note="The fraction of time P_{1,0}, in the setting of Figs. 5 and 2.",
        ),
        claim(
            "figure-5-response-tighter",
            "Figure 5",
            Property(curves.worst_closer(5, 2, "response", "orange")),
            "In Fig. 5, the orange asymptotics are tighter than in Section 9.",
            note="Read: the largest gap is less than in Fig. 2.  It is not less at every n (lfms/beyond-figure-5-gap).",
        ),
        claim(
            "figure-6-response-tighter",
            "Figure 6",
            Property(curves.closer(6, 3, "response", "orange")),
            "In Fig. 6, the orange asymptotics are tighter than in Section 9.",
            note="Read: the gap is less than in Fig. 3 at every n.",
        ),
        claim(
            "figure-7-response-looser",
            "Figure 7",
            Property(curves.closer(4, 7, "response", "green")),
            "... while in Fig. 7, the green asymptotics are looser.",
            note="Read: the gap is larger than in Fig. 4 at every n.  Exact/green is 9.3 at n = 10 and 2.6 at n = 10^8.",
        ),
    ]


def _tight() -> list[Claim]:
    found = []
    for number, colour, other in ((8, "orange", 2), (9, "orange", 3), (10, "green", 4)):
        found += [
            claim(
                f"figure-{number}-throughput-tight",
                f"Figure {number}",
                Property(curves.within(number, "throughput", colour, VERY_TIGHT)),
                "The exact formulas for mu are very tight in all three regimes.",
                note="Very tight is read: within a factor 5/4 at every n = 10 .. 10^8.",
            ),
            claim(
                f"figure-{number}-throughput-tighter",
                f"Figure {number}",
                Property(curves.closer(number, other, "throughput", colour)),
                "... as this parametrization lengthens the periods when 1-server jobs are being served, improving the "
                "accuracy of the asymptotics at low n.",
                note=f"Read: the gap is less than in Fig. {other} at every n.",
            ),
        ]
    return [
        *found,
        claim(
            "figure-10-response-close",
            "Figure 10",
            Property(curves.closer(10, 7, "response", "green")),
            "In this case, the green and purple curves of E[Delta(Y_d)] are very close in Fig. 10, the reverse of the "
            "situation in Fig. 7.",
            note="Read: the gap is less than in Fig. 7 at every n.  Exact/green is 0.59 at n = 10, 0.86 at n = 100, and "
            "within 7% from n = 1000 on.",
        ),
    ]
