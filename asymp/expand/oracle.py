"""The oracle of nonzero coefficients: ball arithmetic, plugged into the algebra of expansions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from asymp.enclosure import Undecided, ball
from asymp.expansion import Refused, plug_oracle

BITS = 160


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
    except Undecided as error:  # another method may have another form of it
        raise Refused(f"cannot evaluate the coefficient {coefficient}") from error
    if not value.is_finite():
        raise Refused(f"cannot evaluate the coefficient {coefficient}")
    return not value.contains(0)


plug_oracle(excludes_zero)
