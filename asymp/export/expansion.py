r"""Expansions that were asked for, as LaTeX: the answer of ``asymp expand`` read back, nothing computed.

>>> answer = {"terms": ["log(n)", "EulerGamma"], "remainder": {"kind": "O", "growth": "1/n"}}
>>> print(expansion_latex("harmonic(n)", answer, "n->oo"))
H_{n} = \ln n + \gamma + O\left(\frac{1}{n}\right), \qquad n \to \infty
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from asymp.export.escape import escape
from asymp.export.notation import tex
from asymp.language.numbers import ParseError

_TARGETS = {"oo": r"\infty", "-oo": r"-\infty", "+oo": r"\infty"}


def expansion_latex(quantity: str, answer: Mapping[str, Any], to: str, unknown: str | None = None) -> str:
    """The expansion as one formula; a formula a case where the answer splits.

    Args:
        quantity: the expression as typed, or the equation.
        answer: what :func:`asymp.check.expansion.expand_text` gave.
        to: the limit as typed.
        unknown: the unknown of the equation.

    Raises:
        ValueError: a refused answer has no formula.
    """
    if "refused" in answer:
        raise ValueError("a refused expansion has no formula")
    left = math(unknown) if unknown else math(quantity)
    where = ",\\; ".join(_limit(part) for part in to.split(",") if part.strip())
    given = rf",\quad\text{{where }} {_equation(quantity)}" if unknown else ""
    if "cases" not in answer:
        return rf"{left} = {_right(answer)}, \qquad {where}{given}"
    rows = [rf"{_right(case)}, & {_condition(case.get('when', ''))}" for case in answer["cases"]]
    table = " \\\\ ".join(rows)
    return rf"{left} = \begin{{cases}} {table} \end{{cases}} \qquad {where}{given}"


def math(text: str) -> str:
    """One expression in LaTeX; what the parser does not know stands as it is written.

    >>> math("x.y")
    '\\\\texttt{x.y}'
    """
    try:
        return tex(text)
    except ParseError:
        return rf"\texttt{{{escape(text)}}}"


def _right(answer: Mapping[str, Any]) -> str:
    if "refused" in answer:
        return rf"\text{{not known: {escape(answer['refused'])}}}"
    rest = answer["remainder"]
    parts = [math(term) for term in answer["terms"]]
    if rest["growth"] != "0":
        parts.append(_remainder(rest))
    return " + ".join(parts).replace("+ -", "- ") or "0"


def _remainder(rest: Mapping[str, Any]) -> str:
    growth = math(rest["growth"])
    if rest["kind"] != "B":
        return rf"{rest['kind']}\left({growth}\right)"
    # at most constant * growth in absolute value from valid_from on
    constant = str(rest["constant"])
    shown = constant if re.fullmatch(r"\d+(\.\d+)?", constant) else math(constant)  # a decimal as it was certified
    return rf"B_{{\ge {math(str(rest['valid_from']))}}}\left({shown} \cdot {growth}\right)"


def _equation(text: str) -> str:
    return " = ".join(math(side.strip()) for side in text.split("="))


def _limit(part: str) -> str:
    left, arrow, right = part.replace("→", "->").partition("->")
    if not arrow:
        return _equation(part)
    right = right.strip().replace("∞", "oo")
    side = right[-1] if right[-1:] in ("+", "-") else ""
    target = _TARGETS.get(right) or math(right[: len(right) - len(side)]) + (f"^{{{side}}}" if side else "")
    return rf"{math(left.strip())} \to {target}"


def _condition(text: str) -> str:
    pieces: list[str] = []
    for piece in text.split(" and "):
        if "->" in piece:
            pieces.append(_limit(piece))
            continue
        for symbol, shown in (("<=", r"\le"), (">=", r"\ge"), ("!=", r"\ne"), ("<", "<"), (">", ">"), ("=", "=")):
            if symbol in piece:
                pieces.append(f" {shown} ".join(math(side.strip()) for side in piece.replace("==", "=").split(symbol)))
                break
        else:
            pieces.append(rf"\text{{{escape(piece)}}}")
    return r",\; ".join(pieces)
