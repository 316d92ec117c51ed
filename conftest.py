"""Each module of asymp is imported by its own name, as a program imports it, before pytest looks into it for examples.

Pytest makes a module of the file anew where its package has imported it on the way (``--import-mode=importlib``), and then
there are two of it: what registers itself, as the methods of the expander do, does so twice, and what is asked of one is not
what was registered in the other.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
os.environ["ASYMP_STORE"] = "off"  # what is tested is this code; tests of the store have one of their own


@pytest.hookimpl(tryfirst=True)
def pytest_collect_file(file_path: Path) -> None:
    path = file_path.relative_to(ROOT) if file_path.is_relative_to(ROOT) else Path()
    if path.suffix == ".py" and path.parts[0] == "asymp" and path.stem != "__main__":
        importlib.import_module(".".join(path.parent.parts if path.stem == "__init__" else path.with_suffix("").parts))
