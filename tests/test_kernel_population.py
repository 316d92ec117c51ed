"""Populations as data, and the rule that finds their laws and means: what is true is proved, what is not is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.records import replayed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import DEFINITION, Theorem, apply, certificate
from asymp.language.numbers import ParseError
from asymp.language.populations import Population, read_population, read_transitions, read_transitions_of
from asymp.language.statement import read_statement
from asymp.paper.population import answering
from asymp.papers.ilb import chains
from asymp.prove.claims import theorem

UP, DOWN = "k -> k + 1 at n*rho*(theta - k)*s(k)/m for k < theta", "k -> k - 1 at s(k) for k >= 1"
FARM: dict[str, Any] = {
    "of": "whole theta, theta >= 1, whole n, n >= 1, rho > 0", "counts": "s(k) of n for 0 <= k <= theta",
    "total": "m = Sum((theta - k)*s(k), (k, 0, theta))", "moves": [UP, DOWN],
    "blocking": "all at theta", "empty": "all at 0", "law_of": "law", "at": "number at j", "jobs": "sum of k",
    "generating": "product of z(k)", "of_jobs": "product of z^k", "taken": "moves by 1", "left": "moves by -1",
    "up": "rate by 1", "down": "rate by -1", "drift": "drift at j",
}  # fmt: skip
WEIGHT, OF_TOTAL = "(n*rho)^(k - theta)/(theta - k)!", "m!"
ALL = "whole theta, theta >= 1, whole n, n >= 1, rho > 0"
STATE = f"{ALL}, function whole s(k), [s(k) >= 0 for whole k, 0 <= k <= theta], Sum(s(k), (k, 0, theta)) = n"
G = "Sum(t^i/i!, (i, 0, theta))"


def integral(body: str) -> str:
    return f"Integral({body}*exp(-n*rho*t), (t, 0, oo))"


def farm(**other: Any) -> Population:
    return read_population(FARM | other)


def rule(statement: str, weight: str = WEIGHT, of_total: str = OF_TOTAL, **other: Any) -> Theorem:
    return apply("population", chain=str(farm(**other)), weight=weight, of_total=of_total, statement=statement)


Z = f"n*rho*{integral(f'{G}^n')}"
WAYS = "n!/Product(s(k)!, (k, 0, theta))"
HELD = "Sum(k*s(k), (k, 0, theta))"
COUNTS = "Vector(s(k), (k, 0, theta))"
STATED = f"law_of({COUNTS}, theta, n, rho)"
MOVED = STATED.replace("s(k),", "s(k) + AtMost(k, i)*AtMost(i, k) - AtMost(k, i - 1)*AtMost(i - 1, k),")
MOVING = "whole i, 1 <= i, i <= theta, s(i - 1) >= 1"
BLOCKING = f"blocking(theta, n, rho) = 1/({Z}) for {ALL}"
TRUE = [
    BLOCKING,
    f"blocking(theta, n, rho) = empty(theta, n, rho)*(n*rho)^(n*theta)*(theta!)^n/(n*theta)! for {ALL}",
    f"of_jobs(z, theta, n, rho)*{integral(f'{G}^n')} = {integral('Sum(1/k!*t^k*z^(theta - k), (k, 0, theta))^n')} for {ALL}, z > 0",
    f"generating(Vector(z(k), (k, 0, theta)), theta, n, rho) = blocking(theta, n, rho)*(n*rho)"
    f"*{integral('Sum(1/k!*t^k*z(theta - k), (k, 0, theta))^n')} for {ALL}, function z(k)",
    f"of_jobs(z, theta, n, rho) = generating(Vector(z^k, (k, 0, theta)), theta, n, rho) for {ALL}, z > 0",
    f"at(k, theta, n, rho)*{integral(f'{G}^n')} = n*{integral(f't^(theta - k)/(theta - k)!*{G}^(n - 1)')} for {ALL}, whole k, 0 <= k <= theta",
    f"jobs(theta, n, rho)*{integral(f'{G}^n')} = n*{integral(f'Sum((theta - i)*t^i/i!, (i, 0, theta - 1))*{G}^(n - 1)')} for {ALL}",
    f"law_of(Vector(s(k), (k, 0, theta)), theta, n, rho) = blocking(theta, n, rho)*(n*theta - {HELD})!*{WAYS}"
    f"*Product((1/(theta - k)!*(n*rho)^(k - theta))^s(k), (k, 0, theta)) for {STATE}",
    f"law_of(Vector(s(k), (k, 0, theta)), theta, n, rho) = empty(theta, n, rho)*(n*theta - {HELD})!/(n*theta)!*{WAYS}"
    f"*Product((theta!/(theta - k)!*(n*rho)^k)^s(k), (k, 0, theta)) for {STATE}",
    f"1 - blocking(theta, n, rho) = {integral(f'Sum(t^i/i!, (i, 0, theta - 1))*{G}^(n - 1)')}/(rho*{integral(f'{G}^n')}) for {ALL}",
    f"at(0, theta, n, rho) = n - n*rho*(1 - blocking(theta, n, rho)) for {ALL}",
    "at(1, 1, n, rho) = n*rho*(1 - blocking(1, n, rho)) for whole n, n >= 1, rho > 0",
    f"{MOVED}/{STATED} = n*rho*(theta - (i - 1))*s(i - 1)/(n*theta - {HELD})*1/(s(i) + 1) for {STATE}, {MOVING}",
    f"{STATED}*(n*rho*(theta - (i - 1))*s(i - 1)/(n*theta - {HELD})) = {MOVED}*(s(i) + 1) for {STATE}, {MOVING}",
    f"drift({COUNTS}, j, theta, n, rho) = n*rho*(theta - (j - 1))/(n*theta - {HELD})*s(j - 1) + s(j + 1)"
    f" - rho*(theta - j)/(theta - {HELD}/n)*s(j) - s(j) for {STATE}, {HELD} < n*theta, whole j, 0 < j, j < theta",
    f"drift({COUNTS}, theta, theta, n, rho) = n*rho*s(theta - 1)/(n*theta - {HELD}) - s(theta) for {STATE}, {HELD} < n*theta",
    f"drift({COUNTS}, 0, theta, n, rho) = s(1) - n*rho*theta*s(0)/(n*theta - {HELD}) for {STATE}, {HELD} < n*theta",
    f"up({COUNTS}, theta, n, rho) - down({COUNTS}, theta, n, rho) = n*rho - (n - s(0)) for {STATE}, {HELD} < n*theta",
    f"1 - taken(theta, n, rho)/(n*rho) = blocking(theta, n, rho) for {ALL}",
    f"left(theta, n, rho) = n - at(0, theta, n, rho) for {ALL}",
    "blocking(1, n, rho) = (n*rho)^n/n!/Sum((n*rho)^k/k!, (k, 0, n)) for whole n, n >= 1, rho > 0",
    "law_of(Vector((1 - k)*a + k*b, (k, 0, 1)), 1, a + b, rho) = ((a + b)*rho)^b/b!*empty(1, a + b, rho)"
    " for whole a, a >= 0, whole b, b >= 0, a + b >= 1, rho > 0",
]  # fmt: skip
HINTED = farm(weight=WEIGHT, of_total=OF_TOTAL)


# --- what is true ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", TRUE)
def test_true_for_all_sizes(text: str) -> None:
    found = theorem(read_statement(text), True, (HINTED,))
    assert {one for one in found.trusts if one.startswith(DEFINITION)} == {f"{DEFINITION}{HINTED}"}
    assert found.trusts - {f"{DEFINITION}{HINTED}"} in (set(), {"DLMF 5.4.1", "DLMF 5.9.1"})
    entry = {"id": "me/x", "closed": str(found.statement), "outcome": "holds", "certificate": certificate(found)}
    assert str(replayed(entry, {"me/x": str(found.statement)}, frozenset({str(HINTED)}))) == "replayed"
    assert str(replayed(entry, {"me/x": str(found.statement)}, frozenset({str(farm(moves=[UP.replace("rho*", "rho^2*"), DOWN]))}))).startswith("refused")


@pytest.mark.parametrize("text", TRUE)
def test_mutants(text: str) -> None:
    body, _, where = text.partition(" for ")
    left, _, right = body.partition(" = ")
    others = [f"{left} = (1 + 10^(-200))*({right}) for {where}", f"{left} = -({right}) for {where}"]
    for old, new in (
        ("rho > 0", "rho >= 0"), ("n >= 1", "n >= 0"), ("whole n, ", ""), ("theta >= 1", "theta >= 0"), ("exp(-n", "exp(n"),
        ("(i, 0, theta)", "(i, 1, theta)"), ("^n*exp", "^(n - 1)*exp"), ("z > 0", "z >= 0"), ("z > 0", "z < 0"), ("0, oo", "1, oo"),
        ("0 <= k <= theta,", "0 <= k < theta,"), ("k <= theta", "k <= theta + 1"), ("[s(k) >= 0", "[s(k) >= -1"), ("= n", "= n + 1"),
        ("function whole s", "function s"), ("n*theta - Sum(k", "n*theta - Sum((k + 1)"), ("z(theta - k)", "z(k)"),
        ("a >= 0", "a >= -1"), ("z^k,", "z^(k + 1),"), ("(theta - i)*t", "(theta + 1 - i)*t"), ("t^k*", "t^(k + 1)*"),
        (", (k, 0, theta)), theta,", ", (k, 0, theta - 1)), theta,"), ("theta, n, rho)", "theta, n + 1, rho)"), ("/i!", "/(i + 1)!"),
        ("< n*theta", "<= n*theta"), ("0 < j, j", "0 <= j, j"), ("j < theta", "j <= theta"), ("s(j + 1)", "s(j)"), ("s(j - 1) +", "s(j) +"),
        ("drift", "up"), ("0, theta, n, rho) = s(1)", "1, theta, n, rho) = s(1)"), ("n - s(0)", "n + s(0)"), ("n - s(0)", "n - s(1)"),
        ("1 - taken", "2 - taken"), ("= n - at(0", "= n - at(1"),
        ("1 <= i, i", "0 <= i, i"), ("i <= theta", "i <= theta + 1"), ("s(i - 1) >= 1", "s(i - 1) >= 0"), ("s(i - 1) >= 1", "s(i) >= 1"),
        ("s(i) + 1)", "s(i))"), ("s(i - 1)/", "s(i)/"), ("AtMost(k, i)*", "AtMost(k, i + 1)*"), ("- AtMost", "+ AtMost"), ("- AtMost", "- 2*AtMost"),
        ("AtMost(i, k) - AtMost(k, i - 1)*AtMost(i - 1, k)", "AtMost(i, k)"), ("- AtMost(k, i - 1)*AtMost(i - 1, k)", "- AtMost(k, i)*AtMost(i, k)"),
        ("(i, 0, theta - 1)", "(i, 1, theta - 1)"), ("(i, 0, theta - 1)", "(i, 0, theta - 2)"),
    ):  # fmt: skip
        if old in text and not (new == "theta >= 0" and (MOVING in text or "j < theta" in text)):  # which says that theta >= 1
            others.append(text.replace(old, new, 1))
    rule_, _, data = theorem(read_statement(text), True, (HINTED,)).made
    for other in others:
        with pytest.raises(Refused):
            apply(rule_, **{**data, "statement": other})


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 3), st.integers(1, 4), st.fractions(Fraction(1, 8), 4, max_denominator=8))
def test_numbers_agree_with_the_generator(theta: int, n: int, rho: Fraction) -> None:
    law = chains.farm_law(theta, n, rho)
    own = {name: answering(HINTED, name) for name, _ in HINTED.functions}
    assert all(own["law_of"](s, theta, n, rho) == chance for s, chance in law.items())
    assert own["blocking"](theta, n, rho) == law[(*(0,) * theta, n)] and own["empty"](theta, n, rho) == law[(n, *(0,) * theta)]
    assert all(own["at"](k, theta, n, rho) == sum(chance * s[k] for s, chance in law.items()) for k in range(theta + 1))
    held = {s: sum(k * x for k, x in enumerate(s)) for s in law}
    assert own["jobs"](theta, n, rho) == sum(chance * held[s] for s, chance in law.items())
    rates = chains.farm(theta, n, rho)
    for s, row in rates.items():
        ups, downs = (sum(x for r, x in row.items() if (held[r] > held[s]) is up) for up in (True, False))
        assert own["up"](s, theta, n, rho) == ups and own["down"](s, theta, n, rho) == downs
        for j in range(theta + 1):
            assert own["drift"](s, j, theta, n, rho) == sum((r[j] - s[j]) * x for r, x in row.items())
    assert own["taken"](theta, n, rho) == own["left"](theta, n, rho) == sum(chance * own["up"](s, theta, n, rho) for s, chance in law.items())
    z = Fraction(2, 3)
    assert own["of_jobs"](z, theta, n, rho) == sum(chance * z ** held[s] for s, chance in law.items())
    assert own["generating"](tuple(z**k for k in range(theta + 1)), theta, n, rho) == own["of_jobs"](z, theta, n, rho)


def test_numbers_outside() -> None:
    for arguments in ((0, 1, 1), (1, 0, 1), (1, 1, 0), (Fraction(1, 2), 1, 1)):
        with pytest.raises(ValueError):
            answering(HINTED, "blocking")(*arguments)
    for k in (-1, 3):
        with pytest.raises(ValueError):
            answering(HINTED, "at")(k, 2, 2, 1)
    for state in ((1, 1, 1), (1, 1), (3, -1, 0), (Fraction(1, 2), Fraction(1, 2), 1), 2):
        for name, more in (("law_of", ()), ("up", ()), ("drift", (1,))):
            with pytest.raises(ValueError):
                answering(HINTED, name)(state, *more, 2, 2, 1)


# --- what is not -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        {"moves": [UP.replace("theta - k)*", "theta - k + 1)*"), DOWN]},  # another rate, or none
        {"moves": [UP, DOWN.replace("s(k)", "2*s(k)")]}, {"moves": [UP, DOWN.replace("s(k)", "k*s(k)")]},
        {"moves": [UP.replace("/m", "/(m + 1)"), DOWN]}, {"moves": [UP.replace("s(k)", "s(k)^2"), DOWN]},
        {"moves": [UP.replace("s(k)", "s(k + 1)"), DOWN]}, {"moves": [UP, DOWN.replace("s(k)", "(s(k) - 1)")]},
        {"moves": [UP]}, {"moves": [DOWN]}, {"moves": [UP, DOWN.replace("k >= 1", "k >= 2")]},  # a move is missing
        {"moves": [UP.replace("k < theta", "1 <= k < theta"), DOWN]}, {"moves": [UP.replace("k < theta", "k < theta - 1"), DOWN]},
        {"moves": [UP.replace("k < theta", "1 <= k < theta"), DOWN.replace("k >= 1", "k >= 2")]},  # levels that are not reached
        {"moves": [UP, DOWN, UP]}, {"moves": [UP, DOWN, "k -> k + 2 at s(k) for k <= theta - 2"]},  # a move too many
        {"moves": [UP.replace(" for k < theta", ""), DOWN]}, {"moves": [UP, DOWN.replace(" for k >= 1", "")]},  # out of the levels
        {"moves": [UP.replace("k + 1", "k + theta"), DOWN]}, {"moves": [UP, DOWN.replace("k - 1", "0")]},  # by no fixed number
        {"of": FARM["of"].replace("rho > 0", "rho >= 0")}, {"of": FARM["of"].replace("n >= 1", "n >= 0")},
        {"of": FARM["of"].replace("theta >= 1", "theta >= -1")}, {"of": FARM["of"].replace("whole n, ", "")},
        {"of": FARM["of"].replace("whole theta, ", "")}, {"of": FARM["of"].replace("rho > 0", "rho > -1")},
        {"counts": "s(k) of n for 1 <= k <= theta", "total": "m = Sum((theta - k)*s(k), (k, 1, theta))"},  # a level left out
        {"counts": "s(k) of n for 0 <= k <= theta + 1", "total": "m = Sum((theta - k)*s(k), (k, 0, theta + 1))"},
        {"counts": "s(k) of n/2 for 0 <= k <= theta"}, {"total": "m = Sum(k*s(k), (k, 0, theta))"},
        {"total": "m = Sum((theta - k/2)*s(k), (k, 0, theta))"}, {"total": "m = Sum((theta - 2*k)*s(k), (k, 0, theta))"},
    ],
)  # fmt: skip
def test_another_population(other: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        rule(BLOCKING, **other)


@pytest.mark.parametrize(
    ("weight", "of_total"),
    [
        ("(n*rho)^(k - theta)/(theta + k)!", "m!"), ("(n*rho)^(k - theta)", "m!"), ("(n*rho)^(theta - k)/(theta - k)!", "m!"),
        (f"{WEIGHT}*(1 + k*10^(-200))", "m!"), (f"{WEIGHT}*(-1)^k", "m!"), (f"-{WEIGHT}", "m!"), (f"0*{WEIGHT}", "m!"),
        (WEIGHT, "1"), (WEIGHT, "(m + 1)!"), (WEIGHT, "m!*(1 + 10^(-200)*m)"), (WEIGHT, "-m!"), (WEIGHT, "0*m!"), (WEIGHT, "2^m*m!"),
        (WEIGHT, "m!*s_here"), (f"{WEIGHT}*z", "m!"), (WEIGHT, "m!*k"), (f"{WEIGHT}*m", "m!"), ("s(k)", "m!"), (WEIGHT, "log(m)"),
        (f"{WEIGHT}*(1 + k - k)", "(m - 1)!"), (WEIGHT, "gamma(m)"),
    ],
)  # fmt: skip
def test_another_law(weight: str, of_total: str) -> None:
    with pytest.raises(Refused):
        rule(BLOCKING, weight, of_total)


def test_a_factor_of_the_weights_does_not_matter() -> None:
    for weight, of_total in ((f"5*{WEIGHT}", "7*m!"), (f"{WEIGHT}*2^k", "m!*2^m"), ("theta!/(theta - k)!*(n*rho)^k", "m!/(n*theta)!")):
        rule("blocking(theta, n, rho) = (n*rho)^(n*theta)*(theta!)^n/(n*theta)!*empty(theta, n, rho) for " + ALL, weight, of_total)


@pytest.mark.parametrize(
    "text",
    [
        "at(j, 1, n, rho) = 0*n for whole n, n >= 1, rho > 0, whole j, 0 <= j <= 1",  # which of two levels, nobody knows
        "at(j, 1, n, rho) = 0 for whole n, n >= 1, rho > 0, whole j, 0 <= j <= 1",
        f"at(theta + 1, theta, n, rho) = 0 for {ALL}", f"at(1/2, theta, n, rho) = 0 for {ALL}", f"at(rho, theta, n, rho) = 0 for {ALL}",
        f"of_jobs(0, theta, n, rho) = empty(theta, n, rho) for {ALL}",  # 0^0
        f"of_jobs(z, theta, n, rho) = of_jobs(z, theta, n, rho) for {ALL}, real z",
        f"of_jobs(1/(rho - rho), theta, n, rho) = of_jobs(1/(rho - rho), theta, n, rho) for {ALL}",
        f"generating(Vector(log(k), (k, 0, theta)), theta, n, rho) = generating(Vector(log(k), (k, 0, theta)), theta, n, rho) for {ALL}",
        f"generating(Vector(z, (k, 0, theta)), theta, n, rho) = generating(Vector(w, (k, 0, theta)), theta, n, rho) for {ALL}, z > 0, w > 0",
        f"generating(z, theta, n, rho) = 1 for {ALL}, z > 0", f"law_of(1, theta, n, rho) = 1 for {ALL}",
        f"law_of(Vector(n, (k, 0, theta)), theta, n, rho) = 1 for {ALL}",
        "law_of(Vector(n, (k, 0, 1)), 1, n, rho) = 1 for whole n, n >= 1, rho > 0",
        f"blocking(theta, n, rho) = other(theta, n, rho) for {ALL}", f"blocking(theta, n, rho) <= 1 for {ALL}",
        f"blocking(theta, n, rho) = blocking(theta, n + 1, rho) for {ALL}",
        f"blocking(blocking(theta, n, rho), n, rho) = 1 for {ALL}", f"Sum(blocking(k, n, rho), (k, 1, theta)) = 1 for {ALL}",
        f"blocking(theta, n, rho) = 1/({Z}) for {ALL}, function blocking(i, j, x)", f"blocking(theta, n, rho) = 1/({Z}) for {ALL}, function exp(i)",
        f"at(0, theta, n, rho) = n - n*rho*(1 - empty(theta, n, rho)) for {ALL}", f"at(1, theta, n, rho) = n*rho*(1 - blocking(theta, n, rho)) for {ALL}",
        f"blocking(theta, n) = 1 for {ALL}", f"probability(theta) = 1 for {ALL}", f"1 = 1 for {ALL}",
        f"blocking(theta, n, rho)*Integral({G}^n*exp(-n*rho*t^2), (t, 0, oo)) = 1 for {ALL}",
        f"blocking(theta, n, rho)*n*rho*Integral({G}^n*t*exp(-n*rho*t), (t, 0, oo)) = 1 for {ALL}",
        f"blocking(theta, n, rho)*n*rho*Integral({G}^n*exp(-n*rho*t)*exp(t), (t, 0, oo)) = 1 for {ALL}",
        f"blocking(theta, n, rho)*n*c*Integral({G}^n*exp(-n*c*t), (t, 0, oo)) = 1 for {ALL}, c > 0",
        f"blocking(theta, n, rho)*n*rho*Integral(Sum(t^i/i!, (i, 0, 2*theta))^n*exp(-n*rho*t), (t, 0, oo)) = 1 for {ALL}",
        f"blocking(theta, n, rho) = 1/(level_of_population*0 + {Z}) for {ALL}, level_of_population > 0",
    ],
)  # fmt: skip
def test_no_theorem(text: str) -> None:
    for form in ((WEIGHT, OF_TOTAL), ("theta!/(theta - k)!*(n*rho)^k", "m!/(n*theta)!")):
        with pytest.raises(Refused):
            rule(text, *form)


def test_other_forms() -> None:
    """Objects that are alone, up and down at rates of their own; servers in pairs; a total that falls by two."""
    pool = read_population({"of": "whole n, n >= 1, whole c, c >= 0, r > 0", "counts": "s(k) of n for -c <= k <= c", "at": "number at j",
                            "f": "product of z(k)", "moves": ["k -> k + 1 at r*s(k) for k < c", "k -> k - 1 at s(k) for k > -c"]})  # fmt: skip
    where = "whole n, n >= 1, whole c, c >= 0, r > 0"
    text = f"at(j, n, c, r) = n*r^j/Sum(r^k, (k, -c, c)) for {where}, whole j, -c <= j <= c"
    apply("population", chain=str(pool), weight="r^k", of_total="1", statement=text)
    for wrong in (text.replace("n*r^j", "n*r^(j + 1)"), text.replace("j <= c", "j <= c + 1"), text.replace("r > 0", "r >= 0")):
        with pytest.raises(Refused):
            apply("population", chain=str(pool), weight="r^k", of_total="1", statement=wrong)
    # h(m) = (m + a)!: at rate (m + a) s(k) an object leaves level 1, with m at level 0
    urn = read_population({"of": "whole n, n >= 1, whole a, a >= 0", "counts": "s(k) of n for 0 <= k <= 1", "all_there": "all at 1",
                           "total": "m = Sum((1 - k)*s(k), (k, 0, 1))",
                           "moves": ["k -> k - 1 at (m + a + 1)*s(k) for k = 1", "k -> k + 1 at s(k) for k = 0"]})  # fmt: skip
    text = "all_there(n, a) = a!/Integral((1 + t)^n*t^a*exp(-t), (t, 0, oo)) for whole n, n >= 1, whole a, a >= 0"
    apply("population", chain=str(urn), weight="1", of_total="(m + a)!", statement=text)
    for wrong in (text.replace("t^a", "t^(a + 1)"), text.replace("a!/", "(a + 1)!/"), text.replace("exp(-t)", "exp(-2*t)")):
        with pytest.raises(Refused):
            apply("population", chain=str(urn), weight="1", of_total="(m + a)!", statement=wrong)
    assert answering(urn, "all_there")(2, 1) == Fraction(1, 1 + 2 * 2 + 6)  # n = 2, a = 1: of 1!, 2*2!, 3!
    double = read_population({"of": "whole n, n >= 1, r > 0", "counts": "s(k) of n for 0 <= k <= 1", "busy": "number at 1",
                              "moves": ["k -> k + 1 at r*s(k) for k < 1", "k -> k - 1 at s(k)/2 for k > 0", "k -> k - 1 at s(k)/2 for k > 0"]})  # fmt: skip
    text = "busy(n, r) = n*r/(1 + r) for whole n, n >= 1, r > 0"
    apply("population", chain=str(double), weight="r^k", of_total="1", statement=text)


def test_flows_add_up_of_their_form_alone() -> None:
    text = f"at(0, theta, n, rho) = n - n*rho/2*(1 - blocking(theta, n, rho)) for {ALL}"
    rule(text, "(n*rho/2)^(k - theta)/(theta - k)!", moves=[UP, DOWN.replace("s(k)", "2*s(k)")])
    slow = "2^AtMost(k, 0)"
    for moves in ([UP, "k -> k - 1 at s(k) for k = 1", "k -> k - 1 at 2*s(k) for k >= 2"], [UP, DOWN.replace("s(k)", "k*s(k)")]):
        for weight in ("(n*rho/2)^(k - theta)/(theta - k)!", "(n*rho)^(k - theta)/(theta - k)!/k!", f"(n*rho/2)^(k - theta)*{slow}/(theta - k)!"):
            with pytest.raises(Refused):
                rule(text, weight, moves=moves)
    alone = "at(0, theta, n, rho) = at(0, theta, n, rho) for " + ALL
    rule(alone, "(n*rho)^(k - theta)/(theta - k)!/k!", moves=[UP, DOWN.replace("s(k)", "k*s(k)")])  # a law, but no such flows
    for wrong in (text, text.replace("/2", "")):
        with pytest.raises(Refused):
            rule(wrong, "(n*rho)^(k - theta)/(theta - k)!/k!", moves=[UP, DOWN.replace("s(k)", "k*s(k)")])


# --- definitions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {"counts": "s(k)"}, {"counts": "s(k) of n"}, {"counts": "s(j) of n for 0 <= k <= theta"}, {"counts": "s(k) of n for 0 < k <= theta"},
        {"counts": "s(k) of n for 0 <= k <= theta, k >= 1"}, {"counts": "s(k) of q for 0 <= k <= theta"}, {"counts": "log(k) of n for 0 <= k <= theta"},
        {"counts": "s(n) of n for 0 <= n <= theta"}, {"total": "m = Sum(s(k), (k, 1, theta))"}, {"total": "m = 1"}, {"total": "m"},
        {"total": "n = Sum(s(k), (k, 0, theta))"}, {"total": "m = Sum(q*s(k), (k, 0, theta))"}, {"total": "m = Sum(s(k)*s(k), (k, 0, theta))"},
        {"moves": []}, {"moves": "x"}, {"moves": [DOWN.replace("k - 1", "q")]}, {"moves": [DOWN.replace("at", "with")]},
        {"moves": ["0 -> k + 1 at s(k)"]}, {"moves": ["k -> k + 1 at s(k + 2)"]}, {"moves": ["k -> k + 1 at f(k)"]}, {"moves": ["(k, k) -> (k, k) at 1"]},
        {"moves": ["k -> k + 1 at s(k)*blocking(theta, n, rho)"]}, {"moves": ["k -> k + 1 at s(k) for s(k) > 0"]}, {"moves": ["k -> s(k) at 1"]},
        {"f": "all"}, {"f": "all at q"}, {"f": "all at k"}, {"f": "number at k"}, {"f": "product of q(r)"}, {"f": "jumps"}, {"f": "sum of s(k)"},
        {"f": "moves by q"}, {"f": "moves by k"}, {"f": "rate by j"}, {"f": "drift at k"}, {"f": "drift at s"}, {"f": "product of  z(k)"}, {"log": "law"}, {"rho": "law"}, {"f": "number at m"}, {"f": "product of f^k"}, {"of": "n in 1..3"},
    ],
)  # fmt: skip
def test_no_definition(data: dict[str, Any]) -> None:
    with pytest.raises(ParseError):
        read_transitions(FARM | data)


def test_definition_reads_as_it_is_printed() -> None:
    assert read_transitions_of(str(HINTED)) == HINTED
    for old, new in (("blocking(theta, n", "blocking(n, theta"), ("; (k)", ";(k)"), (" = law", " =  law"), ("total m", "total  m"), ("counts", "count")):
        with pytest.raises(ParseError):
            read_transitions_of(str(HINTED).replace(old, new, 1))
    plain = "f(b, p) = jumps of: 0 < p < 1; states whole b, 0 <= b <= 1; (0) -> (1) with 1; (1) -> (0) at p"
    assert str(read_transitions_of(plain)) == plain


def test_all_at_what_is_no_level() -> None:
    for place in ("theta + 1", "-1", "theta/2", "rho", "n"):
        with pytest.raises(Refused):
            rule(f"f(theta, n, rho) = f(theta, n, rho) for {ALL}", f=f"all at {place}")
        with pytest.raises(ValueError):
            answering(farm(f=f"all at {place}"), "f")(1, 2, Fraction(5, 2))
    rule(f"f(theta, n, rho) = f(theta, n, rho) for {ALL}", f="all at theta - 1")


def test_a_vector_is_no_number() -> None:
    vector = "Vector(1, (k, 0, theta))"
    for text in (f"blocking(theta, n, rho)*{vector} = blocking(theta, n, rho)*{vector} for {ALL}", f"{vector} = {vector} for whole theta, theta >= 1"):
        with pytest.raises(Refused):
            rule(text)
        with pytest.raises(Refused):
            theorem(read_statement(text), True, (HINTED,))
    for name in ("algebra", "bounds", "sums"):
        with pytest.raises(Refused):
            apply(name, statement=f"{vector} = {vector} for whole theta, theta >= 1", by=[])


def test_data_that_are_none() -> None:
    data = {"chain": str(HINTED), "weight": WEIGHT, "of_total": OF_TOTAL, "statement": BLOCKING}
    apply("population", **data)
    plain = "f(b, p) = jumps of: 0 < p < 1; states whole b, 0 <= b <= 1; (0) -> (1) with 1; (1) -> (0) at p"
    for other in ({"chain": plain}, {"weight": 1}, {"chain": "x"}, {"statement": "x"}, {"more": "x"}, {"statement": BLOCKING + ", "}):
        with pytest.raises(Refused):
            apply("population", **(data | other))
    with pytest.raises(Refused):
        apply("population", [apply("population", **data)], **data)
