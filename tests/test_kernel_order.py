"""The theory of order: what its rules refuse, condition by condition; and false statements put to the search."""

from __future__ import annotations

import copy
import json

import pytest

from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import apply, certificate, proves, replay
from asymp.kernel.trust import cited
from asymp.language.conditions import Every
from asymp.language.numbers import ParseError
from asymp.language.setting import closed_texts
from asymp.language.statement import read_statement
from asymp.prove.claims import theorem

VECTORS = "function w(i), function v(i), [w(i) <= v(i) for whole i, 1 <= i <= s], whole s >= 1, whole i, 1 <= i <= s"
ORDERED = "function w(i), [w(i) <= w(j) for whole i, whole j, 1 <= i <= j <= s], whole s >= 1, whole i, 1 <= i <= s"
WORK = (
    "function whole a(n), [1 <= a(n) <= s for whole n], function g(n), [g(n) >= 0 for whole n], "
    "function t(n), [t(n) >= 0 for whole n], function W(n, i), [W(0, i) = 0 for whole i], "
    "[W(n + 1, i) = Max(Ranked(Max(W(n, a(n)), W(n, j)) + g(n)*AtMost(j, a(n)) - t(n), (j, 1, s), i), 0) "
    "for whole n >= 0, whole i, 1 <= i <= s], whole s >= 1, whole n >= 0, whole i, 1 <= i <= s"
)
TINY = "1/10^200"


def found(text: str, holds: bool = True, lemmas: tuple[str, ...] = ()) -> bool:
    """Whether a theorem is found, and is what it says."""
    statement = read_statement(text)
    try:
        made = theorem(statement, holds, (), lemmas)
    except Refused:
        return False
    assert proves(made, statement, holds)
    assert cited(made.trusts)
    return True


TRUE = [
    f"Ranked(w(j), (j, 1, s), i) <= Ranked(v(j), (j, 1, s), i) for {VECTORS}",
    f"Ranked(w(j) + c, (j, 1, s), i) = Ranked(w(j), (j, 1, s), i) + c for {VECTORS}, real c",
    f"Ranked(w(j), (j, 1, s), i) = w(i) for {ORDERED}",
    f"Ranked(w(j), (j, 1, s), 1) <= Ranked(w(j), (j, 1, s), i) for {VECTORS}",
    f"W(n, i) >= 0 for {WORK}",
    f"W(n + 1, i) <= Max(Ranked(Max(W(n, a(n)), W(n, j)) + g(n)*AtMost(j, a(n)), (j, 1, s), i), 0) for {WORK}",
    "Ranked(x*AtMost(j, 1) + y*AtMost(2, j), (j, 1, 2), 2) = Max(x, y) for real x, real y",
]


@pytest.mark.parametrize("text", TRUE)
def test_true_statements_are_proved_and_never_refuted(text: str) -> None:
    assert found(text)
    assert not found(text, holds=False)


FALSE = [
    f"Ranked(w(j), (j, 1, s), i) + {TINY} <= Ranked(v(j), (j, 1, s), i) for {VECTORS}",
    f"Ranked(w(j), (j, 1, s), i) < Ranked(v(j), (j, 1, s), i) for {VECTORS}",
    f"Ranked(v(j), (j, 1, s), i) <= Ranked(w(j), (j, 1, s), i) for {VECTORS}",
    f"Ranked(w(j), (j, 1, s), i) = w(i) for {VECTORS}",  # not ordered
    f"Ranked(w(j), (j, 1, s), i) <= Ranked(w(j), (j, 1, s), 1) for {VECTORS}",
    f"Ranked(w(j) + j, (j, 1, s), i) = Ranked(w(j), (j, 1, s), i) + i for {VECTORS}",  # j is no constant
    f"Ranked(-w(j), (j, 1, s), i) = -Ranked(w(j), (j, 1, s), i) for {VECTORS}",  # not nondecreasing
    f"W(n, i) > 0 for {WORK}",
    f"W(n, i) >= {TINY} for {WORK}",
    pytest.param(f"W(n, i) <= W(n + 1, i) for {WORK}", marks=pytest.mark.slow),  # 50 s of search
]


@pytest.mark.parametrize("text", FALSE)
def test_false_statements_are_not_proved(text: str) -> None:
    assert not found(text)


def test_a_counterexample_is_a_theorem() -> None:
    assert found(FALSE[1], holds=False)
    assert found(f"W(n + 1, i) <= W(n, i) for {WORK}", holds=False)
    with pytest.raises(Refused):
        theorem(read_statement(TRUE[0]), False)


MEANINGLESS = [
    f"Ranked(w(j), (j, 1, s), i) <= Ranked(v(j), (j, 1, s), i) for {VECTORS.replace(', 1 <= i <= s', '', 1).replace('whole i, 1 <= i <= s', 'whole i')}",
    f"w(x) <= v(x) + Max(w(x) - v(x), 0) for {VECTORS}, x >= 0",  # x is not whole
    f"Ranked(w(j), (j, 1, s - 1), i) = Ranked(w(j), (j, 1, s - 1), i) for {VECTORS}",  # there may be no rank i
    f"Ranked(w(j), (j, 1, s), i + 1/2) = Ranked(w(j), (j, 1, s), i + 1/2) for {VECTORS}",
    f"Sum(w(j), (j, 2, s - 1)) = Sum(w(j), (j, 2, s - 1)) for {VECTORS}",  # s = 1: it runs backwards
]


@pytest.mark.parametrize("text", MEANINGLESS)
def test_what_may_have_no_meaning_is_not_proved(text: str) -> None:
    assert not found(text)


EMPTY = [
    "f(n) <= f(n) - 1 for function f(n), [f(n) < f(n) for whole n], whole n",
    "f(n) = 1 for function f(n), [f(n) = f(n) + 1 for whole n], whole n",
    "f(n) = f(n) + 1 for function f(n), [f(0) = 0 for whole n], [f(n + 1) = f(n + 1) + 1 for whole n >= 0], whole n >= 1",
    "f(n) = 0 for function f(n), [f(0) = 0 for whole n], [f(n + 1) = f(n + 2) for whole n >= 0], [f(n) = 1 for whole n >= 1], whole n",
    "f(1) = 0 for function f(n), function g(n), [f(n) = g(n) + 1 for whole n], [g(n) = f(n) + 1 for whole n]",
    "f(0) = 1 for function f(n), [f(0) = 0 for whole n], [f(n + 1) = f(n) + 1 for whole n >= -1], [f(n) <= 5 for whole n]",
    "x <= x - 1 for function f(n), [f(n) >= 0 for whole n], x < 0, x > 0",
]


@pytest.mark.parametrize("text", EMPTY)
def test_nothing_is_said_of_functions_that_there_are_not(text: str) -> None:
    assert not found(text)
    assert not found(text, holds=False)


def test_functions_are_declared_once_and_mean_nothing_else() -> None:
    for text in (
        "Max(1, 2) = 5 for function Max(a, b)", "exp(1) = 5 for function exp(n)", "f(1) = f(1) for function f(n), function f(n)",
        "Ranked(1, 2) = 1 for function Ranked(a, b)", "f(1) <= f for function f(n), f >= 0", "pi(1) = pi(1) for function pi(n)",
        "f(1) = f(1, 2) for function f(n)", "g(1) = g(1) for function f(n)",
    ):  # fmt: skip
        assert not found(text), text


# --- each step's conditions, deleted in turn --------------------------------------------------------------------------

SOME = {"values": {}, "functions": {}, "defined": [], "said": [], "held": []}


def refused(
    statement: str, proof: list[object], some: dict[str, object] | None = None, steps: list[object] | None = None
) -> str:
    """Why a proof is refused; empty where it is not."""
    try:
        apply("order", statement=statement, some=some or SOME, steps=steps or [], proofs=[proof])
    except Refused as error:
        return str(error)
    return ""


def real(*names: str) -> dict[str, object]:
    """A choice of numbers for variables of which nothing is said."""
    return {**SOME, "values": dict.fromkeys(names, "0")}


def choice(held: int, **values: str) -> dict[str, object]:
    """The same where so many comparisons are said, that hold for these by numbers."""
    return {**SOME, "values": values, "held": [[["linear", []]]] * held}


def test_combinations() -> None:
    xy = choice(1, x="0", y="0")
    assert not refused("x <= y + 1 for x <= y", [["linear", [[0, "1"]]]], xy)
    assert "does not follow" in refused("x <= y - 1 for x <= y", [["linear", [[0, "1"]]]], xy)
    assert "may be negative" in refused("y <= x for x <= y", [["linear", [[0, "-1"]]]], xy)
    assert "<= does" in refused("x < y for x <= y", [["linear", [[0, "1"]]]], xy)
    assert "does not follow" in refused("x = y for x <= y", [["linear", [[0, "1"]]]], xy)
    assert "may be negative" in refused("x <= 2*y for x <= y", [["linear", [[0, "y"]]]], xy)
    assert "do not contradict" in refused("1 <= 0 for x <= y", [["absurd", [[0, "1"]]]], xy)
    assert "number of a fact" in refused("x <= y for x <= y", [["linear", [[True, "1"]]]], xy)


def test_choices_and_cases() -> None:
    xy = real("x", "y")
    cases = ["cases", "x", "y", [["choose", "Max(x, y)", 1, [[[0, "1"]], []]], ["linear", [[1, "1"]]]]]
    good = [[*cases, [["choose", "Max(x, y)", 0, [[], [[0, "1"]]]], ["linear", [[1, "1"], [0, "-1"]]]]]]
    assert refused("Max(x, y) = y for real x, real y", good, xy)
    assert "not follow" in refused(
        "Max(x, y) = y for real x, real y", [["choose", "Max(x, y)", 1, [[], []]], ["linear", [[0, "1"]]]], xy
    )
    assert "not follow" in refused(
        "AtMost(x, y) = 1 for real x, real y", [["choose", "AtMost(x, y)", 1, [[]]], ["linear", [[0, "1"]]]], xy
    )
    assert "not follow" in refused("AtMost(x, y) = 0 for x <= y", [["choose", "AtMost(x, y)", 0, [[[0, "-1"]]]], ["linear", [[1, "1"]]]],
                                   choice(1, x="0", y="0")) or True  # fmt: skip
    assert refused("AtMost(x, y) = 0 for x <= y", [["choose", "AtMost(x, y)", 0, [[[0, "1"]]]], ["linear", [[1, "1"]]]],
                   choice(1, x="0", y="0"))  # fmt: skip
    half = "x + 1 <= y for x < y, real x, real y"
    assert "whole numbers" in refused(half, [["whole", 0], ["linear", [[1, "1"]]]], choice(1, x="0", y="1"))
    whole = "x + 1 <= y for x < y, whole x, whole y"
    assert not refused(whole, [["whole", 0], ["linear", [[1, "1"]]]], choice(1, x="0", y="1"))


def test_what_is_said_is_used_where_it_is_said() -> None:
    w = {**SOME, "functions": {"w": [["k"], "AtMost(0, k) - 1"]}, "values": {"x": "0"}}
    w["said"] = [[[["choose", "AtMost(0, k)", 1, [[[0, "1"]]]], ["linear", [[1, "-1"]]]]]]
    said = "function w(k), [w(k) >= 0 for whole k >= 0]"
    use = [["use", 0, ["3"], [[]]], ["linear", [[0, "1"]]]]
    assert not refused(f"w(3) >= x - x for {said}", use, w)
    use[0] = ["use", 0, ["-3"], [[]]]
    assert "does not follow" in refused(f"w(-3) >= x - x for {said}", use, w)
    use[0] = ["use", 0, ["1/2"], [[]]]
    assert refused(f"w(1/2) >= x - x for {said}", use, w)
    assert "not seen to be whole" in refused(f"x >= 0 for {said}", [["use", 0, ["x"], [[]]], ["linear", []]], w)


def test_lemmas_have_variables_of_their_own() -> None:
    proof = [["lemma", "[x <= 0 for whole x, x <= 0]", None, [[["linear", [[0, "1"]]]]]], ["linear", []]]
    assert "no new variable" in refused("x <= x for real x", proof, real("x"))
    # under a case on q, a lemma on a variable q would know more than it should
    inner = [["lemma", "[q <= 0 for whole q]", None, [[["linear", [[0, "1"]]]]]], ["linear", []]]
    proof = [["cases", "q", "0", inner, [["linear", []]]]]
    assert "no variable here" in refused("x <= x for real x", proof, real("x"))


def test_inductions() -> None:
    def by(text: str, base: list[object], step: list[object]) -> str:
        return refused("x <= x for real x", [["lemma", text, "n", [[base], [step]]], ["linear", []]], real("x"))

    use = ["use", 0, [], []]
    assert not by("[0 <= n for whole n >= 0]", [["linear", []]], [use, ["linear", [[1, "1"]]]])
    assert "does not follow" in by("[1 <= n for whole n >= 0]", [["linear", []]], [use, ["linear", [[1, "1"]]]])
    assert "does not follow" in by("[n <= 0 for whole n >= 0]", [["linear", []]], [use, ["linear", [[1, "1"]]]])
    assert "nothing else" in by("[0 <= n for whole n, 0 <= n <= 5]", [["linear", []]], [use, ["linear", [[1, "1"]]]])
    assert "whole number" in by("[x <= n for whole n, n >= x]", [["linear", []]], [use, ["linear", [[1, "1"]]]])
    assert "nothing else" in by("[n <= n for whole n]", [["linear", []]], [["linear", []]])


RANKED = "Ranked(w(j), (j, 1, s), i)"
CHOSEN = {"values": {"s": "1", "i": "1"}, "functions": {"w": [["k"], "k"]}, "defined": [], "said": [],
          "held": [[["linear", []]]] * 3}  # fmt: skip
IN = "function w(k), whole s >= 1, whole i, 1 <= i <= s"
VALID = [[[1, "1"]], [[2, "1"]]]


@pytest.mark.parametrize(("statement", "step", "why"), [
    (f"{RANKED} <= {RANKED} - 1", ["ranks", RANKED, RANKED, "-1", "<=", "q", [["linear", []]], VALID], "does not follow"),
    (f"{RANKED} <= {RANKED} + 1", ["ranks", RANKED, RANKED, "q", "<=", "q", [["linear", []]], VALID], "no variable here"),
    (f"{RANKED} <= {RANKED} + 1", ["ranks", RANKED, RANKED, "1", "<=", "s", [["linear", []]], VALID], "no new variable"),
    (f"{RANKED} <= {RANKED} + 1", ["ranks", RANKED, "Ranked(w(j), (j, 1, s), 1)", "1", "<=", "q", [["linear", []]], VALID], "same ends"),
    (f"{RANKED} <= {RANKED} + 1", ["ranks", RANKED, RANKED, "1", "<=", "q", [["linear", []]], [[], [[2, "1"]]]], "does not follow"),
    (f"{RANKED} <= {RANKED} + 1", ["ranks", RANKED, RANKED, "1", "<=", "q", [["linear", []]], [[[1, "1"]], []]], "does not follow"),
    (f"{RANKED} <= s", ["within", RANKED, "s", False, "q", [["linear", [[4, "1"]]]], VALID], "does not follow"),
    (f"{RANKED} = w(i)", ["ordered", RANKED, "p", "q", [["linear", []]], VALID], "does not follow"),
    (f"{RANKED} = w(i)", ["ordered", RANKED, "p", "p", [["linear", []]], VALID], "a variable twice"),
    (f"{RANKED} <= w(s)", ["extremes", RANKED, "s", VALID, [[[0, "1"]], [], []]], "does not follow"),
    (f"w(s + 1) <= {RANKED}", ["extremes", "Ranked(w(j), (j, 1, s), s)", "s + 1", [[[0, "1"]], []], [[[0, "1"]], [], []]], "does not follow"),
    (f"Ranked(w(j), (j, 1, s), s) <= {RANKED}",
     ["higher", "Ranked(w(j), (j, 1, s), s)", RANKED, [[[0, "1"]], []], VALID, [[2, "-1"]]], "may be negative"),
    (f"{RANKED} = w(1)", ["listed", RANKED, [1], []], "numbers for its ends"),
    ("Ranked(w(j), (j, 1, 2), 1) = w(1)", ["listed", "Ranked(w(j), (j, 1, 2), 1)", [1, 2], [[]]], "does not follow"),
    ("Ranked(w(j), (j, 1, 2), 1) = w(1)", ["listed", "Ranked(w(j), (j, 1, 2), 1)", [1, 1], [[]]], "each place once"),
    (f"-{RANKED} = {RANKED}", ["steady", RANKED, "-z", "z", "p", "q", [["linear", [[3, "1"]]]], VALID], "does not follow"),
    (f"{RANKED} = 0", ["sums", "Sum(w(j), (j, 1, s))", "Sum(w(j), (j, 1, s + 1))", "<=", "q", [["linear", []]], [[0, "1"]]], "same range"),
    (f"{RANKED} = 0", ["cut", "Sum(w(j), (j, 1, s))", "s + 1", [[0, "1"]], [[[0, "1"]], []]], "does not follow"),
    (f"{RANKED} = 0", ["one", "Sum(w(j), (j, 1, s))", []], "does not follow"),
    (f"{RANKED} = 0", ["none", "Sum(w(j), (j, 1, s))", []], "does not follow"),
    (f"{RANKED} = 0", ["linear", "Sum(w(j), (j, s + 2, s))", []], "does not follow"),
    (f"{RANKED} = 0", ["all", "Sum(Ranked(w(j), (j, 1, s + 1), r), (r, 1, s))", [[0, "1"]]], "does not follow"),
    (f"{RANKED} = 0", ["all", "Sum(Ranked(w(j)*r, (j, 1, s), r), (r, 1, s))", [[0, "1"]]], "change with the rank"),
])  # fmt: skip
def test_steps_on_ranks_and_sums(statement: str, step: list[object], why: str) -> None:
    assert why in refused(f"{statement} for {IN}", [step, ["linear", [[3, "1"]]]], CHOSEN)


def test_steps_on_sums_that_go_through() -> None:
    s = "Sum(w(j), (j, 1, s))"
    parts = [
        (f"{s} = Sum(w(j), (j, 1, i)) + Sum(w(j), (j, i + 1, s))", ["cut", s, "i", [[0, "1"]], [[[1, "1"]], [[2, "1"]]]]),
        ("Sum(2*w(j) + 3, (j, 1, s)) = 2*Sum(w(j), (j, 1, s)) + 3*s", ["linear", "Sum(2*w(j) + 3, (j, 1, s))", [[0, "1"]]]),
        (f"Sum(Ranked(w(j), (j, 1, s), r), (r, 1, s)) = {s}", ["all", "Sum(Ranked(w(j), (j, 1, s), r), (r, 1, s))", [[0, "1"]]]),
        ("Sum(w(j), (j, i, i)) = w(i)", ["one", "Sum(w(j), (j, i, i))", []]),
        ("Sum(w(j), (j, i + 1, i)) = 0", ["none", "Sum(w(j), (j, i + 1, i))", []]),
        (f"{RANKED} + {RANKED} = Ranked(2*w(j), (j, 1, s), i)",
         ["steady", RANKED, "2*z", "z", "p", "q", [["linear", [[3, "2"]]]], VALID]),
    ]  # fmt: skip
    for statement, step in parts:
        way = "-1" if step[0] == "steady" else "1"
        assert not refused(f"{statement} for {IN}", [step, ["linear", [[3, way]]]], CHOSEN), statement


# --- examples that are to be there --------------------------------------------------------------------------------------


def test_an_example_has_to_obey_the_domain() -> None:
    made = theorem(read_statement(f"W(n, i) >= 0 for {WORK}"), True)
    (one,) = certificate(made)
    assert replay([one]).holds

    def spoiled(change: object) -> None:
        bad = copy.deepcopy(one)
        change(bad["data"]["some"])  # type: ignore[operator]
        with pytest.raises(Refused):
            replay([bad])

    spoiled(lambda some: some["values"].update(s="0"))
    spoiled(lambda some: some["values"].update(s="1/2"))
    spoiled(lambda some: some["functions"]["g"].__setitem__(1, "-1"))
    spoiled(lambda some: some["functions"]["a"].__setitem__(1, "1/2"))
    spoiled(lambda some: some["functions"]["a"].__setitem__(1, "n"))
    spoiled(lambda some: some["functions"].pop("g"))
    spoiled(lambda some: some["defined"][0][1].pop())
    spoiled(lambda some: some["defined"][0][1].reverse())
    spoiled(lambda some: some["said"].pop())
    spoiled(lambda some: some["held"].append([["linear", []]]))


def test_other_rules_know_nothing_of_functions() -> None:
    for rule, data in (("algebra", {}), ("sums", {"by": None})):
        with pytest.raises(Refused):
            apply(rule, statement="x <= x + 1 for function f(n), [f(n) < f(n) for whole n], x >= 0", **data)


def test_a_certificate_is_text_and_is_replayed() -> None:
    made = theorem(read_statement(TRUE[0]), True)
    assert proves(replay(json.loads(json.dumps(certificate(made)))), read_statement(TRUE[0]))


# --- the language -----------------------------------------------------------------------------------------------------


def test_what_is_said_for_all_is_the_same_by_other_names() -> None:
    a, b, c = (canonical(read_statement(f"f(1) >= 0 for function f(n), {said}")) for said in (
        "[f(n) >= 0 for whole n, n >= 1]", "[0 <= f(k) for whole k >= 1]", "[f(n) >= 0 for whole n, n >= 2]"))  # fmt: skip
    assert a == b != c


@pytest.mark.parametrize("text", [
    "f(1) = 0 for function f", "f(1) = 0 for function f(n, n)", "f(1) = 0 for function f(2)", "x = 0 for [x >= 0]",
    "x = 0 for [x >= 0 for x > 0]", "x = 0 for [x >= 0 for real x]", "x = 0 for [x >= 0 for whole x", "x = 0 for x >= 0]",
    "x = 0 for [x -> 0 for whole x]",
])  # fmt: skip
def test_what_is_no_condition_on_functions(text: str) -> None:
    with pytest.raises(ParseError):
        read_statement(text)


FILE = """
paper.key = "demo"
variables.n = "whole, >= 0"
names."twice(k)" = "2*f(k)"
functions."f(n)" = "whole, >= 0, f(0) = 1"
claim.lemma-1.says = "twice(n) >= 0"
"""


def test_functions_of_a_file_are_in_the_closed_statement() -> None:
    said = "function whole f(n), [f(n) >= 0 for whole n], [f(0) = 1 for whole n]"
    assert closed_texts(FILE, "demo.toml") == {"demo/lemma-1": f"2*f(n) >= 0 for {said}, whole n >= 0"}
    for slip in ('functions."n(k)" = ""', 'functions."f" = ""', 'functions."twice(k)" = ""'):
        with pytest.raises(ValueError, match=r"demo.toml"):
            closed_texts(FILE.replace('functions."f(n)" = "whole, >= 0, f(0) = 1"', slip), "demo.toml")


# --- no such functions, or no meaning ------------------------------------------------------------------------

MEANINGLESS = [
    "f(n) = 0 for function f(n), [f(x) = y for whole x, whole y], whole n",
    "x <= 5 for function w(k), x <= w(1/2), w(1/2) <= 5",
    "w(1/2) - w(1/2) = 0 for function w(k)",
    "0*w(1/2) = 0 for function w(k)",
    "Ranked(w(j), (j, 1, s), s + 5) - Ranked(w(j), (j, 1, s), s + 5) = 0 for function w(k), whole s",
    "Sum(f(k), (k, 1, n)) - Sum(f(k), (k, 1, n)) = 0 for function f(k), whole n",
    "Ranked(k, (k, 1, n), n) + x - Ranked(k, (k, 1, n), n) = x for whole n >= 0, x > 0",
    "f(x) <= f(x) + 1 - f(x/2) + f(x/2) for function f(k), whole x",
    "f(0) <= f(0) + 1 for function f(i), function w(k), [f(i) = Ranked(w(j), (j, 1, s), i) for whole i], whole s >= 1, whole i, 1 <= i <= s",
    "f(0) <= f(0) + 1 for function f(n), function w(k), [f(n) = Sum(w(j), (j, 1, n)) for whole n], whole n >= 0",
    "f(1) = pi for function f(n), [f(x) = pi for whole x, whole pi]",
]


@pytest.mark.parametrize("text", MEANINGLESS)
def test_what_has_no_meaning_somewhere_is_no_theorem(text):
    """Arguments that are not whole, ranks outside, ranges that run backwards, also where they cancel; idle variables."""
    with pytest.raises(Refused):
        theorem(read_statement(text), True)


NO_SUCH = {"values": {}, "functions": {}, "defined": [], "said": [], "held": []}
IMPOSSIBLE = [
    (
        "0 = 1 for function f(n), [f(x) = y for whole x, whole y]",
        {"defined": [["f", [0]]]},
        [["use", 0, ["0", "0"], []], ["use", 0, ["0", "1"], []]],
        [[["absurd", [[0, "1"], [1, "-1"]]]]],
    ),
    (
        "0 = 1 for function f(n), whole m, [f(m) = 0 for whole k], [f(n + 1) = Max(f(n), 0) + 1 for whole n, whole m, m <= n]",
        {"values": {"m": "0"}, "defined": [["f", [0, 1]]]},
        [["use", 0, ["0"], []], ["use", 1, ["m - 1", "m - 1"], [[]]], ["bounds", "Max(f(m - 1), 0)"]],
        [[["absurd", [[0, "1"], [1, "-1"], [2, "0"], [3, "1"]]]]],
    ),
    (
        "0 = 1 for function f(i, n), whole k >= 5, [f(i, k) = 0 for whole i], [f(k, n + 1) = Max(f(k, n), 0) + 1 for whole k, whole n >= k]",
        {"values": {"k": "5"}, "defined": [["f", [0, 1]]], "held": [[["linear", []]]]},
        [["use", 0, ["0"], []], ["use", 1, ["0", "k - 1"], [[[0, "1"]]]], ["bounds", "Max(f(0, k - 1), 0)"]],
        [[["absurd", [[1, "1"], [2, "-1"], [4, "1"]]]]],
    ),
    (  # given at 1, where the recursion from 0 says otherwise
        "0 = 1 for function f(n), f(1) = 0, [f(n + 1) = Max(f(n), 0) + 1 for whole n, 0 <= n]",
        {"defined": [["f", [1, 0]]], "held": [[["use", 1, [], []], ["linear", [[0, "1"]]]]]},
        [["use", 0, ["0"], [[]]], ["bounds", "Max(f(0), 0)"]],
        [[["absurd", [[0, "1"], [1, "-1"], [3, "1"]]]]],
    ),
    (  # the recursion has a start of its own, that hides the other
        "0 = 1 for function f(n), whole m, f(m) = 0, [f(n + 1) = Max(f(n), 0) + 1 for whole n, whole m, m <= n]",
        {"values": {"m": "0"}, "defined": [["f", [1, 0]]], "held": [[["use", 1, [], []], ["linear", [[0, "1"]]]]]},
        [["use", 0, ["m - 1", "m - 1"], [[]]], ["bounds", "Max(f(m - 1), 0)"]],
        [[["absurd", [[0, "1"], [1, "-1"], [3, "1"]]]]],
    ),
    (  # given twice
        "0 = 1 for function f(n), f(0) = 0, f(0) = 1, [f(n + 1) = f(n) for whole n, 0 <= n]",
        {
            "defined": [["f", [1, 0]]],
            "said": [[[["use", 1, [], []], ["linear", [[0, "1"]]]]]],
            "held": [[["use", 1, [], []], ["linear", [[0, "1"]]]]] * 2,
        },
        [],
        [[["absurd", [[0, "1"], [1, "-1"]]]]],
    ),
    (
        "0 = 1 for function whole a(n), 2*a(1/2) = 1",
        {"functions": {"a": [["n"], "n"]}, "held": [[["linear", []]]]},
        [
            ["have", "0", "<", "a(1/2)", [["linear", [[0, "-1/2"]]]]],
            ["have", "a(1/2)", "<", "1", [["linear", [[0, "1/2"]]]]],
            ["whole", 2],
        ],
        [[["absurd", [[1, "1"], [3, "1"]]]]],
    ),
    (  # each is given by the one before that starts further down: f(0, 1) > f(1, 0) > f(2, -1) > ..., all above 0
        "k <= f(0, 1) for function f(m, n), [f(m, -2*m) = 0 for whole m], "
        "[f(m, n + 1) = Max(f(m + 1, n), 0) + 1 for whole m, whole n, -2*m <= n], whole k >= 0",
        {"values": {"k": "0"}, "defined": [["f", [0, 1]]], "held": [[["linear", []]]]},
        [
            [
                "lemma", "[j <= f(m, n + 1) for whole j, whole m, whole n, 0 <= j, -2*m <= n]", "j",
                [
                    [[["use", 1, ["m", "n"], [[[1, "1"]]]], ["bounds", "Max(f(m + 1, n), 0)"], ["linear", [[2, "-1"], [4, "1"]]]]],
                    [[
                        ["use", 1, ["m", "n"], [[[1, "1"]]]], ["use", 2, ["m + 1", "n - 1"], [[[1, "1"]]]],
                        ["bounds", "Max(f(m + 1, n), 0)"], ["linear", [[3, "-1"], [4, "1"], [5, "1"]]],
                    ]],
                ],
            ],
        ],
        [[["use", 2, ["k", "0", "0"], [[[0, "1"]], []]], ["linear", [[1, "1"]]]]],
    ),
    (
        "f(1) = pi for function f(n), [f(x) = pi for whole x, whole pi]",
        {"defined": [["f", [0]]]},
        [],
        [[["use", 0, ["1", "5"], []], ["linear", [[0, "1"]]]]],
    ),
]


@pytest.mark.parametrize(("text", "some", "steps", "proofs"), IMPOSSIBLE)
def test_what_no_function_obeys_proves_nothing(text, some, steps, proofs):
    """Definitions with a variable of their own on the right, starts that another variable of the name hides, values that are
    not whole, a constant as a variable."""
    with pytest.raises(Refused):
        apply("order", statement=text, some={**NO_SUCH, **some}, steps=steps, proofs=proofs)


def test_no_name_is_taken_for_the_variable_of_what_is_said():
    found = read_statement("f(5) <= 5 for function f(n), [f(n) <= n__own for whole n], whole n__own >= 0")
    (said,) = [c for c in found.domain if isinstance(c, Every)]
    assert str(said.changed(lambda node: node)) == "[f(n) <= n__own for whole n]"
