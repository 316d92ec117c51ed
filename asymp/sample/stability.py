"""Stability of the first-come-first-served multiserver queue: the largest arrival rate, and whether a rate is below it.

The queue is stable for arrival rates below ``lambda_c = 1/gamma``, gamma the growth rate of its pile, whatever the law of
the times between arrivals (Baccelli, Olliaro, Ajmone Marsan and Marin, Theorem 5.1).  Two bounds need no sample:
``1/E[sigma]`` (jobs served one at a time) and ``s/E[alpha sigma]`` (no server ever idle).  A third: while a job waits for
alpha servers fewer than alpha are idle, so ``lambda_c >= (s - max alpha + 1)/E[alpha sigma]``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asymp.queues.job_classes import Workload
from asymp.sample.growth import RARELY, Growth, Pile, Progress, check, growth, rarest
from asymp.sample.pile import FirstComeFirstServed

ROUNDS = ((0.05, 10**6), (0.01, 10**7), (0.002, 10**8), (0.0005, 10**9))
"""Relative half-widths and most jobs of successive attempts to place a rate."""


def threshold(
    workload: Workload,
    seed: int = 0,
    level: float = 0.99,
    rel: float = 2.5e-4,
    device: str = "auto",
    progress: Progress | None = None,
    replicas: int = 64,
    most: int = 10**9,
    threads: int = 1,
    queue: Callable[[Workload, int], Pile] = FirstComeFirstServed,
) -> Growth:
    """The arrival rate below which the queue is stable, with an interval (see :mod:`asymp.sample.growth`).

    Args:
        workload: servers and classes of jobs.
        seed: of the jobs.
        level: of the interval.
        rel: the half-width aimed at, relative to the threshold.
        device: ``auto`` or ``cpu``; piles are computed on the CPU.
        progress: called with (done, total).
        replicas: windows of independent piles.
        most: jobs, about; the interval is as wide as they make it.
        threads: piles run at a time; the result does not depend on it.
        queue: makes the piles; or :class:`asymp.sample.assignment.RandomAssignment`.

    Raises:
        ValueError: naming an argument out of range.

    >>> from asymp.queues.laws import Exponential
    >>> from asymp.queues.job_classes import ServerNeed
    >>> one_server = Workload(1, (ServerNeed(1, 1.0, Exponential(0.5)),))
    >>> round(threshold(one_server, rel=0.01).value, 2)
    2.0
    """
    if device not in ("auto", "cpu"):
        raise ValueError(f"piles are computed on the CPU: device must be auto or cpu, not {device!r}")
    check(level, rel, replicas, most)
    pile = queue(workload, seed)
    if pile.exact is not None:
        return Growth(pile.exact, 0.0, (pile.exact, pile.exact), level, 0, seed, "exact")
    return growth(pile, workload, seed, level, rel, replicas, most, threads, progress).inverse


@dataclass(frozen=True)
class Stability:
    """Whether a rate is below the threshold.

    ``stable`` is None if the rate is too near to the threshold to tell.  ``threshold`` is None where a bound decides; then the
    answer is certain, and otherwise it is wrong with probability at most that which was asked for.
    """

    stable: bool | None
    why: str
    threshold: Growth | None = None


def is_stable(
    workload: Workload,
    rate: float,
    seed: int = 0,
    error: float = 1e-6,
    most: int = 10**9,
    threads: int = 1,
    progress: Progress | None = None,
) -> Stability:
    """Whether the queue is stable at an arrival rate: at once where a bound or a short run tells, else by longer ones.

    Args:
        workload: servers and classes of jobs.
        rate: jobs a unit of time.
        seed: of the jobs.
        error: probability of a wrong answer, all attempts together.
        most: jobs of the longest attempt.
        threads: replicas run at a time.
        progress: called with (done, total) of each attempt.

    Raises:
        ValueError: if the rate is not a positive number, or ``most`` jobs would hardly see the rarest kind.

    >>> from asymp.queues.workload import named
    >>> is_stable(named("table2-exponential"), 2.2).why
    'rate 2.2 is not below s/E[alpha sigma] = 2.10682'
    >>> is_stable(named("table2-exponential"), 1.5).stable, is_stable(named("table2-exponential"), 1.95).stable
    (True, False)
    """
    if not 0 < rate < float("inf"):
        raise ValueError(f"the arrival rate must be a positive number, not {rate}")
    ideal, single = workload.ideal_rate, 1 / workload.mean_service
    # While a job waits, fewer servers than it needs are idle.
    busy = workload.servers - max(workload.needs) + 1
    blocked = busy / workload.mean_demand
    if rate >= ideal:
        return Stability(False, f"rate {rate:g} is not below s/E[alpha sigma] = {ideal:.6g}")
    if rate < single:
        return Stability(True, f"rate {rate:g} is below 1/E[sigma] = {single:.6g}")
    # The rarest jobs must be seen, and a burn-in of jobs/1280 must fill the servers.
    enough = max(RARELY / rarest(workload), 2560 * workload.servers)
    if rate < blocked:
        return Stability(True, f"rate {rate:g} is below (s - max alpha + 1)/E[alpha sigma] = {blocked:.6g}")
    rounds = [(rel, jobs) for rel, jobs in ROUNDS if enough <= jobs <= most] or [(ROUNDS[0][0], most)]
    found = None
    for attempt, (rel, jobs) in enumerate(rounds):
        level = 1 - error / len(rounds)
        # Attempts share no jobs, so that the longer does not repeat the shorter's bad luck.
        found = threshold(workload, seed + attempt, level, rel, most=jobs, threads=threads, progress=progress)
        low, high = found.interval
        text = f"the threshold, estimated as {found.value:.5g} (interval {low:.5g} to {high:.5g} at level {level:.7g})"
        if rate < low:
            return Stability(True, f"rate {rate:g} is below {text}", found)
        if rate > high:
            return Stability(False, f"rate {rate:g} is above {text}", found)
    return Stability(None, f"rate {rate:g} is too near to {text}", found)
