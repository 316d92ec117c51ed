"""Certified numbers of terms: no SymPy, the same values as by its expressions, and algebra that changes no value."""

from __future__ import annotations

import random
import subprocess
import sys
from fractions import Fraction

import pytest
import sympy as sp
from flint import arb, ctx

from asymp.cas import positive_names, term_of
from asymp.enclosure import InputError, Undecided, ball, compare, enclose
from asymp.enclosure.algebra import MINUS_OO, OO, binder, body_of, minus, plus, raised, simple, subs, times
from asymp.enclosure.calculus import coefficients, diff, expanded
from asymp.enclosure.fields import cancelled, factored, is_identity, partial
from asymp.enclosure.signs import signs
from asymp.kernel.terms import ZERO, Refused, Term, name, number, read
from asymp.parse.mathematics import parse_expression

TEXTS = (
    ("harmonic(n) - log(n)", {"n": "1e50"}),
    ("Sum(1/(k*(n - k)), (k, 1, n - 1))", {"n": "1e20"}),
    ("Sum((-1)^k/(2*k + 1), (k, 0, oo))", {}),
    ("Sum(k*exp(-k/7)/(exp(k/3) - 1), (k, 1, oo))", {}),
    ("Sum(x^k*(k^2 + 1)/factorial(k), (k, 0, oo))", {"x": 40}),
    ("Sum(binomial(n, k)*p^k*(1 - p)^(n - k), (k, 0, m))", {"n": 10**6, "p": "1/3", "m": 333000}),
    ("Sum(log(k*(n - k)), (k, 1, n - 1))", {"n": 10**5}),
    ("Sum(1/(k^2 + 1), (k, 1, oo))", {}),
    ("Product(1 + 1/k^2, (k, 1, n))", {"n": 10**5}),
    ("Integral(exp(-n*t)*t/(exp(t) - 1), (t, 0, oo))", {"n": 100}),
    ("Integral(t^n*log(1 - t), (t, 0, 1))", {"n": 10**6}),
    ("Integral((1 + t)^n*exp(-2*n*t), (t, 0, oo))", {"n": 10**9}),
    ("Integral(exp(-n*t^2), (t, -oo, oo))", {"n": 1000}),
    ("Integral(Sum(t^k/factorial(k), (k, 0, n))^40*exp(-45*t), (t, 0, oo))", {"n": 30}),
)


@pytest.mark.parametrize(("text", "values"), TEXTS, ids=[text for text, _ in TEXTS])
def test_a_text_and_its_expression_have_one_value(text, values):
    one, two = enclose(text, values, digits=20), enclose(parse_expression(text), values, digits=20)
    assert one.ball.overlaps(two.ball)


def test_terms_need_no_sympy():
    """Neither the room nor a value of a text imports it."""
    texts = [(text, {name: str(value) for name, value in values.items()}) for text, values in TEXTS]
    code = (
        "import sys\nfrom asymp.enclosure import enclose\n"
        f"for text, values in {texts!r}:\n    enclose(text, values, digits=8)\n"
        "assert 'sympy' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_expressions_that_are_no_functions_of_the_table():
    x = sp.Symbol("x")
    piecewise = sp.Piecewise((x, x < 1), (x**2, True))
    assert [enclose(piecewise, {"x": value}).value for value in ("1/2", 3)] == ["0.5", "9"]
    root = sp.CRootOf(sp.Symbol("y") ** 3 - sp.Symbol("y") - 1, 0)
    assert enclose(root**3 - root, digits=20).ball.overlaps(arb(1))
    with pytest.raises(Undecided, match="not real"):
        enclose(sp.CRootOf(sp.Symbol("y") ** 3 - sp.Symbol("y") - 1, 1))
    known = {sp.Catalan: sp.Catalan.evalf(30), sp.GoldenRatio: sp.GoldenRatio.evalf(30), sp.atan2(1, -2): sp.atan2(1, -2).evalf(30),
             sp.stieltjes(1): sp.stieltjes(1).evalf(30), sp.hyper((1, 2), (3,), sp.Rational(1, 2)): sp.hyper((1, 2), (3,), 0.5).evalf(20),
             sp.besselj(1, 2): sp.besselj(1, 2).evalf(30)}  # fmt: skip
    for expr, value in known.items():
        assert abs(enclose(expr, digits=20).ball - arb(str(value))) < arb("1e-13")
    for expr in (sp.nan, sp.zoo, sp.Function("f")(1), sp.Derivative(sp.Function("f")(x), x), sp.Piecewise((x, sp.And(x > 0, x < 1)))):
        with pytest.raises(Undecided):
            enclose(expr, {"x": 5})


def test_what_is_no_term_is_refused():
    for what in (None, 0.5, True, sp.true, [1]):
        with pytest.raises(InputError):
            enclose(what)
    with pytest.raises(InputError):
        enclose("1 +")
    with pytest.raises(Undecided):  # it would be the number e
        enclose(sp.Symbol("E"), {"E": 1})


def test_bound_variables_are_not_free():
    k, n = sp.Symbol("k"), sp.Symbol("n", positive=True)
    inner = sp.Sum(k * n, (k, 1, n)) + k  # the second k is another one
    assert term_of(inner).free == {"k", "n"} and positive_names(inner) == {"n"}
    assert enclose(inner, {"k": 100, "n": 3}).value == "118"
    nested = sp.Sum(sp.Sum(k, (k, 1, k)), (k, 1, 4))  # of the inner range, the upper end is the outer k
    assert enclose(nested).value == "20"
    body, variable, low, high = body_of(read("Sum(k*n, (k, 1, n))"))
    assert binder("Sum", body, variable, low, high) == read("Sum(n*j, (j, 1, n))")


def test_what_cancels_must_have_a_value():
    assert compare("pi", "==", "pi") and compare("sqrt(2) + x", ">", "x", {"x": 5})
    with pytest.raises(Undecided):
        compare("log(-1)", "==", "log(-1)")


def _random(source: random.Random, depth: int) -> Term:
    if depth == 0:
        return source.choice([name("x"), name("y"), number(source.randint(-3, 3)), number(Fraction(source.randint(-5, 5), 2))])
    parts = [_random(source, depth - 1) for _ in range(source.randint(2, 3))]
    match source.randint(0, 4):
        case 0 | 1:
            return plus(*parts)
        case 2:
            return times(*parts)
        case 3:
            return raised(parts[0], number(Fraction(source.randint(-4, 4), source.choice([1, 1, 2]))))
    return Term(source.choice(["exp", "log", "sinh", "atan"]), (parts[0],))


def test_algebra_changes_no_value():
    """Wherever a term has a value, what algebra makes of it has that value; a sign that is told is its sign."""
    source, seen, signed = random.Random(7), 0, 0
    for _ in range(400):
        try:
            term = _random(source, 3)
            forms = [simple(term), expanded(term), cancelled(term), factored(term), plus(*partial(term, "x"))]
        except Refused:
            continue
        for at in ({"x": Fraction(7, 3), "y": Fraction(2, 5)}, {"x": Fraction(1, 9), "y": Fraction(11, 4)}):
            value = ball(term, at, 300)
            if not value.is_finite():
                continue
            told = signs(term, frozenset("xy"))
            assert not (value > 0 and 1 not in told) and not (value < 0 and -1 not in told), (str(term), told)
            signed += len(told) < 3
            for form in forms:
                found = ball(form, at, 300)
                assert not found.is_finite() or found.overlaps(value), (str(term), str(form))
                seen += found.is_finite()
    assert seen > 1500 and signed > 100


def test_derivatives_are_slopes():
    h = Fraction(1, 10**12)
    texts = "x^3*exp(-x); log(1 + x)/x; x^x; atan(sqrt(x)); sinh(x)/cosh(2*x); Sum(x^k, (k, 1, 5)); erf(x)*gamma(x + 1)"
    for text in texts.split("; "):
        slope = diff(simple(read(text)), "x")
        low, high = (ball(text, {"x": Fraction(3, 2) + s * h}, 200) for s in (-1, 1))
        with ctx.workprec(200):
            assert abs((high - low) / (2 * arb(h.numerator) / h.denominator) - ball(slope, {"x": Fraction(3, 2)}, 200)) < arb("1e-20"), text


def test_infinity_is_no_number():
    for wrong in (lambda: minus(OO, OO), lambda: times(ZERO, OO), lambda: plus(OO, name("x"), MINUS_OO), lambda: raised(ZERO, number(-1))):
        with pytest.raises(Refused):
            wrong()
    with pytest.raises(Refused):
        subs(read("log(x)*y"), {"x": ZERO})


def test_polynomials_and_fractions():
    assert coefficients(read("(x + n)^3 - x^3"), "x") == [read("n^3"), simple(read("3*n^2")), simple(read("3*n"))]
    assert coefficients(read("exp(x)"), "x") is None
    assert is_identity(read("1/(x - 1) - 1/(x + 1) - 2/(x^2 - 1)")) and not is_identity(read("1/(x - 1) - 1/(x + 1)"))
    assert is_identity(read("x^(n + 1)/x^n - x")) and is_identity(read("(sqrt(x) - 1)*(sqrt(x) + 1) - x + 1"))
    with ctx.workprec(200):
        parts = partial(read("(k^2 + n)/((k + 1)^2*(n - k))"), "k")
        assert len(parts) == 3 and all(ball(plus(*parts), {"k": k, "n": 50}, 200).overlaps(
            ball("(k^2 + n)/((k + 1)^2*(n - k))", {"k": k, "n": 50}, 200)) for k in range(20))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Sum(binomial(2*k, k)*(6/25)^k, (k, 0, oo))", "5"),  # the ratio tends to 24/25
        ("Sum(k^2*(49/50)^k, (k, 1, oo))", "(49/50)*(1 + 49/50)*50^3"),
        ("Sum(catalan(k)*(6/25)^k, (k, 0, oo))", "5/3"),
        ("Sum((24/25)^k/k, (k, 1, oo))", "log(25)"),
    ],
)
def test_terms_by_their_ratio_are_those_of_the_sum(text, value):
    found, other = (ball(read(one), {}, 300) for one in (text, value))
    assert found.overlaps(other) and found.rel_accuracy_bits() > 250


def test_a_ratio_that_disagrees_with_a_term_costs_the_sum(monkeypatch):
    from flint import arb, fmpq

    from asymp.enclosure import hypergeometric

    body = lambda i: arb(fmpq(1, 2)) ** int(i.p)  # noqa: E731
    right, wrong = (hypergeometric.Steps(lambda y, c=c: fmpq(c, 4), lambda i: fmpq(1), [], True) for c in (2, 1))
    assert abs(hypergeometric.infinite(body, right, 0) - 2) < 1e-12
    assert not hypergeometric.infinite(body, wrong, 0).is_finite()


def test_a_sum_too_near_the_edge_is_given_up_at_once():
    from flint import fmpq

    from asymp.enclosure import hypergeometric

    near = hypergeometric.Steps(lambda y: fmpq(999, 1_000), lambda i: fmpq(1), [], True)
    assert near.slow(100) and not near.slow(30) and not near.hopeless(0)
