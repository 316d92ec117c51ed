"""Terms of +, *, Max, Min, AtMost, Ranked, Sum and of functions, up to the laws of a commutative ring.

Each has a value wherever its variables and its functions have: there is no division but by numbers.  So x - x is 0 here.

>>> from asymp.kernel.terms import read
>>> str(normal(read("2*(x + y) - x*2 + Max(1, y + 0, 1)"))), str(normal(read("AtMost(i + 1, i)")))
('Max(y, 1) + 2*y', '0')
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from operator import attrgetter

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.summation import generalised
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, negative, number, rebuilt
from asymp.language.names import BINDERS

Polynomial = dict[tuple[Term, ...], mpq]
Fact = tuple[Term, str, Term]
"""f <= g, f < g or f = g, both sides normal."""
KNOWN = frozenset({"number", "name", "bound", "sum", "product", "power", "Max", "Min", "AtMost", "Ranked", "Sum"})
MOST_MONOMIALS = 400
HIGHEST_POWER = 6


@lru_cache(maxsize=100_000)
def normal(term: Term) -> Term:
    """The term in normal form.

    Raises:
        Refused: a division, an infinite sum, or too many parts.
    """
    return _term(polynomial(term))


def polynomial(term: Term) -> Polynomial:
    """A term as a polynomial in what is no sum and no product, with parts that are normal."""
    match term.head:
        case "number":
            return {(): term.number} if term.number else {}
        case "sum":
            return total((mpq(1), polynomial(part)) for part in term.parts)
        case "product":
            found: Polynomial = {(): mpq(1)}
            for part in term.parts:
                found = _times(found, polynomial(part))
            return found
        case "power":
            base, exponent = term.parts
            if not exponent.is_number or exponent.number not in range(2, HIGHEST_POWER + 1):
                raise Refused(f"the power {term} is none that order theory knows")
            return polynomial(multiply(*[base] * int(exponent.number)))
        case "Max" | "Min":
            return _extreme(term)
        case "AtMost":
            low, high = term.parts
            gap = normal(add(high, negative(low)))
            if gap.is_number:
                return {(): mpq(1)} if gap.number >= 0 else {}
            return {(Term("AtMost", (ZERO, gap)),): mpq(1)}
    if term == terms.name("oo"):
        raise Refused("oo is no number")
    return {(rebuilt(term, tuple(map(normal, term.parts))) if term.parts else term,): mpq(1)}


def _extreme(term: Term) -> Polynomial:
    parts = list(dict.fromkeys(map(normal, term.parts)))
    numbers = [part.number for part in parts if part.is_number]
    if numbers:
        parts = [part for part in parts if not part.is_number] + [number((max if term.head == "Max" else min)(numbers))]
    if len(parts) == 1:
        return polynomial(parts[0])
    return {(Term(term.head, tuple(sorted(parts, key=attrgetter("order")))),): mpq(1)}


def total(parts: Iterable[tuple[mpq, Polynomial]]) -> Polynomial:
    """The sum of multiples of polynomials."""
    found: Polynomial = {}
    for c, part in parts:
        for powers, k in part.items():
            found[powers] = found.get(powers, mpq(0)) + c * k
    return _short({powers: k for powers, k in found.items() if k})


def _times(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for one, c in a.items():
        for other, k in b.items():
            powers = tuple(sorted((*one, *other), key=attrgetter("order")))
            found[powers] = found.get(powers, mpq(0)) + c * k
    return _short({powers: k for powers, k in found.items() if k})


def _short(found: Polynomial) -> Polynomial:
    if len(found) > MOST_MONOMIALS:
        raise Refused("a polynomial of too many parts")
    return found


def _term(found: Polynomial) -> Term:
    return add(*(multiply(number(c), *powers) if c != 1 or not powers else multiply(*powers) for powers, c in found.items()))


@lru_cache(maxsize=100_000)
def gap(fact: Fact) -> Polynomial:
    """g - f, of a comparison of f and g."""
    return total([(mpq(1), polynomial(fact[2])), (mpq(-1), polynomial(fact[0]))])


def replaced(term: Term, old: Term, new: Term) -> Term:
    """The normal term with a term for each occurrence of a part; neither holds bound variables."""
    return normal(generalised.replaced(term, old, new))


def interpreted(term: Term, meanings: Mapping[str, tuple[tuple[str, ...], Term]]) -> Term:
    """The term with terms (without binders) in their arguments for functions."""
    parts = tuple(interpreted(part, meanings) for part in term.parts)
    if term.head in meanings:
        arguments, body = meanings[term.head]
        return terms.substitute(body, dict(zip(arguments, parts, strict=True)))
    return rebuilt(term, parts) if parts else term


def only_of(term: Term, arity: Mapping[str, int]) -> None:
    """That a term is made of what is known here and of these functions.

    Raises:
        Refused: it is not.
    """
    for part in terms.walk(term):
        wanted = {"AtMost": 2, "Ranked": 4, "Sum": 3}.get(part.head, len(part.parts)) if part.head in KNOWN else None
        if part.head in arity:
            wanted = arity[part.head]
        if wanted is None or wanted != len(part.parts):
            raise Refused(f"{part.head} of {len(part.parts)} arguments is nothing that order theory knows")


def has_binder(term: Term) -> bool:
    """Whether a binder stands in it."""
    return any(part.head in BINDERS for part in terms.walk(term))


__all__ = ["ONE", "ZERO", "Fact", "Polynomial", "gap", "has_binder", "interpreted", "normal", "only_of", "replaced", "total"]
