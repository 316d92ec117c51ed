"""Suprema of growths on a half-line: how one growth absorbs another with an explicit constant.

Of a growth q = exp(phi(s)) of one quantity s, s phi'(s) is again a finite sum of growths.  So that *q decreases for s >= M* is
seen from a leading term that is negative there and outweighs the positive ones, by suprema of quotients of smaller exponential
rank: the recursion ends.  What lies between the start and M is covered by balls.

>>> from asymp.kernel.growths.growth import power_of
>>> q = power_of(0, 1) / power_of(0, 0)  # log(s)/s, which is largest at e
>>> HalfLine(fmpq(10), Numbers(96)).supremum(q).str(5), bool(HalfLine(fmpq(2), Numbers(96)).supremum(q) >= arb(-1).exp())
('[0.23026 +/- 1.50e-6]', True)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from flint import arb, ctx, fmpq

from asymp.kernel.facts.ranges import Evaluator
from asymp.kernel.growths.growth import ONE, Domain, Growth, power_of
from asymp.kernel.rings.ratio import Ratio, to_term
from asymp.kernel.terms import Refused
from asymp.kernel.trust import of_flint

PIECES = 240
"""Balls between the start and the point from which a growth is known to decrease."""
MOST_DOUBLED = 60
"""How often the logarithm of the start is doubled in search of that point."""


class Later(Refused):
    """What was asked is not true, or not seen, from this start on; it may be from a later one."""


class Numbers:
    """Balls of constants, at one precision; the work that is done for all of them is bounded."""

    def __init__(self, bits: int) -> None:
        self.bits, self._evaluator = bits, Evaluator(bits)
        self._known: dict[Any, arb] = {}

    def ball(self, c: Ratio) -> arb:
        """A ball of a constant.

        Raises:
            Refused: it is none, or has no value that is known.
        """
        key = c.key
        if key is None or key not in self._known:
            low, high = self._evaluator.range(to_term(c), {})
            with ctx.workprec(self.bits):
                found = arb(low) if low == high else arb(low).union(arb(high))
            if key is None:
                return found
            self._known[key] = found
        return self._known[key]


@dataclass
class HalfLine:
    """All s >= start >= 1, and the balls of constants that stand in growths there."""

    start: fmpq
    numbers: Numbers
    log: arb = field(init=False)
    domain: Domain = field(default_factory=Domain, repr=False)
    _known: dict[Any, arb] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.start < 1:
            raise Refused("a half-line begins at 1 at the earliest")
        with ctx.workprec(self.bits):
            self.log = of_flint(arb(self.start), "log") if self.start != 1 else arb(0)

    @property
    def bits(self) -> int:
        """The precision of balls."""
        return self.numbers.bits

    def number(self, c: Ratio) -> arb:
        """A ball of a constant: see :meth:`Numbers.ball`."""
        return self.numbers.ball(c)

    def supremum(self, growth: Growth) -> arb:
        """An upper bound for a growth on the half-line, sharp where it decreases from the start on.

        Raises:
            Later: a logarithm in it is not positive at the start, or it is not seen to be bounded from there on.
            Refused: it does not tend to 0 or 1.
        """
        key = growth.key
        if key is None or key not in self._known:
            with ctx.workprec(self.bits):
                found = self._supremum(growth, self.log)
            if key is None:
                return found
            self._known[key] = found
        return self._known[key]

    def _supremum(self, growth: Growth, log: arb) -> arb:
        if growth.same(ONE):
            return arb(1)
        positive(growth, log)
        if growth.limit(self.domain) != "zero":
            raise Refused("a growth that does not tend to 0")
        if self._decreases(growth, log):
            return _finite(_exp(self._log_of(growth, log)))
        end, doubled = log, 0
        while not self._decreases(growth, end := (end * 2 if end > 1 else end + 1).upper()):
            if (doubled := doubled + 1) > MOST_DOUBLED:
                raise Later("a growth that is not seen to decrease")
        best, low = _exp(self._log_of(growth, end)).upper(), log.lower()
        for k in range(PIECES):
            a, b = (_between(low, end, fmpq(j, PIECES)) for j in (k, k + 1))
            best = best.max(_exp(self._log_of(growth, a.union(b))).upper())
        return _finite(best)

    def _decreases(self, growth: Growth, log: arb) -> bool:
        """Whether s phi' <= 0 is seen from exp(log) on."""
        parts = [(self.number(c), g) for c, g in slope(growth)]
        if any(not (b > 0 or b < 0) for b, _ in parts):
            return False
        rising = [(b, g) for b, g in parts if b > 0]
        if not rising:
            return True
        lead = next((x for x in parts if all(x is y or (y[1] / x[1]).limit(self.domain) == "zero" for y in parts)), None)
        if lead is None or lead[0] > 0:
            return False
        try:
            weight = sum((b * self._supremum(g / lead[1], log) for b, g in rising), arb(0))
        except Refused:
            return False
        return bool(weight < -lead[0])

    def _log_of(self, growth: Growth, log: arb) -> arb:
        """The logarithm of a growth where that of s is in a ball."""
        total = arb(0)
        for (_, depth), e in growth.powers:
            value = log
            for _ in range(depth):
                value = of_flint(value, "log")
            total += self.number(e) * value
        for c, g in growth.exponent:
            total += self.number(c) * _exp(self._log_of(g, log))
        return total

    def positive(self, growths: Iterable[Growth]) -> None:
        """That all logarithms in growths are positive on the half-line.

        Raises:
            Later: they are not.
        """
        with ctx.workprec(self.bits):
            for growth in growths:
                positive(growth, self.log)


def positive(growth: Growth, log: arb) -> None:
    """That log s, log log s, ... are positive as far as they occur in a growth: each of them increases.

    Raises:
        Later: they are not.
    """
    for k in range(_depth(growth)):
        log = of_flint(log, "log") if k else log
        if not log > 0:
            raise Later("a logarithm that is not positive from the start on")


def _depth(growth: Growth) -> int:
    return max([0, *(depth for (_, depth), _ in growth.powers), *(_depth(g) for _, g in growth.exponent)])


def _between(low: arb, end: arb, part: fmpq) -> arb:
    """A place between two logarithms, by their ratio where both are positive."""
    if low > 0:
        return low * of_flint(of_flint(end / low, "log") * arb(part), "exp")
    return low + (end - low) * arb(part)


def _exp(x: arb) -> arb:
    return of_flint(x, "exp")


def _finite(value: arb) -> arb:
    if not value.is_finite():
        raise Later("a growth that is not bounded from the start on")
    return value.upper()


def slope(growth: Growth) -> list[tuple[Ratio, Growth]]:
    """s times the derivative of the logarithm of a growth: of log log s that is 1/log s."""
    found: list[tuple[Ratio, Growth]] = []
    for (i, depth), e in growth.powers:
        here = ONE
        for k in range(1, depth + 1):
            here = here / power_of(i, k)
        found = _with(found, e, here)
    for c, g in growth.exponent:
        for d, h in slope(g):
            found = _with(found, c * d, g.times(h))
    return found


def _with(parts: list[tuple[Ratio, Growth]], c: Ratio, g: Growth) -> list[tuple[Ratio, Growth]]:
    for k, (d, h) in enumerate(parts):
        if g.same(h):
            return [*parts[:k], *([] if (d + c).is_zero else [(d + c, h)]), *parts[k + 1 :]]
    return [*parts, (c, g)]

