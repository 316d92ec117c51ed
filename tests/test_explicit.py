"""Expansions with an explicit remainder: |f - terms| <= C g for all n >= N, set against balls."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
import sympy as sp
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.check.explicit import attach
from asymp.cli import main
from asymp.enclosure import Undecided, compare
from asymp.enclosure.arithmetic import integer_power
from asymp.enclosure.explicit import OnIntervals, fraction_above, interval, number, rounded_up
from asymp.expand import explicit_functions
from asymp.expand.calculus import Calculus
from asymp.expand.explicit import decimal_text, explicit
from asymp.expand.supremum import Later, beyond, log_value
from asymp.expansion import Refused
from asymp.parse import parse_expression
from asymp.scale import Growth

n = sp.Symbol("n", positive=True)
x = sp.Symbol("x", positive=True)

SHARP = """
harmonic(n); digamma(n); polygamma(1,n); harmonic(n,2); harmonic(n,1/2); harmonic(2*n) - harmonic(n); zeta(3,n)
loggamma(n); log(gamma(n+1/2)); factorial(n); gamma(n+1/3)/gamma(n); binomial(2*n,n); binomial(n,3)
(1+1/n)^n; (1-1/n)^(2*n); n^(1/n); log(1+1/n); log(n+1)/log(n); sqrt(n+1)-sqrt(n); (n^2+n)^(1/3); 1/log(n+log(n))
exp(sqrt(n+1)); exp(1/n)*harmonic(n); log(log(n)+1); log(n+sqrt(n))^2; n*sin(1/n); cos(1/sqrt(n)); tan(1/n); atan(n)
tanh(n); sinh(1/n); cosh(n)/exp(n); erfc(n); erf(1/n); E1(n); expint(3,n); E1(1/n); uppergamma(1/3,n); uppergamma(5/2,n); Ei(n)
gamma(1/n); digamma(1/n); loggamma(2+1/n); LambertW(1/n); Sum(sqrt(k),(k,1,n)); Sum(log(k)+1/k,(k,2,n)); Sum(k^2,(k,1,n))
2^n/(2^n+1); (log(n)/n)*(1+log(n)/n)^3; exp(log(n)^2/n)
""".replace("\n", ";").strip("; ").split(";")
SLOW = ["li(n)", "LambertW(n)", "Ei(sqrt(n))", "log(n)/(log(n)-1)", "1/(log(log(n))+log(n))"]
"""Their constants tend to the next coefficient like 1/log(n)."""


def within(f: sp.Expr, terms: list[sp.Expr], constant: sp.Expr, growth: sp.Expr, at: sp.Expr) -> bool | None:
    """Whether a certified value keeps to the bound; None where no ball is to be had."""
    try:
        return compare(sp.Abs(f - sp.Add(*terms)), "<=", constant * growth, {n.name: at}, cap_bits=9000)
    except Undecided:
        return None


@pytest.mark.parametrize("text", [t.strip() for t in SHARP if t.strip()])
def test_the_constant_holds_from_its_point_on_and_half_of_it_does_not(text):
    f = parse_expression(text, {"n": n})
    terms, rest = explicit(f, n, order=2)
    if rest.growth == 0:
        assert sp.simplify(sp.expand_func(f.doit().rewrite(sp.exp) - sp.Add(*terms))) == 0
        return
    whole = f.has(sp.Sum)
    start = rest.valid_from
    points = [start, start + 1, start * 10, start * 11, start * 100, sp.Integer(10) ** 8, sp.Integer(10) ** 20]
    points += [] if whole else [start + sp.Rational(1, 2), start * sp.Rational(21, 20)]
    found = [within(f, terms, rest.constant, rest.growth, p) for p in points if p >= start]
    assert False not in found
    assert found.count(True) >= 3
    halves = [within(f, terms, rest.constant / 2, rest.growth, p) for p in points if p >= start]
    assert False in halves  # the check can fail, and the constant is within a factor 2 of what is needed


@pytest.mark.parametrize("text", SLOW)
def test_slow_constants_hold(text):
    f = parse_expression(text, {"n": n})
    terms, rest = explicit(f, n, order=2)
    points = [rest.valid_from * p for p in (1, 2, 10, 10**8, 10**100)] + [sp.Integer(10) ** 1000]
    found = [within(f, terms, rest.constant, rest.growth, p) for p in points]
    assert False not in found
    assert True in found


@pytest.mark.parametrize("start", [2, 10, 100, sp.Rational(21, 2), 10**8, sp.Integer(10) ** 1000])
def test_a_start_that_is_given_is_kept(start):
    terms, rest = explicit(sp.harmonic(n), n, order=3, start=start)
    assert rest.valid_from == start
    assert within(sp.harmonic(n), terms, rest.constant, rest.growth, sp.sympify(start))
    # 1/12 n^-2 is the next term, and the one after it is -1/120 n^-4 (DLMF 5.11.2)
    assert sp.Rational(1, 12) < rest.constant < sp.Rational(1, 12) * (1 + sp.Rational(2, 10) / sp.sympify(start)) + sp.Rational(1, 9000)


def test_constants_are_rounded_up():
    assert rounded_up(arb(1) / 12, 4) == "0.08334"
    assert rounded_up(arb(2), 4) == "2"
    _, rest = explicit(sp.harmonic(n), n, order=2, start=1000)
    assert sp.Rational(decimal_text(rest.constant)) == rest.constant


@given(st.fractions(min_value=Fraction(1, 10**30), max_value=10**30), st.integers(1, 6))
def test_a_rounded_constant_is_never_below(value, digits):
    ball = interval(value, value)
    assert Fraction(rounded_up(ball, digits)) >= fraction_above(ball) >= value
    assert Fraction(rounded_up(ball, digits)) <= value * (1 + Fraction(12, 10**digits))


REFUSED = ["sin(n)", "n*sin(n)", "a*n", "tan(n)", "exp(n*sin(n))", "log(sin(n))", "zeta(1+1/n)"]


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_explicit_bound_is_refused(text):
    with pytest.raises(Refused):
        explicit(parse_expression(text, {"n": n}), n, order=2)


def test_a_start_too_early_is_refused():
    with pytest.raises(Later):
        explicit(sp.log(sp.log(n)) + 1 / sp.log(n) ** 2 / (1 - 1 / sp.log(n)), n, order=1, start=2)
    with pytest.raises(Refused):
        explicit(1 / n, n, order=1, start=sp.Rational(1, 2))


def test_a_remainder_that_is_too_small_is_found_out(monkeypatch):
    """With the bound of the rest of Stirling's series cut to nothing the certified values leave the interval."""
    monkeypatch.setattr(explicit_functions, "_size", lambda _: number(sp.S.Zero))
    c = Calculus(n, 1, order=1)
    e = c(sp.loggamma(n))
    terms = [t * g.expr for g, t in e.terms.items()]
    growth, size = e.error
    assert size == 0  # it says that there is no rest
    assert within(sp.loggamma(n), terms, sp.Integer(0), growth.expr, sp.Integer(3)) is False


# --- suprema ---------------------------------------------------------------------------------

exponents = st.fractions(min_value=-3, max_value=3, max_denominator=4)


@given(exponents, exponents, st.sampled_from([0, 0, -1, 1]), st.sampled_from([3, 10, 1000, 10**30]))
@settings(max_examples=60)
def test_a_supremum_is_not_below_any_value(a, b, c, start):
    a, b = sp.Rational(a.numerator, a.denominator), sp.Rational(b.numerator, b.denominator)
    growth = Growth.of(n, a) * Growth.of(sp.log(n), b)
    if c:
        growth = growth * Growth.exp([(Growth.of(n, sp.Rational(1, 2)), sp.Integer(c))])
    if growth.limit() != "zero":
        return
    try:
        bound = beyond(sp.Integer(start)).supremum(growth)
    except Later:
        return
    for factor in (1, 1.0625, 2, 3.5, 10, 1e3, 1e6, 1e12, 1e40):
        log = number(sp.log(sp.Integer(start) * sp.Rational(factor)))
        assert not log_value(growth, log).exp() > bound


def test_a_growth_that_rises_first_is_bounded_by_its_maximum():
    growth = Growth.of(sp.log(n)) * Growth.of(n, -1)  # 1/e at n = e
    bound = beyond(sp.Integer(2)).supremum(growth)
    assert number(sp.exp(-1)) <= bound <= number(sp.exp(-1)) * arb("1.02")


# --- balls -----------------------------------------------------------------------------------


@given(st.fractions(-4, 4), st.fractions(0, 3), st.integers(1, 70))
@settings(max_examples=80)
def test_powers_of_balls_that_hold_zero(middle, radius, power):
    box = interval(middle - radius, middle + radius)
    value = integer_power(box, power)
    for point in (middle - radius, middle, middle + radius, middle + radius / 3):
        exact = point**power
        assert value.overlaps(interval(exact, exact))


def test_a_function_on_an_interval():
    assert OnIntervals(x**x, "x").ball(Fraction(1, 4), Fraction(1, 3)).contains(arb("0.7"))
    assert not OnIntervals(sp.log(x), "x").ball(Fraction(-1), Fraction(1)).is_finite()


# --- the command -------------------------------------------------------------------------------


def test_the_remainder_of_the_command(capsys):
    assert main(["expand", "log(1+1/n)", "--to", "n->oo", "--explicit", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    rest = answer["remainder"]
    assert (rest["kind"], rest["growth"]) == ("B", "n**(-4)")
    f = sp.log(1 + 1 / n) - sp.Add(*(parse_expression(t, {"n": n}) for t in answer["terms"]))
    bound = sp.Rational(rest["constant"]) * parse_expression(rest["growth"], {"n": n})
    for factor in (1, 2, 10**6):
        assert compare(sp.Abs(f), "<=", bound, {"n": int(rest["valid_from"]) * factor})
    assert main(["expand", "E1(p)", "--to", "p->0+", "--explicit"]) == 0
    assert "at most" in capsys.readouterr().out


def test_a_remainder_stays_as_it_is_where_no_constant_is_certified():
    answer = {"terms": ["a*n"], "remainder": {"kind": "O", "growth": "1"}}
    assert attach(answer, "a*n + sin(n)", "n->oo")["remainder"]["kind"] == "O"
    wrong = {"terms": ["2*log(n)"], "remainder": {"kind": "O", "growth": "1"}}
    found = attach(wrong, "harmonic(n)", "n->oo")
    assert found["remainder"]["kind"] == "O"
    assert "no certified constant" in found["explicit"]


@pytest.mark.parametrize(("text", "least"), [("log(log(n))", 1), ("1/log(n)", 1), ("log(log(log(n)))", sp.E),
                                             ("log(log(log(log(n))))", sp.E**sp.E), ("log(log(n)) + harmonic(n)", 1)])
def test_a_remainder_is_valid_only_where_all_logarithms_are_defined(text, least):
    _, rest = explicit(parse_expression(text), sp.Symbol("n", positive=True), 2)
    assert rest.valid_from > least
