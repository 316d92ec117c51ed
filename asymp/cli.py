"""The command line.  Nothing imports it, and it alone prints.

Exit codes: 0 done (all outcomes as expected); 1 an outcome is not as expected, or a value could not
be certified; 2 bad input, one line on standard error that names the place; 130 interrupted.
Modules are imported by the command that needs them, so that short commands start fast.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from asymp import __version__
from asymp.command.arguments import build, parse
from asymp.command.progress import Progress, SampleProgress
from asymp.messages import one_line, unknown

if TYPE_CHECKING:
    from asymp.claim import Verdict
    from asymp.command.parallel import Place

MAX_DIGITS = 100_000
Arguments = argparse.Namespace


class UsageError(Exception):
    """Bad input: its message is the one line that the user sees."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; never raises for bad input.

    >>> main(["enclose", "nowhere/throughput", "n=0"])
    2
    """
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    prog = "asymp"
    try:
        arguments = parse(build(COMMANDS, __version__), argv)
        prog = f"asymp {arguments.command}"
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as error:  # from argparse: --help, --version, usage
        return int(error.code or 0)
    except KeyboardInterrupt as error:
        return _fail(prog, one_line(str(error) or "interrupted"), 130)
    except BrokenPipeError:
        _drop_stdout()
        return 1
    except (MemoryError, RecursionError, OverflowError) as error:
        return _fail(prog, f"too large for this machine ({type(error).__name__})", 2)
    except Exception as error:
        if os.environ.get("ASYMP_TRACEBACK"):
            raise
        if isinstance(error, (UsageError, ValueError, OSError)):
            return _fail(prog, one_line(error), 2)
        hint = "ASYMP_TRACEBACK=1 shows where"
        return _fail(prog, f"internal error: {type(error).__name__}: {one_line(error)} ({hint})", 3)


# --- check -----------------------------------------------------------------------------------


def _check(arguments: Arguments) -> int:
    from asymp.command import parallel
    from asymp.command.targets import read_targets
    from asymp.export import record, table

    places, errors = read_targets(arguments.targets)
    for error in errors:
        _fail("asymp check", error, 2)
    if not places:
        return 2 if errors else _fail("asymp check", "no claims", 2)
    if arguments.json and arguments.json != "-":
        _require_folder(Path(arguments.json).parent)
    quiet = arguments.json == "-"
    claims = [place.load() for place in places]
    columns = table.widths(claims)
    colour = _colour()
    progress = Progress(len(places))
    begin = time.perf_counter()
    found: dict[Place, Verdict] = {}
    code = 0
    with parallel.terminated_as_interrupted():
        try:
            if not quiet:
                _say(table.header(columns))
            runs = parallel.check_all(places, arguments.jobs, arguments.quick, progress.start, arguments.timeout)
            with contextlib.closing(runs):  # type: ignore[type-var]
                for place, verdict in runs:
                    found[place] = verdict
                    progress.done()
                    if not quiet:
                        _say(table.row(verdict, columns, colour))
                        if not verdict.as_expected and verdict.reason:
                            _say(f"    {one_line(verdict.reason, 200)}")
        except KeyboardInterrupt:
            code = _fail("asymp check", f"interrupted after {len(found)} of {len(places)} claims", 130)
        except BrokenPipeError:
            _drop_stdout()
            code = 1
        finally:
            progress.clear()
    verdicts = [found[place] for place in places if place in found]
    data = record.record(verdicts, __version__, time.perf_counter() - begin)
    if quiet:
        _say(record.to_json(data), end="")
    elif arguments.json:
        record.write_record(arguments.json, data)
    if not quiet:
        with contextlib.suppress(BrokenPipeError):
            _say(table.summary_line(data["summary"]))
    if code:
        return code
    if errors:
        return 2
    return 1 if data["summary"]["unexpected"] else 0


# --- list, show ------------------------------------------------------------------------------


def _list(arguments: Arguments) -> int:
    from asymp import registry
    from asymp.command.targets import read_targets
    from asymp.export import record, table

    places, errors = read_targets(arguments.targets)
    claims = [place.load() for place in places]
    if arguments.json:
        keys = ("id", "locator", "relation", "expected", "as_printed", "statement")
        values = [(c.id, c.source.locator, c.relation.kind, str(c.expected), c.as_printed, c.statement) for c in claims]
        _say(record.to_json({"claims": [dict(zip(keys, value, strict=True)) for value in values]}), end="")
    else:
        columns = table.widths(claims)
        shown = None
        for claim in claims:
            if claim.paper != shown and claim.paper in registry.papers():
                shown = claim.paper
                _say(f"# {shown}: {registry.paper(shown).title}")
            _say(table.claim_line(claim, columns))
    for error in errors:
        _fail("asymp list", error, 2)
    return 2 if errors else 0


def _show(arguments: Arguments) -> int:
    from asymp.command import parallel
    from asymp.command.targets import one_target
    from asymp.export import latex, record, table

    place = one_target(arguments.id)
    places = [place]
    correction = place.load().correction
    if correction:
        places.append(parallel.Place(correction, place.file))
    progress = Progress(len(places))
    found = dict(parallel.check_all(places, arguments.jobs, arguments.quick, progress.start, arguments.timeout))
    progress.clear()
    verdict = found[place]
    corrected = found[places[1]] if correction else None
    if arguments.json:
        data = record.verdict_record(verdict, steps=True)
        _say(record.to_json(data), end="")
    elif arguments.latex:
        _say(latex.claim_sheet(verdict, corrected), end="")
    else:
        _say(table.explanation(verdict, corrected, _colour()), end="")
    return 0 if verdict.as_expected else 1


# --- numbers ---------------------------------------------------------------------------------


def _enclose(arguments: Arguments) -> int:
    raw = _assignments(arguments.values)
    _require(1 <= arguments.digits <= MAX_DIGITS, f"--digits: not in 1..{MAX_DIGITS}")
    from asymp import registry

    quantity = registry.find_quantity(arguments.quantity)
    from asymp.enclosure import Undecided, enclose_quantity

    begin = time.perf_counter()
    try:
        ball = enclose_quantity(quantity, raw, arguments.digits)
    except Undecided as error:
        if arguments.json:
            _say(json.dumps({"refused": one_line(error)}))
        return _fail("asymp enclose", f"{quantity.id}: not certified: {one_line(error)}", 1)
    seconds = time.perf_counter() - begin
    if arguments.json:
        _say(json.dumps({"value": ball.value, "radius": ball.radius, "seconds": round(seconds, 6)}))
    else:
        _say(f"{quantity.id} = {ball.value} +/- {ball.radius}")
    return 0


def _sample(arguments: Arguments) -> int:
    raw = _assignments(arguments.values)
    models = importlib.import_module("asymp.sample.models")
    if arguments.model not in models.MODELS:
        raise UsageError(unknown("model", arguments.model, models.MODELS))
    size = {} if arguments.size is None else {"size": arguments.size}
    progress = SampleProgress()
    try:
        result = models.sample(
            arguments.model, raw, seed=arguments.seed, device=arguments.device, progress=progress, **size
        )
    except RuntimeError as error:  # the device that was asked for is not there
        raise UsageError(one_line(error)) from error
    finally:
        progress.clear()
    from asymp.command.estimates import text

    _say(json.dumps(result.record()) if arguments.json else text(result))
    return 0


def _assignments(words: Sequence[str]) -> dict[str, str]:
    """``name=value`` words as a mapping."""
    raw: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        name, value = name.strip(), value.strip()
        _require(bool(equals and name and value), f"{word[:80]!r}: write parameters as name=value")
        _require(name not in raw, f"the parameter {name!r} is given twice")
        raw[name] = value
    return raw


# --- typed-in mathematics --------------------------------------------------------------------


def _ask(arguments: Arguments) -> int:
    from asymp.check.ask import ask
    from asymp.export import table
    from asymp.parse import NoLimit

    try:
        verdict = ask(arguments.statement, to=arguments.to, assume=arguments.assume)
    except ValueError as error:
        _require(not isinstance(error, NoLimit), 'say what tends where, such as --to "n->oo"')
        raise
    why = verdict.reason or (verdict.evidence[0].detail if verdict.evidence else "")
    if arguments.json:
        _say(json.dumps({"outcome": verdict.outcome, "strength": verdict.strength, "why": why}))
    elif arguments.latex:
        from asymp.export.latex import claim_sheet

        _say(claim_sheet(verdict, asked=True), end="")
    else:
        _say(table.explanation(verdict, None, _colour(), asked=True), end="")
    return 0


def _expand(arguments: Arguments) -> int:
    _require(bool(arguments.expression) != bool(arguments.equation), "give one expression, or --equation")
    _require(not arguments.equation or bool(arguments.unknown), "--equation needs --unknown")
    from asymp.check.expansion import expand_text

    given = {"equation": arguments.equation, "unknown": arguments.unknown}
    result = expand_text(arguments.expression, arguments.to, arguments.assume, arguments.order, **given)
    if arguments.explicit and arguments.expression:
        from asymp.check.explicit import attach

        result = attach(result, arguments.expression, arguments.to, arguments.assume)
    if arguments.json:
        _say(json.dumps(result))
    elif "refused" in result:
        return _fail("asymp expand", result["refused"], 1)
    elif arguments.latex:
        from asymp.export.expansion import expansion_latex

        _say(expansion_latex(arguments.expression or arguments.equation, result, arguments.to, arguments.unknown))
    else:
        for case in result.get("cases", [result]):
            when = f"[{case.get('when', case.get('root'))}]  " if "when" in case or "root" in case else ""
            if "refused" in case:
                _say(f"{when}refused: {case['refused']}")
                continue
            rest = case["remainder"]
            terms = [*case["terms"], *([] if rest["growth"] == "0" else [f"{rest['kind']}({rest['growth']})"])]
            ending = f"   [at most {rest['constant']} times it, from {rest['valid_from']} on]" if rest["kind"] == "B" else ""
            fewer = f"   [{case['fewer']}]" if "fewer" in case and rest["growth"] != "0" else ""
            _say(when + (" + ".join(terms).replace("+ -", "- ") or "0") + ending + fewer)
        if "explicit" in result:
            _say(result["explicit"])
    return 0


# --- figures and documents -------------------------------------------------------------------


def _figure(arguments: Arguments) -> int:
    from asymp import registry

    figures = registry.paper(arguments.key).figures()
    names = [arguments.name] if arguments.name else list(figures)
    _require(bool(names), f"{arguments.key} has no figures")
    for name in names:
        if name not in figures:
            raise UsageError(unknown("figure", name, figures))
    from asymp.export import plot

    folder = _folder(arguments.out)
    paths = []
    for name in names:
        for kind in arguments.format or ["png"]:
            paths.append(str(plot.save(figures[name], folder / f"{arguments.key}-{name}.{kind}")))
            if not arguments.json:
                _say(paths[-1])
    if arguments.json:
        _say(json.dumps({"files": paths}))
    return 0


def _export(arguments: Arguments) -> int:
    from asymp import registry
    from asymp.command import parallel
    from asymp.export import latex, record

    folder = _folder(arguments.out)
    keys = [arguments.key] if arguments.key else list(registry.papers())
    _require(bool(keys), "no papers are registered: install the package first (pip install .)")
    paths = []
    for key in keys:
        paper = registry.paper(key)
        places = [parallel.Place(claim.id) for claim in paper.claims()]
        progress = Progress(len(places))
        found = {}
        for place, verdict in parallel.check_all(
            places, arguments.jobs, arguments.quick, progress.start, arguments.timeout
        ):
            found[place] = verdict
            progress.done()
        progress.clear()
        path = folder / f"{key}.tex"
        record.write_text(path, latex.document(paper.title, [found[place] for place in places]))
        paths.append(str(path))
        if not arguments.json:
            _say(str(path))
    if arguments.json:
        _say(json.dumps({"files": paths}))
    return 0


def _report(arguments: Arguments) -> int:
    raise UsageError("not in this version: the HTML report comes later; asymp export writes LaTeX")


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out {name}: {error.strerror}") from error
    return folder


def _require_folder(folder: Path) -> None:
    _require(folder.is_dir(), f"--json: there is no folder {folder}")
    _require(os.access(folder, os.W_OK), f"--json: the folder {folder} cannot be written to")


# --- saying things ---------------------------------------------------------------------------


def _say(text: str, end: str = "\n") -> None:
    print(text, end=end, flush=True)


def _fail(prog: str, message: str, code: int) -> int:
    with contextlib.suppress(OSError):
        print(f"{prog}: {message}", file=sys.stderr, flush=True)
    return code


def _drop_stdout() -> None:
    """The reader has gone: what is still buffered must not raise again at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _colour() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise UsageError(message)


COMMANDS: dict[str, Callable[[Arguments], int]] = {
    "check": _check,
    "list": _list,
    "show": _show,
    "ask": _ask,
    "expand": _expand,
    "enclose": _enclose,
    "sample": _sample,
    "figure": _figure,
    "export": _export,
    "report": _report,
}
