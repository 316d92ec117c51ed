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

import itertools
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

import sympy as sp

import asymp.symbolics as sy
from asymp.budget import METER, PRODUCT, TERM
from asymp.coefficient import sum_of_products
from asymp.growth import ONE, Growth
from asymp.refusal import NoTerm as NoTerm
from asymp.refusal import OutOfSteps as OutOfSteps
from asymp.refusal import Refused as Refused
from asymp.sign import sign, tidy
from asymp.vanishing import assume_nonzero as assume_nonzero
from asymp.vanishing import assumptions as assumptions
from asymp.vanishing import coarse as coarse
from asymp.vanishing import is_coarse
from asymp.vanishing import is_zero as is_zero
from asymp.vanishing import plug_oracle as plug_oracle

MOST_TERMS = 400
"""Terms of one expansion: to bring them into order takes the square of their number."""
MOST_FACTORS = 100
"""A whole power of so many terms at most is multiplied out; a larger one is a binomial series."""


@dataclass(frozen=True)
class Remainder:
    """``O(growth)``, ``o(growth)``, or ``B``: at most ``constant * growth`` from ``valid_from`` on."""

    kind: str
    growth: sp.Expr
    constant: sp.Expr | None = None
    valid_from: sp.Expr | None = None


def _log_of_positive(coefficient: sp.Expr) -> sp.Expr:
    """ln c, c > 0, as the sum over its factors of ln |factor|: SymPy does not come back from log(-1/(log(2) - 1)).

    >>> _log_of_positive(-2 / (sp.log(2) - 1))
    log(2) - log(1 - log(2))
    """
    total = sp.S.Zero
    for factor in sp.Mul.make_args(coefficient):
        base, power = factor.as_base_exp()
        base = -base if sign(base) == -1 else base
        total += sy.expand(power * sy.expand_log(sp.log(base), force=True))
    return total


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


def logarithm(terms: Mapping[Growth, sp.Expr]) -> tuple[Growth, sp.Expr, sp.Expr] | None:
    """(G, c, x) where the terms, two or more of them, are c G ln x, x a product of positive powers of scales; or None.

    As positive multiples of G ln u, G ln v, ... they do not cancel: their sum is at least as large as each.

    >>> u, v = sp.symbols("u v", positive=True)
    >>> logarithm({Growth.of(sp.log(u)): sp.Integer(2), Growth.of(sp.log(v)): sp.Integer(4)})[1:]
    (2, log(u*v**2))
    """
    if len(terms) < 2:
        return None
    found: list[tuple[Growth, sp.Expr, sp.Expr]] = []
    for g, c in terms.items():
        logs = [atom for atom, power in g.powers if isinstance(atom, sp.log) and atom.args[0].is_Symbol and power == 1]
        found += [(g / Growth.of(atom), atom.args[0], c) for atom in logs]
    forms = []
    for common, _, c in found:
        alike = [(t, tidy(d / c)) for h, t, d in found if h == common]
        if len(alike) == len(terms) and all(sign(q) == 1 for _, q in alike):
            forms.append((common, c, sp.log(sp.Mul(*(t**q for t, q in alike))), all(q.is_Integer for _, q in alike)))
    return max(forms, key=lambda form: form[3])[:3] if forms else None  # whole powers, where there are


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
        METER.steps += TERM * (len(terms) + 1)
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
        if len(total) > MOST_TERMS:
            raise Refused(f"more than {MOST_TERMS} terms in one expansion", undecided=())
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
        return Expansion({g: sum_of_products([(c, factor)]) for g, c in self.terms.items()}, self.remainder)

    def __mul__(self, other: Expansion) -> Expansion:
        METER.steps += PRODUCT * (len(self.terms) * len(other.terms) + 1)
        pairs: dict[Growth, list[tuple[sp.Expr, sp.Expr]]] = {}
        rest = list(
            maximal(r * g for r in other.remainder for g in (*self.terms, *self.remainder))
        ) + list(maximal(r * g for r in self.remainder for g in other.terms))
        rest = list(maximal(rest))
        for (g, a), (h, b) in itertools.product(self.terms.items(), other.terms.items()):
            pairs.setdefault(g * h, []).append((a, b))
        kept = {g: sum_of_products(p) for g, p in pairs.items() if not (rest and absorbed(g, rest))}
        return Expansion({g: c for g, c in kept.items() if not is_zero(c)}, tuple(rest))

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
            raise NoTerm(f"no term is known, only {self}", undecided=())
        raise Refused(f"no term dominates in {self}", undecided=self._rivals(list(self.terms), ()))

    def _rivals(self, left: list[Growth], shown: Iterable[Growth]) -> list[Hashable]:
        """What decides which of these terms comes first, among them and against the remainder."""
        tops = [g for g in left if not any((g / h).limit() == "zero" for h in left)]
        pairs = [(g, h) for g, h in itertools.combinations(tops, 2)]
        pairs += [(g, r) for g in (*tops, *shown) for r in self.remainder]
        return [question for g, h in pairs for question in (h / g).undecided()]

    def first(self, count: int) -> list[tuple[Growth, sp.Expr]]:
        """The first ``count`` terms (all, if there are fewer), each larger than all that follow, remainder included.

        ln(uv) = ln u + ln v of free scales counts as one term, see :func:`logarithm`.

        >>> n, a = sp.symbols("n a", positive=True)
        >>> e = Expansion({Growth.of(n, -a): sp.S.One, ONE: sp.S.One, Growth.of(n, -1): sp.S.One})
        >>> e.first(1)[0][0] == ONE
        True
        >>> e.first(2)
        Traceback (most recent call last):
        ...
        asymp.refusal.Refused: whether n**(-a) or 1/n is larger is not decided

        Raises:
            Refused: their order depends on a parameter or on the path; ``undecided`` says on what.
        """
        left, result = dict(self.terms), []
        found = 0
        while left and found < count:
            found += 1
            tops = [g for g in left if all(h is g or (h / g).limit() == "zero" for h in (*left, *self.remainder))]
            if not tops:
                rivals = [g for g in left if not any((g / h).limit() == "zero" for h in left)]
                if logarithm({g: left[g] for g in rivals}) is not None and self._led_by(rivals):
                    result += [(g, left.pop(g)) for g in rivals]
                    continue
                rivals += [r for r in self.remainder if any((r / g).limit() == "unknown" for g in rivals)]
                raise Refused(
                    f"whether {' or '.join(map(str, rivals))} is larger is not decided",
                    undecided=self._rivals(list(left), ()),
                )
            result.append((tops[0], left.pop(tops[0])))
        return result

    def _led_by(self, rivals: list[Growth]) -> bool:
        """Whether all other growths, the remainder's too, are small against one of these."""
        others = [g for g in (*self.terms, *self.remainder) if g not in rivals or g in self.remainder]
        beaten = [g for g in others if any((g / h).limit() == "zero" for h in rivals)]
        larger = [g for g in self.terms if g not in rivals and all((h / g).limit() == "zero" for h in rivals)]
        return len(beaten) + len(larger) == len(others)

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
        tail = self.tail(len(coefficients))
        total, power = [Expansion.constant(coefficients[0]), tail], Expansion.constant(1)
        for c in coefficients[1:]:
            power = (power * self).up_to(tail.remainder)
            total.append(power.scaled(c))
        return Expansion.sum(total)

    def up_to(self, remainder: tuple[Growth, ...]) -> Expansion:
        """Without what the remainder absorbs, which joins it."""
        if not remainder:
            return self
        return Expansion(
            {g: c for g, c in self.terms.items() if not absorbed(g, remainder)}, maximal((*self.remainder, *remainder))
        )

    def tail(self, power: int) -> Expansion:
        """O(self^power): (g1 + g2 + ...)^k is O(g1^k + g2^k + ...)."""
        return Expansion.big_o(*(g**power for g in maximal((*self.terms, *self.remainder))))

    def require_small(self) -> None:
        """Raises Refused unless every term and the remainder tend to 0."""
        for g in (*self.terms, *self.remainder):
            if g.limit() != "zero":
                raise Refused(f"{g} is not known to tend to 0", undecided=g.undecided())

    def power(self, exponent: sp.Expr, order: int) -> Expansion:
        """self^exponent for a constant exponent, binomial series to the given order."""
        whole = exponent.is_Integer and exponent >= 0
        if whole and (exponent <= 8 or exponent * len(self.terms) <= MOST_FACTORS):  # needs no dominating term
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
        coefficients = [sp.binomial(exponent, k) for k in range(order + 1)]
        if whole and exponent <= order:  # the binomial series ends
            eps.require_small()
            return head * eps.polynomial(coefficients[: int(exponent) + 1])
        return head * eps.series(coefficients)

    def polynomial(self, coefficients: Iterable[sp.Expr]) -> Expansion:
        """sum_k c_k self^k."""
        first, *others = [sp.sympify(c) for c in coefficients]
        parts, power = [Expansion.constant(first)], Expansion.constant(1)
        for c in others:
            power = power * self
            parts.append(power.scaled(c))
        return Expansion.sum(parts)

    def inverse(self, order: int) -> Expansion:
        """1/self."""
        return self.power(sp.S.NegativeOne, order)

    def log(self, order: int) -> Expansion:
        """ln(self); the leading coefficient must be positive."""
        growth, coefficient, eps = self._relative()
        if sign(coefficient) != 1:
            raise Refused(f"the logarithm of {coefficient}, which may not be positive")
        head = Expansion.constant(_log_of_positive(coefficient))
        head = Expansion.sum([head, *(Expansion.of(g, c) for g, c in growth.log())])
        if not eps.terms and not eps.remainder:
            return head
        return head + eps.series([0, *(sp.Rational((-1) ** (k + 1), k) for k in range(1, order + 1))])

    def exp(self, order: int) -> Expansion:
        """exp(self); the terms that do not vanish must each be large or constant (see also :func:`coarse`)."""
        try:
            return self._exp(order)
        except Refused:
            if not is_coarse():
                raise
            growth, coefficient = self.leading()
            if growth.limit() != "infinity" or sign(coefficient) != -1:
                raise
            return Expansion.big_o(Growth.exp([(growth, coefficient / 2)]))

    def _exp(self, order: int) -> Expansion:
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
                raise Refused(f"exp of {g}, which may vanish or not", undecided=g.undecided())
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
        terms = [sy.latex(c * g.expr) for g, c in self.ordered()]
        rest = [rf"O\left({sy.latex(r.expr)}\right)" for r in self.remainder]
        return "$\\displaystyle " + (" + ".join(terms + rest) or "0").replace("+ -", "- ") + "$"
