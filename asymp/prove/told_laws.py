r"""Theorems on chains and populations, told: their moves, the weights of a law, and what is checked of these.

The weights are written down, so that balance can be checked by hand; of a law that was told before only its letter is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.chains.stated import LEVEL, TOTAL, WEIGHT
from asymp.kernel.growths.growth import Domain
from asymp.kernel.terms import ONE, Term
from asymp.kernel.theorem import Theorem
from asymp.language.chains import read_definition, read_kind
from asymp.language.conditions import Condition, read_conditions
from asymp.language.populations import Population, read_transitions_of
from asymp.language.statement_tex import condition_tex
from asymp.language.syntax import Node
from asymp.language.transitions import Move
from asymp.prove.telling import SHORT, Page, sentence, sources
from asymp.prove.written import labelled, tidied

_OF = {
    "jumps": "the probability of a state at a jump is its weight over the sum $Q$ of all weights",
    "time": "the fraction of time in a state is $q/r$ over the sum of $q/r$, as a visit lasts $1/r$ in the mean",
    "completions": "the fraction of completions that leave a state is its weight over the sum of those of the states in "
    "which time passes",
    "leaving": "in this state the rates of all moves add up to this",
    "throughput": "completions per unit of time are the sum of $q$ over the sum of $q/r$, in the states in which time passes",
    "mean": "a mean over time is the sum of its values times $q/r$, over the sum of $q/r$",
    "border": "the mean drift of a line of jobs that wait before the chain is the rate of arrivals less the completions per unit "
    "of time, the sum of $q$ over the sum of $q/r$ in the states in which time passes: up to that rate it is positive recurrent",
}


def chain(page: Page, one: Theorem) -> Iterator[Step]:
    """The weights of the law, and what follows."""
    data = one.made[2]
    yield from _law(page, data)
    word, _ = read_kind(dict(read_definition(data["chain"]).functions)[data["function"]])
    yield Step(f"So {_OF[word]}" if word in _OF else "So it is by the law", "", sources(one))


def relative(page: Page, one: Theorem) -> Iterator[Step]:
    """The law, and the terms that are h up to a number."""
    data = one.made[2]
    yield from _law(page, data)
    if (key := terms.name(f"{data['chain']} {data['given']} {data['relative']}")) in page.told:
        yield Step("With the $h$ of before", "", sources(one))
        return
    page.told[key] = "h"
    pieces, of = zip(data["law"], data["relative"], strict=True), read_definition(data["chain"])
    calls = [
        terms.call(f, *map(terms.name, of.parameters)) for f, kind in of.functions if read_kind(kind)[0] == "throughput"
    ]
    t = dict.fromkeys(calls, terms.name("T"))
    found = [(r"h = " + page.term(labelled(terms.read(value), t)), _where(page, piece)) for piece, value in pieces]
    said = "the mean of $h$ after the next move, plus $1 - T/r$ where time passes; $T$ is the throughput"
    yield from _several(
        f"In every state $h$ is {said}. By identity this holds, up to a number that is added, for", _cases(found)
    )
    yield Step(
        "There is one closed class, so that no other $h$ does; the number makes its mean over time 0", "", sources(one)
    )


def conserved(page: Page, one: Theorem) -> Iterator[Step]:
    """What rises as much as it falls."""
    data = one.made[2]
    yield from _law(page, data)
    c, jobs, share = (page.inline(terms.read(data[key])) for key in ("c", "jobs", "share"))
    said = f"In the long run {c} rises as much as it falls: a job raises it by {share}, and there are {jobs} of them in a state"
    yield Step(said, "", sources(one))


def _law(page: Page, data: Mapping[str, Any]) -> Iterator[Step]:
    """The weights of a law with what is checked, or that they were told before."""
    key = terms.name(f"{data['chain']} {data['given']} {data['law']}")
    if key in page.told:
        yield Step(f"With the weights ${page.told[key]}$ of before", "")
        return
    page.counted["q"] += 1
    q = page.told[key] = "q" if page.counted["q"] == 1 else f"q_{{{page.counted['q']}}}"
    found = read_definition(data["chain"])
    yield from _several("The moves of the chain are", [_move(page, move) for move in found.moves])
    pieces = []
    for piece in data["law"]:
        rate = "" if piece["rate"] is None else rf"\ (r = {page.term(terms.read(piece['rate']))})"
        pieces.append((f"{q} = {page.term(terms.read(piece['is']))}{rate}", _where(page, piece)))
    timed = any(piece["rate"] is not None for piece in data["law"])
    left = ", with the total rate $r$ at which they are left" if timed else ""
    yield from _several(f"Weights of the states{left}", _cases(pieces))
    into = f"the sum, over the moves into it, of ${q}$ where they come from times their probability"
    yield Step(f"These balance: ${q}$ of a state is {into}; put in, this is an identity in each state", "")
    home = f"to the state ({', '.join(data['home'])})"
    if isinstance(data["home"], str):
        home = f"to the state with ${_conditions(page, read_conditions(data['home']))}$"
    yield Step(f"From every state moves lead {home}, so that ${q}$ over its sum is the one stationary law", "")


def _where(page: Page, piece: Mapping[str, Any]) -> str:
    """The states of a piece, in LaTeX."""
    if piece.get("ranges"):
        found = []
        for v, low, high in piece["ranges"]:
            ends = [page.term(terms.read(end)) for end in (low, high)]
            name = page.term(terms.name(v))
            found.append(f"{name} = {ends[0]}" if low == high else rf"{ends[0]} \le {name} \le {ends[1]}")
        return r",\ ".join(found)
    return _conditions(page, read_conditions(piece["where"])) if piece.get("where") else ""


def _conditions(page: Page, conditions: Sequence[Condition]) -> str:
    return r",\ ".join(condition_tex(c, page.notation) for c in conditions)


def _cases(found: Sequence[tuple[str, str]]) -> list[str]:
    return [f"{value}\\ ({where})" if where else value for value, where in found]


def _several(words: str, formulas: Sequence[str]) -> Iterator[Step]:
    """Formulas in one line where they are few and short, else each in its own."""
    together = r",\quad ".join(formulas)
    if len(together) <= SHORT // 2 or len(formulas) == 1:
        yield Step(words, together)
        return
    for k, formula in enumerate(formulas):
        yield Step("" if k else words, formula)


def _move(page: Page, move: Move) -> str:
    ends = [r",\ ".join(page.term(terms.of(node)) for node in end) for end in (move.source, move.target)]
    many = len(move.source) > 1
    arrow = r" \to ".join(f"\\left({end}\\right)" if many else end for end in ends)
    how = r"\text{ at rate }" if move.takes_time else r"\text{ with probability }"
    where = rf"\ ({_conditions(page, move.where)})" if move.where else ""
    return f"{arrow}{how}{_node(page, move.weight)}{where}"


def _node(page: Page, node: Node) -> str:
    return page.term(terms.of(tidied(node)))


# --- a population -----------------------------------------------------------------------------------------------


def population(page: Page, one: Theorem) -> Iterator[Step]:
    """The law by detailed balance, and both sides by it."""
    data = one.made[2]
    found = read_transitions_of(data["chain"])
    assert isinstance(found, Population)
    s, k, size = found.counted, found.level, page.term(terms.of(found.size))
    low, high = (page.term(terms.of(node)) for node in (found.low, found.high))
    yield from _several("The moves of an object are", [_move(page, move) for move in found.moves])
    weight, of_total = (terms.read(data[key]) for key in ("weight", "of_total"))
    count = f"{page.term(terms.name(s))}({page.term(terms.name(k))})"
    total, more = "", ""
    if found.total is not None and of_total != ONE:
        given = terms.multiply(terms.of(found.total[1]), Term(s, (terms.name(k),)))
        more = rf",\quad {page.term(terms.name(found.total[0]))} = \sum_{{{k}}} {page.term(given)}"
        total = rf"\, {page.term(of_total)}"
    product = rf"\prod_{{{k} = {low}}}^{{{high}}} \frac{{w({k})^{{{count}}}}}{{{count}!}}"
    law = rf"q = {size}! {product}{total},\quad w({k}) = {page.term(weight)}{more}"
    yield Step("Weights of the states", law)
    steps = sorted({by for by in map(_by, found.moves, [k] * len(found.moves)) if by > 0})
    for d in steps or [1]:
        apart = f"$s'$ has one object fewer than $s$ at ${k}$ and one more at ${k} + {d}$"
        yield Step(
            f"Where {apart}, $q(s)$ times the rate from $s$ to $s'$ is $q(s')$ times the rate back, by identity", ""
        )
    home = "to that with all objects at one end"
    yield Step(
        f"From every state moves lead {home}, so that $q/Z$, $Z$ being the sum of all $q$, is the one stationary law",
        "",
    )
    (of,) = (note.of for note in page.heard(one) if note.kind == "means")
    put = {WEIGHT.name: terms.name("Z"), TOTAL.name: terms.name("m"), LEVEL.name: terms.name(k)}
    put |= {count.name: Term(s, (level,)) for level, count in of["counts"].items()}
    sums = []
    for one_sum in of["sums"]:
        page.counted["T_"] += 1
        put[one_sum.stands.name] = letter = terms.name(f"T_{page.counted['T_']}")
        factor = page.term(terms.substitute(one_sum.factor, put))
        inside = rf"\prod_{{{k}}} \left({factor}\right)^{{{count}}}"
        if one_sum.single:
            only = one_sum.only and page.term(Term(s, (one_sum.only,)))
            inside = only or rf"\sum_{{{k}}} {count}" + ("" if factor == "1" else rf" \cdot {factor}")
        sums.append(rf"{page.term(letter)} = \sum_s q(s) {inside}")
    if sums:
        yield Step("Write", r",\quad ".join(sums))
    sides = [page.brief(terms.substitute(_readable(side), put)) for side in of["sides"]]
    if all(sides):
        yield Step("By this law the two sides are", r"\quad\text{and}\quad ".join(sides))
    powers = (
        r"by the multinomial theorem sums over states of $N! \prod_k x_k^{s(k)}/s(k)!$ are $\left(\sum_k x_k\right)^N$"
    )
    integrals = any(part.head == "Integral" for side in of["sides"] for part in terms.walk(side))
    by_gamma = of_total != ONE and bool(sums or integrals)
    yield Step("These are equal" + (f": {powers}" if sums or integrals else ""), "", "" if by_gamma else sources(one))
    if by_gamma:
        more = r"where $m!$ stands in them $\int_0^\infty t^m e^{-t}\,dt$ is put for it, and the sum taken inside"
        yield Step(sentence(more), "", sources(one))


def _readable(side: Term) -> Term:
    """The same with q for the probability of the state, whose name no text has."""
    if not side.parts:
        return side
    parts = tuple(map(_readable, side.parts))
    return terms.rebuilt(side, parts) if side.head.isidentifier() else Term("q", parts)


def _by(move: Move, level: str) -> int:
    """By how many levels a move leads; 0 where that is no number."""
    gap = terms.add(terms.of(move.target[0]), terms.negative(terms.name(level)))
    found = Domain().value(gap).constant()
    return int(found) if found is not None else 0
