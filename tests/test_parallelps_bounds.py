"""The bounds on the mean queue of parallelps: inequalities that hold exactly, signs that matter, the limit between."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from asymp.papers.parallelps import bounds, clusters


@pytest.mark.parametrize(("d", "lam"), [(2, F(1, 20)), (2, F(1, 10)), (3, F(3, 20))])
def test_the_limit_is_between(d, lam):
    """Its series, whose next term is far below the distance to either bound."""
    terms = clusters.clusters(d, 5).mean_queue()
    value, next_term = sum(c * lam**k for k, c in enumerate(terms)), terms[5] * lam**6
    low, high = bounds.queue_lower(d, lam), bounds.queue_upper(d, lam)
    assert low < value < high
    assert value - low > 5 * next_term and high - value > 5 * next_term
    assert bounds.every_lower(d, lam) <= low < high < lam / (1 - lam)


def test_a_wrong_sign_or_rate_is_seen(monkeypatch):
    """The lower bound at lam = 1/10 is so close that a wrong drift breaks it: arrivals at d lam + 1/20 exceed the series."""
    made = bounds.certificate

    def wrong(d, lam, levels, edges):
        return made(d, lam + F(1, 20), levels, edges)

    value = sum(c * F(1, 10) ** k for k, c in enumerate(clusters.clusters(2, 5).mean_queue()))
    bounds.certified.cache_clear()
    monkeypatch.setattr(bounds, "certificate", wrong)
    assert bounds.certified(2, F(1, 10), 0, F(1), 6, True) > value
    bounds.certified.cache_clear()


@pytest.mark.parametrize("edges", [False, True])
def test_a_bad_proposal_costs_tightness_and_not_truth(monkeypatch, edges):
    """Values moved at random by 1/100: the bound is lower, and above no truth."""
    made = bounds.proposal
    good = bounds.certified(2, F(1, 2), 0, F(1), 5, edges)

    def shaken(*given):
        values, squares = made(*given)
        names = sorted(values, key=repr)
        return {x: values[x] + 0.01 * ((7 * k) % 5 - 2) for k, x in enumerate(names) if x != ("w", 5)} | {("w", 5): values["w", 5] - 0.5}, squares

    bounds.certified.cache_clear()
    monkeypatch.setattr(bounds, "proposal", shaken)
    found = bounds.attempt(2, F(1, 2), 0, F(1), (5,), edges)
    bounds.certified.cache_clear()
    assert found <= good < F(79, 100)


def test_excluded_keeps_what_fits():
    """An m that obeys (f) is never excluded; a line above the parabola excludes down to where they meet."""
    lam, top = F(1, 2), F(1)
    assert bounds.excluded(2, lam, top, F(0), F(0)) == top
    found = bounds.excluded(2, lam, top, F(5), bounds.gap(lam, 2))
    assert found < top and bounds.room(2, lam, found) < 5 * found - bounds.gap(lam, 2)
    assert bounds.room(2, lam, found - F(1, 10**6)) > 5 * (found - F(1, 10**6)) - bounds.gap(lam, 2)


def test_the_steps_fail_where_they_should(monkeypatch):
    """The state by state checks see a sharper claim fail."""
    assert bounds.pairs_drift_fails(4, 2) == 0 == bounds.tail_fails(3, 2, F(1, 2), 5) == bounds.chebyshev_fails(3, 2, 2)
    departure = bounds.system.departure
    monkeypatch.setattr(bounds.system, "departure", lambda i, x, n, d: departure(i, x, n, d) * F(9, 10))
    assert bounds.chebyshev_fails(3, 2, 2) > 0


@pytest.mark.parametrize("wrong", [(1, F(1, 2)), (2, F(0)), (2, F(1))])
def test_what_is_refused(wrong):
    for bound in (bounds.every_lower, bounds.queue_lower, bounds.queue_upper):
        with pytest.raises(ValueError, match="must be at least 2"):
            bound(*wrong)
