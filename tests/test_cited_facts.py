"""Each fact that the kernel cites, at random arguments against balls; and that it fails where one of its conditions is dropped.

A row draws arguments that satisfy the conditions of a fact, ``says`` whether balls leave it standing there, and gives for each
condition an argument without it, at which the fact is certainly false: a test that passes there too would test nothing.
What says O(...) is tried with a constant, far out.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from flint import acb, arb, ctx, fmpq, fmpz

from asymp.kernel.cited import CITED

TRIES = 4


@dataclass(frozen=True)
class Row:
    """``draw``: arguments that satisfy the conditions; ``says``: whether the fact stands; ``dropped``: arguments without one."""

    draw: Callable[[random.Random], tuple[Any, ...]]
    says: Callable[..., bool]
    dropped: dict[str, tuple[Any, ...]] = field(default_factory=dict)


@pytest.fixture(autouse=True)
def precise():
    before, ctx.prec = ctx.prec, 100
    yield
    ctx.prec = before


def part(rng: random.Random, low: int, high: int) -> arb:
    """A number low < x < high, with eighths."""
    return arb(rng.randrange(8 * low + 1, 8 * high)) / 8


def same(x: arb, y: arb, within: float = 1e-12) -> bool:
    """Whether x and y are finite, and differ by little."""
    return bool(abs(x - y) < within * (1 + abs(y)))


def power(z: acb, b: Any, analytic: bool) -> acb:
    return (z.log(analytic=analytic) * b).exp()


def integral(f: Callable[[acb, bool], acb], low: Any, high: Any) -> arb:
    return acb.integral(f, acb(low), acb(high), rel_tol=arb(2) ** -60, abs_tol=arb(2) ** -60).real


def below(f: Callable[[acb, bool], acb], low: Any, high: Any, value: arb) -> bool:
    """Whether an integral of what is positive, from which a little is left out at the ends, is nearly the value, below it."""
    found = integral(f, low, high)
    return not bool(found > value) and bool(value - found < arb("0.01") * (1 + value))


# --- integrals and special functions ----------------------------------------------------------------------------


def gamma_integral(b, q, s):
    f = lambda z, a: (-b * power(z, q, a)).exp() * power(z, s, a)  # noqa: E731
    r = (s + 1) / q
    return same(integral(f, arb(10) ** -14, 40), r.gamma() / (q * b**r), 1e-9)


def sine_integral(a, b):
    cut, value = arb(2) ** -30, (a.gamma() * b.gamma() / (a + b).gamma()) / 2
    return below(lambda t, an: power(t.sin(), 2 * a - 1, an) * power(t.cos(), 2 * b - 1, an), cut, arb.pi() / 2 - cut, value)


def bessel_k_integral(v, z):
    """K_v(z), by the logarithm of the variable."""
    f = lambda u, an: (-(u.exp()) - z**2 / 4 * (-u).exp() - v * u).exp()  # noqa: E731
    return bool(z > 0) and same((z / 2) ** v / 2 * integral(f, -40, 40), z.bessel_k(v), 1e-9)


def beta_integral(a, b):
    cut = arb(2) ** -30
    f = lambda z, an: power(z, a - 1, an) * power(1 - z, b - 1, an)  # noqa: E731
    return below(f, cut, 1 - cut, a.gamma() * b.gamma() / (a + b).gamma())


def euler_product(side):
    """prod_(k>=1) (1 + c/k^2) by sin or sinh of pi |c|^(1/2): up to k = N, with log(1 + t) = t + O(t^2) and sum 1/k^2 after that."""

    def says(c):
        found, last = arb(1), 1_000
        for k in range(1, last + 1):
            found *= 1 + c / k**2
        z = arb.pi() * (side * c).sqrt()
        return same(found * (c * arb(2).zeta(arb(last + 1))).exp(), (z.sinh() if side > 0 else z.sin()) / z, 1e-8)

    return says


def lower_gamma(b, z):
    total, term = arb(0), arb(1)
    for k in range(1, 120):
        total, term = total + term, term * z / (b + k)
    return below(lambda t, a: power(t, b - 1, a) * (-t).exp(), arb(2) ** -30, z, z**b * (-z).exp() / b * total)


def upper_gamma_series(a, x):
    total = a.gamma() - sum((arb(-1) ** j * x ** (a + j) / (arb.fac_ui(j) * (a + j)) for j in range(80)), arb(0))
    return same(x.gamma_upper(a), total)


def erfc_uniform(a, ratio, sign):
    """8.12.3 with c_0 of 8.12.7: what is left is O(a^(-3/2)) exp(-a eta^2/2)."""
    mu = ratio - 1
    eta = (2 * (mu - ratio.log())).sqrt() * sign
    c0 = 1 / mu - 1 / eta
    half = (eta * (a / 2).sqrt()).erfc() / 2
    gap = (a * ratio).gamma_upper(a) / a.gamma() - half - (-a * eta**2 / 2).exp() / (2 * arb.pi() * a).sqrt() * c0
    return bool(abs(gap) < a**-1.5 * (-a * eta**2 / 2).exp())


def rises(f):
    def says(x, y):
        x, y = (x, y) if x < y else (y, x)
        return bool(f(x) < f(y))

    return says


def real(found: acb) -> arb:
    return found.real if found.imag.contains(0) else arb.nan()


def bessel_integral(n, x):
    f = lambda t, _: (n * t - x * t.sin()).cos()  # noqa: E731
    return same(x.bessel_j(n), integral(f, 0, arb.pi()) / arb.pi(), 1e-9)


def zeta_sum(s, a):
    """25.11.1: what is left of the sum beyond N lies between two integrals."""
    count = 200
    begun = sum(((n + a) ** -s for n in range(count)), arb(0))
    rest = s.zeta(a) - begun
    return (
        bool(rest > 0)
        and bool((count + a) ** (1 - s) / (s - 1) < rest)
        and bool(rest < (count + a - 1) ** (1 - s) / (s - 1))
    )


def zeta_by_remainder(s):
    """25.2.9, N = 8, with four terms: what is left is less than the one after them, for s > -7."""
    n = arb(8)
    found = sum((arb(k) ** -s for k in range(1, 9)), arb(0)) - n**-s / 2 + n ** (1 - s) / (s - 1)
    terms = [
        arb(fmpq.bernoulli(2 * k)) / arb.fac_ui(2 * k) * s.rising(2 * k - 1) * n ** (1 - s - 2 * k) for k in range(1, 6)
    ]
    return bool(abs(s.zeta() - found - sum(terms[:4], arb(0))) <= abs(terms[4]))


def stieltjes(h):
    """25.2.4 near 1, with three terms."""
    gammas = [acb.stieltjes(k).real for k in range(3)]
    kept = 1 / h + gammas[0] - gammas[1] * h + gammas[2] * h**2 / 2
    return bool(abs((1 + h).zeta() - kept) < abs(h) ** 3 / 10)


def polygamma_falls(n, x, y):
    """25.11.12: of the sign (-1)^(n+1), and nearer to 0 for a larger x."""
    first, second = (real(acb(z).polygamma(acb(n))) * (-1) ** (n + 1) for z in ((x, y) if x < y else (y, x)))
    return bool(second > 0) and bool(first > second)


def dilogarithm(x):
    return same(x.polylog(2) + (1 - x).polylog(2), arb.pi() ** 2 / 6 - x.log() * (1 - x).log())


def waves(n, x):
    """24.8.1 up to 4,000 terms, of which the rest is O(k^(-2n)) (partial sums are bounded)."""
    turn = 2 * math.pi * float(x)
    found = sum(math.cos(turn * k) / k ** (2 * n) for k in range(1, 4_000))
    value = arb(x).bernoulli_poly(2 * n) * (-1) ** (n + 1) * (2 * arb.pi()) ** (2 * n) / (2 * arb.fac_ui(2 * n))
    return bool(abs(value - found) < 1e-5)


def euler_maclaurin(f, df, whole, m, n):
    """2.10.1 with one Bernoulli number: for a convex f what is left is at most (1/12 + 1/24) (f'(n) - f'(m))."""
    total = sum((f(arb(k)) for k in range(m, n + 1)), arb(0))
    gap = total - whole(arb(m), arb(n)) - (f(arb(m)) + f(arb(n))) / 2 - (df(arb(n)) - df(arb(m))) / 12
    return bool(abs(gap) < abs(df(arb(n)) - df(arb(m))) / 8)


def smooth(a):
    return lambda x: (-a * x).exp(), lambda x: -a * (-a * x).exp(), lambda x, y: ((-a * x).exp() - (-a * y).exp()) / a


def wave():
    turn = 2 * arb.pi()
    return (
        lambda x: 1 - (turn * x).cos(),
        lambda x: turn * (turn * x).sin(),
        lambda x, y: y - x - ((turn * y).sin() - (turn * x).sin()) / turn,
    )


def stationary(n, low):
    """The ends of int_0^1 exp(-t) exp(i n (t - low)^2) dt, up to O(n^(-2)), where h' = 2 (t - low) is not 0 between them."""
    value = acb.integral(lambda t, _: (-t).exp() * (acb(0, n) * (t - low) ** 2).exp(), 0, 1)
    ends = [
        (-acb(t)).exp() * (acb(0, n) * (acb(t) - low) ** 2).exp() / (acb(0, n) * 2 * (acb(t) - low)) for t in (0, 1)
    ]
    return bool(abs(value - ends[1] + ends[0]) < arb(10) / n**2)


# --- whole numbers ---------------------------------------------------------------------------------------------


def dobinski(n):
    terms = [arb(k) ** n / arb.fac_ui(k) for k in range(1, 80)] + ([arb.nan()] if n == 0 else [])  # 0^0 is not defined
    return same(sum(terms, arb(0)), arb.const_e() * arb(fmpz.bell_number(int(n)) if n == int(n) else 0))


def derangements(n):
    from itertools import permutations

    found = sum(all(k != x for k, x in enumerate(one)) for one in permutations(range(int(n))))
    return same(arb(found), arb(n).gamma() * n * sum((arb(-1) ** k / arb.fac_ui(k) for k in range(int(n) + 1)), arb(0)))


def differences(n, m):
    found = sum(((-1) ** (n - k) * math.comb(n, k) * (arb(k) ** m if k else arb(m == 0)) for k in range(n + 1)), arb(0))
    stirling = arb(fmpz.stirling_s2(int(m), n)) if m == int(m) else arb(0)
    return same(found, arb.fac_ui(n) * stirling)


def set_partitions(m, x):
    found = sum((arb(fmpz.stirling_s2(n, m)) * x**n / arb.fac_ui(n) for n in range(120)), arb(0))
    return same(found, (x.exp() - 1) ** m / arb.fac_ui(m))


# --- sequences and limits ----------------------------------------------------------------------------------------


def equidistributed(coefficients):
    """Weyl's sums for the first six waves: o(1)."""
    count = 4_000
    k = np.arange(1, count + 1)
    phase = sum(c * (k ** (i + 1) % (1 << 40)) for i, c in enumerate(coefficients))
    return all(abs(np.exp(2j * np.pi * h * phase).mean()) < 0.1 for h in range(1, 7))


def powers_of_singularity(a, n):
    """VI.1: [z^n] (1 - z)^(-a), a no whole number below 1, up to O(n^(a-3))."""
    exact = (a + n).gamma() / (a.gamma() * arb.fac_ui(n))
    kept = arb(n) ** (a - 1) * a.rgamma() * (1 + a * (a - 1) / (2 * n))
    return bool(abs(exact - kept) < (1 + abs(a)) ** 4 * arb(n) ** (a - 3))


ANALYTIC = {  # coefficients of functions that are O(1) at 1; and of one that is not analytic beyond -1
    "1/(2 - z)": lambda n: 2.0 ** (-n - 1),
    "(1 - z) log(1/(1 - z))": lambda n: -1 / (n * (n - 1)),
    "(1 - z)^(1/2)": lambda n: float(-arb(2 * n - 2).fac() / (arb(n - 1).fac() ** 2 * n * 2 ** (2 * n - 1))),
    "1/(1 + z)": lambda n: (-1.0) ** n,
}


def transferred(name, n):
    """VI.3: what is O(1) in a disc indented at 1 has coefficients O(1/n)."""
    return abs(ANALYTIC[name](n)) <= 1 / n


def saddle(step, n):
    """VIII.3: [z^n] exp(z^d) by its saddle at r = (n/d)^(1/d), as if it alone told."""
    exact = 0 if n % step else 1 / arb.fac_ui(n // step)
    r = (arb(n) / step) ** (arb(1) / step)
    kept = (r**step).exp() / (r**n * (2 * arb.pi() * n * step).sqrt())
    return bool(abs(exact - kept) < kept / n)


def partitions_into(c, d, n):
    """Meinardus: partitions into parts c k + d, k >= 0, their number next to its leading term."""
    series = [0] * (n + 1)
    series[0] = 1
    for part_ in range(d, n + 1, c):
        for k in range(part_, n + 1):
            series[k] += series[k - part_]
    a, b = arb(d) / c, (arb.pi() ** 2 / (6 * c)).sqrt()
    front = a.gamma() * (2 * arb.pi()) ** -0.5 * arb(c) ** (a - 0.5) * b ** (a) / (4 * arb.pi()).sqrt()
    kept = front * arb(n) ** ((arb(1) / 2 - a) / 2 - arb(3) / 4) * (2 * b * arb(n).sqrt()).exp()
    return bool(abs(series[n] / kept - 1) < 2 * arb(n) ** -0.2)


def hardy_ramanujan(n, part_of_c):
    c = arb.pi() * (arb(2) / 3).sqrt()
    x = (arb(n) - arb(1) / 24).sqrt()
    kept = (c * x).exp() / (4 * arb.pi() * arb(2).sqrt()) * (c / x**2 - 1 / x**3)
    return bool(abs(arb.partitions_p(n) - kept) < (part_of_c * c * arb(n).sqrt()).exp())


def divisors(x):
    found = sum((fmpq(sum(d for d in range(1, m + 1) if m % d == 0), m) for m in range(1, x + 1)), fmpq(0))
    log = arb(x).log()
    return bool(abs(arb(found) - arb.pi() ** 2 * x / 6 + log / 2) <= 2 * log ** (arb(2) / 3))


def line_is_stable(up, down, turn):
    """A line of levels with two phases: the spectral radius of its R is below 1 where the mean drift is down."""
    up, down = np.diag(up), np.diag(down)
    turn = np.array(turn, dtype=float)
    stay = turn - np.diag(turn.sum(1)) - up - down
    both = turn - np.diag(turn.sum(1))
    law = np.linalg.lstsq(np.vstack([both.T, np.ones(2)]), np.array([0, 0, 1]), rcond=None)[0]
    r = np.zeros((2, 2))
    for _ in range(4_000):
        r = -(up + r @ r @ down) @ np.linalg.inv(stay)
    return (law @ (up - down) @ np.ones(2) < 0) == bool(max(abs(np.linalg.eigvals(r))) < 1 - 1e-3)


def harmonic_sum(s, m, x):
    """k^(-s) e^(-k x): the residues of Gamma(w) zeta(w + s) x^(-w) to the right of -m, s no whole number, up to O(x^m)."""
    exact = sum((arb(k) ** -s * (-k * x).exp() for k in range(1, 3_000)), arb(0))
    kept = (1 - s).gamma() * x ** (s - 1) + sum(
        (arb(-1) ** j / arb.fac_ui(j) * (s - j).zeta() * x**j for j in range(m)), arb(0)
    )
    return bool(abs(exact - kept) < x**m)


# --- theorems of the kernel's own modules: they are proved there, from what is cited --------------------------------


def dominated(c, end):
    """Tannery: the sum of c^k (1 - k/N)^N, k <= N end, tends to that of its limits, c^k e^(-k)."""
    n = 1_000
    found = sum((c**k * (1 - arb(k) / n) ** n for k in range(n * end + 1)), arb(0))
    return bool(abs(found - 1 / (1 - c * arb(-1).exp())) < arb(100) / n)


def peaked(term, n, x, sigma):
    """Laplace: a sum of terms whose logarithm is concave, with its peak x well inside, is t(x) sigma (2 pi)^(1/2) (1 + O(1/n))."""
    found = sum((term(k) for k in range(n + 1)), arb(0))
    return bool(abs(found / (term(x) * sigma * (2 * arb.pi()).sqrt()) - 1) < arb(2) / n)


def chosen(n, q):
    return lambda k: math.comb(n, k) * arb(q) ** k


def peak_of(n, q):
    p = arb(q) / (1 + arb(q))
    return round(float(n * p)), (n * p * (1 - p)).sqrt()


def of_binomials(rng):
    n, q = rng.choice((60, 90, 120)), rng.choice((1, 2))
    return (chosen(n, q), n, *peak_of(n, q))


SQUARE = arb(2).sqrt()
ROWS: dict[str, Row] = {
    "DLMF 5.9.1": Row(
        lambda r: (part(r, 1, 3), part(r, 1, 3), part(r, 0, 3)), gamma_integral,
        {"b > 0": (arb(0), arb(1), arb(1)), "s > -1": (arb(1), arb(1), arb("-1.5"))}),
    "DLMF 4.22.1": Row(lambda r: (-part(r, 0, 1),), euler_product(-1), {"c < 0": (arb("0.5"),)}),
    "DLMF 4.36.1": Row(lambda r: (part(r, 0, 3),), euler_product(1), {"c > 0": (arb("-0.5"),)}),
    "DLMF 5.5.3": Row(
        lambda r: (part(r, 0, 3) + arb("0.01"),), lambda z: same(z.gamma() * (1 - z).gamma(), arb.pi() / (arb.pi() * z).sin()),
        {"z is not whole": (arb(2),)}),
    "DLMF 5.12.1": Row(
        lambda r: (part(r, 1, 3), part(r, 1, 3)), beta_integral,
        {"a > 0": (arb("-0.5"), arb(1)), "b > 0": (arb(2), arb("-0.5"))}),
    "DLMF 5.12.2": Row(lambda r: (part(r, 1, 4), part(r, 1, 4)), sine_integral, {"a > 0": (arb("-0.5"), arb(2)), "b > 0": (arb(2), arb("-0.5"))}),
    "DLMF 10.32.10": Row(lambda r: (part(r, 0, 3), part(r, 1, 4)), bessel_k_integral, {"z > 0": (arb("0.5"), arb(-2))}),
    "DLMF 8.7.1": Row(lambda r: (part(r, 1, 3), part(r, 0, 3)), lower_gamma, {"b > 0": (arb("-0.5"), arb(1))}),
    "DLMF 8.7.3": Row(lambda r: (part(r, 0, 3) + arb(1) / 16, part(r, 0, 3)), upper_gamma_series, {"a = -1": (arb(-1), arb(1))}),
    "DLMF 8.2.2": Row(
        lambda r: (part(r, 0, 3), part(r, 0, 3)),
        lambda a, x: x.gamma_upper(a).is_finite() and same(x.gamma_upper(a), integral(lambda t, an: power(t, a - 1, an) * (-t).exp(), x, 90), 1e-9),
        {"x > 0": (arb(1) / 2, arb(-1))}),
    "DLMF 8.12.3": Row(
        lambda r: (part(r, 10, 60), part(r, 0, 3) + arb(1) / 16, 0), lambda a, x, s: erfc_uniform(a, x, s or (1 if x > 1 else -1)),
        {"eta has the sign of x/a - 1": (arb(30), arb("0.5"), 1)}),
    "DLMF 8.17.1": Row(
        lambda r: (part(r, 0, 3), part(r, 0, 3), *sorted(r.sample(range(1, 16), 2))),
        lambda a, b, x, y: bool(0 <= (arb(x) / 16).beta_lower(a, b)) and bool((arb(x) / 16).beta_lower(a, b) < (arb(y) / 16).beta_lower(a, b)),
        {"x <= 1": (arb(2), arb("2.5"), 15, 24)}),
    "DLMF 4.13.1": Row(lambda r: (part(r, 0, 5),), lambda x: same(x.lambertw() * x.lambertw().exp(), x), {"x >= -1/e": (arb(-1),)}),
    "DLMF 4.13.4": Row(
        lambda r: (0, part(r, 0, 5), part(r, 5, 9)), lambda branch, x, y: bool(x.lambertw(branch) < y.lambertw(branch)),
        {"the principal branch": (-1, arb("-0.3"), arb("-0.1"))}),
    "DLMF 5.15.1": Row(
        lambda r: (part(r, 0, 3), part(r, 3, 9)), rises(arb.digamma), {"x > 0": (arb("-0.5"), arb("0.5"))}),
    "DLMF Table 5.4.1": Row(lambda r: (part(r, 0, 4),), lambda x: bool(x.gamma() >= arb("0.8856")), {"x > 0": (arb("-0.5"),)}),
    "DLMF 6.2.9": Row(lambda r: (part(r, 0, 40),), lambda x: bool(0 < x.si()) and bool(x.si() < 2), {"x > 0": (arb(-1),)}),
    "DLMF 6.2.11": Row(
        lambda r: (part(r, 0, 9),), lambda x: x.ci().is_finite() and same(x.ci() - arb(30).ci(), -integral(lambda t, _: t.cos() / t, x, 30), 1e-9),
        {"x > 0": (arb(-1),)}),
    "DLMF 6.2.16": Row(lambda r: (part(r, 0, 3), part(r, 3, 9)), rises(arb.chi), {"x > 0": (arb(-2), arb(1))}),
    "DLMF 7.2.7": Row(lambda r: (part(r, 0, 9),), lambda x: bool(0 < x.fresnel_c()) and bool(x.fresnel_c() < 1), {"x > 0": (arb(-1),)}),
    "DLMF 7.2.8": Row(lambda r: (part(r, 0, 9),), lambda x: bool(0 < x.fresnel_s()) and bool(x.fresnel_s() < 1), {"x > 0": (arb(-1),)}),
    "DLMF 7.11.2": Row(
        lambda r: (part(r, 0, 5),), lambda x: same(x.erfc(), (x**2).gamma_upper(arb(1) / 2) / arb.pi().sqrt()), {"x > 0": (arb(-1),)}),
    "DLMF 10.9.2": Row(lambda r: (r.randrange(6), part(r, 0, 9)), bessel_integral, {"n is whole": (arb(1) / 2, arb(3))}),
    "DLMF 10.32.9": Row(
        lambda r: (part(r, 0, 3), part(r, 0, 3), part(r, 3, 6)), lambda nu, x, y: bool(x.bessel_k(nu) > y.bessel_k(nu)) and bool(y.bessel_k(nu) > 0),
        {"x > 0": (arb(1), arb(-1), arb(1))}),
    "DLMF 19.2.8": Row(
        lambda r: sorted((arb(k) / 16 for k in r.sample(range(-30, 16), 2)), key=float),
        lambda x, y: bool(real(acb(x).elliptic_k()) < real(acb(y).elliptic_k())) and bool(real(acb(x).elliptic_e()) > real(acb(y).elliptic_e())),
        {"m < 1": (arb("0.5"), arb(2))}),
    "DLMF 25.2.1": Row(lambda r: (part(r, 1, 3), part(r, 3, 9)), lambda x, y: bool(x.zeta() > y.zeta()), {"s > 1": (arb("0.5"), arb(2))}),
    "DLMF 25.2.4": Row(lambda r: (part(r, 0, 1) / 2,), stieltjes),
    "DLMF 25.2.9": Row(lambda r: (part(r, -6, 5) + arb(1) / 16,), zeta_by_remainder, {"s > -7": (arb("-9.5"),)}),
    "DLMF 24.8.1": Row(lambda r: (r.choice((1, 2)), r.randrange(1, 16) / 16), waves, {"x < 1": (1, 1.25), "x > 0": (1, -0.25)}),
    "DLMF 25.11.4": Row(lambda r: (part(r, 1, 4), part(r, 0, 3)), zeta_sum, {"s > 1": (arb("0.5"), arb(1))}),
    "DLMF 25.11.12": Row(
        lambda r: (r.randrange(1, 5), part(r, 0, 3), part(r, 3, 6)), polygamma_falls,
        {"x > 0": (1, arb("-0.5"), arb("-0.1")), "n >= 1": (0, arb(1), arb(2))}),
    "DLMF 25.12.6": Row(lambda r: (part(r, 0, 1),), dilogarithm, {"x < 1": (arb(2),), "x > 0": (arb(-1),)}),
    "DLMF 26.7.5": Row(lambda r: (r.randrange(1, 9),), dobinski, {"n >= 1": (0,), "n is whole": (1.5,)}),
    "DLMF 26.13.4": Row(lambda r: (r.randrange(1, 7),), derangements, {"n is whole": (2.5,)}),
    "DLMF 26.8.6": Row(lambda r: (r.randrange(1, 5), r.randrange(1, 7)), differences, {"m is whole": (2, 1.5)}),
    "DLMF 26.8.12": Row(lambda r: (r.randrange(1, 5), part(r, -2, 2)), set_partitions),
    "DLMF 2.10.1": Row(
        lambda r: (*smooth(part(r, 0, 2)), 1, r.randrange(3, 30)), euler_maclaurin, {"f is convex": (*wave(), 1, 10)}),
    "Olver 1974, chapter 3": Row(
        lambda r: (r.randrange(100, 400), -part(r, 0, 2) - 1), stationary, {"h' != 0 between the ends": (200, arb("0.5"))}),
    "Weyl 1916, chapter 1": Row(
        lambda r: (r.choice(([0, math.sqrt(2)], [math.sqrt(3)], [0.5, math.pi], [math.e, 0.25])),), equidistributed,
        {"an irrational coefficient": ([1 / 3, 1 / 2],), "beside the constant one": ([0.0],)}),
    "Flajolet and Sedgewick 2009, chapter 6": Row(
        lambda r: (r.choice([*ANALYTIC][:3]), 200), transferred, {"analytic in an indented disc": ("1/(1 + z)", 200)}),
    "Flajolet and Sedgewick 2009, chapter 6, the scale": Row(
        lambda r: (part(r, -2, 3) + arb(1) / 16, 400), powers_of_singularity, {"n -> oo": (arb("-30.5"), 5)}),
    "Flajolet and Sedgewick 2009, chapter 8": Row(lambda r: (1, r.randrange(20, 60)), saddle, {"the rest of the circle adds little": (2, 51)}),
    "Andrews 1976, chapter 6": Row(
        lambda r: (*r.choice(((1, 1), (2, 1), (3, 1), (3, 2))), 400), partitions_into, {"no common divisor": (2, 2, 401)}),
    "Hardy and Ramanujan 1918, chapter 1": Row(
        lambda r: (r.randrange(100, 900), arb("0.55")), hardy_ramanujan, {"D > C/2": (400, arb("0.2"))}),
    "Walfisz 1963, chapter 3": Row(lambda r: (r.randrange(3, 90),), divisors, {"x is large": (1,)}),
    "Latouche and Ramaswami 1999, chapter 7": Row(
        lambda r: ([r.uniform(0.1, 1), r.uniform(0.1, 1)], [r.uniform(1.2, 2), r.uniform(1.2, 2)], [[0, 1], [r.uniform(0.3, 1), 0]]),
        line_is_stable, {"the phases lead to one another": ([3, 0.1], [1, 9], [[0, 0], [0, 0]])}),
    "Flajolet, Gourdon and Dumas 1995, theorem 5": Row(
        lambda r: (part(r, -2, 2) + arb(1) / 16, r.randrange(1, 4), arb(1) / r.randrange(20, 60)), harmonic_sum,
        {"x > 0": (arb("0.5"), 3, arb("-0.05")), "s is no whole number": (arb(1), 2, arb("0.05"))}),
    "dominated_sums (Tannery)": Row(
        lambda r: (part(r, 0, 2), 1), dominated, {"the series of limits converges": (arb(3), 1), "0 <= x_i k <= 1": (arb(1), 3)}),
    "peaked_sums (Laplace)": Row(
        of_binomials, peaked,
        {"the peak is inside": (lambda k: arb(2) ** k, 60, 60, arb(1)), "the logarithm is concave": (lambda k: 1 / arb(math.comb(60, k)), 60, 30, arb(15).sqrt()),
         "sigma -> oo": (lambda k: arb(10) ** (-10 * (k - 30) ** 2), 60, 30, 1 / (20 * arb(10).log()).sqrt())}),
}  # fmt: skip
EVERYWHERE = {"DLMF 25.2.4", "DLMF 26.8.12"}
"""Power series that converge everywhere."""
WITHOUT_CONDITIONS = {
    "DLMF 4.2.19", "DLMF 5.2.2", "DLMF 5.4.1", "DLMF 5.4.6", "DLMF 5.4.12", "DLMF 5.15.5", "DLMF 5.17.4", "DLMF 6.2.15", "DLMF 7.2.1",
    "DLMF 7.4.2", "DLMF 7.7.6", "DLMF 8.8.2", "DLMF 8.8.13", "DLMF 9.2.1", "DLMF 10.6.1", "DLMF 10.29.1", "DLMF 19.4.1",
    "DLMF 5.11.8", "DLMF 5.15.9",
}  # fmt: skip
"""Identities between functions of the table, wherever these are defined, and their derivatives: tests/test_functions_table.py, and
for the last two, series whose coefficients are computed, tests/test_kernel_gamma.py."""


@pytest.mark.parametrize("fact", ROWS)
def test_a_fact_stands_at_random_arguments(fact):
    rng = random.Random(fact)
    for _ in range(TRIES):
        given = ROWS[fact].draw(rng)
        assert ROWS[fact].says(*given), (fact, given)


@pytest.mark.parametrize(
    ("fact", "condition"), [(fact, condition) for fact, row in ROWS.items() for condition in row.dropped]
)
def test_it_falls_where_a_condition_is_dropped(fact, condition):
    assert not ROWS[fact].says(*ROWS[fact].dropped[condition])


def test_every_fact_that_is_cited_has_a_row_with_conditions():
    assert {fact for fact, row in ROWS.items() if not row.dropped} == EVERYWHERE
    assert set(CITED) - set(ROWS) == WITHOUT_CONDITIONS
