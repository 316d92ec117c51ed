"""The problems, by kind."""

from __future__ import annotations

from benchmarks.capability.problem import Problem
from benchmarks.capability.problems import (
    decisions,
    elementary,
    implicit,
    incomplete,
    integrals,
    regimes,
    special,
    sums,
)

_MODULES = (elementary, special, incomplete, sums, integrals, implicit, regimes, decisions)
PROBLEMS: list[Problem] = [problem for module in _MODULES for problem in module.PROBLEMS]
