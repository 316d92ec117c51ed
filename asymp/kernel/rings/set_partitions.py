"""Sums over the partitions of a set by the number of their parts, as infinite sums of positive terms: for n >= 1 and x > 0

    sum_(m<=n) S(n, m) x^m = e^(-x) sum_(k>=0) k^n x^k/k!,   sum_(m<=n) m! S(n, m) x^m = sum_(k>=0) k^n x^k/(1 + x)^(k+1),

as sum_n S(n, m) z^n/n! = (e^z - 1)^m/m! (DLMF 26.8.12), exp(x (e^z - 1)) = e^(-x) sum_k x^k e^(kz)/k!, and 1/(1 - x (e^z - 1)) is
the sum of x^k e^(kz)/(1 + x)^(k+1) near z = 0 (Dobinski 1877; Touchard 1939; Cayley 1859).

>>> str(as_infinite(terms.read("Sum(m!*stirling2(n, m), (m, 0, n))"), lambda term: True))
'Sum(b0^n*2^(-1 - b0), (b0, 0, oo))'
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.kernel import terms
from asymp.kernel.rings.recurring import INDEX, K, straight
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, negative, number, power, reciprocal
from asymp.kernel.trust import rests_on


def as_infinite(term: Term, positive: Callable[[Term], bool]) -> Term:
    """What such a sum is, with a whole n.

    Args:
        term: the sum, over 0 or 1 <= m <= n.
        positive: whether a term that is free of m is seen to be above 0.

    Raises:
        Refused: it is another sum.
    """
    outside, x, ordered = parts(term, positive)
    n = term.parts[2]
    weight = power(add(ONE, x), add(negative(K), number(-1))) if ordered else reciprocal(call("factorial", K))
    inside = multiply(power(K, n), *([power(x, K)] if x != ONE else []), weight)
    total = Term("Sum", (terms.substitute(inside, {INDEX: Term("bound")}), ZERO, terms.name("oo")))
    return multiply(*outside, total) if ordered else multiply(*outside, call("exp", negative(x)), total)


def parts(term: Term, positive: Callable[[Term], bool]) -> tuple[list[Term], Term, bool]:
    """The factors that are free of m, x, and whether the parts are in order, with m!.

    Raises:
        Refused: it is another sum.
    """
    body, low, n = term.parts
    if INDEX in term.free or low not in (ZERO, ONE) or not positive(n):
        raise Refused("no sum over the parts of a set that is not empty")
    outside: list[Term] = []
    bases: list[Term] = []
    counts, orders = 0, 0
    opened = terms.opened(body, K)
    for one in opened.parts if opened.head == "product" else (opened,):
        if INDEX not in one.free:
            outside.append(one)
        elif one == call("stirling2", n, K):
            counts += 1
        elif one == call("factorial", K):
            orders += 1
        elif one.head == "power" and INDEX not in one.parts[0].free:
            slope, rest = straight(one.parts[1])
            bases.append(power(one.parts[0], slope))
            outside.append(power(one.parts[0], rest))
        else:
            raise Refused("no sum over the parts of a set")
    x = multiply(*bases)
    if counts != 1 or orders > 1 or not positive(x):
        raise Refused("no sum over the parts of a set")
    rests_on("DLMF 26.8.12")
    return outside, x, orders == 1


