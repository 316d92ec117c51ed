"""Completion of words in a shell: commands, options, papers, claims, models; files are the shell's own.

The script asks ``asymp complete -- WORDS``, which imports no SymPy and runs no code of a paper: the names of claims are
read from the papers' ``claims.toml``.

>>> completed(["sh"]), completed(["show", "--la"])
(['show'], ['--latex'])
"""

from __future__ import annotations

import argparse
import importlib.metadata
from collections.abc import Iterator, Sequence
from pathlib import Path

from asymp import library
from asymp.command.arguments import build
from asymp.command.named import declared, file_of
from asymp.version import __version__

GROUP = "asymp.papers"
TAKING_TARGETS = ("check", "list", "show", "figure", "export", "report", "errata", "enclose")
SCRIPTS = {
    "bash": """_asymp() {
    local line="${COMP_LINE:0:COMP_POINT}" words current cut=""
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current="${words[${#words[@]}-1]}"
    [[ $current == *:* ]] && cut="${current%"${current##*:}"}"  # a colon ends a word of readline's
    local IFS=$'\\n'
    COMPREPLY=( $(asymp complete -- "${words[@]:1}" 2>/dev/null) )
    COMPREPLY=( "${COMPREPLY[@]#"$cut"}" )
}
complete -o bashdefault -o default -F _asymp asymp
""",
    "zsh": """#compdef asymp
_asymp() {
    local -a found
    found=( ${(f)"$(asymp complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"} )
    compadd -a found
    _files
}
compdef _asymp asymp
""",
    "fish": """complete -c asymp -a '(asymp complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
""",
}
"""Shell -> what makes it complete."""


def completed(words: Sequence[str]) -> list[str]:
    """The words that the last of these may become."""
    *before, current = words or [""]
    parser = build(__version__)
    commands = _commands(parser)
    if not before:
        return _starting(current, commands)
    if before[0] not in commands:
        return []
    sub = commands[before[0]]
    if current.startswith("-"):
        return _starting(current, [flag for action in sub._actions for flag in action.option_strings])
    chosen = next((action for action in sub._actions if before[-1] in action.option_strings), None)
    if chosen is not None and (choices := chosen.choices or _named(chosen.metavar)):
        return _starting(current, [str(choice) for choice in choices])
    if chosen is not None and chosen.nargs != 0:
        return []
    named = [str(choice) for action in sub._actions if not action.option_strings for choice in action.choices or ()]
    if before[0] in TAKING_TARGETS:
        named += _targets(current, before[0])
    return _starting(current, named)


def _named(metavar: str | tuple[str, ...] | None) -> list[str]:
    """What a value may be, where the help says that as ``auto|cpu|gpu``."""
    return [one for one in metavar.split("|") if ":" not in one] if isinstance(metavar, str) and "|" in metavar else []


def _commands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = next(action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return {name: sub for name, sub in found.items() if name != "complete"}


def _starting(current: str, names: Sequence[str] | dict[str, argparse.ArgumentParser]) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(current)]


def _targets(current: str, command: str) -> Iterator[str]:
    """Papers; the claims (of ``enclose`` the quantities) of the paper that the word begins with, or of a file."""
    file, twice, _ = current.partition("::")
    if twice:
        tables = ("claim", "figures") if command == "figure" else ("claim",)
        yield from (f"{file}::{name}" for name in declared(Path(file), tables))
        return
    key, slash, _ = current.partition("/")
    for point in importlib.metadata.entry_points(group=GROUP):
        if not slash:
            yield point.name + ("/" if command == "enclose" else "")
        elif point.name == key:
            tables = ("quantities",) if command == "enclose" else ("claim",)
            for file_of_claims in file_of(point.value):
                yield from (f"{key}/{name}" for name in declared(file_of_claims, tables))
    if command != "enclose":
        yield from (word for word in library.words() if slash or word.startswith(current))
