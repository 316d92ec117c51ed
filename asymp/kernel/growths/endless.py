"""A comparison with an endless sum or product, by the limit of its partial ones.

What Sum(f, (k, a, oo)) is called is the limit of Sum(f, (k, a, n)) as n -> oo, if there is one, and so for products.  So where
c + q Sum(f, (k, a, n)) -> w, with q a rational number other than 0, the endless sum has a value, and with it the left side is w.

>>> from asymp.kernel.theorem import apply
>>> place, along = {"scales": {"n_": "n"}, "values": {"n": "n_"}}, {"runner": "k", "values": {"n": "k"}}
>>> tends = "Sum(1/j^2, (j, 1, n)) -> zeta(2) as n -> oo for whole n"
>>> limit = apply("asymptotic", statement=tends, order=2, place=place, **along)
>>> equal = apply("algebra", statement="zeta(2) = zeta(2)")
>>> apply("partial totals", [limit, equal], statement="Sum(1/j^2, (j, 1, oo)) = zeta(2)", runner="n")
⊢ Sum(1/j^2, (j, 1, oo)) = zeta(2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.regime import require_fresh
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.generalised import replaced
from asymp.kernel.terms import Refused, Term, canonical
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Comparison, Limiting
from asymp.language.conditions import Compared, OfKind, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node

OO = terms.name("oo")


@rule("partial totals")
def _partial_totals(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f < g, or its negation, with an endless sum or product in f: from f -> w with the partial one, and w < g; any sign serves.

    Data: statement, runner (the end of the partial one).

    The limit is for the statement's parameters, or for more; w < g is of the same domain, or where it fails, too.
    """
    statement, n = read_closed(data["statement"]), data.text("runner")
    if set(data) != {"statement", "runner"} or len(premises) != 2 or not premises[0].holds:
        raise Refused("a statement, the end of a partial sum, a limit and a comparison")
    limit, compared = (one.statement for one in premises)
    if not isinstance(limit.body, Limiting):
        raise Refused("the first premise is no limit")
    value = terms.of(limit.body.value)
    if n in value.free or any(part.name in ("oo", "zoo", "nan") for part in terms.walk(value)):
        raise Refused("a limit that is no number")
    wanted, same = partial(statement, n, limit.body.value), with_value(statement, limit.body.value)
    if canonical(limit)[:3] != canonical(wanted)[:3] or canonical(limit)[4] != canonical(wanted)[4]:
        raise Refused("a limit of something else")
    if not canonical(limit)[3] <= canonical(wanted)[3] or limit.ties:
        raise Refused("a limit on a narrower domain")
    if canonical(compared) != canonical(same) or compared.ties:
        raise Refused("a comparison of something else")
    return Conclusion(statement, premises[1].holds)


def partial(statement: Statement, n: str, value: Node) -> Statement:
    """That the side with an endless total, ended at n, tends to a value.

    Raises:
        Refused: there is no such side.
    """
    require_fresh((statement,), (n,))
    side, total = endless(statement)
    head, (body, low, _, *rest) = total.head, total.parts
    ended = replaced(side, total, Term(head, (body, low, terms.name(n), *rest)))
    return Statement(
        Limiting(node_of(ended), value),
        domain=(*statement.domain, OfKind(n, "whole")),
        regime=(Tends(Node("name", 1, n), Node("name", 1, "oo")),),
    )


def with_value(statement: Statement, value: Node) -> Statement:
    """The comparison with a value for the side with an endless total."""
    (left, sign, right), (side, _) = _link(statement), endless(statement)
    pair = (value, right) if terms.of(left) == side else (left, value)
    return replace(statement, body=Comparison(Compared(pair, (sign,))))


def endless(statement: Statement) -> tuple[Term, Term]:
    """The side c + q T, with T an endless sum or product, and T.

    Raises:
        Refused: there is none, or more than one.
    """
    left, _, right = _link(statement)
    found = [(side, total) for side in (terms.of(left), terms.of(right)) for total in _totals(side)]
    if len(found) != 1:
        raise Refused("not one endless sum or product in the sides")
    (side, total), other = found[0], terms.of(right)
    other = terms.of(left) if side == other else other
    if sum(part == total for one in (side, other) for part in terms.walk(one)) != 1:
        raise Refused("an endless sum that stands there twice")
    return side, total


def _link(statement: Statement) -> tuple[Node, str, Node]:
    if statement.regime or statement.some or statement.uniform or statement.ties or type(statement.body) is not Comparison:
        raise Refused("no comparison for all values")
    pairs = list(statement.body.chain.pairs())
    if len(pairs) != 1:
        raise Refused("a chain of comparisons")
    return pairs[0]


def _totals(side: Term) -> list[Term]:
    """The endless totals among its summands, times rational numbers."""
    found = []
    for part in side.parts if side.head == "sum" else (side,):
        rest = [one for one in part.parts if not one.is_number] if part.head == "product" else [part]
        total = rest[0] if len(rest) == 1 else side
        if total.head in ("Sum", "Product") and total.parts[2] == OO and OO not in terms.walk(total.parts[0]):
            found.append(total)
    return found
