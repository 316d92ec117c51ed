r"""The growth rate of a pile, with an interval: what decides stability.

A pile is a queue whose jobs are all there from the beginning (Baccelli, Olliaro, Ajmone Marsan and Marin, section 5):
its height after n jobs divided by n tends to a constant gamma, and the queue is stable for arrival rates below 1/gamma
and for none above.  Estimated here:

* **Windows.**  A few independent piles rise, one after another, through windows of m jobs each, by D; the whole rise over the
  jobs is the estimate.  Windows are four times as long as it took piles of other jobs to forget their shape, so their rises are
  taken as independent.
* **Bias.**  A pile is monotone in what lies below it, and lifting that lifts it: one that starts from a shape of height h rises
  by at most h more than a flat one.  What a flat pile rises by grows faster than any sum of its parts, and with its height
  slower: so the mean rise over n jobs is ``gamma n`` up to the mean height of its shape, at the beginning or at the end.  The
  interval is widened by the mean height that is seen, and three of its standard errors, over n; and there are as few piles, of
  as many windows, as make this small.
* **Control variates.**  The jobs of each class in the window, their total service time, and what a kind of pile adds
  up besides, have known means; D is nearly linear in them.  Coefficients come from a pilot run of other jobs, so that ``D -
  beta (X - E X)`` has the mean of D whatever they are, and Student's interval over replicas needs no allowance for them.
* **Length.**  The pilot's residual variance fixes m beforehand: nothing is stopped when it looks good.  The pilot itself grows
  to a sixth of what it asks for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from scipy.special import stdtrit

from asymp.queues.job_classes import Workload
from asymp.queues.law import Kind, proper
from asymp.sample.batch_means import Play, play
from asymp.sample.estimate import Estimate, make_estimate
from asymp.sample.replicate import Progress

Array = np.ndarray[Any, Any]

FIRST_SAMPLE = 1 << 63
"""Samples from here on are the replicas; simulations count theirs from 0."""
PILOT_SAMPLE, COUPLING_SAMPLE = FIRST_SAMPLE + (1 << 61), FIRST_SAMPLE + (1 << 62)
COUPLINGS = 16
"""Pilot replicas that choose the burn-in."""
RARELY = 100
"""Jobs of the rarest kind that a run must see at least."""
BIAS_SHARE = 0.05
"""The part of the half-width aimed at that goes to the bound of the bias."""


class Pile(Protocol):
    """A kind of pile, of one workload and seed; states belong to the implementation."""

    classes: int
    exact: float | None
    """The threshold, where no sample is needed."""

    def flat(self, like: Any = None) -> Any:
        """An empty pile; if ``like`` is given, one that treats the jobs to come as that one does."""

    def run(self, state: Any, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on a pile and returns its rise.

        The jobs and the total service time of each class are added to ``sums``, of shape (classes, 2); of shape (classes, 3),
        what :meth:`longest_means` is the mean of for each job of a class is added up as well.
        """

    def longest_means(self) -> Array:
        """Of each class; 0 where nothing is added up."""

    def height(self, state: Any) -> float:
        """The top of a pile above its lowest place."""

    def same(self, a: Any, b: Any) -> bool:
        """Whether two piles have one shape, up to rounding."""


@dataclass(frozen=True)
class Growth(Estimate):
    """A growth rate (or its inverse, a threshold) and how it was found; ``size`` is the number of windows.

    Args:
        jobs: jobs of all windows.
        burn_in: jobs of each pile before its windows.
        piles: independent piles, whose windows the replicas are.
        bias: the bound of the bias by which the interval was widened.
        reduction: by what the control variates divided the variance in the pilot run.
    """

    jobs: int = 0
    burn_in: int = 0
    piles: int = 0
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
        replicas: windows.
        most: jobs, about, however far the half-width then is from ``rel``.
        threads: piles run at a time.
        progress: called with (jobs done, jobs).

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
    quantile = float(stdtrit(replicas - 1, 0.5 + level / 2))

    def wanted(residual: float, rough: float) -> float:
        return (quantile * residual / ((1 - BIAS_SHARE) * rel * rough)) ** 2

    pilot = run_pilot(pile, workload, step, most, wanted)
    if not pilot.rough > 0:  # empty servers take every job: nothing of the growth is seen yet
        raise ValueError(f"most = {most:g} jobs do not fill {workload.servers} servers: more are needed")
    longest = max(most // replicas, 1000)
    length = int(min(max(wanted(pilot.residual, pilot.rough) / replicas, step, 1000), longest)) + 1
    fewest = pilot.height / (BIAS_SHARE * rel * pilot.rough)  # jobs of a pile that make its bias small
    piles = max(k for k in range(1, replicas + 1) if replicas % k == 0 and (k == 1 or k * fewest <= replicas * length))
    shape = (pile.classes, 3)

    def start(k: int) -> Play:
        state, done = pile.flat(), 0

        def play_on(count: int, row: Array) -> int:
            nonlocal done
            sums = np.zeros(shape)
            row[0] = pile.run(state, FIRST_SAMPLE + k, done, count, sums)
            row[1], row[2:] = pile.height(state), sums.ravel()
            done += count
            return count

        return play_on

    windows = replicas // piles
    table, _ = play(start, piles, [2 * step], windows, length, 2 + shape[0] * shape[1], threads, progress)
    rows = table.reshape(replicas, -1)
    rises = (rows[:, 0] - (rows[:, 2:] - length * pilot.means) @ pilot.coefficients) / length
    stderr = float(rises.std(ddof=1)) / math.sqrt(replicas)
    plain = make_estimate(float(rises.mean()), stderr, replicas, level, seed, "numba")
    heights = rows[:, 1]
    bias = float(heights.mean() + 3 * heights.std(ddof=1) / math.sqrt(replicas))
    # the first longest service of a class is of fewer jobs than the others, unless one came in the burn-in
    shares = np.array([c.probability for c in workload.classes])
    bias += float(np.abs(pilot.coefficients[2::3]) @ (pile.longest_means() * (1 - shares) ** (2 * step)))
    bias /= windows * length
    interval = (plain.interval[0] - bias, plain.interval[1] + bias)
    return Growth(
        plain.value,
        stderr,
        interval,
        level,
        replicas,
        seed,
        "numba",
        replicas * length,
        2 * step,
        piles,
        bias,
        pilot.reduction,
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


def run_pilot(pile: Pile, workload: Workload, step: int, most: int, wanted: Callable[[float, float], float]) -> Pilot:
    """Regression of the rise on the controls over successive windows of a pile, longer ones until a sixth of the jobs that
    are wanted (of a residual and a growth rate) is seen, or a tenth of ``most``."""
    of_longest = pile.longest_means()
    means = np.array(
        [
            c.probability * x
            for c, one in zip(workload.classes, of_longest, strict=True)
            for x in (1.0, c.service.mean, float(one))
        ]
    )
    windows = max(200, 4 * means.size)
    state, done, length = pile.flat(), 2 * step, 1000
    pile.run(state, PILOT_SAMPLE, 0, done, np.zeros((pile.classes, 3)))
    while True:
        rises, controls, heights = np.empty(windows), np.empty((windows, means.size)), np.empty(windows)
        for k in range(windows):
            sums = np.zeros((pile.classes, 3))
            rises[k] = pile.run(state, PILOT_SAMPLE, done, length, sums) / length
            controls[k], heights[k] = sums.ravel() / length - means, pile.height(state)
            done += length
        # Columns scaled by their own spread; the constant and nearly dependent ones are given up by the cut-off.
        scale = np.maximum(controls.std(axis=0), 1e-300)
        design = np.column_stack([np.ones(windows), controls / scale])
        solution, _, rank, _ = np.linalg.lstsq(design, rises, rcond=1e-6)
        left = rises - design @ solution
        residual = math.sqrt(float(left @ left) / (windows - int(rank)) * length)
        rough, jobs = float(rises.mean()), windows * length
        enough = max(wanted(residual, rough) / 6, step) if rough > 0 else math.inf
        if jobs >= enough or 2 * jobs > most / 10:
            break
        length = int(min(max(2 * length, 1.1 * enough / windows), 16 * length, max(most / 10 / windows, 2 * length)))
    plain = float(rises.std(ddof=1)) * math.sqrt(length)
    reduction = (plain / residual) ** 2 if residual > 0 else math.inf
    return Pilot(means, solution[1:] / scale, residual, reduction, rough, float(heights.mean()))
