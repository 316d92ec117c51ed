"""Signs of parameter expressions, decided for all values of their positive symbols or not at all.

What could not be decided is recorded where somebody listens, so that an answer that hangs on it can
be split into cases:

>>> a = sp.Symbol("a", positive=True)
>>> with undecided() as wanted:
...     sign(2 - a), sign(2 + a)
(None, 1)
>>> list(wanted)
[2 - a]
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.refusal import latest as latest
from asymp.refusal import record as record
from asymp.refusal import undecided as undecided


class _Positive(dict[sp.Expr, sp.Symbol]):
    def __missing__(self, key: sp.Expr) -> sp.Symbol:
        self[key] = sp.Dummy("d", positive=True)
        return self[key]


class _Ranged:
    """The positive symbols that stand for functions of known range in one expression."""

    def __init__(self) -> None:
        self.exp, self.erfc, self.value = _Positive(), _Positive(), _Positive()


def _content(x: sp.Expr) -> sp.Expr:
    """The rational factor of a negative x, so that e^(-c) and e^(-2c) share one symbol; it is negative.

    >>> c = sp.Symbol("c", positive=True)
    >>> _content(-2 * c), sign(1 - sp.exp(-c)), sign(sp.exp(-2 * c) - sp.exp(-c))
    (-2, 1, -1)
    """
    factor = x.as_coeff_Mul()[0]
    return -abs(factor)


def sign(expr: sp.Expr) -> int | None:
    """The sign of a parameter expression for all values of its (positive) symbols; None: depends.

    >>> a = sp.Symbol("a", positive=True)
    >>> sign(-a - 1), sign(a / (1 + a)), sign(1 - a)
    (-1, 1, None)
    """
    found = decided_sign(expr)
    if found is None:
        record(expr)
    return found


DERIVATIVES = 4
"""The sign of a derivative is asked for so often at most, one within the other."""


def decided_sign(expr: sp.Expr) -> int | None:
    """As :func:`sign`, and nothing is recorded."""
    return _decide(expr, DERIVATIVES)


@uncounted
@lru_cache(maxsize=100_000)
def _decide(expr: sp.Expr, depth: int) -> int | None:
    if expr.is_number:
        if expr == 0:
            return 0
        known = 1 if expr.is_positive else -1 if expr.is_negative else None
        if known is not None or not expr.has(sp.Integral, sp.Sum):
            return known
    linear = _of_linear(expr)
    if linear is not None:
        return linear or None
    original = expr
    with contextlib.suppress(sy.SymbolicFailure):
        expr = _in_ranges(expr, depth)
    for form in (lambda e: e, sy.expand, sy.factor):
        try:
            e = form(expr)
        except sy.SymbolicFailure:
            continue
        if e.is_zero:
            return 0
        if e.is_positive:
            return 1
        if e.is_negative:
            return -1
    for method in (_by_factors, _by_derivative, _by_roots):
        with contextlib.suppress(sy.SymbolicFailure):
            found = method(original, depth)
            if found is not None:
                return found
    return None


def _of_linear(expr: sp.Expr) -> int | None:
    """The sign of a linear form in positive symbols, the most frequent question: 0 where it depends; None: not linear.

    >>> a, b = sp.symbols("a b", positive=True)
    >>> _of_linear(2 * a + b + 1), _of_linear(-a), _of_linear(2 - a), _of_linear(a * b)
    (1, -1, 0, None)
    """
    if not (expr.is_Add or expr.is_Mul or expr.is_Symbol):
        return None
    signs = set()
    for term, coefficient in expr.as_coefficients_dict().items():
        if not (term == 1 or (term.is_Symbol and term.is_positive)) or not coefficient.is_Rational:
            return None
        signs.add(1 if coefficient > 0 else -1)
    return signs.pop() if len(signs) == 1 else 0


def _in_ranges(expr: sp.Expr, depth: int) -> sp.Expr:
    """Functions whose range is known, and SymPy does not, as functions of positive symbols with that range.

    What two of them have to do with each other is lost but for one argument: the sign of what is left is theirs.

    >>> c = sp.Symbol("c", positive=True)
    >>> sign(sp.erfc(c) - 2), sign(sp.zeta(1 + c) - 1), sign(sp.Integral(sp.exp(-c * c), (c, 1, 2)))
    (-1, 1, 1)
    """
    known = _Ranged()
    for total in _largest_first(expr):  # their variables are not ours
        expr = expr.subs(total, known.value[total] if _positive_total(total, depth) else sp.Dummy("value"))
    for kinds, ranged in _RANGES:
        if expr.has(*kinds):
            expr = expr.replace(lambda e, kinds=kinds: isinstance(e, kinds), lambda e, ranged=ranged: ranged(e, known))
    return expr


def _exp_range(e: sp.Expr, known: _Ranged) -> sp.Expr:
    """0 < e^(-c) < 1: with e^(-c) = 1/(1 + d), d > 0, SymPy sees the sign of 1 - e^(-c)."""
    (x,) = e.args
    return (1 + known.exp[-x / _content(x)]) ** _content(x) if x.is_negative else e


def _error_range(e: sp.Expr, known: _Ranged) -> sp.Expr:
    """0 < erfc(x) < 1 for x > 0, erf = 1 - erfc, erfc(-x) = 2 - erfc(x)."""
    (x,) = e.args
    if not (x.is_positive or x.is_negative):
        return e
    upper = 1 / (1 + known.erfc[x if x.is_positive else -x])
    upper = upper if x.is_positive else 2 - upper
    return upper if isinstance(e, sp.erfc) else 1 - upper


def _positive_range(e: sp.Expr, known: _Ranged) -> sp.Expr:
    """Positive for a positive last argument: E_nu, Gamma(a, x), K_nu for real orders; gamma(a, x), I_a for a > 0; W."""
    *first, x = e.args
    if not x.is_positive or not all(a.is_real for a in first):
        return e
    if isinstance(e, (sp.lowergamma, sp.besseli)) and not first[0].is_positive:
        return e
    return known.value[e]


def _zeta_range(e: sp.Expr, known: _Ranged) -> sp.Expr:
    """zeta(s) > 1, zeta(s, a) > 0 for s > 1, a > 0; -zeta'... is left alone."""
    s = e.args[0]
    if not (s - 1).is_positive:
        return e
    if len(e.args) == 1:
        return 1 + known.value[e]
    return known.value[e] if e.args[1].is_positive else e


def _polylog_range(e: sp.Expr, known: _Ranged) -> sp.Expr:
    """Li_s(z) > 0 for real s and 0 < z < 1: all terms are positive."""
    s, z = e.args
    return known.value[e] if s.is_real and z.is_positive and _decide(1 - z, 1) == 1 else e


_RANGES: tuple[tuple[tuple[type, ...], Callable[[sp.Expr, _Ranged], sp.Expr]], ...] = (
    ((sp.polylog,), _polylog_range),  # before e^(-c) is put in other words
    ((sp.expint, sp.uppergamma, sp.lowergamma, sp.besselk, sp.besseli, sp.LambertW), _positive_range),
    ((sp.factorial,), lambda e, _: sp.gamma(e.args[0] + 1)),  # of which SymPy knows the sign
    ((sp.zeta,), _zeta_range),
    ((sp.erf, sp.erfc), _error_range),
    ((sp.exp,), _exp_range),
)


def _largest_first(expr: sp.Expr) -> list[sp.Expr]:
    """Its integrals and sums, each before those inside it: to replace an inner one first would hide the outer one.

    (A set has no order of its own: the sign of a nested integral was found in one process and not in another.)
    """
    sizes = {total: sum(1 for _ in sp.preorder_traversal(total)) for total in expr.atoms(sp.Integral, sp.Sum)}
    return sorted(sizes, key=lambda total: (-sizes[total], sp.default_sort_key(total)))


def _positive_total(total: sp.Expr, depth: int) -> bool:
    """Whether an integral or a sum over one range in increasing order has a positive integrand or summand."""
    if len(total.limits) != 1 or len(total.limits[0]) != 3 or not depth:
        return False
    variable, low, high = total.limits[0]
    inside = sp.Dummy("t", positive=True)
    if isinstance(total, sp.Sum):
        if high is not sp.oo and not sy.expand(high - low).is_nonnegative:
            return False
        first = total.function.subs(variable, low)
        others = total.function.subs(variable, low + inside)
        return _decide(first, depth - 1) == 1 and _decide(others, depth - 1) == 1
    if low.has(sp.oo, -sp.oo) or (high is not sp.oo and _decide(sy.expand(high - low), depth - 1) != 1):
        return False
    place = low + inside if high is sp.oo else low + (high - low) / (1 + inside)
    return _decide(total.function.subs(variable, place), depth - 1) == 1


def _by_factors(expr: sp.Expr, depth: int) -> int | None:
    """A product of what has a sign, and a real power of what is positive.

    >>> c = sp.Symbol("c", positive=True)
    >>> sign(-sp.sqrt(c - sp.log(1 + c)) / (1 + c)), sign(sp.sqrt(c - 1))
    (-1, None)
    """
    if expr.is_Mul:
        product = 1
        for factor in expr.args:
            found = _decide(factor, depth)
            if found is None:
                return None
            product *= found
        return product
    if expr.is_Pow and expr.exp.is_real and _decide(expr.base, depth) == 1:
        return 1
    return None


def _by_derivative(expr: sp.Expr, depth: int) -> int | None:
    """f(0) and f' of one sign on c > 0 give f that sign: 1 - (1 + c) e^(-c) has derivative c e^(-c).

    >>> c = sp.Symbol("c", positive=True)
    >>> sign(1 - (1 + c) * sp.exp(-c)), sign(c - sp.exp(-c))
    (1, None)
    """
    if not depth or len(expr.free_symbols) != 1 or not expr.has(sp.exp, sp.log, sp.erf, sp.erfc):
        return None
    if expr.has(sp.expint) or sp.count_ops(expr) > 40:
        return None
    (symbol,) = expr.free_symbols
    if not symbol.is_positive:
        return None
    start = expr.subs(symbol, 0)
    if not (start.is_number and start.is_finite and start.is_real):
        return None
    first, slope = _decide(start, depth - 1), _decide(sy.factor(sy.diff(expr, symbol)), depth - 1)
    if slope in (1, -1) and first in (0, slope):
        return slope
    return None


def rational_parts(expr: sp.Expr, symbol: sp.Symbol) -> tuple[sp.Poly, sp.Poly] | None:
    """Numerator and denominator in one symbol over the rationals, without common factors; None if there are none."""
    if not expr.is_rational_function(symbol) or expr.free_symbols != {symbol}:
        return None
    try:
        top, bottom = sp.fraction(sy.cancel(sy.together(expr)))
        return sy.poly(top, symbol, domain="QQ"), sy.poly(bottom, symbol, domain="QQ")
    except sy.SymbolicFailure:
        return None


def _by_roots(expr: sp.Expr, depth: int) -> int | None:
    """A rational function without roots and poles on the positive axis (Sturm) has its sign at 1 there.

    >>> a = sp.Symbol("a", positive=True)
    >>> sign(a**2 - a + 1), sign(a**2 - 3 * a + 1)
    (1, None)
    """
    if len(expr.free_symbols) != 1:
        return None
    (symbol,) = expr.free_symbols
    parts = rational_parts(expr, symbol) if symbol.is_positive else None
    if parts is None:
        return None
    # an end of the interval counts: a root at 0 is divided out first
    free = [_without_zero(q, symbol) for q in parts]
    if any(q.count_roots(0, None) for q in free):
        return None
    return 1 if all(q.eval(1) > 0 for q in free) or all(q.eval(1) < 0 for q in free) else -1


def _without_zero(poly: sp.Poly, symbol: sp.Symbol) -> sp.Poly:
    lowest = min(power for (power,), _ in poly.terms())
    return sy.poly({(power - lowest,): c for (power,), c in poly.terms()}, symbol, domain="QQ")


@uncounted
@lru_cache(maxsize=100_000)
def tidy(expr: sp.Expr) -> sp.Expr:
    """A canonical form of a parameter expression: expanded, over one denominator where it has sums in it."""
    if expr.is_Rational or all(map(_is_plain, sp.Add.make_args(expr))):
        return expr
    if _has_sum_below(expr) and sy.is_fraction(expr):
        return sy.fraction(expr)
    expanded = sy.expand(expr)
    return sy.cancel(expr) if _has_sum_below(expanded) else expanded


def _has_sum_below(expr: sp.Expr) -> bool:
    """Whether something is divided by a sum."""
    return any(q.is_Pow and q.exp.is_negative and q.base.is_Add for q in sp.preorder_traversal(expr))


def _is_plain(term: sp.Expr) -> bool:
    """Whether it is a product of numbers, letters, constants and their powers: there is nothing to expand."""
    bases = [part.base if part.is_Pow and part.exp.is_Rational else part for part in sp.Mul.make_args(term)]
    return all(base.is_Symbol or base.is_NumberSymbol or base.is_Rational for base in bases)
