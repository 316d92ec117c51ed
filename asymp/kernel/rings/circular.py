"""Sine, cosine and tangent at rational multiples of pi.

By their periods and reflections (DLMF 4.16.1, Table 4.16.1) the multiple is taken between 0 and 1/2; there the values at
0, 1/6, 1/4, 1/3 and 1/2 are those of DLMF Table 4.17.1.

>>> from asymp.kernel.terms import read
>>> [str(circular(read(text))) for text in ("sin(7*pi/6)", "cos(-pi/4)", "tan(2*pi/3)", "sin(pi*3/5)", "cos(pi/5)", "sin(2)")]
['-1/2', '2^(-1/2)', '-3^(1/2)', 'cos(1/10*pi)', 'None', 'None']
>>> circular(read("tan(pi/2)"))
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: tan has a pole there
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.rings.ratio import ONE_POLY, Ratio, atom, leading, rational
from asymp.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    call,
    multiply,
    name,
    negative,
    number,
    power,
    reciprocal,
    walk,
)
from asymp.kernel.trust import rests_on

PI, HALF = name("pi"), mpq(1, 2)
_POLYNOMIAL = frozenset({"number", "name", "sum", "product", "power"})
SINES = {mpq(0): ZERO, mpq(1, 6): number(HALF), mpq(1, 4): power(number(2), number(-HALF)),
         mpq(1, 3): multiply(number(HALF), power(number(3), number(HALF))), HALF: ONE}  # fmt: skip
"""sin(r*pi)."""


def multiple(term: Term) -> mpq | None:
    """r of r*pi."""
    if term in (ZERO, PI):
        return mpq(term == PI)
    rest = [part for part in term.parts if part != PI]
    return (
        rest[0].number
        if term.head == "product" and len(term.parts) == 2 and len(rest) == 1 and rest[0].is_number
        else None
    )


def circular(term: Term) -> Term | None:
    """The value of a sine, a cosine or a tangent at a rational multiple of pi, or the same at one between 0 and 1/4.

    None where nothing is known, or the term is as simple as it can be.

    Raises:
        Refused: the tangent has a pole there.
    """
    if term.head not in ("sin", "cos", "tan") or len(term.parts) != 1 or (r := multiple(term.parts[0])) is None:
        return None
    if term.head == "tan":
        sine, cosine = _sine(r), _sine(HALF - r)
        if cosine == ZERO:
            raise Refused("tan has a pole there")
        if any(part.head in ("sin", "cos") for one in (sine, cosine) for part in (one, *one.parts)):
            return None
        return multiply(sine, reciprocal(cosine))
    found = _sine(r if term.head == "sin" else HALF - r)
    return None if found == term else found


def turned(term: Term, whole: AbstractSet[str]) -> Term:
    """(-1)^m sin(r*pi) for sin((m + r)*pi), m a polynomial in whole names with whole coefficients and r a number; so of cos.

    >>> from asymp.kernel.terms import read
    >>> [str(turned(read(t), {"k", "n"})) for t in ("cos(2*pi*k)", "cos(pi*(k*n + 1/3))", "sin(pi*k - 3*pi)", "cos(pi*k/2)")]
    ['1', '1/2*(-1)^(k*n)', '0', 'cos(1/2*k*pi)']
    """
    if term.head not in ("sin", "cos") or len(term.parts) != 1:
        return term
    odd, rest = list[Term](), mpq(0)
    for part in _addends(term.parts[0]):
        factors = part.parts if part.head == "product" else (part,)
        others = multiply(*(one for one in factors if one != PI))
        if sum(one == PI for one in factors) != 1:
            return term
        for m in _addends(others):
            scale = next((one.number for one in (m, *m.parts) if m.head in ("number", "product") and one.is_number), mpq(1))
            if m.is_number:
                rest += m.number
            elif not (is_whole(m, whole) and all(one.head in _POLYNOMIAL for one in walk(m))):
                return term
            elif scale % 2:
                odd.append(m)
    found = _sine(rest if term.head == "sin" else HALF - rest)
    return found if found == ZERO or not odd else multiply(power(number(-1), add(*odd)), found)


def _addends(term: Term) -> tuple[Term, ...]:
    return term.parts if term.head == "sum" else (term,)


def reflected(head: str, parts: Sequence[Ratio]) -> tuple[int, int] | None:
    """a and b of f(x) = a + b f(-x), where x has a leading coefficient below 0: by the table's parity, or DLMF 7.4.2.

    >>> reflected("cos", [atom(name("x"))]), reflected("sin", [-atom(name("x"))]), reflected("erfc", [-atom(name("x"))])
    (None, (0, -1), (2, -1))
    """
    row = NAMED.get(head)
    if len(parts) != 1 or row is None or not parts[0].num or parts[0].num[leading(parts[0].num)] >= 0:
        return None
    if head == "erfc":
        rests_on("DLMF 7.4.2")
        return 2, -1
    return (0, row.parity) if row.parity and row.source.startswith("4.") and parts[0].den == ONE_POLY else None


def signs(head: str, u: Ratio, of: Callable[[Ratio], frozenset[int]]) -> frozenset[int]:
    """Those that sin, cos or tan of a value may have, by ``of``: those of a value.

    sin is not negative from 0 to pi, cos from -pi/2 to pi/2, and both are positive inside; sin is odd.
    """
    if head == "tan":
        return frozenset(a * b for a in signs("sin", u, of) for b in signs("cos", u, of))
    if head == "cos":
        half = atom(PI) * rational(HALF)
        found = of(half + u) | of(half - u)
        return found if found <= {0, 1} else frozenset({-1, 0, 1})
    for x, sign in ((u, 1), (-u, -1)):
        found = of(x) | of(atom(PI) - x)
        if found <= {0, 1}:
            return frozenset(sign * one for one in found)
    return frozenset({-1, 0, 1})


def _sine(r: mpq) -> Term:
    """sin(r*pi): an exact value, or a sine or a cosine at a multiple between 0 and 1/4, or the opposite of one."""
    r %= 2
    sign, r = (-1, r - 1) if r >= 1 else (1, r)
    r = min(r, 1 - r)
    if r in SINES:
        found = SINES[r]
    elif r < mpq(1, 4):
        found = call("sin", multiply(number(r), PI))
    else:
        found = call("cos", multiply(number(HALF - r), PI))
    return negative(found) if sign == -1 else found
