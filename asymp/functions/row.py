"""What is said of a function in one row of the table, in the language; nothing here knows how it is computed.

Where a function is real is said by alternatives, joined by ``or``, each a list of conditions on its arguments x, y, z, w:
comparisons, ``whole x``, and ``no pole x``, which is that x is none of 0, -1, -2, ...

>>> row = Row("uppergamma", "y > 0 or y >= 0, x > 0", least=2, most=2)
>>> row.real(2)
((Needed(kind='>', text='y'),), (Needed(kind='>=', text='y'), Needed(kind='>', text='x')))
>>> Row("tanh", range="-1 < f < 1").values
Values(low='-1', low_open=True, high='1', high_open=True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Needed(NamedTuple):
    """A condition on arguments: ``kind`` is >, >= or != (of ``text`` and 0), ``whole`` or ``no pole``."""

    kind: str
    text: str


class Values(NamedTuple):
    """The interval in which a function's values lie; an end that is empty is infinite."""

    low: str = ""
    low_open: bool = False
    high: str = ""
    high_open: bool = False


Alternatives = tuple[tuple[Needed, ...], ...]


def conditions(text: str) -> tuple[Needed, ...]:
    """Conditions with commas between.

    >>> conditions("x <= 1, whole y")
    (Needed(kind='>=', text='1 - (x)'), Needed(kind='whole', text='y'))
    """
    return tuple(map(_needed, text.split(", "))) if text else ()


@dataclass(frozen=True)
class Row:
    """One function.

    Args:
        names: what it is called, separated by blanks; the first is the usual one.
        where: where it is real.
        least, most: how many arguments it takes.
        short: where it is real with fewer arguments than ``most``; None: as ``where``.
        range: its values ``f`` there, as a comparison, with the fewest arguments that it takes; empty: any.
        whole: its values are whole numbers.
        smooth: it is continuous wherever it is real.
        parity: 1 even, -1 odd in its last argument, 0 neither.
        slope: 1 increasing, -1 decreasing in its last argument on every interval where it is real (with the fewest
            arguments that it takes), 0 neither.
        signed: it has the sign of its argument, where it is neither increasing nor decreasing.
        period: in its one argument; empty where it has none.
        derivative: by x, of one argument, and by the last, where it takes more; it holds where all parts of it are defined.
        known: values, each by its argument: ``0: 1, 1: 0``; an odd function that is real everywhere is 0 at 0.
        interval: an interval in which it is real, said as ``where`` is, where ``where`` says of none.
        ball: what python-flint's ``arb`` and ``acb`` call it, a method of the last argument that is given those before it;
            ``acb.f``: what ``acb`` alone has.  A method of ``arb`` of one argument is not finite where the function is not real.
            ``module:f``: a function of as many numbers, each an ``arb`` or an ``fmpq``, whose answer holds all the values
            there, or is not finite.
        cut: where, in the complex plane of the last argument, that method of ``acb`` jumps: ``x <= c`` or ``x >= c`` on the real
            line, ``I*x`` on the imaginary one, joined by ``or``.
        root: its value f is the only root, in the interval of ``range``, of this equation in f and the arguments, wherever
            ``rooted`` holds: the kernel takes that for its definition, and proves that there is one root.
        rooted: conditions on the arguments, as in ``where``.
        means: another function of x, by which it is defined wherever it is real: the kernel puts that in its place.
        exact: what python-flint calls its exact value at whole arguments that are not negative: ``fmpz.f`` or ``fmpq.f``.
        whole_arguments: an argument that is a polynomial with whole values is meant at whole numbers alone.
        expanded: the engine has a method for it where it moves in a regime.
        facts: what is cited for its shape and its derivative: see :mod:`asymp.kernel.trust`; elementary functions cite nothing.
        latex: how it is set, with its arguments in brackets behind it or at #1, #2, ...; empty: by its name.
        symbolic: SymPy's class, as ``module:C``, where neither SymPy has one of that name nor the row is enough to make one.
        source: where that is to be read: a section of the DLMF, or another place.
    """

    names: str
    where: str = ""
    least: int = 1
    most: int = 1
    short: str | None = None
    range: str = ""
    whole: bool = False
    smooth: bool = True
    parity: int = 0
    slope: int = 0
    signed: bool = False
    period: str = ""
    derivative: str = ""
    known: str = ""
    interval: str = ""
    ball: str = ""
    cut: str = ""
    root: str = ""
    rooted: str = ""
    means: str = ""
    exact: str = ""
    whole_arguments: bool = False
    expanded: bool = True
    facts: tuple[str, ...] = ()
    latex: str = ""
    symbolic: str = ""
    source: str = ""

    @property
    def name(self) -> str:
        """The usual name."""
        return self.names.split()[0]

    @property
    def others(self) -> tuple[str, ...]:
        """Its other names."""
        return tuple(self.names.split()[1:])

    @cached_property
    def _real(self) -> tuple[Alternatives, Alternatives]:
        return _read(self.where), _read(self.where if self.short is None else self.short)

    def real(self, arguments: int) -> Alternatives:
        """Where it is real: at least one of the alternatives holds, each with all its conditions."""
        return self._real[arguments < self.most]

    @cached_property
    def inside(self) -> tuple[Needed, ...] | None:
        """Conditions of an interval in x in which it is real, for one argument; None where none is said.

        Comparisons in ``where`` are linear in x: several of them make an interval.
        """
        if self.interval:
            return _read(self.interval)[0]
        found = self.real(self.least)
        return found[0] if len(found) == self.least == 1 and all(one.kind in (">", ">=") for one in found[0]) else None

    @cached_property
    def values_known(self) -> dict[str, str]:
        """Its values at some arguments.

        >>> Row("sin", parity=-1).values_known, Row("acos", "x >= -1, x <= 1", known="0: pi/2, 1: 0").values_known
        ({'0': '0'}, {'0': 'pi/2', '1': '0'})
        """
        odd = {"0": "0"} if self.parity == -1 and not self.where and self.smooth and self.least == 1 else {}
        return odd | dict(one.split(": ") for one in self.known.split(", ") if one)

    @property
    def is_elementary(self) -> bool:
        """Whether it is of the calculus, and nothing is cited for it."""
        return self.source.startswith("4.") and self.source != "4.13"

    def fact_of(self, x: str) -> str:
        """The name of the fact that a value is; empty where nothing is cited."""
        return "" if self.is_elementary or self.values_known[x] == "0" else f"{self.name}({x}) = {self.values_known[x]}"

    @property
    def rises_from_zero(self) -> bool:
        """Whether it is odd and increases on the one interval where it is real: it has the sign of its argument.

        >>> Row("sinh", parity=-1, slope=1).rises_from_zero, Row("tan", "cos(x) != 0", parity=-1, slope=1).rises_from_zero
        (True, False)
        """
        return (self.parity, self.slope) == (-1, 1) and self.inside is not None and not self.interval

    @property
    def everywhere(self) -> bool:
        """Whether it is a function of one argument that is analytic at every real one."""
        return not self.where and self.most == 1 and bool(self.derivative)

    @property
    def one_root(self) -> str:
        """What is to be true for the function to be defined by its equation, as a statement; empty where it is not.

        >>> Row("W", "x > 0", range="f > 0", root="f*exp(f) = x", rooted="x > 0").one_root
        'f*exp(f) = x has one root f in (0, oo) for x > 0'
        """
        low, high = self.values.low or "-oo", self.values.high or "oo"
        return f"{self.root} has one root f in ({low}, {high}) for {self.rooted}" if self.root else ""

    @cached_property
    def values(self) -> Values:
        """The interval of its values."""
        low = re.match(r"(.+?) (<=?) f", self.range)
        high = re.search(r"f (<=?) (.+)$", self.range)
        above = re.match(r"f (>=?) (.+)$", self.range)
        if above:
            return Values(above[2], above[1] == ">")
        return Values(low[1] if low else "", bool(low and low[2] == "<"), high[2] if high else "", bool(high and high[1] == "<"))


def _read(where: str) -> Alternatives:
    return tuple(map(conditions, where.split(" or ")))


def _needed(text: str) -> Needed:
    """
    >>> _needed("x <= 1"), _needed("whole x"), _needed("no pole x + 1")
    (Needed(kind='>=', text='1 - (x)'), Needed(kind='whole', text='x'), Needed(kind='no pole', text='x + 1'))
    """
    for kind in ("whole", "no pole"):
        if text.startswith(f"{kind} "):
            return Needed(kind, text.removeprefix(f"{kind} "))
    left, sign, right = re.split(r" (>=|<=|>|<|!=) ", text)
    if sign[0] == "<":
        left, right, sign = right, left, sign.replace("<", ">")
    return Needed(sign, left if right == "0" else f"{left} - ({right})")
