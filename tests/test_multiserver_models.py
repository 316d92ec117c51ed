"""``asymp sample mjsre`` and ``mjsre-threshold``: workloads by name and file, loads refused, one line for bad input."""

import json
import threading
from types import SimpleNamespace

import pytest

from asymp.cli import main
from asymp.command import progress as progress_module
from asymp.command.estimates import COLUMNS
from asymp.command.progress import SampleProgress
from asymp.model import named, sample
from asymp.queues.law_text import read_law
from asymp.queues.laws import BoundedPareto, Deterministic, Erlang, Exponential, HyperExponential
from asymp.queues.workload import ServerNeed, Workload
from asymp.sample.multiserver_models import describe, relabelled, stable_rate, workload_of
from asymp.sample.stability import Stability, is_stable, threshold


def one_line(capsys) -> str:
    captured = capsys.readouterr()
    # a slow machine may have shown progress before
    lines = [line for line in captured.err.splitlines(True) if not line.endswith((" ...\n", " %\n"))]
    assert captured.out == "" and len(lines) == 1 and "Traceback" not in captured.err
    return lines[0]


# --- words ------------------------------------------------------------------------------------------


def test_laws_in_a_word():
    assert read_law("exponential")(2.0) == Exponential(2.0) and read_law(" deterministic ")(2.0) == Deterministic(2.0)
    assert read_law("erlang:3")(2.0) == Erlang(3, 2.0)
    assert read_law("hyperexponential:0.01,50")(0.5) == HyperExponential.of_mean(0.5, (0.01, 0.99), (25.0,))
    assert read_law("bounded-pareto:400,1.4")(0.5) == BoundedPareto.of_mean(0.5, 400.0, 1.4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "unknown law"),
        ("gamma:2", "unknown law 'gamma'"),
        ("erlang", "is written erlang:PHASES"),
        ("erlang:2,3", "is written erlang:PHASES"),
        ("exponential:2", "is written exponential"),
        ("erlang:x", "phases must be a positive number"),
        ("erlang:1_0", "phases must be a positive number"),
        ("erlang:-1", "phases must be a positive number"),
        ("erlang:inf", "phases must be a positive number"),
        ("erlang:2.5", "phases must be an integer"),
        ("hyperexponential:0.5,2", "must be below 1"),
        ("hyperexponential:1,0.5", "must be below 1"),
        ("bounded-pareto:nan,1", "high must be a positive number"),
    ],
)
def test_words_that_are_no_law(text, words):
    with pytest.raises(ValueError, match=words):
        read_law(text)


def test_workloads_by_name_file_and_law(tmp_path):
    assert workload_of({"workload": "cell-b"}).servers == 2048
    assert workload_of({"workload": "cell-b", "servers": 4096}).servers == 4096
    (tmp_path / "my.csv").write_text("servers,probability,mean_service\n1,0.9,1\n4,0.1,2\n")
    mine = workload_of({"workload": str(tmp_path / "my.csv"), "servers": 8, "law": "erlang:2"})
    assert (
        mine.servers == 8
        and mine.name == "my"
        and [c.service for c in mine.classes] == [Erlang(2, 1.0), Erlang(2, 2.0)]
    )
    given = workload_of({"workload": "table2-exponential", "law": "bounded-pareto:400,1.4"})
    assert given.classes == workload_of({"workload": "table2-bounded-pareto"}).classes
    given = workload_of({"workload": "table2-exponential", "law": "hyperexponential:0.01,50"})
    assert given.service_cv == pytest.approx(workload_of({"workload": "table2-hyperexponential"}).service_cv)


BAD = [
    ([], "workload"),
    (["workload=cell-b"], "rate | load"),
    (["workload=cell-b", "rate=1", "load=0.5"], "rate | load"),
    (["workload=cell-c", "rate=1"], "did you mean cell-b"),
    (["workload=nofile.csv", "servers=3", "rate=1"], "workload=nofile.csv: No such file"),
    (["workload=.", "servers=3", "rate=1"], "workload=.: Is a directory"),
    (["workload=nofile.csv", "rate=1"], "'servers'"),
    (["workload=cell-b", "servers=100", "rate=1"], "cell-b, line 25: a job needs 120 servers"),
    (["workload=cell-b", "servers=0", "rate=1"], "servers=0"),
    (["workload=cell-b", "servers=2.5", "rate=1"], "servers=2.5"),
    (["workload=cell-b", "rate=nan"], "rate=nan"),
    (["workload=cell-b", "rate=-1"], "rate=-1"),
    (["workload=cell-b", "rate=inf"], "rate=inf"),
    (["workload=cell-b", "load=0"], "load=0"),
    (["workload=cell-b", "load=1"], "load=1"),
    (["workload=cell-b", "rate=5"], "rate=5 is unstable: rate 5 is not below s/E[alpha sigma] = 4.96"),
    (["workload=table2-exponential", "rate=1.9"], "rate=1.9 is unstable: rate 1.9 is above the threshold"),
    (["workload=table2-exponential", "load=0.9999"], "load=0.9999 is too near to the threshold 1.8"),
    (["workload=cell-b", "rate=1", "law=erlnag:3"], "did you mean erlang"),
    (["workload=table2-exponential", "rate=1", "law=bounded-pareto:3,1.4"], "class 4 (10 servers): the mean 3.33"),
    (["workload=cell-b", "rate=1", "interarrival=erlang"], "erlang:PHASES"),
    (["workload=cell-b", "rate=1", "method=magic"], "unknown method 'magic'"),
    (["workload=cell-b", "rate=1", "jobs=5"], "jobs= goes with method=forward"),
    (["workload=cell-b", "rate=1", "method=perfect", "checkpoint=x"], "checkpoint= goes with"),
    (["workload=cell-b", "rate=1", "checkpoint=no/such/x"], "checkpoint=no/such/x: no such folder"),
    (["workload=cell-b", "rate=1", "threads=0"], "threads=0"),
    (["workload=cell-b", "rate=1", "warmup=5"], "warmup= goes with method=forward"),
    (["workload=cell-b", "rate=1", "method=perfect", "--device", "gpu"], "method=perfect runs on a CPU"),
    (["workload=table2-erlang", "rate=1", "method=forward", "jobs=5", "warmup=5"], "warmup must be"),
    (["workload=cell-b", "rate=1", "detail=all"], "unknown detail 'all'"),
    (["workload=cell-b", "rate=1", "colour=red"], "unknown parameter 'colour'"),
    (["--size", "9", "workload=cell-b", "rate"], "unrecognized arguments: workload=cell-b rate"),
    (["workload=cell-b", "--size", "9", "rate=1", "rate=2"], "twice"),
    (["workload=cell-b", "rate=1", "--seed", str(1 << 64)], "seed"),
    (["workload=cell-b", "rate=1", "--size", str(10**13)], "size"),
]


@pytest.mark.parametrize(("words", "message"), BAD, ids=range(len(BAD)))
def test_bad_input_is_one_line_and_exit_2(capsys, words, message):
    assert main(["sample", "mjsre", *words]) == 2
    assert message in one_line(capsys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.csv is empty"),
        ("servers,probability,mean_service\n1,0.5,1\n2,0.4,1\n", "bad.csv, lines 2 to 3: probabilities sum to 0.9"),
        ("servers,probability,mean_service\n1,1,nan\n", "bad.csv, line 2: mean_service"),
        ("servers,probability,mean_service\n9,1,1\n", "bad.csv, line 2: a job needs 9 servers"),
    ],
)
def test_bad_files_are_one_line_that_names_the_row(capsys, tmp_path, text, message):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    for model in (["mjsre", "rate=1"], ["mjsre-threshold"]):
        assert main(["sample", *model, f"workload={path}", "servers=8"]) == 2
        assert message in one_line(capsys)


# --- loads ------------------------------------------------------------------------------------------


def test_rates_and_loads():
    workload = workload_of({"workload": "table2-exponential"})
    assert stable_rate(workload, {"rate": 0.5}, 0) == (0.5, {})  # below 1/E[sigma]: nothing to estimate
    rate, found = stable_rate(workload, {"rate": 1.5}, 0)
    low, high = found["load"].interval
    assert rate == 1.5 and low < found["load"].value < high and found["load"].value == 1.5 / found["threshold"].value
    rate, found = stable_rate(workload, {"load": 0.75}, 0)
    assert rate == 0.75 * found["threshold"].value and found["load"].value == pytest.approx(0.75)
    assert 0.74 < found["load"].interval[0] < 0.75 < found["load"].interval[1] < 0.76


def test_many_servers_need_no_pile():
    """While a job waits at most max alpha - 1 servers are idle: (s - max alpha + 1)/E[alpha sigma] is stable."""
    workload = workload_of({"workload": "table2-exponential", "servers": 10**6})
    bound = (10**6 - 14) / workload.mean_demand
    found = is_stable(workload, 0.999 * bound)
    assert found.stable and found.threshold is None and "max alpha" in found.why
    with pytest.raises(ValueError, match="do not fill 1000000 servers"):
        threshold(workload, most=10**5 + 1)


def test_rates_that_cannot_be_placed_are_refused(monkeypatch):
    undecided = Stability(None, "rate 1.8 is too near to the threshold")
    monkeypatch.setattr("asymp.sample.stability.is_stable", lambda *_, **__: undecided)
    with pytest.raises(ValueError, match=r"rate=1\.8 is not known to be stable: rate 1\.8 is too near"):
        stable_rate(workload_of({"workload": "table2-exponential"}), {"rate": 1.8}, 0)


def test_thresholds(capsys):
    """Section 8.2 of mjsre prints 1.84 for Erlang service; one server serves exponential jobs of mean 1 up to rate 1."""
    assert (
        main(["sample", "mjsre-threshold", "workload=table2-erlang", "precision=0.01", "--size", "1e7", "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)["estimates"]
    low, high = map(float, found["threshold"]["interval"])
    assert low < 1.84 < high < float(found["threshold-without-blocking"]["value"])
    assert main(["sample", "mjsre-threshold", "workload=cell-b", "precision=1"]) == 2
    assert "precision=1 is out of range" in one_line(capsys)
    assert main(["sample", "mjsre-threshold", "workload=cell-b", "rate=1"]) == 2
    assert "unknown parameter 'rate'" in one_line(capsys)
    assert main(["sample", "mjsre-threshold", "workload=cell-b", "--device", "gpu"]) == 2
    assert "device" in one_line(capsys)


def test_text_parameters():
    model = named("mjsre")
    assert model.read({"workload": " cell-b ", "rate": "1/2"}) == {"workload": "cell-b", "rate": 0.5}
    with pytest.raises(ValueError, match="workload= is blank"):
        model.read({"workload": " ", "rate": "1"})
    with pytest.raises(ValueError, match="missing parameter 'workload'"):
        model.read({"rate": "1"})


# --- runs -------------------------------------------------------------------------------------------


def test_a_file_is_sampled(capsys, tmp_path):
    """M/M/1 at load 1/2, service mean 1: mean wait 1, from a file; intervals of level 1 - 1e-9 in z."""
    path = tmp_path / "mm1.csv"
    path.write_text("servers,probability,mean_service\n1,1,1\n")
    words = ["sample", "mjsre", f"workload={path}", "servers=1", "rate=0.5", f"checkpoint={tmp_path / 'kept'}"]
    assert main([*words, "--size", "2000", "--seed", "5", "--json", "--device", "cpu"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["size"] == 2000 and record["seed"] == 5
    entry = record["estimates"]["waiting-mean"]
    assert abs(float(entry["value"]) - 1) < 6.2 * float(entry["stderr"])
    assert float(record["estimates"]["rate"]["value"]) == 0.5
    # again from the checkpoint, and without one: the same numbers
    assert main([*words, "--size", "2000", "--seed", "5", "--json", "--device", "cpu"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["estimates"] == record["estimates"]
    assert again["notes"][0].endswith("kept, which held 2000 of 2000 samples")
    assert main([*words[:-1], "--size", "2000", "--seed", "5", "--json", "--device", "cpu"]) == 0
    assert json.loads(capsys.readouterr().out)["estimates"] == record["estimates"]
    # another run's checkpoint
    assert main([*words, "--size", "2000", "--seed", "6"]) == 2
    assert "another run: seed is 5 there and 6 here" in one_line(capsys)
    (tmp_path / "kept").write_bytes(b"not a checkpoint")
    assert main([*words, "--size", "2000", "--seed", "5"]) == 2
    assert "is not a checkpoint" in one_line(capsys)


def test_text_output(capsys):
    words = ["sample", "mjsre", "workload=table2-erlang", "rate=0.5", "--size", "100", "--device", "cpu"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "5 classes: Algorithm 1 backward, first length" in lines[0] and lines[1].split() == [
        "rate",
        "0.5",
        "(exact)",
    ]
    assert next(line for line in lines if line.startswith("class")).split() == ["class", "probability", *COLUMNS]
    assert [line.split()[:2] for line in lines if line.startswith("[")] == [
        ["[1]", "0.5"], ["[2]", "0.1"], ["[5]", "0.2"], ["[10]", "0.19"], ["[15]", "0.01"],
    ]  # fmt: skip
    assert any(line.startswith("note: ") for line in lines) and max(map(len, lines)) <= 120
    assert lines[-1].startswith("size 100, seed 0") and lines[-1].endswith("level 0.99")
    assert main([*words, "detail=full"]) == 0
    full = capsys.readouterr().out
    assert "waiting-variance[15] " in full and "wasted-hol-printed" in full and "probability" not in full


def test_one_sample_and_samples_that_all_agree(capsys):
    words = ["sample", "mjsre", "workload=table2-exponential", "rate=0.001", "--device", "cpu", "--size"]
    assert main([*words, "1"]) == 0
    out = capsys.readouterr().out
    assert "+/- ?   [-inf, inf]" in out
    bias = next(line for line in out.splitlines() if line.startswith("early-stopping-bias"))
    assert bias.endswith("[0, inf]")  # one sample says nothing
    assert main([*words, "2"]) == 0
    assert "waiting-mean                  0 (in every sample)" in capsys.readouterr().out
    assert main(["sample", "mjsre-threshold", "workload=table2-exponential", "--size", "1000"]) == 2
    assert "at least 10^5, not 1000" in one_line(capsys)


def test_classes_that_need_as_many_servers_are_numbered():
    classes = tuple(
        ServerNeed(need, 0.25, Deterministic(mean)) for need, mean in ((4, 1.0), (1, 1.0), (4, 2.0), (4, 3.0))
    )
    found = describe(Workload(4, classes))
    assert [one["label"] for one in found] == ["4#1", "1", "4#2", "4#3"]
    assert found[2]["mean-service"] == "2.0" and found[2]["law"] == "deterministic" and found[2]["servers"] == 4
    assert list(relabelled({"waiting-p90[2]": 1, "rate": 2, "waiting-mean[0]": 3}, found)) == [
        "waiting-p90[4#2]", "rate", "waiting-mean[4#1]",
    ]  # fmt: skip


def test_interrupted_runs_say_what_is_kept(capsys, monkeypatch, tmp_path):
    def stopped(*_, progress, **__):
        progress(64, 100)
        progress(65, 100)
        raise KeyboardInterrupt

    monkeypatch.setattr("asymp.sample.multiserver.backward", stopped)
    words = ["sample", "mjsre", "workload=table2-erlang", "rate=0.5", "--size", "100"]
    assert main(words) == 130
    assert one_line(capsys) == "asymp sample: interrupted\n"
    assert main([*words, f"checkpoint={tmp_path / 'kept'}"]) == 130
    assert f"interrupted: 65 of 100 samples are kept in {tmp_path / 'kept'}" in one_line(capsys)


def test_stages_are_named_when_they_take_long(capsys, monkeypatch):
    """By a clock and timers of the test's own."""
    now, timers = [0.0], {}

    class Timer:
        def __init__(self, after, call, arguments):
            self.due, self.call = now[0] + after, lambda: call(*arguments)

        def start(self):
            timers[self] = self.due

        def cancel(self):
            timers.pop(self, None)

    def wait(seconds):
        now[0] += seconds
        for timer, due in list(timers.items()):
            if due <= now[0]:
                timer.cancel()
                timer.call()

    monkeypatch.setattr(progress_module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(progress_module, "threading", SimpleNamespace(Timer=Timer, Lock=threading.Lock))
    progress = SampleProgress()
    progress.stage("pilot runs")
    wait(progress.quiet / 2)
    progress.clear()  # a short one is not
    wait(progress.quiet)
    assert capsys.readouterr().err == ""
    progress.stage("samples")
    wait(progress.quiet)
    progress(1, 4)
    progress.clear()
    assert capsys.readouterr().err == "samples ...\nsamples  25.0 %\n"


@pytest.mark.parametrize("method", ["forward", "perfect"])
def test_other_methods(capsys, method):
    more = ["jobs=2000", "warmup=100"] if method == "forward" else []
    words = ["sample", "mjsre", "workload=table2-exponential", "rate=0.5", f"method={method}", *more]
    assert main([*words[:2], "--size", "32", *words[2:], "--json"]) == 0  # options may stand before the words
    record = json.loads(capsys.readouterr().out)
    assert record["size"] == 32 and record["estimates"]["waiting-mean[15]"]
    assert record["about"]["method"] == method and record["classes"][4]["label"] == "15"
    assert {"forward": "the first 100 of the 2000 jobs", "perfect": "dominating queue"}[method] in record["notes"][0]


def test_the_same_by_name_from_python():
    result = sample("mjsre", {"workload": "one-and-256", "load": "0.3"}, size=64, device="cpu")
    assert result.estimates["rate"].value == pytest.approx(0.3 * result.estimates["threshold"].value)
