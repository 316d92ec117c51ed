"""Values and signs of terms at a point: exactly, by the kernel's ranges, or by certified numbers of any kind.

>>> from asymp.language.parts import parts_of
>>> from asymp.language.syntax import Parser
>>> [log] = parts_of(Parser("log(n - 3)").whole())
>>> [holds_at(log.condition(), {"n": Fraction(n)}) for n in (2, 4)]
[False, True]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from asymp.enclosure import InputError, Undecided, exact, sign
from asymp.kernel import terms
from asymp.kernel.facts.ranges import Evaluator, Range, point
from asymp.kernel.terms import Refused, Term
from asymp.language.known import is_infinite
from asymp.language.parts import Binder, Need, Needs
from asymp.language.syntax import Node

BITS = 1 << 10
"""Precision up to which a sign is looked for."""
STEPS, MOST = (96, 512), 20_000
"""Precisions of the kernel's ranges, and the nodes it may look at."""
GAVE_UP = (ValueError, TypeError, ArithmeticError, NotImplementedError, AttributeError, RecursionError, KeyError)
"""What SymPy raises where it cannot work with an expression."""
FEW = 2_000
"""So many values of bound variables are tried one by one."""
Values = Mapping[str, Any]
Binders = tuple[Binder, ...]


def holds_at(condition: Needs, values: Values, bits: int = BITS) -> bool | None:
    """Whether a condition holds at a point; None: not known.  ``bits``: the precision up to which a sign is looked for."""
    found = [_all([_met(need, values, bits) for need in one]) for one in condition.alternatives]
    return True if True in found else None if None in found else False


def _all(met: list[bool | None]) -> bool | None:
    return False if False in met else None if None in met else True


def _met(need: Need, values: Values, bits: int) -> bool | None:
    if need.kind in ("whole", "no pole"):
        value = number_at(need.term, values)
        if value is None:
            return True if need.kind == "no pole" and sign_at(need.term, values, bits) == 1 else None
        whole = value.denominator == 1
        return whole if need.kind == "whole" else not (whole and value <= 0)
    found = sign_at(need.term, values, bits)
    if found is None:
        return None
    return {">": found > 0, ">=": found >= 0, "!=": found != 0}[need.kind]


def number_at(node: Node, values: Values) -> Fraction | None:
    """The exact rational value; None where it is not known to be one."""
    found = _range(node, values, STEPS[0])
    if found is not None and found.is_point:
        return Fraction(int(found.low.p), int(found.low.q))
    try:
        return exact(term_of(node), _used(node, values))
    except (Undecided, InputError, *GAVE_UP):
        return None


def sign_at(node: Node, values: Values, bits: int = BITS) -> int | None:
    """The certified sign at the point; None: not known."""
    for step in STEPS:
        found = _range(node, values, step)
        if found is None:
            break
        if found.low > 0 or found.high < 0 or found.is_point:
            return 1 if found.low > 0 else -1 if found.high < 0 else 0
    try:
        return sign(term_of(node), _used(node, values), bits)
    except (Undecided, InputError, *GAVE_UP):
        return None


def _range(node: Node, values: Values, bits: int) -> Range | None:
    """A range that holds the value, from the kernel."""
    try:
        numbers = {name: x for name, x in values.items() if name in node.free and isinstance(x, (int, Fraction))}
        at = {name: point(x.numerator, x.denominator) for name, x in numbers.items()}
        return Evaluator(bits, MOST).range(term_of(node), at)
    except (Refused, OverflowError):
        return None


def _used(node: Node, values: Values) -> dict[str, Any]:
    return {name: x for name, x in values.items() if name in node.free}


OF_TWO = {"zeta": "hurwitz", "harmonic": "generalized_harmonic"}
"""Functions of two arguments by names of their own: the kernel knows zeta(s) and H_n, and of these only that they have balls."""


def term_of(node: Node) -> Term:
    """A node as a term: of log(x, b) it is log(x)/log(b), and zeta(s, a) is a function of another name.

    Raises:
        Refused: it is none.
    """
    return terms.of(renamed(node))


def renamed(node: Node) -> Node:
    """A node with log(x)/log(b) for log(x, b), and with their own names for zeta(s, a) and harmonic(n, s)."""
    if node.every_name.isdisjoint(("log", "ln", *OF_TWO)):
        return node
    parts = tuple(map(renamed, node.parts))
    if node.kind == "call" and len(parts) == 2:
        if node.text in ("log", "ln"):
            return Node("product", node.column, "", tuple(replace(node, parts=(part,)) for part in parts), "*/")
        if node.text in OF_TWO and not (node.text == "harmonic" and parts[1].kind == "number"):
            return replace(node, text=OF_TWO[node.text], parts=parts)
    return replace(node, parts=parts) if parts else node


def all_values(point: Values, binders: Binders, most: int = FEW) -> list[dict[str, Any]] | None:
    """The point with all values of the bound variables of sums, where they are few; None where they are not."""
    found: list[dict[str, Any]] = [dict(point)]
    for b in binders:
        if not b.whole or is_infinite(b.low) or is_infinite(b.high):
            return None
        longer = []
        for run in found:
            low, high = number_at(b.low, run), number_at(b.high, run)
            if low is None or high is None or high - low > most or low.denominator != 1 or high.denominator != 1:
                return None
            longer += [{**run, b.name: Fraction(k)} for k in range(int(low), int(high) + 1)]
            if len(longer) > most:
                return None
        found = longer
    return found
