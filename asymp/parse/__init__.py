"""Text to mathematics: numbers, expressions, limits, statements, claims.  Nothing is evaluated as code.

>>> from asymp.parse import parse_expression
>>> parse_expression("n^2*log(n)")
n**2*log(n)
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


def __getattr__(name: str) -> Any:
    if name == "parse_expression":  # what answers with SymPy's objects is imported when it is asked for
        return importlib.import_module("asymp.parse.mathematics").parse_expression
    raise AttributeError(f"module 'asymp.parse' has no attribute {name!r}")


__all__ = [
    "NoLimit",
    "ParseError",
    "claim",
    "parse_expression",
    "parse_statement",
]
