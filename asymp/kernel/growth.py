"""Growths: monomials in independent quantities that tend to infinity, with their logarithms and exponentials,

    exp(E) * prod_i  s_i^a (ln s_i)^b (ln ln s_i)^c ...,

where E is a sum of multiples of growths that tend to infinity, and exponents and multiples are coefficients.

>>> domain = Domain()
>>> s, t = power_of(0, 0), power_of(1, 0)
>>> (s / t).limit(domain), (power_of(0, 1) / s).limit(domain), Growth((), ((rational(-1), s),)).times(t).limit(domain)
('unknown', 'zero', 'unknown')
"""

from __future__ import annotations

from dataclasses import dataclass

from asymp.kernel.field import Domain, Ratio, rational, sign
from asymp.kernel.terms import Refused

Place = tuple[int, int]
"""Which quantity, and how many logarithms of it."""


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

    def same(self, other: Growth) -> bool:
        """Whether the two are identical."""
        quotient = self / other
        return not quotient.powers and not quotient.exponent

    def limit(self, domain: Domain) -> str:
        """zero, one or infinity, on every path on which all quantities tend to infinity; or unknown."""
        if self.exponent:
            return self._of_exponential(domain)
        first: dict[int, int | None] = {}
        for (i, _), e in self.powers:  # sorted: the power of s_i itself before those of its logarithms
            if i not in first:
                first[i] = sign(e, domain)
        return _told(set(first.values()))

    def _of_exponential(self, domain: Domain) -> str:
        """What one part of E that outweighs all others, and the logarithms of the powers, says."""
        for k, (c, g) in enumerate(self.exponent):
            others = [h for j, (_, h) in enumerate(self.exponent) if j != k]
            logs = [Growth((((i, d + 1), rational(1)),)) for (i, d), _ in self.powers]
            if all((h / g).limit(domain) == "zero" for h in (*others, *logs)):
                found = sign(c, domain)
                return "unknown" if not found else "infinity" if found > 0 else "zero"
        return "unknown"


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


def power_of(i: int, depth: int, e: Ratio | None = None) -> Growth:
    """A power of s_i (depth 0) or of one of its iterated logarithms."""
    if depth > 3:
        raise Refused("logarithms more than three deep")
    return Growth((((i, depth), rational(1) if e is None else e),))


def dominated(g: Growth, others: tuple[Growth, ...], domain: Domain) -> bool:
    """Whether g = O of one of the others."""
    return any((g / h).limit(domain) in ("zero", "one") for h in others)
