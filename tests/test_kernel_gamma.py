"""Incomplete gamma functions as coefficients: the one way of writing them against quadrature, and what is not defined."""

from __future__ import annotations

import mpmath
import pytest

from asymp.kernel.growths.growth import Domain
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.gamma import rewritten
from asymp.kernel.terms import Refused, read
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

POSITIVE = Domain(within={"c": Range(0, True), "d": Range(0, True)})


def _integral(k, a, u):
    return mpmath.quad(lambda s: mpmath.exp(-s) * s ** (a - 1) * mpmath.log(s) ** k, [u, 1, 2, 5, 20, mpmath.inf])


FUNCTIONS = {
    "E1": mpmath.e1, "Ei": mpmath.ei, "li": mpmath.li, "expint": mpmath.expint, "exp": mpmath.exp, "log": mpmath.log, "erfc": mpmath.erfc,
    "uppergamma": lambda a, u: _integral(0, a, u), "GammaDerivative": _integral,
}  # fmt: skip


def _value(term, at):
    """A term as a number, by quadrature and mpmath: nothing of the kernel."""
    parts = [_value(part, at) for part in term.parts]
    match term.head:
        case "number":
            return mpmath.mpf(term.number.numerator) / term.number.denominator
        case "name":
            return mpmath.pi if term.name == "pi" else at[term.name]
        case "sum":
            return mpmath.fsum(parts)
        case "product":
            return mpmath.fprod(parts)
        case "power":
            return parts[0] ** parts[1]
    return FUNCTIONS[term.head](*parts)


@pytest.mark.parametrize(
    "text",
    ["E1(c)", "li(c)", "expint(1, c)", "expint(2, c)", "expint(3, c)", "expint(-2, c)", "expint(1/2, c)"]
    + [f"uppergamma({a}, c)" for a in (-3, -1, 1, 2, 5)]
    + [f"GammaDerivative({k}, {a}, c)" for k in (1, 2, 3) for a in (-2, -1, 1, 2, 3)],
)
@pytest.mark.parametrize("c", ["0.3", "1.7"])
def test_a_function_is_what_it_is_rewritten_as(text, c):
    with mpmath.workdps(25):
        term, at = read(text), {"c": mpmath.mpf(c)}
        other = rewritten(term)
        assert other is not None
        for _ in range(30):  # all the way down
            assert mpmath.almosteq(_value(term, at), _value(other, at), 1e-15, 1e-15)
            below = next((x for x in _all(other) if rewritten(x) is not None), None)
            if below is None:
                return
            term, other = below, rewritten(below)


def _all(term):
    yield term
    for part in term.parts:
        yield from _all(part)


@pytest.mark.parametrize(
    ("text", "zero"),
    [
        ("E1(c) - expint(1, c)", True), ("E1(c) - uppergamma(0, c)", True), ("Ei(-c) + E1(c)", True), ("li(exp(-c)) - Ei(-c)", True),
        ("E1(c) - E1(2*c)", False), ("Ei(c) + E1(c)", False), ("expint(2, c) - exp(-c) + c*E1(c)", True),
        ("GammaDerivative(1, 1, c) - E1(c) - exp(-c)*log(c)", True), ("GammaDerivative(0, 2, c) - (1 + c)*exp(-c)", True),
        ("GammaDerivative(1, 0, c) - GammaDerivative(2, 0, c)", False), ("uppergamma(c, d) - uppergamma(d, c)", False),
    ],
)  # fmt: skip
def test_identities_of_coefficients(text, zero):
    assert POSITIVE.value(read(text)).is_zero is zero


@pytest.mark.parametrize(
    "text",
    [
        "E1(-c)", "E1(c - d)", "Ei(c - d)", "li(c)", "expint(1, c - 1)", "expint(2, -c)", "uppergamma(0, -c)", "uppergamma(1/2, -c)",
        "GammaDerivative(1, 0, -c)", "GammaDerivative(1, 1, c - d)", "GammaDerivative(1/2, 0, c)", "GammaDerivative(-1, 0, c)",
        "GammaDerivative(d, 0, c)", "GammaDerivative(99, 0, c)", "E1(0)", "Ei(0)", "li(1)", "li(0)", "uppergamma(0, 0)", "Ei(c - c)",
    ],
)  # fmt: skip
def test_what_may_not_be_defined_is_refused(text):
    with pytest.raises(Refused):
        POSITIVE.value(read(text))


def test_other_numbers_of_arguments_are_other_functions():
    for text in ("E1(c, 2)", "li(c, 1)", "GammaDerivative(1, c)", "GammaDerivative(c)"):
        with pytest.raises(Refused):
            POSITIVE.value(read(text))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("E1(c)", 1), ("E1(1) - E1(2)", 1), ("E1(2) - E1(1)", -1), ("GammaDerivative(1, 0, c)", None), ("Ei(c)", None), ("Ei(1/10)", -1),
        ("exp(c) - 1 - c - c^2/2", 1), ("1 - exp(-c)*(1 + c)", 1), ("exp(c) - 1 - c - c^2", None), ("exp(c) - 3*c", None),
        ("exp(c) - c^3/6", None), ("exp(-c) - 1 + c^2", None), ("exp(c)*sqrt(c) - sqrt(c)", 1), ("exp(c)*sqrt(c) - c^(3/2)", None),
        ("exp(2*c) - 1 - 2*c", 1), ("exp(2*c) - 1 - 3*c^2", None), ("exp(d) - 1 - c", None),
    ],
)  # fmt: skip
def test_signs(text, told):
    found = POSITIVE.sign(POSITIVE.value(read(text)))
    assert found == told if told is not None else found in (None, 1)
    above = Domain(within={"c": Range(1, True)})  # what stands for exp(c) there is 1 + t alone
    assert above.sign(above.value(read("exp(c)*sqrt(c) - 3*c^(3/2)"))) is None


CONTINUOUS = "Ei(n*log(1 - c/n)) -> Ei(-c) as whole n -> oo for c > 0"
BLOCK = "Sum((1 - p)^b/b, (b, floor(1/p), floor(2/p))) -> E1(1) - E1(2) as p -> 0+"


@pytest.mark.parametrize("text", [CONTINUOUS, BLOCK])
def test_limits_at_such_constants(text):
    assert theorem(read_statement(text), True).holds


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (CONTINUOUS, "-> Ei(-c)", "-> (1 + 10^(-200))*Ei(-c)"), (CONTINUOUS, "-> Ei(-c)", "-> -Ei(-c)"), (CONTINUOUS, "1 - c/n", "1 - c^2/n"),
        (CONTINUOUS, "1 - c/n", "1 + c/n"), (CONTINUOUS, "c > 0", "c > -1"), (CONTINUOUS, "-> Ei(-c)", "-> E1(c)"),
        (BLOCK, "E1(1) - E1(2)", "(1 + 10^(-200))*(E1(1) - E1(2))"), (BLOCK, "E1(1)", "E1(1/2)"), (BLOCK, "- E1(2)", "+ E1(2)"),
        (BLOCK, "2/p", "3/p"),
    ],
)  # fmt: skip
def test_a_changed_limit_is_not_proved(text, old, new):
    assert old in text
    with pytest.raises(Refused):
        theorem(read_statement(text.replace(old, new)), True)


def test_algebra_with_such_functions():
    assert apply("algebra", statement="E1(1) > E1(2) for x > 0")
    for text in ("E1(x) > 0 for x > -1", "E1(x) = E1(x) for x >= 0", "li(x) = li(x) for x > 0", "E1(2) > E1(1) for x > 0"):
        with pytest.raises(Refused):
            apply("algebra", statement=text)
