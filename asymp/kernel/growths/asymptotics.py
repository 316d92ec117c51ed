"""Rules of asymptotic statements: f ~ g, f -> c, f = O(g) and its kin, f = a + b + O(g), proved or refuted by series.

- ``asymptotic``: the statement holds, on every path of its regime and for all parameters of its domain; one such path is shown.
- ``path``: it fails, on one path of the regime, for one choice of the parameters, which is verified to be in the domain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.growths.any_sum import pulled_out
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.leaves import agree, all_used, expander_of
from asymp.kernel.growths.paths import path_of, refuting
from asymp.kernel.growths.products import sign_of
from asymp.kernel.growths.regime import moving, placed, ranges
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.noted import noted
from asymp.kernel.rings.gamma import by_reflection
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule, together
from asymp.language.bodies import And, Body, Comparison, Eventual, Expanding, Limiting, Ordering, Ratio, parts_of
from asymp.language.statement import Statement
from asymp.language.syntax import Node, words

MOST_ORDER = 64
LARGE = frozenset({"factorial", "factorial2", "gamma", "binomial", "exp"})
"""Heads of what is worth a place before others: of which a series is known up to a factor."""


class Decided(Refused):
    """The series say the opposite of what was to be shown: with more terms they would say the same."""


# --- statements that hold ------------------------------------------------------------------------------


@rule("asymptotic", of_sequences=True)
def _asymptotic(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f ~ g, f = o(g), f = O(g) and the like hold, by the series of f and g.

    Data: statement, order (terms kept of a function's series), place (see regime), and a path of the regime: runner, values
    (see paths).
    """
    statement, order = read_closed(data["statement"]), data["order"]
    checked_order(statement, order)
    where = placed(statement, data["place"], [premise.statement for premise in premises])

    def read(node: Node) -> Term:
        return where.put(terms.of(node))

    def shows(algebra: Algebra) -> None:
        expander = expander_of(premises, statement, where, algebra)
        if not holds(statement.body, expander, read):
            if seen(lambda: fails(statement.body, lambda node: expander.series(read(node)), expander.algebra)):
                raise Decided("the series show that it fails")
            raise Refused("the series do not show it")
        all_used(premises, expander)
        noted("series", where=where, expander=expander)

    by_series(shows, Algebra(where.domain, order), map(read, statement.terms()))
    path_of(statement, data, [premise.statement for premise in premises])
    return Conclusion(statement)


def by_series(shows: Callable[[Algebra], object], algebra: Algebra, said: Iterable[Term]) -> None:
    """That series show something; where terms are rounded, once more with names for what is rounded off.

    Raises:
        Refused: they do not.
    """
    try:
        shows(algebra)
    except Decided:
        raise
    except Refused:
        if not any(part.head in ("floor", "ceiling") for term in said for part in terms.walk(term)):
            raise
        shows(algebra.exactly())


def checked_order(statement: Statement, order: Any) -> None:
    """That a statement is of a regime alone, and an order one that is allowed.

    Raises:
        Refused: it is not.
    """
    if statement.some or statement.uniform or not statement.regime:
        raise Refused("a statement of another form")
    if type(order) is not int or not 1 <= order <= MOST_ORDER:
        raise Refused(f"an order from 1 to {MOST_ORDER}")


def seen(question: Callable[[], bool]) -> bool:
    """Whether the answer is yes; not where there is none."""
    try:
        return question()
    except Refused:
        return False


def holds(body: Body, expander: Expander, read: Callable[[Node], Term]) -> bool:
    """Whether the series show it; ``read`` says what the statement's terms are in the quantities."""
    a = expander.algebra

    def series(node: Node) -> Series:
        return expander.series(read(node))

    match body:
        case Ratio():
            f, g = quotient(expander, read(body.left), read(body.right))
            return a.within(a.minus(f, g), "o", g)
        case Expanding():
            f, g = a.minus(series(body.left), series(body.kept)), series(body.growth)
            if (f.is_zero and body.order in ("O", "o")) or a.within(f, body.order, g):  # what is 0 is O(0) too
                return True
            return any(a.within(one, body.order, g) for one in gap(expander, read(body.left), read(body.kept)))
        case Ordering():
            f, g = quotient(expander, read(body.left), read(body.growth))
            return a.within(f, body.order, g)
        case Limiting():
            f, target = series(body.left), terms.of(body.value)
            if target in (terms.name("oo"), terms.negative(terms.name("oo"))):
                told, growths = a.below(f)
                rises = any(g.limit(a.domain) == "infinity" for g in growths)
                return rises and told == (1 if target.head == "name" else -1)
            if not expander.constant(read(body.value)):
                raise Refused("a limit that is no constant")
            return a.vanishes(a.minus(f, series(body.value)))
        case Eventual():
            return in_the_end(body.left, body.sign, body.right, series, a) == 1
    raise Refused("a statement of another form")


def in_the_end(left: Node, sign: str, right: Node, series: Callable[[Node], Series], a: Algebra) -> int:
    """1 where left < right is so from some point on (or >, if that is the sign), -1 where it is the other way round.

    Raises:
        Refused: no term is seen to lead the difference.
    """
    low, high = (left, right) if sign[0] == "<" else (right, left)
    return a.below(a.minus(series(high), series(low)))[0]


def without_common(f: Term, g: Term) -> Term | None:
    """f - g without the terms that stand in both; None where there are none.  Both have to be defined."""
    mine, others = ([*x.parts] if x.head == "sum" else [x] for x in (f, g))
    both = [part for part in dict.fromkeys(mine) if part in others]
    for part in both:
        mine.remove(part)
        others.remove(part)
    return terms.add(*mine, *map(terms.negative, others)) if both else None


def by_factor(f: Term, g: Term) -> Term | None:
    """f - g with one factor that several terms have before these; None where there is none.  Both have to be defined.

    >>> str(by_factor(terms.read("n!*x"), terms.read("n!/E + 1/n")))
    'factorial(n)*(x - exp(-1)) - n^(-1)'
    """
    rows = [[*part.parts] if part.head == "product" else [part] for x in (f, terms.negative(g)) for part in _summands(x)]
    count = Counter(factor for row in rows for factor in set(row) if not factor.is_number)
    large = [factor for factor, k in count.items() if k > 1 and (factor.head in LARGE or _is_exponential(factor))]
    if not large:
        return None
    h = max(large, key=lambda factor: (count[factor], factor.order))
    inside, others = [], []
    for row in rows:
        if h in row:
            row.remove(h)
            inside.append(terms.multiply(*row))
        else:
            others.append(terms.multiply(*row))
    return terms.add(terms.multiply(h, terms.add(*inside)), *others)


def _summands(term: Term) -> tuple[Term, ...]:
    if term.head == "product" and len(term.parts) == 2 and term.parts[0].is_number and term.parts[1].head == "sum":
        return tuple(terms.multiply(term.parts[0], part) for part in term.parts[1].parts)
    return term.parts if term.head == "sum" else (term,)


def _is_exponential(term: Term) -> bool:
    return term.head == "power" and not term.parts[1].is_number


def gap(expander: Expander, f: Term, g: Term) -> Iterator[Series]:
    """Series of f - g, without what is known of it twice: where both f and g have a remainder, and f - g a smaller one."""
    for way in (without_common, by_factor):
        if (term := way(f, g)) is not None:
            with suppress(Refused):
                yield expander.series(term)
    with suppress(Refused):
        before = [_pulled(expander, side) for side in (f, g)]
        if before != [f, g] and (term := by_factor(*before)) is not None:
            yield expander.series(term)


def _pulled(expander: Expander, term: Term) -> Term:
    """A term with what is free of the index of each sum before it."""
    if term.head == "Sum":
        return pulled_out(expander, term)
    if term.head not in ("sum", "product"):
        return term
    return terms.rebuilt(term, tuple(_pulled(expander, part) for part in term.parts))


def quotient(expander: Expander, f: Term, g: Term) -> tuple[Series, Series]:
    """Series of a and b with f = a h and g = b h: products of factors of which none is seen to be a whole power of something.

    All of the factors are defined, and what f and g divide by is not 0 in the end.  Nor is a factor of g, unless f has it as
    often: a = o(b), a = O(b) or a ~ b say the same of a h and b h, whatever zeros h has.
    """
    found: dict[Term, int] = {}
    divided: set[Term] = set()

    def sort(term: Term, k: int, over: bool) -> None:
        if term.head == "product" and term not in expander.leaves:
            for part in term.parts:
                sort(part, k, over)
        elif term.head == "power" and (e := term.parts[1]).is_number and e.number.denominator == 1 and e.number:
            sort(term.parts[0], k * int(e.number), over and e.number > 0)
        else:
            expander.series(term)  # it is defined
            if not over or (k < 0 and term.is_number):  # g is not 0
                divided.add(term)
            found[term] = found.get(term, 0) + k

    sort(f, 1, True)
    sort(g, -1, True)
    for term in sorted(divided | {term for term, k in found.items() if k < 0}, key=str):
        sign_of(expander, term)
    powers = {x: k for x, k in found.items() if k}
    over, under = (
        terms.multiply(*(terms.power(x, terms.number(abs(k))) for x, k in powers.items() if k * way > 0)) for way in (1, -1)
    )
    below = expander.series(under)
    if not below.terms:  # its size is not known by itself
        both = terms.multiply(*(terms.power(x, terms.number(k)) for x, k in powers.items()))
        return expander.series(both), expander.algebra.constant(rational(1))
    return expander.series(over), below


# --- statements that fail --------------------------------------------------------------------------------


@rule("path", of_sequences=True)
def _path(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f ~ g and the like fail, along a path; of a uniform statement, for one choice of its variable in its range there.

    Data: statement, order, runner and values (see paths).

    Every condition of the regime and of the domain is verified on the path, and on it the difference, or the quotient, has a
    term of a size that the statement excludes.
    """
    statement, order = read_closed(data["statement"]), data["order"]
    checked_order(replace(statement, uniform=()), order)
    path = refuting(statement, data, [premise.statement for premise in premises])
    where = path.where
    if isinstance(statement.body, Limiting) and terms.free(terms.of(statement.body.value)) & moving(statement):
        raise Refused("a limit that moves")

    def read(node: Node) -> Term:
        return where.put(terms.of(node))

    def shows(algebra: Algebra) -> None:
        expander = expander_of(premises, statement, where, algebra)
        expander.whole |= {terms.name(path.runner)}
        if not fails_by_series(statement.body, expander, read):
            if seen(lambda: holds(statement.body, expander, read)):
                raise Decided("the series show that it holds on the path")
            raise Refused("the series do not show that it fails")
        all_used(premises, expander)
        noted("series", where=where, expander=expander)

    by_series(shows, Algebra(where.domain, order), map(read, statement.terms()))
    return Conclusion(statement, holds=False)


def fails_by_series(body: Body, expander: Expander, read: Callable[[Node], Term]) -> bool:
    """So of terms: also where a difference of two is known better than both.

    Raises:
        Refused: that is not seen.
    """
    a = expander.algebra

    def series(node: Node) -> Series:
        return expander.series(read(node))

    try:
        return fails(body, series, a)
    except Refused:
        if not isinstance(body, Expanding):
            raise
        gaps = gap(expander, read(body.left), read(body.kept))
        if any(seen(lambda one=one: _beyond(a, one, body.order, series(body.growth))) for one in gaps):  # type: ignore[misc]
            return True
        raise


def fails(body: Body, series: Any, a: Algebra) -> bool:
    """Whether the series, on a path, have a term of a size that the statement excludes; ``series``: of each of its terms."""
    match body:
        case Ratio():
            g = series(body.right)
            c, growth = a.leading(a.minus(series(body.left), g))
            return (growth / a.leading(g)[1]).limit(a.domain) in ("one", "infinity")
        case Expanding():
            return _beyond(a, a.minus(series(body.left), series(body.kept)), body.order, series(body.growth))
        case Ordering():
            return _beyond(a, series(body.left), body.order, series(body.growth))
        case Limiting():
            target = terms.of(body.value)
            if target in (terms.name("oo"), terms.negative(terms.name("oo"))):
                f = series(body.left)
                if all(g.limit(a.domain) in ("zero", "one") for g in (*(g for _, g in f.terms), *f.rest)):
                    return True
                c, g = a.leading(f)
                return g.limit(a.domain) == "infinity" and a.domain.sign(c) == (-1 if target.head == "name" else 1)
            _, growth = a.leading(a.minus(series(body.left), series(body.value)))
            return growth.limit(a.domain) in ("one", "infinity")
        case Eventual():
            return in_the_end(body.left, body.sign, body.right, series, a) == -1
    raise Refused("a statement of another form")


def _beyond(a: Algebra, f: Series, order: str, g: Series) -> bool:
    _, growth = a.leading(g)
    if order in ("Theta", "Omega", "omega") and a.within(f, "o", g):
        return True
    kind = (a.leading(f)[1] / growth).limit(a.domain)
    excluded = {
        "O": ("infinity",), "o": ("one", "infinity"), "Theta": ("zero", "infinity"), "Omega": ("zero",),
        "omega": ("zero", "one"),
    }  # fmt: skip
    return kind in excluded[order]


# --- statements without a limit: signs and identities ----------------------------------------------------


@rule("algebra", alone=True)
def _algebra(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A chain of comparisons of rational functions (of parameters and of functions of them), for all values in a domain.

    Each = holds by identity, each inequality since the difference has one sign; see field.
    """
    statement = read_closed(data["statement"])
    if statement.some or statement.uniform or statement.regime or not isinstance(statement.body, Comparison):
        raise Refused("a statement of another form")
    domain = ranges(statement.domain)
    for left, sign_, right in statement.body.chain.pairs():
        side = domain.value(terms.of(right))
        gap = side - domain.value(terms.of(left))
        noted("difference", left=left, sign=sign_, right=right, gap=gap, side=side)
        found = domain.sign(gap)
        allowed = {"=": (0,), "<": (1,), "<=": (0, 1), ">": (-1,), ">=": (0, -1)}[sign_]
        if found not in allowed and domain.sign(by_reflection(gap, domain)) not in allowed:
            raise Refused(f"{words(left)} {sign_} {words(right)} is not seen")
    return Conclusion(statement)


@rule("all", of_sequences=True)
def _all(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``A and B`` from A and from B, of the same regime and domain; its negation from that of one of them.

    ``a = b <= c`` says ``a = b and b <= c``.
    """
    statement = read_closed(data["statement"])
    if not isinstance(statement.body, (And, Comparison)) or statement.some:
        raise Refused("a statement of another form")
    agree(premises)
    return together(statement, premises, [replace(statement, body=part) for part in parts_of(statement.body)])
