"""What a claim may say: one class a kind, frozen data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from asymp.domain import Domain
from asymp.evidence import Evidence, Step
from asymp.language.bodies import Body, Eventual, Expanding, Limiting, Not, Ordering, Ratio, UpperLimit
from asymp.language.conditions import Conditions
from asymp.language.statement import Statement
from asymp.language.syntax import Node

Side = Callable[..., Any]
"""A side of a statement at a point (name=value, ...): exact where it can be, else a term with numbers put in."""


@dataclass(frozen=True)
class Relation:
    """What a claim says; one subclass a kind."""

    kind: ClassVar[str] = "relation"


@dataclass(frozen=True)
class Identity(Relation):
    """``lhs == rhs`` exactly, at every point of a domain."""

    kind: ClassVar[str] = "identity"
    lhs: Side
    rhs: Side
    domain: Domain
    proof: Callable[[], Sequence[Step]] | None = None


@dataclass(frozen=True)
class Asymptotic(Relation):
    """A statement about a limit: ``f ~ g``, ``f -> c``, ``f = a + O(g)``, ``f = O(g)`` and its kin, as something tends somewhere.

    Args:
        statement: closed.
        tried: values of parameters at which numbers are computed; none: some are chosen.
        whole: names that are read as whole, said or not.
        real: those that are said to be real.
    """

    statement: Statement
    tried: Conditions = ()
    whole: frozenset[str] = frozenset()
    real: frozenset[str] = frozenset()

    @property
    def kind(self) -> str:  # type: ignore[override]
        """``equivalent``, ``limit``, ``expansion``, ``order``, or ``bound``: from some point on."""
        return _KINDS[type(self.statement.body)]


_KINDS: dict[type[Body], str] = {
    Ratio: "equivalent", Limiting: "limit", Expanding: "expansion", Ordering: "order", Eventual: "bound",
    UpperLimit: "limit", Not: "limit",
}  # fmt: skip


@dataclass(frozen=True)
class Bound(Relation):
    """``lhs op rhs`` (``<=``, ``<``, ``>=``, ``>``) for every point of a domain.

    ``proof`` may return the steps of a symbolic argument for the whole domain; it must raise if any
    step of it fails.  It never sees the statement, so it *supports* it.
    """

    kind: ClassVar[str] = "bound"
    lhs: Side
    op: str
    rhs: Side
    domain: Domain
    proof: Callable[[], Sequence[Step]] | None = None


@dataclass(frozen=True)
class Value(Relation):
    """A printed number: the term rounds (or is truncated) to the printed digits."""

    kind: ClassVar[str] = "value"
    term: Node
    printed: str


@dataclass(frozen=True)
class Property(Relation):
    """Anything else (monotone, unique, stable iff, largest among regimes, ...).

    ``test`` takes no argument and returns the evidence; it may use any part of asymp.  It
    must be able to answer ``refuted``.  A test never sees the statement, so what it proves is *supported*;
    ``complete`` says that the statement is about finitely many cases and that the test goes through them all,
    exactly or in balls: then it may be *certified*.
    """

    kind: ClassVar[str] = "property"
    test: Callable[[], Sequence[Evidence]]
    complete: bool = False


@dataclass(frozen=True)
class Law(Relation):
    """A statement about a distribution, tested by ``test`` as for :class:`Property`."""

    kind: ClassVar[str] = "law"
    test: Callable[[], Sequence[Evidence]]
    complete: bool = False


@dataclass(frozen=True)
class Root(Relation):
    """``lhs - rhs`` has exactly one zero in the open range of its one variable."""

    kind: ClassVar[str] = "root"
    difference: Node
    variable: str
    domain: Domain


@dataclass(frozen=True)
class Unread(Relation):
    """A claim of a file that cannot be read, or needs code that may not run: undecided, with the place and the reason."""

    kind: ClassVar[str] = "unread"
    reason: str
