"""Bridges: what leans on a typed formula is no stronger than the claim that it is the model's quantity, and names it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from asymp.check import check
from asymp.check.bridges import RANK
from asymp.claim import Outcome, Strength, Unread
from asymp.command.records import tied
from asymp.export.record import verdict_record
from asymp.export.table import explanation
from asymp.kernel.records import GIVEN, REFUSED, REPLAYED, replays
from asymp.language.bridges import bridges, resting_of
from asymp.language.setting import SettingReader, closed_texts
from asymp.paper import ClaimsFile, read_claims
from asymp.paper.covering import tie

HEAD = """
paper.key = "demo"
variables.n = "whole, >= 1"
variables.d = "whole, >= 1"
names.H = "harmonic(n)"
names.H2 = "2*H"
names."G(k)" = "harmonic(k)"
claim.lemma-2.says = "H <= 1 + log(n)"
claim.lemma-3.says = "H2 > 1"
claim.lemma-4.says = "n >= 1/2"
claim.lemma-5.says = "G(n + 1) > 1"
claim.lemma-6.says = "H <= 1 + log(n)"
claim.lemma-6.for = "n >= 5"
"""
TRUE = 'claim.lemma-1.says = "Sum(1/k, (k, 1, n)) = H"\nclaim.lemma-1.bridge = "H"\n'


def verdicts(text, **more):
    return {claim.id.removeprefix("demo/"): check(claim, **more) for claim in read_claims(text, "demo.toml").claims}


def test_what_leans_on_a_name_names_its_bridge_and_nothing_else_does():
    found = verdicts(HEAD + TRUE)
    assert {one: "bridge: demo/lemma-1" in verdict.trusts for one, verdict in found.items()} == {
        "lemma-1": False, "lemma-2": True, "lemma-3": True, "lemma-4": False, "lemma-5": False, "lemma-6": True,
    }  # fmt: skip
    assert {verdict.strength for verdict in found.values()} == {Strength.PROVED}


@pytest.mark.parametrize(
    ("bridge", "outcome", "strength"),
    [
        ('says = "Sum(1/k, (k, 1, n)) = H"\nclaim.lemma-1.at = "n in 1..3"', Outcome.HOLDS, Strength.PROVED),  # proved beyond them
        ('says = "Sum(1/k, (k, 1, n)) = H"\nclaim.lemma-1.for = "n <= 7"', Outcome.HOLDS, Strength.SUPPORTED),  # a part
        ('says = "Sum(1/k, (k, 2, n)) = H"', Outcome.UNDECIDED, Strength.NONE),  # fails: whatever H is, it is not that
        ('says = "Sum(1/k, (k, 1, n)) = H + 10^(-200)"', Outcome.UNDECIDED, Strength.NONE),
    ],
)
def test_a_bridge_caps_what_rests_on_it(bridge, outcome, strength):
    found = verdicts(f'{HEAD}claim.lemma-1.bridge = "H"\nclaim.lemma-1.{bridge}')
    for one in ("lemma-2", "lemma-3"):
        assert (found[one].outcome, found[one].strength) == (outcome, strength), found[one]
    assert found["lemma-4"].strength is Strength.PROVED and found["lemma-4"].trusts == ()
    most = max(RANK[strength], RANK[Strength.SUPPORTED])
    assert all(RANK[line.strength] <= most for line in found["lemma-2"].evidence)
    if strength is Strength.SUPPORTED:
        page = explanation(found["lemma-2"])
        assert "theorem of its formula" in page and "is only supported" in page
        assert [line for line in page.splitlines() if "proved" in line] == []


def test_a_part_that_a_bridge_is_for_serves_what_is_for_that_part():
    found = verdicts(f'{HEAD}{TRUE}claim.lemma-1.for = "n >= 5"')
    assert found["lemma-6"].strength is Strength.PROVED and found["lemma-2"].strength is Strength.SUPPORTED
    assert "lemma-1" in found["lemma-2"].no_theorem


def test_what_is_declared_is_said_of_what_stands_in_its_place():
    calls = (("G(n + 1) > 1", ""), ("G(1/2) < 7/10", ""), ("G(0) = 0", ""), ("G(x) > 0", "real x > 0"), ("G(n + 3) > 0", ""))
    text = f'{HEAD}claim.lemma-1.says = "Sum(1/j, (j, 1, k)) = G(k)"\nclaim.lemma-1.bridge = "G"\nvariables.k = "whole, >= 1"\n'
    for number, (says, among) in enumerate(calls, 11):
        text += f'claim.lemma-{number}.says = "{says}"\n' + (f'claim.lemma-{number}.for = "{among}"\n' if among else "")
    found = verdicts(text)
    strengths = [found[f"lemma-{number}"].strength for number in range(11, 16)]
    assert strengths == [Strength.PROVED, Strength.SUPPORTED, Strength.SUPPORTED, Strength.SUPPORTED, Strength.PROVED]


def test_what_stands_for_a_real_variable_is_to_be_in_its_range():
    text = HEAD + 'variables.x = "0 < x < 1"\nvariables.y = "> 0"\nnames."R(x)" = "x^2"\nclaim.lemma-1.bridge = "R"\n'
    text += 'claim.lemma-1.says = "Sum(x*(1 - x)^k, (k, 0, oo))*x - x + x^2 = R(x)"\n'
    cases = [
        ('says = "R(1/2) < 1"', True), ('says = "R(2) > 1"', False), ('says = "R(y) > 0"', False), ('says = "R(y/(1 + y)) > 0"', True),
        ('says = "R(1/n) -> 0"\nclaim.{}.to = "n -> oo"', True), ('says = "R(1 + 1/n) -> 1"\nclaim.{}.to = "n -> oo"', False),
        ('says = "Sum(R(1/(k + 1)), (k, 1, n)) > 0"', False),  # of what moves in a sum nothing is asked: it is not seen
    ]  # fmt: skip
    for number, (said, _) in enumerate(cases, 11):
        text += f"claim.lemma-{number}.{said.format(f'lemma-{number}')}\n"
    found = verdicts(text)
    assert found["lemma-1"].strength is Strength.PROVED
    for number, (said, covered) in enumerate(cases, 11):
        verdict = found[f"lemma-{number}"]
        assert (verdict.outcome, verdict.strength is Strength.PROVED) == (Outcome.HOLDS, covered), (said, verdict.no_theorem)


def test_of_several_bridges_the_strongest_counts():
    weak = 'claim.lemma-0.says = "Sum(1/k, (k, 1, n)) = H"\nclaim.lemma-0.bridge = "H"\nclaim.lemma-0.for = "n <= 7"\n'
    for text in (weak + HEAD + TRUE, HEAD + TRUE + weak):
        found = verdicts(text)
        assert found["lemma-2"].strength is Strength.PROVED and "bridge: demo/lemma-1" in found["lemma-2"].trusts


def test_a_refutation_is_of_the_formula_too():
    text = f'{HEAD}{TRUE}claim.lemma-1.for = "n <= 7"\nclaim.lemma-7.says = "H <= log(n)"\nclaim.lemma-7.expected = "refuted"'
    found = verdicts(text)["lemma-7"]
    assert (found.outcome, found.strength) == (Outcome.REFUTED, Strength.SUPPORTED)


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ("H = H", "an equality is to have H"),
        ("H = harmonic(n)", "an equality is to have H"),  # nothing but the definition
        ("H + 0 = H", "an equality is to have H"),
        ("n - n + H = H", "an equality is to have H"),
        ("Sum(1/k, (k, 1, n)) <= H", "an equality is to have H"),
        ("Sum(1/k, (k, 1, n)) = harmonic(n)", "an equality is to have H"),
        ("Sum(1/k, (k, 1, n)) = H and n >= 1", "an equality is to have H"),
        ("Sum(1/k, (k, 1, n)) = H as n -> oo", "what tends where"),
    ],
)
def test_what_ties_nothing_is_no_bridge(says, why):
    text = f'{HEAD}claim.lemma-1.says = "{says}"\nclaim.lemma-1.bridge = "H"'
    claims = {claim.id: claim for claim in read_claims(text, "demo.toml").claims}
    broken = claims["demo/lemma-1"].relation
    assert isinstance(broken, Unread) and why in broken.reason
    assert check(claims["demo/lemma-2"]).outcome is Outcome.UNDECIDED


def test_a_name_that_is_not_declared_is_said():
    broken = next(c for c in read_claims(HEAD + TRUE.replace('bridge = "H"', 'bridge = "h"'), "demo.toml").claims if c.id == "demo/lemma-1")
    assert isinstance(broken.relation, Unread) and "h" in broken.relation.reason


def test_bridges_do_not_carry_one_another():
    text = (
        'paper.key = "demo"\nvariables.n = "whole, >= 1"\nnames.A = "harmonic(n)"\nnames.B = "harmonic(n)"\n'
        'claim.lemma-1.says = "B + n - n = A"\nclaim.lemma-1.bridge = "A"\n'
        'claim.lemma-2.says = "A + n - n = B"\nclaim.lemma-2.bridge = "B"\n'
        'claim.lemma-3.says = "A > 0"\nclaim.lemma-4.says = "B > 0"\n'
    )
    for order in (text, "\n".join([*text.splitlines()[:4], *text.splitlines()[4:][::-1]])):
        assert {verdict.outcome for verdict in verdicts(order).values()} == {Outcome.UNDECIDED}


def test_one_claim_read_alone_rests_on_the_same():
    file = ClaimsFile(HEAD + TRUE, "demo.toml")
    (alone,) = file.read("lemma-3").claims
    assert [[tie.claim.id for tie in ways] for ways in alone.rests] == [["demo/lemma-1"]]
    assert check(alone).trusts == verdicts(HEAD + TRUE)["lemma-3"].trusts


def test_a_correction_may_be_the_bridge():
    text = HEAD + 'claim.lemma-1.says = "Sum(1/k, (k, 2, n)) = H"\nclaim.lemma-1.corrected = "Sum(1/k, (k, 1, n)) = H"\n'
    found = verdicts(text + 'claim.lemma-1.corrected-bridge = "H"\n')
    assert "bridge: demo/lemma-1-corrected" in found["lemma-2"].trusts and found["lemma-2"].strength is Strength.PROVED


# --- records ----------------------------------------------------------------------------------------------------------


def record_of(text):
    return [verdict_record(verdict) for verdict in verdicts(text).values()]


def ties_of(text):
    file = SettingReader(text, "demo.toml", None)
    file.setting, file.regimes, file.domains = file.read_setting(), {}, {}
    found = {one: resting_of(file, data, bridges(file)) for one, data in file.entries().items()}
    written = {one: file.worded(file.says(data), data)[0] for one, data in file.entries().items()}
    return {one: [{other: tie(file, other, written[one]) is not None for other in ids} for ids in ways] for one, ways in found.items()}


def test_a_record_with_the_bridge_is_replayed_and_one_without_is_given_it():
    entries = record_of(HEAD + TRUE)
    assert {one.told for one in tied(replays(entries), entries, {})} == {REPLAYED}
    without = [entry for entry in entries if entry["id"] != "demo/lemma-1"]
    assert {one.id: one.told for one in tied(replays(without), without, {})}["demo/lemma-2"] == GIVEN
    assert "bridge: demo/lemma-1" in str(tied(replays(without), without, {})[0])


def test_a_record_that_leaves_a_bridge_out_or_has_one_that_is_none_is_refused():
    text = HEAD + TRUE
    entries = [entry | {"trusts": [leaf for leaf in entry["trusts"] if not leaf.startswith("bridge")]} for entry in record_of(text)]
    found = {one.id: one.told for one in tied(replays(entries, closed_texts(text, "demo.toml")), entries, ties_of(text))}
    assert found["demo/lemma-2"] == found["demo/lemma-3"] == REFUSED and found["demo/lemma-4"] == REPLAYED
    unproved = [entry | ({"certificate": None} if entry["id"] == "demo/lemma-1" else {}) for entry in record_of(text)]
    assert {one.id: one.told for one in tied(replays(unproved), unproved, {})}["demo/lemma-2"] == REFUSED


def test_a_record_that_proves_beyond_its_bridge_is_refused():
    text = f'{HEAD}{TRUE}claim.lemma-1.for = "n >= 5"'
    entries = [entry | {"strength": "proved"} for entry in record_of(text)]
    found = {one.id: one.told for one in tied(replays(entries), entries, ties_of(text))}
    assert found["demo/lemma-2"] == REFUSED and found["demo/lemma-6"] == REPLAYED
    honest = record_of(text)
    assert {one.id: one.told for one in tied(replays(honest), honest, ties_of(text))}["demo/lemma-2"] == REPLAYED


def test_the_command_line_verifies_bridges(tmp_path):
    claims, record = tmp_path / "demo.toml", tmp_path / "record.json"
    claims.write_text(HEAD + TRUE)
    run = [sys.executable, "-m", "asymp"]
    subprocess.run([*run, "check", str(claims), "--json", str(record), "--quiet"], check=True, timeout=120)
    verify = [*run, "verify", str(record), "--claims", str(claims)]
    assert subprocess.run(verify, timeout=120).returncode == 0
    data = json.loads(record.read_text())
    for entry in data["claims"]:
        entry["trusts"] = [leaf for leaf in entry["trusts"] if not leaf.startswith("bridge")]
    record.write_text(json.dumps(data))
    assert subprocess.run(verify, timeout=120).returncode == 1
