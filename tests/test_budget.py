"""What is found hangs on counted work: not on the clock, not on what was asked before, not on a message's words."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import asymp
from asymp import budget
from asymp.check.ask import ask
from asymp.check.expansion import expand_text
from asymp.export.record import verdict_record
from asymp.parse import claim

ROOT = Path(asymp.__file__).resolve().parents[1]
MODULES = sorted((ROOT / "asymp").rglob("*.py"))
CLOCKS = {"perf_counter", "process_time", "monotonic", "thread_time", "perf_counter_ns", "process_time_ns", "monotonic_ns"}
MAY_LOOK = ("asymp.stopwatch", "asymp.cli", "asymp.command", "asymp.sample", "asymp.test")
"""Rooms that may look at a clock: for display, for progress, for a user's own time limit."""
UNMETERED = ("asymp.kernel", "asymp.language")
UNCOUNTED = ("asymp.sample", "asymp.queues", "asymp.registry", "asymp.paper.files", "asymp.outside", "asymp.budget")

EXPANSIONS = [
    ("(1 + n^(-a))^2", 2), ("harmonic(n)", 3), ("log(gamma(n + a))", 4), ("Sum(1/(k*(n - k)), (k, 1, n - 1))", 3),
    ("n^(3-2*a)*log(n) + n^(1-a)", 2), ("Integral(exp(-n*t)/(1+t), (t, 0, oo))", 4), ("binomial(2*n, n)", 8),
    ("uppergamma(n, 2*n)", 2), ("exp(1/n)*log(n+1)*gamma(n+1/2)/gamma(n)", 9), ("zeta(1 + 1/n)", 3),
]  # fmt: skip
STATEMENTS = [
    ("harmonic(n) ~ log(n)", "n->oo"), ("harmonic(n) ~ 2*log(n)", "n->oo"), ("(1+1/n)^n -> E", "n->oo"),
    ("1 = O(sin(n))", "n->oo"), ("n^a = o(exp(n)) as n -> oo for a > 0", None), ("log(n)^5 = O(n)", "n->oo"),
    ("harmonic(n) = log(n) + EulerGamma + O(1/n)", "n->oo"), ("sin(n)/n -> 0", "n->oo"), ("gamma(n) = O(n^n)", "n->oo"),
    ("n^2 <= 2^n for n >= 4", None), ("log(n) <= sqrt(n) for n >= 1", None), ("sin(x) <= x for 0 < x < 1", None),
    ("harmonic(n) <= 1 + log(n) for n >= 1", None), ("floor(x)^2 >= x - 7 for x >= 1", None),
    ("x - x^3/6 <= sin(x) for 0 < x < 3", None), ("(x-3/10)^2 > 1/1000000 for 0 < x < 1", None),
]  # fmt: skip
CLAIMS = [
    claim("budget/stirling", "log(gamma(n)) ~ n*log(n)", to="n->oo", source="a test, (1)"),
    claim("budget/parts", "Sum(1/k^2, (k, 1, n)) = pi^2/6 + O(1/n)", to="n->oo", source="a test, (2)"),
    claim("budget/wrong", "Sum(1/k, (k, 1, n)) = log(n) + O(1/n)", to="n->oo", source="a test, (3)"),
    claim("budget/case", "n^(1-a) + n^(2-3*a) ~ n^(1-a)", to="n->oo", assume="a>0", source="a test, (4)"),
]


def answers() -> list[str]:
    """What is found, without the seconds; of all but the first the steps that it cost, in this process new or known."""
    found: list[str] = []
    for text, order in EXPANSIONS:
        before = budget.spent()
        answer = expand_text(text, "n->oo", assume=["a>0"] if re.search(r"\ba\b", text) else [], order=order)
        steps = budget.spent() - before if (text, order) != EXPANSIONS[0] else 0
        found.append(json.dumps({"steps": steps} | {key: value for key, value in answer.items() if key != "seconds"}))
    for text, to in STATEMENTS:
        before = budget.spent()
        found += [_plain(ask(text, to=to)), f"{budget.spent() - before} steps"]
    equation = expand_text(None, "n->oo", order=3, equation="x*exp(x) = n", unknown="x")
    found.append(json.dumps({key: value for key, value in equation.items() if key != "seconds"}))
    return found + [_plain(asymp.check.check(one)) for one in CLAIMS]


def _plain(verdict: asymp.Verdict) -> str:
    return json.dumps({key: value for key, value in verdict_record(verdict).items() if key != "seconds"}, sort_keys=True)


@pytest.fixture(scope="module")
def usual() -> list[str]:
    return answers()


@pytest.mark.parametrize("speed", [1000.0, 0.0], ids=["a thousand times faster", "frozen"])
def test_no_clock_decides(speed, usual, monkeypatch):
    """Nor does what was asked before: each question costs the same steps again, when all caches are warm."""
    for name in CLOCKS:
        real, scale = getattr(time, name), (int(speed) if name.endswith("_ns") else speed)
        start = real()
        monkeypatch.setattr(time, name, lambda real=real, start=start, scale=scale: (real() - start) * scale)
    assert answers() == usual


def test_a_fresh_process_spends_the_same_steps():
    text, order = EXPANSIONS[4]
    expand_text(text, "n->oo", assume=["a>0"], order=order)
    before = budget.spent()
    expand_text(text, "n->oo", assume=["a>0"], order=order)
    here = budget.spent() - before
    code = (
        "from asymp import budget; from asymp.check.expansion import expand_text;"
        f"expand_text({text!r}, 'n->oo', assume=['a>0'], order={order}); print(budget.spent())"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert int(there.stdout) == here


def test_an_empty_budget_is_noticed(monkeypatch):
    """The limits limit: with next to none, fewer cases are found, and no pieces of a bound."""
    text = "n^(3-2*a)*log(n) + n^(1-a)"
    assert len(expand_text(text, "n->oo", assume="a>1", order=1)["cases"]) == 3
    monkeypatch.setattr("asymp.prove.line.MOST_SERIES", 0)
    monkeypatch.setattr("asymp.prove.boxes.DEEPEST", -1)
    monkeypatch.setattr("asymp.prove.parting.MOST_CASES", 1)
    assert "refused" in expand_text(text, "n->oo", assume="a>1", order=1)
    assert ask("sin(5*x) + cos(7*y) + x*y > -17/10 for 0 < x < 1, 0 < y < 1").strength.value == "supported"


def name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def within(path: Path, rooms: tuple[str, ...]) -> bool:
    return any(name_of(path) == room or name_of(path).startswith(room + ".") for room in rooms)


def clocks_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name in CLOCKS:
            yield f"line {node.lineno}: {name}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {getattr(node, "module", None), *(alias.name for alias in node.names)}
            yield from (f"line {node.lineno}: {one}" for one in names & {"time", "timeit"})


def counted_caches_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.args.args and node.args.args[0].arg != "self":
            names = [ast.unparse(decorator).split("(")[0].split(".")[-1] for decorator in node.decorator_list]
            if set(names) & {"lru_cache", "cache"} and names[0] != "uncounted":
                yield f"{node.name}: @uncounted is missing above its cache"


def words_sought_in(tree: ast.Module) -> Iterator[str]:
    """``"..." in str(error)``, ``"..." in line.detail``: a type or a member says what a message cannot."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Constant) or not isinstance(node.left.value, str):
            continue
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            text = ast.unparse(node.comparators[0])
            if text.startswith("str(") or text.split(".")[-1] in ("detail", "why", "reason", "message", "args"):
                yield f"line {node.lineno}: {ast.unparse(node)}"


def test_how_modules_are_written():
    """No clock but for display; caches that cost one step, known or new; nobody looks for words in a message.

    A cache that counts its work the first time alone would make the order of questions matter.
    """
    found: list[str] = []
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        looks = [] if within(path, MAY_LOOK) else [clocks_in]
        if within(path, UNMETERED):  # they have no meter: what it counts it counts by theorem
            found += [f"{name_of(path)}: asymp.budget"] if "asymp.budget" in text else []
        elif not within(path, UNCOUNTED):
            looks.append(counted_caches_in)
        if path.name != "arguments.py":  # argparse has words alone, and no verdict hangs on them
            looks.append(words_sought_in)
        found += [f"{name_of(path)}: {fault}" for look in looks for fault in look(tree)]
    assert found == []


def test_what_modules_must_not_hold_is_seen():
    """The looks above find what they are there to find."""
    tree = ast.parse("import time\nfrom timeit import timeit\nperf_counter()\ntime.monotonic\n")
    assert {fault[:6] for fault in clocks_in(tree)} == {"line 1", "line 2", "line 3", "line 4"}
    tree = ast.parse("@lru_cache(maxsize=1)\ndef f(x): ...\n@uncounted\n@functools.cache\ndef g(x): ...\n@cache\ndef h(): ...\n")
    assert [fault.partition(":")[0] for fault in counted_caches_in(tree)] == ["f"]
    tree = ast.parse("'a' in str(error)\n'a' not in line.detail\n'a' in names\n")
    assert [fault.partition(":")[0] for fault in words_sought_in(tree)] == ["line 1", "line 2"]
