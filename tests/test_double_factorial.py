"""The double factorial n!! = n (n - 2) (n - 4) ..., whole n >= -1: DLMF 5.4.2."""

from fractions import Fraction

import mpmath
import pytest

from asymp.check.ask import ask
from asymp.enclosure import enclose
from asymp.kernel.facts import ranges
from asymp.kernel.terms import read
from asymp.language.statement import read_statement
from asymp.language.statement_tex import statement_tex
from asymp.language.syntax import Parser, words
from asymp.language.tex import tex
from asymp.language.value import value
from asymp.parse import parse_expression

KNOWN = {-1: 1, 0: 1, 1: 1, 2: 2, 3: 3, 4: 8, 5: 15, 6: 48, 7: 105, 8: 384, 9: 945, 10: 3840}  # OEIS A006882


def test_it_is_read_and_printed_as_itself():
    assert words(Parser("factorial2(2*n) - (n!)! + (n!!)! + (-n)!!^2").whole()) == "(2*n)!! - (n!)! + (n!!)! + (-n)!!^2"
    for text in ("n!!", "(n!)!", "(n!!)!", "(n!)!!", "(n!!)!!", "(2*n)!!^2", "(-n)!!", "2^n!!", "-n!!"):
        assert words(Parser(text).whole()) == text
        assert read(text) == read(words(Parser(text).whole()))
    assert len({read(text) for text in ("n!!", "(n!)!", "(n!!)!", "(n!)!!", "n!")}) == 5
    assert tex(Parser("(2*n)!! + n!!").whole(), {}) == r"\left(2 n\right)!! + n!!"
    assert statement_tex(read_statement("(n!)! >= n!! for whole n >= 0"), {}).startswith(r"\left(n!\right)! \ge n!!")


@pytest.mark.parametrize(("n", "expected"), KNOWN.items())
def test_its_values_are_exact(n, expected):
    assert value(Parser("n!!").whole(), {"n": n}) == expected
    at = ranges.Evaluator(64).range(read("n!!"), {"n": ranges.point(n)})
    assert at.low == at.high == expected
    assert Fraction(enclose(parse_expression("n!!"), {"n": n}).value) == expected


@pytest.mark.parametrize("n", [10**8, 10**8 - 1, 12345, 12346])
def test_its_balls_hold_it_far_out(n):
    found = enclose(parse_expression("log(n!!)"), {"n": n})
    with mpmath.workdps(40):
        assert abs(mpmath.mpf(str(found.value)) - mpmath.log(mpmath.fac2(n))) < mpmath.mpf(10) ** -15


@pytest.mark.parametrize(("text", "outcome", "strength"), [
    ("(2*n)!! = 2^n*n! for whole n >= 0", "holds", "proved"),
    ("(2*n-1)!! = (2*n)!/(2^n*n!) for whole n >= 0", "holds", "proved"),
    ("(2*n+1)!! = (2*n+1)*(2*n-1)!! for whole n >= 0", "holds", "proved"),
    ("(2*n)!! = 2^n*n! for n in 0..9", "holds", "proved"),
    ("n!! = (n!)! for whole n >= 0", "refuted", "proved"),
    ("(2*n)!! = (2*n)!/2^n for whole n >= 0", "refuted", "proved"),
    ("(2*n-1)!! = 2^n*n! for whole n >= 0", "refuted", "proved"),
    ("n!! > 0 for whole n >= -1", "holds", "proved"),
    ("7!! = 105", "holds", "proved"),
    ("n!! > 0 for whole n >= -3", "undecided", "none"),  # not defined at -3
    ("(-3)!! = -1", "undecided", "none"),
])
def test_what_is_said_of_it(text, outcome, strength):
    verdict = ask(text)
    assert (verdict.outcome, verdict.strength) == (outcome, strength)
