"""Fast sums of products of coefficients: polynomials in constants and parameters, as dictionaries.

Most coefficients are polynomials in a few constants (gamma, pi, zeta(3), ln 2) and parameters.  As a dictionary
monomial -> rational they are multiplied and added many times faster than as expressions; anything else
(a denominator that is a sum) is left to :func:`asymp.sign.tidy`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import sympy as sp
from sympy.polys.domains import QQ

from asymp.budget import uncounted
from asymp.sign import tidy

Monomial = tuple[tuple[sp.Expr, object], ...]
Poly = dict[Monomial, object]


def sum_of_products(pairs: Iterable[tuple[sp.Expr, sp.Expr]]) -> sp.Expr:
    """sum of a*b, tidy.

    >>> c = sp.Symbol("c", positive=True)
    >>> sum_of_products([(c + 1, c - 1), (sp.EulerGamma, c), (sp.sqrt(2), sp.sqrt(2))])
    c**2 + EulerGamma*c + 1
    """
    total: Poly = {}
    slow: list[sp.Expr] = []
    for a, b in pairs:
        p, q = poly(a), poly(b)
        if p is None or q is None:
            slow.append(a * b)
            continue
        for m, x in p.items():
            for k, y in q.items():
                product = _times(m, k)
                total[product] = total.get(product, 0) + x * y  # type: ignore[operator]
    fast = expression(total)
    return tidy(sp.Add(fast, *slow)) if slow else fast


@uncounted
@lru_cache(maxsize=100_000)
def poly(expr: sp.Expr) -> Poly | None:
    """The expression as monomial -> rational; None where it is not an expanded polynomial in atoms."""
    result: Poly = {}
    for term in sp.Add.make_args(expr):
        rational, rest = term.as_coeff_Mul()
        if not rational.is_Rational:
            return None
        monomial = _monomial(rest)
        if monomial is None:
            return None
        result[monomial] = result.get(monomial, 0) + QQ(rational.p, rational.q)  # type: ignore[operator]
    return {m: x for m, x in result.items() if x}


@uncounted
@lru_cache(maxsize=100_000)
def _monomial(expr: sp.Expr) -> Monomial | None:
    powers = []
    for factor in sp.Mul.make_args(expr):
        if factor is sp.S.One:
            continue
        base, exponent = factor.as_base_exp()
        if not exponent.is_Rational:
            base, exponent = factor, sp.S.One  # e^(-c) is an atom
        if base.is_Add or base.is_Mul or not (base.is_positive or exponent.is_Integer):
            return None
        powers.append((base, QQ(exponent.p, exponent.q)))
    return tuple(sorted(powers, key=_key))


@uncounted
@lru_cache(maxsize=10_000)
def _name(base: sp.Expr) -> str:
    return sp.srepr(base)


def _key(power: tuple[sp.Expr, object]) -> str:
    return _name(power[0])


@uncounted
@lru_cache(maxsize=200_000)
def _times(a: Monomial, b: Monomial) -> Monomial:
    if not a:
        return b
    if not b:
        return a
    powers = dict(a)
    for base, exponent in b:
        powers[base] = powers.get(base, 0) + exponent  # type: ignore[operator]
    return tuple(sorted(((k, x) for k, x in powers.items() if x), key=_key))


@uncounted
@lru_cache(maxsize=100_000)
def _factors(monomial: Monomial) -> sp.Expr:
    return sp.Mul(*(base ** sp.Rational(x.numerator, x.denominator) for base, x in monomial))  # type: ignore[attr-defined]


def expression(total: Poly) -> sp.Expr:
    """The polynomial as an expression; SymPy puts like terms together (sqrt(2)^2, e^(-c) e^(-c))."""
    return sp.Add(*(
        sp.Mul(sp.Rational(int(x.numerator), int(x.denominator)), _factors(m))  # type: ignore[attr-defined]
        for m, x in total.items() if x
    ))


def plainly_nonzero(expr: sp.Expr) -> bool:
    """Whether a power of the letters has a coefficient of terms of one sign: then the sum is not zero for all of them.

    Different powers of positive letters are independent of one another.

    >>> a = sp.Symbol("a", positive=True)
    >>> plainly_nonzero(sp.EulerGamma + sp.pi), plainly_nonzero(sp.EulerGamma - sp.pi), plainly_nonzero(a - sp.pi)
    (True, False, True)
    """
    terms = poly(expr)
    if not terms:
        return False
    if not all(_surely_positive(base) for monomial in terms for base, _ in monomial):
        return False
    signs: dict[Monomial, set[bool]] = {}
    for monomial, x in terms.items():
        signs.setdefault(tuple(power for power in monomial if power[0].is_Symbol), set()).add(x > 0)  # type: ignore[operator]
    return any(len(found) == 1 for found in signs.values())


@uncounted
@lru_cache(maxsize=10_000)
def _surely_positive(base: sp.Expr) -> bool:
    return bool((base.is_Symbol or base.is_NumberSymbol or base is sp.E or base.is_Integer) and base.is_positive)
