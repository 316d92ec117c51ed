"""A regime that says where a quantity in a variable tends, by what the quantity lacks of its limit, or by the quantity itself.

Where A x + B -> c, and A is a positive monomial in what tends to infinity or to 0 from above, or a negative one, x is
(c + e - B)/A for an e that tends to 0.  Of the e of a sequence infinitely many are positive, negative, or 0: what holds as
w -> oo with 1/w and with -1/w for e, and without it, holds.  Where A x + B -> oo, x is (w - B)/A for a w that tends to infinity.

All else that is said of x may be left out, so that more is shown.  Of what is said of limits some is kept of w: where a sum
of positive monomials, and of others that tend to 0 anyway, tends to 0 in x = (w - B)/A, each of them does.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> text = "(1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0"
>>> given = [theorem(one, True) for one in around(read_closed(text), "p", "w", "n*p -> c")]
>>> along = {"runner": "k", "values": {"n": "k", "p": "1/k", "c": "1"}}
>>> apply("offset", given, statement=text, variable="p", offset="w", condition="n*p -> c", **along)
⊢ (1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0
>>> near = read_closed("f = O(1) as n -> oo, a -> oo, n - a -> oo, (n - a)^2/n -> 0")
>>> [str(one) for one in around(near, "a", "w", "n - a -> oo")]
['f = O(1) as n -> oo, w -> oo, n^(-1)*w^2 -> 0']
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import alone, is_positive, moving, names_in, require_fresh, ties
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, atom, to_term
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown, together
from asymp.language.conditions import Condition, Grows, Tends
from asymp.language.names import free_names, substitute
from asymp.language.statement import Statement
from asymp.language.syntax import Node

OO = terms.name("oo")


@rule("offset")
def _offset(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement with A x + B -> c in its regime, from the same with c + 1/w, c - 1/w and c for A x + B; for c = oo, with w.

    Data: statement, variable (x), offset (w), condition (the text of A x + B -> c), and of what holds a path of the regime.

    It fails where one of these fails, if no more is said of x.
    """
    statement, x = read_closed(data["statement"]), data.text("variable")
    wanted = around(statement, x, data.text("offset"), data.text("condition"))
    if len(premises) == 1 and len([c for c in statement.conditions() if x in c.mentioned]) == 1 and not premises[0].holds:
        return together(statement, premises, wanted)
    shown(premises, wanted)
    path_of(statement, data, [premise.statement for premise in premises])
    return Conclusion(statement)


def around(statement: Statement, x: str, w: str, condition: str) -> list[Statement]:
    """The statements with x above, below and at the place where the quantity of a condition is its limit; or where it is w.

    Raises:
        Refused: there is no such condition on x, or the quantity is not linear in x with a factor that keeps its sign.
    """
    require_fresh((statement,), (w,))
    found = [c for c in statement.regime if isinstance(c, Tends) and str(c) == condition]
    if not found or found[0].side or statement.some or statement.uniform or x in ties(statement.regime):
        raise Refused(f"{condition} is no condition on {x}")
    term, limit = terms.of(found[0].term), terms.of(found[0].target)
    infinite = limit in (OO, terms.negative(OO))
    if not infinite and (limit.free & moving(statement) or any(part.name in ("oo", "zoo", "nan") for part in terms.walk(limit))):
        raise Refused(f"{found[0].target} moves, or is infinite")
    lone = {v: kind for v, kind in alone(statement).items() if kind and v != x}
    where = Domain(within={v: Range(mpq(kind == "oo"), True) for v, kind in lone.items()})
    at_0, at_1, at_2 = (where.value(terms.substitute(term, {x: terms.number(k)})) for k in range(3))
    if where.value(term) != at_0 + (at_1 - at_0) * atom(terms.name(x)) or at_2 - at_1 != at_1 - at_0:
        raise Refused(f"{term} is not linear in {x}")
    rest, factor = to_term(at_0), to_term(at_1 - at_0)
    if x in rest.free | factor.free:
        raise Refused(f"{term} is not linear in {x}")
    if not is_positive(factor, lone) and not is_positive(terms.negative(factor), lone):
        raise Refused(f"{factor} is not seen to keep its sign")
    kinds = {**lone, w: "oo"}
    inside = replace(where, within={**where.within, w: Range(mpq(1), True)})
    tends = Tends(Node("name", 1, w), Node("name", 1, "oo"))
    if infinite:
        quantity = terms.name(w) if limit == OO else terms.negative(terms.name(w))
        value = _value(inside, quantity, rest, factor)
        others = [c for c in statement.regime if c is not found[0] and x in c.mentioned]
        return [_put(statement, x, value, (tends, *(c for one in others for c in _kept(one, {x: value}, inside, kinds))))]
    gap = terms.reciprocal(terms.name(w))
    places = [_value(inside, terms.add(limit, one), rest, factor) for one in (gap, terms.negative(gap))]
    there = _put(statement, x, _value(where, limit, rest, factor), ())
    return [*(_put(statement, x, value, (tends,)) for value in places), there]


def _value(where: Domain, quantity: Term, rest: Term, factor: Term) -> Term:
    """x where A x + B is a quantity."""
    return to_term(where.value(terms.multiply(terms.add(quantity, terms.negative(rest)), terms.reciprocal(factor))))


def _put(statement: Statement, x: str, value: Term, more: Sequence[Condition]) -> Statement:
    """The statement with a term for x, without what is said of x, and with more.

    Raises:
        Refused: what moves would be a parameter of it.
    """
    body = statement.body.changed(partial(substitute, values={x: node_of(value)}))
    regime = tuple(c for c in statement.regime if x not in c.mentioned)
    domain = tuple(c for c in statement.domain if x not in c.mentioned)
    one = replace(statement, body=body, regime=(*regime, *more), domain=domain, ties=())
    if strangers := moving(statement) & names_in(one) - moving(one):
        raise Refused(f"{min(strangers)} moves, and would be a parameter")
    return one


def _kept(c: Condition, put: Mapping[str, Term], where: Domain, kinds: Mapping[str, str]) -> Iterator[Condition]:
    """What a limit says of each of the positive monomials whose sum tends to 0."""
    if isinstance(c, Grows) and c.order == "o":
        gap = terms.multiply(terms.of(c.term), terms.reciprocal(terms.of(c.growth)))
    elif isinstance(c, Tends) and not any(part == OO for part in terms.walk(terms.of(c.target))):
        gap = terms.add(terms.of(c.term), terms.negative(terms.of(c.target)))
    else:
        return
    try:
        found = where.value(terms.substitute(gap, put))
    except Refused:
        return
    w = list(kinds)[-1]
    parts = [to_term(Ratio({powers: k}, found.den)) for powers, k in found.num.items()]
    parts = [part for part in parts if w in part.free or not _vanishes(part, kinds)]
    for sign in (1, -1):
        each = [terms.multiply(terms.number(sign), part) for part in parts]
        if all(is_positive(part, kinds) for part in each):
            yield from (Tends(node_of(part), Node("number", 1, "0")) for part in each if w in part.free)


def _vanishes(part: Term, kinds: Mapping[str, str]) -> bool:
    """Whether a term in what tends to infinity or to 0 tends to 0."""
    algebra = Algebra(Domain(), 2)
    over = {v: terms.reciprocal(terms.name(v)) for v, kind in kinds.items() if kind == "0"}
    try:
        scales = {v: k for k, v in enumerate(kinds)}
        return algebra.vanishes(Expander(algebra, scales, {}).series(terms.substitute(part, over)))
    except Refused:
        return False


def offsets(statement: Statement) -> list[tuple[str, str]]:
    """Variables, and conditions by which a quantity in one tends to infinity, or to a number."""
    found = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind != "name" and not c.side]
    lone = {v for v, kind in alone(statement).items() if kind}
    infinite = [c for c in found if any(part == OO for part in terms.walk(terms.of(c.target)))]
    plain = [(v, str(c)) for c in found if c not in infinite for v in sorted(free_names(c.term) - terms.CONSTANTS - lone)]
    sums = [c for c in (*infinite, *found) if c.term.kind == "sum" or any(part.kind == "sum" for part in c.term.parts)]
    return list(dict.fromkeys([*plain, *((v, str(c)) for c in sums for v in sorted(free_names(c.term) - terms.CONSTANTS))]))
