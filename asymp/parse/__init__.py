"""Text to mathematics: numbers, expressions, limits, statements, claims.  Nothing is evaluated as code.

>>> parse_number("1/3"), parse_expression("n^2*log(n)"), parse_limit("n->oo, p->0+").text
(1/3, n**2*log(n), 'n -> oo, p -> 0+')
>>> claim("my/stirling", "log(gamma(n)) ~ n*log(n)", to="n->oo", source="me, eq. (1)").relation.kind
'equivalent'
"""

from asymp.parse.mathematics import parse_expression
from asymp.parse.numbers import NoLimit, ParseError, parse_number
from asymp.parse.setting import all_said, parse_assumptions, parse_limit, parse_setting
from asymp.parse.statements import claim, parse_statement

__all__ = [
    "NoLimit",
    "ParseError",
    "all_said",
    "claim",
    "parse_assumptions",
    "parse_expression",
    "parse_limit",
    "parse_number",
    "parse_setting",
    "parse_statement",
]
