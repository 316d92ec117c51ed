"""Certificates of statements in which something oscillates or jumps: classes of whole numbers, paths to a phase, values of
parameters at which a statement fails.

>>> from asymp.language.statement import read_statement
>>> holds(read_statement("n*(2 + sin(n)) = Theta(n) as n -> oo"))
⊢ n*(2 + sin(n)) = Theta(n) as n -> oo
>>> fails(read_statement("1 = O(sin(n)) as n -> oo")).made[2]["values"]
{'n': 'k*pi'}
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import lcm

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.bounded import MOST_CLASSES, whole_names
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.phases import Phases
from asymp.kernel.growths.regime import alone, moving, placed, ranges, ties
from asymp.kernel.growths.series import Algebra
from asymp.kernel.terms import Refused, Term
from asymp.kernel.theorem import Theorem, apply
from asymp.language.bodies import Expanding
from asymp.language.statement import Statement
from asymp.language.syntax import Node
from asymp.prove.asymptotic import Place, asked_of_the_engine, leaf, paths, places
from asymp.regimes.names import runner_of
from asymp.regimes.paths import path, solved

ORDERS = (2, 3, 5)
RUNNER = "s_"
TURNS = ("0", "1/2", "1", "1/3")
"""Where a phase comes near, over pi."""
MOST_PATHS = 60
MOST_VALUES = 12
JUMPS = ("sin", "cos", "floor", "ceiling")


def holds(statement: Statement) -> Theorem:
    """A theorem that a statement holds, whatever the values of what is bounded in it are.

    Raises:
        Refused: none is found.
    """
    last = Refused("no quantities for this regime")
    text, jumps, along = str(statement), bool(waves(statement)), path(statement)
    found = list(places(statement))
    for place in found:
        for classes in (1, *classes_of(statement)):
            for order in ORDERS if jumps else ORDERS[:1]:  # without, there is nothing new but what is 0
                for nodes in _asked(statement, found) if classes == 1 else ([],):
                    try:
                        given = [leaf(node, statement, order, found) for node in nodes]
                        return apply("bounded", given, statement=text, order=order, place=place, classes=classes, **along)
                    except Refused as error:
                        last = error
        if not jumps:
            break
    raise last


def _asked(statement: Statement, places: Sequence[Place]) -> Iterator[list[Node]]:
    """The atoms of which leaves are wanted: none of those that are bounded."""
    for nodes in asked_of_the_engine(statement, places):
        yield [node for node in nodes if node.text not in JUMPS]


def fails(statement: Statement) -> Theorem:
    """A theorem that a statement fails: along a sequence on which what oscillates is exact, or at values of its parameters.

    Raises:
        Refused: none is found.
    """
    last = Refused("no path for this regime")
    text = str(statement)
    quantities = list(places(statement))
    nodes = next(_asked(statement, quantities))
    try:
        found = [leaf(node, statement, ORDERS[0], quantities) for node in nodes]
    except Refused:
        found = []
    runner = runner_of(statement)
    own = waves(statement)
    hidden = [wave for wave in _hidden(statement, quantities) if wave not in own]
    for order in ORDERS[::2] if hidden else ORDERS[:1]:
        for values in itertools.islice(_paths(statement, hidden), MOST_PATHS):
            shown = {name: str(terms.substitute(value, {RUNNER: terms.name(runner)})) for name, value in values.items()}
            try:
                return apply("along", found, statement=text, order=order, runner=runner, values=shown)
            except Refused as error:
                last = error
    if len(whole_names(statement)) == 1 and any(part.head in ("sin", "cos") for part in (*own, *hidden)):
        along = _plain(statement, runner)
        for order in ORDERS[::2] if hidden else ORDERS[:1]:
            for turn in TURNS:
                try:
                    return apply("along", found, statement=text, order=order, runner=runner, values=along, turn=turn)
                except Refused:
                    continue
    raise last


def _plain(statement: Statement, runner: str) -> dict[str, str]:
    """The runner for the one variable, and a value for each parameter."""
    (variable,) = whole_names(statement)
    names = set().union(*(terms.free(terms.of(node)) for node in statement.terms())) - {variable}
    values = next(_values(statement, sorted(names)), {})
    return {variable: runner, **{name: str(value) for name, value in values.items()}}


def is_of_waves(statement: Statement) -> bool:
    """Whether an expansion's terms have sines of what moves: as numbers of any size they tell nothing."""
    kept = terms.of(statement.body.kept) if isinstance(statement.body, Expanding) else terms.ZERO
    return any(part.head in ("sin", "cos") and part.free & moving(statement) for part in terms.walk(kept))


def _hidden(statement: Statement, places: Sequence[Place]) -> Iterator[Term]:
    """The sines in expansions of a statement's functions, in its variables: of J, Ai(-x), integrals."""
    with suppress(IndexError, Refused):
        where = placed(statement, places[0])
        expander = expander_of((), statement, where, Algebra(where.domain, ORDERS[0]))
        expander.phases = phases = Phases(lambda: terms.ONE, lambda _: terms.ONE)
        back = {s: terms.read(x) for s, x in places[0]["scales"].items()}
        for node in statement.body.terms():
            with suppress(Refused):
                expander.series(where.put(terms.of(node)))
        yield from (terms.substitute(term, back) for term in phases.asked)


def waves(statement: Statement, hidden: Sequence[Term] = ()) -> list[Term]:
    """What oscillates or jumps in a statement: sines, floors, powers of negative numbers, coefficients; inner ones first."""
    found: dict[Term, None] = dict.fromkeys(hidden)

    def visit(term: Term) -> None:
        if term.head == "Coefficient":
            found[term] = None
            return
        for part in term.parts:
            visit(part)
        negative = term.head == "power" and term.parts[0].is_number and term.parts[0].number < 0
        if (term.head in JUMPS and len(term.parts) == 1) or (negative and not term.parts[1].is_number):
            found[term] = None

    for node in statement.body.terms():
        visit(terms.of(node))
    return list(found)


def classes_of(statement: Statement) -> list[int]:
    """Numbers of classes of a whole variable, along each of which powers of -1, floors and sines may be exact."""
    if len(whole_names(statement)) != 1:
        return []
    denominators, found = [1], waves(statement)
    turning = (2, 3, 4, 6) if any(wave.head == "Coefficient" for wave in found) else ()  # poles at such roots of unity
    for wave in found:
        inner = [part.number.denominator for part in terms.walk(wave) if part.is_number and wave.head != "Coefficient"]
        denominators.append(lcm(*inner, 1))
    least = lcm(*denominators)
    return [m for m in dict.fromkeys((least, 2 * least, *turning)) if 1 < m <= MOST_CLASSES]


# --- paths -------------------------------------------------------------------------------------------------


def _paths(statement: Statement, hidden: Sequence[Term]) -> Iterator[dict[str, Term]]:
    """Values of the variables in the runner, and of the parameters."""
    moves = moving(statement)
    tending = alone(statement)
    names = set().union(*(terms.free(terms.of(node)) for node in statement.terms()))
    parameters = sorted(names - moves)
    if len(tending) == 1 and not ties(statement.regime):
        ((variable, kind),) = tending.items()
        own = list(_sequences(statement, variable, kind, waves(statement, hidden)))
        for values in _values(statement, parameters):
            for sequence in own:
                chosen = {**values, variable: terms.substitute(sequence, values)}
                yield {name: value for name, value in chosen.items() if name in names | moves}
        return
    for texts in paths(statement):
        yield {name: terms.read(value) for name, value in texts.items()}


def _sequences(statement: Statement, variable: str, kind: str, waves: Sequence[Term]) -> Iterator[Term]:
    """Sequences that may run as the variable does."""
    s = terms.name(RUNNER)
    found: list[Term] = []
    if variable in whole_names(statement):
        found += [s, *map(terms.read, WHOLE)]
        for m in classes_of(statement):
            found += [terms.add(terms.multiply(terms.number(m), s), terms.number(r)) for r in range(m)]
        bases = {part.parts[0].number for part in _logarithms(statement) if part.parts[0].is_number}
        for base in sorted(b for b in bases if b > 1 and b.denominator == 1):
            whole = terms.power(terms.number(base), s)
            found += [whole, terms.multiply(terms.number(base + 1), whole), terms.add(whole, terms.number(-1))]
    elif kind == "oo" or kind == "0":
        for wave in waves:
            for target in _targets(wave):
                try:
                    found.append(solved(wave.parts[0], target, variable))
                except Refused:
                    continue
        further = [s, *(map(terms.read, BETWEEN) if waves else ())]
        found += further if kind == "oo" else map(terms.reciprocal, further)
    yield from dict.fromkeys(found)


BETWEEN = (f"{RUNNER} + 1/2", f"2*{RUNNER} + 1/2", f"2*{RUNNER} + 3/2")
WHOLE = (f"2*{RUNNER}", f"2*{RUNNER} + 1", f"{RUNNER}^2", f"{RUNNER}^2 + {RUNNER}", f"{RUNNER}^2 + 1")


def _logarithms(statement: Statement) -> Iterator[Term]:
    for node in statement.body.terms():
        yield from (part for part in terms.walk(terms.of(node)) if part.head == "log")


def _targets(wave: Term) -> list[Term]:
    """Values of the argument at which the function is 0, 1, -1, or next to a jump."""
    s = RUNNER
    shifts = {"sin": ("pi*{0}", "2*pi*{0} + pi/2", "2*pi*{0} + 3*pi/2", "2*pi*{0} + pi/6"),
              "cos": ("pi*{0} + pi/2", "2*pi*{0}", "2*pi*{0} + pi", "2*pi*{0} + pi/3")}  # fmt: skip
    texts = shifts.get(wave.head, ("{0} + 1/2", "{0}", "2*{0} + 1/2"))
    return [terms.read(text.format(s)) for text in texts] if wave.head in JUMPS else []


# --- values of parameters -----------------------------------------------------------------------------------


def _values(statement: Statement, parameters: list[str]) -> Iterator[dict[str, Term]]:
    """Values of parameters in their ranges: the numbers of the statement, those between them, and those beyond."""
    domain = ranges((*statement.domain, *statement.regime))
    numbers = {mpq(1)}
    for node in (*statement.body.terms(), *(n for c in statement.conditions() for n in c.terms())):
        if node.kind != "tuple":
            numbers |= {part.number for part in terms.walk(terms.of(node)) if part.is_number}
    marks = sorted(numbers)
    tried = [*marks, *((a + b) / 2 for a, b in itertools.pairwise(marks)), marks[-1] + 1, marks[0] - 1, marks[-1] / 7]
    lists = []
    for name in parameters:
        own = domain.ranges.get(name)
        inside = [x for x in tried if own is None or _inside(x, own.low, own.low_open, own.high, own.high_open)]
        lists.append([(name, terms.number(x)) for x in dict.fromkeys(inside)])
    for chosen in itertools.islice(itertools.product(*lists), MOST_VALUES):
        yield dict(chosen)


def _inside(x: mpq, low: mpq | None, low_open: bool, high: mpq | None, high_open: bool) -> bool:
    above = low is None or x > low or (x == low and not low_open)
    below = high is None or x < high or (x == high and not high_open)
    return above and below
