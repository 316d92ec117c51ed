"""Comparisons proved on bounded domains by covers of boxes, and refuted by a point.

A statement "for all of D" follows from the same for a set that holds D.  So ``boxes`` uses of the conditions those which
say that a variable is whole, is one of a list, or lies between two terms in variables that are bounded already: they give
closed boxes, one for each choice of listed values, and D lies in them.  (The strictness of the ends of real variables is
dropped; so all terms have to be defined on the closed box.)  The rule's data are

* ``statement``: a chain of =, <, <=, >, >= for a domain of kinds, comparisons, lists and ranges ``2..7``; no limits;
* ``cover``: a list of trees, one for each choice of listed values in their order, or one for all of them;
* ``bits``: the precision of the balls.

A tree is a leaf or ``[variable, number as text, left, right]``, where the number lies inside the variable's range: the
left side takes what is <= the number, the right side what is >= it (> for whole variables), so that the two cover the
box.  A leaf settles its box where a condition of the domain certainly fails on all of it, or where every comparison
certainly holds on it:

* ``"ok"``: by the ranges of both sides;
* ``"each"``: the same for each whole value of all whole variables by itself;
* ``"slope"``: a <= b by b - a.  Where the derivative of b - a in x is certainly of one sign on the box, b - a is least at
  an end of x, and the box is replaced by that face; then for the next variable.  (By the mean value theorem: b - a and
  its derivative are defined with all their parts, so smooth, on the closed box.)
* ``"taylor K"``: a <= b by b - a, enclosed by Taylor's formula to the order K (:mod:`asymp.kernel.balls.taylor`); where a is
  Abs(u), by b - u and b + u.

Where every leaf is settled by the domain's conditions alone the domain is empty, which is refused.

``witness`` refutes a statement of the same form, also on domains without bounds, and one ``for some`` values of variables
that lie in boxes.  Its data are ``statement``, ``bits``
and ``at``: a rational number as text for each variable.  There every condition certainly holds, all terms of the chain
are defined, and one of the comparisons certainly fails.  What is undefined refutes nothing.  A variable of no kind is
real; but a value that is not whole is refused where its name is one that usually means a whole number, or where it
stands in an exponent over a base that is not made of positive numbers and variables, since it might be read as whole there.

>>> from asymp.kernel.theorem import apply
>>> apply("boxes", statement="log(1 + x) <= x for 0 <= x <= 9", cover=["slope"], bits=64)
⊢ log(1 + x) <= x for 0 <= x <= 9
>>> apply("boxes", statement="Abs(exp(x) - 1 - x - x^2/2) <= 1/36 for -1/2 <= x <= 1/2", cover=["taylor 4"], bits=64)
⊢ Abs(exp(x) - 1 - x - x^2/2) <= 1/36 for -1/2 <= x <= 1/2
>>> cover = [["x", "1/2", "ok", ["y", "1/2", "ok", "ok"]]]
>>> apply("boxes", statement="x*y <= 1/2 for 0 < x < y < 1, x + y <= 4/5", cover=cover, bits=64)
⊢ x*y <= 1/2 for 0 < x < y < 1, x + y <= 4/5
>>> apply("boxes", statement="Sum(k, (k, 1, n)) = n*(n + 1)/2 for n in 0..9", cover=["each"], bits=64)
⊢ Sum(k, (k, 1, n)) = n*(n + 1)/2 for n in 0..9
>>> apply("witness", statement="log(x) <= x/3 for x > 0", at={"x": "2"}, bits=64)
⊢ not: log(x) <= x/3 for x > 0
>>> apply("witness", statement="2*i = a for some i in 0..a for whole a >= 0", at={"a": "1"}, bits=64)
⊢ not: 2*i = a for some i in 0..a for whole a >= 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from flint import fmpq
from gmpy2 import mpq

from asymp.kernel.balls.derivative import derivative
from asymp.kernel.balls.ends import ends
from asymp.kernel.balls.taylor import MOST_ORDER, enclosure
from asymp.kernel.data import Data
from asymp.kernel.domain import Given, Lists, Pair, compared, given
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.intervals import as_end
from asymp.kernel.facts.ranges import Box, Evaluator, Range
from asymp.kernel.noted import noted
from asymp.kernel.terms import Refused, Term, add, free, name, negative, number, read, substitute, walk
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.conditions import Compared, Conditions
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.statement import Comparison, Statement

MOST_POINTS = 100_000
"""Listed values, and whole values in a leaf."""
MOST_DEPTH = 200
"""Splits inside one another."""
LEAVES = ("ok", "each", "slope", *(f"taylor {k}" for k in range(2, MOST_ORDER + 1)))


@dataclass(frozen=True)
class Question:
    """A statement's comparisons, and its domain."""

    links: list[Pair]
    where: Given

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The comparisons of the domain."""
        return self.where.pairs

    @property
    def lists(self) -> Lists:
        """The lists of values of the domain."""
        return self.where.lists

    def variables(self) -> list[str]:
        """All variables, in alphabetical order."""
        return sorted(self.where.variables.union(*(free(low) | free(high) for low, _, high in self.links)))

    def is_whole(self, variable: str) -> bool:
        """Whether a variable is said to be whole."""
        return variable in self.where.whole


def question(statement: Statement) -> Question:
    """The statement as comparisons of terms.

    Raises:
        Refused: it is of another form.
    """
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    where = given(statement.domain)
    if where.others:
        raise Refused(f"no condition of a box: {where.others[0]}")
    return Question(compared(statement.body.chain), where)


def certainly(pair: Pair, at: Box, evaluator: Evaluator) -> bool | None:
    """Whether a comparison holds on all of a box (True), on no point of it (False), or this is not known (None).

    Raises:
        Refused: a side is not known to be defined on the box.
    """
    low, high = evaluator.range(pair[0], at), evaluator.range(pair[2], at)
    noted("sides", pair=pair, at=at, low=low, high=high)
    match pair[1]:
        case "<=":
            return True if low.high <= high.low else False if low.low > high.high else None
        case "<":
            return True if low.high < high.low else False if low.low >= high.high else None
    if low.is_point and high.is_point:
        return bool(low.low == high.low)
    return False if low.high < high.low or high.high < low.low else None


# --- boxes ------------------------------------------------------------------------------------------


class Cover:
    """The leaves of covers, settled one after the other; ``checked`` counts those on which the comparisons hold."""

    def __init__(self, asked: Question, evaluator: Evaluator) -> None:
        self.asked, self.evaluator, self.checked = asked, evaluator, 0

    def boxes(self, at: Box | None = None) -> list[dict[str, Range]]:
        """For each choice of listed values a closed box that holds all of the domain with that choice, where some lie ``at``.

        Raises:
            Refused: a variable is not bounded on both sides.
        """
        if prod(len(rows) for _, rows in self.asked.lists) > MOST_POINTS:
            raise Refused("too many listed values")
        found = []
        for rows in product(*(rows for _, rows in self.asked.lists)):
            place = dict(at or {})
            for (names, _), row in zip(self.asked.lists, rows, strict=True):
                place |= {one: self.evaluator.range(value, {}) for one, value in zip(names, row, strict=True)}
            found.append(self._bounded(place))
        return found

    def _bounded(self, at: dict[str, Range]) -> dict[str, Range]:
        """The box in which the variables lie that have no value yet."""
        lows, highs = self.bounds(at)
        if missing := [v for v in self.asked.variables() if v not in lows or v not in highs]:
            raise Refused(f"{missing[0]} is not bounded on both sides by what is known")
        return {v: self._inside(v, Range(lows[v], highs[v])) for v in (*at, *(v for v in lows if v not in at))}

    def _inside(self, variable: str, x: Range) -> Range:
        """A range; of a whole variable from a whole number to a whole number, perhaps an empty one."""
        return Range(fmpq(x.low.ceil()), fmpq(x.high.floor())) if self.asked.is_whole(variable) else x

    def bounds(self, at: Box) -> tuple[dict[str, fmpq], dict[str, fmpq]]:
        """The known lower and upper ends of the variables, where some lie in a box."""
        return ends(self.asked.pairs, self.asked.variables(), self.asked.is_whole, at, self.evaluator)

    def tree(self, tree: Any, at: dict[str, Range], depth: int = 0) -> None:
        """Settles a box by a tree.

        Raises:
            Refused: the tree is malformed, or a leaf does not settle its box.
        """
        if any(x.low > x.high for x in at.values()):
            return  # no point of the domain
        if type(tree) is not list:
            self.leaf(tree, at)
            return
        if depth > MOST_DEPTH or len(tree) != 4 or type(tree[0]) is not str or tree[0] not in at:
            raise Refused("a split is [variable, number, left, right]")
        variable, place = tree[0], number_in(tree[1])
        x = at[variable]
        if not x.low < place < x.high:
            raise Refused(f"a split of {variable} outside of its range")
        ends = (fmpq(place.floor()), fmpq(place.floor()) + 1) if self.asked.is_whole(variable) else (place, place)
        self.tree(tree[2], {**at, variable: Range(x.low, ends[0])}, depth + 1)
        self.tree(tree[3], {**at, variable: Range(ends[1], x.high)}, depth + 1)

    def leaf(self, kind: Any, at: dict[str, Range]) -> None:
        """Settles a box as a whole.

        Raises:
            Refused: it does not.
        """
        if type(kind) is not str or kind not in LEAVES:
            raise Refused("a leaf is ok, each, slope or taylor K")
        for point in self.each(at) if kind == "each" else [at]:
            if self.is_outside(point):
                noted("outside", at=point)
            else:
                for link in self.asked.links:
                    if not self._holds(link, point, kind):
                        raise Refused(f"not settled: {_shown(link)}")
                noted("settled", at=point, leaf=kind)
                self.checked += 1

    def _holds(self, link: Pair, at: dict[str, Range], kind: str) -> bool:
        if kind == "slope":
            return self._by_slope(link, at)
        if kind.startswith("taylor"):
            return self._by_taylor(link, at, int(kind[-1]))
        return certainly(link, at, self.evaluator) is True

    def _by_taylor(self, link: Pair, at: dict[str, Range], order: int) -> bool:
        low, sign, high = link
        if sign == "=":
            raise Refused("an equation has no leaf by Taylor's formula")
        self.evaluator.range(add(high, negative(low)), at)  # defined on all of the box
        sides = [low.parts[0], negative(low.parts[0])] if low.head == "Abs" else [low]
        for side in sides:
            difference = add(high, negative(side))
            self.evaluator.spend(order * sum(1 for _ in walk(difference)))
            least = enclosure(difference, at, order, self.evaluator.bits).low
            noted("least", pair=link, at=at, low=least)
            if not (least > 0 if sign == "<" else least >= 0):
                return False
        return True

    def each(self, at: dict[str, Range]) -> Iterator[dict[str, Range]]:
        """A box at each whole value of each of its whole variables by itself."""
        whole = [v for v in at if self.asked.is_whole(v) and not at[v].is_point]
        if prod(int(at[v].high.p - at[v].low.p) + 1 for v in whole) > MOST_POINTS:
            raise Refused("too many whole values")
        for values in product(*(range(int(at[v].low.p), int(at[v].high.p) + 1) for v in whole)):
            yield {**at, **{v: Range(fmpq(n), fmpq(n)) for v, n in zip(whole, values, strict=True)}}

    def is_outside(self, at: Box) -> bool:
        """Whether a condition of the domain fails on all of a box."""
        for pair in self.asked.pairs:
            try:
                if certainly(pair, at, self.evaluator) is False:
                    return True
            except Refused:  # not defined all over the box: then it says nothing here
                continue
        return False

    def _by_slope(self, link: Pair, at: dict[str, Range]) -> bool:
        left, sign, right = link
        if sign == "=":
            raise Refused("an equation has no slope leaf")
        difference = add(right, negative(left))
        self.evaluator.range(difference, at)  # defined on all of the box
        for variable in sorted(free(difference)):
            if not at[variable].is_point:
                slope, x = self.evaluator.range(derivative(difference, variable), at), at[variable]
                if slope.low >= 0 or slope.high <= 0:
                    end = x.low if slope.low >= 0 else x.high
                    at = {**at, variable: Range(end, end)}
        least = self.evaluator.range(difference, at).low
        noted("least", pair=link, at=at, low=least)
        return bool(least > 0 if sign == "<" else least >= 0)


def number_in(text: Any) -> fmpq:
    """A rational number from a certificate's data.

    Raises:
        Refused: it is no text of one.
    """
    if type(text) is not str or not (term := read(text)).is_number:
        raise Refused("a number is the text of a rational number")
    return as_end(term.number)


def _shown(pair: Pair) -> str:
    """The comparison for a message: Python refuses to write very long numbers."""
    sides = []
    for side in (pair[0], pair[2]):
        sizes = [1 + part.number.numerator.bit_length() + part.number.denominator.bit_length() for part in walk(side)]
        sides.append(str(side) if sum(sizes) < 1_000 else "...")
    return f"{sides[0]} {pair[1]} {sides[1]}"


@rule("boxes", alone=True)
def _boxes(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A chain of comparisons on a bounded domain, by boxes that cover it.

    Data: statement, cover, bits.
    """
    statement, trees = read_closed(data["statement"]), data.listed("cover")
    cover = Cover(question(statement), Evaluator(data.whole("bits")))
    boxes = cover.boxes()
    if len(trees) not in (1, len(boxes)):
        raise Refused("a cover is a list: a tree for each choice of listed values, or one for all")
    for tree, at in zip(trees if len(trees) == len(boxes) else trees * len(boxes), boxes, strict=True):
        cover.tree(tree, at)
    if not cover.checked:
        raise Refused("a domain without points")
    return Conclusion(statement)


# --- a point ----------------------------------------------------------------------------------------


@rule("witness", alone=True)
def _witness(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That a chain of comparisons fails: at one point of its domain, and there for all values of which some would do.

    Data: statement, at, bits.
    """
    statement, given = read_closed(data["statement"]), data.table("at")
    asked, evaluator = question(replace(statement, some=())), Evaluator(data.whole("bits"))
    inner = _some(statement.some, asked) if statement.some else asked
    own = set(inner.where.of_kind).union(inner.where.names_listed) if statement.some else set()
    if set(given) != set(asked.variables()) - own:
        raise Refused("a value for each variable, and for no other")
    values = {one: number_in(text) for one, text in given.items()}
    at = {one: Range(value, value) for one, value in values.items()}
    for one, value in values.items():
        if value.q != 1 and (asked.is_whole(one) or (one not in asked.where.of_kind and may_be_whole(one, asked))):
            raise Refused(f"{one} is whole, or may be")
    for pair in asked.pairs:
        if certainly(pair, at, evaluator) is not True:
            raise Refused(f"the point is not certain to satisfy {_shown(pair)}")
    for names, rows in asked.lists:
        if not any(
            all(certainly((name(n), "=", x), at, evaluator) for n, x in zip(names, row, strict=True)) for row in rows
        ):
            raise Refused(f"the point is not in the list of {', '.join(names)}")
    for box in _boxes_of(inner, at, evaluator) if statement.some else [at]:
        if False not in [certainly(link, box, evaluator) for link in asked.links] and not _not_strict(asked.links, box):
            raise Refused("nothing certainly fails at the point")
    return Conclusion(statement, holds=False)


def _not_strict(links: Sequence[Pair], at: Box) -> bool:
    """Whether at a point the sides of a strict comparison are equal, by their exact values."""
    put = {v: number(mpq(int(x.low.p), int(x.low.q))) for v, x in at.items() if x.is_point}
    gaps = [substitute(add(high, negative(low)), put) for low, sign, high in links if sign == "<"]
    return len(put) == len(at) and any(Context().signs(gap) == {0} for gap in gaps)


def _some(some: Conditions, asked: Question) -> Question:
    """The comparisons for the variables of which some values would do: each of a kind or listed, and of no other condition.

    Raises:
        Refused: it is not seen which these are.
    """
    where = given(some)
    own = {*where.of_kind, *where.names_listed}
    for c in some:
        if isinstance(c, Compared):  # it speaks of its middle, or of its first name
            parts = [one.text for one in (*c.parts[1:-1], c.parts[0], c.parts[-1]) if one.kind == "name"]
            if not parts or parts[0] not in own:
                raise Refused(f"{c}: of which variable some values are meant is not seen")
    if where.others or own & asked.where.variables or not where.variables - own <= asked.where.variables:
        raise Refused("variables of which some values are meant, and all")
    return Question(asked.links, where)


def _boxes_of(inner: Question, at: Box, evaluator: Evaluator) -> list[dict[str, Range]]:
    """Boxes that hold the values of which some would do, at a point: one at least."""
    cover = Cover(inner, evaluator)
    boxes = [box for box in cover.boxes(at) if all(x.low <= x.high for x in box.values())]
    found = [box for one in boxes for box in cover.each(one) if not cover.is_outside(box)]
    if not found:
        raise Refused("no values of which some would do")
    return found


def may_be_whole(variable: str, asked: Question) -> bool:
    """Whether a reader may take a variable as whole of which no kind is said."""
    if variable in WHOLE_LETTERS:
        return True
    above = [(low.number, sign, high) for low, sign, high in asked.pairs if low.is_number and high.head == "name"]
    positive = {high for number, sign, high in above if number > 0 or (number == 0 and sign == "<")}
    terms = [part for low, _, high in (*asked.links, *asked.pairs) for side in (low, high) for part in walk(side)]
    for term in terms:
        if term.head == "power" and variable in free(term.parts[1]):
            if not _is_positive(term.parts[0], positive):
                return True
    return False


def _is_positive(term: Term, positive: AbstractSet[Term]) -> bool:
    """Whether a term is made of positive numbers and variables by +, * and powers."""
    if term.head == "power":
        return _is_positive(term.parts[0], positive)
    if term.head in ("sum", "product"):
        return all(_is_positive(part, positive) for part in term.parts)
    return term in positive or (term.is_number and term.number > 0)
