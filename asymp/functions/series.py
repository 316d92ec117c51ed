"""Series of functions: at infinity, at 0, at the ends of where they are real; text in the language, typed once.

A series says of a function of x, and of other arguments that stay as they are, where x tends to a place:

    f(x) = plus + sum over its sums of  head * (c_0 + c_1*u + ... + c_(K-1)*u^(K-1) + O(u^K)),

for every K, where u, the ``step``, tends to 0 there, uniformly in what stays on compact sets.  Without a place and without sums
it is an identity, which holds wherever the right side is defined.  At constants inside the domain Taylor's series is made of the
derivative in the table.

>>> at("erfc")[0].sums[0].head, at("erfc")[0].bound
('exp(-x^2)/(x*pi^(1/2))', '')
>>> print(at("li")[0])
li(x) = Ei(log(x))
>>> print(at("E1")[1])
E1(x) = -EulerGamma - log(x) + sum of -(-1)^k/(k*factorial(k))*(x)^k, x -> 0+
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import factorial

from asymp.functions.laws import FACTS as OF_LAWS
from asymp.functions.row import Needed, conditions
from asymp.functions.table import ROWS


@dataclass(frozen=True)
class Terms:
    """``head * sum over k >= first of coefficient * step^k``.

    Args:
        coefficient: of step^k, in k; all there is where there is no step; with semicolons: those of the first k,
            of which no more are known.
        step: what tends to 0.
        head: a factor of all.
        first: where k begins.
        rest: the sum cut before k is O of that, times head; empty: step^k, or what stands at k where there is no step.
        pace, shift: how many orders a step is worth, and by how many the sum is ahead of them.
    """

    coefficient: str
    step: str = ""
    head: str = "1"
    first: int = 0
    rest: str = ""
    pace: int = 1
    shift: int = 0

    @property
    def listed(self) -> tuple[str, ...]:
        """The first coefficients, where no more are known."""
        return tuple(one.strip() for one in self.coefficient.split(";") if one) if ";" in self.coefficient else ()

    def last(self, order: int) -> int:
        """The last k that is taken for an order: that of step^k, in what step is a power of."""
        found = max(self.first, (order + self.shift) // self.pace)
        return min(found, self.first + len(self.listed) - 1) if self.listed else found

    def at(self, k: int) -> str:
        """The coefficient of step^k, which may have k in it."""
        return self.listed[k - self.first] if self.listed else self.coefficient

    def __str__(self) -> str:
        head = "" if self.head == "1" else f"{self.head} * "
        return f"{head}sum of {self.coefficient}" + (f"*({self.step})^k" if self.step else "")


@dataclass(frozen=True)
class SeriesAt:
    """One series of one function.

    Args:
        of: the function of x and of arguments that stay: numbers, or letters for any.
        at: where x tends: oo, -oo, or a number with + or - behind it for a side; <0: any number below 0; empty: anywhere.
        plus: what stands before the sums.
        sums: the sums.
        where: conditions on what stays, as in a row.
        bound: where what is left out is at most the first term that is left out, for every x > 0 with these conditions on x, on
            what stays and on k, the number of that term; None: that is not said.
        source: a section of the DLMF; empty for a change of names alone.
    """

    of: str
    at: str
    plus: str = "0"
    sums: tuple[Terms, ...] = ()
    where: str = ""
    bound: str | None = None
    source: str = ""

    @property
    def name(self) -> str:
        """The function's name."""
        return self.of.partition("(")[0]

    @property
    def arguments(self) -> tuple[str, ...]:
        """What it is applied to."""
        return tuple(self.of.partition("(")[2].removesuffix(")").split(", "))

    @property
    def centre(self) -> str:
        """Where x tends, without the side; empty where that is not a number."""
        return "" if self.at in ("", "oo", "-oo", "<0") else re.sub(r"[+-]$", "", self.at)

    @property
    def side(self) -> int:
        """1 or -1 where x comes from above or from below alone, else 0."""
        return 0 if not self.centre or self.at == self.centre else 1 if self.at[-1] == "+" else -1

    @property
    def needed(self) -> tuple[Needed, ...]:
        """The conditions on what stays."""
        return conditions(self.where)

    @property
    def is_elementary(self) -> bool:
        """Whether it is of the calculus, and nothing is cited for it."""
        return not self.source or (self.source.startswith("4.") and not self.source.startswith("4.13"))

    @property
    def fact(self) -> str:
        """The name of the fact that is cited; empty for what is elementary."""
        return "" if self.is_elementary else f"DLMF {self.source}"

    def __str__(self) -> str:
        parts = [*([self.plus] if self.plus != "0" or not self.sums else []), *map(str, self.sums)]
        return f"{self.of} = {' + '.join(parts)}" + (f", x -> {self.at}" if self.at else "")


def _power(coefficient: str, step: str = "x", head: str = "1", first: int = 0, pace: int = 1) -> tuple[Terms, ...]:
    return (Terms(coefficient, step, head, first, pace=pace, shift=first if pace == 1 or head == "x" else 0),)


_WAVE = "pi*x^2/2"
_BESSEL = "x - v*pi/2 - pi/4"
_ROOT = "(2/(pi*x))^(1/2)"
_EVEN = "(-1)^k*rf(1/2 - v, 2*k)*rf(1/2 + v, 2*k)/(4^k*factorial(2*k))"
_ODD = "(-1)^k*rf(1/2 - v, 2*k + 1)*rf(1/2 + v, 2*k + 1)/(-2*4^k*factorial(2*k + 1))"
_Z = "(2/3*x^(3/2))"
_U = "rf(k + 1/2, 2*k)/(54^k*factorial(k))"
_MINUS = "(2/3*(-x)^(3/2))"
_TURN = f"({_MINUS} - pi/4)"
_U_EVEN = "(-1)^k*rf(2*k + 1/2, 4*k)/(54^(2*k)*factorial(2*k))"
_U_ODD = "(-1)^k*rf(2*k + 3/2, 4*k + 2)/(54^(2*k + 1)*factorial(2*k + 1))"
_SMALL = "(-x)^(-1/4)*pi^(-1/2)"
_HALVES = "(rf(1/2, k)/factorial(k))^2"
_LOGS = "2*log(2) - Sum(1/(j*(2*j - 1)), (j, 1, k))"
_E = "rf(1/2, k)*rf(3/2, k)/(2*rf(2, k)*factorial(k))"
_CYCLES = "(-1)^(k - 1)*Sum(stirling1(k, k - j + 1)*{m}^j/factorial(j), (j, 1, k))"
_GEOMETRIC = ("x*(1 + 4*x + x^2)/(1 - x)^4", "x*(1 + x)/(1 - x)^3", "x/(1 - x)^2", "x/(1 - x)")


def _before_k(n: int) -> str:
    """What stands before the series of K_n at 0, for n >= 1."""
    parts = (f"(-1)^{k}*{factorial(n - k - 1)}/{2 * factorial(k)}*(x/2)^({2 * k - n})" for k in range(n))
    return f"{' + '.join(parts)} - ({(-1) ** n})*log(x/2)*besseli({n}, x)"


def _near_one(s: int) -> str:
    """The terms of Li_s(exp(-m)), m -> 0+, with zeta(2), ..., zeta(s) and log(m), for a whole s >= 2."""
    parts = (f"zeta({s - n})*log(x)^{n}/{factorial(n)}" for n in range(s - 1))
    return f"{' + '.join(parts)} + log(x)^{s - 1}/{factorial(s - 1)}*(harmonic({s - 1}) - log(-log(x)))"


def _beyond(s: int) -> str:
    """Li_s(x) + (-1)^s Li_s(1/x), x < -1, for a whole s: Bernoulli's polynomial at 1/2 + log(-x)/(2 pi i)."""
    parts = []
    for h in range(s // 2 + 1):
        weight = f"{(-1) ** h}*(1 - 2^({1 - 2 * h}))*bernoulli({2 * h})*(2*pi)^{2 * h}"
        parts.append(f"{weight}*log(-x)^{s - 2 * h}/{factorial(s - 2 * h) * factorial(2 * h)}")
    return " + ".join(parts)


SERIES: tuple[SeriesAt, ...] = (
    # --- elementary: DLMF 4
    SeriesAt("sinh(x)", "", "(exp(x) - exp(-x))/2", source="4.28.1"),
    SeriesAt("cosh(x)", "", "(exp(x) + exp(-x))/2", source="4.28.2"),
    SeriesAt("tanh(x)", "", "(1 - exp(-2*x))/(1 + exp(-2*x))", source="4.28.4"),
    SeriesAt("coth(x)", "", "(1 + exp(-2*x))/(1 - exp(-2*x))", source="4.28.7"),
    SeriesAt("sech(x)", "", "2/(exp(x) + exp(-x))", source="4.28.6"),
    SeriesAt("csch(x)", "", "2/(exp(x) - exp(-x))", source="4.28.5"),
    *(SeriesAt("tan(x)", at, "sin(x)/cos(x)", source="4.14.4") for at in ("0", "")),  # at 0 derivatives are longer
    SeriesAt("cot(x)", "", "cos(x)/sin(x)", source="4.14.7"),
    SeriesAt("sec(x)", "", "1/cos(x)", source="4.14.6"),
    SeriesAt("csc(x)", "", "1/sin(x)", source="4.14.5"),
    SeriesAt("atan(x)", "oo", "pi/2 - atan(1/x)", source="4.24.2"),
    SeriesAt("asin(x)", "1-", "pi/2 - acos(x)", source="4.23.19"),
    SeriesAt("acos(x)", "1-", "2*asin(((1 - x)/2)^(1/2))", source="4.21.28"),
    SeriesAt("acos(x)", "-1+", "pi - acos(-x)", source="4.23.11"),
    SeriesAt("asinh(x)", "oo", "log(x + (x^2 + 1)^(1/2))", source="4.37.16"),
    SeriesAt("acosh(x)", "oo", "log(x + (x^2 - 1)^(1/2))", source="4.37.19"),
    SeriesAt("acosh(x)", "1+", "log(x + (x^2 - 1)^(1/2))", source="4.37.19"),
    SeriesAt("atanh(x)", "1-", "(log(1 + x) - log(1 - x))/2", source="4.37.24"),
    # --- Lambert W: DLMF 4.13
    SeriesAt("LambertW(x)", "0", sums=_power("(-k)^(k - 1)/factorial(k)", first=1), source="4.13.5"),
    SeriesAt("LambertW(x)", "oo", "log(x) - log(log(x))", source="4.13.10", sums=(
        Terms(_CYCLES.format(m="log(log(x))"), "1/log(x)", first=1, rest="(log(log(x))/log(x))^k"),)),
    SeriesAt("LambertW(x, -1)", "0-", "log(-x) - log(-log(-x))", source="4.13.11", sums=(
        Terms(_CYCLES.format(m="log(-log(-x))"), "1/log(-x)", first=1, rest="(log(-log(-x))/log(-x))^k"),)),
    SeriesAt("LambertW(x)", "-exp(-1)+", source="4.13.6", sums=_power(
        "-1; 1; -1/3; 11/72; -43/540; 769/17280; -221/8505", "(2*(exp(1)*x + 1))^(1/2)")),
    SeriesAt("LambertW(x, -1)", "-exp(-1)+", source="4.13.6", sums=_power(
        "-1; -1; -1/3; -11/72; -43/540; -769/17280; -221/8505", "(2*(exp(1)*x + 1))^(1/2)")),
    # --- Gamma and its kin: DLMF 5
    SeriesAt("loggamma(x)", "oo", "(x - 1/2)*log(x) - x + log(2*pi)/2", bound="", source="5.11.1",
        sums=_power("bernoulli(2*k)/(2*k*(2*k - 1))", "x^(-2)", "x", 1, 2)),
    SeriesAt("loggamma(x)", "0+", "loggamma(x + 1) - log(x)", source="5.5.1"),
    SeriesAt("gamma(x)", "oo", "exp(loggamma(x))"),
    SeriesAt("gamma(x)", "0", "gamma(x + 1)/x", source="5.5.1"),
    SeriesAt("gamma(x)", "<0", "gamma(x + 1)/x", source="5.5.1"),
    SeriesAt("catalan(x)", "", "binomial(2*x, x)/(x + 1)", source="26.5.1"),
    SeriesAt("factorial(x)", "oo", "exp(loggamma(x) + log(x))"),
    SeriesAt("factorial(x)", "", "gamma(x + 1)", source="5.4.1"),
    SeriesAt("digamma(x)", "oo", "log(x) - 1/(2*x)", bound="", source="5.11.2",
        sums=_power("-bernoulli(2*k)/(2*k)", "x^(-2)", first=1, pace=2)),
    SeriesAt("digamma(x)", "0", "digamma(x + 1) - 1/x", source="5.5.2"),
    SeriesAt("digamma(x)", "<0", "digamma(x + 1) - 1/x", source="5.5.2"),
    SeriesAt("trigamma(x)", "", "polygamma(1, x)", source="5.15.1"),
    SeriesAt("polygamma(0, x)", "", "digamma(x)", source="5.15.1"),
    SeriesAt("polygamma(m, x)", "oo", "(-1)^(m - 1)*(factorial(m - 1)/x^m + factorial(m)/(2*x^(m + 1)))", bound="",
        where="whole m, m > 0", source="5.15.9", sums=_power(
            "bernoulli(2*k)*factorial(2*k + m - 1)/factorial(2*k)", "x^(-2)", "(-1)^(m - 1)/x^m", 1, 2)),
    *(SeriesAt("polygamma(m, x)", at, "polygamma(m, x + 1) - (-1)^m*factorial(m)*x^(-m - 1)", where="whole m, m > 0",
        source="5.15.5") for at in ("0", "<0")),
    SeriesAt("harmonic(x)", "oo", "EulerGamma + 1/x + digamma(x)", source="5.4.14"),
    SeriesAt("harmonic(x)", "", "EulerGamma + digamma(x + 1)", source="5.4.14"),
    # --- numbers that count: DLMF 24, 26
    SeriesAt("bernoulli(x)", "oo", "-2*factorial(x)*cos(pi*x/2)*zeta(x)/(2*pi)^x", where="whole x", source="25.6.2"),
    SeriesAt("subfactorial(x)", "oo", "factorial(x)*Sum((-1)^k/factorial(k), (k, 0, x))", where="whole x", source="26.13.4"),
    SeriesAt("stirling2(x, m)", "oo", where="whole x, whole m, m - 1 > 0", source="26.8.6", sums=(
        Terms("m^x/factorial(m); -(m - 1)^x/factorial(m - 1)", rest="(m - k)^x"),)),
    # --- exponential integrals: DLMF 6
    SeriesAt("E1(x)", "oo", bound="", source="6.12.1", sums=_power("(-1)^k*factorial(k)", "1/x", "exp(-x)/x")),
    SeriesAt("E1(x)", "0+", "-EulerGamma - log(x)", bound="x <= 1", source="6.6.2",
        sums=_power("-(-1)^k/(k*factorial(k))", first=1)),
    SeriesAt("Ei(x)", "oo", source="6.12.2", sums=_power("factorial(k)", "1/x", "exp(x)/x")),
    SeriesAt("Ei(x)", "-oo", "-E1(-x)", source="6.2.6"),
    SeriesAt("Ei(x)", "0+", "EulerGamma + log(x)", source="6.6.2", sums=_power("1/(k*factorial(k))", first=1)),
    SeriesAt("Ei(x)", "0-", "-E1(-x)", source="6.2.6"),
    SeriesAt("li(x)", "", "Ei(log(x))", source="6.2.8"),
    SeriesAt("Li(x)", "", "li(x) - li(2)", source="6.2.8"),
    SeriesAt("Si(x)", "0", source="6.6.5", sums=_power("(-1)^k/(factorial(2*k + 1)*(2*k + 1))", "x^2", "x")),
    SeriesAt("Si(x)", "oo", "pi/2", source="6.12.3", sums=(
        Terms("-(-1)^k*factorial(2*k)", "x^(-2)", "cos(x)/x"), Terms("-(-1)^k*factorial(2*k + 1)", "x^(-2)", "sin(x)/x^2"))),
    SeriesAt("Ci(x)", "0+", "EulerGamma + log(x)", source="6.6.6", sums=_power("(-1)^k/(2*k*factorial(2*k))", "x^2", first=1)),
    SeriesAt("Ci(x)", "oo", source="6.12.3", sums=(
        Terms("(-1)^k*factorial(2*k)", "x^(-2)", "sin(x)/x"), Terms("-(-1)^k*factorial(2*k + 1)", "x^(-2)", "cos(x)/x^2"))),
    SeriesAt("Shi(x)", "0", source="6.2.15", sums=_power("1/(factorial(2*k + 1)*(2*k + 1))", "x^2", "x")),
    SeriesAt("Shi(x)", "oo", "(Ei(x) + E1(x))/2", source="6.5.3"),
    SeriesAt("Chi(x)", "0+", "EulerGamma + log(x)", source="6.2.16", sums=_power("1/(2*k*factorial(2*k))", "x^2", first=1)),
    SeriesAt("Chi(x)", "oo", "(Ei(x) - E1(x))/2", source="6.5.4"),
    # --- error functions and Fresnel integrals: DLMF 7
    SeriesAt("erfc(x)", "oo", bound="", source="7.12.1",
        sums=_power("(-1)^k*rf(1/2, k)", "x^(-2)", "exp(-x^2)/(x*pi^(1/2))")),
    SeriesAt("erfc(x)", "-oo", "2 - erfc(-x)", source="7.4.2"),
    SeriesAt("erf(x)", "0", source="7.6.1", sums=(Terms("2*pi^(-1/2)*(-1)^k/(factorial(k)*(2*k + 1))", "x^2", "x"),)),
    SeriesAt("erf(x)", "oo", "1 - erfc(x)", source="7.2.1"),
    SeriesAt("erfi(x)", "0", source="7.6.1", sums=(Terms("2*pi^(-1/2)/(factorial(k)*(2*k + 1))", "x^2", "x"),)),
    SeriesAt("erfi(x)", "oo", source="7.12.1", sums=_power("rf(1/2, k)", "x^(-2)", "exp(x^2)/(x*pi^(1/2))")),
    SeriesAt("fresnelc(x)", "oo", "1/2", source="7.12.2", sums=(
        Terms("(-1)^k*rf(1/2, 2*k)", f"({_WAVE})^(-2)", f"sin({_WAVE})/(pi*x)"),
        Terms("-(-1)^k*rf(1/2, 2*k + 1)", f"({_WAVE})^(-2)", f"cos({_WAVE})/(pi*x*({_WAVE}))"))),
    SeriesAt("fresnels(x)", "oo", "1/2", source="7.12.2", sums=(
        Terms("-(-1)^k*rf(1/2, 2*k)", f"({_WAVE})^(-2)", f"cos({_WAVE})/(pi*x)"),
        Terms("-(-1)^k*rf(1/2, 2*k + 1)", f"({_WAVE})^(-2)", f"sin({_WAVE})/(pi*x*({_WAVE}))"))),
    # --- incomplete Gamma and Beta: DLMF 8
    SeriesAt("expint(1, x)", "", "E1(x)", source="8.19.1"),
    SeriesAt("expint(p, x)", "", "x^(p - 1)*uppergamma(1 - p, x)", source="8.19.1"),
    SeriesAt("uppergamma(0, x)", "", "E1(x)", source="6.11.1"),
    SeriesAt("uppergamma(s, x)", "oo", bound="k >= s - 1", source="8.11.2",
        sums=_power("ff(s - 1, k)", "1/x", "x^(s - 1)*exp(-x)")),
    SeriesAt("uppergamma(s, x)", "0+", "gamma(s)", where="no pole s", source="8.7.3",
        sums=_power("-(-1)^k/(factorial(k)*(s + k))", head="x^s")),
    SeriesAt("uppergamma(s, x)", "0+", "(uppergamma(s + 1, x) - x^s*exp(-x))/s", where="whole s, s < 0", source="8.8.2"),
    SeriesAt("lowergamma(s, x)", "oo", "gamma(s) - uppergamma(s, x)", where="no pole s", source="8.2.3"),
    SeriesAt("lowergamma(s, x)", "0+", where="no pole s", source="8.7.1",
        sums=_power("(-1)^k/(factorial(k)*(s + k))", head="x^s")),
    SeriesAt("betainc(a, b, x)", "0+", where="a > 0, b > 0", source="8.17.7",
        sums=_power("rf(1 - b, k)/(factorial(k)*(a + k))", head="x^a")),
    SeriesAt("betainc(a, b, x)", "1-", "gamma(a)*gamma(b)/gamma(a + b) - betainc(b, a, 1 - x)",
        where="a > 0, b > 0", source="8.17.4"),
    # --- Airy functions: DLMF 9
    SeriesAt("airyai(x)", "oo", bound="", source="9.7.5",
        sums=_power(f"(-1)^k*{_U}", f"1/{_Z}", f"exp(-{_Z})/(2*pi^(1/2)*x^(1/4))")),
    SeriesAt("airybi(x)", "oo", source="9.7.7", sums=_power(_U, f"1/{_Z}", f"exp({_Z})/(pi^(1/2)*x^(1/4))")),
    SeriesAt("airyaiprime(x)", "oo", source="9.7.6", sums=_power(
        f"-(-1)^k*(6*k + 1)/(1 - 6*k)*{_U}", f"1/{_Z}", f"exp(-{_Z})*x^(1/4)/(2*pi^(1/2))")),
    SeriesAt("airybiprime(x)", "oo", source="9.7.8", sums=_power(
        f"(6*k + 1)/(1 - 6*k)*{_U}", f"1/{_Z}", f"exp({_Z})*x^(1/4)/pi^(1/2)")),
    SeriesAt("airyai(x)", "-oo", source="9.7.9", sums=(
        Terms(_U_EVEN, f"{_MINUS}^(-2)", f"cos{_TURN}*{_SMALL}"),
        Terms(_U_ODD, f"{_MINUS}^(-2)", f"sin{_TURN}*{_SMALL}/{_MINUS}"))),
    SeriesAt("airybi(x)", "-oo", source="9.7.11", sums=(
        Terms(_U_EVEN, f"{_MINUS}^(-2)", f"-sin{_TURN}*{_SMALL}"),
        Terms(_U_ODD, f"{_MINUS}^(-2)", f"cos{_TURN}*{_SMALL}/{_MINUS}"))),
    # --- Bessel functions: DLMF 10
    SeriesAt("besseli(v, x)", "oo", source="10.40.1", sums=_power(
        "rf(1/2 - v, k)*rf(1/2 + v, k)/(2^k*factorial(k))", "1/x", "exp(x)*(2*pi*x)^(-1/2)")),
    SeriesAt("besselk(v, x)", "oo", bound="k >= v - 1/2, k >= -v - 1/2", source="10.40.2", sums=_power(
        "rf(1/2 - v, k)*rf(1/2 + v, k)/((-2)^k*factorial(k))", "1/x", "exp(-x)*(pi/(2*x))^(1/2)")),
    SeriesAt("besselj(v, x)", "oo", source="10.17.3", sums=(
        Terms(_EVEN, "x^(-2)", f"{_ROOT}*cos({_BESSEL})"), Terms(_ODD, "x^(-2)", f"-{_ROOT}*sin({_BESSEL})/x"))),
    SeriesAt("bessely(v, x)", "oo", source="10.17.4", sums=(
        Terms(_EVEN, "x^(-2)", f"{_ROOT}*sin({_BESSEL})"), Terms(_ODD, "x^(-2)", f"{_ROOT}*cos({_BESSEL})/x"))),
    SeriesAt("besseli(v, x)", "0+", where="no pole v + 1", source="10.25.2",
        sums=_power("1/(4^k*factorial(k)*rf(v + 1, k))", "x^2", "(x/2)^v/gamma(v + 1)")),
    SeriesAt("besselj(v, x)", "0+", where="no pole v + 1", source="10.2.2",
        sums=_power("(-1)^k/(4^k*factorial(k)*rf(v + 1, k))", "x^2", "(x/2)^v/gamma(v + 1)")),
    SeriesAt("besselk(0, x)", "0+", "-(log(x/2) + EulerGamma)*besseli(0, x)", source="10.31.2",
        sums=_power("harmonic(k)/(4^k*factorial(k)^2)", "x^2", first=1)),
    SeriesAt("besselk(v, x)", "0+", "pi/2*(besseli(-v, x) - besseli(v, x))/sin(v*pi)", where="v > 0, no pole 1 - v",
        source="10.27.4"),
    *(SeriesAt(f"besselk({n}, x)", "0+", _before_k(n), source="10.31.1", sums=_power(
        f"{(-1)**n}/2*(harmonic(k) + harmonic(k + {n}) - 2*EulerGamma)/(4^k*factorial(k)*factorial(k + {n}))", "x^2",
        f"(x/2)^{n}")) for n in range(1, 5)),
    SeriesAt("besseli(x, z)", "oo", where="z > 0", source="10.25.2", sums=(
        Terms("(z/2)^(2*k)/(factorial(k)*rf(x + 1, k))", head="(z/2)^x/gamma(x + 1)"),)),
    SeriesAt("besselj(x, z)", "oo", where="z > 0", source="10.2.2", sums=(
        Terms("(-1)^k*(z/2)^(2*k)/(factorial(k)*rf(x + 1, k))", head="(z/2)^x/gamma(x + 1)"),)),
    SeriesAt("bessely(0, x)", "0+", "2/pi*(log(x/2) + EulerGamma)*besselj(0, x)", source="10.8.2",
        sums=_power("-2/pi*(-1)^k*harmonic(k)/(4^k*factorial(k)^2)", "x^2", first=1)),
    # --- hypergeometric functions: DLMF 13, 15
    SeriesAt("hyp1f1(a, b, x)", "0", where="no pole b", source="13.2.2", sums=_power("rf(a, k)/(rf(b, k)*factorial(k))")),
    SeriesAt("hyp1f1(a, b, x)", "oo", where="no pole a, no pole b", source="13.7.1",
        sums=_power("rf(1 - a, k)*rf(b - a, k)/factorial(k)", "1/x", "gamma(b)/gamma(a)*exp(x)*x^(a - b)")),
    SeriesAt("hyp1f1(a, b, x)", "-oo", "exp(x)*hyp1f1(b - a, b, -x)", where="no pole b", source="13.2.39"),
    SeriesAt("hyp2f1(a, b, c, x)", "0", where="no pole c", source="15.2.1",
        sums=_power("rf(a, k)*rf(b, k)/(rf(c, k)*factorial(k))")),
    # --- elliptic integrals of the parameter m: DLMF 19
    SeriesAt("elliptic_k(x)", "0", source="19.5.1", sums=_power(f"pi/2*{_HALVES}")),
    SeriesAt("elliptic_k(x)", "1-", source="19.12.1", sums=(
        Terms(_HALVES, "1 - x", "-log(1 - x)/2"), Terms(f"{_HALVES}*({_LOGS})", "1 - x"))),
    SeriesAt("elliptic_e(x)", "0", source="19.5.2", sums=_power("pi/2*rf(-1/2, k)*rf(1/2, k)/factorial(k)^2")),
    SeriesAt("elliptic_e(x)", "1-", "1", source="19.12.2", sums=(
        Terms(_E, "1 - x", "-(1 - x)*log(1 - x)/2"), Terms(f"{_E}*({_LOGS} - 1/((2*k + 1)*(2*k + 2)))", "1 - x", "1 - x"))),
    # --- zeta and the polylogarithm: DLMF 25
    SeriesAt("zeta(x)", "oo", "1", source="25.2.1", sums=(Terms("(k + 1)^(-x)", first=1),)),
    SeriesAt("zeta(x)", "1", "1/(x - 1)", source="25.2.4", sums=_power("(-1)^k*stieltjes(k)/factorial(k)", "x - 1")),
    SeriesAt("zeta(s, x)", "oo", "x^(1 - s)/(s - 1) + x^(-s)/2", bound="k >= 2 - s/2", where="s != 1", source="25.11.43",
        sums=_power("bernoulli(2*k)*rf(s, 2*k - 1)/factorial(2*k)", "x^(-2)", "x^(1 - s)", 1, 2)),
    SeriesAt("polylog(1, x)", "", "-log(1 - x)", source="25.12.10"),
    *(SeriesAt(f"polylog({s}, x)", at, form, source="25.12.10") for s, form in enumerate(_GEOMETRIC, -3)
      for at in ("0", "1-", "-oo")),
    SeriesAt("polylog(s, x)", "0", source="25.12.10", sums=_power("k^(-s)", first=1)),
    SeriesAt("polylog(s, x)", "1-", "gamma(1 - s)*(-log(x))^(s - 1)", where="no pole 1 - s", source="25.12.12",
        sums=_power("(-1)^k*zeta(s - k)/factorial(k)", "(-log(x))")),
    *(SeriesAt(f"polylog({s}, x)", "1-", _near_one(s), source="25.12.12", sums=_power(
        f"(-1)^{s}*bernoulli(k - {s - 1})/((k - {s - 1})*factorial(k))", "(-log(x))", first=s)) for s in range(3, 9)),
    *(SeriesAt(f"polylog({s}, x)", "-oo", f"{_beyond(s)} + {(-1)**(s - 1)}*polylog({s}, 1/x)", source="25.12.4")
      for s in range(2, 7)),
    SeriesAt("polylog(2, x)", "1-", "pi^2/6 - log(x)*log(1 - x) - polylog(2, 1 - x)", source="25.12.6"),
)  # fmt: skip


@dataclass(frozen=True)
class Gammas:
    """A quotient of products of Gamma of terms in x and y, wherever all of these are positive.

    Args:
        top, bottom: the terms.
        source: a section of the DLMF.
        factor, outside: for y = 0, 1, 2, ... the product of ``factor`` over j = 0, ..., y - 1, times ``outside``; empty: none.
    """

    top: tuple[str, ...]
    bottom: tuple[str, ...]
    source: str
    factor: str = ""
    outside: str = "1"

    @property
    def fact(self) -> str:
        """The name of the fact that is cited."""
        return f"DLMF {self.source}"

    def __str__(self) -> str:
        return f"a quotient of Gammas of {', '.join(self.top)} and of {', '.join(self.bottom)}"


GAMMAS: dict[str, Gammas] = {
    "binomial": Gammas(("x + 1",), ("y + 1", "x - y + 1"), "1.2.6", "x - j", "1/factorial(y)"),
    "beta": Gammas(("x", "y"), ("x + y",), "5.12.1"),
    "rf": Gammas(("x + y",), ("x",), "5.2.5", "x + j"),
    "ff": Gammas(("x + 1",), ("x - y + 1",), "5.2.6", "x - j"),
}

_AT: dict[str, tuple[SeriesAt, ...]] = {}
for _one in SERIES:
    _AT[_one.name] = (*_AT.get(_one.name, ()), _one)


def at(name: str) -> tuple[SeriesAt, ...]:
    """What is said of a function, in the order in which it is tried."""
    return _AT.get(name, ())


POWER_SERIES = {
    "DLMF 4.6.1": "log(1 + z) = sum (-1)^(k+1) z^k/k for |z| < 1, and at z = 1 (Abel)",
    "DLMF 4.6.7": "(1 + z)^a = sum a (a - 1) ... (a - k + 1) z^k/k! for |z| < 1, and at 1 and -1 where it converges (Abel)",
    "DLMF 4.19.1": "sin z = sum (-1)^k z^(2k+1)/(2k + 1)!", "DLMF 4.19.2": "cos z = sum (-1)^k z^(2k)/(2k)!",
    "DLMF 4.24.3": "arctan z = sum (-1)^k z^(2k+1)/(2k + 1) for |z| < 1, and at z = 1 (Abel)",
    "DLMF 4.33.1": "sinh z = sum z^(2k+1)/(2k + 1)!", "DLMF 4.33.2": "cosh z = sum z^(2k)/(2k)!",
    "DLMF 4.38.5": "artanh z = sum z^(2k+1)/(2k + 1) for |z| < 1",
    "DLMF 5.7.6": "psi(z) = -EulerGamma + sum_(k>=0) (1/(k + 1) - 1/(k + z)); psi(1/2) = -EulerGamma - 2 log 2 (5.4.13)",
}  # fmt: skip
"""By which sums with a rational ratio have values."""
FACTS: dict[str, str] = {}
"""What the series, the quotients of Gammas and the values of the table are cited by, and what they say."""
for _one in SERIES:
    FACTS[_one.fact] = "; ".join(filter(None, [FACTS.get(_one.fact, ""), str(_one)]))
for _name, _gammas in GAMMAS.items():
    FACTS.setdefault(_gammas.fact, f"{_name}(x, y) is {_gammas}")
for _row in ROWS:
    FACTS |= dict.fromkeys(map(_row.fact_of, _row.values_known), f"DLMF {_row.source}")
FACTS = {**FACTS, **OF_LAWS, **POWER_SERIES}
FACTS.pop("")
