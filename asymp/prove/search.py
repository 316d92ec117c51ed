"""A search for a proof of a sign: ways propose trees for a goal, from proofs of other goals, and the kernel decides."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from asymp.kernel import terms
from asymp.kernel.balls.bounds import Proof
from asymp.kernel.domain import Pair
from asymp.kernel.facts.context import Context, Signs
from asymp.kernel.terms import Refused, Term
from asymp.prove.points import Points

Tree = list[Any]
Way = Callable[["Search", Term, Context, Signs, int], Iterator[Tree]]


class Search:
    """One search, with a count of its goals: it tries ways, light ones alone where sums make the values large."""

    def __init__(self, ways: Sequence[Way], light: Sequence[Way], depth: int, most: int) -> None:
        self.ways, self.light, self.top, self.left = ways, light, depth, most
        self.failed: dict[tuple[Term, frozenset[str], tuple[Pair, ...], Signs], int] = {}
        """Goals without a proof, each with the depth down to which there is none."""
        self.points: dict[tuple[frozenset[str], tuple[Pair, ...]], Points] = {}

    def proof(self, d: Term, at: Context, wanted: Signs, depth: int) -> Tree:
        """A proof that d has one of the wanted signs.

        Raises:
            Refused: none is found.
        """
        self.left -= 1
        key = (d, at.whole, at.pairs, wanted)
        if self.left < 0 or depth <= self.failed.get(key, 0):
            raise Refused("no proof found")
        if (here := (at.whole, at.pairs)) not in self.points:
            self.points[here] = Points(at)
        if self.points[here].against(d, wanted):
            self.failed[key] = self.top
            raise Refused("it fails at a point")
        for way in self.light if any(part.head == "Sum" for part in terms.walk(d)) else self.ways:
            for tree in self._tried(way, d, at, wanted, depth):
                try:
                    if Proof().signs(d, at, tree) <= wanted:
                        return tree
                except (Refused, RecursionError):
                    continue
        self.failed[key] = max(depth, self.failed.get(key, 0))
        raise Refused("no proof found")

    def _tried(self, way: Way, d: Term, at: Context, wanted: Signs, depth: int) -> Iterator[Tree]:
        ways = way(self, d, at, wanted, depth)
        while True:
            try:
                yield next(ways)
            except StopIteration:
                return
            except (ValueError, ArithmeticError):  # a generator that raised is at its end
                return

    def maybe(self, d: Term, at: Context, wanted: Signs, depth: int) -> Tree | None:
        """A proof, or None."""
        try:
            return self.proof(d, at, wanted, depth)
        except Refused:
            return None
