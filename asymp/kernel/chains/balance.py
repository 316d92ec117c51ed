"""The stationary law of a chain whose number of states is a parameter, from a candidate for it.

A chain (see :mod:`asymp.language.chains`) has finitely many states for each choice of its parameters.  A candidate q is
given in pieces, each a term on a set of states.  For all values of the parameters it is checked, on cells of states on
which every question has one answer, that

* the moves out of a state are all drawn, with probabilities > 0 of sum 1, or all completions, at rates > 0, and lead to states;
* q > 0 on each piece, or q = 0 there by definition; the pieces are disjoint, made of states, and all of them;
* q(s) = sum over moves s' -> s of q(s') P(s' -> s), P being the probability, or the rate over the state's total rate;
* a state, the *home*, is reached from every state, and q > 0 there.

By the last the chain has one closed class, hence one stationary law, and each solution of the balance equations is a
multiple of it: the law is q over its sum, a finite sum of the pieces.  In time a state has the weight q over its total rate.

What a theorem says of the functions of a chain rests on their definition, which is trusted to be what is meant: it is shown.

>>> from asymp.kernel.theorem import apply
>>> walk = ("visits(b, n, p) = jumps of: whole n, n >= 1, 0 < p < 1; states whole b, 0 <= b <= n; "
...     "(b) -> (b + 1) with p for b < n; (b) -> (b - 1) with 1 - p for b > 0; (0) -> (0) with 1 - p; (n) -> (n) with p")
>>> law = {"ranges": [["b", "0", "n"]], "is": "p^b*(1 - p)^(-b)", "rate": None}
>>> order = [["b > 0", 1, "b"]]
>>> print(apply("chain", chain=walk, given="", law=[law], home=["0"], order=order, function="visits", piece=0).statement.body)
visits(b, n, p) = Sum(p^b0*(1 - p)^(-b0), (b0, 0, n))^(-1)*p^b*(1 - p)^(-b)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from asymp.kernel import terms
from asymp.kernel.chains import means as means  # its rule is of this theory
from asymp.kernel.chains.home import Home, Way, reached
from asymp.kernel.chains.law import Law
from asymp.kernel.chains.listing import Listing
from asymp.kernel.chains.pieces import Piece
from asymp.kernel.chains.settling import Settling
from asymp.kernel.data import Data, items, text, whole
from asymp.kernel.summation.linear import relations
from asymp.kernel.summation.sums import Sums
from asymp.kernel.terms import Refused, Term, name
from asymp.kernel.theorem import DEFINITION, Conclusion, Theorem, read_closed, rule
from asymp.kernel.trust import remembered
from asymp.language.chains import OF_PARAMETERS, Chain, end_of, read_definition, read_kind
from asymp.language.conditions import Condition, Conditions, OfKind, read_conditions, text_of
from asymp.language.meanings import MEANT
from asymp.language.statement import Statement

MOST_PIECES = 30
LAW = ("chain", "given", "law", "home", "order")
"""What the data say of a law; besides, perhaps, a list of states."""
Frozen = tuple[Any, ...]


@rule("chain", alone=True)
def _chain(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """What a function of a chain is, on one piece of a candidate for its law that is verified.

    ``given``: conditions on the parameters, besides those of the chain.  ``law``: the pieces, each with ``ranges`` (of each
    coordinate) or ``where`` (conditions on the states), ``is`` and ``rate`` (the total rate, null where the states are left
    by draws).  ``list``, which is needed where a piece has no ranges: the states in which time passes, by one coordinate.
    ``home``: a state, or conditions that one state meets.  ``order``: triples of conditions, the number of a move, and a
    term: from the states that meet the conditions the move leads home, or to states of triples before, or to one of the
    same triple at which the term is less; or lists of such triples, which lead to one another.
    """
    law = _law(data)
    kind, k = _asked(law, data)
    return _said(law, data["function"], k, law.function(kind, law.pieces[k]))


@rule("relative")
def _relative(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """What h is on one piece of the law, or its mean at completions, from terms that are h up to a number.

    The data are as of the rule ``chain``, with ``relative``: a term for each piece, in which the throughput may be called.
    Equations of h that are not seen at once are premises.  On a chain of one closed class h is theirs less their mean in time.
    """
    if "list" in data:
        raise Refused("a list of states has no h here")
    key = _frozen({key: data[key] for key in (*LAW, "relative")})
    given = frozenset(terms.canonical(one.statement) for one in premises if one.holds)
    law, found, used = _verified_ahead(key, given)
    if len(used) < len(premises):
        raise Refused("a premise that is not used")
    kind, k = _asked(law, data)
    if kind not in ("relative", "relative_mean"):
        raise Refused(f"{kind} is said by the law")
    return _said(law, data["function"], k, law.relative(kind, found, k))


@rule("conserved", alone=True)
def _conserved(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """The mean of a term as a share of the throughput, by what is conserved in the long run.

    The data are as of the rule ``chain``, ``function`` being a mean, with ``c``, ``jobs`` and ``share``: terms, c and jobs of
    the state.  See :meth:`Law.conserved`.
    """
    law = _law(data)
    kind, _ = _asked(law, data)
    word, term = read_kind(kind)
    c, jobs, share = (terms.read(text(data[key])) for key in ("c", "jobs", "share"))
    if word != "mean" or term is None or not terms.free(c) | terms.free(jobs) <= {*law.chain.coordinates, *law.chain.parameters}:
        raise Refused("a mean, by terms in the state and the parameters")
    return _said(law, data["function"], 0, law.conserved(terms.of(term), c, jobs, share))


@rule("settles", alone=True)
def _settles(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """The law of the first state in which time passes, from a state on: see :mod:`asymp.kernel.chains.settling`.

    The data are as of the rule ``chain``, with ``rest``: ``within``, conditions on the first state, ``falls``, a term that falls
    at each draw, and ``values``, each with ``where``, conditions on both states, and ``is``.  ``piece`` is the number of one of
    these, ``end`` that of a piece of the law in which time passes, among these.
    """
    law = _law(data)
    function, k, end = text(data["function"]), whole(data["piece"]), whole(data["end"])
    if dict(law.chain.functions).get(function) != "settles":
        raise Refused("a function that says where the chain settles")
    keys = (*LAW, "list") if "list" in data else LAW
    where, value = _settled(_frozen({key: data[key] for key in keys}), _frozen(data["rest"])).said(k, end)
    arguments = ", ".join(law.chain.arguments(function))
    statement = read_closed(f"{function}({arguments}) = {value} for {text_of(where)}")
    return Conclusion(statement, trusts=frozenset({f"{DEFINITION}{law.chain}"}))


@remembered(200)
def _settled(law: Frozen, rest: Frozen) -> Settling:
    own, data = _verified(law), _thawed(rest)
    if type(data) is not dict or set(data) != {"within", "falls", "values"}:
        raise Refused("where a chain settles has within, falls, values")
    coordinates = {*own.chain.coordinates, *own.chain.parameters}
    seen = coordinates | set(map(end_of, own.chain.coordinates))
    within, falls = _comparisons(data["within"]), terms.read(text(data["falls"]))
    pieces = []
    for one in items(data["values"]):
        if type(one) is not dict or set(one) != {"where", "is"}:
            raise Refused("a value has where, is")
        pieces.append(Piece((), terms.read(text(one["is"])), None, _comparisons(one["where"])))
    strange = any(not terms.free(one.value) <= seen for one in pieces) or not terms.free(falls) <= coordinates
    if len(pieces) > MOST_PIECES or strange:
        raise Refused("values in terms of two states and the parameters, and a term that falls in terms of one")
    found = Settling(own, within, falls, pieces)
    found.verify()
    return found


def law_and_relative(data: Mapping[str, Any]) -> tuple[Law, list[Term]]:
    """A law that is verified, and the terms for h with the throughput put in."""
    law = _law(data)
    calls = {
        terms.call(one, *map(name, law.chain.parameters)): law.throughput
        for one, kind in law.chain.functions if kind == "throughput"
    }  # fmt: skip

    def put(term: Term) -> Term:
        return calls[term] if term in calls else terms.rebuilt(term, tuple(map(put, term.parts))) if term.parts else term

    found = [put(terms.read(text(one))) for one in items(data["relative"])]
    known = {*law.chain.coordinates, *law.chain.parameters}
    if any(not terms.free(one) <= known for one in found):
        raise Refused("h in terms of the state and the parameters")
    return law, found


def _asked(law: Law, data: Mapping[str, Any]) -> tuple[str, int]:
    """What the function is of the chain, and the piece."""
    function, k = text(data["function"]), whole(data["piece"])
    kinds = dict(law.chain.functions)
    if function not in kinds or not 0 <= k < len(law.pieces):
        raise Refused("a function of the chain, and the number of a piece")
    return kinds[function], k


def _said(law: Law, function: str, k: int, value: Term) -> Conclusion:
    """That a function is a term on a piece, or everywhere."""
    where: tuple[Condition, ...] = law.of
    cell, piece = law.base, law.pieces[k]
    if law.chain.kind(function)[0] not in OF_PARAMETERS:
        where = (*where, *(OfKind(c, "whole") for c in law.chain.coordinates))
        if not piece.ranges:
            where = (*where, *(c for c in law.chain.states if not isinstance(c, OfKind)))
            cell = cell | law.at(law.states)
        where = (*where, *piece.conditions)
        cell = cell | law.at(piece.relations)

    def work(one: Sums, put: Callable[[Term], Term]) -> bool:
        one.of(put(value))
        return True

    law.on(cell, work, "")
    arguments = ", ".join(law.chain.arguments(function))
    statement = read_closed(f"{function}({arguments}) = {value} for {text_of(where)}")
    return Conclusion(statement, trusts=frozenset({f"{DEFINITION}{law.chain}"}))


def _law(data: Mapping[str, Any]) -> Law:
    """The law in a rule's data, verified once."""
    keys = (*LAW, "list") if "list" in data else LAW
    return _verified(_frozen({key: data[key] for key in keys}))


def _frozen(found: Any) -> Frozen:
    """Lists and tables of texts and whole numbers as a value that can be a key, with their types."""
    if type(found) is list:
        return ("list", *map(_frozen, found))
    if type(found) is dict:
        if not all(type(key) is str for key in found):
            raise Refused("a table has texts as keys")
        return ("dict", *((key, _frozen(found[key])) for key in sorted(found)))
    if found is not None and type(found) not in (str, int):
        raise Refused("the data are texts, whole numbers, lists and tables of these")
    return ("text" if type(found) is str else "number", found)


def _thawed(found: Frozen) -> Any:
    if found[0] == "list":
        return [_thawed(one) for one in found[1:]]
    if found[0] == "dict":
        return {key: _thawed(one) for key, one in found[1:]}
    return found[1]


@remembered(200)
def _verified(key: Frozen) -> Law:
    data = _thawed(key)
    chain = read_definition(text(data["chain"]))
    if taken := sorted({one for one, _ in chain.functions} & MEANT):
        raise Refused(f"{taken[0]} has a meaning already")
    given = read_conditions(data["given"]) if text(data["given"]) else ()
    pieces = items(data["law"])
    if not 0 < len(pieces) <= MOST_PIECES:
        raise Refused("a law is a list of pieces")
    law = Law(chain, given, [_piece(one, chain) for one in pieces], _listing(data["list"]) if "list" in data else None)
    law.verify()
    reached(law, _home(data["home"]), [_group(one, chain) for one in items(data["order"])])
    return law


def _home(data: Any) -> Home:
    return relations(_comparisons(data)) if type(data) is str else [terms.read(text(one)) for one in items(data)]


def _group(data: Any, chain: Chain) -> list[Way]:
    """One way, or several that lead to one another."""
    found = []
    for one in items(data) if all(type(one) is list for one in items(data)) else [data]:
        region, move, by = items(one, 3)
        if type(move) is not int or not 0 <= move < len(chain.moves):
            raise Refused("the number of a move")
        found.append((relations(_comparisons(region)), move, terms.read(text(by))))
    return found


def _comparisons(data: Any) -> Conditions:
    """Conditions on a state."""
    found = read_conditions(text(data))
    if any(isinstance(c, OfKind) for c in found):
        raise Refused("kinds are those of the coordinates")
    return found


def _listing(data: Any) -> Listing:
    if type(data) is not dict or set(data) != {"by", "low", "high", "others", "is", "rate"}:
        raise Refused("a list has by, low, high, others, is, rate")
    low, high, value, rate = (terms.read(text(data[key])) for key in ("low", "high", "is", "rate"))
    others = []
    for one in items(data["others"]):
        c, term = map(text, items(one, 2))
        others.append((c, terms.read(term)))
    return Listing(text(data["by"]), low, high, tuple(others), value, rate)


@remembered(200)
def _verified_ahead(key: Frozen, known: frozenset[terms.Canonical]) -> tuple[Law, list[Term], frozenset[terms.Canonical]]:
    """The law, h on its pieces, and those of the equations known that were used."""
    law, found = law_and_relative(_thawed(key))
    asked: set[terms.Canonical] = set()

    def shown(wanted: Statement) -> bool:
        asked.add(terms.canonical(wanted))
        return terms.canonical(wanted) in known

    law.ahead(found, shown)
    return law, found, known & asked


def _piece(data: Any, chain: Chain) -> Piece:
    if type(data) is not dict or set(data) not in ({"ranges", "is", "rate"}, {"where", "is", "rate"}):
        raise Refused("a piece has ranges or where, is, rate")
    seen = {*chain.parameters}
    if "where" in data:
        value, rate = terms.read(text(data["is"])), None if data["rate"] is None else terms.read(text(data["rate"]))
        if not terms.free(value) | (terms.free(rate) if rate else set()) <= seen | set(chain.coordinates):
            raise Refused("a law in terms of the state and the parameters")
        return Piece((), value, rate, _comparisons(data["where"]))
    ranges = [tuple(map(text, items(one, 3))) for one in items(data["ranges"])]
    if sorted(c for c, _, _ in ranges) != sorted(chain.coordinates):
        raise Refused("a piece has a range for each coordinate")
    rate = None if data["rate"] is None else terms.read(text(data["rate"]))
    found = tuple((c, terms.read(low), terms.read(high)) for c, low, high in ranges)
    for c, low, high in found:
        if not terms.free(low) | terms.free(high) <= seen:
            raise Refused(f"the ends of {c} are in terms of what comes before it")
        seen.add(c)
    value = terms.read(text(data["is"]))
    if not terms.free(value) | (terms.free(rate) if rate else set()) <= seen:
        raise Refused("a law in terms of the state and the parameters")
    return Piece(found, value, rate)
