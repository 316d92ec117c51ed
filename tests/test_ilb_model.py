"""The farm of processor-sharing servers: the laws solved from its generators, against other routes."""

from __future__ import annotations

from fractions import Fraction
from math import comb, factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.paper.population import answering
from asymp.papers.ilb import chains, model
from asymp.registry import find_claim

loads = st.fractions(Fraction(1, 8), 4, max_denominator=8)
farms = st.tuples(st.integers(1, 3), st.integers(1, 3))


FARM = find_claim("ilb/equation-42-blocking").chains[0]


def own(name, *arguments):
    """A function of the population that the paper's file defines by its moves, solved exactly."""
    return answering(FARM, name)(*arguments)


def integral(theta, n, rho, factor):
    """n rho times the integral of a polynomial to the power n times exp(-n rho t), term by term."""
    grown = [Fraction(1)]
    for _ in range(n):
        grown = [sum(a * factor[k - j] for j, a in enumerate(grown) if 0 <= k - j <= theta) for k in range(len(grown) + theta)]
    return sum(a * factorial(k) / (n * rho) ** k for k, a in enumerate(grown))


@settings(max_examples=20, deadline=None)
@given(farms, loads)
def test_the_law_is_a_law_and_balances(farm, rho):
    theta, n = farm
    law, rates = chains.farm_law(theta, n, rho), chains.farm(theta, n, rho)
    assert sum(law.values()) == 1 and min(law.values()) > 0
    assert len(law) == comb(n + theta, theta)
    for state, chance in law.items():
        out = sum(rates[state].values()) * chance
        into = sum((law[s] * row.get(state, 0) for s, row in rates.items()), Fraction(0))
        assert out == into


@settings(max_examples=20, deadline=None)
@given(farms, loads)
def test_blocking_is_the_integral_and_the_servers_see_the_same(farm, rho):
    theta, n = farm
    g = [Fraction(1, factorial(k)) for k in range(theta + 1)]
    assert own("blocking", theta, n, rho) * integral(theta, n, rho, g) == 1
    assert own("blocking", theta, n, rho) == model.blocking_by_powers(theta, n, rho)
    assert all(own("farm_law", s, theta, n, rho) == chance for s, chance in chains.farm_law(theta, n, rho).items())
    assert model.lumped_differ(theta, n, rho) == 0
    assert model.blocking_under(0, theta, n, rho) == own("blocking", theta, n, rho)


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 8), loads)
def test_buffers_of_one_place_are_the_erlang_loss_system(n, rho):
    load = n * rho
    erlang = (load**n / factorial(n)) / sum(load**k / Fraction(factorial(k)) for k in range(n + 1))
    assert own("blocking", 1, n, rho) == erlang
    assert {model.blocking_under(policy, 1, n, rho) for policy in (0, 1, 2, 4, 5)} == {erlang}


@settings(max_examples=15, deadline=None)
@given(farms, loads)
def test_insensitive_is_between_the_best_and_the_blind(farm, rho):
    theta, n = farm
    blocked = [model.blocking_under(policy, theta, n, rho) for policy in range(6)]
    assert blocked[1] <= blocked[0] <= blocked[3]
    assert min(blocked) > max(0, 1 - 1 / rho)


def test_blocking_under_jsq_and_jiq_by_hand():
    """Two servers, one place each: two states of one busy server are one, and all policies that find a free place are alike."""
    assert model.blocking_under(1, 1, 2, 1) == model.blocking_under(2, 1, 2, 1) == Fraction(2, 5)
    assert model.blocking_under(3, 1, 2, 1) == Fraction(1, 2)  # each server is a loss system of its own with load 1


@pytest.mark.parametrize(("share", "rate"), [(Fraction(1, 3), Fraction(5, 2)), (Fraction(9, 10), 10)])
def test_sizes_matter_to_blocking_only_by_their_mean_and_not_in_general(share, rate, monkeypatch):
    assert model.blocking_two_phase(2, 2, Fraction(3, 2), share, rate) == own("blocking", 2, 2, Fraction(3, 2))

    def by_shortest(i: int, x: tuple[int, ...], theta: tuple[int, ...]) -> Fraction:
        least = [k for k in range(len(x)) if x[k] == min(x) and x[k] < theta[k]]
        return Fraction(i in least, max(1, len(least)))

    monkeypatch.setattr(chains, "routed", by_shortest)
    assert model.blocking_two_phase(2, 2, Fraction(3, 2), share, rate) != model.blocking_under(1, 2, 2, Fraction(3, 2))


def test_a_changed_rule_is_found_out():
    """The moves of the paper's file against the generator, and against another one."""
    kept = chains.arrival_rate
    changed = lambda i, state, theta, n, lam: kept(i, state, theta, n, lam) * (2 if i == 0 else 1)  # noqa: E731
    for rule, same in ((kept, True), (changed, False)):
        law = chains.stationary(chains.farm(2, 2, Fraction(1, 2), rule))
        assert all(own("farm_law", s, 2, 2, Fraction(1, 2)) == chance for s, chance in law.items()) is same


def test_types_that_are_alike_and_unlike():
    rho = Fraction(3, 4)
    assert model.types_blocking(1, 2, 1, 2, 2, 1, rho) == own("blocking", 2, 3, rho)
    assert model.types_differ(2, 1, 2, 1, 3, Fraction(1, 2), rho, 5) == 0
    assert model.types_differ(2, 1, 2, 1, 3, Fraction(1, 2), rho, 9) > 0
    assert model.types_blocking(1, 2, 2, 1, 1, 1, rho) == model.two_law(2, 1, 2, 1, 2 * rho, 2, 1)


@pytest.mark.parametrize("bad", [(1, 1, 0.5), (1, 1, "x")])
def test_what_is_no_load_is_refused(bad):
    with pytest.raises((ValueError, TypeError)):
        own("blocking", *bad)


def test_generating_functions():
    z, rho = (Fraction(1, 2), Fraction(3), Fraction(2)), Fraction(1, 2)
    factor = [z[2 - k] / factorial(k) for k in range(3)]
    assert own("generating", z, 2, 3, rho) == own("blocking", 2, 3, rho) * integral(2, 3, rho, factor)
    assert own("generating", (1, 1, 1), 2, 3, rho) == 1
    jobs = sum(chance * sum(k * one for k, one in enumerate(s)) for s, chance in chains.farm_law(2, 3, rho).items())
    assert own("mean_jobs", 2, 3, rho) == sum(k * own("servers_at", k, 2, 3, rho) for k in range(3)) == jobs


@pytest.mark.parametrize(("theta", "n", "rho"), [(1, 5, Fraction(1)), (2, 4, Fraction(1)), (2, 4, Fraction(3, 2)), (3, 3, Fraction(1, 2))])
def test_a_state_with_all_servers_but_some_full_over_that_with_all_full(theta, n, rho):
    """What (94), (96) and (98) are of: servers with theta - 1 jobs, and all others full."""
    law = chains.farm_law(theta, n, rho)
    full = law[(0,) * theta + (n,)]
    for s in range(n + 1):
        state = (0,) * (theta - 1) + (s, n - s)
        assert law[state] / full == Fraction(factorial(n), factorial(n - s)) / (n * rho) ** s


def test_equation_96_is_far_from_the_state_that_it_is_printed_of():
    """theta = 2, rho = 1, beta = n^(-1/3): exp(-1/6) is printed."""
    for n, most in ((10**3, 0.01), (10**6, 1e-20)):
        ratio = 1.0
        for i in range(round(n ** (2 / 3))):
            ratio *= 1 - i / n
        assert ratio < most < 0.84
