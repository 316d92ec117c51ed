"""Statements made closed: names put in, every variable with its kind and range, sides of limits, ties of a domain.

What is filled in by default is part of the closed statement, so that it is shown, checked and recorded.

>>> from asymp.language.conditions import read_conditions
>>> from asymp.language.names import definition
>>> from asymp.language.statement import read_statement
>>> setting = Setting({"n": read_conditions("whole, >= 1", "n"), "p": read_conditions("0 < p < 1")},
...                   dict([definition("q", "1-p")]))
>>> print(closed(read_statement("q^n -> 0 as n -> oo, p -> 0, n*p -> oo"), setting))
(1 - p)^n -> 0 as whole n -> oo, p -> 0+, n*p -> oo
>>> print(closed(read_statement("q^n <= 1"), setting))
(1 - p)^n <= 1 for whole n >= 1, 0 < p < 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from asymp.language.conditions import (
    Between,
    Compared,
    Condition,
    Conditions,
    Grows,
    Listed,
    OfKind,
    Tends,
    subjects,
)  # fmt: skip
from asymp.language.everyday import WORDS as EVERYDAY
from asymp.language.everyday import in_terms
from asymp.language.functions import CONSTANTS as CONSTANTS
from asymp.language.functions import functions_called as functions_called
from asymp.language.functions import in_order, variables_of, with_functions
from asymp.language.hints import Unsaid
from asymp.language.implied import implied as implied
from asymp.language.implied import interval as interval
from asymp.language.kinds import meant_whole
from asymp.language.names import Definitions, free_names, substitute, unfold
from asymp.language.numbers import ParseError
from asymp.language.quantifiers import apart, flat, ordered
from asymp.language.statement import Extreme, OneRoot, Shape, Statement, Throughout, is_asymptotic
from asymp.language.syntax import Node
from asymp.language.transitions import Transitions
from asymp.language.value import NotExact, value

MOST_PARTS, MOST_IN_A_LIMIT = 3_000, 1_500
"""Numbers, names and operations of a statement, with its definitions put in."""


@dataclass(frozen=True)
class Setting:
    """What is declared once for many statements.

    Args:
        variables: name -> its kind and range, where a statement does not say more.
        names: definitions.
        functions: functions of a model, name -> code.
        chains: what defines some of these.
        declared: variables that stand for any function, name -> what is said of it.
    """

    variables: Mapping[str, Conditions] = field(default_factory=dict)
    names: Definitions = field(default_factory=dict)
    functions: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    chains: tuple[Transitions, ...] = ()
    declared: Mapping[str, Conditions] = field(default_factory=dict)


def closed(statement: Statement, setting: Setting) -> Statement:
    """The statement without defined names, with a condition on every variable.

    Raises:
        ParseError: a variable of which nothing is said, two limits of one variable, a name without its arguments.
    """
    if isinstance(statement.body, Throughout):
        plain = unfolded(statement, setting.names)
        return apart(plain, closed(flat(plain), setting))
    _of_one_kind(statement)
    _of_free_names(statement, setting)
    found = with_functions(unfolded(statement, setting.names), setting.declared, setting.names, {*setting.functions})
    of_bounded_size(found.terms(), MOST_IN_A_LIMIT if is_asymptotic(found.body) else MOST_PARTS)
    found = _with_sides(found, setting)
    found = _in_terms(_with_defaults(found, setting), setting)
    ordered(statement, found.domain)
    ties = ties_of(found.domain)
    tending = {name for c in found.regime for name in subjects(c)}
    listed = {name for c in found.domain if isinstance(c, (Listed, Between)) for name in subjects(c)}
    if clash := sorted((set(ties) | listed) & tending):
        raise ParseError(f"{clash[0]} tends to its limit, and is given a value")
    inner = {name for c in (*found.some, *found.uniform) for name in subjects(c) | {getattr(c, "name", "")}}
    if twice := sorted(set(ties) & (listed | inner)):
        raise ParseError(f"{twice[0]} is tied to a term, and has values of its own")
    if isinstance(found.body, (Shape, Extreme, OneRoot)) and found.body.name in ties:
        raise ParseError(f"{found.body.name} is given a value, and is to move")
    put = _putting(found.domain)
    some, uniform, regime = (
        tuple(c.changed(put) for c in where) for where in (found.some, found.uniform, found.regime)
    )
    said = tuple(
        c for c in found.domain if getattr(c, "name", "") in ties or any(free_names(t) & set(ties) for t in c.terms())
    )
    return Statement(found.body.changed(put), some, uniform, _without_ties(found.domain), regime, said)


def of_bounded_size(terms: Iterable[Node], most: int) -> None:
    """That a search can look at all of them more than once; searches of limits grow faster with them.

    Raises:
        ParseError: it cannot.
    """
    size = sum(term.size for term in terms)
    if size > most:
        raise ParseError(f"{size} parts, of which at most {most} are read: write like terms as a Sum, or put some into lemmas")


def _of_one_kind(statement: Statement) -> None:
    kinds: dict[str, str] = {}
    for condition in statement.conditions():
        if isinstance(condition, (OfKind, Between)):
            kind = condition.kind if isinstance(condition, OfKind) else "whole"  # 0..3 are whole numbers
            if kinds.setdefault(condition.name, kind) != kind:
                raise ParseError(f"{condition.name} cannot be {kind} and {kinds[condition.name]}")
    for condition in (*statement.domain, *statement.some):
        if isinstance(condition, (Tends, Grows)):
            raise ParseError(f"{condition}: what tends where stands after 'as', not after 'for'")


def _of_free_names(statement: Statement, setting: Setting) -> None:
    """Kinds, lists and binders are of variables: not of definitions, not of constants."""
    names: set[str] = set()
    for condition in statement.conditions():
        if isinstance(condition, (OfKind, Between)):
            names.add(condition.name)
        elif isinstance(condition, Listed):
            names |= set(condition.names)
        elif subjects(condition) & CONSTANTS:
            raise ParseError(f"{condition}: a constant has no range")
    for condition in statement.some:
        names |= subjects(condition)
    if isinstance(statement.body, (Shape, Extreme, OneRoot)):
        names.add(statement.body.name)
    for name in sorted(names):
        if name in setting.names or name in CONSTANTS:
            raise ParseError(f"{name} has a meaning of its own: it is no variable here")


def filled(statement: Statement, setting: Setting) -> Statement:
    """The statement as it is written, with what is filled in by default: what is shown.

    >>> from asymp.language.conditions import read_conditions
    >>> from asymp.language.statement import read_statement
    >>> print(filled(read_statement("n <= 2*n"), Setting({"n": read_conditions("whole, >= 1", "n")})))
    n <= 2*n for whole n >= 1
    """
    if isinstance(statement.body, Throughout):
        return apart(statement, filled(flat(statement), setting))
    # what is said of a function may speak of variables of which the statement itself does not
    plain = with_functions(unfolded(statement, setting.names), setting.declared, setting.names, {*setting.functions})
    full = _with_defaults(_with_sides(plain, setting), setting)
    written = _with_sides(statement, setting)
    some, uniform, regime = (
        (*getattr(written, at), *getattr(full, at)[len(getattr(plain, at)) :]) for at in ("some", "uniform", "regime")
    )
    domain = (*written.domain, *(c for c in full.domain if c not in plain.domain))
    return replace(written, some=some, uniform=uniform, domain=domain, regime=regime)


def unfolded(statement: Statement, names: Definitions) -> Statement:
    """The statement with definitions put in."""

    def change(node: Node) -> Node:
        return unfold(node, names)

    def all_of(conditions: Conditions) -> Conditions:
        return tuple(condition.changed(change) for condition in conditions)

    return Statement(
        statement.body.changed(change),
        all_of(statement.some),
        all_of(statement.uniform),
        all_of(statement.domain),
        all_of(statement.regime),
    )


def _in_terms(statement: Statement, setting: Setting) -> Statement:
    """The statement without everyday words of laws; a letter or a function that has a meaning of its own keeps it.

    What is known is what the statement says itself, with its defaults: so what is shown says the same.
    """
    if functions_called(statement).isdisjoint(EVERYDAY):
        return statement
    own = {*setting.variables, *setting.functions, *setting.declared, *variables_of(statement)}
    said = statement.conditions()
    whole = {c.name for c in said if isinstance(c, Between) or (isinstance(c, OfKind) and c.kind == "whole")}

    def sure(low: Node, sign: str, high: Node) -> bool:
        names = [x.text for x, other in ((low, high), (high, low)) if x.kind == "name" and not other.free]
        return bool(names) and implied(Compared((low, high), (sign,)), names[0], said)

    def change(node: Node) -> Node:
        return in_terms(node, own, whole, sure)

    found = (statement.some, statement.uniform, statement.domain, statement.regime)
    some, uniform, domain, regime = (tuple(c.changed(change) for c in conditions) for conditions in found)
    return Statement(statement.body.changed(change), some, uniform, domain, regime, statement.ties)


def _with_sides(statement: Statement, setting: Setting) -> Statement:
    """Limits with the side that the range of the variable leaves: p -> 0 is p -> 0+ where 0 < p < 1."""
    regime = []
    seen: set[str] = set()
    for condition in statement.regime:
        if isinstance(condition, Tends) and condition.term.kind == "name":
            name = condition.term.text
            if name in seen:
                raise ParseError(f"{name} has two limits")
            seen.add(name)
            if not condition.side and _text(condition.target) not in ("oo", "-oo"):
                condition = replace(condition, side=_side(name, condition.target, setting.variables.get(name, ())))
        regime.append(condition)
    return replace(statement, regime=tuple(regime))


def _text(node: Node) -> str:
    if node.kind == "negative":
        return "-" + _text(node.parts[0])
    return node.text


def _side(name: str, target: Node, known: Conditions) -> str:
    for condition in known:
        if isinstance(condition, Compared):
            for left, sign, right in condition.pairs():
                low, high = (left, right) if sign[0] == "<" else (right, left)
                if sign != "=" and high.text == name and high.kind == "name" and _text(low) == _text(target):
                    return "+"
                if sign != "=" and low.text == name and low.kind == "name" and _text(high) == _text(target):
                    return "-"
    return ""


def _with_defaults(statement: Statement, setting: Setting) -> Statement:
    """The declared kind and range of every variable, where the statement's own conditions do not imply them."""
    bound = {c.term.text for c in statement.regime if isinstance(c, Tends) and c.term.kind == "name"}
    bound |= {c.parts[0].text for c in statement.regime if isinstance(c, Compared) and c.parts[0].kind == "name"}
    some = {name for c in statement.some for name in (subjects(c) | {getattr(c, "name", "")}) - {""}}
    inner = some | {name for c in statement.uniform for name in subjects(c)}
    moving = {name for c in statement.regime if isinstance(c, (Tends, Grows)) for name in free_names(c.term)}
    more_some: list[Condition] = []
    more_uniform: list[Condition] = []
    kinds = {c.name for c in statement.conditions() if isinstance(c, OfKind)}
    listed = {c.name for c in statement.conditions() if isinstance(c, Between)}
    meant = meant_whole(statement)
    own = {name for c in statement.conditions() for name in subjects(c) | _between(c)} | kinds
    added: list[Condition] = []
    regime = list(statement.regime)
    body = statement.body
    used = [*variables_of(statement), *([body.name] if isinstance(body, (Shape, Extreme)) else [])]
    order = {name: place for place, name in enumerate(setting.variables)}
    pending = sorted(dict.fromkeys(used), key=lambda x: order.get(x, len(order)))
    for name in pending:  # which grows: a range may name variables that have ranges
        declared = setting.variables.get(name, ())
        new: list[Condition] = [c for c in declared if isinstance(c, OfKind) and name not in kinds
                                and not (name in listed and c.kind == "real")]  # fmt: skip
        if name in bound:
            regime += new or ([OfKind(name, "whole")] if name in meant else [])
            _keeps(name, declared, statement)
            continue
        if not declared and name not in own and name not in moving:
            raise Unsaid(name)
        if name in meant and name not in listed and not any(isinstance(c, OfKind) for c in new):
            new.append(OfKind(name, "whole"))
        known = statement.some if name in some else statement.uniform if name in inner else statement.domain
        if name not in inner or name in some:  # of a uniform variable the chain is the range
            new += [c for c in declared if not isinstance(c, OfKind) and not implied(c, name, known)]
        (more_some if name in some else more_uniform if name in inner else added).extend(new)
        pending += [x for c in new for node in c.terms() for x in in_order(node)
                    if x not in pending and x not in CONSTANTS and x not in c.bound]  # fmt: skip
    if isinstance(body, OneRoot):
        inside = (Compared((body.low, Node("name", 1, body.name), body.high), ("<", "<")),)
        for condition in setting.variables.get(body.name, ()):
            if condition != OfKind(body.name, "real") and not implied(condition, body.name, inside):
                raise ParseError(f"{body.name} is declared otherwise: {condition}")
    return replace(
        statement,
        domain=tuple(dict.fromkeys((*statement.domain, *added))),
        regime=tuple(regime),
        some=(*statement.some, *more_some),
        uniform=(*statement.uniform, *more_uniform),
    )


def _keeps(name: str, declared: Conditions, statement: Statement) -> None:
    """That a regime keeps what is declared of a variable: n >= m of n -> oo, and not m <= n where both move.

    Raises:
        ParseError: it does not, and that would be left out of what is asked.
    """
    moving = {v for c in statement.regime for node in c.terms()[:1] for v in free_names(node)}
    large = any(isinstance(c, Tends) and _text(c.target) == "oo" and _text(c.term) == name for c in statement.regime)
    for c in declared:
        for low, sign, high in c.pairs() if isinstance(c, Compared) else ():
            names = (free_names(low) | free_names(high)) - CONSTANTS
            rises = _text(high if sign[0] == "<" else low) == name
            if names - {name} and (names & moving - {name} or (large and not rises)):
                raise ParseError(f"{name} tends to its limit, and is declared by {c}, which no regime keeps")


def _between(condition: Condition) -> set[str]:
    """The names between two others of a chain, of which it says where they lie: x and y of 0 < x < y < 1."""
    parts = condition.parts[1:-1] if isinstance(condition, Compared) else ()
    return {part.text for part in parts if part.kind == "name"} - set(CONSTANTS)


def ties_of(conditions: Conditions) -> dict[str, Node]:
    """``p = 1/n^2`` of a domain: the value of a variable.

    Raises:
        ParseError: a variable has two.
    """
    found = {}
    for c in conditions:
        if (
            isinstance(c, Compared)
            and c.signs == ("=",)
            and c.parts[0].kind == "name"
            and c.parts[0].text not in CONSTANTS
        ):
            if c.parts[0].text in found:
                raise ParseError(f"{c.parts[0].text} is tied twice")
            found[c.parts[0].text] = c.parts[1]
    return found


def _putting(conditions: Conditions) -> Callable[[Node], Node]:
    ties = ties_of(conditions)
    for name, term in ties.items():
        if free_names(term) & set(ties):
            raise ParseError(f"{name} is tied to what is tied itself")
    return lambda node: substitute(node, ties) if ties else node


def _without_ties(conditions: Conditions) -> Conditions:
    """The domain after the values of tied variables were put in."""
    ties, put = ties_of(conditions), _putting(conditions)
    kept: list[Condition] = []
    for condition in conditions:
        if ties_of((condition,)):
            continue
        if isinstance(condition, OfKind) and condition.name in ties:
            if condition.kind == "whole" and not _is_whole_number(ties[condition.name]):
                tied = ties[condition.name]
                kept.append(Compared((Node("call", 1, "floor", (tied,)), tied), ("=",)))
            continue
        kept.append(condition.changed(put))
    return tuple(kept)


def _is_whole_number(node: Node) -> bool:
    try:
        return bool(value(node, {}).denominator == 1)
    except NotExact:
        return False
