"""Steps on the i-th smallest of the values f(a), ..., f(b), written Ranked(f(j), (j, a, b), i), and on their sum.

A rank has a meaning for whole a, b, i with 1 <= i <= b - a + 1, a sum for whole a, b with a - 1 <= b: of each term that a
step speaks of, combinations show it (two of a rank, one of a sum).  In what follows j is a new whole variable, a <= j <= b.

* ``ranks, R, Q, c, sign, j, proof, by``: R <= Q + c from f(j) <= g(j) + c, R and Q being of the same a, b and i; c is free
  of j; the same with < and =;
* ``within, R, c, above, j, proof, by``: R <= c from f(j) <= c; above: c <= R from c <= f(j);
* ``ordered, R, j, k, proof, by``: R = f(a + i - 1) from f(j) <= f(k) for a <= j <= k <= b;
* ``steady, R, term, variable, x, y, proof, by``: h(R) is the i-th smallest of h(f(j)), h the term in its (real) variable,
  from h(x) <= h(y) where x <= y;
* ``higher, R, Q, by, by, by``: R <= Q for ranks i <= k of the same values: combinations for both and for i <= k;
* ``extremes, R, t, by, by``: f(t) <= R where i = b - a + 1, R <= f(t) where i = 1, for whole t; combinations for the rank, and
  for a <= t, t <= b, and the equation of i (one of the two);
* ``listed, R, order, by``: of numbers a, b, i: R = f(k), k in place i of the order, a combination for each f(k) <= f(k') of
  neighbours in it;
* ``sums, S, T, sign, j, proof, by``: S <= T from f(j) <= g(j), sums over the same range; the same with =;
* ``cut, S, m, by``: the sum up to m and that from m + 1 on, for whole m, a - 1 <= m <= b: combinations for the two;
* ``one, S, by``: a sum with a = b is f(a); ``none, S, by``: one with a = b + 1 is 0;
* ``linear, S, by``: a sum of monomials is that of their sums, with what is free of j before them, and (b - a + 1) for 1;
* ``all, S, by``: the sum of Ranked(f(j), (j, a, b), i) over i from 1 to b - a + 1 is that of f(j) over j from a to b.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import flag, items, whole
from asymp.kernel.functions.order import Known, follows, step
from asymp.kernel.functions.order_terms import normal, polynomial
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, number, opened, substitute

MOST_LISTED = 12


def _ranked(known: Known, text: Any, by: Any) -> tuple[Term, Term, Term, Term]:
    """Body, ends and rank of what is Ranked, whose rank is shown to have a meaning."""
    term = known.term(text)
    if term.head != "Ranked" or not all(map(known.is_whole, term.parts[1:])):
        raise Refused("a Ranked of whole ends and rank")
    body, low, high, rank = term.parts
    first, second = items(by, 2)
    known.holds((ONE, "<=", rank), first)
    known.holds((rank, "<=", _count(low, high)), second)
    return body, low, high, rank


def _count(low: Term, high: Term) -> Term:
    return normal(add(high, negative(low), ONE))


def _sum(known: Known, text: Any, by: Any) -> tuple[Term, Term, Term, Term]:
    """A sum with its body and its ends, which is shown to have a meaning."""
    term = known.term(text)
    if term.head != "Sum" or not all(map(known.is_whole, term.parts[1:])):
        raise Refused("a Sum between whole ends")
    body, low, high = term.parts
    known.holds((normal(add(low, number(-1))), "<=", high), by)
    return term, body, low, high


def at(body: Term, value: Term) -> Term:
    """The body of a binder at a value of its variable."""
    return normal(opened(body, value))


def _inside(known: Known, low: Term, high: Term, variable: Any) -> Known:
    return known.with_whole(variable).also((low, "<=", name(variable)), (name(variable), "<=", high))


@step("ranks")
def _ranks(known: Known, data: Sequence[Any]) -> Known:
    one, other, shift, sign, j, proof, by = items(data, 7)
    f, low, high, rank = _ranked(known, one, by)
    second = known.term(other)
    if second.head != "Ranked" or second.parts[1:] != (low, high, rank) or sign not in ("<=", "<", "="):
        raise Refused("two Ranked of the same ends and rank are compared")
    c = known.term(shift)
    within = _inside(known, low, high, j)
    follows(within, (at(f, name(j)), sign, normal(add(at(second.parts[0], name(j)), c))), proof)
    return known.also((known.term(one), sign, normal(add(second, c))))


@step("within")
def _within(known: Known, data: Sequence[Any]) -> Known:
    text, bound, above, j, proof, by = items(data, 6)
    f, low, high, _ = _ranked(known, text, by)
    term, c = known.term(text), known.term(bound)
    value = at(f, name(j))
    follows(_inside(known, low, high, j), (c, "<=", value) if flag(above) else (value, "<=", c), proof)
    return known.also((c, "<=", term) if above else (term, "<=", c))


@step("ordered")
def _ordered(known: Known, data: Sequence[Any]) -> Known:
    text, j, k, proof, by = items(data, 5)
    f, low, high, rank = _ranked(known, text, by)
    within = known.with_whole(j, k).also((low, "<=", name(j)), (name(j), "<=", name(k)), (name(k), "<=", high))
    follows(within, (at(f, name(j)), "<=", at(f, name(k))), proof)
    return known.also((known.term(text), "=", at(f, normal(add(low, rank, number(-1))))))


@step("steady")
def _steady(known: Known, data: Sequence[Any]) -> Known:
    text, mapped, variable, x, y, proof, by = items(data, 7)
    f, low, high, rank = _ranked(known, text, by)
    h = known.with_reals(variable).term(mapped)
    within = known.with_reals(x, y).also((name(x), "<=", name(y)))
    follows(within, (normal(substitute(h, {variable: name(x)})), "<=", normal(substitute(h, {variable: name(y)}))), proof)
    if any(part.head in terms.BINDERS for part in terms.walk(h)):
        raise Refused("a map with a range of its own")
    inner = normal(Term("Ranked", (substitute(h, {variable: f}), low, high, rank)))
    return known.also((inner, "=", normal(substitute(h, {variable: known.term(text)}))))


@step("higher")
def _higher(known: Known, data: Sequence[Any]) -> Known:
    one, other, first, second, between = items(data, 5)
    values, rank = _ranked(known, one, first)[:3], known.term(one).parts[3]
    more = _ranked(known, other, second)
    if more[:3] != values:
        raise Refused("two ranks of the same values")
    known.holds((rank, "<=", more[3]), between)
    return known.also((known.term(one), "<=", known.term(other)))


@step("extremes")
def _extremes(known: Known, data: Sequence[Any]) -> Known:
    text, place, by, ends = items(data, 4)
    below, above, equal = items(ends, 3)
    f, low, high, rank = _ranked(known, text, by)
    term, t = known.term(text), known.term(place)
    if not known.is_whole(t):
        raise Refused("a place that is not seen to be whole")
    known.holds((low, "<=", t), below)
    known.holds((t, "<=", high), above)
    if rank == ONE:
        return known.also((term, "<=", at(f, t)))
    known.holds((rank, "=", _count(low, high)), equal)
    return known.also((at(f, t), "<=", term))


@step("listed")
def _listed(known: Known, data: Sequence[Any]) -> Known:
    text, order, by = items(data, 3)
    term = known.term(text)
    if term.head != "Ranked" or not all(part.is_number and part.number.denominator == 1 for part in term.parts[1:]):
        raise Refused("a Ranked of numbers for its ends and rank")
    low, high, rank = (int(part.number) for part in term.parts[1:])
    if not 1 <= rank <= high - low + 1 <= MOST_LISTED or sorted(map(whole, items(order))) != list(range(low, high + 1)):
        raise Refused("each place once, and a rank among them")
    values = [at(term.parts[0], number(k)) for k in order]
    for a, b, pairs in zip(values[:-1], values[1:], items(by, high - low), strict=True):
        known.holds((a, "<=", b), pairs)
    return known.also((term, "=", values[rank - 1]))


# --- sums --------------------------------------------------------------------------------------------------


@step("sums")
def _sums(known: Known, data: Sequence[Any]) -> Known:
    one, other, sign, j, proof, by = items(data, 6)
    left, f, low, high = _sum(known, one, by)
    right = known.term(other)
    if right.head != "Sum" or right.parts[1:] != (low, high) or sign not in ("<=", "="):
        raise Refused("two sums over the same range are compared, by <= or =")
    follows(_inside(known, low, high, j), (at(f, name(j)), sign, at(right.parts[0], name(j))), proof)
    return known.also((left, sign, right))


@step("cut")
def _cut(known: Known, data: Sequence[Any]) -> Known:
    text, place, by, ends = items(data, 4)
    below, above = items(ends, 2)
    term, f, low, high = _sum(known, text, by)
    m = known.term(place)
    if not known.is_whole(m):
        raise Refused("a place that is not seen to be whole")
    known.holds((normal(add(low, number(-1))), "<=", m), below)
    known.holds((m, "<=", high), above)
    first, second = Term("Sum", (f, low, m)), Term("Sum", (f, normal(add(m, ONE)), high))
    return known.also((term, "=", normal(add(first, second))))


def _between_whole_ends(known: Known, text: Any) -> tuple[Term, Term, Term, Term]:
    term = known.term(text)
    if term.head != "Sum" or not known.is_whole(term.parts[1]):
        raise Refused("a Sum between whole ends")
    body, low, high = term.parts
    return term, body, low, high


@step("one")
def _one(known: Known, data: Sequence[Any]) -> Known:
    text, by = items(data, 2)
    term, body, low, high = _between_whole_ends(known, text)
    known.holds((low, "=", high), by)
    return known.also((term, "=", at(body, low)))


@step("none")
def _none(known: Known, data: Sequence[Any]) -> Known:
    text, by = items(data, 2)
    term, _, low, high = _between_whole_ends(known, text)
    known.holds((low, "=", normal(add(high, ONE))), by)
    return known.also((term, "=", ZERO))


@step("linear")
def _linear(known: Known, data: Sequence[Any]) -> Known:
    text, by = items(data, 2)
    term, f, low, high = _sum(known, text, by)
    found = []
    for powers, c in polynomial(f).items():
        free = [part for part in powers if not terms.has_bound(part)]
        kept = [part for part in powers if terms.has_bound(part)]
        rest = Term("Sum", (multiply(*kept), low, high)) if kept else _count(low, high)
        found.append(multiply(number(mpq(c)), *free, rest))
    return known.also((term, "=", normal(add(*found))))


@step("all")
def _all(known: Known, data: Sequence[Any]) -> Known:
    text, by = items(data, 2)
    term, body, low, high = _sum(known, text, by)
    if body.head != "Ranked" or body.parts[3] != Term("bound") or low != ONE or terms.has_bound(body.parts[1]):
        raise Refused("the sum of all ranks of the same values")
    inner, first, last, _ = body.parts
    if terms.has_bound(last) or terms.has_bound(inner, 1) or not (known.is_whole(first) and known.is_whole(last)):
        raise Refused("values or ends that change with the rank, or ends that are not whole")
    known.holds((high, "=", _count(first, last)), [])
    return known.also((term, "=", Term("Sum", (inner, first, last))))

