"""Papers as data: what a file of claims is, what is refused and where, that no code runs, and that the text is the claim."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from asymp import registry
from asymp.cas import text
from asymp.check import bounds, check
from asymp.claim import (
    Evidence,
    Outcome,
    Strength,
    Unread,
)
from asymp.cli import main
from asymp.command.checking import check_all
from asymp.command.claims import key
from asymp.export.record import claim_record, verdict_record
from asymp.paper import ClaimsError, ClaimsFile, place_of, read_claims
from asymp.parse import claim as typed
from asymp.registry import ClaimFileError, load_file

EXAMPLE = Path(__file__).parents[1] / "examples" / "queue.toml"

HEAD = """
[paper]
key = "demo"
[variables]
n = "whole, >= 1"
p = "0 < p < 1"
[names]
q = "1 - p"
"h(i)" = "Sum(q^k/k, (k, 1, i))"
[regimes]
large = "n -> oo"
[domains]
small = "n in 1..3, p in {1/2, 1/3}"
[model]
twice = "whole n"
"""


def claims_of(body: str, code=None):
    return read_claims(HEAD + body, "demo.toml", code).claims


def one(body: str, code=None):
    return claims_of('[claim."lemma-1"]\n' + body, code)[0]


# --- one text ------------------------------------------------------------------------------------


def test_the_statement_shown_is_the_statement_checked():
    claim = one('says = "h(n) <= log(1/p)"\nreading = "h is the partial sum"')
    assert claim.statement == "h(n) <= log(1/p) for whole n >= 1, 0 < p < 1"
    assert claim.where == ("h(i) = Sum(q^k/k, (k, 1, i))", "q = 1 - p")
    assert claim.closed == "Sum((1 - p)^k/k, (k, 1, n)) <= log(1/p) for whole n >= 1, 0 < p < 1"
    entry = claim_record(claim)
    assert entry["statement"] == claim.statement and entry["closed"] == claim.closed and entry["read_as"] == claim.said
    assert r"\ln" in entry["latex"] and check(claim).outcome is Outcome.HOLDS


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("q^n <= 1", "q^n <= 1/2"),  # the text
        ("0 < p < 1", "p > 0"),  # the range of a variable
        ("1 - p", "1 + p"),  # a definition
    ],
)
def test_a_changed_text_changes_the_verdict(before, after):
    body = '[claim."lemma-1"]\nsays = "q^n <= 1"\n'
    text = HEAD + body
    assert check(read_claims(text, "demo.toml").claims[0]).outcome is Outcome.HOLDS
    changed = read_claims(text.replace(before, after), "demo.toml").claims[0]
    assert check(changed).outcome is not Outcome.HOLDS


def test_a_changed_regime_changes_the_verdict():
    body = 'says = "q^n -> 0"\nto = "n -> oo, p -> 0, n*p -> oo"'
    assert check(one(body)).outcome is Outcome.HOLDS
    assert check(one(body.replace("n*p -> oo", "n*p -> 0"))).outcome is Outcome.REFUTED


def test_a_grid_lies_in_its_domain():
    claim = one('says = "q^n <= 1/2"\nfor = "n*p >= 1"\nat = "n in {2, 3}, p in {1/2, 1/3}"')
    assert isinstance(claim.relation, Unread) and "not in the domain" in claim.relation.reason
    claim = one('says = "q^n <= 1/2"\nfor = "n*p >= 1"\nat = "n in {3, 4}, p in {1/2, 1/3}"')
    assert check(claim).outcome is Outcome.HOLDS


def test_a_finite_domain_is_certified_by_its_points_and_a_universal_one_is_not():
    assert str(check(one('says = "q^n <= 9/10"\nfor = "small"')).strength) in ("certified", "proved")
    claim = one('says = "Sum(q^k, (k, 0, n)) <= 1/p"\nat = "small"')
    assert str(check(claim).strength) in ("supported", "proved")


def test_an_erratum_is_one_entry_linked_both_ways():
    printed, corrected = claims_of('[claim."lemma-1"]\nsays = "q^n > 1"\ncorrected = "q^n < 1"\nwhy = "0 < q < 1"\nquote = "as is"')
    assert (printed.correction, corrected.corrects) == (corrected.id, printed.id)
    assert (printed.expected, corrected.expected) == (Outcome.REFUTED, Outcome.HOLDS)
    assert printed.as_printed and not corrected.as_printed and corrected.source.locator == "Lemma 1"
    assert (printed.source.quote, corrected.source.quote) == ("as is", "")
    assert [check(claim).outcome for claim in (printed, corrected)] == [Outcome.REFUTED, Outcome.HOLDS]


@pytest.mark.parametrize(
    ("slug", "place"),
    [("theorem-4.1", "Theorem 4.1"), ("equation-20-error", "Equation (20)"), ("theorem-8.1-item-1", "Theorem 8.1 item 1"),
     ("appendix-a-strict", "Appendix A"), ("lemmas-1", ""), ("theorem-x", ""), ("section-9.1", "Section 9.1")],
)  # fmt: skip
def test_the_place_is_told_from_the_name(slug, place):
    assert place_of(slug) == place


# --- code --------------------------------------------------------------------------------------------


def test_no_code_runs_unless_it_is_trusted(tmp_path, capfd):
    ran = tmp_path / "ran"
    (tmp_path / "model.py").write_text(f"open({str(ran)!r}, 'w').close()\ndef twice(n):\n    return 2*n\n")
    file = tmp_path / "demo.toml"
    file.write_text(HEAD + '[claim."lemma-1"]\nsays = "twice(n) = 2*n"\nfor = "n in 1..3"\n[claim."lemma-2"]\nsays = "q < 1"\n')
    found = {claim.id: check(claim) for claim in load_file(file)}
    assert found["demo/lemma-1"].outcome is Outcome.UNDECIDED and "--trust-code" in found["demo/lemma-1"].reason
    assert found["demo/lemma-2"].outcome is Outcome.HOLDS and not found["demo/lemma-1"].as_expected
    for arguments in (("check",), ("list",)):
        main([*arguments, str(file)])
    assert not ran.exists()
    assert main(["check", str(file), "--trust-code"]) == 0 and ran.exists(), capfd.readouterr()


def test_a_function_of_the_model_says_what_it_takes():
    def code(name):
        return lambda n: 2 * n

    assert check(one('says = "twice(n) = 2*n"\nfor = "n in 1..3"', code)).outcome is Outcome.HOLDS
    for says in ("twice(n, n) = 2*n", "twice(p) = 2*p"):
        claim = one(f'says = "{says}"\nfor = "small"', code)
        assert check(claim).outcome is Outcome.UNDECIDED


def test_a_changed_model_is_another_claim(tmp_path):
    file, model = tmp_path / "demo.toml", tmp_path / "model.py"
    file.write_text(HEAD + '[claim."lemma-1"]\nsays = "twice(n) = 2*n"\nfor = "n in 1..3"\n')
    for body, outcome in (("2*n", Outcome.HOLDS), ("2*n + n - 1", Outcome.REFUTED)):
        model.write_text(f"def twice(n):\n    return {body}\n")
        assert check(load_file(file, trust=True)[0]).outcome is outcome


# --- what cannot be read ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ('says = "q^n <="', "ends too soon"), ('says = "nosuch(n) = 1"', "nosuch"), ('says = "n*"', ""), ("", "says"),
        ('says = "y <= 1"', "y"), ('says = "q ~ 1"', "tends"), ('says = "q ~ 1"\nto = "nowhere"', ""), ('sais = "q = 1"', "says"),
        ('says = "q = 1"\nexpected = "maybe"', "maybe"), ("says = 3", "text"), ('says = "q is increasing in p"\nto = "large"', "limit"),
        ('says = "q <= 1"\nfor = "p in {2}"', "p = 2"), ('says = "q <= 1"\nours = "yes"', "true or false"),
        ('says = "q <= 1"\nat = "p in {1/2}, pp in {0}"', "pp"), ('test = "f"', "words"), ('says = "q <= 1"\ntest = "f"', "which"), ('says = "q <= 1"\ncorrects = "nothing"', "nothing"),
        ('says = "__import__(\\"os\\") = 1"', ""), ('says = "(lambda: 1)() = 1"', ""),
    ],
)  # fmt: skip
def test_a_claim_that_cannot_be_read_is_its_own_row(body, word):
    claims = claims_of(f'[claim."lemma-1"]\n{body}\n[claim."lemma-2"]\nsays = "q < 1"\n')
    first = check(claims[0])
    assert first.outcome is Outcome.UNDECIDED and not first.as_expected
    assert word in first.reason and re.search(r"demo\.toml, line \d+", first.reason) and "\n" not in first.reason
    assert check(claims[-1]).outcome is Outcome.HOLDS


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[paper\nkey = 1", 1), ('[paper]\nkey = "a b"', 2), ('[paper]\nkey = "a"\n[variables]\nn = "wole"', 4),
        ('[paper]\nkey = "a"\n[names]\nm = "1 +"', 4), ('[paper]\nkey = "a"\n[names]\nm = "m"', 4),
        ('[paper]\nkey = "a"\n[nmes]\nm = "1"', 3), ('[paper]\nkey = "a"\n[regimes]\nr = "n ->"', 4),
        ('[paper]\nkey = "a"\n[variables]\nn = 3', 4), ('[paper]\nkey = "a"\n[names]\nm = "nosuch(1)"', 4),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_one_line_with_its_place(text, line):
    with pytest.raises(ClaimsError) as error:
        read_claims(text, "demo.toml")
    assert str(error.value).startswith(f"demo.toml, line {line}: ") and "\n" not in str(error.value)


def test_exit_codes(tmp_path, capsys):
    broken, partly = tmp_path / "broken.toml", tmp_path / "partly.toml"
    broken.write_text("[paper")
    partly.write_text(HEAD + '[claim."lemma-1"]\nsays = "q < 1"\n[claim."lemma-2"]\nsays = "q <"\n')
    assert main(["check", str(broken)]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and "line 1" in err
    assert main(["check", str(partly), "--json", "-"]) == 1
    assert [entry["outcome"] for entry in json.loads(capsys.readouterr().out)["claims"]] == ["holds", "undecided"]


def damaged(text: str, rng: random.Random) -> str:
    """The text with one thing wrong: a line or some characters lost, doubled, moved, or others put in."""
    lines = text.splitlines()
    way = rng.randrange(8)
    k, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    if way == 0:
        del lines[k]
    elif way == 1:
        lines.insert(j, lines[k])
    elif way == 2:
        lines[k], lines[j] = lines[j], lines[k]
    elif way == 3:
        lines[k] = lines[k][: rng.randrange(len(lines[k]) + 1)]
    else:
        place = rng.randrange(len(lines[k]) + 1)
        new = rng.choice([*"()[]{}\"'=<>~^*/+-.,0 \\\t\x00\x1bé∞_#", "oo", "for", "->", "1e9", "__class__", "lambda"])
        lines[k] = lines[k][:place] + new + lines[k][place + (way == 5) :]
    return "\n".join(lines) + "\n"


def test_damaged_files_are_read_or_refused_in_one_line():
    text, rng = EXAMPLE.read_text(), random.Random(20261122)
    refused = unread = 0
    for _ in range(250):
        try:
            claims = read_claims(damaged(text, rng), "demo.toml").claims
        except ClaimsError as error:
            refused += 1
            assert str(error).startswith("demo.toml") and "\n" not in str(error)
            continue
        for claim in claims:
            if isinstance(claim.relation, Unread):
                unread += 1
                assert claim.relation.reason.startswith("demo.toml, line ") and "\n" not in claim.relation.reason
    assert refused > 20 and unread > 20


def test_bytes_that_are_no_text_are_refused(tmp_path):
    file = tmp_path / "demo.toml"
    for content in (b"\xff\xfe", b"[paper]\nkey = \"\xe9\"", b"", b"\x00" * 10):
        file.write_bytes(content)
        with pytest.raises(ClaimFileError):
            load_file(file)


# --- the example of the README ------------------------------------------------------------------------


def test_the_example_is_as_expected():
    found = check_all([str(EXAMPLE)], trust=True)
    assert [claim for claim, verdict in found.items() if not verdict.as_expected] == []


# --- claims made by code -------------------------------------------------------------------------------


def test_objects_and_text_make_the_same_record(tmp_path):
    """What is given as SymPy objects is printed, and the text is the claim."""
    file = tmp_path / "same.toml"
    file.write_text(
        '[paper]\nkey = "same"\n'
        '[claim."lemma-1"]\nsays = "harmonic(n) ~ log(n)"\nto = "n -> oo"\n'
        '[claim."lemma-2"]\nsays = "harmonic(n) = log(n) + O(1/n)"\nto = "n -> oo"\nexpected = "refuted"\n'
        '[claim."lemma-3"]\nsays = "log(x + 1) <= x"\nfor = "x > 0"\n'
    )
    n, x = sp.symbols("n x", positive=True)
    f, g = text(sp.harmonic(n)), text(sp.log(n))
    objects = [
        typed("same/lemma-1", f"{f} ~ {g}", to="n -> oo", source="same, Lemma 1"),
        typed("same/lemma-2", f"{f} = {g} + O({text(1 / n)})", to="n -> oo", source="same, Lemma 2", expected="refuted"),
        typed("same/lemma-3", f"{text(sp.log(1 + x))} <= {x} for x > 0", source="same, Lemma 3"),
    ]
    for mine, theirs in zip(objects, load_file(file), strict=True):
        records = [verdict_record(check(claim)) for claim in (mine, theirs)]
        for record in records:
            record.pop("seconds")
        assert records[0] == records[1]


def test_listed_and_open_variables_model_functions_in_conditions_and_printed_numbers_of_a_model():
    def code(name):
        return lambda n: 2 * n

    claim = one('says = "k + n >= 1"\nfor = "k in 1..3"\nat = "k in 1..3, n in {1, 5}"', code)
    assert [str(x.strength) for x in bounds.evidence(claim.relation)] == ["supported"]  # of a grid: a theorem is another matter
    claim = one('says = "k <= 2*n"\nfor = "whole k, 1 <= k <= twice(n)"\nat = "n in 1..3, whole k, 1 <= k <= twice(n)"', code)
    assert check(claim).outcome is Outcome.HOLDS
    assert check(one('says = "twice(3)/7 rounds to 0.857"', code)).outcome is Outcome.HOLDS
    assert check(one('says = "twice(3)/7 rounds to 0.858"', code)).outcome is Outcome.REFUTED
    claim = one('says = "n >= 1"\nat = "n in {1/q, 3}"', code)  # a defined name in the points
    assert isinstance(claim.relation, Unread)


def test_a_claim_read_alone_and_with_all_others_in_another_process_is_the_same():
    """Else a record would hold it for changed: of two equal symbols of SymPy the first that was made is kept."""
    script = (
        "from asymp import registry; from asymp.command.claims import key; import sys\n"
        "known = {claim.id: claim for claim in registry.claims('ilb')} if sys.argv[1] == 'all' else None\n"
        "for item in sys.argv[2:]: print(key(known[item] if known else registry.find_claim(item), False))"
    )
    printed = [one for one in registry.paper("ilb").ids() if not one.endswith("-corrected")]
    chosen = random.Random(3).sample(printed, 12)
    found = [
        subprocess.run([sys.executable, "-c", script, how, *chosen], capture_output=True, text=True, check=True).stdout
        for how in ("all", "alone")
    ]
    assert found[0] == found[1] and len(found[0].split()) == 12


TIED = """section-3.1-lindley equation-1 theorem-4.2-external-monotonicity theorem-4.2-proof-vector-corrected lemma-4.3
    algorithm-1-second-pass algorithm-1-observation-3a theorem-5.1 equation-7 section-7.4-guarantee section-9.1-starts-corrected
    section-9.2-monotone section-9.3-no-specific perfect-domination""".split()
"""Claims of mjsre whose points are given by functions of the model."""


@pytest.mark.parametrize("claim_id", [f"mjsre/{slug}" for slug in TIED])
def test_a_check_leaves_the_key_as_it_was(claim_id):
    """What a check remembers, as which points of a domain it has looked at, is no part of the claim that was checked."""
    claim = registry.find_claim(claim_id)
    assert re.search(r"\w\) = ", claim.tried)
    before = key(claim, True)
    check(claim, quick=True)
    assert key(claim, True) == before != ""


def test_code_that_replaces_a_relation_does_not_keep_the_text():
    claim = one('says = "harmonic(n) ~ log(n)"\nto = "n -> oo"')
    other = one('says = "harmonic(n) ~ 2*log(n)"\nto = "n -> oo"')
    verdict = check(replace(claim, relation=other.relation))
    assert verdict.outcome is not Outcome.HOLDS
    assert verdict.strength is not Strength.PROVED and verdict.certificate is None
    assert key(claim, False) != key(claim, True)


def test_a_sample_of_a_chain_speaks():
    def against():
        return [Evidence("sampled", Outcome.REFUTED, Strength.SUPPORTED, "off")]

    claim = replace(one('says = "0 < q < 1"'), sampled=against)
    assert str(check(claim, quick=True).outcome) == "holds" and str(check(claim).outcome) == "undecided"


def test_a_file_is_read_once_and_a_claim_alone_is_the_same():
    text = HEAD + '[claim."lemma-1"]\nsays = "q < 1"\n[claim."lemma-2"]\nsays = "q > 2"\ncorrected = "q < 2"\n'
    file = ClaimsFile(text, "demo.toml")
    alone = [claim for slug in ("lemma-2", "lemma-1") for claim in file.read(slug).claims]
    whole = file.read().claims
    assert {claim.id: claim for claim in alone} == {claim.id: claim for claim in whole} and len(whole) == 3
    assert file.read("lemma-2-corrected").claims == file.read("lemma-2").claims
    again = ClaimsFile(text, "demo.toml").read().claims
    assert [claim.closed for claim in again] == [claim.closed for claim in whole]
