"""The parser: what is read, what is refused and where, and that nothing hangs or is evaluated."""

from __future__ import annotations

import sys

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.check.derived import runs_of
from asymp.parse import (
    ParseError,
    claim,
    parse_expression,
    parse_statement,
)

n, x, y, k = sp.symbols("n x y k", positive=True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("8", 8),
        ("-0.5", sp.Rational(-1, 2)),
        ("1e100", 10**100),
        (" 1/3 ", sp.Rational(1, 3)),
        (".5e1", 5),
        ("2.50e-2", sp.Rational(1, 40)),
        ("0e5", 0),
    ],
)
def test_numbers_are_exact(text, value):
    assert parse_expression(text) == value


def test_a_long_number_is_exact():
    assert parse_expression("1e1000") == 10**1000
    assert parse_expression("1" * 9000) == (10**9000 - 1) // 9  # longer than Python converts at once


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "nan",
        "inf",
        "1e",
        "0x10",
        "1e999999999",
        "1e-999999999",
        "1/0",
        "٣",
        "1e5.5",
        "2n",
    ],
)
def test_bad_numbers_are_refused_in_one_line(text):
    with pytest.raises(ParseError) as error:
        parse_expression(text)
    assert "\n" not in str(error.value)


@given(st.fractions())
def test_fractions_survive(value):
    assert parse_expression(str(value)) == sp.Rational(value.numerator, value.denominator)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_survive(value):
    assert float(parse_expression(repr(value))) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2*3", 7),
        ("-x^2", -(x**2)),
        ("(-x)**2", x**2),
        ("2^3^2", 512),
        ("2^-1", sp.Rational(1, 2)),
        ("x/y/2", x / y / 2),
        ("x - y - 1", x - y - 1),
        ("0.1", sp.Rational(1, 10)),
        ("n!", sp.factorial(n)),
        ("ln(x)", sp.log(x)),
        ("log(x, 2)", sp.log(x) / sp.log(2)),
        ("sqrt(x)", sp.sqrt(x)),
        ("exp(-x)", sp.exp(-x)),
        ("E^x", sp.exp(x)),
        ("harmonic(n)", sp.harmonic(n)),
        ("uppergamma(n, x)", sp.uppergamma(n, x)),
        ("E1(x)", sp.E1(x)),
        ("LambertW(x)", sp.LambertW(x)),
        ("μ", sp.Symbol("mu", positive=True)),
        ("λ_1", sp.Symbol("lambda_1", positive=True)),
        ("Max(x, 1)", sp.Max(x, 1)),
        ("gamma(gamma)", sp.gamma(sp.Symbol("gamma", positive=True))),
    ],
)
def test_expressions(text, value):
    assert parse_expression(text) == value


def test_bound_variables_have_the_assumptions_of_their_range():
    total = parse_expression("Sum(Abs(j), (j, -n, n))")
    assert total.has(sp.Abs)  # not simplified as if j were positive
    assert total.variables[0].is_integer
    double = parse_expression("Sum(i*j, (i, 1, j), (j, 1, 3))")
    assert double.doit() == sum(i * j for j in range(1, 4) for i in range(1, j + 1))
    assert parse_expression("Integral(exp(-t), (t, 0, oo))").doit() == 1
    assert parse_expression("k + Sum(k, (k, 1, 3))").doit() == k + 6


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("x +", 4),
        ("(x", 1),
        ("x)", 2),
        ("2n", 2),
        ("f(x)", 1),
        ("x.y", 2),
        ("x.__class__", 2),
        ("__import__('os')", 1),
        ("lambda z: z", 9),
        ("'a'", 1),
        ('x + "a"', 5),
        ("x[0]", 2),
        ("log", 1),
        ("log()", 4),
        ("binomial(n)", 1),
        ("Sum(1/k)", 1),
        ("Sum(1/k, (1, 1, n))", 10),
        ("(x, y)", 1),
        ("1/0", 1),
        ("oo - oo", 1),
        ("1 + e", 5),
        ("x @ y", 3),
        ("x\x00", 2),
        ("9^9^9^9", 4),
        ("exp(exp(exp(10)))", 1),
        ("1e999999999", 1),
        ("O(x)", 1),
        ("eval(x)", 1),
    ],
)
def test_refusals_name_the_column(text, column):
    with pytest.raises(ParseError) as error:
        parse_expression(text)
    assert error.value.column == column
    assert f"column {column}" in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 10**6,
        "(" * 1000 + "x" + ")" * 1000,
        "-" * 3000 + "x",
        "^".join(["x"] * 1000),
        "x" * 10**6,
        "1" * 10**6,
        "factorial(10^9)!",
        "10^1000000*10^1000000*10^1000000*10^1000000",
        "(1 + sqrt(2))^(10^12)",
        "gamma(gamma(gamma(gamma(30))))",
        "floor(exp(10^8))",
        "harmonic(10^8)",
        "uppergamma(10^7, x)",
        "sqrt(10^100000 + 1)",
        "log(10^100000)",
        "binomial(10^9, 5*10^8)",
        "zeta(-10^6)",
        "*".join(f"(x+{i})" for i in range(500)),
    ],
    ids=range(18),
)
def test_hard_texts_end_soon(text):
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1
        if calls > 1_000_000:
            raise RuntimeError("too much work")

    sys.setprofile(count)
    try:
        parse_expression(text)
    except ParseError as error:
        assert len(str(error)) < 200
    finally:
        sys.setprofile(None)


@settings(max_examples=150)
@given(st.text(alphabet="xyn01239.eE+-*/^(),!~<>= gloumaSI_'\"", max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        parse_expression(text)
    except ParseError as error:
        assert "\n" not in str(error)


def _trees():
    leaves = st.sampled_from([x, y, n]) | st.integers(-9, 9).map(sp.Integer)
    return st.recursive(
        leaves,
        lambda part: st.one_of(
            st.tuples(part, part).map(lambda p: p[0] + p[1]),
            st.tuples(part, part).map(lambda p: p[0] * p[1]),
            st.tuples(part, st.integers(1, 3)).map(lambda p: p[0] ** p[1]),
            part.map(lambda p: sp.exp(p)),
            part.map(lambda p: sp.log(x + 1) / (1 + sp.harmonic(n)) - p),
        ),
        max_leaves=6,
    )


@settings(max_examples=80)
@given(_trees())
def test_what_sympy_prints_is_read_back(tree):
    if tree.has(sp.nan, sp.zoo, sp.I):
        return
    try:
        assert sp.expand(parse_expression(str(tree)) - tree) == 0
    except ParseError as error:
        assert "large" in str(error)


@pytest.mark.parametrize(("text", "body"), [
    ("log(n!) ~ n*log(n)", "log(n!) ~ n*log(n)"),
    ("x = O(y)", "x = O(y)"),
    ("x = Theta(y)", "x = Theta(y)"),
    ("harmonic(n) = log(n) + EulerGamma + o(1)", "harmonic(n) = log(n) + EulerGamma + o(1)"),
    ("x = (1 + o(1))*y/2", "x ~ y/2"),
    ("1/n -> 0", "1/n -> 0"),
    ("x ∼ y", "x ~ y"),
])  # fmt: skip
def test_statements(text, body):
    assumed = "".join(f", {name} -> oo" for name in "xy" if name in text.replace("log", "").replace("harmonic", ""))
    assert str(parse_statement(f"{text} as n -> oo{assumed}").statement.body) == body


def test_a_claim_in_one_line():
    made = claim("my/stirling", "log(gamma(n)) ~ n*log(n)", to="n->oo", source="me, eq. (1)")
    assert (made.id, made.source.key, made.source.locator) == ("my/stirling", "me", "eq. (1)")
    assert made.closed == "log(gamma(n)) ~ n*log(n) as n -> oo"
    with pytest.raises(ValueError, match="source"):
        claim("my/x", "n ~ n", to="n->oo")
    with pytest.raises(ValueError, match="what tends"):
        claim("my/x", "n ~ n", source="me, here")
    fixed = claim("my/x", "n^a ~ n^2", to="n->oo", assume="a=2", source="me, here")
    assert fixed.closed == "n^2 ~ n^2 as n -> oo"
    ranged = claim("my/x", "c*n^a = o(n^2)", to="n->oo", assume=["0<a<2", "c>0"], source="me, here")
    assert all(len(run.instance) == 2 for run in runs_of(ranged.relation.statement))
