r"""Sums of one fixed function, up to or from a bound that tends to infinity: Euler-Maclaurin with its constant.

For g(t) = (t + a)^s (ln(t + a))^l, l >= 0, and G its antiderivative without a constant term,

.. math:: \sum_{k=b}^{N} g(k) = Z + G(N) + \tfrac12 g(N) + \sum_{j=1}^{m} \frac{B_{2j}}{(2j)!} g^{(2j-1)}(N)
   + O\bigl(N^{s-2m-1} (\ln N)^l\bigr),

where Z is a value of Hurwitz's zeta function or a derivative of it, Z = (-1)^l zeta^{(l)}(-s, b + a), and at its
pole s = -1 a Stieltjes constant.  Sources: DLMF 2.10.1 (the formula, remainder an integral of g^(2m+2), which is
O(t^(s-2m-2) (ln t)^l)), 25.11.5 and its derivatives in s (the constant), 25.2.5 (Stieltjes).

A function that is no such monomial is expanded in them: f = sum_j c_j g_j + r, r(k) = O(k^-q (ln k)^p), q > 1.
Then sum r(k) over b..N is a constant less O(N^(1-q) (ln N)^p): no derivative of r is needed.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.place import place
from asymp.expansion import Expansion, Refused, assume_nonzero
from asymp.scale import Growth, Regime, sign
from asymp.special import ZetaDerivative

MOST_EXPLICIT = 200
"""Most first terms that are written out."""
_N = sp.Dummy("N", positive=True)


@dataclass(frozen=True)
class Primitive:
    """A sum up to N: ``constant + main(N) + O(rest(N))``; ``rest`` lists expressions, none: exact."""

    constant: sp.Expr
    main: sp.Expr
    rest: tuple[sp.Expr, ...] = ()


# --- monomials ---------------------------------------------------------------------------------


def regularized(s: sp.Expr, logs: int, first: sp.Expr) -> sp.Expr:
    """Z of (t)^s (ln t)^l summed over first, first + 1, ...: what remains when the powers of N are left out.

    >>> regularized(sp.Integer(2), 0, sp.S.One), regularized(sp.S.Zero, 1, sp.S.One)
    (0, log(2*pi)/2)
    """
    if first.is_Integer and 1 <= first <= MOST_EXPLICIT:
        head = sp.Add(*(sp.Integer(k) ** s * sp.log(k) ** logs for k in range(1, int(first))))
        if s == -1:
            return (sp.stieltjes(logs) if logs else sp.EulerGamma) - head
        value = sp.zeta(-s) if logs == 0 else zeta_derivative(logs, -s)
        return (-1) ** logs * value - head
    if logs == 0:
        if s.is_Integer and s >= 0:  # DLMF 25.11.14
            return -sp.bernoulli(s + 1, first) / (s + 1)
        if s.is_Integer:  # DLMF 25.11.12
            order = -s
            return (-1) ** order * sp.polygamma(order - 1, first) / sp.factorial(order - 1)
        return sp.zeta(-s, first)
    if (s, logs) == (0, 1):  # -zeta'(0, a) = ln(2 pi)/2 - ln Gamma(a), DLMF 25.11.18
        return sp.log(2 * sp.pi) / 2 - sp.loggamma(first)
    raise Refused(f"no name for the constant of the sum of k^({s}) (ln k)^{logs} from {first}")


def zeta_derivative(order: int, s: sp.Expr) -> sp.Expr:
    """zeta^(order)(s), where it has a name in other constants.

    zeta'(0) = -ln(2 pi)/2 (DLMF 25.6.11); zeta'(-2m) = (-1)^m (2m)! zeta(2m+1)/(2 (2 pi)^(2m)) (25.6.13).
    For s > 1, zeta'(s) is minus the sum of k^(-s) ln k.

    >>> zeta_derivative(1, sp.Integer(-2)), zeta_derivative(1, sp.Rational(3, 2))
    (-zeta(3)/(4*pi**2), -Sum(log(k)/k**(3/2), (k, 1, oo)))
    """
    if order == 1 and s == 0:
        return -sp.log(2 * sp.pi) / 2
    if order == 1 and s.is_Integer and s < 0 and s % 2 == 0:
        m = -s // 2
        return (-1) ** m * sp.factorial(2 * m) * sp.zeta(2 * m + 1) / (2 * (2 * sp.pi) ** (2 * m))
    if order == 1 and s.is_Rational and s > 1:
        k = sp.Symbol("k", integer=True, positive=True)
        return -sp.Sum(sp.log(k) / k**s, (k, 1, sp.oo))
    return ZetaDerivative(order, s)


def antiderivative(s: sp.Expr, logs: int) -> sp.Expr:
    """The antiderivative of N^s (ln N)^logs that has no constant term, in ``_N``; logs >= 0."""
    if s == -1:
        return sp.log(_N) ** (logs + 1) / (logs + 1)
    total, factor = sp.S.Zero, sp.S.One
    for j in range(logs + 1):  # by parts
        total += factor * _N ** (s + 1) * sp.log(_N) ** (logs - j) / (s + 1)
        factor = -factor * (logs - j) / (s + 1)
    return total


def monomial(s: sp.Expr, logs: int, first: sp.Expr, count: int) -> Primitive:
    """The sum of t^s (ln t)^logs over t = first, first + 1, ..., N (N - first an integer), ``count`` corrections.

    >>> first = monomial(sp.S.One, 0, sp.S.One, 2)
    >>> first.constant + first.main.subs(_N, 10)
    55
    """
    if s != -1 and sign(s + 1) is None:
        assume_nonzero(s + 1)
    g = _N**s * sp.log(_N) ** logs
    polynomial = logs == 0 and s.is_Integer and s >= 0
    if polynomial:
        count = max(count, int(s) // 2 + 1)
    main = antiderivative(s, logs) + g / 2
    derivative = sy.diff(g, _N)
    for j in range(1, count + 1):
        main += sp.bernoulli(2 * j) / sp.factorial(2 * j) * sy.expand(derivative)
        derivative = sy.diff(derivative, _N, 2)
    rest = () if polynomial else (_N ** (s - 2 * count - 1) * sp.log(_N) ** logs,)
    return Primitive(regularized(s, logs, first), main, rest)


# --- any function with an expansion in monomials -------------------------------------------------


def inner_expansion(expander: Expander, f: sp.Expr, order: int) -> Expansion:
    """The expansion of f(N) as N -> oo, the parameters being those of the regime."""
    regime = Regime("k -> oo", (_N,), ranges=expander.regime.ranges)
    inner = Expander(regime, order)
    return inner(f)


def monomial_of(growth: Growth) -> tuple[sp.Expr, int] | None:
    """(s, l) of a growth N^s (ln N)^l, l a nonnegative integer."""
    s, logs = sp.S.Zero, sp.S.Zero
    if growth.large:
        return None
    for atom, power in growth.powers:
        if atom == _N:
            s = power
        elif atom == sp.log(_N):
            logs = power
        else:
            return None
    return (s, int(logs)) if logs.is_Integer and logs >= 0 else None


def summable(growth: Growth) -> bool:
    """Whether a growth N^s (ln N)^b ... has s < -1."""
    power = dict(growth.powers).get(_N, sp.S.Zero)
    return not growth.large and sign(power + 1) == -1


def fixed(expander: Expander, f: sp.Expr, low: sp.Expr) -> Primitive:
    """The sum of f(k), k = low..N, f a function of ``_N`` alone (and of parameters), low a fixed integer.

    Raises:
        Refused: f has no expansion in powers of N and ln N.
    """
    if not (low.is_Integer and abs(low) <= MOST_EXPLICIT):
        raise Refused(f"a sum that starts at {low}")
    parts = [_shifted(expander, term, low) for term in additive(f)]
    named = [q for q in parts if q is not None]
    if len(named) == len(parts):
        return Primitive(
            sp.Add(*(q.constant for q in named)), sp.Add(*(q.main for q in named)), tuple(r for q in named for r in q.rest)
        )
    return _unnamed(expander, f, low)


def additive(f: sp.Expr) -> list[sp.Expr]:
    """The terms of f; a rational function by partial fractions, which are checked."""
    if f.is_rational_function(_N) and not f.is_polynomial(_N):
        parts = sy.apart(sy.together(f), _N)
        if sy.cancel(sy.together(parts - f)) == 0:
            f = parts
    f = sy.expand(sy.expand_log(f, force=False), power_base=False, power_exp=False)
    return list(sp.Add.make_args(f))


def _shifted(expander: Expander, term: sp.Expr, low: sp.Expr) -> Primitive | None:
    """A term that is exactly a sum of monomials in N + a, or None."""
    count = max(1, (expander.order + 1) // 2)
    for shift in (sp.S.Zero, *_shifts(term)):
        start = low + shift
        if sign(start) != 1:
            continue
        try:
            moved = inner_expansion(expander, _normal(term.subs(_N, _N - shift)), 1)
        except Refused:
            continue
        kinds = [monomial_of(g) for g in moved.terms]
        if moved.remainder or any(k is None for k in kinds):
            continue
        try:
            parts = [
                (c, monomial(kind[0], kind[1], start, count))
                for kind, c in zip(kinds, moved.terms.values(), strict=True)
                if kind is not None
            ]
        except Refused:
            continue
        at = _N + shift
        return Primitive(
            sp.Add(*(c * p.constant for c, p in parts)),
            sp.Add(*(c * p.main for c, p in parts)).subs(_N, at),
            tuple(r.subs(_N, at) for _, p in parts for r in p.rest),
        )
    return None


def _normal(expr: sp.Expr) -> sp.Expr:
    return expr.replace(lambda e: e.is_Add, sy.expand)


def _shifts(term: sp.Expr) -> list[sp.Expr]:
    """The a of the factors c (N + a) in a term."""
    found: list[sp.Expr] = []
    for e in sp.preorder_traversal(term):
        if e.is_Add and e.has(_N) and e.is_polynomial(_N):
            poly = sy.poly(e, _N)
            if poly.degree() == 1:
                a = sy.cancel(poly.coeff_monomial(1) / poly.coeff_monomial(_N))
                if a not in found:
                    found.append(a)
    return found


def _unnamed(expander: Expander, f: sp.Expr, low: sp.Expr) -> Primitive:
    """The constant as a convergent sum of what is left of f without the monomials that are not summable."""
    depth = -(expander.order + 1)
    for extra in (0, 2, 4, 8):
        expansion = inner_expansion(expander, f, expander.order + 1 + extra)
        kinds = {g: monomial_of(g) for g in expansion.terms}
        if any(k is None for k in kinds.values()) or any(r.large for r in expansion.remainder):
            raise Refused("the summand is no sum of powers of k and ln k")
        powers = [dict(r.powers).get(_N, sp.S.Zero) for r in expansion.remainder]
        if all(sign(p - depth) == -1 for p in powers):
            break
    if not all(summable(r) for r in expansion.remainder):
        raise Refused("what is left of the summand is not summable")
    begin = max(low, sp.S.One)
    head = sp.Add(*(f.subs(_N, k) for k in range(int(low), int(begin))))
    if head.has(sp.nan, sp.zoo, sp.oo):
        raise Refused("the summand is not finite at the start of its range")
    count = max(1, (expander.order + 1) // 2)
    parts = [
        (c, monomial(kind[0], kind[1], begin, count), summable(g))
        for (g, c), kind in zip(expansion.terms.items(), kinds.values(), strict=True)
        if kind is not None
    ]
    divergent = sp.Add(*(c * g.expr for g, c in expansion.terms.items() if not summable(g)))
    k = sp.Symbol("k", integer=True, positive=True)
    if divergent == 0:
        left = sp.Sum(f.subs(_N, k), (k, begin, sp.oo))
    else:
        left = sp.Sum((f - divergent).subs(_N, k), (k, begin, sp.oo))
    constant = head + left + sp.Add(*(c * p.constant for c, p, fades in parts if not fades))
    rest = [r for _, p, _ in parts for r in p.rest]
    rest += [_N * r.expr for r in expansion.remainder]
    return Primitive(constant, sp.Add(*(c * p.main for c, p, _ in parts)), tuple(rest))


def require_finite(f: sp.Expr, low: sp.Expr) -> None:
    """Raises Refused unless f is finite at low, low + 1, ...: at the first ones by value, then by sign of what is inverted."""
    explicit = 8
    for k in range(int(low), int(low) + explicit):
        value = f.subs(_N, k)
        if value.has(sp.nan, sp.zoo, sp.oo, sp.I) or value.is_finite is False or value.is_real is False:
            raise Refused(f"the summand is {value} at {k}")
    beyond = low + explicit + sp.Symbol("step", nonnegative=True)
    for e in sp.preorder_traversal(f):
        inverted = e.base if e.is_Pow and e.exp.is_nonnegative is not True else e.args[0] if isinstance(e, sp.log) else None
        if inverted is None or not inverted.has(_N):
            continue
        there = sy.expand(inverted.subs(_N, beyond))
        if not (there.is_positive or there.is_negative or _logarithm_positive(there)):
            raise Refused(f"whether {inverted} vanishes in the range")


def _logarithm_positive(expr: sp.Expr) -> bool:
    """ln x > 0 for x > 1."""
    return isinstance(expr, sp.log) and bool((expr.args[0] - 1).is_positive or _logarithm_positive(expr.args[0]))


# --- the method ----------------------------------------------------------------------------------


def integer_valued(expander: Expander, bound: sp.Expr) -> None:
    """Raises Refused unless a bound is an integer wherever the regime's variables are (2n, n^2 - 1, floor(x))."""
    if isinstance(bound, (sp.floor, sp.ceiling)):
        return
    symbols = sorted(bound.free_symbols, key=str)
    if not symbols or not bound.is_polynomial(*symbols):
        raise Refused(f"the bound {bound} need not be an integer")
    if not all(c.is_Integer for c in sy.poly(bound, *symbols).coeffs()):
        raise Refused(f"the bound {bound} need not be an integer")


def require_infinite(expander: Expander, bound: sp.Expr) -> None:
    """Raises Refused unless the bound tends to +oo."""
    if place(expander(bound)).kind != "infinity":
        raise Refused(f"the bound {bound} does not tend to +infinity")


def fixed_summand(expander: Expander, expr: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """(f in ``_N``, low, high) of a single sum whose summand is free of the regime's variables.

    Raises:
        Refused: another kind of sum.
    """
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    i, low, high = expr.limits[0]
    if expr.function.free_symbols & expander._variables():
        raise Refused("a summand that depends on the variables")
    if expr.function.has(sp.Sum, sp.Integral, sp.Product):
        raise Refused("a sum within a sum")
    return expr.function.subs(dict(expander.regime.ranges)).subs(i, _N), low, high


def fixed_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """Sums of a fixed function over low..high, one bound or both tending to infinity."""
    f, low, high = fixed_summand(expander, expr)
    variables = expander._variables()
    moving = bool(low.free_symbols & variables)
    start = sp.S.One if moving else low
    if not moving and low.is_Integer:
        require_finite(f, low)
    if high is sp.oo and not moving:
        return Expansion.constant(series_constant(expander, expr, f, low))
    sums = fixed(expander, f, start)
    pieces: list[Expansion] = []
    if high is sp.oo:
        at_infinity = inner_expansion(expander, sums.main, expander.order)
        if any(g.limit() != "zero" for g in (*at_infinity.terms, *at_infinity.remainder)):
            raise Refused("a sum that diverges")
    else:
        integer_valued(expander, high)
        require_infinite(expander, high)
        pieces.append(_at(expander, sums, high))
        if not moving:
            pieces.append(Expansion.constant(sums.constant))
    if moving:
        integer_valued(expander, low)
        require_infinite(expander, low)
        pieces.append(-_at(expander, sums, low - 1))
    expander.note(
        "Euler-Maclaurin with the constant of the sum",
        r"\sum_{k=b}^{N} f(k) = C + \int^N f + \tfrac12 f(N) + \sum_j \frac{B_{2j}}{(2j)!} f^{(2j-1)}(N) + R,\qquad "
        rf"C = {sy.latex(sums.constant)}",
        "DLMF 2.10.1, 25.11.5",
    )
    return Expansion.sum(pieces)


def series_constant(expander: Expander, expr: sp.Expr, f: sp.Expr, low: sp.Expr) -> sp.Expr:
    """A convergent series: its name where Euler-Maclaurin gives one, else the series itself.

    It converges where f is O(N^s (ln N)^l) with s < -1, or exponentially small.

    Raises:
        Refused: it diverges, or that is not known.
    """
    far = inner_expansion(expander, f, expander.order)
    growths = [*far.terms, *far.remainder]
    if not all(summable(g) if not g.large else _exponentially_small(g) for g in growths):
        raise Refused("a series that is not seen to converge")
    try:
        sums = fixed(expander, f, low)
        ends = inner_expansion(expander, sums.main, expander.order)
    except Refused:
        return expr.subs(dict(expander.regime.ranges))
    if any(g.limit() != "zero" for g in (*ends.terms, *ends.remainder)):
        return expr.subs(dict(expander.regime.ranges))
    return sums.constant


def _exponentially_small(growth: Growth) -> bool:
    """e^(-N^s ...) with s > 0: smaller than any power of N."""
    return all((growth * Growth.of(_N, power)).limit() == "zero" for power in (sp.S.Zero, sp.Integer(2)))


def _at(expander: Expander, sums: Primitive, bound: sp.Expr) -> Expansion:
    main = Expansion.sum(expander(term.subs(_N, bound)) for term in sp.Add.make_args(sy.expand(sums.main)))
    rest = [expander(r.subs(_N, bound)).tail(1) for r in sums.rest]
    return Expansion.sum([main, *rest])
