"""The system of n servers from its words and the generator (7)-(8), for few servers: exact, or with certified bounds.

A state gives the number of jobs of each class, the sets of d of the n servers in lexicographic order.  Everything is a Fraction.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations, product
from math import comb
from typing import Any

from asymp.elimination import Elimination, rational
from asymp.papers.parallelps import clusters

State = tuple[int, ...]
Rates = dict[State, dict[State, Fraction]]


def classes(n: int, d: int) -> list[tuple[int, ...]]:
    """The sets of servers of the m = C(n, d) classes."""
    return list(combinations(range(n), d))


def queues(x: State, n: int, d: int) -> list[int]:
    """q_j: the number of jobs at each server."""
    found = [0] * n
    for count, members in zip(x, classes(n, d), strict=True):
        for j in members:
            found[j] += count
    return found


def departure(i: int, x: State, n: int, d: int) -> Fraction:
    """r_-(x) of (7): a server shares its unit speed equally among its jobs, and a job gets the sum over its servers."""
    q = queues(x, n, d)
    return x[i] * sum((Fraction(1, q[j]) for j in classes(n, d)[i]), Fraction(0)) if x[i] else Fraction(0)


def moved(x: State, i: int, by: int) -> State:
    """x + by e_i."""
    return (*x[:i], x[i] + by, *x[i + 1 :])


@lru_cache(maxsize=16)
def renamings(n: int, d: int) -> list[tuple[int, ...]]:
    """How the classes are permuted when the servers are."""
    place = {members: k for k, members in enumerate(classes(n, d))}
    return sorted({tuple(place[tuple(sorted(p[j] for j in members))] for members in classes(n, d)) for p in permutations(range(n))})


@lru_cache(maxsize=1 << 17)
def canonical(x: State, n: int, d: int) -> State:
    """One for all states that differ by the names of the servers."""
    return min(tuple(x[k] for k in p) for p in renamings(n, d))


@lru_cache(maxsize=64)
def blocked_law(n: int, d: int, lam: Fraction, most: int) -> dict[State, Fraction]:
    """The stationary law, up to names, of the system that loses the arrivals that find ``most`` jobs."""
    arrival = n * lam / comb(n, d)
    rates: Rates = {}
    todo = [(0,) * comb(n, d)]
    while todo:
        x = todo.pop()
        if x in rates:
            continue
        row = rates[x] = {}
        for i in range(len(x)):
            for by, rate in ((1, arrival if sum(x) < most else Fraction(0)), (-1, departure(i, x, n, d))):
                if rate:
                    target = canonical(moved(x, i, by), n, d)
                    row[target] = row.get(target, Fraction(0)) + rate
                    todo.append(target)
    place = {x: k for k, x in enumerate(rates)}
    pace = 2 * max(sum(row.values(), Fraction(0)) for row in rates.values())
    rows = [
        {place[y]: rate / pace for y, rate in row.items()} | {place[x]: 1 - sum(row.values(), Fraction(0)) / pace}
        for x, row in rates.items()
    ]
    return dict(zip(rates, Elimination(rows).stationary(), strict=True))


# --- certified bounds on the mean queue ------------------------------------------------------------------


def mean_queue_lower(n: int, d: int, lam: Any, most: int) -> Fraction:
    """A lower bound on E[Q^n_j(oo)]: the mean queue of the system that loses the arrivals that find ``most`` jobs.

    By the coupling of Theorem 3 a system with fewer arrivals has fewer jobs of every class.

    >>> mean_queue_lower(2, 2, Fraction(1, 2), 1), mean_queue_lower(3, 2, Fraction(1, 2), 3)
    (Fraction(1, 3), Fraction(3830, 5971))
    """
    law = blocked_law(n, d, rational(lam, "lam"), most)
    return Fraction(d, n) * sum((sum(x) * chance for x, chance in law.items()), Fraction(0))


def mean_queue_upper(n: int, d: int, lam: Any, most: int) -> Fraction:
    """An upper bound on E[Q^n_j(oo)], where n lam < d: the lower one and what beyond ``most`` jobs adds at most.

    While there are jobs at least d servers work, so that the number of jobs N is at most M, the M/M/1 queue of arrival rate n lam
    and service rate d (its departures are jobs' departures too, coupled).  In the stationary system and the one with losses, driven
    by the same arrivals, N differs only while M has been above ``most`` in its present busy period, and then by at most M.  M is
    reversible: its past since it was last empty is as its future until it is next, so that from m <= most the chance is
    (r^-m - 1)/(r^-(most + 1) - 1), the gambler's ruin with r = n lam/d.

    Raises:
        ValueError: where n lam >= d.

    >>> mean_queue_lower(2, 2, Fraction(1, 2), 12) < 1 < mean_queue_upper(2, 2, Fraction(1, 2), 12)  # M/M/1
    True
    """
    lam = rational(lam, "lam")
    r = n * lam / d
    if not r < 1:
        raise ValueError(f"n lam = {n * lam} must be below d = {d}")
    ruin = r ** -(most + 1) - 1
    extra = sum((m * (1 - r) * r**m * (r**-m - 1) / ruin for m in range(1, most + 1)), Fraction(0))
    extra += r ** (most + 1) * (most + 1 + r / (1 - r))  # the sum over m > most of m (1 - r) r^m
    return mean_queue_lower(n, d, lam, most) + Fraction(d, n) * extra


# --- what the proofs of Theorems 2 and 3 say, state by state -----------------------------------------------


def states(n: int, d: int, most: int) -> Iterator[State]:
    """All states with at most so many jobs of each class."""
    return product(range(most + 1), repeat=comb(n, d))


def busy(x: State, n: int, d: int) -> int:
    """B(x): the number of servers with jobs."""
    return sum(1 for q in queues(x, n, d) if q)


def service_differs(n: int, d: int, most: int) -> int:
    """In how many states the departure rates do not add up to B(x)."""
    return sum(1 for x in states(n, d, most) if sum((departure(i, x, n, d) for i in range(len(x))), Fraction(0)) != busy(x, n, d))


def squares(x: State, n: int, d: int) -> int:
    """Psi of (9)."""
    return sum(q * q for q in queues(x, n, d))


def drift(x: State, n: int, d: int, lam: Fraction) -> Fraction:
    """G Psi, by the definition (8) of G."""
    here, found = squares(x, n, d), Fraction(0)
    for i in range(len(x)):
        found += n * lam / len(x) * (squares(moved(x, i, 1), n, d) - here)
        if x[i]:
            found += departure(i, x, n, d) * (squares(moved(x, i, -1), n, d) - here)
    return found


def jobs_drift_differs(n: int, d: int, lam: Any, most: int) -> int:
    """In how many states G of the number of jobs, by (8), is not the rate of arrivals less the busy servers."""
    lam, wrong = rational(lam, "lam"), 0
    for x in states(n, d, most):
        found = sum((n * lam / len(x) * (sum(moved(x, i, 1)) - sum(x)) for i in range(len(x))), Fraction(0))
        found += sum((departure(i, x, n, d) * (sum(moved(x, i, -1)) - sum(x)) for i in range(len(x)) if x[i]), Fraction(0))
        wrong += found != n * lam - busy(x, n, d)
    return wrong


def drift_10_differs(n: int, d: int, lam: Any, most: int) -> int:
    """In how many states (10) is not G Psi."""
    lam, wrong = rational(lam, "lam"), 0
    for x in states(n, d, most):
        q = queues(x, n, d)
        found = d * (n * lam + busy(x, n, d))
        for i, members in enumerate(classes(n, d)):
            level = sum(q[j] for j in members)
            found += 2 * n * lam / len(x) * level
            if x[i]:
                found -= 2 * x[i] * sum(Fraction(1, q[j]) for j in members) * level
        wrong += found != drift(x, n, d, lam)
    return wrong


def drift_13_fails(n: int, d: int, lam: Any, most: int) -> int:
    """In how many states G Psi is above the bound (13)."""
    lam = rational(lam, "lam")
    return sum(
        1
        for x in states(n, d, most)
        if drift(x, n, d, lam) > 2 * d * (lam - 1) * sum(queues(x, n, d)) + d * (n * lam + busy(x, n, d))
    )


def coupling_fails(n: int, d: int, most: int) -> int:
    """Of how many pairs x <= y and classes i with x_i = y_i the rate r_-(x) is below r_-(y): Theorem 3 needs none."""
    wrong = 0
    for y in states(n, d, most):
        for x in product(*(range(one + 1) for one in y)):
            wrong += sum(1 for i in range(len(x)) if x[i] == y[i] and departure(i, x, n, d) < departure(i, y, n, d))
    return wrong


def mean_drift_differs(n: int, d: int, lam: Any, most: int) -> int:
    """In how many states G of the mean queue is not d lam - (d/n) B(x), as in the proof of Lemma 1."""
    lam, wrong = rational(lam, "lam"), 0
    for x in states(n, d, most):
        found = sum((Fraction(d, n) * (n * lam / len(x) - departure(i, x, n, d)) for i in range(len(x))), Fraction(0))
        wrong += found != d * lam - Fraction(d, n) * busy(x, n, d)
    return wrong


def unbalanced(n: int, d: int, most: int) -> int:
    """Of how many states and pairs of classes the order in which two jobs depart changes the product of the rates.

    Whittle's condition r_i(x) r_j(x - e_i) = r_j(x) r_i(x - e_j): without it the law is no product form, and not insensitive.
    """
    wrong = 0
    for x in states(n, d, most):
        for i, j in combinations([k for k in range(len(x)) if x[k]], 2):
            one = departure(i, x, n, d) * departure(j, moved(x, i, -1), n, d)
            wrong += one != departure(j, x, n, d) * departure(i, moved(x, j, -1), n, d)
    return wrong


# --- Taylor coefficients in lam ---------------------------------------------------------------------------


def limit_coefficient(k: int, d: int) -> Fraction:
    """The coefficient of lam^k of lim E[Q^n(oo)] as n -> oo (:mod:`asymp.papers.parallelps.clusters`).

    >>> limit_coefficient(3, 2)
    Fraction(19, 36)
    """
    return clusters.clusters(d, k).mean_queue()[k]


def limit_level_coefficient(level: int, k: int, d: int) -> Fraction:
    """That of lim P(Q^n(oo) = level)."""
    return clusters.clusters(d, k).queue(level)[k]


def limit_phase_coefficient(k: int, d: int, kind: int, parameter: Any) -> Fraction:
    """That of lim E[Q^n(oo)] for other sizes of mean 1: kind 1 Erlang of so many phases, kind 2 exponential of rate r or 1/r."""
    return clusters.clusters(d, k, kind, rational(parameter, "parameter")).mean_queue()[k]


def system_coefficient(k: int, n: int, d: int) -> Fraction:
    """The coefficient of lam^k of E[Q^n(oo)], n servers, from the chain.

    >>> system_coefficient(2, 3, 2)
    Fraction(5, 6)
    """
    return clusters.finite(n, d, k)[k]


def system_phase_coefficient(k: int, n: int, d: int, kind: int, parameter: Any) -> Fraction:
    """The same for other sizes."""
    return clusters.finite(n, d, k, kind, rational(parameter, "parameter"))[k]


def multiply(a: list[Fraction], b: list[Fraction]) -> list[Fraction]:
    """The product of two series of equal length."""
    return [sum((a[i] * b[k - i] for i in range(k + 1)), Fraction(0)) for k in range(len(a))]


@lru_cache(maxsize=64)
def mean_field_series(d: int, most: int) -> list[Fraction]:
    """The coefficients of lam^0, ..., lam^most of the EQ that solves (3).

    EQ = lam s turns (3) into ``sum over u >= 1 of lam^(u-1) prod over v <= u of d s/(s + v (d - 1)) = 1/(1 - lam)``, in which the
    coefficient of lam^k of s stands once, with a factor that is not 0.

    >>> mean_field_series(2, 3)[3]
    Fraction(14, 27)
    """

    def excess(s: list[Fraction]) -> Fraction:
        length = len(s)
        term, total = [Fraction(1)] + [Fraction(0)] * (length - 1), Fraction(-1)
        for u in range(1, length + 1):
            below = [s[0] + u * (d - 1), *s[1:]]
            inverse = [1 / below[0]]
            for k in range(1, length):
                inverse.append(-sum((below[i] * inverse[k - i] for i in range(1, k + 1)), Fraction(0)) / below[0])
            term = multiply(multiply(term, [d * x for x in s]), inverse)
            total += term[length - u]
        return total

    s = [Fraction(1)]
    for _ in range(1, most):
        low, high = excess([*s, Fraction(0)]), excess([*s, Fraction(1)])
        s.append(-low / (high - low))
    return [Fraction(0), *s]


def mean_field_coefficient(k: int, d: int) -> Fraction:
    """The coefficient of lam^k of the EQ that solves (3)."""
    return mean_field_series(d, k)[k]


def limit_time_coefficient(level: int, k: int, d: int, lam: Any) -> Fraction:
    """The coefficient of t^k of the limit as n -> oo of E[ybar^n_level(t)], from empty."""
    return clusters.tail(level, d, k, rational(lam, "lam"))[k]


def mean_field_time_coefficient(level: int, k: int, d: int, lam: Any) -> Fraction:
    """The coefficient of t^k of ybar_level(t) of (6), from empty."""
    if level > k:  # as many jobs take as many arrivals
        return Fraction(0)
    return clusters.mean_field_tails(d, k, rational(lam, "lam"))[level][k]


def corollary_1_fails(n: int, d: int, lam: Any, steps: int) -> int:
    """For how many k and m P(Q_1 >= m) is smaller after k + 1 than after k < ``steps`` steps from empty.

    The steps are those of the chain of rate n (1 + lam), above all its rates: it is monotone as the chain of (7) is, and the law at
    time t is their Poisson mixture.
    """
    lam = rational(lam, "lam")
    pace, arrival, wrong = n * (1 + lam), n * lam / comb(n, d), 0
    law: dict[State, Fraction] = {(0,) * comb(n, d): Fraction(1)}
    before = [Fraction(0)] * (steps + 2)
    for _ in range(steps):
        new: dict[State, Fraction] = {}
        for x, chance in law.items():
            stay = Fraction(1)
            for i in range(len(x)):
                for by, rate in ((1, arrival), (-1, departure(i, x, n, d))):
                    if rate:
                        y = canonical(moved(x, i, by), n, d)
                        new[y] = new.get(y, Fraction(0)) + chance * rate / pace
                        stay -= rate / pace
            new[x] = new.get(x, Fraction(0)) + chance * stay
        law = new
        tails = [sum((p * sum(q >= m for q in queues(x, n, d)) / n for x, p in law.items()), Fraction(0)) for m in range(1, steps + 3)]
        wrong += sum(a < b for a, b in zip(tails, before, strict=True))
        before = tails
    return wrong
