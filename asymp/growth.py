"""Growths: monomials of the log-exp scale, and which of two wins.

A growth over the independent large quantities t is

    exp(E) * prod_t  t^a (ln t)^b (ln ln t)^c ...,

where E is a sum of growths that tend to infinity, and a, b, c may depend on parameters.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache

import sympy as sp

from asymp.budget import uncounted
from asymp.sign import decided_sign, record, tidy

DEEPEST = 6
"""Logarithms at most, one within the other, in a growth."""


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
        """A power of a scale t, of ln t, of ln ln t, and so on."""
        power = tidy(sp.sympify(power))
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
            ValueError: more than ``DEEPEST`` logarithms, one within the other, would be needed.
        """
        terms = list(self.large)
        for atom, power in self.powers:
            if _scale_of(atom)[1] == DEEPEST:
                raise ValueError(f"more than {DEEPEST} logarithms one within the other")
            terms.append((Growth.of(sp.log(atom)), power))
        return terms

    def limit(self) -> str:
        """'zero', 'one', 'infinity', or 'unknown' (depends on the path or on a parameter)."""
        where, why = _limit(self)
        if why:
            record(*why)
        return where

    def undecided(self) -> tuple[Hashable, ...]:
        """What decides an unknown limit: expressions whose sign matters; a growth, where it is the path.

        >>> n, m, a = sp.symbols("n m a", positive=True)
        >>> Growth.of(n, 1 - a).undecided(), str(*(Growth.of(n) / Growth.of(m)).undecided())
        ((1 - a,), 'n/m')
        """
        return _limit(self)[1]

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


@uncounted
@lru_cache(maxsize=10_000)
def _rank(key: sp.Expr | Growth) -> str:
    return str(key)


@uncounted
@lru_cache(maxsize=200_000)
def _power(base: Growth, power: sp.Expr) -> Growth:
    return Growth._make(((a, x * power) for a, x in base.powers), ((g, x * power) for g, x in base.large))


@uncounted
@lru_cache(maxsize=200_000)
def _product(a: Growth, b: Growth) -> Growth:
    return Growth._make((*a.powers, *b.powers), (*a.large, *b.large))


def _scale_of(atom: sp.Expr) -> tuple[sp.Expr, int]:
    depth = 0
    while isinstance(atom, sp.log):
        atom, depth = atom.args[0], depth + 1
    return atom, depth


@uncounted
@lru_cache(maxsize=200_000)
def _limit(growth: Growth) -> tuple[str, tuple[Hashable, ...]]:
    """The limit, and where it is unknown what it hangs on."""
    if not growth.powers and not growth.large:
        return "one", ()
    if len(growth.powers) == 1 and not growth.large and growth.powers[0][1].is_Rational:
        return ("infinity" if growth.powers[0][1] > 0 else "zero"), ()
    # per scale, the sign of the first nonzero power in the order t, ln t, ln ln t, ...
    ladders: dict[sp.Expr, dict[int, sp.Expr]] = {}
    for atom, power in growth.powers:
        scale, depth = _scale_of(atom)
        ladders.setdefault(scale, {})[depth] = power
    tops = {scale: ladder[min(ladder)] for scale, ladder in ladders.items()}
    signs = {scale: decided_sign(power) for scale, power in tops.items()}
    open_powers = tuple(dict.fromkeys(tops[scale] for scale, s in signs.items() if s is None))
    if not growth.large:
        found = set(signs.values())
        if found == {1}:
            return "infinity", ()
        if found == {-1}:
            return "zero", ()
        return "unknown", open_powers or (growth,)
    # exp(E) wins over every scale whose logarithm is small against |E|
    direction, why = _direction(growth.large)
    if direction is None:
        return "unknown", why or (growth,)
    questions: list[Hashable] = []
    unknown = False
    for scale, s in signs.items():
        if s == direction:
            continue
        log = Growth.of(sp.log(scale))
        limits = [_limit(log / g) for g, _ in growth.large]
        if not any(where == "zero" for where, _ in limits):
            unknown = True
            questions += [q for _, more in limits for q in more]
            if s is None:
                questions.append(tops[scale])
    if unknown:
        # a power wins over exp(sqrt(ln n)): compare its logarithm with the exponent
        logs = tuple((Growth.of(sp.log(atom)), power) for atom, power in growth.powers)
        whole, _ = _direction((*growth.large, *logs))
        if whole is not None:
            return ("infinity" if whole > 0 else "zero"), ()
        return "unknown", tuple(dict.fromkeys(questions)) or (growth,)
    return ("infinity" if direction > 0 else "zero"), ()


def _direction(large: tuple[tuple[Growth, sp.Expr], ...]) -> tuple[int | None, tuple[Hashable, ...]]:
    """The sign of the exponent's leading coefficient, or what it hangs on."""
    signs = {decided_sign(x) for _, x in large}
    if signs == {1} or signs == {-1}:
        return signs.pop(), ()
    questions: list[Hashable] = []
    for g, x in large:
        limits = [_limit(h / g) for h, _ in large if h != g]
        if all(where == "zero" for where, _ in limits):
            s = decided_sign(x)
            return s, ((x,) if s is None else ())
        questions += [q for _, more in limits for q in more]
    return None, tuple(dict.fromkeys(questions))
