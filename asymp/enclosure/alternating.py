r"""Sums with alternating signs, two terms at a time.

.. math:: \sum_{k=a}^{b} (-1)^{k+c} f(k) = (-1)^{a+c} \Bigl[\sum_{j=1}^{m} \bigl(f(a+2j-2) - f(a+2j-1)\bigr)
   + (b - a + 1 - 2m) f(b)\Bigr], \qquad m = \lfloor (b-a+1)/2 \rfloor.
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.enclosure.algebra import base_and_exponent, factors, minus, name, plus, raised, subs, times, whole
from asymp.enclosure.calculus import is_polynomial, is_rational, line
from asymp.enclosure.fields import degree, factored, parts
from asymp.enclosure.summand import tidied
from asymp.kernel.terms import Term, number
from asymp.kernel.terms import read as read


def unsigned(body: Term, index: str) -> tuple[Term, int] | None:
    """(f without its sign, c) for a summand (-1)^(k + c) f(k), c an integer; None for others.

    >>> several = [unsigned(read(text), "k") for text in ("(-1)^(k + 1)/k", "(-2)^k", "1/k")]
    >>> [found and (str(found[0]), found[1]) for found in several]
    [('k^(-1)', 1), ('2^k', 0), None]
    """
    shift, rest, odd = 0, [], False
    for factor in factors(body):
        base, exponent = base_and_exponent(factor)
        if not (base.is_number and base.number < 0 and index in exponent.free):
            rest.append(factor)
            continue
        straight = line(exponent, index)
        if straight is None or whole(straight[0]) not in (1, -1) or (offset := whole(straight[1])) is None:
            return None
        odd = not odd
        shift += offset
        rest.append(raised(number(-base.number), exponent))
    return (times(*rest), shift % 2) if odd else None


def pairs(body: Term, index: str, low: Term) -> Term:
    """f(low + 2k - 2) - f(low + 2k - 1): two terms of the sum of (-1)^(k - low) f(k), for k = 1, 2, ..."""
    doubled = plus(low, times(number(2), name(index)))
    difference = minus(*(tidied(subs(body, {index: plus(doubled, number(mpq(-k)))})) for k in (2, 1)))
    return factored(difference) if is_rational(difference, index) else difference


def vanishes(body: Term, index: str) -> bool:
    """Whether f is seen to tend to 0: a rational function, or powers and logarithms of k + a.

    >>> vanishes(read("log(k)*k^(-1/2)"), "k"), vanishes(read("1 + 1/k"), "k")
    (True, False)
    """
    if is_rational(body, index):
        top, bottom = (degree(part, index) for part in parts(body))
        return top is not None and bottom is not None and top < bottom
    power = mpq(0)
    for factor in factors(body):
        base, exponent = base_and_exponent(factor)
        inner = base.parts[0] if base.head == "log" else base
        if index not in factor.free:
            continue
        if not exponent.is_number or not is_polynomial(inner, index) or degree(inner, index) != 1:
            return False
        if inner is base:
            power += exponent.number
    return bool(power < 0)

