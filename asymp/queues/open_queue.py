"""The open multiserver-job queue with Poisson arrivals, as a quasi-birth-and-death process.

The *level* q is the number of jobs in the system; the *phase* is the state of
:class:`asymp.queues.rules.State` that has met the head of the line, so that ``q - jobs(phase)`` jobs
wait with their classes not yet drawn.  An arrival raises the level by 1, a completion lowers it by
1.  A completion draws at most n further jobs forward, so from level n + 1 on the rates do not
depend on the level: blocks A0 (up), A1 (within), A2 (down).  Levels 0..n are a boundary, kept
as they are.  Everything is generated from the rules; blocks are exact until they are solved.

The matrix-geometric solution ``pi_{q+1} = pi_q R`` for q >= n + 1 is Latouche and Ramaswami (1999):
R from G, G by logarithmic reduction, in balls.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

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

    def mean_number(self) -> float:
        """E[Q], the stationary mean number of jobs in the system, rounded from a certified number."""
        return float(self.certified_mean_number(17).value)

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
        if not self.is_stable:
            raise ValueError(f"unstable: arrival rate {self.arrival_rate} >= capacity {self.capacity}")
        bits = int(digits * 3.33) + 96
        while bits <= MOST_BITS:
            with systems.precision(bits), contextlib.suppress(Undecided):
                return systems.enclosure(self._mean() * systems.ball_of(factor), digits)
            bits *= 2
        raise Undecided(f"not {digits} digits at up to {MOST_BITS} bits")

    def _mean(self) -> Any:
        up, within, down = (_balls(block) for block in self.blocks)
        r = _solve((-(within + up @ _first_passage_down(up, within, down))).T, up.T).T
        m = self.repeating_level
        sizes = [len(level) for level in self.phases[: m + 1]]
        starts = np.cumsum([0, *sizes])
        flow = _balls(np.zeros((starts[-1], starts[-1]), int).tolist())
        for level in range(m + 1):
            here = slice(starts[level], starts[level + 1])
            for change in (-1, 0, 1):
                if 0 <= level + change <= m:
                    there = slice(starts[level + change], starts[level + change + 1])
                    flow[here, there] += _balls(self._rates(level, change))
        last = slice(starts[m], starts[m + 1])
        flow[last, last] += r @ down
        rest = _identity(len(r)) - r
        tail = _solve(rest, _balls([[1]] * len(r)))  # sum of R^k, times 1
        tail2 = _solve(rest, tail)  # sum of (k+1) R^k, times 1
        # The flow balance has rank one less than its size: total probability replaces an equation.
        flow[:, :1] = systems.ball_of(1)
        flow[last, :1] = tail
        x = _solve(flow.T, _balls([[1], *[[0]] * (starts[-1] - 1)]))[:, 0]
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


def scaled_mean_queue(n: int, p: object, mu1: object, mun: object, rho: object) -> float:
    """E[Q] (1 - rho) at the load rho = lambda/mu of the open 1-and-n queue, exact arguments.

    >>> round(scaled_mean_queue(1, "0.5", 1, 1, "0.75"), 12)   # M/M/1: rho
    0.75
    """
    return float(_scaled(one_and_n_rules(n, p, mu1, mun), 1 - rational(rho, "rho"), 17))


def heavy_traffic_limit(rules: Rules, digits: int = 40, steps: int = 10) -> tuple[Fraction, Fraction]:
    """(limit, error estimate) of E[Q] (1 - rho) as rho -> 1, by Richardson extrapolation.

    The scaled mean is analytic in eps = 1 - rho at 0, so that Neville's polynomial through eps =
    2^-3 .. 2^-(steps+2) converges faster than any power; the error estimate is the last change.

    >>> value, error = heavy_traffic_limit(one_and_n_rules(2, "0.5", 1, 1))
    >>> abs(float(value) - (1 + 4 / 49)) < 1e-15, error < 1e-25    # equation (2)
    (True, True)
    """
    points = [Fraction(1, 2**k) for k in range(3, steps + 3)]
    table = [_scaled(rules, eps, digits) for eps in points]
    previous = table[-1]
    for width in range(1, steps):
        previous = table[-1]
        pairs = enumerate(itertools.pairwise(table))
        table = [(b * points[i] - a * points[i + width]) / (points[i] - points[i + width]) for i, (a, b) in pairs]
    return table[0], abs(table[0] - previous)


def _scaled(rules: Rules, eps: Fraction, digits: int) -> Fraction:
    """E[Q] eps at the load 1 - eps, to so many digits."""
    rate = (1 - eps) * OpenQueue(rules, Fraction(1)).capacity  # the capacity does not depend on lambda
    return Fraction(OpenQueue(rules, rate).certified_mean_number(digits, eps).value)


# --- matrices of balls ----------------------------------------------------------------------------


def _first_passage_down(up: Array, within: Array, down: Array) -> Array:
    """G, the phase at the first visit one level below: a lower bound by logarithmic reduction, and what its rows lack."""
    high, low = _solve(-within, up), _solve(-within, down)
    g, t = low, high
    best, least = g, [systems.above(1 - sum(row)) for row in g]
    while True:
        both = _identity(len(up)) - (high @ low + low @ high)
        high, low = _solve(both, high @ high), _solve(both, low @ low)
        g, t = g + t @ low, t @ high
        lack = [systems.above(1 - sum(row)) for row in g]
        if not max(lack) < max(least):  # no more is gained at this precision
            gaps = [systems.up_to(gap) for gap in least]
            return np.array([[x + gap for x in row] for row, gap in zip(best, gaps, strict=True)], dtype=object)
        best, least = g, lack


def _balls(rows: Sequence[Sequence[Fraction | int]]) -> Array:
    return np.array([[systems.ball_of(x) for x in row] for row in rows], dtype=object)


def _identity(size: int) -> Array:
    return _balls(np.eye(size, dtype=int).tolist())


def _solve(a: Array, b: Array) -> Array:
    """a^-1 b."""
    return np.array(systems.solve_many(a.tolist(), b.tolist()), dtype=object)
