"""Long sums, by blocks of their terms: on each a polynomial in the index, and a bound of the rest.

Let f be the summand, with a derivative of every order on the real interval from a to b - 1, c its middle, and N even.  By
Taylor's theorem there is for each k = a, ..., b - 1 a number x of the interval with

    f(k) = sum_(i < N) f_i(c) (k - c)^i + f_N(x) (k - c)^N,    f_i = f^(i)/i!,

so that the sum of f(k) is sum_(i < N) f_i(c) S_i + R S_N, where S_i is the sum of (k - c)^i and R lies between the least and
the largest value of f_N on the interval, since (k - c)^N >= 0.  The coefficients f_i are computed by the arithmetic of
power series with balls (:mod:`asymp.kernel.facts.jets`), of a number c for f_i(c), and of a ball that holds the interval for R,
where what is not seen to be analytic on all of it is refused.

The blocks grow with the distance from the first of them: where f is like a power, or a power times a geometric sequence,
the rest is small on each.

>>> from asymp.kernel.terms import read
>>> term = read("Sum(1/k, (k, 1, n))")
>>> from flint import ctx
>>> with ctx.workprec(64):
...     found = total(term.parts[0], 1, 100, 10**6 + 1, lambda one: arb(1))
>>> found.contains(arb(10**6 + 1).digamma() - arb(100).digamma()), found.rad() < 1e-12
(True, True)
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

from flint import arb, arb_series, fmpq

from asymp.kernel.facts.jets import Jet, Values, to_order
from asymp.kernel.facts.tails import mentions
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import FLINT, rests_on

ORDER = 16
"""N, which is even."""
SLOWLY = 3
"""A block is so many times shorter than the way to it from where the first begins."""
MOST_BLOCKS = 1_000
WORK = 4
"""A node of the summand, on a block, is as much work as so many nodes of a number."""


def total(body: Term, start: int, first: int, stop: int, constant: Values) -> arb:
    """A ball that holds the sum of the terms of the indices from ``first`` to before ``stop``.

    Args:
        body: the summand, in which the index is ``bound`` with number 0.
        start: from where the sum is said; the blocks grow with the distance from it.
        first: the first index.
        stop: the one after the last.
        constant: a ball that holds the value of a part of the summand without the index in it.

    Raises:
        Refused: the summand is not seen to be smooth, or a value is not finite.
    """
    found, summand = arb(0), Jet(mentions, constant)
    for low, high in blocks(start, first, stop):
        with to_order(ORDER if low < high else 0):
            found = found + _block(summand, body, low, high)
    if not found.is_finite():
        raise Refused("a sum that is not finite, or not known to be")
    return found


def work(body: Term, start: int, first: int, stop: int) -> int:
    """About how many nodes of numbers are evaluated in the time that the sum takes."""
    return WORK * len(blocks(start, first, stop)) * _moving(body)


def _moving(term: Term) -> int:
    """How many of the parts of a summand have the index in them: the others are evaluated once."""
    return 1 + sum(map(_moving, term.parts)) if mentions(term) else 0


def blocks(start: int, first: int, stop: int) -> list[tuple[int, int]]:
    """The first and the last index of each block.

    >>> blocks(10, 10, 30)
    [(10, 10), (11, 11), (12, 12), (13, 13), (14, 14), (15, 15), (16, 17), (18, 19), (20, 22), (23, 26), (27, 29)]
    """
    found = list(_blocks(start, first, stop))
    if len(found) > MOST_BLOCKS:
        raise Refused("a sum of too many blocks")
    return found


def _blocks(start: int, first: int, stop: int) -> Iterator[tuple[int, int]]:
    left = MOST_BLOCKS + 1
    while first < stop and left:
        last = min(stop - 1, first + max(1, (first - start) // SLOWLY) - 1)
        yield first, last
        first, left = last + 1, left - 1


def _block(summand: Jet, body: Term, first: int, last: int) -> arb:
    index = Term("bound")
    if first == last:  # no polynomial: its value
        return summand.of(body, {index: arb_series([arb(first), 1])})[0]
    middle = arb(fmpq(first + last, 2))
    around = arb(first).union(arb(last))
    rests_on(f"{FLINT}arb.union", f"{FLINT}arb_series")
    here, everywhere = (summand.of(body, {index: arb_series([x, 1])}) for x in (middle, around))
    found = everywhere[ORDER] * arb(moment(last - first + 1, ORDER))
    for i in range(0, ORDER, 2):
        found = found + here[i] * arb(moment(last - first + 1, i))
    return found


@lru_cache(maxsize=5_000)
def moment(count: int, i: int) -> fmpq:
    """S_i, the sum of t^i over the numbers t of a row of so many, each 1 more than the one before, that is symmetric about 0.

    (t + 1/2)^(i+1) - (t - 1/2)^(i+1) is the sum of 2 C(i+1, j) 2^(-j) t^(i+1-j) over the odd j <= i + 1; and summed over t it is
    2 (count/2)^(i+1) for even i.  For odd i, S_i = 0.

    >>> [moment(3, i) for i in (0, 1, 2, 4)], moment(2, 2)
    ([3, 0, 2, 2], 1/2)
    """
    if i % 2:
        return fmpq(0)
    found = 2 * fmpq(count, 2) ** (i + 1)
    for j in range(3, i + 2, 2):
        found -= 2 * comb(i + 1, j) * moment(count, i + 1 - j) / fmpq(2) ** j
    return found / (i + 1)
