r"""Residue classes: what oscillates in a whole n is exact along each class n = m k + r.

With P a polynomial with rational coefficients, d their common denominator, and n running through one class mod d
(mod 2d for the first two lines):

* (-1)^P(n) = (-1)^P(r), where P(r) is whole; where it is not, the power is not real;
* sin(pi P(n) + b) = sin(pi P(r) + b), and so for cos and tan, for a constant b;
* floor(P(n)) = P(n) - P(r) + floor(P(r)), and so for the ceiling.

Proof: Q = d P has whole coefficients and Q(r + m k) = Q(r) mod m; so P(n) - P(r) is a multiple of m/d.

>>> n = sp.Symbol("n", positive=True)
>>> [(m, r, x) for m, r, x in over_classes((-1) ** (n**2 + n) + sp.floor(n / 2), n)]
[(2, 0, n/2 + 1), (2, 1, n/2 + 1/2)]
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy as sp

import asymp.symbolics as sy

MOST_CLASSES = 36
"""Classes of one modulus at most: each is a question of its own."""
WAVES = (sp.sin, sp.cos, sp.tan, sp.cot)
JUMPS = (sp.floor, sp.ceiling)
BOUND = (sp.Sum, sp.Product, sp.Integral)


class NotReal(ValueError):
    """A power of a negative number whose exponent is not whole, or a pole, along some class."""


class _Finer(Exception):
    """The class is too coarse: its modulus must be a multiple of ``modulus``."""

    def __init__(self, modulus: int) -> None:
        super().__init__()
        self.modulus = modulus


def over_classes(expr: sp.Basic, n: sp.Symbol) -> list[tuple[int, int, sp.Basic]]:
    """(m, r, the expression along n = m k + r) for all r of the least modulus that makes it exact.

    What no modulus makes exact (sin(n), floor(sqrt(n))) is left as it is.

    Raises:
        NotReal: along some class it is not a real number.
    """
    return list(_classes(expr, n))


def along(expr: sp.Basic, n: sp.Symbol, modulus: int, residue: sp.Rational | int) -> sp.Basic | None:
    """The expression along n = modulus*k + residue; the residue may be a fraction.  None where it takes a finer class.

    >>> x = sp.Symbol("x", positive=True)
    >>> along(sp.floor(x) + sp.floor(2 * x), x, 1, sp.Rational(1, 3)), along(sp.floor(x / 2), x, 1, 0)
    (3*x - 1, None)
    """
    try:
        return _on_class(expr, n, modulus, sp.Rational(residue))
    except _Finer:
        return None


def _classes(expr: sp.Basic, n: sp.Symbol) -> Iterator[tuple[int, int, sp.Basic]]:
    modulus = 1
    while modulus <= MOST_CLASSES:
        found = []
        try:
            for r in range(modulus):
                found.append((modulus, r, _on_class(expr, n, modulus, sp.Integer(r))))
        except _Finer as finer:
            modulus = int(sp.ilcm(modulus, finer.modulus))
            continue
        yield from found
        return
    _must_be_real(expr, n)
    yield 1, 0, expr


def _must_be_real(expr: sp.Basic, n: sp.Symbol) -> None:
    """Exponents of negative numbers are whole at all whole n: so is a polynomial of degree d that is at 0, ..., d."""
    for power in expr.atoms(sp.Pow):
        if n not in power.exp.free_symbols or not _negative(power.base):
            continue
        rest = sp.Add(*(t for t in sp.Add.make_args(sy.expand(power.exp)) if not is_whole(t)))
        found = _polynomial(rest, n)
        if rest == 0 or (found and all((found[0].eval(k) + found[1]).is_Integer for k in range(found[0].degree() + 1))):
            continue
        raise NotReal(f"{power} is not real where the exponent is not whole")


def oscillates(expr: sp.Basic, n: sp.Symbol) -> bool:
    """Whether a wave, a jump or a power of a negative number holds n."""
    return any(n in a.free_symbols and _kind(a) for a in expr.atoms(*WAVES, *JUMPS, sp.Pow))


def is_whole(expr: sp.Expr) -> bool:
    """Whether an expression is a whole number whatever its variables are: integer parts, put together.

    >>> x = sp.Symbol("x")
    >>> is_whole(2 * sp.floor(x / 2) ** 2 + 1), is_whole(x), is_whole(sp.floor(x) / 2)
    (True, False, False)
    """
    if expr.is_Integer or isinstance(expr, JUMPS):
        return True
    if expr.is_Add or expr.is_Mul:
        return all(is_whole(a) for a in expr.args)
    return bool(expr.is_Pow and expr.exp.is_Integer and expr.exp >= 0 and is_whole(expr.base))


def forces_whole(expr: sp.Basic, n: sp.Symbol) -> bool:
    """Whether a power of a negative number in it is real at whole values of its exponent alone, which holds n."""
    return any(n in a.exp.free_symbols and _negative(a.base) and not is_whole(a.exp) for a in expr.atoms(sp.Pow))


def _kind(atom: sp.Basic) -> bool:
    return not atom.is_Pow or (bool(atom.exp.free_symbols) and _negative(atom.base))


def _negative(base: sp.Expr) -> bool:
    return bool(base.is_negative)


def _on_class(expr: sp.Basic, n: sp.Symbol, m: int, r: sp.Rational) -> sp.Basic:
    if not expr.args or n not in expr.free_symbols:
        return expr
    if isinstance(expr, BOUND):  # the ends alone: what is inside runs through a variable of its own
        limits = [(limit[0], *(_on_class(end, n, m, r) for end in limit[1:])) for limit in expr.limits]
        return expr.func(expr.function, *limits)
    args = [_on_class(a, n, m, r) for a in expr.args]
    if isinstance(expr, JUMPS):
        return _jump(expr.func, args[0], n, m, r)
    if isinstance(expr, WAVES):
        return _wave(expr.func, args[0], n, m, r)
    if expr.is_Pow and n in args[1].free_symbols and _negative(args[0]):
        return _power(args[0], args[1], n, m, r)
    return expr.func(*args)


def _polynomial(expr: sp.Expr, n: sp.Symbol) -> tuple[sp.Poly, sp.Expr, int] | None:
    """(P, b, d) with expr = P + b, P in n with rational coefficients of common denominator d, b free of n."""
    expr = sy.expand(expr)
    varying = sp.Add(*(t for t in sp.Add.make_args(expr) if n in t.free_symbols))
    if not varying.is_polynomial(n):
        return None
    poly = sy.poly(varying, n)
    if poly.degree() < 1 or not all(c.is_Rational for c in poly.all_coeffs()):
        return None
    d = int(sp.ilcm(1, *(c.q for c in poly.all_coeffs())))
    return poly, expr - varying, d


def _need(m: int, r: sp.Rational, poly: sp.Poly, modulus: int) -> None:
    """The class must be fine enough.  A fraction r: P must be linear, and then m times its slope counts."""
    if not r.is_Integer:
        slope = poly.LC()
        if poly.degree() != 1:
            raise NotReal("between whole numbers only what is linear is exact")
        step = int(sp.Rational(modulus, 1) / sp.ilcm(1, slope.q))  # slope*m must be a multiple of it
        if (slope * m / step).q != 1:
            raise _Finer(m * int((slope * m / step).q))
        return
    if m % modulus:
        raise _Finer(modulus)


def _jump(kind: type, arg: sp.Expr, n: sp.Symbol, m: int, r: sp.Rational) -> sp.Expr:
    found = _polynomial(arg, n)
    if found is None or found[1].free_symbols:
        return kind(arg)
    poly, shift, d = found
    _need(m, r, poly, d)
    at = poly.eval(r) + shift
    whole = kind(at)
    if not whole.is_Integer:
        return kind(arg)
    return sy.expand(arg - at) + whole


def _wave(kind: type, arg: sp.Expr, n: sp.Symbol, m: int, r: sp.Rational) -> sp.Expr:
    found = _polynomial(arg / sp.pi, n)
    if found is None or found[1].free_symbols:
        return kind(arg)
    poly, shift, d = found
    _need(m, r, poly, 2 * d)
    value = kind(sy.expand(sp.pi * (poly.eval(r) + shift)))
    if value.has(sp.zoo, sp.nan, sp.oo):
        raise NotReal(f"{kind(arg)} has a pole at {n} = {m}*k + {r}")
    return value


def _power(base: sp.Expr, exponent: sp.Expr, n: sp.Symbol, m: int, r: sp.Rational) -> sp.Expr:
    found = _polynomial(exponent, n)
    if found is None:
        if not is_whole(exponent):
            raise NotReal(f"{base}**({exponent}) is not real where the exponent is not whole")
        return sp.Pow(base, exponent)
    poly, shift, d = found
    if not shift.is_Rational:
        raise NotReal(f"{base}**({exponent}) is not real where the exponent is not whole")
    _need(m, r, poly, 2 * d)
    at = poly.eval(r) + shift
    if not at.is_Integer:
        raise NotReal(f"{base}**({exponent}) is not real at {n} = {m}*k + {r}")
    return sp.Integer(-1) ** (at % 2) * sp.Pow(-base, exponent)
