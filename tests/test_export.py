"""Export: the record, the tables, LaTeX that compiles whatever it is given, figures, rich display."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from asymp.claim import (
    Claim,
    Evidence,
    Outcome,
    Property,
    Relation,
    Source,
    Step,
    Strength,
    Verdict,
    Witness,
)
from asymp.export import latex, plot, record, table
from asymp.export.escape import escape
from asymp.export.expansion import expansion_latex
from asymp.export.formula import broken, maths, rich
from asymp.parse import claim

n = sp.Symbol("n", positive=True)
AWKWARD = [
    r"50% of {f_n} & $g^2 ~ \ #1 <b> |x| \"quoted\" `tick'",
    "μ ∼ μ₁/(p ln(1/p)) ≤ ∞, x² ⇒ ℕ ∈ 𝔼 “ok” – § 中文 😀 Erdélyi Dvořák",
    "\\input{/etc/passwd} \\end{document} \\write18{ls}",
    "_" * 300,
    "9" * 900,
    "-->--- ?` !` << >> ,, ''",
    "tab\tnewline\nnull\x00bell\x07 ́x",
    "$a$ and $b_{1}$ but $unclosed_{",
    "",
]


def a_verdict(text: str = "n + 1 ~ n", formula: str = "", relation: Relation | None = None, slug: str = "x") -> Verdict:
    claim = Claim(
        f"demo/{slug}",
        Source("demo", "Lemma 1"),
        relation or Property(list),
        text or "-",
        latex=formula,
        note=text,
        correction=None,
    )
    point = Witness({"n": "1e1000", "p": "0." + "3" * 2000}, "1." + "7" * 5000, "1e-30")
    steps = (Step(text, formula, text), Step("expanded", r"\sum_{k=1}^{n} \frac{1}{k}", "DLMF"))
    evidence = Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, text, (point,) * 2, steps, text)
    return Verdict(claim, Outcome.HOLDS, Strength.PROVED, (evidence,), text or None, 0.1, text)


# --- LaTeX -----------------------------------------------------------------------------------

LONG = " + ".join(rf"\frac{{{k}}}{{n^{{{k}}}}}" for k in range(1, 90))
FORMULAS = [
    r"\mu \sim \frac{\mu_1}{p_n \ln(1/p_n)}",
    r"$\alpha > 1$",
    r"\frac{1}{p",
    r"x} + {y",
    r"\left( x \right]",
    r"\left( \frac{1}{2 \right) }",
    r"a & b",
    r"a % b",
    r"\undefinedcommandbyus{x}",
    r"\begin{cases} 1 & n > 0 \\ 0 & n = 0 \end{cases}",
    r"\begin{tikzpicture} \end{tikzpicture}",
    r"\end{document}",
    "μ ≤ ∞₁ 中",
    r"x^",
    r"x^2^3",
    r"\frac",
    r"\sqrt",
    LONG,
    r"\left(" + LONG + r"\right)",
    sp.latex(sp.Integral(sp.exp(-n) * sp.loggamma(n) / sp.uppergamma(2, n), (n, 1, sp.oo))),
    r"\text{for 50\% of } n",
    r"\text{unclosed",
    r"{n \choose 2} + \binom{n}{2}",
    "x_{1}_{2}",
    "a''^{2}",
    "#1",
]


def compile_tex(text: str, folder: Path) -> str:
    """The log of pdflatex; the test is skipped where there is none."""
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    (folder / "sheet.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "sheet.tex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    errors = "\n".join(re.findall(r"^!.*(?:\n.*){0,4}", run.stdout, re.M))
    assert run.returncode == 0, errors or run.stdout[-2000:]
    return run.stdout


def test_a_document_of_awkward_claims_compiles(tmp_path):
    verdicts = [a_verdict(text, slug=f"text-{k}") for k, text in enumerate(AWKWARD)]
    verdicts += [a_verdict("plain", formula, slug=f"formula-{k}") for k, formula in enumerate(FORMULAS)]
    verdicts += [a_verdict("refuted", slug="a"), a_verdict("$x$ in a rule", slug="b")]
    log = compile_tex(latex.document("A title with 50% & more_", verdicts), tmp_path)
    assert "Missing character" not in log
    widths = [float(width) for width in re.findall(r"Overfull \\hbox \(([0-9.]+)pt too wide\)", log)]
    assert max(widths, default=0) < 30, widths
    assert (tmp_path / "sheet.pdf").stat().st_size > 10_000


def test_an_empty_document_compiles(tmp_path):
    compile_tex(latex.document("Nothing", []), tmp_path)


@given(st.text(max_size=60))
@example("a\\b")
def test_escaped_text_has_nothing_special_left(text):
    bare = re.sub(r"\\[A-Za-z]+(\{\})?|\\.|\{[^{}]*\}|\$\$", "", escape(text))
    assert not re.search(r"[\\#%&_^~$<>|]", bare.replace("~", "")), bare


@given(st.text(alphabet="ab{}\\$^_&%#leftright()[] ", max_size=40))
def test_a_formula_is_balanced_or_refused(text):
    formula = maths(text)
    if formula is not None:
        bare = re.sub(r"\\.", "", formula)
        assert bare.count("{") == bare.count("}")
        assert "$" not in bare


def test_unsafe_formulas_are_shown_as_text():
    assert maths(r"\input{x}") is None
    assert maths(r"\end{document}") is None
    assert maths(r"\begin{document}") is None
    assert latex.claim_latex(a_verdict("n + 1 ~ n", r"\frac{1}{").claim) == r"\text{n + 1 \textasciitilde{} n}"


def test_long_formulas_are_broken_outside_brackets():
    text = broken(LONG)
    assert text.startswith(r"\begin{aligned}")
    assert all(line.count("{") == line.count("}") for line in text.split(r"\\"))
    inside = r"\left(" + LONG + r"\right)"
    assert broken(inside) == inside
    assert broken("a + b") == "a + b"


def test_rich_text_keeps_mathematics_and_escapes_the_rest():
    assert rich("for $n_1$ & all") == r"for $n_1$ \& all"
    assert rich("costs $5_") == r"costs \$5\_"


@pytest.mark.parametrize(
    ("statement", "to", "text"),
    [
        ("harmonic(n) = log(n) + O(1)", "n -> oo", r"O\left(1\right)"),
        ("1/n -> 0", "n -> oo", r"\to 0"),
        ("n = Theta(2*n)", "n -> oo", r"\Theta"),
        ("pi rounds to 3.14", None, "3.14"),
    ],
)
def test_every_statement_has_latex(statement, to, text):
    assert text in latex.claim_latex(claim("demo/x", statement, to=to, source="demo, Lemma 1"))


def test_what_has_no_formula_is_words():
    made = Claim("demo/x", Source("demo", "Lemma 1"), Property(list), "the statement")
    assert latex.claim_latex(made) == r"\text{the statement}"


# --- text and record -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("0.5", "0.5"),
        ("1e1000", "1e1000"),
        ("-" + "1" * 100, "-1." + "1" * 22 + "...e+99"),
        ("0." + "3" * 100, "0." + "3" * 23 + "..."),
        ("1." + "7" * 100 + "e-50", "1." + "7" * 22 + "...e-50"),
        ("0." + "0" * 40 + "12345", "1.2345e-41"),
        ("path = n -> oo and some more words", "path = n -> oo and some more ..."),
    ],
)
def test_long_numbers_are_shortened_and_keep_their_size(text, short):
    assert table.number(text) == short


@given(st.decimals(allow_nan=False, allow_infinity=False), st.integers(-2000, 2000))
def test_shortened_numbers_are_close(value, power):
    text = f"{value:f}e{power}"
    from decimal import Decimal, localcontext

    short = table.number(text).replace("...", "")
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 60, 10**9, -(10**9)
        exact = Decimal(text)
        assert abs(Decimal(short) - exact) <= abs(exact) * Decimal("1e-20")


def test_explanations_and_rows_hold_what_is_known():
    verdict = a_verdict("the statement")
    out = table.explanation(verdict)
    for part in ("Lemma 1 of demo", "the statement", "derivation", "evidence", "n = 1e1000"):
        assert part in out
    assert max(len(line) for line in out.splitlines()) < 240
    assert "NO: refuted" in table.row(
        Verdict(
            Claim("a/b", Source("a", "1"), Relation(), "s", expected=Outcome.REFUTED), Outcome.HOLDS, Strength.NONE, ()
        ),
        (12, 7),
    )


def test_the_record_is_json_and_written_whole(tmp_path):
    path = tmp_path / "record.json"
    path.write_text("old")
    data = record.record([a_verdict(text) for text in AWKWARD], "0.1", 1.0)
    record.write_record(path, data)
    assert json.loads(path.read_text(encoding="utf-8")) == data
    with pytest.raises(ValueError, match="JSON"):
        record.write_record(path, {"x": float("nan")})
    assert json.loads(path.read_text(encoding="utf-8")) == data
    assert [item.name for item in tmp_path.iterdir()] == ["record.json"]


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "record.json"
    path.write_text("old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk")))
    with pytest.raises(OSError, match="disk"):
        record.write_text(path, "new")
    assert path.read_text() == "old"
    assert [item.name for item in tmp_path.iterdir()] == ["record.json"]


# --- figures ---------------------------------------------------------------------------------


def a_figure(ys: tuple = ("0.5", "0.25", "1e-3"), xs: tuple = ("1e1", "1e2", "1e3"), **panel) -> plot.Figure:
    series = tuple(plot.Series(colour, colour, xs, ys) for colour in ("green", "orange", "purple"))
    return plot.Figure("Figure 2", "n", (plot.Panel(r"$\mu$", series, "rate", **panel), plot.Panel("jobs", series)))


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_figures_are_drawn_the_same_every_time(kind, tmp_path):
    path = plot.save(a_figure(), tmp_path / f"figure.{kind}")
    assert path.stat().st_size > 5_000
    if kind != "svg":
        assert path.read_bytes() == plot.render(a_figure(), kind)


def test_markers_tell_the_curves_apart_without_colour():
    axes = plot.draw(a_figure()).axes
    assert len(axes) == 2
    assert [line.get_marker() for line in axes[0].lines] == ["^", "v", "s"]
    assert list(axes[0].lines[0].get_xdata()) == pytest.approx([10, 100, 1000])
    assert axes[0].get_xscale() == "log"


def test_numbers_beyond_floats_are_drawn():
    axes = plot.draw(a_figure(("1e-1000", "1e-2000", "1e-3000"), ("1e1", "1e100", "1e1000"))).axes[0]
    assert list(axes.lines[0].get_ydata()) == [-1000, -2000, -3000]
    assert list(axes.lines[0].get_xdata()) == [1, 100, 1000]


def test_words_stand_under_all_panels_on_lines_for_which_there_is_room():
    plain, said = a_figure(), replace(a_figure(), words=lambda: "what one sees " * 30)
    canvas = plot.draw(said)
    canvas.canvas.draw()
    lines = canvas.get_supxlabel().split("\n")
    assert len(lines) > 2 and " ".join(lines) == said.words().strip()
    assert canvas.get_figheight() > plot.draw(plain).get_figheight() + 0.3
    (label,) = [text for text in canvas.texts if text.get_text() == canvas.get_supxlabel()]
    assert 0 <= label.get_window_extent().x0 and label.get_window_extent().x1 <= canvas.bbox.x1
    assert label.get_window_extent().y1 <= min(axes.get_tightbbox().y0 for axes in canvas.axes)


@pytest.mark.parametrize("bad", ["nan", "inf", "0", "-1", "abc"])
def test_numbers_that_cannot_be_drawn_are_named(bad):
    with pytest.raises(ValueError, match="series 'green'"):
        plot.draw(a_figure((bad, "1", "1")))


def test_a_series_has_as_many_xs_as_ys():
    with pytest.raises(ValueError, match="1 xs and 2 ys"):
        plot.Series("s", "green", (1,), (1, 2))


# --- notebooks -------------------------------------------------------------------------------


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@settings(max_examples=50)
@given(st.text(max_size=40))
@example("<script>alert(1)</script> & a < b")
def test_a_verdict_in_a_notebook_is_well_formed_html(text):
    parser = _Tags()
    parser.feed(a_verdict(text)._repr_html_())
    parser.close()
    assert parser.open == []
    assert "script" not in parser.open
    if "&" not in text and "\r" not in text and "\x00" not in text:
        assert (text or "-") in parser.text


def test_a_claim_in_a_notebook_is_latex_or_text():
    assert a_verdict("s", r"\mu").claim._repr_latex_().strip("$").strip() == r"\displaystyle \mu"
    assert a_verdict("s").claim._repr_latex_() == "s"


EXPANSIONS = [
    ("harmonic(n)", {"terms": ["log(n)", "EulerGamma"], "remainder": {"kind": "O", "growth": "1/n"}}, "n->oo", None),
    ("1 - p", {"terms": ["1", "-p"], "remainder": {"kind": "O", "growth": "0"}}, "p->0+", None),
    (
        "n^(3-2*a) + n^(1-a)",
        {
            "cases": [
                {"when": "1<a<2", "terms": ["n**(3 - 2*a)"], "remainder": {"kind": "O", "growth": "n**(1 - a)"}},
                {"when": "a=2", "terms": ["2/n"], "remainder": {"kind": "O", "growth": "0"}},
                {"when": "n*p->oo and x_{ is odd", "terms": ["nothing_known(n)"], "remainder": {"kind": "o", "growth": "1"}},
            ]
        },
        "n->oo, p=n^(-a)",
        None,
    ),
    (
        "x*exp(x) = n",
        {
            "terms": ["log(n)"],
            "remainder": {"kind": "B", "growth": "log(log(n))", "constant": "1.01", "valid_from": "10"},
        },
        "n->oo",
        "x",
    ),
]


def test_expansions_as_latex_compile(tmp_path):
    sheets = [expansion_latex(quantity, answer, to, unknown) for quantity, answer, to, unknown in EXPANSIONS]
    body = "\n".join(rf"\[{sheet}\]" for sheet in sheets)
    compile_tex(latex.PREAMBLE + r"\begin{document}" + body + r"\end{document}", tmp_path)
    assert r"O\left" not in sheets[1]  # exact: no remainder
    assert sheets[2].count(r"\\") == 2
    assert r"\to \infty" in sheets[2]
    assert r"\text{where } x e^{x} = n" in sheets[3]
    assert r"1.01 \cdot" in sheets[3]


def test_a_refused_expansion_has_no_latex():
    with pytest.raises(ValueError, match="refused"):
        expansion_latex("sin(n)", {"refused": "it oscillates"}, "n->oo")
