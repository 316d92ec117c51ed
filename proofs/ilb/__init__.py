"""Jonckheere and Prabhu, *Asymptotics of Insensitive Load Balancing and Blocking Phases* (2016).

``claims.toml`` has the claims, in the paper's order and notation; ``model`` the farm of processor-sharing servers, built from
the routing rule and the generators of sections 2, 3 and 6, solved exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asymp.export.plot import Figure


def figures() -> dict[str, Figure]:
    """Figures 1 to 4, and four of ours: the critical window, the phases, their formulas' errors, other policies."""
    from asymp.papers.ilb import plots

    return plots.figures()
