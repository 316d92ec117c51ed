"""Where the argument of a function tends, and the series of the function there.

>>> n = sp.Symbol("n", positive=True)
>>> place(Expansion.constant(2) + Expansion.of(Growth.of(n, -1)))
Place(kind='constant', centre=2)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import sympy as sp

from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, Growth, sign

__all__ = ["Growth", "Place", "place", "power_series", "shifted", "side"]


@dataclass(frozen=True)
class Place:
    """``kind`` is zero, constant (its limit is ``centre``), infinity or -infinity."""

    kind: str
    centre: sp.Expr = sp.S.Zero


def place(x: Expansion) -> Place:
    """Where an expansion tends.

    Raises:
        Refused: it depends on the path or on a parameter.
    """
    growths = (*x.terms, *x.remainder)
    rest = [g for g in growths if g != ONE or g in x.remainder]
    if all(g.limit() == "zero" for g in rest):
        return Place("constant", x.terms[ONE]) if ONE in x.terms else Place("zero")
    growth, coefficient = x.leading()
    if growth.limit() == "unknown":
        raise Refused(f"{growth} may vanish or not")
    s = sign(coefficient)
    if s is None:
        raise Refused(f"the sign of {coefficient} depends on parameters")
    return Place("infinity" if s > 0 else "-infinity")


def side(x: Expansion) -> int:
    """The sign of an expansion, in the limit.

    Raises:
        Refused: it depends on the path or on a parameter.
    """
    _, coefficient = x.leading()
    s = sign(coefficient)
    if s is None or s == 0:
        raise Refused(f"the sign of {coefficient} depends on parameters")
    return s


def shifted(x: Expansion, centre: sp.Expr | int) -> Expansion:
    """x - centre."""
    return x - Expansion.constant(centre)


def power_series(small: Expansion, coefficient: Callable[[int], sp.Expr | int], order: int) -> Expansion:
    """sum_k coefficient(k) small^k + O(small^(order+1)); the first coefficient alone where ``small`` is 0.

    Sound for a convergent or asymptotic power series at 0 (Taylor's theorem, Watson's lemma).
    """
    if not small.terms and not small.remainder:
        return Expansion.constant(coefficient(0))
    return small.series([coefficient(k) for k in range(order + 1)])
