"""A fault at some steps of a small run (all of them: benchmarks/faults/every_step.py), and what such faults have shown."""

from __future__ import annotations

import os
import re

import pytest

from asymp import cli
from asymp.command.journal import Journal
from asymp.command.store import Store
from benchmarks.faults import every_step


def test_faults_at_some_steps(tmp_path, capfd):
    """Each fault, in the middle of the run: the run says so, what it leaves is whole, the next run is right."""
    if every_step.compiled(tmp_path) is None:
        pytest.skip("no C compiler")
    assert every_step.main(["--only", "check", "--most", "1"]) == 0
    out = capfd.readouterr().out
    assert out.endswith("0 bad\n")
    came = [int(found) for found in re.findall(r"^  \S.*? +\d+ +\d+ +(\d+) +0 +[\d.]+$", out, re.MULTILINE)]
    assert len(came) == len(every_step.FAULTS)
    assert sum(map(bool, came)) >= 9  # a step that needs no room does not find the disk full


def test_what_is_resumed_keeps_its_certificate(tmp_path):
    entry = {"id": "me/x", "outcome": "holds", "strength": "proved", "evidence": [], "next_term": None, "seconds": 1.0}
    entry |= {"certificate": [{"rule": "order"}], "trusts": ["DLMF 5.11.2"], "statement": "of another day"}
    journal = Journal(str(tmp_path / "r.json"), resume=False)
    journal.add("key", entry)
    journal.close(remove=False)
    again = Journal(str(tmp_path / "r.json"), resume=True)
    found = again.taken({"id": "me/x", "key": "key", "entry": {"statement": "of now"}})
    again.close(remove=True)
    assert {**found, "id": "me/x"} == {**entry, "statement": "of now"}


def test_what_a_killed_process_left_in_the_store_goes(tmp_path):
    store = Store(tmp_path / "store")
    old, young = (tmp_path / "store" / "new" / name for name in ("old", "young"))
    for one in (old, young):
        one.write_bytes(b"half")
    os.utime(old, (0, 0))
    store.put("verdict", "a", {"id": "a"})
    assert Store(tmp_path / "store").get("verdict", "a") == {"id": "a"}
    assert (old.exists(), young.exists()) == (False, True)  # another process may be at it
    assert store.clear() == 1
    assert not young.exists()


def test_no_key_is_left_half_made(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    assert not Store(tmp_path / "store").is_open
    assert [one.name for one in (tmp_path / "store").rglob("*") if one.is_file()] == []


def test_no_memory_is_one_line(monkeypatch, capfd):
    def fail(_):
        raise MemoryError

    monkeypatch.setitem(cli.CHECKING, "merge", fail)
    assert cli.main(["merge", "x"]) == 1
    assert capfd.readouterr().err == "asymp: out of memory\n"
