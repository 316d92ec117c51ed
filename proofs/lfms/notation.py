"""The paper's notation, and how its statements are registered.

The quantities have one definition each, that of :mod:`asymp.queues.one_and_n`: the throughput mu of
Lemma 5.3 and E[Delta(Y_d)] of Lemma 5.5.  ``p`` is the paper's p_n and ``p1 = 1 - p``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from asymp.claim import Claim, Domain, Evidence, Outcome, Relation, Source, Step
from asymp.expand import expand
from asymp.queues.one_and_n import mean_relative_completions_formula, throughput_formula
from asymp.queues.saturated import Saturated, one_and_n
from asymp.scale import Regime
from proofs.lfms.regimes import mu1, mun, n, p

KEY = "lfms"

i = sp.Symbol("i", integer=True, positive=True)
"""A running index; b, the paper's other one, is the same thing."""
t = sp.Symbol("t", positive=True)
"""A variable of integration."""
mu = sp.Symbol("mu", positive=True)
"""Stands for the throughput in identities that hold whatever it is."""

p1 = 1 - p
r = mu1 / mun
L = sp.log(1 / p)
MU = throughput_formula()
"""mu of Lemma 5.3."""
E_DELTA = mean_relative_completions_formula()
"""E[Delta(Y_d)] of Lemma 5.5 with mu of Lemma 5.3."""
ORANGE_MU, ORANGE_E = mu1 / (p * L), 1 / (2 * p)
"""The asymptotic formulas of Theorems 4.1 and 4.2, orange in the figures."""


def power_sum(weight: sp.Expr, lower: sp.Expr | int = 1, upper: sp.Expr = n - 1) -> sp.Sum:
    """``sum of p1^i weight(i)``, i from lower to upper."""
    return sp.Sum(p1**i * weight, (i, lower, upper))


def power_integral(weight: sp.Expr, lower: sp.Expr | int = 1, upper: sp.Expr = sp.oo) -> sp.Integral:
    """``integral of p1^t weight(t) dt``."""
    return sp.Integral(p1**t * weight, (t, lower, upper))


H_i = sp.harmonic(i)


def last_term(m: sp.Expr) -> sp.Expr:
    """The term of state n in Lemma 5.5, (11), (22), (28), (32), with throughput ``m``."""
    return p1**n * (1 - m / (n * mu1)) * last_factor(m)


def last_factor(m: sp.Expr) -> sp.Expr:
    """The rightmost parenthesis of it."""
    return n - 1 + 1 / p - m / mu1 * sp.harmonic(n - 1) - m / (n * p * mu1)


def inner_term(m: sp.Expr) -> sp.Expr:
    """The summand of Lemma 5.5, at i."""
    return p1**i * p * (1 - m / (i * mu1)) * (i - m / mu1 * H_i)


def five_terms(m: sp.Expr, upper: sp.Expr = n - 1) -> tuple[sp.Expr, ...]:
    """The terms (22)-(26) and (32)-(36); from the second on, with upper = oo, (14)-(17)."""
    return (
        last_term(m),
        p * power_sum(i, 1, upper),
        -m * p / mu1 * power_sum(sp.Integer(1), 1, upper),
        -m * p / mu1 * power_sum(H_i, 1, upper),
        m**2 * p / mu1**2 * power_sum(H_i / i, 1, upper),
    )


# --- the exact chain --------------------------------------------------------------------------

RATES = ((1, 1), (10, 1), (1, 10), (Fraction(2, 3), Fraction(5, 2)))
CHAIN_GRID = tuple(
    {"n": size, "p": prob, "mu1": rate1, "mun": raten}
    for size in range(2, 8)
    for prob in (Fraction(1, 2), Fraction(1, 10), Fraction(6, 7))
    for rate1, raten in RATES
)
"""Where statements about the saturated chain are tried: n = 2..7, three p, four pairs of rates."""
CHAIN = Domain("n >= 2 servers, 0 < p_n < 1, mu1 > 0, mun > 0", CHAIN_GRID)
CHAIN_ONE = Domain(
    "n >= 1 servers, 0 < p_n < 1, mu1 > 0, mun > 0",
    tuple({**point, "n": 1} for point in CHAIN_GRID if point["n"] == 2) + CHAIN_GRID,
)


@lru_cache(maxsize=256)
def chain(n: int, p: Fraction, mu1: Any, mun: Any) -> Saturated[tuple[int, int]]:
    """The saturated system, solved exactly."""
    return one_and_n(n, p, mu1, mun)


def require_vanishing(expr: sp.Expr, variable: sp.Symbol) -> None:
    """``expr -> 0`` as the variable tends to infinity, derived by the engine.

    Raises:
        ValueError: it is not derived, or the limit is another.
    """
    growth, _ = expand(expr, Regime.single(variable), 2).leading()
    if growth.limit() != "zero":
        raise ValueError(f"{expr} does not vanish as {variable} -> oo")


def zero_steps(residuals: Callable[[], Sequence[tuple[str, sp.Expr]]]) -> Callable[[], list[Step]]:
    """A proof from residuals that must all be 0."""

    def proof() -> list[Step]:
        found = residuals()
        bad = [(name, value) for name, value in found if value != 0]
        if bad or not found:
            raise ValueError(f"residual {bad[0] if bad else 'missing'}")
        return [Step(f"{name}: residual 0 for symbolic n", "0 = 0") for name, _ in found]

    return proof


# --- registering ------------------------------------------------------------------------------


def claim(slug: str, locator: str, relation: Relation, statement: str, **more: Any) -> Claim:
    """A statement of the paper; ``quote`` among the keywords goes to the source."""
    quote = more.pop("quote", "")
    return Claim(f"{KEY}/{slug}", Source(KEY, locator, quote), relation, statement, **more)


def beyond(slug: str, locator: str, relation: Relation, statement: str, **more: Any) -> Claim:
    """A statement that the paper does not make."""
    return claim(slug, locator, relation, statement, as_printed=False, **more)


def erratum(
    slug: str,
    locator: str,
    printed: tuple[Relation, str],
    corrected: tuple[Relation, str],
    *,
    regime: Regime | None = None,
    corrected_regime: Regime | None = None,
    note: str = "",
    corrected_note: str = "",
    refuting: tuple[Mapping[str, Any], ...] = (),
    sampled: Callable[[], Sequence[Evidence]] | None = None,
    corrected_sampled: Callable[[], Sequence[Evidence]] | None = None,
) -> list[Claim]:
    """A statement that fails, as printed, and the corrected one, linked both ways."""
    return [
        claim(
            slug,
            locator,
            *printed,
            regime=regime,
            expected=Outcome.REFUTED,
            correction=f"{KEY}/{slug}-corrected",
            note=note,
            refuting=refuting,
            sampled=sampled,
        ),
        beyond(
            f"{slug}-corrected",
            locator,
            *corrected,
            regime=corrected_regime or regime,
            corrects=f"{KEY}/{slug}",
            note=corrected_note,
            sampled=corrected_sampled,
        ),
    ]
