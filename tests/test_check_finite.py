"""The judge of identities, bounds and printed numbers: true statements pass, mutants never do."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from asymp.check import bounds, finite, vanish
from asymp.check.judge import judge
from asymp.claim import Bound, Domain, Identity, Outcome, Step, Strength, Value

x, n, q = sp.symbols("x n q", positive=True)
i, j = sp.symbols("i j", integer=True, positive=True)
GRID = Domain.product("n >= 1, 0 < q < 1", n=[1, 2, 5], q=[Fraction(1, 2), Fraction(2, 3)])
ONE = Domain.points()


def verdict(lines):
    return judge(lines)[:2]


GEOMETRIC = [
    (sp.Sum(q**i, (i, 1, n)), (q - q ** (n + 1)) / (1 - q)),
    (sp.Sum(q**i, (i, 0, n - 1)), (1 - q**n) / (1 - q)),
    (sp.Sum(i * q**i, (i, 1, n)), (q - (n + 1) * q ** (n + 1) + n * q ** (n + 2)) / (1 - q) ** 2),
    (sp.Sum(q ** (i + 1) + 3, (i, 1, n)), q * (q - q ** (n + 1)) / (1 - q) + 3 * n),
]


@pytest.mark.parametrize(("lhs", "rhs"), GEOMETRIC)
def test_identities_are_upheld_on_a_grid_and_their_mutants_refuted(lhs, rhs):
    assert verdict(finite.identity(Identity(lhs, rhs, GRID))) == (Outcome.HOLDS, Strength.SUPPORTED)
    assert vanish.difference_is_zero(lhs, rhs)
    for mutant in (-rhs, rhs + 1, 2 * rhs, rhs.subs(n, n + 1), rhs.subs(q, q**2)):
        assert verdict(finite.identity(Identity(lhs, mutant, GRID))) == (Outcome.REFUTED, Strength.CERTIFIED)
        assert not vanish.difference_is_zero(lhs, mutant)


def test_equal_sums_are_equal_whatever_their_index():
    lhs = sp.Sum(sp.harmonic(i) * q**i * (1 + 2 * x), (i, 1, n))
    assert vanish.difference_is_zero(lhs, (1 + 2 * x) * sp.Sum(sp.harmonic(j) * q**j, (j, 1, n)))
    assert not vanish.difference_is_zero(lhs, (1 + 2 * x) * sp.Sum(sp.harmonic(j) * q**j, (j, 1, n - 1)))


def test_nested_indices_are_not_captured():
    def nested(inner, outer, body):
        # a factor keeps SymPy from merging the two sums
        return sp.Sum(sp.log(outer) * sp.Sum(body, (inner, 1, outer)), (outer, 1, n))

    one = nested(j, i, sp.log(i + j))
    assert not vanish.difference_is_zero(one, nested(j, i, sp.log(2 * j)))
    assert not vanish.difference_is_zero(one, nested(j, i, sp.log(2 * i)))
    assert vanish.difference_is_zero(one, nested(i, j, sp.log(i + j)))


def test_a_series_is_not_summed_term_by_term():
    lhs = sp.Sum(1 / i - 1 / (i + 1), (i, 1, sp.oo))
    assert not vanish.difference_is_zero(
        lhs, sp.Sum(1 / i, (i, 1, sp.oo)) - sp.Sum(1 / (i + 1), (i, 1, sp.oo))
    )


def test_balls_support_and_never_certify_equality():
    equal = Identity(sp.log(2 * x) - sp.log(x), sp.log(2), Domain.product("", x=[3, Fraction(1, 7)]))
    lines = finite.identity(equal)
    assert verdict(lines) == (Outcome.HOLDS, Strength.SUPPORTED)
    near = Identity(sp.log(2 * x) - sp.log(x), sp.log(2) + sp.Rational(1, 10**40), equal.domain)
    assert verdict(finite.identity(near)) == (Outcome.REFUTED, Strength.CERTIFIED)


def test_tables_are_compared_entry_by_entry():
    def table(n):
        return {k: Fraction(1, k + 1) for k in range(n)}

    good = Identity(
        table,
        lambda n: {k: (1, k + 1)[0] * Fraction(1, k + 1) for k in range(n)},
        Domain.finite(n=[1, 4]),
    )
    assert verdict(finite.identity(good)) == (Outcome.HOLDS, Strength.CERTIFIED)
    bad = Identity(
        table, lambda n: {k: Fraction(1, k + 1 + (k == 3)) for k in range(n)}, Domain.product("", n=[1, 4])
    )
    line = finite.identity(bad)[-1]
    assert line.outcome == Outcome.REFUTED
    assert [point.value for point in line.points] == ["1/4 [3]", "1/5 [3]"]
    short = Identity(table, lambda n: table(n - 1), Domain.product("", n=[2]))
    assert finite.identity(short)[-1].outcome == Outcome.REFUTED


def test_a_callable_against_an_expression():
    domain = Domain.finite(n=[1, 2, 30])
    partial = Identity(lambda n: sum(Fraction(1, k) for k in range(1, n + 1)), sp.harmonic(n), domain)
    assert verdict(finite.identity(partial)) == (Outcome.HOLDS, Strength.CERTIFIED)
    wrong = Identity(lambda n: sum(Fraction(1, k) for k in range(1, n)), sp.harmonic(n), domain)
    assert verdict(finite.identity(wrong)) == (Outcome.REFUTED, Strength.CERTIFIED)


@pytest.mark.parametrize(
    "relation",
    [
        Identity(lambda n: Fraction(n), lambda n: Fraction(n), Domain("nothing tried")),
        Identity(lambda n: 0.5, lambda n: 0.5, Domain.product("", n=[1])),
        Identity(lambda n: 1 // (n - 1), lambda n: 1 // (n - 1), Domain.product("", n=[1])),
        Identity(lambda n, m: n, lambda n, m: n, Domain.product("", n=[1])),
        Identity(sp.log(x), sp.log(x) * 1.0, Domain.product("", y=[1])),
    ],
)
def test_what_cannot_be_tried_is_never_upheld(relation):
    assert judge(finite.identity(relation))[0] == Outcome.UNDECIDED


def test_an_error_at_one_point_does_not_hide_a_counterexample():
    relation = Identity(lambda n: 1 // (n - 1), lambda n: 2, Domain.product("", n=[1, 2]))
    assert verdict(finite.identity(relation)) == (Outcome.REFUTED, Strength.CERTIFIED)


def test_bounds():
    domain = Domain.product("x > 0", x=[Fraction(1, 10**6), 1, 10**9])
    assert verdict(bounds.evidence(Bound(sp.log(1 + x), "<", x, domain))) == (Outcome.HOLDS, Strength.SUPPORTED)
    assert verdict(bounds.evidence(Bound(sp.log(1 + x), ">=", x, domain))) == (
        Outcome.REFUTED,
        Strength.CERTIFIED,
    )
    assert verdict(bounds.evidence(Bound(sp.log(1 + x), "<", x - x**2 / 2, domain)))[0] == Outcome.REFUTED
    assert verdict(bounds.evidence(Bound(x, "<=", x, domain)))[0] == Outcome.HOLDS
    assert verdict(bounds.evidence(Bound(x, "<", x, domain)))[0] == Outcome.REFUTED
    assert verdict(bounds.evidence(Bound(lambda x: x + 1, ">", x, domain)))[0] == Outcome.HOLDS
    assert verdict(bounds.evidence(Bound(x, "<", 2 * x, Domain("empty"))))[0] == Outcome.UNDECIDED
    assert verdict(bounds.evidence(Bound(x, "~", x, domain)))[0] == Outcome.UNDECIDED
    assert verdict(bounds.evidence(Bound(1 / (x - 1), "<", x, domain)))[0] != Outcome.HOLDS


def test_equality_of_irrational_sides_leaves_a_bound_undecided():
    relation = Bound(sp.log(2 * x), "<=", sp.log(2) + sp.log(x), Domain.product("", x=[3]))
    assert judge(bounds.evidence(relation))[0] == Outcome.UNDECIDED


def test_a_hook_supports_and_the_grid_refutes():
    def proof():
        return [Step("by decree", "0 < 1")]

    domain = Domain.product("every x", x=[1, 2])
    assert verdict(bounds.evidence(Bound(x, "<", 2 * x, domain, proof=proof))) == (
        Outcome.HOLDS,
        Strength.SUPPORTED,
    )
    refuted = (Outcome.REFUTED, Strength.CERTIFIED)  # one certified counterexample outweighs what a hook says
    assert verdict(bounds.evidence(Bound(x, ">", 2 * x, domain, proof=proof))) == refuted
    assert verdict(finite.identity(Identity(x, 2 * x, domain, proof=proof))) == refuted


@pytest.mark.parametrize("proof", [list, lambda: [][0], lambda: 1 / 0])
def test_a_failing_proof_proves_nothing(proof):
    domain = Domain.product("every x", x=[1])
    assert verdict(bounds.evidence(Bound(x, "<", 2 * x, domain, proof=proof))) == (
        Outcome.HOLDS,
        Strength.SUPPORTED,
    )
    assert judge(bounds.evidence(Bound(x, "<", 2 * x, Domain("empty"), proof=proof)))[0] == Outcome.UNDECIDED


@pytest.mark.parametrize(
    ("expr", "printed", "outcome", "word"),
    [
        (sp.pi, "3.1416", Outcome.HOLDS, "rounds"),
        (sp.pi, "3.1415", Outcome.HOLDS, "truncated"),
        (sp.pi, "3.1417", Outcome.REFUTED, "3.1416"),
        (-sp.pi, "-3.1415", Outcome.HOLDS, "truncated"),
        (-sp.pi, "-3.1416", Outcome.HOLDS, "rounds"),
        (-sp.pi, "3.1416", Outcome.REFUTED, "-3.1416"),
        (sp.E / (sp.E - 1) ** 2, "0.92", Outcome.HOLDS, "rounds"),
        (10**6 * sp.sqrt(2), "1.41421e6", Outcome.HOLDS, "rounds"),
        (sp.Rational(1, 8), "0.125", Outcome.HOLDS, "rounds"),
        (sp.Integer(650), "650", Outcome.HOLDS, "rounds"),
        (sp.pi, "about 3", Outcome.UNDECIDED, "decimal"),
        (x, "1", Outcome.UNDECIDED, "value"),
    ],
)
def test_printed_numbers(expr, printed, outcome, word):
    (line,) = finite.value(Value(expr, printed))
    assert line.outcome == outcome, line.detail
    assert word in line.detail
