"""The doors of the house: which room may import what, who may print, how long a module may be."""

from __future__ import annotations

import ast
import importlib
import inspect
import tomllib
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
    "asymp.scale": 1,
    "asymp.growth": 1,
    "asymp.ordering": 1,
    "asymp.coefficient": 1,
    "asymp.sign": 1,
    "asymp.language": 0,
    "asymp.functions": 0,
    "asymp.latex": 0,
    "asymp.kernel": 1,
    "asymp.prove": 7,
    "asymp.messages": 0,
    "asymp.outside": 0,
    "asymp.version": 0,
    "asymp.notes": 1,
    "asymp.budget": 1,
    "asymp.refusal": 1,
    "asymp.symbolics": 1,
    "asymp.cas": 1,
    "asymp.stopwatch": 1,
    "asymp.special": 0,
    "asymp.vanishing": 1,
    "asymp.expansion": 2,
    "asymp.domain": 1,
    "asymp.elimination": 1,
    "asymp.model": 1,
    "asymp.evidence": 3,
    "asymp.relation": 3,
    "asymp.claim": 3,
    "asymp.enclosure": 4,
    "asymp.parse": 5,
    "asymp.paper": 5,
    "asymp.registry": 5,
    "asymp.queues": 6,
    "asymp.expand": 6,
    "asymp.regimes": 6,
    "asymp.meaning": 6,
    "asymp.sample": 6,
    "asymp.check": 7,
    "asymp.export": 8,
    "asymp.answer": 8,
    "asymp.testing": 9,
    "asymp.command": 9,
    "asymp.cli": 10,
    "asymp.__main__": 11,
}
ONLY_IN = {
    "flint": ("asymp.enclosure", "asymp.kernel"),
    "cupy": "asymp.sample",
    "numba": "asymp.sample",
    "matplotlib": "asymp.export",
    "argparse": ("asymp.cli", "asymp.command"),
}
COMPUTING = ("asymp.check", "asymp.expand", "asymp.enclosure", "asymp.meaning", "asymp.sample", "asymp.queues", "asymp.answer")


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports or names: inside functions too, for type checkers alone, and in strings.

    ``from asymp.check import ask`` is of ``asymp.check.ask``, where that is a module.  A string that is a module's name, with
    a function's after a colon or without, counts as an import of it; the beginning of a name, of all that begin with it.
    """
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
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


def ids(path: Path) -> str:
    return name_of(path)


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_imports_point_one_way(path):
    here = room(name_of(path))
    assert here in RANKS, f"{here}: give the new room its rank"
    for module in imports_of(path):
        if module.split(".")[0] == "asymp" and here != "asymp":
            assert RANKS[room(module)] <= RANKS[here], f"{name_of(path)} imports {module}"


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_each_door_has_its_keeper(path):
    here = name_of(path)
    for module in imports_of(path):
        top = module.split(".")[0]
        if top in ONLY_IN:
            assert inside(here, ONLY_IN[top]), f"{here} imports {module}"
        assert top not in ("proofs", "tests"), f"{here} imports {module}"
        if inside(here, "asymp.export"):
            assert not inside(module, COMPUTING), f"{here} imports {module}: export computes nothing"


ANNEXES = ("asymp.queues", "asymp.sample")
"""Rooms whose models entry points name: no other room does."""
OF_A_PAPER = ("parallel_occupancy", "ParallelOccupancy")
"""Functions of one paper, which entry points give."""


@pytest.mark.parametrize("path", [p for p in MODULES if not inside(name_of(p), ANNEXES)], ids=ids)
def test_no_room_names_an_annex(path):
    text = path.read_text(encoding="utf-8")
    if name_of(path) != "asymp":  # which makes each room an attribute, by whatever name it has
        assert not [module for module in imports_of(path) if inside(module, ANNEXES)]
    for word in (*OF_A_PAPER, *ANNEXES):
        assert word not in text, f"{name_of(path)} names {word}"


def test_a_law_has_one_name_and_one_meaning():
    """``Exponential(2.0)`` was of mean 2 in one module of laws and of rate 2 in another."""
    places: dict[str, list[str]] = {}
    for path in MODULES:
        if room(name_of(path)) in ("asymp.queues", "asymp.sample"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, []).append(name_of(path))
    laws = {name: where for name, where in places.items() if any(".law" in module for module in where)}
    assert "Exponential" in laws and {name: where for name, where in laws.items() if len(where) > 1} == {}


@pytest.mark.parametrize("path", MODULES + PAPERS, ids=ids)
def test_nothing_prints_and_nothing_evaluates_text(path):
    here = name_of(path)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id != "print" or here in PRINTERS, f"{here} line {node.lineno} prints"
            assert node.func.id not in ("eval", "exec", "compile"), f"{here} line {node.lineno}"
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("sp", "sympy"):
            assert node.attr not in ("parse_expr", "lambdify"), f"{here} line {node.lineno}"


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_modules_are_short_and_say_what_they_are_for(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST, f"{name_of(path)}: split it"
    if text.strip():
        assert ast.get_docstring(ast.parse(text)), f"{name_of(path)}: no docstring"


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_public_names_are_documented_and_typed(path):
    module = importlib.import_module(name_of(path))
    for name, item in vars(module).items():
        if name.startswith("_") or getattr(item, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(item) or inspect.isclass(item):
            assert inspect.getdoc(item), f"{module.__name__}.{name}: no docstring"
        if inspect.isfunction(item):
            untyped = [p for p in inspect.signature(item).parameters if p not in item.__annotations__]
            assert not untyped, f"{module.__name__}.{name}: {untyped} without types"
            assert "return" in item.__annotations__, f"{module.__name__}.{name}: no return type"


def test_every_module_can_be_imported_first():
    """No circle of imports: the packages found are those that are shipped."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["tool"]["setuptools"]["packages"]["find"]["include"] == ["asymp*", "proofs*"]
    for target in settings["project"]["entry-points"]["asymp.papers"].values():
        assert importlib.import_module(target)


def test_nothing_names_the_machine_it_was_written_on():
    for path in [*MODULES, *PAPERS, *ROOT.glob("*.md"), *(ROOT / "tests").glob("*.py"), ROOT / ".ci" / "run"]:
        text = path.read_text(encoding="utf-8")
        for word in ("/ho" + "me/", "/wo" + "rk/", "/ro" + "ot/"):
            assert word not in text, f"{path.name} holds {word}"


def test_the_doors_are_seen_to_be_shut(tmp_path):
    """The checks above fail on what they are there to find."""
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    import flint.types\n    from asymp import cli\n")
    assert imports_of(bad) == {"flint.types", "asymp.cli"}
    bad.write_text("if TYPE_CHECKING:\n    from asymp.claim import Claim\nf('asymp.export.cell', 'asymp.command.bodies:ask', 'asymp')\n")
    assert imports_of(bad) == {"asymp.claim", "asymp.export.cell", "asymp.command.bodies"}
    bad.write_text("import_module('asymp')\nimportlib.import_module('cupy')\nimport_module(f'asymp.kernel.chains.{name}')\n")
    assert imports_of(bad) == {"asymp", "cupy", *(name for name in NAMES if name.startswith("asymp.kernel.chains."))}
    assert inside("asymp.enclosure.sums", "asymp.enclosure")
    assert not inside("asymp.enclosures", "asymp.enclosure")


THROUGH_THE_DOOR = {
    "apart", "cancel", "combsimp", "degree", "diff", "div", "expand", "expand_func", "expand_log", "expand_mul", "expand_power_base",
    "expand_power_exp", "factor", "factor_terms", "gammasimp", "gcd", "integrate", "invert", "limit", "nsimplify", "nsolve", "powdenest",
    "powsimp", "radsimp", "real_roots", "residue", "roots", "series", "simplify", "solve", "solveset", "sqrtdenest", "summation",
    "together", "trigsimp", "Poly", "gosper_term", "manualintegrate", "ratint",
}  # fmt: skip
"""SymPy's solvers and simplifiers: asymp.symbolics measures what they are given and turns their errors into refusals."""


def solvers_in(text: str) -> set[str]:
    """The functions of SymPy that a module calls directly: their names, for those that have a door."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("sp", "sympy"):
            found |= {node.attr} & THROUGH_THE_DOOR
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "sympy":
            found |= {alias.name for alias in node.names} & THROUGH_THE_DOOR
    annotations = [a.annotation for a in ast.walk(ast.parse(text)) if isinstance(a, ast.arg | ast.AnnAssign) and a.annotation]
    annotations += [f.returns for f in ast.walk(ast.parse(text)) if isinstance(f, ast.FunctionDef) and f.returns]
    if "Poly" in found and sum("sp.Poly" in ast.unparse(a) for a in annotations) and "sp.Poly(" not in text:
        found.discard("Poly")
    return found


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_sympy_is_reached_through_one_door(path):
    here = name_of(path)
    if here == "asymp.symbolics":
        return
    assert not solvers_in(path.read_text(encoding="utf-8")), here


def test_the_door_to_sympy_is_seen_to_be_shut():
    assert solvers_in("import sympy as sp\nx = sp.simplify(y)\nz = sp.Poly(y)\nw = sp.sqrt(2)\n") == {"simplify", "Poly"}
    assert solvers_in("from sympy.concrete.gosper import gosper_term\n") == {"gosper_term"}
    assert solvers_in("import sympy as sp\ndef f(p: sp.Poly) -> int:\n    return p.degree()\n") == set()


def test_certified_numbers_are_of_terms():
    """Nothing that the room of balls imports leads to SymPy, but the adapter, which it asks of what is no term."""
    arrows = {name_of(path): imports_of(path) for path in MODULES if name_of(path) != "asymp.cas"}
    todo, reached = [one for one in arrows if inside(one, "asymp.enclosure")], set[str]()
    while todo:
        reached |= (new := arrows.get(todo.pop(), set()) - reached)
        todo += new
    assert "asymp.cas" in reached and "flint" in reached
    assert not [one for one in reached if one.partition(".")[0] == "sympy"]


@pytest.mark.parametrize("path", [p for p in MODULES if "kernel" in p.parts], ids=lambda path: path.stem)
def test_the_kernel_imports_itself_the_language_and_balls(path):
    allowed = {"asymp.kernel", "asymp.language", "asymp.functions.row", "asymp.functions.series", "asymp.functions.table", "asymp.functions.found",
               "asymp.outside", "flint", "gmpy2", "__future__", "collections",
               "dataclasses", "fractions", "functools",
               "contextlib", "contextvars", "typing", "math", "itertools", "operator", "threading", "weakref"}  # fmt: skip
    for name in imports_of(path):
        assert any(name == one or name.startswith(one + ".") for one in allowed), f"{path.name} imports {name}"


@pytest.mark.parametrize("path", [p for p in MODULES if "kernel" in p.parts], ids=ids)
def test_a_theory_uses_only_those_before_it(path):
    """The core, terms, data, domains, what is trusted, and theorems, uses none; its records use all."""
    here = name_of(path).split(".")
    if here[2:3] in ([], ["records"]):
        return
    before = THEORIES[: THEORIES.index(here[2]) + 1] if here[2] in THEORIES else ()
    for module in imports_of(path):
        if inside(module, "asymp.kernel"):
            assert module.split(".")[2:][:1] in [["terms"], ["data"], ["trust"], ["domain"], ["theorem"], *([one] for one in before), []], module


def test_the_core_is_read_in_an_evening():
    core = ("terms", "data", "trust", "domain", "theorem", "records")
    assert sum(len((ROOT / "asymp" / "kernel" / f"{one}.py").read_text().splitlines()) for one in core) <= 1_200


def test_every_theory_is_there():
    folders = {path.name for path in (ROOT / "asymp" / "kernel").iterdir() if (path / "__init__.py").exists()}
    assert folders == set(THEORIES)


@pytest.mark.parametrize("name", RULES)
def test_every_rule_has_words_for_a_derivation(name):
    assert name in derivation._WORDS or name in derivation._TOLD


@pytest.mark.parametrize("name", RULES)
def test_every_rule_says_what_it_concludes(name):
    first = (inspect.getdoc(RULES[name]) or "").split("\n\n")[0]
    assert first.endswith(".") and "\n" not in first, f"the rule {name}: one sentence first"


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
