"""Expansions: known ones with their source, and every one set against certified numbers at huge n."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.check.expansion import expand_text
from asymp.kernel.growths.moving_gammas import stirling, transition
from asymp.kernel.terms import Refused
from asymp.parse import parse_expression
from tests.expansions import Expansion, expanded, far, follows

n, x, c, y = sp.symbols("n x c y", positive=True)
i = sp.Symbol("i")
N, ZERO = "n->oo", "x->0+"
CASES = [
    # (expression, limit, first terms, source)
    ("harmonic(n)", N, "log(n) + EulerGamma + 1/(2*n)", "DLMF 5.11.2"),
    ("expint(1, x)", ZERO, "-log(x) - EulerGamma + x", "DLMF 6.6.2"),
    ("uppergamma(0, x)", ZERO, "-log(x) - EulerGamma + x", "DLMF 8.4.4, 6.6.2"),
    ("li(1 - x)", ZERO, "log(x) + EulerGamma - x/2", "DLMF 6.2.8, 6.6.1"),
    ("polylog(2, 1 - x)", ZERO, "pi^2/6 + x*log(x) - x", "DLMF 25.12.6"),
    ("uppergamma(-1, x)", ZERO, "1/x + log(x) + EulerGamma - 1", "DLMF 8.4.15"),
    ("(1 - x)^n", "n->oo, x=c/n", "exp(-c) - c^2*exp(-c)/(2*n)", "exponential of ln(1 - c/n)"),
    ("Sum((1 - x)^i/i, (i, 1, oo))", ZERO, "-log(x)", "-ln(1 - (1-x))"),
    ("Sum(1/i, (i, 1, n - 1))", N, "log(n) + EulerGamma - 1/(2*n)", "H_(n-1) = H_n - 1/n"),
    ("Sum(harmonic(i), (i, 1, n))", N, "n*log(n) + (EulerGamma - 1)*n + log(n)", "(n+1)H_n - n"),
    ("Sum(harmonic(i)/i, (i, 1, n))", N, "log(n)^2/2 + EulerGamma*log(n)", "(H^2 + H^(2))/2"),
    ("loggamma(n)", N, "n*log(n) - n - log(n)/2 + log(2*pi)/2 + 1/(12*n)", "DLMF 5.11.1"),
    ("gamma(n + 1)/(sqrt(2*pi*n)*(n/E)^n)", N, "1 + 1/(12*n) + 1/(288*n^2)", "DLMF 5.11.3"),
    ("binomial(2*n, n)/4^n*sqrt(pi*n)", N, "1 - 1/(8*n) + 1/(128*n^2)", "OEIS A000984"),
    ("binomial(n, 3)", N, "n^3/6 - n^2/2", "n(n-1)(n-2)/6"),
    ("gamma(n + 1/2)/gamma(n)", N, "sqrt(n) - 1/(8*sqrt(n))", "DLMF 5.11.13"),
    ("log(factorial(n))", N, "n*log(n) - n + log(n)/2 + log(2*pi)/2", "DLMF 5.11.1"),
    ("erf(1/n)", N, "2/(sqrt(pi)*n) - 2/(3*sqrt(pi)*n^3)", "DLMF 7.6.1"),
    ("LambertW(n)", N, "log(n) - log(log(n)) + log(log(n))/log(n)", "DLMF 4.13.10"),
    ("LambertW(1/n)", N, "1/n - 1/n^2 + 3/(2*n^3)", "DLMF 4.13.5"),
]


@pytest.mark.parametrize(("text", "to", "terms", "source"), CASES, ids=[q[0] for q in CASES])
def test_known_expansions(text, to, terms, source):
    known = sp.expand(sp.expand_log(parse_expression(terms), force=True))
    e = expanded(text, to, "c>0" if "c/n" in to else [], order=5)
    found = sp.expand(sp.expand_log(sp.expand(e.expr), force=True))
    for term in sp.Add.make_args(known):
        assert any(sp.simplify(term - other) == 0 for other in sp.Add.make_args(found)), (source, term, found)
    assert "log" in text or "c" in to or e.growth == 0 or follows(text, e, far(8, 20) if to == N else [{"x": "1e-3"}, {"x": "1e-9"}])


SUMS = [
    "Sum((1 - x)^i/i, (i, 1, n - 1))",
    "Sum((1 - x)^i*harmonic(i), (i, 1, n - 1))",
    "Sum((1 - x)^i*harmonic(i)/i, (i, 1, n - 1))",
    "Sum((1 - x)^i*i, (i, 1, n - 1))",
    "Sum((1 - x)^i, (i, 1, n - 1))",
    "Sum((1 - x)^i/i, (i, n, oo))",
    "Integral((1 - x)^t*log(t)/t, (t, 1, n))",
    "Integral((1 - x)^t*log(t), (t, 1, oo))",
]


@pytest.mark.parametrize("tie", ["2/n", "1/n^2"])
@pytest.mark.parametrize("text", SUMS)
def test_expansions_follow_certified_numbers(text, tie):
    e = expanded(text, f"n->oo, x={tie}", order=2)
    if e.terms and not e.expr.has(sp.Function("GammaDerivative")):
        at = [{"n": 10**size, "x": str(parse_expression(tie).subs(n, 10**size))} for size in (2, 3)]
        assert e.growth == 0 or follows(text, e, at), e


def test_a_wrong_term_is_seen():
    text, to = "Sum((1 - x)^i*harmonic(i), (i, 1, n - 1))", "n->oo, x=1/n^2"
    e = expanded(text, to, order=2)
    at = [{"n": 10**size, "x": f"1/{10**(2 * size)}"} for size in (2, 4)]
    assert follows(text, e, at)
    for wrong in (e.terms[0] * sp.Rational(1001, 1000), -e.terms[0]):
        assert not follows(text, Expansion((wrong, *e.terms[1:]), e.growth), at)


# --- algebra ---------------------------------------------------------------------------------

smalls = st.sampled_from([1 / n, 1 / sp.log(n), sp.log(n) / n, n ** sp.Rational(-1, 2), sp.exp(-n)])
coefficients = st.sampled_from([sp.Rational(1, 2), sp.Integer(-3), sp.sqrt(2), sp.Integer(1)])
shapes = st.sampled_from(["sum", "product", "inverse", "power", "log", "exp"])


@given(smalls, smalls, coefficients, coefficients, shapes)
@settings(max_examples=15)
def test_remainder_algebra_is_sound(s, t, p, q, shape):
    f = 2 + p * s + q * t
    expr = {
        "sum": f + 1 / (1 + s), "product": f / (1 + t), "inverse": 1 / f, "power": f ** sp.Rational(1, 3),
        "log": sp.log(f), "exp": sp.exp(p * s + q * t),
    }[shape]
    e = expanded(expr, order=2)
    assert e.growth == 0 or follows(expr, e, far(2, 3)), (expr, e)


outers = st.sampled_from([
    lambda t: sp.log(1 + t), lambda t: sp.exp(t), lambda t: 1 / (1 + t), lambda t: (1 + t) ** sp.Rational(1, 3),
    lambda t: sp.log(2 + t) / (1 - t), lambda t: sp.exp(t) / (2 + t),
])  # fmt: skip
inners = st.sampled_from([
    lambda t: t + t**2, lambda t: t * sp.log(n), lambda t: sp.log(1 + t), lambda t: t / (1 + t), lambda t: sp.exp(-t) - 1,
])  # fmt: skip


@given(outers, inners, st.sampled_from([1 / n, n ** sp.Rational(-1, 2), sp.log(n) / n]), st.integers(1, 3))
@settings(max_examples=15)
def test_random_compositions_stay_within_their_remainder_in_balls(outer, inner, s, order):
    """|f - terms| <= C * remainder, C not growing from n = 1e8 to 1e100: certified values of f(g(x))."""
    expr = outer(inner(s / 3))
    e = expanded(expr, order=order)
    assert e.growth == 0 or follows(expr, e, far(8, 20, 100)), (expr, e)


def test_cancellation_leaves_the_remainder_never_silence():
    assert expanded("harmonic(n) - log(n) - EulerGamma - 1/(2*n)", order=2).terms[0] == -1 / (12 * n**2)


REFUSED = ["besselj(n, n)", "tan(n)", "Sum(sin(i), (i, 1, n))", "expint(1, -n)", "log(-n)", "Sum((1 - 2/n)^i*log(i)^2, (i, 1, n))"]


@pytest.mark.parametrize("text", REFUSED)
def test_what_no_method_covers_is_refused(text):
    with pytest.raises(Refused):
        expanded(text, order=2)


@pytest.mark.parametrize("text", ["1/(u + w)", "exp(u/w)"])
def test_an_undecided_order_is_refused_not_guessed(text):
    with pytest.raises(Refused):
        expanded(text, "u->oo, w->oo", order=2)


ERLANG = "exp(n*log({0}*n) - {0}*n)/uppergamma(n + 1, {0}*n)"


@pytest.mark.parametrize(("load", "assume"), [("rho", "0<rho<1"), ("rho", "rho>1"), ("1", "")])
def test_five_terms_of_erlang_b(load, assume):
    e = expanded(ERLANG.format(load), N, [assume] if assume else [], order=5)
    assert len(e.terms) == 5
    rho = sp.Symbol("rho", positive=True)
    at = {"0<rho<1": {"rho": "1/2"}, "rho>1": {"rho": "2"}, "": {}}[assume]
    assert follows(ERLANG.format(load), e, far(2, 3, **at))
    leading = {
        "0<rho<1": sp.exp(-n * (rho - 1 - sp.log(rho))) / sp.sqrt(2 * sp.pi * n),
        "rho>1": 1 - 1 / rho,  # the fluid limit
        "": sp.sqrt(2 / (sp.pi * n)),  # Jagerman 1974
    }[assume]
    assert sp.simplify(sp.expand_log(sp.log(e.terms[0] / leading), force=True)) == 0


@pytest.mark.parametrize("ratio", ["2", "1/2", "1"])
@pytest.mark.parametrize("shift", [-2, 0, 3])
def test_incomplete_gamma_with_both_arguments_large(ratio, shift):
    text = f"uppergamma(n + {shift}, {ratio}*n)/gamma(n + {shift})"
    assert follows(text, expanded(text), far(2, 3))


@pytest.mark.parametrize("side", ["+", "-"])
@pytest.mark.parametrize("order", [2, 3])
def test_incomplete_gamma_in_the_transition_window(side, order):
    text = f"uppergamma(n, n {side} y*sqrt(n))/gamma(n)"
    e = expanded(text, N, "y>0", order)
    for value in ("1", "1/3", "2"):
        assert follows(text, e, far(2, 4, 6, y=value))
    tail = sp.erfc(y / sp.sqrt(2)) / 2  # the central limit theorem
    assert sp.simplify(e.terms[0] - (tail if side == "+" else 1 - tail)) == 0


def test_the_coefficients_in_the_window_are_the_series_of_the_closed_ones():
    """c_k = (1/eta) dc_{k-1}/deta + (-1)^k g_k/mu with d mu/d eta = eta (1 + mu)/mu, from c_0 = 1/mu - 1/eta (DLMF 8.12.9-11)."""
    eta, mu = sp.symbols("eta mu")
    with mpmath.workdps(60):
        m = mpmath.mpf(1) / 1000
        e = mpmath.sqrt(2 * (m - mpmath.log1p(m)))
        closed = 1 / mu - 1 / eta
        for k, row in enumerate(transition(9, 3)):
            if k:
                closed = sp.diff(closed, eta) / eta + (1 + mu) / mu * sp.diff(closed, mu) + (-1) ** k * mpmath.mpf(int(stirling(3)[k].numerator)) / int(stirling(3)[k].denominator) / mu
            series = mpmath.fsum(mpmath.mpf(int(c.numerator)) / int(c.denominator) * e**j for j, c in enumerate(row))
            assert abs(series - sp.lambdify((eta, mu), closed, "mpmath")(e, m)) < 1e-25


def test_erlang_b_in_the_halfin_whitt_scaling():
    """sqrt(n) B -> phi(y)/Phi(y) at offered load n - y sqrt n (Halfin and Whitt 1981; Jagerman 1974)."""
    text = "exp(n*log(n - y*sqrt(n)) - n + y*sqrt(n))/uppergamma(n + 1, n - y*sqrt(n))"
    e = expanded(text, N, "y>0")
    normal = sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi) / (1 - sp.erfc(y / sp.sqrt(2)) / 2)
    assert sp.simplify(e.terms[0] * sp.sqrt(n) - normal) == 0
    assert follows(text, e, far(2, 4, 6, y="1"))


def test_a_ratio_whose_side_of_1_is_not_known_is_refused():
    with pytest.raises(Refused, match="exceeds 1"):
        expanded("uppergamma(n, c*n)", N, "c>0", order=2)


@pytest.mark.parametrize(
    ("text", "to", "terms"),
    [
        ("log(n+m)", "n->oo, m->oo, n/m->oo", ["log(n)", "m/n", "-m**2/(2*n**2)"]),
        ("log(n+m)", "n->oo, m->oo, n/m->0", ["log(m)", "n/m", "-n**2/(2*m**2)"]),
        ("harmonic(n)", "n->oo, p->0+, n*p->oo", ["log(n)", "EulerGamma", "1/(2*n)"]),
        ("3*log(n*m^2)", "n->oo, m->oo", ["3*log(m**2*n)"]),
        ("log(n) - log(m)", "n->oo, m->oo, n/m->oo", ["log(n) - log(m)"]),
    ],
)
def test_a_logarithm_of_a_product_of_free_scales_is_one_term(text, to, terms):
    assert expand_text(text, to)["terms"] == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("log(log(log(log(n + log(n)))))", ["log(log(log(log(n))))", "1/(n*log(log(n))*log(log(log(n))))"]),
        ("(log(log(n) + log(log(n))) - log(log(n)))*log(n)/log(log(n) + log(log(log(n))))",
         ["1", "-log(log(n))/(2*log(n))"]),
    ],
)
def test_deep_logarithms(text, terms):
    assert expand_text(text, "n->oo", order=2)["terms"] == terms


def test_conditions_on_the_large_variable_part_nothing():
    """Erlang B at n - b sqrt(n): the sign of n - b sqrt(n) is the regime's to decide (Halfin and Whitt, 1981)."""
    blocking = "(n - b*sqrt(n))^n/factorial(n)/Sum((n - b*sqrt(n))^k/factorial(k), (k, 0, n))"
    answer = expand_text(blocking, "n->oo", assume="b>0", order=2)
    assert "cases" not in answer
    b = sp.Symbol("b", positive=True)
    i0 = sp.sqrt(2 * sp.pi) * sp.exp(b**2 / 2) * (1 + sp.erf(b / sp.sqrt(2))) / 2
    expected = [1 / i0, (-(b**3) / 3 - (b**2 + 2) / (3 * i0)) / i0]
    for term, value, power in zip(answer["terms"], expected, (sp.Rational(1, 2), 1), strict=True):
        n = sp.Symbol("n", positive=True)
        shown = parse_expression(term, {"n": n, "b": b}) * n**power
        assert abs(sp.N((shown - value).subs(b, sp.Rational(7, 5)), 30)) < sp.Float("1e-25")
