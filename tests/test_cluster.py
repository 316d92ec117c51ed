"""A cluster does what one machine does, whatever becomes of its workers."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from asymp.cli import main
from asymp.command import cluster, remote, sources
from asymp.command.arguments import build, parse
from asymp.command.cluster import Cluster
from asymp.command.executor import End, Executor, Task
from asymp.command.guard import processes
from asymp.command.usage import UsageError

TEXT = """
[paper]
key = "many"
[variables]
n = "whole, >= 1"
[claim."lemma-1"]
says = "n >= 1"
[claim."lemma-2"]
says = "n <= 1"
"""


def test_the_ends_are_those_of_one_machine_though_a_worker_is_killed(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "many.toml").write_text(TEXT)
    claim = ("many/lemma-2", str(tmp_path / "many.toml"), True)
    tasks = [Task("asymp.command.claims:check_claim", claim, "claim"), Task("operator:add", (1, 2), "sum")]
    tasks += [Task("time:sleep", (0.2,), f"rest {k}") for k in range(3)]
    tasks += [Task("sys:exit", (0,), "exits"), Task("os:abort", (), "aborts")]

    def ends(runner, between=lambda: None):
        found = {}
        for task, ended in runner.run(tasks):
            assert task.name not in found
            found[task.name] = ended
            between()
        return {name: (one.end, untimed(one.value), one.detail) for name, one in found.items()}

    with Executor() as executor:
        wanted = ends(executor)
        assert wanted["aborts"][0] is End.DIED
        assert wanted["claim"][1]["entry"]["outcome"] == "refuted"
        killed = []
        executor.jobs = 2
        there = Cluster(executor, cluster.HERE, [claim[1]])
        assert ends(there, lambda: killed or killed.append(kill_one())) == wanted
    assert killed == [True]
    assert not below()


def untimed(value):
    if isinstance(value, dict):
        return {name: untimed(one) for name, one in value.items() if name != "seconds"}
    return value


def below():
    """Processes below this one that run Dask's workers."""
    known = processes()
    found = {os.getpid()}
    while more := {pid for pid, (parent, *_) in known.items() if parent in found} - found:
        found |= more
    return [pid for pid in found if b"spawn_main" in read(f"/proc/{pid}/cmdline")]


def read(path):
    with contextlib.suppress(OSError):
        return Path(path).read_bytes()
    return b""


def kill_one():
    os.kill(max(below()), signal.SIGKILL)
    return True


def test_another_program_or_file_is_refused(tmp_path):
    file = tmp_path / "claims.toml"
    file.write_text(TEXT)
    batch = {"program": sources.digest("all"), "folder": str(tmp_path), "files": remote.prints([str(file)]), "tasks": []}
    here = os.getcwd()
    try:
        assert remote.answered(batch, None) == {"ends": []}
        file.write_text(TEXT + " ")
        assert remote.answered(batch, None) == {"refused": f"{file} is not what it is here"}
        file.unlink()
        assert remote.answered(batch, None) == {"refused": f"{file} is not there"}
        assert "refused" in remote.answered({**batch, "folder": str(tmp_path / "no")}, None)
        assert "refused" in remote.answered({**batch, "program": "0" * 64}, None)
    finally:
        os.chdir(here)


def test_a_batch_that_takes_long_gives_back_what_it_has_not_begun(tmp_path, monkeypatch):
    monkeypatch.setattr(remote, "SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    batch = {"program": sources.digest("all"), "folder": str(tmp_path), "files": {}}
    with Executor() as executor:
        found = remote.answered({**batch, "tasks": [["operator:add", [1, 2]], ["operator:add", [3, 4]]]}, executor)
    assert [(place, one["value"]) for place, one in found["ends"]] == [(0, 3)]


def test_without_dask_one_line_says_what_to_install(monkeypatch, capfd):
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    for words in (["check", "lfms/lemma-8.3", "--cluster"], ["sample", "lfms", "n=100", "--cluster"]):
        assert main(words) == 2
        assert capfd.readouterr().err == f'asymp {words[0]}: --cluster needs Dask: pip install "asymp[cluster]"\n'
    with pytest.raises(UsageError):
        Cluster(Executor(), cluster.HERE)


@pytest.mark.parametrize("words", [["--cluster", "lfms"], ["lfms", "--cluster"], ["--cluster=here", "lfms"]])
def test_the_word_behind_is_an_address_only_if_it_is_one(words):
    arguments = parse(build("0"), ["check", *words])
    assert (arguments.cluster, arguments.targets) == (cluster.HERE, ["lfms"])


def test_addresses(capfd):
    arguments = parse(build("0"), ["check", "--cluster", "tls://node:8786", "lfms"])
    assert (arguments.cluster, arguments.targets) == ("tls://node:8786", ["lfms"])
    for words in (["check", "--cluster=node"], ["check", "--cluster", "http://x"], ["sample", "lfms", "--cluster", "tcp://"]):
        assert main(words) == 2
        assert capfd.readouterr().err.count("\n") == 1


HOLDING = """
import time
from multiprocessing import get_context
from pathlib import Path

from asymp.command.cluster import _tracked


def hold(path):
    _tracked()
    held.append(get_context("spawn").Semaphore())
    Path(path).write_text(held[0]._semlock.name)
    Path(path).with_suffix(".there").touch()
    time.sleep(60)


held = []
"""


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="semaphores are no files here")
def test_a_command_that_is_killed_leaves_no_semaphores(tmp_path):
    """Those of Dask's queues have names until the process that removes them is told that all who use them have ended."""
    (tmp_path / "holding.py").write_text(HOLDING)
    name = tmp_path / "name"
    run = "from asymp.command.executor import Executor, Task\nwith Executor() as one: one.one(Task('holding:hold', ({!r},)))"
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    command = subprocess.Popen([sys.executable, "-c", run.format(str(name))], env=os.environ | {"PYTHONPATH": path})
    try:
        assert soon(name.with_suffix(".there").exists)
    finally:
        command.kill()
        command.wait()
    semaphore = Path("/dev/shm") / f"sem.{name.read_text().removeprefix('/')}"
    assert soon(lambda: not semaphore.exists())


def soon(what):
    """Whether something is so within half a minute."""
    end = time.monotonic() + 30
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return what()
