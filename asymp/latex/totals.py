r"""Sums, products and integrals with their ranges, and how far they reach.

>>> from asymp.language.syntax import words
>>> from asymp.latex.terms import term
>>> words(term(r"\sum_{k=1}^{n} \frac1k + \int_0^\infty e^{-t} t^{x-1} \, dt + \prod_{0 < j < n} (1 + x_j)"))
'Sum(1/k, (k, 1, n)) + Integral(exp(-t)*t^(x - 1), (t, 0, oo)) + Product(1 + x(j), (j, 1, n - 1))'
"""

from __future__ import annotations

from asymp.language.syntax import Node
from asymp.latex.context import call_node, name_node, number_node, product_node, sum_node
from asymp.latex.cursor import Cursor
from asymp.latex.items import Item, Items
from asymp.latex.names import is_letter, sign_at

_HEADS = {"sum": "Sum", "prod": "Product"}


def total(at: Cursor, item: Item) -> Node:
    """A sum, a product or an integral that begins here, with all that it reaches."""
    at.position += 1
    below, above = scripts(at)
    if item.text == "int":
        return integral(at, item, below, above)
    name, low, high = bounds(at, item, below, above)
    _own(at, name, low, item)
    with at.context.binding(name):
        if goes_on(at, name, item):
            return _made(item, at.expression(), name, low, high)
        parts, marks = at.factors()
        kept = reach(parts, name) if item.text == "prod" else len(parts)
        if kept < len(parts) and at.context.ask(r"\prod a b", item) == r"(\prod a) b":
            inner = _made(item, product_node(*parts[:kept], signs=marks[:kept]), name, low, high)
            return product_node(inner, *parts[kept:], signs="*" + marks[kept:])
        return _made(item, product_node(*parts, signs=marks), name, low, high)


def coefficient(at: Cursor, item: Item) -> Node | None:
    r"""``[z^n] F(z)`` with the factors behind it, where z is nothing else here; None where no coefficient begins.

    >>> from asymp.language.syntax import words
    >>> from asymp.latex.terms import term
    >>> words(term(r"n! [z^n] \frac{e^{z}}{1 - z}"))
    'n!*([z^n] exp(z)/(1 - z))'
    """
    if item != Item("open", "[") or (letter := at.ahead()) is None or not is_letter(letter):
        return None
    sign = sign_at(at.found, at.position + 1)
    known = at.context.notation
    if sign.plain in known.variables or sign.plain in known.functions or not sign.plain:
        return None
    power, closed, first = (at.found[k] if k < len(at.found) else None for k in range(sign.end, sign.end + 3))
    if power is None or power.kind != "sup" or closed != Item("close", "[") or first is None:
        return None
    if sign.plain in at.context.bound and all(one.kind == "number" for one in power.parts[0]):
        return None  # of a power of what is bound around it
    start, at.position = at.position, sign.end + 2
    if not (at.starts() or first.kind == "macro"):
        at.position = start
        return None
    order = at.part(power.parts[0], power.at)
    with at.context.binding(sign.plain):
        parts, marks = at.factors()
    body = product_node(*parts, signs=marks)
    return call_node("Coefficient", body, Node("tuple", 1, "", (name_node(sign.plain), number_node("0"), order)))


def begins_anew(at: Cursor) -> bool:
    r"""Whether a sum over a variable of a sum around it begins: ``\sum_k a_k \sum_k b_k`` is a product of two."""
    item, below = at.item, at.ahead()
    if item is None or below is None or item.kind != "macro" or item.text not in _HEADS or below.kind != "sub":
        return False
    inner = below.parts[0]
    return any(is_letter(one) and sign_at(inner, k).plain in at.context.bound[-1:] for k, one in enumerate(inner[:1]))


def _made(item: Item, body: Node, name: str, low: Node, high: Node) -> Node:
    return call_node(_HEADS[item.text], body, Node("tuple", 1, "", (name_node(name), low, high)))


def reach(parts: list[Node], name: str) -> int:
    """How many of the factors behind a product sign end with the last that holds its index."""
    return max((k + 1 for k, part in enumerate(parts) if name in part.free), default=len(parts))


def goes_on(at: Cursor, name: str, item: Item) -> bool:
    """Whether the index stands behind a + or - too: then it is asked whether that belongs to the sum."""
    level, passed = 0, False
    for k in range(at.position, len(at.found)):
        one = at.found[k]
        level += (one.kind == "open") - (one.kind == "close")
        if level < 0 or (level == 0 and (one.kind in ("relation", "phrase", "row") or one == Item("sign", ","))):
            return False
        if level == 0 and one.kind == "sign" and one.text in "+-" and k > at.position:
            passed = True
        if passed and one.kind == "macro" and one.text in ("sum", "prod", "int"):
            return False
        if passed and holds(at.found[k : k + 3], name):
            return at.context.ask(r"\sum a + b", item) == r"\sum (a + b)"
    return False


def holds(found: Items, name: str) -> bool:
    """Whether a name stands in the first of some items."""
    if found and is_letter(found[0]):
        sign = sign_at(found, 0)
        return sign.plain == name or holds_any(sign.index, name)
    return bool(found) and any(holds_any(part, name) for part in found[0].parts)


def holds_any(found: Items, name: str) -> bool:
    """Whether a name stands somewhere in items."""
    return any(holds(found[k:], name) for k in range(len(found)))


def scripts(at: Cursor) -> tuple[Item | None, Item | None]:
    """What stands below and above a sign."""
    found: dict[str, Item] = {}
    while at.item is not None and at.item.kind in ("sub", "sup"):
        found[at.item.kind] = at.item
        at.position += 1
    return found.get("sub"), found.get("sup")


def bounds(at: Cursor, item: Item, below: Item | None, above: Item | None) -> tuple[str, Node, Node]:
    r"""The index of a sum and its range: ``k=1`` and ``n``, ``k \ge 1``, ``1 \le k \le n``."""
    if below is None:
        raise at.fail("a sum or a product without its range", item)
    pieces, signs = sides(below.parts[0])
    upper = at.part(ending(above.parts[0], pieces[0]), above.at) if above is not None else None
    oo = name_node("oo")
    if len(pieces) == 2 and signs == ["="] and upper is not None:
        return index(at, pieces[0], below), at.part(pieces[1], below.at), upper
    if len(pieces) == 2 and signs[0] in (">=", ">") and upper is None:
        return index(at, pieces[0], below), shifted(at, pieces[1], below, signs[0] == ">", 1), oo
    if len(pieces) == 2 and signs[0] in ("<=", "<") and upper is None:
        name = index(at, pieces[0], below)
        start = "0" if at.context.ask(r"\sum_{k \le n}", below) == "k from 0" else "1"
        return name, number_node(start), shifted(at, pieces[1], below, signs[0] == "<", -1)
    if len(pieces) == 3 and set(signs) <= {"<=", "<"} and upper is None:
        name = index(at, pieces[1], below)
        low = shifted(at, pieces[0], below, signs[0] == "<", 1)
        return name, low, shifted(at, pieces[2], below, signs[1] == "<", -1)
    raise at.fail("the range of a sum is written k=1 below and n above, or 1 \\le k \\le n", below)


def ending(found: Items, name: Items) -> Items:
    r"""The upper end of a range, of which ``\sum_{i=1}^{i=n}`` says again what runs."""
    start = len(name)
    return found[start + 1 :] if found[: start + 1] == (*name, Item("relation", "=")) else found


def shifted(at: Cursor, found: Items, below: Item, strict: bool, by: int) -> Node:
    """An end of a range of whole numbers; one further where it is excluded."""
    end = at.part(found, below.at)
    if strict and end.kind == "number" and end.text.isdigit() and (by > 0 or int(end.text) > 0):
        return number_node(str(int(end.text) + by))
    return sum_node(end, number_node("1"), signs="++" if by > 0 else "+-") if strict else end


def sides(found: Items) -> tuple[list[Items], list[str]]:
    """What stands between the relations, and these."""
    pieces: list[Items] = []
    signs: list[str] = []
    start = 0
    for k, one in enumerate(found):
        if one.kind == "relation":
            pieces.append(found[start:k])
            signs.append(one.text)
            start = k + 1
    return [*pieces, found[start:]], signs


def index(at: Cursor, found: Items, below: Item) -> str:
    """The variable of a range, which is one letter."""
    if not found or not is_letter(found[0]) or (sign := sign_at(found, 0)).end < len(found) or not sign.plain:
        raise at.fail("the variable of a sum is one letter", below)
    if sign.plain in at.context.bound:
        raise at.fail(f"{sign.plain} is the variable of two sums inside one another", below)
    return at.context.name(sign)


# --- integrals


def integral(at: Cursor, item: Item, below: Item | None, above: Item | None) -> Node:
    r"""``\int_a^b f \, dx``, ``\int_1^n \frac{dt}{t}``."""
    if below is None or above is None:
        raise at.fail("an integral without its limits", item)
    lower, marks = sides(below.parts[0])
    if len(lower) > 2 or marks not in ([], ["="]):
        raise at.fail("the lower limit of an integral", below)
    high, low = at.part(above.parts[0], above.at), at.part(lower[-1], below.at)
    fraction = hidden(at)
    if fraction is not None:
        place, variable, name = fraction
        one = at.found[place]
        numerator = one.parts[0][:-2 if len(variable) == 2 else -1 - (len(variable) - 1)] or (Item("number", "1", at=one.at),)
        changed = Item("macro", "frac", (numerator, one.parts[1]), at=one.at)
        at.found = (*at.found[:place], changed, *at.found[place + 1 :])
        _same(at, lower, name, below)
        _own(at, name, low, item)
        with at.context.binding(name):
            return _integral(at.product(), name, low, high)
    at.inside.append("int")
    variable = differential_ahead(at, item)
    name = index(at, variable, item)
    _same(at, lower, name, below)
    _own(at, name, low, item)
    with at.context.binding(name):
        body = number_node("1") if at.differential() else at.expression()
        at.inside.pop()
        if not at.differential():
            raise at.fail("an integral without its differential", item)
        at.position += 1
        sign = sign_at(at.found, at.position)
        if sign.plain != name:
            raise at.fail("the differentials of two integrals in another order", item)
        at.position = sign.end
    node = _integral(body, name, low, high)
    if body == number_node("1") and at.starts():
        raise at.context.beyond("what is integrated stands behind the differential: write it before", item)
    if at.item is not None and at.item.kind in ("sup", "sub", "prime"):
        raise at.fail("a power of a differential")
    return node


def _own(at: Cursor, name: str, low: Node, item: Item) -> None:
    r"""Nothing, where an index does not stand in its own lower end: of ``\int_0^x f\,dx`` one knows what is meant."""
    if name in low.free:
        raise at.fail(f"{name} stands in its own lower end", item)


def _integral(body: Node, name: str, low: Node, high: Node) -> Node:
    return call_node("Integral", body, Node("tuple", 1, "", (name_node(name), low, high)))


def _same(at: Cursor, lower: list[Items], name: str, below: Item) -> None:
    """That a variable below the sign is that of the differential."""
    if len(lower) < 2:
        return
    sign = sign_at(lower[0], 0) if lower[0] and is_letter(lower[0][0]) else None
    if sign is None or sign.plain != name or sign.end < len(lower[0]):
        raise at.fail("the variable below the integral is not that of its differential", below)


def differential_ahead(at: Cursor, item: Item) -> Items:
    """The variable of the differential that ends this integral: as many come before it as integrals do."""
    level = inner = 0
    found: list[int] = []  # the one of this integral, and what may be another
    for k in range(at.position, len(at.found) - 1):
        one, following = at.found[k], at.found[k + 1]
        level += (one.kind == "open") - (one.kind == "close")
        if level < 0 or (level == 0 and one.kind in ("relation", "phrase", "row")):
            break
        if level == 0 and one.kind == "macro" and one.text == "int":
            inner += 1
        if level == 0 and one.kind == "letter" and one.text == "d" and one.font in ("", "rm") and is_letter(following):
            if inner == 0:
                found.append(k)
            inner = max(inner - 1, 0)
    if not found:
        raise at.fail("an integral without its differential", item)
    if len(found) > 1 and "d" in at.context.notation.variables:
        raise at.fail("d is a variable, or begins a differential?  Write \\mathrm{d}", at.found[found[0]])
    return at.found[found[0] + 1 : sign_at(at.found, found[0] + 1).end]


def hidden(at: Cursor) -> tuple[int, Items, str] | None:
    r"""The differential in the numerator of a fraction of this product: its place, its variable."""
    level = 0
    for k in range(at.position, len(at.found)):
        one = at.found[k]
        level += (one.kind == "open") - (one.kind == "close")
        if level < 0 or (level == 0 and (one.kind in ("relation", "phrase") or (one.kind == "sign" and one.text in "+-"))):
            return None
        if level == 0 and one.kind == "letter" and one.text == "d" and k + 1 < len(at.found) and is_letter(at.found[k + 1]):
            return None
        if level == 0 and one.kind == "macro" and one.text == "int":
            return None
        if level == 0 and one.kind == "macro" and one.text == "frac":
            above = one.parts[0]
            for d in range(len(above) - 1):
                differs = above[d].kind == "letter" and above[d].text == "d" and is_letter(above[d + 1])
                if differs and sign_at(above, d + 1).end == len(above):
                    return k, above[d:], sign_at(above, d + 1).plain
    return None


def ranked(at: Cursor, inner: Items, colon: int, after: Item, end: int) -> Node:
    r"""``(x_j : j = 1, \ldots, s)_{(i)}``: the i-th smallest of a list."""
    pieces, signs = sides(inner[colon + 1 :])
    listed = pieces[1] if len(pieces) == 2 else ()
    commas = [k for k, one in enumerate(listed) if one == Item("sign", ",")]
    if signs != ["="] or len(commas) != 2 or listed[commas[0] + 1 : commas[1]] != (Item("macro", "dots"),):
        raise at.fail("a list is written (x_j : j = 1, \\ldots, s)", after)
    name = index(at, pieces[0], after)
    low, high = at.part(listed[: commas[0]], after.at), at.part(listed[commas[1] + 1 :], after.at)
    with at.context.binding(name):
        body = at.part(inner[:colon], after.at)
    place = after.parts[0]
    if place[-1] != Item("close", "("):
        raise at.fail("a rank is written in brackets", after)
    rank = at.part(place[1:-1], after.at)
    at.position = end + 2
    return call_node("Ranked", body, Node("tuple", 1, "", (name_node(name), low, high)), rank)


def vector(at: Cursor, inner: Items, below: Item, end: int) -> Node:
    r"""``(z_k)_{k=0}^\theta``: values in their order."""
    pieces, signs = sides(below.parts[0])
    above = at.found[end + 2] if end + 2 < len(at.found) else None
    if signs != ["="] or len(pieces) != 2 or above is None or above.kind != "sup":
        raise at.fail("a vector is written (z_k)_{k=0}^n", below)
    low, high = at.part(pieces[1], below.at), at.part(above.parts[0], above.at)
    name = index(at, pieces[0], below)
    with at.context.binding(name):
        body = at.part(inner, below.at)
    at.position = end + 3
    return call_node("Vector", body, Node("tuple", 1, "", (name_node(name), low, high)))
