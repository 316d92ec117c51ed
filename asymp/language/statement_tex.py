r"""Conditions and statements in LaTeX, as they are written.

>>> from asymp.language.statement import read_statement
>>> print(statement_tex(read_statement("mu ~ mu1/(p*log(1/p)) as n -> oo, p -> 0+"), {"p": "p_n"}))
\mu \sim \frac{\mu_{1}}{p_n \ln \frac{1}{p_n}} \qquad (n \to \infty,\ p_n \to 0^+)
>>> print(statement_tex(read_statement("n! > (n/exp(1))^n for whole n >= 1"), {}))
n! > \left(\frac{n}{e}\right)^{n} \qquad (n = 1, 2, \ldots)
"""

from __future__ import annotations

from dataclasses import replace

from asymp.language import statement as say
from asymp.language.conditions import (
    Between,
    Compared,
    Condition,
    Conditions,
    Every,
    Grows,
    Listed,
    OfFunction,
    OfKind,
    Recurrence,
    Tends,
    name_of,
)  # fmt: skip
from asymp.language.laws import titled
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.language.tex import Notation, function_tex, name_tex, tex

_SIGNS = {"<=": r"\le", ">=": r"\ge", "<": "<", ">": ">", "=": "="}
_ORDERS = {"O": "O", "o": "o", "Theta": r"\Theta", "Omega": r"\Omega", "omega": r"\omega"}


def condition_tex(condition: Condition, notation: Notation) -> str:
    """One condition; a kind is no formula of its own here."""
    if isinstance(condition, OfKind):
        return rf"{name_tex(condition.name, notation)} \in \mathbb{{{'Z' if condition.kind == 'whole' else 'R'}}}"
    if isinstance(condition, Compared):
        return tex(condition.parts[0], notation) + "".join(
            f" {_SIGNS[s]} {tex(p, notation)}" for s, p in zip(condition.signs, condition.parts[1:], strict=True)
        )
    if isinstance(condition, Listed):
        names = ", ".join(name_tex(name, notation) for name in condition.names)
        single = len(condition.names) == 1
        rows = [", ".join(tex(value, notation) for value in row) for row in condition.rows]
        return rf"{names if single else f'({names})'} \in \{{{', '.join(rows if single else [f'({row})' for row in rows])}\}}"
    if isinstance(condition, Between):
        ends = rf"{tex(condition.low, notation)}, \ldots, {tex(condition.high, notation)}"
        return rf"{name_tex(condition.name, notation)} \in \{{{ends}\}}"
    if isinstance(condition, Tends):
        side = f"^{condition.side}" if condition.side else ""
        return rf"{tex(condition.term, notation)} \to {tex(condition.target, notation)}{side}"
    if isinstance(condition, Recurrence):
        return ", ".join(condition_tex(one, notation) for one in condition.said)
    if isinstance(condition, OfFunction):
        source = r"\mathbb{Z}" + (f"^{len(condition.arguments)}" if len(condition.arguments) > 1 else "")
        name = function_tex(condition.name) if "#" in notation.get(condition.name, "") else name_tex(condition.name, notation)
        return rf"{name} : {source} \to \mathbb{{{'Z' if condition.kind == 'whole' else 'R'}}}"
    if isinstance(condition, Every):
        chain = condition_tex(condition.chain, notation)
        return rf"\left[{chain} \text{{ for }} {conditions_tex(condition.over, notation)}\right]"
    if isinstance(condition, Grows):
        return _order(condition.term, condition.order, condition.growth, notation)
    return str(condition)


def conditions_tex(conditions: Conditions, notation: Notation) -> str:
    r"""Conditions with commas; a whole variable with its range is a list.

    >>> from asymp.language.conditions import read_conditions
    >>> print(conditions_tex(read_conditions("whole n >= 1, whole i, 1 <= i <= n, 0 < p < 1"), {}))
    n = 1, 2, \ldots,\ i = 1, \ldots, n,\ 0 < p < 1
    """
    kinds = {c.name: c.kind for c in conditions if isinstance(c, OfKind)}
    shown = []
    for condition in conditions:
        subject = name_of(condition)
        if isinstance(condition, Compared) and kinds.get(subject) == "whole":
            listed = _listed(condition, subject, notation)
            if listed:
                kinds.pop(subject)
                shown.append(listed)
                continue
        if not isinstance(condition, OfKind):
            shown.append(condition_tex(condition, notation))
    limits = {c.term.text for c in conditions if isinstance(c, Tends) and c.term.kind == "name"}
    left = [OfKind(name, kind) for name, kind in kinds.items() if name not in limits]
    return r",\ ".join([*shown, *(condition_tex(kind, notation) for kind in left)])


def _listed(condition: Compared, name: str, notation: Notation) -> str:
    """``n = 1, 2, ...`` or ``i = 1, ..., n`` for a whole variable; empty where its range is written otherwise."""
    parts, signs = condition.parts, condition.signs
    if signs == (">=",) and parts[0].kind == "name" and parts[1].kind == "number" and parts[1].text.isdigit():
        return rf"{name_tex(name, notation)} = {parts[1].text}, {int(parts[1].text) + 1}, \ldots"
    if signs == ("<=", "<=") and parts[1].kind == "name":
        return rf"{name_tex(name, notation)} = {tex(parts[0], notation)}, \ldots, {tex(parts[2], notation)}"
    return ""


def _order(term: Node, order: str, growth: Node, notation: Notation) -> str:
    return rf"{tex(term, notation)} = {_ORDERS[order]}\left({tex(growth, notation)}\right)"


def body_tex(body: say.Body, notation: Notation) -> str:
    """What is said, without its quantifiers."""
    match body:
        case say.Comparison(chain):
            return condition_tex(chain, notation)
        case say.Eventual(left, sign, right):
            return condition_tex(say.Compared((left, right), (sign,)), notation)
        case say.Ratio(left, right):
            return rf"{tex(left, notation)} \sim {tex(right, notation)}"
        case say.Limiting(left, value):
            return rf"{tex(left, notation)} \to {tex(value, notation)}"
        case say.UpperLimit(kind, left, sign, value):
            order = {"=": "=", "<=": r"\le", ">=": r"\ge"}[sign]
            return rf"\{kind} {tex(left, notation)} {order} {tex(value, notation)}"
        case say.Not(body):
            return rf"\text{{not }} {body_tex(body, notation)}"
        case say.InLaw(left, right):
            return r" \xrightarrow{d} ".join(tex(titled(side), notation) for side in (left, right))
        case say.Ordering(left, order, growth):
            return _order(left, order, growth, notation)
        case say.Expanding(left, kept, order, growth):
            rest = rf"{_ORDERS[order]}\left({tex(growth, notation)}\right)"
            return rf"{tex(left, notation)} = {tex(kept, notation)} + {rest}"
        case say.Rounding(term, digits):
            return rf"{tex(term, notation)} \approx {digits}"
        case say.Shape(term, shape, name):
            return rf"{tex(term, notation)} \text{{ is {shape} in }} {name_tex(name, notation)}"
        case say.Extreme(term, extreme, name, place):
            return rf"{tex(term, notation)} \text{{ is {extreme} at }} {name_tex(name, notation)} = {tex(place, notation)}"
        case say.OneRoot(left, right, name, low, high):
            equation = f"{tex(left, notation)} = {tex(right, notation)}"
            ends = rf"\left({tex(low, notation)}, {tex(high, notation)}\right)"
            return rf"{equation} \text{{ has one root }} {name_tex(name, notation)} \in {ends}"
        case say.True_(term):
            return tex(term, notation)
        case say.Iff(left, right):
            return rf"{body_tex(left, notation)} \iff {body_tex(right, notation)}"
        case say.If(left, right):
            return rf"{body_tex(left, notation)} \text{{ if }} {body_tex(right, notation)}"
        case say.And(parts):
            return r" \text{ and } ".join(body_tex(part, notation) for part in parts)
    return str(body)


def statement_tex(statement: Statement, notation: Notation) -> str:
    """The whole statement: the body, and in brackets where it is said: what tends, and behind a semicolon for which values."""
    if isinstance(statement.body, say.Throughout) or (statement.some and statement.domain and not statement.regime):
        return _some_tex(statement, notation)
    where = r";\ ".join(conditions_tex(found, notation) for found in (statement.regime, statement.domain) if found)
    text = body_tex(statement.body, notation)
    if statement.some:
        text += rf" \text{{ for some }} {conditions_tex(statement.some, notation)}"
    if statement.uniform:
        text += rf" \text{{ uniformly in }} {conditions_tex(statement.uniform, notation)}"
    return text + (rf" \qquad ({where})" if where else "")


def _some_tex(statement: Statement, notation: Notation) -> str:
    """For some values: the quantifiers before what is said, so that it is seen what they may depend on."""
    inner = getattr(statement.body, "statement", Statement(statement.body))
    where = (("forall", statement.domain), ("exists", statement.some), ("forall", () if inner.regime else inner.domain))
    before = r"\ ".join(rf"\{word} {conditions_tex(found, notation)}" for word, found in where if found)
    return rf"{before}\colon {statement_tex(inner if inner.regime else replace(inner, domain=()), notation)}"
