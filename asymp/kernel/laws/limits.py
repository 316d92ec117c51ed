"""The rule for limit laws.

>>> import asymp.kernel.growths.asymptotics
>>> from asymp.kernel.theorem import apply
>>> place, along = {"scales": {"n_": "n"}, "values": {"n": "n_"}}, {"runner": "j", "values": {"n": "j", "s": "1"}}
>>> text = "1/n*exp(-s/n)/(1 - (1 - 1/n)*exp(-s/n)) -> 1/(1 + s) as whole n -> oo for s > 0"
>>> limit = apply("asymptotic", statement=text, order=2, place=place, **along)
>>> said = "geometric(1/n)/n => exponential(1) as whole n -> oo"
>>> apply("limit law", [limit], statement=said, way="transform", variable="s", place=place, order=2)
⊢ geometric(1/n)/n => exponential(1) as whole n -> oo
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import Data, text
from asymp.kernel.domain import given
from asymp.kernel.growths.asymptotics import MOST_ORDER
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.limit_points import at_infinity
from asymp.kernel.growths.regime import moving, placed, require_fresh
from asymp.kernel.growths.series import Algebra
from asymp.kernel.laws.unfolding import FACTS, Sure, parameters, sides, unfolded
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Conclusion, Theorem, proves, read_closed, rule, shown
from asymp.kernel.trust import rests_on
from asymp.language.bodies import Limiting, Ordering
from asymp.language.laws import LESS_OO, ONE, OO, Law, times
from asymp.language.statement import Statement
from asymp.language.syntax import Node, words


@rule("limit law")
def _limit_law(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """X_n => X from the limits to which it unfolds; its negation where one of these fails (see unfolding).

    Data: statement, way, variable (the one more variable), place and order (see asymptotics), by which it is seen that the
    parameters are those of a law, and that what is given of it is given there; ``points``: of what tends to a number, what tends
    to infinity instead (see limit_points), in which that is seen.

    Premises: all limits, which hold; or one that fails, and, by a transform or moments, that it is O(1).

    What is given of a law that is no everyday law is trusted, and named.
    """
    statement, way, order = read_closed(data["statement"]), data.text("way"), data.whole("order")
    name = data.text("variable")
    require_fresh((statement,), [name])
    if terms.read(name) != terms.name(name) or not 1 <= order <= MOST_ORDER:
        raise Refused("a name for the variable, and an order")
    found = unfolded(statement, way, name)
    points = {x: text(v, "points") for x, v in data.table("points").items()} if "points" in data else {}
    placed(in_large(statement, points), data["place"])
    failing = premises and not premises[0].holds
    for one in found.sure:
        if not failing or one[0] is statement or terms.canonical(one[0]) == terms.canonical(premises[0].statement):
            is_sure(one, data["place"], points, order)
    trusts = {f"given: the law {words(one.atom)}" for one in sides(statement) if one.given and one.atom is not None}
    rests_on(*FACTS[way], *(f"law: {one.row.name}" for one in sides(statement) if one.row))
    if failing:
        wanted = [terms.canonical(limit) for limit in found.limits]
        if (mine := terms.canonical(premises[0].statement)) not in wanted:
            raise Refused("the premise that fails is another statement")
        shown(premises[1:], [found.bounds[wanted.index(mine)]] if found.bounds else [])
        return Conclusion(statement, False, frozenset(trusts))
    shown(premises, found.limits)
    return Conclusion(statement, True, frozenset(trusts))


@rule("no limit law")
def _spread(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """No X_n => X where Y_n => Y, X_n = a_n Y_n + b_n with a_n -> oo or -oo, and Y is no number: X_n does not stay bounded.

    For with independent copies X_n - X_n' = a_n (Y_n - Y_n'), and Y - Y' is not 0 with some probability.

    Data: statement, place, order, points (see the rule limit law).  Premises: the other limit law, of the same atom, regime and
    domain, and that the quotient of the scales tends to oo, or to -oo.
    """
    statement, order = read_closed(data["statement"]), data.whole("order")
    points = {x: text(v, "points") for x, v in data.table("points").items()} if "points" in data else {}
    if len(premises) != 2 or not premises[0].holds or not 1 <= order <= MOST_ORDER:
        raise Refused("two premises that hold")
    (left, right), (other, limit) = sides(statement), sides(premises[0].statement)
    if terms.canonical(statement)[1:] != terms.canonical(premises[0].statement)[1:] or limit.atom is None:
        raise Refused("a limit law of another regime or domain, or whose limit is a number")
    if [terms.of(x) for x in atom_of(left)] != [terms.of(x) for x in atom_of(other)] or left.row is not other.row:
        raise Refused("a limit law of another X_n")
    ratio = times(left.scaled(ONE), other.scaled(ONE), "/")
    wanted = [replace(statement, body=Limiting(ratio, end)) for end in (OO, LESS_OO)]
    shown(premises[1:], [next((one for one in wanted if proves(premises[1], one)), wanted[0])])
    if limit.row is None or limit.row.name == "binomial":  # which may be a number, where p is 0 or 1
        raise Refused("a limit that is not seen to be no number")
    for node, what in parameters(right):
        is_sure((statement, node, what), data["place"], points, order)
    placed(in_large(statement, points), data["place"])
    rests_on("Billingsley 14.2")
    return Conclusion(statement, False)


def atom_of(one: Law) -> tuple[Node, ...]:
    """What the atom of a side is made of."""
    return one.key()[1][:-2]


def in_large(statement: Statement, points: Mapping[str, str]) -> Statement:
    """The statement in what tends to infinity.

    Raises:
        Refused: one of the variables has no limit point.
    """
    for x, v in points.items():
        statement = at_infinity(statement, x, v)
    return statement


def is_sure(one: Sure, place: Mapping[str, Any], points: Mapping[str, str], order: int) -> None:
    """That a term is positive (or not negative, or whole) from some point on, on every path and for all parameters.

    Raises:
        Refused: that is not seen.
    """
    statement, node, what = one
    statement = in_large(replace(statement, body=Ordering(node, "O", ONE)), points)
    assert isinstance(statement.body, Ordering)
    term = terms.of(statement.body.left)
    where = placed(statement, place)
    whole = given((*statement.regime, *statement.domain)).whole
    if what == "whole":
        if not is_whole(term, whole):
            raise Refused(f"{words(node)} is not seen to be whole")
        return
    if what == ">=" and term.free.isdisjoint(moving(statement)) and where.domain.signs(term) <= {0, 1}:
        return
    algebra = Algebra(where.domain, order)
    counts = frozenset(where.put(terms.name(v)) for v in whole)
    f = Expander(algebra, where.scales, where.leaves(), counts).series(where.put(term))
    told = algebra.below(f)[0] if f.terms or f.rest else 0
    if told != 1 and not (told == 0 and what == ">="):
        raise Refused(f"{words(node)} {what} 0 is not seen")
