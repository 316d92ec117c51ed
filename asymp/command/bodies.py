"""What a command does in its watched process: whole commands, and the ends of those that share out checks.

Nothing here prints: what a function says goes to the process that started this one, which alone writes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from asymp.command.instead import instead
from asymp.command.progress import SampleProgress
from asymp.command.usage import UsageError, assignments, require
from asymp.command.worker import keep, relay
from asymp.messages import one_line, said_by

MAX_DIGITS = 100_000
ERROR = 3
ANSWERS = {"holds": 0, "refuted": 1, "undecided": 4}
"""The exit code of ``asymp ask`` by outcome."""
Arguments = argparse.Namespace


def guarded(prog: str, run: Callable[[], int], fail: Callable[[str, str, int], int]) -> int:
    """The exit code of a function, with a line for what it raises.

    Raises:
        MemoryError, BrokenPipeError: as they are; anything else too where ``ASYMP_TRACEBACK`` is set.
    """
    try:
        return run()
    except BrokenPipeError:
        raise
    except KeyboardInterrupt as error:
        return fail(prog, one_line(str(error) or "interrupted"), 130)
    except (RecursionError, OverflowError) as error:
        return fail(prog, f"too large for this machine ({type(error).__name__})", 2)
    except MemoryError:
        raise
    except Exception as error:
        if os.environ.get("ASYMP_TRACEBACK"):
            raise
        if isinstance(error, (UsageError, ValueError, OSError)):
            return fail(prog, one_line(error), 2)
        hint = "ASYMP_TRACEBACK=1 shows where"
        return fail(prog, f"internal error: {type(error).__name__}: {one_line(error)} ({hint})", ERROR)


def perform(name: str, options: dict[str, Any], *others: Any) -> int:
    """The exit code of a function of ``BODIES``."""
    arguments = Arguments(**options)
    return guarded(f"asymp {arguments.command}", lambda: BODIES[name](arguments, *others), _fail)


def _say(text: str, end: str = "\n") -> None:
    relay("out", text + end)


def _fail(prog: str, message: str, code: int) -> int:
    relay("err", f"{said_by(prog, message)}\n")
    return code


# --- claims ----------------------------------------------------------------------------------


def _list(arguments: Arguments) -> int:
    from asymp import registry
    from asymp.command.targets import read_targets, standings
    from asymp.export import record, table

    places, errors = read_targets(arguments.targets, arguments.trust_code)
    claims = [place.load() for place in places]
    if arguments.readings:
        found = standings(places)
        if arguments.json:
            said = [{"id": k, "reading": str(v.how), "read": "; ".join(v.read), "why": v.why} for k, v in found.items()]
            _say(record.to_json({"claims": said}), end="")
        else:
            _say(table.readings(found))
    elif arguments.json:
        keys = ("id", "locator", "relation", "expected", "as_printed", "statement")
        values = [(c.id, c.source.locator, c.relation.kind, str(c.expected), c.as_printed, c.statement) for c in claims]
        _say(record.to_json({"claims": [dict(zip(keys, value, strict=True)) for value in values]}), end="")
    else:
        columns = table.widths((claim.id, claim.source.locator) for claim in claims)
        shown = None
        for claim in claims:
            if claim.paper != shown and claim.paper in registry.papers():
                shown = claim.paper
                _say(f"# {shown}: {registry.paper(shown).title}")
            _say(table.claim_line(claim, columns))
        for file in dict.fromkeys(place.file for place in places if place.file and place.file.endswith(".tex")):
            from asymp.command.marks import stale

            for line in (*stale(file), *registry.load_data(file).notes):
                _say(line)
        if not arguments.targets:
            from asymp.library import about

            _say("# the library: files of claims to start from, which are no papers")
            files = about()
            for word, count, title in files:
                _say(f"{word:{max(len(one) for one, *_ in files)}}  {count} claims  {title}")
    for error in errors:
        _fail("asymp list", error, 2)
    return 2 if errors else 0


def _explain(arguments: Arguments, shown: Sequence[str], answers: Sequence[Sequence[Any]], alone: bool) -> int:
    """The claims of these ids, with their corrections; ``alone``: one claim was asked for, not a list of one."""
    from asymp.check.theorems import explained
    from asymp.command.claims import verdict_of
    from asymp.export import latex, record, table

    found = {answer[0]: explained(verdict_of(*answer)) for answer in answers}
    verdicts = [found[claim_id] for claim_id in shown]
    corrected = [found.get(verdict.claim.correction or "") for verdict in verdicts]
    if arguments.latex:
        _say("\n".join(latex.claim_sheet(*both) for both in zip(verdicts, corrected, strict=True)), end="")
    elif arguments.json:
        entries = [record.verdict_record(verdict, steps=True) for verdict in verdicts]
        _say(record.to_json(entries[0] if alone else {"claims": entries}), end="")
    else:
        look = {"full": arguments.verbose, **arguments.look}
        pages = (table.explanation(*both, **look) for both in zip(verdicts, corrected, strict=True))
        _say("\n\n".join(pages), end="")
    return 0 if all(verdict.as_expected for verdict in verdicts) else 1


def _sheet(arguments: Arguments, path: str, title: str, shown: Sequence[str], answers: Sequence[Sequence[Any]]) -> int:
    from asymp.check.theorems import explained
    from asymp.command.claims import verdict_of
    from asymp.export import latex, record

    found = {answer[0]: explained(verdict_of(*answer)) for answer in answers}
    verdicts, others = [found.pop(claim_id) for claim_id in shown], list(found.values())
    record.write_text(Path(path), latex.document(title, verdicts, others, arguments.derivations))
    return 0


# --- numbers ---------------------------------------------------------------------------------


def _enclose(arguments: Arguments) -> int:
    raw = assignments(arguments.values)
    require(1 <= arguments.digits <= MAX_DIGITS, f"--digits: not in 1..{MAX_DIGITS}")
    if not re.fullmatch(r"[\w./+-]+", arguments.quantity):  # no name of a quantity: what cannot be read is told at once
        from asymp.language.syntax import Parser

        example = 'asymp enclose "Sum(1/k^2, (k, 1, n))" n=1e10'
        require(bool(arguments.quantity.strip()), f"nothing is to be enclosed: such as {example}")
        Parser(arguments.quantity).whole()
    from asymp.answer.enclosed import enclose
    from asymp.enclosure import Undecided

    begin = time.perf_counter()
    name = one_line(arguments.quantity, 120)
    try:
        ball = enclose(arguments.quantity, raw, arguments.digits)
    except Undecided as error:
        if arguments.json:
            _say(json.dumps({"refused": one_line(error)}))
        return _fail("asymp enclose", f"{name}: not certified: {one_line(error)}", 1)
    seconds = time.perf_counter() - begin
    if arguments.json:
        _say(json.dumps({"value": ball.value, "radius": ball.radius, "seconds": round(seconds, 6)}))
    else:
        _say(f"{name} = {ball.value} +/- {ball.radius}")
    return 0


def _sample(arguments: Arguments) -> int:
    raw = assignments(arguments.values)
    from asymp import model

    progress = SampleProgress(arguments.quiet)
    asked = {name: getattr(arguments, name) for name in ("model", "size", "seed", "device")} | {"parameters": raw}
    try:
        if arguments.shard:
            from asymp.command.sample_parts import drawn

            index, of = arguments.shard
            said = json.dumps(drawn(index, of, asked, progress))
        else:
            from asymp.command.estimates import text

            result = model.sample(
                arguments.model, raw, arguments.size, arguments.seed, arguments.device, progress
            )
            said = json.dumps(result.record()) if arguments.json else text(result)
    except RuntimeError as error:  # the device that was asked for is not there
        raise UsageError(one_line(error)) from error
    finally:
        progress.clear()
    _say(said)
    return 0


def _joined(arguments: Arguments) -> int:
    """The result of a sample that was drawn in parts; ``json`` is a file for ``asymp merge``, yes or no for ``asymp sample``."""
    from asymp.command.estimates import text
    from asymp.command.sample_parts import joined
    from asymp.export.record import to_json, write_text

    result = joined(arguments.records)
    if arguments.json in ("-", True):
        _say(json.dumps(result.record()))
        return 0
    if arguments.json:
        write_text(arguments.json, to_json(result.record()))
    _say(text(result))
    return 0


# --- typed-in mathematics --------------------------------------------------------------------


def _ask(arguments: Arguments) -> int:
    from asymp.language.numbers import NoLimit, ParseError

    formula = arguments.latex if isinstance(arguments.latex, str) else None
    require((arguments.statement is None) != (formula is None), "give one statement, or --latex with a formula")
    example = 'asymp ask "harmonic(n) ~ log(n)" --to "n -> oo"'
    require(formula is not None or bool(arguments.statement.strip()), f"nothing is asked: such as {example}")
    require(formula is not None or not arguments.notation, "--notation belongs to --latex with a formula")
    if formula is None:
        from asymp.language.typed import looked_at

        try:
            looked_at(arguments.statement, arguments.to, arguments.assume)
        except ParseError as error:
            said = 'say what tends where, such as --to "n->oo"' if isinstance(error, NoLimit) else error.pointed()
            return _fail("asymp ask", "\n".join([said, *instead(arguments)]), 2)
    from asymp.check.ask import ask
    from asymp.check.theorems import explained
    from asymp.claim import Verdict
    from asymp.export import table

    def page(verdict: Verdict) -> str:
        if arguments.json:
            from asymp.export import record

            return json.dumps(record.answer_record(verdict)) + "\n"
        if arguments.latex is True:
            from asymp.export.latex import claim_sheet

            return claim_sheet(verdict, asked=True)
        return "" if arguments.quiet else table.explanation(verdict, None, asked=True, full=arguments.verbose, **arguments.look)

    def so_far(verdict: Verdict) -> None:
        keep({"text": page(replace(verdict, ended="by a limit")), "code": ANSWERS[str(verdict.outcome)]})

    statement, to, assume = arguments.statement, arguments.to, arguments.assume
    if formula is not None:
        from asymp.latex.asked import asked
        from asymp.latex.asked import table as notation_table

        statement, to, assume = asked(formula, to, assume, notation_table(arguments.notation)), None, []
    try:
        verdict = explained(ask(statement, to=to, assume=assume, so_far=so_far))
    except NoLimit as error:
        raise UsageError('say what tends where, such as --to "n->oo"') from error
    except ParseError as error:
        return _fail("asymp ask", "\n".join([error.pointed(), *(instead(arguments) if formula is None else ())]), 2)
    _say(page(verdict), end="")
    if arguments.verbose and not arguments.json:
        _tried([{"method": method, "why": why} for item in verdict.evidence for method, why in item.tried])
    return ANSWERS[str(verdict.outcome)]


def _expand(arguments: Arguments) -> int:
    require(bool(arguments.expression) != bool(arguments.equation), "give one expression, or --equation")
    require(not arguments.equation or bool(arguments.unknown), "--equation needs --unknown")
    from asymp.language.numbers import ParseError
    from asymp.language.syntax import Parser

    words = {name: getattr(arguments, name) for name in ("to", "assume", "explicit", "equation", "unknown")}
    try:
        if not arguments.to:
            raise ParseError('say what tends where, such as --to "n->oo"')
        if arguments.expression:  # what cannot be read is told before what would expand it is there
            Parser(arguments.expression).whole()
        from asymp.answer.expansion import answered

        found = answered(arguments.expression, order=arguments.order, **words)
    except ParseError as error:
        return _fail("asymp expand", "\n".join([error.pointed(), *(instead(arguments) if arguments.expression else ())]), 2)
    if arguments.json:
        _say(json.dumps(found.record()))
    elif found.refused is not None:
        _fail("asymp expand", found.refused, 1)
    else:
        _say(found.latex() if arguments.latex else str(found))
    return 0 if found.refused is None else 1


def _tried(tried: Sequence[Mapping[str, str]]) -> None:
    """What every method said, on standard error."""
    for one in tried:
        relay("err", f"  {one['method']}: {one['why']}\n")


# --- documents -------------------------------------------------------------------


def _page(arguments: Arguments, path: str, data: dict[str, Any], titles: dict[str, str], derivations: dict[str, Any]) -> int:
    from asymp.command.reporting import title_of
    from asymp.export import record, report

    papers = list(dict.fromkeys(str(entry["paper"]) for entry in data["claims"]))
    for entry in data["claims"]:
        if entry.get("place"):
            entry["place"]["href"] = Path(os.path.relpath(entry["place"]["file"], Path(path).parent)).as_posix()
    record.write_text(path, report.page(title_of(papers, titles), data, titles, derivations))
    return 0


def _errata(arguments: Arguments, data: dict[str, Any], titles: dict[str, str]) -> int:
    from asymp.command.reporting import title_of
    from asymp.export import errata, record

    if arguments.json:
        _say(record.to_json({"errata": [one.record() for one in errata.errata(data["claims"])]}), end="")
        return 0
    papers = list(dict.fromkeys(str(entry["paper"]) for entry in data["claims"]))
    printed = data.get("printed", sum(entry["as_printed"] for entry in data["claims"]))
    write = errata.latex if arguments.latex else errata.text
    _say(write(title_of(papers, titles), data["claims"], str(data["asymp"]), printed), end="")
    return 0


def _marks(_: Arguments, file: str, entries: dict[str, Any]) -> int:
    from asymp.command.marks import write

    write(file, entries)
    return 0


def _latex(arguments: Arguments) -> int:
    from importlib import resources

    from asymp.export.record import write_text

    path = Path(arguments.out) / "asymp.sty"
    write_text(path, resources.files("asymp.latex").joinpath("asymp.sty").read_text(encoding="utf-8"))
    _say(json.dumps({"files": [str(path)]}) if arguments.json else str(path))
    return 0


def _grammar(_: Arguments) -> int:
    from asymp.command.grammar import page

    _say(page(), end="")
    return 0


def _rules(arguments: Arguments) -> int:
    from asymp.command.rules import contents, in_full

    _say(in_full(arguments.names) if arguments.names else contents(), end="")
    return 0


BODIES: dict[str, Callable[..., int]] = {
    "rules": _rules,
    "grammar": _grammar,
    "list": _list,
    "ask": _ask,
    "expand": _expand,
    "enclose": _enclose,
    "sample": _sample,
    "joined": _joined,
    "page": _page,
    "errata": _errata,
    "marks": _marks,
    "latex": _latex,
    "explain": _explain,
    "sheet": _sheet,
}
