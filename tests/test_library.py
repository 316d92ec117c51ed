"""The library of files of claims: all of it is read, all that it says is proved or certified, and next to each claim is a false one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from asymp import registry
from asymp.check import check
from asymp.claim import Outcome, Strength, Unread
from asymp.library import meant, shelves, words

FILES = shelves()["queues"]
QUICK = (
    "mm1/mean", "mm1/busy-mean", "mm1/loss-above", "erlang-b/heavy", "mg1/heavy-traffic", "gim1/light-two-phases",
    "gim1/two-phases-root", "processor-sharing/variance-heavy", "processor-sharing/mean", "supermarket/busy",
)  # fmt: skip
"""Claims that take a tenth of a second each: the others are checked weekly."""

FALSE = {
    # next to a claim, one that is wrong: a constant, a sign, an exponent, an end of a range
    "mm1/finite-room": "there(k, m, rho) = rho^k/Sum(rho^j, (j, 1, m))",
    "mm1/mean": "Sum(k*P(k), (k, 0, oo)) = 1/(1 - rho)",
    "mm1/balance": "(1 + rho)*P(k + 1) = rho*P(k) + rho*P(k + 2)",
    "mm1/sojourn": "Sum(P(k)/(1 + s)^(k + 1), (k, 0, oo)) = (1 - rho)/(1 - rho*s)",
    "mm1/heavy-traffic": "(1 - rho)*(geometric(1 - rho) - 1) => exponential(2)",
    "mm1/heavy-traffic-waiting": "(1 - rho)*Laplace((1 - rho)*(1 + s)/(1 - rho + s), (s, 0, oo)) => exponential(1/2)",
    "mm1/relaxation": "1/(1 - sqrt(rho))^2 ~ 2/(1 - rho)^2",
    "mm1/loss-below": "L(rho) ~ rho^m",
    "mm1/loss-critical": "m*L(1 - c/m) -> c/(E^c + 1)",
    "mm1/loss-above": "L(r) -> 1/r",
    "mm1/busy-equation": "G(z) = z/(1 + rho - G(z))",
    "mm1/busy-mean": "(1 - G(z))/(1 - z) -> rho/(1 - rho)",
    "mm1/busy-tail": "served(n) ~ (4*rho/(1 + rho)^2)^n*(1 + rho)/(2*rho*sqrt(pi)*n^(3/2))",
    "erlang-b/formula": "busy(n, n, a) = a^n/n!/Sum(a^k/k!, (k, 0, n - 1))",
    "erlang-b/law": "busy(k, n, a) = a^k/k!*exp(-a)",
    "erlang-b/carried-load": "carried(n, a) = a - busy(n, n, a)",
    "erlang-b/recursion": "B(n + 1, a) = a*B(n, a)/(n + a*B(n, a))",
    "erlang-b/integral": "all_busy(1, n, rho)*n*rho*Integral((1 + t)^(n - 1)*exp(-n*rho*t), (t, 0, oo)) = 1",
    "erlang-b/critical": "B(n, n) ~ 1/sqrt(2*pi*n)",
    "erlang-b/critical-terms": "1/B(n, n) = sqrt(pi*n/2) + 1/3 + O(1/sqrt(n))",
    "erlang-b/square-root": "sqrt(n)*B(n, n - beta*sqrt(n)) -> phi(beta)/Phi(-beta)",
    "erlang-b/underload": "B(n, rho*n) ~ rho^n*exp(n*(1 - rho))/((1 - rho)*sqrt(2*pi*n))",
    "erlang-b/overload": "B(n, rho*n) = 1 - 1/rho + 1/(n*rho) + O(1/n^2)",
    "erlang-b/light": "B(n, a) ~ a^n",
    "erlang-b/heavy": "B(n, a) = 1 - n/a + O(1/a^3)",
    "erlang-b/lower": "B(n, a) >= 1 - n/(a + 2)",
    "erlang-b/more-servers": "B(n, a) is increasing in n",
    "erlang-c/finite-room": "there(n + k, n, m, a) = a^n/n!*(a/n)^k/(Sum(a^j/j!, (j, 0, n)) + a^n/n!*Sum((a/n)^j, (j, 0, m)))",
    "erlang-c/from-b": "C(n, a) = B(n, a)/(1 - a/n)",
    "erlang-c/more-than-b": "C(n, a) > B(n, a)/(1 - a/n)",
    "erlang-c/at-most-load": "C(n, a) <= (a/n)^2",
    "erlang-c/halfin-whitt": "C(n, n - beta*sqrt(n)) -> 1/(1 + beta*phi(beta)/Phi(beta))",
    "erlang-c/square-root-staffing": "sqrt(n)*W(n, n - beta*sqrt(n)) -> alpha",
    "erlang-c/quality": "C(n, rho*n) ~ rho^n*exp(n*(1 - rho))/sqrt(2*pi*n)",
    "erlang-c/efficiency": "C(n, n - b) = 1 - b*sqrt(2*pi/n) + O(1/n)",
    "erlang-c/efficiency-wait": "W(n, n - b) -> 2/b",
    "erlang-c/heavy-traffic": "W(n, rho*n) ~ 1/(1 - rho)",
    "erlang-c/heavy-traffic-law": "1 - C(n, rho*n) + C(n, rho*n)/(1 + (1 - rho)*s/(n - rho*n)) -> 1/(1 + s)",
    "erlang-c/light": "C(n, a) ~ a^n/(n - 1)!",
    "erlang-a/alike": "P(poisson(n - beta*sqrt(n)) >= n) -> Phi(beta)",
    "erlang-a/alike-lost": "sqrt(n)*(P(poisson(n) >= n) - P(poisson(n) >= n + 1)) -> 1/sqrt(pi)",
    "erlang-a/normal": "(poisson(a) - a)/sqrt(a) => normal(0, 2)",
    "erlang-a/delay": "delay(n, n - beta*sqrt(n), theta) -> 1/(1 + hazard(beta/sqrt(theta))/hazard(-beta))",
    "erlang-a/delay-critical": "delay(n, n, theta) -> 1/(1 + theta)",
    "erlang-a/lost": "sqrt(n)*lost(n, n - beta*sqrt(n), theta) -> sqrt(theta)*hazard(beta/sqrt(theta))*garnett",
    "erlang-a/lost-critical": "sqrt(n)*lost(n, n, theta) -> sqrt(2/pi)/(1 + sqrt(theta))",
    "erlang-a/palm-critical": "A(n/theta, n/theta) = sqrt(pi*n/(2*theta)) + 2/3 + O(1/sqrt(n))",
    "erlang-a/overload-lost": "lost(n, rho*n, theta) -> (1 - 1/rho)/theta",
    "erlang-a/overload-delay": "delay(n, rho*n, theta) -> 1 - 1/rho",
    "erlang-a/underload-delay": "delay(n, rho*n, theta) -> rho",
    "mg1/mean-wait": "(1 - wait(s, gamma_service(s)))/s -> rho*(1 + v)/(1 - rho)",
    "mg1/mean-wait-erlang": "(1 - wait(s, erlang_service(s)))/s -> rho*(1 - 1/m)/(2*(1 - rho))",
    "mg1/mean-wait-deterministic": "(1 - wait(s, exp(-s)))/s -> rho/(1 - rho)",
    "mg1/idle": "jobs_md1(z) -> rho",
    "mg1/adds-up": "jobs_md1(z) -> 1 - rho",
    "mg1/heavy-traffic": "wait((1 - rho)*s, gamma_service((1 - rho)*s)) -> 1/(1 + s*(1 + v))",
    "mg1/heavy-traffic-deterministic": "wait((1 - rho)*s, exp(-(1 - rho)*s)) -> 1/(1 + s)",
    "mg1/heavy-traffic-two-phases": "(1 - rho)*Laplace((1 - rho)/(1 - rho*(1 + s/4)/(1 + s/2)^2), (s, 0, oo)) => exponential(3/4)",
    "mg1/heavy-tails": "(1 - rho)/(1 - rho/(1 + (1 - rho)*sqrt(s))) -> 1/(1 + s)",
    "mg1/borel": "borel(n) ~ (rho*exp(1 - rho))^n/(sqrt(2*pi)*n^(3/2))",
    "mg1/borel-critical": "n^(n - 1)*exp(-n)/n! ~ 1/(sqrt(2*pi)*n^(1/2))",
    "mg1/borel-critical-tail": "Sum(k^(k - 1)*exp(-k)/k!, (k, n, oo)) ~ 1/sqrt(2*pi*n)",
    "gim1/gamma-root": "sigma = (1 + (1 - sigma)/load)^(-1/v)",
    "gim1/gamma-load": "0 < load < 1/2",
    "gim1/gamma-more-variable": "sigma < load",
    "gim1/two-phases-root": "E2 = (1 + (1 - E2)/rho)^(-2)",
    "gim1/two-phases-less": "0 < E2 < rho/2",
    "gim1/heavy-traffic": "(1 - load)*sigma/(1 - sigma) -> 1 + v",
    "gim1/heavy-traffic-deterministic": "D/(1 - D) ~ 1/(1 - rho)",
    "gim1/heavy-root-deterministic": "D = 1 - (1 - rho) + O((1 - rho)^2)",
    "gim1/heavy-traffic-two-phases": "E2/(1 - E2) = 3/(4*(1 - rho)) - 2/3 + O(1 - rho)",
    "gim1/heavy-traffic-law": "(1 - rho)*(geometric(1 - E2) - 1) => exponential(3/4)",
    "gim1/light-deterministic": "D ~ exp(-rho)",
    "gim1/light-two-phases": "E2 ~ rho^2",
    "processor-sharing/insensitive": "Sum(there(i, k - i, m, rho), (i, 0, k)) = rho^k/Sum(rho^j, (j, 1, m))",
    "processor-sharing/mean": "Sum((k + 1)*(1 - rho)*rho^k, (k, 0, oo)) = rho/(1 - rho)",
    "processor-sharing/against-first-come": "1/(1 - rho) < 1 + rho*(1 + v)/(2*(1 - rho)) iff v > 1/2",
    "processor-sharing/heavy-traffic": "(1 - rho)*(geometric(1 - rho) - 1) => exponential(1/2)",
    "processor-sharing/variance-long": "V(x) ~ 2*x/(1 - rho)^3",
    "processor-sharing/variance-short": "V(x) = 2*rho*x^2/(1 - rho)^2 + O(x^3)",
    "processor-sharing/variance-heavy": "(1 - rho)^2*V(x) -> 2*x^2",
    "processor-sharing/variance-positive": "V(x) < 0",
    "processor-sharing/variance-below": "V(x) < rho*x^2/2/(1 - rho)^2",
    "processor-sharing/variance-below-line": "V(x) < rho*x/(1 - rho)^3",
    "supermarket/fixed-point": "s(k) - s(k + 1) = s(k - 1)^d - s(k)^d",
    "supermarket/recursion": "s(k + 1) = s(k)^d",
    "supermarket/busy": "s(1) = rho^d",
    "supermarket/better-than-one": "s(k) <= rho^(k + 1)",
    "supermarket/tail": "log(1/s(k)) ~ d^k*log(1/rho)/d",
    "supermarket/tail-small": "s(k) = o(exp(-d^k*k))",
    "supermarket/tail-heavy": "s(k) = 1 - (1 - rho)*d^k/(d - 1) + O((1 - rho)^2)",
    "supermarket/time-heavy": "time ~ log(1/(1 - rho))/d",
    "supermarket/time-two": "Sum(rho^(2^i - 2), (i, 1, oo)) ~ log(1/(1 - rho))",
    "supermarket/choices": "log(log(n)/log(1/rho))/log(d) ~ log(n)/log(d)",
}  # fmt: skip
EVERY = [f"{name}/{claim}" for name, file in FILES.items() for claim in tomllib.loads(file.read_text())["claim"]]


def marked(names):
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


def test_all_of_it_is_read_and_each_claim_says_where_it_is_from():
    found = [claim for file in FILES.values() for claim in registry.load_file(file)]
    assert [claim.id for claim in found] == EVERY and len(EVERY) > 80
    assert [claim.id for claim in found if isinstance(claim.relation, Unread)] == []
    assert all(claim.source.locator for claim in found) and all(claim.expected is Outcome.HOLDS for claim in found)


@pytest.mark.parametrize("name", marked(EVERY))
def test_what_it_says_has_a_theorem_or_is_certified(name):
    file, _, claim = meant(f"queues/{name}")[0].partition("::")
    verdict = check(registry.load_one(file, f"{Path(file).stem}/{claim}"), quick=True)
    assert verdict.outcome is Outcome.HOLDS and verdict.strength in (Strength.PROVED, Strength.CERTIFIED), verdict


def test_next_to_every_claim_stands_a_false_one():
    assert set(FALSE) == set(EVERY)


@pytest.mark.parametrize("name", marked(FALSE))
def test_what_is_false_is_never_upheld(name, tmp_path):
    key, _, claim = name.partition("/")
    text = FILES[key].read_text(encoding="utf-8")
    says = tomllib.loads(text)["claim"][claim]["says"]
    assert text.count(f'says  = "{says}"') == 1 and says != FALSE[name]
    file = tmp_path / f"{key}.toml"
    file.write_text(text.replace(f'says  = "{says}"', f'says  = "{FALSE[name]}"'), encoding="utf-8")
    made = registry.load_one(file, name)
    assert not isinstance(made.relation, Unread), made.relation.reason
    verdict = check(made, quick=True)
    assert verdict.outcome is not Outcome.HOLDS, verdict
    if name in QUICK:
        assert verdict.outcome is Outcome.REFUTED, verdict


def test_words_of_the_library():
    assert all(Path(meant(word)[0]).is_file() for word in words())
    assert meant("nowhere/erlang-c") == ["nowhere/erlang-c"] and len(meant("queues")) == len(words())
    with pytest.raises(ValueError, match="did you mean queues/erlang-c/halfin-whitt"):
        meant("queues/erlang-c/halfin-whit")
