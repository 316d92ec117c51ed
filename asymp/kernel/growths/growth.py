"""Growths: monomials in independent quantities that tend to infinity, with their logarithms and exponentials,

    exp(E) * prod_i  s_i^a (ln s_i)^b (ln ln s_i)^c ...,

where E is a sum of multiples of growths that tend to infinity, and exponents and multiples are coefficients.

>>> domain = Domain()
>>> s, t = power_of(0, 0), power_of(1, 0)
>>> (s / t).limit(domain), (power_of(0, 1) / s).limit(domain), Growth((), ((rational(-1), s),)).times(t).limit(domain)
('unknown', 'zero', 'unknown')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from asymp.kernel.facts.context import Context
from asymp.kernel.rings.ratio import Ratio, rational
from asymp.kernel.terms import Refused
from asymp.language.once import once

DEEPEST = 8
"""Logarithms of a quantity in questions of limits."""
Place = tuple[int, int]
"""Which quantity, and how many logarithms of it."""


@dataclass(frozen=True)
class Domain(Context):
    """Where parameters lie: coefficients are continuous in them, so that on compact sets they have bounds."""

    continuous: bool = True
    between: dict[int, tuple[Growth, Growth]] = field(default_factory=dict, hash=False)
    """Of quantities that need not tend anywhere, growths L and H: from some point on, aL <= s_i <= bH and s_i >= 1, for
    some positive a and b; see uniform."""
    told: dict[Any, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Limits of quotients of growths, by their keys."""

    def quotient(self, g: Growth, h: Growth) -> str:
        """The limit of g/h: see :meth:`Growth.limit`."""
        if g.key is None or h.key is None:
            return (g / h).limit(self)
        if (key := (g.key, h.key)) not in self.told:
            self.told[key] = "one" if g.key == h.key else (g / h).limit(self)
        return self.told[key]

    def untold(self, growth: Growth) -> None:
        """Hears of a growth whose limit is not told; for searches, which may part a question by it."""


@dataclass(frozen=True, eq=False)
class Growth:
    """``powers``: exponents of s_i and its logarithms, in order; ``exponent``: the parts of E."""

    powers: tuple[tuple[Place, Ratio], ...] = ()
    exponent: tuple[tuple[Ratio, Growth], ...] = ()

    def times(self, other: Growth) -> Growth:
        """The product."""
        found = dict(self.powers)
        for place, e in other.powers:
            found[place] = found[place] + e if place in found else e
        parts = list(self.exponent)
        for c, g in other.exponent:
            parts = _added(parts, c, g)
        return Growth(tuple(sorted(((p, e) for p, e in found.items() if not e.is_zero), key=lambda x: x[0])), tuple(parts))

    def raised(self, e: Ratio) -> Growth:
        """A power."""
        if e.is_zero:
            return ONE
        return Growth(tuple((p, x * e) for p, x in self.powers), tuple((c * e, g) for c, g in self.exponent))

    def __truediv__(self, other: Growth) -> Growth:
        return self.times(other.raised(rational(-1)))

    @once
    def key(self) -> Any:
        """Equal for identical growths and for no others; None where that is not to be had."""
        parts = [(place, e.key) for place, e in self.powers] + [(c.key, g.key) for c, g in self.exponent]
        found = frozenset(parts)  # a growth that has one part twice is told by its quotients
        return None if len(found) < len(parts) or any(None in part for part in parts) else found

    def same(self, other: Growth) -> bool:
        """Whether the two are identical."""
        if self.key is not None and other.key is not None:
            return bool(self.key == other.key)
        quotient = self / other
        return not quotient.powers and not quotient.exponent

    def limit(self, domain: Domain) -> str:
        """zero, one or infinity, on every path on which all quantities tend to infinity; bounded, where it may be the first or
        the second by what the parameters are; or unknown.

        A growth is a product over groups of quantities that no part of E ties to one another: each group has a limit.
        Of quantities that are only said to lie between two growths the ends are looked at, and a growth may be bounded; or they
        tend to infinity with the lower end, and are as others, but for being tied.
        """
        if (told := self._limit(domain)) == "unknown":
            domain.untold(self)
        return told

    def _limit(self, domain: Domain) -> str:
        if self.places() & domain.between.keys():
            high, low = self._at_end(domain, True), self._at_end(domain, False)
            if high is not None and (told := high.limit(domain)) in ("zero", "one"):
                return "zero" if told == "zero" else "bounded"
            if low is not None and low.limit(domain) == "infinity":
                return "infinity"
            ends = [domain.between[i][0] for i in self.places() & domain.between.keys()]
            return _told({_direction(self, domain)}) if all(end.limit(domain) == "infinity" for end in ends) else "unknown"
        told = _told({_direction(group, domain) for group in self._groups()} - {0})
        if told != "unknown":
            return told
        falls = all(domain.of(e) <= {-1, 0} for e in (*(e for _, e in self.powers), *(c for c, _ in self.exponent)))
        return "bounded" if falls else told

    def _at_end(self, domain: Domain, upper: bool) -> Growth | None:
        """A growth without quantities that lie between others, and not below (or above) this one, up to positive factors
        of it and of the parts of its E; these change no limit that signs and orders of growth tell.  None: not seen."""
        found, parts = Growth(tuple(x for x in self.powers if x[0][0] not in domain.between)), []
        for (i, depth), e in self.powers:
            if i in domain.between:
                way = domain.sign(e)
                end = domain.between[i][(way == 1) == upper] if way else None
                for _ in range(depth):  # log s ~ log g, where g tends to infinity
                    end = _log(end, domain) if end is not None and end.limit(domain) == "infinity" else None
                if end is None:
                    return None
                found = found.times(end.raised(e))
        for c, g in self.exponent:
            if g.places() & domain.between.keys():
                way = domain.sign(c)
                end = None if g.exponent or not way else g._at_end(domain, (way == 1) == upper)
                if end is None or end.limit(domain) != "infinity":
                    return None
                g = end
            parts.append((c, g))
        return Growth(found.powers, (*found.exponent, *parts))

    def places(self) -> frozenset[int]:
        """The quantities in it."""
        inner = (g.places() for _, g in self.exponent)
        return frozenset(i for (i, _), _ in self.powers).union(*inner)

    def _groups(self) -> list[Growth]:
        groups: list[frozenset[int]] = []
        for used in (*(g.places() for _, g in self.exponent), *(frozenset({i}) for (i, _), _ in self.powers)):
            joined = used.union(*(group for group in groups if group & used))
            groups = [group for group in groups if not group & used] + [joined]
        return [
            Growth(tuple(x for x in self.powers if x[0][0] in group), tuple(x for x in self.exponent if x[1].places() & group))
            for group in groups
        ]


def _direction(growth: Growth, domain: Domain) -> int | None:
    """1 where it tends to infinity, -1 where to 0, 0 where it is 1, None where that is not seen."""
    powers = [(place, e) for place, e in growth.powers if domain.sign(e) != 0]  # what is 0, though not by identity, is nothing
    exponent = [(c, g) for c, g in growth.exponent if domain.sign(c) != 0]
    first: dict[int, int | None] = {}
    for (i, _), e in powers:  # sorted: the power of s_i itself before those of its logarithms
        if i not in first:
            first[i] = domain.sign(e)
    signs = {*first.values(), *(domain.sign(c) for c, _ in exponent)}
    if len(signs) < 2:
        return signs.pop() if signs else 0
    largest = _largest(powers, exponent, domain)  # in its logarithm: it tells its limit
    return None if largest is None else domain.sign(largest[0])


def _log(g: Growth, domain: Domain) -> Growth | None:
    """How large log g is, for g that tends to infinity."""
    largest = _largest(g.powers, g.exponent, domain)
    return None if largest is None else largest[1]


def _largest(
    powers: Sequence[tuple[Place, Ratio]], exponent: Sequence[tuple[Ratio, Growth]], domain: Domain
) -> tuple[Ratio, Growth] | None:
    """The summand of a growth's logarithm that outweighs all others."""
    if any(d >= DEEPEST for (_, d), _ in powers):
        return None
    summands = [*exponent, *((e, Growth((((i, d + 1), rational(1)),))) for (i, d), e in powers)]
    for k, (c, g) in enumerate(summands):
        if all(domain.quotient(h, g) == "zero" for j, (_, h) in enumerate(summands) if j != k):
            return c, g
    return None


def _added(parts: list[tuple[Ratio, Growth]], c: Ratio, g: Growth) -> list[tuple[Ratio, Growth]]:
    for k, (d, h) in enumerate(parts):
        if g.same(h):
            total = c + d
            return [*parts[:k], *([] if total.is_zero else [(total, h)]), *parts[k + 1 :]]
    return [*parts, (c, g)]


def _told(signs: set[int | None]) -> str:
    if not signs:
        return "one"
    if signs == {1}:
        return "infinity"
    return "zero" if signs == {-1} else "unknown"


ONE = Growth()
BOUNDED = ("zero", "one", "bounded")
MOST_LOGS = 5
"""Logarithms within one another."""


def power_of(i: int, depth: int, e: Ratio | None = None) -> Growth:
    """A power of s_i (depth 0) or of one of its iterated logarithms."""
    if depth > MOST_LOGS:
        raise Refused(f"logarithms more than {MOST_LOGS} deep")
    return Growth((((i, depth), rational(1) if e is None else e),))


def degree(g: Growth) -> Ratio:
    """The exponent of a growth that is a power of one quantity.

    Raises:
        Refused: it is another growth.
    """
    if g.exponent or len(g.powers) > 1 or any(depth for (_, depth), _ in g.powers):
        raise Refused("a growth that is no power of one quantity")
    return g.powers[0][1] if g.powers else rational(0)


def dominated(g: Growth, others: tuple[Growth, ...], domain: Domain) -> bool:
    """Whether g = O of one of the others."""
    return any(domain.quotient(g, h) in BOUNDED for h in others)
