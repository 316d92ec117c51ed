"""`asymp errata`: a letter to the authors, what fails as printed in order of importance."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from asymp.check import check
from asymp.export.errata import KINDS, errata, latex, text
from asymp.export.record import verdict_record
from asymp.paper import read_claims

PAPER = r"""
paper.key = "demo"
paper.title = "On sums & $5 bills"
variables.n = "whole, >= 1"
claim.section-2-words.says = "n < n"
claim.section-2-words.quote = 'is less, by 5% \input{/etc/passwd} $'
claim.section-2-words.expected = "refuted"
claim.lemma-1.says = "n^2 >= n"
claim.lemma-1-proof-step.says = "n^2 > n"
claim.lemma-1-proof-step.quote = '$$n^2 > n \tag{3}$$'
claim.lemma-1-proof-step.corrected = "n^2 >= n"
claim.lemma-1-proof-step.why = "at n = 1 both are 1"
claim.equation-4.says = "n + 1 = n"
claim.equation-4.expected = "refuted"
claim.equation-4.used = "lemma-1, theorem-1"
claim.theorem-1.says = "Sum(k, (k, 1, n)) = n^2/2"
claim.theorem-1.corrected = "Sum(k, (k, 1, n)) = n*(n + 1)/2"
claim.theorem-1-again.says = "2*Sum(k, (k, 1, n)) = n^2"
claim.theorem-1-again.expected = "refuted"
claim.theorem-1-again.quote = "$2 \\sum k = n^2$"
claim.theorem-1-twice.says = "3*Sum(k, (k, 1, n)) = 3*n^2/2"
claim.theorem-1-twice.expected = "refuted"
claim.theorem-1-twice.quote = "$2 \\sum k = n^2$"
claim.ours.says = "n > n + 1"
claim.ours.place = "Section 3"
claim.ours.ours = true
claim.ours.expected = "refuted"
"""


@pytest.fixture(scope="module")
def entries():
    return [verdict_record(check(claim)) for claim in read_claims(PAPER, "demo.toml").claims]


def test_what_matters_most_stands_first(entries):
    found = errata(entries)
    assert [(one.kind, [entry["id"] for entry in one.entries]) for one in found] == [
        (0, ["demo/theorem-1"]),
        (0, ["demo/theorem-1-again", "demo/theorem-1-twice"]),  # of one quote
        (1, ["demo/equation-4"]),
        (2, ["demo/lemma-1-proof-step"]),
        (4, ["demo/section-2-words"]),
    ]
    assert errata(entries[::-1])[0].kind == 0


def test_what_is_ours_or_holds_is_no_erratum(entries):
    assert not any(entry["id"] in ("demo/ours", "demo/lemma-1") for one in errata(entries) for entry in one.entries)


def test_what_rests_on_it_is_named_with_its_verdict(entries):
    by_id = {one.entries[0]["id"]: one for one in errata(entries)}
    assert [entry["id"] for entry in by_id["demo/lemma-1-proof-step"].resting] == ["demo/lemma-1"]
    assert [entry["id"] for entry in by_id["demo/equation-4"].resting] == ["demo/lemma-1", "demo/theorem-1"]
    said = " ".join(text("T", entries, "0", 9).split())
    assert "Lemma 1 (demo/lemma-1), which holds, proved; Theorem 1 (demo/theorem-1), which is refuted, proved" in said


def test_the_letter_has_the_words_the_reason_and_the_correction(entries):
    said = text("T", entries, "0", 9)
    assert "Of 9 statements of the paper, 6 fail as printed, in 5 places" in said
    for piece in (KINDS[0], KINDS[4], "at n = 1 both are 1", "fails at n = 1", "n^2 >= n for whole n >= 1 (holds, proved)"):
        assert piece in said


def test_a_claim_of_which_nothing_is_known_cannot_be_used():
    broken = PAPER.replace("lemma-1, theorem-1", "lemma-9")
    claim = next(c for c in read_claims(broken, "demo.toml").claims if c.id == "demo/equation-4")
    assert "lemma-9" in claim.relation.reason


def test_the_document_sets_what_is_safe_and_compiles(entries, tmp_path):
    source = latex("On sums & $5 bills", entries, "0", 9)
    assert r"\input{/etc" not in source and r"\fitmath{n^2 > n}" in source
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    (tmp_path / "letter.tex").write_text(source)
    run = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "letter.tex"]
    assert subprocess.run(run, cwd=tmp_path, capture_output=True, timeout=120).returncode == 0


def test_the_command(tmp_path):
    file, record = tmp_path / "demo.toml", tmp_path / "record.json"
    file.write_text(PAPER)
    run = [sys.executable, "-m", "asymp"]
    subprocess.run([*run, "check", str(file), "--quiet", "--json", str(record)], timeout=120, capture_output=True)
    checked = subprocess.run([*run, "errata", str(file), "-q"], timeout=120, capture_output=True, text=True)
    read = subprocess.run([*run, "errata", "--from", str(record), "-q"], timeout=120, capture_output=True, text=True)
    assert checked.returncode == read.returncode == 0
    assert checked.stdout.splitlines()[2:] == read.stdout.splitlines()[2:] and "Theorem 1" in checked.stdout
    data = subprocess.run([*run, "errata", "--from", str(record), "--json"], timeout=120, capture_output=True, text=True)
    assert [one["claims"][0] for one in json.loads(data.stdout)["errata"]][:1] == ["demo/theorem-1"]
    assert subprocess.run([*run, "errata", "nobody"], timeout=120, capture_output=True).returncode == 2
