"""Statements for all functions: what a domain says of functions, whether there are such functions, and the two rules.

A domain declares functions of whole numbers, and says in [ ] what holds for all whole values of variables.  There are such
functions if there is one choice of numbers for the variables and of terms for some of the functions of which all holds, and
the others are *defined*: by one equation ``[f(x, y) = ... for whole x, whole y, ...]``, or by recursion on one argument,
``[f(m, b, i) = ... ]`` (of one argument ``f(0) = ...``) and ``[f(m, n + 1, i) = ... for whole n >= b, ...]``, in which
f(..., n, ...) may stand on the right.  Several may be defined together, by such recursions that start at one place.
Where nothing is said such a function may have any values.

What is shown to fail is shown to fail for such a choice.

>>> from asymp.kernel.theorem import apply
>>> said = "w(1) + x <= w(s) + x for function w(i), [w(i) <= w(j) for whole i, whole j, 1 <= i <= j <= s], whole s >= 1, x >= 0"
>>> steps = [["use", 0, ["1", "s"], [[], [[0, "1"]], []]]]
>>> some = {"values": {"s": "1", "x": "0"}, "functions": {"w": [["i"], "i"]}, "defined": [], "said": [[[["linear", [[1, "1"]]]]]],
...     "held": [[["linear", []]], [["linear", []]]]}
>>> apply("order", statement=said, some=some, steps=steps, proofs=[[["linear", [[2, "1"]]]]])
⊢ w(1) + x <= w(s) + x for function w(i), [w(i) <= w(j) for 1 <= i <= j <= s, whole i, whole j], whole s >= 1, x >= 0
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import Data, items, table, terms_in, texts, whole
from asymp.kernel.domain import given
from asymp.kernel.functions import (
    products,  # noqa: F401  # its steps
    ranked,
)
from asymp.kernel.functions.order import Known, Said, _forward, apart, compared, each, follows, said_of, written
from asymp.kernel.functions.order_terms import Fact, has_binder, interpreted, normal
from asymp.kernel.terms import CONSTANTS, ONE, Refused, Term, add, name, negative
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import And, Comparison, If
from asymp.language.conditions import Compared, Condition, Every, OfFunction, OfKind
from asymp.language.meanings import MEANT
from asymp.language.names import BINDERS
from asymp.language.statement import Statement

Meanings = Mapping[str, tuple[tuple[str, ...], Term]]


def known_of(statement: Statement) -> Known:
    """What a statement's domain says, in the order in which it stands.

    Raises:
        Refused: a condition of another kind, a function of a name that has a meaning, a term that has none.
    """
    domain = statement.domain
    if statement.some or statement.uniform or statement.regime:
        raise Refused("a statement for all of a domain is wanted")
    declared = [c for c in domain if isinstance(c, OfFunction)]
    where = given(c for c in domain if not isinstance(c, Every))
    functions = {c.name: len(c.arguments) for c in declared}
    if len(functions) < len(declared) or set(functions) & MEANT:
        raise Refused("a function that is declared twice, or has a meaning already")
    taken: set[str] = set(where.of_kind)
    taken |= {v for node in statement.body.terms() for v in terms.free(terms.of(node))}
    for c in domain:
        taken |= {v for node in c.terms() for v in terms.free(terms.of(node))} - c.bound
    if taken & (functions.keys() | CONSTANTS):
        raise Refused("a variable that is a function or a constant")
    known = Known(frozenset(taken), where.whole, functions, frozenset(c.name for c in declared if c.kind == "whole"))
    raw = [fact for c in domain if isinstance(c, Compared) for fact in written(c)]
    facts: list[Fact] = []
    for left, sign, right in sorted(raw, key=lambda fact: _mentions(fact, [*functions, *BINDERS])):
        # each has a meaning where those before it hold
        _defined(known.also(*facts), (left, sign, right))
        facts.append((known.checked(left), sign, known.checked(right)))
    facts = [fact for c in domain if isinstance(c, Compared) for fact in compared(known, c)]
    if any(not isinstance(c, (OfFunction, OfKind, Compared, Every)) for c in domain):
        raise Refused("a condition of another kind")
    return known.also(*facts)


def _with_said(known: Known, domain: Sequence[Condition]) -> Known:
    for c in domain:
        if isinstance(c, Every):
            said, put = said_of(known, c), apart(known, c)
            within = replace(known, taken=known.taken.union(said.names), whole=known.whole.union(said.names))
            for part in (*(one for one in c.over if not isinstance(one, OfKind)), c.chain):
                for fact in written(part, put):
                    _defined(within.also(*said.over), fact)
            known = replace(known, said=(*known.said, said))
    # w(0) = 0 may give where a recursion starts
    given = [fact for c in domain if isinstance(c, Compared) for fact in compared(known, c)]
    return replace(known, said=(*known.said, *(
        Said((), (fact,), ()) for fact in given if fact[1] == "=" and fact[0].head in known.functions)))  # fmt: skip


def _defined(known: Known, fact: Fact) -> None:
    """That both sides have a meaning: arguments of functions are whole, and ranks are among the values.

    Raises:
        Refused: that is not seen at once, from one or two facts.
    """
    for side in (fact[0], fact[2]):
        _meaning(known, side, 0)


def _meaning(known: Known, term: Term, depth: int) -> None:
    if term.head in known.functions and not all(known.is_whole(normal(part)) for part in term.parts):
        raise Refused(f"{term} is not seen to have whole arguments")
    if term.head in BINDERS:
        for part in term.parts[1:]:
            _meaning(known, part, depth)
        body, low, high, *rank = term.parts[0], *map(normal, term.parts[1:])
        if not all(map(known.is_whole, (low, high, *rank))):
            raise Refused(f"{term} is not seen to have whole ends")
        wanted = [(ONE, r) for r in rank] + [(r, normal(add(high, negative(low), ONE))) for r in rank]
        for a, b in wanted or [(normal(add(low, negative(ONE))), high)]:
            _at_once(known, (a, "<=", b))
        variable = f"b{depth}"
        while variable in known.taken or variable in known.functions:
            variable += "_"
        within = known.with_whole(variable).also((low, "<=", name(variable)), (name(variable), "<=", high))
        _meaning(within, ranked.at(body, name(variable)), depth + 1)
        return
    for part in term.parts:
        _meaning(known, part, depth)


def _at_once(known: Known, fact: Fact) -> None:
    places = range(len(known.facts))
    for by in ([], *([[k, "1"]] for k in places), *([[j, "1"], [k, "1"]] for j in places for k in places if j < k)):
        try:
            known.holds(fact, by)
        except Refused:
            continue
        return
    raise Refused(f"{fact[0]} <= {fact[2]} is not seen at once")


# --- there are such functions --------------------------------------------------------------------------------


def chosen(statement: Statement, known: Known, some: Any) -> tuple[Known, Meanings, dict[str, Term]]:
    """What is known of the defined functions, for numbers and terms for the others, of which the domain is shown to hold.

    ``some``: ``values`` of variables, ``functions`` as arguments and term, the ``defined`` ones in order, each with the places
    of its equations in what is said (or several, with the places for each), and proofs of what is ``said`` besides, and of the
    comparisons that are to be ``held``.
    """
    if set(table(some)) != {"values", "functions", "defined", "said", "held"}:
        raise Refused("a choice is values, functions, defined, said, held")
    equations = [_together(*items(one, 2)) for one in items(some["defined"])]
    functions, numbers = table(some["functions"]), terms_in(some["values"])
    defined = [f for group in equations for f, _ in group]
    if len(set(defined)) < len(defined) or set(functions) | set(defined) != known.functions.keys():
        raise Refused("each function is chosen or defined")
    if set(numbers) != known.taken:
        raise Refused("a number for each variable, and for no other")
    clauses = _well_defined(known, equations)
    plain = Known(frozenset(), frozenset(), {f: known.functions[f] for f in defined}, frozenset())
    meanings, values = {}, {}
    for f, (own, written_) in ((f, items(one, 2)) for f, one in functions.items()):
        arguments = texts(own)
        within = replace(plain, functions={}).with_whole(*arguments)
        body = within.term(written_)
        if f in defined or len(arguments) != known.functions[f] or has_binder(body):
            raise Refused("a function is chosen by a term without ranges in its arguments")
        if f in known.whole_valued and not within.is_whole(body):
            raise Refused(f"{f} is to have whole values")
        meanings[f] = (tuple(arguments), body)
    for v in known.taken:
        values[v] = numbers[v]
        if not values[v].is_number or (v in known.whole and values[v].number.denominator != 1):
            raise Refused(f"a number of its kind for {v}")
    there = [there_of(said, values, meanings) for said in known.said]
    plain = replace(plain, said=tuple(one for k, one in enumerate(there) if k in clauses))
    others = [one for k, one in enumerate(there) if k not in clauses]
    for one, proofs in zip(others, items(some["said"], len(others)), strict=True):
        each(plain.with_whole(*one.names).also(*one.over), one.chain, proofs)
    each(plain, [here(fact, values, meanings) for fact in known.facts], some["held"])
    return plain, meanings, values


def there_of(said: Said, values: Mapping[str, Term], meanings: Meanings) -> Said:
    """What is said, for a choice."""
    own = {v: x for v, x in values.items() if v not in said.names}
    return Said(said.names, *(tuple(here(fact, own, meanings) for fact in part) for part in (said.chain, said.over)))


def here(fact: Fact, values: Mapping[str, Term], meanings: Meanings) -> Fact:
    """A comparison, for a choice of numbers and functions."""
    left, right = (normal(interpreted(terms.substitute(side, values), meanings)) for side in (fact[0], fact[2]))
    return left, fact[1], right


def _mentions(fact: Fact, functions: Sequence[str]) -> bool:
    return any(part.head in functions for side in (fact[0], fact[2]) for part in terms.walk(side))


Group = list[tuple[str, list[int]]]
"""Functions that are defined together, each with the places of its equations in what is said."""


def _together(functions: Any, places: Any) -> Group:
    if type(functions) is str:
        return [(functions, [whole(k) for k in items(places)])]
    names, each_ = texts(functions), items(places)
    return [(f, [whole(k) for k in items(own)]) for f, own in zip(names, items(each_, len(names)), strict=True)]


def _well_defined(known: Known, groups: Sequence[Group]) -> set[int]:
    """That the equations of the defined functions have a solution: each is made of itself as far as it goes, and those before.

    The places of these equations in what is said.
    """
    found: set[int] = set()
    for k, group in enumerate(groups):
        own, later = [f for f, _ in group], [f for after in groups[k + 1 :] for f, _ in after]
        recursions = {}
        for f, places in group:
            if f in known.whole_valued or f not in known.functions or not 1 <= len(places) <= 2 or found & set(places):
                raise Refused(f"{f} is defined by one equation, or by two")
            found |= set(places)
            if len(set(places)) < len(places) or not all(0 <= place < len(known.said) for place in places):
                raise Refused("the number of what is said")
            clauses = [known.said[place] for place in places]
            for said in clauses:
                if len(said.chain) != 1 or said.chain[0][1] != "=" or said.chain[0][0].head != f:
                    raise Refused(f"{f} is defined by equations, with {f} on the left")
                if any(_mentions(fact, [*later, *own]) for fact in said.over) or _mentions(said.chain[0], later):
                    raise Refused(f"{f} is defined by what is defined after it, or where it is defined by itself")
            if len(clauses) == 1:
                _variables(clauses[0], clauses[0].chain[0][0].parts)
                if _mentions((clauses[0].chain[0][2], "=", ONE), own):
                    raise Refused(f"{f} is defined by itself")
            else:
                recursions[f] = clauses[0], clauses[1]
        if len(group) > 1 and len(recursions) < len(group):
            raise Refused("what is defined together is defined by recursion")
        for f in recursions:
            _recursion(f, recursions)
    return found


def _variables(said: Said, parts: Sequence[Term]) -> list[str]:
    found = [part.name for part in parts if part.head == "name" and part.name in said.names]
    if len(found) < len(parts) or len(set(found)) < len(found) or set(found) != set(said.names):
        raise Refused("a definition is for arguments that are different variables, and for no other")
    return found


def _recursion(f: str, recursions: Mapping[str, tuple[Said, Said]]) -> None:
    """That a recursion goes down to where it starts: what stands on the right is of n, and starts at the same place."""
    base, step = recursions[f]
    first, second = base.chain[0][0].parts, step.chain[0][0].parts
    places = [k for k, part in enumerate(second) if part.head != "name"]
    if len(places) != 1:
        raise Refused(f"{f} is defined by recursion on one argument")
    (r,) = places
    n = normal(add(second[r], negative(ONE)))
    others = [k for k in range(len(second)) if k != r]
    _variables(step, [*(second[k] for k in others), n])
    own = _variables(base, [first[k] for k in others])
    if terms.free(first[r]) & (set(base.names) - set(own)) or (normal(_start(base, second, r)), "<=", n) not in step.over:
        raise Refused(f"the recursion for {f} is to start where it is given")
    if _mentions((base.chain[0][2], "=", ONE), list(recursions)):
        raise Refused(f"{f} is given by itself")
    for part in terms.walk(step.chain[0][2]):
        if part.head not in recursions:
            continue
        there, after = recursions[part.head]
        at_ = [k for k, one in enumerate(after.chain[0][0].parts) if one.head != "name"]
        if at_ != [r] or part.parts[r] != n:
            raise Refused(f"{f} is defined by what comes later, or by another argument")
        if normal(_start(there, part.parts, r)) != normal(_start(base, second, r)):
            # f(m, n + 1) by f(m + 1, n) from n = -2 m on goes down for ever
            raise Refused(f"{f} is defined by what starts elsewhere")


def _start(base: Said, arguments: Sequence[Term], r: int) -> Term:
    """Where the recursion on argument r starts, at these others."""
    first = base.chain[0][0].parts
    put = {first[k].name: part for k, part in enumerate(arguments) if k != r and first[k].head == "name"}
    return terms.substitute(first[r], put)


# --- rules -----------------------------------------------------------------------------------------------------


def _read(data: Mapping[str, Any]) -> tuple[Statement, Known, list[Fact]]:
    """The statement, what its domain says and what it supposes, and what it says, a comparison after the other."""
    statement = read_closed(data["statement"])
    known = _with_said(known_of(statement), statement.domain)
    body = statement.body.left if isinstance(statement.body, If) else statement.body
    goals = []
    for part in body.parts if isinstance(body, And) else (body,):
        if not isinstance(part, Comparison):
            raise Refused("comparisons are wanted")
        goals += compared(known, part.chain)
    return statement, known, goals


def _meant(statement: Statement, known: Known, supposed: Sequence[Fact]) -> None:
    """That what is supposed has a meaning, and what is said where that holds."""
    body = statement.body
    if isinstance(body, If):
        assert isinstance(body.right, Comparison)
        for fact in written(body.right.chain):
            _defined(known, fact)
        body = body.left
    for part in body.parts if isinstance(body, And) else (body,):
        assert isinstance(part, Comparison)
        for fact in written(part.chain):
            _defined(known.also(*supposed), fact)


def _supposed(statement: Statement, known: Known) -> list[Fact]:
    if not isinstance(statement.body, If):
        return []
    if not isinstance(statement.body.right, Comparison):
        raise Refused("what is supposed is a comparison")
    return compared(known, statement.body.right.chain)


@rule("order", alone=True)
def _order(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """A statement of comparisons: there are such functions (``some``), and after common ``steps`` a proof of each.

    What is supposed need not hold anywhere: a statement with ``if`` may be about nothing.
    """
    statement, known, goals = _read(data)
    chosen(statement, known, data["some"])
    supposed = _supposed(statement, known)
    _meant(statement, known, supposed)
    known = known.also(*supposed)
    for one in data.listed("steps"):
        if items(one)[:1] == ["put"] and one[2:] == [None]:
            raise Refused("no goal to put into yet")
        known, _ = _forward(known, goals[0], one)
    each(known, goals, data["proofs"])
    return Conclusion(statement)


@rule("order fails", alone=True)
def _order_fails(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """That a statement of comparisons fails: for one choice, in comparison number ``place``; ``above``: an equation fails so.

    ``supposed`` are proofs of what it supposes, and ``proof`` is one of the opposite comparison.
    """
    statement, known, goals = _read(data)
    place = data.whole("place")
    if not 0 <= place < len(goals):
        raise Refused("the number of a comparison")
    plain, meanings, values = chosen(statement, known, data["some"])
    supposed = _supposed(statement, known)
    _meant(statement, known, supposed)
    each(plain, [here(fact, values, meanings) for fact in supposed], data["supposed"])
    left, sign, right = here(goals[place], values, meanings)
    if sign == "=":
        opposite = (left, "<", right) if data.flag("above") else (right, "<", left)
    else:
        opposite = (right, "<" if sign == "<=" else "<=", left)
    follows(plain, opposite, data["proof"])
    return Conclusion(statement, holds=False)
