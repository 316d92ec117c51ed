"""Sums that their ends dominate, sums with a peak beyond some first terms, of logarithms and of powers: against exact sums."""

from __future__ import annotations

import mpmath as mp
import pytest

from asymp.kernel import terms
from asymp.kernel.growths.end_sums import series_of_ends
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

WHOLE = "as whole n -> oo"


@pytest.mark.parametrize(("true", "false"), [
    ("Sum(1/binomial(n, k), (k, 0, n)) = 2 + 2/n + 4/n^2 + O(1/n^3)", "Sum(1/binomial(n, k), (k, 0, n)) = 2 + 2/n + 3/n^2 + O(1/n^3)"),
    ("Sum(1/binomial(2*n, k), (k, 0, 2*n)) = 2 + 1/n + O(1/n^2)", "Sum(1/binomial(2*n, k), (k, 0, 2*n)) = 2 + 2/n + O(1/n^2)"),
    ("n/2^n*Sum(binomial(n, k)/k, (k, 1, n)) = 2 + 2/n + O(1/n^2)", "n/2^n*Sum(binomial(n, k)/k, (k, 1, n)) = 2 + 1/n + O(1/n^2)"),
    ("Sum(log(1 + k/n), (k, 1, n)) = n*(2*log(2) - 1) + log(2)/2 + O(1/n)", "Sum(log(1 + k/n), (k, 1, n)) = n*(2*log(2) - 1) + log(2) + O(1/n)"),
    ("Sum(k^a, (k, 1, n)) = n^(a + 1)/(a + 1) + n^a/2 + zeta(-a) + O(n^(a - 1)) WHOLE for a > 0",
     "Sum(k^a, (k, 1, n)) = n^(a + 1)/(a + 1) + n^a + zeta(-a) + O(n^(a - 1)) WHOLE for a > 0"),
    ("Sum(1/k^s, (k, 1, n)) -> zeta(s) WHOLE for s > 1", "Sum(1/k^s, (k, 1, n)) -> zeta(s) + 10^(-200) WHOLE for s > 1"),
    ("Product((2*k - 1)/(2*k), (k, 1, n)) ~ 1/sqrt(pi*n)", "Product((2*k - 1)/(2*k), (k, 1, n)) ~ 1/sqrt(2*pi*n)"),
])  # fmt: skip
def test_what_holds_is_proved_and_its_neighbour_is_not(true: str, false: str) -> None:
    first, second = (one.replace("WHOLE", WHOLE) if "WHOLE" in one else f"{one} {WHOLE}" for one in (true, false))
    assert not any(one.startswith("engine") for one in theorem(read_statement(first), True).trusts)
    with pytest.raises(Refused):
        theorem(read_statement(second), True)


@pytest.mark.parametrize(("text", "term"), [
    ("Sum(1/binomial(n, k), (k, 0, n))", lambda n: mp.fsum(1 / mp.binomial(n, k) for k in range(n + 1)) - 2 - 2 / n - 4 / n**2),
    ("Sum(k!*(n - k)!/n!, (k, 1, n))", lambda n: mp.fsum(1 / mp.binomial(n, k) for k in range(1, n + 1)) - 1 - 2 / n - 4 / n**2),
])  # fmt: skip
def test_what_is_left_is_of_the_next_order(text: str, term: object) -> None:
    e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
    assert len(series_of_ends(e, terms.read(text)).terms) >= 1
    values = [term(n) * mp.mpf(n) ** 3 for n in (100, 400)]  # type: ignore[operator]
    assert abs(values[1]) < 1.1 * abs(values[0])


@pytest.mark.parametrize("text", [
    "Sum(binomial(n, k), (k, 0, n))", "Sum(1/binomial(n, k), (k, 0, oo))", "Sum(1/k!, (k, 0, n))", "Sum(1/binomial(n, k), (k, 0, 5))",
    "Sum(k/binomial(n, k), (k, 0, n))", "Sum(k^n, (k, 1, n))", "Sum(1/binomial(n, k/2), (k, 0, n))", "Sum(1/binomial(n, k), (k, n, 0))",
    "Sum(sin(k)/binomial(n, k), (k, 0, n))",
])  # fmt: skip
def test_other_sums_are_refused(text: str) -> None:
    e = Expander(Algebra(Domain(), 2), {"n": 0}, {}, frozenset({terms.name("n")}))
    with pytest.raises(Refused):
        series_of_ends(e, terms.read(text))
