"""Balls for explicit bounds: a function on a whole interval, and decimals that are rounded outward.

>>> OnIntervals("x - log(x)", "x").ball(Fraction(1), Fraction(2)) > 0
True
>>> rounded_up(arb(1) / 12, 3)
'0.0834'
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq

from asymp.enclosure import arithmetic as ar
from asymp.enclosure.arithmetic import at_bits, to_ball
from asymp.enclosure.enclose import run
from asymp.enclosure.numbers import to_fmpq
from asymp.enclosure.plan import compile_expr

__all__ = [
    "OnIntervals", "around", "at_bits", "decimal", "exact_ball", "fraction_above", "hull", "interval", "number", "rounded_up",
    "upper",
]

INFINITE = arb.pos_inf()
SLACK = 1 << 9
"""Height (bits) up to which a number stays exact while a function is evaluated on a box."""


def interval(low: Fraction, high: Fraction) -> arb:
    """The ball that holds [low, high].

    >>> interval(Fraction(1, 3), Fraction(1, 2)).contains(arb(2) / 5)
    True
    """
    a = arb(to_fmpq(low))
    return a if low == high else a.union(arb(to_fmpq(high)))


def hull(low: arb, high: arb) -> arb:
    """The ball that holds two."""
    return low.union(high)


def around(radius: arb) -> arb:
    """[-radius, radius]."""
    return arb(0, radius.abs_upper())


def exact_ball(value: Fraction | int) -> arb:
    """The ball around a rational."""
    return arb(to_fmpq(value))


class OnIntervals:
    """An expression in one variable, enclosed on intervals of it at a fixed working precision.

    Args:
        expr: an expression with no other free symbol.
        name: the variable's name.
        bits: working precision; the width of the interval matters more.

    Raises:
        Undecided: no certified method for some part of it.
    """

    def __init__(self, expr: Any, name: str, bits: int = 96) -> None:
        self.plan = compile_expr(expr)
        self.name, self.bits = name, bits

    def ball(self, low: Fraction, high: Fraction) -> arb:
        """A ball that holds all values on [low, high]; not finite where there is none."""
        with ctx.workprec(self.bits):
            return self._run(to_fmpq(low) if low == high else interval(low, high))

    def at(self, box: arb) -> arb:
        """The same on a ball."""
        with ctx.workprec(self.bits):
            return self._run(box)

    def _run(self, value: arb | fmpq) -> arb:
        with ar.keep_exact_up_to(max(SLACK, 4 * value.height_bits()) if isinstance(value, fmpq) else SLACK):
            return to_ball(self.plan.run({self.name: value}))


def number(expr: Any, bits: int = 96) -> arb:
    """A ball of a constant expression.

    >>> number("pi") > 3
    True
    """
    with ctx.workprec(bits):
        return to_ball(run(compile_expr(expr), {}, bits))


def upper(ball: arb) -> arb:
    """The largest absolute value in a ball, as an exact number."""
    return ball.abs_upper()


def fraction_above(ball: arb) -> Fraction:
    """A rational that is at least every number in the ball."""
    mantissa, exponent = ball.upper().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def rounded_up(ball: arb, digits: int) -> str:
    """The largest |value| in a ball as a decimal of so many significant digits, rounded up.

    >>> rounded_up(arb(2), 3), rounded_up(arb("1e-40"), 3), rounded_up(arb("123456"), 3)
    ('2', '1.01e-40', '124000')
    """
    value = fraction_above(ball.abs_upper())
    if value == 0:
        return "0"
    place = int((value.numerator.bit_length() - value.denominator.bit_length()) * 0.30103) - 2 - digits
    while value / Fraction(10) ** place >= 10**digits:
        place += 1
    scaled = value / Fraction(10) ** place
    mantissa = -(-scaled.numerator // scaled.denominator)
    return decimal(mantissa, place)


def decimal(mantissa: int, place: int) -> str:
    """mantissa * 10^place as text.

    >>> decimal(834, -4), decimal(5, 3), decimal(25, 19), decimal(25, -19)
    ('0.0834', '5000', '2.5e20', '2.5e-18')
    """
    while mantissa % 10 == 0 and mantissa:
        mantissa, place = mantissa // 10, place + 1
    text = str(mantissa)
    top = place + len(text) - 1
    if 0 <= place and top < 8:
        return text + "0" * place
    if place < 0 and -5 <= top:
        text = text.rjust(1 - place, "0")
        return f"{text[:place]}.{text[place:]}"
    return f"{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{top}"
