"""The error functions erf, erfc, erfi: at 0, at constants, at +oo and -oo.

Sources: DLMF 7.6.1 (series), 7.10.1 (derivatives), 7.12.1 (large argument); erfi(x) = -i erf(ix), 7.2.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted
from asymp.expansion import Expansion

_HALF = sp.Rational(1, 2)


def _odd_series(x: Expansion, order: int, s: int) -> Expansion:
    """2/sqrt(pi) sum_k s^k x^(2k+1)/(k! (2k+1)): erf for s = -1 (DLMF 7.6.1), erfi for s = 1."""

    def coefficient(k: int) -> sp.Expr:
        j, odd = divmod(k, 2)
        return 2 * sp.Integer(s) ** j / (sp.sqrt(sp.pi) * sp.factorial(j) * k) if odd else sp.S.Zero

    return power_series(x, coefficient, 2 * order + 2)


def _slopes(centre: sp.Expr, s: int, count: int) -> list[sp.Expr]:
    """Taylor's coefficients of 2/sqrt(pi) e^(s x^2) at c times (k-1)!..: y' = 2 s x y gives
    (k+1) y_{k+1} = 2 s (c y_k + y_{k-1})."""
    y = [2 * sp.exp(s * centre**2) / sp.sqrt(sp.pi)]
    for k in range(count):
        y.append(sy.expand(2 * s * (centre * y[k] + (y[k - 1] if k else 0)) / (k + 1)))
    return y


def _tail_series(x: Expansion, order: int, s: int) -> Expansion:
    """e^(s x^2)/(x sqrt(pi)) sum_k s^k (1/2)_k x^(-2k), x -> +oo."""
    square = x * x
    head = square.scaled(s).exp(order) * x.inverse(order).scaled(1 / sp.sqrt(sp.pi))
    return head * square.inverse(order).series([sp.Integer(s) ** k * sp.rf(_HALF, k) for k in range(order + 1)])


def erfc_of(expander: Expander, x: Expansion) -> Expansion:
    """erfc(x) ~ e^(-x^2)/(x sqrt(pi)) sum_k (-1)^k (1/2)_k x^(-2k), x -> +oo (DLMF 7.12.1).

    At 0: 1 - erf(x) (DLMF 7.6.1); at a constant, Taylor's series; at -oo, 2 - erfc(-x).
    """
    at, order = place(x), expander.order
    if at.kind == "zero":
        return Expansion.constant(1) - _odd_series(x, order, -1)
    if at.kind == "constant":
        slopes = _slopes(at.centre, -1, order)
        value = sp.erfc(at.centre)
        return power_series(shifted(x, at.centre), lambda k: -slopes[k - 1] / k if k else value, order)
    if at.kind == "-infinity":
        return Expansion.constant(2) - erfc_of(expander, -x)
    expander.note(
        "complementary error function for large argument",
        r"\mathrm{erfc}(x) \sim \frac{e^{-x^2}}{x\sqrt\pi}\sum_k (-1)^k\left(\tfrac12\right)_k x^{-2k}",
        "DLMF 7.12.1",
    )
    return _tail_series(x, order, -1)


@handles(sp.erfc)
def _erfc(expander: Expander, expr: sp.Expr) -> Expansion:
    return erfc_of(expander, expander(expr.args[0]))


@handles(sp.erf)
def _erf(expander: Expander, expr: sp.Expr) -> Expansion:
    x = expander(expr.args[0])
    if place(x).kind == "-infinity":
        return erfc_of(expander, -x) - Expansion.constant(1)
    return Expansion.constant(1) - erfc_of(expander, x)


@handles(sp.erfi)
def _erfi(expander: Expander, expr: sp.Expr) -> Expansion:
    """erfi(x) = 2/sqrt(pi) int_0^x e^(t^2) dt; odd; for x -> +oo e^(x^2)/(x sqrt(pi)) sum_k (1/2)_k x^(-2k).

    There erfi(x) = (2 x/sqrt(pi)) e^(x^2) int_0^1 e^(-x^2 (2v - v^2)) dv, and Watson's lemma (DLMF 2.3(ii)) at
    v = 0 gives the series with its remainder; it is that of Dawson's integral, DLMF 7.5.1.
    """
    x, order = expander(expr.args[0]), expander.order
    at = place(x)
    if at.kind == "zero":
        return _odd_series(x, order, 1)
    if at.kind == "constant":
        slopes = _slopes(at.centre, 1, order)
        return power_series(shifted(x, at.centre), lambda k: slopes[k - 1] / k if k else sp.erfi(at.centre), order)
    expander.note(
        "imaginary error function for large argument",
        r"\mathrm{erfi}(x) \sim \frac{e^{x^2}}{x\sqrt\pi}\sum_k \left(\tfrac12\right)_k x^{-2k}",
        "DLMF 7.5.1, Watson's lemma",
    )
    return _tail_series(x, order, 1) if at.kind == "infinity" else -_tail_series(-x, order, 1)
