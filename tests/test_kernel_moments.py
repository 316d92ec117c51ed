"""Integrals of a power times the exponential of a sum of powers, as coefficients: their names, and what must not have one."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from asymp.enclosure import Undecided, ball
from asymp.kernel import terms
from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.field import exponential
from asymp.kernel.rings.moments import powers_of, shorter
from asymp.kernel.rings.ratio import atom, rational
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

POSITIVE = Domain(within={name: Range(Fraction(0), None, True) for name in ("a", "b", "r", "q")})
QUADRATIC = "Integral(exp(-u^2-2*a*u),(u,0,oo))"
TRUE = [
    f"n*erfc(a) + 1 ~ n*2/sqrt(pi)*exp(-a^2)*{QUADRATIC} as n -> oo for a > 0",
    "n*erfc(1) + 1 ~ n*2/sqrt(pi)*exp(-1)*Integral(exp(-u^2-2*u),(u,0,oo)) as n -> oo",
    "n*Integral(exp(-3*u^2-a*u),(u,0,oo)) + 1 ~ n*sqrt(pi/3)/2*exp(a^2/12)*erfc(a/2/sqrt(3)) as n -> oo for a > 0",
    "n*Integral(u^a*exp(-3*u^2),(u,0,oo)) + 1 ~ n*gamma((a+1)/2)/2/3^((a+1)/2) as n -> oo for a > -1",
    "n*Integral(exp(-u^(a+1)/b),(u,0,oo)) + 1 ~ n*b^(1/(a+1))*gamma(1/(a+1))/(a+1) as n -> oo for a > 0, b > 0",
    "n*exp((r + 1)/(a + 2)) + 1 ~ n*exp(r/(a + 2))*exp(2/(2*a + 4)) as n -> oo for a > 0, r > 0",
    "6*2^(-1/3)*n/n - 3*2^(2/3) + 1/n -> 0 as n -> oo",
]
FALSE = [
    f"n*erfc(a) + 1 ~ n*2/sqrt(pi)*exp(-a^2)*(1 + 10^(-200))*{QUADRATIC} as n -> oo for a > 0",
    "n*Integral(u^a*exp(-3*u^2),(u,0,oo)) + 1 ~ n*gamma((a+1)/2)/3/3^((a+1)/2) as n -> oo for a > -1",
    "n*Integral(u^2*exp(-3*u^2-u),(u,0,oo)) + 1 ~ n*Integral(u^3*exp(-3*u^2-u),(u,0,oo)) as n -> oo",
    "n*erfc(a) + 1 ~ n*uppergamma(1/2, a^2)/sqrt(pi) as n -> oo for a < 0",  # 2 - that
    "n*Integral(exp(a*u-u^2),(u,0,oo)) + 1 ~ n*sqrt(pi)/2*exp(a^2/4)*erfc(a/2) as n -> oo for a > 0",
    "n*Integral(u^a*exp(-3*u^2),(u,0,oo)) + 1 ~ n*gamma((a+1)/2)/2/3^((a+1)/2) as n -> oo for a > -2",
    "n*exp((r + 1)/(a + 2)) + 1 ~ n*exp(r/(a + 2))*exp(1/(a + 1)) as n -> oo for a > 0, r > 0",
]


@pytest.mark.parametrize("statement", TRUE)
def test_names_of_one_integral_agree(statement):
    assert theorem(read_statement(statement), True).holds


@pytest.mark.parametrize("statement", FALSE)
def test_what_is_another_number_is_not_taken_for_it(statement):
    with pytest.raises(Refused):
        theorem(read_statement(statement), True)


@pytest.mark.parametrize("integral", [
    "Integral(u^(-1)*exp(-u), (u, 0, oo))", "Integral(exp(u), (u, 0, oo))", "Integral(exp(u^3 - u^2), (u, 0, oo))",
    "Integral(exp(-u^(-1)), (u, 0, oo))", "Integral(u*exp(-u), (u, 1, oo))",
    "Integral(u^2, (u, 0, oo))", "Integral(exp(-sin(u)), (u, 0, oo))", "Integral(exp(-u^u), (u, 0, oo))", "Integral(exp(u^2 - u^2), (u, 0, oo))",
])  # fmt: skip
def test_other_integrals_have_no_name(integral):
    with pytest.raises(Refused):
        POSITIVE.value(terms.read(integral))


@pytest.mark.parametrize("integral", ["u^(3/2)*exp(-2*u^3)", "exp(-7*u^(5/2))", "exp(-2*u-3*u^2)", "exp(-u/3-u^2/5)", "u^2*exp(-u)"])
def test_a_shorter_name_has_the_value_of_the_integral(integral):
    """The formulas of the handbook, by quadrature."""
    s, found = powers_of(terms.read(f"Integral({integral}, (u, 0, oo))"))
    name = shorter(s, found)
    assert name is not None
    with mpmath.workdps(30):
        value = mpmath.quad(sp.lambdify(sp.Symbol("u"), sp.sympify(integral.replace("^", "**")), "mpmath"), [0, 1, 3, 10, 60])
        other = sp.sympify(str(name).replace("^", "**")).evalf(30)
        assert mpmath.almosteq(value, mpmath.mpmathify(other), 1e-20)


def test_an_integrand_may_be_written_in_factors():
    one, same, other = (POSITIVE.value(terms.read(f"Integral({f}, (u, 0, oo))")) for f in (
        "u*u*exp(-2*u^2-u)*exp(-u*u)", "u^2*exp(-3*u^2-u)", "u^2*exp(-3*u^2-2*u)"))  # fmt: skip
    assert (one - same).is_zero and not (one - other).is_zero


def test_roots_of_numbers_have_one_form_when_divided_by():
    root = POSITIVE.value(terms.read("2^(1/3)"))
    assert (rational(2) * root.inverse() - root * root).is_zero
    assert not (rational(3) * root.inverse() - root * root).is_zero


def test_an_exponential_of_a_quotient_is_a_product():
    x = [POSITIVE.value(terms.read(text)) for text in ("(r + 1)/(a + 2)", "r/(a + 2)", "2/(2*a + 4)", "1/(a + 3)")]
    whole, first, second, other = map(exponential, x)
    assert (whole - first * second).is_zero and not (whole - first * other).is_zero
    assert POSITIVE.sign(whole) == 1 and exponential(x[0] - x[0]).is_one and atom(terms.name("a")) != whole


@pytest.mark.parametrize("exponent", ["a*u + u**(b + 2)/gamma(b + 3)", "a*u + u**(b + 2)*gamma(b + 3)", "a*u + u**(b + 2)/factorial(b + 2)"])
def test_functions_of_parameters_in_an_exponent_are_enclosed(exponent):
    at, u = {"a": Fraction(3, 2), "b": Fraction(1, 2)}, sp.Symbol("u")
    integrand = sp.exp(-sp.sympify(exponent))
    value = ball(sp.Integral(integrand, (u, 0, sp.oo)), at, 100)
    with mpmath.workdps(25):
        other = mpmath.quad(sp.lambdify(u, integrand.subs({"a": sp.Rational(3, 2), "b": sp.Rational(1, 2)}), "mpmath"), [0, 1, 4, 20, 90])
    assert abs(float(value.mid()) - float(other)) < 1e-14 and value.rel_accuracy_bits() > 50


def test_a_gamma_function_of_what_may_be_negative_bounds_nothing():
    u = sp.Symbol("u")
    with pytest.raises(Undecided):
        ball(sp.Integral(sp.exp(-u - u**2 * sp.gamma(u - 3)), (u, 0, sp.oo)), {}, 60)



@pytest.mark.parametrize(("text", "wrong"), [
    ("gamma((a + 3)/(a + 1)) = 2/(a + 1)*gamma(2/(a + 1)) for a > 0", "3/(a + 1)"),
    ("gamma((a + 3)/(2*a + 2)) = gamma(1/2 + 1/(a + 1)) for a > 0", "gamma(1/2 + 2/(a + 1))"),
    ("gamma((3*a + 1)/(a + 1)) = 2*a/(a + 1)*gamma(2*a/(a + 1)) for a > 1", "(2*a + 1)/(a + 1)"),
    ("exp(a*b/(a + 1)) = exp(b)*exp(-b/(a + 1)) for a > 0, b > 0", "exp(2*b)"),
    ("exp((a^2 + a*b + 1)/(a + b)) = exp(a)*exp(1/(a + b)) for a > 0, b > 0", "exp(b)"),
    ("log(a/(a^2 + a*b)) = -log(a + b) for a > 0, b > 0", "-2*log(a + b)"),
])  # fmt: skip
def test_functions_of_ratios_are_written_in_one_way(text, wrong):
    assert apply("algebra", statement=text).holds
    left, _, rest = text.partition(" = ")
    first = rest.partition("*gamma")[0].partition("*exp(-b")[0].partition("*exp(1")[0].partition(" for")[0]
    with pytest.raises(Refused):
        apply("algebra", statement=f"{left} = {rest.replace(first, wrong, 1)}")


def test_common_factors_are_taken_out_of_a_ratio():
    a, b = (atom(terms.name(name)) for name in "ab")
    x = (a * a - b * b) * (a + b).power(2).inverse() * (a + rational(1)).inverse()
    found = reduced(x)
    assert found == x and found == (a - b) * ((a + b) * (a + rational(1))).inverse() and len(found.num) == 2
    assert reduced(a * (a + b).inverse()) == a * (a + b).inverse() and reduced(rational(0)).is_zero
    long = sum((a.power(k) * b.power(60 - k) for k in range(1, 30)), rational(1)) * (a + b).inverse()
    assert reduced(long) == long  # of too high a degree to be factored
