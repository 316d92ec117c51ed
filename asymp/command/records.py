"""What ``asymp verify`` reads: a record, and the statements of a file of claims; without SymPy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from asymp.command.usage import UsageError
from asymp.messages import one_line


def texts_of(file: str | None) -> tuple[dict[str, str | None] | None, frozenset[str]]:
    """The closed statements of a file of claims, and its definitions, read without SymPy; None where no file is given."""
    from asymp.language.setting import closed_of
    from asymp.language.source import ClaimsError
    from asymp.latex.author import TexReader
    from asymp.latex.paper import QuoteReader
    from asymp.paper.tex import gathered

    if file is None:
        return None, frozenset()
    try:
        path = Path(file)
        is_tex = path.suffix == ".tex"
        found = TexReader(gathered(path)) if is_tex else QuoteReader(path.read_text(encoding="utf-8"), file, None)
        return closed_of(found), frozenset(map(str, found.setting.chains))
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror or one_line(error)}") from error
    except (ClaimsError, UnicodeDecodeError) as error:
        raise UsageError(one_line(error)) from error


def record(path: str) -> dict[str, Any]:
    """A record that asymp check has written.

    Raises:
        UsageError: it is none.
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or one_line(error)}") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} is no record of asymp check: {one_line(error)}") from error
    claims = data.get("claims") if isinstance(data, dict) else None
    if not isinstance(claims, list) or not all(isinstance(entry, dict) for entry in claims):
        raise UsageError(f"{path} is no record of asymp check")
    return data
