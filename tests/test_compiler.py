"""Machine code on disk: found again by other processes, never once the text has changed, never where others could write."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import asymp
import benchmarks.planted as attacks
from asymp.sample import compiler

numba = pytest.importorskip("numba")

PROGRAM = """
import numpy as np
from asymp.sample.assignment import choose
order = np.arange(9)
choose(order, np.uint64(1), np.uint64(2), 3, 4)
print(*order)
if hasattr(choose.compiled, "stats"):
    stats = choose.compiled.stats
    print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()), stats.cache_path)
"""
needs_files = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners of files on this system")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="root alone can give files away")


def start(place: Path, program: str = PROGRAM, umask: int = -1, **variables: str) -> subprocess.Popen[str]:
    """A process in a copy of the package, warnings being errors."""
    dropped = ("NUMBA_", "PYTHON", compiler.SWITCH)
    environment = {k: v for k, v in os.environ.items() if not k.startswith(dropped)} | variables
    command = [sys.executable, "-B", "-W", "error", "-c", program]
    return subprocess.Popen(
        command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, umask=umask
    )


def end(process: subprocess.Popen[str]) -> list[str]:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert not err
    return out.splitlines()


def run(place: Path, umask: int = -1, **variables: str) -> tuple[str, str, str, str]:
    """(result, kernels found, kernels compiled, folder)."""
    result, counts = end(start(place, umask=umask, **variables))
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
    assert Path(first[3]).is_relative_to(copy / "asymp" / "sample" / "__pycache__")
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
    assert len(list(Path(third[3]).parents[1].iterdir())) == 1
    # Back again: compiled again, not found under the old name.
    source.write_text(text, encoding="utf-8")
    assert run(copy)[:3] == (first[0], "0", "1")


@needs_files
@pytest.mark.parametrize("umask", [0o002, 0o077])
def test_several_processes_at_once_and_their_umask(copy, umask):
    kept = str(copy / "kept")
    found = [end(process) for process in [start(copy, umask=umask, NUMBA_CACHE_DIR=kept) for _ in range(2)]]
    assert len({result for result, _ in found}) == 1
    last = run(copy, umask, NUMBA_CACHE_DIR=kept)
    assert last[:3] == (found[0][0], "1", "0")
    assert Path(last[3]).is_relative_to(kept)


@needs_files
def test_settings_of_the_compiler_keep_code_apart(copy):
    assert run(copy)[1:3] == ("0", "1")
    assert run(copy, NUMBA_BOUNDSCHECK="1")[1:3] == ("0", "1")
    assert run(copy)[1:3] == ("1", "0")


@needs_files
def test_a_package_that_is_installed_read_only(copy):
    """Its kernels go to the user's cache."""
    (copy / "asymp" / "sample" / "__pycache__").write_text("no folder can be made here")
    for expected in (("0", "1"), ("1", "0")):
        found = run(copy, HOME=str(copy / "home"), XDG_CACHE_HOME="")
        assert found[1:3] == expected
        assert Path(found[3]).is_relative_to(copy / "home" / ".cache")


@needs_files
def test_a_disk_that_is_full(copy):
    """From there on kernels are compiled in memory."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))"
    found = end(start(copy, f"{limit}{PROGRAM}"))
    assert found[1] == "0 1 None"
    assert run(copy)[0] == found[0]


def test_nowhere_to_write(copy):
    """Compiled in memory."""
    (copy / "file").write_text("")
    (copy / "asymp" / "sample" / "__pycache__").write_text("")
    found = run(copy, HOME=str(copy / "file"), NUMBA_CACHE_DIR=str(copy / "file"), XDG_CACHE_HOME="")
    assert found[1:] == ("0", "1", "None")


# --- in this process -------------------------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Kernels of this test are kept in a folder of its own."""
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "kept"])
    monkeypatch.delenv(compiler.SWITCH, raising=False)
    return tmp_path / "kept"


def files(kept: Path) -> list[Path]:
    return [path for path in kept.rglob("*") if path.is_file()]


@needs_files
@pytest.mark.parametrize("length", [0, 50, -1])
def test_a_file_that_was_cut_off_is_compiled_anew(length, kept):
    assert attacks.kernel()(5) == 7
    for path in files(kept):
        whole = path.read_bytes()
        path.write_bytes(whole[:length])
        again = attacks.kernel()
        assert again(5) == 7
        assert attacks.hits(again) == 0
        assert len(path.read_bytes()) > 100 and path.read_bytes().endswith(b".")
    last = attacks.kernel()
    assert last(5) == 7
    assert attacks.hits(last) == 1


@needs_files
@pytest.mark.parametrize("content", [b"x" * 99 + b".", b"\x80\x04."])
def test_a_damaged_file_is_not_used(content, kept, monkeypatch):
    monkeypatch.setattr(compiler.Kernel, "keep", True)
    assert attacks.kernel()(5) == 7
    for path in files(kept):
        path.write_bytes(content)
    again = attacks.kernel()
    assert again(5) == 7
    assert not compiler.Kernel.keep and again.compiled.stats.cache_path is None


@needs_files
def test_the_next_place_is_taken(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiler, "bases", lambda: [tmp_path / "file", tmp_path / "kept"])
    assert compiler.folder().is_relative_to(tmp_path / "kept")


@needs_files
def test_numba_takes_no_folder_that_was_not_looked_at(kept, monkeypatch):
    """Where it cannot write in the one that it is given it would take ``__pycache__`` beside the source."""
    place = compiler.folder()
    (place / "file").write_text("")
    monkeypatch.setattr(compiler, "folder", lambda: place / "file")
    kernel = attacks.kernel()
    assert kernel(5) == 7
    assert kernel.compiled.stats.cache_path is None


def test_numba_is_told_what_it_was_told_before(kept, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "elsewhere")
    assert attacks.kernel()(5) == 7
    assert numba.config.CACHE_DIR == "elsewhere"


@needs_files
def test_folders_are_made_for_us_alone(kept):
    before = os.umask(0)
    try:
        assert attacks.kernel()(5) == 7
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (compiler.folder() or kept, *kept.glob("*"), kept)]
    assert set(modes) == {0o700}


def test_no_place_is_relative(monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "cache")
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    for home in ("~", "", "home"):
        monkeypatch.setenv("HOME", home)
        assert compiler.bases() and all(place.is_absolute() and "~" not in place.parts for place in compiler.bases())
    monkeypatch.delenv("HOME")
    monkeypatch.setitem(sys.modules, "pwd", None)  # a user that the system does not know
    assert all(place.is_absolute() for place in compiler.bases())


# --- files that somebody else planted -----------------------------------------------------------------------------------


@pytest.fixture
def victim(tmp_path, monkeypatch):
    """What an attack in this folder needs to know, and the means to run the kernel as the attacked would."""
    monkeypatch.setattr(compiler, "SOURCES", Path("/dev/null"))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "learnt"))
    monkeypatch.setenv("HOME", str(tmp_path / "nowhere"))
    for name in ("XDG_CACHE_HOME", compiler.SWITCH):
        monkeypatch.delenv(name, raising=False)
    compiler.name.cache_clear()
    assert attacks.kernel()(5) == 7
    monkeypatch.chdir(tmp_path)
    yield attacks.learnt(tmp_path, tmp_path / "mark")
    compiler.name.cache_clear()


def answer(environment: attacks.Environment, patch: pytest.MonkeyPatch) -> Any:
    """What the kernel says."""
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
def test_what_was_safe_is_asked_again(victim, monkeypatch):
    """A folder that was opened to others after the first kernel was made is not used for the second."""
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(victim.folder / "cache"))
    assert attacks.kernel()(5) == 7
    place = compiler.folder()
    assert place is not None and place.is_relative_to(victim.folder / "cache")
    for index in place.rglob("*.nbi"):
        index.write_bytes(victim.content)
    place.chmod(0o777)
    assert attacks.kernel()(5) == 7
    assert not (victim.folder / "mark").exists()


def changed(kind: Callable[[int], bool], **fields: int) -> Callable[[Any], Any]:
    """``os.lstat`` that says so of the files, or of the folders."""
    asked = os.lstat

    def lstat(path: Any) -> Any:
        found = asked(path)
        if not kind(found.st_mode):
            return found
        names = ("st_mode", "st_uid", "st_nlink", "st_size")
        return SimpleNamespace(**{name: getattr(found, name) for name in names} | fields)

    return lstat


@needs_files
@pytest.mark.parametrize(("field", "value"), [("st_uid", 12345), ("st_mode", 0o100602), ("st_nlink", 2)])
def test_owners_and_modes_are_asked(field, value, victim, monkeypatch):
    """As a file of another user and the like, also where the tests do not run as root."""
    environment = attacks.safe(victim)
    monkeypatch.setattr(compiler.os, "lstat", changed(stat.S_ISREG, **{field: value}))
    assert answer(environment, monkeypatch) == 7
    assert not (victim.folder / "mark").exists()


@needs_files
def test_a_folder_of_somebody_else(victim, monkeypatch):
    environment = attacks.safe(victim)
    other = os.geteuid() + 1
    monkeypatch.setattr(compiler.os, "geteuid", lambda: other)  # now all that is ours is somebody else's
    assert answer(environment, monkeypatch) == 7
    assert not (victim.folder / "mark").exists()
