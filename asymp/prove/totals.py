r"""Searches proofs about infinite sums of terms that recur: their ratios, and what is left over when they are telescoped.

>>> ratio(terms.read("x^u*u!"), "u") == terms.read("x*(u + 1)")
True
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from asymp.kernel import terms
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import placed, ranges
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.rings.recurring import K, straight
from asymp.kernel.sequences import totals
from asymp.kernel.sequences.totals import by_gamma, total_of
from asymp.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    add,
    multiply,
    name,
    number,
    power,
    reciprocal,
    substitute,
)
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import OneRoot, Shape
from asymp.language.statement import Statement, read_statement
from asymp.regimes.names import unused
from asymp.regimes.quantities import places

Prove = Callable[[Statement], Theorem]
NAMES = ("u", "k", "j", "i")


def ratio(f: Term, u: str) -> Term:
    """f(u + 1)/f(u), by the structure of f.

    Raises:
        Refused: it is not seen.
    """
    if u not in f.free:
        return ONE
    after = add(name(u), ONE)
    match f.head:
        case "product":
            return multiply(*(ratio(part, u) for part in f.parts))
        case "power" if u not in f.parts[0].free:
            return power(f.parts[0], slope(f.parts[1], u))
        case "power" if u not in f.parts[1].free:
            return power(ratio(f.parts[0], u), f.parts[1])
        case "exp":
            return terms.call("exp", slope(f.parts[0], u))
        case "Product" if u not in f.parts[1].free and slope(f.parts[2], u) == ONE:
            return terms.opened(f.parts[0], substitute(f.parts[2], {u: after}))
        case "factorial" if slope(f.parts[0], u) == ONE:
            return add(f.parts[0], ONE)
        case "gamma" if slope(f.parts[0], u) == ONE:
            return f.parts[0]
        case "name" | "sum":
            return multiply(substitute(f, {u: after}), reciprocal(f))
    raise Refused(f"{f}: its ratio is not seen")


def quotient(term: Term) -> tuple[Term, Term]:
    """Numerator and denominator, of a product of powers."""
    over, under = [], []
    for part in term.parts if term.head == "product" else (term,):
        if part.head == "power" and part.parts[1].is_number and part.parts[1].number < 0:
            under.append(power(part.parts[0], number(-part.parts[1].number)))
        else:
            over.append(part)
    return multiply(*over), multiply(*under)


def one_root(statement: Statement, prove: Prove) -> Theorem:
    """A theorem that a total which increases in x has one value.

    Raises:
        Refused: none is found.
    """
    body = statement.body
    assert isinstance(body, OneRoot)
    u, c, r = _recurring(statement, terms.of(body.left))
    limit = _limit(r, body.name, statement, u)
    given = [prove(one) for one in totals.needed_of_root(statement, u, c, r, ZERO, limit)]
    said = {"value": str(c), "ratio": str(r), "tends": "0", "limit": str(limit)}
    return apply("total root", given, statement=str(statement), variable=u, **said)


def rises(statement: Statement, prove: Prove) -> Theorem:
    """A theorem that a total increases.

    Raises:
        Refused: none is found.
    """
    assert isinstance(statement.body, Shape)
    u, c, r = _recurring(statement, terms.of(statement.body.term))
    given = [prove(one) for one in totals.needed_to_rise(statement, u, c, r, ZERO)]
    return apply("total rises", given, statement=str(statement), variable=u, value=str(c), ratio=str(r), tends="0")


def _recurring(statement: Statement, total: Term) -> tuple[str, Term, Term]:
    """A variable, the first term of a total, and the ratio of its terms."""
    u = unused(statement, NAMES, "u_")
    f = total_of(total, u)
    return u, first_of(f, u), ratio(f, u)


def first_of(f: Term, u: str) -> Term:
    """f(0), with empty products as 1."""
    return _without_empty(substitute(f, {u: ZERO}))


def _without_empty(term: Term) -> Term:
    if term.head == "Product" and add(term.parts[2], ONE) == term.parts[1]:
        return ONE
    return terms.rebuilt(term, tuple(map(_without_empty, term.parts))) if term.parts and term.head != "Sum" else term


def _limit(r: Term, x: str, statement: Statement, u: str) -> Term:
    """What the ratio tends to as x -> oo; oo where no number is seen."""
    said = totals.Domain(statement, u).said(f"({r}) -> 0 as {x} -> oo", f"whole {u}", f"{u} >= 0")
    with suppress(Refused, IndexError):
        where = placed(said, next(iter(places(said))))
        return expander_of((), said, where, Algebra(where.domain, 2)).limit(where.put(r))
    return totals.OO


def of_gamma(left: Term, domain_of: Statement) -> tuple[str, Term, Term, Term]:
    """The variable, f(0), b and z of a total that is an incomplete gamma function.

    Raises:
        Refused: its ratio is not z/(b + u + 1).
    """
    u, first, step = _recurring(domain_of, left)
    over, under = quotient(step)
    if u in over.free:
        raise Refused("a ratio that is not z/(b + u + 1)")
    start = substitute(under, {u: ZERO})
    c, where = slope(under, u), ranges(domain_of.domain)
    b = where.value(add(multiply(start, reciprocal(c)), number(-1)))
    return u, first, to_term(b), to_term(where.value(multiply(over, reciprocal(c))))


def slope(term: Term, u: str) -> Term:
    """c, of c u + d, where c and d are free of u.

    Raises:
        Refused: it is not linear, or free of u.
    """
    c, _ = straight(substitute(term, {u: K}))
    if c == ZERO:
        raise Refused(f"{term} is free of {u}")
    return c


def gamma_form(left: Term, conditions: str, prove: Prove) -> Theorem:
    """A theorem that a total is an incomplete gamma function, on a domain.

    Raises:
        Refused: none is found.
    """
    u, c, b, z = of_gamma(left, read_statement(f"{left} = 0 for {conditions}"))
    statement = read_statement(f"{left} = {by_gamma(c, b, z)} for {conditions}")
    given = [prove(one) for one in totals.needed_by_gamma(statement, u, c, b, z)]
    return apply("total gamma", given, statement=str(statement), variable=u, value=str(c), first=str(b), at=str(z))

