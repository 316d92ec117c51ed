"""Sampled evidence: the system itself, simulated by regeneration cycles at n = 10^8 and beyond.

The sampler draws cycles from the rules of the model; it knows neither Lemma 5.2 nor Poisson's equation, so
that it judges the formulas from which every other line of evidence starts.  A sample supports, no more.

Every interval has the level 1 - 10^-9 (6.1 standard errors).  No claim here uses more than 40 of them, so
that by Bonferroni's inequality a true statement meets a false alarm with probability below 4e-8, as far as
means of a million independent cycles are normal.  Seeds are fixed by the point: a run repeats exactly.
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

import sympy as sp

from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.enclosure import enclose
from asymp.papers.lfms.model import chain
from asymp.papers.lfms.notation import E_DELTA, MU, ORANGE_E, ORANGE_MU, RATIOS, L, i, mu1, mun, n, p, p1, power_sum, r

if TYPE_CHECKING:
    from asymp.sample.estimate import Estimate

LEVEL = 1 - 1e-9
SIZE = 10**6
"""Cycles a point."""

Test = Callable[[], list[Evidence]]

THROUGHPUT, LOSS, RESPONSE = "throughput", "throughput-loss", "mean-relative-completions"
TIME_DRAIN, TIME_FULL, DONE_DRAIN, DONE_FULL = (
    f"{what}-share-{phase}" for what in ("time", "completion") for phase in ("drain", "full")
)


@dataclass(frozen=True)
class Point:
    """Where to sample: n = 10^power, p_n an expression in n, service rates."""

    power: int
    prob: sp.Expr
    rate1: int = 1
    raten: int = 1

    @property
    def servers(self) -> int:
        """The float64 nearest to 10^power, exactly: what the sampler takes."""
        return int(float(10**self.power))

    @property
    def share(self) -> Fraction:
        """p_n as the sampler takes it: the float64 nearest, exactly."""
        return Fraction(float(sp.N(self.prob.subs(n, sp.Integer(10) ** self.power), 30)))

    @property
    def seed(self) -> int:
        """A seed of the point's own."""
        return zlib.crc32(repr(self).encode())

    def value(self, expr: sp.Expr) -> float:
        """A certified value, as a float."""
        at = {"n": self.servers, "p": self.share, "mu1": self.rate1, "mun": self.raten}
        return float(enclose(expr, at, digits=15).value)

    def __str__(self) -> str:
        return f"n = 10^{self.power}, p_n = {self.prob}, mu1 = {self.rate1}, mun = {self.raten}"


@lru_cache(maxsize=64)
def draw(point: Point) -> dict[str, Estimate]:
    """The estimates at a point."""
    from asymp.sample.regenerative import sample_saturated

    return sample_saturated(
        point.servers,
        float(point.share),
        float(point.rate1),
        float(point.raten),
        SIZE,
        seed=point.seed,
        device="cpu",
        level=LEVEL,
    )


def grid(powers: Sequence[int], probs: Sequence[sp.Expr], ratios: bool = True) -> list[Point]:
    """All combinations, with the service rates of section 9 and appendix A."""
    rates = [(int(x[mu1]), int(x[mun])) for x in RATIOS] if ratios else [(1, 1)]
    return [Point(power, prob, *pair) for prob in probs for pair in rates for power in powers]


HALF = sp.Rational(1, 2)
ALL_REGIMES = grid((8,), (n**-HALF, 1 / n, n ** (-3 * HALF), n**-2))
"""n = 10^8, one p_n in regime 1, one balanced, two in regime 3, three pairs of rates: 12 points."""


def _evidence(outcome: Outcome, detail: str, points: Sequence[Witness]) -> list[Evidence]:
    strength = Strength.NONE if outcome == Outcome.UNDECIDED else Strength.SUPPORTED
    how = f"{SIZE:,} cycles a point, intervals of level 1 - 10^-9"
    return [Evidence("sampled", outcome, strength, f"{detail} ({how})", tuple(points))]


def _witness(point: Point, name: str, low: float, high: float) -> Witness:
    at = {"n": f"1e{point.power}", "p": str(point.prob), "mu1": str(point.rate1), "mun": str(point.raten)}
    return Witness({**at, "estimate": name}, repr((low + high) / 2), f"{(high - low) / 2:.2g}")


# --- a quantity against its certified value -------------------------------------------------------


def agrees(name: str, expr: sp.Expr, points: Sequence[Point]) -> Test:
    """Every interval contains the certified value of ``expr``; one that does not refutes."""

    def test() -> list[Evidence]:
        shown, missed = _compare(name, expr, points)
        if missed:
            return _evidence(Outcome.REFUTED, f"the sampled {name} is off at {missed[0]}", shown)
        return _evidence(Outcome.HOLDS, f"the sampled {name} is the certified value at {len(points)} points", shown)

    return test


def _compare(name: str, expr: sp.Expr, points: Sequence[Point]) -> tuple[list[Witness], list[Point]]:
    shown, missed = [], []
    for point in points:
        low, high = draw(point)[name].interval
        shown.append(_witness(point, name, low, high))
        if not low <= point.value(expr) <= high:
            missed.append(point)
    return shown, missed


def approaches(name: str, expr: sp.Expr, limit: float, points: Sequence[Point]) -> Test:
    """Every interval contains the certified value, and the distance to the limit falls as n grows.

    ``points`` come in runs of growing n.  A distance that does not fall decides nothing: no finite n refutes
    a limit.
    """

    def test() -> list[Evidence]:
        shown, missed = _compare(name, expr, points)
        if missed:
            return _evidence(Outcome.REFUTED, f"the sampled {name} is off at {missed[0]}", shown)
        for before, after in itertools.pairwise(points):
            if after.power > before.power:
                first, second = (_distance(draw(x)[name].interval, limit) for x in (before, after))
                if not second[1] < first[0]:
                    return _evidence(Outcome.UNDECIDED, f"{name} is seen no nearer {limit:g} at {after}", shown)
        last = draw(points[-1])[name].value
        return _evidence(
            Outcome.HOLDS, f"the sampled {name} draws nearer {limit:g} as n grows, {last:.4g} at {points[-1]}", shown
        )

    return test


def _distance(interval: tuple[float, float], limit: float) -> tuple[float, float]:
    low, high = interval[0] - limit, interval[1] - limit
    if low <= 0 <= high:
        return 0.0, max(-low, high)
    return min(abs(low), abs(high)), max(abs(low), abs(high))


# --- asymptotic formulas, with their next terms ---------------------------------------------------


def formula(name: str, leading: sp.Expr, refined: sp.Expr, slack: sp.Expr, points: Sequence[Point]) -> Test:
    """``name ~ leading``: the sampled ratio is ``refined`` to within its interval and ``slack``.

    ``refined`` is the ratio with the next orders that were derived, ``slack`` the size of what they leave.
    The derived ratio itself must draw nearer 1 along each run of growing n.
    """

    def test() -> list[Evidence]:
        shown, theory = [], []
        for point in points:
            scale, target, room = point.value(leading), point.value(refined), point.value(slack)
            low, high = (end / scale for end in draw(point)[name].interval)
            shown.append(_witness(point, f"{name}, ratio to the printed formula", low, high))
            theory.append(abs(target - 1))
            if not low - room <= target <= high + room:
                return _evidence(Outcome.REFUTED, f"the ratio should be {target:.6g} +- {room:.1g} at {point}", shown)
        runs = [k for k in range(1, len(points)) if points[k].power > points[k - 1].power]
        if any(theory[k] >= theory[k - 1] for k in runs):
            return _evidence(Outcome.UNDECIDED, "the derived ratio draws no nearer 1 at these n", shown)
        value = float(shown[-1].value)
        return _evidence(
            Outcome.HOLDS,
            f"the sampled ratio is 1 and the derived next terms at {len(points)} points, {value:.4g} at {points[-1]}",
            shown,
        )

    return test


_N_POINTS = grid((8, 32, 100), (n**-HALF,))
_C_POINTS = [Point(power, c / n) for c in (sp.Integer(1), sp.Integer(3)) for power in (8, 32, 100)]
_c = n * p
_closed = L + r
_small = p + n * p * p1**n

N_THROUGHPUT = formula(THROUGHPUT, ORANGE_MU, L / _closed, (p + p1**n) / L, _N_POINTS)
"""S = L + r + O(p_n + p1^n); at p_n = n^(-1/2)."""
N_RESPONSE = formula(
    RESPONSE,
    ORANGE_E,
    1 - 2 / _closed + (r**2 + sp.pi**2 / 3) / _closed**2,
    4 * _small,
    [x for x in _N_POINTS if x.rate1 <= x.raten],
)
"""The closed form of lfms/beyond-n-dominated-response-closed.  For r = 10 the ratio is not monotone in n."""
_BALANCED_S = sp.log(1 / p) + r + sp.exp(-_c) / _c - sp.uppergamma(0, _c)
BALANCED_THROUGHPUT = formula(THROUGHPUT, ORANGE_MU, L / _BALANCED_S, sp.log(n) / n, _C_POINTS)
_next = 2 * (1 + sp.exp(-_c) / _c) / sp.log(n)
BALANCED_RESPONSE = formula(RESPONSE, ORANGE_E, 1 - _next, _next**2, _C_POINTS)
"""The next term of lfms/beyond-balanced-response; what it leaves is taken to be at most its square."""


# --- the constant of Theorem 4.3 ------------------------------------------------------------------

_log = sp.log(n) + sp.EulerGamma + r - 1
_SCALE = mu1 * n**2 * p
_CONSTANT_POINTS = [*grid((8,), (n**-2, n ** (-3 * HALF))), *grid((16,), (n ** (-3 * HALF),))]


def constant(value: sp.Expr) -> Test:
    """``(n mu1 - mu)/(mu1 n^(2-alpha)) - ln n - mu1/mun + 1`` against a constant, 0 as printed or Euler's.

    At finite n it is off by ``p_n n (ln n + gamma + r - 1)^2 (1 + o(1))``, from the next order of 1/(1 + x):
    every interval is widened by twice that.  The widened interval must contain the constant; one that
    excludes it at n = 10^8 or 10^16 speaks against it.  The loss n mu1 - mu itself must be the certified one.
    """

    def test() -> list[Evidence]:
        shown, excluded = [], []
        target = float(value)
        lost = _compare(LOSS, n * mu1 - MU, _CONSTANT_POINTS)[1]
        if lost:
            return _evidence(Outcome.UNDECIDED, f"the sampled loss is not the certified one at {lost[0]}", [])
        for point in _CONSTANT_POINTS:
            scale, known = point.value(_SCALE), point.value(sp.log(n) + r - 1)
            room = 2 * point.value(n * p * _log**2)
            low, high = (end / scale - known for end in draw(point)[LOSS].interval)
            shown.append(_witness(point, "(n mu1 - mu)/(mu1 n^(2-alpha)) - ln n - mu1/mun + 1", low, high))
            if not low - room <= target <= high + room:
                excluded.append((point, (low + high) / 2, (high - low) / 2 + room))
        if excluded:
            point, mean, half = min(excluded, key=lambda x: x[2])
            return _evidence(
                Outcome.REFUTED,
                f"the constant is {mean:.4f} +- {half:.4f}, not {target:.4f}, at {point} (and at {len(excluded)} of "
                f"{len(_CONSTANT_POINTS)} points)",
                shown,
            )
        return _evidence(
            Outcome.HOLDS, f"the constant is {target:.4f} to within its interval at {len(shown)} points", shown
        )

    return test


PRINTED_CONSTANT, EULERS_CONSTANT = constant(sp.Integer(0)), constant(sp.EulerGamma)
LEMMA_5_3 = agrees(THROUGHPUT, MU, ALL_REGIMES)
LEMMA_5_5 = agrees(RESPONSE, E_DELTA, ALL_REGIMES)

N_RUN = grid((8, 32, 100), (n**-HALF,))
BALANCED_RUN = grid((8, 32, 100), (1 / n,))
POLYNOMIAL_RUN = grid((4, 8, 16), (n**-2, n ** (-3 * HALF)))
ABOVE_RUN = grid((8, 32, 100), (1 / (n * sp.sqrt(sp.log(n))),))

_DRAINING = MU * p * power_sum(1 / (i * mu1))
"""The fraction of time in the states (1, b), 0 < b < n, by Lemma 5.2."""
_FULL = MU * p1**n / (n * mu1)
N_DRAINING = approaches(TIME_DRAIN, _DRAINING, 1, N_RUN)
N_COMPLETIONS = agrees(DONE_DRAIN, p1 - p1**n, N_RUN)
BALANCED_DRAINING = approaches(TIME_DRAIN, _DRAINING, 1, BALANCED_RUN)
BALANCED_COMPLETIONS = agrees(DONE_DRAIN, p1 - p1**n, BALANCED_RUN)
POLYNOMIAL_FULL = approaches(TIME_FULL, _FULL, 1, POLYNOMIAL_RUN)
POLYNOMIAL_COMPLETIONS = agrees(DONE_FULL, p1**n, POLYNOMIAL_RUN)
ABOVE_FULL = approaches(TIME_FULL, _FULL, 0, ABOVE_RUN)


POLYNOMIAL_RESPONSE = formula(
    RESPONSE,
    n**2 * p * sp.log(n) ** 2 / 2,
    (_log**2 + r**2 + sp.pi**2 / 6) / sp.log(n) ** 2,
    4 * n * p * _log * (_log / sp.log(n)) ** 2,
    grid((8, 16, 32), (n**-2, n ** (-3 * HALF))),
)
"""The next orders of lfms/beyond-polynomial-response; what they leave is of relative size n p_n ln n."""


# --- equation (2) ---------------------------------------------------------------------------------

_OPEN = (8, Fraction(1, 8), 1, 2)
"""n, p_n, mu1, mun."""
_LOADS = (0.8, 0.9)
_ARRIVALS = 2 * 10**6


def open_queue() -> list[Evidence]:
    """The open queue, event by event, against the matrix-geometric solution; and the saturated one.

    What is extrapolated to equation (2)'s limit is thus E[Q](1 - rho) of the rules themselves; the right side,
    E[Delta(Y_d)], is sampled too.
    """
    from asymp.queues.open_queue import scaled_mean_queue
    from asymp.sample.events import simulate_open
    from asymp.sample.regenerative import System, sample_saturated

    size, prob, rate1, raten = _OPEN
    system, exact = System(size, float(prob), rate1, raten), chain(*_OPEN)
    shown, missed = [], []
    for seed, rho in enumerate(_LOADS, start=1):
        rate = rho * float(exact.throughput)
        low, high = ((1 - rho) * x for x in simulate_open(system, rate, _ARRIVALS, seed, LEVEL).interval)
        at = {"n": str(size), "p": str(prob), "mu1": str(rate1), "mun": str(raten), "rho": str(rho)}
        shown.append(Witness(at, repr((low + high) / 2), f"{(high - low) / 2:.2g}"))
        if not low <= float(scaled_mean_queue(*_OPEN, str(rho))) <= high:
            missed.append(f"E[Q](1 - rho) at rho = {rho}")
    found = sample_saturated(size, float(prob), rate1, raten, SIZE, seed=3, device="cpu", level=LEVEL)[RESPONSE]
    if not found.interval[0] <= float(exact.mean_relative_completions) <= found.interval[1]:
        missed.append("E[Delta(Y_d)]")
    detail = f"{_ARRIVALS:.0e} arrivals at rho = 0.8 and 0.9, n = 8, and 10^6 saturated cycles: "
    detail += f"off: {missed[0]}" if missed else "the solved open queue and E[Delta(Y_d)] lie in the sampled intervals"
    outcome = Outcome.REFUTED if missed else Outcome.HOLDS
    return [Evidence("sampled", outcome, Strength.SUPPORTED, detail, tuple(shown))]


_SOLVED = ((2, "1/2", 1, 1), (2, "1/5", 10, 1), (3, "1/3", 1, 1), (3, "1/5", 1, 10))
"""n, p_n, mu1, mun."""


def heavy_traffic() -> list[Evidence]:
    """The open queue solved (matrix-geometric) at loads nearer and nearer 1, extrapolated, against E[Delta(Y_d)] + 1."""
    from asymp.papers.lfms.model import mean_relative_completions
    from asymp.queues.open_queue import heavy_traffic_limit
    from asymp.queues.rules import one_and_n_rules

    shown, worst, good = [], 0.0, True
    for size, prob, rate1, raten in _SOLVED:
        limit, error = heavy_traffic_limit(one_and_n_rules(size, prob, rate1, raten), digits=30, steps=9)
        exact = mean_relative_completions(size, Fraction(prob), rate1, raten) + 1
        gap = abs(float(limit - exact))
        worst, good = max(worst, gap), good and gap <= max(1e-6, 100 * float(error))
        at = {"n": str(size), "p": prob, "mu1": str(rate1), "mun": str(raten)}
        shown.append(Witness(at, f"{float(limit):.15g}", f"{float(error):.1e}"))
    said = f"agree with E[Delta(Y_d)] + 1 to {worst:.1e}" if good else f"differ from E[Delta(Y_d)] + 1 by {worst:.1e}"
    outcome = Outcome.HOLDS if good else Outcome.REFUTED
    detail = f"heavy-traffic limits of the open queue {said}"
    return [Evidence("enclosed", outcome, Strength.SUPPORTED, detail, tuple(shown))]
