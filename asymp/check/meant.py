"""The meaning of a claim, with the kernel at hand: the one call that every door makes before it asks for truth.

>>> from asymp.parse import claim
>>> meant(claim("me/x", "log(n - 1/2) <= n for real n >= 1", source="me, 1")).facts
('log(n - 1/2) defined',)
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from functools import lru_cache

import sympy as sp

from asymp.budget import uncounted
from asymp.cas import text as text_of
from asymp.claim import Claim
from asymp.expand.splits import Case, at_end
from asymp.kernel.terms import Refused as Unproved
from asymp.language.numbers import ParseError
from asymp.language.parts import Part
from asymp.language.statement import read_statement
from asymp.language.syntax import Node, Parser
from asymp.meaning import Meaning, meaning, read
from asymp.meaning.claims import of_expression
from asymp.meaning.limit import far_out
from asymp.meaning.truth import Truth
from asymp.parse.setting import Setting
from asymp.prove.claims import doubt, short


def meant(claim: Claim) -> Meaning:
    """How a claim is read.

    Raises:
        Meaningless: it has no meaning, with the place and the reason.
    """
    return meaning(claim, prove)


def has_meaning(parts: Iterable[Part], setting: Setting) -> None:
    """Nothing, where every part is real and defined in the setting's regime, ends of ranges that belong to it included.

    Raises:
        Meaningless: as for :func:`meant`.

    >>> from asymp.parse import parse_setting
    >>> from asymp.parse.mathematics import read_expression
    >>> setting = parse_setting("n->oo")
    >>> has_meaning(read_expression("log(-n)^0", setting.symbols)[1], setting)
    Traceback (most recent call last):
    ...
    asymp.meaning.read.Meaningless: log(-n) is not defined at n = 1000: -n > 0 is needed
    """
    regime = setting.regime
    if regime is None:
        return
    values = {symbol.name: _node(value) for symbol, value in setting.values}
    parts = [part.with_values(values) for part in parts]
    tied = [part for tie in regime.ties.values() for part in of_expression(sp.sympify(tie))]
    names = set().union(*(part.free for part in parts))
    read(parts, far_out(regime, setting.symbols, names, prove), regime.real, tied)
    for symbol, value in setting.ends:
        there = at_end(Case(regime), symbol, value).regime
        inner = [part.with_values({symbol.name: _node(value)}) for part in parts]
        read(inner, far_out(there, setting.symbols, names, prove), regime.real)


def _node(value: sp.Expr) -> Node:
    return Parser(text_of(sp.sympify(value))).whole()


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
