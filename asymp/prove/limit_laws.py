"""Theorems of limit laws X_n => X: by each of the ways in which the law unfolds to limits, the first that goes through.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("binomial(n, c/n) => poisson(c) as whole n -> oo for c > 0"), True)
⊢ binomial(n, c/n) => poisson(c) as whole n -> oo for c > 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from asymp.kernel.growths.limit_points import limit_points
from asymp.kernel.laws.limits import in_large
from asymp.kernel.laws.unfolding import WAYS, Unfolded, sides, unfolded, variable
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import InLaw, Limiting
from asymp.language.laws import LESS_OO, ONE, OO, ZERO, call, law, plus, times
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.regimes.names import unused
from asymp.regimes.quantities import places

ORDERS = (2, 3, 5)
Search = Callable[[Statement], Theorem]


def holds(statement: Statement, prove: Search) -> Theorem:
    """A theorem that a limit law holds.

    Raises:
        Refused: none is found.
    """

    def by(way: str, name: str, found: Unfolded) -> Theorem:
        return _applied(statement, "limit law", [prove(limit) for limit in found.limits], way=way, variable=name)

    return first(partial(by, *one) for one in ways(statement))


def fails(statement: Statement, prove: Search, refute: Search) -> Theorem:
    """A theorem that a limit law fails, since one of its limits does.

    Raises:
        Refused: none is found.
    """

    def by(way: str, name: str, found: Unfolded, k: int) -> Theorem:
        failing = refute(found.limits[k])
        bounds = [prove(found.bounds[k])] if found.bounds else []
        return _applied(statement, "limit law", [failing, *bounds], way=way, variable=name)

    tries = (partial(by, *one, k) for one in ways(statement) for k in range(len(one[2].limits)))
    return first([*tries, partial(_spreads, statement, prove)], told_by=0)


def _spreads(statement: Statement, prove: Search) -> Theorem:
    """That there is no limit, since there is one in mean and deviation, and the scale is a smaller one."""
    left, _ = sides(statement)
    if left.row is None or left.atom is None:
        raise Refused("no everyday law on the left")
    deviation = call("sqrt", left.put(left.row.variance))
    centred = times(plus(left.atom, left.put(left.row.mean), "-"), deviation, "/")
    other = replace(statement, body=InLaw(centred, call("normal", ZERO, ONE)))
    ratio = times(left.scaled(ONE), law(centred).scaled(ONE), "/")
    spread = first(partial(prove, replace(statement, body=Limiting(ratio, end))) for end in (OO, LESS_OO))
    return _applied(statement, "no limit law", [prove(other), spread])


def ways(statement: Statement) -> Iterator[tuple[str, str, Unfolded]]:
    """The ways in which a limit law unfolds, each with its variable.

    Raises:
        Refused: there is none.
    """
    last, any_ = Refused("no way to such a law"), False
    for way in WAYS:
        name = variable(statement, way)
        try:
            found = unfolded(statement, way, name)
        except Refused as error:
            last = error
            continue
        any_ = True
        yield way, name, found
    if not any_:
        raise last


def _applied(statement: Statement, rule: str, premises: Sequence[Theorem], **data: Any) -> Theorem:
    points: dict[str, str] = {}
    for x in limit_points(statement):
        points[x] = unused(in_large(statement, points), ("v", "u", "w"), "v_")
    if points:
        data["points"] = points
    tries = (
        partial(apply, rule, premises, statement=str(statement), place=place, order=order, **data)
        for place in places(in_large(statement, points)) for order in ORDERS
    )  # fmt: skip
    return first(tries, "no quantities for this regime")
