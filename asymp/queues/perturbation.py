r"""The throughput of a saturated system as a power series in a change of its service rates, exactly.

With rates ``mu_j + eps d_j`` the generator of the chain in time is ``Q + eps Q1`` and completions have the rate
``r + eps r1`` in a state, both linear in eps.  From ``x (Q + eps Q1) = 0`` and ``X = x (r + eps r1)``, with the law P at
``eps = 0`` and solutions of Poisson's equation ``Q h_k = X_k - b_k``, one for each order,

    b_0 = r,   b_1 = Q1 h_0 + r1,   b_k = Q1 h_{k-1},   X_k = P b_k,

the throughput is ``X_0 + X_1 eps + X_2 eps^2 + ...``: with h_k defined so, ``x b_k = X_k + eps (x Q1 h_k)`` for each eps
(Schweitzer 1968, Perturbation theory and finite Markov chains, J. Appl. Prob. 5).  It is a rational function of eps,
so that the series converges near 0.

>>> from asymp.queues.rules import JobClass
>>> half = Fraction(1, 2)
>>> classes = [JobClass(1, Fraction(1), half), JobClass(1, Fraction(1), half)]
>>> [str(x) for x in throughput_series(saturated(1, classes), [1, 0], 3)]  # of 2/(1/(1 + eps) + 1) = 1 + eps/2 - eps^2/4 + ...
['1', '1/2', '-1/4', '1/8']
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from asymp.elimination import Elimination, rational
from asymp.queues.rules import State
from asymp.queues.saturated import Saturated, saturated

__all__ = ["saturated", "throughput_series"]


def throughput_series(system: Saturated[State], change: Sequence[object], order: int) -> list[Fraction]:
    """X_0, ..., X_order: completions per unit of time at rates ``mu_j + eps change_j``, by powers of eps.

    Args:
        system: the saturated system at ``eps = 0``, its states by :class:`~asymp.queues.rules.State`; of any rates.
        change: for each class, by how much its rate changes at ``eps = 1``; exact rationals of either sign.
        order: of the last coefficient.

    Raises:
        ValueError: there is not one change for each class, or the order is negative.
        TypeError: a change is no exact rational.
    """
    rules = system.rules
    by = [rational(x, "change") for x in change]
    if len(by) != len(rules.classes) or order < 0:
        raise ValueError(f"a change for each of {len(rules.classes)} classes, and an order >= 0")
    place = {state: k for k, state in enumerate(system.labels)}
    rows: list[dict[int, Fraction]] = [{} for _ in place]
    for one in system.transitions:
        row = rows[place[one.source]]
        row[place[one.target]] = row.get(place[one.target], Fraction(0)) + one.probability
    chain = Elimination(rows)
    law = [(system.P[state], rate, place[state]) for state, rate in system.completion_rate.items()]
    moves = {
        place[state]: [(count * by[j], place[rules.complete(state, j)]) for j, count in enumerate(state.in_service) if count]
        for state in system.completion_rate
    }

    def poisson(earned: dict[int, Fraction], mean: Fraction) -> list[Fraction]:
        """h with Q h = mean - earned where time passes; where a job is drawn, h is the mean of what follows."""
        rewards = [Fraction(0)] * len(rows)
        for _, rate, k in law:
            rewards[k] = (earned[k] - mean) / rate
        return chain.poisson(rewards)

    found: list[Fraction] = []
    earned = {k: rate for _, rate, k in law}
    for k in range(order + 1):
        found.append(sum((share * earned[place_] for share, _, place_ in law), Fraction(0)))
        if k < order:
            h = poisson(earned, found[-1])
            earned = {
                at: sum((c * (h[to] - h[at] + (1 if k == 0 else 0)) for c, to in moves[at]), Fraction(0)) for at in moves
            }
    return found
