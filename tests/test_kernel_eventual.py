"""Inequalities from some point on: what they say, the two ways to a theorem, and what each refuses."""

from __future__ import annotations

import pytest

from asymp.claim import Outcome, Strength
from asymp.kernel import records  # noqa: F401  (all rules)
from asymp.kernel.growths import asymptotics  # noqa: F401
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.bodies import And, Comparison, Eventual
from asymp.language.statement import is_asymptotic, read_statement
from asymp.parse import claim
from asymp.prove.claims import theorem

PLACE = {"scales": {"n_": "n"}, "values": {"n": "n_"}}
ALONG = {"runner": "k", "values": {"n": "k"}}


def limit(statement):
    return apply("asymptotic", statement=statement, order=2, place=PLACE, **ALONG)


def outcome(statement, to, assume=()):
    from asymp.check import check

    found = check(claim("demo/lemma-1", statement, to=to, source="demo, Lemma 1", assume=assume))
    return found.outcome, found.strength


def test_an_inequality_with_a_regime_is_a_form_of_its_own():
    """Nothing that takes a comparison for all values of a domain takes one of these."""
    said = read_statement("0 < f(n) <= g(n) as n -> oo for a > 0")
    assert isinstance(said.body, And) and all(type(part) is Eventual for part in said.body.parts)
    assert is_asymptotic(said.body) and read_statement(str(said)) == said
    plain = read_statement("n <= n^2 for n >= 1")
    assert type(plain.body) is Comparison
    assert canonical(plain) != canonical(read_statement("n <= n^2 as n -> oo for n >= 1"))
    with pytest.raises(Refused):  # as a premise of a rule for all values
        apply("sums", [limit("n <= n^2 as n -> oo")], statement="n <= n^2 for n >= 1", by=[[[0, "1"]]])


@pytest.mark.parametrize(
    ("statement", "to", "assume", "expected"),
    [
        ("n <= n^2/10^100", "n->oo", (), Outcome.HOLDS),
        ("n^2/10^100 <= n", "n->oo", (), Outcome.REFUTED),
        ("1 - 1/n < 1", "n->oo", (), Outcome.HOLDS),
        ("1 + 10^(-200)/n <= 1", "n->oo", (), Outcome.REFUTED),
        ("n*p < a", "n->oo, p->0+, n*p->1", ("a>1",), Outcome.HOLDS),
        ("n*p < a", "n->oo, p->0+, n*p->1", ("0<a<1",), Outcome.REFUTED),
        ("sin(n) < 2", "n->oo", (), Outcome.HOLDS),
    ],
)
def test_the_sign_of_what_leads_decides(statement, to, assume, expected):
    assert outcome(statement, to, assume) == (expected, Strength.PROVED)


@pytest.mark.parametrize(
    ("statement", "to", "assume"),
    [
        ("n <= n", "n->oo", ()),  # true, and nothing leads
        ("a*n <= n", "n->oo", ("0<a<=1",)),  # the coefficient may be 0
        ("log(1/p) < n", "n->oo, p->0+", ()),  # not where p falls fast
        ("sin(n) < 1", "n->oo", ()),
        ("sin(n) < 1/n", "n->oo", ()),
    ],
)
def test_what_nothing_leads_is_not_proved(statement, to, assume):
    assert outcome(statement, to, assume)[0] is not Outcome.HOLDS


SAYS = "1/2 + 1/n <= a as n -> oo for a > 1/2"
GIVEN = ("1/2 + 1/n -> 1/2 as n -> oo", "1/2 < a for a > 1/2")


def test_a_limit_on_the_right_side_of_a_constant():
    premises = [limit(GIVEN[0]), apply("algebra", statement=GIVEN[1])]
    for sign in ("<", "<="):
        found = apply("in the end", premises, statement=SAYS.replace("<=", sign))
        assert found.holds and replay(certificate(found)).statement == found.statement
    turned = apply("in the end", premises, statement="a >= 1/2 + 1/n as n -> oo for a > 1/2")
    assert turned.holds
    assert apply("in the end", premises, statement=SAYS + ", a < 3").holds  # fewer parameters


@pytest.mark.parametrize(
    ("statement", "first", "second"),
    [
        (SAYS, GIVEN[0], "1/2 <= a for a >= 1/2"),  # not strict: at a = 1/2 it fails
        ("1/2 + 1/n <= a as n -> oo for a > 0", *GIVEN),  # a premise of fewer parameters
        (SAYS.replace("<=", ">="), *GIVEN),  # the other way round
        ("1/2 + 1/n <= b as n -> oo for b > 1/2", *GIVEN),  # another constant
        ("1/2 + 2/n <= a as n -> oo for a > 1/2", *GIVEN),  # another quantity
        (SAYS.replace("n -> oo", "whole n -> oo"), *GIVEN),  # another regime
        ("1/2 + 1/n <= 1/2 + 1/n as n -> oo", GIVEN[0], "1/2 < 1/2 + 1/n for n > 0"),  # the constant moves
    ],
)
def test_each_condition_of_the_limit_is_needed(statement, first, second):
    with pytest.raises(Refused):
        apply("in the end", [limit(first), apply("algebra", statement=second)], statement=statement)
    with pytest.raises(Refused):
        apply("in the end", [limit(first)], statement=statement)


@pytest.mark.slow
def test_a_limit_beside_a_constant_that_balls_or_series_compare():
    """No sign of the difference of coefficients is seen by algebra: the comparison is a theorem of its own."""
    text = "Sum((1 - p)^b/b, (b, floor(k/p), floor((k + 1)/p))) <= k/E^k as p -> 0+ for whole k >= 1"
    found = theorem(read_statement(text), True)
    assert found.made[0] == "in the end"
    with pytest.raises(Refused):
        theorem(read_statement(text.replace("k/E^k", "k/E^k/10")), True)


def test_a_factor_of_both_sides_may_have_zeros():
    assert outcome("sin(n)/n = o(sin(n))", "n->oo") == (Outcome.HOLDS, Strength.PROVED)
    assert outcome("n*sin(n) = o(sin(n))", "n->oo")[0] is Outcome.REFUTED
    assert outcome("cos(n)/(n*sin(n)) = o(1/sin(n))", "n->oo")[0] is not Outcome.HOLDS  # what is divided by may not
    assert outcome("sin(n)/n = o(sin(n)^2)", "n->oo")[0] is not Outcome.HOLDS  # one of its factors is not on the left
