"""Truncated expansions and their algebra.

An expansion is a finite sum of ``coefficient * growth`` and a remainder ``O(r1) + O(r2) + ...``.
Growths are ordered only partially (free scales, symbolic exponents), so a remainder may hold
several of them, none of which absorbs another.  Coefficients are expressions in parameters.
The constant of an O may depend on the parameters, not on the scales.

>>> n = sp.Symbol("n", positive=True)
>>> x = Expansion.of(Growth.of(n, -1))
>>> (Expansion.constant(1) + x).inverse(3)
1 - 1/n + n**(-2) - 1/n**3 + O(n**(-4))
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import sympy as sp

from asymp.scale import ONE, Growth, sign, tidy


class Refused(ValueError):
    """The engine does not know: the message says what it could not decide."""


@dataclass(frozen=True)
class Remainder:
    """``O(growth)``, ``o(growth)``, or ``B``: at most ``constant * growth`` from ``valid_from`` on."""

    kind: str
    growth: sp.Expr
    constant: sp.Expr | None = None
    valid_from: sp.Expr | None = None


_assumed: ContextVar[list[sp.Expr] | None] = ContextVar("assumed", default=None)


@contextlib.contextmanager
def assumptions() -> Iterator[list[sp.Expr]]:
    """Collects the leading coefficients that were divided by: what was derived holds where none vanishes."""
    found: list[sp.Expr] = []
    token = _assumed.set(found)
    try:
        yield found
    finally:
        _assumed.reset(token)


def assume_nonzero(coefficient: sp.Expr) -> None:
    """Note that what follows holds only where the coefficient does not vanish."""
    noted = _assumed.get()
    if noted is not None and coefficient not in noted:
        noted.append(coefficient)


def _evalf_excludes_zero(coefficient: sp.Expr, point: Mapping[str, Fraction]) -> bool:
    """The oracle when none is plugged in: SymPy's own evaluation, far from 0 at 40 digits."""
    value = coefficient.subs({s: sp.Rational(point[s.name]) for s in coefficient.free_symbols}).evalf(40, maxn=400)
    if not value.is_number or value.is_finite is False:
        raise Refused(f"cannot evaluate the coefficient {coefficient}")
    return bool(abs(value) > sp.Float("1e-25"))


_oracle: Callable[[sp.Expr, Mapping[str, Fraction]], bool] = _evalf_excludes_zero


def plug_oracle(excludes_zero: Callable[[sp.Expr, Mapping[str, Fraction]], bool]) -> None:
    """Decide nonzero coefficients by ``excludes_zero(coefficient, point)``: True only if it is not 0 there.

    ``asymp.expand`` plugs in ball arithmetic, which certifies its answer.
    """
    global _oracle
    _oracle = excludes_zero


@lru_cache(maxsize=100_000)
def is_zero(coefficient: sp.Expr) -> bool:
    """Whether a parameter expression vanishes identically.

    Nonzero is believed of the oracle's word at an arbitrary point; zero, of algebra alone.

    Raises:
        Refused: numerically 0, and no algebra shows it.
    """
    if coefficient.is_Rational:
        return bool(coefficient == 0)
    if sp.expand(coefficient) == 0:
        return True
    symbols = sorted(coefficient.free_symbols, key=str)
    for shift in (Fraction(7, 10), Fraction(23, 10)):
        point = {s.name: shift + Fraction(k + 1, 2 * k + 3) for k, s in enumerate(symbols)}
        if _oracle(coefficient, point):
            return False
    if sp.simplify(sp.expand_log(coefficient, force=True)) == 0:
        return True
    raise Refused(f"cannot decide whether {coefficient} is zero")


def absorbed(growth: Growth, remainder: Iterable[Growth]) -> bool:
    """Whether ``growth`` is O of one of the remainder's growths."""
    return any((growth / r).limit() in ("zero", "one") for r in remainder)


def maximal(growths: Iterable[Growth]) -> tuple[Growth, ...]:
    """The growths that no other absorbs."""
    kept: list[Growth] = []
    for g in growths:
        if absorbed(g, kept):
            continue
        kept = [k for k in kept if (k / g).limit() != "zero"] + [g]
    return tuple(kept)


@dataclass(frozen=True)
class Expansion:
    """Terms (growth -> coefficient) and the growths of the remainder; no remainder: exact."""

    terms: Mapping[Growth, sp.Expr]
    remainder: tuple[Growth, ...] = ()

    # -- making --------------------------------------------------------------------------------
    @staticmethod
    def constant(value: sp.Expr | int) -> Expansion:
        """A constant (a parameter expression)."""
        return Expansion.make({ONE: sp.sympify(value)})

    @staticmethod
    def of(growth: Growth, coefficient: sp.Expr | int = 1) -> Expansion:
        """One term."""
        return Expansion.make({growth: sp.sympify(coefficient)})

    @staticmethod
    def big_o(*growths: Growth) -> Expansion:
        """A remainder alone."""
        return Expansion.make({}, growths)

    @staticmethod
    def make(terms: Mapping[Growth, sp.Expr], remainder: Iterable[Growth] = ()) -> Expansion:
        """Drop what is zero and what the remainder absorbs."""
        rest = maximal(remainder)
        kept = {}
        for growth, coefficient in terms.items():
            if rest and absorbed(growth, rest):
                continue
            if not is_zero(coefficient):
                kept[growth] = coefficient
        return Expansion(kept, rest)

    # -- algebra -------------------------------------------------------------------------------
    def __add__(self, other: Expansion) -> Expansion:
        return Expansion.sum((self, other))

    @staticmethod
    def sum(parts: Iterable[Expansion]) -> Expansion:
        """The sum of expansions."""
        total: dict[Growth, sp.Expr] = {}
        rest: list[Growth] = []
        for part in parts:
            for growth, coefficient in part.terms.items():
                total[growth] = tidy(total[growth] + coefficient) if growth in total else coefficient
            rest.extend(part.remainder)
        return Expansion.make(total, rest)

    def __neg__(self) -> Expansion:
        return self.scaled(-1)

    def __sub__(self, other: Expansion) -> Expansion:
        return self + -other

    def scaled(self, factor: sp.Expr | int) -> Expansion:
        """A multiple by a parameter expression."""
        factor = sp.sympify(factor)
        if is_zero(factor):
            return Expansion({})
        return Expansion({g: tidy(c * factor) for g, c in self.terms.items()}, self.remainder)

    def __mul__(self, other: Expansion) -> Expansion:
        total: dict[Growth, sp.Expr] = {}
        rest = list(
            maximal(r * g for r in other.remainder for g in (*self.terms, *self.remainder))
        ) + list(maximal(r * g for r in self.remainder for g in other.terms))
        rest = list(maximal(rest))
        for (g, a), (h, b) in itertools.product(self.terms.items(), other.terms.items()):
            growth = g * h
            if rest and absorbed(growth, rest):
                continue
            total[growth] = total.get(growth, sp.S.Zero) + a * b
        return Expansion.make({g: tidy(c) for g, c in total.items()}, rest)

    def leading(self) -> tuple[Growth, sp.Expr]:
        """The term that dominates all others and the remainder.

        Raises:
            Refused: there is none (the order depends on the path or a parameter, or all
                known terms cancelled).
        """
        for growth, coefficient in self.terms.items():
            others = itertools.chain((h for h in self.terms if h != growth), self.remainder)
            if all((h / growth).limit() == "zero" for h in others):
                return growth, coefficient
        if not self.terms:
            raise Refused(f"no term is known, only {self}")
        raise Refused(f"no term dominates in {self}")

    def _relative(self) -> tuple[Growth, sp.Expr, Expansion]:
        """self = c G (1 + eps), eps -> 0."""
        growth, coefficient = self.leading()
        assume_nonzero(coefficient)
        back = growth**-1
        eps = {g * back: tidy(c / coefficient) for g, c in self.terms.items() if g != growth}
        return growth, coefficient, Expansion.make(eps, (r * back for r in self.remainder))

    def series(self, coefficients: Iterable[sp.Expr]) -> Expansion:
        """sum_k c_k self^k + O(self^(K+1)), for self -> 0 and a convergent or asymptotic series."""
        coefficients = [sp.sympify(c) for c in coefficients]
        self.require_small()
        total, power = Expansion.constant(coefficients[0]), Expansion.constant(1)
        for c in coefficients[1:]:
            power = power * self
            total = total + power.scaled(c)
        return total + self.tail(len(coefficients))

    def tail(self, power: int) -> Expansion:
        """O(self^power): (g1 + g2 + ...)^k is O(g1^k + g2^k + ...)."""
        return Expansion.big_o(*(g**power for g in maximal((*self.terms, *self.remainder))))

    def require_small(self) -> None:
        """Raises Refused unless every term and the remainder tend to 0."""
        for g in (*self.terms, *self.remainder):
            if g.limit() != "zero":
                raise Refused(f"{g} is not known to tend to 0")

    def power(self, exponent: sp.Expr, order: int) -> Expansion:
        """self^exponent for a constant exponent, binomial series to the given order."""
        if exponent.is_Integer and 0 <= exponent <= 8:  # needs no dominating term
            result = Expansion.constant(1)
            for _ in range(int(exponent)):
                result = result * self
            return result
        growth, coefficient, eps = self._relative()
        if not exponent.is_Integer and sign(coefficient) != 1:
            raise Refused(f"a power of {coefficient}, which may not be positive")
        head = Expansion.of(growth**exponent, coefficient**exponent)
        if not eps.terms and not eps.remainder:
            return head
        return head * eps.series([sp.binomial(exponent, k) for k in range(order + 1)])

    def inverse(self, order: int) -> Expansion:
        """1/self."""
        return self.power(sp.S.NegativeOne, order)

    def log(self, order: int) -> Expansion:
        """ln(self); the leading coefficient must be positive."""
        growth, coefficient, eps = self._relative()
        if sign(coefficient) != 1:
            raise Refused(f"the logarithm of {coefficient}, which may not be positive")
        head = Expansion.constant(sp.expand_log(sp.log(coefficient), force=True))
        head = Expansion.sum([head, *(Expansion.of(g, c) for g, c in growth.log())])
        if not eps.terms and not eps.remainder:
            return head
        return head + eps.series([0, *(sp.Rational((-1) ** (k + 1), k) for k in range(1, order + 1))])

    def exp(self, order: int) -> Expansion:
        """exp(self); the terms that do not vanish must each be large or constant."""
        large, constant, small = [], sp.S.Zero, {}
        for g, c in self.terms.items():
            where = g.limit()
            if where == "infinity":
                large.append((g, c))
            elif where == "one":
                constant += c
            elif where == "zero":
                small[g] = c
            else:
                raise Refused(f"exp of {g}, which may vanish or not")
        eps = Expansion.make(small, self.remainder)
        eps.require_small()
        head = Expansion.of(Growth.exp(large), sp.exp(constant))
        if not eps.terms and not eps.remainder:
            return head
        return head * eps.series([1 / sp.factorial(k) for k in range(order + 1)])

    # -- reading -------------------------------------------------------------------------------
    @property
    def expr(self) -> sp.Expr:
        """The sum of the terms."""
        return sp.Add(*(c * g.expr for g, c in self.terms.items()))

    def is_exact(self) -> bool:
        """Whether there is no remainder."""
        return not self.remainder

    def __str__(self) -> str:
        terms = [str(c * g.expr) for g, c in self.ordered()]
        rest = [f"O({r})" for r in self.remainder]
        return (" + ".join(terms + rest) or "0").replace("+ -", "- ")

    __repr__ = __str__

    def ordered(self) -> list[tuple[Growth, sp.Expr]]:
        """The terms, larger ones first (incomparable ones in the order of their making)."""
        left, result = list(self.terms.items()), []
        while left:
            # a strict partial order has a maximal element
            top = next(q for q in left if not any((q[0] / h).limit() == "zero" for h, _ in left))
            left.remove(top)
            result.append(top)
        return result

    def _repr_latex_(self) -> str:
        terms = [sp.latex(c * g.expr) for g, c in self.ordered()]
        rest = [rf"O\left({sp.latex(r.expr)}\right)" for r in self.remainder]
        return "$\\displaystyle " + (" + ".join(terms + rest) or "0").replace("+ -", "- ") + "$"
