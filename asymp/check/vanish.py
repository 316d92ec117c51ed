"""Equality by exact algebra: whether a difference vanishes as a rational function of its indeterminates.

>>> x = sp.Symbol("x", positive=True)
>>> bool(difference_is_zero((x + 1) ** 2, x**2 + 2 * x + 1)), bool(difference_is_zero(x, x + 1))
(True, False)
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.claim import Step


def difference_is_zero(lhs: sp.Expr, rhs: sp.Expr) -> list[Step]:
    """The steps that show ``lhs - rhs = 0``, or none.

    Finite geometric sums are replaced with closed forms that are themselves checked by
    telescoping; what else is not rational (other sums, integrals, logarithms, harmonic numbers,
    powers with a symbolic exponent) becomes an indeterminate.  If the difference vanishes as a
    rational function of the indeterminates, it vanishes; otherwise nothing is said.

    >>> n, q = sp.symbols("n q", positive=True)
    >>> i = sp.Symbol("i", integer=True, positive=True)
    >>> [s.rule for s in difference_is_zero(sp.Sum(q**i, (i, 0, n)), (1 - q**(n + 1))/(1 - q))]
    ['finite sums in closed form, checked by telescoping', 'zero as a rational function of its indeterminates']
    >>> difference_is_zero(sp.Sum(q**i, (i, 1, n)), (1 - q**(n + 1))/(1 - q))
    []

    A divisor that may be 0 is not drawn out of a sum that may be empty: there the sum is 0, whatever its body would be.

    >>> d = sp.Symbol("d", integer=True, nonnegative=True)
    >>> difference_is_zero(sp.Sum(1/d, (i, 1, d)), sp.Integer(1))
    []
    """
    if lhs.has(sp.Float) or rhs.has(sp.Float):
        return []  # floats round, and SymPy adds them
    steps: list[Step] = []
    try:
        difference = _sums(lhs - rhs, steps)
        atoms: dict[sp.Expr, sp.Symbol] = {}
        rational = _rational(difference, atoms)
        if not rational.is_rational_function(*rational.free_symbols):
            return []
        numerator, denominator = sp.fraction(sy.together(rational))
        if sy.expand(numerator) != 0 or sy.expand(denominator) == 0:
            return []
    except (ValueError, TypeError, ZeroDivisionError, RecursionError):  # Refused, or what SymPy does not put in
        return []
    named = ", ".join(sy.latex(expr) for expr in atoms)
    steps.append(Step("zero as a rational function of its indeterminates", named or "0 = 0"))
    return steps


def _sums(expr: sp.Expr, steps: list[Step]) -> sp.Expr:
    """Sums split into their terms, with constants drawn out, and closed where they are geometric."""
    if not expr.has(sp.Sum):
        return expr
    if isinstance(expr, sp.Sum) and len(expr.limits) == 1:
        return _sum(expr, steps)
    if expr.args and not isinstance(expr, (sp.Sum, sp.Integral)):
        return expr.func(*(_sums(arg, steps) for arg in expr.args))
    return expr


def _sum(expr: sp.Sum, steps: list[Step]) -> sp.Expr:
    hidden: dict[sp.Expr, sp.Symbol] = {}
    index, low, high = expr.limits[0]
    body = _hide(_sums(expr.function, steps), index, hidden)
    shown = {name: constant for constant, name in hidden.items()}
    # indices are renamed, so that equal sums are equal; by depth, so that none is captured
    inside = {symbol.name for item in body.atoms(sp.Sum) for symbol in item.bound_symbols}
    k = sp.Symbol(f"k{len(inside)}_", integer=True)
    if high.has(sp.oo, -sp.oo) or low.has(sp.oo, -sp.oo):
        # the terms of a convergent series may not be summed one by one
        return sp.Sum(body.xreplace({index: k}), (k, low, high)).xreplace(shown)
    total: sp.Expr = sp.Integer(0)
    for term in sp.Add.make_args(sy.expand(body)):
        outer, inner = term.as_independent(index, as_Add=False)
        divisor = sp.fraction(sy.together(outer.xreplace(shown)))[1]
        if divisor.is_zero is not False and (high - low + 1).is_positive is not True:
            raise ValueError("what is drawn out of a sum may have no value where the sum is empty")
        inner = sy.powsimp(inner).xreplace({index: k})
        closed = _geometric(inner, k, low, high)
        if closed is None:
            total += outer * sp.Sum(inner, (k, low, high))
            continue
        formula = sy.latex(sp.Eq(sp.Sum(inner, (k, low, high)), closed))
        if all(step.latex != formula for step in steps):
            steps.append(Step("finite sums in closed form, checked by telescoping", formula))
        total += outer * closed
    return total.xreplace(shown)


def _hide(expr: sp.Expr, index: sp.Symbol, hidden: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """Parts without the index become symbols, so that expanding a term leaves them whole."""
    if expr.is_Symbol or expr.is_Rational:
        return expr
    if index not in expr.free_symbols:
        return hidden.setdefault(expr, sp.Dummy())
    if expr.is_Add or expr.is_Mul:
        free, bound = expr.as_independent(index, as_Add=bool(expr.is_Add))
        return expr.func(
            _hide(free, index, hidden), *(_hide(arg, index, hidden) for arg in expr.func.make_args(bound))
        )
    if expr.is_Pow and expr.exp.is_Integer:
        return _hide(expr.base, index, hidden) ** expr.exp
    return expr


def _geometric(body: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr | None:
    """The closed form of ``sum of k^m q^k`` for m = 0, 1, if the body is one; None otherwise.

    F(x) = sum to x satisfies F(x) - F(x-1) = x^m q^x and F(low - 1) = 0: both are checked.
    """
    degree, rest = 0, body
    if body.is_Mul and k in body.args:
        degree, rest = 1, body / k
    if rest == 1 and degree == 0:
        return high - low + 1
    if not rest.is_Pow or rest.base.has(k):
        return None
    q = rest.base
    shift = sy.expand(rest.exp - k)
    if shift.has(k) or q == 1:
        return None
    x = sp.Symbol("x_", positive=True)
    if degree == 0:
        form = (q**low - q ** (x + 1)) / (1 - q)
    else:
        form = (low * q**low - (low - 1) * q ** (low + 1) - (x + 1) * q ** (x + 1) + x * q ** (x + 2)) / (
            1 - q
        ) ** 2
    step = form - form.subs(x, x - 1) - x**degree * q**x
    if _nonzero(step) or _nonzero(form.subs(x, low - 1)):
        return None
    return q**shift * form.subs(x, high)


def _nonzero(expr: sp.Expr) -> bool:
    numerator, _ = sp.fraction(sy.together(_rational(expr, {})))
    return bool(sy.expand(numerator) != 0)


def _rational(expr: sp.Expr, atoms: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """The expression with every part that is not rational replaced by an indeterminate."""
    if expr.is_Rational or expr.is_Symbol:
        return expr
    if expr.is_Add or expr.is_Mul:
        return expr.func(*(_rational(arg, atoms) for arg in expr.args))
    if expr.is_Pow and expr.exp.is_Integer:
        return _rational(expr.base, atoms) ** expr.exp
    if isinstance(expr, sp.exp) or (expr.is_Pow and not expr.exp.is_Rational):
        base, exponent = expr.as_base_exp()
        return _power(base, exponent, atoms)
    return atoms.setdefault(expr, sp.Symbol(f"a{len(atoms)}_"))


def _power(base: sp.Expr, exponent: sp.Expr, atoms: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """``x^(e + k) = x^e x^k`` and ``x^(m e) = (x^e)^m`` for integers k and m; x is not 0 where this is used."""
    whole = sp.Integer(1)
    for term in sp.Add.make_args(sy.expand(exponent)):
        factor, rest = term.as_coeff_Mul()
        if rest == 1 and factor.is_Integer:
            whole *= _rational(base, atoms) ** factor if base is not sp.E else _unit(sp.E, atoms) ** factor
        elif factor.is_Integer:
            whole *= _unit(sp.Pow(base, rest, evaluate=False), atoms) ** factor
        else:
            whole *= _unit(sp.Pow(base, term, evaluate=False), atoms)
    return whole


def _unit(expr: sp.Expr, atoms: dict[sp.Expr, sp.Symbol]) -> sp.Symbol:
    return atoms.setdefault(expr, sp.Symbol(f"a{len(atoms)}_"))
