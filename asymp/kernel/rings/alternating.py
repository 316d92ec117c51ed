r"""Alternating sums of binomials in closed form: differences of rational functions and of powers.

With x no whole number below 1, and p_j the sum of (x + i)^(-j) over 0 <= i <= n,

    sum_(k=0)^n (-1)^k binomial(n, k)/(k + x)^m = B(x, n + 1) h_(m-1),
    m h_m = p_1 h_(m-1) + p_2 h_(m-2) + ... + p_m h_0,    h_0 = 1,

since the sum for m = 1 is n!/(x (x + 1) ... (x + n)) by partial fractions (Graham, Knuth and Patashnik, Concrete Mathematics,
(5.41)), and each derivative in x of it gives the next; the sum from k = 1 on of (-1)^k binomial(n, k)/k^m is -h_m with x = 1 and
n - 1 for n (so for m = 0, too).  Of a polynomial of a degree below n it is 0; of k^m it is (-1)^n n! S(m, n) (ibid., (5.42),
(6.19)).  These are the residues of Norlund and Rice's integral (Flajolet and Sedgewick, Theoretical Computer Science 144, 1995).

>>> def value(text):
...     return str(closed(terms.read(text), lambda term: True))
>>> value("Sum((-1)^k*binomial(n, k)/(2*k + 1), (k, 0, n))")
'1/2*factorial(n)*gamma(1/2)*gamma(n + 3/2)^(-1)'
>>> value("Sum((-1)^(k - 1)*binomial(n, k)/k, (k, 1, n))")
'harmonic(n)'
>>> value("Sum((-1)^k*binomial(n, k)*(n/(n + 1))^k, (k, 0, n))")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: an alternating sum of another form
"""

from __future__ import annotations

from collections.abc import Callable
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.polynomials import Poly, divided, moved, times
from asymp.kernel.rings.recurring import INDEX, K, linear, straight
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.trust import rests_on

MOST_DEGREE = 12
"""Of the numerator, and of all poles together."""
Positive = Callable[[Term], bool]


def closed(term: Term, positive: Positive) -> Term:
    """What such a sum is, n whole.

    Args:
        term: the sum, over 0 or 1 <= k <= n.
        positive: whether a term that is free of k is seen to be above 0.

    Raises:
        Refused: it is another sum.
    """
    sign, value = signed(term, positive)
    return with_sign(sign, value)


def with_sign(e: Term, value: Term) -> Term:
    """(-1)^e times a value."""
    return value if e == ZERO or value == ZERO else multiply(power(number(-1), e), value)


def signed(term: Term, positive: Positive) -> tuple[Term, Term]:
    """e and what (-1)^e is to be multiplied with."""
    body, low, n = term.parts
    if INDEX in term.free or low not in (ZERO, ONE):
        raise Refused("an alternating sum of another form")
    found = _Factors(n)
    found.read(terms.opened(body, K), 1)
    if not found.binomial or found.sign is None:
        raise Refused("an alternating sum of another form")
    if found.symbolic is None:
        return found.sign, multiply(*found.outside, _of_rational(found, n, low, positive))
    sign = add(found.sign, n if found.sign.is_number else negative(n))  # n is whole
    value = _of_power(found, n, positive)
    return sign, value if value == ZERO else multiply(*found.outside, value)


class _Factors:
    """The factors of a summand: ``over`` is a polynomial, ``poles`` are x -> m of (k + x)^(-m), ``sign`` the e of
    (-1)^(e + k), ``symbolic`` that of k^e."""

    def __init__(self, n: Term) -> None:
        self.n = n
        self.outside: list[Term] = []
        self.over: Poly = [mpq(1)]
        self.poles: dict[mpq, int] = {}
        self.symbolic: Term | None = None
        self.sign: Term | None = None
        self.binomial = False

    def read(self, term: Term, sign: int) -> None:
        """term^sign."""
        if INDEX not in term.free:
            self.outside.append(term if sign == 1 else reciprocal(term))
        elif term.head == "product":
            for part in term.parts:
                self.read(part, sign)
        elif term.head == "binomial" and sign == 1 and term.parts == (self.n, K) and not self.binomial:
            self.binomial = True
        elif term.head == "power" and term.parts[0] == number(-1) and self.sign is None:
            way, rest = straight(term.parts[1])
            if way not in (ONE, number(-1)):
                raise Refused("a sign of another form")
            self.sign = rest
        elif (
            term.head == "power"
            and term.parts[0] == K
            and not term.parts[1].is_number
            and INDEX not in term.parts[1].free
        ):
            if sign != 1 or self.symbolic is not None:
                raise Refused("an alternating sum of another form")
            self.symbolic = term.parts[1]
        elif term.head == "power" and term.parts[1].is_number and (e := term.parts[1].number).denominator == 1:
            for _ in range(min(abs(int(e)), MOST_DEGREE + 1)):
                self.read(term.parts[0], sign if e > 0 else -sign)
        elif term == K or term.head == "sum":
            self._linear(term, sign)
        else:
            raise Refused("an alternating sum of another form")

    def _linear(self, term: Term, sign: int) -> None:
        c, d = linear(term)
        if sign == 1:
            self.over = times(self.over, [d, c])
        elif c:
            self.outside.append(number(1 / c))
            self.poles[d / c] = self.poles.get(d / c, 0) + 1
        if max(len(self.over), sum(self.poles.values())) > MOST_DEGREE:
            raise Refused("a polynomial of high degree")


def _of_power(found: _Factors, n: Term, positive: Positive) -> Term:
    """Of k^m, where m may move."""
    m = found.symbolic
    assert m is not None
    if found.poles or len(found.over) > 1 or not positive(m):
        raise Refused("a power of the index with other factors, or 0^0")
    rests_on("DLMF 26.8.6")
    front = multiply(number(found.over[0]), call("factorial", n))
    if m == n:
        return front
    if positive(add(n, negative(m))):
        return ZERO
    return multiply(front, call("stirling2", m, n))


def _of_rational(found: _Factors, n: Term, low: Term, positive: Positive) -> Term:
    """Of a rational function whose poles are rational."""
    if any(x.denominator == 1 and (x < 0 or (x == 0 and low == ZERO)) for x in found.poles):
        raise Refused("a summand with a pole at a whole number, perhaps")
    whole, parts = _fractions(found.over, found.poles)
    rests_on("DLMF 5.12.1")
    degree = max((j for j, c in enumerate(whole) if c), default=-1)
    if degree >= 0 and not positive(add(n, number(-degree))):
        raise Refused("a polynomial whose degree may not be below n")
    total: list[Term] = []
    first = whole[0] if whole else mpq(0)  # what is left out, at k = 0
    for (x, m), c in parts.items():
        if x == 0:
            total.append(multiply(number(-c), _complete(ONE, add(n, number(-1)), m)))
            continue
        gammas = multiply(
            call("gamma", number(x)), call("factorial", n), reciprocal(call("gamma", add(n, number(x + 1))))
        )
        total.append(multiply(number(c), gammas, _complete(number(x), n, m - 1)))
        first += c / x**m
    if low == ONE:
        total.append(number(-first))
    return add(*total) if total else ZERO


def _fractions(over: Poly, poles: dict[mpq, int]) -> tuple[Poly, dict[tuple[mpq, int], mpq]]:
    """A polynomial, and c for (x, m), whose sum with c/(k + x)^m is over/prod (k + x)^m."""
    parts: dict[tuple[mpq, int], mpq] = {}
    for x, order in poles.items():
        top = moved(over, -x)[:order]  # around k = -x
        for y, m in poles.items():
            for _ in range(m if y != x else 0):  # over (y - x + t)
                row = list[mpq]()
                for j in range(order):
                    row.append(((top[j] if j < len(top) else mpq(0)) - (row[-1] if row else mpq(0))) / (y - x))
                top = row
        for j, c in enumerate(top):
            if c:
                parts[x, order - j] = c
    below = [mpq(1)]
    for x, m in poles.items():
        for _ in range(m):
            below = times(below, [x, mpq(1)])
    return divided(over, below)[0], parts


def _complete(x: Term, n: Term, m: int) -> Term:
    """h_m of 1/x, 1/(x + 1), ..., 1/(x + n)."""
    found = [ONE]
    for k in range(1, m + 1):
        parts = [multiply(_power_sum(x, n, j), found[k - j]) for j in range(1, k + 1)]
        found.append(multiply(number(mpq(1, k)), add(*parts)))
    return found[m]


def _power_sum(x: Term, n: Term, j: int) -> Term:
    """The sum of (x + i)^(-j) over 0 <= i <= n."""
    if j == 1:
        rests_on("DLMF 5.4.14")
        upto = [call("harmonic", one) for one in (add(x, n), add(x, number(-1)))]
        return add(upto[0], negative(upto[1])) if x != ONE else upto[0]
    rests_on("DLMF 25.11.12")
    ends = [call("polygamma", number(j - 1), one) for one in (x, add(x, n, ONE))]
    return multiply(number(mpq((-1) ** j, factorial(j - 1))), add(ends[0], negative(ends[1])))
