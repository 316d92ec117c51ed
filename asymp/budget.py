"""Work, counted: what a search may cost, in steps and never in seconds.

A search that stops at a time finds more on a faster machine, and then a verdict hangs on the machine.  Here every
expansion of a node, every product of two terms and every instruction of an enclosure adds to a count of steps
(:func:`spend`), and a search stops after so many of them (:class:`Budget`).  A step is worth about a microsecond;
the limits below were set so that searches take about as long as they did when they were given seconds.

What a cache keeps costs nothing when it is asked for again: it is counted as one step the first time too
(:func:`uncounted`), so that a question costs the same first, last and in a process of its own.

>>> purse = Budget(100)
>>> spend(60)
>>> purse.used(), purse.exhausted()
(60, False)
>>> spend(60)
>>> purse.exhausted()
True
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

# --- limits: in steps -------------------------------------------------------------------------

CASES = 20_000_000
"""Of an expansion over all its cases: no further case is begun after so much."""
ORDERS = 4_000_000
"""Of higher orders of the series, while fewer terms are known than were asked for."""
LAST_ORDER = 1_000_000
"""Of higher orders of the series, where all terms are known and only the one after them is not."""
BALL = 20_000_000
"""Of one ball up to n = 10^20: a number there is worth much."""
FAR_BALL = 1_000_000
"""Of one ball beyond n = 10^20, where an expansion that was asked for is confirmed."""
BESIDE = 6_000_000
"""Of all numbers beside a theorem, which need none: no further one is begun after so much."""
ROOTS = 4_000_000
"""Of certified roots on one path, once two are had."""

# --- prices: in steps --------------------------------------------------------------------------

NODE = 1_000
"""Of expanding one node of an expression, its children and its series apart."""
TERM = 50
"""Of one term of an expansion that is brought into order."""
PRODUCT = 50
"""Of one product of two terms."""
SYMBOLIC = 1_500
"""Of one call of SymPy's algebra, through the door."""

PARTS = ParamSpec("PARTS")
Result = TypeVar("Result")


class _Meter(threading.local):
    """The steps taken so far, of each thread."""

    steps = 0


METER = _Meter()
"""Hot loops add to ``METER.steps`` themselves."""


def spend(steps: int = 1) -> None:
    """Counts steps.  It never raises: an exception inside a quadrature would be lost.

    >>> before = spent()
    >>> spend(3)
    >>> spent() - before
    3
    """
    METER.steps += steps


def spent() -> int:
    """The steps that this thread has taken; only differences mean something."""
    return METER.steps


class Budget:
    """So many steps from now on, whoever takes them.

    >>> Budget(0).exhausted()
    False
    """

    def __init__(self, steps: int) -> None:
        self.steps, self._begin = steps, METER.steps

    def used(self) -> int:
        """The steps taken since it was made."""
        return METER.steps - self._begin

    def exhausted(self) -> bool:
        """Whether more were taken than it has."""
        return self.used() > self.steps


def uncounted(function: Callable[PARTS, Result]) -> Callable[PARTS, Result]:
    """One step, whatever the function takes: for what is kept in a cache, outside it.

    >>> @uncounted
    ... @functools.lru_cache(maxsize=10)
    ... def double(n: int) -> int:
    ...     spend(1000)
    ...     return 2 * n
    >>> before = spent()
    >>> double(4), double(4), spent() - before
    (8, 8, 2)
    """

    @functools.wraps(function)
    def counted_as_one(*args: PARTS.args, **kwargs: PARTS.kwargs) -> Result:
        before = METER.steps
        try:
            return function(*args, **kwargs)
        finally:
            METER.steps = before + 1

    for name in ("cache_clear", "cache_info"):
        if hasattr(function, name):
            setattr(counted_as_one, name, getattr(function, name))
    return counted_as_one
