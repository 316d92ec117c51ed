"""Searches a proof that an equation has one root: two points between which it lies, and what increases or decreases.

Or that it has none, or two: by how the sides compare.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("x*exp(x) = 3 has one root x in (0, oo)"), True)
⊢ x*exp(x) = 3 has one root x in (0, oo)
>>> theorem(read_statement("x*exp(-x) = 1/3 has one root x in (0, oo)"), False)
⊢ not: x*exp(-x) = 1/3 has one root x in (0, oo)
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from itertools import groupby, islice, product

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.balls.goals import is_inside
from asymp.kernel.balls.roots import at_parameters, compared, needed
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.ranges import ball
from asymp.kernel.rings.field import to_term
from asymp.kernel.terms import Refused, number
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import OneRoot
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.bounds import inside

MOST_SIDES = 3
"""Points on either side that are tried, where there are parameters."""
STEPS = 64
"""Points of a range at which the sides are compared; powers of four where it has no end."""


def holds(statement: Statement, prove: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that an equation has one root.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    assert isinstance(body, OneRoot)
    pairs = list(_with_parameters(statement, body) if statement.domain else [_either_side(body)])
    shapes: dict[tuple[str, bool], Theorem | str] = {}
    for by in ("difference", "quotient"):
        for below, above, rises in pairs:
            try:
                shape, *others = needed(statement, by, rises, (below, above))
                if (by, rises) not in shapes:
                    shapes[by, rises] = _or_why(shape, prove)
                if isinstance(known := shapes[by, rises], str):
                    break
                premises = [known, *map(prove, others)]
                return apply(
                    "root", premises, statement=str(statement), by=by, rises=rises, at=[str(below), str(above)]
                )
            except Refused as error:
                shapes.setdefault((by, not rises), str(error))
    raise Refused(
        f"one root: {next((why for why in shapes.values() if isinstance(why, str)), 'no change of sign is seen')}"
    )


def _or_why(shape: Statement, prove: Callable[[Statement], Theorem]) -> Theorem | str:
    try:
        return prove(shape)
    except Refused as error:
        return str(error)


def fails(statement: Statement, prove: Callable[[Statement], Theorem]) -> Theorem:
    """A theorem that an equation does not have one root.

    Raises:
        Refused: none is found.
    """
    if not statement.domain:
        return _fails(statement, {}, prove)
    return first(partial(_fails, statement, values, prove) for values in _samples(statement))


def _fails(statement: Statement, values: dict[str, str], prove: Callable[[Statement], Theorem]) -> Theorem:
    one = at_parameters(statement, values)
    body = one.body
    assert isinstance(body, OneRoot)
    found: list[tuple[mpq, str]] = []
    for sign, run in groupby(_signs(body), key=lambda one: one[1]):
        at = list(run)
        found += at if sign == "=" else at[:1] if found else at[-1:]  # what is next to a change of side
    if len(exact := [one for one in found if one[1] == "="]) > 1:
        found = exact[:2]
    points, signs = [point for point, _ in found], [sign for _, sign in found]
    if len(signs) == 1 and signs != ["="]:
        points = []  # no change of side is seen
    premises = [prove(one) for one in compared(one, points, signs)]
    more = {"given": values} if values else {}
    return apply(
        "other roots", premises, statement=str(statement), at=[str(point) for point in points], signs=signs, **more
    )


def _samples(statement: Statement) -> list[dict[str, str]]:
    """Some parameters of a domain: one inside, and others at which one of them is less or more."""
    start = inside(statement)
    found = [start]
    for v, x in start.items():
        for c in ("1/2", "3", "1/10", "10"):
            there = start | {v: str(mpq(x) * mpq(c))}
            with contextlib.suppress(Refused):
                is_inside(statement, there)
                found.append(there)
    return found


def _with_parameters(statement: Statement, body: OneRoot) -> Iterator[tuple[terms.Term, terms.Term, bool]]:
    """Points, in parameters too, that are on either side of the root at some of these."""
    gap, samples = terms.add(terms.of(body.left), terms.negative(terms.of(body.right))), _samples(statement)[:3]
    sides: dict[str, list[terms.Term]] = {"<": [], ">": []}
    signs: dict[terms.Term, str] = {}
    low, high = terms.of(body.low), terms.of(body.high)
    for point in _places(gap, body.name, low, high):
        seen = {_sign_at(gap, body.name, point, values, (low, high)) for values in samples}
        if len(seen) == 1 and (sign := seen.pop()) in sides and len(sides[sign]) < MOST_SIDES:
            sides[sign].append(point)
            signs[point] = sign
    for below, above in product(sides["<"], sides[">"]):
        there = [terms.substitute(one, {v: terms.read(x) for v, x in samples[0].items()}) for one in (below, above)]
        yield below, above, ball(there[0]) < ball(there[1])


def _sign_at(
    gap: terms.Term, x: str, point: terms.Term, values: dict[str, str], ends: tuple[terms.Term, terms.Term]
) -> str:
    """How the sides compare at a point, where it lies in the range, at some parameters."""
    put = {v: terms.read(one) for v, one in values.items()}
    place = terms.substitute(point, put)
    with contextlib.suppress(Refused):
        at, inner = ball(place), [ball(end) if end.is_number else None for end in ends]
        if (inner[0] is not None and at < inner[0]) or (inner[1] is not None and at > inner[1]):
            return ""
        value = ball(terms.substitute(terms.substitute(gap, {x: point}), put))
        return ">" if value > 0 else "<" if value < 0 else ""
    return ""


def _places(gap: terms.Term, x: str, low: terms.Term, high: terms.Term) -> Iterator[terms.Term]:
    """Ends of the range; points where the quadratic that touches at an end has half of its zero; numbers inside."""
    for end in (low, high):
        if end.is_number:
            yield end
            with contextlib.suppress(Refused):
                slope = derivative(gap, x)
                first_one, second = (to_term(Context().value(one)) if not terms.free(one) else one for one in (
                    terms.substitute(slope, {x: end}), terms.substitute(derivative(slope, x), {x: end})))  # fmt: skip
                for c in (1, -1):
                    yield terms.add(end, terms.multiply(number(c), first_one, terms.reciprocal(second)))
    yield from (number(point) for point in islice(_points(low, high), 3, STEPS, 16))


def _either_side(body: OneRoot) -> tuple[terms.Term, terms.Term, bool]:
    """Points at which the left side is below, and above, the right one, as near to each other as was seen; and which is first."""
    last: dict[str, mpq] = {}
    for point, sign in _signs(body):
        last[sign] = point
        if "<" in last and ">" in last:
            return number(last["<"]), number(last[">"]), last["<"] < last[">"]
    raise Refused("no change of sign is seen")


def _signs(body: OneRoot) -> Iterator[tuple[mpq, str]]:
    """How the left side compares with the right one at points of the range, where that is seen."""
    gap = terms.add(terms.of(body.left), terms.negative(terms.of(body.right)))
    for point in _points(terms.of(body.low), terms.of(body.high)):
        there = terms.substitute(gap, {body.name: number(point)})
        with contextlib.suppress(Refused):
            value = ball(there)
            if sign := ">" if value > 0 else "<" if value < 0 else "=" if there.is_number else "":
                yield point, sign


def _points(low: terms.Term, high: terms.Term) -> Iterator[mpq]:
    a, b = (end.number if end.is_number else None for end in (low, high))
    if a is not None and b is not None:
        yield from (a + (b - a) * k / STEPS for k in range(1, STEPS))
        return
    steps = [mpq(4) ** k for k in range(-STEPS // 2, STEPS // 2)]
    if a is not None:
        yield from (a + step for step in steps)
    elif b is not None:
        yield from (b - step for step in reversed(steps))
    else:
        yield from (-step for step in reversed(steps))
        yield from steps
