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

from asymp.language.orders import ONE, NotLinear, freed, has_order, remainder
from asymp.language.syntax import Node, Parser, words


def said(left: str, right: Node, fail: Callable[[str], Exception] | None) -> str:
    """``left = right`` as text of the language, whatever order stands on the right."""
    if not has_order(right):
        return f"{left} = {words(right)}"
    try:
        place, right = freed(Parser(left).whole(), right)
        left = words(place)
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
