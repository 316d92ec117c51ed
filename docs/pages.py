"""What the pages show is what the commands print: ``python docs/pages.py [--check] [PAGE ...]``.

The pages are README.md and all of ``docs``.  Each runs by itself, in an empty folder with a copy of ``examples``, from its
first line to its last:

- a block ```` ```console ````: lines ``$ COMMAND``, each with what it prints behind it;
- a block ```` ```pycon ````: Python, as in a doctest; names are kept from block to block of a page;
- a block behind ``<!-- file: NAME -->``: it is written to that file.

Other blocks are not run: ``sh`` for what a reader does once (install), ``text`` for patterns.  Python is always run.

``asymp`` itself runs in this process, which has loaded it once; what holds another program, a pipe or a ``$`` runs in bash.
Seconds and the digits of radii are not compared (these hang on the machine, and on FLINT's version), and a line ``...``
stands for any lines.  A block that differs is written anew; with ``--check`` it is told, and the exit status is 1.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(
    r"(?:<!-- file: (?P<file>\S+) -->\n)?^(?P<ticks>```+)(?P<kind>\w*)\n(?P<text>.*?)^(?P=ticks)$", re.M | re.S
)
PROGRESS = re.compile(r"\[\d+/\d+\] |([a-z ]+ +)?[\d.]+ %$|[a-z ]+ \.\.\.$")
SECONDS = (
    re.compile(r"( (?:yes|NO: \w+)) +[\d.]+$", re.M),
    re.compile(r"(; )[\d.]+ s$", re.M),
    re.compile(r'("seconds": )[\d.]+'),
)
RADIUS = re.compile(r"(\+/- )[\d.]+(?=e)")
ROWS = re.compile(r"(?:^[✓✗~?] \S+/.*\n)+", re.M)
SHELL = set("|;&<>$`*?(){}")
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


class Differs(NamedTuple):
    """A block that says something else than what was found: where it stands in the page, what it said and what it says now."""

    start: int
    end: int
    said: str
    found: str


def pages() -> list[Path]:
    """All pages with examples."""
    return [ROOT / "README.md", *sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)]


def differences(text: str, folder: Path) -> Iterator[Differs]:
    """Run a page in a folder, and yield the blocks of which the output is another one.

    Raises:
        ValueError: a block of Python that is neither run nor a file, or a command that ends with an error of asymp itself.
    """
    names: dict[str, Any] = {}
    for match in FENCE.finditer(text):
        kind, said, file = match["kind"], match["text"], match["file"]
        if file:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(said, encoding="utf-8")
        elif kind == "console":
            found = "".join(session(command, printed, folder) for command, printed in commands(said))
            if found != said:
                yield Differs(*match.span("text"), said, found)
        elif kind == "pycon":
            found = interactive(said, names, folder)
            if found != said:
                yield Differs(*match.span("text"), said, found)
        elif kind == "python":
            raise ValueError(f"Python that is not run: give it a file, or write it as pycon: {said[:80]}")


def commands(block: str) -> Iterator[tuple[str, str]]:
    """The commands of a block, each with what the page says that it prints.

    >>> list(commands("$ one\\nout\\n$ two\\n"))
    [('one', 'out\\n'), ('two', '')]
    """
    for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def session(command: str, printed: str, folder: Path) -> str:
    """The command with what it prints; what the page says where that is the same up to seconds and lines left out."""
    found = output(command, folder)
    return f"$ {command}\n{printed if same(printed, found) else found}"


def same(printed: str, found: str) -> bool:
    """Whether two outputs are the same but for seconds, a line ``...`` standing for any.

    >>> same("a\\n...\\nd; 0.1 s\\n", "a\\nb\\nc\\nd; 22.0 s\\n"), same("a\\n", "b\\n"), same("a\\n", "a\\nb\\n")
    (True, False, False)
    """
    pattern = "(?:.*\n)*?".join(re.escape(part) for part in re.split(r"^ *\.\.\.\n", settled(printed), flags=re.M))
    return re.fullmatch(pattern, settled(found)) is not None


def settled(text: str) -> str:
    """Without seconds and the digits of radii, and rows of claims, which come as they are ready, in the order of their names.

    >>> settled("✓ p/b  yes   0.1\\n✓ p/a  yes   0.2\\n2 claims; 0.3 s\\n")
    '✓ p/a  yes\\n✓ p/b  yes\\n2 claims; \\n'
    """
    for seconds in SECONDS:
        text = seconds.sub(r"\1", text)
    text = RADIUS.sub(r"\1", text)
    return ROWS.sub(lambda rows: "".join(sorted(rows[0].splitlines(keepends=True))), text)


def output(command: str, folder: Path) -> str:
    """What a command prints: standard output, then what is not progress on standard error.

    Raises:
        ValueError: asymp itself has failed.
    """
    bare, asked, _ = command.partition("; echo $?")
    if simple(bare):
        out, errors, code = in_process(shlex.split(bare))
        out += f"{code}\n" if asked else ""
    else:
        out, errors = in_bash(command)
    lines = [line for line in errors.splitlines() if line and not PROGRESS.match(line)]
    if any(word in line for line in lines for word in ("internal error", "Traceback", "bug of the rule")):
        raise ValueError(f"{command}: {errors}")
    text = "\n".join(["\n".join(line.rstrip() for line in out.rstrip("\n").splitlines()), *lines]).strip("\n")
    return text.replace(str(folder), ".") + "\n" if text else ""


def simple(command: str) -> bool:
    """Whether it is asymp alone that is called.

    >>> simple('asymp ask "f(x) > 0 for x > 0"'), simple("asymp list lfms | head"), simple("ls")
    (True, False, False)
    """
    bare = re.sub(r'"[^"$`\\]*"|\'[^\']*\'', "", command)
    return command.startswith("asymp ") and not SHELL & set(bare)


def in_process(words: list[str]) -> tuple[str, str, int]:
    """What the command line prints, and its exit status: it forks its workers from this process, which has loaded asymp."""
    from asymp import answer, registry  # noqa: F401
    from asymp.cli import main

    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = main(words[1:])
    return out.getvalue(), errors.getvalue(), code


def in_bash(command: str) -> tuple[str, str]:
    """What a command of several programs prints."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))}
    shell = f'asymp() {{ "{sys.executable}" -m asymp "$@"; }}; python() {{ "{sys.executable}" "$@"; }}; {command}'
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, env=environment, check=False)
    return done.stdout, done.stderr


def interactive(block: str, names: dict[str, Any], folder: Path) -> str:
    """A block of Python with the output of each example; that of the page where it is the same."""
    parser, checker, parts = doctest.DocTestParser(), doctest.OutputChecker(), []
    for part in parser.parse(block):
        if isinstance(part, str):
            parts.append(part)
            continue
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            try:
                exec(compile(part.source, "page", "single"), names)  # what the project's own pages say
            except Exception as error:
                print(f"Traceback (most recent call last):\n    ...\n{type(error).__name__}: {error}")
        source = "".join(
            f"{'...' if k else '>>>'} {line}".rstrip() + "\n" for k, line in enumerate(part.source.splitlines())
        )
        found = out.getvalue().replace(str(folder), ".")
        parts.append(source + (part.want if checker.check_output(part.want, found, FLAGS) else found))
    return "".join(parts)


@contextlib.contextmanager
def place() -> Iterator[Path]:
    """A folder for a page, which is the current one meanwhile, with a copy of the examples; its modules are forgotten again."""
    path, known, before = list(sys.path), set(sys.modules), dict(os.environ)
    os.environ |= {"LC_ALL": "C.UTF-8", "ASYMP_STORE": "off"}  # in C itself marks are ASCII; each page is checked anew
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        shutil.copytree(ROOT / "examples", Path(folder, "examples"), ignore=shutil.ignore_patterns("__pycache__"))
        sys.path.insert(0, folder)
        yield Path(folder)
    sys.path[:] = path
    for name in ("LC_ALL", "ASYMP_STORE"):
        os.environ.pop(name)
        os.environ |= {name: before[name]} if name in before else {}
    for name in {*sys.modules} - known:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(folder):
            del sys.modules[name]


def main(words: list[str]) -> int:
    """Run pages, and write what differs anew."""
    chosen = [Path(word).resolve() for word in words if not word.startswith("-")] or pages()
    told = 0
    for page in chosen:
        text = page.read_text(encoding="utf-8")
        with place() as folder:
            found = list(differences(text, folder))
        for one in reversed(found):
            text = text[: one.start] + one.found + text[one.end :]
        if found and "--check" not in words:
            page.write_text(text, encoding="utf-8")
        for one in found:
            print(f"{page.name}: was\n{one.said}is\n{one.found}")
        told += len(found)
    return int(bool(told) and "--check" in words)


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
