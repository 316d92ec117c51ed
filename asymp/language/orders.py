r"""O, o and Theta in a term: where they are added, and where they stand in a factor.

``f = g*(1 + O(h))`` is ``f = g + O(g*h)``, and ``f = a - O(g)`` is ``f = a + O(g)``: by what O means, both say the same.
What an exponential, a logarithm, a power of a number or a quotient says of an order inside it, its inverse says of the left
side: ``f = g*exp(h + O(k))`` is ``log(f/g) = h + O(k)``, and ``f = g/(h + o(k))`` is ``g/f = h + o(k)`` (:func:`freed`).

>>> from asymp.language.syntax import Parser
>>> rest = remainder(Parser("n^2*(log(n) - 1 + O(1/n)) + 3").whole())
>>> words(rest.kept), rest.order, words(rest.growth)
('n^2*(log(n) - 1) + 3', 'O', 'n^2*(1/n)')
"""

from __future__ import annotations

from dataclasses import dataclass, replace

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


def freed(left: Node, right: Node) -> tuple[Node, Node]:
    """``left = right`` as an equation of the same meaning whose order is in no exponential, logarithm, exponent or denominator.

    The functions are one to one from all real numbers, or to them, so that both say the same where the new left side has a
    value; where it has none, no order is claimed.  An even power or a root of another order would lose a sign, and stays.

    >>> from asymp.language.syntax import Parser
    >>> def shown(text):
    ...     return " = ".join(map(words, freed(Parser("f").whole(), Parser(text).whole())))
    >>> shown("n^2*2^(n + o(n)) + 1"), shown("-log(n + O(1))"), shown("2 - n*(n + O(1))^(-1)"), shown("(n + O(1))^2")
    ('log((f - 1)/n^2) = (n + o(n))*log(2)', 'exp(-f) = n + O(1)', '1/((2 - f)/n) = n + O(1)', 'f = (n + O(1))^2')
    >>> shown("((1 + o(1))*n/E)^n"), shown("sqrt((1 + o(1))*n)")
    ('log(f) = n*log(n/E) + o(n)', 'f = (1 + o(1))*sqrt(n)')
    """
    outer, inner = left, right
    while has_order(inner) and not (inner.kind == "call" and inner.text in ORDERS):
        places = [k for k, part in enumerate(inner.parts) if has_order(part)]
        if len(places) > 1:
            break
        k, parts, signs, inside = places[0], inner.parts, inner.signs, inner.parts[places[0]]
        if inner.kind in ("sum", "product"):
            one, other = "+-" if inner.kind == "sum" else "*/"
            rest = [(part, s) for j, (part, s) in enumerate(zip(parts, signs, strict=True)) if j != k]
            if signs[k] == one:
                rest = [(outer, one), *((part, other if s == one else one) for part, s in rest)]
            else:  # f = a - x says that a - f = x
                rest = [*sorted(rest, key=lambda pair: pair[1] == other), (outer, other)]
            outer = Node(inner.kind, 1, "", tuple(part for part, _ in rest), "".join(s for _, s in rest))
            if (one, signs[k]) == ("*", "/"):
                left, right = outer, inside
            inner = inside
        elif inner.kind == "negative":
            outer, inner = Node("negative", 1, "", (outer,)), inside
        elif step := _inverse(outer, inner):
            left, right = outer, inner = step
        elif inner.kind == "power" and words(parts[1]) == "-1":
            left, right = outer, inner = Node("product", 1, "", (ONE, outer), "*/"), inside
        elif step := _of_ratio(outer, inner, k):
            return step
        else:
            break
    return left, right


def _of_ratio(outer: Node, inner: Node, k: int) -> tuple[Node, Node] | None:
    """``f = ((1 + o(1))*g)^c`` as ``f = (1 + o(1))*g^c`` of a number c; else, with g > 0, as ``log(f) = c*log(g) + o(c)``."""
    root = inner.kind == "call" and inner.text == "sqrt"
    if k or not (root or inner.kind == "power"):
        return None
    rest = remainder(inner.parts[0])
    bare = rest.kept == ONE and rest.order == "o" and rest.growth == ONE
    g = ONE if bare else rest.ratio
    if g is None:
        return None
    if root or _is_number(inner.parts[1]):
        one = Node("sum", 1, "", (ONE, Node("call", 1, "o", (ONE,))), "++")
        return outer, Node("product", 1, "", (one, replace(inner, parts=(g, *inner.parts[1:]))), "**")
    c = inner.parts[1]
    right = Node("call", 1, "o", (c,))
    if not bare:
        right = Node("sum", 1, "", (Node("product", 1, "", (c, Node("call", 1, "log", (g,))), "**"), right), "++")
    return Node("call", 1, "log", (outer,)), right


def _is_number(node: Node) -> bool:
    """Whether it is a number that is typed, or a quotient, and not 0: the power 0 is 1 and no more."""
    if node.kind == "number":
        return bool(node.text.strip("0."))
    return node.kind in ("negative", "product") and all(map(_is_number, node.parts))


def bounded(left: Node, sign: str, right: Node) -> tuple[Node, str, Node]:
    """``f <= g + O(h)`` as ``Max(f - g, 0) = O(h)``, which says the same: f, the order and what it is of.

    >>> from asymp.language.syntax import Parser
    >>> f = Parser("f").whole()
    >>> for sign, right in (("<=", "n + o(1)"), (">=", "(1 - o(1))*n"), ("<=", "n^(1 + o(1))")):
    ...     found, order, growth = bounded(f, sign, Parser(right).whole())
    ...     print(words(found), order, words(growth))
    Max(f - n, 0) o 1
    Max(n - f, 0) o n
    Max(log(f) - log(n), 0) o log(n)

    Raises:
        NotLinear: as of :func:`remainder`; or the sign is strict, which says more where h is 0.
    """
    if sign in ("<", ">"):
        raise NotLinear(f"an order behind {sign}: write {sign}=")
    while step := _inverse(left, right):
        left, right = step
    rest = remainder(right)
    if rest.order not in ("O", "o"):
        raise NotLinear(f"{rest.order} behind {sign}: write O, or =")
    zero = Node("number", 1, "0")
    above, below = (left, rest.kept) if sign == "<=" else (rest.kept, left)
    if above is None:
        difference = Node("negative", 1, "", (left,))
    else:
        difference = Node("sum", 1, "", (above, below), "+-") if below is not None else above
    return Node("call", 1, "Max", (difference, zero)), rest.order, rest.growth


def _inverse(outer: Node, inner: Node) -> tuple[Node, Node] | None:
    """An increasing function with an order inside, undone on both sides; base^x is exp(x ln(base))."""
    if inner.kind == "call" and inner.text in ("exp", "log") and has_order(inner):
        return Node("call", 1, "log" if inner.text == "exp" else "exp", (outer,)), inner.parts[0]
    if inner.kind != "power" or not has_order(inner.parts[1]) or has_order(inner.parts[0]):
        return None
    power = inner.parts[1]
    if words(inner.parts[0]) != "E":
        power = Node("product", 1, "", (power, Node("call", 1, "log", (inner.parts[0],))), "**")
    return Node("call", 1, "log", (outer,)), power


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
