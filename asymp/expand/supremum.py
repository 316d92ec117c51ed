"""Suprema of growths on a half-line: how one growth absorbs another with an explicit constant.

For a growth q = exp(phi), n phi'(n) is again a finite sum of growths, so that *q decreases on n >= M* is
shown by its leading term, which must be negative and outweigh the positive ones on n >= M.  That uses
suprema of quotients of smaller exponential rank, so the recursion ends.  What lies between the start and M is
covered by balls.

>>> n = sp.Symbol("n", positive=True)
>>> q = Growth.of(sp.log(n)) * Growth.of(n, -1)
>>> beyond(sp.Integer(10)).supremum(q).str(5), beyond(sp.Integer(2)).supremum(q) >= number(sp.exp(-1))
('[0.23026 +/- 1.50e-6]', True)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp

from asymp.budget import uncounted
from asymp.enclosure.explicit import at_bits, exact_ball, hull, number, upper
from asymp.expansion import Refused
from asymp.notes import Memory
from asymp.scale import ONE, Growth

BITS = 96
"""Working precision, whatever that of the caller is: suprema are kept."""
PIECES = 240
"""Balls between the start and the point from which a growth is known to decrease."""
Ball = Any


class Later(Refused):
    """What was asked is not true, or not shown, from this start on; it may be from a later one."""


class Beyond:
    """Growths in one scale n, for all n with ln n >= ``log`` (a ball: its lower end counts).

    ln n must be positive where it occurs, and ln ln n too.
    """

    def __init__(self, log: Ball) -> None:
        self.log = log
        self._memo: Memory[Growth, Ball] = Memory(2_000)

    @uncounted
    def supremum(self, growth: Growth) -> Ball:
        """An upper bound for the growth on the half-line, sharp where it decreases from the start on.

        Raises:
            Later: a logarithm is not positive at the start.
            Refused: the growth does not tend to 0 or 1.
        """
        return self._memo(growth, lambda: self._supremum(growth))

    @at_bits(BITS)
    def _supremum(self, growth: Growth) -> Ball:
        if growth == ONE:
            return exact_ball(1)
        self.require_positive(growth)
        if growth.limit() != "zero":
            raise Refused(f"{growth} does not tend to 0")
        if self.decreases(growth):
            return self._finite(log_value(growth, self.log).exp().upper(), growth)
        end, steps = self.log, 0
        while True:
            end = (end * 2 if end > 1 else end + 1).upper()
            steps += 1
            if Beyond(end).decreases(growth):
                break
            if steps > 60:
                raise Later(f"{growth} is not known to decrease")
        best = log_value(growth, end).exp().upper()
        low = self.log.lower()
        ratio = ((end / low) if low > 0 else end).log() / PIECES if low > 0 else None
        for k in range(PIECES):
            a = low * (ratio * k).exp() if ratio is not None else low + (end - low) * k / PIECES
            b = low * (ratio * (k + 1)).exp() if ratio is not None else low + (end - low) * (k + 1) / PIECES
            best = best.max(log_value(growth, hull(a, b)).exp().upper())
        return self._finite(best, growth)

    @staticmethod
    def _finite(value: Ball, growth: Growth) -> Ball:
        if not value.is_finite():
            raise Later(f"{growth} is not bounded from the start on")
        return upper(value)

    @at_bits(BITS)
    def require_positive(self, growth: Growth) -> None:
        """Raises Later unless every logarithm in the growth is positive from the start on."""
        value = self.log  # ln N, then ln ln N, ...: each increases with N
        for level in range(_depth(growth)):
            value = value.log() if level else value
            if not value > 0:
                raise Later(f"a logarithm in {growth} is not positive from the start on")

    @at_bits(BITS)
    def decreases(self, growth: Growth) -> bool:
        """Whether n phi'(n) < 0 (or <= 0) is shown on the whole half-line, phi = ln growth."""
        slope = _slope(growth)
        balls = {g: number(c) for g, c in slope.items()}
        if any(not (b > 0 or b < 0) for b in balls.values()):
            return False
        positive = {g: b for g, b in balls.items() if b > 0}
        if not positive:
            return True
        lead = next((g for g in balls if all((h / g).limit() == "zero" for h in balls if h != g)), None)
        if lead is None or lead in positive:
            return False
        try:
            weight = sum((b * self.supremum(g / lead) for g, b in positive.items()), exact_ball(0))
        except Refused:
            return False
        return bool(weight < -balls[lead])


def _depth(growth: Growth) -> int:
    depth = 0
    for atom, _ in growth.powers:
        logs = 0
        while isinstance(atom, sp.log):
            atom, logs = atom.args[0], logs + 1
        depth = max(depth, logs)
    return max([depth, *(_depth(g) for g, _ in growth.large)])


def log_value(growth: Growth, log: Ball) -> Ball:
    """ln of the growth where ln n is in the ball ``log``."""
    total = exact_ball(0)
    for atom, power in growth.powers:
        value = log
        while isinstance(atom, sp.log):
            atom, value = atom.args[0], value.log()
        total += number(power) * value
    for inner, coefficient in growth.large:
        total += number(coefficient) * log_value(inner, log).exp()
    return total


@uncounted
@lru_cache(maxsize=10_000)
def _slope(growth: Growth) -> dict[Growth, sp.Expr]:
    """n d/dn ln(growth), as a sum of growths."""
    total: dict[Growth, sp.Expr] = {}

    def add(g: Growth, c: sp.Expr) -> None:
        total[g] = total.get(g, sp.S.Zero) + c

    for atom, power in growth.powers:
        here = ONE
        while isinstance(atom, sp.log):
            here = here * Growth.of(atom, -1)
            atom = atom.args[0]
        # n d/dn ln ln n = 1/ln n, n d/dn ln ln ln n = 1/(ln n ln ln n)
        add(here, power)
    for inner, coefficient in growth.large:
        for g, c in _slope(inner).items():
            add(inner * g, coefficient * c)
    return {g: c for g, c in total.items() if c != 0}


@uncounted
@lru_cache(maxsize=512)
def beyond(start: sp.Rational) -> Beyond:
    """The half-line n >= start, start >= 1."""
    if start < 1:
        raise Refused("a half-line of large n begins at 1 at the earliest")
    return Beyond(number(sp.log(start), 192) if start != 1 else exact_ball(0))
