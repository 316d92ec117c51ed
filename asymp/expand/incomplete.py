"""The incomplete gamma function with both arguments large: x/a -> lambda < 1, = 1, > 1.

With x = lambda a and b_0 = 1, b_k = lambda (1 - lambda) b'_{k-1} + (2k-1) lambda b_{k-1} (DLMF 8.11.6-9),

    Gamma(a, x) ~ x^a e^(-x) sum_k (-1)^k b_k(lambda) / ((lambda - 1)^(2k+1) a^(k+1)),   lambda > 1,

and for lambda < 1 the same sum with the opposite sign is the lower function, Gamma(a) - Gamma(a, x).
Near x = a, x/a -> 1, Temme's uniform expansion takes over.  At x = a, with Ramanujan's theta
(DLMF 8.11.12), Gamma(a, a) = Gamma(a)/2 - e^(-a) a^(a-1) theta(a).
"""

from __future__ import annotations

import sympy as sp

from asymp.expand.engine import Expander
from asymp.expand.gamma import erfc_of
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
    """Gamma(a, x) for a -> oo with x/(a - m) a constant for some small integer m, or x/a -> 1.

    Raises:
        Refused: the ratio is neither constant nor near 1, or its side of 1 depends on a parameter.
    """
    variables = expander._variables()
    for shift in (0, 1, -1, 2, -2, 3, -3):
        base = sp.expand(expander.resolved(a)) - shift
        ratio = sp.cancel(expander.resolved(x) / base) if base != 0 else x
        if not ratio.free_symbols & variables:
            return _shifted(expander, a, x, shift, ratio)
    return _window(expander, a, x)


def _window(expander: Expander, a: sp.Expr, x: sp.Expr) -> Expansion:
    """Temme's uniform expansion near x = a (DLMF 8.12.7-10), with delta = x/a - 1 -> 0:

    Gamma(a, x)/Gamma(a) = erfc(eta sqrt(a/2))/2 + e^(-a eta^2/2)/sqrt(2 pi a) (c_0 + c_1/a + O(a^-2)),

    eta^2/2 = delta - ln(1 + delta), c_0 = 1/delta - 1/eta, c_1 = 1/eta^3 - 1/delta^3 - 1/delta^2 - 1/(12 delta).
    """
    order = expander.order
    large = expander(a)
    growth, leading = large.leading()
    if growth.limit() != "infinity" or sign(leading) != 1:
        raise Refused(f"{a} does not tend to +infinity")
    delta = expander(sp.expand(expander.resolved(x) / expander.resolved(a)) - 1)
    if any(g.limit() != "zero" for g in (*delta.terms, *delta.remainder)):
        raise Refused(f"the incomplete gamma function of {a} and {x}, whose ratio is neither constant nor near 1")
    ratio, half, zero, one = window_series(order + 1)
    eta = delta * delta.series(ratio)
    weight = (-(large * (delta * delta) * delta.series(half))).exp(order)
    bracket = delta.series(zero) + large.inverse(order) * delta.series(one) + large.inverse(order).tail(2)
    argument = eta * large.scaled(sp.Rational(1, 2)).power(sp.Rational(1, 2), order)
    root = large.scaled(2 * sp.pi).power(sp.Rational(-1, 2), order)
    expander.note(
        "incomplete gamma function in the transition window",
        r"\frac{\Gamma(a,x)}{\Gamma(a)} = \tfrac12\mathrm{erfc}\!\left(\eta\sqrt{a/2}\right) + "
        r"\frac{e^{-a\eta^2/2}}{\sqrt{2\pi a}}\left(c_0 + \frac{c_1}{a} + O(a^{-2})\right),\quad "
        r"\tfrac12\eta^2 = \delta - \ln(1+\delta),\; \delta = x/a - 1",
        "DLMF 8.12.7-10",
    )
    share = erfc_of(expander, argument).scaled(sp.Rational(1, 2)) + weight * root * bracket
    return share * expander(sp.gamma(a, evaluate=False))


def window_series(order: int) -> tuple[list[sp.Expr], list[sp.Expr], list[sp.Expr], list[sp.Expr]]:
    """Taylor coefficients in delta of eta/delta, eta^2/(2 delta^2), c_0 and c_1, to the given order.

    In eta they are Temme's c_0 = -1/3 + eta/12 - 2 eta^2/135 + ... and c_1 = -1/540 - eta/288 + eta^2/378 - ...

    >>> [q[:3] for q in window_series(2)]
    [[1, -1/3, 7/36], [1/2, -1/3, 1/4], [-1/3, 1/12, -23/540], [-1/540, -1/288, 23/6048]]
    """
    d = sp.Symbol("d", positive=True)
    depth = order + 4
    half = [sp.Rational((-1) ** k, k + 2) for k in range(depth + 1)]

    def cut(expr: sp.Expr) -> sp.Expr:
        poly = sp.Poly(expr, d)
        return sum((c * d**m for (m,), c in poly.terms() if m <= depth), sp.S.Zero)

    square = sp.expand(2 * sum(c * d**k for k, c in enumerate(half)))  # (eta/delta)^2 = 1 + ...
    small = sp.expand(square - 1)

    def binomial_power(power: sp.Rational) -> sp.Expr:
        total, term = sp.S.One, sp.S.One
        for k in range(1, depth + 1):
            term = cut(sp.expand(term * small))
            total += sp.binomial(power, k) * term
        return sp.expand(total)

    ratio, inverse = binomial_power(sp.Rational(1, 2)), binomial_power(sp.Rational(-1, 2))
    cube = binomial_power(sp.Rational(-3, 2))
    zero = sp.expand((1 - inverse) / d)
    one = sp.expand((cube - 1 - d - d**2 / 12) / d**3)

    def listed(expr: sp.Expr) -> list[sp.Expr]:
        return [sp.expand(expr).coeff(d, k) for k in range(order + 1)]

    return listed(ratio), half[: order + 1], listed(zero), listed(one)


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
