"""The farm of processor-sharing servers with finite buffers, from the routing rule (1) and the generators (2), (7), (71).

Every rate is an exact Fraction, for few servers.  The stationary law comes from the generator by elimination; nothing here
knows a product form.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.elimination import Elimination, rational

Vector = tuple[int, ...]
Rates = dict[Any, dict[Any, Fraction]]


def stationary(rates: Rates) -> dict[Any, Fraction]:
    """The stationary law of an irreducible chain in continuous time: of what jumps at twice its highest rate, and mostly stays."""
    states = list(rates)
    place = {state: k for k, state in enumerate(states)}
    pace = 2 * max(sum(row.values(), Fraction(0)) for row in rates.values())
    rows = []
    for state, row in rates.items():
        out = sum(row.values(), Fraction(0))
        rows.append({place[s]: rate / pace for s, rate in row.items()} | {place[state]: 1 - out / pace})
    return dict(zip(states, Elimination(rows).stationary(), strict=True))


def occupations(theta: int, n: int) -> Iterator[Vector]:
    """S: all s = (s_0, ..., s_theta) of sum n, s_i the number of servers with i jobs."""
    for bars in itertools.combinations(range(n + theta), theta):
        ends = (-1, *bars, n + theta)
        yield tuple(ends[k + 1] - ends[k] - 1 for k in range(theta + 1))


def moved(state: Vector, down: int, up: int) -> Vector:
    """The state with one less in one place and one more in another."""
    found = list(state)
    found[down] -= 1
    found[up] += 1
    return tuple(found)


def arrival_rate(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """(6): the rate at which jobs are routed to servers with i jobs."""
    total = sum(k * count for k, count in enumerate(state))
    return lam * (theta - i) * state[i] / (n * theta - total) if total < n * theta else Fraction(0)


def farm(theta: int, n: int, rho: Any, routing: Callable[..., Fraction] = arrival_rate) -> Rates:
    """(7): the rates of S^(n), with lambda = n rho and speed 1."""
    lam = n * rational(rho, "rho")
    found: Rates = {}
    for state in occupations(theta, n):
        row = found.setdefault(state, {})
        for i in range(1, theta + 1):
            if state[i - 1] and (rate := routing(i - 1, state, theta, n, lam)):
                row[moved(state, i - 1, i)] = rate
            if state[i]:
                row[moved(state, i, i - 1)] = Fraction(state[i])
    return found


@lru_cache(maxsize=256)
def farm_law(theta: int, n: int, rho: Any) -> dict[Vector, Fraction]:
    """pi^(n), from the generator alone."""
    return stationary(farm(theta, n, rho))


# --- section 2: any buffers and speeds ----------------------------------------------------------------


def routed(i: int, x: Vector, theta: Vector) -> Fraction:
    """(1): the probability that a job is routed to server i."""
    free = sum(theta) - sum(x)
    return Fraction(theta[i] - x[i], free) if free else Fraction(0)


def shifted(x: Vector, i: int, by: int) -> Vector:
    """x + by e_i."""
    return (*x[:i], x[i] + by, *x[i + 1 :])


def servers(theta: Vector, lam: Any, mu: tuple[Any, ...]) -> Rates:
    """(2): the rates of X, the numbers of jobs at servers with buffers theta and speeds mu."""
    lam, speeds = rational(lam, "lambda"), [rational(one, "mu") for one in mu]
    found: Rates = {}
    for x in itertools.product(*(range(one + 1) for one in theta)):
        row = found.setdefault(x, {})
        for i in range(len(theta)):
            if x[i]:
                row[shifted(x, i, -1)] = speeds[i]
            if rate := lam * routed(i, x, theta):
                row[shifted(x, i, 1)] = rate
    return found


@lru_cache(maxsize=256)
def servers_law(theta: Vector, lam: Any, mu: tuple[Any, ...]) -> dict[Vector, Fraction]:
    """pi of (4), from the generator alone."""
    return stationary(servers(theta, lam, mu))


# --- other policies, and other sizes --------------------------------------------------------------------


def shortest(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """JSQ: to a server with the fewest jobs."""
    return lam if i == next(k for k in range(theta + 1) if state[k]) else Fraction(0)


def idle_first(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """JIQ: to an idle server; if there is none, to any server, where a full one blocks the job."""
    return lam * (i == 0) if state[0] else lam * state[i] / n


def anywhere(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """To any server, where a full one blocks the job."""
    return lam * state[i] / n


def not_full(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """To any server that is not full."""
    return lam * state[i] / (n - state[theta]) if state[theta] < n else Fraction(0)


def longest(i: int, state: Vector, theta: int, n: int, lam: Fraction) -> Fraction:
    """To the fullest server that is not full."""
    return lam if i == next((k for k in range(theta - 1, -1, -1) if state[k]), None) else Fraction(0)


POLICIES = (arrival_rate, shortest, idle_first, anywhere, not_full, longest)


def recurrent(rates: Rates, start: Vector) -> list[Vector]:
    """The states that are reached from the empty farm, to which all lead back."""
    found = [start]
    for s in found:
        found += [r for r in rates[s] if r not in found]
    return found


def two_phase(theta: int, n: int, rho: Any, share: Any, rate: Any) -> Rates:
    """The rates with sizes that are exponential of rate r with a probability, of another rate otherwise, and mean 1.

    A server's state is the number of jobs of each kind; its speed 1 is shared by all of them.
    """
    lam, share, rate = n * rational(rho, "rho"), rational(share, "p"), rational(rate, "r")
    other = (1 - share) / (1 - share / rate)
    kinds = [(a, b) for a in range(theta + 1) for b in range(theta + 1 - a)]
    found: Rates = {}
    for state in itertools.product(kinds, repeat=n):
        row = found.setdefault(state, {})
        counts = tuple(sum(one) for one in state)
        for k, (a, b) in enumerate(state):
            into = lam * routed(k, counts, (theta,) * n)
            moves = (((a + 1, b), into * share), ((a, b + 1), into * (1 - share)),
                     ((a - 1, b), rate * a / (a + b) if a else 0), ((a, b - 1), other * b / (a + b) if b else 0))  # fmt: skip
            for target, speed in moves:
                if speed:
                    row[(*state[:k], target, *state[k + 1 :])] = Fraction(speed)
    return found


# --- section 6: servers of several speeds ----------------------------------------------------------------


@lru_cache(maxsize=64)
def typed_law(n1: int, theta1: int, c1: Any, n2: int, theta2: int, c2: Any, rho: Any) -> dict[tuple[Vector, Vector], Fraction]:
    """The stationary law of the farm of (71) with two types of servers, from its generator."""
    lam, speeds = (n1 + n2) * rational(rho, "rho"), (rational(c1, "c1"), rational(c2, "c2"))
    found: Rates = {}
    for state in itertools.product(occupations(theta1, n1), occupations(theta2, n2)):
        row = found.setdefault(state, {})
        free = sum((len(part) - 1 - k) * count for part in state for k, count in enumerate(part))
        for j, part in enumerate(state):
            for i in range(1, len(part)):
                ends = [(i - 1, i, lam * (len(part) - i) * part[i - 1] / free if part[i - 1] else 0), (i, i - 1, speeds[j] * part[i])]
                for down, up, rate in ends:
                    if rate:
                        target = moved(part, down, up)
                        row[(target, state[1]) if j == 0 else (state[0], target)] = Fraction(rate)
    return stationary(found)
