"""Sums whose ends are not whole or run backwards, and functions at their poles: a value, or a reason, never a guess."""

from __future__ import annotations

import contextlib
import random

import mpmath
import pytest
import sympy as sp
from flint import arb

from asymp.enclosure import Undecided, ball, enclose, exact
from asymp.enclosure.peaked import _weight
from asymp.parse import ParseError, parse_expression

SUMMANDS = {  # one for each method: short, powers, geometric, harmonic, alternating, backwards, partial fractions, peaked, general
    "k^2": lambda k, n: mpmath.mpf(k) ** 2,
    "2^k": lambda k, n: mpmath.mpf(2) ** k,
    "k*(1/3)^k": lambda k, n: k * mpmath.mpf(1) / mpmath.mpf(3) ** k,
    "harmonic(k)/k": lambda k, n: mpmath.harmonic(k) / k,
    "log(k)": lambda k, n: mpmath.log(k),
    "k^(1/3)*log(k)": lambda k, n: mpmath.cbrt(k) * mpmath.log(k),
    "(-1)^k/k": lambda k, n: mpmath.mpf(-1) ** k / k,
    "(-1)^k*log(k)": lambda k, n: mpmath.mpf(-1) ** k * mpmath.log(k),
    "1/(n^2 + 9 - k)": lambda k, n: 1 / (n**2 + 9 - k),
    "1/(k*(2*n + 29/3 + n^2 - k))": lambda k, n: 1 / (k * (2 * n + mpmath.mpf(29) / 3 + n**2 - k)),
    "1/(k^2 + n^2)": lambda k, n: 1 / (mpmath.mpf(k) ** 2 + n**2),
    "n^k/factorial(k)": lambda k, n: n**k / mpmath.factorial(k),
    "binomial(n + 40, k)": lambda k, n: mpmath.binomial(n + 40, k),
    "exp(-k/(n^2 + 1))": lambda k, n: mpmath.exp(-k / (n**2 + 1)),
    "sqrt(k^2 + k + 1)": lambda k, n: mpmath.sqrt(k**2 + k + 1),
}
ENDS = ("n", "n + 3", "2*n", "n^2", "floor(n)", "ceiling(n/2)", "n/2", "sqrt(n)", "n - 3", "4 - n", "floor(sqrt(n)) - 2")


def end(text: str, n: mpmath.mpf) -> mpmath.mpf:
    """The end by mpmath."""
    names = {"n": n, "floor": mpmath.floor, "ceiling": mpmath.ceil, "sqrt": mpmath.sqrt}
    return eval(text.replace("^", "**"), {}, names)


def check(low: str, high: str, body: str, value: str) -> None:
    """The enclosure of one sum is the sum by its terms, 0 where there are none, and refused where an end is not whole."""
    with mpmath.workdps(40):
        n = mpmath.mpf(value.split("/")[0]) / mpmath.mpf(([*value.split("/"), "1"])[1])
        a, b = end(low, n), end(high, n)
        expr = parse_expression(f"Sum({body}, (k, {low}, {high}))")
        whole = all(x == mpmath.nint(x) for x in (a, b))
        if not whole:
            with pytest.raises(Undecided, match="whole number"):
                enclose(expr, {"n": value}, digits=12)
            return
        true = mpmath.fsum(SUMMANDS[body](k, n) for k in range(int(a), int(b) + 1))
        found = enclose(expr, {"n": value}, digits=12)
        assert abs(mpmath.mpf(found.value) - true) <= mpmath.mpf(found.radius) + abs(true) * mpmath.mpf(10) ** -30


@pytest.mark.parametrize("body", SUMMANDS)
def test_sums_are_those_of_their_terms_or_refused(body):
    draw = random.Random(body)
    for _ in range(9):
        low, high = draw.choice(("1", "2", "n", "ceiling(n/2)", "n/2")), draw.choice(ENDS)
        value = draw.choice(("1", "2", "3", "4", "5", "9", "16", "36", "5/2", "1/3", "7/2"))
        with mpmath.workdps(20):
            start = end(low, mpmath.mpf(value.split("/")[0]) / mpmath.mpf(([*value.split("/"), "1"])[1]))
        check(low if start >= 1 else "1", high, body, value)


@pytest.mark.parametrize("body", SUMMANDS)
@pytest.mark.parametrize("last", ["0", "-1", "-2", "-9", "-400"])
def test_what_runs_backwards_is_empty(body, last):
    """By one or by more; SymPy's convention would make it minus the sum of the terms between."""
    expr = parse_expression(f"Sum({body}, (k, 1, m))")
    assert enclose(expr, {"n": 5, "m": last}).value == "0"
    product = parse_expression(f"Product({body}, (k, 1, m))")
    assert enclose(product, {"n": 5, "m": last}).value == "1"
    assert exact(parse_expression("Sum(k, (k, 5, m))"), {"m": last}) == 0


@pytest.mark.parametrize(("text", "values", "told"), [
    ("Sum(1, (k, 1, sqrt(n)))", {"n": 2}, "upper end n^(1/2) of the sum over k is not a whole"),
    ("Sum(1, (k, n, 10))", {"n": "1/2"}, "lower end n of the sum over k is not a whole"),
    ("Sum(1/(n - k), (k, 1, n - 1))", {"n": "5/2"}, "upper end n - 1 of the sum over k is not a whole"),
    ("Product(k, (k, 1, n))", {"n": "3/2"}, "upper end n of the product over k is not a whole"),
    ("Integral(Sum(t^k, (k, n, n + 3)), (t, 0, 1))", {"n": "1/2"}, "lower end n of the sum over k is not a whole"),
    ("Sum(Sum(1, (j, 1, k/2)), (k, 1, n))", {"n": 4}, "upper end 1/2*k of the sum over j is not a whole"),
    ("Sum(1/k^2, (k, n, oo))", {"n": "1/2"}, "lower end n of the sum over k is not a whole"),
    ("Sum(1, (k, 1, pi))", {}, "upper end pi of the sum over k is not a whole"),
])
def test_the_end_is_named(text, values, told):
    with pytest.raises(Undecided) as refused:
        enclose(parse_expression(text), values)
    assert told in str(refused.value)


def test_a_sum_that_is_not_used_needs_no_whole_ends():
    k, n = sp.symbols("k n")
    chosen = sp.Piecewise((sp.Sum(1, (k, 1, n / 2)), sp.Eq(sp.floor(n / 2) * 2, n)), (7, True))
    assert enclose(chosen, {"n": 3}).value == "7"
    assert enclose(chosen, {"n": 4}).value == "2"


NO_VALUE = (
    "polylog(1/2, 1)", "polylog(1, 1)", "polylog(0, 1)", "polylog(-3, 1)", "polylog(1/3, cos(0*n))", "zeta(1)", "zeta(2, 0)", "zeta(2, -3)",
    "gamma(0)", "gamma(-4)", "factorial(-1)", "loggamma(0)", "digamma(-2)", "digamma(0)", "harmonic(-1)", "harmonic(-5)",
    "harmonic(-2, 2)", "Ei(0)", "li(1)", "li(-1)", "log(0)", "log(-1)", "LambertW(-1/2)", "expint(1, 0)", "expint(1/2, 0)",
    "expint(1, -1)", "beta(0, 1)", "beta(-1, 2)", "binomial(-1, 1/2)", "atanh(1)", "atanh(-1)", "acosh(1/2)", "asin(2)", "acos(-3/2)",
    "besselk(0, 0)", "besselk(1, -1)", "uppergamma(0, 0)", "uppergamma(-1, 0)", "uppergamma(1/2, -1)", "lowergamma(0, 1)",
    "lowergamma(-2, 1)", "cot(0)", "csc(0)", "coth(0)", "1/(n - 2)", "(n - 2)^(-1/2)", "(n - 3)^(1/2)", "0^(1 - n)", "sqrt(-n)",
)


@pytest.mark.parametrize("text", NO_VALUE)
def test_where_a_function_has_no_value_there_is_no_ball(text):
    """The argument is given as a number, as a parameter, and as what is equal to it in ball arithmetic."""
    try:
        expr = parse_expression(text)
    except ValueError:
        expr = None
    if expr is not None and not expr.has(sp.zoo, sp.nan, sp.oo, sp.I):
        with contextlib.suppress(Undecided):
            assert not ball(expr, {"n": 2}, 90).is_finite()
    if "(" not in text or "n" in text.replace("gamma", "").replace("sin", "").replace("harmonic", "").replace("zeta", ""):
        return
    name, arguments = text[:-1].split("(", 1)
    parts = [part.strip() for part in arguments.split(",")]
    letters = "xyz"[: len(parts)]
    expr = parse_expression(f"{name}({', '.join(letters)})")
    value = dict(zip(letters, parts, strict=True))
    try:
        assert not ball(expr, value, 90).is_finite()
        near = {x: sp.Rational(v) + sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1 for x, v in value.items()}
        assert not ball(expr, near, 90).is_finite()
    except Undecided:
        pass


@pytest.mark.parametrize("expr", [
    sp.Ci(sp.Symbol("x")), sp.Chi(sp.Symbol("x")), sp.atan2(sp.Symbol("x"), sp.Symbol("x")), sp.csch(sp.Symbol("x")),
    sp.stieltjes(0, sp.Symbol("x")), sp.zeta(2, sp.Symbol("x")), sp.polygamma(1, sp.Symbol("x")), sp.Symbol("x") ** sp.Symbol("y"),
])
def test_nor_where_it_is_only_seen_at_the_point(expr):
    for zero in (0, sp.sin(1) ** 2 + sp.cos(1) ** 2 - 1):
        assert not ball(expr, {"x": zero, "y": -1}, 90).is_finite()


@pytest.mark.parametrize("text", ["polylog(1/2, 1)", "polylog(0, 1)", "polylog(-1, 1)", "lowergamma(-1/2, 0)", "zeta(1)", "gamma(-3)"])
def test_what_diverges_is_not_read(text):
    with pytest.raises(ParseError, match="undefined"):
        parse_expression(text)


def test_the_series_of_polylog_converges_inside():
    with mpmath.workdps(30):
        for s, z in (("1/2", "9/10"), ("3/2", "1"), ("-2", "1/2"), ("2", "1"), ("1/2", "-5")):
            found = enclose(parse_expression("polylog(s, z)"), {"s": s, "z": z}, digits=15)
            true = mpmath.polylog(mpmath.mpf(sp.Rational(s).p) / sp.Rational(s).q, mpmath.mpf(sp.Rational(z).p) / sp.Rational(z).q)
            assert abs(mpmath.mpf(found.value) - mpmath.re(true)) <= mpmath.mpf(found.radius) + mpmath.mpf(10) ** -25


def test_a_divergent_hypergeometric_series_has_no_value():
    for above, below, x in (([1, 1], [], "-1/10"), ([1, 1], [sp.Rational(3, 2)], "1"), ([1, 1, 1], [2, 2], "2")):
        with pytest.raises(Undecided):
            enclose(sp.hyper(above, below, sp.Rational(x)), cap_bits=2000)


@pytest.mark.parametrize("count", [1, 5, 20, 80])
def test_derivatives_off_the_centre_are_bounded_by_the_discs_that_fit(count):
    """f = e^(sz) at the far point x of a piece: its derivative there against its supremum on the disc about the centre."""
    radius, half = arb(8), arb(2)
    for s in (arb(2 * count) / (radius - half), arb(1), arb(2 * count)):
        derivative = s ** (2 * count) * (s * half).exp() / arb.fac_ui(2 * count)
        bound = _weight(count, radius, half) / abs(arb.bernoulli(2 * count)) * (s * radius).exp()
        assert derivative <= bound


@pytest.mark.parametrize("kind", ["erlang", "binomial"])
def test_windows_are_bounded_by_discs_inside_those_on_which_the_terms_are(kind):
    """Long peaked sums against their closed forms, at precisions from 40 to 700 bits."""
    with mpmath.workdps(260):
        for digits in (12, 40, 90, 200):
            if kind == "erlang":  # sum of x^k/k! up to N = e^x Gamma(N + 1, x)/N!
                expr = parse_expression("Sum(x^k/factorial(k), (k, 0, 60000))*exp(-x)")
                true = mpmath.gammainc(60001, 50000, regularized=True) if digits < 40 else None
                found = enclose(expr, {"x": 50000}, digits=digits)
                if true is not None:
                    assert abs(mpmath.mpf(found.value) - true) <= mpmath.mpf(found.radius)
            else:
                found = enclose(parse_expression("Sum(binomial(m, k), (k, 0, m))/2^m"), {"m": 40000}, digits=digits)
                assert abs(mpmath.mpf(found.value) - 1) <= mpmath.mpf(found.radius)


@pytest.mark.parametrize(("body", "term"), [
    ("3^k/k", lambda k: mpmath.mpf(3) ** k / k),
    ("2^k*(k + 1/2)", lambda k: mpmath.mpf(2) ** k * (k + mpmath.mpf(1) / 2)),
    ("k*2^(-k)", lambda k: k * mpmath.mpf(2) ** -k),
    ("1/k^2", lambda k: mpmath.mpf(k) ** -2),
    ("harmonic(k + 400)", lambda k: mpmath.harmonic(k + 400)),
    ("(-1)^k/(k - 1/3)", lambda k: (-1 if k % 2 else 1) / (k - mpmath.mpf(1) / 3)),
    ("exp(k/50)", lambda k: mpmath.exp(mpmath.mpf(k) / 50)),
])
@pytest.mark.parametrize(("low", "high"), [(-300, -200), (-40, -1), (-3, 0), (-60, 300), (-1, 40)])
def test_ranges_that_begin_below_one(body, term, low, high):
    """The closed forms are for positive indices; what lies before is added, and a term without a value leaves none."""
    expr = parse_expression(f"Sum({body}, (k, {low}, {high}))")
    if low <= 0 <= high and body in ("3^k/k", "1/k^2"):
        with pytest.raises(Undecided):
            enclose(expr, digits=10, cap_bits=2000)
        return
    with mpmath.workdps(40):
        true = mpmath.fsum(term(k) for k in range(low, high + 1))
        found = enclose(expr, digits=25)
        assert abs(mpmath.mpf(found.value) - true) <= mpmath.mpf(found.radius) + abs(true) * mpmath.mpf(10) ** -30
