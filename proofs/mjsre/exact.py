"""Small systems in the long run, exactly: periodic inputs, and the pile of i.i.d. jobs as a finite chain."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from asymp.elimination import Elimination, recurrent_class
from asymp.papers.mjsre.recurrence import Job, Number, step

Vector = tuple[Number, ...]
Point = tuple[int, Fraction]
"""(value, probability)"""

# --- periodic input, a stationary ergodic one once its phase is drawn at random -------------------


class Periodic(NamedTuple):
    """A system's servers, and jobs that are repeated for ever."""

    servers: int
    pattern: tuple[Job, ...]

    @property
    def duration(self) -> Fraction:
        """The time of one period."""
        return sum((Fraction(job.gap) for job in self.pattern), Fraction(0))

    def jobs(self, periods: int) -> list[Job]:
        """The jobs of the first periods."""
        return list(self.pattern) * periods


def growth(system: Periodic, most: int = 2000) -> Fraction:
    """gamma of equation (6) for periodic jobs, exactly: the pile less its least component is periodic.

    >>> growth(Periodic(2, (Job(1, 3, 0), Job(2, 1, 0))))
    Fraction(2, 1)
    """
    shape: Vector = (Fraction(0),) * system.servers
    height, seen = Fraction(0), dict[Vector, tuple[int, Fraction]]()
    for count in range(most):
        if shape in seen:
            before, at = seen[shape]
            return (height - at) / ((count - before) * len(system.pattern))
        seen[shape] = (count, height)
        found: Sequence[Number] = shape
        for job in system.pattern:
            found = step(found, job._replace(gap=0))
        height += Fraction(found[0])
        shape = tuple(x - found[0] for x in found)
    raise ArithmeticError("the pile's shape did not repeat")


# --- independent jobs whose service times are integers ---------------------------------------------


class Lattice:
    """The pile of i.i.d. jobs with integer service times, seen from its lowest server: a finite Markov chain.

    Args:
        servers: s.
        classes: (probability, need, law of the service time as (value, probability) pairs).

    >>> one = Fraction(1)
    >>> Lattice(2, [(one, 1, [(3, one)])]).growth     # two servers, one each
    Fraction(3, 2)
    """

    def __init__(self, servers: int, classes: Sequence[tuple[Fraction, int, Sequence[Point]]]) -> None:
        start = (0,) * servers
        index, states = {start: 0}, [start]
        self.rows: list[dict[int, Fraction]] = []
        self.heights: list[int] = []
        self.rises: list[Fraction] = []
        for state in states:  # grows as it runs: breadth first
            row, rise = dict[int, Fraction](), Fraction(0)
            for probability, need, law in classes:
                for value, weight in law:
                    reached = state[need - 1]
                    raised = sorted(max(reached, x) + (value if i < need else 0) for i, x in enumerate(state))
                    shape = tuple(x - raised[0] for x in raised)
                    if shape not in index:
                        index[shape] = len(states)
                        states.append(shape)
                    target = index[shape]
                    row[target] = row.get(target, Fraction(0)) + probability * weight
                    rise += probability * weight * raised[0]
            self.rows.append(row)
            self.heights.append(state[-1])
            self.rises.append(rise)

    @property
    def growth(self) -> Fraction:
        """gamma, the mean rise of the lowest server a job, in the stationary regime."""
        keep = sorted(recurrent_class(self.rows))
        position = {old: new for new, old in enumerate(keep)}
        law = Elimination([{position[j]: w for j, w in self.rows[i].items()} for i in keep]).stationary()
        return sum((w * self.rises[i] for w, i in zip(law, keep, strict=True)), Fraction(0))

    def mean_heights(self, count: int) -> Iterator[Fraction]:
        """E|H_n| for n = 0 .. count, exactly."""
        law, lowest = {0: Fraction(1)}, Fraction(0)
        for _ in range(count + 1):
            yield lowest + sum((w * self.heights[i] for i, w in law.items()), Fraction(0))
            lowest += sum((w * self.rises[i] for i, w in law.items()), Fraction(0))
            after = dict[int, Fraction]()
            for i, w in law.items():
                for j, q in self.rows[i].items():
                    after[j] = after.get(j, Fraction(0)) + w * q
            law = after


# --- inputs to try ---------------------------------------------------------------------------------


def random_periodic(seed: int, servers: int, count: int, longest: int = 6) -> Periodic:
    """A periodic input of ``count`` jobs with gaps 1 (see :func:`spaced`)."""
    draw = random.Random(seed)
    pattern = tuple(
        Job(draw.randint(1, servers), Fraction(draw.randint(1, longest)), Fraction(1)) for _ in range(count)
    )
    return Periodic(servers, pattern)


def spaced(system: Periodic, mean_gap: Fraction, shape: str = "even") -> Periodic:
    """The same jobs with gaps of a given mean: all equal, in one batch, or rising.

    >>> [job.gap for job in spaced(Periodic(1, (Job(1, 1, 0), Job(1, 1, 0))), Fraction(3), "rising").pattern]
    [Fraction(2, 1), Fraction(4, 1)]
    """
    count = len(system.pattern)
    total = mean_gap * count
    gaps = {
        "even": [mean_gap] * count,
        "batch": [Fraction(0)] * (count - 1) + [total],
        "rising": [total * 2 * (k + 1) / (count * (count + 1)) for k in range(count)],
    }[shape]
    jobs = zip(gaps, system.pattern, strict=True)
    return system._replace(pattern=tuple(job._replace(gap=gap) for gap, job in jobs))
