"""Grosof and Ayhan, *Multiserver-job Response Time under Multilevel Scaling* (2025).

``claims.toml`` has the claims, in the paper's order and notation; ``model`` the chain; ``samples`` what simulation says;
``plots`` the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asymp.export.plot import Figure


def figures() -> dict[str, Figure]:
    """Figures 2 to 10, exact over asymptotic out to n = 10^1000, and what goes beyond the paper."""
    from asymp.papers.lfms import plots

    return plots.figures()
