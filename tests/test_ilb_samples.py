"""Load balancing sampled: the exact law, the certified integral, sizes of other laws, other policies, honest intervals.

A comparison of a sample with an exact value fails by chance with probability 10^-6 at most (the level of its interval), as
far as batch means are what the coverage test finds them to be; there are fewer than 300 comparisons, so that a right sampler
fails here with probability below 3 10^-4 at a change of seeds.  Tests of coverage have rates of their own.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from asymp.enclosure import enclose_quantity
from asymp.model import sample
from asymp.papers.ilb import chains
from asymp.queues.law_text import read_law
from asymp.queues.laws import Exponential
from asymp.queues.workload import ServerNeed, Workload
from asymp.registry import find_quantity
from asymp.sample import balancing, balancing_counts, balancing_jobs, jobs, routing, streams
from asymp.sample.balancing import balance, estimate
from asymp.sample.batch_means import correlation, independent
from asymp.sample.packed import pack
from asymp.sample.routing import Policy

LEVEL = 1 - 1e-6
LAWS = ("deterministic", "hyperexponential:0.1,5", "two-point:0.1,10", "erlang:3", "bounded-pareto:100,1.5")
WIDTHS = {"blocking": 0.5, "mean-occupancy": 0.05, "mean-occupancy-per-server": 0.05, "mean-sojourn-time": 0.08}
POLICIES = {"insensitive": chains.arrival_rate, "jsq": chains.shortest, "jiq": chains.idle_first, "random": chains.anywhere}


def law_of(text):
    return read_law(text)(1.0)


def series(theta, t, shift=0):
    """sum over k of k^shift-weighted terms: g for shift = 0, the mean of theta - k for 1."""
    return mpmath.fsum((theta - k) ** shift * t**k / mpmath.factorial(k) for k in range(theta + 1))


def exact(n, theta, rho):
    """Blocking and the mean number of jobs at a server, by quadrature of Theorem 13."""

    def weight(t):
        return mpmath.exp(n * (mpmath.log(series(theta, t)) - rho * t))

    places = [mpmath.mpf(2) ** k / 16 for k in range(11)]
    mass = mpmath.quad(weight, [0, *places])
    jobs_held = mpmath.quad(lambda t: weight(t) * series(theta, t, 1) / series(theta, t), [0, *places])
    return float(1 / (n * rho * mass)), float(jobs_held / mass)


def agrees(one, value, width=None):
    low, high = one.interval
    return low <= value <= high and (width is None or high - low < 2 * width * value)


# --- against exact values ---------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("theta", "n", "rho"), [(1, 3, "1"), (2, 3, "3/2"), (3, 4, "3/4"), (2, 5, "9/10")])
def test_all_estimates_agree_with_the_chain_of_the_rules(policy, theta, n, rho):
    rho = Fraction(rho)
    law = chains.stationary(chains.farm(theta, n, rho, POLICIES[policy]))
    accepted = {s: sum(POLICIES[policy](i, s, theta, n, n * rho) for i in range(theta)) for s in law}
    truth = {"blocking": 1 - sum(p * accepted[s] for s, p in law.items()) / (n * rho)}
    for k in range(theta + 1):
        truth[f"occupation[{k}]"] = sum(p * s[k] for s, p in law.items()) / n
    truth["mean-occupancy-per-server"] = sum(k * truth[f"occupation[{k}]"] for k in range(theta + 1))
    truth["mean-occupancy"] = n * truth["mean-occupancy-per-server"]
    truth["mean-sojourn-time"] = truth["mean-occupancy-per-server"] / (rho * (1 - truth["blocking"]))
    for by_jobs in (False, True):
        found = balance(n, theta, float(rho), policy, size=640_000, seed=n, level=LEVEL, by_jobs=by_jobs)
        assert set(found.estimates) == set(truth)
        wrong = {name: (str(found[name]), float(x)) for name, x in truth.items() if not agrees(found[name], float(x), 0.2)}
        assert not wrong


@pytest.mark.parametrize(("n", "theta", "rho"), [(200, 3, 1.0), (200, 1, 0.95), (1000, 2, 1.1), (50, 10, 1.0)])
def test_levels_agree_with_the_integral_and_its_certified_value(n, theta, rho):
    blocked, held = exact(n, theta, rho)
    raw = {"theta": str(theta), "n": str(n), "rho": str(rho)}
    certified = {name: float(enclose_quantity(find_quantity(f"ilb/{name}"), raw, 15).value) for name in WIDTHS}
    assert certified["blocking"] == pytest.approx(blocked, rel=1e-10)
    assert certified["mean-occupancy-per-server"] == pytest.approx(held, rel=1e-10)
    found = balance(n, theta, rho, size=6_400_000, level=LEVEL)
    for name, width in WIDTHS.items():
        assert agrees(found[name], certified[name], width), name


# --- insensitivity ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["exponential", *LAWS])
@pytest.mark.parametrize(("n", "theta", "rho"), [(20, 3, 1.0), (5, 2, 0.8), (60, 1, 1.2)])
def test_the_insensitive_policy_is_insensitive(law, n, theta, rho):
    blocked, held = exact(n, theta, rho)
    found = balance(n, theta, rho, "insensitive", law_of(law), size=2_560_000, level=LEVEL, by_jobs=True)
    assert agrees(found["blocking"], blocked, 0.3) and agrees(found["mean-occupancy-per-server"], held, 0.05)


def test_the_chain_with_two_phases_is_insensitive_too():
    """Exactly: the same comparison where a size is one of two exponentials, from the generator."""
    law = chains.stationary(chains.two_phase(2, 2, 1, Fraction(1, 2), 3))
    full = sum(p for state, p in law.items() if sum(map(sum, state)) == 4)
    assert full == chains.farm_law(2, 2, 1)[0, 0, 2]


@pytest.mark.parametrize(("policy", "most"), [("jsq", 0.9), ("jiq", 1.3)])
def test_jsq_and_jiq_are_not_but_they_are_near(policy, most):
    """At n = 5, theta = 2, rho = 0.8 blocking moves from law to law, by less than a tenth; and not to the insensitive one."""
    found = {
        law: balance(5, 2, 0.8, policy, law_of(law), 6_400_000, level=LEVEL)["blocking"].interval
        for law in ("exponential", "deterministic", "two-point:0.1,10")
    }
    assert found["deterministic"][1] < found["exponential"][0]
    assert max(high for _, high in found.values()) < 1.1 * min(low for low, _ in found.values())
    blocked, _ = exact(5, 2, 0.8)
    for low, high in found.values():
        assert (high < most * blocked) if policy == "jsq" else (low > most * blocked)


def test_broken_routing_is_found():
    """The comparison fails if an arrival weighs servers by their jobs, or a departure forgets the levels."""
    blocked, _ = exact(20, 3, 1.0)
    for policy in ("jsq", "jiq", "random", "jsq:2"):
        assert not agrees(balance(20, 3, 1.0, policy, size=2_560_000, level=LEVEL)["blocking"], blocked)
    assert not agrees(balance(20, 3, 1.01, size=2_560_000, level=LEVEL)["mean-occupancy-per-server"], exact(20, 3, 1.0)[1])


# --- intervals --------------------------------------------------------------------------------------------

TRIES, ALARM = 300, 1e-6


def misses(law, *shrinks):
    """Of intervals of level 0.9, those that miss the exact blocking and occupancy at n = 20, theta = 2, rho = 1.

    A row for each part of their width: of the same runs.
    """
    count = np.zeros((len(shrinks), 2), dtype=int)
    truth = exact(20, 2, 1.0)
    for seed in range(TRIES):
        found = balance(20, 2, 1.0, law=law, size=32_000, seed=seed, level=0.9)
        for k, name in enumerate(("blocking", "mean-occupancy-per-server")):
            one = found[name]
            for row, shrink in enumerate(shrinks):
                low, high = (one.value + (end - one.value) * shrink for end in one.interval)
                count[row, k] += not low <= truth[k] <= high
    return count


@pytest.mark.parametrize("law", [None, "two-point:0.1,10"])
def test_intervals_cover(law):
    """More misses than a rate of 0.1 has but with probability 10^-6 (each); at half the width they are far more."""
    most = binom.isf(ALARM, TRIES, 0.1)
    whole, half = misses(None if law is None else law_of(law), 1.0, 0.5)
    assert max(whole) <= most < min(half)


def test_correlated_batches_are_put_together():
    rng = np.random.default_rng(5)
    noise = rng.standard_normal((4, 16))
    parts, r = independent(noise)
    assert r is None and abs(correlation(noise)) < 0.5  # 4 standard deviations
    slow = np.cumsum(rng.standard_normal((4, 64)), axis=1)
    parts, r = independent(slow)
    assert parts.size <= 32
    pairs = np.repeat(rng.standard_normal((4, 32)), 2, axis=1)
    parts, _ = independent(pairs)
    assert parts.size <= 128 and parts.var() == pytest.approx(pairs.var())
    # where even runs differ less than their parts, it is said
    far = np.zeros((64, 2, 5))
    far[:, :, 0], far[:, :, 3] = 1.0, 1.0
    far[:32, :, 1] = 0.5
    _, notes = estimate(far, 1, 1.0, 0.99, 0)
    assert any("batches are correlated in blocking" in note for note in notes)


def test_what_never_happened_is_not_said_to_be_impossible():
    found = balance(200, 3, 0.5, size=64_000)
    assert found["blocking"].value == 0 and found["blocking"].interval == (0.0, 1.0)
    assert any("nothing was blocked" in note for note in found.notes)


# --- the kernels ------------------------------------------------------------------------------------------


def test_streams_are_those_of_numpy():
    bits, uniform, below = streams.bits, streams.uniform, streams.below
    for key in ((0,), (3, 1)):
        state = streams.stream(7, *key)
        there = np.random.SFC64(np.random.SeedSequence(7, spawn_key=key))
        assert [int(bits(state)) for _ in range(100)] == there.random_raw(100).tolist()
        state = streams.stream(7, *key)
        same = np.random.Generator(np.random.SFC64(np.random.SeedSequence(7, spawn_key=key)))
        assert [uniform(state) for _ in range(100)] == same.random(100).tolist()
        assert {below(state, 3) for _ in range(100)} == {0, 1, 2}


def plain_server(theta, sigma, tau):
    """(time, blocked time, time with k jobs) of one processor-sharing server, played as plainly as can be."""
    held, now, levels = [], 0.0, [0.0] * (theta + 1)
    for size, gap in zip(sigma, tau, strict=True):
        left = gap
        while True:
            step = min(held) * len(held) if held else np.inf
            spent = min(step, left)
            levels[len(held)] += spent
            left -= spent
            share = spent / max(len(held), 1)
            held = [x - share for x in held]
            if step > left + spent:
                break
            held.remove(min(held))
        now += gap
        if len(held) < theta:
            held.append(size)
    return now, levels[theta], levels


@pytest.mark.parametrize("law", ["exponential", *LAWS])
@pytest.mark.parametrize("theta", [1, 2, 5])
def test_one_server_is_played_as_a_plain_one(law, theta):
    """The same jobs, so the same path: no chance in it but for rounding."""
    arrivals, rho = 1500, 0.9
    packed = pack(Workload(1, (ServerNeed(1, 1.0, law_of(law)),)), Exponential(1 / rho))
    _, _, sigma, tau = jobs.draw_jobs(packed, 11, 0, 0, arrivals)
    c = np.zeros(theta + 1, np.int64)
    c[0] = 1
    state, sums, policy = balancing_jobs.servers(c, np.zeros), np.zeros(theta + 3), Policy.named("jsq")
    run, stream = balancing_jobs.run, streams.stream(0, 0)
    for first in range(0, arrivals, 500):
        run(packed, np.uint64(11), np.uint64(0), first, 500, policy.kind, 1, state, c, stream, sums)
        balancing_jobs.rebase(state)
    now, blocked, levels = plain_server(theta, sigma, tau)
    assert sums[:2] == pytest.approx([now, blocked], rel=1e-9)
    assert sums[2:] == pytest.approx(levels, rel=1e-9)


@pytest.mark.parametrize("policy", ["insensitive", "jsq", "jiq", "jsq:2"])
@pytest.mark.parametrize("theta", [1, 4, 40])
def test_the_state_of_the_servers_stays_sound(policy, theta):
    n, rho, policy = 37, 1.3, Policy.named(policy)
    packed = pack(Workload(n, (ServerNeed(1, 1.0, law_of("two-point:0.1,10")),)), Exponential(1 / (n * rho)))
    c = np.zeros(theta + 1, np.int64)
    c[0] = n
    state, sums = balancing_jobs.servers(c, np.zeros), np.zeros(theta + 3)
    events = balancing_jobs.run(
        packed, np.uint64(1), np.uint64(2), 0, 20_000, policy.kind, policy.choices, state, c, streams.stream(2, 0), sums
    )
    assert np.bincount(state.level, minlength=theta + 1).tolist() == c.tolist() and c.sum() == n
    assert state.place[state.order].tolist() == state.at[state.heap].tolist() == list(range(n))
    assert (np.diff(state.level[state.order]) >= 0).all()
    assert state.first.tolist() == [0, *np.cumsum(c)]
    for i in range(1, n):
        assert state.due[state.heap[(i - 1) // 2]] <= state.due[state.heap[i]]
    for i in range(n):
        held = state.tags[i, : state.level[i]]
        assert all(held[(k - 1) // 2] <= held[k] for k in range(1, held.size))
        assert (state.due[i] == np.inf) == (held.size == 0)
    assert sums[2:].sum() == pytest.approx(n * sums[0]) and 20_000 <= events <= 40_000


def test_the_same_seed_repeats_the_numbers_whatever_the_threads():
    for law in (None, law_of("deterministic")):
        one, two = (balance(10, 2, 1.0, law=law, size=64_000, seed=3, threads=k).batches for k in (1, 3))
        assert (one == two).all()
        assert not (one[0] == one[1]).all()
        assert not (one == balance(10, 2, 1.0, law=law, size=64_000, seed=4).batches)[:, :, 0].any()


def test_a_million_servers():
    """In the memory of their places, from levels that are near the limit of many servers: c-hat of Theorem 3."""
    found = balance(10**6, 2, 0.9, size=64 * 10**4)
    root = mpmath.findroot(lambda x: 0.1 * series(2, x) - x**2 / 2, 2)
    assert found["mean-occupancy-per-server"].value == pytest.approx(2 - 0.9 * float(root), rel=0.02)
    found = balance(10**6, 2, 0.9, law=law_of("deterministic"), size=64 * 10**3, runs=1)
    assert found["mean-occupancy-per-server"].value == pytest.approx(2 - 0.9 * float(root), rel=0.02)
    assert found.batches.shape == (1, 16, 5)


def test_levels_are_scaled():
    assert routing.shares(np.array([3.0, 1.0]), 10**9).tolist() == [750_000_000, 250_000_000]
    for n in (1, 7, 1000):
        assert balancing.pilot(n, 3, 0.9, Policy.named("jiq"), 0).sum() == n
    assert balancing_counts.LEVELS == 2


# --- the command ------------------------------------------------------------------------------------------


def test_the_command_takes_words():
    found = sample("ilb", {"n": "20", "theta": "2", "rho": "9/10", "policy": "jiq", "law": "two-point:0.1,10"}, size=64_000)
    assert found.about["policy"] == "jiq" and found.about["played"] == "job by job"
    assert list(found.estimates) == ["blocking", "mean-occupancy", "mean-occupancy-per-server", "mean-sojourn-time", *(f"occupation[{k}]" for k in range(3))]


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"rho": "0"}, "rho=0 is out of range"),
        ({"rho": "-1"}, "rho=-1 is out of range"),
        ({"theta": "0"}, "theta=0 is out of range"),
        ({"theta": "oo"}, "theta=oo is not a number"),
        ({"theta": "1.5"}, "theta=1.5 is out of range"),
        ({"n": "0"}, "n=0 is out of range"),
        ({"n": "2.5"}, "n=2.5 is out of range"),
        ({"policy": "jsk"}, "did you mean jsq"),
        ({"policy": "jsq:0"}, "D of jsq:D must be an integer in 1..100"),
        ({"policy": "jsq:" + "9" * 5000}, "D of jsq:D"),
        ({"law": "two-point:2,3"}, "want low < 1 < high"),
        ({"law": "weibull"}, "law"),
        ({"n": "1e9", "theta": "100", "law": "deterministic"}, "more than 2\\^28 places"),
        ({"policy": ""}, "policy= is blank"),
    ],
)
def test_bad_input_gets_one_line(raw, words):
    with pytest.raises(ValueError, match=words) as error:
        sample("ilb", {"n": "5", "theta": "2", "rho": "1", **raw}, size=1000)
    assert "\n" not in str(error.value)


def test_arguments_of_the_function_are_checked():
    for changed in ({"n": 0}, {"theta": True}, {"rho": float("nan")}, {"size": 0}, {"batches": 1}, {"level": 1}, {"law": Exponential(2.0)}):
        with pytest.raises(ValueError, match=next(iter(changed))):
            balance(**{"n": 5, "theta": 2, "rho": 1.0, "size": 1000, **changed})
    with pytest.raises(ValueError, match="on a CPU"):
        sample("ilb", {"n": "5", "theta": "2", "rho": "1"}, size=1000, device="gpu")
