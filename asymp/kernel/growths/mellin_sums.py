r"""Sums over whole k >= l of k^a F(x k^p) for x -> 0+, p > 0: of exponentials, of Lambert's kind, alternating or not.

F is e^(-y), or with u = e^(-y), one of u^i/(1 - d u)^r and log(1 - d u), d = 1 or -1, r = 1 or 2, i >= 1: so F(y) is a finite sum
of multiples of e^(-j y) and of the sums of d^j j^b e^(-j y) over j >= 1.  A factor e^k, e = 1 or -1, may stand before it.

**Theorem** (Flajolet, Gourdon and Dumas 1995, Mellin transforms and asymptotics: harmonic sums, theorem 5).  With
Z_e(s) = sum e^k k^(-s), which is zeta(s) for e = 1 and (2^(1-s) - 1) zeta(s) for e = -1, for each M

.. math:: \sum_{k \ge 1} e^k k^a \sum_{j \ge 1} d^j j^b e^{-j k^p x}
          = \sum_{\Re s > -M} \operatorname{Res}\ \Gamma(s)\, Z_e(p s - a)\, Z_d(s - b)\, x^{-s} + O(x^M), \quad x \to 0+,

where the product has at most a simple pole at -M; without the second factor for the sum of e^k k^a e^(-k^p x).

*Proof.*  The sum is the integral of the product over Re s = c for a large c (that of e^(-y) is Gamma(s), and all converges
absolutely).  Gamma falls like e^(-pi |Im s|/2) up to a power on each strip, and Z_e and Z_d grow like powers there: the line may
be moved beyond -M, past what residues there are; the one at -M is O(x^M).  ∎

Gamma(-m + w) is Gamma(1 + w)/(w (w - 1) ... (w - m)), log Gamma(1 + w) = -EulerGamma w + pi^2 w^2/12 + O(w^3); zeta(1 + w) is
1/w + EulerGamma - gamma_1 w + O(w^2) (DLMF 25.2.4); zeta(0) = -1/2, zeta'(0) = -log(2 pi)/2 (DLMF 25.6.1, 25.6.11);
zeta(-m) = -B_(m+1)/(m+1) (25.6.3).

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_mellin(e, terms.read("Sum(1/(exp(k/n) + 1), (k, 1, oo))"))
>>> [str(to_term(c)) for c, _ in found.terms[:2]]
['log(2)', '-1/4']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.geometric_sums import from_number, in_range
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Algebra, Expands, Series
from asymp.kernel.growths.summands import OO, I
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import straight
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power
from asymp.kernel.trust import rests_on

MOST_BEFORE = 12
"""The largest number at which a sum begins, and the largest i."""
VANISHING = 2
"""How many times as many poles of Gamma as terms are asked for are looked at: the residues at most may be 0."""
GAMMA = terms.name("EulerGamma")
LOG_TWO = call("log", number(2))
Laurent = tuple[int, list[Ratio]]
"""The exponent of w that comes first, and coefficients from there on."""


@dataclass(frozen=True)
class Part:
    """coefficient * sign^k * k^degree * e^(-x k^power), or in its place sum_j other^j j^weight e^(-j x k^power)."""

    coefficient: Term
    sign: int
    degree: mpq
    power: mpq
    x: Term
    other: int = 0
    weight: int = 0


def series_of_mellin(e: Expands, term: Term) -> Series:
    """The series of a sum.

    Raises:
        Refused: it is another sum, or x is not seen to tend to 0 from above.
    """
    a = e.algebra
    if type(a) is not Algebra:
        raise Refused("an explicit remainder of such a sum")
    in_range(term, a, e.series, e.whole)
    body, low, high = term.parts
    if high != OO or not low.is_number or not 0 <= low.number <= MOST_BEFORE:
        raise Refused("a sum with a last term, or that begins late")
    body = terms.opened(body, I)
    found = a.total(a.times(e.series(part.coefficient), _one(e, part)) for part in parts_of(e, body))
    found = from_number(found, body, low, a, e.series)
    rests_on("Flajolet, Gourdon and Dumas 1995, theorem 5", "DLMF 25.2.4")
    return found


# --- what is summed ---------------------------------------------------------------------------------


def parts_of(e: Expands, body: Term) -> Iterator[Part]:
    """The parts of a summand in the index.

    Raises:
        Refused: it has others.
    """
    for one in body.parts if body.head == "sum" else (body,):
        yield from _of_product(e, list(_factors(one, 1)))


def _factors(term: Term, e: int) -> Iterator[tuple[Term, mpq]]:
    """Factors and whole exponents, the index positive: products are taken apart."""
    if term.head == "product":
        for part in term.parts:
            yield from _factors(part, e)
    elif term.head == "power" and term.parts[1].is_number and term.parts[0].head in ("product", "power", "sum", "exp"):
        n, base = term.parts[1].number, term.parts[0]
        if n.denominator == 1:
            yield from _factors(base, e * int(n))
        else:
            yield term, mpq(e)
    else:
        yield term, mpq(e)


def _of_product(e: Expands, factors: list[tuple[Term, mpq]]) -> list[Part]:
    outside, sign, degree = terms.ONE, 1, mpq(0)
    slopes: list[Term] = []  # of exponentials: multiples of k^p
    fractions: list[tuple[Term, mpq]] = []
    logs: list[Term] = []
    p: mpq | None = None
    for base, n in factors:
        if I.name not in base.free:
            outside = multiply(outside, power(base, number(n)))
        elif (monomial := _monomial(base)) is not None and monomial[0] == terms.ONE:
            degree += n * monomial[1]
        elif base.head == "power" and base.parts[0].is_number and base.parts[0].number == -1:
            sign, outside = _signed(base.parts[1], sign, outside)
        elif base.head in ("exp", "power"):
            slope, q = _exponential(e, base)
            if p not in (None, q):
                raise Refused("exponentials of several powers of an index")
            p = q
            slopes.append(multiply(number(n), slope))
        elif base.head == "sum" and n in (-1, -2):
            fractions.append((base, n))
        elif base.head == "log" and n == 1:
            logs.append(base.parts[0])
        else:
            raise Refused("a summand of another form than k^a F(x k^p)")
    if len(fractions) + len(logs) > 1:
        raise Refused("several denominators or logarithms of an index")
    if not fractions and not logs:
        if p is None:
            raise Refused("a summand without an exponential")
        return [Part(outside, sign, degree, p, negative(add(*slopes)))]
    d, front, unit, q = _binomial(e, fractions[0][0] if fractions else logs[0])
    if p not in (None, q):
        raise Refused("exponentials of several powers of an index")
    if logs:
        if slopes or front != (1, 0):
            raise Refused("a logarithm beside an exponential")
        return [Part(negative(outside), sign, degree, q, unit, d, -1)]
    r = -int(fractions[0][1])
    outside = multiply(outside, number(mpq(front[0]) ** -r))
    i = -sum(_multiple(one, unit) for one in slopes) - r * front[1]
    if not 1 <= i <= MOST_BEFORE:
        raise Refused("a summand that does not fall")
    whole = Part(multiply(outside, number(d**i)), sign, degree, q, unit, d)
    found = [whole] if r == 1 else [replace(whole, weight=1)]
    if r == 2 and i > 1:
        found.append(replace(whole, coefficient=multiply(number(1 - i), whole.coefficient)))
    for j in range(1, i):
        c = number(-(d**j) * (1 if r == 1 else j - i + 1))
        found.append(replace(whole, coefficient=multiply(c, whole.coefficient), x=multiply(number(j), unit), other=0))
    return found


def _signed(exponent: Term, sign: int, outside: Term) -> tuple[int, Term]:
    """(-1)^(c k + m)."""
    step, start = straight(exponent)
    if not start.is_number or not step.is_number or {start.number.denominator, step.number.denominator} != {1}:
        raise Refused("a power of -1 that is not whole")
    return sign * (-1) ** (int(step.number) % 2), multiply(outside, number((-1) ** (int(start.number) % 2)))


def _monomial(term: Term) -> tuple[Term, mpq] | None:
    """c and p of c k^p; None: it is none."""
    outside, p = terms.ONE, mpq(0)
    for base, n in _pieces(term, mpq(1)):
        if base == I:
            p += n
        elif I.name in base.free:
            return None
        else:
            outside = multiply(outside, power(base, number(n)) if n != 1 else base)
    return outside, p


def _pieces(term: Term, e: mpq) -> Iterator[tuple[Term, mpq]]:
    """Factors and exponents, where a power of a product is one of powers: of whole exponents, or of the index alone."""
    if term.head == "product" and e.denominator == 1:
        for part in term.parts:
            yield from _pieces(part, e)
    elif (
        term.head == "power"
        and term.parts[1].is_number
        and (term.parts[0] == I or term.parts[1].number.denominator == 1)
    ):
        yield from _pieces(term.parts[0], e * term.parts[1].number)
    else:
        yield term, e


def _exponential(e: Expands, base: Term) -> tuple[Term, mpq]:
    """c and p, where a factor is exp(c k^p)."""
    exponent = base.parts[0] if base.head == "exp" else base.parts[1]
    if base.head == "power":
        if I.name in base.parts[0].free or not e.sees_positive(base.parts[0]):
            raise Refused("a power of what may not be positive")
    found = _monomial(exponent)
    if found is None or found[1] <= 0:
        raise Refused("an exponent that is no multiple of a power of an index")
    c, p = found
    return (c if base.head == "exp" else multiply(c, call("log", base.parts[0]))), p


def _binomial(e: Expands, term: Term) -> tuple[int, tuple[int, int], Term, mpq]:
    """d, (c, h), x and p, where a term is c u^h (1 - d u) for u = exp(-x k^p), c = 1 or -1, h = 0 or -1."""
    parts = term.parts if term.head == "sum" else ()
    still = [one for one in parts if I.name not in one.free]
    moving = [one for one in parts if I.name in one.free]
    if len(moving) != 1 or len(still) != 1 or not still[0].is_number or abs(still[0].number) != 1:
        raise Refused("a denominator or logarithm of another form than 1 - u or 1 + u")
    factors = list(_factors(moving[0], 1))
    c, slopes, p = 1, list[Term](), mpq(0)
    for base, n in factors:
        if base.is_number and abs(base.number) == 1:
            c *= int(base.number)
        elif base.head in ("exp", "power") and not slopes:
            slope, p = _exponential(e, base)
            slopes.append(multiply(number(n), slope))
        else:
            raise Refused("a denominator or logarithm of another form than 1 - u or 1 + u")
    if not slopes:
        raise Refused("a denominator or logarithm without an exponential")
    b = int(still[0].number)
    if _tends_to_zero(e, negative(slopes[0])):  # b + c u = b (1 + b c u)
        return -b * c, (b, 0), negative(slopes[0]), p
    return -b * c, (c, -1), slopes[0], p  # b + c/u = c/u (1 + b c u)


def _multiple(one: Term, unit: Term) -> int:
    """The whole number of units."""
    (c, f), (d, g) = _collected(one), _collected(unit)
    if f != g or (c / d).denominator != 1:
        raise Refused("exponentials that are no powers of one")
    return int(c / d)


def _collected(term: Term) -> tuple[mpq, dict[Term, mpq]]:
    c, found = mpq(1), dict[Term, mpq]()
    for base, n in _pieces(term, mpq(1)):
        if base.is_number and n.denominator == 1:
            c *= base.number ** int(n)
        else:
            found[base] = found.get(base, mpq(0)) + n
    return c, {base: n for base, n in found.items() if n}


def _tends_to_zero(e: Expands, x: Term) -> bool:
    """Whether x tends to 0 from above."""
    f = e.series(x)
    return (
        bool(f.terms)
        and e.algebra.below(f)[0] == 1
        and all(g.limit(e.algebra.domain) == "zero" for g in (*(g for _, g in f.terms), *f.rest))
    )


# --- residues ---------------------------------------------------------------------------------------


def _one(e: Expands, part: Part) -> Series:
    a, x = e.algebra, part.x
    if not _tends_to_zero(e, x):
        raise Refused("x is not seen to tend to 0 from above")
    poles = {mpq(1 + part.degree) / part.power} if part.sign == 1 else set[mpq]()
    poles |= {mpq(1 + part.weight)} if part.other == 1 else set[mpq]()
    found, kept, m = Series(()), 0, mpq(0)
    between = sorted({s for s in poles if s > 0}, reverse=True)
    while True:  # all poles to the right of -m are in
        for s in between:
            if one := residue(e, part, s):
                found, kept = a.add(found, _sum(e, one)), kept + 1
        own = residue(e, part, -m)
        if -m not in poles and (m >= VANISHING * a.order or (own and kept >= a.order)):  # it is simple
            break
        found, kept = a.add(found, _sum(e, own)), kept + bool(own)
        between = sorted((s for s in poles if -m - 1 < s < -m), reverse=True)
        m += 1
    return a.add(found, Series((), tuple(loose(e.series(power(x, number(m)))))))


def _sum(e: Expands, parts: list[tuple[Ratio, Term]]) -> Series:
    return e.algebra.total(e.algebra.scaled(e.series(t), c) for c, t in parts)


def residue(e: Expands, part: Part, s: mpq) -> list[tuple[Ratio, Term]]:
    """That of the product at s, as coefficients of powers of x with powers of log(1/x)."""
    factors = [_gamma(e, s), _zeta(e, part.power * s - part.degree, part.power, part.sign)]
    if part.other:
        factors.append(_zeta(e, s - part.weight, mpq(1), part.other))
    order = -sum(v for v, _ in factors)
    if order < 1:
        return []
    product = [rational(1)]
    for _, f in factors:
        if len(f) < order:
            raise Refused("a pole of a higher order")
        product = (
            [
                reduce(lambda p, q: p + q, (product[i] * f[j - i] for i in range(len(product)) if 0 <= j - i))
                for j in range(min(order, len(f)))
            ]
            if len(product) > 1
            else [product[0] * f[j] for j in range(order)]
        )
    found = []
    for j in range(order):  # of w^(-1-j), with (-log x)^j/j!
        c = product[order - 1 - j] * rational(mpq(1, factorial(j)))
        if not c.is_zero:
            log = power(call("log", power(part.x, number(-1))), number(j)) if j else terms.ONE
            found.append((c, multiply(power(part.x, number(-s)) if s else terms.ONE, log)))
    return found


def _gamma(e: Expands, s: mpq) -> Laurent:
    """Gamma(s + w)."""
    value = e.algebra.domain.value
    if s.denominator != 1:
        return 0, [value(call("gamma", number(s)))]
    g = value(GAMMA)
    square = value(terms.read("pi^2/12"))
    found = [rational(1), rational(-1) * g, g * g * rational(mpq(1, 2)) + square]
    pole = s <= 0
    for i in range(1, int(s) if not pole else int(-s) + 1):
        if pole:  # over w - i
            c = [rational(-mpq(1, i ** (k + 1))) for k in range(3)]
        else:
            c = [rational(i), rational(1), rational(0)]
        found = [reduce(lambda p, q: p + q, (found[k] * c[j - k] for k in range(j + 1))) for j in range(3)]
    return (-1 if pole else 0), found


def _zeta(e: Expands, s: mpq, step: mpq, sign: int) -> Laurent:
    """Z_e(s + step w)."""
    value, h = e.algebra.domain.value, rational(step)
    if s == 1:
        found = [rational(1 / step), value(GAMMA), rational(-1) * value(call("stieltjes", number(1))) * h]
    elif s == 0:
        found = [rational(-mpq(1, 2)), value(terms.read("-log(2*pi)/2")) * h]
    else:
        found = [_of_zeta(e, s), _slope_of_zeta(e, s) * h]
    if sign == 1:
        return (-1 if s == 1 else 0), found
    log = rational(-1) * value(LOG_TWO) * h
    two = value(power(number(2), number(1 - s)))
    c = [
        two - rational(1),
        two * log,
        two * log * log * rational(mpq(1, 2)),
        two * log * log * log * rational(mpq(1, 6)),
    ]
    if s == 1:  # the factor vanishes there: no pole is left
        c = c[1:]
    return 0, [
        reduce(lambda p, q: p + q, (found[k] * c[j - k] for k in range(j + 1))) for j in range(min(len(found), len(c)))
    ]


def _of_zeta(e: Expands, s: mpq) -> Ratio:
    if s < 0 and s.denominator == 1:
        return rational(bernoulli(1 - int(s)) / (s - 1))
    return e.algebra.domain.value(call("zeta", number(s)))


def _slope_of_zeta(e: Expands, s: mpq) -> Ratio:
    if s < 0 and s.denominator == 1 and s % 2 == 0:  # by the functional equation, DLMF 25.4.1
        half, value = int(-s) // 2, e.algebra.domain.value
        front = rational(mpq((-1) ** half * factorial(2 * half), 2 ** (2 * half + 1)))
        return front * value(multiply(call("zeta", number(2 * half + 1)), power(terms.name("pi"), number(-2 * half))))
    return e.algebra.domain.value(call("ZetaDerivative", number(1), number(s)))
