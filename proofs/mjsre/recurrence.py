r"""The multiserver-job stochastic recurrence, on lists of exact numbers.

There are s servers.  Job n arrives at t_n, needs alpha_n of them together for a time sigma_n, and the
next job comes tau_n later; service is first come, first served, and the job at the head of the line
holds up those behind it.  The state is the ordered workload W^1 <= ... <= W^s just before t_n: how long
an arriving job would wait for its first, second, ... server.  Then

    W_{n+1} = R(S(alpha_n, W_n) + sigma_n L(alpha_n) - tau_n U)^+,                                (2)

with R the reordering, S(alpha, W)^i = max(W^alpha, W^i), L(alpha)^i = 1 for i <= alpha and 0 beyond, U = (1, ..., 1).
Source: Baccelli, Olliaro, Ajmone Marsan, Marin, *The Multiserver-Job Stochastic Recurrence Equation for
Cloud Computing Performance Evaluation*, whose equation numbers are used here.  Indices of servers are
1-based in the arguments (alpha, specific servers), as there.

Everything is literal and costs O(s log s) a job: the fast kernels are compared with it.

>>> jobs = [Job(2, 3, 1), Job(1, 1, 1), Job(3, 2, 4)]     # (alpha, sigma, tau), s = 3 servers
>>> workloads(jobs, 3)
[[0, 0, 0], [0, 2, 2], [0, 1, 1], [0, 0, 0]]
>>> [waiting(job.servers, w) for job, w in zip(jobs, workloads(jobs, 3))]
[0, 0, 1]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

Number = int | Fraction | float
Vector = list[Number]


class Job(NamedTuple):
    """xi = (alpha, sigma, tau): servers needed, service time, time until the next arrival."""

    servers: int
    service: Number
    gap: Number


class Specific(NamedTuple):
    """A job of section 9.1: ``servers`` any servers, and those at the positions ``chosen`` of the ordered vector."""

    servers: int
    chosen: frozenset[int]
    service: Number
    gap: Number


class Typed(NamedTuple):
    """A job of section 9.2: ``servers[j]`` servers of type j, all for the same time."""

    servers: tuple[int, ...]
    service: Number
    gap: Number


class NotDefined(ValueError):
    """A printed formula refers to something that it does not define."""


# --- equations (1) to (7) ------------------------------------------------------------------------


def reorder(w: Iterable[Number]) -> Vector:
    """R: the entries in increasing order.

    >>> reorder([3, 1, 2])
    [1, 2, 3]
    """
    return sorted(w)


def synchronize(alpha: int, w: Sequence[Number]) -> Vector:
    """S(alpha, W): every entry raised to at least W^alpha.

    >>> synchronize(2, [0, 2, 5])
    [2, 2, 5]
    """
    return [max(w[_position(alpha, w)], x) for x in w]


def leading(alpha: int, size: int) -> list[int]:
    """L(alpha): ones in the first alpha places.

    >>> leading(2, 3)
    [1, 1, 0]
    """
    return [1 if i <= alpha else 0 for i in range(1, size + 1)]


def waiting(alpha: int, w: Sequence[Number]) -> Number:
    """W^alpha, the wait of a job that needs alpha servers and finds the ordered workload ``w``."""
    return w[_position(alpha, w)]


def step(w: Sequence[Number], job: Job) -> Vector:
    """The map (3): R(S(alpha, W) + sigma L(alpha) - tau U)^+.

    Raises:
        ValueError: alpha is not in 1..s.

    >>> step([0, 1, 4], Job(2, 3, 2))
    [2, 2, 2]
    """
    return _passed(_started(w, job.servers, job.service), job.gap)


def kiefer_wolfowitz(w: Sequence[Number], service: Number, gap: Number) -> Vector:
    """Equation (1), the G/G/s queue: R(W + sigma E_1 - tau U)^+.

    >>> kiefer_wolfowitz([0, 1, 4], 3, 2)
    [0, 1, 2]
    """
    return _passed([w[0] + service, *w[1:]], gap)


def workloads(jobs: Iterable[Job], size: int, start: Sequence[Number] | None = None) -> list[Vector]:
    """[W_0, W_1, ..., W_n]: the recurrence (2) from an empty system, or from ``start``."""
    found: list[Vector] = [list(start) if start is not None else [0] * size]
    for job in jobs:
        found.append(step(found[-1], job))
    return found


def loynes(past: Sequence[Job], size: int) -> list[Vector]:
    """[M_0, M_1, ..., M_n] of (4), where ``past[k-1]`` is xi_{-k}: M_k starts empty with job -k.

    >>> loynes([Job(1, 3, 1), Job(2, 2, 1), Job(1, 9, 1)], 2)
    [[0, 0], [0, 2], [0, 3], [8, 11]]
    """
    return [workloads(reversed(past[:k]), size)[-1] for k in range(len(past) + 1)]


def pile(jobs: Iterable[Job], size: int) -> list[Vector]:
    """[H_0, H_1, ...] of (7): all jobs are there at the beginning; their ``gap`` is not read.

    >>> pile([Job(1, 2, 0), Job(1, 1, 0), Job(2, 3, 0)], 2)
    [[0, 0], [0, 2], [1, 2], [5, 5]]
    """
    found: list[Vector] = [[0] * size]
    for job in jobs:
        found.append(reorder(_started(found[-1], job.servers, job.service)))
    return found


def last_activity(times: Sequence[Number], jobs: Sequence[Job], size: int) -> Number:
    """X_[m,n] of Theorem 4.2: T_n + max(W^{alpha_n} + sigma_n, W^s), where jobs m..n alone arrive, at ``times``.

    The gaps are those between the times: the jobs' own are not read.

    >>> last_activity([0, 1], [Job(1, 5, 0), Job(1, 1, 0)], 2)
    5
    """
    w = arrive(times, jobs, size)[-1]
    return times[-1] + max(waiting(jobs[-1].servers, w) + jobs[-1].service, w[-1])


def arrive(times: Sequence[Number], jobs: Sequence[Job], size: int) -> list[Vector]:
    """[W_[m,m], ..., W_[m,n]]: what each of the jobs m..n, arriving at ``times``, finds.

    Raises:
        ValueError: the times decrease, or are not one a job.
    """
    if len(times) != len(jobs) or not jobs:
        raise ValueError(f"{len(times)} times for {len(jobs)} jobs")
    gaps = [after - before for before, after in pairwise(times)]
    if any(gap < 0 for gap in gaps):
        raise ValueError("arrival times decrease")
    timed = (job._replace(gap=gap) for job, gap in zip(jobs, gaps, strict=False))
    return workloads(timed, size)


# --- section 9.1: requests for specific servers --------------------------------------------------


def specific_step_printed(w: Sequence[Number], job: Specific, absent: Number | None = None) -> Vector:
    """Equation (14) as printed: servers that the job does not use keep their workload.

    Args:
        w: ordered workload.
        job: ``chosen`` is the printed S, as positions in the ordered vector.
        absent: what to read for W^{i*} where i* = inf{i : k(i) = alpha} is the infimum of an empty set
            (alpha = 0 and the first server is not in S).

    Raises:
        NotDefined: i* is needed, is undefined, and nothing is to be read for it.

    A later job can start before this one does, on a server that this one left as it was:

    >>> w = specific_step_printed([0, 0, 5], Specific(1, frozenset({3}), 1, 0))    # starts at 5
    >>> w, waiting(1, w)
    ([0, 6, 6], 0)
    """
    size = len(w)
    _check_specific(job, size)
    count = [sum(1 for j in range(1, i + 1) if j not in job.chosen) for i in range(1, size + 1)]  # k(S, i)
    places = [i for i in range(1, size + 1) if count[i - 1] == job.servers]
    if places:
        star: Number = w[places[0] - 1]
    elif absent is None:
        raise NotDefined("i* = inf{i: k(S, i) = 0}: no i has k(S, i) = 0 when server 1 is not in S")
    else:
        star = absent
    start = max([star, *(w[j - 1] for j in job.chosen)])
    used = [i in job.chosen or count[i - 1] <= job.servers for i in range(1, size + 1)]
    raised = [start if uses else x for uses, x in zip(used, w, strict=True)]
    return _passed([v + job.service if uses else v for uses, v in zip(used, raised, strict=True)], job.gap)


def specific_positions(job: Specific, size: int) -> list[int]:
    """The positions of the servers that a job of section 9.1 takes: S, and the first alpha outside it.

    >>> specific_positions(Specific(2, frozenset({1, 4}), 1, 1), 5)
    [1, 2, 3, 4]
    """
    _check_specific(job, size)
    others = [i for i in range(1, size + 1) if i not in job.chosen]
    return sorted([*job.chosen, *others[: job.servers]])


def specific_step(w: Sequence[Number], job: Specific) -> Vector:
    """Equation (14) corrected: the job starts when the last of its servers is free, and no later job before it.

    Every server is raised to at least the start, whether the job uses it or not; a job that takes only
    specific servers (alpha = 0) starts when they are free.

    >>> specific_step([0, 0, 5], Specific(1, frozenset({3}), 1, 0))
    [5, 6, 6]
    """
    return _held(w, specific_positions(job, len(w)), job.service, job.gap)


# --- section 9.2: several types of resources -----------------------------------------------------


def typed_step_printed(w: Sequence[Sequence[Number]], job: Typed, absent: Number | None = None) -> list[Vector]:
    """Equation (15) as printed: servers that the job does not use keep their workload.

    Args:
        w: an ordered workload a type.
        job: how many servers of each type it takes, 0 allowed.
        absent: what to read for W_j^{alpha^j} where alpha^j = 0.

    Raises:
        NotDefined: some alpha^j is 0 and nothing is to be read for W_j^0.

    >>> typed_step_printed([[3], [0, 0]], Typed((1, 1), 2, 1))
    [[4], [0, 4]]
    """
    start = _typed_start(w, job, absent)
    return [
        _passed([start + job.service if i < alpha else x for i, x in enumerate(part)], job.gap)
        for alpha, part in zip(job.servers, w, strict=True)
    ]


def typed_step(w: Sequence[Sequence[Number]], job: Typed) -> list[Vector]:
    """Equation (15) corrected: every server of every type is raised to at least the start of the job.

    >>> typed_step([[3], [0, 0]], Typed((1, 1), 2, 1))
    [[4], [2, 4]]
    """
    start = _typed_start(w, job, 0)
    return [
        _passed([start + job.service if i < alpha else max(start, x) for i, x in enumerate(part)], job.gap)
        for alpha, part in zip(job.servers, w, strict=True)
    ]


def typed_waiting(w: Sequence[Sequence[Number]], servers: Sequence[int]) -> Number:
    """The wait of a job that needs ``servers[j]`` servers of type j: the largest W_j^{alpha^j} with alpha^j > 0."""
    return max((waiting(alpha, part) for alpha, part in zip(servers, w, strict=True) if alpha), default=0)


# --- inside --------------------------------------------------------------------------------------


def _position(alpha: int, w: Sequence[Number]) -> int:
    if not 1 <= alpha <= len(w):
        raise ValueError(f"a job needs 1 to {len(w)} servers, not {alpha}")
    return alpha - 1


def _started(w: Sequence[Number], alpha: int, service: Number) -> Vector:
    """S(alpha, W) + sigma L(alpha)."""
    return [x + service * one for x, one in zip(synchronize(alpha, w), leading(alpha, len(w)), strict=True)]


def _passed(w: Iterable[Number], gap: Number) -> Vector:
    """R(w - tau U)^+."""
    return reorder(max(x - gap, 0) for x in w)


def _held(w: Sequence[Number], positions: Collection[int], service: Number, gap: Number) -> Vector:
    start = max((w[i - 1] for i in positions), default=0)
    raised = (max(x, start) if i not in positions else start + service for i, x in enumerate(w, 1))
    return _passed(raised, gap)


def _check_specific(job: Specific, size: int) -> None:
    if any(not 1 <= i <= size for i in job.chosen):
        raise ValueError(f"specific servers {sorted(job.chosen)} are not all in 1..{size}")
    if job.servers < 0 or job.servers + len(job.chosen) > size:
        raise ValueError(f"{job.servers} + {len(job.chosen)} servers asked of {size}")


def _typed_start(w: Sequence[Sequence[Number]], job: Typed, absent: Number | None) -> Number:
    """The largest W_j^{alpha^j}."""
    found: list[Number] = []
    for alpha, part in zip(job.servers, w, strict=True):
        if alpha:
            found.append(waiting(alpha, part))
        elif absent is None:
            raise NotDefined("W_j^0: alpha^j may be 0, and the ordered vectors begin with W_j^1")
        else:
            found.append(absent)
    return max(found)
