"""The numbers in the figures of :mod:`asymp.papers.twoclass.plots`: exact where they are marked, floats for curves."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from asymp.queues import two_class

if TYPE_CHECKING:
    from asymp.sample.estimate import Estimate

System = tuple[int, int, int]
"""(n1, n2, n)"""
Transition = tuple[int, tuple[int, int, int], tuple[int, int, int]]
"""(class that completes, s, s')"""
RED = "#cc0000"
SYSTEMS_3 = {"blue": ("0.2", "16.2", "8.1"), RED: ("0.6", "8.6", "4.3")}
"""p1, mu1, mu2"""
ASKED, SERVERS = 16, 64
"""n2 and n of the planner's map, n1 = 1."""
SHARES = tuple(1 / (1 + math.exp(-x)) for x in np.linspace(-14, 9, 231))
"""p2, dense at both ends."""


def exact(n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any) -> tuple[Fraction, Fraction]:
    """(X, E[N_idle]) of the saturated system: the one door to the product form."""
    arguments = (n1, n2, n, Fraction(p1), Fraction(mu1), Fraction(mu2))
    return two_class.throughput(*arguments), two_class.wastage(*arguments)


def quick(n1: int, n2: int, n: int, p1: float, ratio: float) -> tuple[float, float]:
    """:func:`exact` in floats, at mu1 = 1 and mu2 = ratio; in logarithms, as weights are beyond the range of floats."""
    a, j = np.arange(n // n1 + 1), np.arange(1, n // n2 + 1)
    b = (n - n1 * a) // n2
    free = n - n1 * a - n2 * b
    firsts = np.cumsum(np.log1p(b * ratio / np.maximum(a, 1)) * (a > 0))
    seconds = np.concatenate([[0.0], np.cumsum(np.log1p((n - n2 * j) // n1 / (j * ratio)))])
    log_weight = a * math.log(p1) + (b + (free >= n1)) * math.log1p(-p1) + firsts + seconds[b]
    weight = np.exp(log_weight - log_weight.max())
    time = weight / (a + b * ratio)
    return float(weight.sum() / time.sum()), float((time * free).sum() / time.sum())


def limit_of_ratio(n1: int, n2: int, n: int, p1: Fraction) -> Fraction:
    """The wasted servers as mu2/mu1 -> oo: only class 1 is in service, a of its jobs with weight p1^a p2^h/a."""
    least = -(-(n - n2 + 1) // n1)
    weights = {a: p1**a * (1 - p1 if n - n1 * a >= n1 else 1) / a for a in range(least, n // n1 + 1)}
    return sum(w * (n - n1 * a) for a, w in weights.items()) / sum(weights.values())


def limit_of_size(n1: int, n2: int, p1: Fraction, rest: int) -> Fraction:
    """The wasted servers as n -> oo with n mod g = rest, g = gcd(n1, n2): (E[N^2]/E[N] - g)/2 + rest."""
    first, second = (p1 * n1**k + (1 - p1) * n2**k for k in (1, 2))
    return (second / first - math.gcd(n1, n2)) / 2 + rest


def peak(system: System) -> float:
    """The p2 at which most servers are wasted, mu1 = 2 mu2."""
    from scipy.optimize import minimize_scalar

    start = max(SHARES, key=lambda p2: quick(*system, 1 - p2, 0.5)[1])
    bounds = (start / 1.5, min(1.5 * start, 0.999))
    return float(minimize_scalar(lambda p2: -quick(*system, 1 - p2, 0.5)[1], bounds=bounds, method="bounded").x)


def mean_response(colour: str, rate: Fraction) -> float:
    """E[T] of the open queue of figure 3, by the matrix-geometric solution."""
    from asymp.queues.open_queue import OpenQueue
    from asymp.queues.rules import JobClass, Rules

    p1, mu1, mu2 = map(Fraction, SYSTEMS_3[colour])
    return OpenQueue(Rules(10, (JobClass(1, mu1, p1), JobClass(10, mu2, 1 - p1))), rate).mean_number() / float(rate)


@lru_cache(maxsize=32)
def sampled_response(colour: str, rate: int, jobs: int = 1 << 16) -> Estimate:
    """E[T] from 64 forward runs: what ``asymp sample mjsre`` calls system-mean."""
    from asymp.queues.laws import Exponential
    from asymp.queues.workload import ServerNeed, Workload
    from asymp.sample.multiserver import forward

    p1, mu1, mu2 = map(float, SYSTEMS_3[colour])
    classes = (ServerNeed(1, p1, Exponential(1 / mu1)), ServerNeed(10, 1 - p1, Exponential(1 / mu2)))
    workload, seed = Workload(10, classes), 3000 + 10 * rate + (colour == RED)
    return forward(workload, Exponential(1 / rate), jobs, 64, jobs // 4, seed, device="cpu")["system-mean"]


def transitions() -> list[Transition]:
    """What can follow a completion in the 3-10-30 system, in its states with 1 to 7 class 1 jobs."""
    from asymp.papers.twoclass.model import saturated

    steps = saturated(3, 10, 30, Fraction(1, 2), 1, 1).steps
    return [(k, s, t) for s in steps if 1 <= s[1] <= 7 for t, by in steps[s].items() for k in (1, 2) if by[k - 1] > 0]


def change(n2: int, p2: float, ratio: float, faster: bool = True) -> float:
    """By how many per cent lambda* changes where class 2 jobs hold n2 servers, not 16; faster: mu2 grows with n2."""
    new = quick(1, n2, SERVERS, 1 - p2, ratio * n2 / ASKED if faster else ratio)[0]
    return 100 * (new / quick(1, ASKED, SERVERS, 1 - p2, ratio)[0] - 1)
