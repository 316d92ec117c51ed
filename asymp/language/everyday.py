"""Everyday words of laws as the terms that they stand for: P(X <= x), P(X = k), E(X), Var(X), Phi(x), phi(x).

X is an everyday law (:mod:`asymp.functions.laws`); in E and Var it may be scaled and shifted.  Of what may be no law, as c in
poisson(c), the term has a part that is not defined there: 0*log(c).  P(X = k) is asked where k is said to be whole.

>>> def shown(text, whole=()):
...     return words(in_terms(Parser(text).whole(), whole=whole))
>>> shown("P(poisson(10) <= 7)"), shown("P(binomial(5, 1/2) = 2)"), shown("2*E(3*poisson(2) + 1)")
('uppergamma(7 + 1, 10)/7!', 'binomial(5, 2)*(1/2)^2*(1 - 1/2)^(5 - 2)', '2*(3*2 + 1)')
>>> shown("P(exponential(r) > t)"), shown("Phi(x)")
('1 - (1 - exp(-r*Max(t, 0)) + 0*log(r))', 'erfc(-x/sqrt(2))/2')
>>> shown("P(poisson(1) = x)")
Traceback (most recent call last):
...
asymp.language.numbers.ParseError: P(poisson(1) = x): say that x is whole
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction

from asymp.language.conditions import Compared
from asymp.language.laws import ONE, ZERO, Law, call, is_infinite, law, minus, plus, put, standard, times
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser, binds, ranges, words
from asymp.language.value import NotExact, value

TWO = Node("number", 1, "2")
WORDS = ("P", "E", "Var", "Phi", "phi")


Sure = Callable[[Node, str, Node], bool]


def in_terms(node: Node, own: Collection[str] = (), whole: Collection[str] = (), sure: Sure = lambda *_: False) -> Node:
    """A term without these words.

    Args:
        node: the term.
        own: names that have a meaning of their own here: letters, definitions, functions of a model.
        whole: names that are whole.
        sure: whether one term is known to be < or <= another.

    Raises:
        ParseError: what stands in the brackets is no law, or it is not known whether k is whole.
    """
    if node.calls.isdisjoint(WORDS):
        return node
    if binds(node):
        bound = {name for name, _, _ in ranges(node)}
        whole = {*whole, *bound} if node.text in ("Sum", "Product") else {*whole} - bound
    parts = tuple(in_terms(part, own, whole, sure) for part in node.parts)
    if node.kind != "call" or node.text not in WORDS or node.text in own or len(parts) != 1:
        return node.of(parts)
    match node.text:
        case "Phi":
            return put("erfc(-x/sqrt(2))/2", {"x": parts[0]})
        case "phi":
            return put("exp(-x^2/2)/sqrt(2*pi)", {"x": parts[0]})
        case "P" if parts[0].kind == "event":
            return _probability(parts[0], whole, sure)
        case "P":
            raise ParseError(f"{words(node)}: a probability is written P(poisson(c) <= k)")
    one = law(standard(parts[0]))
    if one.row is None:
        raise ParseError(f"{words(node)}: what has a mean here is an everyday law, such as poisson(c)")
    if node.text == "E":
        rest, middle = one.shift(ONE), one.scaled(one.put(one.row.mean))
        return _guarded(one, middle if rest is None else plus(middle, rest), sure)
    scale = one.scaled(ONE)
    found = one.put(one.row.variance)
    return _guarded(one, found if scale == ONE else times(found, Node("power", 1, "", (scale, TWO))), sure)


def _probability(event: Node, whole: Collection[str], sure: Sure) -> Node:
    one, x, sign = law(standard(event.parts[0])), event.parts[1], event.text
    if one.row is None or not one.is_plain:
        raise ParseError(f"P({words(event)}): on the left stands an everyday law alone, such as poisson(c)")
    counts = bool(one.row.mass)
    if sign == "=" and not counts:
        raise ParseError(f"P({words(event)}): of such a law single values have probability 0")
    if counts and not is_whole(x, whole) and (sign in ("=", ">=", "<")):
        raise ParseError(f"P({words(event)}): say that {words(x)} is whole")
    if sign == "=":
        return _guarded(one, _mass(one, x, sure), sure)
    if counts and sign in (">=", "<"):
        x = _literal(plus(x, ONE, "-"))
    found = _guarded(one, below(one, x, whole, sure), sure)
    return found if sign in ("<=", "<") else plus(ONE, found, "-")


def below(one: Law, x: Node, whole: Collection[str] = (), sure: Sure = lambda *_: False) -> Node:
    """P(X <= x) of an everyday law, for all x."""
    assert one.row is not None
    low, high = one.put(one.row.low), one.put(one.row.high)
    if one.row.mass:
        low = ZERO
        x = x if is_whole(x, whole) else call("floor", x)
        if (found := _number(x)) is not None and found < 0:
            return ZERO
        clamps = one.row.name == "geometric"
        text = one.row.cdf.replace("floor(x)", "x")
    else:
        clamps, text = not is_infinite(low), one.row.cdf
    least, at = _number(low) if clamps else None, _number(x)
    if clamps and (least is None or at is None or at < least) and not sure(low, "<=", x):
        x = call("Max", x, low)
    if one.row.name == "uniform" and not sure(x, "<=", high):
        x = call("Min", x, high)
    return one.put(text, x=x)


def _mass(one: Law, k: Node, sure: Sure) -> Node:
    assert one.row is not None
    found = _number(k)
    if found is not None and found < (1 if one.row.name == "geometric" else 0):
        return ZERO
    if one.row.name == "geometric" and found is None and not sure(ONE, "<=", k):  # 0 below 1
        return one.put("(1 - p)^Max(k - 1, 0) - (1 - p)^Max(k, 0)", k=k)
    return one.put(one.row.mass, k=k)


def _guarded(one: Law, term: Node, sure: Sure) -> Node:
    """The term, with a part that is defined for the parameters of a law alone where it is not seen that they are these."""
    assert one.row is not None
    for c in one.needs():
        assert isinstance(c, Compared)
        for low, sign, high in c.pairs():
            if sign[0] == ">":
                low, sign, high = high, sign.replace(">", "<"), low
            low, high = one.of_parameters(low), one.of_parameters(high)
            gap = plus(high, low, "-")
            known = _number(gap)
            if known is not None and (known < 0 or (known == 0 and sign == "<")):
                raise ParseError(f"{words(one.side)} is no law: {words(gap)} {sign.replace('<', '>')} 0 is needed")
            if known is None and not sure(low, sign, high):
                term = plus(term, Node("product", 1, "", (ZERO, call("log" if sign == "<" else "sqrt", gap)), "**"))
    return term


def _number(node: Node) -> Fraction | None:
    try:
        return value(node, {})
    except NotExact:
        return None


def _literal(node: Node) -> Node:
    found = _number(node)
    return node if found is None or found.denominator != 1 else _whole_number(int(found))


def _whole_number(n: int) -> Node:
    return Node("number", 1, str(n)) if n >= 0 else minus(Node("number", 1, str(-n)))


def is_whole(node: Node, names: Collection[str]) -> bool:
    """Whether a term is whole: sums and products of whole numbers, and of names that are."""
    match node.kind:
        case "number":
            return node.text.isdigit()
        case "name":
            return node.text in names
        case "sum" | "negative":
            return all(is_whole(part, names) for part in node.parts)
        case "product":
            return "/" not in node.signs and all(is_whole(part, names) for part in node.parts)
        case "call":
            return node.text in ("floor", "ceiling")
    return False



def text_in_terms(text: str, own: Collection[str] = (), whole: Collection[str] = ()) -> str:
    """A text of a term without these words; the same text where it has none.

    >>> text_in_terms("1 + P(poisson(1)<=2)"), text_in_terms("1+Phi")
    ('1 + uppergamma(2 + 1, 1)/2!', '1+Phi')
    """
    node = Parser(text).whole() if any(f"{word}(" in text.replace(" ", "") for word in WORDS) else None
    return text if node is None or node.calls.isdisjoint(WORDS) else words(in_terms(node, own, whole))
