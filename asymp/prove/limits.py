"""Statements about limits by parts: from each side of a limit point, for each value of a parameter, from some point on."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from asymp.kernel import terms
from asymp.kernel.domain import given
from asymp.kernel.growths import endless
from asymp.kernel.growths import eventual as eventual
from asymp.kernel.growths.limit_points import at_infinity, from_both_sides, limit_points, sideless
from asymp.kernel.growths.logarithmic import of_logarithms
from asymp.kernel.growths.offsets import around, offsets
from asymp.kernel.growths.regime import moving
from asymp.kernel.sequences import apart
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison, Eventual, Limiting, Ordering
from asymp.language.conditions import Between, Compared, Listed, OfKind
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.prove import asymptotic, first
from asymp.prove.expansion import expansions
from asymp.regimes.names import unused
from asymp.regimes.paths import path

Find = Callable[[Statement, bool], Theorem]
"""A theorem that a statement holds, or that it does not."""


def at_limit_point(statement: Statement, holds: bool, find: Find) -> Theorem:
    """Of a variable that tends to a number from one side, in one that tends to infinity."""
    x, v = limit_points(statement)[0], unused(statement, ("v", "u", "w"), "v_")
    premise = find(at_infinity(statement, x, v), holds)
    return apply("limit point", [premise], statement=str(statement), variable=x, runner=v)


def of_both_sides(statement: Statement, holds: bool, find: Find) -> Theorem:
    """Of a variable that tends to a number, from what is so from above and from below."""
    x = sideless(statement)[0]
    sides = from_both_sides(statement, x)
    if holds:
        return apply("two sides", [find(side, True) for side in sides], statement=str(statement), variable=x)
    failing = first((partial(find, side, False) for side in sides), "it is seen to fail from neither side")
    return apply("two sides", [failing], statement=str(statement), variable=x)


def by_offset(statement: Statement, holds: bool, find: Find) -> Theorem:
    """Of a variable in a quantity that tends to a number, by what the quantity lacks of it; or to infinity, by the quantity."""
    w = unused(statement, ("w", "v", "h"), "w_")
    along = path(statement, [w]) if holds else {}

    def of(x: str, condition: str) -> Theorem:
        near = around(statement, x, w, condition)
        if holds:
            given_ = [find(one, True) for one in near[::-1]][::-1]  # the shortest first: where it is at the limit
        else:
            given_ = [first(partial(find, one, False) for one in near)]
        return apply("offset", given_, statement=str(statement), variable=x, offset=w, condition=condition, **along)

    return first((partial(of, *one) for one in offsets(statement)), "no quantity tends to a number")


def by_logarithms(statement: Statement, find: Find) -> Theorem:
    """Of a quotient by the difference of the logarithms of its sides."""
    return apply("by logarithms", [find(of_logarithms(statement), True)], statement=str(statement))


def is_still(statement: Statement, node: Node) -> bool:
    """Whether a term has no name that moves in the statement's regime."""
    return not terms.free(terms.of(node)) & moving(statement)


def by_limit(statement: Statement, find: Find) -> Theorem:
    """From some point on, since one side tends to what lies on the right side of the other, which does not move."""
    body = statement.body
    assert isinstance(body, Eventual)
    value = _value(statement, body.left)
    limit = asymptotic.holds(replace(statement, body=Limiting(body.left, value)))
    strict = Comparison(Compared((value, body.right), (body.sign[0],)))
    return apply("in the end", [limit, find(Statement(strict, domain=statement.domain), True)], statement=str(statement))


def _value(statement: Statement, f: Node) -> Node:
    """What f tends to in the statement's regime, by the series that shows it to be bounded."""
    bounded = replace(statement, body=Ordering(f, "O", Node("number", 1, "1")))
    (found,) = expansions(asymptotic.holds(bounded))
    return Parser(found.kept[0] if found.kept else "0").whole()


def is_endless(statement: Statement) -> bool:
    """Whether it is a comparison with one endless sum or product in it."""
    with suppress(Refused):
        return bool(endless.endless(statement))
    return False


def by_partial_totals(statement: Statement, holds: bool, find: Find) -> Theorem:
    """Of an endless sum or product, by the number to which its partial ones tend."""
    n = unused(statement, ("n", "m", "N"), "n_")
    ended = endless.partial(statement, n, Node("number", 1, "0"))
    assert isinstance(ended.body, Limiting)
    value = _value(ended, ended.body.left)
    if endless.endless(statement)[1].head in {part.head for part in terms.walk(terms.of(value))}:
        raise Refused("the partial totals tend to what is called so, of which nothing else is known")
    limit, compared = find(endless.partial(statement, n, value), True), find(endless.with_value(statement, value), holds)
    return apply("partial totals", [limit, compared], statement=str(statement), runner=n)


def apart_holds(statement: Statement, find: Find) -> Theorem:
    """Of the values of a parameter one by one; what is left when the least is taken away is not parted again."""
    name, found = _parted(statement)
    if _has_a_next(statement, name):
        *first_ones, rest = found
        rest_holds = first([partial(asymptotic.holds, rest)])  # the harder one
        return apply("apart", [*(find(part, True) for part in first_ones), rest_holds], statement=str(statement), of=name)
    return apply("apart", [find(part, True) for part in found], statement=str(statement), of=name)


def apart_fails(statement: Statement, find: Find) -> Theorem:
    """For one of the values of a parameter."""
    name, found = _parted(statement)
    if _has_a_next(statement, name):
        found = found[:-1]
    failing = first((partial(find, part, False) for part in found), "no value is seen to fail")
    return apply("apart", [failing], statement=str(statement), of=name)


def _parted(statement: Statement) -> tuple[str, list[Statement]]:
    """A parameter of a statement of a regime, and the statements of its values; of two lists, the first.

    Of a comparison a variable on whose sign there hangs which power, total or absolute value is meant.
    """
    hanging = [
        part.parts[0] if part.head == "power" else part for node in statement.terms() for part in terms.walk(terms.of(node))
        if part.head in ("Sum", "Product", "Abs") or (part.head == "power" and not part.parts[1].is_number)
    ] if not statement.regime else []  # fmt: skip
    listed = [name for c in statement.conditions() if isinstance(c, Listed) for name in c.names]
    listed += [c.name for c in statement.conditions() if isinstance(c, Between)]
    kinds = [c.name for c in statement.conditions() if isinstance(c, OfKind)]
    ends = [c.parts for c in statement.domain if isinstance(c, Compared) and {"<=", ">="} & {*c.signs}]
    closed = [node.text for nodes in ends for node in nodes if node.kind == "name"]
    for name in sorted({v for part in hanging for v in part.free}) or dict.fromkeys((*listed, *kinds, *closed)):
        try:
            return name, apart.parts(statement, name)
        except Refused:
            continue
    raise Refused("no parameter has values that can be taken one by one")


def _has_a_next(statement: Statement, name: str) -> bool:
    """Whether of a whole parameter the least value was taken away, so that what is left has a least one again."""
    conditions = statement.conditions()
    return name in given(conditions).whole and not any(apart.is_list(c, name) for c in conditions)
