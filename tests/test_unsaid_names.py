"""A name of which nothing is said is refused, in limits too, with what was probably meant; and no sign is printed for two things."""

import pytest

from asymp.check.ask import ask
from asymp.check.expansion import expand_text
from asymp.language.elaborate import Setting, closed
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.language.syntax import Parser
from asymp.language.tex import tex
from asymp.parse import claim, parse_expression
from asymp.symbolics import latex

UNSAID = (
    ("harmonic(n) - log(n) -> gamma", "n->oo", "write EulerGamma"),
    ("harmonic(n) - log(n) -> γ", "n->oo", "write EulerGamma"),
    ("harmonic(n) = log(n) + EulerGama + O(1/n)", "n->oo", "write EulerGamma"),
    ("harmonic(n) = log(n) + euler_gamma + O(1/n)", "n->oo", "write EulerGamma"),
    ("sqrt(n) -> infinity", "n->oo", "write oo"),
    ("sqrt(n) -> oo", "n->infinity", "write oo"),
    ("sqrt(n) -> oo", "n->inf", "write oo"),
    ("n! ~ sqrt(2*Pi*n)*(n/E)^n", "n->oo", "write pi"),
    ("(1 + 1/n)^n -> e", "n->oo", "write E"),
    ("n^a -> oo", "n->oo", "add 'for a > 0'"),
    ("a*n ~ a*n", "n->oo", "add 'for a > 0'"),
    ("n ~ n + 0*a", "n->oo", "add 'for a > 0'"),
    ("n*p -> c", "n->oo, p = c/n", "'for c > 0'"),
    ("(1 - p)^n -> exp(-c)", "n->oo, n*p->c", "'for c > 0'"),
    ("n*p -> 0", "n->oo, p = o(c/n)", "'for c > 0'"),
    ("i/n = O(1) uniformly in a <= i <= n as n -> oo", None, "add 'for a > 0'"),
    ("n > log for n >= 1", None, "log is a function"),
    ("x <= y for x >= 0", None, "add 'for y > 0'"),
)


@pytest.mark.parametrize(("text", "to", "hint"), UNSAID)
def test_it_is_refused_with_a_hint(text, to, hint):
    with pytest.raises(ParseError) as refused:
        claim("me/x", text, to=to, source="me, 1")
    assert hint in str(refused.value)


@pytest.mark.parametrize(("text", "to", "assume"), [
    ("n^a -> oo", "n->oo", ["a > 0"]), ("(1 - p)^n -> exp(-c)", "n->oo, n*p->c", ["c > 0"]), ("n*p -> 0", "n->oo, p = o(1/n)", []),
    ("i/n = O(1) uniformly in whole i, 1 <= i <= n as n -> oo", None, []), ("Sum(1/k, (k, 1, n)) ~ log(n)", "n->oo", []),
])  # fmt: skip
def test_what_is_said_or_bound_is_read(text, to, assume):
    assert claim("me/x", text, to=to, assume=assume, source="me, 1").closed


@pytest.mark.parametrize(("text", "hint"), [("harmonic(n) - gamma", "EulerGamma"), ("a*n", 'assume "a > 0"'), ("n - Pi", "write pi")])
def test_an_expansion_refuses_it_too(text, hint):
    with pytest.raises(ParseError) as refused:
        expand_text(text, to="n->oo")
    assert hint in str(refused.value)
    with pytest.raises(ParseError):
        expand_text(None, to="n->oo", equation=f"x*exp(x) = n + ({text})", unknown="x")


def test_a_variable_gamma_is_not_printed_as_the_constant():
    term = "gamma + EulerGamma + gamma(n)"
    assert tex(Parser(term).whole(), {}).split(" + ")[:2] == [r"\mathrm{gamma}", r"\gamma"]
    shown = latex(parse_expression("gamma + EulerGamma"))
    assert r"\mathrm{gamma}" in shown and r"\gamma" in shown.replace(r"\mathrm{gamma}", "")
    verdict = ask("harmonic(n) - log(n) -> gamma", to="n->oo", assume="gamma > 0")
    assert (verdict.outcome, verdict.strength) == ("refuted", "proved")


@pytest.mark.parametrize("text", ["floor(x) = x for real x in 0..3", "n = n for real n, n in 1..2", "n = n for whole n, real n"])
def test_one_kind_for_a_name(text):
    with pytest.raises(ParseError, match="cannot be"):
        closed(read_statement(text), Setting())
