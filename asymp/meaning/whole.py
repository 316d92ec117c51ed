"""Which terms have whole values for whole values of some variables.

>>> from asymp.kernel.terms import read
>>> [whole_valued(read(t), {"n"}).value for t in ("n*(n + 1)/2", "n/2", "n + 1/2", "sqrt(n)", "floor(sqrt(n))")]
['always', 'fails', 'never', 'unknown', 'always']
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from math import gcd, lcm

from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Ratio, atom, rational
from asymp.kernel.terms import Refused, Term
from asymp.meaning.truth import Truth

MOST_RESIDUES = 4096
MOST_ROOTS = 10_000
_OF_WHOLE = frozenset({"factorial", "binomial", "rf", "ff", "Abs", "Min", "Max"})
"""Functions with whole values at whole arguments, wherever they are defined."""
Count = Callable[[Term], bool]


def whole_valued(term: Term, whole: AbstractSet[str], is_count: Count = lambda _: False) -> Truth:
    """Whether a term is whole at all whole values of the named variables, where it is defined.

    ``is_count``: whether an exponent is known not to be negative.
    """
    p = polynomial(term, whole, is_count)
    if p is None:
        return Truth.UNKNOWN
    values = _residues(p)
    if values is None:
        return Truth.UNKNOWN
    return Truth.ALWAYS if values == {True} else Truth.NEVER if values == {False} else Truth.FAILS


def polynomial(term: Term, whole: AbstractSet[str], is_count: Count = lambda _: False) -> Poly | None:
    """A term as a polynomial in what is whole; None where it is none."""
    try:
        found = _value(term, whole, is_count)
    except Refused:
        return None
    return found.num if found.den == ONE_POLY else None


def _value(term: Term, whole: AbstractSet[str], is_count: Count) -> Ratio:
    if term.is_number:
        return rational(term.number)
    if _is_atom(term, whole, is_count):
        return atom(term)
    if term.head in ("sum", "product"):
        found = rational(term.head == "product")
        for part in term.parts:
            value = _value(part, whole, is_count)
            found = found + value if term.head == "sum" else found * value
        return found
    if term.head == "power" and (k := term.parts[1]).is_number and k.number.denominator == 1:
        return _value(term.parts[0], whole, is_count).power(int(k.number))
    raise Refused("no polynomial in what is whole")


def _is_atom(term: Term, whole: AbstractSet[str], is_count: Count) -> bool:
    if term.head == "name":
        return term.name in whole
    if term.head == "power":
        base, k = term.parts
        return not k.is_number and all(whole_valued(x, whole, is_count) is Truth.ALWAYS for x in (base, k)) and is_count(k)
    if term.head in _OF_WHOLE:
        return all(whole_valued(x, whole, is_count) is Truth.ALWAYS for x in term.parts)
    row = NAMED.get(term.head)
    return row is not None and row.whole


def _residues(p: Poly) -> set[bool] | None:
    """Whether a polynomial with rational coefficients is whole, residue by residue of its whole variables.

    With the common denominator d, d P has integer coefficients, and its value mod d depends on the residues alone.
    """
    if not _is_plain(p):
        return None
    names = sorted({a for powers in p for a, _ in powers}, key=lambda a: a.order)
    d = lcm(1, *(int(c.denominator) for c in p.values()))
    if d == 1:
        return {True}
    if d ** len(names) > MOST_RESIDUES:
        return None
    parts = [(int(c * d), [(names.index(a), int(k)) for a, k in powers]) for powers, c in p.items()]
    found = set()
    for values in itertools.product(range(d), repeat=len(names)):
        total = 0
        for c, powers in parts:
            for place, k in powers:
                c = c * pow(values[place], k, d)
            total += c
        found.add(total % d == 0)
    return found


def _is_plain(p: Poly) -> bool:
    """Whether it is a polynomial in its atoms."""
    return all(k.denominator == 1 and k > 0 for powers in p for _, k in powers)


def never_zero(term: Term, whole: AbstractSet[str]) -> bool:
    """Whether a polynomial has no zero at whole values: 2 n - 1 by its residues, n^2 - 2 as it has no whole root.

    >>> from asymp.kernel.terms import read
    >>> [never_zero(read(t), {"n", "m"}) for t in ("2*n - 1", "n^2 - 2", "n^2 - 4", "4*n + 6*m - 1", "n - m")]
    [True, True, False, True, False]
    """
    p = polynomial(term, whole)
    if not p:
        return False
    if not _is_plain(p):
        return False
    constant, rest = p.get((), mpq(0)), [c for powers, c in p.items() if powers]
    if constant and rest:
        scale = mpq(gcd(*(int(c.numerator) for c in rest)), lcm(*(int(c.denominator) for c in rest)))
        if (constant / scale).denominator != 1:
            return True
    names = {a for powers in p for a, _ in powers}
    if len(names) != 1:
        return False
    coefficients = {int(powers[0][1]) if powers else 0: c for powers, c in p.items()}
    top = max(coefficients)
    bound = 1 + max(abs(c / coefficients[top]) for c in coefficients.values())
    if not top or bound > MOST_ROOTS:
        return False
    return all(sum(c * mpq(x) ** k for k, c in coefficients.items()) for x in range(-int(bound), int(bound) + 1))


def is_rational(term: Term, whole: AbstractSet[str]) -> bool:
    """Whether it is a rational number at all whole values of the named variables, where it is defined."""
    if term.head == "power":
        base, k = term.parts
        return is_rational(base, whole) and whole_valued(k, whole) is Truth.ALWAYS
    if term.head in ("sum", "product"):
        return all(is_rational(part, whole) for part in term.parts)
    return term.is_number or _is_atom(term, whole, lambda _: False)
