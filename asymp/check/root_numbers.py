"""Certified roots beside the terms of an expansion, at n = 10^8, 10^20, 10^100, 10^1000.

>>> from asymp.kernel.sequences.implicit import tied
>>> from asymp.language.statement import read_statement
>>> root = tied(read_statement("x = 1 + O(1) as n -> oo, x + log(x) = n, x > 0"))
>>> function, n = terms.read("x + log(x) - n"), terms.read("n")
>>> [fit.bounded for fit in confirm(function, root, n, terms.read("log(n)"))]
[True]
>>> confirm(function, root, n, terms.ZERO)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: derived, but certified roots do not follow it
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from asymp import budget
from asymp.budget import Budget
from asymp.check.measure import FREE, SIZES, Run
from asymp.check.trend import Fit, _bounded
from asymp.enclosure import Undecided, ball
from asymp.enclosure.algebra import MINUS_OO, OO
from asymp.enclosure.roots import NoRootNearby, enclose_root
from asymp.kernel import terms
from asymp.kernel.sequences.implicit import Tied
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, number, reciprocal
from asymp.regimes.paths import instances, path

NEAR_SIZES = (1, 2, 3, 4, 5, 6)
"""Powers of 10 for n where no root is certified at the usual ones: it is exponentially near another number."""
FINEST = 40_000
"""Remainders below 2^-FINEST of the root are not resolved: then it must agree with the terms to AGREED bits."""
AGREED = 2000
DEARER = 40
"""How much more a value at n = 10^1000 costs than one at 10^100, roughly."""
DIGITS = 15
"""Digits of the remainder to which roots are enclosed."""


def confirm(function: Term, root: Tied, main: Term, rest: Term) -> list[Fit]:
    """Confronts terms and the growth of what is left (0 of an exact root) with roots of a function, on paths of the regime.

    Raises:
        Refused: the roots do not follow the expansion, or none could be compared.
        Undecided: none could be certified.
    """
    found = path(root.plain)
    along = {v: terms.read(one) for v, one in found["values"].items()}
    moving = {v: one for v, one in along.items() if one.free}
    runs = [Run("", found["runner"], moving, put) for put in instances(root.plain, moving, found["runner"])]
    parts = (function, main, rest)
    fits, failure = _fits(parts, root, runs, SIZES)
    if not fits:  # too close to an end of the interval, or to another number
        fits, _ = _fits(parts, root, runs, NEAR_SIZES)
    if not fits:
        raise failure
    if rest != terms.ZERO and all(len(fit.ratios) == 1 for fit in fits):
        raise Refused("derived, but only one certified root could be compared with it")
    if any(not fit.bounded for fit in fits):
        raise Refused("derived, but certified roots do not follow it")
    return fits


def _fits(
    parts: tuple[Term, Term, Term], root: Tied, runs: Sequence[Run], sizes: tuple[int, ...]
) -> tuple[list[Fit], Exception]:
    """How the roots follow the terms on each path at these sizes, and why the last one that could not be had was not."""
    fits: list[Fit] = []
    failure: Exception = Undecided("nothing was measured")
    exact = parts[2] == terms.ZERO
    for run in runs:
        ratios: list[float] = []
        used: list[int] = []
        agreed = 0
        purse, latest = Budget(budget.ROOTS), 0
        for size in sizes:
            now = purse.used()
            if len(used) > 1 and max(now, DEARER * (now - latest) if size == 1000 else 0) > purse.steps:
                break
            latest = now
            try:
                ratio = _distance(parts, root, {**dict.fromkeys(parts[0].free - {root.x}, FREE), **run.at(10**size)})
            except NoRootNearby as error:
                raise Refused("derived, but certified signs show no root there") from error
            except Undecided as error:
                failure = error
                continue
            if ratio == -math.inf and not exact:
                agreed += 1
                continue
            ratios.append(ratio)
            used.append(size)
        if ratios or agreed:
            fits.append(Fit(run.name, tuple(ratios), not ratios or _bounded(ratios, used, exact), tuple(used)))
    return fits, failure


def _distance(parts: tuple[Term, Term, Term], root: Tied, values: dict[str, Any]) -> float:
    """ln of an upper bound of |root - terms|/remainder; -oo where an exact expansion is the root to all digits."""
    function, main, rest = parts
    size = terms.call("Abs", main)
    radius = rest if rest != terms.ZERO else multiply(size, terms.power(number(10), number(-DIGITS)))
    if terms.ZERO not in (rest, main):
        bits = 128 + 4 * max((len(str(v)) for v in values.values()), default=0)  # e^n loses the digits of n
        top = ball(multiply(rest, reciprocal(main)), values, bits).abs_upper()
        if not top.is_finite():
            raise Undecided("the remainder has no finite value there")
        if top.is_zero() or float(top.log().mid()) < -FINEST * math.log(2):
            radius, rest = multiply(size, terms.power(number(2), number(-AGREED))), terms.ZERO  # exponentially small
    within = (root.low if root.low is not None else MINUS_OO, root.high if root.high is not None else OO)
    found = enclose_root(function, root.x, values, main, radius, DIGITS, within=within)
    gap = ball(
        multiply(add(name(root.x), negative(main)), reciprocal(radius)), {**values, root.x: found}, 2 * found.bits
    )
    if not gap.is_finite():
        raise Undecided("the distance of the root has no finite value")
    if rest == terms.ZERO:
        return -math.inf if abs(gap) < 1 else math.inf
    return float(gap.abs_upper().log().mid())
