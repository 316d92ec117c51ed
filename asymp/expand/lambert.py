"""Lambert's W, the branches 0 and -1: at infinity, at 0, at constants, and at the branch point -1/e.

Sources: DLMF 4.13.5, 4.13.6, 4.13.10, 4.13.11; Corless, Gonnet, Hare, Jeffrey and Knuth, On the Lambert W
function (1996), equation (3.5) for the derivatives.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expand.rational_series import power, reversion
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
        if branch == 0:  # sum (-k)^(k-1) x^k / k!, DLMF 4.13.5
            return power_series(
                x, lambda k: (-sp.Integer(k)) ** (k - 1) / sp.factorial(k) if k else sp.S.Zero, order + 1
            )
        if side(x) > 0:
            raise Refused("the branch -1 of Lambert's W is real for -1/e <= x < 0 only")
        return _double_series(expander, (-x).log(order), branch)
    if at.kind == "constant":
        if sy.simplify(at.centre - BRANCH_POINT) == 0:
            return _at_branch_point(x, order, branch)
        return _taylor(x, at.centre, order, branch)
    if at.kind == "-infinity" or branch != 0:
        raise Refused(f"Lambert's W at {x}, where it is not real")
    return _double_series(expander, x.log(order), branch)


def _double_series(expander: Expander, log: Expansion, branch: sp.Expr) -> Expansion:
    """W(x) = l - m + sum over j, k of c_jk m^k l^(-j-k), l = ln x, m = ln ln x, x -> oo (DLMF 4.13.10).

    De Bruijn's double series; cut at j + k <= K its rest is O((m/l)^(K+1)).  For the branch -1 at 0-,
    l = ln(-x) -> -oo and m = ln(-l) (DLMF 4.13.11, with eta = -l).
    """
    order = expander.order
    inner = (log if branch == 0 else -log).log(order)
    inverse = log.inverse(order)
    terms = [log, -inner]
    for total in range(1, order + 1):  # total = j + k, k >= 1
        scale = inverse.power(sp.Integer(total), order)
        for k in range(1, total + 1):
            j = total - k
            # (-1)^j [j+k over j+1]/k!, Stirling cycle numbers
            number = sp.functions.combinatorial.numbers.stirling(total, j + 1, kind=1, signed=False)
            factor = sp.Integer((-1) ** j) * number / sp.factorial(k)
            terms.append((scale * inner.power(sp.Integer(k), order)).scaled(factor))
    terms.append((inner * inverse).tail(order + 1))
    expander.note(
        "Lambert's W for large argument",
        r"W(x) = \ell - m + \sum_{j\ge0,\,k\ge1} \frac{(-1)^j}{k!}\left[{j+k \atop j+1}\right] m^k \ell^{-j-k}, "
        r"\quad \ell = \ln x,\; m = \ln\ln x" + (r"\quad(-x, -\ell)" if branch == -1 else ""),
        "DLMF 4.13.10" if branch == 0 else "DLMF 4.13.11",
    )
    return Expansion.sum(terms)


def branch_coefficients(count: int) -> list[sp.Expr]:
    """W + 1 in powers of p = sqrt(2(e x + 1)), DLMF 4.13.6; on the branch -1 in powers of -p.

    With W = u - 1, e x + 1 = 1 + (u-1) e^u = sum_{k>=2} (k-1) u^k/k!, whose double is p^2: reversed.

    >>> branch_coefficients(4)
    [0, 1, -1/3, 11/72, -43/540]
    """
    square = [2 * sp.Rational(k - 1) / sp.factorial(k) for k in range(2, count + 2)]
    root = power(square, sp.Rational(1, 2))
    return reversion([sp.S.Zero, *root])


def _at_branch_point(x: Expansion, order: int, branch: sp.Expr) -> Expansion:
    gap = shifted(x, BRANCH_POINT).scaled(2 * sp.E)
    if not gap.terms and not gap.remainder:
        return Expansion.constant(-1)
    if side(gap) < 0:
        raise Refused("Lambert's W below -1/e, where it is not real")
    root = gap.power(sp.Rational(1, 2), order).scaled(1 if branch == 0 else -1)
    coefficients = branch_coefficients(order + 1)
    return shifted(power_series(root, lambda k: coefficients[k], order + 1), 1)


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
