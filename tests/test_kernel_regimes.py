"""Limits from both sides, closed ranges of parameters, real parameters, and numbers that a statement leaves open."""

from __future__ import annotations

import pytest

from asymp.check import check
from asymp.kernel.growths.constants import bounded, with_value
from asymp.kernel.growths.limit_points import from_both_sides
from asymp.kernel.growths.logarithmic import of_logarithms
from asymp.kernel.growths.offsets import around
from asymp.kernel.sequences.apart import parts
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import Theorem, apply, certificate, replay
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.parse import claim
from asymp.prove.claims import theorem


def made(text: str, holds: bool = True) -> Theorem:
    return theorem(read_statement(text), holds)


def verdict(text: str, to: str, assume: str = "") -> tuple[str, str]:
    found = check(claim("me/x", text, to=to, source="me, 1", assume=[assume] if assume else []))
    return str(found.outcome), str(found.strength)


BOTH_SIDES = [  # (statement, whether it holds), by hand
    ("sin(x)/x -> 1 as x -> 0", True),
    ("(1 + x)^(1/x) -> E as x -> 0", True),
    ("1/x^2 -> oo as x -> 0", True),
    ("1/x -> oo as x -> 0", False),
    ("Abs(x)/x -> 1 as x -> 0", False),
    ("sin(x) = x - x^3/6 + O(x^5) as x -> 0", True),
    ("sin(x) = x - (1 + 10^(-200))*x^3/6 + O(x^5) as x -> 0", False),
    ("exp(1/x) = O(1) as x -> 0", False),
    ("log(x)/(x - 1) -> 1 as x -> 1", True),
    ("x = O(x^2) as x -> 0", False),
    ("(x + c)^2 -> c^2 as x -> 0 for real c", True),
    ("log(1 + x) < x as x -> 0", True),
]


@pytest.mark.parametrize(("text", "holds"), BOTH_SIDES)
def test_a_limit_from_both_sides(text: str, holds: bool) -> None:
    found = made(text, holds)
    assert found.holds is holds and replay(certificate(found)).holds is holds
    with pytest.raises(Refused):
        made(text, not holds)


def test_both_sides_are_asked_for() -> None:
    text = "Abs(x) = O(x) as x -> 0"
    sides = [made(f"Abs(x) = O(x) as x -> 0{side}") for side in "+-"]
    assert apply("two sides", sides, statement=text, variable="x").holds
    for premises in ([sides[0]], [sides[1]], sides[::-1], [sides[0], sides[0]], [*sides, sides[0]], []):
        with pytest.raises(Refused):
            apply("two sides", premises, statement=text, variable="x")
    with pytest.raises(Refused):
        apply("two sides", sides, statement=text, variable="n")
    below = made("exp(1/x) = O(1) as x -> 0-")
    with pytest.raises(Refused):
        apply("two sides", [below], statement="exp(1/x) = O(1) as x -> 0", variable="x")


@pytest.mark.parametrize(
    "text",
    [
        "x = O(1) as x -> 0+",  # one side
        "x = O(1) as x -> oo",  # no number
        "x*n = O(1) as x -> 0, n -> oo, n*x -> 1",  # x is ordered with n
        "x = O(1) as x -> 0 for x > 0",  # its range has one side
        "x = O(1) as x -> 1/n, n -> oo",  # the limit moves
        "x = O(1) uniformly in whole i, 1 <= i <= 2 as x -> 0",
        "x -> C for some real C as x -> 0",
        "x = O(1) as x -> 0 for whole x",
    ],
)
def test_more_is_said_of_what_tends(text: str) -> None:
    with pytest.raises(Refused):
        from_both_sides(read_statement(text), "x")


CLOSED_RANGES = [
    ("n^(-s) = O(1) as n -> oo for s >= 0", True),
    ("n^(-s) -> 0 as n -> oo for s >= 0", False),  # s = 0
    ("exp(x*n)/n -> 0 as n -> oo for x <= 0", True),
    ("exp(x*n) -> 0 as n -> oo for x <= 0", False),
    ("n^x/n^2 -> 0 as n -> oo for 0 <= x <= 1", True),
    ("n^x/n -> 0 as n -> oo for 0 <= x <= 1", False),  # x = 1
    ("n^(x - 1) = O(1) as n -> oo for 1/2 <= x <= 1", True),
    ("n^x -> oo as n -> oo for real x", False),
    ("n^(x^2) = Omega(1) as n -> oo for real x", True),
    ("n^(x^2) -> oo as n -> oo for real x", False),  # x = 0 alone
    ("n^(-x^2) -> 0 as n -> oo for real x", False),
    ("(1 + a/n)^(b*n) -> exp(a*b) as n -> oo for real a, real b", True),
    ("(1 + a/n)^(b*n) -> exp(a*b*(1 + 10^(-200))) as n -> oo for real a, real b", False),
]


@pytest.mark.parametrize(("text", "holds"), CLOSED_RANGES)
def test_closed_ranges_and_all_real_values(text: str, holds: bool) -> None:
    found = made(text, holds)
    assert found.holds is holds and replay(certificate(found)).holds is holds
    with pytest.raises(Refused):
        made(text, not holds)


@pytest.mark.parametrize(
    ("text", "v", "found"),
    [
        ("n^(-s) = O(1) as n -> oo for s >= 0", "s", ["", "s > 0"]),
        ("n^(-s) = O(1) as n -> oo for 0 <= s < 1", "s", ["", "0 < s < 1"]),
        ("n^(-s) = O(1) as n -> oo for 0 < s <= 1", "s", ["", "0 < s < 1"]),
        ("n^(-s) = O(1) as n -> oo for 2 >= s", "s", ["", "2 > s"]),
        ("n^(-s) = O(1) as n -> oo for 1 <= s <= 0", "s", ["1 < s <= 0"]),  # nothing lies there: s = 1 is no value
        ("n^s = O(1) as n -> oo for real s", "s", ["s < 0", "", "s > 0"]),
        ("n^s = O(1) as n -> oo for real s, s <= 0", "s", ["", "real s < 0"]),
    ],
)
def test_parts_of_a_range(text: str, v: str, found: list[str]) -> None:
    told = [str(one).partition(" for ")[2] for one in parts(read_statement(text), v)]
    assert told == found


@pytest.mark.parametrize(
    ("text", "v"),
    [
        ("n^s = O(1) as n -> oo for 0 < s < 1", "s"),  # an open range
        ("n^s = O(1) as n -> oo for s >= a, a > 0", "s"),  # an end that is no number
        ("n^s = O(1) as n -> oo for real s, s > 0", "s"),
        ("n^s = O(1) as n -> oo for s >= 0", "n"),
        ("p = O(1) as n -> oo, n*p -> 1 for p >= 0", "p"),  # it moves
        ("n^s = O(1) uniformly in 0 <= s <= 1 as n -> oo", "s"),
        ("n^s -> C for some real C as n -> oo for s >= 0", "s"),
    ],
)
def test_ranges_without_parts(text: str, v: str) -> None:
    with pytest.raises(Refused):
        parts(read_statement(text), v)


SOME = [
    ("harmonic(n) = log(n) + C + O(1/n) for some real C as whole n -> oo", True),
    ("harmonic(n) = (1 + 10^(-200))*log(n) + C + O(1/n) for some real C as whole n -> oo", False),
    ("log(n!) = n*log(n) - n + log(n)/2 + C + o(1) for some real C as whole n -> oo", True),
    ("log(n!) = n*log(n) - n + C + o(1) for some real C as whole n -> oo", False),
    ("log(n!) <= C*n*log(n) for some C > 0 as whole n -> oo", True),
    ("binomial(2*n, n) ~ C*4^n/sqrt(n) for some C > 0 as whole n -> oo", True),
    ("Sum(1/k^s, (k, 1, n)) = n^(1 - s)/(1 - s) + C + o(1) for some real C as whole n -> oo for 0 < s < 1", True),
    ("Sum(1/k^2, (k, 1, n)) = C - 1/n + O(1/n^2) for some real C as whole n -> oo", True),
    ("n^2 -> C for some real C as n -> oo", False),
    ("harmonic(n) = log(n) + C + O(1/n^2) for some real C as whole n -> oo", False),
    ("harmonic(n) = log(n) + C + O(1/n) for some C > 1 as whole n -> oo", False),  # EulerGamma < 1
    ("(1 + 1/n)^n -> C for some C > 3 as n -> oo", False),
    ("Sum(1/k^2, (k, 1, n)) = C - 1/n + O(1/n^3) for some real C as whole n -> oo", False),
    ("(1 + 1/n)^n -> C for some 2 < C < 3 as n -> oo", True),
]


@pytest.mark.parametrize(("text", "holds"), SOME)
def test_a_number_that_is_left_open(text: str, holds: bool) -> None:
    found = made(text, holds)
    assert found.holds is holds and replay(certificate(found)).holds is holds
    with pytest.raises(Refused):
        made(text, not holds)


@pytest.mark.parametrize(
    "text",
    [
        "harmonic(n) = log(n) + C + O(1/n) for some whole C as whole n -> oo",
        "harmonic(n) - log(n) -> C and 1/n -> C for some real C as whole n -> oo",  # one C for both
    ],
)
def test_a_number_that_there_is_not(text: str) -> None:
    with pytest.raises(Refused):
        made(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("n - 1 = C + O(1) for some real C as n -> oo", "n"),  # it moves
        ("n - 1 = C + O(1) for some real C as n -> oo", "a"),  # of which nothing is said
        ("n - 1 = C + O(1) for some real C as n -> oo", "C"),
        ("n - 1 = C + O(1) for some real C as n -> oo", "oo"),
        ("n - 1 = C + O(n) for some whole C as n -> oo", "1/2"),
        ("n - 1 = C + O(n) for some real C as n -> oo for C > 1", "2"),  # more is said of it
        ("n - 1 = C + D + O(n) for some C > D as n -> oo", "2"),  # two numbers
        ("n - 1 = O(n) for some real C as n -> oo", "2"),  # it does not occur
        ("n - 1 = C + O(n) as n -> oo", "2"),
        ("n = C for some real C for n > 1", "2"),  # no limit
    ],
)
def test_terms_that_are_no_such_number(text: str, value: str) -> None:
    with pytest.raises(Refused):
        with_value(read_statement(text), "C", value)


def test_the_conditions_on_the_number_are_asked_too() -> None:
    text = "(1 + 1/n)^n -> C for some 2 < C < 3 as n -> oo"
    limit, order = (made("(1 + 1/n)^n -> E as n -> oo"), made("2 < E < 3"))
    assert apply("some constant", [limit, order], statement=text, variable="C", value="E").holds
    for premises in ([limit], [order, limit], [limit, made("2 < E")], [made("(1 + 1/n)^n -> 2 as n -> oo", False), order]):
        with pytest.raises(Refused):
            apply("some constant", premises, statement=text, variable="C", value="E")


def test_the_one_number_that_is_possible() -> None:
    text = "1/n = C + O(1/n^2) for some real C as n -> oo"
    limit, small, failing = made("1/n -> 0 as n -> oo"), made("1/n^2 -> 0 as n -> oo"), made("1/n = 0 + O(1/n^2) as n -> oo", False)
    assert not apply("one constant", [limit, small, failing], statement=text, variable="C", value="0").holds
    for premises in ([limit, failing], [small, limit, failing], [limit, small], [limit, small, limit], []):
        with pytest.raises(Refused):
            apply("one constant", premises, statement=text, variable="C", value="0")
    other = made("1/n = 1 + O(1/n^2) as n -> oo", False)  # that it fails for another number says nothing
    with pytest.raises(Refused):
        apply("one constant", [limit, small, other], statement=text, variable="C", value="0")
    large = "n + 1/n = C + O(n^2) for some real C as n -> oo"
    with pytest.raises(Refused):  # the remainder does not tend to 0
        apply("one constant", [limit, small, failing], statement=large, variable="C", value="0")


def test_what_is_bounded_for_all_numbers() -> None:
    statement = read_statement("n = C + O(1/n) for some real C as n -> oo")
    assert str(bounded(statement, "C")) == "n = O(Abs(n^(-1)) + 1) as n -> oo"
    holds = made("1/n = O(1 + Abs(1/n)) as n -> oo")
    with pytest.raises(Refused):
        apply("no constant", [holds], statement="1/n = C + O(1/n) for some real C as n -> oo", variable="C")
    for text in ("n = C*n + O(1) for some real C as n -> oo", "n = C + O(C) for some real C as n -> oo",
                 "n + C = C + O(1) for some real C as n -> oo", "n ~ C for some real C as n -> oo"):  # fmt: skip
        with pytest.raises(Refused):
            bounded(read_statement(text), "C")


OFFSETS = [  # Poisson's and de Moivre's limits, coupons, and mutants
    ("(1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0", True),
    ("(1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0, 0 < p < 1", True),
    ("(1 - p)^n -> exp(-c*(1 + 10^(-200))) as n -> oo, n*p -> c for c > 0", False),
    ("(1 - 1/n)^m -> exp(-c) as n -> oo, m/n -> c for c > 0, whole m", True),
    ("n*exp(-n*p) -> exp(-c) as n -> oo, n*p - log(n) -> c for real c", True),
    ("n*(1 - p)^n -> exp(-c) as n -> oo, n*p - log(n) -> c for real c", True),
    ("n*(1 - p)^n -> exp(c) as n -> oo, n*p - log(n) -> c for real c", False),
    ("exp(-(n - a)^2/n) -> exp(-b^2) as n -> oo, (n - a)/sqrt(n) -> b for real b", True),
    pytest.param("binomial(n, a)*sqrt(pi*n/2)/2^n -> exp(-b^2/2) as whole n -> oo, (2*a - n)/sqrt(n) -> b for real b", True,
                 marks=pytest.mark.slow),
    ("binomial(n, k)*p^k*(1 - p)^(n - k) -> exp(-c)*c^k/k! as whole n -> oo, n*p -> c for c > 0, whole k >= 0", True),
    ("m - n -> 0 as n -> oo, m - n -> 0", True),
    ("1/(m - n) = O(1) as n -> oo, m - n -> 0", False),
]


@pytest.mark.parametrize(("text", "holds"), OFFSETS)
def test_what_a_quantity_lacks_of_its_limit(text: str, holds: bool) -> None:
    found = made(text, holds)
    assert found.holds is holds and replay(certificate(found)).holds is holds
    with pytest.raises(Refused):
        made(text, not holds)


@pytest.mark.parametrize(
    ("text", "x", "condition", "said"),
    [
        ("f = O(1) as n -> oo, a -> oo, n - a -> oo, (n - a)^2/n -> 0", "a", "n - a -> oo", "n -> oo, w -> oo, n^(-1)*w^2 -> 0"),
        ("f = O(1) as n -> oo, p -> 0+, n*p - log(n) -> oo", "p", "n*p - log(n) -> oo", "n -> oo, w -> oo, w*n^(-1) -> 0"),
        ("f = O(1) as n -> oo, p -> 0+, n*p - log(n) -> -oo", "p", "n*p - log(n) -> -oo", "n -> oo, w -> oo, w*n^(-1) -> 0"),
        ("f = O(1) as n -> oo, a -> oo, a - n -> -oo, a = o(n)", "a", "a - n -> -oo", "n -> oo, w -> oo"),  # 1 - w/n -> 0
        ("f = O(1) as n -> oo, a - n -> oo, a - 2*n -> 0", "a", "a - n -> oo", "n -> oo, w -> oo"),  # w - n -> 0
    ],
)
def test_what_is_kept_of_a_quantity_that_grows(text: str, x: str, condition: str, said: str) -> None:
    (one,) = around(read_statement(text), x, "w", condition)
    assert str(one) == f"f = O(1) as {said}"


def test_all_three_places_are_asked_for() -> None:
    text = "1/(m - n) = O(1) as n -> oo, m - n -> 0"
    above, below, at = (str(one.body) for one in around(read_statement(text), "m", "e", "m - n -> 0"))
    assert len({above, below, at}) == 3
    text = "(1 - p)^n -> exp(-c) as n -> oo, n*p -> c for c > 0"
    given = [theorem(one, True) for one in around(read_statement(text), "p", "e", "n*p -> c")]
    said = {"statement": text, "variable": "p", "offset": "e", "condition": "n*p -> c"}
    along = {"runner": "k", "values": {"n": "k", "p": "1/k", "c": "1"}}
    assert apply("offset", given, **said, **along).holds
    for premises in (given[:2], given[1:], given[::-1], [given[0], given[1], given[1]], []):
        with pytest.raises(Refused):
            apply("offset", premises, **said, **along)
    for other in ({}, {"runner": "k", "values": {"n": "k", "p": "2/k", "c": "1"}}):  # no path, and none of the regime
        with pytest.raises(Refused):
            apply("offset", given, **said, **other)


ORDERINGS = [
    ("n*(1 - p)^n -> 0 as n -> oo, p -> 0+, n*p - log(n) -> oo", True),
    ("n*(1 - p)^n -> 0 as n -> oo, p -> 0+, n*p - (1 - 10^(-200))*log(n) -> oo", False),
    ("n*(1 - p)^n -> oo as n -> oo, p -> 0+, n*p - log(n) -> -oo", True),
    ("n*(1 - p)^n -> 0 as n -> oo, p -> 0+, n*p - log(n) -> -oo", False),
    ("a^n*exp(-a)/uppergamma(n + 1, a) ~ sqrt(2/(pi*n)) as n -> oo, a -> oo, n - a -> oo, (n - a)/sqrt(n) -> 0", True),
    ("a^n*exp(-a)/uppergamma(n + 1, a) ~ sqrt(2/(pi*n)) as n -> oo, a -> oo, (n - a)/sqrt(n) -> 1", False),
]


@pytest.mark.parametrize(("text", "holds"), ORDERINGS)
def test_orderings_of_sums(text: str, holds: bool) -> None:
    assert theorem(read_statement(text), holds).holds is holds


def test_of_a_regime_without_paths_nothing_is_shown() -> None:
    for more in (", p = o(1/n^2) for c > 0", " for c > 0, p > 1/2"):
        text = f"n*p = O(1) as n -> oo, n*p -> c{more}"
        given = [theorem(one, True) for one in around(read_statement(text), "p", "w", "n*p -> c")]
        said = {"statement": text, "variable": "p", "offset": "w", "condition": "n*p -> c"}
        with pytest.raises(Refused, match="fails on the path"):
            apply("offset", given, **said, runner="k", values={"n": "k", "p": "1/k", "c": "1"})


def test_what_fails_for_real_values_may_hold_for_whole_ones() -> None:
    text = "sin(pi*m) -> 0 as n -> oo, m/n -> c for c > 0"
    assert not made(text, False).holds
    for more in (", whole m", ", m > 0"):
        with pytest.raises(Refused):
            made(text + more, False)


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("p = O(1) as n -> oo, n*p - n*p^2 -> c for c > 0", "p"),  # not linear
        ("p = O(1) as n -> oo, n*p -> 1/n", "p"),  # its limit moves
        ("p = O(1) as n -> oo, (n - m)*p -> 1, m -> oo", "p"),  # a factor without a sign
        ("p = O(1) as n -> oo, sin(n)*p -> 1", "p"),
        ("p = O(1) as n -> oo, p -> 0+", "p"),  # no quantity
        ("y = O(1) as n -> oo, n*p -> 1, y*p -> 1", "p"),  # y moves with p alone
        ("e = O(1) as n -> oo, n*p -> 1 for e > 0", "p"),  # a name in use
        ("p -> C for some real C as n -> oo, n*p -> 1", "p"),
        ("p = O(1) uniformly in whole i, 1 <= i <= n as n -> oo, n*p -> 1", "p"),
    ],
)
def test_no_place_by_a_quantity(text: str, x: str) -> None:
    statement = read_statement(text)
    condition = next(str(c) for c in statement.regime if x in str(c))
    with pytest.raises(Refused):
        around(statement, x, "e", condition)


LOGARITHMS = [
    ("(1 - p)^n ~ exp(-n*p) as n -> oo, p -> 0+, n*p^2 -> 0", True),
    ("(1 - p)^n ~ exp(-n*p) as n -> oo, p -> 0+, n*p^3 -> 0", False),
    ("(1 - p)^n ~ exp(-n*p - n*p^2/2) as n -> oo, p -> 0+, n*p^3 -> 0", True),
    ("(1 - p)^n ~ exp(-n*p - n*p^2*(1 + 10^(-200))/2) as n -> oo, p -> 0+, n*p^3 -> 0", False),
    ("binomial(2*n, n + k) ~ 4^n/sqrt(pi*n)*exp(-k^2/n) as whole n -> oo, whole k -> oo, k/n^(3/4) -> 0", True),
    ("binomial(n, k)*k! ~ n^k as n -> oo, k -> oo, k^2/n -> 0", True),
    ("n^k*exp(-n) = o(1) as n -> oo, k -> oo, k*log(n)/n -> 0", True),
]


@pytest.mark.parametrize(("text", "holds"), LOGARITHMS)
def test_quotients_by_logarithms(text: str, holds: bool) -> None:
    found = made(text, holds)
    assert found.holds is holds and replay(certificate(found)).holds is holds
    with pytest.raises(Refused):
        made(text, not holds)


@pytest.mark.parametrize(
    ("text", "logs"),
    [
        ("exp(n)/m ~ 2^m as n -> oo, m -> oo", "n + log(m)*(-1) + log(2)*m*(-1) -> 0"),
        ("exp(n) = o(m!) as n -> oo, m -> oo", "n + loggamma(m + 1)*(-1) -> -oo"),
        ("exp(n) = omega(m!) as n -> oo, m -> oo", "n + loggamma(m + 1)*(-1) -> oo"),
        ("exp(n)/m -> oo as n -> oo, m -> oo", "n + log(m)*(-1) -> oo"),
        ("exp(n)/m -> 0 as n -> oo, m -> oo", "n + log(m)*(-1) -> -oo"),
        ("exp(n) = Theta(2^m) as n -> oo, m -> oo", "n + log(2)*m*(-1) = O(1)"),
    ],
)
def test_what_is_asked_of_logarithms(text: str, logs: str) -> None:
    assert str(of_logarithms(read_statement(text)).body) == logs


@pytest.mark.parametrize(
    "text",
    [
        "(-2)^n*m ~ (-2)^n*m as n -> oo, m -> oo",  # what cancels is not positive
        "-exp(n) ~ -exp(n) as n -> oo, m -> oo",
        "m - n -> 0 as n -> oo, m -> oo",  # the logarithm of which would be asked for its logarithm, and so on
        "log(n) -> oo as n -> oo, m -> oo",
        "exp(n) = O(m) as n -> oo, m -> oo",
        "exp(n) ~ C*m for some C > 0 as n -> oo, m -> oo",
        "exp(n) ~ m uniformly in whole i, 1 <= i <= n as n -> oo, m -> oo",
        "exp(n) <= m for n > m, m > 1",
    ],
)
def test_no_logarithms(text: str) -> None:
    with pytest.raises(Refused):
        of_logarithms(read_statement(text))


@pytest.mark.parametrize("text", ["(1 - n)^m ~ (1 - n)^m as n -> oo, m -> oo", "(n - m)^n ~ (n - m)^n as n -> oo, m -> oo"])
def test_logarithms_that_would_cancel_are_to_have_values(text: str) -> None:
    for holds in (True, False):
        with pytest.raises(Refused):
            made(text, holds)


@pytest.mark.parametrize(
    ("text", "to", "assume", "found"),
    [
        ("(1 - p)^n -> exp(-c)", "n->oo, n*p->c", "c > 0", ("holds", "proved")),
        ("sin(pi*m) -> 0", "n->oo, m/n->c", "c > 0", ("undecided", "none")),  # for whole m it holds, for real ones not
        ("(1 + x/n)^n -> exp(x) for all real x", "n->oo", "", ("holds", "proved")),
        ("(1 + x/n)^n -> exp(x)", "n->oo", "real x", ("holds", "proved")),
        ("n*(1 - 1/n)^m -> exp(-c)", "n->oo", "m = floor(n*log(n) + c*n), real c", ("holds", "proved")),
        ("n^sigma -> oo", "n->oo", "sigma >= 0", ("refuted", "proved")),
        ("1/x -> oo", "x->0", "", ("refuted", "proved")),
        ("sqrt(x) -> 0", "x->0", "", ("undecided", "none")),  # no value on the left
        ("n^10 < 2^n eventually", "n->oo", "", ("holds", "proved")),
        ("2^n < n^10 eventually", "n->oo", "", ("refuted", "proved")),
        ("harmonic(n) = log(n) + C + O(1/n) for some real C", "n->oo", "", ("holds", "proved")),
        ("harmonic(n) = 2*log(n) + C + O(1/n) for some real C", "n->oo", "", ("refuted", "proved")),
        ("1/(n - n) = C + O(1) for some real C", "n->oo", "", ("undecided", "none")),
        ("harmonic(n) = log(n) + C + O(1/n^2) for some real C", "n->oo", "", ("refuted", "proved")),
        ("harmonic(n) = log(n) + C + O(1/n) for some C > 1", "n->oo", "", ("refuted", "proved")),
    ],
)
def test_by_the_judge(text: str, to: str, assume: str, found: tuple[str, str]) -> None:
    assert verdict(text, to, assume) == found


def test_what_is_not_eventual_is_no_claim() -> None:
    for text in ("n^10 < 2^n eventually", "n^10 < 2^n eventually for n >= 1", "n = 2 eventually as n -> oo"):
        with pytest.raises(ParseError):
            claim("me/x", text, source="me, 1")
