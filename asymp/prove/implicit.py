"""Roots that an equation of the regime ties: a proof of their expansions.

How many there are is seen by :mod:`asymp.prove.one_root`; the kernel sees that the gap between the sides changes sign around the
terms, or around more terms of :mod:`asymp.prove.root_terms`, where one side of these is no place of the interval.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("x = n - log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0"), True)
⊢ x = n - log(n) + O(log(n)/n) as n -> oo, x + log(x) = n, x > 0
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from asymp.kernel import terms
from asymp.kernel.growths.asymptotics import Decided
from asymp.kernel.sequences.implicit import Tied, around, tied
from asymp.kernel.terms import Refused, add
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.one_root import Prove, covered, summands
from asymp.prove.root_terms import proposals
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

ORDERS = (2, 3, 4, 6, 8)
MOST_NEARER = 4
"""Terms that are tried, of what lies next to an end."""


def is_tied(statement: Statement) -> bool:
    """Whether a statement is an expansion of a root that its regime ties."""
    try:
        return bool(tied(statement))
    except Refused:
        return False


def holds(statement: Statement, prove: Prove) -> Theorem:
    """A theorem of the expansion of a root.

    Raises:
        Refused: none is found.
    """
    root = tied(statement)
    premises, said = covered(root, prove)
    data = {**said, **path(root.plain), "statement": str(statement)}

    def told(more: dict[str, Any], order: int, by: str, place: Any) -> Theorem:
        return apply("implicit root", premises, order=order, by=by, place=place, **data, **more)

    def at_end() -> Theorem:
        """Of what lies next to an end of the interval, by a term more."""
        body = statement.body
        assert isinstance(body, Expanding)
        if terms.of(body.growth) == terms.ZERO:
            raise Refused("nothing is nearer")
        kept = len(summands(terms.of(body.kept)))
        more = (
            {"nearer": [str(add(*found)), str(rest)]}
            for found, rest in itertools.islice(proposals(root, kept + 1), MOST_NEARER)
        )
        return first(partial(_tried, partial(told, one), root) for one in more)

    try:
        return _tried(partial(told, {}), root)
    except Decided:
        raise
    except Refused as error:
        with suppress(Refused):
            return at_end()
        raise error from None


def _tried(one: Callable[[int, str, Any], Any], root: Tied) -> Any:
    """The first theorem by series of some order, in some quantities; none once it is seen that there is no change of sign."""
    why = Refused("no quantities for this regime")
    for order, by, place in itertools.product(ORDERS, ("logarithm", "difference"), list(places(root.plain))):
        try:
            return one(order, by, place)
        except Decided:
            raise
        except Refused as error:
            why = error
    raise why


def seen(statement: Statement, form: Tied) -> None:
    """That an equation, in another form, changes sign around the terms of a statement; nothing of how many roots there are.

    Raises:
        Refused: it is not seen.
    """
    root = replace(tied(statement), left=form.left, right=form.right)
    _tried(lambda order, by, place: around(statement, root, place, order, by, ()), root)
