"""The functions and the variables of statements, and what is declared of functions that a statement speaks of for all."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from asymp.language.conditions import Conditions, Every, OfFunction
from asymp.language.meanings import CONSTANTS as CONSTANTS
from asymp.language.meanings import MEANT
from asymp.language.names import Definitions, called, free_names, unfold
from asymp.language.numbers import ParseError
from asymp.language.statement import OneRoot, Statement
from asymp.language.syntax import Node, walk


def variables_of(statement: Statement) -> list[str]:
    """The free names of the body and the conditions, in order of appearance."""
    found: dict[str, None] = {}
    for node in statement.terms():
        found |= dict.fromkeys(in_order(node))
    for condition in statement.conditions():
        for node in condition.terms():
            found |= dict.fromkeys(name for name in in_order(node) if name not in condition.bound)
    body = statement.body
    if isinstance(body, OneRoot):
        found.pop(body.name, None)
    return [name for name in found if name not in CONSTANTS]


def in_order(node: Node) -> list[str]:
    """The free names of a term, in order of appearance."""
    free = free_names(node)
    return list(dict.fromkeys(part.text for part in walk(node) if part.kind == "name" and part.text in free))


def functions_called(statement: Statement) -> set[str]:
    """The names of all functions in it."""
    nodes = [*statement.terms(), *(node for c in statement.conditions() for node in c.terms())]
    return set().union(*(called(node) for node in nodes)) if nodes else set()


def with_functions(
    statement: Statement, declared: Mapping[str, Conditions], names: Definitions, known: Collection[str]
) -> Statement:
    """The statement with what is declared of the functions that it calls, and of those that stand in that.

    Raises:
        ParseError: a function that is declared twice, is a variable too, or is called with another number of arguments.
    """
    found = statement
    while new := functions_called(found) & set(declared) - {c.name for c in _functions(found)}:
        more = [c.changed(lambda node: unfold(node, names)) for name in sorted(new) for c in declared[name]]
        found = replace(found, domain=(*found.domain, *more))
    arity: dict[str, int] = {}
    for c in _functions(found):
        if c.name in arity or c.name in known or c.name in names or c.name in MEANT:
            raise ParseError(f"{c.name} has a meaning already: it cannot be declared as a function")
        arity[c.name] = len(c.arguments)
    if any(isinstance(c, (OfFunction, Every)) for c in (*found.some, *found.uniform, *found.regime)):
        raise ParseError("functions, and what is said of them, stand after 'for'")
    if arity and (clash := sorted(set(variables_of(found)) & set(arity))):
        raise ParseError(f"{clash[0]} is a function: give it arguments in brackets")
    for node in (*found.terms(), *(node for c in found.conditions() for node in c.terms())) if arity else ():
        _right_arguments(node, arity)
    return found


def _functions(statement: Statement) -> list[OfFunction]:
    return [c for c in statement.domain if isinstance(c, OfFunction)]


def _right_arguments(node: Node, arity: Mapping[str, int]) -> None:
    if node.kind == "call" and len(node.parts) != arity.get(node.text, len(node.parts)):
        raise ParseError(f"{node.text} takes {arity[node.text]} arguments, not {len(node.parts)}")
    for part in node.parts:
        _right_arguments(part, arity)
