r"""Sums of hypergeometric terms, t(k+1)/t(k) a rational function of k, in closed form.

*Gosper*: t(k) = F(k+1) - F(k) with F/t rational, where such an F exists (Gosper 1978; Petkovsek, Wilf, Zeilberger,
A = B, chapter 5).  SymPy proposes F, the identity is checked by algebra.

*Ratio c (k+a)/(k+b)* with b + k0 = 1: the binomial series, terminating or with \|c\| < 1 (DLMF 4.6.7).
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import _N, inner_expansion, integer_valued
from asymp.expansion import Expansion, Refused
from asymp.scale import sign


def term_ratio(term: sp.Expr, k: sp.Symbol) -> sp.Expr:
    """t(k+1)/t(k) as a rational function of k, factor by factor.

    Raises:
        Refused: a factor that is not hypergeometric in k.

    >>> k, n, x = sp.symbols("k n x", positive=True)
    >>> term_ratio(sp.binomial(n, k) * x**k, k)
    -x*(k - n)/(k + 1)
    """
    return sy.factor(sy.cancel(sp.Mul(*(_ratio(f, k) for f in sp.Mul.make_args(term)))))


def _ratio(factor: sp.Expr, k: sp.Symbol) -> sp.Expr:
    if k not in factor.free_symbols:
        return sp.S.One
    if factor.is_rational_function(k):
        return factor.subs(k, k + 1) / factor
    if isinstance(factor, sp.exp):
        return sp.exp(_slope(factor.args[0], k))
    if factor.is_Pow:
        base, exponent = factor.args
        if k not in base.free_symbols:
            return base ** _slope(exponent, k)
        if k not in exponent.free_symbols and exponent.is_Integer:
            return _ratio(base, k) ** exponent
    if isinstance(factor, sp.gamma):
        return _gamma_ratio(factor.args[0], k)
    if isinstance(factor, sp.factorial):
        return _gamma_ratio(factor.args[0] + 1, k)
    if isinstance(factor, sp.binomial):
        top, bottom = factor.args
        return _gamma_ratio(top + 1, k) / (_gamma_ratio(bottom + 1, k) * _gamma_ratio(top - bottom + 1, k))
    if isinstance(factor, sp.Product) and len(factor.limits) == 1:
        v, low, high = factor.limits[0]
        if k not in factor.function.free_symbols | low.free_symbols and _slope(high, k) == 1:
            return factor.function.subs(v, high + 1)
    if factor.is_Mul:
        return sp.Mul(*(_ratio(f, k) for f in factor.args))
    raise Refused(f"{factor} is not hypergeometric in {k}")


def _slope(expr: sp.Expr, k: sp.Symbol) -> sp.Expr:
    slope = sy.expand(expr.subs(k, k + 1) - expr)
    if k in slope.free_symbols:
        raise Refused(f"{expr} is not linear in {k}")
    return slope


def _gamma_ratio(z: sp.Expr, k: sp.Symbol) -> sp.Expr:
    """Gamma(z(k+1))/Gamma(z(k)) for an integer slope of z."""
    slope = _slope(z, k)
    if not slope.is_Integer or abs(slope) > 20:
        raise Refused(f"Gamma({z}) is not hypergeometric in {k}")
    m = int(slope)
    if m >= 0:
        return sp.Mul(*(z + j for j in range(m)))
    return 1 / sp.Mul(*(z - j for j in range(1, -m + 1)))


def linear_factors(ratio: sp.Expr, k: sp.Symbol) -> tuple[sp.Expr, list[sp.Expr], list[sp.Expr]]:
    """(c, [a_i], [b_j]) with ratio = c prod (k + a_i)/prod (k + b_j).

    Raises:
        Refused: a factor that is not linear in k.
    """
    constant = sp.S.One
    tops: list[sp.Expr] = []
    bottoms: list[sp.Expr] = []
    for side, found in zip(sp.fraction(sy.factor(ratio)), (tops, bottoms), strict=True):
        for factor in sp.Mul.make_args(side):
            base, power = factor.as_base_exp()
            if k not in factor.free_symbols:
                constant = constant * factor if found is tops else constant / factor
                continue
            poly = sy.poly(base, k)
            if poly.degree() != 1 or not power.is_Integer or power < 1:
                raise Refused(f"{factor} is not linear in {k}")
            lead = poly.coeff_monomial(k) ** power
            constant = constant * lead if found is tops else constant / lead
            found.extend([sy.cancel(poly.coeff_monomial(1) / poly.coeff_monomial(k))] * int(power))
    return sy.cancel(constant), tops, bottoms


def closed_form(expander: Expander, term: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr) -> sp.Expr:
    """The sum of a hypergeometric term by its ratio, near the limit.

    Raises:
        Refused: another ratio, or parameters for which the theorem's conditions are not seen to hold.
    """
    ratio = term_ratio(term, k)
    c, tops, bottoms = linear_factors(ratio, k)
    count = None if high is sp.oo else sy.expand(high - low)
    if (len(tops), len(bottoms)) == (1, 1) and sy.expand(bottoms[0] + low) == 1:
        alpha = sy.expand(tops[0] + low)
        ends = count is not None and sy.expand(alpha + count) == 0
        if ends or (count is None and sign(1 - c) == 1 and sign(1 + c) == 1):
            return _at(term, k, low) * (1 - c) ** (-alpha)
    raise Refused(f"no closed form of a sum whose terms have the ratio {ratio}")


def _at(term: sp.Expr, k: sp.Symbol, value: sp.Expr) -> sp.Expr:
    result = term.subs(k, value)
    for product in result.atoms(sp.Product):
        (_, low, high), *_ = product.limits
        if sy.expand(high - low) == -1:
            result = result.subs(product, 1)
    if result.has(sp.nan, sp.zoo, sp.oo, sp.Product):
        raise Refused(f"the summand at {value} is {result}")
    return result


# --- Gosper --------------------------------------------------------------------------------------


def antidifference(term: sp.Expr, k: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """(F, F/t) with F(k+1) - F(k) = t(k), F/t rational in k; None if there is none.

    >>> k = sp.Symbol("k", positive=True, integer=True)
    >>> antidifference(1 / (k * (k + 1)), k)[0]
    -1/k
    """
    if term.has(sp.Product, sp.Sum):
        return None
    try:
        share = sy.gosper_term(term, k)
    except sy.SymbolicFailure:
        return None
    if share is None:
        return None
    share = sy.factor(share)
    try:
        ratio = term_ratio(term, k)
    except Refused:
        return None
    if sy.cancel(sy.together(share.subs(k, k + 1) * ratio - share - 1)) != 0:
        return None
    form = sy.factor(share * term) if term.is_rational_function(k) else share * term
    return form, share


def hypergeometric_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """Gosper's closed form, or that of the ratio."""
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    k, low, high = expr.limits[0]
    plain = sp.Symbol(k.name, positive=True)
    term = expr.function.subs(k, plain)
    if term.has(sp.Integral, sp.Sum):
        raise Refused("a sum within a sum")
    term_ratio(term, plain)  # refuses early
    if high is not sp.oo:
        _require_order(expander, low, high)
    found = antidifference(term, plain)
    if found is not None:
        form = _difference(expander, term, *found, plain, low, high)
        rule, source = "Gosper's antidifference", "Petkovsek, Wilf, Zeilberger, A = B, chapter 5"
    else:
        resolved = [_resolved(expander, x) for x in (term, low, high)]
        form = closed_form(expander, resolved[0], plain, *resolved[1:])
        rule, source = "a hypergeometric sum in closed form", "DLMF 8.5.1, 8.8.2, 4.6.7"
    expander.note(rule, rf"{sy.latex(expr)} = {sy.latex(form)}", source)
    return expander(form)


def _resolved(expander: Expander, expr: sp.Expr) -> sp.Expr:
    return expr.subs(dict(expander.regime.ranges))


def _require_order(expander: Expander, low: sp.Expr, high: sp.Expr) -> None:
    """low <= high + 1 near the limit, so that the sum is not read backwards."""
    integer_valued(expander, high)
    gap = sy.expand(high - low)
    if gap.is_nonnegative or gap == -1:
        return
    growth, coefficient = expander(gap).leading()
    if growth.limit() not in ("infinity", "one") or sign(coefficient) != 1:
        raise Refused(f"the range from {low} to {high} may be empty")


def _difference(
    expander: Expander, term: sp.Expr, form: sp.Expr, share: sp.Expr, k: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> sp.Expr:
    """F(high) + t(high) - F(low), F having no pole in the range.

    Not F(high + 1): beyond the range the summand t need not be defined, as 1/binomial(n, k) at k = n + 1, where F is 0*(1/0).
    """
    if sy.expand(high - low) == -1:
        return sp.S.Zero
    _, below = sp.fraction(sy.together(form if form.is_rational_function(k) else share))
    step = sp.Symbol("step", nonnegative=True)
    start = sy.factor(below.subs(k, low + step))
    if below.has(k) and not (start.is_positive or start.is_negative or sy.expand(start).is_positive):
        raise Refused(f"the antidifference {form} may have a pole in the range")
    first = form.subs(k, low)
    if high is sp.oo:
        if low.free_symbols & expander._variables() or not form.free_symbols & expander._variables():
            last = _limit_zero(expander, form, k)
        else:
            raise Refused("an infinite sum whose summand depends on the variables")
    else:
        last = form.subs(k, high) + term.subs(k, high)
    for end in (first, last):
        if end.has(sp.nan, sp.zoo, sp.oo):
            raise Refused(f"the antidifference {form} is not finite at an end of the range")
    return last - first


def _limit_zero(expander: Expander, form: sp.Expr, k: sp.Symbol) -> sp.Expr:
    """F(oo), 0 or a constant."""
    if form.free_symbols & expander._variables():
        raise Refused("an infinite sum whose summand depends on the variables")
    at = inner_expansion(expander, form.subs(k, _N), expander.order)
    constant = sp.S.Zero
    for growth, coefficient in at.terms.items():
        kind = growth.limit()
        if kind == "one":
            constant = coefficient
        elif kind != "zero":
            raise Refused("a sum that diverges")
    if any(r.limit() != "zero" for r in at.remainder):
        raise Refused("a sum that may diverge")
    return constant
