"""A statement is checked for meaning before it is checked for truth: what is refused, what is read as whole, what is kept."""

from __future__ import annotations

import math

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from asymp.cas import text as as_text
from asymp.check.ask import ask
from asymp.check.expansion import expand_text
from asymp.check.meant import meant, prove
from asymp.claim import Outcome, Strength
from asymp.kernel import terms
from asymp.kernel.facts.context import Context
from asymp.language.elaborate import Setting, closed
from asymp.language.parts import parts_of
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser, words
from asymp.meaning import Kind, Meaningless
from asymp.meaning.ground import Ground
from asymp.meaning.truth import Truth, every, some
from asymp.meaning.whole import whole_valued
from asymp.parse import ParseError, claim, parse_statement
from asymp.parse.mathematics import read_expression
from asymp.registry import claims
from benchmarks.soundness import meaning as bench

N = sp.Symbol("n", positive=True)


def read(text, to=None, assume=()):
    return meant(claim("me/x", text, to=to, assume=assume, source="me, 1"))


def refused(text, to=None, assume=()):
    with pytest.raises(Meaningless) as caught:
        read(text, to, assume)
    return caught.value


MEANINGLESS = [s for s in bench.statements() if s.true is None]
MEANINGFUL = [s for s in bench.statements() if s.true is not None]


def by_text(statement):
    return f"{statement.text} [{statement.to or ''}]"


@pytest.mark.parametrize("statement", MEANINGLESS[::5], ids=by_text)
def test_what_has_no_meaning_is_not_asked(statement):
    with pytest.raises((Meaningless, ParseError)):
        read(statement.text, statement.to, statement.assume)


@pytest.mark.parametrize("statement", MEANINGFUL[::2], ids=by_text)
def test_what_has_a_meaning_is_asked(statement):
    read(statement.text, statement.to, statement.assume)


@pytest.mark.parametrize(
    ("text", "to", "assume"),
    [
        ("cos(n*acos(2)) <= 1 for integer n >= 1", None, ()),
        ("cos(n*acos(x)) = O(1)", "n->oo", ("x>1",)),
        ("log(n-5) <= log(n-5)+1 for n >= 1", None, ()),
        ("Sum(1,(k,1,sqrt(n))) = sqrt(n) + o(1)", "n->oo", ()),
        ("Sum(2^k,(k,n,n-3)) ~ -3*2^n/4", "n->oo", ()),
        ("log(-n) - log(-n) -> 0", "n->oo", ()),
    ],
)
def test_no_verdict_without_meaning(text, to, assume):
    verdict = ask(text, to=to, assume=assume)
    assert (verdict.outcome, verdict.strength, verdict.evidence) == ("undecided", "none", ())
    assert verdict.reason.startswith("no meaning: ")


@pytest.mark.parametrize("text", ["Sum(1,(k,1,sqrt(n)))", "Sum(2^k,(k,n,n-3))", "log(-n)*0", "acos(2)/acos(2)", "sqrt(-n)^2"])
def test_expand_refuses_the_same(text):
    assert expand_text(text, "n->oo")["refused"].startswith("no meaning: ")


def test_the_place_and_the_kind_are_told():
    found = refused("log(n - 5) <= n for n >= 1")
    assert (found.place, found.kind) == ("log(n - 5)", Kind.UNDEFINED)
    assert str(found) == "log(n - 5) is not defined at n = 1: n - 5 > 0 is needed"
    assert refused("Sum(1,(k,1,n/2)) ~ n/2", "n->oo").kind is Kind.NOT_WHOLE
    assert refused("Sum(1,(k,n,1)) ~ n", "n->oo").kind is Kind.BACKWARDS
    assert refused("Sum(1,(k,1,p)) = O(1)", "p->0+").kind is Kind.EMPTY
    assert refused("tan(n) = O(n)", "real n->oo").kind is Kind.UNKNOWN


# --- whole variables --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "to", "whole"),
    [
        ("Sum(1/k,(k,1,n)) ~ log(n)", "n->oo", {"n"}),
        ("Sum(1/k,(k,1,floor(x))) ~ log(x)", "x->oo", set()),
        ("Sum(1/k,(k,1,2*n+m)) ~ log(n)", "n->oo, m = n", {"n", "m"}),
        ("factorial(n) ~ n^n", "n->oo", {"n"}),
        ("gamma(n) ~ n^n", "n->oo", set()),
        ("harmonic(n) ~ log(n)", "n->oo", {"n"}),
        ("factorial(n/2) ~ n^n", "n->oo", set()),
        ("(-1)^n = O(1)", "n->oo", {"n"}),
        ("tan(n) = O(1)", "n->oo", {"n"}),
        ("sin(n) = O(1)", "integer n->oo", {"n"}),
        ("sin(n) = O(1)", "n->oo", set()),
        ("n^n >= 1 for n >= 1", None, set()),
        ("(-2)^n <= 4^n for n >= 1", None, {"n"}),
    ],
)
def test_which_variables_are_whole(text, to, whole):
    assert read(text, to).whole == whole


def test_a_real_variable_is_not_made_whole():
    assert read("factorial(n) = O(n^n)", "real n->oo").whole == frozenset()
    assert refused("(-1)^n = O(1)", "real n->oo").kind is not None
    assert refused("Sum(1,(k,1,n)) ~ n", "real n->oo").kind is Kind.NOT_WHOLE


def test_one_letter_may_mean_two_things():
    found = read("sin(pi*n) -> 0", "n->oo")
    assert found.ambiguous == {"n"} and found.hangs
    assert read("sin(pi*n) -> 0", "real n->oo").ambiguous == frozenset()
    assert not read("sin(pi*n) -> 0", "integer n->oo").hangs
    assert read("sin(pi*x) -> 0", "x->oo").ambiguous == frozenset()
    assert not read("factorial(n)/factorial(floor(n)) -> 1", "n->oo").hangs


@given(st.lists(st.fractions(min_value=-3, max_value=3, max_denominator=12), min_size=1, max_size=4))
def test_whole_values_of_polynomials(coefficients):
    poly = terms.read(" + ".join(f"({c})*n^{k}" for k, c in enumerate(coefficients, 1)) + f" + ({coefficients[0]})")
    values = [(sum(c * n**k for k, c in enumerate(coefficients, 1)) + coefficients[0]).denominator == 1 for n in range(12 * 12)]
    expected = Truth.ALWAYS if all(values) else Truth.FAILS if any(values) else Truth.NEVER
    assert whole_valued(poly, {"n"}) is expected


# --- domains -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("x >= 0 for x <= 5", "refuted"),
        ("x^2 >= 0 for x <= 5", "holds"),
        ("x^3 <= 125 for x <= 5", "holds"),
        ("x^2 + x + 1 > 0 for real x >= -10", "holds"),
        ("Abs(x) <= x for x >= -1", "refuted"),
        ("sign(x) >= 1 for x >= 0", "refuted"),
        ("x < 0 for x <= 0", "refuted"),
        ("x < 1 for x <= 0", "holds"),
        ("x^2 >= 2 for integer x <= -1", "refuted"),
        ("x^2 >= 1 for integer x <= -1", "holds"),
        ("x + y >= 0 for x >= -1, y >= 0", "refuted"),
    ],
)
def test_a_domain_is_not_cut_to_what_is_positive(text, outcome):
    assert ask(text).outcome == outcome


@pytest.mark.parametrize(
    ("text", "to", "assume"),
    [
        ("n = O(oo)", "n->oo", ()),
        ("oo <= n for n >= 1", None, ()),
        ("n >= 1 for n >= 5 and n <= 3", None, ()),
        ("n <= 5 for integer 0 < n < 1", None, ()),
        ("n <= 5 for integer n >= 1, real n <= 3", None, ()),
        ("n^a -> oo", "n->oo", ("a>1", "a<0")),
        ("n -> oo", "n->oo", ("n<1",)),
        ("n -> oo", "integer n->oo, real n->oo", ()),
    ],
)
def test_contradictions_are_refused_when_read(text, to, assume):
    with pytest.raises(ParseError):
        claim("me/x", text, to=to, assume=assume, source="me, 1")


def test_a_slip_of_the_pen_is_told():
    assert "b occurs in the conditions alone" in read("n^(2-a) = O(n^2)", "n->oo", ["a>0", "b>1"]).facts
    assert "m occurs in the conditions alone" in read("n >= 1 for n >= 1, m >= 2").facts


def test_kinds_can_be_said():
    assert parse_statement("n >= 1 for integer n >= 1").domain.whole == {"n"}


# --- the tools ----------------------------------------------------------------------------------


def test_truths_are_put_together():
    always, never, fails, unknown = Truth.ALWAYS, Truth.NEVER, Truth.FAILS, Truth.UNKNOWN
    assert every([]) is always and every([always, fails, unknown]) is fails and every([unknown, never]) is never
    assert some([]) is never and some([fails, fails]) is unknown and some([never, fails]) is fails
    assert some([fails, always]) is always


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3), st.fractions(min_value=0, max_value=50, max_denominator=1000))
def test_signs_hold_those_of_what_oscillates_and_jumps(a, b, c, x):
    text = f"({a})*sin(n) + ({b})*cos(2*n)^2 + ({c})*floor(n/2) + ({-c})*ceiling(n/3) + n/4"
    found = a * math.sin(x) + b * math.cos(2 * x) ** 2 + c * (x // 2) + c * (-x // 3) + x / 4
    signs = Ground(Context(pairs=((terms.ZERO, "<=", terms.name("n")),))).signs(terms.read(text))
    assert abs(found) < 1e-9 or math.copysign(1, found) in signs


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("binomial(x, y)", {-1, 0, 1}),  # at x = -8/5, y = -4/5 it is negative
        ("floor(x + 1)", {0, 1}),
        ("floor(x + 3) - 2", {0, 1}),
        ("floor(x + 3) - 1", {1}),
        ("floor(x + 3)", {1}),
        ("ceiling(x + 2)", {1}),
        ("exp(x) - exp(-1)", {1}),
        ("3 - exp(x - 5)", {-1, 0, 1}),
        ("log(x + 3) - log(2)", {1}),
        ("harmonic(x + 1)", {1}),
        ("sign(x + 1)", {1}),
        ("2 + (-1)^n", {1}),
        ("Sum(k - x, (k, 1, 3))", {-1, 0, 1}),
        ("Sum(k + x, (k, 1, 3))", {1}),
        ("Product(k + x, (k, 1, n))", {1}),
    ],
)
def test_signs_that_the_form_of_a_term_shows(text, signs):
    above = [(terms.number(-1), "<", terms.name(v)) for v in "xy"]
    assert Ground(Context(frozenset("n"), tuple(above)), frozenset("n")).signs(terms.read(text)) == signs


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("x^2+1 > 0 for real x", Truth.ALWAYS),
        ("x+2 > 0 for real x, x <= 5", Truth.FAILS),
        ("x+2 > 0 for real x, -1 <= x <= 5", Truth.ALWAYS),
        ("x^2-2*x+3/4 > 0 for whole x, 1 <= x", Truth.FAILS),
        ("2-x > 0 for whole x, x <= 1", Truth.ALWAYS),
    ],
)
def test_the_prover_takes_any_range(text, truth):
    assert prove(text) is truth


@pytest.mark.parametrize("text", ["-2*(n + 1)^2/log(n)!", "a - (b - c)/(d*e)", "(-n)^(-k)", "Sum(1/k, (k, 1, n))", "(a^b)^c", "-(a + b)"])
def test_a_tree_is_written_as_it_was_read(text):
    assert words(Parser(text).whole()) == text


@pytest.mark.parametrize("text", ["log(x)-log(x)", "cos(acos(x))", "0*log(x)", "log(x)/log(x)", "log(x)^0"])
def test_parts_are_those_of_the_text_and_not_of_its_value(text):
    value, parts = read_expression(text)
    assert not list(parts_of(Parser(as_text(value)).whole())) and parts


@pytest.mark.slow
def test_all_registered_claims_have_a_meaning():
    for registered in claims():
        meant(registered)


@pytest.mark.parametrize(
    ("text", "to", "assume"),
    [
        ("1/((a-1)*(a-2)*n + 1) -> 0", "n->oo", ("a>0",)),  # on either side of a = 1 and a = 2, and there
        ("Sum(1/k,(k,floor(1/p),floor(2/p))) -> log(2)", "p->0+", ()),
        ("Sum(1/(n-m),(k,m+1,n)) = 1 for whole m >= 0, whole n >= m", None, ()),  # where n = m there is no k
        ("1/log(n,10) <= 5 for n >= 2", None, ()),
        ("sqrt(log(n,2)) -> oo", "n->oo", ()),
        ("1/LambertW(x,-1) <= 0 for -1/4 <= x < 0", None, ()),
        ("log(2 + (-1)^n) = O(1)", "n->oo", ()),
        ("Sum(1/(n - 2*k + 1),(k,0,floor(n/2))) = O(n)", "n->oo", ()),
        ("gamma(1/2 - n) = O(1)", "integer n->oo", ()),
    ],
)
def test_what_the_kernel_sees_to_be_defined(text, to, assume):
    read(text, to, assume)


@pytest.mark.parametrize(
    ("text", "to", "assume", "kind"),
    [
        ("1/((a-1)*n) -> 0", "n->oo", ("a>0",), Kind.UNDEFINED),
        ("Sum(1/(n-m),(k,m,n)) >= 0 for whole m >= 0, whole n >= m", None, (), Kind.UNDEFINED),
        ("Sum(1/k,(k,floor(1/p),floor(2/p)-2)) -> log(2)", "p->0+", (), None),
        ("Sum(1/k,(k,floor(2/p),floor(1/p))) -> 0", "p->0+", (), Kind.BACKWARDS),
        ("log((-1)^n) = O(1)", "n->oo", (), Kind.UNDEFINED),
    ],
)
def test_what_is_not_defined_next_to_it(text, to, assume, kind):
    if kind is None:
        read(text, to, assume)
    else:
        assert refused(text, to, assume).kind is kind


def test_a_binomial_coefficient_of_what_is_not_whole_may_be_negative():
    """At x = -8/5, y = -4/5: y > -1 and x - y > -1 are not enough."""
    assert "binomial" in read("binomial(x, y)^(1/2) >= 0 for x >= -9/5, y > -1, x - y > -1").unsure
    assert not read("binomial(x, y)^(1/2) >= 0 for x > -1, y > -1, x - y > -1").unsure


DIVERGENT = """Integral(exp(t),(t,0,oo))
Sum(1,(k,1,oo))
Sum(1/k,(k,1,oo))
Sum(1/(k*log(k)),(k,2,oo))
Sum((-1)^k,(k,0,oo))
Sum(sin(k),(k,1,oo))
Sum(n^k,(k,0,oo))
Product(2,(k,1,oo))
Integral(1/t,(t,1,oo))
Integral(1/t,(t,0,1))
Integral(1/(1-t),(t,0,1))
Integral(t^(-2),(t,0,n))
Integral(exp(n*t),(t,0,oo))""".splitlines()


@pytest.mark.parametrize("total", DIVERGENT)
def test_what_diverges_has_no_meaning_also_where_it_cancels(total):
    for text in (f"0*{total} = O(1)", f"{total} ~ {total}", f"exp(-{total}) -> 0"):
        assert ask(text, to="n->oo").outcome == "undecided", text
    for text in (f"n + 0*{total} = n for n >= 1", f"{total} <= {total} for n >= 1"):
        assert ask(text).outcome == "undecided", text


@pytest.mark.parametrize(
    ("text", "to"),
    [
        ("Sum(exp(-k/n),(k,0,oo)) ~ n", "n->oo"),
        ("Integral(exp(-n*t)/(1+t),(t,0,oo)) ~ 1/n", "n->oo"),
        ("Sum(x^k/k,(k,1,oo)) ~ log(1/(1-x))", "x->1-"),
        ("Sum(1/(k+n)^2,(k,0,oo)) ~ 1/n", "n->oo"),
        ("Integral(1/sqrt(t),(t,0,1)) <= 3 for n >= 1", None),
    ],
)
def test_what_converges_is_answered(text, to):
    assert ask(text, to=to).outcome == "holds"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Sum(0/(k - 57), (k, 1, 100)) <= 1", "at k = 57"),
        ("Sum(0/(k - 57), (k, 1, 10^6)) <= 1", "not known whether"),
        ("Sum(Sum(0/(j + k - 150), (j, 1, 100)), (k, 1, 100)) <= 1", "at k = 50, j = 100"),
        ("0*Integral(log(t - 1), (t, 2, 0)) <= 5", "is not defined"),
        ("0*Integral(log(t - 1), (t, 0, 2)) <= 5", "is not defined"),
        ("n*0*Integral(1/(t - 2), (t, n, 1)) <= 5 for n in {1/2, 3}", "is not defined"),
    ],
)
def test_what_is_undefined_between_the_points_that_are_tried_has_no_meaning(text, said):
    verdict = ask(text)
    assert verdict.outcome is Outcome.UNDECIDED
    assert said in verdict.reason


@pytest.mark.parametrize(
    "text",
    [
        "Integral(log(t), (t, 2, 1)) <= 5",
        "Sum(1/(k + 1), (k, 1, 10^6)) <= 100",
        "Integral(1/t, (t, 2, n)) > 0 for whole n, 3 <= n <= 9",
        "Integral(1/t, (t, n, 1)) < 0 for n in {2, 3}",
    ],
)
def test_what_is_defined_there_keeps_its_verdict(text):
    assert ask(text).outcome is Outcome.HOLDS


def test_no_point_of_a_list_is_lost():
    """Where a sum's end or a letter makes a variable whole, a value that is not whole would not be looked at."""
    for text in ("Sum(1, (k, 1, n)) = n for n in {1/2, 1}", "(-1)^n = 1 for n in {1/2, 2}"):
        verdict = ask(text)
        assert verdict.outcome is Outcome.UNDECIDED and "n = 1/2" in verdict.reason
    assert ask("n! = 1 for n in {0, 1, 1/2}").outcome is Outcome.REFUTED
    assert ask("Sum(1, (k, 1, 2*n)) = 2*n for n in {1/2, 1}").strength is Strength.PROVED


def test_an_end_of_a_sum_is_whole_where_nothing_else_could_be():
    """Of Sum(1, (k, 1, 2*n)) n may be 1/2, and of no limit: a closed statement says whole n for n + c alone."""
    for text, whole in (
        ("Sum(1, (k, 1, n)) = n for n >= 1", True), ("Sum(k, (k, 3 - n, 5)) >= 0 for n >= 1", True),
        ("Sum(1, (k, 1, 2*n)) = 2*n for n >= 1", False), ("Sum(1, (k, 1, n + 1/2)) >= 0 for n >= 1", False),
        ("Sum(1, (k, 1, n)) = n for n in {1, 2}", False), ("Sum(Sum(1, (j, 1, k)), (k, 1, n)) >= 0 for n >= 1", True),
    ):  # fmt: skip
        assert ("whole n" in str(closed(read_statement(text), Setting()))) is whole, text


def test_signs_far_out_know_what_is_whole():
    """Of a sum up to n the kernel has a series where n is said to be whole, though n is a product of two quantities there."""
    from asymp.kernel.terms import read
    from asymp.language.statement import read_statement
    from asymp.meaning.limit import far_out

    regime = "n*p -> oo as {}n -> oo, p -> 0+, n*p -> oo"
    gap = read("Sum((1 - p)^b/b, (b, 1, n - 1)) - 5 - 1/(n*p)")
    assert far_out(read_statement(regime.format("whole "))).signs(gap) == {1}
    assert len(far_out(read_statement(regime.format(""))).signs(gap)) > 1
