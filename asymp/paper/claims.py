"""The claims of a file: each is read, or is undecided with its place and the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from asymp.claim import Bound, Claim, Composite, Identity, Outcome, Property, Relation, Source, Tie, Unread
from asymp.kept import kept
from asymp.language.bodies import Shape
from asymp.language.bridges import bridges, resting
from asymp.language.chains import Chain
from asymp.language.conditions import Conditions, Every, OfFunction, subjects, text_of
from asymp.language.elaborate import filled, functions_called, variables_of
from asymp.language.meant import instead
from asymp.language.model import NeedsCode
from asymp.language.names import called, free_names, unfold
from asymp.language.numbers import ParseError
from asymp.language.populations import Population
from asymp.language.setting import claim_name, corrected
from asymp.language.statement import Statement
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import words
from asymp.language.transitions import Transitions
from asymp.latex.laid import same_signs
from asymp.latex.paper import QuoteReader
from asymp.messages import one_line, unknown
from asymp.paper.chain import answering
from asymp.paper.covering import tie
from asymp.paper.keys import CLAIM
from asymp.paper.population import answering as counted
from asymp.parse.build import build
from asymp.parse.built import Built

NEEDS_CODE = "it needs code that is not run without --trust-code"


class ClaimReader(QuoteReader):
    """Reads the claims of a file whose declarations are read."""

    key: str
    notation: Mapping[str, str]

    def read_claim(self, slug: str) -> Iterator[Claim]:
        """The claim of that name, and its correction if there is one."""
        data = self.table("claim")[slug]
        strange = ""
        if not isinstance(data, dict):
            data, strange = {}, f"claim.{slug} is to be a table, [claim.\"{slug}\"]"
        name = slug
        if not re.fullmatch(r"[A-Za-z0-9_.:+-]+", slug):
            strange = f"the name of a claim is made of letters, digits, dots and dashes, not {slug!r}"
            name = claim_name(slug)
        place = self.place("claim", "", slug)
        problem = strange or self.problem(data)
        locator, spot = str(data.get("place", "")) or place_of(slug), self.spot("claim", "", slug)
        source = Source(self.key, locator, str(data.get("quote", "")), *spot)
        expected = str(data.get("expected", "refuted" if data.get("corrected") or data.get("correction") else "holds"))
        if not problem and not source.locator:
            problem = f"where is it?  Add place = \"Theorem 1\", or name it so: [claim.\"theorem-1\"] ({slug!r} does not say)"
        if not problem and expected not in list(Outcome):
            problem = f"expected = {expected!r} is none of holds, refuted, undecided"
        ours = bool(data.get("ours", False)) or bool(data.get("corrects"))
        link = f"{self.key}/{slug}-corrected" if data.get("corrected") else None
        if data.get("correction"):
            link = f"{self.key}/{data['correction']}"
        base = Claim(
            f"{self.key}/{name}", replace(source, locator=source.locator or "?"), Unread(f"{place}: {problem}"),
            _said(data) or name, expected=Outcome(expected) if expected in list(Outcome) else Outcome.HOLDS,
            as_printed=not ours, correction=link,
            corrects=f"{self.key}/{data['corrects']}" if data.get("corrects") else None,
            note=str(data.get("why", data.get("note", ""))), said=str(data.get("reading", "")),
            narrowed=str(data.get("narrowed", "")),
            used=tuple(f"{self.key}/{one.strip()}" for one in str(data.get("used", "")).split(",") if one.strip()),
        )  # fmt: skip
        if problem:
            yield replace(base, correction=None, corrects=None)
            return
        yield self.filled_in(base, data, "", place)
        if data.get("corrected"):
            new = corrected(data)
            other = replace(
                base, id=f"{self.key}/{slug}-corrected", expected=Outcome.HOLDS, as_printed=False, correction=None,
                corrects=base.id, source=replace(source, quote=""), statement=_said(new), note="",
                said=str(new.get("reading", "")), narrowed="", used=(),
            )  # fmt: skip
            yield self.filled_in(other, new, "corrected-", place)

    def linked(self, claims: list[Claim]) -> tuple[Claim, ...]:
        """The claims with links that go both ways; one whose link leads nowhere is undecided, with the reason."""
        known: dict[str, Claim] = {}
        for k, claim in enumerate(claims):
            if claim.id in known:
                why = f"{self.where}: two claims have the id {claim.id}"
                claim = claims[k] = replace(claim, id=f"{claim.id}+{k + 1}", relation=Unread(why), correction=None, corrects=None)
            known[claim.id] = claim
        found = []
        for claim in claims:
            for here, there in (("correction", "corrects"), ("corrects", "correction")):
                other = getattr(claim, here)
                if other is not None and (other not in known or getattr(known[other], there) != claim.id):
                    place = self.place("claim", here, claim.id.split("/", 1)[1])
                    why = f"{place}: its {here} {other} does not name it in {there}"
                    claim = replace(claim, relation=Unread(why), correction=None, corrects=None)
                    break
            found.append(claim)
        return tuple(found)

    def problem(self, data: Mapping[str, Any]) -> str:
        """What is wrong with the keys of a claim; empty where nothing is."""
        for key, value in data.items():
            if key not in CLAIM:
                return unknown("key", key, CLAIM)
            if key in ("ours", "complete", "kept"):
                if not isinstance(value, bool):
                    return f"{key} is true or false"
            elif key == "lemmas" and isinstance(value, list) and all(isinstance(one, str) for one in value):
                continue
            elif not isinstance(value, str):
                return f"{key} is to be a text in quotation marks"
        if ("says" in data) == ("test" in data) and not ("quote" in data and "says" not in data):
            return "says = \"...\" is missing" if "says" not in data else "says and test: which of them is meant?"
        if ("differs" in data or "where" in data or "laid" in data) and not data.get("quote"):
            return "differs, where and laid are of a quote, which is missing"
        if "laid" in data and (wrong := same_signs(str(data["quote"]), str(data["laid"]))):
            return f"laid is to be the quote as it is printed: {wrong}"
        if "kept" in data and not any(key in data for key in ("test", "sampled", "corrected-sampled")):
            return "kept is said of samples: of a test, or of sampled"
        if "test" in data and not (data.get("words") or data.get("quote")):
            return "a test needs words = \"...\" that say what it tests"
        for one in filter(None, map(str.strip, str(data.get("used", "")).split(","))):
            if one.removesuffix("-corrected") not in self.table("claim"):
                return unknown("claim", one, self.table("claim"))
        if "narrowed" in data:
            if not data["narrowed"].strip():
                return "narrowed = \"...\" says what the quote has and the statement has not"
            if not data.get("quote") or data.get("ours") or data.get("corrects"):
                return "narrowed is said of a printed statement, beside its quote"
        return ""

    def filled_in(self, claim: Claim, data: Mapping[str, Any], prefix: str, place: str) -> Claim:
        """The claim with its relation, or with the reason why it has none."""
        slug = claim.id.split("/", 1)[1].removesuffix("-corrected" if prefix else "")
        try:
            if "test" in data:
                return self.tested(claim, data)
            statement, built, shown, written = self.stated(self.says(data), data)
            made = replace(self.made(claim, statement, built, shown), rests=self.rests(written, data, place))
            if isinstance(data.get("lemmas"), list):
                made = replace(made, leans=self.leaning(claim.id.split("/", 1)[1], data["lemmas"]))
            elif "lemmas" in data:
                made = replace(made, lemmas=tuple(self.lemmas(data["lemmas"])))
            if "at" in data:
                made = replace(made, tried=text_of(self.conditions(data["at"], self.domains)))
            return self.argued(self.sampled(made, data), data)
        except ParseError as error:
            return replace(claim, relation=Unread(f"{place}: {one_line(error)}{instead(data, self.setting, self.regimes)}"))
        except NeedsCode:
            return replace(claim, relation=Unread(f"{place}: {NEEDS_CODE}"))
        except Exception as error:  # whatever is wrong with one claim must not take the others down
            return replace(claim, relation=Unread(f"{place}: {slug}: {type(error).__name__}: {one_line(error)}"))

    @cached_property
    def _resting(self) -> set[str]:
        """Where bridges are being looked for."""
        return set()

    @cached_property
    def over(self) -> Mapping[str, tuple[str, ...]]:
        """The claims that tie each name to the model, by their ids."""
        return bridges(self)

    def rests(self, written: Statement, data: Mapping[str, Any], place: str) -> tuple[tuple[Tie, ...], ...]:
        """What ties the formulas that a statement leans on to the model.

        Raises:
            ParseError: bridges that lean on one another.
        """
        found = resting(written, data, self.over, self.setting.names)
        if found and place in self._resting:
            raise ParseError("bridges that lean on one another")
        self._resting.add(place)
        try:
            return tuple(tuple(self.tie(one, written) for one in ids) for ids in found)
        finally:
            self._resting.discard(place)

    def leaning(self, name: str, lemmas: Sequence[str]) -> tuple[Claim, ...]:
        """The claims that are named as lemmas of one.

        Raises:
            ParseError: one is not there, is expected to be refuted, or leans on that claim itself.
        """
        table = self.table("claim")

        def entry(one: str) -> Mapping[str, Any]:
            data = table.get(one)
            if data is None and one.endswith("-corrected"):
                data = table.get(one.removesuffix("-corrected"))
                data = corrected(data) if isinstance(data, dict) and data.get("corrected") else None
            if not isinstance(data, dict):
                raise ParseError(f"lemmas: {unknown('claim', one, table)}")
            return data

        def through(one: str, seen: tuple[str, ...]) -> None:
            if one == name or one in seen:
                raise ParseError(f"lemmas that lean on one another: {', '.join((*seen, one))}")
            more = entry(one).get("lemmas")
            for other in more if isinstance(more, list) else ():
                through(str(other), (*seen, one))

        for one in lemmas:
            through(one, ())
            if entry(one).get("expected") == "refuted" or entry(one).get("corrected") or entry(one).get("correction"):
                raise ParseError(f"lemmas: {one} is expected to be refuted")
        return tuple(self.claim_of(f"{self.key}/{one}") for one in lemmas)

    def tie(self, one: str, written: Statement) -> Tie:
        """A claim that ties a formula on which a statement leans to the model."""
        wanted = tie(self, one, written)
        return Tie(self.claim_of(one), wanted is not None, wanted or ())

    def claim_of(self, one: str) -> Claim:
        """The claim of that id."""
        raise NotImplementedError

    def stated(self, text: str, data: Mapping[str, Any]) -> tuple[Statement, Built, Statement, Statement]:
        """A statement closed, as a relation, as it is shown, and as it is written."""
        written, statement = self.worded(text, data)
        used = functions_called(statement) & set(self.setting.functions)
        if any(getattr(self.setting.functions[name], "function", None) is None for name in used):
            raise NeedsCode
        points = self.conditions(data["at"], self.domains) if "at" in data else ()
        tried = tuple(condition.changed(lambda node: unfold(node, self.setting.names)) for condition in points)
        if "at" in data and data["at"] not in self.domains and not isinstance(statement.body, Shape):
            # points with a name serve several claims, and a function that is increasing has a step of its own
            _no_stranger(statement, tried)
        if any(isinstance(c, OfFunction) for c in statement.domain):  # the code is for values of its functions alone
            own = {c.name for c in statement.domain if isinstance(c, OfFunction)}
            unused = set(self.setting.declared) - own
            tried = tuple(c for c in tried if not any(called(node) & unused for node in c.terms()))
            more = set().union(*(called(node) for c in tried for node in c.terms())) & set(self.setting.functions)
            tried = () if any(getattr(self.setting.functions[name], "function", None) is None for name in more) else tried
            used |= more
        functions = {name: self.setting.functions[name] for name in used}
        return statement, build(statement, functions, tried), filled(written, self.setting), written

    def made(self, claim: Claim, statement: Statement, built: Built, shown: Statement) -> Claim:
        """The claim as it is checked and shown."""
        return replace(
            claim, closed=str(statement), statement=str(shown), chains=self.chains_of(statement),
            relation=built.relation, parts=built.parts, text_of=built.relation,
            latex=statement_tex(shown, self.notation), where=tuple(self.definitions(shown)),
        )  # fmt: skip

    def lemmas(self, text: str) -> Iterator[str]:
        """What is proved on the way, each in [ ], without defined names."""
        for condition in self.conditions(text, {}):
            if not isinstance(condition, Every):
                raise ParseError(f"a lemma is written [w(n) >= 0 for whole n], not {condition}")
            for node in condition.terms():
                self.known_functions(node, self.setting)
            yield str(condition.changed(lambda node: unfold(node, self.setting.names)))

    def chains_of(self, statement: Statement) -> tuple[Transitions, ...]:
        """The chains whose functions a closed statement calls."""
        used = functions_called(statement)
        return tuple(one for one in self.setting.chains if used & {name for name, _ in one.functions})

    def solving(self, chain: Transitions, name: str) -> Callable[..., Any]:
        """A function of a chain as code: exact, at numbers."""
        if isinstance(chain, Population):
            return counted(chain, name)
        assert isinstance(chain, Chain)
        return answering(chain, name)

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
                if name in self.setting.declared and name not in seen:
                    seen.add(name)
                    yield text_of(self.setting.declared[name])
                    nodes += [node for c in self.setting.declared[name] for node in c.terms()]

    def tested(self, claim: Claim, data: Mapping[str, Any]) -> Claim:
        """A claim that names a test."""
        if self.code is None:
            raise NeedsCode
        found = self.code(data["test"])
        if data.get("kept") and callable(found):
            found = kept(found, claim.id)
        relation = found if isinstance(found, Relation) else Property(found, complete=bool(data.get("complete", False)))
        if not isinstance(found, Relation) and not callable(found):
            raise ParseError(f"{data['test']} is a {type(found).__name__}, no test")
        words = str(data.get("words") or data.get("quote"))
        return self.sampled(replace(claim, relation=relation, statement=words), data)

    def sampled(self, claim: Claim, data: Mapping[str, Any]) -> Claim:
        """The claim with what samples have to say."""
        if "sampled" not in data:
            return claim
        if self.code is None:
            return claim
        found = self.code(data["sampled"])
        return replace(claim, sampled=kept(found, claim.id) if data.get("kept") else found)

    def argued(self, claim: Claim, data: Mapping[str, Any]) -> Claim:
        """The claim with the steps of an argument that code makes: they support it."""
        if "argued" not in data or self.code is None:
            return claim
        proof = self.code(data["argued"])

        def with_proof(relation: Relation) -> Relation:
            if isinstance(relation, Composite):
                members = tuple(replace(member, relation=with_proof(member.relation)) for member in relation.members)
                return replace(relation, members=members)
            if not isinstance(relation, (Bound, Identity)):
                raise ParseError("an argument belongs to an equality or a comparison")
            return replace(relation, proof=proof)

        relation = with_proof(claim.relation)
        return replace(claim, relation=relation, text_of=relation)


def _no_stranger(statement: Statement, tried: Conditions) -> None:
    """Refuses values of a name of which neither the statement nor the other values are made: a slip of the pen."""
    for condition in tried:
        others = {name for c in tried if c is not condition for node in c.terms() for name in free_names(node)}
        strange = sorted(subjects(condition) - others - set(variables_of(statement)))
        if strange:
            raise ParseError(f"'at' gives values of {strange[0]}, which the statement does not hold")


def _said(data: Mapping[str, Any]) -> str:
    return str(data.get("says", data.get("words", data.get("quote", ""))))


_PLACES = (
    "theorem lemma corollary proposition remark figure table section algorithm claim conjecture definition example equation"
).split()
_SHORT = {
    "eq": "equation", "eqn": "equation", "thm": "theorem", "lem": "lemma", "cor": "corollary", "prop": "proposition",
    "rem": "remark", "fig": "figure", "tab": "table", "sec": "section", "alg": "algorithm", "def": "definition",
}  # fmt: skip
"""How labels begin."""


def place_of(slug: str) -> str:
    """The paper's own name of an item, from the name of a claim; empty where it cannot be told.

    >>> place_of("theorem-7.1-item-2"), place_of("equation-16-error"), place_of("lemma-8.3-proof-sum"), place_of("appendix-a-1")
    ('Theorem 7.1 item 2', 'Equation (16)', 'Lemma 8.3', 'Appendix A')
    >>> place_of("eq-1"), place_of("thm:2.3"), place_of("lem-4"), place_of("eq:main")
    ('Equation (1)', 'Theorem 2.3', 'Lemma 4', '')
    """
    match = re.match(rf"({'|'.join((*_PLACES, *_SHORT))})[-:](\d+(?:\.\d+)*)(?:-item-(\d+))?(?:-|$)", slug)
    if match:
        kind, item = _SHORT.get(match[1], match[1]).capitalize(), f" item {match[3]}" if match[3] else ""
        return f"{kind} ({match[2]}){item}" if kind == "Equation" else f"{kind} {match[2]}{item}"
    match = re.match(r"appendix-([a-z])(?:-|$)", slug)
    return f"Appendix {match.group(1).upper()}" if match else ""
