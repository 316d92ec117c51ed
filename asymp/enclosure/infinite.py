r"""Infinite sums of a function that is analytic at infinity: Euler-Maclaurin from N on, Taylor's series in w = 1/t.

Let h(w) = f(1/w) be analytic and \|h\| <= S on \|w\| <= e, with h(0) = h'(0) = 0.  By Schwarz's lemma
\|f(t)\| <= S/(e \|t\|)^2 for \|t\| >= 1/e, so the sum converges, and with h = sum c_j w^j

.. math:: \int_N^\infty f = \sum_{j \ge 2} \frac{c_j}{(j-1) N^{j-1}}, \qquad
   \sum_{k \ge N} f(k) = \int_N^\infty f + \tfrac12 f(N) - \sum_{m \le K} \frac{B_{2m}}{(2m)!} f^{(2m-1)}(N) + R,

with \|R\| <= \|B_{2K}\| times the integral of sup \|f\|/(t/4)^{2K} over the disc of radius t/4 about t.  The disc
lies in \|z\| >= 3t/4 (Olver, Asymptotics and Special Functions, 8.1, and Cauchy's estimate).
"""

from __future__ import annotations

from collections.abc import Callable

from flint import acb, arb, ctx

from asymp.enclosure.algebra import fresh, has, name, raised, rebuilt, subs
from asymp.enclosure.arithmetic import NAN, Number, add, within
from asymp.enclosure.calculus import diff, is_rational
from asymp.enclosure.euler_maclaurin import Analytic, _derivatives, _transform, start_for
from asymp.enclosure.fields import cancelled, is_identity
from asymp.enclosure.plan import Builder, Plan
from asymp.kernel.terms import ZERO, Refused, Term, number
from asymp.kernel.terms import read as read

_NOT = ("Sum", "Integral", "Product", "factorial", "binomial", "gamma", "harmonic", "floor", "ceiling")


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


def infinite_sum(
    f: Analytic, h: Analytic, first: int, finite: Callable[[int, int], Number]
) -> Number:
    """The sum from ``first`` to infinity; ``finite`` sums over a finite range."""
    bits = ctx.prec
    shift = 1
    while shift < 20_000:  # as far out as n = 10^1000 and more
        radius = arb(2) ** (-shift)
        disc = acb(within(radius), within(radius))
        supremum = h(disc, True).abs_upper()
        if supremum.is_finite():
            break
        shift += 1 + shift // 4
    else:
        return NAN
    start = max(first, start_for(bits), 8 << shift)
    total: list[Number] = [_integral(h, supremum, radius, start)]
    if start > first:
        total.append(finite(first, start - 1))
    count = max(2, bits // 4)
    taylor = _derivatives(f, start, 2 * count)
    if taylor is None:
        return NAN
    total.append(taylor[0] / 2)
    total.extend(-arb.bernoulli(2 * m) / (2 * m) * taylor[2 * m - 1] for m in range(1, count + 1))
    weight = abs(arb.bernoulli(2 * count)) * supremum * 16 / (9 * radius**2)
    total.append(within(weight * arb(4) ** (2 * count) / (arb(start) ** (2 * count + 1) * (2 * count + 1))))
    return add(total)


def _integral(h: Analytic, supremum: arb, radius: arb, start: int) -> arb:
    """The integral over [N, oo), N radius >= 8: terms j > M of the series are at most S (N radius)^-j N."""
    bits = ctx.prec
    order = bits // 3 + 4
    points = 1 << (order + 2).bit_length()
    inner = radius / 4
    with ctx.workprec(bits + 2 * points + 16):
        roots = [(acb(2 * k) / points).exp_pi_i() for k in range(points)]
        means = _transform([h(inner * root, False) for root in roots], [root.conjugate() for root in roots])
        alias = arb(4) ** (-points)
        total = arb(0)
        for j in range(2, order + 1):
            error = supremum * alias / (1 - alias) / radius**j
            c = (means[j] / points).real / inner**j + within(error)
            total += c / ((j - 1) * arb(start) ** (j - 1))
        ratio = 1 / (radius * start)
        total += within(supremum * start * ratio ** (order + 1) / (1 - ratio))
    return total
