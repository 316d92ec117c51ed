"""An integrand as amplitude and exponent: g(t) exp(sum_i N_i phi_i(t)), N_i growths, g and phi_i free of scales.

Where the peak moves with the large parameter (t^n e^(-t) peaks at t = n) a substitution t = mu s that makes two
terms of the exponent alike is tried: mu = (N_1/N_2)^(1/(p_2 - p_1)) for N_1 t^p_1 and N_2 t^p_2.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expansion import Expansion, Refused
from asymp.scale import ONE, Growth, sign

MOST_TERMS = 12
"""An integrand that is a sum is integrated term by term up to this many."""


@dataclass(frozen=True)
class Phases:
    """factor * amplitude(t) * exp(sum of growth * term(t)) on (low, high)."""

    variable: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    factor: sp.Expr
    amplitude: sp.Expr
    terms: dict[Growth, sp.Expr]
    order: list[Growth]

    @property
    def main(self) -> sp.Expr:
        """The phase of the largest growth."""
        return self.terms[self.order[0]]

    def functions(self) -> tuple[sp.Expr, ...]:
        """Everything that depends on the variable."""
        return (*self.terms.values(), self.amplitude)


@dataclass(frozen=True)
class Integrand:
    """A function of t as product: free of t, amplitude, and terms of the exponent."""

    factor: sp.Expr
    amplitude: sp.Expr
    exponent: tuple[sp.Expr, ...]


class Sum(ValueError):
    """The integrand is a sum of these."""

    def __init__(self, terms: tuple[sp.Expr, ...], limits: tuple[sp.Expr, ...] = ()) -> None:
        super().__init__("a sum")
        self.terms, self.limits = terms, limits


def split(function: sp.Expr, t: sp.Symbol, variables: frozenset[sp.Symbol]) -> Integrand:
    """The parts of an integrand.

    Raises:
        Sum: it is a sum of integrands.
        Refused: t and the variables do not separate.
    """
    factor, amplitude, exponent = sp.S.One, sp.S.One, sp.S.Zero
    for part in sp.Mul.make_args(function):
        moving = bool(part.free_symbols & variables)
        if not part.has(t):
            factor *= part
        elif isinstance(part, sp.exp) or (part.is_Pow and part.base is sp.E):
            exponent += part.exp
        elif part.is_Pow and not moving and not part.exp.has(t):
            amplitude *= part
        elif part.is_Pow and not (part.base.is_Add and part.exp.is_Integer and part.base.free_symbols & variables):
            exponent += part.exp * sp.log(part.base)
        elif not moving:
            amplitude *= part
        else:
            terms = sp.Add.make_args(sy.expand(_exponentials(function, t, variables)))
            if 1 < len(terms) <= MOST_TERMS:
                raise Sum(terms)
            raise Refused(f"{part} does not separate {t} from the large parameter")
    separated: list[sp.Expr] = []
    for term in sp.Add.make_args(sy.expand(sy.expand_log(sy.expand(exponent), force=True))):
        if not term.has(t):
            factor *= sp.exp(term)
        else:
            separated.append(term)
    return Integrand(factor, amplitude, tuple(separated))


def _exponentials(function: sp.Expr, t: sp.Symbol, variables: frozenset[sp.Symbol]) -> sp.Expr:
    """Hyperbolic functions of the large parameter as exponentials."""
    return function.replace(
        lambda e: isinstance(e, (sp.sinh, sp.cosh)) and e.has(t) and bool(e.free_symbols & variables),
        lambda e: e.rewrite(sp.exp),
    )


def phases(expander: Expander, parts: Integrand, t: sp.Symbol, low: sp.Expr, high: sp.Expr) -> Phases:
    """The exponent sorted by growth.

    Raises:
        Refused: t and the variables do not separate, or no part of the exponent is large.
    """
    variables = expander._variables()
    if (low.free_symbols | high.free_symbols) & variables:
        raise Refused("a limit of integration that depends on the large parameter")
    terms: dict[Growth, sp.Expr] = {}
    for term in parts.exponent:
        scale, shape = term.as_independent(t, as_Add=False)
        if shape.free_symbols & variables:
            raise Refused(f"{shape} does not separate {t} from the large parameter")
        expansion = expander(scale)
        if expansion.remainder:
            raise Refused(f"{scale} is no finite sum of growths")
        for growth, coefficient in expansion.terms.items():
            terms[growth] = terms.get(growth, sp.S.Zero) + coefficient * shape
    terms = {g: f for g, f in terms.items() if sy.expand(f) != 0}
    order = [g for g, _ in Expansion(dict.fromkeys(terms, sp.S.One)).ordered()]
    for g, h in itertools.pairwise(order):
        if (h / g).limit() != "zero":
            raise Refused(f"{g} and {h} in the exponent cannot be compared")
    if not order or order[0].limit() != "infinity":
        raise Refused("no part of the exponent has a large factor")
    return Phases(t, low, high, parts.factor, parts.amplitude, terms, order)


def readings(expander: Expander, integral: sp.Integral) -> Iterator[Phases]:
    """The integral as it stands, then with the variable scaled.

    Raises:
        Sum: the integrand is a sum.
        Refused: it has no such form (the last reason).
    """
    (t, low, high), variables = integral.limits[0], expander._variables()
    function, low, high = (expander.resolved(x) for x in (integral.function, low, high))
    try:
        parts = split(function, t, variables)
    except Sum:
        raise
    except Refused as refused:
        # parts of base and exponent that hold t and a scale: only a substitution may separate them
        parts, reason = None, refused
    if parts is not None:
        try:
            yield phases(expander, parts, t, low, high)
        except Refused as refused:
            reason = refused
        else:
            reason = Refused("no substitution was found")
    exponent = parts.exponent if parts is not None else _rough(function, t)
    for scale in _scalings(expander, exponent, t, low, high):
        s = sp.Dummy("s", positive=True) if low.is_extended_nonnegative else sp.Dummy("s", real=True)
        inner = sy.powdenest(function.subs(t, scale * s), force=bool(s.is_positive)) * scale
        limits = tuple(sy.expand(sy.powsimp(end / scale)) if end.is_finite is not False or end.free_symbols else end
                       for end in (low, high))
        if inner.has(sp.log):  # of mu s: the integrand is a sum then
            logs = {f: sy.expand_log(f, force=bool(s.is_positive)) for f in inner.atoms(sp.log)}
            inner = inner.xreplace(logs)
        try:
            again = split(inner, s, variables)
            yield phases(expander, again, s, *limits)
        except Sum as found:
            raise Sum(found.terms, (s, *limits)) from None
        except Refused as refused:
            reason = refused
    raise reason


def _rough(function: sp.Expr, t: sp.Symbol) -> tuple[sp.Expr, ...]:
    found: list[sp.Expr] = []
    for part in sp.Mul.make_args(function):
        if isinstance(part, sp.exp):
            found += sp.Add.make_args(sy.expand(part.exp))
    return tuple(found)


def _scalings(
    expander: Expander, exponent: tuple[sp.Expr, ...], t: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> list[sp.Expr]:
    """Substitutions t = mu s, as powers of the scales."""
    monomials: list[tuple[Growth, sp.Expr]] = []
    for term in exponent:
        scale, shape = term.as_independent(t, as_Add=False)
        base, power = shape.as_base_exp()
        if shape == sp.log(t):
            base, power = t, sp.S.Zero
        if base != t or power.free_symbols & expander._variables():
            continue
        try:
            growth = expander(scale).leading()[0]
        except Refused:
            continue
        monomials.append((growth, power))
    found: list[Growth] = []
    for k, (g, p) in enumerate(monomials):
        for h, q in monomials[:k]:
            if sign(p - q) in (1, -1):
                found.append((g / h) ** (1 / (q - p)))
    for end in (low, high):
        if end.free_symbols & expander._variables():
            found.append(expander(end).leading()[0])
    return [g.expr for g in dict.fromkeys(found) if g != ONE]
