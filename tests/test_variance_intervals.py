"""Intervals of variances and of other means of squares: they cover what they say, against laws whose variance is known.

Coverage is counted over ``TRIALS`` independent samples; the bounds below are missed by chance in about one of 10^6 runs
of the tests (one of 10^3 where a test says so), whatever the seed, if the coverage is what the docstring of
``skewed_estimate`` says.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from asymp.sample.estimate import Shape, make_estimate, skewed_estimate
from asymp.sample.forward import Replications
from asymp.sample.observe import EXTRA
from asymp.sample.regenerative import sample_saturated
from asymp.sample.waiting import Totals

TRIALS = 8000
MISSES = 165  # of TRIALS: 4.8 standard deviations above 1.4%, and 10 below the 4.4% that Student's interval has
N = 400


def exponential(rng, shape):
    return rng.standard_exponential(shape)


def waiting(rng, shape):
    """As in M/M/1 at load 1/2: 0 or exponential."""
    return rng.standard_exponential(shape) * (rng.random(shape) < 0.5)


def hyperexponential(rng, shape):
    return rng.standard_exponential(shape) * np.where(rng.random(shape) < 0.1, 5.0, 1.0)


def normal(rng, shape):
    return rng.standard_normal(shape)


def uniform(rng, shape):
    return rng.random(shape)


LAWS = {
    exponential: 1.0,
    waiting: 0.75,
    hyperexponential: 2 * (0.1 * 25 + 0.9) - 1.4**2,
    normal: 1.0,
    uniform: 1 / 12,
}


def intervals(law, trials, seed=1, unit=1.0):
    """Estimates of the variance, each from a column of N observations."""
    rng = np.random.default_rng(seed)
    for _ in range(0, trials, 400):
        classes = 400 - len(EXTRA)
        x = unit * law(rng, (N, 400))
        # anchors a standard deviation off, and a scale that is no power of 2
        totals = Totals(classes, 0.7 * unit, np.full(400, 1.7 * unit))
        totals.powers[0] = totals._power_sums(x - totals.anchors)
        totals.size = N
        for j in range(400):
            yield x[:, j], totals.column(j, 0.99, seed, "numpy")


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_99_percent_are_covered(law):
    found = [variance.interval for _, (_, variance) in intervals(law, TRIALS)]
    assert sum(not low <= LAWS[law] <= high for low, high in found) <= MISSES


def test_students_interval_does_not_cover_that_many():
    """The count above has the power to tell: of exponential variables 95.6% are covered."""
    missed = 0
    for _, (_, variance) in intervals(exponential, 2000):
        low, high = make_estimate(variance.value, variance.stderr, N, 0.99, 0, "numpy").interval
        missed += not low <= 1 <= high
    assert missed > 2000 * MISSES / TRIALS


def test_a_column_is_the_sample_it_came_from():
    """Value, standard error and shape by NumPy from the observations."""
    for x, (mean, variance) in intervals(hyperexponential, 400):
        assert mean.value == pytest.approx(x.mean(), rel=1e-12)
        assert mean.stderr == pytest.approx(x.std() / math.sqrt(N - 1), rel=1e-10)
        squares = (x - x.mean()) ** 2
        assert variance.value == pytest.approx(x.var(ddof=1), rel=1e-10)
        assert variance.stderr == pytest.approx(squares.std() / math.sqrt(N), rel=1e-9)
        y = (squares - squares.mean()) / squares.std()
        own = Shape(float(np.mean(y**3)), float(np.mean(y**4)))
        again = skewed_estimate(variance.value, variance.stderr, own, N, 0.99, 0, "numpy")
        assert variance.interval == pytest.approx(again.interval, rel=1e-7)


@pytest.mark.parametrize("unit", [1e-30, 3.0, 1e25])
def test_units_do_not_matter(unit):
    pairs = zip(intervals(exponential, 400), intervals(exponential, 400, unit=unit), strict=True)
    for (_, (_, one)), (_, (_, two)) in pairs:
        assert two.interval == pytest.approx([end * unit**2 for end in one.interval], rel=1e-9)


def test_replications_give_the_same_interval():
    """With a job a replication, the variance over jobs is that of a plain sample."""
    for x, (_, variance) in list(intervals(exponential, 400))[:4]:
        totals = Replications(1, 1.0)
        for w in x:
            totals.add(np.array([[1.0, w, w * w, 0.0, 0.0]]))
        for c in (0, 1):  # the class, and all jobs
            found = totals.variance(c, 0.99, 0, "numpy")
            assert found.value == pytest.approx(x.var(), rel=1e-10)
            assert found.interval == pytest.approx(variance.interval, rel=0.02)
        again = Replications(1, 1.0)
        again.restore(totals.arrays())
        assert again.variance(0, 0.99, 0, "numpy") == totals.variance(0, 0.99, 0, "numpy")


def test_replications_of_a_class_that_comes_late():
    """Replications without a job of the class say nothing of the shape, and spoil nothing."""
    rng = np.random.default_rng(5)
    totals = Replications(2, 1.0)
    for k in range(50):
        w = rng.standard_exponential(8)
        seen = np.array([8.0, w.sum(), (w * w).sum(), 0.0, 0.0])
        totals.add(np.stack([seen, seen * (k > 9)]))
    for c in range(3):
        low, high = totals.variance(c, 0.99, 0, "numpy").interval
        assert 0 < low < totals.variance(c, 0.99, 0, "numpy").value < high < math.inf
    assert math.isnan(Replications(1, 1.0).variance(0, 0.99, 0, "numpy").value)


def test_the_dispersion_is_covered():
    """2 servers, p = 1/2: E[Delta] = 4/49.  A false alarm in one of 10^3: 4.2% were missed, 1.3% now."""
    runs = [sample_saturated(2, 0.5, 1.0, 1.0, size=200, seed=seed, device="cpu") for seed in range(1000)]
    found = [run["mean-relative-completions"] for run in runs]
    assert sum(not one.interval[0] <= 4 / 49 <= one.interval[1] for one in found) <= 25
    for run, one in zip(runs[:20], found, strict=False):
        twice = [1 + 2 * end for end in one.interval]
        assert run["dispersion"].interval == pytest.approx(twice, rel=1e-12)


# --- the interval itself ----------------------------------------------------------------------------------------------


def test_without_skewness_it_is_students():
    for positive in (True, False):
        found = skewed_estimate(1.0, 1e-4, Shape(0.0, 3.0), 10**6, 0.95, 3, "numpy", positive)
        plain = make_estimate(1.0, 1e-4, 10**6, 0.95, 3, "numpy")
        assert found.interval == pytest.approx(plain.interval, abs=1e-7)
        assert (found.value, found.stderr, found.level, found.size, found.seed, found.backend) == (
            1.0, 1e-4, 0.95, 10**6, 3, "numpy",
        )  # fmt: skip


@pytest.mark.parametrize("skewness", [-8.0, -1.0, 1e-5, 1.0, 8.0])
def test_halls_transform_is_inverted(skewness):
    """The ends of the interval, put into the transform as it is printed, give the normal quantiles."""
    size, stderr = 400, 0.05
    a = skewness / math.sqrt(size)
    reach = 2.588209  # Student's, 399 degrees
    found = skewed_estimate(0.0, stderr, Shape(skewness, 1.0), size, 0.99, 0, "numpy", positive=False)
    ends = [-end / stderr for end in found.interval]
    back = [t + a * t * t / 3 + a * a * t**3 / 27 + a / 6 for t in ends]
    for t, w, wanted in zip(ends, back, (reach, -reach), strict=True):
        # or the other interval's, where it is wider: a kurtosis of 1 leaves it n - 1 degrees
        assert w == pytest.approx(wanted, rel=1e-5) or t == pytest.approx(wanted, rel=1e-5)
    assert any(w == pytest.approx(wanted, rel=1e-5) for w, wanted in zip(back, (reach, -reach), strict=True))


def test_what_was_not_seen():
    """No spread, no second observation, nothing but zeros: the whole range."""
    some = Shape(1.0, 9.0)
    assert skewed_estimate(0.0, 0.0, some, 50, 0.99, 0, "numpy").interval == (0, math.inf)
    assert skewed_estimate(2.0, 0.0, Shape(math.nan, math.nan), 2, 0.99, 0, "numpy").interval == (0, math.inf)
    assert skewed_estimate(2.0, math.inf, some, 1, 0.99, 0, "numpy").interval == (0, math.inf)
    assert skewed_estimate(2.0, 1.0, some, 1, 0.99, 0, "numpy", False).interval == (-math.inf, math.inf)
    assert skewed_estimate(2.0, 1.0, Shape(math.nan, 9.0), 50, 0.99, 0, "numpy").interval == (0, math.inf)
    assert skewed_estimate(2.0, 1.0, Shape(1.0, math.nan), 50, 0.99, 0, "numpy", False).interval[1] == math.inf
    assert skewed_estimate(2.0, 0.0, some, 50, 0.99, 0, "numpy", False).interval == pytest.approx((2.0, 2.0))
    assert skewed_estimate(1e-3, 1.0, Shape(3.0, 1e9), 50, 0.99, 0, "numpy").interval == (0, math.inf)
    with pytest.raises(ValueError, match="level"):
        skewed_estimate(1.0, 0.1, some, 50, 1.0, 0, "numpy")


def test_wider_for_more_skewness_and_for_more_kurtosis():
    def width(shape, positive=True):
        low, high = skewed_estimate(1.0, 0.1, shape, 400, 0.99, 0, "numpy", positive).interval
        return high - low

    for positive in (True, False):
        widths = [width(Shape(s, 3.0), positive) for s in (2, 5, 10, 20)]
        assert widths == sorted(widths) and widths[0] < widths[-1]
        widths = [width(Shape(0, k), positive) for k in (3, 30, 300, 3000, 30000)]
        assert widths == sorted(widths) and widths[0] < widths[-1]
