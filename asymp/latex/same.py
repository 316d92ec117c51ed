r"""When a formula and a statement say the same though they divide in another order: 1/(a b) and 1/a 1/b.

A fraction prints ``x/a/b`` and ``x/(a*b)`` alike.  Both are defined at the same points and equal there.

>>> from asymp.language.statement import read_statement
>>> print(alike(read_statement("f = x/(a*(b/c)) as n -> oo")))
f = x/a/b*c as n -> oo
"""

from __future__ import annotations

from dataclasses import replace

from asymp.language.statement import Statement
from asymp.language.syntax import Node


def alike(statement: Statement) -> Statement:
    """The statement with each quotient of products as one product."""

    def all_of(conditions: tuple) -> tuple:  # type: ignore[type-arg]
        return tuple(condition.changed(flat) for condition in conditions)

    return replace(
        statement, body=statement.body.changed(flat), some=all_of(statement.some), uniform=all_of(statement.uniform),
        domain=all_of(statement.domain), regime=all_of(statement.regime), ties=all_of(statement.ties),
    )


def flat(node: Node) -> Node:
    """A term with each quotient of products as one product; a sign before a factor is the factor -1.

    >>> from asymp.language.syntax import Parser, words
    >>> words(flat(Parser("-(a/(b*c))^2/(x/y)").whole()))
    '-1*(a/b/c)^2/x*y'
    """
    if node.kind == "call" and node.text == "exp" and [part.text for part in node.parts] == ["1"]:
        return Node("name", node.column, "E")  # both are printed e
    if _is_reciprocal(node):
        return flat(Node("product", node.column, "", (Node("number", 1, "1"), node.parts[0]), "*/"))
    if node.kind not in ("product", "negative"):
        return node.of(tuple(flat(part) for part in node.parts)) if node.parts else node
    parts, signs = _factors(node)
    if signs[0] == "/":
        parts, signs = [Node("number", 1, "1"), *parts], "*" + signs
    return Node("product", node.column, "", tuple(parts), signs)


def _is_reciprocal(node: Node) -> bool:
    """Whether a term is a power with the exponent -1."""
    if node.kind != "power":
        return False
    exponent = node.parts[1]
    return exponent.kind == "negative" and (exponent.parts[0].kind, exponent.parts[0].text) == ("number", "1")


def _factors(node: Node) -> tuple[list[Node], str]:
    """The factors of a term, and whether each multiplies or divides."""
    if node.kind == "negative":
        parts, signs = _factors(node.parts[0])
        return [Node("negative", 1, "", (Node("number", 1, "1"),)), *parts], "*" + signs
    if _is_reciprocal(node):
        below, turned = _factors(node.parts[0])
        return below, turned.translate(_TURNED)
    if node.kind != "product":
        return [flat(node)], "*"
    found: list[Node] = []
    signs = ""
    for part, sign in zip(node.parts, node.signs, strict=True):
        inner, marks = _factors(part)
        found += inner
        signs += marks if sign == "*" else marks.translate(_TURNED)
    return found, signs


_TURNED = str.maketrans("*/", "/*")
