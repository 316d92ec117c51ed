"""Verdicts as text for a terminal."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from asymp.claim import Claim, Evidence, Outcome, Strength, Verdict, Witness
from asymp.export.derivation import LONGEST, in_notation
from asymp.export.derivation import text as derivation
from asymp.export.notation import names_of, renamed
from asymp.export.terminal import formula, of_latex
from asymp.messages import one_line
from asymp.paper.readings import How, Standing

MARKS = {Outcome.HOLDS: "✓", Outcome.REFUTED: "✗", Outcome.UNDECIDED: "?"}
ASCII_MARKS = {Outcome.HOLDS: "+", Outcome.REFUTED: "x", Outcome.UNDECIDED: "?"}
SUPPORTED = "~"
COLOUR = {Outcome.HOLDS: "32", Outcome.REFUTED: "31", Outcome.UNDECIDED: "33"}
WIDTH = 100
LONGEST_TEXT = 600  # characters of a text of a claim that are shown where not all of it is asked for
LONGEST_STEP, LONGEST_PROVED = 600, 1_500  # characters of LaTeX of a step that a terminal shows, and of one that is proved


def paint(text: str, code: str, colour: bool) -> str:
    """The text in an ANSI colour, if colour is wanted."""
    return f"\033[{code}m{text}\033[0m" if colour and code else text


def mark(outcome: str, strength: str, ascii_only: bool = False, narrowed: bool = False) -> str:
    """A tick or a cross for what is proved or certified; what is only supported, or less than printed, has a mark of its own.

    >>> mark("holds", "proved"), mark("refuted", "certified", True), mark("holds", "supported"), mark("undecided", "none")
    ('✓', 'x', '~', '?')
    """
    if outcome != Outcome.UNDECIDED and (narrowed or strength not in (Strength.PROVED, Strength.CERTIFIED)):
        return SUPPORTED
    return (ASCII_MARKS if ascii_only else MARKS)[Outcome(outcome)]


def unlike(entry: Mapping[str, Any]) -> str:
    """What an entry of the record is, where that is not what is printed beside it: ``narrowed``, or ``differs``.

    >>> unlike({"reading": "differs", "as_printed": False}), unlike({"reading": "same", "as_printed": True})
    ('differs', '')
    """
    if entry.get("reading") == "differs" and not entry["as_printed"]:
        return "differs"
    return "narrowed" if entry.get("narrowed") else ""


def otherwise(entry: Mapping[str, Any]) -> str:
    """What the quote of a claim says, where the claim says otherwise; else empty."""
    return f"the quote reads: {entry['read']}; the claim says otherwise" if unlike(entry) == "differs" else ""


def as_expected(entry: Mapping[str, Any]) -> bool:
    """Whether the outcome is the expected one; that of a check that ended before it had one is not, whatever was expected.

    >>> as_expected({"outcome": "undecided", "expected": "undecided", "ended": "died"})
    False
    >>> as_expected({"outcome": "holds", "expected": "holds", "ended": "timed out"})
    True
    """
    return bool(entry["outcome"] == entry["expected"] and not (entry.get("ended") and entry["outcome"] == "undecided"))


def why(entry: Mapping[str, Any]) -> str:
    """What speaks for the outcome, a counterexample first: it is read at once."""
    found = [item for item in entry["evidence"] if item["outcome"] == entry["outcome"]]
    found.sort(key=lambda item: not item["detail"].startswith("fails at"))
    return str(found[0]["detail"]) if found else ""


def complaint(entry: Mapping[str, Any], placed: bool = True) -> str:
    """Why an outcome is what it is, in a line; where the paper's source is at hand, as editors read it: ``file:line: why``.

    >>> complaint({"id": "a/b", "place": {"file": "p.tex", "line": 3}, "reason": "", "outcome": "refuted", "evidence": []})
    'p.tex:3: a/b is refuted'
    """
    said, place = str(entry.get("reason") or why(entry)), entry.get("place")
    if place is None:
        return one_line(said) if said else ""
    where = f"{place['file']}:{place['line']}: "
    said = said.removeprefix(where)
    if placed:
        said = f"{where}{entry['id']} is {entry['outcome']}{': ' if said else ''}{said}"
    return one_line(said, 400)


def widths(names: Iterable[tuple[str, str]]) -> tuple[int, int]:
    """How wide the columns of ids and locators have to be."""
    found = list(names)
    return max([len(name) for name, _ in found] + [12]), max([len(locator) for _, locator in found] + [7])


def header(columns: tuple[int, int]) -> str:
    """The header of the table of verdicts."""
    first, second = columns
    return f"  {'claim':{first}}  {'locator':{second}}  {'outcome':9}  {'strength':9}  {'as expected':11}  seconds"


def row(
    item: Verdict | Mapping[str, Any], columns: tuple[int, int], colour: bool = False, ascii_only: bool = False
) -> str:
    """A verdict or its entry in the record as a row: mark, id, locator, outcome, strength, as expected, seconds.

    What says less than is printed is ``narrowed``, what says otherwise ``differs``, however sure that is: *proved* and
    *certified* are said of what is printed.
    """
    first, second = columns
    entry = item if isinstance(item, Mapping) else _entry(item)
    shade = COLOUR[Outcome(entry["outcome"])]
    expected = "yes"
    if not (expectation := as_expected(entry)):
        expected = f"NO: {entry['expected']}" if entry["outcome"] != entry["expected"] else f"NO: {entry['ended']}"
    less = unlike(entry)
    sign = paint(mark(entry["outcome"], entry["strength"], ascii_only, bool(less)), shade, colour)
    strength = "-" if entry["strength"] == Strength.NONE else less or entry["strength"]
    outcome = paint(f"{entry['outcome']!s:9}", shade, colour)
    flag = paint(f"{expected:11}", "" if expectation else "1;31", colour)
    return (
        f"{sign} {entry['id']:{first}}  {entry['locator']:{second}}  {outcome}  {strength!s:9}  {flag}"
        f"  {entry['seconds']:7.2f}"
    )


def _entry(verdict: Verdict) -> dict[str, Any]:
    claim = verdict.claim
    entry = {"id": claim.id, "locator": claim.source.locator, "expected": claim.expected}
    found = {"outcome": verdict.outcome, "strength": verdict.strength, "seconds": verdict.seconds}
    return entry | found | {"ended": verdict.ended, "narrowed": claim.narrowed, "as_printed": claim.as_printed, **claim.quoted}


def summary_line(summary: Mapping[str, Any]) -> str:
    """The closing line of a run."""
    counts = summary["claims"]
    noun = "claim" if counts == 1 else "claims"
    unexpected = summary["unexpected"]
    ending = "all as expected" if not unexpected else f"{unexpected} NOT as expected"
    if summary.get("missing"):
        ending += f", {summary['missing']} not checked"
    strengths = ", ".join(f"{summary[name]} {name}" for name in ("proved", "certified", "supported"))
    if summary.get("narrowed"):
        strengths += f", {summary['narrowed']} narrowed"
    if summary.get("differs"):
        strengths += f", {summary['differs']} otherwise than the quote"
    return (
        f"{counts} {noun}: {summary['holds']} hold, {summary['refuted']} refuted, "
        f"{summary['undecided']} undecided; {ending}; {strengths}; {summary['seconds']:.1f} s"
    )


def claim_line(claim: Claim, columns: tuple[int, int]) -> str:
    """One claim as a line of ``asymp list``."""
    first, second = columns
    return (
        f"{claim.id:{first}}  {claim.source.locator:{second}}  {claim.relation.kind:10}  {claim.expected!s:9}"
        f"  {'' if claim.as_printed else 'ours'}"
    ).rstrip()


def readings(found: Mapping[str, Standing]) -> str:
    """How claims stand to their quotes, a line each, with what was read below it; counts by paper at the end.

    >>> print(readings({"demo/x": Standing(How.SAME, ("a = b",))}))
    demo/x  same
        a = b
    demo: 1 same
    """
    lines = []
    counts: dict[str, Counter[How]] = {}
    for each, one in found.items():
        counts.setdefault(each.partition("/")[0], Counter())[one.how] += 1
        lines += [f"{each}  {one.how}{f': {one.why}' if one.why else ''}", *(f"    {text}" for text in one.read)]
    shown = {key: ", ".join(f"{count[how]} {how}" for how in How if count[how]) for key, count in counts.items()}
    return "\n".join([*lines, *(f"{key}: {text}" for key, text in shown.items())])


def number(text: str, digits: int = 24) -> str:
    """A decimal string, shortened for reading: the digits are cut; of a vast exponent the size is kept.

    >>> number("12345678901234567890123456789012345678901234567890", 12)
    '1.2345678901...e+49'
    >>> number("0.5")
    '0.5'
    >>> number("4.4492e-" + "43429448190325182765" * 5)
    '10^-4.34294e99'
    """
    shown, _, vast = text.lower().partition("e")
    if len(vast) > 21 and _is_integer(vast):
        digits_of = vast.lstrip("+-0")
        minus = "-" if shown.startswith("-") else ""
        return f"{minus}10^{'-' if vast[0] == '-' else ''}{digits_of[0]}.{digits_of[1:6]}e{len(digits_of) - 1}"
    if len(text) <= digits + 8:
        return text
    sign, body = ("-", text[1:]) if text[:1] == "-" else ("", text)
    mantissa, _, exponent = body.lower().partition("e")
    if not mantissa.replace(".", "", 1).isdigit() or (exponent and not _is_integer(exponent)):
        return text[: digits + 5] + "..."
    whole, _, fraction = mantissa.partition(".")
    shift = int(exponent or 0)
    all_digits = whole + fraction
    leading = len(all_digits) - len(all_digits.lstrip("0"))
    power = shift + len(whole) - 1 - leading
    significant = all_digits[leading:] or "0"
    if not shift and len(whole) <= digits and (leading == 0 or leading <= 4):
        return f"{sign}{whole}.{fraction[: max(digits - len(whole), 1)]}..."
    tail = significant[1 : digits - 1]
    return f"{sign}{significant[0]}.{tail}{'...' if len(significant) > digits - 1 else ''}e{power:+d}"


def _is_integer(text: str) -> bool:
    return text.lstrip("+-").isdigit()


def witness_line(point: Witness) -> str:
    """``n = 1e8: 0.9912 +/- 3e-30``."""
    at = ", ".join(f"{name} = {number(str(value))}" for name, value in point.at.items())
    radius = f" +/- {number(str(point.radius), 8)}" if str(point.radius) not in ("", "0") else ""
    return f"{at}: {number(str(point.value))}{radius}" if at else f"{number(str(point.value))}{radius}"


def estimate_line(name: str, value: float, stderr: float, interval: tuple[float, float]) -> str:
    """An estimate to the digits that its standard error leaves, with its interval.

    >>> estimate_line("throughput", 2.9122399, 0.00135, (2.90876, 2.91571))
    'throughput                    2.91224 +/- 0.0014   [2.90876, 2.91571]'
    """
    decimals = 6
    if stderr > 0 and math.isfinite(stderr):
        decimals = 1 - math.floor(math.log10(stderr))
    if not -3 < decimals <= 12 or not math.isfinite(value):
        low, high = (f"{end:.10g}" for end in interval)
        return f"{name:28}  {value:.10g} +/- {stderr:.2g}   [{low}, {high}]"
    digits = max(decimals + 1, 0)
    low, high = (f"{end:.{digits}f}" for end in interval)
    return f"{name:28}  {value:.{digits}f} +/- {stderr:.2g}   [{low}, {high}]"


def explanation(
    verdict: Verdict,
    corrected: Verdict | None = None,
    colour: bool = False,
    asked: bool = False,
    ascii_only: bool = False,
    formulas: bool = False,
    full: bool = False,
) -> str:
    """All that is known of one claim: statement, reading, derivation, evidence, correction.

    With ``asked`` there is no source, and no outcome that was expected; with ``formulas`` the statement, its definitions and
    the next term are set in Unicode, to be read and not to be typed again; with ``full`` no step is folded away.
    """
    claim, wrap = verdict.claim, partial(_labelled, most=None if full else LONGEST_TEXT)
    source = f"{claim.id}  ({claim.source.locator} of {claim.source.key})"
    lines = [] if asked else [paint(source, "1", colour)]
    lines += wrap("statement", _statement(claim, formulas))
    for definition in claim.where:
        lines += wrap("where", formula(definition) if formulas else definition)
    if claim.source.quote:
        lines += wrap("quote", claim.source.quote)
    if claim.said:
        lines += wrap("read as", claim.said)
    if claim.narrowed:
        lines += wrap("narrowed", claim.narrowed)
    less = unlike(_entry(verdict))
    if less == "differs":
        lines += wrap("differs", otherwise(_entry(verdict)))
    elif claim.corrects:
        lines += wrap("corrects", claim.corrects)
    elif not claim.as_printed:
        lines += wrap("status", "not printed in the paper")
    if claim.note:
        lines += wrap("note" if claim.closed else "reading", claim.note)
    expected = "as expected" if verdict.as_expected else f"NOT as expected ({claim.expected})"
    strength = "" if verdict.strength is Strength.NONE else f", {verdict.strength}"
    short_of = {"narrowed": " of less than is printed", "differs": " of what the quote does not say"}
    strength += short_of.get(less if strength else "", "")
    ending = "" if asked else f"; {expected}"
    sign = mark(verdict.outcome, verdict.strength, ascii_only, bool(less))
    lines += wrap("verdict", f"{sign} {verdict.outcome}{strength}{ending}")
    if verdict.reason:
        lines += wrap("reason", verdict.reason)
    if verdict.reading:
        lines += wrap("read", "; ".join(verdict.reading))
    if verdict.next_term:
        lines += wrap("next term", formula(verdict.next_term) if formulas else verdict.next_term)
    if verdict.steps:
        told = in_notation(verdict.steps, names_of(claim))
        longest = LONGEST_STEP if verdict.certificate is None else LONGEST if full else LONGEST_PROVED
        lines += ["", "derivation", *derivation(told, full, 1, longest)]
    if verdict.evidence:
        lines += ["", "evidence"]
        for item in verdict.evidence:
            lines += _evidence(item, None if full else LONGEST_TEXT)
    lines += _theorem(verdict)
    if claim.correction:
        lines += ["", "correction"]
        lines += _indent(claim.correction, "  ", "  ")
        if corrected is not None:
            lines += _indent(_statement(corrected.claim, formulas), "  ", "  ")
            lines += _indent(f"{corrected.outcome}, {corrected.strength}", "  ", "  ")
    return "\n".join(lines) + "\n"


def _statement(claim: Claim, formulas: bool) -> str:
    """What a claim says, in words as they are typed or as a formula."""
    return of_latex(renamed(claim.latex, names_of(claim))) if formulas and claim.closed and claim.latex else claim.statement


def evidence_text(evidence: Sequence[Evidence]) -> str:
    """The lines of evidence alone, as used in failure messages."""
    return "\n".join(line for item in evidence for line in _evidence(item))


def _evidence(item: Evidence, most: int | None = None) -> list[str]:
    lines = _indent(_shown(f"{item.kind}: {item.outcome}, {item.strength}. {item.detail}", most), "  ", "    ")
    return lines + [f"    {witness_line(point)}" for point in item.points]


def _labelled(label: str, text: str, most: int | None) -> list[str]:
    return _indent(_shown(text, most), f"  {label:10} ", " " * 13)


def _shown(text: str, most: int | None) -> str:
    """The two ends of a text of more than ``most`` characters.

    >>> _shown("1 + 2 + 3 + 4 + 5 + 6 + 7", 12)
    '1 + 2 ... 7 (25 characters; --verbose shows all)'
    """
    if most is None or len(text) <= most:
        return text
    head, tail = text[: most // 2].rsplit(" ", 1)[0], text[-(most // 3) :].split(" ", 1)[-1]
    return f"{head} ... {tail} ({len(text)} characters; --verbose shows all)"


def _indent(text: str, first: str, rest: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()),
        WIDTH,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first]


def _theorem(verdict: Verdict) -> list[str]:
    """What decides a claim, and what that rests on; or why there is no theorem."""
    if verdict.outcome is Outcome.UNDECIDED or not (verdict.certificate or verdict.no_theorem):
        return []
    if not verdict.certificate:
        return ["", "no theorem", *_indent(verdict.no_theorem, "  ", "  ")]
    steps = [str(step["rule"]) for step in verdict.certificate]
    trusts = ", ".join(verdict.trusts) or "nothing but the kernel"
    count = f"{len(steps)} step{'s' * (len(steps) > 1)} ({', '.join(dict.fromkeys(steps))})"
    told = ["", "theorem", *_indent(f"{count}; trusts {trusts}", "  ", "  ")]
    if verdict.no_theorem and verdict.strength is not Strength.PROVED:
        told[1] = "theorem of its formula"
        told += _indent(verdict.no_theorem, "  ", "  ")
    return told
