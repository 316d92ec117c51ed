"""Where there is no theorem: of what numbers alone do not speak, though it looks right at every point that is tried."""

from __future__ import annotations

import pytest

from asymp.check.ask import ask
from asymp.claim import Outcome
from asymp.kernel.growths import bounded as bounded
from asymp.kernel.growths.regime import placed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import apply
from asymp.language.statement import read_statement

WAYS = [  # with more than one way to the limit, though the conditions leave one of those that are tried
    ("m ~ n", "n -> oo, m -> oo, m = Theta(n)"), ("m - n = o(1)", "n -> oo, m -> oo, m = Theta(n)"),
    ("m/n -> 1", "n -> oo, m -> oo, n = O(m), m = O(n)"), ("m ~ n", "n -> oo, m -> oo, m >= n, m <= 2*n"),
    ("p ~ 1/n", "n -> oo, p -> 0+, p = Theta(1/n)"), ("n*p -> 1", "n -> oo, p -> 0+, n*p = Theta(1)"),
    ("p*log(n) -> 1", "n -> oo, p -> 0+, p = Theta(1/log(n))"), ("barnesg(m) ~ barnesg(n)", "n -> oo, m -> oo, m = Theta(n)"),
]  # fmt: skip
ONE = [  # what is small, what is even, what is beyond 10^1000
    "barnesg(n)*(1 + 1/gamma(30)) ~ barnesg(n)", "barnesg(n)*zeta(60) ~ barnesg(n)", "barnesg(n)*tanh(20) ~ barnesg(n)",
    "barnesg(n)*n^(1/gamma(20)) = O(barnesg(n))", "Sum(1/(k^3 + sqrt(k) + 1), (k, 1, n)) + erfc(8)*log(n) = O(1)",
    "barnesg(n)*n/(n + exp(exp(8))) = o(barnesg(n))", "barnesg(n)*sign(gamma(1/2 - n)) ~ barnesg(n)", "sign(gamma(1/2 - n)) -> 1",
    "barnesg(n)*Max(1, log(n)/10^4) ~ barnesg(n)", "barnesg(n)*Max(1, log(n)/10^4) = O(barnesg(n))",
    "barnesg(n)*(1 + Max(0, sign(log(log(n)) - 8))) ~ barnesg(n)", "barnesg(n)*n^(1/1000)*exp(-sqrt(log(n))) = o(barnesg(n))",
]  # fmt: skip


@pytest.mark.parametrize(("statement", "to"), WAYS)
def test_of_several_ways_to_the_limit(statement: str, to: str) -> None:
    assert ask(statement, to=to, assume="n > 0").outcome != "holds"


@pytest.mark.parametrize("statement", ONE)
def test_of_what_does_not_show_at_the_points(statement: str) -> None:
    assert ask(statement, to="whole n -> oo").outcome != "holds"


@pytest.mark.parametrize("near", ["wave1_", "wave2_"])
def test_a_quantity_has_the_name_of_no_wave(near: str) -> None:
    statement = "sin(n) -> 0 as n -> oo, p -> 0+, n*p -> c for c > 0"
    place = {"scales": {"v_": "n"}, "values": {"n": "v_", "p": f"(c + {near})/v_"}, "near": {near: "n*p"}}
    with pytest.raises(Refused):
        apply("bounded", statement=statement, order=3, classes=1, place=place, runner="k", values={"n": "k", "p": "2/k", "c": "2"})


def test_quantities_have_names_and_stand_in_a_value() -> None:
    statement = read_statement("p = O(1/n) as n -> oo, p -> 0+, n*p -> c for c > 0")
    good = {"scales": {"s": "n"}, "values": {"n": "s", "p": "(c + e)/s"}, "near": {"e": "n*p"}}
    placed(statement, good)
    with pytest.raises(Refused, match="nothing is written"):
        placed(statement, {**good, "near": {"e": "n*p", "f": "n*p"}})
    for name in ("", "@", "@of", "e f"):
        with pytest.raises(Refused):
            placed(statement, {**good, "near": {"e": "n*p", name: "n*p"}})


@pytest.mark.parametrize(("statement", "to"), [
    ("c >= 0", "n -> oo, p -> 0+, n*p -> c"), ("c <= 1", "n -> oo, p -> 0+, n*p -> c, p < 1/n"), ("n^2 <= 5*n", "n -> oo"),
])  # fmt: skip
def test_what_tends_is_not_dropped_without_a_word(statement: str, to: str) -> None:
    """A comparison holds from some point on, or it does not: what tends is part of the statement."""
    verdict = ask(statement, to=to, assume="c > -5" if "c" in statement else [])
    assert verdict.outcome is not Outcome.HOLDS and "n -> oo" in verdict.claim.statement


@pytest.mark.parametrize("text", ["log(i) = o(sqrt(i))", "log(i)/i -> 0", "log(n + 1 - i)/(n + 1 - i) -> 0"])
def test_an_end_where_it_is_0_does_not_speak_for_what_is_next_to_it(text):
    """log(2)/sqrt(2) = 0.49 at i = 2, whatever n is."""
    assert ask(f"{text} uniformly in whole i, 1 <= i <= n", to="n -> oo").outcome.value == "refuted"
