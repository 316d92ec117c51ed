"""Draws from counters: known answers, the same bits everywhere, and the laws they follow."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from asymp.queues.laws import BoundedPareto, Deterministic, Empirical, Erlang, Exponential, HyperExponential, Law
from asymp.queues.workload import ServerNeed, Workload, named
from asymp.sample import counter, elementary
from asymp.sample.jobs import draw_jobs
from asymp.sample.packed import alias_table, pack

# Random123 1.14, tests/kat_vectors: philox4x32 with 10 rounds, counter, key, result.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def hexes(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("block", "key", "answer"), KNOWN)
def test_philox_known_answers(block, key, answer):
    arrays = [np.array([word], np.int64) for word in hexes(block)]
    assert [int(w[0]) for w in counter.philox(*arrays, *hexes(key))] == hexes(answer)
    assert list(counter.compiled(*hexes(block), *hexes(key))) == hexes(answer)


# --- own logarithm and exponential ----------------------------------------------------------------------------------


def logarithm_arguments(rng: np.random.Generator, count: int) -> np.ndarray:
    """Uniforms as they are drawn, numbers near 1, and any magnitude."""
    uniforms = (rng.integers(0, 1 << 44, count) + 0.5) * 2.0**-44
    ends = (np.concatenate([np.arange(50), (1 << 44) - 1 - np.arange(50)]) + 0.5) * 2.0**-44
    near = 1 + rng.uniform(-1, 1, count) * 2.0 ** -rng.uniform(1, 52, count)
    return np.concatenate([uniforms, ends, near, np.exp(rng.uniform(-700, 700, count)), [1.0, 2.0, 0.5, 2.0**-1022]])


def worst_ulps(function, reference, arguments) -> float:
    worst = 0.0
    with mpmath.workprec(120):
        for x, y in zip(arguments.tolist(), function(arguments).tolist(), strict=True):
            exact = reference(mpmath.mpf(x))
            worst = max(worst, float(abs(y - exact)) / math.ulp(float(abs(exact))) if exact else abs(y))
    return worst


def test_logarithm_and_exponential_are_within_one_unit_in_the_last_place():
    rng = np.random.default_rng(1)
    assert worst_ulps(elementary.log, mpmath.log, logarithm_arguments(rng, 3000)) < 1
    exponents = np.concatenate([rng.uniform(-707, 709, 3000), rng.normal(size=3000), [0.0, -0.0, 709.0, -708.0]])
    assert worst_ulps(elementary.exp, mpmath.exp, exponents) < 1


def test_compiled_and_numpy_give_the_same_bits():
    numba = pytest.importorskip("numba")
    log, exp = elementary.compiled_log, elementary.compiled_exp

    @numba.njit(error_model="numpy")
    def apply(x, y, a, b):
        for i in range(x.size):
            a[i] = log(x[i])
        for i in range(y.size):
            b[i] = exp(y[i])

    rng = np.random.default_rng(2)
    x, y = logarithm_arguments(rng, 400_000), rng.uniform(-708, 709, 10**6)
    a, b = np.empty_like(x), np.empty_like(y)
    apply(x, y, a, b)
    assert np.array_equal(a.view(np.int64), elementary.log(x).view(np.int64))
    assert np.array_equal(b.view(np.int64), elementary.exp(y).view(np.int64))


# --- jobs ------------------------------------------------------------------------------------------------------------

LAWS: dict[str, Law] = {
    "exponential": Exponential(0.7),
    "erlang-2": Erlang(2, 1.5),
    "erlang-7": Erlang(7, 0.3),
    "hyperexponential": HyperExponential((0.01, 0.99), (25.0, 0.2525)),
    "bounded-pareto": BoundedPareto(0.15, 400.0, 1.4),
    "deterministic": Deterministic(2.5),
    "empirical": Empirical((0.5, 1.0, 4.0, 9.0), (1.0, 4.0, 2.0, 0.5)),
}
MIXED = Workload(20, tuple(ServerNeed(1 + k, 1 / len(LAWS), law) for k, law in enumerate(LAWS.values())), "mixed")


def of_one_law(law: Law) -> Workload:
    return Workload(4, (ServerNeed(1, 0.3, law), ServerNeed(4, 0.7, law)), "two classes")


def same(a, b) -> bool:
    return all(x.dtype == y.dtype and x.tobytes() == y.tobytes() for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize(("first", "step"), [(0, 1), (1, 1), (3000, -1), ((1 << 32) - 700, 1), ((1 << 56) - 1, -1)])
def test_compiled_jobs_are_those_of_numpy_bit_for_bit(name, first, step):
    pytest.importorskip("numba")
    for workload, interarrival in (
        (of_one_law(LAWS[name]), LAWS[name]),
        (MIXED, LAWS[name]),
        (of_one_law(LAWS[name]), Exponential(1.0)),
    ):
        packed = pack(workload, interarrival)
        args = (packed, (1 << 64) - 5, (1 << 63) + 9, first, 1300)
        assert same(draw_jobs(*args, "numba", step), draw_jobs(*args, "numpy", step))


@settings(max_examples=30)
@given(st.data())
def test_chunks_and_direction_do_not_matter(data):
    device = data.draw(st.sampled_from(["auto", "numpy"]))
    interarrival = data.draw(st.sampled_from(list(LAWS.values())))
    seed, sample = data.draw(st.integers(0, 2**64 - 1)), data.draw(st.integers(0, 2**64 - 1))
    first = data.draw(st.integers(0, 2**56 - 3000))
    cuts = sorted({0, 2000, *data.draw(st.lists(st.integers(1, 1999), max_size=5))})
    packed = pack(MIXED, interarrival)
    whole = draw_jobs(packed, seed, sample, first, 2000, device)
    pieces = [draw_jobs(packed, seed, sample, first + a, b - a, device) for a, b in itertools.pairwise(cuts)]
    assert same(whole, [np.concatenate(column) for column in zip(*pieces, strict=True)])
    back = draw_jobs(packed, seed, sample, first + 1999, 2000, device, step=-1)
    assert same(whole, [np.ascontiguousarray(column[::-1]) for column in back])


@given(st.lists(st.floats(1e-9, 1.0), min_size=1, max_size=40))
def test_alias_table_has_the_probabilities_to_forty_bits(weights):
    exact = [Fraction(w) for w in weights]
    thresholds, aliases = alias_table(exact, ["x"] * len(exact))
    hit = [Fraction(int(t)) for t in thresholds]
    for t, j in zip(thresholds, aliases, strict=True):
        hit[j] += (1 << 40) - int(t)
    for units, weight in zip(hit, exact, strict=True):
        share = weight / sum(exact) * len(exact) * (1 << 40)
        assert abs(units - share) < 1


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match=r"class 2 \(3 servers\): 254 Erlang phases"):
        pack(
            Workload(4, (ServerNeed(1, 0.5, Exponential(1.0)), ServerNeed(3, 0.5, Erlang(254, 1.0)))), Exponential(1.0)
        )
    with pytest.raises(ValueError, match="interarrival law: 258 Erlang phases"):
        pack(of_one_law(Exponential(1.0)), Erlang(258, 1.0))
    with pytest.raises(ValueError, match=r"class 1 .* below what can be drawn"):
        pack(of_one_law(HyperExponential((1e-14, 1 - 1e-14), (1.0, 1.0))), Exponential(1.0))
    with pytest.raises(ValueError, match=r"class 1 .* too far apart"):
        pack(of_one_law(BoundedPareto(1e-200, 1e200, 0.01)), Exponential(1.0))
    packed = pack(of_one_law(Exponential(1.0)), Exponential(1.0))
    for bad in (
        (packed, -1, 0, 0, 5),
        (packed, 0, 1 << 64, 0, 5),
        (packed, 0, 0, -1, 5),
        (packed, 0, 0, 1 << 56, 1),
        (packed, 0, 0, 3, 5, "auto", -1),
        (packed, 0, 0, 0, 5, "cuda"),
    ):
        with pytest.raises(ValueError):
            draw_jobs(*bad)


# --- samples against theory ------------------------------------------------------------------------------------------
# Each test draws afresh (seeds differ) but deterministically; a correct sampler fails one with probability below 1e-9:
# normal statistics are held to 6.2 standard errors (5.6e-10), chi-squared ones and Dvoretzky-Kiefer-Wolfowitz's bound
# P(sup |F_N - F| > e) <= 2 exp(-2 N e^2) to 1e-9.

SIGMAS, ALARM = 6.2, 1e-9
SIZE = 400_000


@pytest.mark.parametrize("where", ["service", "interarrival"])
@pytest.mark.parametrize("name", LAWS)
def test_samples_follow_their_law(name, where):
    law = LAWS[name]
    packed = pack(
        of_one_law(law if where == "service" else Exponential(1.0)),
        law if where == "interarrival" else Exponential(1.0),
    )
    _, _, sigma, tau = draw_jobs(packed, 101, 7, 0, SIZE)
    x = np.sort(sigma if where == "service" else tau)
    fourth = law.moment(4) - 4 * law.moment(3) * law.mean + 6 * law.moment(2) * law.mean**2 - 3 * law.mean**4
    assert abs(x.mean() - law.mean) <= SIGMAS * math.sqrt(law.variance / SIZE) + 1e-12 * law.mean
    assert (
        abs(((x - law.mean) ** 2).mean() - law.variance)
        <= SIGMAS * math.sqrt(max(fourth - law.variance**2, 0) / SIZE) + 1e-12
    )
    points, counts = np.unique(x, return_counts=True)
    keep = slice(None, None, max(1, points.size // 2000))
    empirical = np.cumsum(counts)[keep] / SIZE
    gap = max(abs(law.cdf(p) - e) for p, e in zip(points[keep].tolist(), empirical.tolist(), strict=True))
    assert gap <= math.sqrt(math.log(2 / ALARM) / (2 * SIZE))
    for u in (0.001, 0.1, 0.5, 0.9, 0.999):
        q = law.quantile(u)
        assert np.searchsorted(x, q * (1 - 1e-12), "left") / SIZE <= u + SIGMAS * math.sqrt(u * (1 - u) / SIZE)
        assert np.searchsorted(x, q * (1 + 1e-12), "right") / SIZE >= u - SIGMAS * math.sqrt(u * (1 - u) / SIZE)


def test_classes_have_their_frequencies_and_servers():
    workload = named("cell-b")
    need, cls, _, _ = draw_jobs(pack(workload, Exponential(1.0)), 3, 0, 0, 2_000_000)
    assert np.array_equal(np.array([c.servers for c in workload.classes])[cls], need)
    expected = np.array([c.probability for c in workload.classes])
    counts = np.bincount(cls, minlength=expected.size)
    assert chi2.sf(float(((counts - 2e6 * expected) ** 2 / (2e6 * expected)).sum()), expected.size - 1) > ALARM


def pairs_are_independent(a: np.ndarray, b: np.ndarray) -> bool:
    """Two arrays of uniforms: 16 x 16 cells, chi-squared against equal frequencies."""
    cells = np.floor(a * 16).astype(int) * 16 + np.floor(b * 16).astype(int)
    counts, expected = np.bincount(cells, minlength=256), a.size / 256
    return bool(chi2.sf(float(((counts - expected) ** 2).sum() / expected), 255) > ALARM)


def test_jobs_samples_seeds_services_interarrivals_and_classes_are_independent():
    workload = Workload(2, (ServerNeed(1, 0.5, Exponential(1.0)), ServerNeed(2, 0.5, Exponential(1.0))))
    packed = pack(workload, Exponential(1.0))

    def uniforms(seed: int, sample: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        need, _, sigma, tau = draw_jobs(packed, seed, sample, 0, SIZE)
        return need - 1.0, np.exp(-sigma), np.exp(-tau)

    big, u, v = uniforms(5, 0)
    assert pairs_are_independent(u, v)
    assert pairs_are_independent(u[1:], u[:-1])
    assert pairs_are_independent(v[1:], u[:-1])
    assert pairs_are_independent(u[256:], u[:-256])
    for seed, sample in ((5, 1), (6, 0), (5, 1 << 32), (5 + (1 << 32), 0)):
        _, other, between = uniforms(seed, sample)
        assert pairs_are_independent(u, other)
        assert pairs_are_independent(v, between)
    for x in (u, v, np.append(big[1:], 0)):  # the class with either time, and with the next class
        assert abs(np.corrcoef(big, x)[0, 1]) <= SIGMAS / math.sqrt(SIZE)
    assert not pairs_are_independent(u, u)


def test_phases_are_independent():
    packed = pack(of_one_law(Erlang(5, 5.0)), Exponential(1.0))
    phases = []
    for block in (0, 1, 2):
        w0, w1, w2, w3 = counter.words(9, 4, np.arange(SIZE), block)
        phases += [(w0 + w1 * 2.0**32) * 2.0**-64, (w2 + w3 * 2.0**32) * 2.0**-64]
    assert all(pairs_are_independent(a, b) for a, b in itertools.combinations(phases, 2))
    sigma = draw_jobs(packed, 9, 4, 0, SIZE)[2]
    total = -np.log(phases[0] * phases[2] * phases[3] * phases[4] * phases[5])
    assert np.allclose(sigma, total, rtol=1e-9)
