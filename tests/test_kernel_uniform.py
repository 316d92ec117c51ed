"""Uniform statements, bounds by several terms, and quotients: what is concluded, and what each condition keeps out."""

from __future__ import annotations

import pytest
from witnessed import leaf, witnessed

from asymp.kernel.growths.growth import Domain, Growth, power_of
from asymp.kernel.rings.ratio import rational
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply, certificate, replay
from asymp.kernel.trust import cited
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

LARGE = "as whole n -> oo"
DENSE = "as whole n -> oo, p -> 0+, n*p -> oo"
SPARSE = "as whole n -> oo, p -> 0+, n*p -> 0"
ALL = "uniformly in whole i, 1 <= i <= n"
PLACE = {"scales": {"s": "n"}, "values": {"n": "s"}}


def proved(text):
    found = theorem(read_statement(text), True)
    assert replay(certificate(found)).statement == found.statement
    return found


def refused(text):
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


def uniform_refused(text, premises=(), place=None, match=None):
    with pytest.raises(Refused, match=match):
        witnessed("uniform", premises, statement=text, order=3, place=place or PLACE)


# --- uniform statements ------------------------------------------------------------------------------------

UNIFORM = [
    f"i = O(n) {ALL} {LARGE}",
    f"1/i = O(1) {ALL} {LARGE}",
    f"1/i + 1/n = O(1/i) {ALL} {LARGE}",
    f"harmonic(i) = O(log(n)) {ALL} {LARGE}",
    f"log(i) = o(sqrt(n)) {ALL} {LARGE}",
    f"(1 - p)^i -> 1 {ALL} {SPARSE}",
    f"(1 - p)^i = 1 + O(i*p) {ALL} {SPARSE}",
    f"i -> oo uniformly in whole i, n <= i <= 2*n {LARGE}",
    f"i = Theta(n) uniformly in whole i, n/2 <= i <= 2*n + floor(sqrt(n)) {LARGE}",
    f"n^9*exp(-i) = o(1) uniformly in whole i, sqrt(n) <= i <= n {LARGE}",
    f"n^9*exp(-n/i) = o(1) uniformly in whole i, 1 <= i <= sqrt(n) {LARGE}",
    f"(1 - p)^i = o(1) uniformly in whole i, n <= i <= n^2 {DENSE}",
]


@pytest.mark.parametrize("text", UNIFORM)
def test_what_holds_uniformly_is_proved(text):
    assert cited(proved(text).trusts)


@pytest.mark.parametrize(
    "text",
    [
        f"i = o(n) {ALL} {LARGE}", f"i = O(1) {ALL} {LARGE}", f"1/i = o(1) {ALL} {LARGE}", f"i ~ n {ALL} {LARGE}",
        f"n - i ~ n {ALL} {LARGE}", f"n - i = Theta(n) {ALL} {LARGE}", f"n + i ~ n {ALL} {LARGE}", f"i^2 = O(n) {ALL} {LARGE}",
        f"n/i = O(i) {ALL} {LARGE}", f"i = Omega(n) {ALL} {LARGE}", f"n = O(i) {ALL} {LARGE}", f"i -> oo {ALL} {LARGE}",
        f"i/n -> 0 {ALL} {LARGE}", f"1/i -> 0 {ALL} {LARGE}", f"harmonic(i) ~ log(i) {ALL} {LARGE}", f"1/log(i) = O(1) {ALL} {LARGE}",
        f"log(i) = o(log(n)) {ALL} {LARGE}", f"log(i) ~ log(n) {ALL} {LARGE}", f"1/(n - i) = O(1) {ALL} {LARGE}",
        f"(i - 2)^(-1) = O(1) {ALL} {LARGE}", f"sqrt(i - 2) = O(n) {ALL} {LARGE}", f"log(i - 1) = O(n) {ALL} {LARGE}",
        f"(1 - p)^i -> 1 {ALL} {DENSE}", f"(1 - p)^i = o(1) {ALL} {DENSE}", f"(1 - p)^i = 1 + o(n*p) {ALL} {SPARSE}",
        f"(1 - p)^i = 1 + O(p) {ALL} {SPARSE}", f"(1 - p)^(-i) = O(1) {ALL} {DENSE}", f"exp(-i/n) -> 1 {ALL} {LARGE}",
        f"exp(-i) = o(1) {ALL} {LARGE}", f"i*exp(-i) = o(1) {ALL} {LARGE}", f"exp(i) = O(n) {ALL} {LARGE}",
        f"n*exp(-i) = o(1) uniformly in whole i, log(n) <= i <= n {LARGE}",
        f"exp(i) ~ exp(n) uniformly in whole i, n <= i <= n + 1 {LARGE}",
        f"exp(n - i) = o(1) uniformly in whole i, n <= i <= 2*n {LARGE}",
        f"exp(i - 2*n) = o(1) uniformly in whole i, n <= i <= 3*n {LARGE}",
        f"exp(n - n^2/i) = o(1) uniformly in whole i, n <= i <= 3*n {LARGE}",
        f"n^2/i - n = Theta(n) uniformly in whole i, n <= i <= 3*n {LARGE}",
    ],
)  # fmt: skip
def test_what_fails_for_some_choice_of_i_is_not_proved(text):
    refused(text)


@pytest.mark.parametrize(("old", "new"), [("-> 1", "-> 1 + 10^(-200)"), ("-> 1", "-> -1"), ("^i", "^(i^2)"), ("<= n", "<= n/p"), ("n*p ->", "p ->")])  # fmt: skip
def test_a_changed_statement_is_not_proved(old, new):
    said = f"(1 - p)^i -> 1 {ALL} {SPARSE}"
    assert old in said
    refused(said.replace(old, new))


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (f"1/i = O(1) uniformly in 1/2 <= i <= n {LARGE}", "below 1"),
        (f"1/i = O(1) uniformly in 0 <= i <= n {LARGE}", None),
        (f"1/i = O(n) uniformly in 1/n <= i <= n {LARGE}", "below 1"),
        (f"1/i = O(1) uniformly in a <= i <= n {LARGE} for a > 0", "below 1"),
        (f"1/i = O(1) uniformly in 1 - n <= i <= n {LARGE}", "below 1"),
        (f"i = O(n) uniformly in 1 <= i <= exp(n) {LARGE}", "exponential"),
        (f"i = O(n) uniformly in 1 <= i <= i + n {LARGE}", "range"),
        (f"i = O(n) uniformly in i - 1 <= i <= n {LARGE}", "range"),
        (f"i = O(n) uniformly in whole i >= 1 {LARGE}", "two ends"),
        (f"i*j = O(n) uniformly in 1 <= i <= n, 1 <= j <= n {LARGE}", None),
        (f"i = O(n) uniformly in 1 <= i <= n, j = n {LARGE}", "tied"),
        (f"i = O(n) uniformly in 1 <= i <= n, 1 <= n {LARGE}", "range"),
        (f"i = O(1) uniformly in 1 <= i <= n {LARGE} for i < 5", "taken"),
        (f"i = O(1) uniformly in 1 <= i <= n, whole k {LARGE}", "two ends"),
        (f"i = O(1) uniformly in i in 1..3 {LARGE}", None),
    ],
)  # fmt: skip
def test_a_range_of_another_form_is_refused(text, match):
    uniform_refused(text, match=match)


@pytest.mark.parametrize(
    "ranged",
    [
        "whole i, 2*n <= i <= n", "2*n <= i <= n", "whole i, n + 1 <= i <= n", "whole i, n < i < n", "whole i, n < i <= n",
        "whole i, n < i < n + 1", "whole i, n + 1/3 <= i <= n + 2/3", "whole i, 5 <= i <= 3", "whole i, sqrt(n) <= i <= log(n)",
        "whole i, n <= i <= n - sqrt(n)", "whole i, 1 <= i <= n, 2*n <= i", "1 <= i, i <= n, 2*n <= i", "whole i, n + 1/2 < i < n + 3/2",
    ],
)  # fmt: skip
def test_a_range_that_holds_nothing_makes_no_theorem(ranged):
    """It runs backwards, or has no whole number in it: the statement would be about nothing."""
    uniform_refused(f"i = O(n) uniformly in {ranged} as n -> oo, whole n", match="may be empty")


@pytest.mark.parametrize("ranged", ["whole i, n <= i <= n", "whole i, n <= i < n + 1/n", "whole i, n < i < n + 3/2", "n < i < n + 1"])
def test_a_short_range_that_holds_something_does(ranged):
    theorem(read_statement(f"i = O(n) uniformly in {ranged} as n -> oo, whole n"), True)


def test_a_leaf_that_names_the_uniform_variable_says_nothing_of_it():
    """What is said for each i need not hold along an i that moves."""
    known = leaf(f"parallel_occupancy(n, 1/(i + 1)) = 1 + O(1/n) {LARGE} for whole i > 0")
    text = "parallel_occupancy(n, 1/(i + 1)) ~ 1"
    assert witnessed("asymptotic", [known], statement=f"{text} {LARGE} for whole i > 0", order=3, place=PLACE)
    uniform_refused(f"{text} {ALL} {LARGE}", [known], match="taken")


def test_a_quantity_named_as_what_stands_in_the_range_is_refused():
    """s is any number, however it grows."""
    uniform_refused(f"i = O(n) uniformly in 1 <= i <= s {LARGE}", match="taken")
    uniform_refused(f"n = O(n) uniformly in 1 <= s <= n {LARGE}", match="taken")


def test_a_uniform_statement_is_none_of_the_other_rule_and_none_of_a_leaf():
    for rule in ("asymptotic", "uniform"):
        with pytest.raises(Refused):
            witnessed(rule, statement=f"i = O(n) {ALL if rule == 'asymptotic' else ''} {LARGE}", order=3, place=PLACE)
    with pytest.raises(Refused):
        leaf(f"parallel_occupancy(n, 1/2) = 1 + O(1/n) {ALL} {LARGE}", PLACE)


def test_a_growth_between_two_is_told_by_the_worst_end():
    i, n = power_of(1, 0), power_of(0, 0)
    domain = Domain(between={1: (Growth(), n)})
    told = [(g).limit(domain) for g in (i / n, n / i, i / n.times(n), i, Growth() / i, Growth((), ((rational(-1), i),)))]
    assert told == ["bounded", "unknown", "zero", "unknown", "bounded", "unknown"]
    low = Domain(between={1: (n, n.times(n))})
    assert [g.limit(low) for g in (i, Growth((), ((rational(-1), i),)), i / n)] == ["infinity", "zero", "unknown"]


# --- several terms --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"log(n) = O(log(n) + log(1/p)) {DENSE}", f"n + 1/p = O(n) {DENSE}", f"p*log(1/p) = Omega(log(n)/n) {DENSE}",
        f"1/(n*p) + log(n) = Theta(log(n) + 1/(n*p)) {SPARSE}", f"1/(p*(1/(n*p) + log(n))) ~ n/(1 + n*p*log(n)) {SPARSE}",
        f"1/(1/(1/(n*p) + log(n))) = 1/(n*p) + log(n) + O(1) {SPARSE}", f"1/(n*p) + log(n) -> oo {SPARSE}",
    ],
)  # fmt: skip
def test_bounds_by_several_terms_that_are_not_compared(text):
    proved(text)


@pytest.mark.parametrize(
    "text",
    [
        f"log(n) = O(log(1/p)) {DENSE}", f"log(n) = O(log(n*p)) {DENSE}", f"log(n) ~ log(1/p) {DENSE}",
        f"log(n) = omega(log(1/p)) {DENSE}", f"1/(n*p) + log(n) ~ log(n) {SPARSE}", f"1/(n*p) + log(n) = O(log(n)) {SPARSE}",
        f"1/(n*p) = O(1/(n*p) - log(n)) {SPARSE}", f"1/(n*p) - log(n) = Theta(1/(n*p) + log(n)) {SPARSE}",
        f"1/(1/(n*p) - log(n)) ~ 1/(1/(n*p) - log(n)) {SPARSE}", f"1/(n*p) - log(n) -> oo {SPARSE}", f"n*p*log(n) = O(1) {SPARSE}",
        f"n = O(a*n + log(n)) {LARGE} for a >= 0", f"1/(n - n) ~ 1/(n - n) {LARGE}",
        f"(n - n)^(-1) = O(1) {LARGE}", f"((n - n)^(-1))^(-1) = O(1) {LARGE}", f"0 = Omega(0) {LARGE}",
        f"n*a/a ~ n {LARGE} for a >= 0", f"((-n)^(1/2))^2 ~ -n {LARGE}", f"n = O(n/(n - n)) {LARGE}", f"0 = O(1/(a*n)) {LARGE} for a >= 0",
        f"(1/(n - n))^(-1) = O(1) {LARGE}", f"n = Omega(n - n) {LARGE}",
        f"1/(p*(1/(n*p) + log(n))) ~ n/(1 + 2*n*p*log(n)) {SPARSE}", f"1/(p*(1/(n*p) + log(n))) ~ n/(1 - n*p*log(n)) {SPARSE}",
        f"1/(p*(1/(n*p) + log(n))) ~ (1 + 10^(-200))*n/(1 + n*p*log(n)) {SPARSE}",
        f"1/(p*(1/(n*p) + log(n))) ~ n/(1 + n^2*p*log(n)) {SPARSE}",
    ],
)  # fmt: skip
def test_false_or_undefined_bounds_by_several_terms_are_not_proved(text):
    refused(text)


def test_an_exponential_that_is_known_in_its_leading_term_alone():
    proved(f"(1 - n^(-a))^n = o(1) {LARGE} for 0 < a < 1")
    proved(f"n^3*(1 - n^(-a))^n = o(1) {LARGE} for 0 < a < 1")
    refused(f"(1 - n^(-a))^n ~ exp(-n^(1 - a)) {LARGE} for 0 < a < 1")
    refused(f"(1 - n^(-a))^n = O(exp(-n^(1 - a))) {LARGE} for 0 < a < 1/2")
    refused(f"(1 + n^(-a))^n = o(1) {LARGE} for 0 < a < 1")
    refused(f"(1 - n^(-a))^n = Omega(exp(-n^(1 - a)/2)) {LARGE} for 0 < a < 1")
    refused(f"(1 - n^(-a))^(-n) = O(1) {LARGE} for 0 < a < 1")


# --- refutations -----------------------------------------------------------------------------------------------


def fails(text, **values):
    found = {"n": "s_", **values}
    return apply("path", statement=f"{text} {LARGE} for c > 0", order=3, runner="s_", values=found)


def test_what_is_of_smaller_order_is_not_of_the_order_said():
    assert not fails("n*log(c) + 1 = Theta(n)", c="1").holds
    assert not fails("n*log(c) = Omega(n)", c="1").holds
    for text in ("n*log(c) + n = Theta(n)", "n*log(c) = O(n)", "n*log(c) = o(n)", "n*log(c) + n = Omega(n)"):
        with pytest.raises(Refused):
            fails(text, c="1")
    with pytest.raises(Refused):
        fails("n*log(c) = Theta(n)", c="1 - 10^(-200)*0 + 1")  # 2: it is of this order there


def test_a_zero_of_a_coefficient_is_found():
    assert not theorem(read_statement(f"n*(log(c) + EulerGamma) + 1 = Theta(n) {LARGE} for c > 0"), False).holds


def test_a_leaf_names_nothing_that_the_statement_does_not():
    with pytest.raises(Refused, match="nothing is said"):
        leaf(f"parallel_occupancy(n, 1/2) = log(n)/s + O(1) {LARGE}")
