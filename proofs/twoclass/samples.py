"""What enclosures and the sampler say of response times, and of three classes with rates of their own.

Every sampled interval has the level 1 - 10^-9.  No claim here uses more than 4 of them, so that by Bonferroni's inequality
a true statement meets a false alarm with probability below 4*10^-9, as far as means over independent runs are normal.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.papers.twoclass.curves import RED, SYSTEMS_3

LEVEL = 1 - 1e-9
JOBS = 1 << 12
"""Of each of 64 runs."""
LEAST = {4: Fraction(19, 10), 6: Fraction(3), 7: Fraction(8)}
"""By how much E[T] of the red system is larger, at some arrival rates."""
SAMPLED_RATES = (4, 6)


def response_times() -> list[Evidence]:
    """E[T] of both systems of figure 3: the matrix-geometric solution, with certified radii."""
    shown, good, bad = [], True, False
    for rate, factor in LEAST.items():
        ends = {}
        for colour in SYSTEMS_3:
            ends[colour] = enclosed(colour, rate)
            shown.append(Witness({"system": _name(colour), "lambda": str(rate)}, *_solved(colour, rate)))
        good = good and ends[RED][0] >= factor * ends["blue"][1]
        bad = bad or ends[RED][1] < factor * ends["blue"][0]
    outcome = Outcome.HOLDS if good else Outcome.REFUTED if bad else Outcome.UNDECIDED
    return [_evidence("enclosed", outcome, "E[T] of the two systems of Figure 3 at arrival rates 4, 6 and 7", shown)]


def enclosed(colour: str, rate: int) -> tuple[Fraction, Fraction]:
    """Between which numbers E[T] lies."""
    value, radius = map(Fraction, _solved(colour, rate))
    return value - radius, value + radius


@lru_cache(maxsize=16)
def _solved(colour: str, rate: int) -> tuple[str, str]:
    """E[T] to 20 digits, and by how much it may differ."""
    from asymp.queues.two_class import mean_response_time

    found = mean_response_time(rate, 1, 10, 10, *SYSTEMS_3[colour])
    return found.value, found.radius


def RESPONSE_TIMES() -> list[Evidence]:
    """E[T] of both from forward runs from an empty system, which know no chain: each interval holds the enclosed value."""
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import ServerNeed, Workload
    from asymp.sample.multiserver import forward

    shown, missed = [], []
    for colour, (p1, mu1, mu2) in SYSTEMS_3.items():
        jobs = (ServerNeed(1, float(p1), Exponential(1 / float(mu1))), ServerNeed(10, 1 - float(p1), Exponential(1 / float(mu2))))
        for rate in SAMPLED_RATES:
            seed = 9000 + 10 * rate + (colour == RED)
            run = forward(Workload(10, jobs), Exponential(1 / rate), JOBS, 64, JOBS // 4, seed, device="cpu", level=LEVEL)
            low, high = map(Fraction, run["system-mean"].interval)
            shown.append(_witness(colour, rate, low, high))
            exact = enclosed(colour, rate)
            if exact[1] < low or exact[0] > high:
                missed.append(f"{_name(colour)} system at {rate}")
    return _judged(f"E[T] from 64 runs of {JOBS} jobs", shown, missed)


def THREE_CLASSES() -> list[Evidence]:
    """The largest stable arrival rate of three classes, from the growth rate of a pile of jobs, against the exact one."""
    from asymp.papers.twoclass.model import three_throughput
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import ServerNeed, Workload
    from asymp.sample.stability import threshold

    third = Fraction(1, 3)
    shown, missed = [], []
    for rates in ((4, 2, 1), (2, 2, 2), (1, 2, 4)):
        jobs = tuple(ServerNeed(need, 1 / 3, Exponential(1 / mu)) for need, mu in zip((1, 2, 4), rates, strict=True))
        found = threshold(Workload(8, jobs), seed=sum(rates), level=LEVEL, rel=1e-2, most=2 * 10**6)
        low, high = map(Fraction, found.interval)
        shown.append(_shown({"mu": ", ".join(map(str, rates))}, low, high))
        if not low <= three_throughput(1, 2, 4, 8, third, third, *rates) <= high:
            missed.append(f"rates {rates}")
    return _judged("the largest stable arrival rate", shown, missed)


def _judged(what: str, shown: list[Witness], missed: list[str]) -> list[Evidence]:
    if missed:
        return [_evidence("sampled", Outcome.REFUTED, f"{what}: off at {missed[0]}", shown)]
    detail = f"{what}: the exact value is in each of {len(shown)} intervals of level 1 - 10^-9"
    return [_evidence("sampled", Outcome.HOLDS, detail, shown)]


def _evidence(kind: str, outcome: Outcome, detail: str, shown: list[Witness]) -> Evidence:
    strength = Strength.NONE if outcome is Outcome.UNDECIDED else Strength.SUPPORTED
    return Evidence(kind, outcome, strength, detail, tuple(shown))


def _name(colour: str) -> str:
    return "red" if colour == RED else colour


def _witness(colour: str, rate: int, low: Fraction, high: Fraction) -> Witness:
    return _shown({"system": _name(colour), "lambda": str(rate)}, low, high)


def _shown(at: dict[str, str], low: Fraction, high: Fraction) -> Witness:
    return Witness(at, f"{float((low + high) / 2):.8g}", f"{float((high - low) / 2):.2g}")
