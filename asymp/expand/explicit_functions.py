"""Explicit remainders of special functions: each by the theorem its docstring names."""

from __future__ import annotations

import sympy as sp

import asymp.symbolics as sy
from asymp.enclosure.explicit import exact_ball, number, upper
from asymp.expand.calculus import Calculus, Explicit, explicitly
from asymp.expand.rows import coefficients, read
from asymp.expand.supremum import Ball, Later
from asymp.expansion import Refused
from asymp.functions.row import conditions
from asymp.functions.series import at
from asymp.scale import ONE


def tends_to_constant(c: Calculus, e: Explicit) -> bool:
    """Whether e tends to a finite limit (the coefficient of 1)."""
    return all(g == ONE or g.limit() == "zero" for g in e.terms) and (not e.error or e.error[0].limit() == "zero")


def tends_to_zero(c: Calculus, e: Explicit) -> bool:
    """Whether e -> 0 from above, by its leading term."""
    return tends_to_constant(c, e) and ONE not in e.terms and bool(e.terms) and c.leading(e)[2] > 0


def _size(x: sp.Expr) -> Ball:
    return upper(number(x))


# --- gamma and its kin -------------------------------------------------------------------------


def enveloped(c: Calculus, name: str, x: Explicit, *fixed: sp.Expr) -> Explicit:
    """A series of the table whose remainder is at most the first term left out, for x > 0, which tends to oo or to 0."""
    at_zero = tends_to_zero(c, x)
    if not at_zero:
        c.large(x, name)
    one = next(one for one in at(name) if one.bound is not None and one.at == ("0+" if at_zero else "oo"))
    put = dict(zip(one.arguments, (*fixed, c.standing_for(x)), strict=True))
    (part,) = one.sums
    last = part.last(c.order)
    for kind, text in conditions(one.bound or ""):
        letters = {letter for letter in put if letter in text}
        if kind != ">=" or ("x" in letters and "k" in text):
            raise Refused(f"the condition {text} of {one}")
        if "x" in letters:
            if not number(read(text, {**put, "x": sp.S.Zero})) - c.delta(x) >= 0:  # 1 - x, as yet
                raise Later(f"{name}: the argument is not known to be small enough")
        else:
            while not number(read(text, {**put, "k": sp.Integer(last + 1)})) >= 0:
                last += 1
    *known, left = coefficients(part, put, last + 1)
    total = c.series(c(read(part.step, put)), known, _size(left))
    return c.add([c(read(one.plus, put)), c.multiply(c(read(part.head, put)), total)])


def loggamma(c: Calculus, x: Explicit) -> Explicit:
    """Stirling's series."""
    return enveloped(c, "loggamma", x)


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
        return c.add([enveloped(c, "digamma", x), c.inverse(x), c.constant(sp.EulerGamma)])
    order = expr.args[1]
    if not order.is_number:
        raise Refused(f"harmonic numbers of order {order}")
    return c.add([c.constant(sp.zeta(order)), c.scale(hurwitz(c, order, x), -1), c.power(x, -order)])


@explicitly(sp.polygamma)
def _polygamma(c: Calculus, expr: sp.Expr) -> Explicit:
    m, x = expr.args[0], c(expr.args[1])
    if not (m.is_Integer and m >= 0):
        raise Refused(f"polygamma of order {m}")
    if m == 0 and tends_to_zero(c, x):  # psi(x) = psi(1 + x) - 1/x
        return c.add([c.taylor(sp.digamma, c.add([x, c.constant(1)])), c.scale(c.inverse(x), -1)])
    if tends_to_constant(c, x):
        return c.taylor(lambda s: sp.polygamma(m, s), x)
    return enveloped(c, "polygamma", x, m) if m else enveloped(c, "digamma", x)


def hurwitz(c: Calculus, s: sp.Expr, x: Explicit) -> Explicit:
    """zeta(s, x) = x^(1-s)/(s-1) + x^-s/2 + sum B_2k/(2k)! (s)_(2k-1) x^(1-s-2k) + rest, s real, x > 0.

    Euler-Maclaurin: the derivatives of t^-s from the (2K)th on have constant signs where s + 2K > 0, so the rest is
    at most the first term left out (Olver 8.1; DLMF 2.10.1, 25.11.28).
    """
    c.large(x, "zeta(s, x)")
    if not s.is_number or s == 1:
        raise Refused(f"zeta({s}, x)")
    y, count = c.inverse(x), max(1, (c.order + 1) // 2)
    while not number(s + 2 * count) > 0:
        count += 1
    coefficients = [sp.S.Zero] * (2 * count + 2)
    coefficients[0], coefficients[1] = 1 / (s - 1), sp.Rational(1, 2)
    for j in range(1, count + 1):
        coefficients[2 * j] = sp.bernoulli(2 * j) / sp.factorial(2 * j) * sp.rf(s, 2 * j - 1)
    tail = _size(sp.bernoulli(2 * count + 2) / sp.factorial(2 * count + 2) * sp.rf(s, 2 * count + 1))
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
    """At oo by the table; 2 - erfc(-x) at -oo."""
    if tends_to_constant(c, x):
        return c.taylor(sp.erfc, x)
    if c.leading(x)[2] < 0:
        return c.add([c.constant(2), c.scale(erfc(c, c.scale(x, -1)), -1)])
    return enveloped(c, "erfc", x)


def upper_gamma(c: Calculus, a: sp.Expr, x: Explicit) -> Explicit:
    """Gamma(a, x) for large x, by the table."""
    if not a.is_number:
        raise Refused(f"the incomplete gamma function of order {a}")
    return enveloped(c, "uppergamma", x, a)


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
        return enveloped(c, "E1", x)
    if tends_to_constant(c, x):
        return c.taylor(lambda s: sp.expint(nu, s), x)
    return c.multiply(c.power(x, nu - 1), upper_gamma(c, 1 - nu, x))


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
    (part,) = at("Ei")[0].sums
    known = coefficients(part, {}, count - 1)
    scale = number(sp.factorial(count)) * low.exp() / low ** (count + 1)
    partial = sum((number(known[k]) / low ** (k + 1) for k in range(count)), exact_ball(0)) * low.exp()
    rest = upper(low.ei() - partial) / scale
    factor = (1 / margin).max(rest)
    if not factor.is_finite():
        raise Later("Ei needs a larger argument")
    put = {"x": c.standing_for(x)}
    series = c.series(c(read(part.step, put)), known, factor * number(sp.factorial(count)))
    return c.multiply(c(read(part.head, put)), series)


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
    _, factor, _ = c.leading(log)
    if len(log.terms) > 1 or log.error or factor != 1:
        raise Refused("Lambert's W of more than n")
    letter = c.standing_for(x)
    one = next(one for one in at("LambertW") if one.at == "oo")
    (part,) = one.sums
    step, power, parts = c(read(part.step, {"x": letter})), c.constant(1), [c(read(one.plus, {"x": letter}))]
    for k in range(1, c.order + 1):
        power = c.multiply(power, step)
        parts.append(c.multiply(c(read(part.coefficient, {"x": letter, "k": sp.Integer(k)})), power))
    p = c.add(parts)
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
    (part,) = at("LambertW")[0].sums
    return c.series(x, coefficients(part, {}, count - 1), number(sp.Integer(count) ** (count - 1) / sp.factorial(count)) / decay)


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
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(sp.atan, x)
    if c.leading(x)[2] < 0:
        raise Refused("atan at -infinity")
    c.large(x, "atan")
    return c(read(at("atan")[0].plus, {"x": c.standing_for(x)}))


@explicitly(sp.sinh, sp.cosh, sp.tanh)
def _hyperbolic(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    if tends_to_constant(c, x):
        return c.taylor(expr.func, x)
    if isinstance(expr, sp.tanh) and c.leading(x)[2] < 0:
        return c.scale(c(sp.tanh(-expr.args[0], evaluate=False)), -1)
    return c(read(at(expr.func.__name__)[0].plus, {"x": c.standing_for(x)}))


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


@explicitly(sp.airyai)
def _airy(c: Calculus, expr: sp.Expr) -> Explicit:
    x = c(expr.args[0])
    return c.taylor(sp.airyai, x) if tends_to_constant(c, x) else enveloped(c, "airyai", x)


@explicitly(sp.besselk)
def _besselk(c: Calculus, expr: sp.Expr) -> Explicit:
    nu, x = expr.args[0], c(expr.args[1])
    if not nu.is_number or tends_to_constant(c, x):
        raise Refused(f"no explicit bound for K of order {nu} at {x.terms}")
    return enveloped(c, "besselk", x, nu)
