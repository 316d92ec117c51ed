"""What is found hangs on counted work: not on the clock, not on what was asked before, not on a message's words."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import time
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
MAY_LOOK = ("asymp.stopwatch", "asymp.cli", "asymp.command", "asymp.sample")
"""Rooms that may look at a clock: for display, for progress, for a user's own time limit."""

EXPANSIONS = [
    ("(1+n^(-a))^n", 1), ("harmonic(n)", 3), ("log(gamma(n + a))", 4), ("Sum(1/(k*(n - k)), (k, 1, n - 1))", 3),
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
    monkeypatch.setattr("asymp.prove.boxes.WORK", 10)
    monkeypatch.setattr("asymp.check.expansion.by_cases", _with_few_steps)
    assert "refused" in expand_text(text, "n->oo", assume="a>1", order=1)
    assert ask("sin(x)/x >= cos(x) for 0 < x < 1").outcome.value == "undecided"


def _with_few_steps(*args, **options):
    from asymp.expand.splits import by_cases

    return by_cases(*args, **{**options, "steps": 0})


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_clocks_are_looked_at_for_display_alone(path):
    here = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    if any(here == room or here.startswith(room + ".") for room in MAY_LOOK):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        assert name not in CLOCKS, f"{here} line {node.lineno}: {name}"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = {getattr(node, "module", None), *(alias.name for alias in node.names)}
            assert not names & {"time", "timeit"}, f"{here} line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_is_kept_costs_one_step(path):
    """A cache that counts its work the first time alone would make the order of questions matter."""
    here = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    if here.startswith(("asymp.kernel", "asymp.language")):  # they have no meter: what it counts it counts by theorem
        assert "asymp.budget" not in path.read_text(encoding="utf-8")
        return
    if here.startswith(("asymp.sample", "asymp.queues", "asymp.registry", "asymp.outside", "asymp.budget")):
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.args.args and node.args.args[0].arg != "self":
            names = [ast.unparse(decorator).split("(")[0].split(".")[-1] for decorator in node.decorator_list]
            if set(names) & {"lru_cache", "cache"}:
                assert names[0] == "uncounted", f"{here}.{node.name}: @uncounted is missing above its cache"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_nobody_looks_for_words_in_a_message(path):
    """``"..." in str(error)``, ``"..." in line.detail``: a type or a member says what a message cannot."""
    if path.name == "arguments.py":  # argparse has words alone, and no verdict hangs on them
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Compare) or not isinstance(node.left, ast.Constant) or not isinstance(node.left.value, str):
            continue
        if isinstance(node.ops[0], ast.In | ast.NotIn):
            text = ast.unparse(node.comparators[0])
            said = text.startswith("str(") or text.split(".")[-1] in ("detail", "why", "reason", "message", "args")
            assert not said, f"{path.name} line {node.lineno}: {ast.unparse(node)}"
