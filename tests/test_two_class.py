"""The two-class system: the product form against the chain, certified numbers against both, the open queue, the sampler."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from asymp.enclosure import Undecided, enclose_quantity
from asymp.enclosure.numbers import InputError
from asymp.model import sample
from asymp.queues.one_and_n_queue import OneAndNQueue, capacity
from asymp.queues.rules import JobClass
from asymp.queues.saturated import saturated
from asymp.queues.two_class import (
    TwoClass,
    is_stable,
    mean_number,
    mean_response_time,
    open_two_class,
    throughput,
    utilization,
    wastage,
)
from asymp.registry import find_quantity

F = Fraction
EXACT = {"throughput": throughput, "wastage": wastage, "utilization": utilization}


def certified(name, *arguments, digits=30):
    names = ("n1", "n2", "n", "p1", "mu1", "mu2")
    raw = {key: str(value) for key, value in zip(names, arguments, strict=True)}
    return enclose_quantity(find_quantity(f"twoclass/{name}"), raw, digits)


def some(count, seed, most):
    """Random systems, with probabilities near 0 and 1 and rates far apart among them."""
    rng = random.Random(seed)
    for _ in range(count):
        n = rng.randint(2, most)
        n2 = rng.randint(2, n)
        n1 = rng.randint(1, n2 - 1)
        p1 = rng.choice([F(1, 2), F(rng.randint(1, 99), 100), 1 - F(1, 10**8), F(1, 10**8)])
        mu1 = rng.choice([F(1), F(rng.randint(1, 50), 7)])
        yield n1, n2, n, p1, mu1, mu1 * rng.choice([F(1), F(1, 10**6), F(10**6), F(rng.randint(1, 30), 11)])


# --- the product form -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n1", "n2", "n"), [(3, 10, 30), (1, 6, 12), (2, 5, 11), (2, 3, 7), (1, 5, 5), (4, 7, 9)])
@pytest.mark.parametrize("rate", [F(1, 3), F(7, 2)])
def test_the_product_form_is_the_chain(n1, n2, n, rate):
    p1 = F(3, 5)
    chain = saturated(n, [JobClass(n1, F(1), p1), JobClass(n2, rate, 1 - p1)])
    idle = sum(weight * chain.rules.free(state) for state, weight in chain.P.items())
    assert throughput(n1, n2, n, p1, 1, rate) == chain.throughput
    assert wastage(n1, n2, n, p1, 1, rate) == idle == n - n * utilization(n1, n2, n, p1, 1, rate)


@pytest.mark.parametrize(("need", "n"), [(3, 7), (5, 5)])
def test_the_product_form_of_equal_needs_is_the_chain(need, n):
    system = TwoClass(need, need, n, F(3, 5), 1, F(1, 3))
    assert system.means[0] == saturated(n, system.rules().classes).throughput


def test_wastage_and_throughput_balance():
    demand = F(1, 2) * 1 + F(1, 2) * 100 * F(1, 50)
    assert wastage(1, 100, 200, "0.5", 1, 50) == 200 - demand * throughput(1, 100, 200, "0.5", 1, 50)
    assert throughput(1, 6, 6, "0.7", 2, "0.5") == capacity(6, "0.3", 2, "0.5")


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ((2, 1, 4, "0.5", 1, 1), ValueError, "1 <= n1 < n2 <= n"),
        ((2, 2, 4, "0.5", 1, 1), ValueError, "1 <= n1 < n2 <= n"),
        ((1, 5, 4, "0.5", 1, 1), ValueError, "1 <= n1 < n2 <= n"),
        ((0, 2, 4, "0.5", 1, 1), ValueError, "1 <= n1 < n2 <= n"),
        ((1, 2, 4, 1, 1, 1), ValueError, "p1=1"),
        ((1, 2, 4, "0.5", 0, 1), ValueError, "mu1=0"),
        ((1, 2, 4, "0.5", 1, -1), ValueError, "mu2=-1"),
        ((1, 2, 4, "nan", 1, 1), ValueError, "nan"),
        ((1, 2, 4, 0.5, 1, 1), TypeError, "p1"),
        ((1, 2, 4.0, "0.5", 1, 1), TypeError, "n must"),
        ((True, 2, 4, "0.5", 1, 1), TypeError, "n1 must"),
    ],
)
def test_parameters_outside_the_model_are_refused(arguments, error, words):
    for function in EXACT.values():
        with pytest.raises(error, match=words):
            function(*arguments)


# --- certified numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_certified_numbers_hold_the_exact_ones(seed):
    for arguments in some(60, seed, 12 if seed == 0 else 150):
        for name, function in EXACT.items():
            found, true = certified(name, *arguments), function(*arguments)
            assert true in found, (name, arguments)
            assert F(found.radius) <= abs(true) * F(1, 10**29), (name, arguments)


def direct(n1, n2, n, p1, mu2):
    """(throughput, wastage) by adding up all states in balls of 400 bits, mu1 = 1."""
    with ctx.workprec(400):
        p, r = (arb(fmpq(x.numerator, x.denominator)) for x in (p1, mu2))
        seconds = [arb(1)]
        for j in range(1, n // n2 + 1):
            seconds.append(seconds[-1] * (1 - p) * (1 + ((n - j * n2) // n1) / (j * r)))
        firsts, mass, time, idle = arb(1), arb(0), arb(0), arb(0)
        for a in range(n // n1 + 1):
            b = (n - a * n1) // n2
            firsts = firsts * p * (1 + b * r / a) if a else firsts
            free = n - a * n1 - b * n2
            weight = firsts * seconds[b] * (1 - p if free >= n1 else 1)
            stay = weight / (a + b * r)
            mass, time, idle = mass + weight, time + stay, idle + stay * free
        return mass / time, idle / time


@pytest.mark.parametrize(
    ("n1", "n2", "n", "p1", "mu2"),
    [
        (1, 2, 30_000, F(1, 2), F(1)),
        (1, 2, 30_000, 1 - F(1, 10**4), F(1, 10**4)),
        (3, 10, 100_000, F(9, 10), F(1, 7)),
        (1, 700, 20_000, 1 - F(1, 10**8), F(3)),
        (1, 5_000, 20_000, F(999, 1000), F(10**5)),
        (1, 5_000, 20_000, F(999, 1000), F(1, 10**6)),
        (1, 9_000, 20_000, 1 - F(1, 3000), F(1)),
        (1, 30_000, 30_000, F(999, 1000), F(1, 3)),
        (2, 301, 100_000, 1 - F(1, 10**6), F(1, 10**4)),
        (7, 101, 100_000, F(99, 100), F(10**6)),
        (499, 500, 10**7 + 3, F(1, 3), F(2)),
    ],
)  # fmt: skip
def test_certified_numbers_are_direct_sums(n1, n2, n, p1, mu2):
    for name, true in zip(EXACT, direct(n1, n2, n, p1, mu2), strict=False):
        found = certified(name, n1, n2, n, p1, 1, mu2)
        assert found.ball.overlaps(true), name
        with ctx.workprec(400):
            assert abs(arb(fmpq(F(found.value).numerator, F(found.value).denominator)) - true) <= arb(found.radius) * 1.01


@pytest.mark.parametrize("n", [1000, 10**8])
@pytest.mark.parametrize(("p1", "mu2"), [("0.99", "1/3"), ("0.99999999", "2"), ("0.001", "1000000")])
def test_one_and_n_is_that_of_the_other_paper(n, p1, mu2):
    other = find_quantity("lfms/throughput")
    raw = {"n": str(n), "p": str(1 - F(p1)), "mu1": "1", "mun": mu2}
    assert certified("throughput", 1, n, n, p1, 1, mu2).value == enclose_quantity(other, raw, 30).value


def test_only_the_ratio_of_the_rates_matters_for_wastage():
    for n1, n2, n in ((3, 10, 10**7), (1, 10**5, 10**7), (1, 3 * 10**6, 10**7)):
        one, two = (certified("wastage", n1, n2, n, "0.9", c, c * F(1, 3)) for c in (1, F(7, 5)))
        assert one.value == two.value
        slow, fast = (certified("throughput", n1, n2, n, "0.9", c, c * F(1, 3)) for c in (1, 4))
        assert abs(4 * F(slow.value) - F(fast.value)) <= 4 * F(slow.radius) + F(fast.radius)


def test_wastage_and_throughput_balance_where_nothing_can_be_added_up():
    for n1, n2, n in ((1, 2, 10**40), (3, 10, 10**100), (1, 3 * 10**7, 10**8), (7, 701, 10**7)):
        rate, idle, used = (certified(name, n1, n2, n, "0.9", 1, "1/3") for name in EXACT)
        demand = F(9, 10) * n1 + F(1, 10) * n2 * 3
        assert abs(n - demand * F(rate.value) - F(idle.value)) <= demand * F(rate.radius) + F(idle.radius)
        assert abs(n - n * F(used.value) - F(idle.value)) <= n * F(used.radius) + F(idle.radius)


def test_more_digits_agree():
    for arguments in ((1, 257, 10**6, "0.99", 1, 1), (1, 10**5, 10**6, "1/2", 1, 3)):
        few, many = (certified("wastage", *arguments, digits=digits) for digits in (15, 60))
        assert abs(F(few.value) - F(many.value)) <= F(few.radius) + F(many.radius)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n1": "10"}, "n2=10: must be whole n2, n2 > n1"),
        ({"n": "9"}, "n=9: must be whole n, n >= n2"),
        ({"n1": "0"}, "n1=0: must be"),
        ({"n2": "7.5"}, "n2=7.5: must be whole"),
        ({"p1": "1"}, "p1=1: must be 0 < p1 < 1"),
        ({"p1": "nan"}, "p1=nan: not a number"),
        ({"mu1": "0"}, "mu1=0: must be mu1 > 0"),
        ({"mu2": "-1"}, "mu2=-1: must be mu2 > 0"),
        ({"mu2": "inf"}, "mu2=inf: not a number"),
    ],
)
def test_quantities_outside_the_model_are_refused(change, words):
    raw = {"n1": "3", "n2": "10", "n": "30", "p1": "0.5", "mu1": "1", "mu2": "1", **change}
    for name in EXACT:
        with pytest.raises(InputError, match=words) as info:
            enclose_quantity(find_quantity(f"twoclass/{name}"), raw, 30)
        assert "\n" not in str(info.value)


# --- the open queue --------------------------------------------------------------------------------------


def test_the_drift_decides_at_the_throughput():
    for arguments in some(12, 5, 14):
        edge = throughput(*arguments)
        assert open_two_class(1, *arguments).capacity == edge
        assert open_two_class(edge, *arguments).recurrence == "null recurrent"
        assert is_stable(edge * (1 - F(1, 10**30)), *arguments)
        assert not is_stable(edge, *arguments)
        assert open_two_class(edge * (1 + F(1, 10**30)), *arguments).recurrence == "transient"
        with pytest.raises(ValueError, match="unstable"):
            mean_number(edge, *arguments)


def test_certified_means_are_those_of_the_1_and_n_queue():
    for n, rho in ((2, F(1, 2)), (5, F(9, 10)), (8, F(99, 100))):
        edge = throughput(1, n, n, "0.7", 2, "0.5")
        mean = mean_number(rho * edge, 1, n, n, "0.7", 2, "0.5", digits=25)
        other = OneAndNQueue(n, "0.3", 2, "0.5", rho * edge).enclose(25).number_in_system
        assert abs(F(mean.value) - F(other.value)) <= F(mean.radius) + F(other.radius)


def test_certified_means_agree_with_a_finite_chain_and_with_little():
    arguments = (2, 5, 12, "1/2", 1, "1/3")
    edge = throughput(*arguments)
    for rho in (F(1, 10), F(9, 10), 1 - F(1, 10**6)):
        mean, time = mean_number(rho * edge, *arguments), mean_response_time(rho * edge, *arguments)
        assert abs(F(mean.value) - rho * edge * F(time.value)) <= F(mean.radius) + rho * edge * F(time.radius)
    with pytest.raises(Undecided):
        open_two_class(edge / 2, *arguments).certified_mean_number(10**5)
    assert mean_of_finite(open_two_class(edge / 2, *arguments), 80) == pytest.approx(float(mean_number(edge / 2, *arguments).value), rel=1e-11)


def mean_of_finite(queue, most):
    """The mean number in a system that turns away whom it would be too full with, by its balance in floats."""
    places = dict.fromkeys([(0, queue.rules.empty)])
    rates = {}
    todo = list(places)
    for here in todo:
        for there, rate in queue.transitions(here):
            if there[0] <= most:
                rates[here, there] = rates.get((here, there), 0.0) + float(rate)
                if there not in places:
                    places[there] = None
                    todo.append(there)
    index = {place: k for k, place in enumerate(places)}
    flow = np.zeros((len(index), len(index)))
    for (here, there), rate in rates.items():
        flow[index[there], index[here]] += rate
        flow[index[here], index[here]] -= rate
    flow[0] = 1.0
    law = np.linalg.solve(flow, np.eye(len(index))[0])
    return float(sum(law[k] * level for (level, _), k in index.items()))


@pytest.mark.parametrize("lam", [0, -1, "nan"])
def test_rates_of_arrivals_outside_the_model_are_refused(lam):
    with pytest.raises(ValueError, match=r"lam=|nan"):
        is_stable(lam, 1, 2, 2, "1/2", 1, 1)


# --- the sampler -----------------------------------------------------------------------------------------

SYSTEM = {"n1": "3", "n2": "10", "n": "30", "p1": "0.5", "mu1": "1", "mu2": "1/3"}


def test_the_sampler_finds_throughput_and_wastage():
    found = sample("twoclass", {**SYSTEM, "precision": "0.02"}, size=10**6, device="cpu").estimates
    exact = 3, 10, 30, "1/2", 1, "1/3"
    assert found["throughput"].agrees(float(throughput(*exact)))
    assert found["wastage"].agrees(float(wastage(*exact)))


def test_the_sampler_finds_the_mean_response_time():
    found = sample("twoclass", {**SYSTEM, "lam": "0.5"}, size=400, device="cpu").estimates
    assert found["response-time"].agrees(float(mean_response_time("0.5", 3, 10, 30, "1/2", 1, "1/3").value))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"n1": "10"}, "want n1 < n2 <= n"),
        ({"n": "9"}, "want n1 < n2 <= n"),
        ({"p1": "1"}, "p1=1 is out of range"),
        ({"mu1": "0"}, "mu1=0 is out of range"),
        ({"mu2": "nan"}, "mu2=nan"),
        ({"n1": "1.5"}, "n1=1.5 is out of range"),
        ({"lam": "1", "load": "0.5"}, "at most one"),
        ({"lam": "100"}, "unstable"),
        ({"mu3": "1"}, "unknown parameter 'mu3'"),
    ],
)
def test_the_sampler_refuses_what_is_no_two_class_system(change, words):
    with pytest.raises(ValueError, match=words):
        sample("twoclass", {**SYSTEM, **change}, size=10**5, device="cpu")
