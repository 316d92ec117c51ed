"""Signs of terms under hypotheses.

A :class:`Context` says which variables are whole and what comparisons hold.  In it a term has a *value*: a rational
function of atoms, found only where every part of the term is real and defined at every point of the context; powers
other than whole ones have positive bases.  Of a value the *signs* are a set of -1, 0, 1 outside of which its sign never is.

The sign of a polynomial is told by monomials with coefficients of one sign, where a quantity in a known range is written
in what is not negative: x = a + v for x >= a, and x = (a*u + b*v)/(u + v) with u = b - x, v = x - a for a <= x <= b.  (By
the same way exp(y) is above 1 for y > 0 and between 0 and 1 for y < 0.)  Or the value is a hypothesis times a monomial.

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

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import product

from asymp.functions.table import NAMED, ROWS
from asymp.kernel.balls.positive import (
    ANY,
    NEGATIVE,
    NONE,
    NONNEGATIVE,
    POSITIVE,
    Signs,
    above,
    constant_signs,
    content,
    minus,
    multiple,
    of_range,
    plus,
    scale,
    times,
    to_power,
    with_range_of,
)  # fmt: skip
from asymp.kernel.domain import Pair
from asymp.kernel.rings.defined import Range, exact, is_defined, is_whole, meant, signed, values
from asymp.kernel.rings.field import to_term
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Powers, Ratio, atom, in_order, number_power, primes, rational
from asymp.kernel.terms import CONSTANTS, Refused, Term, add, call, free, name, negative, number, opened, walk
from asymp.kernel.terms import read as read
from asymp.kernel.trust import rests_on

MOST_SHIFT = 30
MOST_CLOSED = 3
SMOOTH = frozenset({"number", "name", "bound", "sum", "product", "power", *(row.name for row in ROWS if row.smooth)})
"""Heads of terms that are continuous in all their variables wherever they have a value."""


BY_HAND = frozenset({"log", "gamma", "factorial", "harmonic", "Ei", "li", "uppergamma", "expint"})
"""Functions whose signs hold where their own cases let them through, which are narrower than the table's."""


@dataclass(frozen=True)
class Context:
    """Whole variables, and comparisons that hold; all other variables are real."""

    whole: frozenset[str] = frozenset()
    pairs: tuple[Pair, ...] = ()
    known: dict[Term, Ratio] = field(default_factory=dict, repr=False, compare=False)
    seen: dict[frozenset[tuple[Powers, Fraction]], Signs] = field(default_factory=dict, repr=False, compare=False)

    def names(self) -> frozenset[str]:
        """The variables of which it speaks."""
        return self.whole.union(*(free(low) | free(high) for low, _, high in self.pairs))

    def given(self, *pairs: Pair) -> Context:
        """The same with more hypotheses."""
        return Context(self.whole, (*self.pairs, *pairs))

    def with_range(self, x: str, low: Term, high: Term, whole: bool) -> Context:
        """The same for a fresh variable from ``low`` to ``high``, which may be oo."""
        if x in self.names() | free(low) | free(high) | CONSTANTS:
            raise Refused(f"{x} is no fresh name")
        pairs = [(low, "<=", name(x))] + ([] if high == name("oo") else [(name(x), "<=", high)])
        return Context(self.whole | {x} if whole else self.whole, (*self.pairs, *pairs))

    # --- hypotheses ------------------------------------------------------------------------------

    @cached_property
    def ranges(self) -> dict[str, Range]:
        """Where single variables lie, by comparisons with rational numbers, and below by those with one another."""
        found: dict[str, Range] = {}
        for low, sign, high in self.pairs:
            sides = ((low, high), (high, low)) if sign == "=" else ((low, high),)
            for a, b in sides:
                if b.head == "name" and a.is_number and b.name not in CONSTANTS:
                    found[b.name] = above(found.get(b.name, Range()), a.number, sign == "<", b.name in self.whole)
                if a.head == "name" and b.is_number and a.name not in CONSTANTS:
                    old = found.get(a.name, Range())
                    flipped = Range(minus(old.high), old.high_open, minus(old.low), old.low_open)
                    new = above(flipped, -b.number, sign == "<", a.name in self.whole)
                    found[a.name] = Range(minus(new.high), new.high_open, minus(new.low), new.low_open)
        for _ in self.pairs:  # a <= x, where it is known that 1 <= a
            for a, sign, b in self.pairs:
                if a.head == b.head == "name" and sign != "=" and not {a.name, b.name} & CONSTANTS:
                    old = found.get(a.name, Range())
                    if old.low is not None:
                        is_open = old.low_open or sign == "<"
                        found[b.name] = above(found.get(b.name, Range()), old.low, is_open, b.name in self.whole)
        return found

    @cached_property
    def hypotheses(self) -> list[tuple[Ratio, Signs]]:
        """high - low of each comparison that speaks of more than one variable's range, where that has a value."""
        simple = [p for p in self.pairs if (p[0].is_number and p[2].head == "name") or (p[2].is_number and p[0].head == "name")]
        plain, found = Context(self.whole, tuple(simple)), []
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
                return self._power(*(self.value(part) for part in term.parts))
            case "Sum" | "Integral":
                return self._total(term)
            case "Max" | "Min" if term.parts:
                return self._extreme(term.head, [self.value(part) for part in term.parts])
            case "name" | "bound" | "Product":
                raise Refused(f"{term} has no value here")
        parts = [self.value(part) for part in term.parts]
        if len(parts) == 1 and (known := self._function(term.head, parts[0])) is not None:
            return known
        if len(parts) == 2 and term.head in ("uppergamma", "expint") and self.of(parts[1]) == POSITIVE:
            if parts[0].constant() == (0 if term.head == "uppergamma" else 1):
                rests_on("DLMF 6.2.6", "DLMF 6.11.1" if term.head == "uppergamma" else "DLMF 8.19.1")
                return -atom(call("Ei", to_term(-parts[1])))  # E_1(x) = Gamma(0, x) = -Ei(-x)
            return atom(Term(term.head, (to_term(parts[0]), to_term(parts[1]))))
        arguments = tuple(map(to_term, parts))
        if (value := exact(term.head, arguments)) is not None:
            return rational(value)
        if term.head not in BY_HAND and is_defined(term.head, arguments, self.signs, self.is_whole):
            rests_on(*NAMED[term.head].facts)
            other = meant(Term(term.head, arguments))
            return atom(Term(term.head, arguments)) if other is None else self.value(other)
        raise Refused(f"{term.head} of what may be outside of its domain, or not known here")

    def _function(self, head: str, x: Ratio) -> Ratio | None:
        """A function of which more is known than its row says; None where that says all."""
        match head:
            case "log":
                return self.logarithm(x)
            case "exp":
                return self.exponential(x)
            case "Abs":
                signs = self.of(x)
                return x if signs <= NONNEGATIVE else -x if signs <= {-1, 0} else atom(call("Abs", to_term(x)))
            case "harmonic":
                return self._harmonic(x)
            case "li" if self.of(x) == POSITIVE and 0 not in self.of(x - rational(1)):
                rests_on("DLMF 6.2.8")
                return atom(call("Ei", to_term(self.logarithm(x))))
            case "Ei" if 0 not in self.of(x):
                return atom(call("Ei", to_term(x)))
            case "gamma" if self.of(x) == POSITIVE:
                return atom(call("gamma", to_term(x)))
            case "factorial" if self.of(x + rational(1)) == POSITIVE:
                return atom(call("factorial", to_term(x)))
            case "sin" | "cos" if x.is_zero:
                return rational(head == "cos")
            case _ if x.is_zero and signed(head):
                return rational(0)
        return None

    def _power(self, base: Ratio, exponent: Ratio) -> Ratio:
        k = exponent.constant()
        if k is not None and k.denominator == 1:
            if k <= 0 and 0 in self.of(base):
                raise Refused("a division by what may be 0")
            return base.power(int(k))
        return self.exponential(exponent * self.logarithm(base))

    def logarithm(self, x: Ratio) -> Ratio:
        """log x for x > 0: of a product or quotient of what is positive it is the sum or difference of theirs."""
        if self.of(x) != POSITIVE:
            raise Refused("a logarithm of what may not be positive")
        if x.den != ONE_POLY:
            top, bottom = Ratio(x.num), Ratio(x.den)
            if self.of(bottom) == NEGATIVE:
                top, bottom = -top, -bottom
            if self.of(top) != POSITIVE or self.of(bottom) != POSITIVE:
                return atom(call("log", to_term(x)))
            return self.logarithm(top) - self.logarithm(bottom)
        found, common, rest = rational(0), *content(x.num)
        for a, k in common:
            if a.is_number:  # a root of a prime number
                found = found + rational(k) * atom(call("log", a))
            elif self._atom(a) != POSITIVE:
                return atom(call("log", to_term(x)))
            elif a == name("E") or a.head == "exp":
                found = found + rational(k) * (rational(1) if a.head == "name" else self.value(a.parts[0]))
            else:
                found = found + rational(k) * atom(call("log", a))
        c = next(iter(rest.values())) if len(rest) == 1 else scale(rest)
        for prime, count in primes(c):
            found = found + rational(count) * atom(call("log", number(prime)))
        return found if len(rest) == 1 else found + atom(call("log", to_term(Ratio({m: d / c for m, d in rest.items()}))))

    def exponential(self, x: Ratio) -> Ratio:
        """exp x: exp(k*log u) is u^k for whole k, exp(c*m) is exp(m)^c; a product over the parts of x."""
        if x.den != ONE_POLY:
            return atom(call("exp", to_term(x)))
        found = rational(1)
        for powers, c in x.num.items():
            if len(powers) == 1 and powers[0][0].head == "log" and powers[0][1] == 1:
                inner = powers[0][0].parts[0]
                if inner.head in ("name", "number"):
                    whole = c.numerator // c.denominator if inner.is_number else 0
                    more = Ratio({in_order({inner: c - whole}): Fraction(1)})
                    found = found * more * (rational(number_power(inner.number, whole)) if whole else rational(1))
                    continue
                found = found * self.value(inner).power(c.numerator // c.denominator)
                c -= c.numerator // c.denominator
            base = name("E") if not powers else call("exp", to_term(Ratio({powers: Fraction(1)})))
            found = found * Ratio({in_order({base: c}): Fraction(1)})
        return found

    def _harmonic(self, x: Ratio) -> Ratio:
        """H(x + 1) = H(x) + 1/(x + 1) for x > -1 (DLMF 5.5.2), and H(0) = 0."""
        if self.of(x + rational(1)) != POSITIVE:
            raise Refused("harmonic of what may not be above -1")
        c = x.num.get((), Fraction(0)) if x.den == ONE_POLY else Fraction(0)
        k = c.numerator // c.denominator
        y, found = x - rational(k), rational(0)
        if abs(k) > MOST_SHIFT or self.of(y + rational(1)) != POSITIVE:
            return atom(call("harmonic", to_term(x)))
        if k:
            rests_on("DLMF 5.5.2")
        for j in range(abs(k)):
            found = found + (y + rational(j + 1)).inverse() if k > 0 else found - (y - rational(j)).inverse()
        return found if y.is_zero else found + atom(call("harmonic", to_term(y)))

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
        if x not in free(inner):
            try:
                return self.value(inner) * (width + rational(summed))
            except Refused:  # the range may be empty there: no value that is found inside of it is used outside
                pass
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
        """The signs that a term may have.

        Raises:
            Refused: as for :meth:`value`.
        """
        return self.of(self.value(term))

    def of(self, x: Ratio) -> Signs:
        """The signs that a value may have."""
        if x.is_zero:
            return NONE
        bottom = POSITIVE if x.den == ONE_POLY else self._poly(x.den)
        return times(self._poly(x.num), bottom)

    def _poly(self, p: Poly) -> Signs:
        key = frozenset(p.items())
        if key not in self.seen:
            self.seen[key] = ANY  # what its own sign is asked for in finding it is not known
            self.seen[key] = self._plain(p)
            if self.seen[key] == ANY:
                self.seen[key] = self._moved(p)
            for h, signs in self.hypotheses if self.seen[key] == ANY else ():
                if (m := multiple(p, h.num)) is not None and h.den == ONE_POLY:
                    found = times(self._plain(m), signs)
                    if found != ANY:
                        self.seen[key] = found
                        break
        return self.seen[key]

    def _plain(self, p: Poly, moved: dict[Term, Signs] | None = None) -> Signs:
        """By the signs of the monomials; those of the same variables are taken together."""
        parted: dict[Powers, Poly] = {}
        for powers, c in p.items():
            inner = tuple((a, k) for a, k in powers if not (moved and a in moved) and not free(a))
            outer = tuple(item for item in powers if item not in inner)
            parted.setdefault(outer, {})[inner] = c
        found = []
        for outer, constants in parted.items():
            s = constant_signs(frozenset(constants.items()))
            for a, k in outer:
                s = times(s, to_power(moved[a] if moved and a in moved else self._atom(a), k))
            found.append(s)
        return plus(found)

    def _moved(self, p: Poly) -> Signs:
        """By what is not negative in place of what has a range."""
        new: dict[Term, Signs] = {}
        ends = []
        try:
            for a in sorted({a for powers in p for a, _ in powers if free(a)}, key=str):
                r = self._range(a)
                if r.low is not None or r.high is not None:
                    p = with_range_of(p, a, r, new)
                if r.low is not None and r.high is not None and not r.low_open and not r.high_open:
                    ends.append((Term("below", (a,)), Term("above", (a,))))
        except Refused:
            return ANY
        found = self._plain(p, new)
        if found in (NONNEGATIVE, {-1, 0}) and 0 < len(ends) <= MOST_CLOSED:  # not at both ends: one of the two is positive
            found = frozenset().union(*(self._plain(p, new | dict.fromkeys(some, POSITIVE)) for some in product(*ends)))
        return found

    def _range(self, a: Term) -> Range:
        if a.head == "name":
            return self.ranges.get(a.name, Range())
        if a.head == "exp":
            s = self.signs(a.parts[0])
            if s <= NONNEGATIVE:
                return Range(Fraction(1), 0 not in s)
            if s <= {-1, 0}:
                return Range(Fraction(0), True, Fraction(1), 0 not in s)
        return Range() if a.head in BY_HAND else values(a)

    def _atom(self, a: Term) -> Signs:
        """The signs of an atom, which has a value."""
        if not free(a):
            return constant_signs(frozenset({(((a, Fraction(1)),), Fraction(1))}))
        match a.head:
            case "name":
                return of_range(self.ranges.get(a.name, Range()))
            case "exp" | "gamma" | "factorial" | "uppergamma" | "expint":
                return POSITIVE
            case "Abs":
                return NONNEGATIVE if 0 in self.signs(a.parts[0]) else POSITIVE
            case "log":
                return self.signs(add(a.parts[0], number(-1)))
            case "harmonic":
                rests_on("DLMF 5.4.14", "DLMF 5.15.1")
                return self.signs(a.parts[0])  # it increases, from 0 at 0
            case "Ei":
                return NEGATIVE if self.signs(a.parts[0]) == NEGATIVE else ANY
            case "Sum" | "Integral":
                x, (body, low, high) = self.fresh(a), a.parts
                width = self.signs(add(high, negative(low)))
                found = self.with_range(x, low, high, a.head == "Sum").signs(opened(body, name(x)))
                empty = not width <= (NONNEGATIVE if a.head == "Sum" else POSITIVE)
                return found | NONE if empty and found != ANY else found
        return self.signs(a.parts[0]) if signed(a.head) else ANY if a.head in BY_HAND else of_range(values(a))
