r"""What a preamble defines, put in: ``\newcommand`` and its kin, with arguments, bounded.

>>> from asymp.latex.tokens import tokens
>>> found = read_macros(r"\newcommand{\E}[1]{\mathbb{E}[#1]} \DeclareMathOperator{\Erl}{Erl}")
>>> [token.text for token in expanded(tokens(r"\E{X}"), found, "")]
['mathbb', '{', 'E', '}', '[', 'X', ']']
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from asymp.latex.source import MAX_ITEMS, MAX_LENGTH, Unreadable
from asymp.latex.tokens import Token, tokens

MOST_EXPANSIONS = 2_000
_DEFINED = re.compile(
    r"\\(?P<how>newcommand|renewcommand|providecommand|DeclareMathOperator|DeclareRobustCommand)\*?\s*"
    r"(?:\{\s*\\(?P<braced>[A-Za-z]+)\s*\}|\\(?P<plain>[A-Za-z]+))\s*(?:\[(?P<count>\d)\])?\s*(?P<default>\[)?\s*(?=\{)"
)


@dataclass(frozen=True)
class Macro:
    """What a macro of a preamble stands for: the tokens of its body, in which ``holes`` are the places of arguments."""

    name: str
    arguments: int
    body: tuple[Token | int, ...]


def macro(name: str, body: str, arguments: int = 0) -> Macro:
    r"""A macro from the text of its body, with ``#1`` for the first argument.

    >>> macro("half", r"\frac{#1}{2}", 1).body[2]
    1
    """
    if re.search(r"#(?!\d)", body) or any(int(k) > arguments or k == "0" for k in re.findall(r"#(\d)", body)):
        raise Unreadable(f"\\{name}: an argument that it does not have", body)
    pieces = re.split(r"#(\d)", body)
    found: list[Token | int] = []
    for k, piece in enumerate(pieces):
        found += [int(piece)] if k % 2 else tokens(piece if piece.isascii() and "\\" in piece else piece + "\\relax")
    kept = [one for one in found if isinstance(one, int) or one.text != "relax"]
    return Macro(name, arguments, tuple(kept))


def read_macros(preamble: str) -> dict[str, Macro]:
    r"""The macros that a text defines by ``\newcommand``, ``\renewcommand`` and ``\DeclareMathOperator``.

    What it defines otherwise (``\def``, optional arguments) is left out, and refused where a formula needs it.
    """
    if len(preamble) > 50 * MAX_LENGTH:
        raise Unreadable(f"too long: {len(preamble)} characters")
    found: dict[str, Macro] = {}
    for match in _DEFINED.finditer(preamble):
        name = match["braced"] or match["plain"]
        body = _braced(preamble, match.end())
        if body is None or match["default"]:
            continue
        if match["how"] == "DeclareMathOperator":
            body = rf"\operatorname{{{body}}}"
        found[name] = macro(name, body, int(match["count"] or 0))
    return found


def _braced(text: str, start: int) -> str | None:
    level = 0
    for k in range(start, min(len(text), start + MAX_LENGTH)):
        level += (text[k] == "{") - (text[k] == "}") if text[k - 1] != "\\" else 0
        if level == 0:
            return text[start + 1 : k]
    return None


def expanded(found: list[Token], macros: Mapping[str, Macro], source: str) -> list[Token]:
    """The tokens with macros put in; what is put in stands where the macro stood.

    Raises:
        Unreadable: a macro without its arguments, macros that never end, or too many tokens.
    """
    if not macros:
        return found
    out: list[Token] = []
    todo = list(reversed(found))
    count = 0
    while todo:
        token = todo.pop()
        if token.kind != "macro" or token.text not in macros:
            out.append(token)
            continue
        count += 1
        if count > MOST_EXPANSIONS or len(todo) + len(out) > MAX_ITEMS:
            raise Unreadable(f"\\{token.text} is expanded without an end", source, token.at)
        item = macros[token.text]
        given = [_argument(todo, token, source) for _ in range(item.arguments)]
        put: list[Token] = []
        for one in item.body:
            put += given[one - 1] if isinstance(one, int) else [one._replace(at=token.at)]
            if len(put) > MAX_ITEMS:
                raise Unreadable(f"\\{token.text} is expanded without an end", source, token.at)
        if put:
            put[0] = put[0]._replace(gap=token.gap)
        todo += reversed(put)
    return out


def _argument(todo: list[Token], of: Token, source: str) -> list[Token]:
    """The tokens of the next argument, which are taken."""
    if not todo:
        raise Unreadable(f"\\{of.text} without its argument", source, of.at)
    first = todo.pop()
    if first.kind != "open":
        if first.kind in ("close", "end", "math"):
            raise Unreadable(f"\\{of.text} without its argument", source, of.at)
        return [first]
    inner: list[Token] = []
    level = 1
    while todo:
        token = todo.pop()
        level += (token.kind == "open") - (token.kind == "close")
        if level == 0:
            return inner
        inner.append(token)
    raise Unreadable("a brace that is never closed", source, first.at)
