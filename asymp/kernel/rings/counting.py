"""Powers whose exponent counts factors: x^0 = 1 for all x, in a sum or a product over the exponent.

Of a power series Sum(c_k x^k, (k, 0, oo)) the first term is c_0, at x = 0 too, and Sum(binomial(n, k) x^k y^(n - k), (k, 0, n))
is (x + y)^n for all x and y: where the index of a sum or a product stands in an exponent, and does not stand in the base, x^0
is the empty product (Knuth, Two notes on notation, Amer. Math. Monthly 99, 1992; DLMF 1.2.2).  Elsewhere 0^0 has no value: not
where x^0 is typed, nor in x^y as both tend to 0, nor in k^k at k = 0.

>>> body = terms.read("Sum(x^k*y^(k + 1) + k^k, (k, 0, oo))").parts[0]
>>> [counts(part) for part in terms.walk(body) if part.head == "power"]
[False, True, True]
>>> str(at_index(terms.read("Sum(x^k*y^(k + 1), (k, 0, oo))").parts[0], ZERO))
'y'
"""

from __future__ import annotations

from asymp.kernel import terms
from asymp.kernel.terms import ONE, ZERO, Term


def counts(term: Term) -> bool:
    """Whether it is a power with an index in the exponent that does not stand in the base."""
    return term.head == "power" and bool(term.parts[1].indices - term.parts[0].indices)


def at_index(body: Term, k: Term) -> Term:
    """The term of a sum, or the factor of a product, at a value of its index."""
    return terms.opened(_counted(body, k, 0), k)


def _counted(part: Term, k: Term, depth: int) -> Term:
    if depth not in part.indices:
        return part
    if counts(part) and terms.opened(part.parts[1], k, depth) == ZERO:
        base = part.parts[0]
        return terms.add(ONE, terms.multiply(ZERO, base)) if base.parts else ONE  # where the base has a value
    inner = depth + (part.head in terms.BINDERS)
    return terms.rebuilt(part, tuple(_counted(one, k, depth if place else inner) for place, one in enumerate(part.parts)))
