r"""The growth rate of a pile, with an interval: what decides stability.

A pile is a queue whose jobs are all there from the beginning (Baccelli, Olliaro, Ajmone Marsan and Marin, section 5):
its height after n jobs divided by n tends to a constant gamma, and the queue is stable for arrival rates below 1/gamma
and for none above.  Estimated here:

* **Windows.**  A few independent piles rise, one after another, through windows of m jobs each, by D; the whole rise over the
  jobs is the estimate.  Windows are four times as long as it took piles of other jobs to forget their shape, so their rises are
  taken as independent.
* **Control variates.**  The jobs of each class in the window, their total service time, and what a kind of pile adds
  up besides, have known means; D is nearly linear in them.  Coefficients come from a pilot run of other jobs, so that ``D -
  beta (X - E X)`` has the mean of D whatever they are, and Student's interval over windows needs no allowance for them.
* **Companion.**  A pile may have one, of a few of its jobs (:mod:`asymp.sample.pile`): the rise of that is a control variate
  too, and its mean a growth rate that is found in the same way from other jobs, of its few classes alone (two levels of
  Giles's multilevel Monte Carlo, Operations Research 56 (2008) 607-617; or more).  The variances add; each is found with as many
  jobs as make the cost least.  The pilot tells whether it pays.
* **Bias.**  A pile is monotone in what lies below it, and lifting that lifts it: one that starts from a shape of height h rises
  by at most h more than a flat one.  What a flat pile rises by grows faster than any sum of its parts, and with its height
  slower: so the mean rise over n jobs is ``gamma n`` up to the mean height of its shape, at the beginning or at the end; and by
  as much less as it is unlikely that the shape at the beginning is not that of a pile that began long before.  That two piles
  become one within a quarter of the jobs b was seen in each of :data:`COUPLINGS` pilot runs, so that it fails with probability at
  most p, at the level of the interval; each of the two becomes one with a flat pile, and so with the other, but for 2p, and in
  none of the eight quarters of the burn-in of 2b jobs but for ``(2p)^8``, if quarters are as independent as windows are.
  The interval is widened by that part of the mean height that is seen, and three of its standard errors, over n.
* **Length.**  The pilot's residual variance fixes m beforehand: nothing is stopped when it looks good.  The pilot itself grows
  to a sixth of what it asks for.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol
from zlib import crc32

import numpy as np
from scipy.special import stdtrit

from asymp.queues.job_classes import Workload
from asymp.queues.law import Kind, proper
from asymp.sample.batch_means import Play, play
from asymp.sample.estimate import Estimate, make_estimate
from asymp.sample.replicate import Progress, beforehand

Array = np.ndarray[Any, Any]

FIRST_SAMPLE = 1 << 63
"""Samples from here on are the replicas; simulations count theirs from 0."""
PILOT_SAMPLE, COUPLING_SAMPLE = FIRST_SAMPLE + (1 << 61), FIRST_SAMPLE + (1 << 62)
LEVEL_OF = 1 << 56
"""Samples of a companion by itself are so many further, of its own companion twice as many."""
COUPLINGS = 32
"""Pilot runs that choose the burn-in."""
FEWEST = 16
"""Windows, at least, where so many as were asked for would be shorter than a burn-in."""
SETTLED = 20
"""A pile goes through so many times its burn-in, at least, before another is begun."""
SAYS = 4.0
"""Standard errors from 0 from which on a direction of the controls counts."""
MANY = 10
"""Windows in which a direction must vary, in the sense of ``1/sum u^4`` for a unit vector u."""
PAYS = 0.7
"""The part of the cost without a companion that there may be with it."""
RARELY = 100
"""Jobs of the rarest kind that a run must see at least."""
BIAS_SHARE = 0.05
"""The part of the half-width aimed at that goes to the bound of the bias."""


class Pile(Protocol):
    """A kind of pile, of one workload and seed; states belong to the implementation."""

    classes: int
    exact: float | None
    """The threshold, where no sample is needed."""

    def companion(self) -> tuple[Pile, Workload, float] | None:
        """The kind of pile that a companion is, its workload, and the part of all jobs that are its; if piles have one."""

    def alone(self) -> Pile:
        """The same kind without companions."""

    def flat(self, like: Any = None) -> Any:
        """An empty pile; if ``like`` is given, one that treats the jobs to come as that one does."""

    def run(self, state: Any, sample: int, first: int, count: int, sums: Array) -> float:
        """Puts jobs on a pile and returns its rise.

        The jobs and the total service time of each class are added to ``sums``, of shape (classes, 2); of shape (classes, 3),
        what :meth:`longest_means` is the mean of for each job of a class is added up as well; of shape (classes + 1, 3), the
        rise of the companion stands first in the last row.
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
        beside: jobs that found the growth rate of its companion, and of the companion's, and so on.
        burn_in: jobs of each pile before its windows.
        piles: independent piles, whose windows the replicas are.
        bias: the bound of the bias by which the interval was widened.
        reduction: by what the control variates divided the variance in the pilot run.
    """

    jobs: int = 0
    beside: int = 0
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
    turn: int = 0,
) -> Growth:
    """The growth rate gamma of a pile.

    Args:
        pile: the kind of pile.
        workload: what it is made of.
        seed: of the jobs.
        level: of the interval.
        rel: the half-width aimed at, relative to gamma.
        replicas: windows, at most.
        most: jobs, about, however far the half-width then is from ``rel``.
        threads: piles run at a time.
        progress: called with (jobs done, jobs).
        turn: runs of different turns share no jobs.

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
    further = turn * LEVEL_OF
    step, unlike = burn_in(pile, most, rare, COUPLING_SAMPLE + further, level)

    def wanted(residual: float, rough: float, windows: int = replicas) -> float:
        return (_quantile(windows, level) * residual / ((1 - BIAS_SHARE) * rel * rough)) ** 2

    pilot = run_pilot(pile, workload, step, most, wanted, PILOT_SAMPLE + further)
    if not pilot.rough > 0:  # empty servers take every job: nothing of the growth is seen yet
        raise ValueError(f"most = {most:g} jobs do not fill {workload.servers} servers: more are needed")
    companion = pile.companion() if pilot.companion else None
    if companion is None:
        pile = pile.alone()
    means, slope, variance, off, beside = pilot.means, 0.0, 0.0, 0.0, 0
    if companion is not None:
        kind, some, share = companion
        slope = float(pilot.coefficients[-3])
        # As exact as costs least: the share of the variance is to that of the windows as the roots of variance times cost are.
        error = pilot.residual / math.sqrt(wanted(math.sqrt(pilot.residual * pilot.effort), pilot.rough))
        error *= math.sqrt((pilot.effort - pilot.residual) / pilot.residual) / abs(slope)
        aim = _quantile(replicas, level) * error / float(pilot.means[-3])
        with beforehand():
            found = growth(kind, some, seed, level, min(max(aim, 1e-6), 0.5), replicas, most, threads, turn=turn + 1)
        means = pilot.means.copy()
        means[-3] = found.value * share
        variance, beside = (slope * found.stderr * share) ** 2, found.jobs + found.beside
        off = abs(slope) * found.bias * share
    effort = math.sqrt(pilot.residual * pilot.effort)
    few = {replicas, *(k for k in (FEWEST, 2 * FEWEST) if k < replicas)}
    windows, length = min(
        ((k, int(max(wanted(effort, pilot.rough, k) / k, step, 1000)) + 1) for k in sorted(few)),
        key=lambda one: one[0] * one[1],
    )
    length = min(length, max(most // windows, 1000) + 1)
    # jobs of a pile that make its bias small, and its burn-in
    fewest = max(unlike * (1 + abs(slope)) * pilot.height / (BIAS_SHARE * rel * pilot.rough), SETTLED * 2 * step)
    piles = max(k for k in range(1, windows + 1) if windows % k == 0 and (k == 1 or k * fewest <= windows * length))
    shape = (means.size // 3, 3)

    def start(k: int) -> Play:
        state, done = pile.flat(), 0

        def play_on(count: int, row: Array) -> int:
            nonlocal done
            sums = np.zeros(shape)
            row[0] = pile.run(state, FIRST_SAMPLE + further + k, done, count, sums)
            row[1], row[2:] = pile.height(state), sums.ravel()
            done += count
            return count

        return play_on

    each = windows // piles
    rests = f"a pilot that found {crc32(np.concatenate([pilot.coefficients, means]).tobytes())}"
    table, _ = play(start, piles, [2 * step], each, length, 2 + means.size, threads, progress, rests)
    rows = table.reshape(windows, -1)
    rises = (rows[:, 0] - (rows[:, 2:] - length * means) @ pilot.coefficients) / length
    stderr = math.sqrt(float(rises.var(ddof=1)) / windows + variance)
    plain = make_estimate(float(rises.mean()), stderr, windows, level, seed, "numba")
    heights = rows[:, 1]
    bias = unlike * (1 + abs(slope)) * float(heights.mean() + 3 * heights.std(ddof=1) / math.sqrt(windows))
    # the first longest service of a class is of fewer jobs than the others, unless one came in the burn-in
    shares = np.array([c.probability for c in workload.classes])
    longest = np.abs(pilot.coefficients[2 : 3 * pile.classes : 3])
    bias += float(longest @ (pile.longest_means() * (1 - shares) ** (2 * step)))
    bias = bias / (each * length) + off
    return Growth(
        plain.value,
        stderr,
        (plain.interval[0] - bias, plain.interval[1] + bias),
        level,
        windows,
        seed,
        "numba",
        windows * length,
        beside,
        2 * step,
        piles,
        bias,
        pilot.reduction,
    )


def _quantile(windows: int, level: float) -> float:
    return float(stdtrit(windows - 1, 0.5 + level / 2))


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


def burn_in(pile: Pile, most: int, rare: float = 1.0, sample: int = COUPLING_SAMPLE, level: float = 0.99) -> tuple[int, float]:
    """Jobs b such that a pile of b jobs was met within b/4 more by one begun then, 32 times on its way.

    A power of two that sees the rarest jobs; at most such that burning in costs about a tenth of ``most``.

    Returns:
        b, and how likely it is, at most, that after 2b jobs a pile is not as if it had begun long before.
    """
    step, age, state = 256, 0, pile.flat()
    while step * rare < 4 and 1280 * step < most:
        step *= 2
    for _ in range(COUPLINGS):
        if age < step:
            pile.run(state, sample, age, step - age, np.zeros((pile.classes, 2)))
            age = step
        new, done = pile.flat(state), 0
        while not meets(pile, state, new, sample, age + done, step // 4 - done):
            if 1280 * step >= most:
                return step, 1.0
            done, step = step // 4, 2 * step
        age += step // 4
    return step, min(2 * (1 - (1 - level) ** (1 / COUPLINGS)), 1.0) ** 8


def meets(pile: Pile, old: Any, new: Any, sample: int, first: int, count: int) -> bool:
    """Whether a pile has met an older one after ``count`` more jobs; the older is advanced by all of them."""
    sums = np.zeros((pile.classes, 2))
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

    Args:
        means: of the controls; of a companion's rise, a guess.
        residual: the standard deviation that remains, times the square root of the jobs it is over.
        effort: the same with what the companion by itself adds to it: the cost is ``residual effort`` over the variance aimed at.
        companion: whether it pays.
    """

    means: Array
    coefficients: Array
    residual: float
    effort: float
    companion: bool
    reduction: float
    rough: float
    height: float


def run_pilot(
    pile: Pile, workload: Workload, step: int, most: int, wanted: Callable[[float, float], float], sample: int = PILOT_SAMPLE
) -> Pilot:
    """Regression of the rise on the controls over successive windows of a pile, longer ones until a sixth of the jobs that
    are wanted (of a residual and a growth rate) is seen, or a tenth of ``most``."""
    of_longest = pile.longest_means()
    known = [
        c.probability * x
        for c, one in zip(workload.classes, of_longest, strict=True)
        for x in (1.0, c.service.mean, float(one))
    ]
    companion = pile.companion()
    means = np.array(known + [0.0] * 3 * (companion is not None))
    windows = max(200, 4 * means.size)
    state, done, length = pile.flat(), 2 * step, 1000
    pile.run(state, sample, 0, done, np.zeros((pile.classes, 3)))
    while True:
        rises, controls, heights = np.empty(windows), np.empty((windows, means.size)), np.empty(windows)
        for k in range(windows):
            sums = np.zeros((means.size // 3, 3))
            rises[k] = pile.run(state, sample, done, length, sums) / length
            controls[k], heights[k] = sums.ravel() / length, pile.height(state)
            done += length
        coefficients, residual = _regression(controls[:, : len(known)], rises, length)
        effort, pays = residual, False
        if companion is not None:
            both, left = _regression(controls, rises, length)
            own = _regression(controls[:, : len(known)], controls[:, len(known)], length)[1]
            total = left + abs(float(both[len(known)])) * own * math.sqrt(companion[2])
            pays = left * total < PAYS * residual**2 and left > 0 and abs(float(both[len(known)])) > 0
            if pays:
                coefficients, residual, effort = both, left, total
                means[len(known)] = controls[:, len(known)].mean()
        rough, jobs = float(rises.mean()), windows * length
        enough = max(wanted(math.sqrt(residual * effort), rough) / 6, step) if rough > 0 else math.inf
        if jobs >= enough or 2 * jobs > most / 10:
            break
        length = int(min(max(2 * length, 1.1 * enough / windows), 16 * length, max(most / 10 / windows, 2 * length)))
    plain = float(rises.std(ddof=1)) * math.sqrt(length)
    reduction = (plain / residual) ** 2 if residual > 0 else math.inf
    if not pays:
        means = means[: len(known)]
    return Pilot(means, coefficients, residual, effort, pays, reduction, rough, float(heights.mean()))


def _regression(controls: Array, rises: Array, length: int) -> tuple[Array, float]:
    """Coefficients, and the standard deviation that remains times the square root of the jobs.

    Columns are scaled by their own spread.  Of the directions that they span (singular vectors) those alone count that say
    something, and vary in many windows: where one is moved by a rare event, such as two jobs of a kind in a row, once seen, its
    coefficient may come out a hundred, and a run that does not see the event, or twice, is far off with no spread to show it.
    """
    spread = controls.std(axis=0)
    varies = spread > 0
    y, x = rises - rises.mean(), (controls - controls.mean(axis=0))[:, varies] / spread[varies]
    u, s, v = np.linalg.svd(x, full_matrices=False)
    told = u.T @ y
    there = s > 1e-6 * s.max(initial=0.0)
    left = max(float(y @ y - told[there] @ told[there]), 0.0) / max(y.size - 1 - int(there.sum()), 1)
    there &= (told * told > SAYS**2 * left) & ((u**4).sum(axis=0) * MANY < 1)
    left = max(float(y @ y - told[there] @ told[there]), 0.0) / (y.size - 1 - int(there.sum()))
    coefficients = np.zeros(spread.size)
    coefficients[varies] = v[there].T @ (told[there] / s[there]) / spread[varies]
    return coefficients, math.sqrt(left * length)
