"""Evidence that an equation has exactly one root in an open range: the changes of sign that are seen.

* two changes of sign refute it: between numbers of different sign a continuous function has a zero;
* one change of sign supports it (that the slope has one sign is for the kernel to prove: :mod:`asymp.prove.roots`);
* the different roots of a polynomial are counted by Sturm's theorem, also those at which it does not change its sign.

>>> from asymp.parse import parse_statement
>>> found = evidence(parse_statement("x*exp(x) = 3 has one root x in (0, oo)"))
>>> found[0].outcome.value, found[0].strength.value
('holds', 'supported')
"""

from __future__ import annotations

import itertools
from fractions import Fraction

from gmpy2 import mpq

from asymp.claim import Evidence, Outcome, Root, Strength, Witness
from asymp.domain import Interval
from asymp.enclosure import InputError, Undecided, ball
from asymp.kernel.facts.context import Context
from asymp.kernel.terms import Term, multiply, walk
from asymp.meaning.whole import polynomial
from asymp.parse.at import term_of

BITS = 256
MOST_DEGREE = 40
INSIDE = 48
"""Points of a finite range at which the sign is asked."""
_ROUGH = frozenset({"floor", "ceiling", "Abs", "sign", "Min", "Max"})


def evidence(relation: Root) -> list[Evidence]:
    """One line: proved, refuted by certified signs, or supported by one change of sign that was seen."""
    term, name = term_of(relation.difference), relation.variable
    interval = relation.domain.ranges[name]
    if any(part.head in _ROUGH for part in walk(term)):
        return [_line(Outcome.UNDECIDED, Strength.NONE, "not a smooth function of its one variable")]
    if term.free != {name}:
        return [_line(Outcome.UNDECIDED, Strength.NONE, "numbers say nothing of an equation with parameters")]
    signs = [(point, sign) for point in _points(interval) if (sign := _sign(term, name, point)) is not None]
    zeros = [point for point, sign in signs if sign == 0]
    strict = [(point, sign) for point, sign in signs if sign]
    changes = [(a, b) for (a, s), (b, t) in itertools.pairwise(strict) if s != t]
    witnesses = tuple(_witness(term, name, point) for pair in changes[:2] for point in pair)
    isolated = [z for z in zeros if not any(a < z < b for a, b in changes)]
    if len(changes) + len(isolated) > 1:
        where = "; ".join(f"between {a} and {b}" for a, b in changes[:3]) or ", ".join(map(str, zeros))
        return [_line(Outcome.REFUTED, Strength.CERTIFIED, f"more than one root: {where}", witnesses)]
    if (count := counted(term, name, interval)) is not None:
        detail = f"{count} different root{'s' * (count != 1)} in the range, by Sturm's theorem"
        if count == 1:
            return [Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, detail, witnesses)]
        return [_line(Outcome.REFUTED, Strength.CERTIFIED, detail, witnesses)]
    if not changes and not zeros:
        return [_line(Outcome.UNDECIDED, Strength.NONE, "no change of sign is seen")]
    return [_line(Outcome.HOLDS, Strength.SUPPORTED, "one change of sign is seen; no other is excluded", witnesses)]


def counted(term: Term, name: str, interval: Interval) -> int | None:
    """The number of different roots in an open range, of a multiple of a polynomial with rational coefficients; else None.

    In the sequence p, p', and then each remainder with its sign changed, as many changes of sign are lost from a to b as p
    has roots in (a, b], where p(a) != 0 (Sturm's theorem).

    >>> from asymp.kernel.terms import read
    >>> counted(read("pi*(x - 1)^2*(x - 2)"), "x", Interval(Fraction(0), True, Fraction(2), True))
    1
    """
    factors = term.parts if term.head == "product" else (term,)
    found = polynomial(multiply(*(f for f in factors if f.free or 0 in Context().signs(f))), {name})
    if not found or any(k.denominator != 1 or k < 0 for powers in found for _, k in powers):
        return None
    degrees = {int(powers[0][1]) if powers else 0: c for powers, c in found.items()}
    if not 0 < max(degrees) <= MOST_DEGREE:
        return None
    p = [degrees.get(k, mpq(0)) for k in range(max(degrees), -1, -1)]
    ends = [None if end is None else mpq(end.numerator, end.denominator) for end in (interval.low, interval.high)]
    for end in ends:
        while end is not None and len(p) > 1 and not _at(p, end):
            p = _divided(p, [mpq(1), -end])[0]
    chain = [p, [c * k for c, k in zip(p, range(len(p) - 1, 0, -1), strict=False)]]
    while any(chain[-1]):
        chain.append([-c for c in _divided(chain[-2], chain[-1])[1]])
    low, high = (_changes([_sign_at(q, end, side) for q in chain if any(q)]) for end, side in zip(ends, (-1, 1), strict=True))
    return low - high


def _at(p: list[mpq], x: mpq) -> mpq:
    found = mpq(0)
    for c in p:
        found = found * x + c
    return found


def _divided(p: list[mpq], q: list[mpq]) -> tuple[list[mpq], list[mpq]]:
    """Quotient and remainder, the highest coefficients first; that of q is not 0."""
    rest, quotient = list(p), []
    while len(rest) >= len(q):
        c = rest[0] / q[0]
        quotient.append(c)
        rest = [a - c * (q[k] if k < len(q) else 0) for k, a in enumerate(rest)][1:]
    while rest and not rest[0]:
        rest = rest[1:]
    return quotient, rest


def _sign_at(q: list[mpq], end: mpq | None, side: int) -> int:
    """The sign at an end, or far out on that side."""
    value = _at(q, end) if end is not None else q[0] * (side if len(q) % 2 == 0 else 1)
    return (value > 0) - (value < 0)


def _changes(signs: list[int]) -> int:
    return sum(a != b for a, b in itertools.pairwise([s for s in signs if s]))


def _line(outcome: Outcome, strength: Strength, detail: str, points: tuple[Witness, ...] = ()) -> Evidence:
    return Evidence("enclosed", outcome, strength, detail, points)


def _points(interval: Interval) -> list[Fraction]:
    """Points of the range in order: evenly inside, near its ends, and far out where it is infinite."""
    far = [Fraction(10) ** k for k in (1, 2, 4, 8)]
    near = [1 / step for step in far]
    if interval.low is not None and interval.high is not None:
        width = interval.high - interval.low
        inner = [interval.low + width * k / (INSIDE + 1) for k in range(1, INSIDE + 1)]
        inner += [interval.low + width * step for step in near] + [interval.high - width * step for step in near]
    elif interval.low is not None:
        inner = [interval.low + step for step in (*near, *(Fraction(k, 4) for k in range(1, INSIDE)), *far)]
    elif interval.high is not None:
        inner = [interval.high - step for step in (*near, *(Fraction(k, 4) for k in range(1, INSIDE)), *far)]
    else:
        inner = [Fraction(k, 4) for k in range(-INSIDE, INSIDE + 1)] + far + [-step for step in far]
    return sorted(set(inner))


def _sign(term: Term, name: str, point: Fraction) -> int | None:
    """The certified sign, None where it is not known."""
    try:
        found = ball(term, {name: point}, BITS)
    except (Undecided, InputError, ArithmeticError, ValueError, TypeError):
        return None
    if found > 0 or found < 0:
        return 1 if found > 0 else -1
    return 0 if found == 0 else None


def _witness(term: Term, name: str, point: Fraction) -> Witness:
    found = ball(term, {name: point}, BITS)
    return Witness({name: str(point)}, str(found.mid())[:40], str(found.rad())[:20])
