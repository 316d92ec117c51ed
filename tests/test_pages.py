"""README.md and docs: what a page shows is what its commands print, its links lead somewhere, and its tables are the code's."""

from __future__ import annotations

import re

import made
import pages
import pytest

ROOT = pages.ROOT
PAGES = {str(page.relative_to(ROOT)): page for page in pages.pages()}
WITH_EXAMPLES = [
    name
    for name, page in PAGES.items()
    if re.search(r"^```(console|pycon|python)$", page.read_text(encoding="utf-8"), re.M)
]
HEADING = re.compile(r"^(#+) (.+)$", re.M)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_a_page_shows_what_its_commands_print(name):
    text = PAGES[name].read_text(encoding="utf-8")
    with pages.place() as folder:
        assert [(one.said, one.found) for one in pages.differences(text, folder)] == []


def test_a_difference_is_seen(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = '```console\n$ asymp enclose "1/3" --digits 3\n1/3 = 0.334 +/- 1e-6\n```\n\n```pycon\n>>> 1 + 1\n3\n```\n'
    found = [one.found for one in pages.differences(page, tmp_path)]
    assert len(found) == 2 and "0.333" in found[0] and found[1].endswith("\n2\n")
    with pytest.raises(ValueError, match="not run"):
        list(pages.differences("```python\nx = 1\n```\n", tmp_path))


def test_a_command_that_fails_by_itself_is_no_page(monkeypatch):
    for said in ("internal error", "Traceback (most recent call last):", "asymp ask: Broken: bug of the rule x"):
        monkeypatch.setattr(pages, "in_process", lambda words, said=said: ("", said, 3))
        with pytest.raises(ValueError, match=re.escape(said)):
            pages.output("asymp ask x", ROOT)


@pytest.mark.parametrize("name", [*PAGES, "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md"])
def test_links_lead_to_a_file_or_a_heading(name):
    page = ROOT / name
    text = re.sub(r"```.*?^```|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("https://", "http://")):
            continue
        path, _, heading = target.partition("#")
        there = page.parent / path if path else page
        assert there.is_file(), target
        headings = (
            {re.sub(r"[^\w -]", "", words.lower()).replace(" ", "-") for _, words in HEADING.findall(there.read_text())}
            if heading
            else {""}
        )
        assert heading in headings, target


def test_every_page_is_reached():
    listed = {"index.md"}
    for page in (ROOT / "docs").rglob("*.md"):
        for block in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            folder = page.parent.relative_to(ROOT / "docs")
            listed |= {str(folder / f"{line}.md") for line in block.split("\n") if line and not line.startswith(":")}
    assert listed == {str(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")}


def test_the_readme_stays_a_screen_or_two():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


# --- what is taken from the code ------------------------------------------------------------------------


def test_what_is_made_has_all_of_it():
    from asymp.functions.table import ROWS
    from asymp.kernel import records  # noqa: F401  (registers all rules)
    from asymp.kernel.theorem import RULES
    from asymp.language.forms import FORMS

    text = made.made("rules")
    assert all(f"\n### {rule}\n" in text for rule in RULES if "/" not in rule)
    assert made.made("functions").count("\n") == len(ROWS) + 1
    assert made.made("forms").count("\n") == len(FORMS) + 1
    assert "## riemann sums" in made.made("methods") and "## asymp check" in made.made("commands")


def test_every_key_of_a_file_of_claims_is_on_its_page():
    from asymp.paper.claims import CLAIM
    from asymp.paper.reader import PAPER, TABLES

    page = PAGES["docs/reference/claims-file.md"].read_text()
    assert all(f"<!-- made: {maker} -->" in page for maker in ("tables", "keys"))
    said = set(re.findall(r"[\w-]+", made.made("tables") + made.made("keys")))
    assert {*CLAIM, *PAPER, *TABLES} <= said


def test_every_maker_is_used_and_every_place_is_made():
    asked = [
        words for page in PAGES.values() for words in re.findall(r"^<!-- made: (.+?) -->$", page.read_text(), re.M)
    ]
    assert {words.split()[0] for words in asked} == set(made.MAKERS)
    assert all(made.made(words) for words in asked if words.startswith("errata"))
