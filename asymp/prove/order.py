"""Proofs of comparisons for all functions, with lemmas and by induction, and counterexamples.

:mod:`asymp.prove.order_search` looks for the proof of one comparison.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from asymp.kernel import terms
from asymp.kernel.functions import statements
from asymp.kernel.functions.order import Known, Said, _forward, inductive
from asymp.kernel.functions.order_terms import Fact
from asymp.kernel.terms import Refused, Term, name
from asymp.kernel.theorem import Theorem, apply
from asymp.language.conditions import Compared, Every, OfKind, read_conditions
from asymp.language.statement import Statement
from asymp.prove import first
from asymp.prove.order_asked import Steps
from asymp.prove.order_examples import MOST_TRIED, Values, choices, proved, some_example, started
from asymp.prove.order_parts import calls
from asymp.prove.order_search import FEW_NODES, MOST_NODES, Search


def holds(statement: Statement, lemmas: Sequence[str] = ()) -> Theorem:
    """The theorem that a statement of comparisons holds for all functions.

    Args:
        statement: closed.
        lemmas: what is proved on the way, each for all whole values of variables: "[w(n) >= 0 for whole n >= 0]".

    Raises:
        Refused: no proof is found.

    >>> from asymp.language.statement import read_statement
    >>> said = "w(0) = 0, [w(k + 1) = Max(w(k) - 1, 0) for whole k >= 0]"
    >>> holds(read_statement(f"w(n) <= 1 for function w(n), {said}, whole n >= 0")).holds
    True
    """
    known, goals, defined = started(statement)
    some = some_example(statement, known, defined)
    steps: Steps = []
    known = known.also(*statements._supposed(statement, known))
    for text in lemmas:
        one = _lemma(Search(defined), known, text)
        known, _ = _forward(known, goals[0], one)
        steps.append(one)
    proofs = []
    for goal in goals:
        proofs.append(_by_some_way(Search(defined), known, goal))
    return apply("order", statement=str(statement), some=some, steps=steps, proofs=proofs)


def _by_some_way(search: Search, known: Known, goal: Fact) -> Steps:
    def inductive() -> Steps:
        for text in _as_lemmas(search, known, goal):
            one = _inductive(search, known, text)
            within, _ = _forward(known, goal, one)
            return [one, *search.begun(within, goal)]
        raise Refused("no variable to go by")

    return first([lambda: search.begun(known, goal, FEW_NODES), inductive, lambda: search.begun(known, goal)])


def _as_lemmas(search: Search, known: Known, goal: Fact) -> Iterator[str]:
    """The goal for all values of its whole variables: what an induction is on."""
    free = terms.free(goal[0]) | terms.free(goal[2])
    moving = sorted(v for v in free & known.whole if any(
        v in terms.free(call) for call in calls(goal, search.defined)))  # fmt: skip
    if not moving:
        return
    over = [f"{a} {sign} {b}" for a, sign, b in known.facts if (terms.free(a) | terms.free(b)) & set(moving)]
    kinds = [f"whole {v}" for v in moving]
    text = f"[{goal[0]} {goal[1]} {goal[2]} for {', '.join([*kinds, *over])}]"
    fresh: dict[str, Term] = {}
    for v in moving:
        letter = f"{v}_"
        while letter in known.taken or letter in known.functions:
            letter += "_"
        fresh[v] = name(letter)
    yield _renamed(text, fresh)


def _renamed(text: str, fresh: Mapping[str, Term]) -> str:
    """What is said, with new names for its variables."""
    (c,) = read_conditions(text)
    assert isinstance(c, Every)

    def put(term: Any) -> str:
        return str(terms.substitute(terms.of(term), fresh))

    chain = put(c.chain.parts[0]) + "".join(f" {sign} {put(b)}" for _, sign, b in c.chain.pairs())
    over = [f"{put(a)} {sign} {put(b)}" for one in c.over if isinstance(one, Compared) for a, sign, b in one.pairs()]
    return f"[{chain} for {', '.join([*(f'whole {fresh[one.name]}' for one in c.over if isinstance(one, OfKind)), *over])}]"


def _lemma(search: Search, known: Known, text: str) -> Any:
    """A lemma with its proof: at once, or by induction."""
    (c,) = read_conditions(text)
    fresh = {}
    for v in sorted(c.bound):
        letter = v
        while letter in known.taken or letter in known.functions:
            letter += "_"
        fresh[v] = name(letter)
    text = _renamed(text, fresh)
    said = _said(known, text)

    def directly(most: int) -> Any:
        within = known.with_whole(*said.names).also(*said.over)
        return ["lemma", text, None, [search.begun(within, goal, most) for goal in said.chain]]

    ways = [lambda: directly(FEW_NODES), lambda: _inductive(search, known, text), lambda: directly(MOST_NODES)]
    return first([ways[1], ways[0], ways[2]] if _sum_that_grows(said) else ways)


def _sum_that_grows(said: Said) -> bool:
    """Whether a sum stands there whose end is a variable: a step is one more term."""
    sums = [part for fact in said.chain for side in (fact[0], fact[2]) for part in terms.walk(side) if part.head == "Sum"]
    return any(terms.free(part.parts[2]) & set(said.names) for part in sums)


def _said(known: Known, text: str) -> Said:
    (condition,) = read_conditions(text)
    if not isinstance(condition, Every):
        raise Refused(f"a lemma is written [w(n) >= 0 for whole n], not {text}")
    return statements.said_of(known, condition)


def _inductive(search: Search, known: Known, text: str) -> Any:
    """A lemma by induction on one of its variables, whichever works."""
    said = _said(known, text)
    why = Refused(f"no variable to go by in {text}")
    for n in said.names:
        try:
            proofs = [[search.begun(there, fact) for fact in goals] for there, goals in inductive(known, said, n)]
            return ["lemma", text, n, proofs]
        except Refused as error:
            why = error
    raise why


def fails(statement: Statement) -> Theorem:
    """The theorem that a statement of comparisons fails: at the simplest functions and numbers at which it does.

    Raises:
        Refused: no counterexample is found.

    >>> from asymp.language.statement import read_statement
    >>> fails(read_statement("f(n + 1) <= f(n) for function f(n), [f(n) >= 0 for whole n], whole n"))
    ⊢ not: f(n + 1) <= f(n) for function f(n), [f(n) >= 0 for whole n], whole n
    """
    known, goals, defined = started(statement)
    supposed = statements._supposed(statement, known)
    for some in choices(statement, known, defined, MOST_TRIED):
        values = Values(statement, known, some)
        try:
            place = next((k for k, goal in enumerate(goals) if not values.holds(goal)), None)
            if place is None or not all(map(values.holds, [*known.facts, *supposed])) or not values.near():
                continue
            made = proved(statement, known, some)
            plain, meanings, numbers = statements.chosen(statement, known, made)
            here = [statements.here(fact, numbers, meanings) for fact in (*supposed, goals[place])]
            search = Search(defined)
            proofs = [search.begun(plain, fact) for fact in here[:-1]]
            left, sign, right = here[-1]
            above = sign == "=" and values.of(goals[place][0]) < values.of(goals[place][2])
            opposite = (left, "<", right) if above else (right, "<=" if sign == "<" else "<", left)
            data: dict[str, Any] = {"some": made, "supposed": proofs, "place": place, "proof": search.begun(plain, opposite)}
            return apply("order fails", statement=str(statement), **data | ({"above": above} if sign == "=" else {}))
        except Refused:
            continue
    raise Refused("no counterexample is found among the simplest")
