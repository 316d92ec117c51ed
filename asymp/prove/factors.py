"""Factors of polynomials in atoms.

>>> from asymp.kernel.terms import name
>>> x = atom(name("x"))
>>> sorted((str(to_term(e)), k) for e, k in factors((x * x - rational(1)).num))
[('x + 1', 1), ('x - 1', 1)]
"""

from __future__ import annotations

import sympy as sp
from gmpy2 import mpq

from asymp import symbolics
from asymp.kernel.rings.field import to_term as to_term
from asymp.kernel.rings.ratio import Poly, Powers, Ratio, atom, in_order
from asymp.kernel.rings.ratio import rational as rational
from asymp.kernel.terms import Term


def factors(p: Poly) -> list[tuple[Ratio, int]]:
    """A polynomial in factors with their exponents; their product is the polynomial."""
    least: dict[Term, mpq] = {}
    atoms = sorted({a for powers in p for a, _ in powers}, key=str)
    for a in atoms:
        least[a] = min(dict(powers).get(a, mpq(0)) for powers in p)
    if any(k.denominator != 1 for powers in p for _, k in powers) or len(p) == 1 or len(p) > 60:
        return [(Ratio(dict(p)), 1)]
    symbols = {a: sp.Symbol(f"x{i}") for i, a in enumerate(atoms)}
    back = {s: a for a, s in symbols.items()}
    expr = sp.Add(*(
        sp.Mul(sp.Rational(str(c)), *(symbols[a] ** int(dict(powers).get(a, 0) - least[a]) for a in atoms))
        for powers, c in p.items()
    ))  # fmt: skip
    found: list[tuple[Ratio, int]] = [(atom(a), int(k)) for a, k in least.items() if k]
    for factor in sp.Mul.make_args(symbolics.factor(expr)):
        base, k = factor.as_base_exp() if not factor.is_number else (factor, sp.Integer(1))
        found.append((_ratio(base, back), int(k)))
    return found


def _ratio(expr: sp.Expr, back: dict[sp.Symbol, Term]) -> Ratio:
    total: dict[Powers, mpq] = {}
    for part in sp.Add.make_args(symbolics.expand(expr)):
        c, rest = part.as_coeff_Mul()
        powers = {back[b]: mpq(int(e)) for b, e in (f.as_base_exp() for f in sp.Mul.make_args(rest)) if b in back}
        total[in_order(powers)] = mpq(int(c.p), int(c.q))
    return Ratio(total)
