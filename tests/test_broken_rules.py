"""A bug of the kernel ends a run loudly: exit status 3, and never a verdict."""

from __future__ import annotations

import json

import pytest

from asymp.check import theorems
from asymp.check.judge import check
from asymp.claim import Evidence, Outcome, Strength, Verdict
from asymp.cli import main
from asymp.kernel.theorem import Broken
from asymp.parse import claim

TOML = """
paper.key = "me"
[claim."lemma-1"]
quote = "x + 1 > x"
says = "x + 1 > x for x > 0"
"""


@pytest.fixture
def broken_rule(monkeypatch):
    from asymp.kernel.theorem import RULES

    def breaks(premises, data):
        raise TypeError("a rule that was written wrongly")

    for name in RULES:
        monkeypatch.setitem(RULES, name, breaks)


def test_a_rule_that_breaks_is_no_missing_theorem(broken_rule):
    with pytest.raises(Broken):
        check(claim("me/x", "x + 1 > x for x > 0", source="me, 1"))


def test_a_certified_value_against_a_theorem_is_a_bug():
    made = claim("me/x", "x + 2 > x for x > 0", source="me, 1")
    against = Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, "fails at x = 1")
    derived = Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, "by signs")
    with pytest.raises(Broken, match="contradicted by a certified value"):
        theorems.settled(Verdict(made, Outcome.UNDECIDED, Strength.NONE, (against, derived)))


def test_check_ends_with_status_3(broken_rule, tmp_path, monkeypatch, capfd):
    """The workers are copies of this process, made after the rules are broken."""
    (tmp_path / "me.toml").write_text(TOML)
    record = tmp_path / "record.json"
    assert main(["check", str(tmp_path / "me.toml"), "--json", str(record), "--jobs", "1"]) == 3
    assert "bug of the rule" in capfd.readouterr().err
    (entry,) = json.loads(record.read_text())["claims"]
    assert entry["outcome"] == "undecided"
