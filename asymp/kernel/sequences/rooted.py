r"""Functions that a row defines by an equation: y = f(x) is the only root of E(y, x) = R(y, x) in an interval.

That there is one root, for all x of the row's domain, is a theorem (:mod:`asymp.kernel.balls.roots`,
:mod:`asymp.kernel.sequences.totals`), and the first premise of all that follows:

* *the value*: at f(x) the two sides are equal;
* *the expansion*: let E and R be continuous in y on the interval.  Where E - R, or log E - log R, has one sign at T + C G and the
  other at T - C G, both in the interval, from some point on in a regime, for all large constants C, the root lies between:
  f(x) = T + O(G).  (C is a parameter of the series; a leading coefficient that is a polynomial in C has the sign of its highest
  power, for large C; how large may depend on the other parameters.)  E may be written
  otherwise (a total as an incomplete gamma function).  Or E is a total of terms that recur by r(u) > 0, which is continuous in y
  and falls to 0 as u -> oo, by Dini's theorem uniformly on compact sets of y, so that E is continuous.  Where r(K) -> 0 at
  T + C G and T - C G, E is its first K terms and O(the next one) there, for what follows is at most a geometric sum.

>>> import asymp.kernel.records
>>> from asymp.kernel.theorem import apply
>>> apply("root value", statement="lambertw(3)*exp(lambertw(3)) = 3", call="lambertw(3)")
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: lambertw(3) is not defined by an equation
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gmpy2 import mpq

from asymp.functions.row import Row
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.facts.context import SMOOTH
from asymp.kernel.growths.asymptotics import checked_order
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Growth
from asymp.kernel.growths.incomplete import loose
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import Placed, placed, require_fresh
from asymp.kernel.growths.series import MOST_WORK, Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.factors import reduced
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.sequences.instances import seen_or_said
from asymp.kernel.sequences.totals import Domain, Recurring, total_of
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import ZERO, Refused, Term, add, multiply, name, negative, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, read_closed, rule, shown
from asymp.language.bodies import Expanding, OneRoot
from asymp.language.conditions import Compared, read_conditions
from asymp.language.statement import Statement, read_statement

VALUE = "f"
"""What the row calls the value; its arguments are x, y, z, w."""
MOST_TERMS = 12
LONGER = 4
"""How much longer series may be here."""
LEAF, LARGE = "f_of_the_root", "c_of_the_root"
"""Names for the value, in series, and for a large constant."""


def defined(call: Term) -> tuple[Row, Statement, dict[str, Term]]:
    """The row of a call, that its equation has one root, and what stands for the row's letters.

    Raises:
        Refused: no equation defines it.
    """
    row = NAMED.get(call.head)
    if row is None or not row.root or len(call.parts) != row.most:
        raise Refused(f"{call} is not defined by an equation")
    return row, read_statement(row.one_root), dict(zip("xyzw", call.parts, strict=False))


@rule("root value")
def _value(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """The equation that defines a function, at its value.

    Data: statement; call, the function with its arguments, which are seen to lie where it is defined so.
    Premise: that the equation has one root.
    """
    statement = comparison_in(data)
    call = terms.read(data.text("call"))
    row, one_root, put = defined(call)
    shown(premises, [one_root])
    wanted = equation_at(statement, call)
    if terms.canonical(statement) != terms.canonical(wanted):
        raise Refused("another equation")

    def work(one: Sums) -> None:
        for c in read_conditions(row.rooted):
            seen_or_said(one, c, put, statement.domain)

    settled(statement.domain, work)
    return Conclusion(statement)


def equation_at(statement: Statement, call: Term) -> Statement:
    """The equation at a call, on a statement's domain."""
    _, one_root, put = defined(call)
    body = one_root.body
    assert isinstance(body, OneRoot)
    left, right = (substitute(terms.of(side), {**put, VALUE: call}) for side in (body.left, body.right))
    return Domain(statement, LEAF).said(f"{left} = {right}")


@rule("root series")
def _expanded(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``f(x) = terms + O(growth)`` in a regime, for a function that an equation defines.

    Data: statement, order, place and a path (see regime and paths); by, which is difference or logarithm; perhaps ``first``, how
    many terms of a total are taken, with variable, value and ratio.
    Premises: that the equation has one root; then, perhaps, what its left side is for all arguments and all f of the interval;
    or with ``first`` that f(0) is the value, that the terms recur, and that the ratio is positive and does not increase.
    """
    statement, order = read_closed(data["statement"]), data["order"]
    checked_order(statement, order)
    body = statement.body
    if not isinstance(body, Expanding) or body.order != "O":
        raise Refused("an expansion with a remainder O(..) is wanted")
    call = terms.of(body.left)
    row, one_root, put = defined(call)
    equation = one_root.body
    assert isinstance(equation, OneRoot)
    left, right = terms.of(equation.left), terms.of(equation.right)
    where = placed(statement, data["place"])
    require_fresh((statement,), (LEAF, LARGE, *where.scales))
    if "first" in data:
        u = data.text("variable")
        c, r = (terms.read(data.text(key)) for key in ("value", "ratio"))
        shown(premises, [one_root, *needed_of_terms(one_root, u, c, r)])
        partial: tuple[str, Term, Term, int] | None = (u, c, r, data.whole("first"))
        if not 1 <= data.whole("first") <= MOST_TERMS:
            raise Refused("so many terms of a total")
    else:
        partial = None
        left = _other_form(one_root, left, premises)
        if any(part.head not in SMOOTH for side in (left, right) for part in terms.walk(side)):
            raise Refused("sides that may not be continuous")
    ends = Ends(where, order, {**put, VALUE: name(LEAF)}, body)
    ends.inside(row)
    by = data.text("by")
    signs = [sign_at(ends, side, left, right, by, partial) for side in (1, -1)]
    if sorted(signs) != [-1, 1]:
        raise Refused("no change of sign is seen")
    path_of(statement, data)
    return Conclusion(statement)


def _other_form(one_root: Statement, left: Term, premises: Sequence[Theorem]) -> Term:
    """What the left side is by a second premise, or the left side."""
    if len(premises) == 1:
        shown(premises, [one_root])
        return left
    if len(premises) != 2:
        raise Refused("too many premises")
    body = premises[1].statement.body
    pairs = list(body.chain.pairs()) if hasattr(body, "chain") else []
    if len(pairs) != 1 or terms.of(pairs[0][0]) != left:
        raise Refused("a premise of another side")
    said = Domain(one_root, LEAF).said(f"{left} = {terms.of(pairs[0][2])}", inside_of(one_root))
    shown(premises, [one_root, said])
    return terms.of(pairs[0][2])


def inside_of(one_root: Statement) -> str:
    """That the root lies in its interval, as conditions."""
    body = one_root.body
    assert isinstance(body, OneRoot)
    low, high = terms.of(body.low), terms.of(body.high)
    found = [f"{low} < {body.name}"] if low.head != "product" and low != negative(name("oo")) else []
    return ", ".join([*found, *([f"{body.name} < {high}"] if high != name("oo") else [])])


def needed_of_terms(one_root: Statement, u: str, c: Term, r: Term) -> list[Statement]:
    """That a total's terms begin with c and recur by r > 0, which falls to 0 in the whole variable u, and is continuous in f.

    Raises:
        Refused: the left side is no total.
    """
    body = one_root.body
    assert isinstance(body, OneRoot)
    where, inside = Domain(one_root, u), inside_of(one_root)
    f = total_of(terms.of(body.left), u)
    if u in c.free or u == VALUE:
        raise Refused(f"{u} where it does not belong")
    if any(part.head not in SMOOTH for part in terms.walk(r)):
        raise Refused(f"{r} may not be continuous")
    whole = (inside, f"whole {u}", f"{u} >= 0")
    after = where.at(r, add(name(u), terms.ONE))
    return [
        where.said(f"{where.at(f, ZERO)} = {c}", inside), *where.recurs(Recurring(f, r, ZERO), 0, inside),
        where.said(f"{r} > 0", *whole),
        where.said(f"{after} <= {r}", *whole),
    ]  # fmt: skip


class Lowest(Algebra):
    """Series with coefficients in lowest terms, and longer ones: what is put for the value is long itself."""

    def spend(self, work: int) -> None:
        self.spent[0] += work
        if self.spent[0] > LONGER * MOST_WORK:
            raise Refused("the series are too long")

    def made(self, parts: list[tuple[Ratio, Growth]], rest: list[Growth]) -> Series:
        found = super().made(parts, rest)
        return Series(tuple((c if len(c.den) == 1 else reduced(c), g) for c, g in found.terms), found.rest)


class Ends:
    """The series of terms where the value is T + C G, or T - C G; ``put``: what stands for their letters, LEAF for the value."""

    def __init__(self, where: Placed, order: int, put: dict[str, Term], body: Expanding) -> None:
        domain = replace(where.domain, within={**where.domain.within, LARGE: Range(mpq(0), True)})
        self.where, self.order, self.domain = where, order, domain
        self.put = put
        self.at = {
            side: where.put(add(terms.of(body.kept), multiply(terms.number(side), name(LARGE), terms.of(body.growth))))
            for side in (1, -1)
        }
        self.known = {side: self._expander(side) for side in (1, -1)}

    def _expander(self, side: int) -> Expander:
        algebra = Lowest(self.domain, self.order)
        plain = Expander(algebra, self.where.scales, self.where.leaves())
        return Expander(algebra, self.where.scales, {**self.where.leaves(), name(LEAF): plain.series(self.at[side])})

    def series(self, term: Term, side: int) -> Series:
        """A term in the letters, at one of the two ends."""
        return self.known[side].series(self.where.put(substitute(term, self.put)))

    def sign(self, term: Term, side: int) -> int:
        """The sign of a term there, from some point on.

        Raises:
            Refused: it is not seen.
        """
        return self.known[side].algebra.below(self.series(term, side))[0]

    def sign_for_large(self, f: Series) -> int:
        """The sign of a series from some point on, for all large C.

        Raises:
            Refused: it is not seen.
        """
        highest = Series(tuple((_highest(reduced(c)), g) for c, g in f.terms), f.rest)
        return self.known[1].algebra.below(highest)[0]

    def inside(self, row: Row) -> None:
        """That the arguments lie where the equation defines the function, and the ends in the interval."""
        for c in read_conditions(row.rooted):
            if not isinstance(c, Compared):
                raise Refused(f"{c} is no comparison")
            for low, sign, high in c.pairs():
                gap = add(terms.of(high), negative(terms.of(low)))
                if self.sign(gap if sign[0] == "<" else negative(gap), 1) != 1:
                    raise Refused(f"{c} is not seen")
        for side in (1, -1):
            if row.values.low and self.sign(add(name(VALUE), negative(terms.read(row.values.low))), side) != 1:
                raise Refused("an end that is not seen to lie in the interval")
            if row.values.high and self.sign(add(terms.read(row.values.high), negative(name(VALUE))), side) != 1:
                raise Refused("an end that is not seen to lie in the interval")

    def partial(self, partial: tuple[str, Term, Term, int], side: int) -> Series:
        """So many terms of a total, and what is left."""
        u, c, r, count = partial
        a = self.known[side].algebra
        if not a.vanishes(self.series(substitute(r, {u: terms.number(count)}), side)):
            raise Refused("a ratio that is not seen to tend to 0")
        term = self.series(c, side)
        total = Series(())
        for k in range(count):
            total = a.add(total, term)
            term = a.times(term, self.series(substitute(r, {u: terms.number(k)}), side))
        return a.made(list(total.terms), [*total.rest, *loose(term)])


def _highest(c: Ratio) -> Ratio:
    """The part of a coefficient with the highest power of C, without it.

    Raises:
        Refused: C stands elsewhere than in a polynomial.
    """
    powers: dict[mpq, Ratio] = {}
    for monomial, k in c.num.items():
        e = dict(monomial).get(name(LARGE), mpq(0))
        rest = tuple(one for one in monomial if one[0] != name(LARGE))
        powers[e] = powers.get(e, rational(0)) + Ratio({rest: k})
    parts = [a for m in (*c.num, *c.den) for a, _ in m if a != name(LARGE)] + [a for m in c.den for a, _ in m]
    if any(LARGE in a.free for a in parts) or any(e < 0 for e in powers):
        raise Refused("a coefficient that is no polynomial in the large constant")
    return powers[max(powers)] * Ratio(c.den).inverse()


def sign_at(ends: Ends, side: int, left: Term, right: Term, by: str, partial: Any = None) -> int:
    """The sign of the difference of the sides at an end.

    Raises:
        Refused: it is not seen.
    """
    a = ends.known[side].algebra
    if by not in ("difference", "logarithm"):
        raise Refused("by a difference, or by logarithms")
    if partial is not None:
        if by != "difference":
            raise Refused("terms of a total by their difference")
        gap = a.minus(ends.partial(partial, side), ends.series(right, side))
        return ends.sign_for_large(gap)
    if by == "difference":
        return ends.sign_for_large(ends.series(add(left, negative(right)), side))
    factors = (*logarithms_of(left, 1), *logarithms_of(right, -1))
    return ends.sign_for_large(ends.series(add(*factors), side))


def logarithms_of(term: Term, sign: int) -> list[Term]:
    """log of a product, factor by factor, each of which is to be positive where it has a logarithm."""
    parts = term.parts if term.head == "product" else (term,)
    found = []
    for part in parts:
        if part.head == "exp":
            one = part.parts[0]
        elif part.head == "power":
            one = multiply(part.parts[1], terms.call("log", part.parts[0]))
        elif part.head in ("gamma", "factorial"):
            one = terms.call("loggamma", add(part.parts[0], terms.number(part.head == "factorial")))
        else:
            one = terms.call("log", part)
        found.append(multiply(terms.number(sign), one))
    return found
