r"""Whether a sum, a product or an integral to infinity, or up to where its integrand is infinite, has a value.

Near such an end the body is expanded.  With t -> oo (an end b of an integral is t = 1/|b - x|, the body then divided by
t^2), the tests are Bertrand's: f = O(1/(t ln^2 t)) converges, and f of one sign with f >= c/(t ln t) diverges, for sums
and integrals alike (f is monotone from some point on, being of the log-exp scale).  A product converges to something
other than 0 where the sum of its factors less 1 converges absolutely.  Terms of a sum that do not tend to 0 diverge.

>>> k = sp.Symbol("k", positive=True)
>>> n = sp.Symbol("n", positive=True)
>>> [converges("Sum", f, k, sp.S.One, sp.oo) for f in (1 / k, k**-2, sp.exp(-n * k), sp.exp(n * k))]
[<Truth.NEVER: 'never'>, <Truth.ALWAYS: 'always'>, <Truth.ALWAYS: 'always'>, <Truth.NEVER: 'never'>]
"""

from __future__ import annotations

import sympy as sp

from asymp.expand import Expander
from asymp.expansion import assumptions
from asymp.meaning.signs import GAVE_UP
from asymp.meaning.truth import Truth, both
from asymp.scale import Growth, Regime, sign
from asymp.sign import undecided

_t = sp.Symbol("t_", positive=True)
_WAVES = (sp.sin, sp.cos)
ORDER = 2


def converges(
    operator: str, body: sp.Expr, symbol: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> Truth:
    """Whether it has a value: ALWAYS, NEVER, or UNKNOWN, for all values that the other symbols' assumptions admit.

    >>> t = sp.Symbol("t", positive=True)
    >>> converges("Integral", 1 / t, t, sp.S.Zero, sp.S.One), converges("Integral", 1 / sp.sqrt(t), t, sp.S.Zero, sp.S.One)
    (<Truth.NEVER: 'never'>, <Truth.ALWAYS: 'always'>)
    """
    found = []
    for end, way in ((low, -1), (high, 1)):
        if end.is_infinite:
            found.append(_far(operator, body.subs(symbol, way * _t)))
        elif operator == "Integral" and _infinite_at(body, symbol, end):
            near = body.subs(symbol, end - way / _t) / _t**2
            found.append(_far(operator, near))
    return both(found)


def _infinite_at(body: sp.Expr, symbol: sp.Symbol, end: sp.Expr) -> bool:
    """Whether the body may be infinite, or undefined, at a finite end."""
    try:
        value = body.subs(symbol, end)
    except GAVE_UP:
        return True
    return bool(value.has(sp.zoo, sp.nan, sp.oo, -sp.oo))


def _far(operator: str, body: sp.Expr) -> Truth:
    """For t -> oo."""
    if operator == "Product":
        body = body - 1
    envelope, waves = _without_waves(body)
    regime = Regime("t -> oo", (_t,))
    try:
        with assumptions() as noted, undecided():
            e = Expander(regime, ORDER)(envelope)
            if e.is_exact() and not e.terms:
                return Truth.ALWAYS
            growths = [*e.terms, *e.remainder]
            small = [_limit(g, 1, 2) for g in growths]
            if all(s in ("zero", "one") for s in small):
                return Truth.ALWAYS
            growth, coefficient = e.leading()
            known = sign(coefficient)
            if any(sign(x) is None for x in noted) or known in (None, 0):
                return Truth.UNKNOWN
    except GAVE_UP:
        return Truth.UNKNOWN
    if waves:  # terms that do not tend to 0; an integral may converge all the same, as that of sin(t^2) does
        simple = operator == "Sum" and all(w.args[0].is_polynomial(_t) for w in waves)
        return Truth.NEVER if simple and growth.limit() in ("one", "infinity") else Truth.UNKNOWN
    if _limit(growth, 1, 1) in ("one", "infinity"):
        product_to_zero = operator == "Product" and known < 0
        return Truth.UNKNOWN if product_to_zero else Truth.NEVER
    return Truth.UNKNOWN


def _limit(growth: Growth, power: int, logs: int) -> str:
    """Of growth * t^power * (ln t)^logs."""
    return (growth * Growth.of(_t, sp.Integer(power)) * Growth.of(sp.log(_t), sp.Integer(logs))).limit()


def _without_waves(body: sp.Expr) -> tuple[sp.Expr, list[sp.Expr]]:
    """The body with factors sin, cos and (-1)^t replaced by 1, and these."""
    kept, waves = [], []
    for factor in sp.Mul.make_args(body):
        base, exponent = factor.as_base_exp()
        if isinstance(base, _WAVES) and exponent.is_Integer and exponent > 0 and base.has(_t):
            waves.append(base)
        elif base == -1 and exponent.has(_t):
            waves.append(sp.cos(sp.pi * exponent))
        else:
            kept.append(factor)
    return sp.Mul(*kept), waves
