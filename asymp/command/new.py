"""``asymp new PAPER``: a folder to start from, with claims that hold, a test of them, and a paper whose formulas are marked.

>>> chosen = starter("mm1", "notes")
>>> chosen.splitlines()[5:7], chosen.count("\\n[claim."), "[chains" in chosen
(['[paper]', 'key   = "notes"'], 3, False)
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from asymp.command.usage import UsageError
from asymp.export.files import write_bytes
from asymp.library import shelves
from asymp.messages import unknown

CLAIMS = 3
"""How many a new file of claims has."""
QUEUES = "queues"
README = """# {key}

`asymp check` here checks `claims.toml`: a line a claim, and how sure each verdict is (proved, certified, supported).
`asymp show claims.toml::{first}` says why; `asymp check queues/{queue}` checks all that the library has of this queue.

1. Write your own claims into `claims.toml`: `asymp grammar` lists the language, the functions, and the keys of the file.
2. Or mark formulas of your paper, as in `paper.tex`: `asymp check paper.tex`, then `pdflatex paper` prints the verdicts.
3. Try one before you write it down: `asymp ask "harmonic(n) ~ log(n)" --to "n -> oo"`.
4. Keep them true: `pytest` runs `{test}`; `asymp report claims.toml` writes a page for your coauthors.
"""
TEST = '''"""The claims as tests: ``pytest``."""

from asymp.testing import claims_test

test_claims = claims_test("claims.toml")  # looked for beside this file
'''
ERRATUM = r"""
# A claim of yours is three to five lines.  What is printed and wrong stays, with what is right (take the # away):
#
# [claim."equation-1"]
# quote     = '$H_n = \ln n + O(1/n)$'
# says      = "harmonic(n) = log(n) + O(1/n)"
# to        = "n -> oo"
# corrected = "harmonic(n) = log(n) + EulerGamma + O(1/n)"
# why       = "the constant is missing"
"""
TEX = r"""% Marked formulas:  asymp check paper.tex,  then  pdflatex paper: the margin says which of them hold.
\documentclass{article}
\usepackage{amsmath, asymp}
\asympsetup{
  variables = {n = {whole, >= 1}},
  regimes   = {large = {n \to \infty}},
}
\begin{document}
\section*{TITLE}
A system of $n$ servers without a queue, offered a load of $n$, loses a share
\begin{equation}
  \frac{n^n/n!}{\sum_{k=0}^{n} n^k/k!} \sim \sqrt{\frac{2}{\pi n}} \asymp[to=large]{eq:loss}
\end{equation}
of its calls, and $H_n \le 1 + \ln n$ \asymp[sentence]{eq:bound} for all $n \ge 1$.
\end{document}
"""


def starter(queue: str, key: str) -> str:
    """A file of claims from one of the library: what it declares, and the first claims on limits.

    Raises:
        UsageError: the library has no such queue.
    """
    files = shelves()[QUEUES]
    if queue not in files:
        raise UsageError(f"--queue: {unknown('queue', queue, files)}")
    blocks = re.split(r"^(?=\[)", files[queue].read_text(encoding="utf-8"), flags=re.M)
    blocks = [re.sub(r"\n# ---.*?$", "", block, flags=re.M).rstrip() for block in blocks]
    tables = [block for block in blocks if re.match(r"\[(variables|notation|names|regimes|domains)\]", block)]
    claims = [block for block in blocks if block.startswith("[claim.") and re.search(r"^to +=", block, re.M)][:CLAIMS]
    about = re.search(r'^title = "(.*)"$', blocks[1], re.M)
    assert about is not None
    head = f'[paper]\nkey   = "{key}"\ntitle = "{key}: {about[1]}"'
    return "\n\n".join([blocks[0], head, *tables, *claims]) + "\n" + ERRATUM


def written(place: str, queue: str) -> list[Path]:
    """Write the folder.

    Raises:
        UsageError: it is there and not empty, its name is none, or there is no such queue.
    """
    if not place.strip():
        raise UsageError("an empty name: a paper is named by letters, digits, - and _")
    folder = Path(place)
    key = folder.resolve().name
    if not re.fullmatch(r"[A-Za-z][\w-]*", key, re.ASCII):
        raise UsageError(f"{key[:80]!r} is no name of a paper: letters, digits, - and _")
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UsageError(f"{place} is there already: nothing is written over; give another name")
    claims = starter(queue, key)
    first = re.findall(r'^\[claim\."(.*)"\]$', claims, re.M)[0]
    test = f"test_{key.replace('-', '_')}.py"
    style = resources.files("asymp.latex").joinpath("asymp.sty").read_text(encoding="utf-8")
    texts = {
        "claims.toml": claims,
        "README.md": README.format(key=key, queue=queue, first=first, test=test),
        test: TEST,
        "paper.tex": TEX.replace("TITLE", key.replace("_", r"\_")),
        "asymp.sty": style,
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_bytes(folder / name, text.encode())
    return [folder / name for name in texts]


def perform(arguments: Any, say: Callable[[str], None]) -> int:
    """Write it, and say what was written."""
    paths = [str(path) for path in written(arguments.folder, arguments.queue)]
    if arguments.json:
        say(json.dumps({"files": paths}))
    else:
        say("\n".join([*paths, f"next: cd {shlex.quote(arguments.folder)} && asymp check"]))
    return 0
