"""Regimes and growths: what tends where, and which of two growths wins.

A regime is *parametrised by independent large scales*: quantities that tend to infinity, none
tied to another.  The variables of a paper are expressions in them.  ``p = omega(1/n), p -> 0``
is ``n = u v, p = 1 - exp(-1/v)`` with u and v free: every joint path to the limit is covered,
and a comparison that depends on the path is refused.

A growth is a monomial of the log-exp scale over those quantities,

    exp(E) * prod_t  t^a (ln t)^b (ln ln t)^c ...,

where E is a sum of growths that tend to infinity, and a, b, c may depend on parameters.

>>> n, a = sp.symbols("n a", positive=True)
>>> root, log = Growth.of(n, sp.Rational(1, 2)), Growth.of(sp.log(n))
>>> (log / root).limit(), (root / log).limit(), (root / root).limit()
('zero', 'infinity', 'one')
>>> (Growth.of(n, 1 - a) * log).limit()      # depends on a
'unknown'
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import sympy as sp

import asymp.symbolics as sy
from asymp.growth import ONE as ONE
from asymp.growth import Growth as Growth
from asymp.sign import sign as sign
from asymp.sign import tidy as tidy


@dataclass(frozen=True)
class Path:
    """One way to run to the limit: the regime's variables as expressions in its ``runner``.

    ``at(10**8)`` gives the exact values of all variables and parameters at that point.
    """

    name: str
    runner: sp.Symbol
    values: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    def at(self, size: int | Fraction, parameters: Mapping[sp.Symbol, sp.Expr] | None = None) -> dict[str, sp.Expr]:
        """The values (by name) where the runner is ``size``, and the parameters have these values.

        >>> n = sp.Symbol("n")
        >>> Path("n", n, {sp.Symbol("p"): 1 / n}).at(Fraction(3, 2))
        {'n': 3/2, 'p': 2/3}
        """
        value = sp.Rational(size)
        found = {self.runner.name: value}
        for symbol, expr in self.values.items():  # the parameters first: a number to the power of a number may be too long
            found[symbol.name] = sy.put(sp.sympify(expr).subs(parameters or {}), self.runner, value)
        return found

    def with_value(self, symbol: sp.Symbol, value: sp.Expr) -> Path:
        """The path on which a parameter has this value.

        >>> n, s = sp.symbols("n s")
        >>> Path("n", n, {sp.Symbol("p"): s / n}).with_value(s, sp.S.NegativeOne).values
        {p: -1/n, s: -1}
        """
        values = {x: sp.sympify(e).subs(symbol, value) for x, e in self.values.items()}
        return Path(f"{self.name}, {symbol} = {value}", self.runner, {**values, symbol: value})


@dataclass(frozen=True)
class Regime:
    """What tends where.

    Args:
        text: as printed.
        scales: the independent symbols that tend to +oo.
        ties: variables of the paper -> expressions in scales and parameters.
        ranges: parameter -> expression in a positive symbol that covers its range
            (``alpha > 1`` is ``{alpha: 1 + a}``, a positive).
        names: scale -> what it is in the paper's variables, to leading order (for display).
        inverse: scale -> what it is exactly, where ``names`` is not exact.
        paths: ways to the limit along which numbers are computed.
        instances: parameter values (symbol -> exact value) at which numbers are computed.
        cases: regimes that cover this one: every path has a subsequence that runs in one of them.
        whole: names of the variables and parameters that stand for whole numbers.
        real: names of those that were said to stand for real numbers ("real n->oo").
    """

    text: str
    scales: tuple[sp.Symbol, ...]
    ties: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    ranges: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    names: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    inverse: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    paths: tuple[Path, ...] = ()
    instances: tuple[Mapping[sp.Symbol, sp.Expr], ...] = ({},)
    cases: tuple[Regime, ...] = ()
    whole: frozenset[str] = frozenset()
    real: frozenset[str] = frozenset()

    @staticmethod
    def single(n: sp.Symbol, text: str = "") -> Regime:
        """One variable that tends to infinity.

        >>> Regime.single(sp.Symbol("n", positive=True)).text
        'n -> oo'
        """
        return Regime(text or f"{n} -> oo", (n,), paths=(Path(f"{n} -> oo", n),))

    def resolve(self, expr: sp.Expr) -> sp.Expr:
        """The expression in the scales, parameters replaced by what covers their range."""
        return expr.subs(dict(self.ties)).subs(dict(self.ranges))

    def moving(self, expr: sp.Expr) -> list[str]:
        """The names in an expression of what moves: that tends to its limit, or is tied to what does.

        >>> n, p, a = sp.symbols("n p a", positive=True)
        >>> Regime("n -> oo, p = a/n", (n,), {p: a / n}).moving(a * p + n)
        ['n', 'p']
        """
        moves = {*self.scales, *(s for s, tie in self.ties.items() if sp.sympify(tie).free_symbols & {*self.scales, *self.ties})}
        return sorted(s.name for s in expr.free_symbols & moves)

    def display(self, expr: sp.Expr) -> sp.Expr:
        """An expression in the scales, back in the paper's variables (to leading order)."""
        back = self._back
        shown = expr.subs({**dict(self.names), **back})
        return _neat(shown) if back else shown

    def exactly(self, expr: sp.Expr) -> sp.Expr:
        """An expression in the scales, in the paper's variables: not only to leading order, as :meth:`display` has it.

        >>> n, p, v, w = sp.symbols("n p v w", positive=True)
        >>> regime = Regime("", (v, w), names={v: 1 / p, w: n * p}, inverse={v: -1 / sp.log(1 - p), w: -n * sp.log(1 - p)})
        >>> regime.display(sp.exp(-w)), regime.exactly(sp.exp(-w))
        (exp(-n*p), exp(n*log(1 - p)))
        """
        back = self._back
        shown = expr.subs({**dict(self.names), **dict(self.inverse), **back}, simultaneous=True)
        return _neat(shown) if back else shown

    def leading(self, expr: sp.Expr) -> sp.Expr:
        """A term, to leading order: exact where what is known to leading order alone stands in an exponent."""
        inexact = set(self.inverse)
        exponents = (x.exp if x.is_Pow else x.args[0] for x in expr.atoms(sp.Pow, sp.exp))
        return self.exactly(expr) if any(e.free_symbols & inexact for e in exponents) else self.display(expr)

    def uncovered(self) -> dict[sp.Symbol, sp.Expr]:
        """The positive symbols that cover the ranges, in the parameters.

        >>> b, d, x, y = sp.symbols("b d x y", positive=True)
        >>> Regime("x < y < 2", (), ranges={y: 2 / (1 + d), x: 2 / (1 + d) / (1 + b)}).uncovered()
        {d: -1 + 2/y, b: -1 + y/x}
        """
        return dict(self._back)

    @cached_property
    def _back(self) -> dict[sp.Symbol, sp.Expr]:
        back: dict[sp.Symbol, sp.Expr] = {}
        left = dict(self.ranges)
        while left:
            ready = [(s, c.free_symbols - set(back)) for s, c in left.items() if len(c.free_symbols - set(back)) <= 1]
            if not ready:  # each needs another: all at once
                unknown = sorted(set().union(*(c.free_symbols for c in left.values())) - set(back), key=str)
                found = sy.solve([s - c.subs(back) for s, c in left.items()], unknown, dict=True)
                return back | {s: sy.expand(x) for s, x in found[0].items()} if len(found) == 1 else back
            symbol, unknown = ready[0]
            cover = left.pop(symbol)
            if unknown:
                (free,) = unknown
                back[free] = sy.expand(sy.solve(symbol - cover.subs(back), free)[0])
        return back

    def at(self, **values: sp.Expr) -> Regime:
        """The regime with some parameters fixed (by name)."""
        fixed = {s: sp.sympify(values[s.name]) for s in self._parameters() if s.name in values}
        return Regime(
            self.text + ", " + ", ".join(f"{s} = {x}" for s, x in fixed.items()),
            self.scales,
            {s: e.subs(fixed) for s, e in self.ties.items()},
            {s: e for s, e in self.ranges.items() if s not in fixed} | {},
            self.names,
            self.inverse,
            tuple(Path(q.name, q.runner, {s: sp.sympify(e).subs(fixed) for s, e in q.values.items()} | fixed)
                  for q in self.paths),
            tuple({s: x for s, x in i.items() if s not in fixed} for i in self.instances),
            whole=self.whole - {s.name for s in fixed},
            real=self.real - {s.name for s in fixed},
        )

    def _parameters(self) -> set[sp.Symbol]:
        found = set(self.ranges)
        for expr in self.ties.values():
            found |= expr.free_symbols
        for instance in self.instances:
            found |= set(instance)
        return found - set(self.scales)


def _neat_exponent(expr: sp.Expr) -> sp.Expr:
    """Lowest terms, or powers of one base put together.

    >>> n, r = sp.symbols("n r", positive=True)
    >>> _neat_exponent(n**3 * n**(2 * r - 4) / n**r)
    n**(r - 1)
    """
    if expr.is_rational_function() or not any(p.exp.free_symbols for p in expr.atoms(sp.Pow)):
        return sy.expand(sy.cancel(expr))
    return sy.powsimp(sy.expand(expr))


def _neat_quotient(expr: sp.Expr) -> sp.Expr:
    """Lowest terms, with a positive numerator where it is a number.

    >>> x = sp.Symbol("x", positive=True)
    >>> _neat_quotient(1 / (1 - x)), _neat_quotient((1 - x**2) / (1 + x))
    (1/(1 - x), 1 - x)
    """
    reduced = sy.cancel(expr)
    top, bottom = sp.fraction(reduced)
    return -top / sy.expand(-bottom) if top.is_negative and bottom.is_Add else reduced


def _neat(expr: sp.Expr) -> sp.Expr:
    """Rational functions of parameters inside functions and denominators, in lowest terms.

    >>> r = sp.Symbol("r", positive=True)
    >>> _neat(sp.exp(r * sp.log(1 + (1 - r) / r)) / (r + (r - 1)**2 - 1))
    exp(-r*log(r))/(r*(r - 1))
    """
    expr = expr.replace(sp.log, lambda x: sp.log(_neat_quotient(x)) if x.is_rational_function() else sp.log(x))
    expr = expr.replace(sp.exp, lambda x: sp.exp(_neat_exponent(x)))
    expr = expr.replace(
        lambda e: isinstance(e, sp.Function) and not isinstance(e, (sp.log, sp.exp)) and e.free_symbols
        and all(x.is_rational_function() for x in e.args),
        lambda e: e.func(*(sy.expand(sy.cancel(x)) for x in e.args)),
    )
    expr = expr.replace(
        lambda e: e.is_Pow and not e.exp.is_number and e.exp.is_rational_function(),
        lambda e: e.base ** sy.expand(sy.cancel(e.exp)),
    )
    return expr.replace(
        lambda e: e.is_Pow and e.exp.is_negative and e.base.is_Add and e.base.is_rational_function(),
        lambda e: sy.factor(e.base) ** e.exp,
    )
