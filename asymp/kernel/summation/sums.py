"""Terms with finite and infinite sums as Laurent polynomials with rational coefficients in *atoms*, on a domain.

Whatever is no rational function is generalised (see :mod:`asymp.kernel.summation.generalised`): a power x^m, a logarithm, a
sum, a rounding, and 1/D for a polynomial D of several terms, stand as fresh real names: 0 < (1 - p)^n < 1.

* Powers and logarithms are those of factors: see :mod:`asymp.kernel.summation.powers`.
* A sum over whole k from a to b is defined where a and b are whole and b >= a - 1; it is 0 for b = a - 1.  It is linear
  in its body, and is made of sums of monomials m in what depends on k:  c free of k stands before the sum,
  Sum(1, (k, a, b)) = b - a + 1, and where m is defined for all k >= 1 and a >= 1 is seen the sum starts at 1:
  Sum(m, (k, a, b)) = Sum(m, (k, 1, b)) - Sum(m, (k, 1, a - 1)).  Of ends that differ by whole numbers the least is kept:
  Sum(m, (k, 1, n)) = Sum(m, (k, 1, n - 1)) + m(n).  Sum(f(k), (k, a, b)) is Sum(f(a + b - k), (k, a, b)) where that makes
  factorials (c - k)! in f to (c' + k)!.
* An infinite sum is defined here only where each of its monomials is x^(a k) with 0 < x^a < 1 times powers of k, of log k
  and of harmonic numbers of k: it converges absolutely.
* An integral is that of a continuous function between ends that are at least 1, and linear in its body:
  Integral(f, (x, a, b)) = Integral(f, (x, 1, b)) - Integral(f, (x, 1, a)).
* harmonic(n) = Sum(1/k, (k, 1, n)) and n! = Product(k, (k, 1, n)) for whole n >= 0, and binomial(n, k) = n!/(k! (n - k)!)
  for whole k and n with 0 <= k <= n; for other x it is x (x - 1) ... (x - k + 1)/k! (DLMF 1.2.6), for whole k >= 0.

>>> from asymp.language.conditions import read_conditions
>>> where = read_conditions("whole n >= 1, 0 < p < 1")
>>> difference = read("Sum(p^k*k, (k, 1, n)) - p*Sum(p^(k - 1)*k, (k, 1, n - 1)) - n*p^n")
>>> settled(where, lambda one: one.is_zero(one.of(difference)))
True
>>> parts = read("Sum(Integral(p^x/x, (x, k, k + 1)), (k, n, n)) - Integral(p^x/x, (x, 2, n + 1)) + Integral(p^x/x, (x, 2, n))")
>>> settled(where, lambda one: one.is_zero(one.of(parts)))
True
>>> settled(where, lambda one: one.sign(one.of(read("1/p + Sum((1 - p)^k/k, (k, 1, n - 1))"))))
1
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.counting import at_index
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import ONE_POLY, Ratio, atom, in_order, rational, to_term
from asymp.kernel.summation.ends import from_the_end
from asymp.kernel.summation.generalised import ANY, NONNEGATIVE, POSITIVE, bound, total
from asymp.kernel.summation.powers import Factored
from asymp.kernel.summation.whole import MOST_PEELED, Ends
from asymp.kernel.terms import ONE, Refused, Term, add, name, number, opened, read, substitute
from asymp.kernel.trust import rests_on
from asymp.language.conditions import Condition

__all__ = ["Sums", "bound", "read", "settled"]

CONTINUOUS = frozenset({"number", "name", "bound", "sum", "product", "power", "exp", "log"})
"""Of these the terms that are seen to be defined on an interval are continuous there."""
MOST_PASSES = 5
_OF_RANGES = frozenset({"floor", "ceiling", "Product", "factorial", "binomial", "catalan"})
"""What is written in a way that hangs on the range of a variable."""
Found = TypeVar("Found")
MOST_WORK = 4_000


class Sums(Factored):
    """Coefficients on one domain.  ``least``: of ends of sums without their numbers, the least number that is kept."""

    def __init__(self, conditions: Sequence[Condition], least: Ends | None = None) -> None:
        self.given, self.work = least or {}, 0
        self.seen: Ends = {}
        self.together: dict[object, int | None] = {}
        self.made_of = {}
        super().__init__(conditions)
        self.rows = None  # made before all conditions were used

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
            self.known[term] = self.with_signs(self._made(term))
        return self.known[term]

    def _made(self, term: Term) -> Ratio:
        match term.head:
            case "number":
                return rational(term.number)
            case "name" if term.name != "oo":
                return atom(term)
            case "sum":
                return total(self._of(part) for part in term.parts)
            case "product":
                found = rational(1)
                for part in term.parts:
                    found = found * self._of(part)
                return found
            case "power" if term.parts[0].head == "factorial" and self._is_count(term.parts[0].parts[0]):
                e = term.parts[1]
                if not (e.is_number and e.number.denominator == 1 and e.number < 0):
                    return self._power(self._of(term.parts[0]), self._of(e))
                return self._product(Term("bound"), ONE, term.parts[0].parts[0], 0, inverted=True).power(-int(e.number))
            case "power":
                return self._power(self._of(term.parts[0]), self._of(term.parts[1]))
            case "exp":
                return self._power(atom(name("E")), self._of(term.parts[0]))
            case "log":
                return self._log(self._of(term.parts[0]))
            case "Sum":
                return self._sum(*term.parts)
            case "Product":
                body, low, high = term.parts
                return self._product(body, low, high, _height(body))
            case "Integral":
                return self._integral(*term.parts)
            case "harmonic":
                x = self._of(term.parts[0])
                if self.is_whole(x) and self.is_nonnegative(x):
                    return self._sum(terms.reciprocal(Term("bound")), ONE, term.parts[0])
                return self._harmonic(x)
            case "factorial":
                x = self._of(term.parts[0])
                if self.is_whole(x) and self.at_least_0(x):
                    return self._product(Term("bound"), ONE, term.parts[0], 0)
            case "factorial2":  # 2*4*...*(2m) at 2m, 1*3*...*(2m - 1) at 2m - 1: the definition
                x = self._of(term.parts[0])
                for odd in (0, 1):
                    half = (x + rational(odd)) * rational(mpq(1, 2))
                    if self.is_whole(half) and self.at_least_0(half):
                        factor = add(terms.multiply(number(2), Term("bound")), number(-odd))
                        return self._product(factor, ONE, to_term(half), 0)
                raise Refused(f"{term}: whether it is of an even or of an odd number is not seen")
            case "binomial" if len(term.parts) == 2:
                n, k = term.parts
                rest = add(n, terms.negative(k))
                if self._is_count(k) and self._is_count(rest):
                    under = [terms.reciprocal(terms.call("factorial", one)) for one in (k, rest)]
                    return self._of(terms.multiply(terms.call("factorial", n), *under))
                if self._is_count(k):
                    falling = self._product(add(self._seen_to_be(n), ONE, terms.negative(Term("bound"))), ONE, k, 0)
                    return falling * self._of(terms.reciprocal(terms.call("factorial", k)))
            case "catalan":
                (n,) = term.parts
                if self._is_count(n):
                    middle = terms.call("binomial", terms.multiply(number(2), n), n)
                    return self._of(terms.multiply(middle, terms.reciprocal(add(n, ONE))))
            case "floor" | "ceiling":
                x = self._of(term.parts[0])
                return self._rounded(term.head, x)
            case "Abs":
                x = self._of(term.parts[0])
                if self.is_nonnegative(x):
                    return x
                return -x if self.is_nonnegative(-x) else self._fresh(Term("Abs", (to_term(x),)), NONNEGATIVE)
        if not term.parts or term.head == "bound":
            raise Refused(f"{term.head} is no coefficient")
        inner = [to_term(self._of(part)) for part in term.parts]
        return self._function(term.head, *inner)

    def _is_count(self, term: Term) -> bool:
        """Whether a term is seen to be a whole number that is not negative."""
        x = self._of(term)
        return self.is_whole(x) and self.at_least_0(x)

    def _seen_to_be(self, term: Term) -> Term:
        """A term that is seen to be defined."""
        self._of(term)
        return term

    def _function(self, head: str, *inner: Term) -> Ratio:
        if any(v in self.inverses for one in inner for v in terms.free(one)):
            raise Refused("a function of a quotient")
        x = self.domain.value(Term(head, inner))
        return x if x.den == ONE_POLY else Ratio(x.num) * self._inverse(Ratio(x.den))

    def _harmonic(self, x: Ratio) -> Ratio:
        """H(x) = H(y) + 1/(y + 1) + ... + 1/(y + k) for real y = x - k > 0 (DLMF 5.5.2), k the whole part of x's constant."""
        c = x.num.get((), mpq(0))
        k = max(0, min(c.numerator // c.denominator, MOST_PEELED))
        k = next((j for j in range(k, 0, -1) if self.sign(x - rational(j)) == 1), 0)
        y = x - rational(k)
        inner = to_term(y)
        if k:
            rests_on("DLMF 5.5.2")
        found = self._function("harmonic", inner)
        return total([found, *(self._inverse(y + rational(j)) for j in range(1, k + 1))])

    # --- sums -------------------------------------------------------------------------------------

    def _sum(self, body: Term, low: Term, high: Term) -> Ratio:
        a = self._of(low)
        b = None if high == name("oo") else self._of(high)
        if not self.is_whole(a) or (b is not None and not self.is_whole(b)):
            raise Refused("the ends of a sum are not seen to be whole")
        if b is not None and not self.at_least_0(b - a + rational(1)):
            raise Refused("a sum that may run backwards")
        if b is not None:
            body = from_the_end(body, low, high)
        first = a.constant()
        if first == 0 and (b is None or self.at_least_0(b)):
            return self._at(body, low) + self._sum(body, ONE, high)
        if self.is_nonnegative(a - rational(1)):
            try:
                k = self._bound(body, mpq(1), rational(1), b)
                self._of(opened(body, name(k)))
            except Refused:
                k = ""
            if k:
                found = self._from_one(body, k, b, high)
                if a.is_one:
                    return found
                return found - self._from_one(body, k, a - rational(1), add(low, number(-1)))
        return self._linear(body, self._bound(body, first, a, b), a, b)

    def _bound(self, body: Term, least: mpq | None, a: Ratio, b: Ratio | None) -> str:
        """The name of a bound variable: by how deep sums stand in the body, and where it starts; and ends, if that matters."""
        if any(part.head in _OF_RANGES for part in terms.walk(body)):
            return self.bound_name(_height(body), least, a, b)
        k = f"#k{_height(body)}from{least}"
        self.ranges.setdefault(k, Range(least))
        self.whole.add(k)
        return k

    def _at(self, body: Term, k: Term) -> Ratio:
        return self._of(at_index(body, k))

    def _from_one(self, body: Term, k: str, b: Ratio | None, high: Term) -> Ratio:
        """Sum(body, (k, 1, b)) for b >= 0, by the sum to the least of the ends that differ from b by whole numbers."""
        if b is None:
            return self._linear(body, k, rational(1), None)
        c = b.num.get((), mpq(0))
        if b.constant() is not None and c <= MOST_PEELED:
            return total([self._at(body, number(j)) for j in range(1, int(c) + 1)])
        key = frozenset((powers, d) for powers, d in b.num.items() if powers)
        self.seen[key] = min(self.seen.get(key, int(c)), int(c))
        peeled = int(c) - min(self.given.get(key, int(c)), int(c))
        least = b - rational(peeled)
        if peeled > MOST_PEELED or not self.is_nonnegative(least):
            return self._linear(body, k, rational(1), b)
        within = self._bound(body, mpq(1), rational(1), least)
        return total(
            [self._linear(body, within, rational(1), least), *(self._at(body, add(high, number(-j))) for j in range(peeled))]
        )

    def _linear(self, body: Term, k: str, a: Ratio, b: Ratio | None) -> Ratio:
        """The sum from a to b (>= a - 1), by the monomials of its body."""
        found = rational(0)
        f = self._of(opened(body, name(k)))
        for powers, c in f.num.items():
            moving = {x: e for x, e in powers if self.depends(x, k)}
            still = Ratio({in_order({x: e for x, e in powers if x not in moving}): c})
            if moving:
                found = found + still * self._monomial(Ratio({in_order(moving): mpq(1)}), k, a, b)
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
            found = POSITIVE if b is None or self.at_least_0(b - a) else NONNEGATIVE
        low, high = to_term(a), name("oo") if b is None else to_term(b)
        key = Term("Sum", (bound(self.meant(to_term(m)), k), low, high))  # however its variable is called
        return self._fresh(Term("Sum", (to_term(m), low, high, name(k))), found, key=key)

    # --- integrals --------------------------------------------------------------------------------

    def _integral(self, body: Term, low: Term, high: Term) -> Ratio:
        """The integral from a >= 1 to b >= 1, as that from 1 to b less that from 1 to a, of a body that is continuous there."""
        if any(part.head not in CONTINUOUS for part in terms.walk(body)):
            raise Refused("an integral of what is not seen to be continuous")
        ends = [self._of(low), self._of(high)]
        if not all(self.is_nonnegative(end - rational(1)) for end in ends):
            raise Refused("an integral whose ends are not seen to be at least 1")
        x = f"#x{_height(body)}"
        self.ranges.setdefault(x, Range(mpq(1)))
        f, found = self._of(opened(body, name(x))), rational(0)
        for powers, c in f.num.items():
            moving = {y: e for y, e in powers if self.depends(y, x)}
            still = Ratio({in_order({y: e for y, e in powers if y not in moving}): c})
            m = Ratio({in_order(moving): mpq(1)})
            first, last = (self._area(m, x, end) if moving else end for end in ends)
            found = found + still * (last - first)
        return found

    def _area(self, m: Ratio, x: str, end: Ratio) -> Ratio:
        """The integral of a monomial from 1 to an end >= 1."""
        if end.is_one:
            return rational(0)
        where = NONNEGATIVE if self.sign(m) == 1 else ANY
        key = Term("Integral", (bound(self.meant(to_term(m)), x), ONE, to_term(end)))
        return self._fresh(Term("Integral", (to_term(m), ONE, to_term(end), name(x))), where, key=key)

    def converges(self, m: Ratio, k: str) -> bool:
        """Whether a monomial is geometric in k, falling, times powers of k, logarithms and harmonic numbers of k."""
        ((powers, _),) = m.num.items()
        falls = False
        for a, e in powers:
            if not self.depends(a, k):
                continue
            meaning = self.meaning.get(a.name)
            if a == name(k) or meaning == Term("log", (name(k),)) or a.name in self.signs:
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


def _height(term: Term) -> int:
    inner = max((_height(part) for part in term.parts), default=0)
    return inner + 1 if term.head in ("Sum", "harmonic", "Product", "factorial", "Integral") else inner
