"""Classes of multiserver jobs, and the workload that they make."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from asymp.queues.law import Law, normalised, positive, whole

MOST_SERVERS = 10**9
MOST_CLASSES = 10**6


@dataclass(frozen=True)
class ServerNeed:
    """A class of jobs: the servers that each holds together, its probability, its law of service time."""

    servers: int
    probability: float
    service: Law


@dataclass(frozen=True)
class Workload:
    """The classes of jobs that come to ``servers`` identical servers.

    Probabilities that miss 1 by up to 1e-6 (rounded in print) are divided by their sum; classes may
    share a need (jobs of one size with laws of their own).

    Raises:
        ValueError: one line that names the class.

    >>> from asymp.queues.laws import Exponential
    >>> w = Workload(2, (ServerNeed(1, 0.5, Exponential(1.0)), ServerNeed(2, 0.5, Exponential(2.0))))
    >>> w.mean_service, w.mean_demand, w.ideal_rate
    (1.5, 2.5, 0.8)
    """

    servers: int
    classes: tuple[ServerNeed, ...]
    name: str = ""

    def __post_init__(self) -> None:
        servers = whole("servers", self.servers, 1, MOST_SERVERS)
        classes = tuple(self.classes)
        if not classes:
            raise ValueError("a workload needs at least one class")
        if len(classes) > MOST_CLASSES:
            raise ValueError(f"{len(classes)} classes: at most {MOST_CLASSES}")
        for place, entry in enumerate(classes):
            check_class(entry, servers, f"class {place + 1}")
        probabilities = normalised([float(entry.probability) for entry in classes])
        classes = tuple(
            replace(entry, servers=int(entry.servers), probability=p)
            for entry, p in zip(classes, probabilities, strict=True)
        )
        object.__setattr__(self, "servers", servers)
        object.__setattr__(self, "classes", classes)
        if not math.isfinite(self.mean_demand):
            raise ValueError("the mean demand of the workload is beyond float64")

    @property
    def probabilities(self) -> tuple[float, ...]:
        """The probability of each class."""
        return tuple(entry.probability for entry in self.classes)

    @property
    def needs(self) -> tuple[int, ...]:
        """The servers that a job of each class needs."""
        return tuple(entry.servers for entry in self.classes)

    @property
    def mean_service(self) -> float:
        """E[sigma] over all jobs."""
        return math.fsum(entry.probability * entry.service.mean for entry in self.classes)

    @property
    def service_cv(self) -> float:
        """The coefficient of variation of sigma over all jobs."""
        mean = self.mean_service
        laws = [(entry.probability, entry.service) for entry in self.classes]
        return math.sqrt(math.fsum(p * (law.variance + (law.mean - mean) ** 2) for p, law in laws)) / mean

    @property
    def mean_demand(self) -> float:
        """E[alpha sigma]: the server-time that a job takes in the mean."""
        return math.fsum(entry.probability * entry.servers * entry.service.mean for entry in self.classes)

    @property
    def ideal_rate(self) -> float:
        """``servers / E[alpha sigma]``: no rate above it is stable, and those near it are not either."""
        return self.servers / self.mean_demand

    def with_law(self, law: Callable[[float], Law]) -> Workload:
        """The same needs and mean service times under another law, made from each class's mean.

        Raises:
            ValueError: one line that names the class, if the law cannot have its mean.

        >>> from asymp.queues.laws import Erlang, Exponential
        >>> w = Workload(1, (ServerNeed(1, 1.0, Exponential(2.0)),))
        >>> w.with_law(lambda mean: Erlang(4, mean)).service_cv
        0.5
        """
        classes = []
        for place, entry in enumerate(self.classes):
            try:
                classes.append(replace(entry, service=law(entry.service.mean)))
            except ValueError as error:
                raise ValueError(f"class {place + 1} ({entry.servers} servers): {error}") from None
        return replace(self, classes=tuple(classes))


def check_class(entry: ServerNeed, servers: int, place: str) -> None:
    """That a class can be served.

    Raises:
        ValueError: one line that starts with ``place``.
    """
    try:
        need = whole("servers", entry.servers, 1, MOST_SERVERS)
        if need > servers:
            raise ValueError(f"a job needs {need} servers, and there are {servers}")
        if positive("probability", entry.probability) > 1:
            raise ValueError(f"probability must be at most 1, not {entry.probability:g}")
        if not isinstance(entry.service, Law):
            raise ValueError(f"service must be a law, not {entry.service!r}")
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from None
