"""A regime that says where a quantity in a variable tends, by what the quantity lacks of its limit.

Where A x + B -> c, and A is a positive monomial in what tends to infinity or to 0 from above, or a negative one, x is
(c + e - B)/A for an e that tends to 0.  Of the e of a sequence infinitely many are positive, negative, or 0: what holds as
e -> 0+ with e and with -e for it, and without it, holds.  All else that is said of x is left out, so that more is shown.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> text = "(1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0"
>>> given = [theorem(one, True) for one in around(read_closed(text), "p", "e")]
>>> apply("offset", given, statement=text, variable="p", offset="e")
⊢ (1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.regime import alone, is_positive, moving, names_in, require_fresh, ties
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import atom, to_term
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown, together
from asymp.language.conditions import Condition, Tends
from asymp.language.names import free_names, substitute
from asymp.language.statement import Statement
from asymp.language.syntax import Node


@rule("offset")
def _offset(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement with A x + B -> c in its regime, from the same with (c + e - B)/A, (c - e - B)/A and (c - B)/A for x.

    Data: statement, variable (x), offset (e, which tends to 0 from above).

    It fails where one of these fails, if no more is said of x.
    """
    statement, x = read_closed(data["statement"]), data.text("variable")
    wanted = around(statement, x, data.text("offset"))
    if len(premises) == 1 and len([c for c in statement.conditions() if x in _names(c)]) == 1:
        return together(statement, premises, wanted)
    shown(premises, wanted)
    return Conclusion(statement)


def around(statement: Statement, x: str, e: str) -> list[Statement]:
    """The statements with x above, below and at the place where the quantity is its limit.

    Raises:
        Refused: no quantity in x that tends to a number, or it is not linear in x with a factor that keeps its sign.
    """
    require_fresh((statement,), (e,))
    found = [c for c in statement.regime if isinstance(c, Tends) and c.term.kind != "name" and x in free_names(c.term)]
    if len(found) != 1 or found[0].side or statement.some or statement.uniform or x in ties(statement.regime):
        raise Refused(f"no one quantity in {x} tends to a number")
    term, limit = terms.of(found[0].term), terms.of(found[0].target)
    if limit.free & moving(statement) or any(part.name in ("oo", "zoo", "nan") for part in terms.walk(limit)):
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
    made = []
    near = Tends(Node("name", 1, e), Node("number", 1, "0"), "+")
    for gap in (terms.name(e), terms.negative(terms.name(e)), terms.ZERO):
        place = {x: node_of(terms.multiply(terms.add(limit, gap, terms.negative(rest)), terms.reciprocal(factor)))}
        regime = tuple(c for c in statement.regime if x not in _names(c))
        domain = tuple(c for c in statement.domain if x not in _names(c))
        body = statement.body.changed(partial(substitute, values=place))
        one = replace(statement, body=body, regime=regime if gap == terms.ZERO else (*regime, near), domain=domain, ties=())
        if strangers := moving(statement) & names_in(one) - moving(one):
            raise Refused(f"{min(strangers)} moves, and would be a parameter")
        made.append(one)
    return made


def offsets(statement: Statement) -> list[str]:
    """Variables in quantities of a regime that tend to a number."""
    lone = {v for v, kind in alone(statement).items() if kind}
    terms_ = [c.term for c in statement.regime if isinstance(c, Tends) and c.term.kind != "name" and not c.side]
    return sorted({v for term in terms_ for v in free_names(term)} - terms.CONSTANTS - lone)


def _names(c: Condition) -> set[str]:
    return {getattr(c, "name", ""), *getattr(c, "names", ())}.union(*map(free_names, c.terms()))
