"""The HTML page: what a reader must find on it, that it is safe, small, and says what the record says."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asymp.claim import Claim, Evidence, Outcome, Relation, Source, Strength, Verdict, Witness
from asymp.cli import main
from asymp.export import latex, record, report, table
from asymp.export.mathml import mathml
from asymp.export.points import picture

VOID = {"meta", "input", "br"}
TEN = """
[paper]
key = "ten"
title = "Harmonic sums & <others>"

[claim."equation-1"]
says = "harmonic(n) ~ log(n)"
to = "n -> oo"
place = "Equation (1)"
quote = "$H_n \\\\sim \\\\ln n$"

[claim."equation-2"]
says = "harmonic(n) ~ 2*log(n)"
to = "n -> oo"
place = "Equation (2)"
corrected = "2*harmonic(n) ~ 2*log(n)"

[claim."lemma-1"]
says = "log(x) > 1.02"
for = "x > 1"
place = "Lemma 1"
"""


class Page(HTMLParser):
    """Tags in order, text, ids and links; every tag that is opened is closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.said: list[str] = []
        self.feed(text)
        self.close()
        assert not self.open
        assert len(set(self.ids)) == len(self.ids)

    def handle_starttag(self, tag, attrs):
        self.seen[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name == "href"]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.said.append(data)


def only_what_a_page_needs(page: Page) -> None:
    """No script, no handler, nothing from elsewhere; links lead to what is there."""
    assert not {"script", "iframe", "object", "link", "img", "base"} & set(page.seen)
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name)
        assert name not in ("src", "action", "srcset", "xlink:href"), (tag, name)
        assert name != "style" or re.fullmatch(r"width:[\d.]+%", value or "")
    assert all(link.startswith("#") for link in page.links)
    assert {link[1:] for link in page.links} <= set(page.ids)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A record of the four claims, and the page of it."""
    folder = tmp_path_factory.mktemp("report")
    file = folder / "ten.toml"
    file.write_text(TEN, encoding="utf-8")
    assert main(["check", str(file), "--json", str(folder / "ten.json"), "--quick"]) == 1
    assert main(["report", str(file), "--from", str(folder / "ten.json"), "--out", str(folder)]) == 1
    return folder


def test_a_reader_finds_what_fails_first(made):
    text = (made / "ten.html").read_text(encoding="utf-8")
    page = Page(text)
    only_what_a_page_needs(page)
    said = " ".join(page.said)
    assert "Harmonic sums & <others>" in said
    assert text.index('id="errata"') < text.index('class="claims"') < text.index('id="trust"')
    failing = text[text.index('id="errata"') : text.index('class="claims"')]
    assert "ten/equation-2" in failing
    assert "ten/equation-2-corrected" in failing
    assert "ten/lemma-1" in failing
    assert 'href="#ten/equation-1"' not in failing
    assert page.seen["math"] >= 8
    assert page.seen["svg"] >= 1
    assert "derivation" in said
    assert "1 not as expected." in said
    for entry in json.loads((made / "ten.json").read_text())["claims"]:
        assert entry["id"] in page.ids


def test_from_verdicts_and_from_a_record_it_is_the_same_page(made):
    assert main(["report", str(made / "ten.toml"), "--quick", "--out", str(made / "fresh.html")]) == 1

    def settled(name):
        return re.sub(r"The check took \d+ seconds", "", (made / name).read_text(encoding="utf-8"))

    assert settled("fresh.html") == settled("ten.html")


def test_some_claims_of_a_record_with_their_corrections(made):
    assert main(["report", "ten/equation-2", "--from", str(made / "ten.json"), "--out", str(made / "one.html")]) == 0
    page = Page((made / "one.html").read_text(encoding="utf-8"))
    assert {"ten/equation-2", "ten/equation-2-corrected"} <= set(page.ids)
    assert "ten/lemma-1" not in page.ids


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no record"),
        ("[]", "is no record"),
        ('{"claims": [{}]}', "entry 1 has no 'id'"),
        ('{"claims": [1]}', "is no record"),
    ],
)
def test_what_is_no_record_is_refused_in_a_line(tmp_path, capfd, text, said):
    (tmp_path / "r.json").write_text(text)
    assert main(["report", "--from", str(tmp_path / "r.json"), "--out", str(tmp_path)]) == 2
    error = capfd.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_an_outcome_that_there_is_not_is_refused(made, tmp_path, capfd):
    data = json.loads((made / "ten.json").read_text())
    data["claims"][0]["outcome"] = "holds' onclick='x"
    (tmp_path / "r.json").write_text(json.dumps(data))
    assert main(["report", "--from", str(tmp_path / "r.json"), "--out", str(tmp_path)]) == 2
    assert "outcome" in capfd.readouterr().err


def test_an_edited_certificate_has_no_derivation(made, tmp_path):
    data = json.loads((made / "ten.json").read_text())
    proved = next(entry for entry in data["claims"] if entry["certificate"])
    proved["certificate"] = [{"rule": "no such", "premises": [7], "data": {}}]
    (tmp_path / "r.json").write_text(json.dumps(data))
    assert main(["report", proved["id"], "--from", str(tmp_path / "r.json"), "--out", str(tmp_path / "p.html")]) in (0, 1)
    assert "<dt>derivation" not in (tmp_path / "p.html").read_text(encoding="utf-8")


HOSTILE = '<script>alert(1)</script> $\\text{<img src=x onerror=alert(1)>}$ " \' \\text{<b>} \0ten/x\0'


def hostile_entry() -> dict:
    points = tuple(Witness({HOSTILE: "1e8", "n": HOSTILE}, HOSTILE, HOSTILE) for _ in range(3))
    claim = Claim("bad/<x>", Source("bad", HOSTILE, HOSTILE), Relation(), HOSTILE, note=HOSTILE)
    evidence = (Evidence("enclosed", Outcome.REFUTED, Strength.CERTIFIED, HOSTILE, points),)
    entry = record.verdict_record(Verdict(claim, Outcome.REFUTED, Strength.CERTIFIED, evidence, trusts=(HOSTILE,)))
    return entry | {"latex": HOSTILE, "next_term": HOSTILE, "where": [HOSTILE], "read_as": HOSTILE, "correction": HOSTILE}


def test_what_a_record_says_is_text():
    data = {"asymp": HOSTILE, "claims": [hostile_entry()], "summary": {"seconds": HOSTILE}}
    step = {"rule": HOSTILE, "latex": HOSTILE, "source": HOSTILE}
    page = Page(report.page(HOSTILE, data, {"bad": HOSTILE}, {"bad/<x>": [step]}))
    only_what_a_page_needs(page)
    assert not {"b", "i"} & {tag for tag, name, _ in page.attributes if name not in ("class", "style")}
    assert "alert(1)" in " ".join(page.said)


@given(st.text(max_size=60) | st.text(alphabet='\\{}<>&"$^_ aftextmrow', max_size=60))
def test_any_formula_is_safe(text):
    page = Page(mathml(text, True))
    assert set(page.seen) <= {"math", "code", "mspace", *"mi mn mo mtext mrow mfrac msqrt mroot msub msup msubsup".split(),
                              *"munder mover munderover mtable mtr mtd mpadded mphantom".split()}  # fmt: skip
    known = "displaystyle stretchy width mathvariant linethickness accent lspace rspace"
    assert {name for _, name, _ in page.attributes} <= set(known.split())


NUMBERS = st.one_of(
    st.floats().map(repr),
    st.integers().map(str),
    st.sampled_from(["", "1/3", "1e1000", "-2.5e-30102999566398119522", "nan", "inf", "x", "1e8", "0"]),
)


@given(st.lists(st.fixed_dictionaries({"at": st.dictionaries(st.sampled_from("nmp"), NUMBERS), "value": NUMBERS, "radius": NUMBERS})))
def test_any_points_make_a_picture_or_none(points):
    page = Page(picture(points, 1.0))
    assert page.seen["svg"] <= 1
    assert all("nan" not in (value or "") for _, name, value in page.attributes if name in ("d", "cx", "cy"))


def test_a_picture_has_its_points_where_they_are():
    points = [{"at": {"n": f"1e{k}"}, "value": value, "radius": "0"} for k, value in ((8, "0.5"), (20, "0.75"), (100, "1"))]
    page = Page(picture(points, 1.0))
    heights = [float(value) for tag, name, value in page.attributes if tag == "circle" and name == "cy"]
    assert heights[0] > heights[1] > heights[2]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.2)
    assert "10¹⁰⁰" in page.said


def test_the_longest_derivations_are_left_out_of_a_page_that_is_full(monkeypatch):
    claims = [Claim(f"a/{k}", Source("a", f"Equation ({k})"), Relation(), "x = x") for k in range(3)]
    entries = [record.verdict_record(Verdict(claim, Outcome.HOLDS, Strength.PROVED, ())) for claim in claims]
    steps = {f"a/{k}": [{"rule": "words " * 10 ** (k + 1), "latex": "", "source": ""}] for k in range(3)}
    data = {"asymp": "0", "claims": entries, "summary": {}}
    whole = report.page("a", data, {}, steps)
    monkeypatch.setattr(report, "MOST_BYTES", len(whole.encode()) - 3000)
    text = report.page("a", data, {}, steps)
    assert len(text.encode()) <= report.MOST_BYTES + 200
    assert "<code>asymp show a/2</code>" in text
    assert "<code>asymp show a/1</code>" not in text
    Page(text)


def test_every_door_says_the_same(made):
    """The record, the row, the sheet, the page and the notebook cell."""
    from asymp.command.checking import check_all

    verdicts = check_all([str(made / "ten.toml")], quick=True)
    entries = {entry["id"]: entry for entry in json.loads((made / "ten.json").read_text())["claims"]}
    text = (made / "ten.html").read_text(encoding="utf-8")
    for one, verdict in verdicts.items():
        outcome, strength = entries[one]["outcome"], entries[one]["strength"]
        assert (str(verdict.outcome), str(verdict.strength)) == (outcome, strength)
        row = table.row(verdict, (30, 20))
        assert f" {outcome} " in row
        assert f" {strength} " in row
        assert f"{outcome}, {strength}" in table.explanation(verdict)
        assert rf"\textbf{{{outcome}, {strength}}}" in latex.claim_sheet(verdict)
        article = text[text.index(f'id="{one}"') - 60 :]
        assert f"{outcome} {strength}" in article[:60]
        assert f">{outcome}, {strength}" in article[: article.index("</summary>")]
        assert f"{outcome}, {strength}" in re.sub(r"<[^>]+>", "", verdict._repr_html_())
