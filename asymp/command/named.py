"""What words on the command line name, told before anything is imported that takes long: SymPy, a paper, its code.

A word that names nothing is told at once, with what may have been meant; what can only be told by reading more is left to
:mod:`asymp.command.targets`.

>>> mistaken(["lfms/lemma-8.3", "lfms"]), mistaken(["lfms/lema-8.3"])[0][:63]
([], "unknown claim 'lfms/lema-8.3': did you mean lfms/lemma-8.3 or l")
"""

from __future__ import annotations

import argparse
import importlib.util
import tomllib
from collections.abc import Sequence
from pathlib import Path

from asymp import library
from asymp.messages import near, one_line, unknown
from asymp.outside import entries

OWN = "claims.toml"
"""The file of claims of a folder."""
BARE = ("check", "list", "export", "report", "errata")
"""What is about the file of claims that is here where nothing is said, and about all papers where there is none."""
SUFFIXES = (".toml", ".tex", ".py")


def read(arguments: argparse.Namespace) -> list[str]:
    """Put files in place of what names them: a word of the library, a folder with a file of claims, nothing at all in one.

    The words themselves stay as ``said``.

    A line for each word that names nothing, where none of them names anything.
    """
    words = getattr(arguments, "targets", None)
    if words is None:
        return []
    arguments.said = list(words)
    if not words and arguments.command in BARE and not getattr(arguments, "source", None) and Path(OWN).is_file():
        words = [OWN]
    try:
        words = [_of_folder(word) for word in library.all_meant(words)]
    except ValueError as error:
        return [one_line(error)]
    arguments.targets = words
    if arguments.command == "figure" or getattr(arguments, "source", None):  # names of figures; claims of a record
        return []
    return mistaken(words)


def _of_folder(word: str) -> str:
    inside = Path(word, OWN)
    return str(inside) if word not in _papers() and inside.is_file() else word


def _papers() -> dict[str, str]:
    return {entry.name: entry.module for entry in entries("papers")}


def mistaken(words: Sequence[str]) -> list[str]:
    """A line for each word, where none of them can name anything; else nothing."""
    found = [_wrong(word) for word in words]
    return [line for line in found if line] if all(found) else []


def _wrong(word: str) -> str:
    """Why a word names nothing; empty where it may name something."""
    papers = _papers()
    if word in papers:
        return ""
    file, twice, wanted = word.partition("::")
    if not word.strip():
        return "an empty word: name a paper, a claim or a file of claims"
    if Path(file).is_dir():
        inside = [one for one in _files(Path(file)) if not one.endswith(".py")]
        return f"{file} is a folder: name a file of claims in it" + (f", such as {Path(file, inside[0])}" if inside else "")
    if Path(file).is_file() and not file.endswith(SUFFIXES):
        if file.endswith(".json"):
            return f"{file} is no file of claims: a record is shown by asymp check --from {file}"
        return f"{file}: a file of claims ends in .toml or .tex (or, with --trust-code, in .py)"
    if file.endswith(SUFFIXES) or Path(file).is_file():
        if not Path(file).exists():
            here = near(Path(file).name, _files(Path(file).parent))
            return f"{file}: no such file" + (f": did you mean {Path(file).parent / here[0]}?" if here else "")
        ids = ids_in(Path(file)) if twice else []
        if ids and wanted not in ids and not any(one.endswith(f"/{wanted}") for one in ids):
            return f"{file}: {unknown('claim', wanted, ids, all_of=f'asymp list {file}')}"
        return ""
    key, slash, _ = word.partition("/")
    if slash and key in papers:
        known = [name for place in file_of(papers[key]) for name in ids_in(place, key)]
        return unknown("claim", word, known, all_of=f"asymp list {key}") if known and word not in known else ""
    if slash and near(key, papers):
        return unknown("paper", key, papers)
    known = [] if slash else [*papers, *library.shelves(), *library.words(), *_files(Path())]
    if not near(word, known):  # the claim of a paper that is not said, or is another
        known += [
            name for paper, module in papers.items() for place in file_of(module) for name in ids_in(place, paper)
        ]
    return unknown("paper, claim or file", word, known, all_of="asymp list")


def _files(folder: Path) -> list[str]:
    try:
        return sorted(file.name for file in folder.iterdir() if file.suffix in SUFFIXES)[:1000]
    except OSError:
        return []


def file_of(module: str) -> list[Path]:
    """The file of claims of a paper's package, which is not imported for that; none where its claims are code."""
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return []
    folders = (spec.submodule_search_locations or ()) if spec is not None else ()
    return [place for folder in folders if (place := Path(folder, OWN)).is_file()]


def ids_in(file: Path, key: str = "") -> list[str]:
    """The ids of a file's claims, corrections too; none where it cannot be read that easily."""
    names = declared(file, ("claim",)) if file.suffix in (".toml", ".tex") else []
    return [f"{key or _key(file)}/{name}" for name in names]


def _key(file: Path) -> str:
    paper = _data(file).get("paper")
    return str(paper.get("key", "")) if isinstance(paper, dict) else ""


def _data(file: Path) -> dict[str, object]:
    """The tables of a file of claims; none where it cannot be read."""
    try:
        if file.suffix == ".tex":
            from asymp.latex.author import TexReader
            from asymp.paper.tex import gathered

            return dict(TexReader(gathered(file)).data)
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}


def declared(file: Path, tables: Sequence[str]) -> list[str]:
    """What a file of claims declares in these tables, corrections too."""
    data = _data(file)
    found: list[str] = []
    for table in tables:
        named = data.get(table)
        for name, one in named.items() if isinstance(named, dict) else ():
            found += [name, *([f"{name}-corrected"] if isinstance(one, dict) and one.get("corrected") else [])]
    return found
