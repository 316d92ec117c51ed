"""One number for all of a domain: ``A for D for some C for E`` as a closed statement.

>>> from asymp.language.statement import read_statement
>>> said = read_statement("n + 3 <= C*n for whole n >= 1 for some real C")
>>> print(flat(said))
n + 3 <= C*n for whole n >= 1, real C
>>> print(apart(said, flat(said)))
n + 3 <= C*n for whole n >= 1 for some real C
"""

from __future__ import annotations

from dataclasses import replace

from asymp.language.conditions import Between, Condition, Conditions, Listed, subjects, text_of
from asymp.language.meanings import CONSTANTS
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, Throughout


def ordered(statement: Statement, more: Conditions) -> None:
    """That it is not left to what is added to a statement whether some C is the same for all of it, or each has its own.

    Raises:
        ParseError: it is, and C is not from a list.
    """
    if statement.some and more and not (statement.domain or statement.regime or any(map(_listed, statement.some))):
        some, domain = text_of(statement.some), text_of(more)
        ways = f"'for {domain} for some {some}', or 'for some {some} for {domain}'"
        raise ParseError(f"one for all, or one for each?  Write {ways}")


def _listed(c: Condition) -> bool:
    return isinstance(c, (Between, Listed))


def flat(statement: Statement) -> Statement:
    """``A for D for some C for E`` with all that is said of variables in one place, to be closed: it says something else.

    Raises:
        ParseError: one letter stands for two things, or what is said of C depends on what it is the same for.
    """
    assert isinstance(statement.body, Throughout)
    said, open_, own = statement.body.statement, _left_open(statement), _own(statement)
    if clash := sorted(open_ & {n for c in said.conditions() for n in subjects(c) | {getattr(c, "name", "")}}):
        raise ParseError(f"{clash[0]} is said to be some number, and stands for others before that")
    if not own - open_:
        raise ParseError("'for some' behind 'for' says that there is one number for all of a range: of which variable?")
    if strange := sorted(own & {n for c in statement.some for n in _said_of(c)} - open_):
        raise ParseError(f"what is said of the number may not depend on {strange[0]}, for all of which it is the same")
    return replace(said, domain=(*said.domain, *statement.some, *statement.domain))


def _left_open(statement: Statement) -> set[str]:
    return {name for c in statement.some for name in subjects(c) | {getattr(c, "name", "")}} - {""}


def _own(statement: Statement) -> set[str]:
    """Of ``A for D for some C for E`` the variables of which D speaks, and not E."""
    assert isinstance(statement.body, Throughout)
    inner = {n for c in statement.body.statement.conditions() for n in _said_of(c)}
    return inner - {n for c in statement.domain for n in _said_of(c)}


def apart(statement: Statement, flat: Statement) -> Statement:
    """The closed statement ``A for D for some C for E``, from :func:`flat` of it closed.

    A parameter, of which neither D nor E says anything, is of E: C may depend on it.
    """
    open_, own = _left_open(statement), _own(statement) - _left_open(statement)
    inner, some, outer = list[Condition](), list[Condition](), list[Condition]()
    for c in flat.domain:
        names = _said_of(c)
        (inner if names & own else some if names & open_ else outer).append(c)
    if not some or not (inner or flat.regime):
        raise ParseError("'for some' behind 'for' says that there is one number for all of a range: of which variable?")
    return Statement(
        Throughout(replace(flat, domain=tuple(inner), ties=())), tuple(some), (), tuple(outer), ties=flat.ties
    )


def _said_of(c: Condition) -> set[str]:
    return (
        {getattr(c, "name", ""), *getattr(c, "names", ())}.union(*(node.free for node in c.terms())) - {""}
    ) - CONSTANTS
