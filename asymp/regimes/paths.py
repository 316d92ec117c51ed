"""A path of a regime is looked for: values in a runner, on which the kernel sees every condition of regime and domain hold.

Names get values one after another: parameters numbers, by what bounds them; what moves simple growths of the runner, and what
its conditions with the names before it ask for.  A condition is asked as soon as all of its names have values.

>>> from asymp.language.statement import read_statement
>>> path(read_statement("p*n^a -> oo as whole n -> oo, p -> 0+, n*p*log(n) -> oo, n*p -> 0 for a > 2"))["values"]
{'a': '3', 'n': 'k', 'p': 'log(k)^(-1)*log(k)^(1/2)*k^(-1)'}
>>> path(read_statement("n/m -> oo as n -> oo, m -> oo, m = o(n), n = o(m)"))
Traceback (most recent call last):
...
asymp.kernel.terms.Refused: no path is seen on which all conditions hold: n -> oo, m -> oo, m = o(n), n = o(m)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.growths.paths import Path
from asymp.kernel.growths.regime import moving, names_in
from asymp.kernel.growths.uniform import uniform_range
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term, number
from asymp.language.conditions import Between, Compared, Condition, Conditions, Grows, Listed, OfKind, Tends, text_of
from asymp.language.statement import Statement, read_statement

MOST_TRIED = 1500
"""Conditions that are asked on the way to one path."""
MOST_TURNS = 5
"""Choices of values of the parameters that are tried."""
LETTERS = ("k", "m", "r", "j", "s", "t", "u", "v", "w")
NUMBERS = tuple(map(mpq, "1 2 1/2 3 1/3 4 1/4 5 10 0 -1 -1/2 -2 1/10 100 1/100".split()))
LARGE = ("{0}", "{0}^2", "{0}^(1/2)", "log({0})", "log({0})^(1/2)", "log(log({0}))", "exp({0})", "{0}^3")
WHOLE = (
    "{0}", "{0}^2", "2*{0}", "2^{0}", "{0}^3", "floor({0}^(1/2))", "floor(log({0}))", "floor(log(log({0})))",
)  # fmt: skip
SLOW = ("log({0})^(1/2)", "log(log({0}))", "log({0})", "{0}^(1/2)", "{0}", "{0}^2")
"""Growths in a runner: of what is large, of what is large and whole, and of what a quotient of two is to be."""
NOTHING = read_statement("0 = 0").body
Values = Mapping[str, Term]


def path(statement: Statement, names: Iterable[str] = (), slow: bool = False) -> dict[str, Any]:
    """A runner and values, as the kernel is told them.

    Args:
        statement: of a limit.
        names: further names that the runner is not to be.
        slow: whether what conditions on several names ask for comes first: n*p -> oo as sqrt(log n) does.

    Raises:
        Refused: none is found.
    """
    taken, own = names_in(statement) | set(names), names_in(statement)
    if statement.uniform:
        own = names_in(replace(statement, uniform=())) - {uniform_range(statement)[0]}
    runner = next((letter for letter in LETTERS if letter not in taken), "s_")
    values = _path((*statement.regime, *statement.domain), tuple(sorted(own)), tuple(sorted(moving(statement))), runner, slow)
    if isinstance(values, str):
        raise Refused(values)
    return {"runner": runner, "values": {name: str(values[name]) for name in sorted(own)}}


def instances(statement: Statement, along: Values, runner: str, most: int = 2) -> list[dict[str, Term]]:
    """Values of what does not move, on a way to the limit: so many choices, where all conditions are seen to hold.

    That a moving variable is whole is not asked.

    >>> N = {"n": terms.name("k")}
    >>> [{v: str(x) for v, x in one.items()} for one in instances(read_statement("a/n -> 0 as n -> oo for a > 1"), N, "k")]
    [{'a': '2'}, {'a': '3'}]
    """
    conditions = tuple(c for c in (*statement.regime, *statement.domain) if not (isinstance(c, OfKind) and c.name in along))
    still = tuple(sorted(names_in(statement) - terms.CONSTANTS - {"oo", runner} - along.keys()))
    own = tuple(c for c in conditions if names_of(c) <= set(still))
    found: list[dict[str, Term]] = []
    for turn in range(MOST_TURNS if still else 1):
        values = _Search(own, still, (), runner, turn=turn).found({})
        if values is None or values in found:
            continue
        both = {**values, **{v: terms.substitute(x, values) for v, x in along.items()}}
        if _Search(conditions, tuple(both), (), runner)._fits(both, along):
            found.append(values)
        if len(found) == most:
            break
    return found


@uncounted
@lru_cache(maxsize=512)
def _path(
    conditions: Conditions, names: tuple[str, ...], moves: tuple[str, ...], runner: str, slow: bool
) -> dict[str, Term] | str:
    found = None
    for last in (False, True):  # n before p, and p before n
        search = _Search(conditions, names, moves, runner, slow)
        if last:
            still = len([v for v in search.order if v not in search.moves])
            search.order[still:] = search.order[still:][::-1]
        found = search.found({}) if found is None else found
    return f"no path is seen on which all conditions hold: {text_of(conditions)}" if found is None else found


class _Search:
    """Values, one name after another; see the module."""

    def __init__(
        self, conditions: Conditions, names: tuple[str, ...], moves: tuple[str, ...], runner: str, slow: bool = False,
        turn: int = 0,
    ) -> None:
        self.conditions, self.runner, self.moves, self.left, self.slow = conditions, runner, set(moves), MOST_TRIED, slow
        self.turn = turn
        self.speaks = [names_of(c) for c in conditions]
        self.whole = {c.name for c in conditions if isinstance(c, OfKind) and c.kind == "whole"}
        self.ties = {c.parts[0].text: terms.of(c.parts[1]) for c in conditions
                     if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name"}  # fmt: skip
        lone = {c.term.text for c in conditions if isinstance(c, Tends) and c.term.kind == "name"}
        place = {name: k for k, found in reversed(list(enumerate(self.speaks))) for name in found}
        self.order = sorted(
            names, key=lambda v: (v in self.moves, v in self.ties, v not in self.whole, v not in lone, place.get(v, 0), v)
        )

    def found(self, values: dict[str, Term]) -> dict[str, Term] | None:
        """The values with those of the names that have none yet, if there are any that are seen to go together."""
        rest = [v for v in self.order if v not in values]
        if not rest:
            return values
        name = next((v for v in rest if v in self.ties and self.ties[v].free <= values.keys()), rest[0])
        for more in self._candidates(name, values):
            both = {**values, **more}
            if self._fits(both, more.keys()):
                further = self.found(both)
                if further is not None:
                    return further
            if self.left <= 0:
                return None
        return None

    def _fits(self, values: dict[str, Term], new: Iterable[str]) -> bool:
        """Whether the conditions whose last names are the new ones hold."""
        try:
            along = Path.of(self.runner, values)
            for name in new:
                along.series(values[name])
            for c, names in zip(self.conditions, self.speaks, strict=True):
                if names <= values.keys() and names & set(new):
                    self.left -= 1
                    along.obeys(c)
        except Refused:
            return False
        return True

    # --- candidates ---------------------------------------------------------------------------------------

    def _candidates(self, name: str, values: Values) -> Iterator[dict[str, Term]]:
        lists = [c for c in self.conditions if isinstance(c, Listed) and name in c.names]
        if lists:
            for row in lists[0].rows:
                yield {v: terms.of(value) for v, value in zip(lists[0].names, row, strict=True)}
        elif name in self.ties and self.ties[name].free <= values.keys():
            yield {name: terms.substitute(self.ties[name], values)}
        elif name in self.moves:
            yield from ({name: value} for value in dict.fromkeys(self._growths(name, values)))
        else:
            yield from ({name: number(x)} for x in self._numbers(name, values))

    def _numbers(self, name: str, values: Values) -> list[mpq]:
        """Numbers in the range that comparisons with numbers leave, those in its midst first."""
        lows: list[mpq] = []
        highs: list[mpq] = []
        for c in self.conditions:
            if isinstance(c, Between) and c.name == name:
                pairs = [(terms.of(c.low), terms.name(name)), (terms.name(name), terms.of(c.high))]
            elif isinstance(c, Compared):
                sides = [(x, y) if sign[0] in "<=" else (y, x) for x, sign, y in c.pairs()]
                pairs = [(terms.of(x), terms.of(y)) for x, y in sides]
            else:
                continue
            for below, above in pairs:
                for one, other, into in ((below, above, highs), (above, below, lows)):
                    end = terms.substitute(other, values)
                    if one == terms.name(name) and end.is_number:
                        into.append(end.number)
        low, high = max(lows, default=None), min(highs, default=None)
        found = list(NUMBERS)
        if low is not None and high is not None:
            found = [(low + high) / 2, *(low + (high - low) * x for x in NUMBERS if 0 <= x <= 1), *found]
        elif low is not None:
            found = [low + x for x in NUMBERS if x >= 0]
        elif high is not None:
            found = [high - x for x in NUMBERS if x >= 0]
        if name in self.whole:
            found = [mpq(y) for x in found for y in (x.__ceil__(), x.__floor__(), x.__floor__() + 1)]
        found = [x for x in dict.fromkeys(found) if (low is None or x >= low) and (high is None or x <= high)]
        turn = self.turn * (1 + self.order.index(name)) % len(found) if found else 0  # values that are not in proportion
        return found[turn:] + found[:turn]

    def _growths(self, name: str, values: Values) -> Iterator[Term]:
        """Terms in the runner that may run as a name does."""
        at = self.runner
        whole = name in self.whole
        lone = [c for c in self.conditions if isinstance(c, Tends) and c.term.kind == "name" and c.term.text == name]
        asked = [one for value in self._asked(name, values) for one in (value, terms.call("floor", value))[: 1 + whole]]
        if self.slow:
            yield from asked
        for c in lone[:1]:
            target = terms.of(c.target)
            for large in (terms.read(one.format(at)) for one in (WHOLE if whole else LARGE)):
                if target == terms.name("oo"):
                    yield large
                elif target == terms.negative(terms.name("oo")):
                    yield terms.negative(large)
                else:
                    for sign in {"+": (1,), "-": (-1,)}.get(c.side, (1, -1)):
                        step = terms.multiply(number(sign), _over(large))
                        yield terms.add(terms.substitute(target, values), step)
        yield from asked
        if not lone:
            yield from map(terms.read, (one.format(at) for one in (WHOLE if whole else (*LARGE, "1/{0}", "1/{0}^2"))))
            yield number(1)

    def _asked(self, name: str, values: Values) -> Iterator[Term]:
        """What a condition asks for whose other names have values: n*p -> 0 leaves p = 1/(n log n)."""
        slow = [terms.read(one.format(self.runner)) for one in SLOW]
        for c, names in zip(self.conditions, self.speaks, strict=True):
            if name not in names or not names <= values.keys() | {name} or not isinstance(c, (Tends, Grows)) or len(names) < 2:
                continue
            if isinstance(c, Grows):
                left, right = terms.substitute(terms.of(c.term), values), terms.substitute(terms.of(c.growth), values)
                both, kind = terms.multiply(left, _over(right)), {"o": "0", "omega": "oo"}.get(c.order, "1")
            else:
                both, target = terms.substitute(terms.of(c.term), values), terms.substitute(terms.of(c.target), values)
                kind = "0" if target == terms.ZERO else "oo" if target == terms.name("oo") else "1"
            wanted = {"0": [_over(x) for x in slow], "oo": slow}.get(kind)
            if wanted is None:
                wanted = [terms.ONE if isinstance(c, Grows) else target]
            for value in wanted:
                try:
                    yield solved(both, value, name)
                except Refused:
                    break


def with_ties(regime: Conditions) -> Conditions:
    """The regime with ``p = c/n`` for ``n*p = c``, where n tends alone.

    >>> from asymp.language.conditions import read_conditions
    >>> text_of(with_ties(read_conditions("n -> oo, n*p = c")))
    'n -> oo, p = c*n^(-1)'
    """
    lone = {c.term.text for c in regime if isinstance(c, Tends) and c.term.kind == "name"}

    def tied(c: Condition) -> Condition:
        if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind != "name":
            left, right = map(terms.of, c.parts)
            own = left.free - lone
            if len(own) == 1 and left.free & lone:
                (v,) = own
                with suppress(Refused):
                    return Compared((node_of(terms.name(v)), node_of(solved(left, right, v))), ("=",))
        return c

    return tuple(map(tied, regime))


def _over(term: Term) -> Term:
    """1/x, without a power of a power: k^(-2) for x = k^2, and 1/k/log(k) for x = k*log(k)."""
    if term.head == "product":
        return terms.multiply(*map(_over, term.parts))
    if term.head == "power" and term.parts[1].is_number:
        return terms.power(term.parts[0], number(-term.parts[1].number))
    return terms.reciprocal(term)


def names_of(c: Condition) -> frozenset[str]:
    """The names of which a condition speaks."""
    return names_in(Statement(NOTHING, domain=(c,)))


def solved(argument: Term, value: Term, variable: str) -> Term:
    """The value of the variable at which an expression has a value: peeled from the outside in.

    Raises:
        Refused: the variable stands in two places, or under a function without an inverse here.
    """
    while argument != terms.name(variable):
        places = [k for k, part in enumerate(argument.parts) if variable in terms.free(part)]
        if len(places) != 1:
            raise Refused("no inverse")
        (k,) = places
        others = [part for j, part in enumerate(argument.parts) if j != k]
        match argument.head:
            case "sum":
                value = terms.add(value, *map(terms.negative, others))
            case "product":
                value = _spread(value, _over(terms.multiply(*others)))
            case "power" if k == 0:
                value = terms.power(value, _over(others[0]))
            case "power":
                value = terms.multiply(terms.call("log", value), _over(terms.call("log", others[0])))
            case "log":
                value = terms.call("exp", value)
            case "exp":
                value = terms.call("log", value)
            case _:
                raise Refused("no inverse")
        argument = argument.parts[k]
    return value


def _spread(value: Term, factor: Term) -> Term:
    """A sum times a factor, multiplied out."""
    parts = value.parts if value.head == "sum" else (value,)
    return terms.add(*(terms.multiply(part, factor) for part in parts))
