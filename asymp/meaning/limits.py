"""The meaning of statements about limits: every part real and defined from some point on.

>>> from asymp.parse import claim
>>> found, _, _ = of_limit(claim("me/x", "Sum(1/k, (k, 1, n*m)) ~ log(n*m)", to="n->oo, m->oo", source="me, 1"), None)
>>> found.facts[:1]
['m whole (end of Sum(1/k, (k, 1, n*m)))']
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from asymp.claim import Asymptotic, Claim
from asymp.kernel import terms
from asymp.kernel.growths.limit_points import from_both_sides, sideless
from asymp.kernel.growths.regime import names_in
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Limiting, Not, UpperLimit
from asymp.language.conditions import Compared, OfKind, text_of
from asymp.language.known import is_infinite
from asymp.language.parts import Part, parts_of
from asymp.language.statement import Statement
from asymp.language.syntax import Node, words
from asymp.meaning.ground import Ground, Prove
from asymp.meaning.limit import far_out
from asymp.meaning.read import Kind, Meaningless, Reading, read
from asymp.meaning.truth import Truth
from asymp.meaning.whole import whole_valued
from asymp.parse.at import term_of
from asymp.regimes.paths import NOTHING, path, with_ties


def of_limit(claim: Claim, prove: Prove | None) -> tuple[Reading, tuple[Term, ...], tuple[str, ...]]:
    """How a claim about a limit is read, the terms that are in it, and the parameters that stand in conditions alone.

    Raises:
        Meaningless: a part of it is undefined far out, or it is not known that all is well; the regime has no path.
    """
    assert isinstance(claim.relation, Asymptotic)
    statement, real = claim.relation.statement, claim.relation.real
    nodes = finite_terms(statement)
    ground, found = read_far_out(statement, claim.parts, real, prove)
    has_a_path(statement, found.whole)
    for name, tie in _ties(statement).items():
        if name in found.whole and whole_valued(terms.of(tie), found.whole) is not Truth.ALWAYS:
            why = f"{name} = {words(tie)} is not known to be whole where {text_of(statement.regime)}"
            raise Meaningless(name, why, Kind.NOT_WHOLE)
        if ground.signs(terms.of(tie)) != {1}:  # what is tied is read as positive
            why = f"{name} = {words(tie)} is not known to be positive where {text_of(statement.regime)}"
            raise Meaningless(name, why, Kind.UNKNOWN)
    names = frozenset[str]().union(*(node.free - terms.CONSTANTS for node in nodes), *(t.free for t in _ties(statement).values()))
    unused = sorted({name for c in statement.domain for name in names_in(Statement(NOTHING, domain=(c,)))} - names)
    return found, tuple(map(term_of, nodes)), tuple(unused)


def finite_terms(statement: Statement) -> list[Node]:
    """The terms of a body, without an infinite limit."""
    body = statement.body.body if isinstance(statement.body, Not) else statement.body
    return [body.left] if isinstance(body, (Limiting, UpperLimit)) and is_infinite(body.value) else list(body.terms())


def read_far_out(
    statement: Statement, parts: Iterable[Part], real: frozenset[str], prove: Prove | None
) -> tuple[Ground, Reading]:
    """A statement's regime as a ground, and how parts of its terms are read there.

    Raises:
        Meaningless: a part is undefined far out, or it is not known that all is well.
    """
    for x in sideless(statement):
        with suppress(Refused):
            above, below = from_both_sides(statement, x)
            read_far_out(above, parts, real, prove)
            return read_far_out(below, parts, real, prove)
    try:
        ground = far_out(statement, prove)
    except Refused as error:
        raise Meaningless(text_of(statement.regime), str(error), Kind.UNKNOWN) from error
    tied = [part for tie in _ties(statement).values() for part in parts_of(tie)]
    return ground, read(tuple(parts), ground, real, tied)


def _ties(statement: Statement) -> dict[str, Node]:
    """What the regime ties to other variables."""
    return {c.parts[0].text: c.parts[1] for c in statement.regime
            if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name"}  # fmt: skip


def has_a_path(statement: Statement, whole: Iterable[str] = ()) -> None:
    """Nothing, where a path is seen on which all that is said of a regime and a domain holds.

    Args:
        statement: closed, of a limit.
        whole: variables that are whole, though that is not said.

    Raises:
        Meaningless: none is seen, so that the statement may be about nothing.

    >>> from asymp.language.statement import read_statement
    >>> has_a_path(read_statement("n/m -> oo as n -> oo, m -> oo, n = o(m), m = o(n)"))
    Traceback (most recent call last):
    ...
    asymp.meaning.read.Meaningless: no path is seen on which all conditions hold: n -> oo, m -> oo, n = o(m), m = o(n)
    """
    asked = Statement(NOTHING, domain=statement.domain, regime=with_ties(statement.regime))
    try:
        kinds = tuple(OfKind(name, "whole") for name in sorted(set(whole) & names_in(asked)))
        path(replace(asked, domain=tuple(dict.fromkeys((*kinds, *statement.domain)))))
    except Refused as error:
        raise Meaningless(text_of(statement.regime), str(error), Kind.EMPTY) from error
