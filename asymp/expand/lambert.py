"""Lambert's W, its branch -1 next to constants; all else is the kernel's.

Source: Corless, Gonnet, Hare, Jeffrey and Knuth, On the Lambert W function (1996), equation (3.5).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


@handles(sp.LambertW)
def lower_branch(expander: Expander, expr: sp.Expr) -> Expansion:
    """W^(k) = e^(-kW) p_k(W)/(1+W)^(2k-1), p_1 = 1, p_{k+1} = -(kw + 3k - 1) p_k + (1+w) p_k', at -1/e < c < 0."""
    if len(expr.args) != 2 or expr.args[1] != -1:
        raise Refused(f"the kernel has no series of {expr}", undecided=())
    x = expander(expr.args[0])
    centre = place(x).centre
    if not (centre.is_number and sign(centre) == -1 and sign(centre + sp.exp(-1)) == 1):
        raise Refused(f"Lambert's W at {centre}, which is not known to lie on the branch -1")
    value, w, polynomials = sp.LambertW(centre, -1), sp.Symbol("w"), [sp.S.One]
    for k in range(1, expander.order + 1):
        p = polynomials[-1]
        polynomials.append(sy.expand(-(k * w + 3 * k - 1) * p + (1 + w) * sy.diff(p, w)))

    def coefficient(k: int) -> sp.Expr:
        if k == 0:
            return value
        top = polynomials[k - 1].subs(w, value)
        return (value / centre) ** k * top / ((1 + value) ** (2 * k - 1) * sp.factorial(k))  # e^(-W) is W/c

    return power_series(shifted(x, centre), coefficient, expander.order)
