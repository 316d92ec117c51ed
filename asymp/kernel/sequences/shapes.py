"""Shapes in a whole variable from comparisons of consecutive values, the first ones by themselves.

Where the values of n are all whole numbers of an interval, f increases in n if f(n) < f(n + 1) for each: a chain leads from
one value to any other.

>>> from asymp.kernel.theorem import apply
>>> step = apply("algebra", statement="n^2 < (n + 1)^2 for whole n >= 1")
>>> apply("consecutive", [step], statement="n^2 is increasing in n for whole n >= 1", first=0, by="next")
⊢ n^2 is increasing in n for whole n >= 1
>>> apply("consecutive", [step], statement="n^2 is increasing in n for whole n >= 0", first=0, by="next")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: the premises are other statements
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.sequences.apart import least_whole
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, ONE, Refused, Term, add, canonical, name, number
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Comparison, Shape
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.statement import Statement

MOST_FIRST = 50
_SIGNS = {"increasing": "<", "decreasing": ">", "nondecreasing": "<=", "nonincreasing": ">="}


@rule("consecutive")
def _consecutive(premises: Sequence[Theorem], data: Mapping[str, Any]) -> Conclusion:
    """A shape in a whole variable, by its consecutive values.

    Data: statement; first, how many values are by themselves; by, which is next or shape.

    Premises: the comparison with the next value at each of the first ones; and for all others (``next``) that comparison
    too, or (``shape``) the statement from there on.
    """
    if set(data) != {"statement", "first", "by"}:
        raise Refused("a statement, a number of first values, and what says it of the others")
    statement = read_closed(data["statement"])
    wanted = needed(statement, data["first"], data["by"])
    if [canonical(premise.statement) for premise in premises] != [canonical(one) for one in wanted]:
        raise Refused("the premises are other statements")
    if not all(premise.holds for premise in premises):
        raise Refused("a premise that fails")
    return Conclusion(statement)


def needed(statement: Statement, first: int, by: str) -> list[Statement]:
    """The premises.

    Raises:
        Refused: it says nothing of the shape in a whole variable, or the values of this are not those of an interval.
    """
    body = statement.body
    if type(body) is not Shape or statement.some or statement.uniform or statement.regime:
        raise Refused("a shape is wanted")
    if type(first) is not int or not 0 <= first <= MOST_FIRST or by not in ("next", "shape"):
        raise Refused("a number of first values, and next or shape")
    n = body.name
    about = [c for c in statement.domain if _speaks_of(c, n)]
    if n in CONSTANTS or not any(isinstance(c, OfKind) and c.name == n and c.kind == "whole" for c in about):
        raise Refused(f"{n} is not whole")
    ends = [c for c in about if not isinstance(c, OfKind)]
    if not all(isinstance(c, Compared) and _is_end(c, n) for c in ends):
        raise Refused(f"where {n} lies is not an interval")
    f, sign = terms.of(body.term), _SIGNS[body.shape]
    if not first:
        return [_step(statement, f, n, name(n), sign, statement.domain)] if by == "next" else [statement]
    starts = [(c, low) for c in ends if isinstance(c, Compared) and (low := least_whole(c, n)) is not None]
    if not starts:
        raise Refused(f"{n} has no least value")
    start, low = starts[0]
    others = tuple(c for c in statement.domain if c not in about)
    beyond = Compared((node_of(name(n)), node_of(number(low + first))), (">=",))
    rest = replace(statement, domain=tuple(beyond if c is start else c for c in statement.domain))
    last = rest if by == "shape" else _step(statement, f, n, name(n), sign, rest.domain)
    return [*(_step(statement, f, n, number(low + k), sign, others) for k in range(first)), last]


def _speaks_of(c: Condition, n: str) -> bool:
    if isinstance(c, OfKind):
        return c.name == n
    return n in getattr(c, "names", ()) or n == getattr(c, "name", "") or any(n in terms.free(terms.of(one)) for one in c.terms())


def _is_end(c: Compared, n: str) -> bool:
    """Whether it says only where n begins or ends."""
    sides = [terms.of(part) for part in c.parts]
    if len(sides) != 2 or c.signs[0] == "=":
        return False
    return any(one == name(n) and n not in terms.free(other) for one, other in (sides, sides[::-1]))


def _step(statement: Statement, f: Term, n: str, at: Term, sign: str, domain: tuple[Condition, ...]) -> Statement:
    here, there = (node_of(terms.substitute(f, {n: place})) for place in (at, add(at, ONE)))
    return replace(statement, body=Comparison(Compared((here, there), (sign,))), domain=domain)
