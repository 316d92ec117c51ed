"""Series of functions in the kernel, by the table: what they decide without the engine, and what they must not."""

import pytest

from asymp.answer.expansion import expand
from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.field import Range
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.asymptotic import fails, holds

HOLD = """
Si(x) -> pi/2 as x -> oo
Si(-x) -> -pi/2 as x -> oo
Ci(x) = O(1/x) as x -> oo
Ci(x) - log(x) -> EulerGamma as x -> 0+
Shi(x) ~ exp(x)/(2*x) as x -> oo
Chi(x) ~ exp(x)/(2*x) as x -> oo
fresnelc(x) -> 1/2 as x -> oo
fresnels(x) = 1/2 + O(1/x) as x -> oo
elliptic_e(m) ~ pi/2 as m -> 0+
elliptic_e(1 - h) = 1 - h*log(h)/4 + h*log(2) - h/4 + O(h^2*log(h)) as h -> 0+
elliptic_k(1 - h) = -log(h)/2 + 2*log(2) + O(h*log(h)) as h -> 0+
asinh(x) ~ log(2*x) as x -> oo
asinh(-x) ~ -log(2*x) as x -> oo
asec(x) -> pi/2 as x -> oo
acsc(x) ~ 1/x as x -> oo
acosh(1 + h) ~ sqrt(2*h) as h -> 0+
betainc(a, 2, h) ~ h^a/a as h -> 0+ for a > 0
betainc(a, 2, 1 - h) -> 1/(a*(a + 1)) as h -> 0+ for a > 0
airyai(x) ~ exp(-2/3*x^(3/2))/(2*sqrt(pi)*x^(1/4)) as x -> oo
airyai(-x) = O(x^(-1/4)) as x -> oo
besselk(v, x) ~ sqrt(pi/(2*x))*exp(-x) as x -> oo for v > 0
besselj(0, h) = 1 - h^2/4 + O(h^4) as h -> 0+
bessely(0, h) ~ 2/pi*log(h) as h -> 0+
hyp1f1(1/2, 2, x) ~ exp(x)*x^(-3/2)/sqrt(pi) as x -> oo
li(1 - p) = EulerGamma + log(p) + O(p) as p -> 0+
li(1 + p) = EulerGamma + log(p) + O(p) as p -> 0+
li(x) ~ x/log(x) as x -> oo
Ei(-h) = EulerGamma + log(h) - h + O(h^2) as h -> 0+
Ei(n*log(1 - c/n)) -> -E1(c) as whole n -> oo for c > 0
E1(x) = exp(-x)/x - exp(-x)/x^2 + O(exp(-x)/x^3) as x -> oo
expint(1, c + h) = expint(1, c) - exp(-c)/c*h + O(h^2) as h -> 0+ for c > 0
harmonic(c + h) -> harmonic(c) as h -> 0+ for c > 0
uppergamma(s, h) -> gamma(s) as h -> 0+ for s > 0
uppergamma(0, -log(1 - p)) ~ log(1/p) as p -> 0+
uppergamma(-1, h) ~ 1/h as h -> 0+
erf(-x) -> -1 as x -> oo
binomial(n - 1, 3) = n^3/6 - n^2 + 11*n/6 - 1 + O(1/n) as whole n -> oo
binomial(2*n, n) ~ 4^n/sqrt(pi*n) as whole n -> oo
polygamma(2, x) ~ -1/x^2 as x -> oo
zeta(1 + h) = 1/h + EulerGamma + O(h) as h -> 0+
zeta(x) = 1 + 2^(-x) + O(3^(-x)) as x -> oo
LambertW(x) = log(x) - log(log(x)) + log(log(x))/log(x) + O(log(log(x))^2/log(x)^2) as x -> oo
tanh(x) = 1 - 2*exp(-2*x) + O(exp(-4*x)) as x -> oo
atan(-x) = -pi/2 + 1/x + O(1/x^3) as x -> oo
polylog(2, 1 - h) = pi^2/6 + h*log(h) + O(h) as h -> 0+
tan(h) = h + h^3/3 + O(h^4) as h -> 0+
"""
FAIL = """
erfc(x) ~ exp(-x^2)/(x*sqrt(pi))*(1 + 10^(-200)) as x -> oo
erfc(x) = exp(-x^2)/(x*sqrt(pi))*(1 + 1/(2*x^2)) + O(exp(-x^2)/x^5) as x -> oo
erfc(x) = exp(-x^2)/(x*sqrt(pi)) + O(exp(-x^2)/x^4) as x -> oo
E1(x) = exp(-x)/x + exp(-x)/x^2 + O(exp(-x)/x^3) as x -> oo
E1(h) = log(1/h) + EulerGamma + O(h) as h -> 0+
E1(h) = log(1/h) - EulerGamma + O(h^2) as h -> 0+
Ei(-h) = EulerGamma + log(h) + h + O(h^2) as h -> 0+
Ei(h) = EulerGamma + log(h) - h + O(h^2) as h -> 0+
Ei(-x) ~ exp(-x)/x as x -> oo
li(1 - p) ~ -log(p) as p -> 0+
li(1 + p) ~ -log(p) as p -> 0+
li(x) = x/log(x) + O(x/log(x)^3) as x -> oo
atan(-x) -> pi/2 as x -> oo
asinh(-x) ~ log(2*x) as x -> oo
Si(-x) -> pi/2 as x -> oo
Si(x) -> pi/2*(1 + 10^(-200)) as x -> oo
acosh(1 + h) ~ h as h -> 0+
acosh(1 + h) = O(h) as h -> 0+
elliptic_k(1 - h) = -log(h)/2 + log(2) + O(h*log(h)) as h -> 0+
uppergamma(s, x) ~ x^s*exp(-x) as x -> oo for s > 0
uppergamma(-1, h) ~ -1/h as h -> 0+
zeta(1 + h) = 1/h - EulerGamma + O(h) as h -> 0+
zeta(x) = 1 + 2^(-x) + O(4^(-x)) as x -> oo
LambertW(x) ~ log(x)*(1 + 10^(-200)) as x -> oo
LambertW(x) = log(x) + log(log(x)) + O(1) as x -> oo
tanh(x) = 1 - exp(-2*x) + O(exp(-4*x)) as x -> oo
binomial(n - 1, 3) = n^3/6 + n^2 + O(n) as whole n -> oo
polylog(2, 1 - h) = pi^2/6 + O(h) as h -> 0+
besselj(0, h) = 1 + h^2/4 + O(h^4) as h -> 0+
"""


def lines(text):
    return text.strip().splitlines()


@pytest.mark.parametrize("text", lines(HOLD))
def test_it_holds_by_the_table(text):
    theorem = holds(read_statement(text))
    assert theorem.holds and not any(one.startswith("engine") for one in theorem.trusts)


@pytest.mark.parametrize("text", lines(FAIL))
def test_it_fails_by_the_table(text):
    statement = read_statement(text)
    with pytest.raises(Refused):
        holds(statement)
    theorem = fails(statement)
    assert not theorem.holds and not any(one.startswith("engine") for one in theorem.trusts)


def series(text, order=3):
    return Expander(Algebra(Domain(within={"c": Range(low_open=True)}), order), {"n": 0}, {}).series(terms.read(text))


@pytest.mark.parametrize(
    "text",
    [
        "acosh(1 - 1/n)", "asin(1 + 1/n)", "acos(-1 - 1/n)", "atanh(1 + 1/n)", "asec(1 - 1/n)",  # beyond an end
        "li(-1/n)", "E1(-1/n)", "E1(-n)", "Ci(-n)", "Chi(-1/n)", "loggamma(-1/n)", "besselk(1, -1/n)", "LambertW(-n)",
        "LambertW(1/n, -1)", "LambertW(n, -1)", "LambertW(-exp(-1) - 1/n)", "elliptic_k(1 + 1/n)", "elliptic_e(1 + 1/n)",
        "polylog(2, 1 + 1/n)", "betainc(2, 3, 1 + 1/n)", "betainc(2, 3, -1/n)", "uppergamma(1/2, -1/n)",
        "gamma(-n)", "digamma(-n)", "factorial(-n)", "binomial(-n, 1/2)", "rf(-n, 1/2)",  # poles on the way
        "tan(n)", "sec(n)", "1/sin(n)", "1/Si(1/n - 1/n)",
        "factorial2(3 + 1/n)", "bernoulli(2 + 1/n)", "stirling1(4, 2 + 1/n)", "bell(2 + 1/n)",  # of whole numbers alone
        "li(c + 1/n)", "log(sin(n))", "uppergamma(c, 1/n)", "polygamma(c, n)", "besselk(c, 1/n)",  # c is any number
        "besselj(n, 1/n)", "zeta(1 + 1/n - 1/n)", "gamma(1/n - 1/n)", "Ei(1/n - 1/n)",
    ],
)  # fmt: skip
def test_there_is_no_series_of_what_has_no_value(text):
    with pytest.raises(Refused):
        series(text)


@pytest.mark.parametrize("text", ["acosh(1 + 1/n)", "asin(1 - 1/n)", "acos(-1 + 1/n)", "LambertW(-exp(-1) + 1/n)"])
def test_at_an_end_a_root_is_seen_at_every_order(text):
    """f(c) + O(1/n) would be the value with a remainder that is too small."""
    for order in (1, 2, 4):
        f = series(text, order)
        growths = [*(g for _, g in f.terms), *f.rest]
        assert any(g.powers[0][1].constant().denominator == 2 for g in growths if g.powers)


BOTH = """
erf(-n); erfc(-n); erfi(n); Si(n); Si(-n); Si(1/n); Ci(1/n); Shi(1/n); Chi(n); fresnels(n); elliptic_k(1 - 1/n); elliptic_e(1/n)
betainc(2, 3, 1/n); hyp1f1(1/2, 2, -n); acot(n); acsch(n); asin(1 - 1/n); acos(1/n - 1); acosh(1 + 1/n); atanh(1 - 1/n); asinh(-n)
coth(1/n); tan(1/n); Ei(-1/n); Ei(-n); li(1 + 1/n); LambertW(-1/n, -1); LambertW(n); LambertW(1/n - exp(-1)); airyai(n)
besselk(1/3, n); besseli(0, n); expint(1, 1/n); uppergamma(-2, 1/n); uppergamma(1/2, n); polygamma(2, n); loggamma(n)
"""


@pytest.mark.parametrize("text", [one.strip() for one in BOTH.replace("\n", ";").split(";") if one.strip()])
def test_what_the_engine_reads_in_the_table_the_kernel_proves(text):
    found = expand(text, to="n->oo", order=2)
    assert found.refused is None and found.strength == "proved"
