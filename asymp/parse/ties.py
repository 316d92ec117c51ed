"""What a domain ties, ``p = 1/n``: the term has to be defined all over the domain, and whole where p is said to be.

The closed statement has the terms in place of the names that are tied, and where such a name stands nowhere else nothing of
them is left: what a tie says is kept beside it, and asked for its meaning with the rest.

>>> from asymp.language.elaborate import Setting, closed
>>> from asymp.language.statement import read_statement
>>> said = closed(read_statement("n >= 1 for whole n >= 0, p = 1/n, whole p, p < 2"), Setting())
>>> print(said)
n >= 1 for whole n >= 0, floor(1/n) = 1/n, 1/n < 2
>>> [str(part.condition()) for part in parts_of_ties(said)], is_narrowed(said)
(['n != 0', '1/n whole'], True)
"""

from __future__ import annotations

from collections.abc import Iterable

from asymp.language.conditions import OfFunction, OfKind
from asymp.language.elaborate import ties_of
from asymp.language.known import known
from asymp.language.names import called
from asymp.language.parts import Part, parts_of
from asymp.language.statement import Statement
from asymp.language.syntax import words


def parts_of_ties(statement: Statement, models: Iterable[str] = ()) -> tuple[Part, ...]:
    """What has to be defined, and whole, for the ties of a closed statement to say something; functions of a model are not asked.

    Raises:
        ParseError: a term that is made of something unknown.
    """
    found: list[Part] = []
    coded = {*models, "Ranked", "AtMost", *(c.name for c in statement.domain if isinstance(c, OfFunction))}
    for name, term in ties_of(statement.ties).items():
        if called(term) & coded:
            continue
        known(term, declared=term.free)
        found += parts_of(term)
        if OfKind(name, "whole") in statement.ties:
            found.append(Part("whole", (term,), f"{name} = {words(term)}"))
    return tuple(found)


def is_narrowed(statement: Statement) -> bool:
    """Whether more is said of what is tied: the domain then has fewer points than those where the ties must be defined."""
    return len(statement.ties) > len(ties_of(statement.ties))
