"""What is true where a statement about a limit fails: the same with the terms that the series have, as a theorem.

>>> from asymp.language.statement import read_statement
>>> for text in ("harmonic(n) = log(n) + O(1/n)", "n + 1/n ~ 2*n", "log(n)/n -> 1", "sqrt(n) + 1 = O(1)"):
...     print(correction(read_statement(f"{text} as whole n -> oo")).statement)
harmonic(n) = log(n) + EulerGamma + O(1/n) as whole n -> oo
n + 1/n ~ n as whole n -> oo
log(n)/n -> 0 as whole n -> oo
sqrt(n) + 1 ~ sqrt(n) as whole n -> oo
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.check.derived import with_powers
from asymp.kernel import terms
from asymp.kernel.growths.growth import BOUNDED, ONE, Growth
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.limit_points import limit_points, sideless
from asymp.kernel.growths.regime import placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio as Coefficient
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.prove.written import Quantities, in_order, in_words
from asymp.regimes.paths import path
from asymp.regimes.quantities import places

ORDERS = (2, 3, 5)
MOST_TERMS = 6


def correction(statement: Statement) -> Theorem:
    """A theorem of what holds in the place of a statement that fails, for all of its paths and parameters.

    Raises:
        Refused: none is found.
    """
    if statement.some or statement.uniform or limit_points(statement) or sideless(statement):
        raise Refused("a statement of another form")
    along, last = path(statement), Refused("no quantities for this regime")
    for place in sorted(places(statement), key=lambda one: "small" in one):  # with p itself first
        for order in ORDERS:
            try:
                for body in _bodies(statement, place, order):
                    new = replace(statement, body=body)
                    if str(new) == str(statement):
                        continue
                    return apply("asymptotic", statement=str(new), order=order, place=place, **along)
            except Refused as error:
                last = error
    raise last


def _bodies(statement: Statement, place: Mapping[str, Any], order: int) -> Iterator[Body]:
    where = placed(statement, place)
    algebra = Algebra(where.domain, order)
    expander = expander_of((), statement, where, algebra)
    written = Quantities(where, place["scales"])
    small = {q.name: terms.read(f"-log(1 - {p})") for p, q in where.powers.items()}

    def node(parts: Sequence[tuple[Coefficient, Growth]]) -> Node:
        each = [in_words(with_powers(terms.substitute(written.term(c, g), small))) for c, g in parts]
        return Parser(" + ".join(each).replace("+ -", "- ") or "0").whole()

    def series(one: Node) -> Series:
        return expander.series(where.put(terms.of(one)))

    body = statement.body
    if not isinstance(body, (Expanding, Ordering, Ratio, Limiting)):
        raise Refused("a statement of another form")
    f = series(body.left)
    if isinstance(body, Expanding):
        g = series(body.growth)
        _, least = algebra.below(g)
        kinds = BOUNDED if body.order == "O" else ("zero",)
        kept = [(c, h) for c, h in f.terms if not any(algebra.domain.quotient(h, one) in kinds for one in least)]
        if len(kept) <= MOST_TERMS:
            yield replace(body, kept=node(in_order(kept, algebra)))
        return
    lead = algebra.leading(f)
    if isinstance(body, Limiting):
        kind = lead[1].limit(algebra.domain)
        if lead[1].same(ONE):
            yield Limiting(body.left, node([lead]))
        elif kind in ("zero", "infinity"):
            yield Limiting(body.left, Node("number", 1, "0") if kind == "zero" else _infinite(algebra.domain.sign(lead[0])))
        return
    yield Ratio(body.left, node([lead]))


def _infinite(sign: int | None) -> Node:
    oo = terms.name("oo")
    return node_of(oo if sign == 1 else terms.negative(oo))
