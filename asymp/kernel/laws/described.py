"""What is known of a law on one side of =>, as terms: its transform, distribution function, probabilities, moments.

>>> from asymp.language.laws import law
>>> from asymp.language.syntax import Parser, words
>>> print(words(transform(law(Parser("(poisson(n) - n)/sqrt(n)").whole()), Node("name", 1, "s"))))
exp(s*n/sqrt(n))*exp(n*(exp(-s/sqrt(n)) - 1))
"""

from __future__ import annotations

from asymp.language.laws import LESS_OO, ONE, OO, ZERO, Law, call, is_infinite, minus, plus, times
from asymp.language.names import substitute
from asymp.language.syntax import Node, ranges

Piece = tuple[Node, Node, Node]
"""Low, high, and a term for what lies between."""


def transform(one: Law, s: Node) -> Node | None:
    """E exp(-s Y), of the side Y."""
    if one.atom is None:
        return ONE if one.side == ZERO else call("exp", minus(times(s, one.side)))
    rest, inner = one.shift(s), _transform(one, one.scaled(s))
    return inner if rest is None or inner is None else times(call("exp", minus(rest)), inner)


def cumulant(one: Law, s: Node) -> Node | None:
    """log E exp(-s Y)."""
    if one.atom is None:
        return minus(times(s, one.side))
    if one.row:
        inner: Node | None = one.put(one.row.cumulant, s=one.scaled(s))
    else:
        inner = _transform(one, one.scaled(s))
        inner = None if inner is None else call("log", inner)
    rest = one.shift(s)
    return inner if rest is None or inner is None else plus(inner, rest, "-")


def _transform(one: Law, s: Node) -> Node | None:
    """E exp(-s X), of the atom X."""
    assert one.atom is not None
    if one.row:
        return one.put(one.row.transform, s=s)
    match one.given:
        case "Laplace":
            return _at(one, s)
        case "Mgf":
            return _at(one, minus(s))
        case "Generating":
            return _at(one, call("exp", minus(s)))
        case "Masses":
            name, low, high = ranges(one.atom)[0]
            body, free = one.atom.parts[0], name
            while free in s.free | (body.every_name if free != name else frozenset()):
                free += "_"
            k = Node("name", 1, free)
            summand = times(call("exp", minus(times(s, k))), substitute(body, {name: k}))
            return call("Sum", summand, Node("tuple", 1, "", (k, low, high)))
    return None


def ends(one: Law) -> tuple[Node, Node]:
    """(below, above): the transform of the atom is finite for -below < s < above."""
    if one.atom is None:
        return OO, OO
    if one.row:
        return one.put(one.row.below), one.put(one.row.above)
    _, low, high = ranges(one.atom)[0]
    if one.given == "Laplace":
        return ZERO, high
    if one.given == "Mgf":
        return high, minus(low)
    if one.given == "Masses":
        return (ZERO if high == OO else OO), (ZERO if low == LESS_OO else OO)
    return ZERO, OO


def pieces(one: Law, x: Node) -> list[Piece]:
    """P(Y <= x) on ranges of the atom, which leave out no other points of continuity; for positive scales."""
    if one.atom is None:
        return [(LESS_OO, one.side, ZERO), (one.side, OO, ONE)]
    if one.row and one.row.cdf and not one.row.mass:
        low, high = (one.put(end) for end in (one.row.low, one.row.high))
        return [(low, high, one.put(one.row.cdf, x=one.inverse(x)))]
    if one.given == "Distribution":
        _, low, high = ranges(one.atom)[0]
        return [(low, high, _at(one, one.inverse(x)))]
    return []


def outwards(one: Law, end: Node) -> Node:
    """Where the side is where the atom is at an end of its range; for positive scales."""
    if one.atom is None or is_infinite(end):
        return end
    rest = one.shift(ONE)
    if end == ZERO:
        return rest or ZERO
    return one.scaled(end) if rest is None else plus(one.scaled(end), rest)


def mass(one: Law, k: Node) -> Piece | None:
    """The range of the atom, and P(Y = k); where it is not scaled."""
    if one.atom is None:
        return one.side, one.side, ONE
    if one.scaled(ONE) != ONE:
        return None
    if one.row and one.row.mass:
        return one.put(one.row.low), one.put(one.row.high), one.put(one.row.mass, k=one.inverse(k))
    if one.given == "Masses":
        _, low, high = ranges(one.atom)[0]
        return low, high, _at(one, one.inverse(k))
    return None


def moment(one: Law, k: Node) -> Node | None:
    """E Y^k, where nothing is added."""
    if one.atom is None:
        return Node("power", 1, "", (one.side, k))
    inner = one.put(one.row.moment, k=k) if one.row and one.row.moment else _at(one, k) if one.given == "Moments" else None
    if inner is None or one.shift(ONE) is not None:
        return None
    scale = one.scaled(ONE)
    return inner if scale == ONE else times(Node("power", 1, "", (scale, k)), inner)


def _at(one: Law, value: Node) -> Node:
    """What is given, at a value of its variable."""
    assert one.atom is not None
    return substitute(one.atom.parts[0], {ranges(one.atom)[0][0]: value})
