"""Mutants of the kernel's own code: each side condition is deleted in turn, and a test has to fail.

    python -m benchmarks.kernel_mutation [MODULE ...] --lines FILE [--save FILE] [--limit N] [--tests PATH ...]

A mutant is a condition before which something is refused, or not known (``raise``, ``return None``, ``return False``), that is
never met; such a condition without one of the parts of its ``or`` (or of the ``and`` in its ``not``); a part of the ``and`` of
what is returned, or of a case's guard, that is left out; and a call of a function that does nothing but refuse, left out.

First all tests run once, to see which of them run which line (with the package ``coverage``); that is kept in the file of
``--lines``.  Then, for each mutant, tests that run its line run in a child of one process, until one fails: those where the
condition was met come first, then the shortest.  The mutated code is put in place of the functions' code in the child alone:
no file is changed.  What survives is printed, to be read; the reasons are in ``benchmarks/results/kernel_mutation.md``.
With ``--save`` a later run goes on from what is known.  ``MODULE`` is as in ``growths.paths``, or a folder: ``growths``.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import functools
import gc
import json
import os
import select
import signal
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
KERNEL = ROOT / "asymp" / "kernel"
TESTS = (
    "tests/test_kernel*.py", "tests/test_ties.py", "tests/test_coupled.py", "tests/test_narrowed.py",
    "tests/test_broken_rules.py",
    "tests/test_functions.py", "tests/test_double_factorial.py", "tests/test_splits.py", "tests/test_stepped_sums.py",
    "tests/test_bernstein.py", "tests/test_order*.py", "asymp/kernel",
)  # fmt: skip
MOST_TESTS = 400
LONGEST = 5.0
"""Seconds: tests that took longer are not asked, but where no other runs the line."""
ROOM = 15.0
"""Seconds of tests for one mutant, as they took without it."""


@dataclass(frozen=True)
class Mutant:
    """A place in a module and what is done there; ``lines`` are those that run, ``met`` those behind the condition."""

    module: str
    lines: tuple[int, ...]
    met: tuple[int, ...]
    kind: str
    text: str
    place: tuple[int, int, int]
    """Where the node stands in a walk of the module's tree, which operand of it is dropped (-1: all of it), its first line."""

    @property
    def name(self) -> str:
        """By this it is known in a saved file: the text, and not the line, so that it survives edits elsewhere."""
        return f"{self.module}: {self.kind}: {self.text}"


# --- the mutants ------------------------------------------------------------------------------------


def modules(wanted: Sequence[str]) -> list[Path]:
    """The modules of the kernel that are asked for, or all."""
    found = []
    for path in sorted(KERNEL.rglob("*.py")):
        own = ".".join(path.relative_to(KERNEL).with_suffix("").parts)
        if not wanted or any(own == w or own.startswith(f"{w}.") for w in wanted):
            found.append(path)
    return found


def refusing() -> frozenset[str]:
    """The names of the kernel's functions that may raise: called for nothing else where what they return is not used."""
    found = set()
    for path in modules(()):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                if any(isinstance(n, ast.Raise) for n in ast.walk(node)) or "Raises:" in (
                    ast.get_docstring(node) or ""
                ):
                    found.add(node.name)
    return frozenset(found - {"__init__", "__setattr__", "add", "append", "update"})


def exits(body: Sequence[ast.stmt]) -> bool:
    """Whether a branch only refuses, or says that nothing is known."""
    last = body[-1]
    if isinstance(last, ast.Raise):
        return True
    if len(body) > 1 or not isinstance(last, ast.Return):
        return False
    value = last.value
    if isinstance(value, ast.Constant):
        return value.value is None or value.value is False
    return isinstance(value, (ast.Name, ast.Attribute)) and ast.unparse(value).split(".")[-1] in (
        "UNKNOWN",
        "ANY",
        "NOTHING",
    )


def parts(test: ast.expr) -> tuple[list[ast.expr], bool]:
    """The operands that can be dropped from a condition so that it is met less often, and whether they are under a ``not``."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return test.values, False
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = test.operand
        if isinstance(inner, ast.BoolOp) and isinstance(inner.op, ast.And):
            return inner.values, True
    return [], False


def mutants(path: Path) -> Iterator[Mutant]:
    """All mutants of a module, in the order of its lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = ".".join(path.relative_to(KERNEL).with_suffix("").parts)
    helpers = refusing()
    seen: Counter[str] = Counter()

    def made(place: int, operand: int, node: ast.AST, kind: str, text: str, met: Sequence[int] = ()) -> Mutant:
        seen[f"{kind}: {text}"] += 1
        text += f" ({seen[f'{kind}: {text}']})" if seen[f"{kind}: {text}"] > 1 else ""
        where = getattr(node, "pattern", node)
        return Mutant(
            own,
            tuple(range(where.lineno, (where.end_lineno or 0) + 1)),
            tuple(met),
            kind,
            text,
            (place, operand, where.lineno),
        )

    found: list[Mutant] = []
    for place, node in enumerate(ast.walk(tree)):
        match node:
            case ast.If(test=test, body=body) if exits(body):
                met = range(body[0].lineno, (body[-1].end_lineno or 0) + 1)
                found.append(made(place, -1, test, "never", ast.unparse(test), met))
                for k, part in enumerate(parts(test)[0]):
                    found.append(made(place, k, test, "dropped", f"{ast.unparse(part)} from: {ast.unparse(test)}", met))
            case ast.Return(value=ast.BoolOp(op=ast.And(), values=values)):
                for k, part in enumerate(values):
                    found.append(made(place, k, node, "dropped", f"{ast.unparse(part)} from: {ast.unparse(node)}"))
            case ast.match_case(guard=ast.expr() as guard):
                found.append(made(place, -1, node, "no guard", ast.unparse(guard)))
                if isinstance(guard, ast.BoolOp) and isinstance(guard.op, ast.And):
                    for k, part in enumerate(guard.values):
                        found.append(
                            made(place, k, node, "dropped", f"{ast.unparse(part)} from guard: {ast.unparse(guard)}")
                        )
            case ast.Expr(value=ast.Call(func=ast.Name() | ast.Attribute() as func)):
                if ast.unparse(func).split(".")[-1] in helpers:
                    found.append(made(place, -1, node, "not called", ast.unparse(node)))
    yield from sorted(found, key=lambda one: one.place[2])


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The tree of a module with its mutant in place; all lines keep their numbers."""
    tree = ast.parse(source)
    place, operand, _ = mutant.place
    node: Any = next(n for k, n in enumerate(ast.walk(tree)) if k == place)
    match node:
        case ast.If():
            if operand < 0:
                never = ast.copy_location(ast.Constant(False), node.test)  # and the test, for the names that are in it alone
                node.test = ast.copy_location(ast.BoolOp(ast.And(), [never, node.test]), node.test)
            else:
                values, _ = parts(node.test)
                del values[operand]
        case ast.Return():
            del node.value.values[operand]
        case ast.match_case():
            if operand < 0:
                node.guard = None
            else:
                del node.guard.values[operand]
        case ast.Expr():
            node.value = ast.copy_location(ast.Constant(None), node.value)
    return _simple(tree)


def _simple(tree: ast.Module) -> ast.Module:
    """An ``and`` or ``or`` of one operand is that operand."""

    class Simple(ast.NodeTransformer):
        def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
            self.generic_visit(node)
            return node.values[0] if len(node.values) == 1 else node

        def visit_match_case(self, node: ast.match_case) -> ast.match_case:
            self.generic_visit(node)
            if node.guard is None and isinstance(
                node.pattern, (ast.MatchAs, ast.MatchOr)
            ):  # one that always matches may stand last only
                node.guard = ast.copy_location(
                    ast.Call(
                        ast.copy_location(ast.Name("bool", ast.Load()), node.pattern),
                        [ast.copy_location(ast.Constant(1), node.pattern)],
                        [],
                    ),
                    node.pattern,
                )
            return node

    return ast.fix_missing_locations(Simple().visit(copy.deepcopy(tree)))


# --- which test runs which line --------------------------------------------------------------------------


class Lines:
    """Runs the tests, and keeps of each how long it took and which lines of the kernel it ran."""

    def __init__(self, path: Path) -> None:
        import coverage

        self.path = path
        self.tests: list[str] = []
        self.seconds: dict[str, float] = {}
        self.coverage = coverage.Coverage(data_file=f"{path}.coverage", source=[str(KERNEL)], branch=True)
        self.coverage.erase()
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Notes the test's time, and says whose lines they are."""
        self.coverage.switch_context(str(len(self.tests)))
        self.tests.append(item.nodeid)
        begun = time.monotonic()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = round(time.monotonic() - begun, 3)

    def pytest_sessionfinish(self) -> None:
        """Writes all down."""
        self.coverage.stop()
        self.coverage.save()
        data = self.coverage.get_data()
        known: dict[str, Any] = {"tests": [], "seconds": {}, "lines": {}}
        if self.path.exists():
            known = json.loads(self.path.read_text(encoding="utf-8"))
        before = len(known["tests"])
        for file in data.measured_files():
            here = known["lines"].setdefault(str(Path(file).relative_to(ROOT)), {})
            for line, contexts in data.contexts_by_lineno(file).items():
                here[str(line)] = [*here.get(str(line), ()), *sorted(before + int(c) for c in contexts if c)]
        both = {
            "tests": [*known["tests"], *self.tests],
            "seconds": known["seconds"] | self.seconds,
            "lines": known["lines"],
        }
        self.path.write_text(json.dumps(both), encoding="utf-8")


# --- the run ------------------------------------------------------------------------------------------------


class Run:
    """Runs mutants in the place of the tests that pytest has collected."""

    def __init__(
        self, wanted: Sequence[Mutant], known: dict[str, str], lines: Mapping[str, Any], save: Path | None, most: int, room: float
    ) -> None:  # fmt: skip
        self.wanted, self.known, self.save, self.most, self.room = wanted, known, save, most, room
        self.tests, self.seconds, self.lines = lines["tests"], lines["seconds"], lines["lines"]
        self.functions: dict[str, list[FunctionType]] = defaultdict(list)
        self.caches: list[functools._lru_cache_wrapper[Any]] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """For each mutant a child."""
        items = {item.nodeid: item for item in session.items}
        for one in gc.get_objects():
            if type(one) is FunctionType:
                self.functions[one.__code__.co_filename].append(one)
            elif isinstance(one, functools._lru_cache_wrapper) and str(getattr(one, "__module__", "")).startswith(
                "asymp."
            ):
                self.caches.append(one)
        gc.freeze()
        gc.disable()
        for k, mutant in enumerate(self.wanted):
            if mutant.name in self.known:
                continue
            chosen = [items[test] for test in self.chosen(mutant) if test in items]
            begun = time.monotonic()
            found = self.outcome(mutant, chosen) if chosen else "survived (no test runs it)"
            self.known[mutant.name] = found
            took = time.monotonic() - begun
            print(
                f"[{k + 1}/{len(self.wanted)}] {found} ({took:.1f} s) line {mutant.place[2]} {mutant.name}",
                file=sys.__stdout__,
                flush=True,
            )
            self.keep()
        # what fails in such a child without any mutant has killed none
        names = {said.removeprefix("killed by ") for said in self.known.values()} & items.keys()
        for name in sorted(names):
            if self.outcome(None, [items[name]]) != "survived":
                print(f"fails without a mutant: {name}", file=sys.__stdout__, flush=True)
                for one in [one for one, said in self.known.items() if said == f"killed by {name}"]:
                    del self.known[one]
        self.keep()
        return True

    def keep(self) -> None:
        """Writes down what is known."""
        if self.save:
            self.save.write_text(json.dumps(self.known, indent=0, ensure_ascii=False), encoding="utf-8")

    def chosen(self, mutant: Mutant) -> list[str]:
        """Tests that run a mutant's line."""
        here = self.lines.get(f"asymp/kernel/{mutant.module.replace('.', '/')}.py", {})
        met, ran = (
            {self.tests[k] for line in lines for k in here.get(str(line), ())} for lines in (mutant.met, mutant.lines)
        )
        found, room = [], self.room
        short = {test for test in met | ran if self.seconds[test] <= LONGEST} or met | ran
        for test in sorted(short, key=lambda one: (one not in met, self.seconds[one])):
            room -= self.seconds[test]
            if found and (room < 0 or len(found) >= self.most):
                break
            found.append(test)
        return found

    def outcome(self, mutant: Mutant | None, chosen: Sequence[pytest.Item]) -> str:
        """What happens in a child: killed, out of time, or survived."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reading)
            with contextlib.suppress(BaseException):
                os.write(writing, self.mutated_run(mutant, chosen).encode())
            os._exit(0)
        os.close(writing)
        limit = 20 + 5 * sum(self.seconds[item.nodeid] for item in chosen)
        ready, _, _ = select.select([reading], [], [], limit)
        said = os.read(reading, 1000).decode() if ready else ""
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return said or ("killed (it breaks)" if ready else "killed (out of time)")

    def mutated_run(self, mutant: Mutant | None, chosen: Sequence[pytest.Item]) -> str:
        """In the child: the mutated code in place, then test after test."""
        from _pytest.runner import runtestprotocol

        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nothing, stream)
        if mutant is not None:
            self.put(mutant)
        for item, after in zip(chosen, [*chosen[1:], None], strict=True):
            if any(report.failed for report in runtestprotocol(item, nextitem=after, log=False)):
                return f"killed by {item.nodeid}"
        return "survived"

    def put(self, mutant: Mutant) -> None:
        """Puts a mutant's code in place of what it was made of, and forgets what was computed before."""
        path = KERNEL / f"{mutant.module.replace('.', '/')}.py"
        source = path.read_text(encoding="utf-8")
        whole = compile(mutated(source, mutant), str(path), "exec", dont_inherit=True)
        codes: dict[tuple[str, int], CodeType] = {}
        todo = [whole]
        while todo:
            code = todo.pop()
            codes[code.co_qualname, code.co_firstlineno] = code
            todo += [c for c in code.co_consts if type(c) is CodeType]
        for function in self.functions[str(path)]:
            old = function.__code__
            new = codes.get((old.co_qualname, old.co_firstlineno))
            if new is not None and new.co_freevars == old.co_freevars:
                function.__code__ = new
        for cache in self.caches:
            cache.cache_clear()


def arguments(tests: Sequence[str]) -> list[str]:
    """What pytest is called with."""
    files = [str(path.relative_to(ROOT)) for pattern in tests for path in sorted(ROOT.glob(pattern))]
    return ["-q", "-s", "-p", "no:cacheprovider", "-p", "no:xdist", f"--rootdir={ROOT}", *files]


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "modules", nargs="*", metavar="MODULE", help="modules or folders of asymp/kernel; all unless named"
    )
    parser.add_argument(
        "--lines", type=Path, required=True, help="a file with which test runs which line; made if missing"
    )
    parser.add_argument(
        "--save", type=Path, help="a file with what is known of mutants, which a later run goes on from"
    )
    parser.add_argument("--limit", type=int, help="this many mutants at most")
    parser.add_argument("--most", type=int, default=MOST_TESTS, help="this many tests for one mutant at most")
    parser.add_argument("--room", type=float, default=ROOM, help="seconds of tests for one mutant")
    parser.add_argument("--tests", nargs="+", default=TESTS, help="files of tests, as patterns")
    parser.add_argument("--again", action="store_true", help="what survived in the saved file is asked again")
    parser.add_argument("--add", action="store_true", help="which lines --tests run is added to the file of --lines")
    parser.add_argument("--deselect", action="append", default=[], help="a test that is left out, as pytest names it")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    options = [*arguments(chosen.tests), *(f"--deselect={one}" for one in chosen.deselect)]
    if chosen.add or not chosen.lines.exists():
        pytest.main(options, plugins=[Lines(chosen.lines)])
        print(f"{chosen.lines} says which test runs which line: run this again for the mutants")
        return
    known: dict[str, str] = (
        json.loads(chosen.save.read_text(encoding="utf-8")) if chosen.save and chosen.save.exists() else {}
    )
    if chosen.again:
        known = {name: said for name, said in known.items() if not said.startswith("survived")}
    wanted = [mutant for path in modules(chosen.modules) for mutant in mutants(path)][: chosen.limit]
    lines = json.loads(chosen.lines.read_text(encoding="utf-8"))
    pytest.main(options, plugins=[Run(wanted, known, lines, chosen.save, chosen.most, chosen.room)])
    totals: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant in wanted:
        totals[mutant.module][known.get(mutant.name, "not run").split()[0]] += 1
    for module, counts in totals.items():
        print(f"{module}: {', '.join(f'{count} {said}' for said, count in counts.items())}")
    for mutant in wanted:
        if known.get(mutant.name, "").startswith("survived"):
            print(f"survived: {mutant.name}")
    every = sum(totals.values(), Counter[str]())
    print(f"all: {len(wanted)} mutants, {', '.join(f'{count} {said}' for said, count in every.items())}")


if __name__ == "__main__":
    main()
