"""Texts of the table's series as expressions: see :mod:`asymp.functions.series`.

>>> stirling_weights(2)
[0, 1/12, -1/360]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import sympy as sp

from asymp.budget import uncounted
from asymp.functions.series import Terms, at
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


def coefficients(part: Terms, put: Values, last: int) -> list[sp.Expr]:
    """Those of 1, u, ..., u^last."""
    return [read(part.at(k), {**put, "k": sp.Integer(k)}) if k >= part.first else sp.S.Zero for k in range(last + 1)]


def stirling_weights(last: int) -> list[sp.Expr]:
    """Those of x^(1 - 2k) in Stirling's series of ln Gamma, k = 0, ..., last."""
    (part,) = at("loggamma")[0].sums
    return coefficients(part, {}, last)
