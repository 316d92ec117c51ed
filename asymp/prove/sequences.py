"""Statements of sequences that are declared by a recurrence: a term in their place, or what is known of them in the end.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> said = "whole n >= 0, sequence a(n), a(n+2) = a(n+1) + 2*a(n), a(0) = 0, a(1) = 1"
>>> decided(read_statement(f"a(n) = (2^n - (-1)^n)/3 for {said}"), True, theorem)
⊢ a(n) = (2^n - (-1)^n)/3 for whole n >= 0, sequence a(n), a(n + 2) = a(n + 1) + 2*a(n), a(0) = 0, a(1) = 1
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from asymp.kernel import terms
from asymp.kernel.growths.asymptotics import Decided
from asymp.kernel.growths.declared import Declared, declared
from asymp.kernel.sequences.declared import agrees, definition, reached, without
from asymp.kernel.sequences.dividing import inductive
from asymp.kernel.sequences.ratios import from_on
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import And, Comparison, parts_of
from asymp.language.conditions import Recurrence
from asymp.language.statement import Statement, is_asymptotic
from asymp.prove import first
from asymp.prove.sequence_forms import closed_forms
from asymp.prove.sequence_growth import known
from asymp.prove.sequence_leaves import Find, one_way

AFTER = (1, 2, 3, 4, 8, 16)
"""First values that are looked at one by one."""


def decided(statement: Statement, holds: bool, find: Find) -> Theorem:
    """A theorem of a statement of declared sequences, or of its negation."""
    of = next(c.name for c in statement.domain if isinstance(c, Recurrence))
    found = declared(statement, of)
    spoken = [(f, found.first) for f in _said(statement, found)] if holds else []
    for f, start in (*spoken, *closed_forms(found)):
        try:
            given = [find(one, True) for one in (*agrees(found, f, start), *reached(statement, of, start))]
        except Refused:
            continue
        try:  # it is this term: no other one says more
            premise = one_way(without(statement, of, definition(found, f)), holds, find)
            return apply("sequence", [premise, *given], statement=str(statement), of=of, by=str(f), start=start)
        except Decided:
            raise
        except Refused:
            break
    if isinstance(statement.body, And):
        return _all(statement, holds, find)
    if not is_asymptotic(statement.body):
        return _inductive(statement, found, find) if holds else _nowhere(found)
    why = Refused(f"nothing is found of how {of} grows")
    for way in known(statement, found, find):
        try:
            return way(holds)
        except Decided:  # the opposite is seen
            raise
        except Refused as error:
            why = error
    raise why


def _nowhere(found: Declared) -> Theorem:
    raise Refused(f"no closed form of {found.name} is found")


def _inductive(statement: Statement, found: Declared, find: Find) -> Theorem:
    """Bounds by induction, from the first ones on."""
    _, start = from_on(statement.domain)
    why = Refused("no induction")
    for more in AFTER:
        after = max(start + more, found.start + found.top)
        try:
            given = [find(one, True) for one in inductive(statement, found.name, after)]
        except Refused as error:
            why = error
            continue
        return apply("dividing", given, statement=str(statement), of=found.name, after=after)
    raise why


def _said(statement: Statement, found: Declared) -> list[Term]:
    """What a statement says that the sequence is."""
    body = statement.body
    if not isinstance(body, Comparison) or body.chain.signs != ("=",):
        return []
    sides = [terms.of(node) for node in body.chain.parts]
    for a, f in (sides, sides[::-1]):
        if a.head == found.name and len(a.parts) == 1 and a.parts[0].head == "name":
            v = a.parts[0].name
            return [terms.substitute(f, {v: terms.name(found.variable)})] if f.free == {v} else []
    return []


def _all(statement: Statement, holds: bool, find: Find) -> Theorem:
    parts = [partial(decided, replace(statement, body=part), holds, find) for part in parts_of(statement.body)]
    return apply("all", [part() for part in parts] if holds else [first(parts)], statement=str(statement))
