"""The sides of an equation, rewritten: terms by their signs, logarithms taken apart, zeros in closed form."""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.mills import log_lower, log_upper
from asymp.expansion import Refused

LONGEST = 60
"""Operations in an expression that is still simplified, or whose zeros are looked for in closed form."""


def sides(difference: sp.Expr, x: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """What is added and what is subtracted."""
    terms = sp.Add.make_args(difference)
    minus = [t for t in terms if t.could_extract_minus_sign()]
    plus = [t for t in terms if not t.could_extract_minus_sign()]
    return sp.Add(*plus), -sp.Add(*minus)


def log_of(expr: sp.Expr) -> sp.Expr:
    """ln of an expression, taken apart; ln Gamma for gamma functions.

    Raises:
        Refused: a factor is 0 or a negative number.

    >>> x = sp.Symbol("x", positive=True)
    >>> log_of(x**2 * sp.exp(x) * sp.gamma(x))
    x + 2*log(x) + loggamma(x)
    """
    if expr.is_number and not expr.is_positive:
        raise Refused(f"the logarithm of {expr}")
    if expr.is_Mul:
        number, rest = expr.as_coeff_Mul()
        if number.is_negative:  # the sign goes to a factor that may be negative
            factors = list(sp.Mul.make_args(rest))
            place = next((k for k, f in enumerate(factors) if f.is_positive is not True), None)
            if place is None:
                raise Refused(f"the logarithm of {expr}")
            negative = sp.log(-factors.pop(place))
            return sp.Add(negative, *(log_of(f) for f in (-number, *factors) if f != 1))
        return sp.Add(*(log_of(a) for a in expr.args))
    if isinstance(expr, sp.exp):
        return expr.args[0]
    if expr.is_Pow:
        return sy.expand(expr.exp * log_of(expr.base))
    if isinstance(expr, sp.gamma):
        return sp.loggamma(expr.args[0])
    if isinstance(expr, sp.uppergamma):
        return log_upper(*expr.args)
    if isinstance(expr, sp.lowergamma):
        return log_lower(*expr.args)
    if isinstance(expr, sp.factorial):
        return sp.loggamma(expr.args[0] + 1)
    if expr.is_Add:
        together = sy.factor_terms(expr)
        if together.is_Mul:
            return log_of(together)
    return sp.log(expr)


def zeros(slope: sp.Expr, x: sp.Symbol) -> list[sp.Expr]:
    """Zeros in closed form of the factors that are polynomials in x, ln x or one exponential: proposals for cuts."""
    if slope.count_ops() > LONGEST or slope.has(sp.Derivative, sp.Integral, sp.Sum, sp.polygamma):
        return []
    found: list[sp.Expr] = []
    for factor in sp.Mul.make_args(sy.factor(sp.numer(sy.together(slope)))):
        base = factor.as_base_exp()[0]
        kinds = {x} if base.is_polynomial(x) else {a for a in base.atoms(sp.log, sp.exp) if x in a.free_symbols}
        if x not in base.free_symbols or len(kinds) != 1:
            continue
        (kind,) = kinds
        t = sp.Dummy("t")
        poly = base.subs(kind, t)
        if x in poly.free_symbols or not poly.is_polynomial(t):
            continue
        powers = [m for (m,) in sy.poly(poly, t).monoms()]
        if len(powers) > 2 and max(powers) > 2:
            continue
        for value in sy.solve(poly, t):
            found += [value] if kind == x else sy.solve(kind - value, x)
    return [z for z in dict.fromkeys(found) if not z.has(sp.I, sp.CRootOf, sp.Piecewise)]


def ascending(values: list[sp.Expr]) -> list[sp.Expr] | None:
    """The values in their order; None where two cannot be compared."""
    try:
        return sorted(values, key=lambda v: (v.is_number, v) if len(values) == 1 else v)
    except TypeError:
        return None
