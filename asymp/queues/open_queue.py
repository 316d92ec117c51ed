"""The open multiserver-job queue with Poisson arrivals, as a quasi-birth-and-death process.

The *level* q is the number of jobs in the system; the *phase* is the state of
:class:`asymp.queues.rules.State` that has met the head of the line, so that ``q - jobs(phase)`` jobs
wait with their classes not yet drawn.  An arrival raises the level by 1, a completion lowers it by
1.  A completion draws at most n further jobs forward, so from level n + 1 on the rates do not
depend on the level: blocks A0 (up), A1 (within), A2 (down).  Levels 0..n are a boundary, kept
as they are.  Everything is generated from the rules; blocks are exact until they are solved.

The matrix-geometric solution ``pi_{q+1} = pi_q R`` for q >= n + 1 is Latouche and Ramaswami (1999):
R from G, G by logarithmic reduction, in float64 or in mpmath numbers of any precision.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import mpmath
import numpy as np

from asymp.elimination import Elimination, rational, recurrent_class
from asymp.enclosure import Enclosure, Undecided, systems
from asymp.queues.rules import Rules, State, one_and_n_rules

MOST_BITS = 8_000
"""Of certified means."""
Array = np.ndarray[Any, Any]
Place = tuple[int, State]
"""(level, phase)"""


@dataclass(frozen=True)
class OpenQueue:
    """The open queue of ``rules`` with Poisson arrivals of rate ``arrival_rate`` (jobs a unit of time).

    Raises:
        ValueError: if the arrival rate is not positive; from ``mean_number`` if the queue is unstable.

    >>> from asymp.queues.rules import JobClass
    >>> one = Fraction(1)
    >>> queue = OpenQueue(Rules(1, (JobClass(1, one, one),)), Fraction(3, 4))   # M/M/1
    >>> queue.capacity, round(queue.mean_number(), 12)
    (Fraction(1, 1), 3.0)
    """

    rules: Rules
    arrival_rate: Fraction

    def __post_init__(self) -> None:
        if self.arrival_rate <= 0:
            raise ValueError(f"the arrival rate must be positive, not {self.arrival_rate}")

    # --- the chain, from the rules ---------------------------------------------------------

    def transitions(self, place: Place) -> list[tuple[Place, Fraction]]:
        """(target, rate) of every transition out of (level, phase)."""
        level, phase = place
        waiting = level - self.rules.jobs(phase)
        out = [
            ((level + 1, after), self.arrival_rate * weight) for after, weight in self._come_forward(phase, waiting + 1)
        ]
        for job, rate in self.rules.completion_rates(phase):
            after_one = self.rules.complete(phase, job)
            out += [((level - 1, after), rate * weight) for after, weight in self._come_forward(after_one, waiting)]
        return out

    def _come_forward(self, phase: State, waiting: int) -> list[tuple[State, Fraction]]:
        """Waiting jobs are drawn while a server is free and nothing blocks: (phase, probability)."""
        if waiting == 0 or not self.rules.accepting(phase):
            return [(phase, Fraction(1))]
        return [
            (after, job.probability * weight)
            for j, job in enumerate(self.rules.classes)
            for after, weight in self._come_forward(self.rules.admit(phase, j), waiting - 1)
        ]

    @cached_property
    def repeating_level(self) -> int:
        """The level from which the rates no longer depend on it: one above all jobs of any phase."""
        return self.rules.servers + 1

    @cached_property
    def phases(self) -> list[list[State]]:
        """The phases of levels 0 .. repeating_level + 1; the last two agree."""
        top = self.repeating_level + 1
        found: list[dict[State, None]] = [{} for _ in range(top + 1)]
        found[0][self.rules.empty] = None
        todo: list[Place] = [(0, self.rules.empty)]
        for place in todo:
            for (level, phase), _ in self.transitions(place):
                if level <= top and phase not in found[level]:
                    found[level][phase] = None
                    todo.append((level, phase))
        # The order in which a search meets the phases differs from level to level.
        ordered = [
            sorted(level, key=lambda s: (s.in_service, s.blocked is not None, s.blocked or 0)) for level in found
        ]
        if ordered[-1] != ordered[-2]:
            raise ValueError("the phases do not repeat: the queue is not a quasi-birth-and-death process")
        return ordered

    def _rates(self, level: int, change: int, shift: int = 0) -> list[list[Fraction]]:
        """The exact rates from ``level`` to ``level + change``; the diagonal makes rows sum to 0."""
        sources, targets = self.phases[level], self.phases[level + change + shift]
        column = {phase: j for j, phase in enumerate(targets)}
        rows = [[Fraction(0)] * len(targets) for _ in sources]
        for i, phase in enumerate(sources):
            for (to, after), rate in self.transitions((level, phase)):
                if to == level + change:
                    rows[i][column[after]] += rate
                if change == 0:
                    rows[i][i] -= rate
        return rows

    @cached_property
    def blocks(self) -> tuple[list[list[Fraction]], list[list[Fraction]], list[list[Fraction]]]:
        """(A0, A1, A2): rates up, within (diagonal included) and down, from the repeating level on."""
        m = self.repeating_level
        return self._rates(m, 1), self._rates(m, 0), self._rates(m + 1, -1)

    # --- stability, exactly ------------------------------------------------------------------

    @cached_property
    def drift(self) -> tuple[Fraction, Fraction]:
        """(up, down): mean rates alpha A0 1 and alpha A2 1 under the law alpha of A0 + A1 + A2.

        The queue is positive recurrent iff up < down (Neuts; Latouche and Ramaswami 1999, chapter 7).
        """
        up, within, down = self.blocks
        size = len(up)
        speed = 1 - min(within[i][i] for i in range(size))  # uniformisation: rates -> probabilities
        rows: list[dict[int, Fraction]] = []
        for i in range(size):
            row = {j: (up[i][j] + within[i][j] + down[i][j]) / speed for j in range(size)}
            row[i] += 1
            rows.append({j: w for j, w in row.items() if w})
        keep = sorted(recurrent_class(rows))
        position = {old: new for new, old in enumerate(keep)}
        alpha = Elimination([{position[j]: w for j, w in rows[i].items()} for i in keep]).stationary()
        return (
            sum((w * sum(up[i]) for w, i in zip(alpha, keep, strict=True)), Fraction(0)),
            sum((w * sum(down[i]) for w, i in zip(alpha, keep, strict=True)), Fraction(0)),
        )

    @property
    def capacity(self) -> Fraction:
        """The arrival rate at which up = down: the queue is stable iff it is below (drift)."""
        return self.drift[1]

    @property
    def is_stable(self) -> bool:
        """Whether the mean drift is downward, decided exactly."""
        up, down = self.drift
        return up < down

    @property
    def recurrence(self) -> str:
        """``positive recurrent``, ``null recurrent`` or ``transient``: the sign of the mean drift, decided exactly."""
        up, down = self.drift
        return "positive recurrent" if up < down else "null recurrent" if up == down else "transient"

    # --- the stationary mean ------------------------------------------------------------------

    def mean_number(self, dps: int | None = None) -> Any:
        """E[Q], the stationary mean number of jobs in the system.

        Args:
            dps: decimal digits; None computes in float64 and returns a float, else an mpf.
        """
        self._require_stable()
        if dps is None:
            return float(self._mean(lambda x: float(x), 1e-15))
        with mpmath.workdps(dps + 10):
            return self._mean(lambda x: mpmath.mpf(x.numerator) / x.denominator, mpmath.mpf(10) ** -dps)

    def certified_mean_number(self, digits: int = 20, factor: Fraction = Fraction(1)) -> Enclosure:
        """E[Q] times a factor, in balls.

        G, the phase at the first visit one level below, is stochastic where the queue is recurrent; logarithmic
        reduction bounds it from below (by the paths that stay under a level, ever higher), so that what its
        rows lack of 1 bounds the error (Latouche and Ramaswami 1999, section 8.4).

        Raises:
            ValueError: the queue is not stable.
            Undecided: not certified to so many digits.

        >>> from asymp.queues.rules import JobClass
        >>> one = Fraction(1)
        >>> queue = OpenQueue(Rules(1, (JobClass(1, one, one),)), Fraction(3, 4))   # M/M/1
        >>> 3 in queue.certified_mean_number(30)
        True
        """
        self._require_stable()
        bits = int(digits * 3.33) + 96
        while bits <= MOST_BITS:
            with systems.precision(bits), contextlib.suppress(Undecided):
                return systems.enclosure(self._mean(systems.ball_of, None) * systems.ball_of(factor), digits)
            bits *= 2
        raise Undecided(f"not {digits} digits at up to {MOST_BITS} bits")

    def _require_stable(self) -> None:
        if not self.is_stable:
            raise ValueError(f"unstable: arrival rate {self.arrival_rate} >= capacity {self.capacity}")

    def _mean(self, number: Callable[[Fraction], Any], tolerance: Any) -> Any:
        """``tolerance``: of float64 and mpmath numbers; None where the numbers are balls."""
        dtype = float if isinstance(number(Fraction(1)), float) else object

        def array(rows: Sequence[Sequence[Fraction]]) -> Array:
            return np.array([[number(x) for x in row] for row in rows], dtype=dtype)

        up, within, down = (array(block) for block in self.blocks)
        one = number(Fraction(1))
        blocks = up, within, down
        g = _first_passage_in_balls(*blocks) if tolerance is None else _first_passage_down(*blocks, one, tolerance)
        r = _right_divide(up, -(within + up @ g))
        m = self.repeating_level
        sizes = [len(level) for level in self.phases[: m + 1]]
        starts = np.cumsum([0, *sizes])
        flow = np.zeros((starts[-1], starts[-1]), dtype=float).astype(dtype) * one
        for level in range(m + 1):
            here = slice(starts[level], starts[level + 1])
            for change in (-1, 0, 1):
                if 0 <= level + change <= m:
                    there = slice(starts[level + change], starts[level + change + 1])
                    flow[here, there] += array(self._rates(level, change))
        last = slice(starts[m], starts[m + 1])
        flow[last, last] += r @ down
        identity = np.eye(len(r)).astype(dtype) * one
        tail = _solve(identity - r, np.ones((len(r), 1)).astype(dtype) * one)  # sum of R^k, times 1
        tail2 = _solve(identity - r, tail)  # sum of (k+1) R^k, times 1
        # The flow balance has rank one less than its size: total probability replaces an equation.
        total = np.ones((starts[-1], 1)).astype(dtype) * one
        total[last] = tail
        flow[:, :1] = total
        rhs = np.zeros((starts[-1], 1)).astype(dtype) * one
        rhs[0, 0] = one
        x = _solve(flow.T, rhs)[:, 0]
        mean = sum(level * x[starts[level] : starts[level + 1]].sum() for level in range(m))
        # sum_k (m + k) x_m R^k 1 = (m - 1) x_m tail + x_m tail2.
        return mean + (m - 1) * (x[last] @ tail[:, 0]) + x[last] @ tail2[:, 0]


def open_one_and_n(n: int, p: object, mu1: object, mun: object, arrival_rate: object) -> OpenQueue:
    """The open 1-and-n queue (arguments as :func:`asymp.queues.saturated.one_and_n`, all exact).

    >>> queue = open_one_and_n(2, "0.5", 1, 1, "0.5")
    >>> queue.capacity, queue.is_stable
    (Fraction(8, 7), True)
    """
    return OpenQueue(one_and_n_rules(n, p, mu1, mun), rational(arrival_rate, "arrival_rate"))


def scaled_mean_queue(n: int, p: object, mu1: object, mun: object, rho: object, dps: int | None = None) -> Any:
    """E[Q] (1 - rho) at the load rho = lambda/mu of the open 1-and-n queue, exact arguments.

    >>> round(scaled_mean_queue(1, "0.5", 1, 1, "0.75"), 12)   # M/M/1: rho
    0.75
    """
    load = rational(rho, "rho")
    return OpenQueue(*_at_load(one_and_n_rules(n, p, mu1, mun), load)).mean_number(dps) * _like(1 - load, dps)


def heavy_traffic_limit(rules: Rules, dps: int = 40, steps: int = 10) -> tuple[Any, Any]:
    """(limit, error estimate) of E[Q] (1 - rho) as rho -> 1, by Richardson extrapolation.

    The scaled mean is analytic in eps = 1 - rho at 0, so that Neville's polynomial through eps =
    2^-3 .. 2^-(steps+2) converges faster than any power; the error estimate is the last change.

    >>> value, error = heavy_traffic_limit(one_and_n_rules(2, "0.5", 1, 1))
    >>> abs(float(value) - (1 + 4 / 49)) < 1e-15, error < 1e-25    # equation (2)
    (True, True)
    """
    with mpmath.workdps(dps):
        points = [Fraction(1, 2**k) for k in range(3, steps + 3)]
        values = []
        for eps in points:
            queue = OpenQueue(*_at_load(rules, 1 - eps))
            values.append(queue.mean_number(dps) * _like(eps, dps))
        table = list(values)
        previous = table[-1]
        for width in range(1, steps):
            previous = table[-1]
            table = [
                (b * _like(points[i], dps) - a * _like(points[i + width], dps))
                / _like(points[i] - points[i + width], dps)
                for i, (a, b) in enumerate(itertools.pairwise(table))
            ]
        return table[0], abs(table[0] - previous)


def _at_load(rules: Rules, rho: Fraction) -> tuple[Rules, Fraction]:
    return rules, rho * OpenQueue(rules, Fraction(1)).capacity  # the capacity does not depend on lambda


def _like(x: Fraction, dps: int | None) -> Any:
    return float(x) if dps is None else mpmath.mpf(x.numerator) / x.denominator


# --- matrices of float64 or of mpmath numbers -----------------------------------------------------


def _first_passage_down(up: Array, within: Array, down: Array, one: Any, tolerance: Any) -> Array:
    """G, the phase at the first visit one level below, by logarithmic reduction."""
    identity = np.eye(len(up)).astype(up.dtype) * one
    high, low = _solve(-within, up), _solve(-within, down)
    g, t = low, high
    for _ in range(200):
        both = identity - (high @ low + low @ high)
        high, low = _solve(both, high @ high), _solve(both, low @ low)
        g = g + t @ low
        t = t @ high
        # g may gain nothing more while t still has mass in rounding: stop on the gain.
        if max(abs(x) for x in (t @ low).flat) <= tolerance or max(abs(x) for x in t.flat) <= tolerance:
            return g
    raise ArithmeticError("logarithmic reduction did not converge")


def _first_passage_in_balls(up: Array, within: Array, down: Array) -> Array:
    """G in balls: a lower bound by logarithmic reduction, and what its rows lack."""
    identity = np.eye(len(up)).astype(int).astype(object) * systems.ball_of(1)
    high, low = _solve(-within, up), _solve(-within, down)
    g, t = low, high
    best, least = g, [systems.above(1 - sum(row)) for row in g]
    while True:
        both = identity - (high @ low + low @ high)
        high, low = _solve(both, high @ high), _solve(both, low @ low)
        g, t = g + t @ low, t @ high
        lack = [systems.above(1 - sum(row)) for row in g]
        if not max(lack) < max(least):  # no more is gained at this precision
            gaps = [systems.up_to(gap) for gap in least]
            return np.array([[x + gap for x in row] for row, gap in zip(best, gaps, strict=True)], dtype=object)
        best, least = g, lack


def _right_divide(a: Array, b: Array) -> Array:
    """a b^-1."""
    return _solve(b.T, a.T).T


def _solve(a: Array, b: Array) -> Array:
    """a^-1 b; Gaussian elimination with partial pivoting for numbers that LAPACK does not know."""
    if a.dtype != object:
        return np.linalg.solve(a, b)
    if systems.is_ball(a[0, 0]):
        return np.array(systems.solve_many(a.tolist(), b.tolist()), dtype=object)
    left, right = a.copy(), b.copy()
    size = len(left)
    for k in range(size):
        pivot = max(range(k, size), key=lambda i: abs(left[i, k]))
        left[[k, pivot]], right[[k, pivot]] = left[[pivot, k]], right[[pivot, k]]
        for i in range(k + 1, size):
            if left[i, k] != 0:
                factor = left[i, k] / left[k, k]
                left[i, k:] -= factor * left[k, k:]
                right[i] -= factor * right[k]
    for k in reversed(range(size)):
        right[k] = (
            (right[k] - left[k, k + 1 :] @ right[k + 1 :]) / left[k, k] if k + 1 < size else right[k] / left[k, k]
        )
    return right
