"""A problem: what is asked, the true answer, and an exact value that does not come from asymp."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp

from benchmarks.capability.evaluate import evaluate, parse

Point = Mapping[str, mp.mpf]


@dataclass(frozen=True)
class Case:
    """The answer at given values of the parameters: its first terms, larger ones first, and the term after them.

    ``next`` is empty where what is left is smaller than every power (or nothing).
    """

    at: Mapping[str, str]
    terms: tuple[str, ...]
    next: str = ""


@dataclass(frozen=True)
class Fit:
    """Values at moderate n, from which the coefficients of ``gauge * basis`` are found by linear algebra.

    ``values`` maps whole numbers n and the parameters to the exact quantity; ``basis(j)`` is the j-th
    function; the first of them are the problem's terms.
    """

    gauge: str
    basis: Callable[[int], str]
    values: Callable[..., list[mp.mpf]]
    count: int = 26
    first: int = 3000
    step: int = 700


@dataclass(frozen=True)
class Problem:
    """One question.

    Attributes:
        id: ``kind-NN``.
        kind: the kind, a row of the table.
        source: the book, paper or sequence it is from.
        text: the expression, in asymp's (SymPy's) names; for an equation ``F = G``; a statement for a decision.
        to: the limit, as ``asymp expand --to`` takes it.
        cases: the true answer, a case for each choice of the parameters that is tried.
        value: the exact quantity, from the values of the variables and parameters, at any precision.
        fit: the other way to the truth (see :class:`Fit`); either this or ``value``.
        sizes: the numbers N at which values and answers are compared; ``x->0+`` has x = 1/N.
        digits: working precision.
        assume: assumptions for asymp.
        unknown: the unknown of an equation.
        holds: for a decision, whether the statement is true.
        ratio: for a decision, the quotient of its sides as text, and its limit.
        ways: a system's commands where the standard ones do not fit: system -> commands.
        scales: where variables are not N, N^2, ...: variable -> text in N, for ``sizes`` of N.
        compare: the sizes for answers, where those of the truth would lose digits.
        offset: the first term, where the exact value is given without it (1 - 10^(-10^65) has no digits to spare).
    """

    id: str
    kind: str
    source: str
    text: str
    to: str
    cases: tuple[Case, ...] = ()
    value: Callable[..., mp.mpf] | None = None
    fit: Fit | None = None
    sizes: tuple[str, ...] = ("1e33", "1e66")
    digits: int = 420
    assume: tuple[str, ...] = ()
    unknown: str = ""
    holds: bool | None = None
    ratio: str = ""
    limit: str = ""
    scales: Mapping[str, str] = field(default_factory=dict)
    compare: tuple[str, ...] = ()
    offset: str = ""
    ways: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def order(self) -> int:
        """How many terms are asked for."""
        return max((len(case.terms) for case in self.cases), default=1)

    @property
    def variable(self) -> str:
        """The first variable that has a limit."""
        return self.limits[0][0]

    @property
    def limits(self) -> list[tuple[str, str]]:
        """Variables and their limits."""
        parts = [part.strip() for part in self.to.split(",")]
        return [(a.strip(), b.strip()) for a, b in (p.split("->") for p in parts if "->" in p)]

    @property
    def ties(self) -> list[tuple[str, str]]:
        """Variables that are expressions in others."""
        parts = [part.strip() for part in self.to.split(",")]
        return [(a.strip(), b.strip()) for a, b in (p.split("=", 1) for p in parts if "->" not in p)]

    def point(self, size: str, case: Case | None = None) -> dict[str, mp.mpf]:
        """Values of all variables and parameters; several variables take N, N^2, ..."""
        big = evaluate(parse(size), {})
        found = {name: evaluate(parse(text), {}) for name, text in (case.at.items() if case else ())}
        found["N"] = big
        for power, (name, target) in enumerate(self.limits, 1):
            large = evaluate(parse(self.scales[name]), {"N": big}) if name in self.scales else big**power
            if target == "oo":
                found[name] = large
            elif target == "-oo":
                found[name] = -large
            else:
                found[name] = evaluate(parse(target[:-1]), {}) + (1 if target[-1] == "+" else -1) / large
        for name, text in self.ties:
            found[name] = evaluate(parse(text), found)
        return found

    def number(self, expr: sp.Expr, point: Point) -> mp.mpf:
        """A formula at a point; x near a number other than 0 is put in as 1 - 1/N, so that 1 - x keeps its digits."""
        for power, (name, target) in enumerate(self.limits, 1):
            big = parse(self.scales[name]) if name in self.scales else sp.Symbol("N", positive=True) ** power
            if target[-1] in "+-" and target[:-1] != "0":
                near = sp.Rational(target[:-1]) + (1 if target[-1] == "+" else -1) / big
                expr = expr.subs(sp.Symbol(name, positive=True), near)
        return evaluate(expr, point)

    def exact(self, point: Point) -> mp.mpf:
        """The quantity itself."""
        assert self.value is not None
        names = inspect.signature(self.value).parameters
        return self.value(**{name: point[name] for name in names if name in point})


def names(text: str) -> set[str]:
    """The identifiers in a text."""
    return set(re.findall(r"[A-Za-z_]\w*", text))


def numbered(kind: str, found: Sequence[dict[str, Any]]) -> list[Problem]:
    """Problems of a kind with their numbers.  ``terms``, ``next``, ``at`` are a shorthand for cases that share terms."""
    problems = []
    for number, entry in enumerate(found, 1):
        more = dict(entry)
        terms, following = tuple(more.pop("terms", ())), more.pop("next", "")
        places = more.pop("at", ({},))
        if terms:
            more["cases"] = tuple(Case(place, terms, following) for place in places)
        problems.append(Problem(id=f"{kind}-{number:02d}", kind=kind, **more))
    return problems
