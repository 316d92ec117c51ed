"""Integrals of powers of what is below 1, in closed form and as series, against mpmath; each condition, where it fails."""

from __future__ import annotations

import random

import mpmath as mp
import pytest

from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.extremes import _tail
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.beta_integrals import T, closed
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

NAMES = {
    "EulerGamma": mp.euler, "pi": mp.pi, "log": mp.log, "exp": mp.exp, "gamma": mp.gamma, "harmonic": mp.harmonic, "erfc": mp.erfc,
    "trigamma": lambda x: mp.psi(1, x), "sqrt": mp.sqrt, "mpf": mp.mpf,
}  # fmt: skip


def number(text: str, **at) -> mp.mpf:
    return mp.mpf(eval(text.replace("^", "**").replace("/", "*mpf(1)/"), {**NAMES, **at}))


def expander() -> Expander:
    return Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))


def series(text: str) -> Series:
    return expander().series(terms.read(text))


def positive(term: terms.Term) -> bool:
    return number(str(term)) > 0


def drawn(draw: random.Random) -> tuple[str, bool]:
    """An integrand in t, and whether its range is from 0 to 1."""
    a, b, c, m = (draw.choice(one) for one in (["1/2", "1", "2", "3"], ["1/3", "1", "2"], ["1/2", "1", "2"], ["4", "2", "5", "7/2"]))
    forms = [
        f"{b} - {b}*(1 - exp(-{c}*t))^({m})",
        f"t*(1 - (1 - exp(-{c}*t))^({m}))",
        f"(1 - exp(-{c}*t))^({m}) - (1 - exp(-{c}*t))^({a})",
        f"1 - (1 - exp(-{c}*t))^({m}) - {b}*exp(-{a}*t)*(1 - exp(-{c}*t))^({m} - 1)",
        f"{b}*t*exp(-{a}*t)*(1 - exp(-{c}*t))^({m})",
        f"exp(-{a}*t)*exp(-{b}*t)*(1 - exp(-{c}*t))^({m})",
        f"1 - (1 - (1 + t)^(-{a}-1))^({m})",
    ]
    if draw.random() < 0.3:
        return draw.choice([f"{b} - t^({m})", f"t^({a})*(1 - t)^({m})", f"{b}*t*(1 - t^({a}))"]), True
    return draw.choice(forms), False


@pytest.mark.parametrize("seed", range(3))
def test_closed_forms_are_the_integrals(seed: int) -> None:
    draw = random.Random(f"closed {seed}")
    for _ in range(12):
        body, short = drawn(draw)
        found = number(str(closed(terms.read(f"Integral({body}, (t, 0, {1 if short else 'oo'}))"), positive)))
        ends = [0, 1] if short else [0, 1, 4, 20, mp.inf]
        value = mp.quad(lambda t, body=body: number(body, t=t), ends)
        assert abs(found - value) < mp.mpf(10) ** -7 * (1 + abs(value)), body


@pytest.mark.parametrize("text", [
    "Integral(2 - (1 - exp(-t))^3, (t, 0, oo))", "Integral(1 - (1 - exp(t))^3, (t, 0, oo))", "Integral(1 - (1 - exp(-t))^(-2), (t, 0, oo))",
    "Integral(1 - (1 - (1 + t)^(-1))^3, (t, 0, oo))", "Integral(1 - (1 - (1 + t)^(-2))^(-1/2), (t, 0, oo))",
    "Integral(exp(t)*(1 - exp(-t))^3, (t, 0, oo))", "Integral(t^2*(1 - (1 - exp(-t))^3), (t, 0, oo))", "Integral(t^(-1), (t, 0, 1))",
    "Integral((1 - t)^(-1), (t, 0, 1))", "Integral(1 - (1 - exp(-t))^3, (t, 1, oo))", "Integral(1 - (1 - exp(-t))^t, (t, 0, oo))",
    "Integral((1 - exp(-2*t))^2 - (1 - exp(-t))^3, (t, 0, oo))", "Integral(1 - (1 + exp(-t))^3, (t, 0, oo))",
    "Integral(t^2 - t^2*(1 - t)^3, (t, 0, oo))", "Integral(1 - (1 - t*exp(-t))^3, (t, 0, oo))",
])  # fmt: skip
def test_what_diverges_or_is_of_another_form_has_no_closed_form(text: str) -> None:
    with pytest.raises(Refused):
        closed(terms.read(text), positive)


LAWS = ["exp(-t)", "exp(-t^2)", "1/3*exp(-2*t^(3/2))", "exp(-sqrt(t))", "(1 + t)*exp(-t)", "(1 + t + t^2/2)*exp(-t)", "(1 + t)*exp(-2*t)",
        "(1/2 + t^3/6)*exp(-t)", "erfc(t)", "1/2*erfc(t/sqrt(2))", "1/3*erfc(3*t)"]  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_the_tail_of_a_law_is_what_is_said_of_it(law: str) -> None:
    found = _tail(expander(), terms.substitute(terms.read(law), {"t": T}))
    c, factor = number(str(found.c)), number(str(found.factor))
    a, r = (mp.mpf(int(x.numerator)) / int(x.denominator) for x in (found.a, found.r))
    for t, within in ((mp.mpf(20), 0.5), (mp.mpf(200), 0.04)):
        told = factor * t**r * mp.exp(-c * t**a)
        assert abs(number(law, t=t) / told - 1) < within
    assert all(0 < number(law, t=mp.mpf(k) / 7) <= found.most.numerator / found.most.denominator + 1e-9 for k in range(60))


@pytest.mark.parametrize("law", LAWS[1:])
def test_series_are_those_of_the_integrals(law: str) -> None:
    f = series(f"Integral(1 - (1 - {law})^n, (t, 0, oo))")
    ratios = []
    for n in (mp.mpf(10) ** 6, mp.mpf(10) ** 24):
        level, above = mp.mpf(0), mp.mpf(10) ** 4
        for _ in range(60):
            middle = (level + above) / 2
            level, above = (middle, above) if n * number(law, t=middle) > 1 else (level, middle)
        with mp.workdps(40):
            value = mp.quad(lambda t, n=n: -mp.expm1(n * mp.log1p(-number(law, t=t))), [0, level / 4, level / 2, level, 2 * level, 6 * level])

        def size(g, n=n):
            depths = (n, mp.log(n), mp.log(mp.log(n)))
            return mp.fprod(depths[d] ** number(str(to_term(e))) for (_, d), e in g.powers)

        told = sum((number(str(to_term(c))) * size(g) for c, g in f.terms), mp.mpf(0))
        ratios.append(abs(told - value) / sum(size(g) for g in f.rest))
    assert max(ratios) < 6, ratios


@pytest.mark.parametrize("law", [
    "2*exp(-t)", "(1 + 2*t)*exp(-t)", "t*exp(-t)", "(1 - t/2)*exp(-t)", "2*erfc(t)", "exp(-t)*erfc(t)", "(1 + t)^(-1/2)", "-exp(-t)",
    "exp(t)", "(1 + t)*exp(-t^2)", "exp(-t) + exp(-2*t)", "exp(-1/t)", "(1 + t^(3/2))*exp(-t)", "t^2*erfc(t)",
])  # fmt: skip
def test_another_law_is_refused(law: str) -> None:
    with pytest.raises(Refused):
        series(f"Integral(1 - (1 - {law})^n, (t, 0, oo))")


@pytest.mark.parametrize("text", [
    "Integral(2 - (1 - exp(-t^2))^n, (t, 0, oo))", "Integral(1 - (1 - exp(-t^2))^(1/n), (t, 0, oo))",
    "Integral(1 - (1 - exp(-t^2))^n - exp(-t^2)^n, (t, 0, oo))", "Integral(1 - (1 - exp(-t^2))^n, (t, 1, oo))",
    "Integral(t - t*(1 - exp(-t^2))^n, (t, 0, oo))", "Integral(n - (1 - exp(-t^2))^n, (t, 0, oo))",
])  # fmt: skip
def test_an_integral_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        series(text)


NEAR = "(1 + 10^(-200))"
TRUE = [
    ("Integral(1 - (1 - exp(-t))^n, (t, 0, oo)) = {}*harmonic(n)", "whole n >= 1"),
    ("Integral(1 - x^n, (x, 0, 1)) = {}*n/(n + 1)", "whole n >= 1"),
    ("Integral(n*t*exp(-t)*(1 - exp(-t))^(n - 1), (t, 0, oo)) = {}*harmonic(n)", "whole n >= 1"),
]
TENDING = [
    "Integral(1 - (1 - exp(-t))^n, (t, 0, oo)) = log(n) + {}*EulerGamma + O(1/n)",
    "Integral(1 - (1 - exp(-t^2))^n, (t, 0, oo)) ~ {}*sqrt(log(n))",
    "n*Integral(1 - (1 - (1 + t)*exp(-t))^n, (t, 0, oo)) = n*log(n) + n*log(log(n)) + {}*EulerGamma*n + o(n)",
    "Integral(1 - (1 - erfc(x/sqrt(2))/2)^n - (erfc(x/sqrt(2))/2)^n, (x, 0, oo)) = "
    "sqrt(2*log(n)) - (log(log(n)) + log(4*pi) - {}*2*EulerGamma)/(2*sqrt(2*log(n))) + o(1/sqrt(log(n)))",
]


@pytest.mark.parametrize("text", [*(f"{said} for {where}" for said, where in TRUE), *(f"{one} as whole n -> oo" for one in TENDING)])
def test_what_holds_is_proved_and_what_is_off_by_a_little_is_not(text: str) -> None:
    assert theorem(read_statement(text.replace("{}", "1")), True).holds
    for factor in (NEAR, "(1 - 10^(-200))", "(-1)"):
        other = read_statement(text.replace("{}", factor))
        with pytest.raises(Refused):
            theorem(other, True)
        if "->" in text:
            assert not theorem(other, False).holds


def test_a_point_at_which_a_closed_form_fails_is_found() -> None:
    body = "1 - (1 - exp(-t))^n - n*exp(-t)*(1 - exp(-t))^(n - 1)"
    for off in ("1/n", f"{NEAR}"):
        said = read_statement(f"Integral({body}, (t, 0, oo)) = harmonic(n) - {off} for whole n >= 1")
        assert not theorem(said, False).holds
