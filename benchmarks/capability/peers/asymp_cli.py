"""asymp, through its command line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from importlib import metadata

from benchmarks.capability.problem import Problem
from benchmarks.capability.score import Answer, Part


def command(problem: Problem) -> list[str]:
    """The arguments of ``asymp`` for a problem."""
    free = {name for case in problem.cases for name in case.at} - set(re.findall(r"\w+", " ".join(problem.assume)))
    positive = [f"{name}>0" for name in sorted(free) if name not in dict(problem.limits) and name not in dict(problem.ties)]
    more = [word for text in (*problem.assume, *positive) for word in ("--assume", text)]
    if problem.holds is not None:
        return ["ask", problem.text, "--to", problem.to, *more]
    if problem.unknown:
        return [
            "expand", "--equation", problem.text, "--unknown", problem.unknown, "--to", problem.to, *more, "--order",
            str(problem.order),
        ]  # fmt: skip
    return ["expand", problem.text, "--to", problem.to, *more, "--order", str(problem.order)]


class Asymp:
    """``asymp expand`` and ``asymp ask`` with ``--json``."""

    name = "asymp"

    def version(self) -> str | None:
        """The installed version."""
        try:
            return metadata.version("asymp")
        except metadata.PackageNotFoundError:
            return None

    def start(self, problem: Problem) -> tuple[Sequence[str], str]:
        """One command: what it answers first is its answer."""
        return [sys.executable, "-m", "asymp", *command(problem), "--json"], ""

    def read(self, problem: Problem, line: str) -> tuple[str, Answer] | None:
        """One JSON object, or a line of complaint."""
        if not line.startswith("{"):
            return ("asymp", Answer(why=line[:200])) if line.startswith("asymp") else None
        found = json.loads(line)
        if problem.holds is not None:
            return "ask", Answer(verdict=found["outcome"], why=found.get("why", ""))
        if "refused" in found:
            return "expand", Answer(why=found["refused"])
        parts = []
        for case in found.get("cases", [found]):
            if "refused" in case:
                parts.append(Part("", "", case.get("when", ""), case["refused"]))
                continue
            growth = case["remainder"]["growth"]
            text = " + ".join(f"({term})" for term in case["terms"]) or "0"
            parts.append(Part(text, "" if growth == "0" else growth, case.get("when", "")))
        return "expand", Answer(tuple(parts))
