"""What a theorem rests on besides the kernel's own steps: facts that are cited, and functions of FLINT.

What a rule asks while it runs becomes part of what its theorem trusts, needed in the end or not; the names are the same in any
order of questions and in any process, since what is remembered remembers what it rests on.

Not named, and assumed by all: + - * / and comparisons of whole and rational numbers, of Python and FLINT, which are exact; the
calculus in the docstrings of rules (exp, log, sin, mean values).  Factors of polynomials are multiplied out: see rings/factors.

>>> @remembered(10)
... def euler(k: int) -> int:
...     rests_on("DLMF 5.4.1")
...     return k
>>> with collected() as first:
...     found = euler(1)
>>> with collected() as second:
...     found = euler(1)
>>> first, second
({'DLMF 5.4.1'}, {'DLMF 5.4.1'})
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar

from asymp.functions.series import FACTS
from asymp.kernel.cited import CITED

FLINT = "FLINT: "
"""With this begins the name of a function of balls, as python-flint calls it: ``FLINT: arb.gamma``."""
ARITHMETIC = f"{FLINT}arb"
"""Balls: + - * / and whole powers of them, their ends, and which is larger."""

_open: ContextVar[set[str] | None] = ContextVar("what is rested on", default=None)
Parameters = ParamSpec("Parameters")
Found = TypeVar("Found")


def rests_on(*names: str) -> None:
    """Notes what the theorem that is being made rests on: facts that are cited, functions of FLINT."""
    if strangers := [one for one in names if not cited([one])]:
        raise KeyError(f"{strangers[0]} is not among the facts that are cited")
    if (own := _open.get()) is not None:
        own.update(names)


def cited(trusts: Iterable[str]) -> bool:
    """Whether what is trusted is facts that are cited, here or by the table of functions, and functions of FLINT alone."""
    return all(one in CITED or one in FACTS or one.startswith(FLINT) for one in trusts)


def of_flint(of: Any, function: str, *arguments: Any) -> Any:
    """A function of balls (of ``arb``, or a ball's own), which is noted."""
    rests_on(ARITHMETIC, f"{FLINT}arb.{function.strip('_')}")
    return getattr(of, function)(*arguments)


@contextmanager
def collected() -> Iterator[set[str]]:
    """What is noted meanwhile; what is noted by an inner one is noted by those around it too."""
    outer, own = _open.get(), set[str]()
    token = _open.set(own)
    try:
        yield own
    finally:
        _open.reset(token)
        if outer is not None:
            outer |= own


def remembered(most: int) -> Callable[[Callable[Parameters, Found]], Callable[Parameters, Found]]:
    """Remembers the last answers of a function, each with what it rests on; refusals are not remembered."""

    def decorate(function: Callable[Parameters, Found]) -> Callable[Parameters, Found]:
        @lru_cache(maxsize=most)
        def both(*arguments: Any) -> tuple[Found, tuple[str, ...]]:
            with collected() as used:
                found = function(*arguments)  # type: ignore[call-arg]
            return found, tuple(used)

        @wraps(function)
        def asked(*arguments: Any) -> Found:
            found, used = both(*arguments)
            rests_on(*used)
            return found

        return asked  # type: ignore[return-value]

    return decorate
