"""Where an expansion tends, and Taylor's series about a constant limit: what the methods share."""

from __future__ import annotations

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, sign

_s = sp.Dummy("s", positive=True)


def where(expansion: Expansion) -> tuple[str, sp.Expr]:
    """Where an expansion tends: ('zero' | 'constant' | 'infinity', leading coefficient)."""
    growth, coefficient = expansion.leading()
    kind = growth.limit()
    if kind == "unknown":
        raise Refused(f"{growth} may vanish or not", undecided=growth.undecided())
    if sign(coefficient) is None and kind != "constant":
        raise Refused(f"the sign of {coefficient} depends on parameters", undecided=(coefficient,))
    return ("constant" if kind == "one" else kind), coefficient


def taylor(expander: Expander, function: sp.Expr, at: Expansion) -> Expansion:
    """Taylor's series of ``function`` (in the dummy ``_s``) about the constant limit of ``at``."""
    centre = at.terms[ONE]
    shift = at - Expansion.constant(centre)
    if not shift.terms and not shift.remainder:
        return Expansion.constant(function.subs(_s, centre))
    coefficients = []
    for k in range(expander.order + 1):
        coefficients.append(function.subs(_s, centre) / sp.factorial(k))
        function = function.diff(_s)
    return shift.series(coefficients)
