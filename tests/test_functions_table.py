"""The table of functions against mpmath, which knows nothing of it: where each is real, its range, parity, slope, period."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.functions.symbolic import NAMED, ROWS, power, row_of
from asymp.functions.table import UNTYPED
from asymp.kernel import records  # noqa: F401  (all rules)
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.meaning.points import at_point
from asymp.parse.mathematics import FUNCTIONS, parse_expression

X, Y = sp.symbols("x y", real=True)
ROWS_OF_TWO = {"polygamma", "beta", "binomial", "rf", "ff", "expint", "uppergamma", "lowergamma", "polylog", "besseli",
               "besselj", "besselk"}  # fmt: skip
# of asymp's own, or of any number of arguments (parallel_occupancy: test_parallelps_mean_field)
SKIPPED = {"GammaDerivative", "ZetaDerivative", "Min", "Max", "parallel_occupancy"}
BY_MPMATH = {
    "log": mpmath.log, "exp": mpmath.exp, "sqrt": mpmath.sqrt, "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan,
    "cot": mpmath.cot, "sec": mpmath.sec, "csc": mpmath.csc, "asin": mpmath.asin, "acos": mpmath.acos,
    "atan": mpmath.atan, "sinh": mpmath.sinh, "cosh": mpmath.cosh, "tanh": mpmath.tanh, "coth": mpmath.coth,
    "sech": mpmath.sech, "csch": mpmath.csch, "asinh": mpmath.asinh, "acosh": mpmath.acosh, "atanh": mpmath.atanh,
    "floor": mpmath.floor, "ceiling": mpmath.ceil, "Abs": abs, "sign": mpmath.sign, "gamma": mpmath.gamma,
    "loggamma": mpmath.loggamma, "digamma": mpmath.digamma, "trigamma": lambda x: mpmath.polygamma(1, x),
    "factorial2": lambda n: mpmath.fac2(n) if n == int(n) and n >= -1 else mpmath.nan,
    "factorial": mpmath.factorial, "harmonic": mpmath.harmonic, "erf": mpmath.erf, "erfc": mpmath.erfc,
    "erfi": mpmath.erfi, "E1": mpmath.e1, "Ei": mpmath.ei, "li": mpmath.li, "Li": lambda x: mpmath.li(x) - mpmath.li(2),
    "LambertW": mpmath.lambertw, "zeta": mpmath.zeta, "airyai": mpmath.airyai, "airybi": mpmath.airybi,
    "airyaiprime": lambda x: mpmath.airyai(x, derivative=1), "airybiprime": lambda x: mpmath.airybi(x, derivative=1),
    "catalan": lambda x: 4**x * mpmath.gamma(x + 0.5) * mpmath.rgamma(x + 2) / mpmath.sqrt(mpmath.pi),
    "polygamma": lambda m, x: mpmath.polygamma(int(m), x) if m == int(m) and m >= 0 else mpmath.nan,
    "beta": mpmath.beta, "binomial": mpmath.binomial, "rf": mpmath.rf, "ff": mpmath.ff, "expint": mpmath.expint,
    "uppergamma": mpmath.gammainc, "lowergamma": lambda a, x: mpmath.gammainc(a, 0, x), "polylog": mpmath.polylog,
    "besseli": mpmath.besseli, "besselj": mpmath.besselj, "besselk": mpmath.besselk,
}  # fmt: skip
SINGLE = sorted(name for name in BY_MPMATH if name not in ROWS_OF_TWO)
# numbers at and between the poles and ends of domains; two arguments: orders and places
NUMBERS = st.builds(lambda a, b: Fraction(a, b), st.integers(-24, 24), st.sampled_from([1, 1, 2, 3, 4, 7]))


def value(name: str, *arguments: Fraction) -> float | None:
    """The real value; None where mpmath finds a pole, no value or a complex one."""
    try:
        with mpmath.workdps(30):
            found = BY_MPMATH[name](*(mpmath.mpf(x.numerator) / x.denominator for x in arguments))
            if mpmath.im(found) != 0 and abs(mpmath.im(found)) > 1e-15 * (1 + abs(found)):
                return None
            found = mpmath.re(found)
            return float(found) if mpmath.isfinite(found) and abs(found) < 1e250 else None
    except (ValueError, ZeroDivisionError, mpmath.libmp.NoConvergence, OverflowError, TypeError):
        return None


def test_every_name_of_the_language_is_a_row():
    assert set(FUNCTIONS) == set(NAMED) - UNTYPED
    assert {row.names[0] for row in ROWS} == set(BY_MPMATH) | SKIPPED
    for row in ROWS:
        for head in row.heads:
            assert row_of(head) is row


def test_each_row_stands_for_the_class_that_it_makes():
    for row in ROWS:
        if row.names[0] in SKIPPED or not row.heads:
            continue
        made = row.make(*sp.symbols("a b", positive=True)[: row.least])
        assert any(made.has(head) for head in row.heads) or row.names[0] in ("Abs", "sign", "digamma", "trigamma"), row.names


@pytest.mark.parametrize("name", SINGLE)
@given(x=NUMBERS)
@settings(max_examples=25)
def test_a_function_is_real_where_the_row_says(name, x):
    row = NAMED[name]
    said = at_point(row.real((X,)), {"x": x})
    real = value(name, x)
    assert said is not None
    if said:
        assert real is not None, f"{name}({x}) is not real"
        assert row.range.holds(real), f"{name}({x}) = {real} outside {row.range}"
    else:
        assert real is None or (name == "li" and x == 1), f"{name}({x}) = {real} is real"


# mpmath gives values by continuation or convention where the row asks for more; there only "said real" is tested
ONE_WAY = {"beta", "binomial", "rf", "ff", "polylog", "expint", "uppergamma", "lowergamma", "besseli", "besselj"}


@pytest.mark.parametrize("name", sorted(ROWS_OF_TWO))
@given(order=st.builds(Fraction, st.integers(-7, 9), st.sampled_from([1, 1, 2, 3])), x=NUMBERS)
@settings(max_examples=25)
def test_a_function_of_two_arguments_is_real_where_the_row_says(name, order, x):
    row = NAMED[name]
    said = at_point(row.real((X, Y)), {"x": order, "y": x})
    real = value(name, order, x)
    assert said is not None
    if said:
        if name == "polylog" and (order.denominator > 1 or x < -10 or abs(x) == 1):
            return  # slow or not to be had from mpmath
        assert real is not None or abs(x) > 15, f"{name}({order}, {x})"
        assert real is None or row.range.holds(real), f"{name}({order}, {x}) = {real} outside {row.range}"
    elif name not in ONE_WAY:
        assert real is None, f"{name}({order}, {x}) = {real} is real"


@pytest.mark.parametrize("name", SINGLE)
@given(x=NUMBERS, step=st.fractions(min_value=Fraction(1, 50), max_value=Fraction(1, 3)))
@settings(max_examples=15)
def test_parity_slope_and_period(name, x, step):
    row = NAMED[name]
    here, opposite, further = value(name, x), value(name, -x), value(name, x + step)
    if here is None:
        return
    if row.parity and opposite is not None:
        assert opposite == pytest.approx(row.parity * here, rel=1e-9, abs=1e-12)
    between = [value(name, x + step * k / 8) for k in range(9)]
    joined = all(v is not None for v in between) and max(map(abs, between)) < 1e4
    whole_or_pole = any(p.denominator == 1 for p in (x + step * Fraction(k, 64) for k in range(65)))
    if row.slope and further is not None and joined and not whole_or_pole and row.period is None and x > 0:
        assert (further - here) * row.slope >= -1e-12
    if row.period is not None:
        with mpmath.workdps(30):
            later = BY_MPMATH[name](mpmath.mpf(x.numerator) / x.denominator + mpmath.mpf(sp.N(row.period, 30)))
        assert float(later) == pytest.approx(here, rel=1e-6, abs=1e-9)


@given(base=NUMBERS, exponent=st.builds(Fraction, st.integers(-6, 6), st.sampled_from([1, 2, 3])))
def test_a_power_is_real_where_it_is_said_to_be(base, exponent):
    said = at_point(power(X, sp.Rational(exponent.numerator, exponent.denominator)), {"x": base})
    assert said is (
        base > 0 or (base == 0 and exponent > 0) or (base < 0 and exponent.denominator == 1)
    ) or (base == 0 and exponent == 0 and said is False)
    assert said is at_point(power(X, Y), {"x": base, "y": exponent})


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_the_language_reads_each_name(name):
    row = NAMED[name]
    assert parse_expression(f"{name}({', '.join(['x', 'y'][: row.least])})") is not None


@pytest.mark.parametrize("statement", ["LambertW(x, -1) + 1 >= 0 for x >= -1/4, x < 0", "LambertW(-1/4, -1) >= -1"])
def test_a_range_is_of_the_function_with_its_fewest_arguments(statement):
    """The other branch of Lambert's W is below -1: the row's range was taken for its values."""
    for rule, data in (("bounds", {"point": {"x": "-1/8"}, "proofs": [["by", []]]}), ("algebra", {})):
        with pytest.raises(Refused):
            apply(rule, statement=statement, **data)
