"""What a page shows of one claim: its statement and verdict, and folded away what is known of it."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from asymp.export.called import alike, called
from asymp.export.derivation import as_html, read
from asymp.export.errata import rests_on
from asymp.export.mathml import mathml
from asymp.export.mathml import statement as set_statement
from asymp.export.notation import plain, tex
from asymp.export.points import picture
from asymp.export.prose import set_formulas
from asymp.export.table import as_expected, number, otherwise, unlike, why
from asymp.language.tex import name_tex

Entry = Mapping[str, Any]
MOST_POINTS, MOST_LINES, FEW = 12, 12, 4
MOST_DETAIL = 500


def erratum(entry: Entry, by_id: Mapping[str, Entry]) -> str:
    """What fails, with what holds in its place beside it, and what rests on it in the paper."""
    corrected = by_id.get(entry["correction"] or "")
    label = f'<span class="label">{"As printed" if entry["as_printed"] else "As stated"}</span>'
    said = f"<p>{prose(why(entry), MOST_DETAIL)}</p>"
    sides = f'<div class="refuted">{label}{_statement(entry)}{said}</div>'
    if corrected is not None:
        label = f'<span class="label">Corrected, {link(corrected)}: {_word(corrected)}</span>'
        sides += f'<div class="{_kind(corrected)}">{label}{_statement(corrected)}</div>'
    resting = [by_id[one] for one in rests_on(entry, by_id) if one in by_id]
    rest = "; ".join(f"{_called(one)} ({link(one)}), {_word(one)}" for one in resting)
    printed = "" if alike(entry.get("quote", ""), entry["latex"]) else _quote(entry)
    inside = f'{_head(entry, escaped(entry["id"]))}{printed}<div class="pair">{sides}</div>'
    inside += f"<p>Rests on it: {rest}.</p>" if rest else ""
    return f'<article class="refuted"><div class="body">{inside}</div></article>'


def article(entry: Entry, by_id: Mapping[str, Entry], steps: Sequence[Entry], page: bool = True) -> str:
    """A claim with its verdict, what is known of it folded away; on a page it can be linked to."""
    return folded(entry, by_id, derivation_of(steps), page)


def statement(entry: Entry, headed: bool = False) -> str:
    """A claim's statement, with its place above it if it is ``headed``."""
    head = f'<div class="head"><b>{_called(entry)}</b> <span class="id">{escaped(entry["id"])}</span></div>'
    return (head if headed else "") + _statement(entry)


def folded(entry: Entry, by_id: Mapping[str, Entry], derivation: str, page: bool = True, short: bool = False) -> str:
    """A claim with its verdict, and what is known of it folded away; ``derivation``: as :func:`derivation_of` writes it."""
    rows = [("place", _place(entry)), ("printed", _quote(entry)), ("read in it", _read(entry))]
    rows += [("read as", prose(entry.get("read_as", ""))), ("note", prose(entry.get("note") or ""))]
    rows.append(("narrowed", prose(entry.get("narrowed") or "")))
    rows.append(("where", "<br>".join(map(code, entry.get("where", ())))))
    rows.append(("statement", code(entry["statement"])))
    if not page and entry["latex"] and not entry["latex"].startswith(r"\text{"):  # to be copied
        rows.append(("LaTeX", code(entry["latex"])))
    if entry.get("no_theorem") and entry["outcome"] != "undecided":
        rows.append(("no theorem", prose(entry["no_theorem"], MOST_DETAIL)))
    rows.append(("reason", prose(entry.get("reason", ""))))
    if entry.get("next_term"):
        rows.append(("next term", _next_term(entry["next_term"])))
    shown = entry["evidence"][: FEW if short else MOST_LINES]
    lines = "".join(_evidence(item, entry, short) for item in shown)
    left = len(entry["evidence"]) - len(shown)
    rows.append(("evidence", lines + (f'<p class="about">and {left} more of this kind</p>' if left else "")))
    rows.append(("", derivation))
    rows.append(("trusts", escaped("; ".join(entry.get("trusts", ())))))
    for name, other in (("correction", entry.get("correction")), ("corrects", entry.get("corrects"))):
        rows.append((name, (link(by_id[other]) if other in by_id else escaped(other)) if other else ""))
    said = "".join(f"<dt>{name}</dt><dd>{text}</dd>" if name else text for name, text in rows if text)
    extra = "" if as_expected(entry) else " unexpected"
    head = _head(entry, "#" if page else "")
    inside = f'<summary>{head}{_statement(entry)}</summary><div class="body"><dl>{said}</dl></div>'
    anchor = f' id="{escaped(entry["id"])}"' if page else ""
    return f'<article class="{_kind(entry)}{extra}"{anchor}><details>{inside}</details></article>'


def _head(entry: Entry, link: str) -> str:
    """The place, the id, the verdict; a link on the id itself, or beside it by a sign."""
    one = escaped(entry["id"])
    name = f'<a href="#{one}">{one}</a>' if link == one else one
    name += f' <a href="#{one}" aria-label="link">#</a>' if link == "#" else ""
    return f'<div class="head"><b>{_called(entry)}</b> <span class="id">{name}</span> {_word(entry)}</div>'


def _called(entry: Entry) -> str:
    return escaped(called(entry["id"], entry["locator"]))


def _word(entry: Entry) -> str:
    said = entry["outcome"] + (f", {entry['strength']}" if entry["strength"] != "none" else "")
    said += f", {less}" if (less := unlike(entry)) else ""
    said += "" if as_expected(entry) else f" (expected: {entry['expected']})"
    return f'<span class="word {_kind(entry)}">{escaped(said)}</span>'


def _kind(entry: Entry) -> str:
    return f"{entry['outcome']} {entry['strength']}"


def _statement(entry: Entry) -> str:
    latex = entry["latex"]
    if latex.startswith(r"\text{") or not latex:
        return f"<p>{prose(entry['statement'])}</p>"
    return set_statement(latex)


def _place(entry: Entry) -> str:
    """Where the claim stands in the paper's source, as a link to the line."""
    place = entry.get("place")
    if not place:
        return ""
    said = escaped(f"{place['file']}:{place['line']}")
    return f'<a href="{escaped(quote(place.get("href", place["file"])))}#L{int(place["line"])}">{said}</a>'


def _read(entry: Entry) -> str:
    """What the machine reads in the quote, and how the claim stands to it."""
    lines = "<br>".join(code(text) for text in entry.get("read", "").split("; ") if text)
    said = f"{entry['reading']}: {entry['reading_why']}" if entry.get("reading_why") else str(entry["reading"])
    said = f"{said}: {otherwise(entry)}" if unlike(entry) == "differs" else said
    return f"{lines}<p>{prose(said)}</p>" if lines else ""


def _quote(entry: Entry) -> str:
    quote = entry.get("quote", "")
    if not quote:
        return ""
    formula = _printed(quote)
    return f'<blockquote class="scroll">{formula if formula.startswith("<math") else prose(quote)}</blockquote>'


def _printed(quote: str) -> str:
    """A quote that is one formula, set; else nothing."""
    inside = re.sub(r"^(\$\$?|\\\[)(.*)(\1|\\\])$", r"\2", quote.strip())
    return mathml(inside, True) if "\\" in inside and "$" not in inside else ""


def code(text: str) -> str:
    """Text as it is typed; no arrow of it is broken at the end of a line."""
    return f"<code>{escaped(text).replace('-&gt;', '<span class=keep>-&gt;</span>')}</code>"


def _evidence(item: Entry, entry: Entry, short: bool) -> str:
    said = item["outcome"] + (f", {item['strength']}" if item["strength"] != "none" else "")
    word = f'<span class="word {_kind(item)}">{said}</span>'
    detail = escaped(_cut(item["detail"].replace("**", "^"), MOST_DETAIL // 2)) if short else prose(item["detail"], MOST_DETAIL)
    text = f"<p><b>{escaped(item['kind'])}</b> {word}: {detail}</p>"
    points, most = item["points"], FEW if short else MOST_POINTS
    if not points:
        return text
    text += "" if short else picture(points, 1.0 if entry["relation"] == "equivalent" else None)
    rows = []
    for point in points[:most]:
        at = ", ".join(f"{plain(name_tex(name, {}))} = {number(str(value))}" for name, value in point["at"].items())
        radius = "" if str(point["radius"]) in ("", "0") else f" ± {number(str(point['radius']), 8)}"
        place = _POWER.sub(r"10<sup>\1</sup>", escaped(at))
        value = escaped(number(str(point["value"])) + radius)
        rows.append(f'<tr><td class="at">{place}</td><td class="n">{value}</td></tr>')
    more = f"<tr><td colspan=2>and {len(points) - most} more</td></tr>" if len(points) > most else ""
    return f'{text}<div class="scroll"><table><tbody>{"".join(rows)}{more}</tbody></table></div>'


_POWER = re.compile(r"(?<![\w.])1e(\d+)\b")


def derivation_of(steps: Sequence[Entry]) -> str:
    """The steps of a derivation, folded away; empty where there are none."""
    if not steps:
        return ""
    told = read(steps)
    noun = "step" if len(told) == 1 else "steps"
    said = f'<details class="more"><summary>{len(told)} {noun}</summary><div class="proof">{as_html(told)}</div></details>'
    return f"<dt>derivation</dt><dd>{said}</dd>"


def left_out(one: str) -> str:
    """What stands for a derivation that is too long."""
    return f"<dt>derivation</dt><dd class=about>too long for this page: <code>asymp show {escaped(one)}</code></dd>"


def _next_term(text: str) -> str:
    """One formula a case; as text where it cannot be read back."""
    try:
        return "".join(f'<div class="scroll">{mathml(tex(part), True)}</div>' for part in text.split(" | "))
    except ValueError:
        return code(_cut(text, MOST_DETAIL))


def link(entry: Entry) -> str:
    """A link to a claim on the page."""
    return f'<a href="#{escaped(entry["id"])}">{escaped(_name(entry))}</a>'


def _name(entry: Entry) -> str:
    return str(entry["id"].partition("/")[2] or entry["id"])


# --- text ---


def escaped(text: str) -> str:
    """Text as HTML."""
    return html.escape(str(text).replace("\0", ""))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most].rsplit(" ", 1)[0] + " ..."


def prose(text: str, most: int = 100_000) -> str:
    """Text with formulas between dollars, or as they are typed.

    >>> prose("a < $x$")
    'a &lt; <math><mi>x</mi></math>'
    """
    pieces = set_formulas(_cut(text, most).replace("$$", "$")).split("$")
    if len(pieces) % 2 == 0 and "\\" in pieces[-1]:  # a formula of which the end is not quoted
        pieces.append("")
    if len(pieces) % 2 == 0:  # a dollar that is none
        return escaped(_cut(text, most))
    found = [escaped(pieces[0])]
    for formula, text in zip(pieces[1::2], pieces[2::2], strict=True):
        stop = _STOP.match(text)
        found.append(f"<span class=keep>{mathml(formula)}{stop[0]}</span>" if stop else mathml(formula))
        found.append(escaped(text[stop.end() if stop else 0 :]))
    return "".join(found)


_STOP = re.compile(r"[,;:.)]+")
"""What is not to begin a line."""
