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

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import sympy as sp

from asymp.claim import Bound, Claim, Identity, Relation, Root, Value
from asymp.domain import Domain
from asymp.functions.conditions import Condition, NonNegative, Positive, Whole
from asymp.functions.parts import Part, parts_of
from asymp.functions.symbolic import NAMED
from asymp.kernel.growths.regime import names_in
from asymp.kernel.terms import Refused as NoPath
from asymp.language.conditions import OfKind, text_of
from asymp.language.kinds import WHOLE_LETTERS
from asymp.language.statement import Statement, read_statement
from asymp.meaning.converge import converges
from asymp.meaning.coupled import Coupled
from asymp.meaning.discharge import Discharge
from asymp.meaning.ground import Box, Grid, Ground, Prove
from asymp.meaning.limit import Limit
from asymp.meaning.paths import NOTHING, path, with_ties
from asymp.meaning.points import alike
from asymp.meaning.truth import Truth
from asymp.meaning.whole import whole_valued
from asymp.meaning.whole_values import as_whole, hanging
from asymp.parse.limits import moving_limit
from asymp.scale import Regime

POINTS = 3
"""Points at which a total is asked whether it converges."""
_OPERATORS = ("Sum", "Product", "Integral")


class Kind(StrEnum):
    """Why a statement has no meaning."""

    UNDEFINED = "undefined"
    NOT_WHOLE = "not whole"
    BACKWARDS = "backwards"
    CONTRADICTORY = "contradictory"
    EMPTY = "empty"
    CUT = "cut"
    UNKNOWN = "unknown"


class Meaningless(ValueError):
    """A statement that is not asked: the place in it, why, and of what kind the reason is."""

    def __init__(self, place: str, why: str, kind: Kind) -> None:
        super().__init__(why)
        self.place, self.why, self.kind = place, why, kind

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.place, self.why, self.kind)


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
        parts = tuple(part for expr in expressions for part in parts_of(expr))
    names = {s.name for e in expressions for s in e.free_symbols} | {s.name for p in parts for s in _free(p)}
    if isinstance(relation, Identity | Bound | Root):
        domain = relation.domain.with_real_points()
        symbols = {s.name: s for part in parts for s in _free(part)} | {s.name: s for e in expressions for s in e.free_symbols}
        found = _of_domain(parts, domain, symbols, prove)
        sides: tuple[Any, ...] = () if isinstance(relation, Root) else (relation.lhs, relation.rhs)
        coded = any(not isinstance(side, sp.Basic) for side in sides)
        declared, extra = domain.real, () if coded else _unused(domain.ranges or {}, names)
    elif isinstance(relation, Value):
        found, declared, extra = read(parts, Grid(Domain("", ({},)))), frozenset(), ()
    elif regime is None or not expressions:
        return Meaning((), frozenset(), relation)
    else:
        if why := moving_limit(relation, regime):
            raise Meaningless("->", why, Kind.CONTRADICTORY)
        _are_fixed(regime)
        tied = tuple(part for tie in regime.ties.values() for part in parts_of(sp.sympify(tie)))
        found = read(parts, Limit(regime, whole=regime.whole), regime.real, tied)
        if claim.closed:
            has_a_path(read_statement(claim.closed), found.whole)
        for symbol, tie in regime.ties.items():
            own = sp.sympify(tie)
            if symbol.name in found.whole and not own.free_symbols & set(regime.names):
                if whole_valued(own, found.whole) is not Truth.ALWAYS:
                    why = f"{symbol} = {tie} is not known to be whole where {regime.text}"
                    raise Meaningless(symbol.name, why, Kind.NOT_WHOLE)
        _are_positive(regime)
        used = names | {s.name for tie in regime.ties.values() for s in sp.sympify(tie).free_symbols}
        declared, extra = regime.real, _unused({s.name: s for s in regime.ranges}, used)
    return _complete(found, relation, expressions, declared, extra)


def _of_domain(parts: tuple[Part, ...], domain: Domain, symbols: Mapping[str, sp.Symbol], prove: Prove | None) -> Reading:
    _of_ties(domain, prove)
    if domain.ranges is None:
        return read(parts, Grid(domain, whole=_whole_on(domain)), domain.real)
    if domain.complete:  # the points are the domain
        return read(parts, Grid(domain, whole=domain.whole), domain.real)
    ranges = {symbols[name]: bounds for name, bounds in domain.ranges.items() if name in symbols}
    if not domain.conditions:
        found = read(parts, Box(ranges, prove, whole=domain.whole), domain.real)
    else:
        try:
            found = read(parts, Coupled(ranges, prove, whole=domain.whole, domain=domain), domain.real)
        except Meaningless as error:
            if error.kind is not Kind.UNKNOWN:
                raise
            found = read(parts, Grid(domain, whole=domain.whole), domain.real)  # what fails at a point fails all the same
            found.unsure = error.why
    for name, bounds in domain.ranges.items():
        if bounds.is_empty(name in found.whole):
            raise Meaningless(name, f"no whole {name} lies in the range given", Kind.EMPTY)
    return found


def _of_ties(domain: Domain, prove: Prove | None) -> None:
    """That what is tied has a value at every point where its other variables have theirs."""
    if not domain.tied:
        return
    symbols = {s.name: s for part in domain.tied for s in _free(part)}
    real = domain.real | (set(symbols) - domain.whole)  # a tie makes no variable whole
    ranges = domain.ranges or {}
    box = Box({s: ranges[name] for name, s in symbols.items() if name in ranges}, prove, whole=domain.whole)
    grid = Grid(domain, whole=domain.whole)
    try:
        read(domain.tied, grid if domain.complete else box, real)
    except Meaningless:
        if domain.narrowed or domain.complete or not domain.conditions:
            raise  # else the box is more than the domain
        read(domain.tied, Coupled(box.ranges, prove, whole=domain.whole, domain=domain), real)


def _whole_on(domain: Domain) -> frozenset[str]:
    """The names that are whole at every point of a finite set."""
    names = set(domain.grid[0]) if domain.grid else set()
    whole = {n for n in names if all(getattr(sp.sympify(p.get(n)), "is_Integer", False) for p in domain.grid)}
    return frozenset(whole) | domain.whole


def _unused(given: Mapping[str, object], names: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{name} occurs in the conditions alone" for name in sorted(set(given) - set(names)))


# --- whole variables, then every part -----------------------------------------------------------


@dataclass
class Reading:
    """What was found of some parts on a ground."""

    whole: frozenset[str]
    facts: list[str] = field(default_factory=list)
    unsure: str = ""


def read(
    parts: Iterable[Part], ground: Ground, real: Iterable[str] = (), tied: Iterable[Part] = ()
) -> Reading:
    """Which variables the parts force to be whole, and that all of them are defined on the ground.

    Args:
        parts: each after those it is made of.
        ground: where; its whole names are those declared.
        real: names declared real.
        tied: further parts, of what variables are tied to.

    A variable with a name that usually means a whole number is read as one where the statement has no meaning otherwise.

    Raises:
        Meaningless: as for :func:`meaning`.
    """
    parts, tied, real = list(dict.fromkeys(parts)), tuple(dict.fromkeys(tied)), frozenset(real)
    try:
        return _read(parts, ground, real, tied)
    except Meaningless as failed:
        names = {s.name for part in parts for s in _free(part)}
        likely = (names & WHOLE_LETTERS) - real - ground.whole
        if failed.kind not in (Kind.UNDEFINED, Kind.UNKNOWN) or not likely or isinstance(ground, Grid):
            raise
        try:
            found = _read(parts, replace(ground, whole=ground.whole | likely), real, tied)
        except Meaningless:
            raise failed from None
        why = f"or {failed.place} would not be defined"
        found.facts = [fact.replace("as said", why) if fact.split()[0] in likely else fact for fact in found.facts]
        return found


def _read(parts: list[Part], ground: Ground, real: frozenset[str], tied: tuple[Part, ...]) -> Reading:
    found = Reading(ground.whole, [f"{name} whole (as said)" for name in sorted(ground.whole) if not isinstance(ground, Grid)])
    for part, demands in _demands(parts, ground):
        for demand in demands:
            _force(part, demand, found, real)
    discharge, anywhere = Discharge(replace(ground, whole=found.whole)), Discharge(Ground())
    for part in [*tied, *parts]:
        if part.head in _OPERATORS:
            _range_of(part, discharge, found.facts)
            continue
        _require(part, part.condition(), discharge)
        asked = alike(part.condition(), part.binders)[0]
        if any(x.free_symbols for x in part.arguments) and anywhere.holds(asked) is not Truth.ALWAYS:
            found.facts.append(f"{part.text} defined")
    return found


def _demands(parts: list[Part], ground: Ground) -> list[tuple[Part, list[sp.Expr]]]:
    """What must be whole, the strictest demands first."""
    ends, signs, others = [], [], []
    bare = Discharge(ground)
    for part in parts:
        if part.head in ("Sum", "Product"):
            ends.append((part, [end for end in part.arguments if not end.is_infinite]))
        elif part.head == "power" and part.arguments[1].free_symbols:
            base, exponent = part.arguments
            if exponent.is_integer or bare.holds(Positive(base), part.binders) is Truth.ALWAYS:
                continue
            zero = [bare.holds(c, part.binders) for c in (NonNegative(base), Positive(exponent))]
            if zero != [Truth.ALWAYS, Truth.ALWAYS]:
                signs.append((part, [exponent]))
        elif part.head in NAMED and NAMED[part.head].row.whole_arguments:
            others.append((part, [x for x in part.arguments if x.free_symbols]))
    return [*ends, *signs, *others]


def _force(part: Part, demand: sp.Expr, found: Reading, real: frozenset[str]) -> None:
    """Make the variables of what must be whole whole, where that makes it so."""
    bound = {b.symbol for b in part.binders}
    inner = {b.symbol.name for b in part.binders if b.whole}
    plain = demand.replace(lambda e: isinstance(e, (sp.floor, sp.ceiling)), lambda e: sp.Dummy("w", integer=True))
    new = {s.name for s in plain.free_symbols - bound if not isinstance(s, sp.Dummy)} - found.whole
    if not new or new & real:
        return
    if part.head in NAMED and not new <= WHOLE_LETTERS:
        return  # factorial(x) for a real x is Gamma(x + 1)
    if part.head == "power" and new & {s.name for s in part.arguments[0].free_symbols} and not new <= WHOLE_LETTERS:
        return  # x^x: nobody meant a whole x
    if whole_valued(demand, {*found.whole, *inner, *new}) is Truth.ALWAYS:
        why = {"Sum": "end of", "Product": "end of", "power": "exponent in"}.get(part.head, "argument of")
        found.whole |= new
        found.facts += [f"{name} whole ({why} {part.text})" for name in sorted(new)]


def _require(part: Part, condition: Condition, discharge: Discharge) -> None:
    truth = discharge.holds(condition, part.binders)
    if truth is not Truth.ALWAYS:
        raise _undefined(part, truth, discharge.place)


def _undefined(part: Part, truth: Truth, place: str) -> Meaningless:
    row = NAMED.get(part.head)
    if any(x.free_symbols for x in part.arguments) or row is None:
        wanted = f"{part.condition()} is needed"
    else:
        short = row.short is not None and len(part.arguments) < row.row.most
        wanted = f"{row.short if short else row.defined} is needed, not X = {part.arguments[0]}"
    if truth is Truth.UNKNOWN:
        return Meaningless(part.text, f"it is not known whether {part.text} is defined everywhere here: {wanted}", Kind.UNKNOWN)
    at = f" at {place}" if place else ""
    if part.head == "whole":
        return Meaningless(part.text, f"{part.text} is not whole{at}", Kind.NOT_WHOLE)
    return Meaningless(part.text, f"{part.text} is not defined{at}: {wanted}", Kind.UNDEFINED)


def _range_of(part: Part, discharge: Discharge, facts: list[str]) -> None:
    """The one policy for sums and products: whole ends, low <= high + 1; the empty sum is 0, the empty product 1."""
    low, high = part.arguments
    if part.total is not None and not part.binders:
        _has_a_value(part, discharge.ground, *part.total)
    if part.head == "Integral":
        return
    if low is sp.oo or high is -sp.oo:
        raise Meaningless(part.text, f"{part.text} runs backwards", Kind.BACKWARDS)
    for end in (low, high):
        if end.is_infinite:
            continue
        truth = discharge.holds(Whole(end), part.binders)
        if truth is not Truth.ALWAYS:
            at = f" (at {discharge.place} it is not)" if discharge.place and truth is not Truth.UNKNOWN else ""
            why = f"the end {end} of {part.text} need not be whole{at}: write floor({end}), or which variable is whole"
            raise Meaningless(part.text, why, Kind.NOT_WHOLE)
    if low.is_infinite or high.is_infinite:
        return
    truth = discharge.holds(NonNegative(high - low + 1), part.binders)
    if truth is Truth.UNKNOWN:
        why = f"it is not known whether {part.text} runs forwards everywhere here, from {low} to {high}"
        raise Meaningless(part.text, why, Kind.UNKNOWN)
    if truth is not Truth.ALWAYS:
        at = f" at {discharge.place}" if discharge.place else ""
        raise Meaningless(part.text, f"{part.text} runs backwards{at}, from {low} to {high}", Kind.BACKWARDS)


def _has_a_value(part: Part, ground: Ground, variable: sp.Symbol, body: sp.Expr) -> None:
    """Refuses a total that diverges: on the whole ground, or at one of its points."""
    low, high = part.arguments
    if not (low.is_infinite or high.is_infinite or part.head == "Integral"):
        return
    ends = (ground.cover(end) for end in (low, high))
    if converges(part.head, ground.cover(body), variable, *ends) is Truth.NEVER:
        raise Meaningless(part.text, f"{part.text} diverges", Kind.UNDEFINED)
    free = {s.name: s for x in (body, low, high) for s in x.free_symbols if s != variable}
    for point in itertools.islice(ground.points(), POINTS) if free else ():
        if not set(free) <= set(point):
            continue
        at = {s: point[name] for name, s in free.items()}
        if converges(part.head, body.subs(at), variable, low.subs(at), high.subs(at)) is Truth.NEVER:
            where = ", ".join(f"{name} = {point[name]}" for name in sorted(free))
            raise Meaningless(part.text, f"{part.text} diverges at {where}", Kind.UNDEFINED)


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
    kinds = tuple(OfKind(name, "whole") for name in sorted(set(whole) & names_in(statement)))
    try:
        path(Statement(NOTHING, domain=tuple(dict.fromkeys((*kinds, *statement.domain))), regime=with_ties(statement.regime)))
    except NoPath as error:
        raise Meaningless(text_of(statement.regime), str(error), Kind.EMPTY) from error


def _are_fixed(regime: Regime) -> None:
    """A parameter is the same all along a path: what depends on what moves is no parameter."""
    for symbol, cover in regime.ranges.items():
        if names := regime.moving(sp.sympify(cover)):
            say = f"say 'uniformly in low <= {symbol} <= high'"
            why = f"{symbol} is a parameter that depends on what moves, {', '.join(names)}: {say}"
            raise Meaningless(symbol.name, why, Kind.CONTRADICTORY)


def _are_positive(regime: Regime) -> None:
    """A variable that is tied is read as a positive one: it has to be."""
    limit = Limit(regime)
    for symbol, tie in regime.ties.items():
        if symbol.is_positive and limit.positive(sp.sympify(tie)) is not Truth.ALWAYS:
            why = f"{symbol} = {tie} is not known to be positive where {regime.text}"
            raise Meaningless(symbol.name, why, Kind.UNKNOWN)


def _free(part: Part) -> set[sp.Symbol]:
    bound = {b.symbol for b in part.binders}
    return {s for x in part.arguments for s in x.free_symbols} - bound


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
