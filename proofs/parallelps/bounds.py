r"""Bounds on the mean queue m = E Q^n_j(oo), for every d >= 2 and every load: some for every n >= d, the better ones as n -> oo.

Write F(k) = P(Q^n_j(oo) >= k), eps = 1 - lam, and E_J for the mean of a sum over the jobs, a server, in the stationary system; a job
has d servers with queues q_1, ..., q_d >= 1 and the rate r = 1/q_1 + ... + 1/q_d.  Mean drifts are 0.

**One server, every n.**  The drift of the sum of phi(q) over the servers, psi(k) = phi(k) - phi(k - 1) bounded (E Q < oo suffices):

    d lam E psi(Q + 1) = E_J r (psi(q_1) + ... + psi(q_d)).                                                               (a)

(b) F(k) <= lam^k.  Where psi increases, r sum(psi(q)) >= d sum(psi(q)/q) (Chebyshev); E_J sum(psi(q)/q) = E[psi(Q); Q > 0], as every job
at a server counts psi/q.  With psi(q) = 1{q > k} this is lam F(k) >= F(k + 1).  It sums to Theorem 2.

(c) F(k + 1) >= 1 - eps (1 + d lam + ... + (d lam)^k): P(Q = 0) = eps, and P(Q = k + 1) <= d lam P(Q = k), for a server with jobs completes
them at rate 1 at least.  Summed over k < K = floor(log_d(1/eps)): m >= K - eps d^(K + 1)/(d - 1)^2 >= log(1/eps)/log(d) - 3.

(d) The best lower bound in (a): psi, w with psi(k)/l + psi(l)/k <= w(k) + w(l) for all k, l >= 1 make (a) at most E[psi(Q); Q > 0] + (d - 1)
E[Q w(Q)], so that  E cost(Q) >= E h(Q),  h(k) = cost(k) + d lam psi(k + 1) - psi(k) - (d - 1) k w(k), at least lam min h(k) + eps h(0).

**Two servers of a job, n -> oo.**  By (b) all moments are bounded uniformly in n.  Pairs of jobs with two servers in common are made at a
rate O(1/n) a server and end at their jobs' rates, at least 1/q: they are negligible.  That the servers that an arrival finds are
independent, which (f) needs and (h) does not, is by Theorem 4 and its coupling: at most servers the stationary system is the one that
started empty at some fixed time before, where it holds.  A sum g(q_a, q_b) over the pairs of servers of all jobs, g
symmetric, D_k(l) = g(k, l) - g(k - 1, l), has the drift 0 =

    lam C(d, 2) E g(Q + 1, Q' + 1) + sum over ordered pairs of d lam D_(k+1)(l) - sum over servers, jobs i != j there of (1/k + s_i) S_j
    - E_J r sum of g(q_a, q_b),    Q' independent of Q,                                                                   (e)

where job i departs at rate 1/k + s_i from a server with k jobs, s_i = sum of 1/l over its other servers, S_j = sum of D_k(l) over those of j.

(f) g = q_a q_b.  The sum of S_j/k is R - m and that of S_j is (d - 1) E Q^2, R = E_J r sum(q) = d lam (m + 1) by (a), phi = q^2.  s_i S_j + s_j S_i
>= 2 (d - 1)^2, as x/y + y/x >= 2.  r sum(q_a q_b) = (d - 1) sum(q) + the sum over three servers of yz/x + xz/y + xy/z = x + y + z + half the sum
over their pairs of z (x - y)^2/(xy), where z >= 1; and the sum over pairs of (x - y)^2/(xy) has the E_J R - d m.  Together, for limits,

    (3 - 2 lam) E Q^2 <= lam (m + 1)(m + 3) - 3 (d - 2)/(d - 1) (lam - eps m).

As eps -> 0 the variance is at most 4 m + 3, where (b) alone allows a geometric law.  By (b), for each whole c,

    E Q^2 >= (2 c + 1) m - 2 sum over k <= c of (c + 1 - k) lam^k,   as Q^2 - (2 c + 1) Q = sum over k <= Q of (2 k - 2 c - 2).    (g)

For c = floor(m), by lam^k <= 1 - k eps + k (k - 1)/2 eps^2 and eps m <= 1, the right side is at least m^2 + eps c (c + 1)(c + 2)/4, the left one at
most m^2 + 4 m + 3: so eps c (c + 1) <= 16 and  m <= 1 + 4/sqrt(1 - lam)  for every d and every load, in place of lam/(1 - lam).
As lam -> 0, c = 1 gives m <= lam + d/(2 d - 1) lam^2 + O(lam^3), which (a) gives below: P(Q = 2) (2 d - 1) >= d lam P(Q = 1).

(h) Lower bounds by bounded g and (d) together: v_k, y, z, w bound what is no function of one pair or one server:
D_k(l)/l' + D_k(l')/l <= v_k(l) + v_k(l'); g(a, b)/c + g(a, c)/b + g(b, c)/a <= y(a, b) + y(a, c) + y(b, c); g(k + 1, l + 1) >= z(k) + z(l) + squares
(sum of u(k) u(l), of mean (E u)^2 >= 0, by the empirical law); then w for the pair as in (d).  With cost = q it bounds m; with cost = q^2 - gamma q, and (f), m above.

A program in floats proposes the functions, constant from some level on; :func:`certified` makes every inequality hold, for all levels,
and takes the minimum of h, in rationals.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import ceil
from typing import Any

import numpy as np

from asymp.elimination import rational
from asymp.papers.parallelps import system

FINE = 10**12
MOST = 12
"""Means up to which (h) is tried for the upper bound."""
BIG, SMALL, ROUNDS = 1e6, 1e-4, 16

Row = list[tuple[Any, Fraction]]
"""A linear form: variables and coefficients."""


def certificate(d: int, lam: Fraction, levels: int, edges: bool) -> dict[Any, list[Row]]:
    """The inequalities ``row <= 0`` of (d), or with ``edges`` of (h), by the family whose variables make them hold; all constant from ``levels`` on.

    A level beyond the last has any inverse from 1/(levels + 1) to 0: the rows are linear in each, so that both ends serve.
    """
    found: dict[Any, list[Row]] = {}
    one = Fraction(1)

    def at(name: str, *where: int) -> tuple[Any, ...]:
        return (name, *sorted(min(k, levels) for k in where))

    def fall(k: int, j: int, times: Fraction) -> Row:
        return [(at("g", k, j), times), (at("g", k - 1, j), -times)]

    ends = [(k, Fraction(1, k)) for k in range(1, levels + 2)] + [(levels + 1, Fraction(0))]
    pairs = [(a, b) for i, a in enumerate(ends) for b in ends[i:]]
    for k in range(levels + 1):
        for j in range(k, levels + 1):
            found.setdefault("z", []).append([(at("z", k), one), (at("z", j), one), (at("g", k + 1, j + 1), -one)])
    for k in range(2, levels + 1):
        v = [("v", k, min(j, levels)) for j in range(levels + 2)]
        found["v", k] = [[*fall(k, a, y), *fall(k, b, x), (v[a], -one), (v[b], -one)] for (a, x), (b, y) in pairs]
    if d > 2:
        found["y"] = [
            [(at("g", a, b), z), (at("g", a, c), y), (at("g", b, c), x), (at("y", a, b), -one), (at("y", a, c), -one), (at("y", b, c), -one)]
            for i, (a, x) in enumerate(ends) for j, (b, y) in enumerate(ends[i:], i) for c, z in ends[j:]
        ]  # fmt: skip
    for (a, x), (b, y) in pairs:
        row: Row = [(at("w", a), -one), (at("w", b), -one), (at("g", a, b), x + y), (at("psi", a), y), (at("psi", b), x)]
        for k, j in ((a, b), (b, a)):
            row += [(at("g", k + 1, j), -d * lam), (at("g", k, j), d * lam)]
            if 2 <= k <= levels:
                row += [*fall(k, j, Fraction(k - 1, k)), (("v", k, min(j, levels)), Fraction((d - 1) * (k - 1)))]
        if d > 2:
            row.append((at("y", a, b), Fraction(d - 2)))
        found.setdefault("w", []).append(row)
    for k in range(levels + 2):
        row = [("least" if k else "zero", one), (at("z", k), -d * (d - 1) * lam), (at("psi", k + 1), -d * lam)]
        if k:
            row += [(at("psi", k), one), (at("w", k), Fraction((d - 1) * k))]
        found["h", k] = [row]
    if edges:
        return found
    kept = ("w", "psi", "least", "zero")
    return {
        name: [[(x, value) for x, value in row if x in kept or x[0] in kept] for row in rows] for name, rows in found.items() if name[0] in "wh"
    }


def proposal(d: int, lam: Fraction, cost: Callable[[int], Fraction], levels: int, edges: bool) -> tuple[dict[Any, float], list[Any]]:
    """Values of the variables, by HiGHS, and the squares of (h) with their weights: ``[(weight, u)]``."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    rows = certificate(d, lam, levels, edges)
    flat = [(name, row) for name, some in rows.items() for row in some]
    names = {x: k for k, x in enumerate(dict.fromkeys(x for _, row in flat for x, _ in row))}
    entries = [(i, names[x], float(value)) for i, (_, row) in enumerate(flat) for x, value in row]
    entries.append((len(flat), names["w", levels], d - 1.0))
    limits = [float(cost(name[1])) if name[0] == "h" else 0.0 for name, _ in flat] + [float(cost(levels + 2) - cost(levels + 1)) - 1e-6]
    bounds = [(-BIG, BIG)] * len(names)
    aim = [0.0] * len(names)
    aim[names["least"]], aim[names["zero"]] = -float(lam), float(lam) - 1
    births = [(i, row[0][0][1], row[1][0][1]) for i, (name, row) in enumerate(flat) if name == "z"]
    squares: list[Any] = []
    for _ in range(ROUNDS if edges else 1):
        i, j, x = zip(*entries, strict=True)
        table = coo_array((x, (i, j)), shape=(len(flat) + 1, len(aim))).tocsr()
        found = linprog(aim, A_ub=table, b_ub=limits, bounds=bounds, method="highs")
        if found.x is None:
            raise ArithmeticError(f"no proposal: {found.message}")
        seen = np.zeros((levels + 1, levels + 1))
        for row, k, l in births:
            seen[k, l] -= found.ineqlin.marginals[row] / 2
            seen[l, k] -= found.ineqlin.marginals[row] / 2
        values, vectors = np.linalg.eigh(seen)
        new = [vectors[:, k] / abs(vectors[:, k]).max() for k in range(levels + 1) if values[k] < -SMALL * abs(values).max()]
        last = found.x
        if not new:
            break
        for u in new:
            u = np.round(u, 6)
            entries += [(row, len(aim), u[k] * u[l]) for row, k, l in births]
            aim.append(0.0)
            bounds.append((0.0, BIG))
            squares.append([Fraction(round(x * 10**6), 10**6) for x in u])
    weights = [Fraction(round(max(x, 0.0) * FINE), FINE) for x in last[len(names) :]]
    return {x: float(last[k]) for x, k in names.items()}, list(zip(weights, squares, strict=False))


@lru_cache(maxsize=256)
def certified(d: int, lam: Fraction, square: int, slope: Fraction, levels: int, edges: bool) -> Fraction:
    """A lower bound on ``E[square Q^2 + slope Q]``, square >= 0: by (d) for every n >= d, with ``edges`` by (h) as n -> oo.

    Raises:
        ArithmeticError: where the proposal bounds nothing.

    >>> 2 / 3 < certified(2, Fraction(1, 2), 0, Fraction(1), 5, False) < Fraction(7, 10)
    True
    """

    def cost(k: int) -> Fraction:
        return square * k * k + slope * k

    shown, squares = proposal(d, lam, cost, levels, edges)
    x = {name: Fraction(round(value * FINE), FINE) for name, value in shown.items()}
    rows = certificate(d, lam, levels, edges)

    def total(row: Row) -> Fraction:
        return sum((x[name] * value for name, value in row), Fraction(0))

    for family in [name for name in rows if name[0] != "h"]:  # each is made to hold by its own variables; w comes last
        excess = max(total(row) + (quadratic(squares, row) if family == "z" else 0) for row in rows[family])
        by = excess / (3 if family == "y" else -2 if family == "z" else 2)
        for name in x:
            if name[: len(family)] == (family if isinstance(family, tuple) else (family,)):
                x[name] += by
    x["least"] = x["zero"] = Fraction(0)
    if cost(levels + 2) - cost(levels + 1) < (d - 1) * x["w", levels]:  # else h increases beyond the last level, as cost is convex
        raise ArithmeticError("the proposal bounds nothing")
    h = [cost(k) - total(rows["h", k][0]) for k in range(levels + 2)]
    return lam * min(h[1:]) + (1 - lam) * h[0]


def quadratic(squares: list[Any], row: Row) -> Fraction:
    """The weighted squares of (h) at the two levels of a row for z."""
    (_, k), (_, j) = row[0][0], row[1][0]
    return sum((weight * u[k] * u[j] for weight, u in squares), Fraction(0))


def checked(d: int, lam: Any) -> Fraction:
    """The load, as a fraction."""
    lam = rational(lam, "lam")
    if d < 2 or not 0 < lam < 1:
        raise ValueError(f"d = {d} must be at least 2 and lam = {lam} between 0 and 1")
    return lam


def attempt(d: int, lam: Fraction, square: int, slope: Fraction, levels: tuple[int, ...], edges: bool) -> Fraction:
    """The best of :func:`certified` for these last levels; where none serves what lam <= m <= lam/(1 - lam) and Q^2 >= Q say."""
    found = [square * lam + slope * (lam / (1 - lam) if slope < 0 else lam)]
    for most in levels:
        with suppress(ArithmeticError):
            found.append(certified(d, lam, square, slope, most, edges))
    return max(found)


@lru_cache(maxsize=64)
def every_lower(d: int, lam: Any) -> Fraction:
    """A lower bound on E[Q^n_j(oo)], for every n >= d, by (d).

    Raises:
        ValueError: d below 2, lam not in (0, 1).

    >>> round(float(every_lower(2, Fraction(9, 10))), 4)
    2.7132
    """
    lam = checked(d, lam)
    return attempt(d, lam, 0, Fraction(1), (6, 12, 18), False)


@lru_cache(maxsize=64)
def queue_lower(d: int, lam: Any) -> Fraction:
    """A lower bound on the limit inferior of E[Q^n_j(oo)] as n -> oo, by (h).

    Raises:
        ValueError: d below 2, lam not in (0, 1).

    >>> round(float(queue_lower(2, Fraction(1, 2))), 3)
    0.766
    """
    lam = checked(d, lam)
    found = attempt(d, lam, 0, Fraction(1), (6 if lam <= Fraction(1, 2) else 8,), True)
    return max(found, every_lower(d, lam))


def room(d: int, lam: Fraction, m: Fraction) -> Fraction:
    """The right side of (e) over 3 - 2 lam: E Q^2 is at most this."""
    return (lam * (m + 1) * (m + 3) - Fraction(3 * (d - 2), d - 1) * (lam - (1 - lam) * m)) / (3 - 2 * lam)


def gap(lam: Fraction, c: int) -> Fraction:
    """The sum of (f), 2 sum of (c + 1 - k) lam^k, rounded up."""
    unit, power, total = 10**30, 10**30, 0
    for k in range(1, c + 1):
        power = -(-power * lam.numerator // lam.denominator)
        total += 2 * (c + 1 - k) * power
    return Fraction(total, unit)


def excluded(d: int, lam: Fraction, top: Fraction, slope: Fraction, constant: Fraction) -> Fraction:
    """A bound on m, given m <= top and E Q^2 >= slope m - constant: below it, by (e), or top itself.

    room(m) - slope m + constant is convex in m: where it is below 0 at two points it is so between them.
    """

    def fits(m: Fraction) -> bool:
        return room(d, lam, m) >= slope * m - constant

    if fits(top):
        return top
    low, high = Fraction(0), top
    while high - low > Fraction(1, 10**9) * high:
        middle = Fraction(round((low + high) / 2 * FINE), FINE)
        if not fits(middle):
            high = middle
        else:
            low = middle
    return high


@lru_cache(maxsize=64)
def queue_upper(d: int, lam: Any) -> Fraction:
    """An upper bound on the limit superior of E[Q^n_j(oo)] as n -> oo, by (f), (g) and (h).

    Raises:
        ValueError: d below 2, lam not in (0, 1).

    >>> round(float(queue_upper(2, Fraction(1, 2))), 2), round(float(queue_upper(2, Fraction(99, 100))), 1)
    (0.82, 27.7)
    """
    lam = checked(d, lam)
    top = lam / (1 - lam)
    many = 6 * ceil(top) + 6
    for c in sorted({*range(1, min(many, 24)), *(ceil(many * 0.9**k) for k in range(60))}, reverse=True):
        top = excluded(d, lam, top, Fraction(2 * c + 1), gap(lam, c))
    if top < MOST:
        start = Fraction(round(2 * (3 + Fraction(5, 2) * top)), 2)
        for slope in (start, start - 1, start - 2):
            top = excluded(d, lam, top, slope, -attempt(d, lam, 1, -slope, (6 if top < 3 else 9,), True))
    return top


# --- the steps, tried on small systems -----------------------------------------------------------------------


def tail_fails(n: int, d: int, lam: Any, most: int) -> int:
    """For how many k (b) fails, of the system that loses the arrivals that find ``most`` jobs: it has fewer jobs, and (b) holds of it."""
    lam = rational(lam, "lam")
    law = system.blocked_law(n, d, lam, most)
    queues = {x: system.queues(x, n, d) for x in law}
    tails = [sum((chance * sum(q >= k for q in queues[x]) for x, chance in law.items()), Fraction(0)) for k in range(most + 2)]
    return sum(tail > n * lam**k for k, tail in enumerate(tails))


def chebyshev_fails(n: int, d: int, most: int) -> int:
    """In how many states, for how many k, the rate of departures from servers with q > k is below d times the number of them."""
    wrong = 0
    for x in system.states(n, d, most):
        q = system.queues(x, n, d)
        rate = [system.departure(i, x, n, d) for i in range(len(x))]
        for k in range(max(q) + 1):
            found = sum((r * sum(q[j] > k for j in one) for r, one in zip(rate, system.classes(n, d), strict=True)), Fraction(0))
            wrong += found < d * sum(one > k for one in q)
    return wrong


def pairs(x: system.State, n: int, d: int) -> int:
    """The sum over the jobs of the sum of q_a q_b over its pairs of servers."""
    q = system.queues(x, n, d)
    return sum(count * sum(q[a] * q[b] for a, b in combinations(one, 2)) for count, one in zip(x, system.classes(n, d), strict=True))


def pairs_drift_fails(n: int, d: int) -> int:
    """In how many states without two jobs that share two servers the departures' part of the drift of (f) is above what (f) uses."""
    sets, wrong = system.classes(n, d), 0
    for x in product((0, 1), repeat=len(sets)):
        here = [set(one) for one, count in zip(sets, x, strict=True) if count]
        if any(len(a & b) > 1 for a, b in combinations(here, 2)):
            continue
        q, now = system.queues(x, n, d), pairs(x, n, d)
        rate = [system.departure(i, x, n, d) for i in range(len(x))]
        drift = sum((r * (pairs(system.moved(x, i, -1), n, d) - now) for i, r in enumerate(rate) if r), Fraction(0))
        square, jobs = sum(one * one for one in q), sum(q)
        spread = sum((r * sum(q[j] for j in one) for r, one in zip(rate, sets, strict=True)), Fraction(0))
        least = (d - 1) * square - (spread - jobs) + (d - 1) ** 2 * (square - jobs)
        least += Fraction(d * (d - 1), 2) * square + Fraction(d - 2, 2) * (spread - d * jobs)
        wrong += drift > -least
    return wrong
