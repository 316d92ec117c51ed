"""Statements about limits: what can be asked of their regimes, and the ways of what is said uniformly."""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from asymp.claim import Asymptotic, Composite, SomeNumber
from asymp.kernel import terms
from asymp.kernel.facts import ranges
from asymp.kernel.growths.limit_points import from_both_sides, is_true_near, sideless
from asymp.kernel.growths.regime import moving
from asymp.kernel.growths.regime import ranges as domain_of
from asymp.kernel.sequences.apart import parts as parts_of_values
from asymp.kernel.summation import linear
from asymp.language import statement as say
from asymp.language.conditions import (
    Between,
    Compared,
    Condition,
    Conditions,
    Grows,
    Listed,
    OfKind,
    Tends,
    read_conditions,
    subjects,
    text_of,
)
from asymp.language.elaborate import CONSTANTS, functions_called, interval, variables_of
from asymp.language.known import is_infinite, known
from asymp.language.names import free_names, substitute
from asymp.language.numbers import NoLimit, ParseError
from asymp.language.parts import parts_of
from asymp.language.statement import Statement
from asymp.language.syntax import Node, words
from asymp.language.value import number, written_out
from asymp.parse.built import Again, Built, Functions
from asymp.parse.laws import limit_law
from asymp.parse.terms import points, satisfied
from asymp.parse.ties import parts_of_ties

LARGE = (10**6, 10**9 + 7, 10**15)
"""At these n it is asked whether a range holds anything."""


def asymptotic(statement: Statement, models: Functions, tried: Conditions, again: Again, source: str = "") -> Built:
    """The relation of a statement about a limit.

    Raises:
        ParseError: it cannot be asked.
        NoLimit: nothing is said to tend anywhere.
    """
    if not statement.regime:
        raise NoLimit(f"say what tends where, such as n -> oo: {statement.body}")
    if used := functions_called(statement) & set(models):
        raise ParseError(f"{sorted(used)[0]} is a function of the model: it has values at points, and no expansion")
    if statement.some and (statement.uniform or isinstance(statement.body, (say.And, say.InLaw))):
        raise ParseError("'for some' is said of one statement about a limit by itself, not uniformly, and of no law")
    if isinstance(statement.body, say.And):
        members = [replace(statement, body=part) for part in statement.body.parts]
        return Built(Composite(tuple(again(m) for m in members)))
    if any(isinstance(c, (Listed, Between)) for c in statement.domain):
        return _at_values(statement, again)
    of_all = isinstance(statement.body, (say.Not, say.UpperLimit))  # what is so along all paths together is not so by parts
    if isinstance(statement.body, say.Not):
        _negated(statement)
    for name in () if of_all else sideless(statement):
        with contextlib.suppress(terms.Refused):
            return Built(Composite(tuple(map(again, from_both_sides(statement, name)))))
    for name in () if of_all else _of_all_signs(statement):
        with contextlib.suppress(terms.Refused):
            return Built(Composite(tuple(map(again, parts_of_values(statement, name)))))
    if statement.uniform and isinstance(statement.body, say.InLaw):
        raise ParseError("'uniformly' is not said of laws: write the limits of which it is to hold")
    if statement.uniform:
        return _uniform(statement, again)
    whole = {c.name for c in statement.conditions() if isinstance(c, OfKind) and c.kind == "whole"}
    if linear.is_empty(linear.system(statement.conditions(), whole)[0]):
        raise ParseError("no whole values meet the conditions: the statement is about nothing")
    said_of_parameters(statement)
    _said(statement)
    if moves := _moving_limit(statement):
        raise ParseError(moves)
    for point in points(tried, {}, {}) if tried else ():
        if strangers := sorted(set(point) - _parameters(statement)):
            raise ParseError(f"{strangers[0]} is no parameter of this statement")
    body = statement.body
    if isinstance(body, say.InLaw):
        return limit_law(statement, again, source)
    said = body.body if isinstance(body, say.Not) else body
    valued = isinstance(said, (say.Limiting, say.UpperLimit)) and is_infinite(said.value)
    nodes = list(said.terms())[: 1 if valued else None]
    for node in nodes:
        known(node, source or str(statement.body), variables_of(statement))
    kinds = [c for c in statement.conditions() if isinstance(c, OfKind)]
    of_kind, real = (frozenset(c.name for c in kinds if c.kind == kind) for kind in ("whole", "real"))
    parts = tuple(part for node in nodes for part in parts_of(node))
    if statement.some:
        return Built(SomeNumber(statement=statement), parts)
    return Built(Asymptotic(statement, tried, of_kind, real), (*parts, *parts_of_ties(statement, models)))


def _negated(statement: Statement) -> None:
    """That a negation has one reading.

    Raises:
        ParseError: it has parameters, or is said uniformly or for some number.
    """
    of_law = isinstance(statement.body, say.Not) and isinstance(statement.body.body, say.InLaw)
    if statement.some or statement.uniform or of_law:
        raise ParseError("'not' is said of one limit: neither uniformly, nor for some number, nor of laws")
    moves = _tending(statement) | {name for c in statement.regime for node in c.terms() for name in free_names(node)}
    if parameters := sorted(set(variables_of(statement)) - moves - CONSTANTS):
        raise ParseError(
            f"'not' with the parameter {parameters[0]} says that it fails for each of its values, or for one: ask that of a value"
        )


def _of_all_signs(statement: Statement) -> list[str]:
    """The parameters of which no more is said than that they are real."""
    tending = _tending(statement)
    kinds = [c for c in statement.domain if isinstance(c, OfKind) and c.kind == "real" and c.name not in tending]
    said = {name for c in statement.domain for node in c.terms() for name in free_names(node)}
    return [c.name for c in kinds if c.name not in said]


def _said(statement: Statement) -> None:
    """Nothing, where parameters have values, and of each variable of an ordering it is said where it tends.

    Of one variable an ordering may imply it: n*p -> c, with n -> oo, says p -> 0.
    """
    try:
        domain_of((*statement.domain, *statement.regime))
    except terms.Refused as error:
        raise ParseError(f"the assumptions leave nothing: {error}") from error
    known_ones = _tending(statement) | {c.parts[0].text for c in statement.regime if isinstance(c, Compared)}
    for c in statement.regime:
        if isinstance(c, Grows) or (isinstance(c, Tends) and c.term.kind != "name"):
            free = set().union(*map(free_names, c.terms() if isinstance(c, Grows) else (c.term,))) - CONSTANTS - known_ones
            if len(free) > 1 or (free and isinstance(c, Tends) and is_infinite(c.target)):
                name = min(free)
                raise ParseError(f"{c}: say where {name} tends too, such as {name} -> oo or {name} -> 0+")


def _moves(statement: Statement) -> set[str]:
    """The variables that move: that tend somewhere, are tied, or of which nothing is said but an ordering."""
    try:
        return moving(statement) - {name for c in statement.domain for name in subjects(c)} | _tending(statement)
    except terms.Refused as error:
        raise ParseError(str(error)) from error


def _tending(statement: Statement) -> set[str]:
    return {c.term.text for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"}


def _parameters(statement: Statement) -> set[str]:
    """The variables that do not move."""
    return set(variables_of(statement)) - _moves(statement)


def _numbers(statement: Statement) -> set[str]:
    """Names that a regime says to be numbers: ``a = 3``."""
    said = (c.parts for c in statement.regime if isinstance(c, Compared) and c.signs == ("=",))
    return {parts[0].text for parts in said if parts[0].kind == "name" and not free_names(parts[1]) - CONSTANTS}


def _moving_limit(statement: Statement) -> str:
    """Why a statement f -> c is none: c moves too; empty where it does not."""
    body = statement.body
    if not isinstance(body, say.Limiting):
        return ""
    if not (names := sorted(free_names(body.value) & _moves(statement) - _numbers(statement))):
        return ""
    verb = "which moves" if len(names) == 1 else "which move"
    return f"the right side of -> holds {', '.join(names)}, {verb}: write f ~ g, or f = g + o(1)"


def _at_values(statement: Statement, again: Again) -> Built:
    """Parameters with listed values: the statement for each of them."""
    listed = tuple(c for c in statement.domain if isinstance(c, (Listed, Between)))
    members = []
    for point in points(listed, {}, {}):
        values = {name: number(x) for name, x in point.items()}

        def put(node: Node, values: Mapping[str, Node] = values) -> Node:
            return written_out(substitute(node, values))

        domain = []
        for condition in statement.domain:
            if condition in listed or (isinstance(condition, OfKind) and condition.name in point):
                continue
            new = condition.changed(put)
            if isinstance(new, OfKind) or any(free_names(node) - CONSTANTS for node in new.terms()):
                domain.append(new)
            elif not satisfied(new, {}, {}):
                raise ParseError(f"{new} does not hold")
        regime, uniform = (tuple(c.changed(put) for c in found) for found in (statement.regime, statement.uniform))
        body = statement.body.changed(put)
        ties = tuple(c.changed(put) for c in statement.ties)
        members.append(again(replace(statement, body=body, domain=tuple(domain), regime=regime, uniform=uniform, ties=ties)))
    return Built(Composite(tuple(members)))


def said_of_parameters(statement: Statement) -> Conditions:
    """What is said of the parameters, as the engine takes it: kinds, and open ranges beyond x > 0 alone.

    Raises:
        ParseError: a parameter has no range of its own, or depends on what moves.
    """
    kinds = {c.name: c.kind for c in statement.conditions() if isinstance(c, OfKind)}
    tending = _tending(statement)
    found: list[Condition] = [c for c in statement.domain if isinstance(c, OfKind)]
    ordered = [c for c in statement.regime if isinstance(c, Grows) or (isinstance(c, Tends) and c.term.kind != "name")]
    sides = [node for c in ordered for node in (c.terms() if isinstance(c, Grows) else (c.term,))]  # type: ignore[union-attr]
    moving = set().union(*map(free_names, sides)) if sides else set()  # p in n*p -> c is no parameter, but a variable too
    tied = {c.parts[0].text for c in statement.regime if isinstance(c, Compared) and c.signs == ("=",)}
    lone = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"]
    domain = [c for c in statement.domain if isinstance(c, OfKind) or not any(is_true_near(c, limit) for limit in lone)]
    for condition in (*statement.domain, *statement.regime):
        if isinstance(condition, Compared):
            _independent(condition, tending | moving | tied)
    domain += _implied_ranges(domain, tending | moving | tied)
    for condition in domain:
        if isinstance(condition, OfKind):
            ranged = interval(condition.name, tuple(c for c in domain if isinstance(c, Compared)))
            if ranged is None and condition.name not in tending | moving:
                raise ParseError(f"{condition}: say where its range begins, such as {condition.name} > 0")
            continue
        if _ordered(condition, tending | moving | tied):
            continue
        if not isinstance(condition, Compared) or len(subjects(condition)) != 1:
            raise ParseError(f"{condition}: in a limit a parameter has a range of its own, such as alpha > 1")
        name = next(iter(subjects(condition)))
        others = set().union(*map(free_names, condition.parts)) - CONSTANTS - {name}
        if name in tending:
            raise ParseError(f"{condition}: where {name} tends, this does not hold, or that is not known: leave it out")
        if others:
            raise ParseError(f"{condition}: in a limit a parameter lies between numbers, such as {name} > 1, not between terms")
        if interval(name, (condition,)) is None:
            ends_are = "in a limit the ends of a parameter's range are whole numbers or fractions"
            raise ParseError(f"{condition}: {ends_are}, such as {name} > 3/2")
        ends = interval(name, tuple(c for c in domain if isinstance(c, Compared)))
        low = None if ends is None else ends[0][0]
        if low is None and not (ends is not None and ends[1][0] is not None and ends[1][0] <= 0):
            raise ParseError(f"{condition}: say from where the range of {name} begins, such as {name} > 0")
        if name in moving:
            if low != 0:
                raise ParseError(f"{condition}: {name} is ordered by products of powers, and has to be positive and near 0 or oo")
            continue
        if words(condition.parts[0]) != name or words(condition.parts[-1]) != "0" or condition.signs != (">",) or name in kinds:
            found += _opened(condition, name, kinds.get(name) == "whole")
    return tuple(found)


def _ordered(condition: Condition, moves: Collection[str]) -> bool:
    """Whether it compares parameters with one another."""
    if not isinstance(condition, Compared) or "=" in condition.signs:
        return False
    names = set().union(*map(free_names, condition.parts)) - CONSTANTS
    plain = all(node.kind == "name" or not free_names(node) for node in condition.parts)
    return len(names) > 1 and not names & set(moves) and plain


def _implied_ranges(domain: Sequence[Condition], moves: Collection[str]) -> Conditions:
    """The ranges that parameters have by those with which they are compared: b > 1 of a > 1, b >= a.

    >>> from asymp.language.conditions import read_conditions
    >>> text_of(_implied_ranges(read_conditions("a > 1, b >= a"), ()))
    'b > 1'
    """
    names = {name for c in domain if _ordered(c, moves) for node in c.terms() for name in free_names(node)} - CONSTANTS
    compared = tuple(c for c in domain if isinstance(c, Compared))
    own = {name: interval(name, compared) for name in names}
    missing = sorted(name for name, ends in own.items() if ends is None or ends[0][0] is None)
    try:
        known_ranges = domain_of(domain).ranges if missing else {}
    except terms.Refused as error:
        raise ParseError(f"the assumptions leave nothing: {error}") from error
    found: list[Condition] = []
    for name in missing:
        if name in known_ranges and (low := known_ranges[name].low) is not None:
            found += read_conditions(f"{name} {'>' if known_ranges[name].low_open else '>='} {low}")
    return tuple(found)


def _independent(condition: Compared, moving: Collection[str]) -> None:
    """Refuses a parameter that depends on what moves, as the kernel does: what is said of each fixed m is not said of m <= n.

    >>> from asymp.language.conditions import read_conditions
    >>> _independent(read_conditions("1 <= m <= n")[0], {"n"})
    Traceback (most recent call last):
    ...
    asymp.language.numbers.ParseError: 1 <= m <= n: m is a parameter that depends on what moves, n: say 'uniformly in 1 <= m <= n'
    """
    names = set().union(*map(free_names, condition.parts)) - CONSTANTS
    fixed = sorted(names - set(moving))
    if "=" not in condition.signs and fixed and len(fixed) < len(names):
        name, moves = fixed[0], ", ".join(sorted(names & set(moving)))
        chain = len(condition.parts) == 3 and condition.parts[1].kind == "name" and condition.parts[1].text == name
        say = str(condition) if chain else f"low <= {name} <= high"
        raise ParseError(f"{condition}: {name} is a parameter that depends on what moves, {moves}: say 'uniformly in {say}'")


def _opened(condition: Compared, name: str, whole: bool) -> Conditions:
    """The range of a parameter; of a whole one with open ends: k >= 2 is k > 1."""
    ends = interval(name, (condition,))
    if not whole or ends is None:
        return (condition,)
    (low, low_open), (high, high_open) = ends
    below = "" if low is None else f"{low if low_open else math.ceil(low) - 1} < "
    above = "" if high is None else f" < {high if high_open else math.floor(high) + 1}"
    return read_conditions(f"{below}{name}{above}")


def _uniform(statement: Statement, again: Again) -> Built:
    """Along some ways of the uniform variable: both ends of its range, next to them, and in the middle.

    Next to an end of a real range is what tends to it: p = 1 - 1/n, at which p^n does not tend to 0.
    """
    variable = [c for c in statement.uniform if isinstance(c, Compared)]
    chain = variable[0] if variable else None
    if chain is None or len(chain.parts) != 3 or chain.parts[1].kind != "name" or any(s[0] != "<" for s in chain.signs):
        raise ParseError(f"a uniform range is written low <= i <= high, not {text_of(statement.uniform)}")
    name, low, high = chain.parts[1].text, chain.parts[0], chain.parts[2]
    whole = any(isinstance(c, OfKind) and c.name == name and c.kind == "whole" for c in statement.uniform)
    one = Node("number", 1, "1")
    if len([c for c in statement.uniform if not isinstance(c, OfKind)]) > 1:
        raise ParseError(f"a uniform range is one chain low <= i <= high, not {text_of(statement.uniform)}")
    if _is_empty(statement, low, high, chain.signs, whole):
        raise ParseError(f"nothing lies in the range {chain}: the statement is about nothing")
    places = []
    for end, way in ((low, "+"), (high, "-")):
        plain = end.kind == "name" or (end.kind == "number" and end.text.isdigit())
        first = end if plain or not whole else Node("call", 1, "ceiling" if way == "+" else "floor", (end,))
        if chain.signs[0 if way == "+" else 1] == "<=":
            places.append(first)
        elif whole:
            places.append(Node("sum", 1, "", (first, one), f"+{way}"))
    middle = Node("product", 1, "", (Node("sum", 1, "", (low, high), "++"), Node("number", 1, "2")), "*/")
    places.append(Node("call", 1, "floor", (middle,)) if whole else middle)
    if whole and low.kind == "number" and low.text.isdigit() and high.kind == "name" and high.text in _growing(statement):
        places += [Node("sum", 1, "", (low, one), "++"), Node("sum", 1, "", (high, one), "+-")]  # an end may be a zero: log(1)
    for n in () if whole else _growing(statement)[:1]:
        part = Node("product", 1, "", (Node("sum", 1, "", (high, low), "+-"), Node("name", 1, n)), "*/")
        places += [Node("sum", 1, "", (low, part), "++"), Node("sum", 1, "", (high, part), "+-")]
    members = []
    for place in places:
        values = {name: place}
        body = statement.body.changed(functools.partial(substitute, values=values))
        put = replace(statement, uniform=(), body=body)
        members.append(again(put))
    return Built(Composite(tuple(members), complete=False))


def _growing(statement: Statement) -> list[str]:
    """The variables that tend to infinity."""
    return [c.term.text for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name" and words(c.target) == "oo"]


def _is_empty(statement: Statement, low: Node, high: Node, signs: Sequence[str], whole: bool) -> bool:
    """Whether a range with ends in one n, n -> oo, holds nothing at some large n."""
    names = (free_names(low) | free_names(high)) - CONSTANTS
    if not names <= set(_growing(statement)[:1]):
        return False
    for n in LARGE:
        try:
            (a, b) = (ranges.Evaluator(256).range(terms.of(end), {v: ranges.point(n) for v in names}) for end in (low, high))
        except terms.Refused:
            return False
        least, most = a.low, b.high
        if whole:
            least = least.floor() + 1 if a.is_point and signs[0] == "<" else least.ceil()
            most = most.ceil() - 1 if b.is_point and signs[1] == "<" else most.floor()
        if not (least > most or (least == most and not whole and "<" in signs)):
            return False
    return True
