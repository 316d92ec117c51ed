"""Regenerate the outputs in the README: ``python examples/refresh_readme.py`` from the project's folder.

A block between ``<!-- output: COMMAND -->`` and ``<!-- end -->`` is replaced by what COMMAND prints
(``asymp`` is the one of the Python that runs this).  With ``--check`` nothing is written, and the exit
code says whether every command still runs.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[1] / "README.md"
NOISE = re.compile(r"\[\d+/\d+\] |([a-z ]+ +)?[\d.]+ %$|[a-z ]+ \.\.\.$")  # progress
BLOCK = re.compile(r"(<!-- output: (.+?) -->\n).*?(<!-- end -->)", re.S)


def output_of(command: str) -> str:
    """What the command prints: standard output, then what is not progress on standard error."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    run = subprocess.run(
        ["bash", "-c", command], cwd=README.parent, env=environment, capture_output=True, text=True, check=False
    )
    errors = [line for line in run.stderr.splitlines() if not NOISE.match(line)]
    if any("internal error" in line or "Traceback" in line for line in errors):
        raise SystemExit(f"{command}: {run.stderr}")
    return "\n".join([run.stdout.rstrip("\n"), *errors]).strip("\n")


def block(match: re.Match[str]) -> str:
    """The fresh block for one command."""
    head, command, tail = match.groups()
    if command.startswith(("cat ", "sed ")):
        language = "python" if command.endswith(".py") else "toml" if ".toml" in command else "text"
        return f"{head}```{language}\n{output_of(command)}\n```\n{tail}"
    return f"{head}```console\n$ {command}\n{output_of(command)}\n```\n{tail}"


def main() -> None:
    """Rewrite the README, or only run its commands."""
    text = BLOCK.sub(block, README.read_text(encoding="utf-8"))
    if "--check" not in sys.argv[1:]:
        README.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
