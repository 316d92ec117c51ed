r"""Comparisons, told: what both sides are when they are multiplied out, or their difference and why it has its sign.

>>> from asymp.kernel.theorem import apply
>>> from asymp.prove.telling import Page
>>> one = apply("algebra", statement="x^2 + 1 >= x for x > 1")
>>> for step in algebra(Page({}), one): print(step.rule, "|", step.latex)
Left side less right side (by the ranges of its parts) | x^{2} + 1 - x \ge 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from asymp.claim import Step
from asymp.evidence import every
from asymp.kernel import terms
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.regime import ranges
from asymp.kernel.noted import Note
from asymp.kernel.rings.ratio import Ratio, to_term
from asymp.kernel.sequences.induction import one_link
from asymp.kernel.terms import Refused, Term, number
from asymp.kernel.theorem import Theorem
from asymp.prove import told_order
from asymp.prove.rule_words import WORDS
from asymp.prove.telling import SHORT, Page, sentence, sources
from asymp.prove.told_bounds import told
from asymp.prove.why import why_signs
from asymp.prove.written import MOST_PARTS, shortest, size_of

MOST_STEPS = 8
"""Steps of a proof by order that are not folded away."""


def algebra(page: Page, one: Theorem) -> Iterator[Step]:
    """Of each comparison what both sides are, or what the right one has more, and why that has its sign."""
    notes, source, at = page.heard(one), sources(one), domain_of(one)
    found = [note for note in notes if note.kind == "difference"]
    for k, note in enumerate(found):
        last = source if k == len(found) - 1 else ""
        left, right, gap = terms.of(note.of["left"]), terms.of(note.of["right"]), note.of["gap"]
        if note.of["sign"] == "=" or gap.is_zero:
            yield equal(page, (left, right), to_term(note.of["side"]), last, at)
        else:
            yield _gap(page, gap, note.of["sign"], why_signs(notes, gap, page.term), last, at)


def equal(page: Page, sides: tuple[Term, Term], value: Term, source: str, at: Domain) -> Step:
    """What both sides are."""
    if size_of(value) > MOST_PARTS or not (shown := page.brief(_factorials(value), at)):
        return Step("Multiplied out, both sides are the same", "", source)
    if shown in map(page.term, sides):
        return Step("Multiplied out, the left side is the right one", "", source)
    return Step("Multiplied out, both sides are", shown, source)


def _gap(page: Page, gap: Ratio, sign: str, why: str, source: str, at: Domain) -> Step:
    """The larger side less the other, and why that has its sign."""
    sides, value = ("Left side less right side", -gap) if sign[0] == ">" else ("Right side less left side", gap)
    reason = f" ({why})" if why else ""
    if not (written := page.brief(to_term(value), at)):
        return Step(f"{sides} is not negative{reason}", "", source)
    return Step(f"{sides}{reason}", f"{written} {_AGAINST[sign.replace('>', '<')]} 0", source)


_AGAINST = {"<": ">", "<=": r"\ge", "=": "="}
"""Of a comparison, the larger side less the other against 0."""


def domain_of(one: Theorem) -> Domain:
    """What ranges of single variables say on the domain of a theorem."""
    with suppress(Refused):
        return ranges(one.statement.domain)
    return Domain()


def _factorials(term: Term) -> Term:
    """The same with m! for the product of 1, ..., m."""
    if term.head == "Product" and term.parts[:2] == (Term("bound"), terms.ONE):
        return terms.call("factorial", term.parts[2])
    return terms.rebuilt(term, tuple(map(_factorials, term.parts))) if term.parts else term


# --- with sums, from others ------------------------------------------------------------------------------------


def sums(page: Page, one: Theorem) -> Iterator[Step]:
    """Of each comparison the premises with their factors, and what is left."""
    notes, source, premises = page.heard(one), sources(one), one.made[1]
    found = [note.of for note in notes if note.kind == "combined"]
    at = domain_of(one)
    for k, of in enumerate(found):
        last = source if k == len(found) - 1 else ""
        left, sign, right = of["pair"]
        meant = of["meant"]
        if not of["by"] and (sign == "=" or of["rest"].is_zero):
            value = to_term(of["side"])  # a long one is not said
            yield equal(page, (left, right), value if size_of(value) > MOST_PARTS else meant(value), last, at)
        elif not (of["rest"].is_zero and [factor for _, factor in of["by"]] == [number(1)]) or len(found) == 1:
            yield _combined(page, of, [premises[place] for place, _ in of["by"]], notes, last, at)


def _combined(
    page: Page, of: Mapping[str, Any], premises: Sequence[Theorem], notes: Sequence[Note], source: str, at: Domain
) -> Step:  # fmt: skip
    sign = of["pair"][1]
    rest = page.brief(_factorials(of["meant"](to_term(of["rest"]))), at)
    parts = list[str]()
    for (_, factor), premise in zip(of["by"], premises, strict=True):
        low, _, high = one_link(premise.statement)
        gap, factor = page.brief(terms.add(high, terms.negative(low)), at), shortest(factor, at, size_of)
        alone = len(of["by"]) == 1 and of["rest"].is_zero
        own = rf"\left({gap}\right)"
        parts.append((gap if alone else own) if factor == number(1) else rf"{_bracketed(page, factor)} {own}")
    why = "" if sign == "=" else why_signs(notes, of["rest"], page.term)
    total = " + ".join([*parts, *([rest] if rest != "0" or not parts else [])]).replace("+ -", "- ")
    if not rest or r"\left(\right)" in total or len(total) > SHORT or (sign == "=" and not premises):
        used = "what was shown" if parts else "algebra"
        if sign == "=":
            return Step(f"Multiplied out, the two sides are equal by {used}", "", source)
        said = f"The right side less the left is a sum by {used}, and of what has one sign{f' ({why})' if why else ''}"
        return Step(said, "", source)
    if of["rest"].is_zero and [factor for _, factor in of["by"]] == [number(1)]:
        return Step("This is what was shown, written otherwise", "", source)
    begin = f"Right side less left side{', by what was shown' if parts else ''}{f' ({why})' if why else ''}"
    sides = page.term(terms.add(of["pair"][2], terms.negative(of["pair"][0])))
    equal = f"{sides} = " if parts and total != sides and len(sides) < SHORT // 4 else ""
    return Step(begin, f"{equal}{total} {_AGAINST[sign]} 0", source)


def _bracketed(page: Page, factor: Term) -> str:
    shown = page.term(factor)
    return rf"\left({shown}\right)" if factor.head == "sum" else shown


# --- longer proofs -------------------------------------------------------------------------------------------


def bounds(page: Page, one: Theorem) -> Iterator[Step]:
    """Goals, each with those to which it comes down."""
    *found, last = _in_line(page, told(one.made[2], page.term, page.inline))
    yield from (*found, replace(last, source=sources(one)))


def _in_line(page: Page, steps: Iterable[Step]) -> Iterator[Step]:
    """Goals one after the other, each before those to which it comes down; of several that have a proof each is a part."""
    for step in steps:
        yield replace(step, steps=())
        if sum(1 for inner in step.steps if inner.steps) < 2:
            yield from _in_line(page, step.steps)
            continue
        for inner in step.steps:
            if inner.steps:
                page.counted["Part"] += 1
                name = f"Part {page.counted['Part']}"
                yield replace(inner, name=name, steps=tuple(_in_line(page, inner.steps)))
            else:
                yield inner


def order(page: Page, one: Theorem) -> Iterator[Step]:
    """What is known, step by step; a long proof is folded away."""
    if "Ranked(" in one.made[2]["statement"]:
        yield Step("Of values $f(j)$ the $i$-th smallest is written $\\left(f(j)\\right)_{(i)}$", "")
    steps, words = tuple(told_order.told(one.made[2], page.term)), sentence(WORDS["order"])
    if sum(1 for _ in every(steps)) > MOST_STEPS:
        page.counted["Part"] += 1
        yield Step(words, "", sources(one), f"Part {page.counted['Part']}", tuple(_in_line(page, steps)))
    else:
        yield Step(words, "", sources(one))
        yield from _in_line(page, steps)
