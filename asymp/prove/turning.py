"""Places at which a term may be least: where its derivative in a variable is 0, and it is told on either side of it; and ends.

>>> from asymp.kernel.domain import Pair
>>> from asymp.kernel.terms import ZERO
>>> positive: Pair = (ZERO, "<", name("x"))
>>> at = Context(frozenset(), (positive,))
>>> [str(x) for x in turns(terms.read("x*log(x) + exp(y - 1) - x*y"), "y", at)]
['log(x) + 1']
>>> [str(x) for x in turns(terms.read("a*x^(1/2) - log(x)"), "x", at.given((ZERO, "<", name("a"))))]
['(2*a^(-1))^2']
"""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.bounds import bound
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NONE, NONNEGATIVE, Signs
from asymp.kernel.rings.field import to_term
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Ratio
from asymp.kernel.terms import CONSTANTS, Refused, Term, call, free, name, negative, number, power
from asymp.prove.search import Search, Tree

DEPTH, MOST = 3, 2
"""Of the search that is left, and of the places of one variable that are tried."""


def ends(at: Context, x: str) -> Iterator[tuple[int, Term, bool, bool]]:
    """The hypotheses that are an end of a variable: number, end, strict, below."""
    for i in range(len(at.pairs)):
        try:
            yield (i, *bound(at, x, i))
        except Refused:
            continue


def by_turning(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """On either side of where the derivative is 0: that of x*log(x) + exp(y - 1) - x*y in y is at y = 1 + log(x)."""
    if wanted == NONE or depth < DEPTH:
        return
    for x in sorted(free(d) - at.whole - CONSTANTS):
        for place in list(turns(d, x, at))[:MOST]:
            above, below = (place, "<=", name(x)), (name(x), "<=", place)
            if above in at.pairs or below in at.pairs:
                continue
            at.value(place)
            right = search.maybe(d, at.given(above), wanted, depth - 1)
            left = search.maybe(d, at.given(below), wanted, depth - 1) if right is not None else None
            if left is not None:
                yield ["parted", x, str(place), right, left]


def by_concavity(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Between two ends of a variable in which it is concave."""
    if wanted == NONE or depth < 2:
        return
    for x in sorted(free(d) - at.whole - CONSTANTS):
        both = [(i, a, strict, below) for i, a, strict, below in ends(at, x)]
        for i, a, open_below, _ in (one for one in both if one[3]):
            for j, b, open_above, _ in (one for one in both if not one[3]):
                others = tuple(p for p in at.pairs if x not in free(p[0]) | free(p[2]))
                around = Context(at.whole - {x}, (*others, (a, "<" if open_below or open_above else "<=", b)))
                inside = around.given((a, "<", name(x)), (name(x), "<", b))
                bend = search.maybe(negative(derivative(derivative(d, x), x)), inside, NONNEGATIVE, min(depth - 1, 2))
                if bend is None:
                    continue
                places = [search.maybe(terms.substitute(d, {x: end}), around, NONNEGATIVE, depth - 1) for end in (a, b)]
                if None not in places:
                    yield ["concave", x, i, j, *places, bend]


def turns(d: Term, x: str, at: Context) -> Iterator[Term]:
    """Where the derivative of a term in a variable is 0, as far as that is seen."""
    try:
        slope = at.value(derivative(d, x))
        yield from dict.fromkeys(_zeros(Ratio(slope.num), x, at))
    except Refused:
        return


def _zeros(value: Ratio, x: str, at: Context) -> Iterator[Term]:
    """x where a polynomial in atoms is 0 that is c*a^k + rest, in one atom a with x in it, up to powers that all terms have."""
    common = set.intersection(*(set(powers) for powers in value.num)) if value.num else set()
    moving = {a for powers in value.num for a, k in powers if x in free(a) and (a, k) not in common}
    if len(moving) != 1 or value.den != ONE_POLY:
        return
    (a,) = moving
    by_exponent: dict[mpq, Poly] = {}
    for powers, c in value.num.items():
        k = next((k for b, k in powers if b == a), mpq(0))
        by_exponent.setdefault(k, {})[tuple(one for one in powers if one[0] != a)] = c
    if len(by_exponent) != 2:
        return
    low, high = sorted(by_exponent)
    quotient = -Ratio(by_exponent[low]) * Ratio(by_exponent[high]).inverse()
    yield from _inverse(a, power(to_term(quotient), number(1 / (high - low))), x, at)


def _inverse(a: Term, value: Term, x: str, at: Context) -> Iterator[Term]:
    """x where an atom has a value."""
    if a == name(x):
        yield value
    elif a.head == "exp":
        yield from _zeros(at.value(a.parts[0]) - at.value(call("log", value)), x, at)
    elif a.head == "log":
        yield from _zeros(at.value(a.parts[0]) - at.value(call("exp", value)), x, at)
    elif a.head == "power" and not free(a.parts[1]) & {x}:
        inner = power(value, power(a.parts[1], number(-1)))
        yield from _zeros(at.value(a.parts[0]) - at.value(inner), x, at)
