"""Laplace's method with a factor that does not move, between any ends: against quadrature; and what is refused."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mpmath as mp
import pytest

from asymp.kernel import terms
from asymp.kernel.growths.amplitude import OO, Amplitude
from asymp.kernel.growths.decaying_integrals import by_decay
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.laplace import by_laplace
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import rational, to_term
from asymp.kernel.terms import Refused

NAMES = {"pi": mp.pi, "log": mp.log, "exp": mp.exp, "gamma": mp.gamma, "digamma": lambda x: mp.psi(0, x), "EulerGamma": mp.euler,
         "sin": mp.sin, "cos": mp.cos, "cosh": mp.cosh, "sinh": mp.sinh, "atan": mp.atan, "sqrt": mp.sqrt, "mpf": mp.mpf, "oo": mp.inf, "E": mp.e}  # fmt: skip


@lru_cache
def compiled(text: str) -> Any:
    return compile(text.replace("^", "**").replace("/", "*mpf(1)/"), text, "eval")


def number(text: str, **at: Any) -> Any:
    return mp.mpf(eval(compiled(text), {**NAMES, **at}))


def series(text: str, by: Any = by_laplace) -> Series:
    return by(Expander(Algebra(Domain(), 3), {"n": 0}, {}), terms.read(text))


def size(found: Any, n: Any) -> Any:
    powers = mp.fprod(mp.log(n) ** number(str(to_term(e))) if d else n ** number(str(to_term(e))) for (_, d), e in found.powers)
    return powers * mp.exp(sum(number(str(to_term(c))) * size(g, n) for c, g in found.exponent))


@pytest.mark.parametrize(("body", "low", "high"), [
    ("exp(-n*t)*log(1 + t)", "0", "oo"), ("exp(-n*t)*log(t)/(1 + t)", "0", "oo"), ("exp(-n*t)*sin(t)", "0", "1"),
    ("exp(-n*t^2)*cos(t)*t^(-1/2)", "0", "oo"), ("exp(-n*t^2)*log(t)*(2 + cos(t))", "0", "3"), ("exp(-n*t)*(1 + log(1 + t))", "0", "oo"),
    ("exp(-n*t)*atan(t)*t^(-3/2)", "0", "oo"), ("exp(-n*(t - 1)^2)*log(t)", "0", "oo"), ("t^n*exp(-n*t)*log(1 + t)", "0", "oo"),
    ("t^n*exp(-n*t)*log(1 + t)", "0", "1"), ("exp(-n*t)/t", "1", "oo"), ("exp(n*(2*t - t^2))*exp(t)", "0", "1"),
    ("exp(-n*t^4)*exp(-t)*cos(t)", "-oo", "oo"), ("(1 - t)^(n - 3)*t^(-1/2)", "0", "1"), ("exp(-n*t)*cosh(t)", "0", "2"),
    ("t^n*(1 - t)^(2*n)*exp(t)", "0", "1"), ("exp(n*t)*t", "0", "1"),
])  # fmt: skip
def test_expansions_against_quadrature(body: str, low: str, high: str) -> None:
    against_quadrature(body, low, high, series(f"Integral({body}, (t, {low}, {high}))"))


@pytest.mark.parametrize(("body", "low", "high"), [
    ("exp(n*cos(t))", "0", "pi"), ("exp(-n*sinh(t))*(1 + t)", "0", "oo"), ("exp(n*t)*sin(t)", "0", "2"), ("exp(-n*(t - 1)^2)*t^(1/2)", "0", "2"),
    ("(1 + t)^(-n)*log(2 + t)", "0", "oo"), ("exp(-n*t^3)*cos(t)", "0", "3"), ("exp(-n*cosh(t))", "-oo", "oo"), ("exp(n*t)*(3 - t)^(-1/2)", "0", "3"),
])  # fmt: skip
def test_expansions_with_any_exponent_against_quadrature(body: str, low: str, high: str) -> None:
    against_quadrature(body, low, high, series(f"Integral({body}, (t, {low}, {high}))", by_decay))


@pytest.mark.parametrize(("body", "low", "high", "why"), [
    ("exp(-n*log(log(t + 3)))", "0", "oo", "converge at infinity"), ("exp(-n*t)*exp(t)", "0", "oo", "converge at infinity"),
    ("exp(n*t)", "0", "oo", "not seen to fall"), ("exp(-n*t)/t", "0", "1", "integrable"),
    ("exp(-n*t)*(3 - t)^(-1)", "0", "3", "integrable"), ("exp(-n*t)*cos(t)", "0", "oo", "cos in an integral"), ("exp(-n*t - n^2*t^2)", "0", "1", "scales"),
    ("exp(-n*sqrt(t^2 - 2*t + 1))", "0", "2", ""), ("exp(-t/n)", "0", "1", "not seen to grow"), ("exp(-n*t)*floor(t)", "0", "3/2", "floor"),
    ("exp(-n*t)", "0", "n", "ends that move"), ("t^2", "0", "1", "nothing in an integrand"),
])  # fmt: skip
def test_what_is_refused_with_any_exponent(body: str, low: str, high: str, why: str) -> None:
    with pytest.raises(Refused, match=why or None):
        series(f"Integral({body}, (t, {low}, {high}))", by_decay)


def against_quadrature(body: str, low: str, high: str, found: Series) -> None:
    assert found.terms
    errors = []
    with mp.workdps(30):
        for n in (mp.mpf(40), mp.mpf(320)):
            at = mp.mpf(1) / 3 if "2*n" in body else mp.mpf(1)
            ends = sorted({x for j in range(-12, 4) for x in (at - mp.mpf(2) ** j, at + mp.mpf(2) ** j, mp.mpf(2) ** j, -mp.mpf(2) ** j)} | {at})
            points = [x for x in ends if number(low) < x < number(high)]
            points = [max(number(low), mp.mpf(-20)), *([mp.mpf(2) ** -60] if low == "0" else []), *points, min(number(high), mp.mpf(20))]
            exact = mp.quad(lambda t, n=n: number(body, t=t, n=n), sorted({*points}))
            kept = sum(number(str(to_term(c))) * size(g, n) for c, g in found.terms)
            errors.append((exact - kept) / sum(size(g, n) for g in found.rest))
            assert abs(exact - kept) < abs(exact) / 10
    assert abs(errors[1]) < 1.3 * abs(errors[0]) + 1e-3


REFUSED = [
    ("exp(-n*t)*floor(t)", "0", "oo", "an integrand with floor"), ("exp(-n*t)/(t - 1)", "0", "oo", "may not be positive at 0"), ("exp(-n*t)*log(t - 1)", "0", "oo", "negative|not be positive"),
    ("exp(-n*t)*cosh(t)", "0", "oo", "no faster than a power"), ("exp(-n*t)*atan(t)/t^2", "0", "oo", "integrable at 0"),
    ("exp(-n*t)*log(t)/t", "0", "oo", "integrable at 0"), ("exp(-n*t)*log(t)^2", "0", "oo", "no power"),
    ("exp(-n*t)*exp(1/t)", "0", "oo", "no polynomial"), ("exp(-n*(t - 1)^2)*log(t)/t", "0", "oo", "integrable at 0"),
    ("exp(-n*t)*log(1 - t)", "0", "1", "not seen to fall"), ("exp(-n*t)*(2 - t)^(-1/2)", "0", "2", "may not be positive"),
    ("exp(-n*t)*log(n + t)", "0", "oo", "an integrand with log"), ("exp(-n*t)*log(1 + t)^n", "0", "oo", "an integrand with log"),
    ("exp(-n*(2*t^3 - 9*t^2 + 12*t))*cos(t)", "0", "1/2", "not seen|no place"), ("(1 + t)^(-n)*log(t)", "0", "oo", "converge at infinity"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "low", "high", "why"), REFUSED[:-2] + REFUSED[-1:])
def test_what_is_refused(body: str, low: str, high: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        series(f"Integral({body}, (t, {low}, {high}))")


def test_an_end_that_is_no_number_is_refused_beside_a_factor() -> None:
    e = Expander(Algebra(Domain(), 2), {"n": 0}, {})
    g = Amplitude(e, terms.read("log(1 + t_of_the_integral)"), terms.read("a"))
    with pytest.raises(Refused, match="an end of an integral that is no number"):
        g.require_mild(rational(0))
    Amplitude(e, terms.read("log(1 + t_of_the_integral)"), OO).require_mild(rational(0))
