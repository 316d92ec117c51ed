"""Paths of a regime: witnesses that what is said of its variables and parameters can be met, and ways on which a statement fails.

A path gives each variable that moves a term in a *runner*, which goes to infinity through the whole numbers, and each
parameter a number.  From some point on it is to obey every condition of the regime and of the domain.  A statement of a
limit is a theorem only where a path is shown: along none it would be about nothing.

>>> from asymp.language.statement import read_statement
>>> said = read_statement("n*p -> c as whole n -> oo, p = c/n for c > 1")
>>> path_of(said, {"runner": "k", "values": {"n": "k", "p": "2/k", "c": "2"}}).where.values["p"] == terms.read("2/k")
True
>>> path_of(said, {"runner": "k", "values": {"n": "k", "p": "1/k", "c": "1"}})
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: c > 1 fails on the path
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from asymp.kernel import terms
from asymp.kernel.data import terms_in, text
from asymp.kernel.growths.declared import sequence
from asymp.kernel.growths.exact import Whole
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.regime import Placed, moving, names_in, require_fresh, unclear
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.terms import Refused, Term
from asymp.kernel.trust import remembered
from asymp.language.bodies import Comparison
from asymp.language.conditions import Between, Compared, Condition, Conditions, Grows, Listed, OfKind, Recurrence, Tends
from asymp.language.statement import Statement
from asymp.language.syntax import Node

ORDER = 3
"""Terms that are kept of a function's series."""
INFINITE = {terms.name("oo"): 1, terms.negative(terms.name("oo")): -1}


@dataclass(frozen=True)
class Path:
    """Terms in a runner for the names of a statement; ``whole`` tells which of them are whole numbers from some point on."""

    runner: str
    where: Placed
    expander: Expander
    whole: Whole

    @classmethod
    def of(cls, runner: str, values: Mapping[str, Term]) -> Path:
        """The path with these values, of which nothing is known yet."""
        where = Placed(values, {runner: 0}, Domain(), {})
        expander = Expander(Algebra(where.domain, ORDER), where.scales, {})
        return cls(runner, where, expander, Whole(frozenset({runner}), expander.series, runner))

    def series(self, term: Term) -> Series:
        """What a term of the statement is on the path.

        Raises:
            Refused: it has a name without a value, or is not seen to be defined.
        """
        found = self.where.put(term)
        if found.free - {self.runner}:
            raise Refused(f"{min(found.free - {self.runner})} has no value on the path")
        return self.expander.series(found)

    def sign(self, term: Term) -> int:
        """The sign that a term has from some point on; 0 only by identity.

        Raises:
            Refused: that is not seen.
        """
        f = self.series(term)
        return 0 if f.is_zero else self._sign(f)

    def obeys(self, condition: Condition) -> None:
        """That a condition holds from some point on; what tends to a number, alone, is never at it.

        Raises:
            Refused: that is not seen.
        """
        match condition:
            case OfKind():
                met = condition.kind != "whole" or self._is_whole(condition.name)
            case Compared():
                met = all(self._compared(terms.of(left), order, terms.of(right)) for left, order, right in condition.pairs())
            case Tends():
                met = self._tends(condition)
            case Grows():
                met = self._grows(condition)
            case Listed():
                rows = [tuple(terms.of(value) for value in row) for row in condition.rows]
                met = tuple(self.where.values.get(name) for name in condition.names) in rows
            case Between():
                low, value, high = terms.of(condition.low), terms.name(condition.name), terms.of(condition.high)
                met = self._is_whole(value.name) and self._compared(low, "<=", value) and self._compared(value, "<=", high)
            case Recurrence():
                met = bool(sequence(condition))  # a definition, which takes no path away
            case _:
                raise Refused(f"{condition} on a path")
        if not met:
            raise Refused(f"{condition} fails on the path")

    # --- conditions -----------------------------------------------------------------------------------

    def _is_whole(self, name: str) -> bool:
        value = self.where.values.get(name)
        if value is None:
            return False
        rounded = value.head in ("floor", "ceiling") and len(value.parts) == 1
        return rounded or self.whole.is_whole(value) or self.whole.is_whole_valued(value)

    def _compared(self, left: Term, order: str, right: Term) -> bool:
        self.series(left)
        self.series(right)
        if self.where.put(left) == self.where.put(right):
            return order in ("=", "<=", ">=")
        told = self.sign(terms.add(right, terms.negative(left)))
        return told in {"=": (0,), "<": (1,), "<=": (0, 1), ">": (-1,), ">=": (0, -1)}[order]

    def _tends(self, condition: Tends) -> bool:
        a, term, target = self.expander.algebra, terms.of(condition.term), terms.of(condition.target)
        f = self.series(term)
        if target in INFINITE:
            return a.leading(f)[1].limit(a.domain) == "infinity" and self._sign(f) == INFINITE[target]
        if target.free & self._moved:
            raise Refused(f"{condition}: a limit that moves")
        gap = a.minus(f, self.series(target))
        if not a.vanishes(gap):
            return False
        if len(term.free) == 1 and gap.is_zero:  # x -> a is a limit at a, and says nothing of x = a
            return False
        return not condition.side or (not gap.is_zero and self._sign(gap) == (1 if condition.side == "+" else -1))

    def _grows(self, condition: Grows) -> bool:
        a = self.expander.algebra
        f, g = (a.leading(self.series(terms.of(node)))[1] for node in (condition.term, condition.growth))
        return (f / g).limit(a.domain) in {"o": ("zero",), "omega": ("infinity",), "O": ("zero", "one"),
                                           "Omega": ("one", "infinity"), "Theta": ("one",)}[condition.order]  # fmt: skip

    def _sign(self, f: Series) -> int:
        a = self.expander.algebra
        return a.domain.sign(a.leading(f)[0]) or 0

    @property
    def _moved(self) -> frozenset[str]:
        return frozenset(v for v, value in self.where.values.items() if self.runner in value.free)


def path_of(
    statement: Statement, data: Mapping[str, Any], others: Sequence[Statement] = (), besides: AbstractSet[str] = frozenset(),
    chosen: AbstractSet[str] = frozenset(),
) -> Path:
    """The path in a rule's data, on which every condition of the statement's regime and domain holds.

    Args:
        statement: of a limit.
        data: ``runner``, a name, and ``values``: of each name in the statement a term in the runner, or a number.
        others: statements in which the runner is to have no meaning either.
        besides: names in the statement that have no value.
        chosen: further names that may move.

    Raises:
        Refused: it is none.
    """
    runner = text(data["runner"], "runner")
    values = terms_in(data["values"], "values")
    require_fresh((statement, *others), [runner])
    if terms.read(runner) != terms.name(runner):
        raise Refused("a runner is a name")
    if odd := values.keys() ^ (names_in(statement) - besides):
        raise Refused(f"{min(odd)}: a path has a value for each name of the statement, and for no other")
    moves = moving(statement) | chosen
    for name, value in values.items():
        if value.free - ({runner} if name in moves else set()):
            raise Refused(f"{name} = {value}: terms in the runner for what moves, numbers for parameters")
    _obeyed((*statement.regime, *statement.domain), runner, tuple(sorted(values.items(), key=lambda item: item[0])))
    return Path.of(runner, values)


def refuting(statement: Statement, data: Mapping[str, Any], others: Sequence[Statement] = ()) -> Path:
    """The path in a rule's data, along which a statement fails: what may be a parameter is a number on it.

    Raises:
        Refused: it is none, or a name moves on it of which the domain says for which values the statement is.
    """
    chosen = uniform_variable(statement)
    plain = replace(statement, uniform=(), domain=(*statement.domain, *statement.uniform))
    found = path_of(plain, data, others, chosen=chosen)
    values = terms_in(data["values"], "values")
    if moved := [name for name in unclear(statement) if name in values and values[name].free]:
        raise Refused(f"{moved[0]} may be a parameter: it is not said where it tends")
    return found


def uniform_variable(statement: Statement) -> frozenset[str]:
    """The one variable in which a statement is uniform, if it is: it may be chosen anew at each point of a path.

    Raises:
        Refused: the range has more than one name of which nothing else is said.
    """
    if not statement.uniform:
        return frozenset()
    nothing = Comparison(Compared((Node("number", 1, "0"), Node("number", 1, "0")), ("=",)))
    ranged = names_in(Statement(nothing, domain=statement.uniform))
    found = ranged - names_in(Statement(nothing, domain=statement.domain, regime=statement.regime)) - terms.CONSTANTS
    if len(found) != 1:
        raise Refused("one uniform variable is wanted")
    return found


@remembered(1_000)
def _obeyed(conditions: Conditions, runner: str, values: tuple[tuple[str, Term], ...]) -> None:
    """That conditions hold on a path, whose values are real numbers.

    Raises:
        Refused: one is not seen to.
    """
    path = Path.of(runner, dict(values))
    for name, _ in values:
        path.series(terms.name(name))
    for condition in conditions:
        path.obeys(condition)
