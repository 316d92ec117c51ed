"""Sums of terms with a rational ratio: values of infinite ones and series of partial ones, against sums that are added up; each
condition of the theorems, where it fails."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from math import comb, factorial

import mpmath as mp
import pytest
from flint import arb, ctx
from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts import ranges
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.recurring_sums import SCALE, parity
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.hypergeometric import total_of
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.rings.recurring import K, counted, step_of
from asymp.kernel.terms import Refused, name, read
from asymp.kernel.theorem import Theorem, apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

PRECISION = 60
POLYNOMIALS = ["1", "k", "(k + 1)", "(2*k + 1)", "1/(k + 1)", "1/(k + 2)", "1/(2*k + 1)", "1/(2*k + 3)", "1/(3*k + 1)", "(k - 2)",
               "k^2", "1/(k + 1)^2", "(k - 1/2)", "1/(2*k - 1)"]  # fmt: skip
FACTORS = ["1", "1/k!", "catalan(k)", "binomial(2*k, k)", "1/(2*k)!", "1/(2*k + 1)!", "binomial(1/2, k)", "binomial(-1/3, k)",
           "binomial(k + 2, 2)", "binomial(2*k + 1, k)", "k!/(k + 2)!", "gamma(k + 1/2)/k!", "gamma(k + 1/3)/gamma(k + 4/3)",
           "factorial2(2*k)/factorial2(2*k + 2)", "1/(k + 2)!", "1/binomial(2*k, k)"]  # fmt: skip
POWERS = ["(1/2)^k", "(-1/3)^k", "8^(-k)", "(-1/5)^k", "exp(-2*k)", "(1/3)^(2*k + 1)", "(-1)^(k + 1)/5^k", "1/5^(k + 1)", "6^(-k)"]


def value_of(text: str, at: Context | None = None) -> str:
    """What an infinite sum is."""
    return str(to_term(total_of(read(text), at or Context())))


def added(body: str, low: int, count: int = 300) -> arb:
    """The sum of so many terms, of which those that follow are less than 2^-60 of all."""
    total = arb(0)
    for k in range(low, low + count):
        total += ranges.ball(counted(terms.opened(read(f"Sum({body}, (k, 0, oo))").parts[0], terms.number(k))), bits=300)
    return total


# --- infinite sums --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_sums_that_are_added_up(seed: int) -> None:
    draw, seen = random.Random(f"values {seed}"), 0
    for _ in range(120):
        low = draw.choice([0, 0, 1, 2, 3])
        parts = [draw.choice(POLYNOMIALS) for _ in range(draw.choice([0, 1, 1, 2]))] + [draw.choice(FACTORS), draw.choice(POWERS)]
        body = "*".join(f"({part})" for part in parts)
        try:
            found = total_of(read(f"Sum({body}, (k, {low}, oo))"), Context())
        except Refused:
            continue
        with ctx.workprec(300):
            gap = ranges.ball(to_term(found), bits=300) - added(body, low)
        assert abs(gap) < arb(2) ** -PRECISION, (body, low, str(to_term(found)))
        seen += 1
    assert seen > 30


@pytest.mark.parametrize(("text", "value"), [
    ("Sum(catalan(k)/4^k, (k, 0, oo))", "2"), ("Sum(catalan(k)/8^k, (k, 0, oo))", "4 - 2*2^(1/2)"),
    ("Sum((-1)^k/(2*k + 1), (k, 0, oo))", "1/4*pi"), ("Sum(1/(k*(k + 1)), (k, 1, oo))", "1"),
    ("Sum(1/((2*k + 1)*(2*k + 2)), (k, 0, oo))", "log(2)"), ("Sum(1/((3*k + 1)*(3*k + 4)), (k, 0, oo))", "1/3"),
    ("Sum(binomial(1/2, k)*(-1)^k, (k, 0, oo))", "0"), ("Sum(binomial(-1/2, k), (k, 0, oo))", "1/2*2^(1/2)"),
    ("Sum(k^3/2^k, (k, 0, oo))", "26"), ("Sum(k^2/k!, (k, 1, oo))", "2*E"), ("Sum((-1)^k/k!, (k, 2, oo))", "exp(-1)"),
    ("Sum((-1)^k*4^k/(2*k)!, (k, 0, oo))", "cos(2)"), ("Sum(1/((2*k + 1)*4^k), (k, 0, oo))", "log(3)"),
    ("Sum(binomial(k, 2)/2^k, (k, 0, oo))", "2"), ("Sum(binomial(-1, k)/2^k, (k, 0, oo))", "2/3"), ("Sum(binomial(-2, k)/3^k, (k, 0, oo))", "9/16"), ("Sum((k - 3)/2^k, (k, 0, oo))", "-4"), ("Sum(1/(k*(k + 1)*(k + 2)), (k, 1, oo))", "1/4"),
])  # fmt: skip
def test_values_that_every_book_has(text: str, value: str) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize("text", [
    "Sum(2^k/k, (k, 1, oo))", "Sum(1/k, (k, 1, oo))", "Sum((-1)^k, (k, 0, oo))", "Sum((-1)^k*k, (k, 0, oo))",
    "Sum(binomial(2*k, k)/4^k, (k, 0, oo))", "Sum(binomial(2*k, k)/3^k, (k, 0, oo))", "Sum(catalan(k)*k/4^k, (k, 0, oo))",
    "Sum(binomial(2*k, k)*k*(-1/4)^k, (k, 0, oo))", "Sum((-1)^k*(k + 1)/(k + 2), (k, 0, oo))", "Sum(k!/3^k, (k, 0, oo))",
    "Sum((k + 1)/(k*(k + 2)), (k, 1, oo))", "Sum(1/((k + 1/2)*(k + 1)^0), (k, 0, oo))",
])  # fmt: skip
def test_what_diverges_has_no_value(text: str) -> None:
    with pytest.raises(Refused):
        value_of(text)


@pytest.mark.parametrize("text", [
    "Sum(1/(k - 2), (k, 0, oo))", "Sum(1/(k*2^k), (k, 0, oo))", "Sum((k - 3)!/2^k, (k, 0, oo))", "Sum(binomial(2, k)/2^k, (k, 0, oo))",
    "Sum(binomial(k + 1/2, 2)/2^k, (k, 0, oo))", "Sum(1/k^2, (k, 1, oo))", "Sum(1/((k + 1)^2*2^k), (k, 0, oo))", "Sum(0^k, (k, 0, oo))",
    "Sum((-2)^(-k/2), (k, 0, oo))", "Sum(1/2^k, (k, 1/2, oo))", "Sum(1/2^k, (k, 0, 5))", "Sum(1/2^(k^2), (k, 0, oo))",
    "Sum(gamma(k - 1/2)/k!/2^k, (k, -3, oo))",
])  # fmt: skip
def test_other_sums_and_such_as_have_an_undefined_term_have_none(text: str) -> None:
    with pytest.raises(Refused):
        value_of(text)


def test_a_parameter_is_to_be_seen_inside() -> None:
    inside, outside, both = (Context(pairs=tuple((read(a), "<", read(b)) for a, b in pairs)) for pairs in (
        [("0", "x"), ("x", "1/4")], [("0", "x"), ("x", "1/2")], [("-1/4", "x"), ("x", "1/4")]))  # fmt: skip
    text = "Sum(binomial(2*k, k)*x^k, (k, 0, oo))"
    assert inside.value(read(f"{text} - 1/sqrt(1 - 4*x)")).is_zero
    for at in (outside, both):  # at x = 1/3 it diverges; at x = 0 it begins with 0^0
        with pytest.raises(Refused):
            at.value(read(text))


TRUE = ["Sum(catalan(k)/8^k, (k, 0, oo)) = 4 - 2*sqrt(2)", "Sum(x^k/k, (k, 1, oo)) = -log(1 - x) for 0 < x < 1",
        "Sum(k*p*(1 - p)^(k - 1), (k, 1, oo)) = 1/p for 0 < p < 1", "Sum(1/(2*k + 1)!, (k, 0, oo)) = (E - 1/E)/2*sinh(1)*2/(E - 1/E)",
        "Sum(binomial(2*k, k)*x^k, (k, 0, oo)) = 1/sqrt(1 - 4*x) for 0 < x < 1/4"]  # fmt: skip


@pytest.mark.parametrize("text", TRUE)
def test_mutants_of_values_are_not_upheld(text: str) -> None:
    assert apply("algebra", statement=text).holds
    left, right = text.split(" = ")
    for other in (f"{left} = (1 + 10^(-200))*({right.replace(' for', ') for') if ' for' in right else right + ')'}", f"{left} = -{right}"):
        with pytest.raises(Refused):
            apply("algebra", statement=other)


# --- trees --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", ["1/7", "1/3", "1/2"])
@pytest.mark.parametrize("j", range(-1, 6))
@pytest.mark.parametrize("low", [1, 3])
def test_sums_of_trees_are_those_that_are_added_up(a: str, j: int, low: int) -> None:
    body = f"k^(k - 1 + {j})*({a})^k*exp(-k*{a})/k!"
    found = Context().value(read(f"Sum({body}, (k, {low}, oo))"))
    with ctx.workprec(300):
        gap = ranges.ball(to_term(found), bits=300) - added(body, low, 400)
    assert abs(gap) < arb(2) ** -PRECISION


BUSY = ["Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1 for 0 < a <= 1", "Sum(k*exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1/(1 - a) for 0 < a < 1",
        "Sum(k^2*exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1/(1 - a)^3 for 0 < a < 1", "Sum(k^(k - 2)*exp(-k)/k!, (k, 1, oo)) = 1/2",
        "Sum(k^(k - 1)*exp(-k/2)/2^k/(k - 1)!, (k, 2, oo)) = 1 - exp(-1/2)/2"]  # fmt: skip


@pytest.mark.parametrize("text", BUSY)
def test_busy_periods(text: str) -> None:
    assert apply("algebra", statement=text).holds
    left, right = text.split(" = ")
    for other in (f"{left} = (1 + 10^(-200))*({right.replace(' for', ') for') if ' for' in right else right + ')'}", f"{left} = -{right}"):
        with pytest.raises(Refused):
            apply("algebra", statement=other)


@pytest.mark.parametrize("text", [
    "Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1 for 0 < a <= 2", "Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1 for a > 1",
    "Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 0, oo)) = 1 for 0 < a <= 1", "Sum(k^k*exp(-k)/k!, (k, 1, oo)) = 1",
    "Sum(exp(-a*k)*(a*k)^(k - 1)/k!, (k, 1, oo)) = 1 for -1/4 < a < 1", "Sum(exp(-a*k)*(a*k)^(k - 1)/k!^2, (k, 1, oo)) = 1 for 0 < a < 1",
    "Sum(exp(-a*k)*(b*k)^(k - 1)/k!, (k, 1, oo)) = 1 for 0 < a < 1, 0 < b < 1", "Sum(k^(2*k - 1)*exp(-k)/k!, (k, 1, oo)) = 1",
    "Sum((k + 1)^(k - 1)*exp(-k)/k!, (k, 1, oo)) = 1", "Sum(k^(k - 3)*exp(-k)/k!, (k, 1, oo)) = 1",
    "Sum(exp(-2*k)*2^k*k^(k - 1)/k!, (k, 1, oo)) = 2",
])  # fmt: skip
def test_other_sums_are_not_of_trees(text: str) -> None:
    with pytest.raises(Refused):
        apply("algebra", statement=text)


# --- ratios -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [*FACTORS, "k!/2^k*(3*k - 2)", "(k + 1/2)^2/(2*k + 7)!", "factorial2(4*k + 3)", "binomial(-1, k)",
                                  "binomial(-2, k)", "binomial(-1, k + 2)", "binomial(-1/2, k + 1)", "binomial(k + 3, k)", "factorial2(2*k - 1)",
                                  "catalan(2*k)/catalan(k + 1)", "gamma(2*k + 1/3)/(3*k + 1)!", "binomial(3*k, k)*(k + 2)/(k + 1)"])  # fmt: skip
def test_ratios_are_those_of_terms(body: str) -> None:
    f = terms.opened(read(f"Sum({body}, (k, 0, oo))").parts[0], K)
    step = step_of(f, Context())
    for k in range(int(max(step.least, mpq(0))), 12):
        one, other = (ranges.ball(counted(terms.substitute(f, {K.name: terms.number(j)})), bits=200) for j in (k, k + 1))
        assert (one * ranges.ball(step.ratio(terms.number(k)), bits=200)).overlaps(other) and not one.contains(0)


# --- partial sums and tails -----------------------------------------------------------------------------------


def series(text: str, order: int) -> Series:
    """The series of a term in n."""
    return Expander(Algebra(Domain(), order), {"n": 0}, {}, frozenset({name("n")})).series(read(text))


def growth_at(g: Growth, n: arb) -> arb:
    """The value of a growth."""
    found = arb(0)
    for (_, depth), e in g.powers:
        x = n
        for _ in range(depth):
            x = x.log()
        found += ranges.ball(to_term(e), bits=ctx.prec) * x.log()
    for c, h in g.exponent:
        found += ranges.ball(to_term(c), bits=ctx.prec) * growth_at(h, n)
    return found.exp()


def mpf(text: str) -> object:
    """A function of k in mpmath."""
    code = re.sub(r"(?<![\w.])(\d+)", r"mpf(\1)", re.sub(r"(\w+|\([^()]*\))!", r"factorial(\1)", text).replace("^", "**"))
    known = {"mpf": mp.mpf, "factorial": mp.factorial, "binomial": mp.binomial, "exp": mp.exp, "gamma": mp.gamma,
             "catalan": lambda k: mp.binomial(2 * k, k) / (k + 1)}  # fmt: skip
    return lambda k: eval(code, known, {"k": mp.mpf(k)})


PARTIAL = ["1/k!", "1/(k!*2^k)", "1/(3^k*(k + 1))", "catalan(k)/8^k", "k!", "2^k/(k + 1)", "binomial(2*k, k)", "2^k*(k + 2)/(k + 1)", "k!*(k + 1)/3^k",
           "catalan(k)/4^k", "1/((k + 1)*(k + 2))", "1/(2*k + 1)!"]  # fmt: skip


@pytest.mark.parametrize("body", PARTIAL)
@pytest.mark.parametrize("order", [2, 4])
def test_partial_sums_lie_within_a_constant_times_the_remainder(body: str, order: int) -> None:
    found = series(f"Sum({body}, (k, 0, n))", order)
    assert found.rest
    shares = []
    with mp.workdps(1500), ctx.workdps(1500):
        f, total = mpf(body), mp.mpf(0)
        for n in range(241):
            total += f(n)
            if n in (30, 60, 120, 240):
                told = sum((ranges.ball(to_term(c), bits=ctx.prec) * growth_at(g, arb(n)) for c, g in found.terms), arb(0))
                gap = abs(arb(mp.nstr(total, 1450)) - told)
                shares.append(float(gap / sum((growth_at(g, arb(n)) for g in found.rest), arb(0))))
    assert max(shares) < 1000 and shares[-1] < 1.2 * shares[-2], shares


def test_tails() -> None:
    for body, ratio in {"1/binomial(2*k, k)": "4/3", "1/k!": "1", "(1/2)^k*k": "2", "k/3^k": "3/2"}.items():
        f = body.replace("k", "n")
        found = series(f"Sum({body}, (k, n, oo))/({f})", 3)
        (c, g), *_ = found.terms
        assert str(to_term(c)) == ratio and not g.powers and not g.exponent


@pytest.mark.parametrize("text", [
    "Sum(1/(k + n), (k, 1, oo))", "Sum(1/(k!*n^k), (k, 0, n + 1/2))", "Sum(binomial(2*k, k)/4^k*(-1)^k*k, (k, 0, n))",
    "Sum(k!, (k, n, oo))", "Sum(1/(k - 3)/k!, (k, 0, n))", "Sum((k - 3)!, (k, 0, n))",
    "Sum(1/k!, (k, n, n/2))", "Sum(1/k^(1/2)/k!, (k, 1, n))",
])  # fmt: skip
def test_other_partial_sums_have_no_series(text: str) -> None:
    with pytest.raises(Refused):
        series(text, 3)


HOLDS = [
    "Sum((k + 1/3)/((k + 1)*(k + 2/3)), (k, 0, n)) ~ log(n)",
    "Sum(1/k!, (k, 0, n)) = E - 1/(n + 1)! + O(1/(n + 2)!)", "Sum((-1)^k/k, (k, 1, n)) = -log(2) + (-1)^n/(2*n) + O(1/n^2)",
    "n!*Sum((-1)^k/k!, (k, 0, n)) = n!/E + O(1/n)", "n!*Sum((-1)^k/k!, (k, 0, n)) = n!/E + (-1)^n/n + O(1/n^2)",
    "Sum(k!, (k, 0, n)) = n! + (n - 1)! + O((n - 2)!)", "Sum(catalan(k)/4^k, (k, 0, n)) = 2 - 2/sqrt(pi*n) + O(n^(-3/2))",
    "Sum(binomial(2*k, k)/4^k, (k, 0, n)) ~ 2*sqrt(n/pi)", "Sum((-1)^k/(2*k + 1), (k, 0, 2*n)) = pi/4 + 1/(8*n) + O(1/n^2)",
]  # fmt: skip
FAILS = [
    "Sum((k + 1/3)/((k + 1)*(k + 2/3)), (k, 0, n)) ~ 2*log(n)",
    "Sum(1/k!, (k, 0, n)) = E - (1 + 10^(-200))/(n + 1)! + O(1/(n + 2)!)", "Sum(1/k!, (k, 0, n)) = E + 1/(n + 1)! + O(1/(n + 2)!)",
    "Sum(1/k!, (k, 0, n)) = (1 + 10^(-200))*E + O(1/n)", "Sum((-1)^k/k, (k, 1, n)) = -log(2) - (-1)^n/(2*n) + O(1/n^2)",
    "Sum((-1)^k/k, (k, 1, n)) = -log(2) + O(1/n^2)", "n!*Sum((-1)^k/k!, (k, 0, n)) = n!/E - (-1)^n/n + O(1/n^2)",
    "n!*Sum((-1)^k/k!, (k, 0, n)) = n!/E + O(1/n^2)", "n!*Sum((-1)^k/k!, (k, 0, n)) = n!/(E + 10^(-200)) + O(1/n)",
    "Sum(k!, (k, 0, n)) = n! + (1 + 10^(-200))*(n - 1)! + O((n - 2)!)", "Sum(binomial(2*k, k)/4^k, (k, 0, n)) ~ (2 + 10^(-200))*sqrt(n/pi)",
    "Sum((-1)^k/(2*k + 1), (k, 0, 2*n)) = pi/4 - 1/(8*n) + O(1/n^2)",
]  # fmt: skip


def decided(text: str, holds: bool) -> Theorem:
    """A theorem about a statement of a whole n."""
    return theorem(read_statement(f"{text} as whole n -> oo"), holds)


@pytest.mark.parametrize("text", HOLDS)
def test_statements_of_partial_sums_hold(text: str) -> None:
    found = decided(text, True)
    assert found.holds and not any(leaf.startswith("engine") for leaf in found.trusts)


@pytest.mark.parametrize("text", FAILS)
def test_mutants_of_partial_sums_fail(text: str) -> None:
    assert not decided(text, False).holds
    with pytest.raises(Refused):
        decided(text, True)


WITHIN = [
    "Sum(1/k!, (k, 0, n)) < E for whole n >= 1", "E - Sum(1/k!, (k, 0, n)) <= 1/(n*n!) for whole n >= 1",
    "E - Sum(1/k!, (k, 0, n)) < 1/n! for whole n >= 1", "1/(n + 1)! < E - Sum(1/k!, (k, 0, n)) < 1/(n*n!) for whole n >= 1",
    "Sum(catalan(k)/8^k, (k, 0, n)) < 4 - 2*sqrt(2) for whole n >= 1", "log(2) - Sum(1/2^k/k, (k, 1, n)) < 1/((n + 1)*2^n) for whole n >= 1",
    "Sum((-1)^k/k!, (k, 0, 2*n)) > 1/E for whole n >= 1",
]  # fmt: skip
BEYOND = [
    "Sum(1/k!, (k, 0, n)) < E - 10^(-200) for whole n >= 1", "E - Sum(1/k!, (k, 0, n)) <= 1/((n + 1)*n!) for whole n >= 1",
    "E - Sum(1/k!, (k, 0, n)) < 1/(2*n!) for whole n >= 1", "Sum(catalan(k)/8^k, (k, 0, n)) < 4 - (2 + 10^(-200))*sqrt(2) for whole n >= 1",
    "log(2) - Sum(1/2^k/k, (k, 1, n)) < 1/((n + 2)*2^n) for whole n >= 1", "Sum((-1)^k/k!, (k, 0, 2*n + 1)) > 1/E for whole n >= 1",
]  # fmt: skip


@pytest.mark.parametrize("text", WITHIN)
def test_partial_sums_lie_within_bounds_for_all_n(text: str) -> None:
    assert theorem(read_statement(text), True).holds


@pytest.mark.parametrize("text", BEYOND)
def test_mutants_of_bounds_are_not_upheld(text: str) -> None:
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


def test_even_and_odd() -> None:
    draw = random.Random("parity")
    n, m = name("n"), name("m")
    for _ in range(300):
        parts = [f"{draw.randint(-4, 4)}*{draw.choice(['n', 'm', 'n*m', '1', '(n + 1)', '(2*m + 1)'])}" for _ in range(3)]
        term = read(" + ".join(parts).replace("+ -", "- "))
        told = parity(term, {n, m})
        if told is not None:
            for a in range(4):
                value = counted(terms.substitute(term, {"n": terms.number(a), "m": terms.number(a * a + 1)}))
                assert Fraction(int(ranges.ball(value, bits=60).unique_fmpz())) % 2 == told
    assert parity(read("2*x"), {n}) is None and parity(read("n*x*2"), {n}) is None and SCALE < -1


def test_factorials_of_numbers() -> None:
    assert counted(read("catalan(5) + binomial(7, 3) + 6!")) == terms.number(comb(10, 5) // 6 + 35 + factorial(6))
    for text in ("binomial(2, n)", "factorial(-1)", "catalan(1/2)", "binomial(3, -1)"):
        assert counted(read(text)) == read(text)
