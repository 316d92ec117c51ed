"""The constant of a remainder, and from where on it holds: |f - terms| <= C g, as a theorem for all n >= N.

>>> from asymp.language.statement import read_statement
>>> found = bounded(read_statement("harmonic(n) = log(n) + EulerGamma + O(1/n) as n -> oo"))
>>> found.theorem
⊢ Abs(harmonic(n) - (log(n) + EulerGamma)) <= 0.5428*(1/n) for n >= 2
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.balls.boxes import question
from asymp.kernel.facts.ranges import Rational
from asymp.kernel.growths.growth import Growth
from asymp.kernel.rays.line import End, Line
from asymp.kernel.rays.supremum import Later
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding
from asymp.language.conditions import OfKind, Tends
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import words
from asymp.prove import first

BITS = 128
DIGITS = 4
"""Significant digits of a constant, rounded up."""
ORDERS = (2, 4, 7, 10)
STARTS = (1, 2, 3, 5, 10, 20, 50, 100, 1000, 10**4, 10**6, *(10**k for k in (9, 20, 50, 100, 300, 1000)))
SHARP, FAIR = 1.25, 2.0
"""A start is taken if the constant is at most SHARP times the next coefficient, its limit for large N; or FAIR times, where that
is not reached at NEAR."""
NEAR = 100
SHORT = 6
"""Digits of a number that is written in full."""


@dataclass(frozen=True)
class Bounded:
    """``theorem``: the remainder is at most ``constant`` times its growth, from ``start`` on."""

    constant: str
    start: str
    theorem: Theorem


def bounded(statement: Statement, start: Rational | None = None) -> Bounded:
    """The constant of f = terms + O(g), for one variable that tends to infinity or to a number.

    Args:
        statement: what holds in the end.
        start: a number from which it is to hold, or its reciprocal distance; None: the first from which the constant is near
            its limit.

    Raises:
        Refused: no constant was found.
    """
    found = _Remainder(statement)
    fair: tuple[str, Rational] | None = None
    last: Refused = Refused("no constant is found")
    for one in map(Rational, STARTS) if start is None else [start]:
        if fair is not None and one > NEAR:
            break
        try:
            constant, ratio = found.constant(one)
        except Refused as error:
            last = error
            if not isinstance(error, Later):
                break
            continue
        if ratio <= SHARP or (fair is None and (ratio <= FAIR or one >= NEAR)) or start is not None:
            fair = constant, one
        if ratio <= SHARP:
            break
    if fair is None:
        raise last
    return found.theorem(*fair)


class _Remainder:
    """f less its terms, beside a growth, on half-lines of the quantity that tends to infinity."""

    def __init__(self, statement: Statement) -> None:
        body, regime = statement.body, statement.regime
        if not isinstance(body, Expanding) or body.order != "O" or statement.some or statement.uniform:
            raise Refused("terms and O of what is left are wanted")
        tends = [c for c in regime if isinstance(c, Tends)]
        if len(tends) != 1 or tends[0].term.kind != "name":
            raise Refused("there are several large variables")
        if any(not isinstance(c, (Tends, OfKind)) for c in (*regime, *statement.domain)):
            raise Refused("there are other conditions")
        self.body, self.x = body, tends[0].term.text
        self.kinds = tuple(c for c in (*regime, *statement.domain) if isinstance(c, OfKind))
        self.target, self.side = terms.of(tends[0].target), tends[0].side
        left, kept, growth = (terms.of(part) for part in (body.left, body.kept, body.growth))
        if (terms.free(left) | terms.free(kept) | terms.free(growth)) - {self.x}:
            raise Refused("it holds parameters")
        self.gap, self.growth = terms.add(left, terms.negative(kept)), growth
        whole = any(c.name == self.x and c.kind == "whole" for c in self.kinds)
        self.line = Line(question(read_statement(f"0 <= 1 for {'whole' if whole else 'real'} {self.x}")), BITS)

    def _ends(self, start: Rational) -> tuple[str, End, End]:
        """The way of a piece, and its ends."""
        if self.target == terms.name("oo"):
            return "far", start, None
        if self.target == terms.negative(terms.name("oo")):
            return "far", None, -start
        if not self.target.is_number or self.side not in ("+", "-"):
            raise Refused("it tends to no number from one side")
        place = Rational(int(self.target.number.numerator), int(self.target.number.denominator))
        return ("after", place, place + 1 / start) if self.side == "+" else ("before", place - 1 / start, place)

    def constant(self, start: Rational) -> tuple[str, float]:
        """A constant, and how much above its limit it is: infinite, where that is not known."""
        last: Refused = Refused("no constant is found")
        best: tuple[Any, float] | None = None
        for order in ORDERS:
            try:
                found = self._at(start, order)
            except Refused as error:
                last = error
                if isinstance(error, Later):
                    break
                continue
            best = found if best is None or found[0] < best[0] else best
            if found[1] <= SHARP:
                break
        if best is None:
            raise last
        return _above(best[0]), best[1]

    def _at(self, start: Rational, order: int) -> tuple[Any, float]:
        way, *ends = self._ends(start)
        place, least = self.line.put(way, *(None if end is None else self.line.place(end) for end in ends))
        expander = self.line.expander(place, least, order)
        ray = expander.algebra
        gap, wanted = (expander.series(terms.substitute(t, {self.x: place})) for t in (self.gap, self.growth))
        if len(wanted.terms) != 1 or wanted.rest:
            raise Refused("a growth of several terms")
        ((c, growth),) = wanted.terms
        quotient = ray.scaled(gap, c.inverse(), Growth(growth.powers, growth.exponent).raised(rational(-1)))
        size = ray.bound(quotient)
        lead = next((ray.line.number(d) for d, g in quotient.terms if g.same(Growth())), None)
        return size, float(size / abs(lead)) if lead is not None and not lead.contains(0) else float("inf")

    def theorem(self, constant: str, start: Rational) -> Bounded:
        """The theorem with a constant."""
        way, low, high = self._ends(start)
        bounds = {"far": f"{self.x} >= {low}" if high is None else f"{self.x} <= {high}", "after": f"{low} < {self.x} <= {high}",
                  "before": f"{low} <= {self.x} < {high}"}[way]  # fmt: skip
        f, kept, growth = map(words, (self.body.left, self.body.kept, self.body.growth))
        statement = read_statement(f"Abs({f} - ({kept})) <= {constant}*({growth}) for {bounds}")
        statement = replace(statement, domain=(*self.kinds, *statement.domain))
        point = {self.x: str(high if way == "after" or low is None else low)}
        ends = ["" if end is None else str(end) for end in (low, high)]
        found = first(
            partial(apply, "line", statement=str(statement), point=point, bits=BITS, pieces=[[*ends, way, order]])
            for order in ORDERS
        )
        return Bounded(constant, _shown(high if way == "after" or low is None else low), found)


def _above(x: Any) -> str:
    """A decimal of a few digits that is not below a ball.

    >>> from flint import arb
    >>> _above(arb(1)/12), _above(arb(2))
    ('0.08334', '2')
    """
    upper = x.upper().fmpq()
    value = mpq(int(upper.p), int(upper.q))
    place = DIGITS
    while value * 10**place >= 10**DIGITS:
        place -= 1
    while value and value * 10 ** (place + 1) < 10**DIGITS:
        place += 1
    scaled = value * mpq(10) ** place
    digits = -((-scaled.numerator) // scaled.denominator)
    return _decimal(int(digits), place)


def _decimal(digits: int, place: int) -> str:
    if place <= 0:
        return str(digits * 10**-place)
    text = str(digits).rjust(place + 1, "0")
    return f"{text[:-place]}.{text[-place:]}".rstrip("0").rstrip(".")


def _shown(first: End) -> str:
    """A number, short where it is a large power of ten.

    >>> [_shown(Rational(n)) for n in (100, 10**9, 2_500_000)]
    ['100', '1e9', '2500000']
    """
    text = str(first)
    return f"1e{len(text) - 1}" if len(text) > SHORT and text.strip("0") == "1" else text
