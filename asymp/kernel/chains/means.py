r"""Equations between means of a population, by its law, the multinomial theorem and the integral of Gamma.

By the law q of :mod:`asymp.kernel.chains.population`, of N objects with h(m) = c (m + a)!, a >= 0 whole, for any numbers f(k)

.. math:: \sum_s q(s) \prod_k f(k)^{s(k)} = c\,r^{a+1} \int_0^\infty \Big(\sum_k w(k) f(k) (r t)^{g(k)}\Big)^{N} t^a e^{-r t}\,dt, \qquad r > 0,

since (m + a)! = r^(m + a + 1) times the integral of t^(m + a) exp(-r t) (DLMF 5.9.1, 5.4.1), a finite sum of integrals that converge
is the integral of the sum, and the sum of N!/prod s(k)! prod a(k)^s(k) is (sum a(k))^N.  With one object apart, as
s(j) N!/prod s(k)! is N times such a coefficient of N - 1 objects,

.. math:: \sum_s q(s) s(j) = N c\,r^{a+1} \int_0^\infty w(j) (r t)^{g(j)} \Big(\sum_k w(k) (r t)^{g(k)}\Big)^{N-1} t^a e^{-r t}\,dt,

and so for sums of v(j) s(j).  Where h is free of m the sums are powers, without integrals; of two levels they may be sums over
the count of the higher one.

Each function of the population stands for one such sum over the sum Z of q, and each integral that is seen to be one of these
for that sum, over its factor; the equation is to hold for any numbers for these sums, and any Z > 0.  The probability of a state is
q(s)/Z: of an equation of products its factors that speak of s are products over all levels, which are to agree level by level, and
(A + sum c(k) s(k))!, where A + sum c(k) s(k) = m as the s(k) add up to N.

>>> from asymp.kernel.theorem import apply
>>> pool = ("busy(n, r) = number at 1 of: whole n, n >= 1, r > 0; counts s(k) of n for 0 <= k <= 1; "
...     "(k) -> (k + 1) at r*s(k) for k < 1; (k) -> (k - 1) at s(k) for k > 0")
>>> apply("population", chain=pool, weight="r^k", of_total="1", statement="busy(n, r) = n*r/(1 + r) for whole n, n >= 1, r > 0")
⊢ busy(n, r) = n*r/(1 + r) for whole n >= 1, r > 0
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from asymp.kernel import terms
from asymp.kernel.chains.population import HERE, THERE, Balanced
from asymp.kernel.data import Data
from asymp.kernel.sequences.rewriting import Rewriter
from asymp.kernel.summation import linear
from asymp.kernel.summation.cells import on_cell
from asymp.kernel.summation.linear import System
from asymp.kernel.summation.sums import Sums, bound
from asymp.kernel.terms import ONE, ZERO, Refused, Term, add, multiply, name, negative, number, opened, power, reciprocal, substitute
from asymp.kernel.theorem import DEFINITION, Conclusion, Theorem, comparison_in, rule
from asymp.kernel.trust import remembered, rests_on
from asymp.language.conditions import Compared, Every, OfFunction, OfKind, read_conditions
from asymp.language.meanings import MEANT
from asymp.language.names import BINDERS
from asymp.language.populations import LAW, read_form, read_transitions_of
from asymp.language.statement import Comparison, Statement

LEVEL, TIME, TOTAL, WEIGHT = (name(f"{one}_of_population") for one in ("level", "time", "total", "weight"))
"""A level, the variable of an integral, the total of a state, and the sum of all weights."""
MOST_LEVELS = 6
PROBABILITY = "probability of the state"
"""The head of a term that no text can name."""
Work = Callable[[Sums, Callable[[Term], Term]], bool]


@rule("population")
def _population(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """An equation between functions of a population, integrals and terms.

    ``chain``: the population; ``weight`` and ``of_total``: w(k) and h(m) of its law, which is verified.  The functions are called
    with the population's parameters, of which the domain says what the population does, and more perhaps.
    """
    if premises:
        raise Refused("no premises are wanted")
    law = _verified(data.text("chain"), data.text("weight"), data.text("of_total"))
    statement = comparison_in(data)
    chain = statement.body.chain if isinstance(statement.body, Comparison) else None
    if chain is None or chain.signs != ("=",):
        raise Refused("one equation is wanted")
    Means(law, statement).equal(*map(terms.of, chain.parts))
    return Conclusion(statement, trusts=frozenset({f"{DEFINITION}{law.chain}"}))


@remembered(200)
def _verified(chain: str, weight: str, of_total: str) -> Balanced:
    found = Balanced(read_transitions_of(chain), terms.read(weight), terms.read(of_total))
    if taken := sorted({one for one, _ in found.chain.functions} & MEANT):
        raise Refused(f"{taken[0]} has a meaning already")
    found.verify()
    return found


@dataclass
class Sum:
    """A sum of the weights of all states, times products of f(k)^s(k), or times sum v(k) s(k): what stands for it."""

    stands: Term
    factor: Term
    single: bool
    """Whether it is sum v(k) s(k); then the factor is v, at the level ``only`` alone if there is one."""
    only: Term | None = None


@dataclass
class Means:
    """A statement on a population whose law is known."""

    law: Balanced
    statement: Statement
    sums: list[Sum] = field(default_factory=list)

    def __post_init__(self) -> None:
        law, chain, domain = self.law, self.law.chain, self.statement.domain
        self.functions = {one: read_form(kind) for one, kind in chain.functions}
        self.said = frozenset(one for c in domain for one in terms._single(c))
        self.declared = {c.name: c for c in domain if isinstance(c, OfFunction)}
        known = [c for c in domain if not isinstance(c, (OfFunction, Every))]
        if not all(isinstance(c, (OfKind, Compared)) for c in known):
            raise Refused("comparisons and kinds are wanted")
        plain = [c for c in known if not self._is_of_functions(*map(terms.of, c.terms()))]
        there = Rewriter(plain, [])
        self.whole, self.cell, self.rest = there.whole, there.cell, there.rest
        nodes = [*self.statement.terms(), *(node for c in domain for node in c.terms())]
        used = frozenset(self.declared).union(chain.parameters, *(terms.free(terms.of(node)) for node in nodes))
        if used & {HERE, THERE} or any("_of_population" in one for one in used) or set(self.declared) & {*self.functions, *MEANT}:
            raise Refused("a name that stands for something else")
        put = self._parameters()
        if not all(there.seen(c, put, there.cell, there.whole) for c in chain.of):
            raise Refused("the parameters are not seen to be those of the population")
        self.size, self.low, self.high = (substitute(one, put) for one in (law.size, law.low, law.high))
        self.weight, self.share = (substitute(one, {**put, law.level: LEVEL}) for one in (law.weight, law.share))
        self.of_total = substitute(law.of_total, {**put, law.total.name: TOTAL})
        self.put_in = put
        self.sums.append(Sum(WEIGHT, ONE, False))

    def _parameters(self) -> dict[str, Term]:
        """With which parameters the functions are called: with the same all over."""
        chain, found = self.law.chain, set[tuple[Term, ...]]()
        for node in self.statement.terms():
            for part in terms.walk(terms.of(node)):
                if part.head in self.functions:
                    found.add(part.parts[len(chain.extra(part.head)) :])
        if len(found) != 1 or any(part.head in (*self.functions, *BINDERS, "bound") for one in found for x in one for part in terms.walk(x)):
            raise Refused("functions of the population are wanted, all with the same parameters")
        (given,) = found
        return dict(zip(chain.parameters, given, strict=True))

    def _is_of_functions(self, *found: Term) -> bool:
        return any(part.head in self.declared for term in found for part in terms.walk(term))

    # --- where something is seen ----------------------------------------------------------------------

    def seen(self, work: Work, cell: System = frozenset(), more: Sequence[Term] = (), whole: Sequence[Term] = ()) -> bool:
        """Whether something is seen on the domain, on a cell, where more are positive, and more are whole."""
        rest = [*self.rest, *(c for one in more for c in read_conditions(f"{one} > 0"))]
        try:
            return on_cell(self.cell | cell, rest, {*self.whole, *(one.name for one in whole)}, (), work)
        except Refused:
            return False

    def row(self, low: Term, high: Term) -> linear.Linear:
        """low <= high, of whole quantities."""
        return linear.at_least(low, high, {*self.whole, LEVEL.name, HERE, TOTAL.name})

    @property
    def levels(self) -> System:
        """What is known of any level."""
        return frozenset({self.row(self.low, LEVEL), self.row(LEVEL, self.high)})

    def same(self, left: Term, right: Term, cell: System = frozenset(), more: Sequence[Term] = (), whole: Sequence[Term] = ()) -> bool:
        """Whether two terms are seen to be equal."""
        return self.seen(lambda one, put: one.is_zero(one.of(put(left)) - one.of(put(right))), cell, more, whole)

    # --- the equation ---------------------------------------------------------------------------------

    def equal(self, left: Term, right: Term) -> None:
        """That two terms are equal.

        Raises:
            Refused: it is not seen.
        """
        sides = [self.called(left), self.called(right)]
        if states := {part for side in sides for part in terms.walk(side) if part.head == PROBABILITY}:
            (state,) = states if len(states) == 1 else (None,)
            if state is None:
                raise Refused("one state is wanted")
            sides = self.level_by_level(sides, self._state(state))
        sides = [self.put(side) for side in sides]
        for side in sides:
            if strange := {part.head for part in terms.walk(side) if part.parts} - MEANT - {"sum", "product", "power"}:
                raise Refused(f"{min(strange)} is not known")
        for known in (self.stand(), self.by_flows()):
            found = [substitute(side, known) for side in sides]
            if self.same(*found, cell=frozenset({self.row(ZERO, TOTAL)}), more=[WEIGHT], whole=[TOTAL]):
                return
        raise Refused("the two sides are not seen to be equal")

    def by_flows(self) -> dict[str, Term]:
        """What the mean numbers at the first level, and at the last of two, stand for, by the flows between levels."""
        rates = self.law.flows()
        if rates is None:
            return {}
        up, down = (substitute(one, self.put_in) for one in rates)
        at = {LEVEL.name: self.high}
        full = multiply(power(substitute(self.weight, at), self.size), substitute(self.of_total, {TOTAL.name: ZERO}))
        everyone = multiply(self.size, WEIGHT)
        above = multiply(up, reciprocal(down), add(WEIGHT, negative(full)))
        found = {}
        for one in self.sums:
            if one.single and one.factor == ONE and one.only == self.low:
                found[one.stands.name] = add(everyone, negative(above))
            if one.single and one.factor == ONE and one.only == self.high and self._width() == 2:
                found[one.stands.name] = above
        return found

    def called(self, term: Term) -> Term:
        """The term with quotients of sums for the functions of the population."""
        if term.head in self.functions:
            return self._function(term)
        if term.head in BINDERS:
            if any(part.head in self.functions for part in terms.walk(term)):
                raise Refused(f"a function under a {term.head}")
            return term
        return terms.rebuilt(term, tuple(map(self.called, term.parts))) if term.parts else term

    def _function(self, term: Term) -> Term:
        law, (form, inner) = self.law, self.functions[term.head]
        extra = law.chain.extra(term.head)
        given = dict(zip(extra, term.parts, strict=False))
        if form == LAW:
            body = self._vector(term.parts[0])
            return Term(PROBABILITY, term.parts[:1]) if self._is_of_functions(body) else self._probability(body)
        assert inner is not None
        vector = law.chain.any_vector(inner) if form == "product of" else ""
        for one in term.parts[: len(extra)]:
            if vector == "" and any(part.head in (*self.functions, *BINDERS) for part in terms.walk(one)):
                raise Refused("a function of a function")
        read = terms.of(inner)
        if form == "all at":
            at = {LEVEL.name: substitute(read, self.put_in)}
            total = substitute(self.of_total, {TOTAL.name: multiply(self.size, substitute(self.share, at))})
            return multiply(power(substitute(self.weight, at), self.size), total, reciprocal(WEIGHT))
        if vector:
            body = self._vector(given[vector])
            return self._over(Sum(ZERO, opened(body, LEVEL), False))
        read = substitute(read, {**self.put_in, **given, law.level: LEVEL})
        if form == "number at":
            try:
                inside = linear.all_of(self.cell, [self.row(self.low, read), self.row(read, self.high)])
            except Refused:
                inside = False
            if not inside or not linear.is_whole(read, self.whole):
                raise Refused(f"{read} may be no level")
            return self._over(Sum(ZERO, ONE, True, read))
        return self._over(Sum(ZERO, read, form == "sum of"))

    def _vector(self, vector: Term) -> Term:
        if vector.head != "Vector" or vector.parts[1:] != (self.low, self.high) or len(vector.parts) != 3:
            raise Refused("a vector over all levels is wanted")
        if any(part.head in (*self.functions, *BINDERS) for part in terms.walk(vector.parts[0])):
            raise Refused("a function of a function")
        return vector.parts[0]

    def _over(self, wanted: Sum) -> Term:
        """A sum over the sum of all weights, whose factor is seen to be defined at all levels."""
        factor = self._plain(wanted.factor, {})
        if not self.seen(lambda one, put: bool(one.of(put(factor))) or True, cell=self.levels, whole=[LEVEL]):
            raise Refused(f"{wanted.factor} is not seen to be defined at all levels")
        for one in self.sums:
            if (one.factor, one.single, one.only) == (wanted.factor, wanted.single, wanted.only):
                return multiply(one.stands, reciprocal(WEIGHT))
        wanted = replace(wanted, stands=name(f"sum{len(self.sums)}_of_population"))
        self.sums.append(wanted)
        return multiply(wanted.stands, reciprocal(WEIGHT))

    # --- states ---------------------------------------------------------------------------------------

    def _width(self) -> int:
        """How many levels there are, where that is a number; else 0."""
        found, c = linear.form(add(self.high, negative(self.low)), self.whole)
        return int(c) + 1 if not any(found.values()) and c.denominator == 1 else 0

    def _probability(self, body: Term) -> Term:
        """The probability of a state that is given by a term for each of a number of levels."""
        if not 0 < self._width() <= MOST_LEVELS:
            raise Refused("a state of a number of levels is wanted")
        places = [add(self.low, number(j)) for j in range(self._width())]
        counts = [self._in_order(opened(body, k)) for k in places]
        total = linear.form(add(*counts, negative(self.size)), self.whole)
        if not all(linear.is_whole(one, self.whole) for one in counts) or any(total[0].values()) or total[1]:
            raise Refused("the counts are not seen to be whole, and of all objects")
        if not linear.all_of(self.cell, [self.row(ZERO, one) for one in counts]):
            raise Refused("the counts are not seen not to be negative")
        return multiply(self._weight(places, counts), reciprocal(WEIGHT))

    def _weight(self, places: Sequence[Term], counts: Sequence[Term]) -> Term:
        """The weight of a state with counts at some levels, and none elsewhere."""
        factors = [terms.call("factorial", self.size)]
        held = []
        for k, n in zip(places, counts, strict=True):
            at = {LEVEL.name: k}
            factors += [power(substitute(self.weight, at), n), reciprocal(terms.call("factorial", n))]
            held.append(multiply(n, substitute(self.share, at)))
        return multiply(*factors, substitute(self.of_total, {TOTAL.name: self._in_order(add(*held))}))

    def _at_two_levels(self, one: Sum) -> Term:
        """The sum over the states of two levels, by the count of the higher one."""
        j = LEVEL
        places, counts = (self.low, self.high), (add(self.size, negative(j)), j)
        factors = [substitute(one.factor, {LEVEL.name: k}) for k in places]
        if one.only is not None:
            if one.only not in places:
                raise Refused("which of the two levels is not seen")
            factors = [number(int(k == one.only)) for k in places]
        more = [add(*map(multiply, factors, counts))] if one.single else [power(*pair) for pair in zip(factors, counts, strict=True)]
        whole = {*self.whole, LEVEL.name}
        held = [multiply(n, substitute(self.share, {LEVEL.name: k})) for k, n in zip(places, counts, strict=True)]
        assert linear.is_whole(add(*held), whole)
        return Term("Sum", (bound(multiply(self._weight(places, counts), *more), j.name), ZERO, self.size))

    def _state(self, term: Term) -> str:
        """The function by whose values a state is given, if it is seen that it is one."""
        body = self._vector(term.parts[0])
        s = body.head
        if body != Term(s, (Term("bound"),)) or s not in self.declared or self.declared[s].kind != "whole":
            raise Refused("a state is Vector(s(k), (k, ...)), s being a function with whole values")
        k, low, high = LEVEL.name, self.low, self.high
        every = (f"[{s}({k}) >= 0 for whole {k}{end}]" for end in (f", {low} <= {k}, {k} <= {high}", ""))
        total = f"Sum({s}({k}), ({k}, {low}, {high}))"
        nonnegative, size = (
            {one for text in texts for c in read_conditions(text) for one in terms._single(c)}
            for texts in (every, (f"{total} = {self.size}", f"{self.size} = {total}"))
        )
        if not nonnegative & self.said or not size & self.said:
            raise Refused(f"the domain does not say that {s} are counts of all objects")
        return s

    def level_by_level(self, sides: Sequence[Term], s: str) -> list[Term]:
        """What is left of the sides where their products over the levels are seen to be equal."""
        split = [self._split(side, s) for side in sides]
        x = name(HERE)
        if not self.same(*(body for body, _ in split), cell=self.levels | {self.row(ZERO, x)}, whole=[LEVEL, x]):
            raise Refused("the factors of one level are not seen to be equal")
        return [rest for _, rest in split]

    def _split(self, side: Term, s: str) -> tuple[Term, Term]:
        x = name(HERE)
        body: list[Term] = []
        rest: list[Term] = []
        for factor in side.parts if side.head == "product" else (side,):
            base, e = factor.parts if factor.head == "power" else (factor, ONE)
            if base.head == PROBABILITY and e == ONE:
                body.append(multiply(power(self.weight, x), reciprocal(terms.call("factorial", x))))
                rest.append(multiply(terms.call("factorial", self.size), self.of_total, reciprocal(WEIGHT)))
            elif not self._is_of_functions(factor):
                rest.append(factor)
            elif base.head == "Product" and base.parts[1:] == (self.low, self.high) and not self._is_of_functions(e):
                body.append(power(self._counted(opened(base.parts[0], LEVEL), s), e))
            elif base.head == "factorial" and self._is_total(base.parts[0], s) and not self._is_of_functions(e):
                rest.append(power(terms.call("factorial", TOTAL), e))
            else:
                raise Refused(f"{factor} is no product over the levels, and no function of the total")
        return multiply(*body), multiply(*rest)

    def _counted(self, term: Term, s: str) -> Term:
        """A term in the count at a level."""
        if term == Term(s, (LEVEL,)):
            return name(HERE)
        if term.head in self.declared or term.head in BINDERS:
            raise Refused("the count of another level")
        return terms.rebuilt(term, tuple(self._counted(part, s) for part in term.parts)) if term.parts else term

    def _is_total(self, term: Term, s: str) -> bool:
        """Whether A + sum c(k) s(k) is the total: A + N c(k) = N g(k)."""
        each, fixed = list[Term](), list[Term]()
        for part in term.parts if term.head == "sum" else (term,):
            if not self._is_of_functions(part):
                fixed.append(part)
                continue
            factors = list(part.parts) if part.head == "product" else [part]
            sums = [one for one in factors if one.head == "Sum" and one.parts[1:] == (self.low, self.high)]
            if len(sums) != 1:
                return False
            inner = opened(sums[0].parts[0], LEVEL)
            inside = list(inner.parts) if inner.head == "product" else [inner]
            if inside.count(Term(s, (LEVEL,))) != 1:
                return False
            others = [one for one in (*factors, *inside) if one not in (sums[0], Term(s, (LEVEL,)))]
            if self._is_of_functions(*others):
                return False
            each.append(multiply(*others))
        total = add(*fixed, multiply(self.size, add(*each)))
        return self.same(total, multiply(self.size, self.share), cell=self.levels, whole=[LEVEL])

    # --- integrals and powers -------------------------------------------------------------------------

    def stand(self) -> dict[str, Term]:
        """What the sums are, where they are powers, or may be sums over the count at one of two levels."""
        if TOTAL.name not in terms.free(self.of_total):
            return {one.stands.name: self._plainly(one) for one in self.sums}
        integrals = any(part.head == "Integral" for node in self.statement.terms() for part in terms.walk(terms.of(node)))
        return {one.stands.name: self._at_two_levels(one) for one in self.sums} if self._width() == 2 and not integrals else {}

    def _plainly(self, one: Sum) -> Term:
        def total(term: Term) -> Term:
            return Term("Sum", (bound(term, LEVEL.name), self.low, self.high))

        if not one.single:
            return multiply(self.of_total, power(total(multiply(self.weight, one.factor)), self.size))
        apart = total(multiply(self.weight, one.factor)) if one.only is None else substitute(self.weight, {LEVEL.name: one.only})
        return multiply(self.of_total, self.size, apart, power(total(self.weight), add(self.size, number(-1))))

    def put(self, term: Term) -> Term:
        """The term with what they stand for in place of integrals."""
        if term.head == "Integral":
            return self._integral(term)
        if term.head in BINDERS:
            if any(part.head == "Integral" for part in terms.walk(term)):
                raise Refused(f"an integral under a {term.head}")
            return term
        return terms.rebuilt(term, tuple(map(self.put, term.parts))) if term.parts else term

    def _integral(self, term: Term) -> Term:
        """What an integral is, of the sums that are asked for."""
        body, low, high = term.parts
        if (low, high) != (ZERO, name("oo")):
            raise Refused("integrals from 0 to oo are wanted")
        inside = opened(body, TIME)
        factors = list(inside.parts) if inside.head == "product" else [inside]
        falling = [one for one in factors if one.head == "exp" and TIME.name in one.free]
        powers = [one for one in factors if one.head == "power" and one.parts[0] != TIME and TIME.name in one.parts[0].free]
        size, less = self.size, add(self.size, number(-1))
        powers = [one for one in powers if one.parts[1] in (size, less)]
        if len(falling) != 1 or len(powers) != 1:
            raise Refused("an integral of another form")
        rate = self._rate(falling[0].parts[0])
        (base, exponent), others = powers[0].parts, [one for one in factors if one not in (falling[0], powers[0])]
        front, a = self._gamma()
        scale = reciprocal(multiply(front, power(rate, add(a, ONE))))
        weight = multiply(self.weight, power(rate, self.share), power(TIME, self.share))
        rests_on("DLMF 5.4.1")
        rests_on("DLMF 5.9.1")
        if exponent == size:
            free = [one for one in others if TIME.name not in one.free]
            if self.same(multiply(*(one for one in others if one not in free)), power(TIME, a) if a != ZERO else ONE, more=[TIME]):
                for one in self.sums:
                    if not one.single and self._is_sum(base, multiply(weight, one.factor)):
                        return multiply(*free, one.stands, scale)
        elif self._is_sum(base, weight):
            left, more = multiply(*others), [TIME]
            at = power(TIME, a) if a != ZERO else ONE
            for one in self.sums:
                if one.single and one.only is None:
                    total = Term("Sum", (bound(multiply(one.factor, weight), LEVEL.name), self.low, self.high))
                elif one.single and one.only is not None:
                    total = substitute(weight, {LEVEL.name: one.only})
                else:
                    continue
                if not self._is_of_functions(left, total) and self.same(left, multiply(total, at), more=more):
                    return multiply(one.stands, reciprocal(size), scale)
            first = multiply(substitute(weight, {LEVEL.name: self.low}), at)  # all but what the first level gives
            if not self._is_of_functions(left) and self.same(add(left, first), multiply(base, at), more=more):
                at_first = multiply(self._over(Sum(ZERO, ONE, True, self.low)), WEIGHT)
                return multiply(add(WEIGHT, negative(multiply(at_first, reciprocal(size)))), scale)
        raise Refused("an integral that is none of the sums that are asked for")

    def _rate(self, exponent: Term) -> Term:
        """r of exp(-r t), r > 0."""
        factors = list(exponent.parts) if exponent.head == "product" else [exponent]
        if factors.count(TIME) == 1:
            factors.remove(TIME)
            rate = multiply(number(-1), *factors)
            if TIME.name not in rate.free and not self._is_of_functions(rate):
                if self.seen(lambda one, put: one.sign(one.of(put(rate))) == 1):
                    return rate
        raise Refused("an exponential that is not seen to fall")

    def _gamma(self) -> tuple[Term, Term]:
        """c and a, where h(m) = c (m + a)!, c > 0 and a >= 0 whole."""
        m, of_total = TOTAL, self.of_total
        factors = list(of_total.parts) if of_total.head == "product" else [of_total]
        moving = [one for one in factors if m.name in one.free]
        if len(moving) == 1 and moving[0].head == "factorial":
            a = add(moving[0].parts[0], negative(m)) if moving[0].parts[0] != m else ZERO
            if moving[0].parts[0].head == "sum" and m in moving[0].parts[0].parts:
                left = list(moving[0].parts[0].parts)
                left.remove(m)
                a = add(*left)
            if m.name not in a.free and linear.is_whole(a, self.whole) and linear.implies(self.cell, self.row(ZERO, a)):
                return multiply(*(one for one in factors if one is not moving[0])), a
        raise Refused("the weight of the total is no c*(m + a)!, whose integral is known")

    def _is_sum(self, found: Term, summand: Term) -> bool:
        """Whether a term is the sum of a summand over all levels: term by term, also from the end, or as a whole."""
        if found.head == "Sum" and found.parts[1:] == (self.low, self.high):
            for k in (LEVEL, add(self.low, self.high, negative(LEVEL))):
                fresh: dict[Term, Term] = {}
                sides = [self._plain(opened(found.parts[0], k), fresh), self._plain(summand, fresh)]
                if self.same(*sides, cell=self.levels, more=[TIME], whole=[LEVEL]):
                    return True
        if self._is_of_functions(found, summand):
            return False
        return self.same(found, Term("Sum", (bound(summand, LEVEL.name), self.low, self.high)), more=[TIME])

    def _plain(self, term: Term, fresh: dict[Term, Term]) -> Term:
        """A term with names for the values of declared functions, whose arguments are put in order."""
        if term.head in self.declared:
            return fresh.setdefault(Term(term.head, tuple(map(self._in_order, term.parts))), name(f"value{len(fresh)}_of_population"))
        if term.head in BINDERS and self._is_of_functions(term):
            raise Refused("a function under a sum")
        return terms.rebuilt(term, tuple(self._plain(part, fresh) for part in term.parts)) if term.parts else term

    def _in_order(self, term: Term) -> Term:
        found, c = linear.form(term, {*self.whole, LEVEL.name})
        return add(number(c), *(multiply(number(k), linear.product(v)) for v, k in sorted(found.items()) if k))


