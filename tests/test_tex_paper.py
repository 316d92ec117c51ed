"""A paper's own .tex: which formula a mark speaks of, what is read of it, what is refused, and the marks in the margin."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from importlib import resources
from pathlib import Path

import pytest

from asymp import registry
from asymp.claim import Unread
from asymp.cli import main
from asymp.command.completion import completed
from asymp.command.marks import beside, line_hash
from asymp.export.sarif import sarif
from asymp.latex.document import Document, Piece, blank
from asymp.latex.marks import find_marks
from asymp.paper.tex import gathered
from asymp.testing import claims_test

EXAMPLE = Path(__file__).parents[1] / "examples" / "paper.tex"
SETUP = r"\asympsetup{variables = {n = {whole, >= 1}, x = {x > 0}}, regimes = {large = {n \to \infty}}}"


def paper(body: str, preamble: str = SETUP) -> str:
    return f"\\documentclass{{article}}\n\\usepackage{{asymp}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    inner = tmp_path / "in"
    inner.mkdir()
    monkeypatch.chdir(inner)
    return inner


def claims(text: str | bytes, name: str = "p.tex") -> dict[str, str]:
    """Of each claim of a paper what it says, closed; of one that is not read why, with its place."""
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    found = registry.load_file(name)
    return {c.id.partition("/")[2]: c.relation.reason if isinstance(c.relation, Unread) else c.closed for c in found}


def refused(text: str | bytes) -> str:
    """Why a whole file is refused, in one line."""
    with pytest.raises(registry.ClaimFileError) as error:
        claims(text)
    assert "\n" not in str(error.value)
    return str(error.value)


# --- which formula a mark speaks of

SPEAKS = [
    (r"$a$ and $b \le c$\asymp{m}", "b \\le c"),
    (r"$a$ and $b \le c$. \asymp{m}", "b \\le c"),
    ("$b \\le c$% why\n\\asymp{m}", "b \\le c"),
    (r"\(b \le c\),\asymp{m}", "b \\le c"),
    (r"\[ b = c \asymp{m} \] and $d$", "b = c"),
    (r"\begin{equation}\label{e} b = \text{$x$} \asymp{m}\end{equation}", "\\label{e} b = \\text{$x$}"),
    (r"\begin{equation}\begin{split} b &= c \\ &= d \end{split}\asymp{m}\end{equation}", r"\begin{split} b &= c \\ &= d \end{split}"),
    (r"\begin{alignat}{2} b &= c \asymp{m} \end{alignat}", "b &= c"),
    (r"$$ b_{$} = c \asymp{m} $$", "b_{$} = c"),
    (r"$a$ $b \asymp{m} \le c$", "b             \\le c"),
    (r"\$ $b$\asymp{m}", "b"),
    (r"\verb|$| $b$\asymp{m}", "b"),
    (r"\url{a%b$} $b$\asymp{m}", "b"),
    (r"$b \asymp c$ $d$\asymp{m}", "d"),
    (r"\iftrue $b \le c$\asymp{m} \else $d$ \asymp{m} \fi", r"b \le c"),
    (r"\iffalse $d$\asymp{m} \else $b \le c$\asymp{m} \fi", r"b \le c"),
    (r"\ifx\a\b $a$ \else $d$ \fi $b \le c$\asymp{m} \ifdraft \fi", r"b \le c"),
    (r"\newif\ifdraft \let\ifold\iffalse $b \iff c$\asymp{m} \ifdraft a \fi", r"b \iff c"),
    (r"\ifbool{x}{$a$}{$d$} $b \le c$\asymp{m}", r"b \le c"),
]
SPEAKS_OF_NONE = [
    r"\asymp{m} $b \le c$",
    r"$b \le c$ so \asymp{m}",
    "$b \\le c$\n\n\\asymp{m}",
    r"\[ b = c \] \asymp{m}",
    r"\frac{\asymp{m}} $b$",
    r"\[ b = \text{so $c \asymp{m}$} \]",
    r"\[ b = c \text{ for $n \ge 1 \asymp{m}$} \]",
    r"$b \le c$\footnote{x}\asymp{m}",
    "$b \\asymp{m}\n\n\\le c$",
    r"\begin{equation} b = c \asymp{m}",
    r"\begin{align} b &= c \asymp{m} \asymp{m2} \\ d &= e \end{align}",
    r"\begin{align} b &= c \asymp{m2} \\ d &= e \asymp{m} \\ f &= g \end{align}",
    r"\be a = b \asymp{m} \ee",
    r"\ifx\a\b $b \le c$\asymp{m} \fi",
    r"\ifdraft $a$ \else $b \le c$\asymp{m} \fi",
    r"\ifdraft $a$ \iffalse x \else $a$ \fi $b \le c$\asymp{m} \fi",
    r"\ifdraft \iftrue $a$ \fi $b \le c$\asymp{m} \fi",
    r"\unless\ifnum 1 < 2 \ifmmode \else \fi $b \le c$\asymp{m} \else \fi",
    r"\ifthenelse{\boolean{x}}{$a$}{ $b \le c$\asymp{m} }",
    r"\[ b \ifx\a\b = c \asymp{m} \fi \]",
    r"\be a = b \text{ for $n \ge 1$}\asymp{m} \ee",
]

def marks(body: str, preamble: str = ""):
    text = blank(paper(body, preamble))
    source = Document("p.tex", text, (Piece(0, "p.tex", 0),), (("p.tex", text),))
    return find_marks(source)


@pytest.mark.parametrize(("body", "formula"), SPEAKS)
def test_a_mark_speaks_of_its_formula(body, formula):
    (mark,), _ = marks(body)
    assert (mark.problem, (mark.formula or "").split()) == ("", formula.split())


@pytest.mark.parametrize("body", SPEAKS_OF_NONE)
def test_a_mark_of_which_it_cannot_be_told_speaks_of_none(body):
    found, _ = marks(body)
    assert {mark.name: mark.problem for mark in found}["m"]


def test_each_mark_of_a_display_speaks_of_its_rows():
    (first, second), displays = marks(r"\begin{align} a &= b \asymp{x} \\[2pt] c &= d \\ &\le e \asymp{y} \\ \end{align} \[ f = g \]")
    assert (first.formula or "").split() == ["a", "&=", "b"]
    assert (second.formula or "").split() == ["c", "&=", "d", "\\\\", "&\\le", "e"]
    assert not first.problem and not second.problem and len(displays) == 1
    (first, second), _ = marks(r"\begin{align} a &= \asymp{x} \begin{matrix} b \\ c \end{matrix} \\ d &= e \asymp{y} \end{align}")
    assert (first.formula or "").endswith("\\end{matrix} ") and (second.formula or "").split() == ["d", "&=", "e"]


@pytest.mark.parametrize("hidden", [
    "% $x$\\asymp{m}", "\\begin{verbatim}\n$x$\\asymp{m}\n\\end{verbatim}", "\\verb|$x$\\asymp{m}|", "\\iffalse $x$\\asymp{m}\\fi",
    "\\iftrue $x$ \\else $x$\\asymp{m}\\fi", "\\iffalse a \\iftrue b \\else c \\fi $x$\\asymp{m}\\fi",
    "\\begin{comment}$x$\\asymp{m}\\end{comment}", "\\end{document} $x$\\asymp{m}", "\\endinput $x$\\asymp{m}",
])  # fmt: skip
def test_what_is_not_printed_holds_no_mark(hidden):
    assert [mark.name for mark in marks(f"$1 \\le 2$\\asymp{{a}} {hidden}")[0]] == ["a"]


def test_a_paper_without_the_package_has_the_relation_and_no_marks(folder):
    assert "no claims" in refused(r"\documentclass{article}\begin{document}$1 \le 2$\asymp{a}\end{document}")
    assert "no claims" in refused(paper(r"\[ f \asymp g \] \[ h \asymp \frac{1}{2} \]"))


# --- what is read


def test_a_paper_is_read_as_a_file_of_claims_is(folder):
    preamble = SETUP + r"""
    \newcommand{\half}[1]{\frac{#1}{2}} \DeclareMathOperator{\Bl}{Bl}
    \asympsetup{names = {blocking = {\frac{1}{n+1}}, H = {harmonic(n)}}, domains = {big = {n \ge 5}}, notation = {\log = \ln}}
    \asympnotation{\Bl_n}{blocking}"""
    found = claims(paper(r"""
    $\half{n} \ge \frac12$\asymp{a} $\Bl_n \to 0$\asymp[to=large]{b} $\log n \le n$\asymp[for=big]{c}
    \[ H_n \sim 2\log n \asymp[to={n \to \infty}, corrected={H_n \sim \log n}, why={a slip}]{d} \]
    $x \le e^x$\asymp[for={1 < x, x < 2}]{e} $\Bl_n \le 1 \text{ for } n \ge 2$\asymp{f}""", preamble))  # fmt: skip
    assert found == {
        "a": "n/2 >= 1/2 for whole n >= 1",
        "b": "1/(n + 1) -> 0 as whole n -> oo",
        "c": "log(n) <= n for whole n >= 5",
        "d": "harmonic(n) ~ 2*log(n) as whole n -> oo",
        "d-corrected": "harmonic(n) ~ log(n) as whole n -> oo",
        "e": "x <= exp(x) for 1 < x, x < 2",
        "f": "1/(n + 1) <= 1 for whole n >= 2",
    }
    first = registry.load_file("p.tex")[3]
    assert str(first.expected) == "refuted" and first.correction == "p/d-corrected" and first.source.line == 10
    assert first.source.locator == "p.tex:10" and first.source.quote == r"H_n \sim 2\log n"
    assert registry.load_file("p.tex")[0].source.quote.split() == r"\frac {n}{2} \ge \frac 12".split()


def test_what_is_read_as_latex_or_as_the_language_is_asked_back(folder):
    preamble = SETUP + r"\newcommand{\pn}{p_n}\asympnotation{\pn}{p}"
    body = r"""$\pn \le 1$\asymp[for={p_n < 1}]{a} $p_n \le 1$\asymp[for={p_{n} < 1}]{b} $p_n \le 1$\asymp[for={p < 1}]{c}"""
    found = claims(paper(body, preamble))
    assert "p_n < 1 is p < 1 as LaTeX, and p_n < 1 as it stands" in found["a"] and found["b"] == found["c"] == "p <= 1 for p < 1"
    assert registry.load_file("p.tex")[1].latex == r"p_n  \le 1 \qquad (p_n  < 1)".replace("  ", " ")


def test_phrases_of_the_sentence_are_used_where_the_mark_says_so(folder):
    body = r"""
    For all $n \ge 3$, we have $H_n \le n$\asymp[sentence]{a}.
    \[ H_n \sim \ln n \asymp[sentence]{b} \] as $n \to \infty$.

    $H_n \le n$\asymp{c} for all $n \ge 3$.

    $H_n \le n$\asymp[sentence]{none}."""
    found = claims(paper(body))
    assert found["none"].startswith("p.tex:11: sentence: no such phrase stands next to the formula: write it in the formula")
    assert "n >= 3" in found["a"] and found["b"].endswith("as whole n -> oo") and "n >= 3" not in found["c"]
    said = {claim.id: claim.said for claim in registry.load_file("p.tex")}
    assert said["p/a"] == r"with the sentence: for all $n \ge 3$" and said["p/c"] == ""
    (note,) = registry.load_data("p.tex").notes
    assert note.startswith("p.tex:9: c: the sentence says for all $n \\ge 3$")


def test_two_readings_are_asked_back_with_both_and_the_place(folder):
    body = "\n\\begin{equation}% a comment\n  0 <\n  \\ln n p \\asymp{a}\n\\end{equation}"
    said = claims(paper(body))["a"]
    assert said.startswith("p.tex:8: 2 readings") and "log(n*p)" in said and "log(n)*p" in said and "at line 8: p" in said


@pytest.mark.parametrize("preamble", [
    r"\def\le{\ge}", r"\let\le\ge", r"\newcommand{\le}[1][x]{\ge}", r"\newcommand{\le}{\leq}\renewcommand{\le}{\ge}",
    r"\DeclareMathSymbol{\le}{\mathrel}{symbols}{0}", r"\NewDocumentCommand{\le}{}{\ge}",
    r"\providecommand{\le}{\ge}", r"\makeatletter\@namedef{le}{\ge}", r"\expandafter\def\csname le\endcsname{\ge}", r"\cslet{le}{\ge}",
    r"\letcs{\le}{ge}", r"\renewrobustcmd{\le}{\ge}", r"\ExplSyntaxOn\cs_set:Npn \le {\ge}", r"\Umathchardef\le=0", r"\patchcmd\le{}{\ge}{}{}",
    r"\newcommand{\redef}[2]{\renewcommand{#1}{#2}}\redef{\le}{\ge}", r"\def\x#1{\let#1\ge}\x\le",
])  # fmt: skip
def test_a_macro_whose_meaning_is_not_followed_refuses_the_claim(folder, preamble):
    found = claims(paper(r"$1 \le 2$\asymp{a} $1 < 2$\asymp{b}", preamble))
    assert "\\le, which" in found["a"] and found["b"] == "1 < 2"


def test_a_macro_of_the_text_refuses_the_claim_and_one_of_the_preamble_is_put_in(folder):
    assert claims(paper(r"$2 \lt 1$\asymp{a}", r"\renewcommand{\lt}{>}")) == {"a": "2 > 1"}
    assert "in the text" in claims(paper(r"\renewcommand{\lt}{>} $2 \lt 1$\asymp{a}"))["a"]


def test_files_inside_the_folder_are_part_of_the_paper(folder):
    (folder / "part").mkdir()
    (folder / "part" / "one.tex").write_text("\n$1 \\le 2$\\asymp{b} % \\input{nowhere}\n", encoding="utf-8")
    (folder / "macros.tex").write_text("\\newcommand{\\two}{2}", encoding="utf-8")
    (folder / "class.cls").write_text("\\renewcommand{\\leq}{\\ge}", encoding="utf-8")
    assert claims("\\documentclass[x]{class}" + paper(r"$2 \leq 1$\asymp{a}").partition("}")[2]) == {"a": "2 >= 1"}
    (folder / "mine.sty").write_text("\\catcode`\\!=11 \\renewcommand{\\lt}{\\le}\\def\\ge@x{}\\let\\gt\\ge\n", encoding="utf-8")
    preamble = r"\input macros \usepackage[x]{amsmath, mine}"
    found = claims(paper("$1 < \\two$\\asymp{a}\n\\input{part/one}\n\\include{elsewhere} $\\two < 3$\\asymp{c}", preamble))
    assert claims(paper(r"$1 \lt 2$\asymp{a} $1 \gt 2$\asymp{b} $1 \ge 2$\asymp{c}", preamble), "q.tex") == {
        "a": "1 <= 2", "b": r"q.tex:5: \gt, which \let defines at mine.sty:1, is not followed at line 5: \gt 2", "c": "1 >= 2",
    }
    assert found == {"a": "1 < 2", "b": "1 <= 2", "c": "2 < 3"}
    places = {claim.id: (claim.source.file, claim.source.line) for claim in registry.load_file("p.tex")}
    assert places == {"p/a": ("p.tex", 5), "p/b": ("part/one.tex", 2), "p/c": ("p.tex", 7)}
    assert registry.load_data("p.tex").notes == ("p.tex:7: \\include{elsewhere}: not followed",)


# --- what is refused

HOSTILE = {
    "nested": (r"$" + "{" * 9000 + "x" + "}" * 9000 + r"\le 1$\asymp{a}", "", "p.tex:5: too long"),
    "nested fractions": ("$" + r"\frac{1}{" * 60 + "x" + "}" * 60 + r"\le 1$\asymp{a}", "", "nested more than 40 deep"),
    "nested option": (r"$x \le 1$\asymp[to={" + "{" * 9000 + "}" * 9000 + "}]{a}", "", "too long"),
    "a loop of def": (r"$\a \le 1$\asymp{a}", r"\def\a{\a\a}", "is not followed"),
    "a loop": (r"$\a \le 1$\asymp{a}", r"\newcommand{\a}{\a\a}", "without an end"),
    "a loop of two": (r"$\a{x} \le 1$\asymp{a}", r"\newcommand{\a}[1]{\b{#1#1}}\newcommand{\b}[1]{\a{#1#1}}", "without an end"),
    "a long formula": ("$" + "x+" * 500_000 + r"x \le 1$\asymp{a}", "", "p.tex:5: a formula of 1000007 characters"),
    "a long line": ("word " * 200_000 + r"$x$ \asymp{a}", "", "p.tex:5: a relation is missing"),
    "a long space": ("$x$" + " " * 1_000_000 + r"\asymp{a}", "", "p.tex:5: it stands neither"),
    "write18": (r"\immediate\write18{touch x} $\write18{touch x} \le 1$\asymp{a}", "", "nothing is written"),
    "lua": (r"$\directlua{os.exit()} \le 1$\asymp{a}", "", "\\directlua: not read"),
    "a look-alike": ("$\u0445 \\le 1$\\asymp{a}", "", "CYRILLIC SMALL LETTER HA"),
    "an open brace": (r"$x { \le 1$\asymp{a}", "", "p.tex:5: it stands inside braces"),
    "no such option": (r"$1 \le 2$\asymp[too={n}]{a}", "", "'too' is no option"),
    "an open option": (r"$1 \le 2$\asymp[to={n]{a}", "", "a brace that is never closed"),
}
REFUSED = {
    "absolute": (paper(r"\input{/etc/passwd}"), "p.tex:5: \\input{/etc/passwd}: only files inside the folder"),
    "above": (paper(r"\input{../secret}"), "p.tex:5: \\input{../secret}: only files inside the folder"),
    "above, plainly": (paper("\\input ../secret\n"), "p.tex:5: \\input{../secret}: only files inside the folder"),
    "a link": (paper(r"\input{link}"), "p.tex:5: \\input{link}: only files inside the folder"),
    "a folder that is a link": (paper(r"\input{up/secret}"), "p.tex:5: \\input{up/secret}: only files inside the folder"),
    "a package above": (paper("", r"\usepackage{../secret}"), "p.tex:3: \\usepackage{../secret}: only files inside the folder"),
    "itself": (paper(r"\input{p}"), "p.tex:5: \\input{p}: files more than 10 deep"),
    "a long file": (paper(r"\input{long}"), "p.tex:5: \\input{long}: more than 4000000 bytes"),
    "NUL": (paper("$1 \\le 2$\\asymp{a}\n\0"), "p.tex:6: the character U+0000 is not read"),
    "Latin-1": (paper("caf\xe9").encode("latin-1"), "p.tex:5: not a text in UTF-8"),
    "twice": (paper("$1 \\le 2$\\asymp{a}\n$1 \\le 3$\\asymp{a}"), "p.tex:6: the mark a is also at p.tex:5"),
    "a strange name": (paper("$1 \\le 2$\\asymp{\u0430}"), "p.tex:5: \\asymp{\u0430}: a mark is"),
    "a relation before a brace": (paper(r"$f \asymp {g^2}$"), "p.tex:5: \\asymp {g^2}$: a mark is"),
    "an open mark": (paper(r"$1 \le 2$\asymp{a"), "p.tex:5: \\asymp{a"),
    "an open setup": (paper("", r"\asympsetup{title = {x}"), "p.tex:3: \\asympsetup belongs into the preamble"),
    "a setup in the text": (paper(r"\asympsetup{title = x}"), "p.tex:5: \\asympsetup belongs into the preamble"),
    "a strange key": (paper(r"$1 \le 2$\asymp{a}", r"\asympsetup{variable = {n = {whole}}}"), "p.tex:3: unknown key 'variable'"),
    "a strange variable": (paper(r"$1 \le 2$\asymp{a}", r"\asympsetup{variables = {n = {whole, >}}}"), "p.tex:3: variables.n: "),
    "a hidden dollar": (paper("^^24 1 \\le 2$\\asymp{a}"), "p.tex:5: ^^ changes how characters are read"),
    "catcode": (paper(r"\catcode`\%=12 $1 \le 2$\asymp{a}"), "p.tex:5: \\catcode changes how characters are read"),
    "many marks": (paper(r"\asymp[" * 200_000), "p.tex:5: "),
    "many definitions": (paper(r"$1 \le 2$\asymp{a}", r"\newcommand{\a}{" * 200_000), "p.tex:1: more than 5000 definitions"),
    "many files": (paper(r"\input{q}" * 100_000), "more than 200 files"),
    "many dollars": (paper("$" * 500_000), "no claims"),
    "many displays": (paper(r"\begin{equation}" * 60_000), "no claims"),
    "many verbs": (paper(r"\verb|" * 200_000), "no claims"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_formula_is_refused_and_the_others_stand(folder, name):
    body, preamble, why = HOSTILE[name]
    begun = time.process_time()
    found = claims(paper(f"{body}\n\n$1 < 2$\\asymp{{good}}", preamble))
    assert why in found["a"] and "\n" not in found["a"] and re.match(r"p\.tex:\d+: ", found["a"]) and len(found["a"]) < 600
    assert found["good"] == "1 < 2" and time.process_time() - begun < 20
    assert sorted(os.listdir()) == ["p.tex"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_hostile_file_is_refused_with_the_place(folder, name):
    (folder.parent / "secret.sty").write_text("")
    (folder.parent / "secret.tex").write_text(r"$1 \le 2$\asymp{secret}", encoding="utf-8")
    (folder / "link.tex").symlink_to(folder.parent / "secret.tex")
    (folder / "up").symlink_to(folder.parent)
    (folder / "long.tex").write_bytes(b" " * 4_000_001)
    text, why = REFUSED[name]
    begun = time.process_time()
    said = refused(text)
    assert why in said and "secret}" not in said.partition(why)[2] and time.process_time() - begun < 20


def test_an_error_is_told_as_editors_read_it(folder, capsys):
    Path("p.tex").write_text(paper(r"\input{../x} $1 \le 2$\asymp{a}"), encoding="utf-8")
    assert main(["check", "p.tex", "--sarif", "s.json"]) == 2
    assert capsys.readouterr().err == "p.tex:5: \\input{../x}: only files inside the folder of the paper are read\n"
    (result,) = json.loads(Path("s.json").read_text())["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("p.tex", 5)


# --- every verb, and the marks

BODY = r"""
$1 < 2$\asymp{thm:right} \[ 2 < 1 \asymp{thm:wrong} \] $3 < 2$\asymp[expected=refuted]{known} $\ln n p > 0$\asymp{two}
\[ a = b \]
"""


@pytest.fixture
def checked(folder, capsys) -> str:
    """What is said when a paper is checked."""
    Path("p.tex").write_text(paper(BODY), encoding="utf-8")
    assert main(["check", "p.tex", "--json", "r.json", "--sarif", "s.json"]) == 1
    return capsys.readouterr().out


def signs() -> dict[str, str]:
    text = beside("p.tex").read_text()
    return dict(re.findall(r"\\asympmark\{(.*?)\}\{(.*?)\}", text))


def test_a_paper_is_checked_and_marked(checked):
    assert "\np.tex:6: p/thm:wrong is refuted: " in checked and "\np.tex:6: p/two is undecided: 2 readings" in checked
    assert "\n1 display not checked: p.tex:7\n" in checked
    assert signs() == {"thm:right": "tick", "thm:wrong": "cross", "known": "cross", "two": "open"}
    entries = json.loads(Path("r.json").read_text())["claims"]
    assert [entry["place"] for entry in entries] == [{"file": "p.tex", "line": 6}] * 4
    run = json.loads(Path("s.json").read_text())
    assert run["version"] == "2.1.0"
    found = [(one["ruleId"], one["level"], one["locations"][0]["physicalLocation"]["region"]["startLine"]) for one in run["runs"][0]["results"]]
    assert found == [("refuted", "error", 6), ("refuted", "note", 6), ("unreadable", "error", 6)]


def test_every_verb_takes_a_paper(checked, capsys):
    target = "p.tex::thm:right"
    assert main(["list", target]) == 0 and "p/thm:right" in capsys.readouterr().out
    assert main(["show", target, "-q"]) == 0 and "1 < 2" in capsys.readouterr().out
    assert main(["check", target]) == 0 and "thm:wrong" not in capsys.readouterr().out
    assert signs()["thm:wrong"] == "cross"  # what was found before stays
    assert main(["export", target, "-q", "--out", "out"]) == 0 and Path("out/p-thm-right.tex").is_file()
    assert main(["report", "p.tex", "--from", "r.json", "-q", "--out", "out"]) == 1
    assert 'href="../p.tex#L6">p.tex:6</a>' in Path("out/p.html").read_text()
    assert main(["verify", "r.json", "--claims", "p.tex"]) in (0, 1) and "missing" not in capsys.readouterr().out
    assert completed(["show", "p.tex::thm"]) == ["p.tex::thm:right", "p.tex::thm:wrong"]
    ids = claims_test("p.tex").pytestmark[0].args[1]
    assert [one.id for one in ids] == ["p/thm:right", "p/thm:wrong", "p/known", "p/two"]


def test_a_changed_formula_is_stale_and_a_reformatted_one_is_not(checked, capsys):
    def listed(text: str) -> list[str]:
        Path("p.tex").write_text(text, encoding="utf-8")
        main(["list", "p.tex"])
        return re.findall(r": (\S+): stale", capsys.readouterr().out)

    assert listed(paper(BODY)) == []
    assert listed(paper("New words.\n\n" + BODY.replace("2 < 1", "2% why\n   <1"))) == []
    assert listed(paper(BODY.replace("2 < 1", "2 < 0"))) == ["thm:wrong"]
    assert listed(paper(BODY.replace("1 < 2", "1 < n"))) == ["thm:right"]
    assert listed(paper(BODY.replace("2 < 1", r"2 \x 1"), SETUP + r"\newcommand{\x}{<}")) == []
    assert listed(paper(BODY.replace("2 < 1", r"2 \x 1"), SETUP + r"\newcommand{\x}{\le}")) == ["thm:wrong"]
    assert listed(paper(BODY.replace("asymp{thm:wrong}", "asymp[for={n > 3}]{thm:wrong}"))) == ["thm:wrong"]


def test_a_file_that_is_no_file_of_marks_is_left_alone(folder, capsys):
    Path("p.tex").write_text(paper(r"$1 < 2$\asymp{a}"), encoding="utf-8")
    Path("p.asymp").write_text("mine")
    assert main(["check", "p.tex"]) == 2 and "does not write over it" in capsys.readouterr().err
    assert Path("p.asymp").read_text() == "mine"
    Path("p.asymp").unlink()
    Path("p.asymp").symlink_to(folder.parent / "outside")
    assert main(["check", "p.tex"]) == 2 and not (folder.parent / "outside").exists()


def test_sarif_has_what_a_reviewer_is_to_see():
    entry = {"id": "a/b", "relation": "bound", "outcome": "holds", "strength": "proved", "expected": "holds", "place": None}
    assert sarif([entry], [], "1")["runs"][0]["results"] == []
    entry |= {"outcome": "undecided", "evidence": [], "reason": "why"}
    (found,) = sarif([entry], ["q.toml, line 3: no"], "1", {"a/b": "a.toml"})["runs"][0]["results"][:1]
    assert found["locations"][0]["physicalLocation"] == {"artifactLocation": {"uri": "a.toml"}, "region": {"startLine": 1}}
    assert (found["ruleId"], found["level"], found["message"]["text"]) == ("undecided", "error", "a/b: undecided, proved: why")


# --- LaTeX

needs_latex = pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")


def compiled(name: str) -> dict[str, str]:
    """What is in the margin after two runs."""
    for _ in range(2):
        call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", name]
        run = subprocess.run(call, capture_output=True, check=False)
        assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    log = Path(name).with_suffix(".log").read_text(errors="replace")
    assert "Rerun" not in log
    return dict(re.findall(r"^asymp: (\S+): (\w+)$", log, re.MULTILINE))


FULL = (
    BODY.replace("2 < 1", "2% é # ~ \t and so on\n   <1")
    + "\\begin{align} n! &\\asymp & n \\\\ n &\\asymp n \\end{align}\n\\input{part}"
)
PREAMBLE = "\\usepackage{amsmath}\n" + SETUP + "\n\\newcommand{\\two}{2}\n\\newcommand{\\less}{<}"


@needs_latex
def test_the_margin_shows_what_was_found_and_what_is_stale(folder, capsys):
    Path("part.tex").write_text("$1 \\less \\two$\\asymp{part} and\r\n$1 < 4$\\asymp{other}\r\n", encoding="utf-8", newline="")
    Path("p.tex").write_text(paper(FULL, PREAMBLE), encoding="utf-8")
    assert main(["latex", "--style"]) == 0 and capsys.readouterr().out == "asymp.sty\n"
    assert compiled("p.tex") == {}  # nothing was checked yet
    main(["check", "p.tex", "-q"])
    found = {"thm:right": "tick", "thm:wrong": "cross", "known": "cross", "two": "open", "part": "tick", "other": "tick"}
    assert compiled("p.tex") == found

    def after(text: str) -> set[str]:
        Path("p.tex").write_text(text, encoding="utf-8")
        return {name for name, sign in compiled("p.tex").items() if sign == "stale"}

    assert after(paper("New words.\n\n" + FULL, "% more\n" + PREAMBLE)) == set()
    assert after(paper(FULL.replace("<1", "<  1"), PREAMBLE)) == set()
    assert after(paper(FULL.replace("<1", "<0"), PREAMBLE)) == {"thm:wrong", "known", "two"}  # all on its line
    assert after(paper(FULL.replace("1 < 2", "1 \\le 2"), PREAMBLE)) == {"thm:right", "thm:wrong"}
    assert after(paper(FULL, PREAMBLE.replace("{<}", "{>}"))) == {"part"}
    assert after(paper(FULL, PREAMBLE.replace(">= 1", ">= 2"))) == set(found)
    Path("p.tex").write_text(paper(FULL, PREAMBLE), encoding="utf-8")
    Path("part.tex").write_text("$1 \\less 3\\two$\\asymp{part} and\r\n$1 < 4$\\asymp{other}\r\n", encoding="utf-8", newline="")
    assert compiled("p.tex") == found | {"part": "stale"}
    Path("off.tex").write_text(paper(FULL, PREAMBLE).replace("{asymp}", "[off]{asymp}"), encoding="utf-8")
    shutil.copy("p.asymp", "off.asymp")
    assert compiled("off.tex") == {} and "asymp" not in Path("off.aux").read_text()


@needs_latex
def test_a_mark_that_asymp_took_for_an_inline_one_and_latex_does_not_is_stale(folder):
    assert claims(paper(r"$1 < 2$\asymp{a} $1 < 3 \asymp{b}$")) == {"a": "1 < 2", "b": "1 < 3"}
    main(["latex", "--style"])
    main(["check", "p.tex", "-q"])
    text = beside("p.tex").read_text()
    assert "{a}{tick}{h}" in text and "{b}{tick}{m}" in text and compiled("p.tex") == {"a": "tick", "b": "tick"}
    beside("p.tex").write_text(text.replace("{a}{tick}{h}", "{a}{tick}{m}").replace("{b}{tick}{m}", "{b}{tick}{h}"))
    assert compiled("p.tex") == {"a": "stale", "b": "stale"}


def test_lines_are_hashed_without_spaces():
    assert line_hash(" a  b \t\r") == line_hash("ab") != line_hash("a\tb")


def test_the_style_runs_no_other_program():
    text = resources.files("asymp.latex").joinpath("asymp.sty").read_text(encoding="utf-8")
    assert not re.search(r"write18|directlua|ShellEscape|\\openout", text)


def test_the_example_has_ten_marks():
    tex = registry.tex_file(EXAMPLE)
    assert len(tex.marks) == 10 and not [claim.id for claim in tex.read().claims if isinstance(claim.relation, Unread)]
    assert gathered(EXAMPLE).missing == () and tex.read().title == "Coupons, servers and birthdays"


@pytest.mark.parametrize(("sentence", "read"), [
    (r"We have $k \le 2n$\asymp[sentence]{a} for all $n \ge 1$, uniformly in $k \le n$.", False),
    (r"Uniformly in $k \le n$, $k \le 2n$\asymp[sentence]{a} for all $n \ge 1$.", False),
    (r"$2^n \ge n^3$\asymp[sentence]{a} for $n \ge 10$, and even for smaller $n \ge 5$.", False),
    (r"$2^n \ge n^3$\asymp[sentence]{a} for all $n \ge 1$ except $n = 2, \ldots, 9$.", False),
    (r"For some constant $C > 0$, we have $n \le C n^2$\asymp[sentence]{a} for all $n \ge 1$.", False),
    (r"\[ n \le 2n \asymp[sentence]{a} \] for all $n \ge 1$ and simultaneously $p \le 1$.", False),
    (r"$n \le 2n$\asymp[sentence]{a} for all $n \ge 1$ while $p \le n$.", False),
    (r"As we have seen, $n \le 2n$\asymp[sentence]{a} for all $n \ge 1$ (Lemma 2). Uniformly in $k \le n$ it is otherwise.", True),
    (r"Let $k \le n$. The number $H_n$ comes later: $n \le 2n$\asymp[sentence]{a} for all $n \ge 1$, and $1 \le 2$\asymp{b}.", True),
    (r"It fails if $k = 2$. \[ n \le 2n. \asymp[sentence]{a} \] Uniformly.", None),
])  # fmt: skip
def test_what_a_sentence_says_is_read_or_it_is_said_that_it_is_not(folder, sentence, read):
    """Words beside a formula that say when it is meant to hold were passed over, and what was checked was something else."""
    found = claims(paper(sentence, r"\asympsetup{variables = {n = {whole, >= 1}, k = {whole, >= 1}, p = {p > 0}, C = {C > 0}}}"))["a"]
    if read:
        assert found == "n <= 2*n for n >= 1" or found.startswith("n <= 2*n for")
    elif read is None:
        assert "no such phrase" in found
    else:
        assert "not read beside the formula" in found


@pytest.mark.parametrize("said", [r"\asympnotation{\Phi(#1)}{Phi}", r"\asympsetup{notation = {Phi = {\Phi(#1)}}}"])
def test_a_function_is_declared_with_a_place_for_its_argument(folder, said):
    found = claims(paper(r"\[ 1 - \Phi(x) = o(1) \asymp[to={x \to \infty}]{a} \]", f"{SETUP}\n{said}"))
    assert found == {"a": "1 - erfc(-x/sqrt(2))/2 = o(1) as x -> oo"}
