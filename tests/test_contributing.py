"""CONTRIBUTING.md: its files make the package of tests/outside, and what its lines say is what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from installed import OUTSIDE, ROOT, asymp, install

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```\n", PAGE, re.S))
CONSOLE = re.findall(r"```console\n(.*?)```\n", PAGE, re.S)
PYTHON = re.findall(r"(?<!-->\n)```python\n(.*?)```\n", PAGE, re.S)
SAID = [tuple(one.split("\n", 1)) for block in CONSOLE for one in re.split(r"^\$ ", block, flags=re.M) if one]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The package as the page has it, installed."""
    site = install(FILES["pyproject.toml"], tmp_path_factory.mktemp("site"))
    for name, text in FILES.items():
        file = site / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for folder in {file.parent for file in site.glob("softly/**/*.*")}:
        folder.joinpath("__init__.py").touch()
    return [site]


def test_the_page_has_every_kind():
    groups = set(re.findall(r"`(asymp\.\w+)` \|", PAGE))
    assert groups == set(re.findall(r'entry-points."(.+?)"', FILES["pyproject.toml"]))
    own = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert groups == set(re.findall(r'entry-points."(.+?)"', own))
    assert len(SAID) == 8 and len(PYTHON) == 1


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_page_shows_the_package_of_the_tests(name):
    assert OUTSIDE.joinpath(name).read_text(encoding="utf-8") == FILES[name]


def test_the_page_shows_all_of_it():
    files = {str(file.relative_to(OUTSIDE)) for file in OUTSIDE.rglob("*.*") if file.suffix in (".py", ".toml")}
    assert {name for name in files if not name.endswith("__init__.py")} == set(FILES)


@pytest.mark.parametrize(("command", "printed"), SAID, ids=[command for command, _ in SAID])
def test_a_line_prints_what_the_page_says(command, printed, path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *map(str, path)]), "NO_COLOR": "1"}
    shell = f'asymp() {{ "{sys.executable}" -m asymp "$@"; }}; {command}'
    found = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, env=environment, check=False, cwd=path[0])
    assert found.stdout.rstrip("\n") == printed.rstrip("\n"), found.stderr


@pytest.mark.parametrize("code", PYTHON)
def test_the_test_of_a_rule_runs(code, path):
    found = asymp(code, path=path, python="-c")
    assert found.returncode == 0, found.stderr
