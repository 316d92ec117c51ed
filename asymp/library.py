"""The library: files of claims that are installed with asymp, a word each, ``queues/erlang-c``.

They are files of claims like a user's own: what reads such a file reads these.  ``asymp/ROOM/claims/NAME.toml`` is ``ROOM/NAME``.

>>> Path(meant("queues/erlang-c")[0]).name, meant("queues/erlang-c/halfin-whitt")[0].partition("::")[2], meant("lfms")
('erlang-c.toml', 'halfin-whitt', ['lfms'])
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from asymp.messages import unknown


@lru_cache(maxsize=1)
def shelves() -> dict[str, dict[str, Path]]:
    """The files by their rooms and names.

    >>> "supermarket" in shelves()["queues"]
    True
    """
    found: dict[str, dict[str, Path]] = {}
    for file in sorted(Path(__file__).parent.glob("*/claims/*.toml")):
        found.setdefault(file.parents[1].name, {})[file.stem] = file
    return found


def words() -> list[str]:
    """What names a file of the library.

    >>> [word for word in words() if "erlang" in word]
    ['queues/erlang-a', 'queues/erlang-b', 'queues/erlang-c']
    """
    return [f"{room}/{name}" for room, files in shelves().items() for name in files]


def meant(word: str) -> list[str]:
    """The files, or the claim of one as ``FILE::ID``, that a word of the library names; itself where it is none of these.

    Raises:
        ValueError: the room has no such file, in one line.
    """
    room, _, rest = word.partition("/")
    if room not in shelves() or Path(word).is_file():
        return [word]
    files = shelves()[room]
    if not rest.strip("/"):
        return [str(file) for file in files.values()]
    name, _, claim = rest.replace("::", "/", 1).partition("/")
    if name not in files:
        raise ValueError(unknown("file of the library", word, words(), all_of="asymp list"))
    if not claim:
        return [str(files[name])]
    if claim not in (known := read(files[name])["claim"]):
        raise ValueError(
            unknown("claim", word, [f"{room}/{name}/{one}" for one in known], all_of=f"asymp list {room}/{name}")
        )
    return [f"{files[name]}::{claim}"]


def read(file: Path) -> dict[str, Any]:
    """The tables of a file."""
    return tomllib.loads(file.read_text(encoding="utf-8"))


def all_meant(targets: Iterable[str]) -> list[str]:
    """The words on a command line, with the files in place of words of the library.

    >>> len(all_meant(["queues", "lfms"])) == len(words()) + 1
    True
    """
    return [one for word in targets for one in meant(word)]


def about() -> list[tuple[str, int, str]]:
    """Of each file its word, how many claims it makes, and its title.

    >>> [title for word, _, title in about() if word == "queues/supermarket"]
    ['JSQ(d): the supermarket model']
    """
    found = []
    for room, files in shelves().items():
        for name, file in files.items():
            data = read(file)
            found.append((f"{room}/{name}", len(data["claim"]), str(data["paper"]["title"])))
    return found
