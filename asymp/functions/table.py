"""The table of functions: one row a function (domains and ranges: DLMF, by the numbers given).

>>> row_of(sp.log).real((sp.Symbol("n"),))
Positive(expr=n)
>>> NAMED["ln"].names
('log', 'ln')
"""

from __future__ import annotations

import sympy as sp

from asymp.functions.row import (
    ABOVE_ZERO,
    EVERYWHERE,
    FROM_ZERO,
    Both,
    NonNegative,
    Nonzero,
    NotPole,
    OneOf,
    Positive,
    Range,
    Row,
    Whole,
    X,
    Y,
    Z,
    within,
)
from asymp.special import GammaDerivative, ParallelOccupancy, ZetaDerivative

_ONE, _HALF_PI = sp.S.One, sp.pi / 2


def _log(x: sp.Expr, *base: sp.Expr) -> sp.Expr:
    return sp.log(x) / sp.log(base[0]) if base else sp.log(x)


def _function(name: str, head: type, defined: object = EVERYWHERE, *others: str, **more: object) -> Row:
    """A row of a function whose class builds it."""
    found: dict[str, object] = {"make": head, "defined": defined, **more}
    return Row((name, *others), (head,), **found)  # type: ignore[arg-type]


def _polylog(s: sp.Expr, z: sp.Expr) -> sp.Expr:
    """SymPy puts zeta(s) for Li_s(1), also where the series diverges."""
    return sp.zoo if z == 1 and s.is_number and (s - 1).is_nonpositive else sp.polylog(s, z)


def _lowergamma(a: sp.Expr, x: sp.Expr) -> sp.Expr:
    """SymPy puts 0 for x = 0, also where the integral diverges."""
    return sp.zoo if x == 0 and a.is_nonpositive else sp.lowergamma(a, x)


_WHOLE_ABOVE = Both(Whole(X), NonNegative(X))
_WHOLE_COUNT = Both(Whole(Y), NonNegative(Y))

ROWS: tuple[Row, ...] = (
    # --- elementary: DLMF 4
    Row(("log", "ln"), (sp.log,), _log, 1, 2, Both(Positive(X), Positive(Y), Nonzero(Y - 1)), slope=1, source="4.2",
        short=Positive(X)),
    Row(("exp",), (sp.exp,), sp.exp, range=ABOVE_ZERO, slope=1, source="4.2(iii)"),
    Row(("sqrt",), (), sp.sqrt, defined=NonNegative(X), range=FROM_ZERO, slope=1, source="4.2(iv)"),
    _function("sin", sp.sin, range=Range(-_ONE, _ONE), parity=-1, period=2 * sp.pi, source="4.14"),
    _function("cos", sp.cos, range=Range(-_ONE, _ONE), parity=1, period=2 * sp.pi, source="4.14"),
    _function("tan", sp.tan, Nonzero(sp.cos(X)), parity=-1, slope=1, period=sp.pi, source="4.14"),
    _function("cot", sp.cot, Nonzero(sp.sin(X)), parity=-1, slope=-1, period=sp.pi, source="4.14"),
    _function("sec", sp.sec, Nonzero(sp.cos(X)), parity=1, period=2 * sp.pi, source="4.14"),
    _function("csc", sp.csc, Nonzero(sp.sin(X)), parity=-1, period=2 * sp.pi, source="4.14"),
    _function("asin", sp.asin, within(-1, 1), range=Range(-_HALF_PI, _HALF_PI), parity=-1, slope=1, source="4.23"),
    _function("acos", sp.acos, within(-1, 1), range=Range(sp.S.Zero, sp.pi), slope=-1, source="4.23"),
    _function("atan", sp.atan, range=Range(-_HALF_PI, _HALF_PI, True, True), parity=-1, slope=1, source="4.23"),
    _function("sinh", sp.sinh, parity=-1, slope=1, source="4.28"),
    _function("cosh", sp.cosh, range=Range(_ONE), parity=1, source="4.28"),
    _function("tanh", sp.tanh, range=Range(-_ONE, _ONE, True, True), parity=-1, slope=1, source="4.28"),
    _function("coth", sp.coth, Nonzero(X), parity=-1, slope=-1, source="4.28"),
    _function("sech", sp.sech, range=Range(sp.S.Zero, _ONE, True), parity=1, source="4.28"),
    _function("csch", sp.csch, Nonzero(X), parity=-1, slope=-1, source="4.28"),
    _function("asinh", sp.asinh, parity=-1, slope=1, source="4.37"),
    _function("acosh", sp.acosh, NonNegative(X - 1), range=FROM_ZERO, slope=1, source="4.37"),
    _function("atanh", sp.atanh, within(-1, 1, is_open=True), parity=-1, slope=1, source="4.37"),
    # --- whole parts and signs
    _function("floor", sp.floor, range=Range(whole=True), source="1.2"),
    _function("ceiling", sp.ceiling, range=Range(whole=True), source="1.2"),
    Row(("Min",), (sp.Min,), sp.Min, 1, 50),
    Row(("Max",), (sp.Max,), sp.Max, 1, 50),
    _function("Abs", sp.Abs, range=FROM_ZERO, parity=1),
    _function("sign", sp.sign, range=Range(-_ONE, _ONE, whole=True), parity=-1),
    # --- Gamma and its kin: DLMF 5
    _function("gamma", sp.gamma, NotPole(X), slow=1000, source="5.2"),
    _function("loggamma", sp.loggamma, Positive(X), slow=1000, source="5.2"),
    _function("digamma", sp.digamma, NotPole(X), slope=1, slow=1000, source="5.2"),
    _function("trigamma", sp.trigamma, NotPole(X), range=ABOVE_ZERO, slow=50, source="5.15"),
    _function("polygamma", sp.polygamma, Both(_WHOLE_ABOVE, NotPole(Y)), least=2, most=2, slow=50, source="5.15"),
    _function("beta", sp.beta, Both(NotPole(X), NotPole(Y)), least=2, most=2, slow=50, source="5.12"),
    _function("factorial", sp.factorial, NotPole(X + 1), whole_arguments=True, slow=1000, source="5.4"),
    _function("factorial2", sp.factorial2, Both(Whole(X), NonNegative(X + 1)), range=Range(_ONE, whole=True),
              whole_arguments=True, slow=1000, source="5.4.2"),
    _function("binomial", sp.binomial, OneOf(NotPole(X + 1), _WHOLE_COUNT), least=2, most=2, whole_arguments=True,
              slow=1000, source="1.2(i)"),
    _function("rf", sp.RisingFactorial, OneOf(_WHOLE_COUNT, NotPole(X + Y)), "RisingFactorial",
              least=2, most=2, slow=50, source="5.2(iii)"),
    _function("ff", sp.FallingFactorial, OneOf(_WHOLE_COUNT, NotPole(X + 1)), "FallingFactorial",
              least=2, most=2, slow=50, source="26.1"),
    _function("catalan", sp.catalan, NotPole(X + sp.Rational(1, 2)), slow=200, source="26.5"),
    # H_x = digamma(x + 1) + gamma is real for every real x but the negative whole numbers
    _function("harmonic", sp.harmonic, Positive(X + 1), least=1, most=2, whole_arguments=True, slow=1000, source="25.16, 5.4.14",
              short=NotPole(X + 1)),
    # --- error functions, exponential integrals, incomplete gamma: DLMF 6, 7, 8
    _function("erf", sp.erf, range=Range(-_ONE, _ONE, True, True), parity=-1, slope=1, source="7.2"),
    _function("erfc", sp.erfc, range=Range(sp.S.Zero, sp.Integer(2), True, True), slope=-1, source="7.2"),
    _function("erfi", sp.erfi, parity=-1, slope=1, source="7.2"),
    Row(("E1",), (), sp.E1, defined=Positive(X), range=ABOVE_ZERO, slope=-1, source="6.2"),
    _function("Ei", sp.Ei, Nonzero(X), source="6.2"),
    _function("li", sp.li, Both(NonNegative(X), Nonzero(X - 1)), source="6.2.8"),
    _function("Li", sp.Li, Both(NonNegative(X), Nonzero(X - 1)), source="6.2.8"),
    _function("expint", sp.expint,
              OneOf(Positive(Y), Both(NonNegative(Y), Positive(X - 1)), Both(Whole(X), NonNegative(-X), Nonzero(Y))),
              least=2, most=2, slow=20, source="8.19"),
    _function("uppergamma", sp.uppergamma,
              OneOf(Positive(Y), Both(NonNegative(Y), Positive(X)), Both(Whole(X), Positive(X))),
              least=2, most=2, slow=20, source="8.2"),
    _function("lowergamma", sp.lowergamma,
              OneOf(Both(NonNegative(Y), Positive(X)), Both(Positive(Y), NotPole(X)), Both(Whole(X), Positive(X))),
              least=2, most=2, slow=20, source="8.2", make=_lowergamma),
    Row(("GammaDerivative",), (GammaDerivative,), GammaDerivative, 3, 3, Both(_WHOLE_ABOVE, Positive(Z)), source="8.8"),
    # --- Lambert W, polylogarithm, zeta: DLMF 4.13, 25
    Row(("LambertW",), (sp.LambertW,), sp.LambertW, 1, 2,
        OneOf(Both(NonNegative(Y), NonNegative(-Y), NonNegative(X + sp.exp(-1))),
              Both(NonNegative(Y + 1), NonNegative(-Y - 1), NonNegative(X + sp.exp(-1)), Positive(-X))),
        Range(-_ONE), slope=1, source="4.13", short=NonNegative(X + sp.exp(-1))),
    _function("polylog", sp.polylog, OneOf(Positive(1 - Y), Both(NonNegative(1 - Y), Positive(X - 1))),
              least=2, most=2, slow=50, source="25.12", make=_polylog),
    _function("zeta", sp.zeta, Both(Nonzero(X - 1), OneOf(Positive(Y), Both(Whole(X), NotPole(Y)))),
              least=1, most=2, slow=200, source="25.2, 25.11", short=Nonzero(X - 1)),
    Row(("ZetaDerivative",), (ZetaDerivative,), ZetaDerivative, 2, 2, Both(_WHOLE_ABOVE, Nonzero(Y - 1)), source="25.2.6"),
    # --- Bessel and Airy functions: DLMF 9, 10
    _function("besseli", sp.besseli, OneOf(Positive(Y), Both(NonNegative(Y), NonNegative(X)), Whole(X)),
              least=2, most=2, slow=50, source="10.25"),
    _function("besselj", sp.besselj, OneOf(Positive(Y), Both(NonNegative(Y), NonNegative(X)), Whole(X)),
              least=2, most=2, slow=50, source="10.2"),
    _function("besselk", sp.besselk, Positive(Y), range=ABOVE_ZERO, slope=-1, least=2, most=2, slow=50, source="10.25"),
    _function("airyai", sp.airyai, slow=50, source="9.2"),
    _function("airybi", sp.airybi, slow=50, source="9.2"),
    _function("airyaiprime", sp.airyaiprime, slow=50, source="9.2"),
    _function("airybiprime", sp.airybiprime, slow=50, source="9.2"),
    # --- the mean occupancy of parallel processor sharing: equation (3) of the mean-field analysis
    _function("parallel_occupancy", ParallelOccupancy, Both(NonNegative(X - 1), Positive(Y), Positive(1 - Y)),
              range=ABOVE_ZERO, least=2, most=2, slow=1, source="Theorem 1"),
)
UNTYPED = ("GammaDerivative", "ZetaDerivative")
"""Functions of derivations and registered papers, not of the typed language."""
NAMED: dict[str, Row] = {name: row for row in ROWS for name in row.names}
_HEADED: dict[type, Row] = {head: row for row in ROWS for head in row.heads}

POWER = OneOf(
    Positive(X),
    Both(Whole(Y), OneOf(Nonzero(X), Positive(Y))),
    Both(NonNegative(X), Positive(Y)),
)
"""Where X^Y is real: an odd root of a negative number is not read as one."""


def row_of(head: type) -> Row | None:
    """The row of a SymPy class; None for one that the table does not have."""
    return _HEADED.get(head)


def power(base: sp.Expr, exponent: sp.Expr) -> Both | OneOf | NonNegative | Positive | Nonzero:
    """The condition under which a power is real, in its shortest form.

    >>> n = sp.Symbol("n")
    >>> str(power(n, sp.Integer(2))), str(power(n, sp.Rational(-1, 2))), str(power(n, -n))
    ('()', 'n > 0', '(n > 0 or (-n whole and (n != 0 or -n > 0)) or (n >= 0 and -n > 0))')
    """
    if exponent.is_Integer:
        return Both() if exponent > 0 else Nonzero(base)
    if exponent.is_Rational:
        return NonNegative(base) if exponent > 0 else Positive(base)
    found = POWER.at(base, exponent)
    assert isinstance(found, OneOf)
    return found
