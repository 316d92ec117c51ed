r"""The growth rate of a pile, with an interval: what decides stability.

A pile is a queue whose jobs are all there from the beginning (Baccelli, Olliaro, Ajmone Marsan and Marin, section 5):
its height after n jobs divided by n tends to a constant gamma, and the queue is stable for arrival rates below 1/gamma
and for none above.  Estimated here:

* **Replicas.**  Independent ones; each first takes ``2 b`` jobs, after which the shape of the pile (its profile below
  the top) is taken as stationary, then rises by D over the next m.  With a stationary shape ``E D / m = gamma`` exactly;
  no limit is taken and no two lengths are compared.
* **Bias.**  A pile is monotone in what lies below it, and lifting that lifts it: two piles that start from shapes of
  heights h and h' rise by amounts that differ by at most max(h, h'), whatever follows, and by nothing once their shapes
  have met.  In each replica a second pile starts flat at job b, and almost always has the shape of the first by job 2b.
  The bias of ``D / m`` is at most ``E[max(h, h'); not met] / m <= sqrt(2 E[h^2] P(not met)) / m``.  The interval is widened
  by this, with an upper confidence bound for the probability.  (That the shape b jobs old stands for the stationary
  one here is assumed.)
* **Control variates.**  The jobs of each class in the window, and their total service time, have known means; D is
  nearly linear in them.  Coefficients come from a pilot run of other jobs, so that ``D - beta (X - E X)`` has the mean of D
  whatever they are, and Student's interval over replicas needs no allowance for them.
* **Length.**  The pilot's residual variance fixes m beforehand: nothing is stopped when it looks good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from scipy.special import betainccinv, stdtrit

from asymp.queues.job_classes import Workload
from asymp.queues.law import Kind, proper
from asymp.sample.estimate import Estimate, make_estimate
from asymp.sample.replicate import Progress, replicate, spread

Array = np.ndarray[Any, Any]

FIRST_SAMPLE = 1 << 63
"""Samples from here on are the replicas; simulations count theirs from 0."""
PILOT_SAMPLE, COUPLING_SAMPLE = FIRST_SAMPLE + (1 << 61), FIRST_SAMPLE + (1 << 62)
COUPLINGS = 16
"""Pilot replicas that choose the burn-in."""
RARELY = 100
"""Jobs of the rarest kind that a run must see at least."""
BIAS_SHARE = 0.1
"""The part of an interval's error probability that goes to the bound of the bias."""


class Pile(Protocol):
    """A kind of pile, of one workload and seed; states belong to the implementation."""

    classes: int
    exact: float | None
    """The threshold, where no sample is needed."""

    def flat(self, like: Any = None) -> Any:
        """An empty pile; if ``like`` is given, one that treats the jobs to come as that one does."""

    def run(self, state: Any, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on a pile and returns its rise.

        The jobs and the total service time of each class are added to ``sums``, of shape (classes, 2).
        """

    def height(self, state: Any) -> float:
        """The top of a pile above its lowest place."""

    def same(self, a: Any, b: Any) -> bool:
        """Whether two piles have one shape, up to rounding."""


@dataclass(frozen=True)
class Growth(Estimate):
    """A growth rate (or its inverse, a threshold) and how it was found; ``size`` is the number of replicas.

    Args:
        jobs: jobs of all windows.
        burn_in: jobs of each replica before its window.
        unmet: replicas in which a pile begun half the burn-in later had not met the first.
        bias: the bound of the bias by which the interval was widened.
        reduction: by what the control variates divided the variance in the pilot run.
    """

    jobs: int = 0
    burn_in: int = 0
    unmet: int = 0
    bias: float = 0.0
    reduction: float = 1.0

    @property
    def inverse(self) -> Growth:
        """1 over it, with its interval.

        >>> Growth(0.5, 0.01, (0.4, 0.625), 0.99, 64, 0, "numba").inverse.interval
        (1.6, 2.5)
        """
        low, high = self.interval
        interval = (1 / high, 1 / low if low > 0 else math.inf)
        scale = self.value**2
        return replace(
            self, value=1 / self.value, stderr=self.stderr / scale, interval=interval, bias=self.bias / scale
        )


def growth(
    pile: Pile,
    workload: Workload,
    seed: int,
    level: float = 0.99,
    rel: float = 2.5e-4,
    replicas: int = 64,
    most: int = 10**9,
    threads: int = 1,
    progress: Progress | None = None,
) -> Growth:
    """The growth rate gamma of a pile.

    Args:
        pile: the kind of pile.
        workload: what it is made of.
        seed: of the jobs.
        level: of the interval.
        rel: the half-width aimed at, relative to gamma.
        replicas: independent piles.
        most: jobs, about, however far the half-width then is from ``rel``.
        threads: replicas run at a time.
        progress: called with (replicas done, replicas).

    Raises:
        ValueError: naming an argument out of range, or if so few jobs would hardly see the rarest kind.
    """
    check(level, rel, replicas, most)
    rare = rarest(workload)
    if most * rare < RARELY:
        raise ValueError(
            f"most = {most:g} jobs would see the rarest kind of job (probability {rare:.3g}) fewer than {RARELY} times: "
            f"at least {RARELY / rare:.2g} are needed"
        )
    step = burn_in(pile, most, rare)
    pilot = run_pilot(pile, workload, step, most)
    if not pilot.rough > 0:  # empty servers take every job: nothing of the growth is seen yet
        raise ValueError(f"most = {most:g} jobs do not fill {workload.servers} servers: more are needed")
    error = 1 - level
    quantile = float(stdtrit(replicas - 1, 1 - (1 - BIAS_SHARE) * error / 2))
    wanted = (quantile * pilot.residual / (rel * pilot.rough)) ** 2 / replicas
    # Long enough as well for the bound of the bias to be a fifth of the target.
    unmet = unmet_bound(0, replicas, BIAS_SHARE * error)
    least = 5 * math.sqrt(2 * unmet) * pilot.height / (rel * pilot.rough)
    length = int(min(max(wanted, least, 4 * step), max(most // replicas, 1000))) + 1

    found = np.zeros((replicas, 3))

    def replica(_: None, k: int) -> None:
        state = pile.flat()
        pile.run(state, FIRST_SAMPLE + k, 0, step, np.zeros((pile.classes, 2)))
        met = meets(pile, state, FIRST_SAMPLE + k, step, step)
        height, sums = pile.height(state), np.zeros((pile.classes, 2))
        rise = pile.run(state, FIRST_SAMPLE + k, 2 * step, length, sums) / length
        found[k] = rise - float(pilot.coefficients @ (sums.ravel() / length - pilot.means)), height, met

    def simulate(start: int, count: int) -> None:
        spread(replica, [None] * min(threads, count), range(start, start + count))

    replicate(replicas, 1 if threads <= 1 else 4 * threads, simulate, progress)
    rises, heights, met = found.T.copy()
    stderr = float(rises.std(ddof=1)) / math.sqrt(replicas)
    plain = make_estimate(float(rises.mean()), stderr, replicas, 1 - (1 - BIAS_SHARE) * error, seed, "numba")
    apart = int((met == 0).sum())
    bias = math.sqrt(2 * float((heights**2).mean()) * unmet_bound(apart, replicas, BIAS_SHARE * error)) / length
    interval = (plain.interval[0] - bias, plain.interval[1] + bias)
    jobs = replicas * length
    return Growth(
        plain.value, stderr, interval, level, replicas, seed, "numba", jobs, 2 * step, apart, bias, pilot.reduction
    )


def check(level: float, rel: float, replicas: int, most: int) -> None:
    """Refuses what cannot be asked for.

    Raises:
        ValueError: naming the argument.
    """
    proper("level", level)
    proper("rel", rel)
    if replicas < 8:
        raise ValueError(f"an interval needs at least 8 replicas, not {replicas}")
    if most < 10**5:
        raise ValueError(f"most must be at least 10^5 jobs, not {most}")


def unmet_bound(unmet: int, replicas: int, error: float) -> float:
    """Clopper and Pearson's upper bound of a probability, exceeded by the truth with probability at most ``error``.

    >>> round(unmet_bound(0, 64, 0.001), 3), unmet_bound(64, 64, 0.001)
    (0.102, 1.0)
    """
    return 1.0 if unmet == replicas else float(betainccinv(unmet + 1, replicas - unmet, error))


def rarest(workload: Workload) -> float:
    """The least probability of a class, or of a component of its law that makes a hundredth of its mean or more.

    >>> from asymp.queues.workload import named
    >>> round(rarest(named("table2-hyperexponential")), 12)  # the long phase of the rarest class
    0.0001
    """
    found = []
    for c in workload.classes:
        found.append(c.probability)
        for part in c.service.parts():
            # Of an exponential the one parameter is its mean; other laws are no mixtures, or of constants.
            if part.kind == Kind.EXPONENTIAL and part.probability * part.parameters[0] >= c.service.mean / 100:
                found.append(c.probability * part.probability)
    return min(found)


def burn_in(pile: Pile, most: int, rare: float = 1.0) -> int:
    """Jobs b such that a pile b jobs old was met within b/4 more by one begun then, in each of 16 pilot runs.

    A power of two that sees the rarest jobs; at most such that burning in costs about a tenth of ``most``.
    """
    step, k = 256, 0
    while step * rare < 4 and 1280 * step < most:
        step *= 2
    while k < COUPLINGS and 1280 * step < most:
        state = pile.flat()
        pile.run(state, COUPLING_SAMPLE + k, 0, step, np.zeros((pile.classes, 2)))
        if meets(pile, state, COUPLING_SAMPLE + k, step, step // 4):
            k += 1
        else:
            step *= 2
    return step


def meets(pile: Pile, old: Any, sample: int, first: int, count: int) -> bool:
    """Whether a flat pile begun at job ``first`` has met ``old`` after ``count`` jobs; ``old`` is advanced by them."""
    sums = np.zeros((pile.classes, 2))
    new = pile.flat(old)
    done = 0
    while done < count:
        some = min(max(count // 16, 64), count - done)
        pile.run(old, sample, first + done, some, sums)
        pile.run(new, sample, first + done, some, sums)
        done += some
        if pile.same(old, new):
            pile.run(old, sample, first + done, count - done, sums)
            return True
    return False


@dataclass(frozen=True)
class Pilot:
    """What the pilot run tells: coefficients of the control variates and how long the run should be.

    ``residual`` is the standard deviation that remains, times the square root of the jobs it is over.
    """

    means: Array
    coefficients: Array
    residual: float
    reduction: float
    rough: float
    height: float


def run_pilot(pile: Pile, workload: Workload, step: int, most: int) -> Pilot:
    """Regression of the rise on the jobs and the service time of each class, over successive windows of a pile."""
    means = np.array([x for c in workload.classes for x in (c.probability, c.probability * c.service.mean)])
    windows = max(200, 6 * means.size)
    length = max(1000, min(8 * step, most // (10 * windows)))
    state = pile.flat()
    pile.run(state, PILOT_SAMPLE, 0, 2 * step, np.zeros((pile.classes, 2)))
    rises, controls = np.empty(windows), np.empty((windows, means.size))
    for k in range(windows):
        sums = np.zeros((pile.classes, 2))
        rises[k] = pile.run(state, PILOT_SAMPLE, 2 * step + k * length, length, sums) / length
        controls[k] = sums.ravel() / length - means
    # Columns scaled by their own spread; the constant and nearly dependent ones are given up by the cut-off.
    scale = np.maximum(controls.std(axis=0), 1e-300)
    design = np.column_stack([np.ones(windows), controls / scale])
    solution, _, rank, _ = np.linalg.lstsq(design, rises, rcond=1e-6)
    left = rises - design @ solution
    residual = math.sqrt(float(left @ left) / (windows - int(rank)) * length)
    plain = float(rises.std(ddof=1)) * math.sqrt(length)
    reduction = (plain / residual) ** 2 if residual > 0 else math.inf
    return Pilot(means, solution[1:] / scale, residual, reduction, float(rises.mean()), pile.height(state))
