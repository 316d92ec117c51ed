"""What asymp says of the problems on which other tools test themselves: ``python -m benchmarks.peers [--suite S] [--json FILE]``.

A suite is a file of TOML here, read and asked as those of :mod:`benchmarks.papers` are; ``peer`` says what the tool itself does
with a problem, where its paper or its repository says so.  A row a suite; exit 1 where an answer is wrong.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.papers.__main__ import main

if __name__ == "__main__":
    raise SystemExit(main(folder=Path(__file__).parent, kind="suite", about=__doc__))
