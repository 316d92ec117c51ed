"""What says less than its quote says so; that the claims of the papers do is in ``test_registered.py``."""

import pytest

from asymp.claim import Claim, Outcome, Relation, Source, Strength, Verdict
from asymp.export import record, table
from asymp.paper import read_claims
from asymp.paper.valid import validate

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
    row = table.row(verdict, (5, 7))
    assert row.startswith("~") and "  narrowed  " in row and "certified" not in row
    assert "1 narrowed" in table.summary_line(summary) and "n up to 3" in table.explanation(verdict)
