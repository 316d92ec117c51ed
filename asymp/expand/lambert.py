"""Lambert's W, the branches 0 and -1: at infinity, at 0, at constants, and at the branch point -1/e.

By the table; at constants by the derivatives of Corless, Gonnet, Hare, Jeffrey and Knuth, On the Lambert W
function (1996), equation (3.5).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand import rows
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

BRANCH_POINT = -sp.exp(-1)


@handles(sp.LambertW)
def _lambert(expander: Expander, expr: sp.Expr) -> Expansion:
    branch = expr.args[1] if len(expr.args) == 2 else sp.S.Zero
    if branch not in (0, -1):
        raise Refused("Lambert's W is real on its branches 0 and -1 only")
    x, order = expander(expr.args[0]), expander.order
    at = place(x)
    if at.kind == "zero":
        if branch == 0:
            return rows.said(expander, "LambertW", "0", x)
        if side(x) > 0:
            raise Refused("the branch -1 of Lambert's W is real for -1/e <= x < 0 only")
        return rows.said(expander, "LambertW", "0-", x, branch)
    if at.kind == "constant":
        if sy.simplify(at.centre - BRANCH_POINT) == 0:
            return _at_branch_point(expander, x, branch)
        return _taylor(x, at.centre, order, branch)
    if at.kind == "-infinity" or branch != 0:
        raise Refused(f"Lambert's W at {x}, where it is not real")
    return rows.said(expander, "LambertW", "oo", x)


def _at_branch_point(expander: Expander, x: Expansion, branch: sp.Expr) -> Expansion:
    gap = shifted(x, BRANCH_POINT)
    if not gap.terms and not gap.remainder:
        return Expansion.constant(-1)
    if side(gap) < 0:
        raise Refused("Lambert's W below -1/e, where it is not real")
    return rows.said(expander, "LambertW", "-exp(-1)+", x, *([branch] if branch else []))


def _taylor(x: Expansion, centre: sp.Expr, order: int, branch: sp.Expr) -> Expansion:
    """W^(k) = e^(-kW) p_k(W)/(1+W)^(2k-1), p_1 = 1, p_{k+1} = -(kw + 3k - 1) p_k + (1+w) p_k', at a constant."""
    inside = sign(centre) == 1 if branch == 0 else False
    if centre.is_number and centre.is_real:
        inside = sign(centre - BRANCH_POINT) == 1 and (branch == 0 or sign(centre) == -1)
    if not inside:
        raise Refused(f"Lambert's W at {centre}, which is not known to lie on the branch {branch}")
    value = sp.LambertW(centre, branch) if branch != 0 else sp.LambertW(centre)
    w = sp.Symbol("w")
    polynomials = [sp.S.One]
    for k in range(1, order + 1):
        p = polynomials[-1]
        polynomials.append(sy.expand(-(k * w + 3 * k - 1) * p + (1 + w) * sy.diff(p, w)))
    slope = value / centre if centre != 0 else sp.S.One  # e^(-W)

    def coefficient(k: int) -> sp.Expr:
        if k == 0:
            return value
        top = polynomials[k - 1].subs(w, value)
        return slope**k * top / ((1 + value) ** (2 * k - 1) * sp.factorial(k))

    return power_series(shifted(x, centre), coefficient, order)
