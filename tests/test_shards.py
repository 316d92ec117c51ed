"""A run in parts is the run, whatever the order of the parts; what is not a part of it is refused."""

from __future__ import annotations

import contextlib
import io
import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from asymp.cli import main
from asymp.command.sample_parts import _Heard, joined, part_record, readable
from asymp.command.sample_parts import drawn as part_drawn
from asymp.command.shards import Shard, chosen
from asymp.command.usage import UsageError
from asymp.model import PARTS, Parts, named, sample
from asymp.sample.one_compiles import one_compiles
from asymp.sample.replicate import beforehand

TEXT = """
[paper]
key = "parts"
[variables]
n = "whole, >= 1"
[claim."lemma-1"]
says = "harmonic(n) ~ log(n)"
to = "n -> oo"
[claim."lemma-2"]
says = "n <= 1"
corrected = "n >= 1"
why = "n = 2"
[claim."lemma-3"]
says = "Sum(k, (k, 1, n)) = n*(n + 1)/2"
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """The folder of the record of one run, and of those of 1, 2 and 7 parts: what one part has found the next takes from the store."""
    folder = tmp_path_factory.mktemp("parts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ASYMP_STORE", str(folder / "store"))
        (folder / "parts.toml").write_text(TEXT)
        (folder / "other.toml").write_text(TEXT.replace("n <= 1", "n <= 2"))
        words = ["check", str(folder / "parts.toml"), "--quiet", "--json"]
        assert main([*words, str(folder / "whole.json")]) == 0
        for of in (1, 2, 7):
            for k in range(1, of + 1):
                assert main([*words, str(folder / f"{k}-of-{of}.json"), "--shard", f"{k}/{of}"]) == 0
        other = ["check", str(folder / "other.toml"), "--quiet", "--shard", "2/2", "--json", str(folder / "other.json")]
        assert main(other) == 0
    return folder


def read(path):
    return json.loads(path.read_text())


def untimed(data):
    return {**data, "claims": [{**one, "seconds": 0} for one in data["claims"]], "summary": {**data["summary"], "seconds": 0}}


@pytest.mark.parametrize("of", [1, 2, 7])
def test_the_parts_make_the_record_of_one_run(of, parts, tmp_path, capfd):
    files = [str(parts / f"{k}-of-{of}.json") for k in range(of, 0, -1)]
    assert main(["merge", *files, files[0], "--json", str(tmp_path / "merged.json")]) == 0
    assert untimed(read(tmp_path / "merged.json")) == untimed(read(parts / "whole.json"))
    assert "4 claims" in capfd.readouterr().out
    assert sum(len(read(parts / f"{k}-of-{of}.json")["claims"]) for k in range(1, of + 1)) == 4


def test_parts_are_of_one_size_and_do_not_hang_on_the_order():
    ids = [f"me/theorem-{k}" for k in range(100)]
    found = [chosen(ids, Shard(k, 7)) for k in range(1, 8)]
    assert {len(one) for one in found} == {14, 15} and sorted(one for some in found for one in some) == sorted(ids)
    assert [set(chosen(ids[::-1], Shard(k, 7))) for k in range(1, 8)] == list(map(set, found))


def outcome(data):
    data["claims"][0]["outcome"] = "undecided"


def statement(data):
    data["claims"][0]["statement"] += " "


def removed(data):
    del data["claims"][-1]


def added(data):
    data["claims"].append(dict(data["claims"][0], id="parts/more"))


def renamed(data):
    data["claims"][0]["id"] = "parts/other"


def turned(data):
    data["claims"].reverse()


def version(data):
    data["asymp"] = "0.0.1"


def program(data):
    data["shard"]["program"] = "0" * 64


def index(data):
    data["shard"]["index"] = 1


def beyond(data):
    data["shard"] |= {"index": 9}


def count(data):
    data["shard"]["of"] = 3


def options(data):
    data["shard"]["options"]["quick"] = True


def listed(data):
    data["shard"]["claims"] = data["shard"]["claims"][:-1]


def words(data):
    data["shard"]["claims"][0] = 7


def none(data):
    del data["shard"]


def seconds(data):
    data["summary"]["seconds"] = "soon"


EDITS = [outcome, statement, removed, added, renamed, turned, version, program, index, beyond, count, options, listed, words, none, seconds]


@pytest.mark.parametrize("edit", EDITS, ids=lambda one: one.__name__)
def test_what_is_no_part_of_the_run_is_refused(edit, parts, tmp_path, capfd):
    data = read(parts / "2-of-2.json")
    edit(data)
    (tmp_path / "edited.json").write_text(json.dumps(data))
    assert main(["merge", str(parts / "1-of-2.json"), str(tmp_path / "edited.json")]) == 2
    said = capfd.readouterr()
    assert said.out == "" and said.err.startswith("asymp merge: ") and said.err.count("\n") == 1 and "edited.json" in said.err


def test_a_part_that_is_missing_cut_short_or_of_another_file_is_refused(parts, tmp_path, capfd):
    files = [str(parts / f"{k}-of-7.json") for k in range(1, 8)]
    (tmp_path / "cut.json").write_text((parts / "2-of-2.json").read_text()[:-40])
    for given, why in (
        (files[:4] + files[5:], "part 5/7 is missing"),
        (files[:2], "part 3/7 and 4 more is missing"),
        ([str(parts / "1-of-2.json"), str(tmp_path / "cut.json")], "is no record of asymp check"),
        ([str(parts / "1-of-2.json"), str(parts / "other.json")], "is of other claims than"),
        ([str(parts / "whole.json")], "is the record of a whole run"),
        ([str(parts / "gone.json")], "No such file"),
    ):
        assert main(["merge", *given]) == 2
        said = capfd.readouterr().err
        assert why in said and said.count("\n") == 1


def test_two_copies_of_a_part_that_differ_are_refused(parts, tmp_path, capfd):
    from asymp.command.shards import _hash

    data = read(parts / "2-of-2.json")
    data["claims"][0]["outcome"] = "undecided"
    data["shard"]["found"] = _hash(data["claims"])
    (tmp_path / "copy.json").write_text(json.dumps(data))
    assert main(["merge", *(str(parts / f"{k}-of-2.json") for k in (1, 2)), str(tmp_path / "copy.json")]) == 2
    assert "are both part 2, and say different things of" in capfd.readouterr().err


@pytest.mark.parametrize("word", ["0/2", "3/2", "2", "1/0", "a/b", "1/2/3", "1/9999999", "-1/2", "\u0662/3"])
def test_a_part_that_there_is_not_is_refused(word, capfd):
    assert main(["check", "lfms/lemma-8.3", f"--shard={word}"]) == 2
    assert capfd.readouterr().err.count("\n") == 1


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """The folder of the result of a sample, and of the records of its 3 parts."""
    folder = tmp_path_factory.mktemp("drawn")
    words = ["sample", "lfms", "n=100", "p=0.1", "mu1=1", "mun=1", "--size", "300000", "--seed", "3", "--device", "cpu", "--quiet"]

    def write(name, *more):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            assert main([*words, *more]) == 0
        (folder / name).write_text(out.getvalue())

    write("whole.json", "--json")
    for k in (1, 2, 3):
        write(f"{k}-of-3.json", "--shard", f"{k}/3")
    return folder


def test_a_sample_in_parts_is_that_of_one_run_bit_for_bit(drawn, capfd):
    files = [str(drawn / f"{k}-of-3.json") for k in (3, 2, 1)]
    assert main(["merge", *files, files[0]]) == 0
    assert {**json.loads(capfd.readouterr().out), "seconds": 0} == {**read(drawn / "whole.json"), "seconds": 0}
    assert sum(len(read(Path(file))["blocks"]) for file in files) > 1


def test_what_is_no_part_of_the_sample_is_refused(drawn, tmp_path, capfd):
    def edited(edit):
        data = read(drawn / "3-of-3.json")
        edit(data)
        path = tmp_path / "edited.json"
        path.write_text(json.dumps(data))
        return str(path)

    first, second = (str(drawn / f"{k}-of-3.json") for k in (1, 2))
    block = next(iter(read(drawn / "3-of-3.json")["blocks"]))
    edits = (
        lambda data: data["blocks"][block][0].__setitem__(2, "AAAA"),
        lambda data: data["blocks"].pop(block),
        lambda data: data["sample"].update(seed=4),
        lambda data: data["sample"].update(size=10),
        lambda data: data["shard"].update(program="0"),
        lambda data: data["shard"].update(index=7),
        lambda data: data["shard"].update(run="another"),
        lambda data: data.update(blocks=[]),
        lambda data: data.pop("shard"),
    )
    for edit in edits:
        assert main(["merge", first, second, edited(edit)]) == 2
        said = capfd.readouterr()
        assert said.err.count("\n") == 1 and said.out == ""
    assert main(["merge", first, second]) == 2 and "part 3/3 is missing" in capfd.readouterr().err


RUNS = {
    "mjsre backward": ("mjsre", ["workload=table2-exponential", "rate=0.4"], 1500),
    "mjsre load": ("mjsre", ["workload=table2-exponential", "load=0.5"], 40),
    "mjsre forward": ("mjsre", ["workload=table2-exponential", "rate=0.4", "method=forward", "jobs=1000"], 600),
    "mjsre perfect": ("mjsre", ["workload=ones.csv", "servers=1", "rate=0.5", "method=perfect"], 2100),
    "mjsre-threshold": ("mjsre-threshold", ["workload=table2-exponential", "precision=0.01"], 10**7),
    "two-class": ("two-class", ["n1=1", "n2=3", "n=5", "p1=0.5", "mu1=1", "mu2=1", "lam=0.5"], 1500),
    "ilb": ("ilb", ["n=10", "theta=2", "rho=0.9"], 6400),
    "ilb by jobs": ("ilb", ["n=10", "theta=2", "rho=0.9", "law=deterministic", "policy=jsq"], 6400),
    "parallelps": ("parallelps", ["n=10", "d=2", "lam=0.5", "warmup=10"], 6400),
    "lfms": ("lfms", ["n=100", "p=0.1", "mu1=1", "mun=1"], 70_000),
}


@pytest.mark.parametrize("run", RUNS)
def test_every_workload_is_drawn_in_parts_bit_for_bit(run, tmp_path, monkeypatch):
    """By 3 parts, or by other numbers too where that costs nothing; some may be empty; joined in any order."""
    pytest.importorskip("numba")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ones.csv").write_text("servers,probability,mean_service\n1,1,1\n")
    name, values, size = RUNS[run]
    asked = readable(name, values, size, 3, "cpu")
    whole = sample(name, asked["parameters"], size, 3, "cpu")
    for of in (1, 2, 5) if name == "lfms" else (3,):
        paths = [str(tmp_path / f"{k}-of-{of}.json") for k in range(1, of + 1)]
        for k, path in enumerate(paths, 1):
            Path(path).write_text(json.dumps(part_drawn(k, of, asked)))
        assert replace(joined(paths[::-1]), seconds=0) == replace(whole, seconds=0)
        if of > 1:
            with pytest.raises(UsageError, match=f"part {of}/{of} is missing"):
                joined(paths[:-1])


def test_a_model_of_another_package_is_not_sampled_in_parts(monkeypatch):
    own = replace(named("lfms"), in_parts=False)
    monkeypatch.setattr("asymp.command.sample_parts.named", lambda _: own)
    with pytest.raises(ValueError, match="lfms is not sampled in parts"):
        readable("lfms", ["n=100", "p=0.1", "mu1=1", "mun=1"], 10, 0, "cpu")


def test_which_of_several_gpus_has_drawn_a_part_does_not_matter():
    """A part says of its device that it was a GPU; another kind of device is another run."""
    asked = {"model": "lfms", "size": 10, "seed": 0, "parameters": {}}
    told = [part_record(Shard(1, 1), asked | {"device": one}, Parts(1, 1))["sample"]["device"] for one in ("gpu:1", "gpu", "cpu")]
    assert told == ["gpu", "gpu", "cpu"]


def test_one_of_the_workers_of_a_machine_compiles(tmp_path, monkeypatch):
    """Until it draws blocks, and not what comes beforehand, the others wait; then none does, but for another model's kernels."""
    pytest.importorskip("numba")
    (tmp_path / "kernels").mkdir()
    monkeypatch.setattr("asymp.sample.compiler.folder", lambda: tmp_path / "kernels")
    asked = {"model": "mjsre", "device": "cpu", "parameters": {"workload": "cell-b", "load": "0.5"}}
    began, other = threading.Event(), threading.Event()

    def wait(event, asked):
        with one_compiles(asked):
            event.set()

    token = PARTS.set(Parts(1, 2))
    with one_compiles(asked) as begun:
        heard = _Heard(begun, None)
        second = threading.Thread(target=wait, args=(began, asked | {"parameters": {"workload": "cell-b", "load": "0.6"}}))
        second.start()
        with beforehand():
            heard(1, 2)
        assert not began.wait(0.2)
        heard(1, 2)
        assert began.wait(30)
        second.join()
    PARTS.reset(token)
    with one_compiles(asked), one_compiles(asked):  # neither waits
        pass
    with one_compiles(asked | {"model": "ilb"}):
        third = threading.Thread(target=wait, args=(other, asked | {"model": "lfms"}))
        third.start()
        assert not other.wait(0.2)
    assert other.wait(30)
    third.join()
