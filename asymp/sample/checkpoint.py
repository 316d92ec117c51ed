"""A checkpoint of a long run: one file, replaced whole after each block, so that a run killed at any moment can go on.

What is written goes to a file beside it first, is forced to the disk, and takes the name in one step: at every moment
the name holds one complete checkpoint.  The configuration is kept with it, and one of another configuration is refused.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def save(path: str | Path, configuration: dict[str, Any], arrays: dict[str, Array]) -> None:
    """Replace the checkpoint: what the run is (numbers and text), and its arrays."""
    where = Path(path)
    content = io.BytesIO()
    text = np.frombuffer(json.dumps(configuration, sort_keys=True).encode(), np.uint8)
    np.savez(content, configuration=text, **arrays)  # type: ignore[arg-type]
    beside = where.with_name(where.name + ".new")
    with open(beside, "wb") as file:
        file.write(content.getbuffer())
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, where)
    folder = os.open(where.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def load(path: str | Path, configuration: dict[str, Any]) -> dict[str, Array] | None:
    """The arrays of a checkpoint of this configuration, or nothing where no file is.

    Raises:
        ValueError: in one line, if the file is not a checkpoint or is of another configuration (which says where they
        differ).
    """
    where = Path(path)
    if not where.exists():
        return None
    try:
        with np.load(io.BytesIO(where.read_bytes()), allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        found = json.loads(arrays.pop("configuration").tobytes().decode())
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(f"{where} is not a checkpoint ({type(error).__name__})") from error
    wanted = json.loads(json.dumps(configuration))
    for name in sorted(set(found) | set(wanted), key=lambda name: (name != "kind", name)):
        if found.get(name) != wanted.get(name):
            there, here = _short(found.get(name)), _short(wanted.get(name))
            raise ValueError(f"{where} is the checkpoint of another run: {name} is {there} there and {here} here")
    return arrays


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
