"""Integrals made simpler before their maxima are looked for: moduli, odd parts, secants."""

from __future__ import annotations

import itertools

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.monotone import definite, require_smooth, sign_changes
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


def without_modulus(expander: Expander, expr: sp.Integral) -> Expansion | None:
    """|x| is x or -x between its sign changes; None where there is no modulus of the variable."""
    t, low, high = (expander.resolved(x) for x in expr.limits[0])
    inside = next((a.args[0] for a in expr.function.atoms(sp.Abs) if a.has(t)), None)
    if inside is None:
        return None
    inside = expander.resolved(inside)
    if inside.free_symbols & expander._variables():
        raise Refused(f"|{inside}| depends on the large parameter")
    function, parts = expander.resolved(expr.function), []
    cuts = [low, *sign_changes(inside, t, low, high), high]
    for a, b in itertools.pairwise(cuts):
        sign_there = definite(inside, t, a, b)
        if sign_there is None:
            raise Refused(f"the sign of {inside} for {a} < {t} < {b} is not known")
        parts.append(expander(sp.Integral(function.subs(sp.Abs(inside), sign_there * inside), (t, a, b))))
    return Expansion.sum(parts)


def without_odd_part(expander: Expander, expr: sp.Integral) -> Expansion | None:
    """What is odd cancels over (-a, a): (a, b) of (-a, b) is left; None where the integrand is not odd."""
    t, low, high = (expander.resolved(x) for x in expr.limits[0])
    if not (sign(low) == -1 and sign(high) == 1):
        return None
    function = expander.resolved(expr.function)
    if sy.expand(function + function.subs(t, -t)) != 0:
        return None
    nearer = sign(low + high) if low.is_finite and high.is_finite else (1 if low.is_finite else -1 if high.is_finite else 0)
    if nearer is None:
        raise Refused(f"whether {high} > {-low} is not known")
    if low.is_infinite and high.is_infinite:
        expander(sp.Integral(function, (t, 0, sp.oo)))  # refused unless it converges
    else:
        side = high if nearer == -1 else -low
        require_smooth(function, t, -side, side)
    expander.note("an odd integrand", r"\int_{-a}^a g\,dt = 0,\quad g(-t) = -g(t)", "DLMF 1.4.23")
    if nearer == 0:
        return Expansion.make({})
    return expander(sp.Integral(function, (t, -low, high) if nearer == 1 else (t, low, -high)))


QUOTIENTS = (sp.cot, sp.sec, sp.csc, sp.coth, sp.sech, sp.csch)


def plain(function: sp.Expr) -> sp.Expr:
    """Secants and cotangents as quotients of entire functions.

    >>> plain(sp.coth(sp.Symbol("t")))
    cosh(t)/sinh(t)
    """
    return function.replace(lambda f: isinstance(f, QUOTIENTS), _as_quotient)


def _as_quotient(f: sp.Expr) -> sp.Expr:
    x = f.args[0]
    circular = isinstance(f, (sp.cot, sp.sec, sp.csc))
    sine, cosine = (sp.sin(x), sp.cos(x)) if circular else (sp.sinh(x), sp.cosh(x))
    return {"cot": cosine / sine, "sec": 1 / cosine, "csc": 1 / sine,
            "coth": cosine / sine, "sech": 1 / cosine, "csch": 1 / sine}[f.func.__name__]
