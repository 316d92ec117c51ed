"""The end from which a sum is read: Sum(f(k), (k, a, b)) is Sum(f(a + b - k), (k, a, b)), for whole a and b.

>>> from asymp.kernel.terms import read
>>> print(read("Sum(x^(n - k)/(n - k)!, (k, 0, n))"))
Sum(factorial(n - b0)^(-1)*x^(n - b0), (b0, 0, n))
>>> from_the_end(*read("Sum(x^k/k!, (k, 0, n))").parts) == read("Sum(x^k/k!, (k, 0, n))").parts[0]
True
"""

from __future__ import annotations

from math import prod

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import Term, add, name, negative, opened, substitute


def from_the_end(body: Term, low: Term, high: Term) -> Term:
    """The body of the sum from its other end, if all factorials that depend on its variable k are (c - k)!."""
    k = name("#reversed")
    inner = opened(body, k)
    slopes = {_slope(part.parts[0], k) for part in terms.walk(inner) if part.head == "factorial"} - {mpq(0)}
    return bound(substitute(inner, {k.name: add(low, high, negative(k))}), k.name) if slopes == {mpq(-1)} else body


def _slope(term: Term, k: Term) -> mpq | None:
    """c, of a term that is seen to be c k + d with d free of k."""
    if k.name not in terms.free(term) or term == k:
        return mpq(term == k)
    slopes = [_slope(part, k) for part in term.parts]
    if term.head == "sum" and None not in slopes:
        return sum((s for s in slopes if s is not None), mpq(0))
    if term.head == "product" and [part.is_number for part in term.parts].count(False) == 1 and None not in slopes:
        return prod(((slope or part.number) for part, slope in zip(term.parts, slopes, strict=True)), start=mpq(1))
    return None
