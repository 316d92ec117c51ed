"""Breaking a claim must break its check: no mutant of a true asymptotic claim of a paper is upheld.

A mutant flips a sign, drops a term, changes a constant, or tightens an order.  Every one made here is
false: where that depends on a term's weight against the stated remainder, the weight is
evaluated (certified, at n = 10^1000) and light terms are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
import sympy as sp

from asymp import registry
from asymp.check import check
from asymp.check.judge import searched
from asymp.check.trend import FREE, _fast
from asymp.claim import Claim, Equivalent, ExpansionOf, Limit, Order, Outcome
from asymp.enclosure import Undecided, enclose

LONG = ("block", "equation-22-power", "8.3-proof-sum", "slower-n-polynomial", "one-dominated-response", "peak-location", "uniform")
"""Claims whose mutants take minutes: they are for the weekly run."""
TRUE = [
    pytest.param(claim, id=claim.id, marks=[pytest.mark.slow] if any(word in claim.id for word in LONG) else [])
    for claim in registry.claims("lfms")
    if claim.expected == Outcome.HOLDS and isinstance(claim.relation, (Equivalent, ExpansionOf, Limit, Order))
]


def large(claim: Claim) -> sp.Expr:
    """A quantity that tends to infinity in the claim's regime: n, or 1/p where there is no n, or what there is."""
    regime = claim.regime
    names = {s.name: s for s in (*regime.ties, *regime.scales)}
    return names["n"] if "n" in names else 1 / names["p"] if "p" in names else next(iter(regime.scales))


def weight(expr: sp.Expr, claim: Claim) -> float:
    """ln |expr| far out on the regime's first path."""
    path, instance = claim.regime.paths[0], dict(claim.regime.instances[0])
    values = {s.name: FREE for s in expr.free_symbols} | {s.name: x for s, x in instance.items()}
    values |= path.at(10**1000, instance)
    try:
        cap = 16_000 if _fast(expr) else 800
        return float(abs(enclose(expr, values, digits=3, cap_bits=cap).ball).log().mid())
    except Undecided:
        return -1e9


def mutants(claim: Claim) -> Iterator[tuple[str, object]]:
    """(what was done, the broken relation)."""
    r, big = claim.relation, sp.log(large(claim))
    if isinstance(r, Equivalent):
        yield "sign", Equivalent(r.f, -r.g)
        yield "constant", Equivalent(r.f, r.g * sp.Rational(11, 10))
        yield "order", Equivalent(r.f, r.g * big)
    elif isinstance(r, Limit):
        if r.value in (sp.oo, -sp.oo):
            yield "sign", Limit(r.f, -r.value)
            yield "constant", Limit(r.f, sp.S.One)
        else:
            yield "constant", Limit(r.f, r.value + sp.Rational(1, 10))
            if r.value != 0:
                yield "sign", Limit(r.f, -r.value)
    elif isinstance(r, ExpansionOf):
        extra = r.growth * (big if r.order == "O" else sp.Rational(1, 10))
        yield "added term", replace(r, terms=r.terms + extra)
        heavy = 3.0 if r.order == "O" else -3.0
        for term in sp.Add.make_args(sp.expand(r.terms)):
            if weight(term / r.growth, claim) > heavy:
                yield f"dropped {term}", replace(r, terms=r.terms - term)
                yield f"sign of {term}", replace(r, terms=r.terms - 2 * term)
    elif r.order == "Theta":
        yield "order up", replace(r, g=r.g * big)
        yield "order down", replace(r, g=r.g / big)
    elif r.order in ("O", "Omega"):
        yield "tightened", replace(r, g=r.f / big if r.order == "O" else r.f * big)
    else:
        yield "tightened", replace(r, g=r.f * 7)


EVERY = 4
"""Of so many claims the mutants of one are put to the kernel too; ``benchmarks.mutation`` puts all of them."""


@pytest.mark.parametrize("claim", TRUE)
def test_no_mutant_of_a_true_claim_is_upheld(claim):
    count = 0
    judge = check if [item.values[0].id for item in TRUE].index(claim.id) % EVERY == 0 else searched
    for what, relation in mutants(claim):
        verdict = judge(replace(claim, relation=relation, refuting=(), sampled=None), quick=True)
        assert verdict.outcome != Outcome.HOLDS, (what, verdict.evidence)
        count += 1
    assert count


def test_most_mutants_are_refuted_not_merely_undecided():
    refuted = total = 0
    for claim in (item.values[0] for item in TRUE[::7]):
        for _, relation in mutants(claim):
            verdict = searched(replace(claim, relation=relation, refuting=(), sampled=None), quick=True)
            refuted += verdict.outcome == Outcome.REFUTED
            total += 1
    assert refuted > 0.8 * total
