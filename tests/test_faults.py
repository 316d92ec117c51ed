"""Faults: exits, kills, full disks, signals and limits; nothing is lost, silent or left behind (benchmarks/faults, in small)."""

from __future__ import annotations

import errno
import functools
import importlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from asymp.cli import main
from asymp.command import sources
from asymp.command.executor import End, Executor, Limits, Task
from asymp.command.guard import processes
from asymp.command.journal import Journal, RecordError
from asymp.command.worker import keep
from asymp.export import files, table
from benchmarks.faults import trials
from benchmarks.faults.stage import ENDING, HARMLESS, Stage, Tally, entries

QUICK = {f"quick-{k}": "time.sleep(0.02)" for k in range(6)}


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path / "stage")


@pytest.fixture
def here(stage: Stage, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., subprocess.CompletedProcess[str]]:
    """What ``stage.run`` says, from this process: where none of a process's own is looked at, its start takes longest."""
    monkeypatch.chdir(stage.folder)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(words, main([*words]), *capsys.readouterr())

    return run


def nothing_bad(tally: Tally) -> None:
    assert tally.notes == []


# --- the executor ----------------------------------------------------------------------------


def held() -> int:
    """Bytes of data of this process, which those that are forked from it hold too."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmData"))


@pytest.mark.parametrize(
    ("function", "arguments", "limits", "end", "detail"),
    [
        ("operator:add", (1, 2), Limits(), End.FINISHED, ""),
        ("operator:truediv", (1, 0), Limits(), End.RAISED, "ZeroDivisionError: division by zero"),
        ("sys:exit", (0,), Limits(), End.RAISED, "SystemExit: 0"),
        ("os:_exit", (0,), Limits(), End.DIED, "exit code 0"),
        ("os:abort", (), Limits(), End.DIED, "SIGABRT"),
        ("no.such.module:f", (), Limits(), End.RAISED, "ModuleNotFoundError: No module named 'no'"),
        ("builtins:object", (), Limits(), End.RAISED, "TypeError: Object of type object is not JSON serializable"),
        ("time:sleep", (60,), Limits(wall=0.3), End.TIMED_OUT, ""),
        (
            "builtins:sum",
            ([[1]],),
            Limits(),
            End.RAISED,
            "TypeError: unsupported operand type(s) for +: 'int' and 'list'",
        ),
        ("builtins:bytearray", (1 << 33,), Limits(memory=1 << 28), End.OUT_OF_MEMORY, "MemoryError"),
        ("tests.test_faults:spin", (), Limits(processor=1), End.OUT_OF_PROCESSOR, ""),
    ],
)
def test_every_task_has_a_typed_end(function, arguments, limits, end, detail):
    with Executor(limits=limits) as executor:
        ended = executor.one(Task(function, arguments))
        assert (ended.end, ended.detail) == (end, detail)
        assert executor.one(Task("operator:add", (2, 3))).value == 5  # and the next one is answered


def test_after_a_limit_the_next_is_answered_though_the_folder_is_gone(tmp_path, monkeypatch):
    """A worker is started for each task after one that a limit ended: what it needs may have gone since the first one."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    with Executor(limits=Limits(wall=0.5)) as executor:
        assert executor.one(Task("operator:add", (1, 2))).value == 3
        gone.rmdir()
        assert executor.one(Task("time:sleep", (60,))).end is End.TIMED_OUT
        assert [executor.one(Task("operator:add", (k, 2))).value for k in (3, 4)] == [5, 6]


@pytest.mark.parametrize("closed", ["2>&-", "<&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_standard_stream_is_not_taken_for_a_pipe(closed, tmp_path):
    file = tmp_path / "said"
    code = (
        "from asymp.command.executor import Executor, Task\n"
        "with Executor() as executor: ended = executor.one(Task('operator:add', (1, 2)))\n"
        f"open({str(file)!r}, 'w').write(f'{{ended.end}} {{ended.value}}')"
    )
    subprocess.run(["sh", "-c", f'exec "$0" -c "$1" {closed}', sys.executable, code], timeout=60, check=True)
    assert file.read_text(encoding="utf-8") == "finished 3"


def test_a_worker_that_cannot_serve_says_why(monkeypatch):
    monkeypatch.setattr("asymp.command.worker._high", lambda handle: 1 / 0)
    with Executor() as executor:
        ended = executor.one(Task("operator:add", (1, 2)))
        assert (ended.end, ended.detail) == (End.DIED, "ZeroDivisionError: division by zero")


def early(answer: object) -> None:
    """A task that has an answer, and goes on for ever."""
    keep("an older one")
    keep(answer)
    spin()


def test_what_a_task_had_when_a_limit_ended_it_is_kept_for_it_alone():
    with Executor(limits=Limits(processor=1)) as executor:
        ended = executor.one(Task("tests.test_faults:early", ({"x": 1},)))
        assert (ended.end, ended.value, ended.kept) == (End.OUT_OF_PROCESSOR, None, {"x": 1})
        assert executor.one(Task("tests.test_faults:spin")).kept is None
        assert executor.one(Task("os:_exit", (0,))).kept is None


def test_a_limit_ends_the_search_for_a_theorem_and_not_the_answer():
    from asymp.command.checking import kept
    from asymp.command.claims import check_claim, verdict_of
    from asymp.command.executor import Ended

    claim_id = "lfms/lemma-8.3"
    for whole in (False, True):
        told: list[dict] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("asymp.command.claims.keep", told.append)
            check_claim(claim_id, None, True)
        answer = kept(Ended(End.TIMED_OUT, kept=told[-1]), Limits(wall=2))
        found = verdict_of(claim_id, None, answer) if whole else answer["entry"]
        said = {name: getattr(found, name) if whole else found[name] for name in ("outcome", "strength", "no_theorem", "ended")}
        assert said == {
            "outcome": "refuted", "strength": "supported", "ended": "timed out",
            "no_theorem": "no answer within 2 seconds (--timeout)",
        }  # fmt: skip
        assert found.as_expected if whole else table.as_expected(found)


def test_the_memory_of_all_descendants_counts():
    with Executor(limits=Limits(memory=held() + (1 << 28))) as executor:
        assert executor.one(Task("tests.test_faults:swell")).end is End.OUT_OF_MEMORY
        assert executor.one(Task("operator:add", (2, 3))).value == 5


def spin() -> None:
    while True:
        pass


def swell() -> None:
    """Memory that no limit of the process itself sees: its children's."""
    for _ in range(8):
        if os.fork() == 0:
            kept = b"x" * (200 << 20)
            time.sleep(60 + len(kept) % 2)
    time.sleep(60)


def below() -> list[int]:
    """Children of this process, in other sessions: guards, and what one that was killed has left."""
    return [pid for pid, (up, session, _) in processes().items() if up == os.getpid() and session != os.getsid(0)]


def test_a_worker_that_dies_idle_costs_nothing():
    with Executor() as executor:
        executor.one(Task("operator:add", (1, 1)))
        for worker in executor._workers:
            os.killpg(worker.guard, signal.SIGKILL)
        time.sleep(0.1)
        assert executor.one(Task("operator:add", (2, 2))).value == 4
        assert below() == [worker.guard for worker in executor._workers]


def exit_soon() -> None:
    """What a thread does that a task has left."""
    threading.Timer(0.3, os._exit, [0]).start()


def test_a_death_that_an_earlier_task_caused_is_tried_again():
    with Executor() as executor:
        assert executor.one(Task("tests.test_faults:exit_soon")).end is End.FINISHED
        assert executor.one(Task("time:sleep", (2,))).end is End.FINISHED


def test_all_tasks_end_whatever_the_number_of_workers():
    tasks = [Task("os:_exit" if k % 3 == 1 else "operator:neg", (k,), str(k)) for k in range(12)]
    with Executor(3) as executor:
        ends = {int(task.name): ended for task, ended in executor.run(tasks)}
    assert sorted(ends) == list(range(12))
    assert [k for k in ends if ends[k].end is End.DIED] == [k for k in ends if k % 3 == 1]


def test_nothing_is_left_of_what_a_task_starts(stage):
    trials.exits_in_claims(stage, tally := Tally("exits"), random.Random(1))
    stage.look(tally)
    nothing_bad(tally)
    assert {"daemon", "fork"} <= set(HARMLESS) and len(ENDING) > 10


@pytest.mark.parametrize("name", ["killed_workers", "killed_parent", "two_at_once", "unwritable"])
def test_kills_and_collisions(name, stage, monkeypatch):
    monkeypatch.setattr(trials, "QUICK", QUICK)
    monkeypatch.setattr(trials, "MANY", {f"quick-{k}": "time.sleep(0.05)" for k in range(30)})
    getattr(trials, name)(stage, tally := Tally(name), random.Random(2))
    stage.look(tally)
    nothing_bad(tally)


def stop_what_watches(again: bool) -> None:
    """A task that stops its guard, once or for ever, and has something beside it that would outlive both."""
    guard = os.getppid()
    if os.fork() == 0:
        os.setsid()
        while again and os.getppid() != 1:
            os.kill(guard, signal.SIGSTOP)
            time.sleep(0.001)
        time.sleep(987)
    os.kill(guard, signal.SIGSTOP)
    time.sleep(987)


@pytest.mark.parametrize("again", [False, True])
def test_a_guard_that_is_stopped_leaves_nothing(again, monkeypatch):
    from asymp.command import executor as module

    monkeypatch.setattr(module, "PATIENCE", 1.0)
    with Executor(limits=Limits(wall=1)) as executor:
        assert executor.one(Task("operator:add", (2, 3))).value == 5
        assert executor.one(Task("tests.test_faults:stop_what_watches", (again,))).end is End.TIMED_OUT
        assert below() == []
        assert executor.one(Task("operator:add", (2, 3))).value == 5


def test_many_open_files_and_long_limits_are_no_trouble():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2048:
        pytest.skip("so many files cannot be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
    handles = []
    try:
        handles += [os.open(os.devnull, os.O_RDONLY) for _ in range(1100)]
        with Executor(limits=Limits(wall=10**9)) as executor:
            assert executor.one(Task("operator:add", (2, 3))).value == 5
    finally:
        for handle in handles:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_memory_is_shared_among_the_processes_that_there_are(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    with Executor(1000) as executor:
        assert executor.one(Task("operator:add", (2, 3))).value == 5
        assert [worker.parts for worker in executor._workers] == [2]
        assert len(list(executor.run([Task("operator:add", (k, 1), str(k)) for k in range(4)]))) == 4
        assert {worker.parts for worker in executor._workers} == {4}


def test_a_guard_that_is_told_to_end_before_it_is_ready_ends(monkeypatch):
    from asymp.command import executor as module

    real = module.guard
    monkeypatch.setattr(module, "guard", lambda *words: (time.sleep(0.3), real(*words)))
    monkeypatch.setattr(module, "PATIENCE", 20.0)
    killed = []
    monkeypatch.setattr(Executor, "_adopt", lambda _, worker: killed.append(worker))
    with Executor() as executor:
        executor._start()
    assert killed == []


# --- papers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", ["import sys; sys.exit(0)", "import os; os._exit(0)", "raise BaseException('x')"])
def test_a_paper_that_exits_is_no_success(code, stage):
    stage.paper("odd", f"{code}\n")
    stage.paper("good", trials.PAPER.replace("KEY", "good"))
    run = stage.run("check", "good", "odd", "--json", "r.json")
    assert run.returncode == 2
    assert entries(stage.folder / "r.json")["good/a"]["outcome"] == "holds"
    assert [line for line in run.stderr.splitlines() if "odd" in line]
    run = stage.run("list", "odd")
    assert run.returncode in (2, 3) and run.stderr.count("\n") == 1


# --- the record ------------------------------------------------------------------------------


TEXT = """
import time
from asymp.claim import Claim, Evidence, Outcome, Property, Source, Strength
from asymp.parse import claim
def test():
    time.sleep(SECONDS)
    return [Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, "fine")]
CLAIMS = [
    claim("my/a", "n = O(n^2)", to="n->oo", source="me, 1"),
    claim("my/b", "n = O(n^POWER)", to="n->oo", source="me, 1", expected="EXPECTED"),
    Claim("my/c", Source("me", "2"), Property(test), "takes time"),
]
"""


def test_only_what_is_still_the_same_is_taken_over(stage):
    path, partial = stage.folder / "claims.py", stage.folder / "r.json.partial"
    words = ["check", str(path), "--json", "r.json", "--jobs", "1", "--quick"]
    path.write_text(TEXT.replace("SECONDS", "600").replace("POWER", "3").replace("EXPECTED", "holds"))
    process = stage.start(*words)
    assert process.stdout is not None
    for _ in range(3):  # the header, a, b
        process.stdout.readline()
    process.kill()
    process.communicate()
    with open(partial, "ab") as file:
        file.write(b'{"key": "0", "ent')  # the line at which it was killed
    path.write_text(TEXT.replace("SECONDS", "0").replace("POWER", "(1/2)").replace("EXPECTED", "refuted"))
    run = stage.run(*words, "--resume")
    assert run.returncode == 0, run.stdout
    assert [line.split()[-1] for line in run.stderr.splitlines()] == ["my/b", "my/c"]
    assert [item["outcome"] for item in entries(stage.folder / "r.json").values()] == ["holds", "refuted", "holds"]
    assert not partial.exists()


def test_a_claim_that_is_changed_under_way_is_not_kept_under_its_old_key(tmp_path):
    from asymp.command.claims import check_claim, survey

    path = tmp_path / "claims.py"
    path.write_text(TEXT.replace("SECONDS", "0").replace("POWER", "3").replace("EXPECTED", "holds"))
    known = {one["id"]: sources.key(one["about"]) for one in survey(str(path), True)["claims"]}
    (tmp_path / "helper.py").write_text("x = 1\n")  # beside it: code that it may call
    assert check_claim("my/a", str(path), True, known=known["my/a"])["entry"]["outcome"] == "holds"
    with pytest.raises(RuntimeError, match="changed"):
        check_claim("my/c", str(path), True, known=known["my/c"])


def write(path: Path, *lines: str) -> str:
    path.write_text("\n".join([TEXT.split("CLAIMS")[0].replace("SECONDS", "0"), *lines, ""]), encoding="utf-8")
    return str(path)


EDITS = """
def edit():
    import pathlib
    path = pathlib.Path("claims.py")
    path.write_text(path.read_text().replace("n^3", "n^(1/2)"))
    return [Evidence("enclosed", Outcome.HOLDS, Strength.CERTIFIED, "fine")]
CLAIMS = [Claim("my/a", Source("me", "1"), Property(edit), "edits"), claim("my/b", "n = O(n^3)", to="n->oo", source="me, 1")]
"""


@pytest.mark.parametrize("words", [[], ["--json", "-"]])
def test_no_verdict_goes_to_a_statement_that_was_not_checked(words, stage, here):
    """With or without a record: a file that is edited under way was recorded as a false statement that is proved."""
    write(stage.folder / "claims.py", EDITS)
    run = here("check", "claims.py", "--quick", "--jobs", "1", *words)
    assert run.returncode == 1
    assert "changed while it waited" in run.stdout
    assert "1 proved" not in run.stdout and '"strength": "proved"' not in run.stdout


def test_a_verdict_is_not_shown_with_words_that_came_later(tmp_path):
    from asymp.command.claims import check_claim, verdict_of

    path = tmp_path / "claims.py"
    text = TEXT.replace("SECONDS", "0").replace("POWER", "3").replace("EXPECTED", "holds")
    path.write_text(text)
    answer = check_claim("my/b", str(path), True)
    assert verdict_of("my/b", str(path), answer).strength == "proved"
    path.write_text(text.replace("n^3", "n^(1/2)"))
    later = verdict_of("my/b", str(path), answer)
    assert (later.outcome, later.as_expected) == ("undecided", False) and "changed" in later.reason


def test_a_check_that_ended_early_is_never_as_expected(stage, here):
    odd = 'Claim("my/{0}", Source("me", "1"), Property({1}), "odd", expected=Outcome.UNDECIDED)'
    tests = {"exit": "lambda: __import__('os')._exit(0)", "raise": "lambda: 1 / 0", "nothing": "lambda: []"}
    write(stage.folder / "claims.py", "CLAIMS = [", *(odd.format(*pair) + "," for pair in tests.items()), "]")
    run = here("check", "claims.py")
    assert run.returncode == 1 and "1 NOT as expected" in run.stdout
    assert "NO: died" in run.stdout and "the process that checked it died (exit code 0)" in run.stdout
    assert here("show", "claims.py::my/exit").returncode == 1
    assert here("show", "claims.py::my/nothing").returncode == 0


def test_numbers_and_text_that_no_record_can_hold_cost_one_claim(stage, here):
    lines = [
        'def t1(): return [Evidence("sampled", Outcome.HOLDS, Strength.SUPPORTED, "x", next_term=float("nan"))]',
        'def t2(): return [Evidence("sampled", Outcome.HOLDS, Strength.SUPPORTED, "x" + chr(0xDC80))]',
        'CLAIMS = [Claim(f"my/{t.__name__}", Source("me", "1"), Property(t), "odd") for t in (t1, t2, test)]',
    ]
    write(stage.folder / "claims.py", *lines)
    run = here("check", "claims.py", "--json", "r.json")
    found = entries(stage.folder / "r.json")
    assert [one["outcome"] for one in found.values()] == ["undecided", "holds", "holds"], run.stderr
    assert "not finite" in found["my/t1"]["reason"] and run.returncode == 1


@pytest.mark.parametrize("place", ["home/pack/{deep}/helper.py", "home/claims.py", "elsewhere/{other}.py"])
def test_a_change_of_what_a_claim_calls_is_seen(place, tmp_path):
    """A helper below the folder, or in another one, named by a helper: --resume took the verdict of the old code."""
    from asymp.command import claims

    deep, other = f"deep_{tmp_path.name}", f"other_{tmp_path.name}"  # modules stay loaded
    for folder in (f"home/pack/{deep}", "elsewhere"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "elsewhere" / f"{other}.py").write_text("def f(): return 1\n")
    helper = f"import sys; sys.path.append({str(tmp_path / 'elsewhere')!r})\nfrom {other} import f\nsys.path.pop()\n"
    (tmp_path / "home" / "pack" / deep / "helper.py").write_text(helper)
    head = f"import sys; sys.path.append({str(tmp_path / 'home' / 'pack')!r})\nimport {deep}.helper as helper\nsys.path.pop()"
    path = tmp_path / "home" / "claims.py"
    write(path, head, "CLAIMS = [Claim('my/a', Source('me', '1'), Property(test), 'odd')]")

    def now() -> str:
        return sources.key(claims.survey(str(path), True)["claims"][0]["about"])

    claims._watched().clear()  # a survey has a process of its own: here other tests have read files before
    before = now()
    assert before == now() != ""
    changed = tmp_path / place.format(deep=deep, other=other)
    changed.write_text(changed.read_text() + "# changed\n")
    assert now() != before


def test_a_folder_of_too_many_files_costs_the_key_and_nothing_else(tmp_path, monkeypatch):
    from asymp.command import claims

    write(tmp_path / "claims.py", "CLAIMS = [Claim('my/a', Source('me', '1'), Property(test), 'odd')]")
    monkeypatch.setattr("asymp.command.sources.MOST_ENTRIES", 0)
    assert claims.survey(str(tmp_path / "claims.py"), True)["claims"][0]["about"] == ""
    assert claims.check_claim("my/a", str(tmp_path / "claims.py"), True, known="")["entry"]["outcome"] == "holds"


def test_keys_differ_where_the_question_does():
    from asymp.command.claims import key
    from asymp.parse import claim

    def of(text="n = O(n^2)", to="n->oo", quick=False, name="my/a", **others):
        return key(claim(name, text, to=to, source="me, 1", **others), quick)

    assert of() == of()
    others = [of("n = O(n^3)"), of(to="n->oo, p->0+"), of(quick=True), of(name="my/b"), of("n = o(n^2)")]
    assert len({of(), *others}) == 6


@pytest.mark.parametrize("fails_at", [1, 2, 4])
def test_a_full_disk_leaves_whole_lines_and_no_empty_file(fails_at, tmp_path, monkeypatch):
    path, calls = tmp_path / "r.json", []
    write = os.pwrite

    def full(handle, data, offset):
        calls.append(offset)
        if len(calls) >= fails_at:
            write(handle, data[:5], offset)
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(handle, data, offset)

    monkeypatch.setattr(os, "pwrite", full)

    def fill() -> None:
        journal = Journal(str(path), False)
        for k in range(9):
            journal.add(str(k), line(id=f"my/{k}"))

    with pytest.raises(RecordError, match="No space left"):
        fill()
    monkeypatch.undo()
    partial = tmp_path / "r.json.partial"
    if fails_at < 3:
        assert list(tmp_path.iterdir()) == []
    else:
        assert partial.read_bytes().endswith(b"\n")
        assert sorted(Journal(str(path), True).verdicts) == [str(k) for k in range(fails_at - 2)]


def line(**others) -> dict:
    """A verdict as a partial record has it."""
    entry = {"id": "my/b", "outcome": "holds", "strength": "proved", "evidence": [], "next_term": None, "seconds": 0.5}
    return entry | others


@pytest.mark.parametrize(
    "text",
    [
        "[1]", "17", '{"key": "0"}', '{"key": 3, "entry": ENTRY}', '{"key": ["0"], "entry": ENTRY}', '{"key": "", "entry": ENTRY}',
        '{"key": "0", "entry": {"outcome": "holds"}}', '{"key": "0", "entry": [[]]}', "[" * 100_000, '{"key": ' * 100_000, "\x00",
        *(json.dumps({"key": "0", "entry": line(**wrong)}) for wrong in (
            {"outcome": "maybe"}, {"strength": []}, {"evidence": ["x"]}, {"evidence": {}}, {"seconds": "1"}, {"seconds": 10**400},
            {"next_term": 3}, {"reason": 3}, {"meaning": "x"}, {"ended": "died"}, {"evidence": [{"a": float("nan")}]}, {"id": None},
        )),
    ],
)  # fmt: skip
def test_what_no_run_has_written_is_not_taken_and_the_rest_is(text, tmp_path):
    good = json.dumps({"key": "1", "entry": line()})
    text = text.replace("ENTRY", json.dumps(line()))
    (tmp_path / "r.json.partial").write_text(f'{{"partial": 1}}\n{text}\n{good}\n')
    journal = Journal(str(tmp_path / "r.json"), True)
    assert list(journal.verdicts) == ["1"]
    now = {"id": "my/b", "key": "1", "entry": {"id": "my/b", "expected": "refuted", "outcome": "undecided"}}
    taken = journal.taken(now)
    assert taken is not None and (taken["outcome"], taken["expected"]) == ("holds", "refuted")  # its own words are new
    assert journal.taken(now | {"id": "my/c"}) is None
    journal.close(remove=True)


def test_a_partial_record_of_another_version_is_refused_in_one_line(stage, here):
    (stage.folder / "r.json.partial").write_text('{"partial": 2}\n')
    run = here("check", str(stage.claims(QUICK)), "--json", "r.json", "--resume")
    assert run.returncode == 2 and run.stderr.count("\n") == 1 and "r.json.partial" in run.stderr
    assert (stage.folder / "r.json.partial").read_text() == '{"partial": 2}\n'


def test_the_record_takes_the_place_of_no_other_file(stage, here):
    path = stage.claims(QUICK, "r.partial")
    (stage.folder / "claims.py").write_bytes(path.read_bytes())
    (stage.folder / "link").symlink_to("claims.py")
    os.mkfifo(stage.folder / "pipe")
    for place, why in {
        "claims.py": "would take the place", "link": "would take the place", "r": "would take the place",
        "other.txt": "is no record", "pipe": "nobody reads", "/dev/full": "No space",
    }.items():  # fmt: skip
        (stage.folder / "other.txt").write_text("precious")
        run = here("check", "claims.py", "r.partial", "--json", place)
        assert run.returncode == 2 and why in run.stderr and run.stderr.count("\n") == 1, place
    assert stage.executions() == [] and (stage.folder / "claims.py").read_bytes() == path.read_bytes()
    for text in ("", '{"asymp": "0", "claims": []}'):
        (stage.folder / "q.json").write_text(text)
        assert here("check", "claims.py", "--json", "q.json").returncode == 0


def test_a_pipe_that_is_read_gets_the_record(stage):
    os.mkfifo(stage.folder / "pipe")
    process = stage.start("check", str(stage.claims(QUICK)), "--json", "pipe")
    with open(stage.folder / "pipe", encoding="utf-8") as pipe:
        assert len(json.load(pipe)["claims"]) == len(QUICK)
    process.communicate()
    assert process.returncode == 0


def test_one_run_at_a_time_has_the_record(tmp_path):
    path = str(tmp_path / "r.json")
    first = Journal(path, False)
    script = f"from asymp.command.journal import Journal\nJournal({path!r}, False)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "another run is writing" in run.stderr
    first.finish({"claims": []}, complete=True)
    assert [item.name for item in tmp_path.iterdir()] == ["r.json"]
    Journal(path, False).close(remove=True)


def test_a_planted_partial_record_is_not_followed_or_believed(tmp_path, monkeypatch):
    path, partial, other = tmp_path / "r.json", tmp_path / "r.json.partial", tmp_path / "other"
    other.write_text("precious")
    partial.symlink_to(other)
    with pytest.raises(RecordError, match="cannot be written"):
        Journal(str(path), False)
    assert other.read_text() == "precious"
    partial.unlink()
    partial.write_text('{"key": "0", "entry": {"outcome": "holds"}}\n')
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.raises(RecordError, match="another user"):
        Journal(str(path), True)
    assert "holds" in partial.read_text()


def test_a_file_that_cannot_grow_is_not_there_at_all(tmp_path):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    target = tmp_path / "figure.png"
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with pytest.raises(OSError, match="large"):
            files.write_bytes(target, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert list(tmp_path.iterdir()) == []
    files.write_bytes(target, b"x")
    assert target.read_bytes() == b"x"


# --- what is shown ---------------------------------------------------------------------------


def test_a_reader_that_leaves_and_marks_in_ascii(stage):
    trials.no_unicode(stage, tally := Tally("marks"), random.Random(3))
    path = stage.claims(QUICK)
    command = f"set -o pipefail; {sys.executable} -m asymp check {path} | head -1"
    run = subprocess.run(
        ["bash", "-c", command], env=stage.environment, cwd=stage.folder, capture_output=True, text=True, check=False
    )
    assert run.returncode == 141
    assert [line for line in run.stderr.splitlines() if not line.startswith("[")] == []
    nothing_bad(tally)


def test_the_three_strengths_are_told_apart():
    marks = {
        table.mark(outcome, strength, True) for outcome in ("holds", "refuted") for strength in ("supported", "none")
    }
    assert marks == {"~"}
    decided = {
        table.mark(o, s, a) for o in ("holds", "refuted") for s in ("proved", "certified") for a in (True, False)
    }
    assert decided == {"✓", "✗", "+", "x"}
    summary = dict.fromkeys("holds refuted undecided unexpected seconds".split(), 0)
    line = table.summary_line({**summary, "claims": 6, "proved": 1, "certified": 2, "supported": 3})
    assert "1 proved, 2 certified, 3 supported" in line


@pytest.mark.parametrize("words", [["check", "FILE::my/spin"], ["show", "FILE::my/spin"]])
def test_limits_hold_for_one_claim_and_one_process(words, stage, here):
    path = stage.claims({"spin": "spin()"})
    run = here(words[0], words[1].replace("FILE", str(path)), "--timeout", "5", "--jobs", "1")
    assert run.returncode == 1
    assert "no answer within 5 seconds (--timeout)" in run.stdout


def test_a_question_that_takes_too_long_has_a_typed_answer(here):
    words = "enclose lfms/throughput n=1e8 alpha=2 mu1=1 mun=1 --digits 50000 --json --timeout 1".split()
    run = here(*words)
    assert run.returncode == 1
    assert json.loads(run.stdout)["ended"] == "timed out"


def test_no_process_to_be_had_is_one_line(claim_file, capsys, monkeypatch):
    def full() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", full)
    for words in (["check", str(claim_file)], ["list", str(claim_file)]):
        assert main(words) == 2
        captured = capsys.readouterr()
        assert captured.out == "" and captured.err.count("\n") == 1


@pytest.mark.parametrize("closed", ["2>&-", "<&-", "2>&- <&-"])
def test_streams_that_are_closed_are_no_trouble(closed, stage):
    path = stage.claims(QUICK)
    command = ["bash", "-c", f"{sys.executable} -m asymp check {path} --json r.json {closed}"]
    run = subprocess.run(command, env=stage.environment, cwd=stage.folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0
    assert len(entries(stage.folder / "r.json")) == len(QUICK)


def test_a_claim_of_kept_functions_has_a_key_and_one_of_unknown_things_none(tmp_path, monkeypatch):
    from asymp.claim import Claim, Domain, Identity, Property, Source
    from asymp.command.claims import key

    def made(relation):
        return Claim("demo/x", Source("demo", "Lemma 1"), relation, "...")

    (tmp_path / "kept_functions.py").write_text("import functools\n@functools.lru_cache\ndef kept(n): return n\n")
    monkeypatch.syspath_prepend(tmp_path)
    kept = importlib.import_module("kept_functions").kept
    same = Identity(kept, kept, Domain("n = 1", ({"n": 1},), complete=True))
    assert key(made(same), True) == key(made(same), True) != ""
    assert key(made(same), True) != key(made(same), False)
    assert key(made(Property(functools.partial(print, object()))), True) == ""


# --- limits and usage ------------------------------------------------------------------------


def test_an_export_without_all_verdicts_is_no_success(stage):
    code = trials.PAPER.replace("KEY", "slow")
    stage.paper("slow", code + "\n_all = claims\ndef _wait():\n    import time; time.sleep(60)\n"
                "def claims():\n    from asymp.claim import Claim, Property, Source\n"
                "    return [*_all(), Claim('slow/z', Source('me', '1'), Property(_wait), 'takes time')]\n")  # fmt: skip
    run = stage.run("export", "slow", "--timeout", "2")
    assert run.returncode == 1, run.stderr
    assert "no answer within 2 seconds" in (stage.folder / "slow.tex").read_text()


def test_a_list_of_a_file_that_never_ends_has_a_limit():
    from asymp.command.arguments import build

    assert build("0").parse_args(["list"]).timeout == build("0").parse_args(["check"]).timeout == 300


@pytest.mark.parametrize("module", ["asymp.cli", "asymp.command.arguments", "json"])
def test_an_interruption_of_the_imports_is_quiet(module, stage):
    script = f"""
import os, signal, sys
from asymp.__main__ import run
sys.modules.pop("json", None)
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
run()
"""
    run = subprocess.run([sys.executable, "-c", script], env=stage.environment, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (-signal.SIGINT, "", "")
