"""Perfect samples: theory, the sandwich, the bounds of the dominating queue, and what must be refused.

Samples against theory at 5.5 to 6 standard errors: a false alarm has probability below 4e-8 each.
"""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from asymp.queues.laws import (
    BoundedPareto,
    Deterministic,
    Empirical,
    Erlang,
    Exponential,
    HyperExponential,
    Kind,
    Law,
    Part,
)
from asymp.queues.workload import ServerNeed, Workload, named
from asymp.sample import batches, runs, sandwich, trajectory
from asymp.sample.batches import Calibration, calibrated, dominate, pile_heights
from asymp.sample.packed import Packed, pack
from asymp.sample.perfect import perfect
from asymp.sample.runs import block_length
from asymp.sample.sampled import sample_runs
from asymp.sample.transforms import largest_rate, log_mgf, log_mgf_services
from benchmarks.early_stopping import compare

pytest.importorskip("numba")

SIGMAS = 6.0
MIXED = Workload(
    6,
    (
        ServerNeed(1, 0.5, Exponential(1.0)),
        ServerNeed(3, 0.3, HyperExponential((0.2, 0.8), (2.0, 0.5))),
        ServerNeed(5, 0.2, Erlang(2, 1.5)),
    ),
)
ARRIVALS = Exponential(1.3)


def single(law: Law, servers: int = 1, need: int = 1) -> Workload:
    return Workload(servers, (ServerNeed(need, 1.0, law),))


# --- against theory -----------------------------------------------------------------------------------


@pytest.mark.parametrize("load", [0.3, 0.8])
def test_one_exponential_server(load: float) -> None:
    found = perfect(single(Exponential(1.0)), Exponential(1 / load), 20_000, seed=3)
    assert found.unmet == 0
    assert found.dominating.size == 1
    assert found.dominating.delta == 0.0  # the law of single jobs is known: nothing is calibrated
    assert found["waiting-mean"].agrees(load / (1 - load), SIGMAS)
    assert found["waiting-variance"].agrees(load * (2 - load) / (1 - load) ** 2, SIGMAS)
    assert abs(found["waiting-zero[0]"].value - (1 - load)) < SIGMAS * found["waiting-zero[0]"].stderr


@pytest.mark.parametrize(
    "law", [Deterministic(2.0), Erlang(3, 2.0), BoundedPareto(0.5, 30.0, 1.5), Empirical((1.0, 4.0))]
)
@pytest.mark.parametrize("servers", [1, 4])
def test_jobs_that_need_every_server(law: Law, servers: int) -> None:
    rate = 0.6 / law.mean
    found = perfect(single(law, servers, servers), Exponential(1 / rate), 10_000)
    pollaczek = rate * law.moment(2) / (2 * (1 - 0.6))
    assert found.unmet == 0
    assert found["waiting-mean"].agrees(pollaczek, SIGMAS)


@pytest.mark.parametrize("servers", [3])
def test_many_exponential_servers(servers: int) -> None:
    offered = 0.75 * servers
    tail = offered**servers / math.factorial(servers) / (1 - 0.75)
    delayed = tail / (sum(offered**k / math.factorial(k) for k in range(servers)) + tail)
    found = perfect(single(Exponential(1.0), servers), Exponential(1 / offered), 20_000)
    assert found.dominating.delta == 1e-9  # single jobs on one server at a time cannot carry this load
    assert found["waiting-mean"].agrees(delayed / (servers - offered), SIGMAS)
    assert abs(1 - found["waiting-zero[0]"].value - delayed) < SIGMAS * found["waiting-zero[0]"].stderr


def test_interarrival_times_that_are_not_exponential() -> None:
    # D/M/1: W is 0 with probability 1 - s, else exponential of mean 1/(1 - s), s = exp(-a (1 - s))
    gap = 1.5
    root = float(mpmath.findroot(lambda s: s - mpmath.exp(-gap * (1 - s)), 0.4))
    found = perfect(single(Exponential(1.0)), Deterministic(gap), 20_000)
    assert found["waiting-mean"].agrees(root / (1 - root), SIGMAS)


# --- the sandwich -------------------------------------------------------------------------------------


def run(sample: int, start: int, level: float, seed: int = 0, block: int = 0) -> tuple[int, np.ndarray]:
    """(the index at which the chains met, or -1; the workload that job 0 finds) of a sample of MIXED."""
    packed = pack(MIXED, ARRIVALS)
    low, high = trajectory.new_bench(packed), trajectory.new_bench(packed)
    block = block or block_length(MIXED.servers)
    met = sandwich.sandwich(packed, np.uint64(seed), np.uint64(sample), low, high, block, start, level)
    n = runs.in_order(low.state, low.times, low.counts)
    return met, np.repeat(low.times[:n], low.counts[:n])


def test_the_samples_are_those_of_algorithm_1_run_far() -> None:
    found = perfect(MIXED, ARRIVALS, 40, seed=5)
    assert found.unmet == 0
    for k in range(40):
        met, workload = run(k, 1 << 14, found.levels[0], seed=5)
        times, counts, _ = sample_runs(MIXED, ARRIVALS, k, 5, 1 << 13)
        assert met >= 0
        assert np.array_equal(workload, np.repeat(times, counts))
        assert np.array_equal(workload, found.workloads(k))


def test_batches_of_any_size_and_any_threads_certify_the_same_samples() -> None:
    kept = Calibration(MIXED, delta=1e-9, jobs=1 << 19)
    found = [perfect(MIXED, ARRIVALS, 300, m=m, calibration=kept) for m in (16, 32)]
    found.append(perfect(MIXED, ARRIVALS, 300, m=16, calibration=kept, threads=2, start=4096))
    assert len({one.levels[0] for one in found}) == 2
    assert len({one["waiting-mean"].value for one in found}) == 1
    assert all(sum(one.met) == 300 for one in found)


def test_algorithm_1_beside_the_truth() -> None:
    found = compare(MIXED, ARRIVALS, 500, [2, 4096])
    early, late = found.early
    assert found.unmet == 0
    assert 0.05 < early.wrong.value < 0.95
    assert early.bias.value < -3 * early.bias.stderr
    assert early.waiting.value == pytest.approx(found.waiting.value + early.bias.value)
    assert sum(early.stopped.values()) == 500
    assert late.wrong.value == 0.0
    assert late.bias.value == 0.0
    assert 0 < late.wrong.interval[1] < 0.02  # none of 500 is not never
    packed = pack(MIXED, ARRIVALS)
    waits = np.array([[run(k, 8192, 400.0)[1], _stopped(packed, k)] for k in range(100)])
    assert (waits[:, 1] <= waits[:, 0]).all()  # a subperfect sample is below the perfect one
    assert (waits[:, 1] < waits[:, 0]).any()


def _stopped(packed: Packed, k: int) -> np.ndarray:
    """The workload at which Algorithm 1 stops from l = 2."""
    bench = trajectory.new_bench(packed, 2, 1 << 20)
    trajectory.stop(packed, np.uint64(0), np.uint64(k), bench, block_length(6), 2, 1 << 20)
    n = bench.marks.length[0]
    return np.repeat(bench.marks.times[0, :n], bench.marks.counts[0, :n])


def test_samples_that_do_not_meet_are_not_certified() -> None:
    found = perfect(MIXED, ARRIVALS, 50, start=1024, most=1024, epsilon=1e-300)
    assert found.unmet > 0
    assert "not certified" in found.notes[0]
    assert found.certificate.startswith(f"{50 - found.unmet} of 50 samples")


# --- a broken dominating queue is seen to fail -----------------------------------------------------------


def test_a_start_too_low_certifies_wrong_samples() -> None:
    level = calibrated(MIXED, ARRIVALS, 100).level(1e-12)
    truth = [run(k, 4096, level, block=8) for k in range(300)]
    broken = [run(k, 8, 0.0, block=8) for k in range(300)]
    assert all(met >= 0 for met, _ in truth)
    assert all(met >= 0 for met, _ in broken)  # u = 0 certifies everything ...
    wrong = [not np.array_equal(w, v) for (_, w), (_, v) in zip(truth, broken, strict=True)]
    assert np.mean(wrong) > 0.02  # ... and is wrong
    # From as few jobs ago the true u certifies next to nothing, and nothing wrong.
    short = [run(k, 8, level, block=8) for k in range(300)]
    assert np.mean([met >= 0 for met, _ in short]) < 0.5
    assert all(met < 0 or np.array_equal(w, v) for (met, w), (_, v) in zip(short, truth, strict=True))


def test_the_bound_of_the_tail_holds_and_a_false_exponent_does_not() -> None:
    dominating = calibrated(MIXED, ARRIVALS, 100)
    level = dominating.level(1e-12)
    # The most loaded server of the stationary workload, which Z dominates.
    values = np.array([run(k, 4096, level, seed=1)[1][-1] for k in range(1000)])
    for epsilon in (0.3, 0.1, 0.03):
        above = float(np.mean(values > dominating.level(epsilon)))
        assert above <= epsilon + SIGMAS * math.sqrt(epsilon / values.size)
    false = dominating.level(0.1) / 20  # as an exponent twenty times too large would have it
    assert float(np.mean(values > false)) > 0.1 + SIGMAS * math.sqrt(0.1 / values.size)


# --- bounds of exponential moments -------------------------------------------------------------------------


LAWS = [
    Exponential(2.0),
    Erlang(3, 2.0),
    HyperExponential((0.1, 0.9), (2.0, 0.5)),
    Deterministic(1.5),
    Empirical((1.0, 2.0, 5.0)),
    BoundedPareto(0.15, 400.0, 1.4),
]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("rate", [-0.7, -0.01, 0.01, 0.3])
def test_exponential_moments_are_bounded_closely(law: Law, rate: float) -> None:
    exact = mpmath.mpf(0)
    for part in law.parts():
        p = part.parameters
        if part.kind == Kind.EXPONENTIAL:
            one = 1 / (1 - mpmath.mpf(rate) * p[0])
        elif part.kind == Kind.ERLANG:
            one = (1 - mpmath.mpf(rate) * p[0]) ** -int(p[1])
        elif part.kind == Kind.DETERMINISTIC:
            one = mpmath.exp(mpmath.mpf(rate) * p[0])
        else:
            shape = 1 / mpmath.mpf(p[2])
            top = p[0] * (1 - mpmath.mpf(p[1])) ** (-1 / shape)
            points = [p[0] * (top / p[0]) ** (mpmath.mpf(k) / 40) for k in range(41)]
            density = lambda x, p=p, a=shape: a * p[0] ** a * x ** (-a - 1) / p[1]  # noqa: E731 - an integrand
            one = mpmath.quad(lambda x, f=density: mpmath.exp(rate * x) * f(x), points)
        exact += part.probability * one
    bound = log_mgf(law, rate)
    assert (
        0 <= bound - float(mpmath.log(exact)) < (0.3 if law == LAWS[-1] and rate == 0.3 else 1e-2 * max(1, abs(bound)))
    )


def test_a_law_without_exponential_moment_is_refused() -> None:
    class Heavy(Deterministic):
        def parts(self) -> tuple[Part, ...]:
            return (Part(1.0, 99, (1.0,)),)  # type: ignore[arg-type]

    with pytest.raises(ValueError, match="no exponential moment"):
        log_mgf(Heavy(1.0), 0.5)


def test_bounds_of_piles_are_above_the_exact_moments() -> None:
    # One server: the height of m jobs is the sum of their services.
    kept = Calibration(single(Exponential(1.0)), jobs=1 << 18)
    for level in range(9):
        moments = kept.moments(level)
        exact = -moments.size * np.log1p(-moments.rates)
        assert (moments.bounds >= exact - 1e-9).all()
        # not by much where a pile's moment is moderate
        moderate = exact < 3
        assert (moments.bounds - exact)[moderate].max() < 0.4


def test_bounds_of_piles_of_jobs_side_by_side() -> None:
    # m jobs on m servers: the height is the largest of m exponentials, E exp(r H) = prod k/(k - r).
    kept = Calibration(single(Exponential(1.0), 64), jobs=1 << 18)
    for level in range(1, 7):
        moments = kept.moments(level)
        exact = np.array([sum(-math.log1p(-r / k) for k in range(1, moments.size + 1)) for r in moments.rates])
        assert (moments.bounds >= exact).all()
        assert (moments.bounds[40:] - exact[40:]).max() < 0.1
    heights = pile_heights(pack(single(Exponential(1.0), 64), ARRIVALS), 64, 20_000, 1, 7)
    harmonic = sum(1 / k for k in range(1, 65))
    assert abs(heights.mean() - harmonic) < SIGMAS * heights.std() / math.sqrt(heights.size)


@pytest.mark.parametrize("bound", [batches._bernstein, batches._betting])
def test_bounds_of_a_mean_cover(bound: object) -> None:
    # At delta = 0.05 a bound may fail for 1 in 20; of 400 more than 48 would be 6 standard deviations too many.
    random = np.random.default_rng(11)
    failures = 0
    for _ in range(400):
        values = (random.random(300) < 0.02) * random.random(300)
        failures += bound(values, 0.05) < 0.01  # type: ignore[operator]
    assert failures <= 48
    assert bound(np.full(4000, 0.25), 1e-9) < 0.27  # type: ignore[operator]


# --- what is refused ------------------------------------------------------------------------------------------


def test_unstable_loads_are_refused() -> None:
    five = named("table2-exponential")
    with pytest.raises(ValueError, match=r"unstable|stable"):
        perfect(five, Exponential(1 / 2.5), 10)
    with pytest.raises(ValueError, match=r"threshold|pile"):
        perfect(five, Exponential(1 / 1.95), 10)  # below s/E[alpha sigma] = 2.12, above lambda_c = 1.80
    small = Calibration(five, jobs=1 << 17)
    with pytest.raises(ValueError, match="no dominating queue"):
        dominate(small, Exponential(1 / 1.95))


def test_arguments_are_checked() -> None:
    queue = single(Exponential(1.0))
    with pytest.raises(ValueError, match="epsilon"):
        perfect(queue, Exponential(2.0), 10, epsilon=0.0)
    with pytest.raises(ValueError, match="power of 2"):
        perfect(queue, Exponential(2.0), 10, m=3)
    with pytest.raises(ValueError, match="another workload"):
        perfect(queue, Exponential(2.0), 10, calibration=Calibration(MIXED))
    with pytest.raises(ValueError, match="delta"):
        Calibration(queue, delta=1.5)
    assert largest_rate(queue) == 1.0
    assert log_mgf_services(queue, 1.5) == math.inf
