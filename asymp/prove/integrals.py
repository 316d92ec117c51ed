"""Integrals by the rules for them: where an integrand is largest, and how many terms show what is said of the integral."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from asymp.kernel import terms
from asymp.kernel.growths import laplace as laplace
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.integrand import Integrand
from asymp.kernel.growths.regime import Placed, placed
from asymp.kernel.growths.series import Algebra
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding
from asymp.language.statement import read_statement

ORDERS = (1, 2, 3, 4, 5)
"""Terms kept by the rule; most of what is said has one or two."""
FEW = 3
"""Orders that are tried where coefficients are long, or no more is ever said."""


def ways(text: str, place: Mapping[str, Any], along: Mapping[str, Any]) -> Iterator[Callable[[], Theorem]]:
    """Ways to the theorem that an integral is what a text says, in these quantities and along this path."""
    statement = read_statement(text)
    body = statement.body
    assert isinstance(body, Expanding)
    term = terms.of(body.left)
    if term.head != "Integral" or term.parts[1:] != (terms.ZERO, terms.name("oo")):
        return
    at_0 = ORDERS[:FEW] if any(part.head == "Sum" for part in terms.walk(term)) else ORDERS
    for at in ("0", *_peaks(term, placed(statement, place))):
        for order in at_0 if at == "0" else ORDERS[::2]:  # of two sides the odd powers cancel
            yield partial(apply, "laplace", statement=text, order=order, at=at, place=place, **along)


def _peaks(term: Term, where: Placed) -> Iterator[str]:
    try:
        integrand = Integrand.of(where.put(term), Expander(Algebra(where.domain, 1), where.scales, {}), frozenset())
    except Refused:
        return
    yield from map(str, integrand.peaks())
