r"""Sums of A phi(hk), h -> 0: Riemann sums with their corrections, and Mellin sums over all k.

Let phi be smooth on (0, c], phi(t) ~ sum_j b_j t^(s_j) (ln t)^(l_j) as t -> 0+ with the expansions of its derivatives
termwise.  With M h = C -> c (or C -> oo, phi and its derivatives integrable there),

.. math:: \sum_{k=1}^{M} \varphi(kh) \sim \frac1h \mathrm{FP}\!\!\int_0^C \varphi
   + \sum_j b_j\,[t^{s_j}(\ln t)^{l_j}]_{\zeta} + \frac{\varphi(C)}2
   + \sum_{m\ge1} \frac{B_{2m}}{(2m)!} h^{2m-1} \varphi^{(2m-1)}(C),

where (kh)^s summed by zeta is h^s zeta(-s), its derivatives in s give the logarithms, and the pole s = -1 gives
(gamma - ln h)/h; FP is Hadamard's finite part.  Sources: Navot, J. Math. and Phys. 40 (1961) 271 and 41 (1962) 155;
Zagier, The Mellin transform and related analytic techniques, Prop. 3; DLMF 2.10.

Termwise derivatives: phi is built of exp, log, powers and the like, whose expansions hold in a sector around the
positive axis, where Cauchy's estimate differentiates them (Ritt; Olver, Asymptotics and Special Functions, 1.4.2).
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import integer_valued, monomial_of, regularized
from asymp.expand.finite_part import _T, _reduced, at_zero, finite_part, require_integrable, require_smooth
from asymp.expand.place import place, side
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

POWERS = tuple(sp.Rational(*q) for q in ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2), (1, 4)))
MOST_FIRST = 40


@dataclass(frozen=True)
class Scaled:
    """A summand as ``factor * shape(step * k)``, ``shape`` in ``_T``."""

    factor: sp.Expr
    step: sp.Expr
    shape: sp.Expr


def scaled(expander: Expander, f: sp.Expr, k: sp.Symbol) -> list[Scaled]:
    """f as a sum of A phi(h k), A and h free of k, phi free of the regime's variables, one h for all.

    Raises:
        Refused: no such form was found.
    """
    variables = expander._variables()
    mark = sp.Dummy("h", positive=True)
    if any(e.base is not sp.E and e.exp.has(k) and not e.base.free_symbols & {k, *variables} for e in f.atoms(sp.Pow)):
        raise Refused("a power of a fixed number, which is no function of k over a scale")
    if any(e.has(k) for e in f.atoms(sp.factorial, sp.gamma, sp.binomial, sp.loggamma, sp.catalan)):
        raise Refused("a factorial of the index, which is no function of k over a scale")
    for step in _steps(f, k, variables):
        if not _vanishes(expander, step):
            continue
        moved = _reduced(_steady(f, k, step, mark))
        separated = sy.expand(sy.expand_log(moved, force=True), power_base=False, power_exp=False)
        for terms in ([moved], sp.Add.make_args(separated)):
            pieces = [_separated(term, variables | {mark}) for term in terms]
            if all(piece is not None for piece in pieces):
                return [Scaled(a.subs(mark, step), step, shape) for a, shape in pieces if a != 0]  # type: ignore[misc]
    raise Refused("the summand is no function of k over a scale")


def _separated(term: sp.Expr, variables: frozenset[sp.Symbol]) -> tuple[sp.Expr, sp.Expr] | None:
    """(A, phi) with term = A phi(t), A free of t, phi of the variables."""
    factors = sp.Mul.make_args(term)
    clean = sp.Mul(*(e for e in factors if not e.free_symbols & variables))
    mixed = sp.Mul(*(e for e in factors if e.free_symbols & variables))
    for reference in (1, 2):
        factor = mixed.subs(_T, reference)
        if factor == 0 or factor.has(sp.zoo, sp.nan, sp.oo):
            continue
        shape = _reduced(mixed / factor) * clean
        if not shape.free_symbols & variables:
            return factor, shape
    return None


def _vanishes(expander: Expander, step: sp.Expr) -> bool:
    try:
        return _falls_to_zero(expander(step))
    except Refused:
        return False


def _falls_to_zero(step: Expansion) -> bool:
    return place(step).kind == "zero" and side(step) == 1


def _steps(f: sp.Expr, k: sp.Symbol, variables: frozenset[sp.Symbol]) -> list[sp.Expr]:
    found: list[sp.Expr] = []
    for e in sp.preorder_traversal(f):
        rate = None
        if e.is_Pow and k not in e.base.free_symbols and e.exp.has(k) and e.base is not sp.E:
            slope = sy.expand(e.exp).coeff(k, 1)
            rate = (-sp.log(e.base), sp.S.One, slope)
        elif isinstance(e, sp.exp):
            coefficient, rest = sy.expand(e.args[0]).as_independent(k)
            power = rest.as_base_exp()[1] if rest.as_base_exp()[0] == k else None
            if power is not None:
                rate = (-coefficient if coefficient.could_extract_minus_sign() else coefficient, power, sp.S.One)
        if rate and rate[0].free_symbols & variables and not rate[1].free_symbols:
            step = rate[0] ** (1 / rate[1])
            if step not in found:
                found.append(step)
    for scale in sorted(f.free_symbols & variables, key=str):
        found += [scale**power for power in POWERS] + [scale**-power for power in POWERS]
    return found


def _steady(f: sp.Expr, k: sp.Symbol, step: sp.Expr, mark: sp.Symbol) -> sp.Expr:
    """f(t/h), h under the name of ``mark``; x^k is written as e^(-t) where h = -ln x, and e^(-k/n) where h = 1/n."""
    if step.is_Mul and isinstance(-step, sp.log):
        base = (-step).args[0]
        f = f.replace(lambda e: e.is_Pow and e.base == base and e.exp.has(k), lambda e: sp.exp(-mark * e.exp))
        return f.subs(k, _T / mark)
    if step.is_Pow or step.is_Symbol:
        scale, power = step.as_base_exp()
        if scale.is_Symbol:
            f = f.subs(scale, mark ** (1 / power))
    else:
        f = f.subs(step, mark)
    return f.subs(k, _T / mark)


# --- the method ----------------------------------------------------------------------------------


def riemann_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """Sums of A phi(hk) over k = b..M, h -> 0, M h -> c or oo, b fixed or b h -> a constant."""
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    k, low, high = expr.limits[0]
    f = expander.resolved(expr.function)
    plain = sp.Symbol(k.name + "index", positive=True)
    f = f.subs(k, plain)
    if not f.free_symbols & expander._variables() or f.has(sp.Sum, sp.Product, sp.Integral):
        raise Refused("a summand that does not depend on the variables, or a sum within a sum")
    low, high = expander.resolved(low), expander.resolved(high)
    try:
        pieces = scaled(expander, f, plain)
    except Refused:
        terms = sp.Add.make_args(sy.expand(f, power_base=False, power_exp=False))
        if len(terms) == 1:
            raise
        pieces = [piece for term in terms for piece in scaled(expander, term, plain)]
    return Expansion.sum(_one(expander, piece, low, high) for piece in pieces)


def _one(expander: Expander, piece: Scaled, low: sp.Expr, high: sp.Expr) -> Expansion:
    step = expander(piece.step)
    if not _falls_to_zero(step):
        raise Refused("the step of the sum does not tend to 0")
    moving = bool(low.free_symbols & expander._variables())
    total = _up_to(expander, piece, step, high)
    if moving:
        integer_valued(expander, low)
        total = total - _up_to(expander, piece, step, low - 1)
        extra = []
    elif low.is_Integer and -MOST_FIRST <= low <= MOST_FIRST:
        first = range(int(low), 1) if low < 1 else range(1, int(low))
        if low < 0:
            raise Refused("a sum over negative indices")
        extra = [(1 if low < 1 else -1, _value(expander, piece, j)) for j in first]
    else:
        raise Refused(f"a sum that starts at {low}")
    expander.note(
        "Riemann sum with its corrections",
        r"\sum_{k\ge1}^{M}\varphi(kh) \sim \frac1h\mathrm{FP}\int_0^{Mh}\varphi + \sum_j b_j h^{s_j}\zeta(-s_j) + "
        r"\tfrac12\varphi(Mh) + \sum_m \frac{B_{2m}}{(2m)!}h^{2m-1}\varphi^{(2m-1)}(Mh),\qquad "
        rf"\varphi(t) = {sy.latex(piece.shape.subs(_T, sp.Symbol('t')))},\; h = {sy.latex(piece.step)}",
        "Navot 1961, 1962; Zagier, The Mellin transform, Prop. 3; DLMF 2.10",
    )
    return expander(piece.factor) * total + Expansion.sum(value.scaled(s) for s, value in extra)


def _value(expander: Expander, piece: Scaled, k: int) -> Expansion:
    shape = piece.shape
    if k == 0:
        value = shape.subs(_T, 0)
        if value.has(sp.nan, sp.zoo, sp.oo):
            raise Refused("the summand is not finite at 0")
        return expander(piece.factor).scaled(value)
    return expander(piece.factor * shape.subs(_T, k * piece.step))


def _up_to(expander: Expander, piece: Scaled, step: Expansion, high: sp.Expr) -> Expansion:
    """sum_{k=1}^{high} phi(kh) as an expansion."""
    shape, h = piece.shape, piece.step
    end: sp.Expr | None = None
    limit: sp.Expr | None = None
    exponential = False
    if high is not sp.oo:
        integer_valued(expander, high)
        end = sy.expand(h * high) if not h.has(sp.log) else h * high
        at = place(expander(end))
        limit = at.centre if at.kind == "constant" else None
        if at.kind in ("zero", "-infinity") or (limit is not None and sign(limit) != 1):
            raise Refused("the range of the sum is short against its scale")
        require_smooth(shape, limit)
        if at.kind == "infinity":
            exponential = require_integrable(expander, shape, 1)
    else:
        require_smooth(shape, None)
        require_integrable(expander, shape)
    near = at_zero(expander, shape)
    order = expander.order
    inverse = step.inverse(order)
    parts: list[Expansion] = []
    logs = step.log(order)
    for growth, b in near.terms.items():
        parts.append(_zeta_part(step, inverse, logs, growth, b, order))
    for growth in near.remainder:
        s, power = _power_of(growth)
        parts.append((step.power(-s, order) * logs.power(sp.Integer(power), order)).tail(1))
    if end is None or exponential:
        parts.append(_times(inverse, expander, finite_part(expander, shape, near, None)))
    else:
        parts.append(inverse * expander(finite_part(expander, shape, near, end, limit)))
    if end is not None and exponential:
        last = expander(shape.subs(_T, end))
        parts.append((last * (expander(end) * inverse + Expansion.constant(1))).tail(1))
    elif end is not None:
        count = max(1, (order + 1) // 2)
        derivative, heights = shape, Expansion.constant(1)
        parts.append(expander(shape.subs(_T, end)).scaled(sp.Rational(1, 2)))
        for m in range(1, count + 2):
            derivative = sy.diff(derivative, _T, 1 if m == 1 else 2)
            heights = step if m == 1 else heights * step * step
            edge = heights * expander(sy.simplify(derivative).subs(_T, end))
            weight = sp.bernoulli(2 * m) / sp.factorial(2 * m)
            parts.append(edge.scaled(weight) if m <= count else edge.tail(1) + heights.tail(1))
    return Expansion.sum(parts)


def _times(inverse: Expansion, expander: Expander, value: sp.Expr) -> Expansion:
    if value == 0:
        return Expansion({})
    return inverse.scaled(value.subs(dict(expander.regime.ranges)))


def _power_of(growth: object) -> tuple[sp.Expr, int]:
    found = monomial_of(growth)  # type: ignore[arg-type]
    if found is None:
        raise Refused(f"the summand's expansion at 0 has the term {growth}")
    return found


def _zeta_part(step: Expansion, inverse: Expansion, logs: Expansion, growth: object, b: sp.Expr, order: int) -> Expansion:
    """b (kh)^s (ln kh)^l summed by zeta; the growth is in N = 1/t, so s and the signs of ln are turned."""
    turned, power = _power_of(growth)
    s = -turned
    if s != -1 and sign(s + 1) is None:
        raise Refused(f"whether {s} is -1")
    total: list[Expansion] = []
    head = step.power(s, order) if s != -1 else inverse
    for r in range(power + 1):
        constant = regularized(s, r, sp.S.One)
        if constant == 0:
            continue
        factor = logs.power(sp.Integer(power - r), order) if power > r else Expansion.constant(1)
        total.append(factor.scaled(sp.binomial(power, r) * constant))
    if s == -1:
        total.append(logs.power(sp.Integer(power + 1), order).scaled(-sp.Rational(1, power + 1)))
    if not total:
        return Expansion({})
    return (head * Expansion.sum(total)).scaled(b * (-1) ** power)
