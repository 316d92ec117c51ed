"""Sampled evidence for the system with five classes: what no exact computation reaches.  A sample supports, no more.

Every interval has the level 1 - 10^-9; a claim uses at most 60 of them, so that by Bonferroni's inequality a true
statement meets a false alarm with probability below 6e-8, as far as means over independent replications are normal.
Seeds are fixed by the point and the number of the draw: a run repeats exactly.

An interval that contains a printed number to its digits upholds it, one that excludes it speaks against it, and what is
between decides nothing.
"""

from __future__ import annotations

import itertools
import math
import zlib
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from asymp.claim import Evidence, Outcome, Witness
from asymp.kept import draw
from asymp.papers.mjsre.notation import SERVERS, Test, supported

if TYPE_CHECKING:
    from asymp.queues.laws import Law
    from asymp.sample.estimate import Estimate
    from asymp.sample.forward import Forward
    from asymp.sample.growth import Growth
    from asymp.sample.multiserver import Sampled

DRAWN_WITH = ("asymp.sample", "asymp.queues")
LEVEL = 1 - 1e-9
HOW = "+-: a standard error; decided by intervals of level 1 - 10^-9"
LAWS = ("erlang", "exponential", "bounded-pareto", "hyperexponential")
"""In the order of the overall coefficients of variation."""
RATES = (0.6, 1.2)
"""A load of a third, and of 65 to 80 per cent, of the thresholds."""
REPLICATIONS, JOBS, WARM_UP = 256, 1 << 16, 1 << 14
"""Forward runs at a point: replications, jobs of each, and how many of these are not counted."""


def seed_of(*what: object) -> int:
    """A seed of the point's own, another for each draw."""
    return zlib.crc32(repr((*what, draw()) if draw() else what).encode())


LOW_RATE = 0.2
"""A tenth of the thresholds, and a little more."""
LONGER = {"bounded-pareto": 4, "hyperexponential": 32}
"""Waiting times of more variable services are correlated over more jobs: replications are as many times longer."""


def run(law: str, rate: float, longer: int | None = None) -> Forward:
    """The system with five classes at a rate: forward runs from an empty system, their beginnings left out."""
    return _run(law, rate, longer or LONGER.get(law, 1), draw())


@lru_cache(maxsize=64)
def _run(law: str, rate: float, longer: int, _: int) -> Forward:
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import named
    from asymp.sample.multiserver import forward

    return forward(
        named(f"table2-{law}"),
        Exponential(1 / rate),
        jobs=JOBS * longer,
        samples=REPLICATIONS,
        warmup=WARM_UP * longer,
        seed=seed_of(law, rate),
        level=LEVEL,
        device="cpu",
    )


def witness(at: dict[str, object], estimate: Estimate) -> Witness:
    """The middle of an estimate's interval and half of its width."""
    low, high = estimate.interval
    drawn = {**at, "size": estimate.size, "seed": estimate.seed}
    return Witness({name: str(x) for name, x in drawn.items()}, repr((low + high) / 2), f"{(high - low) / 2:.2g}")


# --- thresholds ----------------------------------------------------------------------------------


def threshold(name: str, random_assignment: bool = False) -> Growth:
    """lambda_c of a shipped workload, first come first served or with random assignment."""
    return _threshold(name, random_assignment, draw())


@lru_cache(maxsize=16)
def _threshold(name: str, random_assignment: bool, _: int) -> Growth:
    from asymp.queues.workload import named
    from asymp.sample import assignment, stability

    if random_assignment:
        queue = assignment.RandomAssignment
        return stability.threshold(named(name), seed_of(name), LEVEL, rel=1e-3, most=3 * 10**8, queue=queue)
    return stability.threshold(named(name), seed_of(name), LEVEL, rel=4e-4, most=10**9)


def _printed_range(printed: str) -> tuple[float, float]:
    """The numbers that are rounded or truncated to ``printed``."""
    unit = Fraction(1, 10 ** len(printed.partition(".")[2]))
    return float(Fraction(printed) - unit / 2), float(Fraction(printed) + unit)


def threshold_is(name: str, printed: str, random_assignment: bool = False) -> Test:
    """A test that the threshold of a workload rounds (or truncates) to what is printed."""

    def test() -> list[Evidence]:
        found = threshold(name, random_assignment)
        low, high = found.interval
        least, most = _printed_range(printed)
        points = [witness({"workload": name}, found)]
        detail = f"lambda_c = {found.value:.5f}, interval {low:.5f} to {high:.5f} ({found.jobs:.2g} jobs, {HOW})"
        if high < least or low > most:
            return supported(Outcome.REFUTED, f"not {printed}: {detail}", points)
        if least <= low and high <= most:
            return supported(Outcome.HOLDS, detail, points)
        return supported(Outcome.UNDECIDED, f"the interval is not within that of {printed}: {detail}", points)

    return test


def random_threshold_is(name: str, printed: str) -> Test:
    """The same with random assignment."""
    return threshold_is(name, printed, random_assignment=True)


def _ordered(pairs: Sequence[tuple[str, Estimate, Estimate]], what: str) -> list[Evidence]:
    """Evidence that in each pair (name, lower, higher) the first interval lies below the second.

    Equal zeros count as ordered: a percentile of waiting times may be 0 twice.
    """
    points = [
        witness({"at": name, "side": side}, x)
        for name, lower, higher in pairs
        for side, x in (("lower", lower), ("higher", higher))
    ]
    close = []
    for name, lower, higher in pairs:
        if lower.interval[1] < higher.interval[0] or lower.value == higher.value == 0:
            continue
        if lower.interval[0] > higher.interval[1]:
            return supported(Outcome.REFUTED, f"{what}: not so at {name}, {lower} and {higher} ({HOW})", points)
        close.append(f"{name}: {lower} and {higher}")
    if close:
        return supported(Outcome.UNDECIDED, f"{what}: too close to tell at {'; '.join(close)}")
    return supported(Outcome.HOLDS, f"{what}, at {len(pairs)} pairs ({HOW})", points)


def random_below_greedy() -> list[Evidence]:
    """The threshold with random assignment is below the other, for two laws."""
    names = ("table2-exponential", "table2-bounded-pareto")
    pairs = [(name, threshold(name, True), threshold(name)) for name in names]
    return _ordered(pairs, "the threshold is lower with random assignment")


def thresholds_in_order() -> list[Evidence]:
    """The thresholds of the four laws fall as the variability grows."""
    pairs = [
        (f"{high}, {low}", threshold(f"table2-{high}"), threshold(f"table2-{low}"))
        for low, high in itertools.pairwise(LAWS)
    ]
    return _ordered(pairs, "the threshold falls from law to law")


# --- stable or not -------------------------------------------------------------------------------

_STEP = 1 << 14


def _slopes(name: str, interarrival: Law, count: int, samples: int, seed: int) -> Estimate:
    """(W at job ``count`` - W at half of it)/(count/2), over independent samples from an empty system."""
    from asymp.queues.workload import named
    from asymp.sample import runs
    from asymp.sample.estimate import make_estimate
    from asymp.sample.jobs import draw_jobs
    from asymp.sample.packed import mean_need, pack

    workload = named(name)
    packed = pack(workload, interarrival)
    found = []
    for sample in range(samples):
        state = runs.new_state(workload.servers, int(packed.needs.min()), mean_need(packed))
        runs.reset(state, workload.servers, 0.0)
        wait, idle = np.empty(_STEP), np.empty(_STEP)
        ends = []
        for first in range(0, count, _STEP):
            need, _, sigma, tau = draw_jobs(packed, seed, sample, first, _STEP)
            runs.advance(state, need, sigma, tau, _STEP, wait, idle)
            runs.rebase(state)
            ends.append(wait[-1])
        found.append((ends[-1] - ends[len(ends) // 2 - 1]) / (count / 2))
    each = np.array(found)
    return make_estimate(
        float(each.mean()), float(each.std(ddof=1)) / math.sqrt(samples), samples, LEVEL, seed, "numba"
    )


MARGIN = 0.05


def _interarrivals() -> dict[str, Law]:
    from asymp.queues.laws import Deterministic, Erlang, Exponential, HyperExponential

    return {
        "exponential": Exponential(1.0),
        "Erlang-3": Erlang(3, 1.0),
        "deterministic": Deterministic(1.0),
        "hyperexponential": HyperExponential.of_mean(1.0, (0.1, 0.9), (5.0,)),
    }


def _sides(laws: Sequence[str], centre: float | None = None) -> list[Evidence]:
    """Whether waiting times grow along a run at 1.05 lambda_c, by gamma - 1/lambda a job, and do not at 0.95 lambda_c."""
    name = "table2-exponential"
    critical = centre or threshold(name).value
    points, wrong, open_ = [], [], []
    for law in laws:
        for side in (1 - MARGIN, 1 + MARGIN):
            rate = critical * side
            found = _slopes(name, _interarrivals()[law].scaled(1 / rate), 1 << 17, 24, seed_of(law, side))
            points.append(witness({"interarrival": law, "rate over lambda_c": side}, found))
            low, high = found.interval
            drift = 1 / critical - 1 / rate
            if side > 1:
                if high < drift / 2:
                    wrong.append(f"{law} at {rate:.4f}: {found} a job, expected {drift:.3g}")
                elif not (low > 0 and low <= drift <= high):
                    open_.append(f"{law} at {rate:.4f}: {found} a job, expected {drift:.3g}")
            elif low > 0:
                wrong.append(f"{law} at {rate:.4f}: waiting times grow by {found} a job")
            elif high > abs(drift) / 5:
                open_.append(f"{law} at {rate:.4f}: {found} a job")
    where = f"Table 2, exponential services, at 0.95 and 1.05 times {critical:.4f}, interarrival laws: {', '.join(laws)} ({HOW})"
    if wrong:
        return supported(Outcome.REFUTED, f"{'; '.join(wrong)}; {where}", points)
    if open_:
        return supported(Outcome.UNDECIDED, f"{'; '.join(open_)}; {where}", points)
    return supported(Outcome.HOLDS, f"stable below, and above waits grow by gamma - 1/lambda a job; {where}", points)


def threshold_of_table_2() -> list[Evidence]:
    """Theorem 5.1 with Poisson arrivals."""
    return _sides(("exponential",))


def insensitive_of_table_2() -> list[Evidence]:
    """Remark 4: four interarrival laws, one threshold."""
    return _sides(tuple(_interarrivals()))


# --- section 6.3 ---------------------------------------------------------------------------------

WASTE_RATE = RATES[-1]
PAIRED = 4096
"""Samples by Algorithm 1."""


def backward_run(law: str = "exponential", rate: float = WASTE_RATE, samples: int = PAIRED) -> Sampled:
    """Independent samples by Algorithm 1, its first length chosen by a pilot."""
    return _backward_run(law, rate, samples, draw())


@lru_cache(maxsize=4)
def _backward_run(law: str, rate: float, samples: int, _: int) -> Sampled:
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import named
    from asymp.sample.multiserver import backward

    return backward(
        named(f"table2-{law}"), Exponential(1 / rate), samples, seed=seed_of(law, rate), level=LEVEL, device="cpu"
    )


def _against(printed: str, names: tuple[str, str]) -> Test:
    """A test that the estimate of a printed formula is that of the quantity itself."""

    def test() -> list[Evidence]:
        found = backward_run()
        formula, truth = found[names[0]], found[names[1]]
        points = [witness({"estimate": name}, x) for name, x in zip(names, (formula, truth), strict=True)]
        where = (
            f"Table 2, exponential services, lambda = {WASTE_RATE}: {printed} gives {formula}, it is {truth} ({HOW})"
        )
        apart = formula.interval[1] < truth.interval[0] or formula.interval[0] > truth.interval[1]
        return supported(Outcome.REFUTED if apart else Outcome.UNDECIDED, where, points)

    return test


printed_waste = _against("(12)", ("wasted-total-printed", "wasted-total"))
printed_blocking = _against("(13)", ("wasted-hol-printed", "wasted-hol"))


def corrected_blocking() -> list[Evidence]:
    """lambda E sum (W^alpha - W^i) at independent stationary samples, and the idle time along forward runs."""
    return _same("wasted-hol")


def _same(name: str) -> list[Evidence]:
    stationary, along = backward_run()[name], run("exponential", WASTE_RATE)[name]
    points = [witness({"by": by}, x) for by, x in (("Algorithm 1", stationary), ("forward", along))]
    apart = stationary.interval[1] < along.interval[0] or stationary.interval[0] > along.interval[1]
    detail = f"{name} at lambda = {WASTE_RATE}: {stationary} by Algorithm 1, {along} along forward runs ({HOW})"
    return supported(Outcome.REFUTED if apart else Outcome.HOLDS, detail, points)


def little() -> list[Evidence]:
    """lambda E[r] by Algorithm 1 and the sojourns of forward runs: two ways to the mean number in the system."""
    return _same("number-in-system")


# --- figures 2 to 6 --------------------------------------------------------------------------------


def increasing_in_load(names: Sequence[str]) -> Test:
    """A test that estimates increase with the rate, for every law."""

    def test() -> list[Evidence]:
        pairs = [
            (f"{law}, {name}, lambda = {low}, {high}", run(law, low)[name], run(law, high)[name])
            for law in LAWS
            for name in names
            for low, high in itertools.pairwise(RATES)
        ]
        return _ordered(pairs, "increasing with the rate")

    return test


def increasing_in_variance(names: Sequence[str], laws: Sequence[str] = LAWS) -> Test:
    """A test that estimates increase from law to law, at every rate."""

    def test() -> list[Evidence]:
        pairs = [
            (f"{low}, {high}, {name}, lambda = {rate}", run(low, rate)[name], run(high, rate)[name])
            for rate in RATES
            for name in names
            for low, high in itertools.pairwise(laws)
        ]
        return _ordered(pairs, "increasing with the variance of service times")

    return test


def quarter_wasted(low: float = 4.5, high: float = 5.5, rate: float = 1.35) -> list[Evidence]:
    """The servers wasted by blocking at a stable rate, hyperexponential services."""
    found = run("hyperexponential", rate, 2)["wasted-hol"]
    points = [witness({"rate": rate}, found)]
    inside = low <= found.interval[0] and found.interval[1] <= high
    apart = found.interval[1] < low or found.interval[0] > high
    detail = f"{found} of {SERVERS} servers at lambda = {rate} ({HOW})"
    outcome = Outcome.HOLDS if inside else Outcome.REFUTED if apart else Outcome.UNDECIDED
    return supported(outcome, detail, points)


METRICS = ("waiting-mean", "waiting-variance", "waiting-p90")


def order_of_magnitude(
    at: Sequence[tuple[float, Sequence[str]]] = tuple((rate, METRICS) for rate in RATES),
    factor: float = 10.0,
) -> list[Evidence]:
    """Hyperexponential against exponential services: metrics of every class, at least ``factor`` times higher.

    ``at``: rates, and the metrics that are compared there.
    """
    least, points = math.inf, []
    for rate, name, c in ((rate, name, c) for rate, names in at for name in names for c in range(5)):
        low, high = (run(law, rate)[f"{name}[{c}]"] for law in ("exponential", "hyperexponential"))
        at_point = {"rate": rate, "estimate": f"{name}[{c}]"}
        points += [witness({**at_point, "law": "exponential"}, low)]
        points += [witness({**at_point, "law": "hyperexponential"}, high)]
        if low.value == high.value == 0:
            continue
        here = f"{name} of class {c + 1} of 5 at lambda = {rate}: {low} and {high} ({HOW})"
        if high.interval[1] < factor * low.interval[0]:
            return supported(Outcome.REFUTED, here, points)
        if high.interval[0] < factor * low.interval[1]:
            return supported(Outcome.UNDECIDED, here, points)
        if low.value > 0:
            least = min(least, high.value / low.value)
    return supported(Outcome.HOLDS, f"at least {least:.3g} times as high, {len(points) // 2} metrics ({HOW})", points)


def small_differences(factor: float = 2.0, rate: float = RATES[-1]) -> list[Evidence]:
    """Bounded Pareto services: 90th and 99th percentiles of the classes within a factor of each other."""
    found = run("bounded-pareto", rate)
    points, least, most = [], 1.0, 1.0
    for name in ("waiting-p90", "waiting-p99"):
        each = [found[f"{name}[{c}]"] for c in range(5)]
        points += [witness({"estimate": name, "class": c}, x) for c, x in enumerate(each)]
        most = max(most, max(x.interval[1] for x in each) / min(x.interval[0] for x in each))
        least = max(least, max(x.interval[0] for x in each) / min(x.interval[1] for x in each))
    outcome = Outcome.HOLDS if most <= factor else Outcome.REFUTED if least > factor else Outcome.UNDECIDED
    detail = f"largest ratio between {least:.3g} and {most:.3g} at lambda = {rate} (intervals of level 1 - 10^-9)"
    return supported(outcome, detail, points)
