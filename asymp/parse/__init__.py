"""Text to mathematics: numbers, expressions, limits, statements, claims.  Nothing is evaluated as code.

>>> from asymp.parse import parse_expression, parse_number
>>> parse_number("1/3"), parse_expression("n^2*log(n)")
(1/3, n**2*log(n))
>>> claim("my/stirling", "log(gamma(n)) ~ n*log(n)", to="n->oo", source="me, eq. (1)").relation.kind
'equivalent'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from asymp.language.numbers import NoLimit, ParseError
from asymp.parse.statements import claim, parse_statement

if TYPE_CHECKING:
    from asymp.parse.mathematics import parse_expression
    from asymp.parse.numbers import parse_number

_SYMPY = {"parse_expression": "mathematics", "parse_number": "numbers"}
"""What answers with SymPy's objects is imported when it is asked for."""


def __getattr__(name: str) -> Any:
    if name in _SYMPY:
        return getattr(importlib.import_module(f"asymp.parse.{_SYMPY[name]}"), name)
    raise AttributeError(f"module 'asymp.parse' has no attribute {name!r}")


__all__ = [
    "NoLimit",
    "ParseError",
    "claim",
    "parse_expression",
    "parse_number",
    "parse_statement",
]
