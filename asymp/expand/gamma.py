"""Gamma and its kin: at infinity, at 0 and the other poles, and at constants.

Sources: DLMF 5.11.1 (Stirling), 5.5.1 (recurrence), 5.15.8 and 5.15.9 (polygamma), 5.12.1 (beta).
"""

from __future__ import annotations

import sympy as sp

from asymp.expand import rows
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

MOST_STEPS = 60
"""Beyond this many poles or factors the recurrence is not used."""
FARTHEST = 2_000
"""Derivatives of ln Gamma at a larger number are sums of as many fractions."""


def stirling(expander: Expander, x: Expansion) -> Expansion:
    """ln Gamma(x), x -> +oo: Stirling's series (DLMF 5.11.1)."""
    return rows.said(expander, "loggamma", "oo", x)


def _steps_to_the_right(centre: sp.Expr, name: str) -> int:
    """How many unit steps bring a constant into the positive reals.

    Raises:
        Refused: the sign of the constant is not known, or it is far on the left.
    """
    if sign(centre) == 1:
        return 0
    if not centre.is_number or not centre.is_real:
        raise Refused(f"{name} at {centre}, which may be negative")
    steps = int(sp.floor(-centre)) + 1
    if steps > MOST_STEPS:
        raise Refused(f"{name} at {centre}, far on the negative axis")
    return steps


def _log_gamma_slopes(centre: sp.Expr, k: int) -> sp.Expr:
    """Taylor's coefficients of ln Gamma(c + h) - ln Gamma(c), c > 0: psi^(k-1)(c)/k! (DLMF 5.2.2)."""
    return sp.polygamma(k - 1, centre) / sp.factorial(k) if k else sp.S.Zero


def loggamma_of(expander: Expander, x: Expansion) -> Expansion:
    """ln Gamma(x) at +oo, at a positive constant, and at 0+: ln Gamma(1 + x) - ln x (DLMF 5.5.1).

    Raises:
        Refused: elsewhere, where Gamma may be negative.
    """
    at = place(x)
    if at.kind == "infinity":
        return stirling(expander, x)
    if at.kind == "zero":
        return loggamma_of(expander, shifted(x, -1)) - x.log(expander.order)
    if at.kind != "constant" or sign(at.centre) != 1:
        raise Refused(f"ln Gamma at {x}, which is not known to be positive")
    small = shifted(x, at.centre)
    rise = power_series(small, lambda k: _log_gamma_slopes(at.centre, k), expander.order)
    return Expansion.constant(sp.loggamma(at.centre)) + rise


def gamma_of(expander: Expander, x: Expansion) -> Expansion:
    """Gamma(x): exp(ln Gamma) on the right; elsewhere Gamma(x + m)/(x (x+1) ... (x+m-1)), DLMF 5.5.1, poles too.

    Raises:
        Refused: at -oo, where poles are everywhere.
    """
    at, order = place(x), expander.order
    if at.kind == "infinity":
        return stirling(expander, x).exp(order)
    if at.kind == "-infinity":
        raise Refused("Gamma at -oo, where poles are everywhere")
    steps = _steps_to_the_right(at.centre, "Gamma")
    centre = at.centre + steps
    if centre.is_Rational and centre > FARTHEST:
        raise Refused(f"Gamma next to a number beyond {FARTHEST}")
    rise = power_series(shifted(x, at.centre), lambda k: _log_gamma_slopes(centre, k), order)
    value = rise.exp(order).scaled(sp.gamma(centre))
    for j in range(steps):
        value = value * shifted(x, -j).inverse(order)
    if steps:
        expander.note(
            "recurrence of the gamma function", r"\Gamma(x) = \frac{\Gamma(x+m)}{x(x+1)\cdots(x+m-1)}", "DLMF 5.5.1"
        )
    return value


@handles(sp.loggamma)
def _loggamma(expander: Expander, expr: sp.Expr) -> Expansion:
    return loggamma_of(expander, expander(expr.args[0]))


@handles(sp.gamma)
def _gamma(expander: Expander, expr: sp.Expr) -> Expansion:
    return gamma_of(expander, expander(expr.args[0]))


def polygamma_of(expander: Expander, m: int, x: Expansion) -> Expansion:
    """psi^(m)(x): at +oo by its series; at constants Taylor's; on the left psi^(m)(x) = psi^(m)(x+1) - (-1)^m m! x^(-m-1)
    (DLMF 5.15.5), poles too.
    """
    at, order = place(x), expander.order
    if at.kind == "infinity":
        return rows.said(expander, "polygamma", "oo", sp.Integer(m), x) if m else rows.said(expander, "digamma", "oo", x)
    if at.kind == "-infinity":
        raise Refused("the polygamma function at -oo, where poles are everywhere")
    steps = _steps_to_the_right(at.centre, "the polygamma function")
    centre = at.centre + steps
    terms = [
        power_series(
            shifted(x, at.centre), lambda k: sp.polygamma(m + k, centre) / sp.factorial(k), order
        )
    ]
    for j in range(steps):
        pole = shifted(x, -j).power(sp.Integer(-m - 1), order)
        terms.append(pole.scaled(-((-1) ** m) * sp.factorial(m)))
    return Expansion.sum(terms)


@handles(sp.digamma, sp.polygamma)
def _polygamma(expander: Expander, expr: sp.Expr) -> Expansion:
    m = expr.args[0] if len(expr.args) == 2 else sp.S.Zero
    if not (m.is_Integer and 0 <= m <= MOST_STEPS):
        raise Refused(f"{expr}: the order of a polygamma function is a small whole number")
    return polygamma_of(expander, int(m), expander(expr.args[-1]))
