"""Statements of limits that hold uniformly in a variable: f(i) ~ g(i), f(i) = O(g(i)), ... for low <= i <= high.

Such a statement says something of sup over i of |f/g - 1|, |f/g|, ...  It holds exactly if f ~ g, f = O(g), ... holds along
every path of the regime and every choice of an i in the range at each of its points: were the supremum not as said,
there would be a choice of i along which f/g is not.  So i is one more quantity, of which nothing is known but that it lies
between low and high: where low is at least a constant times L and high at most one times H, a power of i is bounded by one
of H or L, and log i by the logarithms of both.

Where low and high are near each other, that says too little: i = low + (s - 1) (high - low) then, for an s with 1 <= s <= 2.

The range is to hold something from some point on: low <= high is seen, and of a whole i that there is a whole number between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.growths.asymptotics import checked_order, holds
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import BOUNDED, ONE, Growth
from asymp.kernel.growths.leaves import all_used, expander_of
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import Placed, moving, placed, require_fresh
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.noted import noted
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.ratio import rational
from asymp.kernel.summation import linear
from asymp.kernel.terms import Refused, Term, first
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.conditions import Compared, OfKind
from asymp.language.statement import Statement


@rule("uniform")
def _uniform(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = O(g) and the like hold uniformly in one variable.

    Data and premises as of ``asymptotic``; no premise speaks of the variable, since what a
    leaf says holds for each value of a parameter and not uniformly.  The variable has no value on the path: on every path
    its range is seen to hold one.
    """
    statement, order = read_closed(data["statement"]), data["order"]
    if set(data) != {"statement", "order", "place", "runner", "values"}:
        raise Refused("a statement, an order, a place and a path")
    variable, below, above = uniform_range(statement)
    lows, highs = ([end for end, _ in ends] for ends in (below, above))
    plain = replace(statement, uniform=())
    checked_order(plain, order)
    conditions_alone = replace(plain, body=read_closed("0 = 0").body)
    require_fresh([conditions_alone, *(premise.statement for premise in premises)], [variable])
    where = placed(statement, data["place"], [premise.statement for premise in premises])
    if where.near:
        raise Refused("what is uniform, next to what tends to a number")
    ends = Expander(Algebra(where.domain, order), where.scales, {})
    for one in below:
        for other in above:
            _has_room(statement, variable, (one, other), lambda term: ends.series(where.put(term)), ends.algebra)

    def shown(said: Placed) -> Series:
        expander = expander_of(premises, plain, said, Algebra(said.domain, order))
        if not holds(statement.body, expander, lambda node: said.put(terms.of(node))):
            raise Refused("the series do not show it")
        all_used(premises, expander)
        noted("series", where=said, expander=expander)
        return Series(())

    number = len(where.scales)
    first([lambda: shown(_between(where, variable, number, lows, highs, ends)),
           lambda: shown(_from_low(where, variable, number, lows[0], highs[0]))], told_by=0)  # fmt: skip
    path_of(plain, data, [premise.statement for premise in premises], besides={variable})
    return Conclusion(statement)


def _between(where: Placed, v: str, number: int, lows: Sequence[Term], highs: Sequence[Term], ends: Expander) -> Placed:
    """With the variable as a quantity between two growths."""
    low, high = _least(lows, where, ends), _most(highs, where, ends)
    return replace(where, scales={**where.scales, v: number}, domain=replace(where.domain, between={number: (low, high)}))


def _from_low(where: Placed, v: str, number: int, low: Term, high: Term) -> Placed:
    """With low + (s - 1) (high - low) for the variable, and s as a quantity between 1 and 2."""
    taken = {*where.scales, v} | low.free | high.free
    name = next(one for one in ("s", "s_", *(f"s_{k}" for k in range(number + 2))) if one not in taken)
    width = terms.add(high, terms.negative(low))
    value = terms.add(low, terms.multiply(terms.add(terms.name(name), terms.number(-1)), width))
    values = {**where.values, v: value}
    return replace(
        where, values=values, scales={**where.scales, name: number}, domain=replace(where.domain, between={number: (ONE, ONE)})
    )


End = tuple[Term, bool]
"""An end of a range, and whether it is left out."""


def uniform_range(statement: Statement) -> tuple[str, list[End], list[End]]:
    """The uniform variable, and what it lies above and below.

    Raises:
        Refused: the conditions are no range of one variable between ends that move as the regime says.
    """
    found, names = [], {c.name for c in statement.uniform if isinstance(c, OfKind)}
    for c in statement.uniform:
        if isinstance(c, OfKind):
            continue
        if not isinstance(c, Compared):
            raise Refused(f"{c} of a uniform variable")
        for left, sign, right in c.pairs():
            smaller, larger = (left, right) if sign[0] == "<" else (right, left)
            found.append((terms.of(smaller), terms.of(larger), len(sign) == 1))
            if sign == "=":
                raise Refused("a uniform variable that is tied")
    own = {high.name for _, high, _ in found if high.head == "name"} & {low.name for low, _, _ in found if low.head == "name"}
    own -= terms.CONSTANTS | moving(statement)
    if len(own) != 1 or names - own - moving(statement):
        raise Refused("one uniform variable with two ends is wanted")
    (variable,) = own
    below = [(low, strict) for low, high, strict in found if high == terms.name(variable)]
    above = [(high, strict) for low, high, strict in found if low == terms.name(variable)]
    if any(variable in terms.free(end) for end, _ in (*below, *above)) or len(below) + len(above) != len(found):
        raise Refused("a uniform range is low <= i <= high")
    return variable, below, above


def _has_room(
    statement: Statement, variable: str, ends: tuple[End, End], series: Callable[[Term], Series], a: Algebra
) -> None:  # fmt: skip
    """That from some point on the range holds a number, and a whole one if the variable is whole.

    Raises:
        Refused: that is not seen; the statement may be about nothing.
    """
    (low, low_open), (high, high_open) = ends
    conditions = [*statement.uniform, *statement.domain, *statement.regime]
    whole = given(conditions).whole
    at_end = any(not is_open and is_whole(end, whole) for end, is_open in ends) or variable not in whole
    if low == high:
        if at_end and not (low_open or high_open):
            return
        raise Refused("a uniform range that may be empty")
    left_out = low_open + high_open if variable in whole else 0 if not (low_open or high_open) else None
    if at_end and left_out is not None and _apart(statement, whole, low, high, left_out):
        return
    gap = a.minus(series(high), series(low))
    told, growths = a.below(gap)
    if told == 1 and (at_end or any(g.limit(a.domain) == "infinity" for g in growths)):
        return
    c, g = a.leading(gap)
    if told == 1 and g.same(ONE) and a.domain.sign(c - rational(1)) == 1:
        return
    raise Refused("a uniform range that may be empty")


def _apart(statement: Statement, whole: frozenset[str], low: Term, high: Term, left_out: int) -> bool:
    """Whether low + left_out <= high by the conditions on whole parameters, those on the uniform variable aside."""
    try:
        wanted = linear.at_least(terms.add(low, terms.number(left_out)), high, whole)
    except Refused:
        return False
    where = linear.system([*statement.domain, *statement.regime], whole)[0]
    return linear.is_empty(where | {linear.negation(wanted)})


def _least(ends: Sequence[Term], where: Placed, expander: Expander) -> Growth:
    """A growth L with low >= aL, a > 0, where low is 1 or more in the end."""
    low = ends[0]
    sign, growths = expander.algebra.below(expander.series(where.put(low)))
    rises = [g for g in growths if g.limit(where.domain) == "infinity"]
    if sign != 1 or not (rises or (low.is_number and low.number >= 1)):
        raise Refused("a uniform variable that may be below 1")
    return _plain((rises or growths)[0])


def _most(ends: Sequence[Term], where: Placed, expander: Expander) -> Growth:
    """A growth H with high = O(H)."""
    found: Series = expander.series(where.put(ends[0]))
    parts = [*(g for _, g in found.terms), *found.rest]
    for h in parts:
        if all((g / h).limit(where.domain) in BOUNDED for g in parts):
            return _plain(h)
    raise Refused("the upper end of a uniform range has no term that leads")


def _plain(growth: Growth) -> Growth:
    if growth.exponent:
        raise Refused("an exponential at the end of a uniform range")
    return growth
