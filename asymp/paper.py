r"""Papers as data: a file of claims (TOML) to claims.  Reading one runs no code.

A file says once what its variables, names, regimes and domains are, then makes its claims, in the paper's order:

>>> found = read_claims('''
... [paper]
... key = "demo"
... [variables]
... n = "whole, >= 1"
... [names]
... H = "harmonic(n)"
... [regimes]
... large = "n -> oo"
... [claim."lemma-1"]
... says = "H ~ log(n)"
... to   = "large"
... [claim."lemma-2"]
... says      = "H <= log(n)"
... corrected = "H <= log(n) + 1"
... why       = "at n = 1 it says 1 <= 0"
... ''', "demo.toml")
>>> [(claim.id, claim.source.locator, str(claim.expected)) for claim in found.claims][1:]
[('demo/lemma-2', 'Lemma 2', 'refuted'), ('demo/lemma-2-corrected', 'Lemma 2', 'holds')]
>>> found.claims[0].statement, found.claims[0].where
('H ~ log(n) as whole n -> oo', ('H = harmonic(n)',))
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from asymp.claim import Bound, Claim, Identity, Outcome, Property, Quantity, Relation, Source, Unread
from asymp.language.conditions import Conditions, read_conditions
from asymp.language.elaborate import Setting, closed, filled, functions_called
from asymp.language.names import called, definition, free_names, unfold
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, read_statement
from asymp.language.syntax import Node, Parser, words
from asymp.language.tex import statement_tex
from asymp.messages import one_line, unknown
from asymp.parse.build import Built, build
from asymp.parse.mathematics import FUNCTIONS, OPERATORS, Builder
from asymp.parse.terms import satisfied

Code = Callable[[str], Any]
"""Finds what a dotted name means: a function of the model, a test, a sample."""
MOST_BYTES = 4_000_000
TABLES = ("paper", "variables", "names", "notation", "regimes", "domains", "model", "quantities", "claim")
PAPER = ("key", "title", "text", "model", "orders", "about")
CLAIM = (
    "quote", "says", "to", "for", "at", "reading", "corrected", "corrected-to", "corrected-for", "corrected-at",
    "corrected-reading", "corrected-sampled", "why", "expected", "place", "ours", "note", "corrects", "correction", "words",
    "test", "sampled", "argued", "complete",
)  # fmt: skip
NEEDS_CODE = "it needs code that is not run without --trust-code"


class ClaimsError(ValueError):
    """A file of claims that cannot be used: one line that names the file and the line in it."""


@dataclass(frozen=True)
class PaperFile:
    """What a file of claims holds."""

    key: str
    title: str
    claims: tuple[Claim, ...]
    setting: Setting
    notation: Mapping[str, str]
    regimes: Mapping[str, str] = field(default_factory=dict)
    domains: Mapping[str, str] = field(default_factory=dict)
    quantities: tuple[Quantity, ...] = ()
    text: str = ""

    def names(self) -> dict[sp.Expr, sp.Symbol]:
        """The definition of each plain name, and each variable of another sign -> the paper's sign."""
        found: dict[sp.Expr, sp.Symbol] = {}
        for name, sign in self.notation.items():
            item = self.setting.names.get(name)
            if item is not None and not item.arguments:
                expr = Builder(item.text).build(_unfold(item.term, self.setting))
                found[expr] = sp.Symbol(sign)
            elif item is None and name in self.setting.variables:
                found[sp.Symbol(name, positive=True)] = sp.Symbol(sign.lstrip("\\"))
        return found


def read_claims(text: str, where: str, code: Code | None = None) -> PaperFile:
    """The claims of a file.

    Args:
        text: what is in it.
        where: its name, for messages.
        code: what finds functions by name; without it a claim that needs code is undecided.

    Raises:
        ClaimsError: the file cannot be read; a claim that cannot be is :class:`asymp.claim.Unread`.
    """
    return _Reader(text, where, code).read()


def _unfold(node: Node, setting: Setting) -> Node:
    return unfold(node, setting.names)


class _Reader:
    """One file."""

    def __init__(self, text: str, where: str, code: Code | None) -> None:
        self.text, self.where, self.code = text, where, code
        self.lines = text.splitlines()
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            said = one_line(error)
            place = re.search(r"\(at (?:line (\d+), column \d+|end of document)\)", said)
            line = int(place.group(1)) if place and place.group(1) else len(self.lines)
            raise ClaimsError(f"{where}, line {line}: {said.split(' (at')[0]}") from error
        except RecursionError as error:
            raise ClaimsError(f"{where}: brackets nested too deeply") from error

    # --- places

    def line(self, table: str, key: str = "", item: str = "") -> int:
        """The line where a key of a table stands, or the table begins."""
        inner = rf"\s*\.\s*[\"']?{re.escape(item)}[\"']?" if item else ""
        head = rf"\s*\[\s*{re.escape(table)}{inner}\s*\]"
        start = next((k for k, line in enumerate(self.lines) if re.match(head, line)), None)
        if start is None:
            return 1
        for k in range(start + 1, len(self.lines) if key else 0):
            if re.match(r"\s*\[", self.lines[k]):
                break
            if re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", self.lines[k]):
                return k + 1
        return start + 1

    def fail(self, what: str, table: str, key: str = "", item: str = "") -> ClaimsError:
        """The error at a key."""
        return ClaimsError(f"{self.where}, line {self.line(table, key, item)}: {what}")

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

    # --- the file

    def read(self) -> PaperFile:
        """All of it."""
        for name in self.data:
            if name not in TABLES:
                raise ClaimsError(f"{self.where}, line {self.line(name)}: {unknown('table', name, TABLES)}")
        paper = self.table("paper")
        for key, value in paper.items():
            if key not in PAPER:
                raise self.fail(unknown("key", key, PAPER), "paper", key)
            if not isinstance(value, str):
                raise self.fail(f"paper.{key} is to be a text in quotation marks", "paper", key)
        key = paper.get("key", "")
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", key):
            raise self.fail("[paper] needs a key, a short name such as key = \"lfms\"", "paper", "key")
        self.key = key
        self.notation = self.texts("notation")
        self.setting = self.read_setting()
        self.regimes, self.domains = self.texts("regimes"), self.texts("domains")
        for name in ("regimes", "domains"):
            for each, text in self.texts(name).items():
                try:
                    self.conditions(text, self.regimes if name == "regimes" else self.domains)
                except ParseError as error:
                    raise self.fail(f"{name}.{each}: {error}", name, each) from error
        claims = self.linked([claim for slug in self.table("claim") for claim in self.read_claim(slug)])
        if not claims:
            raise ClaimsError(f"{self.where}: no claims: write [claim.\"lemma-1\"] and what it says")
        return PaperFile(
            key, paper.get("title", key), claims, self.setting, self.notation, self.regimes, self.domains,
            tuple(self.read_quantities()), paper.get("text", ""),
        )

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
                _unfold(Node("call" if arguments else "name", 1, name, arguments), setting)
            except ParseError as error:
                raise self.fail(f"names.{name}: {error}", "names", name) from error
        return setting

    def new_name(self, name: str) -> None:
        """A name that is free to be declared."""
        if not re.fullmatch(r"[^\W\d]\w*", name) or name in ("e", "E", "pi", "oo", "I", "O", "o", "for", "in", "as", "is", "and"):
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

    # --- claims

    def read_claim(self, slug: str) -> Iterator[Claim]:
        """The claim of that name, and its correction if there is one."""
        data = self.table("claim")[slug]
        if not isinstance(data, dict):
            raise ClaimsError(f"{self.where}: claim.{slug} is to be a table, [claim.\"{slug}\"]")
        if not re.fullmatch(r"[A-Za-z0-9_.+-]+", slug):
            raise self.fail(f"the name of a claim is made of letters, digits, dots and dashes, not {slug!r}", "claim", "", slug)
        line = self.line("claim", "", slug)
        place = f"{self.where}, line {line}"
        problem = self.problem(data)
        source = Source(self.key, str(data.get("place", "")) or place_of(slug), str(data.get("quote", "")))
        corrected = data.get("corrected")
        expected = str(data.get("expected", "refuted" if corrected or data.get("correction") else "holds"))
        if not problem and not source.locator:
            problem = f"its place in the paper: place = \"Theorem 1\" (it cannot be told from {slug!r})"
        if not problem and expected not in list(Outcome):
            problem = f"expected = {expected!r} is none of holds, refuted, undecided"
        ours = bool(data.get("ours", False)) or bool(data.get("corrects"))
        link = f"{self.key}/{slug}-corrected" if corrected else None
        if data.get("correction"):
            link = f"{self.key}/{data['correction']}"
        base = Claim(
            f"{self.key}/{slug}", replace(source, locator=source.locator or "?"), Unread(f"{place}: {problem}"),
            _said(data) or slug, expected=Outcome(expected) if expected in list(Outcome) else Outcome.HOLDS,
            as_printed=not ours, correction=link,
            corrects=f"{self.key}/{data['corrects']}" if data.get("corrects") else None,
            note=str(data.get("why", data.get("note", ""))), said=str(data.get("reading", "")),
        )  # fmt: skip
        if problem:
            yield replace(base, correction=None, corrects=None)
            return
        yield self.filled_in(base, data, "", place)
        if corrected:
            new = {key.removeprefix("corrected-"): value for key, value in data.items() if key.startswith("corrected-")}
            new = {key: data[key] for key in ("to", "for", "at") if key in data} | new | {"says": corrected}
            other = replace(
                base, id=f"{self.key}/{slug}-corrected", expected=Outcome.HOLDS, as_printed=False, correction=None,
                corrects=base.id, source=Source(self.key, source.locator), statement=_said(new), note="",
                said=str(new.get("reading", "")),
            )  # fmt: skip
            yield self.filled_in(other, new, "corrected-", place)

    def linked(self, claims: list[Claim]) -> tuple[Claim, ...]:
        """The claims with links that go both ways; one whose link leads nowhere is undecided, with the reason."""
        known = {claim.id: claim for claim in claims}
        if len(known) < len(claims):
            twice = next(claim.id for k, claim in enumerate(claims) if claim.id in {c.id for c in claims[:k]})
            raise ClaimsError(f"{self.where}: two claims have the id {twice}")
        found = []
        for claim in claims:
            for here, there in (("correction", "corrects"), ("corrects", "correction")):
                other = getattr(claim, here)
                if other is not None and (other not in known or getattr(known[other], there) != claim.id):
                    line = self.line("claim", here, claim.id.split("/", 1)[1])
                    why = f"{self.where}, line {line}: its {here} {other} does not name it in {there}"
                    claim = replace(claim, relation=Unread(why), correction=None, corrects=None)
                    break
            found.append(claim)
        return tuple(found)

    def problem(self, data: Mapping[str, Any]) -> str:
        """What is wrong with the keys of a claim; empty where nothing is."""
        for key, value in data.items():
            if key not in CLAIM:
                return unknown("key", key, CLAIM)
            if key in ("ours", "complete"):
                if not isinstance(value, bool):
                    return f"{key} is true or false"
            elif not isinstance(value, str):
                return f"{key} is to be a text in quotation marks"
        if ("says" in data) == ("test" in data):
            return "says = \"...\" is missing" if "says" not in data else "says and test: which of them is meant?"
        if "test" in data and not (data.get("words") or data.get("quote")):
            return "a test needs words = \"...\" that say what it tests"
        return ""

    def filled_in(self, claim: Claim, data: Mapping[str, Any], prefix: str, place: str) -> Claim:
        """The claim with its relation, or with the reason why it has none."""
        slug = claim.id.split("/", 1)[1].removesuffix("-corrected" if prefix else "")
        try:
            if "test" in data:
                return self.tested(claim, data)
            return self.argued(self.sampled(self.made(claim, *self.stated(data["says"], data)), data), data)
        except ParseError as error:
            return replace(claim, relation=Unread(f"{place}: {one_line(error)}"))
        except NeedsCode:
            return replace(claim, relation=Unread(f"{place}: {NEEDS_CODE}"))
        except (ValueError, ArithmeticError, RecursionError, TypeError) as error:
            return replace(claim, relation=Unread(f"{place}: {slug}: {type(error).__name__}: {one_line(error)}"))

    def stated(self, text: str, data: Mapping[str, Any]) -> tuple[Statement, Built, Statement]:
        """A statement closed, as a relation, and as it is shown."""
        written = read_statement(text)
        if "to" in data:
            if written.regime:
                raise ParseError("'as' and to = \"...\": say what tends where once")
            written = replace(written, regime=self.conditions(data["to"], self.regimes))
        if "for" in data:
            written = replace(written, domain=(*written.domain, *self.conditions(data["for"], self.domains)))
        for node in (*written.terms(), *(n for c in written.conditions() for n in c.terms())):
            self.known_functions(node, self.setting)
        statement = closed(written, self.setting)
        used = functions_called(statement) & set(self.setting.functions)
        if used and self.code is None:
            raise NeedsCode
        tried = self.conditions(data["at"], self.domains) if "at" in data else ()
        functions = {name: self.setting.functions[name] for name in used}
        return statement, build(statement, functions, tried), filled(written, self.setting)

    def made(self, claim: Claim, statement: Statement, built: Built, shown: Statement) -> Claim:
        """The claim as it is checked and shown."""
        return replace(
            claim, relation=built.relation, regime=built.regime, parts=built.parts, statement=str(shown), closed=str(statement),
            latex=statement_tex(shown, self.notation), where=tuple(self.definitions(shown)),
        )  # fmt: skip

    def definitions(self, statement: Statement) -> Iterator[str]:
        """The definitions that a shown statement leans on."""
        seen: set[str] = set()
        nodes = [*statement.terms(), *(n for c in statement.conditions() for n in c.terms())]
        while nodes:
            node = nodes.pop(0)
            for name in sorted(free_names(node) | called(node)):
                item = self.setting.names.get(name)
                if item is not None and name not in seen:
                    seen.add(name)
                    head = f"{name}({', '.join(item.arguments)})" if item.arguments else name
                    yield f"{head} = {words(item.term)}"
                    nodes.append(item.term)

    def tested(self, claim: Claim, data: Mapping[str, Any]) -> Claim:
        """A claim that names a test."""
        if self.code is None:
            raise NeedsCode
        found = self.code(data["test"])
        relation = found if isinstance(found, Relation) else Property(found, complete=bool(data.get("complete", False)))
        if not isinstance(found, Relation) and not callable(found):
            raise ParseError(f"{data['test']} is a {type(found).__name__}, no test")
        words = str(data.get("words") or data.get("quote"))
        return self.sampled(replace(claim, relation=relation, statement=words), data)

    def sampled(self, claim: Claim, data: Mapping[str, Any]) -> Claim:
        """The claim with what samples have to say."""
        if "sampled" not in data:
            return claim
        return replace(claim, sampled=self.code(data["sampled"])) if self.code is not None else claim

    def argued(self, claim: Claim, data: Mapping[str, Any]) -> Claim:
        """The claim with the steps of an argument that code makes: they support it."""
        if "argued" not in data or self.code is None:
            return claim
        if not isinstance(claim.relation, (Bound, Identity)):
            raise ParseError("an argument belongs to an equality or a comparison")
        return replace(claim, relation=replace(claim.relation, proof=self.code(data["argued"])))

    # --- quantities

    def read_quantities(self) -> Iterator[Quantity]:
        """The named quantities with numbers of their own."""
        for name, data in self.table("quantities").items():
            if not isinstance(data, dict) or not isinstance(data.get("is"), str):
                raise self.fail("a quantity says what it is: is = \"...\"", "quantities", "", name)
            try:
                yield self.quantity(name, data)
            except ParseError as error:
                raise self.fail(f"quantities.{name}: {error}", "quantities", "", name) from error

    def quantity(self, name: str, data: Mapping[str, Any]) -> Quantity:
        """One of them."""
        node = _unfold(Parser(data["is"]).whole(), self.setting)
        parameters = {}
        for each in sorted(free_names(node), key=list(self.setting.variables).index):
            known = self.setting.variables[each]
            parameters[each] = (", ".join(map(str, known)), _Inside(each, known))
        others: dict[str, dict[str, sp.Expr]] = {}
        for text in data.get("or", []):
            left, _, right = text.partition("=")
            expr = Builder(right).build(Parser(right).whole())
            new = sorted({s.name for s in expr.free_symbols} - set(parameters))
            others.setdefault(left.strip(), {})[new[0]] = expr
        expr = Builder(data["is"]).build(node)
        source = Source(self.key, str(data.get("place", name)))
        return Quantity(f"{self.key}/{name}", expr, parameters, others, str(data.get("title", name)), source)


class NeedsCode(Exception):
    """A claim that needs code where none is run."""


@dataclass(frozen=True)
class _Inside:
    """Whether a value is in the declared range of a variable."""

    name: str
    known: Conditions

    def __call__(self, value: Any) -> bool:
        try:
            return all(satisfied(condition, {self.name: value}, {}) for condition in self.known)
        except (ValueError, ArithmeticError):
            return True  # no rational number: what it is put into says what is wrong with it


@dataclass(frozen=True)
class Model:
    """A function of a paper's model: exact, and the same answer to the same question.

    Args:
        name: as in statements.
        signature: its arguments with their kinds, as ``"whole n, p, mu1, mun"``.
        function: the code; None where none is run.
    """

    name: str
    signature: str
    function: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """The answer.

        Raises:
            NeedsCode: no code is run.
            ParseError: another number of arguments, or one that is not whole where it is to be.
        """
        kinds = [part.split() for part in self.signature.split(",") if part.strip()]
        if len(arguments) != len(kinds):
            raise ParseError(f"{self.name} takes {len(kinds)} arguments, not {len(arguments)}")
        for (*kind, name), value in zip(kinds, arguments, strict=True):
            if kind == ["whole"] and not isinstance(value, int):
                raise ParseError(f"{self.name}: {name} is whole, not {value}")
        if self.function is None:
            raise NeedsCode
        return self.function(*arguments)


def _said(data: Mapping[str, Any]) -> str:
    return str(data.get("says", data.get("words", data.get("quote", ""))))


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


_PLACES = "theorem lemma corollary proposition remark figure table section algorithm claim conjecture definition example".split()


def place_of(slug: str) -> str:
    """The paper's own name of an item, from the name of a claim; empty where it cannot be told.

    >>> place_of("theorem-7.1-item-2"), place_of("equation-16-error"), place_of("lemma-8.3-proof-sum"), place_of("appendix-a-1")
    ('Theorem 7.1 item 2', 'Equation (16)', 'Lemma 8.3', 'Appendix A')
    """
    match = re.match(rf"({'|'.join(_PLACES)})-(\d+(?:\.\d+)*)(?:-item-(\d+))?(?:-|$)", slug)
    if match:
        item = f" item {match.group(3)}" if match.group(3) else ""
        return f"{match.group(1).capitalize()} {match.group(2)}{item}"
    match = re.match(r"equation-(\d+(?:\.\d+)*)(?:-|$)", slug)
    if match:
        return f"Equation ({match.group(1)})"
    match = re.match(r"appendix-([a-z])(?:-|$)", slug)
    return f"Appendix {match.group(1).upper()}" if match else ""
