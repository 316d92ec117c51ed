r"""Incomplete gamma functions with large arguments, of any size and in any ratio, as real balls.

With A = a - 1 and t = x(1+v) or t = x(1-v) the two functions are

.. math:: \Gamma(a,x) = x^a e^{-x} \int_0^\infty e^{A \ln(1+v) - x v} dv, \qquad
   \gamma(a,x) = x^a e^{-x} \int_0^1 e^{A \ln(1-v) + x v} dv,

with concave exponents.  Far from x = a they are summed by recurrence (geometric terms); near it, where that takes
sqrt(a) terms, the integral is computed, the exponent's power series leaving no cancellation.
"""

from __future__ import annotations

from flint import acb, arb, ctx

from asymp.enclosure.arithmetic import NAN, ZERO, Number, bits_of, to_ball, to_integer, within
from asymp.enclosure.quadrature import integral

LARGE = 64
MOST_TERMS = 20_000
MOST_BITS = 2_000
"""Beyond this precision the integral takes too long: nan."""


def upper_gamma(a: arb, x: arb) -> arb:
    """Gamma(a, x) for x > 0.

    >>> with ctx.workprec(200): (upper_gamma(arb(10) ** 20, arb(10) ** 20) / (arb(10) ** 20).gamma()).str(12, radius=False)
    '0.499999999987'
    """
    if a < -LARGE:
        return x**a * exponential_integral(1 - a, x)
    if not a > LARGE or not x > 0:
        return x.gamma_upper(a) if bits_of(x) < 40 or not x > 0 else (-x).exp() * x.hypgeom_u(1 - a, 1 - a)
    below, tail = _tail(a, x)
    if not tail.is_finite() and a < MOST_TERMS:  # near the diagonal fewer than a terms do not reach every precision
        return x.gamma_upper(a)
    return a.gamma() - tail if below else tail


def lower_gamma(a: arb, x: arb) -> arb:
    """gamma(a, x) for x >= 0."""
    if a < -MOST_TERMS:
        return NAN
    if not a > LARGE or not x > 0:
        return x.gamma_lower(a)
    below, tail = _tail(a, x)
    if not tail.is_finite() and a < MOST_TERMS:
        return x.gamma_lower(a)
    return tail if below else a.gamma() - tail


def _tail(a: arb, x: arb) -> tuple[bool, arb]:
    """(whether x < a, the lower function there, the upper one otherwise)."""
    below = bool(x < a - 1)
    gap = abs((x / a).log()).abs_lower()
    bits = ctx.prec
    by_ratio = arb(bits) * 0.7 / gap if gap > 0 else arb.pos_inf()
    by_root = (a * bits * 1.4).sqrt()
    if by_ratio < MOST_TERMS or by_root < MOST_TERMS:
        body = _lower_terms(a, x) if below else _upper_terms(a, x)
    elif bits <= MOST_BITS:
        body = _integral(a, x, below)
    else:
        return below, NAN
    return below, (a * x.log() - x).exp() * body


def _lower_terms(a: arb, x: arb) -> arb:
    """sum_k x^k/(a (a+1) ... (a+k)), DLMF 8.7.1; the ratio x/(a+k+1) decreases, so the rest is geometric."""
    total, term, goal = arb(0), 1 / a, ctx.prec + 8
    for k in range(2 * MOST_TERMS):
        total += term
        ratio = x / (a + k + 1)
        term = term * ratio
        if ratio < 1 and bits_of(term) - bits_of(1 - ratio) < bits_of(total) - goal:
            return total + within(term / (1 - ratio))
    return NAN


def _upper_terms(a: arb, x: arb) -> arb:
    """sum_{k<N} (a-1)...(a-k)/x^(k+1) and (a-1)...(a-N) Gamma(a-N, x) (DLMF 8.8.2), which lies between 0 and

    (a-1)...(a-N) x^(a-N) e^(-x)/(x-a+N+1) for a - N >= 1 (there (1+v)^(s-1) <= e^((s-1)v)).
    """
    total, term, goal = arb(0), 1 / x, ctx.prec + 8
    for k in range(1, 2 * MOST_TERMS):
        total += term
        if not a > k + 1:
            return NAN
        term = term * (a - k) / x
        room = x - a + k + 1
        if room > 0:
            rest = term * x / room
            if bits_of(rest) < bits_of(total) - goal:
                return total + within(rest)
    return NAN


def _integral(a: arb, x: arb, below: bool) -> arb:
    """The integral, with v = sigma w, over 0 <= w <= W; concavity bounds the rest by e^phi(W)/|phi'(W)|.

    ln(1 + v) = v - v^2/2 + ...: the terms of the series up to K and their rest, |v|^(K+1)/((K+1)(1-|v|)).
    """
    bits = ctx.prec
    side = -1 if below else 1
    top = a - 1
    slope = side * (x - top)  # phi'(0) = -slope in v
    steep = slope.abs_upper()
    sigma = (1 / top.sqrt().mid()).mid()
    if steep > 0 and 1 / steep < sigma:
        sigma = (1 / steep).mid()
    width = arb(int((1.4 * bits) ** 0.5) + 6)
    if sigma * top.sqrt() < arb("0.5"):
        width = arb(int(0.75 * bits) + 8)
    reach = sigma * width
    if not reach < arb("0.2"):
        return NAN
    extra = max(0, bits_of(slope * sigma)) + 20
    with ctx.workprec(bits + extra):
        depth = 2
        size = -float((reach.abs_upper()).log().mid()) / 0.6931
        while (depth + 1) * size < bits + bits_of(top) + 20:
            depth += 1
        # A (ln(1 + s v) - s v) - slope v, in w
        weights = [top * (-1) ** (k + 1) * (side * sigma) ** k / k for k in range(depth + 1) if k >= 2]
        linear = slope * sigma

        def exponent(w: acb) -> acb:
            value = acb(0)
            for weight in reversed(weights):
                value = value * w + weight
            v = abs(w) * sigma
            if not v < arb("0.5"):
                return acb("nan")
            rest = within(top * v ** (depth + 1) / ((depth + 1) * (1 - v)))
            return value * w * w - linear * w + acb(rest, rest)

        def integrand(w: acb, _: bool) -> acb:
            return exponent(w).exp()

        main = integral(integrand, acb(0), acb(width), rel_tol=arb(2) ** (-bits), abs_tol=arb(2) ** (-bits - 40)).real
        end = exponent(acb(width)).exp().real
        v = sigma * width
        # phi'(v) = s A/(1 + s v) - s x
        fall = -(side * top / (1 + side * v) - side * x)
        if not fall > 0:
            return NAN
        rest = within(end / (fall * sigma))
        value = sigma * (main + rest)
    return +value


def exponential_integral(p: arb, x: arb) -> arb:
    """E_p(x), p > 0, x > 0: e^(-x) times 1/(x + p/(1 + 1/(x + (p+1)/(1 + 2/(x + ...))))), DLMF 8.19.17.

    All elements are positive, so successive approximants enclose the value.

    >>> with ctx.workprec(80): exponential_integral(arb(100), arb(1)).str(12, radius=False)
    '0.00367842293040'
    """
    if not (p > LARGE and x > 0):
        return x.expint(p)
    depth = 8
    while depth < 4 * MOST_TERMS:
        first, second = (_fraction(p, x, depth + k) for k in (0, 1))
        both = first.union(second)
        if not both.is_finite():
            return NAN
        if both.rel_accuracy_bits() >= min(ctx.prec - 8, first.rel_accuracy_bits() - 4):
            return (-x).exp() * both
        depth *= 2
    return NAN


def _fraction(p: arb, x: arb, depth: int) -> arb:
    """The approximant with ``depth`` partial quotients."""
    value = arb(0)
    for k in range(depth, 0, -1):
        half, odd = divmod(k, 2)
        value = (p + half) / (1 + value) if odd else half / (x + value)
    return 1 / (x + value)


def erfc(value: Number) -> arb:
    """erfc(x); for large x it is e^(-x^2) U(1/2, 1/2, x^2)/sqrt(pi) (DLMF 7.11.5, 13.6.7).

    >>> with ctx.workprec(80): (erfc(arb(10) ** 8) * (arb(10) ** 16).exp()).str(12, radius=False)
    '5.64189583548e-9'
    """
    x = to_ball(value)
    if not x > 5:
        return x.erfc()
    square = x * x
    half = arb(1) / 2
    return (-square).exp() * square.hypgeom_u(half, half) / arb.pi().sqrt()


def is_far_order(order: Number) -> bool:
    """Whether FLINT takes hours for a Bessel function of that order, which is far below 0 and not whole."""
    return to_integer(order) is None and bool(order < -MOST_TERMS)


def barnes(x: Number) -> Number:
    """Barnes's G, which is entire, and 0 at 0, -1, -2, ..."""
    whole = to_integer(x)
    if whole is not None and whole <= 0:
        return ZERO
    return acb(to_ball(x)).barnes_g().real if to_ball(x) > -MOST_TERMS else NAN
