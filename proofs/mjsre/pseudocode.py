r"""Algorithms 1 and 2 of the multiserver-job paper, run line by line as printed, and corrected.

Algorithm 1 draws a sub-perfect sample of the stationary workload by doubling the past it looks at;
Algorithm 2 estimates the threshold of stability from the growth of the pile.  Each printed line is a line of
code here, numbered; what the printed text leaves undefined raises :class:`Undefined` or is read as the
caller says.  The corrected versions are short and slow: they are what the fast drivers are compared with.
Source: the paper named in :mod:`asymp.papers.mjsre.recurrence`, sections 4.4 and 5.

>>> past = {1: Job(1, 3, 1), 2: Job(2, 2, 1), 3: Job(1, 1, 5), 4: Job(1, 1, 1)}     # job -1, -2, ...
>>> algorithm_1(1, past.__getitem__, 2).lengths
(1, 2, 4)
>>> algorithm_1(1, past.__getitem__, 2).returned
[0, 3]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from asymp.papers.mjsre.recurrence import Job, Number, Vector, pile, reorder, step, synchronize, workloads

Sampler = Callable[[int], Job]
"""Answers job number n: of the past in Algorithm 1, of the future in Algorithm 2."""
Comparison = Callable[[Sequence[Number], Sequence[Number]], bool]


class Undefined(ValueError):
    """A printed line uses a variable that no earlier line has set."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what} is not defined")
        self.line = line


@dataclass(frozen=True)
class Trace:
    """A run: what it returned (None if it was cut short), l at each pass, and what each pass sampled and found."""

    returned: Vector | None
    lengths: tuple[int, ...]
    sampled: tuple[tuple[int, ...], ...]
    found: tuple[Vector, ...]


def some_larger(new: Sequence[Number], old: Sequence[Number]) -> bool:
    """``new > old`` in the coordinatewise order: nowhere smaller, somewhere larger."""
    return all(a >= b for a, b in zip(new, old, strict=True)) and list(new) != list(old)


def all_larger(new: Sequence[Number], old: Sequence[Number]) -> bool:
    """``new > old`` read in every coordinate."""
    return all(a > b for a, b in zip(new, old, strict=True))


def algorithm_1_printed(
    ell: int,
    sample: Sampler,
    size: int,
    read: Callable[[int], Job | None] | None = None,
    greater: Comparison = some_larger,
    most: int = 12,
) -> Trace:
    """Algorithm 1, PerfectSampleLB(l), as printed.

    Args:
        ell: the printed l.
        sample: answers (alpha, sigma, tau) of job -n; each job is asked for once at most.
        size: the number of servers.
        read: what to read for a job that is used and was never sampled (None: leave it out).  Without it
            the use of one is an error.
        greater: the printed comparison of two vectors, ``M* > M^max``.
        most: passes after which the run is cut short.

    Raises:
        Undefined: line 12 uses a job that no line has sampled.

    >>> algorithm_1_printed(2, lambda n: Job(1, 3, 1), 2)
    Traceback (most recent call last):
    ...
    asymp.papers.mjsre.pseudocode.Undefined: line 12: (alpha, sigma, tau) of job 0 is not defined
    """
    drawn: dict[int, Job] = {}
    lengths, sampled, found = list[int](), list[tuple[int, ...]](), list[Vector]()
    ell_prev = 0  # line 2
    m_max: Vector = [-math.inf] * size  # line 3
    convergence = False  # line 4
    while not convergence:  # lines 5 and 22: do ... while not Convergence
        for n in range(ell_prev + 1, ell + 1):  # line 6
            drawn[n] = sample(n)  # lines 7 and 8
        lengths.append(ell)
        sampled.append(tuple(range(ell_prev + 1, ell + 1)))
        m: Vector = [0] * size  # line 10
        for j in range(ell, -1, -1):  # line 11: for j <- l downto 0
            if j not in drawn and read is None:
                raise Undefined(12, f"(alpha, sigma, tau) of job {-j}")
            job = drawn[j] if j in drawn else read(j) if read else None
            m = step(m, job) if job is not None else m  # line 12
        m_star = m  # line 14
        found.append(m_star)
        if greater(m_star, m_max):  # line 15
            m_max = m_star  # line 16
            ell = ell * 2  # line 17
            ell_prev = ell  # line 18: l is the doubled one by now
        else:  # line 19
            convergence = True  # line 20
        if len(lengths) >= most and not convergence:
            return Trace(None, tuple(lengths), tuple(sampled), tuple(found))
    return Trace(m_max, tuple(lengths), tuple(sampled), tuple(found))  # line 23


def algorithm_1(ell: int, sample: Sampler, size: int, most: int = 20) -> Trace:
    """Algorithm 1 corrected: l_prev takes the old l, and the pass ends with job -1.

    It returns the first M_l = M_{2l} among l, 2l, 4l, ...; None where ``most`` passes do not reach it.

    >>> algorithm_1(2, lambda n: Job(1, 1, 2), 1)
    Trace(returned=[0], lengths=(2, 4), sampled=((1, 2), (3, 4)), found=([0], [0]))
    """
    drawn: list[Job] = []
    lengths, sampled, found = list[int](), list[tuple[int, ...]](), list[Vector]()
    m_max: Vector = [-math.inf] * size
    for _ in range(most):
        new = range(len(drawn) + 1, ell + 1)
        drawn += [sample(n) for n in new]
        lengths.append(ell)
        sampled.append(tuple(new))
        found.append(workloads(reversed(drawn), size)[-1])
        if found[-1] == m_max:
            return Trace(m_max, tuple(lengths), tuple(sampled), tuple(found))
        m_max, ell = found[-1], 2 * ell
    return Trace(None, tuple(lengths), tuple(sampled), tuple(found))


def algorithm_2_printed(
    ell: int, epsilon: Any, sample: Sampler, size: int, read_current: bool = False, most: int = 40
) -> tuple[Number, Trace]:
    """Algorithm 2, Stability(l, epsilon), as printed: (1/gamma_cur, trace).

    Args:
        ell: the printed l.
        epsilon: the printed tolerance.
        sample: answers job n; its gap is not read.
        size: the number of servers.
        read_current: read the undefined l_cur as l.
        most: passes after which the run is cut short.

    Raises:
        Undefined: l_cur of line 14, unless it is read as l.

    >>> algorithm_2_printed(8, 0.001, lambda n: Job(1, 1, 0), 3)
    Traceback (most recent call last):
    ...
    asymp.papers.mjsre.pseudocode.Undefined: line 14: l_cur is not defined

    The pile of one-server jobs grows by 1/3 a job; every tolerance gets the answer of the first 8 jobs:

    >>> from fractions import Fraction
    >>> one = Fraction(1)
    >>> [algorithm_2_printed(8, eps, lambda n: Job(1, one, 0), 3, True)[0] for eps in (0.1, 1e-9)]
    [Fraction(8, 3), Fraction(8, 3)]
    """
    alpha: dict[int, int] = {}
    sigma: dict[int, Number] = {}
    lengths, sampled, found = list[int](), list[tuple[int, ...]](), list[Vector]()
    ell_prev = 0  # line 2
    gamma_cur: Any = 0  # line 3
    gamma_prev: Any = -math.inf  # line 4
    m: Vector = [0] * size  # line 5
    while abs(gamma_cur - gamma_prev) > epsilon and len(lengths) < most:  # line 6
        gamma_prev = gamma_cur  # line 7
        for n in range(ell_prev + 1, ell + 1):  # line 8
            alpha[n], sigma[n], _ = sample(n)  # line 9
        for n in range(ell_prev + 1, ell + 1):  # line 11
            raised = enumerate(synchronize(alpha[n], m), 1)
            m = reorder(x + sigma[n] if i <= alpha[n] else x for i, x in raised)  # line 12
        lengths.append(ell)
        sampled.append(tuple(range(ell_prev + 1, ell + 1)))
        found.append(m)
        if not read_current:
            raise Undefined(14, "l_cur")
        ell_cur = ell
        gamma_cur = m[-1] / ell_cur  # line 14
        ell_prev = ell_cur  # line 15: and l stays what it was
    return 1 / gamma_cur, Trace(m, tuple(lengths), tuple(sampled), tuple(found))  # line 17


def algorithm_2(ell: int, epsilon: Any, sample: Sampler, size: int, most: int = 20) -> tuple[Number, Trace]:
    """Algorithm 2 corrected: l doubles from pass to pass, as section 7.5 says that it does.

    The difference of two passes is no bound on the error.  Here the threshold is 3; from l = 9 it is found at
    once, but the piles of 8 and 16 jobs happen to have the same slope, which stops it for every tolerance:

    >>> from fractions import Fraction
    >>> [algorithm_2(ell, 0, lambda n: Job(1, Fraction(1), 0), 3)[0] for ell in (9, 8)]
    [Fraction(3, 1), Fraction(8, 3)]
    """
    lengths, sampled, found = list[int](), list[tuple[int, ...]](), list[Vector]()
    jobs: list[Job] = []
    gamma: Any = 0
    for _ in range(most):
        new = range(len(jobs) + 1, ell + 1)
        jobs += [sample(n) for n in new]
        lengths.append(ell)
        sampled.append(tuple(new))
        found.append(pile(jobs, size)[-1])
        before, gamma = gamma, found[-1][-1] / ell
        if abs(gamma - before) <= epsilon:
            break
        ell *= 2
    return 1 / gamma, Trace(found[-1], tuple(lengths), tuple(sampled), tuple(found))
