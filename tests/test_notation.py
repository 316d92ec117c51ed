"""Formulas in a paper's notation, as LaTeX and as a line of text."""

from __future__ import annotations

import pytest

from asymp.export.formula import maths
from asymp.export.notation import plain, renamed, shortened, tex
from asymp.export.table import number

PLAIN = {
    r"\frac{1}{2x}": "1/(2x)",
    r"\frac{a + b}{c d}": "(a + b)/(c d)",
    r"\frac{a}{\log{\left(n \right)}}": "a/log(n)",
    r"- \frac{x_{1}}{2} e^{- c}": "-x₁/2 e^(-c)",
    r"\sum_{b=1}^{n - 1} \frac{p^{b}}{b}": "Σ_{b=1}^{n - 1} p^b/b",
    r"\Gamma\left(0, u\right) \to \infty": "Γ(0, u) → ∞",
    r"\left(\left. x \right)": "(x)",
    r"x^{2k} + y^{10} + z^{n}": "x^(2k) + y^10 + z^n",
    r"H_{n - 1} \geq \sqrt{n}": "H_(n - 1) ≥ √n",
    r"E[\Delta(Y_{d})] \sim \mu_{n}": "E[Δ(Y_d)] ~ μₙ",
    "": "",
}


@pytest.mark.parametrize("latex", PLAIN)
def test_plain_text_reads_like_the_formula(latex):
    assert plain(latex) == PLAIN[latex]


@pytest.mark.parametrize("latex", ["}{^_", r"\frac", r"\frac{", r"\left", "^", r"\sqrt{^{", r"\\"])
def test_broken_latex_is_no_error(latex):
    assert isinstance(plain(latex), str)


def test_a_named_quantity_is_printed_by_its_name():
    names = {"1/(p*(1 + Sum(p^b/b, (b, 1, n))))": r"\mu", "n": "N"}
    assert tex("n/(p*(1 + Sum(p^b/b, (b, 1, n))))", names).count(r"\sum") == 1  # another term
    assert tex("n + 1/(p*(1 + Sum(p^b/b, (b, 1, n))))", names) == r"N + \mu"


def test_functions_have_the_signs_of_the_field():
    assert tex("harmonic(n - 1)**2") == "H_{n - 1}^{2}"
    assert tex("harmonic(n, 2)") == "H_{n}^{(2)}"
    assert tex("E1(p)/log(n)") == r"\frac{\operatorname{E}_1\left(p\right)}{\ln n}"


def test_a_parameter_is_renamed_where_it_stands_alone():
    assert renamed(r"\munx + mun_{1} + xmun + {mun}", {"mun": r"\mu_n"}) == r"\munx + \mu_n_{1} + xmun + {\mu_n}"


@pytest.mark.parametrize("longest", range(1, 40, 3))
def test_a_shortened_sum_still_compiles(longest):
    latex = r"\frac{a}{b} + \left(c - d\right) e^{-f} - \frac{g + h}{i}"
    assert len(shortened(latex, longest)) <= longest + 10
    if longest > 15:
        assert maths(shortened(latex, longest))


def test_vast_exponents_are_shown_by_their_size():
    assert number("1.5e-" + "4" * 30) == "10^-4.44444e29"
    assert number("1.5e-400") == "1.5e-400"
    assert number("-1.5e-" + "4" * 30).startswith("-10^-4.4")
