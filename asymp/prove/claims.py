"""A theorem for a claim's statement, or for its negation, by whichever searcher finds one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.balls import rounding as rounding
from asymp.kernel.growths import contrary as contrary
from asymp.kernel.growths.limit_points import limit_points, sideless
from asymp.kernel.growths.offsets import offsets
from asymp.kernel.growths.regime import moving
from asymp.kernel.sequences import shapes
from asymp.kernel.sequences.tied import untied
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import DEFINITION, Theorem, apply, certificate, proves, replay
from asymp.language.bodies import (
    And,
    Comparison,
    Eventual,
    Extreme,
    If,
    Iff,
    InLaw,
    Not,
    OneRoot,
    Rounding,
    Shape,
    UpperLimit,
    parts_of,
)
from asymp.language.conditions import OPPOSITES, Compared, OfFunction, Recurrence
from asymp.language.elaborate import functions_called, variables_of
from asymp.language.finite import written
from asymp.language.meanings import MEANT
from asymp.language.statement import Statement, Throughout, is_asymptotic, read_statement
from asymp.language.syntax import binds
from asymp.language.transitions import Transitions
from asymp.prove import (
    asymptotic,
    bounds,
    boxes,
    conditionals,
    constants,
    falling,
    first,
    implicit,
    known_sums,
    left_open,
    limit_laws,
    limits,
    line,
    logarithms,
    noting,
    order,
    oscillation,
    populations,
    recurrences,
    rooted,
    roots,
    roundings,
    sequences,
    share,
    shares,
    sums,
    tails,
    throughout,
    totals,
    upper_limits,
)
from asymp.prove import chains as values
from asymp.prove.shapes import as_quotient, by_slope
from asymp.prove.shapes import fails as shapes_fail
from asymp.prove.theories import proposed, proposers

MOST_BOXES = 400
MOST_POINTS = 200
LONGEST_BOUND = 150
"""Parts of a comparison for which a proof by slopes and cases is searched: the search grows fast with them."""
PRECISIONS = (64, 1000)
MOST_TOLD = 5
SCREENED = 30
"""Points at which a comparison is tried before a proof of it is searched."""
SCREENED_WORK = 50_000
"""Parts that are evaluated there."""
ORDERED = frozenset({"Ranked", "AtMost"})
"""What the theory of order alone knows."""
Points = Sequence[Mapping[str, str]]


def theorem(
    statement: Statement, holds: bool, chains: Sequence[Transitions] = (), lemmas: Sequence[str] = (), points: Points = ()
) -> Theorem:
    """A theorem that the statement holds, or that it does not, made again from its certificate.

    ``chains`` define functions that the statement calls: a theorem rests on no other definition.  ``lemmas`` are what is
    proved on the way to a statement for all functions.  ``points`` are those at which it is said to fail.

    Raises:
        Refused: none is found.

    >>> from asymp.language.statement import read_statement
    >>> theorem(read_statement("1 - alpha < 0 and 2 - alpha < 1 for alpha > 1"), True)
    ⊢ 1 - alpha < 0 and 2 - alpha < 1 for alpha > 1
    """
    declared = [c for c in statement.domain if isinstance(c, OfFunction) and not isinstance(c, Recurrence)]
    if declared and (counted := populations.of(statement, chains)):
        made = populations.holds(statement, counted)
    elif declared or functions_called(statement) & ORDERED:
        made = order.holds(statement, lemmas) if holds else order.fails(statement)
    else:
        ways = [partial(_found, statement, holds, chains)]
        made = first([*ways, partial(_at_points, statement, points, chains)] if points and not holds else ways)
    found = replay(certificate(made))
    if not proves(found, statement, holds):
        raise Refused("the search came to a theorem of another statement")
    if {leaf for leaf in found.trusts if leaf.startswith(DEFINITION)} - {f"{DEFINITION}{one}" for one in chains}:
        raise Refused("a theorem of functions that are defined otherwise")
    return found


@uncounted
@lru_cache(maxsize=256)
def _kept(text: str, holds: bool, chains: tuple[Transitions, ...]) -> Theorem | tuple[str, str]:
    try:
        return _searched(read_statement(text), holds, chains)
    except Refused as error:
        return str(error), left_open(error)


def _found(statement: Statement, holds: bool, chains: Sequence[Transitions] = ()) -> Theorem:
    """By a search, whose answer is kept: of the parts of a statement it is asked by themselves, too."""
    found = _kept(str(statement), holds, tuple(chains))
    if isinstance(found, tuple):
        raise noting(Refused(found[0]), found[1] or (str(statement) if holds else ""))
    return found


def _searched(statement: Statement, holds: bool, chains: Sequence[Transitions]) -> Theorem:
    ways: list[Callable[[Statement], Theorem]] = []
    told_by = 0 if is_asymptotic(statement.body) or isinstance(statement.body, OneRoot) else -1
    if any(isinstance(c, Recurrence) for c in statement.domain):
        return sequences.decided(statement, holds, _found)
    if isinstance(statement.body, And):
        return _all(statement, holds, chains)
    if (finite := written(statement)) != statement:
        return apply("written out", [_found(finite, holds, chains)], statement=str(statement))
    if functions_called(statement) & {name for chain in chains for name, _ in chain.functions}:
        if holds:
            ways.append(partial(populations.holds, chains=populations.of(statement, chains)))
        ways.append(lambda s: values.decided(s, chains, _holding if holds else values.at_small_points, holds))
        if len(parts_of(statement.body)) > 1:
            ways.append(partial(_all, holds=holds, chains=chains))
        return first(partial(way, statement) for way in ways)
    if not is_asymptotic(statement.body) and (unknown := functions_called(statement) - MEANT):
        raise Refused(f"no rule knows the function {min(unknown)}")
    if is_asymptotic(statement.body):
        ways = [asymptotic.holds, oscillation.holds] if holds else [asymptotic.fails, oscillation.fails]
        if oscillation.is_of_waves(statement):
            ways.reverse()
        by_value = partial(limits.apart_holds if holds else limits.apart_fails, find=_found)
        ways.append(by_value)
        if offsets(statement):
            ways.append(partial(limits.by_offset, holds=holds, find=_found))
        if holds and len(moving(statement)) > 1:
            ways.append(partial(limits.by_logarithms, find=_found))
        if isinstance(statement.body, Eventual) and holds and limits.is_still(statement, statement.body.right):
            ways.insert(0 if binds(statement.body.right) else 1, partial(limits.by_limit, find=_found))
        if isinstance(statement.body, InLaw):
            refute = partial(limit_laws.fails, prove=_holding, refute=_failing)
            ways = [partial(limit_laws.holds, prove=_holding) if holds else refute, by_value]
        ways[:0] = [partial(implicit.holds, prove=_holding)] if holds and implicit.is_tied(statement) else []
        if limit_points(statement) and not isinstance(statement.body, InLaw):
            ways = [partial(limits.at_limit_point, holds=holds, find=_found)]
        if sideless(statement):
            ways = [partial(limits.of_both_sides, holds=holds, find=_found)]
        if isinstance(statement.body, (Not, UpperLimit)):
            of_all = upper_limits.negation if isinstance(statement.body, Not) else upper_limits.upper_limit
            ways = [partial(of_all, holds=holds, find=_found)]
        if statement.some:
            none = partial(constants.fails, prove=_holding, refute=_failing)
            ways = [partial(constants.holds, prove=_holding) if holds else none]
            ways += [] if holds else [partial(throughout.no_factor, prove=_holding, refute=_failing)]
    elif isinstance(statement.body, Throughout):
        none = partial(throughout.fails, prove=_holding, refute=_failing)
        ways = [partial(throughout.holds, prove=_holding, doubt=doubt) if holds else none]
    elif isinstance(statement.body, Rounding):
        ways = [partial(_at_precisions, _rounded, most=0)]
    elif isinstance(statement.body, OneRoot):
        ways = [partial(roots.holds if holds else roots.fails, prove=_holding)]
        ways += [partial(totals.one_root, prove=_holding)] if holds else []
    elif isinstance(statement.body, (If, Iff)):
        one = partial(conditionals.holds, prove=_holding, short=_shortly)
        ways = [one if holds else partial(conditionals.fails, refute=_failing)]
    elif isinstance(statement.body, (Shape, Extreme)) and not holds:
        ways = [partial(shapes_fail, refute=doubt)]
    else:
        roots_of = [partial(one, prove=_holding) for one in (rooted.total, rooted.bounded)]
        ways = [_algebra, *roots_of, _unless_refuted] if holds else [_refuted, line.fails, bounds.fails, _contrary, _named_fails]
        if limits.is_endless(statement):
            ways.insert(1, partial(limits.by_partial_totals, holds=holds, find=_found))
        if isinstance(statement.body, Shape) and holds:
            told_by = len(ways) - 1  # what follows is for a few forms alone
            ways += [_consecutive, *(partial(one, prove=_holding) for one in (by_slope, as_quotient, totals.rises))]
    ways += [partial(proposed, holds=holds)] if proposers() else []
    return first((partial(way, statement) for way in ways), told_by=told_by)


def _consecutive(statement: Statement) -> Theorem:
    """A shape in a whole variable by consecutive values, the first ones by themselves where the others alone go through."""
    short: tuple[Callable[[Statement], Theorem], ...] = (_algebra, sums.holds)
    long = (bounds.holds,)
    why = ""
    for k, by, ways in ((0, "next", short), (1, "shape", long), (0, "next", long), (1, "next", (*short, *long))):
        try:
            *first_ones, rest = shapes.needed(statement, k, by)
            given = [*map(_holding, first_ones), first(partial(way, rest) for way in ways)]
            return apply("consecutive", given, statement=str(statement), first=k, by=by)
        except Refused as error:
            why = why or str(error)
    raise Refused(why)


def _holding(statement: Statement) -> Theorem:
    return _found(statement, True)


rooted.provide(_holding)


def _failing(statement: Statement) -> Theorem:
    return _found(statement, False)


def _at_points(statement: Statement, points: Points, chains: Sequence[Transitions] = ()) -> Theorem:
    """By one of some points, at which certified numbers speak against it."""
    if isinstance(statement.body, And):
        parts = (partial(_at_points, replace(statement, body=part), points, chains) for part in statement.body.parts)
        return apply("all", [first(parts, "no part is seen to fail")], statement=str(statement))
    if functions_called(statement) & {name for chain in chains for name, _ in chain.functions}:
        return values.decided(statement, chains, partial(_at_points, points=points), False)
    known = set(variables_of(statement))
    places = list({tuple(sorted(x for x in at.items() if x[0] in known)): None for at in points})[:MOST_TOLD]
    ways = (partial(apply, "witness", statement=str(statement), at=dict(at), bits=bits) for bits in PRECISIONS for at in places)
    return first(ways, "no points are told at which it fails")


def _screened(statement: Statement) -> Theorem:
    return boxes.refuted(str(statement), PRECISIONS[-1], SCREENED, SCREENED_WORK)


def doubt(statement: Statement) -> Theorem:
    """A theorem that a statement fails, by a search that does not take long: of what points speak for and no theorem does.

    Raises:
        Refused: none is found so.

    >>> from asymp.language.statement import read_statement
    >>> doubt(read_statement("2*x >= 6 iff x >= 3 - 10^(-200) for x > 0"))
    ⊢ not: 2*x >= 6 iff x >= 3 - 10^(-200) for x > 0
    """
    match statement.body:
        case And(parts):
            found = first(partial(doubt, replace(statement, body=part)) for part in parts)
            return apply("all", [found], statement=str(statement))
        case If() | Iff():
            return conditionals.fails(statement, _screened)
        case Shape() | Extreme():
            return shapes_fail(statement, doubt)
        case OneRoot():
            return roots.fails(statement, _shortly)
    if limits.is_endless(statement):
        return first((partial(_screened, statement), partial(limits.by_partial_totals, statement, False, _found)))
    return _screened(statement)


def _shortly(statement: Statement) -> Theorem:
    ways = (_algebra, sums.holds, partial(bounds.holds, depths=bounds.DEPTHS[:1]))
    return first(partial(way, statement) for way in ways)


def short(statement: Statement) -> Theorem:
    """A theorem that a comparison holds, by a search that does not take long.

    Raises:
        Refused: none is found so.

    >>> from asymp.language.statement import read_statement
    >>> short(read_statement("x^2 + x + 1 > 0 for real x"))
    ⊢ x^2 + x + 1 > 0 for real x
    """
    return first(partial(way, statement) for way in (_algebra, sums.holds, _at_once, _covered, _bounded))


def _algebra(statement: Statement) -> Theorem:
    return apply("algebra", statement=str(statement))


def _shares(statement: Statement) -> Theorem:
    return shares.holds(statement, sums.holds)


def _unless_refuted(statement: Statement) -> Theorem:
    """By a search that takes long, unless the statement fails at one of a few points."""
    try:
        found = _screened(statement)
    except Refused:
        start = (_recurring, sums.holds) if recurrences.of_binomials(statement) else (sums.holds, _recurring)
        named = (_named, _rounded_off, _at_once, line.holds)
        ways = (*start, *named, _tails, _untied, _shares, _covered, _falling, _logarithms, _bounded)
        each: list[Callable[[], Theorem]] = [partial(way, statement) for way in ways]
        return first([*each, partial(_all, statement, True, ())] if len(parts_of(statement.body)) > 1 else each)
    raise Refused(f"it fails at {', '.join(f'{v} = {x}' for v, x in found.made[2]['at'].items())}")


def _at_once(statement: Statement) -> Theorem:
    """By what is known of the signs of its parts, or one step from there: nothing is taken on trust for that."""
    _not_long(statement)
    return bounds.holds(statement, ((1, 12),))


def _recurring(statement: Statement) -> Theorem:
    return recurrences.holds(statement, lambda one: first(partial(way, one) for way in (_algebra, sums.holds)))


def _named(statement: Statement) -> Theorem:
    def plainly(one: Statement) -> Theorem:
        return first(partial(way, one) for way in (_algebra, sums.holds))

    again = partial(known_sums.put_in, prove=plainly)
    return known_sums.put_in(statement, lambda one: first((partial(plainly, one), partial(again, one)), told_by=0))


def _named_fails(statement: Statement) -> Theorem:
    return known_sums.put_in(statement, _refuted)


def _tails(statement: Statement) -> Theorem:
    return tails.holds(statement, sums.holds)


def _rounded_off(statement: Statement) -> Theorem:
    return roundings.holds(statement, lambda one: first(partial(way, one) for way in (_algebra, sums.holds)))


def _logarithms(statement: Statement) -> Theorem:
    return logarithms.holds(statement, lambda logs: first(partial(way, logs) for way in (sums.holds, _falling, _bounded)))


def _falling(statement: Statement) -> Theorem:
    return falling.holds(statement, _shortly)


def _untied(statement: Statement) -> Theorem:
    """With its value for a variable that the domain gives by others."""
    equations = [c.parts for c in statement.domain if isinstance(c, Compared) and c.signs == ("=",)]
    for v in {node.text: None for parts in equations for node in parts if node.kind == "name"}:
        with contextlib.suppress(Refused):
            rest = untied(statement, v)[2]
            premise = first(partial(way, rest) for way in (sums.holds, _untied))
            return apply("tied", [premise], statement=str(statement), variable=v)
    raise Refused("no variable that others give")


def _contrary(statement: Statement) -> Theorem:
    """By a proof of what excludes one of its comparisons."""
    if not isinstance(statement.body, Comparison):
        raise Refused("no comparison, which another would exclude")
    point = bounds.inside(statement)
    premises = (
        partial(way, replace(statement, body=Comparison(Compared((left, right), (other,)))))
        for left, sign, right in statement.body.chain.pairs() for other in OPPOSITES[sign]
        for way in (_algebra, sums.holds, _bounded)
    )  # fmt: skip
    return apply("contrary", [first(premises)], statement=str(statement), point=point)


def _bounded(statement: Statement) -> Theorem:
    _not_long(statement)
    return bounds.holds(statement)


def _not_long(statement: Statement) -> None:
    """That a statement is short enough for a search of signs, which grows fast with it.

    Raises:
        Refused: it is not.
    """
    size = sum(1 for node in statement.terms() for _ in terms.walk(terms.of(node)))
    if size > LONGEST_BOUND:
        raise Refused(f"a statement of {size} parts, too long for a search of bounds")


def _covered(statement: Statement) -> Theorem:
    return _at_precisions(boxes.covered, statement, MOST_BOXES)


def _refuted(statement: Statement) -> Theorem:
    return _at_precisions(boxes.refuted, statement, MOST_POINTS)


def _rounded(text: str, bits: int, _: int) -> Theorem:
    return apply("rounding", statement=text, bits=bits)


def _at_precisions(find: Callable[[str, int, int], Theorem], statement: Statement, most: int) -> Theorem:
    tries = share(most, sum(term.size for term in statement.terms()))
    return first(partial(find, str(statement), bits, tries) for bits in PRECISIONS)


def _all(statement: Statement, holds: bool, chains: Sequence[Transitions]) -> Theorem:
    parts = [replace(statement, body=part) for part in parts_of(statement.body)]
    if holds:
        return apply("all", [_found(part, True, chains) for part in parts], statement=str(statement))
    part = first((partial(_found, part, False, chains) for part in parts), "no part is seen to fail")
    return apply("all", [part], statement=str(statement))
