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

import sympy as sp

from asymp import cas
from asymp.cas import text as printed
from asymp.claim import Bound, Claim, Identity, Relation, Root, Value
from asymp.domain import Domain
from asymp.kernel import terms
from asymp.kernel.growths.regime import names_in
from asymp.kernel.terms import Refused, Term
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
from asymp.parse.at import term_of
from asymp.parse.limits import moving_limit
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
    relation, regime, parts = claim.relation, claim.regime, claim.parts or ()
    if isinstance(relation, Identity | Bound | Root):
        domain = relation.domain.with_real_points()
        found = _of_domain(parts, domain, prove)
        plain = tuple(term for term in _sides(relation) if term is not None)
        names = frozenset[str]().union(*(term.free for term in plain), *(p.free - terms.CONSTANTS for p in parts))
        extra = _unused(domain.ranges, names) if len(plain) == len(_sides(relation)) else ()
        return _complete(found, relation, plain, domain.real, extra)
    if isinstance(relation, Value):
        found = read(parts, finite(Domain("", ({},), complete=True), prove))
        return _complete(found, relation, (), frozenset(), ())
    expressions = [item for item in vars(relation).values() if isinstance(item, sp.Expr) and item not in (sp.oo, -sp.oo)]
    if regime is None or not expressions:
        return Meaning((), frozenset(), relation)
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
    extra = _unused({s.name: s for s in regime.ranges}, used)
    return _complete(found, relation, tuple(map(cas.term_of, expressions)), regime.real, extra)


def _sides(relation: Identity | Bound | Root) -> tuple[Term | None, ...]:
    """The terms that are compared; None for one that calls functions of a model, or is a formula."""
    if isinstance(relation, Root):
        return (term_of(relation.difference),)
    return tuple(getattr(side, "term", None) for side in (relation.lhs, relation.rhs))


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


def _of_domain(parts: tuple[Part, ...], domain: Domain, prove: Prove | None) -> Reading:
    _of_ties(domain, prove)
    if domain.complete:
        return read(parts, finite(domain, prove), domain.real)
    try:
        found = read(parts, box(domain, prove), domain.real)
    except Meaningless as error:
        if error.kind is not Kind.UNKNOWN or not domain.conditions:
            raise
        found = read(parts, finite(domain, prove), domain.real)  # what fails at a point fails all the same
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
        read(domain.tied, finite(domain, prove) if domain.complete else box(domain, prove, coupled=False), real)
    except Meaningless:
        if domain.narrowed or domain.complete or not domain.conditions:
            raise  # else the box is more than the domain
        read(domain.tied, box(domain, prove), real)


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
    found: Reading, relation: Relation, read: tuple[Term, ...], real: frozenset[str], extra: tuple[str, ...]
) -> Meaning:
    free = frozenset[str]().union(*(term.free for term in read))
    ambiguous = frozenset(name for name in free if name in WHOLE_LETTERS and name not in found.whole | real)
    used = as_whole(relation, found.whole)
    other = as_whole(used, ambiguous) if ambiguous else used
    jumping, waving = hanging(read, ambiguous)
    said = [f"{name} real (say integer {name} where it is whole)" for name in sorted(waving - jumping)]
    facts = tuple(dict.fromkeys([*found.facts, *extra, *said]))
    return Meaning(facts, found.whole, used, ambiguous, other if other != used or jumping else None, found.unsure)
