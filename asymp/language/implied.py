"""What conditions imply of one variable: its range between numbers.

>>> from asymp.language.conditions import read_conditions
>>> interval("p", read_conditions("0 < p <= 1/3"))
((Fraction(0, 1), True), (Fraction(1, 3), False))
"""

from __future__ import annotations

from fractions import Fraction

from asymp.language.conditions import Between, Compared, Condition, Conditions, Listed
from asymp.language.meanings import CONSTANTS
from asymp.language.names import free_names
from asymp.language.numbers import ParseError
from asymp.language.value import NotExact, value


def implied(condition: Condition, name: str, known: Conditions) -> bool:
    """Whether ``known`` bounds a variable by numbers, or lists values of it, so that a declared range says no more.

    Raises:
        ParseError: a listed value is outside.

    >>> from asymp.language.conditions import read_conditions
    >>> implied(read_conditions("n >= 1")[0], "n", read_conditions("n in 2..7"))
    True
    """
    inside = interval(name, (condition,))
    if inside is None or not _between_numbers(condition):
        return False
    for c in known:
        values = [row[c.names.index(name)] for row in c.rows] if isinstance(c, Listed) and name in c.names else []
        if isinstance(c, Between) and c.name == name:
            values = [c.low, c.high]
        if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name" and c.parts[0].text == name:
            values = [c.parts[1]]
        for node in values:
            try:
                number = value(node, {})
            except NotExact:
                return False
            if not _holds(number, inside):
                raise ParseError(f"{name} = {number} is not in {condition}")
        if values:
            return True
    ranges = interval(name, tuple(c for c in known if isinstance(c, Compared)))
    if ranges is None:
        return False
    (low, low_open), (high, high_open) = ranges
    (least, least_open), (most, most_open) = inside
    below = least is None or (low is not None and (low > least or (low == least and (low_open or not least_open))))
    above = most is None or (high is not None and (high < most or (high == most and (high_open or not most_open))))
    return below and above


def _between_numbers(condition: Condition) -> bool:
    """Whether all that a comparison says is between which numbers one variable lies: of 1 <= i <= n that is a part alone."""
    return [node.kind for node in condition.terms() if free_names(node) - CONSTANTS] == ["name"]


End = tuple[Fraction | None, bool]


def interval(name: str, conditions: Conditions) -> tuple[End, End] | None:
    """The lower and upper end, each with whether it is open, that comparisons with numbers give; None where none does.

    >>> from asymp.language.conditions import read_conditions
    >>> interval("p", read_conditions("0 < p <= 1/3"))
    ((Fraction(0, 1), True), (Fraction(1, 3), False))
    """
    low: End = (None, False)
    high: End = (None, False)
    found = False
    for condition in conditions:
        for left, sign, right in condition.pairs() if isinstance(condition, Compared) else ():
            small, large = (left, right) if sign[0] == "<" else (right, left)
            is_small, is_large = (node.kind == "name" and node.text == name for node in (small, large))
            if sign == "=" or is_small == is_large:
                continue
            mine, other = (small, large) if is_small else (large, small)
            try:
                number = value(other, {})
            except NotExact:
                continue
            found = found or mine.text == name
            is_open = len(sign) == 1
            if mine is large and (low[0] is None or (number, is_open) > low):
                low = (number, is_open)
            if mine is small and (high[0] is None or (-number, is_open) > (-high[0], high[1])):
                high = (number, is_open)
    return (low, high) if found else None


def _holds(number: Fraction, inside: tuple[End, End]) -> bool:
    (low, low_open), (high, high_open) = inside
    above = low is None or number > low or (number == low and not low_open)
    return above and (high is None or number < high or (number == high and not high_open))
