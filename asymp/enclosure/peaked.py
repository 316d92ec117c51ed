r"""Sums of hypergeometric terms over huge ranges: the window around the largest term, and bounds of the rest.

t(k) = e^{L(k)}, L a sum of w lnGamma(a + bk), p ln(a + bk) and k ln c, all a + bk > 0 on the range.

*Window* [A, B]: Euler-Maclaurin, whose rest is at most \|B_{2K}\| times the integral of sup \|t\|/(R - h)^{2K}
(Cauchy), on pieces of half-length h <= R/4 whose integrals come from Taylor's series.  A point of a piece lies up to h
off its centre c, so that the disc of radius R - h about it lies in that of radius R about c, where

.. math:: |t(z)| \le \exp(L(c) + |L'(c)| R + \tfrac12 M R^2), \qquad |\psi'(z)| \le \psi'(\mathrm{Re}\, z).

*Rest*: where L' <= -s < 0 on [x, y], the terms of x, x + 1, ..., y sum to at most t(x)/(1 - e^{-s}).  Each term of L'
is monotone, so its ends bound it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import arb, arb_series, ctx, fmpq
from gmpy2 import mpq

from asymp.budget import spend, spent
from asymp.enclosure import arithmetic as ar
from asymp.enclosure.algebra import base_and_exponent, log_of, plus, raised, times, whole
from asymp.enclosure.arithmetic import NAN, Number, bits_of, coefficient, halved, series, to_ball, whole_above, within
from asymp.enclosure.calculus import is_polynomial, line
from asymp.enclosure.numbers import Undecided, to_fmpq
from asymp.enclosure.plan import Builder
from asymp.enclosure.summand import gammas
from asymp.kernel import terms
from asymp.kernel.terms import number

MOST_PIECES = 4_000
MOST_BITS = 3_000
LEAST_BITS, FEW_BITS = -10, 160
"""Of a factor that is worth a sum; and of the sum, where numbers as large as e^(2^bits) leave few."""
LONGEST = 200_000
"""Beyond this no other method could add the terms."""
DIRECT = 4_000
"""Windows up to this length are added term by term."""


@dataclass(frozen=True)
class Form:
    """(kind, w, place of a, b) of the parts of L, the place of ln c (or None), the place of the constant factor."""

    parts: tuple[tuple[str, fmpq, int, int], ...]
    log: int | None
    factor: int


def form(builder: Builder, body: terms.Term, index: str) -> Form | None:
    """The form of a summand, or None."""
    parts: list[tuple[str, fmpq, int, int]] = []
    logs: list[terms.Term] = []
    constants: list[terms.Term] = []

    def linear(kind: str, z: terms.Term, weight: mpq) -> bool:
        straight = line(z, index)
        slope = None if straight is None else whole(straight[0])
        if straight is None or slope is None:
            return False
        parts.append((kind, to_fmpq(weight), builder.place(straight[1]), slope))
        return True

    def add(factor: terms.Term, weight: mpq) -> bool:
        if index not in factor.free:
            constants.append(raised(factor, number(weight)))
            return True
        base, exponent = base_and_exponent(factor)
        several = gammas(factor)
        if several is not None:
            held = [(terms.Term("gamma", (z,)), s * weight) for z, s in several]
            return all(linear("gamma", g.parts[0], w) if index in g.free else add(g, w) for g, w in held)
        if index not in base.free:
            straight = line(exponent, index)
            if straight is None:
                return False
            logs.append(times(straight[0], number(weight), log_of(base)))
            constants.append(raised(base, times(straight[1], number(weight))))
            return True
        if factor.head == "power" and exponent.is_number:
            return add(base, weight * exponent.number)
        if factor.head == "product":
            return all(add(part, weight) for part in factor.parts)
        return is_polynomial(factor, index) and linear("power", factor, weight)

    if not add(body, mpq(1)) or not (logs or any(kind == "gamma" for kind, *_ in parts)):
        return None
    return Form(tuple(parts), builder.place(plus(*logs)) if logs else None, builder.place(times(*constants)))


@dataclass
class Term:
    """L with numbers in it."""

    parts: list[tuple[str, arb, arb, int]]
    log: arb

    def series(self, at: arb, step: arb, length: int) -> arb_series:
        """L(at + step s) in s."""
        total = series([self.log * at, self.log * step], length)
        for kind, w, a, b in self.parts:
            inner = series([a + b * at, b * step], length)
            total = total + w * (inner.lgamma() if kind == "gamma" else inner.log())
        return total

    def value(self, at: arb) -> arb:
        """L."""
        total = self.log * at
        for kind, w, a, b in self.parts:
            z = a + b * at
            total += w * (z.lgamma() if kind == "gamma" else z.log())
        return total

    def slope(self, low: arb, high: arb, upper: bool) -> arb:
        """A bound of L' on [low, high]: from above, or from below."""
        total = self.log
        for kind, w, a, b in self.parts:
            # w b psi(a + bt) rises in t for w > 0; p b/(a + bt) falls for p > 0
            rises = bool(w > 0) == (kind == "gamma")
            z = a + b * (high if rises == upper else low)
            total += w * b * (z.digamma() if kind == "gamma" else 1 / z)
        return total

    def falls(self, k: int) -> bool:
        """Whether L' < 0 at k: only a guide."""
        return bool(self.slope(arb(k), arb(k), True).mid() < 0)

    def bend(self, at: arb, reach: arb) -> arb:
        """A bound of |L''| on the disc about ``at``."""
        total = arb(0)
        for kind, w, a, b in self.parts:
            z = a + b * at - abs(b) * reach
            if not z > 0:
                return NAN
            total += abs(w) * b * b * ((1 / z + 1 / z**2) if kind == "gamma" else 1 / z**2)
        return total


def peaked_sum(shape: Form, v: Any, first: int, last: int | None) -> Number:
    """The sum over first..last (None: to infinity); nan where it could not be bounded."""
    bits = ctx.prec
    top = last if last is not None else first + 2
    ends = [to_ball(v[a]) for _, _, a, _ in shape.parts]
    scale = max([bits_of(arb(top)), *(bits_of(a) for a in ends)])
    front = to_ball(v[shape.factor])
    if not front.is_finite() or front.rel_accuracy_bits() < LEAST_BITS:
        return NAN  # more precision first: no sum would help
    full, begun = bits, spent()
    if scale > FEW_BITS:  # e^L has lost so many of the bits elsewhere, and this sum is not to be the dearest part
        bits = min(bits, max(FEW_BITS, (bits - scale) // 16))
    if bits > MOST_BITS:
        return NAN
    with ctx.workprec(bits + scale + scale.bit_length() + 40):
        parts = [(kind, to_ball(w), to_ball(v[a]), b) for kind, w, a, b in shape.parts]
        term = Term(parts, arb(0) if shape.log is None else to_ball(v[shape.log]))
        for _, _, a, b in parts:
            if not (a + b * first > 0) or (last is not None and not a + b * last > 0) or (last is None and b < 0):
                return NAN
        if not term.slope(arb(first), arb(first), True).is_finite():  # as of the logarithm of what is negative
            return NAN
        dips = last is not None and last - first > 1 and term.falls(first) and not term.falls(last)
        valley = _turn(term, first, last, rises=False) if dips else None
        if valley is None:
            value = _sum(term, first, last, bits)
        else:
            value = _sum(term, first, valley, bits) + _sum(term, valley + 1, last, bits)
    spend((spent() - begun) * ((full // bits) ** 2 - 1))  # as dear as all bits: who asks for more of them is not to be misled
    if not value.is_finite() and last is not None and last - first > LONGEST:
        raise Undecided("a sum over a long range whose terms could not be bounded")
    return ar.multiply((v[shape.factor], value))


def _sum(term: Term, first: int, last: int | None, bits: int) -> arb:
    mode = _turn(term, first, last, rises=True)
    if mode is None:
        return NAN
    peak = term.value(arb(mode))
    goal = (bits + 30) * 0.7
    width = 1 / term.bend(arb(mode), arb(0)).sqrt()
    steep = abs(term.slope(arb(mode), arb(mode), True))
    if steep * width > 4:  # an end of the range: the terms fall like a geometric series
        width = 4 / steep
    step = max(1, whole_above(width)) if width.is_finite() else 1
    right, left = (_cut(term, mode, side, step, end, peak, goal) for side, end in ((1, last), (-1, first)))
    if right is None or left is None:
        return NAN
    total = _tail(term, right + 1, last, peak, mode, 1) + _tail(term, first, left - 1, peak, mode, -1)
    if right - left < DIRECT:
        inside = arb(0)
        for k in range(left, right + 1):
            inside += (term.value(arb(k)) - peak).exp()
    else:
        inside = _window(term, left, right, peak, width, bits)
    return (total + inside) * peak.exp()


def _turn(term: Term, first: int, last: int | None, rises: bool) -> int | None:
    """Where the terms stop rising (or falling), if they do; the end of the range where they go on, ``first`` where they do not
    begin to: only a guide."""

    def on(k: int) -> bool:
        return term.falls(k) is not rises

    if not on(first):
        return first
    low, high = first, last
    if high is None:
        high = first + 1
        while on(high):
            low, high = high, 2 * high + 2
            if high.bit_length() > 40_000:
                return None
    return high if on(high) else halved(low, high, on)


def _cut(term: Term, mode: int, side: int, step: int, end: int | None, peak: arb, goal: float) -> int | None:
    """Where on one side the terms are too small to count, or the end of the range."""
    distance = step
    while end is None or distance < abs(end - mode):
        if (term.value(arb(mode + side * distance)) - peak).mid() < -goal:
            return mode + side * distance
        distance += max(1, distance // 4)
        if distance.bit_length() > 40_000:
            return None
    return end


def _tail(term: Term, low: int, high: int | None, peak: arb, mode: int, side: int) -> arb:
    """A ball around 0 for the terms low..high, on the right (side 1) or on the left (-1) of the peak."""
    total, pieces = arb(0), 0
    near, far = (low, high) if side > 0 else (high, low)
    assert near is not None
    if high is not None and high < low:
        return total
    if far is None:  # to infinity: all that rises must be bounded
        rising = any((w > 0) == (kind == "gamma") for kind, w, _, _ in term.parts)
        bound = NAN if rising else term.slope(arb(near), arb(near), True)
        return _geometric(term, near, bound, peak)
    reach = abs(far - near)
    while True:
        pieces += 1
        if pieces > MOST_PIECES:
            return NAN
        edge = near + side * min(reach, abs(far - near))
        ends = (arb(near), arb(edge)) if side > 0 else (arb(edge), arb(near))
        slope = term.slope(*ends, side > 0)
        if not side * slope < 0:
            reach //= 2
            if reach == 0:  # a few terms before the range's end that do not follow
                if abs(far - near) > DIRECT:
                    return NAN
                rest = range(near, far + 1) if side > 0 else range(far, near + 1)
                return total + within(sum(((term.value(arb(k)) - peak).exp() for k in rest), arb(0)))
            continue
        total += _geometric(term, near, side * slope, peak)
        if edge == far:
            return total
        near, reach = edge, 2 * reach


def _geometric(term: Term, near: int, slope: arb, peak: arb) -> arb:
    """t(near)/(1 - e^slope), slope < 0."""
    if not slope < 0:
        return NAN
    return within((term.value(arb(near)) - peak).exp() / -slope.expm1())


def _window(term: Term, left: int, right: int, peak: arb, width: arb, bits: int) -> arb:
    radius = (3 * width).mid()
    half = radius / 4
    count, least = 1, arb(2) ** (-bits - 10)
    while not _weight(count, radius, half) < least:
        count += 1
        if count > bits:
            return NAN
    length = bits // 2 + 20
    total, error = arb(0), arb(0)
    centre = arb(left)
    pieces = whole_above(arb(right - left) / (2 * half)) + 1
    if pieces > MOST_PIECES:
        return NAN
    half = arb(right - left) / (2 * pieces)
    ratio = half / radius
    weight = _weight(count, radius, half)
    for j in range(pieces):
        centre = left + (2 * j + 1) * half
        local, supremum = _local(term, centre, half, radius, peak, length)
        total += 2 * half * sum((coefficient(local, m) / (m + 1) for m in range(0, length, 2)), arb(0))
        error += 2 * half * supremum * (ratio**length / (1 - ratio) + weight)
    for at, sign in ((right, 1), (left, -1)):
        local, _ = _local(term, arb(at), half, radius, peak, max(length, 2 * count + 1))
        total += coefficient(local, 0) / 2
        for m in range(1, count + 1):
            total += sign * arb.bernoulli(2 * m) / (2 * m) * coefficient(local, 2 * m - 1) / half ** (2 * m - 1)
    return total + within(error)


def _weight(count: int, radius: arb, half: arb) -> arb:
    """C with |B_2K f^(2K)(x)/(2K)!| <= C sup |f| for |x - c| <= half, the supremum over |z - c| <= radius (Cauchy)."""
    return abs(arb.bernoulli(2 * count)) / (radius - half) ** (2 * count)


def _local(term: Term, centre: arb, half: arb, radius: arb, peak: arb, length: int) -> tuple[arb_series, arb]:
    """Taylor's series of t/t(mode) at the centre in units of ``half``, and the supremum on the disc."""
    spend(length * length * (1 + ctx.prec // 1000) // 4)
    slope = abs(term.slope(centre, centre, True))
    bend = term.bend(centre, radius)
    local = (term.series(centre, half, length) - peak).exp()
    supremum = (term.value(centre) - peak + slope * radius + bend * radius**2 / 2).exp()
    return local, supremum.abs_upper()
