"""Roundings of quotients and finite products on a domain, by linear conditions on whole quantities.

* floor(x) = w where 0 <= x - w < 1 is seen, of some whole w that are tried; ceiling(x) is -floor(-x).
  Where that is not seen, q = floor(p/d) for whole p and d > 0 is a whole quantity of which 0 <= p - d q <= d - 1 is known.
* Product(f, (k, a, b)) is defined for whole a and b, b >= a - 1, and f that is for a <= k <= b; it is 1 for b = a - 1.  Of
  ends that differ by whole numbers the least is kept: Product(f, (k, 1, n)) = Product(f, (k, 1, n - 1)) f(n) for n >= 1.

>>> from asymp.kernel.summation.sums import Sums, read
>>> from asymp.language.conditions import read_conditions
>>> one = Sums(read_conditions("whole b, whole r, 0 <= r < d, whole d, d >= 2"))
>>> one.is_zero(one.of(read("floor((d*b + r)/d) - b"))), one.is_zero(one.of(read("floor((d*b + r + 1)/d) - b")))
(True, False)
>>> one.sign(one.of(read("Product(1 + floor((r + 1)/k), (k, 1, r))")))
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from math import floor, lcm

from gmpy2 import mpq

from asymp.kernel.rings.counting import at_index
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Powers, Ratio, atom, rational, to_term
from asymp.kernel.summation import linear
from asymp.kernel.summation.generalised import ANY, MOST_SIGNED, NONNEGATIVE, POSITIVE, Names, bound
from asymp.kernel.summation.linear import Linear, Relation, System, relations
from asymp.kernel.terms import Refused, Term, add, name, number, opened, substitute
from asymp.language.conditions import Compared

Ends = dict[frozenset[object], int]
MOST_SPLIT = 3
"""Terms of a whole quantity of which all sums of some are tried."""
MOST_PEELED = 12
"""Terms taken from an end of a sum or a product."""


class Whole(Names):
    """Names, with what is known of whole quantities by linear conditions.

    ``given``: of ends of sums and products without their numbers, the least number that is kept; ``seen``: that is met.
    """

    given: Ends
    seen: Ends
    together: dict[object, int | None]
    rows: set[Linear] | None = None
    """Linear conditions on whole variables, true on the whole domain; made when they are first asked for."""
    made_of: dict[str, set[Linear]]
    """Such conditions for each variable of a sum or a product, and for each rounding."""

    # --- what is known of whole quantities -----------------------------------------------------------

    def _rows_about(self, wanted: Iterable[Linear]) -> System:
        """What is known of the variables, and of what is made of them and stands in some conditions."""
        if self.rows is None:
            self.rows = set()
            for c in self.conditions:
                for one in relations([c]) if isinstance(c, Compared) else ():
                    found = _if_linear(partial(one.at, self.values, self.whole))
                    self.rows |= found or _if_linear(partial(self._crossed, one))
            for v, own in self.ranges.items():
                for end, side in ((own.low, 1), (own.high, -1)):
                    if v in self.whole and end is not None and v not in self.meaning and v not in self.made_of:
                        self.rows.add(linear.tight({v: side * end.denominator}, -side * end.numerator))
        rows, left, seen = set(self.rows), list(wanted), set[str]()
        while left:
            names = {part for v, _ in left.pop()[0] for part in linear.factors(v)} & self.made_of.keys() - seen
            seen |= names
            more = {row for v in names for row in self.made_of[v]}
            rows |= more
            left += more
        return frozenset(rows)

    def _crossed(self, one: Relation) -> Linear:
        """A comparison of quotients with positive denominators, as one of whole quantities: q <= p/d is d q <= p."""
        low, high = (self._of(substitute(side, self.values)) for side in (one.low, one.high))
        return self._row(self._whole_quotient(high - low)[0].num, one.strict)

    def _follows(self, wanted: Sequence[Linear]) -> bool:
        return linear.all_of(self._rows_about(wanted), wanted)

    def _define(self, one: str, *gaps: Ratio) -> None:
        """That some polynomials in whole names, which hold a new name, are >= 0."""
        rows = self.made_of.setdefault(one, set())
        for gap in gaps:
            rows |= _if_linear(partial(self._row, gap.num))

    def _row(self, p: Poly, strict: bool = False) -> Linear:
        """The condition that a polynomial in whole names with whole coefficients is >= 0, or > 0."""
        found: dict[str, int] = {}
        for powers, c in p.items():
            if c.denominator != 1 or not self.is_whole(Ratio({powers: mpq(1)})):
                raise Refused("no polynomial in whole quantities")
            found["*".join(sorted(a.name for a, e in powers for _ in range(int(e))))] = int(c)
        return linear.tight({v: c for v, c in found.items() if v}, found.get("", 0) - (1 if strict else 0))

    def _whole_quotient(self, x: Ratio) -> tuple[Ratio, Ratio]:
        """(p, d) with x = p/d, of polynomials in whole names with whole coefficients, d > 0.

        Raises:
            Refused: it is no such quotient.
        """
        found, over = self.cleared(x)
        ((inverses, _),) = over.num.items()
        scale = rational(lcm(*(c.denominator for c in found.values())))
        for a in {a: None for powers in found for a, e in powers if e < 0}:
            if self.sign(atom(a)) != 1:
                raise Refused("a quotient whose sign is not seen")
            scale = scale * Ratio({((a, -min(dict(powers).get(a, mpq(0)) for powers in found)),): mpq(1)})
        d = scale
        for a, e in inverses:
            d = d * self.inverses[a.name].power(int(e))
        return Ratio(found) * scale, d

    def at_least_0(self, x: Ratio, strict: bool = False) -> bool:
        """Whether x >= 0, or x > 0, is seen: for whole quantities by linear conditions, or by the signs of its terms."""
        try:
            row = self._row(self._whole_quotient(x)[0].num, strict)
        except Refused:
            pass
        else:
            if self._follows([row]):
                return True
        return self.sign(x) == 1 if strict else self.is_nonnegative(x)

    def _sign(self, p: Poly) -> int | None:
        """Also of c1 w1 + ... + ck wk, c > 0 and whole w >= 0 of which w1 + ... + wk >= 1 is seen."""
        found = super()._sign(p)
        if found is not None or len(p) > MOST_SIGNED:
            return found
        key = frozenset(p.items())
        if key not in self.together:
            self.together[key] = next((side for side in (1, -1) if self._is_some(p, side)), None)
        return self.together[key]

    def _is_some(self, p: Poly, side: int) -> bool:
        """Whether of whole quantities, of which p or -p is a sum with positive factors, all are >= 0, and one is >= 1."""
        parts: dict[Powers, Poly] = {}
        for powers, c in p.items():
            whole = tuple((a, e) for a, e in powers if a.head == "name" and a.name in self.whole and e > 0)
            parts.setdefault(tuple(one for one in powers if one not in whole), {})[whole] = c * side
        for a in {a: None for g in parts for a, _ in g}:
            one: Poly = {((a, mpq(1)),): mpq(1)}
            if (self._sign(one) if a.head == "name" and a.name in self.whole else super()._sign(one)) != 1:
                return False
        wanted: Poly = {(): mpq(-1)}
        for w in parts.values():
            if all(c < 0 for c in w.values()):
                return False
            scale = lcm(*(c.denominator for c in w.values()))
            for powers, c in w.items():
                w[powers] = c * scale
                wanted[powers] = wanted.get(powers, mpq(0)) + c * scale
        try:
            return self._follows([*map(self._row, parts.values()), self._row(wanted)])
        except Refused:
            return False

    # --- roundings -------------------------------------------------------------------------------------

    def _rounded(self, head: str, x: Ratio) -> Ratio:
        """floor(x), or ceiling(x)."""
        if self.is_whole(x):
            return x
        if head == "ceiling":
            return -self._rounded("floor", -x)
        try:
            p, d = self._whole_quotient(x)
        except Refused:
            p, d = x, rational(1)
        for w in _tried(self._whole_part(p, d)):
            rest = p - d * w
            if self.at_least_0(rest) and self.at_least_0(d - rest, strict=True):
                return w
        least = next((c for c in (1, 0) if self.at_least_0(p - d * rational(c))), None)
        most = next((c for c in (-1, 0) if least is None and self.at_least_0(d * rational(c + 1) - p, strict=True)), None)
        kind = Range(None if least is None else mpq(least), False, None if most is None else mpq(most))
        found = self._fresh(Term("floor", (to_term(x),)), kind, whole=True)
        (((a, _),),) = found.num
        ends = [found - rational(least)] if least is not None else [rational(most) - found] if most is not None else []
        self._define(a.name, p - d * found, d * found + d - p - rational(1), *ends)
        return found

    def _whole_part(self, p: Ratio, d: Ratio) -> Ratio:
        """A whole w that is seen in p/d: of p the part w d, each term of which is one of p's, or a part of it."""
        found, left = rational(0), dict(p.num)
        if p.den != ONE_POLY or d.den != ONE_POLY:
            return found
        for powers, c in sorted(p.num.items(), key=lambda item: len(item[0])):
            for over, j in d.num.items():
                if not (times := floor(c / j)):
                    continue
                w = Ratio({powers: mpq(times)}) * Ratio({over: mpq(1)}).inverse()
                if not self.is_whole(w):
                    continue
                part = (w * d).num
                if not powers or all(e * left.get(one, 0) >= e**2 for one, e in part.items()):
                    found, left = found + w, (Ratio(left) - w * d).num
                    break
        return found

    # --- products ----------------------------------------------------------------------------------------

    def bound_name(self, height: int, least: mpq | None, low: Ratio, high: Ratio | None) -> str:
        """The name of a variable that is bound to a range, one for each."""
        key = (height, least, frozenset(low.num.items()), None if high is None else frozenset(high.num.items()))
        if key not in self.scopes:
            k = self.scopes[key] = f"#k{height}from{least}in{len(self.scopes)}"
            self.whole.add(k)
            self.ranges[k] = Range(least)
            self._define(k, atom(name(k)) - low, *([] if high is None else [high - atom(name(k))]))
        return self.scopes[key]

    def _product(self, body: Term, low: Term, high: Term, height: int, inverted: bool = False) -> Ratio:
        """The product, or its reciprocal, by those of its factors."""
        if high == name("oo"):
            raise Refused("an infinite product")
        a, b = self._of(low), self._of(high)
        if not self.is_whole(a) or not self.is_whole(b):
            raise Refused("the ends of a product are not seen to be whole")
        if not self.at_least_0(b - a + rational(1)):
            raise Refused("a product that may run backwards")
        length = (b - a + rational(1)).constant()
        if length is not None and length <= MOST_PEELED:
            return self._times(rational(1), body, [add(high, number(-j)) for j in range(int(length))], inverted)
        c = b.num.get((), mpq(0))
        key = frozenset((powers, e) for powers, e in b.num.items() if powers)
        self.seen[key] = min(self.seen.get(key, int(c)), int(c))
        peeled = int(c) - min(self.given.get(key, int(c)), int(c))
        if peeled > MOST_PEELED or not self.at_least_0(b - a + rational(1 - peeled)):
            peeled = 0
        end = b - rational(peeled)
        first = a.constant()
        k = self.bound_name(height, first, a, end)
        f = self._of(opened(body, name(k)))
        kind = POSITIVE if self.sign(f) == 1 else NONNEGATIVE if self.is_nonnegative(f) else ANY
        low_, high_ = to_term(a), to_term(end)
        key_ = Term("Product", (bound(self.meant(to_term(f)), k), low_, high_))
        found = self._fresh(Term("Product", (to_term(f), low_, high_, name(k))), kind, key=key_)
        found = self._inverse(found) if inverted else found
        return self._times(found, body, [add(high, number(-j)) for j in range(peeled)], inverted)

    def _times(self, found: Ratio, body: Term, places: list[Term], inverted: bool) -> Ratio:
        for place in places:
            factor = self._of(at_index(body, place))
            found = found * (self._inverse(factor) if inverted else factor)
        return found


def _if_linear(row: Callable[[], Linear]) -> set[Linear]:
    """A condition, if it is one on whole names."""
    try:
        return {row()}
    except Refused:
        return set()


def _tried(part: Ratio) -> Iterator[Ratio]:
    """Sums of some of the terms, the most first; and numbers beside all or none of these."""
    moving = [one for one in part.num.items() if one[0]]
    number = Ratio({(): part.num.get((), mpq(0))} if () in part.num else {})
    for size in range(len(moving), -1, -1) if len(moving) <= MOST_SPLIT else (len(moving), 0):
        for some in combinations(moving, size):
            w = Ratio(dict(some))
            yield w + number
            if size in (0, len(moving)):
                yield from (w + number + rational(k) for k in (-1, 1))
            if not number.is_zero:
                yield w
