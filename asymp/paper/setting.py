"""What a file of claims declares once: variables, names, regimes and domains, functions of a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from asymp.language.conditions import Conditions, read_conditions
from asymp.language.elaborate import Setting
from asymp.language.names import called, definition, unfold
from asymp.language.numbers import ParseError
from asymp.language.syntax import Node
from asymp.messages import one_line, unknown
from asymp.paper.model import Model
from asymp.paper.source import SourceFile
from asymp.parse.mathematics import FUNCTIONS, OPERATORS

TAKEN = frozenset("e E pi oo I EulerGamma O o Theta Omega omega for in as is and if iff some all whole real integer".split())
"""What no variable and no definition can be called."""


class SettingReader(SourceFile):
    """Reads the declarations of a file."""

    def read_setting(self) -> Setting:
        """Variables, names and functions of the model."""
        variables: dict[str, Conditions] = {}
        for name, text in self.texts("variables").items():
            try:
                self.new_name(name)
                variables[name] = read_conditions(text, name)
            except ParseError as error:
                raise self.fail(f"variables.{name}: {error}", "variables", name) from error
        names = {}
        for head, text in self.texts("names").items():
            try:
                name, item = definition(head, text)
                self.new_name(name)
                if name in variables or name in names:
                    raise ParseError(f"{name} is declared twice")
                names[name] = item
            except ParseError as error:
                raise self.fail(f"names.{head}: {error}", "names", head) from error
        functions = {}
        for name, signature in self.texts("model").items():
            if name in variables or name in names or name in FUNCTIONS or name in OPERATORS:
                raise self.fail(f"{name} is declared twice", "model", name)
            functions[name] = Model(name, signature, self.coded(name))
        setting = Setting(variables, names, functions)
        for name, item in names.items():
            try:
                self.known_functions(item.term, setting)
                arguments = tuple(Node("name", 1, argument) for argument in item.arguments)
                unfold_in(Node("call" if arguments else "name", 1, name, arguments), setting)
            except ParseError as error:
                raise self.fail(f"names.{name}: {error}", "names", name) from error
        return setting

    def new_name(self, name: str) -> None:
        """A name that is free to be declared."""
        if not re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) or name in TAKEN:
            raise ParseError(f"{name} cannot be the name of anything here")

    def known_functions(self, node: Node, setting: Setting) -> None:
        """That every function in a term is one."""
        for name in called(node):
            known = {*FUNCTIONS, *OPERATORS, *setting.functions, *setting.names}
            if name not in known:
                raise ParseError(unknown("function", name, sorted(known)))

    def coded(self, name: str) -> Callable[..., Any] | None:
        """A function of the model; None where no code is run."""
        if self.code is None:
            return None
        try:
            found = self.code(name)
        except (ValueError, AttributeError, ImportError) as error:
            raise self.fail(f"model.{name}: {one_line(error)}", "model", name) from error
        if not callable(found):
            raise self.fail(f"model.{name} is a {type(found).__name__}, not a function", "model", name)
        return found  # type: ignore[no-any-return]

    def conditions(self, text: str, named: Mapping[str, str], depth: int = 0) -> Conditions:
        """Conditions in which names of regimes or domains may stand."""
        if depth > 10:
            raise ParseError("regimes or domains that name one another")
        found: list[Any] = []
        for piece in _pieces(text):
            if piece.strip() in named:
                found += self.conditions(named[piece.strip()], named, depth + 1)
            else:
                found += read_conditions(piece)
        return tuple(found)


def unfold_in(node: Node, setting: Setting) -> Node:
    """A term with the definitions of a setting put in."""
    return unfold(node, setting.names)


def _pieces(text: str) -> list[str]:
    """The pieces between commas outside brackets."""
    found, depth = [""], 0
    for character in text:
        depth += (character in "({") - (character in ")}")
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return found
