"""Steps of a search for bounds by known inequalities: squares, logarithms, exponentials, Bernoulli's, what rises."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.bounds import Proof, difference
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NONE, NONNEGATIVE, POSITIVE, Signs
from asymp.kernel.rings.defined import slope
from asymp.kernel.rings.field import to_term
from asymp.kernel.rings.ratio import ONE_POLY, Ratio, atom, in_order, leading, rational
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, call, free, multiply, name, negative, number
from asymp.prove.search import Search, Tree
from asymp.prove.squares import facts_of


def by_squares(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """A sum of squares."""
    value = at.value(d)
    if value.den == ONE_POLY and wanted != NONE:
        found = facts_of(value.num, lambda a: at.of(atom(a)) == POSITIVE)
        if found is not None:
            yield found


def by_facts(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Facts that cancel a logarithm or an exponential of d, and a goal for the rest."""
    if wanted == NONE:
        return
    value = at.value(d)
    for a in sorted({a for powers in value.num for a, _ in powers if a.head in ("log", "exp")}, key=str):
        c = coefficient(value, a)
        if c is None:
            continue
        for fact in _facts(a, value, at, at.of(c), search, depth):
            try:
                f, _ = Proof().fact(fact, at)
                own = coefficient(f, a)
                if own is None or own.is_zero:
                    continue
                m = c * own.inverse()
                if not at.of(m) <= NONNEGATIVE:
                    continue
                rest = value - m * f
            except Refused:
                continue
            yield ["by", [[str(to_term(m)), fact]]]
            tree = search.maybe(to_term(rest), at, NONNEGATIVE | wanted, depth - 1)
            if tree is not None:
                yield ["by", [[str(to_term(m)), fact], ["1", ["lemma", str(to_term(rest)), tree]]]]


def by_tangents(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Tangents to logarithms, or to those of powers that stand beside them, which touch at one of a few numbers."""
    value = at.value(d)
    logs = sorted({a for powers in value.num for a, _ in powers if a.head == "log" and free(a)}, key=str)
    factors = {a: c for a in logs if (c := coefficient(value, a)) is not None}
    sides = {a: 1 if at.of(c) <= NONNEGATIVE else -1 if at.of(c) <= {-1, 0} else 0 for a, c in factors.items()}
    if wanted == NONE or not logs or len(factors) < len(logs) or not all(sides.values()):
        return

    def tangent(a: Term, k: mpq, v: str) -> Tree:
        w = str(terms.power(a.parts[0], number(k)))
        fact = ["log", v, w] if sides[a] == 1 else ["log", w, v]
        return [str(to_term(factors[a] * rational(sides[a] / k))), fact]

    roots = {k for powers in value.num for b, k in powers if len(logs) == 1 and b == logs[0].parts[0] and k > 0}
    for k in sorted({mpq(1), *roots}):
        for v in TOUCHING:
            yield ["by", [tangent(a, k, v) for a in logs]]


TOUCHING = ("E", "1/E", "2", "1/2", "3", "1/3", "E^2", "4", "8", "16")


def by_bernoulli(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Bernoulli's inequality for a power as it is written."""
    value = at.value(d)
    for part in terms.walk(d):
        if wanted == NONE or part.head != "power" or part.parts[1].is_number or terms.has_bound(part):
            continue
        base, exponent = part.parts
        own = at.value(part)
        for powers, c in value.num.items():
            m = Ratio({powers: c}) * own.inverse()
            if at.of(m) <= NONNEGATIVE:
                yield ["by", [[str(to_term(m)), ["power", str(add(base, number(-1))), str(exponent)]]]]


def by_logarithms(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Two products of which one has an exponential: that of the logarithms, u and v, of exp(u) - exp(v)."""
    value = at.value(d)
    if wanted == NONE or value.den != ONE_POLY or len(value.num) != 2:
        return
    logs: dict[bool, Term] = {}
    for powers, c in value.num.items():
        if not any(a.head == "exp" or a == name("E") for a, _ in powers):
            continue
        parts = [] if abs(c) == 1 else [call("log", number(abs(c)))]
        for a, k in powers:
            one = a.parts[0] if a.head == "exp" else ONE if a == name("E") else call("log", a)
            parts.append(multiply(number(k), one))
        logs[c > 0] = add(ZERO, *parts)
    if len(logs) == 2:
        tree = search.maybe(difference(logs[True], logs[False]), at, wanted, depth - 1)
        if tree is not None:
            yield ["by", [["1", ["rises", "exp", str(logs[True]), str(logs[False]), tree]]]]


def by_monotone(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Two values of a function that increases, or decreases, and a goal for the rest: atan(x + 1) - atan(x) + ..."""
    value = at.value(d)
    if wanted == NONE or value.den != ONE_POLY:
        return
    atoms = sorted({a for p in value.num for a, _ in p if a.head not in ("exp", "log") and slope(a.head)}, key=str)
    for a, b in permutations(atoms, 2):
        if a.head != b.head or len(a.parts) != 1 or len(b.parts) != 1 or not (free(a) or free(b)):
            continue
        c = coefficient(value, a)
        if c is None or not at.of(c) <= NONNEGATIVE:
            continue
        larger, smaller = (a.parts[0], b.parts[0]) if slope(a.head) == 1 else (b.parts[0], a.parts[0])
        tree = search.maybe(difference(larger, smaller), at, NONNEGATIVE, min(depth - 1, 3))
        if tree is None:
            continue
        fact: Tree = ["rises", a.head, str(larger), str(smaller), tree]
        yield ["by", [[str(to_term(c)), fact]]]
        rest = to_term(value - c * (atom(a) - atom(b)))
        if (proof := search.maybe(rest, at, NONNEGATIVE | wanted, depth - 1)) is not None:
            yield ["by", [[str(to_term(c)), fact], ["1", ["lemma", str(rest), proof]]]]


def coefficient(value: Ratio, a: Term) -> Ratio | None:
    """That of an atom which occurs in its first power alone, or as its inverse alone."""
    exponents = {k for powers in value.num for b, k in powers if a == b}
    if len(exponents) != 1 or any(a == b for powers in value.den for b, _ in powers):
        return None
    own = {tuple(x for x in powers if x[0] != a): c for powers, c in value.num.items() if any(a == b for b, _ in powers)}
    return Ratio(own) * Ratio(value.den).inverse()


def _facts(a: Term, value: Ratio, at: Context, signs: Signs, search: Search, depth: int) -> Iterator[Tree]:
    u = a.parts[0]
    if a.head == "log":
        logs = {b: None for powers in value.num for b, _ in powers if b.head == "log"}
        others = [b.parts[0] for b in logs if b != a and free(b)]
        for v in sorted(others, key=str):
            up, down = (v, u) if signs <= {-1, 0} else (u, v)
            if (tree := search.maybe(difference(up, down), at, NONNEGATIVE, min(depth - 1, 2))) is not None:
                yield ["rises", "log", str(up), str(down), tree]
        near = [multiply(number(c), v) for v in sorted(others, key=str) if (c := _scale(at.value(u), at.value(v))) != 1]
        for v in (*near, *sorted(others, key=str), ONE):
            yield ["log", str(u), str(v)] if signs <= {-1, 0} else ["log", str(v), str(u)]
        return
    inverse = any(dict(powers).get(a, 0) < 0 for powers in value.num)
    w = negative(u) if inverse else u
    if signs <= NONNEGATIVE:  # exp(w) from below
        for v, _ in _exponents(value, a):
            if (tree := search.maybe(difference(w, v), at, NONNEGATIVE, min(depth - 1, 3))) is not None:
                yield ["rises", "exp", str(w), str(v), tree]
        x = at.value(w)
        if len(x.num) == 1 and x.den == ONE_POLY:
            ((powers, c),) = x.num.items()
            for b, k in powers:
                if b.head == "log" and k == 1:
                    exponent = Ratio({in_order({e: j for e, j in powers if e != b}): c})
                    yield ["power", str(add(b.parts[0], number(-1))), str(to_term(exponent))]
        yield ["exp", str(w)]
    else:
        for v, _ in _exponents(value, a):
            if (tree := search.maybe(difference(v, w), at, NONNEGATIVE, min(depth - 1, 3))) is not None:
                yield ["rises", "exp", str(v), str(w), tree]


def _scale(x: Ratio, y: Ratio) -> mpq:
    """c for which x and c y have one leading term, of polynomials that begin with one monomial; else 1."""
    tops = [leading(one.num) for one in (x, y) if one.den == ONE_POLY and one.num]
    return x.num[tops[0]] / y.num[tops[1]] if len(tops) == 2 and tops[0] == tops[1] else mpq(1)


def _exponents(value: Ratio, a: Term) -> list[tuple[Term, int]]:
    """The exponents of the other exponentials, and 0."""
    found = {b.parts[0]: int(k > 0) for powers in value.num for b, k in powers if b.head == "exp" and b != a}
    return [*((v if up else negative(v), 1) for v, up in sorted(found.items(), key=str)), (ZERO, 1)]
