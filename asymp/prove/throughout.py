"""One number for all of a domain: tried are the simplest numbers that do at some points, and what a series says in the end."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from gmpy2 import mpq

from asymp.enclosure import InputError, Undecided, ball
from asymp.kernel import terms
from asymp.kernel.balls.boxes import question
from asymp.kernel.balls.goals import context
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.intervals import Rational
from asymp.kernel.growths.throughout import WEAKER, against, each_its_own, factors, in_the_end, with_one
from asymp.kernel.rings.field import to_term
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import ZERO, Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Comparison
from asymp.language.conditions import Compared, Conditions, OfKind
from asymp.language.statement import Statement, Throughout
from asymp.prove import constants, first
from asymp.prove.constants import Prove
from asymp.prove.points import Points

BITS = 128
MOST = 12
"""Numbers that are tried."""
FULL = 2
"""The same of those that are not seen to fail: the search for a proof takes long."""


def holds(statement: Statement, prove: Prove, doubt: Prove) -> Theorem:
    """By a number for what is left open: one of those at which nothing is found to fail.

    Raises:
        Refused: none of those tried does.
    """
    v = _left_open(statement)
    last, tried = Refused("no number is found that would do"), 0
    for value in list(dict.fromkeys(_values(statement, v)))[:MOST]:
        try:
            wanted = with_one(statement, v, value)
        except Refused as error:
            last = error
            continue
        if any(_is_shown(doubt, one) for one in wanted):
            last = Refused(f"it fails for {v} = {value}, and no other number is found")
            continue
        try:
            given = [prove(one) for one in wanted]
            return apply("one for all", given, statement=str(statement), variable=v, value=value)
        except Refused as error:
            last, tried = error, tried + 1
            if tried == FULL:
                break
    raise last


def _is_shown(search: Prove, statement: Statement) -> bool:
    try:
        search(statement)
    except Refused:
        return False
    return True


def fails(statement: Statement, prove: Prove, refute: Prove) -> Theorem:
    """By what fails in the end, at one of the ends of the range; or by what is needed at two points.

    Raises:
        Refused: it is not seen to fail so.
    """
    v = _left_open(statement)
    assert isinstance(statement.body, Throughout)
    inner = statement.body.statement

    def there(to: str) -> Theorem:
        wanted = in_the_end(statement, v, to) if to else each_its_own(statement, v)
        return apply("none for all", [refute(wanted)], statement=str(statement), variable=v, to=to)

    def at(points: Sequence[dict[str, str]]) -> Theorem:
        given = [prove(against(statement, v, points))]
        return apply("no one number", given, statement=str(statement), variable=v, points=list(points))

    if inner.regime:
        return there("")
    ways = [partial(at, points) for points in _contrary(statement, inner, v)]
    return first([*ways, *(partial(there, to) for to in _ends(inner))], "no end of the range is seen")


def _contrary(statement: Statement, inner: Statement, v: str) -> Iterator[list[dict[str, str]]]:
    """Points at which v would have to be too large, and too small."""
    if type(inner.body) is not Comparison or len(inner.body.chain.signs) != 1 or statement.domain:
        return
    with suppress(Refused):
        found = _needed(inner, _links(inner, ()), v)
        beyond = _needed(inner, _links(inner, statement.some), v)
        if beyond.low is None or beyond.high is None or beyond.low < beyond.high:
            return
        each = [[{**_told(at), "sign": sign}] for at, sign in (found.lowest, found.highest) if at is not None]
        yield from (each if len(each) < 2 else ([*each[0], *each[1]], [*each[1], *each[0]], *each))


def _told(point: Mapping[str, Rational]) -> dict[str, str]:
    return {x: str(value) for x, value in point.items()}


def no_factor(statement: Statement, prove: Prove, refute: Prove) -> Theorem:
    """In a regime, by one side that is not of the order of the other.

    Raises:
        Refused: it is not seen to be so.
    """
    v = constants.left_open(statement)

    def so(by: str) -> Theorem:
        below, order = factors(statement, v, by)
        return apply("no factor", [prove(below), refute(order)], statement=str(statement), variable=v, by=by)

    return first(partial(so, by) for by in ("above", "positive", "below"))


def _left_open(statement: Statement) -> str:
    names = {c.name if isinstance(c, OfKind) else x for c in statement.some for x in ("", *_free(c))} - {""}
    names -= {x for c in statement.domain for x in _free(c)}
    if len(names) != 1:
        raise Refused("not one number is left open")
    return names.pop()


def _free(c: object) -> set[str]:
    return set[str]().union(*(node.free for node in c.terms())) - terms.CONSTANTS  # type: ignore[attr-defined]


def _ends(inner: Statement) -> Iterator[str]:
    names = sorted({x for c in inner.domain for x in ({c.name} if isinstance(c, OfKind) else _free(c))})
    if len(names) != 1:
        return
    x = names[0]
    if OfKind(x, "whole") in inner.domain:
        yield from (f"whole {x} -> oo", f"whole {x} -> -oo")
        return
    kind = "real " if OfKind(x, "real") in inner.domain else ""
    yield from (f"{kind}{x} -> oo", f"{kind}{x} -> -oo")
    for c in inner.domain:
        for left, sign, right in c.pairs() if isinstance(c, Compared) else ():
            low, high = (left, right) if sign[0] == "<" else (right, left)
            yield f"{x} -> {terms.of(low)}+" if terms.of(high) == terms.name(x) else f"{x} -> {terms.of(high)}-"


def _values(statement: Statement, v: str) -> Iterator[str]:
    assert isinstance(statement.body, Throughout)
    inner = statement.body.statement
    if inner.regime:
        yield from constants.values(replace(inner, some=statement.some), v)
        return
    if type(inner.body) is not Comparison:
        yield from constants.TRIED
        return
    links = _links(inner, statement.some)
    known = Needed()
    with suppress(Refused):
        known = _needed(inner, links, v, statement.domain)
    outer = {x for c in statement.domain for x in _free(c)}
    still = [x for x in known.exact if x.free - terms.CONSTANTS <= outer]
    own = [str(x) for x in sorted(still, key=lambda x: not x.free & outer)]
    if statement.domain or any(sign == "=" for _, sign, _ in links):
        yield from own[: MOST // 2]
    yield from (str(x) for x in _simple(known.low, known.high, OfKind(v, "whole") in statement.some))
    for to in _ends(inner):
        with suppress(Refused):
            yield from constants.values(in_the_end(statement, v, to), v)
    yield from own
    yield from constants.TRIED


Link = tuple[Term, str, Term]
Where = tuple[Mapping[str, Rational] | None, str]


@dataclass
class Needed:
    """Between which numbers v has to be that comparisons linear in it hold at some points, and at which it is so.

    ``exact``: the terms with equality there.
    """

    low: mpq | None = None
    high: mpq | None = None
    lowest: Where = (None, "")
    highest: Where = (None, "")
    exact: dict[Term, None] = field(default_factory=dict)

    def meet(self, value: mpq, at: Where, upper: bool) -> None:
        """What is needed at one more point."""
        if upper and (self.high is None or value < self.high):
            self.high, self.highest = value, at
        if not upper and (self.low is None or value > self.low):
            self.low, self.lowest = value, at


def _links(inner: Statement, some: Conditions) -> list[Link]:
    assert isinstance(inner.body, Comparison)
    chain = [*inner.body.chain.pairs(), *(pair for c in some if isinstance(c, Compared) for pair in c.pairs())]
    return [(terms.of(a), sign, terms.of(b)) for a, sign, b in chain]


def _needed(inner: Statement, links: Sequence[Link], v: str, outer: Conditions = ()) -> Needed:
    nothing = Comparison(Compared((node_of(ZERO), node_of(ZERO)), ("<=",)))
    around = context(question(replace(inner, body=nothing, domain=(*inner.domain, *outer))))
    found, own = Needed(), {y for c in inner.domain for y in ({c.name} if isinstance(c, OfKind) else _free(c))}
    for point in Points(around).found():
        at = {x: terms.number(mpq(int(value.p), int(value.q))) for x, value in point.items()}
        for a, sign, b in links:
            rest, slope = _linear(terms.add(a, terms.negative(b)), v, around)
            if slope is None:
                continue
            edge = terms.multiply(terms.negative(rest), terms.reciprocal(slope))
            with suppress(Refused, Undecided, InputError, ArithmeticError, ValueError):
                here, steep = _number(terms.substitute(edge, at)), _number(terms.substitute(slope, at))
                found.exact[terms.substitute(edge, {x: y for x, y in at.items() if x in own})] = None
                for used in WEAKER[sign]:
                    found.meet(here, (point, used), (steep > 0) == (used[0] == "<"))
    return found


def _linear(d: Term, v: str, at: Context) -> tuple[Term, Term | None]:
    """d = rest + slope v; no slope where d is not seen to be so."""
    rest, one, two = (terms.substitute(d, {v: terms.number(k)}) for k in (0, 1, 2))
    slope = _plain(at, terms.add(one, terms.negative(rest)))
    twice = terms.add(two, terms.negative(rest), terms.multiply(terms.number(-2), slope))
    return _plain(at, rest), slope if slope != ZERO and at.signs(twice) == {0} else None


def _plain(at: Context, term: Term) -> Term:
    """The term with like terms put together."""
    with suppress(Refused):
        return to_term(at.value(term))
    return term


def _number(term: Term) -> mpq:
    """About the value of a term."""
    found = ball(str(term), {}, BITS)
    if not found.is_finite():
        raise Refused("no finite number")
    middle = found.mid().fmpq()
    return mpq(int(middle.p), int(middle.q))


def _simple(low: mpq | None, high: mpq | None, whole: bool) -> Iterator[mpq | int]:
    """Simple numbers between two, and first of all 0, of which it is seen at once."""
    if (low is None or low <= 0) and (high is None or high >= 0):
        yield 0
    if low is not None and high is None:
        least = -((-low) // 1)
        yield from (least, least + 1, max(2 * least, 1), max(10 * least, 10), max(1000 * least, 1000))
    elif low is None and high is not None:
        most = high // 1
        if high > 0 and most < 1 and not whole:
            k = -((-1 / high) // 1)
            yield from (1 / mpq(k), 1 / mpq(2 * k), 1 / mpq(10 * k), 1 / mpq(1000 * k))
        else:
            yield from (most, most - 1, most // 2, most // 10)
    elif low is not None and high is not None and low <= high:
        steps = [1] if whole else [*range(1, 13), *(10**k for k in range(2, 9))]
        inside = (x for k in steps if (x := (low * k // 1 + 1) / mpq(k)) < high)
        yield from dict.fromkeys(
            (*itertools.islice(inside, 2), *(x for x in (low, high) if not whole or x.denominator == 1))
        )
