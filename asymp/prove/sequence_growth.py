"""What a sequence declared by a recurrence does in the end: proposals of expansions, and statements by these.

Of a(n+1) = F(a(n)) the first values, as floating-point numbers, say where it goes: to a fixed point, fast, or slowly to
0 or infinity. The kernel then proves of F what brings it there.

>>> from asymp.language.statement import read_statement
>>> from asymp.prove.claims import theorem
>>> theorem(read_statement("x(n) ~ 1/n as whole n -> oo for sequence x(n), x(n+1) = x(n) - x(n)^2, x(0) = 1/2"), True)
⊢ x(n) ~ 1/n as whole n -> oo for sequence x(n), x(n + 1) = x(n) - x(n)^2, x(0) = 1/2
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.facts.context import Context
from asymp.kernel.growths.asymptotics import Decided
from asymp.kernel.growths.declared import Declared
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.polynomials import Poly, rational_zeros
from asymp.kernel.sequences.iterated import X, doubled, drifting, map_of, of_first, of_power, settling
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ZERO, Refused, Term, add, call, multiply, name, negative, number, power
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Ordering
from asymp.language.conditions import Recurrence
from asymp.language.statement import Statement
from asymp.prove import sequence_dividing, sequence_generating, sequence_ratios
from asymp.prove.sequence_forms import root_of
from asymp.prove.sequence_leaves import Find, approximate, by_leaves, leaves_at, running, stated

RATES = tuple(map(mpq, "1/2 3/4 9/10 99/100 1/4 1/10 1/100".split()))
"""The easier to prove first."""
POWERS = {-1: tuple(map(mpq, "-1 -2 -3 -1/2 -4 -3/2".split())), 1: tuple(map(mpq, "1 2 3 1/2 3/2 4".split()))}
MOST_AFTER = 4
SERIES = 4
"""Terms of a function's series."""
SETTLED = 1e-9


def known(statement: Statement, found: Declared, find: Find) -> Iterator[Callable[[bool], Theorem]]:
    """Ways to a statement of a limit."""
    with suppress(Refused):
        f = map_of(found)
        before = of_first(statement, found.name)
        if terms.canonical(before) == terms.canonical(statement):
            yield from _iterated(statement, found, f, find)
        else:
            for way in _iterated(before, found, f, find):
                yield partial(_from_before, statement, found.name, way)
    for others in (sequence_dividing, sequence_generating, sequence_ratios):
        with suppress(Refused):
            yield from others.known(statement, found, find)


# --- a(n+1) = F(a(n)) -----------------------------------------------------------------------------------------------


def _from_before(statement: Statement, of: str, way: Callable[[bool], Theorem], holds: bool) -> Theorem:
    return apply("next", [way(holds)], statement=str(statement), of=of)


def _iterated(statement: Statement, found: Declared, f: Term, find: Find) -> Iterator[Callable[[bool], Theorem]]:
    values = _orbit(found, f)
    end, gap = values[-1], abs(values[-1] - values[-2])
    if gap < SETTLED * max(1, abs(end)):
        for p in _fixed_points(f, end, statement):
            yield partial(_settled, statement, found, f, p, values, find)
    with suppress(Refused):
        for lead, degree in _leading(f, "oo")[0][:1]:
            yield partial(_doubling, statement, found, f, lead, degree, find)
    falls = end > 0 and all(b < a for a, b in pairwise(values[5:]))
    rises = end > 0 and all(b > a for a, b in pairwise(values[5:]))
    for to, way, is_so in (("0", -1, falls), ("oo", 1, rises)):
        if is_so:
            yield partial(_drifting, statement, found, f, to, way, find)


def _orbit(found: Declared, f: Term) -> list[float]:
    values = [approximate(terms.of(found.begins[0]), {})]
    with suppress(ArithmeticError, ValueError):
        while len(values) < 400:
            values.append(approximate(f, {X: values[-1]}))
            if abs(values[-1]) > 1e100 or values[-1] == values[-2]:
                break
    return [*values, values[-1]] if len(values) == 1 else values


def _settled(
    statement: Statement, found: Declared, f: Term, p: Term, values: list[float], find: Find, holds: bool
) -> Theorem:
    """By how it comes to a fixed point."""
    limit, why = approximate(p, {}), Refused("the sequence is not seen to settle")
    for near in (True, False):
        for after in range(MOST_AFTER + 1):
            c = values[min(after, len(values) - 1)]
            side = (1 if c > limit else -1) if near else 0
            r = mpq(math.ceil(abs(c - limit) * 1000 + 1), 1000)
            low, high = (min(c, limit), max(c, limit)) if side else (limit - float(r), limit + float(r))
            for q in _rates(f, limit, low, high, side):
                leaf = stated(statement, f"{found.name}({running(statement)}) = {p} + O(({q})^{running(statement)})")
                data = {"of": found.name, "after": after, "to": str(p), "side": side, "rate": str(q)}
                data |= {} if side else {"within": str(r)}
                try:
                    given = [find(one, True) for one in settling(leaf, Data(data))]
                    made = apply("fixed point", given, statement=str(leaf), **data)
                    return by_leaves(statement, leaves_at(made, statement, found.name), holds)
                except Decided:
                    raise
                except Refused as error:
                    why = error
    raise why


def _rates(f: Term, p: float, low: float, high: float, side: int) -> list[mpq]:
    """The rates at which F may bring the points of a range nearer to p, staying on that side."""
    worst = 0.0
    for k in range(41):
        x = low + (high - low) * k / 40
        if abs(x - p) < 1e-6 * max(1.0, abs(p)):
            x = p + (1e-4 if k < 20 else -1e-4) * max(1.0, high - low)
        try:
            after = approximate(f, {X: x}) - p
        except (ArithmeticError, ValueError):
            return []
        worst = max(worst, 1.0 if side * after < -SETTLED else abs(after) / abs(x - p))
    return [q for q in RATES if worst < float(q) * 0.999]


def _fixed_points(f: Term, near: float, statement: Statement) -> Iterator[Term]:
    """Terms for the fixed point near a number: from F(x) = x where that is algebraic, and of what the statement speaks."""
    for p in dict.fromkeys((*_algebraic(f), *_spoken(statement), ZERO)):
        with suppress(Refused, ArithmeticError, ValueError, KeyError):
            if abs(approximate(p, {}) - near) < 1e-6 * max(1, abs(near)):
                yield p


def _spoken(statement: Statement) -> Iterator[Term]:
    for node in statement.terms():
        for part in terms.walk(terms.of(node)):
            if not part.free and part.head not in ("bound",):
                yield part


def _algebraic(f: Term) -> Iterator[Term]:
    """The zeros of F(x) - x, or of F(x)^k - x^k where F is a k-th root, that are rational or of degree two."""
    k = 1
    if f.head == "power" and f.parts[1].is_number and f.parts[1].number.numerator == 1:
        k, f = int(f.parts[1].number.denominator), f.parts[0]
    try:
        value = Context(pairs=((ZERO, "<", name(X)),)).value(add(f, negative(power(name(X), number(k)))))
    except Refused:
        return
    rows: dict[int, mpq] = {}
    for powers, c in value.num.items():
        degree = sum((e for a, e in powers if a == name(X)), mpq(0))
        if any(a != name(X) for a, _ in powers) or degree.denominator != 1:
            return
        rows[int(degree)] = rows.get(int(degree), mpq(0)) + c
    p: Poly = [rows.get(k, mpq(0)) for k in range(min(rows), max(rows) + 1)] if rows else []
    zeros, rest = rational_zeros(p)
    yield from map(number, zeros)
    if len(rest) > 3 and not any(rest[1:-1]) and rest[0] * rest[-1] < 0:
        yield power(number(-rest[0] / rest[-1]), number(mpq(1, len(rest) - 1)))
    if len(rest) == 3 and (square := (rest[1] / rest[2] / 2) ** 2 - rest[0] / rest[2]) > 0:
        for sign in (1, -1):
            yield add(number(-rest[1] / rest[2] / 2), multiply(number(sign), root_of(square)))


def _drifting(statement: Statement, found: Declared, f: Term, to: str, way: int, find: Find, holds: bool) -> Theorem:
    """By what each step adds to a power of it."""
    v, why = running(statement), Refused("what each step adds is not seen")
    for e in POWERS[way]:
        for slope, rest, second in _increments(f, e, to):
            u = -rest / e
            small = "log({v})" if u == 1 else "{v}^({w})" if u < 1 else "1"
            more = f" + ({second[0] / slope})*log({v})" if second else ""
            growth = "1" if second else small.format(v=v, w=1 - u)
            leaf = stated(statement, f"{found.name}({v})^({e}) = ({slope})*{v}{more} + O({growth})")
            positive = stated(statement, f"{found.name}({v}) > 0")
            for after in range(MOST_AFTER):
                data = {"of": found.name, "after": after, "to": to}
                more_data = {
                    "exponent": str(e),
                    "slope": str(slope),
                    "rest": str(rest),
                    "second": [str(c) for c in second],
                }
                try:
                    given = [find(one, True) for one in drifting(leaf, Data({**data, **more_data}))]
                except Refused as error:
                    why = error
                    continue
                made = apply("increments", given, statement=str(leaf), **data, **more_data)
                above = apply("increments", given[:-1], statement=str(positive), **data)
                of_it = of_power(statement, found.name, number(e))
                try:
                    premise = by_leaves(of_it, leaves_at(made, statement, found.name), holds)
                except Decided:
                    raise
                except Refused as error:
                    why = error
                    break
                return apply("of a power", [premise, above], statement=str(statement), of=found.name, exponent=str(e))
    raise why


def _doubling(
    statement: Statement, found: Declared, f: Term, lead: mpq, degree: mpq, find: Find, holds: bool
) -> Theorem:
    """By its logarithm, where F(x) grows as a power of x above the first."""
    body, v, why = statement.body, running(statement), Refused("it does not grow so fast")
    log = call("log", Term(found.name, (name(v),)))
    if degree <= 1 or not isinstance(body, Ordering) or terms.of(body.left) != log:
        raise why
    order = stated(statement, f"log({found.name}({v})) = Theta(({degree})^{v})")
    for after in range(MOST_AFTER + 1):
        for least, most in ((lead, 2 * lead), (lead / 2, lead), (lead / 2, 2 * lead)):
            data = {"of": found.name, "after": after, "degree": str(degree), "least": str(least), "most": str(most)}
            try:
                given = [find(one, True) for one in doubled(order, Data(data))]
            except Refused as error:
                why = error
                continue
            made = apply("doubling", given, statement=str(order), **data)
            kept = tuple(c for c in statement.domain if not isinstance(c, Recurrence))
            plain = replace(statement, body=replace(body, left=node_of(power(number(degree), name(v)))), domain=kept)
            return apply("same order", [made, find(plain, holds)], statement=str(statement), of=found.name)
    raise why


def _increments(f: Term, e: mpq, to: str) -> Iterator[tuple[mpq, mpq, tuple[mpq, ...]]]:
    """L, t and perhaps (M, s) of F(x)^e - x^e = L + M x^s + O(x^t), by the kernel's series."""
    gap = add(power(f, number(e)), negative(power(name(X), number(e))))
    try:
        found, rest = _leading(gap, to)
    except Refused:
        return
    if not found or found[0][1] != 0 or found[0][0] <= 0:
        return
    slope, more = found[0][0], [*found[1:], *((None, t) for t in rest)]
    if not more:
        more = [(None, -e)]  # of an exact increment any rest will do
    m, s = more[0]
    if m is not None and s == -e:
        yield slope, more[1][1] if len(more) > 1 else 2 * s, (m, s)
    yield slope, s, ()


def _leading(term: Term, to: str) -> tuple[list[tuple[mpq, mpq]], list[mpq]]:
    """The terms c x^a of a term near 0 or infinity, the largest first, and the exponents of its remainder."""
    way = 1 if to == "oo" else -1
    put = {X: power(name("s"), number(way))}
    f = Expander(Algebra(Domain(), SERIES), {"s": 0}, {}).series(terms.substitute(term, put))
    rows = []
    for c, g in [*f.terms, *((None, g) for g in f.rest)]:
        e = g.powers[0][1].constant() if g.powers else mpq(0)
        value = c.constant() if c is not None else mpq(1)
        if g.exponent or len(g.powers) > 1 or (g.powers and g.powers[0][0] != (0, 0)) or e is None or value is None:
            raise Refused("terms that are no powers")
        rows.append((None if c is None else value, way * e))
    rows.sort(key=lambda row: -way * row[1])
    known = [(c, e) for c, e in rows if c is not None]
    return known, [e for c, e in rows if c is None]
