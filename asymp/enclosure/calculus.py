"""Terms in a variable: multiplied out, as polynomials, their derivatives.

>>> str(diff(read("x*log(x)"), "x")), [str(c) for c in coefficients(read("(x + n)^2"), "x")]
('log(x) + 1', ['n^2', '2*n', '1'])
"""

from __future__ import annotations

from gmpy2 import mpq

from asymp.enclosure.algebra import apart, base_and_exponent, factors, minus, plus, simple, subs, summands, times, whole
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, rebuilt
from asymp.kernel.terms import read as read

MOST_TERMS = 2_000
"""Of a product that is multiplied out."""
HIGHEST, MOST_MULTIPLIED = 60, 120
"""Powers of sums that are."""


def expanded(term: Term, variable: str = "", powers: bool = True) -> Term:
    """Products of sums multiplied out, and whole powers of them; what is inside of functions, or free of ``variable``, stays.

    Raises:
        Refused: there are too many terms.

    >>> str(expanded(read("(x + 1)*(x - 1)"))), str(expanded(read("(x + 1)*(n + 1)"), "x"))
    ('-1 + x^2', 'n + 1 + x*(n + 1)')
    """
    if variable and variable not in term.free:
        return term
    if term.head == "sum":
        return plus(*(expanded(part, variable, powers) for part in term.parts))
    if term.head == "product":
        still, moving = apart(term, variable) if variable else (ONE, term)
        return _distributed([expanded(part, variable, powers) for part in factors(moving)], still)
    n = whole(term.parts[1]) if powers and term.head == "power" and term.parts[0].head == "sum" else None
    several = n is not None and 1 < n <= HIGHEST and n * (len(term.parts[0].parts) - 1) <= MOST_MULTIPLIED
    return _distributed([expanded(term.parts[0], variable)] * (n or 0)) if several else term


def _distributed(parts: list[Term], found: Term = ONE) -> Term:
    several = [found]
    for part in parts:
        right = summands(part)
        if len(several) * len(right) > MOST_TERMS:
            raise Refused(f"multiplied out it has more than {MOST_TERMS} terms")
        several = list(summands(plus(*(times(a, b) for a in several for b in right))))
    return plus(*several)


def coefficients(term: Term, variable: str) -> list[Term] | None:
    """Those of a polynomial in a variable, the constant first; None where it is none, or of a high power of a sum."""
    if not is_polynomial(term, variable):
        return None
    found: dict[int, list[Term]] = {}
    try:
        for part in summands(expanded(term, variable)):
            still, moving = apart(part, variable)
            base, exponent = base_and_exponent(moving)
            k = 0 if moving == ONE else whole(exponent) if base == name(variable) else None
            if k is None or k > MOST_TERMS:
                return None
            found.setdefault(k, []).append(still)
    except Refused:
        return None
    total = {k: c for k, several in found.items() if (c := plus(*several)) != ZERO}
    return [total.get(k, ZERO) for k in range(max(total, default=0) + 1)]


def line(term: Term, variable: str) -> tuple[Term, Term] | None:
    """(a, b) with term = a variable + b, else None.

    >>> [str(part) for part in line(read("2*(n - k) + 1"), "k")]
    ['-2', '1 + 2*n']
    """
    found = coefficients(term, variable)
    if found is None or len(found) > 2:
        return None
    return (found[1] if len(found) > 1 else ZERO), found[0]


def is_rational(term: Term, *variables: str, least: int | None = None) -> bool:
    """Whether it is made of the variables, and of what is free of them, by +, * and whole powers, from ``least`` on."""
    if term.free.isdisjoint(variables) or term.head == "name":
        return True
    n = whole(term.parts[1]) if term.head == "power" else None
    if n is not None:
        return (least is None or n >= least) and is_rational(term.parts[0], *variables, least=least)
    return term.head in ("sum", "product") and all(is_rational(part, *variables, least=least) for part in term.parts)


def is_polynomial(term: Term, *variables: str) -> bool:
    """Whether it is made so by + and * alone."""
    return is_rational(term, *variables, least=0)


# --- derivatives, and quotients without their removable singularity ------------------------------

X = "\0x"
"""The variable of numerators, which nobody else can call a variable."""
_NUMERATORS: dict[str, Term] = {}
"""By name.  A name says all there is of its numerator, also of quotients in it."""


def quotient(numerator: Term, variable: str, order: int, argument: Term) -> Term:
    """N(x)/x^k at an argument, N analytic at 0, where it vanishes with its first k - 1 derivatives, as a function of its own.

    Its head is ``Quotient``, its number k; its name tells N.

    >>> f = quotient(read("exp(y) - 1"), "y", 1, name("t"))
    >>> f.head, str(numerator_of(f)).replace(X, "x")
    ('Quotient', 'exp(x) - 1')
    """
    written = subs(numerator, {variable: name(X)})
    text = repr(written)
    _NUMERATORS.setdefault(text, written)
    return Term("Quotient", (argument,), mpq(order), text)


def numerator_of(term: Term) -> Term:
    """N of such a term, in the variable ``X``."""
    return _NUMERATORS[term.name]


def diff(term: Term, variable: str) -> Term:
    """The derivative by a variable (Refused: of what is not smooth, or has no rule here)."""
    inner: dict[str, Term] = {}
    held = _held(term, inner)
    found = [derivative(held, variable)]
    for own, part in inner.items():  # by the chain rule, (N/x^k)' = (x N' - k N)/x^(k+1)
        n, k = numerator_of(part), int(part.number)
        above = expanded(minus(times(name(X), diff(n, X)), times(number(k), n)))
        if variable in part.free and above != ZERO:
            found.append(times(derivative(held, own), quotient(above, X, k + 1, part.parts[0]), diff(part.parts[0], variable)))
    return subs(plus(*map(simple, found)), inner)


def _held(term: Term, inner: dict[str, Term]) -> Term:
    """The term with names for the quotients in it."""
    if term.head == "Quotient":
        own = next((k for k, part in inner.items() if part == term), f"\0d{len(inner)}")
        inner[own] = term
        return name(own)
    return rebuilt(term, tuple(_held(part, inner) for part in term.parts)) if term.parts else term
