"""Coefficients of power series as certified numbers: exact while all are rational, balls otherwise.

>>> body = terms.substitute(terms.read("exp(-z)/(1 - z)"), {"z": Z})
>>> coefficient(body, 4, lambda term: fmpq(int(term.number.numerator), int(term.number.denominator)))
3/8
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb, arb_series, ctx, fmpq, fmpq_series

from asymp.kernel import terms
from asymp.kernel.facts.intervals import Range
from asymp.kernel.rings.power_series import Z, opened, series
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import ARITHMETIC, FLINT, rests_on

MOST = 20_000
"""The highest coefficient that is computed."""
MOST_EXACT = 200
"""Beyond this coefficients with long denominators are balls."""
NAMES = ("exp", "log", "sin", "cos", "sqrt", "inv")
"""Functions of FLINT's series that are used."""
FURTHER = 8
"""Coefficients beyond it, for those that are lost where a series is divided by a power of its variable."""
Number = fmpq | arb
Found = Any
"""A series of FLINT, of rational numbers or of balls."""


def coefficient(term: Term, n: int, value: Callable[[Term], Number]) -> Number:
    """The coefficient of Z^n; ``value``: of terms that do not hold Z.

    Raises:
        Refused: it is not seen to have a power series, or n is large.
    """
    if not 0 <= n <= MOST:
        raise Refused(f"a coefficient beyond {MOST}")
    rests_on(ARITHMETIC, *(f"{FLINT}{kind}_series.{name}" for kind in ("fmpq", "arb") for name in NAMES))
    balls = n > MOST_EXACT and any(map(_long, terms.walk(term)))
    before = ctx.cap
    ctx.cap = n + 1 + FURTHER
    try:
        start, found = series(term, Balls(value, n + FURTHER, balls))
        if not all(found[k] == 0 for k in range(-start)):
            raise Refused("it has a pole at 0")
        if found.prec + start <= n:
            raise Refused("too many coefficients are lost")
        return found[n - start] if n >= start else fmpq(0)
    finally:
        ctx.cap = before


def coefficient_at(
    term: Term, value: Callable[[Term], Range], spend: Callable[[int], None], of_ball: Callable[[arb], Range]
) -> Range:
    """The range of a term [z^n] F, by the ranges of its parts.

    Raises:
        Refused: as for :func:`coefficient`; or n is no number.
    """
    order = value(term.parts[2])
    if not order.is_point or order.low.q != 1:
        raise Refused("a coefficient whose number is not known")
    spend(1 + abs(int(order.low.p)))

    def number(part: Term) -> Number:
        one = value(part)
        return one.low if one.is_point else one.ball

    found = coefficient(opened(term), int(order.low.p), number)
    return Range(found, found) if isinstance(found, fmpq) else of_ball(found)


def _long(part: Term) -> bool:
    """Whether it may have long coefficients: those of exp, log, sin, cos, and powers that are no square roots have."""
    if part.head == "power" and Z.name in part.parts[0].free and part.parts[1].is_number:
        return bool(part.parts[1].number.denominator > 2)
    return part.head in ("exp", "log", "sin", "cos", "power") and Z.name in part.parts[-1].free


Shifted = tuple[int, Found]
"""z^start times a series."""


@dataclass(frozen=True)
class Balls:
    """Series of FLINT, with a power of z before them."""

    value: Callable[[Term], Number]
    order: int
    balls: bool = False

    def constant(self, term: Term) -> Shifted:
        """A term that does not hold the variable."""
        x = self.value(term)
        return 0, fmpq_series([x]) if isinstance(x, fmpq) else arb_series([x])

    def variable(self) -> Shifted:
        """z."""
        return 0, arb_series([0, 1]) if self.balls else fmpq_series([0, 1])

    def add(self, f: Shifted, g: Shifted) -> Shifted:
        """f + g."""
        start = min(f[0], g[0])
        a, b = _alike(*(_moved(h, start) for h in (f, g)))
        return start, a + b

    def times(self, f: Shifted, g: Shifted) -> Shifted:
        """f g."""
        a, b = _alike(f[1], g[1])
        return f[0] + g[0], a * b

    def power(self, f: Shifted, exponent: Term) -> Shifted:
        """A power of f."""
        e = self.value(exponent)
        start, found = _leading(f)
        if isinstance(e, fmpq) and e.q == 1:
            k = int(e.p)
            if k == 0:
                return self.constant(terms.ONE)
            raised = _whole_power(found if k > 0 else _inverse(found), abs(k))
            return start * k, raised
        _positive(start, found)
        if isinstance(found, fmpq_series) and found[0] == 1 and isinstance(e, fmpq):
            if e == fmpq(1, 2):
                return 0, found.sqrt()
            return 0, (found.log() * e).exp()
        return 0, (_balls(found).log() * arb(e)).exp()

    def exp(self, f: Shifted) -> Shifted:
        """exp f."""
        found = _regular(f)
        return 0, found.exp() if isinstance(found, arb_series) or found[0] == 0 else _balls(found).exp()

    def sin(self, f: Shifted) -> Shifted:
        """sin f."""
        found = _regular(f)
        return 0, found.sin() if isinstance(found, arb_series) or found[0] == 0 else _balls(found).sin()

    def cos(self, f: Shifted) -> Shifted:
        """cos f."""
        found = _regular(f)
        return 0, found.cos() if isinstance(found, arb_series) or found[0] == 0 else _balls(found).cos()

    def log(self, f: Shifted) -> Shifted:
        """log f."""
        start, found = _leading(f)
        _positive(start, found)
        return 0, found.log() if isinstance(found, arb_series) or found[0] == 1 else _balls(found).log()


def _balls(found: Found) -> arb_series:
    return found if isinstance(found, arb_series) else arb_series(found)


def _alike(f: Found, g: Found) -> tuple[Found, Found]:
    return (f, g) if type(f) is type(g) else (_balls(f), _balls(g))


def _moved(f: Shifted, start: int) -> Found:
    """The series of a later power of z as one of an earlier one."""
    if f[0] == start:
        return f[1]
    return f[1] * type(f[1])([0] * (f[0] - start) + [1])


def _leading(f: Shifted) -> Shifted:
    """With a first coefficient that is not 0."""
    start, found = f
    for k in range(found.prec):
        if found[k] == 0:  # of a ball: it is 0, exactly
            continue
        if isinstance(found, arb_series) and found[k].contains(0):
            break
        return (start, found) if not k else (start + k, _without(found, k))
    raise Refused("a division by what may be 0 near 0")


def _without(found: Found, k: int) -> Found:
    """What is left of z^k times something: z^k is divided out."""
    kept = [found[j] for j in range(k, found.prec)]
    return type(found)(kept, prec=found.prec - k)


def _inverse(found: Found) -> Found:
    return found.inv() if found.length() > 1 or isinstance(found, arb_series) else type(found)([1 / found[0]], prec=found.prec)


def _whole_power(found: Found, k: int) -> Found:
    """A power, by squares."""
    if k > 64 and found[0] > 0:
        balls = _balls(found)
        return (balls.log() * k).exp()
    total, base = type(found)([1]), found
    while k:
        total = total * base if k % 2 else total
        base, k = (base * base if k > 1 else base), k // 2
    return total


def _positive(start: int, found: Found) -> None:
    if start or not found[0] > 0:
        raise Refused("a root or a logarithm of what is not seen to be positive at 0")


def _regular(f: Shifted) -> Found:
    start, found = f
    if start >= 0:
        return _moved(f, 0)
    if not all(found[k] == 0 for k in range(-start)):
        raise Refused("an exponential of what has a pole at 0")
    return _without(found, -start)
