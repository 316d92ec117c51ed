"""What a limit of the quotient of two sides says about a statement."""

from __future__ import annotations

import mpmath as mp

from benchmarks.capability.evaluate import Unreadable, evaluate, parse
from benchmarks.capability.problem import Problem
from benchmarks.capability.score import Answer


def decided(problem: Problem, limit: str) -> Answer:
    """The verdict on ``f ~ g``, ``f = O(g)`` or ``f = o(g)`` that follows from the limit of f/g.

    A false limit gives a false verdict only where it decides otherwise, so the limit itself is compared.
    """
    text = limit.replace("infinity", "oo").replace("inf", "oo").strip()
    true = problem.limit
    infinite = text in ("oo", "-oo", "+oo", "zoo", "+infinity")
    try:
        value = None if infinite else evaluate(parse(text), {})
        if value is not None and not mp.isfinite(value):
            raise Unreadable(text)
        if true == "oo":
            same = infinite
        else:
            same = value is not None and abs(value - evaluate(parse(true), {})) < 1e-10
    except (Unreadable, ArithmeticError, TypeError, ValueError):
        return Answer(why=f"limit: {limit[:80]}")
    holds = bool(problem.holds)
    return Answer(verdict=("holds" if holds else "refuted") if same else ("refuted" if holds else "holds"), why=limit[:80])

