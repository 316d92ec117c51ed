"""Long sums, by blocks of their terms: on each a polynomial in the index, and a bound of the rest.

Let f be the summand, with a derivative of every order on the real interval from a to b - 1, c its middle, and N even.  By
Taylor's theorem there is for each k = a, ..., b - 1 a number x of the interval with

    f(k) = sum_(i < N) f_i(c) (k - c)^i + f_N(x) (k - c)^N,    f_i = f^(i)/i!,

so that the sum of f(k) is sum_(i < N) f_i(c) S_i + R S_N, where S_i is the sum of (k - c)^i and R lies between the least and
the largest value of f_N on the interval, since (k - c)^N >= 0.  The coefficients f_i are computed by the arithmetic of
power series with balls: of a number c for f_i(c), and of a ball that holds the interval for R.  There every quotient is of
what is not 0, every logarithm and every base of what is positive, so that f is smooth on all of the interval; what else
may stand in the summand with the index in it is refused (a rounding above all, which is no smooth function of the index).

The blocks grow with the distance from the first of them: where f is like a power, or a power times a geometric sequence,
the rest is small on each.

>>> from asymp.kernel.terms import read
>>> term = read("Sum(1/k, (k, 1, n))")
>>> with ctx.workprec(64):
...     found = total(term.parts[0], 1, 100, 10**6 + 1, lambda one: arb(1))
>>> found.contains(arb(10**6 + 1).digamma() - arb(100).digamma()), found.rad() < 1e-12
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from math import comb

from flint import acb, arb, arb_series, ctx, fmpq

from asymp.kernel.facts.tails import mentions
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import FLINT, of_flint, remembered, rests_on

ORDER = 16
"""N, which is even."""
SLOWLY = 3
"""A block is so many times shorter than the way to it from where the first begins."""
MOST_BLOCKS = 1_000
WORK = 4
"""A node of the summand, on a block, is as much work as so many nodes of a number."""
MOST_POWER = 64

Values = Callable[[Term], arb]


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
    found, summand, cap = arb(0), Summand(body, constant), ctx.cap
    try:
        for low, high in blocks(start, first, stop):
            ctx.cap = ORDER + 2 if low < high else 1
            found = found + _block(summand, low, high)
    finally:
        ctx.cap = cap
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


def _block(summand: Summand, first: int, last: int) -> arb:
    if first == last:  # no polynomial: its value
        return summand.series(arb_series([arb(first), 1]))[0]
    middle = arb(fmpq(first + last, 2))
    around = arb(first).union(arb(last))
    rests_on(f"{FLINT}arb.union", f"{FLINT}arb_series")
    here, everywhere = (summand.series(arb_series([x, 1])) for x in (middle, around))
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


class Summand:
    """A summand as a power series in the index; the values of its parts without the index are asked once."""

    def __init__(self, body: Term, constant: Values) -> None:
        self.body, self._constant = body, constant
        self._known: dict[Term, arb] = {}

    def series(self, x: arb_series) -> arb_series:
        """The power series of the summand about a number, or about all numbers of a ball.

        Raises:
            Refused: it is not seen to be smooth there.
        """
        found = self._of(self.body, x)
        return found if isinstance(found, arb_series) else arb_series([found])

    def _of(self, term: Term, x: arb_series) -> arb | arb_series:
        if not mentions(term):
            if term not in self._known:
                self._known[term] = self._constant(term)
            return self._known[term]
        if term.head == "bound":
            return x
        if term.head == "sum":
            parts = [self._of(part, x) for part in term.parts]
            return sum(parts[1:], parts[0])
        if term.head == "product":
            found = self._of(term.parts[0], x)
            for part in term.parts[1:]:
                found = found * self._of(part, x)
            return found
        if term.head == "power":
            base, exponent = term.parts
            return self._power(base, exponent, x)
        return self._function(term, x)

    def _power(self, base: Term, exponent: Term, x: arb_series) -> arb_series:
        if exponent.is_number and exponent.number.denominator == 1 and 0 < abs(exponent.number) <= MOST_POWER:
            found = self._of(base, x)
            if exponent.number < 0:
                if _at(found).contains(0):
                    raise Refused("a division by what may be 0, between the terms of a sum")
                found = arb_series([arb(1)]) / found  # before the power: sharper on a ball
            return found ** abs(int(exponent.number))
        return _exp(self._of(exponent, x) * self._log(self._of(base, x)))

    def _log(self, of: arb | arb_series) -> arb | arb_series:
        if not _at(of) > 0:
            raise Refused("a logarithm or a power of what may be 0 or negative, between the terms of a sum")
        rests_on(f"{FLINT}arb.log", f"{FLINT}arb_series.log")
        return of.log()

    def _function(self, term: Term, x: arb_series) -> arb_series:
        inner = self._of(term.parts[0], x) if len(term.parts) == 1 and term.head in ("exp", "log", "harmonic") else None
        match term.head:
            case "exp" if inner is not None:
                return _exp(inner)
            case "log" if inner is not None:
                return self._log(inner)
            case "harmonic" if isinstance(inner, arb_series):
                return of_flint(arb, "const_euler") + _digamma(inner + 1)
        raise Refused(f"{term.head} is not known to be smooth between the terms of a sum")


def _exp(of: arb | arb_series) -> arb | arb_series:
    rests_on(f"{FLINT}arb.exp", f"{FLINT}arb_series.exp")
    return of.exp()


def _digamma(y: arb_series) -> arb_series:
    """psi(y_0 + y_1 t) by powers of t: psi increases, and -(-y_1)^i zeta(i + 1, y_0) is the coefficient of t^i for i > 0."""
    rests_on("DLMF 5.4.14", "DLMF 5.15.1", "DLMF 25.11.12")
    if any(not y[i] == 0 for i in range(2, ctx.cap)):
        raise Refused("harmonic numbers of what is not linear in the index of a sum")
    if not y[0] > 0:
        raise Refused("harmonic numbers where they may have poles, between the terms of a sum")
    rows = _polygammas(y[0].lower().fmpq(), y[0].upper().fmpq(), min(ctx.cap, ORDER + 1), ctx.prec)
    return arb_series([row * (-y[1]) ** i for i, row in enumerate(rows)])


@remembered(2_000)
def _polygammas(low: fmpq, high: fmpq, most: int, bits: int) -> list[arb]:
    """psi(x), and then -zeta(i + 1, x), of the numbers between two that are > 0: each is monotone."""
    with ctx.workprec(bits):
        ends = [arb(low), arb(high)] if low < high else [arb(low)]
        found = [[of_flint(end, "digamma") for end in ends]]
        rests_on(f"{FLINT}acb.zeta")
        found += [[-acb(i + 1).zeta(acb(end)).real for end in ends] for i in range(1, most)]
        return [row[0].union(row[-1]) for row in found]


def _at(found: arb | arb_series) -> arb:
    return found[0] if isinstance(found, arb_series) else found
