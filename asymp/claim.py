r"""Claims, and what is said of them: frozen data, no computation.

A *claim* is a statement of a paper as printed, with its source and its relation.  A *verdict* is
the answer of :func:`asymp.check.check`: an outcome, a strength, and the evidence for both.

>>> from asymp.parse import claim
>>> made = claim("demo/harmonic", "harmonic(n) ~ log(n)", to="n->oo", source="demo, Lemma 1")
>>> made.paper, made.source.locator, made.relation.kind
('demo', 'Lemma 1', 'equivalent')
>>> "<math" in made._repr_html_()
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from asymp.domain import Domain as Domain
from asymp.evidence import Evidence as Evidence
from asymp.evidence import Finding as Finding
from asymp.evidence import Outcome as Outcome
from asymp.evidence import Step as Step
from asymp.evidence import Strength as Strength
from asymp.evidence import Witness as Witness
from asymp.language.parts import Part
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.language.transitions import Transitions
from asymp.relation import Asymptotic as Asymptotic
from asymp.relation import Bound as Bound
from asymp.relation import Identity as Identity
from asymp.relation import Law as Law
from asymp.relation import Property as Property
from asymp.relation import Relation as Relation
from asymp.relation import Root as Root
from asymp.relation import Side as Side
from asymp.relation import Unread as Unread
from asymp.relation import Value as Value

if TYPE_CHECKING:
    import sympy as sp

as_html: Callable[[Claim | Verdict], str] = str
as_latex: Callable[[Claim], str] = str
as_plot: Callable[..., Plot] = NotImplemented
"""What a notebook shows of these, their formulas and figures: the package hands them in, for nothing here rests on them."""


class Plot(Protocol):
    """A figure: a notebook shows it."""

    def save(self, path: str | PathLike[str]) -> Path:
        """Write it to a file; the kind (png, svg, pdf) is the name's ending."""
        ...

    def draw(self) -> Any:
        """It as a figure of matplotlib, to be changed."""
        ...

    def _repr_png_(self) -> bytes: ...


@dataclass(frozen=True)
class Source:
    """Where a statement is printed: bibliography key, the paper's own name of the item, its words; of a paper that is
    at hand as LaTeX, the file and the line too."""

    key: str
    locator: str
    quote: str = ""
    file: str = ""
    line: int = 0


# --- claims ----------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Claim:
    """A statement as printed.

    Args:
        id: permanent name, ``paper/slug``.
        source: where it is printed.
        relation: what it says.
        statement: plain text, as printed.
        latex: the statement in LaTeX; made from the relation when empty.
        expected: the outcome that the check should reach (a regression test compares them).
        as_printed: False for a corrected statement or one that goes beyond the paper.
        correction: id of the corrected claim, for one that is expected refuted.
        corrects: id of the claim that this one corrects.
        note: how the statement was read, what in it is a misprint, what fails in a proof.
        sampled: optional; draws samples and returns sampled evidence.
        said: how a printed statement was read, in words ("H_i is h_i").
        narrowed: of a printed statement that says less than its quote: what it leaves out; empty where it says the same.
        quoted: how it stands to the machine's reading of its quote, as the record says it; empty where nobody has looked.
        where: the definitions that the statement leans on, as text.
        chains: what defines functions that the closed statement calls.
        lemmas: what is proved on the way to it, where that is a statement for all functions.
        closed: the statement without defined names, every variable under its quantifier; empty where it was made by code.
        tried: the points, or the values of parameters, at which it says that it is tried, as text.
        text_of: the relation that the text was read as: code that replaces the relation does not keep the text.
        parts: the parts of a typed statement that may be undefined.
        used: ids of the claims that rest on it in the paper.
        rests: of each typed formula that it leans on and that stands for a quantity of a model, the claims that say so.
        leans: the claims that its proof may use: its lemmas.
    """

    id: str
    source: Source
    relation: Relation
    statement: str
    latex: str = ""
    expected: Outcome = Outcome.HOLDS
    as_printed: bool = True
    correction: str | None = None
    corrects: str | None = None
    note: str = ""
    sampled: Callable[[], Sequence[Evidence]] | None = None
    said: str = ""
    narrowed: str = ""
    quoted: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    where: tuple[str, ...] = ()
    closed: str = ""
    chains: tuple[Transitions, ...] = ()
    lemmas: tuple[str, ...] = ()
    tried: str = ""
    parts: tuple[Part, ...] = field(default=(), compare=False)
    text_of: Relation | None = field(default=None, compare=False, repr=False)
    used: tuple[str, ...] = ()
    rests: tuple[tuple[Tie, ...], ...] = field(default=(), compare=False, repr=False)
    leans: tuple[Claim, ...] = field(default=(), compare=False, repr=False)

    @property
    def paper(self) -> str:
        """The key of the paper: the part of the id before the first slash."""
        return self.id.split("/", 1)[0]

    def __repr__(self) -> str:
        return f"<Claim {self.id} ({self.source.locator}): {self.statement}>"

    def plot(self, order: int = 3) -> Plot:
        """Of a statement of a limit: certified values of its quantity over what it says, and over so many terms of its expansion.

        Raises:
            ValueError: it has no figure: why.
        """
        return as_plot(self, order)

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self.latex}$" if self.latex else self.statement

    def _repr_html_(self) -> str:
        return as_html(self)


@dataclass(frozen=True)
class Tie:
    """A claim that a typed formula is a quantity of a model, and whether that is said for all that another claim is about:
    it is where ``needed``, closed statements, hold."""

    claim: Claim
    covers: bool
    needed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Composite(Relation):
    """Several statements that make one: all of what is said, or (``complete`` false) instances of it.

    One that is refuted refutes it; instances that hold say nothing of the others.
    """

    kind: ClassVar[str] = "composite"
    members: tuple[Claim, ...]
    complete: bool = True


@dataclass(frozen=True)
class LimitLaw(Composite):
    """``X_n => X``: the limits to which it unfolds.

    Args:
        statement: closed.
        needed: what has to hold that what is given of X_n is a law, each in ways of asking it, of which one is enough.
        ways: the limits by each way to the law, and terms that are to be > 0, >= 0 or whole in the end for that.
    """

    kind: ClassVar[str] = "limit law"
    statement: Statement = field(kw_only=True)
    needed: tuple[tuple[Claim, ...], ...] = ()
    ways: tuple[tuple[tuple[Claim, ...], tuple[tuple[Statement, Node, str], ...]], ...] = ()


@dataclass(frozen=True)
class SomeNumber(Composite):
    """``f = g + C + O(h) for some real C``: it is asked with a number for C, by which there is a theorem, or with none for all.

    Args:
        statement: closed.
        members: none.
    """

    kind: ClassVar[str] = "some number"
    statement: Statement = field(kw_only=True)
    members: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class OfSequence(SomeNumber):
    """A statement of a limit of declared sequences: it is asked by theorems of them.

    Args:
        statement: closed.
        members: none.
    """

    kind: ClassVar[str] = "of sequences"


# --- what is said of a claim -----------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Verdict:
    """The answer to one claim.  It is never a truth value: say which outcome you expect.

    >>> claim = Claim("demo/x", Source("demo", "Lemma 1"), Relation(), "...")
    >>> bool(Verdict(claim, Outcome.HOLDS, Strength.PROVED, ()))
    Traceback (most recent call last):
    ...
    TypeError: a verdict is not a truth value: compare verdict.outcome
    """

    claim: Claim
    outcome: Outcome
    strength: Strength
    evidence: tuple[Evidence, ...]
    next_term: str | None = None
    seconds: float = 0.0
    reason: str = ""
    reading: tuple[str, ...] = ()
    """How the statement was read: which variables are whole and why, what was found to be defined."""
    asked: bool = True
    """Whether the statement was put to the searches: it was read, it has a meaning, its points lie in its domain."""
    certificate: tuple[Mapping[str, Any], ...] | None = None
    """The steps of the theorem that the claim's closed statement holds, or fails; None where there is none."""
    trusts: tuple[str, ...] = ()
    """What the theorem is given: cited theorems, and the engine's expansions of single atoms."""
    no_theorem: str = ""
    """Why there is none."""
    asked_back: tuple[str, ...] = ()
    """The letters on which it hangs whether they are real or whole, where that is not said: a theorem of one reading is none."""
    alone: Strength | None = None
    """Of a statement of several parts: what it is worth where no theorem decides it, which is what its weakest part is then."""
    ended: str = ""
    """How the check ended, where it did not come to its own end: what is undecided for that is never as expected, and what is
    decided has no theorem for that."""

    @property
    def as_expected(self) -> bool:
        """Whether the outcome is the one that the claim expects."""
        return self.outcome == self.claim.expected and not (self.ended and self.outcome is Outcome.UNDECIDED)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The derivation: the steps of all symbolic evidence, in order."""
        return tuple(step for item in self.evidence for step in item.steps)

    def latex(self) -> str:
        r"""The statement's formula in LaTeX; ``asymp.latex(verdict)`` is the whole sheet.

        >>> from asymp.parse import claim
        >>> made = claim("demo/x", "harmonic(n) ~ log(n)", to="n->oo", source="demo, Lemma 1")
        >>> Verdict(made, Outcome.HOLDS, Strength.PROVED, ()).latex()
        'H_{n} \\sim \\ln n \\qquad (n \\to \\infty)'
        """
        return as_latex(self.claim)

    def plot(self, order: int = 3) -> Plot:
        """The figure of the claim, along the path on which it fails where that is known: see :meth:`Claim.plot`."""
        return as_plot(self.claim, order, certificate=self.certificate)

    def __repr__(self) -> str:
        return f"<Verdict {self.claim.id}: {self.outcome}, {self.strength}>"

    def __bool__(self) -> bool:
        raise TypeError("a verdict is not a truth value: compare verdict.outcome")

    def _repr_html_(self) -> str:
        return as_html(self)


# --- quantities ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Quantity:
    """A named quantity with one symbolic definition, from which every number of it is derived.

    Args:
        id: ``paper/slug``, as in ``asymp enclose lfms/throughput n=1e8 alpha=2 mu1=1 mun=1``.
        definition: the expression; it may hold ``Sum``, ``harmonic``, special functions.
        parameters: name -> predicate text and test, e.g. ``{"n": ("an integer >= 1", test)}``.
        alternatives: a parameter given another way, e.g. ``{"p": {"alpha": "n^(-alpha)", "c": "c/n"}}``.
        title: what it is, with units.
        source: where it is defined.
        together: the name of a parameter that is out of its range given the others, or None.
        least: a variable: the quantity is the least whole value of it at which the definition, which falls in it, is
            negative; no parameter then.
        first: where that search begins.
    """

    id: str
    definition: str | sp.Expr
    parameters: Mapping[str, tuple[str, Callable[[Any], bool]]]
    alternatives: Mapping[str, Mapping[str, str | sp.Expr]] = field(default_factory=dict)
    title: str = ""
    source: Source | None = None
    together: Callable[[Mapping[str, Any]], str | None] | None = None
    least: str = ""
    first: int = 1


Rational = Fraction
