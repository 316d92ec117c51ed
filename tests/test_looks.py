"""How pages look, as far as their text tells: what scrolls, what can be read, what is said in place of a picture.

No browser is opened here: what was seen in one is kept by its cause.
"""

from __future__ import annotations

import re
import runpy
from decimal import Decimal
from itertools import pairwise

import pages
import pytest

import asymp.latex
from asymp.answer import figures
from asymp.export import called, cell, font, inline, points, prose, report
from asymp.export.mathml import mathml
from asymp.export.plot import Series
from asymp.language.syntax import Parser
from asymp.language.tex import tex
from asymp.parse import claim

REPORT = (pages.ROOT / "asymp" / "export" / "report.css").read_text(encoding="utf-8")
SITE = (pages.ROOT / "docs" / "_static" / "asymp.css").read_text(encoding="utf-8")
TEXTS = {str(page.relative_to(pages.ROOT)): page.read_text(encoding="utf-8") for page in pages.pages() if page.parent != pages.ROOT}


def entry(name: str = "x", **more):
    base = {
        "id": f"a/{name}", "paper": "a", "locator": "Lemma 1", "relation": "order", "statement": "n -> oo", "quote": "",
        "latex": r"n \to \infty", "as_printed": True, "outcome": "holds", "strength": "proved", "expected": "holds",
        "correction": None, "reading": "none", "evidence": [], "trusts": ["DLMF 1.1"], "next_term": None,
    }  # fmt: skip
    return base | more


def page(*entries) -> str:
    return report.page("T", {"asymp": "0", "claims": list(entries), "summary": {}}, {}, {})


# --- style sheets ------------------------------------------------------------------------------------


@pytest.mark.parametrize("sheet", [REPORT, SITE, cell.STYLE], ids=["report", "site", "cell"])
def test_nothing_has_a_fixed_width(sheet):
    assert re.findall(r"(?<![-\w])width: ?[\d.]+(?:px|rem|em)", sheet) in ([], ["width: 14rem", "width: 12rem"])  # side bars


def test_what_scrolls_says_so():
    for selector, sheet in ((r"div\.highlight pre, div\.math, \.pst-scrollable-table-container", SITE), (r"\.scroll, article p", REPORT)):
        (body,) = re.findall(rf"^{selector} \{{([^}}]*linear-gradient[^}}]*)\}}", sheet, re.M)
        assert "overflow" in body and body.count("local") == 2 and body.count("scroll;") + body.count("scroll,") >= 2


def test_colours_can_be_read_on_their_ground():
    for block in re.findall(r":root \{([^}]*--paper[^}]*)\}", REPORT)[:2]:  # light, dark
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))
        for name in "ink soft link holds refuted undecided supported".split():
            for ground in ("paper", "tint"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)


def contrast(one: str, other: str) -> float:
    """As WCAG 2 has it."""

    def light(colour: str) -> float:
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        red, green, blue = (x / 12.92 if x <= 0.03928 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


# --- the report --------------------------------------------------------------------------------------


def test_a_page_has_its_landmarks_and_its_headings_in_order():
    made = page(entry(outcome="refuted"), entry("y"), entry("z", outcome="undecided", strength="none", reason="r"))
    assert made.count("<main>") == made.count("</main>") == made.count("<h1>") == 1
    levels = [int(level) for level in re.findall(r"<h(\d)", made)]
    assert levels[0] == 1 and all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_of_a_page_scrolls_in_a_box_of_its_own():
    point = {"at": {"mu1": "1", "n": "1e100"}, "value": "1.5", "radius": "1e-9"}
    line = {"kind": "enclosed", "outcome": "holds", "strength": "supported", "detail": "d", "points": [point] * 2}
    made = page(entry(evidence=[line]))
    assert made.count("<table") == made.count('<div class="scroll"><table') == 2
    assert "μ₁ = 1, n = 10<sup>100</sup>" in made


def test_a_claim_of_a_tex_file_has_the_author_s_name_and_says_its_formula_once():
    made = page(entry("eq:big-sum", locator="p.tex:7", quote=r"n\to\infty.", outcome="refuted"), entry("y"))
    assert "<b>Equation (big sum)</b>" in made and ">Equation (big sum)</a>" in made
    errata = made[made.index('id="errata"') : made.index('class="filter"')]
    assert errata.count("<math") == 1 and "<blockquote" not in errata
    other = page(entry("eq:big-sum", locator="p.tex:7", quote=r"n\to 2^n.", outcome="refuted"), entry("y"))
    assert "<blockquote" in other[other.index('id="errata"') : other.index('class="filter"')]


@pytest.mark.parametrize(
    ("quote", "latex", "same"),
    [("H_n = ln n + 0.577 + o(1)", r"H_{n} = \ln n + 0.577 + o\left(1\right) \qquad (n \to \infty)", True),
     ("$$x^2$$", "x^{2}", False), ("", "", False), ("x^{12}", "x^{1}2", False), ("2^n", "2n", False), ("a < b", "a > b", False)],
)  # fmt: skip
def test_a_quote_is_left_out_only_where_it_is_the_statement(quote, latex, same):
    assert called.alike(quote, latex) is same


# --- running text ------------------------------------------------------------------------------------


TERMS = (
    "1/(12*n^2)  log(1/p)/x  x*(1/n)  2*(1/n)  (a/b)*c  (a+b)/(c*d)  a/b/c  (n/x)^n  sqrt(a/b)  x^(a/(b+1))  2^(2*k+1/2)  (1/n)!  "
    "log(x)/log(y)  log(x)^2/y*z  -1/(a-b)  exp(-a/b)  sin(a/b)  1/(1+1/n)  x!/y!  1/(a*b)!  (1/x)*log(y)  log(a)*b/c"
).split("  ")


@pytest.mark.parametrize("term", TERMS)
def test_a_quotient_in_the_line_is_read_as_the_fraction_is(term):
    latex = tex(Parser(term).whole(), {})
    said, low, high = (str(asymp.latex.read(f"{one} > 0")) for one in (inline.inline(latex), inline.low_exponents(latex), latex))
    assert said == low == high


@pytest.mark.parametrize(
    ("text", "said"),
    [("n -> oo, p -> 0+", r"$n \to \infty$, $p \to 0^{+}$"), ("at n = 1e8, 1e20", "at $n = 10^{8}$, $10^{20}$"),
     ("no formula: a word -> another", "no formula: a word → another"), ("it is -EulerGamma", r"it is $-\gamma$"),
     ("J_(nu-1) + B_2n(x)", "J_(nu-1) + B_2n(x)"), ("the sum of x^k/k!, x != 2", r"the sum of $x^{k}/k!$, $x \ne 2$"), ("lhs <= rhs", "lhs ≤ rhs"), ("is ln n + gamma + o(1)", r"is $\ln n + \gamma + o\left(1\right)$"), ("costs $5 -> oo", "costs $5 -> oo")],
)  # fmt: skip
def test_relations_of_running_text_are_set(text, said):
    assert prose.set_formulas(text) == said


def test_words_in_formulas_stand_apart_and_brackets_close_to_them():
    assert mathml(r"h \mathrm{held}").count("<mspace") == 1 and "<mspace" not in mathml(r"\operatorname{sgn}\left(x\right)")
    assert "<mspace" not in mathml(r"-\mathrm{ab} + x") and "<mo>sgn" not in mathml(r"\operatorname{sgn} x")


# --- pictures ----------------------------------------------------------------------------------------


def test_values_below_0_are_drawn_downwards_and_the_ends_are_numbers():
    made = points.picture([{"at": {"n": f"1e{k}"}, "value": f"-8e{k}", "radius": "0"} for k in (8, 20, 100)])
    heights = [float(y) for y in re.findall(r'cy="([\d.]+)"', made)]
    assert heights == sorted(heights) and "-8·10⁸<" in made and "-8·10¹⁰⁰<" in made and "e+" not in made


@pytest.mark.parametrize(
    ("ys", "log"), [(("0.9", "1.1"), False), (("5", "5e499"), True), (("-5", "-5e499"), True), (("0", "-1e400"), False)]
)
def test_quotients_that_run_away_are_drawn_by_their_sizes(ys, log):
    panel = figures._ratios((Series("as stated", "purple", ("1e1", "1e2"), ys),))
    assert panel.y_log is log
    assert not log or all(Decimal(y) > 0 for y in panel.series[0].ys)


def test_the_figure_of_what_fails_is_drawn_along_the_path_on_which_it_fails():
    made = claim("me/x", "(1-p)^n ~ exp(-n*p)", to="n->oo, p->0+", source="me, 1")
    path = [{"rule": "path", "data": {"runner": "k", "values": {"n": "k", "p": "k^(-1/2)"}}}]
    wrong = figures.figure_of(made, order=0, powers=(8, 20), certificate=path)
    assert "along p = n^(-1/2)" in wrong.title and all(0.6 < float(y) < 0.61 for y in wrong.panels[0].series[0].ys)
    elsewhere = [{"rule": "path", "data": {"runner": "k", "values": {"n": "k"}}}]  # nothing is said of p: not this statement's
    assert figures.figure_of(made, order=0, powers=(8, 20), certificate=elsewhere).panels == figures.figure_of(made, order=0, powers=(8, 20)).panels


def test_a_notebook_carries_the_font_once(monkeypatch):
    monkeypatch.setattr(font, "_CELLS", iter(range(3)))
    assert font.once() == font.face() and font.once() == ""


# --- the site ----------------------------------------------------------------------------------------


def test_a_page_of_the_site_shows_no_link_twice_and_keeps_what_is_typed():
    conf = runpy.run_path(str(pages.ROOT / "docs" / "conf.py"))
    assert not conf["smartquotes"] and "article_footer_items" not in conf["html_theme_options"]  # the theme has them already
    assert not conf["html_show_search_summary"]  # it would be fetched, which no page from the file system may


@pytest.mark.parametrize("name", TEXTS)
def test_a_page_is_written_for_readers(name):
    text = re.sub(r"^(```+).*?^\1$|^\$\$.*?\$\$|`[^`\n]*`|\$[^$\n]*\$", "", TEXTS[name], flags=re.M | re.S)
    assert not re.findall(r"\b(?:\d+|[a-zA-Z])\^[\d({]", text)  # a power is a formula
    assert not re.findall(r"^\*\*[^*]+\*\*$", text, re.M)  # a heading is a heading
    assert "![](" not in text
    assert TEXTS[name].count("```{image}") == len(re.findall(r"^:alt: \S", TEXTS[name], re.M))


def test_wide_tables_name_their_columns_in_each_cell():
    core = pytest.importorskip("docutils.core")
    import narrow

    rows = [("=", "="), ("a", "b"), ("=", "="), ("1", "2"), ("=", "=")]
    for columns in (2, 3):
        table = "\n".join("  ".join([left * 3, right * 3, left * 3][:columns]) for left, right in rows)
        doctree = core.publish_doctree(table)
        assert narrow.labelled(doctree) == (columns > 2)
        assert doctree.astext().count("aaa") == (1 if columns == 2 else 4)
