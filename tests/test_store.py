"""The store of verdicts: what is unchanged is not computed again, what has changed is, and nothing planted is believed."""

from __future__ import annotations

import copy
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from asymp.cli import main
from asymp.command import sources, stored
from asymp.command.checking import check_all, find, verdicts
from asymp.command.executor import Executor
from asymp.command.store import Store
from asymp.command.stored import Standing, standing
from benchmarks.faults.planted_verdicts import believed

TEXT = """
[paper]
key = "kept"
[variables]
n = "whole, >= 1"
[names]
H = "harmonic(n)"
[claim."lemma-1"]
says = "H ~ log(n)"
to = "n -> oo"
[claim."lemma-2"]
says = "H <= log(n)"
corrected = "H <= log(n) + 1"
why = "at n = 1 it says 1 <= 0"
[claim."lemma-3"]
says = "Sum(k, (k, 1, n)) = n*(n + 1)/2"
[claim."lemma-4"]
says = "sin(n) + sin(sqrt(2)*n) < 1.9999999"
"""


def run(path, store):
    """The entries of a check by id, the claims that were computed, and what was said."""
    started, said = [], []
    with Executor() as executor:
        claims, errors = find(executor, [str(path)], store=store)
        assert errors == []
        found = {one["id"]: answer["entry"] for one, answer in verdicts(executor, claims, False, started.append, "", store, said.append)}
    return found, started, said, claims


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A file of claims, checked once: its folder, with the store, and what was found."""
    folder = tmp_path_factory.mktemp("first")
    (folder / "kept.toml").write_text(TEXT)
    return folder, run(folder / "kept.toml", Store(folder / "store"))


@pytest.fixture
def again(first, tmp_path):
    """A copy of that store, and of the file."""
    shutil.copytree(first[0] / "store", tmp_path / "store")
    return first[0] / "kept.toml", Store(tmp_path / "store"), first[1]


def test_what_is_unchanged_is_not_computed_again_and_what_is_edited_is(again):
    path, store, (before, started, said, _) = again
    assert set(started) == set(before) and len(before) == 5 and said == []
    found, started, said, _ = run(path, store)
    assert (found, started, said) == (before, [], [])
    try:
        path.write_text(TEXT.replace("n*(n + 1)/2", "n*(n + 1)*2/4"))
        found, started, said, _ = run(path, store)
    finally:
        path.write_text(TEXT)
    assert started == ["kept/lemma-3"] and said == []
    assert found["kept/lemma-3"]["strength"] == "proved"
    assert all(found[one] == before[one] for one in found if one != "kept/lemma-3")


def test_a_link_that_an_edit_breaks_is_seen(again):
    path, store, _ = again
    try:
        path.write_text(TEXT.replace('[claim."lemma-3"]', '[claim."lemma-3"]\ncorrects = "lemma-4"'))
        found, *_ = run(path, store)
    finally:
        path.write_text(TEXT)
    assert found["kept/lemma-3"]["outcome"] == "undecided" and "does not name it" in found["kept/lemma-3"]["reason"]


def kept(claims, store):
    """The verdicts in the store by the last word of the claim's id."""
    return {one["id"].partition("-")[2]: store.get("verdict", one["same"]) for one in claims}


@pytest.fixture
def edited(monkeypatch):
    """Edits a module of asymp, as far as hashes know."""
    true = dict(sources._texts())

    def forget():
        for one in (sources.digest, sources._rules, sources._imported):
            one.cache_clear()

    def edit(name):
        monkeypatch.setattr(sources, "_texts", lambda: {**true, name: true[name] + "\n# edited"})
        forget()

    yield edit
    monkeypatch.undo()
    forget()


@pytest.mark.parametrize(
    ("module", "theorem", "tried"),
    [
        ("asymp.command.progress", Standing.STANDS, Standing.STANDS),
        ("asymp.prove.order", Standing.STANDS, Standing.STALE),
        ("asymp.prove.engine", Standing.STANDS, Standing.STALE),
        ("asymp.kernel.terms", Standing.REPLAY, Standing.STALE),
        ("asymp.kernel.chains.balance", Standing.STANDS, Standing.STALE),
        ("asymp.meaning.read", Standing.STALE, Standing.STALE),
        ("asymp.language.syntax", Standing.STALE, Standing.STALE),
        ("asymp.check.judge", Standing.STALE, Standing.STALE),
    ],
)
def test_an_edit_makes_stale_what_rests_on_it(module, theorem, tried, again, edited):
    _, store, (before, _, _, claims) = again
    found = kept(claims, store)
    assert before["kept/lemma-3"]["strength"] == "proved" and before["kept/lemma-4"]["strength"] != "proved"
    edited(module)
    assert (standing(found["3"]), standing(found["4"])) == (theorem, tried)


def test_after_a_method_is_edited_what_rests_on_it_is_checked_as_it_was(again, edited):
    """What a file says is in the store too, from before the edit: its claims are still to be checked."""
    path, store, (before, *_) = again
    edited("asymp.prove.order")
    found, started, said, _ = run(path, store)
    assert started == ["kept/lemma-4"] and said == []
    told = [{one: (entry["outcome"], entry.get("reason")) for one, entry in each.items()} for each in (found, before)]
    assert told[0] == told[1]


def test_certified_numbers_rest_on_balls_and_a_next_term_on_what_derives_it(again, edited):
    _, store, (before, _, _, claims) = again
    found = kept(claims, store)
    assert before["kept/lemma-1"]["next_term"] and [x["kind"] for x in before["kept/lemma-1"]["evidence"]] == ["symbolic", "enclosed"]
    for module in ("asymp.enclosure.plan", "asymp.prove.expansion"):
        edited(module)
        assert standing(found["1"]) is Standing.STALE


def test_another_version_of_a_library_makes_all_stale(again, monkeypatch):
    _, store, (*_, claims) = again
    monkeypatch.setattr(sources, "digest", lambda area: f"another {area}")
    assert {standing(one) for one in kept(claims, store).values()} == {Standing.STALE}


def test_nothing_that_is_planted_or_edited_is_believed(again):
    _, store, (*_, claims) = again
    names = [one["same"] for one in claims]
    tried, wrong = believed(store, names, 50)
    assert tried >= 50 and wrong == 0
    file = store.path("verdict", names[0])
    true = file.read_bytes()
    file.unlink()
    file.with_name("other").write_bytes(true)
    file.symlink_to(file.with_name("other"))
    assert store.get("verdict", names[0]) is None
    os.mkfifo(file)
    assert store.get("verdict", names[0]) is None


def test_what_is_planted_is_said_and_computed_anew(again):
    path, store, (before, _, _, claims) = again
    file = store.path("verdict", claims[0]["same"])
    file.write_bytes(file.read_bytes().replace(b"holds", b"refuted"))
    survey = next(store.files("survey"))
    survey.write_bytes(survey.read_bytes().replace(b"lemma-3", b"lemma-5"))
    found, started, said, _ = run(path, store)
    assert started == ["kept/lemma-1"] and said == ["the store: kept/lemma-1 is not what asymp wrote there: computed anew"]
    assert {**found["kept/lemma-1"], "seconds": 0} == {**before["kept/lemma-1"], "seconds": 0}


def test_a_theorem_that_the_kernel_does_not_replay_is_computed_anew(again):
    """Signed as asymp signs: what a bug wrote there, or a rule that has changed."""
    path, store, (*_, claims) = again
    one = next(one for one in claims if one["id"] == "kept/lemma-2")
    entry = copy.deepcopy(store.get("verdict", one["same"]))
    entry["verdict"]["outcome"] = "holds"
    entry["rests"] = {area: "before" if area.startswith("rules ") else said for area, said in entry["rests"].items()}
    store.put("verdict", one["same"], entry)
    found, started, said, _ = run(path, store)
    assert started == ["kept/lemma-2"] and found["kept/lemma-2"]["outcome"] == "refuted"
    assert said == ["the store: kept/lemma-2 is not replayed by the kernel: computed anew"]
    assert standing(store.get("verdict", one["same"])) is Standing.STANDS


def test_a_store_that_others_may_read_is_none(tmp_path):
    assert Store(tmp_path / "own").is_open and stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "own" / "key").stat().st_mode) == 0o600
    (tmp_path / "own" / "key").chmod(0o644)
    assert not Store(tmp_path / "own").is_open
    (tmp_path / "open").mkdir(mode=0o755)
    assert not Store(tmp_path / "open").is_open
    (tmp_path / "link").symlink_to(tmp_path / "own")
    assert not Store(tmp_path / "link").is_open


def test_a_full_disk_keeps_nothing_and_harms_nothing(tmp_path, monkeypatch):
    store = Store(tmp_path / "store")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("asymp.command.store.write_bytes", full)
    store.put("verdict", "x", {"id": "x"})
    assert store.get("verdict", "x") is None and store.refused == []


def test_what_a_limit_ended_is_not_kept(tmp_path):
    store = Store(tmp_path / "store")
    answer = {"checked": "same", "verdict": {"ended": "timed out"}}
    stored.keep(store, {"id": "x", "same": "same", "entry": {}}, answer)
    assert list(store.files("verdict")) == []


@pytest.mark.parametrize(
    ("asks", "file", "ones", "twos"),
    [
        ("int(open('data.txt').read())", "data.txt", "1", "2"),
        ("__import__('beside').K", ".hidden/beside.py", "K = 1", "K = 2 "),
        ("__import__('os').stat('data.txt').st_size", "data.txt", "1", "22"),
        ("int(__import__('subprocess').check_output(['cat', 'data.txt']))", "data.txt", "1", "2"),
        ("ThreadPoolExecutor(1).submit(Path('data.txt').read_text).result().count('1')", "data.txt", "1", "11"),
        ("len([*Path('.').glob('*.dat')])", "data.dat", "1", None),
    ],
)
def test_a_verdict_that_hangs_on_what_a_model_asks_for_is_not_kept(asks, file, ones, twos, tmp_path, monkeypatch):
    """Nor is what the same process finds later: the model may have kept what it read."""
    monkeypatch.setenv("ASYMP_STORE", str(tmp_path / "store"))
    monkeypatch.chdir(tmp_path)
    rates = 'paper = {key = "reads", model = "model.py"}\nmodel = {rate = "whole n", other = "whole n"}\n'
    (tmp_path / "c.toml").write_text(rates + "".join(
        f'claim.{name}-1 = {{says = "{f}(n) = n^2", for = "n in 1..3"}}\n' for name, f in (("claim", "other"), ("lemma", "rate"))
    ))  # fmt: skip
    (tmp_path / ".hidden").mkdir()  # of which nothing is hashed
    (tmp_path / "model.py").write_text(
        "import sys\nfrom concurrent.futures import ThreadPoolExecutor\nfrom pathlib import Path\nsys.path.insert(0, '.hidden')\n"
        f"def rate(n):\n    return {asks} * n**2\n\ndef other(n):\n    return n**2\n"
    )
    for said, wanted in ((ones, "holds"), (twos, "refuted")):
        (tmp_path / file).write_text(said) if said else (tmp_path / file).unlink()
        found = check_all(["c.toml"], 1, True, trust=True)
        assert {name: str(verdict.outcome) for name, verdict in found.items()} == {"reads/lemma-1": wanted, "reads/claim-1": "holds"}
        assert len(list(Store(tmp_path / "store").files("verdict"))) == ("stat(" not in asks)


@pytest.mark.parametrize("imports", ["from beside import K", "from beside import *", "import beside; K = beside.K; del beside"])
def test_a_constant_from_elsewhere_is_part_of_what_a_verdict_hangs_on(imports, tmp_path, monkeypatch):
    monkeypatch.setenv("ASYMP_STORE", str(tmp_path / "store"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "p").mkdir()
    monkeypatch.chdir(tmp_path / "p")
    Path("c.toml").write_text(
        'paper = {key = "of", model = "model.py"}\nmodel = {rate = "whole n"}\nclaim.lemma-1 = {says = "rate(n) = n^2", for = "n in 1..3"}\n'
    )
    Path("model.py").write_text(f"import sys\nsys.path.insert(0, '{tmp_path}/elsewhere')\n{imports}\ndef rate(n):\n    return K * n**2\n")
    for said, wanted in (("K = 1", "holds"), ("K = 2 ", "refuted")):
        (tmp_path / "elsewhere" / "beside.py").write_text(said)
        (found,) = check_all(["c.toml"], 1, True, trust=True).values()
        assert str(found.outcome) == wanted
    assert len(list(Store(tmp_path / "store").files("verdict"))) == 2


def test_two_models_that_import_by_one_name_have_each_their_own(tmp_path, monkeypatch):
    monkeypatch.setenv("ASYMP_STORE", str(tmp_path / "store"))
    for key, said in (("a", "K = 1"), ("b", "K = 2")):
        folder = tmp_path / key
        folder.mkdir()
        (folder / "c.toml").write_text(
            f'paper = {{key = "{key}", model = "model.py"}}\nmodel = {{rate = "whole n"}}\n'
            'claim.lemma-1 = {says = "rate(n) = n^2", for = "n in 1..3"}\n'
        )
        (folder / "own.py").write_text(said)
        (folder / "model.py").write_text(
            "import os, sys\nsys.path.insert(0, os.path.dirname(__file__))\nfrom own import K\ndef rate(n):\n    return K * n**2\n"
        )
    files = [str(tmp_path / key / "c.toml") for key in "ab"]
    for wanted in (["holds", "refuted"], ["refuted", "refuted"]):
        assert [str(one.outcome) for one in check_all(files, 1, True, trust=True).values()] == wanted
        (tmp_path / "a" / "own.py").write_text("K = 3 ")


def test_nothing_is_kept_while_asymp_is_edited(again, monkeypatch):
    _, store, (*_, claims) = again
    one = claims[0]
    verdict = store.get("verdict", one["same"])["verdict"]
    store.clear()
    monkeypatch.setattr(sources, "_stamp", lambda file: (0, 0))
    stored.keep(store, one, {"checked": one["same"], "verdict": verdict})
    assert list(store.files("verdict")) == []
    monkeypatch.undo()
    stored.keep(store, one, {"checked": one["same"], "verdict": verdict})
    assert len(list(store.files("verdict"))) == 1


def test_the_command_lists_replays_and_clears(again, monkeypatch, capfd):
    _, store, _ = again
    monkeypatch.setenv("ASYMP_STORE", str(store.folder))
    (store.folder / "verdict" / ("0" * 64)).write_text("planted")
    assert main(["store", "--replay", "--quiet"]) == 0
    said = capfd.readouterr().out
    assert "kept: 5 verdicts, 4 theorems" in said and "4 theorems replayed, 0 not" in said and "(not written by asymp): 0 verdicts" in said
    assert main(["store", "--clear"]) == 0 and list(store.files("verdict")) == []
    monkeypatch.setenv("ASYMP_STORE", "off")
    assert main(["store"]) == 1


def test_a_test_of_claims_reads_the_store_and_writes_there(first, tmp_path, monkeypatch):
    from asymp import registry
    from asymp.testing import assert_as_expected

    monkeypatch.setenv("ASYMP_STORE", str(tmp_path / "store"))
    claim = registry.load_file(first[0] / "kept.toml")[3]
    before = assert_as_expected(claim)
    with monkeypatch.context() as patch:
        patch.setattr("asymp.check.check", None)
        assert assert_as_expected(claim) == before
        patch.setenv("ASYMP_STORE", "off")
        with pytest.raises(TypeError):
            assert_as_expected(claim)


def test_what_a_claim_says_is_the_same_in_every_process():
    """A hash of what is said of it is compared between processes: no order of a set may stand in it."""
    names = ["twoclass/figure-7-small", "mjsre/section-3.1-lindley", "mjsre/theorem-4.2-homogeneity"]
    text = (
        "import sys\nfrom asymp.command import claims\nfrom asymp.command.targets import resolve\n"
        "print([claims.key(resolve(one, False)[0].load(), False, '') for one in sys.argv[1:]])"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", text, *names], env={**os.environ, "PYTHONHASHSEED": str(seed)}, capture_output=True, text=True, check=True
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(found) == 1 and "None" not in found.pop()


def test_a_model_that_reads_a_file_while_it_is_loaded_is_not_kept(tmp_path):
    path, store = tmp_path / "claims.py", Store(tmp_path / "store")
    path.write_text(
        "from pathlib import Path\nfrom asymp.claim import Claim, Evidence, Outcome, Property, Source, Strength\n"
        "K = (Path(__file__).parent / 'data.txt').read_text()\n"
        "def test(): return [Evidence('enclosed', Outcome.HOLDS if K == '1' else Outcome.REFUTED, Strength.SUPPORTED, K)]\n"
        "CLAIMS = [Claim('my/a', Source('me', '1'), Property(test), 'K is one')]\n"
    )
    for said, wanted in (("1", "holds"), ("2", "refuted")):
        (tmp_path / "data.txt").write_text(said)
        found, started, *_ = run(path, store)
        assert started == ["my/a"] and found["my/a"]["outcome"] == wanted
    assert list(store.files("verdict")) == []
