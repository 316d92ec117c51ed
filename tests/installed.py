"""Packages that are installed for a test alone: a folder of metadata on the path, as pip would write it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = Path(__file__).with_name("outside")
"""The package ``softly``, of the examples in CONTRIBUTING.md."""


def install(project: str, site: Path) -> Path:
    """Write the metadata of a package, from the text of its pyproject.toml, into a folder; the folder."""
    about = tomllib.loads(project)["project"]
    info = site / f"{about['name'].replace('-', '_')}-{about['version']}.dist-info"
    info.mkdir(parents=True)
    info.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {about['name']}\nVersion: {about['version']}\n")
    lines = []
    for group, points in about["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {target}" for name, target in points.items())]
    info.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")
    return site


SESSION = """
import contextlib, io, json, sys
from asymp.cli import main
found = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    found.append((code, out.getvalue(), err.getvalue()))
json.dump(found, sys.stdout)
"""


class Said(NamedTuple):
    """What a command of a session printed."""

    returncode: int
    stdout: str
    stderr: str


def session(*commands: Sequence[str], path: list[Path]) -> list[Said]:
    """Several commands, one after the other in one new process, with more folders on the path."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *map(str, path)]), "NO_COLOR": "1"}
    done = subprocess.run([sys.executable, "-c", SESSION], input=json.dumps(commands), capture_output=True, text=True,
                          env=environment, check=True, cwd=path[0])  # fmt: skip
    return [Said(*one) for one in json.loads(done.stdout)]


def asymp(*words: str, path: list[Path], python: str = "-m asymp") -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, with more folders on the path."""
    folders = [str(ROOT), *map(str, path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "NO_COLOR": "1"}
    command = [sys.executable, *python.split(" ", 1), *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=path[0])
