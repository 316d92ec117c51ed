"""The doors of the house: which room may import what, who may print, how long a module may be."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import asymp
import asymp.kernel.records  # all rules
from asymp.kernel import THEORIES
from asymp.kernel.theorem import RULES
from asymp.prove import derivation

ROOT = Path(asymp.__file__).resolve().parents[1]
MODULES = sorted((ROOT / "asymp").rglob("*.py"))
PAPERS = sorted((ROOT / "proofs").rglob("*.py"))
LONGEST = 420  # lines: about 200 is the habit
PRINTERS = {"asymp.cli"}

# Imports point one way: a module may import what has the same rank or a lower one.
RANKS = {
    "asymp": 0,
    "asymp.language": 0,
    "asymp.functions": 0,
    "asymp.latex": 0,
    "asymp.kernel": 1,
    "asymp.prove": 7,
    "asymp.library": 1,
    "asymp.messages": 0,
    "asymp.outside": 0,
    "asymp.version": 0,
    "asymp.papers": 0,
    "asymp.notes": 1,
    "asymp.budget": 1,
    "asymp.symbolics": 1,
    "asymp.cas": 1,
    "asymp.stopwatch": 1,
    "asymp.special": 0,
    "asymp.domain": 1,
    "asymp.elimination": 1,
    "asymp.model": 1,
    "asymp.evidence": 3,
    "asymp.relation": 3,
    "asymp.claim": 3,
    "asymp.kept": 4,
    "asymp.enclosure": 4,
    "asymp.parse": 5,
    "asymp.paper": 5,
    "asymp.registry": 5,
    "asymp.queues": 6,
    "asymp.regimes": 6,
    "asymp.meaning": 6,
    "asymp.sample": 6,
    "asymp.check": 7,
    "asymp.export": 8,
    "asymp.answer": 8,
    "asymp.testing": 9,
    "asymp.checked": 9,
    "asymp.test": 10,
    "asymp.command": 9,
    "asymp.cli": 10,
    "asymp.__main__": 11,
}
ONLY_IN = {
    "flint": ("asymp.enclosure", "asymp.kernel"),
    "cupy": "asymp.sample",
    "numba": "asymp.sample",
    "matplotlib": "asymp.export",
    "distributed": "asymp.command.cluster",
    "argparse": ("asymp.cli", "asymp.command"),
}
COMPUTING = ("asymp.check", "asymp.enclosure", "asymp.meaning", "asymp.sample", "asymp.queues", "asymp.answer")


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@functools.cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@functools.cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


@functools.cache
def imports_of(path: Path) -> frozenset[str]:
    """What :func:`imports_in` finds in a file."""
    return frozenset(imports_in(nodes_of(path), path))


def imports_in(nodes: Iterable[ast.AST], path: Path) -> set[str]:
    """Every module that a file imports or names: inside functions too, for type checkers alone, and in strings.

    ``from asymp.check import ask`` is of ``asymp.check.ask``, where that is a module.  A string that is a module's name, with
    a function's after a colon or without, counts as an import of it; the beginning of a name, of all that begin with it.
    """
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {full if full in NAMES else str(node.module) for full in inner}
        elif isinstance(node, ast.Constant) and (text := str(node.value)).startswith("asymp."):
            found |= {name for name in NAMES if name == text.partition(":")[0] or (text[-1] == "." and name.startswith(text))}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            found |= {str(one.value) for one in node.args[:1] if isinstance(one, ast.Constant)}
    return found


def room(module: str) -> str:
    return ".".join(module.split(".")[:2])


def inside(module: str, rooms: str | tuple[str, ...]) -> bool:
    return any(module == r or module.startswith(r + ".") for r in ([rooms] if isinstance(rooms, str) else rooms))


NAMES = {name_of(path) for path in MODULES}


@pytest.fixture(autouse=True, scope="module")
def forgotten():
    """The trees of all files go when the tests here have seen them."""
    yield
    for remembered in (nodes_of, tree_of, text_of):
        remembered.cache_clear()


def faults(paths: Iterable[Path], look: Callable[[Path], Iterator[str]]) -> list[str]:
    """What a look at each of the files finds wrong: all of it, of all files."""
    return [f"{name_of(path)}: {fault}" for path in paths for fault in look(path)]


def test_imports_point_one_way():
    def look(path):
        here = room(name_of(path))
        if here not in RANKS:
            yield f"give the new room {here} its rank"
        elif here != "asymp":
            inward = [module for module in imports_of(path) if module.split(".")[0] == "asymp"]
            yield from (f"imports {module}" for module in inward if RANKS[room(module)] > RANKS[here])

    assert faults(MODULES, look) == []


def test_each_door_has_its_keeper():
    def look(path):
        here = name_of(path)
        for module in imports_of(path):
            top = module.split(".")[0]
            if top in ("proofs", "tests") or module.startswith("asymp.papers.") or (top in ONLY_IN and not inside(here, ONLY_IN[top])):
                yield f"imports {module}"
            if inside(here, "asymp.export") and inside(module, COMPUTING):
                yield f"imports {module}: export computes nothing"

    assert faults(MODULES, look) == []


def test_a_paper_has_one_name():
    """In a checkout it could be imported from its folder too, and would be there twice."""
    files = [*PAPERS, *(ROOT / "tests").glob("*.py"), *(ROOT / "benchmarks").rglob("*.py"), *(ROOT / "notebooks").glob("*.ipynb")]
    twice = re.compile(r"^[ \"]*(?:from|import) proofs\b", re.M)
    assert [path.name for path in files if twice.search(path.read_text(encoding="utf-8"))] == []
    assert twice.search("x\nfrom proofs.lfms import model\n") and twice.search('    "import proofs.mjsre')


ANNEXES = ("asymp.queues", "asymp.sample")
"""Rooms whose models entry points name: no other room does."""
OF_A_PAPER = ("parallel_occupancy", "ParallelOccupancy")
"""Functions of one paper, which entry points give."""


def test_no_room_names_an_annex():
    def look(path):
        if name_of(path) != "asymp":  # which makes each room an attribute, by whatever name it has
            yield from (f"imports {module}" for module in imports_of(path) if inside(module, ANNEXES))
        yield from (f"names {word}" for word in (*OF_A_PAPER, *ANNEXES) if word in text_of(path))

    assert faults([path for path in MODULES if not inside(name_of(path), ANNEXES)], look) == []


def test_a_law_has_one_name_and_one_meaning():
    """``Exponential(2.0)`` was of mean 2 in one module of laws and of rate 2 in another."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        if room(name_of(path)) in ("asymp.queues", "asymp.sample"):
            for node in tree_of(path).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(name_of(path))
    laws = {name: where for name, where in places.items() if any(".law" in module for module in where)}
    assert "Exponential" in laws and {name: where for name, where in laws.items() if len(where) > 1} == {}


def test_nothing_prints_and_nothing_evaluates_text():
    def look(path):
        for node in nodes_of(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id == "print" and name_of(path) not in PRINTERS:
                    yield f"line {node.lineno} prints"
                if node.func.id in ("eval", "exec", "compile"):
                    yield f"line {node.lineno} evaluates"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("sp", "sympy"):
                if node.attr in ("parse_expr", "lambdify"):
                    yield f"line {node.lineno}: {node.attr}"

    assert faults(MODULES + PAPERS, look) == []


def test_modules_are_short_and_say_what_they_are_for():
    def look(path):
        if len(text_of(path).splitlines()) > LONGEST:
            yield "split it"
        if text_of(path).strip() and not ast.get_docstring(tree_of(path)):
            yield "no docstring"

    assert faults(MODULES, look) == []


def test_public_names_are_documented_and_typed():
    def look(path):
        module = importlib.import_module(name_of(path))
        for name, item in vars(module).items():
            if name.startswith("_") or getattr(item, "__module__", None) != module.__name__:
                continue
            if (inspect.isfunction(item) or inspect.isclass(item)) and not inspect.getdoc(item):
                yield f"{name} has no docstring"
            if inspect.isfunction(item):
                if untyped := [p for p in inspect.signature(item).parameters if p not in item.__annotations__]:
                    yield f"{name}: {untyped} without types"
                if "return" not in item.__annotations__:
                    yield f"{name} has no return type"

    assert faults(MODULES, look) == []


def test_every_module_can_be_imported_first():
    """No circle of imports: the packages found are those that are shipped."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = settings["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel == {"only-include": ["asymp", "proofs"], "sources": {"proofs": "asymp/papers"}}
    for target in settings["project"]["entry-points"]["asymp.papers"].values():
        assert importlib.import_module(target)


def test_nothing_names_the_machine_it_was_written_on():
    for path in [*MODULES, *PAPERS, *ROOT.glob("*.md"), *(ROOT / "tests").glob("*.py"), ROOT / ".ci" / "run"]:
        text = text_of(path)
        for word in ("/ho" + "me/", "/wo" + "rk/", "/ro" + "ot/"):
            assert word not in text, f"{path.name} holds {word}"


def test_the_doors_are_seen_to_be_shut():
    """The checks above fail on what they are there to find."""

    def found(text):
        return imports_in(ast.walk(ast.parse(text)), Path("bad.py"))

    assert found("def f():\n    import flint.types\n    from asymp import cli\n") == {"flint.types", "asymp.cli"}
    text = "if TYPE_CHECKING:\n    from asymp.claim import Claim\nf('asymp.export.cell', 'asymp.command.bodies:ask', 'asymp')\n"
    assert found(text) == {"asymp.claim", "asymp.export.cell", "asymp.command.bodies"}
    text = "import_module('asymp')\nimportlib.import_module('cupy')\nimport_module(f'asymp.kernel.chains.{name}')\n"
    assert found(text) == {"asymp", "cupy", *(name for name in NAMES if name.startswith("asymp.kernel.chains."))}
    assert inside("asymp.enclosure.sums", "asymp.enclosure")
    assert not inside("asymp.enclosures", "asymp.enclosure")
    here = ROOT / "asymp" / "cli.py"
    assert faults([here, ROOT / "asymp" / "claim.py"], lambda path: iter([path.stem])) == ["asymp.cli: cli", "asymp.claim: claim"]


THROUGH_THE_DOOR = {
    "apart", "cancel", "combsimp", "degree", "diff", "div", "expand", "expand_func", "expand_log", "expand_mul", "expand_power_base",
    "expand_power_exp", "factor", "factor_terms", "gammasimp", "gcd", "integrate", "invert", "limit", "nsimplify", "nsolve", "powdenest",
    "powsimp", "radsimp", "real_roots", "residue", "roots", "series", "simplify", "solve", "solveset", "sqrtdenest", "summation",
    "together", "trigsimp", "Poly", "gosper_term", "manualintegrate", "ratint",
}  # fmt: skip
"""SymPy's solvers and simplifiers: asymp.symbolics measures what they are given and turns their errors into refusals."""


def solvers_in(tree: ast.Module) -> set[str]:
    """The functions of SymPy that a module calls directly: their names, for those that have a door."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("sp", "sympy"):
            found |= {node.attr} & THROUGH_THE_DOOR
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "sympy":
            found |= {alias.name for alias in node.names} & THROUGH_THE_DOOR
    if "Poly" in found:  # in annotations alone it is no call
        nodes = list(ast.walk(tree))
        annotations = [a.annotation for a in nodes if isinstance(a, ast.arg | ast.AnnAssign) and a.annotation]
        annotations += [f.returns for f in nodes if isinstance(f, ast.FunctionDef) and f.returns]
        if sum("sp.Poly" in ast.unparse(a) for a in annotations) and "sp.Poly(" not in ast.unparse(tree):
            found.discard("Poly")
    return found


def test_sympy_is_reached_through_one_door():
    assert faults([path for path in MODULES if name_of(path) != "asymp.symbolics"], lambda path: iter(solvers_in(tree_of(path)))) == []


def test_the_door_to_sympy_is_seen_to_be_shut():
    def found(text):
        return solvers_in(ast.parse(text))

    assert found("import sympy as sp\nx = sp.simplify(y)\nz = sp.Poly(y)\nw = sp.sqrt(2)\n") == {"simplify", "Poly"}
    assert found("from sympy.concrete.gosper import gosper_term\n") == {"gosper_term"}
    assert found("import sympy as sp\ndef f(p: sp.Poly) -> int:\n    return p.degree()\n") == set()


def test_certified_numbers_are_of_terms():
    """Nothing that the room of balls imports leads to SymPy, but the adapter, which it asks of what is no term."""
    arrows = {name_of(path): imports_of(path) for path in MODULES if name_of(path) != "asymp.cas"}
    todo, reached = [one for one in arrows if inside(one, "asymp.enclosure")], set[str]()
    while todo:
        reached |= (new := arrows.get(todo.pop(), set()) - reached)
        todo += new
    assert "asymp.cas" in reached and "flint" in reached
    assert not [one for one in reached if one.partition(".")[0] == "sympy"]


KERNEL = [path for path in MODULES if inside(name_of(path), "asymp.kernel")]


def test_the_kernel_imports_itself_the_language_and_balls():
    allowed = ("asymp.kernel", "asymp.language", "asymp.functions.row", "asymp.functions.series", "asymp.functions.table", "asymp.functions.found",
               "asymp.functions.laws", "asymp.outside", "flint", "gmpy2", "__future__", "collections",
               "dataclasses", "fractions", "functools",
               "contextlib", "contextvars", "typing", "math", "itertools", "operator", "threading", "weakref")  # fmt: skip
    assert KERNEL and faults(KERNEL, lambda path: (f"imports {name}" for name in imports_of(path) if not inside(name, allowed))) == []


def test_a_theory_uses_only_those_before_it():
    """The core, terms, data, domains, what is trusted and cited, and theorems, uses none; its records use all, and so does the list of what has rules."""

    def look(path):
        here = name_of(path).split(".")
        if here[2:3] in ([], ["records"], ["rules"]):
            return
        before = THEORIES[: THEORIES.index(here[2]) + 1] if here[2] in THEORIES else ()
        for module in imports_of(path):
            if inside(module, "asymp.kernel"):
                if module.split(".")[2:][:1] not in [["terms"], ["data"], ["trust"], ["noted"], ["cited"], ["domain"], ["theorem"], *([one] for one in before), []]:
                    yield f"imports {module}"

    assert faults(KERNEL, look) == []


def test_the_core_is_read_in_an_evening():
    core = ("terms", "data", "trust", "domain", "theorem", "records")
    assert sum(len((ROOT / "asymp" / "kernel" / f"{one}.py").read_text().splitlines()) for one in core) <= 1_200


def test_every_theory_is_there():
    folders = {path.name for path in (ROOT / "asymp" / "kernel").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(THEORIES)


def test_every_rule_has_words_for_a_derivation():
    assert [name for name in RULES if name not in derivation.WORDS and name not in derivation._TOLD] == []


def test_every_rule_says_what_it_concludes():
    """One sentence first."""
    first = {name: (inspect.getdoc(item) or "").split("\n\n")[0] for name, item in RULES.items()}
    assert [name for name, line in first.items() if not line.endswith(".") or "\n" in line] == []


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """Sets of which each can be reached from each, by arrows."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        todo = [start]
        while todo:
            todo += arrows.get(todo.pop(), set()) - found
            found |= set(todo)
        return found

    after = {one: reached(one) for one in arrows}
    found: list[set[str]] = []
    for one in arrows:
        circle = {other for other in after[one] if one in after.get(other, set())}
        if circle and circle not in found:
            found.append(circle)
    return found


def test_no_modules_import_one_another_in_a_circle():
    """A door that opens to rooms is none: no room imports the door."""
    assert circles({name_of(path): (imports_of(path) & NAMES) - {name_of(path)} for path in MODULES}) == []


def test_circles_are_seen():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == [{"b", "c"}]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []
