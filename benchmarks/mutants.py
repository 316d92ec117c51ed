"""Mutants of statements, and what is known of each by the way in which it is made.

Of a mutant M of a statement S, which has a theorem:

- *f ~ g*: f ~ c g is false for c != 1 (factors near 1, 2, -1, the gap of f/g at n = 10^8), for c that tends to 0 or to infinity,
  which a theorem says of it (logarithms, small powers), and for c = 1 + d x, x -> oo: with d = 10^-200 that shows nowhere on a
  grid.  f = o(g), f = omega(g) are false.  f ~ h, h from g by another number, sign, exponent or without a term, is what a
  theorem says of h ~ g.
- *f -> v*: other finite values and infinite ones, and v + 10^-200 x, are false.
- *f = a + O(g)*: with d x g more it is false, x -> oo; with o(g), with d g more.  f = b + O(g) is what a theorem says of
  b - a = O(g), where b is a with another number, sign or exponent, or without a term.
- *f = O(g)* and its kin: an order that excludes it is false, a weaker one true.  f = Theta(h) is what a theorem says of
  h = Theta(g).
- comparisons: f = g excludes f = g + t where t is not 0 at some point of the domain, also if it vanishes at the first whole
  numbers or on all points at which the claim is tried; f < g excludes f >= g.  A mutant is false too where it fails, by balls, at
  a point of its domain: so with other numbers, signs, exponents, on wider domains, with f moved by its gap to g at a point.
- a part of a conjunction left out, a weaker sign, a smaller domain, a bound that is not uniform any more: true.
- a correction is a mutant of its claim, and true.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, islice

from asymp.claim import Bound, Claim, Identity
from asymp.kernel.balls.boxes import certainly, question
from asymp.kernel.facts.ranges import Evaluator, Range, Rational
from asymp.kernel.terms import Refused, canonical, of
from asymp.language.bodies import And, Body, Comparison, Expanding, InLaw, Limiting, Ordering, Ratio, Rounding, Shape
from asymp.language.conditions import Compared, Listed, Tends
from asymp.language.numbers import ParseError
from asymp.language.statement import Statement, is_asymptotic, read_statement
from asymp.language.syntax import Node, Parser, words
from asymp.prove.claims import theorem

NEAR = ("1 + 10^(-6)", "1 - 10^(-6)", "1 + 10^(-200)", "1 - 10^(-200)", "1.0001")
SMALL = ("10^(-6)", "10^(-200)", "-10^(-200)")
BITS, WORK = 1_000, 100_000
MOST_UNKNOWN = 1
"""Mutants of one claim and one operator of which nothing is known."""
Truth = bool | None


@dataclass(frozen=True)
class Mutant:
    """A changed statement, by which operator, and whether it is true; None where that is not known."""

    operator: str
    what: str
    statement: Statement
    truth: Truth


Made = tuple[str, str, Body, Truth]


def node(text: str) -> Node:
    """A term from text."""
    return Parser(text).whole()


def times(one: Node, factor: Node | str) -> Node:
    """A product."""
    return Node("product", 1, "", (one, node(factor) if isinstance(factor, str) else factor), "**")


def plus(one: Node, other: Node | str) -> Node:
    """A sum."""
    return Node("sum", 1, "", (one, node(other) if isinstance(other, str) else other), "++")


# --- what is known -----------------------------------------------------------------------------------------


class Known:
    """What theorems and points say of a claim's statement, each asked once."""

    def __init__(self, claim: Claim, statement: Statement) -> None:
        self.claim, self.statement = claim, statement
        self._said = lru_cache(maxsize=None)(self._ask)

    def says(self, body: Body) -> Truth:
        """Whether a theorem says it in the claim's regime and domain, or its negation."""
        return self._said(str(replace(self.statement, body=body, uniform=())))

    @staticmethod
    def _ask(text: str) -> Truth:
        try:
            statement = read_statement(text)
        except ParseError:
            return None
        for holds in (True, False):
            with contextlib.suppress(Refused):
                theorem(statement, holds)
                return holds
        return None

    def large(self) -> list[str]:
        """Terms that tend to infinity in the regime."""
        found = []
        for condition in self.statement.regime:
            if isinstance(condition, Tends):
                term, target = words(condition.term), words(condition.target)
                if target == "oo":
                    found.append(term)
                elif target == "0" and condition.side == "+":
                    found.append(f"1/({term})")
        return sorted(found, key=len)

    def points(self) -> list[Mapping[str, Fraction]]:
        """Rational points at which the claim is tried."""
        relation = self.claim.relation
        grid = relation.domain.grid if isinstance(relation, (Bound, Identity)) else ()
        found = []
        for point in islice(grid, 60):
            if all(isinstance(x, Fraction) for x in point.values()):
                found.append(dict(point))
        return found


def fails_at_a_point(statement: Statement, points: list[Mapping[str, Fraction]]) -> bool:
    """Whether a comparison certainly fails at one of these points that is certainly in its domain."""
    try:
        asked = question(statement)
    except Refused:
        return False
    for point in points:
        if set(point) != set(asked.variables()) or any(asked.is_whole(v) and x.denominator != 1 for v, x in point.items()):
            continue
        at = {v: Range(*2 * (Rational(x.numerator, x.denominator),)) for v, x in point.items()}
        with contextlib.suppress(Refused):
            listed = all(
                any(all(of(row[k]) == of(node(f"({point[n]})")) for k, n in enumerate(c.names)) for row in c.rows)
                for c in statement.domain if isinstance(c, Listed)
            )  # fmt: skip
            inside = listed and all(certainly(pair, at, Evaluator(BITS, WORK)) is True for pair in asked.pairs)
            if inside and False in [certainly(link, at, Evaluator(BITS, WORK)) for link in asked.links]:
                return True
    return False


# --- operators of bodies ---------------------------------------------------------------------------------------


def ratio(body: Ratio, known: Known) -> Iterator[Made]:
    """f ~ g."""
    def right(factor: str) -> Body:
        return replace(body, right=times(body.right, factor))

    for factor in NEAR:
        yield factor_name(factor), f"right times {factor}", right(factor), False
        yield factor_name(factor), f"left times {factor}", replace(body, left=times(body.left, factor)), False
    yield "sign", "right times -1", right("(-1)"), False
    yield "factor 2", "right times 2", right("2"), False
    if gap := gap_far_out(known.claim):
        yield "the gap on the grid", f"right times {gap}", right(f"({gap})"), False
    for x in known.large()[:2]:
        yield "vanishes on the grid", f"right times 1 + 10^-200*{x}", right(f"(1 + 10^(-200)*({x}))"), False
        yield "vanishes on the grid", f"right times 1 + 10^-200*log({x})", right(f"(1 + 10^(-200)*log({x}))"), False
        for factor in (f"log({x})", f"1/log({x})", f"log(log({x}))"):
            yield "logarithm", f"right times {factor}", right(factor), False
        for e in ("1/10", "-1/10", "10^(-6)", "-10^(-6)"):
            yield "exponent", f"right times ({x})^({e})", right(f"({x})^({e})"), False
    for order in ("o", "omega"):
        yield "reversed", f"{order} for ~", Ordering(body.left, order, body.right), False
    for order in ("Theta", "O", "Omega"):
        yield "weaker", f"{order} for ~", Ordering(body.left, order, body.right), True
    for operator, what, changed in rewritten(body.right):
        yield operator, what, replace(body, right=changed), known.says(Ratio(changed, body.right))


def in_law(body: InLaw, known: Known) -> Iterator[Made]:
    """X => Y."""
    for factor in (*NEAR, "2"):
        if words(body.right) != "0":
            yield factor_name(factor), f"limit times {factor}", replace(body, right=times(body.right, factor)), False
    for shift in (*SMALL, "1"):
        yield factor_name(shift), f"X plus {shift}", replace(body, left=plus(body.left, shift)), False


def limiting(body: Limiting, known: Known) -> Iterator[Made]:
    """f -> v."""
    value = words(body.value)
    if value in ("oo", "-oo"):
        for other in ("0", "1", "10^200", "-oo" if value == "oo" else "oo"):
            yield "reversed", f"tends to {other}", replace(body, value=node(other)), False
        yield "sign", "left times -1", replace(body, left=times(body.left, "(-1)")), False
        yield "weaker", "left times 10^-200", replace(body, left=times(body.left, "10^(-200)")), True
        return
    for shift in (*SMALL, "1"):
        yield factor_name(shift), f"value plus {shift}", replace(body, value=plus(body.value, shift)), False
        yield factor_name(shift), f"left plus {shift}", replace(body, left=plus(body.left, shift)), False
    for other in ("oo", "-oo"):
        yield "reversed", f"tends to {other}", replace(body, value=node(other)), False
    for x in known.large()[:2]:
        for small in (f"10^(-200)*log({x})", f"10^(-200)*({x})", f"10^(-6)*log(log({x}))"):
            yield "vanishes on the grid", f"left plus {small}", replace(body, left=plus(body.left, small)), False
        if value != "0":
            yield "logarithm", f"left times log({x})", replace(body, left=times(body.left, f"log({x})")), False
            yield "exponent", f"left times ({x})^(-1/10)", replace(body, left=times(body.left, f"({x})^(-1/10)")), False
        yield "weaker", f"left over log({x})", replace(body, left=times(body.left, f"1/log({x})"), value=node("0")), True
    if value != "0" and of(body.value).head != "name":
        for factor in (*NEAR, "(-1)", "2"):
            operator = "sign" if factor == "(-1)" else factor_name(factor)
            yield operator, f"left times {factor}", replace(body, left=times(body.left, factor)), False


def expanding(body: Expanding, known: Known) -> Iterator[Made]:
    """f = a + O(g) or + o(g)."""
    moves = known.large()[:2]
    rises = [x for y in moves for x in (f"log({y})", f"({y})^(1/10)", f"log(log({y}))")]
    factors = [f"{d}*{x}" for d in ("1", "10^(-6)", "10^(-200)") for x in rises]
    for factor in [*SMALL, "1", *factors] if body.order == "o" else factors:
        operator = "vanishes on the grid" if "10^(-200)*" in factor else "logarithm" if "*" in factor else factor_name(factor)
        yield operator, f"a term more: {factor}", replace(body, kept=plus(body.kept, times(body.growth, factor))), False
    if body.order == "o":
        yield "weaker", "O for o", replace(body, order="O"), True
    else:
        left = Node("sum", 1, "", (body.left, body.kept), "+-")
        exact = known.says(Ordering(left, "Theta", body.growth))
        yield "O to o", "o for O", replace(body, order="o"), False if exact else None
    yield "weaker", "a larger constant", replace(body, growth=times(body.growth, "10^6")), True
    for operator, what, changed in rewritten(body.kept):
        gap = Node("sum", 1, "", (changed, body.kept), "+-")
        yield operator, what, replace(body, kept=changed), known.says(Ordering(gap, body.order, body.growth))


EXCLUDED = {"Theta": ("o", "omega"), "o": ("Theta", "Omega", "omega"), "O": ("omega",), "Omega": ("o",),
            "omega": ("Theta", "O", "o")}  # fmt: skip
IMPLIED = {"Theta": ("O", "Omega"), "o": ("O",), "omega": ("Omega",), "O": (), "Omega": ()}


def ordering(body: Ordering, known: Known) -> Iterator[Made]:
    """f = O(g) and its kin."""
    for order in EXCLUDED[body.order]:
        yield "O to o" if order == "o" else "reversed", f"{order} for {body.order}", replace(body, order=order), False
    for order in IMPLIED[body.order]:
        yield "weaker", f"{order} for {body.order}", replace(body, order=order), True
    if body.order == "O":
        exact = known.says(replace(body, order="Theta"))
        yield "O to o", "o for O", replace(body, order="o"), False if exact else None
    for factor in ("10^(-6)", "10^(-200)", "(-1)", "2"):
        yield "weaker", f"growth times {factor}", replace(body, growth=times(body.growth, factor)), True
    for x in known.large()[:2]:
        up_ = (f"log({x})", f"log(log({x}))", f"({x})^(1/10)", f"(1 + 10^(-200)*({x}))")
        for factor in (*up_, f"1/log({x})", f"({x})^(-10^(-6))"):
            up = factor in up_
            truth = {"Theta": False, "O": True if up else None, "o": True if up else None}.get(body.order, None if up else True)
            operator = "vanishes on the grid" if "10^(-200)" in factor else "exponent" if "^" in factor else "logarithm"
            yield operator, f"growth times {factor}", replace(body, growth=times(body.growth, factor)), truth
    for operator, what, changed in rewritten(body.growth):
        truth: Truth = None
        if body.order == "Theta":
            truth = known.says(Ordering(changed, "Theta", body.growth))
        elif known.says(Ordering(body.growth, "Theta", changed)):
            truth = True
        yield operator, what, replace(body, growth=changed), truth


AGAINST = {"=": ("<", ">"), "<": (">=", "=", ">"), "<=": (">",), ">": ("<=", "=", "<"), ">=": ("<",)}
WEAKER = {"=": ("<=", ">="), "<": ("<=",), ">": (">=",), "<=": (), ">=": ()}


def comparison(body: Comparison, known: Known) -> Iterator[Made]:
    """Chains of comparisons."""
    parts, signs = body.chain.parts, body.chain.signs
    points = known.points()
    for k, sign in enumerate(signs):
        def with_sign(other: str, k: int = k) -> Body:
            return Comparison(Compared(parts, (*signs[:k], other, *signs[k + 1 :])))

        def with_right(term: Node, k: int = k) -> Body:
            return Comparison(Compared((*parts[: k + 1], term, *parts[k + 2 :]), signs))

        for other in AGAINST[sign]:
            yield "reversed", f"{other} for {sign}", with_sign(other), False
        for other in WEAKER[sign]:
            yield "weaker", f"{other} for {sign}", with_sign(other), True
        if other := {"<=": "<", ">=": ">"}.get(sign):
            yield "O to o", f"{other} for {sign}", with_sign(other), None
        if sign == "=":
            for shift in (*SMALL, "1"):
                yield factor_name(shift), f"right plus {shift}", with_right(plus(parts[k + 1], shift)), False
            for term, truth in vanishing(known, points):
                yield "vanishes on the grid", f"right plus {term}", with_right(plus(parts[k + 1], term)), truth
        for factor in (*NEAR, "(-1)", "2"):
            operator = "sign" if factor == "(-1)" else factor_name(factor)
            yield operator, f"right times {factor}", with_right(times(parts[k + 1], factor)), None
        if sign in ("<", "<=", ">", ">="):
            for gap in gaps(parts[k], sign, parts[k + 1], points):
                yield "the gap on the grid", f"right plus {gap}", with_right(plus(parts[k + 1], f"({gap})")), None
    for k, part in enumerate(parts):
        for operator, what, changed in rewritten(part):
            yield operator, what, Comparison(Compared((*parts[:k], changed, *parts[k + 1 :]), signs)), None


def vanishing(known: Known, points: list[Mapping[str, Fraction]]) -> Iterator[tuple[str, Truth]]:
    """Terms that are 0 at all points at which the claim is tried, or at the first whole numbers, and not elsewhere."""
    try:
        own = question(known.statement).variables()
    except Refused:  # it speaks of a sequence: no box of points
        return
    for name in own:
        values = sorted({point[name] for point in points if name in point})[:12]
        for zeros in (values, [Fraction(k) for k in range(1, 9)]):
            term = "*".join(f"({name} - ({x}))" for x in zeros)
            if term:
                elsewhere = question(known.statement).is_whole(name) and _unbounded(known.statement, name)
                yield f"10^(-200)*{term}", False if elsewhere else None


def _unbounded(statement: Statement, name: str) -> bool:
    """Whether of a variable nothing is said but a kind and lower bounds by numbers, and no other condition speaks of it."""
    for condition in statement.domain:
        names = {n for one in condition.terms() if one.kind != "tuple" for n in one.free} | set(getattr(condition, "names", ()))
        if name in names:
            low = isinstance(condition, Compared) and condition.signs in ((">=",), (">",)) and names == {name}
            if not low or condition.terms()[0].text != name:
                return False
    return True


def gaps(left: Node, sign: str, right: Node, points: list[Mapping[str, Fraction]]) -> Iterator[str]:
    """What moves the right side to the other side of the left one at a point, just so: a rational number of few digits."""
    found = []
    for point in points[:20]:
        at = {v: Range(*2 * (Rational(x.numerator, x.denominator),)) for v, x in point.items()}
        with contextlib.suppress(Refused):
            both = Node("sum", 1, "", (right, left), "+-")
            value = Evaluator(BITS, WORK).range(of(both), at)
            size = Fraction(int(value.low.p), int(value.low.q))
            if size:
                found.append(size)
    for size in sorted(set(found), key=abs)[:2]:
        top = abs(size) * (1 + Fraction(1, 10**6))
        digits = max(0, 12 - (top.numerator.bit_length() - top.denominator.bit_length()) * 3 // 10)
        rounded = Fraction(-(-top.numerator * 10**digits // top.denominator), 10**digits)
        yield str(-rounded if sign in ("<", "<=") else rounded)


# --- operators of terms --------------------------------------------------------------------------------------------


def rewritten(term: Node) -> Iterator[tuple[str, str, Node]]:
    """(operator, what, the term with one number, sign or exponent changed, or one term left out)."""
    for place in _places(term):
        one = _at(term, place)
        if one.kind == "number" and not _is_range(term, place):
            for other in dict.fromkeys((f"({one.text} + 1)", f"({one.text} + 10^(-6))", f"({one.text} + 10^(-200))")):
                exponent = bool(place) and _at(term, place[:-1]).kind == "power" and place[-1] == 1
                operator = "exponent" if exponent else "number" if "+ 1" in other[-5:] else factor_name(other)
                yield operator, f"{other} for {one.text}", _put(term, place, node(other))
        if one.kind == "sum":
            for k in range(len(one.parts)):
                turned = "".join(("-" if s == "+" else "+") if j == k else s for j, s in enumerate(one.signs))
                if k:
                    yield "sign", f"{turned} in {words(one)}", _put(term, place, replace(one, signs=turned))
                if len(one.parts) > 1:
                    parts = tuple(part for j, part in enumerate(one.parts) if j != k)
                    signs = "".join(s for j, s in enumerate(one.signs) if j != k)
                    if signs[0] == "-":
                        parts, signs = (Node("negative", 1, "", (parts[0],)), *parts[1:]), "+" + signs[1:]
                    kept = parts[0] if len(parts) == 1 else replace(one, parts=parts, signs=signs)
                    yield "case dropped", f"without {words(one.parts[k])}", _put(term, place, kept)


def _is_range(term: Node, place: tuple[int, ...]) -> bool:
    """Whether a place is an end of a sum or an integral: with another one it may run backwards."""
    return any(_at(term, place[:k]).kind == "tuple" for k in range(len(place)))


def _places(term: Node, inside: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    yield inside
    for k, part in enumerate(term.parts):
        yield from _places(part, (*inside, k))


def _at(term: Node, place: tuple[int, ...]) -> Node:
    return _at(term.parts[place[0]], place[1:]) if place else term


def _put(term: Node, place: tuple[int, ...], new: Node) -> Node:
    if not place:
        return new
    inner = _put(term.parts[place[0]], place[1:], new)
    return replace(term, parts=(*term.parts[: place[0]], inner, *term.parts[place[0] + 1 :]))


def factor_name(text: str) -> str:
    """The operator's name of a factor or a shift."""
    return "10^-200" if "10^(-200)" in text else "10^-6" if "10^(-6)" in text else "1.0001" if "1.0001" in text else "number"


def gap_far_out(claim: Claim) -> str:
    """f/g at the far end of the usual grid, n = 10^8, as a decimal; empty where it is not had at once, or is 1."""
    from asymp.check.convergence import question
    from asymp.check.derived import runs_of
    from asymp.enclosure import Undecided, enclose

    try:
        statement = claim.relation.statement  # type: ignore[union-attr]
        found = enclose(question(statement.body)[0], runs_of(statement)[0].at(10**8), digits=15).ball
    except (Undecided, ArithmeticError, AttributeError, IndexError, TypeError, ValueError):
        return ""
    text = found.mid().str(12, radius=False)
    return text if found.rel_accuracy_bits() > 40 and text not in ("1", "1.00000000000") and float(text) > 0 else ""


# --- operators of statements ----------------------------------------------------------------------------------------


def bodies(body: Body, known: Known) -> Iterator[Made]:
    """The changes of a body."""
    forms: dict[type, Callable[..., Iterator[Made]]] = {
        Ratio: ratio, Limiting: limiting, Expanding: expanding, Ordering: ordering, Comparison: comparison, InLaw: in_law,
    }  # fmt: skip
    if isinstance(body, And):
        for k, part in enumerate(body.parts):
            here = Known(known.claim, replace(known.statement, body=part))
            for operator, what, changed, truth in bodies(part, here):
                parts = (*body.parts[:k], changed, *body.parts[k + 1 :])
                yield operator, f"part {k + 1}: {what}", And(parts), truth
            rest = tuple(one for one in body.parts if one is not part)
            yield "case dropped", f"without part {k + 1}", rest[0] if len(rest) == 1 else And(rest), True
    elif isinstance(body, Shape):
        other = "increasing" if body.shape in ("decreasing", "nonincreasing") else "decreasing"
        yield "reversed", f"{other} for {body.shape}", replace(body, shape=other), False
    elif isinstance(body, Rounding):
        for shift in ("10^(-6)", "1"):
            yield factor_name(shift), f"plus {shift}", replace(body, term=plus(body.term, shift)), False if shift == "1" else None
    elif type(body) in forms:
        yield from forms[type(body)](body, known)


def wholes(statement: Statement) -> Iterator[tuple[str, str, Statement, Truth]]:
    """The changes of quantifiers, domains and regimes."""
    for k, condition in enumerate(statement.domain):
        rest = (*statement.domain[:k], *statement.domain[k + 1 :])
        yield "widened", f"without {condition}", replace(statement, domain=rest), None
        if isinstance(condition, Compared):
            for j, sign in enumerate(condition.signs):
                for other in AGAINST[sign][-1:]:
                    turned = replace(condition, signs=(*condition.signs[:j], other, *condition.signs[j + 1 :]))
                    domain = (*statement.domain[:k], turned, *statement.domain[k + 1 :])
                    yield "widened", f"{turned} for {condition}", replace(statement, domain=domain), None
            if is_asymptotic(statement.body):
                moved = replace(statement, domain=rest, uniform=(*statement.uniform, condition))
                yield "quantifier moved", f"uniformly in {condition}", moved, None
        if isinstance(condition, Listed) and len(condition.rows) > 1:
            fewer = (*statement.domain[:k], replace(condition, rows=condition.rows[1:]), *statement.domain[k + 1 :])
            yield "weaker", f"without a row of {condition}", replace(statement, domain=fewer), True
    for k, condition in enumerate(statement.regime):
        if isinstance(condition, Tends):
            rest = (*statement.regime[:k], *statement.regime[k + 1 :])
            yield "widened", f"without {condition}", replace(statement, regime=rest), None
            if words(condition.target) == "oo":
                other_ = replace(condition, target=node("1"))
                regime = (*statement.regime[:k], other_, *statement.regime[k + 1 :])
                yield "widened", f"{other_} for {condition}", replace(statement, regime=regime), None
    if statement.uniform:
        domain = (*statement.domain, *statement.uniform)
        yield "quantifier moved", "not uniformly", replace(statement, uniform=(), domain=domain), None
    if statement.some:
        moved = replace(statement, some=(), domain=(*statement.domain, *statement.some))
        yield "quantifier moved", "for all, not for some", moved, None


def mutants(claim: Claim) -> Iterator[Mutant]:
    """All mutants of a claim of which a theorem says that it holds; each can be read, and says something else."""
    statement = read_statement(claim.closed)
    known = Known(claim, statement)
    made = ((o, w, replace(statement, body=b), t) for o, w, b, t in bodies(statement.body, known))
    seen = {canonical(statement)}
    unknown: Counter[str] = Counter()
    for operator, what, changed, truth in chain(made, wholes(statement)):
        try:
            again = read_statement(str(changed))
            form = canonical(again)
        except (ParseError, Refused):
            continue  # what cannot be read is no mutant
        if form in seen:
            continue
        seen.add(form)
        if truth is None and isinstance(again.body, Comparison):
            truth = False if fails_at_a_point(again, _near(known.points())) else None
        unknown[operator] += truth is None
        if truth is not None or unknown[operator] <= MOST_UNKNOWN:
            yield Mutant(operator, what, again, truth)


def _near(points: list[Mapping[str, Fraction]]) -> list[Mapping[str, Fraction]]:
    """The points, and some with one variable moved: where the domain has become wider."""
    elsewhere = [Fraction(x) for x in ("-2", "-1/2", "0", "1/2", "1", "2", "9")]
    moved = [{**point, name: x} for point in points[:3] for name in point for x in elsewhere]
    return [*points[:8], *moved]
