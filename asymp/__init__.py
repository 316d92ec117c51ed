"""asymp: check the asymptotic claims of papers the way engineers test code.

>>> import asymp
>>> claim = asymp.claim("my/harmonic", "harmonic(n) ~ log(n)", to="n->oo", source="me, eq. (1)")
>>> verdict = asymp.check(claim)
>>> verdict.outcome.value, verdict.strength.value, verdict.next_term
('holds', 'proved', 'EulerGamma/log(n)')

The verbs take text too, and answer with what the command line prints:

>>> asymp.check("harmonic(n) ~ log(n)", to="n->oo").outcome.value, asymp.expand("harmonic(n)", to="n->oo")
('holds', log(n) + EulerGamma + 1/(2*n) + O(1/n**2))
>>> print(asymp.enclose("Sum(1/k^2, (k, 1, n))", n="1e1000", digits=15))
1.64493406684823 +/- 3.6e-15

What is named below is imported when it is first used.  Where a verb has the name of a room, as in
``asymp.check(claim)`` and ``from asymp.check import check``, the room itself can be called.
"""

from __future__ import annotations

import importlib
import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from asymp.version import __version__

if TYPE_CHECKING:
    import inspect

    from asymp.answer import Expanded as Expanded
    from asymp.answer import check as check
    from asymp.answer import enclose as enclose
    from asymp.answer import expand as expand
    from asymp.cas import text as text
    from asymp.checked import Paper as Paper
    from asymp.checked import Verdicts as Verdicts
    from asymp.claim import Claim as Claim
    from asymp.claim import Evidence as Evidence
    from asymp.claim import Outcome as Outcome
    from asymp.claim import Property as Property
    from asymp.claim import Source as Source
    from asymp.claim import Strength as Strength
    from asymp.claim import Verdict as Verdict
    from asymp.export.latex import latex as latex
    from asymp.model import sample as sample
    from asymp.parse import claim as claim
    from asymp.registry import claims as claims

_HOME = {
    **dict.fromkeys("Claim Evidence Outcome Property Source Strength Verdict".split(), "asymp.claim"),
    **dict.fromkeys(("Paper", "Verdicts"), "asymp.checked"),
    "Expanded": "asymp.answer",
    "enclose": "asymp.answer",
    "expand": "asymp.answer",
    "claims": "asymp.registry",
    "text": "asymp.cas",
}
"""Name -> the module that holds it."""
_VERBS = {
    "check": "asymp.answer",
    "claim": "asymp.parse",
    "latex": "asymp.export.latex",
    "sample": "asymp.model",
}
"""Rooms that are verbs too -> the module that holds the function."""

__all__ = ["__version__", *_HOME, *_VERBS]


def __getattr__(name: str) -> Any:
    if name in _VERBS:
        return importlib.import_module(f"asymp.{name}")
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'asymp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_SHOWN = {
    "as_html": ("asymp.answer.verdict", "shown"),
    "as_latex": ("asymp.export.latex", "claim_latex"),
    "as_plot": ("asymp.answer.figures", "figure_of"),
}
"""What claims and verdicts can show of themselves -> the module and the function that makes it."""


def _lent(module: str, function: str, *args: Any, **options: Any) -> Any:
    return getattr(importlib.import_module(module), function)(*args, **options)


class _Verb(ModuleType):
    """A room that can be called: ``asymp.claim(...)`` is ``asymp.parse.claim(...)``; the room's own verb may take less."""

    @property
    def __signature__(self) -> inspect.Signature:
        inspect = importlib.import_module("inspect")
        return inspect.signature(self._verb())

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._verb()(*args, **options)

    def _verb(self) -> Any:
        name = self.__name__.rpartition(".")[2]
        return getattr(importlib.import_module(_VERBS[name]), name)


class _Package(ModuleType):
    """This package: whenever and however such a room is imported, it can be called, and a notebook shows claims."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _VERBS and type(value) is ModuleType:
            value.__class__ = _Verb
        if name == "claim" and isinstance(value, ModuleType):
            for hook, (module, function) in _SHOWN.items():
                setattr(value, hook, partial(_lent, module, function))
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
