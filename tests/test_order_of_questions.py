"""The same answer whatever was asked before: in some order, and each question in a process that was asked nothing.

A cache whose key is not the whole input, a table that grows, a note made on the first call alone: each gives some question
an answer that depends on its predecessors.  The questions here are made in families that share all but a part, asked of
enclosures, expansions, signs and statements.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import random
import re
import subprocess
import sys

import mpmath
import pytest

from asymp.command.worker import COLLECT
from asymp.enclosure import InputError, Undecided, enclose
from asymp.notes import Memory
from asymp.parse import parse_expression

LATE = (
    "asymp.check.ask", "asymp.check.asymptotic", "asymp.check.derived", "asymp.check.expansion", "asymp.enclosure.stepped_form",
    "asymp.prove.engine", "asymp.prove.expansion", "sympy.physics.units", "sympy.sets.setexpr",
)  # fmt: skip
"""What is imported when it is first asked for."""

PARAMETRIC = {
    "Integral(sin(w*t), (t, 0, 1))": ("10", "3", "1/7", "200"),
    "Integral(tanh(w*t), (t, 0, 1))": ("1", "5", "2/3"),
    "Integral(cos(w*t)*exp(-t), (t, 0, 2))": ("4", "9", "1/2"),
    "Integral(exp(-w*t^2), (t, 0, 1))": ("2", "50", "1/3"),
    "Integral(1/(1 + w*t^2), (t, 0, 3))": ("2", "7", "1/5"),
    "Integral(log(1 + w*t)/t, (t, 0, 1))": ("2", "8", "1/3"),
    "Integral(exp(-w*t)/(1 + t), (t, 0, oo))": ("1", "6", "3/2"),
    "Integral(t^w*exp(-t^2), (t, 0, oo))": ("2", "7", "3/2"),
    "Integral(sqrt(1 + w*t), (t, 0, 2))": ("2", "5", "1/9"),
    "Integral(sin(w*t)/t, (t, 0, 1))": ("3", "8", "1/2"),
    "Integral(exp(-t)*sqrt(w + t), (t, 0, oo))": ("1", "4", "9/5"),
    "Sum(1/(k + w)^2, (k, 1, oo))": ("1", "5", "1/2"),
    "Sum(w^k/factorial(k), (k, 0, 100))": ("3", "9", "1/4"),
    "Sum(log(k + w), (k, 1, 600))": ("1", "20", "1/3"),
    "Sum(1/(k*(w + k)), (k, 1, 500))": ("2", "11", "7/2"),
    "Sum((-1)^k/(k + w), (k, 1, 400))": ("1", "6", "5/2"),
    "harmonic(w) + polylog(2, 1/(1 + w))": ("3", "9", "1/2"),
}
"""Expressions in w, and values of it."""


def truth(text: str, value: str):
    """The value by mpmath: typed again here, nothing of it comes from asymp."""
    mp = mpmath.mp
    w = mp.mpf(value.split("/")[0]) / mp.mpf(([*value.split("/"), "1"])[1])
    functions = {
        "Integral(sin(w*t), (t, 0, 1))": lambda: (1 - mp.cos(w)) / w,
        "Integral(tanh(w*t), (t, 0, 1))": lambda: mp.log(mp.cosh(w)) / w,
        "Integral(cos(w*t)*exp(-t), (t, 0, 2))": lambda: (1 + mp.exp(-2) * (w * mp.sin(2 * w) - mp.cos(2 * w))) / (1 + w**2),
        "Integral(exp(-w*t^2), (t, 0, 1))": lambda: mp.sqrt(mp.pi / w) * mp.erf(mp.sqrt(w)) / 2,
        "Integral(1/(1 + w*t^2), (t, 0, 3))": lambda: mp.atan(3 * mp.sqrt(w)) / mp.sqrt(w),
        "Integral(log(1 + w*t)/t, (t, 0, 1))": lambda: mp.quad(lambda t: mp.log(1 + w * t) / t, [0, 0.25, 1]),
        "Integral(exp(-w*t)/(1 + t), (t, 0, oo))": lambda: mp.exp(w) * mp.e1(w),
        "Integral(t^w*exp(-t^2), (t, 0, oo))": lambda: mp.gamma((w + 1) / 2) / 2,
        "Integral(sqrt(1 + w*t), (t, 0, 2))": lambda: 2 * ((1 + 2 * w) ** 1.5 - 1) / (3 * w),
        "Integral(sin(w*t)/t, (t, 0, 1))": lambda: mp.si(w),
        "Integral(exp(-t)*sqrt(w + t), (t, 0, oo))": lambda: mp.exp(w) * mp.gammainc(mp.mpf(3) / 2, w),
        "Sum(1/(k + w)^2, (k, 1, oo))": lambda: mp.zeta(2, w + 1),
        "Sum(w^k/factorial(k), (k, 0, 100))": lambda: mp.fsum(w**k / mp.factorial(k) for k in range(101)),
        "Sum(log(k + w), (k, 1, 600))": lambda: mp.loggamma(w + 601) - mp.loggamma(w + 1),
        "Sum(1/(k*(w + k)), (k, 1, 500))": lambda: mp.fsum(1 / (k * (w + k)) for k in range(1, 501)),
        "Sum((-1)^k/(k + w), (k, 1, 400))": lambda: mp.fsum((-1) ** k / (k + w) for k in range(1, 401)),
        "harmonic(w) + polylog(2, 1/(1 + w))": lambda: mp.harmonic(w) + mp.polylog(2, 1 / (1 + w)),
    }
    return functions[text]()


def questions() -> list[list[str]]:
    """What is asked: (kind, text, detail)."""
    asked = [["enclose", text, f"{value} {digits}"]
             for text, values in PARAMETRIC.items() for digits, value in zip((12, 25, 12, 18), values, strict=False)]
    asked += [["ask", text, to] for text, to in (
        ("Integral(tanh(n*t), (t, 0, 1)) <= 1/2 for 1 <= n <= 5", ""),
        ("Integral(tanh(n*t), (t, 0, 1)) <= 9/10 for 1 <= n <= 5", ""),
        ("Integral(sin(n*t), (t, 0, 1)) <= 1/10 for 2 <= n <= 9", ""),
        ("n^a = o(n)", "n->oo, a<1"),
        ("n^a = o(n) as n -> oo for a > 0", ""),
        ("(a + 1)*n + 1 ~ a*n as n -> oo for a > 0", ""),
        ("log(n + 1) = log(n) + 1/n + O(1/n^2)", "n->oo"),
    )]
    asked += [["expand", text, to] for text, to in (
        ("(1 + n^(-a))^2", "n->oo"),
        ("1/(a*n + b)", "n->oo"),
        ("exp(-a)*n + n^a", "n->oo"),
        ("Integral(exp(-n*t)/(1 + t^2), (t, 0, oo))", "n->oo"),
        ("Integral(exp(-n*t)/(1 + a*t), (t, 0, oo))", "n->oo"),
        ("harmonic(n) - log(n)", "n->oo"),
        ("Sum(k^a, (k, 1, n))", "n->oo"),
    )]
    return asked


def answer(kind: str, text: str, detail: str) -> list[str]:
    """All that is said: the value or the verdict, the reason, what it hangs on."""
    from asymp.check.ask import ask
    from asymp.check.expansion import expand_text

    try:
        if kind == "enclose":
            value, digits = detail.split()
            return [str(enclose(parse_expression(text), {"w": value}, digits=int(digits)))]
        if kind == "ask":
            verdict = ask(text, to=detail or None)
            return [str(verdict.outcome), str(verdict.strength), verdict.reason, *(e.detail for e in verdict.evidence)]
        positive = [f"{name} > 0" for name in "ab" if name in re.findall(r"\w+", text)]
        found = expand_text(text, detail, assume=positive)
        return [str({key: part for key, part in found.items() if key != "seconds"})]
    except ValueError as refused:
        return [type(refused).__name__, str(refused)]


def main() -> None:
    """Answer the questions of standard input in their order; each in a process of its own where ``apart`` is asked."""
    for late in LATE:  # else each of the processes that are forked imports them anew
        importlib.import_module(late)
    gc.freeze()
    gc.set_threshold(*COLLECT)
    order = json.load(sys.stdin)
    found = []
    for question in order["asked"]:
        if not order["apart"]:
            found.append(answer(*question))
            continue
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            with os.fdopen(writing, "w") as out:
                json.dump(answer(*question), out)
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as inside:
            found.append(json.load(inside))
        os.waitpid(child, 0)
    json.dump(found, sys.stdout)


def answered(asked: list[list[str]], apart: bool = False, seed: str = "0") -> dict[str, list[str]]:
    """The answers of a new process, by question."""
    done = subprocess.run(
        [sys.executable, __file__], input=json.dumps({"asked": asked, "apart": apart}), capture_output=True, text=True,
        check=False, env={**os.environ, "PYTHONHASHSEED": seed}, timeout=1800,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return {" | ".join(question): found for question, found in zip(asked, json.loads(done.stdout), strict=True)}


def differences(one: dict[str, list[str]], other: dict[str, list[str]]) -> list[str]:
    return [f"{key}: {one[key]} and {other[key]}" for key in one if one[key] != other[key]]


def test_the_order_of_questions_does_not_change_the_answers():
    asked = questions()
    random.Random(8).shuffle(asked)
    backwards, apart = answered(asked[::-1]), answered(asked, apart=True)
    assert not differences(backwards, apart)
    assert len({tuple(found) for found in apart.values()}) > len(asked) * 9 // 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_many_orders_and_repetitions_give_the_same_answers(seed):
    asked = questions() + [["enclose", text, f"{value} {digits}"] for text in PARAMETRIC
                           for value in ("2", "5/2", "13") for digits in (9, 33)]
    apart = answered(asked, apart=True)
    mixed = asked + random.Random(seed).choices(asked, k=len(asked))
    random.Random(seed).shuffle(mixed)
    assert not differences(answered(mixed, seed=str(seed)), apart)


@pytest.mark.parametrize("text", PARAMETRIC)
def test_enclosures_at_many_parameters_hold_the_values_of_mpmath(text):
    """In one process, up and down, at two precisions: a parameter that a key has lost gives one ball for all."""
    values = PARAMETRIC[text]
    with mpmath.workdps(40):
        true = {value: truth(text, value) for value in values}
        for digits in (10, 22):
            for value in (*values, *reversed(values)):
                found = enclose(parse_expression(text), {"w": value}, digits=digits)
                gap = abs(mpmath.mpf(found.value) - true[value])
                assert gap <= mpmath.mpf(found.radius) + abs(true[value]) * mpmath.mpf(10) ** -35, (text, value, str(found))


def test_an_integral_is_kept_by_all_its_parameters():
    """tanh has no exponential part: nothing but the function itself carries the parameter."""
    text = "Integral(tanh(w*t), (t, 0, 1))"
    found = {str(enclose(parse_expression(text), {"w": value}, digits=12)) for value in ("1", "2", "5", "1/3")}
    assert len(found) == 4


@pytest.mark.parametrize("text", PARAMETRIC)
def test_a_question_costs_the_same_steps_first_and_again(text):
    """Budgets count steps: what a cache keeps may not make the next question cheaper."""
    from asymp.budget import spent

    costs = []
    for _ in range(3):
        before = spent()
        enclose(parse_expression(text), {"w": "37/11"} if "(k, 1, 500)" not in text else {"w": 37}, digits=13)
        costs.append(spent() - before)
    assert costs[0] == costs[1] == costs[2]


def test_a_memory_keeps_nothing_of_what_failed_and_is_bounded():
    memory: Memory[int, int | None] = Memory(3, None)

    def fails() -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory(1, fails)
    assert memory(1, lambda: 5) == 5
    assert memory(2, lambda: memory(2, lambda: 7)) is None  # asked while it is being answered
    for key in range(10):
        memory(key, lambda: 0)
    assert len(memory._kept) == 3



def test_tables_of_functions_do_not_grow():
    """A removable singularity makes a function of its own; the tables of all functions stay as they are."""
    from asymp.enclosure import functions

    before = len(functions.FUNCTIONS)
    for c in range(2, 6):
        with contextlib.suppress(Undecided, InputError):
            enclose(parse_expression(f"Integral((1 - exp(-{c}*t))/t*exp(-t), (t, 0, oo))"), {}, digits=8)
    assert len(functions.FUNCTIONS) == before


def test_a_file_that_has_changed_is_read_again(tmp_path, monkeypatch):
    from asymp.registry import load_file

    text = "from asymp import claim\nCLAIMS = [claim('x/{0}', 'n + {0} ~ n', source='none, here', to='n->oo')]\n"
    file = tmp_path / "mine.py"
    found = []
    for number in (1, 22):
        file.write_text(text.format(number), encoding="utf-8")
        found.append(load_file(str(file))[0].id)
    assert found == ["x/1", "x/22"]
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.py").write_text(text.format(333), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert load_file("mine.py")[0].id == "x/22"
    monkeypatch.chdir(tmp_path / "there")
    assert load_file("mine.py")[0].id == "x/333"


def test_no_cache_is_without_a_bound():
    """Caches that hold answers: each has a size, and module-level dictionaries that grow are none."""
    import ast
    from pathlib import Path

    import asymp

    # one entry a registered paper, one an installed folder
    kept_by_name = {"asymp/registry.py", "asymp/command/claims.py"}
    for path in sorted(Path(asymp.__file__).parent.rglob("*.py")):
        name = str(path.relative_to(Path(asymp.__file__).parents[1]))
        if "/sample/" in name or name in kept_by_name:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            for decorator in node.decorator_list:
                text = ast.unparse(decorator)
                assert text not in ("cache", "functools.cache", "lru_cache", "functools.lru_cache"), f"{name}: {node.name}"
                assert "maxsize=None" not in text, f"{name}: {node.name}"


if __name__ == "__main__":
    main()
