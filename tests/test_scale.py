"""Growths: dominance is a strict partial order compatible with products, and agrees with numbers."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import asymp.symbolics as sy
from asymp.coefficient import plainly_nonzero, sum_of_products
from asymp.scale import ONE, Growth, Regime, sign, tidy
from asymp.sign import undecided

n, m = sp.symbols("n m", positive=True)
a = sp.Symbol("a", positive=True)

powers = st.fractions(min_value=-3, max_value=3, max_denominator=4).map(lambda q: sp.Rational(q.numerator, q.denominator))


@st.composite
def growths(draw, scales=(n,), exponentials=True):
    g = ONE
    for t in scales:
        g = g * Growth.of(t, draw(powers)) * Growth.of(sp.log(t), draw(powers))
        if exponentials and draw(st.booleans()):
            c = draw(st.sampled_from([-2, -1, 1, 2]))
            g = g * Growth.exp([(Growth.of(t, draw(st.sampled_from([sp.Rational(1, 2), sp.S.One]))), sp.Integer(c))])
    return g


def log_value(g: Growth, at: dict[sp.Symbol, mpmath.mpf]) -> mpmath.mpf:
    """ln g at a point, without overflow."""
    total = mpmath.mpf(0)
    for atom, power in g.powers:
        value = at[atom] if atom in at else mpmath.log(at[atom.args[0]])
        total += mpmath.mpf(power.p) / power.q * mpmath.log(value)
    for inner, c in g.large:
        total += mpmath.mpf(c.p) / c.q * mpmath.exp(log_value(inner, at))
    return total


@given(growths())
def test_one_scale_is_totally_ordered_and_numbers_agree(g):
    where = g.limit()
    assert where in ("zero", "one", "infinity")
    assert (where == "one") == (g == ONE)
    if where == "one":
        return
    far = [log_value(g, {n: mpmath.mpf(10) ** k}) for k in (10**3, 10**5)]
    assert (far[1] < far[0] and far[1] < 0) if where == "zero" else (far[1] > far[0] and far[1] > 0)


@given(growths((n, m)), growths((n, m)))
def test_dominance_is_antisymmetric(g, h):
    opposite = {"zero": "infinity", "infinity": "zero", "one": "one", "unknown": "unknown"}
    assert (h / g).limit() == opposite[(g / h).limit()]


@given(growths((n, m)), growths((n, m)), growths((n, m)))
@settings(max_examples=200)
def test_dominance_is_transitive_and_compatible_with_products(f, g, h):
    def below(x, y):
        return (x / y).limit() == "zero"

    if below(f, g) and below(g, h):
        assert below(f, h)
    if below(f, g):
        assert below(f * h, g * h)


@given(growths((n, m), exponentials=False))
def test_free_scales_are_compared_on_all_paths(g):
    """'zero' and 'infinity' must be right however the two scales run; 'unknown' must really depend."""
    paths = [(mpmath.mpf(10) ** s, mpmath.mpf(10) ** t) for s, t in ((10**6, 40), (40, 10**6), (10**6, 10**6))]
    values = [log_value(g, {n: x, m: y}) for x, y in paths]
    if g.limit() == "zero":
        assert values[2] < 0
    if g.limit() == "infinity":
        assert values[2] > 0
    if g.limit() == "unknown":
        # one scale alone pulls up, the other down
        ups = {(q > 0) for _, q in g.powers}
        assert ups == {True, False}


@pytest.mark.parametrize(
    ("growth", "expected"),
    [
        (Growth.of(n, -a), "zero"),
        (Growth.of(n, 1 - a), "unknown"),
        (Growth.of(n, a - 2) * Growth.exp([(Growth.of(n), -a)]), "zero"),
        (Growth.exp([(Growth.of(n), -sp.S.One)]) * Growth.of(m), "unknown"),
        (Growth.exp([(Growth.of(n) * Growth.of(m), -sp.S.One)]) * Growth.of(m, 5) * Growth.of(n, 7), "zero"),
        (Growth.of(sp.log(sp.log(n))) / Growth.of(sp.log(n)), "zero"),
        (Growth.exp([(Growth.of(sp.log(n), 2), sp.S.One)]) / Growth.of(n, 100), "infinity"),
    ],
)
def test_growths_with_parameters_and_exponentials(growth, expected):
    assert growth.limit() == expected


def test_exp_and_log_are_inverse():
    g = Growth.of(n, 3) * Growth.of(sp.log(n), -1) * Growth.exp([(Growth.of(n), -sp.S.One)])
    assert Growth.exp([(h, c) for h, c in g.log() if c > 0]) * Growth.exp([(h, -c) for h, c in g.log() if c < 0]) ** -1 == g
    with pytest.raises(ValueError, match="does not tend to infinity"):
        Growth.exp([(Growth.of(n, -1), sp.S.One)])


def test_sign_of_parameter_expressions():
    assert sign(a**2 + a) == 1 and sign(-1 / (1 + a)) == -1 and sign(a - a) == 0
    assert sign(a - 1) is None
    assert sign(sp.sqrt(2) - sp.Rational(3, 2)) == -1


@given(st.integers(1, 5), st.integers(1, 5))
def test_tidy_is_canonical(p, q):
    assert tidy(p / (1 + a) + q / (1 + a)) == tidy((p + q) / (1 + a))


def test_regime_fixes_parameters():
    alpha = sp.Symbol("alpha", positive=True)
    regime = Regime("", (n,), {m: n**-alpha}, {alpha: 1 + a})
    assert regime.resolve(m) == n ** (-1 - a)
    assert regime.display(n ** (1 - a)) == n ** (2 - alpha)
    assert regime.at(alpha=sp.Integer(3)).resolve(m) == n**-3


@given(growths((n, m)), growths((n, m)), st.integers(1, 4))
@settings(max_examples=60)
def test_dominance_survives_powers_and_is_irreflexive(g, h, k):
    assert (g / g).limit() == "one"
    if (g / h).limit() == "zero":
        assert (g**k / h**k).limit() == "zero" and (h**-k / g**-k).limit() == "zero"


@given(growths((n, m), exponentials=False), st.fractions(-2, 2, max_denominator=3))
@settings(max_examples=50)
def test_an_unknown_limit_says_what_it_hangs_on(g, shift):
    q = g * Growth.of(n, a - sp.Rational(str(shift)))
    with undecided() as wanted:
        where = q.limit()
    assert (where == "unknown") == bool(q.undecided())
    assert list(q.undecided()) == list(wanted)
    for question in q.undecided():
        # a parameter decides it: on either side of a root the power of n has one sign
        if isinstance(question, sp.Expr):
            (root,) = sp.solve(question, a)
            assert {sign(question.subs(a, root / (1 + a))), sign(question.subs(a, root + a))} == {1, -1}


rationals = st.fractions(-4, 4, max_denominator=4).map(lambda q: sp.Rational(q.numerator, q.denominator))


@given(st.lists(rationals, min_size=1, max_size=4), st.lists(rationals, min_size=1, max_size=3))
@settings(max_examples=50)
def test_a_decided_sign_is_right_everywhere(top, bottom):
    """Rational functions of a > 0, at many points; and a sign that changes or vanishes is never decided."""
    numerator, denominator = (sum(c * a**k for k, c in enumerate(q)) for q in (top, bottom))
    if sp.expand(denominator) == 0:
        return
    found = sign(sp.sympify(numerator / denominator))
    values = []
    for k in range(-6, 7):
        point = sp.Rational(3, 2) ** (2 * k)
        if denominator.subs(a, point) != 0 if isinstance(denominator, sp.Expr) else denominator != 0:
            values.append(sp.sign(sp.sympify(numerator / denominator).subs(a, point)))
    if found is not None:
        assert set(values) <= {found}
    if {1, -1} <= set(values):
        assert found is None


FUNCTIONS = [
    sp.erfc(a), sp.erf(a), sp.erfc(-a), sp.exp(-a), sp.exp(-2 * a), sp.zeta(1 + a), sp.zeta(2, a), sp.gamma(a),
    sp.expint(1, a), sp.expint(3, 2 * a), sp.besselk(0, a), sp.besseli(1, a), sp.uppergamma(-sp.Rational(3, 7), a),
    sp.lowergamma(2, a), sp.polylog(2, sp.exp(-a)), sp.polylog(3, 1 / (1 + a)), sp.LambertW(a), sp.log(1 + a),
    sp.Integral(sp.exp(-a * m) / (1 + m), (m, 0, sp.oo)), sp.Integral(sp.log(m), (m, 1, 1 + a)),
]  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from(FUNCTIONS), rationals, st.sampled_from([-1, 1, 2])), min_size=1, max_size=2),
    rationals,
)
@settings(max_examples=30)
def test_the_sign_of_functions_with_a_known_range_is_right_everywhere(parts, constant):
    expr = constant + sum(c * f**k for f, c, k in parts)
    found = sign(sp.sympify(expr))
    if found is None:
        return
    for point in ("0.001", "0.1", "0.7", "1.3", "3", "12"):
        value = sp.N(expr.subs(a, sp.Rational(point)), 30)
        assert abs(value) < sp.Float("1e-25") if found == 0 else sp.sign(value) == found, (expr, point)


def test_the_signs_of_functions():
    """Some of them are decided, so that the test above tests something."""
    assert [sign(f) for f in FUNCTIONS] == [1] * len(FUNCTIONS)
    assert sign(sp.erfc(a) - 1) == -1 and sign(sp.erf(a) + sp.erfc(a) - 2) == -1 and sign(sp.zeta(a)) is None
    assert sign(sp.Integral(sp.log(m), (m, a, 1 + a))) is None and sign(sp.erfc(a) - sp.Rational(1, 2)) is None
    assert sign(a - sp.log(1 + a)) == 1 and sign(1 / (1 + a) - 1 + sp.log(1 + a)) == 1


constants = st.sampled_from([sp.EulerGamma, sp.pi, sp.sqrt(2), sp.log(2), a, sp.exp(-a), sp.zeta(3), sp.sqrt(sp.pi), 1 / (1 + a)])


@given(st.lists(st.tuples(constants, constants, rationals, rationals), min_size=1, max_size=4))
@settings(max_examples=40)
def test_products_of_coefficients_agree_with_sympy(rows):
    pairs = [(p * x + 1, q * y - x) for x, y, p, q in rows]
    expected = sp.Add(*(x * y for x, y in pairs))
    for point in (sp.Rational(7, 5), sp.Rational(1, 9)):
        assert abs(sp.N((sum_of_products(pairs) - expected).subs(a, point), 30)) < sp.Float("1e-20")
    if plainly_nonzero(sum_of_products(pairs)):
        assert abs(sp.N(expected.subs(a, sp.Rational(7, 5)), 30)) > 0


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(-2, 2), st.integers(-2, 2)), min_size=1, max_size=3),
       st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=3))  # fmt: skip
def test_rational_functions_are_put_over_one_denominator_as_by_cancel(top, bottom):
    a, b = sp.Symbol("a2", positive=True), sp.Symbol("a10", positive=True)
    over, under = (sp.Add(*(c * a**i * b**j for c, i, j in part)) for part in (top, bottom))
    if under != 0:
        expr = over / under + sp.EulerGamma / (1 + a)
        assert sy.is_fraction(expr) and sy.fraction(expr) == sp.cancel(expr)


def test_a_polynomial_with_one_plain_coefficient_is_not_zero():
    a, b = sp.symbols("a b", positive=True)
    assert plainly_nonzero(a * sp.EulerGamma - a * sp.pi + b) and plainly_nonzero(sp.sqrt(a) - a)
    assert not plainly_nonzero(a * sp.EulerGamma - a * sp.pi) and not plainly_nonzero(sp.Integer(0))
    assert not plainly_nonzero(a * sp.log(2) - a * sp.log(3))
