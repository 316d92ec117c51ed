"""One number for all of a domain, and one for each: two statements, which are never taken for one another."""

from __future__ import annotations

import pytest

from asymp import check, claim
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import RULES, apply
from asymp.language.conditions import read_conditions
from asymp.language.elaborate import Setting, closed
from asymp.language.names import definition
from asymp.language.numbers import ParseError
from asymp.language.statement import Throughout, is_asymptotic, read_statement
from asymp.latex.read import read
from asymp.latex.source import Unreadable
from asymp.prove.claims import theorem


def verdict(text):
    return check(claim("my/some", text, source="me, eq. (1)"))


HOLD = (
    "log(x) <= C*x for x > 0 for some C > 0",
    "sin(x) <= C for real x for some C < 2",
    "a*n <= C*n^2 for whole n >= 1 for some real C for a > 0",
    "x + 1 = C + x for real x for some real C",
    "exp(x) - 1 <= C*x for 0 <= x <= 1 for some C > 0",
    "k <= C for k in {1, 2, 5} for some C > 0",
    "n^(-s) -> C as whole n -> oo for s > 1 for some real C",
)
FAIL = (
    "n^2 <= C*n for whole n >= 1 for some real C",
    "1/x <= C for x > 0 for some C > 0",
    "log(x) >= C for x > 0 for some real C",
    "n >= C*n^2 for whole n >= 1 for some C > 0",
    "x = C for x > 0 for some real C",
    "(1 + 1/n)^n <= C for whole n >= 1 for some C < 5/2",
    "n^s -> C as whole n -> oo for s > 1 for some real C",
)


@pytest.mark.parametrize("text", HOLD)
def test_a_number_for_all_is_found(text):
    assert (str(verdict(text).outcome), str(verdict(text).strength)) == ("holds", "proved")


@pytest.mark.parametrize("text", FAIL)
def test_where_there_is_none_it_is_refuted(text):
    assert (str(verdict(text).outcome), str(verdict(text).strength)) == ("refuted", "proved")


@pytest.mark.parametrize("text", HOLD + FAIL)
def test_it_is_printed_and_read_again(text):
    statement = closed(read_statement(text), Setting())
    again = read_statement(str(statement))
    assert canonical(again) == canonical(statement) and isinstance(again.body, Throughout) and not is_asymptotic(again.body)


@pytest.mark.parametrize("text", [
    "n <= C*n^2 for some C > 0 for whole n >= 1", "harmonic(n) <= C*log(n) for some real C for whole n >= 2", "x <= C for some C > 0 for x > 0",
])  # fmt: skip
def test_one_for_each_is_neither_taken_for_one_for_all_nor_refuted_by_a_guess(text):
    """An unlisted number was tried at 1, 2, 3, as if of all values it were said."""
    assert str(verdict(text).outcome) != "refuted"
    before, _, behind = text.partition(" for some ")
    number, _, domain = behind.partition(" for ")
    other = f"{before} for {domain} for some {number}"
    assert canonical(read_statement(other)) != canonical(read_statement(text))


@pytest.mark.parametrize("text", ["n*(n-1) >= C for 0 <= n <= 1 for some C >= 0", "1/n <= C for n > 0 for some C > 0"])
def test_what_fails_for_real_values_alone_is_not_refuted_of_a_letter_that_may_be_whole(text):
    assert str(verdict(text).outcome) == "undecided"
    assert str(verdict(text.replace("for ", "for real n, ", 1)).outcome) == "refuted"
    assert str(verdict(text.replace("for ", "for whole n, ", 1)).outcome) == "holds"


def test_the_order_of_quantifiers_is_the_order_of_the_words():
    assert str(verdict("k^2 = n for some k in 0..3 for n in {0, 1, 4}").outcome) == "holds"
    assert str(verdict("k^2 = n for n in {0, 1, 4} for some k in 0..3").outcome) != "holds"


@pytest.mark.parametrize(("text", "why"), [
    ("x <= C for C > 0 for some C > 0", "stands for others"), ("x <= C for some C > 0 for x > 0 for some C > 0", "stands for others"),
    ("x <= C for x > 0 for some C > x", "may not depend on x"), ("x <= C for x > 0 for some C > q", "may not depend on x"),
    ("x <= C for x > 0 for some C > 0 for some D > 0", "a second condition"), ("n <= C for a > 0 for some C > 0 as n -> oo", "stands before"),
    ("x <= C for x > 0 for some C > 0 uniformly in x > 0", "stands before"),
])  # fmt: skip
def test_what_has_no_order_is_refused(text, why):
    with pytest.raises(ParseError, match=why):
        closed(read_statement(text), Setting(names=dict([definition("q", "1 + x")])))


def test_of_a_parameter_the_number_may_depend_and_of_the_domain_not():
    setting = Setting({"a": read_conditions("a > 0")})
    found = closed(read_statement("a*n <= C*n^2 for whole n >= 1 for some real C"), setting)
    assert str(found) == "a*n <= C*n^2 for whole n >= 1 for some real C for a > 0"


def test_what_is_declared_elsewhere_leaves_no_order_open():
    setting = Setting({"n": read_conditions("whole, >= 1", "n")})
    with pytest.raises(ParseError, match="one for all, or one for each"):
        closed(read_statement("n^2 <= C*n for some C > 0"), setting)
    with pytest.raises(ParseError, match="one for all, or one for each"):
        claim("my/some", "n^2 <= C*n for some C > 0", assume="n >= 1", source="me, eq. (1)")
    assert str(closed(read_statement("k^2 = n for some k in 0..n"), setting)) == "k^2 = n for some k in 0..n for whole n >= 1"
    assert closed(read_statement("n <= C*n for some C > 0 as n -> oo"), setting).some


# --- the kernel -----------------------------------------------------------------------------------


def shown(text):
    return theorem(read_statement(text), True)


def refuted(text):
    return theorem(read_statement(text), False)


@pytest.mark.parametrize(("premise", "statement", "value"), [
    ("n + 3 <= 4*n for whole n >= 1", "n + 3 <= C*n for whole n >= 0 for some real C", "4"),  # another domain
    ("n + 3 <= 4*n for whole n >= 1", "n + 3 <= C*n for whole n >= 1 for some real C", "5"),  # another number
    ("n <= n*n for whole n >= 1", "n <= C*n for whole n >= 1 for some real C", "n"),  # of what it is the same for
    ("n <= 4*n for whole n >= 1", "n <= C*n for whole n >= 1 for some C > 4", "4"),  # what is said of it
    ("n <= 3/2*n for whole n >= 1", "n <= C*n for whole n >= 1 for some whole C", "3/2"),
    ("a*n <= a*n for whole n >= 1, a > 0", "a*n <= C*n for whole n >= 1, a > 0 for some C > 0", "a"),
    ("n <= 4*n for whole n >= 1", "n <= C*n for whole n >= 1 for some C > 0, D > 0", "4"),
    ("n <= 4*n for whole n >= 1", "n <= C*n for some C > 0 for whole n >= 1", "4"),  # that is another statement
])  # fmt: skip
def test_no_theorem_of_a_number_that_is_not_one_for_all(premise, statement, value):
    with pytest.raises(Refused):
        apply("one for all", [shown(premise)], statement=statement, variable="C", value=value)


@pytest.mark.parametrize(("premise", "statement", "to"), [
    ("n^2 <= C*n for some real C as whole n -> oo", "n^2 <= C*n for whole n, 1 <= n <= 9 for some real C", "whole n -> oo"),
    ("n^2 <= C*n for some real C as whole n -> oo", "n^2 <= C*n for whole n >= 1 for some C > 0", "whole n -> oo"),
    ("x^2 <= C*x for some real C as real x -> oo", "x^2 <= C*x for whole x >= 1 for some real C", "real x -> oo"),
    ("x^2 <= C*x for some real C as x -> oo", "x^2 <= C*x for x > 0, x < 2 for some real C", "x -> oo"),
    ("1/x <= C for some real C as x -> 0+", "1/x <= C for x > 1 for some real C", "x -> 0+"),
    ("1/x <= C for some real C as x -> 0+", "1/x <= C for x > 0 for some real C for a > 0", "x -> 0+"),
])  # fmt: skip
def test_no_refutation_by_what_is_outside_of_the_domain(premise, statement, to):
    with pytest.raises(Refused):
        apply("none for all", [refuted(premise)], statement=statement, variable="C", to=to)


def test_a_factor_is_refuted_by_both_of_its_premises():
    text = "n^2 <= C*n for some real C as whole n -> oo"
    below, order = shown("0 <= n^2 as whole n -> oo"), refuted("n^2 = O(n) as whole n -> oo")
    assert not apply("no factor", [below, order], statement=text, variable="C", by="above").holds
    for wrong in ([order, below], [below], [below, shown("n^2 = O(n^2) as whole n -> oo")]):
        with pytest.raises(Refused):
            apply("no factor", wrong, statement=text, variable="C", by="above")
    for by in ("positive", "below", "beside"):
        with pytest.raises(Refused):
            apply("no factor", [below, order], statement=text, variable="C", by=by)
    falls = "-n^2 <= C*n for some real C as whole n -> oo"  # which holds: what is negative is no bound from below
    with pytest.raises(Refused):
        refuted(falls)
    assert shown(falls)


def test_points_are_of_the_domain_and_what_is_used_follows():
    text = "x = C for x > 0 for some real C"
    low, high = {"x": "2", "sign": "<="}, {"x": "1", "sign": ">="}
    premise = shown("1 < C for real C, 2 <= C")
    assert not apply("no one number", [premise], statement=text, variable="C", points=[low, high]).holds
    for points in ([high], [high, low], [{"x": "-2", "sign": "<="}, high], [{"x": "2", "sign": "<"}, high], []):
        with pytest.raises(Refused):
            apply("no one number", [premise], statement=text, variable="C", points=points)


def test_no_other_rule_takes_it():
    """The body is of a class of its own: each rule refuses it, whatever premises it is given."""
    text = "x <= C for x > 0 for some C > 0"
    for name in sorted(RULES.keys() - {"one for all", "none for all", "no one number"}):
        with pytest.raises(Refused):
            apply(name, [], statement=text)


# --- LaTeX ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("latex", "text"), [
    (r"\exists C > 0\ \forall n \ge 1\colon n \le C n", "n <= C*n for n >= 1 for some C > 0"),
    (r"\forall n \ge 1, \exists C > 0: n \le C n", "n <= C*n for some C > 0 for n >= 1"),
    (r"\exists C > 0: n \le C n \text{ as } n \to \infty", "n <= C*n for some C > 0 as n -> oo"),
])  # fmt: skip
def test_quantifiers_of_latex_keep_their_order(latex, text):
    assert canonical(read(latex)) == canonical(read_statement(text))


@pytest.mark.parametrize("latex", [
    r"n \le C n \text{ for some } C > 0 \quad (n \ge 1)", r"\forall n \ge 1, n \le C n \text{ for some } C > 0",
    r"n \le C n \text{ for some } C > 0, n \ge 1", r"\exists C>0\ \forall n\ge 1\ \exists k > 2\colon n \le C k",
])  # fmt: skip
def test_what_says_no_order_is_not_read(latex):
    with pytest.raises(Unreadable):
        read(latex)
