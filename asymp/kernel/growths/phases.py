r"""Sines and cosines of what does not tend to a number, as coefficients: cos(L + c + e) where e tends to 0.

Of the series of an argument let L be the terms that neither vanish nor stay, c the constant and e what vanishes.  With two
bounded quantities C = cos(L + c_0) and S = sin(L + c_0), one pair for each L (and for -L), by the addition theorems

    cos(L + c + e) = C cos(c - c_0 + e) - S sin(c - c_0 + e),    sin(L + c + e) = S cos(c - c_0 + e) + C sin(c - c_0 + e),

and cos, sin of c - c_0 + e by Taylor's series; of m L for a few whole m by de Moivre's formula, with C^2 + S^2 = 1.  So what
oscillates in the expansion of a Bessel function is the same quantity as a cosine in the statement.  Of L a part pi m s^k, with
whole s, k and m, is 0 where m is even, and else the factor (-1)^s.

>>> from asymp.kernel.growths.expander import Expander
>>> from asymp.kernel.growths.growth import Domain
>>> names = iter("CS")
>>> e = Expander(Algebra(Domain(), 2), {"x": 0}, {})
>>> e.phases = Phases(lambda: terms.name(next(names)), lambda s: s)
>>> [str(to_term(c)) for c, _ in e.series(terms.read("cos(x + 1/x)")).terms]
['C', '-S']
>>> str(e.phases.exact(e, "sin", terms.read("x + pi/2")))
'C'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.arguments import whole_scales
from asymp.kernel.growths.exact import PI, sine
from asymp.kernel.growths.growth import ONE, Growth
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.ratio import Ratio, rational, to_term
from asymp.kernel.rings.ratio import atom as atom_of
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import rests_on

Parts = list[tuple[Ratio, Growth]]
WAYS = (1, -1, *(way * m for m in range(2, 7) for way in (1, -1)))
"""Multiples of a phase that are told by it."""


@dataclass
class Pair:
    """cos(L + origin) and sin(L + origin), which are named when they are asked for."""

    origin: Ratio
    named: Callable[[], Term]
    names: dict[str, Ratio] = field(default_factory=dict)

    def of(self, head: str) -> Ratio:
        """The quantity that is the cosine, or the sine."""
        if head not in self.names:
            self.names[head] = atom_of(self.named())
        return self.names[head]


@dataclass
class Phases:
    """``named``: a new name for what lies between -1 and 1; ``alternating``: (-1)^s, or a name for it."""

    named: Callable[[], Term]
    alternating: Callable[[Term], Term]
    known: dict[Any, Pair] = field(default_factory=dict)
    asked: dict[Term, None] = field(default_factory=dict)
    """The sines and cosines of which the series were asked for."""

    def series(self, e: Any, term: Term) -> Series:
        """The series of a sine or a cosine; ``e`` is the expander.

        Raises:
            Refused: its argument has a remainder that does not vanish.
        """
        self.asked[term] = None
        a = e.algebra
        large, c, small = _parted(a, e.series(term.parts[0]))
        if not large or not a.vanishes(small):
            raise Refused("a phase that is not known up to what vanishes")
        sign, way, pair = self._pair(e, large, c)
        if way * way == 1:
            angle = (c if way == 1 else -c) - pair.origin
            small = small if way == 1 else a.scaled(small, rational(-1))
            parts = self._combined(term.head, pair)
        else:
            angle = c - rational(way) * pair.origin
            cos, sin = _multiple(pair.of("cos"), pair.of("sin"), way)
            parts, way = ((lambda: cos, lambda: -sin) if term.head == "cos" else (lambda: sin, lambda: cos)), 1
        found = Series(())
        for part, factor in zip(parts, _rotated(a, angle, small), strict=True):
            found = a.add(found, a.times(factor, a.constant(sign * part())) if factor.terms or factor.rest else factor)
            if pair.names.keys() == {"cos", "sin"}:
                self._told(a, pair)
        return a.scaled(found, rational(way)) if term.head == "sin" else found

    @staticmethod
    def _told(a: Algebra, pair: Pair) -> None:
        """That the squares of a cosine and a sine add up to 1."""
        cos, sin = (to_term(pair.names[head]) for head in ("cos", "sin"))
        if cos.head == "name":
            a.squares[sin] = cos

    def names(self) -> set[str]:
        """The names of the quantities."""
        return {str(to_term(x)) for pair in self.known.values() for x in pair.names.values()}

    def exact(self, e: Any, head: str, argument: Term) -> Term | None:
        """A sine or a cosine as a term in the quantities and in numbers; None where something vanishes beside it."""
        large, _, small = _parted(e.algebra, e.series(argument))
        if not large or small.terms or small.rest:
            return None
        found = self.series(e, terms.call(head, argument))
        return to_term(sum((c for c, _ in found.terms), rational(0)))

    @staticmethod
    def _combined(head: str, pair: Pair) -> tuple[Callable[[], Ratio], Callable[[], Ratio]]:
        """What cos(angle) and sin(angle) are multiplied by."""
        if head == "cos":
            return lambda: pair.of("cos"), lambda: -pair.of("sin")
        return lambda: pair.of("sin"), lambda: pair.of("cos")

    def _pair(self, e: Any, large: Parts, c: Ratio) -> tuple[Ratio, int, Pair]:
        """A factor 1 or (-1)^s, m where the pair is one of L/m, and the pair."""
        factor, rest = self._turns(e, large)
        for way in WAYS:
            over = rational(mpq(1, way))
            key = frozenset(((x * over).key, g.key) for x, g in rest)
            if any(None in part for part in key):
                raise Refused("a phase that is not written in one way")
            if key in self.known and rest:
                return factor, way, self.known[key]
            if way == 1:
                first = key
        if first in self.known:
            return factor, 1, self.known[first]
        pair = self.known[first] = Pair(c if rest else rational(0), self.named)
        if not rest:
            pair.names |= {"cos": rational(1), "sin": rational(0)}
        return factor, 1, pair

    def _turns(self, e: Any, large: Parts) -> tuple[Ratio, Parts]:
        """Without whole multiples of pi: the factor that they are, and the rest."""
        names = {number: name for name, number in e.scales.items()}
        whole, odd, rest = whole_scales(e), set[int](), Parts()
        for c, g in large:
            turns = (c * atom_of(PI).inverse()).constant()
            if turns is None or turns.denominator != 1 or g.exponent or len(g.powers) != 1:
                rest.append((c, g))
                continue
            (((i, depth), k),) = g.powers
            power = k.constant()
            if depth or i not in whole or power is None or power.denominator != 1 or power < 1:
                rest.append((c, g))
            elif turns % 2:
                odd ^= {i}
        factor = rational(1)
        for i in sorted(odd):
            factor = factor * e.algebra.domain.value(self.alternating(terms.name(names[i])))
        return factor, rest


@dataclass
class Turned(Phases):
    """Of one phase L + c in a whole runner k, a polynomial with rational coefficients but for c: it comes near ``turn`` pi.

    **Theorem** (Weyl 1916, chapter 1, theorem 9; pi is irrational, Lambert 1761).  For a polynomial p with an irrational
    coefficient other than the constant one, p(k), k = 1, 2, ..., is equidistributed modulo 1; with p = (L + c)/(2 pi) there are
    k_1 < k_2 < ... along which L + c tends to ``turn`` pi, up to multiples of 2 pi.  ``near`` is told a name and a number near
    which it lies.
    """

    turn: mpq = field(default_factory=mpq)
    near: Callable[[Term, Term], None] = lambda name, value: None

    def _pair(self, e: Any, large: Parts, c: Ratio) -> tuple[Ratio, int, Pair]:
        before = len(self.known)
        factor, way, pair = super()._pair(e, large, c)
        if factor.constant() != 1 or len(self.known) > 1:
            raise Refused("a second phase")
        if len(self.known) > before:
            whole = whole_scales(e)
            for x, g in large:
                if x.constant() is None or g.exponent or [d for (_, d), _ in g.powers] != [0]:
                    raise Refused("a phase that is no polynomial with rational coefficients")
                ((i, _), k), = g.powers
                power = k.constant()
                if i not in whole or power is None or power.denominator != 1 or power < 1:
                    raise Refused("a phase that is no polynomial in what is whole")
            rests_on("Weyl 1916, chapter 1")
            cos, sin = sine(self.turn + mpq(1, 2)), sine(self.turn)
            if cos is None or sin is None:
                raise Refused("a turn whose sine is not known")
            for head, value in (("cos", cos), ("sin", sin)):
                self.near(to_term(pair.of(head)), value)
        return factor, way, pair


def _parted(a: Algebra, f: Series) -> tuple[Parts, Ratio, Series]:
    """What neither vanishes nor stays, the constant, and the rest."""
    large = [(c, g) for c, g in f.terms if not g.same(ONE) and g.limit(a.domain) != "zero"]
    small = Series(tuple((c, g) for c, g in f.terms if g.limit(a.domain) == "zero"), f.rest)
    return large, next((c for c, g in f.terms if g.same(ONE)), rational(0)), small


def _rotated(a: Algebra, angle: Ratio, small: Series) -> tuple[Series, Series]:
    """cos and sin of angle + small."""
    cos, sin = turned(a, angle)
    if small.is_zero:
        return a.constant(cos), a.constant(sin)
    factorials = [mpq(1)]
    for k in range(1, 2 * a.order + 2):
        factorials.append(factorials[-1] / k)

    def taylor(first: Ratio, second: Ratio) -> Series:
        """first cos(small) + second sin(small)."""

        def coefficient(k: int) -> Ratio:
            return (second if k % 2 else first) * rational((-1) ** (k // 2) * factorials[k])

        return a.composed(coefficient, small)

    return taylor(cos, -sin), taylor(sin, cos)


def _multiple(cos: Ratio, sin: Ratio, m: int) -> tuple[Ratio, Ratio]:
    """cos(m x) and sin(m x) by cos x and sin x (de Moivre)."""
    sin = sin if m > 0 else -sin
    x, y = cos, sin
    for _ in range(abs(m) - 1):
        x, y = x * cos - y * sin, x * sin + y * cos
    return x, y


def turned(a: Algebra, angle: Ratio) -> tuple[Ratio, Ratio]:
    """cos and sin of what does not move."""
    if angle.is_zero:
        return rational(1), rational(0)
    turns = (angle * atom_of(PI).inverse()).constant()
    if turns is not None and (exact := (sine(turns + mpq(1, 2)), sine(turns))) and None not in exact:
        return a.domain.value(exact[0]), a.domain.value(exact[1])  # type: ignore[arg-type]
    return tuple(a.domain.value(terms.call(head, to_term(angle))) for head in ("cos", "sin"))  # type: ignore[return-value]
