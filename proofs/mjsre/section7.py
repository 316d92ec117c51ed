"""Sections 7.1 and 7.5: the initial length of the sub-perfect sampler, and the accuracy asked of Algorithm 2.

Execution times (section 7.3.1, the last columns of Table 1, 22 seconds in section 7.5) are those of the authors' machine
and are not claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from asymp.claim import Bound, Claim, Domain
from asymp.queues.recurrence import pile
from proofs.mjsre.inputs import drawn
from proofs.mjsre.notation import claim
from proofs.mjsre.section5 import EXPONENTIAL, ideal_rate, saturated_rate

UP = (1, 3)
"""P(sigma - tau = 1) = 1/3 of the walk that is tried: load 1/2."""
STEPS = 256
"""The algorithm is followed for as many jobs; what is undecided then is counted on both sides."""


def claims() -> list[Claim]:
    """The statements of section 7 that can be checked and are not those of Table 1, in order."""
    return [
        claim(
            "section-7.1-small-length",
            "Section 7.1",
            Bound(
                lambda length: not_coupled(2 * length)[1],
                "<",
                lambda length: not_coupled(length)[0],
                Domain.product("one server, sigma - tau = 1 with probability 1/3, else -1", length=[1, 2, 4, 8, 16]),
            ),
            "Selecting an l value that is too small increases the risk of stopping the execution too soon.",
            note="The probability that Algorithm 1, started with l, stops before it has coupled, as a function of l: exact for a "
            "random walk (bounds of it, which leave less than 1e-5 undecided).",
        ),
        claim(
            "section-7.5-ideal",
            "Section 7.5",
            Bound(
                saturated_rate,
                "<=",
                ideal_rate,
                EXPONENTIAL,
            ),
            "lambda_ideal = s / sum sigma_i alpha_i p_i is the stability region boundary with no HOL blocking: an upper bound.",
            note="Path by path it is section-7.5-ideal-pile.",
        ),
        claim(
            "section-7.5-ideal-pile",
            "Section 7.5",
            Bound(
                lambda seed: sum((job.servers * Fraction(job.service) for job in drawn(seed, 5, 12)), Fraction(0)),
                "<=",
                lambda seed: 5 * pile(drawn(seed, 5, 12), 5)[-1][-1],
                Domain.product("s = 5", seed=range(60)),
            ),
            "... since s |H_n| >= sum of alpha_k sigma_k: the pile is full where nothing is blocked.",
        ),
        claim(
            "section-7.5-relative-accuracy",
            "Section 7.5",
            Bound(
                lambda system: Fraction(1, 100) / ideal_rate(system),
                "<=",
                lambda system: Fraction(1, 100) / saturated_rate(system),
                EXPONENTIAL,
            ),
            "epsilon = 0.01/lambda_ideal is a 1% relative accuracy target: epsilon <= 0.01 gamma.",
            note="A target for the change of gamma between two passes.  It bounds no error: see the claims of Algorithm 2.",
        ),
    ]


def not_coupled(length: int) -> tuple[Fraction, Fraction]:
    """Bounds of the probability that Algorithm 1, started with ``length``, returns less than the perfect sample.

    With one server M_n is the running maximum of a random walk.  After each doubling the algorithm stops unless
    there is a new maximum; a walk that stops at a gap g below its maximum exceeds it later with probability
    (p/q)^(g+1).

    >>> low, high = not_coupled(1)
    >>> bool(0.24 < low <= high < 0.25)
    True
    """
    up, whole = UP
    down = whole - up
    ratio = Fraction(up, down)
    weights: dict[int, int] = {0: 1}  # gap -> weight, in units of whole^-(steps so far)
    wrong, done = Fraction(0), 0
    for block in _blocks(length):
        fresh = done == 0
        found: dict[tuple[int, bool], int] = {(gap, fresh): w for gap, w in weights.items()}
        for _ in range(block):
            after: dict[tuple[int, bool], int] = {}
            for (gap, risen), w in found.items():
                higher = (gap - 1, risen) if gap else (0, True)
                for state, weight in ((higher, up), ((gap + 1, risen), down)):
                    after[state] = after.get(state, 0) + w * weight
            found = after
        done += block
        weights = {gap: w for (gap, risen), w in found.items() if risen}
        stopped = sum((w * ratio ** (gap + 1) for (gap, risen), w in found.items() if not risen), Fraction(0))
        wrong += stopped / Fraction(whole) ** done
    return wrong, wrong + Fraction(sum(weights.values()), whole**done)


def _blocks(length: int) -> Iterator[int]:
    """The jobs added at each pass: l, then as many again as there are."""
    total = length
    yield length
    while total < STEPS:
        yield total
        total *= 2
