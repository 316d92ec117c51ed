"""Coefficients of the series in the table of functions, at whole numbers: exact.

>>> str(evaluated(terms.read("bernoulli(4)/factorial(3)"))), str(evaluated(terms.read("rf(a, 2)")))
('-1/180', 'a*(a + 1)')
>>> evaluated(terms.read("Sum(1/j, (j, 1, 4))")) == evaluated(terms.read("harmonic(4)"))
True
"""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.rings.defined import exact
from asymp.kernel.terms import Term

MOST = 200
"""Factors and terms at most."""


def evaluated(term: Term) -> Term:
    """A term with the values of factorial, rf, ff, bernoulli, stirling1, harmonic and of sums, of small whole numbers."""
    if not term.parts:
        return term
    if term.head == "Sum":
        body, low, high = (term.parts[0], *map(evaluated, term.parts[1:]))
        if not (low.is_number and high.is_number and high.number - low.number <= MOST):
            return term
        return terms.add(terms.ZERO, *(evaluated(terms.opened(body, terms.number(j))) for j in _between(low, high)))
    parts = tuple(map(evaluated, term.parts))
    k = parts[-1].number if parts[-1].is_number and parts[-1].number.denominator == 1 and 0 <= parts[-1].number <= MOST else None
    if k is not None:
        match term.head, len(parts):
            case "factorial", 1:
                return terms.number(factorial(int(k)))
            case "bernoulli", 1:
                return terms.number(bernoulli(int(k)))
            case "harmonic", 1:
                return terms.number(sum((mpq(1, j) for j in range(1, int(k) + 1)), mpq(0)))
            case "rf" | "ff", 2:
                way = 1 if term.head == "rf" else -1
                return terms.multiply(*(terms.add(parts[0], terms.number(way * j)) for j in range(int(k))))
            case "stirling1", 2:
                value = exact(term.head, parts)
                if value is not None:
                    return terms.number(value)
    return terms.rebuilt(term, parts)


def _between(low: Term, high: Term) -> range:
    return range(int(low.number), int(high.number) + 1)


def bernoulli(n: int) -> mpq:
    """B_n, with B_1 = -1/2.

    >>> [str(bernoulli(n)) for n in range(5)]
    ['1', '-1/2', '1/6', '0', '-1/30']
    """
    row = [mpq(0)] * (n + 1)
    for m in range(n + 1):
        row[m] = mpq(1, m + 1)
        for j in range(m, 0, -1):
            row[j - 1] = j * (row[j - 1] - row[j])
    return row[0] if n != 1 else -row[0]


def put_in(text: str, put: Mapping[str, Term]) -> Term:
    """A text of the table with terms for its letters; what is in x is left as it is."""
    found = evaluated(terms.substitute(terms.read(text), {**put, "x": terms.name("@")}))
    return terms.substitute(found, {"@": put["x"]})
