"""A variable that tends to a number from one side, or to -oo, as one that tends to infinity.

x tends to c from above on a path exactly if v = 1/(x - c) tends to infinity on it, and then x = c + 1/v; from below, x = c - 1/v;
and x -> -oo is x = -v.  So a statement holds for x -> c+ if and only if the one with c + 1/v for x holds for v -> oo.  What a
domain says of x alone, and is true of all x near the limit point on that side, takes no path away.

>>> from asymp.kernel.theorem import apply
>>> place = {"scales": {"v_": "v"}, "values": {"v": "v_"}}
>>> along = {"runner": "k", "values": {"v": "k"}}
>>> premise = apply("asymptotic", statement="(1 - 1/v)^2 -> 1 as v -> oo", order=2, place=place, **along)
>>> apply("limit point", [premise], statement="x^2 -> 1 as x -> 1- for x < 1", variable="x", runner="v")
⊢ x^2 -> 1 as x -> 1- for x < 1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.growths.regime import moving, require_fresh
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown, together
from asymp.language.conditions import Compared, Condition, OfKind, Tends
from asymp.language.names import substitute
from asymp.language.statement import Statement
from asymp.language.syntax import Node

OO = terms.name("oo")


@rule("limit point")
def _limit_point(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement about x near a limit point, from the same in v -> oo, or its negation from that of the same.

    Data: statement, variable (x), runner (v).
    """
    statement = read_closed(data["statement"])
    return Conclusion(statement, shown(premises, [at_infinity(statement, data.text("variable"), data.text("runner"))], None))


@rule("two sides")
def _two_sides(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement as x -> c, from the same as x -> c+ and as x -> c-: it holds if both hold, and fails if one fails.

    Data: statement, variable (x).

    As x -> c it is said of all sequences of numbers other than c that tend to c; each of these is made of one above c and
    one below, of which at least one is infinite.

    >>> from asymp.kernel.theorem import apply
    >>> from asymp.prove.claims import theorem
    >>> sides = [theorem(read_closed(f"x^2 -> 0 as x -> 0{side}"), True) for side in "+-"]
    >>> apply("two sides", sides, statement="x^2 -> 0 as x -> 0", variable="x")
    ⊢ x^2 -> 0 as x -> 0
    """
    statement = read_closed(data["statement"])
    return together(statement, premises, from_both_sides(statement, data.text("variable")))


def from_both_sides(statement: Statement, x: str) -> list[Statement]:
    """The statement as x tends to its limit from above, and from below.

    Raises:
        Refused: it is said from which side x tends to it, or more is said of how x tends, or of its values.
    """
    limits = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and c.term.text == x]
    if len(limits) != 1 or limits[0].side or statement.some or statement.uniform:
        raise Refused(f"{x} has no one limit from both sides")
    target = terms.of(limits[0].target)
    if target.free & moving(statement) or any(part == OO for part in terms.walk(target)):
        raise Refused(f"{limits[0].target} moves, or is infinite")
    others = [c for c in statement.conditions() if c is not limits[0] and c != OfKind(x, "real")]
    if x in given(statement.conditions()).whole or any(x in c.mentioned for c in others):
        raise Refused(f"more is said of {x}")
    found = []
    for side in "+-":
        regime = tuple(replace(c, side=side) if c is limits[0] else c for c in statement.regime)
        found.append(replace(statement, regime=regime, ties=()))
    return found


def at_infinity(statement: Statement, x: str, v: str) -> Statement:
    """The statement with x = c + 1/v, c - 1/v or -v, v -> oo.

    Raises:
        Refused: x has no one limit of this kind, is whole, or is bound by what is not seen to hold near its limit.
    """
    require_fresh((statement,), (v,))
    limits = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and c.term.text == x]
    if len(limits) != 1 or statement.some or statement.uniform or x in given(statement.conditions()).whole:
        raise Refused(f"{x} has no one limit, or is whole")
    value = _value(limits[0], statement, v)
    tends = Tends(Node("name", 1, v), Node("name", 1, "oo"))

    def put(node: Node) -> Node:
        return substitute(node, {x: value})

    def of(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        kept = (c for c in conditions if not is_true_near(c, limits[0]))
        return tuple(tends if c is limits[0] else c.changed(put) for c in kept)

    regime, domain = of(statement.regime), of(statement.domain)
    if any(x in c.mentioned for c in (*regime, *domain)):
        raise Refused(f"a kind of {x}, or a list of its values")
    return replace(statement, body=statement.body.changed(put), regime=regime, domain=domain, ties=())


def limit_points(statement: Statement) -> list[str]:
    """The variables that tend to a number, but for those that tend to 0 from above, or to -oo."""
    return [c.term.text for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and _is_limit_point(c)]


def sideless(statement: Statement) -> list[str]:
    """The variables that tend to a number, and it is not said from which side."""
    lone = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and not c.side]
    return [c.term.text for c in lone if not any(part == OO for part in terms.walk(terms.of(c.target)))]


def _is_limit_point(c: Tends) -> bool:
    target = terms.of(c.target)
    return target == terms.negative(OO) or (c.side != "" and (target, c.side) != (terms.ZERO, "+"))


def _value(limit: Tends, statement: Statement, v: str) -> Node:
    """What x is in v.

    Raises:
        Refused: it is not said from which side it tends, or where it tends moves.
    """
    runner, target = terms.name(v), terms.of(limit.target)
    if not _is_limit_point(limit):
        raise Refused(f"{limit} is no limit from one side")
    if target == terms.negative(OO):
        return node_of(terms.negative(runner))
    if target.free & moving(statement) or any(part == OO for part in terms.walk(target)):
        raise Refused(f"{limit.target} moves")
    step = terms.reciprocal(runner)
    return node_of(terms.add(target, step if limit.side == "+" else terms.negative(step)))


def is_true_near(condition: Condition, limit: Tends) -> bool:
    """Whether a condition on x alone, in numbers, holds for all x near a limit point on its side; ``real x`` does.

    >>> from asymp.language.conditions import read_conditions
    >>> limit, *others = read_conditions("x -> 1-, 0 < x < 1, x <= 1, x > 1, x >= 1, x < 1/2, real x")
    >>> [is_true_near(c, limit) for c in others]
    [True, True, False, False, False, True]
    """
    x = limit.term.text
    if isinstance(condition, OfKind):
        return condition.name == x and condition.kind == "real"
    target = terms.of(limit.target)
    if not isinstance(condition, Compared) or not (target.is_number or target in (OO, terms.negative(OO))):
        return False
    sides = [terms.of(node) for node in condition.parts]
    if not any(side == terms.name(x) for side in sides) or not all(side.is_number or side == terms.name(x) for side in sides):
        return False
    links = zip(sides, condition.signs, sides[1:], strict=False)
    return all(_holds_near(left, sign, right, target, limit.side) for left, sign, right in links)


def _holds_near(left: Term, sign: str, right: Term, target: Term, side: str) -> bool:
    """One comparison of x with a number, or of two numbers."""
    if sign[0] == ">":
        left, right, sign = right, left, sign.replace(">", "<")
    if sign not in ("<", "<="):
        return False
    if left.is_number and right.is_number:
        return left.number < right.number or (sign == "<=" and left.number == right.number)
    if left == right:
        return sign == "<="
    if not target.is_number:  # x -> oo, x -> -oo
        return left.is_number if target == OO else right.is_number
    if left.is_number:  # a < x
        return left.number < target.number or (left.number == target.number and side == "+")
    return target.number < right.number or (target.number == right.number and side == "-")
