"""Steps that a search for bounds tries: each proposes trees for a goal, and the kernel decides."""

from __future__ import annotations

from collections.abc import Iterator

from asymp.kernel import terms
from asymp.kernel.balls.bounds import WANTED, bound, difference
from asymp.kernel.balls.derivative import derivative
from asymp.kernel.balls.goals import other_end
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import NONE, NONNEGATIVE, POSITIVE, Signs, plus, times
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.field import to_term
from asymp.kernel.rings.ratio import ONE_POLY, Poly, Ratio, atom, rational
from asymp.kernel.terms import CONSTANTS, ONE, ZERO, Refused, Term, add, call, free, name, negative, number
from asymp.prove.antiderivatives import by_antiderivative, by_integrands, fresh
from asymp.prove.facts import by_bernoulli, by_facts, by_logarithms, by_monotone, by_squares, by_tangents, coefficient
from asymp.prove.search import Search, Tree, Way
from asymp.prove.turning import by_concavity, by_turning, ends

BY: Tree = ["by", []]


def by_sign(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """The sign of its value."""
    yield BY


def by_hypotheses(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """A hypothesis times what makes the rest vanish or have a sign: tried with the quotients of monomials."""
    value = at.value(d)
    bottom = Ratio(value.den).inverse()
    for i, (low, sign, high) in enumerate(at.pairs):
        try:
            h = at.value(difference(high, low))
        except Refused:
            continue
        if h.den != ONE_POLY:
            continue
        quotients = (
            Ratio({powers: c}) * Ratio({other: e}).inverse()
            for powers, c in list(value.num.items())[:12] for other, e in list(h.num.items())[:4]
        )  # fmt: skip
        for m in {m.key: m for m in quotients}.values():
            factor = m * bottom
            more = times(at.of(factor), WANTED[sign])
            if more <= wanted | NONE and plus([more, at.of(value - factor * h)]) <= wanted:
                yield ["by", [[str(to_term(factor)), ["given", i]]]]


def by_cases(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Max, Min and Abs, the innermost first."""
    for part in sorted(terms.walk(d), key=lambda t: sum(1 for _ in terms.walk(t))):
        if terms.has_bound(part) or part.head not in ("Max", "Min", "Abs"):
            continue
        if part.head == "Abs":
            u = part.parts[0]
        elif len(part.parts) == 2:
            u = difference(*part.parts)
        else:
            continue
        if at.signs(u) <= NONNEGATIVE or at.signs(u) <= {-1, 0}:
            continue
        above = search.maybe(d, at.given((ZERO, "<=", u)), wanted, depth - 1)
        if above is not None:
            below = search.maybe(d, at.given((u, "<=", ZERO)), wanted, depth - 1)
            if below is not None:
                yield ["cases", str(u), above, below]
        return


def by_halves(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """On either side of 0, in a variable of the real line: cosh(x) >= 1 + x^2/2 is shown from there on."""
    for x in sorted(free(d) - at.whole - CONSTANTS):
        if any(x in free(low) | free(high) for low, _, high in at.pairs):
            continue
        above = search.maybe(d, at.given((ZERO, "<=", name(x))), wanted, depth - 1)
        if above is not None:
            below = search.maybe(d, at.given((name(x), "<=", ZERO)), wanted, depth - 1)
            if below is not None:
                yield ["cases", x, above, below]
        return


def without_abs(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """b - Abs(u): b - u and b + u, whichever is smaller; by the cases of u with lemmas that do not need them."""
    if d.head != "sum":
        return
    for part in d.parts:
        u = part.parts
        if part.head != "product" or len(u) != 2 or number(-1) not in u:
            continue
        inside_ = u[1] if u[0] == number(-1) else u[0]
        if inside_.head != "Abs":
            continue
        rest = add(*(p for p in d.parts if p is not part))
        sides = []
        for side in (negative(inside_.parts[0]), inside_.parts[0]):
            e = add(rest, side)
            tree = search.maybe(e, at, wanted, depth - 1)
            if tree is None:
                return
            sides.append(["by", [["1", ["lemma", str(e), tree]]]])
        yield ["cases", str(inside_.parts[0]), *sides]


# --- factors ----------------------------------------------------------------------------------------


def by_factors(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """The factors of known sign, times a goal for the others."""
    value = at.value(d)
    known, unknown = rational(1), rational(1)
    parts = _factors(value.num)
    if value.den != ONE_POLY:
        parts.append((Ratio(value.den), -1))
    for e, k in parts:
        signs = at.of(e)
        if signs <= NONNEGATIVE or k % 2 == 0:
            known = known * e.power(k)
        elif signs <= {-1, 0}:
            known = known * (-e).power(k)
            unknown = -unknown if k % 2 else unknown
        else:
            known, unknown = known * e.power(k - 1 if k > 0 else k + 1), unknown * e.power(1 if k > 0 else -1)
    if unknown.den != ONE_POLY:
        return
    rest = to_term(unknown)
    if rest == d:
        return
    if unknown.constant() is not None or not (at.of(known) <= NONNEGATIVE):
        # squares of what has no sign by itself
        yield from _squares(parts, at)
    if unknown.constant() is None and at.of(known) <= NONNEGATIVE:
        tree = search.maybe(rest, at, wanted if wanted != NONE else NONE, depth - 1)
        if tree is not None:
            yield ["by", [[str(to_term(known)), ["lemma", str(rest), tree]]]]


def _factors(p: Poly) -> list[tuple[Ratio, int]]:
    """A polynomial in factors with their exponents; their product is the polynomial."""
    try:
        c, powers, rest = factored(p)
    except Refused:
        return [(Ratio(p), 1)]
    if len(p) == 1 or any(k.denominator != 1 for powers in p for _, k in powers):
        return [(Ratio(p), 1)]
    return [(rational(c), 1), *((atom(a), int(k)) for a, k in powers), *((Ratio(q), k) for q, k in rest)]


def _squares(parts: list[tuple[Ratio, int]], at: Context) -> Iterator[Tree]:
    square, others = rational(1), rational(1)
    for e, k in parts:
        if not at.of(e) <= NONNEGATIVE and not at.of(e) <= {-1, 0} and k > 0:
            square, others = square * e.power(k // 2), others * e.power(k % 2)
        else:
            others = others * e.power(k)
    yield ["by", [[str(to_term(others)), ["square", str(to_term(square))]]]]


# --- variables ----------------------------------------------------------------------------------------


def by_slack(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """x = a + t for a hypothesis a <= x on another variable."""
    for i, (low, sign, high) in enumerate(at.pairs):
        for x, a in ((high, low), (low, high)):
            if sign == "=" or x.head != "name" or not free(a) or x.name not in free(d):
                continue
            try:
                bound(at, x.name, i)
            except Refused:
                continue
            t = fresh(d, at)
            value = {x.name: add(a, name(t)) if x is high else difference(a, name(t))}
            here = _put(at, i, x.name, t, a, sign, value)
            tree = search.maybe(terms.substitute(d, value), here, wanted, depth - 1)
            if tree is not None:
                yield ["put", x.name, i, t, tree]


def _put(at: Context, i: int, x: str, t: str, a: Term, sign: str, value: dict[str, Term]) -> Context:
    pairs = [
        (terms.substitute(p[0], value), p[1], terms.substitute(p[2], value)) for k, p in enumerate(at.pairs) if k != i
    ]  # fmt: skip
    whole = {t} if x in at.whole and at.is_whole(a) else set()
    return Context((at.whole - {x}) | whole, ((ZERO, sign, name(t)), *pairs))


def by_induction(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """From the least value of a whole variable on; for what has a harmonic number in it."""
    for n in sorted(at.whole & free(d)):
        if not any(part.head in ("harmonic", "Sum") and n in free(part) for part in terms.walk(d)):
            continue
        for i, a, strict, rises in ends(at, n):
            if not rises or not at.is_whole(a):
                continue
            first = add(a, ONE) if strict else a
            others = tuple(p for p in at.pairs if n not in free(p[0]) | free(p[2]))
            start = search.maybe(terms.substitute(d, {n: first}), Context(at.whole - {n}, others), wanted, depth - 1)
            if start is None:
                continue
            rise = difference(terms.substitute(d, {n: add(name(n), ONE)}), d)
            here = Context(at.whole, (*others, (first, "<=", name(n))))
            step = search.maybe(rise, here, wanted | NONE, depth - 1)
            if step is not None:
                yield ["induct", n, i, start, step]


def harmonic_first(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """H(x) >= log(x + 1) between, where log(x) alone would not do by induction."""
    value = at.value(d)
    if wanted == NONE or value.den != ONE_POLY:
        return
    for a in sorted({a for powers in value.num for a, _ in powers if a.head == "harmonic"}, key=str):
        c, x = coefficient(value, a), a.parts[0]
        if c is None or x.head != "name" or not at.of(c) <= NONNEGATIVE or depth < 3:
            continue
        e = difference(a, call("log", add(x, ONE)))
        if at.value(e) == value:
            continue
        middle = search.maybe(e, at, NONNEGATIVE, depth - 1)
        rest = value - c * at.value(e)
        tree = search.maybe(to_term(rest), at, wanted, depth - 1) if middle is not None else None
        if tree is not None:
            yield ["by", [[str(to_term(c)), ["lemma", str(e), middle]], ["1", ["lemma", str(to_term(rest)), tree]]]]


def by_dropping(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """Without one of the terms that are not negative, beside a harmonic number."""
    value = at.value(d)
    if wanted == NONE or value.den != ONE_POLY or not any(a.head == "harmonic" for p in value.num for a, _ in p):
        return
    for powers, c in value.num.items():
        one = Ratio({powers: c})
        if powers and at.of(one) <= NONNEGATIVE and not any(a.head == "harmonic" for a, _ in powers):
            rest = to_term(value - one)
            tree = search.maybe(rest, at, wanted, depth - 1)
            if tree is not None:
                yield ["by", [["1", ["lemma", str(rest), tree]]]]


def by_small_numbers(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """The least value of a whole variable apart from the others."""
    for n in sorted(at.whole & free(d)):
        low = at.ranges[n].low if n in at.ranges else None
        if low is None or low > 4 or depth < search.top - 1:
            continue
        k = number(low)
        for _, a, strict, _ in ends(at, n):
            if strict or a != k:
                continue
            point = Context(at.whole, (*at.pairs, (name(n), "<=", k)))
            tree = search.maybe(d, point, wanted, 2)
            if tree is None:
                continue
            rest = search.maybe(d, at.given((add(k, ONE), "<=", name(n))), wanted, depth - 1)
            if rest is not None:
                yield ["whole", n, str(k), tree, rest]


def by_slope(search: Search, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
    """From an end of a variable on."""
    if wanted == NONE or depth < 2:
        return
    for x in sorted(free(d)):
        for i, a, strict, rises in ends(at, x):
            others = tuple(p for p in at.pairs if x not in free(p[0]) | free(p[2]))
            inside_ = [p for p in at.pairs if other_end(p, x, rises)]
            edges = tuple((a, s, high) if rises else (low, s, a) for low, s, high in inside_)
            try:
                start_goal = terms.substitute(d, {x: a})
                d_x = derivative(d, x)
            except Refused:
                continue
            start = search.maybe(start_goal, Context(at.whole - {x}, (*others, *edges)), wanted | NONE, min(depth - 1, 4))
            if start is None:
                continue
            inner: Pair = (a, "<", name(x)) if rises else (name(x), "<", a)
            segment = Context(at.whole - {x}, (*others, inner, *inside_))
            for least in dict.fromkeys((POSITIVE if wanted == POSITIVE and strict else NONNEGATIVE, NONNEGATIVE)):
                slope = search.maybe(d_x if rises else negative(d_x), segment, least, depth - 1)
                if slope is not None:
                    yield ["slope", x, i, start, slope]
                    break


WAYS: tuple[Way, ...] = (
    by_sign, by_hypotheses, without_abs, by_cases, by_integrands, by_antiderivative, harmonic_first, by_induction, by_dropping,
    by_bernoulli, by_logarithms, by_monotone, by_squares, by_tangents, by_factors, by_facts, by_slack, by_small_numbers,
    by_concavity, by_slope, by_halves, by_turning,
)  # fmt: skip
LIGHT: tuple[Way, ...] = (by_sign, by_hypotheses, without_abs, by_cases, by_integrands, by_antiderivative)
"""What is tried where sums make the values large."""
