r"""What the terms of a :class:`~asymp.enclosure.stepped.Stepped` sum to beyond a state, bounded by geometric series.

On states a .. a + D of a way, a floor of (A + Bx)/C grows by Bd/C up to 1 in d steps, and a form lies between its bounds.
So with t(a + d) <= t(a) K theta^d there, theta < 1,

.. math:: \sum_{d \le D} t(a+d) \le t(a) K/(1 - \theta), \qquad t(a+D) \le t(a) K \theta^D,

and the next stretch of states goes on from there.  Floors that stand still grow by exactly 0.
"""

from __future__ import annotations

from flint import arb, fmpq

from asymp.enclosure.stepped import Factors, Line, Stepped, slope, value

MOST_PIECES = 300
ALONE = 200
"""States that may be passed one by one, where the terms do not fall."""
Sums = list[arb]


def beyond(term: Stepped, a: int, way: int, to: int, t: arb, reach: int) -> Sums | None:
    """Bounds of the sums of t times each weight over a, a + way, ..., to; None where none is found.

    Args:
        term: the term.
        a: the first state.
        way: 1 or -1.
        to: the last one.
        t: the term at a, or a bound of it.
        reach: how many states the first stretch may have.
    """
    total = [arb(0) for _ in term.weights]
    alone = 0
    for _ in range(MOST_PIECES):
        far = a + way * min(reach, abs(to - a))
        found = _stretch(term, a, far, way) if far != a else None
        if found is not None:
            theta, constant = found
            total = [x + t * constant / -theta.expm1() * most for x, most in zip(total, _most(term, a, far), strict=True)]
            if far == to:
                return total
            t, a, reach = t * constant * (theta * abs(far - a)).exp(), far, 2 * reach
            # the state ``far`` is counted twice, which a bound may
        elif reach > 1 and far != a:
            reach = max(1, min(reach, abs(to - a)) // 2)
        else:
            alone += 1
            total = [x + t * most for x, most in zip(total, _most(term, a, a), strict=True)]
            if a == to:
                return total
            moved = after(term, a, way, t)
            if moved is None or alone > ALONE:
                return None
            t, a, reach = moved, a + way, 2
    return None


def after(term: Stepped, a: int, way: int, t: arb) -> arb | None:
    """The term one state on."""
    step = term.step(a, way, 0)
    return step.times(t, 0) if step is not None and step.positive() else None


def rate(term: Stepped, a: int, way: int = 1) -> arb:
    """The logarithm of the growth with each step, the floors taken as evenly growing: only a guide."""
    here = term.floors.at(a)
    rates = [fmpq(way * b, c) for _, b, c in term.floors.rows]
    total = sum((slope(power.exponent, way, rates) * power.log for power in term.powers), arb(0))
    for item in term.factors:
        i = max(item.low, value(item.limit, a, here))
        inside = item.floors.at(i)
        log = arb(item.scale).log()
        for line, w in item.forms:
            log += w * arb(max(1, value(line, i, inside))).log()
        total += item.weight * slope(item.limit, way, rates) * log
    return total


def _most(term: Stepped, a: int, b: int) -> Sums:
    """Bounds of the sizes of the weights between two states."""
    result = []
    for one in term.weights:
        size = arb(1)
        for line, w in one:
            low, high = term.floors.bounds(line, min(a, b), max(a, b))
            size *= arb(max(abs(low), abs(high))) ** w
        result.append(size)
    return result


def _stretch(term: Stepped, a: int, far: int, way: int) -> tuple[arb, arb] | None:
    """(ln theta, K) for the states from a to ``far``."""
    low, high = min(a, far), max(a, far)
    here, there = term.floors.at(a), term.floors.at(far)
    moves = [x != y for x, y in zip(here, there, strict=True)]
    rates = [fmpq(way * b, c) if m else fmpq(0) for m, (_, b, c) in zip(moves, term.floors.rows, strict=True)]

    def slack(line: Line) -> int:
        return sum(abs(k) for k, moved in zip(line[2:], moves, strict=True) if moved)

    theta, constant = arb(0), arb(0)
    for power in term.powers:
        theta += slope(power.exponent, way, rates) * power.log
        constant += slack(power.exponent) * abs(power.log)
    for item in term.factors:
        old, new = value(item.limit, a, here), value(item.limit, far, there)
        if old == new:
            continue
        ends = _logarithm(item, min(old, new) + 1, max(old, new))
        if ends is None:
            return None
        first, second = (item.weight * slope(item.limit, way, rates) * end for end in ends)
        theta += first.max(second)
        constant += slack(item.limit) * abs(item.weight) * abs(ends[0]).max(abs(ends[1]))
    for line, w in term.forms:
        least = term.floors.bounds(line, low, high)[0]
        if not least > 0:
            return None
        constant += -w * (arb(value(line, a, here)) / arb(least)).log()
    theta = theta.upper()
    return (theta, constant.exp()) if theta < 0 else None


def _logarithm(item: Factors, low: int, high: int) -> tuple[arb, arb] | None:
    """Bounds of ln f on low <= i <= high, of scale and forms each positive there.

    A form over another is 1 + E/D, E their difference, which is small where f is near 1.
    """
    tops = [line for line, w in item.forms for _ in range(w)]
    bottoms = [line for line, w in item.forms for _ in range(-w)]
    least = most = arb(0)
    scale = item.scale
    for top, bottom in zip(tops, bottoms, strict=False):
        p, q = int(scale.p), int(scale.q)
        gap = tuple(p * x - q * y for x, y in zip(top, bottom, strict=True))
        (small, large), (under, over) = item.floors.bounds(gap, low, high), item.floors.bounds(bottom, low, high)
        if not (under > 0 and item.floors.bounds(top, low, high)[0] > 0):
            return None
        small, large = small / (q * (over if small > 0 else under)), large / (q * (under if large > 0 else over))
        scale = fmpq(1)
        if not small > -1:
            return None
        least, most = least + arb(small).log1p(), most + arb(large).log1p()
    rest = [(line, 1) for line in tops[len(bottoms) :]] + [(line, -1) for line in bottoms[len(tops) :]]
    for line, w in rest:
        small, large = item.floors.bounds(line, low, high)
        if not small > 0:
            return None
        ends = arb(small).log(), arb(large).log()
        least, most = least + w * ends[w < 0], most + w * ends[w > 0]
    log = arb(scale).log()
    return least + log, most + log
