"""Figures of Jonckheere and Prabhu (2016): certified curves, the formulas of the phases, samples with their intervals."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest

from asymp.export import plot
from asymp.papers.ilb import chains, curves, model, plots

ALL = plots.figures()
NAMES = ["figure-1", "figure-2", "figure-3", "figure-4", "window", "large", "errors", "policies"]


def test_listing_figures_computes_nothing(monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a number was computed")

    for name in ("above", "below", "blocking", "sampled", "window"):
        monkeypatch.setattr(plots, name, refuse)
    fresh = plots.figures()
    assert list(fresh) == NAMES == list(ALL)
    for name in NAMES:
        with pytest.raises(AssertionError):
            list(fresh[name].panels)


@pytest.mark.parametrize("name", ["figure-3", "large"])
def test_figures_can_be_drawn(name):
    assert plot.render(ALL[name])[:4] == b"\x89PNG" and ALL[name].caption


@pytest.mark.parametrize(("theta", "n", "rho"), [(1, 3, "1/2"), (2, 3, "1"), (3, 2, "3/2")])
def test_the_certified_curve_is_the_chain(theta, n, rho):
    truth = chains.farm_law(theta, n, Fraction(rho))[(*(0,) * theta, n)]
    assert float(curves.blocking(theta, n, rho)) == pytest.approx(float(truth), rel=1e-12)
    assert model.blocking_by_powers(theta, n, Fraction(rho)) == truth


@pytest.mark.parametrize("theta", [1, 2, 3])
def test_the_formulas_of_the_phases_are_limits_with_the_corrections(theta):
    """Errors at n = 10^8; the printed forms miss by the whole where they are wrong."""
    n = 10**8
    assert abs(curves.below(theta, n, "0.9") / curves.blocking(theta, n, "0.9") - 1) < 1e-6
    for a in (-1, 0, 1):
        truth = curves.blocking(theta, n, curves.rho_of(theta, n, a))
        assert abs(curves.window(theta, n, a) / truth - 1) < 5 * n ** (-1 / (theta + 1))
        assert (abs(curves.window(theta, n, a, printed=True) / truth - 1) > 0.5) == (a != 0)
    few = 10**3
    truth = curves.blocking(theta, few, "2", 30)
    errors = [abs(curves.above(theta, few, "2", order) - truth) for order in ("(70)", "(51)", "corrected")]
    assert errors[2] < 10 * errors[1] / few and errors[1] > errors[0] / 2
    with pytest.raises(KeyError):
        curves.above(theta, few, "2", "other")


def test_corollary_6_turned_over():
    for theta in (1, 2, 5):
        m = theta + 1
        constant = m / (mpmath.factorial(m) ** (mpmath.mpf(1) / m) * mpmath.gamma(mpmath.mpf(1) / m))
        assert float(curves.window(theta, 1, 0)) == pytest.approx(float(constant), rel=1e-10)


def test_figure_4_marks_what_is_printed():
    (panel,) = ALL["figure-4"].panels
    printed = next(series for series in panel.series if series.label == "printed")
    assert printed.ys == (4.4e-3, 6e-5)
    assert float(model.blocking_by_powers(1, 300, Fraction(9, 10))) > 1.05 * printed.ys[0]
    assert float(model.blocking_by_powers(2, 150, Fraction(9, 10))) > 1.15 * printed.ys[1]
    for theta, series in zip((1, 2, 3), panel.series[1::2], strict=False):
        for x, value, half in zip(series.xs, series.ys, series.errors, strict=True):
            # 99% intervals: three times as far has probability below 10^-9 where batches are nearly normal
            assert abs(value - float(curves.blocking(theta, 300 // theta, x))) < 3 * half


def test_what_the_captions_say():
    """The numbers in words under Figures 1 to 4, by the curves."""
    assert float(curves.blocking(10, 20, "0.9")) == pytest.approx(1.2e-7, rel=0.02)
    for theta, load in zip((1, 2, 3, 4, 5), (0.752, 0.910, 0.956, 0.974, 0.983), strict=True):
        assert str(load) in ALL["figure-3"].caption
        for curve in (curves.below, curves.blocking):
            assert float(curve(theta, 100, f"{load - 0.001:.3f}")) < 1e-3 < float(curve(theta, 100, f"{load + 0.001:.3f}"))
    for theta, low in ((2, 0.03), (3, 0.03), (1, 0.25)):
        far = [curves.below(theta, 200, x) / curves.blocking(theta, 200, x) for x in ("0.85", "0.9", "0.95")]
        assert max(abs(float(one) - 1) for one in far) < low
        assert abs(float(curves.above(theta, 200, "1.1") / curves.blocking(theta, 200, "1.1")) - 1) < low
        assert float(curves.below(theta, 200, "0.998") / curves.blocking(theta, 200, "0.998")) < 0.55
    found = [float(curves.blocking(theta, 300 // theta, "0.9")) for theta in (1, 2, 3)]
    assert found == [pytest.approx(4.8e-3, rel=0.02), pytest.approx(7.3e-5, rel=0.02), pytest.approx(3.1e-6, rel=0.02)]
    assert round(found[0] / found[1]) == 65


def test_marks_that_reach_0_are_left_out():
    (panel,) = ALL["figure-4"].panels
    assert all(half < y for series in panel.series for y, half in zip(series.ys, series.errors, strict=False))


@pytest.mark.parametrize("n", [20, 60])
def test_jsq_and_jiq_approach_their_limits(n):
    """Exact at theta = 2 by the chain in floats: the ratio to the limit rises with n, and is not yet 1."""
    ratios = []
    for size in (n // 2, n):
        rates = chains.farm(2, size, 1, chains.shortest)
        ratios.append(stationary_full(rates, size) / curves.jsq_at_one(2, size))
    assert ratios[0] < ratios[1] < 1 and ratios[1] > 0.7


def stationary_full(rates, n):
    import numpy as np
    from scipy.sparse import csc_matrix
    from scipy.sparse.linalg import spsolve

    place = {state: k for k, state in enumerate(rates)}
    count = len(place)
    matrix = np.zeros((count, count))
    for state, row in rates.items():
        for other, rate in row.items():
            matrix[place[other], place[state]] += float(rate)
            matrix[place[state], place[state]] -= float(rate)
    matrix[-1] = 1.0
    return spsolve(csc_matrix(matrix), np.eye(count)[-1])[place[0, 0, n]]
