"""Closed statements to claims: the relation, the regime or the domain, and the parts as they were typed.

>>> from asymp.language.elaborate import Setting
>>> from asymp.language.statement import read_statement
>>> from asymp.language.elaborate import closed
>>> built = build(closed(read_statement("log(x) <= x for x >= 1"), Setting()))
>>> built.relation.kind, str(built.relation.domain.grid[0]["x"])
('bound', '1')
"""

from __future__ import annotations

from asymp.claim import Claim, SomeNumber
from asymp.language.conditions import Conditions, OfFunction, Recurrence
from asymp.language.finite import written
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, Throughout, is_asymptotic
from asymp.parse.built import Built, Functions, member
from asymp.parse.finite import Finite
from asymp.parse.instances import for_functions
from asymp.parse.limits import asymptotic
from asymp.parse.sequences import of_sequences


def build(statement: Statement, functions: Functions | None = None, tried: Conditions = (), text: str = "") -> Built:
    """The relation of a closed statement.

    Args:
        statement: closed, without defined names.
        functions: functions of a model.
        text: what was typed, for messages.
        tried: the points at which a universal statement is tried, or the values of parameters in a regime.

    Raises:
        ParseError: it cannot be asked: the condition, and why.
    """
    models = dict(functions or {})
    statement = written(statement)
    body = statement.body

    def again(part: Statement) -> Claim:
        return member(part, build(part, models, tried))

    if any(isinstance(c, Recurrence) for c in statement.domain):
        return of_sequences(statement, models, tried, build)
    if is_asymptotic(body):
        return asymptotic(statement, models, tried, again, text)
    if isinstance(body, Throughout):
        return Built(SomeNumber(statement=statement))
    if statement.regime:
        raise ParseError(f"what tends where belongs to a statement about a limit, not to {body}")
    if any(isinstance(c, OfFunction) for c in statement.domain):
        return for_functions(statement, models, tried, build)
    return Finite(statement, models, tried, again=again, source=text).built()
