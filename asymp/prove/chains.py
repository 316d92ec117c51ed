"""Search for theorems on the functions of chains: a law to be verified, values at their places, cases; the kernel decides.

>>> from asymp.language.chains import read_chain
>>> from asymp.language.statement import read_statement
>>> from asymp.prove import sums, first
>>> chain = read_chain({"of": "whole n >= 1, 0 < p < 1", "states": "whole b, 0 <= b <= n", "visits": "jumps",
...     "moves": ["b -> b + 1 with 1 for b < n", "n -> 0 at p"], "law": ["b = 1 for 0 <= b <= n"]})
>>> claim = read_statement("visits(b, n, p) = visits(0, n, p) for whole n >= 1, whole b, 0 <= b <= n, 0 < p < 1")
>>> decided(claim, (chain,), sums.holds)
⊢ visits(b, n, p) = visits(0, n, p) for whole n >= 1, whole b, 0 <= b <= n, 0 < p < 1
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from gmpy2 import mpq

from asymp.budget import uncounted
from asymp.kernel import terms
from asymp.kernel.chains.balance import law_and_relative
from asymp.kernel.rings.field import to_term
from asymp.kernel.rings.ratio import Ratio
from asymp.kernel.sequences.rewriting import Rewriter, replaced, rewritten, values_of, with_case
from asymp.kernel.summation import linear
from asymp.kernel.summation.linear import System, relations
from asymp.kernel.terms import Refused, Term, add, name
from asymp.kernel.theorem import Theorem, apply
from asymp.language.chains import OF_PARAMETERS, Chain
from asymp.language.conditions import OfKind, text_of
from asymp.language.elaborate import variables_of
from asymp.language.meanings import MEANT
from asymp.language.numbers import ParseError
from asymp.language.statement import Comparison, Statement
from asymp.language.transitions import Transitions
from asymp.prove import first, sums
from asymp.prove.chain_laws import law_data, ranged, settling_data
from asymp.prove.closed_forms import closed_form, linear_part, simple, totals

MOST_CASES = 24
DEEPEST = 2
MOST_POINTS = 1_000
Prover = Callable[[Statement], Theorem]


def decided(statement: Statement, chains: Sequence[Transitions], prover: Prover, true: bool = True) -> Theorem:
    """A theorem that a comparison with functions of chains holds, or that it does not.

    Args:
        statement: a comparison for all of a domain.
        chains: what defines the functions.
        prover: finds a theorem once the functions' values are put in.
        true: whether it is to hold.

    Raises:
        Refused: none was found.
    """
    if type(statement.body) is not Comparison or statement.some or statement.uniform or statement.regime:
        raise Refused("a comparison for all of a domain is wanted")
    heads = {part.head for node in statement.terms() for part in terms.walk(terms.of(node))}
    own = {function for chain in chains for function, _ in chain.functions}
    if strange := sorted(heads - MEANT - own):
        raise Refused(f"{strange[0]} has no values")
    own_kind = [one for one in chains if isinstance(one, Chain)]
    used = [(chain, function) for chain in own_kind for function, _ in chain.functions if function in heads]
    if not used:
        raise Refused("no function of a chain")
    coordinates = {c for chain, _ in used for c in chain.coordinates}
    last = Refused("no values")
    for conserved in (True, False) if any(function in dict(chain.conserved) for chain, function in used) else (False,):
        try:
            values = [one for chain, function in used for one in _values(chain, function, _hints(chain, conserved))]
            return _Search(values, coordinates, prover, true).theorem(statement, 0)
        except (Refused, ParseError) as error:
            last = error if isinstance(error, Refused) else Refused(f"with values put in: {error}")
    raise last


def _hints(chain: Chain, conserved: bool) -> tuple[Any, ...]:
    """What the values of a chain's functions are found by: chains are equal whatever their hints."""
    return chain.law, chain.listed, chain.relative, chain.settled, chain.conserved if conserved else ()


class _Search:
    def __init__(self, values: Sequence[Theorem], coordinates: set[str], prover: Prover, true: bool) -> None:
        self.values, self.known, self.prover, self.coordinates = list(values), values_of(values), prover, coordinates
        self.heads = {left.head for left, _, _ in self.known}
        self.left, self.true = MOST_CASES, true

    def theorem(self, statement: Statement, depth: int) -> Theorem:
        """A theorem at once, or in cases."""
        self.left -= 1
        if self.left < 0:
            raise Refused("no proof found with so many cases")
        cuts = list(self._cuts(statement))
        writer = Rewriter(statement.domain, self.known, cuts)
        try:
            plain = rewritten(statement, writer)
        except Refused:
            if depth >= DEEPEST:
                raise
            return self._in_cases(statement, cuts, depth)
        used = [self.values[k] for k in sorted(writer.used)]
        text = [str(one) for one in cuts]
        return apply("rewrite", [*used, self._proved(plain)], statement=str(statement), cuts=text)

    def _proved(self, statement: Statement, rounds: int = 2) -> Theorem:
        """A theorem once functions are gone: with closed forms for sums, the inner ones first, if that helps."""
        equations = list(_closed_sums(statement)) if self.true and rounds else []
        if equations:
            sides = [next(one.statement.body.chain.pairs()) for one in equations if isinstance(one.statement.body, Comparison)]
            put = {terms.of(left): terms.of(right) for left, _, right in sides}
            try:
                last = self._proved(replaced(statement, put), rounds - 1)
                return apply("replace", [*equations, last], statement=str(statement))
            except (Refused, ParseError):  # the text may be too long
                pass
        return self.prover(statement)

    def _in_cases(self, statement: Statement, cuts: Sequence[Term], depth: int) -> Theorem:
        whole = frozenset(c.name for c in statement.domain if isinstance(c, OfKind) and c.kind == "whole")
        cell, _ = linear.system(statement.domain, whole)
        last = Refused("no case helps")
        ends = {v for one in cuts for v in terms.free(one)}
        for v in sorted(whole, key=lambda one: (one in ends, one)):
            for cut in (one for one in cuts if v not in terms.free(one)):
                for at in (cut, add(cut, terms.ONE)):
                    cases = self._cases(cell, v, at, whole)
                    if len(cases) < 2:
                        continue
                    for together in [cases] if self.true else [[case] for case in cases]:
                        try:
                            parts = [self.theorem(with_case(statement, case, whole)[0], depth + 1) for case in together]
                            return apply("cases", parts, statement=str(statement), cases=together)
                        except Refused as error:
                            last = error
        raise last

    def _cases(self, cell: System, v: str, at: Term, whole: frozenset[str]) -> list[dict[str, Any]]:
        """v = t, v < t and v > t, as far as they may be."""
        found: list[dict[str, Any]] = []
        same = {linear.at_least(name(v), at, whole), linear.at_least(at, name(v), whole)}
        if not linear.is_empty(cell | same):
            found.append({"put": {v: str(at)}})
        for low, high in ((name(v), at), (at, name(v))):
            if not linear.is_empty(cell | {linear.at_least(low, high, whole, True)}):
                found.append({"where": f"{low} < {high}"})
        return found

    def _cuts(self, statement: Statement) -> Iterator[Term]:
        """Ends of the ranges of values, in the statement's own terms: where a sum may be cut, or cases begin."""
        found: dict[Term, None] = {}
        for node in statement.terms():
            for part in terms.walk(terms.of(node)):
                for left, _, where in self.known:
                    if left.head == part.head and len(left.parts) == len(part.parts):
                        put = {x.name: y for x, y in zip(left.parts, part.parts, strict=True)}
                        for one in relations(c for c in where if not isinstance(c, OfKind)):
                            for end, other in ((one.low, one.high), (one.high, one.low)):
                                value = terms.substitute(end, put)
                                moving = other.name in self.coordinates and put[other.name].head in ("name", "bound", "sum")
                                if moving and not terms.has_bound(value) and self._is_end(value, statement):
                                    found.setdefault(value if other == one.low else add(value, terms.number(-1)))
        return iter(sorted(found, key=lambda t: (bool(terms.free(t)), t.order)))

    def _is_end(self, term: Term, statement: Statement) -> bool:
        whole = frozenset(c.name for c in statement.domain if isinstance(c, OfKind) and c.kind == "whole")
        try:
            linear.form(term, whole)
        except Refused:
            return False
        return True


def at_small_points(statement: Statement) -> Theorem:
    """A theorem that a comparison fails at a point of small numbers.

    Raises:
        Refused: at none that is tried.
    """
    whole = sorted(c.name for c in statement.domain if isinstance(c, OfKind) and c.kind == "whole")
    real = sorted(set(variables_of(statement)) - set(whole))
    points = itertools.product(*([range(5)] * len(whole)), *([("1/2", "1", "3")] * len(real)))
    tried = (
        {v: str(x) for v, x in zip((*whole, *real), point, strict=True)} for point in itertools.islice(points, MOST_POINTS)
    )
    return first(partial(apply, "witness", statement=str(statement), at=at, bits=64) for at in tried)


def _closed_sums(statement: Statement) -> Iterator[Theorem]:
    """Equations of the sums in a statement with their closed forms."""
    found = {part for node in statement.terms() for part in terms.walk(terms.of(node))}
    inner = [part for part in found if part.head == "Sum" and sum(one.head == "Sum" for one in terms.walk(part)) == 1]
    for term in sorted((part for part in inner if not terms.has_bound(part)), key=lambda term: term.order):
        try:
            yield _closed(term, statement)
        except (Refused, ParseError):  # the text may be too long
            continue


def _closed(term: Term, statement: Statement) -> Theorem:
    where = sums._written(term, "=", terms.ZERO, statement.domain)
    one = sums._at_rest(where)
    gap = one.of(term)
    for total in totals(one, gap):
        form, part = closed_form(one, total, where), linear_part(gap, total.atom)
        if form is None or part is None:
            raise Refused("a sum without a closed form")
        gap = gap + part * (one.of(form[3]) - Ratio({((total.atom, mpq(1)),): mpq(1)}))
    return sums.holds(sums._written(term, "=", one.meant(to_term(gap)), statement.domain))


# --- the law of a chain -----------------------------------------------------------------------------------


@uncounted
@lru_cache(maxsize=500)
def _values(chain: Chain, function: str, hints: tuple[Any, ...] = ((),)) -> tuple[Theorem, ...]:
    """What a function is on each piece of the chain's law, or what is conserved makes it."""
    data, conserved = law_data(chain), dict(hints[-1])
    kind, _ = chain.kind(function)
    count = 1 if kind in OF_PARAMETERS else len(data["law"])
    if function in conserved:
        c, jobs, share = map(str, map(terms.of, conserved[function]))
        return (apply("conserved", **data, function=function, piece=0, c=c, jobs=jobs, share=share),)
    if kind == "settles":
        rest = settling_data(chain)
        pairs = itertools.product(range(len(rest["values"])), range(sum(one["rate"] is not None for one in data["law"])))
        return _tried([partial(apply, "settles", **data, rest=rest, function=function, piece=k, end=end) for k, end in pairs])
    if kind.startswith("relative"):
        terms_, premises = _relative(chain, chain.relative)
        return tuple(apply("relative", premises, **data, relative=terms_, function=function, piece=k) for k in range(count))
    return _tried([partial(apply, "chain", **data, function=function, piece=k) for k in range(count)])


def _tried(tries: Sequence[Callable[[], Theorem]]) -> tuple[Theorem, ...]:
    """Those theorems that there are.

    Raises:
        Refused: there is none: what the last one said.
    """
    found, last = [], Refused("no pieces")
    for one in tries:
        try:
            found.append(one())
        except Refused as error:
            last = error
    if not found:
        raise last
    return tuple(found)


@uncounted
@lru_cache(maxsize=100)
def _relative(chain: Chain, hint: Any) -> tuple[list[str], list[Theorem]]:
    """The hint for h on each piece, and theorems for the equations that are not seen at once."""
    del hint
    if not chain.relative:
        raise Refused("the relative completions are not known")
    data = law_data(chain)
    _, _, sources = ranged(chain)
    relative = [str(terms.of(chain.relative[k])) for k in sources]
    law, found = law_and_relative({**data, "relative": relative})
    premises: list[Theorem] = []

    def shown(wanted: Statement) -> bool:
        premises.append(_with_harmonic(wanted))
        return True

    law.ahead(found, shown)
    return relative, premises


def _with_harmonic(statement: Statement) -> Theorem:
    """An equation f = 0 in which sums of x^k harmonic(k) are replaced: by parts they are sums of x^k/k."""
    one = sums._at_rest(statement)
    ((left, _, _),) = sums._links(statement)
    gap = one.of(left)
    premises: list[Theorem] = []
    by: list[list[Any]] = []
    for total in totals(one, gap):
        part = linear_part(gap, total.atom)
        found = _by_parts(one, total) if part is not None else None
        if found is None or part is None:
            form = closed_form(one, total, statement) if len(total.body.num) == 1 else None
            if form is None or part is None:
                continue
            text, k, F, value = form
        else:
            text, k, F, value = found
        where = f" for {text_of(statement.domain)}"
        try:
            premises.append(apply("telescope", statement=text + where, variable=k, by=F))
        except Refused:
            continue
        by.append([len(premises) - 1, str(one.meant(to_term(part)))])
        gap = gap + part * (one.of(value) - Ratio({((total.atom, mpq(1)),): mpq(1)}))
    return apply("sums", premises, statement=str(statement), by=[by])


def _by_parts(one: sums.Sums, total: sums.Total) -> tuple[str, str, str, Term] | None:
    """Of Sum(x^(c k) harmonic(k), (k, 1, b)): as a closed form, with a sum of x^(c k)/k in it."""
    ((powers, _),) = total.body.num.items()
    if len(powers) != 2 or any(e != 1 for _, e in powers) or total.low != terms.ONE:
        return None
    meanings = {one.meaning[a.name].head: one.meant(a) for a, _ in powers if a.name in one.meaning}
    if meanings.keys() != {"power", "Sum"}:
        return None
    i = name(total.variable)
    harmonic = Term("Sum", (terms.reciprocal(Term("bound")), terms.ONE, i))
    if meanings["Sum"] != harmonic or meanings["power"].parts[1] != i:
        return None
    x, high = meanings["power"].parts[0], simple(one.meant(total.high))
    over = f"(1 - ({x}))"

    def F(k: str, j: str) -> str:
        return f"(Sum(({x})^{j}/{j}, ({j}, 1, {k} - 1)) - ({x})^({k})*harmonic({k} - 1))/{over}"

    value = F(f"({high} + 1)", "j_")
    return f"Sum(({x})^k_*harmonic(k_), (k_, 1, {high})) = {value}", "k_", F("k_", "j_"), terms.read(value)
