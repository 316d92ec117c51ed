"""Bounds of a sequence by induction: a(n) = sum of c_t a(t(n)) + q(n) with c_t >= 0, as of divide and conquer.

If l(k) <= a(k) for N <= k < M, and l(n) <= sum of c_t l(t(n)) + q(n) for n >= M, where N <= t(n) < n, then l(n) <= a(n)
for all n >= N; so for bounds from above.  A whole part floor((n + c)/b) is one of a linear term for n = B m + j, each j
by itself.  (Akra and Bazzi, Comput. Optim. Appl. 10 (1998), guess such bounds; here they are proved.)

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.claims import theorem
>>> said = "sequence a(n), a(n) = a(floor(n/2)) + a(ceiling(n/2)) + 1, a(1) = 1"
>>> statement = read_closed(f"a(n) <= 2*n - 1 for whole n >= 1, {said}")
>>> apply("dividing", [theorem(one, True) for one in inductive(statement, "a", 2)], statement=str(statement), of="a", after=2)
⊢ a(n) <= 2*n - 1 for whole n >= 1, sequence a(n), a(n) = a(floor(n/2)) + a(ceiling(n/2)) + 1, a(1) = 1
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import lcm

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.declared import Declared, declared, index_of, pieces, polynomial, shift_of
from asymp.kernel.growths.regime import require_fresh
from asymp.kernel.sequences.declared import whole_from
from asymp.kernel.sequences.iterated import runs
from asymp.kernel.sequences.ratios import from_on
from asymp.kernel.summation.cells import node_of
from asymp.kernel.summation.generalised import replaced
from asymp.kernel.terms import (
    ZERO,
    Refused,
    Term,
    add,
    multiply,
    name,
    negative,
    number,
    power,
    read,
    reciprocal,
    substitute,
)
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, shown
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, Condition, OfKind, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node

MOST_FIRST, MOST_RESIDUES = 400, 12
Bound = tuple[Term, int, str]
"""l or h, 1 for one from below, -1 for one from above, and <= or <."""


@rule("dividing", of_sequences=True)
def _dividing(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """l(n) <= a(n), a(n) <= h(n), or both, for whole n >= N, by induction; or with <.

    Data: statement, of, after (M).  Premises: those of :func:`inductive`.
    """
    statement = read_closed(data["statement"])
    shown(premises, inductive(statement, data.text("of"), data.whole("after")))
    return Conclusion(statement)


def inductive(statement: Statement, of: str, after: int) -> list[Statement]:
    """That the bounds hold of the first values, and go on to hold.

    Raises:
        Refused: the statement says something else, or the recurrence is of another form.
    """
    found = declared(statement, of)
    body = statement.body
    if type(body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("bounds for all of a domain are wanted")
    v, start = from_on(statement.domain)
    parts = pieces(found)
    _in_reach(found, parts[0], start, after)
    wanted: list[Statement] = []
    for bound, side, sign in bounds_in(body, Term(of, (name(v),))):
        if bound.free - {v} or any(part.head == of for part in terms.walk(bound)):
            raise Refused(f"a bound in {v} is wanted")
        for k in range(start, after):
            wanted.append(_said(substitute(bound, {v: number(k)}), number(mpq(found.at(k))), side, sign))
        wanted += _steps(found, parts, v, (bound, side, sign), after)
    return list(dict.fromkeys(wanted))


def bounds_in(body: Comparison, a: Term) -> Iterator[Bound]:
    """The bounds that a comparison says of a(v)."""
    for low, sign, high in body.chain.pairs():
        left, right = terms.of(low), terms.of(high)
        if sign == "=" or (left == a) == (right == a):
            raise Refused(f"bounds of {a} are wanted")
        below = (right == a) == (sign[0] == "<")
        yield (left if right == a else right), 1 if below else -1, sign.replace(">", "<")


def _said(bound: Term, value: Term, side: int, sign: str, domain: tuple[Condition, ...] = ()) -> Statement:
    low, high = (bound, value) if side == 1 else (value, bound)
    return Statement(Comparison(Compared((node_of(low), node_of(high)), (sign,))), domain=domain)


def _in_reach(found: Declared, calls: dict[Term, Term], start: int, after: int) -> None:
    """That from M on the equation gives values by such from N on.

    Raises:
        Refused: it does not.
    """
    n = after - found.top
    if not found.first <= start < after <= start + MOST_FIRST or n < found.start:
        raise Refused("the induction begins elsewhere")
    if any(index_of(t, found.variable, n) < start for t in calls):  # they do not fall
        raise Refused("the equation leads to values before those that are bounded")


def _steps(found: Declared, parts: tuple[dict[Term, Term], Term], v: str, of: Bound, after: int) -> Iterator[Statement]:
    """For each remainder j of n = B m + j, in v for m: the bound at n by those before it."""
    calls, rest = parts
    bound, side, sign = of
    n, m = found.variable, name(v)
    modulus = lcm(*(int(_slope(t, n).denominator) for t in calls))
    if modulus > MOST_RESIDUES:
        raise Refused("so many remainders")
    for j in range(modulus):
        here = add(multiply(number(modulus), m), number(j))
        at = {n: add(here, number(-found.top))}
        over = negative(reciprocal(substitute(found.lead, at)))
        domain = whole_from(v, -((j - after) // modulus))
        factors = {t: multiply(substitute(c, at), over) for t, c in calls.items()}
        total = [multiply(substitute(rest, at), over)]
        total += [
            multiply(f, substitute(bound, {v: _argument(t, n, m, modulus, j - found.top)})) for t, f in factors.items()
        ]
        positive = [t for t, f in factors.items() if f.is_number and f.number > 0] or [*calls][:1]
        for t, f in factors.items():
            strict = sign == "<" and t == positive[0]  # then what is strict before is strict here
            if not f.is_number or f.number < 0 or (strict and not f.number):
                yield _said(ZERO, f, 1, "<" if strict else "<=", domain)
        yield _said(substitute(bound, {v: here}), add(*total), side, "<=" if calls else sign, domain)


def _slope(t: Term, n: str) -> mpq:
    if shift_of(t, n) is not None:
        return mpq(1)
    inner = polynomial(t.parts[0], n)
    assert inner is not None
    return inner[1]


def _argument(t: Term, n: str, m: Term, modulus: int, j: int) -> Term:
    """t at n = B m + j, B times whose slope is whole."""
    k = index_of(t, n, j)
    slope = _slope(t, n) * modulus
    return add(multiply(number(slope), m) if slope != 1 else m, number(k))


@rule("powers", of_sequences=True)
def _powers(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of a(n) as n tends to infinity fails, for it fails along n = c b^k, where a(n) is a term in k.

    Data: statement, of, base (b), factor (c), runner (k), by (the term f(k)), start (from which k).
    Premises: what fails, and those of :func:`values_along`.
    """
    statement, of = read_closed(data["statement"]), data.text("of")
    base, factor, k, start = data.whole("base"), data.whole("factor"), data.text("runner"), data.whole("start")
    f = read(data.text("by"))
    shown(premises[:1], [along(statement, of, base, factor, k, f)], False)
    shown(premises[1:], values_along(declared(statement, of), base, factor, k, f, start))
    return Conclusion(statement, holds=False)


def along(statement: Statement, of: str, base: int, factor: int, k: str, f: Term) -> Statement:
    """The statement along n = c b^k, k -> oo, with f(k) for the sequence.

    Raises:
        Refused: more is said of n, or the sequence stands at another place.
    """
    _, a = runs(statement, of)
    v = a.parts[0].name
    require_fresh((statement,), (k,))
    if base < 2 or factor < 1 or f.free - {k}:
        raise Refused("n = c*b^k with whole b > 1 and c > 0, and a term in k, are wanted")
    there = multiply(number(factor), power(number(base), name(k)))

    def change(node: Node) -> Node:
        term = substitute(replaced(terms.of(node), a, name("@")), {v: there})
        if any(part.head == of for part in terms.walk(term)):
            raise Refused(f"a value of {of} at another place than {v}")
        return node_of(substitute(term, {"@": f}))

    regime = (OfKind(k, "whole"), Tends(Node("name", 1, k), node_of(name("oo"))))
    return Statement(statement.body.changed(change), regime=regime)


def values_along(found: Declared, base: int, factor: int, k: str, f: Term, start: int) -> list[Statement]:
    """That a(c b^k) = f(k) for k >= start, by induction.

    Raises:
        Refused: the recurrence does not lead from each power to the one before.
    """
    calls, rest = pieces(found)
    n = found.variable
    if found.top or not 0 <= start <= MOST_FIRST or not 2 <= base <= MOST_FIRST or not 1 <= factor <= MOST_FIRST:
        raise Refused("the recurrence begins elsewhere")
    if factor * base ** (start + 1) < found.start:
        raise Refused("the recurrence begins later")
    for t in calls:
        inner = polynomial(t.parts[0], n) if t.head in ("floor", "ceiling") else None
        if (
            inner is None
            or len(inner) != 2
            or inner[1] != mpq(1, base)
            or not 0 <= (inner[0] if t.head == "floor" else -inner[0]) < 1
        ):
            raise Refused(f"{t} at {base}^k is not the power before it")
    at = {n: multiply(number(factor), power(number(base), name(k)))}
    over = negative(reciprocal(substitute(found.lead, at)))
    before = substitute(f, {k: add(name(k), number(-1))})
    step = add(
        multiply(substitute(rest, at), over), *(multiply(substitute(c, at), over, before) for c in calls.values())
    )
    first = substitute(f, {k: number(start)})
    equal = Comparison(Compared((node_of(f), node_of(step)), ("=",)))
    value = Comparison(Compared((node_of(first), node_of(number(mpq(found.at(factor * base**start))))), ("=",)))
    return [Statement(value), Statement(equal, domain=whole_from(k, start + 1))]
