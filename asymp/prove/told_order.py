r"""A proof by the rule ``order`` as paragraphs: what each step adds to what is known, and how the goal is closed.

>>> said = "w(1) + x <= w(s) + x for function w(i), [w(i) <= w(j) for whole i, whole j, 1 <= i <= j <= s], whole s >= 1, x >= 0"
>>> from asymp.language.statement import read_statement
>>> from asymp.prove.order import holds
>>> for step in told(holds(read_statement(said)).made[2], str): print(step.rule, "|", step.latex)
By what is given | w(1) \le w(s)
By adding up what is known | x + w(1) \le x + w(s)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from asymp.claim import Step
from asymp.kernel.functions.order import Known, _forward
from asymp.kernel.functions.order_terms import Fact
from asymp.kernel.functions.statements import _read, _supposed
from asymp.kernel.noted import Note, listening
from asymp.kernel.terms import Term, name
from asymp.language.conditions import read_conditions
from asymp.language.statement_tex import condition_tex

Written = Callable[[Term], str]
AIM = "It remains to be shown"
_SIGNS = {"<=": r"\le", "<": "<", "=": "="}
_WORDS = {
    "use": "By what is given", "choose": "By which of these is the largest or the least", "whole": "Since both are whole",
    "bounds": "By what a maximum or minimum is", "put": "Putting one in for the other", "have": "It is shown that",
    "lemma": "It is shown that", "ranks": "Rank by rank", "within": "A ranked value is one of them",
    "ordered": "Ranked values are in order", "sums": "Term by term", "cut": "Cut into two sums", "one": "A sum of one term",
    "none": "A sum without terms", "linear": "By linearity", "swap": "In the other order of summation",
    "times": "Multiplied by what is not negative", "scale": "Multiplied by what is not negative",
    "cancel": "A common factor left out", "cauchy": "By Cauchy's inequality",
    "steady": "A map that nowhere falls keeps the order, and so the ranks", "higher": "Ranked values are in order",
    "extremes": "The first rank is the least value, the last the largest", "listed": "By the order of the values",
    "least": "A sum of what is not negative is at least each of its terms", "all": "All ranks are all values",
}  # fmt: skip
"""Of a step, before what it adds; others are called by their name."""


def told(data: Mapping[str, Any], written: Written) -> Iterator[Step]:
    """The steps of a proof, from the data of its rule; ``written``: how terms are set.

    Raises:
        Refused: it is none.
    """
    statement, known, goals = _read(data)
    teller = _Teller(written, len(known.said))
    known, _, first = teller.forward(known.also(*_supposed(statement, known)), goals[0], data["steps"], data["proofs"])
    yield from first
    for goal, proof in zip(goals, data["proofs"], strict=True):
        found = teller.proof(known, goal, proof)
        if len(goals) == 1:
            yield from found
        else:
            yield Step("It is shown that", teller.facts([goal]), steps=tuple(found))


def _numbers(data: Any) -> Iterator[int]:
    """All numbers in some steps: those of the facts that they use are among them."""
    if type(data) is int:
        yield data
    elif isinstance(data, list):
        for one in data:
            yield from _numbers(one)


class _Teller:
    """Goes through a proof that has been checked."""

    def __init__(self, written: Written, given: int) -> None:
        self.written, self.given = written, given

    def facts(self, facts: Sequence[Fact]) -> str:
        """Comparisons, set."""
        return r",\quad ".join(f"{self.written(a)} {_SIGNS[sign]} {self.written(b)}" for a, sign, b in facts)

    def forward(self, known: Known, goal: Fact, steps: Sequence[Any], later: Any) -> tuple[Known, Fact, list[Step]]:
        """What is known after some steps, the goal that is left, and a paragraph for each step that is used, or is ``later``."""
        found: list[Step] = []
        uses = [set(_numbers(later))]
        for one in reversed(steps):
            uses.insert(0, uses[0].union(_numbers(one)))
        for k, one in enumerate(steps):
            before, aim = known, goal
            with listening() as notes:
                known, goal = _forward(known, goal, one)
            added = {n: known.facts[n] for n in range(len(before.facts), len(known.facts)) if n in uses[k + 1]}
            new = [fact for fact in added.values() if fact not in before.facts]
            if goal != aim:  # the last of several goals is said
                if not (k + 1 < len(steps) and steps[k + 1][0] == "put" and steps[k + 1][2] is None):
                    found.append(Step(AIM, self.facts([goal])))
            elif one[0] == "have" and new:
                (a, sign, b), inner = new[0], self.proof(before, new[0], one[4])
                if len(inner) == 1 and inner[0].latex == self.facts(
                    new
                ):  # it is seen at once; turned round it is not said
                    found += inner if sign != "=" or (b, sign, a) not in before.facts else []
                else:
                    found.append(Step(_WORDS["have"], self.facts(new), steps=tuple(inner)))
            elif one[0] == "lemma":
                words = (
                    f"It is shown by induction on ${self.written(name(one[2]))}$ that" if one[2] else _WORDS["lemma"]
                )
                found.append(
                    Step(words, condition_tex(read_conditions(one[1])[0], {}), "", "", tuple(self.parts(one, notes)))
                )
            elif new:
                indicator = any(side.head == "AtMost" for side in (new[0][0], new[0][2])) and one[0] in (
                    "choose",
                    "bounds",
                )
                words = "By what an indicator is" if indicator else _WORDS.get(one[0], f"By the step {one[0]}")
                words = "By what is known so far" if one[0] == "use" and one[1] >= self.given else words
                found.append(Step(words, self.facts(new)))
        return known, goal, found

    def parts(self, lemma: Sequence[Any], notes: Sequence[Note]) -> Iterator[Step]:
        """The proofs in a lemma, by induction or not."""
        _, _, variable, proofs = lemma
        where = ("At its least value", "At the next value") if variable else ("",)
        for words, several in zip(where, proofs if variable else [proofs], strict=True):
            for of in (
                note.of for note in notes if note.kind == "follows" and any(note.of["proof"] is one for one in several)
            ):
                inner = tuple(self.proof(of["known"], of["goal"], of["proof"]))
                yield Step(
                    f"{words} it is shown that" if words else _WORDS["lemma"], self.facts([of["goal"]]), steps=inner
                )

    def proof(self, known: Known, goal: Fact, steps: Sequence[Any]) -> list[Step]:
        """The paragraphs of a proof."""
        known, goal, found = self.forward(known, goal, steps[:-1], steps[-1])
        match steps[-1]:
            case ["absurd", _]:
                return [*found, Step("Together these contradict each other", "")]
            case ["cases", x, y, first, second]:
                a, b = known.term(x), known.term(y)
                for case, proof in (((a, "<=", b), first), ((b, "<", a), second)):
                    inner = self.proof(known.also(case), goal, proof)
                    found.append(Step(f"Where ${self.facts([case])}$", self.facts([goal]), steps=tuple(inner)))
                return found
            case ["both", first, second]:
                for sign, proof in (("<=", first), (">=", second)):
                    aim = (goal[0], "<=", goal[2]) if sign == "<=" else (goal[2], "<=", goal[0])
                    found.append(
                        Step("It is shown that", self.facts([aim]), steps=tuple(self.proof(known, aim, proof)))
                    )
                return found
        while found and found[-1].rule == AIM:
            found.pop()
        said = found and found[-1].latex == self.facts([goal])
        return found if said else [*found, Step("By adding up what is known", self.facts([goal]))]
