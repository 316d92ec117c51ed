r"""A claim held against its quote: what the machine reads there, and how what is registered stands to it.

>>> file = ReadingFile(r'''
... paper.key = "demo"
... variables.n = "whole, >= 1"
... notation.f = 'f(#1)'
... names."f(k)" = "k^2"
... [claim.lemma-1]
... quote = 'we have $f(n) \le 2n^2 = 2 n \cdot n$ for $n \ge 1$'
... says = "f(n) <= 2*n^2"
... differs = "steps"
... ''', "demo.toml")
>>> found = file.standing("lemma-1")
>>> str(found.how), found.read
('steps', ('f(n) <= 2*n^2 = 2*n*n', 'n >= 1'))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any

import asymp.kernel.growths.asymptotics  # noqa: F401  # the rule that sees identities
from asymp.kernel.terms import Refused, Term, singles
from asymp.kernel.theorem import apply
from asymp.language.conditions import Condition, Conditions, Tends, read_conditions, subjects
from asymp.language.elaborate import CONSTANTS, closed, ties_of, unfolded
from asymp.language.meanings import CALLED
from asymp.language.names import Definition, Definitions, definition, substitute
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, Throughout, read_statement
from asymp.language.syntax import Node
from asymp.latex import TwoReadings, Unreadable, read_all, read_steps
from asymp.latex.choices import QUESTIONS, Asked
from asymp.latex.notation import Notation
from asymp.latex.paper import QuoteReader
from asymp.latex.quotes import Formula, formulas
from asymp.latex.statements import limits
from asymp.paper.relations import Relation, linked, opaque, relations


class How(StrEnum):
    """How a claim stands to its quote."""

    SAME = "same"
    PART = "part"
    STEPS = "steps"
    SAME_AS = "same-as"
    NARROWED = "narrowed"
    UNREADABLE = "unreadable"
    WORDS = "words"
    NONE = "none"
    DIFFERS = "differs"


RANKS = (How.SAME, How.PART, How.STEPS)
"""What the machine sees by itself, the nearest first."""
UNREAD = {
    "fragment": "the quote leaves out the left side",
    "among words": "nothing sets the formula apart from the words around it",
    "garbled": "the text of the paper is garbled there",
    "misprint": "a sign there is a misprint, which the claim names",
    "derivative": "a derivative",
    "vectors": "vectors, matrices, operators on them",
    "sets": "sets, and what is of their members",
    "law": "a probability, an expectation or a law of random things without a name",
    "extreme": "a supremum, an infimum, the place of a maximum",
    "undefined": "names of which the file of claims says nothing",
    "dots": "a list that goes on with dots",
    "order": "an order where the language has none",
    "form": "another form that the language has not",
}
"""What a formula that is not read may be, and what that means."""


@dataclass(frozen=True)
class Standing:
    """How a claim stands to its quote, what was read there, and why what was not.

    ``otherwise``: all of the quote is read, in names that the file declares, and the claim is none of it, and does not say how.
    """

    how: How
    read: tuple[str, ...] = ()
    why: str = ""
    otherwise: bool = False

    def record(self) -> dict[str, str]:
        """What the record has of it."""
        more = {"read": "; ".join(self.read), "reading_why": self.why}
        return {"reading": str(self.how), **{name: text for name, text in more.items() if text}}


@dataclass(frozen=True)
class Read:
    """A formula of a quote: its statements, or why there are none; several options where it has names that are printed alike."""

    formula: Formula
    options: tuple[tuple[Statement, ...], ...] = ()
    why: str = ""


class ReadingFile(QuoteReader):
    """A file of claims whose quotes are read."""

    def __init__(self, text: str, where: str) -> None:
        super().__init__(text, where, None)
        self.setting = self.read_setting()
        self.regimes, self.domains = self.texts("regimes"), self.texts("domains")

    def standings(self) -> dict[str, Standing]:
        """How each claim stands to its quote, by its name."""
        return {name: self.standing(name) for name in self.table("claim")}

    def standing(self, name: str) -> Standing:
        """How a claim stands to its quote: what it says of that itself is taken for no more than can be seen."""
        data = self.table("claim")[name]
        if not isinstance(data, dict) or not data.get("quote") or "test" in data or data.get("ours") or data.get("corrects"):
            return Standing(How.NONE)
        found = self.quoted(data)
        held = self.held(data, found)
        if held.how is How.WORDS and "differs" not in data:  # nothing is there that it could differ from
            return replace(held, how=How.NARROWED, why=str(data["narrowed"])) if data.get("narrowed") else held
        word, _, why = str(data.get("differs", How.SAME)).partition(": ")
        if word == held.how or (data.get("narrowed") and "differs" not in data):
            return replace(held, how=How.NARROWED, why=str(data["narrowed"])) if data.get("narrowed") else held
        if held.how is How.DIFFERS and why:
            kind = why.partition(",")[0]
            told = kind in ("misprint", "garbled") or not all(one.options for one in found) or self.unknown(found)
            if word == How.WORDS or (word == How.UNREADABLE and kind in UNREAD and told):
                return replace(held, how=How(word), why=why)
        if held.how is not How.DIFFERS:
            return replace(held, how=How.DIFFERS, why=f"it is {held.how}, and says {word}")
        return replace(held, otherwise=all(one.options for one in found) and not self.unknown(found))

    def quoted(self, data: Mapping[str, Any]) -> list[Read]:
        """What is read in the quote of a claim; an o that says what tends is one of the claim's regime."""
        to, own = str(data.get("to", "")), _answers(str(data.get("where", "")))
        there = formulas(str(data.get("laid") or data["quote"]))
        return [self.read(one, to if r"o_{" in one.text else "", own) for one in there if one.related]

    @lru_cache(maxsize=4096)  # noqa: B019  # a file lives as long as what is read in it
    def read(self, formula: Formula, to: str = "", answers: tuple[tuple[str, str], ...] = ()) -> Read:
        """What a formula says, in a regime, by the answers of the notation and by more of them."""
        if not formula.apart:
            return Read(formula, (), "a formula among words that nothing sets apart")
        try:
            return Read(formula, (read_all(formula.text, self.answered(answers), self.regime(to)),))
        except TwoReadings as error:
            if error.questions == {"sign"}:  # of names that the paper prints alike the claim says which is meant
                return Read(formula, tuple(tuple(map(read_statement, one.text.split("; "))) for one in error.readings))
            return Read(formula, (), str(error))
        except Unreadable as error:
            return Read(formula, (), str(error))

    @lru_cache(maxsize=4096)  # noqa: B019
    def steps(self, formula: Formula, to: str = "", answers: tuple[tuple[str, str], ...] = ()) -> tuple[Statement, ...]:
        """What a chain says of two of its sides."""
        return read_steps(formula.text, self.answered(answers), self.regime(to)) if formula.apart else ()

    def answered(self, answers: tuple[tuple[str, str], ...]) -> Notation:
        """The notation with more answers."""
        return replace(self.printed, readings={**self.printed.readings, **dict(answers)}) if answers else self.printed

    def regime(self, to: str) -> list[str] | None:
        """What tends where, by a regime's name or in words."""
        return [str(c) for c in self.conditions(to, self.regimes)] if to else None

    def unknown(self, found: Sequence[Read]) -> set[str]:
        """Names in what is read of which the file says nothing."""
        terms = [node for one in found for option in one.options for statement in option for node in statement.terms()]
        said = {*self.setting.variables, *self.setting.names, *self.setting.functions, *self.setting.declared}
        return {name for node in terms for name in node.free | node.calls} - said - CALLED - CONSTANTS

    def held(self, data: Mapping[str, Any], found: Sequence[Read]) -> Standing:
        """How a claim stands to what is read in its quote."""
        if not found:
            return Standing(How.WORDS)
        texts = tuple("; ".join(map(str, one.options[0])) for one in found if one.options)
        try:
            written, statement = self.worded(self.says(data), data)
        except ParseError as error:
            return Standing(How.DIFFERS, texts, f"it cannot be read: {error}")
        known = self.known(statement, unfolded(written, self.setting.names))
        ties = _ties(statement)
        mine = self.relations(written, ties)
        own, wanted = _own(str(data.get("where", ""))), {relation.key for relation in mine}
        best = Standing(How.DIFFERS, texts, "; ".join(one.why for one in found if one.why))
        said: list[set[Any]] = []
        every: list[list[Relation]] = []
        for one in found:
            options = [self.said(option, known, ties, own) for option in one.options]
            mentioned = any(relation.key in wanted for option in options for each in option for relation in each)
            uniform = _UNIFORMLY.search(str(data["quote"]).partition(one.formula.text)[0]) is not None
            if not mentioned and self.is_condition(one.formula, known, own, uniform):
                continue
            every += [statement for option in options for statement in option]
            said.append({relation.key for option in options for statement in option for relation in statement})
            for how in (how for option in options for how in _stands(mine, option)):
                if best.how is How.DIFFERS or RANKS.index(how) < RANKS.index(best.how):
                    best = Standing(how, texts)
        if best.how is How.DIFFERS and len(said) > 1 and wanted <= set().union(*said):
            best = Standing(How.SAME if wanted == set().union(*said) else How.PART, texts)
        elif best.how is How.SAME and len(said) > 1:
            best = replace(best, how=How.PART)
        if not said:
            return Standing(How.WORDS, texts)
        answers = _answers(str(data.get("where", "")))
        for one in found if best.how is How.DIFFERS else ():
            steps = self.steps(one.formula, str(data.get("to", "")) if r"o_{" in one.formula.text else "", answers)
            links = [link for step in steps for each in self.said((step,), known, ties, own) for link in each]
            if wanted <= {link.key for link in links}:
                best = Standing(How.STEPS, (*texts, *map(str, steps)))
        if best.how is How.DIFFERS and data.get("differs", How.SAME_AS) == How.SAME_AS and not data.get("narrowed"):
            proved = [any(self.equal(link, other, written) for one in every for other in one) for link in mine]
            best = Standing(How.SAME_AS, texts) if all(proved) else best
        if best.how is not How.DIFFERS and (own or data.get("laid")):
            told = [f"where {data['where']}"] if own else []
            if data.get("laid"):
                told.append("set as it is printed, with the quote's signs")
            best = replace(best, why="; ".join(told))
        return best

    def known(self, statement: Statement, written: Statement) -> frozenset[Any]:
        """The conditions that a claim has; and those of the file, but of variables of which the claim says others."""
        own = _quantified(statement, written)
        said = {name for c in (*written.domain, *written.uniform, *written.some) for name in subjects(c)}
        declared = (c for name, found in self.setting.variables.items() if name not in said for c in found)
        return own | {("every", one) for how, one in own if how == "uniform"} | {("every", one) for one in _singles(declared)}

    def equal(self, one: Relation, other: Relation, written: Statement) -> bool:
        """Whether the kernel has a theorem that the parts of two relations are equal, on the domain of a statement."""
        if one.sign != other.sign or len(one.more) != len(other.more) or one.more[:1] != other.more[:1]:
            return False
        pairs = [(one.left, other.left), (one.right, other.right), *zip(one.more[1:], other.more[1:], strict=True)]
        return all(a == b or self.identical(a, b, written) for a, b in pairs)

    def identical(self, a: Term, b: Term, written: Statement) -> bool:
        """Whether the kernel has a theorem that two terms are equal."""
        for kept in (None, ("sum", "product")):
            named: dict[Any, str] = {}  # an identity for any value of what is named is one for its own
            text = " = ".join(str(opaque(term, named, kept)) for term in (a, b))
            more = read_conditions(", ".join(f"real {total}" for total in named.values())) if named else ()
            plain = replace(written, body=read_statement(text).body, regime=(), domain=(*written.domain, *more))
            with suppress(Refused, ParseError):
                return apply("algebra", statement=str(closed(plain, self.setting))).holds
        return False

    def relations(self, statement: Statement, ties: Mapping[str, Node]) -> list[Relation]:
        """The relations of a statement, without defined names and what is tied to a term."""
        body = unfolded(replace(statement, some=(), uniform=(), domain=(), regime=()), self.setting.names).body
        return relations(body.changed(lambda node: substitute(node, ties)) if ties else body)

    def said(
        self, option: tuple[Statement, ...], known: frozenset[Any], ties: Mapping[str, Node], names: Definitions
    ) -> list[list[Relation]]:
        """The relations of each statement of a formula that is under no condition but the claim's."""
        found: list[list[Relation]] = []
        for statement in option:
            try:
                plain = unfolded(statement, names)
                if _quantified(unfolded(plain, self.setting.names)) <= known:
                    found.append(self.relations(plain, ties))
            except (ParseError, Refused):
                continue
        return found if len(found) == len(option) else [*found, []]

    def is_condition(self, formula: Formula, known: frozenset[Any], names: Definitions, uniform: bool = False) -> bool:
        """Whether a formula is a condition that the claim has."""
        found = self.as_conditions(formula)
        if found is None:
            return False
        try:
            said = replace(_NOTHING, uniform=found) if uniform else replace(_NOTHING, domain=found)
            said = unfolded(unfolded(said, names), self.setting.names)
            return {one for one in _quantified(said) if one[1][1:3] != ("=", one[1][1])} <= known
        except (ParseError, Refused):
            return False

    @lru_cache(maxsize=4096)  # noqa: B019
    def as_conditions(self, formula: Formula) -> Conditions | None:
        """A formula as conditions; None where it is none."""
        try:
            return tuple(c for text in limits(formula.text, self.printed) for c in read_conditions(str(text)))
        except (ValueError, Asked):
            return None


_NOTHING = read_statement("0 = 0")
_UNIFORMLY = re.compile(r"\buniform(ly)?\s+(in|for|over|on)(\s+(all|every))?\s*\$*\s*$")
"""The words before a condition that is uniform."""


def _own(text: str) -> dict[str, Definition]:
    """What a claim says that names of its quote are: ``i_star = k; weight(a) = 2*a``."""
    answered = {key for key, _ in _answers(text)}
    pieces = [piece for piece in text.split(";") if piece.partition(" is ")[0].strip() not in answered]
    return dict(definition(*piece.split("=", 1)) for piece in pieces if "=" in piece)


def _answers(text: str) -> tuple[tuple[str, str], ...]:
    """What a claim answers of what its quote leaves open: ``1/2n is (1/2)n``."""
    pieces = [piece.partition(" is ") for piece in text.split(";")]
    return tuple((key.strip(), answer.strip()) for key, _, answer in pieces if answer.strip() in QUESTIONS.get(key.strip(), ()))


def _singles(*found: Iterable[Condition]) -> frozenset[Any]:
    """Conditions as single ones that can be compared; the side of a limit aside."""
    plain = [replace(c, side="") if isinstance(c, Tends) else c for conditions in found for c in conditions]
    return singles(plain)


def _quantified(*found: Statement) -> frozenset[Any]:
    """Single conditions, each with how it is said: of every value, uniformly, of some."""
    said: list[tuple[str, Any]] = []
    for statement in found:
        for how, conditions in (
            ("every", (*statement.domain, *statement.regime)),
            ("uniform", statement.uniform),
            ("some", statement.some),
        ):
            said += [(how, one) for one in _singles(conditions)]
        if isinstance(statement.body, Throughout):
            said += _quantified(statement.body.statement)
    return frozenset(said)


def _stands(mine: Sequence[Relation], said: Sequence[Sequence[Relation]]) -> Iterator[How]:
    """How the claim's relations stand to those of the statements of one formula."""
    wanted = {relation.key for relation in mine}
    for own in said:
        if wanted == {relation.key for relation in own}:
            yield How.SAME if len(said) == 1 else How.PART
        elif wanted <= {relation.key for relation in (*own, *linked(own))}:
            yield How.STEPS if len(own) > 1 and _is_chain(own) else How.PART
    whole = {relation.key for own in said for relation in own}
    if len(said) > 1 and wanted <= whole:
        yield How.SAME if wanted == whole and all(said) else How.PART


def _is_chain(found: Sequence[Relation]) -> bool:
    """Whether each relation goes on from the one before."""
    return all(first.right == second.left for first, second in pairwise(found))


def _ties(statement: Statement) -> dict[str, Node]:
    """What a regime or a domain ties to a term."""
    try:
        return ties_of((*statement.ties, *statement.regime))
    except ParseError:
        return {}
