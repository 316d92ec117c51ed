"""Methods of the expander, which come from outside: one record each, with the order in which those of one kind of node are tried.

They are found through entry points of the group ``asymp.methods``, and are asked only where the kernel has no series: whatever is
installed, nothing changes that was expanded without it.  An expansion in which one had a part says so, and so does what is proved
by it (``engine: PACKAGE/name``).

>>> borrowed(sp.Product)
()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import uncounted
from asymp.expand.tried import TOTALS
from asymp.expansion import Expansion
from asymp.functions.symbolic import NAMED
from asymp.outside import Unusable, refuse, usable
from asymp.refusal import Refused

FIRST_OUTSIDE = 100
"""The least order of a method."""
BORROWED = "by a method from outside"
"""The rule of the step by which an expansion says that."""
Work = Callable[[Any, sp.Expr], Expansion]


@dataclass(frozen=True)
class Method:
    """One way to expand nodes of some kinds.

    Args:
        name: in words; of one from outside the name of its entry point.
        kinds: SymPy's classes of the nodes, or names of the language, such as ``"Sum"`` or ``"erf"``.
        work: of the expander and a node, its expansion; it raises ``Refused`` where it knows none.
        order: of the methods of one kind, the one of the least order is tried first; no two have the same.
        applies: a cheap test of a node, before the work.
        source: of the theorem that it rests on.
    """

    name: str
    kinds: tuple[Any, ...]
    work: Work
    order: int
    applies: Callable[[sp.Expr], bool] = lambda _: True
    source: str = ""

    def __call__(self, expander: Any, expr: sp.Expr) -> Expansion:
        """The expansion of a node.

        Raises:
            Refused: it has none.
        """
        if not self.applies(expr):
            raise Refused(f"{self.name} is not for {expr}")
        return self.work(expander, expr)


def borrowed(kind: type) -> tuple[Method, ...]:
    """The methods for nodes of a kind, in order; named as ``PACKAGE/name``."""
    return _outside().get(kind, ())


@uncounted
@lru_cache(maxsize=1)
def _outside() -> dict[type, tuple[Method, ...]]:
    usable_ones: list[tuple[str, Method]] = []
    for entry, found in usable("methods"):
        if not isinstance(found, Method):  # another room's
            continue
        try:
            usable_ones.append((entry.label, _checked(found, entry.name, entry.label)))
        except Exception as error:  # whatever stands in a record that is none
            refuse(entry.because(str(error)))
    places: dict[tuple[type, int], list[str]] = {}
    for label, method in usable_ones:
        for kind in method.kinds:
            places.setdefault((kind, method.order), []).append(label)
    for (kind, order), labels in places.items():
        if len(labels) > 1:
            refuse(
                f"the methods {' and '.join(labels)} are not used: they have the same order {order} for {kind.__name__}"
            )
    clashing = {label for labels in places.values() if len(labels) > 1 for label in labels}
    kept = [method for label, method in usable_ones if label not in clashing]
    kinds = dict.fromkeys(kind for method in kept for kind in method.kinds)
    return {kind: tuple(sorted((m for m in kept if kind in m.kinds), key=lambda m: m.order)) for kind in kinds}


def _checked(method: Method, name: str, label: str) -> Method:
    if method.name != name:
        raise Unusable(f"it is called {method.name}")
    if type(method.order) is not int or method.order < FIRST_OUTSIDE:
        raise Unusable(f"its order {method.order} is below {FIRST_OUTSIDE}")
    return Method(label, tuple(_classes(method.kinds)), _guarded(method, label), method.order, source=method.source)


def _classes(kinds: Iterable[Any]) -> Iterable[type]:
    for kind in kinds:
        if isinstance(kind, type):
            yield kind
        elif kind in TOTALS:
            yield TOTALS[kind]
        elif kind in NAMED:
            yield from NAMED[kind].heads
        else:
            raise Unusable(f"there is no function {kind}")


def _guarded(work: Work, label: str) -> Work:
    """The work of somebody else's code: what goes wrong there is a refusal, and what it found says whose it is."""

    def guarded(expander: Any, expr: sp.Expr) -> Expansion:
        try:
            found = work(expander, expr)
        except (Refused, MemoryError, RecursionError):
            raise
        except Exception as error:
            raise Refused(f"{label} raised {type(error).__name__}: {error}") from error
        if not isinstance(found, Expansion):
            raise Refused(f"{label} gave no expansion")
        expander.note(BORROWED, sy.latex(expr), f"engine: {label}")
        return found

    return guarded
