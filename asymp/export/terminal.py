r"""Formulas in Unicode, for who reads them on a terminal; they are to be read, and not to be typed again.

>>> formula("harmonic(n) = log(n) + EulerGamma + O(1/n^2) as n -> oo")
'Hₙ = ln n + γ + O(1/n²) (n → ∞)'
>>> formula("EulerGamma/log(n)"), formula("2**n*(n!"), of_latex(r"\mu \sim x^{10}")
('γ/(ln n)', '2**n*(n!', 'μ ~ x¹⁰')
"""

from __future__ import annotations

import re

from asymp.export.notation import plain
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import Parser
from asymp.language.tex import tex

_HIGH = str.maketrans("0123456789n-+", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ⁻⁺")


def of_latex(latex: str) -> str:
    """A line of Unicode for a formula in LaTeX."""
    return re.sub(r"\^(\d{1,3}|n|\(-\d{1,3}\)|\([-+]\))(?![\w^!(])", lambda m: m[1].strip("()").translate(_HIGH), plain(latex))


def formula(text: str) -> str:
    """The same for a statement, a definition or a term of the language; the text itself where it is none."""
    try:
        parser = Parser(text.replace("**", "^"))
        node = parser.expression()
        if parser.token.kind == "end":
            return of_latex(tex(node, {}))
        return of_latex(statement_tex(read_statement(text), {}))
    except (ParseError, RecursionError):
        return text
