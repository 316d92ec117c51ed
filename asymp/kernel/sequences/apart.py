"""A statement for all values of a parameter, from the same for each: a list or range of values, one and all larger ones,
a closed end of its range and what lies inside, or the negative ones, 0 and the positive ones.

A statement of a regime is said of each value of a parameter by itself (no bound is common to them), so that it is what the
statements for its values say together, and fails where one of these does.  So is a comparison: of a real variable it is what it
says for its negative values, where -v is written for it, with v > 0, for 0, and for the positive ones.

>>> from asymp.language.statement import read_statement
>>> for part in parts(read_statement("x + Abs(x) >= 0 for -1 <= x < 2"), "x"):
...     print(part)
-x + Abs(-x) >= 0 for 0 < x <= 1
0 + Abs(0) >= 0
x + Abs(x) >= 0 for 0 < x < 2
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.regime import moving
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, number
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, together
from asymp.language.bodies import Comparison
from asymp.language.conditions import Between, Compared, Condition, Listed, OfKind
from asymp.language.names import free_names, substitute
from asymp.language.statement import Statement
from asymp.language.syntax import Node

MOST_VALUES = 200


@rule("apart")
def _apart(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement for n in 1..3, or p in {1/2, 1/3}, from those for each of the values, or for c >= 0 from c = 0 and c > 0.

    A comparison for a real x from that with -x for x, for x > 0, from that at x = 0, and from that for x > 0.

    Data: statement, of (the parameter).

    It holds if the premises are the statements of all of its parts, in order, and hold; it fails if one premise is one of
    them, and fails.
    """
    statement = read_closed(data["statement"])
    return together(statement, premises, parts(statement, data.text("of")))


def parts(statement: Statement, v: str) -> list[Statement]:
    """The statement for each value of v, where these are listed, else for its least value and for all larger ones.

    Of a real v with a range that holds one of its ends, 0 <= v <= 1, it is that at the end, and with < there; where ``real v``
    is all that is said of v, those for v < 0, v = 0 and v > 0.

    Raises:
        Refused: v is no parameter with such values.
    """
    if statement.some or statement.uniform or v in moving(statement) or v in terms.CONSTANTS:
        raise Refused("a statement of another form")
    if not statement.regime:
        return _of_both_signs(statement, v)
    conditions = [*statement.domain, *statement.regime]
    lists = [c for c in conditions if is_list(c, v)]
    if lists:
        if len(lists) > 1 or set(getattr(lists[0], "names", ())) & moving(statement):
            raise Refused("several lists of values")
        rows = _rows(lists[0])
        found = [_at(_without(statement, lists[0]), row) for row in rows]
        return [part for part in found if part is not None]
    if v not in given(conditions).whole:
        return _real_parts(statement, v)
    for c in conditions:
        if isinstance(c, Compared) and len(c.parts) == 2 and (least := least_whole(c, v)) is not None:
            above = Compared((node_of(terms.name(v)), node_of(number(least + 1))), (">=",))
            rest = _at(_without(statement, c), {v: number(least)})
            return [*([] if rest is None else [rest]), _changed(statement, c, above)]
    raise Refused(f"{v} has no least value")


def _real_parts(statement: Statement, v: str) -> list[Statement]:
    kinds = [c for c in statement.domain if c == OfKind(v, "real")]
    said = [c for c in statement.domain if v in {name for node in c.terms() for name in free_names(node)}]
    for c in said:
        if not isinstance(c, Compared):
            continue
        sides = [terms.of(node) for node in c.parts]
        for k, sign in enumerate(c.signs):
            pair = sides[k : k + 2]
            end = next((side for side in pair if side != terms.name(v)), None)
            if sign in ("<=", ">=") and terms.name(v) in pair and end is not None and end.is_number:
                inside = replace(c, signs=(*c.signs[:k], sign[0], *c.signs[k + 1 :]))
                at = _at(statement, {v: end})
                return [*([] if at is None else [at]), _changed(statement, c, inside)]
    if kinds and not said:
        place, zero = node_of(terms.name(v)), node_of(number(0))
        at = _at(statement, {v: number(0)})
        if at is None:
            raise Refused("a condition that fails: the statement is about nothing")
        return [_changed(statement, kinds[0], Compared((place, zero), (sign,))) if sign != "=" else at for sign in "<=>"]
    raise Refused(f"{v} is not whole, and its range holds none of its ends")


def _of_both_signs(statement: Statement, v: str) -> list[Statement]:
    """A comparison with -v for v, v > 0, that at v = 0, and that for v > 0: those of which the domain has any values."""
    where = given(statement.domain)
    real = where.variables - where.whole - {*where.names_listed}
    if type(statement.body) is not Comparison or statement.ties or where.others or v not in real:
        raise Refused("a statement of another form, or a variable that is not real")
    signs = Context(where.whole, where.pairs).signs(terms.name(v))
    kept = tuple(c for c in statement.domain if c != OfKind(v, "real"))
    if signs == {1}:
        raise Refused(f"{v} is positive")
    minus = {v: _minus(node_of(terms.name(v)))}
    turned = statement.body.changed(lambda one: substitute(one, minus)), tuple(_turned(c, v, minus) for c in kept)
    at = _at(statement, {v: number(0)}) if 0 in signs else None
    outside = [_above(replace(statement, body=body, domain=domain), v) for body, domain in (turned, (statement.body, kept))]
    return [*outside[: -1 in signs], *([] if at is None else [at]), *outside[1 : 1 + (1 in signs)]]


def _turned(c: Condition, v: str, minus: Mapping[str, Any]) -> Condition:
    """A condition with -v for v; a chain of v and terms without v times -1."""
    alone = {part for part in c.terms() if v in free_names(part)} == {node_of(terms.name(v))}
    if isinstance(c, Compared) and alone:
        parts = tuple(part if v in free_names(part) else _minus(part) for part in c.parts)
        return Compared(parts[::-1], c.signs[::-1])
    return c.changed(lambda one: substitute(one, minus))


def _minus(node: Node) -> Node:
    if node.kind == "negative":
        return node.parts[0]
    term = terms.of(node)
    return node_of(terms.negative(term)) if term.is_number else Node("negative", node.column, "", (node,))


def _above(statement: Statement, v: str) -> Statement:
    """The statement with v > 0, in the place of a bound of v by a number below 0, where there is one."""
    place, zero = node_of(terms.name(v)), node_of(number(0))
    for c in statement.domain:
        if isinstance(c, Compared) and c.parts[1] == place and c.signs[0] in ("<", "<="):
            low = terms.of(c.parts[0])
            if low.is_number and low.number <= 0:
                return _changed(statement, c, replace(c, parts=(zero, *c.parts[1:]), signs=("<", *c.signs[1:])))
    return replace(statement, domain=(Compared((place, zero), (">",)), *statement.domain))


def is_list(c: Condition, v: str) -> bool:
    """Whether a condition lists the values of a variable."""
    return (isinstance(c, Listed) and v in c.names) or (isinstance(c, Between) and c.name == v)


def _rows(c: Condition) -> list[dict[str, Term]]:
    if isinstance(c, Listed):
        return [{name: terms.of(node) for name, node in zip(c.names, row, strict=True)} for row in c.rows]
    assert isinstance(c, Between)
    low, high = terms.of(c.low), terms.of(c.high)
    if not (low.is_number and high.is_number and low.number.denominator == high.number.denominator == 1):
        raise Refused(f"{c}: ends that are no whole numbers")
    if high.number - low.number >= MOST_VALUES:
        raise Refused(f"{c}: too many values")
    return [{c.name: number(k)} for k in range(int(low.number), int(high.number) + 1)]


def least_whole(c: Compared, v: str) -> int | None:
    """a, where the condition says v >= a for a whole v."""
    left, right = map(terms.of, c.parts)
    order = c.signs[0]
    if right == terms.name(v):
        left, right, order = right, left, {"<=": ">=", "<": ">"}.get(order, "")
    if left != terms.name(v) or order not in (">=", ">") or not right.is_number or right.number.denominator != 1:
        return None
    return int(right.number) + (order == ">")


def _without(statement: Statement, c: Condition) -> Statement:
    domain, regime = (tuple(d for d in found if d is not c) for found in (statement.domain, statement.regime))
    return replace(statement, domain=domain, regime=regime)


def _changed(statement: Statement, c: Condition, new: Condition) -> Statement:
    def put(found: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(new if d is c else d for d in found)

    return replace(statement, domain=put(statement.domain), regime=put(statement.regime))


def _at(statement: Statement, values: Mapping[str, Term]) -> Statement | None:
    """The statement with numbers for parameters; None where a condition on them alone fails."""
    nodes = {v: node_of(value) for v, value in values.items()}
    if any(terms.free(value) for value in values.values()):
        raise Refused("values that are no numbers")

    def put(conditions: tuple[Condition, ...]) -> tuple[Condition, ...] | None:
        kept: list[Condition] = []
        for c in conditions:
            if isinstance(c, OfKind) and c.name in values:
                value = values[c.name]
                if c.kind == "whole" and not (value.is_number and value.number.denominator == 1):
                    raise Refused(f"{c.name} = {value}, which is to be whole")
                continue
            if set(getattr(c, "names", ())) & values.keys() or getattr(c, "name", "") in values:
                raise Refused(f"{c}: a condition of another kind")
            new = c.changed(lambda one: substitute(one, nodes))
            if isinstance(new, Compared) and not any(terms.free(terms.of(part)) for part in new.parts):
                if not all(_true(left, order, right) for left, order, right in new.pairs()):
                    return None
                continue
            kept.append(new)
        return tuple(kept)

    domain, regime = put(statement.domain), put(statement.regime)
    if domain is None or regime is None:
        return None
    body = statement.body.changed(lambda one: substitute(one, nodes))
    return replace(statement, body=body, domain=domain, regime=regime)


def _true(left: Any, order: str, right: Any) -> bool:
    """Whether a comparison of numbers holds.

    Raises:
        Refused: that is not seen.
    """
    at = Context()
    told = at.sign(at.value(terms.of(right)) - at.value(terms.of(left)))
    if told is None:
        raise Refused(f"whether {left} {order} {right} is not seen")
    return told in {"=": (0,), "<": (1,), "<=": (0, 1), ">": (-1,), ">=": (0, -1)}[order]
