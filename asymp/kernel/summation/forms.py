"""Linear forms in whole variables, and in products of these, which stand for themselves as ``a*n``.

>>> found = parse("2*n - 4*a*n - 3", {"a", "n"})
>>> found, [str(side) for side in written(found)]
(((('a*n', -2), ('n', 1)), -2), ['2 + 2*a*n', 'n'])
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from math import gcd, lcm
from typing import TypeVar

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.terms import Refused, Term

Linear = tuple[tuple[tuple[str, int], ...], int]
"""Coefficients of variables, in the order of their names, and a number: the condition is that the sum is >= 0."""
System = frozenset[Linear]
Number = TypeVar("Number", int, mpq)
MOST = 600
"""Conditions that elimination may make."""


def form(term: Term, whole: AbstractSet[str]) -> tuple[dict[str, mpq], mpq]:
    """A term as a linear form in whole variables and their products, which stand as ``a*n``.

    Raises:
        Refused: it is none.
    """
    if term.is_number:
        return {}, term.number
    if term.head == "name" and term.name in whole and term.name not in terms.CONSTANTS:
        return {term.name: mpq(1)}, mpq(0)
    if term.head == "sum":
        found: dict[str, mpq] = {}
        total = mpq(0)
        for part in term.parts:
            more, c = form(part, whole)
            total += c
            for v, k in more.items():
                found[v] = found.get(v, mpq(0)) + k
        return found, total
    if term.head == "product":
        both: dict[str, mpq] = {"": mpq(1)}
        for part in term.parts:
            more, c = form(part, whole)
            both = multiplied(both, {**more, "": c})
        return {v: k for v, k in both.items() if v}, both.get("", mpq(0))
    raise Refused(f"{term} is not linear in whole variables")


def multiplied(p: Mapping[str, Number], q: Mapping[str, Number]) -> dict[str, Number]:
    """The product of two forms, in which a number stands at the empty product."""
    if len(p) * len(q) > MOST:
        raise Refused("a product of too many terms")
    found: dict[str, Number] = {}
    for v, k in p.items():
        for w, j in q.items():
            both = "*".join(sorted(factors(v) + factors(w)))
            found[both] = found.get(both, 0) + k * j  # type: ignore[assignment]
    return {v: k for v, k in found.items() if k or not v}


def factors(v: str) -> list[str]:
    """The variables of a product."""
    return v.split("*") if v else []


def is_whole(term: Term, whole: AbstractSet[str]) -> bool:
    """Whether a linear form in whole variables has whole values.

    Raises:
        Refused: the term is none.
    """
    found, c = form(term, whole)
    return all(number.denominator == 1 for number in (c, *found.values()))


def at_least(low: Term, high: Term, whole: AbstractSet[str], strict: bool = False) -> Linear:
    """low <= high, or low < high."""
    return _of(form(terms.add(high, terms.negative(low)), whole), strict)


def parse(text: str, whole: AbstractSet[str]) -> Linear:
    """The condition that a term is >= 0."""
    return at_least(terms.ZERO, terms.read(text), whole)


def _of(found: tuple[dict[str, mpq], mpq], strict: bool) -> Linear:
    coefficients, c = found
    scale = lcm(c.denominator, *(k.denominator for k in coefficients.values()))
    whole = {v: int(k * scale) for v, k in coefficients.items() if k}
    return tight(whole, int(c * scale) - (1 if strict else 0))


def tight(coefficients: dict[str, int], c: int) -> Linear:
    """The condition that a form is >= 0, divided by what its coefficients have in common."""
    found = {v: k for v, k in coefficients.items() if k}
    common = gcd(*found.values()) if found else 1
    return tuple(sorted((v, k // common) for v, k in found.items())), c // common


def negation(one: Linear) -> Linear:
    """f < 0, which is -f - 1 >= 0."""
    return tuple((v, -k) for v, k in one[0]), -one[1] - 1


def opposite(one: Linear) -> Linear:
    """f <= 0."""
    return tuple((v, -k) for v, k in one[0]), -one[1]


def product(v: str) -> Term:
    """A variable, or a product of some, as a term."""
    return terms.multiply(*map(terms.name, factors(v)))


def written(one: Linear) -> tuple[Term, Term]:
    """The condition as low <= high, of two terms with positive coefficients."""
    sides: dict[bool, list[Term]] = {True: [], False: []}
    for v, k in one[0]:
        sides[k > 0].append(terms.multiply(terms.number(abs(k)), product(v)))
    sides[one[1] > 0].append(terms.number(abs(one[1])))
    return terms.add(*sides[False]), terms.add(*sides[True])
