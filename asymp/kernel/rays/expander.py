"""Terms in a quantity s >= N as series with explicit remainders; what has a series is defined on the whole half-line.

Functions have the series of the table whose remainder is at most the first term that is left out, Taylor's with the last
derivative enclosed, or bounds that are shown here: of Lambert's W and of Ei at infinity.

>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.terms import read
>>> ray = Explicit(Ray(Domain(), 3, line=HalfLine(fmpq(10), Numbers(96))), {"n": 0}, {})
>>> found = ray.series(read("harmonic(n) - log(n) - EulerGamma"))
>>> len(found.terms), found.rest[0].size.str(2, radius=False)
(2, '0.0083')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from flint import arb, ctx, fmpq, fmpz
from gmpy2 import mpq

from asymp.functions.row import conditions
from asymp.functions.series import GAMMAS, SeriesAt, Terms, at
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.facts.ranges import Evaluator, Range
from asymp.kernel.facts.tails import mentions, monomials
from asymp.kernel.growths.expander import Expander, put_in
from asymp.kernel.growths.growth import ONE, Growth
from asymp.kernel.growths.series import Series
from asymp.kernel.rays.algebra import Ray, sized
from asymp.kernel.rays.supremum import HalfLine as HalfLine
from asymp.kernel.rays.supremum import Later
from asymp.kernel.rays.supremum import Numbers as Numbers
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import of_flint, rests_on

MOST_FIRST = 100
MOST_LEFT_OUT = 60
"""The number of a first term that is left out."""
MOST_PARTS = 2_000
"""Of a derivative in Taylor's series."""
HALF = mpq(1, 2)


@dataclass
class Explicit(Expander):
    """Series with explicit remainders."""

    algebra: Ray

    def _series(self, term: Term) -> Series:
        a = self.algebra
        if self.constant(term):
            return super()._series(term)
        match term.head:
            case "floor" | "ceiling":  # floor(x) = x - 1/2 + theta/2
                inner, shift = self.series(term.parts[0]), -HALF if term.head == "floor" else HALF
                half = a.made([(rational(shift), ONE)], [sized(ONE, fmpq(1, 2))])
                return a.add(inner, half)
            case "Abs":
                return a.absolute(self.series(term.parts[0]))
            case "power" if term.parts[0] == terms.number(-1) and term.parts[1] in self.whole:
                return a.made([], [sized(ONE, 1)])
            case "uppergamma" | "expint":
                self._positive(term.parts[-1])
            case "Sum":
                return self._sum_of_powers(term)
            case "Integral" | "GammaDerivative":
                raise Refused(f"no explicit remainder of {term.head}")
        return super()._series(term)

    def _sum_of_powers(self, term: Term) -> Series:
        """A sum over j from a number to a whole x, of c j^e and c log(j): zeta(-e) - zeta(-e, x + 1), and log Gamma(x + 1)."""
        a, (body, low, high) = self.algebra, term.parts
        names = frozenset(part.name for part in self.whole)
        if not (low.is_number and low.number.denominator == 1 and 1 <= low.number <= MOST_FIRST and is_whole(high, names)):
            raise Refused("a sum that does not run from a small number to a whole one")
        if not a.is_nonnegative(self.series(terms.add(high, terms.number(1 - low.number)))):
            raise Refused("a sum that may run backwards")
        found = Series(())
        for factors in monomials(body):
            outer = terms.multiply(*(one for one in factors if not mentions(one)))
            inner = [one for one in factors if mentions(one)]
            found = a.add(found, a.times(self.series(outer), self._summed(inner, int(low.number), high)))
        return found

    def _summed(self, factors: list[Term], low: int, high: Term) -> Series:
        """The sum of j^e, or of log(j), over j from a number to a term."""
        a, j, after = self.algebra, Term("bound"), terms.add(high, terms.ONE)
        if factors == [terms.call("log", j)]:
            ends = terms.call("loggamma", after), terms.call("loggamma", terms.number(low))
            return self.series(terms.add(ends[0], terms.negative(ends[1])))
        e = mpq(0)
        for factor in factors:
            exponent = mpq(1)
            while factor.head == "power" and factor.parts[1].is_number:  # (j^(1/2))^(-1), for j >= 1
                factor, exponent = factor.parts[0], exponent * factor.parts[1].number
            if factor != j:
                raise Refused("a sum of other than powers")
            e += exponent
        less = terms.add(terms.ZERO, *(terms.negative(terms.power(terms.number(k), terms.number(e))) for k in range(1, low)))
        if e == 0:
            return self.series(terms.add(high, less))
        if e == -1:
            return self.series(terms.add(terms.call("harmonic", high), less))
        one = next(one for one in at("zeta") if one.arguments == ("s", "x"))
        tail = self._by(one, {"s": terms.number(-e), "x": after})
        whole = self.series(terms.add(terms.call("zeta", terms.number(-e)), less))
        return a.minus(whole, tail)

    def _positive(self, x: Term) -> Series:
        """The series of a term that is positive on the half-line.

        Raises:
            Later: it is not seen to be from this start on.
        """
        found = self.series(x)
        if self.algebra.below(found)[0] != 1:
            raise Refused(f"{x} is not positive")
        return found

    def _number(self, text: str, put: Mapping[str, Term]) -> Ratio:
        return self.algebra.domain.value(put_in(text, put))

    # --- functions ------------------------------------------------------------------------------------

    def _ways(self, term: Term) -> Iterator[Callable[[], Series]]:
        if term.head in ("LambertW", "Ei") and len(term.parts) == 1:
            yield lambda: (self._lambert if term.head == "LambertW" else self._exponential_integral)(term.parts[0])
        yield from super()._ways(term)

    def _function(self, term: Term) -> Series:
        found: Refused = Refused(f"no explicit remainder of {term.head}")
        for way in self._ways(term):
            try:
                return way()
            except Refused as error:  # that a later start may do is said, whatever the other ways say
                found = found if isinstance(found, Later) else error
        raise found

    def _by(self, one: SeriesAt, put: Mapping[str, Term]) -> Series:
        """A series whose remainder is at most the first term that is left out, for x > 0; or an identity.

        One that is said at infinity, or to the right of 0, without sums holds for all x > 0 for which its right side is
        defined; at other places, for all x.
        """
        if one.sums and one.bound is None:
            raise Refused(f"no explicit remainder of {one.of}")
        if one.sums or one.at in ("oo", "0+"):
            self._positive(put["x"])
        rests_on(*([one.fact] if one.fact else []))
        found = self.series(put_in(one.plus, put))
        for part in one.sums:
            found = self.algebra.add(found, self._cut(part, one.bound or "", put))
        return found

    def _cut(self, part: Terms, bound: str, put: Mapping[str, Term]) -> Series:
        a = self.algebra
        end = part.last(a.order) + 1
        for kind, text in conditions(bound):
            if kind != ">=":
                raise Refused("a condition of another form")
            if "k" not in terms.free(terms.read(text)):
                if not a.is_nonnegative(self.series(put_in(text, put))):
                    raise Later("an argument that is not seen to be where its series is")
                continue
            while not a.line.number(self._number(text, {**put, "k": terms.number(end)})) >= 0:
                if (end := end + 1) > MOST_LEFT_OUT:
                    raise Refused("a series whose terms do not alternate early")
        known = [rational(0)] * part.first
        known += [self._number(part.at(k), {**put, "k": terms.number(k)}) for k in range(part.first, end + 1)]
        total = a.cut(known[:end], self.series(put_in(part.step, put)), abs(a.line.number(known[end])))
        return a.times(self.series(put_in(part.head, put)), total)

    def _taylor(self, term: Term, c: Ratio, e: Series) -> Series:
        """f(c + e) by Taylor's series, with Lagrange's remainder: on [c - delta, c + delta] all derivatives that stand in it
        are defined with all their parts."""
        a, row, middle = self.algebra, NAMED[term.head], to_term(c)
        x = terms.name("@")
        slope = Term(term.head, (*term.parts[:-1], x))
        delta = a.bound(e)
        if delta.is_zero():
            return a.constant(a.domain.value(terms.substitute(slope, {x.name: middle})))
        if not row.smooth or not row.derivative:
            raise Refused(f"{term.head} has no derivative in the table")
        evaluator = Evaluator(a.line.bits)
        around, radius = evaluator.range(middle, {}), evaluator.of_ball(delta).high
        box = {x.name: Range(around.low - radius, around.high + radius)}
        known: list[Ratio] = []
        factorial = mpq(1)
        for k in range(a.order + 2):
            last = self._enclosed(evaluator, slope, box)
            if k > a.order:
                break
            known.append(a.domain.value(terms.substitute(slope, {x.name: middle})) * rational(1 / factorial))
            slope = derivative(slope, x.name)
            if sum(1 for _ in terms.walk(slope)) > MOST_PARTS:
                raise Refused("a derivative of too many parts")
            factorial *= k + 1
        with ctx.workprec(a.line.bits):
            tail = arb(max(abs(last.low), abs(last.high))) / fmpz(int(factorial))
        return a.cut(known, e, tail)

    def _enclosed(self, evaluator: Evaluator, slope: Term, box: Mapping[str, Range]) -> Range:
        try:
            return evaluator.range(slope, box)
        except Refused as error:
            raise Later(f"a derivative near its place: {error}") from error

    def _bounded(self, term: Term) -> Series:
        """What is real everywhere and lies between two numbers."""
        self.series(term.parts[0])
        ends = [terms.read(end) for end in (NAMED[term.head].values.low, NAMED[term.head].values.high)]
        low, high = map(self.algebra.domain.value, ends)
        half, middle = ((high + sign * low) * rational(HALF) for sign in (rational(-1), rational(1)))
        return self.algebra.made([(middle, ONE)], [sized(ONE, self.algebra.line.number(half))])

    def represented(self, f: Series) -> tuple[Series, Growth]:
        """Not here: nothing would be said of where it begins.

        Raises:
            Refused: always.
        """
        raise Refused("an exponential of what is not known up to what vanishes")

    def alone(self, name: str, more: int = 0) -> Explicit:
        """Not here: nothing would be said of where it begins.

        Raises:
            Refused: always.
        """
        raise Refused("what is so from some point on")

    def _quotient_of_gammas(self, term: Term) -> Series:
        gammas, put = GAMMAS[term.head], dict(zip("xy", term.parts, strict=True))
        for text in (*gammas.top, *gammas.bottom):
            x = terms.substitute(terms.read(text), put)
            if not self.constant(x):
                self._positive(x)
        return super()._quotient_of_gammas(term)

    def _lambert(self, x: Term) -> Series:
        """W(x), for x that tends to infinity: |W - P| <= |P + log P - log x| for any P > 0, as w + log w has slope above 1.

        P is de Bruijn's expansion, cut.
        """
        a, log = self.algebra, self.log(x)
        c, g = a.leading(log)
        self._positive(x)
        if g.limit(a.domain) != "infinity" or a.domain.sign(c) != 1:
            raise Refused("Lambert's W of what does not tend to infinity")
        one = next(one for one in at("LambertW") if one.at == "oo")
        rests_on(one.fact, "DLMF 4.13.4")
        put, (part,) = {"x": x}, one.sums
        step, power, found = self.series(put_in(part.step, put)), a.constant(rational(1)), self.series(put_in(one.plus, put))
        for k in range(1, a.order + 1):
            power = a.times(power, step)
            found = a.add(found, a.times(self.series(put_in(part.at(k), {**put, "k": terms.number(k)})), power))
        if a.below(found)[0] != 1:
            raise Refused("Lambert's W of what is small")
        gap = a.minus(a.add(found, a.log(found)), log)
        return a.made(list(found.terms), [*found.rest, a.magnitude(gap)])

    def _exponential_integral(self, x: Term) -> Series:
        r"""Ei(x) = e^x sum_(k<K) k!/x^(k+1) + R(x), |R(x)| <= a K! e^x/x^(K+1) for x >= X.

        R' = K! e^x/x^(K+1), and M = a K! e^x/x^(K+1) has M' = M (1 - (K+1)/x); so |R| <= M for all x >= X where |R(X)| <= M(X),
        which a ball shows, and a (1 - (K+1)/X) >= 1.
        """
        a, f, count = self.algebra, self._positive(x), self.algebra.order + 1
        c, g = a.leading(f)
        if g.limit(a.domain) != "infinity":
            raise Refused("Ei of what does not tend to infinity")
        with ctx.workprec(a.line.bits):
            low = (a.least(f, c, g, 1) / a.line.supremum(ONE / g)).lower()
            if not 3 * low > 4 * (count + 1):
                raise Later("Ei needs a larger argument")
            scale = of_flint(low, "exp") * fmpz.fac_ui(count) / low ** (count + 1)
            partial = sum((fmpz.fac_ui(k) / low ** (k + 1) for k in range(count)), arb(0)) * of_flint(low, "exp")
            factor = (1 / (1 - (count + 1) / low)).max(abs(of_flint(low, "ei") - partial) / scale)
            tail = (factor * fmpz.fac_ui(count)).abs_upper()
        one = next(one for one in at("Ei") if one.at == "oo")
        rests_on("DLMF 6.2.6", one.fact)
        put, (part,) = {"x": x}, one.sums
        known = [self._number(part.at(k), {**put, "k": terms.number(k)}) for k in range(count)]
        return a.times(self.series(put_in(part.head, put)), a.cut(known, self.series(put_in(part.step, put)), tail))

