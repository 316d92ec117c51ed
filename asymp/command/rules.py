"""What ``asymp rules`` prints: the kernel's rules, theory by theory, in the words that stand beside their code."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path

import asymp.kernel.records as records  # registers all rules
from asymp.command.usage import UsageError
from asymp.kernel import THEORIES
from asymp.kernel.theorem import RULES
from asymp.messages import unknown

KERNEL = Path(str(records.__file__)).parent


def contents() -> str:
    """All rules by the theory in which they stand, and how many lines each theory has.

    >>> [line.partition(" ")[0].rstrip(",") for line in contents().splitlines() if line[:1].strip()]
    ['core', 'rings', 'facts', 'summation', 'balls', 'growths', 'laws', 'rays', 'sequences', 'chains', 'functions']
    """
    lines = [f"core, {_size(KERNEL.glob('*.py'))} lines: terms, theorems, certificates and their replay"]
    for name in THEORIES:
        theory = import_module(f"asymp.kernel.{name}")
        lines += ["", f"{name}, {_size((KERNEL / name).glob('*.py'))} lines: {inspect.getdoc(theory)}"]
        lines += [f"  {rule:<15} {_words(rule)[0]}" for rule in RULES if _theory(rule) == name]
    for package in dict.fromkeys(rule.partition("/")[0] for rule in RULES if "/" in rule):
        lines += ["", f"from the package {package}, which theorems name as what they trust:"]
        lines += [f"  {rule:<15} {(_words(rule) or [''])[0]}" for rule in RULES if rule.startswith(f"{package}/")]
    return "\n".join(lines) + "\n"


def in_full(names: Sequence[str]) -> str:
    """What stands beside the code of some rules, and of the modules in which they are.

    Raises:
        UsageError: there is no rule of a name.

    >>> print(in_full(["termwise"]).splitlines()[2])
    Sum(f, (k, a, b)) <= Sum(g, (k, a, b)) from f(k) <= g(k) for whole k, a <= k <= b; for infinite sums both converge.
    >>> in_full(["term wise"])
    Traceback (most recent call last):
    ...
    asymp.command.usage.UsageError: unknown rule 'term wise': did you mean termwise?
    """
    for name in names:
        if name not in RULES:
            raise UsageError(unknown("rule", name, RULES, all_of="asymp rules"))
    parts = []
    for module in dict.fromkeys(RULES[name].__module__ for name in names):
        for name in names:
            if RULES[name].__module__ == module:
                parts += [f"rule {name}", "\n".join(_words(name))]
        parts += [f"from {module}:", inspect.getdoc(sys.modules[module]) or ""]
    return "\n\n".join(parts) + "\n"


def _theory(rule: str) -> str:
    return "" if "/" in rule else RULES[rule].__module__.split(".")[2]


def _words(rule: str) -> list[str]:
    return (inspect.getdoc(RULES[rule]) or "").splitlines()


def _size(files: Iterable[Path]) -> int:
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
