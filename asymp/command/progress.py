"""Progress on standard error, never on standard output."""

from __future__ import annotations

import html
import importlib
import sys
import threading
import time
from dataclasses import dataclass


class Progress:
    """What is being checked, on standard error: one changing line on a terminal, else plain lines."""

    def __init__(self, total: int, quiet: bool = False, doing: str = "checking") -> None:
        self.doing = doing
        self.total, self.begun, self.finished, self.wrong = total, 0, 0, 0
        self.quiet, self.terminal = quiet, not quiet and sys.stderr.isatty()
        self.drawn = False

    def start(self, claim_id: str) -> None:
        """A claim is being started."""
        self.begun += 1
        if self.terminal:
            self.clear()
            wrong = f", {self.wrong} NOT as expected" if self.wrong else ""
            sys.stderr.write(f"[{self.finished}/{self.total}{wrong}] {self.doing} {claim_id}"[:78])
            self.drawn = True
        elif self.total > 1 and not self.quiet:
            sys.stderr.write(f"[{self.begun}/{self.total}] {self.doing} {claim_id}\n")
        if not self.quiet:
            sys.stderr.flush()

    def done(self, expected: bool = True) -> None:
        """A claim is finished, as expected or not; its row follows."""
        self.finished += 1
        self.wrong += not expected
        self.clear()

    def clear(self) -> None:
        """Take the line away."""
        if self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.drawn = False


class CellProgress(Progress):
    """The same in a notebook: a bar in the cell, which says in the end how many there were."""

    def __init__(self, total: int, doing: str = "checking") -> None:
        super().__init__(total, True, doing)
        self.begin = time.perf_counter()
        self.cell = importlib.import_module("IPython.display").display(_Bar(0, total, ""), display_id=True)

    def start(self, claim_id: str) -> None:
        """A claim is being started."""
        self.cell.update(_Bar(self.finished, self.total, f"{self.doing} {claim_id}"))

    def done(self, expected: bool = True) -> None:
        """A claim is finished."""
        self.finished += 1
        self.cell.update(_Bar(self.finished, self.total, ""))

    def clear(self) -> None:
        """No more of them come."""
        self.cell.update(_Bar(self.finished, self.total, f"{time.perf_counter() - self.begin:.1f} s"))


@dataclass(frozen=True)
class _Bar:
    """How far it is, as a notebook shows it."""

    finished: int
    total: int
    words: str

    def __repr__(self) -> str:
        return ", ".join(filter(None, (f"{self.finished} of {self.total}", self.words)))

    def _repr_html_(self) -> str:
        bar = f'<progress value="{self.finished}" max="{max(self.total, 1)}"></progress>' if self.finished < self.total else ""
        return f"<small>{bar} {html.escape(repr(self))}</small>"


class SampleProgress:
    """Progress of a long run: a line that changes twice a second on a terminal, else one every five seconds.

    A run may have stages (:meth:`stage`); a long one is named even if it never says how far it is.  Short runs say nothing.
    """

    def __init__(self, silent: bool = False) -> None:
        self.silent = silent
        self.begin = self.last = time.perf_counter()
        self.terminal = sys.stderr.isatty()
        self.quiet, self.gap = (1.0, 0.5) if self.terminal else (5.0, 5.0)
        self.drawn = False
        self.words = ""
        self.timer: threading.Timer | None = None
        self.lock = threading.Lock()

    def stage(self, words: str) -> None:
        """Another part of the run begins: ``pilot runs``, ``samples``."""
        self._stop()
        self.words = words
        self.timer = threading.Timer(self.quiet, self._write, (f"{words} ...",))
        self.timer.daemon = True
        self.timer.start()

    def __call__(self, done: float, total: float = 1.0) -> None:
        now = time.perf_counter()
        if now - self.begin > self.quiet and now - self.last > self.gap and 0 < done < total:
            self._stop()
            self.last = now
            self._write(f"{self.words} {100 * done / total:5.1f} %" if self.words else f"{100 * done / total:5.1f} %")

    def clear(self) -> None:
        """Take the line away."""
        self._stop()
        with self.lock:
            if self.drawn:
                sys.stderr.write("\r\033[K")
                sys.stderr.flush()
                self.drawn = False

    def _write(self, text: str) -> None:
        if self.silent:
            return
        with self.lock:
            sys.stderr.write(f"\r\033[K{text}" if self.terminal else f"{text.strip()}\n")
            sys.stderr.flush()
            self.drawn = self.terminal

    def _stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
