"""Quantities that an equation defines: the answer to ``asymp expand --equation "F = G" --unknown x``.

The root is derived and proved by :mod:`asymp.expand.implicit`, and then confirmed by certified roots.

>>> answer = expand_equation("x*exp(x) = n", "x", "n->oo", (), 2)
>>> answer["terms"], answer["remainder"]["growth"], answer["root"]
(['log(n)', '-log(log(n))'], 'log(log(n))/log(n)', 'x > 0')
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp import budget
from asymp.budget import Budget
from asymp.check.measure import some
from asymp.check.symbolic_integrals import runs_of
from asymp.check.trend import FREE, SIZES, Fit, _bounded
from asymp.enclosure import InputError, Undecided, ball
from asymp.enclosure.roots import NoRootNearby, enclose_root
from asymp.expand.closed import for_numbers
from asymp.expand.implicit import Root, expand_root
from asymp.expansion import Refused
from asymp.parse import NoLimit, ParseError, all_said, parse_expression, parse_setting
from asymp.parse.mathematics import CONSTANTS, FUNCTIONS, OPERATORS
from asymp.parse.setting import Setting
from asymp.scale import Regime
from asymp.stopwatch import Stopwatch

_NAME = r"[^\W\d]\w*"
NEAR_SIZES = (1, 2, 3, 4, 5, 6)
"""Powers of 10 for n where no root is certified at the usual ones: it is exponentially near another number."""
FINEST = 40_000
"""Remainders below 2^-FINEST of the root are not resolved: then it must agree with the terms to AGREED bits."""
AGREED = 2000
DEARER = 40
"""How much more a value at n = 10^1000 costs than one at 10^100, roughly."""
DIGITS = 15
"""Digits of the remainder to which roots are enclosed."""


def expand_equation(equation: str, unknown: str, to: str, assume: Iterable[str] | str, order: int) -> dict[str, Any]:
    """The first terms of the root, or of each root (``cases``), as plain data; or refused.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    watch = Stopwatch()
    left, right, x, setting, low, high = _read(equation, unknown, to, assume)
    assert setting.regime is not None
    try:
        roots = expand_root(left, right, x, setting.regime, order, low, high)
        for root in roots:
            confirm(left, right, x, setting.regime, root)
    except (Undecided, InputError) as error:
        return {"refused": f"derived, but not confirmed by certified roots: {' '.join(str(error).split())}"}
    except ValueError as refused:  # Refused, or a method that met what it cannot take
        return {"refused": " ".join(str(refused).split())}
    shown = [_shown(root) for root in roots]
    found: dict[str, Any] = {**shown[0], "root": roots[0].when}
    if len(roots) > 1:
        found = {"cases": [{"when": root.when, **data} for root, data in zip(roots, shown, strict=True)]}
    return {**found, "strength": "supported", "trusts": [], "seconds": watch.seconds()}


def _shown(root: Root) -> dict[str, Any]:
    terms = [str(root.regime.display(c * g.expr)) for g, c in root.expansion.ordered()]
    growth = root.regime.display(sp.Add(*(r.expr for r in root.expansion.remainder)))
    return {"terms": terms, "remainder": {"kind": "O", "growth": str(growth), "constant": None, "valid_from": None}}


# --- reading -----------------------------------------------------------------------------------


def _read(
    equation: str, unknown: str, to: str, assume: Iterable[str] | str
) -> tuple[sp.Expr, sp.Expr, sp.Symbol, Setting, sp.Expr, sp.Expr]:
    name = unknown.strip()
    if not re.fullmatch(_NAME, name) or name in CONSTANTS or name in FUNCTIONS or name in OPERATORS:
        raise ParseError(f"--unknown: {name or 'nothing'} is no variable")
    sides = equation.split("=")
    if len(sides) != 2 or not all(side.strip() for side in sides) or re.search(r"[<>~]|!=", equation):
        raise ParseError("an equation is written left = right", equation)
    texts = [assume] if isinstance(assume, str) else list(assume)
    conditions = [part.strip() for text in texts for part in re.split(r",|\band\b", text)]
    own = [part for part in conditions if name in re.findall(_NAME, part)]
    others = [part for part in conditions if part not in own]
    names = re.findall(_NAME, equation)
    if name not in names:
        raise ParseError(f"the equation does not hold the unknown {name}", equation)
    setting = parse_setting(to, others, names)
    if setting.regime is None:
        raise NoLimit("say what tends where, such as --to n->oo")
    if name in {s.name for s in setting.symbols.values() if s in setting.regime.scales or s in setting.regime.ties}:
        raise ParseError(f"{name} tends to its limit: it is not the unknown")
    low, high = _interval(own, name, setting)
    positive = low.is_nonnegative is True or (low.is_number is False and low.is_positive is True)
    x = sp.Symbol(name, positive=True) if positive else sp.Symbol(name, real=True)
    symbols = {**setting.symbols, name: x}
    all_said(setting, to, *sides, unknown=name)
    left, right = (parse_expression(side, symbols).subs(dict(setting.values)) for side in sides)
    return left, right, x, setting, low, high


def _interval(conditions: list[str], name: str, setting: Setting) -> tuple[sp.Expr, sp.Expr]:
    """The interval that the assumptions on the unknown give; x > 0 where there are none."""
    low, high = None, None
    for condition in conditions:
        parts = re.split(r"(<=|>=|<|>)", condition)
        if len(parts) not in (3, 5) or any(p in ("<=", ">=") for p in parts[1::2]):
            raise ParseError(f"assume an open interval of {name}, such as 0 < {name} < 1", condition)
        sides, signs = [p.strip() for p in parts[::2]], parts[1::2]
        if sides.count(name) != 1 or (len(sides) == 3 and sides[1] != name):
            raise ParseError(f"assume an open interval of {name}, such as 0 < {name} < 1", condition)
        for k, relation in enumerate(signs):
            left, right = sides[k], sides[k + 1]
            value = parse_expression(right if left == name else left, setting.symbols)
            if (relation == "<") == (left == name):
                if high is not None:
                    raise ParseError(f"{name} has two upper ends", condition)
                high = value
            else:
                if low is not None:
                    raise ParseError(f"{name} has two lower ends", condition)
                low = value
    if low is None:
        below = high is not None and high.is_nonpositive is True
        low = -sp.oo if below else sp.S.Zero
    high = sp.oo if high is None else high
    if (high - low).is_nonpositive:
        raise ParseError(f"the assumptions on {name} leave nothing")
    return low, high


# --- numbers -----------------------------------------------------------------------------------


def confirm(left: sp.Expr, right: sp.Expr, x: sp.Symbol, given: Regime, root: Root) -> list[Fit]:
    """Confront the expansion with certified roots at n = 10^8, 10^20, 10^100, 10^1000.

    Raises:
        Refused: the roots do not follow the expansion, or none could be compared.
        Undecided: none could be certified.
    """
    regime, e = root.regime, root.expansion
    exact = {s: regime.inverse.get(s, regime.names.get(s, s)) for s in regime.scales}
    covers = {}
    for symbol, cover in regime.ranges.items():
        (free,) = cover.free_symbols
        covers[free] = sy.solve(sp.Eq(symbol, cover), free)[0]
    back = {**exact, **covers}
    main = e.expr.subs(back, simultaneous=True)
    rest = sp.Add(*(r.expr for r in e.remainder)).subs(back, simultaneous=True)
    within = (root.low.subs(back, simultaneous=True), root.high.subs(back, simultaneous=True))
    function = for_numbers(left) - for_numbers(right)
    free = {s.name: FREE for s in function.free_symbols if s != x}
    parts = (function, main, rest)
    fits, failure = _fits(parts, x.name, within, given, free, SIZES)
    if not fits:  # too close to an end of the interval, or to another number
        fits, _ = _fits(parts, x.name, within, given, free, NEAR_SIZES)
    if not fits:
        raise failure
    if rest != 0 and all(len(fit.ratios) == 1 for fit in fits):
        raise Refused("derived, but only one certified root could be compared with it")
    if any(not fit.bounded for fit in fits):
        raise Refused("derived, but certified roots do not follow it")
    return fits


def _fits(
    parts: tuple[sp.Expr, sp.Expr, sp.Expr],
    name: str,
    within: tuple[sp.Expr, sp.Expr],
    given: Regime,
    free: dict[str, Any],
    sizes: tuple[int, ...],
) -> tuple[list[Fit], Exception]:
    """How the roots follow the terms on each path at these sizes, and why the last one that could not be had was not."""
    function, main, rest = parts
    fits: list[Fit] = []
    failure: Exception = Undecided("nothing was measured")
    for run in some(runs_of(given), True):
        ratios: list[float] = []
        used: list[int] = []
        agreed = 0
        purse, latest = Budget(budget.ROOTS), 0
        for size in sizes:
            now = purse.used()
            if len(used) > 1 and max(now, DEARER * (now - latest) if size == 1000 else 0) > purse.steps:
                break
            latest = now
            values = {**free, **run.at(10**size)}
            try:
                ratio = _distance(function, name, values, main, rest, within)
            except NoRootNearby as error:
                raise Refused("derived, but certified signs show no root there") from error
            except Undecided as error:
                failure = error
                continue
            if ratio == -math.inf and rest != 0:
                agreed += 1
                continue
            ratios.append(ratio)
            used.append(size)
        if ratios or agreed:
            fits.append(Fit(run.name, tuple(ratios), not ratios or _bounded(ratios, used, rest == 0), tuple(used)))
    return fits, failure


def _distance(
    function: sp.Expr, name: str, values: dict[str, Any], main: sp.Expr, rest: sp.Expr, within: tuple[sp.Expr, sp.Expr]
) -> float:
    """ln of an upper bound of |root - terms|/remainder; -oo where an exact expansion is the root to all digits."""
    radius = rest if rest != 0 else abs(main) * sp.Rational(1, 10**DIGITS)
    if rest != 0 and main != 0:
        bits = 128 + 4 * max((len(str(v)) for v in values.values()), default=0)  # e^n loses the digits of n
        top = ball(rest / main, values, bits).abs_upper()
        if not top.is_finite():
            raise Undecided("the remainder has no finite value there")
        if top.is_zero() or float(top.log().mid()) < -FINEST * math.log(2):
            radius, rest = abs(main) * sp.Rational(1, 2**AGREED), sp.S.Zero  # exponentially small
    root = enclose_root(function, name, values, main, radius, DIGITS, within=within)
    gap = ball((sp.Symbol(name) - main) / radius, {**values, name: root}, 2 * root.bits)
    if not gap.is_finite():
        raise Undecided("the distance of the root has no finite value")
    if rest == 0:
        return -math.inf if abs(gap) < 1 else math.inf
    return float(gap.abs_upper().log().mid())
