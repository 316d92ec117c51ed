r"""A theorem as a proof that is read: what is to be shown, the lemmas, the series of whole sides, and what decides.

The kernel makes the theorem again, with those that it rests on; each becomes a paragraph, or a lemma with its own proof inside
it, and what is algebra is folded away.  A paragraph says no more than its theorem does, and conditions that stand in the
statement which it belongs to are not said again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from asymp.claim import Step
from asymp.evidence import every
from asymp.kernel import terms
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import Comparison, Expanding, Shape
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import Node
from asymp.language.tex import Notation
from asymp.prove import told_covers, told_laws, told_series, told_sides
from asymp.prove.rule_words import LAST, ROLES, ROUTINE, WORDS
from asymp.prove.telling import Page, Teller, abbreviated, sentence, sources
from asymp.prove.written import labelled, set_term

SHOW, REFUTE = "To be shown", "To be refuted"
SHORT = 2
"""Paragraphs of a proof that stands where it is used, once, with no name."""
SHORT_AGAIN = 400
"""Characters of a fact that is said again."""
FIRST = "It is to be shown that"
NOT = r"\text{not: }"
GIVEN, BRIEF = "S_", "K_"
"""Of the atoms that are given, and of long terms."""


def derivation(steps: Sequence[Mapping[str, Any]], notation: Notation) -> tuple[Step, ...]:
    """The proof that a certificate makes.

    Raises:
        Refused: it is none.

    >>> from asymp.kernel.theorem import certificate
    >>> from asymp.language.statement import read_statement
    >>> from asymp.prove.claims import theorem
    >>> found = theorem(read_statement("log(n + 1) ~ log(n) as n -> oo"), True)
    >>> for step in derivation(certificate(found), {}): print(step.rule, "|", step.latex)
    To be shown | \\ln \\left(n + 1\\right) \\sim \\ln n \\qquad (n \\to \\infty)
    Expanding, | \\ln \\left(n + 1\\right) = \\ln n + \\frac{1}{n} + O\\left(\\frac{1}{n^{2}}\\right)
    The two sides differ by | \\frac{1}{n} + O\\left(\\frac{1}{n^{2}}\\right) = o\\left(\\ln n\\right)
    """
    teller = _Teller(notation)
    root = teller.replayed(steps)
    those = teller.count(root)
    head = Step(f"{SHOW if root.holds else REFUTE}{teller.fails(root)}", teller.said(root, None, True))
    teller.brief_names = abbreviated((terms.of(node) for one in those for node in one.statement.terms()), BRIEF)
    proof = teller.proof(root, "")
    return (head, *teller.abbreviations(proof), *proof)


class _Teller(Page):
    """Tells theorems in a notation, with one numbering of lemmas and labels."""

    def __init__(self, notation: Notation) -> None:
        super().__init__(notation)
        self.names: dict[Theorem, str] = {}
        self.uses = Counter[Theorem]()
        self._routine: dict[Theorem, bool] = {}
        self.by_algebra: dict[Theorem, list[Step]] = {}
        """What rules of algebra have seen: a proof that turns out to be long is told twice."""

    def count(self, root: Theorem) -> Iterable[Theorem]:
        """How many theorems rest on each; all of them."""
        todo, seen = [root], dict[Theorem, None]()
        while todo:
            if (one := todo.pop()) not in seen:
                seen[one] = None
                self.uses.update(set(one.made[1]))
                todo += one.made[1]
        return seen

    def abbreviations(self, proof: Sequence[Step]) -> Iterator[Step]:
        """What is written for long terms in a proof."""
        text = "".join(f"{step.rule} {step.latex}" for step in every(proof))
        found, before = list[str](), dict(self.brief_names)
        for one, letter in reversed(self.brief_names.items()):
            del before[one]
            if (shown := self.term(letter)) in text:
                found.append(f"{shown} = {set_term(labelled(one, before), self.notation)}")
                text += found[-1]
        yield from (Step("" if k else "Write", equal) for k, equal in enumerate(reversed(found)))

    # --- proofs --------------------------------------------------------------------------------------------

    def proof(self, one: Theorem, inside: str) -> list[Step]:
        """What shows a theorem that has been said; ``inside``: the name of the lemma that it is, with a stop."""
        rule, made, _ = one.made
        premises = list(dict.fromkeys(made))
        if len(premises) == 1 and self.is_same(premises[0], one):
            return self.proof(premises[0], inside)  # it says the same
        if rule in ROLES:
            return [*self.in_roles(one, inside), *self.closing(one)]
        others = [premise for premise in premises if not self.is_routine(premise)]
        if rule in _TOLD or len(others) != 1 or others[0] in self.names or is_bare(others[0]):
            return [*self.before(one, inside), *self.closing(one)]
        found, (left,) = self.routine([premise for premise in premises if self.is_routine(premise)], one), others
        aim, said = "to be shown" if left.holds else "to be refuted", self.said(left, one, True)
        if said != self.said(one, one, True) or self.fails(left):
            found.append(Step(f"It remains {aim}{self.fails(left)} ({self.words(one)})", said, sources(one)))
        return found + self.proof(left, inside)

    def words(self, one: Theorem) -> str:
        """What is said of a step by its rule."""
        rule, _, data = one.made
        return WORDS.get(rule, f"by the rule {rule}").format_map(_Written(self, data))

    def is_same(self, one: Theorem, other: Theorem) -> bool:
        """Whether two theorems say the same, or are read as the same."""
        if one.holds is not other.holds:
            return False
        same = terms.canonical(one.statement) == terms.canonical(other.statement)
        return same or self.said(one, other, True) == self.said(other, other, True)

    def closing(self, one: Theorem) -> list[Step]:
        """How a theorem follows from those on which it rests: what its rule has seen, or the rule's words."""
        rule, premises, _ = one.made
        if rule in _TOLD:
            return list(_TOLD[rule](self, one))
        said = self.words(one)
        begin = f"Hence {'the statement' if one.holds else 'it fails'}: " if premises else ""
        return [Step(f"{begin}{said}" if begin else sentence(said), "", sources(one))]

    def in_roles(self, one: Theorem, inside: str) -> Iterator[Step]:
        """The theorems on which one rests, each by what it is there for."""
        rule, premises, data = one.made
        for k, premise in enumerate(premises):
            roles = ROLES[rule]
            place = min(k, len(roles) - 1) if rule not in LAST else -1 if k == len(premises) - 1 else 0
            role = roles[place].format_map(_Written(self, data))
            for step in self.lemma(premise, one, inside):
                if role and not step.rule.startswith("By Lemma"):
                    at = step.rule.removeprefix(FIRST)
                    step, role = replace(step, rule=role + at * at.startswith(";")), ""
                    if rule == "places":  # that it fails is what follows
                        step = replace(step, latex=step.latex.removeprefix(NOT))
                yield step

    def lemma(self, one: Theorem, outer: Theorem, inside: str) -> Iterator[Step]:
        """A theorem on which another rests: with its name and proof, if it is more than one step."""
        rule = one.made[0]
        if one in self.names:
            yield Step(f"By {self.names[one]}", self.said(one, outer))
        elif rule in _GIVEN:
            yield self.given(one, inside)
        elif is_bare(one):
            yield Step(sentence(self.words(one)), self.said(one, outer), sources(one))
        elif self.is_routine(one):
            yield from self.routine([one], outer)
        elif (short := self.short(one)) is not None:
            self.names[one] = "what was shown"
            said, again = self.said(one, outer), short[0]
            alone = len(short) == 1 and _repeats(again, said)
            yield Step(f"{FIRST}{self.fails(one)}", said, again.source if alone else "")
            yield from () if alone else short
        else:
            name = self.named(one, inside)
            said = self.said(one, outer)
            yield Step(sentence(self.fails(one)[2:]), said, "", name, tuple(self.proof(one, f"{name}.")))

    def short(self, one: Theorem) -> list[Step] | None:
        """The proof of a theorem that is used once, where that is short and has no lemmas; else nothing is said yet."""
        if self.uses[one] > 1 or not all(map(self.is_routine, one.made[1])):
            return None
        before = {name: copy(getattr(self, name)) for name in ("names", "counted", "labels", "letters", "told")}
        if len(found := self.proof(one, "")) <= SHORT:
            return found
        for name, value in before.items():
            setattr(self, name, value)
        return None

    def named(self, one: Theorem, inside: str) -> str:
        """The lemma's name from now on."""
        self.counted[inside] += 1
        self.names[one] = f"{inside or 'Lemma '}{self.counted[inside]}"
        return self.names[one]

    def is_routine(self, one: Theorem) -> bool:
        """Whether it is algebra, and all that it rests on."""
        if one not in self._routine:
            self._routine[one] = one.holds and one.made[0] in ROUTINE and all(map(self.is_routine, one.made[1]))
        return self._routine[one]

    def routine(self, those: Sequence[Theorem], outer: Theorem) -> list[Step]:
        """Algebra: one fact with what is below it folded, several in one fold."""
        those = [one for one in those if not _says_nothing(one)]
        found = [step for one in those if (step := self.fact(one, outer)) is not None]
        if len(found) < 2:
            return [step for one in found for step in _flat(one)]
        numbers = list(filter(None, map(self.numbers, those)))
        if len(numbers) == len(those):
            return [Step("Computed exactly", r",\quad ".join(numbers), "", "", tuple(found))]
        return [Step("These hold by algebra, with signs on the domain", "", "", "", tuple(found))]

    def numbers(self, one: Theorem) -> str:
        """The comparison of numbers to which a fact comes down; nothing where it is of others."""
        while not all(terms.of(node).is_number for node in one.statement.terms()):
            if len(set(one.made[1])) != 1:
                return ""
            one = one.made[1][0]
        return self.said(one, None, tidy=True)

    def fact(self, one: Theorem, outer: Theorem) -> Step | None:
        """A theorem of algebra; nothing where it is long, and has been said."""
        if one in self.names:
            again = self.said(one, outer)
            return Step("As before", again) if len(again) <= SHORT_AGAIN else None
        self.names[one] = "as before"
        below = self.routine(list(dict.fromkeys(one.made[1])), one)
        inner = below[0].steps if len(below) == 1 and not below[0].latex else tuple(below)
        if one.made[0] in _TOLD and not all(terms.of(node).is_number for node in one.statement.terms()):
            if one not in self.by_algebra:
                self.by_algebra[one] = [replace(step, source="") for step in _TOLD[one.made[0]](self, one)]
            inner = (*inner, *self.by_algebra[one])
        said = self.said(one, outer)
        return Step(sentence(self.words(one)), said, sources(one), "", tuple(x for x in inner if not _repeats(x, said)))

    def given(self, one: Theorem, inside: str) -> Step:
        """An atom's expansion: one that is believed, or a root's."""
        body = one.statement.body
        assert isinstance(body, Expanding)
        rule, premises, data = one.made
        label = terms.name(f"{GIVEN}{len(self.labels) + 1}")
        left = self.said(one, None, tidy=True)
        self.labels[terms.of(body.left)] = label
        said = f"{self.term(label)} = {left}"
        if rule == "leaf":
            methods = (terms.of(body.left).head.lower(), *data.get("by", ()))
            return Step("Given", said, ", ".join(f"engine: {by}" for by in methods))
        name = self.named(one, inside) if premises else ""
        return Step(
            sentence(self.words(one)), said, sources(one), name, tuple(self.before(one, f"{name}.")) if premises else ()
        )

    def before(self, one: Theorem, inside: str) -> Iterator[Step]:
        """What a theorem rests on."""
        premises = list(dict.fromkeys(one.made[1]))
        yield from self.routine([premise for premise in premises if self.is_routine(premise)], one)
        for premise in premises:
            if not self.is_routine(premise):
                yield from self.lemma(premise, one, inside)

    # --- statements ----------------------------------------------------------------------------------------

    def said(self, one: Theorem, outer: Theorem | None, refuted: bool = False, tidy: bool | None = None) -> str:
        """What a theorem says, but for conditions of the one to which it belongs; ``refuted``: that it fails has been said."""
        known = outer.statement.domain if outer else ()

        def change(node: Node) -> Node:
            return self.read(node, one.statement, outer is not None if tidy is None else tidy)

        kept = [condition for condition in one.statement.domain if condition not in known]
        domain = tuple(each.changed(change) if isinstance(each, Compared) else each for each in kept)
        body = one.statement.body.changed(change)
        shown = statement_tex(replace(one.statement, body=body, domain=in_chains(domain)), self.notation)
        return shown if one.holds or refuted else f"{NOT}{shown}"

    def fails(self, one: Theorem) -> str:
        """Where it fails, if it does: a point, or a path."""
        rule, _, data = one.made
        if rule == "witness" and data["at"]:
            return f"; it fails at ${self.values(data['at'])}$"
        if rule in ("path", "along", "along powers"):
            run = rf"{self.term(terms.name(data['runner']))} \to \infty"
            return f"; it fails along ${self.values(data['values'])},\\ {run}$, where every condition holds"
        if rule == "places" and isinstance(one.statement.body, Shape):
            low, high = (self.term(terms.read(str(x))) for x in data["at"])
            return f"; it fails between ${self.term(terms.name(one.statement.body.name))} = {low}$ and ${high}$"
        if (
            rule in ("negation", "all", "cases", "rewrite", "conditional", "apart", "limit law")
            and len(one.made[1]) == 1
        ):
            return self.fails(one.made[1][0])
        return ""


def in_chains(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """Conditions with the two ends of a variable in one chain; of one value, that.

    >>> from asymp.language.conditions import read_conditions
    >>> [str(one) for one in in_chains(read_conditions("whole a, 1 <= a, a <= 1, 0 <= b, b <= n"))]
    ['a = 1', '0 <= b <= n']
    """
    found, every = list[Condition](), list(conditions)
    for one in (one for one in every if not isinstance(one, OfKind)):
        last = found[-1] if found else None
        if isinstance(one, Compared) and isinstance(last, Compared) and one.parts[0] == last.parts[-1] and (
            {*one.signs, *last.signs} <= {"<", "<="} and one.parts[0].kind == "name"
        ):  # fmt: skip
            found[-1] = one = Compared((*last.parts[:-1], *one.parts), (*last.signs, *one.signs))
            if one.parts[0] == one.parts[2] and len(one.parts) == 3:
                found[-1] = Compared((one.parts[1], one.parts[2]), ("=",))
        else:
            found.append(one)
    equal = (one.parts for one in found if isinstance(one, Compared) and one.signs == ("=",))
    fixed = {one.text for one, value in equal if value.kind == "number" or OfKind(value.text, "whole") in every}
    return (*(one for one in every if isinstance(one, OfKind) and one.name not in fixed), *found)


def is_bare(one: Theorem) -> bool:
    """Whether its rule says all that there is to say."""
    rule, premises, _ = one.made
    return not premises and rule not in _TOLD and rule not in _GIVEN


def _says_nothing(one: Theorem) -> bool:
    """Whether it is that something is itself."""
    body = one.statement.body
    links = body.chain.pairs() if one.holds and isinstance(body, Comparison) else ()
    return {terms.of(left) == terms.of(right) and sign == "=" for left, sign, right in links} == {True}


def _repeats(step: Step, said: str) -> bool:
    """Whether a paragraph says no more than what has been said: a difference from 0, and no reason."""
    return step.latex == said and "(" not in step.rule and not step.steps


def _flat(step: Step) -> list[Step]:
    """A paragraph and the few that are folded below it, one after the other."""
    if len(step.steps) > SHORT or any(inner.steps or inner.name for inner in step.steps):
        return [step]
    return [replace(step, steps=()), *step.steps]


class _Written(dict[str, Any]):
    """Data of a rule as they stand among words: terms set, lists with commas."""

    def __init__(self, page: Page, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.page = page

    def __getitem__(self, key: str) -> Any:
        if key == "values":
            return f"${self.page.values(self.get(key, {}))}$"
        if key == "what each step adds, summed up":
            e = "" if self.get("exponent", "1") == "1" else f"^{{{self['exponent'][0].strip('$')}}}"
            if "slope" not in self:
                return "it starts above 0 and rises"
            return f"at $x = a(n)$, which tends to infinity, this is ${self.sequence(e)}$, and it is summed up"
        if key == "next":
            return self.page.inline(terms.add(terms.read(str(self.get("variable"))), terms.ONE))
        if key == "h":
            return self.page.inline(terms.read(str(self.get("by", [0])[0])))
        if key == "how often the two sides are equal":  # of the two sides of an equation at some points
            return (
                "at these points the sides are equal, or change order, twice"
                if self["at"]
                else "the sides are never equal"
            )
        value = self.get(key, "")
        parts = value if isinstance(value, list) else [value]
        return _Listed(self.page.inline(terms.read(str(part))) for part in parts if str(part))

    def sequence(self, e: str) -> str:
        """a(n + 1)^e - a(n)^e."""
        return f"{self.get('of', 'a')}(n + 1){e} - {self.get('of', 'a')}(n){e}"


class _Listed(list[str]):
    def __format__(self, _: str) -> str:
        return ", ".join(self)


_GIVEN = frozenset({"leaf", "root series"})
_TOLD: dict[str, Teller] = {
    "asymptotic": told_series.asymptotic, "path": told_series.path, "uniform": told_series.uniform,
    "bounded": told_series.oscillating, "along": told_series.oscillating,
    "algebra": told_sides.algebra, "sums": told_sides.sums, "bounds": told_sides.bounds, "order": told_sides.order,
    "boxes": told_covers.boxes, "line": told_covers.line, "witness": told_covers.witness,
    "rounding": told_covers.rounding,
    "chain": told_laws.chain, "relative": told_laws.relative, "conserved": told_laws.conserved,
    "population": told_laws.population,
}  # fmt: skip
"""What a derivation says of a step by each rule, where it says more than the rule's words."""
