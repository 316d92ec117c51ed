"""Sums of terms that go by explicit steps: against exact sums, by every route, and what must be refused."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq

from asymp.enclosure import Undecided, enclose, exact, stepped_sum
from asymp.enclosure.stepped import Factors, Floors, Power, Stepped
from asymp.enclosure.stepped_sum import exactly, sums
from asymp.enclosure.stepped_tail import after, beyond
from asymp.parse.mathematics import parse_expression

F = Fraction
WEIGHT = "x^a*Product(1 + floor((n - 2*i)/3)/i, (i, 1, a))"


def power(base, exponent):
    return Power(base, arb(base).log(), exponent)


def some(rng):
    """A random term: one or two floors, a power of each, products up to the index and up to a floor."""
    last = rng.choice([30, 200, 1500])
    c, e = rng.randint(1, 9), rng.randint(1, 9)
    outer = Floors(((2 * last * c, -rng.randint(1, c), c), (rng.randint(0, 9), rng.randint(1, e), e)))
    x = fmpq(rng.randint(1, 40), rng.randint(1, 40))
    powers = (power(x, (0, 1, 0, 0)), power(fmpq(rng.randint(1, 9), 4), (1, 0, rng.choice([-1, 1]), rng.randint(0, 2))))
    inner = Floors(((last * 3, -1, rng.randint(1, 6)),))
    up = Factors(1, 1, (0, 1, 0, 0), inner, (((0, rng.randint(1, 5), rng.randint(0, 3)), 1), ((0, 1, 0), -1)), fmpq(1, 3))
    steps = Factors(rng.choice([-1, 1]), 1, (0, 0, 0, 1), Floors(), (((rng.randint(1, 9), 1), 1), ((2, 1), -1)), fmpq(2))
    forms = (((rng.randint(1, 5), 1, 1, 0), -rng.randint(1, 2)),)
    weights = ((), (((0, 1, 0, 0), 1),), (((7, 1, 0, -1), 1), ((1, 0, 1, 0), 1)))
    return Stepped(outer, powers, (up, steps), forms, weights, 0, last)


@pytest.fixture(params=[(160, 32, 200), (2, 4, 1), (8, 4, 200), (2, 4, 10**9)])
def routes(request, monkeypatch):
    """Short or long stretches, pieces or terms, the mode by bisection or by looking at all stretches."""
    for name, value in zip(("DIRECT", "LEAST_HALF", "FEW"), request.param, strict=True):
        monkeypatch.setattr(stepped_sum, name, value)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.usefixtures("routes")
def test_sums_hold_the_exact_ones(seed):
    rng = random.Random(seed)
    with ctx.workprec(400):
        for _ in range(6):
            term = some(rng)
            true, found = exactly(term), sums(term, 100)
            assert true is not None
            if found is None:  # too many steps of a forced route; never a wrong answer
                continue
            for x, y in zip(true, found, strict=True):
                ratio, given = arb(x / true[0]), y / found[0]
                assert given.overlaps(ratio)
            begun = sums(term, 100, begin=True)
            if begun is not None:
                assert all(y.overlaps(arb(x)) for x, y in zip(true, begun, strict=True))


def test_sums_are_found():
    rng = random.Random(7)
    with ctx.workprec(400):
        found = [sums(some(rng), 100) for _ in range(40)]
    assert all(x is not None and all(y.rel_accuracy_bits() > 90 for y in x if not y.contains(0)) for x in found)


def test_tails_are_bounds():
    rng = random.Random(3)
    tried = 0
    with ctx.workprec(200):
        for _ in range(60):
            term = some(rng)
            for way in (1, -1):
                a = rng.randint(0, term.last)
                to = term.last if way > 0 else 0
                bound = beyond(term, a, way, to, arb(1), max(1, abs(to - a) // rng.randint(1, 9)))
                if bound is None:
                    continue
                tried += 1
                totals, t, at = [arb(0) for _ in term.weights], arb(1), a
                while True:
                    floors = term.floors.at(at)
                    for k, one in enumerate(term.weights):
                        g = arb(1)
                        for line, w in one:
                            g *= arb(line[0] + line[1] * at + sum(c * f for c, f in zip(line[2:], floors, strict=True))) ** w
                        totals[k] += abs(t * g)
                    if at == to:
                        break
                    t, at = after(term, at, way, t), at + way
                assert not any(x > b for x, b in zip(totals, bound, strict=True))
    assert tried > 20


def one_floor(forms=(), factors=(), x=fmpq(1)):
    return Stepped(Floors(), (power(x, (0, 1)),), factors, forms, ((),), 0, 50)


def test_a_tail_counts_what_the_forms_gain():
    with ctx.workprec(100):
        term = one_floor(forms=((((1, 1)), -2),), x=fmpq(2))  # 2^a/(a + 1)^2, to the left of a = 50
        true = sum((F(2) ** (a - 50) * F(51, a + 1) ** 2 for a in range(51)), F(0))
        (bound,) = beyond(term, 50, -1, 0, arb(1), 8)
        assert not bound < arb(fmpq(true.numerator, true.denominator))


@pytest.mark.parametrize("form", [(20, -1), (-20, 1)])
def test_factors_that_are_not_positive_are_refused(form):
    with ctx.workprec(100):
        term = one_floor(factors=(Factors(1, 1, (0, 1), Floors(), ((form, 1),), fmpq(1)),))
        assert sums(term, 60) is None
        assert after(term, 19, 1, arb(1)) is None  # a factor of 0
        assert (after(term, 25, 1, arb(1)) is None) == (form[1] < 0)
        assert beyond(term, 10, 1, 50, arb(1), 4) is None


# --- from expressions ------------------------------------------------------------------------------------


def by_terms(body, values, last):
    """The sum, each term evaluated by itself."""
    term = parse_expression(body)
    return sum((exact(term, {**values, "a": a}) for a in range(last + 1)), F(0))


def quotient(top, bottom, high="floor(n/2)"):
    return parse_expression(f"Sum({top}, (a, 0, {high}))/Sum({bottom}, (a, 0, {high}))")


def test_a_quotient_is_exact_for_short_ranges_and_a_ball_for_long_ones():
    mean = quotient(f"a*{WEIGHT}", WEIGHT)
    for n in (4, 60, 301, 3000):
        values = {"n": n, "x": F(2, 5)}
        assert exact(mean, values) in enclose(mean, values)
    far = enclose(mean, {"n": "1e30", "x": F(2, 5)})
    assert abs(F(far.value) / 10**30 - F(2, 13)) < F(1, 10**20)


@pytest.mark.parametrize(
    "change",
    [
        (f"(a + 10^-200)*{WEIGHT}", WEIGHT),  # the weight
        (f"a*{WEIGHT.replace('x^a', '(x + 10^-200)^a')}", WEIGHT),  # one of the powers, so that the terms differ
        (f"a*{WEIGHT.replace('(i, 1, a)', '(i, 1, a + 1)')}", WEIGHT),  # one of the limits
        (f"a*{WEIGHT.replace('n - 2*i', 'n - 2*i + 3')}", WEIGHT),  # one of the floors
    ],
)
def test_what_is_not_one_term_is_not_taken_for_one(change):
    values = {"n": 102, "x": F(2, 5)}
    sums_of = [by_terms(body, values, 51) for body in change]
    for k in (0, 1):
        one = quotient(change[k], change[1 - k])
        assert exact(one, values) == sums_of[k] / sums_of[1 - k]
        assert sums_of[k] / sums_of[1 - k] in enclose(one, values, digits=250)


def test_a_sum_alone():
    one = parse_expression(f"Sum({WEIGHT}, (a, 0, floor(n/2)))")
    for n in (60, 600):
        assert exact(one, {"n": n, "x": F(2, 5)}) in enclose(one, {"n": n, "x": F(2, 5)})
    shifted = parse_expression("Sum((a - 5)^2*x^a*Product((i + 1/2)/i, (i, 1, a)), (a, 5, n))")
    assert exact(shifted, {"n": 400, "x": F(9, 10)}) in enclose(shifted, {"n": 400, "x": F(9, 10)})


def test_terms_of_both_signs_are_added_right():
    signed = quotient(f"(a - n/5)*{WEIGHT}", WEIGHT)
    for n in (100, 1000):
        values = {"n": n, "x": F(2, 5)}
        assert exact(signed, values) in enclose(signed, values)


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        ("a*Product(1 - i/50, (i, 1, a))", "Product(1 - i/50, (i, 1, a))"),  # factors of 0 and of both signs
        ("a*Product(i/3, (i, 5, a))", "Product(i/3, (i, 5, a))"),  # an empty product, of a range that runs backwards
        ("a*Product(1 + floor(i/2)/i, (i, 1, a^2))", "Product(1 + floor(i/2)/i, (i, 1, a^2))"),  # not linear
        ("a*Product(1 + 1/(i*E), (i, 1, a))", "Product(1 + 1/(i*E), (i, 1, a))"),  # coefficients that are not rational
        ("a*Product(i^2 + 1, (i, 1, a))/3^(a^2)", "Product(i^2 + 1, (i, 1, a))/3^(a^2)"),  # not hypergeometric
    ],
)
def test_other_forms_are_not_taken_for_this_one(top, bottom):
    one = quotient(top, bottom, "n")
    found = enclose(one, {"n": 60}, digits=20)
    by_terms = enclose(parse_expression(f"Sum({top}, (a, 0, n))"), {"n": 60}, digits=20)
    below = enclose(parse_expression(f"Sum({bottom}, (a, 0, n))"), {"n": 60}, digits=20)
    assert found.ball.overlaps(by_terms.ball / below.ball)


def test_too_long_a_sum_is_undecided(monkeypatch):
    monkeypatch.setattr(stepped_sum, "MOST_STATES", 1000)
    monkeypatch.setattr(stepped_sum, "MOST_PIECES", 3)
    monkeypatch.setattr(stepped_sum, "LONGEST_PERIOD", 1)
    with pytest.raises(Undecided):
        enclose(quotient(f"a*{WEIGHT}", WEIGHT), {"n": 10**9, "x": F(2, 5)})
