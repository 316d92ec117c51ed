"""Machine code on disk: found again by other processes, and never once anything it was made from has changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import asymp
from asymp.sample import (
    assignment,
    compiler,
    counts,
    events,
    forward,
    jobs,
    kernels,
    observe,
    pile,
    runs,
    sandwich,
    stop_length,
    trajectory,
)

numba = pytest.importorskip("numba")

PROGRAM = """
import numpy as np
from asymp.sample import assignment
choose, order = assignment.chooser(), np.arange(9)
choose(order, np.uint64(1), np.uint64(2), 3, 4)
print(*order)
if hasattr(choose, "stats"):
    print(sum(choose.stats.cache_hits.values()), sum(choose.stats.cache_misses.values()), choose.stats.cache_path)
"""


def start(place: Path, program: str = PROGRAM, **variables: str) -> subprocess.Popen[str]:
    """A process in a copy of the package, warnings being errors."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON"))} | variables
    command = [sys.executable, "-B", "-W", "error", "-c", program]
    return subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def end(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert not err
    return out.splitlines()


def run(place: Path, **variables: str) -> tuple[str, str, str, str]:
    """(result, kernels found, kernels compiled, folder)."""
    result, counts = end(start(place, **variables))
    return (result, *counts.split(maxsplit=2))


@pytest.fixture
def copy(tmp_path):
    """A copy of the package without anything compiled."""
    shutil.copytree(
        Path(asymp.__file__).parent, tmp_path / "asymp", ignore=shutil.ignore_patterns("__pycache__", "*.csv")
    )
    return tmp_path


# --- processes -------------------------------------------------------------------------------------------------------


def test_a_change_in_a_module_that_a_kernel_calls_is_seen(copy):
    first = run(copy)
    assert first[1:3] == ("0", "1")
    assert Path(first[3]).parent == copy / "asymp" / "sample" / "__pycache__"
    second = run(copy)
    assert second == (first[0], "1", "0", first[3])
    # The kernel is in assignment.py, the constant in counter.py.
    source = copy / "asymp" / "sample" / "counter.py"
    text = source.read_text(encoding="utf-8")
    assert "0xD2511F53" in text
    source.write_text(text.replace("0xD2511F53", "0xD2511F55"), encoding="utf-8")
    third = run(copy)
    assert third[1:3] == ("0", "1")
    plain = end(start(copy, f"import warnings; warnings.simplefilter('ignore'){PROGRAM}", NUMBA_DISABLE_JIT="1"))
    assert third[0] == plain[0] != first[0]
    # What was compiled from the old sources is gone.
    assert len(list(Path(third[3]).iterdir())) == 1
    # Back again: compiled again, not found under the old name.
    source.write_text(text, encoding="utf-8")
    assert run(copy)[:3] == (first[0], "0", "1")


def test_several_processes_at_once(copy):
    found = [end(process) for process in [start(copy, NUMBA_CACHE_DIR=str(copy / "kept")) for _ in range(3)]]
    assert len({result for result, _ in found}) == 1
    last = run(copy, NUMBA_CACHE_DIR=str(copy / "kept"))
    assert last[:3] == (found[0][0], "1", "0")
    assert Path(last[3]).is_relative_to(copy / "kept")


def test_settings_of_the_compiler_keep_code_apart(copy):
    assert run(copy)[1:3] == ("0", "1")
    assert run(copy, NUMBA_BOUNDSCHECK="1")[1:3] == ("0", "1")


# --- in this process -------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Kernels of this test are kept in a folder of its own."""
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "kept"])
    compiler.folder.cache_clear()
    yield tmp_path / "kept"
    compiler.folder.cache_clear()


def adder(amount: Any) -> Any:
    """A kernel with a closure variable."""

    @compiler.jit()
    def add(x: Any) -> Any:
        return x + amount

    return add


def hits(kernel: Any) -> int:
    return sum(kernel.stats.cache_hits.values())


def test_closures_are_told_apart_by_their_values(kept):
    one, again, two = adder(1), adder(1), adder(2)
    assert (one(5), one(5.5), again(5), again(5.5)) == (6, 6.5, 6, 6.5)
    assert (hits(one), hits(again)) == (0, 2)
    assert len(list(kept.glob("*/*"))) == 2
    assert two(5) == 7
    assert hits(two) == 0
    assert len(list(kept.glob("*/*"))) == 1


def test_a_damaged_file_is_compiled_anew(kept):
    assert adder(1)(5) == 6
    (path,) = kept.glob("*/*")
    whole = path.read_bytes()
    place = whole.index(b"\x7fELF") - 1  # the length of the object code
    flipped = whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
    harmless = whole.replace(b"adder.<locals>.add", b"adder.<locals>.odd", 1)
    for damaged in (b"", whole[:50], whole[:-1], flipped, harmless, b"x" * 100):
        path.write_bytes(damaged)
        again = adder(1)
        assert again(5) == 6
        assert hits(again) == 0
        assert path.read_bytes() != damaged
    last = adder(1)
    last(5)
    assert hits(last) == 1


def test_nowhere_to_write(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "file"])
    compiler.folder.cache_clear()
    kernel = adder(1)
    assert kernel(5) == 6
    assert compiler.folder() is None
    assert kernel.stats.cache_path is None
    compiler.folder.cache_clear()


def test_the_next_place_is_taken(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "file", tmp_path / "kept"])
    compiler.folder.cache_clear()
    assert compiler.folder().parent == tmp_path / "kept"
    compiler.folder.cache_clear()


def test_fields_and_order_of_named_tuples_count():
    class Pair(NamedTuple):
        first: Any
        second: Any

    one = compiler.describe_type(numba.typeof(Pair(1.0, 2.0)))
    Pair._fields = ("second", "first")
    assert one != compiler.describe_type(numba.typeof(Pair(1.0, 2.0)))
    arrays = [np.zeros(3), np.zeros(3, np.float32), np.zeros((3, 3)), np.zeros(6)[::2]]
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    assert len({repr(compiler.describe_type(numba.typeof(a))) for a in [*arrays, frozen]}) == 5


def test_globals_that_a_kernel_calls_count(monkeypatch):
    before = compiler.describe(pile.climber())
    monkeypatch.setattr(pile, "CHUNK", pile.CHUNK + 1)
    assert before != compiler.describe(pile.climber())
    before = compiler.describe(observe.compiled())
    monkeypatch.setattr(jobs, "CHUNK", jobs.CHUNK + 1)  # three calls down
    assert before != compiler.describe(observe.compiled())


def test_what_is_not_known_is_not_kept(kept):
    with pytest.raises(TypeError, match="compiled code"):
        compiler.describe(object())
    kernel = adder(np.datetime64("2026-01-01").astype(object))  # a date, which numba does not know either
    with pytest.raises(numba.TypingError):
        kernel(5)
    assert not list(kept.glob("*/*"))


def test_every_kernel_is_kept():
    made = [
        jobs.filler(),
        pile.climber(),
        assignment.chooser(),
        assignment.climber(),
        observe.compiled(),
        forward.compiled(),
        counts.compiled(),
        kernels.cycle_sums(),
        events._open_kernel(),
        events._saturated_kernel(),
        stop_length._meet(),
        *runs.compiled(),
        *trajectory.compiled(),
        *sandwich.kernels(),
    ]
    for kernel in made:
        assert isinstance(kernel._cache, compiler.Kept), kernel
        assert repr(compiler.describe(kernel)) == repr(compiler.describe(kernel))
        assert " at 0x" not in repr(compiler.describe(kernel))
