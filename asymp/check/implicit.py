"""Quantities that an equation defines: the answer to ``asymp expand --equation "F = G" --unknown x``.

The interval of the unknown is cut until each piece holds one root at most; :mod:`asymp.prove.newton` proposes terms of it, and
the theorem is that of the statement ``x = terms + O(growth) as n -> oo, F = G, x > 0``.  Without one, the answer is supported
where the kernel sees the equation change sign around the terms.  Certified roots confirm it, on a path of the regime.

>>> answer = expand_equation("x*exp(x) = n", "x", "n->oo", (), 2)
>>> answer["terms"], answer["remainder"]["growth"], answer["root"], answer["strength"]
(['log(n)', '-log(log(n))'], 'log(log(n))/log(n)', 'x > 0', 'proved')
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

import asymp.symbolics as sy
from asymp.cas import text as text_of
from asymp.check.ask import ask
from asymp.check.closed_sums import closed, for_numbers, written_out
from asymp.check.root_numbers import confirm
from asymp.check.series import expand_expression
from asymp.claim import Outcome, Strength
from asymp.enclosure import InputError, Undecided
from asymp.enclosure.algebra import MINUS_OO, OO
from asymp.functions.table import NAMED
from asymp.kernel import terms
from asymp.kernel.growths.limit_points import at_infinity, limit_points
from asymp.kernel.growths.regime import moving, ranges
from asymp.kernel.sequences.implicit import Tied, tied
from asymp.kernel.sequences.rooted import VALUE
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, add, name, negative, reciprocal
from asymp.kernel.theorem import Theorem
from asymp.language.bodies import OneRoot, Shape
from asymp.language.conditions import Compared, OfKind, Tends, read_conditions
from asymp.language.elaborate import closed as with_definitions
from asymp.language.functions import variables_of
from asymp.language.hints import Unsaid
from asymp.language.known import is_infinite
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, read_statement
from asymp.language.typed import NOTHING, typed
from asymp.parse import parse_expression
from asymp.parse.mathematics import CONSTANTS, FUNCTIONS, OPERATORS
from asymp.prove import implicit, one_root, root_terms
from asymp.prove.claims import theorem
from asymp.regimes.names import unused
from asymp.stopwatch import Stopwatch

_NAME = r"[^\W\d]\w*"
LONGEST = 200
"""Operations in a coefficient that is put over one denominator."""
MOST_PROPOSED = 12
"""Terms of a root that are tried."""


@dataclass(frozen=True)
class Question:
    """An equation with its unknown, the interval of it, what tends, and the ranges of parameters, as text."""

    x: str
    left: str
    right: str
    low: str
    high: str
    to: str
    assume: str

    def statement(self, kept: str, growth: str, low: str = "", high: str = "") -> Statement:
        """That the root has an expansion, on the interval or on a part of it."""
        low, high, domain = low or self.low, high or self.high, f" for {self.assume}" if self.assume else ""
        ends = [f"{low} < {self.x}"] * (low != "-oo") + [f"{self.x} < {high}"] * (high != "oo")
        regime = ", ".join((self.to, f"{self.left} = {self.right}", *ends))
        return read_statement(f"{self.x} = {kept} + O({growth}) as {regime}{domain}")


def expand_equation(equation: str, unknown: str, to: str, assume: Iterable[str] | str, order: int) -> dict[str, Any]:
    """The first terms of the root, or of each root (``cases``), as plain data; or refused.

    Raises:
        ParseError: text that cannot be read, in one line.
    """
    watch = Stopwatch()
    asked = read(equation, unknown, to, assume)
    if call := _named(asked):
        found = expand_expression(str(call), to, asked.assume.split(", ") if asked.assume else [], order)
        if "refused" not in found:
            return {**found, "root": f"{asked.x} > {asked.low}"}
    try:
        roots = list(_Search(asked, order).roots())
    except (Undecided, InputError) as error:
        return {"refused": f"derived, but not confirmed by certified roots: {' '.join(str(error).split())}"}
    except ValueError as refused:  # Refused, or a method that met what it cannot take
        return {"refused": " ".join(str(refused).split())}
    shown = [root.shown() for root in roots]
    found = {**shown[0], "root": roots[0].when}
    if len(roots) > 1:
        found = {"cases": [{"when": root.when, **data} for root, data in zip(roots, shown, strict=True)]}
    proved = all(root.theorem is not None for root in roots)
    trusts = sorted({one for root in roots if root.theorem for one in root.theorem.trusts}) if proved else []
    strength = str(Strength.PROVED if proved else Strength.SUPPORTED)
    return {**found, "strength": strength, "trusts": trusts, "seconds": watch.seconds()}


def _named(asked: Question) -> Term | None:
    """The function of which a row says that this equation defines it."""
    sides = [terms.read(side) for side in (asked.left, asked.right, asked.low, asked.high)]
    names = sorted(sides[0].free.union(*(side.free for side in sides)) - {asked.x} - terms.CONSTANTS)
    for row in NAMED.values():
        if not row.root or row.most != len(names):
            continue
        body = read_statement(row.one_root).body
        assert isinstance(body, OneRoot)
        own = [terms.of(side) for side in (body.left, body.right, body.low, body.high)]
        for order in itertools.permutations(map(name, names)):
            put = {**dict(zip("xyzw", order, strict=False)), VALUE: name(asked.x)}
            if [terms.substitute(side, put) for side in own] == sides:
                return terms.call(row.name, *order)
    return None


# --- reading -----------------------------------------------------------------------------------


def read(equation: str, unknown: str, to: str, assume: Iterable[str] | str) -> Question:
    """What is asked.

    Raises:
        ParseError: it cannot be read.
    """
    x = unknown.strip()
    if not re.fullmatch(_NAME, x) or x in CONSTANTS or x in FUNCTIONS or x in OPERATORS:
        raise ParseError(f"--unknown: {x or 'nothing'} is no variable")
    sides = equation.split("=")
    if len(sides) != 2 or not all(side.strip() for side in sides) or re.search(r"[<>~]|!=", equation):
        raise ParseError("an equation is written left = right", equation)
    texts = [assume] if isinstance(assume, str) else list(assume)
    conditions = [part.strip() for text in texts for part in re.split(r",|\band\b", text)]
    own = [part for part in conditions if x in re.findall(_NAME, part)]
    others = [part for part in conditions if part not in own]
    names = re.findall(_NAME, equation)
    if x not in names:
        raise ParseError(f"the equation does not hold the unknown {x}", equation)
    try:
        said = with_definitions(typed(f"{sides[0]} - ({sides[1]}) = O(1)", to, [*others, f"real {x}"]), NOTHING)
    except Unsaid as error:
        raise Unsaid(error.name, 'assume "{} > 0" or the like') from error
    if x in moving(said):
        raise ParseError(f"{x} tends to its limit: it is not the unknown")
    low, high = _interval(own, x)
    left, right = (str(terms.read(side)) for side in sides)
    return Question(x, left, right, str(low), str(high), to, ", ".join(others))


def _interval(conditions: list[str], x: str) -> tuple[Term, Term]:
    """The interval that the assumptions on the unknown give; x > 0 where there are none."""
    ends: dict[str, list[Term]] = {"low": [], "high": []}
    for text in conditions:
        for c in read_conditions(text):
            pairs = list(c.pairs()) if isinstance(c, Compared) else []
            if not pairs or any(sign not in "<>" or [a.text, b.text].count(x) != 1 for a, sign, b in pairs):
                raise ParseError(f"assume an open interval of {x}, such as 0 < {x} < 1", text)
            for left, sign, right in pairs:
                smaller, larger = (left, right) if sign == "<" else (right, left)
                ends["high" if smaller.text == x else "low"].append(terms.of(larger if smaller.text == x else smaller))
    for side, found in ends.items():
        if len(found) > 1:
            raise ParseError(f"{x} has two {'lower' if side == 'low' else 'upper'} ends", ", ".join(conditions))
    high = ends["high"][0] if ends["high"] else OO
    below = high.is_number and high.number <= 0
    low = ends["low"][0] if ends["low"] else MINUS_OO if below else terms.ZERO
    if low.is_number and high.is_number and low.number >= high.number:
        raise ParseError(f"the assumptions on {x} leave nothing")
    return low, high


# --- roots -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Root:
    """One root: the interval it is the only root in, its terms and the growth of what is left, and perhaps the theorem."""

    when: str
    kept: tuple[str, ...]
    growth: str
    theorem: Theorem | None

    def shown(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "terms": list(self.kept),
            "remainder": {"kind": "O", "growth": self.growth, "constant": None, "valid_from": None},
        }


def _prove(statement: Statement) -> Theorem:
    return theorem(statement, True)


class _Search:
    """The roots of one equation; what tends to a number is put as what tends to infinity."""

    def __init__(self, asked: Question, order: int) -> None:
        self.asked, self.order = asked, order
        self.back: dict[str, Term] = {}
        self.moving = moving(asked.statement("0", "1"))
        self.root = root = tied(self.inner(asked.statement("0", "1")))
        inside = [f"{low} < {high}" for low, _, high in root.pairs(root.low, root.high)]
        self.where = ranges(read_conditions(", ".join((one_root.far_out(root), *inside))) + root.plain.domain)
        self.searched = replace(
            self.root, left=self._other_form(self.root.left), right=self._other_form(self.root.right)
        )

    def inner(self, statement: Statement) -> Statement:
        """A statement with what tends to infinity in place of what tends to a number."""
        for x in limit_points(statement):
            (c,) = (c for c in statement.regime if isinstance(c, Tends) and c.term.text == x)
            v, gap = unused(statement, ("v", "u", "w"), "v_"), add(name(x), negative(terms.of(c.target)))
            statement = at_infinity(statement, x, v)
            self.back[v] = (
                negative(name(x)) if is_infinite(c.target) else reciprocal(gap if c.side == "+" else negative(gap))
            )
        return statement

    def outer(self, term: Term) -> str:
        """A term in the variables of the question."""
        return str(terms.substitute(term, self.back))

    def roots(self) -> Iterator[Root]:
        """Each root.

        Raises:
            Refused: there is none, or it is not seen how many there are, or one of them is not found.
        """
        root = self.root
        if one_root.is_zero(add(root.left, negative(root.right))):
            raise Refused("both sides are equal: every value is a root")
        cuts, found, seen = self._pieces()
        parts = one_root.parts_of(root, cuts)
        shapes = [part for part, one in zip(parts, found, strict=True) if not isinstance(one, str)]
        if len(shapes) == 1:
            shapes = [root]
        elif not all(one_root.apart_at(root, cut, _prove) for cut in cuts):
            raise Refused(self._unknown())
        roots: list[Root] = []
        for part in shapes:
            try:
                roots.append(self._root(part, seen))
            except Refused:
                if not one_root.rootless(part, _prove):
                    raise
        if not roots:
            raise Refused(f"no root with {self.when(root)}: the two sides differ there")
        yield from roots if len(roots) > 1 else [replace(roots[0], when=self.when(root))]

    def _pieces(self) -> tuple[tuple[Term, ...], list[one_root.Piece], bool]:
        """Cuts, what is seen of the pieces between them, and whether it is a theorem."""
        root = self.root
        if one_root.rootless(root, _prove):
            raise Refused(f"no root with {self.when(root)}: the two sides differ there")
        for form in dict.fromkeys((root, self.searched)):
            with contextlib.suppress(Refused):
                return *one_root.pieces(form, _prove), form == root
        gap = add(
            *(
                one
                for one in (*one_root.summands(root.left), *map(negative, one_root.summands(root.right)))
                if root.x in one.free
            )
        )
        there = one_root.comparison(root, "=")
        real = tuple(OfKind(v, "real") for v in sorted(variables_of(there)))
        for rises in (True, False):  # its values at points, or a theorem of what may not be continuous
            shape = Shape(node_of(gap), "increasing" if rises else "decreasing", root.x)
            said = replace(there, body=shape, domain=(*there.domain, *real))
            if ask(str(said), quick=True).outcome is Outcome.HOLDS:
                return (), [(terms.ONE, rises)], False
        raise Refused(self._unknown())

    def _unknown(self) -> str:
        return (
            f"how many roots there are with {self.when(self.root)} is not shown; assume an interval of {self.root.x} "
            f"on which the two sides differ by a monotone function"
        )

    def _root(self, part: Tied, seen: bool) -> Root:
        """The only root of a part of the interval."""
        searched = replace(self.searched, low=part.low, high=part.high)
        low, high = (self.outer(end) if end is not None else "" for end in (part.low, part.high))
        why = ""
        for kept, rest in itertools.islice(root_terms.proposals(searched, self.order), MOST_PROPOSED):
            statement = self.asked.statement(
                " + ".join(f"({self.outer(one)})" for one in kept), self.outer(rest), low, high
            )
            found: Theorem | None = None
            try:
                if not seen:
                    raise Refused("it is not proved that there is one root")
                found = _prove(statement)
            except Refused as error:
                why = str(error)
                try:
                    implicit.seen(self.inner(statement), searched)
                except Refused as other:
                    why = str(other)
                    continue
            function = add(*(self._other_form(side, for_numbers) for side in (part.left, negative(part.right))))
            confirm(function, part, add(*kept), rest)
            return Root(self.when(part), tuple(map(self.display, kept)), self.display(rest), found)
        raise Refused(f"no root found with {self.when(part)}" + (f": {why}" if why else ""))

    # --- as it is shown --------------------------------------------------------------------------

    def when(self, part: Tied) -> str:
        """The interval as text."""
        low, high = (None if end is None else self.display(end) for end in (part.low, part.high))
        if high is None:
            return f"{part.x} real" if low is None else f"{part.x} > {low}"
        return f"{part.x} < {high}" if low is None else f"{low} < {part.x} < {high}"

    def display(self, term: Term) -> str:
        """A term as SymPy writes it."""
        found = self._expression(terms.read(self.outer(term)))
        found = sy.factor(found) if found.is_Add and found.is_polynomial() else found
        c, growth = found.as_independent(*(s for s in found.free_symbols if s.name in self.moving), as_Add=False)
        return str(_neat(c) * growth)

    def _other_form(self, side: Term, by: Callable[[sp.Expr], sp.Expr] = lambda e: closed(written_out(e))) -> Term:
        """A side with its sums in closed form."""
        if not any(part.head in ("Sum", "Product") for part in terms.walk(side)):
            return side
        return terms.read(text_of(by(self._expression(side))))

    def _expression(self, term: Term) -> sp.Expr:
        return parse_expression(str(term), {v: self._symbol(v) for v in term.free - CONSTANTS.keys()})

    def _symbol(self, v: str) -> sp.Symbol:
        above = self.where.sign(self.where.value(name(v))) == 1
        return sp.Symbol(v, positive=True) if above else sp.Symbol(v, real=True)


def _neat(c: sp.Expr) -> sp.Expr:
    """A coefficient as it is shortest: as it stands, or over one denominator."""
    if not c.free_symbols or sp.count_ops(c) > LONGEST:
        return c
    return min((sy.factor(sy.cancel(sy.together(c))), c), key=sp.count_ops)
