"""The kernel: what its rules conclude, what each of their conditions keeps out, and certificates that are replayed."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from dataclasses import replace

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from witnessed import along, leaf, witnessed

from asymp import registry
from asymp.cli import main
from asymp.export.derivation import every
from asymp.kernel import terms
from asymp.kernel.growths.expander import Expander
from asymp.kernel.growths.growth import Domain
from asymp.kernel.growths.series import Algebra
from asymp.kernel.records import GIVEN, OPEN, REFUSED, REPLAYED, replayed
from asymp.kernel.terms import Refused, canonical
from asymp.kernel.theorem import RULES, Theorem, apply, certificate, proves, replay, rule
from asymp.language.bodies import Limiting, Ordering, Ratio
from asymp.language.statement import read_statement
from asymp.language.syntax import Node, Parser
from asymp.prove.claims import theorem
from asymp.prove.derivation import derivation

PLACE = {"scales": {"s": "n"}, "values": {"n": "s"}}
LOGS = "harmonic(n) ~ log(n) as whole n -> oo"
TWO = {"scales": {"v": "1/q", "w": "n*q"}, "values": {"q": "1/v", "n": "v*w"}, "small": {"p": "q"}}
DOMINATED = "as whole n -> oo, p -> 0+, n*p -> oo"


def holds(statement, place=None, order=3, premises=()):
    return witnessed("asymptotic", premises, statement=statement, order=order, place=place or PLACE)


def refused(text, *, rule="asymptotic", match="", **data):
    if rule == "asymptotic":
        data = {"order": 3, "place": PLACE} | along(text) | data
    with pytest.raises(Refused, match=match or None):
        apply(rule, data.pop("premises", ()), statement=text, **data)


# --- terms ---------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["x", "y", "n"]).map(terms.name)
NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=4).map(terms.number)


def _powers(inner):
    return st.tuples(inner, st.integers(1, 3)).map(lambda t: terms.power(t[0], terms.number(t[1])))


TERMS = st.recursive(
    st.one_of(NAMES, NUMBERS),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda t: terms.add(*t)),
        st.tuples(inner, inner).map(lambda t: terms.multiply(*t)),
        inner.map(lambda t: terms.call("exp", t)),
        _powers(inner),
        inner.map(lambda t: terms.of(Parser(f"Sum(({t})*k, (k, 1, n))").whole())),
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(TERMS)
def test_a_term_is_read_back_as_itself(term):
    assert terms.read(str(term)) == term


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a + b*c", "c*b + a"), ("a - b", "-1*b + a"), ("1/2*x", "x*0.5"), ("a/b", "a*b^(-1)"), ("sqrt(x)", "x^(1/2)"),
        ("Sum(k*j, (k, 1, j), (j, 1, n))", "Sum(a*b, (a, 1, b), (b, 1, n))"), ("E^x", "exp(x)"), ("n!", "factorial(n)"),
    ],
)  # fmt: skip
def test_what_is_written_otherwise_is_the_same_term(first, second):
    assert terms.read(first) == terms.read(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("x - x", "0"), ("x/x", "1"), ("x^0", "1"), ("sqrt(x)^2", "x"), ("Sum(k, (k, 1, n))", "Sum(n, (k, 1, n))"),
        ("Sum(k*j, (k, 1, n), (j, 1, n))", "Sum(k*k, (k, 1, n), (j, 1, n))"), ("0*x", "0"), ("log(x*y)", "log(x) + log(y)"),
    ],
)  # fmt: skip
def test_no_more_is_the_same_term(first, second):
    assert terms.read(first) != terms.read(second)


def test_powers_too_long_to_write_down_stay_as_they_are():
    assert terms.read("(1e999999)^9999").head == "power"
    assert terms.read("(10^5000)^2") == terms.read("10^10000")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("f <= g for x > 0", "f <= g for x >= 0"),
        ("f <= g for x > 0", "f <= g for whole x > 0"),
        ("f ~ g as p -> 0+", "f ~ g as p -> 0"),
        ("f ~ g as n -> oo", "f ~ g as whole n -> oo"),
        ("f = O(g) as n -> oo", "f = o(g) as n -> oo"),
        ("f = O(g) as n -> oo", "f = O(g) uniformly in 1 <= i <= n as n -> oo"),
        ("f < g for x > 0", "g < f for x > 0"),
    ],
)
def test_statements_that_say_something_else_are_others(first, second):
    assert canonical(read_statement(first)) != canonical(read_statement(second))


# --- series --------------------------------------------------------------------------------------------

EXPRESSIONS = [
    "log(n + 3)", "(n^2 + n)^(1/3)", "harmonic(n^2 + 1)", "exp(1/n)*log(1 + n)", "1/(log(n) + 1)", "(1 + 2/n)^n",
    "log(log(n^2) + 1/n)", "harmonic(n) - harmonic(2*n)", "n*(exp(1/n) - 1)", "digamma(n + 1/2)", "loggamma(n + 1/3)",
    "(1 - 1/n)^(3*n)/(1 + log(n)/n)", "sqrt(n^2 + n) - n", "exp(sqrt(n + 1) - sqrt(n))",
]  # fmt: skip


def _value(term, n):
    """By mpmath, which shares nothing with the kernel."""
    mp = mpmath
    functions = {
        "log": mp.log, "exp": mp.exp, "harmonic": lambda x: mp.digamma(x + 1) + mp.euler, "digamma": mp.digamma,
        "loggamma": mp.loggamma,
    }  # fmt: skip
    parts = [_value(part, n) for part in term.parts]
    match term.head:
        case "number":
            return mp.mpf(term.number.numerator) / term.number.denominator
        case "name":
            return {"n": n, "pi": mp.pi, "E": mp.e, "EulerGamma": mp.euler}[term.name]
        case "sum":
            return mp.fsum(parts)
        case "product":
            return mp.fprod(parts)
        case "power":
            return parts[0] ** parts[1]
    return functions[term.head](*parts)


def _growth(growth, n):
    found = mpmath.mpf(1)
    for (_, depth), e in growth.powers:
        level = n
        for _ in range(depth):
            level = mpmath.log(level)
        found *= level ** _value(_term(e), n)
    return found * mpmath.exp(mpmath.fsum(_value(_term(c), n) * _growth(g, n) for c, g in growth.exponent))


def _term(ratio):
    from asymp.kernel.rings.field import to_term

    return to_term(ratio)


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.parametrize("order", [2, 4])
def test_a_remainder_bounds_what_is_left(text, order):
    term = terms.read(text)
    found = Expander(Algebra(Domain(), order), {"n": 0}, {}).series(term)
    quotients = []
    with mpmath.workdps(400):
        for exponent in (6, 12, 24):
            n = mpmath.mpf(10) ** exponent
            left = _value(term, n) - mpmath.fsum(_value(_term(c), n) * _growth(g, n) for c, g in found.terms)
            size = mpmath.fsum(_growth(r, n) for r in found.rest)
            quotients.append(float(abs(left) / size) if found.rest else float(abs(left) * 10**200))
    assert max(quotients) < 1000
    assert quotients[-1] <= 3 * quotients[0] + 1e-9


# --- what the rules keep out -----------------------------------------------------------------------------


def test_the_slice():
    assert holds(LOGS).trusts == {"DLMF 5.11.2", "DLMF 5.4.14"}
    assert not theorem(read_statement("harmonic(n) = log(n) + o(1) as whole n -> oo"), False).holds
    assert proves(apply("algebra", statement="3 - 2*a < 2 - a for a > 1"), read_statement("2 - a > 3 - a*2 for 1 < a"))


@pytest.mark.parametrize(
    "text",
    [
        "harmonic(n) ~ log(n)*(1 + 10^(-200)) as whole n -> oo",
        "harmonic(n) ~ -log(n) as whole n -> oo",
        "harmonic(n) = log(n) + EulerGamma + 1/(2*n) + O(1/n^3) as whole n -> oo",
        "harmonic(n) = log(n) + EulerGamma*(1 + 10^(-200)) + o(1) as whole n -> oo",
        "harmonic(n) = o(log(n)) as whole n -> oo",
        "log(n) = Omega(n) as whole n -> oo",
    ],
)
def test_false_statements_have_no_theorem(text):
    refused(text)


@pytest.mark.parametrize("c", ["c > -1", "c < 1", "0 < c < 2", "c >= 1"])
def test_a_parameter_of_unknown_sign_is_no_positive_one(c):
    factor = "c" if c in ("c > -1", "c < 1") else "(c - 1)"
    refused(f"{factor}*n + log(n) -> oo as whole n -> oo for {c}")
    assert holds("c*n + log(n) -> oo as whole n -> oo for c > 0").holds


@pytest.mark.parametrize(
    ("text", "data"),
    [
        (LOGS, {"place": {"scales": {"s": "log(n)"}, "values": {"n": "exp(s^2)"}}}),  # n is not that
        (LOGS, {"place": {"scales": {"s": "1/n"}, "values": {"n": "1/s"}}}),  # does not tend to infinity
        (LOGS, {"place": {"scales": {"n": "n"}, "values": {"n": "n"}}}),  # the name is taken
        (LOGS, {"place": {"scales": {"s": "n"}, "values": {}}}),
        (LOGS, {"place": {"scales": {"s": "n"}, "values": {"n": "s", "p": "s"}}}),
        (LOGS, {"order": 0}), (LOGS, {"order": True}), (LOGS, {"order": 10**9}), (LOGS, {"order": 3.0}),
        (f"(1 - p)^n -> 0 {DOMINATED}", {"place": TWO | {"scales": {"v": "1/q", "w": "n*q^2"}}}),  # not a condition
        (f"(1 - p)^n -> 0 {DOMINATED}", {"place": TWO | {"small": {"n": "q"}}}),
        ("p*n -> 0 as whole n -> oo, p -> 0+", {"place": {"scales": {"v": "1/p", "w": "n"}, "values": {"p": "1/v", "n": "w"}}}),
        ("1/log(p) -> 0 as p -> 0+", {"place": {"scales": {"v": "1/p"}, "values": {"p": "-1/v"}}}),
        ("n*i = O(n) uniformly in 1 <= i <= n as whole n -> oo", {}),
        ("log(n) <= n for n >= 1", {}),
    ],
)  # fmt: skip
def test_a_regime_is_what_its_conditions_say(text, data):
    refused(text, **data)


def test_a_statement_in_two_quantities():
    assert holds(f"(1 - p)^n = o(1/(n*p)^7) {DOMINATED}", TWO).holds
    refused(f"(1 - p)^n = o(p) {DOMINATED}", place=TWO)  # neither outweighs the other


@pytest.mark.parametrize(
    "statement",
    [
        "log(n) = n + O(1) as n -> oo",
        "n = O(1) as n -> oo",
        "harmonic(n)*2 = O(1) as n -> oo",
        "zeta(n) = harmonic(n) + O(1) as n -> oo",
        "zeta(n) <= 1 for n > 2",
        "zeta(n) ~ 1 as n -> oo",
        "zeta(n) = 1 + o(1) as n -> oo",
        "0 = 1 + O(1/n) as n -> oo",
        "zeta(n) = 1 + O(1/n) uniformly in 1 <= i <= n as n -> oo",
    ],
)
def test_a_leaf_is_an_expansion_of_one_atom(statement):
    refused(statement, rule="leaf", place=PLACE, runner="k", values={"n": "k"})


def test_a_leaf_is_used_in_its_own_regime_and_domain_and_is_named():
    known = leaf("parallel_occupancy(n, 1/2) = 1 + O(1/n) as whole n -> oo for c > 1")
    text = "parallel_occupancy(n, 1/2)*c -> c as whole n -> oo for c > {}"
    found = holds(text.format(1), premises=[known])
    assert found.trusts == {"engine: parallel_occupancy", "row: asymp/parallel_occupancy"}
    refused(text.format(0), premises=[known], match="another regime or domain")
    refused("parallel_occupancy(n, 1/2) -> 1 as n -> oo for c > 1", premises=[known], match="another regime or domain")
    refused(text.format(1), match="no series of parallel_occupancy")
    refused(text.format(1), premises=[apply("algebra", statement="1 < 2 for x > 0")])


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("n*p -> 1 as whole n -> oo, p -> 0+", {"n": "s", "p": "1/s"}),  # it holds there
        ("n*p -> 1 as whole n -> oo, p -> 0+", {"n": "s", "p": "2"}),  # p does not tend to 0
        ("n*p -> 1 as whole n -> oo, p -> 0+", {"n": "s", "p": "-1/s"}),  # from below
        ("n*p -> 1 as whole n -> oo, p -> 0+", {"n": "s/2", "p": "1/s"}),  # n is not whole
        ("n*p -> 1 as whole n -> oo, p -> 0+, n*p -> oo", {"n": "s", "p": "2/s"}),
        ("a*n ~ n as whole n -> oo for a > 2", {"n": "s", "a": "2"}),  # at the end of the domain
        ("a*n ~ n as whole n -> oo for whole a > 0", {"n": "s", "a": "1/2"}),
        ("a*n ~ n as whole n -> oo for a in {1, 2}", {"n": "s", "a": "3"}),
        ("a*n ~ n as whole n -> oo for a > 0", {"n": "s"}),
        ("n ~ n + 1 as whole n -> oo", {"n": "s"}),
        ("n*p ~ 1 as whole n -> oo, p = c/n for c > 0", {"n": "s", "p": "2/s", "c": "3"}),  # not the tie
    ],
)
def test_a_path_obeys_every_condition(text, values):
    refused(text, rule="path", order=3, runner="s", values=values)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("n*p -> 1 as whole n -> oo, p -> 0+", {"n": "s", "p": "2/s"}),
        ("a*n ~ n as whole n -> oo for a > 1", {"n": "s", "a": "1 + 10^(-200)"}),
        ("n*p ~ 1 as whole n -> oo, p = c/n for c > 0", {"n": "s", "p": "2/s", "c": "2"}),
        ("log(n) = O(1) as whole n -> oo", {"n": "s"}),
        ("a*n ~ n as whole n -> oo for a in {1, 2}", {"n": "s", "a": "2"}),
    ],
)
def test_a_path_refutes(text, values):
    assert apply("path", statement=text, order=3, runner="s", values=values).holds is False


@pytest.mark.parametrize(
    "text",
    [
        "a < 2*a for a > -1", "a^2 > 0 for a >= 0", "a <= 2*a for a > -10^(-200)", "1/a > 0 for a > -1", "log(a) > -5 for a > 0",
        "a*b > 0 for a > 0", "x/x = 1 for x > -1", "x + y + 1/x > 1/2 for x > 0, y > 0", "x*(1 - x)*y < y/4 for 0 < x < 1, y > 0",
        "a < b for a > 0, b > a",
        "1 - x > 0 for 0 < x <= 1", "2 < 1 for x > 0", "1/3 = 0.3333333333333333333 for x > 0", "log(x)/log(x) = 1 for x > 0",
        "exp(x) > 1 + x + x^2 for x > 0", "exp(x) > 1 for x > -1", "exp(-x) < 1 for x >= 0", "exp(x) > 1 + 10^(-200) for x > 0",
    ],
)  # fmt: skip
def test_algebra_refuses_what_it_does_not_see(text):
    refused(text, rule="algebra")


@pytest.mark.parametrize(
    "text",
    [
        "1 - x > 0 for 0 < x < 1", "x - x = 0", "sqrt(a^2) = a for a > 0", "exp(-x) < 1 for x > 0", "exp(2*x) > exp(x) for x > 0",
        "(1 - exp(-x))*exp(-x/2) > 0 for x > 0", "(x + 1)^2 = x^2 + 2*x + 1 for x > 0", "pi > 3.14159 for x > 0",
        "log(2) + log(3) = log(6) for x > 0", "1/(1 - x) - 1/(1 + x) = 2*x/(1 - x^2) for 0 < x < 1",
    ],
)  # fmt: skip
def test_algebra_sees(text):
    assert apply("algebra", statement=text).holds


# --- theorems and certificates ------------------------------------------------------------------------------


def test_theorems_are_made_by_rules_and_do_not_change():
    found = holds(LOGS)
    with pytest.raises(AttributeError):
        found.holds = False
    with pytest.raises(TypeError):
        Theorem(None, found.statement, True, frozenset(), found.made)
    with pytest.raises(Refused):
        apply("no such rule")
    with pytest.raises(Refused, match="no theorem"):
        apply("all", [found.statement], statement="1 < 2 and 2 < 3 for x > 0")
    with pytest.raises(ValueError, match="second rule"):
        rule("leaf")(RULES["leaf"])


def test_all_needs_every_part_and_one_failure_is_enough():
    text = "1 < a and a < 2 for 1 < a < 2"
    parts = [apply("algebra", statement=f"{part} for 1 < a < 2") for part in ("1 < a", "a < 2")]
    assert apply("all", parts, statement=text).holds
    for wrong in (parts[:1], parts[::-1], [*parts, parts[0]], []):
        refused(text, rule="all", premises=wrong)
    other = apply("algebra", statement="1 < a for a > 1")
    refused(text, rule="all", premises=[other, parts[1]])


def entry(text=LOGS, outcome=True):
    found = theorem(read_statement(text), outcome)
    steps, trusts = certificate(found), sorted(found.trusts)
    said = "holds" if outcome else "refuted"
    return {"id": "me/x", "closed": text, "outcome": said, "strength": "proved", "certificate": steps, "trusts": trusts}


def test_edited_certificates_are_refused():
    good = entry("harmonic(n)*zeta(3) ~ log(n)*zeta(3) as whole n -> oo")
    assert replayed(good).told == REPLAYED
    edits = []
    for key, value in [("outcome", "refuted"), ("outcome", "undecided"), ("closed", LOGS), ("closed", 7), ("closed", None),
                       ("certificate", []), ("certificate", 3), ("certificate", [3]), ("trusts", [])]:  # fmt: skip
        edits.append(good | {key: value})
    for change in ({"rule": "algebra"}, {"premises": [0]}, {"premises": [-1]}, {"premises": [True]}, {"extra": 1}, {"data": []}):
        steps = copy.deepcopy(good["certificate"])
        steps[0] |= change
        edits.append(good | {"certificate": steps})
    assert [replayed(edit).told for edit in edits] == [REFUSED] * len(edits)
    assert replayed(good | {"certificate": None}).told == OPEN


def test_an_edited_shown_statement_is_refused(tmp_path, capfd):
    """Beside an intact certificate, with a file of claims and without."""
    file, record = tmp_path / "mine.toml", tmp_path / "r.json"
    file.write_text(
        '[paper]\nkey = "mine"\n[names]\n"h(k)" = "harmonic(k)"\n[claim.lemma-1]\nsays = "h(n) ~ log(n)"\nto = "whole n -> oo"\n'
    )
    assert main(["check", str(file), "--json", str(record)]) == 0
    assert main(["verify", str(record)]) == main(["verify", str(record), "--claims", str(file)]) == 0
    (good,) = json.loads(record.read_text())["claims"]
    shown = good["statement"]
    for edit in (
        {"statement": shown.replace("log(n)", "2*log(n)")}, {"statement": shown.replace("whole n", "n")}, {"statement": "h(n"},
        {"statement": shown + " for n > 3"}, {"where": ["h(k) = 2*harmonic(k)"]}, {"where": []}, {"where": "h"}, {"statement": 3},
        {"statement": "log(n) ~ n as whole n -> oo", "where": ["log(n) = harmonic(n)"]},
    ):  # fmt: skip
        record.write_text(json.dumps({"claims": [good | edit]}))
        capfd.readouterr()
        assert main(["verify", str(record)]) == main(["verify", str(record), "--claims", str(file)]) == 1, edit
        assert "mine/lemma-1: refused: what is shown" in capfd.readouterr().out


WITH_A_LEAF = "parallel_occupancy(n, p) = O(1) as whole n -> oo for 0 < p < 1"
"""What the kernel has no series for, and a method's word is taken."""


def test_a_leaf_is_reported_and_cannot_be_hidden():
    found = entry(WITH_A_LEAF)
    told = replayed(found)
    assert told.told == GIVEN and "engine: parallel_occupancy" in told.trusts
    assert replayed(found | {"trusts": []}).told == REFUSED


def test_replaying_needs_no_sympy(tmp_path):
    given = entry(WITH_A_LEAF) | {"id": "me/y"}
    record = {"claims": [entry(), given], "summary": {}}
    (tmp_path / "r.json").write_text(json.dumps(record))
    code = "import sys; sys.modules['sympy'] = None\nfrom asymp.cli import main\nsys.exit(main(['verify', 'r.json', '--all']))"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "me/y: replayed given" in run.stdout and "engine: parallel_occupancy" in run.stdout


def test_a_record_is_verified_by_itself_and_beside_its_file(tmp_path, capfd):
    file, record = tmp_path / "mine.toml", tmp_path / "r.json"
    file.write_text(
        '[paper]\nkey = "mine"\n[claim.lemma-1]\nsays = "harmonic(n) ~ log(n)"\nto = "whole n -> oo"\n'
        '[claim.lemma-2]\nsays = "harmonic(n) ~ 2*log(n)"\nto = "whole n -> oo"\n'
        '[claim.lemma-3]\nsays = "Integral(exp(-t^2), (t, 0, x)) < 1"\nfor = "0 <= x <= 1/2"\n'
    )
    assert main(["check", str(file), "--json", str(record)]) == 1  # lemma 2 is not as expected
    assert main(["verify", str(record), "--claims", str(file), "--leaves"]) == 0
    told = {e["id"]: replayed(e).told for e in json.loads(record.read_text())["claims"]}
    assert [told[f"mine/lemma-{k}"] for k in (1, 2, 3)] == [REPLAYED, REPLAYED, OPEN]
    file.write_text(file.read_text().replace("2*log(n)", "3*log(n)"))
    capfd.readouterr()
    assert main(["verify", str(record), "--claims", str(file)]) == 1
    assert "mine/lemma-2: refused: the file of claims says something else" in capfd.readouterr().out
    forged = json.loads(record.read_text())
    forged["claims"][0]["certificate"] = None  # lemma 1, said to be proved
    record.write_text(json.dumps(forged))
    assert main(["verify", str(record)]) == 1
    for path, text in (("none.json", None), ("bad.json", "{"), ("list.json", "[]"), ("odd.json", '{"claims": [1]}')):
        if text is not None:
            (tmp_path / path).write_text(text)
        capfd.readouterr()
        assert main(["verify", str(tmp_path / path)]) == main(["verify", str(record), "--claims", str(tmp_path / path)]) == 2
        assert len(capfd.readouterr().err.splitlines()) == 2


# --- the papers ----------------------------------------------------------------------------------------------

CHOSEN = """section-3.1-load-fraction-approximation-corrected section-4-balanced-completions lemma-6.1-proof-stray
    theorem-6.1-proof-13-first-factor-alone equation-16-combined lemma-7.1-proof-conclusion-corrected equation-27-sum
    lemma-8.1-above lemma-8.3-proof-near-0 theorem-8.1-proof-harmonic theorem-8.1-proof-weight-corrected figure-2-throughput-green
    section-10-one-dominated figure-8-response beyond-one-dominated-throughput""".split()
"""Equivalences, expansions and limits of lfms that hold."""


@pytest.fixture(params=CHOSEN)
def chosen(request):
    return registry.find_claim(f"lfms/{request.param}")


def changed(statement):
    """The statement with its right side, its growth or its limit off by a factor 1 + 10^-200, or by 1."""
    body = statement.body
    near = Parser("1 + 10^(-200)").whole()

    def scaled(node):
        return Node("product", 1, "", (node, near), "**")

    if isinstance(body, Ratio):
        return replace(statement, body=replace(body, right=scaled(body.right)))
    if isinstance(body, Limiting) and str(body.value.text) != "oo":
        return replace(statement, body=replace(body, value=Node("sum", 1, "", (body.value, Parser("10^(-200)").whole()), "++")))
    if isinstance(body, Limiting):
        return replace(statement, body=replace(body, value=Parser("1").whole()))
    return replace(statement, body=Ordering(body.left, "o", body.kept))


def test_claims_have_theorems_and_their_mutants_have_none(chosen):
    statement = read_statement(chosen.closed)
    try:
        found = theorem(statement, True)
    except Refused:
        found = None
    if found is not None:
        assert replay(certificate(found)).holds
        with pytest.raises(Refused):
            theorem(statement, False)
    with pytest.raises(Refused):
        theorem(changed(statement), True)


def test_most_asymptotic_claims_have_theorems():
    count = sum(has_theorem(registry.find_claim(f"lfms/{slug}").closed) for slug in CHOSEN)
    assert count >= 0.7 * len(CHOSEN)


def test_a_derivation_says_what_is_given_leaves_nothing_out_and_begins_with_the_statement(chosen):
    try:
        steps = certificate(theorem(read_statement(chosen.closed), True))
    except Refused:
        return
    found = derivation(steps, {})
    assert sum(step.rule == "Given" for step in every(found)) == sum(step["rule"] == "leaf" for step in steps)
    assert not any(dots in step.latex for step in every(found) for dots in ("...", "cdots"))
    assert (found[0].rule, len(found) > 1) == ("To be shown", True)
    with pytest.raises(Refused):
        derivation([*steps[:-1], steps[-1] | {"data": {}}], {})


def has_theorem(text):
    try:
        return theorem(read_statement(text), True).holds
    except Refused:
        return False


def test_the_rules_are_listed_and_explained(capsys):
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    assert all(f"\n  {name} " in listed for name in RULES)
    assert main(["rules", "bounds", "boxes"]) == 0
    assert "Bernoulli" in (told := capsys.readouterr().out) and "covers of boxes" in told
    assert main(["rules", "termwize"]) == 2
    assert "termwise" in capsys.readouterr().err


def test_of_equal_terms_there_is_one_for_as_long_as_somebody_holds_it():
    one, key = terms.call("exp", terms.name("held")), ("exp", (terms.name("held"),), terms.NOUGHT, "")
    assert one is terms.call("exp", terms.name("held")) and one != terms.call("log", terms.name("held"))
    assert terms.Term("number", number=2) is terms.number(2) and type(terms.Term("number", number=2).number) is type(terms.NOUGHT)
    with pytest.raises(AttributeError):
        one.head = "log"
    assert key in terms._KNOWN
    del one
    assert key not in terms._KNOWN


def test_of_equal_terms_there_is_one():
    term = terms.read("Sum(p^k/k, (k, 1, n - 1)) - 1/2")
    assert terms.read("-0.5 + Sum(p^j*j^(-1), (j, 1, n - 1))") is term
    assert pickle.loads(pickle.dumps(term)) is copy.deepcopy(term) is copy.copy(term) is term
    with pytest.raises(AttributeError):
        term.head = "product"
