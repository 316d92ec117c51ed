"""Sums of q^i i^k, with harmonic numbers or logarithms: the kernel's series against sums that are added up, and what it refuses."""

from __future__ import annotations

import contextlib
import re
from fractions import Fraction
from math import comb, factorial
from typing import Any

import pytest
from flint import acb, arb, ctx
from witnessed import along, witnessed

from asymp.kernel import terms
from asymp.kernel.facts import ranges
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.geometric_sums import faulhaber
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.growths.incomplete import partial_harmonic
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.summands import INDEX, summands
from asymp.kernel.rings.field import to_term
from asymp.kernel.terms import Refused, name, read
from asymp.kernel.theorem import Theorem, apply
from asymp.kernel.trust import cited
from asymp.language.statement import read_statement
from asymp.regimes.quantities import places

BODIES = ["1", "i", "i^2", "1/i", "harmonic(i)", "i*harmonic(i)", "harmonic(i)/i", "(i - 2*harmonic(i))*(1 - 3/i)", "log(i)", "log(i)/i"]
RATES = ["1/n^2", "2/n^(3/2)", "1/(n*log(n))", "3/n", "1/(2*n) + 1/n^2", "n^(-1/2)", "log(n)/n", "1/3"]
"""Rates L of q = exp(-L) for which L n tends to 0, to a constant, to infinity."""
RANGES: dict[str, tuple[Any, Any]] = {
    "1, n": (lambda n: 1, lambda n: n), "1, n - 1": (lambda n: 1, lambda n: n - 1), "0, n + 1": (lambda n: 0, lambda n: n + 1),
    "3, 2*n": (lambda n: 3, lambda n: 2 * n), "n, oo": (lambda n: n, None), "n, 3*n": (lambda n: n, lambda n: 3 * n),
    "1, oo": (lambda n: 1, None), "floor(n/2), n": (lambda n: n // 2, lambda n: n),
}  # fmt: skip
"""With both ends at n."""


def series(text: str, order: int = 3) -> Series:
    """The series of a term in n, a whole number that tends to infinity."""
    return Expander(Algebra(Domain(), order), {"n": 0}, {}, frozenset({name("n")})).series(read(text))


def ball(term: terms.Term) -> arb:
    """A ball around a constant, at the precision that is set."""
    return ranges.ball(term, bits=ctx.prec)


def value_of(term: terms.Term) -> arb:
    """A ball around a coefficient: Gamma'(0, x) is by DLMF 8.7.3."""
    match term.head:
        case "sum":
            return sum(map(value_of, term.parts), arb(0))
        case "product":
            found = arb(1)
            for part in term.parts:
                found *= value_of(part)
            return found
        case "GammaDerivative":
            return derivative_of_gamma(ball(term.parts[2]))
    return ball(term)


def derivative_of_gamma(x: arb) -> arb:
    """The integral of e^(-t) log(t)/t from x on."""
    gamma, pi, log = arb.const_euler(), arb.pi(), x.log()
    found = gamma**2 / 2 + pi**2 / 12 - log**2 / 2
    return found - sum(((-x) ** j / factorial(j) * (log / j - arb(1) / j**2) for j in range(1, 700)), arb(0))


def at(f: Series, n: int) -> tuple[arb, arb]:
    """The terms of a series at n, and the growths of its remainder."""

    def growth(g: Growth) -> arb:
        found, logs = arb(1), [arb(n)]
        for (_, depth), e in g.powers:
            while len(logs) <= depth:
                logs.append(logs[-1].log())
            found *= logs[depth] ** ball(to_term(e))
        return found * sum((ball(to_term(c)) * growth(h) for c, h in g.exponent), arb(0)).exp()

    return sum((value_of(to_term(c)) * growth(g) for c, g in f.terms), arb(0)), sum(map(growth, f.rest), arb(0))


def added_up(body: str, rate: str, range_: str, n: int) -> arb:
    """The sum itself; of an infinite one what comes after 10^(-40) of what there is is left out."""
    put = {"n": terms.number(n)}
    x = ball(terms.substitute(read(rate), put))
    low, high = RANGES[range_]
    first, last = low(n), high and high(n)
    total, h, i, q, step = arb(0), arb(0), 0, arb(1), (-x).exp()
    while last is None or i <= last:
        if i:
            h, q = h + arb(1) / i, q * step
        if i >= first:
            value = q * _summand(body, i, h)
            total += value
            if last is None and i > 10 / x and abs(value) < abs(total) * arb(10) ** -40:
                return total
        i += 1
    return total


def _summand(body: str, i: int, h: arb) -> arb:
    match body:
        case "1":
            return arb(1)
        case "i":
            return arb(i)
        case "i^2":
            return arb(i * i)
        case "1/i":
            return arb(1) / i
        case "harmonic(i)":
            return h
        case "i*harmonic(i)":
            return h * i
        case "harmonic(i)/i":
            return h / i
        case "log(i)":
            return arb(i).log()
        case "log(i)/i":
            return arb(i).log() / i
    return (i - 2 * h) * (1 - arb(3) / i)


def cases() -> list[tuple[str, str, str]]:
    """Each body with each rate, and with every fifth of the ranges in turn."""
    found = [
        (body, rate, range_)
        for k, body in enumerate(BODIES) for j, rate in enumerate(RATES) for r, range_ in enumerate(RANGES)
        if (k + j + r) % 5 == 0 and not ("log" in rate and "/2" in range_)  # log(n)/2 tends to infinity too slowly
    ]  # fmt: skip
    return [one for one in found if not (one[2].startswith("0") and ("/i" in one[0] or "(i)" in one[0]))]


@pytest.mark.parametrize(("body", "rate", "range_"), cases())
def test_sums_against_their_series(body: str, rate: str, range_: str) -> None:
    """What is left is at most a constant times the remainder: their quotient does not grow with n."""
    text = f"Sum(exp(-({rate})*i)*({body}), (i, {range_}))"
    at_n = (500, 8_000) if "log" in rate else (60, 480)
    if RANGES[range_][1] is None and RATES.index(rate) < 3:
        at_n = (10, 40)  # long sums
    try:
        found = [series(text, order) for order in (2, 4)]
    except Refused as error:
        assert rate == "1/3", error  # no n; Li_2
        assert re.search("the ends of|no exponential series|does not tend to 0|not linear in the index", str(error))
        return
    before, ctx.prec = ctx.prec, 1500 if rate == "1/3" else 200
    try:
        for f in found:
            quotients = []
            for n in at_n:
                value, rest = at(f, n)
                gap = abs(added_up(body, rate, range_, n) - value)
                quotients.append(gap / rest if f.rest else gap * arb(10) ** 30)
            assert quotients[0] < 100_000 and quotients[1] < (3 if "log" in rate else 1.5) * quotients[0] + 1, (text, quotients)
    except Refused as error:  # a sum that is a constant, and has no ball in the kernel
        assert rate == "1/3" and "not of geometric kind" in str(error)
    finally:
        ctx.prec = before


@pytest.mark.parametrize("text", ["3/n", "2 + 1/n", "1/2 - 1/n", "n", "sqrt(n)", "log(n)/n"])
@pytest.mark.parametrize("k", [0, 1])
def test_incomplete_gamma_functions_against_their_series(text: str, k: int) -> None:
    f = series(f"GammaDerivative({k}, 0, {text})", 4)
    before, ctx.prec = ctx.prec, 900
    try:
        quotients = []
        for n in {"sqrt(n)": (3_600, 22_500), "n": (60, 150)}.get(text, (1_000, 100_000)):
            x = ball(terms.substitute(read(text), {"n": terms.number(n)}))
            value, rest = at(f, n)
            quotients.append(abs((derivative_of_gamma(x) if k else x.gamma_upper(0)) - value) / rest)
        assert quotients[1] < 1.5 * quotients[0] + 1, quotients
    finally:
        ctx.prec = before


@pytest.mark.parametrize("k", [-1, 0, 1])
@pytest.mark.parametrize("h", [0, 1])
@pytest.mark.parametrize("rate", ["1/n^2", "2/n", "1/(2*n) + 1/n^2", "n^(-1/2)"])
@pytest.mark.parametrize("range_", ["1, n", "1, oo", "n, oo", "n, 2*n + 1/2"])
def test_integrals_against_their_series(k: int, h: int, rate: str, range_: str) -> None:
    """The integrals themselves by FLINT."""
    f = series(f"Integral(exp(-({rate})*t){f'*t^({k})' if k else ''}{'*log(t)' if h else ''}, (t, {range_}))", 3)
    before, ctx.prec = ctx.prec, 150
    try:
        quotients = []
        for n in (100, 1_600):
            x = ball(terms.substitute(read(rate), {"n": terms.number(n)}))
            low = acb(n if range_[0] == "n" else 1)
            high = {"1, n": acb(n), "n, 2*n + 1/2": acb(2 * n) + acb(1) / 2}.get(range_, low + 100 / x)
            total = acb.integral(lambda t, _: (-x * t).exp() * t**k * t.log() ** h, low, high).real  # noqa: B023
            value, rest = at(f, n)
            quotients.append(abs(total - value) / rest if f.rest else abs(total - value) * arb(10) ** 20)
        assert quotients[0] < 1_000 and quotients[1] < 1.5 * quotients[0] + 1, quotients
    finally:
        ctx.prec = before


def test_differences_and_sums_without_q() -> None:
    """What the module says of these, in rational numbers."""
    h = partial_harmonic
    for k in range(5):
        for i in range(k + 1, 9):
            below = Fraction((-1) ** k * factorial(k) * factorial(i - k - 1), factorial(i))
            signs = [(-1) ** j * comb(k, j) for j in range(k + 1)]
            assert sum(c * Fraction(1, i - j) for j, c in enumerate(signs)) == below
            assert sum(c * h(i - j) / (i - j) for j, c in enumerate(signs)) == below * (h(i) - h(k))
        assert sum(c * 7**d for d, c in enumerate(faulhaber(k))) == sum(i**k for i in range(1, 8))
    assert sum(h(i) / i for i in range(1, 8)) == (h(7) ** 2 + sum(Fraction(1, i**2) for i in range(1, 8))) / 2


# --- theorems, and what is none -----------------------------------------------------------------------


def theorem(text: str, rule: str = "asymptotic", order: int = 3, **data: Any) -> Theorem:
    """The theorem of a statement without leaves."""
    if rule == "path":
        return apply(rule, statement=text, order=order, **data)
    said = read_statement(text)
    found = list(places(said))
    for place in found[:-1]:
        with contextlib.suppress(Refused):
            return witnessed(rule, statement=text, order=order, place=place)
    return witnessed(rule, statement=text, order=order, place=found[-1])


SUM = "Sum((1 - p)^b/(b*mu1), (b, 1, n - 1))"
NEAR = "as whole n -> oo, p = c/n for c > 0, mu1 > 0"
FAR = "as whole n -> oo, p -> 0+, n*p -> oo for mu1 > 0"
SMALL = "as whole n -> oo, p = n^(-alpha), alpha > 1 for mu1 > 0"
HELD = [
    f"{SUM} = (log(n) - log(c) - expint(1, c))/mu1 + O(1/n) {NEAR}",
    f"{SUM} ~ log(1/p)/mu1 {FAR}",
    f"{SUM} = (log(n) + EulerGamma - n^(1 - alpha) + n^(-alpha) - 1/(2*n))/mu1 + O(n^(2 - 2*alpha) + 1/n^2) {SMALL}",
    f"{SUM.replace('n - 1', 'n + 1')} = (log(n) + EulerGamma - n^(1 - alpha) + 1/n + 1/(2*n))/mu1 + O(n^(2 - 2*alpha) + n^(-alpha) + 1/n^2) {SMALL}",
    "Sum((1 - p)^b/b, (b, n, oo)) ~ (1 - p)^n/(n*p) as whole n -> oo, p -> 0+, n*p -> oo",
    "Sum((1 - p)^i*harmonic(i), (i, 1, oo)) = log(1/p)/p + O(p^9) as p -> 0+",
    "Sum((1 - p)^i*harmonic(i)/i, (i, 1, oo)) = log(1/p)^2/2 + pi^2/6 + O(p*log(1/p)) as p -> 0+",
    "Sum(2^(-i)*i, (i, n, oo)) ~ n*2^(1 - n) as whole n -> oo",
    "Sum(2^(-i)/i, (i, 1, n)) -> log(2) as whole n -> oo",
    "Sum((1 - p)^i, (i, floor(1/p), ceiling(2/p))) ~ (exp(-1) - exp(-2))/p as p -> 0+",
    "Sum(i*harmonic(i), (i, 1, n)) ~ n^2*log(n)/2 as whole n -> oo",
    "Sum((1 - p)^i*log(i), (i, 1, oo)) - Integral((1 - p)^i*log(i), (i, 1, oo)) -> log(2*pi)/2 - 1 as p -> 0+",
    "Sum(log(i), (i, 1, n)) = n*log(n) - n + log(2*pi*n)/2 + O(1/n) as whole n -> oo",
    "Sum(log(i), (i, n, 2*n)) = (2*n + 1/2)*log(2*n) - n - (n - 1/2)*log(n) + O(1/n) as whole n -> oo",
    "Integral((1 - p)^t/t, (t, 1, oo)) = log(1/p) - EulerGamma + O(p) as p -> 0+",
    "Integral((1 - p)^t*harmonic(t), (t, 1, n)) ~ n*log(n) as n -> oo, n*p -> 0, p -> 0+",
    "Integral(t^2*exp(-n*t), (t, 0, oo)) = 2/n^3 + O(n^(-99)) as n -> oo",
    "li(1 - p) = log(p) + EulerGamma + O(p) as p -> 0+",
    "expint(1, n) ~ exp(-n)/n as n -> oo",
]


@pytest.mark.parametrize("text", HELD)
def test_what_holds_rests_on_no_engine(text: str) -> None:
    assert cited(theorem(text).trusts)


PSI = {"DLMF 5.4.14", "DLMF 5.11.2"}
RESTS = {
    "Sum(exp(-i/n)/i, (i, n, oo)) = Theta(1) as whole n -> oo": {"DLMF 2.10.1", "DLMF 8.8.13"},
    "Sum(exp(-i/n)*harmonic(i)/i, (i, n, oo)) = Theta(log(n)) as whole n -> oo": {"DLMF 2.10.1", "DLMF 8.8.13", *PSI},
    "Sum(harmonic(i)/i, (i, 1, n)) ~ log(n)^2/2 as whole n -> oo": {"DLMF 2.10.1", "DLMF 25.12.6", *PSI},
    "Sum(exp(-i/n)*harmonic(i)/i, (i, 1, oo)) ~ log(n)^2/2 as n -> oo": {"DLMF 25.12.6"},
    "Sum(exp(-i/n)*harmonic(i), (i, 1, oo)) ~ n*log(n) as n -> oo": set(),
    "Sum(exp(-i/n)*log(i)/i, (i, 1, oo)) ~ log(n)^2/2 as n -> oo": {"DLMF 25.12.6", *PSI},
    "Sum(exp(-i/n)*log(i), (i, 1, oo)) ~ n*log(n) as n -> oo": {"DLMF 5.11.1", *PSI},
    "Integral(exp(-t/n)*harmonic(t), (t, 1, oo)) ~ n*log(n) as n -> oo": {"DLMF 8.7.3", *PSI},
    "Integral(exp(-t/n)*log(t), (t, n, 2*n)) = Theta(n*log(n)) as n -> oo": {"DLMF 8.8.13"},
}


@pytest.mark.parametrize("text", RESTS)
def test_what_a_sum_rests_on(text: str) -> None:
    """And functions of balls."""
    found = theorem(text).trusts
    assert {one for one in found if one.startswith("DLMF")} == RESTS[text] and cited(found)


FALSE = [
    f"{SUM} = (1 + 10^(-200))*(log(n) - log(c) - expint(1, c))/mu1 + O(1/n) {NEAR}",
    f"{SUM} = (log(n) - log(c) - expint(1, c))/mu1 + o(1/n) {NEAR}",
    f"{SUM} = (log(n) - log(c) - expint(1, c) + EulerGamma)/mu1 + O(1/n) {NEAR}",
    f"{SUM} ~ (1 + 10^(-200))*log(1/p)/mu1 {FAR}",
    f"{SUM} ~ -log(1/p)/mu1 {FAR}",
    f"{SUM} ~ log(n)/mu1 {FAR}",
    f"{SUM} = log(1/p)/mu1 + O(exp(-2*n*p)) {FAR}",
    f"{SUM} = (log(n) + EulerGamma - n^(1 - alpha) + n^(-alpha))/mu1 + O(n^(2 - 2*alpha) + 1/n^2) {SMALL}",  # -1/(2n)
    f"{SUM} = (log(n) + EulerGamma - n^(1 - alpha) + n^(-alpha) + 1/(2*n))/mu1 + O(n^(2 - 2*alpha) + 1/n^2) {SMALL}",  # n for n - 1
    f"{SUM} = (log(n) + EulerGamma - n^(1 - alpha) + n^(-alpha) - 1/(2*n))/mu1 + O(n^(2 - 3*alpha) + 1/n^2) {SMALL}",
    f"{SUM} = (log(n) + EulerGamma - n^(1 - alpha) - n^(-alpha) - 1/(2*n))/mu1 + o(n^(-alpha)) as whole n -> oo, p = n^(-alpha), alpha > 2 for mu1 > 0",
    "Sum((1 - p)^b/b, (b, n, oo)) ~ (1 - p)^n/(n*p^2) as whole n -> oo, p -> 0+, n*p -> oo",
    "Sum((1 - p)^i*harmonic(i), (i, 1, oo)) = log(1/p)/p + 1 + O(p) as p -> 0+",
    "Sum((1 - p)^i*harmonic(i)/i, (i, 1, oo)) = log(1/p)^2/2 + pi^2/12 + O(p*log(1/p)) as p -> 0+",
    "Sum((1 - p)^i*harmonic(i)/i, (i, 1, oo)) = log(1/p)^2/2 + pi^2/6 + O(p) as p -> 0+",
    "Sum((1 - p)^i*log(i), (i, 1, oo)) = log(1/p)/p + O(log(1/p)) as p -> 0+",
    "Sum((1 - p)^i*log(i), (i, 1, oo)) - Integral((1 - p)^i*log(i), (i, 1, oo)) -> log(2*pi)/2 as p -> 0+",
    "Sum(log(i), (i, 1, n)) = n*log(n) - n + log(2*pi*n)/2 + O(1/n^2) as whole n -> oo",
    "Sum(log(i), (i, n, 2*n)) = (2*n + 1/2)*log(2*n) - n - (n + 1/2)*log(n) + O(1/n) as whole n -> oo",
    "Sum(3^(-i)*log(i), (i, 1, n)) = 1 + O(1/n) as whole n -> oo",
    "Sum((1 - p)^i*log(i)/i, (i, 1, oo)) = log(1/p)^2/2 + EulerGamma*log(1/p) + O(1) as p -> 0+",
    "Sum((1 - p)^i, (i, floor(1/p), ceiling(2/p))) ~ exp(-1)/p as p -> 0+",
    "Sum(2^(-i)*i, (i, n, oo)) ~ n*2^(-n) as whole n -> oo",
    "Sum(2^(-i)*i, (i, 0, n)) -> 3 as whole n -> oo",
    "Sum(i*harmonic(i), (i, 1, n)) ~ n^2*log(n)/3 as whole n -> oo",
    "Integral((1 - p)^t/t, (t, 1, oo)) = log(1/p) + EulerGamma + O(p) as p -> 0+",
    "Integral((1 - p)^t*log(t), (t, 1, n)) ~ n*log(n) as n -> oo, p = 1/n",
    "Integral((1 - p)^t*harmonic(t), (t, 1, n)) = n*log(n) + O(1) as n -> oo, p = 1/n^2",
    "Integral(t^2*exp(-n*t), (t, 0, oo)) ~ 1/n^3 as n -> oo",
    "li(1 - p) = log(p) - EulerGamma + O(p) as p -> 0+",
    "expint(1, n) ~ exp(-n)/n^2 as n -> oo",
]


@pytest.mark.parametrize("text", FALSE)
def test_what_is_false_has_no_theorem(text: str) -> None:
    with pytest.raises(Refused, match=r"the series|no term that leads|of different signs"):
        theorem(text)


REFUSED = [
    ("Sum((1 - p)^b/b, (b, 1, n - 1)) ~ log(n) as n -> oo, p = 1/n^2", "ends are not seen to be whole"),
    ("Sum((1 - p)^b/b, (b, 1, n/2)) ~ log(n) as whole n -> oo, p = 1/n^2", "ends are not seen to be whole"),
    ("Sum((1 - p)^b/b, (b, 1, n - 1/2)) ~ log(n) as whole n -> oo, p = 1/n^2", "ends are not seen to be whole"),
    ("Sum((1 - p)^b/b, (b, 1/2, n)) ~ log(n) as whole n -> oo, p = 1/n^2", "ends are not seen to be whole"),
    ("Sum((1 - p)^b/b, (b, n, 1)) ~ log(n) as whole n -> oo, p = 1/n^2", "not seen to run forwards"),
    ("Sum((1 - p)^b/b, (b, n, n - 2)) ~ log(n) as whole n -> oo, p = 1/n^2", "not seen to run forwards"),
    ("Sum((1 - p)^b/b, (b, n, n - 1)) ~ log(n) as whole n -> oo, p = 1/n^2", "no term that leads"),  # empty
    ("Sum((1 - p)^b/b, (b, 2*n, n)) ~ log(n) as whole n -> oo, p = 1/n^2", "not seen to run forwards"),
    ("Sum((1 - p)^b/b, (b, oo, oo)) ~ log(n) as whole n -> oo, p = 1/n^2", "ends are not seen to be whole"),
    ("Sum((1 - p)^b/b, (b, 0, n)) ~ log(n) as whole n -> oo, p = 1/n^2", "0 to a power below 1"),
    ("Sum((1 - p)^b*b/b, (b, 0, n)) ~ n as whole n -> oo, p = 1/n^2", "0 to a power below 1"),
    ("Sum((1 - p)^b, (b, -1, n)) ~ n as whole n -> oo, p = 1/n^2", "begins before 0"),
    ("Sum((1 - p)^b/(b - 2), (b, 1, n)) ~ log(n) as whole n -> oo, p = 1/n^2", "a power in a sum"),
    ("Sum((1 + p)^b/b, (b, 1, oo)) ~ log(n) as whole n -> oo, p = 1/n^2", "not seen to converge"),
    ("Sum(1/b, (b, 1, oo)) ~ log(n) as whole n -> oo", "no term that leads"),
    ("Sum(n/b, (b, 1, oo)) ~ n*log(n) as whole n -> oo", "no term that leads"),
    ("Sum(2^b/b, (b, 1, n)) ~ 2^n/n as whole n -> oo", "it fails"),  # it is twice that
    ("Sum((-1)^b*(1 - 1/n)^b, (b, 1, n)) -> 0 as whole n -> oo", "of what may be negative"),
    ("Sum((p - 2)^b, (b, 1, n)) -> 0 as whole n -> oo, p = 1/n", "may be negative"),
    ("Sum((1 - p)^b/b, (b, 1, m)) ~ 1 as whole n -> oo, p = 1/n^2 for whole m >= 1", "not seen to tend to infinity"),
    ("Sum((1 - p)^b/(b*c), (b, 1, n)) ~ log(n)/c as whole n -> oo, p = 1/n^2", "what may be 0|coefficient that may be 0"),
    ("Sum((1 + p)^b*log(b), (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "not seen to converge"),
    ("Sum((1 - p)^b, (b, -n, n)) ~ 2*n as whole n -> oo, p = 1/n^2", "not seen to tend to infinity"),
    ("Sum((1 - p)^b*harmonic(b + 1), (b, 1, n)) ~ n*log(n) as whole n -> oo, p = 1/n^2", "harmonic in a sum"),
    ("Sum((1 - p)^b*log(2*b), (b, 1, n)) ~ n*log(n) as whole n -> oo, p = 1/n^2", "log in a sum"),
    ("Sum((1 - p)^b*b^b, (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "power in a sum"),
    ("Sum((1 - p)^b*log(b)^2, (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "other products"),
    ("Sum((1 - p)^b*harmonic(b)^2, (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "other products"),
    ("Sum((1 - p)^b/b^2, (b, 1, n)) -> 1 as whole n -> oo, p = 1/n^2", "other products"),
    ("Sum((1 - p)^b*b*log(b), (b, 1, n)) ~ 1 as whole n -> oo, p = 1/n^2", "other products"),
    ("Sum((1 - p)^(b^2), (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "not linear in the index"),
    ("Sum((1 - p)^(0*b), (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "in which the index does not count"),
    ("Sum((1 - p)^log(b), (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "not linear in the index"),
    ("Sum(sin(b)*(1 - p)^b, (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "sin in a sum"),
    ("Sum((1 - p)^b*b^9, (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "a power in a sum"),
    ("Sum((1 - p)^b*(1 + b)^(-1), (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "a power in a sum"),
    ("Sum((1 - p)^b*(1 + b)^4*(1 - 2*b)^4, (b, 1, n)) ~ n as whole n -> oo, p = 1/n^2", "too many parts"),
    ("Sum((1 - p)^b, (b, 40, n)) ~ n as whole n -> oo, p = 1/n^2", "begins before 0, or late"),
    ("Integral(t^2*exp(n*t), (t, 0, oo)) ~ 2/n^3 as n -> oo", "not seen to converge"),
    ("Integral(n/t, (t, 1, oo)) ~ log(n) as n -> oo", "nothing in an integrand that decays"),
    ("Integral(exp(-n*t)/t, (t, 0, oo)) ~ log(n) as n -> oo", "may not be integrable at 0"),
    ("Integral(exp(-n*t)*log(t), (t, 1/2, oo)) ~ -log(n)/n as n -> oo", "the series show that it fails"),
    ("Integral(exp(-n*t)*log(t), (t, -1, oo)) ~ -log(n)/n as n -> oo", "a logarithm of what may not be positive"),
    ("Integral(exp(-t/n)*log(t), (t, n, 1)) ~ -log(n)*n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t/n)*log(t), (t, n, n)) ~ n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t/n)*log(t)*harmonic(t), (t, 1, n)) ~ n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t/n)*harmonic(t)^2, (t, 1, n)) ~ n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t/n)*t*harmonic(t), (t, 1, n)) ~ n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t/n)*log(t)^2, (t, 1, n)) ~ n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t/n)/t^2, (t, 1, n)) ~ n as n -> oo", "an exponent that is not seen to grow"),
    ("Integral(exp(-t^2), (t, 1, n)) ~ n as n -> oo", "nothing in an integrand that decays"),
    ("Ei(sin(n)) ~ 1 as n -> oo", "no series of Ei"),
    ("expint(1, -1/n) ~ -log(n) as n -> oo", "may not be defined"),
]


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_what_is_not_seen_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        theorem(text)


def test_a_statement_fails_along_a_path() -> None:
    text = f"{SUM} ~ log(n)/mu1 {FAR}"
    values = {"n": "k^2", "p": "1/k", "mu1": "1"}
    assert not theorem(text, "path", 2, runner="k", values=values).holds
    with pytest.raises(Refused, match="ends are not seen to be whole"):
        theorem(text.replace("whole n", "n"), "path", 2, runner="k", values=values)
    with pytest.raises(Refused):
        theorem(f"{SUM} ~ log(1/p)/mu1 {FAR}", "path", 2, runner="k", values=values)


def test_which_sums_are_tried() -> None:
    assert [str(one.base) for one in summands(terms.multiply(*(terms.power(name(c), name(INDEX)) for c in "qr")))] == ["q*r"]
    assert along(f"{SUM} ~ log(1/p) {FAR}")["values"]


@pytest.mark.parametrize(("text", "total"), [
    ("Sum(harmonic(k)^2, (k, 1, n))", lambda k, n, h: h**2), ("Sum(k^2*harmonic(k)^2, (k, 1, n))", lambda k, n, h: k**2 * h**2),
    ("Sum((k - 3)*harmonic(k)^2, (k, 4, n))", lambda k, n, h: (k - 3) * h**2 if k > 3 else arb(0)),
    ("Sum(3^k*(k + 1)^2, (k, 1, n))/3^n", lambda k, n, h: arb((k + 1) ** 2) / arb(3) ** (n - k)),
    ("Sum(3^(k - n)*k, (k, 2, n))", lambda k, n, h: arb(k) / arb(3) ** (n - k) if k > 1 else arb(0)),
])  # fmt: skip
def test_squares_of_harmonic_numbers_and_sums_that_the_last_terms_dominate(text: str, total: Any) -> None:
    """Against the sums at n = 50, 200 and 800."""
    ratios = []
    with ctx.workprec(200):
        for n in (50, 200, 800):
            h, whole = arb(0), arb(0)
            for k in range(1, n + 1):
                h += arb(1) / k
                whole += total(k, n, h)
            kept, rest = at(series(text), n)
            ratios.append(abs(whole - kept) / (rest + arb(2) ** -100))
    assert ratios[2].mid() <= 1.2 * max(ratios[0].mid(), ratios[1].mid()) + 1, ratios


@pytest.mark.parametrize("text", [
    "Sum(2^k, (k, 0, oo))", "Sum(2^k, (k, 0, n/2))", "Sum(2^k, (k, n, 0))", "Sum(c^k, (k, 0, n))",
])  # fmt: skip
def test_neither_more_nor_backwards(text: str) -> None:
    with pytest.raises(Refused):
        series(text)
