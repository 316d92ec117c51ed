"""Why an expansion that was asked for is refused, in words of the question."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.expand.tried import asked, in_words
from asymp.growth import Growth
from asymp.language.parts import Part
from asymp.refusal import Refused
from asymp.scale import Regime


def reason(refused: Refused | ValueError, regime: Regime) -> str:
    """Why, in one line; what an ordering of the variables would decide is named in them."""
    why = " ".join(str(refused).split())
    questions = refused.undecided if isinstance(refused, Refused) else ()
    paths = [question for question in questions if isinstance(question, Growth)]
    if paths and len(paths) == len(questions):
        shown = regime.display(paths[0].expr)
        return f"whether {shown} tends to oo, to 0 or to a constant is not given, and the answer hangs on it"
    inner = {symbol.name for symbol in regime.uncovered()}
    if questions and inner & set(re.findall(r"[^\W\d]\w*", why)):  # in words of the question, not of its covers
        shown = sy.factor(regime.display(next(q for q in questions if isinstance(q, sp.Expr))))
        return f"the sign of {shown} is not decided, and the answer hangs on it"
    return why


def refusal(refused: ValueError, regime: Regime, parts: Iterable[Part]) -> dict[str, Any]:
    """Why there is no answer, in words of the question; what every method said that was tried."""
    why = reason(refused, regime)
    if not isinstance(refused, Refused) or why != " ".join(str(refused).split()):
        return {"refused": why}
    tried = [{"method": one.method, "why": " ".join(one.why.split())} for one in refused.tried]
    return {"refused": in_words(refused, asked(refused, parts)), **({"tried": tried} if tried else {})}
