"""Steps on products of comparisons, and on double sums.

In what follows the ranges of sums are shown to have a meaning as in :mod:`asymp.kernel.functions.ranked`, j is a new whole
variable in the range, a <= j <= b.

* ``times, k, l``: of facts f <= g and u <= v in these places, 0 <= (g - f)*(v - u); < where both are by <, none is an equation;
* ``scale, k, term``: of an equation f = g, f*term = g*term;
* ``cancel, c, term, sign, by, by``: 0 <= term from 0 < c and 0 <= c*term, combinations for the two; the same with < and =;
* ``swap, S, by, by``: a sum over k of sums over j is that over j of sums over k, where the range of j does not hang on k:
  combinations for both ranges;
* ``cauchy, S, T, U, j, proofs, by``: U^2 <= S*T for sums of f, g, h over one range, from 0 <= f(j), 0 <= g(j) and
  h(j)^2 <= f(j)*g(j) (Cauchy and Schwarz: |h| <= sqrt(f) sqrt(g)).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import items
from asymp.kernel.functions.order import Known, follows, step
from asymp.kernel.functions.order_terms import Fact, normal
from asymp.kernel.functions.ranked import _inside, _sum, at
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, rebuilt
from asymp.language.names import BINDERS


def _gap(fact: Fact) -> Term:
    return add(fact[2], negative(fact[0]))


@step("times")
def _times(known: Known, data: Sequence[Any]) -> Known:
    one, other = map(known.place, items(data, 2))
    if "=" in (one[1], other[1]):
        raise Refused("two inequalities are multiplied")
    sign = "<" if one[1] == other[1] == "<" else "<="
    return known.also((ZERO, sign, normal(multiply(_gap(one), _gap(other)))))


@step("scale")
def _scale(known: Known, data: Sequence[Any]) -> Known:
    k, text = items(data, 2)
    fact, term = known.place(k), known.term(text)
    if fact[1] != "=":
        raise Refused("an equation is multiplied by a term")
    return known.also((normal(multiply(fact[0], term)), "=", normal(multiply(fact[2], term))))


@step("cancel")
def _cancel(known: Known, data: Sequence[Any]) -> Known:
    factor, text, sign, positive, by = items(data, 5)
    c, term = known.term(factor), known.term(text)
    if sign not in ("<=", "<", "="):
        raise Refused("a comparison is by <=, < or =")
    known.holds((ZERO, "<", c), positive)
    known.holds((ZERO, sign, normal(multiply(c, term))), by)
    return known.also((ZERO, sign, term))


@step("swap")
def _swap(known: Known, data: Sequence[Any]) -> Known:
    text, outer, inner = items(data, 3)
    term, body, low, high = _sum(known, text, outer)
    if body.head != "Sum" or any(map(terms.has_bound, body.parts[1:])):
        raise Refused("a sum of sums over one range")
    f, first, last = body.parts
    if not (known.is_whole(first) and known.is_whole(last)):
        raise Refused("a Sum between whole ends")
    known.holds((normal(add(first, negative(ONE))), "<=", last), inner)
    return known.also((term, "=", normal(Term("Sum", (Term("Sum", (_exchanged(f, 0), low, high)), first, last)))))


def _exchanged(term: Term, depth: int) -> Term:
    """What stands in two binders, their variables changed for each other."""
    if term.head == "bound" and term.number in (depth, depth + 1):
        return Term("bound", number=mpq(2 * depth + 1) - term.number)
    if not term.parts:
        return term
    inner = depth + (term.head in BINDERS)
    return rebuilt(term, (_exchanged(term.parts[0], inner), *(_exchanged(part, depth) for part in term.parts[1:])))


@step("cauchy")
def _cauchy(known: Known, data: Sequence[Any]) -> Known:
    *texts_, j, proofs, by = items(data, 6)
    (one, f, low, high), (other, g, *second), (mixed, h, *third) = (_sum(known, text, by) for text in texts_)
    if second != [low, high] or third != [low, high]:
        raise Refused("three sums over one range")
    within = _inside(known, low, high, j)
    first, then, last = (at(body, name(j)) for body in (f, g, h))
    goals: list[Fact] = [
        (ZERO, "<=", first),
        (ZERO, "<=", then),
        (normal(multiply(last, last)), "<=", normal(multiply(first, then))),
    ]
    for goal, proof in zip(goals, items(proofs, 3), strict=True):
        follows(within, goal, proof)
    return known.also((normal(multiply(mixed, mixed)), "<=", normal(multiply(one, other))))
