"""Search for proofs of comparisons of terms with sums: closed forms, induction, logarithms; the kernel's rules decide.

>>> holds(read_statement("Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n >= 1"))
⊢ Sum(k, (k, 1, n)) = n*(n + 1)/2 for whole n >= 1
>>> holds(read_statement("(1 + x)^n >= 1 + n*x for x > 0, whole n >= 1"))
⊢ (1 + x)^n >= 1 + n*x for x > 0, whole n >= 1
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.rings.ratio import Ratio, atom, rational, to_term
from asymp.kernel.sequences import tied
from asymp.kernel.sequences.induction import Link, difference, links
from asymp.kernel.summation.sums import Sums, bound, settled
from asymp.kernel.terms import Refused, Term, add, multiply, name, negative, number, reciprocal, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import Compared, Condition, OfKind, read_conditions, text_of
from asymp.language.statement import Comparison, Statement, read_statement
from asymp.prove import first, read_on
from asymp.prove.closed_forms import Total, closed_form, linear_part, names_in, simple, totals
from asymp.prove.denominators import cleared, denominators, summands

DEEPEST = 3
"""Inductions inside one another."""
MOST_TRIES = 30
MOST_BOUNDS = 4


def holds(statement: Statement) -> Theorem:
    """A theorem that a comparison holds for all of its domain.

    Raises:
        Refused: none was found, or the statement is of another form.
    """
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    return _Search(WAYS).holds(statement, 0)


def untied(statement: Statement) -> Theorem:
    """A theorem, with its value for a variable that the domain gives by others."""
    equations = [c.parts for c in statement.domain if isinstance(c, Compared) and c.signs == ("=",)]
    for v in {node.text: None for parts in equations for node in parts if node.kind == "name"}:
        with contextlib.suppress(Refused):
            rest = tied.untied(statement, v)[2]
            premise = first(partial(way, rest) for way in (holds, untied))
            return apply("tied", [premise], statement=str(statement), variable=v)
    raise Refused("no variable that others give")


class _Search:
    """One search: it counts what it tries.  ``ways`` to prove one comparison, besides induction."""

    def __init__(self, ways: Sequence[Callable[[Statement], Theorem]] = ()) -> None:
        self.left = MOST_TRIES
        self.ways = ways

    def holds(self, statement: Statement, depth: int) -> Theorem:
        """A theorem, by the first way that finds one; of a chain that no way proves at once each link by itself."""
        self.left -= 1
        if self.left < 0:
            raise Refused("no proof found with so many tries")
        pairs = _split(statement)
        ways = self.ways if len(pairs) == 1 else [_plainly]
        with contextlib.suppress(Refused):
            return first(partial(way, statement) for way in ways)
        if len(pairs) > 1:
            parts = [self.holds(one, depth) for one in pairs]
            return apply("sums", parts, statement=str(statement), by=[[[j, "1"]] for j in range(len(parts))])
        with contextlib.suppress(Refused):
            return self.by_clearing(statement, depth)
        if depth < DEEPEST:
            return self.by_induction(statement, depth)
        raise Refused("no way to such a theorem")

    def by_clearing(self, statement: Statement, depth: int) -> Theorem:
        """The two sides times a denominator that is seen to be positive."""
        ((left, sign, right),) = _links(statement)
        for over in denominators(left, right):
            one = _at_rest(statement)
            if one.sign(one.of(over)) != 1:
                continue
            sides = [add(*(cleared(part, over) for part in summands(side))) for side in (left, right)]
            premise = self.holds(_written(sides[0], sign, sides[1], statement.domain), depth)
            return apply("sums", [premise], statement=str(statement), by=[[[0, str(reciprocal(over))]]])
        raise Refused("no denominators")

    def by_induction(self, statement: Statement, depth: int) -> Theorem:
        """Over a whole variable that starts at a number; the step may be an induction again."""
        ((left, sign, right),) = _links(statement)
        for n, least, others in _starts(statement):
            base = _written(substitute(left, {n: least}), sign, substitute(right, {n: least}), others)
            weaker = "<=" if sign == "<" else sign
            step = _written(difference(left, n), weaker, difference(right, n), statement.domain)
            try:
                first, then = self.holds(base, DEEPEST), self.holds(step, depth + 1)
                return apply("induction", [first, then], statement=str(statement), variable=n)
            except Refused:
                continue
        raise Refused("no induction is found")


def _links(statement: Statement) -> list[Link]:
    assert isinstance(statement.body, Comparison)
    return links(statement.body.chain)


def _split(statement: Statement) -> list[Statement]:
    """The comparisons of a chain, each by itself."""
    return [_written(left, sign, right, statement.domain) for left, sign, right in _links(statement)]


def _written(left: Term, sign: str, right: Term, domain: Sequence[Condition]) -> Statement:
    return read_on(f"{left} {sign} {right}", domain)


def _plainly(statement: Statement) -> Theorem:
    return apply("sums", statement=str(statement), by=[])


# --- closed forms -------------------------------------------------------------------------------------


def _by_closed_forms(statement: Statement) -> Theorem:
    """All sums that have closed forms are replaced by these."""
    assert isinstance(statement.body, Comparison)
    where = f" for {text_of(statement.domain)}" if statement.domain else ""
    premises: list[Theorem] = []
    places: dict[str, int] = {}

    def closed(one: Sums, total: Total) -> tuple[int, Term] | None:
        found = closed_form(one, total, statement)
        if found is None:
            return None
        text, variable, by, value = found
        if text not in places:
            try:
                premises.append(apply("telescope", statement=text + where, variable=variable, by=by))
            except Refused:
                return None
            places[text] = len(premises) - 1
        return places[text], value

    by: list[list[list[object]]] = []
    one = _at_rest(statement)
    for left, _, right in _links(statement):
        gap, used = one.of(right) - one.of(left), list[list[object]]()
        for total in totals(one, gap):
            form, part = closed(one, total), linear_part(gap, total.atom)
            if form is not None and part is not None:
                used.append([form[0], str(one.meant(to_term(-part)))])
                gap = gap + part * (one.of(form[1]) - Ratio({((total.atom, mpq(1)),): mpq(1)}))
        by.append(used)
    if not premises:
        raise Refused("no sum with a closed form is seen")
    return apply("sums", premises, statement=str(statement), by=by)


def _starts(statement: Statement) -> Iterator[tuple[str, Term, list[Condition]]]:
    whole = {c.name for c in statement.domain if isinstance(c, OfKind) and c.kind == "whole"}
    for n in sorted(whole):
        about = [c for c in statement.domain if n in names_in(c) or (isinstance(c, OfKind) and c.name == n)]
        bounds = [c for c in about if not isinstance(c, OfKind)]
        if len(bounds) == 1 and isinstance(bounds[0], Compared) and len(bounds[0].parts) == 2:
            low = terms.of(bounds[0].parts[1])
            if bounds[0].signs == (">=",) and low.is_number:
                yield n, low, [c for c in statement.domain if c not in about]


# --- bounds of single functions ---------------------------------------------------------------------------


def _monotone(statement: Statement) -> Theorem:
    return apply("monotone", statement=str(statement))


def _by_shifts(statement: Statement) -> Theorem:
    """Sums whose body is g(k) - g(k + 1), which are g(a) - g(b + 1)."""
    domain = statement.domain
    (found,) = _links(statement)
    taken = set().union(*(terms.free(side) for side in (found[0], found[2])), *(names_in(c) for c in domain))
    k = next(v for v in (f"k{j}" if j else "k" for j in range(100)) if v not in taken)
    premises, by = [], []
    for side, factor in ((found[0], "-1"), (found[2], "1")):
        for part in side.parts if side.head == "sum" else (side,):
            if part.head == "Sum" and part.parts[0].head == "sum":
                body, low, high = part.parts
                for g in terms.opened(body, name(k)).parts:
                    value = substitute(g, {k: low})
                    if high != name("oo"):
                        value = add(value, negative(substitute(g, {k: add(high, terms.ONE)})))
                    try:
                        one = _written(part, "=", value, domain)
                        premises.append(apply("telescope", statement=str(one), variable=k, by=str(negative(g))))
                    except Refused:
                        continue
                    by.append([len(premises) - 1, factor])
                    break
    if not premises:
        raise Refused("no sum of differences is seen")
    rest = [_written(*found, domain)]
    return apply("sums", premises, statement=str(rest[0]), by=[_negated(by)])


def _negated(by: list[Any]) -> list[Any]:
    """The premise is sum = value: the gap g - f less c (value - sum) has the value for the sum if c is minus its factor."""
    return [[place, "1" if factor == "-1" else "-1"] for place, factor in by]


def _by_bounds(statement: Statement) -> Theorem:
    """Sums, harmonic numbers and logarithms replaced by their bounds."""
    return _bounded(statement, (_terms, _falling, _harmonic, _logarithm))


def _by_logarithms(statement: Statement) -> Theorem:
    return _bounded(statement, (_logarithm,))


def _bounded(statement: Statement, bounds: Sequence[Callable[[Sums, Ratio, Statement], Bound | None]]) -> Theorem:
    ((left, sign, right),) = _links(statement)
    if sign == "=":
        raise Refused("bounds prove no equation")
    one = _at_rest(statement)
    gap = one.of(right) - one.of(left)
    premises: list[Theorem] = []
    by: list[list[object]] = []
    for way in bounds:
        for _ in range(MOST_BOUNDS):
            if one.is_nonnegative(gap) or (found := way(one, gap, statement)) is None:
                break
            theorem, factor = found
            ((low, _, high),) = _links(theorem.statement)
            gap = gap - factor * (one.of(high) - one.of(low))
            premises.append(theorem)
            by.append([len(premises) - 1, str(one.meant(to_term(factor)))])
    return apply("sums", premises, statement=str(statement), by=[by])


def _at_rest(statement: Statement) -> Sums:
    """Coefficients on the domain, with the ends of sums that are kept for the statement's sides."""

    def work(one: Sums) -> Sums:
        for left, _, right in _links(statement):
            one.of(left)
            one.of(right)
        return one

    return settled(statement.domain, work)


Bound = tuple[Theorem, Ratio]


def _scaled(one: Sums, gap: Ratio) -> tuple[Ratio, Ratio]:
    """The gap times its inverses' polynomials, and the product of the inverses."""
    found, over = one.cleared(gap)
    return Ratio(found), over


def _harmonic(one: Sums, gap: Ratio, statement: Statement) -> Bound | None:
    """log(m + 1) <= harmonic(m) <= 1 + log(m), the second for m >= 1."""
    scaled, over = _scaled(one, gap)
    for total in totals(one, scaled):
        c = linear_part(scaled, total.atom)
        if total.body != one._of(reciprocal(name(total.variable))) or total.low != terms.ONE or c is None:
            continue
        for more in (0, 1):
            end = one._of(total.high) + rational(more)
            m = simple(add(one.meant(total.high), number(more)))
            for least, text, factor in ((1, "harmonic(m) <= 1 + log(m)", -c), (0, "log(m + 1) <= harmonic(m)", c)):
                if one.is_nonnegative(factor) and one.is_nonnegative(end - rational(least)):
                    lemma = _lemma(f"{text} for whole m >= {least}")
                    ((low, sign, high),) = _links(lemma.statement)
                    put = _written(substitute(low, {"m": m}), sign, substitute(high, {"m": m}), statement.domain)
                    return apply("instance", [lemma], statement=str(put), values={"m": str(m)}), factor * over
    return None


@uncounted
@lru_cache(maxsize=10)
def _lemma(text: str) -> Theorem:
    return _Search((_plainly, _by_logarithms)).by_induction(read_statement(text), 0)


def _logarithm(one: Sums, gap: Ratio, statement: Statement) -> Bound | None:
    """1 - 1/y <= log(y) <= y - 1, for all logarithms together, for two of opposite factors, or for one."""
    scaled, over = _scaled(one, gap)
    logs = {a: meaning.parts[0] for powers in scaled.num for a, _ in powers
            if (meaning := one.meaning.get(a.name, a)).head == "log"}  # fmt: skip
    factors = {a: c for a in logs if (c := linear_part(scaled, a)) is not None}
    together = [dict(_multiples(factors, a)) for a in factors if not logs[a].is_number]
    pairs = [{a: 1, b: -1} for a in factors for b in factors if a != b and one.is_zero(factors[a] + factors[b])]
    for powers in [*(one for one in together if len(one) > 1), *pairs, *({a: 1} for a in factors if not logs[a].is_number)]:
        c = factors[next(iter(powers))]
        y = multiply(*(terms.power(one.meant(logs[a]), number(m)) for a, m in powers.items()))
        if one.is_nonnegative(c):
            text = _written(add(terms.ONE, negative(reciprocal(y))), "<=", terms.call("log", y), statement.domain)
        elif one.is_nonnegative(-c):
            text, c = _written(terms.call("log", y), "<=", add(y, number(-1)), statement.domain), -c
        else:
            continue
        try:
            return apply("logarithm", statement=str(text)), c * over
        except Refused:
            continue
    return None


def _multiples(factors: Mapping[Term, Ratio], first: Term) -> Iterator[tuple[Term, int]]:
    """Of the logarithms those whose factors are whole multiples of the first one's."""
    yield first, 1
    for a, c in factors.items():
        ratio = (c * factors[first].inverse()).constant()
        if a != first and ratio is not None and ratio.denominator == 1:
            yield a, int(ratio)


def _falling(one: Sums, gap: Ratio, statement: Statement) -> Bound | None:
    """Sum(f(k)/k, (k, 1, b)) >= Sum(f(k), (k, 1, b))/(b + 1), for f >= 0 of which the sum has a closed form."""
    scaled, over = _scaled(one, gap)
    for total in totals(one, scaled):
        c = linear_part(scaled, total.atom)
        if c is None or not one.is_nonnegative(c) or total.low != terms.ONE or total.high == name("oo"):
            continue
        ((powers, _),) = total.body.num.items()
        if dict(powers).get(name(total.variable)) != -1 or len(powers) < 2:
            continue
        k = _fresh(statement)
        high = simple(one.meant(total.high))
        f = one.meant(to_term(total.body * atom(name(total.variable))))
        f = substitute(f, {total.variable: name(k)})
        try:
            both, termwise = _term_by_term(multiply(f, reciprocal(add(high, terms.ONE))), multiply(f, reciprocal(name(k))), k,
                                           high, statement)  # fmt: skip
            form = closed_form(one, Total(total.atom, total.body * atom(name(total.variable)), total.low, total.high,
                                           total.variable), statement)  # fmt: skip
            if form is None:
                continue
            sum_, value = terms.read(form[0].split(" = ")[0]), form[3]
            text = str(_written(sum_, "=", value, statement.domain))
            equation = apply("telescope", statement=text, variable=form[1], by=form[2])
            lower = multiply(value, reciprocal(add(high, terms.ONE)))
            goal = _written(lower, "<=", both[1], statement.domain)
            factor = str(negative(reciprocal(add(high, terms.ONE))))
            return apply("sums", [termwise, equation], statement=str(goal), by=[[[0, "1"], [1, factor]]]), c * over
        except Refused:
            continue
    return None


def _terms(one: Sums, gap: Ratio, statement: Statement) -> Bound | None:
    """Sum(f(k), (k, 1, b)) <= Sum(g(k), (k, 1, b)) for f <= g, where both stand in the gap, with factors of theirs or not."""
    scaled, over = _scaled(one, gap)
    found = totals(one, scaled)
    k = _fresh(statement)
    for total, other in ((x, y) for x in found for y in found if x is not y and (x.low, x.high) == (y.low, y.high)):
        c, d = linear_part(scaled, total.atom), linear_part(scaled, other.atom)
        if c is None or not one.is_nonnegative(-c) or total.low != terms.ONE or total.high == name("oo"):
            continue
        high = simple(one.meant(total.high))
        small, large = (substitute(one.meant(to_term(x.body)), {x.variable: name(k)}) for x in (total, other))
        with contextlib.suppress(Refused):
            return _term_by_term(small, large, k, high, statement)[1], -c * over
        if d is not None and one.is_nonnegative(d):  # Sum(-c f(k)) <= Sum(d g(k))
            small, large = (multiply(one.meant(to_term(x)), part) for x, part in ((-c, small), (d, large)))
            with contextlib.suppress(Refused):
                return _term_by_term(small, large, k, high, statement)[1], over
    return None


def _fresh(statement: Statement) -> str:
    """A letter for a term's place."""
    taken = set().union(*(names_in(x) for x in statement.domain))
    return next(v for v in (f"k{j}" if j else "k" for j in range(100)) if v not in taken)


def _term_by_term(small: Term, large: Term, k: str, high: Term, statement: Statement) -> tuple[list[Term], Theorem]:
    """Sum(small, (k, 1, high)) <= Sum(large, (k, 1, high)): the two sums, and the theorem."""
    own = terms.free(small) | terms.free(large)
    ours = [c for c in statement.domain if names_in(c) <= own]
    within = [*ours, *read_conditions(f"whole {k}, 1 <= {k}, {k} <= {high}")]
    premise = apply("sums", statement=str(_written(small, "<=", large, within)), by=[])
    both = [Term("Sum", (bound(side, k), terms.ONE, high)) for side in (small, large)]
    return both, apply("termwise", [premise], statement=str(_written(both[0], "<=", both[1], statement.domain)), variable=k)


WAYS = (_plainly, _monotone, _by_closed_forms, _by_shifts, _by_bounds)
