r"""Truncated exponential series, :math:`S_m(x) = \sum_{k=0}^m x^k/k!` with a symbolic m: one normal form, and signs.

With a whole number taken out of m, :math:`S_{m+1} = S_m + x^{m+1}/(m+1)!`, so that S_(m-1), S_m and S_(m+2) are one atom and
powers.

What is linear in S = S_m is a sum over k again: with falling factorials :math:`k^{(j)} = k (k-1) \cdots (k-j+1)` and w = x^m/m!,

.. math:: x^j S = \sum_{k=0}^m k^{(j)} \frac{x^k}{k!} + w \sum_{i=1}^j m^{(j-i)} x^i,
   \qquad \sum_j a_j x^j S + r w + r_0 = r_0 + \sum_{k=0}^m q(k) \frac{x^k}{k!} + w r',\quad q(k) = \sum_j a_j k^{(j)},

and its terms have one sign where those of r_0 + q(0), of q(k) for 0 < k < m, and of q(m) + r' are the same; the last terms may be
taken together, as :math:`x^{m-1}/(m-1)! (q(m-1) + (q(m) + r') x/m)`.

>>> str(argument(read("Sum((2*x)^i/i!, (i, 0, m - 1))"))), argument(read("Sum(x^i/i!, (i, 1, m))"))
('2*x', None)
>>> from asymp.kernel.facts.context import Context
>>> from asymp.kernel.terms import ONE, ZERO, name
>>> at = Context(frozenset("m"), ((ONE, "<=", name("m")), (ZERO, "<", name("x"))))
>>> at.value(read("Sum(x^i/i!, (i, 0, m)) - Sum(x^i/i!, (i, 0, m - 1)) - x^m/m!")).is_zero
True
>>> sorted(at.signs(read("m*Sum(x^i/i!, (i, 0, m)) - x*Sum(x^i/i!, (i, 0, m - 1))")))
[1]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel.facts.signs import ANY, NONNEGATIVE, POSITIVE, Signs, plus, times
from asymp.kernel.noted import noted
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Ratio, atom, in_order, rational, to_term
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, name, number, opened, power, reciprocal
from asymp.kernel.terms import read as read

INDEX = name("index_of_the_sum")
FURTHEST = 4
"""Whole numbers that are taken out of the end of a sum."""
MOST_DEGREE = 4
TAKEN_TOGETHER = 2
"""Last terms that are taken together."""


def argument(term: Term) -> Term | None:
    """x of a sum of x^k/k! over k = 0, 1, ..., m; None for another term."""
    if term.head != "Sum" or len(term.parts) != 3 or term.parts[1] != ZERO or INDEX.name in term.free:
        return None
    body = opened(term.parts[0], INDEX)
    below = reciprocal(call("factorial", INDEX))
    left = [part for part in (body.parts if body.head == "product" else ()) if part != below]
    if len(left) != 1 or left[0].head != "power" or left[0].parts[1] != INDEX or INDEX.name in left[0].parts[0].free:
        return None
    x = left[0].parts[0]
    return x if body == multiply(power(x, INDEX), below) else None


def series(x: Term, last: Term) -> Term:
    """The sum of x^k/k! up to ``last``."""
    k = Term("bound")
    return Term("Sum", (multiply(power(x, k), reciprocal(call("factorial", k))), ZERO, last))


def last_term(x: Term, last: Term) -> Term:
    """x^m/m!."""
    return multiply(power(x, last), reciprocal(call("factorial", last)))


def aligned(x: Ratio, last: Ratio, at: Any) -> Ratio:
    """The sum, which is defined, by that whose end has no number beside what moves in it; ``at``: the context."""
    whole = last.num.get((), mpq(0)) if last.den == ONE_POLY else mpq(0)
    k = int(whole) if whole.denominator == 1 and abs(whole) <= FURTHEST and last.constant() is None else 0
    if not at.of(last - rational(k - 1)) <= NONNEGATIVE:  # the other may run backwards
        k = 0
    base, rest = to_term(x), to_term(last - rational(k))
    found = atom(series(base, rest))
    for j in range(min(k, 0), max(k, 0)):
        step = at.value(last_term(base, add(rest, number(j + 1))))
        found = found + step if k > 0 else found - step
    return found


# --- signs -----------------------------------------------------------------------------------------------


def signs(p: Poly, at: Any) -> Signs:
    """The signs of a polynomial in which such a sum stands, where each of its factors is linear in it.

    Args:
        p: the polynomial.
        at: the context.
    """
    atoms = {a for powers in p for a, _ in powers}
    sums = {a for a in atoms if _of_a_name(a)}
    logs = {a for a in atoms if a.head == "log" and _of_a_name(a.parts[0])}
    if logs and (found := _by_concavity(p, sorted(logs, key=lambda a: a.order), at)) != ANY:
        return found
    if len(sums) != 1:
        return ANY
    (total,) = sums
    try:
        c, outer, rest = factored(p)
    except Refused:
        c, outer, rest = mpq(1), (), [(p, 1)]
    found = POSITIVE if c > 0 else frozenset({-1})
    found = times(found, at.of(Ratio({outer: mpq(1)})))
    for q, k in rest:
        own = _linear(q, total, at) if any(a == total for powers in q for a, _ in powers) else at.of(Ratio(q))
        found = times(found, frozenset(s * s for s in own) if k % 2 == 0 else own)
    return found


def _of_a_name(term: Term) -> bool:
    x = argument(term)
    return x is not None and x.head == "name"


def _by_concavity(p: Poly, logs: Sequence[Term], at: Any) -> Signs:
    """Of c log S_m(x) - c log S_m(y) + rest, or c log S_m(x) + rest, where y = 0: for m >= 1 the slope S_(m-1)/S_m of the
    logarithm decreases, so that log S_m(x) - log S_m(y) is at least (x - y) S_(m-1)(x)/S_m(x), and more where x is not y."""
    weights = [
        Ratio({in_order({a: k for a, k in powers if a != log}): c for powers, c in p.items() if (log, mpq(1)) in powers})
        for log in logs
    ]
    rest = Ratio({powers: c for powers, c in p.items() if not any(a in logs for a, _ in powers)})
    last = logs[0].parts[0].parts[2]
    one_end = len(logs) < 3 and all(log.parts[0].parts[2] == last for log in logs)
    linear = sum(len(w.num) for w in weights) + len(rest.num) == len(p)
    if not one_end or not linear or not (len(logs) == 1 or (weights[0] + weights[1]).is_zero):
        return ANY
    if not at.of(at.value(last) - rational(1)) <= NONNEGATIVE:
        return ANY
    if len(logs) == 1:  # and log S_m(x) < x
        way = next((way for way in (1, -1) if at.of(weights[0]) == {-way}), 0)
        x = argument(logs[0].parts[0])
        if way and x is not None and at.of(rational(way) * (weights[0] * atom(x) + rest)) <= NONNEGATIVE:
            return frozenset({way})
    places = [x for log in logs if (x := argument(log.parts[0])) is not None]
    for way in (1, -1):
        for log, x, weight in zip(logs, places, weights, strict=True):
            if at.of(weight) == {way}:
                slope = rational(1) - at.value(last_term(x, last)) * at.value(log.parts[0]).inverse()
                gap = sum((-atom(y) for y in places if y != x), atom(x))
                if at.of(rational(way) * (weight * slope * gap + rest)) <= NONNEGATIVE:
                    return frozenset({way}) if len(logs) == 1 else frozenset({0, way})
    return ANY


def _linear(p: Poly, total: Term, at: Any) -> Signs:
    try:
        parts = _Parts.of(p, total, at)
    except Refused:
        return ANY
    for way in (1, -1):
        if (found := parts.signs(way)) != ANY:
            noted("truncated", total=total, q=parts.at_index(atom(INDEX)), first=parts.first, beyond=parts.beyond(), x=parts.x)
            return times(frozenset({way}), found)
    return ANY


class _Parts:
    """``rows``: a_j; ``over``: r; ``first``: r_0; x and m as they are in ``total``."""

    def __init__(self, total: Term, at: Any) -> None:
        self.at, self.last = at, total.parts[2]
        x = argument(total)
        assert x is not None
        self.x, self.m, self.rows = atom(x), at.value(self.last), dict[int, Ratio]()
        self.over, self.first = rational(0), rational(0)
        self.weight = at.value(last_term(x, self.last))

    @classmethod
    def of(cls, p: Poly, total: Term, at: Any) -> _Parts:
        """Those of a polynomial.

        Raises:
            Refused: it is not linear in the sum, or has other powers of x in it.
        """
        found = cls(total, at)
        x = argument(total) or ZERO
        ((weight, scale),) = found.weight.num.items()
        marks = [a for a, _ in weight if x.name in a.free]  # powers of x with m in the exponent
        least = min((dict(powers).get(x, mpq(0)) for powers in p), default=mpq(0))
        for powers, c in p.items():
            own = dict(powers)
            own[x] = j = own.get(x, mpq(0)) - min(least, mpq(0))
            degree = own.pop(total, mpq(0))
            if degree == 1 and j.denominator == 1 and j <= MOST_DEGREE:
                del own[x]
                one = Ratio({in_order(own): c})
                found.rows[int(j)] = found.rows.get(int(j), rational(0)) + one
                spoils = own
            elif degree == 0 and any(a in own for a in marks):
                for a, k in weight:
                    own[a] = own.get(a, mpq(0)) - k
                one = Ratio({in_order(own): c / scale})
                found.over = found.over + one
                spoils = {a: k for a, k in own.items() if a != x and k}
            elif degree == 0:
                found.first = found.first + Ratio({in_order(own): c})
                spoils = {}
            else:
                raise Refused("not linear in the sum")
            if any(x.name in a.free for a in spoils):
                raise Refused("another power of the argument")
        return found

    def at_index(self, k: Ratio) -> Ratio:
        """q(k)."""
        return sum((c * _falling(k, j) for j, c in self.rows.items()), rational(0))

    def beyond(self) -> Ratio:
        """r', by which the last term is multiplied besides."""
        found = self.over
        for j, c in self.rows.items():
            for i in range(1, j + 1):
                found = found + c * _falling(self.m, j - i) * self.x.power(i)
        return found

    def signs(self, way: int) -> Signs:
        """Of ``way`` times it, where all parts are not negative; else ANY."""
        sign = rational(way)
        group = self.at_index(self.m) + self.beyond()
        for count in range(1, TAKEN_TOGETHER + 1):
            step = self.m - rational(count - 1)  # m >= count - 1: there are so many terms
            if not self.at.of(step) <= NONNEGATIVE:
                break
            found = self._with(sign, group, count)
            if found != ANY or self.at.of(step) != POSITIVE:
                return found
            group = self.at_index(self.m - rational(count)) + self.x * step.inverse() * group
        return ANY

    def _with(self, sign: Ratio, group: Ratio, count: int) -> Signs:
        """Where the last ``count`` terms are x^(m - count + 1)/(m - count + 1)! times ``group``, and m >= count - 1."""
        at, k = self.at, "#k"
        while k in at.names() | self.last.free:
            k += "'"
        ends = at.of(sign * group)
        if not ends <= NONNEGATIVE:
            return ANY
        inside, index = at.with_range(k, ONE, add(self.last, number(-count)), True), atom(name(k))
        from_above = at.with_range(k, ZERO, add(self.last, number(-count - 1)), True), self.m - rational(count) - index
        ways = ((inside, index), from_above)
        seen = [found for found in (where.of(sign * self.at_index(x)) for where, x in ways) if found <= NONNEGATIVE]
        start, alone = at.of(sign * (self.at_index(rational(0)) + self.first)), at.of(sign * self.first)
        if not seen or not start <= NONNEGATIVE:
            return ANY
        middle = seen[0] | {0}  # there may be none
        if at.of(self.m - rational(count)) <= NONNEGATIVE:  # the term of k = 0 is none of the last
            return plus([start, middle, ends])
        return plus([start, middle, ends]) | plus([alone, ends]) if alone <= NONNEGATIVE else ANY


def _falling(k: Ratio, j: int) -> Ratio:
    found = rational(1)
    for i in range(j):
        found = found * (k - rational(i))
    return found
