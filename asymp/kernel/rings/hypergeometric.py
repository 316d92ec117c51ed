"""Values of infinite sums whose terms have a rational ratio with rational zeros and poles (see recurring).

From some k = K on the sum is f(K) sum_(j>=0) x^j prod (a)_j/prod (b)_j with rational a, b > 0.  An upper a and a lower b that
differ by a whole number d make a polynomial or what is 1 over one: (b + d)_j/(b)_j = (b + j)_d/(b)_d.  What is left over is

* nothing, or an upper a and a lower m + 1: with P(j) in falling factorials of J = j + m, by Newton's series (DLMF 4.6.7)

      sum_J J (J - 1) ... (J - i + 1) (a)_J/J! x^J = (a)_i x^i (1 - x)^(-a-i),    |x| < 1;

  by Abel's theorem also at x = 1 where a + i < 0 for all i of P (it is 0: the terms are of the order of J^(a+i-1)), and at
  x = -1 where a + i < 1 (they alternate and fall to 0);
* a lower m + 1: so by sum_J J (J - 1) ... (J - i + 1) x^J/J! = x^i e^x (DLMF 4.2.19);
* lower ones 1/2 and 1, or 3/2 and 1: with no polynomial cosh(2 x^(1/2)) and sinh(2 x^(1/2))/(2 x^(1/2)), cos and sin of
  2 |x|^(1/2) for x < 0 (DLMF 4.19.1, 4.19.2, 4.33.1, 4.33.2);
* nothing, with a polynomial below: by partial fractions, with distinct roots, of sum x^j/(j + b) for whole b and for b - 1/2
  whole, for |x| < 1 and x = -1 (Abel) by DLMF 4.6.1, 4.24.3, 4.38.5 (log, arctan, artanh); for x = 1, where the sum of the
  c_i/(j + b_i) is O(1/j^2), it is -sum c_i psi(b_i) (DLMF 5.7.6), where b_i that differ by whole numbers add up.

>>> from asymp.kernel.facts.context import Context
>>> def value(text):
...     return str(to_term(total_of(terms.read(text), Context())))
>>> value("Sum(catalan(k)/8^k, (k, 0, oo))"), value("Sum(k/2^k, (k, 0, oo))"), value("Sum((-1)^k/(2*k + 1), (k, 0, oo))")
('4 - 2*2^(1/2)', '2', '1/4*pi')
>>> value("Sum(1/(k*(k + 2)), (k, 1, oo))"), value("Sum((k + 1)/k!, (k, 1, oo))"), value("Sum((-1)^k/k, (k, 1, oo))")
('3/4', '-1 + 2*E', '-log(2)')
>>> value("Sum(2^k/k, (k, 1, oo))")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a sum that is not seen to converge
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.moments import polynomial_in
from asymp.kernel.rings.polynomials import Poly, divided, falling, rising, times, value_at
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.rings.recurring import INDEX, Facts, K, Step, counted, facts_of, linear, step_of, straight
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_PEELED = 40
"""Terms that are added by themselves before the ratio is as it is to be, or a series begins."""
MOST_DEGREE = 30
HALF, ONE = mpq(1, 2), mpq(1)


def total_of(term: Term, at: Facts) -> Ratio:
    """The sum of f(k) over k >= low, for a whole number low.

    Raises:
        Refused: it has another form, or is not seen to converge.
    """
    body, low, high = term.parts
    if high != terms.name("oo") or not low.is_number or low.number.denominator != 1 or K.name in term.free:
        raise Refused("no infinite sum from a number on")
    f = terms.opened(body, K)
    if any(one.head == "binomial" and len(one.free - {INDEX}) for one in (f.parts if f.head == "product" else (f,))):
        return _of_powers(f, low.number, at)
    return _total(f, low.number, at)


def _of_powers(f: Term, low: mpq, at: Facts) -> Ratio:
    """sum_(k>=0) binomial(a, k) x^k = (1 + x)^a for |x| < 1, with parameters in a, less the terms before ``low``.

    Of binomial(k + m, k), which is (-1)^k binomial(-m - 1, k), m > -1.
    """
    front, a, x = rational(1), None, rational(1)
    for part in f.parts if f.head == "product" else (f,):
        if INDEX not in part.free:
            front = front * at.value(part)
        elif part.head == "binomial" and a is None:
            n, k = part.parts
            slope, m = straight(n)
            if k == K and slope == terms.ZERO:
                a = at.value(n)
            elif slope == terms.ONE and (k == K or (INDEX not in k.free and at.value(k) == at.value(m))):
                a, x = -at.value(m) - rational(1), -x
                if at.of(a) != {-1}:
                    raise Refused("a binomial that may have no value")
        elif part.head == "power" and INDEX not in part.parts[0].free:
            base, (c, d) = at.value(part.parts[0]), linear(part.parts[1])
            if not c.denominator == d.denominator == 1 or c < 1 or d < 0:
                raise Refused("powers that are not counted by the index")
            front, x = front * base.power(int(d)), x * base.power(int(c))
        else:
            raise Refused("other factors beside a binomial with parameters")
    if a is None or not 0 <= low <= MOST_PEELED or not _Series(x, [ONE], at).is_inside(with_end=False):
        raise Refused("a sum of binomials with parameters that is not seen to converge, or from another number on")
    rests_on("DLMF 4.6.7")
    total, term = at.value(power(to_term(rational(1) + x), to_term(a))), rational(1)
    for j in range(int(low)):
        total, term = total - term, term * x * (a - rational(j)) * rational(mpq(1, j + 1))
    return front * total


def _total(f: Term, low: mpq, at: Facts) -> Ratio:
    found = rational(0)
    if (parts := _by_powers(f)) is not None:
        for c, g in parts:
            found = found + at.value(c) * _total(g, low, at)
        return found
    step = step_of(f, at)
    start = max(low, step.least)
    if start - low > MOST_PEELED:
        raise Refused("a ratio that holds late")
    for k in range(int(low), int(start)):
        found = found + at.value(counted(terms.substitute(f, {K.name: number(k)})))
    first = at.value(counted(terms.substitute(f, {K.name: number(start)})))
    total = found + first * _from_zero(step, start, at)
    rests_on(*facts_of(f))
    return total


def _by_powers(f: Term) -> list[tuple[Term, Term]] | None:
    """c and k^i g for each power, where f is g times polynomials in k whose coefficients are no numbers; None: it is not."""
    factors = f.parts if f.head == "product" else ()
    polynomial = [
        one for one in factors if (one.parts[0] if one.head == "power" else one).head == "sum" and len(one.free) > 1
    ]
    if not polynomial:
        return None
    try:
        rows = polynomial_in(multiply(*polynomial), K)
    except Refused:
        return None
    if max(rows) == 0:
        return None
    rest = [one for one in factors if one not in polynomial]
    return [(c, multiply(power(K, number(i)) if i else terms.ONE, *rest)) for i, c in rows.items()]


def _from_zero(step: Step, start: mpq, at: Facts) -> Ratio:
    """sum_(j>=0) of what is 1 at j = 0 and has the ratio of the step at j + start."""
    upper: list[mpq] = []
    lower: list[mpq] = []
    for a, e in step.shifts.items():
        (upper if e > 0 else lower).extend([a + start] * abs(e))
    over, under, upper, lower = _paired(upper, lower)
    own = _Series(step.factor, over, at)
    if not under:
        if not upper and not lower:
            return own.newton(ONE, ONE)
        if len(upper) == len(lower) == 1:
            return own.newton(upper[0], lower[0])
        if not upper and len(lower) == 1:
            return own.exponential(lower[0])
        if not upper and sorted(lower) in ([HALF, ONE], [ONE, 3 * HALF]) and over == [ONE]:
            return own.hyperbolic(odd=3 * HALF in lower)
    elif not upper and not lower:
        return own.fractions(under)
    raise Refused("a sum of which no value is known")


def _paired(upper: list[mpq], lower: list[mpq]) -> tuple[Poly, list[mpq], list[mpq], list[mpq]]:
    """P and the b_i with prod (a)_j/prod (b)_j = P(j)/prod (j + b_i), and what is left over, of which 1 below is kept last."""
    over, under = [ONE], list[mpq]()
    left: list[mpq] = []
    lower = sorted(lower, key=lambda b: (b == 1, b))
    for a in sorted(upper):
        b = next((b for b in lower if (a - b).denominator == 1 and b <= a), None)
        if b is None:
            left.append(a)
            continue
        lower.remove(b)
        for j in range(int(a - b)):  # (b + j)_d/(b)_d
            over = times(over, [ONE, 1 / (b + j)])
    upper, left = left, []
    for a in upper:  # (a)_j/(a + d)_j = (a)_d/(a + j)_d
        b = next((b for b in lower if (a - b).denominator == 1), None)
        if b is None:
            left.append(a)
            continue
        lower.remove(b)
        for j in range(int(b - a)):
            over, under = times(over, [a + j]), [*under, a + j]
    if len(over) > MOST_DEGREE or len(under) > MOST_DEGREE:
        raise Refused("a polynomial of high degree")
    return over, under, left, lower


@dataclass
class _Series:
    """Sums of P(j) x^j times what is known."""

    x: Ratio
    over: Poly
    at: Facts

    def newton(self, a: mpq, b: mpq) -> Ratio:
        """With (a)_j/(b)_j, where b = m + 1."""
        m, at, x = b - 1, self.at, self.x
        c = a - m
        if m.denominator != 1 or not 0 <= m <= MOST_PEELED or (c.denominator == 1 and c <= 0):
            raise Refused("a sum of which no value is known")
        falling_ = falling(self.over, m)
        highest = max(i for i, p in enumerate(falling_) if p)
        side = x.constant()
        if not self.is_inside(c + highest < 1) and not (side == 1 and c + highest < 0):
            raise Refused("a sum that is not seen to converge")
        if a != b:  # else it is the geometric series, and its derivatives
            rests_on("DLMF 4.6.7")
        rest, total = rational(1) - x, rational(0)
        for i, p in enumerate(falling_):
            if p and side != 1:
                up = at.value(power(to_term(rest), number(-c - i)))
                total = total + rational(p * rising(c, i)) * x.power(i) * up
        total = self._less_first(total, m, lambda j: rising(c, j) / factorial(j))
        return total * rational(factorial(int(m)) / rising(c, int(m)))

    def exponential(self, b: mpq) -> Ratio:
        """With 1/(b)_j, where b = m + 1."""
        m = b - 1
        if m.denominator != 1 or not 0 <= m <= MOST_PEELED:
            raise Refused("a sum of which no value is known")
        rests_on("DLMF 4.2.19")
        total = rational(0)
        for i, p in enumerate(falling(self.over, m)):
            total = total + rational(p) * self.x.power(i)
        total = total * self.at.value(call("exp", to_term(self.x)))
        return self._less_first(total, m, lambda j: mpq(1, factorial(j))) * rational(factorial(int(m)))

    def _less_first(self, total: Ratio, m: mpq, coefficient: Callable[[int], mpq]) -> Ratio:
        """x^(-m) times a sum over J >= 0 less its terms before m: those of P(J - m) x^J times a coefficient."""
        for j in range(int(m)):
            total = total - rational(value_at(self.over, j - m) * coefficient(j)) * self.x.power(j)
        return total * self.x.power(-int(m)) if m else total

    def hyperbolic(self, odd: bool) -> Ratio:
        """With 1/((1/2)_j j!), or 1/((3/2)_j j!)."""
        signs = self.at.of(self.x)
        if signs not in ({1}, {-1}):
            raise Refused("a sum whose sign of x is not seen")
        above = signs == {1}
        rests_on(*(("DLMF 4.33.1", "DLMF 4.33.2") if above else ("DLMF 4.19.1", "DLMF 4.19.2")))
        y = multiply(number(2), power(to_term(self.x if above else -self.x), number(HALF)))
        if not odd:
            return self.at.value(call("cosh" if above else "cos", y))
        return self.at.value(multiply(call("sinh" if above else "sin", y), terms.reciprocal(y)))

    def fractions(self, under: list[mpq]) -> Ratio:
        """With 1/prod (j + b_i)."""
        if max(Counter(under).values()) > 1:
            raise Refused("a sum of which no value is known")
        whole, rest = self.over, [ONE]
        for b in under:
            rest = times(rest, [b, ONE])
        whole, left = divided(self.over, rest)
        residues = {}
        for b in under:
            below = ONE
            for other in under:
                below *= other - b if other != b else 1
            residues[b] = value_at(left, -b) / below
        found, side = rational(0), self.x.constant()
        if side == 1:
            if any(whole) or sum(residues.values(), mpq(0)):
                raise Refused("a sum that is not seen to converge")
            return self._digammas(residues)
        if not self.is_inside(not any(whole)):
            raise Refused("a sum that is not seen to converge")
        for b, c in residues.items():
            found = found + rational(c) * self._over_linear(b)
        return found + _Series(self.x, whole, self.at).newton(ONE, ONE) if any(whole) else found

    def _digammas(self, residues: dict[mpq, mpq]) -> Ratio:
        """-sum c psi(b) where the c add up to 0: psi(b + 1) = psi(b) + 1/b, psi(1) + gamma = 0, psi(1/2) + gamma = -2 log 2."""
        found = rational(0)
        for part in {b % 1 for b in residues}:
            own = {b: c for b, c in residues.items() if b % 1 == part}
            total, least = sum(own.values(), mpq(0)), part or ONE
            if (total and part not in (0, HALF)) or max(own) > MOST_PEELED:
                raise Refused("a sum of which no value is known")
            for b, c in own.items():
                found = found - rational(c * sum((1 / (least + j) for j in range(int(b - least))), mpq(0)))
            if part == HALF:
                found = found + rational(2 * total) * self.at.value(terms.read("log(2)"))
            if total:  # else it telescopes
                rests_on("DLMF 5.7.6")
        return found

    def _over_linear(self, b: mpq) -> Ratio:
        """sum_(j>=0) x^j/(j + b), for b > 0."""
        x, at = self.x, self.at
        k = int(b) if b.denominator == 1 else int(b - HALF)
        if b.denominator not in (1, 2) or k > MOST_PEELED or 0 in at.of(x):
            raise Refused("a sum of which no value is known")
        if b.denominator == 1:  # x^(-b) (-log(1 - x) - sum_(0<i<b) x^i/i)
            rests_on("DLMF 4.6.1")
            total = -at.value(call("log", to_term(rational(1) - x)))
            for i in range(1, k):
                total = total - rational(mpq(1, i)) * x.power(i)
            return total * x.power(-k)
        signs = at.of(x)  # sum_i x^i/(i + 1/2) = 2 artanh(x^(1/2))/x^(1/2)
        if signs == {1}:
            rests_on("DLMF 4.38.5")
            root = power(to_term(x), number(HALF))
            over = multiply(add(terms.ONE, root), terms.reciprocal(add(terms.ONE, negative(root))))
            total = at.value(multiply(call("log", over), terms.reciprocal(root)))
        elif signs == {-1}:
            rests_on("DLMF 4.24.3")
            root = power(to_term(-x), number(HALF))
            total = at.value(multiply(number(2), call("atan", root), terms.reciprocal(root)))
        else:
            raise Refused("a sum whose sign of x is not seen")
        for i in range(k):
            total = total - rational(1 / (i + HALF)) * x.power(i)
        return total * x.power(-k)

    def is_inside(self, with_end: bool) -> bool:
        """Whether |x| < 1, or x = -1 where that end belongs to it: the terms alternate there, and fall to 0 in the end."""
        return self.at.of(rational(1) - self.x) == {1} and self.at.of(rational(1) + self.x) <= ({0, 1} if with_end else {1})
