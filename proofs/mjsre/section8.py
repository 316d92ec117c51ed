"""The tests of section 8 by name: sampled ones, and whether the tail of figure 2(c) is heavy."""

from __future__ import annotations

import sympy as sp

from asymp.claim import Evidence, Outcome, Step, Strength
from asymp.enclosure import compare, enclose
from asymp.papers.mjsre import samples
from asymp.papers.mjsre.notation import MEAN_SERVICE, TABLE_2, certified, rational
from asymp.papers.mjsre.table2 import HIGH, moment

EXPONENTIAL_181 = samples.threshold_is("table2-exponential", "1.81")
EXPONENTIAL_180 = samples.threshold_is("table2-exponential", "1.80")
ERLANG_184 = samples.threshold_is("table2-erlang", "1.84")
HYPEREXPONENTIAL_150 = samples.threshold_is("table2-hyperexponential", "1.50")
PARETO_172 = samples.threshold_is("table2-bounded-pareto", "1.72")
WASTE_BY_LOAD = samples.increasing_in_load(("wasted-hol",))
WASTE_BY_VARIANCE = samples.increasing_in_variance(("wasted-hol",))
_ONE, _FIFTEEN = (tuple(f"{name}[{c}]" for name in samples.METRICS) for c in (0, 4))
WAITS_OF_ONE_BY_LOAD = samples.increasing_in_load(_ONE)
WAITS_OF_ONE_BY_VARIANCE = samples.increasing_in_variance(_ONE)
WAITS_OF_15_BY_LOAD = samples.increasing_in_load(_FIFTEEN)
WAITS_OF_15_BY_VARIANCE = samples.increasing_in_variance(_FIFTEEN)

DECAY, RATE = sp.Rational(1, 150), sp.Rational(1, 2)


def heavy_tail(decay: sp.Rational = DECAY, rate: sp.Rational = RATE) -> list[Evidence]:
    """No exponential moment: refuted by Kingman's bound, P(W > x) <= e^(-theta x) if E e^(theta (sigma - tau)) <= 1.

    sigma <= 400 gives E e^(theta sigma) <= 1 + theta E sigma + (e^(400 theta) - 1 - 400 theta) E sigma^2/400^2.
    """
    first, second = (
        sum(rational(row.probability) * moment(sp.Rational(row.bounds[0]), k) for row in TABLE_2) for k in (1, 2)
    )
    reach = decay * HIGH
    transform = 1 + decay * first + (sp.exp(reach) - 1 - reach) * second / HIGH**2
    limit = 1 + decay / rate  # (lambda + theta)/lambda, tau exponential
    values = f"{enclose(transform, digits=8).value} <= {enclose(limit, digits=8).value}"
    if not compare(transform, "<=", limit):
        return certified(
            Outcome.UNDECIDED, f"the bound of E exp(theta sigma) is too large at theta = {decay}: not {values}"
        )
    steps = (
        Step("the largest component is raised by at most sigma", r"W^s_{n+1} \le (W^s_n + \sigma_n - \tau_n)^+"),
        Step("e^x <= 1 + x + (e^a - 1 - a) x^2/a^2 for 0 <= x <= a = 400 theta, certified", values),
        Step("Kingman (1964): a supermartingale", r"P(W > x) \le e^{-\theta x}"),
    )
    detail = f"the tail is below exp(-x/{1 / decay}) at lambda = {rate} (load {float(rate * rational(MEAN_SERVICE)):.2g} of one server)"
    return [Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, detail, steps=steps)]
