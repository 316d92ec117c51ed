"""Two classes of jobs: equation (8) made explicit, and the wasted servers of figure 2(a)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import sympy as sp

from asymp.claim import Claim, Domain, Evidence, Identity, Outcome, Property, Step, Witness
from asymp.enclosure import exact
from asymp.queues.one_and_n import mu1, mun, n, p, throughput_formula
from asymp.queues.open_queue import OpenQueue
from asymp.queues.recurrence import Job, pile
from asymp.queues.rules import JobClass, Rules
from asymp.queues.saturated import saturated
from asymp.queues.two_class import throughput, waste
from proofs.mjsre.notation import beyond, certified, claim

SYMBOLS = (n, p, mu1, mun)
"""Of the formulas of lfms."""
SERVERS, BIG, HALF = 200, 100, Fraction(1, 2)
"""The setting of figure 2(a); small jobs need one server for a time of mean 1."""
TIMES = tuple(Fraction(1, 500) * Fraction(3, 2) ** k for k in range(24))
"""Mean service times of big jobs, from 0.002 to 22."""


# --- equation (8) ----------------------------------------------------------------------------------


def cycle_steps() -> Sequence[Step]:
    """p_g E|H_eta| for 1-and-n jobs with exponential services is 1/(Lemma 5.3 of lfms), for every n.

    A cycle is the global job and K small ones, P(K = k) = p q^k.  The pile of k small jobs has the mean height
    H_k/mu1 if k <= n; if not, k - n completions at rate n mu1 bring the last ones forward, and n jobs drain:
    (k - n)/(n mu1) + H_n/mu1.
    """
    q = 1 - p
    b = sp.Symbol("b", integer=True, nonnegative=True)
    x = sp.Symbol("x", positive=True)
    # sum of x^j over j >= 0, for 0 < x < 1, and of j x^j
    geometric = sp.Sum(x**b, (b, 0, sp.oo)).doit().args[0][0]
    weighted = x * sp.diff(geometric, x)
    # H_min(K, n) is the sum of 1/b over b <= min(K, n), so that its mean is the sum of P(K >= b)/b.
    at_least = p * q**b * geometric.subs(x, q)
    overflow = p * q**n * weighted.subs(x, q)  # E (K - n)^+, the sum over K = n + j of j p q^(n + j)
    drain = sp.Sum(q**b / (b * mu1), (b, 1, n - 1))
    cycle = 1 / mun + drain + q**n / (n * mu1) + overflow / (n * mu1)
    found = (
        ("P(K >= b) = q^b, so that E H_min(K,n) is the sum of q^b/b, b <= n", at_least - q**b),
        ("E (K - n)^+ = q^(n+1)/p", overflow - q ** (n + 1) / p),
        (
            "p (1/mun + E height of K small jobs) = 1/mu, mu of Lemma 5.3 of lfms",
            cycle - 1 / (p * throughput_formula()),
        ),
    )
    for name, difference in found:
        residual = sp.simplify(difference)
        if residual != 0:
            raise ValueError(f"{name}: residual {residual}")
    return [Step(f"{name}: residual 0 for symbolic n", "0 = 0") for name, _ in found]


def lemma(n: int, p: Fraction, mu1: int, mun: int) -> Fraction:
    """The throughput of Lemma 5.3 of lfms at given parameters, exactly."""
    values = dict(zip(SYMBOLS, (n, sp.Rational(p.numerator, p.denominator), mu1, mun), strict=True))
    return exact(throughput_formula().subs(values))


def _height(jobs: Sequence[Job], size: int) -> Fraction:
    return Fraction(pile(jobs, size)[-1][-1])


def counted_from_zero(n: int, p: Fraction, small: int, large: int) -> Fraction:
    """p_g E|H_eta| where job 0 is global, as the recurrence (7) counts, and eta is the smallest n > 1.

    Services are constant.  H_eta is the pile of jobs 0 .. eta - 1: job 1 may be of either class, jobs 2 .. eta - 1
    are small.  Heights grow by ``small`` with every n further small jobs, which sums the geometric series.
    """
    q, total = 1 - p, Fraction(0)
    for first, weight in ((Job(n, large, 0), p), (Job(1, small, 0), q)):
        heights = [_height([Job(n, large, 0), first] + [Job(1, small, 0)] * k, n) for k in range(3 * n)]
        if any(heights[k + n] != heights[k] + small for k in range(1, 2 * n)):
            raise ValueError("the heights do not grow by one row with every n jobs")
        # S = sum over k >= 1 of p q^k h_k = A + q^n (S + small q)
        part = sum((p * q**k * heights[k] for k in range(1, n + 1)), Fraction(0))
        total += weight * (p * heights[0] + (part + small * q ** (n + 1)) / (1 - q**n))
    return p * total


def growth_rate(n: int, p: Fraction, small: int, large: int) -> Fraction:
    """p_g times the mean height of a cycle: sigma_g + sigma_1 E ceil(K/n), with E ceil(K/n) = q/(1 - q^n)."""
    q = 1 - p
    return p * (large + small * q / (1 - q**n))


def _equation_8() -> list[Claim]:
    cases = Domain.product("n >= 2", n=[2, 3, 5], p=[Fraction(1, 2), Fraction(1, 10)], small=[1, 3], large=[1, 4])
    return [
        claim(
            "equation-8-explicit",
            "Equation (8)",
            Identity(
                _drift,
                lemma,
                Domain.product("n >= 1", n=[1, 2, 3, 4], p=[Fraction(1, 2), Fraction(1, 10)], mu1=[1, 2], mun=[1, 3]),
                proof=cycle_steps,
            ),
            "Equation (8) gives an explicit expression for the stability condition in the case of jobs requiring either all "
            "servers or just 1, with exponentially distributed service times of the latter.",
            note="The expression, of another paper, is written out: 1/gamma is the throughput of Lemma 5.3 of lfms.  The grid "
            "compares it with the drift of the open queue.",
        ),
        beyond(
            "equation-8-numbering",
            "Equation (8)",
            Identity(counted_from_zero, lambda n, p, small, large: (1 + p) * growth_rate(n, p, small, large), cases),
            "If the first job is job 0, as in (7), and eta is the smallest n > 1 with job n global, p_g E|H^g_eta| is "
            "(1 + p_g) gamma: eta must be the smallest n >= 1.",
            note="Job 1 is then passed over even if it is global.  With jobs counted from 1 and H_1 = 0 equation (8) is right as it "
            "stands, but eta - 1, not eta, is geometric; with eta the smallest n >= 1 both are right as they stand.",
        ),
    ]


def _drift(n: int, p: Fraction, mu1: Any, mun: Any) -> Fraction:
    classes = (JobClass(1, Fraction(mu1), 1 - p), JobClass(n, Fraction(mun), p))
    return OpenQueue(Rules(n, classes), Fraction(1)).capacity


# --- figure 2(a) ---------------------------------------------------------------------------------------


def curve(times: Sequence[Fraction] = TIMES) -> list[tuple[Fraction, Fraction]]:
    """(mean service time of a big job, mean number of wasted servers), exactly."""
    return [(time, waste(SERVERS, 1, BIG, HALF, 1, 1 / time)) for time in times]


def oscillates() -> list[Evidence]:
    """The waste as a function of the service time: it turns at least twice, by exact values."""
    points = curve()
    values = [value for _, value in points]
    turns = [k for k in range(1, len(values) - 1) if (values[k] - values[k - 1]) * (values[k + 1] - values[k]) < 0]
    shown = [
        Witness({"time": f"{float(points[k][0]):.4g}"}, f"{float(points[k][1]):.6g}", "1e-4") for k in [0, *turns, -1]
    ]
    words = ", ".join(f"{float(points[k][1]):.2f} at {float(points[k][0]):.3g}" for k in [0, *turns, -1])
    outcome = Outcome.HOLDS if len(turns) >= 2 else Outcome.REFUTED
    return certified(outcome, f"wasted servers by mean service time of big jobs: {words}", shown)


def _by_chain(servers: int, small: int, big: int, share: Fraction, rate: Fraction) -> tuple[Fraction, Fraction]:
    chain = saturated(servers, [JobClass(small, Fraction(1), 1 - share), JobClass(big, rate, share)])
    idle = sum((weight * chain.rules.free(state) for state, weight in chain.P.items()), Fraction(0))
    return chain.throughput, idle


def _by_product(servers: int, small: int, big: int, share: Fraction, rate: Fraction) -> tuple[Fraction, Fraction]:
    return throughput(servers, small, big, share, 1, rate), waste(servers, small, big, share, 1, rate)


def _figure_2a() -> list[Claim]:
    needs = ((200, 1, 100), (30, 3, 10), (12, 1, 6), (11, 2, 5), (7, 3, 3), (8, 1, 8), (10, 1, 3), (5, 5, 5))
    grid = tuple(
        {"servers": s, "small": small, "big": big, "share": share, "rate": rate}
        for s, small, big in needs
        for share in (HALF, Fraction(1, 10))
        for rate in (Fraction(1, 20), Fraction(1), Fraction(100))
    )
    place = "Figure 2(a)"
    return [
        claim(
            "figure-2a-exact",
            place,
            Identity(_by_chain, _by_product, Domain("two classes, exponential services, saturation", grid)),
            "The average number of wasted servers in saturation is known exactly from (Grosof et al., 2020).",
            note="Throughput and idle servers of the chain generated from the rules, against the product form of that paper.",
        ),
        claim(
            "figure-2a-oscillates",
            place,
            Property(oscillates),
            "Fig. 2(a) clearly shows ... oscillating behaviors caused by the interplay of different factors.",
            note="Read: the number of wasted servers falls, rises and falls again with the service time of big jobs.  It is least, "
            "about 18, near 0.01, and largest, about 93, near 0.17.  The curve turns twice, no more, on this grid.",
        ),
    ]


def claims() -> list[Claim]:
    """Equation (8), then figure 2(a)."""
    return [*_equation_8(), *_figure_2a()]
