r"""The referee of the multiserver-job queue: first come, first served, played event by event.

Nothing here knows the stochastic recurrence.  Servers have identities, a future event list holds the
arrivals and completions, and after each event the line is scanned from its head until a job does not
fit: that job holds up all behind it (head-of-line blocking).  A job asks for any servers, of one or of
several types, and for particular ones by name.  It is plain Python, for explicit lists of jobs in exact or
floating numbers, to judge recurrences, samplers and kernels.

>>> history = play([Arrival(0, 2, 3), Arrival(1, 2, 1), Arrival(1, 1, 1)], 3)
>>> history.starts          # job 1 waits for a second server; job 2 could start at 1, but waits behind it
[0, 3, 3]
>>> history.idle(0, 4), history.blocked(0, 4)      # server-time idle, and of it while a job waits
(Fraction(3, 1), Fraction(2, 1))
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Number = int | Fraction | float
Chooser = Callable[[Sequence[int], int], Sequence[int]]
"""Which of the free servers a job takes: (free servers, how many) -> servers."""

_COMPLETION, _ARRIVAL = 0, 1


@dataclass(frozen=True)
class Arrival:
    """A job.

    Args:
        time: when it arrives.
        servers: how many servers, or how many of each type.
        service: for how long it holds them.
        named: particular servers that it needs besides, by identity (0, 1, ..., types one after another).
    """

    time: Number
    servers: int | tuple[int, ...]
    service: Number
    named: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Interval:
    """Between two events: the servers that are busy, and how many jobs wait."""

    begin: Number
    end: Number
    busy: frozenset[int]
    waiting: int


@dataclass
class History:
    """What happened: for each job its start, completion and servers; and the course of events."""

    jobs: Sequence[Arrival]
    types: tuple[int, ...]
    starts: list[Any]
    allocations: list[frozenset[int]]
    order: list[int] = field(default_factory=list)
    course: list[Interval] = field(default_factory=list)

    @property
    def completions(self) -> list[Number]:
        """When each job ends."""
        return [start + job.service for start, job in zip(self.starts, self.jobs, strict=True)]

    @property
    def waits(self) -> list[Number]:
        """How long each job waits."""
        return [start - job.time for start, job in zip(self.starts, self.jobs, strict=True)]

    def last_activity(self) -> Number:
        """When the last job ends."""
        return max(self.completions)

    def released(self, count: int) -> list[Number | None]:
        """When each server is given back for good by the first ``count`` jobs (None: they do not use it)."""
        last: list[Any] = [None] * sum(self.types)
        for job, end in list(enumerate(self.completions))[:count]:
            for server in self.allocations[job]:
                if last[server] is None or end > last[server]:
                    last[server] = end
        return last

    def workload(self, count: int, time: Number, kept: bool = True) -> list[list[Number]]:
        """For each type, the time from ``time`` until each server is free of the first ``count`` jobs, in order.

        Args:
            count: later jobs are not counted.
            time: from when; not before the arrival of job ``count - 1``.
            kept: servers that are free count as held until the last of these jobs has started, since no
                later job may start before it; False: only those that work for some of these jobs do.
        """
        floor = max([time, *(self.starts[:count] if kept else [])])
        ready = [floor if end is None else max(floor, end) for end in self.released(count)]
        out, first = [], 0
        for size in self.types:
            out.append(sorted(end - time for end in ready[first : first + size]))
            first += size
        return out

    def busy(self, server: int, begin: Number, end: Number) -> list[tuple[Number, Number]]:
        """The periods within [begin, end] in which a server works, joined where they touch."""
        spans: list[tuple[Number, Number]] = []
        for piece in self.course:
            low, high = max(piece.begin, begin), min(piece.end, end)
            if server in piece.busy and low < high:
                if spans and spans[-1][1] == low:
                    spans[-1] = (spans[-1][0], high)
                else:
                    spans.append((low, high))
        return spans

    def idle(self, begin: Number, end: Number) -> Number:
        """Server-time in [begin, end] that no job uses (the system is empty before and after its events)."""
        worked = sum((self._overlap(piece, begin, end) * len(piece.busy) for piece in self.course), Fraction(0))
        return (end - begin) * sum(self.types) - worked

    def blocked(self, begin: Number, end: Number) -> Number:
        """Server-time in [begin, end] that no job uses while a job waits: idle by head-of-line blocking."""
        total = sum(self.types)
        pieces = (piece for piece in self.course if piece.waiting)
        return sum((self._overlap(x, begin, end) * (total - len(x.busy)) for x in pieces), Fraction(0))

    def number_in_system(self, time: Number) -> int:
        """Jobs that have arrived at or before ``time`` and end after it."""
        return sum(job.time <= time < end for job, end in zip(self.jobs, self.completions, strict=True))

    @staticmethod
    def _overlap(piece: Interval, begin: Number, end: Number) -> Number:
        return max(min(piece.end, end) - max(piece.begin, begin), 0)


def lowest(free: Sequence[int], count: int) -> Sequence[int]:
    """The free servers with the lowest numbers.

    >>> lowest([5, 2, 7], 2)
    [2, 5]
    """
    return sorted(free)[:count]


def play(jobs: Sequence[Arrival], servers: int | Sequence[int], choose: Chooser = lowest) -> History:
    """Serve the jobs, in their order of arrival, until all have left.

    Args:
        jobs: in order of arrival; at equal times, in the order of the list.
        servers: how many, or how many of each type.
        choose: which of the free servers (of a type) a job takes that may have any.

    Raises:
        ValueError: arrivals decrease, a job asks for what there is not, or for no server at all.

    >>> play([Arrival(0, 1, 2, frozenset({1})), Arrival(0, 0, 1, frozenset({1}))], 2).starts
    [0, 2]
    >>> play([Arrival(0, (1, 0), 2), Arrival(0, (1, 1), 1), Arrival(0, (0, 1), 1)], (1, 1)).starts
    [0, 2, 3]
    """
    types = (servers,) if isinstance(servers, int) else tuple(servers)
    owner = [kind for kind, size in enumerate(types) for _ in range(size)]
    needs = [_validated(number, job, jobs, types, owner) for number, job in enumerate(jobs)]
    history = History(jobs, types, [None] * len(jobs), [frozenset()] * len(jobs))
    events: list[tuple[Number, int, int]] = [(job.time, _ARRIVAL, number) for number, job in enumerate(jobs)]
    heapq.heapify(events)
    free = set(range(len(owner)))
    line: deque[int] = deque()
    now: Number = events[0][0] if events else 0
    while events:
        time, kind, number = heapq.heappop(events)
        if time > now:
            history.course.append(Interval(now, time, frozenset(range(len(owner))) - free, len(line)))
        now = time
        if kind == _ARRIVAL:
            line.append(number)
        else:
            free |= history.allocations[number]
        while line:  # scan from the head until one does not fit
            head = line[0]
            taken = _servers_for(needs[head], jobs[head].named, free, owner, choose)
            if taken is None:
                break
            line.popleft()
            free -= taken
            history.starts[head], history.allocations[head] = now, taken
            history.order.append(head)
            heapq.heappush(events, (now + jobs[head].service, _COMPLETION, head))
    return history


def _servers_for(
    need: tuple[int, ...], named: frozenset[int], free: set[int], owner: Sequence[int], choose: Chooser
) -> frozenset[int] | None:
    """The servers that a job takes now, or None if it does not fit."""
    if not named <= free:
        return None
    taken = set(named)
    for kind, count in enumerate(need):
        if not count:
            continue
        left = [server for server in sorted(free) if owner[server] == kind and server not in named]
        if len(left) < count:
            return None
        taken |= set(choose(left, count))
    return frozenset(taken)


def _validated(
    number: int, job: Arrival, jobs: Sequence[Arrival], types: tuple[int, ...], owner: Sequence[int]
) -> tuple[int, ...]:
    """How many servers of each type a job needs besides the named ones; ValueError if it cannot be served."""
    need = (job.servers,) if isinstance(job.servers, int) else job.servers
    if number and job.time < jobs[number - 1].time:
        raise ValueError(f"job {number} arrives before job {number - 1}")
    if len(need) != len(types):
        raise ValueError(f"job {number}: {len(need)} types asked for, there are {len(types)}")
    if any(not 0 <= server < len(owner) for server in job.named):
        raise ValueError(f"job {number}: no such server among {sorted(job.named)}")
    for kind, count in enumerate(need):
        named = sum(owner[server] == kind for server in job.named)
        if count < 0 or count + named > types[kind]:
            raise ValueError(f"job {number}: {count + named} servers asked of {types[kind]}")
    if not any(need) and not job.named:
        raise ValueError(f"job {number} needs no server")
    if job.service < 0:
        raise ValueError(f"job {number}: service time {job.service} is negative")
    return need
