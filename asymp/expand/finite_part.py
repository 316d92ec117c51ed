"""Functions on the positive axis that are summed or integrated: conditions, and finite parts of their integrals.

Hadamard's finite part of the integral over (0, c) of phi(t) ~ sum b_j t^(s_j) (ln t)^(l_j) is what remains of the integral
over (e, c) when the powers and logarithms of e are left out; with an antiderivative F it is F(c) less the constant
term of F at 0.  Source: Navot, J. Math. and Phys. 40 (1961) 271; DLMF 1.15(vi), 5.9.1.
"""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.euler_maclaurin import _N
from asymp.expansion import Expansion, Refused, is_zero
from asymp.scale import ONE, Regime, sign

_T = sp.Dummy("t", positive=True)
_W = sp.Dummy("w", nonnegative=True)
SMOOTH = (sp.exp, sp.log, sp.sin, sp.cos, sp.atan, sp.sinh, sp.cosh, sp.tanh)


def _reduced(expr: sp.Expr) -> sp.Expr:
    expr = expr.replace(lambda e: isinstance(e, sp.exp), lambda e: sp.exp(sy.expand(e.args[0])))
    expr = expr.replace(lambda e: e.is_Add, lambda e: sy.factor(sy.together(e)))
    return sy.powsimp(sy.expand_power_base(sy.powdenest(expr, force=True), force=True))


# --- conditions ----------------------------------------------------------------------------------


def require_smooth(shape: sp.Expr, end: sp.Expr | None) -> None:
    """Raises Refused unless phi is analytic on (0, c], c = ``end`` (None: on all of t > 0)."""
    for e in sp.preorder_traversal(shape):
        if e.is_Function and not isinstance(e, SMOOTH):
            raise Refused(f"{e.func.__name__} in a summand that is to be smooth")
        inner = None
        if isinstance(e, sp.log):
            inner = e.args[0]
        elif e.is_Pow and not (e.exp.is_Integer and e.exp >= 0) and e.base is not sp.E:
            inner = e.base
            if e.exp.has(_T):
                raise Refused(f"{e} in a summand that is to be smooth")
        if inner is None or not inner.has(_T):
            continue
        there = inner if end is None else inner.subs(_T, end / (1 + _W))
        side = sign(sy.factor(sy.together(there)))
        if side != 1 and not (side == -1 and e.is_Pow and e.exp.is_Integer):
            raise Refused(f"whether {inner} vanishes in the range")


def at_zero(expander: Expander, shape: sp.Expr) -> Expansion:
    """The expansion of phi(1/N) as N -> oo."""
    inner = Expander(Regime("t -> 0+", (_N,), ranges=expander.regime.ranges), expander.order + 1)
    return inner(_reduced(shape.subs(_T, 1 / _N)))


def at_infinity(expander: Expander, shape: sp.Expr) -> Expansion:
    """The expansion of phi(N) as N -> oo."""
    return Expander(Regime("t -> oo", (_N,), ranges=expander.regime.ranges), expander.order + 1)(shape.subs(_T, _N))


def require_integrable(expander: Expander, shape: sp.Expr, below: int = -1) -> bool:
    """Whether phi is exponentially small at infinity.

    Raises:
        Refused: phi is not O(t^s) with s < ``below``: -1 makes phi and all derivatives integrable, 1 the later ones.
    """
    if shape.has(sp.sin, sp.cos):
        raise Refused("a summand that oscillates")
    far = at_infinity(expander, shape)
    growths = [*far.terms, *far.remainder]
    for g in growths:
        if g.large:
            if g.limit() != "zero":
                raise Refused("a sum that diverges")
        elif sign(dict(g.powers).get(_N, sp.S.Zero) - below) != -1:
            raise Refused("a sum that diverges")
    return all(g.large for g in growths)


# --- finite parts of integrals -------------------------------------------------------------------


def finite_part(
    expander: Expander, shape: sp.Expr, near: Expansion, end: sp.Expr | None, limit: sp.Expr | None = None
) -> sp.Expr:
    """FP of the integral of phi over (0, end), end an expression that tends to ``limit`` (None: infinity)."""
    closed = _mellin(shape) if end is None else _lower(shape, end)
    if closed is not None:
        return closed
    form = antiderivative(shape, limit)
    if form is not None:
        try:
            start = _constant_term(at_zero(expander, form))
            if end is not None:
                return form.subs(_T, end) - start
            far = at_infinity(expander, form)
            if all(g.limit() in ("zero", "one") for g in (*far.terms, *far.remainder)) and ONE not in far.remainder:
                return _constant_term(far) - start
        except Refused:
            pass
    singular = [g for g in near.terms if sign(dict(g.powers).get(_N, sp.S.Zero) - 1) != -1]
    if singular or (end is not None and end.free_symbols & expander._variables()):
        raise Refused(f"no closed form of the integral of {shape}")
    t = sp.Symbol("t", positive=True)
    return sp.Integral(shape.subs(_T, t), (t, 0, sp.oo if end is None else end))


def _constant_term(expansion: Expansion) -> sp.Expr:
    if any(g.limit() not in ("zero",) for g in expansion.remainder):
        raise Refused("a constant that is not known")
    return expansion.terms.get(ONE, sp.S.Zero)


def antiderivative(shape: sp.Expr, limit: sp.Expr | None = None) -> sp.Expr | None:
    """F with F' = phi on (0, limit], None: the positive axis; the derivative checked by algebra, F analytic there."""
    if sp.count_ops(shape) > 40:
        return None
    plain = sp.Symbol("t", positive=True)
    f = shape.subs(_T, plain)
    try:
        form = sy.ratint(f, plain) if f.is_rational_function(plain) else sy.manualintegrate(f, plain)
    except sy.SymbolicFailure:
        return None
    if form.has(sp.Integral, sp.Piecewise, sp.I, sp.RootSum):
        return None
    if limit is not None:  # ln(t - 2) is ln(2 - t) less a constant
        form = form.replace(
            lambda e: isinstance(e, sp.log) and sign(e.args[0].subs(plain, limit)) == -1, lambda e: sp.log(-e.args[0])
        )
    try:
        require_smooth(form.subs(plain, _T), limit)
        if not is_zero(sy.simplify(sy.diff(form, plain) - f)):
            return None
    except Refused:
        return None
    return form.subs(plain, _T)


def _exponential(shape: sp.Expr) -> tuple[sp.Expr, sp.Expr, int, sp.Expr, sp.Expr] | None:
    """(C, a, l, b, p) of C t^a (ln t)^l exp(-b t^p), b > 0, p > 0."""
    constant, a, logs, b, p = sp.S.One, sp.S.Zero, 0, None, None
    for factor in sp.Mul.make_args(shape):
        base, exponent = factor.as_base_exp()
        if not factor.has(_T):
            constant *= factor
        elif base == _T and not exponent.has(_T):
            a += exponent
        elif base == sp.log(_T) and exponent.is_Integer and exponent > 0:
            logs += int(exponent)
        elif isinstance(factor, sp.exp) and b is None:
            rate, rest = factor.args[0].as_independent(_T)
            if rest.as_base_exp()[0] != _T or rest.as_base_exp()[1].has(_T):
                return None
            b, p = -rate, rest.as_base_exp()[1]
        else:
            return None
    if b is None or sign(b) != 1 or sign(p) != 1:
        return None
    return constant, a, logs, b, p


def _mellin(shape: sp.Expr) -> sp.Expr | None:
    """FP of C t^a (ln t)^l exp(-b t^p) over (0, oo): the l-th derivative in a of Gamma(s) b^(-s)/p, s = (a+1)/p.

    At a pole s = -m, l = 0, the finite part is (-b)^m (psi(m+1) - ln b)/(m! p).
    """
    found = _exponential(shape)
    if found is None:
        return None
    constant, a, logs, b, p = found
    s = sy.cancel((a + 1) / p)
    if s.is_Integer and s <= 0:
        if logs:
            return None
        m = -s
        return constant * (-b) ** m * (sp.digamma(m + 1) - sp.log(b)) / (sp.factorial(m) * p)
    if not s.is_number and sign(s) != 1:
        raise Refused(f"whether {s} is a pole of the gamma function")
    power = sp.Dummy("a")
    form = sp.gamma((power + 1) / p) * b ** (-(power + 1) / p) / p
    return constant * sy.expand_func(sy.diff(form, power, logs).subs(power, a)) if logs else constant * form.subs(power, a)


def _lower(shape: sp.Expr, end: sp.Expr) -> sp.Expr | None:
    """The integral of C t^a exp(-b t^p) over (0, end), a > -1."""
    found = _exponential(shape)
    if found is None or found[2] or sign(found[1] + 1) != 1:
        return None
    constant, a, _, b, p = found
    s = sy.cancel((a + 1) / p)
    return constant * sp.lowergamma(s, b * end**p) * b ** (-s) / p
