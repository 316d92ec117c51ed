"""Signs, zeros and coefficients: what is decided is true, what only looks alike is not decided.

Each rule has a statement that needs it and, for each of its conditions, one that would be wrong without.  Decided signs
are confirmed by mpmath at several points; of what must stay undecided the comment or the name says why.
"""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
import sympy as sp

from asymp import sign as signs
from asymp import vanishing
from asymp.coefficient import expression, plainly_nonzero, poly, sum_of_products
from asymp.sign import decided_sign, latest, rational_parts, record, sign, tidy, undecided
from asymp.vanishing import Refused, assume_nonzero, assumptions, coarse, is_coarse, is_zero

a, b, c = sp.symbols("a b c", positive=True)
r = sp.Symbol("r", real=True)
m = sp.Symbol("m", negative=True)
free = sp.Symbol("free")
t = sp.Symbol("t")
k = sp.Symbol("k", integer=True)
count = sp.Symbol("count", integer=True, nonnegative=True)
POINTS = [Fraction(1, 1000), Fraction(1, 3), Fraction(1), Fraction(7, 2), Fraction(60)]


def value(expr: sp.Expr, point: Fraction, step: Fraction) -> mpmath.mpf:
    """By mpmath at 30 digits, sums and integrals too; the symbols in order of name are point, point + step, ..."""
    names = sorted(expr.free_symbols, key=str)
    at = {s: (-1 if s is m else 1) * sp.Rational(point + i * step) for i, s in enumerate(names)}
    return mpmath.mpf(sp.re(sp.N(expr.subs(at), 30)))


DIVERGENT = sp.Sum(1 / (k + c), (k, 0, sp.oo)) ** 2
DECIDED = [
    # numbers
    (sp.Integer(0), 0),
    (sp.pi - 3, 1),
    (sp.sqrt(2) - sp.Rational(3, 2), -1),
    (sp.Integral(sp.exp(-(t**2)), (t, 0, 1)), 1),
    (-sp.Integral(sp.exp(-(t**2)), (t, 0, 1)), -1),
    (sp.Sum(1 / k**2, (k, 1, sp.oo)), 1),
    # linear forms
    (2 * a + b + 1, 1),
    (-a - b / 3, -1),
    (a, 1),
    (-a, -1),
    (3 * a / 7, 1),
    (-m, 1),
    (m - 1, -1),
    (a + r**2, 1),
    (a + sp.sqrt(2), 1),
    (-sp.sqrt(2) * a - 1, -1),
    (a - a, 0),
    # expanded, factored
    (a * (a + 1) - a**2, 1),
    ((a + 1) ** 2 - a**2 - 2 * a - 1, 0),
    ((a + 1) ** 2 - a**2 - 2 * a - 2, -1),
    ((1 + a) / (1 + b) - a / (1 + b), 1),
    # ranges
    (1 - sp.exp(-c), 1),
    (sp.exp(-c) - 1, -1),
    (sp.exp(-2 * c) - sp.exp(-c), -1),
    (sp.exp(-a * b) - 2, -1),
    (sp.exp(m) - 1, -1),
    (sp.erfc(c) - 1, -1),
    (sp.erfc(c), 1),
    (sp.erf(c), 1),
    (sp.erf(c) - 1, -1),
    (sp.erfc(-c) - 1, 1),
    (sp.erfc(m) - 1, 1),
    (sp.erfc(m) - 2, -1),
    (sp.erf(m), -1),
    (sp.erf(m) + 1, 1),
    (sp.zeta(1 + c) - 1, 1),
    (sp.zeta(2 + c, a), 1),
    (sp.expint(2, c), 1),
    (sp.uppergamma(m, c), 1),
    (sp.uppergamma(a, c), 1),
    (sp.lowergamma(a, c), 1),
    (sp.besselk(r, c), 1),
    (sp.besseli(a, c), 1),
    (sp.LambertW(c), 1),
    (sp.polylog(r, 1 / (1 + c)), 1),
    (sp.polylog(2, sp.exp(-c)), 1),
    (-sp.polylog(a, c / (1 + c)), -1),
    # integrals
    (sp.Integral(sp.exp(-c * t), (t, 1, 2)), 1),
    (sp.Integral(sp.exp(-c * t), (t, 0, sp.oo)), 1),
    (sp.Integral(1 / (1 + t**2), (t, a, a + b)), 1),
    (1 + sp.Integral(sp.exp(-c * t), (t, 0, 1)) * a, 1),
    (-sp.Integral(1 - sp.exp(-t), (t, 0, c)), -1),
    (sp.Integral(1 / t, (t, c, 2 * c)), 1),
    (sp.Integral(2 - t, (t, 0, 1)), 1),
    (sp.Integral(3 - t, (t, 1, 2)), 1),
    # sums
    (DIVERGENT, 1),
    (sp.Sum(1 / k**2, (k, 1, 7)), 1),
    (sp.Sum(k + c, (k, 3, 3)), 1),
    (sp.Sum(1 / (k + c) ** 2, (k, 0, sp.oo)), 1),
    # products and powers
    (-sp.sqrt(c - sp.log(1 + c)) / (1 + c), -1),
    ((c - sp.log(1 + c)) * (sp.exp(-c) - 1), -1),
    ((sp.exp(-c) - 1) * (sp.exp(-2 * c) - 1) * b, 1),
    ((c - sp.log(1 + c)) ** r, 1),
    ((c - sp.log(1 + c)) ** sp.Rational(-3, 2), 1),
    # derivatives
    (1 - (1 + c) * sp.exp(-c), 1),
    ((1 + c) * sp.exp(-c) - 1, -1),
    (c - sp.log(1 + c), 1),
    (sp.log(1 + c) - c, -1),
    (c - sp.log(1 + c) + 1, 1),
    (sp.log(1 + c) - c - 1, -1),
    (sp.exp(c) - 1 - c - c**2 / 2, 1),
    # roots
    (a**2 - a + 1, 1),
    (-(a**2) + a - 1, -1),
    ((a**2 - a + 1) / (a**3 + a), 1),
    ((a - a**2 - 1) / (a**2 - a + 2), -1),
    (a**3 - a**2 + a, 1),
    ((a**2 - a + 1) / a**2, 1),
    (a**4 - a + 1, 1),
]


def name(x: object) -> str:
    return str(x).replace(" ", "")


@pytest.mark.parametrize(("expr", "expected"), DECIDED, ids=name)
def test_signs_that_are_decided(expr, expected):
    assert decided_sign(expr) == expected


@pytest.mark.parametrize(("expr", "expected"), DECIDED, ids=name)
def test_the_table_is_true(expr, expected):
    """By mpmath, not by asymp."""
    if expr == DIVERGENT:
        return
    hard = expr.has(sp.Sum, sp.Integral, sp.zeta, sp.polylog, sp.uppergamma)
    for step in (Fraction(0),) if hard else (Fraction(0), Fraction(5, 7), Fraction(40)):
        for point in POINTS[1:3] if hard else POINTS:
            found = value(expr, point, step)
            # e^(-60) and the like: the sign of the last digits says nothing
            assert mpmath.sign(found) == expected or abs(found) < mpmath.mpf("1e-24")


UNDECIDED = [
    # both signs, or none
    sp.I,
    sp.zoo,
    sp.nan,
    sp.I * a,
    a - 1,
    1 - a,
    a - b,
    2 * a - 3 * b + 1,
    a - a * b,
    m + 1,
    r,
    r + 1,
    a + r,
    free,
    a + free,
    sp.sqrt(2) * a - 1,
    sp.exp(-c) - sp.Rational(1, 2),
    sp.exp(r) - 1,
    sp.exp(-r) - 1,
    sp.exp(-a) - sp.exp(-b),
    sp.erfc(r) - 1,
    sp.erf(r),
    sp.erfc(c) - sp.Rational(1, 2),
    sp.zeta(a),
    sp.zeta(a) - 1,
    sp.zeta(2 + c, r),
    sp.zeta(1 + c) - 2,
    sp.zeta(1 + c, a) - 1,
    sp.expint(2, m),
    sp.uppergamma(a, free),
    sp.uppergamma(sp.I, c),
    sp.lowergamma(m, c),
    sp.lowergamma(r, c),
    sp.besseli(r, c),
    sp.besselk(free, c),
    sp.LambertW(r),
    sp.polylog(2, c),
    sp.polylog(2, -c),
    sp.polylog(2, 1 + 1 / (1 + c)),
    sp.polylog(free, 1 / (1 + c)),
    sp.polylog(2, r),
    # integrals and sums whose integrand or whose ends do not fit
    sp.Integral(sp.log(t), (t, a, 1 + a)),
    sp.Integral(1, (t, a, b)),
    sp.Integral(sp.exp(-t), (t, b, a)),
    sp.Integral(sp.exp(-t), (t, 1 + c, 1)),
    sp.Integral(sp.exp(-t), (t, c, c)),
    sp.Integral(1 - t, (t, 0, 2)),
    sp.Integral(1 - t, (t, 0, sp.oo)),
    sp.Integral(-sp.exp(-t), (t, 0, 1)) + a,
    sp.Integral(sp.exp(-t), t),
    sp.Integral(t**3 * sp.exp(-(t**2)), (t, -sp.oo, 1)),
    sp.Integral(sp.exp(-c * t), (t, sp.oo, 1)),
    sp.Integral(c, (t, sp.oo, sp.oo)),
    sp.Integral(c, (t, -sp.oo, sp.oo)),
    sp.Integral(sp.exp(-c * t * b), (t, 0, 1), (b, 1, -1)),
    sp.Sum(k - c, (k, 0, sp.oo)),
    sp.Sum(c - k, (k, 0, 3)),
    sp.Sum(2**k, (k, 3, 1)),
    sp.Sum(2**k, (k, a, b)),
    sp.Sum(2**k * c, (k, 5, 2)),
    sp.Sum(1 - k + c, (k, 0, 4)),
    sp.Sum(k - 1, (k, 1, 1 + count)),
    sp.Sum(1 / (k - 1), (k, 1, 5)),
    # products, powers, derivatives, roots
    sp.sqrt(c - 1),
    (c - 1) ** 2 * (c - 2),
    (c - sp.log(1 + c)) * (c - 1),
    (c - sp.log(1 + c)) ** free,
    (sp.log(1 + c) - c) ** sp.Rational(1, 3),
    (sp.log(1 + c) - c) ** 3 + 1,
    c - sp.exp(-c),
    sp.exp(-c) - sp.Rational(1, 2) + c / 100,
    sp.log(c),
    sp.log(1 + c) - c + 1,
    c - sp.log(1 + c) - 1,
    sp.log(1 + r),
    sp.exp(c) - 1 - c - b,
    a**2 - 3 * a + 1,
    (a - 1) ** 2,
    1 / (a - 1),
    (a**2 - a + 1) / (a - 2),
    (a - 3) / (a**2 - a + 1),
    r**2 - r,
    r**2 - r + 1,
]


@pytest.mark.parametrize("expr", UNDECIDED, ids=name)
def test_signs_that_are_not_decided(expr):
    assert decided_sign(expr) is None


# --- what is recorded -------------------------------------------------------------------------------


def test_what_was_undecided_is_recorded_the_latest_last():
    assert latest() == ()
    with undecided() as wanted:
        assert latest() == ()
        assert sign(a - 1) is None and sign(a + 1) == 1 and sign(a - a) == 0 and sign(a - 2) is None
        assert decided_sign(a - 3) is None
        assert list(wanted) == [a - 1, a - 2] and latest() == (a - 2,)
        assert sign(a - 1) is None
        assert list(wanted) == [a - 2, a - 1] and latest() == (a - 1,)
        with undecided() as inner:
            record("one", "two", "one")
            assert list(inner) == ["two", "one"] and latest() == ("one",)
        assert list(wanted) == [a - 2, a - 1]
    assert latest() == ()
    record("nobody listens")
    assert latest() == ()
    assert Refused("why").undecided == ()
    with undecided():
        record("first", "last")
        assert Refused("why").undecided == ("last",)
        assert Refused("why", undecided=["x", "y", "x"]).undecided == ("x", "y")
        assert Refused("why", undecided=[]).undecided == ()
        assert str(Refused("why")) == "why"


def test_derivatives_are_asked_for_a_few_times_only():
    """e^c - sum_(i<j) c^i/i! needs j derivatives; four are taken, one within the other."""
    rest = sp.exp(c)
    for j in range(7):
        # after j terms; the last derivative's sign is known by itself
        assert (decided_sign(rest) == 1) == (j <= signs.DERIVATIVES)
        rest -= c**j / sp.factorial(j)


def test_the_size_of_what_is_differentiated_is_bounded():
    small, large = (sum(c / j - sp.log(1 + c / j) for j in range(1, most)) for most in (9, 12))
    assert sp.count_ops(small) <= 40 < sp.count_ops(large)
    assert decided_sign(small) == 1 and decided_sign(large) is None
    assert decided_sign(c - sp.log(1 + c) + sp.expint(1, 1 + c) * 0) == 1
    assert decided_sign(sp.log(1 + c) + sp.expint(1, 1) - sp.expint(1, 1 + c) - sp.exp(-c)) is None


def test_nested_totals():
    inner = sp.Integral(sp.exp(-t), (t, 0, c))
    assert decided_sign(sp.Sum(1 / (1 + k) ** 2, (k, 0, sp.oo)) * inner + a) == 1
    assert decided_sign(sp.Integral(sp.Sum(sp.exp(-k * t), (k, 1, sp.oo)), (t, 1, 2))) == 1
    assert decided_sign(sp.Integral(sp.Sum(1 - k * t, (k, 1, sp.oo)), (t, 1, 2))) is None
    assert decided_sign(sp.Integral(1, t, (a, 1, 2))) is None
    deep: sp.Expr = sp.exp(-c)
    for level in range(signs.DERIVATIVES + 2):
        assert decided_sign(deep) == (1 if level <= signs.DERIVATIVES else None)
        variable = sp.Dummy("v")
        deep = sp.Integral(1 + deep / (1 + variable), (variable, 0, 1))


# --- rational functions and canonical forms ----------------------------------------------------------


def test_parts_of_a_rational_function():
    top, bottom = rational_parts((c**2 - 1) / (c + 1) / (c + 2), c)
    assert (top.as_expr(), bottom.as_expr()) == (c - 1, c + 2)
    for other in (sp.exp(c), c + a, sp.sqrt(c), sp.pi * c, sp.Integer(3)):
        assert rational_parts(other, c) is None


def test_tidy():
    third = sp.Rational(1, 3)
    assert tidy(third) == third
    assert tidy(a * (1 + a)) == a**2 + a
    assert tidy(a / (1 + a) + 1 / (1 + a)) == 1
    assert tidy(1 / a + 1 / b) == 1 / a + 1 / b
    assert tidy((1 + a) ** -2 * (1 + a)) == 1 / (1 + a)
    assert tidy(1 / (a * (1 + a)) - 1 / a + 1 / (1 + a)) == 0


# --- zeros ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sp.Integer(0), True),
        (sp.Rational(1, 7), False),
        (sp.pi + sp.EulerGamma, False),
        (sp.pi - sp.Rational(22, 7), False),
        (sp.pi - sp.Rational(355, 113), False),
        (a - 1, False),
        (a**2 - 1, False),
        ((a + 1) ** 2 - a**2 - 2 * a - 1, True),
        (sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6), True),
        (1 / (1 + a) + a / (1 + a) - 1, True),
        (sp.log(2 * a) - sp.log(a) - sp.log(2), True),
        (sp.gamma(a + 1) - a * sp.gamma(a), True),
        (sp.gamma(a + 1) - a * sp.gamma(a) * (1 + sp.Rational(1, 10**9)), False),
        (sp.sin(a) ** 2 + sp.cos(a) ** 2 - 1, True),
    ],
    ids=name,
)
def test_zeros(expr, expected):
    assert is_zero(expr) is expected


def test_a_root_at_the_first_point_is_no_zero():
    """The oracle is asked at a second point where the first gives 0."""
    point = sp.Rational(7, 10) + sp.Rational(1, 3)
    assert is_zero((a - point) * sp.exp(a)) is False
    both = point, sp.Rational(23, 10) + sp.Rational(1, 3)
    with pytest.raises(Refused, match="zero"):
        is_zero(sp.exp(a) * (a - both[0]) * (a - both[1]) * sp.log(1 + a))


def test_parameters_have_points_of_their_own():
    """a - b does not vanish though it does where all parameters are equal."""
    assert is_zero(sp.exp(a) - sp.exp(b)) is False
    assert is_zero((sp.exp(a) - sp.exp(b)) * (sp.exp(a) - sp.exp(c))) is False


def test_without_balls_an_evaluation_decides():
    own = vanishing._evalf_excludes_zero
    at = {"a": Fraction(1, 3), "b": Fraction(2)}
    assert own(sp.exp(a) - b, at) is True
    assert own(sp.exp(a) ** 2 - sp.exp(2 * a) + sp.Rational(1, 10**24), at) is True
    assert own(sp.Rational(1, 10**26) * a, at) is False
    assert own(sp.exp(a) - sp.exp(sp.Rational(1, 3)), at) is False
    for hopeless in (sp.zoo * a, sp.oo + a, 1 / (3 * a - 1), sp.Function("f")(a)):
        with pytest.raises(Refused, match="cannot evaluate"):
            own(hopeless, at)


def test_an_oracle_can_be_plugged_in(monkeypatch):
    monkeypatch.setattr(vanishing, "_oracle", vanishing._oracle)
    asked = []

    def never(expr: sp.Expr, point: object) -> bool:
        asked.append((expr, point))
        return False

    vanishing.plug_oracle(never)
    free_of_caches = sp.log(1 + a) - sp.log(2 + b) + sp.Rational(1, 977)
    with pytest.raises(Refused):
        is_zero(free_of_caches)
    assert [sorted(point) for _, point in asked] == [["a", "b"], ["a", "b"]]
    values = [list(point.values()) for _, point in asked]
    third, twofifths = Fraction(1, 3), Fraction(2, 5)
    assert values == [[s + third, s + twofifths] for s in (Fraction(7, 10), Fraction(23, 10))]


def test_assumptions_are_collected_once_and_in_order():
    assume_nonzero(a - 1)  # nobody listens
    with assumptions() as outer:
        assume_nonzero(a - 1)
        assume_nonzero(b - 1)
        assume_nonzero(a - 1)
        with assumptions() as inner:
            assume_nonzero(a)
        assume_nonzero(b)
    assert (outer, inner) == ([a - 1, b - 1, b], [a])


def test_coarse_is_in_force_inside_alone():
    assert is_coarse() is False
    with coarse():
        assert is_coarse() is True
        with coarse():
            pass
        assert is_coarse() is True
    assert is_coarse() is False


# --- coefficients -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "expr",
    [
        sp.Integer(0),
        sp.Integer(3),
        a,
        2 * a**2 * b - sp.pi * a / 3 + 1,
        sp.EulerGamma**2 * sp.exp(-c) + sp.sqrt(2) * a ** sp.Rational(1, 3),
        a**-2 + sp.zeta(3) / b,
        r**3 - r,
        free**-2,
        a**b * sp.log(a),
    ],
    ids=name,
)
def test_polynomials_in_atoms_and_back(expr):
    found = poly(expr)
    assert found is not None and expression(found) == expr
    assert all(found.values())


@pytest.mark.parametrize(
    "expr",
    [1 / (1 + a), sp.sqrt(1 + a), a * (1 + b), sp.sqrt(r), sp.sqrt(free), 0.5 * a, a + (1 + b) ** 2, sp.sqrt(a * r)],
    ids=name,
)
def test_what_is_no_polynomial_in_atoms(expr):
    """Factored forms, roots of what may be negative, floats."""
    assert poly(expr) is None


def test_monomials_that_cancel():
    assert poly(sp.Add(a, -a, evaluate=False)) == {}
    assert poly(sp.Add(a, a, evaluate=False)) == {((a, 1),): 2}


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ([], 0),
        ([(a, b)], a * b),
        ([(a, 1 / a)], 1),
        ([(a**2, a**-3)], 1 / a),
        ([(a + 1, a - 1), (sp.Integer(1), sp.Integer(1))], a**2),
        ([(a, b), (a, -b)], 0),
        ([(sp.sqrt(2), sp.sqrt(2)), (sp.sqrt(2), sp.sqrt(3))], 2 + sp.sqrt(6)),
        ([(sp.exp(-c), sp.exp(-c))], sp.exp(-2 * c)),
        ([(sp.exp(-c), sp.exp(c))], 1),
        ([(1 / (1 + a), 1 + a), (a, sp.Integer(2))], 1 + 2 * a),
        ([(1 / (1 + a), a), (1 / (1 + a), sp.Integer(1))], 1),
        ([(a, 1 / (1 + a)), (sp.Integer(1), 1 / (1 + a))], 1),
        ([(1 / (1 + a), a), (a, b)], sp.cancel(a / (1 + a) + a * b)),
        ([(sp.Rational(2, 3) * a, sp.Rational(9, 4) * b**2)], sp.Rational(3, 2) * a * b**2),
    ],
    ids=str,
)
def test_sums_of_products(pairs, expected):
    assert sum_of_products(pairs) == expected


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sp.Integer(0), False),
        (sp.Integer(2), True),
        (sp.pi, True),
        (-sp.pi - sp.E, True),
        (sp.pi - sp.E, False),
        (a + b, True),
        (-a - 2 * b, True),
        (a - b, True),  # a polynomial in symbols does not vanish identically
        (a - 1, True),
        (a - sp.pi, True),
        (a * sp.pi + sp.EulerGamma, True),
        (sp.sqrt(2) * a + 1, True),
        (sp.log(2) + 1, False),  # not known to be positive here
        (m, False),
        (r, False),
        (m - 1, False),
        (sp.exp(-c) + 1, False),
        (sp.I, False),
        (1 / (1 + a), False),
        (sp.Integer(-3) ** 3 * a, True),
    ],
    ids=name,
)
def test_what_plainly_does_not_vanish(expr, expected):
    assert plainly_nonzero(expr) is expected
