"""Grosof, Harchol-Balter and Scheller-Wolf, *Stability for Two-class Multiserver-job Systems* (2020).

``claims.toml`` has the claims, in the paper's order and notation; ``model`` the saturated system, built from the rules of
section 1.2 by branching on what enters from the queue, and ``classes`` several classes (sections 8 and 10); ``samples`` what
enclosures and the sampler say of response times and of three classes; ``plots`` the figures, ``pictured`` those of data and states, ``curves`` their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asymp.export.plot import Figure


def figures() -> dict[str, Figure]:
    """Figures 1 to 8, and two of ours: many servers, and a planner's map."""
    from asymp.papers.twoclass import plots

    return plots.figures()
