r"""O, o and Theta on the right of a relation: where they are added, where they stand in a factor, and in chains.

``f = g (1 + O(h))`` is ``f = g + O(g h)``, and ``f = a - O(g)`` is ``f = a + O(g)``: by what O means, both say the same.

>>> from asymp.latex.terms import term
>>> said("f", term(r"n^2 (\ln n - 1 + o(1))"), None)
'f = n^2*(log(n) - 1) + o(n^2)'
>>> said("f", term(r"(1 + o(1)) \frac{1}{2p}"), None)
'f ~ 1/(2*p)'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from asymp.language.conditions import ORDERS
from asymp.language.syntax import Node, words
from asymp.latex.context import number_node, product_node, sum_node

ONE = number_node("1")


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
    kept = sum_node(*(p for p, _ in rest), signs="".join(s for _, s in rest))
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
        return product_node(*(p for p, _ in parts), signs="".join(s for _, s in parts))

    one = inner.kept == ONE and inner.order == "o" and inner.growth == ONE
    return Remainder(times(inner.kept) if inner.kept is not None else None, inner.order, times(inner.growth),
                     times(ONE) if one else times(inner.ratio) if inner.ratio is not None else None)  # fmt: skip


def said(left: str, right: Node, fail: Callable[[str], Exception] | None) -> str:
    """``left = right`` as text of the language, whatever order stands on the right."""
    if not has_order(right):
        return f"{left} = {words(right)}"
    try:
        rest = remainder(right)
    except NotLinear as error:
        raise fail(str(error)) if fail else error from None
    if rest.ratio is not None:
        return f"{left} ~ {words(rest.ratio)}"
    if rest.kept is None:
        return f"{left} = {rest.order}({words(rest.growth)})"
    if rest.kept == ONE and rest.order == "o" and rest.growth == ONE:
        return f"{left} ~ 1"
    return f"{left} = {words(rest.kept)} + {rest.order}({words(rest.growth)})"


_INSIDE = {("O", "O"): "O", ("O", "o"): "o", ("o", "o"): "O", ("o", "O"): "O", ("Theta", "Theta"): "Theta", ("Theta", "O"): "O",
           ("Theta", "o"): "o"}  # fmt: skip
"""Orders on the left and on the right -> that of f in g where all that is of the first of f is of the second of g."""


def included(left: Node, right: Node) -> list[str]:
    """``left = right`` where the left side has an order: that all that it stands for is of the right side.

    >>> from asymp.latex.terms import term
    >>> included(term(r"O(n)"), term(r"o(n^2)")), included(term(r"(1 + o(1)) n"), term(r"(1 + o(1)) m"))
    (['n = o(n^2)'], ['n ~ m'])
    >>> included(term(r"n + O(1)"), term(r"m + O(k)"))
    ['n = m + O(k)', '1 = O(k)']

    Raises:
        NotLinear: the language has no place for it.
    """
    if not has_order(left):
        return [said(words(left), right, None)]
    first = remainder(left)
    if not has_order(right):
        if first.ratio is None:
            raise NotLinear("an order on the left: say of what")
        return [f"{words(first.ratio)} ~ {words(right)}"]
    second = remainder(right)
    if first.ratio is not None and second.ratio is not None:
        return [f"{words(first.ratio)} ~ {words(second.ratio)}"]
    order = _INSIDE.get((first.order, second.order))
    if order is None or (first.kept is None) < (second.kept is None):
        raise NotLinear("an order on the left: say of what")
    inside = f"{words(first.growth)} = {order}({words(second.growth)})"
    if first.kept is None and second.kept is None:
        return [inside]
    if first.kept is None:
        raise NotLinear("an order on the left: say of what")
    return [said(words(first.kept), right, None), inside]


def exact(node: Node) -> Node:
    """What a side of a chain stands for where it is the left side of the next link: what is kept, or the growth."""
    rest = remainder(node)
    return rest.ratio or rest.kept or rest.growth
