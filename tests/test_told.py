"""What a derivation says follows the certificate: another number there is another number in the words, and none is made up."""

import copy
import gzip
import json
import re
from pathlib import Path

import pytest
from gmpy2 import mpq

from asymp.export.derivation import every as printed
from asymp.export.derivation import text
from asymp.kernel import terms
from asymp.kernel.balls.boxes import number_in
from asymp.kernel.facts.ranges import Evaluator, Range
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.summands import INDEX
from asymp.kernel.noted import listening
from asymp.kernel.rings.defined import Range as KernelRange
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import RULES, apply, certificate, read_closed, replay
from asymp.language.conditions import read_conditions
from asymp.language.statement import read_statement
from asymp.prove.bounds import holds
from asymp.prove.claims import theorem
from asymp.prove.derivation import _TOLD, _Teller, _Written, derivation, in_chains
from asymp.prove.rule_words import LAST, ROLES, WORDS
from asymp.prove.telling import abbreviated
from asymp.prove.told_bounds import told
from asymp.prove.written import in_factors, labelled, set_text

WALK = (
    "visits(b, n, p) = jumps of: whole n, n >= 1, 0 < p < 1; states whole b, 0 <= b <= n; "
    "(b) -> (b + 1) with p for b < n; (b) -> (b - 1) with 1 - p for b > 0; (0) -> (0) with 1 - p; (n) -> (n) with p"
)
POOL = (
    "busy(n, r) = number at 1 of: whole n, n >= 1, r > 0; counts s(k) of n for 0 <= k <= 1; "
    "(k) -> (k + 1) at r*s(k) for k < 1; (k) -> (k - 1) at s(k) for k > 0"
)
HALF = {"statement": "log(1 + x) < x for x > 0", "point": {"x": "1"}, "bits": 96}
MADE = {
    "boxes": {"statement": "x*y <= 1 for 0 <= x <= 1, 0 <= y <= 1, x + y <= 1", "cover": [["x", "1/2", "ok", "ok"]], "bits": 64},
    "line": HALF | {"pieces": [["0", "1/4", "after", 2], ["1/4", "4", "boxes", "slope"], ["4", "", "far", 3]]},
    "witness": {"statement": "log(1 + x) >= 2*x/(2 + x) for x > -1", "at": {"x": "-7/8"}, "bits": 64},
    "chain": {
        "chain": WALK, "given": "", "law": [{"ranges": [["b", "0", "n"]], "is": "p^b*(1 - p)^(-b)", "rate": None}], "home": ["0"],
        "order": [["b > 0", 1, "b"]], "function": "visits", "piece": 0,
    },
    "population": {"chain": POOL, "weight": "r^k", "of_total": "1", "statement": "busy(n, r) = n*r/(1 + r) for whole n, n >= 1, r > 0"},
    "sums": {"statement": "n*(n + 1) >= 2*n for whole n >= 1", "by": []},
    "algebra": {"statement": "x^2 + 1 >= x for x > 1"},
}  # fmt: skip
CHANGED = {
    "boxes": [(("cover",), [["x", "1/2", ["y", "1/3", "ok", "ok"], "ok"]], "3 boxes, at most 2 cuts deep"), (("bits",), 72, "72 bits")],
    "line": [(("pieces", 1, 1), "5", "1/4 ≤ x ≤ 5"), (("pieces", 2, 0), "3", "x ≥ 3"), (("bits",), 80, "80 bits")],
    "witness": [(("at", "x"), "-3/4", "left side is -1.38629..., and the right side is -6/5")],
    "chain": [(("law", 0, "is"), "7*p^b*(1 - p)^(-b)", "q = 7")],
    "population": [(("weight",), "3*r^k", "w(k) = 3")],
    "algebra": [(("statement",), "x^2 + 7 >= x for x > 1", "+ 7")],
}  # fmt: skip


def said(rule, data):
    steps = derivation([{"rule": rule, "premises": [], "data": data}], {})
    return re.sub(r"\s+", " ", " ".join(text(steps, full=True)))


@pytest.mark.parametrize(("rule", "change"), [(rule, one) for rule, several in CHANGED.items() for one in several])
def test_the_words_follow_the_certificate(rule, change):
    path, value, words = change
    data = copy.deepcopy(MADE[rule])
    assert words not in said(rule, data)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    assert words in said(rule, data)


def test_pieces_that_still_cover_are_told_as_they_are():
    data = HALF | {"pieces": [["0", "1/4", "after", 2], ["1/4", "5", "boxes", "slope"], ["5", "", "far", 3]]}
    words = said("line", data)
    assert "1/4 ≤ x ≤ 5" in words
    assert "x ≥ 5" in words
    assert "x ≥ 4" not in words


def test_what_is_not_proved_is_not_told():
    wrong = {
        "boxes": {"statement": "x*y <= 1/9 for 0 <= x <= 1, 0 <= y <= 1"}, "witness": {"at": {"x": "1"}},
        "line": {"pieces": [["0", "1/4", "after", 2], ["1/2", "4", "boxes", "slope"], ["4", "", "far", 3]]},
        "chain": {"home": ["2*n"]}, "population": {"weight": "r^(2*k)"},
    }  # fmt: skip
    for rule, change in wrong.items():
        with pytest.raises(Refused):
            said(rule, MADE[rule] | change)


def test_listening_changes_no_theorem():
    for rule, data in MADE.items():
        plain = apply(rule, **data)
        with listening() as notes:
            heard = apply(rule, **data)
        assert (str(heard.statement), heard.holds, heard.trusts) == (str(plain.statement), plain.holds, plain.trusts)
        assert notes[-1].kind == "theorem"


def test_a_refuted_comparison_has_its_sides_as_they_stand_in_it():
    found = theorem(read_statement("log(1 + x) >= 2*x/(2 + x) for x > -1"), False)
    words = " ".join(text(derivation(certificate(found), {})))
    assert "it fails at x = -7/8" in words
    assert re.search(r"the left side is -2\.07944\S*, and the right side is -14/9", words)


def test_a_part_that_is_used_once_takes_no_label_from_the_others():
    found = theorem(read_statement("n^2*(1 + 1/n)^n*exp(1/n) ~ exp(1)*n^2 as n -> oo"), True)
    labels = [
        int(k)
        for step in derivation(certificate(found), {})[1].steps
        for k in re.findall(r"^A_\{(\d+)\} =", step.latex)
    ]
    assert labels == list(range(1, len(labels) + 1))


def test_words_of_rules_can_be_filled_in():
    for rule in RULES:
        data = _Written(_Teller({}), {"variable": "k", "value": "2", "by": ["k"], "values": {"m": "n"}, "at": ["1"]})
        assert rule in _TOLD or "{" not in re.sub(r"\$[^$]*\$", "", WORDS[rule].format_map(data))
        assert all(role.format_map(data) for role in ROLES.get(rule, ()))
    assert ROLES.keys() | LAST <= RULES.keys()


def test_a_certificate_is_heard_step_by_step():
    found = replay(certificate(theorem(read_statement("log(n + 1) <= harmonic(n) for whole n >= 1"), True)))
    teller = _Teller({})
    root = teller.replayed(certificate(found))
    todo = [root]
    while todo:
        one = todo.pop()
        todo += one.made[1]
        assert [note.kind for note in teller.notes[one]] == [note.kind for note in _Teller({}).heard(one)]


# --- what is written otherwise is the same ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("statement", "at"),
    [
        ("x^2 - x*y + y^2 >= 0 for real x, real y", {"x": "3/4", "y": "-5/2"}),
        ("(1 + 1/n)^n is increasing in n for n > 0", {"n": "7/3"}),
        ("log(1 + x) <= x/sqrt(1 + x) for x >= 0", {"x": "5/3"}),
    ],
)
def test_the_sides_of_what_a_proof_by_bounds_says_are_equal(statement, at):
    place = {v: Range(number_in(x), number_in(x)) for v, x in at.items()}
    seen = 0
    for step in printed(told(holds(read_statement(statement)).made[2], str)):
        sides = re.split(r" \\[gl]e | [<>] ", step.latex)[0].split(" = ")
        if len(sides) == 2:
            low, high = (Evaluator(128).range(terms.read(side), place) for side in sides)
            assert low.low <= high.high
            assert high.low <= low.high
            seen += 1
    assert seen


@pytest.mark.parametrize(
    "text",
    [
        "(2*x^2 - 2)*y/3",
        "E*x/(E*x + E)",
        "exp(y)*x/(exp(y) - exp(2*y))",
        "1/sqrt(pi)/(x/sqrt(pi) + y)",
        "x^(1/2)*(x + 1)/(x^2 + x)",
    ],
)
def test_factors_are_those_of_the_value(text):
    at = Domain(within={"x": KernelRange(mpq(1), True), "y": KernelRange(mpq(0), True)})
    value = at.value(terms.read(text))
    assert (at.value(in_factors(value)) - value).is_zero


@pytest.mark.parametrize(
    ("product", "shown"),
    [
        ("sqrt(2)*sqrt(pi)/2", r"\frac{\sqrt{2 \pi}}{2}"),
        ("1/(sqrt(n)*sqrt(pi))", r"\frac{1}{\sqrt{n \pi}}"),
        ("sqrt(n)/sqrt(2)", r"\frac{\sqrt{n}}{\sqrt{2}}"),
    ],
)
def test_one_root_of_a_product_is_the_product_of_roots(product, shown):
    assert set_text(product, {}) == shown


@pytest.mark.parametrize(("where", "i", "minus"), [("0 < x, x <= 1", 1, True), ("1 <= x", 0, False)])
def test_the_derivative_down_from_an_end_is_said_with_its_sign(where, i, minus):
    proofs = [["slope", "x", i, ["by", []], ["by", []]]]
    point = {"x": "1"}
    steps = list(printed(told({"statement": f"log(x) <= x - 1 for {where}", "point": point, "proofs": proofs}, str)))
    assert apply("bounds", statement=f"log(x) <= x - 1 for {where}", point=point, proofs=proofs)
    assert steps[2].rule.startswith("Minus its derivative in x" if minus else "Its derivative in x")
    assert steps[2].latex in (
        ("x^(-1) - 1 > 0", "-1 + x^(-1) > 0", "-(x - 1)*x^(-1) > 0") if minus else ("1 - x^(-1) > 0",)
    )


def kept(name):
    with gzip.open(Path(__file__).parent / "golden" / "papers-certificates.jsonl.gz", "rt", encoding="utf-8") as lines:
        return next(json.loads(line)["certificate"] for line in lines if line.startswith(f'{{"id": "{name}"'))


def test_letters_stand_for_what_is_written_and_shorten_the_page():
    steps = kept("lfms/equation-1")
    statements = [read_closed(one["data"]["statement"]) for one in steps if "statement" in one["data"]]
    sides = [terms.of(node) for one in statements for node in one.terms()]
    letters = abbreviated(sides, "K_")
    assert letters
    for side in sides:
        back = labelled(side, letters)
        for long, letter in reversed(letters.items()):
            back = terms.substitute(back, {letter.name: long})
        assert back == side
    told_ = derivation(steps, {})
    shown = [step.latex for step in printed(told_)]
    own = [latex for latex in shown if re.match(r"K_\{\d\} = ", latex)]
    assert any("K_" in latex.partition(" = ")[2] for latex in own)  # of long terms in which others stand
    for latex in own:  # each letter is written before it is used
        letter = latex.partition(" = ")[0]
        first = next(k for k, one in enumerate(shown) if letter in one)
        assert shown[first] == latex
    assert not abbreviated([terms.read("x + 1/x")] * 50, "K_")


def test_what_a_method_has_seen_is_so():
    notes = _Teller({}).heard(
        theorem(read_statement("Sum((n/2)^k/k!, (k, 0, n - 1)) ~ exp(n/2) as whole n -> oo"), True)
    )
    (closed,) = [note.of for note in notes if note.kind == "closed"]
    place = {v: Range(number_in("7"), number_in("7")) for v in terms.free(closed["term"])}
    one, other = (Evaluator(128).range(closed[key], place) for key in ("term", "by"))
    assert one.low <= other.high
    assert other.low <= one.high
    notes = _Teller({}).heard(
        theorem(read_statement("Sum(1/(k^2 + k^3), (k, n, oo)) ~ 1/(2*n^2) as whole n -> oo"), True)
    )
    seen = next(note.of for note in notes if note.kind == "differences")
    for k in (40, 80):
        at = {INDEX: Range(number_in(str(k)), number_in(str(k)))}
        before = {INDEX: Range(number_in(str(k - 1)), number_in(str(k - 1)))}
        f, one, two, *left = (
            float(Evaluator(128).range(term, place).high)
            for term, place in [
                (seen["of"], at),
                (seen["by"], at),
                (seen["by"], before),
                *((g, at) for g in seen["left"]),
            ]
        )
        assert left
        assert abs(f - (one - two)) <= 100 * sum(left)
        assert abs(f - (one - two)) < f / 100


@pytest.mark.parametrize(("c", "radius"), [("", r"2 \\sqrt\{n\}"), ("9*", r"6 \\sqrt\{n\}")])
def test_a_saddle_is_told_as_it_is_again_and_again(c, radius):
    for _ in range(2):  # what is remembered is told too
        found = theorem(read_statement(f"[z^n] exp({c}z/(1 - z)) = O(exp({c or '9*'}n)) as whole n -> oo"), True)
        (said,) = [step for step in printed(derivation(certificate(found), {})) if r"\kappa =" in step.latex]
        assert re.search(rf"G\(r\) - n \\ln r = {radius}", said.latex)


def test_a_lemma_in_a_proof_by_order_has_its_proof():
    steps = list(printed(derivation(kept("mjsre/theorem-4.2-homogeneity"), {})))
    rules = [step.rule for step in steps]
    assert "It is shown by induction on $n'$ that" in rules
    assert any(rule == "At the next value it is shown that" for rule in rules)
    assert not any("n_" in rule for rule in rules)
    parts = [int(step.name.removeprefix("Part ")) for step in steps if step.name.startswith("Part ")]
    assert parts == sorted(parts)


def test_ranges_are_chains_and_kinds_stay_where_they_are_needed():
    read = [
        str(one)
        for one in in_chains(read_conditions("whole k, k = x/2, whole n, n <= m, m < 7, whole a, 1 <= a, a <= 1"))
    ]
    assert read == ["whole k", "whole n", "k = x/2", "n <= m < 7", "a = 1"]


def test_what_says_nothing_is_not_said():
    both = [apply("algebra", statement="1 = 1 for x > 0"), apply("algebra", statement="x + 1 > 0 for x > 0")]
    found = apply("all", both, statement="1 = 1 and x + 1 > 0 for x > 0")
    assert [step.latex for step in printed(derivation(certificate(found), {}))][1:] == ["x + 1 > 0", ""]
