"""A domain, and fresh names for functions on it: what holds for all values of the names holds for the functions.

Of a name no more is used than the range in which it is seen to lie, and, of an inverse 1/D of a polynomial D > 0, that D
times it is 1.  A condition v <= w on a name v or w is used by w = v + t with a new t >= 0, or v = w/(1 + t) for positive
reals.  Conditions that are not used make the domain larger.

>>> from asymp.language.conditions import read_conditions
>>> one = Names(read_conditions("whole n >= 1, 0 < p <= 1"))
>>> n, p = (atom(name(v)) for v in ("n", "p"))
>>> one.sign(n + p), one.sign(n - p), one.is_nonnegative(n - p), one.is_whole(n), one.is_whole(p)
(1, None, True, True, False)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.domain import given
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NONNEGATIVE as NOT_BELOW
from asymp.kernel.facts.signs import is_empty, ranges_of
from asymp.kernel.rings.defined import Range, is_whole
from asymp.kernel.rings.ratio import MOST_PARTS, ONE_POLY, Poly, Ratio, atom, in_order, product_of, rational
from asymp.kernel.terms import ONE, Refused, Term, add, multiply, name, negative, number, substitute
from asymp.language.conditions import Condition
from asymp.language.names import BINDERS

MOST_NAMES = 120
MOST_SIGNED = 60
"""Terms of a polynomial whose sign is asked."""
MOST_COMPARED = 40_000
"""Products of terms that are formed at once where it is asked whether something is 0."""
POSITIVE, NONNEGATIVE, ANY = Range(mpq(0), True), Range(mpq(0)), Range()


class Names:
    """A domain, the names that stand for functions on it, and signs."""

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self.ranges: dict[str, Range] = {}
        self.domain = Context(within=self.ranges, continuous=True)
        self.whole: set[str] = set()
        self.names: dict[Term, str] = {}
        self.meaning: dict[str, Term] = {}
        self.inverses: dict[str, Ratio] = {}
        self.values: dict[str, Term] = {}
        self.origins: dict[str, Term] = {}
        self.known: dict[Term, Ratio] = {}
        self.signs: set[str] = set()
        self.conditions = tuple(conditions)
        self.scopes: dict[object, str] = {}
        self._conditions(conditions)

    def _of(self, term: Term) -> Ratio:
        raise NotImplementedError

    def _inverse(self, x: Ratio) -> Ratio:
        raise NotImplementedError

    # --- the domain ------------------------------------------------------------------------------

    def _conditions(self, conditions: Sequence[Condition]) -> None:
        where = given(conditions)
        if where.others:
            raise Refused(f"{where.others[0]} is no condition on values")
        self.whole |= where.whole
        pairs = [pair for pair in where.pairs if pair[1] != "="]
        self.ranges |= ranges_of(pairs, self.whole, {})
        if empty := [v for v, one in self.ranges.items() if is_empty(one)]:
            raise Refused(f"{min(empty)} has no values")
        ties = [(low, sign_ == "<", high) for low, sign_, high in pairs
                if not low.is_number and not high.is_number]  # fmt: skip
        for tie in sorted(ties, key=lambda one: any(part.head == "product" for part in terms.walk(one[0]))):
            self._as_difference(*tie)  # those without products first: they keep the others' degrees low
        for tie in ties:
            self._as_quotient(*tie)

    def _as_difference(self, low: Term, strict: bool, high: Term) -> None:
        """Uses low <= v + c by v = low - c + t, or low < v + c by v = low - c + 1 + t in whole numbers."""
        low, high = substitute(low, self.values), substitute(high, self.values)
        v, c = _shifted(high)
        if v is None or v in self._values_hold() | terms.free(low):
            return
        fresh = f"#t{len(self.values)}"
        whole = v in self.whole and c.denominator == 1 and is_whole(low, self.whole)
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
        if self._is_positive(low) and self._is_positive(high):
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
            if meaning.head not in ("Sum", "Product", "Integral") or len(meaning.parts) < 4:
                return self.meant(meaning)
            body, low, high, k = meaning.parts
            return Term(meaning.head, (bound(self.meant(body), k.name), self.meant(low), self.meant(high)))
        return terms.rebuilt(term, tuple(self.meant(part) for part in term.parts)) if term.parts else term

    def introduce(self, variable: str, least: mpq | None) -> None:
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

    def cleared(self, x: Ratio, parts_at_most: int = MOST_PARTS) -> tuple[Poly, Ratio]:
        """A polynomial without inverses, and a product c > 0 of inverses, such that x = polynomial times c.

        Each 1/D is multiplied out, the last that was made first, since D may hold those made before.
        """
        if x.den != ONE_POLY:
            raise Refused("a quotient that is not understood")
        found, over = self.with_signs(x).num, rational(1)
        for one in sorted(self.inverses, key=lambda n: -int(n[1:])):
            parts: dict[mpq, Poly] = {}
            for powers, c in found.items():
                k = dict(powers).get(name(one), mpq(0))
                parts.setdefault(k, {})[tuple((a, e) for a, e in powers if a != name(one))] = c
            if any(k < 0 or k.denominator != 1 for k in parts):
                raise Refused("a power of an inverse")
            if most := int(max(parts, default=mpq(0))):
                found, d = parts.get(mpq(0), {}), self.inverses[one].num
                for j in range(1, most + 1):
                    found = (Ratio(product_of(found, d, parts_at_most)) + Ratio(parts.get(mpq(j), {}))).num
                over = over * atom(name(one)).power(most)
        return self.with_signs(Ratio(found)).num, over

    def with_signs(self, x: Ratio) -> Ratio:
        """The same without even powers of names of (-1)^m, m whole: the square of one is 1, and it is its own reciprocal."""
        if not any(a.name in self.signs for powers in x.num for a, _ in powers):
            return x
        found: Poly = {}
        for powers, c in x.num.items():
            left = in_order({a: e % 2 if a.name in self.signs else e for a, e in powers})
            found[left] = found.get(left, mpq(0)) + c
        return Ratio({powers: c for powers, c in found.items() if c}, x.den)

    def is_zero(self, x: Ratio) -> bool:
        """Whether it is 0 by identity."""
        return not self.cleared(x, MOST_COMPARED)[0]

    def sign(self, x: Ratio) -> int | None:
        """1, -1 or 0 where it is that on the whole domain; None where that is not seen."""
        return self._sign(self.cleared(x)[0])

    def _sign(self, p: Poly) -> int | None:
        return None if len(p) > MOST_SIGNED else self.domain.sign(Ratio(p))

    def is_nonnegative(self, x: Ratio) -> bool:
        """Whether it is seen to be at least 0 on the whole domain."""
        p, _ = self.cleared(x)
        return len(p) <= MOST_SIGNED and self.domain.of(Ratio(p)) <= NOT_BELOW

    def is_whole(self, x: Ratio) -> bool:
        """Whether it is a polynomial in whole quantities with whole coefficients."""
        return x.den == ONE_POLY and all(
            c.denominator == 1
            and all(a.head == "name" and a.name in self.whole and k.denominator == 1 and k > 0 for a, k in powers)
            for powers, c in x.num.items()
        )


def total(parts: Iterable[Ratio]) -> Ratio:
    """The sum of coefficients."""
    found = rational(0)
    for part in parts:
        found = found + part
    return found


def replaced(term: Term, old: Term, new: Term) -> Term:
    """A term with another for one of its parts, which has no bound variable of a binder around it."""
    if term == old:
        return new
    return terms.rebuilt(term, tuple(replaced(part, old, new) for part in term.parts)) if term.parts else term


def bound(term: Term, variable: str, depth: int = 0) -> Term:
    """The body of a sum with its variable bound: the inverse of terms.opened."""
    if term == name(variable):
        return Term("bound", number=mpq(depth))
    if not term.parts:
        return term
    inside = [depth + (k == 0 and term.head in BINDERS) for k in range(len(term.parts))]
    return terms.rebuilt(term, tuple(bound(part, variable, d) for part, d in zip(term.parts, inside, strict=True)))


def _shifted(term: Term) -> tuple[str | None, mpq]:
    """(v, c) of v + c."""
    if term.head == "name" and term.name not in terms.CONSTANTS:
        return term.name, mpq(0)
    if term.head == "sum" and len(term.parts) == 2:
        v, c = sorted(term.parts, key=lambda part: part.is_number)
        if v.head == "name" and v.name not in terms.CONSTANTS and c.is_number:
            return v.name, c.number
    return None, mpq(0)
