"""Where an expansion tends: what the methods share."""

from __future__ import annotations

import sympy as sp

from asymp.expansion import Expansion, Refused
from asymp.scale import sign


def where(expansion: Expansion) -> tuple[str, sp.Expr]:
    """Where an expansion tends: ('zero' | 'constant' | 'infinity', leading coefficient)."""
    growth, coefficient = expansion.leading()
    kind = growth.limit()
    if kind == "unknown":
        raise Refused(f"{growth} may vanish or not", undecided=growth.undecided())
    if sign(coefficient) is None and kind != "constant":
        raise Refused(f"the sign of {coefficient} depends on parameters", undecided=(coefficient,))
    return ("constant" if kind == "one" else kind), coefficient
