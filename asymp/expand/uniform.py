"""A maximum at an irrational function of the parameters, as a symbol of its own: coefficients stay rational."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.exponent import Phases
from asymp.scale import sign


@dataclass(frozen=True)
class Uniform:
    """A peak that is an irrational function of parameters, as a symbol with the polynomial that it satisfies."""

    symbol: sp.Symbol
    peak: sp.Expr
    minimal: sp.Poly

    def back(self, expr: sp.Expr) -> sp.Expr:
        """A rational function of the symbol in terms of the parameters: a polynomial in the peak, of least degree."""
        if not expr.has(self.symbol):
            return expr
        top, bottom = (sy.poly(part, self.symbol) for part in sp.fraction(sy.together(expr)))
        domain = self.minimal.domain.unify(top.domain).unify(bottom.domain)
        p, n, d = (q.set_domain(domain.get_field()) for q in (self.minimal, top, bottom))
        reduced = (n * sy.invert(d.rem(p), p)).rem(p)
        total = sp.Add(*(sy.factor(c) * self.peak ** m for (m,), c in reduced.terms()))
        return sy.expand(total)


def uniformised(phases: Phases, peak: sp.Expr) -> tuple[Phases, Uniform | None]:
    """A peak that is an irrational function of a parameter, as a symbol T instead, and the parameter as a function of T.

    phi'(T, a) = 0 is often linear in a parameter a; then every coefficient is rational in T.
    """
    if peak.is_number or peak.is_rational_function(*peak.free_symbols) or sign(peak) != 1:
        return phases, None
    t, symbol = phases.variable, sp.Dummy("T", positive=True)
    slope = sp.fraction(sy.cancel(sy.together(sy.diff(phases.main, t))))[0]
    for a in sorted(peak.free_symbols, key=str):
        if not slope.is_polynomial(t, a) or sy.degree(slope, a) != 1:
            continue
        value = sy.factor(-slope.coeff(a, 0).subs(t, symbol) / slope.coeff(a, 1).subs(t, symbol)) if (
            slope := sy.expand(slope)) != 0 else None
        if value is None or sy.simplify(value.subs(symbol, peak) - a) != 0:
            continue
        at = {a: value}
        terms = {g: f.subs(at) for g, f in phases.terms.items()}
        minimal = sy.poly(slope.subs(t, symbol), symbol, domain=sp.QQ.frac_field(*(slope.free_symbols - {t})))
        return replace(phases, terms=terms, amplitude=phases.amplitude.subs(at)), Uniform(symbol, peak, minimal)
    return phases, None
