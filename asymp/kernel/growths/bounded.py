"""Rules of asymptotic statements in which something oscillates or jumps: sines, powers of -1, floors.

A sine, a power (-1)^m of a whole m, the gap x - floor(x) is a quantity b that lies in a closed interval K, wherever its
argument is real.  A series whose coefficients hold b as a parameter of an open interval D around K is a series for the
function b, since every step of the algebra is uniform in parameters on compact sets: coefficients are continuous on D, so
that they are bounded on K; those that are seen to have a sign on D are bounded away from 0 on K; exponents of a sign are
too, and the growths that they make tend to 0 or to infinity uniformly; and Taylor's theorem has one bound on K.

- ``bounded``: the statement holds, whatever the values of these quantities in their intervals are; for a whole variable n it
  may be shown apart for n = m k + r, r = 0, ..., m - 1, along each of which powers of -1 and floors may be exact.
- ``along``: it fails on one path of the regime, on which sines, powers of -1 and floors are exact or bounded so.

Both read f = O(g) as |f| <= C |g|, f = o(g) as |f| <= eps |g| for every eps > 0, f ~ g as f - g = o(g), each from some point
on: what is 0 from some point on is O and o of anything, and nothing else is O(0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import Data, text
from asymp.kernel.domain import given
from asymp.kernel.facts.ranges import ball
from asymp.kernel.growths.asymptotics import checked_order, fails_by_series, holds
from asymp.kernel.growths.dyadic_sums import size_of_dyadic
from asymp.kernel.growths.exact import Whole
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.leaves import all_used, expander_of
from asymp.kernel.growths.paths import path_of, refuting
from asymp.kernel.growths.phases import Phases, Turned
from asymp.kernel.growths.regime import Placed, alone, moving, names_in, placed, require_fresh, ties
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.growths.singular_expansions import alternating
from asymp.kernel.noted import noted
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import ONE_POLY
from asymp.kernel.rings.ratio import Ratio as Coefficient
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Conclusion, Theorem, read_closed, rule
from asymp.language.bodies import Body, Expanding, Limiting, Ordering, Ratio
from asymp.language.conditions import Tends
from asymp.language.names import BINDERS
from asymp.language.statement import Statement
from asymp.language.syntax import Node

MARGIN = mpq(1, 10**30)
"""How far D reaches beyond K on either side."""
NEAR = mpq(1, 10**9)
"""How near a quantity comes to where it tends on a subsequence."""
MOST_CLASSES = 24
MOST_WAVES = 12


@dataclass
class Waves:
    """Bounded quantities that stand for atoms: ``found``: atom -> name; ``reach``: name -> the ends of K."""

    whole: Whole
    found: dict[Term, str] = field(default_factory=dict)
    reach: dict[str, tuple[int, int]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    size: Callable[[Term], Term] | None = None
    """Of a sum: a growth of which it is a multiple, by a quantity that lies in some closed interval of positive numbers."""
    sums: dict[Term, Term] = field(default_factory=dict)
    within: dict[str, Range] = field(default_factory=dict)
    ranges: dict[str, Range] = field(default_factory=dict)
    """Open intervals in which these and other quantities lie; here those of the parameters, too: of :meth:`domain`."""
    expander: Expander | None = None
    put: Callable[[Term], Term] = lambda term: term
    """What expands terms once they are put in the quantities of the regime: see :meth:`known_to`."""

    def known_to(self, expander: Expander, put: Callable[[Term], Term], turn: mpq | None = None) -> None:
        """Lets an expander know sines of what moves by these quantities: its domain is :meth:`domain`, which grows with them.

        With a ``turn``, of one phase, along whole numbers for which it comes near that many times pi.
        """
        self.expander, self.put = expander, put
        naming = lambda: terms.name(self._new(-1, 1)), self._alternating
        expander.phases = Phases(*naming) if turn is None else Turned(*naming, turn=turn, near=self._near)

    def _near(self, name: Term, value: Term) -> None:
        middle = ball(value).mid().fmpq()
        x = mpq(int(middle.p), int(middle.q))
        self.ranges[name.name] = Range(x - NEAR, True, x + NEAR, True)

    def without(self, term: Term) -> Term:
        """The term with names for what oscillates or jumps, from the inside out; binders are left alone."""
        if term.head == "Sum":
            return self.without_sum(term)
        if not term.parts or term.head in BINDERS:
            return term
        term = terms.rebuilt(term, tuple(self.without(part) for part in term.parts))
        match term.head:
            case "sin" | "cos" if len(term.parts) == 1:
                return self._wave(term)
            case "floor" if len(term.parts) == 1:
                return terms.add(term.parts[0], terms.negative(self._named(term, 0, 1)))
            case "ceiling" if len(term.parts) == 1:
                return terms.add(term.parts[0], self._named(term, 0, 1))
            case "power" if term.parts[0] == terms.number(-1) and self.whole.is_whole(term.parts[1]):
                return self._alternating(self.put(term.parts[1]))
            case "Abs" if len(term.parts) == 1:
                return self._absolute(term.parts[0])
            case "Max" | "Min" if self.expander is not None:
                return self._largest(term)
        return term

    def _largest(self, term: Term) -> Term:
        """A largest or a least without what is nowhere beyond another part of it: Max(sin(x), 1) is 1."""
        assert self.expander is not None
        domain, parts = self.expander.algebra.domain, list(term.parts)
        for x in term.parts:
            for y in parts:
                try:
                    gap = domain.value(terms.add(x, terms.negative(y)) if term.head == "Max" else terms.add(y, terms.negative(x)))
                except Refused:
                    continue
                if x is not y and x in parts and self.at_most_zero(gap, domain):
                    parts.remove(x)
        return parts[0] if len(parts) == 1 else terms.call(term.head, *parts)

    def without_sum(self, term: Term) -> Term:
        """A sum, or a quantity times its growth."""
        if self.size is not None and term not in self.sums:
            try:
                growth, w = self.size(term), f"size{len(self.within) + 1}_"
            except Refused:
                return term
            self.within[w] = Range(mpq(0), True)
            self._open()
            self.sums[term] = terms.multiply(terms.name(w), growth)
        return self.sums.get(term, term)

    def _absolute(self, inner: Term) -> Term:
        """|b x| = |b| |x| for each bounded factor b; what is left is for the series to tell the sign of."""
        if inner.is_number:
            return terms.number(abs(inner.number))
        parts = inner.parts if inner.head == "product" else (inner,)
        own = [self._named(terms.call("Abs", part), 0, 1) for part in parts if self._is_wave(part)]
        others = [part for part in parts if not self._is_wave(part)]
        return terms.multiply(*own, *([terms.call("Abs", terms.multiply(*others))] if others else []))

    def _is_wave(self, term: Term) -> bool:
        return term.head == "name" and self.reach.get(term.name) in ((-1, 1), (0, 1))

    def _wave(self, term: Term) -> Term:
        """A sine or a cosine by its phase, where that is known; left to the expander, where something vanishes beside it."""
        if not term.free:
            return term
        if self.expander is not None and self.expander.phases is not None and not self.expander.constant(self.put(term)):
            with suppress(Refused):
                argument = self.put(term.parts[0])
                return self.expander.phases.exact(self.expander, term.head, argument) or term
        return self._named(term, -1, 1)

    def _alternating(self, exponent: Term) -> Term:
        return self._named(Term("power", (terms.number(-1), exponent)), -1, 1)

    def _named(self, atom: Term, low: int, high: int) -> Term:
        if atom not in self.found:
            self.found[atom] = self._new(low, high)
        return terms.name(self.found[atom])

    def _new(self, low: int, high: int) -> str:
        if len(self.reach) == MOST_WAVES:
            raise Refused("too much oscillates")
        name = f"wave{len(self.reach) + 1}_"
        if name in self.taken:
            raise Refused("the names of the quantities are taken")
        self.reach[name] = (low, high)
        self._open()
        return name

    def domain(self, parameters: Domain) -> Domain:
        """The parameters' domain, and the open interval D of each quantity: of those, too, that are named later."""
        self.ranges |= parameters.ranges
        self._open()
        return Domain(whole=parameters.whole, within=self.ranges)

    def _open(self) -> None:
        open_ = {name: Range(low - MARGIN, True, high + MARGIN, True) for name, (low, high) in self.reach.items()}
        self.ranges |= {name: x for name, x in (open_ | self.within).items() if name not in self.ranges}

    def at_most_zero(self, x: Coefficient, domain: Domain) -> bool:
        """Whether a coefficient is negative, or a sum of powers of the quantities that is at most 0 at the ends of K."""
        if domain.sign(x) == -1:
            return True
        if x.den != ONE_POLY:
            return False
        largest = mpq(0)
        for powers, c in x.num.items():
            if not powers:
                largest += c
            elif len(powers) == 1 and powers[0][0].name in self.reach and _is_whole_power(powers[0][1]):
                low, high = self.reach[powers[0][0].name]
                largest += max(c * end for end in ((0, 1) if low == -1 and powers[0][1] % 2 == 0 else (low, high)))
            else:
                return False
        return largest <= 0

    def arguments(self) -> list[Term]:
        """What has to be defined and real."""
        return [part for atom in self.found for part in atom.parts]


def _is_whole_power(k: mpq) -> bool:
    return k.denominator == 1 and k > 0


# --- statements that hold ----------------------------------------------------------------------------------


@rule("bounded")
def _bounded(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = O(g) and the like hold, also where sines, floors or powers of -1 stand before the terms.

    Data: statement, order, place (see regime), classes (m; 1 where nothing is told apart), and a path of the regime: runner,
    values (see paths).
    """
    statement, order, classes = read_closed(data["statement"]), data["order"], data.whole("classes")
    if not 1 <= classes <= MOST_CLASSES:
        raise Refused("a number of classes")
    checked_order(statement, order)
    _every_class(premises, statement, order, data["place"], classes, None)
    path_of(statement, data, [premise.statement for premise in premises])
    return Conclusion(statement)


Shown = Callable[[Series, Algebra, Waves], bool]


def every_class(statement: Statement, order: Any, place: Mapping[str, Any], classes: int, shown: Shown) -> None:
    """That something is shown of the left side of f = O(g), by its series along each class.

    Raises:
        Refused: it is not.
    """
    if not 1 <= classes <= MOST_CLASSES:
        raise Refused("a number of classes")
    checked_order(statement, order)
    _every_class((), statement, order, place, classes, shown)


def _every_class(
    premises: Sequence[Theorem], statement: Statement, order: int, place: Mapping[str, Any], classes: int, shown: Shown | None
) -> None:
    where = placed(statement, place, [premise.statement for premise in premises])
    names = whole_names(statement)
    if classes == 1:
        _in_class(premises, statement, where, order, Whole(names, domain=where.domain), {}, shown)
        return
    variable = _only_whole(statement, names, premises)
    for residue in range(classes):
        value = terms.add(terms.multiply(terms.number(classes), terms.name(variable)), terms.number(residue))
        _in_class((), statement, where, order, Whole(names, domain=where.domain), {variable: value}, shown)


def whole_names(statement: Statement) -> frozenset[str]:
    """The variables that are said to be whole and to tend to infinity."""
    whole = given((*statement.regime, *statement.domain)).whole
    return frozenset(v for v, kind in alone(statement).items() if kind == "oo" and v in whole)


def _only_whole(statement: Statement, names: frozenset[str], premises: Sequence[Theorem]) -> str:
    """The variable of a regime that says n -> oo for a whole n and nothing else of it."""
    if premises or len(names) != 1 or moving(statement) != names or ties(statement.regime):
        raise Refused("classes of the one whole variable that tends to infinity")
    for c in statement.regime:
        own = {part for node in c.terms() for part in terms.free(terms.of(node))} & names
        if own and not (isinstance(c, Tends) and c.term.kind == "name"):
            raise Refused(f"{c} in classes")
    return min(names)


def _in_class(
    premises: Sequence[Theorem], statement: Statement, where: Placed, order: int, whole: Whole, value: Mapping[str, Term],
    shown: Shown | None,
) -> None:
    """That the statement is seen to hold along one class (or without any).

    Raises:
        Refused: that is not seen.
    """
    sums = expander_of((), statement, where, Algebra(where.domain, order))
    others = [premise.statement for premise in premises]
    taken = frozenset[str]().union(*map(names_in, (statement, *others)))
    waves, rests = Waves(whole, taken=taken, size=lambda term: size_of_dyadic(sums, where.put(term))), dict[str, Series]()
    body = statement.body
    read = {node: alternating(sums, terms.substitute(terms.of(node), value), rests, where.put) for node in body.terms()}
    where = replace(where, domain=waves.domain(where.domain))
    expander = expander_of(premises, statement, where, Algebra(where.domain, order))
    expander.leaves = {**expander.leaves, **{terms.name(name): found for name, found in rests.items()}}
    waves.known_to(expander, where.put)
    read = {node: waves.without(whole.settled(term)) for node, term in read.items()}
    for argument in waves.arguments():
        expander.series(where.put(argument))

    def series(node: Node) -> Series:
        return expander.series(where.put(read[node]))

    if isinstance(body, Limiting) and terms.free(terms.of(body.value)) & moving(statement):
        raise Refused("a limit that moves")
    a = expander.algebra
    if shown is not None:
        assert isinstance(body, Ordering)
        seen = shown(series(body.left), a, waves)
    else:
        seen = _vanishes(body, series, a) or _at_most(body, series, a, waves)
    if not (seen or (shown is None and holds(body, expander, lambda node: where.put(read[node])))):
        raise Refused("the series do not show it")
    noted("series", where=where, expander=expander, read=read, waves=waves, value=value)
    all_used(premises, expander)
    fresh = [*where.scales, *(term.name for term in where.powers.values()), *where.near, *waves.reach, *waves.within, *rests]
    require_fresh((statement, *others), fresh)


def _at_most(body: Body, series: Callable[[Node], Series], a: Algebra, waves: Waves) -> bool:
    """Whether f = O(g) since each part of f over g is at most 1 from some point on: no exponent in it is positive on K."""
    if not isinstance(body, (Expanding, Ordering)) or body.order != "O" or not waves.reach:
        return False
    g = series(body.growth)
    if g.is_zero:
        return False
    f, (_, largest) = _left(body, series, a), a.leading(g)
    quotients = [h / largest for h in (*(h for _, h in f.terms), *f.rest)]
    exponents = [e for h in quotients for e in (*(e for _, e in h.powers), *(c for c, _ in h.exponent))]
    return all(waves.at_most_zero(e, a.domain) for e in exponents)


def _vanishes(body: Body, series: Callable[[Node], Series], a: Algebra) -> bool:
    """Whether the statement says that 0 is O or o of something that is defined."""
    match body:
        case Ratio():
            return a.minus(series(body.left), series(body.right)).is_zero
        case Expanding() | Ordering():
            series(body.growth)
            return body.order in ("O", "o") and _left(body, series, a).is_zero
    return False


def _left(body: Expanding | Ordering, series: Callable[[Node], Series], a: Algebra) -> Series:
    left = series(body.left)
    return a.minus(left, series(body.kept)) if isinstance(body, Expanding) else left


# --- statements that fail --------------------------------------------------------------------------------------


@rule("along")
def _along(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """f = O(g) and the like fail, along a path on which sines, floors and powers of -1 are numbers.

    Data: statement, order, runner and values (see paths); turn, where it fails on those whole numbers alone for which the one
    phase comes near turn*pi (see :class:`~asymp.kernel.growths.phases.Turned`).

    Every condition is verified on the path, where the difference, or
    the quotient, has a term of a size that the statement excludes, or one side is 0 and the other is not.
    """
    statement, order = read_closed(data["statement"]), data["order"]
    checked_order(statement, order)
    others = [premise.statement for premise in premises]
    path = refuting(statement, data, others)
    waves, rests = Waves(path.whole, taken=frozenset[str]().union(*map(names_in, (statement, *others)))), dict[str, Series]()
    plain = expander_of((), statement, path.where, Algebra(path.where.domain, order))
    plain.whole |= {terms.name(path.runner)}
    read = {node: alternating(plain, path.where.put(terms.of(node)), rests) for node in statement.body.terms()}
    where = replace(path.where, domain=waves.domain(Domain()))
    expander = expander_of(premises, statement, where, Algebra(where.domain, order))
    expander.leaves = {**expander.leaves, **{terms.name(name): found for name, found in rests.items()}}
    expander.whole |= {terms.name(path.runner)}
    turn = terms.read(text(data["turn"], "turn")) if "turn" in data else None
    if turn is not None and not turn.is_number:
        raise Refused("a turn is a number")
    waves.known_to(expander, lambda term: term, turn.number if turn is not None else None)
    read = {node: waves.without(path.whole.settled(term)) for node, term in read.items()}

    def series(node: Node) -> Series:
        return expander.series(read[node])

    for argument in waves.arguments():
        expander.series(argument)
    body = statement.body
    if isinstance(body, Limiting) and terms.free(terms.of(body.value)) & moving(statement):
        raise Refused("a limit that moves")
    if not (_differs_from_zero(body, series, expander.algebra) or fails_by_series(body, expander, read.__getitem__)):
        raise Refused("the series do not show that it fails")
    noted("series", where=where, expander=expander, read=read, waves=waves)
    all_used(premises, expander)
    if turn is not None and expander.phases is not None and set(waves.reach) - expander.phases.names():
        raise Refused("something else oscillates")
    require_fresh((statement, *others), [path.runner, *waves.reach, *rests])
    return Conclusion(statement, holds=False)


def _differs_from_zero(body: Body, series: Callable[[Node], Series], a: Algebra) -> bool:
    """Whether one side is 0 and the other is not, where the statement excludes that."""
    match body:
        case Ratio():
            f, g, order = series(body.left), series(body.right), "o"
        case Expanding() | Ordering():
            f, g, order = _left(body, series, a), series(body.growth), body.order
        case _:
            return False
    if g.is_zero and order in ("O", "o", "Theta"):
        return not f.is_zero and bool(a.leading(f))
    if f.is_zero and order in ("Theta", "Omega", "omega"):
        return not g.is_zero and bool(a.leading(g))
    return False
