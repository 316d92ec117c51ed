"""The golden record of the papers, read once for all tests that look something up in it; they change nothing of it.

That each closed statement is the one that its file of claims has today is a test of its own (``test_golden.py``).
"""

from __future__ import annotations

from benchmarks import golden

PAPERS = golden.read("papers")


def closed(paper: str) -> dict[str, str | None]:
    """The closed statements of a paper's claims by id, in the paper's order; None of what has none."""
    from asymp import registry

    return {claim_id: PAPERS[claim_id].get("closed") for claim_id in registry.paper(paper).ids()}
