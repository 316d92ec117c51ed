"""Signs of polynomials of one variable: against their roots, and at the edges of what may be said."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asymp.kernel.rings.bernstein import sign_on
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

small = st.integers(-6, 6)
numbers = st.fractions(-4, 4, max_denominator=6)


def product(roots, lead):
    found = [Fraction(lead)]
    for root in roots:
        found = [a - root * b for a, b in zip([Fraction(0), *found], [*found, Fraction(0)], strict=True)]
    return found


def at(coefficients, x):
    return sum((c * x**k for k, c in enumerate(coefficients)), Fraction(0))


@given(st.lists(numbers, max_size=5), small.filter(bool), numbers, numbers)
def test_a_sign_is_that_of_no_root_inside(roots, lead, low, high):
    low, high = min(low, high), max(low, high)
    if low == high:
        return
    p = product(roots, lead)
    found = sign_on(p, low, high)
    inside = [r for r in roots if low < r < high]
    if inside:
        assert found is None
    else:  # roots that are not inside do not stand in the way
        assert found == (1 if at(p, (low + high) / 2) > 0 else -1)


@given(st.lists(small, min_size=1, max_size=6), numbers)
def test_a_sign_holds_far_out(coefficients, low):
    found = sign_on(coefficients, low, None)
    for step in (Fraction(1, 10**9), Fraction(1, 3), Fraction(7), Fraction(10**9)):
        assert found is None or at(coefficients, low + step) * found > 0


@pytest.mark.parametrize("epsilon", [Fraction(1, 10**6), Fraction(-1, 10**6), Fraction(0)])
def test_nearly_double_roots(epsilon):
    p = [Fraction(1, 9) + epsilon, Fraction(-2, 3), Fraction(1)]  # (x - 1/3)^2 + epsilon
    assert sign_on(p, 0, 1) == (1 if epsilon > 0 else None)


@pytest.mark.parametrize("root", [Fraction(1, 2), Fraction(1, 4), Fraction(5, 8)])
def test_double_roots_where_an_interval_is_halved(root):
    """Both halves have coefficients of one sign, and 0 between them."""
    for low, high in ((0, 1), (0, None)):
        at_root = root if high else root / (1 - root)  # halves of t = x/(1 + x)
        assert sign_on([at_root**2, -2 * at_root, 1], low, high) is None
        assert sign_on([at_root**2 + Fraction(1, 10**9), -2 * at_root, 1], low, high) == 1


def test_nothing_is_said_of_nothing():
    assert sign_on([], 0, 1) is None and sign_on([0, 0], 0, 1) is None
    assert sign_on([1], 1, 1) is None and sign_on([1], 1, 0) is None


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("x^2 - x + 1/4 + 10^(-9) > 0 for 0 < x < 1", True),
        ("x^2 - x + 2/9 > 0 for 2/3 < x < 1", True),
        ("x^2 - x + 2/9 > 0 for 2/3 <= x < 1", False),
        ("x^2 - x + 2/9 >= 0 for 2/3 <= x < 1", None),
        ("x^3 - 2*x^2 + x + 10^(-3) > 0 for x > 0", True),
        ("x^3 - 2*x^2 + x - 10^(-30) > 0 for x > 0", False),
        ("(x^2 - 3*x + 3)/(x^2 - x + 1) > 1/3 - 10^(-3) for x > 0", True),
    ],
)
def test_in_statements(text, holds):
    for wanted in (True, False):
        if holds is wanted:
            assert theorem(read_statement(text), wanted)
        elif holds is not None:
            with pytest.raises(Refused):
                theorem(read_statement(text), wanted)
