"""Where a statement is made: what the kernel is told of its variables, and points to look for failures.

>>> n = terms.name("n")
>>> box = Ground(Context(frozenset("n"), ((terms.number(2), "<=", n),)))
>>> [sorted(box.signs(terms.read(t)) or ()) for t in ("n - 1", "n - 2", "1 - n")]
[[1], [0, 1], [-1]]
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from gmpy2 import mpq

from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import ANY, NEGATIVE, NONNEGATIVE, POSITIVE, Signs, of_range, plus, times
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import ONE_POLY, Ratio, rational
from asymp.kernel.terms import Refused, Term
from asymp.meaning.truth import Truth

OO, MINUS_OO = terms.name("oo"), terms.negative(terms.name("oo"))
PI = terms.name("pi")
Point = Mapping[str, Any]
Prove = Callable[[str], Truth]
"""Whether a finite statement holds, as the kernel proves or refutes it."""
MOST_TAKEN, MOST_MULTIPLES, MOST_MONOMIALS = 2, 24, 6
"""Multiples of hypotheses that are taken out of a term, of so many that are tried; and the monomials of the term."""
LONGEST = 40
"""Nodes of a term of which the kernel is asked in more ways than one."""
MOST_MOVED, MOST_CONTEXTS = 3, 8
"""Variables that are moved to their bounds at once, and ways to do so."""
DEEPEST, MOST_FAR = 6, 2
MOST_PROVED = 2
"""Variables of what is put to the prover."""


class Run(NamedTuple):
    """A bound variable and its range, the lower end first."""

    name: str
    low: Term
    high: Term
    whole: bool


Runs = tuple[Run, ...]


class Placed(NamedTuple):
    """A context, and what is put in for variables there."""

    context: Context
    put: Mapping[str, Term]


@dataclass(frozen=True)
class Ground:
    """A domain.

    Args:
        context: what is known of its variables.
        whole: the names of whole variables.
        some_points: points of it, for names that are whole; looked for when they are first asked for.
        is_finite: whether it is asked for at these points alone, where the context does not tell.
        prove: a prover of finite statements.
    """

    context: Context = field(default_factory=Context)
    whole: frozenset[str] = frozenset()
    some_points: Callable[[frozenset[str]], Iterable[Point]] = field(default=lambda _: (), compare=False)
    is_finite: bool = False
    prove: Prove | None = field(default=None, compare=False)
    scales: tuple[str, ...] = ()
    """What is only known far out, so that a prover is not asked."""

    def with_whole(self, names: Iterable[str]) -> Ground:
        """The same with more whole variables."""
        whole = self.whole | set(names)
        return replace(self, whole=whole, context=replace(self.context, whole=self.context.whole | whole))

    @cached_property
    def points(self) -> Sequence[Point]:
        """Points (name -> exact value) that belong to it, to look for failures."""
        return tuple(self.some_points(self.whole))

    @property
    def each(self) -> Sequence[Ground]:
        """The grounds that make it up."""
        return (self,)

    # --- contexts -----------------------------------------------------------------------------------

    @cached_property
    def _covers(self) -> dict[Runs, Sequence[Sequence[Placed]]]:
        return {}

    def covers(self, runs: Runs) -> Sequence[Sequence[Placed]]:
        """Ways to cover the domain, with bound variables in their ranges, by contexts."""
        if runs not in self._covers:
            self._covers[runs] = covers(self.within(runs))
        return self._covers[runs]

    def within(self, runs: Runs) -> Context:
        """The context with bound variables in their ranges; the ends of an integral's do not belong to it."""
        whole = self.context.whole | {run.name for run in runs if run.whole}
        pairs: list[Pair] = []
        for run in runs:
            x, sign = terms.name(run.name), "<=" if run.whole else "<"
            low, high = self.put(run.low), self.put(run.high)
            pairs += [(low, sign, x)] * (low != MINUS_OO) + [(x, sign, high)] * (high != OO)
            if low != MINUS_OO and high != OO:
                pairs.append((low, sign, high))
            for end in (low, high):
                if _jumps(end):
                    loose = _Loose()
                    other = loose.term(end)
                    pairs += [(other, sign, x) if end is low else (x, sign, other), *loose.pairs]
        found = replace(self.context, whole=whole, pairs=(*pairs, *self.context.pairs)) if runs else self.context
        for k, run in enumerate(runs):  # what lies above what is positive is positive
            if run.low != MINUS_OO and of_range(found.ranges.get(run.name, Range())) == ANY:
                signs = self.signs(run.low, runs[:k])
                if signs <= NONNEGATIVE:
                    found = found.given((terms.ZERO, "<=" if 0 in signs else "<", terms.name(run.name)))
        return found

    def put(self, term: Term) -> Term:
        """A term of the statement in what the context speaks of."""
        return term

    def of_name(self, name: str) -> Signs:
        """The signs of a variable, by its range alone."""
        return of_range(self.context.ranges.get(name, Range()))

    # --- signs --------------------------------------------------------------------------------------

    @cached_property
    def _known(self) -> dict[tuple[Term, Runs], Signs]:
        return {}

    def signs(self, term: Term, runs: Runs = (), depth: int = 0) -> Signs:
        """A set that holds every sign that a term takes, at all values of bound variables."""
        key = (term, runs)
        if key not in self._known:
            self._known[key] = ANY
            self._known[key] = self._signs(term, runs, depth)
        return self._known[key]

    def _signs(self, term: Term, runs: Runs, depth: int) -> Signs:
        found = self.told(term, runs)
        if len(found) > 1 and depth <= MOST_FAR:
            found &= self.far(term, runs)
        if len(found) > 1 and depth < DEEPEST:
            found &= self._shown(term, runs, depth + 1)
        return found

    def far(self, term: Term, runs: Runs) -> Signs:
        """What is known beside the contexts."""
        return ANY

    def told(self, term: Term, runs: Runs) -> Signs:
        """By the kernel, in each of several ways to cover the domain."""
        loose, put = _Loose(), _without_waves(self.put(term))
        found, ways = ANY, self.covers(runs)
        for k, cover in enumerate(ways if sum(1 for _ in terms.walk(put)) <= LONGEST else ways[:1]):
            signs: Signs = frozenset()
            for place in cover:
                signs |= _told(place, put, thorough=k == 0)
                if signs == ANY:
                    break
            found &= signs
            if len(found) == 1:
                return found
        if _jumps(put):
            [place] = ways[0]
            found &= _told(place._replace(context=place.context.given(*loose.pairs_of(put))), loose.term(put), thorough=True)
        return found

    def _shown(self, term: Term, runs: Runs, depth: int) -> Signs:
        """By its form: of the signs of its parts, which the kernel may know though not the value."""

        def of(part: Term) -> Signs:
            return self.signs(part, runs, depth)

        match term.head:
            case "product":
                found = POSITIVE
                for part in term.parts:
                    found = times(found, of(part))
                return found
            case "sum":
                return plus([of(part) for part in term.parts]) & _rounded(term, of)
            case "power":
                base, k = term.parts
                if k.is_number and k.number.denominator == 1:
                    signs = of(base)
                    return frozenset(s**2 for s in signs) if k.number % 2 == 0 else signs
                return POSITIVE if of(base) == POSITIVE else NONNEGATIVE if of(base) <= NONNEGATIVE else ANY
            case "Sum" | "Product" | "Integral":
                return self._total(term, runs, depth)
            case "LambertW" if term.parts[1:] == (terms.number(-1),):
                return NEGATIVE  # it is at most -1
            case "sign":
                return of(term.parts[0])
            case "sin" | "cos" if term.free:  # between two zeros
                x, half = term.parts[0], terms.multiply(terms.number(mpq(1, 2)), PI)
                y = x if term.head == "sin" else terms.add(half, x)
                inside = [of(y), of(terms.add(PI, terms.negative(y)))]
                return POSITIVE if inside == [POSITIVE] * 2 else NONNEGATIVE if all(s <= NONNEGATIVE for s in inside) else ANY
            case "binomial":
                n, k = term.parts
                gaps = (terms.add(n, terms.ONE), terms.add(k, terms.ONE), terms.add(n, terms.negative(k), terms.ONE))
                return POSITIVE if all(of(gap) == POSITIVE for gap in gaps) else ANY
            case "floor" | "ceiling":
                return _rounded(term, of)
        return _of_values(term, of)

    def _total(self, term: Term, runs: Runs, depth: int) -> Signs:
        """Its range is taken to run forwards, which is asked elsewhere; an empty sum is 0, as is an integral from a to a."""
        body, low, high = term.parts
        name = f"#{len(runs)}"
        if terms.has_bound(body, 1):
            return ANY
        inner = self.signs(terms.opened(body, terms.name(name)), (*runs, Run(name, low, high, term.head != "Integral")), depth)
        if term.head == "Product":
            return inner if inner in (POSITIVE, NONNEGATIVE) else ANY
        if inner not in (POSITIVE, NONNEGATIVE, NEGATIVE, frozenset({-1, 0})):
            return ANY
        if MINUS_OO == low or OO == high:
            return inner
        width = self.signs(terms.add(high, terms.negative(low)), runs, depth)
        if term.head == "Integral" and not width <= NONNEGATIVE:
            return ANY
        return inner if width <= (NONNEGATIVE if term.head == "Sum" else POSITIVE) else inner | {0}


def _rounded(term: Term, of: Callable[[Term], Signs]) -> Signs:
    """Of floor(x) - k, which is not below 0 where x >= k, and of ceiling(x) - k, which is above it where x > k, for whole k."""
    parts = term.parts if term.head == "sum" else (term,)
    c = sum((part.number for part in parts if part.is_number), mpq(0))
    [f, *others] = [part for part in parts if not part.is_number]
    if others or f.head not in ("floor", "ceiling") or c.denominator != 1:
        return ANY
    signs = of(terms.add(f.parts[0], terms.number(c)))
    if signs <= NONNEGATIVE:
        return NONNEGATIVE if f.head == "floor" else signs
    return (signs if f.head == "floor" else frozenset({-1, 0})) if signs <= {-1, 0} else ANY


def _of_values(term: Term, of: Callable[[Term], Signs]) -> Signs:
    """By what the table says of a function's values, and of the sign of one that rises from 0."""
    row = NAMED.get(term.head)
    if row is None:
        return ANY
    if len(term.parts) == 1 and (row.rises_from_zero or term.head == "harmonic"):
        return of(term.parts[0]) if term.head != "harmonic" or of(term.parts[0]) <= NONNEGATIVE else ANY
    if len(term.parts) != row.least or not row.values.low:
        return ANY
    low = terms.read(row.values.low)
    if not low.is_number or low.number < 0:
        return ANY
    return POSITIVE if low.number > 0 or row.values.low_open else NONNEGATIVE


def _jumps(term: Term) -> bool:
    return any(part.head in ("floor", "ceiling") for part in terms.walk(term))


class _Loose:
    """Terms with x - r for floor(x) and x + r for ceiling(x), 0 <= r < 1, and what is known of each r."""

    def __init__(self) -> None:
        self.pairs: list[Pair] = []

    def term(self, term: Term) -> Term:
        """The term without what jumps outside of sums."""
        if not term.parts or term.head in terms.BINDERS:
            return term
        parts = tuple(map(self.term, term.parts))
        if term.head not in ("floor", "ceiling"):
            return terms.rebuilt(term, parts)
        r = terms.name(f"#({term})")
        self.pairs += [(terms.ZERO, "<=", r), (r, "<", terms.ONE)]
        return terms.add(parts[0], terms.negative(r) if term.head == "floor" else r)

    def pairs_of(self, term: Term) -> list[Pair]:
        """What is known of each r in a term."""
        self.term(term)
        return self.pairs


def _without_waves(term: Term) -> Term:
    """What stands for (-1)^k between -1 and 1: a sine."""
    if term.head == "power" and term.parts[0] == terms.number(-1) and term.free:
        return terms.call("sin", terms.name(f"#({term})"))
    return terms.rebuilt(term, tuple(map(_without_waves, term.parts))) if term.parts and term.head not in terms.BINDERS else term


def are_whole(point: Point, whole: Iterable[str]) -> bool:
    """Whether the values of the named variables are whole."""
    return all(getattr(point[name], "denominator", 1) == 1 for name in whole if name in point)


def covers(context: Context) -> Sequence[Sequence[Placed]]:
    """Ways to cover what a context speaks of by contexts, each with what it puts in for variables.

    By itself; with variables moved to their bounds (of m <= n, n = m + d with d >= 0); and parted at the lower end of
    one of them (a = 0, a > 0).
    """
    moved = [Placed(context, {})]
    for place in moved:  # which grows
        for pair in place.context.pairs if len(place.put) < MOST_MOVED else ():
            if (found := _moved(place.context, pair, f"#d{len(place.put)}")) is None or len(moved) >= MOST_CONTEXTS:
                continue
            x, bound, after = found
            new = {name: terms.substitute(term, {x: bound}) for name, term in place.put.items()} | {x: bound}
            if new not in [old.put for old in moved]:
                moved.append(Placed(after, new))
    parted = [
        [_at_end(context, name, r.low), Placed(context.given((terms.number(r.low), "<", terms.name(name))), {})]
        for name, r in sorted(context.ranges.items()) if r.low is not None and not r.low_open
    ]  # fmt: skip
    return [*([one] for one in moved), *parted]


def _told(place: Placed, asked: Term, thorough: bool) -> Signs:
    """The signs of a term in a context.

    ``thorough``: a multiple of a hypothesis h >= 0 may be taken out: a + b = (a + b - 1) + 1 is positive where a + b >= 1.
    """
    context = place.context
    try:
        value = context.value(terms.substitute(asked, place.put))
        return _less(context, value, MOST_TAKEN) if thorough else context.of(value)
    except Refused:
        return ANY


def _less(context: Context, value: Ratio, left: int) -> Signs:
    """The signs of a value, of which multiples of hypotheses are taken out."""
    found = context.of(value)
    if not left or len(found) == 1 or value.den != ONE_POLY or len(value.num) > MOST_MONOMIALS:
        return found
    logs = {a for powers in value.num for a, _ in powers if a.head == "log"}
    known = [*(_logarithm(context, a) for a in sorted(logs, key=lambda a: a.order)), *context.hypotheses]
    pairs = ((h, mine, its) for h in known for mine in value.num for its in h[0].num if mine or its)
    for (h, signs), mine, its in itertools.islice(pairs, MOST_MULTIPLES):
        q = Ratio({mine: value.num[mine]}) * Ratio({its: h.num[its]}).inverse()
        more = times(context.of(q), signs)
        if more in (POSITIVE, NONNEGATIVE, NEGATIVE, {-1, 0}):
            rest = value - q * h
            found &= plus([_less(context, rest, left - 1 if len(rest.num) <= len(value.num) + 1 else 0), more])
        if len(found) == 1:
            break
    return found


def _logarithm(context: Context, a: Term) -> tuple[Ratio, Signs]:
    """x - 1 - log(x) is not below 0, and 0 at x = 1 alone."""
    gap = context.value(a.parts[0]) - rational(1)
    return gap - context.value(a), NONNEGATIVE if 0 in context.of(gap) else POSITIVE


def _at_end(context: Context, x: str, low: mpq) -> Placed:
    """The context where a variable is at its lower end."""
    put = {x: terms.number(low)}
    pairs = [(terms.substitute(a, put), sign, terms.substitute(b, put)) for a, sign, b in context.pairs]
    return Placed(Context(context.whole - {x}, tuple(pairs)), put)


def _moved(context: Context, pair: Pair, new: str) -> tuple[str, Term, Context] | None:
    """A variable of a comparison with a term in others, that term with a new d beside it, and the context in which d is."""
    low, sign, high = pair
    if sign == "=" or low.is_number or high.is_number:
        return None
    d = terms.name(new)
    for side, other, value in ((high, low, terms.add(low, d)), (low, high, terms.add(high, terms.negative(d)))):
        if side.head == "name" and side.name not in terms.CONSTANTS | {"oo"} and side.name not in other.free:
            x, put = side.name, {side.name: value}
            pairs = [(terms.substitute(a, put), s, terms.substitute(b, put)) for a, s, b in context.pairs if (a, s, b) != pair]
            whole = context.whole - {x} | ({new} if x in context.whole and context.is_whole(other) else frozenset())
            return x, value, Context(whole, ((terms.ZERO, sign, d), *pairs))
    return None
