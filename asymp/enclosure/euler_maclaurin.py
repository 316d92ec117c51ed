r"""Long sums of any analytic summand, by Euler-Maclaurin with Cauchy's estimates.

.. math:: \sum_{i=a}^{b} f(i) = \int_a^b f + \frac{f(a)+f(b)}{2}
   + \sum_{k=1}^{K} \frac{B_{2k}}{(2k)!} [f^{(2k-1)}]_a^b + R, \qquad
   |R| \le |B_{2K}| \int_a^b \frac{|f^{(2K)}(t)|}{(2K)!} dt \le |B_{2K}| \int_a^b \frac{M(t)}{\rho(t)^{2K}} dt,

where M(t) bounds \|f\| on the disc of radius rho(t) around t (Olver, Asymptotics and Special Functions,
8.1; |B_{2K}({t})| <= |B_{2K}|).  M comes from ball evaluations on pieces [N, 5N/4]; a piece on which f is not
certainly analytic answers nan, and the sum is refused.  Derivatives at the ends come from f on a circle,
with the aliasing bounded by Cauchy's estimate on a larger disc.
"""

from __future__ import annotations

from collections.abc import Callable
from math import e, log2, pi

from flint import acb, arb, ctx, fmpz

from asymp.enclosure.arithmetic import NAN, Number, to_ball, within
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.quadrature import integral as quadrature

Analytic = Callable[[acb, bool], acb]
"""f(z, analytic): nan where ``analytic`` is asked for and not assured on the ball."""

MOST_PIECES = 40_000
MOST_SPLITS = 4_000
MOST_BITS = 3_000
"""Beyond this precision the derivatives cost seconds."""


def start_for(bits: int) -> int:
    """From where on a quarter of the abscissa is radius enough: e^(-2 pi N/4) < 2^-bits."""
    return int(1.5 * bits) + 24


def analytic_sum(f: Analytic, first: int, last: int, integral: Number | None = None) -> Number:
    """The sum of f(i), i = first..last, with first at least ``start_for(bits)``.

    ``integral`` is that of f over [first, last], where it is known in closed form.
    """
    bits = ctx.prec
    if not f(acb(first), False).is_finite() or not f(acb(last), False).is_finite():
        return NAN  # more precision first: splitting the range would not help
    count = _terms(bits, first)
    rest = _remainder(f, first, last, count)
    if not rest.is_finite():
        return NAN
    total = _integral(f, first, last) if integral is None else to_ball(integral)
    for at, sign in ((last, 1), (first, -1)):
        taylor = _derivatives(f, at, 2 * count)
        if taylor is None:
            return NAN
        total += taylor[0] / 2
        for k in range(1, count + 1):
            total += sign * arb.bernoulli(2 * k) / (2 * k) * taylor[2 * k - 1]
    return total + rest


def _terms(bits: int, first: int) -> int:
    radius = min(first / 4, 1e15)
    count = 2
    while count < pi * radius and -2 * count * log2(2 * count / (2 * pi * e * radius)) < bits + 8:
        count += 1
    return count


def _pieces(first: int, last: int, numerator: int, denominator: int) -> list[tuple[int, int]]:
    result, low = [], first
    while low < last:
        high = min(last, low * numerator // denominator + 1)
        result.append((low, high))
        low = high
        if len(result) > MOST_PIECES:
            return []
    return result


def _remainder(f: Analytic, first: int, last: int, count: int) -> arb:
    """The bound of R: radius a quarter of the abscissa, less where f is not certainly analytic so far out."""
    weight, total = abs(arb.bernoulli(2 * count)), arb(0)
    pieces = [(low, high, arb(fmpz(low)) / 4) for low, high in reversed(_pieces(first, last, 2, 1))]
    if not pieces:
        return arb(0) if first == last else NAN
    goal, done = arb(0), 0
    while pieces:
        low, high, radius = pieces.pop()
        done += 1
        box = acb(arb(low).union(arb(high)) + within(radius), within(radius))
        size = f(box, True).abs_upper()
        share = size * (high - low) / radius ** (2 * count)
        if not size.is_finite() or not weight * share < goal:
            long = high - low > radius
            if long and high - low > 1 and done < MOST_SPLITS:
                middle = (low + high) // 2
                pieces += [(middle, high, radius), (low, middle, radius)]
                continue
            if not size.is_finite():
                if not radius > ctx.prec / 16 or done > MOST_SPLITS:
                    return NAN
                pieces.append((low, high, radius / 2))
                continue
        total += share
        if goal.is_zero():
            goal = weight * share / 8
    return within(weight * total)


def _integral(f: Analytic, first: int, last: int) -> arb:
    total = arb(0)
    for low, high in _pieces(first, last, 4, 1):
        # far pieces of a decaying summand need no relative accuracy
        goal = abs(total).abs_upper() * arb(2) ** (-ctx.prec)
        options = {"abs_tol": goal} if goal > 0 else {}
        value = quadrature(f, acb(low), acb(high), eval_limit=12 * ctx.prec + 1000, **options)
        if not value.is_finite():
            return NAN
        total += value.real
    return total


def _derivatives(f: Analytic, at: int, order: int) -> list[arb] | None:
    """Taylor coefficients c_0..c_order of f at an integer.

    With M points on the circle of radius r, the mean of f w^-m is c_m r^m + sum over k of c_(m+kM) r^(m+kM), and
    |c_j| <= S/R^j on the disc of radius R (at/4, or less): the error in c_m is at most S R^-m q^M/(1-q^M), q = r/R = 1/16.
    f is real on the real axis, so half of the circle gives its other half.
    """
    if ctx.prec > MOST_BITS:
        raise Undecided(f"a long sum at more than {MOST_BITS} bits")
    point, large = acb(at), arb(at) / 4
    while True:
        disc = acb(arb(at) + within(large), within(large))
        supremum = f(disc, True).abs_upper()
        if supremum.is_finite():
            break
        if not large > ctx.prec / 16:
            return None
        large = large / 2
    small = large / 16
    points = 1 << max(order + 3, (ctx.prec + 16) // 4).bit_length()
    # the circle's values carry rounding errors that r^-m does not enlarge relative to R^-m 16^m
    with ctx.workprec(ctx.prec + 4 * order + 16):
        roots = [(acb(2 * k) / points).exp_pi_i() for k in range(points)]
        half = [f(point + small * roots[k], False) for k in range(points // 2 + 1)]
        values = half + [half[points - k].conjugate() for k in range(points // 2 + 1, points)]
        means = _transform(values, [root.conjugate() for root in roots])
        alias = arb(16) ** (-points)
        result = []
        for m in range(order + 1):
            error = supremum * alias / (1 - alias) / large**m
            result.append((means[m] / points).real / small**m + within(error))
    return result


def _transform(values: list[acb], roots: list[acb]) -> list[acb]:
    """Discrete Fourier transform: sum over k of values[k] roots[k m]; a power of two of points (Cooley and Tukey)."""
    count = len(values)
    if count == 1:
        return values
    even, odd = _transform(values[::2], roots[::2]), _transform(values[1::2], roots[::2])
    turned = [root * value for root, value in zip(roots, odd, strict=False)]
    return [a + b for a, b in zip(even, turned, strict=True)] + [a - b for a, b in zip(even, turned, strict=True)]
