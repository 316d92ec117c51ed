"""Finite Markov chains solved exactly, by eliminating states one at a time.

Eliminating state k from a chain watched at its jumps leaves the chain that is watched only
outside k (the censored chain): ``P[i,j] += P[i,k] P[k,j] / (1 - P[k,k])``.  Doing so down to one
state, and walking back, gives the stationary vector (Grassmann, Taksar and Heyman 1985); the same
pass carries the right-hand side of Poisson's equation.  Over the rationals nothing is lost, and
the order of least fill keeps chains that are nearly a path (such as the 1-and-n system) linear.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

Row = Mapping[int, Fraction]


def rational(value: object, name: str = "value") -> Fraction:
    """An exact rational from an int, a Fraction, a SymPy rational or a decimal string.

    Raises:
        TypeError: for a float, which is not what was meant: write ``Fraction(1, 10)`` or "0.1".
        ValueError: for text that is no number.

    >>> rational("0.1"), rational(3)
    (Fraction(1, 10), Fraction(3, 1))
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int | str):
        return Fraction(value)
    numerator, denominator = getattr(value, "p", None), getattr(value, "q", None)
    if getattr(value, "is_Rational", False) and numerator is not None and denominator is not None:
        return Fraction(int(numerator), int(denominator))
    raise TypeError(f"{name} must be an exact rational, not {type(value).__name__} {value!r}")


def reachable(start: int, successors: Sequence[Sequence[int]]) -> set[int]:
    """The states that a path from ``start`` visits, itself included."""
    seen, todo = {start}, [start]
    while todo:
        for target in successors[todo.pop()]:
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def recurrent_class(rows: Sequence[Row]) -> set[int]:
    """The one closed class of a finite chain.

    Raises:
        ValueError: if there is more than one (the stationary law would not be unique).

    >>> half = Fraction(1, 2)
    >>> sorted(recurrent_class([{1: Fraction(1)}, {1: half, 2: half}, {1: Fraction(1)}]))
    [1, 2]
    """
    forward = [list(row) for row in rows]
    backward: list[list[int]] = [[] for _ in rows]
    for source, targets in enumerate(forward):
        for target in targets:
            backward[target].append(source)
    state = 0
    while True:
        ahead, behind = reachable(state, forward), reachable(state, backward)
        leak = ahead - behind
        if not leak:
            break
        state = min(leak)
    if len(behind) < len(rows):
        raise ValueError("the chain has more than one closed class")
    return ahead


class Elimination:
    """One elimination of an irreducible chain, used for any number of right-hand sides.

    Args:
        rows: ``rows[i][j]`` is the probability to go from i to j; rows sum to 1.

    Raises:
        ValueError: if a row does not sum to 1 or the chain is reducible.

    >>> third = Fraction(1, 3)
    >>> chain = Elimination([{0: third, 1: 2 * third}, {0: Fraction(1)}])
    >>> chain.stationary()
    [Fraction(3, 5), Fraction(2, 5)]
    >>> chain.poisson([Fraction(2), Fraction(-3)])  # the rewards average to 0
    [Fraction(0, 1), Fraction(-3, 1)]
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        if any(sum(row.values()) != 1 for row in rows):
            raise ValueError("a row of the chain does not sum to 1")
        self.size = len(rows)
        out = [dict(row) for row in rows]
        into: list[set[int]] = [set() for _ in rows]
        for source, row in enumerate(out):
            for target in row:
                into[target].add(source)
        alive = set(range(1, self.size))  # state 0 is the one that stays
        self._steps: list[tuple[int, dict[int, Fraction], dict[int, Fraction], Fraction]] = []
        while alive:
            k = min(alive, key=lambda i: (len(into[i]) * len(out[i]), i))
            alive.remove(k)
            leaving = {j: w for j, w in out[k].items() if j != k}
            exit_probability = sum(leaving.values(), Fraction(0))
            if exit_probability == 0:
                raise ValueError("the chain is reducible")
            entering = {i: out[i].pop(k) for i in into[k] if i != k}
            for j in leaving:
                into[j].discard(k)
            for i, weight in entering.items():
                scale = weight / exit_probability
                for j, w in leaving.items():
                    out[i][j] = out[i].get(j, Fraction(0)) + scale * w
                    into[j].add(i)
            self._steps.append((k, entering, leaving, exit_probability))

    def stationary(self) -> list[Fraction]:
        """The stationary distribution ``x = x P``, summing to 1."""
        weights = [Fraction(0)] * self.size
        weights[0] = Fraction(1)
        for k, entering, _, exit_probability in reversed(self._steps):
            weights[k] = sum((weights[i] * w for i, w in entering.items()), Fraction(0)) / exit_probability
        total = sum(weights)
        return [weight / total for weight in weights]

    def poisson(self, rewards: Sequence[Fraction]) -> list[Fraction]:
        """The solution of ``f = r + P f`` with ``f[0] = 0``.

        Raises:
            ValueError: if the rewards do not average to 0 (there is no solution).
        """
        r = list(rewards)
        for k, entering, _, exit_probability in self._steps:
            for i, weight in entering.items():
                r[i] += weight * r[k] / exit_probability
        if r[0] != 0:
            raise ValueError("the rewards have a nonzero stationary mean: Poisson's equation has no solution")
        f = [Fraction(0)] * self.size
        for k, _, leaving, exit_probability in reversed(self._steps):
            f[k] = (r[k] + sum((w * f[j] for j, w in leaving.items()), Fraction(0))) / exit_probability
        return f
