"""The interface of Python: papers and verdicts as objects, relations of SymPy, signatures."""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
import types
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

import asymp
from asymp import checked
from asymp import test as installation
from asymp.cli import main
from asymp.command.progress import CellProgress, Progress
from asymp.language.numbers import ParseError

CLAIMS = '''
[paper]
key = "two"
title = "Two < three"
[variables]
n = "whole, >= 1"
[claim."lemma-1"]
says = "log(n) <= n"
[claim."lemma-2"]
says = "log(n) > 0"
'''


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    file = tmp_path_factory.mktemp("papers") / "two.toml"
    file.write_text(CLAIMS)
    return asymp.Paper(file)


@pytest.fixture(scope="module")
def verdicts(paper):
    return paper.check(quick=True, fresh=True)


def test_a_paper_is_a_sequence_of_its_claims(paper):
    assert (len(paper), paper.ids, paper.title) == (2, ("two/lemma-1", "two/lemma-2"), "Two < three")
    assert paper["lemma-2"] is paper["two/lemma-2"] is paper[1] and paper[:1] == (paper[0],)
    assert "Two &lt; three" in paper._repr_html_() and paper._repr_html_().count("<math") == 4
    with pytest.raises(KeyError, match="lemma-1"):
        paper["lemma-3"]
    with pytest.raises(ValueError, match="no such file"):
        asymp.Paper("nowhere.toml")
    with pytest.raises(ValueError, match="did you mean"):
        asymp.Paper("lfm")


def test_verdicts_are_a_table(verdicts):
    assert [str(one.outcome) for one in verdicts] == ["holds", "refuted"] and not verdicts.as_expected
    assert verdicts["lemma-2"] is verdicts[1] and verdicts.where("refuted")[0] is verdicts[1] is verdicts[1:][0]
    assert len(verdicts.where(as_expected=True)) == 1 and len(verdicts.where()) == 2
    row = verdicts.to_dicts()[1]
    assert tuple(row) == checked.COLUMNS and (row["id"], row["outcome"], row["as_expected"]) == ("two/lemma-2", "refuted", False)
    assert str(verdicts).splitlines()[1].startswith("✓ two/lemma-1") and "1 NOT as expected" in repr(verdicts)
    assert verdicts.record()["summary"]["refuted"] == 1
    with pytest.raises(TypeError, match="not a truth value"):
        bool(verdicts)


def test_of_some_claims_these_alone_are_checked(paper):
    (alone,) = paper.check("lemma-2", quick=True)
    assert alone.claim.id == "two/lemma-2"


def test_a_notebook_unfolds_what_is_known(verdicts, monkeypatch):
    page = verdicts._repr_html_()
    assert page.count("<details") >= 3 and "1 step" in page and r"\ln" in page and "<script" not in page
    assert verdicts[1].latex() == r"\ln n > 0 \qquad (n = 1, 2, \ldots)" and verdicts[1].latex() in verdicts[1]._repr_html_().replace("&gt;", ">")
    monkeypatch.setattr("asymp.export.cell.MOST_DERIVED", 0)
    assert "too long for this page" in verdicts._repr_html_()


def test_data_frames_where_pandas_is(verdicts, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="to_dicts"):
        verdicts.to_pandas()

    class Frame:
        def __init__(self, rows, columns):
            self.rows, self.columns = rows, columns

        def set_index(self, name):
            return len(self.rows), self.columns, name

    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=Frame))
    assert verdicts.to_pandas() == (2, checked.COLUMNS, "id")


def test_progress_is_shown_in_a_notebook(paper, monkeypatch):
    shown = []

    class Handle:
        def update(self, item):
            shown.append(item)

    display = types.SimpleNamespace(display=lambda item, display_id: shown.append(item) or Handle())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=1)))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    assert isinstance(checked._shown(1, None), CellProgress) and type(checked._shown(1, False)) is Progress
    shown.clear()
    paper.check("lemma-1", quick=True)
    assert [repr(one).split(" s")[0][:6] for one in shown] == ["0 of 1", "0 of 1", "1 of 1", "1 of 1"]
    assert repr(shown[1]) == "0 of 1, checking two/lemma-1" and "<progress" in shown[1]._repr_html_()


def test_a_verb_says_what_it_takes():
    assert list(inspect.signature(asymp.check).parameters)[:4] == ["claim", "quick", "to", "assume"]
    assert "equation" in inspect.signature(asymp.expand).parameters and "device" in inspect.signature(asymp.sample).parameters


def test_a_figure_of_a_verdict():
    verdict = asymp.check("(n + 1)/n ~ 1", to="n -> oo", quick=True)
    figure = verdict.plot(order=0)
    assert [line.label for line in figure.panels[0].series] == ["as stated"] and callable(figure.save)
    with pytest.raises(ValueError, match="no figure"):
        asymp.check("1 < 2", quick=True).plot()


# --- relations of SymPy ---------------------------------------------------------------------------

n = sp.Symbol("n", integer=True, positive=True)
x = sp.Symbol("x", real=True)
y = sp.Symbol("y", positive=True)
z = sp.Symbol("z")
READ = [
    (sp.Lt(sp.log(n), n), "log(n) < n for whole n > 0"),
    (sp.Ge(sp.exp(x), 1 + x), "exp(x) >= x + 1 for real x"),
    (y**2 > x, "y^2 > x for real y > 0, real x"),
    (sp.Eq(sp.Sum(1 / z, (z, 1, n)), sp.harmonic(n)), "Sum(1/z, (z, 1, n)) = harmonic(n) for whole n > 0"),
    (sp.Eq(sp.harmonic(n), sp.log(n) + sp.O(1, (n, sp.oo))), "harmonic(n) = log(n) + O(1) as n -> oo for whole n > 0"),
    (sp.Eq(sp.O(1 / n, (n, sp.oo)), 2 / n), "2/n = O(1/n) as n -> oo for whole n > 0"),
    (sp.Eq(sp.sin(y), y + sp.O(y**3)), "sin(y) = y + O(y^3) as y -> 0+ for real y > 0"),
    (sp.Eq(sp.sin(x), x + sp.O(x**3)), "sin(x) = x + O(x^3) as x -> 0 for real x"),
    (sp.Eq(sp.Limit(sp.sin(x) / x, x, 0), 1), "sin(x)/x -> 1 as x -> 0+ for real x"),
    (sp.Eq(1, sp.Limit(sp.sin(z) / z, z, 0, "+-")), "sin(z)/z -> 1 as z -> 0"),
    (sp.Eq(sp.Limit((1 + 1 / n) ** n, n, sp.oo), sp.E), "(1 + 1/n)^n -> E as n -> oo for whole n > 0"),
]  # fmt: skip


@pytest.mark.parametrize(("relation", "text"), READ, ids=str)
def test_a_relation_is_a_statement(relation, text):
    assert asymp.claim("me/x", relation, source="me, 1").statement == text


REFUSED = [
    (sp.Eq(n, n), ParseError, "SymPy has made True"),
    (sp.Ne(n, x), ParseError, "Unequality"),
    (sp.Lt(n, 0.5 * n + x), ParseError, "float"),
    (sp.Lt(sp.Symbol("E"), z), ParseError, "name of a variable"),
    (sp.Lt(sp.Symbol("a*b"), z), ParseError, "name of a variable"),
    (sp.Lt(sp.Dummy("q"), z), ParseError, "underscore"),
    (sp.Lt(z, sp.Symbol("z", positive=True)), ParseError, "two symbols"),
    (sp.Eq(sp.Sum(n * sp.Symbol("n"), (sp.Symbol("n"), 1, n)), n**3), ParseError, "two symbols"),
    (sp.Eq(sp.Integral(x * sp.Symbol("x"), (sp.Symbol("x"), 0, 1)), x), ParseError, "two symbols"),
    (sp.Eq(1 / n, sp.O(1 / z, (z, sp.oo)).subs(z, sp.Symbol("n"))), ParseError, "two symbols"),
    (sp.Le(sp.Symbol("σ", real=True), sp.Symbol("sigma", real=True)), ParseError, "two symbols"),
    (sp.Le(sp.Symbol("ς", real=True), sp.Symbol("σ", real=True)), ParseError, "two symbols"),
    (sp.Lt(sp.Symbol("k", even=True), z), ParseError, "even"),
    (sp.Lt(sp.Symbol("k", rational=True), z), ParseError, "rational"),
    (sp.Lt(sp.Symbol("k", real=True, integer=False), z), ParseError, "noninteger"),
    (sp.Lt(sp.Symbol("k", integer=True, prime=False), z), ParseError, "prime"),
    (sp.Gt(sp.Function("exp")(x), 0), ParseError, "any function exp"),
    (sp.Lt(sp.Symbol("k", real=True, nonzero=True), z), ParseError, "nonzero"),
    (sp.Lt(sp.Limit(z, z, 0), y, evaluate=False), ParseError, "Limit"),
    (sp.Eq(sp.Limit(z, z, 0), sp.O(y), evaluate=False), ParseError, "both sides"),
    (sp.Eq(z, y + sp.O(y * z)), ParseError, "one variable"),
    (sp.Lt(sp.Function("f")(n), 3), ParseError, "unknown function"),
    (sp.And(n < x, x < z), TypeError, "a relation of SymPy"),
    (n + 1, TypeError, "a relation of SymPy"),
    (3, TypeError, "a relation of SymPy"),
    ("paper.tex", TypeError, "asymp.Paper"),
]


@pytest.mark.parametrize(("relation", "error", "why"), REFUSED, ids=str)
def test_what_is_no_statement_is_refused(relation, error, why):
    with pytest.raises(error, match=why):
        asymp.check(relation)


def test_what_sympy_has_used_of_a_symbol_is_said():
    """cos(pi*n) is (-1)^n for whole n alone, and sqrt(y^2) is y for y >= 0."""
    assert asymp.check(sp.Le(sp.sqrt(y**2), sp.exp(y)), quick=True).claim.statement == "y <= exp(y) for real y > 0"
    with pytest.raises(ParseError, match="leave out to="):
        asymp.check(sp.Eq(1 / n, sp.O(1 / n, (n, sp.oo))), to="n -> oo")


def test_expansions_of_sympy():
    assert str(asymp.expand(sp.Sum(1 / y, (y, 1, n)), to="n -> oo", order=1)) == "log(n) + O(1)"
    assert "log(n)" in str(asymp.expand(equation=sp.Eq(y * sp.exp(y), n), unknown=y, to="n -> oo", order=1))
    with pytest.raises(TypeError, match="an expression is text"):
        asymp.expand(3, to="n -> oo")


# --- an installation ------------------------------------------------------------------------------


def test_an_installation_is_tested(monkeypatch):
    lines, every = [], installation.PARTS
    monkeypatch.setattr(installation, "PARTS", [one for one in every if one[0] not in ("papers", "sampled", "LaTeX")])  # dear
    assert installation.main(lines.append) == 0
    text = "".join(lines)
    assert text.startswith(f"asymp {asymp.__version__}\n  in ") and "6 of 6 work" in text and "FAILED" not in text
    monkeypatch.setattr(installation, "PARTS", (*every[:1], ("broken", lambda: installation._is(None, "holds"))))
    monkeypatch.setattr("asymp.answer.verdict.explained", lambda verdict: replace(verdict, outcome=asymp.Outcome.REFUTED))
    lines.clear()
    assert installation.main(lines.append) == 1
    assert "".join(lines).count("FAILED") == 2 and lines[-1] == "\n0 of 2 work\n"


def test_the_version_with_all_that_it_runs_with(capsys):
    assert main(["--version", "--verbose"]) == 0
    told = capsys.readouterr().out
    assert told.startswith(f"asymp {asymp.__version__}\n") and "python-flint" in told and "MISSING" not in told
    assert main(["--version", "list"]) == 0 and capsys.readouterr().out == f"asymp {asymp.__version__}\n"


def test_a_release_says_one_version():
    root = Path(__file__).parents[1]
    about = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"\nversion: {asymp.__version__}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", asymp.__version__) and "version" in about["project"]["dynamic"]
    minors = [one.rpartition(" ")[2] for one in about["project"]["classifiers"] if re.search(r":: 3\.\d+$", one)]
    assert about["project"]["requires-python"] == f">={minors[0]}" and minors == ["3.11", "3.12", "3.13"]
