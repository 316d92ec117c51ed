"""Ranges of terms over boxes, by exact rational ends and balls.

The value of a term over a box of variables is enclosed in a :class:`Range`, an interval with rational ends; one with
equal ends *is* that number.  Sums, products and whole powers have exact ends while these are short, and are rounded
outwards else; a function that is monotone is evaluated at the two ends, each by a ball of python-flint.  So the range of
x*(1 - x) over [0, 1] is [0, 1], and whatever the precision is, the values lie in it.  What is undefined somewhere in
the box, or might be, is refused, and so is what is not known here: there is no range without a meaning.

>>> unit = {"x": Range(fmpq(0), fmpq(1))}
>>> print(Evaluator(64).range(read("x*(1 - x)"), unit))
[0, 1]
>>> Evaluator(64).range(read("log(x)"), unit)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: log of what may be undefined
>>> ball(read("log(x)"), {"x": arb(2)}, 64)
[0.693147180559945 +/- 3.10e-16]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import product
from math import ceil

from flint import arb, ctx, fmpq, fmpz
from gmpy2 import mpq

from asymp.functions.row import Needed
from asymp.functions.table import NAMED
from asymp.kernel.facts import blocks, exponentials, zetas
from asymp.kernel.facts.coefficients import coefficient_at
from asymp.kernel.facts.intervals import MOST_BITS, ZERO, Range, absolute, exact_end, next_to_zero, point
from asymp.kernel.facts.intervals import Box as Box
from asymp.kernel.facts.intervals import Rational as Rational
from asymp.kernel.facts.tails import geometric
from asymp.kernel.rings.beta_integrals import closed
from asymp.kernel.rings.counting import counts
from asymp.kernel.rings.defined import at, exact
from asymp.kernel.terms import CONSTANTS, Refused, Term, number
from asymp.kernel.terms import read as read
from asymp.kernel.trust import FLINT, of_flint, rests_on

BITS = 256
MOST_PRECISION = 10_000
MOST_TERMS = 2_000
MOST_WORK = 1_000_000
"""Nodes evaluated for one theorem; at a precision of 256 bits a node counts twice, and so on."""
BEGUN, LONG_BITS = 100, 4_096
"""So many terms of a sum are taken one by one; the others too, while their sum is exact, with numbers so long at most."""
TERMS_SUMMED = (50, 200, 800)
"""Terms of an infinite sum before the bound of the rest."""
INTEGRAL = 1_000
"""An integral is as much work as so many nodes."""

_CONSTANTS = {"pi": "pi", "E": "const_e", "EulerGamma": "const_euler"}

class Evaluator:
    """Ranges at one precision; it counts its work, and stops at ``most``."""

    def __init__(self, bits: int, most: int = MOST_WORK) -> None:
        if type(bits) is not int or not 16 <= bits <= MOST_PRECISION:
            raise Refused(f"bits from 16 to {MOST_PRECISION}")
        self.bits, self.left = bits, most
        self._begin({})

    def _begin(self, at: Box) -> None:
        """Forgets what is known, which is of one box."""
        self._at = dict(at)
        self._known: dict[Term, Range] = {}
        self._begun: dict[tuple[str, Term, int], list[Range]] = {}
        self._long: dict[tuple[Term, int, int, int], Range] = {}

    def range(self, term: Term, at: Box) -> Range:
        """The range of a term over a box.

        Raises:
            Refused: it is, or may be, undefined somewhere; a variable has no range; a function is not known here.
        """
        if at != self._at:
            self._begin(at)
        with ctx.workprec(self.bits):
            return self._of(term, at, ())

    def spend(self, work: int) -> None:
        """Counts work, and stops where it is more than is allowed."""
        self.left -= work * (1 + self.bits // 256)
        if self.left < 0:
            raise Refused("more work than is allowed")

    def _of(self, term: Term, at: Box, bound: tuple[Range, ...]) -> Range:
        if term.indices or not term.parts:
            return self._anew(term, at, bound)
        if term not in self._known:
            self._known[term] = self._anew(term, at, ())
        return self._known[term]

    def _apart(self, text: str, x: Range) -> Range:
        """The range of a text in x alone: what is known of one box says nothing of another."""
        other = Evaluator(self.bits, self.left)
        found = other._of(read(text), {"x": x}, ())
        self.left = other.left
        return found

    def _anew(self, term: Term, at: Box, bound: tuple[Range, ...]) -> Range:
        self.spend(1)
        match term.head:
            case "number":
                return self._kept(*point(term.number.numerator, term.number.denominator))
            case "bound":
                return bound[int(term.number)]
            case "name" if term.name in _CONSTANTS:
                return self.of_ball(of_flint(arb, _CONSTANTS[term.name]))
            case "name" if term.name in at and term.name not in CONSTANTS:
                return self._kept(*at[term.name])
            case "Sum" | "Product":
                return self._total(term, at, bound)
            case "Integral":
                return self._integral(term, at, bound)
            case "Coefficient":
                return coefficient_at(term, lambda part: self._of(part, at, bound), self.spend, self.of_ball)
            case "name":
                raise Refused(f"{term.name} has no range here")
        parts = [self._of(part, at, bound) for part in term.parts]
        match term.head:
            case "sum":
                return self._kept(sum((p.low for p in parts), ZERO), sum((p.high for p in parts), ZERO))
            case "product":
                found = parts[0]
                for part in parts[1:]:
                    found = self._times(found, part)
                return found
            case "power":
                return point(1) if counts(term) and parts[1] == point(0) else self._power(*parts)
        return self._function(term.head, parts)

    # --- ends ------------------------------------------------------------------------------------

    def _kept(self, low: fmpq, high: fmpq) -> Range:
        """A range with ends that are not too long: a point is rounded (to two ends) later than an end is."""
        self.left -= 8 * ((low.height_bits() + high.height_bits()) // 2048)  # long numbers are work too
        if low == high and low.height_bits() <= MOST_BITS:
            return Range(low, high)
        return Range(self._rounded(low, False), self._rounded(high, True))

    def _rounded(self, end: fmpq, up: bool) -> fmpq:
        """A number not below an upper end, not above a lower one, of at most so many bits."""
        if end == 0 or end.height_bits() <= 4 * self.bits:
            return end
        size = end.p.bit_length() - end.q.bit_length()
        if size > MOST_BITS:
            raise Refused("a number too large for a range")
        if size < -MOST_BITS:
            return next_to_zero(end > 0, up)
        scale = fmpq(2) ** (self.bits - size)
        return fmpq((end * scale).ceil() if up else (end * scale).floor()) / scale

    def of_ball(self, ball: arb) -> Range:
        """The range of a ball.

        Raises:
            Refused: it is not finite.
        """
        if not ball.is_finite():
            raise Refused("a value that is not finite, or not known to be")
        return self._kept(exact_end(ball.lower(), False), exact_end(ball.upper(), True))

    # --- arithmetic ------------------------------------------------------------------------------

    def _times(self, a: Range, b: Range) -> Range:
        ends = [x * y for x in (a if not a.is_point else a[:1]) for y in (b if not b.is_point else b[:1])]
        return self._kept(min(ends), max(ends))

    def _power(self, base: Range, exponent: Range) -> Range:
        if exponent.is_point and exponent.low.q == 1:
            return self._whole_power(base, exponent.low.p)
        # x^y is exp(y*log(x)), monotone in each of x and y, so its extreme values are at corners; 0^y = 0 for y > 0.
        if base.low < 0 or (base.low == 0 and exponent.low <= 0):
            raise Refused("a power of what may be 0 or negative")
        corners = [
            self.of_ball(of_flint(arb(x), "__pow__", arb(y))) if x else Range(ZERO, ZERO)
            for x, y in product(set(base), set(exponent))
        ]
        return self._kept(min(c.low for c in corners), max(c.high for c in corners))

    def _whole_power(self, base: Range, n: fmpz) -> Range:
        if n == 0 and base.holds_zero():
            raise Refused("0^0, perhaps")
        if n < 0:
            found = self._whole_power(base, -n)
            if found.holds_zero():
                raise Refused("a division by what may be 0")
            return self._kept(1 / found.high, 1 / found.low)
        if n == 0:
            return Range(fmpq(1), fmpq(1))
        if n % 2 == 0 and base.low < 0:  # |x|^n
            base = Range(ZERO if base.high > 0 else -base.high, max(-base.low, base.high))
        return self._kept(self._end_power(base.low, n).low, self._end_power(base.high, n).high)

    def _end_power(self, x: fmpq, n: fmpz) -> Range:
        """x^n, for a whole n above 0."""
        if x == 0 or x.height_bits() * n <= MOST_BITS:
            return Range(x**n, x**n) if x else Range(x, x)
        found = self.of_ball(of_flint(arb(abs(x)), "__pow__", n))
        return Range(-found.high, -found.low) if x < 0 and n % 2 else found

    def _total(self, term: Term, at: Box, bound: tuple[Range, ...]) -> Range:
        body, low, high = term.parts
        if term.head == "Sum" and high.head == "name" and high.name == "oo":
            return self._series(body, self._of(low, at, bound), at, bound)
        first, last = self._of(low, at, bound), self._of(high, at, bound)
        if not (first.is_point and last.is_point and first.low.q == 1 and last.low.q == 1):
            raise Refused("the ends of a sum are not known to be whole numbers")
        return self._partial(term.head, body, int(first.low.p), int(last.low.p) + 1, at, bound)

    def _partial(self, head: str, body: Term, start: int, stop: int, at: Box, bound: tuple[Range, ...]) -> Range:
        """The sum or the product of the terms from ``start`` to before ``stop``."""
        if stop < start or (head == "Product" and stop - start > MOST_TERMS):
            raise Refused(f"a sum that runs backwards, or a product of more than {MOST_TERMS} factors")
        if stop - start > MOST_TERMS:
            return self._in_blocks(body, start, start, stop, at, bound)
        # One whose terms depend on nothing but their index goes on from where it was left: it is in a sum, with another end.
        none = point(0 if head == "Sum" else 1)
        known = self._begun.setdefault((head, body, start), [none]) if body.indices <= {0} else [none]
        is_smooth = head == "Sum"
        for k in range(start + len(known) - 1, stop):
            found = known[-1]
            if is_smooth and k - start >= BEGUN and (not found.is_point or found.low.height_bits() > LONG_BITS):
                is_smooth = False
                with suppress(Refused):  # what is not smooth is added one by one
                    rest = self._in_blocks(body, start, k, stop, at, bound)
                    return self._kept(found.low + rest.low, found.high + rest.high)
            part = self._of(body, at, (point(k), *bound))
            together = Range(found.low + part.low, found.high + part.high)
            known.append(self._kept(*together) if head == "Sum" else self._times(found, part))
        return known[stop - start]

    def _in_blocks(self, body: Term, start: int, first: int, stop: int, at: Box, bound: tuple[Range, ...]) -> Range:
        """The terms of a sum from ``first`` on, by blocks of them."""
        key = (body, start, first, stop)
        if not body.indices <= {0} or key not in self._long:
            self.spend(blocks.work(body, start, first, stop))
            around = (point(start), *bound)  # the index does not occur in what is asked here
            found = blocks.total(body, start, first, stop, lambda part: self._of(part, at, around).ball)
            self._long[key] = self.of_ball(found)
        return self._long[key]

    def _series(self, body: Term, first: Range, at: Box, bound: tuple[Range, ...]) -> Range:
        """An infinite sum of geometric kind: see tails."""
        if not first.is_point or first.low.q != 1:
            raise Refused("the ends of a sum are not known to be whole numbers")
        found, start = point(0), int(first.low.p)
        for count in TERMS_SUMMED:
            end = max(start + count, count)
            part = self._partial("Sum", body, start, end, at, bound)
            rest = self._rest(body, end, at, bound)
            found = self._kept(part.low - rest, part.high + rest)
            if rest * fmpq(2) ** self.bits <= 1:
                break
        return found

    def _rest(self, body: Term, end: int, at: Box, bound: tuple[Range, ...]) -> fmpq:
        """A bound of the absolute value of the terms from a number above 0 on."""
        found = ZERO
        for one in geometric(body):
            ratio = self._power(Range(fmpq(end + 1, end), fmpq(end + 1, end)), point(ceil(one.degree))).high
            for base, slope in one.rates:
                x, c = self._of(base, at, (point(end), *bound)), point(slope.numerator, slope.denominator)
                if x.low < 0 and slope.denominator != 1:
                    raise Refused("a root of what may be negative")
                ratio = ratio * self._power(absolute(x), c).high
            size = absolute(self._of(one.term, at, (point(end), *bound))).high
            if ratio >= 1:
                raise Refused("an infinite sum whose terms are not seen to fall")
            found += size / (1 - ratio)
        return found

    def _integral(self, term: Term, at: Box, bound: tuple[Range, ...]) -> Range:
        """In closed form; by a ball, of the exponential of a polynomial; exactly, of polynomials times those of c t."""
        self.spend(INTEGRAL)

        def of(part: Term, inner: tuple[Range, ...]) -> Range:
            return self._of(part, at, (*inner, *bound))

        if not term.indices:
            with suppress(Refused):
                return self._of(closed(term, lambda x: self._of(x, at, ()).low > 0), at, ())
        if exponentials.is_of_powers(term):
            return self.of_ball(exponentials.falling(term, of))
        found = exponentials.integral(term, of)
        return self._kept(found, found)

    # --- functions -------------------------------------------------------------------------------

    def _function(self, head: str, parts: Sequence[Range]) -> Range:
        if head in ("Min", "Max"):
            best = min if head == "Min" else max
            return Range(best(p.low for p in parts), best(p.high for p in parts))
        if head == "binomial" and len(parts) == 2 and all(p.is_point and p.low.q == 1 for p in parts):
            n, k = (p.low.p for p in parts)
            if 0 <= k <= n <= MOST_TERMS:
                rests_on(f"{FLINT}fmpz.bin_uiui")
                return point(fmpz.bin_uiui(int(n), int(k)))
        if head == "binomial" and len(parts) == 2 and all(p.low > -1 for p in parts) and parts[0].low - parts[1].high > -1:
            return self._binomial(*parts)
        if all(p.is_point for p in parts):
            value = exact(head, [number(mpq(int(p.low.p), int(p.low.q))) for p in parts])
            if value is not None:
                return self._kept(*point(value.numerator, value.denominator))
        if head == "uppergamma" and len(parts) == 2 and parts[1].low > 0:
            a, u = (p.ball for p in parts)
            return self.of_ball(of_flint(u, "gamma_upper", a))
        if (of_zeta := zetas.KNOWN.get((head, len(parts)))) is not None:
            least, most = map(self.of_ball, of_zeta(parts))
            return Range(least.low, most.high)
        if len(parts) != 1:
            raise Refused(f"{head} of {len(parts)} is not known here")
        x = parts[0]
        match head:
            case "Abs":
                return absolute(x)
            case "floor" | "ceiling":
                ends = [end.floor() if head == "floor" else end.ceil() for end in x]
                if ends[0] != ends[1]:
                    raise Refused(f"{head} of what may be on both sides of a whole number")
                return point(ends[0])
            case "gamma":
                return self._gamma(x)
            case "E1":
                rests_on("DLMF 6.11.1")
                return self._function("uppergamma", [point(0), x])
            case "trigamma":
                return self._function("polygamma", [point(1), x])
            case "factorial" if x.is_point and x.low.q == 1 and 0 <= x.low <= MOST_TERMS:
                rests_on(f"{FLINT}fmpz.fac_ui")
                return self._kept(*point(fmpz.fac_ui(int(x.low.p))))
            case "factorial2" if x.is_point and x.low.q == 1 and -1 <= x.low <= MOST_TERMS:
                k, odd = divmod(int(x.low.p) + 1, 2)  # n = 2k - 1, or 2k where n + 1 is odd
                over = fmpz.fac_ui(k) * fmpz(2) ** k
                return self._kept(*point(over if odd else fmpz.fac_ui(2 * k) // over))
            case "factorial":
                return self._gamma(Range(x.low + 1, x.high + 1))
            case "harmonic" if x.is_point and x.low.q == 1 and 0 <= x.low <= MOST_TERMS:
                rests_on(f"{FLINT}fmpq.harmonic")
                h = fmpq.harmonic(int(x.low.p))
                return self._kept(h, h)
            case "harmonic":  # digamma(x + 1) + EulerGamma
                rests_on("DLMF 5.4.14")
                more = self._function("digamma", [Range(x.low + 1, x.high + 1)])
                euler = self.of_ball(of_flint(arb, "const_euler"))
                return self._kept(more.low + euler.low, more.high + euler.high)
        return self._of_the_table(head, x)

    def _of_the_table(self, head: str, x: Range) -> Range:
        """A function with a ball: of its ends where it is monotone, else of a ball around all."""
        row = NAMED.get(head)
        if row is not None and row.means:
            return self._apart(row.means, x)
        if row is None or not row.ball:
            raise Refused(f"{head} is not known here")
        if not any(all(self._is_met(one, x) for one in some) for some in row.real(1)):
            raise Refused(f"{head} of what may be undefined")
        slope = -1 if head == "zeta" and x.low > 1 else row.slope
        if x.is_point or slope:
            if not x.is_point:
                rests_on(*row.facts)
            ends = [self.of_ball(at(arb(end), row.ball)) for end in (x if slope >= 0 else (x.high, x.low))]
            return Range(ends[0].low, ends[1].high)
        return self.of_ball(at(of_flint(arb(x.low), "union", arb(x.high)), row.ball))

    def _is_met(self, needed: Needed, x: Range) -> bool:
        """Whether all of a range meets a condition; what is not 0 has one sign there, so that no pole is passed."""
        found = self._apart(needed.text, x)
        match needed.kind:
            case ">" | "no pole":
                return bool(found.low > 0)
            case ">=":
                return bool(found.low >= 0)
            case "!=":
                return not found.holds_zero()
        return found.is_point and found.low.q == 1

    def _binomial(self, x: Range, y: Range) -> Range:
        """Gamma(x + 1)/(Gamma(y + 1) Gamma(x - y + 1)), where all three are of what is positive."""
        rests_on("DLMF 1.2.6")
        inner = Range(x.low + 1, x.high + 1), Range(y.low + 1, y.high + 1), Range(x.low - y.high + 1, x.high - y.low + 1)
        top, *bottom = (self._gamma(one) for one in inner)
        return self._times(top, self._whole_power(self._times(*bottom), fmpz(-1)))

    def _gamma(self, x: Range) -> Range:
        """Gamma is convex on x > 0, least at 1.4616..., with the value 0.8856..."""
        if x.low <= 0:
            raise Refused("gamma of what may be 0 or negative")
        if not x.is_point:
            rests_on("DLMF 5.15.1", "DLMF Table 5.4.1")
        ends = [self.of_ball(of_flint(arb(end), "gamma")) for end in x]
        high = max(end.high for end in ends)
        if x.low >= fmpq(3, 2) or x.is_point:
            return Range(ends[0].low, high)
        return Range(ends[1].low if x.high <= fmpq(7, 5) else fmpq(1107, 1250), high)


def ball(term: Term, at: Mapping[str, arb] | None = None, bits: int = BITS) -> arb:
    """A ball that holds the values of a term, for variables in balls.

    Raises:
        Refused: as for :meth:`Evaluator.range`.
    """
    evaluator = Evaluator(bits)
    with ctx.workprec(bits):
        return evaluator.range(term, {name: evaluator.of_ball(x) for name, x in (at or {}).items()}).ball
