"""Text to mathematics: numbers, expressions, limits, statements, claims.  Nothing is evaluated as code.

>>> from asymp.parse import parse_expression, parse_limit
>>> parse_expression("n^2*log(n)"), parse_limit("n->oo, p->0+").text
(n**2*log(n), 'n -> oo, p -> 0+')
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
    from asymp.parse.setting import all_said, parse_limit, parse_setting

_SYMPY = {
    "parse_expression": "mathematics", **dict.fromkeys(("all_said", "parse_limit", "parse_setting"), "setting"),
}  # fmt: skip
"""What answers with SymPy's objects is imported when it is asked for."""


def __getattr__(name: str) -> Any:
    if name in _SYMPY:
        return getattr(importlib.import_module(f"asymp.parse.{_SYMPY[name]}"), name)
    raise AttributeError(f"module 'asymp.parse' has no attribute {name!r}")


__all__ = [
    "NoLimit",
    "ParseError",
    "all_said",
    "claim",
    "parse_expression",
    "parse_limit",
    "parse_setting",
    "parse_statement",
]
