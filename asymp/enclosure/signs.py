"""The signs that a term may have where it is defined, read off its parts.

>>> signs(read("x*exp(-y) + log(1 + x)"), frozenset("x")), sorted(signs(read("y^2 + 1")))
(frozenset({1}), [1])
"""

from __future__ import annotations

from asymp.enclosure.algebra import OO, PI, E, minus, simple, whole
from asymp.enclosure.enclose import ball
from asymp.enclosure.fields import is_identity
from asymp.enclosure.numbers import Undecided
from asymp.functions.table import NAMED
from asymp.kernel.terms import ONE, Term, read

BITS = 128
ANY = frozenset({-1, 0, 1})
_PLUS = frozenset({1})


def signs(term: Term, positive: frozenset[str] = frozenset()) -> frozenset[int]:
    """The signs that a term may have where it is defined, for positive values of some names."""
    if not term.free:
        return _of_number(term)
    parts = term.parts
    match term.head:
        case "name":
            return _PLUS if term.name in positive else ANY
        case "sum":
            several = [signs(part, positive) for part in parts]
            for s in (1, -1):
                if all(-s not in one for one in several):
                    return frozenset({s}) if any(one == {s} for one in several) else frozenset({0, s})
            return ANY
        case "product":
            found = _PLUS
            for part in parts:
                found = frozenset(a * b for a in found for b in signs(part, positive))
            return found
        case "power":
            base, n = signs(parts[0], positive), whole(parts[1])
            if n is not None:
                return frozenset(s ** abs(n) for s in base if s or n > 0)
            return _PLUS if base == _PLUS else frozenset({0, 1})  # real only of a base that is not negative
        case "log":
            return signs(minus(parts[0], ONE), positive)
        case "gamma" | "factorial" if signs(parts[0], positive) <= {0, 1}:
            return _PLUS
    row = NAMED.get(term.head)
    if row is None or len(parts) != row.least:
        return ANY
    least = row.values.low
    if least and _of_number(read(least)) <= {0, 1}:
        return _PLUS if row.values.low_open or _of_number(read(least)) == _PLUS else frozenset({0, 1})
    return signs(parts[-1], positive) if row.rises_from_zero or row.signed else ANY


def _of_number(term: Term) -> frozenset[int]:
    if term.is_number:
        return frozenset({(term.number > 0) - (term.number < 0)})
    if term in (E, PI, OO):
        return _PLUS
    try:
        value = ball(term, {}, BITS)
    except Undecided:
        return ANY
    return _PLUS if value > 0 else frozenset({-1}) if value < 0 else frozenset({0}) if is_identity(simple(term)) else ANY
