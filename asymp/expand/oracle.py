"""The oracle of nonzero coefficients: ball arithmetic, plugged into the algebra of expansions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from asymp.enclosure import Undecided, ball
from asymp.expansion import Refused, plug_oracle

BITS = 160
MOST_BITS = 8_000


def excludes_zero(coefficient: sp.Expr, point: Mapping[str, Fraction]) -> bool:
    """Whether a certified ball of the coefficient at the point excludes 0.

    Raises:
        Refused: the coefficient has no finite value there.

    >>> excludes_zero(sp.EulerGamma - sp.Rational(577, 1000), {})
    True
    """
    plain = coefficient.subs({s: sp.Symbol(s.name) for s in coefficient.free_symbols})
    try:
        value = ball(plain, dict(point), BITS)
        if value.is_finite() and value.contains(0):  # a number of many digits takes as many to be told from another
            value = ball(plain, dict(point), BITS + 4 * _height(plain))
    except Undecided as error:  # another method may have another form of it
        raise Refused(f"cannot evaluate the coefficient {coefficient}") from error
    if not value.is_finite():
        raise Refused(f"cannot evaluate the coefficient {coefficient}")
    return not value.contains(0)


def _height(expr: sp.Expr) -> int:
    """Bits of the longest number in an expression, within reason."""
    numbers = expr.atoms(sp.Rational)
    return min(max((max(abs(int(q.p)), int(q.q)).bit_length() for q in numbers), default=0), MOST_BITS)


plug_oracle(excludes_zero)
