"""Sums of F(q^k): terms and remainders against sums that are added up, where they are along powers of q, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flint import arb, ctx
from gmpy2 import mpq
from witnessed import along as path_of

from asymp.kernel import terms
from asymp.kernel.growths.arguments import of_zero, rounded
from asymp.kernel.growths.dyadic_sums import in_base, series_of_dyadic, size_of_dyadic
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import ONE, Domain, Growth, power_of
from asymp.kernel.growths.series import Algebra, Series
from asymp.kernel.rays.algebra import Ray
from asymp.kernel.rays.periodic import along, at_powers, summed
from asymp.kernel.rings.defined import Range
from asymp.kernel.rings.ratio import rational, to_term
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem
from asymp.regimes.quantities import places

LAST = 400
"""Terms after which nothing is left of the sums below."""


def exp(x: arb) -> arb:
    return arb(x).exp()


SUMS: dict[str, Callable[[arb, int], arb]] = {
    "Sum(1 - exp(-n/2^k), (k, 0, oo))": lambda n, k: 1 - exp(-n / arb(2) ** k),
    "Sum(1 - (1 - 2^(-k))^n, (k, 0, oo))": lambda n, k: 1 - (1 - arb(2) ** -k) ** n if k else arb(1),
    "Sum(exp(-3^k/n), (k, 2, oo))": lambda n, k: exp(-(arb(3) ** k) / n),
    "Sum((1 - 1/n)^((3^k - 1)/2), (k, 1, oo))": lambda n, k: exp((arb(3) ** k - 1) / 2 * (1 - 1 / n).log()),
    "Sum(2^k*exp(-2^k/n), (k, 0, oo))": lambda n, k: arb(2) ** k * exp(-(arb(2) ** k) / n),
    "Sum(1/(2^k + n), (k, -3, oo))": lambda n, k: 1 / (arb(2) ** k + n),
    "Sum(n/(2^k + n)^2 + 4^(-k), (k, 1, oo))": lambda n, k: n / (arb(2) ** k + n) ** 2 + arb(4) ** -k,
    "Sum(2^(-k)*(1 - exp(-2^k/n)), (k, 0, oo))": lambda n, k: arb(2) ** -k * (1 - exp(-(arb(2) ** k) / n)),
    "Sum(1/(1 + 4^k/n), (k, 0, oo))": lambda n, k: 1 / (1 + arb(4) ** k / n),
    "Sum(1/(1 + 2^k/n^2), (k, 0, oo))": lambda n, k: 1 / (1 + arb(2) ** k / n**2),
    "Sum(1/(1 + 2^k/n)^2 - 1/(1 + 2^k)^2, (k, 0, oo))": lambda n, k: 1 / (1 + arb(2) ** k / n) ** 2 - 1 / (1 + arb(2) ** k) ** 2,
    "Sum(floor(n/2^k), (k, 1, oo))": lambda n, k: arb(int(n.unique_fmpz()) >> k),
    "Sum(sin(2^k/n)/2^k, (k, 0, oo))": lambda n, k: (arb(2) ** k / n).sin() / arb(2) ** k,
    "Sum((1/2)^k*n*exp(-n*(1/2)^k), (k, 0, oo))": lambda n, k: arb(2) ** -k * n * exp(-n / arb(2) ** k),
}


def series(text: str, order: int = 2, **within: Range) -> Series:
    """The series of a term in n, which tends to infinity."""
    return Expander(Algebra(Domain(within=within), order), {"n": 0}, {}).series(terms.read(text))


def value(g: Growth, n: arb) -> arb:
    found, logs = arb(1), [n, n.log(), n.log().log()]
    assert not g.exponent
    for (_, depth), e in g.powers:
        c = e.constant()
        assert c is not None
        found *= logs[depth] ** (arb(int(c.numerator)) / int(c.denominator))
    return found


def constant(term: terms.Term) -> arb:
    from asymp.kernel.facts.ranges import ball

    return ball(term, bits=ctx.prec)


@pytest.mark.parametrize("text", SUMS)
def test_terms_and_remainder_against_the_sum(text: str) -> None:
    found, body = series(text), SUMS[text]
    low = int(in_base(terms.read(text))[2])
    with ctx.workprec(400):
        ratios = []
        for n in map(arb, (10**4 + 1, 10**7 + 3, 3 * 10**10, 10**16 + 7)):
            total = sum((body(n, k) for k in range(low, LAST)), arb(0))
            kept = sum((constant(to_term(c)) * value(g, n) for c, g in found.terms), arb(0))
            left = sum((value(g, n) for g in found.rest), arb(0))
            ratios.append(float(abs(total - kept) / left))
    assert max(ratios) < 12  # no constant grows with log n


def test_a_term_that_is_added_is_kept() -> None:
    found = series("Sum(n/(2^k + n)^2 + 4^(-k), (k, 1, oo))")
    assert terms.read("1/3") in [to_term(c) for c, _ in found.terms]


@pytest.mark.parametrize("text", [
    "Sum(2^k/(2^k + n), (k, 0, oo))", "Sum(1 - 2^(-k)/n, (k, 0, oo))", "Sum(exp(-n/2^k), (k, 0, oo))",  # diverge
    "Sum(k*exp(-2^k/n), (k, 0, oo))", "Sum(exp(-2^k*3^k/n), (k, 0, oo))", "Sum(exp(-2^(k^2)/n), (k, 0, oo))",
    "Sum(exp(-b^k/n), (k, 0, oo))", "Sum(exp(-1^k/n), (k, 0, oo))", "Sum(exp(-(-2)^k/n), (k, 0, oo))",
    "Sum(log(1 - n/2^k), (k, 0, oo))", "Sum(1/(2^k - n), (k, 0, oo))", "Sum((2^k - n)^(-1/2)/2^k, (k, 0, oo))",  # undefined
    "Sum(exp(-2^k/n), (k, 0, n))", "Sum(exp(-2^k/n), (k, n, oo))", "Sum(exp(-2^k/n), (k, 1/2, oo))",
    "Sum(exp(-2^k/m - 2^k/n), (k, 0, oo))", "Sum(Sum(exp(-2^(k + j)/n), (j, 0, oo))*2^(-k), (k, 0, oo))",
    "Sum(exp(-2^k), (k, 0, oo))", "Sum(exp(-(2 + n^2)^k/n), (k, 0, oo))", "Sum(exp(-(2 + 1/n)^k/n), (k, 0, oo))",
    "Sum(exp(-exp(k*n)/n), (k, 0, oo))", "Sum(exp(-exp(k^2)/n), (k, 0, oo))", "Sum(exp(-exp(k*b)*2^k/n), (k, 0, oo))",
    "Sum(exp(-exp((1 + n^2)*k)/n), (k, 0, oo))",
])  # fmt: skip
def test_sums_that_are_refused(text: str) -> None:
    domain = Domain(within={"b": Range(mpq(0), True)})
    one = Expander(Algebra(domain, 2), {"n": 0, "m": 1}, {})
    with pytest.raises(Refused):
        series_of_dyadic(one, terms.read(text))


def test_an_explicit_remainder_is_not_made_up() -> None:
    with pytest.raises(Refused, match="explicit"):
        series_of_dyadic(Expander(Ray(Domain(), 2), {"n": 0}, {}), terms.read("Sum(exp(-2^k/n), (k, 0, oo))"))


def test_exponentials_of_the_index() -> None:
    positive = Range(mpq(0), True)
    for text, c in (("exp(-exp(k)/n)", "1"), ("1 - (1 - exp(-2*k))^n", "1/2"), ("exp(-exp(2 - k)*n/3) - 1", "-1")):
        assert [to_term(c) for c, _ in series(f"Sum({text}, (k, 1, oo))").terms] == [terms.read(c)]
    assert [str(to_term(c)) for c, _ in series("Sum(1 - exp(-n*exp(-c*k)), (k, 0, oo))", c=positive).terms] == ["c^(-1)"]
    with pytest.raises(Refused):
        series("Sum(1 - exp(-n*exp(-c*k)), (k, 0, oo))", c=Range(mpq(0)))


def test_a_base_is_on_one_side_of_1() -> None:
    text = "Sum(1 - (1 - p^k)^n, (k, 0, oo))"
    found = series(text, p=Range(mpq(0), True, mpq(1), True))
    assert [str(to_term(c)) for c, _ in found.terms] == ["-log(p)^(-1)"]
    for high in (Range(mpq(0), True, mpq(1)), Range(mpq(0), True, mpq(2)), Range(mpq(-1), True, mpq(1), True)):
        with pytest.raises(Refused):
            series(text, p=high)


# --- floors -----------------------------------------------------------------------------------------------


def test_floors_of_what_tends_to_a_number() -> None:
    a, small = Algebra(Domain(), 2), ONE / power_of(0, 0)
    half = Series(((rational(mpq(1, 2)), ONE),))
    plus, minus = (Series(((rational(3), ONE), (rational(c), small))) for c in (1, -1))

    def told(head: str, f: Series) -> list[Any]:
        found = rounded(a, terms.call(head, terms.name("n")), f)
        return [found.terms[0][0].constant() if found.terms else 0, len(found.rest)]

    assert [told("floor", f) for f in (half, plus, minus, Series(((rational(3), ONE),)))] == [[0, 0], [3, 0], [2, 0], [3, 0]]
    assert [told("ceiling", f) for f in (half, plus, minus, Series(((rational(3), ONE),)))] == [[1, 0], [4, 0], [3, 0], [3, 0]]
    for unknown in (Series(((rational(3), ONE),), (small,)), Series((), (ONE,)), Series(((rational(1), power_of(0, 0)),))):
        assert rounded(a, terms.read("floor(n)"), unknown).rest  # on which side, or where, is not seen


def test_floors_keep_what_is_whole() -> None:
    a, n, small = Algebra(Domain(), 2), power_of(0, 0), ONE / power_of(0, 0)

    def told(head: str, *parts: tuple[mpq | int, Growth], whole: frozenset[int] = frozenset({0})) -> list[Any] | None:
        found = rounded(a, terms.call(head, terms.name("n")), Series(tuple((rational(c), g) for c, g in parts)), whole)
        return None if found.rest else [c.constant() for c, _ in found.terms]

    assert told("floor", (1, n), (-1, small)) == [1, -1] and told("ceiling", (1, n), (-1, small)) == [1]
    assert told("floor", (-2, n.times(n)), (mpq(1, 2), ONE)) == [-2] and told("floor", (3, n)) == [3]
    half = n.raised(rational(mpq(1, 2)))
    for parts in ([(mpq(1, 2), n)], [(1, half)], [(1, power_of(0, 1))], [(1, n), (1, half)], [(1, power_of(1, 0))]):
        assert told("floor", *parts) is None
    assert told("floor", (1, n), (-1, small), whole=frozenset()) is None


def test_floors_along_powers() -> None:
    """The sum of floor(n/q^k) is (n - s)/(q - 1), s the sum of the digits of n to the base q (Legendre)."""
    for text, terms_ in (("2^m - 1", ["1", "-log(2)^(-1)"]), ("2^m", ["1"]), ("2^m + 1", ["1"])):
        found = at_powers(terms.read(f"Sum(floor(({text})/2^k), (k, 1, oo))"), "m").series(mpq(1))
        assert [str(to_term(c)) for c, _ in found.terms] == terms_
        assert all(g.limit(Domain()) in ("one", "zero") for g in found.rest)
    one = at_powers(terms.read("Sum(floor(((3/2)^m - 1)/(3/2)^k), (k, 1, oo))"), "m")
    assert not one.whole and any(g.limit(Domain()) == "infinity" for g in one.series(mpq(1)).rest)
    where = "Sum(floor(n/2^k), (k, 1, oo)) = {} as n -> oo"
    assert not apply("along powers", statement=where.format("n + O(1)"), order=2, runner="m", values={"n": "2^m - 1"}).holds
    for said, n in (("n + O(1)", "2^m"), ("n + O(1)", "2^m + 1"), ("n + O(log(n))", "2^m - 1"), ("n + o(log(n))", "2^m")):
        assert refused(where.format(said), n=n) in ("no term that leads", "the series do not show that it fails")


def test_a_power_of_0() -> None:
    a = Algebra(Domain(), 2)
    assert of_zero(a, Series(((rational(1), power_of(0, 0)),))).terms == ()
    for exponent in (Series(((rational(-1), power_of(0, 0)),)), Series(((rational(1), ONE),)), Series(()), Series((), (ONE,))):
        with pytest.raises(Refused):
            of_zero(a, exponent)


# --- sizes ------------------------------------------------------------------------------------------------


def test_sizes() -> None:
    one = Expander(Algebra(Domain(), 2), {"n": 0}, {})
    for text, size in (
        ("Sum(2^k*exp(-2^k/n), (k, 0, oo))", "n"), ("Sum((1/2)^k*n*exp(-n*(1/2)^k), (k, 0, oo))", "n^0"),
        ("Sum(1/(2^k + n)*2^k/(2^k + n), (k, 0, oo))", "n^(-1)"),
    ):  # fmt: skip
        assert str(size_of_dyadic(one, terms.read(text))) == size
    for text in (
        "Sum((2^k - 3*n)*exp(-2^k/n), (k, 0, oo))", "Sum((2^k - n)*exp(-2^k/n), (k, 0, oo))", "Sum(-2^k*exp(-2^k/n), (k, 0, oo))",
        "Sum(1 - exp(-n/2^k), (k, 0, oo))", "Sum(n^2/(2^k + n)^2 - 1/2^k, (k, 0, oo))", "Sum(0*2^k*exp(-2^k/n), (k, 0, oo))",
        "Sum(4^(-k) + 2^k*exp(-2^k/n)/n^2, (k, 0, oo))",
    ):  # fmt: skip
        with pytest.raises(Refused):
            size_of_dyadic(one, terms.read(text))


# --- statements -----------------------------------------------------------------------------------------------

TRUE = (
    "Sum(1 - exp(-n/2^k), (k, 0, oo)) = log(n)/log(2) + O(1) as n -> oo",
    "Sum(2^k*exp(-2^k*t), (k, 0, oo)) = Theta(1/t) as t -> 0+",
    "Sum(floor(n/2^k), (k, 1, oo)) = n + O(log(n)) as n -> oo",
    "n*Sum(1 - (1 - 2^(-k))^(n - 1), (k, 0, oo)) = n*log(n)/log(2) + O(n) as n -> oo",
    "Sum(lam^((d^k - 1)/(d - 1)), (k, 1, oo)) ~ log(1/(1 - lam))/log(d) as lam -> 1- for whole d >= 2",
)
FALSE = (
    "Sum(1 - exp(-n/2^k), (k, 0, oo)) ~ (1 + 10^(-200))*log(n)/log(2) as n -> oo",
    "Sum(1 - exp(-n/2^k), (k, 0, oo)) = log(n)/log(2) + o(1) as n -> oo",
    "Sum(1 - exp(-n/2^k), (k, 0, oo)) = log(n)/log(2) + EulerGamma/log(2) + 1/2 + o(1) as n -> oo",
    "Sum(1 - exp(-n/2^k), (k, 1, oo)) = log(n)/log(2) + EulerGamma/log(2) - 1/2 + o(1) as n -> oo",
    "Sum(exp(-2^k*t), (k, 0, oo)) = -log(t)/log(2) - EulerGamma/log(2) + 1/2 + o(1) as t -> 0+",
    "Sum(2^k*exp(-2^k*t), (k, 0, oo)) ~ 1/(t*log(2)) as t -> 0+",
    "Sum(2^k*exp(-2^k*t), (k, 0, oo)) = o(1/t) as t -> 0+",
    "Sum(2^k*exp(-2^k*t), (k, 0, oo)) = Theta(1/t^2) as t -> 0+",
    "Sum(floor(n/3^k), (k, 1, oo)) = n/2 + O(1) as whole n -> oo",
    "Sum(lam^(2^k - 1), (k, 1, oo)) = -log(1/(1 - lam))/log(2) + O(1) as lam -> 1-",
)


@pytest.mark.parametrize("text", TRUE)
def test_statements_that_hold(text: str) -> None:
    assert theorem(read_statement(text), True).holds


@pytest.mark.parametrize("text", FALSE)
def test_statements_that_fail(text: str) -> None:
    assert not theorem(read_statement(text), False).holds


# --- along powers -------------------------------------------------------------------------------------------------

ALONG: dict[str, Callable[[int], arb]] = {
    "Sum(1 - exp(-2^m/2^k), (k, 0, oo))": lambda m: sum((1 - exp(-(arb(2) ** (m - k))) for k in range(LAST)), arb(0)) - m,
    "Sum(1 - (1 - 2^(-k))^(3*2^m), (k, 0, oo))":
        lambda m: 1 + sum((1 - (1 - arb(2) ** -k) ** (3 * 2**m) for k in range(1, LAST)), arb(0)) - m,
    "Sum(2^k*exp(-2^k*2^(-m)), (k, 0, oo))":
        lambda m: sum((arb(2) ** (k - m) * exp(-(arb(2) ** (k - m))) for k in range(LAST)), arb(0)),
    "Sum(1/(1 + 3^k*3^(-m)), (k, 2, oo))": lambda m: sum((1 / (1 + arb(3) ** (k - m)) for k in range(2, LAST)), arb(0)) - m + 2,
    "Sum((1 - 1/(3*4^m))^(4^k - 1), (k, 1, oo))":
        lambda m: sum((exp((arb(4) ** k - 1) * (1 - arb(4) ** -m / 3).log()) for k in range(1, LAST)), arb(0)) - m + 1,
}  # fmt: skip


@pytest.mark.parametrize("text", ALONG)
def test_where_a_sum_is_along_powers(text: str) -> None:
    _, where = along(terms.read(text), "m", "w")
    assert where.low is not None and where.high is not None and where.high - where.low < mpq(1, 10**12)
    with ctx.workprec(500):
        w = ALONG[text](60)
        assert arb(int(where.low * 2**100)) / 2**100 < w < arb(int(where.high * 2**100) + 1) / 2**100


@pytest.mark.parametrize("text", [
    "Sum(exp(-2^k/m), (k, 0, oo))", "Sum(exp(-2^k/3^m), (k, 0, oo))", "Sum(exp(-2^k/2^(m/2) - m), (k, 0, oo))",
    "Sum(floor(2^m/2^k), (k, 1, oo))", "Sum(4^(-k) + exp(-2^k/2^m)/2^m, (k, 0, oo))", "Sum(1 + exp(-2^k/2^m), (k, 0, oo))",
    "Sum(1/(1 + 2^k*4^(-m)), (k, 0, oo))", "Sum(exp(-2^k), (k, 0, oo))", "Sum(2^k*2^m/(2^k + 2^m)^2*m, (k, 0, oo))",
    "Sum(1 - exp(-2^m/2^k) + 2^(-k), (k, 0, oo))", "Sum(1/(2^k - 2^m), (k, 0, oo))",
])  # fmt: skip
def test_sums_that_are_not_seen_along_powers(text: str) -> None:
    with pytest.raises(Refused):
        along(terms.read(text), "m", "w")


def test_a_sum_over_all_powers_has_to_converge() -> None:
    for text, c in (("1/(1 + z)", "0"), ("exp(-1/z)", "0"), ("exp(-z)", "1/2"), ("1/log(z + 2)", "0"), ("log(z)", "0")):
        with pytest.raises(Refused):
            summed(terms.substitute(terms.read(text), {"z": terms.name("@u")}), terms.read(c), mpq(2))


def refused(text: str, **values: str) -> str:
    with pytest.raises(Refused) as why:
        apply("along powers", statement=text, order=2, runner="m", values=values)
    return str(why.value)


def test_refusals_of_the_rule() -> None:
    text = "Sum(exp(-2^k/n), (k, 0, oo)) = log(n)/log(2) + 1/6 + o(1) as n -> oo"
    assert "no sum of this kind" in refused(text, n="m")
    assert "no sum of this kind" in refused(text, n="3^m")
    assert "fails on the path" in refused(text, n="2^(-m)")
    assert "a value for each name" in refused(text)
    assert "no sum of this kind" in refused("1/n = 1 + o(1) as n -> oo", n="2^m")
    assert "do not show that it fails" in refused(text.replace("o(1)", "O(1)"), n="2^m")
    assert "taken" in refused("Sum(exp(-2^k/n), (k, 0, oo)) = step1_ + O(1) as n -> oo for step1_ > 0", n="2^m", step1_="1")
    assert "a limit that moves" in refused("Sum(n*2^(-k)*exp(-n/2^k), (k, 0, oo)) -> 1/n as n -> oo", n="2^m")
    given = theorem(read_statement("1/n -> 0 as n -> oo"), True)
    with pytest.raises(Refused, match="premises"):
        apply("along powers", [given], statement=text, order=2, runner="m", values={"n": "2^m"})


def test_what_is_within_the_ball_is_not_refuted() -> None:
    """Along n = 2^m the sum less m tends to 1.332747382432899225...: what is said of it is refuted where it differs by 10^(-11)."""
    text = "Sum(1 - exp(-n/2^k), (k, 0, oo)) = log(n)/log(2) + {} + o(1) as n -> oo"
    assert "may be 0" in refused(text.format("1.332747382432899225"), n="2^m")
    for near in ("1.33274738243", "1.33274738244"):
        assert not apply("along powers", statement=text.format(near), order=2, runner="m", values={"n": "2^m"}).holds


def bounded(text: str) -> Theorem:
    said = read_statement(text)
    return apply("bounded", statement=text, order=2, place=next(iter(places(said))), classes=1, **path_of(text))


def test_theta_by_sizes_alone() -> None:
    atom = "Sum(2^k*exp(-2^k/n), (k, 0, oo))"
    for right in ("Theta(n)", "Omega(n)", "O(n)", "o(n*log(n))"):
        assert bounded(f"{atom} = {right} as n -> oo").holds
    for text in (f"{atom} = o(n) as n -> oo", f"{atom} ~ n/log(2) as n -> oo", f"{atom}/n -> 1/log(2) as n -> oo",
                 f"{atom} = Theta(n^(1 + 10^(-100))) as n -> oo", f"{atom} - n/log(2) = Omega(n) as n -> oo"):  # fmt: skip
        with pytest.raises(Refused):
            bounded(text)
