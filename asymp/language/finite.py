"""Statements with their short sums and products between numbers written out.

>>> from asymp.language.statement import read_statement
>>> print(written(read_statement("Sum(x^k/k, (k, 1, 3)) ~ x as x -> 0+")))
x^1/1 + x^2/2 + x^3/3 ~ x as x -> 0+
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from asymp.language.names import binds
from asymp.language.statement import Statement
from asymp.language.syntax import walk
from asymp.language.value import written_out

LONGEST = 3_000
"""Parts of a statement that is written out."""


@lru_cache(maxsize=200)
def written(statement: Statement) -> Statement:
    """The statement with its finite sums written out: it says the same.  Itself where there are none, or it would be long."""
    if not any(binds(part) and part.text in ("Sum", "Product") for node in statement.terms() for part in walk(node)):
        return statement
    body = statement.body.changed(written_out)
    if sum(1 for node in body.terms() for _ in walk(node)) > LONGEST:
        return statement
    found = replace(statement, body=body)
    return statement if _sums(found) == _sums(statement) else found


def _sums(statement: Statement) -> int:
    return sum(1 for node in statement.terms() for part in walk(node) if binds(part))
