"""What a term is exactly where some of its variables are whole numbers: periods of sines, powers of -1, floors.

Every rewriting here is an identity of real numbers for all whole values of the variables named, from some point on where a
series is asked; a term to which none applies stays as it is.

>>> whole = Whole(frozenset({"k"}))
>>> [str(whole.settled(terms.read(t))) for t in ("sin(2*pi*k + 1)", "cos(pi*k)", "(-1)^(k^2 + k)", "floor(k + 7/2)", "(-2)^k")]
['sin(1)', '(-1)^k', '1', 'k + 3', '(-1)^k*2^k']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.facts.ranges import ball as ball_of
from asymp.kernel.growths.growth import ONE, Domain, Growth
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.defined import Range, is_whole
from asymp.kernel.rings.ratio import MOST_DEGREE, ONE_POLY, Poly, Powers, Ratio, rational, to_term
from asymp.kernel.terms import Refused, Term
from asymp.language.names import BINDERS

PI = terms.name("pi")
_HALF_ROOT = {2: "2^(1/2)/2", 3: "3^(1/2)/2"}
SINES = {
    mpq(0): terms.ZERO, mpq(1, 6): terms.number(mpq(1, 2)), mpq(1, 4): terms.read(_HALF_ROOT[2]),
    mpq(1, 3): terms.read(_HALF_ROOT[3]), mpq(1, 2): terms.ONE,
}  # fmt: skip
"""sin(c pi) for these c in [0, 1/2]."""


ALGEBRAIC = frozenset({"number", "name", "sum", "product", "power"})


@dataclass(frozen=True)
class Whole:
    """``names``: the variables that are whole numbers, and positive from some point on.

    ``series``: the series of a term where ``runner``, one of the names, tends to infinity and nothing else moves; floors of
    what is no polynomial are told by it.
    """

    names: frozenset[str]
    series: Callable[[Term], Series] | None = None
    runner: str = ""
    domain: Domain = field(default_factory=Domain)

    def settled(self, term: Term) -> Term:
        """The term with what is exact put in, from the inside out; binders are left alone."""
        if not term.parts or term.head in BINDERS:
            return term
        found = terms.rebuilt(term, tuple(self.settled(part) for part in term.parts))
        match found.head:
            case "sin" | "cos" if len(found.parts) == 1:
                return self._wave(found)
            case "power":
                return self._power(found)
            case "floor" | "ceiling" if len(found.parts) == 1:
                return self._floor(found)
        return found

    # --- whole values ---------------------------------------------------------------------------------

    def is_whole(self, term: Term) -> bool:
        """Whether a term is seen to be a whole number: a polynomial, or a power of a positive whole number.

        A power of a variable to the 0 is not: what is 0^0 is undefined.
        """
        return all(part.head in ALGEBRAIC for part in terms.walk(term)) and is_whole(term, self.names, self._counts)

    def is_whole_valued(self, term: Term) -> bool:
        """Whether a term is a polynomial in one of the variables that has whole values at whole numbers, as n*(n + 1)/2: it
        does where it has them at 0, ..., d, d its degree."""
        found = self._ratio(term)
        if found is None or not all(self._in_names(powers) for powers in found.num):
            return False
        if len({a for powers in found.num for a, _ in powers}) > 1:
            return False
        by_degree = {int(powers[0][1]) if powers else 0: c for powers, c in found.num.items()}
        degree = max(by_degree, default=0)
        return degree <= MOST_DEGREE and all(
            sum((c * j**k for k, c in by_degree.items()), mpq(0)).denominator == 1 for j in range(degree + 1)
        )

    def _counts(self, term: Term) -> bool:
        """Whether it is a whole number that is not negative from some point on."""
        match term.head:
            case "number":
                return term.number.denominator == 1 and term.number >= 0
            case "name":
                return term.name in self.names
            case "sum" | "product":
                return all(self._counts(part) for part in term.parts)
            case "power":
                return self._counts(term.parts[0]) and term.parts[1].is_number and self.is_whole(term)
        return False

    def _ratio(self, term: Term) -> Ratio | None:
        """A term as a polynomial, in which the names are positive; None where it is none."""
        positive = {name: Range(mpq(0), True) for name in self.names}
        try:
            found = replace(self.domain, within={**self.domain.within, **positive}).value(term)
        except Refused:
            return None
        return found if found.den == ONE_POLY else None

    def _in_names(self, powers: Powers) -> bool:
        """Whether a monomial is one in the whole variables."""
        return all(a.head == "name" and a.name in self.names and k >= 1 and k.denominator == 1 for a, k in powers)

    def _parity(self, p: Poly) -> Term | None:
        """A product of powers (-1)^m of monomials m in the whole variables, equal to (-1)^p; n^j is even as n is.

        None where p has another coefficient than whole ones, or another variable.
        """
        odd: set[frozenset[str]] = set()
        for powers, c in p.items():
            if c.denominator != 1 or not self._in_names(powers):
                return None
            if c % 2:
                odd ^= {frozenset(a.name for a, _ in powers)}
        factors = []
        for names in sorted(odd, key=sorted):
            if not names:
                factors.append(terms.number(-1))
            else:
                factors.append(Term("power", (terms.number(-1), terms.multiply(*(terms.name(n) for n in sorted(names))))))
        return terms.multiply(*factors)

    # --- the functions ----------------------------------------------------------------------------------

    def _wave(self, term: Term) -> Term:
        """sin(pi P + x) = (-1)^P sin x for whole P; sin(x + pi/2) = cos x; and sin(c pi) for c in twelfths."""
        x = self._ratio(term.parts[0])
        if x is None:
            return term
        turns: Poly = {}
        rest: Poly = {}
        shift = mpq(1, 2) if term.head == "cos" else mpq(0)
        for powers, c in x.num.items():
            others = tuple((a, k) for a, k in powers if a != PI)
            if dict(powers).get(PI) == 1 and self._in_names(others):
                if not others:
                    shift += c
                    continue
                if c.denominator == 1:
                    turns[others] = c
                    continue
            rest[powers] = c
        factor = self._parity(turns)
        if factor is None:
            return term
        if not rest:
            value = sine(shift)
            return term if value is None else terms.ZERO if value == terms.ZERO else terms.multiply(factor, value)
        quarter, left = divmod(2 * shift, 1)
        inside = to_term(Ratio(rest))
        if left:
            inside = terms.add(inside, terms.multiply(terms.number(left / 2), PI))
        head = ("sin", "cos")[int(quarter) % 2]
        minus = terms.number(-1 if int(quarter) % 4 >= 2 else 1)
        return terms.multiply(minus, factor, terms.call(head, inside))

    def _power(self, term: Term) -> Term:
        """(-c)^P = (-1)^P c^P for whole P, and ((-1)^m)^j = (-1)^(j m) for whole j."""
        base, exponent = term.parts
        if base.head == "power" and base.parts[0] == terms.number(-1) and exponent.is_number:
            if exponent.number.denominator == 1 and self.is_whole(base.parts[1]):
                return base if exponent.number % 2 else terms.ONE
        if not base.is_number or base.number >= 0 or exponent.is_number:
            return term
        p = self._ratio(exponent)
        factor = self._parity(p.num) if p is not None else None
        if factor is None:
            return term
        size = terms.number(-base.number)
        return factor if size == terms.ONE else terms.multiply(factor, terms.power(size, exponent))

    def _floor(self, term: Term) -> Term:
        """floor(P + x) = P + floor(x) for whole P, and floor(x) where x is constant, or tends to a constant from one side."""
        if term.head == "ceiling":  # -floor(-x)
            inner = terms.call("floor", terms.negative(term.parts[0]))
            found = self._floor(inner)
            return term if found == inner else terms.negative(found)
        x = self._ratio(term.parts[0])
        if x is not None:
            whole = {powers: c for powers, c in x.num.items() if powers and c.denominator == 1 and self._in_names(powers)}
            rest = Ratio({powers: c for powers, c in x.num.items() if powers not in whole})
            below = _floor_of(rest)
            if below is not None:
                return terms.add(to_term(Ratio(whole)), terms.number(below))
        return self._floor_at_infinity(term)

    def _floor_at_infinity(self, term: Term) -> Term:
        if self.series is None:
            return term
        try:
            f = self.series(term.parts[0])
        except Refused:
            return term
        whole: list[Term] = []
        constant, small = rational(0), []
        for c, g in f.terms:
            value = c.constant()
            if g.limit(self.domain) == "zero":
                small.append((c, g))
            elif g.same(ONE):
                constant = c
            elif value is not None and value.denominator == 1 and not g.exponent and len(g.powers) == 1:
                ((place, e),) = g.powers
                k = e.constant()
                if place != (0, 0) or k is None or k.denominator != 1 or k < 1:
                    return term
                whole.append(terms.multiply(terms.number(value), terms.power(terms.name(self.runner), terms.number(k))))
            else:
                return term
        if any(r.limit(self.domain) != "zero" for r in f.rest):
            return term
        below = _floor_of(constant)
        if below is None:
            return term
        if (constant - rational(below)).is_zero and (small or f.rest):
            # a whole limit: it is told by the side from which it is reached
            side = _side(small, f.rest, self.domain)
            if side is None:
                return term
            below -= 1 if side < 0 else 0
        return terms.add(*whole, terms.number(below))


def _side(small: list[tuple[Ratio, Growth]], rest: tuple[Growth, ...], domain: Domain) -> int | None:
    """The sign, from some point on, of a sum of terms that vanish."""
    for k, (c, g) in enumerate(small):
        others = [h for j, (_, h) in enumerate(small) if j != k]
        if all((h / g).limit(domain) == "zero" for h in (*others, *rest)):
            return domain.sign(c) or None
    return None


def sine(turns: mpq) -> Term | None:
    """sin(c pi), where that is 0, 1/2, sqrt(2)/2, sqrt(3)/2 or 1 up to its sign.

    >>> [str(sine(mpq(k, 6))) for k in (1, 4, 7, 9)], sine(mpq(1, 5))
    (['1/2', '1/2*3^(1/2)', '-1/2', '-1'], None)
    """
    c = turns % 2
    minus = c >= 1
    c -= minus
    value = SINES.get(min(c, 1 - c))
    return None if value is None else terms.negative(value) if minus else value


def _floor_of(x: Ratio) -> int | None:
    """The floor of a constant: its ball tells the number, and signs that it is the one."""
    value = x.constant()
    if value is not None:
        return value.numerator // value.denominator
    term = to_term(x)
    if terms.free(term) or terms.has_bound(term):
        return None
    try:
        guess = ball_of(term).mid().floor().unique_fmpz()
    except Refused:
        return None
    if guess is None or abs(guess) > 10**50:
        return None
    below = int(guess)
    fits = Domain().sign(x - rational(below)) == 1 and Domain().sign(rational(below + 1) - x) == 1
    return below if fits else None
