"""Regimes and growths: what tends where, and which of two growths wins.

A regime is *parametrised by independent large scales*: quantities that tend to infinity, none
tied to another.  The variables of a paper are expressions in them.  ``p = omega(1/n), p -> 0``
is ``n = u v, p = 1 - exp(-1/v)`` with u and v free: every joint path to the limit is covered,
and a comparison that depends on the path is refused.

A growth is a monomial of the log-exp scale over those quantities,

    exp(E) * prod_t  t^a (ln t)^b (ln ln t)^c,

where E is a sum of growths that tend to infinity, and a, b, c may depend on parameters.

>>> n, a = sp.symbols("n a", positive=True)
>>> root, log = Growth.of(n, sp.Rational(1, 2)), Growth.of(sp.log(n))
>>> (log / root).limit(), (root / log).limit(), (root / root).limit()
('zero', 'infinity', 'one')
>>> (Growth.of(n, 1 - a) * log).limit()      # depends on a
'unknown'
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import sympy as sp


@dataclass(frozen=True)
class Path:
    """One way to run to the limit: the regime's variables as expressions in its ``runner``.

    ``at(10**8)`` gives the exact values of all variables and parameters at that point.
    """

    name: str
    runner: sp.Symbol
    values: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)

    def at(self, size: int) -> dict[str, sp.Expr]:
        """The values (by name) where the runner is ``size``."""
        point = {self.runner.name: sp.Integer(size)}
        for symbol, expr in self.values.items():
            point[symbol.name] = sp.sympify(expr).subs(self.runner, sp.Integer(size))
        return point


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

    def display(self, expr: sp.Expr) -> sp.Expr:
        """An expression in the scales, back in the paper's variables (to leading order)."""
        back = {}
        for symbol, cover in self.ranges.items():
            (free,) = cover.free_symbols
            back[free] = sp.solve(sp.Eq(symbol, cover), free)[0]
        shown = expr.subs({**dict(self.names), **back})
        return _neat(shown) if back else shown

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
        )

    def _parameters(self) -> set[sp.Symbol]:
        found = set(self.ranges)
        for expr in self.ties.values():
            found |= expr.free_symbols
        for instance in self.instances:
            found |= set(instance)
        return found - set(self.scales)


def _neat(expr: sp.Expr) -> sp.Expr:
    """Rational functions of parameters inside logarithms, exponentials and denominators, in lowest terms.

    >>> r = sp.Symbol("r", positive=True)
    >>> _neat(sp.exp(r * sp.log(1 + (1 - r) / r)) / (r + (r - 1)**2 - 1))
    exp(-r*log(r))/(r*(r - 1))
    """
    expr = expr.replace(sp.log, lambda x: sp.log(sp.cancel(x)) if x.is_rational_function() else sp.log(x))
    expr = expr.replace(sp.exp, lambda x: sp.exp(sp.expand(sp.cancel(x))))
    return expr.replace(
        lambda e: e.is_Pow and e.exp.is_negative and e.base.is_Add and e.base.is_rational_function(),
        lambda e: sp.factor(e.base) ** e.exp,
    )


class _Positive(dict[sp.Expr, sp.Symbol]):
    def __missing__(self, key: sp.Expr) -> sp.Symbol:
        self[key] = sp.Dummy("d", positive=True)
        return self[key]


_E1, _EXP = _Positive(), _Positive()


def _content(x: sp.Expr) -> sp.Expr:
    """The rational factor of a negative x, so that e^(-c) and e^(-2c) share one symbol; it is negative.

    >>> c = sp.Symbol("c", positive=True)
    >>> _content(-2 * c), sign(1 - sp.exp(-c)), sign(sp.exp(-2 * c) - sp.exp(-c))
    (-2, 1, -1)
    """
    factor = x.as_coeff_Mul()[0]
    return -abs(factor)


# --- growths ---------------------------------------------------------------------------------


@lru_cache(maxsize=100_000)
def sign(expr: sp.Expr) -> int | None:
    """The sign of a parameter expression for all values of its (positive) symbols; None: depends.

    >>> a = sp.Symbol("a", positive=True)
    >>> sign(-a - 1), sign(a / (1 + a)), sign(1 - a)
    (-1, 1, None)
    """
    if expr.is_number:
        if expr == 0:
            return 0
        return 1 if expr.is_positive else -1 if expr.is_negative else None
    original = expr
    # E_1 is positive on the positive axis, which SymPy does not know
    expr = expr.replace(sp.expint, lambda nu, x: _E1[x] if nu == 1 and x.is_positive else sp.expint(nu, x))
    # 0 < e^(-c) < 1: with e^(-c) = 1/(1 + d), d > 0, SymPy sees the sign of 1 - e^(-c)
    expr = expr.replace(sp.exp, lambda x: (1 + _EXP[-x / _content(x)]) ** _content(x) if x.is_negative else sp.exp(x))
    for form in (lambda e: e, sp.expand, sp.factor):
        e = form(expr)
        if e.is_zero:
            return 0
        if e.is_positive:
            return 1
        if e.is_negative:
            return -1
    return _by_derivative(original)


def _by_derivative(expr: sp.Expr) -> int | None:
    """f(0) and f' of one sign on c > 0 give f that sign: 1 - (1 + c) e^(-c) has derivative c e^(-c).

    >>> c = sp.Symbol("c", positive=True)
    >>> sign(1 - (1 + c) * sp.exp(-c)), sign(c - sp.exp(-c))
    (1, None)
    """
    if len(expr.free_symbols) != 1 or not expr.has(sp.exp, sp.log) or expr.has(sp.expint) or sp.count_ops(expr) > 40:
        return None
    (symbol,) = expr.free_symbols
    start = expr.subs(symbol, 0)
    if not (start.is_number and start.is_finite and start.is_real):
        return None
    first, slope = sign(start), sign(sp.factor(sp.diff(expr, symbol)))
    if slope in (1, -1) and first in (0, slope):
        return slope
    return None


@lru_cache(maxsize=100_000)
def tidy(expr: sp.Expr) -> sp.Expr:
    """A canonical form of a parameter expression: expanded, over one denominator where it has sums in it."""
    if expr.is_Rational:
        return expr
    expanded = sp.expand(expr)
    if any(q.is_Pow and q.exp.is_negative and q.base.is_Add for q in sp.preorder_traversal(expanded)):
        return sp.cancel(expr)
    return expanded


@dataclass(frozen=True)
class Growth:
    """A monomial of the log-exp scale: see the module.  ``powers`` and ``large`` are sorted."""

    powers: tuple[tuple[sp.Expr, sp.Expr], ...] = ()
    large: tuple[tuple[Growth, sp.Expr], ...] = ()

    def __post_init__(self) -> None:  # hashed often: in every product and comparison
        object.__setattr__(self, "_hash", hash((self.powers, self.large)))

    def __hash__(self) -> int:
        return self._hash  # type: ignore[attr-defined]

    @staticmethod
    def of(atom: sp.Expr, power: sp.Expr | int = 1) -> Growth:
        """A power of a scale t, of ln t or of ln ln t."""
        power = sp.sympify(power)
        return Growth(((atom, power),)) if power != 0 else Growth()

    @staticmethod
    def exp(terms: Iterable[tuple[Growth, sp.Expr]]) -> Growth:
        """exp of a sum of large growths; multiples of ln t become powers of t.

        Raises:
            ValueError: a growth that is not large.
        """
        powers, large = [], []
        for growth, coefficient in terms:
            if growth.limit() != "infinity":
                raise ValueError(f"{growth} does not tend to infinity")
            atom = growth._as_log()
            if atom is not None:
                powers.append((atom, coefficient))
            else:
                large.append((growth, coefficient))
        return Growth._make(powers, large)

    @staticmethod
    def _make(powers: Iterable, large: Iterable) -> Growth:
        sums: tuple[dict, dict] = ({}, {})
        for pairs, total in ((powers, sums[0]), (large, sums[1])):
            for key, value in pairs:
                total[key] = total.get(key, sp.S.Zero) + value
        kept = [
            tuple(sorted(((k, tidy(x)) for k, x in total.items() if tidy(x) != 0), key=lambda q: _rank(q[0])))
            for total in sums
        ]
        return Growth(kept[0], kept[1])

    def __mul__(self, other: Growth) -> Growth:
        if not other.powers and not other.large:
            return self
        if not self.powers and not self.large:
            return other
        return _product(self, other)

    def __pow__(self, power: sp.Expr | int) -> Growth:
        return _power(self, sp.sympify(power))

    def __truediv__(self, other: Growth) -> Growth:
        return self * other**-1

    def log(self) -> list[tuple[Growth, sp.Expr]]:
        """ln of the growth, as a sum of growths.

        Raises:
            ValueError: more than three logarithms would be needed.
        """
        terms = list(self.large)
        for atom, power in self.powers:
            if isinstance(atom, sp.log) and isinstance(atom.args[0], sp.log):
                raise ValueError("a logarithm deeper than ln ln")
            terms.append((Growth.of(sp.log(atom)), power))
        return terms

    def limit(self) -> str:
        """'zero', 'one', 'infinity', or 'unknown' (depends on the path or on a parameter)."""
        return _limit(self)

    @property
    def expr(self) -> sp.Expr:
        """The growth as an expression."""
        power = sp.Mul(*(a**x for a, x in self.powers))
        return power * sp.exp(sp.Add(*(x * g.expr for g, x in self.large))) if self.large else power

    def __str__(self) -> str:
        return str(self.expr)

    def _as_log(self) -> sp.Symbol | sp.Expr | None:
        if not self.large and len(self.powers) == 1:
            atom, power = self.powers[0]
            if isinstance(atom, sp.log) and power == 1:
                return atom.args[0]
        return None


ONE = Growth()


@lru_cache(maxsize=10_000)
def _rank(key: sp.Expr | Growth) -> str:
    return str(key)


@lru_cache(maxsize=200_000)
def _power(base: Growth, power: sp.Expr) -> Growth:
    return Growth._make(((a, x * power) for a, x in base.powers), ((g, x * power) for g, x in base.large))


@lru_cache(maxsize=200_000)
def _product(a: Growth, b: Growth) -> Growth:
    return Growth._make((*a.powers, *b.powers), (*a.large, *b.large))


def _scale_of(atom: sp.Expr) -> tuple[sp.Expr, int]:
    depth = 0
    while isinstance(atom, sp.log):
        atom, depth = atom.args[0], depth + 1
    return atom, depth


@lru_cache(maxsize=200_000)
def _limit(growth: Growth) -> str:
    # per scale, the sign of the first nonzero power in the order t, ln t, ln ln t
    ladders: dict[sp.Expr, dict[int, sp.Expr]] = {}
    for atom, power in growth.powers:
        scale, depth = _scale_of(atom)
        ladders.setdefault(scale, {})[depth] = power
    signs: dict[sp.Expr, int | None] = {}
    for scale, ladder in ladders.items():
        signs[scale] = sign(ladder[min(ladder)])
    if not growth.large:
        found = set(signs.values())
        if not found:
            return "one"
        if found == {1}:
            return "infinity"
        if found == {-1}:
            return "zero"
        return "unknown"
    # exp(E) wins over every scale whose logarithm is small against |E|
    direction = _direction(growth.large)
    if direction is None:
        return "unknown"
    for scale, s in signs.items():
        if s == direction:
            continue
        log = Growth.of(sp.log(scale))
        if not any((log / g).limit() == "zero" for g, _ in growth.large):
            return "unknown"
    return "infinity" if direction > 0 else "zero"


def _direction(large: tuple[tuple[Growth, sp.Expr], ...]) -> int | None:
    signs = {sign(x) for _, x in large}
    if signs == {1} or signs == {-1}:
        return signs.pop()
    for g, x in large:
        if all((h / g).limit() == "zero" for h, _ in large if h != g):
            return sign(x)
    return None
