"""Jobs to try statements on, drawn with small halves."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from asymp.papers.mjsre.recurrence import Job, Number
from asymp.sample.referee import Arrival

HALF = Fraction(1, 2)


def drawn(seed: int, servers: int, count: int, longest: int = 6, widest: int = 3) -> list[Job]:
    """``count`` jobs: any needs, service times up to ``longest`` and gaps up to ``widest``, in halves."""
    draw = random.Random(seed)
    return [
        Job(draw.randint(1, servers), draw.randint(0, 2 * longest) * HALF, draw.randint(0, 2 * widest) * HALF)
        for _ in range(count)
    ]


def batch(count: int, most_servers: int = 6, length: int = 12) -> Iterator[tuple[int, list[Job]]]:
    """``count`` drawn sequences: (servers, jobs), the servers going round 1 .. most_servers."""
    for seed in range(count):
        servers = 1 + seed % most_servers
        yield servers, drawn(seed, servers, length)


def arrivals(jobs: Iterable[Job], first: Number = 0) -> list[Arrival]:
    """The jobs as the referee takes them, the first arriving at ``first``."""
    found, now = [], first
    for job in jobs:
        found.append(Arrival(now, job.servers, job.service))
        now += job.gap
    return found


def vectors(size: int, values: Sequence[Number]) -> list[tuple[Number, ...]]:
    """Every ordered vector with entries among ``values``."""
    return list(itertools.combinations_with_replacement(sorted(values), size))


def below(small: Sequence[Number], large: Sequence[Number]) -> bool:
    """Coordinatewise ``small <= large``."""
    return all(a <= b for a, b in zip(small, large, strict=True))
