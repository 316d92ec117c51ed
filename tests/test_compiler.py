"""Machine code on disk: found again by other processes, and never once anything it was made from has changed."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import types
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

import asymp
import benchmarks.planted as attacks
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
    safe_folder,
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


needs_files = pytest.mark.skipif(
    not compiler.version_known() or not safe_folder.available(),
    reason="machine code is not kept with this version of numba, or on this system",
)


def start(place: Path, program: str = PROGRAM, **variables: str) -> subprocess.Popen[str]:
    """A process in a copy of the package, warnings being errors."""
    dropped = ("NUMBA_", "PYTHON", compiler.SWITCH)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(dropped)} | variables
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
    """A copy of the package without anything compiled, in which nobody else may write whatever the umask was."""
    shutil.copytree(
        Path(asymp.__file__).parent, tmp_path / "asymp", ignore=shutil.ignore_patterns("__pycache__", "*.csv")
    )
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o022)
    return tmp_path


# --- processes -------------------------------------------------------------------------------------------------------


@needs_files
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


@needs_files
def test_several_processes_at_once(copy):
    found = [end(process) for process in [start(copy, NUMBA_CACHE_DIR=str(copy / "kept")) for _ in range(3)]]
    assert len({result for result, _ in found}) == 1
    last = run(copy, NUMBA_CACHE_DIR=str(copy / "kept"))
    assert last[:3] == (found[0][0], "1", "0")
    assert Path(last[3]).is_relative_to(copy / "kept")


@needs_files
def test_settings_of_the_compiler_keep_code_apart(copy):
    assert run(copy)[1:3] == ("0", "1")
    assert run(copy, NUMBA_BOUNDSCHECK="1")[1:3] == ("0", "1")


# --- in this process -------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Kernels of this test are kept in a folder of its own."""
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "kept"])
    return tmp_path / "kept"


def adder(amount: Any) -> Any:
    """A kernel with a closure variable."""

    @compiler.jit()
    def add(x: Any) -> Any:
        return x + amount

    return add


def hits(kernel: Any) -> int:
    return sum(kernel.stats.cache_hits.values())


@needs_files
def test_closures_are_told_apart_by_their_values(kept):
    one, again, two = adder(1), adder(1), adder(2)
    assert (one(5), one(5.5), again(5), again(5.5)) == (6, 6.5, 6, 6.5)
    assert (hits(one), hits(again)) == (0, 2)
    assert len(list(kept.glob("*/*"))) == 2
    assert two(5) == 7
    assert hits(two) == 0
    assert len(list(kept.glob("*/*"))) == 1


@needs_files
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
    kernel = adder(1)
    assert kernel(5) == 6
    assert compiler.folder() is None
    assert kernel.stats.cache_path is None


@needs_files
def test_the_next_place_is_taken(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "file", tmp_path / "kept"])
    assert compiler.folder().parent == tmp_path / "kept"


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


@needs_files
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


# --- files that somebody else planted -----------------------------------------------------------------------------------


@pytest.fixture
def victim(tmp_path, monkeypatch):
    """What an attack in this folder needs to know, and the means to run the kernel as the attacked would."""
    monkeypatch.setattr(compiler, "SOURCES", Path("/dev/null"))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "learnt"))
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    for name in ("XDG_CACHE_HOME", compiler.SWITCH):
        monkeypatch.delenv(name, raising=False)
    assert attacks.kernel()(5) == 7
    (name,) = [path.name for path in compiler.folder().iterdir()]
    own, kept = compiler.bases()[0].name.removeprefix("asymp-"), compiler.folder().name
    monkeypatch.chdir(tmp_path)
    return attacks.Place(tmp_path, own, kept, name, attacks.planted(tmp_path / "mark"))


def answer(environment: attacks.Environment, patch: pytest.MonkeyPatch) -> int:
    patch.setattr(numba.config, "CACHE_DIR", environment.get("NUMBA_CACHE_DIR") or "")
    for name, value in environment.items():
        if value is None:
            patch.delenv(name, raising=False)
        else:
            patch.setenv(name, value)
    return attacks.kernel()(5)


@needs_files
def test_a_file_that_we_alone_could_have_written_is_trusted(victim, monkeypatch):
    """The control: without it the tests below could not fail."""
    assert answer(attacks.safe(victim), monkeypatch) == 7
    assert (victim.folder / "mark").exists()


@needs_files
@pytest.mark.parametrize("way", attacks.WAYS, ids=lambda way: way.__name__)
def test_nothing_planted_runs(way, victim, monkeypatch):
    assert answer(way(victim), monkeypatch) == 7
    assert not (victim.folder / "mark").exists()


@needs_files
@pytest.mark.parametrize(("field", "value"), [("st_uid", 12345), ("st_mode", 0o100660), ("st_nlink", 2)])
def test_the_open_handle_is_asked(field, value, victim, monkeypatch):
    """As a file of another user and the like, also where the tests do not run as root."""
    environment = attacks.safe(victim)
    asked = os.fstat

    def fstat(handle: int) -> Any:
        found = asked(handle)
        if not stat.S_ISREG(found.st_mode):
            return found
        names = ("st_mode", "st_uid", "st_nlink", "st_size")
        return SimpleNamespace(**{name: getattr(found, name) for name in names} | {field: value})

    monkeypatch.setattr(safe_folder.os, "fstat", fstat)
    assert answer(environment, monkeypatch) == 7
    assert not (victim.folder / "mark").exists()


@needs_files
def test_a_folder_of_somebody_else(victim, monkeypatch):
    environment = attacks.safe(victim)
    other = os.geteuid() + 1
    monkeypatch.setattr(safe_folder.os, "geteuid", lambda: other)  # now all that is ours is somebody else's
    assert answer(environment, monkeypatch) == 7
    assert not (victim.folder / "mark").exists()


@needs_files
def test_a_file_replaced_between_check_and_read(victim, monkeypatch):
    environment = attacks.safe(victim)
    path = victim.folder / "cache" / f"asymp-{victim.own}" / victim.kept / victim.name
    path.unlink()
    assert answer(environment, monkeypatch) == 7  # an honest file now
    asked, times = os.fstat, []

    def fstat(handle: int) -> Any:
        found = asked(handle)
        if stat.S_ISREG(found.st_mode):
            times.append(handle)
            path.with_suffix(".new").write_bytes(victim.content)
            os.replace(path.with_suffix(".new"), path)
        return found

    monkeypatch.setattr(safe_folder.os, "fstat", fstat)
    kernel = attacks.kernel()
    assert kernel(5) == 7
    assert times and hits(kernel) == 1
    assert not (victim.folder / "mark").exists()


@needs_files
def test_what_was_safe_is_asked_again(victim, monkeypatch):
    """A folder that was opened to others after the first kernel was loaded is not used for the second."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(victim.folder / "cache"))
    assert adder(1)(5) == 6
    (inner,) = (victim.folder / "cache").glob("*/*")
    (inner / victim.name).write_bytes(victim.content)
    inner.chmod(0o777)
    assert attacks.kernel()(5) == 7
    assert not (victim.folder / "mark").exists()


@needs_files
def test_files_are_made_for_us_alone(kept):
    before = os.umask(0)
    try:
        assert adder(1)(5) == 6
    finally:
        os.umask(before)
    (path,) = kept.glob("*/*")
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent, kept)] == [0o600, 0o700, 0o700]


def test_no_place_is_relative(monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    for home in ("~", "", "home"):
        monkeypatch.setenv("HOME", home)
        assert compiler.bases() and all(place.is_absolute() and "~" not in place.parts for place in compiler.bases())
    monkeypatch.delenv("HOME")
    monkeypatch.setitem(sys.modules, "pwd", None)  # a user that the system does not know
    assert all(place.is_absolute() for place in compiler.bases())


@pytest.mark.parametrize("version", ["0.59.1", "0.99.0", "1.0", "next"])
def test_other_versions_of_numba_compile_in_memory(version, kept, monkeypatch):
    monkeypatch.setattr(numba, "__version__", version)
    compiler.version_known.cache_clear()
    try:
        kernel = adder(1)
        assert not compiler.version_known() and not isinstance(kernel._cache, compiler.Kept)
        assert kernel(5) == 6
    finally:
        compiler.version_known.cache_clear()
    assert not kept.exists()


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("numba.core.caching", "_Cache"),
        ("numba.core.serialize", "dumps"),
        ("numba.core.compiler.CompileResult", "_rebuild"),
        ("numba.core.compiler.CompileResult", "_reduce"),
        ("numba.core.codegen.CPUCodegen", "magic_tuple"),
        ("numba.core.codegen.CodeLibrary", "has_dynamic_globals"),
    ],
)
def test_without_an_interface_of_numba_kernels_are_compiled(owner, name, kept, monkeypatch):
    monkeypatch.delattr(f"{owner}.{name}")
    before = numba.njit(lambda x: x + 1)
    assert not compiler.interfaces_known(before)
    monkeypatch.undo()
    assert compiler.interfaces_known(before) or not compiler.version_known()


@needs_files
def test_these_interfaces_are_in_the_installed_numba():
    assert compiler.interfaces_known(numba.njit(lambda x: x + 1))
    assert not compiler.interfaces_known(lambda x: x + 1)


def test_a_module_or_class_of_ones_own_is_part_of_the_key():
    module = types.ModuleType("mine")
    with pytest.raises(TypeError, match="compiled code"):
        compiler.describe(module)

    class Pair(NamedTuple):
        first: Any
        second: Any

    before = repr(compiler.describe(Pair))
    Pair._fields = ("second", "first")
    assert repr(compiler.describe(Pair)) != before
    assert compiler.source(__name__) in before
