"""SymPy, in a process of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import metadata

from benchmarks.capability.peers.base import json_line
from benchmarks.capability.peers.decide import decided
from benchmarks.capability.problem import Problem
from benchmarks.capability.score import Answer, Part


class SymPy:
    """series, aseries, as_leading_term and limit."""

    name = "sympy"

    def version(self) -> str | None:
        """The installed version."""
        try:
            return metadata.version("sympy")
        except metadata.PackageNotFoundError:
            return None

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """The worker, with the problem on its standard input."""
        data = {
            "text": problem.text, "limits": problem.limits, "ties": problem.ties, "order": problem.order,
            "unknown": problem.unknown, "ratio": problem.ratio,
        }  # fmt: skip
        return [sys.executable, "-m", "benchmarks.capability.peers.sympy_worker"], json.dumps(data)

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """A line of the worker."""
        found = json_line(line)
        if found is None:
            return None
        if "refused" in found:
            return found["way"], Answer(why=found["refused"])
        if "limit" in found:
            return found["way"], decided(problem, found["limit"])
        return found["way"], Answer((Part(found["text"], found["remainder"]),))
