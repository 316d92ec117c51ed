r"""Certified integrals whose integrand has a sharp peak, at any size of the parameter.

The integrand is written G e^L.  Where L is largest (t*, found by sampling; nothing rests on it) the integral is
scaled, t = t* + delta x, and integrated by flint's rigorous quadrature over a core outside of which L has
fallen by more bits than are wanted.  The rest is bounded from stretch to stretch [c, R]:

.. math:: \int_c^R |G| e^L \le \sup|G|\, e^{L(c)} / \kappa  \quad (L' \le -\kappa < 0),

where L' is bounded over the stretch directly, or by L'(c) if L'' <= 0 on it, or sup|G| e^L times the length; to
infinity also by t L' <= -kappa < -1, which gives sup|G| e^(L(c)) c/(kappa - 1).  All bounds are those of interval
arithmetic (:mod:`asymp.enclosure.ranges`) at the working precision.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb, factorial
from typing import Any

from flint import acb, arb, ctx

from asymp.enclosure.algebra import MINUS_OO, OO
from asymp.enclosure.arithmetic import NAN, Number, bits_of, digest, halved, setting, to_ball, within
from asymp.enclosure.integrands import Apart, Bounds, taken_apart
from asymp.enclosure.numbers import Undecided
from asymp.enclosure.plan import Body, Builder
from asymp.enclosure.quadrature import integral
from asymp.enclosure.ranges import Range, Ranges, Span, largest_of, make
from asymp.kernel.terms import Refused, Term, name
from asymp.notes import Memory

MOST_BITS = 1_200
"""Accuracy beyond which the quadrature is not tried: it costs seconds."""
PATIENCE = 100
"""Bits of accuracy at which a failure is not blamed on the precision."""
MOST_STRETCHES = 3_000
"""Stretches looked at before a bound of the rest is given up."""


Evaluate = Callable[[Any], Number]
_APART: Memory[Any, Apart] = Memory(64, paid=True)
"""Integrands that were taken apart: a claim is measured at many points, and each time the same integral is met."""
MOST_KNOWN = 256
"""Values kept: the same integral is asked for with each expansion that is compared with it."""
_KNOWN: Memory[Any, Number | str] = Memory(MOST_KNOWN, paid=True)
"""Numbers, or why there is none: that takes as long."""


def build(
    builder: Builder, body: Term, t: str, low: Term, high: Term, original: Term | None = None
) -> Evaluate | None:
    """The integral as a function of the values of a plan; None where the integrand cannot be taken apart.

    ``original``: the same function in another form, which may have sharper bounds away from the ends.
    """
    try:
        read = (body, t, low, high, original, builder.positive & (body.free | low.free | high.free))
        apart = _APART(read, lambda: taken_apart(*read))
        plans = {key: builder.body(f, apart.t) for key, f in apart.bodies.items()}
        start = None if apart.low == MINUS_OO else builder.place(apart.low)
        stop = None if apart.high == OO else builder.place(apart.high)
        names = {one: builder.place(name(one)) for one in apart.shown}
    except (Undecided, Refused):
        return None

    def value(v: Any) -> Number:
        ends = [to_ball(v[k]) if k is not None else arb.pos_inf() * side for k, side in ((start, -1), (stop, 1))]
        balls = {name: to_ball(v[place]) for name, place in names.items()}
        bodies = {key: Body(plan, v) for key, plan in plans.items()}
        read = (*(v[k] for k in names.values()), *ends, *(x for body in bodies.values() for x in body.inputs))
        key = (apart.key, tuple(names), setting(), tuple(digest(x) for x in read))
        job = Job(bodies, apart.bounds, apart.peak.power, balls, ends[0], ends[1])
        found = _KNOWN(key, job.found)
        if isinstance(found, str):
            raise Undecided(found)
        return found

    return value


class Job:
    """One evaluation, at one precision."""

    def __init__(
        self, bodies: Mapping[str, Body], bounds: Bounds, power: int, balls: Mapping[str, arb], low: arb, high: arb
    ) -> None:
        self.bodies, self.bounds, self.power = bodies, bounds, power
        self.low, self.high = low, high
        self.values = {name: make(ball, ball) for name, ball in balls.items()}
        known = [x for x in (low, high, *balls.values()) if x.is_finite() and not x.is_zero()]
        self.size = max([0, *(abs(bits_of(x)) for x in known)])
        self.reach = max(64, self.size) + 64
        self.top, self.height, self.goal = arb(0), arb(0), 0

    def at(self, key: str, t: arb) -> arb:
        """L, t^k G, L' or L'' at a point."""
        return to_ball(self.bodies[key](t))

    def found(self) -> Number | str:
        """The value, or why it is not to be had."""
        try:
            return self.integral()
        except Undecided as error:
            return str(error)

    def integral(self) -> Number:
        """The value; not finite where the precision is too low or no bound was found."""
        if self.low.is_nan() or self.high.is_nan() or not all(x.low.is_finite() for x in self.values.values()):
            return NAN
        with ctx.workprec(min(ctx.prec, MOST_BITS + 2 * self.size + 128)):  # where it is hangs on no further digit
            top = self._top()
        if top is None:
            return NAN
        height = self.at("log", top)
        if not height.is_finite():
            return NAN
        # bits that the size of the parameters costs near the peak are no digits of the result
        goal = min(ctx.prec - self.size, -bits_of(height.rad()) if height.rad() > 0 else ctx.prec) - 8
        if goal < 24:
            return NAN  # for want of precision
        if goal > MOST_BITS + self.size:
            raise Undecided("an integral with a sharp peak to thousands of digits")
        goal = min(goal, MOST_BITS)
        self.top, self.height, self.goal = top, height, goal
        drop = (goal + 8) * arb(2).log()
        right, left = self._fall(drop, 1), self._fall(drop, -1)
        if right is None or left is None or not right > left:
            return self._failed("the core of the peak was not found")
        core = self._core(left, right)
        if not core.is_finite():
            return self._failed("the quadrature over the core of the peak did not end")
        rest = self._tail(right, self.high, 1) + self._tail(left, self.low, -1)
        if not rest.is_finite():
            return self._failed("the integral away from the peak could not be bounded")
        return (core + within(rest)) * height.exp()

    def _failed(self, why: str) -> Number:
        """More precision may help while there is little of it."""
        if self.goal > PATIENCE:
            raise Undecided(why)
        return NAN

    # --- where the peak is: nothing rests on it --------------------------------------------------

    def _top(self) -> arb | None:
        points = self._samples()
        best, where = None, None
        for k, t in enumerate(points):
            value = self.at("log", t)
            if value.is_finite() and (best is None or value.mid() > best):
                best, where = value.mid(), k
        if where is None:
            return None
        a = points[max(where - 1, 0)]
        b = points[min(where + 1, len(points) - 1)]
        if where == 0 and not self.at("slope", a).mid() > 0:
            return self.low if self.low.is_finite() and self.at("log", self.low).is_finite() else a
        if where == len(points) - 1 and self.at("slope", b).mid() > 0:
            return self.high if self.high.is_finite() and self.at("log", self.high).is_finite() else b
        for _ in range(80):
            middle = ((a + b) / 2).mid() if not (a > 0 and b > 4 * a) else (a * b).sqrt().mid()
            a, b = (middle, b) if self.at("slope", middle).mid() > 0 else (a, middle)
        t = ((a + b) / 2).mid()
        for _ in range(12):  # Newton's steps double the digits
            bend, slope = self.at("bend", t).mid(), self.at("slope", t).mid()
            following = (t - slope / bend).mid() if bend != 0 else t
            if not following.is_finite() or not a <= following or not following <= b:
                break
            t = following
        return t

    def _samples(self) -> list[arb]:
        low, high = self.low, self.high
        if not low.is_finite():  # the logarithm of the variable
            base = [arb(k * self.reach) / 100 for k in range(-100, 101)] + [arb(k) / 4 for k in range(-40, 41)]
            points = sorted(base, key=float)
            kept = [x for x in points if not high.is_finite() or x < high]
            return [x.mid() for x in kept] or [(high - 1).mid()]
        steps = [arb(2) ** k for k in range(-self.reach, self.reach + 1, max(1, self.reach // 60))]
        if not high.is_finite():
            return [(low + x).mid() for x in steps]
        length = (high - low).mid()
        near = [length * s for s in steps if s < arb(1) / 33]
        inner = [length * k / 33 for k in range(1, 33)]
        return [(low + x).mid() for x in (*near, *inner, *(length - x for x in reversed(near)))]

    def _fall(self, drop: arb, side: int) -> arb | None:
        """A point where L has fallen by ``drop``, or the end of the range."""
        end, top = (self.high if side > 0 else self.low), self.top
        if end.is_finite() and not (end - top) * side > 0:
            return end

        def fallen(d: arb) -> bool:
            if end.is_finite() and not (end - top) * side > d:
                return True
            value = self.at("log", (top + side * d).mid())
            return not value.is_finite() or bool((self.height - value).mid() > drop.mid())

        low, high = -2 * self.reach - 64, 2 * self.reach + 64  # powers of 2, by bisection
        if not fallen(arb(2) ** high):
            return None
        small = arb(2) ** halved(low, high, lambda k: not fallen(arb(2) ** k))
        large = 2 * small
        for _ in range(4):
            middle_point = (small + large) / 2
            small, large = (small, middle_point) if fallen(middle_point) else (middle_point, large)
        return end if end.is_finite() and not (end - top) * side > large else (top + side * large).mid()

    # --- the core ---------------------------------------------------------------------------------

    def _core(self, left: arb, right: arb) -> arb:
        """The integral of t^k G e^(L - L*) over [left, right], in the variable (t - t*)/scale."""
        scale = arb(2) ** (bits_of(right - left) - 3)
        centre, height = acb(self.top), acb(self.height)
        log, factor = self.bodies["log"].complex(), self.bodies["factor"].complex()

        def density(x: acb, analytic: bool) -> acb:
            t = centre + scale * x
            return self._about(log(t, analytic) - height, t).exp() * factor(t, analytic)

        small = arb(2) ** -self.goal
        size = abs(self.at("factor", self.top))
        if size.is_finite() and size > 0:
            small = small * size
        a, b = acb((left - self.top) / scale), acb((right - self.top) / scale)
        value = integral(density, a, b, rel_tol=arb(2) ** -self.goal, abs_tol=small,
                         eval_limit=20 * self.goal + 15_000)
        return value.real * scale if value.is_finite() and value.imag.contains(0) else NAN

    def _about(self, exponent: acb, t: acb) -> acb:
        """L - L* over a ball about a real point c, where by its parts it is vague, from L(c) + L'(ball) (t - c).

        In L large terms may cancel, which are put together in L'.  L has to be analytic over the ball: atan(1/t) jumps at 0, and
        its derivative does not.
        """
        log = self.bodies["log"].complex()
        if (exponent.is_finite() and exponent.real.rad() < 1) or t.imag.mid() != 0 or not log(t, True).is_finite():
            return exponent
        c = acb(t.real.mid())
        found = log(c, True) - acb(self.height) + self.bodies["slope"].complex()(t, True) * (t - c)
        return found if found.is_finite() and not found.real.rad() > exponent.real.rad() else exponent

    # --- the rest ---------------------------------------------------------------------------------

    def _tail(self, c: arb, end: arb, side: int) -> arb:
        """A bound of the integral of |t^k G| e^(L - L*) from c away from the peak."""
        if end.is_finite() and not (end - c) * side > 0:
            return arb(0)
        total, waiting, unbounded = arb(0), [(c, end)], self.reach // 2 + 16
        for _ in range(MOST_STRETCHES):
            if not waiting:
                return total
            a, b = waiting.pop()  # what has no end first: where it has no bound from some point on, nothing has
            unbounded -= not b.is_finite()
            if not unbounded:
                return NAN
            bound = self._stretch(a, b, side)
            if bound is not None:
                total += bound
                continue
            near = abs(a - self.top).mid()
            if b.is_finite():
                away = (near * abs(b - self.top)).sqrt() if abs(b - self.top) > 4 * near else (near + abs(b - self.top)) / 2
            else:
                away = near * arb(2) ** 8
            middle = (self.top + side * away).mid()
            if not (middle - a) * side > near / 4096 or (b.is_finite() and not (b - middle) * side > 0):
                return NAN
            waiting += [(middle, b), (a, middle)] if b.is_finite() else [(a, middle), (middle, b)]
        return NAN

    def _over(self, bounds: Range | Ranges, a: arb, b: arb, side: int) -> Span:
        low, high = (a, b) if side > 0 else (b, a)
        return bounds.over(low, high, self.values)

    def _analytic(self, obstacles_: list[tuple[Range, bool]], a: arb, b: arb, side: int) -> bool:
        """Whether nothing vanishes over [a, b] that a quotient, a logarithm or a power needs."""
        return all(self._over(bounds, a, b, side).sign in ((1,) if positive else (1, -1)) for bounds, positive in obstacles_)

    def _stretch(self, a: arb, b: arb, side: int) -> arb | None:
        """A bound over [a, b] (b farther from the peak, perhaps infinite), relative to e^(L*).

        A bound of the derivative says something of L only where L is analytic, which is checked first.
        """
        size = self._over(self.bounds.factor, a, b, side)
        there = self.at("log", a) - self.height
        bounded = size.low.is_finite() and size.high.is_finite()
        if there.is_finite() and self._analytic(self.bounds.smooth, a, b, side):
            if not bounded:
                found = self._falling_product(size, there, a, b, side)
                slow = None if found is not None or b.is_finite() else self._slow(a, b, side)
                return found if slow is None else self._falling(Span(slow[0], slow[0]), there, a, b, side, slow[1])
            found = self._falling(size, there, a, b, side, 0)
            if found is not None:
                return found
        if not b.is_finite() or not bounded:
            return None
        top = self._over(self.bounds.log, a, b, side).high - self.height
        if not top < -(self.goal + 4) * arb(2).log():
            return None
        weight = abs(a).max(abs(b)) ** self.power if self.power else arb(1)
        return largest_of(size) * (top.exp() if top.is_finite() else arb(0)) * weight * abs(b - a)

    def _slow(self, a: arb, b: arb, side: int) -> tuple[arb, int] | None:
        """(C, k) with |G| <= C |t|^k beyond a, a of its sign: an unbounded factor f has |f| <= (|f(a)|/|a| + sup |f'|) |t|."""
        if not a * side > 0 or not self._analytic(self.bounds.smooth_away, a, b, side):
            return None
        total, power = arb(1), 0
        for factor, slope, far in self.bounds.single:
            size = self._over(factor, a, b, side)
            if not (size.low.is_finite() and size.high.is_finite()):
                start, steep = factor.over(a, a, self.values), self._over(slope, a, b, side)
                steep = steep if far is None else self._over(far, 1 / a, arb(0), -side)
                size = Span(arb(0), largest_of(start) / abs(a) + largest_of(steep))
                power += 1
            total = total * largest_of(size)
        return (total.abs_upper(), power) if total.is_finite() else None

    def _falling(self, size: Span, there: arb, a: arb, b: arb, side: int, more: int) -> arb | None:
        """L' <= -steep < 0 away from the peak: t^k e^L by |t|^k <= (|a| + |t - a|)^k, k = power + ``more``."""
        largest = largest_of(size) * there.exp()
        slope = self._over(self.bounds.slope, a, b, side)
        steep, k = (-slope.high if side > 0 else slope.low), self.power + more
        if not steep > 0:
            bend, start = self._over(self.bounds.bend, a, b, side), self.at("slope", a) * -side
            if bend.high <= 0 and start > 0:
                steep = start
        if steep > 0:
            return largest * sum(
                (comb(k, j) * abs(a) ** (k - j) * factorial(j) / steep ** (j + 1) for j in range(k + 1)), arb(0)
            )
        if not b.is_finite() and self.bounds.far is not None and a > 0:
            rate = -self.bounds.far.over(arb(0), 1 / a, self.values).high - k
            if rate > 1:
                return largest * a ** (k + 1) / (rate - 1)
        return None

    def _falling_product(self, size: Span, there: arb, a: arb, b: arb, side: int) -> arb | None:
        """The same for G e^L as a whole, G of one sign but unbounded: (L + ln G)' <= -steep."""
        if self.power or size.sign is None:
            return None
        if not self._analytic(self.bounds.smooth_factor, a, b, side):
            return None
        growth = self._over(self.bounds.growth, a, b, side)
        steep = -growth.high if side > 0 else growth.low
        value = abs(self.at("factor", a)) * there.exp()
        return value / steep if steep > 0 and value.is_finite() else None
