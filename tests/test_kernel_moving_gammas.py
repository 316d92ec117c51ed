"""Incomplete gamma functions of a moving first argument, and sums of z^k/Gamma(g + k): what holds, what fails, what is refused."""

import mpmath
import pytest

from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.moving_gammas import _away, _next_to
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.field import Range, rational
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.asymptotic import fails, holds

HOLD = """
uppergamma(n, 2*n) ~ (2*n)^n*exp(-2*n)/n as n -> oo
uppergamma(n, a*n) ~ (a*n)^n*exp(-a*n)/((a - 1)*n) as n -> oo for a > 1
lowergamma(n, a*n) ~ (a*n)^n*exp(-a*n)/((1 - a)*n) as n -> oo for 0 < a < 1
uppergamma(n, n/2)/gamma(n) - 1 ~ -sqrt(2/(pi*n))*exp(n*(1/2 - log(2))) as n -> oo
uppergamma(n + 1, n)/factorial(n) = 1/2 + 2/(3*sqrt(2*pi*n)) + O(n^(-3/2)) as whole n -> oo
uppergamma(n, n + b*sqrt(n))/gamma(n) -> erfc(b/sqrt(2))/2 as n -> oo for b > 0
lowergamma(n, n + b*sqrt(n))/gamma(n) -> 1 - erfc(b/sqrt(2))/2 as n -> oo for b > 0
uppergamma(n, n + n^(2/3))/gamma(n) ~ exp(n*log(1 + n^(-1/3)) - n^(2/3))/(sqrt(2*pi)*n^(1/6)) as n -> oo
uppergamma(1/n, n) ~ exp(-n)/n as n -> oo
uppergamma(1/n, 2) -> uppergamma(0, 2) as n -> oo
uppergamma(1 + 1/n, c + 3/n) = exp(-c) + O(1/n) as n -> oo for c > 0
lowergamma(2 + 1/n, 1 + 1/n) -> 1 - 2*exp(-1) as n -> oo
uppergamma(-n, 2) ~ 2^(-n)*exp(-2)/n as n -> oo
expint(n, n) = exp(-n)/(2*n) + exp(-n)/(8*n^2) + O(exp(-n)/n^3) as n -> oo
lowergamma(n, 3) ~ 3^n*exp(-3)/n as n -> oo
Sum(n^k/factorial(k), (k, 0, n)) ~ exp(n)/2 as whole n -> oo
Sum((r*n)^k/factorial(k), (k, 0, n)) ~ exp(r*n) as whole n -> oo for 0 < r < 1
Sum(factorial(n)/(factorial(n - k)*n^k), (k, 1, n)) = sqrt(pi*n/2) - 1/3 + O(n^(-1/2)) as whole n -> oo
Sum(2^k/factorial(k), (k, 3, n)) = exp(2) - 5 + O(1/n) as whole n -> oo
Sum(n^k/gamma(k + 1/2), (k, 1, n)) ~ sqrt(n)*exp(n)/2 as whole n -> oo
"""
FAIL = """
uppergamma(n, 2*n) ~ (2*n)^n*exp(-2*n)/n*(1 + 10^(-200)) as n -> oo
uppergamma(n, 2*n) = (2*n)^n*exp(-2*n)/n + O((2*n)^n*exp(-2*n)/n^3) as n -> oo
lowergamma(n, n/2) ~ (n/2)^n*exp(-n/2)/n as n -> oo
uppergamma(n + 1, n)/factorial(n) = 1/2 + O(1/n) as whole n -> oo
lowergamma(n, n + b*sqrt(n))/gamma(n) -> erfc(b/sqrt(2))/2 as n -> oo for b > 0
uppergamma(n, n/2)/gamma(n) - 1 ~ sqrt(2/(pi*n))*exp(n*(1/2 - log(2))) as n -> oo
expint(n, n) ~ exp(-n)/n as n -> oo
uppergamma(1 + 1/n^2, 2 + 1/n) = exp(-2) + O(1/n^2) as n -> oo
uppergamma(1 + 1/n^2, 2 + 1/n) = exp(-2) - exp(-2)*(1 + 10^(-200))/n + O(1/n^2) as n -> oo
Sum(n^k/factorial(k), (k, 0, n)) ~ exp(n) as whole n -> oo
Sum(n^k/factorial(k), (k, 0, n - 1)) = exp(n)/2 + exp(n)*2/(3*sqrt(2*pi*n)) + O(exp(n)/n) as whole n -> oo
Sum((r*n)^k/factorial(k), (k, 0, n)) ~ exp(r*n)*(1 + 10^(-200)) as whole n -> oo for 0 < r < 1
"""


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("text", lines(HOLD))
def test_what_holds(text: str) -> None:
    theorem = holds(read_statement(text))
    assert theorem.holds
    assert not any(one.startswith("engine") for one in theorem.trusts)


@pytest.mark.parametrize("text", lines(FAIL))
def test_what_fails(text: str) -> None:
    with pytest.raises(Refused):
        holds(read_statement(text))
    assert not fails(read_statement(text)).holds


def expander(order: int = 3) -> Expander:
    known = {"c": Range(low=1, low_open=True), "b": Range(low_open=True)}
    return Expander(Algebra(Domain(within=known), order), {"n": 0}, {}, frozenset({terms.name("n"), terms.name("m")}))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("uppergamma(n, -n)", "may not be positive"),
        ("expint(n, 1 - c)", "may not be positive"),
        ("expint(-n, 1)", "far below 0"),
        ("expint(-n, n)", "may tend to 1"),
        ("uppergamma(n, b^2*n + n/2)", "exceeds 1"),  # on which side of 1 the ratio is
        ("lowergamma(-n, 2)", "may not be positive"),  # poles everywhere
        ("uppergamma(1/n, 1/n)", "does not tend to infinity"),
        ("uppergamma(-n, 1/n - n)", "may not be positive"),
        ("uppergamma(1/n + 1 - 1/n, n)/gamma(1/n - 1/n)", "no term that leads"),  # no value
        ("Sum((-n)^k/factorial(k), (k, 0, n))", "factorial in a sum"),
        ("Sum(n^k/factorial(n - k), (k, 0, 2*n))", "factorial in a sum"),  # beyond n
        ("Sum(n^k/gamma(k - 1/2), (k, 1, n))", "gamma in a sum"),  # Gamma of what is below 1
        ("Sum(n^k/factorial(k), (k, 0, n/2))", "whole"),
        ("Sum(n^k/factorial(k), (k, n, 2))", "run forwards"),
        ("Sum((-n)^k/factorial(2*k), (k, 0, n))", "factorial in a sum"),
        ("Sum(1/(n^k*factorial(n - k)), (k, 0, oo))", "in a sum"),
    ],
)
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        expander().series(terms.read(text))


@pytest.mark.parametrize(("first", "x"), [("n", "n + n^(2/3)"), ("n", "n"), ("n", "n + 1"), ("n", "n - 2*n^(1/2)")])
def test_next_to_the_transition_there_is_no_series_from_away(first: str, x: str) -> None:
    e = expander()
    at, f = e.series(terms.read(x)), e.series(terms.read(first))
    with pytest.raises(Refused):
        _away(e.algebra, at, e.algebra.add(at, e.algebra.scaled(f, -e.algebra.domain.value(terms.ONE))))


@pytest.mark.parametrize(("first", "gap"), [("n", "n"), ("n", "-n/2"), ("2 + 1/n", "1/n"), ("-n", "1")])
def test_away_from_it_there_is_none_from_next_to_it(first: str, gap: str) -> None:
    e = expander()
    with pytest.raises(Refused):
        _next_to(e, e.series(terms.read(first)), e.series(terms.read(gap)), False)


VALUES = [
    ("uppergamma(2 + 1/n, 3 + 2/n)", lambda n: mpmath.gammainc(2 + mpmath.mpf(1) / n, 3 + mpmath.mpf(2) / n)),
    ("lowergamma(1/n, 2 - 1/n)/n", lambda n: mpmath.gammainc(mpmath.mpf(1) / n, 0, 2 - mpmath.mpf(1) / n) / n),
    ("uppergamma(n + 2, n)/gamma(n)", lambda n: mpmath.gammainc(n + 2, n) / mpmath.gamma(n)),
    ("lowergamma(n - 1, n + 2)/gamma(n + 1)", lambda n: mpmath.gammainc(n - 1, 0, n + 2) / mpmath.gamma(n + 1)),
    ("uppergamma(n - n^(1/2), n)/gamma(n - n^(1/2))", lambda n: mpmath.gammainc(n - n**0.5, n, regularized=True)),
    ("exp(3*n)*uppergamma(-n, 3*n)*(3*n)^n", lambda n: mpmath.exp(3 * n) * mpmath.gammainc(-n, 3 * n) * (3 * n) ** n),
    ("exp(n)*expint(2*n, n + 1)", lambda n: mpmath.exp(-1) * mpmath.quad(
        lambda u: mpmath.exp(-(n + 1) * u) * (1 + u) ** (-2 * n), [mpmath.mpf(k) / n for k in (0, 1, 3, 10, 30, 100)])),
    ("Sum(n^k/factorial(k), (k, 2, n))*exp(-n)", lambda n: mpmath.gammainc(n + 1, n, regularized=True) - (1 + n) * mpmath.exp(-n)),
    ("exp(-n)*Sum(n^k/gamma(k + 3/2), (k, 1, n))*n^(1/2)", lambda n: mpmath.exp(-n) * mpmath.sqrt(n) * mpmath.fsum(
        mpmath.mpf(n) ** k / mpmath.gamma(k + mpmath.mpf(3) / 2) for k in range(1, n + 1))),
    ("exp(-2*n)*Sum((2*n)^(3*n - k)/factorial(3*n - k), (k, n, 3*n))", lambda n: mpmath.gammainc(2 * n + 1, 2 * n, regularized=True)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), VALUES, ids=[text for text, _ in VALUES])
def test_the_remainder_is_of_its_size(text: str, value) -> None:
    """Against mpmath at n = 100, 400, 1600: the distance over the remainder does not grow."""
    found = expander(4).series(terms.read(text))
    ratios = []
    with mpmath.workdps(60):
        for n in (100, 400, 1600):
            total = mpmath.mpf(0)
            for c, g in found.terms:
                total += 0 if g.exponent else number(c) * power(g, n)  # all such are exponentially small
            ratios.append(abs(mpmath.mpf(value(n)) - total) / mpmath.fsum(power(g, n) for g in found.rest if not g.exponent))
    assert ratios[-1] <= 1.2 * max(ratios[:-1]) + mpmath.mpf(10) ** -20, ratios


def number(c) -> mpmath.mpf:
    from asymp.enclosure import enclose
    from asymp.kernel.rings.ratio import to_term

    return mpmath.mpf(enclose(str(to_term(c)), {}, digits=40).value)


def power(g, n: int) -> mpmath.mpf:
    assert not g.exponent
    found = mpmath.mpf(1)
    for (_, depth), e in g.powers:
        assert depth == 0
        k = e.constant()
        found *= mpmath.mpf(n) ** (mpmath.mpf(int(k.numerator)) / int(k.denominator))
    return found


def test_a_growth_with_a_part_twice_has_no_key() -> None:
    once = Growth((), ((rational(1), Growth((((0, 0), rational(1)),))),))
    twice = Growth((), once.exponent * 2)
    assert once.key is not None and twice.key is None and not once.same(twice)
