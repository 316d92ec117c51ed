"""Files planted where machine code is kept: does any of them run?

Each way puts files that would leave a mark if they were loaded where a careless cache would look: under the very names
that a kernel's machine code has.  A fresh process then runs the kernel.  The first line is the control: a file that this
user alone can write, in a safe folder, is trusted as his own programs are, and does run.

    python -m benchmarks.planted

prints a line a way and exits 1 if a planted file ran, or a result was wrong.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asymp.sample import compiler

ROOT = Path(__file__).resolve().parents[1]
NOBODY = 65534
AMOUNT = 2
PROGRAM = """
from pathlib import Path
from asymp.sample import compiler
from benchmarks.planted import kernel
compiler.SOURCES = Path("/dev/null")
print(kernel()(5))
"""


def kernel() -> compiler.Kernel:
    """A kernel that adds 2, as a new process would have it."""
    return compiler.Kernel(_add, cache=True)


def _add(x: Any) -> Any:
    return x + AMOUNT


def hits(one: compiler.Kernel) -> int:
    """How often its machine code was found."""
    return sum(one.compiled.stats.cache_hits.values())


@dataclass(frozen=True)
class _Mark:
    """Pickled, what leaves a mark when it is loaded."""

    path: str

    def __reduce__(self) -> Any:
        return os.makedirs, (self.path, 0o700, True)


@dataclass(frozen=True)
class Place:
    """Where an attack takes place: a folder of its own, the names that the cache uses, and the planted file."""

    folder: Path
    names: tuple[Path, ...]  # of the files, relative to the cache directory
    content: bytes

    def files(self, base: Path, mode: int = 0o700) -> list[Path]:
        """The planted files in a cache directory, all folders made from here on being of the mode."""
        out = [base / name for name in self.names]
        for path in out:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.content)
            path.chmod(0o600)
            for one in path.parents:
                if one.is_relative_to(base):
                    one.chmod(mode)
        return out


def learnt(folder: Path, mark: Path) -> Place:
    """What an attack needs to know, from a run that kept its machine code in ``folder / "learnt"``."""
    names = tuple(path.relative_to(folder / "learnt") for path in (folder / "learnt").rglob("*.nb*"))
    return Place(folder, names, pickle.dumps(_Mark(str(mark))))


Environment = dict[str, str | None]
"""Variables set for the process, None for those that are unset."""


def safe(place: Place) -> Environment:
    """The control: a folder that is safe."""
    place.files(place.folder / "cache")
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def open_to_all(place: Place) -> Environment:
    """NUMBA_CACHE_DIR that everybody may write in."""
    place.files(place.folder / "cache", 0o777)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def open_above(place: Place) -> Environment:
    """A safe folder in one that everybody may rename it in."""
    above = place.folder / "above"
    place.files(above / "cache")
    above.chmod(0o777)
    return {"NUMBA_CACHE_DIR": str(above / "cache")}


def open_to_the_group(place: Place) -> Environment:
    """A folder that the group may write in."""
    place.files(place.folder / "cache", 0o770)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def readable(place: Place) -> Environment:
    """A folder that is not of mode 0700."""
    place.files(place.folder / "cache", 0o755)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def file_open_to_all(place: Place) -> Environment:
    """A safe folder, and a file in it that everybody may write."""
    for path in place.files(place.folder / "cache"):
        path.chmod(0o666)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def linked_file(place: Place) -> Environment:
    """A symbolic link under the name of the file."""
    for path in place.files(place.folder / "cache"):
        path.rename(place.folder / path.name)
        path.symlink_to(place.folder / path.name)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def hard_link(place: Place) -> Environment:
    """A file of two names."""
    for path in place.files(place.folder / "cache"):
        os.link(path, place.folder / path.name)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def linked_folder(place: Place) -> Environment:
    """A symbolic link to a folder that everybody may write in."""
    place.files(place.folder / "theirs", 0o777)
    (place.folder / "cache").symlink_to(place.folder / "theirs")
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def pipe(place: Place) -> Environment:
    """A pipe under the name of the file: a process that opens it would wait for ever."""
    for path in place.files(place.folder / "cache"):
        path.unlink()
        os.mkfifo(path)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def truncated(place: Place) -> Environment:
    """Files that were cut off."""
    for path in place.files(place.folder / "cache"):
        path.write_bytes(place.content[:-1])
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def relative(place: Place) -> Environment:
    """NUMBA_CACHE_DIR relative to the current folder."""
    place.files(place.folder / "cache")
    return {"NUMBA_CACHE_DIR": "cache"}


def relative_xdg(place: Place) -> Environment:
    """XDG_CACHE_HOME relative to the current folder."""
    place.files(place.folder / "cache")
    return {"XDG_CACHE_HOME": "cache", "HOME": str(place.folder / "home")}


def no_home(place: Place) -> Environment:
    """HOME relative to the current folder, as ``~`` is where HOME is unset and the user is not known."""
    place.files(place.folder / "~" / ".cache")
    return {"XDG_CACHE_HOME": None, "HOME": "~"}


def switched_off(place: Place) -> Environment:
    """A safe folder, and the switch."""
    return safe(place) | {compiler.SWITCH: "off"}


def of_another(place: Place) -> Environment:
    """A file of another user in a folder of ours (root alone can try)."""
    for path in place.files(place.folder / "cache"):
        os.chown(path, NOBODY, NOBODY)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


def folder_of_another(place: Place) -> Environment:
    """A folder of another user (root alone can try)."""
    for path in place.files(place.folder / "cache"):
        os.chown(path.parents[1], NOBODY, NOBODY)
    return {"NUMBA_CACHE_DIR": str(place.folder / "cache")}


ROOT_ALONE = (of_another, folder_of_another)
WAYS: tuple[Callable[[Place], Environment], ...] = (
    open_to_all, open_above, open_to_the_group, readable, file_open_to_all, linked_file, hard_link, linked_folder, pipe,
    truncated, relative, relative_xdg, no_home, switched_off, *(ROOT_ALONE if os.geteuid() == 0 else ()),
)  # fmt: skip


def attack(way: Callable[[Place], Environment], where: Place, mark: Path) -> tuple[bool, str]:
    """Whether the planted file ran, and what the kernel answered (7 is right)."""
    environment = way(where)
    out = _run(PROGRAM, where.folder, environment).strip()
    return mark.exists(), out


def _run(program: str, folder: Path, environment: Environment) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "XDG_")) and k not in environment}
    kept |= {"HOME": str(folder / "nowhere"), "PYTHONPATH": str(ROOT)}
    kept |= {k: v for k, v in environment.items() if v is not None}
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=folder,
        env=kept,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return done.stdout


def report() -> list[tuple[str, bool, str]]:
    """(way, whether the planted file ran, the kernel's answer), the control first; True is right for it alone."""
    found = []
    names: tuple[Path, ...] = ()
    for way in (safe, *WAYS):
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text).resolve()
            mark = folder / "mark"
            if not names:
                _run(PROGRAM, folder, {"NUMBA_CACHE_DIR": str(folder / "learnt")})
                names = learnt(folder, mark).names
            here = Place(folder, names, pickle.dumps(_Mark(str(mark))))
            found.append((way.__name__.replace("_", " "), *attack(way, here, mark)))
    return found


def main() -> int:
    """Print the report."""
    found = report()
    for name, ran, answer in found:
        print(f"{name:20} {'ran' if ran else 'not run':8} kernel(5) = {answer}")
    wrong = [name for name, ran, answer in found[1:] if ran or answer != "7"]
    control = "ran" if found[0][1] else "DID NOT RUN"
    print(f"{len(found) - 1} ways to plant a file: {sum(ran for _, ran, _ in found[1:])} ran; control {control}")
    return 1 if wrong or not found[0][1] else 0


if __name__ == "__main__":
    sys.exit(main())
