"""Formulas of textbooks and papers: read, asked back with all readings, or refused with the place; nothing dropped, nothing run."""

from __future__ import annotations

import contextlib
import time
from dataclasses import replace

import pytest
from latex_formulas import AMBIGUOUS, FORMULAS, REFUSED

from asymp.check.ask import ask
from asymp.cli import main
from asymp.kernel.terms import canonical
from asymp.language.statement import read_statement
from asymp.language.typed import looked_at
from asymp.latex import TwoReadings, Unreadable, notation, read, read_all, read_steps
from asymp.latex.asked import asked
from asymp.latex.choices import QUESTIONS
from asymp.latex.signs import FONTS, SPACES, TIMES
from asymp.latex.tokens import tokens
from asymp.parse import ParseError


def said(latex: str) -> str:
    return "; ".join(map(str, read_all(latex)))


def test_there_are_enough_formulas():
    assert len(FORMULAS) >= 250 and len(AMBIGUOUS) >= 40 and len(REFUSED) >= 60


@pytest.mark.parametrize(("latex", "statement"), FORMULAS, ids=[latex[:50] for latex, _ in FORMULAS])
def test_a_formula_is_read(latex, statement):
    assert said(latex) == statement
    for one in read_all(latex):
        assert read_statement(str(one)) == one  # it is a statement of the language


@pytest.mark.parametrize(("latex", "question", "readings"), AMBIGUOUS, ids=[latex[:50] for latex, *_ in AMBIGUOUS])
def test_what_has_two_readings_is_asked_back_with_all(latex, question, readings):
    with pytest.raises(TwoReadings) as caught:
        read_all(latex)
    assert caught.value.question == question
    assert tuple(reading.text for reading in caught.value.readings) == readings and len(set(readings)) >= 2
    assert all(reading.latex and reading.answer for reading in caught.value.readings)
    assert "\n" not in str(caught.value) and all(answer in str(caught.value) for answer in
                                                 [reading.answer for reading in caught.value.readings[:4]])  # fmt: skip


@pytest.mark.parametrize(("latex", "question", "readings"), AMBIGUOUS, ids=[latex[:50] for latex, *_ in AMBIGUOUS])
def test_an_answer_in_the_notation_answers(latex, question, readings):
    with pytest.raises(TwoReadings) as caught:
        read_all(latex)
    for reading in caught.value.readings:
        if question in QUESTIONS and reading.answer in QUESTIONS[question]:
            try:
                assert "; ".join(map(str, read_all(latex, notation({question: reading.answer})))) in readings
            except TwoReadings as more:  # another question is left
                assert {one.text for one in more.readings} < set(readings)


@pytest.mark.parametrize(("latex", "message"), REFUSED, ids=[latex[:50] for latex, _ in REFUSED])
def test_what_is_not_read_is_refused_with_its_place(latex, message):
    with pytest.raises(Unreadable) as caught:
        read_all(latex)
    assert not isinstance(caught.value, TwoReadings) and str(caught.value) == message and "\n" not in message


ORDERS = {
    # in a factor or in brackets, as text and in LaTeX, and what both say
    "n = n*(1 + O(1/n))": (r"n = n(1 + O(1/n))", "n = n + O(n*(1/n))"),
    "n! = n^n*(1 + 1/n + O(1/n^2))": (r"n! = n^n (1 + 1/n + O(1/n^2))", "n! = n^n*(1 + 1/n) + O(n^n*(1/n^2))"),
    "harmonic(n) = log(n) + (EulerGamma + O(1/n))": (r"H_n = \ln n + (\gamma + O(1/n))", "harmonic(n) = log(n) + EulerGamma + O(1/n)"),
    "n = n - O(1)": (r"n = n - O(1)", "n = n + O(1)"),
    "n = (1 + o(1))*n/2": (r"n = (1 + o(1)) n/2", "n ~ n/2"),
    "n = n*O(1/n)": (r"n = n O(1/n)", "n = O(n*(1/n))"),
    "n! = exp(n*log(n) + O(n))": (r"n! = \exp(n \ln n + O(n))", "log(n!) = n*log(n) + O(n)"),
    "n = n^(1 + o(1))": (r"n = n^{1 + o(1)}", "log(n) ~ log(n)"),
    "n = 1/(1 + O(1/n))": (r"n = 1/(1 + O(1/n))", "1/n = 1 + O(1/n)"),
    "n <= n*(1 + o(1)) - 1": (r"n \le n(1 + o(1)) - 1", "Max(n - (n - 1), 0) = o(n)"),
}
NO_ORDERS = {
    "n = (n + O(1))^2": r"n = (n + O(1))^2",
    "n = sqrt(n + O(1))": r"n = \sqrt{n + O(1)}",
    "n = (1 + O(1/n))^n": r"n = (1 + O(1/n))^n",
    "n = n*exp(o(1)) + o(1)": r"n = n e^{o(1)} + o(1)",
    "n < n + o(1)": r"n < n + o(1)",
    "n <= Theta(n)": r"n \le \Theta(n)",
    "n = (1 + O(1/n))*(n + O(1))": r"n = (1 + O(1/n))(n + O(1))",
    "n = n*(1 + O(1/n)) + O(1)": r"n = n(1 + O(1/n)) + O(1)",
    "n = n*(1 + o(1))*(1 + o(1))": r"n = n(1 + o(1))(1 + o(1))",
}


@pytest.mark.parametrize("text", ORDERS)
def test_an_order_in_brackets_says_the_same_in_text_and_in_latex(text):
    latex, wanted = ORDERS[text]
    statement, other = read_statement(text), read(latex, to=["n -> oo"])
    assert str(statement) == wanted
    assert canonical(replace(statement, regime=other.regime)) == canonical(other)


@pytest.mark.parametrize("text", NO_ORDERS)
def test_an_order_with_no_place_in_the_language_is_refused_in_text_and_in_latex(text):
    with pytest.raises(ParseError):
        looked_at(text, "n -> oo", [])
    with pytest.raises(ParseError):
        read(NO_ORDERS[text], to=["n -> oo"])


@pytest.mark.parametrize(("latex", "statement"), [
    ("O(n) = o(n^2)", "n = o(n^2)"), ("o(n) = o(m)", "n = O(m)"), (r"\Theta(n) = \Theta(m)", "n = Theta(m)"),
    ("(1+o(1)) x = (1 + o(1)) y", "x ~ y"), ("n + O(1) = m + o(k)", "n = m + o(k) and 1 = o(k)"),
])  # fmt: skip
def test_orders_on_the_left_are_of_the_right_side(latex, statement):
    assert said(latex) == statement


def test_a_sign_stands_for_another_with_its_arguments():
    known = notation({"f": r"f([\cdot, #1])", r"f([#1, #2])": r"f([\cdot, #2])", "B_1": r"B_{1}(\rho)"}, functions={"f": 1})
    assert str(read(r"f([0, a + 1]) = 2", known)) == "f(a + 1) = 2"


def test_a_chain_that_is_not_read_is_read_side_by_side():
    latex = r"f = \sqrt{1 + O(1)} g = h"
    with pytest.raises(Unreadable):
        read_all(latex)
    assert list(map(str, read_steps(latex, to=["n -> oo"]))) == ["f = h as n -> oo"]
    assert read_steps(r"f = \sqrt{1 + O(1)} g \text{ and } h = 1") == ()


# --- every token counts

ALIKE = {"mathrm": r"\mathrm{e} \mathrm{O}", "mathcal": r"\mathcal O", "forall": r"\quad \forall", "^": "0^+ 1^+", "0": "0."}
"""Tokens without which a formula says the same: an upright e, a calligraphic O, a quantifier behind a space, p -> 0+, .5 for 0.5."""


TWICE = frozenset(FONTS)
"""An alphabet of an alphabet is that alphabet."""


def content(latex: str):
    """The tokens that say something, and where each ends."""
    found = tokens(latex)
    inside = latex.find(r"\label"), latex.find(r"\tag")
    for k, token in enumerate(found):
        end = found[k + 1].at if k + 1 < len(found) else len(latex)
        layout = token.text in SPACES or token.text in TIMES or token.text in ("&", "label", "tag", "$", "$$", "\\[", "\\]", "*", "\\")
        named = any(0 <= place < token.at < latex.find("}", place) for place in inside)  # the name of a label
        stop = token.text == "." and not latex[end:].strip(" \\]")
        if not (layout or named or stop) and end > token.at and token.kind not in ("begin", "end"):
            yield token, end


def alike(latex: str, token, end: int) -> bool:
    near = latex[max(0, token.at - 6) : end + 3]
    return token.text in ALIKE and any(one in near for one in ALIKE[token.text].split(" ") if one.strip("\\quad"))


@pytest.mark.parametrize(("latex", "statement"), FORMULAS, ids=[latex[:50] for latex, _ in FORMULAS])
def test_without_any_one_of_its_tokens_it_says_something_else(latex, statement):
    for token, end in content(latex):
        shorter = latex[: token.at] + " " + latex[end:]
        if alike(latex, token, end) or (token.text == "," and "quad" in latex):  # the space beside it says it too
            continue
        with contextlib.suppress(Unreadable):
            assert said(shorter) != statement, f"{shorter} is read as {latex}"


@pytest.mark.parametrize(("latex", "statement"), FORMULAS, ids=[latex[:50] for latex, _ in FORMULAS])
def test_with_any_one_of_its_tokens_twice_it_says_something_else(latex, statement):
    for token, end in content(latex):
        piece = latex[token.at : end]
        longer = latex[: token.at] + piece + " " + latex[token.at :]
        if token.text in TWICE:
            continue
        with contextlib.suppress(Unreadable):
            assert said(longer) != statement, f"{longer} is read as {latex}"


# --- notation

LFMS = {"p": "p_n", "mun": r"\mu_n", "EDelta": r"\mathbb{E}[\Delta(Y_d)]", "pie": r"\pi_{#1,#2}", "Erl": r"\mathrm{Erl}_\theta(#1)",
        r"\log": r"\ln", "rate": r"\mu_{(#1,#2)}"}  # fmt: skip

NAMED = {
    r"\mu \sim \frac{\mu_1}{p_n \ln(1/p_n)}": "mu ~ mu1/(p*log(1/p))",
    r"\mathbb{E}[\Delta(Y_d)] = (1+o(1)) \frac{1}{2p_{n}}": "EDelta ~ 1/(2*p)",
    r"\pi_{0,b} = \pi_{0,0} (1 - p_n)^b": "pie(0, b) = pie(0, 0)*(1 - p)^b",
    r"\pi_{1,n-1} = \mu_n": "pie(1, n - 1) = mun",
    r"a(1 - \text{Erl}_\theta(a)) \leq \theta": "a*(1 - Erl(a)) <= theta",
    r"\log p_n \le \mu_{(1,b)}": "log(p) <= rate(1, b)",
}


@pytest.mark.parametrize("latex", NAMED)
def test_signs_of_a_notation_are_names(latex):
    table = {**LFMS, r"\text{Erl}": r"\mathrm{Erl}"}
    assert str(read(latex, notation(table, ["a"], {"pie": 2, "Erl": 1}))) == NAMED[latex]


def test_a_sign_of_two_names_is_asked_back():
    with pytest.raises(TwoReadings) as caught:
        read("x_1 = 2", notation({"first": "x_1", "other": "x_1"}))
    assert [one.text for one in caught.value.readings] == ["first = 2", "other = 2"]


def test_a_sign_that_leaves_out_an_argument_is_refused():
    with pytest.raises(Unreadable, match="leaves out an argument"):
        read("E[R_k] = 1", notation({"mean": "E[R_{#1}]"}, [], {"mean": 2}))


def test_a_declared_letter_is_a_variable_or_a_function():
    assert str(read("a(b+c) = d", notation({}, ["a"]))) == "a*(b + c) = d"
    assert str(read("a(b+c) = d", notation({}, [], {"a": 1}))) == "a(b + c) = d"
    assert str(read("a(b+c) = ab + ac")) == "a*(b + c) = a*b + a*c"  # a function stands nowhere without its bracket


def test_an_answer_that_is_none_is_refused():
    with pytest.raises(ParseError, match="is one of"):
        notation({"1/2n": "whatever"})


def test_macros_of_a_preamble_are_put_in():
    preamble = r"""\newcommand{\eps}{\varepsilon} \newcommand{\half}[1]{\frac{#1}{2}}
        \DeclareMathOperator{\sech}{sech} \renewcommand\phi{\varphi} \def\bad{1}"""
    known = notation({}, preamble=preamble)
    assert str(read(r"\half{\eps + 1} \le \sech(x)", known)) == "(epsilon + 1)/2 <= sech(x)"
    with pytest.raises(Unreadable, match=r"\\bad"):
        read(r"\bad = 1", known)


# --- what tends where

INDEX = r"\mu = (1+o_{p,n}(1)) n"


def test_the_index_of_an_o_is_what_tends():
    assert str(read(INDEX, to=r"n \to \infty, p \to 0")) == "mu ~ n as n -> oo, p -> 0"
    for to in (r"n \to \infty", r"n \to \infty, p \to 0, q \to 0", None):
        with pytest.raises(Unreadable, match="tends"):
            read(INDEX, to=to)


def test_what_tends_where_is_said_once():
    with pytest.raises(Unreadable, match="twice"):
        read(r"n \sim n+1 \quad (n \to \infty)", to=r"n \to \infty")


def test_several_statements_are_listed():
    with pytest.raises(Unreadable, match="2 statements"):
        read(r"\begin{align} a &= b \\ c &= d \end{align}")


# --- asked

def test_a_formula_is_asked():
    assert ask(latex=r"H_n \sim \ln n", to=r"n \to \infty").outcome.value == "holds"
    assert ask(latex="H_n ~ ln n + γ", to="n->oo").strength.value == "proved"
    assert ask(latex=r"\ln x \le x - 1", assume=r"x > 0").outcome.value == "holds"
    with pytest.raises(TypeError):
        ask("n <= n", latex="n")
    with pytest.raises(TwoReadings):
        ask(latex=r"1/2n \to 0", to="n->oo")


def test_conditions_beside_a_formula_are_latex_or_the_language():
    assert asked(r"n(n+p) \sim n^2", "n -> oo, p -> 0+") == "n*(n + p) ~ n^2 as n -> oo, p -> 0+"
    assert asked(r"n \le n^\alpha", assume=[r"\alpha \ge 1", "n >= 1"]) == "n <= n^alpha for alpha >= 1, n >= 1"


def test_the_command_line_reads_a_formula(capsys):
    def run(*words: str) -> tuple[int, str, str]:
        return main(["ask", *words]), *capsys.readouterr()

    code, out, _ = run("--latex", r"H_n \sim \log n", "--to", r"n \to \infty", "--notation", r"\log=\ln")
    assert code == 0 and "harmonic(n) ~ log(n) as n -> oo" in out
    code, _, err = run("--latex", r"1/2n \to 0", "--to", r"n \to \infty")
    assert code == 2 and err.count("\n") == 1 and "1/2*n -> 0" in err and "1/(2*n) -> 0" in err
    assert run("n <= n", "--latex", r"n \le n")[0] == 2


# --- hostile input

HOSTILE = [
    "\\sqrt{" * 3000, "(" * 1500 + "x" + ")" * 1500 + "=1", "{" * 100 + "x" + "}" * 100 + "=1", "x" * 10**6, "a=" * 5000 + "b",
    "\\ln " * 3000 + "x=1", "1/2n + " * 60 + "1=x", "\\sum_{k=1}^n k + " * 1000 + "1=0", "\\int_0^1 " * 900 + "x=1", "|" * 3000,
    "^" * 100, "x" + "'" * 5000 + "=1", "x^{x" * 200, "\\left(" * 500, "$" * 99, "\\begin{align}" * 100, "x\u200b=1", "х = 1",
    "\\def\\a{\\a\\a}\\a", "\\input{/etc/passwd}", "\\write18{ls}", "\\csname x\\endcsname", "\\catcode`x=1", "x\ud800 = 1",
    "}" * 50, "\\end{align}", "x = \\right)", "x,y," * 900 + "=1", "\\text{" * 100, "\\frac" * 500, "n(" * 500,
    "\\forall " * 1000 + "x", "[x]" * 200 + "=1", "x = 1\\", "\\", "", "   ", "$$", "\x00", "x\ry=1\\\\" * 300, "#1 = 2", "\\hskip",
]  # fmt: skip


@pytest.mark.parametrize("latex", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_input_is_one_line_and_soon(latex):
    begin = time.process_time()
    with pytest.raises(Unreadable) as caught:
        read_all(latex)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1500
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("preamble", [
    r"\newcommand{\a}{\a\a}", r"\newcommand{\a}{\b\b}\newcommand{\b}{\a\a}", r"\newcommand{\a}[1]{" + "#1" * 3000 + "}",
    r"\newcommand{\a}{\input{/etc/passwd}}", r"\newcommand{\a", r"\newcommand{\a}[1]{#2}",
])  # fmt: skip
def test_macros_that_never_end_are_refused(preamble):
    with pytest.raises(Unreadable):
        read_all(r"\a{x x x x} = 1", notation({}, preamble=preamble))


def test_places_are_lines_and_columns():
    with pytest.raises(Unreadable) as caught:
        read_all("a = b\n  + \\foo")
    assert (caught.value.line, caught.value.column) == (2, 5)
