"""A regime as a ground: what holds from some point on, for every value of the parameters.

Far out every quantity that tends to infinity is beyond any number; and what has a leading term has its sign.

>>> import sympy as sp
>>> n, a = sp.symbols("n a", positive=True)
>>> limit = far_out(Regime.single(n), names={"n": n, "a": a})
>>> [sorted(limit.signs(terms.read(t))) for t in ("log(n) - a", "a - n", "n - 5", "n - log(n)^3")]
[[1], [-1], [1], [1]]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import sympy as sp
from gmpy2 import mpq

from asymp.cas import text as text_of
from asymp.expand import Expander as Engine
from asymp.expand.splits import Case, by_cases
from asymp.expansion import Refused as NotExpanded
from asymp.expansion import assumptions
from asymp.kernel import terms
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import ANY, NONE, Signs
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio
from asymp.kernel.terms import Refused, Term
from asymp.meaning.ground import Ground, Point, Prove, Runs, are_whole
from asymp.parse.mathematics import parse_expression
from asymp.scale import Regime
from asymp.sign import decided_sign, undecided

FAR = terms.number(10**6)
"""What tends to infinity is beyond it."""
SIZES = (10**3, 10**3 + 1, 10**6 + 3, 10**9 + 7)
VALUES = (1, 2, 3, 5, 10, sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(3, 2))
ORDERS = (2, 4)
_TOTALS = ("Sum", "Integral", "Product")
MOST_CANDIDATES = 1_000
"""Coefficients of a polynomial whose rational zeros are looked for."""


@dataclass(frozen=True)
class Limit(Ground):
    """A regime in quantities that tend to infinity: ``into`` says what the variables are in these and in positive parameters.

    ``cases``: regimes that cover it.
    """

    into: Mapping[str, Term] = field(default_factory=dict)
    cases: tuple[Limit, ...] = ()

    def with_whole(self, names: Iterable[str]) -> Limit:
        """The same with more whole variables."""
        found = super().with_whole(names)
        assert isinstance(found, Limit)
        return replace(found, cases=tuple(one.with_whole(names) for one in self.cases))

    @property
    def each(self) -> tuple[Limit, ...]:
        """The cases."""
        return self.cases or (self,)

    def put(self, term: Term) -> Term:
        """The term in the quantities."""
        return terms.substitute(term, self.into)

    def _signs(self, term: Term, runs: Runs, depth: int) -> Signs:
        if not self.cases:
            return super()._signs(term, runs, depth)
        found: Signs = frozenset()
        for one in self.cases:
            found |= one.signs(term, runs, depth)
        return found

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

    def last(self, term: Term, runs: Runs) -> Signs:
        """Of what has sums and integrals, by the engine: in every case that its answer splits into."""
        term = self.put(term)
        if term.free & {run.name for run in runs} or all(part.head not in _TOTALS for part in terms.walk(term)):
            return ANY
        symbols = {v: sp.Symbol(v, positive=True) for v in term.free}
        regime = Regime("", tuple(sp.Symbol(s, positive=True) for s in self.scales))

        def attempt(case: Case, order: int) -> int:
            with assumptions() as noted, undecided():
                found = Engine(case.regime, order)(case.at(expr))
                if found.is_exact() and not found.terms:
                    return 0
                _, coefficient = found.leading()
                if vanishing := [x for x in (coefficient, *noted) if not decided_sign(x)]:
                    raise NotExpanded(f"{vanishing[0]} may vanish", undecided=(vanishing[0],))
            return decided_sign(coefficient) or 0

        for order in ORDERS:
            try:
                expr = parse_expression(str(term), symbols)
                cases = by_cases(partial(attempt, order=order), Case(regime), free_paths=False)
            except (ValueError, ArithmeticError, NotImplementedError):  # of the engine, and of SymPy
                continue
            if all(case.answer is not None for case in cases):
                return frozenset(case.answer for case in cases if case.answer is not None)
        return ANY

    def _leading(self, term: Term, ranges: Mapping[str, Range], parted: bool) -> Signs:
        found: Series | None = None
        for order in ORDERS:
            algebra = Algebra(Domain(within=ranges), order)
            try:
                found = Expander(algebra, {s: k for k, s in enumerate(self.scales)}, {}).series(term)
                return frozenset({algebra.below(found)[0]}) if found.terms or found.rest else NONE
            except Refused:
                continue
        roots = [] if found is None or parted or len(ranges) != 1 else sorted({r for c, _ in found.terms for r in _roots(c)})
        if not roots:
            return ANY
        [(v, whole)] = ranges.items()
        ends = [whole.low, *(r for r in roots if whole.low is None or r > whole.low), whole.high]
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


def far_out(
    regime: Regime, names: Mapping[str, sp.Symbol], more: Iterable[str] = (), prove: Prove | None = None
) -> Limit:
    """A regime as a ground.

    Args:
        regime: what tends where.
        names: symbols, of which some may not be positive.
        more: further names.
        prove: a prover of finite statements, for parameters.
    """
    cases = tuple(far_out(one, names, more, prove) for one in regime.cases)
    into = {s.name: _term(regime.resolve(s)) for s in (*regime.ties, *regime.ranges)}
    scales = tuple(s.name for s in regime.scales)
    free = set(more) | set(names) | set().union(*(term.free for term in into.values()))
    positive = sorted(v for v in free - set(scales) - set(into) - terms.CONSTANTS if v not in names or names[v].is_positive)
    pairs: list[Pair] = [(FAR, "<=", terms.name(s)) for s in scales] + [(terms.ZERO, "<", terms.name(v)) for v in positive]

    def points(whole: frozenset[str]) -> list[Point]:
        return [point for point in _points(regime) if are_whole(point, whole)]

    context = Context(regime.whole, tuple(pairs))
    return Limit(context, regime.whole, points, prove=prove, scales=scales, into=into, cases=cases)


def _term(expr: sp.Expr) -> Term:
    return terms.read(text_of(expr))


def _points(regime: Regime) -> Iterator[Point]:
    """Points far out on the regime's paths, with several values of the parameters."""
    for one in regime.cases or (regime,):
        covers = {s: sp.sympify(c) for s, c in one.ranges.items()}
        free = sorted(set().union(*(c.free_symbols for c in covers.values())) if covers else set(), key=str)
        for path, size in itertools.product(one.paths, SIZES):
            there = path.at(size)
            rows: list[dict[str, sp.Expr]] = [{s.name: sp.sympify(x) for s, x in row.items()} for row in one.instances]
            for value in VALUES:
                rows.append({s.name: c.subs(dict.fromkeys(free, value)) for s, c in covers.items()})
                rows.append({s.name: sp.sympify(value) for row in one.instances for s in row if s not in covers}
                            | {s.name: c.subs(dict.fromkeys(free, 1)) for s, c in covers.items()})  # fmt: skip
            for values in rows:
                point = {n: sp.sympify(x).subs({y: values[y.name] for y in sp.sympify(x).free_symbols if y.name in values})
                         for n, x in there.items()}  # fmt: skip
                found = {**values, **point}
                if all(x.is_number for x in found.values()):
                    yield {name: plain(x) for name, x in found.items()}


def plain(x: Any) -> Any:
    """A number as a Fraction, where it is rational."""
    if isinstance(x, (int, Fraction)):
        return Fraction(x)
    return Fraction(int(x.p), int(x.q)) if getattr(x, "is_Rational", False) else x
