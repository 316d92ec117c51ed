"""Series of functions where their argument tends, as the table says them: :mod:`asymp.functions.series`.

>>> from asymp.scale import Growth, Regime
>>> n = sp.Symbol("n", positive=True)
>>> said(Expander(Regime.single(n), 1), "erfc", "oo", Expansion.of(Growth.of(n)))
exp(-n**2)/(sqrt(pi)*n) - exp(-n**2)/(2*sqrt(pi)*n**3) + O(exp(-n**2)/n**5)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.expand.engine import Expander
from asymp.expansion import Expansion, Refused
from asymp.functions.series import SeriesAt, Terms, at
from asymp.parse import parse_expression

LETTERS = {letter: sp.Dummy(letter, real=True) for letter in "abckmpsvx"}
Values = Mapping[str, sp.Expr]


@uncounted
@lru_cache(maxsize=1_000)
def _parsed(text: str) -> sp.Expr:
    return parse_expression(text, LETTERS)


def read(text: str, put: Values) -> sp.Expr:
    """A text of the table with expressions for its letters."""
    found = _parsed(text)
    if found.has(sp.Sum):
        found = found.xreplace({LETTERS["k"]: put["k"]}).doit()
    return found.xreplace({LETTERS[letter]: value for letter, value in put.items() if letter in LETTERS})


def said(expander: Expander, name: str, where: str, *arguments: sp.Expr | Expansion) -> Expansion:
    """The series of a function at a place, where the argument that is an expansion is known to tend there."""
    for one in at(name):
        if one.at == where and len(one.arguments) == len(arguments):
            given = (_letter(expander, one, value) if isinstance(value, Expansion) else value for value in arguments)
            pairs = dict(zip(one.arguments, given, strict=True))
            if all(letter.isalpha() or value == sp.Rational(letter) for letter, value in pairs.items()):
                return _by(expander, one, pairs)
    raise Refused(f"no series of {name} at {where}")


def _letter(expander: Expander, one: SeriesAt, x: Expansion) -> sp.Expr:
    """What stands for x: below 0 it is -y, since SymPy writes erfc(-y) as 2 - erfc(y), and that for x is the series itself."""
    return -expander.standing_for(x.scaled(-1)) if one.at.startswith("-") or one.at == "0-" else expander.standing_for(x)


def _by(expander: Expander, one: SeriesAt, put: Values) -> Expansion:
    if one.sums:
        expander.note(f"series of {one.name}", _shown(one), f"DLMF {one.source}")
    parts = [_sum(expander, part, put) for part in one.sums]
    return Expansion.sum([expander(read(one.plus, put)), *parts] if one.plus != "0" else parts)


def coefficients(part: Terms, put: Values, last: int) -> list[sp.Expr]:
    """Those of 1, u, ..., u^last."""
    return [read(part.at(k), {**put, "k": sp.Integer(k)}) if k >= part.first else sp.S.Zero for k in range(last + 1)]


def _sum(expander: Expander, part: Terms, put: Values) -> Expansion:
    last = part.last(expander.order)
    head = expander(read(part.head, put))
    if not part.step:
        terms = [expander(c) for c in coefficients(part, put, last + 1)[part.first :]]
        return head * Expansion.sum([*terms[:-1], terms[-1].tail(1)])
    step = expander(read(part.step, put))
    if not step.terms and not step.remainder:
        return head * expander(coefficients(part, put, 0)[0])
    if not part.rest:
        return head * step.series(coefficients(part, put, last))
    total, power = Expansion({}), Expansion.constant(1)
    for c in coefficients(part, put, last):
        total, power = total + expander(c) * power, power * step
    return head * (total + expander(read(part.rest, {**put, "k": sp.Integer(last + 1)})).tail(1))


def _shown(one: SeriesAt) -> str:
    """The series in LaTeX."""
    plain = {letter: sp.Symbol(letter, real=True) for letter in LETTERS}

    def tex(text: str) -> str:
        return str(sy.latex(_parsed(text).xreplace({LETTERS[a]: s for a, s in plain.items()})))

    parts = [tex(one.plus)] if one.plus != "0" else []
    for part in one.sums:
        head = "" if part.head == "1" else tex(part.head)
        step = rf"\left({tex(part.step)}\right)^k" if part.step else ""
        parts.append(rf"{head} \sum_k \left({tex(part.at(part.first))}\right) {step}")
    return rf"{tex(one.of)} \sim {' + '.join(parts)}"
