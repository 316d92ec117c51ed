"""The open 1-and-n queue at any n."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import acb, arb

from asymp.enclosure import systems
from asymp.enclosure.numbers import Undecided
from asymp.queues import one_and_n_kernel as equations
from asymp.queues.one_and_n_queue import OneAndNQueue, capacity
from asymp.queues.open_queue import OpenQueue, open_one_and_n
from asymp.queues.rules import one_and_n_rules
from asymp.queues.saturated import one_and_n

F = Fraction


def close(value: float, true: float, relative: float = 1e-10) -> bool:
    return abs(value - true) <= relative * abs(true)


# --- against other solutions ------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("p", ["0.3", "0.01", "0.97"])
@pytest.mark.parametrize("rates", [(1, 1), (2, "0.5"), ("0.1", 3)])
def test_mean_number_agrees_with_the_chain_from_the_rules(n, p, rates):
    arrival_rate = capacity(n, p, *rates) * F(7, 10)
    found = OneAndNQueue(n, p, *rates, arrival_rate).enclose(14)
    other = open_one_and_n(n, p, *rates, arrival_rate).certified_mean_number(25)
    # to 14 digits, of which the last may be rounded
    assert close(float(found.number_in_system.value), float(other.value), 1e-13)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_the_capacity_is_the_saturated_throughput(n):
    for p in ("0.3", "0.99"):
        assert capacity(n, p, 2, "0.5") == one_and_n(n, p, 2, "0.5").throughput


def truncated(n: int, p: str, mu1: object, mun: object, arrival_rate: Fraction, top: int) -> dict[str, float]:
    """The chain of all states with at most ``top`` jobs, arrivals beyond lost, solved directly."""
    queue = OpenQueue(one_and_n_rules(n, p, mu1, mun), arrival_rate)
    places = {(0, queue.rules.empty): 0}
    order = list(places)
    for place in order:
        for target, _ in queue.transitions(place):
            if target[0] <= top and target not in places:
                places[target] = len(places)
                order.append(target)
    flow = np.zeros((len(order), len(order)))
    for place in order:
        for target, rate in queue.transitions(place):
            if target[0] <= top:
                flow[places[target], places[place]] += float(rate)
                flow[places[place], places[place]] -= float(rate)
    flow[0] = 1.0
    right = np.zeros(len(order))
    right[0] = 1.0
    law = np.linalg.solve(flow, right)
    waiting = np.array([level - sum(phase.in_service) for level, phase in order], dtype=float)
    ahead = np.array([level - queue.rules.jobs(phase) for level, phase in order], dtype=float)
    at_once = np.array([queue.rules.accepting(phase) for _, phase in order], dtype=float)
    rate = float(arrival_rate)
    blocked = np.array([phase.blocked is not None for _, phase in order], dtype=float)
    mean, small = law @ waiting / rate, law @ ahead / rate
    return {
        "mean": mean,
        "variance": law @ (waiting * (waiting - 1)) / rate**2 - mean**2,
        "small mean": small,
        "small variance": law @ (ahead * (ahead - 1)) / rate**2 - small**2,
        "small none": law @ at_once,
        "blocked": law @ blocked,
        "empty": law[0],
        "number": law @ np.array([level for level, _ in order], dtype=float),
    }


@pytest.mark.parametrize(("n", "p", "mu1", "mun"), [(5, "0.2", 1, "0.5"), (3, "0.25", 2, "0.75"), (7, "0.6", "0.5", 2)])
def test_every_measure_agrees_with_a_truncated_chain(n, p, mu1, mun):
    arrival_rate = capacity(n, p, mu1, mun) * F(1, 2)
    found = OneAndNQueue(n, p, mu1, mun, arrival_rate).stationary()
    other = truncated(n, p, mu1, mun, arrival_rate, 90)
    assert close(found.waiting.mean, other["mean"])
    assert close(found.waiting.variance, other["variance"], 1e-8)
    assert close(found.small.mean, other["small mean"])
    assert close(found.small.variance, other["small variance"], 1e-8)
    assert close(found.small.none, other["small none"])
    assert close(found.blocked, other["blocked"])
    assert close(found.empty, other["empty"])
    assert close(found.number_in_system, other["number"])
    # A big job's wait: a small one's, and the time for which it is blocked.
    share = float(F(p))
    assert close(found.big.mean, other["small mean"] + other["blocked"] / (float(arrival_rate) * share))
    # The second moment of all waits is the mixture of the two.
    mixed = (1 - share) * (found.small.variance + found.small.mean**2) + share * (
        found.big.variance + found.big.mean**2
    )
    assert close(mixed, other["variance"] + other["mean"] ** 2, 1e-8)


def test_one_server_is_pollaczek_and_khinchin():
    p, mu1, mun, rate = F(1, 4), F(2), F(1, 3), F(1, 2)
    found = OneAndNQueue(1, p, mu1, mun, rate).stationary()
    first, second, third = ((1 - p) * m / mu1**k + p * m / mun**k for k, m in ((1, 1), (2, 2), (3, 6)))
    mean = rate * second / (2 * (1 - rate * first))
    square = 2 * mean**2 + rate * third / (3 * (1 - rate * first))
    for wait in (found.waiting, found.small, found.big):
        assert close(wait.mean, float(mean), 1e-14)
        assert close(wait.variance, float(square - mean**2), 1e-14)
        assert close(wait.none, float(1 - rate * first), 1e-14)


@pytest.mark.parametrize(("n", "load"), [(2, F(1, 2)), (20, F(9, 10)), (40, F(3, 10))])
def test_without_big_jobs_it_is_erlang(n, load):
    rate = n * load
    terms = [float(rate) ** k / math.factorial(k) for k in range(n)]
    last = float(rate) ** n / math.factorial(n) / float(1 - load)
    delayed = last / (sum(terms) + last)
    found = OneAndNQueue(n, "1e-30", 1, 1, rate).stationary()
    assert close(found.small.mean, delayed / float(n - rate), 1e-13)
    assert close(found.small.none, 1 - delayed, 1e-15)
    # A wait is Exp(n - rate) where there is one.
    assert close(found.small.variance, delayed * (2 - delayed) / float(n - rate) ** 2, 1e-12)


@pytest.mark.parametrize(("n", "p", "mun"), [(3, "0.3", "0.5"), (40, "0.01", "0.1")])
def test_heavy_traffic_is_that_of_the_saturated_system(n, p, mun):
    """E[Q](1 - rho) -> 1 + E[Delta(Y_d)], from Poisson's equation of the saturated chain."""
    limit = 1 + float(one_and_n(n, p, 1, mun).mean_relative_completions)
    idle = F(1, 10**9)
    queue = OneAndNQueue(n, p, 1, mun, capacity(n, p, 1, mun) * (1 - idle))
    assert close(queue.stationary().number_in_system * float(idle), limit, 1e-6)


def test_many_servers_and_two_precisions():
    queue = OneAndNQueue(60, "0.004", 1, "0.1", capacity(60, "0.004", 1, "0.1") * F(4, 5))
    rough, fine = queue.enclose(8), queue.enclose(30)
    assert rough.waiting.mean.bits < fine.waiting.mean.bits
    for kind in ("waiting", "small", "big"):
        for name in ("mean", "variance", "none"):
            first, second = (getattr(getattr(item, kind), name) for item in (rough, fine))
            assert F(second.value) in first
            assert F(second.radius) <= abs(F(second.value)) / 10**29
    assert float(fine.big.none.value) == float(fine.empty.value)


# --- what is refused ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            (256, "0.001", 1, "0.025", "20.45"),
            "unstable: arrival rate 20.45 is not below the saturated throughput 20.4481",
        ),
        ((2, "0.5", 1, 1, "8/7"), "unstable"),
        ((2, "0.5", 1, 1, 0), "arrival rate must be positive"),
        ((2, "0.5", 1, 1, -1), "arrival rate must be positive"),
        ((0, "0.5", 1, 1, "0.1"), "n must be an integer >= 1"),
        ((2, 0, 1, 1, "0.1"), "p must lie strictly between 0 and 1"),
        ((2, 1, 1, 1, "0.1"), "p must lie strictly between 0 and 1"),
        ((2, "0.5", 0, 1, "0.1"), "rates"),
        ((2, "0.5", 1, -2, "0.1"), "rates"),
    ],
)
def test_bad_parameters_are_refused_in_one_line(arguments, words):
    with pytest.raises(ValueError, match=words) as error:
        OneAndNQueue(*arguments)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("arguments", [(2.0, "0.5", 1, 1, "0.1"), (2, 0.5, 1, 1, "0.1"), (True, "0.5", 1, 1, "0.1")])
def test_inexact_parameters_are_refused(arguments):
    with pytest.raises(TypeError):
        OneAndNQueue(*arguments)


# --- the certificates can fail ---------------------------------------------------------------------------


def small_queue() -> OneAndNQueue:
    return OneAndNQueue(5, "0.2", 1, "0.5", F(1, 2))


def test_a_zero_taken_twice_is_noticed(monkeypatch):
    zeros, scale = equations.approximate_zeros(equations.Parameters(5, 0.2, 0.8, 1.0, 0.5, 0.5))
    first = next(z for z in zeros if z.imag)
    monkeypatch.setattr(equations, "approximate_zeros", lambda queue: ([first, first], scale))
    with pytest.raises(Undecided, match="not certified regular"):
        small_queue().enclose()


def test_a_zero_outside_the_disc_is_noticed(monkeypatch):
    zeros, scale = equations.approximate_zeros(equations.Parameters(4, 0.2, 0.8, 1.0, 0.5, 0.5))
    assert sum(not z.imag for z in zeros) == 1
    moved = [z if z.imag else 1 + 0j for z in zeros]  # z = 1 is a zero too, which gives no equation
    monkeypatch.setattr(equations, "approximate_zeros", lambda queue: (moved, scale))
    with pytest.raises(Undecided):
        OneAndNQueue(4, "0.2", 1, "0.5", F(1, 2)).enclose()


def test_wrong_equations_are_noticed(monkeypatch):
    """The total probability is not imposed: it is the check of the equations."""
    whole = equations.line_series
    monkeypatch.setattr(equations, "line_series", lambda queue, empty: whole(queue, [2 * empty[0], *empty[1:]]))
    with pytest.raises(ArithmeticError, match="probabilities sum to"):
        small_queue().enclose()


def test_zeros_of_functions_without_one():
    with systems.precision(100):
        with pytest.raises(Undecided, match="no certified zero"):
            systems.complex_zero(lambda z: (z * z + 1, 2 * z), 0.7)  # no real zero: a real start stays real
        with pytest.raises(Undecided, match="no certified zero"):
            systems.complex_zero(lambda z: (z * z, 2 * z), 0.1 + 0.1j)  # a double zero
        root = systems.complex_zero(lambda z: (z * z - 2, 2 * z), 1.4)
        assert root.imag.is_zero()
        assert root.real.overlaps(arb(2).sqrt())
        assert isinstance(root, acb)


def test_singular_systems_are_refused():
    with systems.precision(100):
        rows = [[arb(1), arb(2)], [arb(2), arb(4)]]
        with pytest.raises(Undecided, match="not certified regular"):
            systems.solve(rows, [arb(1), arb(2)])
        with pytest.raises(Undecided, match="digits"):
            systems.enclosure(arb(1, 1e-5), 12)


def test_all_zeros_are_found():
    """The number of zeros in the disc, by the argument principle, is that which is found."""
    for n, p, rate in ((2, 0.5, 0.3), (9, 0.01, 2.0), (30, 0.9, 0.5), (30, 1e-6, 25.0)):
        queue = equations.Parameters(n, p, 1 - p, 1.0, 1.0, rate)
        zeros, scale = equations.approximate_zeros(queue)
        found = sum(2 if z.imag else 1 for z in zeros)
        circle = 0.999 * np.exp(2j * np.pi * np.arange(20_001) / 20_000)
        values = equations.kernel(queue, circle, scale)[0]
        turns = np.sum(np.angle(values[1:] / values[:-1])) / (2 * np.pi)
        assert found == n - 1 == round(turns)
