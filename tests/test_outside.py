"""What installed packages offer through entry points: used end to end from the command line, named by what is trusted, and
refused where it is broken or takes a name that is taken."""

from __future__ import annotations

import json
import textwrap

import pytest
from installed import OUTSIDE, asymp, install, session

from asymp import outside
from asymp.functions.found import absent, borrowed
from asymp.functions.row import Row
from asymp.functions.table import BORROWED, NAMED
from asymp.kernel.records import REFUSED, REPLAYED, replayed
from asymp.kernel.terms import Refused
from asymp.kernel.theorem import RULES, apply, rule


@pytest.fixture(scope="module")
def softly(tmp_path_factory):
    """The path with the package softly installed."""
    site = install((OUTSIDE / "pyproject.toml").read_text(), tmp_path_factory.mktemp("site"))
    return [site, OUTSIDE]


@pytest.fixture(scope="module")
def record(softly):
    """The record of its paper."""
    file = softly[0] / "soft.json"
    found = asymp("check", "soft", "--json", str(file), path=softly)
    assert found.returncode == 0, found.stdout + found.stderr
    return file


# --- each of them, from the command line ----------------------------------------------------------------


def test_a_function(softly):
    found, *asked = session(
        ["enclose", "softplus(n)", "n=10", "--digits", "20"], ["ask", "softplus(x) > 0 for real x", "--json"],
        ["ask", "softplus(10) rounds to 10.00005", "--json"], path=softly,
    )  # fmt: skip
    assert found.stdout.startswith("softplus(n) = 10.00004539889921686") and not found.stderr
    positive, value = (json.loads(one.stdout) for one in asked)
    assert (positive["outcome"], positive["strength"], positive["trusts"]) == ("holds", "proved", ["row: softly/softplus"])
    assert value["outcome"] == "holds" and "row: softly/softplus" in value["trusts"]


def test_a_method(softly):
    found, asked = (json.loads(one.stdout) for one in session(
        ["expand", "softplus(n)", "--to", "n->oo", "--order", "1", "--json"], ["ask", "softplus(n) ~ 2*n", "--to", "n->oo", "--json"],
        path=softly,
    ))  # fmt: skip
    assert found["terms"][0] == "n" and "engine: softly/softplus" in found["trusts"]
    assert asked["outcome"] == "refuted"


def test_a_theory(softly):
    says = "softplus(a + b) <= softplus(a) + softplus(b) for real a, real b"
    *asked, rules = session(["ask", says, "--json"], ["ask", says.replace("<=", ">="), "--json"], ["rules"], path=softly)
    found, other = (json.loads(one.stdout) for one in asked)
    assert (found["strength"], found["trusts"]) == ("proved", ["row: softly/softplus", "theory: softly/subadditive"])
    assert other["outcome"] == "refuted"
    assert "from the package softly" in rules.stdout and "softly/subadditive softplus" in rules.stdout


def test_a_model(softly):
    found, wrong = session(["sample", "coin", "p=1/3", "--json"], ["sample", "coin", "p=2"], path=softly)
    low, high = map(float, json.loads(found.stdout)["estimates"]["heads"]["interval"])
    assert low < 1 / 3 < high
    assert wrong.returncode == 2 and wrong.stderr == "asymp sample: p=2 is out of range: it must be strictly between 0 and 1\n"


def test_a_paper(softly, record):
    entries = {one["id"]: one for one in json.loads(record.read_text())["claims"]}
    assert {name: (one["outcome"], one["strength"]) for name, one in entries.items()} == {
        "soft/theorem-1": ("holds", "proved"), "soft/equation-2": ("holds", "proved")
    }  # fmt: skip
    assert entries["soft/theorem-1"]["trusts"] == ["engine: softly/softplus", "engine: softplus", "row: softly/softplus"]


# --- what is trusted ------------------------------------------------------------------------------------


def test_a_record_is_replayed_where_the_package_is_and_refused_elsewhere(softly, record):
    there = asymp("verify", str(record), "--all", path=softly)
    assert there.returncode == 0 and "replayed given row: softly/softplus, theory: softly/subadditive" in there.stdout
    assert "1  theory: softly/subadditive" in there.stdout and "2  row: softly/softplus" in there.stdout
    elsewhere = asymp("verify", str(record), "--all", path=softly[1:])
    assert elsewhere.returncode == 1
    assert elsewhere.stdout.count("which is not installed: install the package softly") == 2


def test_what_a_record_does_not_say_is_refused_too(record):
    """The words of ``trusts`` spare a reader the search; without them the steps do not go through either."""
    for entry in json.loads(record.read_text())["claims"]:
        entry.pop("trusts")
        found = replayed(entry)
        assert found.told == REFUSED and found.why


def test_what_trusts_lack_is_refused(softly, record):
    data = json.loads(record.read_text())
    for entry in data["claims"]:
        entry["trusts"] = [leaf for leaf in entry["trusts"] if not leaf.startswith("row")]
    forged = record.with_name("forged.json")
    forged.write_text(json.dumps(data))
    found = asymp("verify", str(forged), "--all", path=softly)
    assert found.returncode == 1 and found.stdout.count("the record says that it trusts something else") == 2


def test_the_kernels_own_text_is_not_named():
    assert "order" in RULES and "chain" in RULES and not [name for name in RULES if "/" in name]
    step = {"rule": "algebra", "premises": [], "data": {"statement": "1 < 2"}}
    entry = {"id": "a/x", "closed": "1 < 2", "outcome": "holds", "certificate": [step]}
    assert replayed(entry).told == REPLAYED


@pytest.mark.parametrize("text", [
    "parallel_occupancy(2, 1/2)", "2parallel_occupancy(2, 1/2)", "f(parallel_occupancy)", "1 + parallel_occupancy (d, x)",
])  # fmt: skip
def test_a_row_is_named_wherever_its_name_stands(text):
    assert borrowed(text, BORROWED) == {"row: asymp/parallel_occupancy"}


def test_a_theorem_names_the_row():
    """Before it had a row from outside, nothing was known of its sign."""
    found = apply("algebra", statement="parallel_occupancy(d, 1/2) > 0 for d > 1")
    assert found.trusts == {"row: asymp/parallel_occupancy"}
    with pytest.raises(Refused):
        apply("algebra", statement="parallel_occupancy(d, 1/2) > 0 for d > 0")


def test_a_row_is_named_by_greek_letters_and_by_what_other_rows_lean_on():
    rows = {"mu_of": (Row("mu_of"), "a/mu_of"), "g": (Row("g", derivative="-mu_of(x)"), "b/g")}
    assert borrowed("μ_of(x)", rows) == borrowed("µ_of(x)", rows) == borrowed("mu_of(x)", rows) == {"row: a/mu_of"}
    assert borrowed("g(x)", rows) == {"row: b/g", "row: a/mu_of"}
    assert borrowed("mu_off(x) + xg(1)", rows) == frozenset()


def test_a_leaf_names_the_methods_and_none_that_is_not_installed():
    leaf = {"statement": "parallel_occupancy(n, 1/2) = log(2) + O(1/n) as whole n -> oo", "runner": "k", "values": {"n": "k"},
            "place": {"scales": {"s": "n"}, "values": {"n": "s"}}}  # fmt: skip
    own = {"engine: parallel_occupancy", "row: asymp/parallel_occupancy"}
    assert apply("leaf", **leaf).trusts == own
    assert apply("leaf", **leaf, by=["asymp/stepped-sums"]).trusts == own | {"engine: asymp/stepped-sums"}
    with pytest.raises(Refused, match="the method softly/softplus is not installed"):
        apply("leaf", **leaf, by=["softly/softplus"])


def test_what_is_absent_is_said():
    assert absent(["DLMF 5.11.2", "engine: sum", "row: asymp/parallel_occupancy", "bridge: ilb/equation-42"], RULES) == ""
    assert "row: softly/f" in absent(["row: softly/f"], RULES) and "theory: softly/r" in absent(["theory: softly/r"], RULES)
    assert absent("row: softly/f", RULES) == absent([1, None], RULES) == ""


# --- what is refused ------------------------------------------------------------------------------------


BROKEN = """
[project]
name = "broken"
version = "1"
[project.entry-points."asymp.functions"]
gone = "nowhere.at:ROW"
sin = "broken:SIN"
soft = "broken:OTHER"
cited = "broken:CITED"
known = "broken:KNOWN"
strange = "broken:STRANGE"
below = "broken:BELOW"
alias = "broken:ALIAS"
textless = "broken:TEXTLESS"
thiefs = "broken:THIEFS"
fine = "broken:FINE"
[project.entry-points."asymp.methods"]
early = "broken:EARLY"
one = "broken:ONE"
two = "broken:TWO"
raises = "broken:RAISES"
strange = "broken:OWN"
[project.entry-points."asymp.theories"]
half = "half"
odd = "odd"
thief = "thief"
[project.entry-points."asymp.models"]
none = "broken:SIN"
lfms = "broken:SIN"
[project.entry-points."asymp.papers"]
parallelps = "broken"
gone = "nowhere"
"""
MODULES = {
    "broken": """
        from asymp.functions.row import Row
        SIN = Row("sin")
        OTHER = Row("hard")
        CITED = Row("cited", facts=("DLMF 5.2.2",))
        KNOWN = Row("known", known="1: 5")
        STRANGE = Row("strange", derivative="q(x) + t")
        BELOW = Row("below")
        ALIAS = Row("alias other")
        TEXTLESS = Row("textless", where=3)
        THIEFS = Row("thiefs", symbolic="sympy:zeta")
        FINE = Row("fine", ball="broken:ball")
        def ball(x):
            raise KeyError("nothing there")
        def __getattr__(name):
            from asymp.prove.method import Method
            def work(expander, expr):
                raise ZeroDivisionError("no")
            made = {"EARLY": ("early", 3), "ONE": ("one", 100), "TWO": ("two", 100), "RAISES": ("raises", 101), "OWN": ("strange", 100)}
            if name not in made:
                raise AttributeError(name)
            word, order = made[name]
            return Method(word, ("fine",) if word != "strange" else ("bell",), work, order)
    """,
    "half": """
        from asymp.kernel.theorem import Conclusion, rule
        @rule("lie")
        def lie(premises, data):
            raise AssertionError
        raise OSError("it stops half way")
    """,
    "odd": """
        from asymp.kernel.theorem import Conclusion, rule
        from asymp.language.statement import read_statement
        @rule("nothing")
        def nothing(premises, data):
            return None
        @rule("about another row")
        def about(premises, data):
            return Conclusion(read_statement("fine(x) = fine(x) for x > 0"))
        def propose(statement, holds):
            raise IndexError("no such thing")
    """,
    "thief": """
        from asymp.kernel.theorem import RULES, Conclusion, read_closed
        RULES["algebra"] = lambda premises, data: Conclusion(read_closed(data["statement"]))
    """,
}  # fmt: skip


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """The path with a package installed of which hardly anything can be used."""
    site = install(BROKEN, tmp_path_factory.mktemp("broken"))
    for name, text in MODULES.items():
        site.joinpath(f"{name}.py").write_text(textwrap.dedent(text))
    return [site]


def test_a_class_of_sympys_is_no_class_of_a_row(broken):
    found = asymp("expand", "--equation", "x*exp(x) = n", "--unknown", "x", "--to", "n->oo", path=broken)
    line = "asymp: broken/thiefs: sympy:zeta is not used: TypeError: it is no class of its own for a function"
    assert found.returncode == 0 and line in found.stderr.splitlines()


def test_a_broken_package_takes_nothing_else_down_and_gets_one_line_each(broken):
    found = asymp("ask", "harmonic(n) ~ log(n)", "--to", "n->oo", path=broken)
    assert found.returncode == 0 and "holds, proved" in found.stdout
    lines = found.stderr.splitlines()
    assert len(lines) == len(set(lines)) and all(line.startswith(("asymp: package broken: the ", "asymp: broken/")) for line in lines)
    for words in (
        "function gone (nowhere.at:ROW) is not used: ModuleNotFoundError: No module named 'nowhere'",
        "function sin (broken:SIN) is not used: sin has a meaning already, by this distribution",
        "function soft (broken:OTHER) is not used: it is no row of a function soft",
        "function cited (broken:CITED) is not used: facts, exact and known are not for rows from outside",
        "function known (broken:KNOWN) is not used: facts, exact and known are not for rows from outside",
        "function strange (broken:STRANGE) is not used: q(x) + t speaks of t",
        "function below (broken:BELOW) is not used: below has a meaning already, by the language",
        "function alias (broken:ALIAS) is not used: it is no row of a function alias, under that name alone",
        "function textless (broken:TEXTLESS) is not used: ",
    ):
        assert any(words in line for line in lines), words


def test_a_broken_theory_leaves_no_rule_and_takes_the_place_of_none(broken):
    found = asymp("ask", "1 - x < 1/2 for x > 0", path=broken)
    assert "holds" not in found.stdout
    rules = asymp("rules", path=broken)
    assert "the theory half (half) is not used: OSError: it stops half way" in rules.stderr
    assert "the theory thief (thief) is not used: it changed the rule algebra" in rules.stderr
    assert [line.split()[0] for line in rules.stdout.splitlines() if "broken/" in line] == ["broken/nothing", "broken/about"]


def test_a_rule_from_outside_names_itself_and_the_rows_of_what_it_concludes(broken):
    code = """
        from asymp.kernel import records
        from asymp.kernel.theorem import Broken, apply
        print(sorted(apply("broken/about another row").trusts))
        try:
            apply("broken/nothing")
        except Broken as error:
            print(error)
    """
    found = asymp(textwrap.dedent(code), path=broken, python="-c").stdout.splitlines()
    assert found == [
        "['row: broken/fine', 'theory: broken/about another row']",
        "bug of the rule broken/nothing: AssertionError: it concludes nothing",
    ]


def test_what_a_theory_raises_when_it_is_asked_is_no_theorem(broken):
    found = asymp("ask", "fine(x) + x^2 > 1 for x > 0", path=broken)
    assert found.returncode == 4 and "Traceback" not in found.stderr


def test_methods_that_clash_are_refused_and_none_is_tried_before_the_house(broken):
    found = asymp("expand", "zeta(x)", "--to", "x->1+", "--order", "2", path=broken)
    assert found.returncode == 0 and "method" not in found.stderr  # the house has one: others are not looked for
    found = asymp("expand", "fine(n)", "--to", "n->oo", path=broken)
    assert found.returncode == 1
    assert "the method strange (broken:OWN) is not used: bell is no function from outside" in found.stderr
    assert "the method early (broken:EARLY) is not used: its order 3 is below 100" in found.stderr
    assert "the methods broken/one and broken/two are not used: they have the same order 100 for fine" in found.stderr


def test_what_somebody_elses_code_raises_is_a_refusal(broken):
    found = asymp("expand", "fine(n)", "--to", "n->oo", path=broken)
    assert found.returncode == 1 and "broken/raises raised ZeroDivisionError: no" in found.stdout + found.stderr
    value = asymp("enclose", "fine(n)", "n=2", path=broken)
    assert value.returncode == 1 and "broken:ball raised KeyError" in value.stderr
    asked = asymp("ask", "fine(x) > 1 for 0 < x < 1", path=broken)
    assert "holds" not in asked.stdout and "Traceback" not in asked.stderr


def test_names_of_models_and_papers_that_are_taken_stay_where_they_are(broken):
    none, own, gone, listed = session(
        ["sample", "none"], ["sample", "lfms", "n=100", "alpha=1", "mu1=1", "mun=1", "--size", "1000"], ["show", "gone"],
        ["list", "parallelps"], path=broken,
    )  # fmt: skip
    assert none.returncode == 2 and none.stderr.endswith("the model none (broken:SIN) is not used: it is no model\n")
    assert gone.returncode == 2 and "gone: nowhere cannot be imported" in gone.stderr
    assert (own.returncode, listed.returncode) == (0, 0)


def test_two_packages_that_give_one_name_get_none_of_it(tmp_path):
    for name in ("first", "second"):
        install(f'[project]\nname = "{name}"\nversion = "1"\n[project.entry-points."asymp.models"]\ncoin = "{name}:MODEL"', tmp_path)
    found = asymp("sample", "coin", path=[tmp_path])
    assert found.returncode == 2 and "unknown model 'coin'" in found.stderr
    assert "package first: the model coin (first:MODEL) is not used: second has one of that name" in found.stderr


# --- inside ---------------------------------------------------------------------------------------------


def test_a_rule_of_no_theory_is_refused():
    with pytest.raises(outside.Unusable, match="is named by no entry point"):
        rule("mine")(lambda premises, data: None)
    kernels = dict(RULES)
    assert all("/" not in name for name in kernels)


def test_the_table_and_the_rules_are_those_of_the_house_and_what_entry_points_give():
    assert {label for _, label in BORROWED.values()} == {"asymp/parallel_occupancy"}
    assert NAMED["parallel_occupancy"] is BORROWED["parallel_occupancy"][0]
