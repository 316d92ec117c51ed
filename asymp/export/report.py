"""One self-contained HTML page from the entries of a record: what fails first, then every claim, what it rests on.

No script, no network: formulas are MathML, pictures SVG, the filters CSS.  Nothing is computed here.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from itertools import product
from typing import Any

from asymp.export.mathml import mathml
from asymp.export.notation import tex
from asymp.export.points import picture
from asymp.export.prose import set_formulas
from asymp.export.table import as_expected, number
from asymp.parse import parse_expression

Entry = Mapping[str, Any]
MOST_BYTES = 4_800_000
"""Of a page; the longest derivations are left to ``asymp show`` where there would be more."""
FULL = 0.8
"""Of that, from which on evidence is told in short: no pictures, expressions as typed, few numbers."""
MOST_POINTS, MOST_LINES, FEW = 12, 12, 4
MOST_DETAIL = 500
OUTCOMES, STRENGTHS = ("holds", "refuted", "undecided"), ("proved", "certified", "supported")
WORDS = {
    "proved": "there is a theorem, made by the rules of a small kernel, whose statement is the claim's",
    "certified": "rigorous computation decides everything that it says, or one certified counterexample refutes it",
    "supported": "evidence short of that: a derivation that the kernel cannot follow yet, a grid, a trend, a sample",
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
    made = {entry["id"]: _derivation(derivations.get(entry["id"], ())) for entry in entries}
    body = _body(title, data, titles, lambda one: f"\0{one}\0", False)
    if len(body.encode()) > MOST_BYTES * FULL:
        body = _body(title, data, titles, lambda one: f"\0{one}\0", True)
    room = MOST_BYTES - len(body.encode()) - len(_style())
    shown: dict[str, str] = {}
    for one, text in sorted(made.items(), key=lambda item: len(item[1])):
        room -= len(text.encode())
        shown[one] = text if room > 0 else _left_out(one) if text else ""
    body = re.sub("\0(.*?)\0", lambda match: shown.get(match[1], ""), body)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head}<title>{_text(title)}</title><style>{_style()}</style></head>\n'
        f"<body>\n{body}\n</body></html>\n"
    )


def _style() -> str:
    text = resources.files("asymp.export").joinpath("report.css").read_text(encoding="utf-8")
    return re.sub(r"\s*\n\s*", "\n", text)


def _body(title: str, data: Mapping[str, Any], titles: Mapping[str, str], derived: Callable[[str], str], short: bool) -> str:
    entries = data["claims"]
    papers = list(dict.fromkeys(entry["paper"] for entry in entries))
    by_id = {entry["id"]: entry for entry in entries}
    failing = [entry for entry in entries if entry["outcome"] == "refuted"]
    open_ones = [entry for entry in entries if entry["outcome"] == "undecided"]
    parts = [f"<header><h1>{_text(title)}</h1>", _summary(data), "</header>"]
    parts.append(_contents(entries, papers, titles, len(failing), len(open_ones)))
    if failing:
        parts.append('<section id="errata"><h2>What fails</h2>')
        for paper in papers:
            own = [entry for entry in failing if entry["paper"] == paper]
            parts += [f"<h3>{_text(titles.get(paper, paper))}</h3>"] if own and len(papers) > 1 else []
            parts += [_erratum(entry, by_id.get(entry["correction"] or "")) for entry in own]
        parts.append("</section>")
    if open_ones:
        whys = [_prose(entry.get("reason") or _why(entry), MOST_DETAIL) for entry in open_ones]
        rows = "".join(f"<li>{_link(entry)}: {why}</li>" for entry, why in zip(open_ones, whys, strict=True))
        parts.append(f'<section id="undecided"><h2>What is undecided</h2><ul>{rows}</ul></section>')
    parts += [_filter()] if len(entries) > 1 else []
    for paper in papers:
        name = f"Claims: {titles.get(paper, paper)}" if len(papers) > 1 else "Claims"
        parts.append(f'<section class="claims" id="claims-{_text(paper)}"><h2>{_text(name)}</h2>')
        parts += [_claim(entry, by_id, derived(entry["id"]), short=short) for entry in entries if entry["paper"] == paper]
        parts.append("</section>")
    return "\n".join([*parts, _trust(entries), _words(data)])


# --- the head of the page --------------------------------------------------------------------


def _summary(data: Mapping[str, Any]) -> str:
    entries = data["claims"]
    if not entries:
        return "<p>No claims.</p>"
    kinds = Counter((entry["outcome"], entry["strength"]) for entry in entries)
    order = [kind for kind in product(OUTCOMES, (*STRENGTHS, "none")) if kinds[kind]]
    slices = "".join(f'<i class="{" ".join(kind)}" style="width:{100 * kinds[kind] / len(entries):.2f}%"></i>' for kind in order)
    outcomes = Counter(entry["outcome"] for entry in entries)
    strengths = Counter(entry["strength"] for entry in entries)
    words = {"holds": "hold", "refuted": "refuted", "undecided": "undecided"}
    counts = "".join(f'<li class="{k}"><b class="word">{outcomes[k]}</b> {words[k]}</li>' for k in OUTCOMES if outcomes[k])
    counts += "".join(f"<li><b>{strengths[k]}</b> {k}</li>" for k in STRENGTHS if strengths[k])
    unexpected = sum(not as_expected(entry) for entry in entries)
    noun = "claim" if len(entries) == 1 else "claims"
    said = f"{len(entries)} {noun}, checked by asymp {_text(data['asymp'])}. "
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
                first.setdefault(entry["locator"] or entry["id"], entry["id"])
        items = "".join(f'<li><a href="#{_text(one)}">{_text(locator)}</a></li>' for locator, one in first.items())
        opened = " open" if len(papers) == 1 and len(first) <= 24 else ""
        parts.append(f"<details{opened}><summary>{_text(titles.get(paper, paper))}</summary><ul>{items}</ul></details>")
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
    proved = sum(entry["strength"] == "proved" for entry in entries)
    bare = sum(entry["strength"] == "proved" and not entry.get("trusts") for entry in entries)
    lines = [f'<section id="trust"><h2>What is trusted</h2><p>{proved} proved; {bare} of them rest on the kernel alone.']
    lines[0] += " The others take these on trust:</p>" if counts else "</p>"
    if counts:
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        rows = "".join(f"<tr><td>{_text(source)}</td><td>{count}</td></tr>" for source, count in ordered)
        lines.append(f"<table><thead><tr><th>source</th><th>claims</th></tr></thead><tbody>{rows}</tbody></table>")
    return "".join([*lines, "</section>"])


def _words(data: Mapping[str, Any]) -> str:
    rows = "".join(f"<dt>{name}</dt><dd>{meaning}.</dd>" for name, meaning in WORDS.items())
    seconds = data["summary"].get("seconds")
    took = f"<p class=about>The check took {seconds:.0f} seconds.</p>" if isinstance(seconds, (int, float)) else ""
    return f'<section id="words"><h2>The words</h2><dl>{rows}</dl>{took}</section>'


# --- claims ----------------------------------------------------------------------------------


def _erratum(entry: Entry, corrected: Entry | None) -> str:
    label = f'<span class="label">{"As printed" if entry["as_printed"] else "As stated"}</span>'
    why = f"<p>{_prose(_why(entry), MOST_DETAIL)}</p>"
    sides = f'<div class="refuted">{label}{_statement(entry)}{why}</div>'
    if corrected is not None:
        label = f'<span class="label">Corrected, {_link(corrected)}: {_word(corrected)}</span>'
        sides += f'<div class="{_kind(corrected)}">{label}{_statement(corrected)}</div>'
    inside = f'{_head(entry, _text(entry["id"]))}{_quote(entry)}<div class="pair">{sides}</div>'
    return f'<article class="refuted"><div class="body">{inside}</div></article>'


def article(entry: Entry, by_id: Mapping[str, Entry], steps: Sequence[Entry], page: bool = True) -> str:
    """A claim with its verdict, what is known of it folded away; on a page it can be linked to."""
    return _claim(entry, by_id, _derivation(steps), page)


def statement(entry: Entry, headed: bool = False) -> str:
    """A claim's statement, with its place above it if it is ``headed``."""
    head = f'<div class="head"><b>{_text(entry["locator"])}</b> <span class="id">{_text(entry["id"])}</span></div>'
    return (head if headed else "") + _statement(entry)


def _claim(entry: Entry, by_id: Mapping[str, Entry], derivation: str, page: bool = True, short: bool = False) -> str:
    rows = [("printed", _quote(entry))]
    rows += [("read as", _prose(entry.get("read_as", ""))), ("note", _prose(entry.get("note") or ""))]
    rows.append(("where", "<br>".join(f"<code>{_text(item)}</code>" for item in entry.get("where", ()))))
    rows.append(("statement", f"<code>{_text(entry['statement'])}</code>"))
    if entry.get("no_theorem") and entry["outcome"] != "undecided":
        rows.append(("no theorem", _prose(entry["no_theorem"], MOST_DETAIL)))
    rows.append(("reason", _prose(entry.get("reason", ""))))
    if entry.get("next_term"):
        rows.append(("next term", _next_term(entry["next_term"])))
    shown = entry["evidence"][: FEW if short else MOST_LINES]
    lines = "".join(_evidence(item, entry, short) for item in shown)
    left = len(entry["evidence"]) - len(shown)
    rows.append(("evidence", lines + (f'<p class="about">and {left} more of this kind</p>' if left else "")))
    rows.append(("", derivation))
    rows.append(("trusts", _text("; ".join(entry.get("trusts", ())))))
    for name, other in (("correction", entry.get("correction")), ("corrects", entry.get("corrects"))):
        rows.append((name, (_link(by_id[other]) if other in by_id else _text(other)) if other else ""))
    said = "".join(f"<dt>{name}</dt><dd>{text}</dd>" if name else text for name, text in rows if text)
    extra = "" if as_expected(entry) else " unexpected"
    head = _head(entry, "#" if page else "")
    inside = f'<summary>{head}{_statement(entry)}</summary><div class="body"><dl>{said}</dl></div>'
    anchor = f' id="{_text(entry["id"])}"' if page else ""
    return f'<article class="{_kind(entry)}{extra}"{anchor}><details>{inside}</details></article>'


def _head(entry: Entry, link: str) -> str:
    """The place, the id, the verdict; a link on the id itself, or beside it by a sign."""
    one = _text(entry["id"])
    name = f'<a href="#{one}">{one}</a>' if link == one else one
    name += f' <a href="#{one}" aria-label="link">#</a>' if link == "#" else ""
    return f'<div class="head"><b>{_text(entry["locator"])}</b> <span class="id">{name}</span> {_word(entry)}</div>'


def _word(entry: Entry) -> str:
    said = entry["outcome"] + (f", {entry['strength']}" if entry["strength"] != "none" else "")
    said += "" if as_expected(entry) else f" (expected: {entry['expected']})"
    return f'<span class="word {_kind(entry)}">{_text(said)}</span>'


def _kind(entry: Entry) -> str:
    return f"{entry['outcome']} {entry['strength']}"


def _statement(entry: Entry) -> str:
    latex = entry["latex"]
    if latex.startswith(r"\text{") or not latex:
        return f"<p>{_prose(entry['statement'])}</p>"
    formula, mark, conditions = latex.rpartition(r" \qquad (")
    if not mark or not conditions.endswith(")"):
        return f'<div class="scroll">{mathml(latex, True)}</div>'
    return f'<div class="scroll">{mathml(formula, True)}</div><div class="scroll when">{mathml(conditions[:-1])}</div>'


def _quote(entry: Entry) -> str:
    quote = entry.get("quote", "")
    if not quote:
        return ""
    formula = mathml(quote) if "\\" in quote and "$" not in quote else ""
    return f'<blockquote class="scroll">{formula if formula.startswith("<math") else _prose(quote)}</blockquote>'


def _why(entry: Entry) -> str:
    """What speaks for the outcome, a counterexample first: it is read at once."""
    found = [item for item in entry["evidence"] if item["outcome"] == entry["outcome"]]
    found.sort(key=lambda item: not item["detail"].startswith("fails at"))
    return str(found[0]["detail"]) if found else ""


def _evidence(item: Entry, entry: Entry, short: bool) -> str:
    said = item["outcome"] + (f", {item['strength']}" if item["strength"] != "none" else "")
    word = f'<span class="word {_kind(item)}">{said}</span>'
    detail = _text(_cut(item["detail"].replace("**", "^"), MOST_DETAIL // 2)) if short else _prose(item["detail"], MOST_DETAIL)
    text = f"<p><b>{_text(item['kind'])}</b> {word}: {detail}</p>"
    points, most = item["points"], FEW if short else MOST_POINTS
    if not points:
        return text
    text += "" if short else picture(points, 1.0 if entry["relation"] == "equivalent" else None)
    rows = []
    for point in points[:most]:
        at = ", ".join(f"{name} = {number(str(value))}" for name, value in point["at"].items())
        radius = "" if str(point["radius"]) in ("", "0") else f" ± {number(str(point['radius']), 8)}"
        rows.append(f'<tr><td>{_text(at)}</td><td class="n">{_text(number(str(point["value"])))}{_text(radius)}</td></tr>')
    more = f"<tr><td colspan=2>and {len(points) - most} more</td></tr>" if len(points) > most else ""
    return f'{text}<div class="scroll"><table><tbody>{"".join(rows)}{more}</tbody></table></div>'


def _derivation(steps: Sequence[Entry]) -> str:
    if not steps:
        return ""
    lines = []
    for step in steps:
        source = f' <span class="label">[{_text(step["source"])}]</span>' if step["source"] else ""
        formula = f'<div class="scroll">{mathml(step["latex"], True)}</div>' if step["latex"] else ""
        lines.append(f"<li>{_prose(step['rule'])}{source}{formula}</li>")
    noun = "step" if len(steps) == 1 else "steps"
    said = f'<details class="more"><summary>{len(steps)} {noun}</summary><ol class="steps">{"".join(lines)}</ol></details>'
    return f"<dt>derivation</dt><dd>{said}</dd>"


def _left_out(one: str) -> str:
    return f"<dt>derivation</dt><dd class=about>too long for this page: <code>asymp show {_text(one)}</code></dd>"


def _next_term(text: str) -> str:
    """One formula a case; as text where it cannot be read back."""
    try:
        return "".join(f'<div class="scroll">{mathml(tex(parse_expression(part)), True)}</div>' for part in text.split(" | "))
    except ValueError:
        return f"<code>{_text(_cut(text, MOST_DETAIL))}</code>"


def _link(entry: Entry) -> str:
    return f'<a href="#{_text(entry["id"])}">{_text(_name(entry))}</a>'


def _name(entry: Entry) -> str:
    return str(entry["id"].partition("/")[2] or entry["id"])


# --- text ------------------------------------------------------------------------------------


def _text(text: str) -> str:
    return html.escape(str(text).replace("\0", ""))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " ..."


def _prose(text: str, most: int = 100_000) -> str:
    """Text with formulas between dollars, or as they are typed.

    >>> _prose("a < $x$")
    'a &lt; <math><mi>x</mi></math>'
    """
    pieces = set_formulas(_cut(text, most)).split("$")
    if len(pieces) % 2 == 0:  # a dollar that is none
        return _text(_cut(text, most))
    return "".join(mathml(piece) if k % 2 else _text(piece) for k, piece in enumerate(pieces))
