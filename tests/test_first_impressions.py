"""What a newcomer sees: mistakes are told with the line to type instead, and that line works; a folder to start from checks."""

from __future__ import annotations

import argparse
import json
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from asymp.answer.expansion import answered
from asymp.answer.figures import figure_of
from asymp.check.ask import ask
from asymp.cli import main
from asymp.command import named
from asymp.command.instead import instead as in_place
from asymp.command.telling import advice, rows
from asymp.command.usage import look
from asymp.export.table import explanation
from asymp.language.elaborate import Setting
from asymp.language.meant import instead, mended
from asymp.language.numbers import ParseError
from asymp.language.source import ClaimsError, SourceFile
from asymp.language.typed import looked_at
from asymp.parse import claim

ROOT = Path(__file__).resolve().parents[1]

MISTAKES = {
    # ten kinds: what was typed (statement, limit, assumptions), and what can be typed
    "LaTeX": ((r"\log n \le n", None, ["n >= 1"]), ["log(n) <= n"]),
    "LaTeX, a relation": ((r"x \le 2 x", None, ["x >= 0"]), ["x <= 2 *x", "x <= 2*x"]),
    "e": (("(1 + 1/n)^n -> e", "n->oo", []), ["(1 + 1/n)^n -> E"]),
    "gamma": (("harmonic(n) = log(n) + gamma + o(1)", "n->oo", []), ["harmonic(n) = log(n) + EulerGamma + o(1)"]),
    "Gamma": (("log(Gamma(n)) ~ n*log(n)", "n->oo", []), ["log(gamma(n)) ~ n*log(n)"]),
    "no *": (("mu ~ ln n p", "n->oo", []), ["mu ~ ln(n*p)", "mu ~ ln(n)*p"]),
    "no * in a product": (("n(n+1)/2 ~ 2n^2", "n->oo", []), ["n*(n + 1)/2 ~ 2*n^2"]),
    "no limit": (("harmonic(n) ~ log(n)", None, []), ["harmonic(n) ~ log(n)"]),
    "an open bracket": (("harmonic(n) ~ log(n", "n->oo", []), ["harmonic(n) ~ log(n)"]),
    "a square bracket": (("harmonic(n) ~ [log(n)]", "n->oo", []), ["harmonic(n) ~ (log(n))"]),
    "an unknown regime": (("harmonic(n) ~ log(n)", "large", []), ["harmonic(n) ~ log(n)"]),
    "a limit in words": (("harmonic(n) ~ log(n)", "n to infinity", []), ["harmonic(n) ~ log(n)"]),
    "a power and then !": (("n^2! ~ n", "n->oo", []), ["(n^2)! ~ n", "n^(2!) ~ n"]),
    "a range": (("sum(1/k, k=1..n) ~ log(n)", "n->oo", []), ["Sum(1/k, (k, 1, n)) ~ log(n)"]),
    "a misspelt function": (("harmonc(n) ~ log(n)", "n->oo", []), ["harmonic(n) ~ log(n)"]),
    "a number for all n": (("n! <= C*n^n", "n->oo", []), ["n! <= C*n^n for some real C"]),
    "a number for all of a domain": (("log(n) <= C*n", None, []), ["log(n) <= C*n for n > 0 for some real C"]),
    "a number beside parameters": (
        ("n! <= C*n^n + a for n >= 1", None, []), ["n! <= C*n^n + a for n >= 1, a > 0 for some real C"]
    ),
    "a sign": (("log(n) =< n for n >= 1", None, []), ["log(n) <= n for n >= 1"]),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_what_to_type_instead_of_a_mistake(kind):
    (statement, to, assume), wanted = MISTAKES[kind]
    with pytest.raises(ParseError):
        claim("me/x", statement, to=to, source="me, 1", assume=assume)
    found = mended(statement, to, assume)
    assert found.statements and set(found.statements) <= set(wanted), found
    for one in found.statements:
        looked_at(one, found.to, found.assume)
        claim("me/x", one, to=found.to, source="me, 1", assume=found.assume)  # what is offered can be typed


def test_what_is_no_mistake_is_not_mended_into_something_else():
    for text, to in (("harmonic(n) ~ log(n)", "n -> oo"), ("n!^2 ~ n", "n->oo"), ("gamma(n) ~ n", "n->oo")):
        assert mended(text, to).statements == (text,)
    for hopeless in ("", "~", "n ~~ n", r"\frac{1}{n}", "1 + ", "((((", "and so on"):
        assert mended(hopeless, "n->oo").statements == ()


def test_the_line_that_is_offered_works_when_it_is_pasted(capsys):
    assert main(["ask", "harmonic(n) = ln n + gamma + o(1)", "--to", "n to infinity"]) == 2
    error, line = capsys.readouterr().err.splitlines()
    assert "column 18" in error and line.startswith("  type: asymp ask ")
    assert main(shlex.split(line.removeprefix("  type: asymp "))) == 0


REFUSED = {
    # what has no meaning is told as such, and no line is offered: what was typed reads, and would be refused again
    ("NaN ~ n", "n->oo", ()): "NaN is no number",
    ("n + nan <= 1 for n >= 1", None, ()): "nan is no number",
    ("n ~ inf", "n->oo", ()): "inf is no number: write oo",
    ("1/n < Infinity for n >= 1", None, ()): "Infinity is no number: write oo",
    ("n + a ~ n", "n->oo", ("a > pi",)): "the ends of a parameter's range are whole numbers or fractions",
    ("n + a ~ n", "n->oo", ("a > b^2", "b > 0")): "a parameter lies between numbers",
    ("p ~ p", "p->0", ("p > 1",)): "where p tends, this does not hold",
}


@pytest.mark.parametrize("asked", REFUSED)
def test_what_has_no_meaning_is_told_why(asked):
    statement, to, assume = asked
    with pytest.raises(ParseError, match=REFUSED[asked]):
        claim("me/x", statement, to=to, source="me, 1", assume=assume)
    typed = argparse.Namespace(command="ask", statement=statement, to=to, assume=list(assume))
    assert in_place(typed) == []


def test_an_expression_alone_leaves_no_number_open():
    typed = argparse.Namespace(command="expand", expression="n + C", to="n->oo", assume=[])
    assert in_place(typed) == ['  type: asymp expand "n + C" --to "n->oo" --assume "C > 0"']


UNREADABLE = {
    "[variables]\nn = whole, >= 1": (2, 'write n = "whole, >= 1"'),
    '[claim."a"]\n\nsays = "\\mu ~ 1"': (3, "write says = '\\mu ~ 1'"),
    "[claim.lemma 1]": (1, 'write [claim."lemma 1"]'),
    "[claim.\"a\"]\nquote = '''it is\nto = 'n'\n": (2, "the text that begins here with ''' is never closed"),
    "to: n -> oo  # a limit": (1, 'write to = "n -> oo"'),
    '[a]\nx = "y"\n[a]': (3, "[a] stands there twice"),
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_file_that_is_no_toml_is_told_the_line_to_write(text):
    line, wanted = UNREADABLE[text]
    with pytest.raises(ClaimsError) as error:
        SourceFile(text, "c.toml", None)
    assert f"c.toml, line {line}: " in str(error.value) and wanted in str(error.value)


def test_why_a_claim_is_refuted_stands_below_it_wherever_it_is_from():
    refuted = {**entry("a/b", outcome="refuted"), "locator": "Lemma 1", "strength": "proved", "seconds": 0, "ended": None}
    refuted["evidence"] = [{"outcome": "refuted", "detail": "fails at n = 4: 24 <= 16 is false"}]
    look_ = {"colour": False, "ascii_only": True}
    (_, why) = rows(refuted, (3, 7), look_, quiet=False)
    assert why == "    fails at n = 4: 24 <= 16 is false"
    (_, why) = rows({**refuted, "place": {"file": "p.tex", "line": 3}}, (3, 7), look_, quiet=False)
    assert why == "p.tex:3: a/b is refuted: fails at n = 4: 24 <= 16 is false"


def test_a_formula_in_latex_is_offered_as_one(capsys):
    assert main(["ask", r"\frac{1}{n} \to 0", "--to", "n->oo"]) == 2
    line = capsys.readouterr().err.splitlines()[1]
    assert line == r"""  type: asymp ask --latex '\frac{1}{n} \to 0' --to "n->oo" """.rstrip()


def test_a_claim_of_a_file_is_told_what_to_write():
    setting = Setting()
    assert instead({"says": "n ~ 2 n", "to": "large"}, setting, ["large"]) == '; write says = "n ~ 2*n"'
    assert instead({"says": "n ~ n", "to": "n to infinity"}, setting, []) == '; write to = "n -> oo"'
    assert instead({"says": "n ~ n", "to": "large"}, setting, ["large"]) == instead({}, setting, []) == ""


WORDS = {
    "lfms/lema-8.3": "did you mean lfms/lemma-8.3",
    "lema-8.3": "did you mean lfms/lemma-8.3",
    "lmfs": "did you mean lfms",
    "lmfs/lemma-8.3": "did you mean lfms",
    "examples/quee.toml": "did you mean examples/queue.toml",
    "examples/queue.toml::lema-1": "did you mean queue/lemma-1",
    "nothing-like-it": "asymp list shows what there is",
}


def test_a_word_that_names_nothing_is_told_before_anything_is_imported(monkeypatch):
    monkeypatch.chdir(ROOT)
    for word, wanted in WORDS.items():
        (line,) = named.mistaken([word])
        assert wanted in line, line
    assert named.mistaken(["lfms", "lmfs"]) == []  # what one names is checked
    code = "import sys; from asymp.command.named import mistaken; assert mistaken(['lfms/x']); print('sympy' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT) == "False\n"


def test_the_ids_that_are_read_so_are_the_papers_own():
    from asymp import registry

    for key in ("parallelps", "lfms"):
        (file,) = named.file_of(registry.papers()[key].target)
        assert named.ids_in(file, key) == list(registry.paper(key).ids())


def test_a_folder_to_start_from_checks_and_is_not_written_over(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "my-paper", "--queue", "gim1"]) == 0
    monkeypatch.chdir(tmp_path / "my-paper")
    assert len(Path("README.md").read_text().splitlines()) <= 10
    capsys.readouterr()
    assert main(["check", "--quiet", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["summary"]["proved"] == 3 and all(one["id"].startswith("my-paper/") for one in found["claims"])
    compile(Path("test_my_paper.py").read_text(), "test_my_paper.py", "exec")
    before = {file.name: file.read_bytes() for file in Path().iterdir()}
    assert main(["new", "../my-paper"]) == 2
    assert before == {file.name: file.read_bytes() for file in Path().iterdir()}
    assert "nothing is written over" in capsys.readouterr().err
    for wrong in (["new", "3x"], ["new", "x", "--queue", "erlang-d"]):
        assert main(wrong) == 2
    assert not Path("x").exists()


def test_a_record_is_shown_again_without_a_check(tmp_path, capsys):
    record = tmp_path / "r.json"
    assert main(["check", "queues/supermarket/busy", "queues/gim1/light-two-phases", "--json", str(record)]) == 0
    table = capsys.readouterr().out
    assert main(["check", "--from", str(record)]) == 0
    assert set(capsys.readouterr().out.splitlines()[1:-1]) == set(table.splitlines()[1:-1])
    assert main(["check", "--from", str(record), "supermarket/busy"]) == 0
    assert main(["check", "--from", str(record), "supermarket/nothing"]) == 2
    assert main(["check", "--from", str(record), "--resume"]) == 2


def entry(name, **more):
    found = {"id": name, "outcome": "holds", "expected": "holds", "reason": "", "place": None, "evidence": []}
    return {**found, **more}


def test_a_run_ends_with_what_to_do_next():
    class Asked:
        quiet, json, said = False, None, ["notes.toml"]

    claims = [{"id": "notes/a", "file": "notes.toml"}, {"id": "notes/b", "file": "notes.toml"}]
    good = {name: entry(name) for name in ("notes/a", "notes/b")}
    assert (
        advice(Asked, claims, good) == "next: asymp report notes.toml  (a page with every claim and its derivation)\n"
    )
    bad = {**good, "notes/b": entry("notes/b", outcome="refuted", reason="it is 1/n")}
    assert advice(Asked, claims, bad) == (
        "not as expected:\n  notes/b: it is 1/n\nnext: asymp show notes.toml::notes/b  (why)\n"
    )
    Asked.quiet = True
    assert advice(Asked, claims, bad) == ""


def test_formulas_are_set_in_unicode_on_a_terminal_alone(monkeypatch, tmp_path):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("LC_ALL", raising=False)
    leader, follower = pty.openpty()
    with os.fdopen(leader), os.fdopen(follower, "w", encoding="utf-8") as terminal, (tmp_path / "f").open("w") as file:
        assert look(terminal)["formulas"]
        assert not look(terminal, ascii_alone=True)["formulas"] and not look(file)["formulas"]
        monkeypatch.setenv("NO_COLOR", "1")
        assert not look(terminal)["formulas"]


def test_the_figure_of_an_expansion_draws_what_is_said_to_be_bounded():
    wrong = figure_of(
        claim("me/x", "harmonic(n) = log(n) + O(1/n)", to="n->oo", source="me, 1"), order=0, powers=(2, 8, 20)
    )
    (panel,) = wrong.panels
    assert "said to be bounded" in panel.title
    values = [float(y) for y in panel.series[0].ys]
    assert 50 < values[0] < values[1] / 10**5 and values[2] > 10**19  # n (H_n - log n), which grows like n
    right = figure_of(
        claim("me/x", "harmonic(n) - log(n) -> 1/2", to="n->oo", source="me, 1"), order=0, powers=(2, 8, 20)
    )
    assert "tend to 0" in right.panels[0].title and min(map(float, right.panels[0].series[0].ys)) > 0.07


def test_the_grammar_lists_every_function_and_every_key():
    from asymp.command.grammar import page
    from asymp.functions.table import ROWS, UNTYPED
    from asymp.paper.keys import CLAIM, TABLES

    said = page()
    names = [name for row in ROWS for name in (row.name, *row.others) if name not in UNTYPED]
    assert [name for name in (*names, *CLAIM, *TABLES) if name not in said] == []


def test_a_statement_too_large_to_be_searched_is_refused_at_once_and_a_long_one_is_cut_where_it_is_shown():
    large = "+".join(f"1/(n+{k})" for k in range(2, 500))
    for text, to in ((f"{large} ~ 498/n", "n->oo"), (f"{large} + {large} <= 996/n for n >= 1", None)):
        with pytest.raises(ParseError, match="parts, of which at most"):
            looked_at(text, to, [])
    with pytest.raises(ParseError, match="parts, of which at most"):
        answered(large, to="n->oo")
    long = "+".join(f"sin({k}*n)/n" for k in range(2, 100))
    page = explanation(ask(f"{long} -> 0", to="n->oo"), asked=True)
    assert "holds, proved" in page and "--verbose shows all" in page and page.count("\n") < 45


def test_sines_of_many_sizes_are_bounded_without_every_corner_of_their_range():
    assert str(ask(f"{'+'.join(f'sin({k}*n)/n' for k in range(2, 30))} <= 28 for n >= 1").outcome) == "holds"


def test_the_place_in_a_long_text_is_shown_with_a_caret(capsys):
    long = "+".join(["n"] * 200)
    assert main(["ask", f"{long} + 2 n ~ n", "--to", "n->oo"]) == 2
    said, piece, caret, there = capsys.readouterr().err.splitlines()
    assert said.endswith("at column 405:") and piece.endswith("+n + 2 n ~ n") and piece[caret.index("^")] == "n"
    assert there.startswith("  there: ...") and there.endswith("2*n ~ n")


def test_what_is_not_derived_names_the_lemma_that_is_missing():
    found = ask("besselj(0, x) > 0 if x < 2 for x > 0")
    goal = found.no_theorem.partition("what is left to show: ")[2]
    assert goal == "besselj(0, x) > 0 for x > 0, x < 2" and looked_at(goal, None, []) is None
    assert "left to show" not in ask("besselj(0, x) < 1/2 if x < 2 for x > 0").no_theorem  # which fails
    assert "left to show" not in ask("n^2 <= C*n^3 for n > 0 for some real C").reason  # with a number that was guessed


def test_what_holds_in_place_of_a_claim_is_no_tautology():
    (line, *_) = ask("k -> 2", to="n->oo", assume=["k > 0"]).evidence
    assert "what holds" not in line.detail
    (line, *_) = ask("harmonic(n) = log(n) + O(1/n)", to="n->oo").evidence
    assert "what holds is harmonic(n) = log(n) + EulerGamma + O(1/n)" in line.detail
