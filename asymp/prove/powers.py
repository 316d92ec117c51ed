"""Refutations along n = q^k, where sums over powers of q are known: what oscillates with log(n)/log(q) is a number there.

>>> from asymp.language.statement import read_statement
>>> fails(read_statement("Sum(2^j*exp(-2^j*t), (j, 0, oo)) ~ 1/(t*log(2)) as t -> 0+")).made[2]["values"]
{'t': '1/((2)^k)'}
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from asymp.kernel import terms
from asymp.kernel.growths.regime import alone, ties
from asymp.kernel.rays import periodic as periodic
from asymp.kernel.theorem import Theorem, apply
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.regimes.names import runner_of

ORDERS = (2, 4)


def fails(statement: Statement) -> Theorem:
    """A theorem that a statement fails on such a path.

    Raises:
        Refused: none is found.
    """
    tries = (
        partial(apply, "along powers", statement=str(statement), order=order, runner=runner_of(statement), values=values)
        for values in paths(statement) for order in ORDERS
    )  # fmt: skip
    return first(tries, "no sum over powers of a number")


def paths(statement: Statement) -> Iterator[dict[str, str]]:
    """Values of what moves: c q^k and its inverse, for the least q of which powers stand in sums, the index in the exponent."""
    said = [terms.of(node) for node in statement.terms()]
    sums = [part for one in said for part in terms.walk(one) if part.head == "Sum"]
    powers = [part.parts for one in sums for part in terms.walk(one.parts[0]) if part.head == "power"]
    bases = {max(b.number, 1 / b.number) for b, e in powers if b.is_number and b.number > 0 and terms.has_bound(e)}
    runner, tending = runner_of(statement), alone(statement)
    if len(tending) != 1 or ties(statement.regime) or set().union(*(x.free for x in said)) - tending.keys():
        return
    ((variable, kind),) = tending.items()
    for base in sorted(bases - {1})[:1]:
        for c in (1, base + 1) if kind else ():
            large = f"{c}*({base})^{runner}" if c != 1 else f"({base})^{runner}"
            yield {variable: large if kind == "oo" else f"1/({large})"}
        if kind == "oo" and any(part.head in ("floor", "ceiling") for one in said for part in terms.walk(one)):
            yield {variable: f"({base})^{runner} - 1"}
