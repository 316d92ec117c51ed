"""The rule for comparisons in one variable by pieces: what it must refuse, and what is nearly true."""

from __future__ import annotations

import pytest

from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Broken, apply
from asymp.language.statement import read_statement
from asymp.prove import line

BELOW = "log(1 + x) < x for x > 0"
PIECES = [["0", "1/4", "after", 2], ["1/4", "4", "boxes", "slope"], ["4", "", "far", 3]]


def made(statement=BELOW, pieces=PIECES, point=None, bits=96):
    return apply("line", statement=statement, point=point or {"x": "1"}, bits=bits, pieces=pieces)


def test_the_pieces_of_a_proof():
    assert str(made()) == "⊢ log(1 + x) < x for x > 0"


@pytest.mark.parametrize(
    "pieces",
    [
        [], PIECES[1:], PIECES[:2], PIECES[:1] + PIECES[2:], [PIECES[1], PIECES[0], PIECES[2]], [*PIECES, PIECES[0]],
        [["1/100", "1/4", "after", 2], *PIECES[1:]],  # what lies below the first piece is left out
        [PIECES[0], ["1/4", "3", "boxes", "slope"], PIECES[2]], [PIECES[0], ["1/2", "4", "boxes", "slope"], PIECES[2]],
        [["0", "1/4", "before", 2], *PIECES[1:]], [["0", "1/4", "boxes", "ok"], *PIECES[1:]], [["0", "", "far", 3]],
        [["0", "2", "after", 2], ["2", "4", "boxes", "slope"], PIECES[2]],  # 1/s with s >= 1/2
        [*PIECES[:2], ["4", "", "far", 0]], [*PIECES[:2], ["4", "", "far", 31]], [*PIECES[:2], ["4", "", "far", "3"]],
        [*PIECES[:2], ["4", "", "far", True]], [*PIECES[:2], ["4", "", "near", 3]], [*PIECES[:2], ["4", "", "at", None]],
        [*PIECES[:2], ["4", "5", "far", 3]], [["", "", "far", 3]], [["", "4", "far", 3], PIECES[2]],
        [*PIECES[:2], ["4", "", "far"]], [*PIECES[:2], [4, "", "far", 3]], [tuple(PIECES[0]), *PIECES[1:]],
        [*PIECES[:2], ["4", "4", "at", 1], PIECES[2]], [*PIECES[:2], ["4", "5", "at", None], ["5", "", "far", 3]],
        [PIECES[0], ["1/4", "4", "at", None], PIECES[2]],
    ],
)  # fmt: skip
def test_pieces_that_show_nothing_are_refused(pieces):
    with pytest.raises((Refused, Broken)):
        made(pieces=pieces)


@pytest.mark.parametrize(
    "statement",
    [
        "log(1 + x) < x for x >= 0", "log(1 + x) < x for real x", "log(1 + x) < x for x > -1", "log(1 + x) > x for x > 0",
        "log(1 + x) < x - x^3/10^30 for x > 0", "log(1 + x) < x*(1 - 10^(-200)) for x > 0", "log(1 + x) = x for x > 0",
        "log(1 + x) < x < x^2 for x > 0", "log(1 + x) < y for x > 0, y > x", "log(1 + x) < x iff x > 0 for x > 0",
        "log(1 + x) < x for x > 0, x in {1, 2}", "log(1 + x) ~ x as x -> 0+",
    ],
)  # fmt: skip
def test_the_same_pieces_show_nothing_else(statement):
    with pytest.raises((Refused, ValueError)):
        made(statement)


def test_a_point_of_the_domain_is_wanted():
    for point in ({"x": "0"}, {"x": "-1"}, {"y": "1"}, {}):
        with pytest.raises(Refused):
            apply("line", statement=BELOW, point=point, bits=96, pieces=PIECES)
    with pytest.raises(Refused):
        made("log(1 + x) < x for x > 0, x < 0")


def test_a_number_is_looked_at_by_itself():
    largest = "log(n)/n <= log(3)/3 for whole n >= 1"
    pieces = [["1", "2", "boxes", "each"], ["3", "3", "at", None], ["4", "10", "boxes", "each"], ["11", "", "far", 2]]
    assert made(largest, pieces, {"n": "1"}).holds
    for wrong in (largest.replace("<=", "<"), largest.replace("log(3)/3", "log(3)/3 - 10^(-60)")):
        with pytest.raises(Refused):
            made(wrong, pieces, {"n": "1"})
    for others in ([pieces[0], *pieces[2:]], [["1", "2", "at", None], *pieces[1:]], [["1", "1", "at", None], *pieces[1:]]):
        with pytest.raises(Refused):
            made(largest, others, {"n": "1"})
    # of a real variable what lies between two numbers is not covered by them
    with pytest.raises(Refused):
        made("x*(x - 1) >= 0 for x >= 0", [["0", "0", "at", None], ["1", "1", "at", None], ["1", "", "far", 2]], {"x": "2"})


TRUE = """
x/(1 + x) <= log(1 + x) for x >= 0
exp(x) >= 1 + x for real x
sin(x) <= x for x >= 0
x^x >= 1/2 for 0 < x < 1
(x - 1/3)^2*(x - 2) >= 0 for x >= 2
harmonic(n) <= log(n) + EulerGamma + 1/(2*n) for n >= 1
loggamma(x) >= (x - 1/2)*log(x) - x + log(2*pi)/2 for x > 0
digamma(x) >= log(x) - 1/x for x > 0
erfc(x) <= exp(-x^2) for x >= 0
Sum(1/sqrt(k), (k, 1, n)) <= 2*sqrt(n) - 1 for whole n >= 1
Sum(log(k), (k, 1, n)) >= n*log(n) - n for whole n >= 1
binomial(2*n, n) <= 4^n/sqrt(3*n) for whole n >= 1
log(n)/n <= log(3)/3 for whole n >= 1
n^2 <= 2^n for whole n >= 4
(1 + 1/n)^n < E for n >= 1
LambertW(x) <= log(1 + x) for x >= 0
Ei(x) >= exp(x)/x for x >= 2
sqrt(1 + x) <= 1 + x/2 for x >= -1
tanh(x) < 1 for real x
atan(x) < pi/2 for real x
Abs(sin(x)) <= 1 for real x
""".strip().splitlines()
FALSE = """
x/(1 + x) <= log(1 + x) - x^2/10^9 for x >= 0
exp(x) >= 1 + x + 10^(-9)*x for real x
exp(x) > 1 + x for real x
sin(x) <= x*(1 - 10^(-12)) for x >= 0
cos(x) >= 1 - x^2/2 + x^4/24 for 0 <= x <= 1/100
x*log(x) > -1/E for x > 0
x*log(x) >= -1/E + 10^(-15) for x > 0
(x - 1/3)^2 > 0 for x > 0
harmonic(n) <= log(n) + EulerGamma + 1/(2*n) - 1/(12*n^2) for n >= 1
loggamma(x) >= (x - 1/2)*log(x) - x + log(2*pi)/2 + 10^(-9) for x > 0
digamma(x) >= log(x) - 1/(2*x) for x > 0
floor(x) >= x - 1 + 10^(-9) for real x >= 1
tan(x) >= x for 0 <= x < 3
1/x <= x^2 for -1 < x < 2
gamma(x) > 0 for x > -1
log(n)/n < log(3)/3 for whole n >= 1
log(n)/n <= log(3)/3 - 10^(-40) for whole n >= 1
n^2 < 2^n for whole n >= 4
n^2 <= 2^n for whole n >= 3
(1 + 1/n)^n < E - 10^(-25) for n >= 1
log(n) <= n^(1/100) for n >= 10^200
n^100 <= exp(n) for n >= 600
Ei(x) <= exp(x)/x + exp(x)/x^2 + 2*exp(x)/x^3 for x >= 2
x^2*(x - 700)^2*(x - 800)^2 >= 10^(-9) for x >= 1
sqrt(1 + x) <= 1 + x/2 for x >= -2
Abs(sin(x)) < 1 for real x
log(Abs(x)) <= x for real x
x/Abs(x) >= -1/2 for real x
""".strip().splitlines()


@pytest.mark.parametrize("statement", TRUE)
def test_true_comparisons_are_theorems(statement):
    assert line.holds(read_statement(statement)).holds


@pytest.mark.parametrize("statement", FALSE)
def test_false_comparisons_are_none(statement):
    with pytest.raises(Refused):
        line.holds(read_statement(statement))
