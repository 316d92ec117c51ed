"""Regimes in independent quantities.

A regime is a list of conditions on its variables.  Some of them say that positive monomials X_1, ..., X_k in the variables
and their logarithms tend to infinity.  If every variable is a function of s_1 = X_1, ..., s_k = X_k, then what holds on every
path on which all s_i tend to infinity holds in the regime, since each of its paths is one of these; the conditions that
were not used, and whole numbers, only take paths away.

Of a positive monomial M that tends to a number c, e = M - c may be such a quantity, too: w, the lesser of 1/|e| and s_1, tends to
infinity (s_1 where e is 0), and e = O(1/w), which is all that is said of it.

A variable p that tends to 0 from above may be replaced by q = -ln(1 - p): q/p tends to 1, so that a monomial in p
tends to infinity, or to 0, exactly if the same monomial in q does; and 1 - p is exp(-q) exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

from gmpy2 import mpq

from asymp.kernel import terms
from asymp.kernel.data import table, terms_in, text
from asymp.kernel.domain import given
from asymp.kernel.facts.signs import is_empty, ranges_of
from asymp.kernel.growths.growth import ONE, Domain, power_of
from asymp.kernel.growths.series import Series
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import Ratio
from asymp.kernel.summation import linear
from asymp.kernel.terms import Refused, Term
from asymp.language.conditions import Between, Compared, Condition, Grows, Listed, OfKind, Tends
from asymp.language.statement import Statement


@dataclass(frozen=True)
class Placed:
    """A statement's terms in independent quantities: what to put for variables, and the domain of the parameters.

    ``near``: quantities e = M - c that tend to 0 (see module).
    """

    values: Mapping[str, Term]
    scales: Mapping[str, int]
    domain: Domain
    powers: Mapping[str, Term]
    near: Mapping[str, Term] = field(default_factory=dict)

    def leaves(self) -> dict[Term, Series]:
        """The e, each with the number of its w, which come after the s_i."""
        return {terms.name(e): Series((), (ONE / power_of(k, 0),)) for k, e in enumerate(self.near, len(self.scales))}

    def put(self, term: Term) -> Term:
        """A term of the statement in the s_i."""
        for p, q in self.powers.items():
            term = _without_complement(term, p, q)
        for _ in range(3):  # ties first, then q for p, then the scales
            term = terms.substitute(term, self.values)
        return term


def _without_complement(term: Term, p: str, q: Term) -> Term:
    """exp(-q) for 1 - p."""
    if term == terms.add(terms.ONE, terms.negative(terms.name(p))):
        return terms.call("exp", terms.negative(q))
    if not term.parts:
        return term
    return terms.rebuilt(term, tuple(_without_complement(part, p, q) for part in term.parts))


def ties(conditions: Sequence[Condition]) -> dict[str, Term]:
    """``p = c/n`` of a regime: what a variable is.

    Raises:
        Refused: what one is tied to is tied itself.
    """
    found: dict[str, Term] = {}
    for c in conditions:
        if isinstance(c, Compared) and c.signs == ("=",) and c.parts[0].kind == "name":
            if c.parts[0].text in found or c.parts[0].text in terms.CONSTANTS:
                raise Refused("a variable is tied twice")
            found[c.parts[0].text] = terms.of(c.parts[1])
    if any(terms.free(term) & found.keys() for term in found.values()):
        raise Refused("a tie to what is tied")
    return found


def ranges(conditions: Sequence[Condition]) -> Domain:
    """The ranges that comparisons with rational numbers give, and chains of them; all else is left out, which is a larger domain.

    Raises:
        Refused: a variable is left no value, or no whole one if it is whole, or the linear conditions on whole variables
            exclude each other: the statement would be about nothing.
    """
    where = given(conditions)
    found = ranges_of([pair for pair in where.pairs if pair[1] != "="], where.whole, {})
    if empty := [v for v, one in found.items() if is_empty(one)]:
        raise Refused(f"{min(empty)} has no values")
    if linear.is_empty(linear.system(conditions, where.whole)[0]):
        raise Refused("no whole values meet the conditions")
    return Domain(whole=where.whole, within=found)


def alone(statement: Statement) -> dict[str, str]:
    """The variables of which a regime says that they tend to infinity ("oo"), to 0 from above ("0"), or elsewhere ("")."""
    found: dict[str, str] = {}
    for c in statement.regime:
        if isinstance(c, Tends) and c.term.kind == "name":
            target = terms.of(c.target)
            kind = "oo" if target == terms.name("oo") else "0" if target == terms.ZERO and c.side == "+" else ""
            if found.setdefault(c.term.text, kind) != kind or c.term.text in terms.CONSTANTS:
                raise Refused(f"{c.term.text} has two limits, or is a constant")
    return found


def moving(statement: Statement) -> set[str]:
    """The names that may change along a path: those that tend somewhere, that are tied, or of which an ordering speaks."""
    found = alone(statement).keys() | ties(statement.regime).keys()
    for c in statement.regime:
        if isinstance(c, Tends):
            found |= terms.free(terms.of(c.term))
        elif isinstance(c, Grows):
            found |= terms.free(terms.of(c.term)) | terms.free(terms.of(c.growth))
    return found


def unclear(statement: Statement) -> list[str]:
    """Names in an ordering that may be parameters: the domain has them, and other names in it can move as it says.

    >>> from asymp.language.statement import read_statement
    >>> [unclear(read_statement(f"f = O(1) as n -> oo, {more}")) for more in (
    ...     "p -> 0+, p = o(c/n) for c > 0", "n*p - c -> 0 for c > 0", "n*p -> 1 for 0 < p < 1", "n*p -> c for c > 0")]
    [['c'], ['c'], [], []]
    """
    lone = {v for v, kind in alone(statement).items() if kind} | ties(statement.regime).keys()
    nodes = [node for c in statement.domain for node in c.terms() if node.kind != "tuple"]
    declared = {name for node in nodes for name in terms.free(terms.of(node))}
    declared |= {name for c in statement.domain for name in (getattr(c, "name", ""), *getattr(c, "names", ()))}
    found: set[str] = set()
    for c in statement.regime:
        if isinstance(c, Grows) or (isinstance(c, Tends) and c.term.kind != "name"):
            names = terms.free(terms.of(c.term)) | (terms.free(terms.of(c.growth)) if isinstance(c, Grows) else set())
            others = names - lone
            found |= {v for v in others & declared if (others - {v}) - declared or len(names & lone) > 1}
    return sorted(found)


def understood(statement: Statement) -> None:
    """That every name in a statement either moves as the regime says, or is a parameter with a range of its own.

    Raises:
        Refused: a name that moves otherwise, or a condition that ties a parameter to what moves.
    """
    known = {v for v, kind in alone(statement).items() if kind} | ties(statement.regime).keys()
    if strangers := moving(statement) - known:
        raise Refused(f"{min(strangers)} is not seen to tend to infinity or to 0 from above")
    for place, conditions in (("regime", statement.regime), ("domain", statement.domain)):
        for c in conditions:
            names = {name for node in c.terms() if node.kind != "tuple" for name in terms.free(terms.of(node))} - c.bound
            names |= {getattr(c, "name", ""), *getattr(c, "names", ())} - {""}
            if isinstance(c, (Tends, Grows)):
                if place == "domain":
                    raise Refused(f"{c} does not belong in a domain")
            elif isinstance(c, Compared):
                is_tie = place == "regime" and c.signs == ("=",) and c.parts[0].kind == "name"
                if not is_tie and names & known and not (names <= known and "=" not in c.signs):
                    raise Refused(f"{c}: a parameter that depends on what moves")
            elif not isinstance(c, OfKind) and names & known:
                raise Refused(f"{c} of what moves")


def growing(statement: Statement, tied: Mapping[str, Term], small: Mapping[str, str]) -> tuple[dict[str, str], list[Term]]:
    """The variables that tend to infinity ("oo") or to 0 from above ("0"), and the positive terms that tend to infinity."""
    conditions = [c for c in statement.regime if isinstance(c, (Tends, Grows))]
    lone = {v: kind for v, kind in alone(statement).items() if kind}
    if any(lone.get(p) != "0" for p in small):
        raise Refused("only what tends to 0 from above is replaced so")
    names = {p: terms.name(q) for p, q in small.items()}
    found: list[Term] = []
    for c in conditions:
        term = terms.substitute(terms.of(c.term), tied)
        if isinstance(c, Grows):
            quotient = terms.multiply(term, terms.reciprocal(terms.substitute(terms.of(c.growth), tied)))
            kind = {"omega": "oo", "o": "0"}.get(c.order)
            term = quotient
        else:
            target = terms.of(c.target)
            kind = "oo" if target == terms.name("oo") else "0" if target == terms.ZERO else None
        if kind is None or not is_positive(term, lone):
            continue
        term = terms.substitute(term, names)
        found.append(term if kind == "oo" else terms.reciprocal(term))
    return {small.get(v, v): kind for v, kind in lone.items()}, found


def is_positive(term: Term, lone: Mapping[str, str]) -> bool:
    """Whether a term is a monomial in positive variables, logarithms of what tends to infinity, and positive numbers."""
    match term.head:
        case "number":
            return term.number > 0
        case "name":
            return term.name in lone
        case "log":
            return term.parts[0].head == "name" and lone.get(term.parts[0].name) == "oo"
        case "product":
            return all(is_positive(part, lone) for part in term.parts)
        case "power":
            return is_positive(term.parts[0], lone) and term.parts[1].is_number
    return False


def placed(statement: Statement, data: Mapping[str, Any], others: Sequence[Statement] = ()) -> Placed:
    """A statement's regime in the quantities that a certificate names.

    ``others``: statements with which the names of the quantities must not clash either.
    ``data``: ``scales`` (name -> X_i), ``values`` (variable -> a term in the s_i), ``small`` (p -> the name of its q), ``near``
    (name of an e -> M, with p for its q).

    Raises:
        Refused: an X_i is not said to tend to infinity, or a variable is not what its value says.
    """
    understood(statement)
    if not {"scales", "values"} <= table(data).keys() <= {"scales", "values", "small", "near"}:
        raise Refused("a place has scales, values, what is small, and what is near")
    scales, values = terms_in(data["scales"]), terms_in(data["values"])
    small = {k: text(v) for k, v in table(data.get("small", {})).items()}
    tied = ties(statement.regime)
    gaps = _gaps(statement, terms_in(data.get("near", {})), tied, small)
    fresh = [*scales, *small.values(), *gaps]
    if odd := [name for name in fresh if not (name.isidentifier() and name.isascii())]:
        raise Refused(f"{odd[0]!r} is no name of a quantity")
    require_fresh((statement, *others), fresh)
    variables, large = growing(statement, tied, small)
    if tied.keys() & variables.keys():
        raise Refused("a variable that is tied and tends")
    everywhere = Domain(within={v: Range(mpq(kind == "oo"), True) for v, kind in variables.items()})
    forms = [positive_monomial(term, everywhere) for term in large]
    for x in scales.values():
        own = positive_monomial(x, everywhere)
        if not any(own == form for form in forms):
            raise Refused(f"{x} is not said to tend to infinity")
    named = {*scales, *gaps}.union(*(gap.free - variables.keys() for gap in gaps.values()))
    for v in variables:
        value = values.get(v)
        if value is None or not terms.free(value) <= named:
            raise Refused(f"no value of {v} in the quantities")
        back = terms.substitute(value, {**scales, **gaps})
        if positive_monomial(back, everywhere) != positive_monomial(terms.name(v), everywhere):
            raise Refused(f"{v} is not {value}")
    if set(values) != set(variables) or {*scales, *gaps}.difference(*map(terms.free, values.values())):
        raise Refused("a value of what is no variable of the regime, or a quantity in which nothing is written")
    into: dict[str, Term] = dict(tied)
    for p, q in small.items():
        into[p] = terms.read(f"1 - exp(-{q})")
    into |= values
    domain = ranges((*statement.domain, *statement.regime))
    kept = {name: r for name, r in domain.ranges.items() if name not in variables and name not in into}
    numbers = {s: k for k, s in enumerate(scales)}
    inner = _of_parameters(statement, kept, domain.whole & kept.keys())
    return Placed(into, numbers, inner, {p: terms.name(q) for p, q in small.items()}, gaps)


def _of_parameters(statement: Statement, kept: Mapping[str, Range], whole: AbstractSet[str]) -> Domain:
    """The domain of what does not move: which of it is whole, its ranges, and comparisons of two of it."""
    pairs = given((*statement.domain, *statement.regime)).pairs
    among = tuple(p for p in pairs if p[1] != "=" and len(both := p[0].free | p[2].free) > 1 and both <= kept.keys())
    return Domain(frozenset(whole), among, kept)


def _gaps(
    statement: Statement, said: Mapping[str, Term], tied: Mapping[str, Term], small: Mapping[str, str]
) -> dict[str, Term]:
    """M - c for each e, where the regime says that M tends to c.

    Raises:
        Refused: it does not, or M may not be positive.
    """
    lone = {v: kind for v, kind in alone(statement).items() if kind}
    names, moves = {p: terms.name(q) for p, q in small.items()}, moving(statement) | tied.keys()
    limits: dict[Term, Term] = {}
    for c in statement.regime:
        if isinstance(c, Tends) and c.term.kind != "name":
            term, target = terms.substitute(terms.of(c.term), tied), terms.of(c.target)
            if is_positive(term, lone) and not target.free & moves:
                limits[terms.substitute(term, names)] = target
    if strangers := [m for m in said.values() if m not in limits or limits[m] in (terms.ZERO, terms.name("oo"))]:
        raise Refused(f"{strangers[0]} is not said to tend to a number")
    return {e: terms.add(m, terms.negative(limits[m])) for e, m in said.items()}


def names_in(statement: Statement) -> frozenset[str]:
    """All free names in a statement that are no constants: of its terms, and those of which its conditions speak."""
    found: set[str] = set()
    for node in statement.terms():
        for part in node.parts if node.kind == "tuple" else (node,):
            found |= terms.of(part).free
    for c in statement.conditions():
        for node in c.terms():
            for part in node.parts if node.kind == "tuple" else (node,):
                found |= terms.of(part).free - c.bound
        found |= {c.name} if isinstance(c, (OfKind, Between)) else set(c.names) if isinstance(c, Listed) else set()
    return frozenset(found)


def require_fresh(statements: Sequence[Statement], names: Sequence[str]) -> None:
    """That no name stands in one of the statements, and none twice.

    Raises:
        Refused: one does.
    """
    used = frozenset[str]().union(*map(names_in, statements))
    if len(set(names)) < len(names) or used & set(names) or terms.CONSTANTS & set(names):
        raise Refused("the names of the quantities are taken")


def positive_monomial(term: Term, domain: Domain) -> Ratio:
    """A term as a coefficient with one part, where it is positive.

    Raises:
        Refused: it is none.
    """
    found = domain.value(term)
    if domain.sign(found) != 1 or len(found.num) != 1:
        raise Refused(f"{term} is no positive monomial")
    return found
