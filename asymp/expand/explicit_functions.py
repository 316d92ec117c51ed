"""Explicit remainders of special functions: each by the theorem its docstring names."""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.enclosure.explicit import exact_ball, number, upper
from asymp.expand.calculus import Calculus, Explicit, explicitly
from asymp.expand.supremum import Ball, Later
from asymp.expansion import Refused
from asymp.scale import ONE


def tends_to_constant(c: Calculus, e: Explicit) -> bool:
    """Whether e tends to a finite limit (the coefficient of 1)."""
    return all(g == ONE or g.limit() == "zero" for g in e.terms) and (not e.error or e.error[0].limit() == "zero")


def tends_to_zero(c: Calculus, e: Explicit) -> bool:
    """Whether e -> 0 from above, by its leading term."""
    return tends_to_constant(c, e) and ONE not in e.terms and bool(e.terms) and c.leading(e)[2] > 0


def _bernoulli(j: int) -> sp.Rational:
    return sp.bernoulli(2 * j)


def _pairs(c: Calculus) -> int:
    return max(1, (c.order + 1) // 2)


def _size(x: sp.Expr) -> Ball:
    return upper(number(x))


# --- gamma and its kin -------------------------------------------------------------------------


def loggamma(c: Calculus, x: Explicit) -> Explicit:
    """Stirling's series; for x > 0 the remainder is at most the first term left out (DLMF 5.11(ii))."""
    c.large(x, "ln Gamma")
    y, count = c.inverse(x), _pairs(c)
    coefficients = [sp.S.Zero] * (2 * count + 1)
    for j in range(1, count + 1):
        coefficients[2 * j - 1] = _bernoulli(j) / (2 * j * (2 * j - 1))
    tail = _size(_bernoulli(count + 1) / ((2 * count + 2) * (2 * count + 1)))
    half = c.constant(-sp.Rational(1, 2))
    head = c.multiply(c.add([x, half]), c.log(x))
    constant = c.constant(sp.log(2) / 2 + sp.log(sp.pi) / 2)
    return c.add([head, c.scale(x, -1), constant, c.series(y, coefficients, tail)])


@explicitly(sp.loggamma)
def _loggamma(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    if tends_to_zero(c, x):  # ln Gamma(x) = ln Gamma(1 + x) - ln x
        return c.add([c.taylor(sp.loggamma, c.add([x, c.constant(1)])), c.scale(c.log(x), -1)])
    return c.taylor(sp.loggamma, x) if tends_to_constant(c, x) else loggamma(c, x)


@explicitly(sp.gamma)
def _gamma(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    if tends_to_zero(c, x):  # Gamma(x) = Gamma(1 + x)/x
        return c.multiply(c.taylor(sp.gamma, c.add([x, c.constant(1)])), c.inverse(x))
    return c.taylor(sp.gamma, x) if tends_to_constant(c, x) else c.exp(loggamma(c, x))


@explicitly(sp.factorial)
def _factorial(c: Calculus, expr: sp.Expr) -> Explicit:
    """x! = x Gamma(x)."""
    x = c(expr.args[0])
    return c.exp(c.add([loggamma(c, x), c.log(x)]))


@explicitly(sp.binomial)
def _binomial(c: Calculus, expr: sp.Expr) -> Explicit:
    """m!/(k! (m-k)!), in one exponential so that large parts cancel."""
    m, k = expr.args
    parts, factor = [], sp.S.One
    for sign, argument in ((1, m), (-1, k), (-1, sy.expand(m - k))):
        if argument.is_number:
            factor = factor * sp.factorial(argument) ** sign
        else:
            x = c(argument)
            parts += [c.scale(loggamma(c, x), sign), c.scale(c.log(x), sign)]
    return c.scale(c.exp(c.add(parts)), factor)


@explicitly(sp.harmonic)
def _harmonic(c: Calculus, expr: sp.Expr) -> Explicit:
    """H(x) = psi(x) + 1/x + gamma; H(x, m) = zeta(m) - zeta(m, x) + x^-m."""
    x = c(expr.args[0])
    if len(expr.args) == 1 or expr.args[1] == 1:
        if tends_to_constant(c, x):
            return c.taylor(sp.harmonic, x)
        return c.add([digamma(c, x), c.inverse(x), c.constant(sp.EulerGamma)])
    order = expr.args[1]
    if not order.is_number:
        raise Refused(f"harmonic numbers of order {order}")
    return c.add([c.constant(sp.zeta(order)), c.scale(hurwitz(c, order, x), -1), c.power(x, -order)])


def digamma(c: Calculus, x: Explicit) -> Explicit:
    """psi(x) = ln x - 1/(2x) - sum B_2k/(2k x^2k), rest at most the first term left out (DLMF 5.11.2, 5.11(ii))."""
    c.large(x, "psi")
    count = _pairs(c)
    coefficients = [sp.S.Zero] * (2 * count + 2)
    coefficients[1] = -sp.Rational(1, 2)
    for j in range(1, count + 1):
        coefficients[2 * j] = -_bernoulli(j) / (2 * j)
    tail = _size(_bernoulli(count + 1) / (2 * count + 2))
    return c.add([c.log(x), c.series(c.inverse(x), coefficients, tail)])


@explicitly(sp.polygamma)
def _polygamma(c: Calculus, expr: sp.Expr) -> Explicit:
    """psi^(m)(x) = (-1)^(m+1) m! zeta(m+1, x) (DLMF 25.11.12)."""
    m, x = expr.args[0], c(expr.args[1])
    if not (m.is_Integer and m >= 0):
        raise Refused(f"polygamma of order {m}")
    if m == 0 and tends_to_zero(c, x):  # psi(x) = psi(1 + x) - 1/x
        return c.add([c.taylor(sp.digamma, c.add([x, c.constant(1)])), c.scale(c.inverse(x), -1)])
    if tends_to_constant(c, x):
        return c.taylor(lambda s: sp.polygamma(m, s), x)
    if m == 0:
        return digamma(c, x)
    return c.scale(hurwitz(c, m + 1, x), (-1) ** (int(m) + 1) * sp.factorial(m))


def hurwitz(c: Calculus, s: sp.Expr, x: Explicit) -> Explicit:
    """zeta(s, x) = x^(1-s)/(s-1) + x^-s/2 + sum B_2k/(2k)! (s)_(2k-1) x^(1-s-2k) + rest, s real, x > 0.

    Euler-Maclaurin: the derivatives of t^-s from the (2K)th on have constant signs where s + 2K > 0, so the rest is
    at most the first term left out (Olver 8.1; DLMF 2.10.1, 25.11.28).
    """
    c.large(x, "zeta(s, x)")
    if not s.is_number or s == 1:
        raise Refused(f"zeta({s}, x)")
    y, count = c.inverse(x), _pairs(c)
    while not number(s + 2 * count) > 0:
        count += 1
    coefficients = [sp.S.Zero] * (2 * count + 2)
    coefficients[0], coefficients[1] = 1 / (s - 1), sp.Rational(1, 2)
    for j in range(1, count + 1):
        coefficients[2 * j] = _bernoulli(j) / sp.factorial(2 * j) * sp.rf(s, 2 * j - 1)
    tail = _size(_bernoulli(count + 1) / sp.factorial(2 * count + 2) * sp.rf(s, 2 * count + 1))
    return c.multiply(c.power(x, 1 - s), c.series(y, coefficients, tail))


@explicitly(sp.zeta)
def _zeta(c: Calculus, expr: sp.Expr) -> Explicit:
    if len(expr.args) == 1:
        return c.taylor(sp.zeta, c(expr.args[0]))
    return hurwitz(c, expr.args[0], c(expr.args[1]))


@explicitly(sp.Sum)
def _sum(c: Calculus, expr: sp.Expr) -> Explicit:
    """Sums of powers of the index and of its logarithm, from a number to x (at whole x): zeta and ln Gamma."""
    if len(expr.limits) != 1:
        raise Refused("a sum over several indices")
    k, low, high = expr.limits[0]
    if not low.is_Integer or low < 1 or high == sp.oo or k in high.free_symbols:
        raise Refused("a sum that does not run from a whole number to the variable")
    parts = []
    for term in sp.Add.make_args(sy.expand(expr.function)):
        factor, rest = term.as_independent(k, as_Add=False)
        base, exponent = rest.as_base_exp()
        if base == k and exponent.is_number:
            value: sp.Expr = sp.harmonic(high, -exponent, evaluate=False) if exponent != -1 else sp.harmonic(high)
            head = sp.Add(*(sp.Integer(j) ** exponent for j in range(1, int(low))))
        elif rest == sp.log(k):
            value, head = sp.loggamma(high) + sp.log(high), sp.log(sp.factorial(low - 1))
        elif rest == 1:
            value, head = high, low - 1
        else:
            raise Refused(f"no explicit bound for the sum of {rest}")
        parts.append(c.multiply(c(factor), c.add([c(value), c.constant(-head)])))
    return c.add(parts)


# --- exponential integrals, error function ------------------------------------------------------


@explicitly(sp.erfc)
def _erfc(c: Calculus, expr: sp.Expr) -> Explicit:
    return erfc(c, c(expr.args[0]))


@explicitly(sp.erf)
def _erf(c: Calculus, expr: sp.Expr) -> Explicit:
    return c.add([c.constant(1), c.scale(erfc(c, c(expr.args[0])), -1)])


def erfc(c: Calculus, x: Explicit) -> Explicit:
    """DLMF 7.12.1; for x > 0 the remainder is at most the first term left out (7.12(i)); 2 - erfc(-x) at -oo."""
    if tends_to_constant(c, x):
        return c.taylor(sp.erfc, x)
    if c.leading(x)[2] < 0:
        return c.add([c.constant(2), c.scale(erfc(c, c.scale(x, -1)), -1)])
    c.large(x, "erfc")
    y, square = c.inverse(x), c.multiply(x, x)
    half, count = sp.Rational(1, 2), c.order + 1
    series = c.series(c.multiply(y, y), [(-1) ** k * sp.rf(half, k) for k in range(count)], _size(sp.rf(half, count)))
    head = c.multiply(c.exp(c.scale(square, -1)), c.scale(y, 1 / sp.sqrt(sp.pi)))
    return c.multiply(head, series)


def upper_gamma(c: Calculus, a: sp.Expr, x: Explicit) -> Explicit:
    """Gamma(a, x) = x^(a-1) e^-x sum (a-1)...(a-k) x^-k; the rest at most the first term left out if there are
    at least a - 1 terms (DLMF 8.11.2-3)."""
    c.large(x, "Gamma(a, x)")
    if not a.is_number:
        raise Refused(f"the incomplete gamma function of order {a}")
    count = c.order + 1
    while not number(a - 1 - count) <= 0:
        count += 1
    coefficients = [sp.ff(a - 1, k) for k in range(count)]
    series = c.series(c.inverse(x), coefficients, _size(sp.ff(a - 1, count)))
    return c.multiply(c.multiply(c.power(x, a - 1), c.exp(c.scale(x, -1))), series)


@explicitly(sp.uppergamma)
def _uppergamma(c: Calculus, expr: sp.Expr) -> Explicit:
    a, x = expr.args[0], c(expr.args[1])
    return c.taylor(lambda s: sp.uppergamma(a, s), x) if tends_to_constant(c, x) else upper_gamma(c, a, x)


@explicitly(sp.expint)
def _expint(c: Calculus, expr: sp.Expr) -> Explicit:
    """E_nu(x) = x^(nu-1) Gamma(1 - nu, x) (DLMF 8.19.1)."""
    nu, x = expr.args[0], c(expr.args[1])
    if not nu.is_number:
        raise Refused(f"the exponential integral of order {nu}")
    if nu == 1 and tends_to_zero(c, x):
        return _e1_at_zero(c, x)
    if tends_to_constant(c, x):
        return c.taylor(lambda s: sp.expint(nu, s), x)
    return c.multiply(c.power(x, nu - 1), upper_gamma(c, 1 - nu, x))


def _e1_at_zero(c: Calculus, x: Explicit) -> Explicit:
    """E_1(x) = -gamma - ln x - sum_{k >= 1} (-x)^k/(k k!), the tail at most e^x x^(K+1)/((K+1)(K+1)!) (DLMF 6.6.2)."""
    count = c.order + 1
    coefficients = [0, *(-sp.Rational((-1) ** k, k) / sp.factorial(k) for k in range(1, count))]
    tail = c.delta(x).exp() / (count * number(sp.factorial(count)))
    return c.add([c.constant(-sp.EulerGamma), c.scale(c.log(x), -1), c.series(x, coefficients, tail)])


@explicitly(sp.Ei)
def _ei(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(sp.Ei, x)
    if c.leading(x)[2] < 0:  # Ei(-x) = -E_1(x), DLMF 6.2.6
        y = c.scale(x, -1)
        return c.scale(c.multiply(c.inverse(y), c.multiply(y, upper_gamma(c, sp.S.Zero, y))), -1)
    return exponential_integral(c, x)


def exponential_integral(c: Calculus, x: Explicit) -> Explicit:
    """Ei(x) = e^x sum_{k<K} k!/x^(k+1) + R(x), 0 <= |R(x)| <= a K! e^x/x^(K+1) for x >= X.

    R' = K! e^x/x^(K+1), and M = a K! e^x/x^(K+1) has M' = M (1 - (K+1)/x); so |R| <= M for all x >= X where
    |R(X)| <= M(X), which a ball shows, and a (1 - (K+1)/X) >= 1.
    """
    low, count = c.large(x, "Ei"), c.order + 1
    margin = 1 - (count + 1) / low
    if not margin > exact_ball(1) / 4:
        raise Later("Ei needs a larger argument")
    scale = number(sp.factorial(count)) * low.exp() / low ** (count + 1)
    partial = sum((number(sp.factorial(k)) / low ** (k + 1) for k in range(count)), exact_ball(0)) * low.exp()
    rest = upper(low.ei() - partial) / scale
    factor = (1 / margin).max(rest)
    if not factor.is_finite():
        raise Later("Ei needs a larger argument")
    y = c.inverse(x)
    series = c.series(y, [sp.factorial(k) for k in range(count)], factor * number(sp.factorial(count)))
    return c.multiply(c.multiply(c.exp(x), y), series)


@explicitly(sp.li)
def _li(c: Calculus, expr: sp.Expr) -> Explicit:
    """li(x) = Ei(ln x) (DLMF 6.2.8)."""
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(sp.li, x)
    return exponential_integral(c, c.log(x))


@explicitly(sp.Li)
def _big_li(c: Calculus, expr: sp.Expr) -> Explicit:
    return c.add([c(sp.li(expr.args[0])), c.constant(-sp.li(2))])


@explicitly(sp.LambertW)
def _lambert(c: Calculus, expr: sp.Expr) -> Explicit:
    """W(x), x -> oo: |W - P| <= |P + ln P - ln x| for any P > 0, as w + ln w has slope above 1.

    P is de Bruijn's expansion (DLMF 4.13.10) cut at j + k <= K.
    """
    if len(expr.args) > 1 and expr.args[1] != 0:
        raise Refused("only the principal branch of Lambert's W")
    x = c(expr.args[0])
    if ONE not in x.terms and tends_to_constant(c, x):
        return _lambert_at_zero(c, x)
    if tends_to_constant(c, x):
        return c.taylor(sp.LambertW, x)
    c.large(x, "Lambert's W")
    log = c.log(x)
    first, factor, _ = c.leading(log)
    if len(log.terms) > 1 or log.error or factor != 1:
        raise Refused("Lambert's W of more than n")
    inner = c.log(log)
    ell, em = first, c.leading(inner)[0]
    terms = {ell: sp.S.One, em: sp.S.NegativeOne}
    for total in range(1, c.order + 1):
        for k in range(1, total + 1):
            j = total - k
            cycles = sp.functions.combinatorial.numbers.stirling(total, j + 1, kind=1, signed=False)
            terms[em**k * ell**-total] = sp.Integer((-1) ** j) * cycles / sp.factorial(k)
    p = Explicit({g: t for g, t in terms.items() if t != 0})
    c.large(p, "Lambert's W")
    gap = c.add([p, c.log(p), c.scale(log, -1)])
    growth, size = c.magnitude(gap)
    return c.add([p, c.bounded(growth, size)])


def _lambert_at_zero(c: Calculus, x: Explicit) -> Explicit:
    """W(x) = sum (-k)^(k-1) x^k/k! (DLMF 4.13.5); k^(k-1)/k! grows at most e-fold from k to k + 1."""
    count = c.order + 1
    decay = 1 - c.delta(x) * number(sp.E)
    if not decay > 0:
        raise Later("the series of Lambert's W does not converge from this start on")
    coefficients = [0, *((-sp.Integer(k)) ** (k - 1) / sp.factorial(k) for k in range(1, count))]
    return c.series(x, coefficients, number(sp.Integer(count) ** (count - 1) / sp.factorial(count)) / decay)


# --- circular and hyperbolic functions, integer parts --------------------------------------------


@explicitly(sp.sin, sp.cos)
def _wave(c: Calculus, expr: sp.Expr) -> Explicit:
    """Taylor's series where the argument tends to a number; between -1 and 1 anywhere."""
    try:
        x = c(expr.args[0])
        if tends_to_constant(c, x):
            return c.taylor(expr.func, x)
    except Refused:
        pass
    return c.bounded(ONE)


@explicitly(sp.tan, sp.asin, sp.acos, sp.asinh, sp.atanh)
def _local(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    if not tends_to_constant(c, x):
        raise Refused(f"{expr.func.__name__} of what does not tend to a number")
    return c.taylor(expr.func, x)


@explicitly(sp.atan)
def _atan(c: Calculus, expr: sp.Expr) -> Explicit:
    """atan(x) = pi/2 - atan(1/x) for x > 0."""
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(sp.atan, x)
    if c.leading(x)[2] < 0:
        raise Refused("atan at -infinity")
    c.large(x, "atan")
    return c.add([c.constant(sp.pi / 2), c.scale(c.taylor(sp.atan, c.inverse(x)), -1)])


@explicitly(sp.sinh, sp.cosh)
def _hyperbolic(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(expr.func, x)
    half, sign = sp.Rational(1, 2), -1 if isinstance(expr, sp.sinh) else 1
    return c.add([c.scale(c.exp(x), half), c.scale(c.exp(c.scale(x, -1)), sign * half)])


@explicitly(sp.tanh)
def _tanh(c: Calculus, expr: sp.Expr) -> Explicit:
    """tanh(x) = (1 - q)/(1 + q), q = e^(-2x)."""
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(sp.tanh, x)
    if c.leading(x)[2] < 0:
        return c.scale(c(sp.tanh(-expr.args[0], evaluate=False)), -1)
    q, one = c.exp(c.scale(x, -2)), c.constant(1)
    return c.multiply(c.add([one, c.scale(q, -1)]), c.inverse(c.add([one, q])))


@explicitly(sp.floor, sp.ceiling)
def _integer_part(c: Calculus, expr: sp.Expr) -> Explicit:
    """floor(x) = x - 1/2 + theta/2."""
    shift = sp.Rational(-1 if isinstance(expr, sp.floor) else 1, 2)
    half = c.bounded(ONE, exact_ball(1) / 2)
    return c.add([c(expr.args[0]), c.constant(shift), half])


@explicitly(sp.Abs)
def _abs(c: Calculus, expr: sp.Expr) -> Explicit:
    e = c(expr.args[0])
    if e.terms:
        return c.scale(e, c.sign(e))
    return c.between_zero_and(*e.error) if e.error else e
