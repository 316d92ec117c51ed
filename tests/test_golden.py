"""The golden record: every certificate is replayed, and one in ten is asked again, of what is asked soon.

After a change that is meant: ``python -m benchmarks.golden --update`` (see there), and read what git says of the record.
"""

from __future__ import annotations

import copy
import gzip
import json
import re
from pathlib import Path

import pytest
import recorded

from asymp.language.setting import closed_texts
from benchmarks import golden

PAPERS = ("ilb", "lfms", "mjsre", "parallelps", "twoclass")
EVERY = 10
SOME = 3
"""Of the certificates one in so many is replayed; all of them with those tests that take long."""
TRIED = 20
"""So many of those whose certificate fails are asked again."""
RECORD = recorded.PAPERS | golden.read("statements")
PARTS = [*PAPERS, *(f"typed {k}" for k in range(3))]


def part(name: str) -> list[golden.Entry]:
    """The entries of a paper, or of a third of what is typed in."""
    if name in PAPERS:
        return [entry for one, entry in RECORD.items() if one.startswith(f"{name}/")]
    typed = [entry for one, entry in RECORD.items() if " | " in one]
    return typed[int(name.removeprefix("typed ")) :: 3]


def told(entry: golden.Entry) -> str:
    """What asking again says, where that does not take long."""
    if "cost" in entry:
        return f"not asked again: {entry['cost']}"
    found = "; ".join(f"{c.how}, {c.what} {c.then} -> {c.now}" for c in golden.changes(entry, golden.again(entry)))
    return found or "asked again: as before"


@pytest.mark.parametrize("every", [SOME, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", PARTS)
def test_certificates_are_replayed_to_the_theorem_that_is_recorded(name, every):
    """The first command of the README makes each of them anew; here those of long ago are read, one in three each time."""
    quick = every > 1  # of what was searched for long the proof is long too
    asked = [entry for entry in part(name) if golden.chosen(entry["id"], every) and not (quick and entry.get("cost") == "slow")]
    stale = [(entry, why) for entry in asked if (why := golden.stale(entry))]
    lines = [f"{entry['id']}: {why}; {told(entry)}" for entry, why in stale[:TRIED]]
    assert not stale, "\n".join([f"{len(stale)} certificates:", *lines])


@pytest.mark.parametrize("name", PARTS)
def test_one_in_ten_is_answered_as_before(name):
    """A strength may rise, and less may be trusted."""
    asked = [entry for entry in part(name) if golden.chosen(entry["id"], EVERY) and "cost" not in entry]
    assert len(asked) >= 5
    found = [change for entry in asked for change in golden.changes(entry, golden.again(entry))]
    assert [str(change) for change in found if change.how != golden.ROSE] == []


@pytest.mark.parametrize("name", PAPERS)
def test_every_claim_is_there_and_says_the_same(name):
    file = Path(golden.__file__).parents[1] / "proofs" / name / "claims.toml"
    texts = closed_texts(file.read_text(encoding="utf-8"), file.name)
    recorded = {entry["id"]: entry.get("closed") for entry in part(name)}
    assert {one: text for one, text in recorded.items() if one not in texts or texts[one] != text} == {}


def test_the_record_is_whole():
    typed = {one for one in RECORD if " | " in one}
    assert typed == {str(one) for one in golden.questions()} and len(typed) >= 1_000
    assert {one.partition("/")[0] for one in RECORD.keys() - typed} == set(PAPERS)
    assert len(RECORD) >= len(typed) + 1_400 and sum("certificate" in entry for entry in RECORD.values()) > 1_300


def test_the_record_says_nothing_of_the_machine():
    for path in golden.HERE.iterdir():
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        assert not re.search(r'/(?:home|root|tmp|work|usr)/|"seconds"', text), path.name
    assert sum(path.stat().st_size for path in golden.HERE.iterdir()) < 1_500_000


# --- that it would be seen -----------------------------------------------------------------------


def test_an_edited_verdict_is_seen():
    entry = RECORD["ask | harmonic(n) ~ log(n) as n -> oo |  | "]
    now = golden.again(entry)
    assert golden.changes(entry, now) == []
    for edit, how in (
        ({"outcome": "refuted"}, golden.FELL),
        ({"outcome": "undecided", "strength": "none"}, golden.CHANGED),
        ({"strength": "supported"}, golden.ROSE),
        ({"trusts": ["DLMF 5.11.2"]}, golden.FELL),
        ({"trusts": [*entry["trusts"], "engine: sum"]}, golden.ROSE),
        ({"terms": "1/log(n)"}, golden.CHANGED),
        ({"closed": "harmonic(n) ~ 2*log(n) as n -> oo"}, golden.CHANGED),
    ):
        assert [change.how for change in golden.changes(entry | edit, now)] == [how], edit
    assert [change.how for change in golden.changes(entry, now | {"strength": "certified"})] == [golden.FELL]
    assert [change.how for change in golden.compared({entry["id"]: entry}, {})] == [golden.FELL]


def digits(data):
    """The data of a step, with a digit of its first text another; None where there is none."""
    for name, value in data.items():
        if isinstance(value, str) and (found := re.search(r"\d", value)):
            return data | {name: f"{value[: found.start()]}{(int(found[0]) + 1) % 10}{value[found.end() :]}"}
    return None


def test_an_edited_certificate_is_seen():
    """A digit of a statement in its last step too: it is another theorem, or none."""
    entry = RECORD["ilb/abstract-free-servers"]
    assert golden.stale(entry) == ""
    steps, closed = entry["certificate"], entry["closed"].replace("theta - 1", "theta - 2")
    edits = [{"outcome": "refuted"}, {"trusts": entry["trusts"][1:]}, {"closed": closed}]
    edits += [
        {"certificate": steps[:-1]},
        {"certificate": None},
        {"certificate": [*steps[:-1], steps[-1] | {"rule": "rule"}]},
    ]
    for edit in edits:
        assert golden.stale(entry | edit), edit
    some = [
        entry
        for one, entry in RECORD.items()
        if "certificate" in entry and "cost" not in entry and golden.chosen(one, 50)
    ]
    tried = 0
    for entry in some:
        last = entry["certificate"][-1]
        if data := digits(last["data"]):
            tried += 1
            assert golden.stale(entry | {"certificate": [*entry["certificate"][:-1], last | {"data": data}]}), entry[
                "id"
            ]
    assert tried >= 10


def test_an_edited_leaf_is_seen_by_asking_again():
    """Of a leaf the engine is trusted: no replay says that it is wrong."""
    entry = RECORD["parallelps/theorem-1-heavy"]
    edited = copy.deepcopy(entry)
    leaf = edited["certificate"][0]["data"]
    leaf["statement"] = leaf["statement"].replace("+ d/6 +", "+ d/7 +")
    assert golden.leaves(edited) != golden.leaves(entry)
    assert golden.stale(edited) == ""
    assert [change.what for change in golden.changes(edited, entry)] == ["leaves"]


def test_the_record_is_written_as_it_is_read(tmp_path, monkeypatch):
    some = {one: RECORD[one] for one in list(RECORD)[::97]}
    monkeypatch.setattr(golden, "HERE", tmp_path)
    golden.write("papers", some)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert golden.read("papers") == some
    golden.write("papers", {one: entry | {"cost": "slow"} for one, entry in some.items()})  # on a slower machine
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first


def test_a_record_is_compared_by_hand(tmp_path, capsys):
    """As asymp check --json writes it: 1 where something fell, one that is no longer there too."""
    claims = [
        {"next_term": entry.get("terms"), "trusts": [], "certificate": None, **entry} for entry in part("parallelps")
    ]
    claims = [claim | {"evidence": [], "seconds": 0.1} for claim in claims]
    file = tmp_path / "record.json"
    k = next(k for k, claim in enumerate(claims) if claim["strength"] == "certified")
    edited = [*claims[:k], claims[k] | {"strength": "supported"}, *claims[k + 1 :]]
    for record, status, line in (
        (claims, 0, "0 fell, 0 changed, 0 rose"),
        (edited, 1, f"fell: {claims[k]['id']}: strength certified -> supported"),
        (claims[1:], 1, f"fell: {claims[0]['id']}: entry recorded -> none"),
    ):
        file.write_text(json.dumps({"claims": record}))
        assert golden.main(["--compare", str(file)]) == status
        assert line in capsys.readouterr().out
