"""The rule ``contrary``: each side condition deleted would let something false, or something without meaning, through."""

from __future__ import annotations

import pytest

from asymp.kernel.balls import bounds as bounds
from asymp.kernel.growths import exact as exact
from asymp.kernel.growths.contrary import excludes
from asymp.kernel.summation import sums as sums
from asymp.kernel.terms import Refused, name
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

SQUARE = "(x + 1)^2 {} x^2 + 2*x + 1 for {}"


def contrary(sign: str, other: str, domain: str = "x > 0", premise_domain: str | None = None, **point: str):
    premise = apply("algebra", statement=SQUARE.format(sign, premise_domain or domain))
    return apply("contrary", [premise], statement=SQUARE.format(other, domain), point=point or {"x": "1"})


@pytest.mark.parametrize(("sign", "other"), [("=", "<"), ("=", ">")])
def test_what_excludes_it_refutes_it(sign, other):
    found = contrary(sign, other)
    assert not found.holds and str(found.statement) == SQUARE.format(other, "x > 0")
    assert not replay(certificate(found)).holds


@pytest.mark.parametrize(("sign", "other"), [("=", "="), ("=", "<="), ("=", ">="), ("<=", "="), ("<=", ">="), ("<=", "<=")])
def test_what_goes_together_is_left_alone(sign, other):
    with pytest.raises(Refused, match="does not exclude"):
        contrary(sign, other)


@pytest.mark.parametrize(
    ("domain", "premise_domain", "point"),
    [
        ("x > 0, x < 0", "x > 0, x < 0", {"x": "1"}),  # without a point everything holds
        ("x > 2", "x > 2", {"x": "1"}),
        ("x > 2", "x > 2", {"x": "2"}),
        ("whole x, x > 0", "whole x, x > 0", {"x": "1/2"}),
        ("x > 0", "x > 0", {}),
        ("x > 0", "x > 0", {"x": "1", "y": "1"}),
        ("x > 0", "x > 1", {"x": "2"}),
        ("x > 1", "x > 0", {"x": "2"}),
        ("x in {-1, 1}", "x in {-1, 1}", {"x": "7"}),
    ],
)
def test_the_domain_is_the_same_and_has_a_point(domain, premise_domain, point):
    try:
        premise = apply("algebra", statement=SQUARE.format("=", premise_domain))
    except Refused:
        return  # already there
    with pytest.raises(Refused):
        apply("contrary", [premise], statement=SQUARE.format("<", domain), point=point)


def test_a_premise_is_one_theorem_that_holds():
    holds = apply("algebra", statement=SQUARE.format("=", "x > 0"))
    fails = theorem(read_statement(SQUARE.format("<", "x > 0")), False)
    goal = {"statement": SQUARE.format(">", "x > 0"), "point": {"x": "1"}}
    assert not apply("contrary", [holds], **goal).holds
    for premises in ([], [holds, holds], [fails]):
        with pytest.raises(Refused):
            apply("contrary", premises, **goal)
    for other in ("(x + 1)^2 = x^2 + 2*x + 1 + 10^(-200) for x > 0", "(x + 1)^2 < x^2 + 2*x for x > 0"):
        with pytest.raises(Refused):
            apply("contrary", [holds], statement=other, point={"x": "1"})


def test_which_comparisons_exclude_one_another():
    a, b, c = name("a"), name("b"), name("c")
    signs = ("<", "<=", "=")

    def true(low: int, sign: str, high: int) -> bool:
        return {"<": low < high, "<=": low <= high, "=": low == high}[sign]

    for one in signs:
        for other in signs:
            for left, right in ((a, b), (b, a)):
                value = {a: 0, b: 0}
                both = False
                for value[a], value[b] in ((0, 0), (0, 1), (1, 0)):
                    both = both or (true(value[a], one, value[b]) and true(value[left], other, value[right]))
                assert excludes((a, one, b), (left, other, right)) is not both, (one, other, left)
    assert not excludes((a, "<", b), (c, "<", a))


def test_the_searcher_refutes_what_no_ball_can():
    statement = read_statement("Sum(p^k, (k, 0, oo)) < 1/(1 - p) for 0 < p < 1")
    assert not theorem(statement, False).holds
    with pytest.raises(Refused):
        theorem(statement, True)
    with pytest.raises(Refused):
        theorem(read_statement("Sum(p^k, (k, 0, oo)) <= 1/(1 - p) for 0 < p < 1"), False)


@pytest.mark.parametrize("text", ["x > 1 if x > 2 for x > 0", "2*x > 2 iff x > 1 for x > 0", "f(x) = 1 if f(x) <= 2 for x > 0"])
def test_what_is_no_comparison_is_refused_and_no_error(text):
    """The mutation gate asks so of corrections: the search asserted that a statement without a theorem is a comparison."""
    with pytest.raises(Refused):
        theorem(read_statement(text), False)
