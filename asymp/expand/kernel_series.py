"""The kernel's series as expansions: what :mod:`asymp.kernel.growths.expander` knows is derived nowhere else.

A node is put into the scales and the positive symbols that cover the parameters' ranges, and read as a term; what the kernel's
expander finds is written back.  Where it refuses, the coefficient whose sign it asked for last is what the answer hangs on.

>>> from asymp.scale import Regime
>>> n = sp.Symbol("n", positive=True)
>>> KernelSeries(Regime.single(n), 3)(sp.harmonic(n))
log(n) + EulerGamma + 1/(2*n) - 1/(12*n**2) + 1/(120*n**4) + O(n**(-6))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import sympy as sp
from gmpy2 import mpq

import asymp.symbolics as sy
from asymp.budget import METER, TERM, uncounted
from asymp.cas import text as text_of
from asymp.expansion import Expansion, NoTerm, OutOfSteps, Refused
from asymp.functions.symbolic import NAMED
from asymp.growth import ONE, Growth
from asymp.kernel import terms
from asymp.kernel.facts.signs import Signs
from asymp.kernel.growths import expander as kernel
from asymp.kernel.growths.growth import Domain, power_of
from asymp.kernel.growths.growth import Growth as KernelGrowth
from asymp.kernel.growths.series import MOST_WORK, Algebra, Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio, to_term
from asymp.kernel.terms import Term
from asymp.kernel.trust import collected, rests_on
from asymp.language.numbers import ParseError
from asymp.parse import parse_expression
from asymp.refusal import record
from asymp.scale import Regime
from asymp.sign import decided_sign, tidy
from asymp.vanishing import is_coarse

Refusal = terms.Refused
LONGEST = 10**100
"""A number beyond it is read as it is written, and nothing is done with it."""
ROOM = 32_000
"""What more may be spent on incomplete gamma functions next to their transition, as roots of equations ask of them."""
SMALL = 50
"""SymPy writes down values of functions at larger ones, however long they are."""


@dataclass(frozen=True)
class _Asked(Domain):
    """A domain that keeps what was asked of it and not told."""

    open: list[Ratio | KernelGrowth] = field(default_factory=list, init=False, repr=False, compare=False)

    def of(self, x: Ratio) -> Signs:
        found = super().of(x)
        if len(found) > 1:
            self.open.append(x)
        return found

    def untold(self, growth: KernelGrowth) -> None:
        if self.open and isinstance(self.open[-1], KernelGrowth):
            return  # the first is the one that is told
        if all(self.sign(e) is not None for e in (*(e for _, e in growth.powers), *(c for c, _ in growth.exponent))):
            self.open.append(growth)  # what it hangs on is no coefficient, but the path

    def quotient(self, g: KernelGrowth, h: KernelGrowth) -> str:
        found = super().quotient(g, h)
        if found == "unknown":
            self.untold(g / h)
        return found


@dataclass
class _Remembering(kernel.Expander):
    """An expander that remembers what it found and on which facts, and what it refused and what was open then."""

    refused: dict[Term, tuple[Refusal, tuple[Ratio | KernelGrowth, ...]]] = field(default_factory=dict)
    facts: dict[Term, set[str]] = field(default_factory=dict)

    def constant(self, term: Term) -> bool:
        return super().constant(term) and not any(leaf.name in terms.free(term) for leaf in self.leaves)

    def series(self, term: Term) -> Series:
        domain = self.algebra.domain
        assert isinstance(domain, _Asked)
        if term in self.refused:
            error, was_open = self.refused[term]
            domain.open.extend(was_open)
            raise error
        before = len(domain.open)
        try:
            with collected() as facts:
                found = super().series(term)
            rests_on(*self.facts.setdefault(term, facts))
            return found
        except Refusal as error:
            self.refused[term] = error, tuple(domain.open[before:][-1:])
            raise


class KernelSeries:
    """The kernel's expander in a regime, at one order.

    >>> a, n = sp.symbols("a n", positive=True)
    >>> KernelSeries(Regime("", (n,)), 0)(sp.gamma(a + 1 / n)).first(2)
    [(Growth(powers=(), large=()), gamma(a)), (Growth(powers=((n, -1),), large=()), gamma(a)*polygamma(0, a))]
    """

    def __init__(self, regime: Regime, order: int, known: Mapping[sp.Symbol, Expansion] | None = None) -> None:
        self.regime, self.known = regime, known if known is not None else {}
        self.leaves: dict[Term, Series] = {}
        self.intervals = _intervals(regime)
        self.uncovered = {x: s for x, s in regime.uncovered().items() if s.free_symbols <= self.intervals.keys()}
        covers = {s: cover for s, cover in regime.ranges.items() if s in self.intervals}
        self.covers = {s: cover for s, cover in regime.ranges.items() if s not in covers}
        self.names: dict[sp.Symbol, sp.Symbol] = {s: _symbol(f"s{k}_") for k, s in enumerate(regime.scales)}
        self.own: set[str] = {own.name for own in self.names.values()}
        self.scales = {own.name: k for k, own in enumerate(self.names.values())}
        self.within: dict[str, Range] = {}
        self.domain = _Asked(within=self.within)
        whole = [regime.ties.get(s, regime.ranges.get(s, s)) for s in self._whole()]
        known_whole = frozenset(self._term(x) for x in whole)
        self.expander = _Remembering(Algebra(self.domain, order + 1), self.scales, self.leaves, known_whole)
        self.facts: tuple[str, ...] = ()

    def _whole(self) -> list[sp.Symbol]:
        """The variables and parameters that stand for whole numbers."""
        known = {*self.regime.scales, *self.regime.ties, *self.regime.ranges}
        return [s for s in sorted(known, key=str) if s.name in self.regime.whole]

    def __call__(self, expr: sp.Expr) -> Expansion:
        """The expansion of an expression.

        Raises:
            Refused: the kernel has no series of it.
        """
        del self.domain.open[:]
        algebra = self.expander.algebra
        room = ROOM if expr.has(sp.uppergamma, sp.lowergamma) else 0
        algebra.spent[0] = -room
        try:
            with collected() as facts:
                self._ends_are_whole(expr)
                found = self.expander.series(self._term(expr))
            self.facts = tuple(sorted(facts))
            if (
                not found.terms and self._paths() and not is_coarse()
            ):  # an order that stands for terms on some of the paths
                record(self._growth(self._paths()[0]))
                raise NoTerm("no term is known on all paths")
            return self._expansion(found)
        except Refusal as error:
            if algebra.spent[0] > MOST_WORK:
                raise OutOfSteps(str(error), undecided=()) from error
            for x in self.domain.open[-1:]:
                record(self._growth(self._paths()[0]) if isinstance(x, KernelGrowth) else self._coefficient(x))
            raise Refused(str(error)) from error
        except ParseError as error:
            raise Refused(f"{expr} is not read by the kernel", undecided=()) from error
        finally:
            METER.steps += TERM * (algebra.spent[0] + room)

    def _paths(self) -> list[KernelGrowth]:
        """The growths of which it hangs on the path whether they are large or small, as they were asked."""
        return [x for x in self.domain.open if isinstance(x, KernelGrowth)]

    def _ends_are_whole(self, expr: sp.Expr) -> None:
        """Of sums that begin or end with a polynomial with whole coefficients, the letters in it are whole: else they have no
        meaning, which is asked before they are expanded."""
        totals = expr.atoms(sp.Sum, sp.Product)
        bound = {index for total in totals for index, *_ in total.limits}
        ends = {end for total in totals for _, *pair in total.limits for end in pair if end.free_symbols - bound}
        ends |= {x.args[0] for x in expr.atoms(sp.harmonic) if len(x.args) == 2}
        letters = {
            x for end in ends if not end.free_symbols & bound and _has_whole_coefficients(end) for x in end.free_symbols
        }
        self.expander.whole |= {self._term(x) for x in letters}

    # --- there ----------------------------------------------------------------------------------

    def _term(self, expr: sp.Expr) -> Term:
        expr = expr.subs(dict(self.regime.ties)).subs(self.covers).subs(self.uncovered)
        for symbol in sorted(expr.free_symbols - self.names.keys(), key=str):
            self._parameter(symbol)
        found = _read(expr.xreplace(self.names))
        if (
            strangers := {part.name for part in terms.walk(found) if part.head == "name"}
            - self.own
            - terms.CONSTANTS
            - {"oo"}
        ):
            raise Refused(f"{min(strangers)} is no real number", undecided=())
        return found

    def _parameter(self, symbol: sp.Symbol) -> None:
        if symbol in self.known:
            own = self.names[symbol] = _symbol(f"r{len(self.names)}_")
            self.own.add(own.name)
            self.leaves[terms.name(own.name)] = self._series(self.known[symbol])
            return
        where = self.intervals.get(symbol, Range(mpq(0), True) if symbol.is_positive else Range())
        if not symbol.is_real:
            raise Refused(f"{symbol} is not real", undecided=())
        own = _symbol(f"{'p' if where.low is not None and where.low >= 0 else 'r'}{len(self.names)}_")
        self.names[symbol] = own
        self.own.add(own.name)
        self.within[own.name] = where

    def _series(self, expansion: Expansion) -> Series:
        kept = [(self._ratio(c), self._there(g)) for g, c in expansion.terms.items()]
        return Series(tuple(kept), tuple(self._there(g) for g in expansion.remainder))

    def _ratio(self, expr: sp.Expr) -> Ratio:
        return self.domain.value(self._term(expr))

    def _there(self, growth: Growth) -> KernelGrowth:
        found = KernelGrowth()
        for base, power in growth.powers:
            depth = 0
            while isinstance(base, sp.log):
                base, depth = base.args[0], depth + 1
            found = found.times(power_of(self.scales[self.names[base].name], depth, self._ratio(power)))
        return found.times(KernelGrowth((), tuple((self._ratio(c), self._there(g)) for g, c in growth.large)))

    # --- and back -------------------------------------------------------------------------------

    def _expansion(self, series: Series) -> Expansion:
        kept = {self._growth(g): self._coefficient(c) for c, g in series.terms}
        return Expansion({g: c for g, c in kept.items() if c != 0}, tuple(self._growth(r) for r in series.rest))

    def _coefficient(self, x: Ratio) -> sp.Expr:
        found = _back(to_term(x)).xreplace({own: symbol for symbol, own in self.names.items()})
        found = found.subs(self.regime.ranges) if self.intervals else found
        try:
            return usual(tidy(found))
        except sy.SymbolicFailure:  # too long to be multiplied out
            return found

    def _growth(self, growth: KernelGrowth) -> Growth:
        found = ONE
        for (i, depth), e in growth.powers:
            found = found * Growth.of(self._scale(i, depth), self._coefficient(e))
        for c, g in growth.exponent:
            found = found * Growth((), ((self._growth(g), self._coefficient(c)),))
        return found

    def _scale(self, i: int, depth: int) -> sp.Expr:
        if i >= len(self.regime.scales):
            raise Refused("a quantity without a name")
        found: sp.Expr = self.regime.scales[i]
        for _ in range(depth):
            found = sp.log(found)
        return found


@uncounted
@lru_cache(maxsize=10_000)
def canonical(expr: sp.Expr) -> sp.Expr:
    """One name for each constant: Gamma(0, x) and -Ei(-x) are E_1(x)."""
    expr = expr.replace(sp.uppergamma, lambda a, x: sp.expint(1, x) if a == 0 else sp.uppergamma(a, x))
    return expr.replace(
        lambda e: isinstance(e, sp.Ei) and e.args[0].could_extract_minus_sign() and e.args[0].is_negative,
        lambda e: -sp.expint(1, -e.args[0]),
    )


@uncounted
@lru_cache(maxsize=2_000)
def _read(expr: sp.Expr) -> Term:
    return terms.read(text_of(expr))


@uncounted
@lru_cache(maxsize=2_000)
def _back(term: Term) -> sp.Expr:
    return _as_powers(canonical(_expression(term)))


def _expression(term: Term) -> sp.Expr:
    """A term as an expression."""
    parts = [_expression(part) for part in term.parts] if term.head not in terms.BINDERS and not _is_long(term) else []
    match term.head:
        case "number" if not _is_long(term):
            return sp.Rational(int(term.number.numerator), int(term.number.denominator))
        case "name" if terms.free(term):
            return _symbol(term.name)
        case "sum" if parts:
            return sp.Add(*parts)
        case "product" if parts:
            return sp.Mul(*parts)
        case "power" if parts:
            return sp.Pow(*parts)
        case head if parts and head in NAMED and all(not x.is_number or abs(x.number) <= SMALL for x in term.parts):
            return NAMED[head].make(*parts)
    return parse_expression(str(term), {name: _symbol(name) for name in terms.free(term)})


def _is_long(term: Term) -> bool:
    """Whether a number in it is one that SymPy would work on at length."""
    numbers = (part.number for part in (term, *term.parts) if part.is_number)
    return any(max(abs(x.numerator), x.denominator) > LONGEST for x in numbers)


def _intervals(regime: Regime) -> dict[sp.Symbol, Range]:
    """The parameters that run through an interval with rational ends, or a half-line.

    >>> a, x = sp.symbols("a x", positive=True)
    >>> _intervals(Regime("", (), ranges={a: 1 + 1/(1 + x)}))
    {a: Range(low=mpq(1,1), low_open=True, high=mpq(2,1), high_open=True)}
    """
    found = {}
    for symbol, cover in regime.ranges.items():
        letters = cover.free_symbols
        if len(letters) != 1 or any(letters & other.free_symbols for s, other in regime.ranges.items() if s != symbol):
            continue
        (x,) = letters
        slope = decided_sign(sy.diff(cover, x)) if cover.is_rational_function(x) and x.is_positive else None
        if not slope or not symbol.is_real:
            continue
        first, last = sy.cancel(cover).subs(x, 0), sy.cancel(cover.subs(x, 1 / x)).subs(x, 0)
        low, high = (first, last) if slope == 1 else (last, first)
        if all(end.is_Rational or end.is_infinite for end in (low, high)):
            ends = (mpq(int(end.p), int(end.q)) if end.is_Rational else None for end in (low, high))
            (below, above) = ends
            found[symbol] = Range(below, below is not None, above, above is not None)
    return found


def usual(expr: sp.Expr) -> sp.Expr:
    """ln(2 pi) for ln 2 + ln pi, and Gamma(a) for Gamma(a + 1)/a.

    >>> a = sp.Symbol("a", positive=True)
    >>> usual(sp.log(2) / 2 + sp.log(sp.pi) / 2), usual(sp.gamma(a + 1) / a), usual(1 / sp.gamma(a + 1))
    (log(2*pi)/2, gamma(a), 1/gamma(a + 1))
    """
    if expr.is_Add:
        two, pi = (expr.coeff(sp.log(x)) for x in (2, sp.pi))
        expr = (
            expr + pi * (sp.log(2 * sp.pi) - sp.log(2) - sp.log(sp.pi)) if pi.is_Rational and pi == two != 0 else expr
        )
    while expr.has(sp.gamma) and not any(isinstance(power.base, sp.gamma) for power in expr.atoms(sp.Pow)):
        lower = tidy(expr.replace(
            lambda e: isinstance(e, sp.gamma) and e.args[0].is_Add and e.args[0].as_coeff_Add()[0] >= 1,
            lambda e: (e.args[0] - 1) * sp.gamma(e.args[0] - 1),
        ))  # fmt: skip
        if sp.count_ops(lower) >= sp.count_ops(expr):
            break
        expr = lower
    return expr


def _as_powers(expr: sp.Expr) -> sp.Expr:
    """c^k for exp(k ln c)."""
    return expr.replace(
        _is_power,
        lambda e: (
            next(x for x in e.args[0].args if isinstance(x, sp.log)).args[0]
            ** sp.Mul(*(x for x in e.args[0].args if not isinstance(x, sp.log)))
        ),
    )


def _is_power(e: sp.Expr) -> bool:
    return isinstance(e, sp.exp) and e.args[0].is_Mul and sum(isinstance(x, sp.log) for x in e.args[0].args) == 1


def _has_whole_coefficients(expr: sp.Expr) -> bool:
    letters = expr.free_symbols
    return bool(expr.is_polynomial(*letters)) and all(
        c.is_Integer for c in sy.poly(expr, *sorted(letters, key=str)).coeffs()
    )


def _symbol(name: str) -> sp.Symbol:
    """A symbol of the kernel's: one that begins with r is real, the others are positive."""
    return sp.Symbol(name, real=True) if name.startswith("r") else sp.Symbol(name, positive=True)
