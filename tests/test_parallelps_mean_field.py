"""The mean-field model of parallelps: certified occupancy by two methods and two precisions, expansions, transient, claims.

Reference numbers: Table 1 of the paper for the printed digits; all others are computed here by a second method.
"""

from __future__ import annotations

import itertools
import re
from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
import sympy as sp
from flint import arb, ctx, fmpq
from scipy.linalg import expm

from asymp import registry
from asymp.check.ask import ask
from asymp.check.judge import check
from asymp.claim import Outcome, Strength, Unread
from asymp.enclosure import InputError
from asymp.enclosure.quantities import enclose_quantity
from asymp.kernel.facts.context import Context as Domain
from asymp.kernel.rings.ratio import atom, rational, to_term
from asymp.kernel.terms import Refused, name, read, substitute
from asymp.papers.parallelps import model
from asymp.papers.parallelps.occupancy_balls import _Equation, parallel_occupancy
from asymp.papers.parallelps.occupancy_terms import light_coefficients
from asymp.papers.parallelps.transient import slopes, transient
from asymp.registry import find_quantity, validate
from tests.expansions import expanded

LOADS = [(2, "3/10"), (4, "3/10"), (2, "9/10"), (4, "9/10"), (3, "1/1000000"), (7, "999999/1000000"), (50, "1/2"), (2, "1/2")]


def left_of_3(d: int, lam: mpmath.mpf, x: mpmath.mpf) -> mpmath.mpf:
    """The left side of (3), term by term as printed."""
    total = term = mpmath.mpf(1)
    u = 0
    while term > mpmath.eps * total or u < d * x + 10:
        u += 1
        term *= d * lam / (1 + u * (d - 1) * lam / x)
        total += term
    return total


@pytest.mark.parametrize(("d", "lam"), LOADS)
def test_the_certified_occupancy_solves_the_equation_as_printed(d, lam):
    """The sum itself at both ends of the ball, widened to 10^-25: below and above 1/(1 - lam)."""
    with ctx.workprec(192):
        found = parallel_occupancy(fmpq(d), fmpq(*map(int, lam.split("/"))))
    assert isinstance(found, arb) and found.rel_accuracy_bits() > 100
    with mpmath.workdps(60):
        load = mpmath.mpf(Fraction(lam).numerator) / Fraction(lam).denominator
        middle = mpmath.mpf(found.mid().str(50, radius=False))
        below, above = (left_of_3(d, load, middle * (1 + side * mpmath.mpf(10) ** -25)) for side in (-1, 1))
        assert below < 1 / (1 - load) < above


@pytest.mark.parametrize(("d", "lam"), [*LOADS, (2, "1-1e-10"), (3, "1-1e-1000"), (5, "1e-1000"), (10**6, "1/2")])
def test_two_precisions_agree(d, lam):
    quantity = find_quantity("parallelps/mean-occupancy")
    short, long = (enclose_quantity(quantity, {"d": str(d), "lam": lam}, digits) for digits in (30, 80))
    with mpmath.workdps(100):
        assert abs(mpmath.mpf(short.value) - mpmath.mpf(long.value)) <= mpmath.mpf(short.radius) + mpmath.mpf(long.radius)
        assert mpmath.mpf(short.radius) <= mpmath.mpf(10) ** -29 * mpmath.mpf(short.value)


def test_wide_inputs_give_wide_balls_that_hold_every_root():
    with ctx.workprec(128):
        wide = parallel_occupancy(arb("2 +/- 1e-9"), arb("0.9 +/- 1e-9"))
        for d, lam in itertools.product((-1, 1), repeat=2):
            exact = parallel_occupancy(2 + fmpq(d, 10**9), fmpq(9, 10) + fmpq(lam, 10**9))
            assert wide.contains(exact) and exact.rel_accuracy_bits() > 100 > wide.rel_accuracy_bits()
        assert not parallel_occupancy(fmpq(2), arb("0.999 +/- 0.01")).is_finite()
        for d, lam in ((2, fmpq(1)), (2, fmpq(0)), (2, fmpq(3, 2)), (0, fmpq(1, 2)), (fmpq(6, 5), fmpq(1, 2))):
            assert not parallel_occupancy(fmpq(d), lam).is_finite()
    assert parallel_occupancy(fmpq(1), fmpq(9, 10)) == 9


def test_the_equation_rises():
    with ctx.workprec(128):
        equation = _Equation(arb(2), arb(0.75), arb(0.25).log())
        values = [equation(arb(b)) for b in (0.01, 0.5, 1, 2, 5, 40, 300)]
        assert all(a < b for a, b in itertools.pairwise(values))


@pytest.mark.parametrize(("given", "word"), [
    ({"d": "0", "lam": "1/2"}, "d >= 1"), ({"d": "3/2", "lam": "1/2"}, "whole d"), ({"d": "2", "lam": "0"}, "0 < lam"),
    ({"d": "2", "lam": "1"}, "lam < 1"), ({"d": "2", "lam": "-1"}, "0 < lam"), ({"d": "2", "lam": "x"}, "not a number"),
    ({"lam": "1/2"}, "missing"),
])  # fmt: skip
def test_bad_input_is_one_clear_line(given, word):
    with pytest.raises(InputError, match=re.escape(word)) as error:
        enclose_quantity(find_quantity("parallelps/mean-occupancy"), given)
    assert "\n" not in str(error.value)


# --- expansions ------------------------------------------------------------------------------------------


def certified(d: object, lam: fmpq, bits: int = 256) -> mpmath.mpf:
    with ctx.workprec(bits):
        return mpmath.mpf(parallel_occupancy(fmpq(d), lam).mid().str(60, radius=False))


@pytest.mark.parametrize("d", [2, 3, 17])
def test_light_traffic_against_certified_values(d):
    """|EQ - six terms| over lam^7 tends to the seventh coefficient."""
    coefficients = [c.constant() for c in light_coefficients(7, rational(d))]
    with mpmath.workdps(60):
        exact = [mpmath.mpf(int(c.numerator)) / int(c.denominator) for c in coefficients]
        for power, within in ((4, 1e-3), (6, 1e-5)):
            lam = mpmath.mpf(10) ** -power
            six = sum(c * lam ** (k + 1) for k, c in enumerate(exact[:6]))
            rest = certified(d, fmpq(1, 10**power)) - six
            assert abs(rest / lam**7 / exact[6] - 1) < within


def test_light_traffic_for_symbolic_d_is_that_of_each_d():
    symbolic = [to_term(c) for c in light_coefficients(4, atom(name("d")))]
    for d in ("2", "9", "7/3"):
        at = [Domain().value(substitute(c, {"d": read(d)})) for c in symbolic]
        assert at == list(light_coefficients(4, Domain().value(read(d))))


@pytest.mark.parametrize("d", [2, 5])
def test_heavy_traffic_against_certified_values(d):
    found = expanded(f"parallel_occupancy({d}, 1 - 1/n)", order=3)
    n, ratios = sp.Symbol("n", positive=True), []
    for power in (50, 200, 1000):
        terms = mpmath.mpf(sp.N(found.expr.subs(n, sp.Integer(10) ** power), 60))
        big = power * mpmath.log(10)
        ratios.append(abs(certified(d, 1 - fmpq(1, 10**power)) - terms) / (mpmath.log(big) / big))
    assert max(ratios) < 2 and ratios[-1] <= 1.2 * ratios[0]


def test_many_servers_against_certified_values():
    """(EQ - L) d tends to the coefficient of 1/d."""
    n = sp.Symbol("n", positive=True)
    next_ = mpmath.mpf(sp.N(expanded("parallel_occupancy(n, 9/10)", order=2).terms[1] * n, 40))
    with mpmath.workdps(40):
        for d in (10**6, 10**12):
            assert abs((certified(d, fmpq(9, 10)) - mpmath.log(10)) * d / next_ - 1) < 10 / mpmath.mpf(d)


@pytest.mark.parametrize("text", ["parallel_occupancy(2, 1/2 + 1/n)", "parallel_occupancy(n, 1 - 1/n)", "parallel_occupancy(d, 1/n)"])
def test_what_is_not_known_is_refused(text):
    with pytest.raises(Refused):
        expanded(text, assume="d>0" if "d," in text else [], order=2)


@pytest.mark.parametrize(("text", "to", "outcome"), [
    ("parallel_occupancy(2, 1 - z) ~ log(1/z)/(1 - log(2))", "z->0+", Outcome.HOLDS),
    ("parallel_occupancy(2, 1 - z) ~ log(1/z)", "z->0+", Outcome.REFUTED),
    ("parallel_occupancy(3, z) = z + 3/5*z^2 + O(z^3)", "z->0+", Outcome.HOLDS),
    ("parallel_occupancy(3, z) = z + 2/3*z^2 + O(z^3)", "z->0+", Outcome.REFUTED),
])  # fmt: skip
def test_true_statements_hold_and_false_ones_do_not(text, to, outcome):
    assert ask(text, to).outcome is outcome


# --- the moves ----------------------------------------------------------------------------------------------


def test_the_invariant_law_is_at_rest_and_the_printed_equation_is_not():
    """(6) with k stands still at (2); with k + 1, as printed, it does not."""
    d, lam = 2, 0.9
    mu = (d - 1) * lam / float(certified(2, fmpq(9, 10)))
    law = np.cumprod([1 - lam] + [d * lam / (1 + v * mu) for v in range(1, 120)])
    y = np.cumsum(law[::-1])[::-1][1:]
    assert abs(law.sum() - 1) < 1e-12 and np.abs(slopes(y, d, lam)).max() < 1e-12
    printed = slopes(y, d, lam) - mu * (y - np.append(y[1:], 0.0))
    assert np.abs(printed).max() > 0.01


@pytest.mark.parametrize(("d", "lam", "end"), [(2, 0.3, 60.0), (4, 0.9, 60.0)])
def test_the_transient_solution_ends_at_the_certified_occupancy(d, lam, end):
    found = transient(d, lam, [0.0, 1.0, end], 40)
    assert found.error < 1e-8
    assert found.mean()[0] == 0 and abs(found.mean()[2] - float(certified(d, fmpq(round(lam * 10), 10)))) < 1e-6
    assert abs(found.ccdf[2, 1] - lam) < 1e-6


def test_the_error_tells_of_too_few_levels():
    assert transient(2, 0.9, [0.0, 20.0], 5).error > 1e-4


def test_the_slopes_are_those_of_the_generator():
    law = [Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 8)]
    y = [float(sum(law[k:])) for k in range(1, 4)] + [0.0]
    found = slopes(np.array(y), 3, 0.5)
    assert [float(model.slope(k, *law, 3, Fraction(1, 2))) for k in (1, 2, 3, 4)] == pytest.approx(list(found))


@pytest.mark.parametrize("bad", [(1, 0.5, [0.0]), (2, 1.0, [0.0]), (2, 0.5, [1.0, 1.0]), (2, 0.5, [])])
def test_the_transient_refuses(bad):
    with pytest.raises(ValueError, match=r"."):
        transient(*bad)


# --- the claims -----------------------------------------------------------------------------------------------

claims = partial(registry.claims, "parallelps")  # read when the first test asks
FAILING = ["theorem-1-proof-substituting", "equation-6", "equation-6-generator", "lemma-2-proof-integral",
           "theorem-4-proof-stationary"]  # fmt: skip


def test_claims_are_well_formed_and_linked():
    assert validate(claims(), "parallelps") == []
    assert [claim.id for claim in claims() if isinstance(claim.relation, Unread)] == []
    assert len(claims()) >= 110
    assert [c.id for c in claims() if c.expected is Outcome.REFUTED and c.correction is None] == []
    assert {f"parallelps/{name}" for name in FAILING} <= {c.id for c in claims() if c.expected is Outcome.REFUTED}


@pytest.mark.parametrize("slug", FAILING)
def test_what_fails_is_refuted_and_its_correction_holds(slug):
    claim = registry.find_claim(f"parallelps/{slug}")
    refuted, corrected = check(claim), check(registry.find_claim(claim.correction))
    assert (refuted.outcome, corrected.outcome) == (Outcome.REFUTED, Outcome.HOLDS)
    assert refuted.strength in (Strength.PROVED, Strength.CERTIFIED)


# --- what is refuted, by another way ---------------------------------------------------------------------------


def coupled(lam: float, top: int = 24) -> tuple[list[tuple[int, int]], np.ndarray, np.ndarray]:
    """n = d = 1: the states (q, qbar) of the coupling of Theorem 3, at most ``top`` jobs, its generator, and that of one queue."""
    states = [(q, r) for r in range(top + 1) for q in range(r + 1)]
    place = {state: k for k, state in enumerate(states)}
    pair, single = np.zeros((len(states), len(states))), np.zeros((top + 1, top + 1))
    for (q, r), k in place.items():
        moves = [((min(q + 1, top), min(r + 1, top)), lam)]
        if q and q == r:
            moves.append(((q - 1, r - 1), 1.0))
        elif q < r:
            moves += [((q, r - 1), 1.0)] + ([((q - 1, r), 1.0)] if q else [])
        for target, rate in moves:
            pair[k, place[target]] += rate
            pair[k, k] -= rate
    for q in range(top + 1):
        for target, rate in ((min(q + 1, top), lam), (max(q - 1, 0), 1.0)):
            single[q, target] += rate
            single[q, q] -= rate
    return states, pair, single


def test_the_third_line_of_the_last_display_of_theorem_4_fails_on_the_coupled_chain():
    """P(Qbar(t) > Q(u)) is not P(Qbar(u) > Q(u)); from u to t the probability that the queues differ falls."""
    lam = 0.5
    states, pair, single = coupled(lam)
    stationary = (1 - lam) * lam ** np.arange(single.shape[0])
    start = np.array([stationary[r] if q == 0 else 0.0 for q, r in states])
    at_u, differ = start @ expm(2.0 * pair), []
    for time in (2.0, 12.0):
        later = start @ expm(time * pair)
        differ.append(sum(p for p, (q, r) in zip(later, states, strict=True) if q < r))
    moved = expm(10.0 * single)
    mixed = sum(p * moved[r, q + 1 :].sum() for p, (q, r) in zip(at_u, states, strict=True))
    assert differ[1] < differ[0] and abs(mixed - differ[0]) > 0.1
    far = expm(200.0 * single)
    limit = sum(p * far[r, q + 1 :].sum() for p, (q, r) in zip(start @ expm(200.0 * pair), states, strict=True))
    assert abs(limit - lam / (1 + lam)) < 1e-4  # what the corrected claim says


def test_the_integral_of_lemma_2_by_quadrature():
    d, lam, size, start = 2, 0.5, 1, 5
    value = size * mpmath.exp(-4 * d * size * (1 + lam))
    printed, meant = (mpmath.quad(lambda s: mpmath.exp(-4 * d * size * (lam + 1)) / 2, [start + 2 * size, end])
                      for end in (4 * size, start + 4 * size))  # fmt: skip
    assert abs(meant / value - 1) < 1e-10 and printed < 0


def test_the_whole_part_in_the_proof_of_theorem_1():
    """The step without the whole part fails for r = 4/3 (d = 2, lambda -> 1); with both last terms it holds."""
    r, y, bound = Fraction(4, 3), Fraction(19, 10), Fraction(4, 3)  # 1/(1 - lambda) = 4/3
    assert r ** int(y) <= bound < float(r) ** float(y)
    assert 1 + r >= r * r


def test_the_figures_are_drawn_from_certified_numbers():
    figures = registry.paper("parallelps").figures()
    assert {"figure-1", "figure-2", "figure-4", "heavy-traffic"} <= set(figures)
    single = figures["figure-1"].panels[0].series[0]
    assert [float(y) for y in single.ys] == pytest.approx([x / (1 - x) for x in map(float, single.xs)])
    limits = [float(s.ys[-1]) for s in figures["heavy-traffic"].panels[0].series]
    assert all(0.99 < y < 1 for y in limits)
