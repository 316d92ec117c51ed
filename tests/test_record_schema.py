"""The record's JSON Schema: real records are valid, the schema names all that they have, and a broken one is seen."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from installed import ROOT

from asymp.claim import Claim, Relation, Source
from asymp.cli import main
from asymp.export.record import SCHEMA, claim_record, summary

SCHEME = json.loads(SCHEMA.read_text(encoding="utf-8"))
TARGETS = (
    "queue.toml::lemma-4", "queue.toml::remark-1", "queue.toml::theorem-1", "paper.tex::lem:harmonic-bound", "broken.toml",
)  # fmt: skip
BROKEN = '[paper]\nkey = "broken"\n[claim."lemma-1"]\nsays = "log(n) <= "\n[claim."lemma-2"]\nsays = "1 < 2"\nquote = "1 < 2 < 3"\nnarrowed = "x"\nused = "lemma-1"\n'


@pytest.fixture(scope="module")
def record(tmp_path_factory) -> dict[str, Any]:
    """Holds, refuted, undecided; from TOML and from LaTeX; corrected; one that cannot be read, and one that is narrower."""
    folder = tmp_path_factory.mktemp("record")
    for name in ("queue.toml", "queue_model.py", "paper.tex"):
        (folder / name).write_text((ROOT / "examples" / name).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "broken.toml").write_text(BROKEN, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        main(["check", *TARGETS, "--json", "record.json", "--quiet", "--quick"])
    return json.loads((folder / "record.json").read_text(encoding="utf-8"))


def unnamed(data: Any, says: dict[str, Any], place: str = "") -> Iterator[str]:
    """Keys of a record that its schema does not name."""
    if "$ref" in says:
        says = SCHEME["$defs"][says["$ref"].rpartition("/")[2]]
    if "anyOf" in says:
        says = next((one for one in says["anyOf"] if "$ref" in one), {})
        yield from unnamed(data, says, place) if data is not None else ()
    elif isinstance(data, dict) and "properties" in says:
        for key, value in data.items():
            if key not in says["properties"]:
                yield f"{place}.{key}"
            else:
                yield from unnamed(value, says["properties"][key], f"{place}.{key}")
    elif isinstance(data, list) and "items" in says:
        for one in data:
            yield from unnamed(one, says["items"], place)


def test_a_real_record_is_valid_and_has_nothing_unnamed(record):
    jsonschema.Draft202012Validator.check_schema(SCHEME)
    jsonschema.validate(record, SCHEME)
    assert list(unnamed(record, SCHEME)) == []
    outcomes = {claim["outcome"] for claim in record["claims"]}
    assert outcomes == {"holds", "refuted", "undecided"} and len(record["claims"]) == 6
    assert any(claim["place"] for claim in record["claims"]) and any(claim["certificate"] for claim in record["claims"])
    assert any(item["points"] for claim in record["claims"] for item in claim["evidence"])


def test_every_field_of_the_code_is_named():
    full = Claim("demo/x", Source("demo", "Lemma 1", "q", "f.tex", 3), Relation(), "x = x", corrects="demo/y", where=("a = b",),
                 closed="x = x", narrowed="n", used=("demo/z",), said="s", note="t")  # fmt: skip
    assert set(claim_record(full)) <= set(SCHEME["$defs"]["claim"]["properties"])
    assert set(SCHEME["$defs"]["claim"]["required"]) <= set(claim_record(full))
    assert set(summary([], 0.5)) == set(SCHEME["$defs"]["summary"]["required"])


@pytest.mark.parametrize("break_it", [
    lambda record: record["claims"][0].pop("outcome"),
    lambda record: record["claims"][0].update(strength="certain"),
    lambda record: record["claims"][0]["evidence"][0].update(kind="guessed"),
    lambda record: record["claims"][0].update(seconds="0.1"),
    lambda record: record.pop("summary"),
    lambda record: record["summary"].update(proved="all"),
])  # fmt: skip
def test_a_broken_record_is_not_valid(record, break_it):
    broken = copy.deepcopy(record)
    break_it(broken)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, SCHEME)


def test_a_field_without_a_name_is_seen(record):
    more = copy.deepcopy(record)
    more["claims"][0]["evidence"][0]["colour"] = "red"
    assert list(unnamed(more, SCHEME)) == [".claims.evidence.colour"]
