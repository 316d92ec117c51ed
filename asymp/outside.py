"""What is found through entry points: functions, methods, theories, models and papers, of this distribution and of others.

An installed package offers something by a line in its ``pyproject.toml``, in one of the groups ``asymp.functions``,
``asymp.methods``, ``asymp.theories``, ``asymp.models`` and ``asymp.papers``: a name, and where it is (``module:attribute``).
Which there are is read once, in an order that does not depend on the installation: this distribution's first, then by
package and name.  A module is imported when what it offers is first asked for.

Nothing that comes from elsewhere takes a name that this distribution has; a name that two packages give is given to neither.
What cannot be used is left out, and a line says why (:data:`tell`).

>>> [entry.label for entry in entries("theories") if entry.package == HOUSE]
['asymp/chains', 'asymp/order']
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

HOUSE = "asymp"
"""This distribution."""
LABEL = re.compile(r"(row|theory|engine): ([^/]+/.+)")
"""What a theorem trusts of what entry points gave: ``row: PACKAGE/f``."""


class Unusable(ValueError):
    """What an installed package offers cannot be used: one line that names it."""


class OutsideWarning(UserWarning):
    """The same, said to whoever runs Python."""


def _warn(line: str) -> None:
    """Says a line to whoever runs Python."""
    warnings.warn(line, OutsideWarning, stacklevel=3)


tell: Callable[[str], None] = _warn
"""Says a line; the command line puts its own in place of this."""
_told: set[str] = set()


@dataclass(frozen=True)
class Entry:
    """One line of an installed package: ``package`` by its usual name, ``target`` as ``module`` or ``module:attribute``."""

    kind: str
    package: str
    name: str
    target: str
    version: str = ""

    @property
    def label(self) -> str:
        """How a theorem and a certificate call it."""
        return f"{self.package}/{self.name}"

    @property
    def module(self) -> str:
        """The module in which it is."""
        return self.target.partition(":")[0]

    def load(self) -> Any:
        """The object.

        Raises:
            Unusable: it cannot be imported.
        """
        try:
            return loaded(self.target)
        except (Exception, SystemExit) as error:
            raise Unusable(self.because(f"{type(error).__name__}: {error}")) from error

    def because(self, why: str) -> str:
        """The line that says why it is not used."""
        what = {"theories": "theory"}.get(self.kind, self.kind.removesuffix("s"))
        return f"package {self.package}: the {what} {self.name} ({self.target}) is not used: {' '.join(why.split())[:300]}"


def loaded(target: str) -> Any:
    """What ``module:attribute`` names; a module alone is itself.

    >>> loaded("math:floor")(2.5), loaded("math").__name__
    (2, 'math')
    """
    module, _, attribute = target.partition(":")
    found = importlib.import_module(module)
    for name in attribute.split(".") if attribute else ():
        found = getattr(found, name)
    return found


@lru_cache(maxsize=1)
def _installed() -> Any:
    return importlib.import_module("importlib.metadata").entry_points()  # by commands that ask: others start without it


@lru_cache(maxsize=1_000)
def _who(distribution: Any) -> tuple[str, str]:
    """The usual name of a distribution, and its version: reading them takes a while."""
    about = getattr(distribution, "metadata", None) or {}
    return re.sub(r"[-_.]+", "-", about.get("Name") or "unnamed").lower(), about.get("Version") or ""


@lru_cache(maxsize=16)
def entries(kind: str) -> tuple[Entry, ...]:
    """The entries of a group: ``functions``, ``methods``, ``theories``, ``models`` or ``papers``.

    >>> "lfms" in [entry.name for entry in entries("papers")]
    True
    """
    points = set()
    for point in _installed().select(group=f"{HOUSE}.{kind}"):
        package, version = _who(point.dist)
        points.add(Entry(kind, package, point.name, point.value, version))
    found = sorted(points, key=lambda one: (one.package != HOUSE, one.package, one.name, one.target))
    if kind in ("methods", "theories"):  # theirs are called by their packages, and by their names
        return tuple(found)
    kept = []
    for one in found:
        others = sorted({other.package for other in found if other.name == one.name} - {one.package})
        if one.package == HOUSE or not others:
            kept.append(one)
        else:
            refuse(one.because(f"{', '.join(others)} has one of that name"))
    return tuple(kept)


def refuse(line: str) -> None:
    """Say, once, that something is left out, and why."""
    if line not in _told:
        _told.add(line)
        tell(line)


def usable(kind: str, wanted: Callable[[Entry], bool] = lambda _: True) -> Iterator[tuple[Entry, Any]]:
    """The objects of a group, those that are wanted, that can be loaded; of the others of these a line is said."""
    for entry in filter(wanted, entries(kind)):
        try:
            yield entry, entry.load()
        except Unusable as error:
            refuse(str(error))


def is_own(module: str) -> bool:
    """Whether a module is asymp's own code.  The papers that come with it are not: they are found as those of others are.

    >>> is_own("asymp.claim"), is_own("asymp.papers.lfms.model"), is_own("softly")
    (True, False, False)
    """
    return module.partition(".")[0] == HOUSE and not module.startswith(f"{HOUSE}.papers.")


@lru_cache(maxsize=10_000)
def is_installed(folder: Path) -> bool:
    """Whether a folder is a library's, or Python's own."""
    standard = Path(os.__file__).resolve().parent
    return "site-packages" in folder.parts or folder == standard or standard in folder.parents


def file_of(module: str) -> Path | None:
    """The file of a module, which is not imported for that: one that is loaded, or lies in a package that is.

    >>> file_of("asymp.papers.lfms.model").name, file_of("asymp.papers.lfms.nothing")
    ('model.py', None)
    """
    if module in sys.modules:
        file = getattr(sys.modules[module], "__file__", None)
        return Path(file) if file and file.endswith(".py") else None
    package, _, name = module.rpartition(".")
    rest = [name]
    while package and package not in sys.modules:
        package, _, name = package.rpartition(".")
        rest.insert(0, name)
    paths = [Path(folder).joinpath(*rest) for folder in getattr(sys.modules.get(package), "__path__", ())]
    files = (file for path in paths for file in (path.with_suffix(".py"), path / "__init__.py"))
    return next((file for file in files if file.is_file()), None)


def package_of(module: str, kind: str) -> str:
    """The package whose entries of that kind name a module.

    Raises:
        Unusable: none does.
    """
    for entry in entries(kind):
        if entry.module == module:
            return entry.package
    raise Unusable(f"{module} is named by no entry point asymp.{kind}")


def add_theories(rules: dict[str, Any]) -> None:
    """Import the theories that entry points name; their rules register themselves.

    Of one that cannot be imported no rule stays, and none may take the place of a rule that was there.
    """
    for entry in entries("theories"):
        before = dict(rules)
        try:
            entry.load()
        except Unusable as error:
            rules.clear()
            rules |= before
            refuse(str(error))
        if changed := [name for name, one in before.items() if rules.get(name) is not one]:
            rules |= before
            refuse(entry.because(f"it changed the rule {changed[0]}"))


def with_words(figures: dict[str, Any], package: ModuleType) -> dict[str, Any]:
    """A paper's figures with the words under them that its package has apart, ``words()`` in ``under_figures``, by name."""
    under = f"{package.__name__}.under_figures"
    if not figures or not hasattr(package, "__path__") or importlib.util.find_spec(under) is None:
        return figures
    words = importlib.import_module(under).words()
    return {name: replace(figure, words=words.get(name, figure.words)) for name, figure in figures.items()}
