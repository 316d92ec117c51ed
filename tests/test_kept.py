"""What samples have found and is kept: it supports, is stale where code has changed, and is compared with what is drawn anew."""

from __future__ import annotations

import json
import sys
import types
from dataclasses import replace
from pathlib import Path

import pytest

from asymp import kept, registry
from asymp.check import check
from asymp.claim import Claim, Evidence, Outcome, Property, Source, Strength, Witness
from asymp.paper import read_claims

CODE = '''
"""A model."""
from asymp.claim import Evidence, Outcome, Strength, Witness
from asymp.kept import draw

DRAWN_WITH = ()
LEVEL = 0.99


def heads(share=0.5):
    """Tosses."""
    value = share + draw()/1000
    return [Evidence("sampled", Outcome.HOLDS, Strength.CERTIFIED, "so many", (Witness({"p": "1/2"}, str(value), "0.01"),))]
'''


def loaded(folder: Path, code: str = CODE) -> types.ModuleType:
    """The code as a module of its own, in a folder."""
    file = folder / "model.py"
    file.write_text(code)
    module = types.ModuleType(f"kept_{abs(hash((folder, code)))}")
    module.__file__ = str(file)
    sys.modules[module.__name__] = module
    exec(compile(code, str(file), "exec"), vars(module))
    kept._source.cache_clear()
    kept._reached.cache_clear()
    return module


def claim_of(function: object) -> Claim:
    return Claim("demo/heads", Source("demo", "Figure 1"), Property(kept.kept(function, "demo/heads")), "half of them")  # type: ignore[arg-type]


def anew(function: object, keep: bool) -> list[Evidence]:
    return check(kept.drawn_again(claim_of(function), keep)).evidence  # type: ignore[return-value]


def test_what_is_kept_is_read_and_only_supports(tmp_path: Path) -> None:
    module = loaded(tmp_path)
    anew(module.heads, True)
    data = json.loads((tmp_path / "kept" / "heads.json").read_text())
    assert data["claim"] == "demo/heads" and data["draw"] == 0 and data["level"] == 0.99
    assert {"date", "command", "seconds", "code", "asymp", "drawn_by"} <= data.keys()
    calls = []
    module.Evidence = lambda *_: calls.append(1)
    verdict = check(claim_of(module.heads))
    assert not calls and verdict.outcome == Outcome.HOLDS and verdict.strength == Strength.SUPPORTED
    assert "kept: drawn on" in verdict.evidence[0].detail


@pytest.mark.parametrize(("old", "new", "stale"), [
    ("draw()/1000", "draw()/1001", True), ("share=0.5", "share=0.4", True), ("LEVEL = 0.99", "LEVEL = 0.9", True),
    ('"""Tosses."""', '"""Tosses of a coin."""', False), ("\n\n\ndef", "\n\n# a remark\ndef", False),
])  # fmt: skip
def test_what_other_code_has_drawn_says_nothing(tmp_path: Path, old: str, new: str, stale: bool) -> None:
    module = loaded(tmp_path)
    anew(module.heads, True)
    name = module.__name__
    other = loaded(tmp_path, CODE.replace(old, new))
    sys.modules[name] = other  # the same module, later
    other.heads.__module__ = name
    verdict = check(claim_of(other.heads))
    assert verdict.outcome == (Outcome.UNDECIDED if stale else Outcome.HOLDS)
    assert not stale or "draw again" in verdict.evidence[0].detail


def test_a_file_of_another_claim_says_nothing(tmp_path: Path) -> None:
    module = loaded(tmp_path)
    anew(module.heads, True)
    file = tmp_path / "kept" / "heads.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"claim": "demo/tails"}))
    assert check(claim_of(module.heads)).outcome == Outcome.UNDECIDED


def test_draws_are_compared(tmp_path: Path) -> None:
    module = loaded(tmp_path)
    assert len(anew(module.heads, False)) == 1 and not (tmp_path / "kept").exists()
    anew(module.heads, True)
    *_, line = anew(module.heads, False)  # the second draw: 0.501
    assert "agrees" in line.detail and "below 0.02" in line.detail
    module.draw = lambda: 100  # 0.6: not what is kept
    assert check(kept.drawn_again(claim_of(module.heads), False)).outcome == Outcome.UNDECIDED
    module.Outcome = types.SimpleNamespace(HOLDS=Outcome.REFUTED)
    assert check(kept.drawn_again(claim_of(module.heads), False)).outcome == Outcome.UNDECIDED


def test_intervals_that_do_not_meet_are_no_agreement() -> None:
    line = Evidence("sampled", Outcome.HOLDS, Strength.SUPPORTED, "", (Witness({"p": "1", "seed": "1"}, "1", "0.1"),))
    near, far = (replace(line, points=(Witness({"p": "1", "seed": "2"}, value, "0.1"),)) for value in ("1.2", "1.21"))
    assert kept.compared([line], [near], "", None).outcome == Outcome.HOLDS
    assert kept.compared([line], [far], "", None).outcome == Outcome.UNDECIDED


def test_kept_is_said_of_samples_whose_code_says_by_what_it_draws(tmp_path: Path) -> None:
    module = loaded(tmp_path, CODE.replace("DRAWN_WITH = ()\n", ""))
    with pytest.raises(ValueError, match="by which packages it draws"):
        kept.kept(module.heads, "demo/heads")
    text = '[paper]\nkey = "demo"\n[claim."figure-1"]\nsays = "1 = 1"\nkept = true\n'
    (claim,) = read_claims(text, "x.toml").claims
    assert "kept is said of samples" in str(claim.relation)


def test_what_is_kept_of_the_papers_is_of_their_code() -> None:
    """A file that is stale, or of no claim, is noticed here."""
    for folder in (Path(__file__).parents[1] / "proofs").glob("*/kept"):
        found = {}
        for claim in registry.claims(folder.parent.name):
            for item in (claim.sampled, getattr(claim.relation, "test", None)):
                if isinstance(item, kept.Kept):
                    found[kept.path_of(item.function, item.claim)] = item
        for path, item in found.items():
            assert json.loads(path.read_text())["code"] == kept.digest(item.function), path
        assert {file for path in found for file in path.parent.glob("*.json")} == set(found)
