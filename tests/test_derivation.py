"""Derivations: one tree of paragraphs, printed the same way everywhere, in which nothing of a theorem is lost."""

import gzip
import json
import re
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from test_export import compile_tex

from asymp.claim import Claim, Evidence, Outcome, Relation, Source, Step, Strength, Verdict
from asymp.export import derivation as printed
from asymp.export import latex, report, verdicts
from asymp.export.mathml import statement
from asymp.export.notation import plain
from asymp.export.record import SCHEMA
from asymp.kernel.growths.series import Algebra
from asymp.kernel.theorem import apply, certificate, replay
from asymp.language.statement import read_statement
from asymp.language.statement_tex import statement_tex
from asymp.prove import derivation as telling
from asymp.prove.claims import theorem
from asymp.prove.derivation import derivation

ASKED = [
    ("log(n + 1) ~ log(n) as n -> oo", True),
    ("n^n ~ (n + 1)^n/exp(1) as n -> oo", True),
    ("cos(x) >= 1 - x^2/2 for x >= 0", True),
    ("x^2 - 2 = 0 has one root x in (0, 2)", True),
    ("Sum(k, (k, 1, n)) = n*(n + 1)/2 and n^2 >= n for whole n >= 1", True),
    ("harmonic(n) ~ 2*log(n) as whole n -> oo", False),
    ("n! <= 100 for whole n >= 1", False),
]
GOLDEN = (
    "ilb/equation-104",
    "ilb/section-4.1-buffer-1",
    "lfms/lemma-8.3",
    "lfms/lemma-5.5-proof-pid",
    "parallelps/equation-2-gamma",
    "mjsre/lemma-4.1",
)


@pytest.fixture(scope="module")
def certificates():
    found = [certificate(theorem(read_statement(text), holds)) for text, holds in ASKED]
    with gzip.open(Path(__file__).parent / "golden" / "papers-certificates.jsonl.gz", "rt", encoding="utf-8") as lines:
        kept = {entry["id"]: entry["certificate"] for entry in map(json.loads, lines) if entry["id"] in GOLDEN}
    return found + [kept[name] for name in GOLDEN]


@pytest.fixture(scope="module")
def told(certificates):
    return [derivation(steps, {}) for steps in certificates]


def in_order(parts, text):
    """Whether the parts stand in a text one behind the other."""
    place = 0
    for part in parts:
        found = text.find(part, place)
        if found < 0:
            return part
        place = found + len(part)
    return None


def squeezed(text):
    return re.sub(r"\s+", "", text)


def test_each_printer_says_the_same_paragraphs(told):
    for steps in told:
        every = list(printed.every(steps))
        words = [re.split(r"\$[^$]*\$", step.rule)[0].strip() for step in every]
        lines = squeezed("\n".join(printed.text(steps, full=True)))
        parts = [squeezed(part) for step, said in zip(every, words, strict=True) for part in (step.name, said, plain(step.latex))]
        assert in_order(parts, lines) is None
        parts = [part for step, said in zip(every, words, strict=True) for part in (step.name, said, statement(step.latex) if step.latex else "")]
        assert in_order(parts, printed.as_html(steps)) is None
        data = json.loads(json.dumps(printed.data(steps)))
        jsonschema.validate(
            data, {"type": "array", "items": {"$ref": "#/$defs/step"}, "$defs": json.loads(SCHEMA.read_text())["$defs"]}
        )
        assert printed.read(data) == steps
        shown = list(unfolded(steps))
        tex = "\n".join(printed.as_latex(steps, lambda formula: [formula] if formula else []))
        assert in_order([part for step in shown for part in (step.name, step.latex)], tex) is None
        short = squeezed("\n".join(printed.text(steps)))
        assert in_order([squeezed(part) for step in shown for part in (step.name, plain(step.latex))], short) is None


def unfolded(steps):
    for step in steps:
        yield step
        yield from unfolded(step.steps if step.name else ())


def test_it_begins_with_the_statement_and_has_every_theorem_on_which_that_rests(certificates, told):
    for steps, found in zip(certificates, told, strict=True):
        root = replay(steps)
        assert found[0].rule.startswith("To be shown" if root.holds else "To be refuted")
        plain_letters = re.sub(r"(?<=[a-z])'+", "", statement_tex(root.statement, {}))
        assert re.sub(r"(?<=[a-z])'+", "", found[0].latex) == plain_letters
        formulas = [step.latex for step in printed.every(found)]
        teller, todo, seen = telling._Teller({}), list(root.made[1]), []
        while todo:
            one = todo.pop()
            seen.append(one)
            todo += [premise for premise in one.made[1] if premise not in seen]
            body = teller.said(one, one, True)  # without any of its conditions
            assert any(body.partition(r" \qquad (")[0] in formula for formula in formulas), (one, formulas)


def test_lemmas_and_labels_are_numbered_once(told):
    for steps in told:
        names = [step.name for step in printed.every(steps) if step.name]
        assert len(names) == len(set(names))
        places = [tuple(map(int, name.removeprefix("Lemma ").split("."))) for name in names if not name.startswith("Part ")]
        assert all(a < b for a, b in pairwise(places))
        labels = [int(k) for step in printed.every(steps) for k in re.findall(r"^A_\{(\d+)\} =", step.latex)]
        assert labels == sorted(set(labels))


def test_a_refutation_says_first_where(told):
    harmonic, factorial = (steps[0] for steps in told[len(ASKED) - 2 : len(ASKED)])
    assert re.search(r"it fails along \$n = k,\\ k \\to \\infty\$", harmonic.rule)
    assert re.search(r"it fails at \$n = \d+\$", factorial.rule)
    assert re.match(r"There the left side is \$120\$, and the right side is \$100\$", told[len(ASKED) - 1][1].rule)
    assert r"\ne o\left(\ln k\right)" in told[len(ASKED) - 2][-1].latex


def test_powers_are_powers_and_nothing_is_said_twice():
    steps = derivation(certificate(theorem(read_statement("x^x -> 1 as x -> 0+"), True)), {})
    assert "x^{x}" in steps[0].latex
    assert not any("e^{" in step.latex and r"\ln x" in step.latex for step in printed.every(steps))
    lemma = apply("algebra", statement="x + 1 > 0 for x > 0, y > 0")
    twice = apply(
        "all", [lemma, apply("algebra", statement="x > 0 for x > 0, y > 0")], statement="x + 1 > 0 and x > 0 for x > 0, y > 0"
    )
    inner = list(printed.every(derivation(certificate(twice), {})))[1:]
    assert not any("y" in step.latex for step in inner)  # the conditions stand in the statement


def test_of_several_largest_terms_none_is_left_out():
    """With one of two that neither outweighs what is said would be false."""
    found = derivation(certificate(theorem(read_statement("1/n + p = O(1/n + p) as n -> oo, p -> 0+"), True)), {})
    said = next(step.latex for step in found if step.rule == "By the largest terms")
    left, _, right = said.partition("=")
    assert all(side.count(r"\frac{1}{n}") == 1 and "+" in side for side in (left, right))


def test_what_the_series_do_not_show_by_themselves_is_not_shown_as_a_relation(monkeypatch):
    found = theorem(read_statement("log(n + 1) ~ log(n) as n -> oo"), True)
    monkeypatch.setattr(telling._Teller, "replayed", lambda *_: found)
    assert any("o\\left" in step.latex for step in derivation([], {}))
    seen = telling.Page({}).heard(found)
    monkeypatch.setattr(telling._Teller, "heard", lambda *_: seen)
    monkeypatch.setattr(Algebra, "within", lambda *_: False)
    assert not any("o\\left" in step.latex for step in derivation([], {}))


def test_a_sheet_of_nested_lemmas_compiles_and_survives_the_store(told, tmp_path):
    lines = [Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, "found", steps=steps) for steps in told]
    claims = [Claim(f"a/{k}", Source("a", f"Lemma {k}"), Relation(), "x = x") for k in range(len(lines))]
    found = [Verdict(c, Outcome.HOLDS, Strength.PROVED, (line,)) for c, line in zip(claims, lines, strict=True)]
    deep = Step("", "x", "", "Lemma 1", ())
    for k in range(9):
        deep = Step("", "x", "", f"Lemma {'1.' * k}1", (deep,))
    found.append(
        Verdict(
            claims[0], Outcome.HOLDS, Strength.PROVED, (Evidence("symbolic", Outcome.HOLDS, Strength.PROVED, "", steps=(deep,)),)
        )
    )
    assert all(verdicts.from_data(json.loads(json.dumps(verdicts.data_of(one))), one.claim) == one for one in found)
    compile_tex(latex.document("Proofs", found), tmp_path)


def test_the_font_is_in_the_page_and_small():
    font = Path(printed.__file__).parent / "fonts" / "AsympMath.woff2"
    assert font.read_bytes()[:4] == b"wOF2"
    assert font.stat().st_size < 150_000
    assert "url(data:font/woff2;base64," in report._style()
    assert len(re.findall(r"url\(", report._style())) == 1
