"""How long something took: for display, and for nothing else.

No decision may hang on it: what a search may cost is counted in :mod:`asymp.budget`.
"""

from __future__ import annotations

import time


class Stopwatch:
    """Runs from when it is made.

    >>> Stopwatch().seconds() >= 0
    True
    """

    def __init__(self) -> None:
        self._begin = time.perf_counter()

    def seconds(self) -> float:
        """Seconds since then, to a tenth of a millisecond."""
        return round(time.perf_counter() - self._begin, 4)
