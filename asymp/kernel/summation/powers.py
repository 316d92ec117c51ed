"""Powers and logarithms of coefficients on a domain, by the factors of what is positive.

* A power x^y of x > 0 is made of powers of factors of x, and of the monomials of y: (1 - p)^(n - 1) is (1 - p)^n/(1 - p).
* A power x^m of x < 0, m whole, is (-1)^m (-x)^m; (-1)^m is a name whose square is 1.
* A polynomial is factored over the rationals where the sign of each factor is seen: log(n^2 + 2 n + 1) is 2 log(n + 1).

>>> from asymp.kernel.summation.sums import Sums
>>> from asymp.language.conditions import read_conditions
>>> one = Sums(read_conditions("whole n >= 1, 0 < p < 1"))
>>> [one.is_zero(one.of(terms.read(f"{a} - {b}"))) for a, b in (("log(n^2 + 2*n + 1)", "2*log(n + 1)"), ("(p*n)^n", "p^n*n^n"))]
[True, True]
"""

from __future__ import annotations

from collections.abc import Iterator

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import Ratio, atom, common, in_order, primes, primitive, rational, to_term
from asymp.kernel.summation.generalised import ANY, NONNEGATIVE, POSITIVE
from asymp.kernel.summation.whole import Whole
from asymp.kernel.terms import Refused, Term, name, number, power

UNIT, ABOVE = Range(mpq(0), True, mpq(1), True), Range(mpq(1), True)


class Factored(Whole):
    """Coefficients, with powers and logarithms of what is seen to be positive."""

    def _inverse(self, x: Ratio) -> Ratio:
        """1/x, for x that is seen not to be 0."""
        side = Ratio({in_order({a: e for a, e in common(x.num).items() if a.name in self.signs}): mpq(1)})
        x = self.with_signs(x * side)
        if self.sign(x) not in (1, -1):
            raise Refused("a division by what may be 0")
        found = side
        for factor, k in self._split(x):
            if len(factor.num) > 1:
                found = found * self._fresh_inverse(factor).power(k)
            else:
                ((powers, c),) = factor.num.items()
                plain: dict[Term, mpq] = {}
                for a, e in powers:
                    if a.name in self.inverses:
                        found = found * self.inverses[a.name].power(int(e))
                    else:
                        if e > 0 and self.sign(atom(a)) not in (1, -1):
                            # the product's sign may hang on a range that a factor leaves: Sum(k/(n*k), (k, 1, n)) at n = 0
                            raise Refused("a division by what may be 0")
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
        content, powers, ((p, _),) = primitive(x.num)
        sign_, rest = self.sign(x), Ratio(p)
        own = self.sign(rest)
        if own not in (1, -1) or sign_ not in (1, -1):
            raise Refused("a factor whose sign is not seen")
        return [(Ratio({powers: content * own}), 1), (rest if own == 1 else -rest, 1)]

    def _power(self, b: Ratio, e: Ratio) -> Ratio:
        k = e.constant()
        if k is not None and k.denominator == 1:
            if k > 0:
                return b.power(int(k))
            return self._inverse(b).power(-int(k))
        if self.sign(b) == -1 and self.is_whole(e):
            return self._parity(e) * self._power(-b, e)
        if self.sign(b) != 1:
            raise Refused("a power of what may not be positive")
        found = rational(1)
        for base, m in self._factors(b):
            found = found * self._factor_power(base, e * rational(m) if isinstance(m, mpq) else e * m)
        return found

    def _parity(self, e: Ratio) -> Ratio:
        """(-1)^e of a whole e, by those of the monomials of e with odd coefficients; of w^j it is that of w."""
        found = rational(1)
        for powers, c in e.num.items():
            if c.numerator % 2 == 0:
                continue
            if not powers:
                found = -found
                continue
            m = Ratio({in_order(dict.fromkeys((a for a, _ in powers), mpq(1))): mpq(1)})
            one = self._fresh(Term("power", (number(-1), to_term(m))), Range(mpq(-1), False, mpq(1)))
            self.signs.add(next(iter(one.num))[0][0].name)
            found = self.with_signs(found * one)
        return found

    def _factors(self, x: Ratio) -> Iterator[tuple[Term, mpq | Ratio]]:
        """Positive terms and exponents, of which x > 0 is the product: primes, names, polynomials of several terms."""
        for part, _ in self._split(x):
            if len(part.num) > 1:
                yield from self._irreducible(part)
                continue
            ((powers, c),) = part.num.items()
            if c <= 0 or not all(self.domain.sign(atom(a)) == 1 for a, _ in powers):
                raise Refused("a factor whose sign is not seen")
            for prime, count in primes(c):
                yield number(prime), mpq(count)
            for a, k in powers:
                if a.name in self.inverses:
                    yield to_term(self.inverses[a.name]), -k
                elif a.name in self.meaning and self.meaning[a.name].head == "power":
                    base, m = self.meaning[a.name].parts
                    yield base, self._of(m) * rational(k)
                else:
                    yield a, k

    def _irreducible(self, x: Ratio) -> Iterator[tuple[Term, mpq]]:
        """The factors of a polynomial x > 0 of several terms, if the sign of each is seen."""
        try:
            number_, powers, rest = factored(x.num)
        except Refused:
            number_, powers, rest = mpq(1), (), [(x.num, 1)]
        signs = [self.sign(Ratio(q)) for q, _ in rest]
        if powers or not all(signs) or sum(k for _, k in rest) == 1:
            yield to_term(x), mpq(1)
            return
        for prime, count in primes(abs(number_)):
            yield number(prime), mpq(count)
        for (q, k), side in zip(rest, signs, strict=True):
            yield to_term(Ratio(q) if side == 1 else -Ratio(q)), mpq(k)

    def _factor_power(self, base: Term, e: Ratio) -> Ratio:
        """base^e for one of the factors: a product over the monomials of e."""
        b = self._of(base)
        found = rational(1)
        for powers, c in e.num.items():
            logs = [a for a, k in powers if k == 1 and self.meaning.get(a.name, a).head == "log"]
            if base == name("E") and logs:  # E^(m log x) = x^m
                x = self.meaning.get(logs[0].name, logs[0]).parts[0]
                rest = Ratio({in_order({a: k for a, k in powers if a != logs[0]}): c})
                found = found * self._power(self._of(x), rest)
            elif powers:
                m = Ratio({powers: mpq(1)})
                z = self._fresh(Term("power", (base, to_term(m))), self._power_range(b, m))
                found = found * Ratio({((next(iter(z.num))[0][0], c),): mpq(1)})
            elif c.denominator == 1:
                found = found * (b.power(int(c)) if c > 0 else self._inverse(b).power(-int(c)))
            elif base.is_number or base.head == "name":
                found = found * Ratio({((base, c),): mpq(1)}) if not base.is_number else found * self.domain.value(
                    power(base, number(c)))  # fmt: skip
            else:
                found = found * self._fresh(Term("power", (base, number(c))), self._power_range(b, rational(c)))
        return found

    def _power_range(self, b: Ratio, m: Ratio) -> Range:
        above, below = self.is_nonnegative(b - rational(1)), self.is_nonnegative(rational(1) - b)
        up, down = self.is_nonnegative(m), self.is_nonnegative(-m)
        strict = self.sign(b - rational(1)) in (1, -1) and self.sign(m) in (1, -1)
        if (above and up) or (below and down):
            return ABOVE if strict else Range(mpq(1))
        if (above and down) or (below and up):
            return UNIT if strict else Range(mpq(0), True, mpq(1), False)
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
                kind = Range(None, False, mpq(0), True) if self.sign(b) == -1 else kind
                one = self._fresh(Term("log", (base,)), kind)
            found = found + one * (rational(m) if isinstance(m, mpq) else m)
        return found
