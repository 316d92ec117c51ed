"""Sums of binomials and factorials: closed forms and recurrences are theorems, and what is next to them is none."""

from __future__ import annotations

from functools import partial
from time import process_time

import pytest

import asymp.kernel.records  # noqa: F401  all rules
from asymp.check.ask import ask
from asymp.enclosure import enclose
from asymp.kernel.terms import Refused, read
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove import first, recurrences, sums
from asymp.prove.claims import theorem

SECONDS = 5
"""Of a processor, for one identity."""
FRANEL = "(n + 2)^2*Sum(binomial(n + 2, k)^3, (k, 0, n + 2)) = {} + 8*(n + 1)^2*Sum(binomial(n, k)^3, (k, 0, {})) for whole n >= {}"
NEXT = "(7*n^2 + 21*n + {})*Sum(binomial(n + 1, k)^3, (k, 0, n + 1))"
APERY = "binomial({0}, k)^2*binomial({0} + k, k)^2, (k, 0, {0})"
IDENTITIES = [
    "Sum(binomial(n, k), (k, 0, n)) = 2^n for whole n >= 0",
    "Sum(binomial(n, k)^2, (k, 0, n)) = binomial(2*n, n) for whole n >= 0",
    "Sum(binomial(n, k)*(-1)^k/k, (k, 1, n)) = -harmonic(n) for whole n >= 1",
    "Sum(binomial(n, k)*(-1)^k/k, (k, 1, n)) = -harmonic(n) for whole n >= 0",  # an empty sum at first
    "Sum(binomial(a, k)*binomial(b, n - k), (k, 0, n)) = binomial(a + b, n) for whole a >= 0, whole b >= 0, whole n >= 0",
    "Sum(binomial(a, k)*binomial(b, n - k), (k, 0, n)) = binomial(a + b, n) for real a, real b, whole n >= 0",
    "Sum((-1)^k*binomial(2*n, k)^3, (k, 0, 2*n)) = (-1)^n*(3*n)!/n!^3 for whole n >= 0",
    "Sum(k*binomial(n, k), (k, 0, n)) = n*2^(n - 1) for whole n >= 0",
    "Sum(k^2*binomial(n, k), (k, 0, n)) = n*(n + 1)*2^(n - 2) for whole n >= 0",
    "Sum(binomial(n + k, k)/2^k, (k, 0, n)) = 2^n for whole n >= 0",
    "Sum((-1)^k*binomial(n, k)*binomial(2*k, k)*4^(-k), (k, 0, n)) = binomial(2*n, n)/4^n for whole n >= 0",
    "Sum(binomial(n, k)*x^k*y^(n - k), (k, 0, n)) = (x + y)^n for whole n >= 0, x > 0, y > 0",
    "Sum(k*binomial(n, k)*p^k*(1 - p)^(n - k), (k, 0, n)) = n*p for whole n >= 0, 0 < p < 1",
    "Sum((-1)^k*binomial(n, k), (k, 0, n)) = 0 for whole n >= 1",
    "Sum(k*k!, (k, 1, n)) = (n + 1)! - 1 for whole n >= 0",
    "Sum(binomial(k, m), (k, m, n)) = binomial(n + 1, m + 1) for whole m >= 0, whole n >= m",
    "Sum(binomial(2*k, k)*binomial(2*n - 2*k, n - k), (k, 0, n)) = 4^n for whole n >= 0",
    "Sum(catalan(k)*catalan(n - k), (k, 0, n)) = catalan(n + 1) for whole n >= 0",
    "Sum(binomial(n, k)^2*binomial(n + k, k), (k, 0, n)) = Sum((-1)^(n + k)*binomial(n, k)*binomial(n + k, k)^2, (k, 0, n))"
    " for whole n >= 0",
    "Sum(1/(k*(k + 1)*(k + 2)), (k, 1, oo)) = 1/4",
    "Sum(k/(k + 1)!, (k, 1, oo)) = 1",
    "Sum((-1)^k/2^k, (k, 0, oo)) = 2/3",
    "Sum((-1)^k*k, (k, 1, n)) = ((-1)^n*(2*n + 1) - 1)/4 for whole n >= 0",
    FRANEL.format(NEXT.format(16), "n", 0),
    f"(n + 2)^3*Sum({APERY.format('(n + 2)')}) = (2*n + 3)*(17*n^2 + 51*n + 39)*Sum({APERY.format('(n + 1)')})"
    f" - (n + 1)^3*Sum({APERY.format('n')}) for whole n >= 0",
]
FALSE = [
    "Sum(binomial(n, k)^2, (k, 0, n)) = binomial(2*n, n)*(1 + 10^(-200)) for whole n >= 0",
    "Sum(binomial(n, k)^2, (k, 0, n)) = binomial(2*n, n) + 10^(-200) for whole n >= 0",
    "Sum(binomial(n, k)^2, (k, 0, n - 1)) = binomial(2*n, n) for whole n >= 1",
    "Sum(binomial(n, k)^2, (k, 1, n)) = binomial(2*n, n) for whole n >= 1",
    "Sum(binomial(n, k)^2, (k, 0, n + 1)) = binomial(2*n, n) + 1 for whole n >= 0",  # its last binomial is 0
    "Sum((-1)^k*binomial(n, k), (k, 0, n)) = 0 for whole n >= 0",  # 1 at n = 0
    "Sum((-1)^k*binomial(n, k), (k, 0, n - 1)) = 0 for whole n >= 1",
    "Sum((-1)^(k + 1)*binomial(n, k)/k, (k, 1, n)) = -harmonic(n) for whole n >= 1",
    "Sum((-1)^(k*n)*binomial(n, k)/k, (k, 1, n)) = harmonic(n) for whole n >= 1",
    "Sum((-1)^k*binomial(n, k)/k, (k, 1, n)) = 10^(-300) - harmonic(n) for whole n >= 1",
    "Sum(binomial(a, k)*binomial(b, n - k), (k, 0, n)) = binomial(a - b, n) for real a, real b, whole n >= 0",
    "Sum(binomial(a, k)*binomial(b, n - k), (k, 1, n)) = binomial(a + b, n) for real a, real b, whole n >= 0",
    "Sum((-1)^k*binomial(2*n, k)^3, (k, 0, 2*n)) = (3*n)!/n!^3 for whole n >= 0",
    "Sum((-1)^k*binomial(2*n, k)^3, (k, 0, 2*n - 1)) = (-1)^n*(3*n)!/n!^3 for whole n >= 1",
    "Sum(binomial(n + k, k)/2^k, (k, 0, n + 1)) = 2^n for whole n >= 0",
    "Sum(1/(k - 3), (k, 1, n)) = 0 for whole n >= 1",  # a pole
    "Sum(1/(k*(k + 1)*(k + 2)), (k, 1, oo)) = 1/4 + 10^(-200)",
    "Sum(1/(k*(k + 1)*(k + 2)), (k, 2, oo)) = 1/4",
    "Sum((-1)^k, (k, 0, oo)) = 1/2",
    "Sum(2^k, (k, 0, oo)) = -1",
    "Sum((-1)^k*k/2^k, (k, 0, oo)) = 2",
    FRANEL.format(NEXT.format(16) + " + 10^(-200)", "n", 0),
    FRANEL.format(NEXT.format(16), "n - 1", 1),
    FRANEL.format(NEXT.format(17), "n", 0),
]


def plainly(statement):
    """Proofs of what has no sums any more, and of the first values."""
    ways = [lambda one: apply("sums", statement=str(one), by=[]), sums.holds]
    return first(partial(way, statement) for way in ways)


@pytest.mark.parametrize("text", IDENTITIES)
def test_identities_are_theorems(text):
    begun = process_time()
    assert theorem(read_statement(text), True).holds
    assert process_time() - begun < SECONDS


@pytest.mark.parametrize("text", FALSE)
def test_what_is_next_to_an_identity_is_no_theorem(text):
    """The search is asked at once: no point where the statement fails is looked at first."""
    with pytest.raises(Refused):
        recurrences.holds(read_statement(text), plainly)


def test_identities_next_to_others_are_refuted():
    text = "Sum(binomial(n, k)^2, (k, 0, n)) = binomial(2*n, n)*(1 + 10^(-200)) for whole n >= 0"
    assert not theorem(read_statement(text), False).holds


# --- powers of -1 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "(-1)^(n^2) = (-1)^n for whole n >= 0",
    "(-1)^(2*n) = 1 for whole n >= 0",
    "1/(-1)^n = (-1)^n for whole n >= 0",
    "(-2)^(2*n + 1) = -2*4^n for whole n >= 0",
    "(-1)^(n*m)*(-1)^(n*m) = 1 for whole n >= 0, whole m >= 0",
    "(-x)^n = (-1)^n*x^n for x > 0, whole n >= 0",
    "1/((-1)^n*(n + 1)) = (-1)^n/(n + 1) for whole n >= 0",
])  # fmt: skip
def test_powers_of_negative_numbers(text):
    assert plainly(read_statement(text)).holds


@pytest.mark.parametrize("text", [
    "(-1)^n = 1 for whole n >= 0",
    "(-1)^(n*m) = (-1)^n for whole n >= 0, whole m >= 1",
    "(-1)^(n + 1) = (-1)^n for whole n >= 0",
    "(-1)^(n^2 + n*m) = (-1)^n for whole n >= 0, whole m >= 0",
    "(-1)^x*(-1)^x = 1 for real x",  # no real number
    "(-1)^(n/2)*(-1)^(n/2) = (-1)^n for whole n >= 0",
    "(-1)^n >= 0 for whole n >= 0",
    "(-1)^n < 1 for whole n >= 0",
    "Sum((-1)^k, (k, 1, oo)) = Sum((-1)^k, (k, 1, oo))",  # it does not converge
    "Sum((-2)^k, (k, 1, oo)) <= 0",
    "log((-1)^n) = 0 for whole n >= 0",
])  # fmt: skip
def test_what_is_not_known_of_powers_of_negative_numbers(text):
    with pytest.raises(Refused):
        apply("sums", statement=text, by=[])


# --- binomials by falling products --------------------------------------------------------------------


@pytest.mark.parametrize("text", [
    "binomial(n, k + 1)*(k + 1) = binomial(n, k)*(n - k) for whole n >= 0, whole k >= 0",
    "binomial(x, 2) = x*(x - 1)/2 for real x",
    "binomial(x, 0) = 1 for real x",
    "catalan(n)*(n + 1)*n!^2 = (2*n)! for whole n >= 0",
])  # fmt: skip
def test_binomials_that_may_be_0(text):
    assert apply("sums", statement=text, by=[]).holds


@pytest.mark.parametrize("text", [
    "binomial(n, k) = n!/(k!*(n - k)!) for whole n >= 0, whole k >= 0",
    "binomial(n, k) > 0 for whole n >= 0, whole k >= 0",
    "binomial(n, k)/binomial(n, k) = 1 for whole n >= 0, whole k >= 0",
    "binomial(x, k + 1)/binomial(x, k) = (x - k)/(k + 1) for real x, whole k >= 0",
    "binomial(x, y + 1)*(y + 1) = binomial(x, y)*(x - y) for real x, real y",
])  # fmt: skip
def test_binomials_that_may_be_0_are_not_divided_by(text):
    with pytest.raises(Refused):
        apply("sums", statement=text, by=[])


# --- the rules -----------------------------------------------------------------------------------------


def limit(text):
    along = {"place": {"scales": {"s": "k"}, "values": {"k": "s"}}, "runner": "m", "values": {"k": "m"}}
    return apply("asymptotic", statement=text, order=2, **along)


def test_a_series_is_the_limit_of_its_sums():
    half = "Sum(1/(k*(k + 1)), (k, 1, oo)) = 1"
    shifted = limit("5 - 1/k -> 5 as whole k -> oo")
    assert apply("series", [shifted], statement=half, variable="k", by="5 - 1/k").holds
    for premises, text, by in (
        ([limit("-1/k -> 0 as whole k -> oo")], half, "5 - 1/k"),  # the limit of something else
        ([shifted], half, "-1/k"),
        ([], half, "-1/k"),
        ([shifted], "Sum(1/(k*(k + 1)), (k, 1, n)) = 1 for whole n >= 1", "5 - 1/k"),  # a finite sum
        ([shifted], "Sum(1/(k*(k + 1)), (k, 0, oo)) = 1", "5 - 1/k"),  # a pole at the first
        ([shifted], "Sum(1/(k*(k + 1)), (k, -1, oo)) = 1", "5 - 1/k"),  # and inside
        ([shifted], "Sum(1/(k*(k + 1)), (k, 1/2, oo)) = 1", "5 - 1/k"),
        ([limit("1/k - 1/k^2 -> 0 as whole k -> oo")], half, "1/k - 1/k^2"),  # not the difference
        ([limit("k + 1/k -> oo as whole k -> oo")], half, "k + 1/k"),  # no limit
    ):
        with pytest.raises(Refused):
            apply("series", premises, statement=text, variable="k", by=by)


def recurring(goal, by, *parts):
    return apply("recurrence", [apply("sums", statement=one, by=[]) for one in parts], statement=goal, variable="n", by=by)


def test_a_recurrence_with_its_first_values():
    goal = "Sum(k*k!, (k, 0, n)) = (n + 1)! - 1 for whole n >= 0"
    base = "Sum(k*k!, (k, 0, 0)) = (0 + 1)! - 1"
    one = "-1*Sum(k*k!, (k, 0, n)) + Sum(k*k!, (k, 0, n + 1)) = -1*((n + 1)! - 1) + (n + 1 + 1)! - 1 for whole n >= 0"
    assert recurring(goal, ["-1", "1"], base, one).holds
    for text, by, parts in (
        (goal, ["-1", "1"], (one,)),  # no first value
        (goal, ["-1", "1"], (base, base, one)),
        (goal, ["1", "1"], (base, one)),  # another recurrence
        (goal, ["-1", "1", "0"], (base, base, one)),
        (goal.replace(">= 0", ">= 1"), ["-1", "1"], (base, one)),  # the value of another place
        (goal.replace("whole n >= 0", "whole n >= 0, n <= 9"), ["-1", "1"], (base, one)),
        (goal.replace("=", "<=", 1), ["-1", "1"], (base, one)),
    ):
        with pytest.raises(Refused):
            recurring(text, by, *parts)


def test_the_last_factor_of_a_recurrence_is_nowhere_0():
    """n - 3 is 0 at 3: of f(4) the recurrence says nothing."""
    base, goal = "0 = 0", "n = n for whole n >= 0"
    step = "-1*(n - 3)*n + (n - 3)*(n + 1) = -1*(n - 3)*n + (n - 3)*(n + 1) for whole n >= 0"
    with pytest.raises(Refused, match="may be 0"):
        recurring(goal, ["-1*(n - 3)", "n - 3"], base, step)


def test_what_telescopes_has_no_pole_in_its_range():
    good = "Sum(binomial(n + 1, k)^2*(n + 1) - 2*(2*n + 1)*binomial(n, k)^2, (k, 0, {})) = -(n + 1) for whole n >= 0"
    by = "-k^2*(3*n + 3 - 2*k)/(n + 1 - k)^2*binomial(n, k)^2"
    assert apply("partial sum", statement=good.format("n"), variable="k", by=by).holds
    with pytest.raises(Refused):  # the certificate has a pole at k = n + 1
        apply("partial sum", statement=good.format("n + 1"), variable="k", by=by)


# --- elsewhere ----------------------------------------------------------------------------------------


def test_a_sum_about_a_peak_at_a_huge_place():
    """2/(3^(1/2) pi), by Franel's recurrence; n = 10^1000 took minutes, or ended in nothing."""
    begun = process_time()
    found = enclose(read("Sum(binomial(n, k)^3, (k, 0, n))/8^n*n"), {"n": 10**1000}, digits=30)
    assert str(found.value).startswith("0.36755259694786136634088433220")
    assert process_time() - begun < SECONDS


def test_a_variable_that_tends_to_a_number_has_a_path():
    """That was an IndexError."""
    verdict = ask("Sum(lam^(2^k - 1), (k, 1, oo)) ~ log(1/(1 - lam))/log(2)", to="lam -> 1-")
    assert verdict.outcome.value == "holds" and "Error" not in verdict.reason
