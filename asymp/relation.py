"""What a claim may say: one class a kind, frozen data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from asymp.domain import Domain
from asymp.evidence import Evidence, Step
from asymp.language.syntax import Node

if TYPE_CHECKING:
    import sympy as sp

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
class Equivalent(Relation):
    """``f ~ g``: the ratio tends to 1 in the claim's regime."""

    kind: ClassVar[str] = "equivalent"
    f: sp.Expr
    g: sp.Expr


@dataclass(frozen=True)
class ExpansionOf(Relation):
    """``f = terms + O(growth)``, or ``+ o(growth)``, in the claim's regime."""

    kind: ClassVar[str] = "expansion"
    f: sp.Expr
    terms: sp.Expr
    order: str  # "O" or "o"
    growth: sp.Expr


@dataclass(frozen=True)
class Limit(Relation):
    """``f -> value`` in the claim's regime; the value may depend on parameters, or be oo."""

    kind: ClassVar[str] = "limit"
    f: sp.Expr
    value: sp.Expr


@dataclass(frozen=True)
class Order(Relation):
    """``f = O(g)``, ``o``, ``Theta`` or ``Omega`` or ``omega`` in the claim's regime."""

    kind: ClassVar[str] = "order"
    f: sp.Expr
    order: str
    g: sp.Expr


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
