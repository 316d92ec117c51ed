"""The command line.  Nothing imports it, and it alone prints.

Exit codes: 0 done (all outcomes as expected; of ``ask``: the statement holds); 1 an outcome is not as expected (of
``ask``: the statement is refuted), or a value could not be certified, an expansion was refused, or a limit of time or
memory was reached; 2 bad input, or a file that cannot be written, one line on standard error that names the place;
3 an error of asymp, or code that ended the process; 4 of ``ask`` alone: undecided; 130 or 143 interrupted or terminated;
141 nobody reads standard output any more.

Whatever runs mathematics, or code of a paper or a file, runs in a watched process (:mod:`asymp.command.executor`): the
functions of :mod:`asymp.command.bodies`, with their output sent here, and the checks of claims one by one.
Modules are imported by the command that needs them, so that short commands start fast.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from asymp import outside
from asymp.command import named
from asymp.command.arguments import build, parse
from asymp.command.bodies import ANSWERS, ERROR, guarded
from asymp.command.cluster import ClusterError, need
from asymp.command.executor import End, Executor, Limits, Task
from asymp.command.journal import Journal, RecordError
from asymp.command.progress import Progress
from asymp.command.store import opened
from asymp.command.usage import folder, look, open_standard, require, writable
from asymp.messages import one_line, said_by
from asymp.version import __version__

BROKEN_PIPE = 141
_NO_MEMORY = b"asymp: out of memory\n"  # said as it is: to put words together takes memory too
Arguments = argparse.Namespace


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises for bad input.

    >>> main(["enclose", "nowhere/throughput", "n=0"])
    2
    """
    open_standard()
    if sys.stdout is None:
        return _fail("asymp", "standard output is closed", 2)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    outside.tell = lambda line: _print("err", f"asymp: {line}\n")
    prog = "asymp"
    try:
        arguments = parse(build(__version__), argv)
        prog = f"asymp {arguments.command}"
        if nothing := named.read(arguments):
            return [_fail(prog, line, 2) for line in nothing][-1]
        if arguments.command in CHECKING:
            return guarded(prog, lambda: CHECKING[arguments.command](arguments), _fail)
        with _executor(arguments) as executor:
            return _body(executor, arguments.command, arguments)
    except SystemExit as error:  # from argparse: --help, --version, usage
        return int(error.code or 0)
    except BrokenPipeError:
        return BROKEN_PIPE
    except OSError as error:
        return _fail(prog, one_line(error), 2)
    except MemoryError:
        with contextlib.suppress(OSError):
            os.write(2, _NO_MEMORY)
        return 1
    except KeyboardInterrupt:
        return _fail(prog, "interrupted", 130)


# --- watched processes -----------------------------------------------------------------------


def _executor(arguments: Arguments) -> Executor:
    limits = Limits(*(getattr(arguments, name, None) for name in ("timeout", "cpu", "memory")))
    return Executor(getattr(arguments, "jobs", 1), limits, _print)


def _body(executor: Executor, name: str, arguments: Arguments, *others: Any) -> int:
    """The exit code of a function of :mod:`asymp.command.bodies` in a watched process; success is what it says itself."""
    from asymp.command.checking import reason

    prog = f"asymp {arguments.command}"
    options = vars(arguments) | {"look": look(sys.stdout, getattr(arguments, "ascii", False))}
    ended = executor.one(Task("asymp.command.bodies:perform", (name, options, *others), name, gentle=True))
    stopped = 0 if executor.stopped is None else 128 + executor.stopped
    if ended.end is End.FINISHED:
        return stopped or int(ended.value)
    why = reason(ended, executor.limits, "")
    if ended.kept is not None and not stopped:  # what was found before a limit ended the search
        _say(ended.kept["text"], end="")
        return _fail(prog, f"{why}: what is said stands without what was sought", int(ended.kept["code"]))
    if ended.trace:
        _print("err", ended.trace)
    if stopped:
        return _fail(prog, why, stopped)
    if vars(arguments).get("json") and ended.end not in (End.DIED, End.RAISED):
        unknown_yet = {"outcome": "undecided", "strength": "none", "why": why, "evidence": [], "trusts": []}
        answer = unknown_yet if name == "ask" else {"refused": why}
        _say(json.dumps({**answer, "ended": str(ended.end)}))
    failed = ended.end in (End.DIED, End.RAISED, End.BROKEN)
    return _fail(prog, why, ERROR if failed else ANSWERS["undecided"] if name == "ask" else 1)


# --- check -----------------------------------------------------------------------------------


def _check(arguments: Arguments) -> int:
    from asymp.command.telling import told

    to_file = arguments.json not in (None, "-")
    if arguments.cluster:
        need(arguments.full)
    require(not arguments.resume or to_file, "--resume goes on from a record: give --json FILE")
    with _executor(arguments) as executor:
        if arguments.source:
            require(not (arguments.resume or arguments.shard or arguments.sarif), "--from RECORD shows what a run has found")
            return told(arguments, executor, _say, look(sys.stdout, arguments.ascii))
        writable("--sarif", arguments.sarif)  # what cannot be written fails first
        journal = Journal(arguments.json, arguments.resume, arguments.targets) if to_file else None
        targets = arguments.targets or [entry.name for entry in outside.entries("papers")]
        if not targets:
            return _fail("asymp check", "no papers are registered: install the package first (pip install .)", 2)
        return _checked(arguments, targets, executor, journal)


def _checked(arguments: Arguments, targets: Sequence[str], executor: Executor, journal: Journal | None) -> int:
    from asymp.command.checking import find, verdicts
    from asymp.command.shards import chosen, told
    from asymp.command.telling import advice, rows
    from asymp.export import record, table
    from asymp.export.sarif import sarif

    begin = time.perf_counter()
    quiet = arguments.quiet
    say = (lambda _: None) if arguments.json == "-" else _say
    found: dict[str, dict[str, Any]] = {}
    code, shown_as = 0, look(sys.stdout, arguments.ascii)
    store, warn = opened(arguments.fresh), partial(_warn, arguments)
    every, errors = find(executor, targets, arguments.quick, arguments.trust_code, arguments.full, store)
    mine = set(chosen([one["id"] for one in every], arguments.shard)) if arguments.shard else None
    claims = [one for one in every if mine is None or one["id"] in mine]
    for error in [] if executor.stopped else errors or ([] if every else ["no claims"]):
        code = _fail("asymp check", error, 2)
    columns = table.widths((one["id"], one["entry"]["locator"]) for one in claims)

    def show(entry: dict[str, Any]) -> None:
        found[entry["id"]] = entry
        for line in rows(entry, columns, shown_as, quiet):
            say(line)

    known = {one["id"]: journal.taken(one) for one in claims} if journal else {}
    progress = Progress(sum(not known.get(one["id"]) for one in claims), quiet)
    try:
        if journal and journal.stale:
            _fail("asymp check", f"starts again: {journal.partial} is replaced (--resume goes on from it)", 0)
        if claims and not quiet:
            say(table.header(columns))
        for one in claims:
            if entry := known.get(one["id"]):
                show(entry)
        waiting = [one for one in claims if one["id"] not in found]
        given = (arguments.quick, progress.start, arguments.full, store, warn, arguments.cluster)
        for one, answer in verdicts(executor, waiting, *given):
            progress.done(table.as_expected(answer["entry"]))
            if journal:
                journal.add(one["key"], answer["entry"])
            show(answer["entry"])
    except BrokenPipeError:
        code = BROKEN_PIPE
    except (RecordError, ClusterError) as error:
        code, journal = _fail("asymp check", str(error), 2), journal if isinstance(error, ClusterError) else None
    finally:
        progress.clear()
    if executor.stopped is not None:
        words = f"interrupted after {len(found)} of {len(claims)} claims"
        code = _fail("asymp check", words, 128 + executor.stopped)
    entries = [found[one["id"]] for one in claims if one["id"] in found]
    for note in [] if quiet else dict.fromkeys(one["origin"]["notes"] for one in claims if one["origin"].get("notes")):
        say(note)
    marked = executor.stopped is None and mine is None
    for file in dict.fromkeys(one["file"] for one in claims if (one["file"] or "").endswith(".tex") and marked):
        code = _body(executor, "marks", arguments, file, found) or code
    if arguments.sarif:
        files = {one["id"]: one["file"] for one in claims}
        record.write_text(arguments.sarif, record.to_json(sarif(entries, errors, __version__, files)))
    data = record.record(entries, __version__, time.perf_counter() - begin)
    missing = len(claims) - len(found)
    if missing:
        data["summary"]["missing"] = missing
    if arguments.shard:
        options = {"quick": arguments.quick, "full": arguments.full, "trust": arguments.trust_code}
        data["shard"] = told(arguments.shard, options, [one["entry"] for one in every], entries)
    if arguments.json == "-" and every:
        _say(record.to_json(data), end="")
    elif journal and (found or (every and not missing)):
        journal.finish(data, complete=not missing)
    elif journal:
        journal.close(remove=not journal.kept)
    if claims and code != BROKEN_PIPE and not (quiet and not code and not missing and not data["summary"]["unexpected"]):
        say(table.summary_line(data["summary"]))
    if executor.stopped is None and code != BROKEN_PIPE and sys.stderr.isatty():
        _print("err", advice(arguments, claims, found))
    for entry in found.values():
        if entry.get("ended") == "broken":  # what else the kernel says is in doubt too
            code = _fail("asymp check", f"{entry['id']}: {one_line(entry['reason'], 300)}", ERROR)
    # silence is no success: each claim has its verdict, or the code says so
    return code or int(bool(missing or data["summary"]["unexpected"]))


# --- show, export: whole verdicts ------------------------------------------------------------


def _targets(executor: Executor, arguments: Arguments) -> tuple[list[dict[str, Any]], int]:
    """The claims that the words mean, and 2 where a word means none, of which a line says why."""
    from asymp.command.checking import find

    words = arguments.targets or [entry.name for entry in outside.entries("papers")]
    require(bool(words), "no papers are registered: install the package first (pip install .)")
    claims, errors = find(executor, words, arguments.quick, arguments.trust_code, store=opened(arguments.fresh))
    if executor.stopped is not None:
        return claims, 128 + executor.stopped
    for error in errors:
        _fail(f"asymp {arguments.command}", error, 2)
    return claims, 2 if errors else 0


def _show(arguments: Arguments) -> int:
    from asymp.command.checking import answers, with_corrections
    from asymp.command.targets import names_one

    with _executor(arguments) as executor:
        claims, code = _targets(executor, arguments)
        if not claims or code > 2:
            return code
        store = opened(arguments.fresh)
        whole = with_corrections(executor, claims, arguments.quick, arguments.trust_code, store)
        found = answers(executor, whole, arguments.quick, arguments.quiet, store)
        asked = [(one["id"], one["file"], found[one["id"]]) for one in whole if one["id"] in found]
        shown = [one["id"] for one in claims if one["id"] in found]
        alone = len(arguments.targets) == 1 and names_one(arguments.targets[0])
        return _body(executor, "explain", arguments, shown, asked, alone) or code


def _export(arguments: Arguments) -> int:
    return _documents(arguments, "sheet", "tex")


def _documents(arguments: Arguments, body: str, ending: str) -> int:
    """One document for each paper or file that the words name, written by a function of :mod:`asymp.command.bodies`."""
    from asymp.command.checking import answers, groups, with_corrections

    folder(arguments.out)
    paths, store = [], opened(arguments.fresh)
    with _executor(arguments) as executor:
        claims, code = _targets(executor, arguments)
        for group in groups(claims, arguments.targets or [one["origin"]["name"] for one in claims]) if code <= 2 else []:
            whole = with_corrections(executor, group.claims, arguments.quick, arguments.trust_code, store)
            found = answers(executor, whole, arguments.quick, arguments.quiet, store)
            target = Path(arguments.out) / f"{group.stem}.{ending}"
            extra = [(one["id"], one["file"], found[one["id"]]) for one in whole if one["id"] in found]
            shown = [claim_id for claim_id, *_ in group.asked(found)]
            failed = _body(executor, body, arguments, str(target), group.title, shown, extra)
            if failed:
                return failed
            code = code or int(any("verdict" not in found[claim_id] for claim_id in shown))
            paths.append(str(target))
            if not (arguments.json or arguments.quiet):
                _say(paths[-1])
    if arguments.json:
        _say(json.dumps({"files": paths}))
    return code


def _figure(arguments: Arguments) -> int:
    from asymp.command.drawing import perform

    folder(arguments.out)
    with _executor(arguments) as executor:
        return perform(arguments, executor, _say, partial(_fail, "asymp figure"))


def _new(arguments: Arguments) -> int:
    from asymp.command.new import perform

    return perform(arguments, _say)


def _completion(arguments: Arguments) -> int:
    from asymp.command.completion import SCRIPTS, completed

    if arguments.command == "completion":
        _say(SCRIPTS[arguments.shell], end="")
    else:
        _say("\n".join(completed(arguments.words)))
    return 0


def _report(arguments: Arguments) -> int:
    """A page, or a letter of errata: of that, what is expected to fail is checked, with what corrects it and what rests on it."""
    from asymp.command import reporting

    letter, code = arguments.command == "errata", 0
    path = "" if letter else str(reporting.place(arguments.out, arguments.targets))
    with _executor(arguments) as executor:
        if arguments.source:
            data, titles = reporting.recorded(executor, arguments)
        else:
            claims, code = _targets(executor, arguments)
            if not claims or code > 2:
                return code
            data, titles = reporting.checked(executor, claims, arguments, __version__, failing=letter)
        if letter:
            return _body(executor, "errata", arguments, data, titles) or code
        derivations = reporting.derivations(executor, data["claims"], arguments.quiet)
        if failed := _body(executor, "page", arguments, path, data, titles, derivations):
            return failed
    if not arguments.quiet or arguments.json:
        _say(json.dumps({"files": [path]}) if arguments.json else path)
    return code or int(bool(data["summary"]["unexpected"]))


# --- sample ----------------------------------------------------------------------------------


def _sample(arguments: Arguments) -> int:
    """A sample, drawn here; with a cluster in parts there, which are added here as ``asymp merge`` does."""
    from asymp.command.sampling import drawn

    with _executor(arguments) as executor, tempfile.TemporaryDirectory(prefix="asymp-") as folder:
        if not arguments.cluster:
            return _body(executor, "sample", arguments)
        paths, code, why = drawn(arguments, executor, Path(folder))
        joined = Arguments(**vars(arguments) | {"records": paths})
        return _fail("asymp sample", why, code) if code else _body(executor, "joined", joined)


# --- merge, verify, store -----------------------------------------------------------------------------


def _merge(arguments: Arguments) -> int:
    """Exit code as of the run that its parts are: 1 where an outcome is not as expected."""
    from asymp.command.sample_parts import is_sample
    from asymp.command.shards import merged
    from asymp.export import record, table

    if any(map(is_sample, arguments.records)):
        with _executor(arguments) as executor:
            return _body(executor, "joined", arguments)
    entries, seconds = merged(arguments.records)
    data = record.record(entries, __version__, seconds)
    if arguments.json == "-":
        _say(record.to_json(data), end="")
    else:
        record.write_record(arguments.json, data)
        _say(table.summary_line(data["summary"]))
    return int(bool(data["summary"]["unexpected"]))


def _verify(arguments: Arguments) -> int:
    from asymp.command.verifying import verify

    return verify(arguments, lambda: _executor(arguments), _say)


def _store(arguments: Arguments) -> int:
    from asymp.command.inventory import perform

    with _executor(arguments) as executor:
        return perform(arguments, executor, _say, lambda line: _warn(arguments, line))


# --- saying things ---------------------------------------------------------------------------


def _print(channel: str, text: str) -> None:
    try:
        print(text, end="", flush=True, file=sys.stdout if channel == "out" else sys.stderr)
    except OSError:
        _drop(sys.stdout if channel == "out" else sys.stderr)
        raise


def _say(text: str, end: str = "\n") -> None:
    _print("out", text + end)


def _fail(prog: str, message: str, code: int) -> int:
    with contextlib.suppress(OSError):
        _print("err", f"{said_by(prog, message)}\n")
    return code


def _warn(arguments: Arguments, line: str) -> None:
    _fail(f"asymp {arguments.command}", line, 0)


def _drop(stream: Any) -> None:
    """Nobody reads it: what is still buffered must not raise again at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


CHECKING: dict[str, Callable[[Arguments], int]] = {
    "check": _check, "show": _show, "export": _export, "figure": _figure, "report": _report, "errata": _report, "verify": _verify,
    "new": _new, "completion": _completion, "complete": _completion, "store": _store, "merge": _merge,
    "sample": _sample,
}  # fmt: skip
