"""Insensitive load balancing: the law against the chain, certified numbers against exact sums, quadrature, incomplete gamma
functions and expansions, and the error bounds of the quadrature behind them."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from math import factorial

import mpmath
import pytest
import sympy as sp
from exact_models import blocking, erlang_b, free_places, mean_occupancy, mean_sojourn_time, servers_for
from flint import arb, ctx, fmpq

from asymp.budget import spent
from asymp.enclosure import Undecided, enclose, enclose_quantity
from asymp.enclosure.numbers import InputError, read_number
from asymp.paper import ClaimsError, read_claims
from asymp.papers.ilb.chains import farm_law
from asymp.registry import find_quantity

F = Fraction
EXACT = {"blocking": blocking, "mean-occupancy": mean_occupancy, "mean-sojourn-time": mean_sojourn_time}
SMALL = [(1, 1), (1, 4), (2, 1), (2, 3), (3, 2), (4, 2), (3, 4)]


def certified(name, theta, n, digits=30, **load):
    raw = {"theta": str(theta), "n": str(n)} | {key: str(value) for key, value in load.items()}
    return enclose_quantity(find_quantity(f"ilb/{name}"), raw, digits)


def series(theta):
    """The coefficients of g_theta."""
    return [fmpq(1, factorial(k)) for k in range(theta + 1)]


# --- the law ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("theta", "n"), SMALL)
@pytest.mark.parametrize("rho", [F(1, 3), F(1), F(5, 2)])
def test_the_finite_sums_are_the_chain(theta, n, rho):
    law = farm_law(theta, n, rho)
    free = [F(0)] * (n * theta + 1)
    for state, weight in law.items():
        free[sum((theta - k) * count for k, count in enumerate(state))] += weight
    assert free_places(theta, n, rho) == tuple(free)
    jobs = sum(weight * sum(k * count for k, count in enumerate(state)) for state, weight in law.items())
    assert mean_occupancy(theta, n, rho) == jobs
    # Little's law for the servers: those at work finish jobs at the rate at which jobs are accepted
    at_work = sum(weight * (n - state[0]) for state, weight in law.items())
    assert at_work == n * rho * (1 - blocking(theta, n, rho)) and mean_sojourn_time(theta, n, rho) == jobs / at_work


def test_one_place_is_erlangs_loss_system():
    for n, rho in ((1, F(1, 2)), (7, F(1)), (40, F(13, 10))):
        assert blocking(1, n, rho) == erlang_b(n, n * rho)
        assert mean_sojourn_time(1, n, rho) == 1


# --- certified numbers against exact ones -------------------------------------------------------------------


def some(count, seed, most=120):
    """Random arguments, with loads near 1, small and large."""
    rng = random.Random(seed)
    for _ in range(count):
        theta = rng.choice([1, 2, 3, 5, 10])
        n = rng.randint(1, max(1, most // theta))
        sign = rng.choice([-1, 1])
        near = 1 + F(sign * rng.randint(1, 9), 10 ** rng.randint(1, 12))
        yield theta, n, rng.choice([near, F(1), F(1, 10), F(10), F(rng.randint(1, 300), 100), F(1, 1000), F(1000)])


@pytest.mark.parametrize("name", EXACT)
def test_numbers_hold_the_exact_ones(name):
    for theta, n, rho in some(12, 5):
        found = certified(name, theta, n, rho=rho)
        exact = EXACT[name](theta, n, rho)
        assert exact in found, (theta, n, rho)
        assert F(found.radius) <= abs(exact) * F(1, 10**29)


def test_per_server_is_the_occupancy_over_n():
    assert mean_occupancy(3, 5, F(1, 2)) / 5 in certified("mean-occupancy-per-server", 3, 5, rho="1/2")


# --- against mpmath, Erlang's incomplete gamma function, and expansions -------------------------------------


def direct(theta, n, rho, weight=None):
    """n rho times the integral by mpmath's quadrature, in units of its largest integrand; and that one's logarithm."""
    with mpmath.workdps(40):
        rate, terms = mpmath.mpf(n * rho.numerator) / rho.denominator, range(theta + 1)

        def g(t):
            return sum(t**k / mpmath.factorial(k) for k in terms)

        def exponent(t):
            return n * mpmath.log(g(t)) - rate * t

        low, high = mpmath.mpf(0), mpmath.mpf(theta) / mpmath.mpf(rho.numerator) * rho.denominator + 1
        third = (high - low) / 3
        while third > mpmath.mpf(10) ** -12:
            low, high = (low + third, high) if exponent(low + third) < exponent(high - third) else (low, high - third)
            third = (high - low) / 3
        top, peak = low, exponent(low)
        width = mpmath.mpf(1) / n
        while exponent(top + width) > peak - 2:
            width *= mpmath.mpf(5) / 4
        points = sorted({max(mpmath.mpf(0), top + k * width) for k in range(-60, 61, 2)})
        points += [points[-1] + j * width * 60 for j in (1, 3)]
        found = mpmath.quad(lambda t: (1 if weight is None else weight(t, g)) * mpmath.exp(exponent(t) - peak), points)
        return rate * found, peak


@pytest.mark.parametrize(
    ("theta", "n", "rho"),
    [(1, 10**4, F(1, 2)), (2, 10**5, F(1)), (3, 1000, F(9, 10)), (5, 10**6, F(1)), (10, 10**4, F(101, 100)), (4, 10**5, F(1, 10))],
)
def test_numbers_agree_with_mpmath(theta, n, rho):
    with mpmath.workdps(40):
        whole, peak = direct(theta, n, rho)
        blocked = mpmath.mpf(certified("blocking", theta, n, rho=rho).value) * mpmath.exp(peak)
        assert abs(blocked * whole - 1) < mpmath.mpf(10) ** -25
        jobs, _ = direct(
            theta, n, rho, lambda t, g: sum((theta - k) * t**k / mpmath.factorial(k) for k in range(theta)) / g(t)
        )
        occupancy = mpmath.mpf(certified("mean-occupancy", theta, n, rho=rho).value)
        assert abs(occupancy * whole / (n * jobs) - 1) < mpmath.mpf(10) ** -25


@pytest.mark.parametrize("n", ["1e3", "1e8", "1e15"])
@pytest.mark.parametrize("rho", ["1/10", "1-1e-12", "1", "1+3e-8", "10"])
def test_one_place_is_an_incomplete_gamma_function(n, rho):
    """DLMF 8.4.8: 1/B = e^a a^-n Gamma(n + 1, a) for n servers and an offered load of a."""
    servers, rate = sp.symbols("n rho", positive=True)
    offered = servers * rate
    inverse = sp.exp(offered - servers * sp.log(offered)) * sp.uppergamma(servers + 1, offered)
    erlang = enclose(1 / inverse, {"n": n, "rho": read_number(rho)})
    assert erlang.ball.overlaps(certified("blocking", 1, n, rho=rho).ball)


@pytest.mark.parametrize("theta", [1, 2, 5, 10])
def test_numbers_agree_with_expansions(theta):
    n = 10**15
    # rho > 1: 1 - 1/rho + 1/(rho (rho - 1)^theta n^theta), up to a factor 1 + O(1/n) of the last term
    for rho in (F(10), F(3, 2)):
        term = 1 / (rho * (rho - 1) ** theta * n**theta)
        found = certified("blocking", theta, n, digits=30 + 16 * theta, rho=rho)
        gap = abs(F(found.value) - (1 - 1 / rho) - term)
        assert gap < term * F(10**4, n), rho
    # rho = 1: Corollary 6, with a relative error of order n^(-1/(theta + 1))
    root = (factorial(theta + 1) / mpmath.mpf(n)) ** (mpmath.mpf(1) / (theta + 1))
    integral = root * mpmath.gamma(mpmath.mpf(theta + 2) / (theta + 1)) * n
    ratio = mpmath.mpf(certified("blocking", theta, n, rho=1).value) * integral
    assert abs(ratio - 1) < 2 * root
    # rho < 1: Theorem 5, with a relative error of order 1/n
    with ctx.workprec(400):
        top = fmpq(theta)
        g, first, second = (sum((c * top**k for k, c in enumerate(series(theta)[: theta + 1 - d])), fmpq(0)) for d in range(3))
        second = second if theta > 1 else fmpq(0)
        rho = first / g
        alpha = first**2 / g**2 - second / g
        laplace = ((n * arb(g).log() - n * rho * top).exp() * n * rho * (2 * arb.pi() / (n * arb(alpha))).sqrt()) ** -1
        found = certified("blocking", theta, n, rho=f"{rho.p}/{rho.q}").ball
        assert abs(found / laplace - 1) < arb(10) ** -12


def test_two_precisions_and_neighbours_agree():
    for theta, n, load in [(2, "1e8", {"rho": "1/2"}), (10, "1e15", {"a": "-300"}), (7, "1e60", {"rho": "1-1e-30"}), (3, "1e15", {"a": 20}), (2, "1e100", {"a": "-30"})]:
        for name in EXACT:
            rough, fine = (certified(name, theta, n, digits, **load) for digits in (30, 120))
            assert rough.ball.overlaps(fine.ball)
            with ctx.workprec(600):
                assert abs(fine.ball.mid() - rough.ball.mid()) <= rough.ball.rad() + fine.ball.rad()
                assert fine.ball.rad() < rough.ball.rad()


def test_exponents_of_a_million_digits():
    found = certified("blocking", 1, "1e15", rho="1/10")
    assert found.value.startswith("5.569241") and found.value.endswith("e-609134966287082")
    with ctx.workprec(200):  # Corollary 4
        n = arb(10) ** 15
        stirling = (n * arb("0.9") + n * arb("0.1").log()).exp() / (2 * arb.pi() * n).sqrt()
        assert abs(found.ball / stirling - 1) < arb(10) ** -14


def test_a_number_costs_little():
    """A step is about a microsecond: 0.4 s are 400000 of them."""
    for theta, n, load in [(10, "1e8", {"rho": 1}), (10, "1e15", {"rho": "1/10"}), (10, "1e15", {"a": "-3"}), (5, "1e8", {"rho": "1-1e-6"})]:
        certified("blocking", theta, n, **load)
        before = spent()
        certified("blocking", theta, n, **load)
        assert spent() - before < 400_000


# --- the error bounds -----------------------------------------------------------------------------------------


def test_no_ball_misses():
    """Balls of low precision hold a value of high precision, where L is vague by its parts."""
    for theta, n, rho in [(10, 1000, 1), (5, 10**4, F(9999, 10**4)), (3, 100, F(11, 10)), (8, 100, F(1, 2))]:
        found = certified("blocking", theta, n, digits=40, rho=rho).ball
        assert all(certified("blocking", theta, n, digits, rho=rho).ball.overlaps(found) for digits in (1, 8, 20))


def test_typed_integrals_of_the_kind():
    t, n, k, m = sp.symbols("t n k m")
    body = (1 + t + t**2 / 2) ** n * sp.exp(-n * t)
    whole = sp.Integral(body, (t, 0, sp.oo))
    summed = sp.Integral(sp.Sum(t**k / sp.factorial(k), (k, 0, m)) ** n * sp.exp(-n * t), (t, 0, sp.oo))
    for size in (3, F(7, 2), 10**6, 10**15):
        one, two = enclose(whole, {"n": size}), enclose(summed, {"n": size, "m": 2})
        assert one.ball.overlaps(two.ball) and one.ball.rel_accuracy_bits() > 99
    parts = [enclose(sp.Integral(body, (t, *ends)), {"n": 50}).ball for ends in ((0, 1), (1, 3), (3, sp.oo))]
    assert sum(parts, arb(0)).overlaps(enclose(whole, {"n": 50}).ball)
    other = sp.Integral(3 * 2 ** (1 - n * t) * (1 + t) ** n * t**2, (t, 0, sp.oo))
    same = sp.Integral((1 + t) ** n * t**2 * sp.exp(-n * sp.log(2) * t), (t, 0, sp.oo))
    for size in (F(3, 2), 10**9):
        assert enclose(other / same, {"n": size}).ball.overlaps(arb(6))
    with pytest.raises(Undecided):
        enclose(summed, {"n": 5, "m": F(5, 2)})


# --- servers ----------------------------------------------------------------------------------------------------


def test_servers_are_the_least_by_exact_sums():
    quantity = find_quantity("ilb/servers-for")
    for theta, rate, target in [(1, F(1), F(1, 2)), (1, F(10), F(1, 100)), (2, F(30), F(1, 1000)), (3, F(1, 7), F(1, 10**20)), (5, F(40), F(2, 5))]:
        found = enclose_quantity(quantity, {"theta": str(theta), "lam": str(rate), "target": str(target)})
        assert found.radius == "0" and int(found.value) == servers_for(theta, rate, target)
        n = int(found.value)
        assert blocking(theta, n, rate / n) < target and (n == 1 or blocking(theta, n - 1, rate / (n - 1)) >= target)


def test_a_target_that_is_met_exactly_is_not_beaten():
    quantity = find_quantity("ilb/servers-for")
    assert blocking(1, 1, 1) == F(1, 2)
    for target, n in (("1/2", "2"), ("1/2+1e-40", "1"), ("1/2-1e-40", "2")):
        assert enclose_quantity(quantity, {"theta": "1", "lam": "1", "target": target}).value == n


@pytest.mark.parametrize(("lam", "target"), [("1e8", "1e-6"), ("1e8", "1e-1000"), ("1e15", "1e-3"), ("1e12+1/3", "1/2")])
def test_large_farms_are_the_least(lam, target):
    for theta in (1, 10):
        found = enclose_quantity(find_quantity("ilb/servers-for"), {"theta": str(theta), "lam": lam, "target": target})
        n = int(found.value)
        with ctx.workprec(800):
            aim = arb(read_number(target))
            assert certified("blocking", theta, n, 200, **{"lambda": lam}).ball < aim
            assert certified("blocking", theta, n - 1, 200, **{"lambda": lam}).ball > aim


def test_blocking_falls_in_the_number_of_servers():
    for theta in (1, 2, 5):
        exact = [blocking(theta, n, F(20) / n) for n in range(1, 40)]
        assert all(a > b for a, b in pairwise(exact))
        balls = [certified("blocking", theta, 10**8 + k, **{"lambda": "1e8"}).ball for k in range(-3, 4)]
        assert all(a > b for a, b in pairwise(balls))


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "change", "what"),
    [
        ("blocking", {"theta": "0"}, "theta=0: must be whole theta, theta >= 1"),
        ("blocking", {"theta": "3/2"}, "theta=3/2: must be whole"),
        ("blocking", {"theta": "oo"}, "theta=oo: not a number"),
        ("blocking", {"theta": "inf"}, "theta=inf: not a number"),
        ("blocking", {"n": "0"}, "n=0: must be whole n, n >= 1"),
        ("blocking", {"n": "5/2"}, "n=5/2: must be whole"),
        ("mean-occupancy", {"n": "1e-3"}, "n=1e-3: must be whole"),
        ("mean-sojourn-time", {"rho": "0"}, "rho=0: must be rho > 0"),
        ("mean-sojourn-time", {"rho": "1-1"}, "rho=1-1: must be rho > 0"),
        ("blocking", {"rho": "-1/2"}, "rho=-1/2: must be rho > 0"),
        ("blocking", {"rho": "nan"}, "rho=nan: not a number"),
        ("blocking", {"rho": "1/(2-2)"}, "division by zero"),
        ("blocking", {"rho": "1+sqrt(2)"}, "not an exact number"),
        ("blocking", {"rho": "2^(10^12)"}, "not an exact number"),
        ("servers-for", {"target": "1"}, "target=1: must be 0 < target < 1"),
        ("servers-for", {"target": "0"}, "target=0: must be 0 < target < 1"),
        ("servers-for", {"lam": "0"}, "lam=0: must be lam > 0"),
        ("servers-for", {"theta": "0"}, "theta=0: must be whole"),
        ("servers-for", {"n": "5"}, "n: unknown parameter"),
    ],
)
def test_what_is_out_of_range_gets_one_line(name, change, what):
    given = {"theta": "2", "lam": "10", "target": "1e-3"} if name == "servers-for" else {"theta": "2", "n": "10", "rho": "1/2"}
    with pytest.raises(InputError) as caught:
        enclose_quantity(find_quantity(f"ilb/{name}"), given | change)
    assert what in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 160


def test_a_window_below_zero_load_and_a_long_polynomial():
    with pytest.raises(InputError, match="a=-100 makes rho: must be rho > 0"):
        certified("blocking", 1, 10, a=-100)
    with pytest.raises(Undecided, match="could not be bounded"):
        certified("blocking", "1e6", 10, rho="1/2")


def test_numbers_are_exact_arithmetic():
    for text, value in [("1-1e-12", 1 - F(1, 10**12)), ("2*(10^6+1)/3", F(2000002, 3)), ("-(1/2)", F(-1, 2)), ("1e8", F(10**8)), ("1/-3", F(-1, 3)), ("1e-3", F(1, 1000))]:
        assert F(str(read_number(text))) == value
    with pytest.raises(InputError, match="x=1e999999999: the exponent"):
        read_number("1e999999999", "x")
    with pytest.raises(InputError, match="the text ends too soon"):
        read_number("1+")


FILE = """
[paper]
key = "own"
[variables]
n = "whole, >= 1"
x = "> 0"
[quantities.first]
is = "exp(-n*x)"
least = "n"
below = "1/1000"
falls = "x > 0"
[claim."one"]
quote = 'x'
says = "x = x"
"""


def test_the_least_whole_number_is_a_quantity_of_any_file():
    paper = read_claims(FILE, "own.toml")
    assert enclose_quantity(paper.quantities[0], {"x": "1/100"}).value == "691"  # ln(1000) = 6.9077...
    for gone, what in (('falls = "x > 0"', "why it falls"), ('below = "1/1000"', "needs a bound")):
        with pytest.raises(ClaimsError, match=what):
            read_claims(FILE.replace(gone, ""), "own.toml")
    with pytest.raises(ClaimsError, match="k is not in"):
        read_claims(FILE.replace('least = "n"', 'least = "k"'), "own.toml")
