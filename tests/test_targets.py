"""The same targets for every verb: papers, ids, files, claims of a file, several of them; and statements in text."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import asymp
from asymp import registry
from asymp.answer.figures import NoFigure, figure_of
from asymp.cli import main
from asymp.command.checking import Group, groups
from asymp.command.completion import SCRIPTS, completed
from asymp.messages import near
from asymp.parse import claim

DATA = """
[paper]
key   = "notes"
title = "Notes"

[variables]
n = "whole, >= 1"

[figures]
harmonic = {of = "harmonic(n)", to = "n -> oo", terms = 2}

[claim."lemma-1"]
quote = "H_n ~ ln n"
says  = "harmonic(n) ~ log(n)"
to    = "n -> oo"

[claim."lemma-2"]
quote     = "H_n <= ln n"
says      = "harmonic(n) <= log(n)"
corrected = "harmonic(n) <= 1 + log(n)"
why       = "at n = 1"
"""
ID = "lfms/lemma-8.3"
VERBS = ("check", "list", "show", "export", "figure", "report")


@pytest.fixture
def here(tmp_path, monkeypatch, claim_file) -> Path:
    """A folder with ``notes.toml`` and ``my_claims.py``."""
    (tmp_path / "notes.toml").write_text(DATA, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


TARGETS = {
    "an id": ([ID], [ID]),
    "a file": (["notes.toml"], ["notes/lemma-1", "notes/lemma-2", "notes/lemma-2-corrected"]),
    "a claim of a file": (["notes.toml::notes/lemma-1"], ["notes/lemma-1"]),
    "a claim of a file without its key": (["notes.toml::lemma-1"], ["notes/lemma-1"]),
    "a file of code": (["my_claims.py"], ["my/harmonic", "my/wrong", "my/right"]),
    "a claim of a file of code": (["my_claims.py::my/harmonic"], ["my/harmonic"]),
    "several": ([ID, "notes.toml::lemma-1", "my_claims.py"],
                [ID, "notes/lemma-1", "my/harmonic", "my/wrong", "my/right"]),
}


ONE_FOR_ALL = ("an id", "a file", "several")
"""What is taken by verbs that start processes or draw: they ask what the others ask."""


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize(("verb", "kind"), [(v, k) for v in VERBS for k in TARGETS if v in ("list", "export") or k in ONE_FOR_ALL])
def test_every_verb_takes_every_kind_of_target(verb, kind, here, capsys):
    words, ids = TARGETS[kind]
    out = ["--out", "out"] if verb in ("export", "figure", "report") else []
    if out:
        Path("out").mkdir()
    assert main([verb, *words, *out]) == 0
    printed = capsys.readouterr().out
    if out:
        files = sorted(path.name for path in (here / "out").iterdir())
        assert sorted(Path(line).name for line in printed.splitlines()) == files
        whole = "".join((here / "out" / name).read_text(errors="replace") for name in files)
        assert files
        assert verb != "export" or whole.count("\\paragraph{") == len(ids)
        shown = set(re.findall('<article class="[^"]*" id="([^"]*)"', whole))  # corrections stand beside what they correct
        assert verb != "report" or shown == {*ids, *(f"{one}-corrected" for one in ids)} & shown >= set(ids)
    else:
        assert all(one in printed for one in ids)


@pytest.mark.usefixtures("stubbed")
@pytest.mark.parametrize("verb", ["check", "list", "show", "export", "report"])
def test_a_whole_paper(verb, tmp_path, capsys, monkeypatch):
    few = tuple(map(registry.find_claim, registry.paper("lfms").ids()[:3]))
    monkeypatch.setattr(registry.Paper, "claims", lambda self: few)
    monkeypatch.setattr(registry, "find_claim", lambda name: {claim.id: claim for claim in few}[name])
    assert main([verb, "lfms", *(["--out", str(tmp_path)] if verb in ("export", "report") else [])]) == 0
    printed = capsys.readouterr().out
    assert (tmp_path / f"lfms.{'tex' if verb == 'export' else 'html'}").is_file() if verb in ("export", "report") else all(one.id in printed for one in few[:1])


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("word", ["lfsm", "lfms/nosuch", "nowhere.toml", "notes.toml::nosuch", "."])
def test_what_means_nothing_is_one_line_and_exit_2(verb, word, here, capsys):
    assert main([verb, word]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert word.rpartition(":")[2].rpartition("/")[2] in captured.err


@pytest.mark.usefixtures("stubbed")
def test_the_others_go_on_where_one_target_means_nothing(here, capsys):
    assert main(["show", "notes.toml::lemma-1", "notes.toml::nosuch"]) == 2
    captured = capsys.readouterr()
    assert "notes/lemma-1" in captured.out
    assert "nosuch" in captured.err


@pytest.mark.usefixtures("stubbed")
def test_show_as_json_is_one_object_for_one_claim_and_a_list_for_a_file(here, capsys):
    assert main(["show", "notes.toml::lemma-1", "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "notes/lemma-1"
    assert main(["show", "notes.toml", "--json"]) == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)["claims"]] == TARGETS["a file"][1]


@pytest.mark.usefixtures("stubbed")
def test_a_single_claim_has_a_document_of_its_own(here, capsys):
    assert main(["export", "notes.toml::lemma-2", "notes.toml", "--out", "out", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"files": ["out/notes.tex"]}
    assert main(["export", "notes.toml::lemma-2", "--out", "out", "--quiet"]) == 0
    assert capsys.readouterr().out == ""
    sheet = (here / "out" / "notes-lemma-2.tex").read_text()
    assert r"H_{n} \le 1 + \ln n" in sheet and "corrected), holds, proved" in sheet


def test_two_files_of_one_name_are_not_written_over_each_other():
    claims = [{"id": f"{key}/x", "file": f"{key}/notes.toml", "origin": {"name": f"{key}/notes.toml", "title": "", "stem": "notes"}}
              for key in ("a", "b")]  # fmt: skip
    with pytest.raises(ValueError, match="same file"):
        groups(claims, ["a/notes.toml", "b/notes.toml"])
    (one,) = groups(claims[:1], ["a/notes.toml"])
    assert isinstance(one, Group)
    assert one.stem == "notes"


# --- broken claims -----------------------------------------------------------------------------

BROKEN = {
    "a statement of code that cannot be read": ("bad.py", 'from asymp.parse import claim\nCLAIMS = [\n    claim("my/x", "n ~", to="n->oo", '
                                                'source="me, 1"),\n    claim("my/y", "n ~ n", to="n->oo", source="me, 2"),\n]\n', "line 3"),
    "no source": ("bad.py", 'from asymp.parse import claim\nCLAIMS = [claim("my/x", "n ~ n", to="n->oo"), '
                            'claim("my/y", "n ~ n", to="n->oo", source="me, 2")]\n', "source"),
    "an item of another kind": ("bad.py", 'from asymp.parse import claim\nCLAIMS = ["n ~ n", '
                                          'claim("my/y", "n ~ n", to="n->oo", source="me, 2")]\n', "item 1 is a str"),
    "two of one id": ("bad.py", 'from asymp.parse import claim\nc = claim("my/y", "n ~ n", to="n->oo", source="me, 2")\nCLAIMS = [c, c]\n',
                      "two claims have the id my/y"),
    "a statement of data that cannot be read": ("bad.toml", DATA + '\n[claim."lemma-3"]\nsays = "n <="\n', "line 23"),
    "a claim of data that is no table": ("bad.toml", DATA.replace('[claim."lemma-2"]', "[claim]\nlemma-4 = 3\n[claim.\"lemma-2\"]"), "table"),
    "a name that is none": ("bad.toml", DATA + '\n[claim."lemma 3"]\nsays = "n <= n"\n', "letters"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_claim_is_one_undecided_row_with_its_place(name, tmp_path, capsys, monkeypatch):
    file, text, place = BROKEN[name]
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(text, encoding="utf-8")
    if name == "a claim of data that is no table":
        Path(file).write_text(DATA.split("[claim")[0] + '[claim]\nlemma-4 = 3\n[claim."lemma-1"]\nsays = "n <= n"\n')
    assert main(["check", file, "--json", "r.json", "--quick"]) == 1
    captured = capsys.readouterr()
    record = json.loads(Path("r.json").read_text())
    broken = [one for one in record["claims"] if one["outcome"] == "undecided"]
    assert len(broken) == 1
    assert file in broken[0]["reason"]
    assert place in broken[0]["reason"]
    assert place in captured.out
    assert len(record["claims"]) > 1
    assert main(["list", file]) == 0


# --- figures -----------------------------------------------------------------------------------


def test_the_figures_of_a_file_are_those_that_it_declares(here, capsys):
    assert main(["figure", "notes.toml", "--out", "out", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"files": ["out/notes-harmonic.png"]}
    assert main(["figure", "notes.toml", "harmonic", "notes.toml::lemma-1", "--out", "out", "--format", "svg"]) == 0
    assert sorted(path.name for path in Path("out").iterdir()) == ["notes-harmonic.png", "notes-harmonic.svg", "notes-lemma-1.svg"]
    assert main(["figure", "notes.toml", "harmonica"]) == 2
    assert "did you mean harmonic?" in capsys.readouterr().err


@pytest.mark.parametrize("line", ['x = 3', 'x = {of = "n"}', 'x = {of = "n <=", to = "n -> oo"}', 'x = {of = "n", to = "n -> oo", termz = 1}',
                                  'x = {of = "n", to = "n -> oo", terms = 99}'])  # fmt: skip
def test_a_broken_figure_does_not_end_its_file(line, here, capsys):
    Path("notes.toml").write_text(DATA.replace("[figures]", f"[figures]\n{line}"), encoding="utf-8")
    assert main(["list", "notes.toml"]) == 0
    assert main(["figure", "notes.toml", "--out", "out", "--quiet"]) == 1
    assert "notes.toml, line" in capsys.readouterr().err
    assert Path("out/notes-harmonic.png").is_file()


@pytest.mark.parametrize(("statement", "assumed", "case"), [
    ("Sum(k^(-s), (k, 1, n)) ~ n", "s > 0", "s=1"),
    ("n^2 + n^a ~ n^2", "a > 0", "a<2"),
])  # fmt: skip
def test_where_the_expansion_splits_the_terms_are_those_of_the_case_that_is_drawn(statement, assumed, case):
    made = figure_of(claim("me/x", statement, to="n->oo", source="me, 1", assume=assumed), order=2, powers=(5, 1000))
    terms = {line.label: line.ys[-1] for line in made.panels[0].series}
    assert abs(float(terms["2 terms"]) - 1) < 1e-9
    assert f"the case {case}" in made.caption


def test_a_figure_holds_certified_values_to_10_to_the_1000(here):
    claim = registry.load_file("notes.toml")[0]
    figure = figure_of(claim, order=2)
    stated, one, two = figure.panels[0].series
    assert stated.xs[-1] == "1e1000"
    # (ln n + gamma + ...)/ln n at n = 10^1000: 1 + 0.5772156649/2302.585093
    assert abs(float(stated.ys[-1]) - (1 + 0.5772156649 / 2302.585093)) < 1e-9
    assert stated.ys == one.ys
    assert figure.panels[1].series[2].ys[-1].endswith("e-1004")  # 1/(2 n ln n)
    assert two.ys[-1].startswith("1.0000000")


def test_what_is_about_no_limit_has_no_figure(here, capsys):
    with pytest.raises(NoFigure, match="no statement about a limit"):
        figure_of(registry.load_file("notes.toml")[1])
    assert main(["figure", "notes.toml::lemma-2"]) == 1
    assert "no statement about a limit" in capsys.readouterr().err


# --- statements in text ------------------------------------------------------------------------

ASKED = {"holds": ("harmonic(n) ~ log(n)", 0), "refuted": ("harmonic(n) ~ 2*log(n)", 1), "undecided": ("Sum(sin(k^2)/k, (k, 1, n)) ~ log(n)", 4)}


@pytest.mark.parametrize("outcome", ASKED)
def test_ask_says_the_outcome_by_its_exit_status(outcome, capsys):
    text, code = ASKED[outcome]
    assert main(["ask", text, "--to", "n->oo", "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert {"outcome", "strength", "why", "evidence", "derivation", "trusts"} <= set(answer)
    assert answer["outcome"] == outcome
    assert answer["evidence"]
    assert bool(answer["derivation"]) == (outcome != "undecided")
    assert bool(answer["trusts"]) == (outcome != "undecided")
    assert main(["ask", text, "--to", "n->oo", "--quiet"]) == code
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_ask_without_an_answer_in_time_is_undecided(capsys):
    text = "Sum(sin(k^2)/k, (k, 1, n)) + Integral(exp(-n*t^2)/(1 + t)^n, (t, 0, oo)) ~ n"
    code = main(["ask", text, "--to", "n->oo", "--timeout", "1", "--json"])
    assert (code, json.loads(capsys.readouterr().out)["outcome"]) in [(4, "undecided"), (1, "refuted")]


def test_python_answers_with_what_the_command_line_prints(capsys):
    assert main(["expand", "harmonic(n)", "--to", "n->oo"]) == 0
    assert str(asymp.expand("harmonic(n)", to="n->oo")) + "\n" == capsys.readouterr().out
    assert main(["expand", "harmonic(n)", "--to", "n->oo", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert asymp.expand("harmonic(n)", to="n->oo").record() | {"seconds": 0} == record | {"seconds": 0}
    verdict = asymp.check("harmonic(n) ~ 2*log(n)", to="n->oo")
    assert main(["ask", "harmonic(n) ~ 2*log(n)", "--to", "n->oo", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["outcome"], answer["strength"]) == (str(verdict.outcome), str(verdict.strength))
    assert [step["rule"] for step in answer["derivation"]] == [step.rule for step in verdict.steps]
    split = asymp.expand("n^(3-2*a)*log(n) + n^(1-a)", to="n->oo", assume="a>1", order=1)
    assert [case["when"] for case in split.cases] == ["a<2", "a=2", "a>2"]
    with pytest.raises(ValueError, match="cases"):
        split.terms  # noqa: B018 - what is tested


def test_a_refusal_is_in_words_of_the_question(capsys):
    text = "log(n) + Sum(exp(-sqrt(k*n)), (k, 1, n))"
    assert main(["expand", text, "--to", "n->oo"]) == 1
    assert "no expansion of Sum(exp(-sqrt(k*n)), (k, 1, n)) was found: " in capsys.readouterr().err
    assert asymp.expand(text, to="n->oo").refused is not None
    assert "no series of stirling1" in asymp.check("stirling1(n, 3) ~ n!", to="n->oo").reason


# --- suggestions, quiet, completion ------------------------------------------------------------


def test_suggestions_are_near():
    ids = registry.paper("lfms").ids()
    assert near("lfms/nosuch", ids) == []
    assert near("lfms/lema-8.3", ids)[0] == ID
    assert near("lemma-8.3", ids)[0] == ID
    assert all(one.startswith("lfms/theorem-4") for one in near("lfms/theorem-4", ids))


@pytest.mark.usefixtures("stubbed")
def test_quiet_says_nothing_of_what_is_as_expected(here, capsys):
    assert main(["check", "my_claims.py", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")
    Path("odd.py").write_text(Path("my_claims.py").read_text() + 'CLAIMS.append(claim("my/surprise", "n ~ n", to="n->oo", source="me, 3"))\n')
    assert main(["check", "odd.py", "--quiet"]) == 1
    captured = capsys.readouterr()
    assert [line.split()[1] for line in captured.out.splitlines()[:1]] == ["my/surprise"]
    assert "1 NOT as expected" in captured.out
    assert captured.err == ""


def test_words_are_completed(here):
    assert completed(["sh"]) == ["show"]
    assert "complete" not in completed(["com"])
    assert "lfms" in completed(["check", ""])
    assert completed(["show", "lfms/lemma-8.3-c"]) == ["lfms/lemma-8.3-corrected"]
    assert completed(["enclose", "lfms/thr"]) == ["lfms/throughput"]
    assert completed(["show", "notes.toml::lemma-2"]) == ["notes.toml::lemma-2", "notes.toml::lemma-2-corrected"]
    assert completed(["figure", "notes.toml::h"]) == ["notes.toml::harmonic"]
    assert completed(["sample", "lfms", "--device", "c"]) == ["cpu"]
    assert completed(["nosuch", ""]) == []
    assert set(completed(["show", "ilb/"])) == set(registry.paper("ilb").ids())


def test_the_script_for_bash_runs(tmp_path):
    script = SCRIPTS["bash"] + 'asymp() { echo "show"; echo "a.toml::one"; }\nCOMP_LINE="asymp show a.toml::o"; COMP_POINT=19\n_asymp\n'
    script += 'printf "%s|" "${COMPREPLY[@]}"\n'
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=20, check=True)
    assert run.stdout == "show|one|"
