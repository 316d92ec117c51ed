"""The claims of the lfms paper: well formed, complete, and the finite ones reach what they expect.

The asymptotic ones are run with all claims of all papers, elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
import sympy as sp

from asymp.check import bounds, check, finite
from asymp.check.judge import judge
from asymp.claim import Bound, Identity, Outcome, Property, Strength, Value
from asymp.enclosure import enclose_quantity, exact
from asymp.expansion import Expansion
from asymp.queues import balance
from asymp.registry import validate
from asymp.scale import Growth
from proofs import lfms
from proofs.lfms import beyond, curves, samples, section3, section4, section9
from proofs.lfms import section5_proofs as five
from proofs.lfms.notation import CHAIN_GRID, E_DELTA, MU, chain

CLAIMS = lfms.claims()
BY_ID = {claim.id: claim for claim in CLAIMS}
FINITE = [claim for claim in CLAIMS if isinstance(claim.relation, (Identity, Bound, Value))]
TESTED = [claim for claim in CLAIMS if isinstance(claim.relation, Property)]

RESULTS = (
    [f"Theorem 4.{k}" for k in (1, 2, 3)]
    + [f"Lemma 5.{k}" for k in range(1, 6)]
    + [
        "Lemma 6.1",
        "Theorem 6.1",
        "Lemma 7.1",
        "Theorem 7.1",
        "Lemma 8.1",
        "Lemma 8.2",
        "Lemma 8.3",
        "Theorem 8.1",
    ]
)
ITEMS = [
    f"Theorem {number} item {k}"
    for number, last in (("6.1", 4), ("7.1", 5), ("8.1", 5))
    for k in range(1, last + 1)
]
ASSERTING = set(range(1, 43))
"""Every numbered equation says something."""


def lines(claim):
    relation = claim.relation
    if isinstance(relation, Identity):
        return finite.identity(relation)
    if isinstance(relation, Bound):
        return bounds.evidence(relation)
    if isinstance(relation, Value):
        return finite.value(relation)
    return list(check(claim).evidence)


def test_claims_are_well_formed_and_linked():
    assert validate(CLAIMS, "lfms") == []
    assert max(Counter(claim.id for claim in CLAIMS).values()) == 1
    assert sum(claim.as_printed for claim in CLAIMS) >= 100
    for claim in CLAIMS:
        assert (claim.expected == Outcome.REFUTED) == (claim.correction is not None), claim.id
        if claim.corrects is not None:
            assert not claim.as_printed and BY_ID[claim.corrects].as_printed


def test_every_result_item_and_equation_is_registered():
    located = {claim.source.locator for claim in CLAIMS if claim.as_printed}
    assert set(RESULTS) <= located
    assert set(ITEMS) <= located
    assert {f"Equation ({k})" for k in ASSERTING} <= located
    assert {f"Figure {k}" for k in range(2, 11)} <= located


def test_every_locator_has_the_form_of_one_in_the_paper():
    allowed = (
        set(RESULTS)
        | set(ITEMS)
        | {f"Equation ({k})" for k in range(1, 43)}
        | {f"Figure {k}" for k in range(2, 11)}
    )
    allowed |= {f"Section {k}" for k in ("3.1", "3.2", "4", "5.1", "5.2", "5.3", "5.4", "9", "10")} | {
        "Appendix A"
    }
    assert {claim.source.locator for claim in CLAIMS} <= allowed


def test_every_locator_occurs_in_the_text_of_the_paper():
    text_file = next(
        (
            path
            for parent in Path(__file__).resolve().parents
            for path in parent.glob("shared/papers/lfms.txt")
        ),
        None,
    )
    if text_file is None:
        pytest.skip("the paper's text is not at hand")
    text = text_file.read_text()
    for locator in {claim.source.locator for claim in CLAIMS}:
        kind, number, *item = locator.split()
        if kind == "Equation":
            # tags are \tag{7} or, as extracted, (7) at the end of a line of a display
            assert f"({number.strip('()')})" in text or rf"\tag{{{number.strip('()')}}}" in text, locator
        elif kind == "Section":
            assert re.search(rf"^{re.escape(number)} ", text, re.M), locator
        elif kind == "Appendix":
            assert re.search(r"^A Additional", text, re.M)
        else:
            assert f"{kind} {number}" in text, locator
            if item:
                assert re.search(rf"^- {item[1]}\. ", text, re.M), locator


@pytest.mark.parametrize("claim", FINITE + TESTED, ids=lambda claim: claim.id)
def test_finite_claims_reach_what_they_expect(claim):
    outcome, strength, reason = judge(lines(claim))
    assert outcome == claim.expected, reason
    if strength == Strength.PROVED:  # by the engine: neither a hook nor a test sees the statement
        assert isinstance(claim.relation, (Identity, Bound))


def upheld(relation):
    lines_ = finite.identity(relation) if isinstance(relation, Identity) else bounds.evidence(relation)
    return judge(lines_)[0] == Outcome.HOLDS


IDENTITIES = [c for c in FINITE if isinstance(c.relation, Identity) and c.expected == Outcome.HOLDS]
BOUNDS = [c for c in FINITE if isinstance(c.relation, Bound) and c.expected == Outcome.HOLDS]


def shifted(side, by):
    """The side plus ``by``: an expression, or every number of a table."""
    if isinstance(side, sp.Expr):
        return side + by

    def at(**point):
        found = side(**point)
        return {k: v + by for k, v in found.items()} if isinstance(found, dict) else found + by

    return at


@pytest.mark.parametrize("claim", IDENTITIES, ids=lambda claim: claim.id)
def test_mutants_of_identities_are_not_upheld(claim):
    """A right side that is off by one, with the proof kept: the grid must speak against it."""
    relation = claim.relation
    grid = replace(relation.domain, grid=relation.domain.grid[:3])
    if not isinstance(relation.lhs, sp.Expr) and all(not _filled(relation.lhs, point) for point in grid.grid):
        grid = relation.domain
    for proof in (relation.proof, None):
        assert not upheld(replace(relation, rhs=shifted(relation.rhs, 1), domain=grid, proof=proof))


def _filled(side, point):
    found = side(**point)
    return bool(found) if isinstance(found, dict) else True


@pytest.mark.parametrize("claim", BOUNDS, ids=lambda claim: claim.id)
def test_mutants_of_bounds_are_not_upheld(claim):
    """The bound turned round, and one that is far too strong, with the proof kept."""
    relation = claim.relation
    turned = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}[relation.op]
    assert not upheld(replace(relation, op=turned))
    by = -(10**30) if relation.op in ("<=", "<") else 10**30
    assert not upheld(replace(relation, rhs=shifted(relation.rhs, by)))


@pytest.mark.parametrize(
    ("number", "what", "colour"),
    [
        (number, what, colour)
        for number in (2, 3, 5, 6, 8, 9)
        for what, colour in (("throughput", "green"), ("response", "green"))
    ],
)
def test_property_tests_can_refute(number, what, colour):
    """The green curves are far off outside regime 3, and their gap grows."""
    assert judge(curves.shrinking(number, what, colour)())[0] == Outcome.REFUTED
    assert judge(curves.within(number, what, colour, section9.TIGHT)())[0] == Outcome.REFUTED
    assert judge(curves.growing(number, what, colour)())[0] == Outcome.HOLDS


def test_the_open_queue_refutes_a_wrong_limit(monkeypatch):
    monkeypatch.setattr(section3, "heavy_traffic_limit", lambda *args, **kw: (mpmath.mpf(2), mpmath.mpf(0)))
    assert judge(section3.heavy_traffic())[0] == Outcome.REFUTED


def test_quantities_are_the_chains():
    """n = 4, p = 1/3, mu1 = 2, mun = 5: the exact chain against the definitions."""
    system = chain(4, Fraction(1, 3), 2, 5)
    values = {"n": 4, "p": Fraction(1, 3), "mu1": 2, "mun": 5}
    assert exact(MU, values) == system.throughput
    assert exact(E_DELTA, values) == system.mean_relative_completions
    throughput, response = lfms.quantities()
    raw = {"n": "1e8", "alpha": "2", "mu1": "1", "mun": "1"}
    # n - ln n - gamma + O(ln^2 n/n), and Theorem 4.3 with its next orders
    assert enclose_quantity(throughput, raw, 15).value.startswith("99999981.0021")
    assert enclose_quantity(response, raw, 12).value.startswith("181.7824")


# --- the proofs of section 5 -----------------------------------------------------------------------

P, B, N, MU1 = balance.p, balance.b, balance.n, balance.mu1
FIVE = [
    claim
    for claim in CLAIMS
    if re.fullmatch(r"Lemma 5\.[1-5]|Section 5\.[2-4]|Equation \([3-6]\)", claim.source.locator)
    and isinstance(claim.relation, Identity)
    and claim.expected == Outcome.HOLDS
]


def test_section_5_is_argued_for_every_n_and_exact_on_a_grid():
    assert len(FIVE) >= 40
    for claim in FIVE:
        found = {line.kind: line.outcome for line in lines(claim)}
        assert found["symbolic"] == Outcome.HOLDS, claim.id
        assert judge(lines(claim))[0] == Outcome.HOLDS, claim.id


def test_the_proofs_print_what_the_grid_tries():
    """The symbolic numerators, at numbers, are the exact chain's: the same statement, written twice."""
    for point in CHAIN_GRID[::7]:
        system = chain(**point)
        cycle = exact(five.CYCLE, point)
        for phase, (a, jobs) in {five.SERVICE: (1, 0), five.DRAIN: (1, 1), five.FULL: (0, point["n"])}.items():
            at = {**point, "b": jobs}
            assert exact(five.TIMES[phase].subs(B, jobs), at) / cycle == system.P[a, jobs]
            assert exact(five.COMPLETIONS[phase].subs(B, jobs), at) == system.pid[a, jobs]


def _law(**changed):
    """MANY with pieces changed: index -> value."""
    pieces = list(five.MANY.law)
    for key, value in changed.items():
        k = int(key.removeprefix("piece"))
        pieces[k] = replace(pieces[k], value=value)
    return replace(five.MANY, law=tuple(pieces))


Q = 1 - P
BROKEN_LAWS = {
    "a stray factor": _law(piece2=2 * Q**N / P),
    "a shifted exponent": _law(piece3=Q ** (B + 1)),
    "state n - 1 without 1/p": _law(piece1=Q ** (N - 1)),
    "the law of n = 1 for n >= 2": _law(piece1=Q ** (N - 1), piece2=Q**N, piece3=Q**B * P),
}


@pytest.mark.parametrize("case", BROKEN_LAWS.values(), ids=BROKEN_LAWS.keys())
def test_a_law_that_is_not_stationary_is_found_out(case):
    with pytest.raises(ValueError, match="residual"):
        five.stationary(case)


def test_the_flows_alone_find_out_a_wrong_law():
    """The balance in time is a check of its own, of completing states: there the last two laws are right."""

    def balanced(case):
        return all(five.difference_is_zero(outflow, inflow) for _, outflow, inflow in five.flows(case))

    assert balanced(five.MANY)
    assert balanced(five.SINGLE)
    for name, case in BROKEN_LAWS.items():
        assert balanced(case) == (name in list(BROKEN_LAWS)[2:]), name


def test_the_law_of_many_servers_is_not_that_of_one():
    with pytest.raises(ValueError):
        five.stationary(replace(five.SINGLE, law=tuple(replace(x, value=sp.Integer(1)) for x in five.SINGLE.law)))


def _summed(expr, index, low, high):
    """The expression with its sum over other limits."""
    changed = expr.xreplace({sp.Tuple(index, 1, N - 1): sp.Tuple(index, low, high)})
    assert changed != expr
    return changed


TILDE_BELOW, TILDE_LAST = balance.relative_completions_formula()
FORMULA = five.mean_relative_completions_formula(five.mu)
BROKEN_PROOFS = {
    "5.2: service": five.in_time(five.SERVICE, {**five.TIMES, five.SERVICE: 2 / balance.mun}),
    "5.2: drain, exponent": five.in_time(five.DRAIN, {**five.TIMES, five.DRAIN: Q ** (B - 1) / (B * MU1)}),
    "5.2: drain, as first printed": five.in_time(five.DRAIN, {**five.TIMES, five.DRAIN: 1 / (B * MU1)}),
    "5.2: full, without 1/p": five.in_time(five.FULL, {**five.TIMES, five.FULL: Q**N / (N * MU1)}),
    "5.2: cycle, one term short": five.in_time(five.FULL, cycle=_summed(five.CYCLE, five.i, 2, N - 1)),
    "5.2: cycle, one term long": five.listed_states(cycle=_summed(five.CYCLE, five.i, 1, N)),
    "5.2: cycle, sign": five.listed_states(cycle=five.CYCLE - 2 / balance.mun),
    "5.3: 1/p1 for 1/p": five.throughput(MU * P / Q),
    "5.3: a stray factor": five.throughput(2 * MU),
    "5.4: drain": five.at_completions(five.DRAIN, completions={**five.COMPLETIONS, five.DRAIN: Q**B}),
    "5.4: full": five.at_completions(five.FULL, completions={**five.COMPLETIONS, five.FULL: Q**N * P}),
    "5.4: C'' with n = 1": five.prove(lambda case: [("", P * case.pi(five.FULL), case.pid(five.FULL))]),
    "5.5: pi^d from P, as printed": five.completions_from_time(inverted=True),
    "5.5: sign": five.mean_relative_completions(-FORMULA),
    "5.5: a stray 1": five.mean_relative_completions(FORMULA + Q**N),
    "5.5: H_i for H_{n-1}": five.mean_relative_completions(FORMULA.subs(sp.harmonic(N - 1), sp.harmonic(N))),
    "5.5: the sum to n": five.mean_relative_completions(_summed(FORMULA, B, 1, N)),
    "5.5: the exponent": five.mean_relative_completions(FORMULA.xreplace({Q**B: Q ** (B + 1)})),
    "nothing to show": five.prove(lambda case: []),
}


@pytest.mark.parametrize("proof", BROKEN_PROOFS.values(), ids=BROKEN_PROOFS.keys())
def test_a_proof_of_a_wrong_statement_raises(proof):
    with pytest.raises(ValueError):
        proof()


@pytest.mark.parametrize(
    ("below", "special"),
    [(TILDE_BELOW + 1, None), (-TILDE_BELOW, None), (TILDE_BELOW.subs(B, B + 1), None), (None, TILDE_LAST + 1)],
)
def test_a_wrong_solution_of_poissons_equation_is_found_out(below, special):
    assert any(residual != 0 for _, residual in balance.verify_poisson(below, special))


def test_lemma_5_5_rests_on_poissons_equation(monkeypatch):
    wrong = [("state n: full", sp.Integer(1))]
    monkeypatch.setattr(five.balance, "verify_poisson", lambda: wrong)
    five._poisson.cache_clear()
    with pytest.raises(ValueError, match="residual 1"):
        five.mean_relative_completions()()
    five._poisson.cache_clear()


# --- sampled evidence -------------------------------------------------------------------------------

SAMPLED = [claim for claim in CLAIMS if claim.sampled is not None]


@pytest.mark.parametrize("claim", SAMPLED, ids=lambda claim: claim.id)
def test_samples_say_what_is_expected_and_no_more(claim):
    (evidence,) = claim.sampled()
    assert evidence.kind == "sampled"
    assert (evidence.outcome, evidence.strength) == (claim.expected, Strength.SUPPORTED), evidence.detail
    assert len(evidence.points) <= 40  # the bound from which the false-alarm rate is stated


def outcome_of(test):
    (evidence,) = test()
    return evidence.outcome


def test_samples_find_out_wrong_formulas():
    points = samples.ALL_REGIMES
    assert outcome_of(samples.agrees(samples.THROUGHPUT, MU, points)) == Outcome.HOLDS
    assert outcome_of(samples.agrees(samples.THROUGHPUT, MU * sp.Rational(101, 100), points)) == Outcome.REFUTED
    assert outcome_of(samples.agrees(samples.RESPONSE, E_DELTA * sp.Rational(11, 10), points)) == Outcome.REFUTED
    small = samples.grid((2,), (N**-samples.HALF,))
    for name, expr in ((samples.THROUGHPUT, MU), (samples.RESPONSE, E_DELTA)):
        assert outcome_of(samples.agrees(name, expr, small)) == Outcome.HOLDS
        assert outcome_of(samples.agrees(name, expr * Q, small)) == Outcome.REFUTED
        # E[Delta(Y_d)] is (I - 1)/2, not I/2
        assert outcome_of(samples.agrees(name, expr + sp.Rational(1, 2), small)) == Outcome.REFUTED


def test_samples_find_out_wrong_limits_and_next_terms():
    share = section4.TIME_DRAINING
    run = samples.N_RUN
    assert outcome_of(samples.approaches(samples.TIME_DRAIN, share, 1, run)) == Outcome.HOLDS
    # a wrong limit is not supported, and not refuted either: no finite n can do that
    assert outcome_of(samples.approaches(samples.TIME_DRAIN, share, 0, run)) == Outcome.UNDECIDED
    assert outcome_of(samples.approaches(samples.TIME_FULL, share, 1, run)) == Outcome.REFUTED
    log = sp.log(1 / P)
    wrong = samples.formula(samples.THROUGHPUT, MU1 / (P * log), 1 - 1 / log, P, samples.grid((8, 32), (N ** -samples.HALF,)))
    assert outcome_of(wrong) == Outcome.REFUTED


@pytest.mark.parametrize("value", [0, sp.Rational(1, 2), 1, -sp.EulerGamma])
def test_samples_tell_eulers_constant_from_others(value):
    assert outcome_of(samples.constant(sp.sympify(value))) == Outcome.REFUTED
    assert outcome_of(samples.constant(sp.EulerGamma)) == Outcome.HOLDS


# --- where E[Delta(Y_d)] peaks ----------------------------------------------------------------------


def test_another_location_of_the_peak_is_refuted():
    """The sign of the offset turned, and Euler's constant left out: the derivation speaks against both."""
    for offset in (-beyond.PEAK_OFFSET, beyond.PEAK_OFFSET + sp.EulerGamma):
        evidence = beyond._peak_derived(offset)
        assert evidence.outcome == Outcome.REFUTED


@pytest.mark.parametrize("wrong", [-beyond.PEAK_OFFSET, beyond.PEAK_OFFSET + 1])
def test_the_grid_does_not_show_another_peak(wrong):
    assert beyond._peak_seen(wrong).outcome != Outcome.HOLDS


def test_a_remainder_too_large_for_the_peak_is_refused():
    n, s = sp.symbols("n s", positive=True)
    log = Growth.of(sp.log(n), -1)
    assert beyond._quadratic(Expansion.make({log: sp.Integer(1)}, [log**3])) == {(0, 1): 1}
    for rest in (log**2, Growth.of(s, -1) * log, Growth.of(n, -1) * Growth.of(s, 5)):
        with pytest.raises(ValueError):
            beyond._quadratic(Expansion.make({}, [rest]))
