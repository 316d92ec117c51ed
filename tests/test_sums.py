"""Sums: known expansions with their sources, certified values by a second route, and what must be refused."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from asymp.check.ask import ask
from asymp.check.expansion import expand_text
from asymp.enclosure import Undecided, enclose
from asymp.parse import parse_expression
from asymp.special import ZetaDerivative
from tests.expansions import expanded, follows

n, x, rho = sp.symbols("n x rho", positive=True)
k = sp.Symbol("k", integer=True, positive=True)

EXACT = {
    # text: (first terms, source)
    "Sum(log(k),(k,1,n))": ("n*log(n) - n + log(n)/2 + log(2*pi)/2 + 1/(12*n)", "DLMF 5.11.1"),
    "Sum(sqrt(k),(k,1,n))": ("2*n**(3/2)/3 + sqrt(n)/2 + zeta(-1/2) + 1/(24*sqrt(n))", "DLMF 25.11.43"),
    "Sum(log(k)/k,(k,1,n))": ("log(n)**2/2", "DLMF 25.2.5, the constant by number below"),
    "Sum(1/k**2,(k,n,oo))": ("1/n + 1/(2*n**2) + 1/(6*n**3)", "DLMF 5.15.8"),
    "Sum(1/(k*(k+1)),(k,n,oo))": ("1/n", "telescopes"),
    "Sum(1/(2*k-1),(k,1,n))": ("log(n)/2 + EulerGamma/2 + log(2) + 1/(48*n**2)", "H_2n - H_n/2"),
    "Sum(1/(n+k),(k,1,n))": ("log(2) - 1/(4*n) + 1/(16*n**2)", "H_2n - H_n, DLMF 5.11.2"),
    "Sum(1/(n**2+k**2),(k,1,oo))": ("pi/(2*n) - 1/(2*n**2)", "(pi n coth(pi n) - 1)/(2 n^2), DLMF 4.36.3"),
    "Sum(1/(n**2+k**2),(k,1,n))": ("pi/(4*n) - 1/(4*n**2) - 1/(24*n**3)", "DLMF 2.10.1"),
    "Sum(exp(-k**2/n),(k,1,oo))": ("sqrt(pi*n)/2 - 1/2", "Jacobi's theta function, DLMF 20.7.32"),
    "Sum(1/(exp(k/n)-1),(k,1,oo))": ("n*log(n) + EulerGamma*n + 1/4 - 1/(144*n)", "Zagier, The Mellin transform, section 4"),
    "Sum(factorial(n)/(factorial(n-k)*n**k),(k,1,n))": (
        "sqrt(pi*n/2) - 1/3 + sqrt(pi/(2*n))/12 - 4/(135*n)",
        "Flajolet, Grabner, Kirschenhofer, Prodinger, On Ramanujan's Q-function, 1995, Theorem 2",
    ),
    "Sum(n**k/factorial(k),(k,0,n))*exp(-n)": ("1/2 + 2/(3*sqrt(2*pi*n))", "DLMF 8.11.12"),
    "Sum(binomial(n,k)**3,(k,0,n))*8**(-n)": ("2*sqrt(3)/(3*pi*n)*(1 - 1/(3*n))", "Franel numbers, OEIS A000172"),
    "Sum(factorial(k),(k,0,n))/factorial(n)": ("1 + 1/n + 1/n**2 + 2/n**3", "left factorials, OEIS A003422"),
    "Sum(binomial(2*k,k),(k,0,n))*4**(-n)": ("4/(3*sqrt(pi*n))", "OEIS A006134"),
    "Sum(2**k/k,(k,1,n))*2**(-n)": ("2/n + 2/n**2 + 6/n**3", "OEIS A108866, ordered Bell numbers A000670 twice"),
    "Sum(1/(k*(n-k)),(k,1,n-1))": ("2*log(n)/n + 2*EulerGamma/n - 1/n**2", "2 H_(n-1)/n, DLMF 5.11.2"),
    "Sum(n/(n-k),(k,0,n-1))": ("n*log(n) + EulerGamma*n + 1/2", "the coupon collector, n H_n"),
    "Sum(1/(2*n-k),(k,0,n))": ("log(2) + 3/(4*n) + 1/(16*n**2)", "H_2n - H_(n-1), DLMF 5.11.2"),
    "Sum((-1)**k/k,(k,1,2*n))": ("-log(2) + 1/(4*n) - 1/(16*n**2)", "H_n - H_2n, DLMF 5.11.2"),
    "Sum((-1)**k/(2*k+1),(k,0,n))": ("pi/4", "Leibniz"),
    "Sum(1/k**2,(k,1,oo))*n": ("pi**2*n/6", "DLMF 25.6.1"),
    "Sum(harmonic(k)**2,(k,1,n))": (
        "n*log(n)**2 + 2*(EulerGamma-1)*n*log(n) + (EulerGamma**2 - 2*EulerGamma + 2)*n",
        "(n+1) H_n^2 - (2n+1) H_n + 2n, by parts",
    ),
    "Sum(k/log(k),(k,2,n))": ("n**2/(2*log(n)) + n**2/(4*log(n)**2)", "li(n^2), DLMF 6.12.2"),
}


def leading(text: str, to: str = "n->oo", assume: str = "", order: int = 3, **at: int) -> sp.Expr:
    """The expansion's terms, set against certified values at two n; where next to nothing is left out, at 1000."""
    found = expanded(text, to, [assume] if assume else [], order)
    if found.growth.subs(n, 1000).subs(x, sp.Rational(1, 1000)) < sp.Float("1e-30"):
        where = {"n": 1000, **at} if to == "n->oo" else {"x": "1/1000"}
        assert 1 in enclose(parse_expression(text) / found.expr, where, digits=12)
        return found.expr
    sizes = (300, 3000) if found.growth.has(sp.log) else (20, 60)
    assert follows(text, found, [{"n": size, **at} for size in sizes] if to == "n->oo" else [{"x": "1/20"}, {"x": "1/60"}]), (text, found)
    return found.expr


@pytest.mark.parametrize("text", EXACT, ids=str)
def test_known_expansions(text):
    terms, source = EXACT[text]
    found = sp.expand(sp.expand_log(leading(text, order=max(3, len(sp.Add.make_args(sp.expand_log(sp.expand(parse_expression(terms)), force=True))))), force=True))
    parts = sp.Add.make_args(found)
    for term in sp.Add.make_args(sp.expand(sp.expand_log(parse_expression(terms, {"n": n}), force=True))):
        growth = term.as_independent(n, as_Add=False)[1]
        same = [q for q in parts if sp.simplify(q.as_independent(n, as_Add=False)[1] / growth) == 1]
        assert sp.simplify(sp.Add(*same) - sum(
            q for q in sp.Add.make_args(sp.expand(sp.expand_log(parse_expression(terms, {"n": n}), force=True)))
            if sp.simplify(q / growth).free_symbols == set()
        )) == 0, (source, term, found)


CONSTANTS = {
    "Sum(k*log(k),(k,1,n))": "ln of Glaisher's constant, 1/12 - zeta'(-1), DLMF 5.17.6",
    "Sum(log(k)/k,(k,1,n))": "the first Stieltjes constant",
    "Sum(log(1+1/k**2),(k,1,n))": "ln(sinh(pi)/pi)",
    "Sum(1/(k**2+1),(k,1,n))": "(pi coth(pi) - 1)/2",
}
VALUES = {
    "Sum(k*log(k),(k,1,n))": lambda: mpmath.log(mpmath.glaisher),
    "Sum(log(k)/k,(k,1,n))": lambda: mpmath.stieltjes(1),
    "Sum(log(1+1/k**2),(k,1,n))": lambda: mpmath.log(mpmath.sinh(mpmath.pi) / mpmath.pi),
    "Sum(1/(k**2+1),(k,1,n))": lambda: (mpmath.pi * mpmath.coth(mpmath.pi) - 1) / 2,
}


@pytest.mark.parametrize("text", CONSTANTS, ids=str)
def test_constants_against_mpmath(text):
    (constant,) = [term for term in expanded(text, order=5).terms if not term.free_symbols]
    with mpmath.workdps(25):
        assert abs(mpmath.mpf(enclose(constant, digits=20).value) - VALUES[text]()) < mpmath.mpf(10) ** -17


def test_mellin_sums_at_zero():
    assert sp.expand(leading("Sum(exp(-k**2*x),(k,0,oo))", "x->0+") - sp.sqrt(sp.pi / x) / 2 - sp.Rational(1, 2)) == 0
    found = leading("Sum(sqrt(k)*exp(-k*x),(k,1,oo))", "x->0+")  # DLMF 25.12.12
    assert found.coeff(x ** sp.Rational(-3, 2)) == sp.sqrt(sp.pi) / 2 and found.coeff(x, 1) == -sp.zeta(-sp.Rational(3, 2))


def test_a_geometric_sum_with_a_parameter():
    found = leading("Sum(rho**k*sqrt(k),(k,1,n))*rho**(-n)", assume="rho>1", rho=2)
    assert sp.simplify(sp.expand(found).coeff(sp.sqrt(n)).subs(rho, 5) - sp.Rational(5, 4)) == 0


REFUSED = [
    "Sum(1/k,(k,n,oo))",  # diverges
    "Sum(1/(k*log(k)),(k,n,oo))",  # diverges
    "Sum(1/(k*log(k)),(k,1,n))",  # ln 1 = 0 is inverted
    "Sum(1/(n-k),(k,1,2*n))",  # a pole in the range
    "Sum(2**k/(k-50),(k,1,n))",  # a pole in the range
    "Sum((-1)**k*log(k),(k,1,n))",  # the last term's sign matters
    "Sum((-1)**k*(1+1/k),(k,1,oo))*n",  # diverges, though two terms at a time it does not
    "Sum(exp(k/n)*harmonic(k),(k,1,oo))",  # diverges
    "Sum(1/(n-k),(k,1,n))",  # a pole at the end
    "Sum(1/k,(k,1,oo))*n",  # diverges
    "Sum(factorial(k)*binomial(n,k)*factorial(k),(k,0,n))/n",  # the ratio of terms is not monotone
    "n**Sum(1/k,(k,1,oo))",  # diverges
    "Sum(1/(k-4)**2,(k,1,n))",  # a pole
    "Sum((-1)**k*binomial(n,k)*log(k+1),(k,0,n))",  # cancels
    "Sum(log(k),(k,1,n/2))",  # no integer bound
    "Sum(binomial(n,k)*binomial(n,k)*x**k,(k,0,oo))",
    "Sum(exp(k/n),(k,1,oo))",  # diverges
    "Sum(1/sqrt(n**2-k**2),(k,1,n))",  # a pole at the end
    "Sum(sin(k),(k,1,n))",
    "Sum(log(k),(k,2*n,n))",  # backwards
    "Sum(sqrt(k-5),(k,1,n))",  # complex at first
    "Sum(1/((k-3)*(k-4)),(k,1,n))",  # poles, though it telescopes
]


@pytest.mark.parametrize("text", REFUSED, ids=str)
def test_what_must_be_refused(text):
    assert set(expand_text(text, "n->oo", ["x>0"] if "x" in text.replace("exp", "") else [])) == {"refused"}


BALLS = [
    # (sum, value by mpmath in closed form, at n)
    (sp.Sum(sp.log(k) / k**2, (k, 1, sp.oo)), lambda m: -mpmath.zeta(2, derivative=1)),
    (sp.Sum(1 / (k**2 + n**2), (k, 1, sp.oo)), lambda m: (mpmath.pi * m * mpmath.coth(mpmath.pi * m) - 1) / (2 * m * m)),
    (sp.Sum(k**sp.Rational(1, 3), (k, 1, n)), lambda m: mpmath.zeta(-mpmath.mpf(1) / 3) - mpmath.zeta(-mpmath.mpf(1) / 3, m + 1)),
    (sp.Sum(sp.binomial(n, k) ** 2, (k, 0, n)) / 4**n, lambda m: mpmath.binomial(2 * m, m) / mpmath.mpf(4) ** m),
    (sp.Sum(sp.binomial(n, k), (k, 0, n)) / 2**n, lambda m: mpmath.mpf(1)),
    (sp.Sum(n**k / sp.factorial(k), (k, 0, n)) * sp.exp(-n), lambda m: mpmath.gammainc(m + 1, m, regularized=True)),
    (sp.Sum(sp.exp(-(k**2) / n), (k, 1, sp.oo)), lambda m: (mpmath.jtheta(3, 0, mpmath.exp(-1 / mpmath.mpf(m))) - 1) / 2),
    (sp.Sum(sp.exp(-k / n) * k, (k, 1, sp.oo)), lambda m: 1 / (4 * mpmath.sinh(1 / (2 * mpmath.mpf(m))) ** 2)),
    (sp.Sum(ZetaDerivative(1, -3) * k, (k, 1, n)), lambda m: mpmath.zeta(-3, derivative=1) * m * (m + 1) / 2),
]


@pytest.mark.parametrize(("total", "value"), BALLS, ids=[str(q[0]) for q in BALLS])
@pytest.mark.parametrize("size", [300, 2000])
def test_certified_sums_against_closed_forms(total, value, size):
    with mpmath.workdps(40):
        expected = mpmath.mpf(value(size))
        assert abs(mpmath.mpf(enclose(total, {"n": size}, digits=25).value) / expected - 1) < mpmath.mpf(10) ** -20


@pytest.mark.parametrize("exponent", [20, 100])
def test_certified_sums_at_huge_n(exponent):
    size = 10**exponent
    ratio = enclose(sp.Sum(sp.binomial(n, k) ** 2, (k, 0, n)) / sp.binomial(2 * n, n), {"n": size}, digits=20)
    assert 1 in ratio  # Vandermonde
    ends = enclose(sp.Sum(1 / sp.binomial(n, k), (k, 0, n)) - 2, {"n": size}, digits=10)  # 2/n + 4/n^2 + ...
    assert abs(mpmath.mpf(ends.value) * size / 2 - 1) < 1e-9


def test_a_divergent_sum_has_no_value():
    for term in (1 / k, 1 / sp.sqrt(k)):
        with pytest.raises(Undecided):
            enclose(sp.Sum(term, (k, 1, sp.oo)), digits=5, cap_bits=1000)


@pytest.mark.parametrize("text", [
    "(-1)^n*Sum((-1)^k/binomial(n, k), (k, 0, n)) = (-1)^n + O(1/n)",
    "(-1)^n*Sum((-1)^k/binomial(n, k), (k, 1, n)) = O(1/n)",
    "(-1)^n*Sum((-1)^k/binomial(2*n, k), (k, 0, 2*n)) = (-1)^n + O(1/n)",
])  # fmt: skip
def test_a_summand_that_has_no_value_beyond_the_range_is_not_asked_for_one_there(text):
    """Sum((-1)^k/binomial(n, k)) is (1 + (-1)^n) (n + 1)/(n + 2): Gosper's F(n + 1) is 0*(1/0), and not 0."""
    assert ask(text, to="n -> oo").outcome.value != "holds"
