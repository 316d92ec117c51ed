"""What a limit law X_n => X unfolds to: a limit for all values of one more variable, which may be had by four ways.

- ``transform``: E exp(-t X_n) -> E exp(-t X) for 0 < t < b (or, ``mirrored``, of exp(t X)).  With limits on an open interval,
  where all are finite, X_n => X (Mukherjea, Rao and Suen 2006, from Curtiss 1942; Feller II, XIII.1 Theorem 2 for X >= 0).  If
  X_n => X, and E exp(-t X_n) = O(1) for each t < b, then exp(-t X_n) is uniformly integrable for each of them, and its mean
  tends to that of exp(-t X): so where that limit fails, X_n => X fails.
- ``cumulants``, or ``mirrored cumulants``: the same in logarithms, since what tends is positive, and so is the limit; where these
  logarithms are O(1), so are the transforms.
- ``masses``: P(X_n = k) -> P(X = k) for all k, of laws on whole numbers: if and only if X_n => X (Scheffe).
- ``distribution``: P(X_n <= x) -> P(X <= x) on open intervals where the latter is continuous, and which leave out single points
  and what has probability 0 or 1 by monotony: if and only if X_n => X.
- ``logarithms``: the same in logarithms of these, or of the tails P(X_n > x), where the limit is an exponential.
- ``moments``: E X_n^k -> E X^k for all k >= 1, of an X with a finite E exp(t |X|) for some t > 0 (Billingsley, Theorems 30.1 and
  30.2); where all are O(1), X_n^k is uniformly integrable, and the limit law fails where one of these fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from asymp.kernel.growths.regime import moving
from asymp.kernel.laws.described import cumulant, ends, mass, moment, outwards, pieces, transform
from asymp.kernel.terms import Refused
from asymp.language.bodies import InLaw, Limiting, Ordering
from asymp.language.conditions import Compared, Condition, OfKind
from asymp.language.functions import variables_of
from asymp.language.laws import LESS_OO, ONE, OO, ZERO, Law, call, law, minus, plus
from asymp.language.names import substitute
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement
from asymp.language.syntax import Node

WAYS = (
    "masses", "distribution", "transform", "cumulants", "logarithms", "mirrored", "mirrored cumulants", "moments",
)  # fmt: skip
"""The ways, in the order in which they are tried."""
Sure = tuple[Statement, Node, str]
"""A statement, in whose regime and domain a term is to be > 0, >= 0, or whole, from some point on."""
FACTS = {
    "masses": ("Billingsley 16.12",), "moments": ("Billingsley 30.2", "Billingsley 25.12"),
    **dict.fromkeys(("distribution", "logarithms"), ("Billingsley 25",)),
    **dict.fromkeys(("transform", "cumulants", "mirrored", "mirrored cumulants"), ("Curtiss 1942", "Billingsley 25.12")),
}  # fmt: skip
"""What each way rests on."""


@dataclass(frozen=True)
class Unfolded:
    """The limits that are the limit law, what bounds them where they fail, and what has to be sure."""

    limits: list[Statement]
    bounds: list[Statement]
    sure: list[Sure]


def unfolded(statement: Statement, way: str, name: str) -> Unfolded:
    """What the statement is by one of the ways, with ``name`` for the variable.

    Raises:
        Refused: this is no way to such a law.
    """
    try:
        left, right = sides(statement)
    except ParseError as error:
        raise Refused(str(error)) from error
    if way not in WAYS:
        raise Refused(f"{way} is no way to a limit law")
    if right_moves := moving(statement) & frozenset[str]().union(*(x.free for x in right.terms())):
        raise Refused(f"the law on the right of => moves: {min(right_moves)}")
    v = Node("name", 1, name)
    make = {"masses": _masses, "distribution": _distribution, "logarithms": _logarithms, "moments": _moments}.get(way)
    limits, sure = make(statement, left, right, v) if make else _transform(statement, left, right, v, way)
    for one in (left, right):
        sure += [(statement, *found) for found in parameters(one)]
    sure += [(statement, right.scaled(ONE), ">")] if right.atom is not None else []
    bounded = "Billingsley 25.12" in FACTS[way]
    bounds = [replace(s, body=Ordering(s.body.left, "O", ONE)) for s in limits if isinstance(s.body, Limiting)] if bounded else []
    return Unfolded(limits, bounds, sure)


def sides(statement: Statement) -> tuple[Law, Law]:
    """The laws of both sides.

    Raises:
        ParseError: it is none.
        Refused: the statement is of another form.
    """
    body = statement.body
    if not isinstance(body, InLaw) or statement.some or statement.uniform or not statement.regime:
        raise Refused("a statement of another form")
    left, right = law(body.left), law(body.right)
    if left.atom is None:
        raise ParseError(f"no law on the left of =>: {body}")
    if right.given:
        raise ParseError(f"the law on the right of => is an everyday law, or a number, not {right.given}")
    return left, right


def variable(statement: Statement, way: str) -> str:
    """A name for the one more variable of a way."""
    taken = set(variables_of(statement)) | {name for node in statement.terms() for name in node.every_name}
    letters = {"masses": "kji", "moments": "kji", "distribution": "xyz", "logarithms": "xyz"}.get(way, "stu")
    return next((letter for letter in letters if letter not in taken), f"{letters[0]}_0")


Found = tuple[list[Statement], list[Sure]]


def parameters(one: Law) -> Iterator[tuple[Node, str]]:
    """What the parameters of an everyday law have to meet."""
    if one.row is None or one.atom is None:
        return
    values = dict(zip(one.row.letters, one.atom.parts, strict=True))
    if one.row.name == "binomial":
        yield one.atom.parts[0], "whole"
    for c in one.needs():
        assert isinstance(c, Compared)
        for low, sign, high in c.pairs():
            if sign[0] == ">":
                low, sign, high = high, sign.replace(">", "<"), low
            yield plus(substitute(high, values), substitute(low, values), "-"), sign.replace("<", ">")


def _transform(statement: Statement, left: Law, right: Law, v: Node, way: str) -> Found:
    t = minus(v) if way.startswith("mirrored") else v
    f, g = (cumulant(one, t) if way.endswith("cumulants") else transform(one, t) for one in (left, right))
    if f is None or g is None:
        raise Refused("a law of which no transform is known")
    most = _side(right, way)
    given = _side(left, way) if left.is_plain else OO
    within = [x for x in (most, given) if x != OO and not _moves(x, statement)]
    if len(within) == 2 and within[0] != within[1]:
        raise Refused("two ranges of a transform")
    said = _between(statement, ZERO, v, within[0] if within else OO)
    limit = replace(said, body=Limiting(f, g))
    sure: list[Sure] = []
    for one, at in ((left, limit), (right, limit)):
        below, above = ends(one)
        u = t if one.atom is None else one.scaled(t)
        sure += [(at, plus(above, u, "-"), ">")] if above != OO else []
        sure += [(at, plus(u, below), ">")] if below != OO else []
    sure += [(statement, x, ">") for x in within]
    return [limit], sure


def _side(one: Law, way: str) -> Node:
    """To where the transform of a side is finite, where it is not scaled."""
    below, above = ends(one)
    return below if way.startswith("mirrored") else above


def _moves(term: Node, statement: Statement) -> bool:
    return bool(term.free & {name for c in statement.regime for node in c.terms() for name in node.free})


def _between(statement: Statement, low: Node, v: Node, high: Node, strict: bool = True) -> Statement:
    sign = "<" if strict else "<="
    ends: list[Condition] = []
    if low != LESS_OO and high != OO:
        ends.append(Compared((low, v, high), (sign, sign)))
    elif low != LESS_OO:
        ends.append(Compared((v, low), (sign.replace("<", ">"),)))
    elif high != OO:
        ends.append(Compared((v, high), (sign,)))
    return replace(statement, domain=(*statement.domain, *ends))


def _masses(statement: Statement, left: Law, right: Law, k: Node) -> Found:
    f, g = mass(left, k), mass(right, k)
    if f is None or g is None:
        raise Refused("a law that is not known by its probabilities")
    said = replace(statement, domain=(*statement.domain, OfKind(k.text, "whole")))
    low, high = (outwards(right, end) for end in g[:2])
    sure: list[Sure] = [(statement, one.shift(ONE) or ZERO, "whole") for one in (left, right)]
    limit = replace(said, body=Limiting(f[2], g[2]))
    if low == high:
        limit = replace(statement, body=Limiting(substitute(f[2], {k.text: low}), g[2]))
        at = low
    else:
        limit = _between(limit, low, k, high, strict=False)
        at = k
    inside = left.inverse(at)
    sure += [(limit, plus(inside, f[0], "-"), ">=")] if f[0] != LESS_OO else []
    sure += [(limit, plus(f[1], inside, "-"), ">=")] if f[1] != OO else []
    return [limit], sure


def _distribution(statement: Statement, left: Law, right: Law, x: Node) -> Found:
    mine, others = pieces(left, x), pieces(right, x)
    if len(mine) != 1 or not others:
        raise Refused("a law that is not known by its distribution function")
    low, high, F = mine[0]
    limits: list[Statement] = []
    sure: list[Sure] = [(statement, left.scaled(ONE), ">")]
    for start, end, G in others:
        a, b = outwards(right, start), outwards(right, end)
        if G == ZERO and a == LESS_OO and not _moves(outwards(left, low), statement):  # below its range P(X_n <= x) is 0
            a = outwards(left, low)
        if G == ONE and b == OO and not _moves(outwards(left, high), statement):
            b = outwards(left, high)
        if a == b:
            continue
        for c, d in ((LESS_OO, ZERO), (ZERO, OO)) if (a, b) == (LESS_OO, OO) else ((a, b),):
            limit = replace(_between(statement, c, x, d), body=Limiting(F, G))
            limits.append(limit)
            inside = left.inverse(x)
            sure += [(limit, plus(inside, low, "-"), ">")] if low != LESS_OO else []
            sure += [(limit, plus(high, inside, "-"), ">")] if high != OO else []
    if not limits:
        raise Refused("nothing is left to be shown")
    return limits, sure


def _logarithms(statement: Statement, left: Law, right: Law, x: Node) -> Found:
    limits, sure = _distribution(statement, left, right, x)
    new = {}
    for one in limits:
        assert isinstance(one.body, Limiting)
        f, g = one.body.left, one.body.value
        if g.kind == "sum" and g.parts[0] == ONE and g.signs == "+-":  # the tails
            f, g = plus(ONE, f, "-"), g.parts[1]
        if g.kind != "call" or g.text != "exp":
            raise Refused("neither a distribution function nor a tail that is exponential")
        new[id(one)] = replace(one, body=Limiting(call("log", f), g.parts[0]))
    return list(new.values()), [(new.get(id(one), one), term, what) for one, term, what in sure]


def _moments(statement: Statement, left: Law, right: Law, k: Node) -> Found:
    f, g = moment(left, k), moment(right, k)
    if f is None or g is None:
        raise Refused("a law that is not known by its moments")
    said = replace(statement, domain=(*statement.domain, OfKind(k.text, "whole")), body=Limiting(f, g))
    return [_between(said, ONE, k, OO, strict=False)], []


