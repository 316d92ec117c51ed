"""The meaning of a claim, with the kernel at hand: the one call that every door makes before it asks for truth.

>>> from asymp.parse import claim
>>> meant(claim("me/x", "log(n - 1/2) <= n for real n >= 1", source="me, 1")).facts
('log(n - 1/2) defined',)
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import sympy as sp

from asymp.budget import uncounted
from asymp.check.domains import typed
from asymp.claim import Bound, Claim, Identity
from asymp.domain import Interval
from asymp.expand.splits import Case, at_end
from asymp.functions.parts import Part, parts_of
from asymp.kernel.terms import Refused as Unproved
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.meaning import Meaning, meaning, read
from asymp.meaning.limit import Limit
from asymp.meaning.truth import Truth
from asymp.parse.printing import term as text_of
from asymp.parse.setting import Setting
from asymp.prove.claims import doubt, short
from asymp.refusal import Refused


def meant(claim: Claim) -> Meaning:
    """How a claim is read.

    Raises:
        Meaningless: it has no meaning, with the place and the reason.
    """
    relation = claim.relation
    if isinstance(relation, (Bound, Identity)):
        domain = typed(relation.domain)
        names = {s.name for side in (relation.lhs, relation.rhs) if isinstance(side, sp.Expr) for s in side.free_symbols}
        if names <= set(domain.ranges or ()):  # else some name is bounded by the grid alone
            claim = replace(claim, relation=replace(relation, domain=domain))
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
    parts = [part.with_values(dict(setting.values)) for part in parts]
    tied = [part for tie in regime.ties.values() for part in parts_of(sp.sympify(tie))]
    read(parts, Limit(regime, whole=regime.whole), regime.real, tied)
    for symbol, value in setting.ends:
        there = at_end(Case(regime), symbol, value).regime
        read([part.with_values({symbol: value}) for part in parts], Limit(there, whole=regime.whole), regime.real)


def prove(expr: sp.Expr, variable: sp.Symbol, strict: bool, interval: Interval, whole: bool) -> Truth:
    """Whether ``expr > 0`` (not ``strict``: ``>= 0``) on a range of its one variable, as the kernel proves or refutes it.

    >>> x = sp.Symbol("x", real=True)
    >>> prove(x**2 + x + 1, x, True, Interval(), False)
    <Truth.ALWAYS: 'always'>
    """
    x = variable.name
    said = [f"{'whole' if whole else 'real'} {x}"]
    if interval.low is not None:
        said.append(f"{x} {'>' if interval.low_open else '>='} {interval.low}")
    if interval.high is not None:
        said.append(f"{x} {'<' if interval.high_open else '<='} {interval.high}")
    try:
        return _told(f"{text_of(expr)} {'>' if strict else '>='} 0 for {', '.join(said)}")
    except (Refused, ParseError):
        return Truth.UNKNOWN


@uncounted
@lru_cache(maxsize=1_000)
def _told(text: str) -> Truth:
    statement = read_statement(text)
    for answer, search in ((Truth.ALWAYS, short), (Truth.FAILS, doubt)):
        with contextlib.suppress(Unproved):
            search(statement)
            return answer
    return Truth.UNKNOWN
