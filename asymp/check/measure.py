"""Certified numbers against an expansion: where they are taken, and how far a quantity is from its terms.

A derivation claims q = P + O(R).  At one point of a path, ln(|q - P|/R) is a reading, with ln(R/|P|) beside it: the
point lies in the asymptotic range where the remainder is smaller than the terms, and a reading elsewhere says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gmpy2 import mpq

from asymp import budget
from asymp.enclosure import InputError, Undecided, ball, enclose
from asymp.kernel import terms
from asymp.kernel.terms import ZERO, Term
from asymp.meaning.limit import exact

SIZES = (8, 20, 100, 1000)
LADDER = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000, 1500, 2000, 3000, 5000,
          10**4, 10**5, 10**6)  # fmt: skip
"""Values of n among which those are taken where the remainder is small and can be resolved: e^(-n), e^(-e^n)."""
FARTHER = (10**2000, 10**4000, 10**10_000, 10**30_000, 10**100_000)
"""The same for what becomes small beyond n = 10^1000 only."""
FINE = tuple(1 + Fraction(k, 8) for k in range(10))
"""The same for what only a real n below 3 can resolve: e^(-e^(e^n))."""
RUNGS = 6
"""Values of n taken of a ladder."""
RESOLVED = 0.6
"""ln of what is measured, and of the remainder against it, is at least -RESOLVED cap bits."""
INSIDE = -1.0
"""ln(R/|P|) at most, in the asymptotic range: what is measured where R is as large as P tells nothing of either."""
AGREED = 0.4
"""An expansion without a remainder agrees with its quantity if they differ by less than 2^(-AGREED cap) of it."""
ALWAYS = 10**20
"""Up to here n is measured with budget.BALL steps a ball; beyond, with the steps that were asked for."""
CAP_BITS = 16_000
"""Differences below 2^-CAP_BITS (exponentially small terms at huge n) are not resolved: nothing is measured there."""
NEAR_CAP_BITS = 4_000
"""The same for n up to 10^20, where no power of n needs more."""
SLOW_CAP_BITS = 1_000
FREE = Fraction(2)
"""The value of a parameter for which the regime names none."""
NEGLIGIBLE = -30.0
"""ln(|q - P|/R) below this is not resolved further: it is no wrong coefficient of a term that R does not absorb."""
SLOPE = 0.5
"""|q - P|/R may grow at most like (ln n)^SLOPE: iterated logarithms hidden in R pass, one factor ln n fails."""


Size = int | Fraction


@dataclass
class Cost:
    """What the latest ball cost, and what one at a higher precision may cost."""

    steps: int
    latest: int = 0
    bits: int = 1

    def affordable(self, bits: int, size: Size) -> bool:
        """Whether the next ball is foretold to be cheap enough: the cost grows at least like bits^2 where it is felt."""
        return self.latest * bits**2 <= (budget.BALL if size <= ALWAYS else self.steps) * self.bits**2

    def counted(self, expr: Term, values: dict[str, Any], bits: int) -> Any:
        """A ball, and its cost noted."""
        begin = budget.spent()
        result = ball(expr, values, bits)
        self.latest, self.bits = budget.spent() - begin, bits
        return result


@dataclass(frozen=True)
class Reading:
    """ln(|q - P|/R) at one value of the runner, and ln(R/|P|), where P has terms and R is not 0."""

    size: Size
    ratio: float
    apart: float | None = None


def named(size: Size) -> str:
    """A value of n in words.

    >>> named(10**8), named(1500), named(Fraction(3, 2))
    ('1e8', '1500', '3/2')
    """
    if not isinstance(size, int):
        return str(size)
    power = int(size.bit_length() * math.log10(2))
    power = next((k for k in (power - 1, power, power + 1) if k >= 4 and size == 10**k), 0)
    return f"1e{power}" if power else str(size) if size < 10**1000 else "a number of many digits"


def inside(readings: list[Reading]) -> list[Reading]:
    """Those beyond which R stays below the terms: a remainder may rise before it falls, as n^100 e^(-n) does.

    >>> [r.size for r in inside([Reading(1, 0.0, -1.5), Reading(10, 0.0, 200.0), Reading(1000, 0.0, -300.0)])]
    [1000]
    """
    outside = [i for i, r in enumerate(readings) if r.apart is not None and r.apart > INSIDE]
    return readings[outside[-1] + 1 :] if outside else readings


def rungs(main: Term, rest: Term, at: Callable[[Size], dict[str, Any]], ladder: Iterable[Size], cap: int) -> list[Size]:
    """Values of n on a ladder in the asymptotic range, where the remainder is not below 2^-cap of the terms, nor these of 1."""
    if ZERO in (rest, main):
        return list(ladder)
    found: list[Size] = []
    for size in ladder:
        try:
            apart, most = _apart(main, rest, at(size), 192 + 2 * int(size).bit_length())
        except (Undecided, InputError):
            continue
        if apart > INSIDE:
            found = []
        elif min(apart, most) > -RESOLVED * cap:
            found.append(size)
    step = max(1.0, (len(found) - 1) / (RUNGS - 1))
    return list(dict.fromkeys(found[round(i * step)] for i in range(RUNGS) if round(i * step) < len(found)))


def _apart(main: Term, rest: Term, values: dict[str, Any], bits: int) -> tuple[float, float]:
    """ln(R/|P|) and ln|P|.

    Raises:
        Undecided: one of them has no ball that excludes 0.
    """
    top, bottom = ball(rest, values, bits), ball(main, values, bits)
    if not (top.is_finite() and bottom.is_finite()) or bottom.contains(0):
        raise Undecided("the remainder against the terms")
    apart, most = abs(top / bottom).log(), abs(bottom).log()
    if not (apart.is_finite() and most.is_finite()):
        raise Undecided("the remainder against the terms")
    return float(apart.mid()), float(most.mid())


def cap_bits(expr: Term, size: Size) -> int:
    """The precision at which a difference is given up."""
    if not fast(expr):
        return SLOW_CAP_BITS
    return NEAR_CAP_BITS if size <= 10**20 else CAP_BITS


def reading(
    expr: Term, main: Term, rest: Term, values: dict[str, Any], size: Size, cost: Cost
) -> Reading | None:
    """ln(|expr - main|/rest), an upper bound where that is below NEGLIGIBLE; None where no precision in reach tells."""
    bits, cap, gap = 128, cap_bits(expr, size), terms.add(expr, terms.negative(main))
    apart: float | None = None
    try:
        if rest != ZERO:
            bottom = enclose(rest, values, digits=4, cap_bits=cap)
            if main != ZERO:  # a remainder below the precision that is affordable: do not even try
                most = enclose(main, values, digits=4, cap_bits=cap)
            if main != ZERO and most.ball != 0:  # at single values of the parameters all terms may vanish
                apart = float(abs(bottom.ball / most.ball).log().mid())
                if min(float(abs(most.ball).log().mid()), apart) < -RESOLVED * cap:
                    return None
                bits = max(bits, int(-apart / math.log(2)) + 96)
        while True:
            if not cost.affordable(min(bits, cap), size):
                return None
            top = cost.counted(gap, values, min(bits, cap))
            if top == 0:
                return Reading(size, -math.inf, apart)
            if top.is_finite() and top.rel_accuracy_bits() >= 14:
                return _read(size, math.inf if rest == ZERO else float(abs(top / bottom.ball).log().mid()), apart)
            if rest != ZERO and top.is_finite():
                upper = float((top.abs_upper() / abs(bottom.ball)).log().mid())
                if upper < NEGLIGIBLE:
                    return _read(size, upper, apart)
                # the radius shrinks like 2^-bits once n itself is resolved: what is out of reach is given up
                missing = float((top.rad() / abs(bottom.ball)).log().mid()) / math.log(2)
                if bits > 2 * int(size).bit_length() + 128 and bits + missing > 2 * cap:
                    return None
            if bits >= cap:
                return _agreed(size, top, main, values, cap) if rest == ZERO else None
            bits *= 2
    except Undecided:
        return None


def _read(size: Size, ratio: float, apart: float | None) -> Reading | None:
    """A reading; None where the ratio is not a number."""
    return None if math.isnan(ratio) else Reading(size, ratio, apart)


def _agreed(size: Size, top: Any, main: Term, values: dict[str, Any], cap: int) -> Reading | None:
    """A reading of an expansion without a remainder that agrees with its quantity as far as precision goes."""
    most = ball(main, values, cap)
    if not (top.is_finite() and most.is_finite()) or most.contains(0):
        return None
    share = float((top.abs_upper() / abs(most)).log().mid())
    return Reading(size, -math.inf) if share < -AGREED * cap * math.log(2) else None


def fast(term: Term) -> bool:
    """Whether all sums are geometric-harmonic: others cost too much at thousands of bits."""
    return not any(part.head == "Sum" and any(x.head == "log" for x in terms.walk(part.parts[0])) for part in terms.walk(term))


# --- where numbers are computed -----------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """One way to the limit: the variables as terms in the runner, and values of the parameters.

    >>> Run("p = a/n", "n", {"p": terms.read("a/n")}, {"a": terms.read("3")}).at(4)
    {'n': Fraction(4, 1), 'a': Fraction(3, 1), 'p': Fraction(3, 4)}
    """

    name: str
    runner: str
    values: Mapping[str, Term] = field(default_factory=dict)
    instance: Mapping[str, Term] = field(default_factory=dict)

    def at(self, size: Size) -> dict[str, Any]:
        """The values of all variables and parameters where the runner is ``size``: exact, else as terms."""
        put = {**self.instance, self.runner: terms.number(mpq(size))}
        found = {self.runner: put[self.runner], **self.instance}
        found |= {name: terms.substitute(term, put) for name, term in self.values.items()}
        return {name: exact(term) for name, term in found.items()}

    @property
    def label(self) -> str:
        """Its name, with the values of the parameters."""
        return ", ".join([self.name, *(f"{v}={x}" for v, x in self.instance.items())])


def some(runs: Sequence[Run], thorough: bool) -> list[Run]:
    """Every instance on the first way, and every other way at the first instance; else the first two ways."""
    if not runs:
        return []
    first = [run for run in runs if run.name == runs[0].name]
    others = [run for run in runs if run.name != runs[0].name and run.instance == runs[0].instance]
    return (first if thorough else first[:1]) + (others if thorough else others[:1])
