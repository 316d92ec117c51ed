"""Sums that have names, sums with a peak, and dominated ones: what is said of them is so, and what lacks a condition is refused."""

from __future__ import annotations

import random
from fractions import Fraction
from math import comb, exp, factorial, log, pi, sqrt

import mpmath
import pytest
from gmpy2 import mpq

import asymp.kernel.records  # noqa: F401  (the rules)
from asymp.kernel import terms
from asymp.kernel.growths import peaked_sums
from asymp.kernel.growths.dominated_sums import series_of_dominated
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings import alternating
from asymp.kernel.rings.units import logarithm_of
from asymp.kernel.sequences.known_sums import FORMS
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

SAID = {
    "exponential": ["Sum(x^k/k!, (k, n, oo)) = exp(x)*(1 - uppergamma(n, x)/(n - 1)!) for whole n >= 1, x > 0",
                    "Sum(x^k/k!, (k, 0, n)) = exp(x)*uppergamma(n + 1, x)/n! for whole n >= 0, x > 0"],
    "lower": ["lowergamma(n, x) = (n - 1)! - uppergamma(n, x) for whole n >= 1, x > 0"],
    "alternating": ["Sum((-1)^k*binomial(n, k)*k^n, (k, 0, n)) = (-1)^n*n! for whole n >= 1",
                    "Sum((-1)^(k - 1)*binomial(n, k)/k, (k, 1, n)) = harmonic(n) for whole n >= 1",
                    "Sum((-1)^k*binomial(n, k)*k^(n - 1), (k, 0, n)) = 0 for whole n >= 2"],
    "fixed-point-free": ["subfactorial(n) = n!*Sum((-1)^k/k!, (k, 0, n)) for whole n >= 0"],
    "set partitions": ["Sum(stirling2(n, m), (m, 0, n)) = bell(n) for whole n >= 1",
                       "Sum(m!*stirling2(n, m)*2^m, (m, 1, n)) = Sum(k^n*2^k*(1 + 2)^(-k - 1), (k, 0, oo)) for whole n >= 1"],
    "nearest": ["floor(n!/E + 1/2) = n!*Sum((-1)^k/k!, (k, 0, n)) for whole n >= 1",
                "floor(E*n!) = n!*Sum(1/k!, (k, 0, n)) for whole n >= 1"],
    "partitions": ["Sum(k^n/k!, (k, 0, oo)) = E*bell(n) for whole n >= 1"],
}  # fmt: skip
WRONG = [
    ("exponential", SAID["exponential"][1].replace("x > 0", "x >= 0")), ("exponential", SAID["exponential"][0].replace("n >= 1", "n >= 0")),
    ("exponential", SAID["exponential"][1].replace("whole n >= 0", "n >= 0")), ("exponential", SAID["exponential"][1].replace("n >= 0", "n >= -2")),
    ("exponential", SAID["exponential"][1].replace("n + 1, x", "n, x")), ("lower", SAID["lower"][0].replace("n >= 1", "n >= 0")),
    ("alternating", SAID["alternating"][0].replace("n >= 1", "n >= 0")), ("alternating", SAID["alternating"][1].replace("(k, 1", "(k, 0")),
    ("alternating", SAID["alternating"][2].replace("n - 1", "n + 1")), ("alternating", SAID["alternating"][2].replace("n >= 2", "n >= 1")),
    ("alternating", SAID["alternating"][0].replace("(k, 0, n)", "(k, 0, n - 1)")),
    ("set partitions", SAID["set partitions"][0].replace("n >= 1", "n >= 0")), ("set partitions", SAID["set partitions"][0].replace("(m, 0, n)", "(m, 0, n - 1)")),
    ("set partitions", "Sum(stirling2(n, m)*(-1)^m, (m, 0, n)) = bell(n) for whole n >= 1"), ("set partitions", SAID["set partitions"][1].replace("k - 1", "k")),
    ("nearest", SAID["nearest"][0].replace("n >= 1", "n >= 0")), ("nearest", SAID["nearest"][1].replace("n >= 1", "n >= 0")),
    ("nearest", SAID["nearest"][0].replace("1/2", "1/3")), ("nearest", SAID["nearest"][1].replace("E*n!", "E*n! + 1/2")),
    ("nearest", SAID["nearest"][1].replace("E*n!", "E^2*n!")), ("nearest", SAID["nearest"][0].replace("1/2", "(1/2 + 10^(-200))")),
    ("fixed-point-free", SAID["fixed-point-free"][0].replace("whole n", "n")), ("partitions", SAID["partitions"][0].replace("n >= 1", "n >= 0")),
    ("partitions", SAID["partitions"][0].replace("(k, 0", "(k, 2")),
]  # fmt: skip


def expander(order: int = 4) -> Expander:
    return Expander(Algebra(Domain(), order), {"n": 0}, {}, frozenset({terms.name("n")}))


@pytest.mark.parametrize(("form", "text"), [(form, text) for form in SAID for text in SAID[form]])
def test_what_has_a_name(form: str, text: str) -> None:
    assert set(SAID) == set(FORMS)
    assert apply("known sum", statement=text, form=form).holds


@pytest.mark.parametrize(("form", "text"), WRONG)
def test_what_lacks_a_condition_has_none(form: str, text: str) -> None:
    with pytest.raises(Refused):
        apply("known sum", statement=text, form=form)


@pytest.mark.parametrize("text", [
    "Sum(n!*n^k/(n+k)!, (k, 0, oo)) + Sum(n!/((n-k)!*n^k), (k, 1, n)) = n!*exp(n)/n^n for whole n >= 1",
    "Sum((-1)^(m-k)*binomial(m, k)*k^n, (k, 0, m)) = m!*stirling2(n, m) for whole n >= 1, whole m >= 1",
    "subfactorial(n) = floor(n!/E + 1/2) for whole n >= 1",
])  # fmt: skip
def test_equals_are_put_for_equals(text: str) -> None:
    assert theorem(read_statement(text), True).holds


def test_a_name_tells_what_fails() -> None:
    found = theorem(read_statement("Sum(k^n/k!, (k, 0, oo)) = bell(n)/E for whole n >= 1"), False)
    assert "DLMF 26.7.5" in found.trusts


# --- alternating sums: by exact rational numbers ----------------------------------------------------------


def value(term: terms.Term, n: int) -> mpmath.mpf:
    known = {"harmonic": mpmath.harmonic, "gamma": mpmath.gamma, "factorial": mpmath.factorial, "n": mpmath.mpf(n)}
    known["polygamma"] = lambda m, x: mpmath.polygamma(int(m), x)

    def of(one: terms.Term) -> mpmath.mpf:
        if one.head == "number":
            return mpmath.mpf(int(one.number.numerator)) / int(one.number.denominator)
        if one.head == "name":
            return known[one.name]
        parts = [of(part) for part in one.parts]
        match one.head:
            case "sum":
                return mpmath.fsum(parts)
            case "product":
                return mpmath.fprod(parts)
            case "power":
                return parts[0] ** parts[1]
        return known[one.head](*parts)

    return of(term)


@pytest.mark.parametrize("seed", range(8))
def test_alternating_sums_of_rational_functions(seed: int) -> None:
    draw = random.Random(f"alternating {seed}")
    low = draw.choice((0, 1))
    poles = [
        (draw.choice(("1/2", "1/3", "1", "2", "-1/2", "7/3")), draw.choice((1, 1, 2, 3)))
        for _ in range(draw.choice((1, 2)))
    ]
    poles += [("0", draw.choice((1, 2, 3)))] if low else []
    top = draw.choice(("1", "(2*k + 3)", "(k - 4)^2"))
    text = f"{top}*" + "*".join(f"(k + {x})^(-{m})" for x, m in poles)
    found = alternating.closed(terms.read(f"Sum((-1)^(k + 1)*binomial(n, k)*{text}, (k, {low}, n))"), lambda one: True)
    for n in (5, 8):
        exact = sum(
            (-1) ** (k + 1) * comb(n, k) * {"1": Fraction(1), "(2*k + 3)": Fraction(2 * k + 3), "(k - 4)^2": Fraction((k - 4) ** 2)}[top]
            / mpq_product(k, poles) for k in range(low, n + 1)
        )  # fmt: skip
        with mpmath.workdps(40):
            assert abs(value(found, n) - mpmath.mpf(exact.numerator) / exact.denominator) < mpmath.mpf(10) ** -25


def mpq_product(k: int, poles: list[tuple[str, int]]) -> Fraction:
    found = Fraction(1)
    for x, m in poles:
        found *= (k + Fraction(x)) ** m
    return found


def test_a_polynomial_of_the_degree_n_has_no_difference_0() -> None:
    with pytest.raises(Refused):
        alternating.closed(terms.read("Sum((-1)^k*binomial(n, k)*(k + 1), (k, 0, n))"), lambda one: False)


# --- sums with a peak: at n = 200 within 1/n^2 ----------------------------------------------------------------


def fibonacci(n: int) -> int:
    a, b = 0, 1
    for _ in range(n + 1):
        a, b = b, a + b
    return a


PEAKED = {
    "Sum(binomial(n, k)^3, (k, 0, n))": lambda n: sum(comb(n, k) ** 3 for k in range(n + 1)),
    "Sum(binomial(n, k)^2*binomial(n+k, k)^2, (k, 0, n))": lambda n: sum((comb(n, k) * comb(n + k, k)) ** 2 for k in range(n + 1)),
    "Sum(binomial(n, 2*k)*catalan(k), (k, 0, floor(n/2)))":
        lambda n: sum(comb(n, 2 * k) * comb(2 * k, k) // (k + 1) for k in range(n // 2 + 1)),
    "Sum(binomial(n-k, k), (k, 0, floor(n/2)))": fibonacci,
    "Sum(binomial(n, k)*k^2*2^k/(k+2), (k, 1, n))": lambda n: sum(Fraction(comb(n, k) * 2**k * k * k, k + 2) for k in range(1, n + 1)),
    "Sum(n!/((n-2*k)!*2^k*k!), (k, 0, floor(n/2)))":
        lambda n: sum(factorial(n) // (factorial(n - 2 * k) * 2**k * factorial(k)) for k in range(n // 2 + 1)),
}  # fmt: skip


def by_terms(found: object, n: int) -> float:
    """The logarithm of the sum of the terms of a series in n."""
    algebra, total, scale = Algebra(Domain(), 2), 0.0, None
    for c, g in found.terms:  # type: ignore[attr-defined]
        size = sum(of(algebra, e) * log(n) ** (1 if not d else 0) * (log(log(n)) if d else 1) for (_, d), e in g.powers)
        size += sum(of(algebra, c1) * n ** sum(of(algebra, e) for (_, d), e in h.powers if not d)
                    * log(n) ** sum(of(algebra, e) for (_, d), e in h.powers if d) for c1, h in g.exponent)  # fmt: skip
        scale = size if scale is None else scale
        total += of(algebra, c) * exp(size - scale)
    assert scale is not None
    return scale + log(total)


def of(algebra: Algebra, c: object) -> float:
    from asymp.kernel.rings.ratio import to_term

    def number(one: terms.Term) -> float:
        if one.head == "number":
            return float(one.number)
        if one.head == "name":
            return {"pi": pi, "E": exp(1)}[one.name]
        parts = [number(part) for part in one.parts]
        return {"sum": lambda: sum(parts), "product": lambda: float(mpmath.fprod(parts)), "power": lambda: parts[0] ** parts[1],
                "log": lambda: log(parts[0]), "exp": lambda: exp(parts[0])}[one.head]()  # fmt: skip

    return number(to_term(c))  # type: ignore[arg-type]


@pytest.mark.parametrize("text", PEAKED)
def test_sums_with_a_peak(text: str) -> None:
    found, n = peaked_sums.series_of_peaked(expander(), terms.read(text)), 200
    exact = PEAKED[text](n)
    near = (
        mpmath.log(exact.numerator) - mpmath.log(exact.denominator)
        if isinstance(exact, Fraction)
        else mpmath.log(exact)
    )
    assert abs(float(near) - by_terms(found, n)) < (1 / n if "!" in text else 20 / n**2)


@pytest.mark.parametrize("text", [
    "Sum(binomial(n, k), (k, 0, floor(n/2)))",  # the peak is at the end
    "Sum(binomial(2*k, k)*binomial(2*n-2*k, n-k), (k, 0, n))",  # convex
    "Sum((-1)^k*binomial(n, k), (k, 0, n))", "Sum(binomial(n, k)^(1/2), (k, 0, n))", "Sum(binomial(n, k), (k, 0, n + 1))",
    "Sum(k^n*gamma(k)/k!^3, (k, 0, oo))",  # of which the first term is not defined
    "Sum(binomial(n, k)*2^(-n*k), (k, 0, n))",  # no peak inside
    "Sum(binomial(n, k)/(k - 3), (k, 0, n))", "Sum(binomial(3, k)*2^k, (k, 0, 3))",
])  # fmt: skip
def test_what_has_no_peak_inside_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        peaked_sums.series_of_peaked(expander(2), terms.read(text))


def test_the_peak_has_to_lie_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peaked_sums.Peaked, "_over", lambda self, sigma, term: sigma.__class__((), ()))
    found = peaked_sums.series_of_peaked(expander(2), terms.read("Sum(binomial(n, k), (k, 0, floor(n/2)))"))
    assert len(found.terms) == 1  # 2^n, and the sum is about half of that


@pytest.mark.parametrize(("text", "holds"), [
    ("Sum(n^k/(factorial(k)*factorial(k)), (k, 0, n)) ~ exp(2*sqrt(n))/(2*sqrt(pi)*n^(1/4)) as whole n -> oo", True),  # I_0(2 sqrt(n))
    ("Sum(k^n/2^(k+1), (k, 0, oo)) ~ n!/(2*log(2)^(n+1)) as whole n -> oo", True),
    ("Sum(m!*stirling2(n, m), (m, 0, n)) ~ n!/(2*log(2)^(n+1)) as whole n -> oo", True),
    ("Sum(m!*stirling2(n, m), (m, 0, n)) ~ n!/(2*log(2)^n) as whole n -> oo", False),
    ("Sum(binomial(n, 2*k)*binomial(2*k, k), (k, 0, floor(n/2))) = 3^n*sqrt(3/(4*pi*n))*(1 - 3/(16*n)) + O(3^n/n^(5/2)) "
     "as whole n -> oo", True),
    ("Sum(binomial(n, k)^3, (k, 0, n)) ~ (1 + 10^(-200))*2*8^n/(sqrt(3)*pi*n) as whole n -> oo", False),
    ("Sum(n!/k!, (k, 0, n)) = E*n! - 1/n + O(1/n^2) as whole n -> oo", True),
    ("Sum(binomial(n, k)*k!, (k, 0, n)) = E*n! + O(1/n^2) as whole n -> oo", False),
])  # fmt: skip
def test_statements(text: str, holds: bool) -> None:
    found = theorem(read_statement(text), holds)
    assert found.holds is holds and not any(one.startswith("engine") for one in found.trusts)


# --- dominated sums -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "limit"), [
    ("Sum((k/n)^n, (k, 1, n))", exp(1) / (exp(1) - 1)), ("Sum(binomial(n, k)*n^(-k), (k, 0, n))", exp(1)),
    ("Sum((-1)^k*binomial(n, k)*(2/n)^k*(1 - k/n)^n, (k, 0, n))", exp(-2 / exp(1))),
    ("Sum((1 - k/n)^(3*n)*(k + 1), (k, 0, n))", 1 / (1 - exp(-3)) ** 2),
])  # fmt: skip
def test_dominated_sums(text: str, limit: float) -> None:
    found = series_of_dominated(expander(2), terms.read(text))
    assert len(found.terms) == 1 and abs(of(expander().algebra, found.terms[0][0]) - limit) < 1e-12


@pytest.mark.parametrize("text", [
    "Sum((1 - k/n)^n*4^k, (k, 0, n))",  # 4/e > 1: diverges
    "Sum((1 - k/n)^n*exp(k), (k, 0, n))",  # 1 at the edge
    "Sum(binomial(n, k)*n^(-k), (k, 0, 2*n))",  # beyond n
    "Sum((1 - 2*k/n)^n, (k, 0, n))",  # below 0
    "Sum((1 - k/n)^(1/2), (k, 0, n))", "Sum((1 - k/n)^n/(k - 3), (k, 0, n))", "Sum(binomial(n, k), (k, 0, n))",
])  # fmt: skip
def test_what_is_not_dominated_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        series_of_dominated(expander(2), terms.read(text))


def test_logarithms_in_a_quadratic_field() -> None:
    draw = random.Random("units")
    for _ in range(300):
        a, b, d = draw.randint(-60, 60), draw.randint(-60, 60), draw.choice((2, 3, 5, 6, 7, 13, 21, 44))
        if not a or not b or a + b * sqrt(d) <= 1e-9 or Fraction(a, b).denominator != abs(b):
            continue
        c, k, (u, v) = logarithm_of(a, b, d)
        with mpmath.workdps(30):
            near = mpmath.log(mpmath.mpf(int(c.numerator)) / int(c.denominator)) / 2
            near += mpmath.mpf(int(k.numerator)) / int(k.denominator) * mpmath.log(u + v * mpmath.sqrt(d))
            assert abs(near - mpmath.log(a + b * mpmath.sqrt(d))) < 1e-20
    assert logarithm_of(17, 12, 2) == (mpq(1), mpq(4), (1, 1))
