"""The shape of a summand: a sum of terms ``c * x^k * (k + a)^s * harmonic(k)^j * log(k + a)^l``, and sums in other forms.

What does not depend on the index is not multiplied out.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.enclosure import algebra as al
from asymp.enclosure.algebra import minus, negative, plus, raised, subs, times, whole
from asymp.enclosure.calculus import expanded, is_polynomial, is_rational, line
from asymp.enclosure.fields import degree, factored, is_identity, parts
from asymp.enclosure.plan import Builder
from asymp.kernel.terms import ONE, ZERO, Refused, Term, name, number, walk
from asymp.kernel.terms import read as read

MOST_SHAPES = 400


@dataclass(frozen=True)
class Shape:
    """x^k (k + shift)^power log(k + shift)^logs harmonic(k)^harmonics, with ``rate`` = ln x."""

    rate: Term = ZERO
    shift: Term = ZERO
    power: Term = ZERO
    logs: int = 0
    harmonics: int = 0


@uncounted
@lru_cache(maxsize=512)
def shapes(body: Term, index: str, powers: bool = True) -> dict[Shape, tuple[Term, ...]] | None:
    """The summand's terms (shape -> coefficients to be added), or None if it has another form.

    With ``powers`` those of sums are multiplied out.

    >>> [(str(shape.power), str(*c)) for shape, c in shapes(read("(n + 1)*k^2*(k + a)"), "k").items()]
    [('3', 'n + 1'), ('2', 'a*(n + 1)')]
    """
    below, own = Term("harmonic", (minus(name(index), ONE),)), Term("harmonic", (name(index),))
    found: dict[Shape, list[Term]] = {}
    try:
        body = al.replace(body, lambda part: minus(own, raised(name(index), negative(ONE))) if part == below else None)
        for term in al.summands(expanded(body, index, powers)):
            one = _shape(term, index)
            if one is None:
                return None
            found.setdefault(one[0], []).append(one[1])
    except Refused:
        return None
    return {shape: tuple(c) for shape, c in found.items()} if len(found) <= MOST_SHAPES else None


def _shape(term: Term, index: str) -> tuple[Shape, Term] | None:
    rate, shift, power, logs, harmonics = ZERO, None, ZERO, 0, 0
    c, moving = al.apart(term, index)
    for factor in al.factors(moving) if moving != ONE else ():
        base, exponent = al.base_and_exponent(factor)
        if index not in base.free:
            straight = line(exponent, index)
            if straight is None:
                return None
            rate, c = plus(rate, times(straight[0], al.log_of(base))), times(c, raised(base, straight[1]))
            continue
        n = whole(exponent)
        if base == Term("harmonic", (name(index),)) and n is not None and n > 0:
            harmonics += n
            continue
        is_log = base.head == "log" and n is not None and n > 0
        straight = line(base.parts[0] if is_log else base, index)
        if straight is None or straight[0] == ZERO or index in exponent.free or (is_log and straight[0] != ONE):
            return None
        here = al.over(straight[1], straight[0])
        shift = here if shift is None else shift
        if not is_identity(minus(shift, here)):
            return None
        if is_log:
            logs += n or 0
        else:
            power, c = plus(power, exponent), times(c, raised(straight[0], exponent))
    return Shape(rate, shift or ZERO, power, logs, harmonics), c


def places(builder: Builder, terms: Iterable[Term]) -> int:
    """The place of a sum of terms that is not written as one."""
    return builder.add([builder.place(term) for term in terms])


def gammas(term: Term) -> list[tuple[Term, int]] | None:
    """Arguments of Gamma and its powers whose product the term is."""
    match term.head:
        case "gamma":
            return [(term.parts[0], 1)]
        case "factorial":
            return [(plus(term.parts[0], ONE), 1)]
        case "binomial":
            n, k = term.parts
            return [(plus(n, ONE), 1), (plus(k, ONE), -1), (plus(minus(n, k), ONE), -1)]
        case "catalan":
            (n,) = term.parts
            return [(plus(n, n, ONE), 1), (plus(n, ONE), -1), (plus(n, number(mpq(2))), -1)]
        case "rf":
            x, n = term.parts
            return [(plus(x, n), 1), (x, -1)]
    return None


def tidied(term: Term) -> Term:
    """The polynomials in a term multiplied out, as far as they stand in one.

    >>> str(tidied(read("1/(n - (n - k))")))
    'k^(-1)'
    """
    return al.replace(term, lambda part: expanded(part) if part.head == "sum" and is_polynomial(part, *part.free) else None)


def backwards(body: Term, index: str, low: Term, high: Term) -> Term | None:
    """The sum of f(c - k) for the c that leaves the fewest variables; None where none leaves fewer.

    >>> str(backwards(read("1/(n - k)"), "k", read("1"), read("n - 1")))
    'Sum(b0^(-1), (b0, 1, n - 1))'
    """
    variables = body.free - {index}
    centres = {plus(low, high)}
    for part in walk(body):
        if part.head == "sum" and index in part.free:
            straight = line(part, index)
            if straight is not None and straight[0] == negative(ONE):
                centres.add(straight[1])
    best, least = None, _occurrences(body, variables)
    for c in sorted(centres, key=lambda one: one.order):
        moved = tidied(subs(body, {index: minus(c, name(index))}))
        count = _occurrences(moved, variables)
        if count < least:
            best, least = al.binder("Sum", moved, index, expanded(minus(c, high)), expanded(minus(c, low))), count
    return best


def _occurrences(term: Term, variables: Set[str]) -> int:
    return sum(1 for part in walk(term) if part.head == "name" and part.name in variables)


# --- alternating signs: two terms at a time ------------------------------------------------------
#
# sum_(k=a..b) (-1)^(k + c) f(k) = (-1)^(a + c) (sum_(j=1..m) (f(a + 2j - 2) - f(a + 2j - 1)) + (b - a + 1 - 2m) f(b)),
# m the whole part of (b - a + 1)/2.


def unsigned(body: Term, index: str) -> tuple[Term, int] | None:
    """(f without its sign, c) for a summand (-1)^(k + c) f(k), c an integer; None for others.

    >>> several = [unsigned(read(text), "k") for text in ("(-1)^(k + 1)/k", "(-2)^k", "1/k")]
    >>> [found and (str(found[0]), found[1]) for found in several]
    [('k^(-1)', 1), ('2^k', 0), None]
    """
    shift, rest, odd = 0, [], False
    for factor in al.factors(body):
        base, exponent = al.base_and_exponent(factor)
        if not (base.is_number and base.number < 0 and index in exponent.free):
            rest.append(factor)
            continue
        straight = line(exponent, index)
        if straight is None or whole(straight[0]) not in (1, -1) or (offset := whole(straight[1])) is None:
            return None
        odd = not odd
        shift += offset
        rest.append(raised(number(-base.number), exponent))
    return (times(*rest), shift % 2) if odd else None


def pairs(body: Term, index: str, low: Term) -> Term:
    """f(low + 2k - 2) - f(low + 2k - 1): two terms of the sum of (-1)^(k - low) f(k), for k = 1, 2, ..."""
    doubled = plus(low, times(number(2), name(index)))
    difference = minus(*(tidied(subs(body, {index: plus(doubled, number(mpq(-k)))})) for k in (2, 1)))
    return factored(difference) if is_rational(difference, index) else difference


def vanishes(body: Term, index: str) -> bool:
    """Whether f is seen to tend to 0: a rational function, or powers and logarithms of k + a.

    >>> vanishes(read("log(k)*k^(-1/2)"), "k"), vanishes(read("1 + 1/k"), "k")
    (True, False)
    """
    if is_rational(body, index):
        top, bottom = (degree(part, index) for part in parts(body))
        return top is not None and bottom is not None and top < bottom
    power = mpq(0)
    for factor in al.factors(body):
        base, exponent = al.base_and_exponent(factor)
        inner = base.parts[0] if base.head == "log" else base
        if index not in factor.free:
            continue
        if not exponent.is_number or not is_polynomial(inner, index) or degree(inner, index) != 1:
            return False
        if inner is base:
            power += exponent.number
    return bool(power < 0)
