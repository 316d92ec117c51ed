"""Workloads of the multiserver-job queue: how many servers a job needs, how often, and for how long.

Shipped workloads (:func:`named`; the numbers are in ``workloads/*.csv`` beside this file):

``table2-LAW``
    5 classes on 20 servers (mjsre, Table 2) with LAW one of ``exponential``, ``erlang`` (3 phases),
    ``hyperexponential``, ``bounded-pareto`` (shape 1.4).  Table 2 prints its parameters rounded, for
    laws that "maintain the same mean service time".  Here the means are kept exactly as printed: the
    second phase of the hyperexponential and the lower bound of the bounded Pareto follow from them.
``table2-hyperexponential-printed``, ``table2-bounded-pareto-printed``
    the parameters as printed, (25, 0.25) or (0.15, 400) for class 1: means are up to 0.53% off.
``table2-hyperexponential-public``, ``table2-bounded-pareto-public``
    those of the inputs published with the paper, (25, 0.2525) or (0.1492, 400): more digits.
``one-and-256``
    256 servers, exponential: 1 server for 1 with probability 0.999, all of them for 40 (section 7.4).
``half-and-half-200``
    200 servers, classes 1 and 100, equally likely, exponential of mean 1 (section 8.1; see
    :func:`half_and_half` for the other means of Figure 2(a)).
``cell-b``
    2048 servers, 26 classes of Google Borg's cell B, exponential.  Not the 17 classes of Figure 7(a),
    which exist only as an image.
"""

from __future__ import annotations

from importlib import resources

from asymp.messages import unknown
from asymp.queues.job_classes import ServerNeed, Workload
from asymp.queues.laws import Exponential
from asymp.queues.workload_file import parse_workload, read_workload, write_workload

__all__ = ["SHIPPED", "ServerNeed", "Workload", "half_and_half", "named", "read_workload", "write_workload"]


def half_and_half(mean_big: float = 1.0, servers: int = 200, big: int = 100) -> Workload:
    """Equally likely jobs of 1 server and mean 1, and of ``big`` servers and mean ``mean_big``.

    Figure 2(a) of mjsre: 200 servers, 100 of them for a big job, and the mean of the big ones varies.
    """
    classes = (ServerNeed(1, 0.5, Exponential(1.0)), ServerNeed(big, 0.5, Exponential(mean_big)))
    return Workload(servers, classes, f"half-and-half-{servers}")


SHIPPED: dict[str, int] = {
    "table2-exponential": 20,
    "table2-erlang": 20,
    "table2-hyperexponential": 20,
    "table2-hyperexponential-printed": 20,
    "table2-hyperexponential-public": 20,
    "table2-bounded-pareto": 20,
    "table2-bounded-pareto-printed": 20,
    "table2-bounded-pareto-public": 20,
    "one-and-256": 256,
    "half-and-half-200": 200,
    "cell-b": 2048,
}
"""The shipped workloads and their numbers of servers."""


def named(name: str, servers: int | None = None) -> Workload:
    """A shipped workload, on its own number of servers unless another is given.

    Raises:
        ValueError: an unknown name, or fewer servers than a job needs.

    >>> round(named("table2-bounded-pareto").ideal_rate, 2), len(named("cell-b").classes)
    (2.11, 26)
    """
    if name not in SHIPPED:
        raise ValueError(unknown("workload", name, SHIPPED))
    text = (resources.files("asymp.queues") / "workloads" / f"{name}.csv").read_text(encoding="utf-8")
    return parse_workload(text, SHIPPED[name] if servers is None else servers, name=name)
