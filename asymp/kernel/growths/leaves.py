"""Leaves: of one atom that moves in a regime, the terms and the remainder that a method of the engine finds, on trust.

What an atom may be is a closed table: sums, and functions of rows from outside, for which there are methods from outside, each
with where it is defined.  Integrals, products and all other functions are the kernel's own.  The label is made from its
head.  Asked are the conditions that make such a sentence one about something: the regime has a path, the atom a value in the end,
and the remainder a growth that is not 0.

>>> from asymp.kernel.theorem import apply
>>> along = {"place": {"scales": {"s": "n"}, "values": {"n": "s"}}, "runner": "k", "values": {"n": "k"}}
>>> leaf = apply("leaf", statement="Sum(1/j, (j, 1, n)) = log(n) + O(1) as whole n -> oo", **along)
>>> leaf, sorted(leaf.trusts)
(⊢ Sum(1/j, (j, 1, n)) = log(n) + O(1) as whole n -> oo, ['engine: sum'])
>>> apply("leaf", statement="Sum(1/j, (j, n, 1)) = log(n) + O(1) as whole n -> oo", **along)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: a Sum that is not seen to run forwards
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from asymp.functions.table import BORROWED, ROWS
from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.domain import given
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import dominated
from asymp.kernel.growths.paths import path_of
from asymp.kernel.growths.regime import Placed, moving, placed
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rings.defined import is_defined, is_whole
from asymp.kernel.rings.ratio import rational
from asymp.kernel.summation import linear
from asymp.kernel.terms import ONE, Refused, Term, canonical
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Expanding
from asymp.language.conditions import Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.outside import entries

ORDER = 3
WORDS = frozenset(("number", "name", "sum", "product", "power", "log", "exp"))
"""What a leaf's terms may be made of, and no leaf is about."""
EXPANDED = frozenset(
    ("bound", "floor", "ceiling", "Abs", "Min", "Max", "sign", "sqrt", "harmonic", "digamma", "factorial", "gamma", "loggamma")
)
"""What no leaf is about either: it is expanded here, or only hides an inequality."""
INFINITE = (terms.name("oo"), terms.negative(terms.name("oo")))
RANGED = frozenset(("Sum", "Product", "Integral"))
FUNCTIONS = frozenset(row.name for row in ROWS if row.expanded) - WORDS - EXPANDED
"""Functions of which it is known where they are defined."""
HEADS = frozenset(("Sum", *BORROWED))
"""What a leaf may be about."""


@rule("leaf")
def _leaf(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``atom = terms + O(growth)`` in a regime, as the engine's method for such atoms finds it.

    Data: statement, place (see regime), and a path of the regime: runner, values (see paths); ``by`` where methods from outside
    had a part in it, which are to be installed: what is trusted names them.

    The left side is one atom of the table; the right side is made of numbers, names, sums, products, powers, logarithms and
    exponentials alone, in what moves, so that no leaf states one atom by another.
    """
    statement = read_closed(data["statement"])
    if premises:
        raise Refused("a leaf has no premises")
    body = statement.body
    if not isinstance(body, Expanding) or body.order != "O" or statement.some or statement.uniform or not statement.regime:
        raise Refused("a leaf is an expansion with a remainder O(..) in a regime")
    atom, tending = terms.of(body.left), moving(statement)
    if atom.head not in HEADS or not terms.free(atom) & tending:
        raise Refused("a leaf is about one atom that moves")
    for node in (body.kept, body.growth):
        if any(part.head not in WORDS and terms.free(part) & tending for part in terms.walk(terms.of(node))):
            raise Refused("a leaf's terms are elementary in what tends")
    conditions = [node for c in statement.conditions() for node in c.terms() if node.kind != "tuple"]
    said = terms.free(atom).union(*(terms.free(terms.of(node)) for node in conditions))
    if strangers := (terms.free(terms.of(body.kept)) | terms.free(terms.of(body.growth))) - said:
        raise Refused(f"a leaf's terms name {min(strangers)}, of which nothing is said")
    where = placed(statement, data["place"])
    values = Values(statement, where)
    values.has_value(atom, values.cell, values.whole)
    values.expander.series(where.put(terms.of(body.kept)))
    if values.sign(terms.of(body.growth)) == 0:
        raise Refused("a remainder O(0)")
    path_of(statement, data)
    others = data.texts("by") if "by" in data else []
    if missing := set(others) - {entry.label for entry in entries("methods")}:
        raise Refused(f"the method {min(missing)} is not installed")
    return Conclusion(statement, trusts=frozenset(f"engine: {one}" for one in (atom.head.lower(), *others)))


class Values:
    """Whether atoms have values from some point on, as far as their ranges and their arguments tell."""

    def __init__(self, statement: Statement, where: Placed) -> None:
        self.where = where
        self.expander = Expander(Algebra(where.domain, ORDER), where.scales, where.leaves())
        conditions = [*statement.domain, *statement.regime]
        self.whole = given(conditions).whole
        tending = [c for c in statement.regime if isinstance(c, Tends)]
        tends = {c.term.text for c in tending if c.target == Node("name", c.target.column, "oo")}
        at_last = {linear.at_least(ONE, terms.name(name), self.whole) for name in tends & self.whole}
        self.cell = linear.system(conditions, self.whole)[0] | at_last  # from some point on
        self.loose: set[str] = set()
        """Indices of which it is not known where they lie."""

    def sign(self, term: Term) -> int:
        """The sign that a term has in the end; 0 only by identity.

        Raises:
            Refused: that is not seen.
        """
        f = self.expander.series(self.where.put(term))
        return self.expander.algebra.below(f)[0] if f.terms or f.rest else 0

    def has_value(self, term: Term, cell: linear.System, whole: AbstractSet[str], depth: int = 0) -> None:
        """That functions of what moves are defined, and ranges run forwards.

        Raises:
            Refused: a function that the engine does not know, or that is not seen.
        """
        if term.head in RANGED:
            body, low, high = term.parts
            steps = term.head != "Integral"
            if steps and not all(end in INFINITE or is_whole(end, whole) or _is_whole(end, whole) for end in (low, high)):
                raise Refused(f"a {term.head} whose ends are not seen to be whole")
            if not self._forwards(low, high, cell, whole, steps):
                raise Refused(f"a {term.head} that is not seen to run forwards")
            index = f"@{depth}"
            inside = whole | {index} if steps else whole
            within = cell
            if steps:
                for least, most in ((low, terms.name(index)), (terms.name(index), high)):
                    if least in INFINITE or most in INFINITE:
                        continue
                    try:
                        within = within | {linear.at_least(least, most, inside)}
                    except Refused:
                        self.loose.add(index)  # what is not linear says nothing here
            for part in (low, high):
                if part not in INFINITE:
                    self.has_value(part, cell, whole, depth + 1)
            self.has_value(terms.opened(body, terms.name(index)), within, inside, depth + 1)
            if steps and not depth:
                self._at_ends(body, low, high)
            return
        still = not any(name.startswith("@") for name in term.free)
        if still and all(part.head in WORDS | EXPANDED for part in terms.walk(term)):
            self.expander.series(self.where.put(term))
            return
        for part in term.parts:
            self.has_value(part, cell, whole, depth + 1)
        if term.head == "log" or (term.head == "power" and term.parts[1].is_number and term.parts[1].number < 0):
            _along(term, cell, whole - self.loose)
        if term.head in WORDS | EXPANDED:
            return
        if term.head not in FUNCTIONS:
            raise Refused(f"nothing is known of {term.head}")
        if still:
            for part in term.parts:
                self.expander.series(self.where.put(part))
            if not is_defined(term.head, term.parts, lambda t: {self.sign(t)}, lambda t: _is_whole(t, whole)):
                raise Refused(f"{term} is not seen to be defined")

    def _at_ends(self, body: Term, low: Term, high: Term) -> None:
        """That an elementary summand is defined at both ends: Sum(1/(k - n), (k, 1, n)) has no value."""
        for end in (low, high):
            summand = terms.opened(body, end)
            if terms.name("oo") not in (*end.parts, end) and all(part.head in WORDS for part in terms.walk(summand)):
                self.expander.series(self.where.put(summand))

    def _forwards(self, low: Term, high: Term, cell: linear.System, whole: AbstractSet[str], steps: bool) -> bool:
        """Whether low <= high, or the range of a sum ends just before it begins."""
        if high in INFINITE or low in INFINITE:
            return True
        high = terms.add(high, ONE) if steps else high
        try:
            if linear.implies(cell, linear.at_least(low, high, whole)):
                return True
        except Refused:
            pass
        try:
            return self.sign(terms.add(high, terms.negative(low))) >= 0
        except Refused:
            return False


def _along(term: Term, cell: linear.System, whole: AbstractSet[str]) -> None:
    """That what is linear in whole numbers is positive in a logarithm, and not 0 in a divisor: Sum(log(2 - k), (k, 1, n)).

    Raises:
        Refused: it may be.
    """
    inside = term.parts[0]
    try:
        above, below = linear.at_least(ONE, inside, whole), linear.at_least(ONE, terms.negative(inside), whole)
    except Refused:
        return  # what is not linear says nothing here
    if not linear.implies(cell, above) and (term.head == "log" or not linear.implies(cell, below)):
        raise Refused(f"{term} is not seen to be defined for every index")


def _is_whole(term: Term, whole: AbstractSet[str]) -> bool:
    try:
        return linear.is_whole(term, whole)
    except Refused:
        return False


def expander_of(premises: Sequence[Theorem], statement: Statement, placed_: Placed, algebra: Algebra) -> Expander:
    """What expands terms in the s_i; the atoms that theorems of the same regime speak of are known to it."""
    conditions = set(canonical(statement)[3])
    found: dict[Term, Series] = {}
    plain = Expander(algebra, placed_.scales, placed_.leaves())
    for premise in premises:
        other = premise.statement
        body = other.body
        if not premise.holds or not isinstance(body, Expanding) or other.some or other.uniform:
            raise Refused("a premise that is no expansion")
        if canonical(other)[4] != canonical(statement)[4] or not set(canonical(other)[3]) <= conditions:
            raise Refused("a premise of another regime or domain")
        atom = placed_.put(terms.of(body.left))
        if atom in found:
            raise Refused(f"a second premise of {terms.of(body.left)}")
        kept = plain.series(placed_.put(terms.of(body.kept)))
        growth = plain.series(placed_.put(terms.of(body.growth)))  # |growth| is at most a constant times its parts
        rest = [*kept.rest, *(g for _, g in growth.terms), *growth.rest]
        found[atom] = algebra.made(list(kept.terms), rest)
    whole = given((*statement.regime, *statement.domain)).whole
    return Expander(algebra, placed_.scales, {**found, **placed_.leaves()}, frozenset(placed_.put(terms.name(v)) for v in whole))


def all_used(premises: Sequence[Theorem], expander: Expander) -> None:
    """That what premises say of atoms was asked for.

    Raises:
        Refused: one was not.
    """
    if sum(atom.head != "name" for atom in expander.asked) < len(premises):  # what is near has a name
        raise Refused("a premise that is not used")


def agree(premises: Sequence[Theorem]) -> None:
    """That leaves of one atom, on which theorems rest, do not contradict each other.

    Raises:
        Refused: two say something else of one atom in one regime and domain, and their remainders do not hold the difference.
    """
    found: dict[Any, Theorem] = {}
    for leaf in _leaves(premises):
        body = leaf.statement.body
        assert isinstance(body, Expanding)
        own = canonical(leaf.statement)
        other = found.setdefault((terms.of(body.left), own[3], own[4]), leaf)
        if canonical(other.statement) != own:
            _within(leaf, other)


def _within(one: Theorem, other: Theorem) -> None:
    where = placed(one.statement, one.made[2]["place"], [other.statement])
    algebra = Algebra(where.domain, ORDER)
    expander, total, rest = Expander(algebra, where.scales, where.leaves()), Series(()), Series(())
    for sign, leaf in ((1, one), (-1, other)):
        body = leaf.statement.body
        assert isinstance(body, Expanding)
        total = algebra.add(total, algebra.scaled(expander.series(where.put(terms.of(body.kept))), rational(sign)))
        growth = expander.series(where.put(terms.of(body.growth)))
        rest = algebra.made([], [*rest.rest, *growth.rest, *(g for _, g in growth.terms)])
    if not all(dominated(g, rest.rest, algebra.domain) for g in (*(g for _, g in total.terms), *total.rest)):
        raise Refused(f"two leaves that contradict each other: {one.statement} and {other.statement}")


def _leaves(theorems: Sequence[Theorem]) -> Iterator[Theorem]:
    """The leaves on which theorems rest, each once."""
    todo, seen = list(theorems), set[int]()
    while todo:
        one = todo.pop()
        if id(one) not in seen:
            seen.add(id(one))
            todo += one.made[1]
            if one.made[0] == "leaf":
                yield one
