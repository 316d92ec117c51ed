"""Chains as data, and the rules that find their laws: what is true is proved, what is not is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import asymp.kernel.records  # all rules  # noqa: F401
from asymp.kernel.records import replayed
from asymp.kernel.summation import linear
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import DEFINITION, Theorem, apply, certificate
from asymp.language.chains import read_chain, read_definition
from asymp.language.conditions import read_conditions
from asymp.language.meanings import MEANT
from asymp.language.numbers import ParseError
from asymp.language.statement import read_statement
from asymp.paper.chain import answering, solved
from asymp.parse import mathematics
from asymp.prove import chains as search
from asymp.prove.chain_laws import law_data
from asymp.prove.claims import theorem
from asymp.queues.saturated import one_and_n

OF = "whole n, n >= 1, 0 < p < 1, mu1 > 0, mun > 0"
STATES = "whole a, whole b, 0 <= a <= 1, 0 <= b <= n - a"
MOVES = [
    "(0, b) -> (0, b + 1) with 1 - p for b < n",
    "(0, b) -> (1, b) with p for b < n",
    "(1, b) -> (1, b - 1) at b*mu1 for b >= 1",
    "(1, 0) -> (0, 0) at mun",
    "(0, n) -> (0, n - 1) at n*mu1",
]
LAW = [
    "(0, b) = (1 - p)^b for 0 <= b <= n - 2",
    "(0, n - 1) = (1 - p)^(n - 1)/p",
    "(0, n) = (1 - p)^n/p",
    "(1, b) = (1 - p)^b for 0 <= b <= n - 1",
]
FUNCTIONS = {"pi_": "jumps", "P": "time", "pid": "completions", "rate": "leaving", "mu": "throughput"}


def saturated(moves: list[str] = MOVES, law: list[str] = LAW, of: str = OF, states: str = STATES) -> Any:
    return read_chain({"of": of, "states": states, "moves": moves, "law": law} | FUNCTIONS)


CHAIN = saturated()
DATA = law_data(CHAIN)


def changed(moves: dict[int, str] | None = None, of: str = OF, states: str = STATES, **data: Any) -> Theorem:
    """The rule on other moves, or other data."""
    new = [(moves or {}).get(k, move) for k, move in enumerate(MOVES)]
    chain = read_chain({"of": of, "states": states, "moves": [m for m in new if m] + (moves or {}).get("more", [])} | FUNCTIONS)
    return apply("chain", **({**DATA, "chain": str(chain), "function": "pi_", "piece": 0} | data))


def pieces(k: int, **new: Any) -> list[dict[str, Any]]:
    return [piece | new if j == k else piece for j, piece in enumerate(DATA["law"])]


def proved(text: str, chain: Any = CHAIN) -> Theorem:
    return theorem(read_statement(text), True, (chain,))


# --- what is true ------------------------------------------------------------------------------------


ALL = "for whole n >= 1, 0 < p < 1, mu1 > 0, mun > 0"
STATE = "for whole n >= 1, whole b, 0 <= b < n, 0 < p < 1, mu1 > 0, mun > 0"
TRUE = [
    f"pi_(1, b, n, p, mu1, mun) = pi_(1, 0, n, p, mu1, mun)*(1 - p)^b {STATE}",
    f"pid(1, b, n, p, mu1, mun) = p*(1 - p)^b {STATE}",
    f"pid(0, n, n, p, mu1, mun) = (1 - p)^n {ALL}",
    f"mu(n, p, mu1, mun) = 1/(p/mun + (1 - p)^n/(n*mu1) + p*Sum((1 - p)^b/(b*mu1), (b, 1, n - 1))) {ALL}",
    f"P(1, 0, n, p, mu1, mun)*mun = p*mu(n, p, mu1, mun) {ALL}",
    f"Sum(P(Min(1, n - i), i, n, p, mu1, mun), (i, 0, n)) = 1 {ALL}",
    f"rate(1, b, n, p, mu1, mun)*rate(1, 0, n, p, mu1, mun) = b*mu1*mun {STATE.replace('0 <= b', '1 <= b')}",
]


@pytest.mark.parametrize("text", TRUE)
def test_true(text: str) -> None:
    found = proved(text)
    assert found.trusts == {f"{DEFINITION}{CHAIN}"}


@pytest.mark.parametrize("text", TRUE)
def test_mutants(text: str) -> None:
    body, _, where = text.partition(" for ")
    left, _, right = body.partition(" = ")
    sign = text.replace("(1 - p)^b", "(1 - p)^(b + 1)").replace("(1 - p)^n", "(1 - p)^(n - 1)")
    others = [f"{left} = (1 + 10^(-200))*({right}) for {where}", f"{left} = -({right}) for {where}"]
    others += [sign] if sign != text and "mu(" not in text and "pi_(1, 0" not in text else []
    for other in [*others, text.replace(" 0 <= b < n", " 0 <= b <= n"), text.replace("(i, 0, n)", "(i, 1, n)")]:
        if other != text:
            with pytest.raises(Refused):
                proved(other)


def test_numbers_agree_with_the_rules_of_the_system() -> None:
    p, mu1, mun = Fraction(2, 7), Fraction(3), Fraction(1, 5)
    for n in range(1, 9):
        system, own = one_and_n(n, p, mu1, mun), solved(CHAIN, (Fraction(n), p, mu1, mun))
        assert {s: x for s, x in own.law.items() if x} == system.pi
        assert own.rate == system.completion_rate
        assert own.function("throughput", ()) == system.throughput
        assert all(own.function("time", s) == x for s, x in system.P.items())
        assert all(own.function("completions", s) == x for s, x in system.pid.items())


def test_numbers_outside() -> None:
    for arguments in ((0, 3, 2, Fraction(1, 2), 1, 1), (2, 0, 2, Fraction(1, 2), 1, 1), (0, 0, 2, 2, 1, 1)):
        with pytest.raises(ValueError):
            answering(CHAIN, "pi_")(*arguments)
    with pytest.raises(ValueError):  # no time passes
        answering(CHAIN, "P")(0, 0, 2, Fraction(1, 2), 1, 1)


# --- definitions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        {"moves": ["(0) -> (0, 1) with 1"]}, {"moves": []}, {"moves": ["(b, a) -> (a, b) with 1"]}, {"states": "0 <= a <= 1"},
        {"states": "whole n, 0 <= n <= 1"}, {"moves": ["(a, b) -> (a, c) with 1"]}, {"pi_": "nothing"}, {"pi": "jumps"},
        {"moves": ["(a, b) -> (a, b) with pi_(a, b, n, p, mu1, mun)"]}, {"states": "whole a, whole a, 0 <= a <= 1"},
        {"of": "whole n, real n, n >= 1, 0 < p < 1, mu1 > 0, mun > 0"}, {"of": "n in 1..3, 0 < p < 1, mu1 > 0, mun > 0"},
        {"states": "real a, whole b, 0 <= a <= 1, 0 <= b <= 1"}, {"p": "jumps"}, {"law": "x"}, {"moves": ["(a, b) -> (a, b)"]},
    ],
)  # fmt: skip
def test_no_definition(data: dict[str, Any]) -> None:
    with pytest.raises(ParseError):
        read_chain({"of": OF, "states": STATES, "moves": MOVES} | FUNCTIONS | data)


def test_definition_reads_as_it_is_printed() -> None:
    assert read_definition(str(CHAIN)) == CHAIN
    for other in (str(CHAIN).replace("pi_(a, b", "pi_(b, a"), str(CHAIN) + " ", str(CHAIN).replace("; (1, 0)", ";(1, 0)")):
        with pytest.raises(ParseError):
            read_definition(other)
    two = read_chain({"of": "0 < p < 1", "states": "whole a, whole b, 0 <= b <= 1, 0 <= a <= 1", "f": "jumps",
                      "moves": ["(a, b) -> (0, 0) with p"]})  # fmt: skip
    assert read_definition(str(two)).coordinates == two.coordinates == ("a", "b")


@pytest.mark.parametrize("name", ["log", "harmonic", "Max", "exp", "sum", "floor", "zeta"])
def test_a_function_that_has_a_meaning(name: str) -> None:
    with pytest.raises(ParseError, match="meaning"):
        read_chain({"of": OF, "states": STATES, "moves": MOVES, name: "jumps"})
    chain = str(read_chain({"of": OF, "states": STATES, "moves": MOVES, "jumped": "jumps"})).replace("jumped", name)
    with pytest.raises(Refused, match="meaning"):
        apply("chain", **DATA | {"chain": chain}, function=name, piece=0)


def test_one_meaning() -> None:
    other = saturated([*MOVES[:3], "(1, 0) -> (0, 0) at 2*mun", MOVES[4]])
    one = apply("chain", **DATA, function="mu", piece=0)
    two = search._values(other, "mu")[0]
    with pytest.raises(Refused, match="two meanings"):
        apply("all", [one, two], statement=f"{one.statement.body} and {two.statement.body} {ALL}")
    assert apply("all", [one, one], statement=f"{one.statement.body} and {one.statement.body} {ALL}").holds
    assert one.trusts != two.trusts


def test_record_with_other_definitions() -> None:
    found = proved(TRUE[2])
    entry = {"id": "me/x", "closed": TRUE[2], "outcome": "holds", "certificate": certificate(found)}
    texts = {"me/x": TRUE[2]}
    assert replayed(entry).told == "replayed"
    assert replayed(entry, texts, frozenset({str(CHAIN)})).told == "replayed"
    assert "otherwise" in replayed(entry, texts, frozenset()).why
    with pytest.raises(Refused):
        theorem(read_statement(TRUE[2]), True, ())


# --- what the rule on laws refuses -----------------------------------------------------------------------


def test_unchanged() -> None:
    assert changed().holds


@pytest.mark.parametrize(
    ("moves", "why"),
    [
        ({0: "(0, b) -> (0, b + 1) with 1 - p/2 for b < n"}, "sum to 1"),
        ({0: ""}, "sum to 1|number"),
        ({0: "(0, b) -> (0, b + 1) with 1 - p for b < n - 1"}, "sum to 1"),
        ({0: "(0, b) -> (0, b + 1) with 1 - p for b <= n"}, "both|out of the states"),
        ({0: "(0, b) -> (0, b + 2) with 1 - p for b < n"}, "out of the states"),
        ({1: "(0, b) -> (1, b + 1) with p for b < n"}, "out of the states"),
        ({2: "(1, b) -> (1, b - 1) at b*mu1 for b >= 2"}, "not left"),
        ({2: "(1, b) -> (1, b - 1) at b*mu1"}, "out of the states|positive"),
        ({2: "(1, b) -> (1, 0) at b*mu1 for b >= 1"}, "depends on the state"),
        ({2: "(1, b) -> (1, b - 1) at 2*b*mu1 for b >= 1"}, "do not sum"),
        ({2: "(1, b) -> (1, b - 1) at -b*mu1 for b >= 1"}, "positive"),
        ({2: "(1, b) -> (1, b - 1) with 1 for b >= 1"}, "rate"),
        ({3: "(1, 0) -> (0, 1) at mun"}, "home|balance"),
        ({3: "(1, 0) -> (1, 0) at mun"}, "home|balance"), ({3: "(1, 0) -> (2, 0) at mun"}, "out of"),
        ({3: ""}, "not left|number"),
        ({4: "(0, n) -> (0, n - 1) at n*mu1 for n >= 2"}, "not left"),
        ({4: "(0, n) -> (1, n - 1) at n*mu1"}, "balance|home"),
        ({4: "(0, n) -> (0, n/2) at n*mu1"}, "whole"),
        ({"more": ["(0, n) -> (0, 0) at n*mu1"]}, "sum"),
        ({"more": ["(1, b) -> (1, b) with 1 for b >= 1"]}, "both"),
        ({4: "(0, n) -> (0, n - 1) at mu1*(n - 1)"}, "positive|sum"),
    ],
)
def test_other_moves(moves: dict[Any, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        changed(moves)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"of": OF.replace("n >= 1", "n >= 0")}, "."),  # of n = 0 the state (0, n - 1) is none
        ({"of": OF.replace("p < 1", "p < 2")}, "positive"),
        ({"of": OF.replace("0 < p", "0 <= p")}, "."),
        ({"of": OF.replace("whole n, ", "")}, "linear|not"),  # n may be 3/2
        ({"of": OF.replace("mun > 0", "mun > -1")}, "positive"),
        ({"states": STATES.replace("0 <= b <= n - a", "0 <= b <= n")}, "in no piece"),
        ({"states": STATES.replace("0 <= b <= n - a", "0 <= b <= n - 1")}, "no state"),
        ({"states": STATES.replace("0 <= b <= n - a", "b <= n - a")}, "finitely"),
        ({"states": STATES.replace("0 <= b <= n - a", "0 <= b")}, "finitely|linear"),
        ({"states": STATES.replace("b <= n - a", "b*b <= n - a")}, "finitely"),
        ({"law": pieces(0, **{"is": "(1 - p)^b*(1 + 10^(-100))"})}, "balance"),
        ({"law": pieces(0, **{"is": "-(1 - p)^b"})}, "positive"),
        ({"law": pieces(0, **{"is": "0"})}, "balance|home"),
        ({"law": [piece | {"is": "0"} for piece in DATA["law"]]}, "0 at home"),
        ({"law": [piece | {"is": f"({piece['is']})*(p - 1/2)"} for piece in DATA["law"]]}, "positive"),
        ({"law": [piece | {"is": f"({piece['is']})*log(mu1)"} for piece in DATA["law"]]}, "positive"),
        ({"law": pieces(0, ranges=[["a", "0", "0"], ["b", "0", "n - 1"]])}, "in common"),
        ({"law": pieces(0, ranges=[["a", "0", "0"], ["b", "1", "n - 2"]])}, "in no piece"),
        ({"law": pieces(0, ranges=[["a", "0", "0"], ["b", "-1", "n - 2"]])}, "no state"),
        ({"law": pieces(0, ranges=[["b", "0", "n - 2"]])}, "each coordinate"),
        ({"law": pieces(0, ranges=[["a", "0", "b"], ["b", "0", "n - 2"]])}, "before"),
        ({"law": pieces(0, ranges=[["a", "0", "0"], ["b", "0", "(2*n - 3)/2"]])}, "whole"),
        ({"law": pieces(0, **{"is": "x"})}, "parameters"),
        ({"law": pieces(0, **{"is": "pi_(a, b, n, p, mu1, mun)"})}, "not known here"),
        ({"law": pieces(0, rate="mun")}, "rate"),
        ({"law": pieces(2, rate=None)}, "rate"),
        ({"law": pieces(2, rate="mu1")}, "sum"),
        ({"law": DATA["law"][1:]}, "in no piece"),
        ({"law": [*DATA["law"], DATA["law"][0]]}, "in common"),
        ({"order": []}, "way leads home"),
        ({"order": DATA["order"][1:]}, "home"),
        ({"order": DATA["order"][::-1]}, "home"),
        ({"order": [[r, k, "0"] for r, k, _ in DATA["order"]]}, "home"),
        ({"order": [[r, True, by] for r, _, by in DATA["order"]]}, "number"),
        ({"order": [[r, -1, by] for r, _, by in DATA["order"]]}, "number"),
        ({"home": ["0"]}, "coordinates"),
        ({"home": ["1", "n"]}, "not always a state"),
        ({"home": ["0", "n/2"]}, "whole"),
        ({"home": ["0", "b"]}, "linear"),
        ({"given": "b >= 2"}, "parameters"),
        ({"given": "whole p"}, "parameters"),
        ({"piece": -1}, "number"), ({"piece": True}, "number"), ({"piece": 99}, "number"), ({"function": "x"}, "function"),
        ({"function": "P", "piece": 0}, "no time passes"), ({"function": "pid", "piece": 0}, "no time passes"),
    ],
)  # fmt: skip
def test_other_data(data: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why):
        changed(None, data.pop("of", OF), data.pop("states", STATES), **data)


def test_two_closed_classes() -> None:
    """Of two states that are never left every law is stationary: none is the chain's."""
    chain = read_chain({"of": "0 < p < 1", "states": "whole b, 0 <= b <= 1", "f": "jumps", "moves": ["b -> b with 1"]})
    law = [{"ranges": [["b", "0", "1"]], "is": "1 + b", "rate": None}]
    for order in ([], [["b >= 1", 0, "b"]], [["b >= 0", 0, "0"]], [["b >= 1", 0, "-b"]]):
        with pytest.raises(Refused, match="home"):
            apply("chain", chain=str(chain), given="", law=law, home=["0"], order=order, function="f", piece=0)


def test_transient_states() -> None:
    """States that are not reached again have probability 0."""
    moves = ["0 -> 1 with 1", "1 -> 2 at 1", "2 -> 1 at p"]
    chain = read_chain({"of": "0 < p < 1", "states": "whole b, 0 <= b <= 2", "f": "jumps", "T": "throughput", "moves": moves})
    law = [
        {"ranges": [["b", "0", "0"]], "is": "0", "rate": None}, {"ranges": [["b", "1", "1"]], "is": "1", "rate": "1"},
        {"ranges": [["b", "2", "2"]], "is": "1", "rate": "p"},
    ]  # fmt: skip
    data = {"chain": str(chain), "given": "", "law": law, "home": ["1"], "order": [["b = 0", 0, "b"], ["b = 2", 2, "b"]]}
    assert str(apply("chain", **data, function="T", piece=0)).startswith("⊢ T(p) = 2*(1 + p^(-1))^(-1)")
    with pytest.raises(Refused):
        apply("chain", **{**data, "home": ["0"]}, function="T", piece=0)


# --- values put in --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        f"pi_(0, n + 1, n, p, mu1, mun) = 0 {ALL}",  # no state
        f"pi_(1, n, n, p, mu1, mun) = pi_(1, n, n, p, mu1, mun) {ALL}",
        "mu(n, p, mu1, mun) > 0 for whole n >= 0, 0 < p < 1, mu1 > 0, mun > 0",
        "mu(n, p, mu1, mun) > 0 for n >= 1, 0 < p < 1, mu1 > 0, mun > 0",
        "mu(n, p, mu1, mun) > 0 for whole n >= 1, 0 < p <= 1, mu1 > 0, mun > 0",
        "mu(n, p, mu1, mun) > 0 for whole n >= 1, 0 < p < 1, mu1 > 0",
        "mu(n/2, p, mu1, mun) > 0 for whole n >= 2, 0 < p < 1, mu1 > 0, mun > 0",
        "mu(n, p, mu1) > 0 for whole n >= 1, 0 < p < 1, mu1 > 0, mun > 0",
        "mu(n, mu1, p, mun) > 0 for whole n >= 1, 0 < p < 1, mu1 > 0, mun > 0",
        "mu(n, p, log(x), mun) > 0 for whole n >= 1, 0 < p < 1, x > 0, mun > 0",
        "mu(n, p, oo, mun) > 0 for whole n >= 1, 0 < p < 1, mun > 0",
        f"P(0, 0, n, p, mu1, mun) = 0 {ALL}",  # no time passes
        f"Sum(P(1, b, n, p, mu1, mun), (b, 0, n)) >= 0 {ALL}",
        f"Sum(P(1, b, n, p, mu1, mun), (b, 0, n - 3)) >= 0 {ALL}",  # may run backwards
        f"Sum(P(1, b, n, p, mu1, mun), (b, 0, (n - 1)/2)) >= 0 {ALL}",
        f"Product(P(1, b, n, p, mu1, mun), (b, 0, n - 1)) >= 0 {ALL}",
        f"Integral(pi_(1, x, n, p, mu1, mun), (x, 0, n - 1)) >= 0 {ALL}",
        f"pi_(1, b, n, p, mu1, mun) > 0 {STATE.replace('whole b, ', '')}",
    ],
)
def test_places_without_values(text: str) -> None:
    with pytest.raises(Refused):
        proved(text.replace("for for", "for"))


def test_a_sum_of_all_states() -> None:
    pair = "Sum(P(1, b, n, p, mu1, mun), (b, 0, n - 1)) + P(0, n, n, p, mu1, mun) = 1"
    assert proved(f"{pair} {ALL}").holds
    for other in (pair.replace("= 1", "= 2"), pair.replace("b, 0, n - 1", "b, 0, n - 2")):
        with pytest.raises(Refused):
            proved(f"{other} {ALL}")


def test_cases_are_to_cover() -> None:
    parts = [apply("algebra", statement=f"x + x = 2*x for whole x, {where}") for where in ("x >= 2", "x <= 0")]
    with pytest.raises(Refused, match="cover"):
        apply("cases", parts, statement="x + x = 2*x for whole x", cases=[{"where": "x >= 2"}, {"where": "x <= 0"}])
    real = [apply("algebra", statement=f"x + x = 2*x for {where}") for where in ("x >= 1", "x <= 0")]
    with pytest.raises(Refused):  # 1/2
        apply("cases", real, statement="x + x = 2*x", cases=[{"where": "x >= 1"}, {"where": "x <= 0"}])
    with pytest.raises(Refused):
        apply("cases", [], statement="0 = 1 for whole x", cases=[])
    with pytest.raises(Refused, match="not its case"):
        apply("cases", parts[:1], statement="x + x = 3*x for whole x, x >= 2", cases=[{"where": "x >= 2"}])
    one = apply("algebra", statement="3/2 + 3/2 = 2*(3/2)")
    for case in ({"put": {"x": "3/2"}}, {"put": {"x": "x"}}, {"put": {"y": "1"}}, {"put": {}}, {}, {"where": 1}, 1):
        with pytest.raises(Refused):
            apply("cases", [one], statement="x + x = 2*x for whole x", cases=[case])


def test_replace() -> None:
    equation = apply("algebra", statement="x*x = x^2 for x > 0")
    last = apply("algebra", statement="x^2 > 0 for x > 0")
    assert apply("replace", [equation, last], statement="x*x > 0 for x > 0").holds
    with pytest.raises(Refused, match="domain"):
        apply("replace", [equation, apply("algebra", statement="x^2 = x^2")], statement="x*x = x*x")
    with pytest.raises(Refused, match="form"):
        apply("replace", [apply("witness", statement="x = 1 for 0 < x < 3", at={"x": "2"}, bits=64), last], statement="1 > 0 for x > 0")


def test_rewrite_wants_values() -> None:
    value = apply("algebra", statement="x*y = y*x for x > 0, y > 0")
    with pytest.raises(Refused):
        apply("rewrite", [value, value], statement="x*y = y*x for x > 0, y > 0", cuts=[])


# --- linear conditions ------------------------------------------------------------------------------------


def test_linear_conditions_against_all_points() -> None:
    """What is found empty has no points, on all systems of three conditions with small coefficients that are tried."""
    import itertools
    import random

    rng = random.Random(7)
    box = range(-6, 7)
    for _ in range(400):
        rows = [(rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(-4, 4)) for _ in range(rng.randint(1, 5))]
        where = frozenset(linear.tight({"x": a, "y": b}, c) for a, b, c in rows)
        points = [(x, y) for x, y in itertools.product(box, box) if all(a * x + b * y + c >= 0 for a, b, c in rows)]
        if points:
            assert not linear.is_empty(where)
            low, high = linear.bounds(where, "x")
            assert (low is None or low <= min(x for x, _ in points)) and (high is None or high >= max(x for x, _ in points))
        goal = linear.tight({"x": rng.randint(-2, 2), "y": rng.randint(-2, 2)}, rng.randint(-3, 3))
        if linear.implies(where, goal):
            assert all(sum(k * {"x": x, "y": y}[v] for v, k in goal[0]) + goal[1] >= 0 for x, y in points)


def test_linear_conditions_are_in_whole_variables() -> None:
    where, rest = linear.system(read_conditions("whole n, n >= 1, p < n, n^2 < 5"), {"n"})
    assert len(where) == 1
    assert len(rest) == 3
    assert linear.is_empty(linear.system(read_conditions("2*n > 1, 2*n < 2"), {"n"})[0])
    assert not linear.is_bounded(linear.system(read_conditions("n >= 1"), {"n"})[0], ["n"], {"n"})


# --- completions ahead of the mean ---------------------------------------------------------------------------

SHORT = {
    "of": "whole n, n >= 1, mu > 0, nu > 0", "states": "whole b, 0 <= b <= n", "rate": "throughput", "h": "relative", "mean": "relative_mean",
    "moves": ["b -> b + 1 with 1 for b = 0", "b -> b - 1 at mu for b >= 2", "1 -> n at nu", "0 -> 0 with 1 for n < 0"],
}  # fmt: skip
CYCLE = {
    "of": "x > 0, y > 0", "states": "whole b, 0 <= b <= 1", "rate": "throughput", "h": "relative", "mean": "relative_mean",
    "moves": ["0 -> 1 at x", "1 -> 0 at y"], "law": ["0 = 1", "1 = 1"],
    "relative": ["0", "rate(x, y)/x - 1"],
}  # fmt: skip


def test_relative_completions_of_a_cycle() -> None:
    """The rates alternate: from state 0, h = 1 - mu/x + h(1), and mu = 2/(1/x + 1/y)."""
    chain = read_chain(CYCLE)
    assert proved("h(1, x, y) - h(0, x, y) = 2/(1/x + 1/y)/x - 1 for x > 0, y > 0", chain).holds
    assert proved("mean(x, y) = (h(0, x, y) + h(1, x, y))/2 for x > 0, y > 0", chain).holds
    assert proved("h(0, x, y)/x + h(1, x, y)/y = 0 for x > 0, y > 0", chain).holds
    for other in ("mean(x, y) = 0", "h(0, x, y) = h(1, x, y)", "h(0, x, y) = 0", "h(1, x, y) = 2/(1/x + 1/y)/x - 1"):
        with pytest.raises(Refused):
            proved(f"{other} for x > 0, y > 0", chain)
        assert not theorem(read_statement(f"{other} for x > 0, y > 0"), False, (chain,)).holds
    own = solved(chain, (Fraction(2), Fraction(5)))
    assert own.function("relative", (1,)) - own.function("relative", (0,)) == own.function("throughput", ()) / 2 - 1


@pytest.mark.parametrize("relative", [["0", "0"], ["0", "rate(x, y)/y - 1"], ["0", "1 - rate(x, y)/x"], ["b", "rate(x, y)/x"],
                                      ["0", "h(1, x, y)"], ["0", "z"], ["0"], ["0", "rate(y, x)/x - 1/2"]])  # fmt: skip
def test_no_relative_completions(relative: list[str]) -> None:
    chain = read_chain(CYCLE)
    data = law_data(chain)
    with pytest.raises(Refused):
        apply("relative", **data, relative=relative, function="h", piece=0)


def test_premises_of_relative_completions() -> None:
    """A premise is the equation itself, on its own cell; its negation, or another, is none."""
    chain = read_chain(CYCLE)
    data = law_data(chain)
    fails = apply("witness", statement="x = y for x > 0, y > 0", at={"x": "1", "y": "2"}, bits=64)
    true = apply("algebra", statement="0 = 0 for x > 0, y > 0")
    for premises in ([fails], [true], [fails, true]):
        with pytest.raises(Refused):
            apply("relative", premises, **data, relative=["0", "0"], function="h", piece=0)
    with pytest.raises(Refused):  # what the law alone does not say
        apply("chain", **data, function="h", piece=0)
    with pytest.raises(Refused):
        apply("relative", **data, relative=["0", "rate(x, y)/x - 1"], function="rate", piece=0)
    shifted = apply("relative", **data, relative=["7", "rate(x, y)/x + 6"], function="mean", piece=0)  # up to a number
    assert shifted.holds


def test_two_queues_in_a_cycle() -> None:
    """n jobs at two servers: a coordinate is given by the other, and the law is geometric."""
    chain = read_chain({
        "of": "whole n, n >= 1, x > 0, y > 0", "states": "whole a, whole b, a >= 0, b >= 0, a + b = n", "P": "time", "T": "throughput",
        "moves": ["(a, b) -> (a - 1, b + 1) at x for a >= 1", "(a, b) -> (a + 1, b - 1) at y for b >= 1"],
        "law": ["(0, n) = y", "(a, b) = (y/x)^a*(x + y) for 1 <= a <= n - 1, b = n - a", "(n, 0) = (y/x)^n*x"],
    })  # fmt: skip
    where = "for whole n >= 1, whole a, 0 <= a <= n, x > 0, y > 0"
    assert proved(f"P(a, n - a, n, x, y) = (y/x)^a/Sum((y/x)^k, (k, 0, n)) {where}", chain).holds
    for other in ("(x/y)^a/Sum((x/y)^k, (k, 0, n))", "(y/x)^a/Sum((y/x)^k, (k, 0, n - 1))"):
        with pytest.raises(Refused):
            proved(f"P(a, n - a, n, x, y) = {other} {where}", chain)
    with pytest.raises(Refused, match="no values"):
        proved(f"P(a, n - a, n, x, y) = strange(a) {where}", chain)


def test_a_state_that_is_left_never() -> None:
    """Moves that would be there for no parameter are none; a state without moves is refused."""
    chain = read_chain(SHORT)
    with pytest.raises(Refused):
        proved("rate(n, mu, nu) > 0 for whole n >= 1, mu > 0, nu > 0", chain)


def test_no_function_that_has_a_meaning_is_defined_by_a_chain():
    assert {*mathematics.FUNCTIONS, *mathematics.OPERATORS} <= MEANT


LOSS = {
    "of": "whole n, n >= 1, a > 0", "states": "whole b, 0 <= b <= n", "share": "time",
    "moves": ["b -> b + 1 at a for b < n", "b -> b - 1 at b for b >= 1"],
    "law": ["(0) = a", "b = (a + b)*a^b/b! for 1 <= b <= n - 1", "(n) = n*a^n/n!"],
}  # fmt: skip


def test_erlangs_formula_is_a_theorem_of_the_loss_system():
    said = "share(n, n, a) = {} for whole n, n >= 1, a > 0"
    formula = "a^n/n!/Sum(a^k/k!, (k, 0, n))"
    chain = read_chain(LOSS)
    assert theorem(read_statement(said.format(formula)), True, (chain,)).holds
    for wrong in (f"{formula}*(1 + 10^(-200))", "a^n/n!/Sum(a^k/k!, (k, 1, n))", "a^n/n!/Sum(a^k/k!, (k, 0, n - 1))"):
        with pytest.raises(Refused):
            theorem(read_statement(said.format(wrong)), True, (chain,))


@pytest.mark.parametrize(
    ("k", "hint"),
    [
        (0, "(0) = 1"),
        (1, "b = (a + b)*a^b/b!*(1 + 10^(-200)) for 1 <= b <= n - 1"),
        (1, "b = a^b/b! for 1 <= b <= n - 1"),
        (2, "(n) = n*a^n/n!/(n + a)"),
    ],
)
def test_a_law_whose_factor_is_another_than_the_rate_is_none(k, hint):
    law = [*LOSS["law"][:k], hint, *LOSS["law"][k + 1 :]]
    with pytest.raises(Refused):
        apply("chain", **law_data(read_chain({**LOSS, "law": law})), function="share", piece=k)
