"""What ``asymp --version --verbose`` says: the libraries, what there is beside them, and where things lie.

>>> print(about().splitlines()[0])
asymp 0.1.0
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
from pathlib import Path

from asymp.command import store
from asymp.outside import HOUSE, entries
from asymp.version import __version__

GROUPS = ("papers", "models", "methods", "functions", "theories")
_NAME = re.compile(r"[\w.-]+")


def about() -> str:
    """The lines, which a report of an error should have."""
    lines = [f"asymp {__version__}", f"  in          {Path(__file__).parents[1]}"]
    lines.append(f"  Python      {platform.python_version()} ({platform.python_implementation()}), {platform.platform()}")
    lines.append(f"  processors  {os.cpu_count()}")
    lines.append(f"  libraries   {', '.join(f'{name} {version}' for name, version in libraries().items())}")
    gpu = [f"{one.name} {one.version}" for one in importlib.metadata.distributions() if (one.name or "").startswith("cupy")]
    lines.append(f"  GPU         {gpu[0] if gpu else 'cupy is not installed: samples are drawn on the processors'}")
    lines.append(f"  store       {store.place() or 'off'}")
    for group in GROUPS:
        names = [one.name if one.package == HOUSE else one.label for one in entries(group)]
        lines.append(f"  {group:10}  {', '.join(names) or 'none: asymp is not installed here'}")
    return "\n".join(lines)


def libraries() -> dict[str, str]:
    """What asymp requires, and the versions that are there."""
    try:
        wanted = importlib.metadata.requires(HOUSE) or []
    except importlib.metadata.PackageNotFoundError:
        return {}
    found = {}
    for line in wanted:
        name = _NAME.match(line)
        if name is not None and "extra ==" not in line:
            try:
                found[name[0]] = importlib.metadata.version(name[0])
            except importlib.metadata.PackageNotFoundError:
                found[name[0]] = "MISSING"
    return found
