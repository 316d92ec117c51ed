"""Job parallelism over d processor-sharing servers: a mean-field analysis.

``claims.toml`` has the claims, in the paper's order and notation; ``model`` exact numbers of the mean-field model, and of the
steps of the proofs on small systems; ``transient`` the transient equations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asymp.export.plot import Figure


def figures() -> dict[str, Figure]:
    """Figures 1 to 6, and what they do not show."""
    from asymp.papers.parallelps import plots

    return plots.figures()
