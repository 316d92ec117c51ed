r"""Equations between means of a population, by its law, the multinomial theorem and the integral of Gamma.

By the law q of :mod:`asymp.kernel.chains.population`, of N objects with h(m) = c (m + a)!, a >= 0 whole, for any numbers f(k)

.. math:: \sum_s q(s) \prod_k f(k)^{s(k)}
          = c\,r^{a+1} \int_0^\infty \Big(\sum_k w(k) f(k) (r t)^{g(k)}\Big)^{N} t^a e^{-r t}\,dt, \qquad r > 0,

since (m + a)! = r^(m + a + 1) times the integral of t^(m + a) exp(-r t) (DLMF 5.9.1, 5.4.1), a finite sum of integrals that
converge is the integral of the sum, and the sum of N!/prod s(k)! prod a(k)^s(k) is (sum a(k))^N.  With one object apart, as
s(j) N!/prod s(k)! is N times such a coefficient of N - 1 objects,

.. math:: \sum_s q(s) s(j)
          = N c\,r^{a+1} \int_0^\infty w(j) (r t)^{g(j)} \Big(\sum_k w(k) (r t)^{g(k)}\Big)^{N-1} t^a e^{-r t}\,dt,

and so for sums of v(j) s(j).  Where h is free of m the sums are powers, without integrals; of two levels they may be sums over
the count of the higher one; and the mean flows between levels give the mean number at the first.

Each function of the population stands for one such sum over the sum Z of q, and each integral that is seen to be one of these
for that sum, over its factor; the equation is to hold for any numbers for these sums, and any Z > 0.  The probability of a state
is q(s)/Z: see :mod:`asymp.kernel.chains.states`.

>>> from asymp.kernel.theorem import apply
>>> pool = ("busy(n, r) = number at 1 of: whole n, n >= 1, r > 0; counts s(k) of n for 0 <= k <= 1; "
...     "(k) -> (k + 1) at r*s(k) for k < 1; (k) -> (k - 1) at s(k) for k > 0")
>>> apply("population", chain=pool, weight="r^k", of_total="1", statement="busy(n, r) = n*r/(1 + r) for whole n, n >= 1, r > 0")
⊢ busy(n, r) = n*r/(1 + r) for whole n >= 1, r > 0
"""

from __future__ import annotations

from collections.abc import Sequence

from asymp.kernel import terms
from asymp.kernel.chains.population import Balanced
from asymp.kernel.chains.stated import LEVEL, TOTAL, WEIGHT
from asymp.kernel.chains.totals import Sum, Totals
from asymp.kernel.data import Data
from asymp.kernel.noted import noted
from asymp.kernel.terms import ONE, ZERO, Refused, Term, multiply, opened, power, reciprocal, substitute
from asymp.kernel.theorem import DEFINITION, Conclusion, Theorem, comparison_in, rule
from asymp.kernel.trust import remembered
from asymp.language.meanings import MEANT
from asymp.language.names import BINDERS
from asymp.language.populations import LAW, OF_A_STATE, read_transitions_of
from asymp.language.statement import Comparison


@rule("population", alone=True)
def _population(premises: Sequence[Theorem], data: Data) -> Conclusion:
    """An equation between functions of a population, integrals and terms.

    ``chain``: the population; ``weight`` and ``of_total``: w(k) and h(m) of its law, which is verified.  The functions are called
    with the population's parameters, of which the domain says what the population does, and more perhaps.
    """
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


class Means(Totals):
    """A statement on a population whose law is known."""

    def equal(self, left: Term, right: Term) -> None:
        """That two terms are equal.

        Raises:
            Refused: it is not seen.
        """
        sides = called = [self.called(left), self.called(right)]
        sides = self.level_by_level(sides)
        sides = [self.put(side) for side in sides]
        for side in sides:
            if strange := {part.head for part in terms.walk(side) if part.parts} - MEANT - {"sum", "product", "power"}:
                raise Refused(f"{min(strange)} is not known")
        for known in (self.stand(), self.by_flows()):
            found = [substitute(side, known) for side in sides]
            if self.same(found, cell=self.known | {self.row(ZERO, TOTAL)}, more=[WEIGHT], whole=[TOTAL, *self.counts.values()]):
                noted("means", sides=called, sums=self.sums[1:], counts=self.counts)
                return
        raise Refused("the two sides are not seen to be equal")

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
            return self.probability(term.parts[0])
        assert inner is not None
        if form in OF_A_STATE:
            which = substitute(terms.of(inner), {**self.put_in, **given})
            if any(part.head in (*self.functions, *BINDERS) for part in terms.walk(which)):
                raise Refused("a function of a function")
            return self.rate(term.parts[0], which) if form == "rate by" else self.drift(term.parts[0], which)
        vector = law.chain.any_vector(inner) if form == "product of" else ""
        for one in term.parts[: len(extra)]:
            if vector == "" and any(part.head in (*self.functions, *BINDERS) for part in terms.walk(one)):
                raise Refused("a function of a function")
        read = terms.of(inner)
        if form == "moves by":
            return self.flow(read)
        if form == "all at":
            at = {LEVEL.name: self.a_level(substitute(read, self.put_in))}
            total = substitute(self.of_total, {TOTAL.name: multiply(self.size, substitute(self.share, at))})
            return multiply(power(substitute(self.weight, at), self.size), total, reciprocal(WEIGHT))
        if vector:
            body = self.vector(given[vector])
            return self.over(Sum(ZERO, opened(body, LEVEL), False))
        read = substitute(read, {**self.put_in, **given, law.level: LEVEL})
        if form == "number at":
            return self.over(Sum(ZERO, ONE, True, self.a_level(read)))
        return self.over(Sum(ZERO, read, form == "sum of"))
