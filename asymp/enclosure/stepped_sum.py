"""Sums of a :class:`~asymp.enclosure.stepped.Stepped` term t times weights, from its largest terms outwards.

Short stretches are added state by state, long ones by pieces (:mod:`~asymp.enclosure.stepped_piece`); where the floors
grow evenly with a short period, the whole range is one stretch of periods.  States whose terms
:func:`~asymp.enclosure.stepped_tail.beyond` shows to be too small to count are left out, and counted as an error.  Terms are
relative to that at the start, so that quotients of sums do not need it.
"""

from __future__ import annotations

from flint import arb, ctx, fmpq

from asymp.budget import spend
from asymp.enclosure.arithmetic import bits_of, halved, within
from asymp.enclosure.stepped import Floors, Stepped, value
from asymp.enclosure.stepped_piece import Local, TooLong, add_piece, half_length, peak, stretch, turn
from asymp.enclosure.stepped_tail import after, beyond, rate

DIRECT = 160
"""States up to this many are added one by one."""
LEAST_HALF = 32
LONGEST_PERIOD = 2_000
FEW = 200
"""Stretches up to this many are all looked at for the largest term."""
MOST_STATES = 20_000_000
MOST_PIECES = 50_000


NEVER = 1 << 62
"""Bits that no term has."""


def sums(term: Stepped, bits: int, begin: bool = False) -> list[arb] | None:
    """The sums of t times each weight, over t at one state; None where they could not be bounded.

    Args:
        term: the term.
        bits: about how many of them are wanted, relative.
        begin: whether the one state is the first; else one with about the largest term is looked for.
    """
    if not term.sound():
        return None
    guard = max(abs(term.first), abs(term.last)).bit_length() + 40
    with ctx.workprec(bits + guard):
        try:
            walk = _Walk(term, bits + 12)
            start = term.first if begin else walk.start()
            one = arb(1)
            walk.go(start, one, 1)
            if start > term.first:
                moved = after(term, start, -1, one)
                if moved is None:
                    return None
                walk.go(start - 1, moved, -1)
            return [x + within(e) for x, e in zip(walk.total, walk.error, strict=True)]
        except (TooLong, ZeroDivisionError):
            return None


def exactly(term: Stepped) -> list[fmpq] | None:
    """The same sums relative to the first state, term by term in rational numbers."""
    if not term.sound() or not all(isinstance(p.base, fmpq) for p in term.powers):
        return None
    total, t = [fmpq(0) for _ in term.weights], fmpq(1)
    for a in range(term.first, term.last + 1):
        floors = term.floors.at(a)
        for j, one in enumerate(term.weights):
            g = 1
            for line, w in one:
                g *= value(line, a, floors) ** w
            total[j] += t * g
        if a < term.last:
            step = term.step(a, 1, 0)
            if step is None or not step.positive():
                return None
            t = step.times(t, 0)
    return total


class _Walk:
    """The sums so far, and what was left out."""

    def __init__(self, term: Stepped, goal: int) -> None:
        self.stepped, self.goal = term, goal
        self.total = [arb(0) for _ in term.weights]
        self.error = [arb(0) for _ in term.weights]
        self.origin = term.first
        self.pieces = self.states = 0
        self.period = 1

    def _breaks(self) -> int:
        """About how many stretches there are."""
        term = self.stepped
        count = _changes(term.floors, term.first, term.last)
        for item in term.factors:
            ends = [value(item.limit, a, term.floors.at(a)) for a in (term.first, term.last)]
            count += _changes(item.floors, *ends)
        return count

    # --- where to begin ---------------------------------------------------------------------------

    def start(self) -> int:
        """A state with about the largest term: only a guide."""
        term = self.stepped
        if term.last - term.first < DIRECT:
            found = term.first
        elif self._breaks() < FEW:
            found = self._climb(term.first, 1, all_of_them=True)[0]
        else:
            found, period = halved(term.first, term.last, lambda a: rate(term, a).mid() > 0), term.period
            if 1 < period <= LONGEST_PERIOD and min(found - term.first, term.last - found) // period > 4 * DIRECT:
                half = half_length(stretch(term, found, 1, period), 0)[0]
                self.period = period if half >= LEAST_HALF * max(5, period // 40) else 1
            if self.period == 1:
                ways = [self._climb(found, way, all_of_them=False) for way in (1, -1)]
                found = ways[0][0] if ways[0][1] > ways[1][1] else ways[1][0]
        self.origin = found
        return found

    def _climb(self, a: int, way: int, all_of_them: bool) -> tuple[int, arb]:
        """(state, logarithm) of the largest of the stretches from a on, up to where it falls."""
        term, height = self.stepped, arb(0)
        best, top = a, arb(0)
        for _ in range(4 * FEW):
            local = stretch(self.stepped, a, way, 1)
            k = peak(local)
            rise = height + local.rise(0, k)
            if rise.mid() > top.mid():
                best, top = a + way * k, rise.mid()
            elif not all_of_them:
                break
            last = a + way * (local.count - 1)
            if last == (term.last if way > 0 else term.first):
                break
            height += local.rise(0, local.count - 1)
            moved = after(term, last, way, arb(1))
            if moved is None:
                raise TooLong
            height += moved.log()
            a = last + way
        return best, top

    # --- stretches ----------------------------------------------------------------------------------

    def go(self, a: int, t: arb, way: int) -> None:
        """Adds the states a, a + way, ... to the end of the range, or to where the rest is too small."""
        term = self.stepped
        last = term.last if way > 0 else term.first
        gate = NEVER
        while True:
            period = self.period if abs(last - a) // self.period > 2 * DIRECT else 1
            local = stretch(self.stepped, a, way, period)
            found = self._add(local, a, t, way, period, last)
            if found is None:
                return
            a, t = a + way * period * (local.count - 1), found
            if period > 1:
                a, t = a + way * period, self._advance(local, local.count - 1, t)
            elif a == last:
                return
            else:
                moved = after(term, a, way, t)
                if moved is None:
                    raise TooLong
                a, t = a + way, moved
            if self._small(t, gate):
                if self._drop(a, t, way, last):
                    return
                gate = bits_of(t) - 16

    def _small(self, t: arb, gate: int) -> bool:
        """Whether the term is far below what is added up, and below what it was when that was of no use."""
        here = bits_of(t)
        return here < gate and here < bits_of(self.total[-1]) - self.goal

    def _drop(self, a: int, t: arb, way: int, to: int) -> bool:
        """Leaves out the states a .. to, if they are too small."""
        bound = beyond(self.stepped, a, way, to, t.abs_upper(), max(1, abs(a - self.origin) // 16))
        if bound is None or not self._negligible(bound):
            return False
        self.error = [e + b for e, b in zip(self.error, bound, strict=True)]
        return True

    def _negligible(self, bound: list[arb]) -> bool:
        least = arb(2) ** -self.goal
        return all(b.is_finite() and b.abs_upper() < abs(x).abs_lower() * least for b, x in zip(bound, self.total, strict=True))

    def _add(self, local: Local, a: int, t: arb, way: int, period: int, last: int) -> arb | None:
        """Adds a stretch; the term at its last k, or None where all that follows is left out."""
        k, gate = 0, NEVER
        while True:
            rest = local.count - k
            if rest * period <= DIRECT:
                return self._one_by_one(local, k, rest, t)
            if k and self._small(t, gate):
                here = a + way * period * k
                if self._drop(here, t, way, last):
                    return None
                jump = self._skip(local, a, k, t, way, period)
                if jump is not None:
                    t = t * local.rise(k, jump).exp()
                    k = jump
                    continue
                gate = bits_of(t) - 16
            half, radius = half_length(local, k)
            if half < LEAST_HALF:
                count = min(rest, 2 * LEAST_HALF)
                t = self._one_by_one(local, k, count, t)
                k += count - 1
            else:
                if half < (rest - 1) // 2:  # one of few, for the sums of powers
                    half = half >> (half.bit_length() - 3) << (half.bit_length() - 3)
                half = min(half, (rest - 1) // 2)
                self.pieces += 1
                if self.pieces > MOST_PIECES:
                    raise TooLong
                found, t = add_piece(local, k, half, radius, t)
                self.total = [x + y for x, y in zip(self.total, found, strict=True)]
                k += 2 * half
            if k == local.count - 1:
                return t
            t = self._advance(local, k, t)
            k += 1

    def _skip(self, local: Local, a: int, k: int, t: arb, way: int, period: int) -> int | None:
        """A later k of the stretch, all between which is left out."""
        last = local.count - 1
        rises = local.growth(k).mid() > 0
        high = turn(local, k, last)
        if rises:  # as far as the terms are small
            room = self.total[-1].abs_lower().log() - arb(2).log() * (self.goal + 24) - t.abs_upper().log()
            high = halved(k, high, lambda j: local.rise(k, j).mid() < room.mid())
        if high <= k + DIRECT:
            return None
        one, two = a + way * period * k, a + way * period * high
        if not rises:
            dropped = self._drop(one, t, way, two - way)
        else:
            end = t * local.rise(k, high).exp()
            bound = beyond(self.stepped, two, -way, one, end.abs_upper(), max(1, abs(two - one) // 16))
            dropped = bound is not None and self._negligible(bound)
            if dropped and bound is not None:
                self.error = [e + b for e, b in zip(self.error, bound, strict=True)]
        return high if dropped else None

    # --- state by state -----------------------------------------------------------------------------

    def _one_by_one(self, local: Local, k: int, count: int, t: arb) -> arb:
        """Adds k, ..., k + count - 1; the term at the last."""
        self.states += count * len(local.steps)
        spend(2 * count * len(local.steps))
        if self.states > MOST_STATES:
            raise TooLong
        tops = [(c, d) for (c, d), w in local.forms.items() for _ in range(w)]
        bottoms = [(c, d) for (c, d), w in local.forms.items() for _ in range(-w)]
        factor = local.factor
        lines = [one[0][:2] if one else (1, 0) for one in local.weights[0] if not one or (len(one) == 1 and one[0][2] == 1)]
        single = len(local.steps) == len(tops) == len(bottoms) == 1 and len(lines) == len(self.total)
        if not single or not isinstance(factor, fmpq):
            return self._term_by_term(local, k, count, t)
        (top, more), (bottom, less), whole, over = tops[0], bottoms[0], int(factor.p), int(factor.q)
        top, more = whole * (top + more * k), whole * more
        bottom, less = over * (bottom + less * k), over * less
        plain, double = t, t  # the sums of t and of the sums so far: count - j of each t
        for _ in range(count - 1):
            t = t * top / bottom
            plain += t
            double += plain
            top += more
            bottom += less
        moment = plain * (count + k) - double
        for at, (c, d) in enumerate(lines):
            self.total[at] += plain * c + moment * d
        return t

    def _term_by_term(self, local: Local, k: int, count: int, t: arb) -> arb:
        """The same, for any weights and forms."""
        for j in range(k, k + count):
            moved = t
            for step, weights in zip(local.steps, local.weights, strict=True):
                for at, one in enumerate(weights):
                    self.total[at] += moved * _weight(one, j)
                moved = step.times(moved, j)
            if j < k + count - 1:
                t = moved
        return t

    def _advance(self, local: Local, k: int, t: arb) -> arb:
        for step in local.steps:
            t = step.times(t, k)
        return t


def _weight(one: list[tuple[int, int, int]], k: int) -> int:
    result = 1
    for c, d, w in one:
        result *= (c + d * k) ** w
    return result


def _changes(floors: Floors, low: int, high: int) -> int:
    return sum(abs(b) * abs(high - low) // c for _, b, c in floors.rows if b % c)
