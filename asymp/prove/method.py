"""Methods from outside: what a function of a package is in a regime, one record each.

They are found through entry points of the group ``asymp.methods``, and are asked only of functions from outside, of which the
kernel has no series.  What is proved by one says so (``engine: PACKAGE/name``).

>>> borrowed("Product")
()
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from asymp.budget import uncounted
from asymp.functions.table import BORROWED
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.series import Series
from asymp.kernel.terms import Refused, Term
from asymp.outside import Unusable, refuse, usable

FIRST_OUTSIDE = 100
"""The least order of a method."""
Work = Callable[[Expander, Term], Series]


@dataclass(frozen=True)
class Method:
    """One way to expand calls of some functions.

    Args:
        name: that of its entry point.
        functions: names of functions from outside, such as ``"softplus"``.
        work: of the kernel's expander and a call, its series; it raises ``Refused`` where it knows none.
        order: of the methods of one function, the one of the least order is tried first; no two have the same.
        source: of the theorem that it rests on.
    """

    name: str
    functions: tuple[str, ...]
    work: Work
    order: int
    source: str = ""


def borrowed(function: str) -> tuple[Method, ...]:
    """The methods for calls of a function, in order; named as ``PACKAGE/name``."""
    return _outside().get(function, ())


@uncounted
@lru_cache(maxsize=1)
def _outside() -> dict[str, tuple[Method, ...]]:
    usable_ones: list[tuple[str, Method]] = []
    for entry, found in usable("methods"):
        if not isinstance(found, Method):  # another room's
            continue
        try:
            usable_ones.append((entry.label, _checked(found, entry.name, entry.label)))
        except Exception as error:  # whatever stands in a record that is none
            refuse(entry.because(str(error)))
    places: dict[tuple[str, int], list[str]] = {}
    for label, method in usable_ones:
        for function in method.functions:
            places.setdefault((function, method.order), []).append(label)
    for (function, order), labels in places.items():
        if len(labels) > 1:
            refuse(f"the methods {' and '.join(labels)} are not used: they have the same order {order} for {function}")
    clashing = {label for labels in places.values() if len(labels) > 1 for label in labels}
    kept = sorted((method for label, method in usable_ones if label not in clashing), key=lambda one: one.order)
    functions = dict.fromkeys(function for method in kept for function in method.functions)
    return {function: tuple(one for one in kept if function in one.functions) for function in functions}


def _checked(method: Method, name: str, label: str) -> Method:
    if method.name != name:
        raise Unusable(f"it is called {method.name}")
    if type(method.order) is not int or method.order < FIRST_OUTSIDE:
        raise Unusable(f"its order {method.order} is below {FIRST_OUTSIDE}")
    if strange := [one for one in method.functions if one not in BORROWED]:
        raise Unusable(f"{strange[0]} is no function from outside")
    return replace(method, name=label, work=_guarded(method.work, label))


def _guarded(work: Work, label: str) -> Work:
    """The work of somebody else's code: what goes wrong there is a refusal."""

    def guarded(expander: Expander, term: Term) -> Series:
        try:
            found = work(expander, term)
        except (Refused, MemoryError, RecursionError):
            raise
        except Exception as error:
            raise Refused(f"{label} raised {type(error).__name__}: {error}") from error
        if not isinstance(found, Series):
            raise Refused(f"{label} gave no series")
        return found

    return guarded
