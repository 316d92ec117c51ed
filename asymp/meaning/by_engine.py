"""The sign far out of what has sums and integrals, by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import sympy as sp

from asymp.expand import Expander as Engine
from asymp.expand.splits import Case, by_cases
from asymp.expansion import Refused as NotExpanded
from asymp.expansion import assumptions
from asymp.kernel.facts.signs import ANY, Signs
from asymp.kernel.rings.defined import Range
from asymp.kernel.terms import Term
from asymp.parse.mathematics import parse_expression
from asymp.scale import Regime
from asymp.sign import decided_sign, undecided

ORDERS = (2, 4)


def signs_far_out(
    term: Term, scales: tuple[str, ...], ranges: Mapping[str, Range], whole: frozenset[str]
) -> Signs:
    """The signs that a term in quantities that tend to infinity, and in parameters in these ranges, may have from some point on.

    >>> from asymp.kernel.terms import read
    >>> sorted(signs_far_out(read("Sum(1/k, (k, 1, n)) - 3"), ("n",), {}, frozenset()))
    [1]
    """
    symbols = {v: sp.Symbol(v, positive=True) for v in scales}
    covers: dict[sp.Symbol, sp.Expr] = {}
    for v in sorted(term.free - set(scales)):
        low, high = _open(ranges.get(v, Range()), v in whole)
        symbols[v] = sp.Symbol(v, positive=True) if low is not None and low >= 0 else sp.Symbol(v, real=True)
        free = sp.Symbol(f"{v}_free", positive=True)
        if low is not None and high is not None:
            covers[symbols[v]] = low + (high - low) / (1 + free)
        elif low is not None or high is not None:
            covers[symbols[v]] = low + free if low is not None else high - free
    regime = Regime("", tuple(symbols[s] for s in scales), ranges=covers)

    def attempt(case: Case, order: int) -> int:
        with assumptions() as noted, undecided():
            found = Engine(case.regime, order)(case.at(expr))
            if found.is_exact() and not found.terms:
                return 0
            _, coefficient = found.leading()
            if vanishing := [x for x in (coefficient, *noted) if not decided_sign(x)]:
                raise NotExpanded(f"{vanishing[0]} may vanish", undecided=(vanishing[0],))
        return decided_sign(coefficient) or 0

    for order in ORDERS:
        try:
            expr = parse_expression(str(term), symbols)
            cases = by_cases(partial(attempt, order=order), Case(regime), free_paths=False)
        except (ValueError, ArithmeticError, NotImplementedError):  # of the engine, and of SymPy
            continue
        if all(case.answer is not None for case in cases):
            return frozenset(case.answer for case in cases if case.answer is not None)
    return ANY


def _open(one: Range, whole: bool) -> tuple[sp.Rational | None, sp.Rational | None]:
    """Ends of an open range that holds all values: of a whole k >= 2 it begins at 1, and so far off for another closed end."""
    step = sp.Integer(1) if whole else sp.Rational(1, 1000)
    low, high = (None if end is None else sp.Rational(int(end.numerator), int(end.denominator)) for end in (one.low, one.high))
    return (low if low is None or one.low_open else low - step), (high if high is None or one.high_open else high + step)
