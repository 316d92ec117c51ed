r"""Integrals that are numbers: what an integral over a peak leaves where several powers stay in the exponent.

.. math:: \int_0^\infty \exp\Big(\sum_i c_i u^{q_i}\Big)\,du, \qquad q_i > 0,

converges where the coefficient of the largest exponent is negative.

>>> u, a = sp.symbols("u a", positive=True)
>>> converges(sp.Integral(sp.exp(a * u - u**3), (u, 0, sp.oo))), converges(sp.Integral(sp.exp(a * u), (u, 0, sp.oo)))
(True, False)
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.scale import sign


def converges(integral: sp.Integral) -> bool:
    """Whether it is such an integral."""
    if len(integral.limits) != 1 or len(integral.limits[0]) != 3 or not isinstance(integral.function, sp.exp):
        return False
    u, low, high = integral.limits[0]
    if low != 0 or high != sp.oo:
        return False
    coefficients: dict[sp.Expr, sp.Expr] = {}
    for term in sp.Add.make_args(sy.expand(integral.function.args[0])):
        c, power = term.as_independent(u, as_Add=False)
        base, q = sy.powsimp(power).as_base_exp()  # u^2 u^b is u^(b + 2)
        if base != u or q.has(u):
            return False
        q = sy.factor(q)
        coefficients[q] = coefficients.get(q, sp.S.Zero) + c
    if any(sign(q) != 1 for q in coefficients):
        return False
    return any(
        sign(sy.factor(c)) == -1 and all(sign(sy.factor(q - other)) == 1 for other in coefficients if other != q)
        for q, c in coefficients.items()
    )
