"""The incomplete gamma function with both arguments large: x/a -> lambda < 1, = 1, > 1.

With x = lambda a and b_0 = 1, b_k = lambda (1 - lambda) b'_{k-1} + (2k-1) lambda b_{k-1} (DLMF 8.11.6-9),

    Gamma(a, x) ~ x^a e^(-x) sum_k (-1)^k b_k(lambda) / ((lambda - 1)^(2k+1) a^(k+1)),   lambda > 1,

and for lambda < 1 the same sum with the opposite sign is the lower function, Gamma(a) - Gamma(a, x).
At x = a, Gamma(a, a) = Gamma(a)/2 - e^(-a) a^(a-1) theta(a) with Ramanujan's theta (DLMF 8.11.12).
"""

from __future__ import annotations

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

THETA = tuple(sp.Rational(*q) for q in ((1, 3), (4, 135), (-8, 2835), (-16, 8505), (8992, 12629925)))
"""theta(a) ~ 1/3 + 4/(135 a) - 8/(2835 a^2) - ... (Ramanujan; Flajolet et al., On Ramanujan's Q-function, 1995)."""


def coefficients(ratio: sp.Expr, count: int) -> list[sp.Expr]:
    """b_0 .. b_count at lambda = ratio.

    >>> coefficients(sp.Symbol("r"), 2)
    [1, r, 3*r**2 + r*(1 - r)]
    """
    x = sp.Symbol("lam")
    b: list[sp.Expr] = [sp.S.One]
    for k in range(1, count + 1):
        b.append(x * (1 - x) * sp.diff(b[-1], x) + (2 * k - 1) * x * b[-1])
    return [q.subs(x, ratio) for q in b]


def both_large(expander: Expander, a: sp.Expr, x: sp.Expr) -> Expansion:
    """Gamma(a, x) for a -> oo with x/(a - m) a constant for some small integer m.

    Raises:
        Refused: the ratio is no constant (a transition window), or its side of 1 depends on a parameter.
    """
    variables = expander._variables()
    for shift in (0, 1, -1, 2, -2, 3, -3):
        base = sp.expand(expander.resolved(a)) - shift
        ratio = sp.cancel(expander.resolved(x) / base) if base != 0 else x
        if not ratio.free_symbols & variables:
            return _shifted(expander, a, x, shift, ratio)
    raise Refused(f"the incomplete gamma function of {a} and {x}, whose ratio is not constant")


def _shifted(expander: Expander, a: sp.Expr, x: sp.Expr, shift: int, ratio: sp.Expr) -> Expansion:
    """Gamma(s+1, x) = s Gamma(s, x) + x^s e^(-x), DLMF 8.8.2, from s = a - shift to a."""
    value = _at_ratio(expander, a - shift, x, ratio)
    for k in range(shift):
        s = a - shift + k
        value = expander(s) * value + expander(sp.exp(s * sp.log(x) - x, evaluate=False))
    for k in range(-shift):
        s = a - shift - k - 1
        value = (value - expander(sp.exp(s * sp.log(x) - x, evaluate=False))) * expander(1 / s)
    return value


def _at_ratio(expander: Expander, a: sp.Expr, x: sp.Expr, ratio: sp.Expr) -> Expansion:
    order = expander.order
    large = expander(a)
    growth, leading = large.leading()
    if growth.limit() != "infinity" or sign(leading) != 1:
        raise Refused(f"{a} does not tend to +infinity")
    inverse = large.inverse(order)
    if ratio == 1:
        count = min(order, len(THETA) - 1)
        tail = inverse.series(THETA[: count + 1])
        head = expander(sp.exp((a - 1) * sp.log(a) - a, evaluate=False))
        expander.note(
            "incomplete gamma function on the diagonal",
            r"\Gamma(a,a) = \tfrac12\Gamma(a) - e^{-a}a^{a-1}\left(\tfrac13 + \tfrac{4}{135a} - "
            r"\tfrac{8}{2835a^2} - \cdots\right)",
            "DLMF 8.11.12",
        )
        return expander(sp.gamma(a, evaluate=False)).scaled(sp.Rational(1, 2)) - head * tail
    side = sign(sp.factor(ratio - 1))
    if side is None:
        raise Refused(f"whether {ratio} exceeds 1 depends on parameters")
    series = [
        (-1) ** k * b / (ratio - 1) ** (2 * k + 1) for k, b in enumerate(coefficients(ratio, order))
    ]
    body = expander(sp.exp(a * sp.log(x) - x, evaluate=False)) * inverse * inverse.series(series)
    expander.note(
        "incomplete gamma function with both arguments large",
        r"\Gamma(a,\lambda a) \sim (\lambda a)^a e^{-\lambda a}\sum_k \frac{(-1)^k b_k(\lambda)}"
        r"{(\lambda-1)^{2k+1}a^{k+1}}\;(\lambda>1),\quad b_k = \lambda(1-\lambda)b_{k-1}'+(2k-1)\lambda b_{k-1}",
        "DLMF 8.11.6-9",
    )
    if side > 0:
        return body
    return expander(sp.gamma(a, evaluate=False)) + body
