r"""Long sums of any analytic summand, by Euler-Maclaurin with Cauchy's estimates.

.. math:: \sum_{i=a}^{b} f(i) = \int_a^b f + \frac{f(a)+f(b)}{2}
   + \sum_{k=1}^{K} \frac{B_{2k}}{(2k)!} [f^{(2k-1)}]_a^b + R, \qquad
   |R| \le |B_{2K}| \int_a^b \frac{|f^{(2K)}(t)|}{(2K)!} dt \le |B_{2K}| \int_a^b \frac{M(t)}{\rho(t)^{2K}} dt,

where M(t) bounds \|f\| on the disc of radius rho(t) around t (Olver, Asymptotics and Special Functions,
8.1; |B_{2K}({t})| <= |B_{2K}|).  M comes from ball evaluations on pieces [N, 5N/4]; a piece on which f is not
certainly analytic answers nan, and the sum is refused.  Derivatives at the ends come from f on a circle,
with the aliasing bounded by Cauchy's estimate on a larger disc.

*To infinity* f has to be analytic there.  Let h(w) = f(1/w) be so and \|h\| <= S on \|w\| <= e, with h(0) = h'(0) = 0.  By
Schwarz's lemma \|f(t)\| <= S/(e \|t\|)^2 for \|t\| >= 1/e, so the sum converges, and with h = sum c_j w^j

.. math:: \int_N^\infty f = \sum_{j \ge 2} \frac{c_j}{(j-1) N^{j-1}},

where R is at most \|B_{2K}\| times the integral of sup \|f\|/(t/4)^{2K} over the disc of radius t/4 about t, in \|z\| >= 3t/4.
"""

from __future__ import annotations

from collections.abc import Callable
from math import e, log2, pi

from flint import acb, arb, ctx, fmpz

from asymp.enclosure.algebra import fresh, has, name, raised, rebuilt, subs
from asymp.enclosure.arithmetic import NAN, Number, add, to_ball, within
from asymp.enclosure.calculus import diff, is_rational
from asymp.enclosure.fields import cancelled, is_identity
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Builder, Plan
from asymp.enclosure.quadrature import Integrand as Analytic
from asymp.enclosure.quadrature import integral as quadrature
from asymp.kernel.terms import ZERO, Refused, Term, number
from asymp.kernel.terms import read as read

MOST_PIECES = 40_000
MOST_SPLITS = 4_000
MOST_BITS = 3_000
"""Beyond this precision the derivatives cost seconds."""
FARTHEST = 20_000
"""1/e is at most 2 to this, which is as far out as n = 10^1000 and more."""
_NOT = ("Sum", "Integral", "Product", "factorial", "binomial", "gamma", "harmonic", "floor", "ceiling")


def start_for(bits: int) -> int:
    """From where on a quarter of the abscissa is radius enough: e^(-2 pi N/4) < 2^-bits."""
    return int(1.5 * bits) + 24


def analytic_sum(f: Analytic, first: int, last: int, integral: Number | None = None) -> Number:
    """The sum of f(i), i = first..last, with first at least ``start_for(bits)``.

    ``integral`` is that of f over [first, last], where it is known in closed form.
    """
    if not f(acb(first), False).is_finite() or not f(acb(last), False).is_finite():
        return NAN  # more precision first: splitting the range would not help
    count = _terms(ctx.prec, first)
    rest = _remainder(f, first, last, count)
    if not rest.is_finite():
        return NAN
    total = _integral(f, first, last) if integral is None else to_ball(integral)
    return total + _end(f, last, count, 1) + _end(f, first, count, -1) + rest


def _terms(bits: int, first: int) -> int:
    radius = min(first / 4, 1e15)
    count = 2
    while count < pi * radius and -2 * count * log2(2 * count / (2 * pi * e * radius)) < bits + 8:
        count += 1
    return count


def _pieces(first: int, last: int, factor: int) -> list[tuple[int, int]]:
    result, low = [], first
    while low < last:
        high = min(last, low * factor + 1)
        result.append((low, high))
        low = high
        if len(result) > MOST_PIECES:
            return []
    return result


def _remainder(f: Analytic, first: int, last: int, count: int) -> arb:
    """The bound of R: radius a quarter of the abscissa, less where f is not certainly analytic so far out."""
    weight, total = abs(arb.bernoulli(2 * count)), arb(0)
    pieces = [(low, high, arb(fmpz(low)) / 4) for low, high in reversed(_pieces(first, last, 2))]
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
    for low, high in _pieces(first, last, 4):
        # far pieces of a decaying summand need no relative accuracy
        goal = abs(total).abs_upper() * arb(2) ** (-ctx.prec)
        options = {"abs_tol": goal} if goal > 0 else {}
        value = quadrature(f, acb(low), acb(high), eval_limit=12 * ctx.prec + 1000, **options)
        if not value.is_finite():
            return NAN
        total += value.real
    return total


def _end(f: Analytic, at: int, count: int, side: int) -> arb:
    """What an end brings: f/2 and the derivatives, to order 2 count - 1; from a disc of radius at/4, or less."""
    if ctx.prec > MOST_BITS:
        raise Undecided(f"a long sum at more than {MOST_BITS} bits")
    radius = arb(at) / 4
    while not (size := f(acb(arb(at) + within(radius), within(radius)), True).abs_upper()).is_finite():
        if not radius > ctx.prec / 16:
            return NAN
        radius = radius / 2
    taylor = _taylor(f, at, radius, size, 2 * count)
    terms = (arb.bernoulli(2 * k) / (2 * k) * taylor[2 * k - 1] for k in range(1, count + 1))
    return taylor[0] / 2 + side * sum(terms, arb(0))


def _taylor(f: Analytic, at: int, large: arb, supremum: arb, order: int) -> list[arb]:
    """Taylor coefficients c_0..c_order of f at an integer, S its supremum on the disc of radius R.

    With M points on the circle of radius r, the mean of f w^-m is c_m r^m + sum over k of c_(m+kM) r^(m+kM), and
    |c_j| <= S/R^j: the error in c_m is at most S R^-m q^M/(1-q^M), q = r/R = 1/16.
    f is real on the real axis, so half of the circle gives its other half.
    """
    small = large / 16
    points = 1 << max(order + 3, (ctx.prec + 16) // 4).bit_length()
    # the circle's values carry rounding errors that r^-m does not enlarge relative to R^-m 16^m
    with ctx.workprec(ctx.prec + 4 * order + 16):
        roots = [(acb(2 * k) / points).exp_pi_i() for k in range(points)]
        half = [f(at + small * roots[k], False) for k in range(points // 2 + 1)]
        values = half + [half[points - k].conjugate() for k in range(points // 2 + 1, points)]
        means = _transform(values, [root.conjugate() for root in roots])
        alias = arb(16) ** (-points)
        error = supremum * alias / (1 - alias)
        return [(means[m] / points).real / small**m + within(error / large**m) for m in range(order + 1)]


def _transform(values: list[acb], roots: list[acb]) -> list[acb]:
    """Discrete Fourier transform: sum over k of values[k] roots[k m]; a power of two of points (Cooley and Tukey)."""
    if len(values) == 1:
        return values
    even, odd = _transform(values[::2], roots[::2]), _transform(values[1::2], roots[::2])
    turned = [root * value for root, value in zip(roots, odd, strict=False)]
    return [a + b for a, b in zip(even, turned, strict=True)] + [a - b for a, b in zip(even, turned, strict=True)]


# --- to infinity -------------------------------------------------------------------------------


def at_infinity(builder: Builder, body: Term, index: str) -> Plan | None:
    """The plan of h(w) = f(1/w), in a variable of its own; None unless h(0) = h'(0) = 0 by algebra.

    >>> at_infinity(Builder(), read("1/k"), "k") is None, at_infinity(Builder(), read("1/(k^2 + 1)"), "k") is None
    (True, False)
    """
    if has(body, *_NOT):
        return None
    w = fresh("w", body)
    try:
        inverted = _cancelled(subs(body, {index: raised(name(w), number(-1))}), w)
        first, slope = (subs(f, {w: ZERO}) for f in (inverted, _cancelled(diff(inverted, w), w)))
    except Refused:
        return None
    return builder.body(inverted, w) if is_identity(first) and is_identity(slope) else None


def _cancelled(term: Term, variable: str) -> Term:
    """Rational subexpressions in lowest terms, from the inside out."""
    if variable not in term.free or not term.parts:
        return term
    term = rebuilt(term, tuple(_cancelled(part, variable) for part in term.parts))
    return cancelled(term) if is_rational(term, variable) else term


def infinite_sum(f: Analytic, h: Analytic, first: int, finite: Callable[[int, int], Number]) -> Number:
    """The sum from ``first`` to infinity; ``finite`` sums over a finite range."""
    shift, radius = 1, arb(1) / 2
    while not (supremum := h(acb(within(radius), within(radius)), True).abs_upper()).is_finite():
        shift += 1 + shift // 4
        radius = arb(2) ** (-shift)
        if shift >= FARTHEST:
            return NAN
    start, bits = max(first, start_for(ctx.prec), 8 << shift), ctx.prec
    total: list[Number] = [] if start == first else [finite(first, start - 1)]
    order, point = bits // 3 + 4, arb(start)
    taylor = _taylor(h, 0, radius, supremum, order)
    total.extend(c / ((j - 1) * point ** (j - 1)) for j, c in enumerate(taylor) if j > 1)
    ratio = 1 / (radius * start)  # terms beyond those of the series are at most S (N radius)^-j N
    total.append(within(supremum * start * ratio ** (order + 1) / (1 - ratio)))
    count = max(2, bits // 4)
    total.append(_end(f, start, count, -1))
    weight = abs(arb.bernoulli(2 * count)) * supremum * 16 / (9 * radius**2)
    total.append(within(weight * arb(4) ** (2 * count) / (point ** (2 * count + 1) * (2 * count + 1))))
    return add(total)
