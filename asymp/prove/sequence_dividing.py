"""Divide and conquer: bounds of a(n) = sum of c_t a((n + ...)/b) + q(n), by the three cases of the master theorem, for
the kernel to prove.

With A the sum of the c_t, p = log(A)/log(b) and d the degree of q: where A > b^d it is of order n^p, where A = b^d it is
q_d n^d log(n)/log(b) + O(n^d), where A < b^d of order n^d.  (Cormen, Leiserson, Rivest and Stein, Introduction to
Algorithms, 4.)

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> said = "sequence a(n), a(n) = 3*a(floor(n/2)) + n, a(0) = 0"
>>> theorem(read_statement(f"a(n) = Theta(n^(log(3)/log(2))) as whole n -> oo for {said}"), True)
⊢ a(n) = Theta(n^(log(3)/log(2))) as whole n -> oo for sequence a(n), a(n) = 3*a(floor(n/2)) + n, a(0) = 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from math import ceil, floor

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.declared import ROUNDED, Declared, declared, index_of, pieces, polynomial
from asymp.kernel.sequences.declared import whole_from
from asymp.kernel.sequences.dividing import along, inductive, values_along
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ONE, Refused, Term, add, call, multiply, name, negative, number, power, reciprocal
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Eventual, Ordering
from asymp.language.conditions import Recurrence
from asymp.language.statement import Statement, read_statement
from asymp.prove.sequence_forms import closed_forms
from asymp.prove.sequence_leaves import Find, approximate, by_leaves, leaves_at, of_bound, running, stated
from asymp.regimes.names import unused

FIRST = (1, 2, 4)
AFTER = (0, 4, 16, 60)
SHIFTS = (0, 1, -1)
SMALL = tuple(map(mpq, "0 1 -1 2 -2 5 -5 10 -10".split()))
CHECKED = 60


def known(statement: Statement, found: Declared, find: Find) -> Iterator[Callable[[bool], Theorem]]:
    """Ways to a statement of a limit of such a sequence."""
    calls, rest = pieces(found)
    v, n = running(statement), found.variable
    inner = [polynomial(t.parts[0], n) for t in calls if t.head in ROUNDED]
    if len(inner) != len(calls) or not inner or len({p[1] for p in inner if p}) != 1 or found.lead != ONE or found.top:
        raise Refused("no divide and conquer")
    b = 1 / inner[0][1]  # type: ignore[index]
    total = -sum((c.number if c.is_number else mpq(0) for c in calls.values()), mpq(0))
    q = polynomial(_without_whole_parts(negative(rest)), n)
    if total <= 0 or any(not c.is_number for c in calls.values()) or q is None:
        raise Refused("no divide and conquer of this form")
    d = len(q) - 1
    yield partial(_along_powers, statement, found, b, find)
    yield partial(_bounded, statement, found, v, _shape(total, b, d, q[d], v), find)


def _without_whole_parts(term: Term) -> Term:
    """A term with x for floor(x) and ceiling(x), of the same order."""
    if term.head in ROUNDED:
        return term.parts[0]
    return terms.rebuilt(term, tuple(map(_without_whole_parts, term.parts))) if term.parts else term


def _along_powers(statement: Statement, found: Declared, b: mpq, find: Find, holds: bool) -> Theorem:
    """A refutation along n = c b^k."""
    if holds or b.denominator != 1:
        raise Refused("along powers a statement is only seen to fail")
    calls, rest = pieces(found)
    k, why = unused(statement, ("k", "j", "m"), "k_"), Refused("it is not seen to fail along powers")
    for factor, start in product((1, 3), (1, 2)):
        if factor * b**start < found.start - 1:
            continue
        there = multiply(number(factor), power(number(b), name(k)))
        beside = terms.substitute(negative(rest), {found.variable: there})
        total = number(-sum((c.number for c in calls.values()), mpq(0)))
        value = found.at(int(factor * b**start))
        text = f"0 = 0 for sequence {found.name}({k}), {found.name}({k}) = {total}*{found.name}({k} - 1) + {beside}, "
        text += f"{found.name}({start}) = {value}"
        for f, _ in closed_forms(declared(read_statement(text), found.name)):
            data = {"of": found.name, "base": int(b), "factor": factor, "runner": k, "by": str(f), "start": start}
            try:
                needed = [find(one, True) for one in values_along(found, int(b), factor, k, f, start)]
                failing = find(along(statement, found.name, int(b), factor, k, f), False)
                return apply("powers", [failing, *needed], statement=str(statement), **data)
            except Refused as error:
                why = error
    raise why


Shape = tuple[Term, bool, Callable[[int, mpq, mpq, mpq], Term]]
"""The growth, whether the leading coefficient is known, and bounds with parameters: a shift, a factor, and lower terms."""


def _shape(total: mpq, b: mpq, d: int, lead: mpq, v: str) -> Shape:
    n = name(v)
    lower = _power(n, d)

    def shifted(s: int) -> Term:
        return add(n, number(s)) if s else n

    if total == b**d:
        over = multiply(number(lead), reciprocal(call("log", number(b))))

        def of(s: int, _: mpq, c: mpq, e: mpq) -> Term:
            x = shifted(s)
            main = multiply(over, call("log", x))
            lowest = [multiply(number(e), _power(x, d - 1))] if d and e else []
            return add(multiply(_power(x, d), main), *([multiply(number(c), _power(x, d))] if c else []), *lowest)

        return multiply(lower, call("log", n)), True, of
    growth = _ordinary(total, b) if total > b**d else number(d)
    main = power(n, growth) if growth != ONE else n

    def bound(s: int, k: mpq, c: mpq, e: mpq) -> Term:
        rows = [multiply(number(k), power(shifted(s), growth) if growth != ONE else shifted(s))]
        if total > b**d:
            rows += [*([multiply(number(c), lower)] if c else []), *([number(e)] if d and e else [])]
        return add(*rows)

    return main, False, bound


def _ordinary(total: mpq, b: mpq) -> Term:
    """log(A)/log(b), where it is whole that number."""
    k, x = 0, mpq(1)
    while x < total and k < 40:
        k, x = k + 1, x * b
    return number(k) if x == total else multiply(call("log", number(total)), reciprocal(call("log", number(b))))


def _power(n: Term, d: int) -> Term:
    return ONE if d == 0 else n if d == 1 else power(n, number(d))


def _bounded(statement: Statement, found: Declared, v: str, shape: Shape, find: Find, holds: bool) -> Theorem:
    main, exact, of = shape
    why = Refused("no bounds are seen")
    for start in FIRST:
        if start < found.first:
            continue
        ends = []
        for side in (1, -1):
            tries = _candidates(found, v, start, of, exact, side)
            ends.append(next(tries, None))
        if None in ends:
            continue
        low, high = ends[0][0], ends[1][0]  # type: ignore[index]
        after = max(end[1] for end in ends if end)
        chain = replace(
            read_statement(f"{low} <= {found.name}({v}) <= {high}"), domain=(*whole_from(v, start), found.condition)
        )
        try:
            given = [find(one, True) for one in inductive(chain, found.name, after)]
        except Refused as error:
            why = error
            continue
        made = apply("dividing", given, statement=str(chain), of=found.name, after=after)
        return _concluded(statement, found, v, made, (low, high), main, exact, of, find, holds)
    raise why


def _concluded(
    statement: Statement, found: Declared, v: str, chain: Theorem, ends: tuple[Term, Term], main: Term, exact: bool,
    of: Callable[..., Term], find: Find, holds: bool,
) -> Theorem:  # fmt: skip
    order = stated(statement, f"{found.name}({v}) = Theta({main})")
    plain = [of_bound(order, end) for end in ends]
    above = replace(order, body=Eventual(node_of(ends[0]), ">", node_of(terms.ZERO)), domain=())
    if isinstance(statement.body, Ordering) and terms.of(statement.body.left) == Term(found.name, (name(v),)):
        given = [chain, *(find(one, True) for one in (*plain, above))]
        made = apply("squeezed", given, statement=str(order), of=found.name)
        kept = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
        premise = find(replace(statement, body=replace(statement.body, left=node_of(main)), domain=kept), holds)
        return apply("same order", [made, premise], statement=str(statement), of=found.name)
    if not exact:
        raise Refused("the leading coefficient may oscillate")
    leading = of(0, mpq(0), mpq(0), mpq(0))
    rest = multiply(main, reciprocal(call("log", name(v))))
    leaf = stated(statement, f"{found.name}({v}) = {leading} + O({rest})")
    sides = [of_bound(leaf, end) for end in ends]
    made = apply("squeezed", [chain, *(find(one, True) for one in sides)], statement=str(leaf), of=found.name)
    return by_leaves(statement, leaves_at(made, statement, found.name), holds)


def _candidates(
    found: Declared, v: str, start: int, of: Callable[..., Term], exact: bool, side: int
) -> Iterator[tuple[Term, int]]:
    """Bounds that floating-point numbers speak for, with the first n that the induction reaches."""
    calls, rest = pieces(found)
    n = found.variable
    least = start + 1
    while least < found.start or any(index_of(t, n, least) < start for t in calls):
        least += 1
    places = [1001, 10**12 + 1, 2**40, 999_999, *range(least, least + CHECKED), 1000, 1023, 10_007, 65_535]
    values = {k: float(found.at(k)) for k in range(start, least + max(AFTER))}
    weights = [(t, -float(c.number)) for t, c in calls.items()]
    moves = (1, 0, -1) if side == 1 and all(t.head == "floor" for t in calls) else SHIFTS
    for s, c, e in product(moves, SMALL, SMALL):
        if start + s < 1 or (e and exact and not c and found.first < 0):
            continue
        for after in AFTER:
            try:
                base = of(s, mpq(1), c, e)
                k = mpq(1)
                if not exact:
                    scale = [
                        values[i] / approximate(of(s, mpq(1), mpq(0), mpq(0)), {v: float(i)})
                        for i in range(start, least + after)
                    ]
                    k = (
                        mpq(max(floor(min(scale) * 8), 0), 16)
                        if side == 1
                        else mpq(ceil(max(scale) * 2) + 2 * ceil(abs(c) + abs(e)) + 1)
                    )
                    if not k:
                        continue
                    base = of(s, k, c, e)

                def at(i: int, base: Term = base) -> float:
                    return approximate(base, {v: float(i)})

                def goes_on(i: int, at: Callable[[int], float] = at) -> bool:
                    step = sum(w * at(index_of(t, n, i)) for t, w in weights) - approximate(rest, {n: float(i)})
                    return side * (step - at(i)) >= -1e-9 - 1e-13 * abs(step)

                first_ones = all(side * (values[i] - at(i)) >= -1e-12 for i in range(start, least + after))
                if first_ones and all(goes_on(i) for i in places if i >= least + after):
                    yield base, least + after
                    break
            except (ArithmeticError, ValueError):
                continue
