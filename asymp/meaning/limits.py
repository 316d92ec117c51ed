"""The meaning of statements about limits: every part real and defined from some point on.

>>> from asymp.parse import claim
>>> found, _, _ = of_limit(claim("me/x", "Sum(1/k, (k, 1, n*m)) ~ log(n*m)", to="n->oo, m->oo", source="me, 1"), None)
>>> found.facts[:1]
['m whole (end of Sum(1/k, (k, 1, n*m)))']
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

import sympy as sp

from asymp import cas
from asymp.cas import text as printed
from asymp.claim import Claim, Relation
from asymp.kernel import terms
from asymp.kernel.terms import Term
from asymp.language.numbers import ParseError
from asymp.language.parts import Part, parts_of
from asymp.language.statement import read_statement
from asymp.language.syntax import Node, Parser, words
from asymp.meaning.ground import Ground, Prove
from asymp.meaning.limit import far_out
from asymp.meaning.paths import has_a_path
from asymp.meaning.read import Kind, Meaningless, Reading, read
from asymp.meaning.truth import Truth
from asymp.meaning.whole import whole_valued
from asymp.parse.limits import moving_limit
from asymp.scale import Regime

_READ_WHOLE = (sp.sin, sp.cos, sp.tan, sp.cot, sp.sec, sp.csc, sp.floor, sp.ceiling)


def of_limit(claim: Claim, prove: Prove | None) -> tuple[Reading, tuple[Term, ...], tuple[str, ...]]:
    """How a claim with a regime is read, the terms that are in it, and the parameters that stand in conditions alone.

    Raises:
        Meaningless: a part of it is undefined far out, or it is not known that all is well; the regime has no path.
    """
    relation, regime, parts = claim.relation, claim.regime, claim.parts or ()
    expressions = [item for item in vars(relation).values() if isinstance(item, sp.Expr) and item not in (sp.oo, -sp.oo)]
    assert regime is not None
    symbols = {s.name: s for e in expressions for s in e.free_symbols}
    names = frozenset(symbols).union(*(p.free - terms.CONSTANTS for p in parts))
    if why := moving_limit(relation, regime):
        raise Meaningless("->", why, Kind.CONTRADICTORY)
    _are_fixed(regime)
    ties = {s.name: Parser(printed(sp.sympify(tie))).whole() for s, tie in regime.ties.items()}
    ground = far_out(regime, symbols, names, prove)
    found = read(parts, ground, regime.real, [part for tie in ties.values() for part in parts_of(tie)])
    if claim.closed:
        has_a_path(read_statement(claim.closed), found.whole)
    for name, tie in ties.items():
        if name in found.whole and not tie.free & {s.name for s in regime.names}:
            if whole_valued(terms.of(tie), found.whole) is not Truth.ALWAYS:
                raise Meaningless(name, f"{name} = {words(tie)} is not known to be whole where {regime.text}", Kind.NOT_WHOLE)
    _are_positive(regime, ties, ground)
    used = names.union(*(tie.free for tie in ties.values()))
    extra = tuple(sorted({s.name for s in regime.ranges} - used))
    return found, tuple(map(cas.term_of, expressions)), extra


def of_expression(expr: sp.Expr) -> tuple[Part, ...]:
    """The parts of an expression that was made by code, as it is printed.

    >>> x = sp.Symbol("x")
    >>> [str(part.condition()) for part in of_expression(sp.log(1 - x) / x)]
    ['1 - x > 0', 'x != 0']
    """
    try:
        return tuple(parts_of(Parser(printed(expr)).whole()))
    except ParseError:
        return (Part(type(expr).__name__, (), str(expr)),)


def _are_fixed(regime: Regime) -> None:
    """A parameter is the same all along a path: what depends on what moves is no parameter."""
    for symbol, cover in regime.ranges.items():
        if names := regime.moving(sp.sympify(cover)):
            say = f"say 'uniformly in low <= {symbol} <= high'"
            why = f"{symbol} is a parameter that depends on what moves, {', '.join(names)}: {say}"
            raise Meaningless(symbol.name, why, Kind.CONTRADICTORY)


def _are_positive(regime: Regime, ties: Mapping[str, Node], ground: Ground) -> None:
    """A variable that is tied is read as a positive one: it has to be."""
    for symbol in regime.ties:
        if symbol.is_positive and ground.signs(terms.of(ties[symbol.name])) != {1}:
            why = f"{symbol} = {words(ties[symbol.name])} is not known to be positive where {regime.text}"
            raise Meaningless(symbol.name, why, Kind.UNKNOWN)


# --- as SymPy reads it for whole values ---------------------------------------------------------------


def marks(expr: sp.Expr, whole: Collection[str]) -> dict[sp.Symbol, sp.Symbol]:
    """Symbol -> the same with integer values, for the names that are whole."""
    return {
        s: sp.Symbol(s.name, integer=True, **{k: True for k in ("positive", "nonnegative") if getattr(s, f"is_{k}")})
        for s in sorted(expr.free_symbols, key=str)
        if s.name in whole and not s.is_integer
    }


def as_whole(relation: Relation, names: Iterable[str]) -> Relation:
    """The relation with what SymPy makes of it for whole values of some variables.

    >>> from asymp.claim import Limit
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
