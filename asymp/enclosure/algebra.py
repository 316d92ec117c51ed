"""Algebra on terms: constructors that collect what is alike, functions at known values, substitution.

What is equal where all of it is defined is written alike: x - x is 0 and x/x is 1 here, which they are not for a theorem.
Plans of what was typed are made of it as it stands; this is for the methods, which take a body apart.

>>> x = name("x")
>>> str(times(x, raised(x, number(2)), read("exp(x)*exp(-x)"))), plus(x, negative(x)) == ZERO
('x^3', True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import factorial

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.enclosure.functions import is_real
from asymp.enclosure.numbers import to_fmpq
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.rings.ratio import primes
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, opened, read, walk
from asymp.language.names import BINDERS

E, OO, PI = name("E"), name("oo"), name("pi")
MINUS_ONE = number(-1)
MINUS_OO = terms.negative(OO)
SHORT_BITS = 64
"""Of numbers of which logarithms and roots are written by their prime factors."""
MOST_MULTIPLIED = 400
"""k of a k! that is written as a number."""


# --- how a term is made ----------------------------------------------------------------------------


def summands(term: Term) -> tuple[Term, ...]:
    """What it is the sum of."""
    return term.parts if term.head == "sum" else (term,)


def factors(term: Term) -> tuple[Term, ...]:
    """What it is the product of."""
    return term.parts if term.head == "product" else (term,)


def base_and_exponent(term: Term) -> tuple[Term, Term]:
    """b and e of b^e, which everything is.

    >>> [str(part) for part in base_and_exponent(read("exp(2*x)"))]
    ['E', '2*x']
    """
    if term.head == "power":
        return term.parts[0], term.parts[1]
    return (E, term.parts[0]) if term.head == "exp" else (term, ONE)


def log_of(base: Term) -> Term:
    """ln b, as it stands."""
    return ONE if base == E else Term("log", (base,))


def whole(term: Term) -> int | None:
    """The whole number that it is written as."""
    return int(term.number) if term.is_number and term.number.denominator == 1 else None


def coefficient(term: Term) -> tuple[mpq, Term]:
    """A rational number, and what it is multiplied by."""
    if term.is_number:
        return term.number, ONE
    if term.head == "product":
        for k, part in enumerate(term.parts):
            if part.is_number:
                return part.number, terms.multiply(*term.parts[:k], *term.parts[k + 1 :])
    return mpq(1), term


def apart(term: Term, variable: str) -> tuple[Term, Term]:
    """The factors without a variable, and those with it.

    >>> [str(part) for part in apart(read("2*n*exp(x)*x"), "x")]
    ['2*n', 'exp(x)*x']
    """
    parts = factors(term)
    return tuple(terms.multiply(*(p for p in parts if (variable in p.free) is held)) for held in (False, True))  # type: ignore[return-value]


def plus(*several: Term) -> Term:
    """A sum, in which like terms are one (Refused: oo - oo)."""
    total = mpq(0)
    found: dict[Term, mpq] = {}
    for term in several:
        for part in summands(term):
            c, rest = coefficient(part)
            for one in summands(rest):  # c (a + b)
                d, rest = coefficient(one) if one is not rest else (mpq(1), one)
                if rest == ONE:
                    total += c * d
                else:
                    found[rest] = found.get(rest, mpq(0)) + c * d
    if OO in found:
        if found[OO] == 0 or any((part == OO and found[OO] < 0) or (part == MINUS_OO and found[OO] > 0) for part in several):
            raise Refused("oo - oo")
        return OO if found[OO] > 0 else MINUS_OO
    return terms.add(number(total), *(terms.multiply(number(c), rest) for rest, c in found.items() if c))


def negative(term: Term) -> Term:
    """-x."""
    return times(MINUS_ONE, term)


def minus(left: Term, right: Term) -> Term:
    """left - right."""
    return plus(left, negative(right))


def over(top: Term, bottom: Term) -> Term:
    """top/bottom."""
    return times(top, raised(bottom, MINUS_ONE))


def times(*several: Term) -> Term:
    """A product, in which powers of the same are one, and a number before a sum stands before its parts."""
    c = mpq(1)
    found: dict[Term, list[Term]] = {}
    for term in several:
        for part in factors(term):
            if part.is_number:
                c *= part.number
            else:
                base, exponent = base_and_exponent(part)
                found.setdefault(base, []).append(exponent)
    if c == 0:
        if OO in found:
            raise Refused("0 times oo")
        return ZERO
    if OO in found and len(found) == 1 and found[OO] == [ONE]:
        return OO if c > 0 else MINUS_OO
    parts = [raised(base, plus(*e)) if len(e) > 1 else terms.power(base, e[0]) for base, e in found.items()]
    if any(p.head == "product" or p.is_number or base_and_exponent(p)[0] not in found for p in parts):
        return times(number(c), *parts)
    if len(parts) == 1 and parts[0].head == "sum" and c != 1:
        return terms.add(*(terms.multiply(number(c), part) for part in parts[0].parts))
    return terms.multiply(number(c), *parts)


def raised(base: Term, exponent: Term) -> Term:
    """A power (Refused: 0 to a negative power)."""
    n = whole(exponent)
    if n == 0 or base == ONE:
        return ONE
    if n == 1:
        return base
    if base == E:
        return made("exp", (exponent,))
    if base == OO and exponent.is_number:
        return OO if exponent.number > 0 else ZERO
    if base.is_number and exponent.is_number:
        return terms.power(base, exponent) if n is not None else _root(base.number, exponent.number)
    if base.head == "exp":
        return made("exp", (times(base.parts[0], exponent),))
    if base.head == "power" and n is not None:
        return raised(base.parts[0], times(base.parts[1], exponent))
    if base.head == "product":
        if n is not None:
            return times(*(raised(part, exponent) for part in base.parts))
        c, rest = coefficient(base)
        positive = [part for part in factors(rest) if part.head == "exp"]
        if abs(c) != 1 or positive:
            left = times(number(1 if c > 0 else -1), *(part for part in factors(rest) if part.head != "exp"))
            return times(raised(number(abs(c)), exponent), *(raised(part, exponent) for part in positive), raised(left, exponent))
    return terms.power(base, exponent)


def _root(base: mpq, exponent: mpq) -> Term:
    """b^e of numbers, e not whole; of a short b > 0 by its primes, with exponents between 0 and 1."""
    if base == 0:
        if exponent < 0:
            raise Refused("0 to a negative power")
        return ZERO
    if base < 0 or base.numerator.bit_length() + base.denominator.bit_length() > SHORT_BITS:
        return terms.power(number(base), number(exponent))
    c, rest = mpq(1), []
    for prime, k in primes(base):
        e = exponent * k
        least = e.numerator // e.denominator
        if abs(least) > terms.LARGEST_POWER:
            return terms.power(number(base), number(exponent))
        c *= mpq(prime) ** least
        if e != least:
            rest.append(terms.power(number(mpq(prime)), number(e - least)))
    return terms.multiply(number(c), *rest)


def made(head: str, parts: tuple[Term, ...], what: Term | None = None) -> Term:
    """A function of terms, at some of them by its known value (Refused: it is not defined there)."""
    found = _known(head, parts) if what is None or not what.name else None
    if found is not None:
        return found
    return Term(head, parts) if what is None else Term(head, parts, what.number, what.name)


def _known(head: str, parts: tuple[Term, ...]) -> Term | None:
    if len(parts) == 1:
        (x,) = parts
        special = _SPECIAL.get(head)
        if special is not None and (found := special(x)) is not None:
            return found
        row = NAMED.get(head)
        if row is not None:
            if x.is_number and (text := row.values_known.get(str(x.number))) is not None:
                return read(text)
            if row.parity and coefficient(x)[0] < 0:
                return times(number(row.parity), made(head, (negative(x),)))
    if head in NAMED and all(part.is_number for part in parts):
        if not is_real(head, [to_fmpq(p.number) for p in parts]):
            raise Refused(f"{head} is not defined there")
    return None


def _exp(x: Term) -> Term | None:
    if x in (OO, MINUS_OO):
        return OO if x == OO else ZERO
    if x == ZERO:
        return ONE
    logs = [part for part in summands(x) if coefficient(part)[1].head == "log"]
    if not logs:
        return None
    rest = plus(x, *(negative(part) for part in logs))
    return times(made("exp", (rest,)), *(raised(log.parts[0], number(c)) for c, log in map(coefficient, logs)))


def _log(x: Term) -> Term | None:
    if x == OO:
        return OO
    if x == E or x.head == "exp":
        return ONE if x == E else x.parts[0]
    if x.is_number and x.number > 0 and x.number.numerator.bit_length() + x.number.denominator.bit_length() < SHORT_BITS:
        found = primes(x.number)
        if found != [(int(x.number), 1)]:
            return plus(*(terms.multiply(number(k), Term("log", (number(p),))) for p, k in found))
    return None


def _turns(x: Term) -> int | None:
    """k, where x is k pi/2."""
    c, rest = coefficient(x)
    twice = 2 * c
    return int(twice) if rest == PI and twice.denominator == 1 else None


def _circular(shift: int) -> Callable[[Term], Term | None]:
    def value(x: Term) -> Term | None:
        k = _turns(x)
        return None if k is None else number((0, 1, 0, -1)[(k + shift) % 4])

    return value


def _rounded(side: int) -> Callable[[Term], Term | None]:
    def value(x: Term) -> Term | None:
        return number(side * ((side * x.number.numerator) // x.number.denominator)) if x.is_number else None

    return value


def _factorial(x: Term) -> Term | None:
    k = whole(x)
    return number(factorial(k)) if k is not None and 0 <= k <= MOST_MULTIPLIED else None


_SPECIAL: dict[str, Callable[[Term], Term | None]] = {
    "exp": _exp, "log": _log, "sin": _circular(0), "cos": _circular(1), "floor": _rounded(1), "ceiling": _rounded(-1),
    "factorial": _factorial,
}  # fmt: skip


# --- other terms in it -------------------------------------------------------------------------------


def rebuilt(term: Term, parts: tuple[Term, ...]) -> Term:
    """The same of other parts."""
    match term.head:
        case "sum":
            return plus(*parts)
        case "product":
            return times(*parts)
        case "power":
            return raised(*parts)
    return made(term.head, parts, term)


@uncounted
@lru_cache(maxsize=4096)
def simple(term: Term) -> Term:
    """The term as these constructors make it.

    >>> str(simple(read("2*(x + 1) - 2*x")))
    '2'
    """
    return rebuilt(term, tuple(map(simple, term.parts))) if term.parts else term


def subs(term: Term, values: Mapping[str, Term]) -> Term:
    """Terms for variables (Refused: it is not defined there)."""
    if term.free.isdisjoint(values):
        return term
    if term.head == "name":
        return values[term.name]
    return rebuilt(term, tuple(subs(part, values) for part in term.parts))


def replace(term: Term, put: Callable[[Term], Term | None]) -> Term:
    """What ``put`` answers for a part, where that is not None, from the inside out."""
    if term.parts:
        term = rebuilt(term, tuple(replace(part, put) for part in term.parts))
    found = put(term)
    return term if found is None else found


def has(term: Term, *heads: str) -> bool:
    """Whether something of such a head is in it."""
    return any(part.head in heads for part in walk(term))


def fresh(letters: str, *near: Term) -> str:
    """A name that is free in none of the terms."""
    taken = frozenset[str]().union(*(term.free for term in near))
    return next(one for k in range(len(taken) + 1) for one in (f"{c}{k or ''}" for c in letters) if one not in taken)


def binder(head: str, body: Term, variable: str, low: Term, high: Term) -> Term:
    """A sum, a product or an integral over a variable."""
    return Term(head, (_closed(body, variable, 0), low, high))


def _closed(body: Term, variable: str, depth: int) -> Term:
    if variable not in body.free:
        return body
    if body.head == "name":
        return Term("bound", number=mpq(depth))
    inner = depth + 1 if body.head in BINDERS else depth
    first = _closed(body.parts[0], variable, inner)
    return terms.rebuilt(body, (first, *(_closed(part, variable, depth) for part in body.parts[1:])))


_LETTERS = {"Integral": "tsuvw"}


def body_of(term: Term) -> tuple[Term, str, Term, Term]:
    """The body, a name for its variable, and the ends.

    >>> [str(part) for part in body_of(read("Sum(a^k, (k, 1, n))"))]
    ['a^k', 'k', '1', 'n']
    """
    inner, low, high = term.parts
    variable = fresh(_LETTERS.get(term.head, "kjilm"), term)
    return opened(inner, name(variable)), variable, low, high
