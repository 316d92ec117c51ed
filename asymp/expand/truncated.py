r"""The truncated exponential series with a symbolic number of terms under an integral.

.. math:: E_\theta(t) = \sum_{k=0}^{\theta} \frac{t^k}{k!} = e^t Q(\theta+1, t),  \qquad
          P(\theta+1, t) = 1 - Q = \frac{t^{\theta+1}}{\theta!} \sum_{j \ge 0} \frac{(-t)^j}{j!\,(\theta+1+j)} ,

DLMF 8.4.10, 8.7.1.  So ln E = t - P - P^2/2 - ... near 0, with symbolic exponents, and E' = E - t^theta/theta!.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.local import Field, Series
from asymp.expansion import Refused
from asymp.scale import sign


class TruncatedExponential(sp.Function):
    """E_theta(t) for a symbolic order.

    >>> theta, t = sp.symbols("theta t", positive=True)
    >>> sp.diff(TruncatedExponential(theta, t), t)
    -t**theta/gamma(theta + 1) + TruncatedExponential(theta, t)
    """

    nargs = 2

    @classmethod
    def eval(cls, order: sp.Expr, x: sp.Expr) -> sp.Expr | None:
        """E(0) = 1."""
        return sp.S.One if x == 0 else None

    def _eval_is_positive(self) -> bool | None:
        return True if self.args[1].is_nonnegative else None

    def _eval_is_finite(self) -> bool | None:
        return self.args[1].is_finite

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        """E - t^theta/theta!."""
        order, x = self.args
        return self - x**order / sp.gamma(order + 1)


def recognised(function: sp.Expr, t: sp.Symbol) -> sp.Expr:
    """Sums of t^k/k! up to a symbolic order as such functions.

    >>> k, theta, t = sp.Symbol("k", integer=True), sp.Symbol("theta", positive=True), sp.Symbol("t", positive=True)
    >>> recognised(sp.Sum(t**k / sp.factorial(k), (k, 0, theta)) ** 2, t)
    TruncatedExponential(theta, t)**2
    """
    def form(total: sp.Sum) -> sp.Expr:
        if len(total.limits) != 1:
            return total
        k, low, high = total.limits[0]
        x = total.function * sp.factorial(k)
        base, power = x.as_base_exp()
        if low != 0 or power != k or base.has(k) or not base.has(t) or high.is_number or high.has(t):
            return total
        return TruncatedExponential(high, base)

    return function.replace(lambda e: isinstance(e, sp.Sum), form)


def logarithmic_series(f: sp.Expr, w: sp.Symbol, field: Field) -> Series | None:
    """c ln E(w) + b w + a near w = 0; None where f is no such function of w.

    P^2 = O(w^(2 theta + 2)) is among the terms left out where theta >= 1.

    Raises:
        Refused: the order is not known to be at least 1.
    """
    found = f.atoms(TruncatedExponential)
    if len(found) != 1:
        return None
    (e,) = found
    order, x = e.args
    logs = sp.Dummy("l")
    linear = sy.expand(f.subs(sp.log(e), logs))
    if x != w or linear.has(TruncatedExponential) or not linear.is_polynomial(logs, w):
        return None
    poly = sy.poly(linear, logs, w)
    if poly.total_degree() > 1:
        return None
    if sign(order - 1) not in (0, 1):
        raise Refused(f"whether {order} >= 1 is not known")
    c, b, a = (poly.coeff_monomial(m) for m in (logs, w, 1))
    slope = sy.factor(b + c)
    # at a linear maximum, t = O(1/N), the second term is not as large as the square of the first for order >= 2 alone
    count = 2 if slope == 0 or sign(order - 2) in (0, 1) else 1
    terms = {(sp.S.Zero, 0): field.of(sp.sympify(a)), (sp.S.One, 0): field.of(slope)}
    for j in range(count):
        weight = -c * (-1) ** j * (order + 1) / (sp.factorial(j) * (order + 1 + j))  # over (theta + 1)!
        terms[(sy.expand(order + 1 + j), 0)] = field.of(sy.factor(weight)) / field.of(sp.gamma(sy.expand(order + 2)))
    return Series(field, {key: value for key, value in terms.items() if value != 0}, sy.expand(order + 1 + count))
