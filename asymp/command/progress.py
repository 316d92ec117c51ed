"""Progress on standard error, never on standard output."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asymp.command.parallel import Place


class Progress:
    """What is being checked, on standard error: one changing line on a terminal, else plain lines."""

    def __init__(self, total: int) -> None:
        self.total, self.begun, self.finished = total, 0, 0
        self.terminal = sys.stderr.isatty()
        self.drawn = False

    def start(self, place: Place) -> None:
        """A claim is being started."""
        self.begun += 1
        if self.terminal:
            self.clear()
            sys.stderr.write(f"[{self.finished}/{self.total}] checking {place.claim_id}"[:78])
            self.drawn = True
        elif self.total > 1:
            sys.stderr.write(f"[{self.begun}/{self.total}] checking {place.claim_id}\n")
        sys.stderr.flush()

    def done(self) -> None:
        """A claim is finished; its row follows."""
        self.finished += 1
        self.clear()

    def clear(self) -> None:
        """Take the line away."""
        if self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.drawn = False


class SampleProgress:
    """Progress of a long run: at most two lines a second, and none for a short one."""

    def __init__(self) -> None:
        self.begin = self.last = time.perf_counter()
        self.terminal = sys.stderr.isatty()
        self.drawn = False

    def __call__(self, done: float, total: float = 1.0) -> None:
        now = time.perf_counter()
        if now - self.begin > 1.0 and now - self.last > 0.5 and 0 < done < total:
            self.last = now
            sys.stderr.write(f"\r{100 * done / total:5.1f} %" if self.terminal else f"{100 * done / total:.1f} %\n")
            sys.stderr.flush()
            self.drawn = self.terminal

    def clear(self) -> None:
        """Take the line away."""
        if self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.drawn = False
