"""Expansions that are asked for in text: of an expression, or of the root of an equation.

>>> expand_text("harmonic(n)", to="n->oo", order=2)["terms"]
['log(n)', 'EulerGamma']
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from asymp.check import implicit, series
from asymp.parse import ParseError

MOST_TERMS = 30
"""The time for K terms grows like K^2 or faster."""


def expand_text(
    expression: str | None,
    to: str,
    assume: Iterable[str] | str = (),
    order: int = 3,
    equation: str | None = None,
    unknown: str | None = None,
) -> dict[str, Any]:
    """The answer to ``asymp expand`` as plain data: terms, remainder, strength, seconds; or refused.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    if not 1 <= order <= MOST_TERMS:
        raise ParseError(f"--order: not in 1..{MOST_TERMS}")
    if equation is not None or expression is None:
        return implicit.expand_equation(equation or "", unknown or "", to, assume, order)
    return series.expand_expression(expression, to, assume, order)
