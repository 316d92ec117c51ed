"""Inequalities between maxima, minima and sums of real numbers, decided.

``lhs <= rhs`` under hypotheses of the same kind is a finite question: every maximum and minimum is one of its
arguments, which leaves systems of linear inequalities; the claim holds if and only if none of those with
``lhs > rhs`` has a solution (Fourier and Motzkin's elimination, over the rationals).

>>> a, b = sp.symbols("a b")
>>> implies([(0, b)], (positive(a + b), positive(a) + b))
True
>>> implies([], (positive(a + b), positive(a) + b))
False
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import sympy as sp

from asymp.claim import Step

Side = sp.Expr | int
Inequality = tuple[Side, Side]
"""(lhs, rhs): lhs <= rhs."""


class _Form(NamedTuple):
    """``constant + sum of coefficients times symbols``, >= 0, or > 0 where strict."""

    coefficients: tuple[tuple[str, Fraction], ...]
    constant: Fraction
    strict: bool


def positive(x: sp.Expr) -> sp.Expr:
    """x^+ = max(x, 0)."""
    return sp.Max(x, 0)


def implies(hypotheses: Sequence[Inequality], conclusion: Inequality) -> bool:
    """Whether ``conclusion`` holds for all real numbers that satisfy the hypotheses."""
    small, large = (sp.sympify(side) for side in conclusion)
    given = [sp.sympify(b) - sp.sympify(a) for a, b in hypotheses]
    return not any(_solvable(system) for system in _cases([(g, False) for g in given] + [(small - large, True)]))


def proved(
    rule: str, hypotheses: Sequence[Inequality], conclusions: Sequence[Inequality], latex: str, equal: bool = False
) -> Step:
    """A step of a proof: the conclusions follow from the hypotheses, as inequalities or, if ``equal``, equations.

    Raises:
        ValueError: one of them does not.
    """
    for small, large in conclusions:
        for pair in [(small, large), (large, small)] if equal else [(small, large)]:
            if not implies(hypotheses, pair):
                raise ValueError(f"{rule}: {pair[0]} <= {pair[1]} does not follow")
    return Step(rule, latex)


# --- inside -----------------------------------------------------------------------------------


def _cases(system: list[tuple[sp.Expr, bool]]) -> Iterator[list[_Form]]:
    """The linear systems into which a system of (expression, whether > 0 rather than >= 0) splits."""
    inner = next((a for e, _ in system for a in _extrema(e) if not any(_extrema(x) for x in a.args)), None)
    if inner is None:
        yield [_linear(e, strict) for e, strict in system]
        return
    for choice in inner.args:
        others = [x for x in inner.args if x is not choice]
        sign = 1 if isinstance(inner, sp.Max) else -1
        ordered = [(sign * (choice - x), False) for x in others]
        yield from _cases([(e.xreplace({inner: choice}), strict) for e, strict in system] + ordered)


def _extrema(e: sp.Expr) -> list[sp.Expr]:
    return sorted(e.atoms(sp.Max, sp.Min), key=sp.default_sort_key)


def _linear(e: sp.Expr, strict: bool) -> _Form:
    e = sp.expand(e)
    found, rest = [], e
    for symbol in sorted(e.free_symbols, key=lambda x: x.name):
        c = e.coeff(symbol)
        if not c.is_Rational:
            raise ValueError(f"{e} is not linear")
        found.append((symbol.name, Fraction(int(c.p), int(c.q))))
        rest -= c * symbol
    rest = sp.expand(rest)
    if not rest.is_Rational:
        raise ValueError(f"{e} is not linear")
    return _Form(tuple(found), Fraction(int(rest.p), int(rest.q)), strict)


def _solvable(system: list[_Form]) -> bool:
    """Whether the linear inequalities have a common solution."""
    rows = [(dict(form.coefficients), form.constant, form.strict) for form in system]
    while True:
        names = {name for coefficients, _, _ in rows for name, c in coefficients.items() if c}
        if not names:
            return all(constant > 0 if strict else constant >= 0 for _, constant, strict in rows)
        name = min(names, key=lambda x: (sum(bool(row[0].get(x)) for row in rows), x))
        above = [row for row in rows if row[0].get(name, 0) > 0]
        below = [row for row in rows if row[0].get(name, 0) < 0]
        kept = [row for row in rows if not row[0].get(name)]
        for up, up_constant, up_strict in above:
            for down, down_constant, down_strict in below:
                x, y = -down[name], up[name]
                keys = (set(up) | set(down)) - {name}
                mixed = {key: x * up.get(key, 0) + y * down.get(key, 0) for key in keys}
                kept.append((mixed, x * up_constant + y * down_constant, up_strict or down_strict))
        rows = kept
