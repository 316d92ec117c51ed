"""Everyday laws: one row a law, as text of the language in its parameters.

``transform`` is E exp(-s X), which is finite for -below < s < above, and ``cumulant`` its logarithm; ``cdf`` is P(X <= x) for
low < x < high, ``density`` its derivative, ``mass`` P(X = k) for whole k, low <= k <= high; ``moment`` E X^k for whole k >= 1.

>>> LAWS["poisson"].mass
'c^k*exp(-c)/k!'
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Law:
    """A law; ``where`` says for which parameters it is one."""

    name: str
    parameters: str
    where: str
    words: str
    transform: str
    cumulant: str
    mean: str
    variance: str
    above: str = "oo"
    below: str = "0"
    low: str = "0"
    high: str = "oo"
    cdf: str = ""
    density: str = ""
    mass: str = ""
    moment: str = ""

    @property
    def letters(self) -> list[str]:
        """The parameters, in order."""
        return self.parameters.split()


_ROWS = (
    Law("normal", "m v", "v > 0", "the normal law of mean m and variance v", "exp(-m*s + v*s^2/2)", "v*s^2/2 - m*s", "m", "v",
        below="oo", low="-oo", cdf="erfc((m - x)/sqrt(2*v))/2", density="exp(-(x - m)^2/(2*v))/sqrt(2*pi*v)"),
    Law("poisson", "c", "c > 0", "Poisson's law of mean c", "exp(c*(exp(-s) - 1))", "c*(exp(-s) - 1)", "c", "c", below="oo",
        cdf="uppergamma(floor(x) + 1, c)/floor(x)!", mass="c^k*exp(-c)/k!"),
    Law("binomial", "n p", "whole n, n >= 1, p >= 0, p <= 1", "the number of successes in n trials of probability p",
        "(1 - p + p*exp(-s))^n", "n*log(1 - p + p*exp(-s))", "n*p", "n*p*(1 - p)", below="oo", high="n",
        mass="binomial(n, k)*p^k*(1 - p)^(n - k)", cdf="Sum(binomial(n, k)*p^k*(1 - p)^(n - k), (k, 0, floor(x)))"),
    Law("geometric", "p", "p > 0, p < 1", "the number of trials of probability p up to the first success: 1, 2, ...",
        "p*exp(-s)/(1 - (1 - p)*exp(-s))", "-s + log(p) - log(1 - (1 - p)*exp(-s))", "1/p", "(1 - p)/p^2",
        below="-log(1 - p)", low="1", mass="p*(1 - p)^(k - 1)", cdf="1 - (1 - p)^floor(x)"),
    Law("exponential", "r", "r > 0", "the exponential law of rate r", "r/(r + s)", "-log(1 + s/r)", "1/r", "1/r^2", below="r",
        cdf="1 - exp(-r*x)", density="r*exp(-r*x)", moment="k!/r^k"),
    Law("gamma", "a r", "a > 0, r > 0", "the Gamma law of shape a and rate r", "(r/(r + s))^a", "-a*log(1 + s/r)", "a/r", "a/r^2",
        below="r", cdf="1 - uppergamma(a, r*x)/gamma(a)", density="r^a*x^(a - 1)*exp(-r*x)/gamma(a)",
        moment="gamma(a + k)/gamma(a)/r^k"),
    Law("gumbel", "m b", "b > 0", "Gumbel's law, P(X <= x) = exp(-exp(-(x - m)/b))", "exp(-m*s)*gamma(1 + b*s)",
        "loggamma(1 + b*s) - m*s", "m + EulerGamma*b", "pi^2*b^2/6", below="1/b", low="-oo", cdf="exp(-exp(-(x - m)/b))",
        density="exp(-(x - m)/b - exp(-(x - m)/b))/b"),
    Law("uniform", "a b", "a < b", "the uniform law on (a, b)", "(exp(-a*s) - exp(-b*s))/((b - a)*s)",
        "log((exp(-a*s) - exp(-b*s))/((b - a)*s))", "(a + b)/2", "(b - a)^2/12", below="oo", low="a", high="b",
        cdf="(x - a)/(b - a)", density="1/(b - a)", moment="(b^(k + 1) - a^(k + 1))/((k + 1)*(b - a))"),
)  # fmt: skip
LAWS = {law.name: law for law in _ROWS}
FACTS = {
    "Billingsley 14.2": "convergence of types: a X_n + b with a -> oo has no limit law, where X_n has one that is no number",
    "Billingsley 16.12": "Scheffe: laws on whole numbers converge if and only if each probability does (Probability and Measure)",
    "Billingsley 25": "convergence in law is that of distribution functions wherever the limit's is continuous",
    "Billingsley 25.12": "convergence in law and uniform integrability give convergence of means",
    "Billingsley 30.2": "convergence of all moments gives that in law, to a law that they determine (30.1: by a transform)",
    "Curtiss 1942": "transforms that converge on an open interval give convergence in law (Mukherjea, Rao and Suen 2006)",
    **{f"law: {one.name}": f"transform, probabilities, moments of {one.words}" for one in LAWS.values()},
}
"""What is cited of limit laws (Billingsley, Probability and Measure, third edition), and of each law."""
