r"""Sums of g(k) cos(a k + b) and g(k) sin(a k + b), sin(a/2) != 0, for g that is monotone in the end.

With D(x) = sin(a x + b)/(2 sin(a/2)) for a cosine, and -cos(a x + b)/(2 sin(a/2)) for a sine, (cos or sin)(a k + b) is
D(k + 1/2) - D(k - 1/2): so

    sum_{m <= k <= n} (cos or sin)(a k + b) = D(n + 1/2) - D(m - 1/2),

and by Abel's summation, as |D| <= 1/(2 |sin(a/2)|), the sum with g is O(1) + O(g(n)), and, where g tends to 0, a number S less
the rest from n + 1 on, which is O(g(n)) (Rudin, Principles of Mathematical Analysis, theorem 3.42).  Of a power k^(-s) from
k = 1 on, with b = 0 and 0 < a < 2 pi, S is a polynomial of Bernoulli in a/(2 pi), for cosines and even s, for sines and odd s
(DLMF 24.8.1, 24.8.2).

g is of a field of Hardy, so that it is monotone in the end, and g' has a sign, too.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> from asymp.kernel.growths.series import Algebra
>>> e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
>>> found = series_of_oscillating(e, terms.read("Sum(sin(k)/k, (k, 1, n))"))
>>> [str(to_term(c)) for c, _ in found.terms], len(found.rest)  # (pi - 1)/2
(['-1/2 + 1/2*pi'], 1)
"""

from __future__ import annotations

from dataclasses import replace
from math import comb, factorial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.coefficients import bernoulli
from asymp.kernel.growths.geometric_sums import in_range
from asymp.kernel.growths.growth import ONE
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.series import Series
from asymp.kernel.growths.stationary import HARDY
from asymp.kernel.growths.summands import I
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import ONE_POLY, Powers, rational
from asymp.kernel.rings.ratio import to_term as to_term
from asymp.kernel.rings.recurring import straight
from asymp.kernel.terms import Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.trust import rests_on

HALF = number(mpq(1, 2))
MOST_POWER = 20


def series_of_oscillating(e: Any, term: Term) -> Series:
    """The series of such a sum; ``e`` is the expander.

    Raises:
        Refused: it is of another form.
    """
    in_range(term, e.algebra, e.series, e.whole)
    body, low, high = term.parts
    inner, a = terms.opened(body, I), e.algebra
    factors = inner.parts if inner.head == "product" else (inner,)
    waves = [x for x in factors if x.head in ("sin", "cos") and I.name in x.free]
    if len(waves) != 1 or not e.constant(low):
        raise Refused("a sum of another form than g(k) cos(a k + b)")
    outside = multiply(*(x for x in factors if I.name not in x.free))
    g = multiply(*(x for x in factors if I.name in x.free and x is not waves[0]))
    slope, shift = straight(waves[0].parts[0])
    if not e.constant(slope) or not e.constant(shift):
        raise Refused("a phase that moves")
    half = call("sin", multiply(HALF, slope))
    if a.domain.sign(a.domain.value(half)) not in (1, -1):
        raise Refused("sin(a/2) may be 0")
    found = _plain(e, waves[0].head, slope, shift, half, low, high) if g == terms.ONE else Series(())
    if g != terms.ONE:
        found = _weighted(e, waves[0].head, slope, shift, g, low, high)
    return a.times(e.series(outside), found)  # type: ignore[no-any-return]


def _plain(e: Any, head: str, slope: Term, shift: Term, half: Term, low: Term, high: Term) -> Series:
    """D(n + 1/2) - D(m - 1/2)."""
    if high == terms.name("oo"):
        raise Refused("a sum to infinity of what does not tend to 0")
    other, sign = ("sin", HALF) if head == "cos" else ("cos", negative(HALF))
    ends = [call(other, add(multiply(slope, x), shift)) for x in (add(high, HALF), add(low, negative(HALF)))]
    return e.series(multiply(sign, reciprocal(half), add(ends[0], negative(ends[1]))))  # type: ignore[no-any-return]


def _weighted(e: Any, head: str, slope: Term, shift: Term, g: Term, low: Term, high: Term) -> Series:
    """S + O(g(n)), or O(1) + O(g(n))."""
    if any(part.head not in HARDY for part in terms.walk(g)) or e.moving & g.free or high == terms.name("oo"):
        raise Refused("a weight that is not seen to be monotone")
    a = e.algebra
    vanishes = a.vanishes(e.alone(I.name).series(g))
    if not low.is_number:
        raise Refused("a sum that begins at no number")
    replace(a.domain, within={**a.domain.within, I.name: Range(low.number)}).value(g)  # it has a value from there on
    rest = loose(e.series(terms.substitute(g, {I.name: high})))
    try:
        if not vanishes:
            raise Refused("a sum that is not seen to converge")
        total = a.constant(_total(e, head, slope, shift, g, low))
    except Refused:
        return a.made([], [ONE, *rest])
    return a.made(list(total.terms), rest)


def _total(e: Any, head: str, slope: Term, shift: Term, g: Term, low: Term) -> Any:
    """S, by a polynomial of Bernoulli.

    Raises:
        Refused: it is not known.
    """
    domain = e.algebra.domain
    value = replace(domain, within={**domain.within, I.name: Range(mpq(1))}).value(g)
    nothing: Powers = ()
    powers, c = next(iter(value.num.items())) if len(value.num) == 1 and value.den == ONE_POLY else (nothing, mpq(0))
    k = powers[0][1] if len(powers) == 1 and powers[0][0] == I else mpq(0)
    s = -int(k) if k.denominator == 1 else 0
    if not 1 <= s <= MOST_POWER or low != terms.ONE or shift != terms.ZERO or s % 2 != (head == "sin"):
        raise Refused("a sum to infinity of which the value is not known")
    x = domain.value(slope) * domain.value(power(multiply(number(2), terms.name("pi")), number(-1)))
    if domain.sign(x) != 1 or domain.sign(rational(1) - x) != 1:
        raise Refused("a number a outside of 0 < a < 2 pi")
    rests_on("DLMF 24.8.1")
    found = rational(0)
    for j in range(s + 1):
        found = found + rational(comb(s, j) * bernoulli(j)) * x.power(s - j)
    front = multiply(
        number(mpq((-1) ** (s // 2 + 1), 2 * factorial(s))), power(multiply(number(2), terms.name("pi")), number(s))
    )
    return domain.value(front) * rational(c) * found
