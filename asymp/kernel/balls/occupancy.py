r"""The mean occupancy of parallel processor sharing, of d > 1 servers a job and a load 0 < lambda < 1: (d - 1) lambda b, where

.. math:: S(b) = \sum_{u \ge 0} \prod_{v=1}^u \frac{d \lambda b}{b + v} = \frac{1}{1 - \lambda}, \qquad b > 0

(equation (3) of the mean-field analysis, which is what the function means).  Each factor rises in b, and S(0) = 1, so that
there is one b, and it lies above each number at which S is less, and below each at which S is more.  S is enclosed by its
first terms; from one on of which the next factor is q < 1 the rest is at most q/(1 - q) times that, as the factors fall in v.

>>> with ctx.workprec(64):
...     low, high = occupancy(fmpq(2), fmpq(9, 10))
>>> round(float(low.p)/float(low.q), 9), low < high < low + fmpq(1, 10**12)
(3.337652045, True)
"""

from __future__ import annotations

from flint import arb, ctx, fmpq

from asymp.kernel.terms import Refused
from asymp.kernel.trust import ARITHMETIC, rests_on

MOST_TERMS = 2_000
STEPS = 100
SPARE = 20
"""Bits that are left for the rounding of sums."""


def occupancy(d: fmpq, load: fmpq) -> tuple[fmpq, fmpq]:
    """Numbers between which the mean occupancy lies.

    Raises:
        Refused: d is no more than 1, the load is not between 0 and 1, or the sums are long.
    """
    if not (d > 1 and 0 < load < 1):
        raise Refused("the mean occupancy of no more than one server a job, or of a load that is not between 0 and 1")
    rests_on(ARITHMETIC)
    wanted = 1 / (1 - load)
    low, high = fmpq(0), fmpq(1)
    for _ in range(STEPS):
        if _is_below(d * load, high, wanted) is not True:
            break
        low, high = high, 2 * high
    for _ in range(STEPS):
        if high - low <= high / fmpq(2) ** (ctx.prec - SPARE):
            break
        middle = (low + high) / 2
        told = _is_below(d * load, middle, wanted)
        if told is None:
            break
        low, high = (middle, high) if told else (low, middle)
    if _is_below(d * load, high, wanted) is not False:
        raise Refused("a mean occupancy that is not seen")
    return (d - 1) * load * low, (d - 1) * load * high


def _is_below(a: fmpq, b: fmpq, wanted: fmpq) -> bool | None:
    """Whether S(b) is less than a number (True), or more (False); None where that is not told."""
    term, found, ball = arb(1), arb(1), arb(a * b)
    for v in range(1, MOST_TERMS):
        term = term * ball / arb(b + v)
        found = found + term
        if found > arb(wanted):
            return False
        q = ball / arb(b + v + 1)
        if q < 1 and term < arb(2) ** (SPARE // 2 - ctx.prec):
            return True if found + term * q / (1 - q) < arb(wanted) else None
    return None
