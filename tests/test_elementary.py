"""Inequalities of textbooks: theorems, and none for what is false by little.  Each false one is said to be so, with why."""

from __future__ import annotations

import pytest
from witnessed import witnessed

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import Refused, read
from asymp.kernel.theorem import apply, certificate, proves, replay
from asymp.kernel.trust import cited
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove import falling as falls
from asymp.prove import sums
from asymp.prove.asymptotic import holds
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
harmonic(n) <= log(n) + EulerGamma + 1/(2*n) for whole n >= 1
harmonic(x) <= log(x) + EulerGamma + 1/(2*x) for x > 0
harmonic(n) > log(n) + EulerGamma + 1/(2*n) - 1/(8*n^2) for whole n >= 1
log(n!) >= (n + 1/2)*log(n) - n + log(2*pi)/2 for whole n >= 1
n! >= sqrt(2*pi*n)*(n/exp(1))^n for whole n >= 1
n! <= sqrt(2*pi*n)*(n/exp(1))^n*exp(1/(12*n)) for whole n >= 1
1/n <= log(1 + 1/n) + 1/(2*n^2) for n >= 1
log((n + 1)/n) >= 1/(n + 1/2) for n >= 1
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
harmonic(n) <= log(n) + EulerGamma + 1/(2*n) - 1/(12*n^2) for whole n >= 1: by 1/(120 n^4)
harmonic(n) <= log(n) + EulerGamma + 1/(2*n) - 10^(-30) for whole n >= 1: the difference tends to -10^(-30)
harmonic(x) <= log(x) + EulerGamma for x > 0: by 1/(2 x)
harmonic(x) - harmonic(x - 1) = 1/x + 10^(-30) for x > 1: it is 1/x
n! <= sqrt(2*pi*n)*(n/exp(1))^n for whole n >= 1: it is more for all n
n! >= sqrt(2*pi*n)*(n/exp(1))^n*exp(1/(12*n)) for whole n >= 1: it is less for all n
1/n <= log(1 + 1/n) + 1/(2*n^2) - 1/(3*n^3) for n >= 1: by 1/(4 n^4)
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
    assert cited(found.trusts)
    assert proves(replay(certificate(found)), statement)


@pytest.mark.parametrize("text", [line.rsplit(": ", 1)[0] for line in FALSE])
def test_none_is_a_theorem(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


@pytest.mark.parametrize("text", [
    f"{' + '.join(f'log(x + {k})' for k in range(1, 20))} <= 20*x for x > 1",
])  # fmt: skip
def test_what_falls_is_not_looked_for_where_derivatives_of_derivatives_take_minutes(text):
    asked = []
    with pytest.raises(Refused):
        falls.holds(read_statement(text), asked.append)
    assert not asked


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
            one.of(read(f"{text} - n!/(k!*(n - k)!)"))
    assert one.is_zero(one.of(read("binomial(n + k, k) - (n + k)!/(n!*k!)")))


# --- what falls to its limit ------------------------------------------------------------------------------


def limit(text: str) -> object:
    return holds(read_statement(text))


FALLS = "1/(x + 1)^2 <= 1/x^2 for x > 0"
"""The difference falls from oo to 0."""
SLOPE = f"{derivative(read('1/x^2 - 1/(x + 1)^2'), 'x')} {{}} 0"


def falling(statement, to="1/x^2 - 1/(x + 1)^2 -> 0 as x -> oo", step=f"{SLOPE.format('<=')} for x > 0", by="slope"):
    return apply("falling", [limit(to), seen(step)], statement=statement, variable="x", by=by)


def test_what_falls_to_0_is_not_negative():
    assert falling(FALLS).holds
    assert falling(FALLS.replace("<=", "<"), step=f"{SLOPE.format('<')} for x > 0").holds
    assert falling(FALLS.replace("x > 0", "whole x >= 1"), step=f"{SLOPE.format('<=')} for x >= 1").holds
    after = "1/(x + 1)^2 - 1/(x + 1 + 1)^2 <= 1/x^2 - 1/(x + 1)^2 for x > 0"
    assert falling(FALLS, step=after, by="next").holds
    shifted = "1/(x + 1)^2 < 2 + 1/x^2 for x > 0"
    assert falling(shifted, to="2 + 1/x^2 - 1/(x + 1)^2 -> 2 as x -> oo").holds


@pytest.mark.parametrize(
    ("statement", "others"),
    [
        ("1/(x + 1)^2 <= 1/x^2 - 1 for x > 0", {"to": "1/x^2 - 1 - 1/(x + 1)^2 -> -1 as x -> oo"}),  # a limit below 0
        ("1/(x + 1)^2 < 1/x^2 for x > 0", {}),  # not strict
        ("1/(x + 1)^2 = 1/x^2 for x > 0", {}),
        ("1/(x + 1)^2 <= 1/x^2 for 0 < x < 5", {}),  # it does not go on to infinity
        ("1/(x + 1)^2 <= 1/x^2 for x > 0, x < 5", {}),
        ("1/(x + 1)^2 <= 1/x^2 for x > 0, 5 = x", {}),
        ("1/(x + 1)^2 <= 1/x^2 for x > 0, 0 <= 5 - x", {}),
        ("1/(x + 1)^2 <= 1/x^2 for x > 0, x^2 <= x", {}),
        ("1/(x + 1)^2 <= 1/x^2 for x > -2", {}),  # more than where it falls
        ("1/(x + 1)^2 <= 2/x^2 for x > 0", {}),  # another difference
        ("1/(x + 1)^2 <= 1/x^2 for x > 0", {"to": "1/x^2 - 1/(x + 1)^2 -> 0 as whole x -> oo"}),  # a limit along whole numbers
        ("1/(x + 1)^2 <= 1/x^2 for x > 0", {"to": "1/x - 1/(x + 1)^2 -> 0 as x -> oo"}),  # of something else
        ("1/(x + 1)^2 <= 1/x^2 for x > 0", {"to": "1/x^2 - 1/(x + 1)^2 -> 0 as x -> oo for a > 2"}),  # for some parameters
        ("1/(x + 1)^2 <= 1/x^2 for whole x >= 1", {"step": f"{SLOPE.format('<=')} for whole x >= 1"}),  # a slope at points
        ("1/(x + 1)^2 <= 1/x^2 for x > 0", {"by": "next"}),  # that is the slope
        ("1/(x + 1)^2 <= 1/x^2 for x > 0", {"step": "-2*x^(-3) - 2*(x + 1)^(-3) <= 0 for x > 0"}),  # another slope
    ],
)
def test_and_what_does_not_is_not_said_to(statement, others):
    with pytest.raises(Refused):
        falling(statement, **others)


def test_it_is_a_limit_at_infinity():
    """-x falls, and tends to 0 as x -> 0."""
    place = {"scales": {"s": "1/x"}, "values": {"x": "1/s"}}
    near = witnessed("asymptotic", statement="-1*x -> 0 as x -> 0+", order=2, place=place)
    with pytest.raises(Refused):
        apply("falling", [near, seen("-1 <= 0 for x > 0")], statement="x <= 0 for x > 0", variable="x", by="slope")


def test_the_slope_of_an_infinite_sum_is_not_that_of_its_terms():
    """Nothing says that it is: the rule does not take it, whatever the premise says; of a finite sum it does."""

    def said(end: str) -> object:
        total = f"Sum(2^(-k)*x^(-2), (k, 1, {end}))"
        gap = f"1/x - {total}"
        to = {"statement": f"{gap} -> 0 as x -> oo", "order": 2, "place": {"scales": {"s": "x"}, "values": {"x": "s"}}}
        slope = sums.holds(read_statement(f"{derivative(read(gap), 'x')} <= 0 for x > 2"))
        statement = f"{total} <= 1/x for x > 2"
        return apply("falling", [witnessed("asymptotic", [], **to), slope], statement=statement, variable="x", by="slope")

    assert said("3").holds
    with pytest.raises(Refused, match="slope"):
        said("oo")
