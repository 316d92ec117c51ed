r"""Terms that go by explicit steps: t(a+1)/t(a) is a product of linear forms in whole numbers and their floors.

.. math:: t(a) = \prod_m x_m^{E_m(a)} \prod_m \Big(\prod_{i=l_m}^{H_m(a)} f_m(i)\Big)^{\pm 1} \prod_m \ell_m(a)^{w_m},

E, H and the forms are linear in a and in floors of (A + Ba)/C, f a product of powers of forms linear in i and in floors of i:
hypergeometric on every stretch where the floors stand still, and along every progression on which they are linear.
Here are the numbers of one such term; all of them are whole, so that nothing is rounded before it is multiplied.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import lcm
from typing import Any

from flint import arb, fmpq

Line = tuple[int, ...]
"""(c, c', c_1, ..., c_k): the form c + c' x + c_1 F_1(x) + ... + c_k F_k(x), F the floors."""
Weighted = tuple[tuple[Line, int], ...]
"""Forms and their powers."""
MOST_FACTORS = 64
"""Factors of a product that one step may bring."""


@dataclass(frozen=True)
class Floors:
    """The functions floor((A + B x)/C), C > 0."""

    rows: tuple[tuple[int, int, int], ...] = ()

    def at(self, x: int) -> list[int]:
        """Their values."""
        return [(a + b * x) // c for a, b, c in self.rows]

    def slopes(self, step: int) -> list[int]:
        """By how much each grows with every ``step``: 0 where it is not by the same number every time."""
        return [b * step // c if b * step % c == 0 else 0 for a, b, c in self.rows]

    def run(self, x: int, step: int) -> int | None:
        """How many of x, x + step, ... the floors that do not grow evenly stand still on; None: all."""
        best = None
        for a, b, c in self.rows:
            move = b * step
            if move % c == 0:
                continue
            left = (a + b * x) % c
            found = 1 + ((c - 1 - left) // move if move > 0 else left // -move)
            best = found if best is None else min(best, found)
        return best

    def period(self, step: int = 1) -> int:
        """The least multiple of ``step``, over ``step``, with which all grow evenly."""
        return lcm(*(fmpq(b * step, c).q.__int__() for _, b, c in self.rows)) if self.rows else 1

    def bounds(self, line: Line, low: int, high: int) -> tuple[fmpq, fmpq]:
        """Bounds of a form on low <= x <= high: by its parts, and with the floors between (A+Bx)/C - (1 - 1/C) and (A+Bx)/C."""
        one, two = self.at(low), self.at(high)
        ends = [(line[1] * low, line[1] * high), *((k * u, k * v) for k, u, v in zip(line[2:], one, two, strict=True))]
        least, most = line[0] + sum(map(min, ends)), line[0] + sum(map(max, ends))
        flat, slope = fmpq(line[0]), fmpq(line[1])
        under = over = fmpq(0)
        for k, (a, b, c) in zip(line[2:], self.rows, strict=True):
            flat, slope = flat + fmpq(k * a, c), slope + fmpq(k * b, c)
            rest = fmpq(k * (c - 1), c)
            under, over = under - max(rest, fmpq(0)), over - min(rest, fmpq(0))
        near, far = flat + slope * low, flat + slope * high
        return max(fmpq(least), min(near, far) + under), min(fmpq(most), max(near, far) + over)


def slope(line: Line, step: int, floors: Sequence[Any]) -> Any:
    """The growth of a form with every ``step``, given that of the floors: whole numbers, or rational ones."""
    total = line[1] * step
    for k, f in zip(line[2:], floors, strict=True):
        total += k * f
    return total


def value(line: Line, x: int, floors: Sequence[int]) -> int:
    """A form at x, given the floors there."""
    found: int = line[0] + slope(line, x, floors)
    return found


@dataclass(frozen=True)
class Power:
    """base^E(a), the base positive, with its logarithm."""

    base: fmpq | arb
    log: arb
    exponent: Line


@dataclass(frozen=True)
class Factors:
    """(scale f(l) scale f(l+1) ... scale f(H(a)))^weight."""

    weight: int
    low: int
    limit: Line
    floors: Floors
    forms: Weighted
    scale: fmpq


Form = tuple[int, int]
"""(c, d): c + d k."""


@dataclass
class Step:
    """What t is multiplied by at one step, the k-th of a progression: plain times the product of (c + d k)^w."""

    forms: dict[Form, int]
    plain: fmpq | arb

    def times(self, t: arb, k: int) -> arb:
        """t after it."""
        top = bottom = 1
        for (c, d), w in self.forms.items():
            if w > 0:
                top *= (c + d * k) ** w
            else:
                bottom *= (c + d * k) ** -w
        return t * self.plain * top / bottom

    def positive(self) -> bool:
        """Whether the first is by positive forms."""
        return all(c > 0 for c, _ in self.forms)


@dataclass(frozen=True)
class Stepped:
    """The numbers of a term, on first <= a <= last."""

    floors: Floors
    powers: tuple[Power, ...]
    factors: tuple[Factors, ...]
    forms: Weighted  # of negative powers alone
    weights: tuple[Weighted, ...]  # what t is to be multiplied by, of positive powers alone
    first: int
    last: int
    _known: dict[int, tuple[list[int], list[tuple[int, list[int]]]]] = field(default_factory=dict, compare=False)

    def sound(self) -> bool:
        """Whether each product goes one way and never runs backwards, and what it multiplies is positive at the ends."""
        for item in self.factors:
            rises = [item.limit[1], *(k * b for k, (_, b, _) in zip(item.limit[2:], self.floors.rows, strict=True))]
            if min(rises) < 0 < max(rises):
                return False
            ends = [value(item.limit, a, self.floors.at(a)) for a in (self.first, self.last)]
            if min(ends) < item.low - 1:
                return False
        return True

    @cached_property
    def period(self) -> int:
        """The least number of steps with which everything grows evenly."""
        one = self.floors.period()
        slopes = self.floors.slopes(one)
        return lcm(one, *(one * item.floors.period(slope(item.limit, one, slopes)) for item in self.factors))

    def _growth(self, step: int) -> tuple[list[int], list[tuple[int, list[int]]]]:
        """Of the floors with every ``step``, and of the limit and the floors of each product."""
        if step not in self._known:
            outer = self.floors.slopes(step)
            limits = [slope(item.limit, step, outer) for item in self.factors]
            self._known[step] = outer, [(d, f.floors.slopes(d)) for d, f in zip(limits, self.factors, strict=True)]
        return self._known[step]

    def step(self, a: int, way: int, every: int) -> Step | None:
        """From a + every k to a + every k + way (1 or -1), as long as the floors stand still or grow evenly."""
        outer, inner = self._growth(every)
        here, there = self.floors.at(a), self.floors.at(a + way)
        forms: dict[Form, int] = {}
        plain: fmpq | arb = fmpq(1)
        for line, w in self.forms:
            d = slope(line, every, outer)
            for c, s in ((value(line, a + way, there), w), (value(line, a, here), -w)):
                forms[c, d] = forms.get((c, d), 0) + s
        for item, (move, slopes) in zip(self.factors, inner, strict=True):
            old, new = value(item.limit, a, here), value(item.limit, a + way, there)
            if abs(new - old) > MOST_FACTORS:
                return None
            weight = item.weight if new > old else -item.weight
            for i in range(min(old, new) + 1, max(old, new) + 1):
                inside = item.floors.at(i)
                plain *= item.scale**weight
                for line, w in item.forms:
                    form = value(line, i, inside), slope(line, move, slopes)
                    forms[form] = forms.get(form, 0) + w * weight
        for power in self.powers:
            e = value(power.exponent, a + way, there) - value(power.exponent, a, here)
            if e:
                plain = plain * (power.base**e if abs(e) < 1 << 12 else (power.log * e).exp())
        return Step({form: w for form, w in forms.items() if w}, plain)

    def length(self, a: int, way: int) -> int:
        """How many of the states a, a + way, ... go by one rational step."""
        count = (self.last - a if way > 0 else a - self.first) + 1
        run = self.floors.run(a, way)
        count = count if run is None else min(count, run)
        if count < 2:
            return count
        here, there = self.floors.at(a), self.floors.at(a + way)
        _, inner = self._growth(way)
        for item, (move, _) in zip(self.factors, inner, strict=True):
            old, new = value(item.limit, a, here), value(item.limit, a + way, there)
            for i in range(min(old, new) + 1, max(old, new) + 1):
                run = item.floors.run(i, move) if move else None
                count = count if run is None else min(count, run + 1)
        return count

    def weight_forms(self, a: int, every: int) -> list[list[tuple[int, int, int]]]:
        """The weights at a + every k, each a list of (c, d, power)."""
        outer, here = self._growth(every)[0], self.floors.at(a)
        return [[(value(line, a, here), slope(line, every, outer), w) for line, w in one] for one in self.weights]
