r"""Comparisons, told: what both sides are when they are multiplied out, or their difference and why it has its sign.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.telling import Page
>>> one = apply("algebra", statement="x^2 + 1 >= 2*x for x > 0")
>>> for step in algebra(Page({}), one): print(step.rule, "|", step.latex)
Left side less right side | \left(x - 1\right)^{2} \ge 0
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import Ratio, to_term
from asymp.kernel.terms import Refused, Term, number
from asymp.kernel.theorem import Theorem
from asymp.prove import told_order
from asymp.prove.rule_words import WORDS
from asymp.prove.telling import SHORT, Page, heard, listed, sentence, sources
from asymp.prove.told_bounds import told
from asymp.prove.written import in_factors

MOST_STEPS = 8
"""Steps of a proof by order that are not folded away."""
WHY = {
    "terms": "its terms have that sign",
    "ranges": "its terms have that sign when variables are written by their distances from the ends of their ranges",
    "one variable": "its Bernstein coefficients on the range of its variable have that sign",
    "quadratic": "a quadratic whose discriminant is not positive",
    "logarithms": "the logarithm of a product, which is compared with 1",
    "exponentials": "by the logarithms of its two terms",
    "hypotheses": "a condition of the domain times what has a sign",
    "tangents": r"since $1 - \frac{1}{y} \le \ln y \le y - 1$",
    "truncated": "a sum over the index of the sums in it, all of whose terms have that sign",
}


class Signs:
    """Why polynomials have the signs that a rule has seen."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self.seen = {frozenset(note.of["of"].items()): note.of for note in notes if note.kind == "sign"}

    def why(self, x: Ratio) -> str:
        """Of a value: why its numerator has its sign; empty where that is plain, or was not asked."""
        found = self.seen.get(frozenset(x.num.items()))
        while found is not None and found["way"] == "factors":
            found = self.seen.get(frozenset(found["rest"].items()))
        if found is None or (found["way"] == "terms" and len(found["of"]) == 1):
            return ""
        return WHY.get(found["way"], "")


def algebra(page: Page, one: Theorem) -> Iterator[Step]:
    """Of each comparison what both sides are, or what the right one has more, and why that has its sign."""
    notes, source = heard(one), sources(one)
    signs, found = Signs(notes), [note for note in notes if note.kind == "difference"]
    for k, note in enumerate(found):
        last = source if k == len(found) - 1 else ""
        left, right, gap = terms.of(note.of["left"]), terms.of(note.of["right"]), note.of["gap"]
        if note.of["sign"] == "=":
            yield equal(page, (left, right), to_term(note.of["side"]), last)
        else:
            yield _gap(page, gap, note.of["sign"], signs.why(gap), last)


def equal(page: Page, sides: tuple[Term, Term], value: Term, source: str) -> Step:
    """What both sides are."""
    shown = page.term(_in_factors(value))
    if len(shown) > SHORT:
        return Step("Multiplied out, both sides are the same", "", source)
    if shown in map(page.term, sides):
        return Step("Multiplied out, the one side is the other", "", source)
    return Step("Multiplied out, both sides are", shown, source)


def _gap(page: Page, gap: Ratio, sign: str, why: str, source: str) -> Step:
    """The larger side less the other, and why that has its sign."""
    sides, value = ("Left side less right side", -gap) if sign[0] == ">" else ("Right side less left side", gap)
    written, reason = page.value(value), f" ({why})" if why else ""
    if len(written) > SHORT:
        return Step(f"{sides} is not negative{reason}", "", source)
    return Step(f"{sides}{reason}", f"{written} {_AGAINST[sign.replace('>', '<')]} 0", source)


_AGAINST = {"<": ">", "<=": r"\ge", "=": "="}
"""Of a comparison, the larger side less the other against 0."""


def _in_factors(term: Term) -> Term:
    """As it is, or in factors, whichever is shorter."""
    from asymp.kernel.growths.growth import Domain

    try:
        other = in_factors(Domain().value(term))
    except Refused:
        return term
    return min(term, other, key=lambda x: sum(1 for _ in terms.walk(x)))


# --- with sums, from others ------------------------------------------------------------------------------------


def sums(page: Page, one: Theorem) -> Iterator[Step]:
    """Of each comparison the premises with their factors, and what is left."""
    notes, source, premises = heard(one), sources(one), one.made[1]
    signs, found = Signs(notes), [note.of for note in notes if note.kind == "combined"]
    for k, of in enumerate(found):
        last = source if k == len(found) - 1 else ""
        left, sign, right = of["pair"]
        meant = of["meant"]
        if not of["by"] and sign == "=":
            yield equal(page, (left, right), meant(to_term(of["side"])), last)
            continue
        yield _combined(page, of, [premises[place] for place, _ in of["by"]], signs, last)


def _combined(page: Page, of: Mapping[str, Any], premises: Sequence[Theorem], signs: Signs, source: str) -> Step:
    sign = of["pair"][1]
    rest = page.term(_in_factors(of["meant"](to_term(of["rest"]))))
    parts = []
    for (_, factor), premise in zip(of["by"], premises, strict=True):
        (pair,) = premise.statement.body.chain.pairs()  # type: ignore[union-attr]
        low, high = (terms.of(pair[0]), terms.of(pair[2])) if pair[1][0] in "<=" else (terms.of(pair[2]), terms.of(pair[0]))
        gap = page.term(terms.add(high, terms.negative(low)))
        parts.append(rf"\left({gap}\right)" if factor == number(1) else rf"{_bracketed(page, factor)} \left({gap}\right)")
    why = "" if sign == "=" else signs.why(of["rest"])
    total = " + ".join([*parts, *([rest] if rest != "0" or not parts else [])]).replace("+ -", "- ")
    if len(total) > SHORT:
        used = "the inequality above" if len(parts) == 1 else "those above"
        return Step(f"The right side less the left is a sum by {used}, and of what has one sign", "", source)
    begin = "Right side less left side" + (f", by what was shown ({listed(why_ for why_ in [why] if why_)})" if why and parts else
                                            f" ({why})" if why else ", by what was shown" if parts else "")
    return Step(begin, f"{total} {_AGAINST[sign]} 0", source)


def _bracketed(page: Page, factor: Term) -> str:
    shown = page.term(factor)
    return rf"\left({shown}\right)" if factor.head == "sum" else shown


# --- longer proofs -------------------------------------------------------------------------------------------


def bounds(page: Page, one: Theorem) -> Iterator[Step]:
    """Goals, each with those to which it comes down."""
    for goal in told(one.made[2], page.term, page.inline):
        yield replace(goal, source=sources(one))


def order(page: Page, one: Theorem) -> Iterator[Step]:
    """What is known, step by step; a long proof is folded away."""
    steps, words = tuple(told_order.told(one.made[2], page.term)), sentence(WORDS["order"])
    if len(steps) > MOST_STEPS:
        yield Step(words, "", sources(one), steps=steps)
    else:
        yield Step(words, "", sources(one))
        yield from steps
