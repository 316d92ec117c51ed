"""The two-class multiserver-job system: its saturated law as a product, exactly, and its open queue.

A job of class i needs n_i of the n servers at once for a time Exp(mu_i), n_1 < n_2 <= n, and is of class 1 with
probability p_1, first come first served.  In saturation jobs wait without end.  Grosof, Harchol-Balter and
Scheller-Wolf (2020) have its stationary law as a product: there is one state s_1(a) for each number a of class 1 jobs in
service, with as many of class 2 as fit beside, b(a), and a blocked one of class 2 if one of class 1 would fit (h = 1);
s_2(b) has b of class 2 and none blocked.  With f_i the probabilities that the next completion is of class i
(Theorems 4.1 and 4.2), the law over completions is

``pi(h, a, b) ~ p1^a p2^(b+h) / (f_1(s_1(1)) ... f_1(s_1(a)) f_2(s_2(1)) ... f_2(s_2(b)))``

and the law in time is that over the rate of completions.  That is a theorem, checked in the tests against
:mod:`asymp.queues.saturated`, which solves the chain generated from the rules.  The open queue
(:func:`open_two_class`) is generated from the rules too and knows no product form: its mean drift decides stability.

>>> throughput(1, 2, 2, "1/2", 1, 1), wastage(1, 2, 2, "1/2", 1, 1), utilization(1, 2, 2, "1/2", 1, 1)
(Fraction(8, 7), Fraction(2, 7), Fraction(6, 7))
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import NamedTuple

from asymp.elimination import rational
from asymp.enclosure import Enclosure
from asymp.queues.open_queue import OpenQueue
from asymp.queues.rules import JobClass, Rules


class Saturated(NamedTuple):
    """A state of the saturated system with its weight over completions, up to one factor."""

    blocked: int
    first: int
    second: int
    weight: Fraction


class TwoClass:
    """The system with its parameters; every quantity an exact Fraction.

    Args:
        n1: servers that a class 1 job needs.
        n2: servers that a class 2 job needs, at most n; not below n1.  The product form holds for n1 = n2 too, of classes
            that differ in their rates; the functions below, in the paper's model, want n1 < n2.
        n: servers.
        p1: the probability of class 1, strictly between 0 and 1, exact.
        mu1: service rate of class 1 (jobs a unit of time), exact.
        mu2: service rate of class 2, exact.

    Raises:
        ValueError: a parameter is out of range.
        TypeError: a parameter is not exact.
    """

    def __init__(self, n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> None:
        for name, count in (("n1", n1), ("n2", n2), ("n", n)):
            if isinstance(count, bool) or not isinstance(count, int):
                raise TypeError(f"{name} must be an integer, not {count!r}")
        if not 1 <= n1 <= n2 <= n:
            raise ValueError(f"n1={n1}, n2={n2}, n={n}: want 1 <= n1 < n2 <= n")
        self.n1, self.n2, self.n = n1, n2, n
        self.p1, self.mu1, self.mu2 = rational(p1, "p1"), rational(mu1, "mu1"), rational(mu2, "mu2")
        if not 0 < self.p1 < 1:
            raise ValueError(f"p1={p1}: must lie strictly between 0 and 1")
        for name, rate in (("mu1", self.mu1), ("mu2", self.mu2)):
            if rate <= 0:
                raise ValueError(f"{name}={rate}: must be positive")

    def rules(self) -> Rules:
        """The system in its rules."""
        classes = JobClass(self.n1, self.mu1, self.p1), JobClass(self.n2, self.mu2, 1 - self.p1)
        return Rules(self.n, classes)

    def states(self) -> Iterator[Saturated]:
        """The states s_1(0), s_1(1), ... with the weights of Theorem 4.1.

        >>> [state[:3] for state in TwoClass(3, 10, 30, "1/2", 1, 1).states()][3:6]
        [(0, 3, 2), (1, 4, 1), (1, 5, 1)]
        """
        p2 = 1 - self.p1
        seconds = [Fraction(1)]  # p2^b over f_2(s_2(1)) ... f_2(s_2(b))
        for j in range(1, self.n // self.n2 + 1):
            beside = (self.n - j * self.n2) // self.n1
            seconds.append(seconds[-1] * p2 * (1 + beside * self.mu1 / (j * self.mu2)))
        firsts = Fraction(1)
        for a in range(self.n // self.n1 + 1):
            b = (self.n - a * self.n1) // self.n2
            if a:
                firsts *= self.p1 * (1 + b * self.mu2 / (a * self.mu1))
            blocked = self.n - a * self.n1 - b * self.n2 >= self.n1
            yield Saturated(int(blocked), a, b, firsts * seconds[b] * (p2 if blocked else 1))

    @cached_property
    def means(self) -> tuple[Fraction, Fraction]:
        """(completions a unit of time, mean number of busy servers), in time.

        >>> TwoClass(1, 1, 4, "1/2", 1, 3).means[1]   # every job fits
        Fraction(4, 1)
        """
        mass = time = busy = Fraction(0)
        for state in self.states():
            stay = state.weight / (state.first * self.mu1 + state.second * self.mu2)
            mass, time = mass + state.weight, time + stay
            busy += stay * (state.first * self.n1 + state.second * self.n2)
        return mass / time, busy / time


@lru_cache(maxsize=4096)
def _system(n1: int, n2: int, n: int, p1: Fraction, mu1: Fraction, mu2: Fraction) -> TwoClass:
    return TwoClass(n1, n2, n, p1, mu1, mu2)


def _of(n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> TwoClass:
    checked = TwoClass(n1, n2, n, p1, mu1, mu2)
    if n1 == n2:
        raise ValueError(f"n1={n1}, n2={n2}, n={n}: want 1 <= n1 < n2 <= n")
    return _system(n1, n2, n, checked.p1, checked.mu1, checked.mu2)


def throughput(n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> Fraction:
    """X, the completions a unit of time in saturation (arguments as :class:`TwoClass`)."""
    return _of(n1, n2, n, p1, mu1, mu2).means[0]


def wastage(n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> Fraction:
    """The mean number of idle servers in saturation (arguments as :class:`TwoClass`).

    >>> wastage(1, 2, 3, "1/2", 1, 1) + 3 * utilization(1, 2, 3, "1/2", 1, 1)
    Fraction(3, 1)
    """
    return n - _of(n1, n2, n, p1, mu1, mu2).means[1]


def utilization(n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> Fraction:
    """The mean share of the servers that are busy in saturation (arguments as :class:`TwoClass`)."""
    return _of(n1, n2, n, p1, mu1, mu2).means[1] / n


# --- the open queue ---------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _open(system: TwoClass, rate: Fraction) -> OpenQueue:
    return OpenQueue(system.rules(), rate)


def open_two_class(lam: object, n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> OpenQueue:
    """The queue with Poisson arrivals of rate ``lam`` (arguments else as :class:`TwoClass`).

    Raises:
        ValueError: also for a rate that is not positive.

    >>> queue = open_two_class("8/7", 1, 2, 2, "1/2", 1, 1)
    >>> queue.drift[0] == queue.drift[1], queue.recurrence
    (True, 'null recurrent')
    """
    rate = rational(lam, "lam")
    if rate <= 0:
        raise ValueError(f"lam={rate}: must be positive")
    return _open(_of(n1, n2, n, p1, mu1, mu2), rate)


def is_stable(lam: object, n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object) -> bool:
    """Whether the open queue is positive recurrent, by the sign of its mean drift, exactly; the product form is not used.

    >>> is_stable("1.14", 1, 2, 2, "1/2", 1, 1), is_stable("8/7", 1, 2, 2, "1/2", 1, 1)
    (True, False)
    """
    return open_two_class(lam, n1, n2, n, p1, mu1, mu2).is_stable


def mean_number(lam: object, n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object, digits: int = 20) -> Enclosure:
    """E[Q], the stationary mean number of jobs in the open queue, certified.

    Raises:
        ValueError: the queue is not stable.
        Undecided: not certified to so many digits.

    >>> str(mean_number("1/2", 1, 2, 2, "1/2", 1, 1, digits=12))
    '0.850331465289 +/- 2.6e-13'
    """
    return open_two_class(lam, n1, n2, n, p1, mu1, mu2).certified_mean_number(digits)


def mean_response_time(
    lam: object, n1: int, n2: int, n: int, p1: object, mu1: object, mu2: object, digits: int = 20
) -> Enclosure:
    """E[T] = E[Q]/lam, by Little's law, certified (as :func:`mean_number`)."""
    return open_two_class(lam, n1, n2, n, p1, mu1, mu2).certified_mean_number(digits, 1 / rational(lam, "lam"))
