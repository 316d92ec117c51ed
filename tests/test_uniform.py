"""Uniform forms across a transition, and Erlang's formulas from the chain."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from asymp import registry
from asymp.enclosure import enclose
from asymp.expand.incomplete import transition_coefficients
from asymp.expansion import Refused
from asymp.growth import Growth
from asymp.queues import erlang
from asymp.queues.transition import (
    Uniform,
    across,
    crossing_grid,
    derive,
    erlang_b_across,
    measure,
    rho,
    temme_coefficients,
    uniform_incomplete_gamma,
)
from asymp.scale import Regime
from proofs.lfms import notation
from proofs.lfms.uniform import UNIFORM_MU

n = erlang.n
BELOW = Regime("rho = 1/2", (n,), ties={rho: sp.Rational(1, 2)})
ABOVE = Regime("rho = 2", (n,), ties={rho: sp.Integer(2)})
"""One load on either side: quicker than every load there."""

# --- Erlang ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("servers", [1, 2, 5, 12])
@pytest.mark.parametrize("load", [Fraction(1, 3), 1, Fraction(7, 2), 20])
def test_three_routes_to_erlang_b_agree_exactly(servers, load):
    by_chain = erlang.erlang_b_by_chain(servers, load)
    assert by_chain == erlang.erlang_b_by_recursion(servers, load)
    value = erlang.erlang_b().subs({erlang.n: servers, erlang.a: sp.Rational(load)}).doit()
    assert by_chain == Fraction(int(value.p), int(value.q))


def test_the_incomplete_gamma_form_is_the_inverse_of_erlang_b():
    exact = 1 / erlang.erlang_b_by_recursion(30, 25)
    found = enclose(erlang.inverse_erlang_b(), {"n": 30, "a": 25}, digits=25)
    assert exact in found
    assert exact + Fraction(1, 10**15) not in found


def test_erlang_c_of_ten_servers_at_load_eight():
    # Erlang C for 10 servers and 8 erlangs is 0.4092 in the printed tables (Cooper, Introduction to Queueing Theory)
    waiting = erlang.erlang_c_by_recursion(10, 8)
    assert abs(float(waiting) - 0.4092) < 5e-5
    symbolic = erlang.erlang_c().subs({erlang.n: 10, erlang.a: 8}).doit()
    assert waiting == Fraction(int(symbolic.p), int(symbolic.q))


def test_what_has_no_stationary_law_is_refused():
    with pytest.raises(ValueError, match="no stationary law"):
        erlang.erlang_c_by_recursion(3, 3)
    with pytest.raises(ValueError, match="load > 0"):
        erlang.erlang_b_by_recursion(3, -1)


# --- Temme -----------------------------------------------------------------------------------------


def test_closed_coefficients_are_the_series_of_the_engine():
    """c_k(eta) two ways: closed forms by differentiation, Taylor coefficients by DLMF 8.12.12."""
    table = transition_coefficients(8, 2)
    eta, mu = sp.symbols("eta mu")
    with mpmath.workdps(60):
        m = mpmath.mpf(1) / 1000
        e = mpmath.sqrt(2 * (m - mpmath.log1p(m)))
        for row, closed in zip(table, temme_coefficients(2), strict=True):
            series = mpmath.fsum(mpmath.mpf(c.p) / c.q * e**k for k, c in enumerate(row))
            value = sp.lambdify((eta, mu), closed, "mpmath")(e, m)
            assert abs(series - value) < 1e-25


@pytest.mark.parametrize(("a", "ratio"), [(50, "1/2"), (50, "99/100"), (50, "101/100"), (50, "3"), (400, "9/10")])
def test_the_incomplete_gamma_form_against_mpmath(a, ratio):
    ratio = sp.Rational(ratio)
    with mpmath.workdps(60):
        x, lam = mpmath.mpf(a), mpmath.mpf(ratio.p) / ratio.q
        weight = mpmath.exp(x * (lam - 1 - mpmath.log(lam)))
        exact = mpmath.gammainc(x, lam * x, regularized=True) * weight
    form = uniform_incomplete_gamma(n, rho, 2)
    found = enclose(form, {"n": a, "rho": ratio}, digits=20)
    assert abs(mpmath.mpf(found.value) / exact - 1) < 1.0 / a**3


# --- Erlang B across rho = 1 -----------------------------------------------------------------------


def test_erlang_b_is_derived_in_every_regime_and_measured_on_both_sides():
    family = erlang_b_across(1, (10, 100, 10**4, 10**8))
    found = across(replace(family, regimes=(BELOW, family.regimes[3], ABOVE)), order=3)
    for derived in found.derived:
        assert all(g.limit() == "zero" for g in derived.error)
    assert [m.size for m in found.measured] == [10, 100, 10**4, 10**8]
    for m in found.measured:
        # c_0 and c_1: the error is of order n^-2 on the whole grid, on both sides of 1 and at 1 -+ 1/n
        assert m.supremum < Fraction(14, 10**4) / int(m.size) ** 2
        assert m.points >= 16
    sides = {point[rho] > 1 for point in family.grid}
    assert sides == {True, False}


def test_above_one_the_error_has_the_order_of_the_first_term_left_out():
    for order in (0, 1):
        assert derive(erlang_b_across(order, (10,)), ABOVE, order=2).error == (Growth.of(n, -1 - order),)


@pytest.mark.slow
def test_every_load_on_either_side():
    family = erlang_b_across(1, (10,))
    found = [derive(family, regime, order=2) for regime in family.regimes]
    assert all(growth.limit() == "zero" for derived in found for growth in derived.error)
    assert found[-1].error == (Growth.of(n, -2),)


def test_a_wrong_form_is_refused_in_every_regime_and_seen_on_the_grid():
    family = erlang_b_across(1, (100, 10**4))
    wrong = replace(family, form=family.form * sp.Rational(1001, 1000))
    for regime in (BELOW, family.regimes[3], ABOVE):
        with pytest.raises(Refused, match="not derived to tend to 1"):
            derive(wrong, regime, order=3 if regime.ties else 2)
    assert all(m.supremum > Fraction(9, 10**4) for m in measure(wrong))
    # without the correction c_0 the form is right in the window and below 1, and wrong above
    leading = replace(family, form=1 + (erlang_b_across(0).form - 1).subs(rho - 1, rho - 1))
    assert measure(leading)[1].supremum > measure(family)[1].supremum


def test_the_form_that_is_right_below_one_is_refused_above():
    """1/B without Temme's series: half the complementary error function alone misses the constant for rho > 1."""
    family = erlang_b_across(0, (100,))
    mu = rho - 1
    eta = mu * sp.sqrt(2 * (mu - sp.log(rho)) / mu**2)
    scaled = n * sp.gamma(n) * sp.exp(n - n * sp.log(n)) * sp.exp(n * (mu - sp.log(rho)))
    half = Uniform(family.quantity, 1 + scaled * sp.erfc(eta * sp.sqrt(n / 2)) / 2, family.regimes, family.grid, n)
    assert derive(half, BELOW, order=2).error
    with pytest.raises(Refused, match="not derived to tend to 1"):
        derive(half, ABOVE, order=2)
    assert measure(half)[0].supremum > Fraction(1, 100)


def test_the_grid_crosses_the_transition_on_every_scale():
    for point in crossing_grid((10**4,)):
        assert point[rho] != 1
    offsets = {abs(point[rho] - 1) for point in crossing_grid((10**4,))}
    assert {sp.Rational(1, 10**4), sp.Rational(1, 100), sp.Rational(1, 2)} <= offsets


# --- the throughput of the 1-and-n system ----------------------------------------------------------


def test_the_throughput_in_all_regimes_of_the_first_paper():
    grid = tuple(
        {
            notation.n: sp.Integer(size),
            notation.p: sp.Integer(size) ** -power,
            notation.mu1: sp.Integer(1),
            notation.mun: sp.Integer(1),
        }
        for size in (10, 10**2, 10**4, 10**8)
        for power in (1, 2, 3)
    )
    claims = ("theorem-4.1-throughput", "theorem-4.2-throughput", "beyond-below-boundary-response")
    regimes = tuple(registry.find_claim(f"lfms/{name}").regime for name in claims)
    family = Uniform(notation.MU, UNIFORM_MU, regimes, grid, notation.n)
    found = across(family, order=2)
    assert len(found.derived) == 3
    for m in found.measured:
        assert m.supremum < Fraction(1, 250 * int(m.size) ** 4)
