"""The rules of remainders, of pieces and of lattice points: what they say is so at many points, and each condition where it fails."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, isqrt

import pytest

import asymp.kernel.records  # noqa: F401  (the rules)
from asymp.kernel.sequences.lattice import FORMS
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

SAID = {
    "nested": ["floor(floor(x)/n) = floor(x/n) for real x, whole n >= 1", "floor(sqrt(floor(x))) = floor(sqrt(x)) for x >= 0",
               "floor(floor(x)/3) = floor(x/3) for real x", "floor(floor(2*x)/(n*m)) = floor(2*x/(n*m)) for real x, whole n >= 1, whole m >= 2",
               "floor(floor(x + y)^(1/3)) = floor((x + y)^(1/3)) for x >= 0, y >= 0"],
    "residues": ["Sum(floor((n + k)/m), (k, 0, m - 1)) = n for whole n, whole m >= 1",
                 "Sum(floor((x + k)/m), (k, 0, m - 1)) = floor(x) for real x, whole m >= 1",
                 "Sum(floor((2*x + k)/3), (k, 0, 2)) = floor(2*x) for real x"],
    "hyperbola": ["Sum(floor(n/k), (k, 1, n)) = 2*Sum(floor(n/k), (k, 1, floor(sqrt(n)))) - floor(sqrt(n))^2 for whole n >= 1"],
    "roots": ["Sum(floor(sqrt(k)), (k, 0, n - 1)) = n*floor(sqrt(n)) - Sum(j^2, (j, 1, floor(sqrt(n)))) for whole n >= 1",
              "Sum(floor(k^(1/3)), (k, 1, n)) = (n + 1)*floor((n + 1)^(1/3)) - Sum(j^3, (j, 1, floor((n + 1)^(1/3)))) for whole n >= 0"],
    "divisors": ["Sum(floor(n/k) - floor((n - 1)/k), (k, 1, n)) <= 2*sqrt(n) for whole n >= 1"],
}  # fmt: skip
WRONG = [
    ("nested", "floor(floor(x)/n) = floor(x/n) for real x, n >= 1"), ("nested", "floor(floor(x)/n) = floor(x/n) for real x, whole n <= -1"),
    ("nested", "floor(ceiling(x)/n) = floor(x/n) for real x, whole n >= 1"), ("nested", "floor(2*floor(x)) = floor(2*x) for real x"),
    ("nested", "floor(floor(x)^2) = floor(x^2) for x >= 0"), ("nested", "floor(sqrt(floor(x))) = floor(sqrt(x)) for real x"),
    ("nested", "ceiling(floor(x)/2) = ceiling(x/2) for real x"), ("nested", "floor(floor(x)/n) <= floor(x/n) for real x, whole n >= 1"),
    ("residues", "Sum(floor((n + k)/m), (k, 1, m)) = n for whole n, whole m >= 1"),
    ("residues", "Sum(floor((x + k)/m), (k, 0, m - 1)) = x for real x, whole m >= 1"),
    ("residues", "Sum(floor((n + k)/m), (k, 0, m - 1)) = n for whole n, whole m >= 0"),
    ("residues", "Sum(floor((n + 2*k)/m), (k, 0, m - 1)) = n for whole n, whole m >= 1"),
    ("residues", "Sum(ceiling((n + k)/m), (k, 0, m - 1)) = n for whole n, whole m >= 1"),
    ("hyperbola", "Sum(floor(n/k), (k, 1, n)) = 2*Sum(floor(n/k), (k, 1, floor(sqrt(n)))) + floor(sqrt(n))^2 for whole n >= 1"),
    ("hyperbola", "Sum(floor(n/k), (k, 1, n)) = 2*Sum(floor(n/k), (k, 1, floor(sqrt(n)))) - floor(sqrt(n))^2 for n >= 1"),
    ("hyperbola", "Sum(floor(n/k^2), (k, 1, n)) = 2*Sum(floor(n/k^2), (k, 1, floor(sqrt(n)))) - floor(sqrt(n))^2 for whole n >= 1"),
    ("roots", "Sum(floor(sqrt(k)), (k, 2, n - 1)) = n*floor(sqrt(n)) - Sum(j^2, (j, 1, floor(sqrt(n)))) for whole n >= 3"),
    ("roots", "Sum(floor(sqrt(k)), (k, 0, n)) = n*floor(sqrt(n)) - Sum(j^2, (j, 1, floor(sqrt(n)))) for whole n >= 1"),
    ("roots", "Sum(floor(k^(2/3)), (k, 0, n - 1)) = n*floor(n^(2/3)) - Sum(j^(3/2), (j, 1, floor(n^(2/3)))) for whole n >= 1"),
    ("divisors", "Sum(floor(n/k) - floor((n - 1)/k), (k, 1, n)) <= 2*sqrt(n) - 10^(-200) for whole n >= 1"),
    ("divisors", "Sum(floor(n/k) - floor((n - 2)/k), (k, 1, n)) <= 2*sqrt(n) for whole n >= 1"),
    ("divisors", "Sum(floor(n/k) - floor((n - 1)/k), (k, 1, n)) < 2*sqrt(n) for whole n >= 1"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "text"), [(form, text) for form in SAID for text in SAID[form]])
def test_what_is_said_of_lattice_points(form: str, text: str) -> None:
    assert set(SAID) == set(FORMS)
    assert apply("lattice", statement=text, form=form).holds


@pytest.mark.parametrize(("form", "text"), WRONG)
def test_what_lacks_a_condition_is_refused(form: str, text: str) -> None:
    with pytest.raises(Refused):
        apply("lattice", statement=text, form=form)


def test_the_facts_are_so_at_many_points() -> None:
    for n in range(1, 400):
        s, whole = isqrt(n), sum(n // k for k in range(1, n + 1))
        assert whole == 2 * sum(n // k for k in range(1, s + 1)) - s * s
        assert sum(n % k == 0 for k in range(1, n + 1)) ** 2 <= 4 * n
        assert sum(isqrt(k) for k in range(n)) == n * s - sum(j * j for j in range(1, s + 1))
    for x in (Fraction(k, 7) for k in range(-60, 200)):
        for m in range(1, 8):
            assert floor(Fraction(floor(x), m)) == floor(x / m)
            assert sum(floor((x + k) / m) for k in range(m)) == floor(x)
        assert x < 0 or isqrt(floor(x)) ** 2 <= x < (isqrt(floor(x)) + 1) ** 2


def halves(which: str = "m") -> list:
    said = [f"floor((2*{which} + {r})/2) + ceiling((2*{which} + {r})/2) = 2*{which} + {r} for whole {which}" for r in (0, 1)]
    return [apply("sums", statement=one, by=[[]]) for one in said]


def pieces(ends=("0 <= t < 1/2", "1/2 <= t < 1")) -> list:
    said = "floor(m + t) + floor(m + t + 1/2) = floor(2*(m + t)) for whole m"
    return [apply("sums", statement=f"{said}, {where}", by=[[]]) for where in ends]


NAMED = {"variable": "x", "of": "m", "rest": "t"}
DOUBLED = "floor(x) + floor(x + 1/2) = floor(2*x)"


def test_parts_that_leave_something_out_are_refused() -> None:
    whole = "floor(n/2) + ceiling(n/2) = n for whole n"
    both = halves()
    assert apply("residues", both, statement=whole, variable="n", of="m").holds
    assert apply("fraction", pieces(), statement=f"{DOUBLED} for real x", cuts=["1/2"], **NAMED).holds
    bad = [
        ("residues", both[:1], {"statement": whole, "variable": "n", "of": "m"}),
        ("residues", [both[0], both[0]], {"statement": whole, "variable": "n", "of": "m"}),
        ("residues", both[::-1], {"statement": whole, "variable": "n", "of": "m"}),
        ("residues", both, {"statement": "floor(n/2) + ceiling(n/2) = n for real n", "variable": "n", "of": "m"}),
        ("residues", halves("n"), {"statement": whole, "variable": "n", "of": "n"}),
        ("residues", both, {"statement": whole, "variable": "k", "of": "m"}),
        ("fraction", pieces()[:1], {"statement": f"{DOUBLED} for real x", "cuts": [], **NAMED}),
        ("fraction", pieces(), {"statement": f"{DOUBLED} for real x", "cuts": ["1/3"], **NAMED}),
        ("fraction", pieces()[::-1], {"statement": f"{DOUBLED} for real x", "cuts": ["1/2"], **NAMED}),
        ("fraction", pieces(), {"statement": f"{DOUBLED} for whole x", "cuts": ["1/2"], **NAMED}),
        ("fraction", pieces(("0 <= t < 1/2", "1/2 < t < 1")), {"statement": f"{DOUBLED} for real x", "cuts": ["1/2"], **NAMED}),
        ("fraction", pieces(), {"statement": f"{DOUBLED} for real x", "cuts": ["1/2"], "variable": "x", "of": "m", "rest": "m"}),
        ("fraction", pieces(), {"statement": f"{DOUBLED} for real x", "cuts": ["1/2", "1/2"], **NAMED}),
        ("fraction", pieces(), {"statement": f"{DOUBLED} for real x", "cuts": ["x"], **NAMED}),
    ]
    for name, premises, data in bad:
        with pytest.raises(Refused):
            apply(name, premises, **data)


@pytest.mark.parametrize("text", [
    "Sum(floor(k/2), (k, 1, n)) = floor(n^2/4){} for whole n >= 1", "floor(n/2) + ceiling(n/2) = n{} for whole n",
    "floor(x) + floor(x + 1/2) = floor(2*x){} for real x", "floor(floor(x)/n) = floor(x/n){} for real x, whole n >= 1",
    "Sum(floor(n/k), (k, 1, n)) <= n*(1 + log(n)){} for whole n >= 1", "floor(n/6) + floor((n + 3)/6) = floor(n/3){} for whole n",
    "Sum(floor(sqrt(k)), (k, 0, n - 1)) = n*floor(sqrt(n)) - floor(sqrt(n))^3/3 - floor(sqrt(n))^2/2 - floor(sqrt(n))/6{} for whole n >= 1",
    "floor(2*x) - 2*floor(x) <= 1{} for real x", "Sum(floor((n + k)/m), (k, 0, m - 1)) = n{} for whole n >= 0, whole m >= 1",
])  # fmt: skip
def test_what_holds_is_proved_and_what_is_off_by_a_little_is_refuted(text: str) -> None:
    assert theorem(read_statement(text.format("")), True).holds
    other = read_statement(text.format(" - 10^(-200)"))
    assert not theorem(other, False).holds
    with pytest.raises(Refused):
        theorem(other, True)


def test_ceilings_are_floors_turned_round() -> None:
    assert all(ceil(Fraction(k, 7)) == -floor(Fraction(-k, 7)) for k in range(-30, 30))
    assert theorem(read_statement("floor(-x) = -ceiling(x) for real x"), True).holds
