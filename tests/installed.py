"""Packages that are installed for a test alone: a folder of metadata on the path, as pip would write it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

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


def asymp(*words: str, path: list[Path], python: str = "-m asymp") -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own, with more folders on the path."""
    folders = [str(ROOT), *map(str, path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(folders), "NO_COLOR": "1"}
    command = [sys.executable, *python.split(" ", 1), *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=path[0])
