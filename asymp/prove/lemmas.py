"""A theorem of a statement with the help of others: comparisons that hold all over its domain, and expansions in its regime.

>>> from asymp.kernel.theorem import apply
>>> from asymp.language.statement import read_statement
>>> lemma = apply("algebra", statement="x^2 - x + 1 > 0 for real x")
>>> with_lemmas(read_statement("n^2 - n > -1 for whole n >= 1"), [lemma], lambda one, _: apply("algebra", statement=str(one)))
⊢ n^2 - n > -1 for whole n >= 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from asymp.kernel import terms
from asymp.kernel.sequences.instances import under
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison, Expanding
from asymp.language.elaborate import variables_of
from asymp.language.names import substitute
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.limits import Find
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

MOST_INSTANCES = 4
"""Of a lemma, with its variable named otherwise."""
ORDERS = (2, 3, 4)


def with_lemmas(statement: Statement, lemmas: Sequence[Theorem], find: Find) -> Theorem:
    """A theorem that a statement holds, by others.

    Raises:
        Refused: none is found so.
    """
    return _by_expansions(statement, lemmas) if statement.regime else _by_comparisons(statement, lemmas, find)


def _by_comparisons(statement: Statement, lemmas: Sequence[Theorem], find: Find) -> Theorem:
    each = [found for lemma in lemmas if (found := list(_instances(lemma, statement)))]
    if not each:
        raise Refused("no lemma says something of all of its domain")

    def given(chosen: Sequence[Theorem]) -> Theorem:
        more = [one.statement.body.chain for one in chosen if isinstance(one.statement.body, Comparison)]
        return apply("given", [find(under(statement, more), True), *chosen], statement=str(statement))

    together = [found[0] for found in each]
    others = [[one] for found in each for one in found]
    return first(partial(given, chosen) for chosen in (together, *(one for one in others if one != together)))


def _instances(lemma: Theorem, statement: Statement) -> Iterator[Theorem]:
    """A lemma for the domain of a statement; with another name for its variable, if it has one."""
    said = lemma.statement
    if type(said.body) is not Comparison or said.some or said.uniform or said.regime:
        return
    if canonical(said)[3] == canonical(statement)[3]:
        yield lemma
        return
    own, others = set(variables_of(said)), list(variables_of(statement))
    ways = [{}] if own <= set(others) else [{v: x} for v in own for x in others[:MOST_INSTANCES]] if len(own) == 1 else []
    for way in ways:
        put = {v: terms.name(x) for v, x in way.items()}
        body = said.body.changed(lambda node, put=put: substitute(node, {v: node_of(x) for v, x in put.items()}))  # type: ignore[misc]
        wanted = replace(statement, body=body, ties=())
        with suppress(Refused):
            yield apply("instance", [lemma], statement=str(wanted), values=way)


def _by_expansions(statement: Statement, lemmas: Sequence[Theorem]) -> Theorem:
    """With expansions of atoms that stand in it."""
    parts = {part for node in statement.terms() for part in terms.walk(terms.of(node))}
    known = [one for one in lemmas if isinstance(one.statement.body, Expanding) and terms.of(one.statement.body.left) in parts]
    if not known:
        raise Refused("no lemma expands what stands in it")
    along = path(statement)
    return first(
        partial(apply, "asymptotic", known, statement=str(statement), order=order, place=place, **along)
        for place in places(statement) for order in ORDERS
    )
