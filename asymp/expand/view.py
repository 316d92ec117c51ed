"""A statement about a limit as the engine reads it: SymPy's expressions, in a regime of the engine.

>>> from asymp.parse import claim
>>> view = view_of(claim("me/x", "harmonic(n) ~ log(n)", to="n -> oo", source="me, 1").relation)
>>> view.relation.f, view.regime.scales
(harmonic(n), (n,))
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import sympy as sp

from asymp.budget import uncounted
from asymp.claim import Asymptotic
from asymp.kernel import terms
from asymp.language import bodies as say
from asymp.language.conditions import Compared, Conditions, OfKind, Tends, text_of
from asymp.language.elaborate import CONSTANTS, variables_of
from asymp.language.names import free_names
from asymp.language.numbers import ParseError
from asymp.language.parts import Part
from asymp.language.statement import Statement
from asymp.ordering import by_rate
from asymp.parse.limits import said_of_parameters
from asymp.parse.mathematics import Builder, infinite
from asymp.parse.setting import instances, setting_of
from asymp.parse.terms import points
from asymp.refusal import Refused
from asymp.scale import Regime


@dataclass(frozen=True)
class Equivalent:
    """``f ~ g``: the ratio tends to 1."""

    kind: ClassVar[str] = "equivalent"
    f: sp.Expr
    g: sp.Expr


@dataclass(frozen=True)
class ExpansionOf:
    """``f = terms + O(growth)``, or ``+ o(growth)``."""

    kind: ClassVar[str] = "expansion"
    f: sp.Expr
    terms: sp.Expr
    order: str  # "O" or "o"
    growth: sp.Expr


@dataclass(frozen=True)
class Limit:
    """``f -> value``; the value may depend on parameters, or be oo."""

    kind: ClassVar[str] = "limit"
    f: sp.Expr
    value: sp.Expr


@dataclass(frozen=True)
class Order:
    """``f = O(g)``, ``o``, ``Theta`` or ``Omega`` or ``omega``."""

    kind: ClassVar[str] = "order"
    f: sp.Expr
    order: str
    g: sp.Expr


Said = Equivalent | ExpansionOf | Limit | Order


@dataclass(frozen=True)
class View:
    """What is said, and what tends where."""

    relation: Said
    regime: Regime


def view_of(asked: Asymptotic) -> View:
    """The engine's view of a statement.

    Raises:
        Refused: the engine has no such regime, or no such expression.
    """
    found = _view(asked.statement, asked.tried)
    if isinstance(found, str):
        raise Refused(found)
    regime = found.regime
    regime = replace(regime, whole=regime.whole | asked.whole, real=regime.real | asked.real)
    return View(as_whole(found.relation, asked.whole), regime)


@uncounted
@lru_cache(maxsize=256)
def _view(statement: Statement, tried: Conditions) -> View | str:
    try:
        kinds = tuple(c for c in statement.conditions() if isinstance(c, OfKind))
        assumed = (*kinds, *said_of_parameters(statement))
        setting = setting_of(statement.regime, assumed, [name for name in variables_of(statement) if name not in CONSTANTS])
        builder = Builder(str(statement.body), setting.symbols)
        relation = _said(statement.body, builder)
    except ParseError as error:
        return str(error)
    assert setting.regime is not None
    regime = replace(setting.regime, text=text_of(statement.regime))
    regime = replace(regime, instances=_instances(regime, _free_parameters(relation, regime), tried))
    for name in _through_rate(statement, builder.parts, regime):
        regime = by_rate(regime, name)
    return View(relation, regime)


def _said(body: say.Body, builder: Builder) -> Said:
    """A body about a limit in SymPy's expressions."""
    match body:
        case say.Ratio(left, right):
            return Equivalent(builder.build(left), builder.build(right))
        case say.Limiting(left, value):
            limit = infinite(value)
            return Limit(builder.build(left), builder.build(value) if limit is None else limit)
        case say.Ordering(left, order, growth):
            return Order(builder.build(left), order, builder.build(growth))
        case say.Expanding(left, kept, order, growth):
            return ExpansionOf(builder.build(left), builder.build(kept), order, builder.build(growth))
    raise ParseError(f"not a statement about a limit: {body}")


def _free_parameters(relation: Said, regime: Regime) -> set[sp.Symbol]:
    used = [item for item in vars(relation).values() if isinstance(item, sp.Basic)] + list(regime.ties.values())
    free: set[sp.Symbol] = set().union(*(item.free_symbols for item in used)) if used else set()
    return free - set(regime.scales) - set(regime.ties) - set(regime.ranges)


def _instances(regime: Regime, free: Iterable[sp.Symbol], tried: Conditions) -> tuple[Mapping[sp.Symbol, sp.Expr], ...]:
    found = tuple(_whole_where_said(values, regime) for values in instances(regime.ranges, free))
    if not tried:
        return found
    symbols = {s.name: s for s in (*free, *regime.ranges)}
    rows = []
    for k, point in enumerate(points(tried, {}, {})):
        base = dict(found[k % len(found)])
        for name, given in point.items():
            if name not in symbols:
                raise ParseError(f"{name} is no parameter of this statement")
            base[symbols[name]] = sp.Rational(given.numerator, given.denominator)
        rows.append(base)
    return tuple(rows)


def _whole_where_said(values: Mapping[sp.Symbol, sp.Expr], regime: Regime) -> Mapping[sp.Symbol, sp.Expr]:
    """Whole values for parameters that are whole, and 0 is none that is positive."""
    return {s: max(sp.ceiling(x), sp.S.One) if s.name in regime.whole and s.is_positive else x for s, x in values.items()}


def _through_rate(statement: Statement, parts: Sequence[Part], regime: Regime) -> list[sp.Symbol]:
    """The variables p -> 0+ of which powers (1-p)^n are taken, where something else grows; none that is tied exactly."""
    found: list[sp.Symbol] = []
    if len(regime.scales) < 2:
        return found
    for condition in statement.regime:
        if not (isinstance(condition, Tends) and condition.term.kind == "name" and str(condition).endswith("-> 0+")):
            continue
        name = condition.term.text
        exact = [c for c in statement.regime if isinstance(c, Compared) and name in set().union(*map(free_names, c.parts))]
        symbol = next((s for s in regime.ties if s.name == name), None)
        if exact or symbol is None:
            continue
        less = terms.read(f"1 - {name}")
        powers = [part for part in parts if part.head == "power" and terms.of(part.arguments[0]) == less]
        if any(part.arguments[1].free - CONSTANTS for part in powers):
            found.append(symbol)
    return found


# --- as SymPy reads it for whole values ---------------------------------------------------------------

_READ_WHOLE = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.floor, sp.ceiling)


def marks(expr: sp.Expr, whole: Collection[str]) -> dict[sp.Symbol, sp.Symbol]:
    """Symbol -> the same with integer values, for the names that are whole."""
    return {
        s: sp.Symbol(s.name, integer=True, **{k: True for k in ("positive", "nonnegative") if getattr(s, f"is_{k}")})
        for s in sorted(expr.free_symbols, key=str)
        if s.name in whole and not s.is_integer
    }


def as_whole(relation: Said, names: Iterable[str]) -> Said:
    """The relation with what SymPy makes of it for whole values of some variables.

    >>> n = sp.Symbol("n", positive=True)
    >>> as_whole(Limit(sp.sin(sp.pi * n) + sp.floor(n), sp.oo), {"n"}).f
    n
    """
    names = frozenset(names)
    changed = {}
    for name, item in vars(relation).items():
        if not isinstance(item, sp.Expr):
            continue
        if not (item.has(*_READ_WHOLE) or any(q.base.is_negative for q in item.atoms(sp.Pow))):
            continue
        swaps = marks(item, names)
        changed[name] = item.subs(swaps).subs({new: old for old, new in swaps.items()}) if swaps else item
    changed = {name: item for name, item in changed.items() if item != getattr(relation, name)}
    return replace(relation, **changed) if changed else relation
