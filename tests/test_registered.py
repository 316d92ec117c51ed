"""The registered papers as they are read: all their claims.  Reading them takes a while: what needs all of them stands here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asymp import registry
from asymp.claim import Bound, Claim, Composite, Identity, Outcome, Relation
from asymp.export.formula import maths
from asymp.export.latex import claim_latex
from asymp.language.conditions import Between, Listed
from asymp.language.statement import read_statement


def test_every_registered_paper_loads():
    assert registry.papers(), "install the package: its papers are found through entry points"
    for paper in registry.papers().values():
        assert paper.title
        assert paper.claims()


def bare(text: str) -> str:
    """Without spaces, marks of formulas, and the ways in which numbers are set beside equations."""
    text = re.sub(r"\\tag\{(\d+)\}", r"(\1)", text)
    return re.sub(r"\s|\$|\\quad|&|\\\\|\\,", "", text)


@pytest.mark.parametrize("key", sorted(registry.papers()))
def test_the_quotes_of_registered_papers_stand_in_their_text(key):
    data = registry.paper(key).data
    text = Path(__file__).parents[2] / "shared" / "papers" / (data.text if data else "")
    if data is None or not data.text or not text.is_file():
        pytest.skip("the paper's text is not here")
    whole = bare(text.read_text(encoding="utf-8"))
    missing = [
        claim.id
        for claim in data.claims
        if claim.as_printed and not all(bare(part) in whole for part in claim.source.quote.split(" ... "))
    ]
    assert missing == []


@pytest.mark.parametrize("key", registry.papers())
def test_every_formula_of_a_paper_compiles_and_is_of_a_bearable_length(key):
    long = []
    for claim in registry.claims(key):
        made = claim_latex(claim)
        if made.startswith(r"\text{"):
            continue
        assert maths(made), claim.id
        if len(made) > 1000 and not isinstance(claim.relation, Identity):
            long.append(claim.id)
    assert len(long) <= 0.02 * len(registry.claims(key)), long


# --- no printed claim on a grid slips in that the paper makes for all ---------------------------------

FIGURE = "of a figure or a table of the paper, whose points these are"
AS_GIVEN = "the paper gives these values"
EXISTS = "the paper says that it can be, of which an instance is enough"
NOT_NARROWED = {
    "lfms/figure-2-throughput-apparent": FIGURE,
    "lfms/figure-2-response-apparent": FIGURE,
    "lfms/figure-3-throughput-apparent": FIGURE,
    "lfms/figure-3-response-apparent": FIGURE,
    "lfms/figure-2-throughput-green-apparent": FIGURE,
    "lfms/figure-2-response-green-apparent": FIGURE,
    "lfms/figure-3-throughput-green-apparent": FIGURE,
    "lfms/figure-3-response-green-apparent": FIGURE,
    "lfms/figure-4-throughput-apparent": FIGURE,
    "lfms/figure-5-throughput-apparent": FIGURE,
    "lfms/figure-6-throughput-apparent": FIGURE,
    "lfms/figure-7-throughput-apparent": FIGURE,
    "lfms/figure-8-throughput-apparent": FIGURE,
    "lfms/figure-8-response-apparent": FIGURE,
    "lfms/figure-9-throughput-apparent": FIGURE,
    "lfms/figure-9-response-apparent": FIGURE,
    "lfms/appendix-a-n-server-time-small-n": FIGURE,
    "lfms/figure-5-throughput-slower": FIGURE,
    "lfms/appendix-a-n-server-time-raised": FIGURE,
    "lfms/figure-6-response-tighter": FIGURE,
    "lfms/figure-7-response-looser": FIGURE,
    "lfms/figure-8-throughput-tighter": FIGURE,
    "lfms/figure-9-throughput-tighter": FIGURE,
    "lfms/figure-10-throughput-tighter": FIGURE,
    "mjsre/section-4.1-blocking": EXISTS,
    "mjsre/section-7.4-backward-covers": FIGURE,
    "mjsre/section-7.4-forward-misses": AS_GIVEN,
    "mjsre/section-7.4-backward-underestimates": FIGURE,
    "mjsre/section-7.4-forward-signs": FIGURE,
    "mjsre/section-7.4-widths": FIGURE,
    "mjsre/section-7.4-misleading": AS_GIVEN,
    "mjsre/table-2-phases": FIGURE,
    "mjsre/table-2-variance-hyperexponential": FIGURE,
    "mjsre/table-2-bounds": FIGURE,
    "mjsre/table-2-variance-pareto": FIGURE,
    "mjsre/section-8.2-cv-pareto-class": AS_GIVEN,
    "twoclass/figure-3-ratio": FIGURE,
    "twoclass/figure-3-demand": FIGURE,
    "twoclass/figure-3-naive": FIGURE,
    "twoclass/figure-3-gap": FIGURE,
    "twoclass/section-3.2-states": AS_GIVEN,
}


def finite(relation: Relation) -> bool:
    if isinstance(relation, Composite):
        return relation.complete and all(finite(member.relation) for member in relation.members)
    return isinstance(relation, (Bound, Identity)) and relation.domain.complete and len(relation.domain.grid) > 1


def on_a_list(claim: Claim) -> bool:
    """Whether it is made for listed values: a finite domain, or a parameter with a few values."""
    listed = claim.closed and any(isinstance(c, (Listed, Between)) for c in read_statement(claim.closed).conditions())
    return bool(listed) or finite(claim.relation)


def test_a_printed_claim_on_a_grid_says_what_it_leaves_out():
    """One that is expected refuted needs not: an instance refutes what is said for all."""
    printed = [c for c in registry.claims() if c.as_printed and c.source.quote and c.expected is Outcome.HOLDS]
    silent = {claim.id for claim in printed if on_a_list(claim) and not claim.narrowed}
    assert silent == set(NOT_NARROWED)
