r"""What whoever tells a proof has to hand: the notation, the letters of parts, and what a rule has seen.

>>> from asymp.kernel.theorem import apply
>>> one = apply("algebra", statement="x + 1 > 0 for x > 0")
>>> [note.kind for note in Page({}).heard(one)]
['difference', 'sign']
>>> Page({}).term(terms.read("x^(1/2)/2"))
'\\frac{\\sqrt{x}}{2}'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Decimal, Inexact
from decimal import Context as Digits
from typing import Any

from gmpy2 import mpq

from asymp.claim import Step
from asymp.kernel import terms
from asymp.kernel.data import Data
from asymp.kernel.facts.context import Context
from asymp.kernel.facts.ranges import Range
from asymp.kernel.growths.growth import Domain
from asymp.kernel.noted import Note, listening
from asymp.kernel.terms import Term
from asymp.kernel.theorem import DEFINITION, RULES, Theorem, replay
from asymp.kernel.trust import FLINT
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser, words
from asymp.language.tex import Notation
from asymp.prove.written import (
    MOST_PARTS,
    in_words,
    labelled,
    named,
    powers,
    set_term,
    set_text,
    shortest,
    size_of,
    tidied,
)

DIGITS, MOST_DIGITS = 6, 10_000
"""Of a number that is no short fraction; of one that is printed."""
SHORT = 400
"""Characters of a formula that is said besides the statement; a longer one is left out where it only helps."""
MOST_PLAIN, LEAST_LETTERED, LEAST_GAIN = 1_500, 15, 200
"""Parts of all statements of a proof from which on it has letters, of a term that has one, and of what it saves."""
SIGNS = {"<=": r"\le", "<": "<", "=": "=", ">=": r"\ge", ">": ">"}
Teller = Callable[["Page", Theorem], Iterator[Step]]
"""Tells what a rule has seen."""


class Page:
    """A notation, with one numbering of labels."""

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.notes: dict[Theorem, list[Note]] = {}
        self.labels: dict[Term, Term] = {}
        self.letters: dict[str, Term] = {}
        """What is written for quantities that a rule has named."""
        self.counted = Counter[str]()
        self.told: dict[Term, str] = {}
        """Laws that have been told, by what they are: their letters."""
        self.brief_names: dict[Term, Term] = {}
        """Letters for long terms that stand in several places."""

    def replayed(self, steps: Sequence[Mapping[str, Any]]) -> Theorem:
        """The theorem that a certificate makes; what its rules note is kept, by theorem."""
        with listening() as notes:
            root = replay(list(map(dict, steps)))
        before = 0
        for k, note in enumerate(notes):
            if note.kind == "theorem":
                self.notes[note.of["made"]] = notes[before:k]
                before = k + 1
        return root

    def heard(self, one: Theorem) -> list[Note]:
        """What the rule has noted that made a theorem; it makes it again where nobody has listened."""
        if one not in self.notes:
            rule, premises, data = one.made
            with listening() as self.notes[one]:
                RULES[rule](premises, Data(dict(data)))
        return self.notes[one]

    def term(self, term: Term) -> str:
        """A term in LaTeX; dots for one that is too long to be read."""
        try:
            return set_term(labelled(term, self.brief_names), self.notation)
        except ParseError:
            return r"\ldots"

    def brief(self, term: Term, at: Context | None = None) -> str:
        """A term in LaTeX, as it is or in factors, whichever is shorter; nothing where that is too long to be of help."""
        if size_of(term := labelled(term, self.brief_names)) > MOST_PARTS:
            return ""
        shown = self.term(shortest(term, at or Domain(), lambda one: len(self.term(one))))
        return shown if len(shown) <= SHORT else ""

    def inline(self, term: Term) -> str:
        """A term among words."""
        return f"${self.term(term)}$"

    def read(self, node: Node, statement: Statement, tidy: bool = True) -> Node:
        """A term of a statement, with the letters of ranges as they were before names were made different."""
        said = (*statement.terms(), *(one for condition in statement.conditions() for one in condition.terms()))
        every = frozenset[str]().union(*(one.every_name for one in said))
        own = {name: name.rstrip("_") for name in every if name.endswith("_") and name.rstrip("_") not in every}
        node = named(node, own)
        if not tidy:
            return node
        short = labelled(term := terms.of(node), self.brief_names)
        return tidied(node) if short == term else Parser(in_words(powers(short))).whole()

    def node(self, node: Node, statement: Statement) -> str:
        """A term of a statement, as it is written there."""
        return set_text(words(self.read(node, statement)), self.notation)

    def values(self, values: Mapping[str, str]) -> str:
        """Names with their values."""
        pairs = (
            f"{set_text(name, self.notation)} = {self.term(terms.read(str(x)))}"
            for name, x in values.items()
            if name != x
        )
        return r",\ ".join(pairs) or r",\ ".join(values)


# --- letters for long terms ---------------------------------------------------------------------------


def abbreviated(sides: Iterable[Term], name: str) -> dict[Term, Term]:
    """Letters for long terms that stand in several places, each with those before it put in: none where all is short.

    >>> long = "(Sum((1 - p)^k/k, (k, 1, n)) + 1/(n*p))"
    >>> found = abbreviated([terms.read(f"{long}^{k} + {long}/n") for k in range(2, 40)], "K_")
    >>> [(str(x), str(letter)) for x, letter in found.items()]
    [('Sum(b0^(-1)*(1 - p)^b0, (b0, 1, n)) + (n*p)^(-1)', 'K_1')]
    """
    here, found = list(sides), dict[Term, Term]()
    while sum(size_of(side) for side in here) > MOST_PLAIN:
        seen = Counter(
            part for side in here for part in terms.walk(side) if LEAST_LETTERED <= size_of(part) and _is_closed(part)
        )
        best = max(seen, key=lambda one: (seen[one] - 1) * size_of(one), default=terms.ZERO)
        if (seen[best] - 1) * size_of(best) < LEAST_GAIN:
            break
        found[best] = letter = terms.name(f"{name}{len(found) + 1}")
        here = [labelled(side, {best: letter}) for side in here]
    return found


def _is_closed(term: Term) -> bool:
    """Whether it speaks of no variable of a sum around it, and is no multiple, or power, of what has a letter then."""
    of_another = term.parts[1:2] if term.head == "power" else term.parts if term.head == "product" else ()
    return not (
        term.indices or any(part.is_number for part in of_another) or any(name.endswith("_") for name in term.free)
    )


# --- numbers ---------------------------------------------------------------------------------------------


def exact(x: Any) -> mpq:
    """A rational number, or one end of a ball, as one of gmpy2's."""
    if hasattr(x, "man_exp"):
        mantissa, exponent = x.man_exp()
        return mpq(int(mantissa)) * mpq(2) ** int(exponent)
    return mpq(int(x.p), int(x.q))


def number(x: mpq, up: bool | None = None) -> str:
    r"""A number: a short fraction as it is, another to a few digits; rounded up or down, or with dots.

    >>> number(mpq(-3, 4)), number(mpq(10001, 30000)), number(mpq(1, 3 * 10**9), up=True)
    ('-\\frac{3}{4}', '0.333366\\ldots', '3.33334 \\cdot 10^{-10}')
    """
    if x.denominator < 1000 and abs(x.numerator) < 10**6:
        over = str(abs(x.numerator))
        return ("-" if x < 0 else "") + (over if x.denominator == 1 else rf"\frac{{{over}}}{{{x.denominator}}}")
    found, is_exact = _to(DIGITS, x, ROUND_DOWN if up is None else ROUND_CEILING if up else ROUND_FLOOR)
    return _placed(found, r"\ldots" if up is None and not is_exact else "")


def decimal(x: mpq) -> str:
    """A number whose decimals end, with all of them.

    >>> decimal(mpq(6283170, 2 * 10**6)), decimal(mpq(7))
    ('3.141585', '7')
    """
    return f"{_to(MOST_DIGITS, x, ROUND_DOWN)[0]:f}"


def enclosure(x: Range) -> str:
    """Where a number lies: itself, the digits that are certain of it, or its ends."""
    low, high = exact(x.low), exact(x.high)
    if low == high:
        return number(low)
    for digits in range(DIGITS, 2, -1):
        one, other = (_to(digits, end, ROUND_DOWN)[0] for end in (low, high))
        if one == other and low * high > 0:
            return _placed(one, r"\ldots")
    return rf"[{number(low, False)},\ {number(high, True)}]"


def _to(digits: int, x: mpq, rounding: str) -> tuple[Decimal, bool]:
    """A number to some digits, and whether that is all of it."""
    at = Digits(digits, rounding, MIN_EMIN, MAX_EMAX, traps=[])
    return at.divide(Decimal(int(x.numerator)), Decimal(int(x.denominator))), not at.flags[Inexact]


def _placed(x: Decimal, dots: str) -> str:
    """Digits with their point, those at the end that are 0 left out where no others follow."""
    wide = Digits(MOST_DIGITS, Emin=MIN_EMIN, Emax=MAX_EMAX)
    x = x if dots else wide.normalize(x)
    if -4 <= (exponent := x.adjusted()) < 8:
        return f"{x:f}{dots}"
    return rf"{wide.scaleb(x, -exponent):f}{dots} \cdot 10^{{{exponent}}}"


# --- words -----------------------------------------------------------------------------------------------


def counted(n: int, what: str, many: str = "") -> str:
    """``3 boxes``.

    >>> counted(1, "box", "boxes"), counted(2, "piece")
    ('1 box', '2 pieces')
    """
    return f"{n} {what if n == 1 else many or what + 's'}"


def sentence(text: str) -> str:
    """With a capital, where it begins with a letter."""
    return text[:1].upper() + text[1:]


def sources(one: Theorem) -> str:
    """What is trusted for a theorem and for none on which it rests; functions of balls in one, a definition is said elsewhere."""
    own = one.trusts.difference(*(premise.trusts for premise in one.made[1]))
    balls = sorted({name.removeprefix(FLINT).partition(".")[2] for name in own if name.startswith(FLINT)} - {""})
    others = {"the model" if name.startswith(DEFINITION) else name for name in own if not name.startswith(FLINT)}
    return ", ".join([*sorted(others), *([f"balls: {', '.join(balls)}"] if balls else [])])
