"""The derivative of a term, by the rules of the calculus and nothing else.

Wherever a term and what :func:`derivative` answers for it are defined on a box, with every part of them, in the sense of
:mod:`asymp.kernel.facts.ranges` (powers with exponents that are not whole have positive bases), the answer is the partial
derivative there: each rule's condition is that the parts of its right side are defined.

>>> str(derivative(read("x^2*log(x)"), "x")), str(derivative(read("uppergamma(2, x)"), "x"))
('x^(-1)*x^2 + 2*log(x)*x', '-exp(-x)*x')
"""

from __future__ import annotations

from asymp.functions.table import NAMED
from asymp.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    call,
    free,
    multiply,
    number,
    power,
    reciprocal,
    substitute,
)
from asymp.kernel.terms import read as read
from asymp.kernel.trust import rests_on


def derivative(term: Term, variable: str) -> Term:
    """The derivative by a variable.

    Raises:
        Refused: of what is not smooth, or has no rule here.
    """
    if variable not in free(term):
        return ZERO
    parts = term.parts
    match term.head:
        case "name":
            return ONE
        case "sum":
            return add(*(derivative(part, variable) for part in parts))
        case "product":
            return add(*(_times(derivative(p, variable), *parts[:k], *parts[k + 1 :]) for k, p in enumerate(parts)))
        case "power" if variable not in free(parts[1]):  # (u^a)' = a*u^(a - 1)*u'
            base, exponent = parts
            return _times(derivative(base, variable), exponent, power(base, add(exponent, number(-1))))
        case "power":  # (u^v)' = u^v*(v'*log(u) + v*u'/u), where u > 0
            base, exponent = parts
            grown = _times(derivative(exponent, variable), call("log", base))
            return multiply(term, add(grown, _times(derivative(base, variable), exponent, reciprocal(base))))
        case "Sum" if variable not in free(parts[1]) | free(parts[2]):
            return Term("Sum", (derivative(parts[0], variable), *parts[1:]))
    row = NAMED.get(term.head)
    moves = row is not None and len(parts) == row.least and not any(variable in free(part) for part in parts[:-1])
    if row is not None and moves and row.derivative:
        rests_on(*row.facts)
        put = dict(zip("xyz", parts, strict=False))
        return _times(derivative(parts[-1], variable), substitute(read(row.derivative), put))
    raise Refused(f"no rule for the derivative of {term.head}")


def _times(first: Term, *others: Term) -> Term:
    """A product, where a derivative that is the number 0 leaves nothing: the others are parts of the term itself."""
    return ZERO if first == ZERO else multiply(first, *others)
