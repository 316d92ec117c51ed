"""Statements for all functions, tried at some: values are given, or follow from what defines the function.

``at = "seed in 0..9, sigma(n) = service(n, seed)"`` gives sigma a value in each place; a function that is defined in the
domain, by an equation or by recursion, has those that follow.  What the domain says of a function beside its definition is
looked at near 0 alone: what fails at such functions is no certain counterexample.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from asymp.claim import Bound, Composite, Identity
from asymp.domain import Domain
from asymp.language.conditions import Compared, Condition, Conditions, Every, OfFunction, OfKind, text_of
from asymp.language.names import Definition, free_names, unfold
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.language.value import NotExact, Undefined, value
from asymp.parse.built import Built, Functions
from asymp.parse.terms import compared

NEAR = range(-2, 7)
"""Values of each variable at which it is looked whether what is said of functions holds."""
Build = Callable[[Statement, Functions, Conditions], Built]


def for_functions(statement: Statement, models: Functions, tried: Conditions, build: Build) -> Built:
    """The relation of a statement whose domain declares functions.

    Raises:
        ParseError: a function has no values, or two.
    """
    declared = {c.name: c for c in statement.domain if isinstance(c, OfFunction)}
    plain = tuple(c for c in statement.domain if not isinstance(c, (OfFunction, Every)))
    if not tried:
        nowhere = Domain(text_of(statement.domain))
        return Built(Identity(_untried, _untried, nowhere), parts=())
    given = dict(_given(tried, declared))
    points = tuple(c for c in tried if _head(c) not in declared)
    clauses: dict[str, list[Every]] = {}
    said: list[Every] = []
    for c in statement.domain:
        if isinstance(c, Every):
            c = c.changed(lambda node: unfold(node, given))
            head = _head(c.chain)
            if head in declared and head not in given:
                clauses.setdefault(head, []).append(c)
            else:
                said.append(c)
    if missing := sorted(set(declared) - set(given) - set(clauses)):
        raise ParseError(f"'at' gives {missing[0]} no values: write {declared[missing[0]].name}(n) = ...")
    needed = {name for d in given.values() for name in free_names(d.term) - set(d.arguments)}
    needed |= {name for f in clauses.values() for c in f for node in c.terms() for name in free_names(node) - c.bound}
    names = sorted(needed)
    extended = _Extended(frozenset(clauses), tuple(names))
    made: dict[str, Callable[..., Any]] = dict(models)
    for f, found in clauses.items():
        made[f] = _Defined(f, tuple(extended.every(c) for c in found), tuple(names), made)
    put = lambda node: extended.node(unfold(node, given))  # noqa: E731
    there = Statement(statement.body.changed(put), domain=tuple(c.changed(put) for c in plain), ties=())
    built = build(there, made, points)
    guard = _Guard(tuple(extended.every(c) for c in said), made)
    return replace(built, relation=_guarded(built.relation, guard, text_of(statement.domain)), parts=())


def _untried(**_: Any) -> Any:
    raise NotExact("no values of its functions are given")


def _given(tried: Conditions, declared: Mapping[str, OfFunction]) -> Iterator[tuple[str, Definition]]:
    for c in tried:
        if isinstance(c, Compared) and (name := _head(c)) in declared:
            arguments = tuple(part.text for part in c.parts[0].parts)
            if any(part.kind != "name" for part in c.parts[0].parts) or len(arguments) != len(declared[name].arguments):
                raise ParseError(f"{c}: values are given as {declared[name]} = ...")
            yield name, Definition(name, arguments, c.parts[1])


def _head(c: Condition) -> str:
    """The function of which an equation gives values."""
    return c.parts[0].text if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "call" else ""


@dataclass(frozen=True)
class _Extended:
    """Puts the names of a point behind the arguments of functions that are defined: their values hang on these."""

    heads: frozenset[str]
    names: tuple[str, ...]

    def node(self, node: Node) -> Node:
        parts = tuple(map(self.node, node.parts))
        if node.kind == "call" and node.text in self.heads:
            parts = (*parts, *(Node("name", node.column, f"{name}") for name in self.names))
        return replace(node, parts=parts) if parts else node

    def every(self, c: Every) -> Every:
        if clash := sorted(c.bound & set(self.names)):
            c = c.renamed({name: f"{name}'" for name in clash})
        return Every(c.chain.changed(self.node), tuple(one.changed(self.node) for one in c.over))


@dataclass
class _Defined:
    """A function that is defined by one equation, or by recursion, as code."""

    name: str
    clauses: tuple[Every, ...]
    names: tuple[str, ...]
    functions: Mapping[str, Callable[..., Any]]
    known: dict[tuple[Any, ...], Fraction] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __call__(self, *arguments: Any) -> Fraction:
        if arguments not in self.known:
            if len(self.known) > 50_000:
                self.known.clear()
            self.known[arguments] = self._value(arguments)
        return self.known[arguments]

    def _value(self, arguments: tuple[Any, ...]) -> Fraction:
        own = arguments[: len(arguments) - len(self.names)]
        point = {name: Fraction(x) for name, x in zip(self.names, arguments[len(own) :], strict=True)}
        for clause in self.clauses:
            at = _at(clause.chain.parts[0].parts, own, clause.bound, point)
            if at is None or not all(_obeyed(c, at, self.functions) for c in clause.over):
                continue
            found = value(clause.chain.parts[1], at, self.functions)
            if not isinstance(found, Fraction):
                raise NotExact(f"{self.name} is no number there")
            return found
        raise Undefined(f"{self.name}({', '.join(map(str, own))}) is not defined")


def _at(parts: Sequence[Node], own: Sequence[Any], bound: frozenset[str], point: Mapping[str, Any]) -> dict[str, Any] | None:
    """The values of the variables of an equation at which its left side is at these arguments; None where there are none."""
    at = dict(point)
    for part, x in zip(parts, own, strict=False):
        if part.kind == "name" and part.text in bound:
            if at.setdefault(part.text, Fraction(x)) != x:
                return None
        elif part.kind == "sum" and len(part.parts) == 2 and part.parts[0].kind == "name" and part.parts[0].text in bound:
            step = value(part.parts[1], {})
            at[part.parts[0].text] = x - step if part.signs[1] == "+" else x + step
    for part, x in zip(parts, own, strict=False):
        if value(part, at) != x:
            return None
    return {**dict.fromkeys(bound, Fraction(0)), **at}  # what stands nowhere on the left may be anything


def _obeyed(c: Condition, at: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> bool:
    if isinstance(c, OfKind):
        return Fraction(at[c.name]).denominator == 1
    assert isinstance(c, Compared)
    return all(compared(left, sign, right, at, functions) for left, sign, right in c.pairs())


@dataclass(frozen=True)
class _Guard:
    """What is said of functions, looked at near 0."""

    said: tuple[Every, ...]
    functions: Mapping[str, Callable[..., Any]]

    def __call__(self, point: Mapping[str, Any]) -> None:
        """Nothing, where it holds there.

        Raises:
            Undefined: it does not.
        """
        for c in self.said:
            names = sorted(c.bound)
            for values in itertools.product(NEAR, repeat=len(names)):
                at = {**point, **{name: Fraction(k) for name, k in zip(names, values, strict=True)}}
                if all(_obeyed(one, at, self.functions) for one in c.over) and not _obeyed(c.chain, at, self.functions):
                    raise Undefined(f"{c} does not hold for the functions of this point")


@dataclass
class _Checked:
    """A side of a relation that looks at the domain first, once for each point."""

    side: Callable[..., Any]
    guard: _Guard
    seen: set[Any] = field(default_factory=set, init=False, repr=False, compare=False)

    def __str__(self) -> str:
        return str(self.side)

    def __call__(self, **point: Any) -> Any:
        key = tuple(sorted((name, str(x)) for name, x in point.items()))
        if key not in self.seen:
            self.guard(point)
            self.seen.add(key)
        return self.side(**point)


def _guarded(relation: Any, guard: _Guard, text: str) -> Any:
    if isinstance(relation, Composite):
        checked = [_guarded(m.relation, guard, text) for m in relation.members]
        pairs = zip(relation.members, checked, strict=True)
        parts = (replace(m, relation=found, text_of=found, closed="") for m, found in pairs)  # nothing is proved of these values
        return replace(relation, members=tuple(parts))
    if not isinstance(relation, (Bound, Identity)) or not callable(relation.lhs):
        raise ParseError("a statement for all functions is made of comparisons")
    domain = replace(relation.domain, text=text, complete=False, of_functions=True)
    return replace(relation, lhs=_Checked(relation.lhs, guard), domain=domain)


