"""The search for proofs of order: functions defined together, monotone maps, maxima part by part, sums."""

from __future__ import annotations

import pytest

from asymp.kernel.terms import Refused
from asymp.language.statement import read_statement
from asymp.prove.order import fails, holds

TOGETHER = (
    "function f(n), function g(n), f(0) = x, g(0) = y, [f(n + 1) = Max(g(n), 0) for whole n >= 0], "
    "[g(n + 1) = f(n) for whole n >= 0], x >= 0, y >= 0, whole n >= 0"
)
VALUES = "function v(j), whole s >= 1, whole i, 1 <= i <= s"
IN_ORDER = "function v(j), [v(i) <= v(j) for whole i, whole j, 1 <= i <= j <= s], whole s >= 1, whole a, 1 <= a <= s"


@pytest.mark.parametrize(("text", "lemmas"), [
    (f"f(n) + g(n) >= 0 for {TOGETHER}", ["[f(n) >= 0 for whole n >= 0]", "[g(n) >= 0 for whole n >= 0]"]),
    (f"Max(Ranked(v(j), (j, 1, s), i), c) = Ranked(Max(v(j), c), (j, 1, s), i) for {VALUES}, real c", []),
    (f"Min(2*Ranked(v(j), (j, 1, s), i) - d, 3) = Ranked(Min(2*v(j) - d, 3), (j, 1, s), i) for {VALUES}, real d", []),
    ("Max(Max(a, b) + c, d) = Max(a + c, b + c, d) for real a, real b, real c, real d", []),
    ("Sum(AtMost(j, a), (j, 1, s)) = a for whole s >= 1, whole a, 0 <= a <= s", []),
    (f"Sum(v(j) + 2, (j, 1, s)) = Sum(v(j), (j, 1, s)) + 2*s for {VALUES}", []),
    (f"Sum(Ranked(v(k), (k, 1, s), j), (j, 1, s)) = Sum(v(j), (j, 1, s)) for {VALUES}", []),
    (f"Sum(v(j), (j, 1, s)) <= Sum(v(s), (j, 1, s)) = s*v(s) for {IN_ORDER}", []),
    (f"Sum(AtMost(v(j), x), (j, 1, a)) <= Sum(1, (j, 1, a)) = a for {IN_ORDER}, real x", []),
    ("Sum(w(k), (k, 0, n - 1)) = S(n) for function w(n), function S(n), S(0) = 0, [S(n + 1) = S(n) + w(n) for whole n >= 0], whole n >= 0",
     ["[Sum(w(k), (k, 0, n - 1)) = S(n) for whole n >= 0]"]),
])  # fmt: skip
def test_what_is_found(text: str, lemmas: list[str]) -> None:
    assert holds(read_statement(text), lemmas).holds


@pytest.mark.parametrize("text", [
    f"f(n) + g(n) >= 1 for {TOGETHER}",
    f"Max(Ranked(v(j), (j, 1, s), i), c) = Ranked(Max(v(j), c), (j, 1, s), i) + 10^(-200) for {VALUES}, real c",
    f"-Ranked(v(j), (j, 1, s), i) = Ranked(-v(j), (j, 1, s), i) for {VALUES}",
    f"c*Ranked(v(j), (j, 1, s), i) = Ranked(c*v(j), (j, 1, s), i) for {VALUES}, real c",
    "Max(Max(a, b) + c, d) = Max(a + c, b, d) for real a, real b, real c, real d",
    "Sum(AtMost(j, a), (j, 1, s)) = a for whole s >= 1, whole a, 0 <= a <= s + 1",
    "Sum(AtMost(j, a), (j, 0, s)) = a for whole s >= 1, whole a, 0 <= a <= s",
    f"Sum(v(j) + 2, (j, 1, s)) = Sum(v(j), (j, 1, s)) + 2*(s + 1) for {VALUES}",
    f"Sum(v(j), (j, 1, s)) <= (s - 1)*v(s) for {IN_ORDER}",
    "Sum(w(k), (k, 0, n)) = S(n) for function w(n), function S(n), S(0) = 0, [S(n + 1) = S(n) + w(n) for whole n >= 0], whole n >= 0",
])  # fmt: skip
def test_what_is_false_is_not_found(text: str) -> None:
    with pytest.raises(Refused):
        holds(read_statement(text))


def test_what_is_defined_together_can_fail() -> None:
    assert not fails(read_statement(f"f(n) <= g(n) for {TOGETHER}")).holds


def test_a_lemma_keeps_all_of_its_chain() -> None:
    """Of [a <= b <= c ...] the second comparison is proved, too."""
    said = "w(0) = 0, [w(n + 1) = w(n) + 1 for whole n >= 0]"
    with pytest.raises(Refused):
        holds(read_statement(f"w(n) <= 7 for function w(n), {said}, whole n >= 0"), ["[0 <= w(n) <= 7 for whole n >= 0]"])
