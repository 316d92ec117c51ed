"""Expansions: known ones with their source, and every one confirmed by certified numbers at huge n."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from asymp.check.derivation import Derivation
from asymp.check.expansion import expand_text
from asymp.check.trend import confirm
from asymp.expand import derive, expand
from asymp.expansion import Expansion, Refused, is_zero
from asymp.kernel.growths.moving_gammas import stirling, transition
from asymp.parse import parse_expression
from asymp.scale import Growth, Path, Regime
from asymp.special import GammaDerivative

n, x, v, c = sp.symbols("n x v c", positive=True)
i = sp.Symbol("i")
AT_INFINITY = Regime.single(n)
AT_ZERO = Regime("x -> 0+", (v,), {x: 1 / v}, names={v: 1 / x}, paths=(Path("x = 1/n", n, {x: 1 / n}),))
FIXED = Regime("x = c/n", (n,), {x: c / n}, paths=(Path("x = c/n", n, {x: c / n}),), instances=({c: sp.Integer(2)},))
POWER = Regime("x = n^(-1/2)", (n,), {x: n ** sp.Rational(-1, 2)}, paths=(Path("x", n, {x: n ** sp.Rational(-1, 2)}),))

CASES = [
    # (expression, regime, first terms, source)
    (sp.harmonic(n), AT_INFINITY, sp.log(n) + sp.EulerGamma + 1 / (2 * n), "DLMF 5.11.2"),
    (sp.expint(1, x), AT_ZERO, -sp.log(x) - sp.EulerGamma + x, "DLMF 6.6.2"),
    (sp.uppergamma(0, x), AT_ZERO, -sp.log(x) - sp.EulerGamma + x, "DLMF 8.4.4, 6.6.2"),
    (sp.li(1 - x), AT_ZERO, sp.log(x) + sp.EulerGamma - x / 2, "DLMF 6.2.8, 6.6.1"),
    (sp.polylog(2, 1 - x), AT_ZERO, sp.pi**2 / 6 + x * sp.log(x) - x, "DLMF 25.12.6"),
    (sp.uppergamma(-1, x), AT_ZERO, 1 / x + sp.log(x) + sp.EulerGamma - 1, "DLMF 8.4.15"),
    (GammaDerivative(1, 0, x), AT_ZERO, -sp.log(x) ** 2 / 2 + sp.EulerGamma**2 / 2 + sp.pi**2 / 12, "by parts; Gamma''(1)"),
    ((1 - x) ** n, FIXED, sp.exp(-c) - c**2 * sp.exp(-c) / (2 * n), "exponential of ln(1 - c/n)"),
    (sp.Sum((1 - x) ** i / i, (i, 1, sp.oo)), AT_ZERO, -sp.log(x), "-ln(1 - (1-x))"),
    (sp.Sum(1 / i, (i, 1, n - 1)), AT_INFINITY, sp.log(n) + sp.EulerGamma - 1 / (2 * n), "H_(n-1) = H_n - 1/n"),
    (sp.Sum(sp.harmonic(i), (i, 1, n)), AT_INFINITY, n * sp.log(n) + (sp.EulerGamma - 1) * n + sp.log(n), "(n+1)H_n - n"),
    (sp.Sum(sp.harmonic(i) / i, (i, 1, n)), AT_INFINITY, sp.log(n) ** 2 / 2 + sp.EulerGamma * sp.log(n), "(H^2 + H^(2))/2"),
]


STIRLING = [
    (sp.loggamma(n), n * sp.log(n) - n - sp.log(n) / 2 + sp.log(2 * sp.pi) / 2 + 1 / (12 * n), "DLMF 5.11.1"),
    (sp.gamma(n + 1) / (sp.sqrt(2 * sp.pi * n) * (n / sp.E) ** n), 1 + 1 / (12 * n) + 1 / (288 * n**2), "DLMF 5.11.3"),
    (sp.binomial(2 * n, n) / 4**n, (1 - 1 / (8 * n) + 1 / (128 * n**2)) / sp.sqrt(sp.pi * n), "OEIS A000984"),
    (sp.binomial(n, 3), n**3 / 6 - n**2 / 2, "n(n-1)(n-2)/6"),
    (sp.gamma(n + sp.Rational(1, 2)) / sp.gamma(n), sp.sqrt(n) - 1 / (8 * sp.sqrt(n)), "DLMF 5.11.13"),
    (sp.log(sp.factorial(n)), n * sp.log(n) - n + sp.log(n) / 2 + sp.log(2 * sp.pi) / 2, "DLMF 5.11.1"),
    (sp.erf(1 / n), 2 / (sp.sqrt(sp.pi) * n) - 2 / (3 * sp.sqrt(sp.pi) * n**3), "DLMF 7.6.1"),
    (sp.LambertW(n), sp.log(n) - sp.log(sp.log(n)) + sp.log(sp.log(n)) / sp.log(n), "DLMF 4.13.10"),
    (sp.LambertW(1 / n), 1 / n - 1 / n**2 + sp.Rational(3, 2) / n**3, "DLMF 4.13.5"),
]


def first_terms(e: Expansion, count: int) -> sp.Expr:
    return sp.Add(*(coefficient * g.expr for g, coefficient in e.ordered()[:count]))


@pytest.mark.parametrize(("expr", "regime", "terms", "source"), CASES, ids=[str(q[0]) for q in CASES])
def test_known_expansions(expr, regime, terms, source):
    e = expand(expr, regime, 3)
    resolved = sp.expand(sp.expand_log(regime.resolve(sp.expand(terms)), force=True))
    count = len({sp.Mul(*(f for f in sp.Mul.make_args(t) if f.free_symbols & {n, v})) for t in sp.Add.make_args(resolved)})
    found = first_terms(e, count)
    assert sp.simplify(sp.expand(found - resolved)) == 0, (source, e)


@pytest.mark.parametrize(("expr", "terms", "source"), STIRLING, ids=[str(q[0]) for q in STIRLING])
def test_gamma_error_function_and_lambert(expr, terms, source):
    e, steps = derive(expr, AT_INFINITY, 3)
    found = sp.Add.make_args(sp.expand(sp.expand_log(e.expr, force=True)))
    for term in sp.Add.make_args(sp.expand(sp.expand_log(sp.expand(terms), force=True))):
        assert any(sp.simplify(term - other) == 0 for other in found), (source, term, e)
    fits, _ = confirm(Derivation(AT_INFINITY, expr, e), sizes=(8, 20, 100, 1000))
    assert all(f.bounded for f in fits), (e, fits)
    assert steps or e.is_exact() or expr.has(sp.erf) or expr == sp.LambertW(1 / n)


SUMS = [
    sp.Sum((1 - x) ** i / i, (i, 1, n - 1)),
    sp.Sum((1 - x) ** i * sp.harmonic(i), (i, 1, n - 1)),
    sp.Sum((1 - x) ** i * sp.harmonic(i) / i, (i, 1, n - 1)),
    sp.Sum((1 - x) ** i * i, (i, 1, n - 1)),
    sp.Sum((1 - x) ** i, (i, 1, n - 1)),
    sp.Sum((1 - x) ** i / i, (i, n, sp.oo)),
    sp.Integral((1 - x) ** i * sp.log(i) / i, (i, 1, n)),
    sp.Integral((1 - x) ** i * sp.log(i), (i, 1, sp.oo)),
]
FAST = Regime("x = 1/n^2", (n,), {x: n**-2}, paths=(Path("x = 1/n^2", n, {x: n**-2}),))


@pytest.mark.parametrize("regime", [FIXED, POWER, FAST], ids=lambda r: r.text)
@pytest.mark.parametrize("expr", SUMS, ids=str)
@pytest.mark.parametrize("order", [2, 3])
def test_derived_expansions_follow_certified_numbers(expr, regime, order):
    e, _ = derive(expr, regime, order)
    fits, _ = confirm(Derivation(regime, expr, e), sizes=(8, 20, 100))
    # for x = n^(-1/2) the sum over b is -ln x up to e^(-sqrt n): nothing to measure there
    assert (fits or regime is POWER) and all(f.bounded for f in fits), (e, fits)


@pytest.mark.parametrize("regime", [FIXED, POWER, FAST], ids=lambda r: r.text)
def test_the_confirmation_catches_a_wrong_term(regime):
    expr = SUMS[2]
    e = expand(expr, regime, 2)
    growth, coefficient = e.leading()
    for wrong in (coefficient * sp.Rational(1001, 1000), -coefficient):
        broken = Expansion({**e.terms, growth: wrong}, e.remainder)
        fits, _ = confirm(Derivation(regime, expr, broken), sizes=(8, 20, 100))
        assert not all(f.bounded for f in fits)


def test_the_confirmation_catches_a_missing_euler_gamma():
    e = expand(sp.harmonic(n), AT_INFINITY, 3)
    dropped = Expansion({g: q for g, q in e.terms.items() if q != sp.EulerGamma}, e.remainder)
    fits, _ = confirm(Derivation(AT_INFINITY, sp.harmonic(n), dropped))
    assert not fits[0].bounded


# --- algebra ---------------------------------------------------------------------------------

smalls = st.sampled_from([1 / n, 1 / sp.log(n), sp.log(n) / n, n ** sp.Rational(-1, 2), sp.exp(-n)])
coefficients = st.sampled_from([sp.Rational(1, 2), sp.Integer(-3), sp.sqrt(2), sp.Integer(1)])
shapes = st.sampled_from(["sum", "product", "inverse", "power", "log", "exp"])


@given(smalls, smalls, coefficients, coefficients, shapes)
@settings(max_examples=40)
def test_remainder_algebra_is_sound(s, t, p, q, shape):
    f = 2 + p * s + q * t
    expr = {
        "sum": f + 1 / (1 + s), "product": f / (1 + t), "inverse": 1 / f, "power": f ** sp.Rational(1, 3),
        "log": sp.log(f), "exp": sp.exp(p * s + q * t),
    }[shape]
    e = expand(expr, AT_INFINITY, 2)
    fits, _ = confirm(Derivation(AT_INFINITY, expr, e), sizes=(8, 20, 100))
    assert all(f.bounded for f in fits), (expr, e, fits)


@given(smalls, coefficients)
@settings(max_examples=20)
def test_expansion_of_a_composition_is_the_substitution(s, p):
    inner = expand(1 + p * s, AT_INFINITY, 4)
    outer = inner.log(3)
    direct = expand(sp.log(1 + p * s), AT_INFINITY, 3)
    assert sp.simplify((outer - direct).expr) == 0


outers = st.sampled_from([
    lambda t: sp.log(1 + t), lambda t: sp.exp(t), lambda t: 1 / (1 + t), lambda t: (1 + t) ** sp.Rational(1, 3),
    lambda t: sp.log(2 + t) / (1 - t), lambda t: sp.exp(t) / (2 + t),
])  # fmt: skip
inners = st.sampled_from([
    lambda t: t + t**2, lambda t: t * sp.log(n), lambda t: sp.log(1 + t), lambda t: t / (1 + t), lambda t: sp.exp(-t) - 1,
])  # fmt: skip


@given(outers, inners, st.sampled_from([1 / n, n ** sp.Rational(-1, 2), sp.log(n) / n]), coefficients, st.integers(1, 3))
@settings(max_examples=40)
def test_random_compositions_stay_within_their_remainder_in_balls(outer, inner, s, p, order):
    """|f - terms| <= C * remainder, C not growing from n = 1e8 to 1e100: certified values of f(g(x))."""
    expr = outer(inner(p * s))
    e = expand(expr, AT_INFINITY, order)
    fits, _ = confirm(Derivation(AT_INFINITY, expr, e), sizes=(8, 20, 100), witnesses=False)
    assert all(f.bounded for f in fits), (expr, e, fits)
    assert fits or e.is_exact()


@given(outers, inners, st.sampled_from([1 / n, n ** sp.Rational(-1, 2)]))
@settings(max_examples=25)
def test_f_of_g_is_g_put_into_f(outer, inner, s):
    """The expansion of f(g(x)) and that of f(t), with the expansion of g(x) for t, differ by their remainders."""
    t = sp.Symbol("t", positive=True)
    # f(1/v), v -> oo: a polynomial in 1/v and a remainder 1/v^(K+1)
    f = expand(outer(1 / t), Regime.single(t), 3)
    g = expand(inner(s), AT_INFINITY, 5)
    parts = []
    for growth, coefficient in f.terms.items():
        ((_, power),) = growth.powers or ((t, sp.S.Zero),)
        parts.append(g.power(-power, 5).scaled(coefficient))
    parts.append(g.tail(4))
    direct = expand(outer(inner(s)), AT_INFINITY, 3)
    difference = Expansion.sum([*parts, -direct])
    assert not difference.terms, (difference, direct)


def test_cancellation_leaves_the_remainder_never_silence():
    e = expand(sp.harmonic(n) - sp.log(n) - sp.EulerGamma - 1 / (2 * n), AT_INFINITY, 2)
    growth, coefficient = e.leading()
    assert growth == Growth.of(n, -2) and coefficient == sp.Rational(-1, 12)


@pytest.mark.parametrize(
    "expr",
    [sp.besselj(n, n), sp.tan(n), sp.Sum(sp.sin(i), (i, 1, n)), sp.expint(1, -n), sp.log(-n), sp.Sum((1 - x) ** i * sp.log(i) ** 2, (i, 1, n))],
    ids=str,
)
def test_what_no_method_covers_is_refused(expr):
    with pytest.raises(Refused):
        expand(expr, FIXED, 2)


def test_an_undecided_order_is_refused_not_guessed():
    u, w = sp.symbols("u w", positive=True)
    free = Regime("u, w -> oo", (u, w))
    with pytest.raises(Refused, match="no term that leads"):
        expand(1 / (u + w), free, 2)
    with pytest.raises(Refused):
        expand(sp.exp(u / w), free, 2)


def test_zero_is_believed_of_algebra_alone():
    assert is_zero(sp.expand((c + 1) ** 2 - c**2 - 2 * c - 1))
    assert not is_zero(sp.EulerGamma - sp.Rational("0.5772156649015328606"))


@pytest.mark.parametrize("integral", [q for q in SUMS if isinstance(q, sp.Integral)], ids=str)
def test_integrals_in_incomplete_gamma_functions_agree_with_quadrature(integral):
    from asymp.expand.integrals import closed_form

    closed = closed_form(integral)
    for ratio in (mpmath.mpf("0.01"), mpmath.mpf("0.4")):
        at = {x: ratio, n: 30}
        top = mpmath.inf if integral.limits[0][2] == sp.oo else 30
        f = sp.lambdify(i, integral.function.subs(at), "mpmath")
        value = mpmath.quad(f, [1, 2, 5, 10, 20, 30] + ([100, 1000, top] if top == mpmath.inf else []))
        assert abs(closed.subs(at).evalf(25) - value) < 1e-9 * abs(value)


rho, excess = sp.symbols("rho excess", positive=True)


def erlang(load: sp.Expr) -> sp.Expr:
    """Erlang's blocking probability with n servers and offered load ``load * n``: x^n e^(-x)/Gamma(n+1, x)."""
    return sp.exp(n * sp.log(load * n) - load * n) / sp.uppergamma(n + 1, load * n)


ERLANG = {
    "below": Regime("rho < 1", (n,), ranges={rho: 1 / (1 + excess)}, paths=(Path("n", n),), instances=({rho: sp.Rational(1, 2)},)),
    "above": Regime("rho > 1", (n,), ranges={rho: 1 + excess}, paths=(Path("n", n),), instances=({rho: sp.Integer(2)},)),
    "critical": AT_INFINITY,
}


@pytest.mark.parametrize("case", ERLANG)
def test_five_terms_of_erlang_b(case):
    regime = ERLANG[case]
    expr = erlang(sp.S.One if case == "critical" else rho)
    e = expand(expr, regime, 5)
    assert len(e.terms) >= 5
    fits, _ = confirm(Derivation(regime, expr, e), sizes=(2, 3, 4))
    assert fits and all(f.bounded for f in fits), (e, fits)
    growth, coefficient = e.leading()
    leading = {
        "below": 1 / sp.sqrt(2 * sp.pi),  # times e^(-n (rho - 1 - ln rho))/sqrt n, by Stirling
        "above": excess / (1 + excess),  # the fluid limit 1 - 1/rho
        "critical": sp.sqrt(2 / sp.pi),  # Jagerman 1974
    }
    assert sp.simplify(coefficient - leading[case]) == 0
    if case == "below":
        expected = regime.resolve(-n * (rho - 1 - sp.log(rho)))
        assert sp.simplify(sp.expand_log(sp.log(growth.expr * sp.sqrt(n)) - expected, force=True)) == 0


@pytest.mark.parametrize("ratio", [sp.Integer(2), sp.Rational(1, 2), sp.Integer(1)])
@pytest.mark.parametrize("shift", [-2, 0, 3])
def test_incomplete_gamma_with_both_arguments_large(ratio, shift):
    expr = sp.uppergamma(n + shift, ratio * n) / sp.gamma(n + shift)
    e = expand(expr, AT_INFINITY, 3)
    fits, _ = confirm(Derivation(AT_INFINITY, expr, e), sizes=(2, 3, 4))
    assert fits and all(f.bounded for f in fits), (e, fits)


y = sp.Symbol("y", positive=True)
WINDOW = Regime("n + y sqrt n", (n,), paths=(Path("n", n),), instances=tuple({y: q} for q in (sp.S.One, sp.Rational(1, 3), sp.Integer(2))))


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("order", [2, 3])
def test_incomplete_gamma_in_the_transition_window(side, order):
    expr = sp.uppergamma(n, n + side * y * sp.sqrt(n)) / sp.gamma(n)
    e = expand(expr, WINDOW, order)
    fits, _ = confirm(Derivation(WINDOW, expr, e), sizes=(2, 4, 6))
    assert len(fits) == 3 and all(f.bounded for f in fits), (e, fits)
    tail = sp.erfc(y / sp.sqrt(2)) / 2  # the central limit theorem
    assert sp.simplify(e.leading()[1] - (tail if side > 0 else 1 - tail)) == 0


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
    load = n - y * sp.sqrt(n)
    expr = sp.exp(n * sp.log(load) - load) / sp.uppergamma(n + 1, load)
    e = expand(expr, WINDOW, 3)
    growth, coefficient = e.leading()
    assert growth == Growth.of(n, -sp.Rational(1, 2))
    normal = sp.exp(-(y**2) / 2) / sp.sqrt(2 * sp.pi) / (1 - sp.erfc(y / sp.sqrt(2)) / 2)
    assert sp.simplify(coefficient - normal) == 0
    fits, _ = confirm(Derivation(WINDOW, expr, e), sizes=(2, 4, 6))
    assert fits and all(f.bounded for f in fits), (e, fits)


def test_a_ratio_whose_side_of_1_is_not_known_is_refused():
    with pytest.raises(Refused, match="exceeds 1"):
        expand(sp.uppergamma(n, c * n), AT_INFINITY, 2)


@pytest.mark.parametrize(
    ("text", "to", "terms"),
    [
        ("log(n+m)", "n->oo, m->oo, n/m->oo", ["log(n)", "m/n", "-m**2/(2*n**2)"]),
        ("log(n+m)", "n->oo, m->oo, n/m->0", ["log(m)", "n/m", "-n**2/(2*m**2)"]),
        ("harmonic(n)", "n->oo, p->0+, n*p->oo", ["log(n)", "EulerGamma", "1/(2*n)"]),
        ("3*log(n*m^2)", "n->oo, m->oo", ["3*log(m**2*n)"]),
        ("log(n) - log(m)", "n->oo, m->oo, n/m->oo", ["log(n/m)"]),
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
