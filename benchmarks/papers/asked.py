"""One statement asked, in whatever process: its answer as plain data."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from asymp.check.ask import ask
from asymp.claim import Verdict


def answered(
    text: str, to: str, assume: Sequence[str], keep: Callable[[dict[str, Any]], None] = lambda _: None
) -> dict[str, Any]:
    """Outcome, strength, the reason in one line, and seconds of the processor; ``keep`` is given what is found so far.

    >>> answered("1/n -> 0", "n -> oo", [])["strength"], answered("1/n -> -> 0", "n -> oo", [])["outcome"]
    ('proved', 'refused')
    """
    begin = time.process_time()

    def said(verdict: Verdict) -> dict[str, Any]:
        reason = verdict.reason or "; ".join(line.detail for line in verdict.evidence)
        return row(str(verdict.outcome), str(verdict.strength), reason)

    def row(outcome: str, strength: str, reason: str) -> dict[str, Any]:
        seconds = time.process_time() - begin
        return {"outcome": outcome, "strength": strength, "reason": " ".join(reason.split()), "seconds": seconds}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return said(ask(text, to=to or None, assume=tuple(assume), so_far=lambda verdict: keep(said(verdict))))
        except ValueError as error:
            return row("refused", "none", str(error))


def watched(text: str, to: str, assume: Sequence[str]) -> dict[str, Any]:
    """The same in a watched process, whose parent keeps what is found before a limit."""
    from asymp.command.worker import keep

    return answered(text, to, assume, keep)
