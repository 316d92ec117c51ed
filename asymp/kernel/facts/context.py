"""Values and signs of terms under hypotheses.

A :class:`Context` says which variables are whole and what comparisons hold.  In it a term has a *value*: a rational
function of atoms, found only where every part of the term is real and defined at every point of the context; powers
other than whole ones have positive bases.  Of a value the *signs* are a set of -1, 0, 1 outside of which its sign never is.

The sign of a polynomial is told by monomials with coefficients of one sign, where a quantity in a known range is written
in what is not negative: x = a + v for x >= a, and x = (a*u + b*v)/(u + v) with u = b - x, v = x - a for a <= x <= b.  (By
the same way exp(y) is above 1 + y + y^2/2 for y > 0 and between 0 and 1 for y < 0.)  Or it is one of one variable, with a
sign by its Bernstein coefficients; or a sum of logarithms, which has the sign of their product less 1; or a hypothesis
times a monomial.  A context lives no longer than the theorem that asks: what its answers rest on is noted once.

>>> from asymp.kernel.terms import ONE, ZERO
>>> at = Context(frozenset("n"), ((ONE, "<=", name("n")), (ZERO, "<", name("p")), (name("p"), "<", ONE)))
>>> [sorted(at.signs(read(text))) for text in ("1 - p^n", "n - 1", "(1 - p)^n - 1", "p - 1/2", "log(1 + n*p)")]
[[1], [0, 1], [-1], [-1, 0, 1], [1]]
>>> at.value(read("1/(n - 1)"))
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a division by what may be 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import lcm

from gmpy2 import mpq

from asymp.functions.table import NAMED, ROWS
from asymp.kernel.domain import Pair
from asymp.kernel.facts import noughts, truncated
from asymp.kernel.facts.moved import by_ranges
from asymp.kernel.facts.signs import (
    ANY,
    NEGATIVE,
    NONE,
    NONNEGATIVE,
    POSITIVE,
    Signs,
    by_monomials,
    by_multiple,
    by_tangents,
    constant_signs,
    in_one_variable,
    monomials,
    multiple,
    of_range,
    quadratic,
    ranges_of,
    times,
    to_power,
)  # fmt: skip
from asymp.kernel.noted import noted
from asymp.kernel.rings import circular
from asymp.kernel.rings.counting import at_index
from asymp.kernel.rings.defined import Range, exact, is_defined, is_whole, known, meant, signed, values
from asymp.kernel.rings.field import beta, converging, exponential, gamma, harmonic, logarithm, series
from asymp.kernel.rings.gamma import rewritten
from asymp.kernel.rings.power_series import coefficient_of
from asymp.kernel.rings.ratio import (
    ONE_POLY,
    Poly,
    Powers,
    Ratio,
    atom,
    common,
    in_order,
    multiplied_out,
    rational,
    to_term,
)
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, call, free, name, negative, number, opened, walk
from asymp.kernel.terms import read as read
from asymp.kernel.trust import rests_on
from asymp.language.once import once

MOST_SUMMED = 60
"""Terms of a sum of constants that are added up."""
MOST_LOGARITHMS = 12
"""The degree of a product of what stands in logarithms."""
SMOOTH = frozenset({"number", "name", "bound", "sum", "product", "power", *(row.name for row in ROWS if row.smooth)})
"""Heads of terms that are continuous in all their variables wherever they have a value."""


@dataclass(frozen=True)
class Context:
    """Whole variables, and comparisons that hold; all other variables are real."""

    whole: frozenset[str] = frozenset()
    pairs: tuple[Pair, ...] = ()
    within: Mapping[str, Range] = field(default_factory=dict, hash=False)
    """Where further variables lie; they may become more as long as there are no comparisons."""
    continuous: bool = False
    """Whether a term has a value only if it is continuous in all variables."""
    known: dict[Term, Ratio] = field(default_factory=dict, init=False, repr=False, compare=False)
    seen: dict[frozenset[tuple[Powers, mpq]], Signs] = field(default_factory=dict, init=False, repr=False, compare=False)

    def names(self) -> frozenset[str]:
        """The variables of which it speaks."""
        return self.whole.union(self.within, *(free(low) | free(high) for low, _, high in self.pairs))

    def given(self, *pairs: Pair) -> Context:
        """The same with more hypotheses."""
        return replace(self, pairs=(*self.pairs, *pairs))

    def with_range(self, x: str, low: Term, high: Term, whole: bool) -> Context:
        """The same for a fresh variable from ``low`` to ``high``, which may be oo."""
        if x in self.names() | free(low) | free(high) | CONSTANTS:
            raise Refused(f"{x} is no fresh name")
        pairs = [(low, "<=", name(x))] + ([] if high == name("oo") else [(name(x), "<=", high)])
        return replace(self, whole=self.whole | {x} if whole else self.whole, pairs=(*self.pairs, *pairs))

    # --- hypotheses ------------------------------------------------------------------------------

    @once
    def ranges(self) -> Mapping[str, Range]:
        """Where single variables lie, by comparisons with rational numbers, and below by those with one another."""
        return ranges_of(self.pairs, self.whole, self.within) if self.pairs else self.within

    @once
    def hypotheses(self) -> list[tuple[Ratio, Signs]]:
        """high - low of each comparison that speaks of more than one variable's range, where that has a value."""
        simple = [p for p in self.pairs if (p[0].is_number and p[2].head == "name") or (p[2].is_number and p[0].head == "name")]
        plain, found = replace(self, pairs=tuple(simple)), []
        for low, sign, high in self.pairs:
            if (low, sign, high) not in simple:
                try:
                    value = plain.value(add(high, negative(low)))
                except Refused:
                    continue
                found.append((value, {"<": POSITIVE, "<=": NONNEGATIVE, "=": NONE}[sign]))
        return found

    # --- values ----------------------------------------------------------------------------------

    def value(self, term: Term) -> Ratio:
        """A term as a rational function of atoms.

        Raises:
            Refused: it is not seen to be real and defined, with all its parts, all over the context.
        """
        if term not in self.known:
            self.known[term] = self._value(term)
        return self.known[term]

    def _value(self, term: Term) -> Ratio:
        match term.head:
            case "number":
                return rational(term.number)
            case "name" if term.name != "oo":
                return atom(term)
            case "sum" | "product":
                found = self.value(term.parts[0])
                for part in term.parts[1:]:
                    found = found + self.value(part) if term.head == "sum" else found * self.value(part)
                return found
            case "power":
                return self.raised(*(self.value(part) for part in term.parts))
            case "log" | "exp" | "gamma" | "factorial" | "harmonic" if len(term.parts) != 1:
                raise Refused(f"{term.head} of {len(term.parts)} arguments")
            case "log":
                return logarithm(self.value(*term.parts), self)
            case "exp":
                return exponential(self.value(*term.parts))
            case "gamma":
                return gamma(self.value(*term.parts), self)
            case "factorial":
                rests_on("DLMF 5.4.1")
                return gamma(self.value(*term.parts) + rational(1), self)
            case "harmonic":
                return harmonic(self.value(*term.parts), self)
            case "Integral" if (exact := beta(term, self)) is not None:
                return exact
            case "Coefficient":
                return coefficient_of(term, self)
            case "Sum" if noughts.has_nought(term):
                return noughts.total(term, self)
            case "Sum" | "Integral" if term.parts[2] == name("oo"):
                return (series if term.head == "Sum" else converging)(term, self)
            case "Sum" | "Integral":
                return self._total(term)
            case "Max" | "Min" if term.parts:
                return self._extreme(term.head, [self.value(part) for part in term.parts])
            case "name" | "bound" | "Product":
                raise Refused(f"{term} has no value here")
        return self._function(term.head, tuple(self.value(part) for part in term.parts))

    def _function(self, head: str, parts: tuple[Ratio, ...]) -> Ratio:
        """By the table, or by what is known besides."""
        arguments = tuple(map(to_term, parts))
        term = Term(head, arguments)
        if self.continuous and head not in SMOOTH:
            raise Refused(f"{head} may not be continuous, or is not known here")
        if head == "Abs" and len(parts) == 1:
            x, signs = parts[0], self.of(parts[0])
            return x if signs <= NONNEGATIVE else -x if signs <= {-1, 0} else atom(term)
        if (simple := known(term) or circular.circular(term)) is not None:
            return self.value(simple)
        if (other := rewritten(term)) is not None:
            return self.value(other)
        if head == "Ei" and len(parts) == 1 and self.of(parts[0]) == NEGATIVE:
            rests_on("DLMF 6.2.6", "DLMF 6.11.1")
            return -self.value(call("uppergamma", number(0), to_term(-parts[0])))
        if (turned := circular.reflected(head, parts)) is not None:
            return rational(turned[0]) + rational(turned[1]) * self.value(call(head, to_term(-parts[0])))
        if head in ("uppergamma", "GammaDerivative") and self.of(parts[-1]) != POSITIVE:
            raise Refused(f"{term} may not be defined")
        if (value := exact(head, arguments)) is not None:
            return rational(value)
        if not is_defined(head, arguments, self.signs, self.is_whole):
            raise Refused(f"{head} of what may be outside of its domain, or not known here")
        rests_on(*NAMED[head].facts)
        other = meant(term)
        return atom(term) if other is None else self.value(other)

    def raised(self, base: Ratio, exponent: Ratio) -> Ratio:
        """A power: a whole one, where that is not above 0 of what is not 0; or any of what is positive."""
        k = exponent.constant()
        if k is not None and k.denominator == 1:
            if k <= 0 and 0 in self.of(base):
                raise Refused("a division by what may be 0")
            return base.power(int(k))
        if self.of(base) != POSITIVE:
            return noughts.power(base, self.of(exponent))
        return exponential(exponent * logarithm(base, self))

    def _extreme(self, head: str, parts: list[Ratio]) -> Ratio:
        for x in parts:
            if all(self.of(x - y if head == "Max" else y - x) <= NONNEGATIVE for y in parts):
                return x
        return atom(Term(head, tuple(map(to_term, parts))))

    def _total(self, term: Term) -> Ratio:
        """A sum between whole ends that does not run backwards, or a proper integral of what is continuous."""
        body, low, high = term.parts
        x = self.fresh(term)
        inner, summed = opened(body, name(x)), term.head == "Sum"
        if summed and not (self.is_whole(low) and self.is_whole(high)):
            raise Refused("the ends of a sum are not known to be whole numbers")
        width = self.value(high) - self.value(low)
        if not self.of(width + rational(summed)) <= NONNEGATIVE:
            raise Refused("a range that may run backwards")
        if not summed and any(part.head not in SMOOTH for part in walk(body)):
            raise Refused("an integral of what may not be continuous")
        self.with_range(x, low, high, whole=summed).value(inner)
        if not free(term) and summed and low.is_number and high.is_number and (last := width.constant()) in range(MOST_SUMMED):
            return sum((self.value(at_index(body, number(low.number + k))) for k in range(int(last or 0) + 1)), rational(0))
        if x not in free(inner):
            with suppress(Refused):  # the range may be empty there: no value that is found inside of it is used outside
                return self.value(inner) * (width + rational(summed))
        if (base := truncated.argument(term)) is not None and not high.is_number:
            return truncated.aligned(self.value(base), self.value(high), self)
        return atom(term)

    def fresh(self, term: Term) -> str:
        """A name that no text has, for a bound variable."""
        taken, k = self.names() | free(term), 0
        while f"#{k}" in taken:
            k += 1
        return f"#{k}"

    def is_whole(self, term: Term) -> bool:
        """Whether a term is seen to be a whole number."""
        return is_whole(term, self.whole)

    # --- signs -----------------------------------------------------------------------------------

    def signs(self, term: Term) -> Signs:
        """The signs that a term may have; it refuses as :meth:`value` does."""
        return self.of(self.value(term))

    def of(self, x: Ratio) -> Signs:
        """The signs that a value may have."""
        if x.is_zero:
            return NONE
        bottom = POSITIVE if x.den == ONE_POLY else self._poly(x.den)
        return times(self._poly(x.num), bottom)

    def sign(self, x: Ratio) -> int | None:
        """The one sign that a value has; None where there may be several."""
        found = self.of(x)
        return next(iter(found)) if len(found) == 1 else None

    def _poly(self, p: Poly) -> Signs:
        key = frozenset(p.items())
        if key not in self.seen:
            self.seen[key] = ANY  # what its own sign is asked for in finding it is not known
            self.seen[key] = self._signs(p)
        return self.seen[key]

    def _signs(self, p: Poly) -> Signs:
        p = multiplied_out(p)
        if len(p) > 1:
            outer, rest = self._common(p)
            if outer != ANY:
                noted("sign", of=p, way="factors", rest=rest)
                return times(outer, self._poly(rest))
        ways: Mapping[str, Callable[[Poly], Signs]] = {
            "terms": self._plain, "ranges": partial(by_ranges, self._range, self._atom),
            "one variable": partial(in_one_variable, self.ranges), "quadratic": partial(quadratic, of=self.of),
            "logarithms": self._by_logarithms, "exponentials": self._by_exponentials, "hypotheses": self._by_hypotheses,
            "tangents": partial(by_tangents, of=self.of, value=self.value), "truncated": partial(truncated.signs, at=self),
        }  # fmt: skip
        told, found = next(((one, found) for one, way in ways.items() if (found := way(p)) != ANY), ("", ANY))
        noted("sign", of=p, way=told, rest=p)
        return found

    def _common(self, p: Poly) -> tuple[Signs, Poly]:
        """The signs of the monomial of atoms of known signs that divides a polynomial, and what it leaves; ANY: there is none."""
        least = {a: k for a, k in common(p).items() if k and free(a)}
        signs = {a: to_power(self._atom(a), k) for a, k in least.items()}
        least = {a: k for a, k in least.items() if signs[a] != ANY}
        if not least:
            return ANY, p
        found = POSITIVE
        for a in least:
            found = times(found, signs[a])
        return found, {
            in_order({a: k - least.get(a, 0) for a, k in (dict.fromkeys(least, mpq(0)) | dict(powers)).items()}): c
            for powers, c in p.items()
        }

    def _plain(self, p: Poly) -> Signs:
        """By the signs of the monomials."""
        return by_monomials(monomials(p), self._atom)

    def _by_logarithms(self, p: Poly) -> Signs:
        """Of c_1 log(a_1) + ... + c_0 for rational c: log increases, and the sum is that of a_1^c_1 ... E^c_0."""
        parts: list[tuple[Term, mpq]] = []
        for powers, c in p.items():
            if powers and not (len(powers) == 1 and powers[0][0].head == "log" and powers[0][1] == 1):
                return ANY
            parts.append((powers[0][0].parts[0] if powers else name("E"), c))
        scale = lcm(*(c.denominator for _, c in parts))
        if sum(abs(c) for _, c in parts) * scale > MOST_LOGARITHMS:
            return ANY
        sides = {1: rational(1), -1: rational(1)}
        try:
            for a, c in parts:
                side = 1 if c > 0 else -1
                sides[side] = sides[side] * self.value(a).power(int(abs(c) * scale))
            return self.of(sides[1] - sides[-1])
        except Refused:
            return ANY

    def _by_exponentials(self, p: Poly) -> Signs:
        """Of two products of which one has an exponential: that of their logarithms' difference."""
        if len(p) != 2 or not any(a.head == "exp" for powers in p for a, _ in powers):
            return ANY
        (side, one), (other, two) = ((1 if c > 0 else -1, Ratio({powers: abs(c)})) for powers, c in p.items())
        try:
            return ANY if side == other else times(frozenset({side}), self.of(logarithm(one, self) - logarithm(two, self)))
        except Refused:
            return ANY

    def _by_hypotheses(self, p: Poly) -> Signs:
        """Of a hypothesis, of Gamma(-m, u) > 0 as it is written by Gamma(0, u), or of x - floor(x), times what has a sign."""
        inner = {a.parts[1] for powers in p for a, _ in powers if a.head == "uppergamma" and a.parts[0] == number(0)}
        known = [(self.value(call("uppergamma", number(1 - len(p)), u)), POSITIVE) for u in sorted(inner, key=lambda u: u.order)]
        known += [part for powers in p for a, _ in powers if a.head in ("floor", "ceiling") for part in self._rounding(a)]
        for h, signs in (*self.hypotheses, *known):
            if h.den == ONE_POLY and (m := multiple(p, h.num)) is not None:
                found = times(self._plain(m), signs)
                if found != ANY:
                    return found
        return next((found for h, signs in self.hypotheses if (found := by_multiple(p, h, signs, self._plain)) != ANY), ANY)

    def _rounding(self, a: Term) -> list[tuple[Ratio, Signs]]:
        """0 <= x - floor(x) < 1, and 0 <= ceiling(x) - x < 1."""
        gap = (self.value(a.parts[0]) - atom(a)) * rational(1 if a.head == "floor" else -1)
        return [(gap, NONNEGATIVE), (rational(1) - gap, POSITIVE)]

    def _range(self, a: Term) -> Range:
        if a.head == "name":
            return self.ranges.get(a.name, Range())
        if a.head == "exp":
            s = self.signs(a.parts[0])
            if s <= NONNEGATIVE:
                return Range(mpq(1), 0 not in s)
            if s <= {-1, 0}:
                return Range(mpq(0), True, mpq(1), 0 not in s)
        return values(a)

    def _atom(self, a: Term) -> Signs:
        """The signs of an atom, which has a value."""
        if not free(a):
            return constant_signs(frozenset({(((a, mpq(1)),), mpq(1))}))
        match a.head:
            case "name":
                return of_range(self.ranges.get(a.name, Range()))
            case "exp" | "gamma" | "uppergamma":
                return POSITIVE
            case "sum" | "product" | "power":  # an atom only as what has a logarithm
                return POSITIVE
            case "Abs":
                return NONNEGATIVE if 0 in self.signs(a.parts[0]) else POSITIVE
            case "log" | "zeta" if len(a.parts) == 1:
                found = self.signs(add(a.parts[0], number(-1)))
                return found if a.head == "log" or found == POSITIVE else ANY
            case "sin" | "cos" | "tan":
                return circular.signs(a.head, self.value(a.parts[0]), self.of)
            case "polylog":
                return POSITIVE if self.signs(a.parts[1]) == POSITIVE else ANY
            case "harmonic":
                rests_on("DLMF 5.4.14", "DLMF 5.15.1")
                return self.signs(a.parts[0])  # it increases, from 0 at 0
            case "Integral" if a.parts[2] == name("oo"):
                return POSITIVE  # see converging
            case "Sum" | "Integral":
                x, (body, low, high) = self.fresh(a), a.parts
                width = self.signs(add(high, negative(low)))
                found = self.with_range(x, low, high, a.head == "Sum").signs(opened(body, name(x)))
                empty = not width <= (NONNEGATIVE if a.head == "Sum" else POSITIVE)
                return found | NONE if empty and found != ANY else found
        return self.signs(a.parts[0]) if signed(a.head) else of_range(values(a))
