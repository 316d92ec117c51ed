"""One point: what is known of signs there is what certified values say.

>>> here({"n": Fraction(10) ** 1000}).signs(terms.read("log(n) - 5"))
frozenset({1})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.signs import ANY, Signs
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Term
from asymp.meaning.ground import Ground, Prove, Runs
from asymp.parse.at import sign_at

LIGHT = 6
"""Bits of a number that is put in for its name: not of an exponent such as 10^8."""
BITS = 4_096
Values = Mapping[str, Fraction]


@dataclass(frozen=True)
class Here(Ground):
    """One point: signs are those of certified values."""

    values: Values = field(default_factory=dict)

    def put(self, term: Term) -> Term:
        """The term with short numbers for their names."""
        return terms.substitute(term, self._light)

    @property
    def _light(self) -> dict[str, Term]:
        return {name: terms.number(x) for name, x in self.values.items() if height(x) <= LIGHT}

    def far(self, term: Term, runs: Runs) -> Signs:
        """The one sign there."""
        if term.free & {run.name for run in runs}:
            return ANY
        found = sign_at(node_of(term), self.values, BITS)
        return ANY if found is None else frozenset({found})


def here(values: Values, prove: Prove | None = None) -> Here:
    """The ground of a point."""
    whole = frozenset(name for name, x in values.items() if x.denominator == 1)
    pairs = [(terms.name(name), "=", terms.number(x)) for name, x in values.items()]
    return Here(Context(whole, tuple(pairs)), whole, lambda _: [values], prove=prove, values=values)


def height(value: Fraction) -> int:
    """Bits of the longer of numerator and denominator."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())
