"""Conditions on SymPy's expressions, by which it is said where functions are real, and ranges of values.

Those of a row of the table are about its arguments ``X``, ``Y``, ``Z`` and ``W``:

>>> [str(c) for c in (Positive(X), Nonzero(sp.cos(X)), OneOf(Positive(X), Both(Whole(Y), Nonzero(X))))]
['X > 0', 'cos(X) != 0', '(X > 0 or (Y whole and X != 0))']
>>> str(Positive(1 - X**2).at(sp.Symbol("t")))
'1 - t**2 > 0'
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

X, Y, Z, W = sp.Dummy("X"), sp.Dummy("Y"), sp.Dummy("Z"), sp.Dummy("W")
"""The arguments of the function a row is about."""


@dataclass(frozen=True)
class Condition:
    """A predicate on real numbers; the subclasses say which."""

    def at(self, *arguments: sp.Expr) -> Condition:
        """The condition about given arguments."""
        raise NotImplementedError


@dataclass(frozen=True)
class _Atom(Condition):
    expr: sp.Expr

    def at(self, *arguments: sp.Expr) -> Condition:
        """The condition about given arguments."""
        return type(self)(self.expr.subs(dict(zip((X, Y, Z, W), arguments, strict=False)), simultaneous=True))

    def _words(self, pattern: str) -> str:
        text = str(self.expr)
        for letter in "XYZW":
            text = text.replace(f"_{letter}", letter)
        return pattern.format(text)


@dataclass(frozen=True)
class Positive(_Atom):
    """``expr > 0``."""

    def __str__(self) -> str:
        return self._words("{} > 0")


@dataclass(frozen=True)
class NonNegative(_Atom):
    """``expr >= 0``."""

    def __str__(self) -> str:
        return self._words("{} >= 0")


@dataclass(frozen=True)
class Nonzero(_Atom):
    """``expr != 0``."""

    def __str__(self) -> str:
        return self._words("{} != 0")


@dataclass(frozen=True)
class Whole(_Atom):
    """``expr`` is a whole number."""

    def __str__(self) -> str:
        return self._words("{} whole")


@dataclass(frozen=True)
class NotPole(_Atom):
    """``expr`` is none of 0, -1, -2, ..."""

    def __str__(self) -> str:
        return self._words("{} not in 0, -1, -2, ...")


@dataclass(frozen=True)
class Never(Condition):
    """What holds nowhere: the function is not known to be real at all."""

    why: str = "not known to be real"

    def at(self, *arguments: sp.Expr) -> Condition:
        """The same."""
        return self

    def __str__(self) -> str:
        return self.why


@dataclass(frozen=True, init=False)
class _Several(Condition):
    parts: tuple[Condition, ...]

    def __init__(self, *parts: Condition) -> None:
        object.__setattr__(self, "parts", parts)

    def at(self, *arguments: sp.Expr) -> Condition:
        """The condition about given arguments."""
        return type(self)(*(part.at(*arguments) for part in self.parts))


@dataclass(frozen=True, init=False)
class Both(_Several):
    """All of them; of none: always."""

    def __str__(self) -> str:
        return f"({' and '.join(map(str, self.parts))})" if len(self.parts) != 1 else str(self.parts[0])


@dataclass(frozen=True, init=False)
class OneOf(_Several):
    """At least one of them at every point."""

    def __str__(self) -> str:
        return f"({' or '.join(map(str, self.parts))})" if len(self.parts) != 1 else str(self.parts[0])


EVERYWHERE = Both()


@dataclass(frozen=True)
class Range:
    """The values a function takes where it is real: an interval, of whole numbers alone or not."""

    low: sp.Expr = -sp.oo
    high: sp.Expr = sp.oo
    low_open: bool = False
    high_open: bool = False
    whole: bool = False

    def holds(self, value: float) -> bool:
        """Whether a number lies in it, rounding of the last digits allowed (a test's question).

        >>> Range(-1, 1).holds(1.0), Range(0, sp.oo, low_open=True).holds(-0.5)
        (True, False)
        """
        slack = 1e-9 * max(1.0, abs(value))
        return float(self.low) - slack <= value <= float(self.high) + slack and (not self.whole or value == int(value))
