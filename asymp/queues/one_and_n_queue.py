"""The open 1-and-n multiserver-job queue, first come first served: waiting times at any n.

Poisson arrivals; a job needs one server with probability 1 - p, all n with probability p; service times
are exponential.  :mod:`asymp.queues.one_and_n_kernel` has the equations.  They are solved in ball
arithmetic, and every number is certified: each zero is proved to be one by Newton's operator, the linear
system is proved regular, and its solution is therefore the stationary law, whatever was guessed on the way.
The systems lose about 0.6 n bits and more, so that floats would do for some dozens of servers only.  One
load of n = 256 takes 5 seconds of one core, n = 400 takes 15: the linear system is O(n^3), the rest O(n^2).

What is asked of the waits follows from the distributional form of Little's law.  The jobs that have not
come forward when a small job starts are those that came during its wait, so that their generating function
U(z) is the transform E exp(-s W) of a small job's wait at s = lambda (1 - z).  A big job comes forward
likewise and may then be blocked; with V the part of U where one is, the transform of all waits is
U - (1 - z) V.

>>> queue = OneAndNQueue(1, "0.5", 1, 1, "0.75")   # M/M/1
>>> round(queue.stationary().waiting.mean, 12), queue.capacity
(3.0, Fraction(1, 1))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, TypeVar

from asymp.elimination import rational
from asymp.enclosure import systems
from asymp.enclosure.enclose import Enclosure
from asymp.enclosure.numbers import Undecided
from asymp.queues import one_and_n_kernel as equations
from asymp.queues.one_and_n_kernel import Parameters
from asymp.queues.rules import one_and_n_rules

Number = TypeVar("Number")
CAP_BITS = 4096
"""Working precision at which certified digits are given up."""


@dataclass(frozen=True)
class Wait(Generic[Number]):
    """The stationary waiting time, from arrival to start of service, of one kind of job."""

    mean: Number
    variance: Number
    none: Number
    """The probability that there is no wait."""


@dataclass(frozen=True)
class Stationary(Generic[Number]):
    """Stationary means of the queue."""

    waiting: Wait[Number]
    """of all jobs"""
    small: Wait[Number]
    """of jobs that need one server"""
    big: Wait[Number]
    """of jobs that need all"""
    number_in_system: Number
    number_waiting: Number
    blocked: Number
    """The probability that a big job waits for servers in front of the line."""
    empty: Number
    """The probability that the system is empty."""


@dataclass(frozen=True)
class OneAndNQueue:
    """The queue; all numbers are exact (int, Fraction, decimal string).

    Args:
        servers: n.
        p: probability that a job needs all servers, strictly between 0 and 1.
        mu1: service rate of a job that needs one server.
        mun: service rate of a job that needs all.
        arrival_rate: jobs a unit of time.

    Raises:
        ValueError: a parameter is out of range, or the queue is not stable.
        TypeError: a parameter is not exact.

    >>> OneAndNQueue(2, "0.5", 1, 1, "1.2")
    Traceback (most recent call last):
    ...
    ValueError: unstable: arrival rate 1.2 is not below the saturated throughput 1.14286
    """

    servers: int
    p: Fraction
    mu1: Fraction
    mun: Fraction
    arrival_rate: Fraction

    def __init__(self, servers: int, p: object, mu1: object, mun: object, arrival_rate: object) -> None:
        if isinstance(servers, bool) or not isinstance(servers, int):
            raise TypeError(f"servers must be an integer, not {servers!r}")
        one_and_n_rules(servers, p, mu1, mun)
        for name, value in (("p", p), ("mu1", mu1), ("mun", mun), ("arrival_rate", arrival_rate)):
            object.__setattr__(self, name, rational(value, name))
        object.__setattr__(self, "servers", servers)
        if self.arrival_rate <= 0:
            raise ValueError(f"the arrival rate must be positive, not {self.arrival_rate}")
        if self.arrival_rate >= self.capacity:
            rate, most = float(self.arrival_rate), float(self.capacity)
            raise ValueError(f"unstable: arrival rate {rate:.6g} is not below the saturated throughput {most:.6g}")

    @cached_property
    def capacity(self) -> Fraction:
        """The saturated throughput, exactly: the queue is stable iff the arrival rate is below it."""
        return capacity(self.servers, self.p, self.mu1, self.mun)

    @property
    def load(self) -> Fraction:
        """The arrival rate over the capacity."""
        return self.arrival_rate / self.capacity

    @property
    def mean_service(self) -> Fraction:
        """The mean service time of a job."""
        return (1 - self.p) / self.mu1 + self.p / self.mun

    @cached_property
    def _zeros(self) -> tuple[list[complex], float]:
        numbers = (self.p, 1 - self.p, self.mu1, self.mun, self.arrival_rate)
        return equations.approximate_zeros(Parameters(self.servers, *(float(x) for x in numbers)))

    def stationary(self) -> Stationary[float]:
        """The stationary means in floats, from certified numbers."""
        return _map(self.enclose(16), lambda item: float(item.value))

    def enclose(self, digits: int = 12) -> Stationary[Enclosure]:
        """Every number certified to ``digits`` digits.

        Raises:
            Undecided: not within the precision cap.
        """
        bits = int(digits * 3.33) + 100 + self.servers * 3 // 5  # what these systems lose, as found by trial
        while True:
            try:
                with systems.precision(bits):
                    return _map(self._in_balls(), lambda value: systems.enclosure(value, digits))
            except Undecided:
                bits += bits // 2
                if bits > CAP_BITS:
                    raise

    def _in_balls(self) -> Stationary[Any]:
        ball = systems.ball_of
        numbers = (self.p, 1 - self.p, self.mu1, self.mun, self.arrival_rate)
        queue = Parameters(self.servers, *(ball(x) for x in numbers))
        starts, size = self._zeros
        scale = ball(Fraction(size))
        zeros = [systems.complex_zero(lambda z: equations.kernel(queue, z, scale), z) for z in starts]
        if not all(abs(z) < 1 for z in zeros):
            raise Undecided("a zero of the kernel is not certified to lie in the unit disc")
        rows = _real_rows(starts, [equations.equation(queue, z, scale) for z in zeros])
        empty = equations.empty_line(queue, rows, scale, systems.solve)
        return self._measures(queue, empty, ball)

    # --- measures --------------------------------------------------------------------------------

    def _measures(self, queue: Parameters, empty: list[Any], number: Any) -> Stationary[Any]:
        line, blocked = equations.line_series(queue, empty)
        if not (line[0] - 1).contains(0):  # the total probability, of which the equations made no use
            raise ArithmeticError(f"the probabilities sum to {line[0]}")
        p, rate = queue.p, queue.arrival_rate
        delayed = [line[0] * 0, *blocked[:-1]]  # x V, with x = 1 - z
        small = _wait(line, rate, sum(empty[1:], empty[0]))
        every = [u - v for u, v in zip(line, delayed, strict=True)]
        big = [u - v / p for u, v in zip(line, delayed, strict=True)]
        overall = _wait(every, rate, queue.q * small.none + p * empty[0])
        return Stationary(
            overall,
            small,
            _wait(big, rate, empty[0]),
            rate * (overall.mean + number(self.mean_service)),
            rate * overall.mean,
            blocked[0],
            empty[0],
        )


def capacity(servers: int, p: object, mu1: object, mun: object) -> Fraction:
    """The saturated throughput of the 1-and-n system, exactly: p times it is one over the mean cycle.

    >>> capacity(2, "0.5", 1, 1)
    Fraction(8, 7)
    """
    share, small, big = rational(p, "p"), rational(mu1, "mu1"), rational(mun, "mun")
    rest = 1 - share
    # Horner's rule: sum of rest^b/b for b < n, and rest^n/(n p).
    total = rest / (servers * share)
    for b in range(servers - 1, 0, -1):
        total = rest * (total + Fraction(1, b)) if b > 1 else rest * (total + 1)
    drain = total if servers > 1 else rest / share
    return 1 / (share * (1 / big + drain / small))


def _real_rows(zeros: list[complex], rows: list[list[Any]]) -> list[list[Any]]:
    """The real and imaginary parts of the complex equations; a real zero gives one."""
    found = []
    for zero, row in zip(zeros, rows, strict=True):
        found.append([x.real for x in row])
        if zero.imag:
            found.append([x.imag for x in row])
    return found


def _wait(transform: list[Any], rate: Any, none: Any) -> Wait[Any]:
    """From E exp(-rate x W) = c0 + c1 x + c2 x^2 + ..."""
    mean = -transform[1] / rate
    return Wait(mean, 2 * transform[2] / rate**2 - mean**2, none)


def _map(found: Stationary[Any], change: Callable[[Any], Any]) -> Stationary[Any]:
    def one(value: Any) -> Any:
        return Wait(*map(change, vars(value).values())) if isinstance(value, Wait) else change(value)

    return Stationary(*map(one, vars(found).values()))
