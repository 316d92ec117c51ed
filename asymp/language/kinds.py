"""Variables that a statement means as whole numbers although it does not say so: the n of (-1)^n, of Sum(1/k, (k, 1, n)).

A power of a negative number has a meaning at whole exponents alone, and a sum at whole ends.  A factorial, a binomial
coefficient or a harmonic number has one elsewhere too, and what is shown of it for real n holds for whole n; only where
something beside it oscillates or jumps does it matter, and there the whole numbers are meant.

>>> from asymp.language.statement import read_statement
>>> terms = ("(-1)^(n*(n + 1)/2)", "(-1)^(n/2)", "n!*sin(n)", "n!", "Sum(1/k, (k, 1, 2*n))", "Sum(1/k, (k, 1, n/2))")
>>> [sorted(meant_whole(read_statement(f"{f} = O(1) as n -> oo"))) for f in terms]
[['n'], [], ['n'], [], ['n'], []]
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from asymp.language.bodies import And, InLaw
from asymp.language.conditions import Listed, OfKind, Recurrence, Tends
from asymp.language.laws import law
from asymp.language.names import binds, free_names, ranges
from asymp.language.parts import of_numbers_alone
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.language.value import NotExact, value

WHOLE_LETTERS = frozenset("ijklmnNMK")
"""Names that usually mean a whole number."""
_COUNTING = ("factorial", "binomial", "harmonic")
_WAVES = ("sin", "cos", "tan", "floor", "ceiling", "ceil")
_HIGHEST = 12


def meant_whole(statement: Statement) -> frozenset[str]:
    """The variables of no kind that are whole, or the statement has no meaning.

    Of those that tend to infinity: by exponents of what is negative, by what counts, by ends of sums.  Of others by an
    exponent or an end n + c alone, which is whole where n is and nowhere else; of listed values each has to have a meaning.
    """
    kinds = {c.name for c in statement.conditions() if isinstance(c, OfKind)}
    tending = [c for c in statement.regime if isinstance(c, Tends)]
    large = {c.term.text for c in tending if c.term.kind == "name" and _is_oo(c.target)}
    lone = {c.term.text for c in tending if c.term.kind == "name"}
    large |= {name for c in tending if c.term.kind != "name" for name in free_names(c.term)} - lone  # the m of m/n -> c
    parts = [part for node in statement.body.terms() for part in _walk(node)]
    exponents = [part.parts[1] for part in parts if part.kind == "power" and _is_negative(part.parts[0])]
    counts: list[Node] = []
    if exponents or any(part.kind == "call" and part.text in _WAVES for part in parts):
        counts = [part.parts[0] for part in parts if part.kind == "factorial" or (part.kind == "call" and part.text in _COUNTING)]
    counts += [part.parts[0] for part in parts if part.kind == "call" and part.text == "harmonic" and len(part.parts) == 2]
    ends = [end for node in statement.body.terms() for end in _ends(node, frozenset())]
    ends += [one for part in parts if part.kind == "call" for one in of_numbers_alone(part)]
    bodies = statement.body.parts if isinstance(statement.body, And) else (statement.body,)
    sides = [side for body in bodies if isinstance(body, InLaw) for side in (body.left, body.right)]
    ends += [node for side in sides for node in law(side).whole()]  # the number of trials
    sequences = {c.name for c in statement.domain if isinstance(c, Recurrence)}
    ends += [part.parts[0] for part in parts if part.kind == "call" and part.text in sequences]
    found: set[str] = set()
    for node in (*exponents, *ends, *counts):
        names = free_names(node)
        if len(names) == 1 and names <= (WHOLE_LETTERS & large if node in counts else large):
            found |= names if _is_whole_valued(node, min(names)) else set()
    listed = {name for c in statement.conditions() if isinstance(c, Listed) for name in c.names}
    exactly = frozenset().union(*map(_shifted, (*ends, *exponents))) - listed
    return (exactly | found) - kinds


def _is_oo(node: Node) -> bool:
    return node.kind == "name" and node.text == "oo"


def _walk(node: Node) -> Iterator[Node]:
    yield node
    if not binds(node):
        for part in node.parts:
            yield from _walk(part)


def _ends(node: Node, bound: frozenset[str]) -> Iterator[Node]:
    """The ends of sums and products, and the n of [z^n], as far as they name no bound variable."""
    inside = bound
    if binds(node):
        for name, low, high in reversed(ranges(node)):  # the last range is the outermost
            if node.text in ("Sum", "Product", "Masses", "Coefficient"):
                yield from (end for end in (low, high) if not free_names(end) & inside)
            inside = inside | {name}
    for k, part in enumerate(node.parts):
        yield from _ends(part, inside if k == 0 else bound)


def _shifted(end: Node) -> frozenset[str]:
    """n of an end n, n + 3 or 5 - n: the end is whole if and only if n is."""
    parts = end.parts if end.kind == "sum" else (end,)
    moving = [part.parts[0] if part.kind == "negative" else part for part in parts if free_names(part)]
    still = [part for part in parts if not free_names(part)]
    if len(moving) != 1 or moving[0].kind != "name" or not all(part.kind == "number" and part.text.isdigit() for part in still):
        return frozenset()
    return frozenset({moving[0].text})


def _is_negative(node: Node) -> bool:
    try:
        return not free_names(node) and bool(value(node, {}) < 0)
    except NotExact:
        return False


def _is_whole_valued(node: Node, name: str) -> bool:
    """Whether a polynomial is whole at whole numbers: it is if it is at as many successive ones as its degree and one more."""
    degree = _degree(node)
    if degree is None or degree > _HIGHEST:
        return False
    try:
        return all(Fraction(value(node, {name: Fraction(k)})).denominator == 1 for k in range(1, degree + 2))
    except NotExact:
        return False


def _degree(node: Node) -> int | None:
    """At least the degree, of what is written as a polynomial."""
    inner = [_degree(part) for part in node.parts]
    match node.kind:
        case "number":
            return 0
        case "name":
            return 1
        case "sum" | "negative" if None not in inner:
            return max(d for d in inner if d is not None)
        case "product" if None not in inner and all(d == 0 for d, s in zip(inner, node.signs, strict=True) if s == "/"):
            return sum(d for d in inner if d is not None)
        case "power" if inner[0] is not None and node.parts[1].kind == "number" and node.parts[1].text.isdigit():
            return inner[0] * int(node.parts[1].text)
    return None
