"""The exact half of parallel processor sharing: clusters against the chain, by symbols and by samples; cores and makespans.

Samples are compared at the level 1 - 10^-6, fewer than 20 times: a false alarm has probability below 2 10^-5.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import numpy as np
import pytest
import sympy as sp

from asymp.papers.parallelps import clusters, static, system, table1
from asymp.queues.laws import Erlang, HyperExponential
from asymp.sample import kernels
from asymp.sample.parallel import share
from asymp.sample.peeling import core_numbers, random_edges

LEVEL = 1 - 1e-6
needs_numba = pytest.mark.skipif(not kernels.available(), reason="numba is not installed")


# --- the limit of many servers ----------------------------------------------------------------------------


@pytest.mark.parametrize(("d", "most"), [(2, 4), (3, 3), (4, 3)])
@pytest.mark.parametrize(("kind", "parameter"), [(1, 1), (1, 2), (2, 4)])
def test_the_coefficients_of_the_chain_tend_to_those_of_the_clusters(d, most, kind, parameter):
    """Two ways: trees, and the chain of n servers on all its states; the difference falls like 1/n."""
    most = most if kind == 1 and parameter == 1 else 3
    limit = clusters.clusters(d, most, kind, parameter).mean_queue()
    far, near = (clusters.finite(n, d, most, kind, parameter) for n in (10**4, 10**6))
    for k in range(2, most + 1):
        assert 0 < abs(near[k] - limit[k]) < Fraction(20, 10**6)
        assert (far[k] - limit[k]) / (near[k] - limit[k]) == pytest.approx(100, rel=0.05)


def test_the_third_coefficient_for_every_d():
    """The same equations with symbolic d, shape by shape: one job, two, three at a server, three in a row."""
    d, lam = sp.symbols("d lam", positive=True)
    lone, one, two, star, path = [1, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4, [0] * 4

    def series(c):
        return sum(x * lam**i for i, x in enumerate(c))

    def at(expression, k):
        return sp.simplify(sp.diff(expression, lam, k).subs(lam, 0) / sp.factorial(k))

    for k in range(1, 4):
        c, u, v = series(lone), series(one), series(two)
        star[k] = (at(d * v * c ** (d - 1), k - 1) - d * (3 * d - 2) * star[k - 1]) / (3 * d - 2)
        new = d * (2 * d - 2) * v * c ** (d - 1) + d * (d - 1) / 2 * (d * u) ** 2 * c ** (d - 2)
        path[k] = (at(new, k - 1) - d * (3 * d - 2) * path[k - 1]) / (3 * d - 2)
        two[k] = (at(d * d * u * c ** (d - 1), k - 1) - d * (2 * d - 1) * two[k - 1] + (3 * d - 2) * star[k] + (2 * d - 1) * path[k]) / (2 * d - 1)
        one[k] = (at(c**d, k - 1) - d * d * one[k - 1] + (2 * d - 1) * two[k] + 2 * (d - 1) * path[k]) / d
        lone[k] = sp.simplify(-(d * one[k] + (2 * d - 1) * two[k] + (3 * d - 2) * (star[k] + path[k])))
    assert [sp.simplify(x) for x in lone] == [1, -1, 0, 0]  # work conservation
    third = sp.factor(d * (one[3] + 2 * two[3] + 3 * star[3] + 3 * path[3]))
    assert sp.simplify(third - d * (8 * d**2 - 7 * d + 1) / (2 * (2 * d - 1) ** 2 * (3 * d - 2))) == 0
    s1, s2 = sp.symbols("s1 s2")
    s = 1 + s1 * lam + s2 * lam**2
    excess = sum(lam ** (u - 1) * sp.prod([d * s / (s + v * (d - 1)) for v in range(1, u + 1)]) for u in (1, 2, 3)) - (1 + lam + lam**2)
    first = sp.solve(at(excess, 1), s1)[0]
    second = sp.solve(at(excess, 2).subs(s1, first), s2)[0]
    assert sp.simplify(third - second - d * (d - 1) / (2 * (3 * d - 2) * (2 * d - 1) ** 3)) == 0
    for value in (2, 3, 7):
        assert system.limit_coefficient(3, value) == Fraction(str(third.subs(d, value)))
        assert system.mean_field_coefficient(3, value) == Fraction(str(sp.nsimplify(second.subs(d, value))))


def test_the_mean_field_series_solves_its_equation():
    """At lam = 1/100, by the sum (3) itself, in decimals."""
    for d in (2, 3, 5):
        lam = Fraction(1, 100)
        mean = sum(system.mean_field_coefficient(k, d) * lam**k for k in range(1, 8))
        total, term, u = Fraction(1), Fraction(1), 0
        while term > Fraction(1, 10**30):
            u += 1
            term *= d * lam / (1 + u * (d - 1) * lam / mean)
            total += term
        assert abs(float(total - 1 / (1 - lam))) < 1e-15


def test_the_clusters_conserve_work_and_servers():
    for d, most in ((2, 6), (3, 4)):
        found = clusters.clusters(d, most)
        assert found.queue(0) == [1, -1, *[0] * (most - 1)]
        assert [sum(found.queue(level)[k] for level in range(most + 1)) for k in range(most + 1)] == [1, *[0] * most]
        assert [sum(level * found.queue(level)[k] for level in range(most + 1)) for k in range(most + 1)] == found.mean_queue()
    # d = 1: M/M/1, whatever the sizes
    assert clusters.clusters(1, 5).mean_queue() == [0, 1, 1, 1, 1, 1] == clusters.clusters(1, 5, 2, 4).mean_queue()


def test_from_empty_the_balance_of_jobs_holds():
    """d/dt E[Q] = d lam - d P(Q > 0), coefficient by coefficient; (6) has it too."""
    lam, most = Fraction(1, 2), 6
    for d in (2, 3):
        tails = [clusters.tail(level, d, most, lam) for level in range(1, most + 1)]
        field = clusters.mean_field_tails(d, most, lam)[1:]
        for some in (tails, field):
            mean = [sum(one[k] for one in some) for k in range(most + 1)]
            for k in range(most):
                assert (k + 1) * mean[k + 1] == (d * lam if k == 0 else 0) - d * some[0][k]


@needs_numba
def test_many_servers_are_the_series_and_not_the_mean_field():
    """d = 2, lam = 1/2: the series to order 8, its tail as a geometric one at ratios 0.4 and 0.5 (the last ratios are below 0.46)."""
    series = clusters.clusters(2, 8).mean_queue()
    lam = 0.5
    ratios = [float(b / a) * lam for a, b in itertools.pairwise(series[4:])]
    assert all(0.4 < r < 0.46 for r in ratios)
    value, last = sum(float(x) * lam**k for k, x in enumerate(series)), float(series[8]) * lam**8
    low, high = value + last * 0.4 / 0.6, value + last
    found = share(10**4, 2, lam, size=40_000_000, seed=6, level=LEVEL, batches=64)["mean-queue"]
    a, b = found.interval
    assert a <= high + 1e-4 and b >= low and b - a < 0.004  # n = 10^4 is within 10^-4 of the limit: finite coefficients differ by 1/n
    field = [system.mean_field_coefficient(k, 2) for k in range(9)]
    assert sum(float(x) * lam**k for k, x in enumerate(field)) + float(field[8]) * lam**8 < a


@needs_numba
def test_at_load_09_the_mean_field_is_below_the_system():
    """20,000 servers, d = 2: 3.3377 solves (3), to four decimals."""
    found = share(20_000, 2, 0.9, size=20_000_000, seed=2, level=LEVEL, batches=64, runs=1)
    low, high = found["controlled-mean-queue"].interval
    assert low > 3.3377 and high - low < 0.1


@needs_numba
def test_many_servers_are_not_insensitive():
    """At lam = 0.8, d = 2, the mean queue with Erlang sizes of eight phases is below that with hyperexponential ones of figure 6."""
    erlang, hyper = (
        share(20_000, 2, 0.8, law, size=20_000_000, seed=5, level=LEVEL, batches=64, runs=1)["controlled-mean-queue"]
        for law in (Erlang(8, 1.0), HyperExponential.of_mean(1.0, (4 / 5, 1 / 5), (0.25,)))
    )
    assert erlang.interval[1] < hyper.interval[0]


# --- small systems ----------------------------------------------------------------------------------------


def test_the_bounds_of_a_small_system_close_around_its_series():
    for n, d in ((3, 2), (4, 3)):
        lam = Fraction(1, 50)
        low, high = system.mean_queue_lower(n, d, lam, 5), system.mean_queue_upper(n, d, lam, 5)
        series = sum(system.system_coefficient(k, n, d) * lam**k for k in range(1, 5))
        assert low < high and high - low < Fraction(1, 10**7)
        assert abs(low - series) < 2 * lam**5
    assert system.mean_queue_lower(3, 3, Fraction(1, 4), 10) < Fraction(1, 3) < system.mean_queue_upper(3, 3, Fraction(1, 4), 10)
    with pytest.raises(ValueError, match="must be below d"):
        system.mean_queue_upper(3, 2, Fraction(3, 4), 5)


def test_broken_rates_are_found(monkeypatch):
    """What the claims count is not 0 where a job gets service of one of its servers only."""
    real = system.departure

    def broken(i, x, n, d):
        return real(i, x, n, d) / d if x[i] else Fraction(0)

    monkeypatch.setattr(system, "departure", broken)
    assert system.service_differs(3, 2, 1) > 0 and system.drift_10_differs(3, 2, Fraction(1, 2), 1) > 0
    assert system.mean_drift_differs(3, 2, Fraction(1, 2), 1) > 0

    def longest(i, x, n, d):
        q = system.queues(x, n, d)
        return Fraction(sum(1 for j in system.classes(n, d)[i] if q[j] == max(q))) if x[i] else Fraction(0)

    monkeypatch.setattr(system, "departure", longest)
    assert system.coupling_fails(3, 2, 2) > 0 and system.drift_13_fails(3, 2, Fraction(9, 10), 0) == 0


# --- Table 1 ----------------------------------------------------------------------------------------------


@needs_numba
def test_a_printed_number_that_is_wrong_is_found(monkeypatch):
    monkeypatch.setattr(table1, "PRINTED", {(100, 4, "0.3"): "0.45"})
    monkeypatch.setattr(table1, "SIZE", 10**6)
    assert table1.simulated()[0].outcome.value == "refuted"


# --- the static problem -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "jobs", "d"), [(8, 6, 2), (8, 12, 2), (8, 12, 3), (7, 20, 2), (6, 9, 6)])
def test_makespans_are_the_largest_density_of_all_sets(n, jobs, d):
    for seed in range(30):
        edges = static.random_hypergraph(n, jobs, d, seed)
        value = static.makespan(n, edges)
        assert value == static.makespan_by_sets(n, edges)
        assert static.work(n, edges, value - Fraction(1, 1000)) is None  # nothing better


def test_a_proposal_that_is_not_optimal_is_refused(monkeypatch):
    edges = [(0, 1), (1, 2), (2, 0), (2, 3)]
    monkeypatch.setattr(static, "proposal", lambda n, e: {0, 1})
    with pytest.raises(ArithmeticError, match="densest"):
        static.makespan(4, edges)


@needs_numba
def test_three_ways_to_find_cores_agree():
    for seed in range(60):
        for n, jobs, d in ((10, 15, 2), (10, 20, 3), (30, 60, 2)):
            edges = static.random_hypergraph(n, jobs, d, seed)
            numbers = core_numbers(n, np.array(edges, np.int32))
            assert numbers.max() == static.largest_core(n, edges)
            for k in range(1, numbers.max() + 2):
                assert set(np.flatnonzero(numbers >= k).tolist()) == static.core(n, edges, k)[0]
    assert (core_numbers(5, np.empty((0, 2), np.int32)) == 0).all()
    edges = random_edges(6, 30_000, 2, 1)
    counts = np.bincount(edges.min(axis=1) * 6 + edges.max(axis=1))
    assert np.abs(counts[counts > 0] - 2000).max() < 6 * np.sqrt(2000) and (counts > 0).sum() == comb(6, 2)


@needs_numba
@pytest.mark.parametrize(("k", "d"), [(3, 2), (4, 2), (2, 3), (3, 3)])
def test_cores_appear_at_gamma(k, d):
    """2% below and above the certified threshold, at n = 200,000: the k-core is empty, and it is not (Theorem 5)."""
    n = 200_000
    low, high = static.gamma_bounds(k, d)
    for factor, there in ((0.98, False), (1.02, True)):
        jobs = int(n * float(low) * factor / [1, 1, 2, 6][d])
        assert (core_numbers(n, random_edges(n, jobs, d, 3)).max() >= k) == there
    assert high - low < Fraction(1, 10**15)


def test_gamma_is_the_infimum():
    """Against a fine grid of its definition, in floats."""
    from scipy.stats import poisson

    for k, d in ((3, 2), (5, 2), (2, 3), (4, 4)):
        mu = np.linspace(0.01, 30, 300_001)
        least = (mu * [1, 1, 2, 6][d - 1] / poisson.sf(k - 2, mu) ** (d - 1)).min()
        assert float(static.gamma_bounds(k, d)[1]) == pytest.approx(least, rel=1e-7)
