"""What a file of claims declares once: variables, names, regimes and domains, functions of a model; statements in these."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.functions.laws import LAWS
from asymp.language.conditions import Conditions, OfFunction, read_conditions
from asymp.language.elaborate import Setting, closed
from asymp.language.everyday import WORDS as EVERYDAY
from asymp.language.meanings import CALLED, free_to_declare
from asymp.language.model import Model
from asymp.language.names import Definition, called, definition, unfold
from asymp.language.numbers import ParseError
from asymp.language.populations import read_transitions
from asymp.language.source import SourceFile
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import Node
from asymp.language.transitions import Transitions
from asymp.messages import one_line, unknown


class SettingReader(SourceFile):
    """Reads the declarations of a file."""

    setting: Setting
    regimes: Mapping[str, str]
    domains: Mapping[str, str]

    def entries(self) -> dict[str, Mapping[str, Any]]:
        """What the file says of each claim and of each correction, by id.

        >>> SettingReader('''
        ... paper.key = "demo"
        ... claim.lemma-1.says = "n <= 1"
        ... claim.lemma-1.corrected = "n >= 1"
        ... ''', "demo.toml", None).entries()["demo/lemma-1-corrected"]
        {'says': 'n >= 1'}
        """
        found: dict[str, Mapping[str, Any]] = {}
        for slug, data in self.table("claim").items():
            name = f"{self.table('paper').get('key')}/{claim_name(slug)}"
            found[name] = data if isinstance(data, dict) else {}
            if found[name].get("corrected"):
                found[f"{name}-corrected"] = corrected(found[name])
        return found

    def read_setting(self) -> Setting:
        """Variables, names and functions of the model."""
        variables: dict[str, Conditions] = {}
        for name, text in self.texts("variables").items():
            try:
                free_to_declare(name)
                variables[name] = read_conditions(text, name)
            except ParseError as error:
                raise self.fail(f"variables.{name}: {error}", "variables", name) from error
        names = {}
        for head, text in self.texts("names").items():
            try:
                name, item = definition(head, text)
                free_to_declare(name, is_called=bool(item.arguments))
                if name in variables or name in names:
                    raise ParseError(f"{name} is declared twice")
                names[name] = item
            except ParseError as error:
                raise self.fail(f"names.{head}: {error}", "names", head) from error
        declared = self.read_functions({*variables, *names})
        declared |= self.read_sequences({*variables, *names, *declared})
        functions = {}
        for name, signature in self.texts("model").items():
            try:
                free_to_declare(name, is_called=True)
                if name in variables or name in names or name in declared:
                    raise ParseError("declared twice")
            except ParseError as error:
                raise self.fail(f"model.{name}: {error}", "model", name) from error
            functions[name] = Model(name, signature, self.coded(name))
        chains = self.read_chains({*variables, *names, *declared, *functions})
        for chain in chains:
            for name, _ in chain.functions:
                functions[name] = Model(name, chain.signature(name), self.solving(chain, name))
        setting = Setting(variables, names, functions, chains, declared)
        for name, item in names.items():
            try:
                self.known_functions(item.term, setting)
                arguments = tuple(Node("name", 1, argument) for argument in item.arguments)
                unfold_in(Node("call" if arguments else "name", 1, name, arguments), setting)
            except ParseError as error:
                raise self.fail(f"names.{name}: {error}", "names", name) from error
        try:
            return replace(setting, chains=tuple(one.with_hints(lambda node: unfold_in(node, setting)) for one in chains))
        except ParseError as error:
            raise self.fail(f"chains: {error}", "chains") from error

    def read_functions(self, taken: set[str]) -> dict[str, Conditions]:
        """Variables that stand for any function, ``"w(i)" = ">= 0, w(i) <= w(i + 1)"``, each with what is said of it.

        ``whole`` says that its values are whole; what is not in [ ] is said for all whole arguments.
        """
        found: dict[str, Conditions] = {}
        for head, text in self.texts("functions").items():
            try:
                (declared,) = read_conditions(f"function {head}")
                assert isinstance(declared, OfFunction)
                free_to_declare(declared.name, is_called=True)
                if declared.name in taken or declared.name in found:
                    raise ParseError(f"{declared.name} is declared twice")
                over = ", ".join(f"whole {name}" for name in declared.arguments)
                said: list[Any] = []
                for piece in filter(None, map(str.strip, pieces(text))):
                    if piece == "whole":
                        declared = replace(declared, kind="whole")
                        continue
                    piece = f"{head} {piece}" if piece[0] in "<>=" else piece
                    said += read_conditions(piece if piece.startswith("[") else f"[{piece} for {over}]")
                found[declared.name] = (declared, *said)
            except (ParseError, ValueError, AssertionError) as error:
                raise self.fail(f"functions.{head}: {error}", "functions", head) from error
        return found

    def read_sequences(self, taken: set[str]) -> dict[str, Conditions]:
        """Sequences by what defines them, ``"a(n)" = "a(n+1) = 2*a(n) + 1, a(0) = 0"``."""
        found: dict[str, Conditions] = {}
        for head, text in self.texts("sequences").items():
            try:
                (declared,) = read_conditions(f"sequence {head}, {text}")
                assert isinstance(declared, OfFunction)
                free_to_declare(declared.name, is_called=True)
                if declared.name in taken or declared.name in found:
                    raise ParseError(f"{declared.name} is declared twice")
                found[declared.name] = (declared,)
            except (ParseError, ValueError, AssertionError) as error:
                raise self.fail(f"sequences.{head}: {error}", "sequences", head) from error
        return found

    def read_chains(self, taken: set[str]) -> tuple[Transitions, ...]:
        """The chains of a file, whose functions have names that are free."""
        found = []
        for key, data in self.table("chains").items():
            try:
                if not isinstance(data, dict):
                    raise ParseError("a chain is a table")
                chain = read_transitions(data)
                for name, _ in chain.functions:
                    free_to_declare(name, is_called=True)
                    if name in taken:
                        raise ParseError(f"{name} is declared twice")
                    taken.add(name)
            except ParseError as error:
                raise self.fail(f"chains.{key}: {error}", "chains", "", key) from error
            found.append(chain)
        return tuple(found)

    def solving(self, chain: Transitions, name: str) -> Callable[..., Any] | None:
        """A function of a chain as code; None where numbers are not asked for."""
        return None

    def known_functions(self, node: Node, setting: Setting, own: Collection[str] = ()) -> None:
        """That every function in a term is one; ``own`` are those that a statement declares."""
        known = {*CALLED, *LAWS, *EVERYDAY, *setting.functions, *setting.names, *setting.declared, *own}
        for name in called(node):
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
        for piece in pieces(text):
            if piece.strip() in named:
                found += self.conditions(named[piece.strip()], named, depth + 1)
            else:
                found += read_conditions(piece)
        return tuple(found)


    def written(self, text: str, to: Conditions, among: Conditions) -> Statement:
        """The statement that a text is, in a regime; ``among``: the domain that is said beside it."""
        written = read_statement(text)
        if to and written.regime:
            raise ParseError("'as' and to = \"...\": say what tends where once")
        return replace(written, regime=to) if to else written

    def says(self, data: Mapping[str, Any]) -> str:
        """What a claim says, as text; where it leaves that out, what its quote says.

        Raises:
            ParseError: it says nothing.
        """
        said: str = data["says"] if "says" in data else self.read_quote(data)  # which may know where it stands
        return said

    def read_quote(self, data: Mapping[str, Any]) -> str:
        """What the quote of a claim says: for those who read formulas as papers print them."""
        raise ParseError("says = \"...\" is missing")

    def worded(self, text: str, data: Mapping[str, Any]) -> tuple[Statement, Statement]:
        """The statement of a claim as it is written, with its regime and its domain; and closed."""
        to = self.conditions(data["to"], self.regimes) if "to" in data else ()
        among = self.conditions(data["for"], self.domains) if "for" in data else ()
        written = self.written(text, to, among)
        written = replace(written, domain=(*written.domain, *among))
        own = [c.name for c in written.domain if isinstance(c, OfFunction)]
        for node in (*written.terms(), *(n for c in written.conditions() for n in c.terms())):
            self.known_functions(node, self.setting, own)
        return written, closed(written, self.setting)


def corrected(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a claim's entry says of its correction: its regime and its domain, unless it has others."""
    new = {key.removeprefix("corrected-"): value for key, value in data.items() if key.startswith("corrected-")}
    return {key: data[key] for key in ("to", "for", "at", "kept") if key in data} | new | {"says": data["corrected"]}


def claim_name(slug: str) -> str:
    """What a claim is called whose name has characters that none may have."""
    return re.sub(r"[^A-Za-z0-9_.:+-]", "-", slug) or "claim"


def closed_texts(text: str, where: str, reader: type[SettingReader] = SettingReader) -> dict[str, str | None]:
    """The claims of a file by id, with their closed statements; those that are tests, or cannot be read, have none.

    ``reader``: what reads the quotes of claims that leave out what they say.

    Raises:
        ClaimsError: the declarations cannot be read.

    >>> closed_texts('''
    ... paper.key = "demo"
    ... variables.n = "whole, >= 1"
    ... claim.lemma-1.says = "n <= 1"
    ... claim.lemma-1.corrected = "n >= 1"
    ... ''', "demo.toml")
    {'demo/lemma-1': 'n <= 1 for whole n >= 1', 'demo/lemma-1-corrected': 'n >= 1 for whole n >= 1'}
    >>> closed_texts('paper.key = "demo"\\nclaim.lemma-1.test = "lemma_1"', "demo.toml")
    {'demo/lemma-1': None}
    """
    return closed_of(reader(text, where, None))


def closed_of(file: SettingReader) -> dict[str, str | None]:
    """The same of a file that is read."""
    file.setting, file.regimes, file.domains = file.read_setting(), file.texts("regimes"), file.texts("domains")
    found: dict[str, str | None] = {}
    for each, entry in file.entries().items():
        found[each] = None
        if all(isinstance(entry.get(key, ""), str) for key in ("says", "to", "for", "quote")) and "test" not in entry:
            with contextlib.suppress(ParseError):
                found[each] = str(file.worded(file.says(entry), entry)[1])
    return found


def shown_closed(text: str, where: Sequence[str]) -> Statement:
    """The closed statement that a shown one is, by the definitions that are shown beside it.

    Raises:
        ParseError: it cannot be read, or a definition is of what has a meaning already.

    >>> print(shown_closed("q^n -> 0 as whole n -> oo for 0 < p < 1", ["q = 1 - p"]))
    (1 - p)^n -> 0 as whole n -> oo for 0 < p < 1
    """
    names: dict[str, Definition] = {}
    declared: dict[str, Conditions] = {}
    for line in where:
        if line.startswith(("function ", "sequence ")):
            found = read_conditions(line)
            name = found[0].name if isinstance(found[0], OfFunction) else ""
            is_new, declared[name] = name not in declared, found
        else:
            head, _, term = line.partition("=")
            name, item = definition(head, term)
            is_new, names[name] = name not in names, item
            free_to_declare(name, is_called=bool(item.arguments))
        if not is_new or not name:
            raise ParseError(f"{line}: defined twice, or not at all")
    return closed(read_statement(text), Setting({}, names, declared=declared))


def unfold_in(node: Node, setting: Setting) -> Node:
    """A term with the definitions of a setting put in."""
    return unfold(node, setting.names)


def pieces(text: str) -> list[str]:
    """The pieces between commas outside brackets.

    >>> pieces("n -> oo, x in {1, 2}")
    ['n -> oo', ' x in {1, 2}']
    """
    found, depth = [""], 0
    for character in text:
        depth += (character in "({[") - (character in ")}]")
        if character == "," and depth == 0:
            found.append("")
        else:
            found[-1] += character
    return found
