r"""Infinite sums of terms that recur: f(u + 1) = r(u) f(u), from some whole u on, with r(u) -> q, |q| < 1, as u -> oo.

By d'Alembert's test sum |f(u)| is finite, and f(u) tends to 0.  So, for whole u >= a,

* *telescoped*: where c_1 f_1(u) + ... + c_k f_k(u) = h(u + 1) - h(u), and h recurs so too, the totals from a on have
  c_1 F_1 + ... + c_k F_k = -h(a);
* *by an incomplete gamma function* (DLMF 8.7.1): where f(0) = c and (b + u + 1) f(u + 1) = z f(u), b > 0, z > 0,

      sum_(u>=0) f(u) = c b z^(-b) e^z gamma(b, z);

  for c > 0 and 0 < q <= 1 this is above c e^(z (1 - q)) q^b, as gamma(b, z) >= gamma(b, w) > e^(-w) w^b/b with w = q z;
* *one root*: let all f(u) depend on x > 0 by f(0) = c > 0, free of x, and r(u) > 0, which increases strictly in x.  Then the
  total increases strictly in x, and it is continuous, since on [x', x''] its terms are at most those at x''.  Where r(u) -> 0 as
  x -> 0+ for each u, it tends to c (its terms are at most those at one x, the sum of which is finite); where r(u) -> p as
  x -> oo for each u, its least upper bound is sum_u c p^u, by monotone convergence (p may be oo).  A number R > c with
  R (1 - p) < c lies between the two: the total is R for one x > 0.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("Sum(Product(x/(2 + v), (v, 1, u)), (u, 0, oo)) = 3 has one root x in (0, oo)"), True)
⊢ Sum(Product(x/(2 + v), (v, 1, u)), (u, 0, oo)) = 3 has one root x in (0, oo)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import Data, items, text
from asymp.kernel.domain import given
from asymp.kernel.facts.context import SMOOTH
from asymp.kernel.growths.regime import names_in
from asymp.kernel.rings.ratio import rational
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, multiply, name, negative, power, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, read_closed, rule, shown
from asymp.kernel.trust import rests_on
from asymp.language.bodies import Comparison, OneRoot, Shape
from asymp.language.conditions import Conditions, text_of
from asymp.language.statement import Statement

OO = name("oo")
MOST_FIRST = 10
"""The largest number from which on a term recurs."""


@dataclass(frozen=True)
class Recurring:
    """A term in a whole variable, its ratio, and where that tends."""

    body: Term
    ratio: Term
    tends: Term


class Domain:
    """Statements on one domain, with a fresh whole variable."""

    def __init__(self, statement: Statement, u: str, conditions: Conditions | None = None) -> None:
        if not (u.isidentifier() and u.isascii()) or u in names_in(statement) | terms.CONSTANTS:
            raise Refused(f"{u} is no fresh name")
        self.u = u
        self.conditions = statement.domain if conditions is None else conditions

    def said(self, body: str, *more: str) -> Statement:
        """A statement for all of the domain, and more conditions."""
        where = ", ".join(filter(None, (text_of(self.conditions), *more)))
        return read_closed(f"{body} for {where}" if where else body)

    def at(self, term: Term, place: Term) -> Term:
        """A term at a value of the variable."""
        return substitute(term, {self.u: place})

    def recurs(self, one: Recurring, first: int, *more: str) -> list[Statement]:
        """What is to be shown of a recurring term.

        Raises:
            Refused: its limit is not seen to be below 1.
        """
        after = self.at(one.body, add(name(self.u), ONE))
        if self.u in terms.free(one.tends):
            raise Refused("a limit that moves")

        def work(sums: Sums) -> bool:
            q = sums.of(one.tends)
            return all(sums.sign(gap) == 1 for gap in (rational(1) - q, rational(1) + q))

        if not settled(self.said("0 = 0", *more).domain, work):
            raise Refused("a ratio that is not seen to tend below 1")
        regime = f"({one.ratio}) -> {one.tends} as {self.u} -> oo"
        return [
            self.said(f"{after} = ({one.ratio})*({one.body})", *more, f"whole {self.u}", f"{self.u} >= {first}"),
            self.said(regime, *more),
        ]


def total_of(term: Term, u: str) -> Term:
    """f(u), of the sum of f over u >= 0.

    Raises:
        Refused: it is no such sum.
    """
    if term.head != "Sum" or term.parts[1:] != (ZERO, OO):
        raise Refused("a sum from 0 to oo is wanted")
    return terms.opened(term.parts[0], name(u))


@rule("totals")
def _telescoped(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """What one total is, of several that are tied.

    Data: statement, F_1 = value; variable; parts, each [c, f, r, q] with the sought one first; by, which is [h, r, q]; from, the
    number from which on they recur; sign, that of c_1.

    Premises: of each f and of h that it recurs so; c_1 f_1 + ... = h(u + 1) - h(u) for whole u >= 0; what the other totals are;
    c_1 value + ... = -h(0); the sign of c_1.
    """
    statement, parts = comparison_in(data), data.listed("parts")
    first, sign = data.whole("from"), data.whole("sign")
    totals = [one.statement for one in premises[len(premises) - len(parts) - 1 : len(premises) - 2]] if parts else []
    shown(premises, needed(statement, data.text("variable"), parts, data.listed("by", 3), first, sign, totals))
    return Conclusion(statement)


def needed(
    statement: Statement, u: str, parts: Sequence[Any], by: Sequence[Any], first: int, sign: int, totals: Sequence[Statement]
) -> list[Statement]:  # fmt: skip
    """The premises.

    Raises:
        Refused: the data are no relation of totals, or not of those of the statement.
    """
    where = Domain(statement, u)
    if not parts or not 0 <= first <= MOST_FIRST or sign not in (1, -1):
        raise Refused("totals, the number from which on they recur, and the sign of a factor")
    rows = [[terms.read(text(one)) for one in items(part, 4)] for part in parts]
    h, ratio, tends = (terms.read(text(one)) for one in by)
    if any(u in terms.free(row[0]) for row in rows):
        raise Refused("a factor that moves")
    found: list[Statement] = []
    for term in (*(Recurring(*row[1:]) for row in rows), Recurring(h, ratio, tends)):
        found += where.recurs(term, first)
    inside = add(*(multiply(row[0], row[1]) for row in rows))
    gap = add(where.at(h, add(name(u), ONE)), negative(h))
    found.append(where.said(f"{inside} = {gap}", f"whole {u}", f"{u} >= 0"))
    sought, value = _equation(statement)
    if total_of(sought, u) != rows[0][1]:
        raise Refused("another total")
    known = [multiply(rows[0][0], value)]
    if len(totals) != len(rows) - 1:
        raise Refused("what the other totals are")
    for row, one in zip(rows[1:], totals, strict=True):
        if one.regime or one.some or one.uniform or not _is_on(one, statement):
            raise Refused("a total on another domain")
        left, right = _equation(one)
        if total_of(left, u) != row[1]:
            raise Refused("another total")
        known.append(multiply(row[0], right))
    found += totals
    found.append(where.said(f"{add(*known)} = {negative(where.at(h, ZERO))}"))
    return [*found, where.said(f"{rows[0][0]} {'>' if sign == 1 else '<'} 0")]


def _is_on(one: Statement, statement: Statement) -> bool:
    """Whether a statement is for all of another's domain."""
    return set(terms.canonical(one)[3]) <= set(terms.canonical(statement)[3])


def _equation(statement: Statement) -> tuple[Term, Term]:
    body = statement.body
    pairs = list(body.chain.pairs()) if type(body) is Comparison else []
    if len(pairs) != 1 or pairs[0][1] != "=":
        raise Refused("an equation is wanted")
    return terms.of(pairs[0][0]), terms.of(pairs[0][2])


@rule("total gamma")
def _by_gamma(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A total as an incomplete gamma function.

    Data: statement, total = c b z^(-b) exp(z) lowergamma(b, z); variable; value c; first b; at z.
    Premises: f(0) = c; (b + u + 1) f(u + 1) = z f(u) for whole u >= 0; b > 0; z > 0.
    """
    statement = comparison_in(data)
    c, b, z = (terms.read(data.text(key)) for key in ("value", "first", "at"))
    shown(premises, needed_by_gamma(statement, data.text("variable"), c, b, z))
    rests_on("DLMF 8.7.1")
    return Conclusion(statement)


def needed_by_gamma(statement: Statement, u: str, c: Term, b: Term, z: Term) -> list[Statement]:
    """The premises.

    Raises:
        Refused: the statement says something else.
    """
    where = Domain(statement, u)
    left, right = _equation(statement)
    if u in c.free | b.free | z.free or right != by_gamma(c, b, z):
        raise Refused("another incomplete gamma function")
    f = total_of(left, u)
    after = where.at(f, add(name(u), ONE))
    step = f"({add(b, name(u), ONE)})*({after}) = ({z})*({f})"
    return [
        where.said(f"{where.at(f, ZERO)} = {c}"), where.said(step, f"whole {u}", f"{u} >= 0"),
        where.said(f"{b} > 0"), where.said(f"{z} > 0"),
    ]  # fmt: skip


@rule("total below")
def _from_below(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``lesser < larger`` from a total that is R: lesser <= z (1 - q) + b log(q) and log(R) - log(c) <= larger.

    Data: as for the rule ``total gamma``, and share q; total.  Premises: total = R; those of that rule; c > 0; 0 < q <= 1;
    the two comparisons.
    """
    statement = comparison_in(data)
    c, b, z, q, total = (terms.read(data.text(key)) for key in ("value", "first", "at", "share", "total"))
    if not premises:
        raise Refused("what the total is")
    wanted = needed_from_below(statement, data.text("variable"), c, b, z, q, total, premises[0].statement)
    shown(premises, wanted)
    rests_on("DLMF 8.7.1")
    return Conclusion(statement)


def needed_from_below(
    statement: Statement, u: str, c: Term, b: Term, z: Term, q: Term, total: Term, known: Statement
) -> list[Statement]:  # fmt: skip
    """The premises.

    Raises:
        Refused: the statement is no comparison by <, or what is known is of another total or on another domain.
    """
    body = statement.body
    pairs = list(body.chain.pairs()) if type(body) is Comparison else []
    if len(pairs) != 1 or pairs[0][1] not in ("<", "<="):
        raise Refused("a comparison by < is wanted")
    left, value = _equation(known)
    if left != total or known.regime or known.some or known.uniform or not _is_on(known, statement):
        raise Refused("another total, or on another domain")
    where = Domain(statement, u)
    as_gamma = where.said(f"{total} = {by_gamma(c, b, z)}")
    low, high = bounds_from_below(c, b, z, q, value)
    said = (f"{c} > 0", f"{q} > 0", f"{q} <= 1", f"{terms.of(pairs[0][0])} <= {low}", f"{high} <= {terms.of(pairs[0][2])}")
    return [known, *needed_by_gamma(as_gamma, u, c, b, z), *map(where.said, said)]


def bounds_from_below(c: Term, b: Term, z: Term, q: Term, value: Term) -> tuple[Term, Term]:
    """z (1 - q) + b log(q) and log(R) - log(c)."""
    high = call("log", value) if c == ONE else add(call("log", value), negative(call("log", c)))
    return add(multiply(z, add(ONE, negative(q))), multiply(b, call("log", q))), high


def by_gamma(c: Term, b: Term, z: Term) -> Term:
    """c b z^(-b) e^z gamma(b, z)."""
    return multiply(c, b, power(z, negative(b)), call("exp", z), call("lowergamma", b, z))


@rule("total root")
def _one_root(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A total that increases in x has one value.

    Data: statement, ``total = R has one root x in (0, oo)``; variable u; value c; ratio r; tends q; limit p.
    Premises: see :func:`needed_of_root`.
    """
    statement = read_closed(data["statement"])
    given = [terms.read(data.text(key)) for key in ("value", "ratio", "tends", "limit")]
    shown(premises, needed_of_root(statement, data.text("variable"), *given))
    return Conclusion(statement)


def needed_of_root(statement: Statement, u: str, c: Term, r: Term, q: Term, p: Term) -> list[Statement]:
    """The premises: for x > 0 that f(0) = c and f recurs with r -> q as u -> oo, that r > 0 increases in x; that r -> 0 as
    x -> 0+ and r -> p as x -> oo, for each u; 0 < c < R, and R (1 - p) < c, unless p is oo.

    Raises:
        Refused: it is another statement.
    """
    body = statement.body
    if type(body) is not OneRoot or statement.some or statement.uniform or statement.regime:
        raise Refused("an equation in one variable with one root is wanted")
    x, right = body.name, terms.of(body.right)
    if (terms.of(body.low), terms.of(body.high)) != (ZERO, OO) or x in terms.CONSTANTS:
        raise Refused("a root above 0 is wanted")
    where = Domain(statement, u)
    if x in names_in(where.said("0 = 0")) | right.free | p.free or u in p.free:
        raise Refused(f"{x} or {u} where it does not belong")
    whole = (f"whole {u}", f"{u} >= 0")
    return [
        *_needed_to_rise(where, total_of(terms.of(body.left), u), x, c, r, q, f"{x} > 0"),
        where.said(f"({r}) -> 0 as {x} -> 0+", *whole),
        where.said(f"({r}) -> {p} as {x} -> oo", *whole),
        where.said(f"{c} < {right}"),
        *([] if p == OO else [where.said(f"{multiply(right, add(ONE, negative(p)))} < {c}")]),
    ]  # fmt: skip



def _needed_to_rise(
    where: Domain, f: Term, x: str, c: Term, r: Term, q: Term, *inside: str, shape: str = "increasing"
) -> list[Statement]:  # fmt: skip
    """f(0) = c and f recurs with r -> q as u -> oo; r > 0 increases in x (or decreases); c > 0."""
    u = where.u
    if x in c.free or u in c.free or u == x:
        raise Refused(f"{x} or {u} where it does not belong")
    if any(part.head not in SMOOTH for part in terms.walk(r)):
        raise Refused(f"{r} may not be continuous")
    whole = (f"whole {u}", f"{u} >= 0")
    return [
        where.said(f"{where.at(f, ZERO)} = {c}", *inside), *where.recurs(Recurring(f, r, q), 0, *inside),
        where.said(f"{r} > 0", *inside, *whole), where.said(f"{r} is {shape} in {x}", *inside, *whole),
        where.said(f"{c} > 0", *inside),
    ]  # fmt: skip


@rule("total rises")
def _rises(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``total is increasing in x``, or decreasing, where f(0) > 0 is free of x and so does r > 0 in x, which is real.

    Data: statement; variable u; value c; ratio r; tends q.
    """
    statement = read_closed(data["statement"])
    c, r, q = (terms.read(data.text(key)) for key in ("value", "ratio", "tends"))
    shown(premises, needed_to_rise(statement, data.text("variable"), c, r, q))
    return Conclusion(statement)


def needed_to_rise(statement: Statement, u: str, c: Term, r: Term, q: Term) -> list[Statement]:
    """The premises.

    Raises:
        Refused: it is another statement.
    """
    body = statement.body
    shapes = ("increasing", "decreasing")
    if type(body) is not Shape or body.shape not in shapes or statement.some or statement.uniform or statement.regime:
        raise Refused("that a total increases, or decreases, is wanted")
    if body.name in given(statement.domain).whole:
        raise Refused(f"{body.name} is whole")
    f = total_of(terms.of(body.term), u)
    return _needed_to_rise(Domain(statement, u), f, body.name, c, r, q, shape=body.shape)
