"""One root: the rule from its premises, each condition of it, and what the search finds."""

from __future__ import annotations

from fractions import Fraction

import pytest

from asymp.check.ask import ask
from asymp.claim import Outcome, Strength
from asymp.kernel.balls.roots import needed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.kernel.trust import cited
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem


def proved(text):
    return theorem(read_statement(text), True)


def root(text, premises, by="difference", rises=True, at=("1", "2")):
    return apply("root", [proved(one) for one in premises], statement=text, by=by, rises=rises, at=list(at))


TEXT = "x^3 = 2 has one root x in (0, oo)"
PREMISES = ["x^3 - 2 is increasing in x for x > 0", "1^3 < 2", "2^3 > 2"]


def test_the_rule_makes_it_from_its_premises():
    assert root(TEXT, PREMISES).holds
    assert root("2 = x^3 has one root x in (0, oo)", ["2 - x^3 is decreasing in x for x > 0", "2 < 2^3", "2 > 1^3"], rises=False,
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


@pytest.mark.parametrize(("low", "high"), [("0", "1"), ("3/2", "3"), ("0", "7/4"), ("5/4", "2")])
def test_the_points_lie_inside(low, high):
    text = f"x^3 = 2 has one root x in ({low}, {high})"
    with pytest.raises(Refused):
        root(text, [f"x^3 - 2 is increasing in x for {low} < x, x < {high}", *PREMISES[1:]])


def test_a_point_is_an_end_where_the_sides_are_continuous():
    assert root("x^3 = 2 has one root x in (1, 2)", ["x^3 - 2 is increasing in x for 1 < x, x < 2", *PREMISES[1:]]).holds
    text = "x^3 + 1/(x - 1) = 1/(x - 1) + 2 has one root x in (1, 2)"
    with pytest.raises(Refused, match="may be 0"):
        root(text, ["x^3 + 1/(x - 1) - 1/(x - 1) - 2 is increasing in x for 1 < x, x < 2", *PREMISES[1:]])


GIANT = "1 - exp(-b*r) = r has one root r in (0, 1)"


@pytest.mark.parametrize(("where", "holds"), [("b > 1", True), ("b > 0", False), ("b >= 1/2", False), ("0 < b <= 1", False)])
def test_one_root_for_all_parameters(where, holds):
    """Alon and Spencer, The Probabilistic Method, 11: the giant component is there for b > 1, and not at b = 1 or below."""
    assert theorem(read_statement(f"{GIANT} for {where}"), holds).holds is holds
    with pytest.raises(Refused):
        theorem(read_statement(f"{GIANT} for {where}"), not holds)


@pytest.mark.parametrize(
    "text",
    [
        f"{GIANT} for b >= 1",  # at b = 1 there is none
        f"{GIANT} for b > 1 - 10^(-30)",
        "x^3 - a*x = 0 has one root x in (0, oo) for a > -1",
        "x^2 = a has one root x in (-1, 1) for a >= 0, a < 1",  # two but at 0
    ],
)
def test_what_fails_at_a_parameter_is_not_proved(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("x^2 = b has one root x in (0, 1) for 0 < b < 1", {"b": "2"}),  # not of the domain
        ("x^2 = b has one root x in (0, 1) for 0 < b < 3", {}),
        ("x^2 = b has one root x in (0, 1) for 0 < b < 3", {"b": "2", "x": "1"}),
        ("x^2 = b has one root x in (0, 1) for 0 < b < 3, x > 1/2", {"b": "2", "x": "1"}),
        ("x^2 = n has one root x in (0, 1) for 0 < n < 3", {"n": "3/2"}),  # that may be meant whole
    ],
)
def test_parameters_against_one_root(text, given):
    premise = proved("x^2 < 2 for 0 < x, x < 1")
    with pytest.raises(Refused):
        apply("other roots", [premise], statement=text, at=[], signs=["<"], given=given)
    assert not apply("other roots", [premise], statement="x^2 = b has one root x in (0, 1) for 0 < b < 3", at=[], signs=["<"],
                     given={"b": "2"}).holds  # fmt: skip


def test_a_point_with_parameters_lies_inside_for_all_of_them():
    text = "x^2 = b has one root x in (0, 1) for 0 < b < 1"
    shape = proved("x^2 - b is increasing in x for 0 < b < 1, 0 < x, x < 1")
    ends = [proved(f"{one} for 0 < b < 1") for one in ("0 < b/2", "b/2 < 1", "(b/2)^2 < b")]
    top = proved("1^2 > b for 0 < b < 1")
    assert apply("root", [shape, *ends, top], statement=text, by="difference", rises=True, at=["b/2", "1"]).holds
    for premises, at in (([shape, *ends[1:], top], ["b/2", "1"]), ([shape, *ends, top], ["b/3", "1"]), ([shape, top], ["c/2", "1"])):
        with pytest.raises(Refused):
            apply("root", premises, statement=text, by="difference", rises=True, at=at)


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
    assert cited(proved(text).trusts)
    verdict = ask(text)
    assert (verdict.outcome, verdict.strength) == (Outcome.HOLDS, Strength.PROVED)


@pytest.mark.parametrize("text", OTHER)
def test_no_other_number_of_roots_is_one(text):
    with pytest.raises(Refused):
        proved(text)
    assert ask(text).outcome is not Outcome.HOLDS


# --- none, or two -----------------------------------------------------------------------------------------


def other_roots(text, at=(), signs=(), premises=None):
    sides = text.partition(" has ")[0]
    left, right = sides.split(" = ")
    made = premises or [f"{left} {sign} {right}".replace("x", f"({x})") for x, sign in zip(at, signs, strict=True)]
    return apply("other roots", [proved(one) for one in made], statement=text, at=list(at), signs=list(signs))


CUBE = "x^3 = x has one root x in (-2, 2)"


def test_two_roots_and_none_refute_one():
    assert not other_roots(CUBE, ("-1", "0"), "==").holds
    assert not other_roots(CUBE, ("-3/2", "-1/2", "1/2"), "<><").holds
    assert not other_roots(CUBE, ("-3/2", "-1", "-1/2", "1/2"), "<=><").holds
    none = "x^2 = -1 has one root x in (-oo, oo)"
    assert not other_roots(none, (), ">", ["x^2 > -1"]).holds


@pytest.mark.parametrize(
    ("text", "at", "signs"),
    [
        (CUBE, ("0",), "="),  # one root
        (CUBE, ("-3/2", "-1/2"), "<>"),
        (CUBE, ("-3/2", "-1", "-1/2"), "<=>"),  # the change of side is at the root
        (CUBE, ("0", "0"), "=="),  # one root, twice
        (CUBE, ("-1/2", "-3/2", "1/2"), "><<"),
        (CUBE, ("-1/2", "1/2", "-1/2", "1/2"), "><><"),  # points that do not rise
        ("x^3 = x has one root x in (-1/2, 2)", ("-1", "0"), "=="),  # outside
        ("x^3 = x has one root x in (-1, 1)", ("-1", "0"), "=="),  # at an end
        ("x + floor(x) = 3/2 has one root x in (0, 3)", ("1/2", "3/2", "5/2"), "<>>"),
        ("1/(x - 1) = 3 has one root x in (-1, 4)", ("0", "5/4", "3"), "<><"),  # a pole between
    ],
)
def test_fewer_roots_do_not(text, at, signs):
    with pytest.raises(Refused):
        other_roots(text, at, signs)


def test_one_side_is_below_the_other_strictly_and_all_along():
    square = "x^2 = 0 has one root x in (-1, 1)"
    for text, sign, premise in (
        (square, ">=", "x^2 >= 0 for -1 < x, x < 1"), ("x = 1 has one root x in (0, 2)", "<", "x < 1 for 0 < x, x < 1"),
        (square, "=", "x^2 = x^2 for -1 < x, x < 1"),
    ):  # fmt: skip
        with pytest.raises(Refused):
            other_roots(text, (), [sign], [premise])
    fails = theorem(read_statement("x^2 > 0 for -1 < x, x < 1"), False)
    with pytest.raises(Refused):
        apply("other roots", [fails], statement=square, at=[], signs=[">"])


@pytest.mark.parametrize("text", [one for one in OTHER if "1/x" not in one])
def test_another_number_of_roots_is_a_theorem(text):
    assert cited(theorem(read_statement(text), False).trusts)
    assert ask(text).strength is Strength.PROVED


@pytest.mark.parametrize("text", [*ONE, "x^2 = 0 has one root x in (-1, 1)", "(x - 1)^2 = 0 has one root x in (0, 3)"])
def test_one_root_is_not_refuted(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), False)
