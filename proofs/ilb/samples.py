"""Sampled evidence on the sentences about figure 1: n = 20 servers, theta = 10, policies that have no formula.

Every interval has the level 1 - 10^-9; a claim uses at most 16 of them, so that by Bonferroni's inequality a true statement
meets a false alarm with probability below 2 10^-8, as far as batch means are what their test finds them to be.  Seeds are
fixed by the point: a run repeats exactly.  Blocking of the insensitive policy is certified, that of Bernoulli routing is
M/M/1/theta's.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.papers.ilb.curves import CUSTOM, blocking

if TYPE_CHECKING:
    from asymp.sample.estimate import Estimate

SERVERS, THETA = 20, 10
LEVEL = 1 - 1e-9
SIZE = 2 * 10**6
RUNS, BATCHES = 8, 64
HOW = f"n = {SERVERS}, theta = {THETA}, {SIZE:,} arrivals a point; decided by intervals of level 1 - 10^-9"
LITTLE = 0.2
"""What "very little" is taken to be: less than a fifth, either way."""


@lru_cache(maxsize=64)
def run(policy: str, rho: float, law: str = "exponential") -> Estimate:
    """Blocking of a policy at a load."""
    from asymp.queues.law_text import read_law
    from asymp.sample.balancing import balance

    seed = zlib.crc32(repr((policy, rho, law)).encode())
    return balance(SERVERS, THETA, rho, policy, read_law(law)(1.0), SIZE, seed, LEVEL, RUNS, BATCHES)["blocking"]


def _evidence(outcome: Outcome, detail: str, points: Sequence[Witness]) -> list[Evidence]:
    strength = Strength.NONE if outcome == Outcome.UNDECIDED else Strength.SUPPORTED
    return [Evidence("sampled", outcome, strength, f"{detail} ({HOW})", tuple(points))]


def _witness(policy: str, rho: float, one: Estimate, law: str = "exponential") -> Witness:
    low, high = one.interval
    return Witness({"policy": policy, "rho": str(rho), "law": law}, repr((low + high) / 2), f"{(high - low) / 2:.2g}")


def bernoulli(rho: float) -> float:
    """M/M/1/theta: rho^theta over the sum of rho^k for k <= theta."""
    return rho**THETA / sum(rho**k for k in range(THETA + 1))


def little_change(loads: Sequence[float] = (1.2, 1.5), factor: float = 1 + LITTLE) -> list[Evidence]:
    """Blocking of JSQ and of JIQ with the custom law over that with exponential sizes."""
    points, least, most, sure = [], 1.0, 1.0, True
    for policy, rho in itertools.product(("jsq", "jiq"), loads):
        one, other = run(policy, rho), run(policy, rho, CUSTOM)
        points += [_witness(policy, rho, one), _witness(policy, rho, other, CUSTOM)]
        low, high = other.interval[0] / one.interval[1], other.interval[1] / max(one.interval[0], 1e-300)
        least, most = min(least, low), max(most, high)
        if low > factor or high < 1 / factor:
            return _evidence(Outcome.REFUTED, f"{policy} at {rho}: {one} and {other}", points)
        sure = sure and high <= factor and low >= 1 / factor
    return _evidence(Outcome.HOLDS if sure else Outcome.UNDECIDED, f"the ratio lies in {least:.3f} .. {most:.3f}", points)


def orders_of_magnitude(rho: float = 0.9, factor: float = 100.0) -> list[Evidence]:
    """Blocking of JIQ over that of the insensitive policy."""
    found, truth = run("jiq", rho), float(blocking(THETA, SERVERS, rho))
    low, high = (end / truth for end in found.interval)
    outcome = Outcome.HOLDS if low >= factor else Outcome.REFUTED if high < factor else Outcome.UNDECIDED
    return _evidence(outcome, f"JIQ {found}, insensitive {truth:.4g}: a ratio in {low:.4g} .. {high:.4g}", [_witness("jiq", rho, found)])


def like_bernoulli(loads: Sequence[float] = (0.9, 1.0, 1.1, 1.3)) -> list[Evidence]:
    """Blocking of JIQ over that of Bernoulli routing increases to 1 with the load."""
    points, ends = [], []
    for rho in loads:
        found = run("jiq", rho)
        points.append(_witness("jiq", rho, found))
        ends.append(tuple(end / bernoulli(rho) for end in found.interval))
    shown = ", ".join(f"{low:.4f} .. {high:.4f} at {rho}" for rho, (low, high) in zip(loads, ends, strict=True))
    falls = any(b[1] < a[0] for a, b in itertools.pairwise(ends)) or ends[-1][0] > 1
    rises = all(a[1] < b[0] for a, b in itertools.pairwise(ends))
    outcome = Outcome.REFUTED if falls else Outcome.HOLDS if rises else Outcome.UNDECIDED
    return _evidence(outcome, f"the ratio: {shown}", points)
