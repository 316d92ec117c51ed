"""Certified zeros of analytic functions, and certified linear systems: what a spectral solution needs.

The functions to be solved are given as Python functions of balls, so that a queue states its kernel once,
for floats and for balls alike.

>>> with precision(64):
...     root = complex_zero(lambda z: (z * z + 1, 2 * z), 0.1 + 0.9j)
...     solution = solve([[ball_of(2), ball_of(1)], [ball_of(1), ball_of(3)]], [ball_of(3), ball_of(5)])
>>> root.imag.contains(1), root.imag.rel_accuracy_bits() > 50, [round(float(x), 12) for x in solution]
(True, True, [0.8, 1.4])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any

from flint import acb, arb, arb_mat, ctx, fmpq

from asymp.enclosure.enclose import Enclosure
from asymp.enclosure.numbers import Undecided, decimal_ball, to_fmpq

NEWTON_STEPS = 12
"""Steps of Newton's method before a zero is given up; from 12 digits three of them give 96."""


def precision(bits: int) -> AbstractContextManager[Any]:
    """A context in which balls are computed to ``bits`` bits."""
    return ctx.workprec(bits)


def ball_of(value: Fraction | int) -> arb:
    """The ball around an exact number at the current precision."""
    return arb(to_fmpq(value))


def complex_zero(function: Callable[[acb], tuple[acb, acb]], start: complex) -> acb:
    """A ball that contains exactly one zero of ``function``, near ``start``.

    ``function`` returns its value and its derivative, as balls that contain them over the ball it is given.
    Newton's operator that maps a ball into its interior proves that there is one zero in it.  A real
    ``start`` stays real; a function that is real on the real line then has its zero there.

    Raises:
        Undecided: no such ball was found.
    """
    z = acb(arb(start.real), arb(start.imag))
    rounding = arb(2) ** (8 - ctx.prec)
    size = arb("inf")
    for _ in range(NEWTON_STEPS):
        value, slope = function(z)
        step = value / slope
        if not step.is_finite():
            break
        before, size = size, step.abs_upper()
        relative = size / z.abs_lower()
        if relative**2 < rounding or not 4 * size < before:  # the next step is the last, or none helps
            reach = _around(z, 2 * size + z.abs_upper() * rounding, start.imag == 0)
            image = z - value / function(reach)[1]
            if image.is_finite() and _strictly_inside(image, reach):
                return image
        z = acb((z - step).real.mid(), (z - step).imag.mid())
    raise Undecided(f"no certified zero near {start:.6g} at {ctx.prec} bits")


def _around(z: acb, radius: arb, real: bool) -> acb:
    """The square around z, or its interval on the real line."""
    side = radius.upper()
    return acb(arb(z.real.mid(), side), arb(0) if real else arb(z.imag.mid(), side))


def _strictly_inside(inner: acb, outer: acb) -> bool:
    """The outer ball's radius is positive on both axes, so that the closed test of flint is applied to the
    ball shrunk by half."""
    half = acb(
        arb(outer.real.mid(), outer.real.rad() / 2),
        arb(outer.imag.mid(), outer.imag.rad() / 2),
    )
    return bool(half.contains(inner))


def above(value: arb) -> arb:
    """The least number that is above the ball and is not negative."""
    return value.upper().max(arb(0))


def up_to(gap: arb) -> arb:
    """A ball that holds 0 .. gap."""
    return arb(0).union(gap)


def solve(rows: Sequence[Sequence[arb]], right: Sequence[arb]) -> list[arb]:
    """The solution of a linear system, unique for every system within the balls.

    Raises:
        Undecided: the matrix is not certified to be regular at this precision.
    """
    return [x for (x,) in solve_many(rows, [[x] for x in right])]


def solve_many(rows: Sequence[Sequence[arb]], right: Sequence[Sequence[arb]]) -> list[list[arb]]:
    """The solutions for several right sides, the columns."""
    try:
        found = arb_mat([list(row) for row in rows]).solve(arb_mat([list(row) for row in right]))
    except ZeroDivisionError:
        raise Undecided(f"a system of {len(rows)} equations is not certified regular at {ctx.prec} bits") from None
    return [[found[i, j] for j in range(len(right[0]))] for i in range(len(rows))]


def enclosure(value: arb, digits: int) -> Enclosure:
    """The ball as an :class:`Enclosure` that shows ``digits`` digits.

    Raises:
        Undecided: the ball is wider than that.
    """
    if not value.is_finite() or value.rel_accuracy_bits() < digits * 3.3219281:
        raise Undecided(f"not {digits} digits at {ctx.prec} bits")
    return Enclosure(*decimal_ball(value, digits), digits, ctx.prec, value, fmpq(0) if value.is_zero() else None)
