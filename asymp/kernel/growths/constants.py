"""A number that a statement of a limit leaves open: f = log(n) + C + O(1/n) for some real C.

C does not depend on what moves; it may depend on parameters.  The statement holds where it does with a term for C that has
what is said of C.  It fails where the rest of it is seen not to be bounded: f = g + C + O(h) says f - g = O(1 + |h|).

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> given = theorem(read_closed("(n + 1)^2/n - n -> 2 as n -> oo"), True)
>>> apply("some constant", [given], statement="(n + 1)^2/n - n -> C as n -> oo for some real C", variable="C", value="2")
⊢ (n + 1)^2/n - n -> C for some real C as n -> oo
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.regime import moving
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import CONSTANTS, Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison, Expanding, InLaw, Limiting, Ordering
from asymp.language.conditions import Compared, OfKind
from asymp.language.names import free_names, substitute
from asymp.language.statement import Statement, is_asymptotic
from asymp.language.syntax import Node


@rule("some constant")
def _some_constant(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of a limit for some C, from it with a term for C, and from what is said of C said of the term.

    Data: statement, variable (C), value (the term, in parameters).
    """
    statement = read_closed(data["statement"])
    shown(premises, with_value(statement, data.text("variable"), data.text("value")))
    return Conclusion(statement)


@rule("no constant")
def _no_constant(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """No C: f = g + C + O(h), f = g + C + o(h) and f -> C fail for all C where f - g = O(1 + |h|) fails, and f = O(1).

    Data: statement, variable (C).
    """
    statement = read_closed(data["statement"])
    return Conclusion(statement, shown(premises, [bounded(statement, data.text("variable"))], False))


@rule("one constant")
def _one_constant(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = g + C + O(h) with h -> 0, and f -> C, fail for all C where they, or what is said of C, fail for the limit of f - g.

    Data: statement, variable (C), value (the limit, in parameters).  Premises: those of :func:`limits`, and what fails.
    """
    statement, v, value = read_closed(data["statement"]), data.text("variable"), data.text("value")
    shown(premises[:-1], limits(statement, v, value))
    wanted = [terms.canonical(one) for one in with_value(statement, v, value)]
    if not premises or premises[-1].holds or terms.canonical(premises[-1].statement) not in wanted:
        raise Refused("the last premise is not that it fails for the limit")
    return Conclusion(statement, holds=False)


def limits(statement: Statement, v: str, value: str) -> list[Statement]:
    """That f - g tends to a term, and the remainder to 0: no other number is possible.

    Raises:
        Refused: v is not added to the rest.
    """
    with_value(statement, v, value)  # a term in parameters
    left, rest, growth = _parts(statement, v)
    gap = node_of(terms.add(left, terms.negative(rest)))
    found = [replace(statement, some=(), body=Limiting(gap, node_of(terms.read(value))))]
    if growth != terms.ZERO:
        found.append(replace(statement, some=(), body=Limiting(node_of(growth), node_of(terms.ZERO))))
    return found


def with_value(statement: Statement, v: str, value: str) -> list[Statement]:
    """The statement with a term for v, and the comparisons that are said of v.

    Raises:
        Refused: v is not the one variable that is left open, more is said of it, or the term moves, or is in other variables.
    """
    _is_open(statement, v)
    put, said = put_for(statement, v, value)
    if put[v].free & moving(statement):
        raise Refused(f"{value} is in what moves")
    return [replace(statement, some=(), body=statement.body.changed(lambda one: substitute(one, put))), *said]


def put_for(statement: Statement, v: str, value: str) -> tuple[dict[str, Node], list[Statement]]:
    """A term for v, and the comparisons that are said of v, said of it.

    Raises:
        Refused: the term is in other variables than those for all of which the statement is said, or it is no number.
    """
    term = terms.read(value)
    known = {name for c in statement.domain for name in c.mentioned}
    if term.free - CONSTANTS - known or any(part.name in ("oo", "zoo", "nan") for part in terms.walk(term)):
        raise Refused(f"{value} is no number, or in variables of which it may not depend")
    if OfKind(v, "whole") in statement.some and not (term.is_number and term.number.denominator == 1):
        raise Refused(f"{value} is not whole")
    put = {v: node_of(term)}
    said = (c.changed(lambda node: substitute(node, put)) for c in statement.some if isinstance(c, Compared))
    return put, [Statement(Comparison(c), domain=statement.domain) for c in said]


def bounded(statement: Statement, v: str) -> Statement:
    """What follows for all v: that the rest is bounded.

    Raises:
        Refused: v is not added to the rest.
    """
    left, rest, growth = _parts(statement, v)
    most = terms.ONE if growth == terms.ZERO else terms.add(terms.ONE, terms.call("Abs", growth))
    return replace(
        statement, some=(), body=Ordering(node_of(terms.add(left, terms.negative(rest))), "O", node_of(most))
    )


def _parts(statement: Statement, v: str) -> tuple[Term, Term, Term]:
    """f, g and h of f = g + C + O(h); h = 0 where f -> g + C is said.

    Raises:
        Refused: it is of another form.
    """
    _is_open(statement, v)
    body = statement.body
    if isinstance(body, Limiting):
        left, value, growth = terms.of(body.left), terms.of(body.value), terms.ZERO
    elif isinstance(body, Expanding) and body.order in ("O", "o"):
        left, value, growth = terms.of(body.left), terms.of(body.kept), terms.of(body.growth)
    else:
        raise Refused("a statement of another form")
    rest = terms.substitute(value, {v: terms.ZERO})
    if v in left.free | growth.free or terms.add(rest, terms.name(v)) != value:
        raise Refused(f"{v} is not added to the rest")
    return left, rest, growth


def _is_open(statement: Statement, v: str) -> None:
    """That of v alone some value is meant, in a statement of a limit that says nothing else of it.

    Raises:
        Refused: it is not so.
    """
    if not is_asymptotic(statement.body) or isinstance(statement.body, InLaw) or statement.uniform or not statement.regime:
        raise Refused("a statement of another form")
    left_open(statement, v)
    if not any(v in free_names(node) for node in statement.body.terms()):
        raise Refused(f"{v} is not what is left open")


def left_open(statement: Statement, v: str) -> None:
    """That some value of v is meant, of which no more is said than comparisons with what the statement is for all of.

    Raises:
        Refused: it is not so.
    """
    for c in statement.some:
        if not isinstance(c, (Compared, OfKind)) or (isinstance(c, OfKind) and (c.name != v or c.kind not in ("real", "whole"))):
            raise Refused(f"{c} is said of what is left open")
        if v not in c.mentioned:
            raise Refused(f"{c} says nothing of {v}")
    others = {name for c in (*statement.domain, *statement.regime) for name in c.mentioned}
    if {name for c in statement.some for name in c.mentioned} - CONSTANTS - {v} - others:
        raise Refused("more than one number is left open")
    if not statement.some or v in others or v in CONSTANTS:
        raise Refused(f"{v} is not what is left open")
