"""How small a number made of rational numbers and roots can be without being 0.

For E made of rational numbers by +, * and roots of positive numbers let d > 0 be whole with d E an algebraic integer, u a bound
of |E| and of all its conjugates, and D the product of the degrees of the roots in it, which is at least the degree of E.  The
product of the conjugates of d E is a whole number, so that E = 0 or |E| >= d^(-D) u^(1 - D).

A conjugate of a^(1/k) is a k-th root of one of a's, so that u(a^(1/k)) = u(a)^(1/k); and (d a^(1/k))^k = d^(k - 1) (d a).

>>> from asymp.kernel.terms import read
>>> separation(read("sqrt(2) + sqrt(3) + -1*sqrt(5 + 2*sqrt(6))"))
107
>>> separation(read("sqrt(2) + exp(1)")) is None
True
"""

from __future__ import annotations

from math import lcm

from gmpy2 import mpq

from asymp.kernel.terms import Refused, Term

MOST_BITS = 4_000


def separation(term: Term) -> int | None:
    """Bits B so that the number is 0 or at least 2^(-B) in size; None where it is not made so, or they are too many."""
    roots: set[tuple[Term, int]] = set()
    try:
        u, d = _bounds(term, roots)
    except Refused:
        return None
    degree = 1
    for _, k in roots:
        degree *= k
        if degree > MOST_BITS:
            return None
    bits = degree * d.bit_length() + (degree - 1) * max(u, 0) + 1
    return bits if bits <= MOST_BITS else None


def _bounds(term: Term, roots: set[tuple[Term, int]]) -> tuple[int, int]:
    """(b, d): all conjugates are at most 2^b in size, and d times the number is an algebraic integer.

    Raises:
        Refused: it is not made of rational numbers and roots.
    """
    match term.head:
        case "number":
            p, q = abs(int(term.number.numerator)), int(term.number.denominator)
            return p.bit_length() - q.bit_length() + 1, q
        case "sum":
            parts = [_bounds(part, roots) for part in term.parts]
            return max(b for b, _ in parts) + (len(parts) - 1).bit_length(), lcm(*(d for _, d in parts))
        case "product":
            b, d = 0, 1
            for part in term.parts:
                more, times_d = _bounds(part, roots)
                b, d = b + more, d * times_d
                if d.bit_length() > MOST_BITS:
                    raise Refused("too large a denominator")
            return b, d
        case "power":
            base, exponent = term.parts
            if not exponent.is_number or abs(exponent.number) > MOST_BITS:
                raise Refused("a power that is no root")
            e = exponent.number
            if base.is_number and base.number > 0 and e < 0:
                base, e = Term("number", number=mpq(base.number.denominator, base.number.numerator)), -e
            if e < 0:
                raise Refused("a reciprocal")
            times, k = int(e.numerator), int(e.denominator)
            b, d = _bounds(base, roots)
            if d.bit_length() * times > MOST_BITS:
                raise Refused("too large a denominator")
            if k > 1:
                roots.add((base, k))
            return -(-b * times // k), d**times
    raise Refused("no root")
