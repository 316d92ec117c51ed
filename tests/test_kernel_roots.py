"""One root: the rule from its premises, each condition of it, and what the search finds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asymp.check.ask import ask
from asymp.claim import Outcome, Strength
from asymp.kernel.balls.roots import needed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem


def proved(text):
    return theorem(read_statement(text), True)


def root(text, premises, by="difference", rises=True, at=("1", "2")):
    return apply("root", [proved(one) for one in premises], statement=text, by=by, rises=rises, at=list(at))


TEXT = "x^3 = 2 has one root x in (0, oo)"
PREMISES = ["x^3 - 2 is increasing in x for x > 0", "1^3 < 2", "2 < 2^3"]


def test_the_rule_makes_it_from_its_premises():
    assert root(TEXT, PREMISES).holds
    assert root("2 = x^3 has one root x in (0, oo)", ["2 - x^3 is decreasing in x for x > 0", "2 < 2^3", "1^3 < 2"], rises=False,
                at=("2", "1")).holds  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        (TEXT, {"at": ("1", "3")}),  # a premise about another point
        (TEXT, {"at": ("2", "1")}),
        (TEXT, {"rises": False}),
        (TEXT, {"rises": 1}),
        (TEXT, {"by": "quotient"}),
        (TEXT, {"by": "sum"}),
        (TEXT, {"at": ("1",)}),
        (TEXT, {"at": ("1", "2.0e")}),
        ("x^3 = 2 has one root x in (0, 1)", {}),  # there is none: a point lies outside
        ("x^3 = 2 has one root x in (0, 2)", {}),
        ("x^3 = 2 has one root x in (-1, oo)", {}),  # the shape is said of less
        ("x^3 = 3 has one root x in (0, oo)", {}),
        ("y^3 = 2 has one root y in (0, oo)", {}),
        ("x^3 = 2 has one root x in (0, oo) for k in 1..3", {}),
        ("x^3 = 2", {}),
    ],
)
def test_premises_of_another_statement_are_refused(text, changed):
    with pytest.raises(ValueError):
        root(text, PREMISES, **changed)


def test_each_premise_is_wanted_and_has_to_hold():
    for left_out in range(3):
        with pytest.raises(Refused):
            root(TEXT, PREMISES[:left_out] + PREMISES[left_out + 1 :])
    fails = theorem(read_statement("2 < 1^3"), False)
    with pytest.raises(Refused):
        apply("root", [*map(proved, PREMISES[:2]), fails], statement=TEXT, by="difference", rises=True, at=["1", "1"])


@pytest.mark.parametrize(("low", "high"), [("0", "1"), ("1", "2"), ("3/2", "3"), ("0", "2")])
def test_the_points_lie_inside(low, high):
    text = f"x^3 = 2 has one root x in ({low}, {high})"
    with pytest.raises(Refused):
        root(text, [f"x^3 - 2 is increasing in x for {low} < x, x < {high}", *PREMISES[1:]])


@pytest.mark.parametrize(
    ("text", "points"),
    [  # a jump, or a pole, over which the sign changes: no root, or two
        ("x + floor(x) = 3/2 has one root x in (0, 2)", ("1/2", "3/2")),
        ("1/x = 0 has one root x in (-1, 1)", ("-1/2", "1/2")),
        ("1/x = 1/x has one root x in (-1, 1)", ("-1/2", "1/2")),
        ("log(x) = 0 has one root x in (-1, 2)", ("1/2", "3/2")),
        ("x^(1/2) = 1 has one root x in (-1, 2)", ("1/2", "3/2")),
        ("f(x) = 1 has one root x in (0, 2)", ("1/2", "3/2")),
        ("a*x = 1 has one root x in (0, 2)", ("1/2", "3/2")),
        ("x = 1 has one root x in (a, 2)", ("1/2", "3/2")),
        ("x = 1 has one root x in (sqrt(2) - 1, 2)", ("1/2", "3/2")),
        ("pi = 3 has one root pi in (0, 4)", ("1", "4")),
    ],
)
def test_what_may_not_be_continuous_or_has_parameters_is_refused(text, points):
    for by in ("difference", "quotient"):
        with pytest.raises(Refused):
            needed(read_statement(text), by, True, [Fraction(one) for one in points])


ONE = [
    "x*exp(x) = 3 has one root x in (0, oo)", "x^2 = 2 has one root x in (-oo, 0)", "log(x) = -x has one root x in (0, 1)",
    "(1 - 9/10)*Sum(x^i/i!, (i, 0, 3)) = x^3/3! has one root x in (0, oo)", "exp(x) = 2*x + 2 has one root x in (0, oo)",
    "x^3/6 = (1 + x + x^2/2 + x^3/6)/2 has one root x in (0, oo)", "x^3 + x = 10^30 has one root x in (-oo, oo)",
]  # fmt: skip
OTHER = [  # none, two or three, a double one, a jump, an end
    "x^2 = 2 has one root x in (-2, 2)", "x^2 = -1 has one root x in (-oo, oo)", "x^3 = x has one root x in (-oo, oo)",
    "x^3 = x has one root x in (-2, 1/2)", "x*exp(-x) = 1/3 has one root x in (0, oo)", "x = 1 has one root x in (0, 1)",
    "x = 1 has one root x in (1, 2)", "1/x = 1/2 has one root x in (-1, 1)", "exp(x) = 1 + x has one root x in (1/10^6, oo)",
    "log(x) = x/10 has one root x in (0, oo)",
]  # fmt: skip


@pytest.mark.parametrize("text", ONE)
def test_one_root_is_a_theorem(text):
    assert proved(text).trusts == frozenset()
    verdict = ask(text)
    assert (verdict.outcome, verdict.strength) == (Outcome.HOLDS, Strength.PROVED)


@pytest.mark.parametrize("text", OTHER)
def test_no_other_number_of_roots_is_one(text):
    with pytest.raises(Refused):
        proved(text)
    assert ask(text).outcome is not Outcome.HOLDS
