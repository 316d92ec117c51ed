"""The rule laplace: what it shows, against integrals by quadrature; and what it refuses, each side condition by itself."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from witnessed import along

from asymp.kernel import terms
from asymp.kernel.growths import laplace
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import ONE, Domain, Growth
from asymp.kernel.growths.integrand import Integrand
from asymp.kernel.growths.leaves import expander_of
from asymp.kernel.growths.regime import placed
from asymp.kernel.growths.series import Algebra
from asymp.kernel.rings.field import to_term
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply, certificate, replay
from asymp.language.bodies import Expanding
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

N = {"scales": {"s": "n"}, "values": {"n": "s"}}
P2, P3, SUM = "(1 + t + t^2/2)", "(1 + t + t^2/2 + t^3/6)", "Sum(t^i/i!, (i, 0, theta))"
LARGE = "as whole n -> oo"


def shown(text: str, order: int = 3, at: str = "0", place: dict[str, Any] = N) -> None:
    """That Laplace's method at a point gives these terms of an integral and this remainder, or better ones.

    Raises:
        Refused: it does not.
    """
    body, where = read_statement(text).body, placed(read_statement(text), place)
    assert isinstance(body, Expanding)
    own = expander_of((), read_statement(text), where, Algebra(where.domain, order))
    found = laplace.expansion(Integrand.of(where.put(terms.of(body.left)), own), where.put(terms.read(at)))
    kept, growth = (own.series(where.put(terms.of(node))) for node in (body.kept, body.growth))
    if not own.algebra.within(own.algebra.minus(found, kept), "O", growth):
        raise Refused("the expansion does not show it")


def told(text: str, order: int, place: dict[str, Any] = N) -> Theorem:
    """The theorem: the kernel's expander looks for the point by itself."""
    return apply("asymptotic", statement=text, place=place, order=order, **along(text))


# --- what holds ------------------------------------------------------------------------------------------------

HOLDS = [
    (f"Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) = 1/(n*(rho - 1)) - 1/(n^2*(rho - 1)^3) + O(n^(-3)) {LARGE}, rho > 1", "0"),
    (f"Integral((1 + t)^n*exp(-n*t), (t, 0, oo)) = sqrt(pi/(2*n)) + 2/(3*n) + O(n^(-3/2)) {LARGE}", "0"),
    ("Integral((1 + t)^n*exp(-n*t), (t, 0, oo)) = sqrt(pi/(2*n)) + 2/(3*n) + O(n^(-3/2)) as n -> oo", "0"),
    (f"Integral(t^(-1/2)*exp(-n*t)*(1 + t)^3, (t, 0, oo)) = sqrt(pi/n) + 3/2*sqrt(pi)/n^(3/2) + O(n^(-5/2)) {LARGE}", "0"),
    (f"Integral({P3}^n*exp(-n*t), (t, 0, oo)) = 24^(1/4)*gamma(1/4)/(4*n^(1/4)) + O(1/sqrt(n)) {LARGE}", "0"),
    (f"Integral({P2}^n*exp(-n*(1 + a*n^(-2/3))*t), (t, 0, oo)) = Integral(exp(-a*u - u^3/6), (u, 0, oo))/n^(1/3) + O(n^(-2/3))"
     f" {LARGE} for real a", "0"),
    (f"Integral((1 + t)^n*exp(-n*(1 + n^(-1/4))*t), (t, 0, oo)) = n^(-3/4) - n^(-5/4) + O(n^(-7/4)) {LARGE}", "0"),
    (f"Integral({SUM}^n*exp(-n*t), (t, 0, oo)) = (theta + 1)!^(1/(theta + 1))*gamma(1/(theta + 1))/(theta + 1)*n^(-1/(theta + 1))"
     f" + O(n^(-2/(theta + 1))) {LARGE} for whole theta >= 1", "0"),
    (f"Integral(Sum(t^i/i!, (i, 0, 3))^n*exp(-n*t), (t, 0, oo)) = 24^(1/4)*gamma(1/4)/(4*n^(1/4)) + O(1/sqrt(n)) {LARGE}", "0"),
    (f"Integral({SUM}^(n - 1)*exp(-n*rho*t), (t, 0, oo)) = 1/(n*(rho - 1)) + O(n^(-2)) {LARGE}, rho > 1 for whole theta >= 2", "0"),
    (f"Integral(t^n*exp(-n*t), (t, 0, oo)) = exp(-n)*sqrt(2*pi/n)*(1 + 1/(12*n)) + O(exp(-n)*n^(-5/2)) {LARGE}", "1"),
    (f"Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) = sqrt(2*pi/n)/rho*exp(n*(rho - 1 - log(rho))) + "
     f"O(n^(-1)*exp(n*(rho - 1 - log(rho)))) {LARGE}, 0 < rho < 1", "1/rho - 1"),
    (f"Integral(t^(-1/2)*exp(-n*(t - 2)^2), (t, 0, oo)) = sqrt(pi/(2*n)) + O(n^(-3/2)) {LARGE}", "2"),
    (f"Integral(exp(-n*(t - log(1 + t))), (t, 0, oo)) = sqrt(pi/(2*n)) + 2/(3*n) + O(n^(-3/2)) {LARGE}", "0"),
    (f"Integral(exp(-n*(t - r*log(t))), (t, 0, oo)) = exp(-n*(r - r*log(r)))*sqrt(2*pi*r/n) + O(exp(-n*(r - r*log(r)))/n) {LARGE}"
     " for r > 0", "r"),
    ("Integral(t^2*exp(-m^2*t - m*t), (t, 0, oo)) = 2/m^6 + O(m^(-7)) as m -> oo", "0"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "at"), HOLDS)
def test_what_holds_and_what_is_a_little_larger(text: str, at: str) -> None:
    data: dict[str, Any] = {"order": 2 if "Sum" in text else 4, "at": at}
    if " m -> oo" in text:
        data["place"] = {"scales": {"s": "m"}, "values": {"m": "s"}}
    shown(text, **data)
    found = told(text, **{name: x for name, x in data.items() if name != "at"})
    assert found.holds and not any(one.startswith("engine") for one in found.trusts)
    assert replay(certificate(found)).statement == found.statement
    left, _, kept = text.partition(" = ")
    for wrong in (f"{left} = (1 + 10^(-200))*({kept.replace(' + O', ') + O', 1)}", f"{left} = 2*({kept.replace(' + O', ') + O', 1)}"):
        with pytest.raises(Refused, match="the expansion does not show it"):
            shown(wrong, **data)


@pytest.mark.parametrize("text", [
    f"Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) = 1/(n*(rho - 1)) + O(n^(-3)) {LARGE}, rho > 1",
    f"Integral((1 + t)^n*exp(-n*t), (t, 0, oo)) = sqrt(pi/(2*n)) + 2/(3*n) + O(n^(-2)) {LARGE}",
    f"Integral((1 + t)^n*exp(-n*t), (t, 0, oo)) = sqrt(pi/(2*n)) - 2/(3*n) + O(n^(-3/2)) {LARGE}",
    f"Integral((1 + t)^n*exp(-n*t), (t, 0, oo)) = 1/(n*(1 + 10^(-9) - 1)) + O(n^(-2)) {LARGE}",
    f"Integral((1 + t)^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(exp(-n)) {LARGE}",
    f"Integral(exp(-2*n*t), (t, 0, oo)) = 1/(2*n) + O(exp(-n)) {LARGE}",  # which is true: of an exact integral no more is said
    f"Integral({SUM}^n*exp(-n*t), (t, 0, oo)) = theta!^(1/(theta + 1))*gamma(1/(theta + 1))/(theta + 1)*n^(-1/(theta + 1))"
    f" + O(n^(-2/(theta + 1))) {LARGE} for whole theta >= 1",
    f"Integral({P2}^n*exp(-n*(1 - a*n^(-2/3))*t), (t, 0, oo)) = Integral(exp(-a*u - u^3/6), (u, 0, oo))/n^(1/3) + O(n^(-2/3))"
    f" {LARGE} for a > 0",
])  # fmt: skip
def test_what_is_not_so(text: str) -> None:
    for order in (1, 2, 3) if "Sum" in text else (1, 2, 3, 4, 5):
        with pytest.raises(Refused, match="the expansion does not show it"):
            shown(text, order=order)


def value_of(c: Any) -> Any:
    """A constant coefficient as a number."""
    names = {"gamma": mpmath.gamma, "pi": mpmath.pi, "log": mpmath.log, "exp": mpmath.exp, "E": mpmath.e}
    return eval(re.sub(r"(\d+)", r"mpf(\1)", str(to_term(c)).replace("^", "**")), {"__builtins__": {}}, {**names, "mpf": mpmath.mpf})


def size(g: Growth, n: Any) -> Any:
    """A growth in s at s = n, without its exponential."""
    return mpmath.fprod(n ** value_of(e) for _, e in g.powers)


def real(x: Fraction | int) -> Any:
    """A fraction as a number."""
    return mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator


@pytest.mark.parametrize("seed", range(20))
def test_expansions_against_quadrature(seed: int) -> None:
    """Random integrands, end and interior maxima: what is left of the integral is a multiple of the remainder, for all n."""
    rng = random.Random(seed)
    b = [Fraction(1), *(Fraction(rng.randint(1, 6), rng.randint(1, 4)) for _ in range(rng.randint(1, 3)))]
    s, m, at = Fraction(rng.choice([0, 2, -1, 1]), rng.choice([1, 2])), rng.randint(-2, 3), Fraction(rng.choice([0, 0, 1, 2]))
    s = max(s, Fraction(-1, 2))

    def inside(t: Any, slope: bool = False) -> Any:
        return sum(c * j * t ** (j - 1) if slope else c * t**j for j, c in enumerate(b) if j or not slope)

    rate = inside(at, True) / inside(at) + (rng.choice([0, 1, Fraction(1, 2)]) if at == 0 else 0)
    base = " + ".join(f"{c}*t^{j}" for j, c in enumerate(b))
    term = terms.read(f"Integral(t^({s})*({base})^(s + {m})*exp(-({rate})*s*t), (t, 0, oo))")
    expander = Expander(Algebra(Domain(), 3), {"s": 0}, {})
    try:
        found = laplace.expansion(Integrand.of(term, expander), terms.number(at))
    except Refused as error:
        assert "an exponent that is not seen to fall" in str(error)  # log B is not concave: another point is the one
        return
    b = [real(c) for c in b]
    errors = []
    with mpmath.workdps(40):
        for n in map(mpmath.mpf, (10**5, 10**7)):

            def integrand(t: Any, n: Any = n) -> Any:
                exponent = n * mpmath.log(inside(t) / inside(real(at))) - n * real(rate) * (t - real(at))
                return t ** real(s) * inside(t) ** m * mpmath.exp(exponent)

            steps = [0, *(mpmath.mpf(2) ** j for j in range(-28 if s < 0 else -16, 5))]
            exact = mpmath.quad(integrand, [real(at) + x for x in steps])
            exact -= mpmath.quad(integrand, [real(at) - x for x in steps if x <= real(at)])
            kept = sum(value_of(c) * size(g, n) for c, g in found.terms)
            errors.append((exact - kept) / sum(size(g, n) for g in found.rest if at or not g.exponent))
            assert abs(exact - kept) < abs(exact) / 100
    assert abs(errors[1]) < 1.1 * abs(errors[0])  # where odd powers cancel, it even tends to 0


# --- what is refused --------------------------------------------------------------------------------------------

E1 = "exp(-n*t)"
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (f"Integral({E1}, (t, 1, oo)) = 1/n + O(1/n^2)", {}, "an integral from 0 to infinity"),
    (f"Integral({E1}, (t, 0, 1/n)) = 1/n + O(1/n^2)", {}, "to what is positive and stays, is wanted"),
    (f"Integral({E1}, (t, 0, -1)) = 1/n + O(1/n^2)", {}, "to what is positive and stays, is wanted"),
    (f"2*Integral({E1}, (t, 0, oo)) = 2/n + O(1/n^2)", {}, "an integral from 0 to infinity"),
    ("Integral(exp(-n*t*t_of_the_integral), (t, 0, oo)) = 1/n/t_of_the_integral + O(1/n^2)", {}, "an integral from 0 to inf"),
    # the integrand
    (f"Integral(sin(n*t)*{E1}, (t, 0, oo)) = 1/(2*n) + O(1/n^3)", {}, "an integrand with sin"),
    ("Integral(exp(-n*sqrt(t)), (t, 0, oo)) = 2/n^2 + O(1/n^3)", {}, "no polynomial in the variable"),
    ("Integral(exp(-n*t/(1 + t)), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no polynomial in the variable"),
    ("Integral(exp(-n*t - n*t*log(1 + t)), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no polynomial in the variable"),
    ("Integral(exp(-n*t - n*log(1 + t)^2), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no polynomial in the variable"),
    ("Integral(exp(-n*t - n*log(1 + t)*log(2 + t)), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no polynomial in the variable"),
    ("Integral(exp(-n*t + n*log(1 + t)/(2 + t)), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no polynomial in the variable"),
    ("Integral(exp(-n*t^30), (t, 0, oo)) = 0 + O(1)", {}, "no polynomial in the variable"),
    (f"Integral((1 + t/n)^n*{E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {}, "a polynomial whose coefficients move"),
    (f"Integral((1 + n*t)^(-1)*{E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {}, "a polynomial whose coefficients move"),
    (f"Integral(((a*t)^2)^(1/2)*{E1}, (t, 0, oo)) = a/n^2 + O(1/n^3) LARGE for a < 0", {}, "may not be positive"),
    (f"Integral(((a*t)^(1/2))^2*{E1}, (t, 0, oo)) = a/n^2 + O(1/n^3) LARGE for a < 0", {}, "may not be positive"),
    ("Integral(exp(-t), (t, 0, oo)) = 1 + O(1/n)", {}, "no exponent that is seen to be the largest"),
    ("Integral(exp(-t/n), (t, 0, oo)) = n + O(1)", {}, "no exponent that is seen to be the largest"),
    ("Integral(exp(-harmonic(n)*t), (t, 0, oo)) = 1/log(n) + O(1/log(n)^2)", {}, "no exponent that is seen to be the largest"),
    ("Integral((1 + t)^(n + sqrt(n))*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "that is no a N"),
    ("Integral(exp(-n*t + sqrt(n)*t^2), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no multiple of N"),  # it diverges
    ("Integral(exp(-n*t + t^2), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "no multiple of N"),
    # truncated exponentials
    (f"Integral({SUM}^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for theta > 2", {}, "not seen to be a whole number"),
    (f"Integral({SUM}^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 0", {}, "no leading term"),
    ("Integral(Sum(t^i/i, (i, 1, theta))^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 2", {}, "no truncated"),
    ("Integral(Sum(t^i/i!, (i, 1, theta))^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 2", {}, "no trunc"),
    ("Integral(Sum(t^i_of_the_sum/i!, (i, 0, theta))^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 2,"
     " whole i_of_the_sum >= 1", {}, "no truncated"),
    (f"Integral({SUM}^n*exp(-2*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 2", {"at": "1"}, "not seen to fall"),
    (f"Integral({SUM}^n*exp(-n*t/2), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 2", {}, "not seen to fall"),
    (f"Integral({SUM}^(-n)*exp(-n*t), (t, 0, oo)) = 1/(2*n) + O(1/n^2) LARGE for whole theta >= 2", {}, "away from 0"),
    (f"Integral({SUM}^n*(1 + t)^n*exp(-3*n*t), (t, 0, oo)) = 1/n + O(1/n^2) LARGE for whole theta >= 2", {}, "away from 0"),
    # where it is largest
    (f"Integral({E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {"at": "1/n"}, "a point that moves"),
    (f"Integral({E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {"at": "t_of_the_integral"}, "a point that moves"),
    (f"Integral({E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {"at": "-1"}, "a point that may not be positive"),
    (f"Integral({E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {"at": "1"}, "not seen to fall"),
    (f"Integral(t^n*{E1}, (t, 0, oo)) = 1/n + O(1/n^2)", {}, "a power of t whose exponent moves"),
    ("Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) = 1/(n*(rho - 1)) + O(1/n^2) LARGE, 0 < rho < 1", {}, "not seen to fall"),
    ("Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) = 1/(n*(rho - 1)) + O(1/n^2) LARGE, rho > 0", {}, "not seen to fall"),
    ("Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) = 1/(n*(rho - 1)) + O(1/n^2) LARGE, rho >= 1", {}, "a leading coefficient that may"),
    ("Integral(exp(-n*(4*t - 4*t^2 + 4/3*t^3)), (t, 0, oo)) = 1/(4*n) + O(1/n^2)", {}, "not seen to fall"),  # h'(1) = 0
    ("Integral(exp(-n*(a*t + t^2)), (t, 0, oo)) = 1/(a*n) + O(1/n^2) LARGE for a >= 0", {}, "a leading coefficient that may"),
    ("Integral(exp(-n*(2*t^3 - 9*t^2 + 12*t)), (t, 0, oo)) = 1/(12*n) + O(1/n^2)", {}, "not seen to fall"),
    ("Integral(exp(-n*(2*t^3 - 9*t^2 + 12*t)), (t, 0, oo)) = exp(-4*n)*sqrt(pi/(3*n)) + O(exp(-4*n)/n)", {"at": "2"}, "not seen to f"),
    # where it converges
    ("Integral((1 + t)^n, (t, 0, oo)) = 1/n + O(1/n^2)", {}, "to converge at infinity"),
    ("Integral((1 + t)^(-n), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "to converge at infinity"),
    ("Integral((1 + t)^(-n)*exp(n*t/2), (t, 0, oo)) = 2/n + O(1/n^2)", {}, "to converge at infinity"),
    ("Integral((1 - t)^n*exp(-n*t), (t, 0, oo)) = 1/(2*n) + O(1/n^2)", {}, "a base that is not seen to be positive"),
    ("Integral((1 - t)*exp(-n*t), (t, 0, oo)) = 1/n + O(1/n^2)", {}, "a base that is not seen to be positive"),
    ("Integral((t + t^2)*exp(-n*t), (t, 0, oo)) = 1/n^2 + O(1/n^3)", {}, "a base that is not seen to be positive"),
    ("Integral(t^(-1)*exp(-n*t), (t, 0, oo)) = 0 + O(1)", {}, "may not be integrable at 0"),
    ("Integral(t^a*exp(-n*t), (t, 0, oo)) = 0 + O(1) LARGE for a > -2", {}, "may not be integrable at 0"),
    ("Integral(t^(-1)*exp(-n*(t - 1)^2), (t, 0, oo)) = sqrt(pi/n) + O(1/n)", {"at": "1"}, "integrable at 0"),
    ("Integral((t + t^2)^(-1)*exp(-n*(t - 1)^2), (t, 0, oo)) = sqrt(pi/n)/2 + O(1/n)", {"at": "1"}, "may not be positive at 0"),
    ("Integral((1 + t)^n*exp(-n*(1 - n^(-1/4))*t), (t, 0, oo)) = n^(-3/4) + O(1/n)", {}, "a linear part of the exponent that may grow"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "data", "why"), REFUSED)
def test_what_is_refused(text: str, data: dict[str, Any], why: str) -> None:
    text = text.replace("LARGE", LARGE) if "LARGE" in text else f"{text} {LARGE}"
    with pytest.raises(Refused, match=why):
        shown(text, **data)


def test_what_grows_with_nothing_is_refused_where_the_scale_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laplace.Side, "_scale", lambda self, k: ONE)
    with pytest.raises(Refused, match="terms of the exponent that are not seen to vanish"):
        shown(f"Integral({E1}*(1 + t)^n, (t, 0, oo)) = 1/n + O(1/n^2) {LARGE}")


def test_the_kernel_alone_is_asked() -> None:
    text = f"n*Integral((1 + t)^n*exp(-n*rho*t), (t, 0, oo)) -> 1/(rho - 1) {LARGE} for rho > 1"
    found = theorem(read_statement(text), True)
    assert found.trusts == {"DLMF 5.4.1", "DLMF 5.5.1", "DLMF 5.9.1"}
    assert [step["rule"] for step in certificate(found)] == ["asymptotic"]
    text = f"n*Integral(exp(-n*t)/(1 + t), (t, 0, 1)) -> 1 {LARGE}"
    assert theorem(read_statement(text), True).trusts == {"DLMF 5.4.1", "DLMF 5.5.1", "DLMF 5.9.1"}


def test_peaks_are_found() -> None:
    own = Expander(Algebra(Domain(), 2), {"s": 0}, {})
    found = [str(at) for at in Integrand.of(terms.read("Integral((1 + t)^s*exp(-s*t/2), (t, 0, oo))"), own).peaks()]
    assert found == ["1"]
    with pytest.raises(Refused, match="from 0 to infinity"):
        Integrand.of(terms.read("Integral((1 + t)^s*exp(-s*t/2), (t, 2, oo))"), own)
