"""Certified roots: a change of sign between two exact points, narrowed.

Where a function is continuous, a certified change of its sign encloses a root; where it is monotone too, the
root.  The points are exact (dyadic), the signs are those of balls that exclude 0, and the precision is doubled
until they do.

>>> root = enclose_root("x*exp(x) - n", "x", {"n": 1}, "1/2", "1/4", digits=20)
>>> str(root)
'0.56714329040978387300 +/- 9.6e-22'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flint import arb, ctx

from asymp.enclosure.algebra import MINUS_OO, OO
from asymp.enclosure.arithmetic import to_ball
from asymp.enclosure.enclose import CAP_BITS, Enclosure, as_enclosure, as_term, binding, height_of, plan_of, run
from asymp.enclosure.numbers import Undecided

WIDENINGS = 60
"""How often the first radius is doubled until the signs differ."""
STEPS = 400
"""Evaluations until the root is narrow."""


class NoRootNearby(Undecided):
    """All signs are certified, and equal: there is no change of sign where it was looked for."""


def enclose_root(
    function: Any,
    unknown: str,
    values: Mapping[str, Any],
    centre: Any,
    radius: Any,
    digits: int = 12,
    cap_bits: int = CAP_BITS,
    within: tuple[Any, Any] = (MINUS_OO, OO),
) -> Enclosure:
    """A root of a continuous function near ``centre``, to ``digits`` digits of ``radius``.

    Args:
        function: F; its sign must change across the root.
        unknown: the name of its variable.
        values: all other names -> exact numbers.
        centre: where to look, an expression in the other names.
        radius: how far away the root may be, roughly; the search widens it.
        digits: the radius of the answer is at most ``radius * 10^-digits`` and ``10^-digits`` of the root.
        cap_bits: precision at which to give up (earlier, where four times what the inputs need does not do).
        within: the open interval in which the function is continuous.

    Raises:
        Undecided: a sign is not certified.
        NoRootNearby: all are, and there is no change of sign within 2^60 radii.
    """
    bound = binding(values)
    plan, middle, reach = (plan_of(one, bound) for one in (function, centre, radius))
    ends = [None if as_term(e) in (OO, MINUS_OO) else plan_of(e, bound) for e in within]
    bits = _bits_needed(middle, reach, bound, digits)
    search = _Search(plan, unknown, bound, bits, min(cap_bits, 4 * bits + 2048))
    with ctx.workprec(bits):
        start, width = to_ball(run(middle, bound, bits)).mid(), abs(to_ball(run(reach, bound, bits))).upper()
        low_end, high_end = (None if e is None else to_ball(run(e, bound, bits)) for e in ends)
        if not (start.is_finite() and width.is_finite() and width > 0):
            raise Undecided("no finite place to look for a root")
        low, high = search.bracket(start, width, low_end, high_end)
        goal = min(width, abs(start) if abs(start) > width else width) / arb(10) ** digits
        low, high = search.narrow(low, high, goal)
        half = (high - low) / 2
        return as_enclosure(arb(((low + high) / 2).mid(), half.abs_upper()), digits, bits)


def _bits_needed(middle: Any, reach: Any, bound: Mapping[str, Any], digits: int) -> int:
    """Bits in which centre and radius, and digits of the radius, can be told apart."""
    bits = 128 + int(3.33 * digits) + height_of(bound)
    size, width = (to_ball(run(p, bound, bits)) for p in (middle, reach))
    if size.is_zero() or not size.is_finite() or width.contains(0) or not width.is_finite():
        return 2 * bits
    with ctx.workprec(64):
        spread = float((abs(size) / abs(width)).log().mid()) * 1.4427
    return bits + max(0, int(spread))


class _Search:
    """Certified signs of one function of one variable."""

    def __init__(self, plan: Any, unknown: str, bound: Mapping[str, Any], bits: int, cap: int) -> None:
        self.plan, self.unknown, self.bound, self.bits, self.cap = plan, unknown, bound, bits, cap

    def value(self, x: arb) -> arb:
        """A ball of F(x) that excludes 0, or the exact 0.

        Raises:
            Undecided: not at the cap.
        """
        bits = self.bits
        while True:
            found = to_ball(run(self.plan, {**self.bound, self.unknown: x}, bits))
            if found > 0 or found < 0 or (found.is_exact() and found.is_zero()):
                return found
            if bits >= self.cap:
                raise Undecided(f"the sign of the equation at {x.str(8, radius=False)} is not certified at {bits} bits")
            bits = min(2 * bits, self.cap)

    def bracket(self, start: arb, width: arb, low_end: arb | None, high_end: arb | None) -> tuple[arb, arb]:
        """Two exact points with certified opposite signs."""
        width = width * arb("1.37")  # a radius that is a round number may end on the root itself
        room = width / 2 if low_end is None or high_end is None else width.min((high_end - low_end) / 2) / 2
        if low_end is not None and not start > low_end:  # terms that are the end itself
            start = (low_end + room).mid()
        if high_end is not None and not start < high_end:
            start = (high_end - room).mid()
        if (low_end is not None and not start > low_end) or (high_end is not None and not start < high_end):
            raise Undecided("the place to look at is not in the interval")
        share = arb(1)  # of the way to an end, which is approached and not reached
        cut_short = False
        for _ in range(WIDENINGS):
            low, high = (start - width).mid(), (start + width).mid()
            share = share / 2
            if low_end is not None and not low > low_end:
                low, cut_short = (low_end + (start - low_end) * share).mid(), True
            if high_end is not None and not high < high_end:
                high, cut_short = (high_end + (start - high_end) * share).mid(), True
            if (self.value(low) > 0) != (self.value(high) > 0):
                return low, high
            width = 2 * width
        if cut_short:
            raise Undecided("no change of sign was found, and an end of the interval is near")
        raise NoRootNearby("no change of sign was found")

    def narrow(self, low: arb, high: arb, goal: arb) -> tuple[arb, arb]:
        """The same, closer: false position with halved weights (Illinois), bisection where that is slow."""
        at_low, at_high = self.value(low), self.value(high)
        for step in range(STEPS):
            if high - low < goal:
                return low, high
            if step % 4 == 3 or at_low.is_zero() or at_high.is_zero():
                point = ((low + high) / 2).mid()
            else:
                point = ((low * at_high - high * at_low) / (at_high - at_low)).mid()
                # a step beyond the root, by less than the goal, closes the other side
                point = point + goal / 4 if point - low < high - point else point - goal / 4
                point = point.mid()
                if not low < point < high:
                    point = ((low + high) / 2).mid()
            try:
                at = self.value(point)
            except Undecided:  # the root itself, perhaps
                point = (point + goal / 8).mid()
                at = self.value(point)
            if at.is_zero():
                return (point - goal / 4).mid(), (point + goal / 4).mid()
            if (at > 0) == (at_low > 0):
                low, at_low, at_high = point, at, at_high / 2
            else:
                high, at_high, at_low = point, at, at_low / 2
        raise Undecided("the root was not narrowed")
