"""Sampled evidence: the system of many servers against the bounds of :mod:`asymp.papers.parallelps.bounds`."""

from __future__ import annotations

from fractions import Fraction

from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.papers.parallelps.bounds import queue_lower, queue_upper, room
from asymp.papers.parallelps.table1 import limit


def within() -> list[Evidence]:
    """The mean queue of 20,000 servers at lam = 0.9 against the bounds; P(Q >= k) against lam^k, and E Q^2 against (f), by estimates."""
    lam, points, shown, outcome = Fraction(9, 10), [], [], Outcome.HOLDS
    for d in (2, 3):
        found = limit(d, "0.9", size=4 * 10**6)
        one = found["controlled-mean-queue"]
        low, high = one.interval
        law = [found[f"queue[{k}]"].value for k in range(len([name for name in found.estimates if name.startswith("queue[")]))]
        square, most = sum(k * k * p for k, p in enumerate(law)), float(room(d, lam, Fraction(high)))
        points.append(Witness({"d": str(d), "lambda": "0.9"}, repr((low + high) / 2), f"{(high - low) / 2:.2g}"))
        bounds = float(queue_lower(d, lam)), float(queue_upper(d, lam))
        shown.append(f"d = {d}: {one} in [{bounds[0]:.4g}, {bounds[1]:.4g}], second moment {square:.4g}, at most {most:.4g}")
        tails = [sum(law[k:]) - 0.9**k for k in range(2, len(law))]
        if not (bounds[0] < high and low < bounds[1] and square < most and max(tails) < 0):
            outcome = Outcome.REFUTED
    return [Evidence("sampled", outcome, Strength.SUPPORTED, "; ".join(shown), tuple(points))]
