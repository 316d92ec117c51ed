"""Random quantities, expanded, against mpmath: ``python -m benchmarks.soundness.fuzz [--family F] [--count N] [--seed S]``.

An expansion P + O(R) of f is contradicted where |f - P|/R keeps growing at three sizes of n (a power, a logarithm and
an iterated logarithm all do), or, for an exact one, where f - P is not 0.  Parameters take many values in each case
of the answer, the ends and crossings among them.  Values are found without asymp: mpmath's functions, sums term by
term, integrals by quadrature with the extrema of the exponent as break points.  What is flagged is for a person to
look at; exit 1 if anything is.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any

import mpmath as mp
import sympy as sp

from asymp.check.expansion import expand_text
from asymp.parse import ParseError, parse_expression
from benchmarks.by_mpmath import BY_MPMATH

LIMIT = 45
"""Seconds for one expansion."""
GROWS = 1.2
"""|f - P|/R may not grow by this factor from each size to the next, over the last three."""


class _Late(BaseException):
    pass


@dataclass(frozen=True)
class Problem:
    """A quantity to expand, how to compute it, and where.

    ``value(n, parameters)`` is the quantity at the current precision.
    """

    text: str
    value: Callable[[Any, Mapping[str, Any]], Any]
    sizes: tuple[str, ...]
    digits: int
    to: str = "n->oo"
    assume: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    equation: str | None = None
    inverse: bool = False
    """Whether the variable is 1/n: x -> 0+."""
    order: int = 3
    special: tuple[str, ...] = ("1/4", "1/2", "1", "3/2", "2", "5/2", "3", "4")
    noise: float = field(default=1e-12)
    """Relative error that the value may have (quadrature)."""


# --- families ----------------------------------------------------------------------------------------------------


def _pick(rng: random.Random, *items: str) -> str:
    return rng.choice(items)


def _number(rng: random.Random) -> str:
    return _pick(
        rng, "1", "2", "3", "1/2", "1/3", "2/3", "3/2", "5", "7/4", "-1", "-2", "-1/2", "pi", "sqrt(2)", "log(2)"
    )


def _atom(rng: random.Random, parameter: bool) -> str:
    choices = [
        "n",
        "n",
        "n^2",
        "sqrt(n)",
        "n^(1/3)",
        "1/n",
        "n^(-1/2)",
        "log(n)",
        "log(n)^2",
        "log(log(n))",
        "1/log(n)",
        "exp(-n)",
        "n*log(n)",
        "n^(3/2)",
        "n^(-2)",
        "1",
    ]
    if parameter:
        choices += ["n^a", "n^(1-a)", "n^(-a)", "a*n", "a", "(a-1)*n", "n^(2-a)*log(n)", "log(n)^a"]
    return rng.choice(choices)


def _tree(rng: random.Random, depth: int, parameter: bool) -> str:
    if depth == 0 or rng.random() < 0.15:
        return _atom(rng, parameter)
    kind = rng.random()
    if kind < 0.3:
        sign = _pick(rng, "+", "+", "-")
        return f"({_tree(rng, depth - 1, parameter)} {sign} {_tree(rng, depth - 1, parameter)})"
    if kind < 0.45:
        return f"({_tree(rng, depth - 1, parameter)})*({_tree(rng, depth - 1, parameter)})"
    if kind < 0.55:
        return f"({_tree(rng, depth - 1, parameter)})/({_tree(rng, depth - 1, parameter)})"
    if kind < 0.6:
        return f"({_tree(rng, depth - 1, parameter)})^({_number(rng)})"
    if kind < 0.63:
        return f"(1+{_pick(rng, '1/n', '1/sqrt(n)', '1/n^2', 'log(n)/n', '-1/n', '2/n')})^({_tree(rng, depth - 1, parameter)})"
    name = _pick(
        rng,
        "log",
        "exp",
        "sqrt",
        "harmonic",
        "log(gamma",
        "digamma",
        "LambertW",
        "erfc",
        "erf",
        "E1",
        "Ei",
        "li",
        "sin",
        "cos",
        "tanh",
        "atan",
        "polygamma(1",
        "gamma",
        "cosh",
        "sinh",
        "asinh",
        "zeta(2",
        "polylog(2",
        "uppergamma(2",
        "uppergamma(1/2",
        "lowergamma(3/2",
        "binomial",
        "tan",
        "acosh",
        "zeta",
        "Max",
        "Min",
        "besseli(0",
        "besselk(1",
    )
    inner = _tree(rng, depth - 1, parameter)
    if name in ("binomial",):
        return f"binomial({inner}, {_pick(rng, '2', '3', '1/2', 'n', inner + '/2')})"
    if name in ("Max", "Min"):
        return f"{name}({inner}, {_tree(rng, depth - 1, parameter)})"
    if "(" in name:
        head, argument = name.split("(")
        if head == "log":
            return f"log(gamma({inner}))"
        return f"{head}({argument}, {inner})"
    return f"{name}({inner})"


def closed(rng: random.Random) -> Problem:
    """Elementary and special functions of n, and perhaps a parameter."""
    parameter = rng.random() < 0.4
    text = "n"
    while text.count("(") < 3:  # what holds no function is too easy
        text = _tree(rng, rng.choice((2, 2, 3)), parameter)
    assume: tuple[str, ...] = ()
    if parameter and rng.random() < 0.5:
        assume = (_pick(rng, "a>1", "0<a<1", "a>2", "1<a<2", "a>1/2"),)
    if rng.random() < 0.2:  # the same near 0
        text = re.sub(r"\bn\b", "(1/x)", text)
        return Problem(
            text,
            _closed_value(text, "x"),
            ("1e10", "1e30", "1e90"),
            1500,
            "x->0+",
            assume,
            ("a",) if parameter else (),
            inverse=True,
            order=rng.choice((1, 2, 3, 4)),
        )
    return Problem(
        text,
        _closed_value(text, "n"),
        ("1e10", "1e30", "1e90"),
        1500,
        "n->oo",
        assume,
        ("a",) if parameter else (),
        order=rng.choice((1, 2, 3, 4)),
    )


def _closed_value(text: str, variable: str) -> Callable[[Any, Mapping[str, Any]], Any]:
    def value(n: Any, parameters: Mapping[str, Any]) -> Any:
        return evaluate(text, {variable: n, **parameters})

    return value


@lru_cache(maxsize=5000)
def _compiled(text: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
    names = {
        s: sp.Symbol(s, positive=True)
        for s in re.findall(r"[^\W\d]\w*", text)
        if s in ("n", "x", "a", "b", "c", "rho", "theta", "y", "t", "k", "v")
    }
    expr = parse_expression(text, names)
    free = tuple(sorted(expr.free_symbols, key=str))
    return tuple(str(s) for s in free), sp.lambdify(free, expr, modules=[BY_MPMATH, "mpmath"])


def evaluate(text: str, at: Mapping[str, Any]) -> Any:
    """The value of a text at mpmath numbers."""
    names, function = _compiled(text)
    return function(*[at[name] for name in names])


def _top(rng: random.Random) -> tuple[str, Callable[[int], int]]:
    return rng.choice((("n", lambda n: n), ("n", lambda n: n), ("n-1", lambda n: n - 1), ("2*n", lambda n: 2 * n),
                       ("n+1", lambda n: n + 1), ("3*n", lambda n: 3 * n), ("2*n-1", lambda n: 2 * n - 1)))  # fmt: skip


def sums(rng: random.Random) -> Problem:
    """Sums over k, term by term."""
    summand = rng.choice((
        "k^a", "k^(-a)", "k^(a-1)", "1/k", "1/k^2", "sqrt(k)", "1/sqrt(k)", "k^(1/3)", "log(k)", "k*log(k)",
        "log(k)/k", "log(k)^2",
        "log(k)/k^2", "log(k)*sqrt(k)", "1/(k+1/2)", "1/(k+a)", "1/(k*(k+1))", "1/(k*(k+2))", "1/(k^2+1)", "k/(k^2+1)",
        "harmonic(k)", "harmonic(k)/k", "k*harmonic(k)", "harmonic(k)^2", "2^k", "2^k/k", "2^k*k", "(1/2)^k", "(1/2)^k/k",
        "k^2*3^k", "2^k/k^2", "2^k*sqrt(k)", "(1/3)^k*k^a", "exp(-k/n)", "exp(-k/n)/k", "k*exp(-k/n)", "exp(-k^2/n)",
        "exp(-k^2/n)/k", "(1-1/n)^k", "(1-1/n)^k/k", "(1-1/n)^k*k", "(1-1/sqrt(n))^k", "(1-1/n^2)^k/k", "(1+1/n)^k",
        "binomial(n,k)", "binomial(n,k)*2^k", "binomial(n,k)/(k+1)", "binomial(n,k)*k", "binomial(n,k)^2",
        "binomial(n,k)/2^n*log(k+1)",
        "1/(n+k)", "1/(n^2+k^2)", "n/(n^2+k^2)", "1/sqrt(n^2+k)", "k/(n+k)", "log(1+k/n)", "1/(k*(n-k+1))", "sqrt(k*(n-k+1))",
        "k^a*(n-k+1)^a", "1/(k*log(k))", "1/log(k)", "1/(k*log(k)^2)", "log(log(k))", "(-1)^k/k", "(-1)^k*sqrt(k)", "gamma(k)",
        "factorial(k)", "k^n/n^n", "(k/n)^n", "exp(sqrt(k))", "exp(-sqrt(k))", "k^k", "1/factorial(k)", "n^k/factorial(k)",
        "2^k*factorial(n)/(factorial(n-k)*n^k)", "factorial(n)/(factorial(n-k)*n^k)", "factorial(n)/(factorial(n-k)*n^k)*a^k",
        "a^k", "a^k/k", "a^k*k", "k^a*2^k", "(k/n)^a", "sin(k/n)", "exp(k/n)", "atan(k/n)", "log(gamma(k))", "digamma(k)",
        "k^a*log(k)", "k^(-2)*log(k)^2", "1/(k+log(k))", "sqrt(k^2+k)", "sqrt(k+a)", "exp(1/k)", "log(1+1/k)", "cos(1/k)",
    ))  # fmt: skip
    low = (
        _pick(rng, "1", "1", "1", "2", "3")
        if "log(" in summand or "(-a)" in summand
        else _pick(rng, "1", "1", "0", "2")
    )
    if low == "0" and re.search(r"/k|/\(k\*|k\^\(|sqrt|1/k|log\(k\)|gamma\(k\)|harmonic|digamma|k\^k", summand):
        low = "1"
    if re.search(r"1/log\(k\)|\(k\*log|log\(log", summand):
        low = _pick(rng, "2", "3")
    top, number = _top(rng)
    if "n-k" in summand or "binomial" in summand:
        top, number = "n", lambda n: n
    if rng.random() < 0.1 and re.search(r"exp\(-k|1/n\)\^k|n\^k/fact", summand) and "1+1/n" not in summand:
        top, number = "oo", lambda n: 60 * n if "k^2" not in summand else 12 * n
    text = f"Sum({summand}, (k, {low}, {top}))"
    if rng.random() < 0.25:
        text = f"{text}{_pick(rng, '/n', '*n', '*log(n)', ' + n', ' - log(n)', '^2', '/2^n', '*exp(1/n)')}"
    first = int(low)

    def value(n: Any, parameters: Mapping[str, Any]) -> Any:
        names, function = _compiled(summand)
        total = mp.mpf(0)
        size = int(n)
        for k in range(first, number(size) + 1):
            total += function(*[{"n": n, "k": mp.mpf(k), **parameters}[name] for name in names])
        tail = text[text.rindex("))") + 2 :]
        return evaluate(f"v{tail}", {"v": total, "n": n}) if tail else total

    parameters = ("a",) if "a" in re.sub(r"[a-z]{2,}", "", summand) else ()
    assume: tuple[str, ...] = ()
    if parameters and rng.random() < 0.5:
        assume = (_pick(rng, "a>1", "0<a<1", "a>2", "1<a<2"),)
    return Problem(
        text,
        value,
        ("64", "256", "1024", "3072"),
        60,
        "n->oo",
        assume,
        parameters,
        order=rng.choice((1, 2, 3)),
        special=("1/4", "1/2", "1", "3/2", "2", "3"),
    )


def integrals(rng: random.Random) -> Problem:
    """Laplace and Watson: int g(t) exp(-n h(t)) dt."""
    phase = rng.choice((
        "t", "t", "t^2", "t^3", "t^4", "(t-1/2)^2", "t*(1-t)", "cosh(t)", "t-log(1+t)", "t^2*(1+t)", "(t^2-1)^2",
        "1-cos(t)", "sqrt(t)",
        "t+t^2", "t^(3/2)", "log(1+t)", "log(1+t^2)", "(t-1)^2*(t+2)", "t^2+1/t", "t+1/t", "(1-t)^3", "exp(t)",
        "sinh(t)", "t^4-t^2",
        "t^2-t", "-t", "-t^2", "-log(t)-log(1-t)", "t-log(t)", "t^a", "(t-a)^2", "t^2-2*a*t", "sin(t)",
        "t^2*(t-1)^2", "t^2*(t-1)^2*(t+1)",
        "1/(1+t)", "-t*(1-t)", "(t-1/3)^4", "t^3-t", "sqrt(1+t^2)", "tan(t)", "t*log(t)",
    ))  # fmt: skip
    factor = rng.choice((
        "1", "1", "t", "1+t", "log(1+t)", "1/(1+t)", "sqrt(t)", "1/sqrt(t)", "log(t)", "exp(t)", "sin(t)", "cos(t)",
        "t^(a-1)", "t^a",
        "1/(1+t^2)", "t-1/2", "t^2", "(1-t)", "sqrt(1+t)", "t*log(t)", "log(t)^2", "exp(-t)", "t^(1/3)", "1/(2+t)",
        "(t-1)", "(1-t)^(1/2)",
        "(1+t)^a", "sin(t)/t", "t^3-t", "t*(1-t)", "cosh(t)", "a-t",
    ))  # fmt: skip
    low, high = rng.choice((("0", "1"), ("0", "1"), ("0", "oo"), ("0", "oo"), ("-1", "1"), ("-1", "2"), ("0", "1/2"),
    ("1", "2"), ("1", "oo"),
                            ("-2", "2"), ("-oo", "oo"), ("0", "2"), ("1/4", "3"), ("0", "pi"), ("0", "a"), ("a",
                            "oo")))  # fmt: skip
    signs = _pick(rng, "-", "-", "-", "")
    text = f"Integral({factor}*exp({signs}n*({phase})), (t, {low}, {high}))"
    if rng.random() < 0.15:
        base = phase if signs == "" else f"1/(1+{phase})"
        text = f"Integral({factor}*({base})^n, (t, {low}, {high}))"
    integrand = text[len("Integral(") : text.rindex(", (t,")]
    used = re.sub(r"[a-z]{2,}", "", text)
    parameters = ("a",) if "a" in used else ()
    assume: tuple[str, ...] = ()
    if parameters and rng.random() < 0.5:
        assume = (_pick(rng, "a>1", "0<a<1", "a>2", "1<a<2"),)

    def value(n: Any, parameters: Mapping[str, Any]) -> Any:
        names, function = _compiled(integrand)
        at = {"n": n, **parameters}

        def f(t: Any) -> Any:
            found = function(*[t if name == "t" else at[name] for name in names])
            if isinstance(found, mp.mpc):
                if abs(found.imag) > abs(found.real) * mp.mpf(10) ** -15:
                    raise ValueError("not real")
                found = found.real
            return found

        ends = [mp.mpf(evaluate(e, at)) if "oo" not in e else (mp.inf if e[0] != "-" else -mp.inf) for e in (low, high)]
        if ends[0] >= ends[1]:
            raise ValueError("an empty range")
        inner = {
            mp.mpf(x)
            for x in (
                0,
                1,
                -1,
                2,
                mp.mpf(1) / 2,
                mp.mpf(1) / 3,
                mp.sqrt(2) / 2,
                -mp.sqrt(2) / 2,
                mp.pi / 2,
                mp.pi,
                1 / mp.e,
                3,
                -3,
                6,
                -6,
                12,
            )
        }
        inner |= {parameters["a"]} if "a" in parameters else set()
        inner |= {end for end in ends if mp.isfinite(end)}
        fine = {
            x + s * c / n**e
            for x in inner
            for s in (1, -1)
            for c in (1, 5)
            for e in (mp.mpf(1) / 4, mp.mpf(1) / 3, mp.mpf(1) / 2, 1)
        }
        nodes = sorted(x for x in inner | fine if ends[0] < x < ends[1])
        total, error = mp.quad(f, [ends[0], *nodes, ends[1]], error=True)
        if not mp.isfinite(total) or error > abs(total) * mp.mpf(10) ** -14:
            raise ValueError("quadrature")
        return total

    return Problem(
        text,
        value,
        ("50", "200", "800", "3200"),
        30,
        "n->oo",
        assume,
        parameters,
        order=rng.choice((1, 2, 3)),
        noise=1e-12,
        special=("1/4", "1/2", "1", "3/2", "2", "3"),
    )


def implicit(rng: random.Random) -> Problem:
    """Roots of increasing equations F(x) = n, by bisection."""
    left, low = rng.choice((
        ("x*exp(x)", 0), ("x+log(x)", 0), ("x*log(x)", 1), ("x^x", 1), ("x^3+x", 0), ("x+sqrt(x)", 0),
        ("x^2+x*log(x)", 1), ("exp(x)+x", 0),
        ("x*log(x)*log(log(x))", 3), ("x^a*log(x)", 1), ("x^a+x", 0), ("exp(x)*x^a", 0), ("gamma(x)", 2), ("log(gamma(x))", 3),
        ("x*sinh(x)", 0), ("x*tanh(x)", 0), ("exp(x^2)*x", 0), ("exp(sqrt(x))", 0), ("x-log(x)", 1), ("x-sqrt(x)",
        1), ("x^2-x", 1),
        ("x^5+x^3", 0), ("x*exp(x)+x^2", 0), ("exp(x)/x", 1), ("x^2*exp(x)+exp(2*x)", 0), ("x/log(x)", 3), ("harmonic(x)", 1),
        ("x*harmonic(x)", 1), ("exp(x)*log(x)", 1), ("x+1/x", 1), ("x^3-3*x", 1), ("x*log(x)-x", 1),
        ("x^(1/2)+log(x)", 1), ("x+atan(x)", 0),
    ))  # fmt: skip
    right = _pick(rng, "n", "n", "n", "n^2", "log(n)", "n*log(n)", "exp(n)", "2*n", "a*n")
    equation = f"{left} = {right}"

    def value(n: Any, parameters: Mapping[str, Any]) -> Any:
        target = evaluate(right, {"n": n, **parameters})

        def f(x: Any) -> Any:
            return evaluate(left, {"x": x, **parameters}) - target

        lower, upper = mp.mpf(low) + mp.mpf(1) / 1000, mp.mpf(low) + 2
        while f(upper) < 0:
            lower, upper = upper, upper * 2 if upper < 100 else upper * 1000
            if upper > mp.mpf(10) ** 400:
                raise ValueError("no root")
        for _ in range(int(mp.mp.dps * 3.4 + mp.log(upper, 2)) + 10):
            middle = (lower + upper) / 2
            if f(middle) < 0:
                lower = middle
            else:
                upper = middle
        return (lower + upper) / 2

    parameters = ("a",) if "a" in re.sub(r"[a-z]{2,}", "", equation) else ()
    return Problem(
        "",
        value,
        ("1e12", "1e50", "1e200"),
        450,
        "n->oo",
        (),
        parameters,
        equation=equation,
        order=rng.choice((1, 2, 3, 4)),
    )


FAMILIES: Mapping[str, Callable[[random.Random], Problem]] = {
    "closed": closed, "sums": sums, "integrals": integrals, "implicit": implicit,
}  # fmt: skip


# --- the confrontation ---------------------------------------------------------------------------------------------


def _holds(condition: str, at: Mapping[str, sp.Expr]) -> bool:
    """Whether ``a<2 and a != 1`` holds at exact values."""
    for part in condition.split(" and "):
        match = re.fullmatch(r"(.+?)\s*(<=|>=|!=|<|>|=)\s*([^<>=!]+?)(?:\s*(<=|<)\s*([^<>=!]+))?", part.strip())
        if match is None:
            raise ValueError(f"condition {condition!r}")
        pieces = [match[1], match[3]] + ([match[5]] if match[5] else [])
        numbers = []
        for piece in pieces:
            expr = parse_expression(piece)
            if any(s.name not in at for s in expr.free_symbols):
                return True  # a condition on the unknown says which root is meant
            numbers.append(expr.subs({s: at[s.name] for s in expr.free_symbols}))
        for op, left, right in zip([match[2], match[4]], numbers, numbers[1:], strict=False):
            gap = sp.N(left - right, 30)
            gap = 0 if abs(gap) < 1e-25 else gap
            if not {"<": gap < 0, ">": gap > 0, "<=": gap <= 0, ">=": gap >= 0, "=": gap == 0, "!=": gap != 0}[op]:
                return False
    return True


def _values(rng: random.Random, problem: Problem) -> list[dict[str, sp.Rational]]:
    if not problem.parameters:
        return [{}]
    chosen = [sp.Rational(s) for s in problem.special] + [sp.Rational(rng.randint(3, 60), 17) for _ in range(3)]
    found = []
    for x in chosen:
        at = dict.fromkeys(problem.parameters, x)
        if all(_holds(condition, at) for condition in problem.assume):
            found.append(at)
    return found


@dataclass
class Finding:
    """What contradicts an answer."""

    problem: Problem
    answer: Mapping[str, Any]
    at: Mapping[str, Any]
    ratios: list[str]


def confront(problem: Problem, answer: Mapping[str, Any], rng: random.Random) -> tuple[list[Finding], int]:
    """The contradictions, and how many confrontations there were."""
    found: list[Finding] = []
    done = 0
    cases = answer.get("cases") or [{"when": "", **answer}]
    for at in _values(rng, problem):
        fitting = [c for c in cases if not c["when"] or _holds(c["when"], at)]
        for case in fitting[:1]:
            if "terms" not in case:
                continue
            ratios = _ratios(problem, case, at)
            if len(ratios) < 2:
                continue
            done += 1
            if _contradicts(problem, case, ratios):
                found.append(
                    Finding(problem, case, {k: str(v) for k, v in at.items()}, [mp.nstr(r, 5) for r in ratios])
                )
    return found, done


def _contradicts(problem: Problem, case: Mapping[str, Any], ratios: list[Any]) -> bool:
    if case["remainder"]["growth"] == "0":
        return any(r > mp.mpf(10) ** -20 for r in ratios)
    last = ratios[-3:]
    grows = 1.6 if problem.equation else GROWS  # powers of ln ln n over ln n are slow to fade there
    return (
        len(last) >= 2
        and last[-1] > mp.mpf(10) ** -3
        and all(b > grows * a for a, b in itertools.pairwise(last))
    )


def _ratios(problem: Problem, case: Mapping[str, Any], at: Mapping[str, sp.Rational]) -> list[Any]:
    """|f - P|/R (or over |f| where the expansion is exact) at the sizes where it is known."""
    terms, growth = list(case["terms"]), case["remainder"]["growth"]
    variable = problem.to.split("->")[0]
    found = []
    for size in problem.sizes:
        pair = []
        try:
            for digits in (problem.digits, problem.digits + 40):
                with mp.workdps(digits):
                    n = mp.mpf(size)
                    parameters = {k: mp.mpf(v.p) / v.q for k, v in at.items()}
                    x = 1 / n if problem.inverse else n
                    value = problem.value(x, parameters)
                    here = {variable: x, **parameters}
                    main = mp.fsum(evaluate(term, here) for term in terms)
                    value, main = (_real(q) for q in (value, main))
                    gap = abs(value - main)
                    if gap < abs(value) * mp.mpf(10) ** (-digits + 15):
                        gap = mp.mpf(0)
                    if problem.noise and "Integral" in problem.text and gap < 30 * abs(value) * problem.noise:
                        raise ValueError("lost in the quadrature")
                    over = abs(_real(evaluate(growth, here))) if growth != "0" else max(abs(value), mp.mpf(10) ** -300)
                    pair.append(gap / over)
                if "Integral" in problem.text or "Sum" in problem.text:
                    pair.append(pair[0])
                    break
        except (ValueError, ArithmeticError, TypeError, KeyError, OverflowError, mp.libmp.NoConvergence):
            continue
        if pair[0] == pair[1] or abs(pair[0] - pair[1]) < abs(pair[1]) / 1000:
            found.append(pair[1])
    return found


def _real(x: Any) -> Any:
    if isinstance(x, mp.mpc):
        if abs(x.imag) > abs(x.real) * mp.mpf(10) ** -20:
            raise ValueError("not real")
        return x.real
    return mp.mpf(x)


def _ring(signum: int, frame: FrameType | None) -> None:
    raise _Late


def expanded(problem: Problem) -> Mapping[str, Any]:
    """The answer, or what went wrong as {'failed': ...}."""
    signal.signal(signal.SIGALRM, _ring)
    signal.alarm(LIMIT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if problem.equation is not None:
                return expand_text(
                    None, problem.to, problem.assume, problem.order, equation=problem.equation, unknown="x"
                )
            return expand_text(problem.text, problem.to, problem.assume, problem.order)
    except _Late:
        return {"failed": "time limit"}
    except ParseError as error:
        return {"unread": str(error)}
    except SystemError:  # the ring inside a callback of compiled code
        return {"failed": "time limit"}
    except Exception as error:  # a crash is a finding of its own
        return {"failed": f"{type(error).__name__}: {error}"}
    finally:
        signal.alarm(0)


def fuzz(family: str, count: int, seed: int, verbose: bool = False) -> tuple[list[Finding], Counter[str], list[str]]:
    """Expand and confront ``count`` problems: the findings, a tally, and the failures."""
    rng = random.Random(f"{family}/{seed}")
    tally: Counter[str] = Counter()
    findings: list[Finding] = []
    failures: list[str] = []
    seen: set[str] = set()
    while sum(tally[k] for k in ("expanded", "refused", "failed", "unread")) < count and len(seen) < 50 * count:
        problem = FAMILIES[family](rng)
        key = f"{problem.text}{problem.equation}{problem.assume}{problem.order}"
        if key in seen:
            tally["repeated"] += 1
            if tally["repeated"] > 20 * count:
                break
            continue
        seen.add(key)
        begin = time.perf_counter()
        answer = expanded(problem)
        spent = time.perf_counter() - begin
        name = f"{problem.equation or problem.text} [{problem.to}; {', '.join(problem.assume)}; order {problem.order}]"
        if verbose:
            shown = (
                answer.get("refused")
                or answer.get("cases")
                or (answer.get("terms"), answer.get("remainder", {}).get("growth"))
            )
            print(f"{spent:6.1f}s {name}: {str(shown)[:300]}", flush=True)
        for kind in ("refused", "failed", "unread"):
            if kind in answer:
                tally[kind] += 1
        if "failed" in answer:
            failures.append(f"{name}: {answer['failed']}")
        if "terms" not in answer and "cases" not in answer:
            continue
        tally["expanded"] += 1
        bad, done = confront(problem, answer, rng)
        tally["confronted"] += done
        tally["not confronted"] += done == 0
        for finding in bad:
            print(
                f"CONTRADICTED: {name} at {finding.at}: {finding.answer.get('when', '')} {finding.answer['terms']} "
                f"+ O({finding.answer['remainder']['growth']}): |f - P|/R = {finding.ratios}",
                flush=True,
            )
        findings += bad
    return findings, tally, failures


def main() -> int:
    """Fuzz the families, print what contradicts, and a tally."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.soundness.fuzz",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--family", choices=sorted(FAMILIES), action="append")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    bad = 0
    for family in options.family or sorted(FAMILIES):
        findings, tally, failures = fuzz(family, options.count, options.seed, options.verbose)
        bad += len(findings)
        print(
            f"{family}: " + ", ".join(f"{k} {v}" for k, v in sorted(tally.items())) + f"; contradicted {len(findings)}",
            flush=True,
        )
        for failure in failures:
            print(f"  failed: {failure[:250]}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
