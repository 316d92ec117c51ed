"""Cases of a question: where an answer hangs on the sign of a coefficient, or on which of two quantities is larger.

A domain is parted at a zero of the coefficient: a < r, a = r, a > r, of which the middle one has the value put in for a.  A
regime whose variables are free of one another is parted by where a monomial M in them tends: M -> oo, M = c, M -> 0.  These
three are not all paths, but those on which one thing can be said.

>>> from asymp.language.statement import read_statement
>>> asked = read_statement("n^a + n^2 = O(1) as n -> oo for a > 1")
>>> for case in by_sign(Case(asked), terms.read("(a - 2)*(a + 1)")):
...     print(case.when, "|", case.statement)
a<2 | n^a + n^2 = O(1) as n -> oo for a > 1, a < 2
a=2 | n^2 + n^2 = O(1) as n -> oo
a>2 | n^a + n^2 = O(1) as n -> oo for a > 1, a > 2
>>> asked = read_statement("1/(n + m) = O(1) as n -> oo, m -> oo")
>>> for case in by_path(Case(asked), terms.read("n/m")):
...     print(case.when, "|", case.statement)
n/m->oo | 1/(n + m) = O(1) as n -> oo, m -> oo, n/m -> oo
n/m=c | 1/(n + m) = O(1) as n -> oo, m = n/c for c > 0
n/m->0 | 1/(n + m) = O(1) as n -> oo, m -> oo, n/m -> 0
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, TypeVar

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.regime import alone, moving, names_in, ranges
from asymp.kernel.rings.factors import factored
from asymp.kernel.rings.ratio import Poly, Ratio, to_term
from asymp.kernel.summation.cells import node_of
from asymp.kernel.terms import Refused, Term
from asymp.language.conditions import Compared, Condition, OfKind, Tends
from asymp.language.names import substitute
from asymp.language.statement import Statement
from asymp.language.syntax import Node, Parser
from asymp.prove.expanding import Hangs
from asymp.prove.written import in_words
from asymp.regimes.quantities import powers

MOST_CASES = 24
"""Questions at most, over all cases of one."""
DEEPEST = 6
MOST_PATHS = 2
"""Orders of quantities at most that one case is parted by."""


class Led(Protocol):
    """An answer with what comes first in it."""

    @property
    def leading(self) -> Term:
        """A coefficient; where it is 0, the answer is another one."""


Answer = TypeVar("Answer", bound=Led)


@dataclass(frozen=True)
class Case:
    """A statement in a part of its domain and regime, and the conditions that say which: of parameters, and in words."""

    statement: Statement
    bounds: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    """Of parameters the lower end, the value, and the upper end, as text; empty where there is none."""
    words: tuple[str, ...] = ()

    @property
    def when(self) -> str:
        """The condition; empty where nothing was parted."""
        return " and ".join([*(_between(name, *ends) for name, ends in self.bounds.items()), *self.words])


def _between(name: str, low: str, value: str, high: str) -> str:
    if value:
        return f"{name}={value}"
    return f"{low}<{name}<{high}" if low and high else f"{name}>{low}" if low else f"{name}<{high}"


@dataclass(frozen=True)
class Found(Generic[Answer]):
    """What came of a case: an answer, or why there is none."""

    case: Case
    answer: Answer | None
    refused: Refused | None = None


def by_cases(attempt: Callable[[Statement], Answer], statement: Statement) -> list[Found[Answer]]:
    """The answers in all cases, in the order of the parameter; one, if nothing had to be parted.

    Args:
        attempt: raises :class:`asymp.prove.expanding.Hangs` where it cannot answer for what is not said.

    Raises:
        Refused: no case has an answer; the reason is that of the whole.
    """
    left = MOST_CASES

    def tried(case: Case) -> Found[Answer]:
        nonlocal left
        left -= 1
        try:
            return Found(case, attempt(case.statement))
        except Refused as refused:
            return Found(case, None, refused)

    def explored(found: Found[Answer], depth: int) -> list[Found[Answer]]:
        """A case, or its parts: all are tried before any is parted further."""
        parts: list[Case] = []
        if depth < DEEPEST and found.answer is not None:
            parts = list(by_sign(found.case, found.answer.leading))
        elif depth < DEEPEST and isinstance(found.refused, Hangs):
            parts = list((by_path if found.refused.along else by_sign)(found.case, found.refused.of))
        if not parts or len(parts) > left:  # or what leads has one sign, as far as is known
            return [found]
        inner = [one for part in list(map(tried, parts)) for one in explored(part, depth + 1)]
        return [found] if all(one.answer is None for one in inner) else inner

    found = explored(tried(Case(statement)), 0)
    if all(one.answer is None for one in found):
        raise found[0].refused or Refused("no case has an answer")
    return found


# --- by the sign of a coefficient -----------------------------------------------------------------------


def by_sign(case: Case, coefficient: Term) -> Iterator[Case]:
    """The parts of a case in which a coefficient has one sign, as far as one of its zeros is known; none where none is."""
    still = names_in(case.statement) - moving(case.statement)
    domain = ranges(case.statement.domain)
    for name, root in _zeros(coefficient, domain, still):
        yield from _parted(case, name, root)
        return


def _zeros(coefficient: Term, domain: Domain, names: Set[str]) -> Iterator[tuple[str, Term]]:
    """Parameters with values at which a factor of no known sign is 0."""
    found = []
    with suppress(Refused):
        value = domain.value(coefficient)
        factors = [q for p in (value.num, value.den) for q in _factors(p)]
        for factor in factors:
            if domain.sign(Ratio(factor)) is None:
                for name in sorted(names):
                    with suppress(Refused):
                        root = _zero(factor, name, domain)
                        if (
                            root.free <= names
                            and domain.sign(domain.value(terms.add(root, terms.negative(terms.name(name))))) is None
                        ):
                            found.append((name, root))
    yield from sorted(found, key=lambda one: (len(in_words(one[1])), one[0]))


def _factors(p: Poly) -> list[Poly]:
    _, monomial, rest = factored(p)
    atoms: list[Poly] = [{((atom, mpq(1)),): mpq(1)} for atom, _ in monomial]
    return [*atoms, *(q for q, _ in rest)]


def _zero(p: Poly, name: str, domain: Domain) -> Term:
    """Where a polynomial of degree 1 in a variable is 0.

    Raises:
        Refused: it is of another degree, or has no one zero.
    """
    own = terms.name(name)
    slope: Poly = {}
    constant: Poly = {}
    for monomial, c in p.items():
        others = tuple((a, e) for a, e in monomial if a != own)
        if any(name in a.free for a, _ in others) or dict(monomial).get(own, mpq(1)) != 1:
            raise Refused("no polynomial of degree 1")
        (slope if len(others) < len(monomial) else constant)[others] = c
    if not slope or domain.sign(Ratio(slope)) in (None, 0):
        raise Refused("no one zero")
    return to_term(Ratio(constant) * Ratio(slope).inverse() * Ratio({(): mpq(-1)}))


def _parted(case: Case, name: str, root: Term) -> Iterator[Case]:
    """Below a value of a parameter, at it, and above it; without those that hold nothing."""
    own, value, text = Node("name", 1, name), node_of(root), in_words(root)
    low, _, high = case.bounds.get(name, ("", "", ""))
    for sign, ends in (("<", (low, "", text)), ("=", ("", text, "")), (">", (text, "", high))):
        bounds = {**case.bounds, name: ends}
        with suppress(Refused):
            if sign == "=":
                yield replace(case, statement=_at(case.statement, name, value), bounds=bounds)
            else:
                domain = (*case.statement.domain, Compared((own, value), (sign,)))
                ranges((*domain, *case.statement.regime))
                yield replace(case, statement=replace(case.statement, domain=domain), bounds=bounds)


def _at(statement: Statement, name: str, value: Node) -> Statement:
    """The statement with a value for a parameter.

    Raises:
        Refused: the value is outside of its domain.
    """

    def put(node: Node) -> Node:
        return substitute(node, {name: value})

    def of(conditions: Iterable[Condition]) -> Iterator[Condition]:
        for c in conditions:
            new = c.changed(put)
            if isinstance(c, OfKind) and c.name == name:
                if c.kind == "whole" and not (terms.of(value).is_number and terms.of(value).number.denominator == 1):
                    raise Refused(f"{name} is whole")
            elif isinstance(new, Compared) and not any(terms.free(terms.of(node)) for node in new.parts):
                _holds(new)
            else:
                yield new

    regime, domain = tuple(c.changed(put) for c in statement.regime), tuple(of(statement.domain))
    return replace(statement, body=statement.body.changed(put), regime=regime, domain=domain)


def _holds(c: Compared) -> None:
    """That a comparison of numbers holds."""
    signs = {"<": (1,), "<=": (0, 1), "=": (0,), ">=": (0, -1), ">": (-1,)}
    for left, sign, right in c.pairs():
        gap = Domain().value(terms.add(terms.of(right), terms.negative(terms.of(left))))
        if Domain().sign(gap) not in signs[sign]:
            raise Refused(f"{c} does not hold")


# --- by the order of quantities -------------------------------------------------------------------------


def by_path(case: Case, monomial: Term) -> Iterator[Case]:
    """The parts of a case in which a monomial in variables that are free of one another tends to oo, is constant, tends to 0."""
    with suppress(Refused):
        kinds = {name: kind for name, kind in alone(case.statement).items() if kind}
        order = list(kinds)
        exponents = {x.name: e for x, e in powers(monomial).items() if x.head == "name"}
        if (
            len(exponents) < len(powers(monomial))
            or not exponents.keys() <= kinds.keys()
            or len(case.words) == MOST_PATHS
        ):
            return
        text = in_words(monomial)
        node = Parser(text).whole()
        for target in (Node("name", 1, "oo"), None, Node("number", 1, "0")):
            if target is not None:
                regime = (*case.statement.regime, Tends(node, target))
                words = f"{text}->{target.text}"
                yield replace(case, statement=replace(case.statement, regime=regime), words=(*case.words, words))
                continue
            ties = [v for v in sorted(exponents, key=lambda v: (kinds[v], -order.index(v))) if abs(exponents[v]) == 1]
            for name in ties[:1]:
                yield _tied(case, exponents, name, text)


def _tied(case: Case, exponents: Mapping[str, mpq], name: str, text: str) -> Case:
    """The case in which the monomial is a constant, and so one of its variables is what the others make it."""
    statement = case.statement
    letter = next(x for x in ("c", "d", "g", "h", "c_") if x not in names_in(statement))
    way = {v: -e for v, e in exponents.items() if v != name} | {letter: mpq(1)}
    value = terms.multiply(*(terms.power(terms.name(v), terms.number(e * exponents[name])) for v, e in way.items()))
    tie = Compared((Node("name", 1, name), Parser(in_words(value)).whole()), ("=",))
    regime = [
        c for c in statement.regime if not (isinstance(c, Tends) and c.term.kind == "name" and c.term.text == name)
    ]
    domain = (*statement.domain, Compared((Node("name", 1, letter), Node("number", 1, "0")), (">",)))
    tied = replace(statement, regime=(*regime, tie), domain=domain)
    return replace(case, statement=tied, words=(*case.words, f"{text}={letter}"))
