"""Sampled evidence: that the mean queue of many servers is not the same with sizes of another law."""

from __future__ import annotations

from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.papers.parallelps.table1 import limit

LEVEL = 1 - 1e-6
SIZE = 60 * 10**6
"""The laws are 0.0075 apart, eleven standard errors."""


def sensitive() -> list[Evidence]:
    """The mean queue of 20,000 servers with Erlang and with hyperexponential sizes, at lam = 0.8, d = 2."""
    erlang, hyper = (limit(2, "0.8", kind, SIZE, LEVEL)["controlled-mean-queue"] for kind in ("erlang", "hyper"))
    apart = erlang.interval[1] < hyper.interval[0] or hyper.interval[1] < erlang.interval[0]
    points = [
        Witness({"law": name, "lambda": "0.8"}, repr(sum(one.interval) / 2), f"{(one.interval[1] - one.interval[0]) / 2:.2g}")
        for name, one in (("Erlang, 8 phases", erlang), ("hyperexponential (4, 1/4)", hyper))
    ]
    outcome, strength = (Outcome.HOLDS, Strength.SUPPORTED) if apart else (Outcome.UNDECIDED, Strength.NONE)
    return [Evidence("sampled", outcome, strength, f"Erlang {erlang}, hyperexponential {hyper}", tuple(points))]
