"""Inequalities of textbooks: theorems, and none for what is false by little.  Each false one is said to be so, with why."""

from __future__ import annotations

import pytest

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import Refused, read
from asymp.kernel.theorem import apply, certificate, proves, replay
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

TRUE = """
Sum(1/k^2, (k, 1, n)) < 2 for whole n >= 1
Sum(1/k^2, (k, 1, n)) <= 1.645 for whole n >= 1
Sum(1/k^3, (k, 1, n)) < 5/4 for whole n >= 1
Sum(1/(k*(k + 1)), (k, 1, n)) < 1 for whole n >= 1
Sum(1/(k^2 + 1), (k, 1, n)) < 11/10 for whole n >= 4
Sum(1/k!, (k, 0, n)) < 3 for whole n >= 0
Sum(2^k/k!, (k, 0, n)) < 8 for whole n >= 0
n! <= n^n for whole n >= 1
n! < 2*n^n for whole n >= 1
n! >= (n/exp(1))^n for whole n >= 1
n! >= 2^(n - 1) for whole n >= 1
n^(1/n) <= 3/2 for whole n >= 1
binomial(2*n, n) <= 4^n for whole n >= 0
binomial(2*n, n) >= 4^n/(2*n + 1) for whole n >= 0
binomial(n + 1, k + 1) = binomial(n, k) + binomial(n, k + 1) for whole n, whole k, 0 <= k <= n - 1
x^x >= exp(-1/exp(1)) for x > 0
x*log(x) >= -1/exp(1) for x > 0
log(x) <= sqrt(x) for x > 0
log(x) <= 2/exp(1)*sqrt(x) for x > 0
log(x)/x <= 1/exp(1) for x > 0
-p*log(p) - (1 - p)*log(1 - p) <= log(2) for 0 < p < 1
(a + b)/2 >= sqrt(a*b) for a > 0, b > 0
a^2 + b^2 + c^2 >= a*b + b*c + c*a
(a*c + b*d)^2 <= (a^2 + b^2)*(c^2 + d^2)
x^2 + x + 1 > 0
rho + 1/rho >= 2 for rho > 0
sin(x) <= x for x >= 0
cos(x) >= 1 - x^2/2 for x >= 0
sin(x) >= x - x^3/6 for x >= 0
(2 + cos(n))*n >= n for n >= 1
sin(x) + cos(y) <= 2
""".strip().splitlines()

FALSE = """
Sum(1/k^2, (k, 1, n)) <= 1.6449 for whole n >= 1: pi^2/6 is more, from n = 30,000 on
Sum(1/(k*(k + 1)), (k, 1, n)) < 1 - 10^(-30) for whole n >= 1: it tends to 1
Sum(1/k!, (k, 0, n)) < exp(1) - 10^(-20) for whole n >= 0: it tends to e
Sum(1/k^2, (k, 1, n)) < 1 for whole n >= 1: at n = 1 it is 1
n! <= n^n*(1 - 10^(-30)) for whole n >= 1: at n = 1 both are 1
n! >= (n/exp(1))^n*(1 + 2*n) for whole n >= 1: sqrt(2 pi n) is less from some n on
n! >= 2^(n - 1)*(1 + 10^(-30)) for whole n >= 1: at n = 1
n^(1/n) <= exp(1/exp(1)) - 10^(-2) for whole n >= 1: at n = 3
binomial(2*n, n) <= 4^n*(1 - 10^(-30)) for whole n >= 0: at n = 0
binomial(2*n, n) >= 4^n/(n + 1) for whole n >= 4, n <= 1: nothing is said
x*log(x) >= -1/exp(1) + 10^(-30) for x > 0: at x = 1/e
log(x) <= 2/exp(1)*sqrt(x)*(1 - 10^(-30)) for x > 0: at x = e^2
-p*log(p) - (1 - p)*log(1 - p) <= log(2)*(1 - 10^(-30)) for 0 < p < 1: at p = 1/2
(a + b)/2 >= sqrt(a*b)*(1 + 10^(-30)) for a > 0, b > 0: at a = b
a^2 + b^2 + c^2 > a*b + b*c + c*a: at a = b = c
a^2 + b^2 + c^2 >= (a*b + b*c + c*a)*(1 + 10^(-200)): at a = b = c = 1
x^2 + x + 1/4 > 0: at x = -1/2
sqrt(a*b) <= (a + b)/2 for a >= 0, b >= -1: not real
sin(x) <= x*(1 - 10^(-30)) for x >= 0: near 0
sin(x) <= x for x >= -1: at x = -1
cos(x) >= 1 - x^2/2*(1 - 10^(-30)) for x >= 0: near 0
sin(x) + cos(y) < 2: at x = pi/2, y = 0
2 + sin(x) > 1 for x > 0: at x = 3 pi/2
""".strip().splitlines()


@pytest.mark.parametrize("text", TRUE)
def test_they_are_theorems(text):
    statement = read_statement(text)
    found = theorem(statement, True)
    assert found.trusts == frozenset()
    assert proves(replay(certificate(found)), statement)


@pytest.mark.parametrize("text", [line.rsplit(": ", 1)[0] for line in FALSE])
def test_none_is_a_theorem(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


# --- the rules that they use, and what these keep out -----------------------------------------------------


def seen(statement: str) -> object:
    return apply("sums", statement=statement, by=[])


def test_exponentials_are_as_their_exponents():
    premise = seen("n <= 2*n for whole n >= 1")
    assert apply("monotone", [premise], statement="exp(n) <= exp(2*n) for whole n >= 1").holds


@pytest.mark.parametrize(
    ("premise", "statement"),
    [
        ("n <= 2*n for whole n >= 1", "exp(n) < exp(2*n) for whole n >= 1"),  # weaker than what is said
        ("n <= 2*n for whole n >= 1", "exp(2*n) <= exp(n) for whole n >= 1"),  # the other way
        ("n <= 2*n for whole n >= 1", "exp(n) <= exp(3*n) for whole n >= 1"),  # other exponents
        ("n <= 2*n for whole n >= 1", "exp(n) <= exp(2*n) for whole n >= -5"),  # on more than the premise's domain
        ("-n <= n for whole n >= 1", "(-n)^2 <= n^2 for whole n >= 1"),  # powers do not grow below 0
    ],
)
def test_and_otherwise_not(premise, statement):
    with pytest.raises(Refused):
        apply("monotone", [seen(premise)], statement=statement)


@pytest.mark.parametrize("fact", [["wave", "sin", "x", "2"], ["wave", "exp", "x", "-1"], ["wave", "sin", "log(x)", "1"], ["wave", "cos", "x", 1]])
def test_a_sine_is_at_most_1_where_it_is_one(fact):
    proof = ["by", [["1", fact]]]
    with pytest.raises(Refused):
        apply("bounds", statement=f"0 <= 1 - {fact[3]}*{fact[1]}({fact[2]}) for x > -1", point={"x": "1"}, proofs=[proof])


def test_factors_of_what_is_positive_and_no_others():
    """log(x^2 - 1) is log(x - 1) + log(x + 1) for x > 1, and has no such parts for x < -1."""
    above, below = (Sums(read_conditions(where)) for where in ("x > 1", "x < -1"))
    equal = read("log(x^2 - 1) - log(x - 1) - log(x + 1)")
    assert above.is_zero(above.of(equal))
    other = read("log(x^2 - 1) - log(-x - 1) - log(1 - x)")
    assert below.is_zero(below.of(other))
    with pytest.raises(Refused):
        below.of(equal)
    between = Sums(read_conditions("-1 < x < 1"))
    with pytest.raises(Refused):
        between.of(read("log(x^2 - 1)"))


def test_a_factor_whose_sign_is_not_seen_stays():
    """x^4 + 4 y^4 has the factor x^2 - 2 x y + 2 y^2, which is positive, but no sign of monomials shows it."""
    one = Sums(read_conditions("x > 0, y > 0"))
    one.of(read("log(x^4 + 4*y^4)"))
    assert [len(read(str(term)).parts[0].parts) for term in one.meaning.values()] == [2]


def test_binomial_coefficients_where_they_are_quotients_of_factorials():
    one = Sums(read_conditions("whole n >= 0, whole k >= 0, x > 0"))
    for text in ("binomial(n, k)", "binomial(x, k)", "binomial(n, -1)", "binomial(n, n + 1)"):
        with pytest.raises(Refused):
            one.of(read(text))
    assert one.is_zero(one.of(read("binomial(n + k, k) - (n + k)!/(n!*k!)")))
