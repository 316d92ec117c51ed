"""Cases, orderings, and the number of terms: an answer that hangs on something says on what, or splits."""

from __future__ import annotations

import pytest
import sympy as sp

from asymp.check.ask import ask
from asymp.check.expansion import expand_text
from asymp.enclosure import enclose
from asymp.kernel import terms
from asymp.language.statement import read_statement
from asymp.parse import parse_expression
from asymp.prove.expanding import Hangs
from asymp.prove.parting import Case, by_cases, by_path, by_sign

n, alpha = sp.symbols("n alpha", positive=True)


def same(text: str, expected: str) -> bool:
    return sp.simplify(parse_expression(text) - parse_expression(expected)) == 0


def shown(answer: dict) -> list[tuple[str, list[str]]]:
    return [(case.get("when", ""), case["terms"]) for case in answer.get("cases", [answer])]


# --- cases ---------------------------------------------------------------------------------------

CASES = {  # expression, assumptions, order -> when, terms (by hand)
    "which power is larger": (
        "n^(3-2*alpha)*log(n) + n^(1-alpha)", "alpha>1", 2, [
            ("alpha<2", ["n^(3-2*alpha)*log(n)", "n^(1-alpha)"]),
            ("alpha=2", ["log(n)/n", "1/n"]),
            ("alpha>2", ["n^(1-alpha)", "n^(3-2*alpha)*log(n)"]),
        ]),
    "a series in a power": (
        "1/(1+n^(1-a))", "a>0", 2, [
            ("a<1", ["n^(a-1)", "-n^(2*a-2)"]), ("a=1", ["1/2"]), ("a>1", ["1", "-n^(1-a)"]),
        ]),
    "a leading coefficient that vanishes": (
        "(a-1)*n + log(n)", "a>0", 1, [("a<1", ["(a-1)*n"]), ("a=1", ["log(n)"]), ("a>1", ["(a-1)*n"])]),
    "a denominator that vanishes": (
        "1/((a-1)*n + log(n))", "a>0", 1,
        [("a<1", ["1/((a-1)*n)"]), ("a=1", ["1/log(n)"]), ("a>1", ["1/((a-1)*n)"])]),
    "two parameters": (
        "n^a + n^b", "a>0, b>0", 2, [("a<b", ["n^b", "n^a"]), ("a=b", ["2*n^b"]), ("a>b", ["n^a", "n^b"])]),
    "two parameters in one condition": (
        "n^(a+b) + n^2", "a>0, 0<b<2", 1,
        [("a<2 - b", ["n^2"]), ("a=2 - b", ["2*n^2"]), ("a>2 - b", ["n^(a+b)"])]),
    "an exponential or a power": (
        "exp(-n^(1-a))", "a>0", 2, [("a<1", ["exp(-n^(1-a))"]), ("a=1", ["exp(-1)"]), ("a>1", ["1", "-n^(1-a)"])]),
    "no case where the first term is the same": (
        "1 + n^(1-a)", "a>1", 1, [("", ["1"])]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_answers_split_into_cases(name):
    expression, assume, order, expected = CASES[name]
    found = shown(expand_text(expression, to="n->oo", assume=assume, order=order))
    assert [when for when, _ in found] == [when for when, _ in expected]
    for (_, left), (_, right) in zip(found, expected, strict=True):
        assert len(left) == len(right)
        assert all(same(x, y) for x, y in zip(left, right, strict=True)), (left, right)


def test_the_ratio_of_incomplete_gamma_arguments_against_1():
    """Gamma(n, r n)/Gamma(n) -> 1, 1/2, 0 for r <, =, > 1 (DLMF 8.11.6, 8.11.12)."""
    cases = dict(shown(expand_text("uppergamma(n, r*n)/gamma(n)", to="n->oo", assume="r>0", order=1)))
    assert list(cases) == ["r<1", "r=1", "r>1"]
    assert cases["r<1"] == ["1"] and cases["r=1"] == ["1/2"]
    assert same(cases["r>1"][0], "exp(n - n*r + n*log(r))/(sqrt(2*pi*n)*(r-1))")


def test_what_is_undefined_at_a_value_of_a_parameter_says_at_which():
    assert "a - 1 != 0 is needed" in expand_text("1/(a-1) + log(n)", to="n->oo", assume="a>0", order=1)["refused"]
    assert expand_text("1/(a-1) + log(n)", to="n->oo", assume=["a>1"], order=1)["terms"] == ["log(n)"]


def test_what_no_case_answers_is_refused_as_a_whole():
    answer = expand_text("sin(n)*n^a + n^b", to="n->oo", assume="a>0, b>0", order=2)
    assert set(answer) == {"refused"} or all("refused" not in c or c["refused"] for c in answer["cases"])


@pytest.mark.parametrize("values", [{"alpha": "3/2"}, {"alpha": "2"}, {"alpha": "3"}])
def test_the_case_that_applies_follows_the_numbers(values):
    """Independent of the confirmation: the case is chosen by its words, the terms are read again."""
    text = "n^(3-2*alpha)*log(n) + n^(1-alpha)/(1+1/n)"
    answer = expand_text(text, to="n->oo", assume="alpha>1", order=1)
    x = sp.Rational(values["alpha"])
    (case,) = [c for c in answer["cases"] if {"<": x < 2, "=": x == 2, ">": x > 2}[c["when"][5]]]
    rest = (parse_expression(text) - parse_expression(case["terms"][0])) / parse_expression(case["remainder"]["growth"])
    at = {"alpha": x}
    small, large = (abs(float(enclose(rest.subs(alpha, x), {"n": 10**k, **at}, digits=6).value)) for k in (8, 100))
    assert large <= small + 1


def test_an_irrational_end_is_no_end():
    assert "no term that leads" in expand_text("n^(a^2) + n^(a+1)", to="n->oo", assume="a>0")["refused"]


@pytest.mark.parametrize(("coefficient", "domain", "expected"), [
    ("a - 1", "a > 0", ["a<1", "a=1", "a>1"]), ("2 - a", "a >= 2", ["a=2", "a>2"]), ("a*b - 2", "a > 0, b > 0", ["a<2/b", "a=2/b", "a>2/b"]),
    ("(a - 1)*(a + 3)*(a - 2)", "a > 3/2", ["a<2", "a=2", "a>2"]), ("a - 1", "whole a >= 1", ["a=1", "a>1"]), ("2*a - 1", "whole a >= 0", ["a<1/2", "a>1/2"]),
    ("a + 1", "a > 0", []), ("a^2 + a - 1", "a > 0", []), ("n - a", "a > 0", []), ("a - 1", "1 < a < 2", []),
])  # fmt: skip
def test_a_domain_is_parted_at_a_zero_inside_it(coefficient, domain, expected):
    statement = read_statement(f"f = O(1) as n -> oo for {domain}")
    found = list(by_sign(Case(statement), terms.read(coefficient)))
    assert [case.when for case in found] == expected
    for case in found:
        assert case.when.count("=") == 1 - ("a" in {x for c in case.statement.domain for x in c.mentioned})


def test_a_tie_takes_the_place_of_a_limit():
    statement = read_statement("f = O(1) as n -> oo, p -> 0+ for c > 0")
    ways = list(by_path(Case(statement), terms.read("n*p")))
    assert [str(way.statement) for way in ways] == [
        "f = O(1) as n -> oo, p -> 0+, n*p -> oo for c > 0", "f = O(1) as n -> oo, p = d/n for c > 0, d > 0",
        "f = O(1) as n -> oo, p -> 0+, n*p -> 0 for c > 0",
    ]  # fmt: skip
    for monomial in ("n*log(n)*p", "exp(n)*p", "n*c"):
        assert list(by_path(Case(statement), terms.read(monomial))) == []


def test_recursion_ends_and_the_reason_is_kept():
    def attempt(statement):
        raise Hangs("never", terms.read("(a - 1)*(a - 2)*(a - 3)"), along=False)

    with pytest.raises(Hangs, match="never"):
        by_cases(attempt, read_statement("f = O(1) as n -> oo for a > 0"))


# --- statements ----------------------------------------------------------------------------------

STATEMENTS = [
    ("n^(2-a) = O(n)", ["a>1"], "holds"),
    ("n^(2-a) = O(n)", ["a>0"], "refuted"),
    ("n^(2-a)*log(n) = O(n)", ["a>0"], "refuted"),
    ("n^(3-2*a)*log(n) + n^(1-a) = O(n^(1-a)*log(n))", ["a>1"], "refuted"),
    ("n^(3-2*a)*log(n) + n^(1-a) = O(n^(1-a)*log(n))", ["a>2"], "holds"),
    ("n^(3-2*a)*log(n) + n^(1-a) = o(1)", ["a>2"], "holds"),
    ("n^(3-2*a)*log(n) + n^(1-a) = O(n^(3-2*a)*log(n) + n^(1-a))", ["a>1"], "holds"),
    ("1/(1+n^(1-a)) = O(1)", ["a>0"], "holds"),
    ("n^a + n^b ~ n^a", ["a>0", "b>0"], "refuted"),
    ("n^a + n^b ~ n^a", ["a>1", "0<b<1"], "holds"),
]


@pytest.mark.parametrize(("statement", "assume", "outcome"), STATEMENTS)
def test_a_statement_holds_in_every_case_or_fails_in_one(statement, assume, outcome):
    verdict = ask(statement, to="n->oo", assume=assume)
    assert verdict.outcome == outcome, verdict.reason


def test_a_statement_is_not_proved_on_the_exact_tie_alone():
    """Between n/m -> 0 and n/m -> oo only n/m = c is a part: no proof for all paths."""
    assert ask("1/(n+m) ~ 1/n", to="n->oo, m->oo").outcome != "holds"
    assert ask("(1-p)^n -> exp(-c)", to="n->oo, p->0+, n*p->c", assume="c>0").strength == "proved"
    assert ask("(1-p)^n = exp(-c) + O(1/n)", to="n->oo, p->0+, n*p->c", assume="c>0").outcome != "holds"  # n p - c may be larger
    assert ask("(1-p)^n = exp(-c) + O(1/n)", to="n->oo, p=c/n", assume="c>0").outcome == "holds"


# --- orderings -----------------------------------------------------------------------------------

ORDERINGS = [  # expression, limit, first terms; by hand
    ("(1-p)^n", "n->oo, p->0+, n*p->0", ["1", "-n*p"]),
    ("(1-p)^n", "n->oo, p->0+, n*p->oo, n*p^2->0", ["exp(-n*p)", "-n*p^2*exp(-n*p)/2"]),
    ("(1-p)^n", "n->oo, n*p->c", ["exp(-c)"]),
    ("(1-p)^n", "n->oo, p->0+, p=c/n", ["exp(-c)", "-c^2*exp(-c)/(2*n)"]),
    ("1/(n+k)", "n->oo, k->oo, k/n->0", ["1/n", "-k/n^2"]),
    ("1/(n+k)", "n->oo, k->oo, k/n->oo", ["1/k", "-n/k^2"]),
    ("1/(n+k)", "n->oo, k=c*n", ["1/(n*(1+c))"]),
    ("1/(1+n*(1-x))", "n->oo, x->1-, n*(1-x)->oo", ["1/(n*(1-x))", "-1/(n^2*(1-x)^2)"]),
    ("1/(1+n*p)", "n->oo, n*p->0", ["1", "-n*p"]),
    ("1/(1+p*log(n))", "n->oo, p->0+, p*log(n)->0", ["1", "-p*log(n)"]),
    ("log(x)/(x-2)", "x->2+", ["log(2)/(x-2)", "1/2"]),
    ("sqrt(x^2+1)", "x->-oo", ["-x", "-1/(2*x)"]),
]


@pytest.mark.parametrize(("expression", "to", "terms"), ORDERINGS)
def test_several_variables_in_an_order(expression, to, terms):
    answer = expand_text(expression, to=to, assume=["c>0"] if "c" in to else [], order=2)
    assert len(answer["terms"]) == len(terms)
    real = {s.name: s for s in (sp.Symbol("x", real=True),)}
    for x, y in zip(answer["terms"], terms, strict=True):
        assert sp.simplify(parse_expression(x, real) - parse_expression(y, real)) == 0, (x, y)
    assert "fewer" in answer or len(terms) == 2


def test_free_paths_split_by_which_scale_wins():
    cases = shown(expand_text("1/(n+m)", to="n->oo, m->oo", order=2))
    assert [when for when, _ in cases] == ["n/m->oo", "n/m=c", "n/m->0"]
    assert cases[0][1] == ["1/n", "-m/n**2"] and cases[2][1] == ["1/m", "-n/m**2"]


# --- K terms -------------------------------------------------------------------------------------

MANY = [  # cancellation, and how many terms there must be
    ("harmonic(n) - log(n) - EulerGamma", 5, ["1/(2*n)", "-1/(12*n^2)", "1/(120*n^4)", "-1/(252*n^6)", "1/(240*n^8)"]),
    ("exp(1/n) - 1 - 1/n - 1/(2*n^2) - 1/(6*n^3)", 3, ["1/(24*n^4)", "1/(120*n^5)", "1/(720*n^6)"]),
    ("(1+1/n)^n - E*(1 - 1/(2*n))", 2, ["11*E/(24*n^2)", "-7*E/(16*n^3)"]),
    ("gamma(n+1/2)/gamma(n) - sqrt(n) + 1/(8*sqrt(n))", 2, ["1/(128*n^(3/2))", "5/(1024*n^(5/2))"]),
    ("1/(1-1/n) - 1/(1+1/n) - 2/n", 2, ["2/n^3", "2/n^5"]),
]


@pytest.mark.parametrize(("expression", "order", "terms"), MANY)
def test_as_many_terms_as_were_asked_for_survive_cancellation(expression, order, terms):
    answer = expand_text(expression, to="n->oo", order=order)
    assert all(same(x, y) for x, y in zip(answer["terms"], terms, strict=True)), answer
    assert "fewer" not in answer


def test_fewer_terms_come_with_the_reason():
    assert expand_text("n^2 + n", to="n->oo", order=5)["fewer"] == "exact: there are no more terms"
    assert "fewer" not in expand_text("n^2 + n", to="n->oo", order=2)
    floor = expand_text("n^2 + floor(n)", to="n->oo", order=5)
    assert len(floor["terms"]) == 2 and floor["fewer"].startswith("only 2 terms could be derived")
    assert "no term could be derived" in expand_text("floor(n) - n", to="n->oo")["refused"]


@pytest.mark.parametrize("order", [1, 3, 8, 20])
def test_products_of_series_have_their_terms_in_order(order):
    answer = expand_text("harmonic(n)^4", to="n->oo", order=order)
    assert len(answer["terms"]) == order
    ell, gamma = sp.Symbol("ell"), sp.EulerGamma
    power = sp.Poly(sp.expand((ell + gamma) ** 4), ell).all_coeffs()
    for k, coefficient in enumerate(power[: min(order, 5)]):
        assert sp.expand(parse_expression(answer["terms"][k]).subs(sp.log(n), ell) - coefficient * ell ** (4 - k)) == 0


@pytest.mark.parametrize(
    ("text", "assume", "expected"),
    [
        ("n^a + n", "a>=1", {"a=1": ["2*n"], "a>1": ["n**a", "n"]}),
        ("n^a + 1", "a>=1", {"": ["n**a", "1"]}),
        ("n^a + 1", "a>=0", {"a=0": ["2"], "a>0": ["n**a", "1"]}),
        ("n^(1-a) + 1/n", "0<=a<1", {"": ["n**(1 - a)", "1/n"]}),
        ("Sum(k^(-s), (k, 1, n))", "1<=s<=2", {"s=1": ["log(n)", "EulerGamma"], "s>1": ["zeta(s)", "-n**(1 - s)/(s - 1)"]}),
        ("Sum(x^k/k, (k, 1, n))", "0<x<=1", {"x<1": ["-log(1 - x)", "-x**(n + 1)/(n*(1 - x))"], "x=1": ["log(n)", "EulerGamma"]}),
    ],
)
def test_an_end_that_belongs_to_the_range_is_a_case_where_it_has_to_be(text, assume, expected):
    answer = expand_text(text, "n->oo", assume, order=2)
    found = {case.get("when", ""): case["terms"] for case in answer.get("cases", [answer])}
    assert found == expected


def test_two_closed_ranges():
    assert [when for when, _ in shown(expand_text("n^a + n^b", "n->oo", ["a>=1", "b>=1"]))] == ["a<b", "a=b", "a>b"]
