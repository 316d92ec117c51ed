"""Comparisons for all functions: what follows from what is said of them, step by step.

A proof is a list of steps.  Each adds a fact to those that are known, and the last closes the goal f <= g, f < g or f = g.
A *fact* is a comparison; what is known for all whole numbers that obey conditions is *said*.  ``by`` is a combination: pairs
of a fact's number and a factor.  With factors c_j >= 0 (any, of equations) f <= g follows if g - f less the sum of
c_j (g_j - f_j) is a number >= 0.

The steps:

* ``use, k, values, by``: what is said in place k, at whole values; a combination for each of its conditions;
* ``choose, term, place, by``: Max or Min is its part in that place, a combination for each part; AtMost(x, y) is 1 (place 1)
  where x <= y, and 0 (place 0) where y < x;
* ``bounds, term``: each part of a Max is at most it, of a Min at least it, and 0 <= AtMost <= 1;
* ``whole, f``: x < y for whole x and y is x + 1 <= y;
* ``have, left, sign, right, proof``: a fact that is proved;
* ``lemma, said, variable, proofs``: what is said for all, proved; of a variable, by induction;
* ``put, f, g``: the fact g, or where g is none the goal, with the right side of the equation f for its left;
* those of :mod:`asymp.kernel.functions.ranked` and :mod:`asymp.kernel.functions.products`;
* closing, ``linear, by``; ``absurd, by``: the facts contradict each other; ``cases, x, y, proof, proof``: of x <= y and of
  y < x; ``both, proof, proof``: an equation by <= and by >=.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gmpy2 import mpq

from asymp.kernel import domain, terms
from asymp.kernel.data import items, text
from asymp.kernel.functions.order_terms import Fact, Polynomial, gap, normal, only_of, replaced, total
from asymp.kernel.noted import noted
from asymp.kernel.rings.defined import is_whole
from asymp.kernel.terms import CONSTANTS, ONE, ZERO, Refused, Term, add, name, substitute
from asymp.language.conditions import Compared, Condition, Every, OfKind, read_conditions

Steps = Sequence[Any]
MOST_FACTS = 3_000
DEEPEST = 60


@dataclass(frozen=True)
class Said:
    """For all whole values of variables that obey conditions: comparisons."""

    names: tuple[str, ...]
    chain: tuple[Fact, ...]
    over: tuple[Fact, ...]

    def at(self, values: Mapping[str, Term]) -> Said:
        """With terms for variables of its own or others."""
        put = [tuple(_put(fact, values) for fact in facts) for facts in (self.chain, self.over)]
        return Said(tuple(v for v in self.names if v not in values), *put)


def _put(fact: Fact, values: Mapping[str, Term]) -> Fact:
    return normal(substitute(fact[0], values)), fact[1], normal(substitute(fact[2], values))


@dataclass(frozen=True)
class Known:
    """What is known at a place of a proof; ``taken`` are all variables there, ``functions`` each with its arity."""

    taken: frozenset[str]
    whole: frozenset[str]
    functions: Mapping[str, int]
    whole_valued: frozenset[str]
    facts: tuple[Fact, ...] = ()
    said: tuple[Said, ...] = ()
    depth: int = 0

    def term(self, found: Any) -> Term:
        """A term in the variables and functions here."""
        return self.checked(terms.read(text(found)))

    def checked(self, term: Term) -> Term:
        """A term in normal form, if it is one in the variables and functions here."""
        only_of(term, self.functions)
        if not terms.free(term) <= self.taken:
            raise Refused(f"{min(terms.free(term) - self.taken)} is no variable here")
        return normal(term)

    def fact(self, left: Any, sign: Any, right: Any) -> Fact:
        """A comparison in a proof."""
        if text(sign) not in ("<=", "<", "="):
            raise Refused("a comparison is by <=, < or =")
        return self.term(left), sign, self.term(right)

    def place(self, k: Any) -> Fact:
        """The fact of that number."""
        if type(k) is not int or not 0 <= k < len(self.facts):
            raise Refused("the number of a fact")
        return self.facts[k]

    def also(self, *facts: Fact) -> Known:
        """With more facts."""
        if len(self.facts) + len(facts) > MOST_FACTS:
            raise Refused("too many facts")
        return replace(self, facts=(*self.facts, *facts))

    def with_whole(self, *variables: Any) -> Known:
        """With new whole variables.

        Raises:
            Refused: one is not new.
        """
        for one in variables:
            if type(one) is not str or terms.read(one) != name(one) or one in self.taken | CONSTANTS | self.functions.keys():
                raise Refused(f"{one} is no new variable")
        if len(set(variables)) < len(variables):
            raise Refused("a variable twice")
        return replace(self, taken=self.taken.union(variables), whole=self.whole.union(variables))

    def with_reals(self, *variables: Any) -> Known:
        """With new variables of which nothing is known."""
        return replace(self.with_whole(*variables), whole=self.whole)

    def is_whole(self, term: Term) -> bool:
        """Whether a term is seen to have whole values."""
        return is_whole(term, self.whole, valued=self.whole_valued | {"AtMost"})

    def holds(self, fact: Fact, by: Any) -> None:
        """That a comparison follows by a combination of facts.

        Raises:
            Refused: it does not.
        """
        rest, strict, equations = self._rest(gap(fact), by)
        least = rest.get((), mpq(0))
        if set(rest) - {()} or least < 0 or (fact[1] == "=" and (least or not equations)):
            raise Refused(f"{fact[0]} {fact[1]} {fact[2]} does not follow")
        if fact[1] == "<" and not (least or strict):
            raise Refused(f"{fact[0]} < {fact[2]} does not follow: <= does")

    def _rest(self, found: Polynomial, by: Any) -> tuple[Polynomial, bool, bool]:
        """What combinations leave; whether a strict comparison is among them, and whether all are equations."""
        strict, equations, parts = False, True, [(mpq(1), found)]
        for k, factor in (items(pair, 2) for pair in items(by)):
            used = self.place(k)
            c = terms.read(text(factor))
            if not c.is_number or (c.number < 0 and used[1] != "="):
                raise Refused("an inequality times what may be negative")
            strict = strict or (used[1] == "<" and c.number > 0)
            equations = equations and used[1] == "="
            parts.append((-c.number, gap(used)))
        return total(parts), strict, equations

    def absurd(self, by: Any) -> None:
        """That a combination of facts says 0 <= c for a number c < 0, or 0 < 0."""
        rest, strict, _ = self._rest({}, by)
        least = rest.get((), mpq(0))
        if set(rest) - {()} or least < 0 or (not least and not strict):
            raise Refused("the facts do not contradict each other so")


# --- steps ------------------------------------------------------------------------------------------------


Step = Callable[[Known, Sequence[Any]], Known]
STEPS: dict[str, Step] = {}


def step(kind: str) -> Callable[[Step], Step]:
    """Registers a step that adds to what is known."""

    def register(function: Step) -> Step:
        STEPS[kind] = function
        return function

    return register


def follows(known: Known, goal: Fact, proof: Steps) -> None:
    """That a goal follows from what is known, by a proof.

    Raises:
        Refused: a step does not go through, or the goal is still open at the end.
    """
    known = replace(known, depth=known.depth + 1)
    if known.depth > DEEPEST or type(proof) is not list or not proof:
        raise Refused("no proof, or one too deep")
    for one in proof[:-1]:
        known, goal = _forward(known, goal, one)
    kind, *data = items(proof[-1]) or [None]
    match kind, data:
        case "linear", [by]:
            known.holds(goal, by)
        case "absurd", [by]:
            known.absurd(by)
        case "cases", [x, y, first, second]:
            a, b = known.term(x), known.term(y)
            follows(known.also((a, "<=", b)), goal, first)
            follows(known.also((b, "<", a)), goal, second)
        case "both", [first, second] if goal[1] == "=":
            follows(known, (goal[0], "<=", goal[2]), first)
            follows(known, (goal[2], "<=", goal[0]), second)
        case _:
            raise Refused(f"the step {kind} does not close a goal")


def _forward(known: Known, goal: Fact, one: Any) -> tuple[Known, Fact]:
    kind, *data = items(one) or [None]
    if text(kind) == "put":
        f, g = items(data, 2)
        old, sign, new = known.place(f)
        if sign != "=" or old.head in ("number", "sum", "product"):
            raise Refused("what is put in are the right sides of equations of parts")
        left, relation, right = goal if g is None else known.place(g)
        changed = (replaced(left, old, new), relation, replaced(right, old, new))
        return (known, changed) if g is None else (known.also(changed), goal)
    if kind not in STEPS:
        raise Refused(f"no step {kind}")
    return STEPS[kind](known, data), goal


@step("use")
def _use(known: Known, data: Sequence[Any]) -> Known:
    k, values, by = items(data, 3)
    if type(k) is not int or not 0 <= k < len(known.said):
        raise Refused("the number of what is said")
    said = known.said[k]
    found = dict(zip(said.names, map(known.term, items(values, len(said.names))), strict=True))
    if not all(map(known.is_whole, found.values())):
        raise Refused("a value that is not seen to be whole")
    there = said.at(found)
    for fact, pairs in zip(there.over, items(by, len(there.over)), strict=True):
        known.holds(fact, pairs)
    return known.also(*there.chain)


@step("choose")
def _choose(known: Known, data: Sequence[Any]) -> Known:
    which, k, by = items(data, 3)
    term = known.term(which)
    if type(k) is not int or not 0 <= k < 2 + len(term.parts):
        raise Refused("the number of a part")
    if term.head == "AtMost":
        if k > 1:
            raise Refused("AtMost is 0 or 1")
        low, high = term.parts
        known.holds((low, "<=", high) if k == 1 else (high, "<", low), items(by, 1)[0])
        return known.also((term, "=", ONE if k == 1 else ZERO))
    if term.head not in ("Max", "Min"):
        raise Refused("a Max, a Min or an AtMost")
    if k >= len(term.parts):
        raise Refused("the number of a part")
    chosen = term.parts[k]
    for part, pairs in zip(term.parts, items(by, len(term.parts)), strict=True):
        known.holds((part, "<=", chosen) if term.head == "Max" else (chosen, "<=", part), pairs)
    return known.also((term, "=", chosen))


@step("bounds")
def _bounds(known: Known, data: Sequence[Any]) -> Known:
    (which,) = items(data, 1)
    term = known.term(which)
    match term.head:
        case "Max":
            return known.also(*((part, "<=", term) for part in term.parts))
        case "Min":
            return known.also(*((term, "<=", part) for part in term.parts))
        case "AtMost":
            return known.also((ZERO, "<=", term), (term, "<=", ONE))
    raise Refused("a Max, a Min or an AtMost")


@step("whole")
def _whole(known: Known, data: Sequence[Any]) -> Known:
    left, sign, right = known.place(*items(data, 1))
    if sign != "<" or not (known.is_whole(left) and known.is_whole(right)):
        raise Refused("a strict comparison of whole numbers")
    return known.also((normal(add(left, ONE)), "<=", right))


@step("have")
def _have(known: Known, data: Sequence[Any]) -> Known:
    left, sign, right, proof = items(data, 4)
    found = known.fact(left, sign, right)
    follows(known, found, proof)
    return known.also(found)


@step("lemma")
def _lemma(known: Known, data: Sequence[Any]) -> Known:
    said_, variable, proofs = items(data, 3)
    condition, *more = read_conditions(text(said_))
    if more or not isinstance(condition, Every):
        raise Refused("a lemma is said for all whole values of its variables")
    if known.taken & condition.bound:
        raise Refused(f"{min(known.taken & condition.bound)} is no new variable")
    said = said_of(known, condition)
    if variable is None:
        each(known.with_whole(*said.names).also(*said.over), said.chain, proofs)
    else:
        _by_induction(known, said, text(variable), proofs)
    return replace(known, said=(*known.said, said))


def _by_induction(known: Known, said: Said, n: Any, proofs: Any) -> None:
    for (there, goals), own in zip(inductive(known, said, n), items(proofs, 2), strict=True):
        each(there, goals, own)


def inductive(known: Known, said: Said, n: Any) -> list[tuple[Known, list[Fact]]]:
    """What is known, and to be shown, for n = b, and for n + 1 from n >= b, of all values of those other variables that do not
    stand in b.

    Raises:
        Refused: n >= b is not what is said of n.
    """
    about = [fact for fact in said.over if n in _free(fact)]
    others = tuple(fact for fact in said.over if fact not in about)
    if n not in said.names or len(about) != 1 or about[0][1:] != ("<=", name(n)) or n in terms.free(about[0][0]):
        raise Refused(f"of {n} it is to be said that it is at least something, and nothing else")
    start = about[0][0]
    within = known.with_whole(*(v for v in said.names if v != n))
    if not within.is_whole(start):
        raise Refused("an induction that does not start at a whole number")
    moving = tuple(v for v in said.names if v != n and v not in terms.free(start))
    later = known.with_whole(*said.names).also(*others, about[0])
    later = replace(later, said=(*later.said, Said(moving, said.chain, others)))
    base, step = ([_put(fact, {n: value}) for fact in said.chain] for value in (start, add(name(n), ONE)))
    return [(within.also(*others), base), (later, step)]


def each(known: Known, goals: Sequence[Fact], proofs: Any) -> None:
    """That goals follow, a proof for each."""
    for goal, proof in zip(goals, items(proofs, len(goals)), strict=True):
        noted("follows", known=known, goal=goal, proof=proof)
        follows(known, goal, proof)


def _free(fact: Fact) -> frozenset[str]:
    return terms.free(fact[0]) | terms.free(fact[2])


def said_of(known: Known, condition: Every) -> Said:
    """A condition for all whole values of its variables, which are kept apart from others of the same name.

    Raises:
        Refused: one of them is a constant or a function.
    """
    put = apart(known, condition)
    names = tuple(new.name for new in put.values())
    within = replace(known, taken=known.taken.union(names), whole=known.whole.union(names))
    over = tuple(fact for c in condition.over if not isinstance(c, OfKind) for fact in compared(within, c, put))
    return Said(names, tuple(compared(within, condition.chain, put)), over)


def apart(known: Known, condition: Every) -> dict[str, Term]:
    """The variables of what is said for all of them, and what they are called beside those that are known."""
    names = [c.name for c in condition.over if isinstance(c, OfKind)]
    if set(names) & (CONSTANTS | known.functions.keys()) or len(set(names)) < len(names):
        raise Refused("a variable that is a function or a constant")
    used = {*known.taken, *known.functions, *names}
    found: dict[str, Term] = {}
    for v in names:
        new = v
        while new in used and (new != v or v in known.taken):
            new += "_"
        used.add(new)
        found[v] = name(new)
    return found


def compared(known: Known, condition: Condition, put: Mapping[str, Term] | None = None) -> list[Fact]:
    """The comparisons of a chain, by <=, < and =, in normal form."""
    found = []
    for a, sign, b in written(condition, put):
        found.append((known.checked(a), sign, known.checked(b)))
    return found


def written(condition: Condition, put: Mapping[str, Term] | None = None) -> list[Fact]:
    """The comparisons of a chain as they are written, of which it is asked whether they have a meaning."""
    if not isinstance(condition, Compared):
        raise Refused(f"{condition} is no comparison")
    found = []
    for low, sign, high in domain.compared(condition):
        found.append((substitute(low, put or {}), sign, substitute(high, put or {})))
    return found
