"""One self-contained HTML page from the entries of a record: what fails first, then every claim, what it rests on.

No script, no network: formulas are MathML, pictures SVG, the filters CSS.  Nothing is computed here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from itertools import product
from typing import Any

from asymp.export.article import MOST_DETAIL, Entry, derivation_of, erratum, escaped, folded, left_out, link, prose
from asymp.export.called import called
from asymp.export.errata import kind_of
from asymp.export.font import face
from asymp.export.table import as_expected, unlike, why

MOST_BYTES = 4_800_000
"""Of a page; the longest derivations are left to ``asymp show`` where there would be more."""
FULL = 0.8
"""Of that, from which on evidence is told in short: no pictures, expressions as typed, few numbers."""
OUTCOMES, STRENGTHS = ("holds", "refuted", "undecided"), ("proved", "certified", "supported")
WORDS = {
    "proved": "there is a theorem, made by the rules of a small kernel, whose statement is the claim's",
    "certified": "rigorous computation decides everything that it says, or one certified counterexample refutes it",
    "supported": "evidence short of that: a derivation that the kernel cannot follow yet, a grid, a trend, a sample",
    "differs": "it says otherwise than the paper's words beside it: these are not proved by it",
    "narrowed": "it says less than the paper's words beside it: whatever its strength, these are not proved by it",
}


def page(title: str, data: Mapping[str, Any], titles: Mapping[str, str], derivations: Mapping[str, Sequence[Entry]]) -> str:
    """The page of a record.

    Args:
        title: of the page.
        data: the record, as ``asymp check --json`` writes it.
        titles: of the papers, by key.
        derivations: steps (``rule``, ``latex``, ``source``), by id.

    >>> "<h1>Nothing</h1>" in page("Nothing", {"asymp": "0", "claims": [], "summary": {}}, {}, {})
    True
    """
    entries = data["claims"]
    made = {entry["id"]: derivation_of(derivations.get(entry["id"], ())) for entry in entries}
    body = _body(title, data, titles, lambda one: f"\0{one}\0", False)
    if len(body.encode()) > MOST_BYTES * FULL:
        body = _body(title, data, titles, lambda one: f"\0{one}\0", True)
    room = MOST_BYTES - len(body.encode()) - len(_style())
    shown: dict[str, str] = {}
    for one, text in sorted(made.items(), key=lambda item: len(item[1])):
        room -= len(text.encode())
        shown[one] = text if room > 0 else left_out(one) if text else ""
    body = re.sub("\0(.*?)\0", lambda match: shown.get(match[1], ""), body)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<title>{escaped(title)}</title><style>{_style()}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _style() -> str:
    """The style sheet, with the font of formulas in it: a page is one file."""
    sheet = resources.files("asymp.export").joinpath("report.css").read_text(encoding="utf-8")
    return f"{face()}\n" + re.sub(r"\s*\n\s*", "\n", sheet)


def _body(title: str, data: Mapping[str, Any], titles: Mapping[str, str], derived: Callable[[str], str], short: bool) -> str:
    entries = data["claims"]
    papers = list(dict.fromkeys(entry["paper"] for entry in entries))
    by_id = {entry["id"]: entry for entry in entries}
    failing = [entry for entry in entries if entry["outcome"] == "refuted"]
    open_ones = [entry for entry in entries if entry["outcome"] == "undecided"]
    parts = [f"<header><h1>{escaped(title)}</h1>", _summary(data), "</header>", "<main>"]
    parts.append(_contents(entries, papers, titles, len(failing), len(open_ones)))
    if failing:
        parts.append('<section id="errata"><h2>What fails</h2>')
        for paper in papers:
            own = sorted((entry for entry in failing if entry["paper"] == paper), key=kind_of)
            parts += [f"<h3>{escaped(titles.get(paper, paper))}</h3>"] if own and len(papers) > 1 else []
            parts += [erratum(entry, by_id) for entry in own]
        parts.append("</section>")
    if open_ones:
        whys = [prose(entry.get("reason") or why(entry), MOST_DETAIL) for entry in open_ones]
        rows = "".join(f"<li>{link(entry)}: {said}</li>" for entry, said in zip(open_ones, whys, strict=True))
        parts.append(f'<section id="undecided"><h2>What is undecided</h2><ul>{rows}</ul></section>')
    parts += [_filter()] if len(entries) > 1 else []
    for paper in papers:
        name = f"Claims: {titles.get(paper, paper)}" if len(papers) > 1 else "Claims"
        parts.append(f'<section class="claims" id="claims-{escaped(paper)}"><h2>{escaped(name)}</h2>')
        parts += [folded(entry, by_id, derived(entry["id"]), short=short) for entry in entries if entry["paper"] == paper]
        parts.append("</section>")
    return "\n".join([*parts, _trust(entries), _words(data), "</main>"])


# --- the head of the page --------------------------------------------------------------------


def _summary(data: Mapping[str, Any]) -> str:
    entries = data["claims"]
    if not entries:
        return "<p>No claims.</p>"
    kinds = Counter((entry["outcome"], entry["strength"]) for entry in entries)
    order = [kind for kind in product(OUTCOMES, (*STRENGTHS, "none")) if kinds[kind]]
    slices = "".join(f'<i class="{" ".join(kind)}" style="width:{100 * kinds[kind] / len(entries):.2f}%"></i>' for kind in order)
    outcomes = Counter(entry["outcome"] for entry in entries)
    strengths = Counter(unlike(entry) or entry["strength"] for entry in entries)
    words = {"holds": "hold", "refuted": "refuted", "undecided": "undecided"}
    counts = "".join(f'<li class="{k}"><b class="word">{outcomes[k]}</b> {words[k]}</li>' for k in OUTCOMES if outcomes[k])
    counts += "".join(f"<li><b>{strengths[k]}</b> {k}</li>" for k in (*STRENGTHS, "narrowed", "differs") if strengths[k])
    unexpected = sum(not as_expected(entry) for entry in entries)
    noun = "claim" if len(entries) == 1 else "claims"
    said = f"{len(entries)} {noun}, checked by asymp {escaped(data['asymp'])}. "
    said += "Every outcome is as expected." if not unexpected else ""
    note = f'<span class="unexpected-note">{unexpected} not as expected.</span>' if unexpected else ""
    bar = f'<div class="bar" aria-hidden="true">{slices}</div>'
    return f'<p class="about">{said}{note}</p>{bar}<ul class="counts">{counts}</ul>'


def _contents(entries: Sequence[Entry], papers: Sequence[str], titles: Mapping[str, str], failing: int, undecided: int) -> str:
    if len(entries) < 2:
        return ""
    lines = f'<li><a href="#errata">What fails</a> ({failing})</li>' if failing else ""
    lines += f'<li><a href="#undecided">What is undecided</a> ({undecided})</li>' if undecided else ""
    lines += '<li><a href="#trust">What is trusted</a></li>'
    parts = [f'<nav aria-label="Contents"><ul>{lines}</ul>']
    for paper in papers:
        first: dict[str, str] = {}
        for entry in entries:
            if entry["paper"] == paper:
                first.setdefault(called(entry["id"], entry["locator"]).removesuffix(", corrected") or entry["id"], entry["id"])
        items = "".join(f'<li><a href="#{escaped(one)}">{escaped(locator)}</a></li>' for locator, one in first.items())
        opened = " open" if len(papers) == 1 and len(first) <= 24 else ""
        parts.append(f"<details{opened}><summary>{escaped(titles.get(paper, paper))}</summary><ul>{items}</ul></details>")
    return "".join([*parts, "</nav>"])


def _filter() -> str:
    """Radio buttons before the claims, of which a rule of the style for what follows them hides some, and their labels.

    A rule that asked the root what it has (``:has``) would be asked again at each element that is read: half of the time
    in which a page of all papers opens.
    """
    buttons, bar = [], []
    for group, name, values in (("o", "Outcome", (*OUTCOMES, "unexpected")), ("s", "Strength", STRENGTHS)):
        words = []
        for value in ("all", *values):
            checked = " checked" if value == "all" else ""
            buttons.append(f'<input type="radio" name="{group}" id="{group}-{value}" aria-label="{name}: {value}"{checked}>')
            words.append(f'<label for="{group}-{value}">{value}</label>')
        bar.append(f'<div><span class="about">{name}</span> {" ".join(words)}</div>')
    return f'{"".join(buttons)}<div class="filter">{"".join(bar)}</div>'


def _trust(entries: Sequence[Entry]) -> str:
    counts = Counter(source for entry in entries for source in entry.get("trusts", ()))
    proved = sum(entry["strength"] == "proved" for entry in entries)  # narrowed ones too: what is trusted is theirs
    bare = sum(entry["strength"] == "proved" and not entry.get("trusts") for entry in entries)
    lines = [f'<section id="trust"><h2>What is trusted</h2><p>{proved} proved; {bare} of them rest on the kernel alone.']
    lines[0] += " The others take these on trust:</p>" if counts else "</p>"
    if counts:
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        rows = "".join(f"<tr><td>{escaped(source)}</td><td>{count}</td></tr>" for source, count in ordered)
        head = "<thead><tr><th>source</th><th>claims</th></tr></thead>"
        lines.append(f'<div class="scroll"><table>{head}<tbody>{rows}</tbody></table></div>')
    return "".join([*lines, "</section>"])


def _words(data: Mapping[str, Any]) -> str:
    rows = "".join(f"<dt>{name}</dt><dd>{meaning}.</dd>" for name, meaning in WORDS.items())
    seconds = data["summary"].get("seconds")
    took = f"<p class=about>The check took {seconds:.0f} seconds.</p>" if isinstance(seconds, (int, float)) else ""
    return f'<section id="words"><h2>The words</h2><dl>{rows}</dl>{took}</section>'
