"""Grosof and Ayhan, *Multiserver-job Response Time under Multilevel Scaling* (2025).

One module a section, in the paper's order and notation; ``beyond`` holds what goes further.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import sympy as sp

from asymp.claim import Claim, Quantity, Source

if TYPE_CHECKING:
    from asymp.export.plot import Figure

TITLE = "Multiserver-job Response Time under Multilevel Scaling (Grosof and Ayhan, 2025)"


@cache
def claims() -> tuple[Claim, ...]:
    """Every statement of the paper, in its order, then what goes beyond it."""
    from proofs.lfms import (
        appendix_a,
        beyond,
        section3,
        section4,
        section5,
        section6,
        section6_theorem,
        section7,
        section8,
        section8_theorem,
        section9,
    )

    modules = (section3, section4, section5, section6, section6_theorem, section7)
    modules += (section8, section8_theorem, section9, appendix_a, beyond)
    return tuple(item for module in modules for item in module.claims())


@cache
def names() -> dict[sp.Expr, sp.Symbol]:
    """The paper's names for the two quantities, and its sign for the rate of n-server jobs."""
    from proofs.lfms.notation import E_DELTA, MU
    from proofs.lfms.regimes import mun

    return {E_DELTA: sp.Symbol(r"E[\Delta(Y_{d})]"), MU: sp.Symbol("mu"), mun: sp.Symbol("mu_n")}


def quantities() -> tuple[Quantity, ...]:
    """The throughput and the mean relative completions, from the formulas of Lemmas 5.3 and 5.5."""
    from proofs.lfms.notation import E_DELTA, MU
    from proofs.lfms.regimes import alpha, c, n

    parameters = {
        "n": ("an integer >= 1", lambda value: isinstance(value, int) and value >= 1),
        "p": ("strictly between 0 and 1", lambda value: bool(0 < value) and bool(value < 1)),
        "mu1": ("positive", lambda value: bool(value > 0)),
        "mun": ("positive", lambda value: bool(value > 0)),
    }
    alternatives = {"p": {"alpha": n**-alpha, "c": c / n}}
    return (
        Quantity(
            "lfms/throughput",
            MU,
            parameters,
            alternatives,
            "mu, completions per unit of time of the saturated 1-and-n system",
            Source("lfms", "Lemma 5.3"),
        ),
        Quantity(
            "lfms/mean-relative-completions",
            E_DELTA,
            parameters,
            alternatives,
            "E[Delta(Y_d)], the heavy-traffic limit of E[Q(1-rho)] less 1 (jobs)",
            Source("lfms", "Lemma 5.5"),
        ),
    )


def figures() -> dict[str, Figure]:
    """Figures 2 to 10, exact over asymptotic out to n = 10^1000, and what goes beyond the paper."""
    from proofs.lfms import plots

    return plots.figures()
