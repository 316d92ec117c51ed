r"""A paper's own .tex file read as a file of claims is: what ``\asympsetup`` declares, and a claim for each mark.

The tables are those of a file of claims; conditions, definitions and statements in them are LaTeX or asymp's language.

>>> from asymp.latex.document import Document, Piece
>>> text = r"\usepackage{asymp}\asympsetup{variables = {n = {whole, >= 1}}}\begin{document}$H_n \le 1 + \ln n$\asymp{lem:h}"
>>> file = TexReader(Document("p.tex", text, (Piece(0, "p.tex", 0),), (("p.tex", text),)))
>>> closed_of(file)
{'p/lem:h': 'harmonic(n) <= 1 + log(n) for whole n >= 1'}
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from asymp.language.conditions import Conditions, read_conditions, text_of
from asymp.language.elaborate import closed
from asymp.language.numbers import ParseError
from asymp.language.setting import SettingReader, closed_of, pieces
from asymp.language.source import ClaimsError
from asymp.language.statement import Statement
from asymp.latex.document import Definitions, Document, definitions
from asymp.latex.macros import expanded
from asymp.latex.marks import Mark, Text, find_marks, keyed
from asymp.latex.notation import Notation, notation
from asymp.latex.paper import of_file
from asymp.latex.read import read
from asymp.latex.source import MAX_LENGTH, Unreadable
from asymp.latex.statements import limits
from asymp.latex.tokens import Token, tokens
from asymp.messages import one_line, unknown

TABLES = ("variables", "names", "notation", "regimes", "domains", "functions", "sequences")
_SETUP = re.compile(r"\\asymp(setup|notation)(?![A-Za-z])")
_LOADED = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]{0,500}\])?\s*\{[^{}]{0,500}\basymp\b")


_EXAMPLES = {"variables": "whole, >= 1", "regimes": r"n \to \infty", "domains": "n >= 2", "names": r"\sum_{k=1}^n 1/k"}

class TexReader(SettingReader):
    """Reads the declarations and the marks of a .tex file.

    Raises:
        ClaimsError: what it declares cannot be read, or two marks have one name.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.marks: list[Mark] = []
        self.displays: list[int] = []
        self.setup: list[tuple[int, int]] = []
        self.defined = Definitions({}, {}, {})
        self._spots: dict[tuple[str, str], int] = {}
        super().__init__(document.text, document.name, None)

    # --- tables and places

    def tables(self) -> dict[str, Any]:
        """The tables that a file of claims would have."""
        found: dict[str, Any] = {"paper": {"key": re.sub(r"[^A-Za-z0-9_.-]", "-", Path(self.where).stem) or "paper"}}
        found["paper"]["title"] = self.title() or found["paper"]["key"]
        if _LOADED.search(self.document.text, 0, self.document.body):
            try:
                self.defined = definitions(self.document)
            except Unreadable as error:
                raise ClaimsError(f"{self.where}:1: {error}") from error
            self.marks, self.displays = find_marks(self.document)
            self.declare(found)
        claims = found.setdefault("claim", {})
        for mark in self.marks:
            if mark.name in claims:
                raise self.at(mark.at, f"the mark {mark.name} is also at {self.document.shown(self._spots['claim', mark.name])}")
            self._spots["claim", mark.name] = mark.at
            claims[mark.name] = self.claim(mark)
        return found

    def declare(self, found: dict[str, Any]) -> None:
        r"""What ``\asympsetup`` and ``\asympnotation`` say."""
        source = self.document
        for match in _SETUP.finditer(source.text):
            first = source.group(match.end())
            second = source.group(first[1] + 1) if first and match[1] == "notation" else first
            if first is None or second is None or match.start() > source.body:
                raise self.at(match.start(), f"{match[0]} belongs into the preamble, with its arguments in braces")
            self.setup.append((match.start(), second[1] + 1))
            if match[1] == "notation":
                sign = Text.of(source.text[slice(*first)].strip(), first[0])
                self.entry(found, "notation", source.text[slice(*second)].strip(), sign)
                continue
            for key, value in keyed(source, *first):
                if key in ("key", "title"):
                    found["paper"][key] = str(value)
                elif key in TABLES:
                    for name, said in keyed(source, value.at, value.at + len(value)):
                        if not said or (key != "notation" and ":" in name):
                            word = "".join(re.findall(r"^\w+", name)) or "n"
                            raise self.at(value.at, f"{key} are written {key} = {{{word} = {{{_EXAMPLES.get(key, '...')}}}}}")
                        self.entry(found, key, name, said)
                else:
                    raise self.at(value.at, unknown("key", key, ("key", "title", *TABLES)))

    def entry(self, found: dict[str, Any], table: str, name: str, said: Text) -> None:
        """One line of a table."""
        if name in found.setdefault(table, {}):
            raise self.at(said.at, f"{table}: {name} is declared twice")
        found[table][name] = self.sign(said) if table == "notation" and name.isidentifier() else said
        self._spots[table, name] = said.at

    def sign(self, text: str) -> str:
        """A formula with macros put in, if it has any: what is written about the paper elsewhere has none of them."""
        if not set(re.findall(r"\\([A-Za-z]+)", text)) & set(self.defined.macros):
            return text
        held = re.sub(r"#([1-9])", lambda found: f"\\asymphole{'ABCDEFGHI'[int(found[1]) - 1]} ", text)
        try:
            made = expanded(tokens(held), self.defined.macros, held)
        except Unreadable:
            return text
        shown = {"macro": "\\{} ", "open": "{{", "close": "}}", "begin": "\\begin{{{}}}", "end": "\\end{{{}}}"}
        spelt = "".join(" " * one.gap + shown.get(one.kind, "{}").format(one.text) for one in made)
        return re.sub(r"\\asymphole([A-I]) ", lambda found: f"#{ord(found[1]) - 64}", spelt)

    def claim(self, mark: Mark) -> dict[str, Any]:
        """What a file of claims would say for a mark."""
        data: dict[str, Any] = {key: value for key, value in mark.options.items() if key != "sentence"}
        data.setdefault("place", self.document.shown(mark.at))
        if "sentence" in mark.options and not mark.phrases:
            how = r"write it in the formula, as in \text{uniformly in } 0 \le x \le 1, or with to= and for="
            mark.problem = mark.problem or f"sentence: no such phrase stands next to the formula: {how}"
        if "sentence" in mark.options and mark.unread:
            said = one_line(" ".join(mark.unread.split()), 120)
            how = "say it with to=, for=, or in the formula"
            mark.problem = mark.problem or f"sentence: not read beside the formula: {said!r}: {how}"
        if mark.problem or mark.formula is None:
            return {"problem": mark.problem, "words": mark.name, "place": data["place"]}
        said = mark.formula
        if "sentence" in mark.options:
            around = [rf"\text{{ {words} }} {formula}" for words, formula in mark.phrases]
            said = Text.of(", ".join([mark.formula.rstrip().rstrip(",.;"), *around]), mark.formula.at)
            data["reading"] = "with the sentence: " + ", ".join(f"{words} ${formula}$" for words, formula in mark.phrases)
        return data | {"says": said, "quote": self.sign(" ".join(mark.formula.split()))}

    def title(self) -> str:
        r"""What ``\title`` says, where that is plain words."""
        at = self.document.text.find("\\title{", 0, self.document.body)
        group = self.document.group(at + 6) if at >= 0 else None
        words = " ".join(self.document.text[slice(*group)].split()) if group else ""
        return words if len(words) < 300 and not set(words) & set("\\${}") else ""

    def spot(self, table: str, key: str = "", item: str = "") -> tuple[str, int]:
        """The file and the line where something is declared."""
        at = self._spots.get((table, (item or key).removesuffix("-corrected")), self.setup[0][0] if self.setup else 0)
        file, line = self.document.shown(at).rsplit(":", 1)
        return file, int(line)

    def place(self, table: str, key: str = "", item: str = "") -> str:
        """The same as editors read it."""
        return "{}:{}".format(*self.spot(table, key, item))

    def at(self, at: int, what: str) -> ClaimsError:
        """The error at a place in the source."""
        return ClaimsError(f"{self.document.shown(at)}: {what}")

    # --- what is LaTeX

    @cached_property
    def signs(self) -> Notation:
        """The notation before anything is declared: signs, answers, and macros."""
        said = super().texts  # a comprehension before Python 3.12 has no super
        table = said("notation")
        functions = [head for each in ("names", "functions", "sequences") for head in said(each)]
        names = {head.partition("(")[0].strip(): len(head.split(",")) if "(" in head else 0 for head in functions}
        variables = {*said("variables"), *(name for name, count in names.items() if not count)}
        made = notation(table, variables, {name: count for name, count in names.items() if count})
        return replace(made, macros=self.defined.macros)

    @cached_property
    def known(self) -> Notation:
        """The notation, with what is declared."""
        return replace(of_file(self, self.setting), macros=self.defined.macros)

    @cached_property
    def _unknown(self) -> dict[str, str]:
        """Macros that are not followed, but for those that the notation says to be signs."""
        signs = (*self.signs.signs.values(), *self.signs.same)
        told = {one.text for sign in signs for one in tokens(re.sub("#[1-9]", " ", sign)) if one.kind == "macro"}
        return {name: why for name, why in self.defined.unknown.items() if name not in told}

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a formula with macros put in.

        Raises:
            Unreadable: one of them is not followed.
        """
        found = expanded(tokens(text), {k: v for k, v in self.defined.macros.items() if k not in self._unknown}, text)
        for token in found:
            if token.kind == "macro" and token.text in self._unknown:
                raise Unreadable(self._unknown[token.text], text, token.at)
        return found

    def texts(self, name: str) -> dict[str, str]:
        """A table of texts of the language, whatever it is written in."""
        found = super().texts(name)
        try:
            if name == "variables":
                return {key: self.spoken(value) for key, value in found.items()}
            if name == "names":
                return {key: self.term(value) for key, value in found.items()}
        except ParseError as error:
            raise ClaimsError(f"{self.place(name)}: {name}: {error}") from error
        return found

    def spoken(self, text: str) -> str:
        """A condition as text of the language."""
        if not is_latex(text):
            return str(text)
        self.tokens(text)
        return ", ".join(map(str, limits(text, self.signs)))

    def term(self, text: str) -> str:
        """A term as text of the language."""
        if not is_latex(text):
            return str(text)
        self.tokens(text)
        statement = read(rf"\Xi = {text}", self.signs)
        if statement.domain or statement.regime:
            raise Unreadable("a definition is a term alone", text, 0)
        return str(statement).partition(" = ")[2]

    def conditions(self, text: str, named: Mapping[str, str], depth: int = 0) -> Conditions:
        """Conditions in LaTeX or in the language, in which names of regimes or domains may stand."""
        if not is_latex(text) or depth > 10:
            found = list(super().conditions(text, named, depth))
            if "_" in text:  # p_n may be a sign, and is a name of the language
                with contextlib.suppress(Unreadable):
                    other = ", ".join(limits(text, self.known))
                    if other != text_of(tuple(found)):
                        raise ParseError(f"{text} is {other} as LaTeX, and {text_of(tuple(found))} as it stands: write which")
            return tuple(found)
        self.tokens(text)
        mine = [one.strip() for one in pieces(text) if one.strip() in named]
        rest = ",".join(one for one in pieces(text) if one.strip() not in named)
        found = [c for name in mine for c in self.conditions(named[name], named, depth + 1)]
        return (*found, *(c for one in (limits(rest, self.known) if rest.strip() else ()) for c in read_conditions(one)))

    def written(self, text: str, to: Conditions, among: Conditions) -> Statement:
        """The one statement of a formula in LaTeX."""
        names = {name for c in (*to, *among) for node in c.terms() for name in node.free}
        known = replace(self.known, variables=self.known.variables | names)
        try:
            self.tokens(text)
            return read(text, known, [str(c) for c in to] or None, same=lambda one: str(closed(one, self.setting)))
        except Unreadable as error:
            if not isinstance(text, Text):
                raise
            lines = text.split("\n")[: error.line - 1]
            where = self.document.shown(text.at + sum(len(line) + 1 for line in lines) + (error.column or 1) - 1)
            here = f" at line {where.rpartition(':')[2]}"
            raise ParseError(str(error).replace(f" at line {error.line}, column {error.column}", here, 1)) from error

    # --- what else is to be said

    def notes(self) -> list[str]:
        """What is in the file and not used: displays without a mark, phrases of sentences, files that are not there."""
        found = []
        for mark in self.marks:
            if mark.phrases and not {"sentence", "to", "for"} & set(mark.options):
                said = ", ".join(f"{words} ${formula}$" for words, formula in mark.phrases)
                found.append(f"{self.document.shown(mark.at)}: {mark.name}: the sentence says {one_line(said, 120)}; "
                             "the option sentence uses it")  # fmt: skip
        if self.displays:
            noun = "display" if len(self.displays) == 1 else "displays"
            at = ", ".join(self.document.shown(one) for one in self.displays[:10])
            found.append(f"{len(self.displays)} {noun} not checked: {at}{', ...' if len(self.displays) > 10 else ''}")
        return [*found, *self.document.missing]


def is_latex(text: str) -> bool:
    r"""Whether a text is LaTeX, and not the language: ``n \to \infty``, but not ``n -> oo``.

    >>> is_latex(r"n \\to \\infty"), is_latex("mu_1 > 0"), is_latex("n -> oo, 0 < p < 1")
    (True, False, False)
    """
    return "\\" in text or "{" in text or not text.isascii() or len(text) > MAX_LENGTH


__all__ = ["TexReader", "closed_of", "is_latex"]
