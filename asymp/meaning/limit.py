"""A regime as a ground: what holds from some point on, for every value of the parameters.

Far out every quantity that tends to infinity is beyond any number; and what has a leading term has its sign.

>>> from asymp.language.statement import read_statement
>>> limit = far_out(read_statement("n*a -> oo as n -> oo for a > 0"))
>>> [sorted(limit.signs(terms.read(t))) for t in ("log(n) - a", "a - n", "n - 5", "n - log(n)^3")]
[[1], [-1], [1], [1]]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import ANY, NONE, Signs
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.limit_points import at_infinity, limit_points
from asymp.kernel.growths.products import sign_of
from asymp.kernel.growths.regime import Placed, moving, placed, ranges, ties
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Limiting
from asymp.language.conditions import OfKind, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.meaning.domains import axis, pairs_of
from asymp.meaning.ground import Ground, Point, Prove, Runs, are_whole
from asymp.parse.at import renamed, term_of
from asymp.regimes.names import unused
from asymp.regimes.paths import path
from asymp.regimes.quantities import places, quantities

FAR = terms.number(10**6)
"""What tends to infinity is beyond it."""
SIZES = (10**3, 10**3 + 1, 10**6 + 3, 10**9 + 7)
ROWS = 8
"""Values of the parameters that are tried."""
ORDERS = (2, 4)
MOST_CANDIDATES = 1_000
"""Coefficients of a polynomial whose rational zeros are looked for."""


@dataclass(frozen=True)
class Limit(Ground):
    """A regime in quantities that tend to infinity.

    ``near``: what variables with a limit point are in those that tend to infinity; ``where``: all variables in the quantities,
    which have the name of a variable where they are one.
    """

    near: Mapping[str, Term] = field(default_factory=dict)
    where: Placed | None = None
    names: Mapping[str, Term] = field(default_factory=dict)

    def put(self, term: Term) -> Term:
        """The term in the quantities."""
        term = terms.substitute(term, self.near)
        return term if self.where is None else terms.substitute(self.where.put(term), self.names)

    def of_name(self, name: str) -> Signs:
        """The signs of a variable far out."""
        return self.signs(terms.name(name))

    def far(self, term: Term, runs: Runs) -> Signs:
        """The sign of the leading term."""
        put = self.put(term)
        if put.free & {run.name for run in runs}:
            return ANY
        ranges = {v: r for v, r in self.context.ranges.items() if v in put.free - set(self.scales)}
        return self._leading(put, ranges, parted=False)

    def _leading(self, term: Term, ranges: Mapping[str, Range], parted: bool) -> Signs:
        found: Series | None = None
        whole = frozenset(self.put(terms.name(v)) for v in self.whole)
        for order in ORDERS:
            algebra = Algebra(Domain(within=ranges), order)
            expander = Expander(algebra, {s: k for k, s in enumerate(self.scales)}, {}, whole)
            try:
                found = expander.series(term)
                return frozenset({algebra.below(found)[0]}) if found.terms or found.rest else NONE
            except Refused:
                with suppress(Refused):
                    return frozenset({sign_of(expander, term)})
        roots = [] if found is None or parted or len(ranges) != 1 else sorted({r for c, _ in found.terms for r in _roots(c)})
        if not roots:
            return ANY
        [(v, within)] = ranges.items()
        ends = [within.low, *(r for r in roots if within.low is None or r > within.low), within.high]
        signs: Signs = frozenset()
        for low, high in itertools.pairwise(ends):  # on either side of where a coefficient is 0, and there
            signs |= self._leading(term, {v: Range(low, True, high, high is not None)}, parted=True)
            if high is not None:
                signs |= self._leading(terms.substitute(term, {v: terms.number(high)}), {}, parted=True)
        return signs


def _roots(c: Ratio) -> set[mpq]:
    """The rational zeros of a coefficient that is a polynomial in its one parameter, with not too many candidates."""
    names = {a for powers in c.num for a, _ in powers}
    if len(names) != 1 or next(iter(names)).head != "name" or any(k.denominator != 1 or k < 0 for p in c.num for _, k in p):
        return set()
    scale = lcm(*(int(x.denominator) for x in c.num.values()))
    by_degree = {int(powers[0][1]) if powers else 0: int(x * scale) for powers, x in c.num.items()}
    least, top = (abs(by_degree[k]) for k in (min(by_degree), max(by_degree)))
    if max(least, top) > MOST_CANDIDATES:
        return set()
    over, under = ([k for k in range(1, end + 1) if end % k == 0] for end in (least, top))
    candidates = {way * mpq(p, q) for p in over for q in under for way in (1, -1)} | {mpq(0)}
    return {x for x in candidates if sum(y * x**k for k, y in by_degree.items()) == 0}


def far_out(statement: Statement, prove: Prove | None = None) -> Limit:
    """The regime of a statement as a ground.

    Args:
        statement: closed, of a limit.
        prove: a prover of finite statements, for parameters.

    Raises:
        Refused: no quantities are found in which the regime can be written.
    """
    near: dict[str, Term] = {}
    statement = replace(statement, body=statement.body.changed(renamed))
    inner, letters = statement, ("v", "u", "w", "z")
    while points := limit_points(inner):
        new = unused(inner, letters, f"v{len(near)}_")
        before, inner = inner, at_infinity(inner, points[0], new)
        near[points[0]] = _value(before, points[0], new)
    where = _placed(inner)
    back = {s: v for v, value in where.values.items() for s in where.scales if value == terms.name(s)}
    names = {s: terms.name(v) for s, v in back.items()}
    scales = tuple(back.get(s, s) for s in where.scales)
    pairs: list[Pair] = [(FAR, "<=", terms.name(s)) for s in scales]
    pairs += [pair for v, r in where.domain.within.items() for pair in pairs_of(v, r)]
    whole = frozenset(c.name for c in statement.conditions() if isinstance(c, OfKind) and c.kind == "whole")

    def points_for(whole: frozenset[str]) -> list[Point]:
        return [point for point in _points(statement, whole, where.domain.within) if are_whole(point, whole)]

    context = Context(whole, tuple(dict.fromkeys(pairs)))
    return Limit(context, whole, points_for, prove=prove, scales=scales, near=near, where=where, names=names)


def _value(statement: Statement, x: str, v: str) -> Term:
    """What a variable with a limit point is in what tends to infinity."""
    asked = Statement(_a_ratio(x), regime=tuple(c for c in statement.regime if isinstance(c, Tends) and c.term.text == x))
    return terms.of(next(iter(at_infinity(asked, x, v).body.terms())))


def _a_ratio(x: str) -> Limiting:
    return Limiting(Node("name", 1, x), Node("number", 1, "0"))


def _placed(statement: Statement) -> Placed:
    """The regime in quantities: as it stands where it can be, with -ln(1 - p) for p where powers of 1 - p are said.

    Raises:
        Refused: none are found.
    """
    last = Refused("no quantities for this regime")
    for place in sorted(places(statement), key=lambda one: "small" in one and not _has_powers(statement, one["small"])):
        if "near" in place:  # of n*p -> c the sign of the distance is asked, too
            break
        try:
            return placed(statement, place)
        except Refused as error:
            last = error
    try:
        scales, values = quantities(statement)
    except Refused:
        raise last from None
    domain = ranges((*statement.domain, *statement.regime))
    kept = {v: r for v, r in domain.within.items() if v not in values and v not in scales}
    return Placed(values, {s: k for k, s in enumerate(scales)}, Domain(within=kept), {})


def _has_powers(statement: Statement, small: Mapping[str, str]) -> bool:
    """Whether powers (1 - p)^n stand in a statement."""
    less = {terms.read(f"1 - {p}") for p in small}
    parts = (part for node in statement.body.terms() for part in terms.walk(term_of(node)))
    return any(part.head == "power" and part.parts[0] in less and not part.parts[1].is_number for part in parts)


def _points(statement: Statement, whole: frozenset[str], within: Mapping[str, Range]) -> Iterator[Point]:
    """Points far out on paths of the regime, with several values of the parameters that stand in no condition on what moves."""
    kinds = tuple(OfKind(name, "whole") for name in sorted(whole))
    asked = replace(statement, domain=tuple(dict.fromkeys((*kinds, *statement.domain))))
    tied = ties(statement.regime)
    bound = {name for c in statement.regime for node in c.terms() for name in terms.of(node).free if name not in tied}
    free = [v for v in sorted(within) if v not in bound | moving(statement)]
    axes = {v: axis(within[v], v in whole) for v in free}
    for slow in (False, True):
        with suppress(Refused):
            found = path(asked, slow=slow)
            for size, k in itertools.product(SIZES, range(ROWS if free else 1)):
                put = {found["runner"]: terms.number(size)}
                at = {name: terms.substitute(terms.read(x), put) for name, x in found["values"].items()}
                at |= {v: terms.number(points[k % len(points)]) for v, points in axes.items() if k and points}
                at |= {v: terms.substitute(term, at) for v, term in tied.items()}
                yield {name: exact(x) for name, x in at.items()}


def exact(term: Term) -> Fraction | Term:
    """A Fraction, where it is a number as it stands."""
    return Fraction(int(term.number.numerator), int(term.number.denominator)) if term.is_number else term
