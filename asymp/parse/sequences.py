"""Statements of sequences that are declared by a recurrence: of finite ones the exact values, of limits what theorems say.

>>> from asymp.parse import claim
>>> fibonacci = "sequence a(n), a(n+2) = a(n+1) + a(n), a(0) = 0, a(1) = 1"
>>> made = claim("me/x", "a(n) <= 2^n for whole n >= 0", source="me, 1", assume=[fibonacci])
>>> made.relation.kind, made.relation.lhs(n=Fraction(10))
('bound', Fraction(55, 1))
>>> claim("me/x", "a(n) <= 2^n for whole n >= 0", source="me, 1", assume=["sequence a(n), a(n+2) = a(n+1) + a(n), a(0) = 0"])
Traceback (most recent call last):
...
asymp.language.numbers.ParseError: a(n + 2) = a(n + 1) + a(n) at n = -1 needs a(-1): first values are missing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from asymp.claim import OfSequence
from asymp.kernel.growths.declared import Declared, declared
from asymp.kernel.sequences.declared import reached
from asymp.kernel.sequences.ratios import from_on
from asymp.kernel.terms import Refused
from asymp.language.conditions import Conditions, Listed, OfFunction, Recurrence
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, is_asymptotic
from asymp.language.syntax import Node
from asymp.language.value import NotExact
from asymp.parse.built import Built, Functions

FURTHER = (15, 20, 30, 50, 75, 100, 200, 400)
Build = Callable[[Statement, Functions, Conditions], Built]


def of_sequences(statement: Statement, models: Functions, tried: Conditions, build: Build) -> Built:
    """The relation of a statement whose domain declares sequences.

    Raises:
        ParseError: a declaration defines none, and what it lacks.
    """
    own = [c.name for c in statement.domain if isinstance(c, Recurrence)]
    try:
        sequences = [declared(statement, name) for name in own]
        for one in sequences:
            reached(statement, one.name, one.first)
    except Refused as error:
        raise ParseError(str(error)) from error
    if is_asymptotic(statement.body):
        if not statement.regime:
            raise ParseError("say what tends where: n -> oo")
        return Built(OfSequence(statement=statement))
    if any(isinstance(c, OfFunction) and not isinstance(c, Recurrence) for c in statement.domain):
        raise ParseError("a statement of a sequence is not one for all functions too")
    plain = replace(statement, domain=tuple(c for c in statement.domain if not isinstance(c, Recurrence)))
    return build(plain, {**models, **{one.name: _exactly(one) for one in sequences}}, tried or _far(statement, sequences))


def _far(statement: Statement, sequences: Sequence[Declared]) -> Conditions:
    """Some whole numbers at which a statement for whole n >= N is tried: what fails of a sequence may fail late."""
    try:
        v, start = from_on(statement.domain)
    except Refused:
        return ()
    found = []
    for k in (*range(start, start + 10), *(start + more for more in FURTHER)):
        try:
            for one in sequences:
                one.at(k)
        except Refused:
            continue
        found.append((Node("number", 1, str(k)) if k >= 0 else Node("negative", 1, "", (Node("number", 1, str(-k)),)),))
    return (Listed((v,), tuple(found)),) if found else ()


def _exactly(one: Declared) -> Callable[[Any], Fraction]:
    """The values of a sequence, as code."""

    def at(k: Any) -> Fraction:
        if Fraction(k).denominator != 1:
            raise NotExact(f"{one.name}({k}): the sequence has values at whole numbers alone")
        try:
            return one.at(int(k))
        except Refused as error:
            raise NotExact(str(error)) from error

    return at
