"""The quantities in which a regime can be written, and paths on which a statement may fail, as the kernel is told them.

The conditions of a regime say of some positive monomials X_1, ..., X_k in k variables and their logarithms that they tend to
infinity, as n, 1/p and n p.  Where the X_i are independent, each variable is a monomial in them and in logarithms: a system of
linear equations for exponents.  A variable that stands in them under a logarithm alone is an exponential.  Of several choices
those come first by which the other monomials tend to infinity too: of n -> oo, p -> 0+, n p -> oo the quantities are 1/p and n p.

>>> from asymp.language.statement import read_statement
>>> list(places(read_statement("1/n -> 0 as n -> oo")))
[{'scales': {'n_': 'n'}, 'values': {'n': 'n_'}}]
>>> next(places(read_statement("p*n^2 -> oo as n -> oo, p -> 0+, n*p -> oo")))["scales"]
{'v_': 'q^(-1)', 'w_': 'n*q'}
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.regime import alone, growing, is_positive, moving, names_in, placed, ranges, ties
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.ratio import to_term
from asymp.kernel.terms import Refused, Term
from asymp.language.bodies import Ordering
from asymp.language.conditions import Compared, Grows, Tends
from asymp.language.known import is_infinite
from asymp.language.statement import Statement
from asymp.language.syntax import Node, words
from asymp.regimes.names import runner_of, unused
from asymp.regimes.paths import instances, path, solved

Place = dict[str, Any]
Values = dict[str, Term]
MOST_INSTANCES = 4
"""Values of the parameters at which a statement may be seen to fail."""
POWERS = ("1", "2", "1/2")
"""Of the runner: what the other quantities are on a path, beside the first."""


def places(statement: Statement) -> Iterator[Place]:
    """The quantities of a regime, as the kernel is told them: with -ln(1 - p) for each p -> 0+, and with p itself."""
    if runner := lone(statement):
        yield {"scales": {f"{runner}_": runner}, "values": {runner: f"{runner}_"}}
        return
    try:
        tied = ties(statement.regime)
        variables, large = growing(statement, tied, {})
    except Refused:
        return
    equations = [*(Equation(x) for x in dict.fromkeys(large)), *_near(statement, tied, variables)]
    small = [p for p, kind in variables.items() if kind == "0" and p not in tied]
    for chosen in (small, []) if small else ([],):
        letter = unused(statement, ("q", "u", "w"), "q_")  # in the derivation a reader meets it
        swap = {p: letter if len(chosen) == 1 else f"{p}_q" for p in chosen}
        renamed = {p: terms.name(q) for p, q in swap.items()}
        own = [Equation(terms.substitute(one.monomial, renamed), one.target) for one in equations]
        taken = names_in(statement) | set(swap.values())
        for one in solutions([swap.get(v, v) for v in variables], own, taken, _gap):
            said = {"scales": one.scales, "values": {v: str(x) for v, x in one.values.items()}}
            yield {**said, **({"small": swap} if swap else {}), **({"near": one.near} if one.near else {})}


Fresh = Callable[..., str]
Near = Callable[[Term, Fresh], tuple[Term, str, str]]
"""What a monomial is that tends to c, with the name of what tends to 0, or of what tends to infinity in it."""


@dataclass(frozen=True)
class Equation:
    """A positive monomial that tends to infinity; or with a ``target`` one that tends to that."""

    monomial: Term
    target: Term | None = None


@dataclass(frozen=True)
class Solved:
    """Quantities with what they are in the variables, the variables in the quantities, what tends to 0 (M - c for the M that is
    named), and how many conditions do not follow."""

    scales: dict[str, str]
    values: Values
    near: dict[str, str]
    open: int


def solutions(
    variables: Sequence[str], equations: Sequence[Equation], taken: Set[str], near: Near, domain: Domain = Domain()
) -> list[Solved]:
    """The choices of equations by which all variables are monomials in what tends to infinity, those that say most first."""
    found = []
    for chosen in itertools.combinations(equations, len(variables)):
        atoms = [powers(one.monomial).keys() for one in chosen]
        logs = {v: terms.call("log", terms.name(v)) for v in variables}
        ways = [[x for x in (terms.name(v), logs[v]) if any(x in one for one in atoms)] for v in variables]
        for keys in itertools.product(*ways):
            with suppress(Refused):
                scales, gaps, values = _solved(variables, keys, chosen, taken, near)
                others = [one for one in equations if one not in chosen]
                left = sum(one.target is not None or not _is_large(one.monomial, values, scales, domain) for one in others)
                found.append(Solved(scales, values, gaps, left))
                break
    return sorted(found, key=lambda one: one.open)


def _gap(target: Term, fresh: Fresh) -> tuple[Term, str, str]:
    """c + e, of which the kernel knows that e tends to 0."""
    name = fresh("e_")
    return terms.add(target, terms.name(name)), name, ""


def _signed(target: Term, fresh: Fresh) -> tuple[Term, str, str]:
    """c + s/w, where of s nothing is said but that it is not 0."""
    name = fresh("v_", "w_", "z_", "v")
    step = terms.multiply(terms.name(fresh("s", "s_", "s")), terms.reciprocal(terms.name(name)))
    return terms.add(target, step), "", name


def _near(statement: Statement, tied: Values, variables: Mapping[str, str]) -> Iterator[Equation]:
    """The positive monomials of which a regime says that they tend to a number."""
    for c in statement.regime:
        if isinstance(c, Tends) and c.term.kind != "name":
            monomial, target = terms.substitute(terms.of(c.term), tied), terms.of(c.target)
            if not is_infinite(c.target) and target != terms.ZERO and is_positive(monomial, variables):
                yield Equation(monomial, target)


def _solved(
    variables: Sequence[str], keys: Sequence[Term], chosen: Sequence[Equation], taken: Set[str], near: Near
) -> tuple[dict[str, str], dict[str, str], Values]:
    used, numbers = set(taken), range(len(chosen))
    scales: dict[str, str] = {}
    gaps: dict[str, str] = {}
    sides: list[Term] = []

    def fresh(*names: str) -> str:
        name = next(x for x in (*names, *(f"{names[-1]}{k}_" for k in numbers)) if x not in used)
        used.add(name)
        return name

    for one in chosen:
        if one.target is None:
            name = fresh(*([f"{one.monomial.name}_"] if one.monomial.head == "name" else []), "v_", "w_", "z_", "v")
            scales[name] = str(one.monomial)
            sides.append(terms.name(name))
            continue
        side, gap, scale = near(one.target, fresh)
        sides.append(side)
        gaps |= {gap: str(one.monomial)} if gap else {}
        scales |= {scale: ""} if scale else {}
    known = [powers(one.monomial) for one in chosen]
    inverse = _inverse([[one.get(key, mpq(0)) for key in keys] for one in known])
    values: Values = {}
    for v, key, row in zip(variables, keys, inverse, strict=True):
        found: dict[Term, mpq] = {}
        for k, side, own in zip(row, sides, known, strict=True):
            for base, e in ((side, mpq(1)), *((atom, -e) for atom, e in own.items() if atom not in keys)):
                found[base] = found.get(base, mpq(0)) + k * e
        value = terms.multiply(*(terms.power(base, terms.number(e)) for base, e in found.items() if e))
        values[v] = value if key.head == "name" else terms.call("exp", value)
    for _ in variables:  # those that stand in the values of others
        values = {v: terms.substitute(x, {u: values[u] for u in variables if u in x.free}) for v, x in values.items()}
    if any(x.free & set(variables) for x in values.values()):
        raise Refused("a variable in terms of itself")
    return scales, gaps, values


def _is_large(monomial: Term, values: Mapping[str, Term], scales: Iterable[str], domain: Domain) -> bool:
    algebra = Algebra(domain, 1)
    try:
        found = Expander(algebra, {s: k for k, s in enumerate(scales)}, {}).series(terms.substitute(monomial, values))
        return algebra.leading(found)[1].limit(domain) == "infinity"
    except Refused:
        return False


def powers(monomial: Term, k: mpq = mpq(1)) -> dict[Term, mpq]:
    """The exponents of what a positive monomial is a product of.

    >>> {str(x): str(k) for x, k in powers(terms.read("(n*p^2*log(n))^(-1)")).items()}
    {'log(n)': '-1', 'n': '-1', 'p': '-2'}

    Raises:
        Refused: one that is no number.
    """
    found: dict[Term, mpq] = {}
    if monomial.head == "power":
        if not monomial.parts[1].is_number:
            raise Refused("an exponent that is no number")
        return powers(monomial.parts[0], k * monomial.parts[1].number)
    for part in monomial.parts if monomial.head == "product" else ():
        for base, e in powers(part, k).items():
            found[base] = found.get(base, mpq(0)) + e
    return found if monomial.head == "product" else {monomial: k}


def _inverse(matrix: Sequence[Sequence[mpq]]) -> list[list[mpq]]:
    """The inverse of a matrix of exponents.

    Raises:
        Refused: there is none.
    """
    size = len(matrix)
    rows = [[*row, *(mpq(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for k in range(size):
        pivot = next((i for i in range(k, size) if rows[i][k]), None)
        if pivot is None:
            raise Refused("conditions that do not determine all variables")
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [x / rows[k][k] for x in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                rows[i] = [x - rows[i][k] * y for x, y in zip(rows[i], rows[k], strict=True)]
    return [row[size:] for row in rows]


def quantities(statement: Statement) -> tuple[tuple[str, ...], dict[str, Term]]:
    """The names of quantities, and what the variables are in them, of a regime that may say n p -> c too: n p = c + s/w.

    Raises:
        Refused: there are none.
    """
    tied = ties(statement.regime)
    said = replace(statement, regime=(*statement.regime, *implied(statement, tied)))
    variables, large = growing(said, tied, {})
    kinds = {v: kind for v, kind in variables.items() if v not in tied}
    equations = [*_near(said, tied, kinds), *(Equation(x) for x in dict.fromkeys(large))]
    for one in solutions(list(kinds), equations, names_in(statement), _signed, ranges((*statement.domain, *statement.regime))):
        if one.scales:  # none where all that moves tends to a number: that has a path
            return tuple(one.scales), {**tied, **one.values}
    raise Refused("no quantities for this regime")


def implied(statement: Statement, tied: Values) -> Iterator[Tends]:
    """Where variables tend of which only that is said: of n -> oo and n p -> c, that p -> 0+."""
    kinds = {v: kind for v, kind in alone(statement).items() if kind}
    for c in statement.regime:
        if not isinstance(c, Tends) or c.term.kind == "name" or is_infinite(c.target):
            continue
        with suppress(Refused):
            found = powers(terms.substitute(terms.of(c.term), tied))
            new = [x for x in found if x.head == "name" and x.name not in kinds]
            rest = [(x.parts[0] if x.head == "log" else x, e) for x, e in found.items() if x not in new]
            others = {(kinds.get(x.name), e > 0) for x, e in rest}
            if len(new) == 1 and others and others <= {("oo", True), ("0", False)}:
                node, zero = Node("name", 1, new[0].name), found[new[0]] > 0
                yield Tends(node, Node("number", 1, "0"), "+") if zero else Tends(node, Node("name", 1, "oo"))
                kinds[new[0].name] = "0" if zero else "oo"


def paths(statement: Statement) -> Iterator[dict[str, str]]:
    """Paths of a regime with values of the parameters, in the runner: those on which quantities are powers of it, then one
    that the kernel is asked for."""
    runner, variable = runner_of(statement), lone(statement)
    own = names_in(statement)
    if variable and own == {variable}:
        yield {variable: runner}
        return
    for along, instance in (*runs(statement, runner, MOST_INSTANCES), *_vanishing(statement, runner)):
        values = {**{v: flat(terms.substitute(x, instance)) for v, x in along.items()}, **instance}
        yield {name: str(x) for name, x in values.items() if name in own}
    for slow in (False, True) if len(moving(statement)) > 1 else (False,):  # as slowly as the conditions let it
        with suppress(Refused):
            found = path(statement, slow=slow)
            if found["runner"] == runner:
                yield found["values"]


def runs(statement: Statement, runner: str, most: int = 2) -> list[tuple[Values, Values]]:
    """Ways to the limit: the variables in the runner, and at ``most`` so many values of the parameters, each way with all."""
    along: list[Values] = []
    names: tuple[str, ...] = ()
    with suppress(Refused):
        names, values = quantities(statement)
        signs = sorted({name for x in values.values() for name in x.free} - set(names) - _own(statement))
        for sign in itertools.product((terms.ONE, terms.number(-1)), repeat=len(signs)):
            for power in POWERS if len(names) > 1 else POWERS[:1]:
                at = dict.fromkeys(names[1:], terms.power(terms.name(runner), terms.number(mpq(power))))
                at |= {names[0]: terms.name(runner), **dict(zip(signs, sign, strict=True))}
                way = {v: terms.substitute(x, at) for v, x in values.items()}
                along.append({v: flat(terms.substitute(x, way)) for v, x in way.items()})  # what is tied, last
    found = [(way, instance) for way in along if not any(part.head == "exp" for x in way.values() for part in terms.walk(x))
             for instance in instances(statement, way, runner, most)]  # fmt: skip
    # on these n is no exponential of the runner, which would be e^(10^16) at 10^8, and (1 - p)^n a power of n
    grows = any(isinstance(c, Tends) and c.term.kind != "name" and is_infinite(c.target) > 0 for c in statement.regime)
    for slow in (True,) if found and grows else () if found else (True, False):
        with suppress(Refused):
            one = path(statement, slow=slow)
            values = {v: terms.substitute(terms.read(x), {one["runner"]: terms.name(runner)}) for v, x in one["values"].items()}
            still = {v: x for v, x in values.items() if x.is_number}
            found.append(({v: x for v, x in values.items() if v not in still}, still))
    return found


def _vanishing(statement: Statement, runner: str) -> Iterator[tuple[Values, Values]]:
    """Ways with a value of a parameter at which a coefficient of what is to be of an order is 0, in one large quantity."""
    body = statement.body
    if not isinstance(body, Ordering) or body.order not in ("Theta", "Omega", "omega"):
        return
    found = runs(statement, runner)
    with suppress(Refused, StopIteration):
        where = placed(statement, next(places(statement)))
        series = Expander(Algebra(where.domain, 2), where.scales, where.leaves()).series(where.put(terms.of(body.left)))
        for c, _ in series.terms:
            for v in sorted(to_term(c).free & _own(statement)):
                with suppress(Refused):
                    zero = flat(solved(to_term(c), terms.ZERO, v))
                    yield from ((along, {**instance, v: zero}) for along, instance in found[:1])


def flat(term: Term) -> Term:
    """The same with one power of each factor of a product.

    >>> str(flat(terms.read("(k^2)^(-1)*k")))
    'k^(-1)'
    """
    if not term.parts or term.head in terms.BINDERS:
        return term
    term = terms.rebuilt(term, tuple(map(flat, term.parts)))
    if term.head not in ("product", "power"):
        return term
    try:
        found = powers(term)
    except Refused:
        return term
    return terms.multiply(*(terms.power(base, terms.number(e)) for base, e in found.items() if e))


def _own(statement: Statement) -> set[str]:
    return set(names_in(statement)) - terms.CONSTANTS - {"oo"}


def lone(statement: Statement) -> str:
    """The variable that tends to infinity, where nothing else moves; empty where there is another, or it tends elsewhere."""
    moves = [c for c in statement.regime if isinstance(c, (Tends, Grows)) or (isinstance(c, Compared) and "=" in c.signs)]
    if len(moves) == 1 and isinstance(moves[0], Tends) and moves[0].term.kind == "name" and words(moves[0].target) == "oo":
        return moves[0].term.text
    return ""
