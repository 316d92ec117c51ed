"""The meaning of a claim: which variables are whole, and that every part of it is real and defined where it is made.

>>> from asymp.parse import claim
>>> [fact for fact in meaning(claim("me/x", "Sum(1/k,(k,1,n*m)) ~ log(n*m)", to="n->oo, m->oo", source="me, 1")).facts][:1]
['m whole (end of Sum(1/k, (k, 1, n*m)))']
>>> meaning(claim("me/y", "cos(n*acos(2)) <= 1 for integer n >= 1", source="me, 2"))
Traceback (most recent call last):
...
asymp.meaning.read.Meaningless: acos(2) is not defined: (X + 1 >= 0 and 1 - X >= 0) is needed, not X = 2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from asymp.claim import Bound, Claim, Identity, Relation, Root, Value
from asymp.domain import Domain
from asymp.kernel import terms
from asymp.kernel.growths.regime import names_in
from asymp.kernel.terms import Refused
from asymp.language.conditions import OfKind, text_of
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.numbers import ParseError
from asymp.language.parts import Part, parts_of
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import Node, Parser, words
from asymp.meaning.domains import box, finite
from asymp.meaning.ground import Ground, Prove
from asymp.meaning.limit import far_out
from asymp.meaning.paths import NOTHING, path, with_ties
from asymp.meaning.read import Kind, Meaningless, Reading, read
from asymp.meaning.truth import Truth
from asymp.meaning.whole import whole_valued
from asymp.meaning.whole_values import as_whole, hanging
from asymp.parse.limits import moving_limit
from asymp.parse.printing import term as printed
from asymp.scale import Regime


@dataclass(frozen=True)
class Meaning:
    """How a statement is read.

    Args:
        facts: which variables are whole and why, and what was found to be defined, in words.
        whole: the names of the whole variables, declared or forced.
        relation: the relation with that used: sin(pi n) is 0 for whole n, floor(n) is n.
        ambiguous: names that usually mean whole numbers, and are neither declared nor forced.
        if_whole: the relation if those were whole; None where the answer cannot hang on it.
        unsure: why it is not known that all is defined on the whole domain, where it is at the points tried: then a theorem,
            which asks it of every part, may uphold the statement, and points may only refute it.
    """

    facts: tuple[str, ...]
    whole: frozenset[str]
    relation: Relation
    ambiguous: frozenset[str] = frozenset()
    if_whole: Relation | None = None
    unsure: str = ""


def meaning(claim: Claim, prove: Prove | None = None) -> Meaning:
    """How a claim is read.

    Args:
        claim: typed claims carry their parts as typed; of others the relation is walked as it stands.
        prove: a prover of bounds in one variable, for domains that are boxes.

    Raises:
        Meaningless: a part of it is undefined somewhere, a sum runs backwards, or it is not known that all is well.
    """
    relation, regime = claim.relation, claim.regime
    expressions = [item for item in vars(relation).values() if isinstance(item, sp.Expr) and item not in (sp.oo, -sp.oo)]
    parts = claim.parts
    if parts is None:
        parts = tuple(part for expr in expressions for part in of_expression(expr))
    symbols = {s.name: s for e in expressions for s in e.free_symbols}
    names = symbols.keys() | {name for p in parts for name in p.free - terms.CONSTANTS}
    if isinstance(relation, Identity | Bound | Root):
        domain = relation.domain.with_real_points()
        found = _of_domain(parts, domain, symbols, prove)
        sides: tuple[Any, ...] = () if isinstance(relation, Root) else (relation.lhs, relation.rhs)
        coded = any(not isinstance(side, sp.Basic) for side in sides)
        declared, extra = domain.real, () if coded else _unused(domain.ranges or {}, names)
    elif isinstance(relation, Value):
        found, declared, extra = read(parts, finite(Domain("", ({},)), symbols, prove)), frozenset(), ()
    elif regime is None or not expressions:
        return Meaning((), frozenset(), relation)
    else:
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
        declared, extra = regime.real, _unused({s.name: s for s in regime.ranges}, used)
    return _complete(found, relation, expressions, declared, extra)


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


def _of_domain(parts: tuple[Part, ...], domain: Domain, symbols: Mapping[str, sp.Symbol], prove: Prove | None) -> Reading:
    _of_ties(domain, prove)
    if domain.ranges is None or domain.complete:  # its points are all that is known, or the domain
        return read(parts, finite(domain, symbols, prove), domain.real)
    try:
        found = read(parts, box(domain, symbols, prove), domain.real)
    except Meaningless as error:
        if error.kind is not Kind.UNKNOWN or not domain.conditions:
            raise
        found = read(parts, finite(domain, symbols, prove), domain.real)  # what fails at a point fails all the same
        found.unsure = error.why
    for name, bounds in domain.ranges.items():
        if bounds.is_empty(name in found.whole):
            raise Meaningless(name, f"no whole {name} lies in the range given", Kind.EMPTY)
    return found


def _of_ties(domain: Domain, prove: Prove | None) -> None:
    """That what is tied has a value at every point where its other variables have theirs."""
    if not domain.tied:
        return
    real = domain.real | (set().union(*(part.free for part in domain.tied)) - domain.whole)  # a tie makes no variable whole
    try:
        read(domain.tied, finite(domain, {}, prove) if domain.complete else box(domain, {}, prove, coupled=False), real)
    except Meaningless:
        if domain.narrowed or domain.complete or not domain.conditions:
            raise  # else the box is more than the domain
        read(domain.tied, box(domain, {}, prove), real)


def _unused(given: Mapping[str, object], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name} occurs in the conditions alone" for name in sorted(set(given) - set(names)))


def has_a_path(statement: Statement, whole: Iterable[str] = ()) -> None:
    """Nothing, where a path is seen on which all that is said of a regime and a domain holds.

    Args:
        statement: closed, of a limit.
        whole: variables that are whole, though that is not said.

    Raises:
        Meaningless: none is seen, so that the statement may be about nothing.

    >>> has_a_path(read_statement("n/m -> oo as n -> oo, m -> oo, n = o(m), m = o(n)"))
    Traceback (most recent call last):
    ...
    asymp.meaning.read.Meaningless: no path is seen on which all conditions hold: n -> oo, m -> oo, n = o(m), m = o(n)
    """
    asked = Statement(NOTHING, domain=statement.domain, regime=with_ties(statement.regime))
    try:
        kinds = tuple(OfKind(name, "whole") for name in sorted(set(whole) & names_in(asked)))
        path(replace(asked, domain=tuple(dict.fromkeys((*kinds, *statement.domain)))))
    except Refused as error:
        raise Meaningless(text_of(statement.regime), str(error), Kind.EMPTY) from error


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


# --- the relation as read --------------------------------------------------------------------------


def _complete(
    found: Reading, relation: Relation, expressions: list[sp.Expr], real: frozenset[str], extra: tuple[str, ...]
) -> Meaning:
    free = {s.name for e in expressions for s in e.free_symbols}
    ambiguous = frozenset(name for name in free if name in WHOLE_LETTERS and name not in found.whole | real)
    used = as_whole(relation, found.whole)
    other = as_whole(used, ambiguous) if ambiguous else used
    jumping, waving = hanging(expressions, ambiguous)
    said = [f"{name} real (say integer {name} where it is whole)" for name in sorted(waving - jumping)]
    facts = tuple(dict.fromkeys([*found.facts, *extra, *said]))
    return Meaning(facts, found.whole, used, ambiguous, other if other != used or jumping else None, found.unsure)
