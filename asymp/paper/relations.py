r"""The relations that a statement says: single ones, what links of a chain say together, and terms with names for their parts.

>>> from asymp.language.statement import read_statement
>>> first, second = relations(read_statement("f = g <= h").body)
>>> [str(one.right) for one in linked([first, second])]
['h']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from asymp.kernel.terms import BINDERS, Refused, Term, canonical, name, of, rebuilt
from asymp.language.statement import And, Body, Comparison, Eventual, Expanding, Limiting, Ordering, Ratio, Statement
from asymp.language.syntax import Node
from asymp.latex.same import flat


@dataclass(frozen=True)
class Relation:
    """One relation between terms without defined names: ``left sign right``, and what more it has (the growth of an O)."""

    left: Any
    sign: str
    right: Any
    more: tuple[Any, ...] = ()

    @property
    def key(self) -> tuple[Any, ...]:
        """What it has in common with others that say the same: ``a >= b`` is ``b <= a``."""
        if self.sign.startswith(">"):
            return (self.right, self.sign.replace(">", "<"), self.left)
        return (self.left, self.sign, self.right, *self.more)

    def then(self, other: Relation) -> Relation | None:
        """What both say together of the first side and the last; None where that is nothing."""
        if self.right != other.left or self.more:
            return None
        if self.sign == "=":
            return replace(other, left=self.left)
        if other.sign == "=" and not other.more:
            return replace(self, right=other.right)
        if self.sign == other.sign and self.sign in ("<", "<=", ">", ">=", "~"):
            return replace(self, right=other.right)
        if {self.sign, other.sign} in ({"<", "<="}, {">", ">="}):
            return Relation(self.left, self.sign[0], other.right)
        return None


def relations(body: Body) -> list[Relation]:
    """The relations that a body says, in order; one of another form is one relation of its own."""
    match body:
        case And():
            return [one for part in body.parts for one in relations(part)]
        case Comparison():
            return [Relation(term(left), sign, term(right)) for left, sign, right in body.chain.pairs()]
        case Eventual():
            return [Relation(term(body.left), body.sign, term(body.right))]
        case Ratio():
            return [Relation(term(body.left), "~", term(body.right))]
        case Limiting():
            return [Relation(term(body.left), "->", term(body.value))]
        case Ordering():
            return [Relation(term(body.left), body.order, term(body.growth))]
        case Expanding():
            return [Relation(term(body.left), "=", term(body.kept), (body.order, term(body.growth)))]
    return [Relation(canonical(Statement(body))[0], "", None)]


def term(node: Node) -> Any:
    """A term in canonical form, its quotients of products as one product: ``1/(a*b)`` and ``(1/a)*b^(-1)`` are one.

    >>> from asymp.language.syntax import Parser
    >>> term(Parser("P(poisson(n) <= x)/2").whole()) == term(Parser("1/2*P(poisson(n) <= x)").whole())
    True

    What is no term of numbers, as E(gamma(a, b)), is one by its text.
    """
    try:
        return of(_without_events(flat(node)))
    except Refused:
        return name(str(node))


def _without_events(node: Node) -> Node:
    """A node with each event ``X <= x``, which is no term, as a function named by its sign."""
    parts = tuple(map(_without_events, node.parts))
    return Node("call", node.column, node.text, parts) if node.kind == "event" else node.of(parts)


def opaque(term: Term, named: dict[Any, str], kept: tuple[str, ...] | None) -> Term:
    """A term with a name in place of its sums and integrals; with ``kept``, of all but such and whole powers."""
    if not term.parts:
        return term
    power = term.head == "power" and term.parts[1].is_number and term.parts[1].number >= 0
    if term.head not in BINDERS if kept is None else (term.head in kept or power):
        return rebuilt(term, tuple(opaque(part, named, kept) for part in term.parts))
    return name(named.setdefault(term, f"total{len(named) + 1}"))


def linked(found: Sequence[Relation]) -> Iterator[Relation]:
    """What links that follow one another say together, two or more of them."""
    for start in range(len(found)):
        last: Relation | None = found[start]
        for link in found[start + 1 :]:
            last = last.then(link) if last is not None else None
            if last is None:
                break
            yield last
