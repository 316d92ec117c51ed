"""Several classes: section 8, where they have one rate, and section 10, where they do not; all from the rules, all exact.

>>> three_rules_rate(1, 1, 1, 2), three_throughput(1, 2, 3, 3, "1/3", "1/3", 2, 2, 2)
(Fraction(162, 67), Fraction(162, 67))
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from functools import lru_cache
from typing import Any

from asymp.elimination import Elimination, rational
from asymp.queues.open_queue import OpenQueue
from asymp.queues.perturbation import throughput_series
from asymp.queues.rules import JobClass, Rules, State
from asymp.queues.saturated import Saturated, saturated

# --- section 8: any number of classes, one rate -------------------------------------------------------


def served(m: tuple[int, ...], n: int) -> int:
    """sigma(m): how many of the oldest n jobs are in service."""
    count, used = 0, 0
    for need in m:
        used += need
        if used > n:
            break
        count += 1
    return count


def shares(n: int, seed: int) -> tuple[Fraction, ...]:
    """p_1, ..., p_n, some of them 0."""
    weights = [(7 * seed + 3 * k * k + k) % (5 + seed) for k in range(1, n + 1)]
    weights[seed % n] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def product_law(m: tuple[int, ...], p: tuple[Fraction, ...]) -> Fraction:
    """The product of p_{m_j}."""
    found = Fraction(1)
    for need in m:
        found *= p[need - 1]
    return found


def phase_gap(n: int, seed: int) -> Fraction:
    """The sum over phases m of |pi_m - sum of pi_{m'} P(m', m)|, pi the product."""
    p = shares(n, seed)
    phases = list(itertools.product(range(1, n + 1), repeat=n))
    into: dict[tuple[int, ...], Fraction] = {}
    for m in phases:
        weight, count = product_law(m, p), served(m, n)
        for k in range(count):
            for new in range(1, n + 1):
                after = (*m[:k], *m[k + 1 :], new)
                into[after] = into.get(after, Fraction(0)) + weight * p[new - 1] / count
    return sum((abs(product_law(m, p) - into.get(m, Fraction(0))) for m in phases), Fraction(0))


def phase_throughput(n1: int, n2: int, n: int, p1: Any, mu: Any) -> Fraction:
    """The reciprocal of the sum over m of the product of p_{m_j} over mu sigma(m), for two classes."""
    p1 = rational(p1, "p1")
    found = Fraction(0)
    for m in itertools.product((n1, n2), repeat=n):
        first = m.count(n1)
        found += p1**first * (1 - p1) ** (n - first) / (rational(mu, "mu") * served(m, n))
    return 1 / found


@lru_cache(maxsize=256)
def classes_of(n: int, seed: int, mu: Fraction) -> tuple[JobClass, ...]:
    """The classes of :func:`shares` that are not empty, of one rate."""
    return tuple(JobClass(k, mu, p) for k, p in enumerate(shares(n, seed), 1) if p)


@lru_cache(maxsize=256)
def phase_rate(n: int, seed: int, mu: Any) -> Fraction:
    """The arrival rate at which the left side of (9) is 1."""
    p = shares(n, seed)
    phases = itertools.product([k for k in range(1, n + 1) if p[k - 1]], repeat=n)
    return rational(mu, "mu") / sum((product_law(m, p) / served(m, n) for m in phases), Fraction(0))


def rules_rate(n: int, seed: int, mu: Any) -> Fraction:
    """Completions per unit of time of the saturated system of :func:`classes_of`, from its rules."""
    return saturated(n, classes_of(n, seed, rational(mu, "mu"))).throughput


def rules_stable(arrivals: Any, n: int, seed: int, mu: Any) -> int:
    """1 if the open queue of :func:`classes_of` is positive recurrent, else 0."""
    return int(OpenQueue(Rules(n, classes_of(n, seed, rational(mu, "mu"))), rational(arrivals, "arrivals")).is_stable)


def _three(w1: Any, w2: Any, w3: Any, mu: Any) -> Saturated[State]:
    """Needs of 1, 2 and 3 of 3 servers, one rate."""
    weights = [rational(w, "w") for w in (w1, w2, w3)]
    return saturated(3, [JobClass(k, rational(mu, "mu"), w / sum(weights)) for k, w in enumerate(weights, 1)])


def three_rules_rate(w1: Any, w2: Any, w3: Any, mu: Any) -> Fraction:
    """Completions per unit of time of three classes of one rate on 3 servers."""
    return _three(w1, w2, w3, mu).throughput


def three_rules_law(a: int, b: int, c: int, block: int, w1: Any, w2: Any, w3: Any) -> Fraction:
    """The law of the embedded chain at a, b, c jobs in service, and the class that blocks (0: none)."""
    return _three(w1, w2, w3, 1).pid[State((a, b, c), block - 1 if block else None)]


# --- section 10: more classes -------------------------------------------------------------------------


@lru_cache(maxsize=64)
def decomposed_gap(needs: tuple[int, ...], n: int, rates: tuple[Any, ...]) -> Fraction:
    """The sum over states and classes of |p_i pi_s - sum of pi_{s'} P_i(s', s)|, all classes equally likely.

    A state is what has come to the head of the line: jobs in service by class, and the one that blocks.
    """
    share = Fraction(1, len(needs))
    rules = Rules(n, tuple(JobClass(need, Fraction(rate), share) for need, rate in zip(needs, rates, strict=True)))

    def forward(state: State) -> dict[State, Fraction]:
        if not rules.accepting(state):
            return {state: Fraction(1)}
        found: dict[State, Fraction] = {}
        for k in range(len(needs)):
            for after, weight in forward(rules.admit(state, k)).items():
                found[after] = found.get(after, Fraction(0)) + share * weight
        return found

    start = next(iter(forward(rules.empty)))
    known, steps = {start: 0}, []
    for state in (order := [start]):
        rate = sum((r for _, r in rules.completion_rates(state)), Fraction(0))
        row: dict[tuple[int, State], Fraction] = {}
        for kind, one in rules.completion_rates(state):
            for after, weight in forward(rules.complete(state, kind)).items():
                if after not in known:
                    known[after] = len(order)
                    order.append(after)
                row[kind, after] = row.get((kind, after), Fraction(0)) + weight * one / rate
        steps.append(row)
    rows: list[dict[int, Fraction]] = [{} for _ in order]
    for k, row in enumerate(steps):
        for (_, after), weight in row.items():
            rows[k][known[after]] = rows[k].get(known[after], Fraction(0)) + weight
    law = Elimination(rows).stationary()
    into: dict[tuple[int, int], Fraction] = {}
    for k, row in enumerate(steps):
        for (kind, after), weight in row.items():
            place = kind, known[after]
            into[place] = into.get(place, Fraction(0)) + law[k] * weight
    return sum(
        (abs(share * weight - into.get((kind, k), Fraction(0))) for k, weight in enumerate(law) for kind in range(len(needs))),
        Fraction(0),
    )


def three_gap(need1: int, need2: int, need3: int, n: int, mu1: Any, mu2: Any, mu3: Any) -> Fraction:
    """:func:`decomposed_gap` of three classes."""
    return decomposed_gap((need1, need2, need3), n, (mu1, mu2, mu3))


def two_gap(need1: int, need2: int, n: int, mu1: Any, mu2: Any) -> Fraction:
    """:func:`decomposed_gap` of two classes."""
    return decomposed_gap((need1, need2), n, (mu1, mu2))


def three_utilization(need1: int, need2: int, need3: int, n: int, mu1: Any, mu2: Any, mu3: Any) -> Fraction:
    """The share of busy servers of three classes, equally likely, in saturation."""
    needs, rates = (need1, need2, need3), tuple(rational(mu, "mu") for mu in (mu1, mu2, mu3))
    demand = sum((need / rate for need, rate in zip(needs, rates, strict=True)), Fraction(0)) / 3
    return many(needs, n, (Fraction(1, 3),) * 3, rates).throughput * demand / n


@lru_cache(maxsize=256)
def many(needs: tuple[int, ...], n: int, shares: tuple[Fraction, ...], rates: tuple[Fraction, ...]) -> Saturated[State]:
    """The saturated system of any classes, from its rules."""
    return saturated(n, [JobClass(*one) for one in zip(needs, rates, shares, strict=True)])


def _shares_of_three(p1: Any, p2: Any) -> tuple[Fraction, ...]:
    first, second = rational(p1, "p1"), rational(p2, "p2")
    return first, second, 1 - first - second


def three_throughput(need1: int, need2: int, need3: int, n: int, p1: Any, p2: Any, mu1: Any, mu2: Any, mu3: Any) -> Fraction:
    """Completions per unit of time of three classes with rates of their own."""
    rates = tuple(rational(mu, "mu") for mu in (mu1, mu2, mu3))
    return many((need1, need2, need3), n, _shares_of_three(p1, p2), rates).throughput


def three_series(
    k: int, need1: int, need2: int, need3: int, n: int, p1: Any, p2: Any, mu1: Any, mu2: Any, mu3: Any, d1: Any, d2: Any, d3: Any
) -> Fraction:
    """X_k: of the throughput at rates mu_j + eps d_j, the coefficient of eps^k."""
    rates = tuple(rational(mu, "mu") for mu in (mu1, mu2, mu3))
    by = tuple(rational(d, "d") for d in (d1, d2, d3))
    return _series((need1, need2, need3), n, _shares_of_three(p1, p2), rates, by)[k]


def two_series(k: int, n1: int, n2: int, n: int, p1: Any, mu1: Any, mu2: Any, d1: Any, d2: Any) -> Fraction:
    """The same with two classes."""
    first = rational(p1, "p1")
    rates = rational(mu1, "mu1"), rational(mu2, "mu2")
    return _series((n1, n2), n, (first, 1 - first), rates, (rational(d1, "d1"), rational(d2, "d2")))[k]


@lru_cache(maxsize=256)
def _series(
    needs: tuple[int, ...], n: int, shares: tuple[Fraction, ...], rates: tuple[Fraction, ...], by: tuple[Fraction, ...]
) -> list[Fraction]:
    return throughput_series(many(needs, n, shares, rates), by, 2)
