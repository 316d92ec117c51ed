"""What both parts of section 9 use: why its recurrences fail, and the requests for specific servers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from asymp.queues.recurrence import Number, Specific, Vector, specific_step_printed

WHY = (
    "The servers that job n does not use keep their workload, which may be less than the time until job n starts: a job behind "
    "it can start there earlier, and the discipline is not first come, first served."
)
RAISED = "every component is raised to at least the start of the job"


def read_as_zero(w: Sequence[Number], job: Specific) -> Vector:
    """(14) as printed, with W^{i*} = 0 where there is no i*."""
    return specific_step_printed(w, job, absent=0)


def shapes() -> Iterator[tuple[int, int, frozenset[int]]]:
    """(s, alpha, S)."""
    for size in range(1, 5):
        for beta in range(size + 1):
            for chosen in itertools.combinations(range(1, size + 1), beta):
                for alpha in range(1 if not beta else 0, size - beta + 1):
                    yield size, alpha, frozenset(chosen)
