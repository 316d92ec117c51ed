"""Factors of polynomials in atoms, as ratios.

>>> from asymp.kernel.terms import name
>>> x = atom(name("x"))
>>> sorted((str(to_term(e)), k) for e, k in factors((x * x - rational(1)).num))
[('x + 1', 1), ('x - 1', 1)]
"""

from __future__ import annotations

from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.field import to_term as to_term
from asymp.kernel.rings.ratio import Poly, Ratio, atom, rational
from asymp.kernel.terms import Refused


def factors(p: Poly) -> list[tuple[Ratio, int]]:
    """A polynomial in factors with their exponents; their product is the polynomial."""
    if any(k.denominator != 1 for powers in p for _, k in powers) or len(p) == 1:
        return [(Ratio(dict(p)), 1)]
    try:
        number, powers, others = factored(p)
    except Refused:
        return [(Ratio(dict(p)), 1)]
    found = [(atom(a), int(k)) for a, k in powers] + [(Ratio(dict(q)), k) for q, k in others]
    return found if number == 1 else [(rational(number), 1), *found]
