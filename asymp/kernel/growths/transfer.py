r"""From a function near a singularity to its coefficients (Flajolet and Odlyzko 1990; Flajolet and Sedgewick, VI.2-VI.4).

With u = 1 - z/rho and L = log(1/u), for every real a and b,

.. math:: [z^n]\, u^{-a} L^b \sim \rho^{-n} n^{a-1} \sum_{i \ge 0} n^{-i} \sum_{j \ge 0} \binom{b}{j} (\log n)^{b-j}
          \frac{d^j}{da^j} \frac{P_i(a)}{\Gamma(a)}

where sum_i P_i(a) n^(-i) is n^(1-a) Gamma(n + a)/Gamma(n + 1): by DLMF 5.11.8 its logarithm is

.. math:: \sum_{j \ge 1} (-1)^{j+1} \frac{B_{j+1}(a) - B_{j+1}(1)}{j (j + 1)}\, n^{-j} .

1/Gamma is entire; for b = 0 and a = 0, -1, -2, ... all is 0, and for a = 1, 2, ... the sum over i ends: both are exact.  A
function that is analytic in a domain indented at rho and O(u^(-a) L^b) there has coefficients O(rho^(-n) n^(a-1) (log n)^b).

>>> [[str(c) for c in p] for p in falling_ratio(3)]
[['1'], ['0', '-1/2', '1/2'], ['0', '-1/12', '3/8', '-5/12', '1/8'], ['0', '0', '1/8', '-17/48', '17/48', '-7/48', '1/48']]
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest
from math import comb, factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.growth import Domain, Growth
from asymp.kernel.rings.polynomials import Poly, derived, times, value_at
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.terms import Refused
from asymp.kernel.trust import rests_on

Terms = list[tuple[Ratio, Ratio, Ratio]]
"""Coefficients, and exponents of n and of log n."""
TRANSFER = "Flajolet and Sedgewick 2009, chapter 6"


def exponents(g: Growth) -> tuple[Ratio, Ratio]:
    """a and b of s^a (log s)^b, where s = 1/u.

    Raises:
        Refused: it is another growth.
    """
    if g.exponent or any(place not in ((0, 0), (0, 1)) for place, _ in g.powers):
        raise Refused("a growth at a singularity that is no power with logarithms")
    found = dict(g.powers)
    return found.get((0, 0), rational(0)), found.get((0, 1), rational(0))


def of_rest(g: Growth) -> tuple[Ratio, Ratio]:
    """Exponents of n and log n of which coefficients are O, of what is O(g) at a singularity."""
    rests_on(TRANSFER)
    a, b = exponents(g)
    return a - rational(1), b


def of_term(g: Growth, domain: Domain, count: int) -> tuple[Terms, list[tuple[Ratio, Ratio]]]:
    """The coefficients of s^a (log s)^b: terms, and exponents of n and log n of a remainder; none where that is exact."""
    rests_on(TRANSFER, "DLMF 5.11.8")
    a, b = exponents(g)
    number, whole = a.constant(), b.constant()
    finite = whole is not None and whole.denominator == 1 and whole >= 0
    if number is not None and number.denominator == 1 and b.is_zero:
        if number <= 0:
            return [], []
        return _block(a, b, domain, int(number), 0), []
    if number == 0 and whole == 1:  # log(1/u) has the coefficients 1/n
        return [(rational(1), rational(-1), rational(0))], []
    if finite and whole is not None:
        if number is not None and number.denominator == 1 and number <= 0:  # 1/Gamma(a) = 0: no power of log n is the highest
            return _block(a, b, domain, count, int(whole)), [(a - rational(1 + count), b - rational(1))]
        return _block(a, b, domain, count, int(whole)), [(a - rational(1 + count), b)]
    return _block(a, b, domain, 1, count), [(a - rational(1), b - rational(count + 1))]


def _block(a: Ratio, b: Ratio, domain: Domain, count: int, most: int) -> Terms:
    """The terms for i < ``count`` and j <= ``most``."""
    found: Terms = []
    taylor = reciprocal_gamma(a, domain, most)
    for i, own in enumerate(falling_ratio(count - 1)):
        p = list(own)
        slopes = [_at(p, a)]
        for k in range(1, most + 1):
            p = derived(p)
            slopes.append(_at(p, a) * rational(mpq(1, factorial(k))))
        binomial = rational(1)
        for j in range(most + 1):
            if j:
                binomial = binomial * (b - rational(j - 1)) * rational(mpq(1, j))
            c = sum((slopes[k] * taylor[j - k] for k in range(j + 1)), rational(0)) * binomial * rational(factorial(j))
            if not c.is_zero:
                found.append((c, a - rational(1 + i), b - rational(j)))
    return found


def _at(p: Poly, a: Ratio) -> Ratio:
    if (number := a.constant()) is not None:
        return rational(value_at(p, number))
    found = rational(0)
    for c in reversed(p):
        found = found * a + rational(c)
    return found


@lru_cache(maxsize=20)
def falling_ratio(most: int) -> tuple[tuple[mpq, ...], ...]:
    """P_0, ..., P_most as polynomials in a, the constant first."""
    logs: list[Poly] = [[mpq(0)]]
    for j in range(1, most + 1):
        p = [comb(j + 1, k) * bernoulli(j + 1 - k) for k in range(j + 2)]
        p[0] -= value_at(p, mpq(1))
        logs.append([c * mpq((-1) ** (j + 1), j * (j + 1)) for c in p])
    found: list[Poly] = [[mpq(1)]]
    for i in range(1, most + 1):
        total: Poly = [mpq(0)]
        for j in range(1, i + 1):
            part = [c * mpq(j, i) for c in times(logs[j], found[i - j])]
            total = [a + b for a, b in zip_longest(total, part, fillvalue=mpq(0))]
        while len(total) > 1 and not total[-1]:
            total.pop()
        found.append(total)
    return tuple(tuple(p) for p in found)


def reciprocal_gamma(a: Ratio, domain: Domain, most: int) -> list[Ratio]:
    """Taylor's coefficients of 1/Gamma at a.

    At -m it is (e - 0)(e - 1) ... (e - m)/Gamma(1 + e); elsewhere by the derivatives of log Gamma.

    >>> [str(to_term(c)) for c in reciprocal_gamma(rational(-1), Domain(), 2)]
    ['0', '-1', '1 - EulerGamma']

    Raises:
        Refused: the value of Gamma is not known.
    """
    number = a.constant()
    if number is not None and number.denominator == 1 and number <= 0:
        found = reciprocal_gamma(rational(1), domain, most)
        for k in range(int(-number) + 1):  # times e - k
            found = [(found[j - 1] if j else rational(0)) - rational(k) * c for j, c in enumerate(found)]
        return found
    gamma = domain.value(terms.call("gamma", to_term(a)))
    slopes = [-polygamma(i, a, domain) * rational(mpq(1, factorial(i + 1))) for i in range(most)]
    found = [gamma.inverse()]
    for k in range(1, most + 1):
        found.append(sum((rational(mpq(j, k)) * slopes[j - 1] * found[k - j] for j in range(1, k + 1)), rational(0)))
    return found


def polygamma(i: int, a: Ratio, domain: Domain) -> Ratio:
    """The derivative of order i of psi at a: at whole numbers and halves by those at 1 and 1/2 (DLMF 5.15.5)."""
    number = a.constant()
    if number is None or number.denominator > 2:
        return domain.value(terms.call("digamma", to_term(a)) if not i else terms.call("polygamma", terms.number(i), to_term(a)))
    rests_on("DLMF 5.4.12", "DLMF 5.15.5")
    first = mpq(1, int(number.denominator))
    if i:
        found = domain.value(terms.call("zeta", terms.number(i + 1))) * rational((-1) ** (i + 1) * factorial(i))
        found = found * rational(2 ** (i + 1) - 1) if first != 1 else found
    else:
        found = -domain.value(terms.name("EulerGamma"))
        found = found if first == 1 else found - rational(2) * domain.value(terms.call("log", terms.number(2)))
    low, high = min(first, number), max(first, number)
    step = sum((mpq((-1) ** i * factorial(i)) / (low + k) ** (i + 1) for k in range(int(high - low))), mpq(0))
    return found + rational(step if number > first else -step)
