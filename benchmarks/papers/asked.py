"""One statement asked, in whatever process: its answer as plain data."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Any


def answered(text: str, to: str, assume: Sequence[str]) -> dict[str, Any]:
    """Outcome, strength, the reason in one line, and seconds of the processor.

    >>> answered("1/n -> 0", "n -> oo", [])["strength"], answered("1/n -> -> 0", "n -> oo", [])["outcome"]
    ('proved', 'refused')
    """
    from asymp.check.ask import ask

    begin = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = ask(text, to=to or None, assume=tuple(assume))
        outcome, strength, reason = str(found.outcome), str(found.strength), found.reason
        reason = reason or "; ".join(line.detail for line in found.evidence)
    except ValueError as error:
        outcome, strength, reason = "refused", "none", str(error)
    return {
        "outcome": outcome,
        "strength": strength,
        "reason": " ".join(reason.split()),
        "seconds": time.process_time() - begin,
    }
