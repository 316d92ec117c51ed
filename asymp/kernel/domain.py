"""What conditions say, read in one place: kinds of variables, comparisons, lists of values.

Every rule is given the object that :func:`given` makes of a domain, so that none takes as whole what another takes as real.
``n in 2..7`` says that n is whole and lies between its ends.  Conditions of other kinds (limits, growths, what is said of
functions) are kept as they are, for the theories that know them.

>>> from asymp.language.conditions import read_conditions
>>> where = given(read_conditions("n in 2..7, 0 < p < 1, (a, b) in {(1, 2), (3, 4)}"))
>>> sorted(where.whole), [f"{low} {sign} {high}" for low, sign, high in where.pairs], where.names_listed
(['n'], ['2 <= n', 'n <= 7', '0 < p', 'p < 1'], ['a', 'b'])
>>> given(read_conditions("real x, x in 0..3"))
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: x is real and whole
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from asymp.kernel.terms import CONSTANTS, Refused, Term, free, name, of
from asymp.language.conditions import Between, Compared, Condition, Listed, OfFunction, OfKind
from asymp.language.once import once

Pair = tuple[Term, str, Term]
"""left < right, left <= right or left = right."""
Lists = tuple[tuple[tuple[str, ...], tuple[tuple[Term, ...], ...]], ...]
"""Variables, and the rows of values that they may have together."""


@dataclass(frozen=True)
class Given:
    """What conditions say.  A variable of no kind is real; ``others`` are conditions that say nothing of single values."""

    kinds: tuple[tuple[str, str], ...] = ()
    pairs: tuple[Pair, ...] = ()
    lists: Lists = ()
    others: tuple[Condition, ...] = ()

    @once
    def whole(self) -> frozenset[str]:
        """The variables that are whole."""
        return frozenset(v for v, kind in self.kinds if kind == "whole")

    @once
    def of_kind(self) -> frozenset[str]:
        """The variables of which a kind is said."""
        return frozenset(v for v, _ in self.kinds)

    @once
    def names_listed(self) -> list[str]:
        """The variables whose values are listed."""
        return [v for names, _ in self.lists for v in names]

    @once
    def variables(self) -> frozenset[str]:
        """All variables of which something is said; those of ``others`` are left out."""
        found = {v for low, _, high in self.pairs for v in free(low) | free(high)}
        found |= {v for _, rows in self.lists for row in rows for value in row for v in free(value)}
        return self.of_kind.union(found, self.names_listed)


def given(conditions: Iterable[Condition]) -> Given:
    """What conditions say together.

    Raises:
        Refused: two kinds are said of one variable, it stands in two lists, or what has a kind, a range ``2..7`` or a list
            is a constant.
    """
    kinds: dict[str, str] = {}
    pairs: list[Pair] = []
    lists: list[tuple[tuple[str, ...], tuple[tuple[Term, ...], ...]]] = []
    others: list[Condition] = []
    for c in conditions:
        match c:
            case OfKind():
                _of_kind(kinds, c.name, c.kind)
            case Between():
                _of_kind(kinds, c.name, "whole")
                pairs += [(of(c.low), "<=", name(c.name)), (name(c.name), "<=", of(c.high))]
            case Listed():
                listed = [v for names, _ in lists for v in names]
                if len({*c.names, *listed}) < len(c.names) + len(listed):
                    raise Refused(f"{c}: a variable in two lists")
                _no_constant(*c.names)
                lists.append((c.names, tuple(tuple(of(value) for value in row) for row in c.rows)))
            case Compared():
                pairs += compared(c)
            case OfFunction():
                _no_constant(c.name)
                others.append(c)
            case _:
                others.append(c)
    return Given(tuple(kinds.items()), tuple(pairs), tuple(lists), tuple(others))


def compared(chain: Compared) -> list[Pair]:
    """The single comparisons of a chain, the lower side first."""
    found: list[Pair] = []
    for left, sign, right in chain.pairs():
        low, high = (left, right) if sign[0] in "<=" else (right, left)
        found.append((of(low), sign.replace(">", "<"), of(high)))
    return found


def _of_kind(kinds: dict[str, str], v: str, kind: str) -> None:
    _no_constant(v)
    if kinds.setdefault(v, kind) != kind:
        raise Refused(f"{v} is {kinds[v]} and {kind}")


def _no_constant(*names: str) -> None:
    if strange := CONSTANTS.intersection(names):
        raise Refused(f"{min(strange)} is a constant, no variable")
