"""N(x)/x^k, where N is analytic at 0 and vanishes there with its first k - 1 derivatives, as a function of its own.

It is a term with the head ``Quotient``, of one argument, with the number k and the name of N.

>>> f = quotient(read("exp(y) - 1"), "y", 1, name("t"))
>>> f.head, str(numerator_of(f)).replace(X, "x")
('Quotient', 'exp(x) - 1')
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.enclosure.algebra import minus, subs, times
from asymp.enclosure.calculus import SLOPES, diff, expanded
from asymp.kernel.terms import ZERO, Term, name, number
from asymp.kernel.terms import read as read

X = "\0x"
"""The variable of the numerators, which nobody else can call a variable."""
_NUMERATORS: dict[str, Term] = {}
"""By name.  A name says all there is of its numerator, also of quotients in it."""


def quotient(numerator: Term, variable: str, order: int, argument: Term) -> Term:
    """N(x)/x^k at an argument."""
    written = subs(numerator, {variable: name(X)})
    text = repr(written)
    _NUMERATORS.setdefault(text, written)
    return Term("Quotient", (argument,), mpq(order), text)


def numerator_of(term: Term) -> Term:
    """N of such a term, in the variable ``X``."""
    return _NUMERATORS[term.name]


def _slope(term: Term) -> Term:
    """(x N' - k N)/x^(k+1)."""
    n, k = numerator_of(term), int(term.number)
    above = expanded(minus(times(name(X), diff(n, X)), times(number(k), n)))
    return ZERO if above == ZERO else quotient(above, X, k + 1, term.parts[0])


SLOPES["Quotient"] = _slope
