r"""Functions with and without brackets: ``\ln n``, ``\log_2 n``, ``\sin^2 x``, ``O(n)``, ``\mathbf{1}[a \le b]``.

>>> from asymp.language.syntax import words
>>> from asymp.latex.terms import term
>>> words(term(r"\ln^2 n + \log_2 n \cdot \ln\ln n + \max(a, b)"))
'log(n)^2 + (log(n)/log(2))*log(log(n)) + Max(a, b)'
"""

from __future__ import annotations

from asymp.language.syntax import Node, words
from asymp.latex import signs
from asymp.latex.context import call_node, number_node, product_node
from asymp.latex.cursor import Cursor
from asymp.latex.items import Item
from asymp.latex.names import Sign, is_letter, sign_at

Found = tuple[Node, str]
_INVERSES = {"sin": "asin", "cos": "acos", "tan": "atan", "cot": "acot", "sec": "asec", "csc": "acsc", "sinh": "asinh",
             "cosh": "acosh", "tanh": "atanh", "coth": "acoth"}  # fmt: skip
_BASES = {r"\ln": "", r"\log_2": "2", r"\log_{10}": "10"}


def upright(at: Cursor, item: Item, sign: Sign) -> Found | None:
    """An upright word that is a function or a constant; None for a name."""
    text = item.text
    if text in ("ln", "log", "lg") or text in signs.BARE:
        return function(at, item)
    following = at.ahead()
    applies = following is not None and following.kind in ("open", "sup", "sub")
    if text in signs.FUNCTIONS and (len(text) > 1 or item.font == "op") and applies:
        if text == "E" and following is not None and following.kind == "sub" and following.parts[0] == (Item("number", "1"),):
            at.position += 2
            return call_node("E1", *at.arguments()), "other"
        if text == "Li" and following is not None and following.kind == "sub":
            return polylogarithm(at, following)
        if text == "B" and following is not None and following.kind == "sub":
            return incomplete_beta(at, following)
        return function(at, item)
    return None


def polylogarithm(at: Cursor, index: Item) -> Found:
    r"""``\operatorname{Li}_2(x)``."""
    at.position += 2
    if at.item is None or at.item.kind != "open":
        raise at.fail("a polylogarithm without its argument", index)
    return call_node("polylog", at.part(index.parts[0], index.at), *at.arguments()), "other"


def incomplete_beta(at: Cursor, index: Item) -> Found:
    r"""``\operatorname{B}_x(a, b)``."""
    at.position += 2
    if at.item is None or at.item.kind != "open":
        raise at.fail("an incomplete beta function without its arguments", index)
    return call_node("betainc", *at.arguments(), at.part(index.parts[0], index.at)), "other"


def function(at: Cursor, item: Item) -> Found:
    """A function of the table, with its power before the argument."""
    word = item.text
    at.position += 1
    name, base = signs.FUNCTIONS.get(word, word), ""
    if word in ("log", "lg", "ln"):
        name = "log"
    index = at.item
    base_node: Node | None = None
    if index is not None and index.kind == "sub":
        at.position += 1
        if word != "log":
            raise at.fail(f"an index of {word}: say in the notation what it is", index)
        base_node = at.part(index.parts[0], index.at)
    elif word in ("log", "lg"):
        base = _BASES[at.context.ask(rf"\{word}", item, word)]
        base_node = number_node(base) if base else None
    exponent, raised = None, at.item
    if raised is not None and raised.kind == "sup":
        at.position += 1
        exponent = power(at, name, raised)
        if exponent is None:
            name = _INVERSES[name]
    given, in_brackets = argument(at, item, name)
    node = _to_base(call_node(name, *given), base_node)
    if exponent is not None:
        return Node("power", 1, "", (node, exponent)), "function"
    if word in signs.BARE and in_brackets and at.item is not None and at.item.kind == "sup":
        where, at.position = at.item, at.position + 1
        inner = at.part(where.parts[0], where.at)
        if at.context.ask(r"(\ln n)^2", where) == r"(\ln(n))^2":
            return Node("power", 1, "", (node, inner)), "function"
        return _to_base(call_node(name, Node("power", 1, "", (given[0], inner)), *given[1:]), base_node), "function"
    return node, "function" if word in signs.BARE else "other"


def _to_base(logarithm: Node, base: Node | None) -> Node:
    """A logarithm to a base, by its definition: the kernel knows the natural one."""
    return logarithm if base is None else product_node(logarithm, call_node("log", base), signs="*/")


def power(at: Cursor, name: str, raised: Item) -> Node | None:
    r"""The power of ``\sin^2``; None where ``\sin^{-1}`` is the inverse."""
    inner = raised.parts[0]
    if inner == (Item("sign", "-"), Item("number", "1")):
        if name not in _INVERSES:
            raise at.fail("a reciprocal, or an inverse?  Write \\frac{1}{...}", raised)
        if at.context.ask(r"\sin^{-1}", raised) == r"\arcsin":
            return None
    if inner[:1] == (Item("open", "("),):
        raise at.fail("an iterate, or a derivative?  Say what it is", raised)
    return at.part(inner, raised.at)


def argument(at: Cursor, item: Item, name: str) -> tuple[tuple[Node, ...], bool]:
    r"""The arguments of a function, and whether they stand in brackets; of ``\ln`` they need none."""
    following = at.item
    if following is None:
        raise at.fail(f"{item.text} without its argument", item)
    bare = item.text in signs.BARE
    if following.kind == "open" and following.text in ("(", "[", "{"):
        given = at.arguments()
        after = at.item
        if bare and after is not None and after.kind == "open" and at.context.ask(r"\ln(a)(b)", after) == r"\ln((a)(b))":
            rest = [at.factor()]
            while at.item is not None and at.item.kind == "open":
                rest.append(at.factor())
            return (product_node(*given, *rest),), False
        if bare and after is not None and after == Item("sign", "!"):
            raise at.fail("a factorial behind a function: use brackets", after)
        return given, True
    if not bare:
        raise at.fail(f"{item.text} without brackets", item)
    first = at.factor()
    after = at.item
    if after is None:
        return (first,), False
    if after == Item("sign", "/"):
        return (over(at, first, after),), False
    if at.starts() and not ends(at, after):
        if at.context.ask(r"\ln n p", after) == r"(\ln n) p":
            return (first,), False
        factors = [first]
        while at.item is not None and at.starts() and not ends(at, at.item):
            factors.append(at.factor())
        return (product_node(*factors),), False
    return (first,), False


def over(at: Cursor, first: Node, slash: Item) -> Node:
    r"""``\ln 1/p``: what is divided is asked, but where another function follows."""
    after = at.ahead()
    if after is not None and ends(at, after):
        return first
    question = r"\ln 1/n" if words(first) == "1" else r"\ln n/m"
    if at.context.ask(question, slash).startswith(r"(\ln"):
        return first
    at.position += 1
    return product_node(first, at.factor(), signs="*/")


def ends(at: Cursor, item: Item) -> bool:
    r"""Whether the argument of a function ends before an item: ``\ln n \ln m`` is a product of two."""
    known = item.kind in ("macro", "upright") and item.text in signs.BARE | {"log", "lg", "ln"}
    return known or (item.kind == "macro" and item.text in ("sum", "prod", "int", "indicator"))


def order(at: Cursor, name: str, item: Item) -> Node:
    """``O(g)``, ``o_{p,n}(1)``: the index of an o says what tends, which the regime has to say too."""
    index = at.item
    if index is not None and index.kind == "sub":
        if name != "o":
            raise at.fail(f"an index of {name}: on what the constant depends is not read", index)
        at.position += 1
        at.context.small.append((small(at, index), index.at))
    if at.item is None or at.item.kind != "open" or at.item.text not in ("(", "[", "{"):
        raise at.fail(f"{name} without its growth in brackets", item)
    given = at.arguments()
    if len(given) != 1:
        raise at.fail(f"{name} of {len(given)} growths", item)
    return call_node(name, *given)


def small(at: Cursor, index: Item) -> frozenset[str]:
    """The names that an index of an o lists."""
    found: set[str] = set()
    inner = index.parts[0]
    k = 0
    while k < len(inner):
        if not is_letter(inner[k]):
            raise at.fail("the index of an o lists what tends", inner[k])
        sign = sign_at(inner, k)
        found.add(words(at.part(inner[k : sign.end], index.at)))
        k = sign.end
        if k < len(inner):
            if inner[k] != Item("sign", ",") or k + 1 == len(inner):
                raise at.fail("the index of an o lists what tends", inner[k])
            k += 1
    return frozenset(found)


def indicator(at: Cursor, item: Item) -> Node:
    r"""``\mathbf{1}[a \le b]`` and ``\mathbf{1}_{a \le b}``."""
    following = at.item
    if following is not None and following.kind == "sub":
        at.position += 1
        inner = following.parts[0]
        if inner[:1] in ((Item("open", "{"),), (Item("open", "["),), (Item("open", "("),)) and inner[-1].kind == "close":
            inner = inner[1:-1]
    elif following is not None and following.kind == "open":
        start, level = at.position, 0
        for end in range(start, len(at.found)):
            level += (at.found[end].kind == "open") - (at.found[end].kind == "close")
            if level == 0:
                break
        inner, at.position = at.found[start + 1 : end], end + 1
        if level:
            raise at.fail("a bracket that is never closed", following)
    else:
        raise at.fail("an indicator without its condition", item)
    inside = type(at)(at.context, inner, item.at)
    left = inside.expression()
    sign = inside.item
    if sign is None or sign.kind != "relation" or sign.text not in ("<=", ">="):
        raise at.fail("an indicator of another condition than \\le or \\ge", item)
    inside.position += 1
    right = inside.expression()
    if inside.item is not None:
        raise inside.fail("an indicator of more than one condition")
    return call_node("AtMost", *((left, right) if sign.text == "<=" else (right, left)))

