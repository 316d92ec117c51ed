"""Integrals of powers, exponentials, sines and cosines by functions with names, against quadrature; each condition, where it fails."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import mpmath as mp
import pytest

from asymp.kernel import terms
from asymp.kernel.rings.named_integrals import named
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

NAMES = {"pi": mp.pi, "log": mp.log, "exp": mp.exp, "gamma": mp.gamma, "digamma": lambda x: mp.psi(0, x), "besselk": mp.besselk,
         "sin": mp.sin, "cos": mp.cos, "cosh": mp.cosh, "mpf": mp.mpf}  # fmt: skip


@lru_cache
def compiled(text: str) -> Any:
    return compile(text.replace("^", "**").replace("/", "*mpf(1)/"), text, "eval")


def number(text: str, **at: mp.mpf) -> mp.mpf:
    return mp.mpf(eval(compiled(text), {**NAMES, **at}))


def positive(term: terms.Term) -> bool:
    return number(str(term)) > 0


@pytest.mark.parametrize("seed", range(2))
def test_closed_forms_are_the_integrals(seed: int) -> None:
    draw = random.Random(f"named {seed}")
    a, b, q, s, u = (draw.choice(one) for one in (["1/2", "2", "3"], ["1/3", "1", "5/2"], ["1/2", "1", "2"], ["0", "1/2", "-1/3", "2"],
                                                  ["0", "1", "-1/2", "4"]))  # fmt: skip
    for body, high in (
        (f"3*t^({s})*exp(-{a}*t^({q}))", "oo"), (f"t^({s})*exp(-{a}*t^({q}))*log(t)", "oo"),
        (f"exp(-{a}*(t - {b}*log(t)))", "oo"), (f"t^({s} - 2)*exp(-{a}*t^({q}) - {b}*t^(-({q})))", "oo"),
        (f"exp(-{b}*cosh(t))", "oo"), (f"sin(t)^({u})*cos(t)^({s})", "pi/2"), (f"{a}*sin(t)^({u})", "pi"),
    ):  # fmt: skip
        found = number(str(named(terms.read(f"Integral({body}, (t, 0, {high}))"), positive)))
        ends = [0, 1, 4, 20, 200] if high == "oo" else [0, number(high) / 2, number(high)]
        value = mp.quad(lambda t, body=body: number(body, t=t), ends)
        assert abs(found - value) < mp.mpf(10) ** -6 * (1 + abs(value)), body


@pytest.mark.parametrize("text", [
    "Integral(t^(-1)*exp(-t), (t, 0, oo))", "Integral(exp(t), (t, 0, oo))", "Integral(t^2, (t, 0, oo))", "Integral(exp(-1/t), (t, 0, oo))",
    "Integral(exp(-t + 1/t), (t, 0, oo))", "Integral(exp(-t - 1/t^2), (t, 0, oo))", "Integral(exp(-t)*log(t)^2, (t, 0, oo))",
    "Integral(exp(-t)*log(t)*log(t), (t, 0, oo))", "Integral(exp(-t - 1/t)*log(t), (t, 0, oo))", "Integral(exp(cosh(t)), (t, 0, oo))",
    "Integral(t*exp(-cosh(t)), (t, 0, oo))", "Integral(exp(-t - cosh(t)), (t, 0, oo))", "Integral(exp(-cosh(2*t)), (t, 0, oo))",
    "Integral(sin(t)^(-1), (t, 0, pi))", "Integral(sin(t)*cos(t), (t, 0, pi))", "Integral(cos(t)^(-1), (t, 0, pi/2))",
    "Integral(sin(t), (t, 0, 1))", "Integral(t*sin(t), (t, 0, pi))", "Integral(sin(t)*exp(-t), (t, 0, oo))", "Integral(exp(-t), (t, 1, oo))",
    "Integral(exp(-t), (t, 0, 1))", "Integral(exp(-t)*t^t, (t, 0, oo))", "Integral(sin(2*t), (t, 0, pi))", "Integral(exp(t*log(t)), (t, 0, oo))",
])  # fmt: skip
def test_what_diverges_or_is_of_another_form_has_none(text: str) -> None:
    with pytest.raises(Refused):
        named(terms.read(text), positive)


@pytest.mark.parametrize(("true", "false"), [
    ("Integral(t^n*exp(-t), (t, 0, oo)) ~ gamma(n + 1) as n -> oo", "Integral(t^n*exp(-t), (t, 0, oo)) ~ gamma(n) as n -> oo"),
    ("Integral(exp(-n*cosh(t)), (t, 0, oo)) ~ sqrt(pi/(2*n))*exp(-n) as n -> oo",
     "Integral(exp(-n*cosh(t)), (t, 0, oo)) ~ sqrt(pi/n)*exp(-n) as n -> oo"),
    ("Integral(exp(-n*t - 1/t), (t, 0, oo)) ~ sqrt(pi)*n^(-3/4)*exp(-2*sqrt(n)) as n -> oo",
     "Integral(exp(-n*t - 1/t), (t, 0, oo)) ~ sqrt(pi)*n^(-3/4)*exp(-sqrt(n)) as n -> oo"),
    ("Integral((1 - t^2)^n, (t, 0, 1)) = sqrt(pi/n)/2 - 3/16*sqrt(pi)*n^(-3/2) + O(n^(-5/2)) as n -> oo",
     "Integral((1 - t^2)^n, (t, 0, 1)) = sqrt(pi/n)/2 + 3/16*sqrt(pi)*n^(-3/2) + O(n^(-5/2)) as n -> oo"),
    ("n^(1/k)*Integral(exp(-n*t^k - a*n^(1/k)*t), (t, 0, oo)) -> Integral(exp(-t^k - a*t), (t, 0, oo)) as n -> oo for a > 0, k > 1",
     "n^(1/k)*Integral(exp(-n*t^k - a*n^(1/k)*t), (t, 0, oo)) -> 0 as n -> oo for a > 0, k > 1"),
])  # fmt: skip
def test_what_holds_is_proved_and_its_neighbour_is_not(true: str, false: str) -> None:
    assert not any(one.startswith("engine") for one in theorem(read_statement(true), True).trusts)
    with pytest.raises(Refused):
        theorem(read_statement(false), True)
