"""Terms in a variable: multiplied out, as polynomials, their derivatives.

>>> str(diff(read("x*log(x)"), "x")), [str(c) for c in coefficients(read("(x + n)^2"), "x")]
('log(x) + 1', ['n^2', '2*n', '1'])
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.enclosure.algebra import MINUS_ONE, made, plus, raised, simple, subs, summands, times, whole
from asymp.functions.table import NAMED
from asymp.kernel.terms import ONE, ZERO, Refused, Term, read

MOST_TERMS = 2_000
"""Of a product that is multiplied out."""
HIGHEST = 60
"""Powers of sums that are."""


def expanded(term: Term, powers: bool = True) -> Term:
    """Products of sums multiplied out, and whole powers of them; what is inside of functions stays.

    Raises:
        Refused: there are too many terms.

    >>> str(expanded(read("(x + 1)*(x - 1)")))
    '-1 + x^2'
    """
    if term.head == "sum":
        return plus(*(expanded(part, powers) for part in term.parts))
    if term.head == "power":
        n = whole(term.parts[1])
        if not powers or n is None or not 1 < n <= HIGHEST or term.parts[0].head != "sum":
            return term
        return _distributed([expanded(term.parts[0], powers)] * n)
    if term.head == "product":
        return _distributed([expanded(part, powers) for part in term.parts])
    return term


def _distributed(parts: list[Term]) -> Term:
    found = ONE
    for part in parts:
        left, right = summands(found), summands(part)
        if len(left) * len(right) > MOST_TERMS:
            raise Refused(f"multiplied out it has more than {MOST_TERMS} terms")
        found = plus(*(times(a, b) for a in left for b in right))
    return found


def coefficients(term: Term, variable: str) -> list[Term] | None:
    """Those of a polynomial in a variable, the constant first; None where it is none."""
    found = _coefficients(term, variable)
    if found is None:
        return None
    found = {k: c for k, c in found.items() if c != ZERO}
    return [found.get(k, ZERO) for k in range(max(found, default=0) + 1)]


def _coefficients(term: Term, variable: str) -> dict[int, Term] | None:
    if variable not in term.free:
        return {0: term}
    if term.head == "name":
        return {1: ONE}
    if term.head == "sum":
        found: dict[int, list[Term]] = {}
        for part in term.parts:
            one = _coefficients(part, variable)
            if one is None:
                return None
            for k, c in one.items():
                found.setdefault(k, []).append(c)
        return {k: plus(*several) for k, several in found.items()}
    if term.head == "product":
        return _convolved([_coefficients(part, variable) for part in term.parts])
    if term.head == "power":
        n = whole(term.parts[1])
        if n is not None and 0 <= n <= MOST_TERMS and term.parts[0].head == "name":
            return {n: ONE}
        if n is not None and 0 <= n <= HIGHEST:
            return _convolved([_coefficients(term.parts[0], variable)] * n)
    return None


def _convolved(several: list[dict[int, Term] | None]) -> dict[int, Term] | None:
    total: dict[int, Term] = {0: ONE}
    for one in several:
        if one is None:
            return None
        found: dict[int, list[Term]] = {}
        for j, a in total.items():
            for k, b in one.items():
                found.setdefault(j + k, []).append(times(a, b))
        total = {k: plus(*parts) for k, parts in found.items()}
    return total


def line(term: Term, variable: str) -> tuple[Term, Term] | None:
    """(a, b) with term = a variable + b, else None.

    >>> [str(part) for part in line(read("2*(n - k) + 1"), "k")]
    ['-2', '1 + 2*n']
    """
    found = coefficients(term, variable)
    if found is None or len(found) > 2:
        return None
    return (found[1] if len(found) > 1 else ZERO), found[0]


def is_polynomial(term: Term, *variables: str) -> bool:
    """Whether it is made of the variables, and of what is free of them, by + and * alone."""
    if term.free.isdisjoint(variables) or term.head == "name":
        return True
    if term.head == "power":
        n = whole(term.parts[1])
        return n is not None and n >= 0 and is_polynomial(term.parts[0], *variables)
    return term.head in ("sum", "product") and all(is_polynomial(part, *variables) for part in term.parts)


def is_rational(term: Term, variable: str) -> bool:
    """Whether it is a rational function of a variable."""
    if variable not in term.free or term.head == "name":
        return True
    if term.head == "power":
        return whole(term.parts[1]) is not None and is_rational(term.parts[0], variable)
    return term.head in ("sum", "product") and all(is_rational(part, variable) for part in term.parts)


SLOPES: dict[str, Callable[[Term], Term]] = {}
"""By heads of one argument that the table does not have: their derivative, of the function with its argument."""


def diff(term: Term, variable: str) -> Term:
    """The derivative by a variable.

    Raises:
        Refused: of what is not smooth, or has no rule here.
    """
    if variable not in term.free:
        return ZERO
    parts = term.parts
    match term.head:
        case "name":
            return ONE
        case "sum":
            return plus(*(diff(part, variable) for part in parts))
        case "product":
            return plus(*(times(diff(p, variable), *parts[:k], *parts[k + 1 :]) for k, p in enumerate(parts)))
        case "power" if variable not in parts[1].free:
            base, exponent = parts
            return times(diff(base, variable), exponent, raised(base, plus(exponent, MINUS_ONE)))
        case "power":
            base, exponent = parts
            grown = times(diff(exponent, variable), made("log", (base,)))
            return times(term, plus(grown, times(diff(base, variable), exponent, raised(base, MINUS_ONE))))
        case "Sum" if variable not in parts[1].free | parts[2].free:
            return Term("Sum", (diff(parts[0], variable), *parts[1:]))
    if term.head in SLOPES:
        return times(diff(parts[0], variable), SLOPES[term.head](term))
    row = NAMED.get(term.head)
    moves = row is not None and len(parts) == row.least and not any(variable in part.free for part in parts[:-1])
    if row is not None and moves and row.derivative:
        slope = subs(simple(read(row.derivative)), dict(zip("xyz", parts, strict=False)))
        return times(diff(parts[-1], variable), slope)
    raise Refused(f"no rule for the derivative of {term.head}")
