"""The meaning of a claim, with the kernel at hand: the one call that every door makes before it asks for truth.

>>> from asymp.parse import claim
>>> meant(claim("me/x", "log(n - 1/2) <= n for real n >= 1", source="me, 1")).facts
('log(n - 1/2) defined',)
"""

from __future__ import annotations

import contextlib
from functools import lru_cache

from asymp.budget import uncounted
from asymp.claim import Claim, LimitLaw
from asymp.kernel.terms import Refused as Unproved
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.meaning import Meaning, laws, meaning
from asymp.meaning.truth import Truth
from asymp.prove.claims import doubt, short


def meant(claim: Claim) -> Meaning:
    """How a claim is read.

    Raises:
        Meaningless: it has no meaning, with the place and the reason.
    """
    return meaning(claim, prove)


def limits_of(relation: LimitLaw) -> tuple[Claim, ...]:
    """The limits to which X_n => X unfolds, by a way of which all is sure.

    Raises:
        Meaningless: an everyday law has other parameters, or it is not known.
    """
    laws.are_laws(relation.statement, prove)
    return laws.limits_of(relation, prove)


@uncounted
@lru_cache(maxsize=1_000)
def prove(text: str) -> Truth:
    """Whether a finite statement holds, as the kernel proves or refutes it.

    >>> prove("x^2 + x + 1 > 0 for real x")
    <Truth.ALWAYS: 'always'>
    """
    try:
        statement = read_statement(text)
    except ParseError:
        return Truth.UNKNOWN
    for answer, search in ((Truth.ALWAYS, short), (Truth.FAILS, doubt)):
        with contextlib.suppress(Unproved):
            search(statement)
            return answer
    return Truth.UNKNOWN
