"""Functions of rational functions in *atoms*, which are parameters, constants and functions of them, in one normal form.

They hold on a domain of which ``at`` tells values and signs: see :class:`asymp.kernel.facts.context.Context`.

>>> x = atom(terms.name("x"))
>>> str(to_term(exponential(x + rational(2)))), to_term((x + rational(1)).inverse()) == terms.read("1/(1 + x)")
('exp(x)*exp(2)', True)
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from math import gcd, lcm
from typing import Protocol

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.beta_integrals import closed
from asymp.kernel.rings.defined import Range as Range
from asymp.kernel.rings.factors import factored, reduced
from asymp.kernel.rings.gamma import FURTHEST
from asymp.kernel.rings.hypergeometric import total_of
from asymp.kernel.rings.moments import exponential_series, integral, powers_of, shifted, shorter
from asymp.kernel.rings.ratio import (
    ONE_POLY,
    Powers,
    Ratio,
    atom,
    divided,
    in_order,
    joined,
    leading,
    number_power,
    primes,
    primitive,
    primitive_below,
    rational,
    without_sums_below,
)
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.trees import total_of_trees
from asymp.kernel.rings.units import logarithm_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

MOST_SHIFT = 30
"""Steps of a harmonic number."""
POSITIVE, NEGATIVE = frozenset({1}), frozenset({-1})


class Facts(Protocol):
    """What is seen of terms and of their values on a domain."""

    def value(self, term: Term) -> Ratio:
        """What a term is; it may refuse."""

    def of(self, x: Ratio) -> AbstractSet[int]:
        """The signs that a value may have."""


# --- logarithms and exponentials ---------------------------------------------------------------------


def logarithm(x: Ratio, at: Facts) -> Ratio:
    """log x, for x > 0: the sum of those of its factors, primes, positive atoms and polynomials, each of one sign.

    Raises:
        Refused: x is not seen to be positive.
    """
    if at.of(x) != POSITIVE:
        raise Refused("a logarithm of what may not be positive")
    if x.den != ONE_POLY:
        top, bottom = Ratio(x.num), Ratio(x.den)
        if at.of(bottom) == NEGATIVE:
            top, bottom = -top, -bottom
        if at.of(bottom) != POSITIVE or at.of(top) != POSITIVE:
            return atom(terms.call("log", to_term(x)))
        return logarithm(top, at) - logarithm(bottom, at)
    try:
        number, powers, rest = factored(x.num)
    except Refused:
        number, powers, rest = primitive(x.num)
    signs = [at.of(Ratio(q)) for q, _ in rest]
    if any(one not in (POSITIVE, NEGATIVE) for one in signs):
        number, powers, rest = primitive(x.num)
        signs = [POSITIVE]  # where the monomial is, and x
    if any(at.of(atom(a)) != POSITIVE for a, _ in powers):
        return atom(terms.call("log", to_term(x)))
    found = rational(0)
    for prime, k in primes(abs(number)):
        found = found + rational(k) * atom(terms.call("log", terms.number(prime)))
    for a, e in powers:
        found = found + rational(e) * _log_of_atom(a, at)
    for (q, k), told in zip(rest, signs, strict=True):
        positive = Ratio(q) if told == POSITIVE else -Ratio(q)
        found = found + rational(k) * _log_of_polynomial(positive)
    return found


def _log_of_polynomial(x: Ratio) -> Ratio:
    """An atom; of a + b d^(1/2) by what tells its powers and its conjugate as well (see units)."""
    surds = [powers for powers in x.num if powers]
    a = x.num.get((), mpq(0))
    if len(surds) == 1 and a and all(base.is_number and e == mpq(1, 2) for base, e in surds[0]):
        b, d = x.num[surds[0]], mpq(1)
        for base, _ in surds[0]:
            d *= base.number
        if d.denominator == a.denominator == b.denominator == 1:
            c, k, (u, v) = logarithm_of(int(a), int(b), int(d))
            found = rational(k) * atom(terms.call("log", to_term(Ratio({(): mpq(u), surds[0]: mpq(v)}))))
            for prime, e in primes(c):
                found = found + rational(mpq(e, 2)) * atom(terms.call("log", terms.number(prime)))
            return found
    return atom(terms.call("log", to_term(x)))


def _log_of_atom(a: Term, at: Facts) -> Ratio:
    if a == terms.name("E"):
        return rational(1)
    return at.value(a.parts[0]) if a.head == "exp" else atom(terms.call("log", a))


def exponential(x: Ratio) -> Ratio:
    """exp x: exp(c log a) is a^c, exp(c) is E^c, and exp(c m) is exp(m)^c for a monomial m; a product over the parts of x."""
    x = without_sums_below(x)
    if x.den != ONE_POLY:  # exp((c m + ...)/d) as exp(m/d)^c ..., d primitive, and no m a multiple of what leads in d
        quotient, x = divided(primitive_below(reduced(x)))
        if not quotient.is_zero:
            return exponential(quotient) * (rational(1) if x.is_zero else exponential(x))
        first = min(x.den, key=lambda powers: [(a.order, k) for a, k in powers])
        scale = mpq(gcd(*(v.numerator for v in x.den.values())), lcm(*(v.denominator for v in x.den.values())))
        scale = scale if x.den[first] > 0 else -scale
        den = {powers: v / scale for powers, v in x.den.items()}
        return Ratio({in_order({
            terms.call("exp", to_term(Ratio({powers: mpq(1)}, den))): c / scale for powers, c in x.num.items()
        }): mpq(1)})  # fmt: skip
    factor = mpq(1)
    found: Powers = ()
    for powers, c in x.num.items():
        if not powers:
            base = terms.name("E")
        elif len(powers) == 1 and powers[0][0].head == "log" and powers[0][1] == 1:
            base = powers[0][0].parts[0]  # an atom: see logarithm
        else:
            base = terms.call("exp", to_term(Ratio({powers: mpq(1)})))
        if base.is_number and c.denominator == 1:
            factor *= number_power(base.number, int(c))
            continue
        if base.is_number:
            whole = c.numerator // c.denominator
            factor, c = factor * number_power(base.number, whole), c - whole
        more, found = joined(found, ((base, c),))
        factor *= more
    return Ratio({found: factor})


# --- Gamma, harmonic numbers, integrals, an infinite sum --------------------------------------------------------------


def gamma(z: Ratio, at: Facts) -> Ratio:
    """Gamma(z), z > 0, by that of y = z - k, k whole, whose constant part lies in (0, 1] (DLMF 5.5.1), where y > 0; and between
    two poles by Gamma(z + m)/(z (z + 1) ... (z + m - 1)), where z + m - 1 < 0 < z + m.

    Of a ratio the constant part is what the highest part of the denominator has as a factor in the numerator.

    Raises:
        Refused: z is not seen to be positive, nor between two poles.
    """
    if at.of(z) != POSITIVE:
        return _gamma_on_the_left(z, at)
    top = leading(z.den)
    c = z.num.get(top, mpq(0)) / z.den[top]
    k = -((-c.numerator) // c.denominator) - 1
    if not ((0 < k <= FURTHEST and at.of(z - rational(k)) == POSITIVE) or -FURTHEST <= k < 0):
        return _gamma_atom(z)
    rests_on("DLMF 5.5.1")
    found = rational(1)
    for j in range(min(k, 0), max(k, 0)):  # z - k, ..., z - 1 or z, ..., z - k - 1
        found = found * (z - rational(k if k > 0 else 0) + rational(j if k > 0 else j - k))
    return (found if k > 0 else found.inverse()) * _gamma_atom(z - rational(k))


def _gamma_on_the_left(z: Ratio, at: Facts) -> Ratio:
    below = rational(1)
    for _ in range(FURTHEST):
        if (signs := at.of(z)) == POSITIVE:
            rests_on("DLMF 5.5.1")
            return below.inverse() * gamma(z, at)
        if signs != {-1}:
            break
        below, z = below * z, z + rational(1)
    raise Refused("gamma of what may not be positive")


def _gamma_atom(z: Ratio) -> Ratio:
    """Gamma(z), where 1 and sqrt(pi) for z = 1 and 1/2 (DLMF 5.4.1, 5.4.6)."""
    if (c := z.constant()) == 1:
        rests_on("DLMF 5.4.1")
        return rational(1)
    if c == mpq(1, 2):
        rests_on("DLMF 5.4.6")
        return Ratio({((terms.name("pi"), c),): mpq(1)})
    return atom(Term("gamma", (to_term(z),)))


def harmonic(x: Ratio, at: Facts) -> Ratio:
    """H(x), x > -1, by H(y) with y = x - k > -1 whose constant part lies in [0, 1) (DLMF 5.5.2); H(0) = 0.

    Raises:
        Refused: x is not seen to be above -1.
    """
    if at.of(x + rational(1)) != POSITIVE:
        raise Refused("harmonic of what may not be above -1")
    c = x.num.get((), mpq(0)) if x.den == ONE_POLY else mpq(0)
    k = c.numerator // c.denominator
    y, found = x - rational(k), rational(0)
    if abs(k) > MOST_SHIFT or at.of(y + rational(1)) != POSITIVE:
        return atom(terms.call("harmonic", to_term(x)))
    if k:
        rests_on("DLMF 5.5.2")
    for j in range(abs(k)):
        found = found + (y + rational(j + 1)).inverse() if k > 0 else found - (y - rational(j)).inverse()
    return found if y.is_zero else found + atom(terms.call("harmonic", to_term(y)))


def beta(term: Term, at: Facts) -> Ratio | None:
    """An integral in closed form, by the function B: see beta_integrals; None where it is not seen to be one."""
    try:
        return at.value(closed(term, lambda x: at.of(at.value(x)) == POSITIVE))
    except Refused:
        return None


def converging(term: Term, at: Facts) -> Ratio:
    """An integral of a power times an exponential from 0 to oo that converges, and so is positive: see moments.

    From another number on it is one of exp(p), p a polynomial, of which a factor goes before the integral.

    Raises:
        Refused: it has another form, or that is not seen.
    """
    if term.parts[1] != terms.ZERO:
        front, term = shifted(term)
        return exponential(at.value(front)) * converging(term, at)
    power, exponent = powers_of(term)
    s = at.value(power)
    found: list[tuple[Ratio, Ratio]] = []
    for c, q in ((at.value(c), at.value(q)) for c, q in exponent):
        k = next((k for k, (_, other) in enumerate(found) if other == q), None)
        if k is None:
            found.append((c, q))
        else:
            found[k] = (found[k][0] + c, q)
    found = [(c, q) for c, q in found if not c.is_zero]
    top = next((c for c, q in found if all(at.of(q - other) == POSITIVE for _, other in found if other is not q)), None)
    positive = [s + rational(1), *(q for _, q in found)]
    if top is None or at.of(top) != NEGATIVE or any(at.of(x) != POSITIVE for x in positive):
        raise Refused(f"{term} may not converge")
    own = to_term(s), [(to_term(c), to_term(q)) for c, q in found]
    other = shorter(*own)
    return atom(integral(*own)) if other is None else at.value(other)


def series(term: Term, at: Facts) -> Ratio:
    """An infinite sum: c e^x is that of c x^k/k! over k >= 0; others by their ratios.

    Raises:
        Refused: it is another sum.
    """
    try:
        x, factor = exponential_series(term)
    except Refused:
        try:
            return total_of(term, at)
        except Refused:
            return total_of_trees(term, at)
    return at.value(factor) * exponential(at.value(x))
