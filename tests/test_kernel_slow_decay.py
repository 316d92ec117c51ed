"""The rule slow decay: against quadrature, and each side condition by itself."""

from __future__ import annotations

import re
from typing import Any

import mpmath
import pytest
from witnessed import along

from asymp.kernel import terms
from asymp.kernel.growths import logarithmic
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.field import to_term
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

N = {"scales": {"s": "n"}, "values": {"n": "s"}}
P = {"scales": {"s": "1/p"}, "values": {"p": "1/s"}}


def shown(text: str, **data: Any) -> Theorem:
    """The theorem of the rule, with n or 1/p itself as what tends to infinity."""
    return apply("slow decay", statement=text, **{"place": P if "p -> 0" in text else N, "order": 2, **along(text), **data})


HOLDS = [
    "Integral((1 - p)^b/b, (b, 1, oo)) = log(1/p) - EulerGamma + O(p*log(1/p)) as p -> 0+",
    "Integral(exp(-p*t), (t, 1, oo)) = 1/p - 1 + O(p) as p -> 0+",
    "Integral((1 - p)^i*log(i)/i, (i, 1, oo)) = log(1/p)^2/2 - EulerGamma*log(1/p) + EulerGamma^2/2 + pi^2/12 + O(p*log(1/p)^2)"
    " as p -> 0+",
    "Integral(exp(-t/n)*log(t), (t, 1, n)) = n*(1 - exp(-1))*log(n) + n*(-EulerGamma - E1(1)) + O(log(n)) as n -> oo",
    "Integral(exp(-t/n)/t, (t, 1, 2*n)) = log(n) - EulerGamma - E1(2) + O(log(n)/n) as n -> oo",
    "Integral(exp(-t/n^2)*log(t)/t, (t, 1, n)) = log(n)^2/2 + O(log(n)/n) as n -> oo",
    "Integral(exp(-t/n)*harmonic(t)/t, (t, 1, oo)) = log(n)^2/2 + O(1) as n -> oo",
    "Integral(n*exp(-t/n)*log(t)^2, (t, 1, oo)) = n^2*((log(n) - EulerGamma)^2 + pi^2/6) + O(n) as n -> oo",
]


@pytest.mark.parametrize("text", HOLDS)
def test_what_holds_and_what_is_a_little_larger(text: str) -> None:
    found = shown(text)
    assert found.holds and not any(one.startswith("engine") for one in found.trusts)
    assert replay(certificate(found)).statement == found.statement
    left, _, kept = text.partition(" = ")
    for wrong in (f"{left} = (1 + 10^(-200))*({kept.replace(' + O', ') + O', 1)}", f"{left} = 2*({kept.replace(' + O', ') + O', 1)}"):
        with pytest.raises(Refused, match="the expansion does not show it"):
            shown(wrong)


@pytest.mark.parametrize("text", [
    "Integral((1 - p)^b/b, (b, 1, oo)) = log(1/p) + EulerGamma + O(p*log(1/p)) as p -> 0+",
    "Integral(exp(-p*t)/t, (t, 1, oo)) = log(1/p) - EulerGamma + O(p^2) as p -> 0+",  # + p
    "Integral(exp(-t/n)*log(t)/t, (t, 1, oo)) = (log(n) - EulerGamma)^2/2 + pi^2/6 + O(log(n)/n) as n -> oo",
    "Integral(exp(-t/n)/t, (t, 1, 2*n)) = log(n) - EulerGamma - E1(3) + O(log(n)/n) as n -> oo",
    "Integral(exp(-t/n)/t, (t, 1, 2*n)) = log(n) - EulerGamma - E1(2) + O(1/n^2) as n -> oo",
    "Integral(exp(-t/n^2)*log(t)/t, (t, 1, n)) = log(n)^2/2 + O(log(n)/n^2) as n -> oo",
    "Integral(exp(-t/n)*harmonic(t)/t, (t, 1, oo)) = log(n)^2/2 + EulerGamma^2/2 + O(1/n) as n -> oo",
])  # fmt: skip
def test_what_is_not_so(text: str) -> None:
    for order in (2, 3):
        with pytest.raises(Refused, match="the expansion does not show it"):
            shown(text, order=order)


def value(f: Series, n: Any) -> tuple[Any, Any]:
    """The terms of a series in s, and its remainder, at s = n."""
    names = {"pi": mpmath.pi, "EulerGamma": mpmath.euler, "zeta": mpmath.zeta, "exp": mpmath.exp, "log": mpmath.log,
             "uppergamma": mpmath.gammainc, "E": mpmath.e}  # fmt: skip
    names["GammaDerivative"] = lambda k, a, x: mpmath.quad(lambda v: mpmath.exp(-v) * v ** (a - 1) * mpmath.log(v) ** int(k), [x, x + 2, 200])

    def number(c: Any) -> Any:
        text = re.sub(r"(\d+)", r"mpf(\1)", str(to_term(c)).replace("^", "**"))
        return eval(text, {"__builtins__": {}}, {**names, "mpf": mpmath.mpf})

    def size(g: Any) -> Any:
        assert not g.exponent
        return mpmath.fprod((n if depth == 0 else mpmath.log(n)) ** number(e) for (_, depth), e in g.powers)

    return sum(number(c) * size(g) for c, g in f.terms), sum(size(g) for g in f.rest)


@pytest.mark.parametrize("over", ["", "/t"])
@pytest.mark.parametrize("logarithms", [0, 1, 2, 3])
@pytest.mark.parametrize(("rate", "end"), [("1/s", "oo"), ("-log(1 - 1/s)", "oo"), ("2/s", "3*s"), ("log(1 + 1/s)", "s + 2"), ("s^(-2)", "s")])
def test_expansions_against_quadrature(rate: str, end: str, logarithms: int, over: str) -> None:
    """What is left of the integral is at most a multiple of the remainder."""
    body = "".join(["exp(-(RATE)*t)", "*log(t)" * logarithms, over])
    term = terms.read(f"Integral({body.replace('RATE', rate)}, (t, 1, {end}))")
    found = logarithmic.expansion(term, Expander(Algebra(Domain(), 2), {"s": 0}, {}))
    with mpmath.workdps(25):
        ratios = []
        for n in map(mpmath.mpf, (10**4, 10**6)):
            q = {"1/s": 1 / n, "-log(1 - 1/s)": -mpmath.log1p(-1 / n), "2/s": 2 / n, "log(1 + 1/s)": mpmath.log1p(1 / n), "s^(-2)": n**-2}[rate]
            last = {"oo": 80 / q, "3*s": 3 * n, "s + 2": n + 2, "s": n}[end]

            def integrand(x: Any, q: Any = q) -> Any:  # t = e^x
                return mpmath.exp(-q * mpmath.exp(x)) * x**logarithms * (1 if over else mpmath.exp(x))

            cuts = mpmath.linspace(0, mpmath.log(last), 25)
            exact = mpmath.quad(integrand, cuts)
            kept, rest = value(found, n)
            ratios.append(abs(exact - kept) / rest)
            assert abs(exact - kept) < abs(exact) / 10
        assert ratios[1] < 2 * ratios[0] + 1e-6 and ratios[1] < 50


@pytest.mark.parametrize(("text", "why"), [
    ("Integral(exp(-t/n), (t, 1, oo)) = n + o(n)", "an expansion with a remainder O"),
    ("2*Integral(exp(-t/n), (t, 1, oo)) = 2*n + O(1)", "an integral from 1 on is wanted"),
    ("Integral(exp(-t/n), (t, 0, oo)) = n + O(1)", "an integral from 1 on is wanted"),
    ("Integral(exp(-t*t_of_the_integral/n), (t, 1, oo)) = n + O(1)", "an integral from 1 on is wanted"),
    ("Integral(exp(-t), (t, 1, oo)) = exp(-1) + O(1/n)", "a rate that is not seen to tend to 0"),
    ("Integral(exp(-t*n), (t, 1, oo)) = 0 + O(1/n)", "a rate that is not seen to tend to 0"),
    ("Integral(exp(t/n), (t, 1, n)) = n*(E - 1) + O(1)", "a rate that is not seen to tend to 0"),
    ("Integral((1 + 1/n)^t, (t, 1, n)) = n*(E - 1) + O(1)", "a rate that is not seen to tend to 0"),
    ("Integral(1/t, (t, 1, n)) = log(n) + O(1)", "no term that leads"),
    ("Integral((-1/n)^t, (t, 1, n)) = 0 + O(1)", "may be negative"),
    ("Integral(exp(-t^2/n), (t, 1, oo)) = 0 + O(n)", "an integrand with exp"),
    ("Integral(exp(-t*log(t)/n), (t, 1, oo)) = 0 + O(n)", "an exponent that is no multiple"),
    ("Integral(exp(-t/n)/t^2, (t, 1, oo)) = 1 + O(log(n)/n)", "an integrand with power"),
    ("Integral(exp(-t/n)*log(t)^(-1), (t, 1, oo)) = 0 + O(n)", "an integrand with power"),  # which diverges at 1
    ("Integral(exp(-t/n)*sin(t), (t, 1, oo)) = 0 + O(n)", "an integrand with sin"),
    ("Integral(exp(-t/n)*log(t)^7, (t, 1, oo)) = 0 + O(n^2)", "an integrand with power"),
    ("Integral(exp(-t/n)*log(t)^5*log(t)^5, (t, 1, oo)) = 0 + O(n^2)", "many logarithms"),
    ("Integral(exp(-t/n)*harmonic(t), (t, 1, oo)) = n*log(n) + O(n)", "that nothing divides"),
    ("Integral(exp(-t/n)*harmonic(t)*harmonic(t)/t, (t, 1, oo)) = 0 + O(n)", "an integrand with harmonic"),
    ("Integral(exp(-t/n)/t, (t, 1, 5)) = log(5) + O(1/n)", "an end that is not seen to tend to infinity"),
    ("Integral(exp(-t/n)/t, (t, 1, -n)) = 0 + O(1)", "an end that is not seen to tend to infinity"),
    ("Integral(exp(-t/n)/t, (t, 1, n^2)) = log(n) - EulerGamma + O(1/n)", "a multiple of 1/q, or less"),
])  # fmt: skip
def test_what_is_refused(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        shown(f"{text} as n -> oo")


def test_the_search_asks_the_rule() -> None:
    found = theorem(read_statement("Integral((1 - p)^b*log(b)^2/b, (b, 1, oo)) ~ log(1/p)^3/3 as p -> 0+"), True)
    assert "slow decay" in [step["rule"] for step in certificate(found)] and not any(one.startswith("engine") for one in found.trusts)
