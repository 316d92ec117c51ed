"""Sums with what is free of the index before them, and read from their end where that makes factorials of the index alone:

    Sum(binomial(n, k)*k!, (k, 0, n)) = n! Sum(1/(n - k)!, (k, 0, n)) = n! Sum(1/k!, (k, 0, n)).

binomial(u, v) = u!/(v! (u - v)!) for whole 0 <= v <= u, which is seen at the ends of the sum, where v and u - v are linear in k.

>>> str(pulled(terms.read("Sum(n!/k!, (k, 0, n))"), lambda term: True))
'Sum(factorial(b0)^(-1), (b0, 0, n))*factorial(n)'
>>> str(pulled(terms.read("Sum(binomial(n, k)*k!, (k, 0, n))"), lambda term: True))
'Sum(factorial(b0)^(-1), (b0, 0, n))*factorial(n)'
"""

from __future__ import annotations

from collections.abc import Callable

from asymp.kernel import terms
from asymp.kernel.growths.powers import linear
from asymp.kernel.growths.summands import INDEX, OO, I
from asymp.kernel.summation.generalised import bound
from asymp.kernel.terms import ONE, Term, add, call, multiply, negative, number, power

Seen = Callable[[Term], bool]


def pulled(term: Term, positive: Seen) -> Term:
    """The sum so written; itself, where there is nothing to do.

    Args:
        term: a sum that is seen to have a term.
        positive: whether a term that is free of the index is seen to be above 0.
    """
    body, low, high = term.parts
    if INDEX in term.free:
        return term
    factors = list(terms.opened(body, I).parts) if body.head == "product" else [terms.opened(body, I)]
    if sum(_of_index(one) for one in factors) > 1:
        ends = (low,) if high == OO else (low, high)
        found: dict[Term, int] = {}
        others: list[Term] = []
        for one in factors:
            _collect(one, 1, found, others, ends, positive)
        if not all(k or _is_count(x, ends, positive) for x, k in found.items()):
            return term
        factors = others + [power(call("factorial", x), number(k)) for x, k in found.items() if k]
    outside = [one for one in factors if INDEX not in one.free]
    inside = [one for one in factors if INDEX in one.free]
    falls = [way for one in inside for way in _ways(one)]
    if high != OO and falls and max(falls) == -1:
        return multiply(*outside, reversed_sum(total(multiply(*inside), low, high)))
    return multiply(*outside, total(multiply(*inside), low, high)) if outside else term


def reversed_sum(term: Term) -> Term:
    """The same from its end: low + high - k stands for k."""
    body, low, high = term.parts
    return total(_reversed(terms.opened(body, I), low, high), low, high)


def total(body: Term, low: Term, high: Term) -> Term:
    """The sum of a body in the index."""
    return Term("Sum", (bound(body, INDEX), low, high))


def _of_index(term: Term) -> bool:
    """Whether it is a factorial or a binomial of the index, or a power of one."""
    inner = term.parts[0] if term.head == "power" else term
    return inner.head in ("factorial", "binomial") and INDEX in inner.free


def _reversed(term: Term, low: Term, high: Term) -> Term:
    """With low + high - k for k."""
    if INDEX not in term.free:
        return term
    if (line := linear(term)) is not None:
        way, c = line
        return add(c, low, high, negative(I)) if way == 1 else add(_less(_less(c, high), low), I)
    return terms.rebuilt(term, tuple(_reversed(part, low, high) for part in term.parts))


def _less(c: Term, d: Term) -> Term:
    """c - d."""
    parts = list(c.parts if c.head == "sum" else (c,))
    if d in parts:
        parts.remove(d)
        return add(*parts) if parts else terms.ZERO
    return add(c, negative(d))


def _ways(term: Term) -> list[int]:
    """The way of the index in a factorial; 0 where it stands in anything else but powers with exponents in it."""
    inner = term.parts[0] if term.head == "power" and INDEX not in term.parts[1].free else term
    if inner.head == "factorial":
        found = linear(inner.parts[0])
        return [found[0] if found is not None else 1]
    return [] if inner.head == "power" and INDEX not in inner.parts[0].free else [1]


def _collect(
    term: Term, k: int, found: dict[Term, int], others: list[Term], ends: tuple[Term, ...], positive: Seen
) -> None:
    """Of term^k what stands in factorials, with their exponents, and its other factors; binomials are written by factorials."""
    if term.head == "product":
        for part in term.parts:
            _collect(part, k, found, others, ends, positive)
    elif term.head == "power" and (e := term.parts[1]).is_number and e.number.denominator == 1 and e.number:
        _collect(term.parts[0], k * int(e.number), found, others, ends, positive)
    elif term.head == "binomial" and INDEX in term.free and len(term.parts) == 2:
        u, v = term.parts
        lower = (v, add(u, negative(v)))
        if all(_is_count(one, ends, positive) for one in lower):
            for x, way in ((u, k), *((one, -k) for one in lower)):
                found[x] = found.get(x, 0) + way
        else:
            others.append(power(term, number(k)))
    elif term.head == "factorial":
        found[term.parts[0]] = found.get(term.parts[0], 0) + k
    else:
        others.append(power(term, number(k)))


def _is_count(term: Term, ends: tuple[Term, ...], positive: Seen) -> bool:
    """Whether what is k + c, c - k or free of k is seen not to be negative where k is at the ends."""
    line = linear(term) if INDEX in term.free else (0, term)
    if line is None or (line[0] == -1 and len(ends) < 2):
        return False
    return all(positive(add(terms.substitute(term, {INDEX: end}), ONE)) for end in ends)
