"""Baccelli, Olliaro, Ajmone Marsan and Marin, *The Multiserver-Job Stochastic Recurrence Equation*.

In full: *... for Cloud Computing Performance Evaluation*.  ``claims.toml`` has the claims, in the paper's order and
notation; ``model`` the functions that they call; ``section4_steps`` and ``section9_steps`` arguments; ``samples`` what
simulation says, which is kept in ``kept`` (``asymp check mjsre --full`` draws it again); ``plots`` the figures.

The queue itself is in the language: ``last`` and ``free_at`` are the start of the job ahead and the times from which servers are
free, as it is played from any job on; ``enters`` is a start, and ``Fmn`` what a job finds.  That ``Fmn`` obeys (2) is a theorem
(equation-2), so that what is said of the recurrence ``Wmn`` is of the queue (theorem-4.2-recurrence).

What is printed but cannot be confronted with anything is not registered: execution times in seconds (sections 7.3.1 and
7.5, the last columns of Table 1), which are those of the authors' machine; the third row of Table 3 and Figure 7(b), whose
17 classes are printed as an image (Figure 7(a)) and are not the 26 of the public file for the same cell; the curves of
figures 2 to 6 themselves, which are images: what the text says of them is registered.  Nor is that F-MJSRE with four
times as many jobs still misses the exact wait at 0.9 of the threshold (section 7.4): what it misses is a few per cent, which
takes some 10^9 jobs to see at the level asked here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asymp.export.plot import Figure


def figures() -> dict[str, Figure]:
    """Figures 2 to 7, as far as their data exist."""
    from asymp.papers.mjsre import plots

    return plots.figures()
