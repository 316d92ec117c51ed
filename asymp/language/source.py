"""A file of claims as text and tables, and the lines where things stand in it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from asymp.language.unreadable import told

Code = Callable[[str], Any]
"""Finds what a dotted name means: a function of the model, a test, a sample."""


class ClaimsError(ValueError):
    """A file of claims that cannot be used: one line that names the file and the line in it."""


class SourceFile:
    """The text of a file of claims and its tables.

    Raises:
        ClaimsError: it is no TOML.

    >>> SourceFile('[paper]\\nkey = "demo"', "demo.toml", None).line("paper", "key")
    2
    """

    def __init__(self, text: str, where: str, code: Code | None) -> None:
        self.text, self.where, self.code = text, where, code
        self.lines = text.splitlines()
        self._heads = [k for k, line in enumerate(self.lines) if line.lstrip().startswith("[")]
        self.data = self.tables()

    def tables(self) -> dict[str, Any]:
        """The tables of the text."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            line, said = told(self.text, error)
            raise ClaimsError(f"{self.where}, line {line}: {said}") from error
        except RecursionError as error:
            raise ClaimsError(f"{self.where}: brackets nested too deeply") from error

    # --- places

    def line(self, table: str, key: str = "", item: str = "") -> int:
        """The line where a key of a table stands, or the table begins."""
        inner = rf"\s*\.\s*[\"']?{re.escape(item)}[\"']?" if item else ""
        head = rf"\s*\[\s*{re.escape(table)}{inner}\s*\]"
        start = next((k for k in self._heads if re.match(head, self.lines[k])), None)
        if start is None:
            return 1
        for k in range(start + 1, len(self.lines) if key else 0):
            if re.match(r"\s*\[", self.lines[k]):
                break
            if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", self.lines[k]):
                return k + 1
        return start + 1

    def spot(self, table: str, key: str = "", item: str = "") -> tuple[str, int]:
        """The user's file and the line where a claim is printed; none where it is told of in a file beside the paper."""
        return "", 0

    def place(self, table: str, key: str = "", item: str = "") -> str:
        """The line of :meth:`line`, as messages name it."""
        return f"{self.where}, line {self.line(table, key, item)}"

    def fail(self, what: str, table: str, key: str = "", item: str = "") -> ClaimsError:
        """The error at a key."""
        return ClaimsError(f"{self.place(table, key, item)}: {what}")

    def table(self, name: str) -> Mapping[str, Any]:
        """A table of the file, empty where there is none."""
        found = self.data.get(name, {})
        if not isinstance(found, dict):
            raise ClaimsError(f"{self.where}: {name} is to be a table, [{name}]")
        return found

    def texts(self, name: str) -> dict[str, str]:
        """A table of texts."""
        found = self.table(name)
        for key, value in found.items():
            if not isinstance(value, str):
                raise self.fail(f"{name}.{key} is to be a text in quotation marks", name, key)
        return dict(found)
