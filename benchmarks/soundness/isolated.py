"""Statements for all values that fail at one place alone, and their neighbours that hold: nothing that a grid can tell.

The truth is in the construction: a false one is stated with a point at which it fails, and the two sides are evaluated
there by mpmath; a true one is a sum of squares, or a bump that stays under its bound.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import mpmath as mp

from benchmarks.soundness.statements import Statement

SEED = 20_261_122
EACH = 8
"""Statements of each family."""


@dataclass(frozen=True)
class Made:
    """A statement, and a point at which it fails (none: it holds)."""

    text: str
    fails: tuple[tuple[str, Fraction], ...] = ()


def _wells(draw: random.Random) -> Iterator[Made]:
    """(x-a)^2 > eps, false at a alone and next to it; + eps > 0, true.  In one variable and in two."""
    a, b = (Fraction(draw.randrange(1, 997), 997) for _ in range(2))
    eps = f"10^-{draw.randrange(2, 9)}"
    yield Made(f"(x-{a})^2 > {eps} for 0 < x < 1", (("x", a),))
    yield Made(f"Abs(x-{a}) > {eps} for 0 < x < 1", (("x", a),))
    yield Made(f"(x-{a})^2 + {eps} > 0 for 0 < x < 1")
    yield Made(f"(x-{a})^2 + (y-{b})^2 > 10^-4 for 0 < x < 1, 0 < y < 1", (("x", a), ("y", b)))
    yield Made(f"(x-{a})^2 + (y-{b})^2 + {eps} > 0 for 0 < x < 1, 0 < y < 1")


def _bumps(draw: random.Random) -> Iterator[Made]:
    """A bump at a whole number N that a grid of few numbers misses; one between two whole numbers that stays below."""
    n = draw.randrange(20, 900)
    f = draw.choice(("gamma(n)", "n", "log(n+1)", "2^n", "harmonic(n)"))
    yield Made(f"exp(-(n-{n})^2)*{f} < {f}/2 for integer n >= 1", (("n", Fraction(n)),))
    yield Made(f"exp(-(n-{n}-1/2)^2)*{f} < 4*{f}/5 for integer n >= 1")
    yield Made(f"1/(1+(n-{n})^2) <= 3/5 for integer n >= 1", (("n", Fraction(n)),))
    yield Made(f"1/(1+(n-{n}-1/2)^2) <= 4/5 for integer n >= 1")


def _vanishing(draw: random.Random) -> Iterator[Made]:
    """Terms that vanish at each of the first whole numbers, and at the far ones where one looks."""
    last = draw.randrange(10, 24)
    zeros = "*".join(f"(n-{k})" for k in range(1, last))
    far = draw.randrange(10**3, 10**7)
    yield Made(f"{zeros}*(n-{far}) >= 0 for integer n >= {last}", (("n", Fraction(last)),))
    yield Made(f"n + 10^-12*{zeros}*(n-10^6)*(n-10^9) = n for n >= 1", (("n", Fraction(last)),))
    yield Made(f"({zeros})^2 >= 0 for integer n >= 1")
    yield Made(f"factorial(n+1) + 10^-50*{zeros} = (n+1)*factorial(n) for integer n >= 1", (("n", Fraction(last)),))


def _waves(draw: random.Random) -> Iterator[Made]:
    """What sine comes near now and then: false, far from the first numbers; and true with room."""
    power = draw.randrange(1, 3)
    eps = Fraction(1, draw.choice((50, 100, 200)))
    yield Made(f"sin(x)^2 + 1/x^{power} > {eps} for x >= 1", (("x", Fraction(355 * 10**3, 113)),))
    yield Made(f"sin(x)^2 + {eps} > 0 for x >= 1")
    yield Made(f"cos(x)^{2 * power} < 1 + {eps} for x >= 1")


def statements() -> Iterator[Statement]:
    """All of them, each failure verified."""
    draw = random.Random(SEED)
    for family in (_wells, _bumps, _vanishing, _waves):
        for _ in range(EACH):
            for made in family(draw):
                if made.fails and not fails_there(made):
                    raise AssertionError(f"{made.text} does not fail at {made.fails}")
                yield Statement(made.text, None, (), not made.fails, "isolated", str(dict(made.fails) or "by construction"))


def fails_there(made: Made) -> bool:
    """Whether the two sides, evaluated by mpmath at the point, contradict the relation."""
    body = made.text.partition(" for ")[0]
    sign = next(s for s in (" <= ", " >= ", " < ", " > ", " = ") if s in body)
    with mp.workdps(80):
        names = {name: mp.mpf(value.numerator) / value.denominator for name, value in made.fails}
        left, right = (_value(side, names) for side in body.split(sign))
        gap = left - right
        tiny = mp.mpf(10) ** -70 * max(1, abs(left))
        return {
            " <= ": gap > tiny, " >= ": gap < -tiny, " = ": abs(gap) > tiny,
            " < ": gap > -tiny, " > ": gap < tiny,
        }[sign]  # fmt: skip


def _value(text: str, names: dict[str, mp.mpf]) -> mp.mpf:
    """The value of one side: Python's own grammar on mpmath's functions."""
    known = {name: getattr(mp, name) for name in ("exp", "log", "gamma", "factorial", "harmonic", "sin", "cos")}
    known |= {"Abs": abs, "mpf": mp.mpf, **names}
    numbers = _with_floats(text.replace("^", "**"))
    return mp.mpf(eval(numbers, {"__builtins__": {}}, known))  # text made above, by this module


def _with_floats(text: str) -> str:
    """Whole numbers as mpf, so that 1/3 is a third; exponents too."""
    return re.sub(r"(?<![\w.])(\d+)(?![\w.])", r"mpf(\1)", text)
