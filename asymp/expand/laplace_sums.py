r"""Laplace's method for sums of hypergeometric terms with one peak inside the range.

Let t(n, k) be a product of Gamma(alpha n + beta k + gamma)^(+-1), powers (alpha n + beta k + gamma)^p and c^k, with
k = n x, and r(n, k) = t(n, k+1)/t(n, k) decreasing in k on the whole range, r -> rho(x).  Let rho(x0) = 1 for an x0
inside the range, rho'(x0) < 0.  Then the terms rise to x0 and fall from it, so those with |k - n x0| > n^(1/2 + d) are
smaller than any power of 1/n times the largest; for the others Stirling's series (DLMF 5.11.8) gives, uniformly,

.. math:: \ln t = n\varphi(y) + \psi_0(y) + \psi_1(y)/n + \cdots, \qquad x = x_0 + y,

and the sum over k is the integral n dy up to less than any power of 1/n (Poisson's formula), so that

.. math:: \sum_k t = e^{n\varphi(0) + \psi_0(0)} \sqrt{\frac{2\pi n}{-\varphi''(0)}}
   \Bigl(1 + \frac{c_1}{n} + \cdots\Bigr)

times powers of n, with c_j the Gaussian moments of the exponential's Taylor series.  Source: de Bruijn, Asymptotic
Methods in Analysis, 3.3-3.9 and 4.4; Flajolet and Sedgewick, Analytic Combinatorics, B.6.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.engine import Expander
from asymp.expand.hypergeometric_sums import term_ratio
from asymp.expansion import Expansion, Refused
from asymp.scale import sign

_X = sp.Dummy("x", positive=True)
_Y = sp.Dummy("y", real=True)
MOST_ORDER = 6


@dataclass(frozen=True)
class Piece:
    """Gamma(z)^weight (``gamma``) or z^weight, z = alpha n + beta k + shift."""

    gamma: bool
    weight: sp.Expr
    alpha: sp.Expr
    beta: sp.Expr
    shift: sp.Expr


def pieces(term: sp.Expr, k: sp.Symbol, n: sp.Symbol) -> tuple[list[Piece], sp.Expr, sp.Expr, sp.Expr]:
    """(pieces, c, q, constant): term = constant * (c n^q)^k * product of pieces; the constant is free of k.

    Raises:
        Refused: a factor of another form.
    """
    found: list[Piece] = []
    base, power, constant = sp.S.One, sp.S.Zero, sp.S.One

    def linear(z: sp.Expr, gamma: bool, weight: sp.Expr) -> None:
        poly = sy.poly(sy.expand(z), k, n) if sy.expand(z).is_polynomial(k, n) else None
        if poly is None or poly.total_degree() > 1:
            raise Refused(f"{z} is not linear in {k} and {n}")
        alpha, beta, shift = (poly.coeff_monomial(m) for m in (n, k, 1))
        found.append(Piece(gamma, weight, alpha, beta, shift))

    def add(factor: sp.Expr, weight: sp.Expr) -> None:
        nonlocal base, power, constant
        if k not in factor.free_symbols:
            constant *= factor**weight
        elif isinstance(factor, sp.binomial):
            top, bottom = factor.args
            for z, s in ((top, 1), (bottom, -1), (top - bottom, -1)):
                add(sp.factorial(z), s * weight)
        elif isinstance(factor, sp.factorial):
            linear(factor.args[0] + 1, True, weight)
        elif isinstance(factor, sp.gamma):
            linear(factor.args[0], True, weight)
        elif isinstance(factor, sp.exp) or (factor.is_Pow and k not in factor.base.free_symbols):
            root, exponent = (sp.E, factor.args[0]) if isinstance(factor, sp.exp) else factor.args
            slope = sy.expand(exponent).coeff(k, 1)
            rest = sy.expand(exponent - slope * k)
            if k in rest.free_symbols or (slope.free_symbols | rest.free_symbols) & {n, k}:
                raise Refused(f"{factor} is no fixed power")
            constant *= root ** (rest * weight)
            content, others = root.as_independent(n, as_Add=False)
            inner, degree = others.as_base_exp() if others != 1 else (n, sp.S.Zero)
            if inner != n or degree.free_symbols:
                raise Refused(f"{root} is no power of {n}")
            base *= content ** (slope * weight)
            power += degree * slope * weight
        elif factor.is_Pow and k not in factor.exp.free_symbols:
            add(factor.base, weight * factor.exp)
        elif factor.is_Mul:
            for part in factor.args:
                add(part, weight)
        elif factor.is_polynomial(k, n):
            linear(factor, False, weight)
        else:
            raise Refused(f"{factor} is not of the hypergeometric kind")

    add(term, sp.S.One)
    return found, base, power, constant


def require_falling_ratio(ratio: sp.Expr, k: sp.Symbol, n: sp.Symbol, low: sp.Expr, high: sp.Expr) -> None:
    """Raises Refused unless dr/dk < 0 for all low <= k < high, k and n real, by the signs of coefficients."""
    top, bottom = sp.fraction(sy.factor(ratio))
    slope = sy.expand(sy.diff(top, k) * bottom - top * sy.diff(bottom, k))
    p, q = sp.symbols("p q", nonnegative=True)
    places = {k: low + p}
    if high is sp.oo:
        places[n] = q + 1
    else:
        lead = sy.expand(high).coeff(n, 1)
        if sign(lead) != 1 or low.has(n):
            raise Refused("a range that is not from a number to a multiple of the variable")
        places[n] = sy.expand((low + p + 1 + q - (high - lead * n)) / lead)
    moved = sy.expand(slope.subs(places, simultaneous=True))
    if not all(sign(c) in (0, -1) for c in sy.poly(moved, p, q).coeffs()):
        raise Refused("the ratio of successive terms is not seen to decrease")


def peak(ratio: sp.Expr, k: sp.Symbol, n: sp.Symbol, end: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """(x0, rho) with rho(x0) = 1, rho the limit of r(n, nx), 0 < x0 < end.

    Raises:
        Refused: no single such point.
    """
    top, bottom = (sy.poly(sy.expand(q.subs(k, n * _X)), n) for q in sp.fraction(sy.factor(ratio)))
    if top.degree() != bottom.degree():
        raise Refused("the ratio of successive terms has no limit for k = n x: no peak inside the range")
    rho = sy.cancel(top.LC() / bottom.LC())
    equation = sp.numer(sy.together(rho - 1))
    inside = []
    for root in sy.roots(sy.poly(equation, _X), _X) or ():
        if root.is_real is False or sy.simplify(equation.subs(_X, root)) != 0:
            continue
        if sign(root) == 1 and (end is sp.oo or sign(sy.radsimp(end - root)) == 1):
            inside.append(root)
        elif sign(root) is None or (end is not sp.oo and sign(sy.radsimp(end - root)) is None):
            raise Refused(f"whether the peak at {root} lies in the range depends on parameters")
    if len(inside) != 1:
        raise Refused("no single peak inside the range")
    return inside[0], rho


def laplace_sum(expander: Expander, expr: sp.Expr) -> Expansion:
    """The sum of a hypergeometric term with one peak inside its range."""
    if len(expr.limits) != 1:
        raise Refused("a multiple sum")
    index, low, high = expr.limits[0]
    k = sp.Symbol(index.name, positive=True)
    term = expander.resolved(expr.function).subs(index, k)
    variables = (term.free_symbols | high.free_symbols) & expander._variables()
    if len(variables) != 1 or term.has(sp.Sum, sp.Product, sp.Integral) or not low.is_Integer or low < 0:
        raise Refused("Laplace's method takes a sum over k >= 0 in one variable")
    (n,) = variables
    high = expander.resolved(high)
    ratio = term_ratio(term, k)
    found, _, power, constant = pieces(term, k, n)
    require_falling_ratio(ratio, k, n, low, high)
    end = sp.oo if high is sp.oo else sy.expand(high).coeff(n, 1)
    centre, rho = peak(ratio, k, n, end)
    order = min(expander.order, MOST_ORDER)
    if sy.expand(sum(q.weight * q.beta for q in found if q.gamma) + power) != 0:
        raise Refused("the terms grow too fast for a peak of this kind")
    arguments = [sy.radsimp(q.alpha + q.beta * centre) for q in found]
    if any(sign(w) != 1 for w in arguments):
        raise Refused("a gamma function whose argument is not seen to be positive at the peak")
    curvature, series = _series(found, arguments, order)
    if sign(curvature) != 1:
        raise Refused("the peak is flat")
    expander.note(
        "Laplace's method for a sum",
        rf"\text{{peak at }} k/{sy.latex(n)} = {sy.latex(centre)},\quad \rho(x) = {sy.latex(rho.subs(_X, sp.Symbol('x')))},"
        rf"\quad -\varphi'' = {sy.latex(curvature)}",
        "de Bruijn, Asymptotic Methods in Analysis, 3.9; DLMF 5.11.8",
    )
    # n phi(0): rho(x0) = 1 takes away what multiplies x0, and sum of weight*beta = -power
    gammas = [(q, w) for q, w in zip(found, arguments, strict=True) if q.gamma]
    total = sy.expand(sum(q.weight * q.alpha for q, _ in gammas))
    rate = sy.radsimp(sy.simplify(sp.Mul(*(w ** (q.weight * q.alpha) for q, w in gammas))))
    slope = sy.expand(sum((q.weight * q.beta for q, _ in gammas), sp.S.Zero))  # is -power: what -w leaves
    exponent = n * sp.log(rate) - n * total - n * slope * centre + total * n * sp.log(n)
    algebraic = sp.Mul(
        *(w ** (q.weight * (q.shift - sp.Rational(1, 2)) if q.gamma else q.weight)
          for q, w in zip(found, arguments, strict=True))
    )
    degree = sum((q.weight * (q.shift - sp.Rational(1, 2)) if q.gamma else q.weight for q in found), sp.S.Zero)
    circle = (2 * sp.pi) ** (sum((q.weight for q, _ in gammas), sp.S.Zero) / 2)
    head = sy.sqrtdenest(sp.sqrt(sy.radsimp(sy.simplify(algebraic**2 / curvature)))) * circle * sp.sqrt(2 * sp.pi)
    size = expander(sp.exp(exponent, evaluate=False)) * expander(n**degree * sp.sqrt(n)).scaled(head)
    inverse = expander(1 / n)
    body = inverse.series(series)
    return expander(constant) * size * body


def _series(found: list[Piece], arguments: list[sp.Expr], order: int) -> tuple[sp.Expr, list[sp.Expr]]:
    """(-phi''(0), [1, c_1, ..., c_order])."""
    depth = 2 * order

    def taylor(j: int, m: int) -> sp.Expr:
        """The m-th Taylor coefficient at y = 0 of phi (j = -1) or psi_j."""
        total = sp.S.Zero
        for q, w in zip(found, arguments, strict=True):
            if q.beta == 0 and m > 0:
                continue
            step = (q.beta / w) ** m
            if j == -1:  # w ln w - w: m >= 2
                if q.gamma:
                    total += q.weight * w * (-1) ** m * step / (m * (m - 1))
            elif j == 0:
                weight = q.weight * (q.shift - sp.Rational(1, 2)) if q.gamma else q.weight
                total += weight * (-1) ** (m + 1) * step / m
            else:
                if q.gamma:
                    lead = (-1) ** (j + 1) * sp.bernoulli(j + 1, q.shift) / (j * (j + 1))
                else:
                    lead = (-1) ** (j + 1) * q.shift**j / sp.Integer(j)
                total += q.weight * lead * w**-j * sp.binomial(-j, m) * step
        return sy.radsimp(sy.expand(total))

    curvature = sy.radsimp(sy.simplify(-2 * taylor(-1, 2)))
    u = sp.Symbol("u")
    exponents = [sp.S.Zero] * (depth + 1)
    for s in range(1, depth + 1):
        total = taylor(-1, s + 2) * u ** (s + 2) + taylor(0, s) * u**s
        for j in range(1, s // 2 + 1):
            total += taylor(j, s - 2 * j) * u ** (s - 2 * j)
        exponents[s] = total
    weights: list[sp.Poly] = [sy.poly(1, u, domain="EX")]
    for s in range(1, depth + 1):
        value = sum((q * sy.expand(exponents[q] * weights[s - q].as_expr()) for q in range(1, s + 1)), sp.S.Zero)
        weights.append(sy.poly(sy.expand(value / s), u, domain="EX"))
    series = []
    for j in range(order + 1):
        moment = sp.S.Zero
        for (m,), c in weights[2 * j].terms():
            if m % 2 == 0:
                moment += c * sp.factorial2(m - 1) / curvature ** (m // 2)
        series.append(sy.radsimp(sy.simplify(moment)))
    return curvature, series
