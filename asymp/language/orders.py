r"""O, o and Theta in a term: where they are added, and where they stand in a factor.

``f = g*(1 + O(h))`` is ``f = g + O(g*h)``, and ``f = a - O(g)`` is ``f = a + O(g)``: by what O means, both say the same.

>>> from asymp.language.syntax import Parser
>>> rest = remainder(Parser("n^2*(log(n) - 1 + O(1/n)) + 3").whole())
>>> words(rest.kept), rest.order, words(rest.growth)
('n^2*(log(n) - 1) + 3', 'O', 'n^2*(1/n)')
"""

from __future__ import annotations

from dataclasses import dataclass

from asymp.language.conditions import ORDERS
from asymp.language.syntax import Node
from asymp.language.syntax import words as words

ONE = Node("number", 1, "1")


class NotLinear(ValueError):
    """An order that stands where the language has no place for it: the message says where."""


@dataclass(frozen=True)
class Remainder:
    """``kept + order(growth)``; ``kept`` is None where nothing is; ``ratio`` of ``g (1 + o(1))`` is g."""

    kept: Node | None
    order: str
    growth: Node
    ratio: Node | None = None


def has_order(node: Node) -> bool:
    """Whether an O, o, Theta, Omega or omega stands in a term."""
    return not node.calls.isdisjoint(ORDERS)


def first_order(node: Node) -> Node:
    """The first order that stands in a term which has one."""
    if node.kind == "call" and node.text in ORDERS:
        return node
    return next(first_order(part) for part in node.parts if has_order(part))


def remainder(node: Node) -> Remainder:
    """A term as what is kept and the order of the rest.

    Raises:
        NotLinear: there are several orders, or one in a power, a denominator or a function.
    """
    if node.kind == "call" and node.text in ORDERS:
        if has_order(node.parts[0]):
            raise NotLinear("an order inside an order")
        return Remainder(None, node.text, node.parts[0])
    if node.kind == "sum":
        return _of_sum(node)
    if node.kind == "product":
        return _of_product(node)
    if node.kind == "negative":
        inner = remainder(node.parts[0])
        _two_sided(inner.order)
        kept, ratio = (Node("negative", 1, "", (x,)) if x is not None else None for x in (inner.kept, inner.ratio))
        return Remainder(kept, inner.order, inner.growth, ratio)
    raise NotLinear("an order inside a power or a function")


def _two_sided(order: str) -> None:
    if order not in ("O", "o"):
        raise NotLinear(f"-{order}: write the sign inside, or the two bounds")


def _of_sum(node: Node) -> Remainder:
    places = [k for k, part in enumerate(node.parts) if has_order(part)]
    if len(places) > 1:
        raise NotLinear("a second remainder")
    k = places[0]
    inner = remainder(node.parts[k])
    if node.signs[k] == "-":
        _two_sided(inner.order)
    rest = [(p, s) for j, (p, s) in enumerate(zip(node.parts, node.signs, strict=True)) if j != k]
    if inner.kept is not None:
        rest.insert(k, (inner.kept, node.signs[k]))
    if rest[0][1] == "-":
        rest[0] = (Node("negative", 1, "", (rest[0][0],)), "+")
    kept = _chain("sum", "+", *(p for p, _ in rest), signs="".join(s for _, s in rest))
    return Remainder(kept, inner.order, inner.growth)


def _of_product(node: Node) -> Remainder:
    places = [k for k, part in enumerate(node.parts) if has_order(part)]
    if len(places) > 1:
        raise NotLinear("a product of two orders")
    k = places[0]
    if node.signs[k] == "/":
        raise NotLinear("an order in a denominator")
    inner = remainder(node.parts[k])
    rest = [(p, s) for j, (p, s) in enumerate(zip(node.parts, node.signs, strict=True)) if j != k]

    def times(factor: Node) -> Node:
        """The other factors with one in the place of that with the order."""
        parts = list(rest) if factor == ONE and rest[0][1] == "*" else [*rest[:k], (factor, "*"), *rest[k:]]
        return _chain("product", "*", *(p for p, _ in parts), signs="".join(s for _, s in parts))

    one = inner.kept == ONE and inner.order == "o" and inner.growth == ONE
    return Remainder(times(inner.kept) if inner.kept is not None else None, inner.order, times(inner.growth),
                     times(ONE) if one else times(inner.ratio) if inner.ratio is not None else None)  # fmt: skip


def _chain(kind: str, sign: str, *parts: Node, signs: str) -> Node:
    """A sum or a product, flat where it has one part."""
    return parts[0] if len(parts) == 1 and signs in ("", sign) else Node(kind, 1, "", parts, signs)
