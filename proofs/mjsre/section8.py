"""Section 8.2: five classes on 20 servers.  Table 2 itself is in ``table2``, the two-class system of 8.1 in ``two_class``."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from asymp.claim import Claim, Evidence, Outcome, Property, Step, Strength
from asymp.enclosure import compare, enclose
from proofs.mjsre import paired, samples
from proofs.mjsre.notation import MEAN_SERVICE, TABLE_2, beyond, claim, erratum, rational
from proofs.mjsre.table2 import moment

PLACE = "Section 8.2"


def claims() -> list[Claim]:
    """The statements of section 8.2, in order."""
    return [*_thresholds(), *_waste(), *_density(), *_waiting()]


def _thresholds() -> list[Claim]:
    words = "service times: the system is stable for lambda <"
    return [
        *erratum(
            "section-8.2-threshold-exponential",
            PLACE,
            (Property(samples.threshold_is("table2-exponential", "1.81")), f"Exponential {words} 1.81."),
            (Property(samples.threshold_is("table2-exponential", "1.80")), f"Exponential {words} 1.80."),
            note="Table 3 has 1.80 for the same system.  The difference is within the 1% at which section 7.5 aims.",
        ),
        *(
            claim(
                f"section-8.2-threshold-{slug}",
                PLACE,
                Property(samples.threshold_is(name, printed)),
                f"{law} {words} {printed}.",
                note="The sampled threshold is next to 1.505: whether 1.50 is rounded or truncated is not decided."
                if slug == "hyperexponential"
                else "",
            )
            for slug, name, law, printed in (
                ("erlang", "table2-erlang", "3-phase Erlang", "1.84"),
                ("hyperexponential", "table2-hyperexponential", "2-phase hyperexponential", "1.50"),
                ("pareto", "table2-bounded-pareto", "Bounded Pareto", "1.72"),
            )
        ),
    ]


def _waste() -> list[Claim]:
    place = "Figure 2(b)"
    return [
        claim(
            "figure-2b-load",
            place,
            Property(samples.increasing_in_load(("wasted-hol",))),
            "The average number of servers wasted due to HOL blocking increases with the system load.",
            note="For the four laws, as the text has it; the caption says exponential service times.",
        ),
        claim(
            "figure-2b-variance",
            place,
            Property(samples.increasing_in_variance(("wasted-hol",))),
            "The average number of wasted servers increases with the variance of service times.",
            note="At each load, in the order of the overall coefficients of variation: Erlang, exponential, bounded Pareto, "
            "hyperexponential.",
        ),
        claim(
            "figure-2b-quarter",
            place,
            Property(samples.quarter_wasted),
            "With hyperexponentially distributed service times, the average number of wasted servers gets close to 5, i.e., to 25% "
            "of the overall MJQM service capacity.",
            note="Close to 5 is read: between 4.5 and 5.5 at some stable rate.  It does not stop there: at the threshold all waste is "
            "by HOL blocking, s - lambda_c E[alpha sigma] = 5.7, or 29%.",
        ),
    ]


# --- the tail ------------------------------------------------------------------------------------

RATE = Fraction(1, 2)
DECAY = Fraction(1, 150)
LONGEST = 400


def _density() -> list[Claim]:
    return [
        *erratum(
            "figure-2c-tail",
            "Figure 2(c)",
            (
                Property(heavy_tail),
                "The linear decay of the curves indicates the presence of a heavy tail of waiting times, with bounded Pareto "
                "service times.",
            ),
            (
                Property(light_tail),
                "Service times are bounded by 400, and the tail of waiting times is light: at lambda = 1/2, P(W^s > x) <= "
                "exp(-x/150) for all x >= 0.",
            ),
            note="Heavy is read: no exponential moment.  The rate of the figure is not given; the bound is at lambda = 1/2.  What the "
            "figure can show is a decay slower than exponential up to x of the order of 400.",
            corrected_note="W^s is at most the workload of the single server queue in which every job takes all servers; Kingman's "
            "bound there.  With batches of jobs in the place of single ones the same holds for every lambda < lambda_c.",
        ),
        claim(
            "figure-2c-classes",
            "Figure 2(c)",
            Property(samples.small_differences),
            "The probability densities of waiting times per class show that differences among classes are small.",
            note="Read: with bounded Pareto service times at lambda = 1.2, the 90th and the 99th percentiles of the five classes "
            "are within a factor 2 of each other.",
        ),
    ]


def light_tail(decay: Fraction = DECAY, rate: Fraction = RATE) -> list[Evidence]:
    """Kingman's bound: P(W > x) <= e^(-theta x) if E e^(theta (sigma - tau)) <= 1, tau exponential of rate lambda.

    sigma <= 400 gives E e^(theta sigma) <= 1 + theta E sigma + (e^(400 theta) - 1 - 400 theta) E sigma^2/400^2.
    """
    first, second = (
        sum(
            (rational(row.probability) * moment(rational(Fraction(row.bounds[0])), k) for row in TABLE_2), sp.Integer(0)
        )
        for k in (1, 2)
    )
    theta, reach = rational(decay), rational(decay * LONGEST)
    transform = 1 + theta * first + (sp.exp(reach) - 1 - reach) * second / LONGEST**2
    limit = 1 + theta / rational(rate)  # (lambda + theta)/lambda
    values = f"{enclose(transform, digits=8).value} <= {enclose(limit, digits=8).value}"
    if not compare(transform, "<=", limit):
        detail = f"the bound of E exp(theta sigma) is too large at theta = {decay}: not {values}"
        return [Evidence("enclosed", Outcome.UNDECIDED, Strength.NONE, detail)]
    steps = (
        Step("the largest component is raised by at most sigma", r"W^s_{n+1} \le (W^s_n + \sigma_n - \tau_n)^+"),
        Step("e^x <= 1 + x + (e^a - 1 - a) x^2/a^2 for 0 <= x <= a = 400 theta, certified", values),
        Step("Kingman (1964): a supermartingale", r"P(W > x) \le e^{-\theta x}"),
    )
    detail = f"E exp(theta sigma) <= 1 + theta/lambda at theta = {decay}, lambda = {rate}: {values}"
    return [Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, detail, steps=steps)]


def heavy_tail() -> list[Evidence]:
    """Refuted by an exponential bound of the tail."""
    (found,) = light_tail()
    if found.outcome != Outcome.HOLDS:
        return [found]
    detail = f"the tail is below exp(-x/{1 / DECAY}) at lambda = {RATE} (load {float(RATE * MEAN_SERVICE):.2g} of one server)"
    return [Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, steps=found.steps)]


# --- waiting times -------------------------------------------------------------------------------

MEASURES = ("waiting-mean", "waiting-variance", "waiting-p90")


def _waiting() -> list[Claim]:
    found = [
        claim(
            "figure-3-similar",
            "Figure 3",
            Property(paired.similar_small_classes("table2-exponential")),
            "With exponential service times performance metrics are very similar for the 3 classes with lower core requirements (1, 2 "
            "and 5 cores), and somewhat higher for jobs of the classes requiring 10 and 15 servers.",
            note="Read: the means of classes 1, 2 and 5 are nearer to each other than to that of class 10, which is below that of "
            "class 15, and the latter is not twice that of class 1, at lambda = 1.2.  At low rates class 15 waits for "
            "several times as long as class 1: 3.3 times at lambda = 0.5.",
        ),
        claim(
            "figure-4-similar",
            "Figure 4",
            Property(paired.similar_small_classes("table2-hyperexponential")),
            "The same type of results for hyperexponential distributions of job service times.",
        ),
        claim(
            "figure-4-magnitude",
            "Figure 4",
            Property(samples.order_of_magnitude),
            "In this case of higher service time variance, the waiting time metrics are at least one order of magnitude higher.",
            note="Mean, variance and 90th percentile of each class against exponential service times, read: at loads that are not "
            "low, lambda = 0.6 and 1.2.  Which rates the figure shows is not known.",
        ),
        beyond(
            "figure-4-magnitude-low",
            "Figure 4",
            Property(paired.percentile_at_low_load),
            "At lambda = 0.2 the 90th percentile of waiting times of jobs of 15 servers is less than three times as high.",
            note="Few jobs wait, and those mostly for a short phase.",
        ),
    ]
    for number, index, servers in ((5, 0, "1 server"), (6, 4, "15 servers")):
        names = tuple(f"{name}[{index}]" for name in MEASURES)
        what = f"Average, variance and 90th percentile of waiting times of jobs requiring {servers} increase with"
        found.append(
            claim(
                f"figure-{number}-load",
                f"Figure {number}",
                Property(samples.increasing_in_load(names)),
                f"{what} system load.",
                note="That they do not decrease is external monotonicity: gaps scaled by a factor.",
            )
        )
        found.append(
            claim(
                f"figure-{number}-variance",
                f"Figure {number}",
                Property(samples.increasing_in_variance(names)),
                f"{what} the variance of job service times.",
                note="At lambda = 0.6 and 1.2.  At 0.2, where hardly one job in ten of 15 servers waits, the 90th percentile is seen to "
                "be lower with bounded Pareto than with exponential service times, but not at the level asked of a refutation."
                if number == 6
                else "",
            )
        )
    return found
