"""Papers, and what became of their claims, as objects: what ``asymp check`` shows, for programs and notebooks.

>>> paper = Paper("lfms/lemma-8.3")
>>> paper.title, paper["lemma-8.3"].source.locator
('Multiserver-job Response Time under Multilevel Scaling (Grosof and Ayhan, 2025)', 'Lemma 8.3')
>>> verdicts = paper.check(quick=True)
>>> verdicts, verdicts[0].outcome.value
(<Verdicts: 1 claim: 0 hold, 1 refuted, 0 undecided; all as expected>, 'refuted')
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, overload

from asymp import registry
from asymp.check.theorems import explained
from asymp.claim import Claim, Outcome, Verdict
from asymp.command.checking import check_all
from asymp.command.executor import Limits
from asymp.command.progress import CellProgress, Progress
from asymp.command.targets import Place, origin_of, resolve
from asymp.export import cell, table
from asymp.export.record import record
from asymp.messages import unknown
from asymp.version import __version__

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("id", "locator", "statement", "outcome", "strength", "expected", "as_expected", "next_term", "reason", "seconds")
"""Of the table of verdicts."""


@dataclass(frozen=True, repr=False)
class Paper(Sequence[Claim]):
    """The claims of a paper: a sequence in the paper's order, of which one is found by its id too.

    Args:
        target: a paper's own ``.tex``, a file of claims (``.toml``, ``.py``), the key of a registered paper, or one claim: its
            id, or ``FILE::ID``.
        trust: whether the model that a ``.toml`` file names may run; a ``.py`` file is code, and run.

    Raises:
        ValueError: there is none, or it cannot be read: one line that names file and line.
    """

    target: str
    trust: bool = False

    def __init__(self, target: str | PathLike[str], trust: bool = False) -> None:
        if not isinstance(target, str | PathLike) or not fspath(target):
            raise TypeError(f'a paper is named by its key or a path such as "paper.tex", not {target!r}')
        object.__setattr__(self, "target", fspath(target))
        object.__setattr__(self, "trust", trust)
        if not self._places:
            raise registry.RegistryError(f"{self.target}: no claims")

    @cached_property
    def _places(self) -> tuple[Place, ...]:
        if self.target in registry.papers():  # of which no claim is read for that
            return tuple(map(Place, registry.paper(self.target).ids()))
        return tuple(resolve(self.target, self.trust))

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """The claims, in the paper's order."""
        return tuple(place.load() for place in self._places)

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the claims."""
        return tuple(place.claim_id for place in self._places)

    @property
    def title(self) -> str:
        """The paper's title."""
        return origin_of(self._places[0])["title"]

    @property
    def notes(self) -> tuple[str, ...]:
        """What reading a ``.tex`` file has to say beside the claims, a line each, such as a mark without a formula."""
        return tuple(filter(None, origin_of(self._places[0]).get("notes", "").splitlines()))

    @overload
    def __getitem__(self, index: int | str) -> Claim: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Claim]: ...
    def __getitem__(self, index: int | str | slice) -> Claim | Sequence[Claim]:
        if isinstance(index, slice):
            return self.claims[index]
        return self._places[_found(self.ids, index) if isinstance(index, str) else index].load()

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Claim]:
        return iter(self.claims)

    def check(
        self, *ids: str, quick: bool = False, jobs: int = 2, timeout: float | None = 300, fresh: bool = False,
        progress: bool | None = None,
    ) -> Verdicts:  # fmt: skip
        """The verdicts on the claims, or on those of these ids, as ``asymp check`` finds them, in processes of their own.

        Args:
            ids: with the paper's key or without.
            quick: fewer points and shorter samples.
            jobs: how many claims are checked at once.
            timeout: seconds after which a claim is undecided.
            fresh: take nothing from the store of verdicts.
            progress: whether it is shown; if nothing is said, in a notebook and on a terminal.

        Raises:
            KeyError: no claim has such an id.
            KeyboardInterrupt: the run was interrupted.
        """
        chosen = [self._places[_found(self.ids, one)] for one in ids] or list(self._places)
        whole = self.target if not ids else ""
        words = [whole] if whole else [p.claim_id if p.file is None else f"{p.file}::{p.claim_id}" for p in chosen]
        found = check_all(words, jobs, quick, Limits(timeout), self.trust, fresh, lambda total: _shown(total, progress))
        return Verdicts(found.values(), self.title)

    def __repr__(self) -> str:
        return f"<Paper {self.target}: {len(self)} claim{'s' * (len(self) != 1)}>"

    def _repr_html_(self) -> str:
        return cell.claims(self.claims, self.title)


class Verdicts(Sequence[Verdict]):
    """Verdicts as a table; a notebook shows them with formulas set, the evidence of each unfolds.

    One is found by its place or by its claim's id, with the paper's key or without; ``print`` shows what ``asymp check`` does.
    """

    def __init__(self, verdicts: Iterable[Verdict], title: str = "") -> None:
        self._verdicts, self.title = tuple(verdicts), title

    @overload
    def __getitem__(self, index: int | str) -> Verdict: ...
    @overload
    def __getitem__(self, index: slice) -> Verdicts: ...
    def __getitem__(self, index: int | str | slice) -> Verdict | Verdicts:
        if isinstance(index, slice):
            return Verdicts(self._verdicts[index], self.title)
        return self._verdicts[_found([one.claim.id for one in self], index) if isinstance(index, str) else index]

    def __len__(self) -> int:
        return len(self._verdicts)

    def __iter__(self) -> Iterator[Verdict]:
        return iter(self._verdicts)

    def where(self, outcome: Outcome | str | None = None, as_expected: bool | None = None) -> Verdicts:
        """Those of an outcome, and those that are, or are not, as expected."""
        kept = (one for one in self if outcome is None or one.outcome == Outcome(outcome))
        return Verdicts((one for one in kept if as_expected is None or one.as_expected == as_expected), self.title)

    @property
    def as_expected(self) -> bool:
        """Whether every outcome is the expected one."""
        return all(one.as_expected for one in self)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The table: a row for each claim, words and numbers alone."""
        return [
            dict(zip(COLUMNS, (
                one.claim.id, one.claim.source.locator, one.claim.statement, str(one.outcome), str(one.strength),
                str(one.claim.expected), one.as_expected, one.next_term, one.reason, round(one.seconds, 3),
            ), strict=True))
            for one in self
        ]  # fmt: skip

    def to_pandas(self) -> pd.DataFrame:
        """The same as a data frame, by the claims' ids.

        Raises:
            ImportError: pandas is not there.
        """
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError as error:
            raise ImportError("pandas is not installed (pip install pandas): to_dicts() is the same table as a list") from error
        return pandas.DataFrame(self.to_dicts(), columns=COLUMNS).set_index("id")

    def record(self) -> dict[str, Any]:
        """The record, as ``asymp check --json`` writes it."""
        return record(self, __version__, sum(one.seconds for one in self))

    def __bool__(self) -> bool:
        raise TypeError("verdicts are not a truth value: ask as_expected")

    def __repr__(self) -> str:
        return f"<Verdicts: {'; '.join(table.summary_line(self.record()['summary']).split('; ')[:2])}>"

    def __str__(self) -> str:
        columns = table.widths((one.claim.id, one.claim.source.locator) for one in self)
        rows = [table.row(one, columns) for one in self]
        return "\n".join([table.header(columns), *rows, table.summary_line(self.record()["summary"])])

    def _repr_html_(self) -> str:
        return cell.verdicts([explained(one) for one in self], self.title, self.record()["summary"])


def _found(ids: Sequence[str], wanted: str) -> int:
    """The place of an id, which may be without its paper's key."""
    for one in (wanted, *(full for full in ids if full.partition("/")[2] == wanted)):
        if one in ids:
            return ids.index(one)
    raise KeyError(unknown("claim", wanted, ids))


def _shown(total: int, wanted: bool | None) -> Progress:
    """In a notebook a line of the cell that changes; on a terminal as ``asymp check`` shows it."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if wanted is not False and getattr(shell, "kernel", None) is not None:
        return CellProgress(total)
    return Progress(total, quiet=wanted is False or (wanted is None and not sys.stderr.isatty()))
