"""One judge behind every door, and what may be called proved, certified or supported."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from asymp.check import check
from asymp.check.ask import ask
from asymp.claim import Claim, Domain, Evidence, Law, Outcome, Property, Source, Step, Strength
from asymp.paper import read_claims
from asymp.parse import claim

TOO_NARROW = "(x-1234567/10000000)^2 > 10^-30 for 0 < x < 1"
ISOLATED = [  # each holds at every point of its grid and fails at one place between
    "exp(-(n-70)^2)*gamma(n) < gamma(n)/2 for n >= 1",
    "(x-3/10)^2 > 1/1000000 for 0 < x < 1",
    "sin(n)^2 + 1/n > 1/100 for n >= 1",
    TOO_NARROW,
    "exp(-(n-12345)^2) < 1/2 for integer n >= 1",
]


def judged(relation, **more):
    return check(Claim("demo/x", Source("demo", "Lemma 1"), relation, "...", **more))


REFUTED = (("refuted", "certified"), ("refuted", "proved"))


def word(verdict):
    return str(verdict.outcome), str(verdict.strength)


@pytest.mark.parametrize("statement", ISOLATED)
def test_a_claim_and_a_question_get_one_answer(statement):
    asked, checked = ask(statement), check(claim("my/x", statement, source="me, (1)"))
    assert word(asked) == word(checked)
    assert asked.outcome == "refuted"
    assert [line.detail for line in asked.evidence] == [line.detail for line in checked.evidence]


TWO_VARIABLES = [
    "(x-1/3)^2 + (y-2/7)^2 > 1/10^4 for 0 < x < 1, 0 < y < 1",
    "exp(-(n-70)^2-(m-30)^2) < 1/2 for integer n >= 1, integer m >= 1",
    "1/1000 < (x - y^2)^2 + (y - 3/7)^2 for 0 < x < 1, 0 < y < 1",
]


@pytest.mark.parametrize("statement", TWO_VARIABLES)
def test_a_failure_that_no_grid_meets_is_not_certified(statement):
    assert word(ask(statement)) not in (("holds", "certified"), ("holds", "proved"))


def test_a_failure_in_two_variables_is_found_downhill():
    for statement in (TWO_VARIABLES[0], TWO_VARIABLES[2]):
        assert word(ask(statement)) in REFUTED


def test_a_universal_statement_on_a_grid_is_supported():
    bound = claim("demo/x", "log(n + x) <= n + x for n > 0, x > 0", source="demo, 1")
    grid = replace(bound.relation.domain, grid=({"n": Fraction(1), "x": Fraction(1, 2)}, {"n": Fraction(2), "x": Fraction(5)}))
    assert word(judged(replace(bound.relation, domain=grid))) == ("holds", "supported")
    assert word(ask("log(n + x) <= n + x for n in {1, 2, 3}, x in {1/2, 5}")) == ("holds", "proved")
    assert word(judged(replace(bound.relation, domain=replace(grid, complete=True)))) == ("holds", "certified")


@pytest.mark.parametrize("statement", ["x = x + 1 - 1 for x > 0", "x <= 10 for x > 0"])
def test_steps_that_never_see_the_statement_prove_nothing(statement):
    relation = claim("demo/x", statement, source="demo, 1").relation
    obvious = replace(relation, domain=Domain("every x"), proof=lambda: [Step("obvious", "1 = 1")])
    assert judged(obvious).strength not in ("proved", "certified")
    assert judged(replace(obvious, rhs=lambda x: x - 1)).strength not in ("proved", "certified")


@pytest.mark.parametrize("kind", [Property, Law])
@pytest.mark.parametrize(
    ("outcome", "strength", "complete", "becomes"),
    [
        (Outcome.HOLDS, Strength.PROVED, False, "supported"),
        (Outcome.HOLDS, Strength.CERTIFIED, False, "supported"),
        (Outcome.HOLDS, Strength.PROVED, True, "certified"),
        (Outcome.HOLDS, Strength.CERTIFIED, True, "certified"),
        (Outcome.HOLDS, Strength.SUPPORTED, True, "supported"),
        (Outcome.REFUTED, Strength.PROVED, True, "supported"),
        (Outcome.REFUTED, Strength.CERTIFIED, False, "certified"),
    ],
)
def test_what_a_test_may_say(kind, outcome, strength, complete, becomes):
    relation = kind(lambda: [Evidence("symbolic", outcome, strength, "I say so")], complete)
    assert word(judged(relation)) == (str(outcome), becomes)


def test_a_sample_is_at_most_supported():
    relation = Property(list)
    sampled = [Evidence("sampled", Outcome.HOLDS, Strength.CERTIFIED, "of a sample")]
    assert word(judged(relation, sampled=lambda: sampled)) == ("holds", "supported")


def test_balls_that_agree_do_not_hide_a_small_factor():
    for tiny in ("10^(-200)", "10^(-2000)", "exp(-1500)"):
        relation = claim("demo/x", f"gamma(n + 1) = gamma(n)*n*(1 + {tiny}) for n >= 1", source="demo, 1").relation
        assert word(judged(relation)) in REFUTED, tiny


def test_a_term_that_vanishes_on_the_whole_grid_is_seen_between_its_points():
    grid = range(1, 6)
    hidden = "*".join(f"(n - {k})" for k in grid)
    relation = claim("demo/x", f"gamma(n + 1) + {hidden}*(n - 10^6) = gamma(n + 1) for n >= 1", source="demo, 1").relation
    domain = replace(relation.domain, grid=tuple({"n": Fraction(k)} for k in grid))
    assert word(judged(replace(relation, domain=domain))) in REFUTED


def test_points_outside_the_domain_are_refused():
    for where, at in (("n >= 2", "1"), ("whole n >= 1", "3/2")):
        file = f'[paper]\nkey = "me"\n[claim.lemma-1]\nsays = "n <= n + 1"\nfor = "{where}"\nat = "n in {{{at}, 5}}"\n'
        (made,) = read_claims(file, "me.toml").claims
        assert "is not in the domain" in made.relation.reason


def test_a_counterexample_is_looked_for_between_whole_numbers_only_where_that_is_meant():
    assert word(ask("sin(pi*n)^2 + m <= m for n >= 1, m >= 1")) not in REFUTED
    assert word(ask("sin(pi*x)^2 + y <= y for x >= 1, y >= 1")) in REFUTED


@pytest.mark.parametrize(
    "statement",
    ["sin(pi*n*(n+1)/2) -> 0", "floor(n/2) + floor((n+1)/2) - n -> 0", "floor(sqrt(n^2+1)) - n -> 0", "floor(2*n) - 2*n -> 0"],
)
def test_what_hangs_on_a_whole_letter_is_asked_back(statement):
    assert word(ask(statement, to="n->oo")) == ("undecided", "none")
    assert ask(statement, to="real n->oo").outcome == "refuted"
    assert ask(statement, to="integer n->oo").outcome != "refuted"


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("k*(k-1) >= 0", "0 <= k <= 1"), ("x*(k-1)*(k-2) >= 0", "1 <= k <= 2, x > 0"), ("(2*k-1)^2 >= 1", "0 <= k <= 1"),
        ("k^2 <= k", "0 < k < 2"), ("k^2 = k", "0 <= k <= 1"), ("n*(n-1)*(n-2) >= 0", "0 < n < 3"),
        ("y*m*(m-1) >= 0", "y >= 1, 0 <= m <= 1"),
    ],
)  # fmt: skip
def test_a_whole_letter_of_a_short_range_is_asked_back(statement, where):
    """What fails between the whole numbers of a short range alone fails no more than over a long one."""
    verdict = ask(f"{statement} for {where}")
    assert (verdict.outcome, len(verdict.asked_back)) == ("undecided", 1)
    letter = verdict.asked_back[0]
    assert ask(f"{statement} for {where}, real {letter}").outcome == "refuted"
    assert ask(f"{statement} for {where}, whole {letter}").outcome == "holds"


@pytest.mark.parametrize("statement", ["k^2 < k/2 for 0 < k < 1", "k*(k-1) >= 1 for 0 <= k <= 1", "x*k < x for 0 <= k <= 1, x > 0"])
def test_what_fails_for_whole_letters_too_is_refuted(statement):
    """Or has no whole values."""
    assert word(ask(statement)) in REFUTED


@pytest.mark.parametrize("statement", ["sin(pi*n) = 0", "floor(2*n) = 2*n", "gamma(n) = gamma(floor(n))"])
def test_identities_of_whole_letters_alone_are_asked_back(statement):
    assert ask(f"{statement} for n >= 1").outcome == "undecided"
    assert ask(f"{statement} for real n >= 1").outcome != "holds"
    assert ask(f"{statement} for integer n >= 1").outcome == "holds"


@pytest.mark.parametrize(
    ("statement", "assume", "outcome"),
    [
        ("n = O((a-1)*n)", ["a>0"], "refuted"),
        ("(a-1)*n + log(n) ~ (a-1)*n", ["a>0"], "refuted"),
        ("(exp(a)-2)*n + 1 ~ (exp(a)-2)*n", ["0<a<1"], "undecided"),
        ("(a^2-2*a*b+b^2)*n + 1 = Theta(n)", ["a>0", "b>0"], "refuted"),
        ("(exp(a)-1)*n + 1 ~ (exp(a)-1)*n", ["a>0"], "holds"),
    ],
)
def test_a_coefficient_that_vanishes_somewhere(statement, assume, outcome):
    assert ask(statement, to="n->oo", assume=assume).outcome == outcome


def test_a_number_of_many_digits_is_told_from_the_constant_that_it_rounds():
    euler = "0.57721566490153286060651209008240243104215933593993"
    assert word(ask(f"harmonic(n) - log(n) -> {euler}", to="n->oo")) == ("refuted", "proved")
    assert word(ask("Sum(k,(k,1,n)) = n*(n+1)/2 + exp(-10^6*n) for n >= 1")) == ("refuted", "proved")


@pytest.mark.parametrize("factor", ["harmonic(x)", "factorial(x)", "binomial(x,2)", "gamma(x)", "1"])
def test_nothing_but_the_reading_makes_a_variable_whole(factor):
    """H_x, x! and binomials are defined for real x: one judge of what is whole, and every route believes it."""
    assert ask(f"{factor}*sin(pi*x) -> 0", to="x->oo").outcome == "refuted"
    assert ask(f"{factor}*(x-floor(x)) = o(1)", to="x->oo").outcome == "refuted"
    assert ask(f"{factor}*sin(pi*x)^2 <= 0 for x >= 1").outcome == "refuted"
    assert ask(f"{factor}*(x-1)*(x-2) >= 0 for x >= 1").outcome == "refuted"


@pytest.mark.parametrize("function", ["harmonic(n)", "factorial(n)", "binomial(n,2)"])
def test_a_letter_that_is_read_as_whole_says_so_and_may_be_declared_real(function):
    verdict = ask(f"{function}*sin(pi*n) -> 0", to="n->oo")
    assert (verdict.outcome, verdict.reading[0].split(" (")[0]) == ("holds", "n whole")
    assert ask(f"{function}*sin(pi*n) -> 0", to="real n->oo").outcome == "refuted"


def test_a_sum_of_terms_of_very_different_size_is_compared_where_it_can_be():
    for true in ("(2^n+1)*(2^n-1) = 4^n - 1", "factorial(n+1) = (n+1)*factorial(n)"):
        assert ask(f"{true} for n >= 1").outcome == "holds"
    assert ask("(2^n+1)*(2^n-1) = 4^n - 1 + 2^(-n^2) for n >= 1").outcome == "refuted"


@pytest.mark.parametrize(
    ("statement", "to"),
    [
        ("log((-1)^n) = Theta(log(n)) and 1/n -> 0", "integer n->oo"),
        ("1/n -> 0 and log((-1)^n) = Theta(log(n))", "integer n->oo"),
        ("log(x) <= x and x <= 0 for x > -1", None),  # the second part fails, and the first means nothing
        ("x <= 0 and log(x) <= x for x > -1", None),
    ],
)
def test_a_conjunction_with_a_part_without_meaning_is_not_asked(statement, to):
    verdict = ask(statement, to=to)
    assert word(verdict) == ("undecided", "none") and "no meaning" in verdict.reason


@pytest.mark.parametrize(
    "text",
    ["Sum(k*m, (k_, 1, 2), (k, 1, 3)) = {}*m for whole k >= 1, m = k", "Sum(m*k_, (k, 1, 2), (k_, 1, 3)) = {}*m for whole k_ >= 1, m = k_"],
)
def test_what_is_put_for_a_tied_variable_is_captured_by_no_range(text):
    assert word(ask(text.format(12))) == ("holds", "proved")
    assert word(ask(text.format(9))) in REFUTED


@pytest.mark.parametrize(
    ("statement", "strength"),
    [
        ("log(n)/n is largest at n = 3 for whole n >= 1", "proved"),
        ("log(n)/n is largest at n = 3 for whole n >= 1, n <= 10^6", "proved"),
        ("n^(1/n) is largest at n = 3 for whole n >= 2", "supported"),  # derived alone, and 3 >= 2 by balls
        ("x*(1 - x) is largest at x = 1/2 for 0 < x < 1", "proved"),
        ("n^2 = 4 iff n = 2 for n in 0..6", "proved"),
    ],
)
def test_a_certified_part_does_not_certify_the_parts_that_are_only_derived(statement, strength):
    """Of several parts the weakest speaks for all, each for what it is worth without a theorem where there is none."""
    assert word(ask(statement)) == ("holds", strength)


@pytest.mark.parametrize(
    "statement",
    [
        "p^n = o(1) uniformly in 0 < p < 1",  # at p = 1 - 1/n
        "n*p*(1 - p)^n = o(1) uniformly in 0 < p < 1",  # at p = 1/n
        "n*x/(1 + n^2*x^2) = o(1) uniformly in 0 <= x <= 1",
        "n^a = o(n) uniformly in 0 < a < 1",
        "(1 - x/n)^n = exp(-x) + O(1/n^2) uniformly in 0 < x < n",  # at x = 1
    ],
)
def test_uniformly_is_also_asked_of_what_tends_to_an_end_of_a_real_range(statement):
    assert word(ask(f"{statement} as n -> oo"))[0] == "refuted"
    assert word(ask("n*p*(1 - p)^n = O(1) uniformly in 0 < p < 1 as n -> oo"))[0] == "holds"


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("exp(-n*(x - 1/3)^2) -> 0 uniformly in 0 <= x <= 1", "refuted"),  # 1 at x = 1/3
        ("exp(-n*(x - 1/3)^2) = O(1) uniformly in 0 <= x <= 1", "holds"),
        ("exp(-n)*n^k/k! = o(1/sqrt(n)) uniformly in whole k, 0 <= k <= 3*n", "refuted"),  # at k = n
        ("exp(-n)*n^k/k! = O(1/sqrt(n)) uniformly in whole k, 0 <= k <= 3*n", "holds"),
        ("n^(1/3)*x*exp(-n*x^3) -> 0 uniformly in 0 <= x <= 1", "refuted"),  # 1/e at x = n^(-1/3)
        ("binomial(n, k)/2^n = o(1/sqrt(n)) uniformly in whole k, 0 <= k <= n", "refuted"),
        ("exp(-n*(x - 1/sqrt(7))^2) -> 0 uniformly in 0 <= x <= 1", "undecided"),  # no simple number: nothing is said
        ("1/n + exp(-n^8*(x - 1/pi)^2) -> 0 uniformly in 0 <= x <= 1", "undecided"),  # no grid sees its peak
        ("x/n + exp(-n^4*(x - 1/log(n))^2) -> 0 uniformly in 0 <= x <= 1", "undecided"),
        ("log(n)*x/(1 + log(n)^2*x^2) -> 0 uniformly in 0 <= x <= 1", "undecided"),  # 1/log(n) is no power
        ("n*(4*x*(1 - x))^(n^2)*(x - 1/2) -> 0 uniformly in 0 <= x <= 1", "undecided"),  # two peaks beside 1/2
        ("i/n -> 0 uniformly in whole i, 1 <= i <= k/2 as whole n -> oo for whole k >= 1", "undecided"),
    ],
)
def test_what_is_said_uniformly_is_asked_where_it_is_worst_or_left_open(statement, outcome):
    found = ask(statement if " as " in statement else f"{statement} as n -> oo")
    assert word(found)[0] == outcome
    assert found.strength.value != "proved" or outcome == "refuted"


@pytest.mark.parametrize(
    ("equation", "outcome"),
    [
        ("(x - 1)^2*(x - 2) = 0 has one root x in (0, 3)", "refuted"),  # at 1 it does not change its sign
        ("pi*(x - 1)^2*(x - 2) = 0 has one root x in (0, 3)", "refuted"),
        ("(x - 1/3)*(x - 1/3 - 10^(-60)) = 0 has one root x in (0, 1)", "refuted"),
        ("(x - 1/3)^2 + 10^(-100) = 0 has one root x in (0, 1)", "refuted"),
        ("(x - 1)*(x - 3) = 0 has one root x in (1, 3)", "refuted"),
        ("(x^2 - 2)^2 = 0 has one root x in (0, 3)", "holds"),
        ("x^3 = 3 has one root x in (0, oo)", "holds"),
    ],
)
def test_the_different_roots_of_a_polynomial_are_counted(equation, outcome):
    assert word(ask(equation))[0] == outcome


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("n^2 = 4 iff n = 2 for whole n", "refuted"),  # at -2
        ("x^2 >= x if x >= 1/2 for x > 0", "refuted"),  # at 3/4
        ("x^2 > 1/100 if x > 1/11 for x > 0", "refuted"),
        ("x^2 > x if x >= 1 for x > 0", "refuted"),
        ("x^2 >= x if x >= 1 for x > 0", "holds"),
    ],
)
def test_a_conditional_is_tried_next_to_its_numbers(statement, outcome):
    assert word(ask(statement))[0] == outcome


def test_a_short_open_range_has_room_for_two_points():
    assert word(ask("x*(1 - x) is increasing in x for 0 < x < 1/2")) == ("holds", "proved")
    assert word(ask("x*(1 - x) is increasing in x for 0 < x <= 0.51")) == ("refuted", "certified")


@pytest.mark.parametrize(("statement", "to"), [("harmonic(n) ~ log(n)", "n->oo"), ("n^2 <= 2^n for whole n >= 4", None)])
def test_an_answer_grows_and_what_comes_early_is_never_called_proved(statement, to):
    early = []
    last = ask(statement, to=to, so_far=early.append)
    assert early and last.strength is Strength.PROVED
    assert all(one.outcome is last.outcome and one.strength is Strength.SUPPORTED for one in early)
    assert all(one.certificate is None and one.reading == last.reading for one in early)


@pytest.mark.parametrize(("statement", "to"), [("harmonic(n) ~ 2*log(n)", "n->oo"), ("n(n - 1) >= 0 for n in 0..1", None)])
def test_what_is_undecided_or_asked_back_is_not_told_early_as_anything_else(statement, to):
    early = []
    last = ask(statement.replace("n(", "n*("), to=to, so_far=early.append)
    assert all(one.outcome is last.outcome for one in early)


@pytest.mark.parametrize("statement", [
    "x+y >= 45/10 for x > 0, y > 0, x*y = 5", "x+y >= 2*sqrt(5)*(1+10^-200) for x > 0, y > 0, x*y = 5",
    "x+y+z >= 3.9 for x > 0, y > 0, z > 0, x*y*z = 2", "x^2 - y <= 10^-3 for x > 0, y > 0, x + y = 2",
])  # fmt: skip
def test_few_points_of_a_domain_with_an_equality_uphold_nothing(statement):
    assert ask(statement).outcome != "holds"
