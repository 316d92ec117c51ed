"""What says less than its quote says so: no printed claim on a grid slips in that the paper makes for all."""

import pytest

from asymp import registry
from asymp.claim import Bound, Claim, Composite, Identity, Outcome, Relation, Source, Strength, Verdict
from asymp.export import record, table
from asymp.language.conditions import Between, Listed
from asymp.language.statement import read_statement
from asymp.paper import read_claims
from asymp.paper.valid import validate

FIGURE = "of a figure or a table of the paper, whose points these are"
AS_GIVEN = "the paper gives these values"
EXISTS = "the paper says that it can be, of which an instance is enough"
NOT_NARROWED = {
    "ilb/section-4.1-optimal-in-the-limit-only": EXISTS,
    "ilb/theorem-7-overload": EXISTS,
    "ilb/figure-4-reduction": AS_GIVEN,
    "ilb/section-5.4-singularity": AS_GIVEN,
    "lfms/figure-2-throughput-apparent": FIGURE,
    "lfms/figure-2-response-apparent": FIGURE,
    "lfms/figure-3-throughput-apparent": FIGURE,
    "lfms/figure-3-response-apparent": FIGURE,
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


TOML = '[paper]\nkey = "a"\n[claim."lemma-1"]\nsays = "n >= 1"\nfor = "n in 1..3"\n'


@pytest.mark.parametrize(("more", "wrong"), [
    ('quote = "n"\nnarrowed = "n up to 3"\n', ""),
    ('quote = "n"\nnarrowed = " "\n', "narrowed = "),
    ('narrowed = "n up to 3"\n', "beside its quote"),
    ('quote = "n"\nours = true\nnarrowed = "n up to 3"\n', "beside its quote"),
])  # fmt: skip
def test_narrowed_stands_beside_a_quote(more, wrong):
    (claim,) = read_claims(TOML + more, "a.toml").claims
    assert wrong in getattr(claim.relation, "reason", "") and bool(wrong) == hasattr(claim.relation, "reason")


def test_narrowed_by_code_stands_beside_a_quote():
    made = Claim("a/b", Source("a", "Lemma 1"), Relation(), "n >= 1", narrowed="n up to 3")
    assert validate([made]) and not validate([Claim("a/b", Source("a", "L", "n"), Relation(), "n", narrowed="n up to 3")])


def test_what_is_narrowed_is_shown_and_never_counts_as_proved():
    claim = Claim("a/b", Source("a", "Lemma 1", "for all n"), Relation(), "n >= 1", narrowed="n up to 3")
    verdict = Verdict(claim, Outcome.HOLDS, Strength.CERTIFIED, ())
    entry = record.verdict_record(verdict)
    summary = record.summary([entry], 0.0)
    assert (entry["reading"], entry["narrowed"]) == ("narrowed", "n up to 3")
    assert (summary["certified"], summary["narrowed"], summary["holds"]) == (0, 1, 1)
    assert table.row(verdict, (5, 7)).startswith("~") and table.row(verdict, (5, 7)).endswith("narrowed")
    assert "1 narrowed" in table.summary_line(summary) and "n up to 3" in table.explanation(verdict)
