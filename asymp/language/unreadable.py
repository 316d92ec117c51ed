r"""What is wrong with a file of claims that is no TOML: the key, and the line to write instead.

>>> text = '[variables]\nn = whole, >= 1'
>>> try:
...     _ = tomllib.loads(text)
... except tomllib.TOMLDecodeError as error:
...     print(told(text, error))
(2, 'n: a text stands in quotation marks: write n = "whole, >= 1"')
"""

from __future__ import annotations

import re
import tomllib

from asymp.messages import one_line

_PAIR = re.compile(r"""\s*(?P<key>[A-Za-z0-9_.-]+|"[^"]*"|'[^']*')\s*(?P<sign>[=:]?)\s*(?P<value>.*?)\s*$""")
_HEAD = re.compile(r"\s*\[\s*(?P<table>[A-Za-z]+)\s*\.\s*(?P<item>.*?)\s*\]?\s*$")
_CALLED = re.compile(r"\s*(?P<key>[A-Za-z]\w*\([\w, ]*\))\s*=\s*(?P<value>.+?)\s*$")
_DOTS = '"..."'
SHOWN = 80
"""Characters of a value that are shown."""


def told(text: str, error: tomllib.TOMLDecodeError) -> tuple[int, str]:
    r"""The line (from 1) and what to write there.

    >>> def of(text):
    ...     try:
    ...         tomllib.loads(text)
    ...     except tomllib.TOMLDecodeError as error:
    ...         return told(text, error)[1]
    >>> of('says = "\\mu ~ 1"')
    "says: a text with a backslash stands in single quotation marks: write says = '\\mu ~ 1'"
    >>> of('to = 0 < p'), of('says = "n ~ n')
    ('to: a text stands in quotation marks: write to = "0 < p"', 'says: a text that is never closed: write says = "n ~ n"')
    >>> of('[claim.theorem 1]'), of('says: n ~ n')
    ('a name with a space or a dot stands in quotation marks: write [claim."theorem 1"]', 'says: write says = "n ~ n"')
    >>> of('H(n) = "Sum(1/k, (k, 1, n))"')
    'a name with its arguments stands in quotation marks: write "H(n)" = "Sum(1/k, (k, 1, n))"'
    >>> of('a = "n"\na = "m"')
    'a: it stands there twice'
    """
    said = one_line(error)
    lines = text.splitlines() or [""]
    place = re.search(r"\(at line (\d+), column (\d+)\)", said)
    number = min(int(place[1]), len(lines)) if place else len(lines)
    while number > 1 and not lines[number - 1].strip():
        number -= 1
    what = said.split(" (at")[0]
    line = lines[number - 1]
    if what.startswith(("Expected '", 'Expected "')) and not place:  # the end of the text came first
        return _opening(lines)
    if line.lstrip().startswith("["):
        return number, _of_table(line, what)
    called = _CALLED.match(line)
    if called is not None:
        written = f'"{called["key"]}" = {_quoted(called["value"])}'
        return number, f"a name with its arguments stands in quotation marks: write {written}"
    pair = _PAIR.match(line)
    if pair is None:
        return number, f'{what}: a line is written key = "value"'
    key, value = pair["key"], pair["value"]
    if "overwrite" in what:
        return number, f"{key}: it stands there twice"
    if value[:1] in ("[", "{"):
        return number, f"{key}: {what}"
    return number, f"{key}: {_why(what, pair)}write {key} = {_quoted(value) if value else _DOTS}"


def _of_table(line: str, what: str) -> str:
    head = _HEAD.match(line)
    if "twice" in what or "overwrite" in what:
        return f"{line.strip()[:SHOWN]} stands there twice"
    if head is None:
        return f'{what}: a table is written [variables] or [claim."lemma-1"]'
    item = head["item"].strip("\"'")
    return f'a name with a space or a dot stands in quotation marks: write [{head["table"]}."{item}"]'


def _opening(lines: list[str]) -> tuple[int, str]:
    """Where a text begins that never ends."""
    for number in range(len(lines), 0, -1):
        pair = _PAIR.match(lines[number - 1])
        mark = re.match("'''|\"\"\"|['\"]", pair["value"]) if pair is not None and pair["sign"] == "=" else None
        if pair is not None and mark is not None and mark[0] not in pair["value"][mark.end() :]:
            return number, f"{pair['key']}: the text that begins here with {mark[0]} is never closed"
    return len(lines), "a text that is never closed"


def _why(what: str, pair: re.Match[str]) -> str:
    value = pair["value"]
    if pair["sign"] != "=":
        return ""
    if value[:1] not in "\"'" or not value:
        return "a text stands in quotation marks: "
    if "\\" in value and value[0] == '"':
        return "a text with a backslash stands in single quotation marks: "
    if value.count(value[0]) == 1:
        return "a text that is never closed: "
    return f"{what}: "


def _quoted(value: str) -> str:
    """The value as TOML has it: in single quotation marks where it holds a backslash or a double one."""
    value = "".join(sign if sign.isprintable() else "?" for sign in value)
    plain = value[1:] if value[:1] in "\"'" else value
    plain = plain[:-1] if plain != value and plain[-1:] == value[:1] else re.sub(r"\s+#.*", "", plain)
    shown = plain if len(plain) <= SHOWN else plain[: SHOWN - 3] + "..."
    if "\\" not in plain and '"' not in plain:
        return f'"{shown}"'
    return f"'{shown}'" if "'" not in plain else f"'''{shown}'''"
