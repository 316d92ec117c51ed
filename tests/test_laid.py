"""A quote that is set as it is printed: of the very same signs, and read; and the letter d where it is declared."""

from __future__ import annotations

import pytest

from asymp.latex import Unreadable, read
from asymp.latex.laid import same_signs
from asymp.latex.notation import notation
from asymp.paper.reader import read_claims
from asymp.paper.readings import How, ReadingFile

QUOTE = "2d−3\n2(d−1)λ ≥\n2d−3\n\n2(d−1)"
LAID = r"$\frac{2d-3}{2(d-1)\lambda} \ge \frac{2d-3}{2(d-1)}$"
FILE = """
paper.key = "demo"
variables.d = "whole, >= 2"
variables.lambda = "0 < lambda < 1"
notation.lambda = '\\lambda'
[claim.lemma-1]
quote = '''{quote}'''
laid = '{laid}'
says = "{says}"
"""
SAYS = "(2*d - 3)/(2*(d - 1)*lambda) >= (2*d - 3)/(2*(d - 1))"


def test_the_same_signs_in_any_place() -> None:
    assert same_signs(QUOTE, LAID) == ""
    assert same_signs("∞∑\nu=0\n\nu∏\nv=1\nx", r"$\sum_{u=0}^\infty \prod_{v=1}^u x$") == ""
    assert same_signs("X̄n ≤ e−4dM1 6= (\nn\nd\n)", r"$\bar X^n \le e^{-4dM_1} \neq \binom{n}{d}$") == ""


@pytest.mark.parametrize(
    "changed",
    [
        LAID.replace(r"\ge", r"\le"),
        LAID.replace(r"\ge", ">"),
        LAID.replace(r"\lambda", r"\mu"),
        LAID.replace(r"\lambda", ""),
        LAID.replace("3", "2", 1),
        LAID.replace("$", "$-", 1),
        LAID + " for all d",
        LAID.replace("d-1", "d+1", 1),
        LAID.replace("(d-1)", "d-1", 1),
        LAID.replace("$", r"$\nosuchmacro ", 1),
        LAID.replace("2d", "2D", 1),
        LAID.replace(r"\lambda", r"\Lambda"),
    ],
)
def test_another_sign_is_refused_by_the_file_of_claims(changed: str) -> None:
    assert same_signs(QUOTE, changed)
    (claim,) = read_claims(FILE.format(quote=QUOTE, laid=changed, says=SAYS), "demo.toml").claims
    assert "laid is to be the quote as it is printed" in str(claim.relation)


def test_in_one_line_the_order_is_kept() -> None:
    assert same_signs("x ≤ y2 and X̄n = 1", r"$x \le y^2$ and $\bar X_n = 1$") == ""
    assert same_signs("x ≤ y2", r"$y^2 \le x$") and same_signs("x ≤ y2", r"$x^2 \le y$")


def test_what_is_read_is_what_is_laid() -> None:
    found = ReadingFile(FILE.format(quote=QUOTE, laid=LAID, says=SAYS), "demo.toml").standing("lemma-1")
    assert found.how is How.SAME and "set as it is printed" in found.why
    other = ReadingFile(FILE.format(quote=QUOTE, laid=LAID, says=SAYS.replace(">=", ">")), "demo.toml").standing(
        "lemma-1"
    )
    assert other.how is How.DIFFERS


KNOWN = notation({"lambda": r"\lambda"}, ["d", "x", "lambda", "mu"])


def test_d_is_a_letter_where_it_is_declared() -> None:
    assert str(read(r"\frac{2d\lambda}{2d - 1} \ge d\mu", KNOWN)) == "2*d*lambda/(2*d - 1) >= d*mu"


@pytest.mark.parametrize(
    "text",
    [
        r"\frac{d\mu}{d\lambda} = x",
        r"d\mu/d\lambda = x",
        r"\frac{d \mu}{\mathrm{d}x} = 1",
        r"\int_0^1 2d\mu = x d\lambda",
        r"\iint d\mu = 2d\mu",
    ],
)
def test_a_derivative_and_what_stands_beside_an_integral_are_not_products(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text, KNOWN)


def test_d_that_is_not_declared_is_a_differential() -> None:
    with pytest.raises(Unreadable, match="differential"):
        read(r"2d\mu = x", notation({}, ["x", "mu"]))
