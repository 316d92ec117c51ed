"""Roots of equations: derived, proved, confirmed by certified roots; what is not shown is refused."""

from __future__ import annotations

import json

import mpmath
import pytest
import sympy as sp

from asymp.check.closed_sums import closed, for_numbers, kummer
from asymp.check.expansion import expand_text
from asymp.check.implicit import expand_equation
from asymp.cli import main
from asymp.enclosure import ball
from asymp.parse import ParseError, parse_expression
from tests.expansions import expanded

x, n = sp.symbols("x n", positive=True)


def solved(
    equation: str,
    unknown: str = "x",
    to: str = "n->oo",
    assume: str | tuple = (),
    order: int = 3,
    strength: str = "proved",
) -> list:
    answer = expand_equation(equation, unknown, to, assume, order)
    assert "refused" not in answer, answer
    assert answer["strength"] == strength
    return [
        (case.get("when", answer.get("root")), case["terms"], case["remainder"]["growth"])
        for case in answer.get("cases", [answer])
    ]


# The first terms by hand, or of a cited source; all are compared with certified roots up to n = 10^1000 as well.
KNOWN = [
    # DLMF 4.13.10
    ("x*exp(x) = n", ["log(n)", "-log(log(n))", "log(log(n))/log(n)"], "log(log(n))**2/log(n)**2"),
    ("exp(-x) = x/n", ["log(n)", "-log(log(n))", "log(log(n))/log(n)"], "log(log(n))**2/log(n)**2"),
    ("x + log(x) = n", ["n", "-log(n)", "log(n)/n"], "log(n)**2/n**2"),
    ("x^2 + log(x) = n", ["sqrt(n)", "-log(n)/(4*sqrt(n))", "-log(n)**2/(32*n**(3/2))"], "log(n)/n**(3/2)"),
    # de Bruijn, Asymptotic Methods in Analysis, 2.4
    ("x*exp(x^2) = n", ["sqrt(log(n))", "-log(log(n))/(4*sqrt(log(n)))"], None),
    ("x^5 + x = n", ["n**(1/5)", "-1/(5*n**(3/5))", "-1/(25*n**(7/5))"], "n**(-11/5)"),
    ("x**n + x - 1 = 0", ["1", "-log(n)/n", "log(log(n))/n"], "log(log(n))/(n*log(n))"),
    ("x**n = 2", ["1", "log(2)/n", "log(2)**2/(2*n**2)"], "n**(-3)"),
    ("x**x = n", ["log(n)/log(log(n))", "log(n)*log(log(log(n)))/log(log(n))**2"], None),
    ("x*log(x) = n", ["n/log(n)", "n*log(log(n))/log(n)**2"], None),
    # the upper quantile of the normal law, n = 2/p: Blair, Edwards, Johnson (1976) for inverse erfc
    ("erfc(x) = 1/n", ["sqrt(log(n))", "-log(log(n))/(4*sqrt(log(n)))", "-log(pi)/(4*sqrt(log(n)))"], None),
]


@pytest.mark.parametrize(("equation", "terms", "rest"), KNOWN, ids=[k[0] for k in KNOWN])
def test_the_only_positive_root(equation, terms, rest):
    ((when, found, growth),) = solved(equation, order=len(terms))
    assert when == "x > 0"
    assert found == terms
    assert rest is None or growth == rest


def test_lambert_w_to_five_terms_is_de_bruijns_series():
    """DLMF 4.13.10, summed by the handler of LambertW itself."""
    ((_, terms, _),) = solved("x*exp(x) = n", order=5)
    assert [sp.sympify(t, {"n": n}) for t in terms] == list(expanded("LambertW(n)", order=5).terms)


BRANCHES = [
    ("log(x)/x = 1/n", "n->oo", {"0 < x < E": ["1", "1/n"], "x > E": ["n*log(n)", "n*log(log(n))"]}),
    ("x + 1/x = n", "n->oo", {"0 < x < 1": ["1/n", "n**(-3)"], "x > 1": ["n", "-1/n"]}),
    ("x*exp(-x) = 1/n", "n->oo", {"0 < x < 1": ["1/n", "n**(-2)"], "x > 1": ["log(n)", "log(log(n))"]}),
    ("log(x)^2 = n", "n->oo", {"0 < x < 1": ["exp(-sqrt(n))"], "x > 1": ["exp(sqrt(n))"]}),
]


@pytest.mark.parametrize(("equation", "to", "cases"), BRANCHES, ids=[b[0] for b in BRANCHES])
def test_several_roots_are_cases(equation, to, cases):
    assert {when: terms for when, terms, _ in solved(equation, to=to, order=2)} == cases


def test_a_cut_that_moves_with_the_limit():
    """eps x^5 - x + 1: the regular root, and the one at infinity like eps^(-1/4)."""
    regular, singular = solved("1 - x + eps*x^5 = 0", to="eps->0+", order=3)
    assert regular[1] == ["1", "eps", "5*eps**2"]
    assert singular[1] == ["eps**(-1/4)", "-1/4", "-5*eps**(1/4)/32"]


def test_an_assumed_interval_selects_the_root():
    ((when, terms, _),) = solved("log(x)/x = 1/n", assume="x > 3", order=1)
    assert (when, terms) == ("x > 3", ["n*log(n)"])
    ((when, terms, _),) = solved("x^2 = n", assume="x < 0")
    assert (when, terms) == ("x < 0", ["-sqrt(n)"])
    ((when, terms, _),) = solved("log(x) + log(log(x)) = n", assume="x > 1", order=2)
    assert terms == ["exp(n)/n", "exp(n)*log(n)/n**2"]


ENDS = [
    # DLMF 4.13.11: W_{-1}(-1/n)
    ("x*exp(x) = -1/n", "x < -1", ["-log(n)", "-log(log(n))", "-log(log(n))/log(n)"]),
    ("log(1-x) = -n", "0 < x < 1", ["1", "-exp(-n)"]),
    ("x^3 = n", "-n < x < n", ["n**(1/3)"]),
    ("x^2 + x = n", "x < 0", ["-sqrt(n)", "-1/2", "-1/(8*sqrt(n))"]),
    ("digamma(x) = n", (), ["exp(n)", "1/2", "-exp(-n)/24"]),
    ("3*exp(2*x) + log(n)*sqrt(x) = log(n)", (), ["1", "-6*exp(2)/log(n)", "81*exp(4)/log(n)**2"]),
    ("exp(x) = 1 + x + x^2/2 + 1/n", (), ["6**(1/3)/n**(1/3)", "-6**(2/3)/(12*n**(2/3))", "1/(40*n)"]),
]


@pytest.mark.parametrize(("equation", "assume", "terms"), ENDS, ids=[e[0] for e in ENDS])
def test_roots_at_a_distance_from_an_end(equation, assume, terms):
    ((_, found, _),) = solved(equation, assume=assume)
    assert found == terms


def test_one_root_in_each_interval():
    """x^3 - 3x + 1/n has the roots +-sqrt(3) and 0 in the limit; x(1 - x) and the entropy are symmetric about 1/2.

    Where the entropy turns is given: to find it takes as long as all other equations here.
    """
    left, middle, right = solved("x^3 - 3*x + 1/n = 0", assume="-4 < x < 4", order=1)
    assert [r[1] for r in (left, middle, right)] == [["-sqrt(3)"], ["1/(3*n)"], ["sqrt(3)"]]
    low, high = solved("x*(1-x) = 1/n", assume="0 < x < 1", order=2)
    assert (low[:2], high[:2]) == (("0 < x < 1/2", ["1/n", "n**(-2)"]), ("1/2 < x < 1", ["1", "-1/n"]))
    for half, terms in (("0 < x < 1/2", ["1/(n*log(n))"]), ("1/2 < x < 1", ["1"])):
        ((when, found, _),) = solved("-x*log(x) - (1-x)*log(1-x) = 1/n", assume=half, order=1)
        assert (when, found) == (half, terms)
    assert [r[1] for r in solved("(x - n)*(x - 2*n) = 0")] == [["n"], ["2*n"]]


@pytest.mark.parametrize(("equation", "assume"), [("gamma(x) = n", "x > 2"), ("factorial(x) = n", ())])
def test_inverse_gamma(equation, assume):
    ((_, terms, _),) = solved(equation, assume=assume)
    assert terms[:2] == ["log(n)/log(log(n))", "log(n)*log(log(log(n)))/log(log(n))**2"]


def test_keplers_equation():
    ((_, terms, growth),) = solved("x - eps*sin(x) = 1", to="eps->0+", order=3)
    assert (terms, growth) == (["1", "eps*sin(1)", "eps**2*sin(1)*cos(1)"], "eps**3")


# --- the papers ----------------------------------------------------------------------------------


def test_the_load_that_erlang_b_blocks_with_a_fixed_probability():
    """B(n, a) = eps: Jagerman (1974) has a ~ n/(1 - eps) - 1/eps."""
    ((when, terms, growth),) = solved(
        "exp(n*log(a) - a)/uppergamma(n+1, a) = eps", unknown="a", assume="0<eps<1", order=2
    )
    assert (when, terms, growth) == ("a > 0", ["-n/(eps - 1)", "-1/eps"], "1/n")


def test_erlang_b_as_it_is_usually_written():
    """The sum is e^a Gamma(n+1, a)/n! (DLMF 8.4.8); without its last term t/(S - t) = 1/2 is t/S = 1/3."""
    ((_, terms, _),) = solved(
        "(a^n/factorial(n))/Sum(a^k/factorial(k), (k, 0, n)) = eps", "a", "n->oo", "0<eps<1", 2, "supported"
    )
    assert terms == ["-n/(eps - 1)", "-1/eps"]
    ((_, terms, _),) = solved(
        "(a^n/factorial(n))/Sum(a^k/factorial(k), (k, 0, n-1)) = 1/2", "a", "n->oo", (), 1, "supported"
    )
    assert terms == ["3*n/2"]


ERLANG_B = "exp(n*log(a) - a)/uppergamma(n+1, a)"
# B(n, a) is near a^n e^(-a)/n!, so (n - a)^2 = 2 n ln(1/(B sqrt(2 pi n))) to leading order where B is much below
# n^(-1/2), and near 1 - n/a where it is much above
BLOCKING = [
    ("1/n", "a", "n->oo", ["n", "-sqrt(n)*sqrt(log(n))", "sqrt(n)*(log(2)/2 + log(pi)/2)/sqrt(log(n))"]),
    ("n^(-2)", "a", "n->oo", ["n", "-sqrt(3)*sqrt(n)*sqrt(log(n))"]),
    ("exp(-sqrt(n))", "a", "n->oo", ["n", "-sqrt(2)*n**(3/4)"]),
    ("n^(-1/3)", "a", "n->oo", ["n", "n**(2/3)"]),
    ("1-1/n", "a", "n->oo", ["n**2", "-1"]),
    ("1/a", "n", "a->oo", ["a", "sqrt(a)*sqrt(log(a))"]),
]


@pytest.mark.parametrize(("blocking", "unknown", "to", "terms"), BLOCKING, ids=[f"{b[1]}, B={b[0]}" for b in BLOCKING])
def test_erlang_b_across_the_transition(blocking, unknown, to, terms):
    ((when, found, _),) = solved(
        f"{ERLANG_B} = {blocking}", unknown, to, (), len(terms), "proved" if unknown == "a" else "supported"
    )
    assert (when, found) == (f"{unknown} > 0", terms)


def test_the_servers_for_a_fixed_blocking_probability():
    """Jagerman's a ~ n/(1 - eps) - 1/eps, solved for n."""
    ((_, terms, _),) = solved(f"{ERLANG_B} = eps", "n", "a->oo", "0<eps<1", 2, "supported")
    a, eps = sp.symbols("a eps", positive=True)
    load = [parse_expression(t, {"a": a, "eps": eps}) for t in terms]
    assert sp.simplify(sp.Add(*load) - (a + 1 / eps) * (1 - eps)) == 0


@pytest.mark.parametrize("theta", [1, 2, 3])
def test_erlangs_inverse_for_a_fixed_buffer(theta):
    equation = f"(1-rho)*Sum(x**k/factorial(k), (k, 0, {theta})) = x**{theta}/factorial({theta})"
    ((_, terms, _),) = solved(equation, to="rho->0+", order=1)
    assert terms == [f"{theta}/rho"]


MEAN_FIELD = "Sum(Product(d*lam/(1+v*(d-1)*lam/q), (v, 1, u)), (u, 0, oo)) = 1/(1-lam)"


@pytest.mark.slow
def test_the_mean_field_occupancy_for_a_symbolic_degree():
    """The fixed point of processor sharing over d servers: EQ = (d-1)/(d-1-ln d) (L - (ln L)/2 - ...)."""
    d, lam = sp.symbols("d lam", positive=True)
    ((when, terms, growth),) = solved(MEAN_FIELD, "q", "lam->1-", "d>1")
    large = sp.log(1 / (1 - lam))
    scale = (d - 1) / (d - 1 - sp.log(d))
    expected = [
        scale * large,
        -scale * sp.log(large) / 2,
        -scale * sp.log(2 * sp.pi / (d - 1 - sp.log(d))) / 2,
    ]
    point = {d: sp.Rational(7, 3), lam: sp.Rational(99, 100)}
    for term, wanted in zip(terms, expected, strict=True):
        value = parse_expression(term, {"d": d, "lam": lam})
        assert abs(sp.N((value - wanted).subs(point), 30)) < 1e-20
    assert when == "q > 0"
    rest = parse_expression(growth, {"lam": lam})
    assert abs(sp.N((rest - sp.log(large) / large).subs(point), 30)) < 1e-20


def solution(d: mpmath.mpf, gap: mpmath.mpf) -> mpmath.mpf:
    """q with sum_u prod_v d lam/(1 + v (d-1) lam/q) = 1/gap, the series summed term by term, by bisection."""
    lam = 1 - gap

    def excess(q: mpmath.mpf) -> bool:
        total, term, v = mpmath.mpf(1), mpmath.mpf(1), 0
        while term > total * mpmath.mpf(10) ** (-25):
            v += 1
            term = term * d * lam / (1 + v * (d - 1) * lam / q)
            total += term
        return total > 1 / gap

    low, high = mpmath.mpf(1), -mpmath.log(gap) * d * 4
    for _ in range(45):
        middle = (low + high) / 2
        low, high = (low, middle) if excess(middle) else (middle, high)
    return low


@pytest.mark.parametrize("d", [sp.Integer(2), sp.Integer(3), sp.Integer(10), sp.Rational(5, 2)], ids=str)
def test_the_mean_field_occupancy_against_the_series_summed(d):
    """The terms of the test above against an independent solution at 1 - lam = 1e-8 and 1e-100, and the paper's bound -log(1-lam)/c_d."""
    with mpmath.workdps(130):
        degree = mpmath.mpf(d.p) / d.q
        bound = (2 * degree - 3) / (2 * (degree - 1)) * mpmath.log(4 * degree / (4 * degree - 1))
        scale = (degree - 1) / (degree - 1 - mpmath.log(degree))
        constant = -scale * mpmath.log(2 * mpmath.pi / (degree - 1 - mpmath.log(degree))) / 2
        for power in (8, 100):
            gap = mpmath.mpf(10) ** -power
            large = -mpmath.log(gap)
            exact = solution(degree, gap)
            rest = exact - scale * (large - mpmath.log(large) / 2) - constant
            assert abs(rest) < 6 * scale * mpmath.log(large) / large
            assert exact <= large / bound


def test_a_product_sum_is_kummers_function():
    """Two routes: balls of M(1, 1+s, z), and the sum cut where its terms are below 2^-200."""
    u, v = sp.Symbol("u", integer=True, nonnegative=True), sp.Symbol("v", integer=True, positive=True)
    total = sp.Sum(sp.Product(3 / (1 + v / 2), (v, 1, u)), (u, 0, sp.oo))
    assert kummer(total) == (2, 6)
    exact, term = sp.S.One, sp.S.One
    for k in range(1, 120):
        term = term * 3 / (1 + sp.Rational(k, 2))
        exact += term
    for form in (for_numbers(total), closed(total)):
        assert abs(ball(form - exact, {}, 200)) < 1e-40


# --- traps ---------------------------------------------------------------------------------------

REFUSED = [
    ("x^2 + n = 0", "no root with x > 0"),
    ("x = -1 - n", "no root with x > 0"),
    ("(x+1)^2 = x^2 + 2*x + 1", "both sides are equal"),
    ("sin(x) = 1/n", "how many roots"),
    ("tan(x) = x/n", "how many roots"),
    ("1/(x - 1) = n", "how many roots"),
    ("floor(x) = n", "how many roots"),
]


@pytest.mark.parametrize(("equation", "why"), REFUSED, ids=[r[0] for r in REFUSED])
def test_what_is_not_shown_is_refused(equation, why):
    answer = expand_equation(equation, "x", "n->oo", (), 2)
    assert set(answer) == {"refused"}
    assert answer["refused"].startswith(why)
    assert len(answer["refused"].splitlines()) == 1


@pytest.mark.parametrize("assume", ["x > n", "-1 < x < 1", "x < 0"])
def test_a_root_elsewhere_is_no_root(assume):
    answer = expand_equation("x*exp(x) = n", "x", "n->oo", assume, 2)
    assert answer == {"refused": f"no root with {assume}: the two sides differ there"}


@pytest.mark.parametrize(
    ("equation", "unknown", "assume"),
    [
        ("y = n", "x", ()),
        ("x = n", "n", ()),
        ("x*exp(x)", "x", ()),
        ("x = n = 2", "x", ()),
        ("x*exp(x = n", "x", ()),
        ("x <= n", "x", ()),
        ("x = n", "", ()),
        ("x = n", "pi", ()),
        ("x = n", "x", "x >= 1"),
        ("x = n", "x", "2 < x < 1"),
        ("x = n", "x", "x > 1 and x > 2"),
    ],
)
def test_what_cannot_be_read_is_one_line(equation, unknown, assume):
    with pytest.raises(ParseError) as caught:
        expand_equation(equation, unknown, "n->oo", assume, 2)
    assert len(str(caught.value).splitlines()) == 1


def test_the_command(capsys):
    arguments = ["expand", "--equation", "x*exp(x) = n", "--unknown", "x", "--to", "n->oo", "--order", "2"]
    assert main([*arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["terms"] == ["log(n)", "-log(log(n))"]
    assert main(["expand", "--equation", "x*exp(x = n", "--unknown", "x", "--to", "n->oo"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert expand_text(None, "n->oo", (), 2, "x*exp(x) = n", "x")["terms"] == found["terms"]
