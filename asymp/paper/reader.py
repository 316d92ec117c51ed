"""A whole file of claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from asymp.claim import Claim, Quantity, Source, Unread
from asymp.language.conditions import Conditions
from asymp.language.elaborate import Setting
from asymp.language.functions import CONSTANTS
from asymp.language.names import free_names
from asymp.language.numbers import ParseError
from asymp.language.setting import unfold_in
from asymp.language.source import ClaimsError, Code
from asymp.language.syntax import Parser, words
from asymp.messages import unknown
from asymp.paper.claims import ClaimReader
from asymp.paper.keys import TABLES
from asymp.parse.terms import satisfied

MOST_BYTES = 4_000_000
FIGURE = ("of", "to", "for", "terms")
MOST_DRAWN = 5
PAPER = ("key", "title", "text", "model", "about")


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
    figures: Mapping[str, tuple[Claim, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def names(self) -> dict[str, str]:
        """The definition of each plain name, and each variable of another sign -> the paper's sign."""
        found = {}
        for name, sign in self.notation.items():
            item = self.setting.names.get(name)
            if item is not None and not item.arguments:
                found[words(unfold_in(item.term, self.setting))] = sign
            elif item is None and name in self.setting.variables:
                found[name] = sign
        return found


def read_claims(text: str, where: str, code: Code | None = None, only: str | None = None) -> PaperFile:
    """The claims of a file.

    Args:
        text: what is in it.
        where: its name, for messages.
        code: what finds functions by name; without it a claim that needs code is undecided.
        only: the name of one claim, which alone is read, with its correction.

    Raises:
        ClaimsError: the file cannot be read; a claim that cannot be is :class:`asymp.claim.Unread`.
    """
    return ClaimsFile(text, where, code).read(only)


class ClaimsFile(ClaimReader):
    """One file, each part of which is read once."""

    def __init__(self, text: str, where: str, code: Code | None = None) -> None:
        super().__init__(text, where, code)
        self._claims: dict[str, tuple[Claim, ...]] = {}

    def read(self, only: str | None = None) -> PaperFile:
        """All of it, or one claim with its correction: see :func:`read_claims`."""
        paper = self._declared
        if only is not None:
            slugs = [slug for slug in (only, only.removesuffix("-corrected")) if slug in self.table("claim")][:1]
            claims = tuple(claim for slug in slugs for claim in self._claim(slug))
        else:
            claims = self.linked([claim for slug in self.table("claim") for claim in self._claim(slug)])
        if not claims and only is None:
            raise ClaimsError(f"{self.where}: no claims: write [claim.\"lemma-1\"] and what it says")
        return PaperFile(
            self.key, paper.get("title", self.key), claims, self.setting, self.notation, self.regimes, self.domains,
            self._quantities, paper.get("text", ""), self._figures if only is None else {},
        )

    def _claim(self, slug: str) -> tuple[Claim, ...]:
        if slug not in self._claims:
            self._claims[slug] = tuple(self.read_claim(slug))
        return self._claims[slug]

    def claim_of(self, one: str) -> Claim:
        """The claim of that id; of one that is not there the reader knows nothing."""
        slug = one.partition("/")[2]
        slug = slug if slug in self.table("claim") else slug.removesuffix("-corrected")
        return next(claim for claim in self._claim(slug) if claim.id == one)

    @cached_property
    def _quantities(self) -> tuple[Quantity, ...]:
        return tuple(self.read_quantities())

    @cached_property
    def _declared(self) -> Mapping[str, Any]:
        """The table of the paper, once all that the file declares is read."""
        for name in self.data:
            if name not in TABLES:
                raise ClaimsError(f"{self.place(name)}: {unknown('table', name, TABLES)}")
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
        return paper

    # --- figures

    @cached_property
    def _figures(self) -> dict[str, tuple[Claim, int]]:
        """What ``[figures]`` declares: an expression and its limit, as the claim that it is what it is, and how many terms."""
        return {name: self.figure(name, data) for name, data in self.table("figures").items()}

    def figure(self, name: str, data: Any) -> tuple[Claim, int]:
        """One of them: ``name = {of = "harmonic(n)", to = "n -> oo", terms = 2}``; one that cannot be read says so."""
        where = self.place("figures", name)
        of = data.get("of") if isinstance(data, dict) else None
        note = str(of)
        base = Claim(f"{self.key}/{name}", Source(self.key, name), Unread(f"{where}: figures.{name}"), note, note=note)
        if not isinstance(data, dict) or not isinstance(of, str) or not isinstance(data.get("to"), str):
            why = f"{where}: a figure says of what and where to: {name} = {{of = \"harmonic(n)\", to = \"n -> oo\"}}"
            return replace(base, relation=Unread(why)), 0
        if strange := [key for key in data if key not in FIGURE]:
            return replace(base, relation=Unread(f"{where}: {unknown('key', strange[0], FIGURE)}")), 0
        terms = data.get("terms", 3)
        if isinstance(terms, bool) or not isinstance(terms, int) or not 1 <= terms <= MOST_DRAWN:
            return replace(base, relation=Unread(f"{where}: terms is a whole number from 1 to {MOST_DRAWN}")), 0
        said = {key: value for key, value in data.items() if key in ("to", "for")} | {"says": f"({of}) ~ 1"}
        return self.filled_in(base, said, "", where), terms

    # --- quantities

    def read_quantities(self) -> Iterator[Quantity]:
        """The named quantities with numbers of their own."""
        for name, data in self.table("quantities").items():
            if not isinstance(data, dict) or not isinstance(data.get("is"), str):
                raise self.fail("a quantity says what it is: is = \"...\"", "quantities", "", name)
            try:
                yield self.quantity(name, data)
            except (ValueError, TypeError, AttributeError, KeyError, ArithmeticError) as error:
                raise self.fail(f"quantities.{name}: {error}", "quantities", "", name) from error

    def quantity(self, name: str, data: Mapping[str, Any]) -> Quantity:
        """One of them."""
        text, least = data["is"], data.get("least", "")
        if least:
            if not all(isinstance(data.get(key), str) for key in ("below", "falls")):
                raise ClaimsError(f"the least {least} needs a bound, below = \"...\", and why it falls there, falls = \"...\"")
            text = f"({text}) - ({data['below']})"
        node = unfold_in(Parser(text).whole(), self.setting)
        if least and least not in free_names(node):
            raise ClaimsError(f"{least} is not in {text}")
        parameters = {}
        for each in sorted(free_names(node) - {least} - CONSTANTS, key=list(self.setting.variables).index):
            known = self.setting.variables[each]
            parameters[each] = (", ".join(map(str, known)), _Inside(each, known))
        others: dict[str, dict[str, Any]] = {}
        for other in data.get("or", []):
            left, _, right = other.partition("=")
            new = sorted(free_names(Parser(right).whole()) - CONSTANTS - set(parameters))
            others.setdefault(left.strip(), {})[new[0]] = right.strip()
        source = Source(self.key, str(data.get("place", name)))
        together = _Together({each: self.setting.variables[each] for each in parameters})
        title, start = str(data.get("title", name)), int(data.get("from", 1))
        return Quantity(f"{self.key}/{name}", words(node), parameters, others, title, source, together, least, start)


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
class _Together:
    """Which variable is not in its range, which may hang on others."""

    known: Mapping[str, Conditions]

    def __call__(self, values: Mapping[str, Any]) -> str | None:
        for name, conditions in self.known.items():
            for condition in conditions:
                try:
                    if not satisfied(condition, values, {}):
                        return name
                except (ValueError, ArithmeticError):
                    continue  # one that another way of giving a parameter leaves without an exact value
        return None
