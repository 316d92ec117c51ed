"""The incomplete gamma functions with a large first argument and x/a -> lambda: 0, below 1, 1, above 1, infinite.

With b_0 = 1, b_k = lambda (1 - lambda) b'_{k-1} + (2k-1) lambda b_{k-1} (DLMF 8.11.6-9),

    Gamma(a, x) ~ x^a e^(-x) sum_k (-1)^k b_k(lambda) / ((lambda - 1)^(2k+1) a^(k+1)),   x = lambda a, lambda > 1,

and for lambda < 1 the same sum with the opposite sign is gamma(a, x) = Gamma(a) - Gamma(a, x).  Both are uniform away
from lambda = 1.  Below, gamma(a, x) = x^a e^(-x) int_0^oo e^(-a f(t)) dt with f = t - lambda (1 - e^(-t)), f' >= 1 -
lambda; above, Gamma(a, x) = x^a e^(-x) int_0^oo e^(-x g(t)) dt with g = e^t - 1 - t/lambda, g' >= 1 - 1/lambda: with
the phase as variable, Watson's lemma holds with one constant for all lambda in [0, l] or 1/lambda in [0, l], l < 1.
At lambda = 1 Temme's uniform expansion takes over.  Next to a constant c, of a fixed x, Taylor's series in a.
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.expand.engine import Expander
from asymp.expand.method import handles
from asymp.expand.place import place, power_series, shifted, side
from asymp.expand.rational_series import exponential, power, stirling_weights
from asymp.expansion import Expansion, Refused
from asymp.scale import sign
from asymp.special import GammaDerivative

_lam = sp.Symbol("lam")


@uncounted
@lru_cache(maxsize=64)
def polynomial(k: int) -> sp.Expr:
    """b_k, a polynomial of degree k in ``lam``.

    >>> polynomial(2)
    2*lam**2 + lam
    """
    if k == 0:
        return sp.S.One
    before = polynomial(k - 1)
    return sy.expand(_lam * (1 - _lam) * sy.diff(before, _lam) + (2 * k - 1) * _lam * before)


@handles(sp.uppergamma, sp.lowergamma)
def varying(expander: Expander, expr: sp.Expr) -> Expansion:
    """A first argument that varies."""
    a, x = expr.args
    if not a.free_symbols & expander._variables():
        raise Refused(f"the kernel has no series of {expr}", undecided=())
    return _varying(expander, a, x, lower=isinstance(expr, sp.lowergamma))


def _varying(expander: Expander, a: sp.Expr, x: sp.Expr, lower: bool) -> Expansion:
    """A first argument that varies: large, or near a constant c, where Taylor's series in a has the coefficients

    Gamma^(k)(c, x)/k! (entire in a for fixed x > 0).
    """
    first = expander(a)
    at = place(first)
    if at.kind == "infinity":
        return both_large(expander, a, x, lower)
    if lower:
        return expander(sp.gamma(a, evaluate=False) - sp.uppergamma(a, x, evaluate=False))
    if at.kind == "-infinity":  # Gamma(a, x) = x^a E_{1-a}(x), DLMF 8.19.1
        return expander(sp.exp(a * sp.log(x), evaluate=False) * sp.expint(1 - a, x, evaluate=False))
    if x.free_symbols & expander._variables():
        raise Refused(f"the incomplete gamma function of {a} and {x}, both of which vary")
    argument = expander(x).expr
    if sign(argument) != 1:
        raise Refused(f"incomplete gamma function at {argument}, which is not known to be positive")
    c = at.centre
    return power_series(
        shifted(first, c), lambda k: GammaDerivative(k, c, argument) / sp.factorial(k), expander.order
    )


def both_large(expander: Expander, a: sp.Expr, x: sp.Expr, lower: bool = False, share: bool = False) -> Expansion:
    """Gamma(a, x), or gamma(a, x) if ``lower``, for a -> +oo and x > 0 in any ratio that has a limit.

    ``share``: divided by Gamma(a), so that the 1 in Gamma(a, x)/Gamma(a) = 1 - gamma(a, x)/Gamma(a) is exact.

    Raises:
        Refused: the ratio has no limit, or its side of 1 depends on a parameter.
    """
    large, argument = expander(a), expander(x)
    if place(large).kind != "infinity":
        raise Refused(f"{a} does not tend to +infinity")
    if side(argument) != 1:
        raise Refused(f"incomplete gamma function at {x}, which is not positive")
    exact = _constant_ratio(expander, a, x)
    if exact is not None:
        shift, ratio = exact
        return _shifted(expander, a, x, shift, ratio, lower, share)
    gap = expander(sy.expand(expander.resolved(x) - expander.resolved(a)))
    delta = gap * large.inverse(expander.order)
    try:
        at = place(delta)
    except Refused as refused:
        raise Refused(f"the incomplete gamma function of {a} and {x}: {refused}") from refused
    if at.kind == "zero":
        return _window(expander, large, delta, lower, share)
    if at.kind == "infinity":  # lambda -> oo: in 1/lambda and 1/x
        small, rate = large * argument.inverse(expander.order), argument.inverse(expander.order)
        return _away(expander, a, x, small, rate, True, lower, share)
    # x/a from its leading terms: delta -> -1 exactly where x is of smaller order
    small, rate = argument * large.inverse(expander.order), large.inverse(expander.order)
    limit = at.centre + 1
    if limit == 0:
        return _away(expander, a, x, small, rate, False, lower, share)
    if at.kind == "-infinity" or sign(sy.factor(at.centre)) not in (1, -1):
        raise Refused(f"whether {limit} exceeds 1 depends on parameters")
    if sign(sy.factor(at.centre)) == 1:
        small, rate = large * argument.inverse(expander.order), argument.inverse(expander.order)
        return _away(expander, a, x, small, rate, True, lower, share)
    return _away(expander, a, x, small, rate, False, lower, share)


def _constant_ratio(expander: Expander, a: sp.Expr, x: sp.Expr) -> tuple[int, sp.Expr] | None:
    """(m, x/(a - m)) for a small integer m where that is a constant."""
    variables = expander._variables()
    for shift in (0, 1, -1, 2, -2, 3, -3):
        base = sy.expand(expander.resolved(a)) - shift
        ratio = sy.cancel(expander.resolved(x) / base) if base != 0 else x
        if not ratio.free_symbols & variables:
            return shift, ratio
    return None


def _note(expander: Expander) -> None:
    expander.note(
        "incomplete gamma function with both arguments large",
        r"\Gamma(a,\lambda a) \sim (\lambda a)^a e^{-\lambda a}\sum_k \frac{(-1)^k b_k(\lambda)}"
        r"{(\lambda-1)^{2k+1}a^{k+1}}\;(\lambda>1),\quad b_k = \lambda(1-\lambda)b_{k-1}'+(2k-1)\lambda b_{k-1}",
        "DLMF 8.11.6-9",
    )


def _away(
    expander: Expander, a: sp.Expr, x: sp.Expr, small: Expansion, rate: Expansion, above: bool, lower: bool,
    share: bool,
) -> Expansion:
    """The function on the side of the ratio (the upper one above 1), or Gamma(a) less it.

    Below 1 small is lambda and rate 1/a: sum_k b_k (1-lambda)^(-2k-1) rate^(k+1) (-1)^k.  Above 1 small is
    m = 1/lambda and rate 1/x: b_k/((lambda-1)^(2k+1) a^(k+1)) = m^k b_k(1/m) (1-m)^(-2k-1) x^(-k-1).
    """
    order = expander.order
    room = (Expansion.constant(1) - small).inverse(order)
    square = room * room
    weight, terms = rate * room, []
    for k in range(order + 1):
        poly = polynomial(k)
        if above:
            poly = sy.expand(_lam**k * poly.subs(_lam, 1 / _lam))
        value = Expansion.constant(0)
        for c in sy.poly(poly, _lam).all_coeffs():
            value = value * small + Expansion.constant(c)
        # below, (-1)^k/(lambda-1)^(2k+1) = -(-1)^k/(1-lambda)^(2k+1), and gamma is minus the sum
        terms.append((weight * value).scaled((-1) ** k))
        weight = weight * square * rate
    terms.append(rate.power(sp.Integer(order + 2), order).tail(1))
    _note(expander)
    body = _power_over_gamma(expander, a, x, share) * Expansion.sum(terms)
    return body if above != lower else _all(expander, expander(a), share) - body


def _power_over_gamma(expander: Expander, a: sp.Expr, x: sp.Expr, share: bool) -> Expansion:
    """x^a e^(-x), over Gamma(a) if ``share``: in one exponential, where large parts cancel."""
    exponent = expander(sy.expand_mul(a * sp.log(x) - x))
    if share:
        exponent = exponent - expander.of(sp.loggamma, expander(a))
    return exponent.exp(expander.order)


def _all(expander: Expander, large: Expansion, share: bool) -> Expansion:
    return Expansion.constant(1) if share else expander.of(sp.gamma, large)


def _shifted(
    expander: Expander, a: sp.Expr, x: sp.Expr, shift: int, ratio: sp.Expr, lower: bool, share: bool
) -> Expansion:
    """Gamma(s+1, x) = s Gamma(s, x) + x^s e^(-x), DLMF 8.8.2, from s = a - shift to a; gamma with the sign -.

    Over Gamma(s+1) the first term is Gamma(s, x)/Gamma(s) (DLMF 8.8.6).
    """
    value = _at_ratio(expander, a - shift, x, ratio, lower, share)
    jump = -1 if lower else 1

    def step(s: sp.Expr) -> Expansion:
        head = expander(sp.exp(s * sp.log(x) - x, evaluate=False)).scaled(jump)
        return head * expander.of(sp.gamma, expander(s + 1)).inverse(expander.order) if share else head

    for k in range(shift):
        s = a - shift + k
        value = (value if share else expander(s) * value) + step(s)
    for k in range(-shift):
        s = a - shift - k - 1
        value = value - step(s)
        value = value if share else value * expander(1 / s)
    return value


def _at_ratio(
    expander: Expander, a: sp.Expr, x: sp.Expr, ratio: sp.Expr, lower: bool, share: bool
) -> Expansion:
    """x = lambda a with a constant lambda."""
    order, large = expander.order, expander(a)
    if ratio == 1:
        return _window(expander, large, Expansion({}), lower, share)
    where = sign(sy.factor(ratio - 1))
    if where is None:
        raise Refused(f"whether {ratio} exceeds 1 depends on parameters")
    inverse = large.inverse(order)
    series = [
        (-1) ** k * polynomial(k).subs(_lam, ratio) / (ratio - 1) ** (2 * k + 1) for k in range(order + 1)
    ]
    body = _power_over_gamma(expander, a, x, share) * inverse * inverse.series(series)
    _note(expander)
    if where > 0:
        return _all(expander, large, share) - body if lower else body
    return -body if lower else _all(expander, large, share) + body


# --- the transition ----------------------------------------------------------------------------


@uncounted
@lru_cache(maxsize=32)
def stirling_coefficients(count: int) -> tuple[sp.Expr, ...]:
    """g_k in Gamma(a) ~ sqrt(2 pi/a) (a/e)^a sum_k g_k a^(-k), DLMF 5.11.3: the exponential of Stirling's series.

    >>> stirling_coefficients(3)
    (1, 1/12, 1/288, -139/51840)
    """
    logs = [sp.S.Zero] * (count + 1)
    for k, weight in enumerate(stirling_weights((count + 1) // 2)[1:]):
        logs[2 * k + 1] = weight
    return tuple(exponential(logs))


@uncounted
@lru_cache(maxsize=32)
def transition_coefficients(depth: int, count: int) -> tuple[tuple[sp.Expr, ...], ...]:
    """d_{k,n} with c_k(eta) = sum_{n<=depth} d_{k,n} eta^n, for k <= count (DLMF 8.12.9-12):

    d_{k,n} = (-1)^k g_k d_{0,n} + (n+2) d_{k-1,n+2}, from c_0 = 1/mu - 1/eta, mu = lambda - 1,
    eta^2/2 = mu - ln(1 + mu).  As eta (1 + mu) = mu mu', mu = sum alpha_n eta^n has
    (n+1) alpha_n = alpha_{n-1} - sum_{k=2..n-1} k alpha_k alpha_{n-k+1}, and 1/mu = mu'/eta - 1.

    >>> transition_coefficients(2, 1)
    ((-1/3, 1/12, -2/135), (-1/540, -1/288, 1/378))
    """
    most = depth + 2 * count
    alpha = [sp.S.Zero, sp.S.One]
    for n in range(2, most + 3):
        total = sp.Add(*(k * alpha[k] * alpha[n - k + 1] for k in range(2, n)))
        alpha.append((alpha[n - 1] - total) / (n + 1))
    first = [(n + 2) * alpha[n + 2] for n in range(most + 1)]
    first[0] -= 1
    g = stirling_coefficients(count)
    rows = [first]
    for k in range(1, count + 1):
        length = most + 1 - 2 * k
        rows.append([(-1) ** k * g[k] * first[n] + (n + 2) * rows[-1][n + 2] for n in range(length)])
    return tuple(tuple(row[: depth + 1]) for row in rows)


def _window(expander: Expander, large: Expansion, delta: Expansion, lower: bool, share: bool) -> Expansion:
    """Temme's uniform expansion near x = a (DLMF 8.12.3-12; Temme 1979), with delta = x/a - 1 -> 0:

    Gamma(a, x)/Gamma(a) = erfc(eta sqrt(a/2))/2 + R, gamma(a, x)/Gamma(a) = erfc(-eta sqrt(a/2))/2 - R,
    R = e^(-a eta^2/2)/sqrt(2 pi a) (sum_{k<=K} c_k(eta) a^(-k) + O(a^(-K-1))), uniformly for real eta near 0,

    eta^2/2 = delta - ln(1 + delta), the sign of eta that of delta.
    """
    order = expander.order
    half = [sp.Rational((-1) ** k, k + 2) for k in range(order + 2)]  # (delta - ln(1+delta))/delta^2
    ratio = power([2 * h for h in half], sp.Rational(1, 2))
    inverse = large.inverse(order)
    table = transition_coefficients(order + 1, order)
    if delta.terms or delta.remainder:
        eta = delta * delta.series(ratio)
        weight = (-(large * (delta * delta) * delta.series(half))).exp(order)
        tails = [eta.tail(order + 2), inverse.tail(order + 1)]
        powers = order + 2
    else:
        eta, weight, tails, powers = delta, Expansion.constant(1), [inverse.tail(order + 1)], 1
    columns, eta_power = list(tails), Expansion.constant(1)
    for n in range(powers):
        columns.append(eta_power * inverse.series([row[n] for row in table]))
        eta_power = eta_power * eta
    root = large.scaled(2 * sp.pi).power(sp.Rational(-1, 2), order)
    argument = eta * large.scaled(sp.Rational(1, 2)).power(sp.Rational(1, 2), order)
    expander.note(
        "incomplete gamma function in the transition window",
        r"\frac{\Gamma(a,x)}{\Gamma(a)} = \tfrac12\mathrm{erfc}\!\left(\eta\sqrt{a/2}\right) + "
        r"\frac{e^{-a\eta^2/2}}{\sqrt{2\pi a}}\left(\sum_{k\le K}\frac{c_k(\eta)}{a^k} + O(a^{-K-1})\right),\quad "
        r"\tfrac12\eta^2 = \delta - \ln(1+\delta),\; \delta = x/a - 1",
        "DLMF 8.12.3-12",
    )
    correction = weight * root * Expansion.sum(columns)
    if lower:
        value = expander.of(sp.erfc, -argument).scaled(sp.Rational(1, 2)) - correction
    else:
        value = expander.of(sp.erfc, argument).scaled(sp.Rational(1, 2)) + correction
    return value if share else value * expander.of(sp.gamma, large)


