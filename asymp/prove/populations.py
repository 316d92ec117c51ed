"""Search for theorems on the functions of populations: weights in their forms, with which the kernel's rule is tried.

>>> from asymp.language.populations import read_population
>>> from asymp.language.statement import read_statement
>>> pool = read_population({"of": "whole n, n >= 1, r > 0", "counts": "s(k) of n for 0 <= k <= 1", "idle": "all at 0",
...     "busy": "number at 1", "moves": ["k -> k + 1 at r*s(k) for k < 1", "k -> k - 1 at s(k) for k > 0"], "weight": "r^k"})
>>> holds(read_statement("busy(n, r) = n*(1 - idle(n, r)^(1/n)) for whole n, n >= 1, r > 0"), [pool])
⊢ busy(n, r) = n*(1 - idle(n, r)^(1/n)) for whole n >= 1, r > 0
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from asymp.kernel import terms
from asymp.kernel.chains import means as means
from asymp.kernel.terms import Refused, Term, multiply, reciprocal, substitute
from asymp.kernel.theorem import Theorem, apply
from asymp.language.elaborate import functions_called
from asymp.language.populations import Population
from asymp.language.statement import Statement
from asymp.language.transitions import Transitions
from asymp.prove import first


def of(statement: Statement, chains: Sequence[Transitions]) -> list[Population]:
    """The populations whose functions a statement calls."""
    used = functions_called(statement)
    return [one for one in chains if isinstance(one, Population) and used & {name for name, _ in one.functions}]


def holds(statement: Statement, chains: Sequence[Population]) -> Theorem:
    """A theorem that an equation between functions of one population holds.

    Raises:
        Refused: none was found.
    """
    if len(chains) != 1 or chains[0].weight is None:
        raise Refused("one population is wanted, with a weight for the levels")
    (chain,) = chains
    data = {"chain": str(chain), "statement": str(statement)}
    return first(partial(apply, "population", [], weight=str(w), of_total=str(h), **data) for w, h in _weights(chain))


def _weights(chain: Population) -> Iterator[tuple[Term, Term]]:
    """The weights of the hint, and over those of the state with all objects at the first, or the last level."""
    assert chain.weight is not None
    weight, of_total = terms.of(chain.weight), terms.of(chain.of_total) if chain.of_total is not None else terms.ONE
    yield weight, of_total
    for end in (chain.low, chain.high):
        at = {chain.level: terms.of(end)}
        total = of_total
        if chain.total is not None:
            gained = multiply(terms.of(chain.size), substitute(terms.of(chain.total[1]), at))
            total = multiply(of_total, reciprocal(substitute(of_total, {chain.total[0]: gained})))
        yield multiply(weight, reciprocal(substitute(weight, at))), total
