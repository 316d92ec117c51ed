"""Whether M_n becomes M_oo at a finite n: not for every stationary ergodic input, even below the threshold.

Two servers, five jobs (alpha, sigma, tau) a cycle: (1, 1, 0), (1, 2, 2), (1, y, 0), (2, 1, 1), (1, 2, 2), with y drawn
anew in each cycle, independently, in [0, 1), and the phase drawn at random.  A cycle takes (0, x) to (0, max(x, y)):
the workload remembers the largest y there ever was.  Where sup y = 1 is not attained M_n increases for ever.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import sympy as sp

from asymp.claim import Evidence, Outcome, Step, Strength
from asymp.papers.mjsre.exact import Periodic, growth
from asymp.papers.mjsre.notation import certified
from asymp.papers.mjsre.piecewise import positive, proved
from asymp.papers.mjsre.recurrence import Job, Number, loynes, step
from asymp.papers.mjsre.stationary import Input, reached

Draw = Callable[[random.Random], Fraction]


# --- the input that remembers -------------------------------------------------------------------------


def cycle(y: Fraction) -> list[Job]:
    """Its five jobs."""
    return [Job(1, 1, 0), Job(1, 2, 2), Job(1, y, 0), Job(2, 1, 1), Job(1, 2, 2)]


def never_one(draw: random.Random) -> Fraction:
    """1 - 2^-G with G = 0, 1, 2, ... geometric: supremum 1, not attained."""
    tosses = 0
    while draw.random() < 0.5:
        tosses += 1
    return 1 - Fraction(1, 2**tosses)


def one_at_times(draw: random.Random) -> Fraction:
    """0 or 1: here the supremum is attained, and M_n becomes M_oo."""
    return Fraction(draw.randint(0, 1))


def memory_steps() -> list[Step]:
    """A cycle takes (0, x) to (0, max(x, y)) for all x, y in [0, 1]: each job's map, (3), written out."""
    x, y = sp.symbols("x y", real=True)
    unit = [(0, x), (x, 1), (0, y), (y, 1)]
    m = sp.Max(x, y)

    def after(w: Sequence[sp.Expr], alpha: int, sigma: sp.Expr | int, tau: int) -> list[sp.Expr]:
        """The map (3) on two servers in order, reordered by minimum and maximum."""
        raised = [sp.Max(w[alpha - 1], v) + (sigma if i < alpha else 0) for i, v in enumerate(w)]
        low, high = (positive(v - tau) for v in raised)
        return [sp.Min(low, high), sp.Max(low, high)]

    def shown(words: str, found: Sequence[sp.Expr], said: Sequence[sp.Expr | int], latex: str) -> Step:
        return proved(words, unit, list(zip(found, said, strict=True)), latex, equal=True)

    zero = sp.Integer(0)
    first = after([zero, x], 1, 1, 0)
    second = after([x, sp.Integer(1)], 1, 2, 2)
    third = after([zero, x], 1, y, 0)
    fourth = after([sp.Min(x, y), m], 2, 1, 1)
    fifth = after([m, m], 1, 2, 2)
    return [
        shown("job (1, 1, 0)", first, [x, 1], r"(0,x)\to(x,1)"),
        shown("job (1, 2, 2)", second, [0, x], r"(x,1)\to(0,x)"),
        shown("job (1, y, 0)", third, [sp.Min(x, y), m], r"(0,x)\to(\min(x,y),\max(x,y))"),
        shown("job (2, 1, 1)", fourth, [m, m], r"(\min(x,y),\max(x,y))\to(\max(x,y),\max(x,y))"),
        shown("job (1, 2, 2)", fifth, [0, m], r"(\max(x,y),\max(x,y))\to(0,\max(x,y))"),
    ]


def remembers(law: Draw, cycles: int = 24, seeds: int = 6) -> list[Evidence]:
    """Whether M_n, at the beginning of a cycle, becomes its limit (0, 1) for the input with this law of y."""
    load = growth(Periodic(2, tuple(cycle(Fraction(1))))) * 5 / sum(job.gap for job in cycle(Fraction(1)))
    if load >= 1:
        return certified(Outcome.UNDECIDED, f"the input may be unstable: load {load} if y = 1")
    attained = 0
    for seed in range(seeds):
        draw = random.Random(seed)
        ys = [law(draw) for _ in range(cycles)]  # of the cycles before time 0, the last first
        past = [job for y in ys for job in reversed(cycle(y))]
        chain = loynes(past[: 5 * cycles], 2) if seed == 0 else [walked(ys[:k]) for k in range(cycles + 1)]
        seen = chain[::5] if seed == 0 else chain
        if seen != [[0, max(ys[:k], default=0)] for k in range(cycles + 1)]:
            return certified(Outcome.UNDECIDED, f"M_n is not (0, max y) for {ys}")
        attained += seen[-1] == [0, 1]
    try:
        steps = tuple(memory_steps())
    except ValueError as error:
        return certified(Outcome.UNDECIDED, f"the proof failed: {error}")
    if attained:
        return certified(Outcome.HOLDS, f"M_n = (0, 1) = M_oo after {cycles} cycles in {attained} of {seeds} pasts")
    known = f"at load at most {load}, at the beginning of a cycle, M_n = (0, max y) < 1 over the cycles seen, and M_oo = (0, 1)"
    return [
        Evidence("symbolic", Outcome.REFUTED, Strength.PROVED, f"proved: {known}", steps=steps),
        *certified(Outcome.REFUTED, f"{known}: in {seeds} pasts of {cycles} cycles, exactly"),
    ]


def never_attained() -> list[Evidence]:
    """That M_n becomes M_oo, for the input whose y never is 1."""
    return remembers(never_one)


def walked(ys: Sequence[Fraction]) -> list[Number]:
    """M_n for the cycles with these y, the last first."""
    w: list[Number] = [0, 0]
    for y in reversed(ys):
        for job in cycle(y):
            w = step(w, job)
    return w


# --- when it is so --------------------------------------------------------------------------------------


def pattern(source: Input, longest: int = 40) -> tuple[list[int], Fraction] | None:
    """Jobs (indices) after which one workload is left, from all that an empty start reaches, and their probability."""
    states = frozenset(reached(source))
    seen, edge = {states}, [(states, list[int](), Fraction(1))]
    for _ in range(longest):
        following = []
        for left, path, weight in edge:
            for k, (q, job) in enumerate(source.jobs):
                after = frozenset(tuple(step(state, job)) for state in left)
                if len(after) == 1:
                    return [*path, k], weight * q
                if after not in seen:
                    seen.add(after)
                    following.append((after, [*path, k], weight * q))
        edge = following
    return None
