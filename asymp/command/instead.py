"""The line to type in place of one that cannot be read."""

from __future__ import annotations

import argparse
import contextlib
import re
import shlex
from collections.abc import Sequence

LONGEST = 300
"""Characters of a line that is offered whole."""
AROUND = 21
"""Characters around what is mended in a longer one."""


def instead(arguments: argparse.Namespace) -> list[str]:
    r"""What to type in place of a statement, or an expression, that is not read: lines that can be.

    >>> from argparse import Namespace
    >>> instead(Namespace(command="ask", statement="harmonic(n) ~ ln n", to="n to infinity", assume=[]))
    ['  type: asymp ask "harmonic(n) ~ ln(n)" --to "n -> oo"']
    >>> instead(Namespace(command="ask", statement=r"\frac{n}{2} \sim n", to="n->oo", assume=[]))
    ['  type: asymp ask --latex \'\\frac{n}{2} \\sim n\' --to "n->oo"']
    >>> instead(Namespace(command="expand", expression="ln n", to="", assume=[]))
    ['  type: asymp expand "ln(n)" --to "n -> oo"']
    >>> instead(Namespace(command="expand", expression="n! ~ n", to="n->oo", assume=[]))
    ['  type: asymp ask \'n! ~ n\' --to "n->oo"']
    >>> instead(Namespace(command="ask", statement="harmonic(n)", to=None, assume=[]))
    ['  type: asymp expand "harmonic(n)" --to "n -> oo"']
    """
    from asymp.language.meant import mended

    if other := _of_another_command(arguments):
        return [other]
    about = " ~ 1" if arguments.command == "expand" else ""  # a term is meant as it is on the side of a statement
    text = arguments.expression if about else arguments.statement
    found = mended(text + about, arguments.to or None, arguments.assume, leaves=not about)
    typed = (text, arguments.to or None, tuple(arguments.assume))
    asked = [(one.removesuffix(about), found.to, found.assume) for one in found.statements]
    if typed in asked:  # it reads, and was refused for what it says
        return []
    if not asked and not about and "\\" in text:
        from asymp.latex.asked import asked as formula

        with contextlib.suppress(ValueError):
            formula(text, arguments.to, arguments.assume)
            asked = [(text, arguments.to, tuple(arguments.assume))]
    if asked and len(asked[0][0]) > LONGEST:
        return _shortened(typed, *asked[0])
    option = " --latex" if asked and not found.statements else ""
    lines = []
    for one, to, assume in asked:
        said = [f" --to {_quoted(to)}"] if to else []
        said += [f" --assume {_quoted(condition)}" for condition in assume]
        lines.append(f"asymp {arguments.command}{option} {_quoted(one)}{''.join(said)}")
    return [f"  type: {lines[0]}", *(f"    or: {line}" for line in lines[1:])] if lines else []


def _of_another_command(arguments: argparse.Namespace) -> str:
    """A line for a term that is asked, or a statement that is to be expanded: where that is what was typed."""
    from asymp.language.numbers import ParseError
    from asymp.language.statement import True_, read_statement
    from asymp.language.syntax import Node, Parser

    expands = arguments.command == "expand"
    text = arguments.expression if expands else arguments.statement
    if len(text) > LONGEST:
        return ""
    try:
        found = read_statement(text) if expands else Parser(text).whole()
    except (ParseError, RecursionError):
        return ""
    if found.kind in ("number", "tuple") if isinstance(found, Node) else isinstance(found.body, True_):
        return ""
    said = [f" --to {_quoted(arguments.to or 'n -> oo')}", *(f" --assume {_quoted(one)}" for one in arguments.assume)]
    return f"  type: asymp {'ask' if expands else 'expand'} {_quoted(text)}{''.join(said)}"


def _shortened(typed: tuple[str, str | None, Sequence[str]], mended: str, to: str | None, assume: Sequence[str]) -> list[str]:
    """Of what is too long to be typed: where it becomes another, and what is missing.

    >>> _shortened(("1+" * 200 + "2 n ~ n", None, ()), "1+" * 200 + "2*n ~ n", "n -> oo", ["a > 0"])
    ['  there: ...1+1+1+1+1+1+1+1+1+1+2*n ~ n', '  with: --to "n -> oo" --assume "a > 0"']
    """
    lines, at, k, text = list[str](), len(mended), 0, typed[0]
    for place, sign in enumerate(mended):
        if not sign.isspace():
            while k < len(text) and text[k].isspace():
                k += 1
            if k == len(text) or text[k] != sign:
                at = place
                break
            k += 1
    if at < len(mended):
        start, end = max(0, at - AROUND), at + AROUND
        lines.append(f"  there: {'...' * (start > 0)}{mended[start:end]}{'...' * (end < len(mended))}")
    more = [f"--to {_quoted(to)}"] if to and to != typed[1] else []
    more += [f"--assume {_quoted(condition)}" for condition in assume if condition not in typed[2]]
    return [*lines, f"  with: {' '.join(more)}"] if more else lines


def _quoted(text: str) -> str:
    """For a shell: in double quotes where that is safe, with a space around the arrow where there is none."""
    return shlex.quote(text) if re.search(r"[$`\"\\!]", text) else f'"{text}"'
