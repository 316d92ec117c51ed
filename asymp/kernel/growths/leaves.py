"""Leaves: of one atom that moves in a regime, the terms and the remainder that a method of the engine finds, on trust.

What an atom may be is a closed table: functions of rows from outside, for which there are methods from outside, each with where
it is defined.  Sums, integrals, products and all other functions are the kernel's own.  The label is made from its head.  Asked
are the conditions that make such a sentence one about something: the regime has a path, the atom a value in the end, and the
remainder a growth that is not 0.

>>> from asymp.kernel.theorem import apply
>>> along = {"place": {"scales": {"s": "n"}, "values": {"n": "s"}}, "runner": "k", "values": {"n": "k"}}
>>> f = next(name for name, (_, label) in BORROWED.items() if label.startswith("asymp/"))
>>> leaf = apply("leaf", statement=f"{f}(n, 1/2) = log(2) + O(1/n) as whole n -> oo", **along)
>>> f"engine: {f}" in leaf.trusts
True
>>> apply("leaf", statement=f"{f}(n, 2) = log(2) + O(1/n) as whole n -> oo", **along)
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: ... is not seen to be defined
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from asymp.functions.table import BORROWED
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
from asymp.kernel.terms import Refused, Term, canonical
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Expanding
from asymp.language.statement import Statement
from asymp.outside import entries

ORDER = 3
WORDS = frozenset(("number", "name", "sum", "product", "power", "log", "exp"))
"""What a leaf's terms may be made of, and no leaf is about."""
HEADS = frozenset(row.name for row, _ in BORROWED.values() if row.expanded)
"""What a leaf may be about."""


@rule("leaf", alone=True)
def _leaf(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """``atom = terms + O(growth)`` in a regime, as the engine's method for such atoms finds it.

    Data: statement, place (see regime), and a path of the regime: runner, values (see paths); ``by`` where methods from outside
    had a part in it, which are to be installed: what is trusted names them.

    The left side is one atom of the table; the right side is made of numbers, names, sums, products, powers, logarithms and
    exponentials alone, in what moves, so that no leaf states one atom by another.
    """
    statement = read_closed(data["statement"])
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
    a = Algebra(where.domain, ORDER)
    expander, whole = Expander(a, where.scales, where.leaves()), given([*statement.domain, *statement.regime]).whole

    def sign(term: Term) -> int:
        f = expander.series(where.put(term))
        return a.below(f)[0] if f.terms or f.rest else 0  # 0 by identity alone

    for part in atom.parts:
        expander.series(where.put(part))
    if not is_defined(atom.head, atom.parts, lambda t: {sign(t)}, lambda t: is_whole(t, whole)):
        raise Refused(f"{atom} is not seen to be defined")
    expander.series(where.put(terms.of(body.kept)))
    if sign(terms.of(body.growth)) == 0:
        raise Refused("a remainder O(0)")
    path_of(statement, data)
    others = data.texts("by") if "by" in data else []
    if missing := set(others) - {entry.label for entry in entries("methods")}:
        raise Refused(f"the method {min(missing)} is not installed")
    return Conclusion(statement, trusts=frozenset(f"engine: {one}" for one in (atom.head.lower(), *others)))


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
