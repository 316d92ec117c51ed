"""Section 9: the proofs, step by step; see :mod:`asymp.papers.mjsre.section4_steps`."""

from __future__ import annotations

import sympy as sp

from asymp.claim import Evidence, Outcome
from asymp.papers.mjsre.notation import certified

start, later = sp.symbols("h h'", real=True)
"""W-hat, and that of a larger workload."""


def task_graph() -> list[Evidence]:
    """Nothing to decide."""
    return certified(Outcome.UNDECIDED, "neither the task graph model nor how it is embedded is defined in the paper")
