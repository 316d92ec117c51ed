"""Case splits: an answer that hangs on a sign is sought again on each side of where the sign changes.

A *case* is a regime whose parameters run in subranges.  Where a derivation is refused because the sign of
e(alpha) is not decided, the roots of e in alpha's range part it into open subranges and points, and the
derivation is tried on each; so on, to a limit.  Soundness does not rest on the roots: any points part a range,
and on each part the derivation has to decide all signs itself.  Two parameters are parted in one given the
other, where the condition is linear in it.  A comparison that hangs on the path of two free scales,
u^a against v^b, is parted into u^a/v^b -> oo, = c, -> 0.

>>> n, alpha = sp.symbols("n alpha", positive=True)
>>> case = Case(Regime.single(n))
>>> [part.when for part in partition(case, [alpha - 2])]
['alpha<2', 'alpha=2', 'alpha>2']
>>> [part.when for part in partition(partition(case, [alpha - 2])[0], [alpha - 1])]
['alpha<1', 'alpha=1', '1<alpha<2']
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

import sympy as sp

import asymp.symbolics as sy
from asymp import budget, ordering
from asymp.budget import Budget
from asymp.expansion import OutOfSteps, Refused
from asymp.growth import Growth
from asymp.scale import Regime
from asymp.sign import decided_sign, rational_parts

MOST_CASES = 24
"""Attempts at most, over all cases of one question."""
DEEPEST = 6
LONGEST = 120
"""Operations in a coefficient whose zeros are looked for, beyond the leading one's."""
MOST_PATHS = 2
"""Comparisons of paths at most that one case is parted by."""
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Bounds:
    """A subrange; None is the end of the range that was assumed."""

    low: sp.Expr | None = None
    high: sp.Expr | None = None

    def is_point(self) -> bool:
        """Whether it is one value."""
        return self.low is not None and self.low == self.high

    def words(self, symbol: sp.Symbol) -> str:
        """The condition as it is printed.

        >>> Bounds(sp.Integer(1), sp.Integer(2)).words(sp.Symbol("x"))
        '1<x<2'
        """
        if self.is_point():
            return f"{symbol}={self.low}"
        if self.low is None:
            return f"{symbol}<{self.high}" if self.high is not None else ""
        return f"{symbol}>{self.low}" if self.high is None else f"{self.low}<{symbol}<{self.high}"


@dataclass(frozen=True)
class Case:
    """A regime, the parameters that have one value in it, the bounds of the others, and conditions in words."""

    regime: Regime
    fixed: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    bounds: Mapping[sp.Symbol, Bounds] = field(default_factory=dict)
    words: tuple[str, ...] = ()

    @property
    def when(self) -> str:
        """The condition under which this is the case; empty where nothing was parted."""
        return " and ".join([w for w in (b.words(s) for s, b in self.bounds.items()) if w] + list(self.words))

    def is_point(self) -> bool:
        """Whether a parameter has one value, or two are tied."""
        return any(bounds.is_point() for bounds in self.bounds.values())

    def at(self, expr: sp.Expr) -> sp.Expr:
        """An expression with the fixed parameters put in."""
        return expr.subs(dict(self.fixed)) if self.fixed else expr


@dataclass(frozen=True)
class Found(Generic[Answer]):
    """What came of a case: an answer, or why there is none."""

    case: Case
    answer: Answer | None
    refused: Refused | None = None


def by_cases(
    attempt: Callable[[Case], Answer],
    start: Case,
    stop: Callable[[Answer], bool] | None = None,
    free_paths: bool = True,
    steps: int = budget.CASES,
) -> list[Found[Answer]]:
    """The answers in all cases, in the order of the parameter; one, if nothing had to be parted.

    Args:
        attempt: raises Refused, with what is undecided, where it cannot answer.
        stop: whether an answer makes the others unnecessary (a refuted case refutes a statement).
        free_paths: as for :func:`partition`.
        steps: the work after which no further case is tried.

    Raises:
        Refused: no case has an answer; the reason is that of the whole range.
    """
    left = MOST_CASES
    stopped = False
    purse = Budget(steps)

    def tried(case: Case, depth: int) -> Found[Answer]:
        nonlocal left, stopped
        if depth and (stopped or purse.exhausted()):
            return Found(case, None, OutOfSteps("too much work was done on other cases to try this one", undecided=()))
        left -= 1
        try:
            answer = attempt(case)
        except Refused as refused:
            return Found(case, None, refused)
        except (ValueError, RecursionError) as error:  # a growth beyond the scale, and the like
            why = str(error) if isinstance(error, ValueError) else "an expression that is nested too deeply"
            return Found(case, None, Refused(why, undecided=()))
        stopped = stop is not None and stop(answer)
        return Found(case, answer)

    def explored(found: Found[Answer], depth: int) -> list[Found[Answer]]:
        """A case, or its parts: all are tried before any is parted further, points first (they are quick)."""
        if found.answer is not None or found.refused is None or depth == DEEPEST or stopped:
            return [found]
        parts = partition(found.case, found.refused.undecided, free_paths)
        if not parts or len(parts) > left:
            return [found]
        order = sorted(range(len(parts)), key=lambda k: not parts[k].is_point())
        by_part = {k: tried(parts[k], depth + 1) for k in order}
        inner = [one for k in range(len(parts)) for one in explored(by_part[k], depth + 1)]
        return [found] if all(one.answer is None for one in inner) else inner

    found = explored(tried(start, 0), 0)
    if all(one.answer is None for one in found):
        raise found[0].refused or Refused("no case has an answer")
    return found


def partition(case: Case, questions: Iterable[Hashable], free_paths: bool = True) -> list[Case]:
    """The parts of a case on which the first of the questions that can be parted is decided; [] if none can be.

    The parts of a range cover it.  The parts of free paths do not cover all of them: between u^a/v^b -> 0 and
    u^a/v^b -> oo only the exact tie u^a/v^b = c is a part, so that what has to hold on every path
    must not be parted so (``free_paths`` false).  A condition on what tends to its limit parts nothing: whoever
    asked for it has to decide it from the regime.
    """
    for question in questions:
        if isinstance(question, Growth):
            if not free_paths or len(case.words) == MOST_PATHS:
                continue
            parts = [
                replace(case, regime=regime, words=(*case.words, words))
                for words, regime in ordering.three_ways(case.regime, question)
            ]
        elif isinstance(question, sp.Expr) and not question.free_symbols & {*case.regime.scales, *case.regime.ties}:
            parts = _by_sign(case, question.subs(dict(case.regime.ranges)))
        else:
            continue
        if parts:
            return parts
    return []


def at_end(case: Case, symbol: sp.Symbol, value: sp.Expr) -> Case:
    """The case in which a parameter is at an end of its range.

    >>> a, x = sp.symbols("a x", positive=True)
    >>> at_end(Case(Regime("a > 1", (), ranges={a: 1 + x})), a, sp.Integer(1)).when
    'a=1'
    """
    ranges = {s: cover for s, cover in case.regime.ranges.items() if s != symbol}
    fixed = {**case.fixed, symbol: value}
    bounds = {**case.bounds, symbol: Bounds(value, value)}
    return replace(case, regime=fix(replace(case.regime, ranges=ranges), fixed), fixed=fixed, bounds=bounds)


def may_vanish(expr: sp.Expr) -> bool | None:
    """Whether an expression in positive symbols has a root there; None: not known."""
    if decided_sign(expr) is not None:
        return decided_sign(expr) == 0
    if len(expr.free_symbols) == 1:
        return True if _roots(expr, next(iter(expr.free_symbols))) else None
    return None


def zeros(expr: sp.Expr, case: Case) -> list[str]:
    """The values of one parameter at which a coefficient is 0, in words.

    >>> alpha = sp.Symbol("alpha", positive=True)
    >>> zeros(alpha**2 - 3 * alpha + 2, Case(Regime("", ())))
    ['alpha=1', 'alpha=2']
    """
    if len(expr.free_symbols) != 1 or sp.count_ops(expr) > LONGEST or decided_sign(expr) is not None:
        return []
    parts = _by_sign(case, expr)
    points = [part for part in parts if part.is_point()]
    return [b.words(s) for part in points for s, b in part.bounds.items() if b.is_point() and s not in case.fixed]


def _by_sign(case: Case, expr: sp.Expr) -> list[Case]:
    symbols = sorted(expr.free_symbols, key=str)
    if len(symbols) == 1:
        ends = _roots(expr, symbols[0])
        return _parted(case, symbols[0], ends) if ends else []
    plain = [s for s in symbols if s.is_positive and _owner(case.regime, s) == s]
    if plain:  # covered too, so that one may bound another
        covers = {s: _fresh(case.regime, s) for s in plain}
        regime = replace(case.regime, ranges={**case.regime.ranges, **covers})
        return _by_sign(replace(case, regime=regime), expr.subs(covers))
    top, _ = sp.fraction(sy.together(expr))
    solved: dict[sp.Symbol, sp.Expr] = {}
    for symbol in symbols:
        with contextlib.suppress(sy.SymbolicFailure):
            poly = sy.poly(top, symbol)
            if symbol.is_positive and poly.degree() == 1:
                slope, constant = poly.all_coeffs()
                solved[symbol] = sy.cancel(-constant / slope)
    inside = [(symbol, root) for symbol, root in solved.items() if decided_sign(root) == 1]
    if inside:  # the condition in the shortest words
        symbol, root = min(inside, key=lambda q: sp.count_ops(_end(case.regime, *q)))
        return _parted(case, symbol, [root])
    for root in solved.values():
        parts = _by_sign(case, root) if decided_sign(root) is None else []
        if parts:
            return parts
    return []


def _end(regime: Regime, symbol: sp.Symbol, root: sp.Expr) -> sp.Expr:
    """The parameter's value where the symbol that covers it is ``root``."""
    cover = regime.ranges.get(_owner(regime, symbol), symbol)
    return sy.cancel(regime.display(cover.subs(symbol, root)))


def _roots(expr: sp.Expr, symbol: sp.Symbol) -> list[sp.Expr]:
    """Candidates for the places on the positive axis where the sign changes, in order; [] if none are known.

    Roots and poles of a rational function are found exactly (real root isolation); for other functions
    only where an argument of a logarithm is 1, a base is 0, or SymPy solves for a root that can be verified.
    """
    if not symbol.is_positive:
        return []
    found: set[sp.Expr] = set()
    expr = sp.Mul(*(f for f in sp.Mul.make_args(sy.factor(expr)) if decided_sign(f) is None))
    parts = rational_parts(expr, symbol)
    if parts is not None:
        for poly in parts:
            found |= set(sy.real_roots(poly))
    else:
        pieces = [x.args[0] - 1 for x in expr.atoms(sp.log)] + [x.base for x in expr.atoms(sp.Pow)]
        for piece in pieces:
            inner = rational_parts(piece, symbol)
            if inner is not None:
                found |= {root for poly in inner for root in sy.real_roots(poly)}
        if not any(root.is_positive for root in found) and sp.count_ops(expr) <= 30:
            with contextlib.suppress(sy.SymbolicFailure):
                found |= {root for root in sy.solve(expr, symbol) if sy.simplify(expr.subs(symbol, root)) == 0}
    kept = [root for root in found if root.is_positive and not root.has(sp.CRootOf) and root.is_finite]
    return sorted(kept, key=lambda root: sp.N(root, 30))


def _parted(case: Case, symbol: sp.Symbol, roots: list[sp.Expr]) -> list[Case]:
    """The subranges and points of the positive symbol, in the order of the parameter that it covers."""
    owner = _owner(case.regime, symbol, {s for s, b in case.bounds.items() if b.is_point()})
    cover = case.regime.ranges.get(owner, owner)
    slope = decided_sign(sy.diff(cover, symbol))
    if slope is None:
        return []
    own = symbol if owner in case.regime.ranges else _fresh(case.regime, owner)
    ends: list[sp.Expr | None] = [None, *roots, None]
    parts: list[Case] = []
    for low, high in itertools.pairwise(ends):
        if low is None:
            inside = high / (1 + own)
        elif high is None:
            inside = low + own
        else:
            inside = low + (high - low) / (1 + own)
        parts.append(_within(case, owner, symbol, inside, low, high, slope))
        if high is not None:
            parts.append(_within(case, owner, symbol, high, high, high, slope))
    return parts if slope > 0 else parts[::-1]


def _within(
    case: Case,
    owner: sp.Symbol,
    symbol: sp.Symbol,
    inside: sp.Expr,
    low: sp.Expr | None,
    high: sp.Expr | None,
    slope: int,
) -> Case:
    """The case with the positive symbol in its subrange."""
    regime = case.regime
    cover = regime.ranges.get(owner, owner)
    old = case.bounds.get(owner, Bounds())

    def shown(end: sp.Expr | None, before: sp.Expr | None) -> sp.Expr | None:
        return before if end is None else sy.cancel(regime.display(cover.subs(symbol, end)))

    first, last = (low, high) if slope > 0 else (high, low)
    bounds = {**case.bounds, owner: Bounds(shown(first, old.low), shown(last, old.high))}
    ranges = {s: sy.cancel(c.subs(symbol, inside)) for s, c in {**regime.ranges, owner: cover}.items()}
    fixed = dict(case.fixed)
    if ranges[owner].is_number:
        fixed[owner] = ranges.pop(owner)
    inner = fix(replace(regime, ranges=ranges), fixed)
    return replace(case, regime=inner, fixed=fixed, bounds=bounds)


def fix(regime: Regime, fixed: Mapping[sp.Symbol, sp.Expr]) -> Regime:
    """The regime with parameters at values, and with exact parameter values inside its ranges for numbers."""
    put = dict(fixed)
    return replace(
        regime,
        ties={s: e.subs(put) for s, e in regime.ties.items()},
        names={s: e.subs(put) for s, e in regime.names.items()},
        inverse={s: e.subs(put) for s, e in regime.inverse.items()},
        paths=tuple(
            replace(path, values={**{s: sp.sympify(e).subs(put) for s, e in path.values.items()}, **put})
            for path in regime.paths
        ),
        instances=tuple(_instances(regime, put)),
    )


def _instances(regime: Regime, fixed: Mapping[sp.Symbol, sp.Expr]) -> list[dict[sp.Symbol, sp.Expr]]:
    result: list[dict[sp.Symbol, sp.Expr]] = []
    frees = set().union(*(c.free_symbols for c in regime.ranges.values())) if regime.ranges else set()
    for k, size in enumerate((sp.Integer(1), sp.Rational(1, 3))):
        base = regime.instances[min(k, len(regime.instances) - 1)] if regime.instances else {}
        values = {s: x for s, x in base.items() if s not in regime.ranges and s not in fixed}
        values.update({s: cover.subs(dict.fromkeys(frees, size)) for s, cover in regime.ranges.items()})
        if values not in result:
            result.append(values)
    return result


def _owner(regime: Regime, symbol: sp.Symbol, tied: Collection[sp.Symbol] = ()) -> sp.Symbol:
    """The parameter whose range the positive symbol covers; the symbol itself, where it is a parameter."""
    owners = [s for s, cover in regime.ranges.items() if symbol in cover.free_symbols and s not in tied]
    return min(owners, key=lambda s: len(regime.ranges[s].free_symbols)) if owners else symbol


def _fresh(regime: Regime, owner: sp.Symbol) -> sp.Symbol:
    taken = {s.name for c in regime.ranges.values() for s in c.free_symbols} | {s.name for s in regime.ties}
    name = f"{owner.name}_"
    while name in taken:
        name += "_"
    return sp.Symbol(name, positive=True)
