"""Terms in quantities s_1, ..., s_k that tend to infinity, as series: the algebra of expansions, done from the leaves.

The leaves are the s_i, the parameters, and atoms such as sums and integrals of which a theorem among the premises says what
they are.  Functions have the series that the table says (:mod:`asymp.functions.series`), and Taylor's by its derivatives.

>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.terms import read
>>> found = Expander(Algebra(Domain(), 3), {"n": 0}, {}).series(read("log(n + 1) - log(n)"))
>>> len(found.terms), len(found.rest)
(2, 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice

from gmpy2 import mpq

from asymp.functions.series import GAMMAS, SeriesAt, Terms, at
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.growths import representatives, truncated_series
from asymp.kernel.growths.any_integral import series_of_any_integral
from asymp.kernel.growths.any_sum import series_of_any_sum
from asymp.kernel.growths.arguments import LONGEST, MOST_FACTORS, LimitPoint, of_zero, rounded, whole_scales
from asymp.kernel.growths.coefficients import put_in
from asymp.kernel.growths.gamma_quotients import quotient_of_gammas
from asymp.kernel.growths.growth import ONE, Growth, power_of
from asymp.kernel.growths.incomplete import loose, upper
from asymp.kernel.growths.moving_gammas import moving, shared
from asymp.kernel.growths.near import near
from asymp.kernel.growths.phase_integrals import bessel_of_order
from asymp.kernel.growths.phases import Phases
from asymp.kernel.growths.products import of_range, product
from asymp.kernel.growths.representatives import Representative, exponential
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.singular_expansions import series_of_coefficient
from asymp.kernel.noted import noted
from asymp.kernel.rings.defined import is_defined, is_whole, meant
from asymp.kernel.rings.gamma import rewritten
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term, first
from asymp.kernel.trust import rests_on


@dataclass
class Expander:
    """``scales``: name -> number; ``leaves``: atom -> its series; ``whole``: terms that are whole numbers.

    ``asked`` collects the leaves that were used.
    """

    algebra: Algebra
    scales: Mapping[str, int]
    leaves: Mapping[Term, Series]
    whole: frozenset[Term] = frozenset()
    asked: set[Term] = field(default_factory=set)
    known: dict[Term, Series] = field(default_factory=dict)
    phases: Phases | None = None  # what knows sines of what moves: without, they are O(1)
    representatives: list[Representative] = field(default_factory=list)
    cancels: bool = True  # whether sums in which term by term nothing is left are looked at again: see near

    @cached_property
    def moving(self) -> frozenset[str]:
        """The names of what moves."""
        return frozenset(self.scales) | {leaf.name for leaf in self.leaves if leaf.head == "name"}

    def series(self, term: Term) -> Series:
        """The series of a term; refused where it is not seen to be defined, or has none here."""
        if term not in self.known:
            self.known[term] = self._series(term)
        return self.known[term]

    def constant(self, term: Term) -> bool:
        """Whether no s_i stands in it, and no name of which a leaf says what it is."""
        return not terms.free(term) & self.moving

    def _series(self, term: Term) -> Series:
        a = self.algebra
        if term in self.leaves:
            self.asked.add(term)
            return self.leaves[term]
        if self.constant(term):
            try:
                return a.constant(a.domain.value(term))
            except Refused:  # whether a sum without end converges is seen by its series
                if not any(part.head == "Sum" and part.parts[2] == terms.name("oo") for part in terms.walk(term)):
                    raise
        match term.head:
            case "name":
                return Series(((rational(1), power_of(self.scales[term.name], 0)),))
            case "sum":
                found = Series(())
                for part in term.parts:
                    found = a.add(found, self.series(part))
                if not found.terms and found.rest and self.cancels:
                    with suppress(Refused):
                        return near(self, term.parts)
                return found
            case "product":
                if (together := shared(self, term.parts) or truncated_series.together(self, term.parts)) is not None:
                    return together
                if (joined := representatives.together(self, term.parts)) is not None:
                    return self.series(joined)
                return product(self, term.parts)
            case "power":
                return self._power(*term.parts)
            case "log":
                return self.log(term.parts[0])
            case "exp":
                return exponential(self, term.parts[0])
            case "floor" | "ceiling":
                return rounded(a, term, self.series(term.parts[0]), whole_scales(self))
            case "Abs":
                return a.scaled(self.series(term.parts[0]), rational(a.below(self.series(term.parts[0]))[0]))
            case "Max" | "Min" if term.parts:
                return self._extreme(term)
            case "Sum" | "Integral":
                found = (series_of_any_sum if term.head == "Sum" else series_of_any_integral)(self, term)
                noted("expanded", term=term)
                return found
            case "Product":
                return of_range(self, term)
            case "Coefficient":
                return series_of_coefficient(self, term)
            case "uppergamma" | "lowergamma" | "expint" if len(term.parts) == 2 and not self.constant(term.parts[0]):
                return moving(self, term)
            case "besselj" if len(term.parts) == 2 and term.parts[0] in self.whole:
                return bessel_of_order(self, term)
            case "GammaDerivative" if term.parts[:2] == (terms.ONE, terms.ZERO):
                return upper(a, 1, self.series(term.parts[2]))
            case "uppergamma" | "GammaDerivative" if (other := rewritten(term)) is not None:
                return self.series(other)
        return self._function(term)

    def represented(self, f: Series) -> tuple[Series, Growth]:
        """exp f by a quantity of its own: see representatives."""
        return representatives.represented(self.algebra, f, len(self.representatives))

    def alone(self, name: str, more: int = 0) -> Expander:
        """What expands terms in one quantity, some orders further; what it says is so from some point on."""
        return Expander(Algebra(self.algebra.domain, self.algebra.order + more), {name: 0}, {}, cancels=False)

    def of(self, head: str, f: Series) -> Series:
        """A function of what has this series."""
        x = terms.name("@of")
        return Expander(self.algebra, {x.name: -1}, {x: f}, phases=self.phases).series(terms.call(head, x))

    def is_positive(self, term: Term) -> bool:
        """Whether a term is seen to be above 0, in the end."""
        if self.constant(term):
            return self.algebra.domain.sign(self.algebra.domain.value(term)) == 1
        return self.algebra.below(self.series(term))[0] == 1

    def sees_positive(self, term: Term) -> bool:
        """Whether a term is seen to be above 0; not so where it has no series."""
        try:
            return self.is_positive(term)
        except Refused:
            return False

    def _extreme(self, term: Term) -> Series:
        """The largest or the least, where the sign of each difference is seen from some point on."""
        a, (found, *others) = self.algebra, [self.series(part) for part in term.parts]
        for other in others:
            gap = a.minus(other, found)
            if gap.terms or gap.rest:
                larger = a.below(gap)[0] == 1
                found = other if larger is (term.head == "Max") else found
        return found

    def log(self, term: Term) -> Series:
        """The logarithm of a term; of an exponential it is the exponent itself, and nothing is cut."""
        if term.head == "exp":
            return self.series(term.parts[0])
        if term.head in ("uppergamma", "lowergamma") and not self.constant(term.parts[0]):
            with suppress(Refused):
                return self._log_of_share(term)
        if term.head == "Sum":
            with suppress(Refused):
                return truncated_series.logarithm(self, term)
        return self.algebra.log(self.series(term))

    def _log_of_share(self, term: Term) -> Series:
        """Of Gamma(a, x) or gamma(a, x) that is almost all of Gamma(a): log Gamma(a), and one term of the logarithm of the share.

        Raises:
            Refused: the share is not seen to tend to 1.
        """
        a = self.algebra
        share = a.log(moving(self, term, share=True, coarse=True))
        if not a.vanishes(share):
            raise Refused("a share that does not tend to 1")
        return a.add(self.series(terms.call("loggamma", term.parts[0])), share)

    def _power(self, base: Term, exponent: Term) -> Series:
        a = self.algebra
        if base == terms.ZERO and not exponent.is_number:
            return of_zero(a, self.series(exponent))
        if exponent.is_number and exponent.number and exponent.number.denominator == 1:
            if base.head == "product":  # (u v)^k = u^k v^k: where one side is defined, so is the other
                return self.series(terms.multiply(*(terms.power(part, exponent) for part in base.parts)))
            if base.head == "power" and (e := base.parts[1]).is_number and e.number and e.number.denominator == 1:
                if min(e.number, exponent.number) < 0:
                    a.below(self.series(base.parts[0]))  # which is not 0
                return self.series(terms.power(base.parts[0], terms.number(e.number * exponent.number)))
        if base.head == "exp":
            return self.series(terms.call("exp", terms.multiply(exponent, base.parts[0])))
        if self.constant(exponent):
            return a.power(self.series(base), a.domain.value(exponent))
        try:
            return a.exp(a.times(self.series(exponent), self.log(base)), exact=True)
        except Refused:
            return exponential(self, terms.multiply(exponent, terms.call("log", base)))

    # --- functions, by the table ----------------------------------------------------------------------

    def _function(self, term: Term) -> Series:
        """A function by its series where its last argument tends, by Taylor's, by an identity, or by its bounds.

        Of an argument x with a remainder, f(x) is that of each x within it, so that what tends to a place need not be known.
        """
        return first(self._ways(term), f"no series of {term.head}")

    def _ways(self, term: Term) -> Iterator[Callable[[], Series]]:
        if (other := meant(term)) is not None:
            yield partial(self.series, other)
            return
        row = NAMED.get(term.head)
        if row is None or not row.least <= len(term.parts) <= row.most:
            return
        if term.head in GAMMAS:
            yield partial(self._quotient_of_gammas, term)
            return
        if term.head == "harmonic" and self.scales.get(term.parts[0].name) in self.algebra.domain.between:
            yield partial(self._harmonic_between, term.parts[0])
            return
        found = [(one, put) for one in at(term.head) if (put := self._matched(one, term)) is not None]
        here = LimitPoint(self, found[0][1]["x"] if found else term.parts[-1])
        for one, put in found:
            if one.at and here.meets(one):
                yield partial(self._by, one, put)
        identities = [partial(self._by, one, put) for one, put in found if not one.at]
        first = row.least > 1 and not row.derivative  # where Taylor's series says f(c) + O(x - c), and no more
        if first:
            yield from identities
        if len(term.parts) == row.least and self.constant_but_last(term):
            if here.tends_to is not None:
                yield partial(self._taylor, term, here.tends_to, here.small)
            if row.parity and row.least == 1 and here.is_below_zero:
                opposite = terms.call(term.head, terms.negative(term.parts[0]))
                yield lambda: self.algebra.scaled(self.series(opposite), rational(row.parity))
        if not first:
            yield from identities
        if term.head in ("sin", "cos") and self.phases is not None and here.tends_to is None:
            yield partial(self.phases.series, self, term)
        if not row.where and row.least == row.most == 1 and row.values.low and row.values.high:
            yield partial(self._bounded, term)

    def by_table(self, head: str, arguments: tuple[str, ...], put: Mapping[str, Term]) -> Series:
        """A series of a function's row, with what stands for its letters."""
        return self._by(next(one for one in at(head) if one.arguments == arguments), put)

    def constant_but_last(self, term: Term) -> bool:
        """Whether all arguments but the last stay."""
        return all(map(self.constant, term.parts[:-1]))

    def _matched(self, one: SeriesAt, term: Term) -> dict[str, Term] | None:
        """What stands for the letters of a series in a term; None where it is not of it, or its conditions are not seen."""
        if len(one.arguments) != len(term.parts):
            return None
        put: dict[str, Term] = {}
        for letter, part in zip(one.arguments, term.parts, strict=True):
            pattern = terms.read(letter)
            if pattern.is_number and pattern != part:
                return None
            if pattern.head == "name":
                put[letter] = part
                if letter != "x" and not self.constant(part):
                    return None
        return put if all(self._meets(kind, put_in(text, put)) for kind, text in one.needed) else None

    def _meets(self, kind: str, what: Term) -> bool:
        """Whether what stays is seen to meet a condition of a row; or what moves, to be whole."""
        if kind == "whole" and not self.constant(what):
            return is_whole(what, self.algebra.domain.whole | {one.name for one in self.whole})
        try:
            x = self.algebra.domain.value(what)
        except Refused:
            return False
        told, k = self.algebra.domain.sign(x), x.constant()
        match kind:
            case "whole":
                return self.algebra.domain.is_whole(to_term(x))
            case "no pole" if k is not None:
                return k > 0 or k.denominator != 1
            case "no pole":  # between two of them, or above all
                signs = (self.algebra.domain.sign(x + rational(j)) for j in range(MOST_FACTORS))
                return next((one for one in signs if one != -1), None) == 1
            case "!=":
                return told in (1, -1)
        return told == 1 or (kind == ">=" and told == 0)

    def _by(self, one: SeriesAt, put: Mapping[str, Term]) -> Series:
        """One series of the table: see there."""
        rests_on(*([one.fact] if one.fact else []))
        found = self.series(put_in(one.plus, put))
        for part in one.sums:
            found = self.algebra.add(found, self._sum(part, put))
        return found

    def _sum(self, part: Terms, put: Mapping[str, Term]) -> Series:
        a = self.algebra

        def read(text: str, k: int) -> Series:
            return self.series(put_in(text, {**put, "k": terms.number(k)}))

        head, step = read(part.head, 0), read(part.step, 0) if part.step else a.constant(rational(1))
        if part.step and not a.vanishes(step):
            raise Refused("a series in what does not tend to 0")
        end = part.last(a.order + 1) + 1
        total, power = Series(()), a.constant(rational(1))
        for _ in range(part.first if part.step else 0):
            power = a.times(power, step)
        for k in range(part.first, end):
            total = a.add(total, a.times(read(part.at(k), k), power))
            power = a.times(power, step)
        if part.rest or not part.step:
            power = read(part.rest or part.at(end), end)
        return a.times(head, a.made(list(total.terms), [*total.rest, *loose(power)]))

    def _taylor(self, term: Term, c: Ratio, e: Series) -> Series:
        """f(c + e) by Taylor's series, for f that is smooth on an open interval around c; by f(c) + O(e) without a derivative.

        Its derivative is defined at c with all its parts, and the conditions of both hold for all arguments near c: it is made
        of functions that are analytic there.
        """
        a, row, middle = self.algebra, NAMED[term.head], to_term(c)
        fixed, x = term.parts[:-1], terms.name("@")
        value = a.constant(a.domain.value(Term(term.head, (*fixed, middle))))
        if e.is_zero:
            return value
        if not row.smooth or not self._is_inside(term.head, (*fixed, middle)):
            raise Refused(f"{term} at an end")
        if not row.derivative:
            return a.made(list(value.terms), loose(e))
        slope, slopes = Term(term.head, (*fixed, x)), list[Ratio]()
        for _ in range(a.order + 1):
            try:
                slope = derivative(slope, x.name)
                if next(islice(terms.walk(slope), LONGEST, None), None) is not None:
                    raise Refused("a long derivative")
                slopes.append(self.slope_at(slope, x.name, middle))
            except Refused:
                if not slopes:
                    raise
                break  # the first is analytic near c, and so are all: this one is only long
        factorial, coefficients = mpq(1), [rational(0)]
        for k, one in enumerate(slopes, 1):
            factorial /= k
            coefficients.append(one * rational(factorial))
        return a.add(value, a.composed(lambda k: coefficients[k], e, len(coefficients)))

    def slope_at(self, slope: Term, name: str, middle: Term) -> Ratio:
        """A derivative at c, where all its functions are real near c.

        Raises:
            Refused: that is not seen.
        """
        for part in terms.walk(slope):
            if part.head in NAMED and name in part.free:
                here = tuple(terms.substitute(one, {name: middle}) for one in part.parts)
                if not self._is_inside(part.head, here):
                    raise Refused(f"{part} at an end")
        return self.algebra.domain.value(terms.substitute(slope, {name: middle}))

    def limit(self, x: Term) -> Term:
        """Where a term tends, a number or a parameter.

        Raises:
            Refused: it is not seen to.
        """
        if (found := LimitPoint(self, x).tends_to) is None:
            raise Refused("an argument that is not seen to have a limit")
        return to_term(found)

    def _is_inside(self, head: str, arguments: tuple[Term, ...]) -> bool:
        """Whether a function is seen to be real near its last argument."""
        if head in ("exp", "sqrt"):
            return True  # what they are made of is raised to a power: see Context.raised
        domain = self.algebra.domain
        return is_defined(head, arguments, domain.signs, domain.is_whole, inside=True)

    def _bounded(self, term: Term) -> Series:
        """O(1), of what is real everywhere and lies between two numbers."""
        self.series(term.parts[0])
        return Series((), (ONE,))

    def _harmonic_between(self, x: Term) -> Series:
        """0 <= H_x - ln x <= 1 for x >= 1."""
        rests_on("DLMF 5.4.14", "DLMF 5.15.1")
        return Series((), tuple(self.algebra.logarithms(self.scales[x.name])))

    def _quotient_of_gammas(self, term: Term) -> Series:
        return quotient_of_gammas(self, term)
