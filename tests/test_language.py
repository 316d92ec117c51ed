"""The language of statements: what is read is what is printed, what is filled in, what is refused, and what it means."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import asymp
from asymp.check import check
from asymp.check.judge import searched
from asymp.claim import Claim, Outcome, Source, Strength
from asymp.kernel import terms
from asymp.kernel.terms import canonical
from asymp.language.conditions import read_conditions, text_of
from asymp.language.elaborate import Setting, closed, filled
from asymp.language.forms import CONDITIONS, FORMS, page
from asymp.language.meanings import CALLED
from asymp.language.names import definition, free_names, substitute, unfold
from asymp.language.numbers import ParseError
from asymp.language.setting import closed_texts, shown_closed
from asymp.language.source import ClaimsError
from asymp.language.statement import read_statement
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import DESCRIBED, Node, Parser, words
from asymp.language.value import NotExact, value
from asymp.parse.build import build
from asymp.parse.built import member
from asymp.parse.mathematics import FUNCTIONS, OPERATORS, parse_expression

LANGUAGE = Path(asymp.__file__).parent / "language"
FILES = {"setting", "source", "model", "bridges", "unreadable"}  # they read files of claims
# meaning asks of parts, known refuses; laws: X => Y alone; meant and hints say what may be typed in place of what is not read
OTHERS = {"tex", "statement_tex", "once", "parts", "known", "laws", "everyday", "meant", "hints"}
MOST_LINES = 4_325  # of what is trusted to say what a statement means


def verdict(text: str, setting: Setting | None = None, tried: str = ""):
    statement = closed(read_statement(text), setting or Setting())
    built = build(statement, (setting or Setting()).functions, read_conditions(tried) if tried else ())
    return check(Claim("me/x", Source("me", "1"), built.relation, str(statement), parts=built.parts))


def declared(**variables: str) -> Setting:
    return Setting({name: read_conditions(text, name) for name, text in variables.items()})


# --- it stands on its own --------------------------------------------------------------------------


def test_the_language_does_not_import_sympy():
    modules = sorted(f"asymp.language.{file.stem}" for file in LANGUAGE.glob("*.py") if file.stem != "__init__")
    script = f"import sys; sys.modules['sympy'] = None; sys.modules['flint'] = None; import {', '.join(modules)}"
    parents = "import types; import importlib.util as u; a = types.ModuleType('asymp'); "
    parents += f"a.__path__ = [{str(LANGUAGE.parent)!r}]; import sys; sys.modules['asymp'] = a; "
    found = subprocess.run([sys.executable, "-c", parents + script], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_the_language_stays_small():
    assert sum(len(file.read_text().splitlines()) for file in LANGUAGE.glob("*.py") if file.stem not in FILES | OTHERS) <= MOST_LINES


# --- every form, with its example --------------------------------------------------------------------


@pytest.mark.parametrize(("pattern", "meaning", "example"), FORMS, ids=[form[0] for form in FORMS])
def test_every_form_has_an_example_that_is_read_printed_and_holds(pattern, meaning, example):
    statement = read_statement(example)
    assert read_statement(str(statement)) == statement
    assert statement_tex(statement, {})
    assert asymp.check(example).outcome is Outcome.HOLDS


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("harmonic(n) ~ 2*log(n) as n -> oo", "refuted"),
        ("(1 + 1/n)^n -> 3 as n -> oo", "refuted"),
        ("i/n = o(1) uniformly in whole i, 1 <= i <= n as n -> oo", "refuted"),  # at i = n
        ("0 < x < 1 < x for 0 < x < 1/2", "refuted"),  # the last link alone
        ("x/(1+x) is decreasing in x for x > 0", "refuted"),
        ("(1 - 1/n)^n is decreasing in n for whole n >= 1", "refuted"),
        ("x*(1-x) is largest at x = 1/3 for 0 < x < 1", "refuted"),
        ("x*(1-x) is largest at x = 2 for 0 < x < 1", "refuted"),  # no place of the domain
        ("n^2 = 4 iff n = 3 for n in 0..6", "refuted"),
        ("n >= 3 if n >= 2 for n in 0..6", "refuted"),
        ("k^2 = n for some k in 0..3 for n in {0, 1, 5}", "refuted"),
        ("EulerGamma rounds to 0.5773", "refuted"),
        ("x^2 = 2 has one root x in (-2, 2)", "refuted"),
        ("x^2 = 2 has one root x in (2, 3)", "refuted"),
        ("x*(x-1)*(x-2) = 0 has one root x in (-1, 3)", "refuted"),
        ("x < 2 and x < 1 for 0 < x < 3/2", "refuted"),
    ],
)
def test_every_form_can_fail(text, outcome):
    assert verdict(text).outcome == outcome


def test_a_finite_domain_is_decided_and_a_universal_one_is_not():
    assert verdict("n^2 + n + 41 <= 2000 for n in 1..40").strength is Strength.CERTIFIED
    assert verdict("binomial(2*n, n) <= 4^n for whole n >= 1").strength is not Strength.CERTIFIED


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("i/n^2 = O(1/n) uniformly in whole i, 1 <= i <= n as n -> oo", Outcome.HOLDS),
        ("x^n -> 0 uniformly in 0 <= x <= 1/2 as n -> oo", Outcome.HOLDS),  # the size is below every float at n = 1,500
        ("i^2/n^2 - i^2/(n - 1)^2 -> 0 uniformly in whole i, 1 <= i < n as n -> oo", Outcome.HOLDS),
        ("exp(-n*(x - 1/3)^2) -> 0 uniformly in 0 <= x <= 1 as n -> oo", Outcome.REFUTED),
    ],
)
def test_ways_of_a_uniform_statement_never_prove_it(text, outcome):
    """Along the ends and where it is worst; by the ways alone, it stays open."""
    assert verdict(text).outcome in (Outcome.UNDECIDED, outcome)
    found = searched(member(read_statement(text), build(read_statement(text))))
    assert found.outcome is outcome
    assert found.strength is Strength.SUPPORTED or outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("n! = exp(n*log(n) - n + O(log(n)))", "holds"),
        ("n! = exp(n*log(n) - n + o(log(n)))", "refuted"),
        ("binomial(2*n, n) = 4^n*n^(-1/2 + o(1))", "holds"),
        ("binomial(2*n, n) = 4^n*n^(-1/2 + 10^(-200) + o(1))", "refuted"),
        ("exp(-n) = (1/2)^(n/log(2) + o(1))", "holds"),
        ("exp(-n) = (1/2)^(-n/log(2) + o(1))", "refuted"),
        ("-n = n^(1 + o(1))", "undecided"),  # a power is positive
        ("n = -exp(log(n) + o(1))", "undecided"),
        ("1/(n + sqrt(n)) = 1/(n + O(sqrt(n)))", "holds"),
        ("1/(n + sqrt(n)) = 1/(n + o(sqrt(n)))", "refuted"),
        ("log(n + 5) = log(n + O(1))", "holds"),
        ("log(n + log(n)) = log(n + O(1))", "refuted"),
        ("n! = ((1 + o(1))*n/E)^n", "holds"),
        ("n! = ((1 + o(1))*(1 + 10^(-200))*n/E)^n", "refuted"),
        ("n! = ((1 + o(1))*n/3)^n", "refuted"),
        ("n + sqrt(n) = (1 + o(1))^n", "holds"),
        ("2^sqrt(n)*2^n = (1 + o(1))^n", "refuted"),
        ("n^2 + n = ((1 + o(1))*(-n))^2", "holds"),
        ("n^3 + n = ((1 + o(1))*(-n))^3", "refuted"),
        ("2^(2*n) = ((1 + o(1))*(-2))^(2*n)", "undecided"),
        ("1 + 1/n = ((1 + o(1))*n)^(1 - 1)", "refuted"),
        ("sqrt(n + 5) = sqrt((1 + o(1))*n)", "holds"),
        ("n + sqrt(n) <= (1 + o(1))*n", "holds"),
        ("n + sqrt(n) <= (1 - 10^(-200) + o(1))*n", "refuted"),
        ("-n <= o(1)", "holds"),
        ("-n >= o(1)", "refuted"),
        ("harmonic(n) >= log(n) + O(1)", "holds"),
        ("sin(n) >= 1/2 + o(1)", "refuted"),
        ("n! <= n^(n + o(1))", "holds"),
        ("n! >= n^(n + O(1))", "refuted"),
        ("(1/2)^n <= (1/2)^(n - O(1))", "holds"),
        ("(1/2)^n <= (1/2)^(2*n + o(n))", "refuted"),
    ],
)
def test_an_order_inside_a_function_and_behind_an_inequality(text, outcome):
    """Each with a sibling that is false: another size, a constant of 10^-200, a sign, a base below 1."""
    assert asymp.check(text, to="n -> oo").outcome == outcome


# --- read and printed --------------------------------------------------------------------------------

NAMES = st.sampled_from(["n", "p", "x", "mu1", "k"])
TERMS = st.recursive(
    st.one_of(NAMES.map(lambda name: Node("name", 1, name)), st.integers(0, 30).map(lambda k: Node("number", 1, str(k)))),
    lambda inner: st.one_of(
        st.builds(lambda a, b, s: Node("sum", 1, "", (a, b), "+" + s), inner, inner, st.sampled_from("+-")),
        st.builds(lambda a, b, s: Node("product", 1, "", (a, b), "*" + s), inner, inner, st.sampled_from("*/")),
        st.builds(lambda a: Node("negative", 1, "", (a,)), inner),
        st.builds(lambda a, k: Node("power", 1, "", (a, Node("number", 1, str(k)))), inner, st.integers(0, 3)),
    ),
    max_leaves=12,
)


def plain(node: Node) -> tuple:
    """A tree without its columns."""
    return (node.kind, node.text, node.signs, *map(plain, node.parts))


@given(TERMS)
def test_a_term_that_is_printed_is_read_as_the_same_value(node):
    point = {"n": Fraction(3), "p": Fraction(2, 7), "x": Fraction(-5, 3), "mu1": Fraction(11), "k": Fraction(2)}
    again = Parser(words(node)).whole()
    assert words(Parser(words(again)).whole()) == words(again)
    try:
        found = value(node, point)
    except NotExact:
        with pytest.raises(NotExact):
            value(again, point)
        return
    assert value(again, point) == found
    sympy_point = {sp.Symbol(name, positive=True): sp.Rational(x.numerator, x.denominator) for name, x in point.items()}
    assert parse_expression(words(node)).subs(sympy_point) == sp.Rational(found.numerator, found.denominator)


@pytest.mark.parametrize(
    "text",
    [
        "whole n >= 2, 0 < p < 1",
        "n in 2..7, p in {1/2, 1/10}, (mu1, mun) in {(1, 1), (10, 1)}",
        "n -> oo, p -> 0+, n*p -> oo",
        "whole i, 1 <= i <= n",
        "p = omega(log(n)/n)",
        "n*p -> c",
        "real x > 0",
    ],
)
def test_conditions_are_printed_as_they_are_read(text):
    assert text_of(read_conditions(text)) == text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("mu ~", "ends too soon"), ("mu ~ 1/p ~ 2", "second relation"), ("n is blue", "is"),
        ("n = 1 for", "missing"), ("n = 1 for n >= 1 for n >= 2", "second condition"), ("f = O(n) - O(m)", "remainder"),
        ("n rounds to x", "number"), ("n in {1, 2} = 3", "relation"), ("f <= g uniformly in 1 <= i <= n", "limit"),
        ("x.y = 1", "dot"), ("__import__('os') = 1", ""), ("n = 1 for n in {1, (2, 3)}", "values"), ("n = 1 for n in {1", "}"),
        ("n = 1 for n in 1", "set"), ("lambda: 0 = 1", ""), ("n = 1 for whole", "which variable"), ("f(", ""), ("", "ends"), ("~", ""),
        ("ξ <= xi for ξ > 0, xi > 0", "one name"), ("ς = σ for ς > 0, σ > 0", "one name"), ("σ(n) = ς(n) for whole n", "one name"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_one_line_with_the_word(text, word):
    with pytest.raises(ParseError) as error:
        read_statement(text)
    assert word in str(error.value) and "\n" not in str(error.value)


def test_a_name_may_be_spelt_in_greek():
    assert str(read_statement("µ*gamma(γ) = μ + π - pi for μ > 0, γ > 0")).startswith("mu*gamma(gamma) = mu + pi - pi")


# --- what is filled in ---------------------------------------------------------------------------------


def test_what_is_filled_in_is_shown():
    setting = declared(n="whole, >= 1", p="0 < p < 1", mu1="> 0")
    shown = filled(read_statement("p^n <= mu1 for n >= 2"), setting)
    assert str(shown) == "p^n <= mu1 for whole n >= 2, 0 < p < 1, mu1 > 0"
    shown = filled(read_statement("p^n*mu1 -> 0 as n -> oo, p -> 1"), setting)
    assert str(shown) == "p^n*mu1 -> 0 as whole n -> oo, p -> 1- for mu1 > 0"


@pytest.mark.parametrize(
    ("text", "word"),
    [("x <= 2", "say for which x"), ("n <= p for p in {1/2, 3}", "p = 3"), ("p -> 0 as p -> 0, p -> 1", "two limits")],
)
def test_what_is_left_open_is_refused(text, word):
    with pytest.raises(ParseError, match=word):
        closed(read_statement(text), declared(n="whole, >= 1", p="0 < p < 1"))


def test_a_tie_of_a_domain_is_put_in_and_its_range_stays():
    setting = declared(n="whole, >= 1", p="0 < p < 1")
    assert str(closed(read_statement("n*p <= 1 for p = 1/n^2"), setting)) == "n*(1/n^2) <= 1 for whole n >= 1, 0 < 1/n^2 < 1"


# --- names ---------------------------------------------------------------------------------------------


def test_a_definition_captures_nothing():
    names = dict([definition("h(i)", "Sum(1/k, (k, 1, i))"), definition("s", "k + 1")])
    node = unfold(Parser("h(k) + Sum(s*j, (j, 1, k)) + Sum(s, (k, 1, 3))").whole(), names)
    assert free_names(node) == {"k"}
    # h(2) + s (1 + 2) + 3 s, with s = k + 1 of the free k = 2
    assert value(node, {"k": Fraction(2)}) == Fraction(3, 2) + 3 * 3 + 3 * 3


@given(st.integers(1, 6), st.integers(0, 5))
def test_substituting_is_evaluating(k, m):
    node = Parser("Sum(j*k + m, (j, 1, k)) - k*m").whole()
    put = substitute(node, {"k": Parser("m + 1").whole()})
    assert value(put, {"m": Fraction(m)}) == value(node, {"k": Fraction(m + 1), "m": Fraction(m)})
    assert value(node, {"k": Fraction(k), "m": Fraction(m)}) == k * k * (k + 1) // 2


CAPTURING = ("k", "k_", "k__", "j", "m")


def _nested(draw, depth):
    kind = draw(st.integers(0, 5))
    if depth == 0 or kind < 2:
        return draw(st.sampled_from([*CAPTURING, "2"]))
    if kind < 4:
        return f"({_nested(draw, depth - 1)} {'+*'[kind - 2]} {_nested(draw, depth - 1)})"
    names = draw(st.lists(st.sampled_from(CAPTURING), min_size=1, max_size=3))
    limits = ", ".join(f"({v}, {_nested(draw, depth - 1)}, {_nested(draw, 0)})" for v in names)
    return f"Sum({_nested(draw, depth - 1)}, {limits})"


@settings(max_examples=400)
@given(st.data())
def test_nothing_is_captured_whatever_bound_variables_are_called(data):
    """Against terms whose bound variables have no names; ranges of one sum, and names that end like those made here."""
    text, put, given_ = (_nested(data.draw, depth) for depth in (3, 1, 1))
    v = data.draw(st.sampled_from(CAPTURING))
    wanted = terms.substitute(terms.read(text), {v: terms.read(put)})
    assert terms.of(substitute(Parser(text).whole(), {v: Parser(put).whole()})) == wanted
    names = dict([definition(f"F({v})", text), definition("g", given_)])
    assert terms.of(unfold(Parser(f"F({put})").whole(), names)) == wanted


@pytest.mark.parametrize(
    ("names", "left", "value_"),
    [
        ({"F(x)": "Sum(k*x, (k_, 1, 2), (k, 1, 3))"}, "F(k)", "12*k"),
        ({"F(x)": "Sum(k*x, (k, 1, 3), (k_, 1, 2))"}, "F(k_)", "12*k_"),
        ({"F(j)": "j*Sum(Sum(k__, (k_, 1, 2), (k__, 1, 3)), (k__, 1, 1))", "D": "k_"}, "F(k)", "12*k"),
    ],
)
def test_a_sum_over_several_ranges_keeps_its_variables_apart(names, left, value_):
    node = unfold(Parser(left).whole(), dict(definition(*item) for item in names.items()))
    (v,) = free_names(node)
    assert value(node, {v: Fraction(5)}) == value(Parser(value_).whole(), {v: Fraction(5)})


@pytest.mark.parametrize(("names", "text"), [({"a": "a + 1"}, "a"), ({"a": "b", "b": "a"}, "a"), ({"f(x)": "x"}, "f(1, 2)"), ({"f(x)": "x"}, "f")])
def test_definitions_that_go_round_or_have_other_arguments_are_refused(names, text):
    with pytest.raises(ParseError):
        unfold(Parser(text).whole(), dict(definition(head, term) for head, term in names.items()))


# --- functions of a model --------------------------------------------------------------------------------


def test_a_function_of_the_model_is_evaluated_exactly_and_its_statement_can_fail():
    setting = Setting(functions={"cube": lambda n: n**3, "law": lambda n: {k: Fraction(1, n) for k in range(n)}})
    assert verdict("cube(n) = n^3 for n in 1..5", setting).strength is Strength.CERTIFIED
    assert verdict("cube(n) = n^3 + (n-1)*(n-2)*(n-3) for n in 1..5", setting).outcome is Outcome.REFUTED
    assert verdict("Sum(cube(k), (k, 1, n)) = (n*(n+1)/2)^2 for n in 0..6", setting).outcome is Outcome.HOLDS
    assert verdict("log(cube(n)) = 3*log(n) for n in 1..5", setting).outcome is Outcome.HOLDS
    assert verdict("cube(n) <= 2^n for n in 1..9", setting).outcome is Outcome.REFUTED
    assert verdict("law(n) = law(n + 0) for n in 1..4", setting).outcome is Outcome.HOLDS


def test_a_function_alone_is_no_statement():
    with pytest.raises(ParseError, match="relation"):
        verdict("log(n) for n in 1..3")


def test_a_function_of_the_model_has_no_expansion():
    with pytest.raises(ParseError, match="model"):
        verdict("cube(n) ~ n^3 as n -> oo", Setting(functions={"cube": lambda n: n**3}))


def test_a_condition_beside_the_ranges_keeps_points_out():
    found = verdict("x*y <= 1/4 for 0 < x < 1, 0 < y < 1, x + y <= 1")  # false on the square without the condition
    assert found.outcome is not Outcome.REFUTED
    assert verdict("x*y <= 1/5 for 0 < x < 1, 0 < y < 1, x + y <= 1").outcome is Outcome.REFUTED


def test_a_point_outside_the_domain_is_refused():
    with pytest.raises(ParseError, match="not in the domain"):
        verdict("n >= 1 for whole n >= 1", tried="n in {0, 1}")


# --- the page on the grammar -----------------------------------------------------------------------------


@pytest.mark.parametrize("example", [example for example, _ in CONDITIONS])
def test_every_condition_on_the_page_is_read(example):
    assert text_of(read_conditions(example)) == example


def test_the_page_has_every_form():
    text = page()
    assert all(form in text and str(read_statement(example)) in text for form, _, example in FORMS)


def test_a_variable_that_is_ordered_is_no_parameter():
    """1/(n p^2) -> 0 for every fixed p, and not for p = 1/sqrt(n)."""
    setting = declared(n="whole, >= 1", p="0 < p < 1")
    assert verdict("1/(n*p^2) -> 0 as n -> oo", setting).outcome is Outcome.HOLDS
    with pytest.raises(ParseError, match="say where p tends"):
        verdict("1/(n*p^2) -> 0 as n -> oo, n*p -> oo", setting)
    assert verdict("1/(n*p^2) -> 0 as n -> oo, p -> 0, n*p -> oo", setting).outcome is not Outcome.HOLDS
    assert verdict("n*p^2 -> 0 as n -> oo, p -> 0+, n*p -> c", declared(n="whole, >= 1", p="0 < p < 1", c="> 0")).outcome is Outcome.HOLDS


# --- what an attack found -------------------------------------------------------------------------------

NEVER_HOLDS = """
k*n -> oo as n -> oo for real k
k*n -> oo as n -> oo for k < 3
k^n -> 0 as n -> oo for k < 1
Abs(m) ~ m as n -> oo, m = -n
sign(m) -> 1 as n -> oo, m = -1/n
Abs(p) ~ p as n -> oo, p = o(1/n) for p < 0
n*p -> 0 as n -> oo, p = o(1/n) for p > 5
1 rounds to 0
0.58 rounds to 0.57
-0.58 rounds to -0.57
n^2 = 2 has one root n in (0, 2) for whole n
x^2 = 2 has one root x in (0, 2) for x > 3
x*(3-x) is largest at x = 3/2 for whole x, 0 <= x <= 3
x is largest at x = 9 for x in {1, 2, 3}
x^3 is largest at x = x for real x
x^2 is largest at x = 5 for x = y, 0 <= y <= 1
n - 10*floor(n/4) is increasing in n for whole n, n in {1, 5}
n - 100*floor(n/6) is increasing in n for whole n, 0 <= n <= 10, (n-1)*(n-2)*(n-7)*(n-8) = 0
k = 1/2 for some k in {1/2}, whole k for n in {1}
q ~ n/2 as n -> oo, q = -n/a for a in {-1/2}
n = O(1) as n -> oo for n in 1..3
n = O(1) as n -> oo for n = 5
p = 1 for whole n, 1 <= n <= 4, p = 1/n, p = 1/n^2
sqrt(-n) = sqrt(-n) if n >= 1 for n in 1..3
log(-n) = log(-n) iff n >= 1 for n in 1..3
Sum(k, (k, 1, n)) = 3 iff n = 2 for n in -3..3
sign >= 0 for sign >= -5, sign(3) <= 5
2 != 2
0*Sum(1/k, (k, 1, oo)) = 0 if n >= 1 for n in 1..2
x < 3 for 0 < x < pi
""".strip().splitlines()
NEVER_REFUTED = """
sin(x) > 0 for 0 < x < pi
x < 4 for 0 < x < pi
n^((k-3/2)^2) -> oo as n -> oo for whole k >= 1
n^k = o(n^(5/2)) as n -> oo for whole k, 0 < k <= 2
p^n = o(1) uniformly in 0 < p < 1/2 as n -> oo
sin(pi*i) = o(1) uniformly in whole i, 1 <= i <= n/2 as whole n -> oo
i/n = o(1) uniformly in whole i, 1 <= i <= n, i^2 <= n as n -> oo
(n-3)^2 is decreasing in n for whole n, n in 1..3
x is largest at x = n for whole x, whole n, 1 <= x <= n, n <= 4
floor(m) = m for whole m, m = n/2, whole n, 1 <= n <= 6
sin(pi*n) is nondecreasing in n for n >= 1
""".strip().splitlines()


def told(text: str, setting: Setting | None = None) -> str:
    try:
        return str(verdict(text, setting).outcome)
    except ParseError:
        return "refused"


@pytest.mark.parametrize("text", NEVER_HOLDS)
def test_a_false_or_empty_statement_never_holds(text):
    assert told(text) != "holds"


@pytest.mark.parametrize("text", NEVER_REFUTED)
def test_a_true_statement_is_never_refuted(text):
    assert told(text) != "refuted"


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ({"A": "B", "B": "k+1"}, "Sum(A, (k, 1, 3)) = 9 for k in 1..4"),
        ({"h(i)": "k*i"}, "Sum(h(1), (k, 1, 3)) = 6 for k in 1..4"),
        ({"B": "k+1"}, "Sum(1, (j, 1, B), (k, 1, 3)) = 9 for k in 1..4"),
        ({"q": "3", "h(q)": "q^2"}, "h(x) = 9 for x in 4..5"),
        ({"rho": "a/n"}, "rho -> 0 as n -> oo, rho -> 1-"),
        ({"r": "n/2"}, "floor(r) = r for whole r, n in 1..3"),
    ],
)
def test_definitions_capture_nothing_and_are_no_variables(names, text):
    assert told(text, Setting(names=dict(definition(head, term) for head, term in names.items()))) != "holds"


def test_a_name_is_a_term_in_the_variables():
    names = dict([definition("g", "a+1"), definition("u(a)", "g*a")])
    assert told("u(5) = 30", Setting(names=names)) == "holds"


@pytest.mark.parametrize("answer", [0.5, float("nan"), None, "1/2", sp.Float("0.5")])
def test_what_is_no_exact_number_decides_nothing(answer):
    setting = Setting(functions={"half": lambda n: answer})
    for text in ("half(n) = 1/2 if n >= 1 for n in 1..2", "half(n) = 3 iff n = 7 for n in 1..2", "half(n) = 1/2 for n in 1..2"):
        assert told(text, setting) in ("undecided", "refused")


def test_models_under_sums_and_integrals():
    setting = Setting(functions={"f": lambda n: n})
    assert told("Integral(f(n)*t, (t, 0, 3)) = 0 for n in 1..3", setting) != "holds"
    assert told("k + Sum(sqrt(j), (j, 1, f(k)), (k, 1, 2)) >= 8 for k in {3}", setting) != "holds"


def test_a_parameter_of_a_limit_has_a_range():
    with pytest.raises(ParseError, match="say for which k: add 'for k > 0'"):
        closed(read_statement("k*n -> oo as n -> oo"), Setting())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("Sum(k,(k,1,n))^2 > 0", r"\left(\sum_{k = 1}^{n} k\right)^{2}"), ("log(x)*y > 0", r"\left(\ln x\right) y"),
     ("exp(x)^2 > 0", r"\left(e^{x}\right)^{2}"), ("(n!)! > 0", r"\left(n!\right)!"), ("k_ > k", "k' > k")],
)  # fmt: skip
def test_formulas_are_read_as_they_are_meant(text, wanted):
    assert wanted in statement_tex(read_statement(text), {})


@pytest.mark.parametrize(
    "text",
    ["f = (1 + o(1))/log(n)", "f = (1 + o(1))/n*b", "f = O(n) - a", "f = O(n) - a*c + b", "f = O(n) - (-a)", "f = Theta(n) - (a + b)"],
)
def test_what_stands_before_a_remainder_that_is_taken_out_keeps_its_sign(text):
    said = read_statement(f"{text} as n -> oo")
    assert canonical(read_statement(str(said))) == canonical(said)


@pytest.mark.parametrize("kinds", ["whole i", "whole n", "whole n, whole i"])
def test_the_kind_of_a_variable_stays_its_own_in_a_uniform_range(kinds):
    said = read_statement(f"f = O(i) uniformly in {kinds}, n <= i <= 2*n as n -> oo")
    assert canonical(read_statement(str(said))) == canonical(said)


@pytest.mark.parametrize("text", ["n <= 1 for whole n, real n", "n <= 1 for n in 2. .. 7", "n <= 1 for n in 2.. .7",
    "n*p -> 0 uniformly in 1 <= n <= 2 as p -> 0+", "n*p -> 0 as p -> 0+ uniformly in 1 <= n <= 2",
    "n = 1 for some p -> 0+ as n -> oo"])  # fmt: skip
def test_printed_conditions_say_the_same(text: str) -> None:
    assert read_statement(str(read_statement(text))) == read_statement(text)


def test_ranges_of_variables_bring_the_ranges_of_those_they_name():
    setting = Setting({name: read_conditions(text, name) for name, text in
                       (("k", "whole, >= 1"), ("m", "whole, > k"), ("n", "whole, >= m"))})  # fmt: skip
    assert str(closed(read_statement("n >= 2"), setting)) == "n >= 2 for whole n >= m, whole m > k, whole k >= 1"
    assert str(closed(read_statement("1/n -> 0 as n -> oo"), setting)) == "1/n -> 0 as whole n -> oo"


DECLARED = {
    "n": read_conditions("whole, >= 1", "n"), "i": read_conditions("whole, 1 <= i <= n", "i"), "p": read_conditions("0 < p < q", "p"),
    "q": read_conditions("0 < q < 1", "q"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("i <= n for i >= 2", "i <= n for whole i >= 2, whole n >= 1, 1 <= i <= n"),
        ("i <= n for i in {1, 2, 3}", "i <= n for i in {1, 2, 3}, whole n >= 1, whole i, 1 <= i <= n"),
        ("p < q for p < 1/2", "p < q for p < 1/2, 0 < p < q, 0 < q < 1"),
        ("p < q for 1/3 < p < 1/2", "p < q for 1/3 < p < 1/2, 0 < p < q, 0 < q < 1"),
        ("q < 1 for 1/3 < q < 1/2", "q < 1 for 1/3 < q < 1/2"),
    ],
)
def test_what_is_declared_of_two_variables_is_not_lost_by_a_range_of_one(said, found):
    assert canonical(closed(read_statement(said), Setting(DECLARED))) == canonical(read_statement(found))


def test_a_value_put_for_a_variable_is_asked_to_obey_what_is_declared():
    with_value = closed(read_statement("p < q for p = 1/2"), Setting(DECLARED))
    assert canonical(with_value) == canonical(read_statement("1/2 < q for 0 < 1/2 < q, 0 < q < 1"))


@pytest.mark.parametrize("said", ["i = O(n) as n -> oo, i -> oo", "p = O(q) as p -> 0+, q -> 0+", "i = O(1) as i -> oo"])
def test_no_limit_leaves_out_what_is_declared_of_two_variables(said):
    with pytest.raises(ParseError, match="declared by"):
        closed(read_statement(said), Setting(DECLARED))


# --- what is shown is what is closed ---------------------------------------------------------------


def test_what_has_a_meaning_is_known_without_sympy():
    assert {*FUNCTIONS, *OPERATORS, "Ranked", "Vector", "Coefficient", "AtMost", *DESCRIBED} == CALLED


@pytest.mark.parametrize("head", ["log(x)", "Sum(x)", "gamma(x)", "AtMost(x)"])
def test_a_definition_does_not_take_the_name_of_a_function(head):
    text = f'paper.key = "d"\n[names]\n"{head}" = "x"\n[claim.lemma-1]\nsays = "1 < 2"\n'
    with pytest.raises(ClaimsError, match="has a meaning already"):
        closed_texts(text, "d.toml")
    assert closed_texts(text.replace(head, "gamma"), "d.toml")  # a letter may have any value


def test_the_defaults_of_all_binders_are_shown():
    setting = declared(i="whole, >= 1", s="whole, >= 1")
    for text in ("i = s for some i in 1..s", "i/s -> 0 as s -> oo uniformly in 1 <= i <= log(s)"):
        statement = read_statement(text)
        shown = filled(statement, setting)
        assert str(closed(read_statement(str(shown)), Setting())) == str(closed(statement, setting)), text


@pytest.mark.parametrize(("shown", "where", "why"), [
    ("q^n -> 0 as n -> oo", ["q = 1 - p", "q = p"], "defined twice"), ("q -> 0 as n -> oo", ["pi = 3"], "has a meaning"),
    ("log(n) -> oo as n -> oo", ["log(x) = x"], "has a meaning"), ("n -> oo as n -> oo", ["n"], "Expected|expected|term|"),
])  # fmt: skip
def test_what_is_shown_beside_odd_definitions_is_refused(shown, where, why):
    with pytest.raises(ParseError, match=why):
        shown_closed(shown, where)
