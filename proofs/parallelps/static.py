r"""The static problem of section 8: jobs as edges of a hypergraph on servers, its cores, and the makespan, exactly.

The makespan of (21) is the value of

    minimise T  subject to  sum over v in e of y(v, e) >= 1 for each job e,  sum over e of y(v, e) <= T for each server v,  y >= 0,

with y = T x: y(v, e) is the work that v does for e.  Its dual is ``maximise sum of w_e subject to w_e <= p_v for v in e, sum of p_v
= 1``; a set V' of servers with p = 1/|V'| on it gives the density of V', the number of jobs that have all their servers in V' over
|V'|, and the best of them is the optimum: T = max |E(V')|/|V'| (a solution p is a mixture of the uniform laws on its level sets).

So a makespan is certified by two things: a set V' of that density, and work y, in rationals, under which no server does more.
The solver (SciPy's HiGHS) only proposes: V' is read off its dual, y comes from a flow with integer capacities, and both are
checked in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np

Edge = tuple[int, ...]


def random_hypergraph(n: int, jobs: int, d: int, seed: int) -> list[Edge]:
    """So many jobs, each at d of n servers, every set equally likely (a set may come twice)."""
    rng = np.random.default_rng(seed)
    return [tuple(sorted(rng.choice(n, d, replace=False).tolist())) for _ in range(jobs)]


def largest_core(n: int, edges: Sequence[Edge]) -> int:
    """k*: the largest k for which the k-core is not empty; 0 without edges.

    Servers of least degree are deleted one by one with their edges; the largest degree at a deletion is k*.

    >>> largest_core(4, [(0, 1), (1, 2), (2, 0), (2, 3)])
    2
    """
    at: list[set[int]] = [set() for _ in range(n)]
    for k, edge in enumerate(edges):
        for v in edge:
            at[v].add(k)
    buckets: list[set[int]] = [set() for _ in range(max((len(one) for one in at), default=0) + 1)]
    for v in range(n):
        buckets[len(at[v])].add(v)
    best, low, left = 0, 0, n
    while left:
        while not buckets[low]:
            low += 1
        v = buckets[low].pop()
        left -= 1
        best = max(best, low)
        gone = list(at[v])
        for k in gone:
            for w in edges[k]:
                if w != v:
                    buckets[len(at[w])].discard(w)
                    at[w].discard(k)
                    buckets[len(at[w])].add(w)
        low = max(low - len(gone), 0)
        at[v] = set()
    return best


def core(n: int, edges: Sequence[Edge], k: int) -> tuple[set[int], list[Edge]]:
    """The k-core: its servers and jobs, by deleting servers of degree below k as long as there are some."""
    servers, rest = set(range(n)), list(edges)
    while True:
        degree = dict.fromkeys(servers, 0)
        for edge in rest:
            for v in edge:
                degree[v] += 1
        gone = {v for v, m in degree.items() if m < k}
        if not gone:
            return servers, rest
        servers -= gone
        rest = [edge for edge in rest if not gone & set(edge)]


def density(servers: set[int], edges: Sequence[Edge]) -> Fraction:
    """Jobs that have all their servers in a set, over its size."""
    return Fraction(sum(1 for edge in edges if servers.issuperset(edge)), len(servers))


def proposal(n: int, edges: Sequence[Edge]) -> set[int]:
    """A set of servers that is likely to be densest: the best level set of the dual solution by HiGHS."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    pairs = [(v, k) for k, edge in enumerate(edges) for v in edge]
    count = len(pairs)
    rows, columns, values, bounds = [], [], [], []
    for column, (v, k) in enumerate(pairs):
        rows += [k, len(edges) + v]
        columns += [column, column]
        values += [-1.0, 1.0]
    for v in range(n):
        rows.append(len(edges) + v)
        columns.append(count)
        values.append(-1.0)
    bounds = [-1.0] * len(edges) + [0.0] * n
    table = coo_array((values, (rows, columns)), shape=(len(edges) + n, count + 1)).tocsr()
    found = linprog([0.0] * count + [1.0], A_ub=table, b_ub=bounds, bounds=(0, None), method="highs")
    p = -np.asarray(found.ineqlin.marginals)[len(edges) :]
    order = sorted(set(p[p > 1e-12].tolist()), reverse=True)
    sets = [{v for v in range(n) if p[v] >= level - 1e-12} for level in order] or [set(range(n))]
    return max(sets, key=lambda one: density(one, edges))


def work(n: int, edges: Sequence[Edge], makespan: Fraction) -> dict[tuple[int, int], Fraction] | None:
    """y(v, e) under which no server does more than the makespan, from a flow in units of 1/denominator; None if there is none."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    whole, most = makespan.denominator, makespan.numerator
    m, rows, columns, values = len(edges), [], [], []
    source, sink = m + n, m + n + 1
    for k, edge in enumerate(edges):
        rows.append(source)
        columns.append(k)
        values.append(whole)
        for v in edge:
            rows.append(k)
            columns.append(m + v)
            values.append(whole)
    for v in range(n):
        rows.append(m + v)
        columns.append(sink)
        values.append(most)
    graph = csr_array((np.array(values, np.int32), (rows, columns)), shape=(m + n + 2, m + n + 2))
    flow = maximum_flow(graph, source, sink)
    if flow.flow_value < m * whole:
        return None
    table = flow.flow.tocoo()
    return {
        (int(j) - m, int(i)): Fraction(int(x), whole)
        for i, j, x in zip(table.row, table.col, table.data, strict=True)
        if x > 0 and i < m and m <= j < m + n
    }


def makespan(n: int, edges: Sequence[Edge]) -> Fraction:
    """The value of (21), certified: a set of servers of that density, and work of that makespan, both checked exactly.

    Raises:
        ArithmeticError: where the solver's proposal is not optimal (no certificate, no number).

    >>> makespan(4, [(0, 1), (1, 2), (2, 0), (2, 3)]), makespan(3, [(0, 1)] * 5)
    (Fraction(1, 1), Fraction(5, 2))
    """
    if not edges:
        return Fraction(0)
    found = density(proposal(n, edges), edges)
    y = work(n, edges, found)
    if y is None:
        raise ArithmeticError("the proposed set of servers is not the densest")
    done, load = [Fraction(0)] * len(edges), [Fraction(0)] * n
    for (v, k), amount in y.items():
        if v not in edges[k] or amount < 0:
            raise ArithmeticError("work by a server that the job does not have")
        done[k] += amount
        load[v] += amount
    if min(done) < 1 or max(load) > found:
        raise ArithmeticError("the work does not fit the makespan")
    return found


def makespan_by_sets(n: int, edges: Sequence[Edge]) -> Fraction:
    """The same as the largest density of any set of servers, all tried: for few servers."""
    return max(density({v for v in range(n) if mask >> v & 1}, edges) for mask in range(1, 1 << n)) if edges else Fraction(0)


# --- what statements call ------------------------------------------------------------------------------------


def lemma_3_fails(n: int, jobs: int, d: int, count: int) -> int:
    """Of how many of the hypergraphs of seeds 1 .. count Lemma 3 does not hold, the makespan being certified."""
    wrong = 0
    for seed in range(1, count + 1):
        edges = random_hypergraph(n, jobs, d, seed)
        k, value = largest_core(n, edges), makespan(n, edges)
        wrong += not Fraction(k, d) <= value <= k
    return wrong


def lower_attained(n: int, jobs: int, d: int, count: int) -> int:
    """Of how many of them the makespan is k*/d exactly."""
    found = 0
    for seed in range(1, count + 1):
        edges = random_hypergraph(n, jobs, d, seed)
        found += makespan(n, edges) == Fraction(largest_core(n, edges), d)
    return found


def complete_makespan(n: int, d: Any) -> Fraction:
    """The makespan of all sets of d of n servers, each once."""
    return makespan(n, list(combinations(range(n), d)))


def lemma_3_strict_fails(n: int, jobs: int, d: int, count: int) -> int:
    """Of how many of them the makespan is above k* (1 - (d - 1)/n): a set of m servers that is peeled has at most k*(m - d + 1) jobs."""
    wrong = 0
    for seed in range(1, count + 1):
        edges = random_hypergraph(n, jobs, d, seed)
        wrong += makespan(n, edges) > largest_core(n, edges) * (1 - Fraction(d - 1, n))
    return wrong


def repeated_makespan(n: int, jobs: int, d: int) -> Fraction:
    """The makespan where all jobs happen to have the same d servers.

    >>> repeated_makespan(7, 3, 2)
    Fraction(3, 2)
    """
    return makespan(n, [tuple(range(d))] * jobs)


def one_cycle_fails(n: int, jobs: int, count: int) -> int:
    """Of how many random graphs it is wrong that the makespan is at most 1 exactly if no component has more jobs than servers."""
    wrong = 0
    for seed in range(1, count + 1):
        edges = random_hypergraph(n, jobs, 2, seed)
        parent = list(range(n))
        for a, b in edges:
            ends = []
            for v in (a, b):
                while parent[v] != v:
                    v = parent[v]
                ends.append(v)
            parent[ends[0]] = ends[1]
        roots = []
        for v in range(n):
            while parent[v] != v:
                v = parent[v]
            roots.append(v)
        few = all(sum(1 for a, _ in edges if roots[a] == r) <= roots.count(r) for r in set(roots))
        wrong += few != (makespan(n, edges) <= 1)
    return wrong


# --- gamma_k(d) ----------------------------------------------------------------------------------------------


def series_bounds(k: int, mu: Fraction) -> tuple[Fraction, Fraction]:
    """Bounds on the sum over j >= 0 of mu^j k!/(k + j)!, a tail being below its first term's geometric series."""
    term, total, j = Fraction(1), Fraction(0), 0
    while not (mu < (k + j + 1) / Fraction(2) and term < Fraction(1, 10**40)):
        total += term
        j += 1
        term *= mu / (k + j)
    return total, total + 2 * term


@lru_cache(maxsize=256)
def gamma_bounds(k: int, d: int, digits: int = 20) -> tuple[Fraction, Fraction]:
    r"""Bounds on gamma_k(d), the infimum over mu > 0 of ``mu (d - 1)!/P(Z_mu >= k - 1)^(d - 1)``.

    The logarithm has the derivative ``1/mu - (d - 1) p(k - 2)/P(Z >= k - 1)``, p the Poisson weights; with
    ``P(Z >= k - 1) = p(k - 1) S(mu)``, S the sum over j of ``mu^j (k - 1)!/(k - 1 + j)!``, it has the sign of
    ``S(mu) - (d - 1)(k - 1)``.  S increases from 1: there is one minimum, at its root mu, and for d = k = 2 the infimum is at 0.

    >>> low, high = gamma_bounds(3, 2)
    >>> round(float(low), 6), high - low < Fraction(1, 10**15)
    (3.350919, True)
    """
    if d == k == 2:
        return Fraction(1), Fraction(1)
    target = Fraction((d - 1) * (k - 1))
    a, b = Fraction(0), Fraction(1)
    while series_bounds(k - 1, b)[0] <= target:
        b *= 2
    while b - a > Fraction(1, 10**digits):
        middle = Fraction(round((a + b) / 2 * 10 ** (digits + 5)), 10 ** (digits + 5))
        low, high = series_bounds(k - 1, middle)
        if high < target:
            a = middle
        elif low > target:
            b = middle
        else:
            break

    def above(mu: Fraction, upper: bool) -> Fraction:
        """P(Z_mu >= k - 1) = mu^(k-1)/(k-1)! S(mu)/e^mu, and e^mu = S for k - 1 = 0."""
        s, e = series_bounds(k - 1, mu), series_bounds(0, mu)
        weight = mu ** (k - 1) / factorial(k - 1)
        return weight * s[1] / e[0] if upper else weight * s[0] / e[1]

    scale = factorial(d - 1)
    return a * scale / above(b, True) ** (d - 1), b * scale / above(b, False) ** (d - 1)


def gamma_lower(k: int, d: int) -> Fraction:
    """A lower bound on gamma_k(d)."""
    return gamma_bounds(k, d)[0]


def gamma_upper(k: int, d: int) -> Fraction:
    """An upper bound on gamma_k(d)."""
    return gamma_bounds(k, d)[1]


def core_size(n: int, jobs: int, d: int, seed: int) -> int:
    """k* of a random hypergraph.

    >>> core_size(2000, 4000, 2, 1)
    3
    """
    return largest_core(n, random_hypergraph(n, jobs, d, seed))


def tree_core(n: int, seed: int) -> int:
    """k* of a random tree on n >= 2 servers: each but the first with one job at it and at some server before.

    >>> tree_core(9, 1)
    1
    """
    rng = np.random.default_rng(seed)
    return largest_core(n, [(int(rng.integers(v)), v) for v in range(1, n)])


def core_degrees_fail(n: int, jobs: int, d: int, count: int) -> int:
    """Of how many random hypergraphs the k*-core has a density below k*/d or its degrees do not sum to d times its jobs, as (22) says."""
    wrong = 0
    for seed in range(1, count + 1):
        edges = random_hypergraph(n, jobs, d, seed)
        k = largest_core(n, edges)
        servers, rest = core(n, edges, k)
        degrees = [sum(v in edge for edge in rest) for v in servers]
        wrong += not (servers and sum(degrees) == d * len(rest) and min(degrees) >= k and density(servers, rest) >= Fraction(k, d))
    return wrong
