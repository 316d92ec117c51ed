"""The ends of sums and products: one policy for every method that adds or multiplies.

Both ends are whole numbers at the point where the sum is evaluated (the upper one may be infinite), or it has no
value there; where the upper end is below the lower one, by however much, a sum is 0 and a product 1.  SymPy's
convention for ranges that run backwards (Karr's) is never used.

>>> from asymp.enclosure import enclose
>>> str(enclose("Sum(k, (k, 5, n))", {"n": 1})), str(enclose("Sum(1, (k, 1, floor(sqrt(n))))", {"n": 2}))
('0', '1')
>>> enclose("Sum(1, (k, 1, sqrt(n)))", {"n": 2})
Traceback (most recent call last):
...
asymp.enclosure.numbers.Undecided: the upper end n^(1/2) of the sum over k is not a whole number there
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb, ctx, fmpq

from asymp.enclosure.algebra import OO
from asymp.enclosure.arithmetic import Number, to_integer
from asymp.kernel.terms import Term

if TYPE_CHECKING:
    from asymp.enclosure.plan import Builder

ENOUGH = 4_096
"""Bits beyond which an end that may be whole and is not known exactly is given up."""

_faults: ContextVar[list[str] | None] = ContextVar("faults", default=None)


@contextlib.contextmanager
def faults() -> Iterator[list[str]]:
    """Collects what was wrong with the ends of sums in one evaluation: a value that is not finite has no other reason."""
    found: list[str] = []
    token = _faults.set(found)
    try:
        yield found
    finally:
        _faults.reset(token)


@dataclass(frozen=True)
class Span:
    """The whole numbers from ``first`` to ``last`` (None: without end)."""

    first: int
    last: int | None

    @property
    def empty(self) -> bool:
        """Whether there are none."""
        return self.last is not None and self.last < self.first


def whole(value: Number) -> int | None:
    """The whole number that the value certainly is, else None.

    >>> whole(fmpq(3)), whole(arb(3)), whole(fmpq(1, 2)), whole(arb(3, 1))
    (3, 3, None, None)
    """
    if isinstance(value, arb):
        found = value.unique_fmpz() if value.is_finite() and value.is_exact() and value.is_integer() else None
    else:
        found = to_integer(value)
    return None if found is None else int(found)


def place(builder: Builder, index: str, low: Term, high: Term, kind: str = "sum") -> int:
    """The place of the range: a :class:`Span`, or None where an end is not (or not seen to be) whole."""
    first = builder.place(low)
    last = None if high == OO else builder.place(high)

    def find(v: Any) -> Span | None:
        ends = [(v[first], "lower", low), *([] if last is None else [(v[last], "upper", high)])]
        found = [_checked(value, name, end, f"the {kind} over {index}") for value, name, end in ends]
        if None in found:
            return None
        return Span(found[0], found[1] if last is not None else None)  # type: ignore[arg-type]

    return builder.emit(("ends", index, low, high, kind), find, None)


def require(builder: Builder, index: str, low: Term, high: Term, inner: int, kind: str = "sum") -> int:
    """The place of a sum that was put in another form (``inner``), for the range as it was given."""
    at = place(builder, index, low, high, kind)
    nothing = fmpq(1 if kind == "product" else 0)

    def value(v: Any) -> Number:
        span: Span | None = v[at]
        if span is None:
            return arb.nan()
        return nothing if span.empty else v[inner]

    return builder.emit(("over", at, inner), value, None)


def _checked(value: Number, side: str, end: Term, of: str) -> int | None:
    found = whole(value)
    if found is None:
        noted = _faults.get()
        if noted is not None:
            name = f"the {side} end {end} of {of}"
            if isinstance(value, fmpq) or (value.is_finite() and not value.contains_integer()):
                noted.append(f"{name} is not a whole number there")
            elif not value.is_nan() and not value.is_finite():
                noted.append(f"{name} is infinite there")
            elif ctx.prec > ENOUGH:
                noted.append(f"{name} is not seen to be a whole number there")
    return found
