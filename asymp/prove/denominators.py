"""The sums that the summands of a comparison's sides are divided by.

>>> from asymp.kernel.terms import read
>>> [str(one) for one in denominators(read("x*(1 - x^n/Sum(x^i, (i, 0, n)))"))]
['Sum(x^b0, (b0, 0, n))']
"""

from __future__ import annotations

from asymp.kernel import terms
from asymp.kernel.terms import Term, add, multiply


def summands(term: Term) -> tuple[Term, ...]:
    """Of a sum, and of a product with a sum of quotients in it."""
    if term.head == "sum":
        return tuple(one for part in term.parts for one in summands(part))
    for k, part in enumerate(term.parts if term.head == "product" else ()):
        if part.head == "sum" and denominators(*part.parts):
            return tuple(multiply(*term.parts[:k], one, *term.parts[k + 1 :]) for one in part.parts)
    return (term,)


def _factors(term: Term) -> tuple[Term, ...]:
    return term.parts if term.head == "product" else (term,)


def denominators(*sides: Term) -> list[Term]:
    """What the summands of the sides are divided by, if it has a sum in it."""
    found = {part.parts[0]: None for side in sides for one in summands(side) for part in _factors(one)
             if part.head == "power" and part.parts[1].is_number and part.parts[1].number < 0}  # fmt: skip
    return [one for one in found if any(part.head == "Sum" for part in terms.walk(one))]


def cleared(term: Term, over: Term) -> Term:
    """A product times one of its denominators."""
    factors = list(_factors(term))
    for k, part in enumerate(factors):
        if part.head == "power" and part.parts[0] == over and part.parts[1].is_number and part.parts[1].number < 0:
            rest = terms.power(over, add(part.parts[1], terms.ONE))
            return multiply(*factors[:k], rest, *factors[k + 1 :])
    return multiply(term, over)
