"""Terms with finite and infinite sums as Laurent polynomials with rational coefficients in *atoms*, on a domain.

Whatever is no rational function is generalised: a power x^m, a logarithm, a sum, a rounding, and 1/D for a polynomial D of
several terms, stand as fresh real names of which no more is used than the range that is seen (0 < (1 - p)^n < 1), and, of
1/D, that D times it is 1.  What holds for all values of the names in these ranges holds for what they stand for.

* A power x^y of x > 0 is made of powers of factors of x, and of the monomials of y: (1 - p)^(n - 1) is (1 - p)^n/(1 - p).
* A sum over whole k from a to b is defined where a and b are whole and b >= a - 1; it is 0 for b = a - 1.  It is linear
  in its body, and is made of sums of monomials m in what depends on k:  c free of k stands before the sum,
  Sum(1, (k, a, b)) = b - a + 1, and where m is defined for all k >= 1 and a >= 1 is seen the sum starts at 1:
  Sum(m, (k, a, b)) = Sum(m, (k, 1, b)) - Sum(m, (k, 1, a - 1)).  Of ends that differ by whole numbers the least is kept:
  Sum(m, (k, 1, n)) = Sum(m, (k, 1, n - 1)) + m(n).
* An infinite sum is defined here only where each of its monomials is x^(a k) with 0 < x^a < 1 times powers of k, of log k
  and of harmonic numbers of k: it converges absolutely.
* harmonic(n) = Sum(1/k, (k, 1, n)) for whole n >= 0.

A condition v <= w on a name v or w is used by w = v + t with a new t >= 0, or v = w/(1 + t) for positive reals; conditions
that are not used make the domain larger.

>>> from asymp.language.conditions import read_conditions
>>> where = read_conditions("whole n >= 1, 0 < p < 1")
>>> difference = read("Sum(p^k*k, (k, 1, n)) - p*Sum(p^(k - 1)*k, (k, 1, n - 1)) - n*p^n")
>>> settled(where, lambda one: one.is_zero(one.of(difference)))
True
>>> settled(where, lambda one: one.sign(one.of(read("1/p + Sum((1 - p)^k/k, (k, 1, n - 1))"))))
1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, gcd, lcm
from typing import TypeVar, cast

from asymp.kernel import terms
from asymp.kernel.field import (
    Domain,
    Range,
    _constant_sign,
    _in_positives,
    _poly_sign,
    _positive,
    _primes,
    of_term,
    to_term,
)
from asymp.kernel.ratio import ONE_POLY, Poly, Ratio, atom, in_order, product_of, rational
from asymp.kernel.terms import (
    ONE,
    Refused,
    Term,
    add,
    multiply,
    name,
    negative,
    number,
    opened,
    power,
    read,
    substitute,
)
from asymp.language.conditions import Between, Compared, Condition, Listed, OfKind
from asymp.language.names import BINDERS

__all__ = ["Sums", "bound", "read", "settled"]

MOST_NAMES = 120
MOST_PASSES = 5
Ends = dict[frozenset[object], int]
Found = TypeVar("Found")
MOST_PEELED = 12
"""Terms taken from an end of a sum."""
MOST_WORK = 4_000
MOST_SIGNED = 60
"""Terms of a polynomial whose sign is asked."""
POSITIVE, NONNEGATIVE, ANY = Range(Fraction(0), True), Range(Fraction(0)), Range()
UNIT, ABOVE = Range(Fraction(0), True, Fraction(1), True), Range(Fraction(1), True)


class Sums:
    """Coefficients on one domain.  ``least``: of ends of sums without their numbers, the least number that is kept."""

    def __init__(self, conditions: Sequence[Condition], least: Ends | None = None) -> None:
        self.ranges: dict[str, Range] = {}
        self.domain = Domain(self.ranges)
        self.whole: set[str] = set()
        self.closed: dict[str, tuple[Fraction, ...]] = {}
        self.given = least or {}
        self.seen: Ends = {}
        self.names: dict[Term, str] = {}
        self.meaning: dict[str, Term] = {}
        self.inverses: dict[str, Ratio] = {}
        self.values: dict[str, Term] = {}
        self.origins: dict[str, Term] = {}
        self.known: dict[Term, Ratio] = {}
        self.nonnegative: dict[frozenset[object], bool] = {}
        self.work = 0
        self._conditions(conditions)

    # --- the domain ------------------------------------------------------------------------------

    def _conditions(self, conditions: Sequence[Condition]) -> None:
        pairs: list[tuple[Term, str, Term]] = []
        for c in conditions:
            match c:
                case OfKind():
                    self._variable(c.name)
                    if c.kind == "whole":
                        self.whole.add(c.name)
                case Between():
                    self._variable(c.name)
                    self.whole.add(c.name)
                    pairs += [(terms.of(c.low), "<=", name(c.name)), (name(c.name), "<=", terms.of(c.high))]
                case Compared():
                    for left, sign_, right in c.pairs():
                        low, high = (left, right) if sign_[0] in "<=" else (right, left)
                        pairs.append((terms.of(low), sign_.replace(">", "<"), terms.of(high)))
                case Listed():
                    for one in c.names:
                        self._variable(one)
                case _:
                    raise Refused(f"{c} is no condition on values")
        for low, sign_, high in pairs:
            if sign_ != "=" and high.head == "name" and low.is_number:
                self._cut(high.name, Range(low.number, sign_ == "<"))
            if sign_ != "=" and low.head == "name" and high.is_number:
                self._cut(low.name, Range(None, False, high.number, sign_ == "<"))
        for one, found in list(self.ranges.items()):
            self.ranges[one] = self._with_room(one, found)
        ties = [(low, sign_ == "<", high) for low, sign_, high in pairs
                if sign_ != "=" and not low.is_number and not high.is_number]  # fmt: skip
        for tie in ties:
            self._as_difference(*tie)
        for tie in ties:
            self._as_quotient(*tie)

    def _variable(self, one: str) -> None:
        if one in terms.CONSTANTS:
            raise Refused(f"{one} is a constant")

    def _cut(self, one: str, new: Range) -> None:
        self._variable(one)
        old = self.ranges.get(one, ANY)
        if new.low is not None and (old.low is None or (new.low, new.low_open) > (old.low, old.low_open)):
            old = replace(old, low=new.low, low_open=new.low_open)
        if new.high is not None and (old.high is None or (-new.high, new.high_open) > (-old.high, old.high_open)):
            old = replace(old, high=new.high, high_open=new.high_open)
        self.ranges[one] = old

    def _with_room(self, one: str, found: Range) -> Range:
        """An interval; one with two ends is kept open, and its closed ends are kept aside: see sign."""
        if found.low is not None and one in self.whole and found.low_open:
            found = replace(found, low=Fraction(floor(found.low) + 1), low_open=False)
        if found.low is None or found.high is None:
            return found
        if found.low >= found.high:
            raise Refused(f"{one} has no room")
        ends = [end for end, is_open in ((found.low, found.low_open), (found.high, found.high_open)) if not is_open]
        if ends:
            self.closed[one] = tuple(ends)
        return Range(found.low, True, found.high, True)

    def _as_difference(self, low: Term, strict: bool, high: Term) -> None:
        """Uses low <= v + c by v = low - c + t, or low < v + c by v = low - c + 1 + t in whole numbers."""
        low, high = substitute(low, self.values), substitute(high, self.values)
        v, c = _shifted(high)
        if v is None or v in self._values_hold() | terms.free(low):
            return
        fresh = f"#t{len(self.values)}"
        whole = v in self.whole and c.denominator == 1 and _is_whole(low) and terms.free(low) <= self.whole
        self.ranges[fresh] = NONNEGATIVE if whole or not strict else POSITIVE
        if whole:
            self.whole.add(fresh)
        least = add(low, number((1 if strict and whole else 0) - c))
        self.values[v], self.origins[fresh] = add(least, name(fresh)), add(name(v), negative(least))

    def _as_quotient(self, low: Term, strict: bool, high: Term) -> None:
        """Uses v <= high by v = high/(1 + t), for a real v > 0 and high > 0."""
        low, high = substitute(low, self.values), substitute(high, self.values)
        if low.head != "name" or low.name in self._values_hold() | terms.free(high) | terms.CONSTANTS | self.whole:
            return
        if _positive(low, self.domain) and self._is_positive(high):
            fresh = f"#t{len(self.values)}"
            self.ranges[fresh] = POSITIVE if strict else NONNEGATIVE
            self.values[low.name] = multiply(high, terms.reciprocal(add(ONE, name(fresh))))
            self.origins[fresh] = add(multiply(high, terms.reciprocal(low)), number(-1))

    def _values_hold(self) -> set[str]:
        """The names that stand in values, which are given none themselves."""
        return {v for value in self.values.values() for v in terms.free(value)}

    def _is_positive(self, term: Term) -> bool:
        try:
            return self.sign(self._of(term)) == 1
        except Refused:
            return False

    # --- names for what is no rational function ------------------------------------------------------

    def _fresh(self, meaning: Term, found: Range, whole: bool = False, key: Term | None = None) -> Ratio:
        """The atom that stands for a term (of the value of ``key``); its range is fixed when it is made."""
        key = meaning if key is None else key
        if key not in self.names:
            if len(self.names) >= MOST_NAMES:
                raise Refused("too many functions for one theorem")
            one = f"#{len(self.names)}"
            self.names[key], self.meaning[one] = one, meaning
            if found.low is not None and found.high is not None:
                ends = [e for e, is_open in ((found.low, found.low_open), (found.high, found.high_open)) if not is_open]
                self.closed |= {one: tuple(ends)} if ends else {}
                found = Range(found.low, True, found.high, True)
            self.ranges[one] = found
            if whole:
                self.whole.add(one)
        return atom(name(self.names[key]))

    def meant(self, term: Term) -> Term:
        """What a term of a coefficient stands for, in the statement's own names."""
        if term.head == "name" and term.name in self.origins:
            return self.meant(self.origins[term.name])
        if term.head == "name" and term.name in self.meaning:
            meaning = self.meaning[term.name]
            if meaning.head != "Sum":
                return self.meant(meaning)
            body, low, high, k = meaning.parts
            return Term("Sum", (bound(self.meant(body), k.name), self.meant(low), self.meant(high)))
        return terms.rebuilt(term, tuple(self.meant(part) for part in term.parts)) if term.parts else term

    def introduce(self, variable: str, least: Fraction | None) -> None:
        """A further whole variable, from a least value on.

        Raises:
            Refused: it is known already.
        """
        if variable in terms.CONSTANTS or variable in self.ranges or variable in self.whole:
            raise Refused(f"{variable} is taken")
        self.whole.add(variable)
        self.ranges[variable] = Range(least)

    def depends(self, found: Term, variable: str) -> bool:
        """Whether a variable stands in what a term means."""
        return any(v == variable or (v in self.meaning and self.depends(self.meaning[v], variable)) for v in terms.free(found))

    # --- signs -----------------------------------------------------------------------------------

    def cleared(self, x: Ratio) -> tuple[Poly, Ratio]:
        """A polynomial without inverses, and a product c > 0 of inverses, such that x = polynomial times c.

        Each 1/D is multiplied out, the last that was made first, since D may hold those made before.
        """
        if x.den != ONE_POLY:
            raise Refused("a quotient that is not understood")
        found, over = x.num, rational(1)
        for one in sorted(self.inverses, key=lambda n: -int(n[1:])):
            parts: dict[Fraction, Poly] = {}
            for powers, c in found.items():
                k = dict(powers).get(name(one), Fraction(0))
                parts.setdefault(k, {})[tuple((a, e) for a, e in powers if a != name(one))] = c
            if any(k < 0 or k.denominator != 1 for k in parts):
                raise Refused("a power of an inverse")
            if most := int(max(parts, default=Fraction(0))):
                found = _total([Ratio(product_of(p, self.inverses[one].power(most - int(k)).num)) for k, p in parts.items()]).num
                over = over * atom(name(one)).power(most)
        return found, over

    def is_zero(self, x: Ratio) -> bool:
        """Whether it is 0 by identity."""
        return not self.cleared(x)[0]

    def sign(self, x: Ratio) -> int | None:
        """1, -1 or 0 where it is that on the whole domain; None where that is not seen."""
        return self._sign(self.cleared(x)[0])

    def _sign(self, p: Poly) -> int | None:
        if not p:
            return 0
        if len(p) > MOST_SIGNED:
            return None
        found = _poly_sign(p, self.domain)
        if found:
            for one, ends in self.closed.items():
                if any(a == name(one) for powers in p for a, _ in powers):
                    if any(self._sign(_put(p, name(one), end)) != found for end in ends):
                        return None
        return found

    def is_nonnegative(self, x: Ratio) -> bool:
        """Whether it is seen to be at least 0 on the whole domain (at closed ends by continuity)."""
        p, _ = self.cleared(x)
        key = frozenset(p.items())
        if key not in self.nonnegative:
            self.nonnegative[key] = self._is_nonnegative(p)
        return self.nonnegative[key]

    def _is_nonnegative(self, p: Poly) -> bool:
        if len(p) > MOST_SIGNED:
            return False
        try:
            parted, _ = _in_positives(p, self.domain)
        except Refused:
            return False
        order = [tuple(sorted(q.items(), key=lambda item: [(terms._key(a), k) for a, k in item[0]])) for q in parted.values()]
        return all(_constant_sign(q) in (0, 1) for q in order)

    def is_whole(self, x: Ratio) -> bool:
        """Whether it is a polynomial in whole quantities with whole coefficients."""
        return x.den == ONE_POLY and all(
            c.denominator == 1
            and all(a.head == "name" and a.name in self.whole and k.denominator == 1 and k > 0 for a, k in powers)
            for powers, c in x.num.items()
        )

    # --- terms ------------------------------------------------------------------------------------

    def of(self, term: Term) -> Ratio:
        """A term as a coefficient, if it is seen to be defined and real on the whole domain.

        Raises:
            Refused: that is not seen.
        """
        return self._of(substitute(term, self.values))

    def _of(self, term: Term) -> Ratio:
        if term not in self.known:
            self.work += 1
            if self.work > MOST_WORK:
                raise Refused("more work than is allowed")
            self.known[term] = self._made(term)
        return self.known[term]

    def _made(self, term: Term) -> Ratio:
        match term.head:
            case "number":
                return rational(term.number)
            case "name" if term.name != "oo":
                return atom(term)
            case "sum":
                return _total(self._of(part) for part in term.parts)
            case "product":
                found = rational(1)
                for part in term.parts:
                    found = found * self._of(part)
                return found
            case "power":
                return self._power(self._of(term.parts[0]), self._of(term.parts[1]))
            case "exp":
                return self._power(atom(name("E")), self._of(term.parts[0]))
            case "log":
                return self._log(self._of(term.parts[0]))
            case "Sum":
                return self._sum(*term.parts)
            case "harmonic":
                x = self._of(term.parts[0])
                if self.is_whole(x) and self.is_nonnegative(x):
                    return self._sum(terms.reciprocal(Term("bound")), ONE, term.parts[0])
            case "floor" | "ceiling":
                x = self._of(term.parts[0])
                return self._rounded(term.head, x)
            case "Abs":
                x = self._of(term.parts[0])
                if self.is_nonnegative(x):
                    return x
                return -x if self.is_nonnegative(-x) else self._fresh(Term("Abs", (to_term(x),)), NONNEGATIVE)
        if not term.parts or term.head in ("Product", "Integral", "bound"):
            raise Refused(f"{term.head} is no coefficient")
        inner = [to_term(self._of(part)) for part in term.parts]
        return of_term(Term(term.head, tuple(inner)), self._open_domain(inner))

    def _open_domain(self, inner: Sequence[Term]) -> Domain:
        """The domain, for a function's arguments that have no closed end."""
        if any(v in self.closed or v in self.inverses for one in inner for v in terms.free(one)):
            raise Refused("a function at a closed end")
        return self.domain

    def _rounded(self, head: str, x: Ratio) -> Ratio:
        """floor(x) is at least 0 for x >= 0, and at least 1 for x >= 1; a ceiling is at least 1 for x > 0."""
        if self.is_whole(x):
            return x
        if self.is_nonnegative(x - rational(1)) or (head == "ceiling" and self.sign(x) == 1):
            found = Range(Fraction(1))
        else:
            found = NONNEGATIVE if self.is_nonnegative(x) else ANY
        return self._fresh(Term(head, (to_term(x),)), found, whole=True)

    # --- powers and logarithms ------------------------------------------------------------------------

    def _inverse(self, x: Ratio) -> Ratio:
        """1/x, for x that is seen not to be 0."""
        if self.sign(x) not in (1, -1):
            raise Refused("a division by what may be 0")
        found = rational(1)
        for factor, k in self._split(x):
            if len(factor.num) > 1:
                found = found * self._fresh_inverse(factor).power(k)
            else:
                ((powers, c),) = factor.num.items()
                plain: dict[Term, Fraction] = {}
                for a, e in powers:
                    if a.name in self.inverses:
                        found = found * self.inverses[a.name].power(int(e))
                    else:
                        plain[a] = -e
                found = found * Ratio({in_order(plain): 1 / c})
        return found

    def _fresh_inverse(self, x: Ratio) -> Ratio:
        """1/x for a polynomial x > 0 of several terms."""
        found = self._fresh(power(to_term(x), number(-1)), POSITIVE)
        ((((a, _),), _),) = found.num.items()
        self.inverses[a.name] = x
        return found

    def _split(self, x: Ratio) -> list[tuple[Ratio, int]]:
        """A monomial, and a polynomial that is seen to be positive, of which x != 0 is the product."""
        if len(x.num) == 1:
            return [(x, 1)]
        everything = {a for powers in x.num for a, _ in powers}
        least = {a: min(dict(powers).get(a, Fraction(0)) for powers in x.num) for a in everything}
        content = Fraction(gcd(*(c.numerator for c in x.num.values())), lcm(*(c.denominator for c in x.num.values())))
        sign_ = self.sign(x)
        common = {in_order({a: dict(powers).get(a, Fraction(0)) - k for a, k in least.items()}): c / content
                  for powers, c in x.num.items()}  # fmt: skip
        rest = Ratio(common)
        own = self.sign(rest)
        if own not in (1, -1) or sign_ not in (1, -1):
            raise Refused("a factor whose sign is not seen")
        return [(Ratio({in_order(least): content * own}), 1), (rest if own == 1 else -rest, 1)]

    def _power(self, b: Ratio, e: Ratio) -> Ratio:
        k = e.constant()
        if k is not None and k.denominator == 1:
            if k > 0:
                return b.power(int(k))
            return self._inverse(b).power(-int(k))
        if self.sign(b) != 1:
            raise Refused("a power of what may not be positive")
        found = rational(1)
        for base, m in self._factors(b):
            found = found * self._factor_power(base, e * rational(m) if isinstance(m, Fraction) else e * m)
        return found

    def _factors(self, x: Ratio) -> Iterator[tuple[Term, Fraction | Ratio]]:
        """Positive terms and exponents, of which x > 0 is the product: primes, names, polynomials of several terms."""
        for part, _ in self._split(x):
            if len(part.num) > 1:
                yield to_term(part), Fraction(1)
                continue
            ((powers, c),) = part.num.items()
            if c <= 0 or not all(_positive(a, self.domain) for a, _ in powers):
                raise Refused("a factor whose sign is not seen")
            for prime, k in _primes(c):
                yield number(prime), Fraction(k)
            for a, k in powers:
                if a.name in self.inverses:
                    yield to_term(self.inverses[a.name]), -k
                elif a.name in self.meaning and self.meaning[a.name].head == "power":
                    base, m = self.meaning[a.name].parts
                    yield base, self._of(m) * rational(k)
                else:
                    yield a, k

    def _factor_power(self, base: Term, e: Ratio) -> Ratio:
        """base^e for one of the factors: a product over the monomials of e."""
        b = self._of(base)
        found = rational(1)
        for powers, c in e.num.items():
            logs = [a for a, k in powers if k == 1 and a.name in self.meaning and self.meaning[a.name].head == "log"]
            if base == name("E") and logs:  # E^(m log x) = x^m
                x = self.meaning[logs[0].name].parts[0]
                rest = Ratio({in_order({a: k for a, k in powers if a != logs[0]}): c})
                found = found * self._power(self._of(x), rest)
            elif powers:
                m = Ratio({powers: Fraction(1)})
                z = self._fresh(Term("power", (base, to_term(m))), self._power_range(b, m))
                found = found * Ratio({((next(iter(z.num))[0][0], c),): Fraction(1)})
            elif c.denominator == 1:
                found = found * (b.power(int(c)) if c > 0 else self._inverse(b).power(-int(c)))
            elif base.is_number or base.head == "name":
                found = found * Ratio({((base, c),): Fraction(1)}) if not base.is_number else found * of_term(
                    power(base, number(c)), self.domain)  # fmt: skip
            else:
                found = found * self._fresh(Term("power", (base, number(c))), self._power_range(b, rational(c)))
        return found

    def _power_range(self, b: Ratio, m: Ratio) -> Range:
        above, below = self.is_nonnegative(b - rational(1)), self.is_nonnegative(rational(1) - b)
        up, down = self.is_nonnegative(m), self.is_nonnegative(-m)
        strict = self.sign(b - rational(1)) in (1, -1) and self.sign(m) in (1, -1)
        if (above and up) or (below and down):
            return ABOVE if strict else Range(Fraction(1))
        if (above and down) or (below and up):
            return UNIT if strict else Range(Fraction(0), True, Fraction(1), False)
        return POSITIVE

    def _log(self, x: Ratio) -> Ratio:
        if self.sign(x) != 1:
            raise Refused("a logarithm of what may not be positive")
        found = rational(0)
        for base, m in self._factors(x):
            if base == name("E"):
                one = rational(1)
            elif not terms.free(base):
                one = atom(terms.call("log", base))
            else:
                b = self._of(base) - rational(1)
                kind = POSITIVE if self.sign(b) == 1 else NONNEGATIVE if self.is_nonnegative(b) else ANY
                kind = Range(None, False, Fraction(0), True) if self.sign(b) == -1 else kind
                one = self._fresh(Term("log", (base,)), kind)
            found = found + one * (rational(m) if isinstance(m, Fraction) else m)
        return found

    # --- sums -------------------------------------------------------------------------------------

    def _sum(self, body: Term, low: Term, high: Term) -> Ratio:
        a = self._of(low)
        b = None if high == name("oo") else self._of(high)
        if not self.is_whole(a) or (b is not None and not self.is_whole(b)):
            raise Refused("the ends of a sum are not seen to be whole")
        if b is not None and not self.is_nonnegative(b - a + rational(1)):
            raise Refused("a sum that may run backwards")
        first = a.constant()
        if first == 0 and (b is None or self.is_nonnegative(b)):
            return self._at(body, low) + self._sum(body, ONE, high)
        if self.is_nonnegative(a - rational(1)):
            try:
                k = self._bound(body, Fraction(1))
                self._of(opened(body, name(k)))
            except Refused:
                k = ""
            if k:
                found = self._from_one(body, k, b, high)
                if a.is_one:
                    return found
                return found - self._from_one(body, k, a - rational(1), add(low, number(-1)))
        return self._linear(body, self._bound(body, first), a, b)

    def _bound(self, body: Term, least: Fraction | None) -> str:
        """The name of a bound variable: by how deep sums stand in the body, and where it starts."""
        k = f"#k{_height(body)}from{least}"
        self.ranges.setdefault(k, Range(least))
        self.whole.add(k)
        return k

    def _at(self, body: Term, k: Term) -> Ratio:
        return self._of(opened(body, k))

    def _from_one(self, body: Term, k: str, b: Ratio | None, high: Term) -> Ratio:
        """Sum(body, (k, 1, b)) for b >= 0, by the sum to the least of the ends that differ from b by whole numbers."""
        if b is None:
            return self._linear(body, k, rational(1), None)
        c = b.num.get((), Fraction(0))
        if b.constant() is not None and c <= MOST_PEELED:
            return _total([self._at(body, number(j)) for j in range(1, int(c) + 1)])
        key = frozenset((powers, d) for powers, d in b.num.items() if powers)
        self.seen[key] = min(self.seen.get(key, int(c)), int(c))
        peeled = int(c) - min(self.given.get(key, int(c)), int(c))
        least = b - rational(peeled)
        if peeled > MOST_PEELED or not self.is_nonnegative(least):
            return self._linear(body, k, rational(1), b)
        return _total(
            [self._linear(body, k, rational(1), least), *(self._at(body, add(high, number(-j))) for j in range(peeled))]
        )

    def _linear(self, body: Term, k: str, a: Ratio, b: Ratio | None) -> Ratio:
        """The sum from a to b (>= a - 1), by the monomials of its body."""
        found = rational(0)
        f = self._of(opened(body, name(k)))
        for powers, c in f.num.items():
            moving = {x: e for x, e in powers if self.depends(x, k)}
            still = Ratio({in_order({x: e for x, e in powers if x not in moving}): c})
            if moving:
                found = found + still * self._monomial(Ratio({in_order(moving): Fraction(1)}), k, a, b)
            elif b is None:
                raise Refused("an infinite sum that is not seen to converge")
            else:
                found = found + still * (b - a + rational(1))
        return found

    def _monomial(self, m: Ratio, k: str, a: Ratio, b: Ratio | None) -> Ratio:
        if b is None and not self.converges(m, k):
            raise Refused("an infinite sum that is not seen to converge")
        found = ANY
        if self.sign(m) == 1:
            found = POSITIVE if b is None or self.is_nonnegative(b - a) else NONNEGATIVE
        low, high = to_term(a), name("oo") if b is None else to_term(b)
        key = Term("Sum", (bound(self.meant(to_term(m)), k), low, high))  # however its variable is called
        return self._fresh(Term("Sum", (to_term(m), low, high, name(k))), found, key=key)

    def converges(self, m: Ratio, k: str) -> bool:
        """Whether a monomial is geometric in k, falling, times powers of k, logarithms and harmonic numbers of k."""
        ((powers, _),) = m.num.items()
        falls = False
        for a, e in powers:
            if not self.depends(a, k):
                continue
            meaning = self.meaning.get(a.name)
            if a == name(k) or meaning == Term("log", (name(k),)):
                continue
            if meaning is None:
                return False
            if meaning.head == "Sum" and e.denominator == 1 and e > 0 and meaning.parts[2] == name(k):
                inner = meaning.parts[3]
                if meaning.parts[0] == terms.reciprocal(inner):
                    continue
                return False
            if meaning.head != "power":
                return False
            base, exponent = meaning.parts
            rate = self._of(exponent) * atom(name(k)).power(-1) * rational(e)
            if self.depends(base, k) or any(self.depends(x, k) for p in rate.num for x, _ in p):
                return False
            if not (self.sign(self._of(base) - rational(1)) == -1 and self.sign(rate) == 1) and not (
                self.sign(self._of(base) - rational(1)) == 1 and self.sign(rate) == -1
            ):
                return False
            falls = True
        return falls


def settled(conditions: Sequence[Condition], work: Callable[[Sums], Found]) -> Found:
    """What is found on a domain once the ends of sums that are kept do not change.

    Raises:
        Refused: by the work itself, or since they do.
    """
    least: Ends = {}
    for _ in range(MOST_PASSES):
        one, found, error = Sums(conditions, least), None, None
        try:
            found = work(one)
        except Refused as refused:
            error = refused
        after = least | {key: min(c, least.get(key, c)) for key, c in one.seen.items()}
        if after == least:
            if error is not None:
                raise error
            return cast("Found", found)
        least = after
    raise Refused("ends of sums that do not settle")


def _total(parts: Iterator[Ratio] | Sequence[Ratio]) -> Ratio:
    found = rational(0)
    for part in parts:
        found = found + part
    return found


def bound(term: Term, variable: str, depth: int = 0) -> Term:
    """The body of a sum with its variable bound: the inverse of terms.opened."""
    if term == name(variable):
        return Term("bound", number=Fraction(depth))
    if not term.parts:
        return term
    inside = [depth + (k == 0 and term.head in BINDERS) for k in range(len(term.parts))]
    return terms.rebuilt(term, tuple(bound(part, variable, d) for part, d in zip(term.parts, inside, strict=True)))


def _put(p: Poly, one: Term, value: Fraction) -> Poly:
    """A number for an atom."""
    found: Poly = {}
    for powers, c in p.items():
        k = dict(powers).get(one, Fraction(0))
        if k.denominator != 1 or (value == 0 and k < 0):
            raise Refused("a power at a closed end")
        rest = tuple((a, e) for a, e in powers if a != one)
        found[rest] = found.get(rest, Fraction(0)) + c * value ** int(k)
    return {powers: c for powers, c in found.items() if c}


def _shifted(term: Term) -> tuple[str | None, Fraction]:
    """(v, c) of v + c."""
    if term.head == "name" and term.name not in terms.CONSTANTS:
        return term.name, Fraction(0)
    if term.head == "sum" and len(term.parts) == 2:
        v, c = sorted(term.parts, key=lambda part: part.is_number)
        if v.head == "name" and v.name not in terms.CONSTANTS and c.is_number:
            return v.name, c.number
    return None, Fraction(0)


def _is_whole(term: Term) -> bool:
    """Whether a term is made of whole numbers and names by + and * alone."""
    if term.head in ("sum", "product"):
        return all(map(_is_whole, term.parts))
    return (term.head == "name" and term.name not in terms.CONSTANTS) or (term.is_number and term.number.denominator == 1)


def _height(term: Term) -> int:
    inner = max((_height(part) for part in term.parts), default=0)
    return inner + 1 if term.head in ("Sum", "harmonic", "Product", "Integral") else inner
