"""Where a conditional turns: the solutions of the equations among its parts, exactly, and what it says there.

No fraction solves x^2 = 2, so at every point of a grid x^2 = 2 iff x = sqrt(2) says nothing.  Of each comparison L R of its
parts the values of a real variable with L = R are tried: the other side where one is the variable itself, and its negative; the
real roots of a polynomial that are rational, quadratic, or roots of a number; and a value between each two of these.

Where what is given is an equation of which not all solutions are found, as sin(x) = 0, what was tried says nothing.

>>> from asymp.parse import parse_statement
>>> [(at, true) for at, true, _ in turns(parse_statement("x^2 = 2 iff x = sqrt(2) for real x"))]
[({'x': '-sqrt(2)'}, False), ({'x': 'sqrt(2)'}, True), ({'x': '0'}, True)]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from asymp.check.domains import meant_whole
from asymp.claim import Identity
from asymp.enclosure import InputError, Undecided, ball, compare
from asymp.kernel.terms import Refused
from asymp.language.bodies import Body, Comparison, If, Iff
from asymp.language.conditions import Compared
from asymp.language.known import TOTALS
from asymp.language.names import free_names, substitute
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node, Parser, words
from asymp.language.value import NotExact, number
from asymp.parse.at import term_of
from asymp.parse.terms import Formula, holds, satisfied

MOST_BESIDE = 3
"""Points of the grid of which the other variables take their values."""
MOST = 24
"""Solutions that are tried."""
DEGREE = 6
"""Of the polynomials whose roots are looked for, at most."""
LARGE = 10**40
"""What their coefficients are smaller than."""
FAILED = (NotExact, Undecided, InputError, ParseError, Refused, ArithmeticError, ValueError, TypeError, KeyError)
Point = Mapping[str, Any]


def given(body: Body, point: Point, functions: Mapping[str, Any]) -> bool:
    """Whether at a point what a conditional speaks of is the case: what is given, or either side of an iff.

    Elsewhere it holds whatever its other part says.
    """
    if isinstance(body, Iff):
        return holds(body.left, point, functions) or holds(body.right, point, functions)
    return not isinstance(body, If) or holds(body.right, point, functions)


def turns(relation: Identity) -> Iterator[tuple[dict[str, str], bool, bool]]:
    """The solutions in the domain as points, whether the conditional holds there, and whether what it speaks of is ``given``."""
    formula, tried = relation.lhs, set[tuple[tuple[str, str], ...]]()
    for name, others in _slices(relation):
        assert isinstance(formula, Formula)
        solutions = [*_solutions(formula.body, name, others)]
        for found in (*solutions, *_between(solutions, relation.domain.ranges[name])):
            at = {**{other: str(x) for other, x in others.items()}, name: words(found)}
            if (key := tuple(at.items())) in tried or len(tried) >= MOST:
                continue
            tried.add(key)
            put = {name: found, **{other: number(x) for other, x in others.items()}}
            with suppress(*FAILED):
                if _inside(relation, name, found, put):
                    body = formula.body.changed(partial(_put, put))
                    yield at, holds(body, {}, {}), given(body, {}, {})


def unsolved(relation: Identity) -> str:
    """An equation that is given, of which not all solutions are found; empty where there is none.

    >>> from asymp.parse import parse_statement
    >>> unsolved(parse_statement("sin(x) = 0 iff x = 0 for -4 < x < 4"))
    'sin(x) = 0'
    >>> unsolved(parse_statement("x^2 = 2 iff x = sqrt(2) for real x"))
    ''
    """
    formula = relation.lhs
    for name, others in _slices(relation):
        assert isinstance(formula, Formula)
        assert isinstance(formula.body, (If, Iff))
        parts = [formula.body.right, *([formula.body.left] if isinstance(formula.body, Iff) else [])]
        for left, sign, right in (pair for part in parts if isinstance(part, Comparison) for pair in part.chain.pairs()):
            if sign == "=" and name in free_names(left) | free_names(right) and not _is_solved(left, right, name, others):
                return f"{words(left)} = {words(right)}"
    return ""


def _slices(relation: Identity) -> Iterator[tuple[str, dict[str, Fraction]]]:
    """The real variables of a conditional, each with values for the others."""
    formula = relation.lhs
    if not isinstance(formula, Formula) or not isinstance(formula.body, (If, Iff)) or formula.some or formula.models:
        return
    domain, calls = relation.domain, {call for node in formula.body.terms() for call in node.calls}
    if domain.complete or domain.of_functions or domain.models or calls & set(TOTALS):
        return
    whole = meant_whole(domain, domain.ranges)
    for name in (name for name in domain.ranges if name not in whole):
        step = max(1, len(domain.grid) // MOST_BESIDE)
        for point in domain.grid[::step] if len(domain.ranges) > 1 else domain.grid[:1]:
            yield name, {other: x for other, x in point.items() if other != name}


def _between(found: list[Node], interval: Any) -> Iterator[Node]:
    """A value between each two solutions that follow one another, or that and an end."""
    places = []
    for one in found:
        with suppress(*FAILED):
            places.append(Fraction(float(ball(term_of(one), {}, 64).mid())))
    ends = [end for end in (interval.low, interval.high) if end is not None]
    for one, other in pairwise(sorted({*places, *ends})):
        yield number((one + other) / 2)


def _put(values: Mapping[str, Node], node: Node) -> Node:
    return substitute(node, values)


def _inside(relation: Identity, name: str, found: Node, put: Mapping[str, Node]) -> bool:
    """Whether a value is known to lie in the range of its variable, and to obey the other conditions."""
    interval, term = relation.domain.ranges[name], term_of(found)
    ends = [(interval.low, ">" if interval.low_open else ">="), (interval.high, "<" if interval.high_open else "<=")]
    if not all(end is None or compare(term, sign, end) for end, sign in ends):
        return False
    for condition in relation.domain.conditions:
        if isinstance(condition, Compared):
            condition = condition.changed(partial(_put, put))
        elif name in str(condition):
            return False
        if not satisfied(condition, {}, {}):
            return False
    return True


def _solutions(body: Body, name: str, others: Mapping[str, Fraction]) -> Iterator[Node]:
    """Solutions of the equations among its sides."""
    fixed = {other: number(x) for other, x in others.items()}
    for part in (body.left, body.right) if isinstance(body, (If, Iff)) else ():
        for left, _, right in part.chain.pairs() if isinstance(part, Comparison) else ():
            sides = [substitute(side, fixed) for side in (left, right)]
            for other in _alone(sides, name):
                yield from (other, Parser(f"-({words(other)})").whole())
            with suppress(*FAILED):
                yield from _roots(sides, name)[0]


def _alone(sides: list[Node], name: str) -> list[Node]:
    """What the variable is compared with where it is one side alone, and the other is free of it."""
    pairs = ((sides[0], sides[1]), (sides[1], sides[0]))
    return [other for one, other in pairs if one.kind == "name" and one.text == name and name not in free_names(other)]


def _is_solved(left: Node, right: Node, name: str, others: Mapping[str, Fraction]) -> bool:
    """Whether all real solutions of an equation are found."""
    sides = [substitute(side, {other: number(x) for other, x in others.items()}) for side in (left, right)]
    with suppress(*FAILED):
        return bool(_alone(sides, name)) or _roots(sides, name)[1]
    return False


def _roots(sides: list[Node], name: str) -> tuple[list[Node], bool]:
    """The real roots of a polynomial with rational coefficients that are numbers of the language, and whether these are all."""
    import sympy as sp  # what is no conditional needs no SymPy

    import asymp.symbolics as sy
    from asymp.parse.mathematics import parse_expression

    x = sp.Symbol(name, real=True)
    left, right = (parse_expression(words(side), {name: x}) for side in sides)
    if not (left - right).is_polynomial(x) or sy.degree_bound(left - right) > DEGREE:
        return [], False
    poly = sy.poly(left - right, x, domain="QQ")
    if poly.degree() <= 0:
        return [], True
    if not all(max(abs(c.p), c.q) < LARGE for c in poly.coeffs()):
        return [], False
    roots = sy.real_roots(poly)
    told = [root for root in roots if not root.has(sp.CRootOf)]
    return [Parser(str(root).replace("**", "^")).whole() for root in told], len(told) == len(roots)
