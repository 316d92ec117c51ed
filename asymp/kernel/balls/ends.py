"""Between which numbers variables lie, by comparisons: x <= c, x < y, and 2*x + y < 5, from what is known of the others.

>>> from asymp.kernel.terms import read
>>> pairs = [(read(a), "<", read(b)) for a, b in (("-1", "x"), ("-3/2", "y"), ("x + 2*y", "5"))]
>>> low, high = ends(pairs, ["x", "y"], lambda one: False, {}, Evaluator(64))
>>> low, high
({'x': -1, 'y': -3/2}, {'x': 8, 'y': 3})
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq
from gmpy2 import mpq

from asymp.kernel.domain import Pair
from asymp.kernel.facts.intervals import Box, Range, as_end
from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.terms import CONSTANTS, ZERO, Term, add, free, negative

Ends = dict[str, fmpq]


def ends(
    pairs: Sequence[Pair], variables: Sequence[str], is_whole: Callable[[str], bool], at: Box, evaluator: Evaluator
) -> tuple[Ends, Ends]:
    """The known lower and upper ends of variables, where some lie in a box."""
    lows: Ends = {v: x.low for v, x in at.items()}
    highs: Ends = {v: x.high for v, x in at.items()}
    waiting = [v for v in variables if v not in at]

    def put(v: str, found: fmpq, above: bool, strict: bool) -> None:
        """That a variable lies below or above a number: n < 5 is n <= 4 for whole n."""
        known = highs if above else lows
        if is_whole(v) and strict:
            found = fmpq(found.ceil()) - 1 if above else fmpq(found.floor()) + 1
        known[v] = found if v not in known else min(known[v], found) if above else max(known[v], found)

    for _ in range(len(waiting) + 1):  # each time those are found whose ends speak of what was found before
        known = {v: Range(lows[v], highs[v]) for v in lows if v in highs}
        for low, sign, high in pairs:
            sides = ((low, high, True), (high, low, True), (high, low, False), (low, high, False))
            for x, end, above in sides if sign == "=" else sides[::2]:
                if x.head == "name" and x.name in waiting:
                    near = highs if above else lows
                    if end.head == "name" and end.name in near:  # x < y, and y is known on that side
                        put(x.name, near[end.name], above, sign == "<")
                    elif free(end) <= set(known):
                        put(x.name, evaluator.range(end, known)[1 if above else 0], above, sign == "<")
            for v, found, above in _of_sums(low, high, waiting, lows, highs, evaluator) if sign != "=" else []:
                put(v, found, above, sign == "<")
    return lows, highs


def _of_sums(
    low: Term, high: Term, waiting: Sequence[str], lows: Ends, highs: Ends, evaluator: Evaluator
) -> list[tuple[str, fmpq, bool]]:
    """From 0 <= c + a_1 x_1 + ... for one variable after the other: the ends of the others, on one side each, are known."""
    if "sum" not in (low.head, high.head):
        return []
    above, below = _linear(high), _linear(low)
    if above is None or below is None:
        return []
    factors = {v: above[0].get(v, mpq(0)) - below[0].get(v, mpq(0)) for v in {**above[0], **below[0]}}
    rest = add(above[1], negative(below[1]))
    found = []
    for v, a in factors.items():
        near = [(highs if b > 0 else lows, w, b) for w, b in factors.items() if w != v]
        if a and v in waiting and all(w in side for side, w, b in near if b):
            most = evaluator.range(rest, {}).high + sum((as_end(b) * side[w] for side, w, b in near if b), fmpq(0))
            found.append((v, -most / as_end(a), a < 0))
    return found


def _linear(term: Term) -> tuple[dict[str, mpq], Term] | None:
    """The coefficients of the variables of a sum, and what is constant in it; None where it is not linear."""
    factors: dict[str, mpq] = {}
    rest = ZERO
    for part in term.parts if term.head == "sum" else (term,):
        x, *others = sorted(part.parts if part.head == "product" else (part,), key=lambda one: one.is_number)
        if not free(part) - CONSTANTS:
            rest = add(rest, part)
        elif x.head == "name" and len(others) < 2 and all(one.is_number for one in others):
            factors[x.name] = factors.get(x.name, mpq(0)) + (others[0].number if others else mpq(1))
        else:
            return None
    return factors, rest
