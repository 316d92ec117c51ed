"""Formulas as numbers: one text syntax (SymPy's names, ^ for powers), evaluated by mpmath at the working precision.

>>> evaluate(parse("log(n)^2/2"), {"n": mp.exp(3)})
mpf('4.5')
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import mpmath as mp
import sympy as sp
from sympy.parsing.sympy_parser import convert_xor, parse_expr, standard_transformations

from benchmarks.by_mpmath import BY_MPMATH

FUNCTIONS: dict[str, Any] = {
    name: getattr(sp, name)
    for name in (
        "harmonic log exp sqrt gamma loggamma digamma polygamma beta uppergamma lowergamma expint E1 Ei li Li LambertW "
        "erf erfc erfi polylog zeta binomial factorial sin cos tan atan sinh cosh tanh Sum Product Integral stieltjes "
        "besselk besseli Abs floor asin acos re im sign Rational Integer erfinv erfcinv"
    ).split()
} | {"ln": sp.log}
CONSTANTS = {"pi": sp.pi, "E": sp.E, "EulerGamma": sp.EulerGamma, "oo": sp.oo, "I": sp.I}
NUMERIC: dict[str, Callable[..., Any]] = {
    **BY_MPMATH, "stieltjes": mp.stieltjes, "erfinv": mp.erfinv, "erfcinv": lambda z: mp.erfinv(1 - z),
}  # fmt: skip


class GammaDerivative(sp.Function):
    """``integral of e^(-t) t^(a-1) (ln t)^m over t > x``: a constant in some answers."""


FUNCTIONS["GammaDerivative"] = GammaDerivative
_WORD = re.compile(r"[A-Za-z_]\w*")


class Unreadable(ValueError):
    """A formula that this module cannot read or put into numbers."""


def parse(text: str, own: Mapping[str, Any] | None = None) -> sp.Expr:
    """A SymPy expression; unknown names are positive symbols, bound ones too.

    Raises:
        Unreadable: the text is not a formula.
    """
    local = {**FUNCTIONS, **CONSTANTS, **(own or {})}
    for word in _WORD.findall(text):
        if word not in local or (word in ("gamma", "beta", "zeta") and not re.search(rf"\b{word}\s*\(", text)):
            local[word] = sp.Symbol(word, positive=True)
    try:
        found = sp.sympify(parse_expr(text, local, (*standard_transformations, convert_xor)))
    except Exception as error:
        raise Unreadable(f"{text[:80]!r}: {type(error).__name__}") from error
    if not isinstance(found, sp.Expr):
        raise Unreadable(f"{text[:80]!r} is no formula")
    return found


def evaluate(expr: sp.Expr, point: Mapping[str, Any]) -> Any:
    """The number, at mpmath's working precision.

    Raises:
        Unreadable: a name without a value, or a function that is not known here.
    """
    if expr.is_Rational:
        return mp.mpf(int(expr.p)) / int(expr.q)
    if expr.is_Symbol and expr.name == "glaisher":
        return mp.glaisher + mp.mpf(0)
    if expr.is_Symbol:
        if expr.name not in point:
            raise Unreadable(f"no value for {expr.name}")
        return point[expr.name]
    if expr.is_NumberSymbol:
        return {sp.pi: mp.pi, sp.E: mp.e, sp.EulerGamma: mp.euler}[expr] + mp.mpf(0)
    if expr is sp.I:
        return mp.mpc(0, 1)
    if expr.is_Float:
        return mp.mpf(str(expr))
    if expr.is_Add:
        return mp.fsum(evaluate(a, point) for a in expr.args)
    if expr.is_Mul:
        return mp.fprod(evaluate(a, point) for a in expr.args)
    if isinstance(expr, sp.exp):
        return mp.exp(evaluate(expr.args[0], point))
    if expr.is_Pow:
        base, exponent = expr.args
        if exponent.is_Integer:
            return evaluate(base, point) ** int(exponent)
        if base is sp.E:
            return mp.exp(evaluate(exponent, point))
        return evaluate(base, point) ** evaluate(exponent, point)
    if isinstance(expr, sp.Sum):
        return _zeta_derivative(expr, point)
    if expr.func.__name__ not in NUMERIC:
        raise Unreadable(f"no numbers for {expr.func.__name__}")
    if not expr.free_symbols:
        return _constant(expr, mp.mp.prec)
    return NUMERIC[expr.func.__name__](*(evaluate(a, point) for a in expr.args))


def _zeta_derivative(expr: sp.Sum, point: Mapping[str, Any]) -> Any:
    """``sum of (ln k)^m k^(-s) over k >= 1``, which is (-1)^m zeta^(m)(s): the one series that is read."""
    k, low, high = expr.limits[0]
    exponents = {sp.log(k): sp.S.Zero, k: sp.S.Zero}
    for factor in sp.Mul.make_args(expr.function):
        base, exponent = factor.as_base_exp()
        if base not in exponents:
            raise Unreadable("no numbers for this Sum")
        exponents[base] += exponent
    m, s = exponents[sp.log(k)], -exponents[k]
    if len(expr.limits) > 1 or (low, high) != (1, sp.oo) or not m.is_Integer or m < 0:
        raise Unreadable("no numbers for this Sum")
    return (-1) ** int(m) * mp.zeta(evaluate(s, point), 1, int(m))


@lru_cache(maxsize=1000)
def _constant(expr: sp.Expr, precision: int) -> Any:
    """A function of numbers, such as zeta(1/2), once for each precision."""
    return NUMERIC[expr.func.__name__](*(evaluate(a, {}) for a in expr.args))
