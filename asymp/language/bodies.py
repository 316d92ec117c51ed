"""What a statement says, without its quantifiers: one class a form, with its terms and its text."""

from __future__ import annotations

from dataclasses import dataclass

from asymp.language.conditions import Compared
from asymp.language.laws import law
from asymp.language.predicates import Said
from asymp.language.syntax import Node, words


@dataclass(frozen=True)
class Body(Said):
    """What is said, without quantifiers."""


@dataclass(frozen=True)
class Comparison(Body):
    """``a <= b``, ``a = b``, and chains of them: each sign with its neighbours."""

    chain: Compared

    def __str__(self) -> str:
        return str(self.chain)


@dataclass(frozen=True)
class Eventual(Body):
    """``f <= g`` as something tends somewhere: from some point on.  It is a class of its own: nothing takes it for all values."""

    left: Node
    sign: str
    right: Node

    def __str__(self) -> str:
        return f"{words(self.left)} {self.sign} {words(self.right)}"


@dataclass(frozen=True)
class Ratio(Body):
    """``f ~ g``: f/g tends to 1."""

    left: Node
    right: Node

    def __str__(self) -> str:
        return f"{words(self.left)} ~ {words(self.right)}"


@dataclass(frozen=True)
class Limiting(Body):
    """``f -> value``; the value may be oo."""

    left: Node
    value: Node

    def __str__(self) -> str:
        return f"{words(self.left)} -> {words(self.value)}"


@dataclass(frozen=True)
class UpperLimit(Body):
    """``limsup(f) = c``, ``limsup(f) <= c``, and of liminf with >=; the value may be oo.

    It is said of all paths of a regime together: what holds along more of them, or fewer, is another statement.
    """

    kind: str
    left: Node
    sign: str
    value: Node

    def __str__(self) -> str:
        return f"{self.kind}({words(self.left)}) {self.sign} {words(self.value)}"


@dataclass(frozen=True)
class Not(Body):
    """``not f -> c``: it fails, of a statement about a limit without parameters."""

    body: Body

    def __str__(self) -> str:
        return f"not {self.body}"


@dataclass(frozen=True)
class InLaw(Body):
    """``X_n => X``: convergence in law; see :mod:`asymp.language.laws`."""

    left: Node
    right: Node

    def __str__(self) -> str:
        return f"{words(self.left)} => {words(self.right)}"

    def terms(self) -> tuple[Node, ...]:
        """The terms of which the laws are made; a law itself is none."""
        return (*law(self.left).terms(), *law(self.right).terms())

    def made_of(self) -> tuple[tuple[str, tuple[Node, ...]], ...]:
        """What both laws are made of: gamma(a, r) is no value of Gamma."""
        return law(self.left).key(), law(self.right).key()


@dataclass(frozen=True)
class Ordering(Body):
    """``f = O(g)``, o, Theta, Omega, omega."""

    left: Node
    order: str
    growth: Node

    def __str__(self) -> str:
        return f"{words(self.left)} = {self.order}({words(self.growth)})"


@dataclass(frozen=True)
class Expanding(Body):
    """``f = a + b + O(g)`` or ``+ o(g)``."""

    left: Node
    kept: Node
    order: str
    growth: Node

    def __str__(self) -> str:
        return f"{words(self.left)} = {words(self.kept)} + {self.order}({words(self.growth)})"


@dataclass(frozen=True)
class Rounding(Body):
    """``x rounds to 0.577``: rounded, or cut, to the printed digits."""

    term: Node
    digits: str

    def __str__(self) -> str:
        return f"{words(self.term)} rounds to {self.digits}"


@dataclass(frozen=True)
class Shape(Body):
    """``f is increasing in x``."""

    term: Node
    shape: str
    name: str

    def __str__(self) -> str:
        return f"{words(self.term)} is {self.shape} in {self.name}"


@dataclass(frozen=True)
class Extreme(Body):
    """``f is largest at x = v``: of all x of the domain."""

    term: Node
    extreme: str
    name: str
    place: Node

    def __str__(self) -> str:
        return f"{words(self.term)} is {self.extreme} at {self.name} = {words(self.place)}"


@dataclass(frozen=True)
class OneRoot(Body):
    """``f = g has one root x in (a, b)``."""

    left: Node
    right: Node
    name: str
    low: Node
    high: Node

    def __str__(self) -> str:
        ends = f"({words(self.low)}, {words(self.high)})"
        return f"{words(self.left)} = {words(self.right)} has one root {self.name} in {ends}"


@dataclass(frozen=True)
class True_(Body):
    """``stable(n, p)``: a function of the model that answers true or false."""

    term: Node

    def __str__(self) -> str:
        return words(self.term)


@dataclass(frozen=True)
class Iff(Body):
    """``A iff B``."""

    left: Body
    right: Body

    def __str__(self) -> str:
        return f"{self.left} iff {self.right}"


@dataclass(frozen=True)
class If(Body):
    """``A if B``."""

    left: Body
    right: Body

    def __str__(self) -> str:
        return f"{self.left} if {self.right}"


@dataclass(frozen=True)
class And(Body):
    """``A and B``."""

    parts: tuple[Body, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.parts))


def parts_of(body: Body) -> tuple[Body, ...]:
    """The statements that a body puts together: those of ``A and B``, and of ``a = b <= c`` that ``a = b``, that ``b <= c``."""
    if isinstance(body, Comparison):
        return tuple(Comparison(Compared((left, right), (sign,))) for left, sign, right in body.chain.pairs())
    return body.parts if isinstance(body, And) else (body,)
