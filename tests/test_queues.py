"""The queues: chains built from the rules, against the formulas of Grosof and Ayhan (2025)."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from asymp.elimination import Elimination, rational, recurrent_class
from asymp.queues import one_and_n as formulas
from asymp.queues.one_and_n_queue import OneAndNQueue, capacity
from asymp.queues.open_queue import OpenQueue, heavy_traffic_limit, open_one_and_n, scaled_mean_queue
from asymp.queues.rules import JobClass, Rules, one_and_n_rules
from asymp.queues.saturated import one_and_n, saturated

F = Fraction
PARAMETERS = [
    (F(1, 2), F(1), F(1)),
    (F(1, 7), F(3, 2), F(2, 5)),
    (F(9, 10), F(10), F(1)),
    (F(1, 100), F(1), F(10)),
]


def harmonic(i):
    return sum((F(1, k) for k in range(1, i + 1)), F(0))


def cycle_time(n, p, mu1, mun):
    """1/C' of Lemma 5.2."""
    q = 1 - p
    return 1 / mun + q**n / (n * mu1 * p) + sum((q**b / (b * mu1) for b in range(1, n)), F(0))


# --- elimination -------------------------------------------------------------------------------


def test_elimination_solves_the_defining_equations():
    rows = [
        {1: F(1, 2), 2: F(1, 2)},
        {0: F(1, 3), 1: F(1, 3), 3: F(1, 3)},
        {3: F(1)},
        {0: F(2, 5), 2: F(3, 5)},
    ]
    chain = Elimination(rows)
    x = chain.stationary()
    assert sum(x) == 1
    assert all(x[j] == sum(x[i] * rows[i].get(j, 0) for i in range(4)) for j in range(4))
    r = [F(1), F(2), F(3), F(0)]
    r[3] = -(x[0] * r[0] + x[1] * r[1] + x[2] * r[2]) / x[3]
    f = chain.poisson(r)
    assert f[0] == 0
    assert all(f[i] == r[i] + sum(w * f[j] for j, w in rows[i].items()) for i in range(4))


def test_elimination_refuses():
    with pytest.raises(ValueError, match="does not sum to 1"):
        Elimination([{0: F(1, 2)}])
    with pytest.raises(ValueError, match="reducible"):
        Elimination([{0: F(1)}, {1: F(1)}])
    with pytest.raises(ValueError, match="nonzero stationary mean"):
        Elimination([{1: F(1)}, {0: F(1)}]).poisson([F(1), F(0)])
    with pytest.raises(ValueError, match="more than one closed class"):
        recurrent_class([{0: F(1, 2), 1: F(1, 2)}, {1: F(1)}, {2: F(1)}])
    with pytest.raises(TypeError, match="exact rational"):
        rational(0.1)


# --- the saturated system against the printed formulas ------------------------------------------


@pytest.mark.parametrize("n", range(1, 9))
@pytest.mark.parametrize(("p", "mu1", "mun"), PARAMETERS)
def test_section_5_holds_exactly(n, p, mu1, mun):
    system, q = one_and_n(n, p, mu1, mun), 1 - p
    c = 1 / cycle_time(n, p, mu1, mun)
    mu = c / p
    # Lemmas 5.2 to 5.4; 1 < b < n is read 1 <= b < n, and the middle term of that line is dropped.
    time_average = {(1, 0): c / mun, (0, n): c * q**n / (n * mu1 * p)}
    time_average |= {(1, b): c * q**b / (b * mu1) for b in range(1, n)}
    assert time_average == system.P
    assert system.throughput == mu
    assert system.pid == {(0, n): q**n} | {(1, b): q**b * p for b in range(n)}
    # Lemma 5.5: Delta up to a constant, and the mean.
    delta = {b: b - mu / mu1 * harmonic(b) for b in range(n)}
    delta[n] = n - 1 + 1 / p - mu / mu1 * harmonic(n - 1) - mu / (n * p * mu1)
    exact = system.relative_completions
    assert {b: exact[(0, n) if b == n else (1, b)] - exact[1, 0] for b in delta} == delta
    assert sum(system.P[y] * exact[y] for y in exact) == 0
    mean = q**n * (1 - mu / (n * mu1)) * delta[n]
    mean += sum(q**i * p * (1 - mu / (i * mu1)) * delta[i] for i in range(1, n))
    assert system.mean_relative_completions == mean


@pytest.mark.parametrize("n", range(1, 9))
@pytest.mark.parametrize(("p", "mu1", "mun"), PARAMETERS[:2])
def test_lemma_5_1_holds_from_n_2_on_and_fails_at_n_1(n, p, mu1, mun):
    pi, q = one_and_n(n, p, mu1, mun).pi, 1 - p
    zero = pi[0, 0]
    printed = {(0, b): zero * q**b for b in range(n - 1)} | {(1, b): zero * q**b for b in range(n)}
    printed |= {(0, n - 1): zero * q ** (n - 1) / p, (0, n): zero * q**n / p}
    assert (pi == printed) is (n >= 2)
    # At n = 1 the ratios hold if the constant is not pi_{0,0}: it is p pi_{0,0}.
    if n == 1:
        assert pi == {y: p * w for y, w in printed.items()}


def test_large_chains_are_quick_and_exact():
    system = one_and_n(40, F(1, 7), F(3, 2), F(2, 5))
    assert system.throughput == 7 / cycle_time(40, F(1, 7), F(3, 2), F(2, 5))


def test_general_classes():
    # Two servers, needs 1 and 2: the 1-and-2 system under another name.
    p = F(1, 3)
    twice = saturated(2, [JobClass(1, F(3), 1 - p), JobClass(2, F(5), p)])
    assert twice.throughput == one_and_n(2, p, 3, 5).throughput
    # Three servers, needs 1 and 2: the flow into each state balances in continuous time.
    system = saturated(3, [JobClass(1, F(1), F(1, 2)), JobClass(2, F(2), F(1, 4)), JobClass(3, F(1, 2), F(1, 4))])
    assert sum(system.P.values()) == 1
    inflow = dict.fromkeys(system.labels, F(0))
    for step in system.transitions:
        inflow[step.target] += system.pi[step.source] * step.probability
    assert inflow == system.pi
    # By throughput: class shares of completions are the shares of arrivals.
    for j, job in enumerate(system.rules.classes):
        rate = sum(w * y.in_service[j] * job.rate for y, w in system.P.items())
        assert rate == job.probability * system.throughput


def test_identical_servers_never_blocked():
    system = saturated(3, [JobClass(1, F(2), F(1))])
    assert system.throughput == 6
    assert system.mean_relative_completions == 0


@pytest.mark.parametrize(
    ("n", "p", "mu1", "error"),
    [
        (0, "0.5", 1, "n must"),
        (2, 0, 1, "p must"),
        (2, 1, 1, "p must"),
        (2, "0.5", 0, "positive"),
        (True, "0.5", 1, "n must"),
    ],
)
def test_bad_parameters(n, p, mu1, error):
    with pytest.raises(ValueError, match=error):
        one_and_n(n, p, mu1, 1)


def test_bad_rules():
    with pytest.raises(ValueError, match=r"outside 1\.\.2"):
        Rules(2, (JobClass(3, F(1), F(1)),))
    with pytest.raises(ValueError, match="sum to 1"):
        Rules(2, (JobClass(1, F(1), F(1, 2)),))
    with pytest.raises(ValueError, match="servers"):
        Rules(0, ())


# --- symbolic n ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
@pytest.mark.parametrize(("p", "mu1", "mun"), PARAMETERS)
def test_symbolic_formulas_and_both_routes_to_the_mean(n, p, mu1, mun):
    system = one_and_n(n, p, mu1, mun)
    at = {
        formulas.n: n,
        formulas.p: sp.Rational(p.numerator, p.denominator),
        formulas.mu1: sp.Rational(mu1.numerator, mu1.denominator),
        formulas.mun: sp.Rational(mun.numerator, mun.denominator),
    }
    mu = formulas.throughput_formula().subs(at).doit()
    assert rational(mu) == system.throughput
    # Poisson's equation, and regeneration cycles, which share nothing with it.
    exact = system.mean_relative_completions
    assert rational(formulas.mean_relative_completions_formula(mu).subs(at).doit()) == exact
    assert (dispersion_by_cycles(n, p, mu1, mun, system.throughput) - 1) / 2 == exact


def dispersion_by_cycles(n, p, mu1, mun, mu):
    """I = lim Var D(t) / E D(t), of D(t) completions, from cycles between n-server completions (:mod:`asymp.sample.regenerative`).

    N = G + 1 jobs complete in the time T = X + drain (+ overflow), and I = p E[(N - mu T)^2], summed over G; from n on its
    geometric tail in closed form.  The maximum of g Exp(mu1) has mean H_g/mu1 and variance H_g^(2)/mu1^2.
    """

    def harmonic(g, power):
        return sum((F(1, b**power) for b in range(1, g + 1)), F(0))

    def square(jobs, extra_mean, extra_variance, drained):
        mean = jobs - mu / mun - mu / mu1 * harmonic(drained, 1) + extra_mean
        return mean**2 + mu**2 * (1 / mun**2 + harmonic(drained, 2) / mu1**2) + extra_variance

    # Overflow of M = G - n + 1 completions, of mean 1/p and variance (1-p)/p^2: given M it adds M (1 - mu/(n mu1)) to the
    # mean of N - mu T, and M (mu/(n mu1))^2 to its variance.
    net = 1 - mu / (n * mu1)
    tail = square(n, net / p, net**2 * (1 - p) / p**2 + (mu / (n * mu1)) ** 2 / p, n - 1)
    return p * (sum((1 - p) ** b * p * square(b + 1, 0, 0, b) for b in range(n)) + (1 - p) ** n * tail)


# --- the open queue --------------------------------------------------------------------------------


def pollaczek_khinchine(p, mu1, mun, rate):
    """E[number in system] of M/H2/1, exactly: rho + lambda^2 E[S^2] / (2 (1 - rho))."""
    mean = (1 - p) / mu1 + p / mun
    second = 2 * (1 - p) / mu1**2 + 2 * p / mun**2
    return rate * mean + rate**2 * second / (2 * (1 - rate * mean))


@pytest.mark.parametrize(("p", "mu1", "mun"), PARAMETERS)
@pytest.mark.parametrize("load", [F(1, 10), F(1, 2), F(99, 100)])
def test_one_server_is_pollaczek_khinchine(p, mu1, mun, load):
    rate = load * one_and_n(1, p, mu1, mun).throughput
    exact = pollaczek_khinchine(p, mu1, mun, rate)
    queue = open_one_and_n(1, p, mu1, mun, rate)
    assert queue.mean_number() == pytest.approx(float(exact), rel=1e-15)
    assert exact in queue.certified_mean_number(40)


@pytest.mark.parametrize("n", range(1, 7))
@pytest.mark.parametrize(("p", "mu1", "mun"), PARAMETERS)
def test_drift_vanishes_exactly_at_the_saturated_throughput(n, p, mu1, mun):
    mu = one_and_n(n, p, mu1, mun).throughput
    for rate, stable in [(mu, False), (mu * (1 - F(1, 10**30)), True), (mu * (1 + F(1, 10**30)), False)]:
        queue = open_one_and_n(n, p, mu1, mun, rate)
        assert queue.capacity == mu
        assert queue.drift[0] == rate
        assert queue.is_stable is stable


def test_unstable_and_bad_arrivals_are_refused():
    with pytest.raises(ValueError, match="unstable"):
        open_one_and_n(2, "0.5", 1, 1, 2).mean_number()
    with pytest.raises(ValueError, match="arrival rate"):
        open_one_and_n(2, "0.5", 1, 1, 0)


def test_two_identical_classes_are_an_mmc_queue():
    # Needs of one server each, equal rates: M/M/2 with E[Q] = 2 rho / (1 - rho^2).
    rules = Rules(2, (JobClass(1, F(1), F(1, 3)), JobClass(1, F(1), F(2, 3))))
    rho = F(3, 4)
    assert OpenQueue(rules, 2 * rho).mean_number() == pytest.approx(float(2 * rho / (1 - rho**2)), rel=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize(("p", "mu1", "mun"), [(F(1, 10), F(1), F(1)), (F(1, 2), F(10), F(1)), (F(4, 5), F(1), F(10))])
def test_equation_2(n, p, mu1, mun):
    exact = one_and_n(n, p, mu1, mun).mean_relative_completions + 1
    value, error = heavy_traffic_limit(one_and_n_rules(n, p, mu1, mun), digits=30, steps=7)
    assert error < 1e-9
    assert abs(float(value) - float(exact)) < 1e-9


def test_equation_2_beyond_the_1_and_n_system():
    classes = (JobClass(1, F(1), F(1, 2)), JobClass(2, F(2), F(1, 3)), JobClass(3, F(1, 2), F(1, 6)))
    value, _error = heavy_traffic_limit(Rules(3, classes), digits=30, steps=6)
    exact = saturated(3, classes).mean_relative_completions + 1
    assert abs(float(value) - float(exact)) < 1e-7


def test_the_generating_function_agrees_near_saturation():
    queue = OneAndNQueue(3, F(1, 10), 1, 1, F(999, 1000) * capacity(3, F(1, 10), 1, 1))
    found = scaled_mean_queue(3, F(1, 10), F(1), F(1), F(999, 1000))
    assert found == pytest.approx(queue.stationary().number_in_system / 1000, rel=1e-13)
