"""Rules for comparisons of terms with sums, by identities, signs, telescoping, term by term, and by induction.

All statements are chains of =, <, <=, >, >= for all values of a domain; the terms are those of
:mod:`asymp.kernel.summation.sums`, so both sides are defined and real there.

>>> from asymp.kernel.theorem import apply
>>> where = "for whole n >= 0, 0 < p < 1"
>>> geometric = f"Sum(p^k, (k, 0, n)) = (1 - p^(n + 1))/(1 - p) {where}"
>>> apply("telescope", statement=geometric, variable="k", by="-p^k/(1 - p)")
⊢ Sum(p^k, (k, 0, n)) = (1 - p^(n + 1))/(1 - p) for whole n >= 0, 0 < p < 1
>>> apply("telescope", statement="Sum(p^k, (k, 0, oo)) = 1/(1 - p) for 0 < p < 1", variable="k", by="-p^k/(1 - p)")
⊢ Sum(p^k, (k, 0, oo)) = 1/(1 - p) for 0 < p < 1
>>> apply("sums", [apply("telescope", statement=geometric, variable="k", by="-p^k/(1 - p)")],
...       statement=f"p*Sum(p^k, (k, 0, n)) = (p - p*p^(n + 1))/(1 - p) {where}", by=[[[0, "p"]]])
⊢ p*Sum(p^k, (k, 0, n)) = (p - p*p^(n + 1))/(1 - p) for whole n >= 0, 0 < p < 1
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data, items, text, whole
from asymp.kernel.noted import noted
from asymp.kernel.rings.ratio import Ratio, in_order, rational
from asymp.kernel.summation.sums import Sums, settled
from asymp.kernel.terms import Refused, Term, add, name, negative, number, opened, reciprocal, singles, substitute
from asymp.kernel.theorem import Conclusion, Theorem, comparison_in, rule
from asymp.language.conditions import Between, Compared, Condition, Listed, OfKind
from asymp.language.statement import Comparison, Statement

Link = tuple[Term, str, Term]
"""left < right, left <= right or left = right."""


def links(chain: Compared) -> list[Link]:
    """The comparisons of a chain, read from the lesser to the greater side; |x| <= y is x <= y and -x <= y."""
    found: list[Link] = []
    for left, sign, right in chain.pairs():
        low, high = (left, right) if sign[0] in "<=" else (right, left)
        a, relation, b = terms.of(low), sign.replace(">", "<"), terms.of(high)
        if a.head == "Abs" and relation != "=":
            found += [(a.parts[0], relation, b), (negative(a.parts[0]), relation, b)]
        else:
            found.append((a, relation, b))
    return found


def chain_of(statement: Statement) -> Compared:
    """The comparisons of a statement."""
    if not isinstance(statement.body, Comparison):
        raise Refused("no comparison")
    return statement.body.chain


def one_link(statement: Statement) -> Link:
    """The comparison that a statement is."""
    (found,) = links(chain_of(statement))
    return found


def premise_of(theorem: Theorem, domain: Sequence[Condition], more: frozenset[Any] = frozenset()) -> Link:
    """The one comparison of a premise, whose conditions are those of ``domain`` and of ``more``, or some of them.

    Of another domain than the goal's they are seen there, so that what is concluded holds wherever :class:`Sums` moves,
    which is somewhere: x < y for x < y, and y < x for y < x, say nothing together.
    """
    other = theorem.statement
    if not theorem.holds or other.some or other.uniform or other.regime or not singles(other.domain) <= singles(domain) | more:
        raise Refused("a premise of another domain")
    rest = [c for c in other.domain if not singles([c]) <= more]

    def work(one: Sums) -> None:
        for c in rest:
            seen(one, c, {})

    if rest != list(domain):
        settled(domain, work)
    return one_link(other)


# --- identities and signs ------------------------------------------------------------------------------


@rule("sums")
def _sums(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A chain of comparisons with sums, from others with factors.

    ``by``: for each comparison pairs [premise, factor], or nothing for all of them.

    f <= g holds where g - f - sum of c_j (g_j - f_j) >= 0 is seen, for premises f_j <= g_j with c_j >= 0, and f_j = g_j
    with any c_j; f < g where that is > 0, or where it is >= 0, a premise is f_j < g_j, and its c_j > 0; f = g where it is
    0 by identity and all premises are equations.
    """
    statement = comparison_in(data)
    wanted = links(chain_of(statement))
    given = [premise_of(theorem, statement.domain) for theorem in premises]
    by = data.listed("by") or [[]] * len(wanted)
    if len(by) != len(wanted):
        raise Refused("pairs of a premise and a factor for each comparison")
    pairs_of = [[(whole(place), terms.read(text(factor))) for place, factor in (items(pair, 2) for pair in items(pairs))]
                for pairs in by]  # fmt: skip
    if {place for pairs in pairs_of for place, _ in pairs} != set(range(len(given))):
        raise Refused("each premise is used, and no other")

    def work(one: Sums) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = []
        for (left, sign, right), pairs in zip(wanted, pairs_of, strict=True):
            gap, strict = one.of(right) - one.of(left), False
            for place, term in pairs:
                low, relation, high = given[place]
                factor = one.of(term)
                if relation != "=" and (sign == "=" or not one.is_nonnegative(factor)):
                    raise Refused("an inequality times what may be negative")
                strict = strict or (relation == "<" and one.sign(factor) == 1)
                gap = gap - factor * (one.of(high) - one.of(low))
            if sign == "=":
                seen = one.is_zero(gap)
            else:
                seen = one.at_least_0(gap, strict=sign == "<" and not strict)
            if not seen:
                raise Refused(f"{left} {sign} {right} is not seen")
            side = one.of(right)
            found.append({"pair": (left, sign, right), "by": pairs, "rest": gap, "side": side, "meant": one.meant})
        return found

    for found in settled(statement.domain, work):
        noted("combined", **found)
    return Conclusion(statement)


@rule("logarithm", alone=True)
def _logarithm(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """log(y) <= g where y > 0 and g - (y - 1) >= 0 are seen; f <= log(y) where y > 0 and 1 - 1/y - f >= 0 are."""
    statement = comparison_in(data)
    left, sign, right = one_link(statement)
    if sign != "<=":
        raise Refused("a comparison by <= is wanted")

    def work(one: Sums) -> bool:
        if left.head == "log":
            one.of(left)
            return one.is_nonnegative(one.of(right) - one.of(left.parts[0]) + rational(1))
        if right.head == "log":
            one.of(right)
            return one.is_nonnegative(rational(1) - one.of(reciprocal(right.parts[0])) - one.of(left))
        raise Refused("a side is to be a logarithm")

    if not settled(statement.domain, work):
        raise Refused("log(y) <= y - 1, or 1 - 1/y <= log(y), does not show it")
    return Conclusion(statement)


@rule("monotone")
def _monotone(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """log x <= log y and x^e <= y^e from 0 < x <= y (x >= y for e <= 0), exp x <= exp y from x <= y; the same with <.

    The order of x and y is seen; or, of an exponential, it is the premise: exp x <= exp y, < or = from x <= y, < or =.
    """
    statement = comparison_in(data)
    left, sign, right = one_link(statement)
    if premises:
        if len(premises) != 1 or left.head != "exp" or right.head != "exp":
            raise Refused("one premise, for exponentials")
        if premise_of(premises[0], statement.domain) != (left.parts[0], sign, right.parts[0]):
            raise Refused("the premise is not on the exponents")
        settled(statement.domain, lambda one: _both(one, left, right))
        return Conclusion(statement)
    if sign == "=" or left.head != right.head or left.head not in ("log", "exp", "power"):
        raise Refused("one function of two terms is wanted")

    def work(one: Sums) -> bool:
        x, y = one.of(left.parts[0]), one.of(right.parts[0])
        e = rational(1)
        if left.head == "power":
            e = one.of(left.parts[1])
            if left.parts[1] != right.parts[1] or one.sign(x) != 1 or one.sign(y) != 1:
                raise Refused("one power of two positive terms is wanted")
        _both(one, left, right)
        if sign == "<":
            return one.sign(e) is not None and one.sign(e) == one.sign(y - x) != 0
        return any(one.is_nonnegative(u) and one.is_nonnegative(v) for u, v in ((e, y - x), (-e, x - y)))

    if not settled(statement.domain, work):
        raise Refused("the arguments are not seen to be in order")
    return Conclusion(statement)


def _both(one: Sums, left: Term, right: Term) -> None:
    """Both sides are defined."""
    one.of(left)
    one.of(right)


def seen(one: Sums, c: Condition, values: Mapping[str, Term]) -> None:
    """That a condition holds for the values.

    Raises:
        Refused: that is not seen.
    """
    match c:
        case OfKind():
            found = c.kind == "real" or one.is_whole(one.of(values.get(c.name, name(c.name))))
        case Compared():
            found = True
            for low, sign, high in links(c):
                gap = one.of(substitute(high, values)) - one.of(substitute(low, values))
                is_seen = {"<=": one.is_nonnegative, "=": one.is_zero}.get(sign, lambda x: one.sign(x) == 1)
                found = found and is_seen(gap)
        case _:
            found = False
    if not found:
        raise Refused(f"{c} is not seen")


# --- telescoping -----------------------------------------------------------------------------------------


@rule("telescope")
def _telescope(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """Sum(f, (k, a, b)) = F(b + 1) - F(a), or lim F - F(a) for b = oo, where F(k + 1) - F(k) = f(k) for whole k >= a.

    ``variable`` is k in ``by``, the text of F.  The limit: of F's monomials those with k are to be x^(c k) with
    0 < x^c < 1 times powers of k, log k and harmonic(k), which tend to 0.
    """
    statement, left, right, k, f, F = telescoping(premises, data)
    _, low, high = left.parts

    def work(one: Sums) -> bool:
        one.introduce(k, _least(statement, low))
        one.of(left)
        gap = one.of(substitute(F, {k: add(name(k), terms.ONE)})) - one.of(F) - one.of(f)
        if not one.is_zero(gap):
            raise Refused("the difference of F is not the body")
        if high == name("oo"):
            end = _limit(one, one.of(F), k)
        else:
            end = one.of(substitute(F, {k: add(high, terms.ONE)}))
        return one.is_zero(end - one.of(substitute(F, {k: low})) - one.of(right))

    if not settled(statement.domain, work):
        raise Refused("F(b + 1) - F(a) is not the right side")
    return Conclusion(statement)


def telescoping(premises: Sequence[Theorem], data: Data) -> tuple[Statement, Term, Term, str, Term, Term]:
    """In the data of a rule: an equation with a sum on its left, its sides, k, the term of the sum at k, and F."""
    statement = comparison_in(data)
    left, sign, right = one_link(statement)
    k, by = data.text("variable"), terms.read(data.text("by"))
    if premises or sign != "=" or left.head != "Sum":
        raise Refused("a sum on the left of an equation, a variable, and a term")
    require_fresh(k, statement)
    return statement, left, right, k, opened(left.parts[0], name(k)), by


def _least(statement: Statement, low: Term) -> mpq | None:
    """A number that a lower end is seen not to lie below: its own, or 1, or 0."""
    if low.is_number:
        return low.number

    def work(one: Sums) -> mpq | None:
        found = one.of(low)
        return next((mpq(c) for c in (1, 0) if one.is_nonnegative(found - rational(c))), None)

    return settled(statement.domain, work)


def _limit(one: Sums, x: Ratio, k: str) -> Ratio:
    found = rational(0)
    for powers, c in x.num.items():
        if any(one.depends(a, k) for a, _ in powers):
            if not one.converges(Ratio({in_order(dict(powers)): mpq(1)}), k):
                raise Refused("a part that is not seen to tend to 0")
        else:
            found = found + Ratio({powers: c})
    return found


def variables_in(statement: Statement) -> set[str]:
    """The variables of a statement."""
    found = {v for node in statement.terms() for v in terms.free(terms.of(node))}
    return found.union(*map(_mentioned, statement.conditions()))


def require_fresh(variable: str, *statements: Statement) -> None:
    """That a variable is a name that stands in no statement, free."""
    term = terms.read(variable)
    used = set[str]().union(*map(variables_in, statements))
    if term.head != "name" or term.name != variable or variable in terms.CONSTANTS or variable in used:
        raise Refused(f"{variable} is no new variable")


def _mentioned(c: Condition) -> set[str]:
    found = {v for node in c.terms() if node.kind != "tuple" for v in terms.free(terms.of(node))}
    if isinstance(c, (OfKind, Between)):
        found.add(c.name)
    return found | (set(c.names) if isinstance(c, Listed) else set())


# --- term by term ------------------------------------------------------------------------------------------


@rule("termwise")
def _termwise(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """Sum(f, (k, a, b)) <= Sum(g, (k, a, b)) from f(k) <= g(k) for whole k, a <= k <= b; for infinite sums both converge."""
    statement = comparison_in(data)
    left, sign, right = one_link(statement)
    k = data.text("variable")
    if len(premises) != 1 or {left.head, right.head} != {"Sum"} or left.parts[1:] != right.parts[1:]:
        raise Refused("two sums of the same ends, and a premise on their bodies")
    require_fresh(k, statement)
    low, high = left.parts[1:]
    within = {("OfKind", k, "whole"), ("Compared", low, "<=", name(k))}
    if high != name("oo"):
        within.add(("Compared", name(k), "<=", high))
    f, relation, g = premise_of(premises[0], statement.domain, frozenset(within))
    if (f, g) != (opened(left.parts[0], name(k)), opened(right.parts[0], name(k))):
        raise Refused("the premise is not on the bodies")
    if sign not in ("<=", "=") or (sign == "=" and relation != "="):
        raise Refused("sums are compared by <=, or by = where their terms are equal")
    settled(statement.domain, lambda one: _both(one, left, right))
    return Conclusion(statement)


# --- induction ---------------------------------------------------------------------------------------------


@rule("induction")
def _induction(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f(n) <= g(n) for whole n >= m, from f(m) <= g(m) and f(n + 1) - f(n) <= g(n + 1) - g(n) for whole n >= m.

    The same with =, and with < (the step may then be by <=).  Of n the domain says nothing else, and m is a whole number.
    """
    statement = comparison_in(data)
    n = data.text("variable")
    left, sign, right = one_link(statement)
    if len(premises) != 2:
        raise Refused("a whole variable from a number on, a base and a step")
    least, others = started(statement, n)
    base = premise_of(premises[0], others)
    step = premise_of(premises[1], statement.domain)
    at = {n: least}
    if base != (substitute(left, at), sign, substitute(right, at)):
        raise Refused("the base is not the statement at its least value")
    if (step[0], step[2]) != (difference(left, n), difference(right, n)):
        raise Refused("the step is not on the differences")
    if step[1] != sign and (sign, step[1]) not in (("<", "<="), ("<=", "<"), ("<=", "="), ("<", "=")):
        raise Refused("a step by another comparison")
    return Conclusion(statement)


def started(statement: Statement, n: str) -> tuple[Term, list[Condition]]:
    """The whole number at which a whole variable starts, and what the domain says of other variables.

    Raises:
        Refused: it says more of the variable, or less.
    """
    about = [c for c in statement.domain if n in _mentioned(c)]
    bounds = [c for c in about if not isinstance(c, OfKind)]
    if n in terms.CONSTANTS or len(bounds) != 1 or len(about) != 2:
        raise Refused("a whole variable from a number on, a base and a step")
    if singles(about) - singles(bounds) != {("OfKind", n, "whole")}:
        raise Refused(f"{n} is not said to be whole")
    ((_, least, relation, variable),) = singles(bounds)
    if not (least.is_number and least.number.denominator == 1 and relation == "<=" and variable == name(n)):
        raise Refused(f"{n} is not said to start at a whole number")
    return least, [c for c in statement.domain if c not in about]


def difference(term: Term, n: str) -> Term:
    """f(n + 1) - f(n)."""
    return add(substitute(term, {n: add(name(n), number(1))}), negative(term))
