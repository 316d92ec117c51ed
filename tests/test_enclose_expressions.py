"""``asymp enclose EXPR`` and ``asymp.enclose(text)``: certified values of typed expressions, or a refusal."""

from __future__ import annotations

import json
from fractions import Fraction

import mpmath
import pytest
import sympy as sp

import asymp
from asymp.cli import main
from asymp.enclosure import InputError, Undecided
from asymp.parse import ParseError


def agrees(ball, reference, digits=(100, 200)) -> bool:
    """Whether mpmath's value, the same at two precisions, lies in the ball."""
    found = []
    for each in digits:
        with mpmath.workdps(each):
            found.append(+reference())
    with mpmath.workdps(max(digits)):
        assert abs(found[0] - found[1]) <= mpmath.mpf(10) ** -50 * abs(found[1])
        return abs(mpmath.mpf(ball.value) - found[1]) <= mpmath.mpf(ball.radius) + mpmath.mpf(10) ** -50 * abs(found[1])


# the references: mpmath's own functions, sums and quadrature
CASES = {
    "a finite sum": ("Sum(1/k^2, (k, 1, n))", {"n": 1000}, lambda: mpmath.fsum(mpmath.mpf(1) / k**2 for k in range(1, 1001))),
    "an empty sum": ("1 + Sum(1/k^2, (k, 1, n))", {"n": 0}, lambda: mpmath.mpf(1)),
    "a sum of sums": ("Sum(Sum(1/(j*k)^2, (j, 1, k)), (k, 1, n))", {"n": 20},
                      lambda: mpmath.fsum(mpmath.mpf(1) / (j * k) ** 2 for k in range(1, 21) for j in range(1, k + 1))),
    "two ranges": ("Sum(1/(j*k)^2, (j, 1, k), (k, 1, n))", {"n": 20},
                   lambda: mpmath.fsum(mpmath.mpf(1) / (j * k) ** 2 for k in range(1, 21) for j in range(1, k + 1))),
    "a shadowed index": ("Sum(k*Sum(k, (k, 1, 3)), (k, 1, n))", {"n": 4}, lambda: mpmath.mpf(60)),
    "a pole between the terms": ("Sum(1/(2*k - 57), (k, 1, 100))", {},
                                 lambda: mpmath.fsum(mpmath.mpf(1) / (2 * k - 57) for k in range(1, 101))),
    "terms that are found defined one by one": ("Sum(1/(k^2 + sin(k)), (k, 1, n))", {"n": 50},
                                                lambda: mpmath.fsum(1 / (k**2 + mpmath.sin(k)) for k in range(1, 51))),
    "an infinite sum": ("Sum(x^k/k!, (k, 0, oo))", {"x": "-7/2"}, lambda: mpmath.exp(mpmath.mpf(-7) / 2)),
    "a sum that alternates": ("Sum((-1)^k/k, (k, 1, oo))", {}, lambda: -mpmath.log(2)),
    "an integral to infinity": ("Integral(exp(-t^2), (t, -oo, oo))", {}, lambda: mpmath.sqrt(mpmath.pi)),
    "an integral of what is infinite at its end": ("Integral(t^x, (t, 0, 1))", {"x": "-1/2"}, lambda: mpmath.mpf(2)),
    "an integral that runs backwards": ("Integral(log(t), (t, 2, 1))", {}, lambda: 1 - 2 * mpmath.log(2)),
    "a product": ("Product(1 - 1/k^2, (k, 2, n))", {"n": 100}, lambda: mpmath.mpf(101) / 200),
    "a square of what is negative": ("sqrt(x^2)", {"x": -2}, lambda: mpmath.mpf(2)),
    "a negative base": ("x^3 + Abs(x)", {"x": "-1/2"}, lambda: mpmath.mpf(3) / 8),
    "beside a branch point": ("LambertW(x)", {"x": "-0.3678794411714423"}, lambda: mpmath.lambertw(-mpmath.mpf("0.3678794411714423"))),
    "below a pole": ("gamma(x)", {"x": "-3 + 1e-30"}, lambda: mpmath.gamma(mpmath.mpf(-3) + mpmath.mpf(10) ** -30)),
    "arithmetic as a value": ("log(1 - x)", {"x": "1 - 1e-25"}, lambda: mpmath.log(mpmath.mpf(10) ** -25)),
    "harmonic numbers far out": ("harmonic(n) - log(n)", {"n": "1e1000"}, lambda: mpmath.euler + mpmath.mpf(10) ** -1000 / 2),
}


@pytest.mark.parametrize("name", CASES)
def test_the_value_is_in_the_ball(name):
    text, values, reference = CASES[name]
    assert agrees(asymp.enclose(text, values, digits=25), reference)


def test_a_wrong_reference_is_seen():
    text, values, reference = CASES["a finite sum"]
    assert not agrees(asymp.enclose(text, values, digits=25), lambda: reference() * (1 + mpmath.mpf(10) ** -20))


REFUSED = {
    "an end that is not whole": ("Sum(1/k^2, (k, 1, n))", {"n": "1/2"}, "not whole at n = 1/2"),
    "a sum that runs backwards": ("Sum(1/k^2, (k, 1, n))", {"n": -3}, "runs backwards"),
    "a sum that diverges": ("Sum(1/k, (k, 1, oo))", {}, "diverges"),
    "0 times what diverges": ("0*Sum(1/k, (k, 1, oo))", {}, "diverges"),
    "a value 0 times what diverges": ("x*Sum(1/k, (k, 1, oo))", {"x": 0}, "diverges"),
    "what diverges less itself": ("Sum(1/k, (k, 1, oo)) - Sum(1/k, (k, 1, oo))", {}, "diverges"),
    "a geometric series at its edge": ("Sum(x^k, (k, 0, oo))", {"x": 1}, "diverges"),
    "an integral over a pole": ("Integral(1/x, (x, -1, 1))", {}, "not defined at x = 0"),
    "an integral over a double pole": ("Integral(1/(x - a)^2, (x, 0, 3))", {"a": 1}, "has a value there"),
    "an integral that diverges at its end": ("Integral(t^x, (t, 0, 1))", {"x": -1}, "diverges"),
    "a logarithm below 0 within an integral": ("Integral(log(t), (t, -2, -1))", {}, "not defined"),
    "the same, backwards": ("Integral(log(t - 1), (t, 2, 0))", {}, "not defined"),
    "an odd root of what is negative": ("x^y", {"x": -8, "y": "1/3"}, "not defined"),
    "0^0": ("x^y", {"x": 0, "y": 0}, "not defined"),
    "0^0, simplified": ("x^0", {"x": 0}, "not defined"),
    "x/x at 0": ("x/x", {"x": 0}, "not defined at x = 0"),
    "log(x) - log(x) below 0": ("log(x) - log(x)", {"x": -1}, "not defined"),
    "a pole of gamma": ("gamma(x)", {"x": -1}, "not defined"),
    "beyond a branch point": ("LambertW(x)", {"x": "-0.36787944117144233"}, "not defined"),
    "beyond the domain by a little": ("acos(x)", {"x": "1.0000000000000000001"}, "not defined"),
    "a pole of a term": ("Sum(0/(k - 57), (k, 1, 100))", {}, "not defined at k = 57"),
    "a binomial of two conventions": ("binomial(n, k)", {"n": -2, "k": -2}, "not defined"),
    "0 in disguise": ("sin(x)^2 + cos(x)^2 - 1", {"x": 1}, "told from zero"),
    "an integral that no method bounds": ("Integral(exp(-1/x), (x, 0, 1))", {}, "no method encloses Integral(exp(-1/x), (x, 0, 1))"),
    "too large to write down": ("exp(exp(exp(exp(x))))", {"x": 5}, "no ball contains it"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_value_or_none_that_is_certified_is_refused(name, capsys):
    text, values, why = REFUSED[name]
    with pytest.raises(Undecided) as caught:
        asymp.enclose(text, values)
    assert why in str(caught.value)
    assert main(["enclose", text, *(f"{name}={value}" for name, value in values.items())]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


BAD = {
    "a name without a value": ("n + m", {"n": 1}, "m: missing"),
    "a difference without a value": ("n - m", {"n": 1}, "m: missing"),
    "a value without a name": ("n", {"n": 1, "m": 2}, "m: nothing to give a value to"),
    "a value for a bound name": ("Sum(1/k, (k, 1, 3))", {"k": 1}, "it is bound"),
    "a name bound and free": ("Sum(k, (k, 1, 3)) + k", {"k": 5}, "another name"),
    "a value for a constant": ("pi*n", {"n": 1, "pi": 3}, "a constant"),
    "a value that is no number": ("n", {"n": "oo"}, "n"),
    "a value beyond all size": ("n", {"n": "1e99999999999"}, "exponent"),
    "code as a value": ("n", {"n": "__import__('os')"}, "n"),
    "code as an expression": ("__import__('os').getcwd()", {}, "underscore"),
    "an attribute": ("x.real", {"x": 1}, "a dot"),
    "half an expression": ("1 + ", {}, "ends too soon"),
    "a function nobody knows": ("f(n)", {"n": 1}, "unknown function"),
    "infinity as a number": ("oo - 1", {}, "oo is no number"),
    "a division by 0": ("1/0", {}, "division by zero"),
    "a huge text": ("(" * 5000 + "1" + ")" * 5000, {}, ""),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_exit_2(name, capsys):
    text, values, why = BAD[name]
    with pytest.raises((InputError, ParseError)) as caught:
        asymp.enclose(text, values)
    assert why in str(caught.value)
    assert main(["enclose", text, *(f"{name}={value}" for name, value in values.items())]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_the_command_line_and_python_say_the_same(capsys):
    assert main(["enclose", "Sum(1/k^2,(k,1,n))", "n=1e1000", "--digits", "20", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    ball = asymp.enclose("Sum(1/k^2,(k,1,n))", n="1e1000", digits=20)
    assert (answer["value"], answer["radius"]) == (ball.value, ball.radius)
    assert main(["enclose", "x/y", "x=1", "y=8"]) == 0
    assert main(["enclose", "x-y", "x=1", "y=8"]) == 0
    assert capsys.readouterr().out == "x/y = 0.125 +/- 0\nx-y = -7 +/- 0\n"


def test_python_takes_quantities_expressions_and_exact_numbers():
    n = sp.Symbol("n", positive=True)
    assert asymp.enclose(sp.harmonic(n), {"n": 10}).value == asymp.enclose("harmonic(n)", n=10).value
    assert asymp.enclose("x", x=Fraction(1, 4)).value == "0.25"
    assert asymp.enclose("lfms/throughput", n="1e8", alpha=2, mu1=1, mun=1).value.startswith("99999981.00210721")
    with pytest.raises(InputError, match="exact"):
        asymp.enclose("x", x=0.1)


def test_a_total_between_names_has_no_value_of_its_own_outside_its_ends():
    """The same summand, at a point where an inner range runs backwards for some index and not for others."""
    with pytest.raises(Undecided, match="runs backwards"):
        asymp.enclose("Sum(Sum(1, (j, 3, k)), (k, 1, n))", n=5)
    assert asymp.enclose("Sum(Sum(1, (j, 2, k)), (k, 1, n))", n=5).value == "10"


@pytest.mark.parametrize(("text", "why"), [("1/(2 - 2)", "no meaning: .* 2 - 2 != 0 is needed"), ("9^9^9^9", "too large")])
def test_numbers_that_are_none_or_too_large_have_no_value(text, why):
    with pytest.raises(Undecided, match=why):
        asymp.enclose(text)
    assert asymp.enclose("2^(10^12)", digits=5).value.startswith("9.5762e+30102999566")
