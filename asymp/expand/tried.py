"""A refusal in the words of the question: which sum or integral, and which method came nearest to it.

Of the methods that were tried the one that did the most work (:mod:`asymp.budget`) before it gave up is taken for
the nearest.

>>> refused = Refused("no")
>>> refused.tried = (Tried("series of the kernel", "it oscillates", 9), Tried("telescoping", "no", 1))
>>> in_words(refused, "Sum(sin(k), (k, 1, n))")
'no expansion of Sum(sin(k), (k, 1, n)) was found; nearest: series of the kernel, but: it oscillates'
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy as sp

from asymp.language.parts import Part
from asymp.language.syntax import Parser
from asymp.parse.mathematics import Builder
from asymp.refusal import Refused, Tried

NEAREST = "; nearest: "
"""Between what is refused and which method came nearest."""
TOTALS = {"Sum": sp.Sum, "Integral": sp.Integral, "Product": sp.Product}


def asked(refused: Refused, parts: Iterable[Part]) -> str:
    """The sum or integral of a question that was refused, as it was typed; empty where that is not known."""
    typed = [part for part in parts if part.head in TOTALS and not part.binders]
    texts = list(dict.fromkeys(part.text for part in typed))
    if len(texts) == 1 or refused.total is None:
        return texts[0] if len(texts) == 1 else ""
    for part in typed:
        if str(Builder(part.text).build(Parser(part.text).whole())) == str(refused.total):
            return part.text
    return ""


def in_words(refused: Refused, text: str) -> str:
    """What is refused and why, of the sum or integral that is typed ``text``."""
    found = nearest(refused.tried)
    if not text or found is None:
        return " ".join(str(refused).split())
    return f"no expansion of {text} was found{NEAREST}{found.method}, but: {' '.join(found.why.split())}"


def nearest(tried: Iterable[Tried]) -> Tried | None:
    """The one that did the most work; None of none."""
    return max(tried, key=lambda one: one.steps, default=None)
