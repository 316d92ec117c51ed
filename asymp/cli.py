"""The command line.  Nothing imports it, and it alone prints.

Exit codes: 0 done (all outcomes as expected); 1 an outcome is not as expected, or a value could not
be certified; 2 bad input, one line on standard error that names the place; 130 interrupted.
Modules are imported by the command that needs them, so that short commands start fast.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import importlib
import importlib.metadata
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from asymp.claim import Verdict
    from asymp.parallel import Place

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
        arguments = _parser().parse_args(argv)
        prog = f"asymp {arguments.command}"
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as error:  # from argparse: --help, --version, usage
        return int(error.code or 0)
    except KeyboardInterrupt:
        return _fail(prog, "interrupted", 130)
    except BrokenPipeError:
        _drop_stdout()
        return 1
    except (MemoryError, RecursionError) as error:
        return _fail(prog, f"too large for this machine ({type(error).__name__})", 2)
    except Exception as error:
        if os.environ.get("ASYMP_TRACEBACK"):
            raise
        if isinstance(error, (UsageError, ValueError, OSError)):
            return _fail(prog, _one_line(error), 2)
        hint = "ASYMP_TRACEBACK=1 shows where"
        return _fail(prog, f"internal error: {type(error).__name__}: {_one_line(error)} ({hint})", 3)


# --- check -----------------------------------------------------------------------------------


def _check(arguments: Arguments) -> int:
    from asymp import parallel
    from asymp.export import record, table

    places, errors = _places(arguments.targets)
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
    progress = _Progress(len(places))
    begin = time.perf_counter()
    found: dict[Place, Verdict] = {}
    code = 0
    with _terminated_as_interrupted():
        try:
            if not quiet:
                _say(table.header(columns))
            runs = parallel.check_all(places, arguments.jobs, arguments.quick, progress.start)
            with contextlib.closing(runs):  # type: ignore[type-var]
                for place, verdict in runs:
                    found[place] = verdict
                    progress.done()
                    if not quiet:
                        _say(table.row(verdict, columns, colour))
                        if not verdict.as_expected and verdict.reason:
                            _say(f"    {verdict.reason}")
        except KeyboardInterrupt:
            code = _fail("asymp check", f"interrupted after {len(found)} of {len(places)} claims", 130)
        except BrokenPipeError:
            _drop_stdout()
            code = 1
        finally:
            progress.clear()
    verdicts = [found[place] for place in places if place in found]
    data = record.record(verdicts, _version(), time.perf_counter() - begin)
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


def _places(targets: Sequence[str]) -> tuple[list[Place], list[str]]:
    """The claims that the words on the command line mean, and a line for each that means none."""
    from asymp import registry
    from asymp.parallel import Place

    if not targets and not registry.papers():
        return [], ["no papers are registered: install the package first (pip install .)"]
    places: dict[Place, None] = {}
    owner: dict[str, str] = {}
    errors = []
    for target in targets or list(registry.papers()):
        try:
            new = _resolve(target)
        except ValueError as error:
            errors.append(_one_line(error))
            continue
        for place in new:
            origin = place.file or "the papers"
            if owner.setdefault(place.claim_id, origin) != origin:
                errors.append(f"{origin}: the id {place.claim_id} is also in {owner[place.claim_id]}")
            else:
                places[place] = None
    return list(places), errors


def _resolve(target: str) -> list[Place]:
    """A paper's key, a claim's id, a file of claims, or ``FILE::ID``."""
    from asymp import registry
    from asymp.parallel import Place

    if target in registry.papers():
        return [Place(claim.id) for claim in registry.paper(target).claims()]
    file, _, wanted = target.partition("::")
    if file.endswith(".py") or Path(file).is_file():
        claims = [claim for claim in registry.load_file(file) if not wanted or claim.id == wanted]
        if wanted and not claims:
            raise UsageError(f"{file}: no claim has the id {wanted!r}")
        return [Place(claim.id, file) for claim in claims]
    if "/" in target:
        return [Place(registry.find_claim(target).id)]
    raise registry.RegistryError(_unknown_target(target))


def _unknown_target(target: str) -> str:
    from asymp import registry

    keys = list(registry.papers())
    shown = target[:80]
    close = difflib.get_close_matches(target, keys, n=1, cutoff=0.5)
    hint = f"did you mean {close[0]}?" if close else f"there are the papers {', '.join(keys) or '(none)'}"
    return f"{shown!r} is no paper, no claim and no file: {hint}"


# --- list, show ------------------------------------------------------------------------------


def _list(arguments: Arguments) -> int:
    from asymp import registry
    from asymp.export import record, table

    places, errors = _places(arguments.targets)
    claims = [place.load() for place in places]
    if arguments.json:
        keys = ("id", "locator", "relation", "expected", "as_printed", "statement")
        values = [
            (c.id, c.source.locator, c.relation.kind, str(c.expected), c.as_printed, c.statement) for c in claims
        ]
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
    from asymp import parallel
    from asymp.export import latex, record, table

    place = _one_place(arguments.id)
    places = [place]
    correction = place.load().correction
    if correction:
        places.append(parallel.Place(correction, place.file))
    progress = _Progress(len(places))
    found = dict(parallel.check_all(places, arguments.jobs, arguments.quick, progress.start))
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


def _one_place(target: str) -> Place:
    places = _resolve(target)
    if len(places) != 1:
        raise UsageError(f"{target!r} is {len(places)} claims: name one (asymp list {target})")
    return places[0]


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
            _say(json.dumps({"refused": _one_line(error)}))
        return _fail("asymp enclose", f"{quantity.id}: not certified: {_one_line(error)}", 1)
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
        raise UsageError(_unknown("model", arguments.model, models.MODELS))
    result = models.sample(
        arguments.model, raw, arguments.size, arguments.seed, arguments.device, _SampleProgress()
    )
    if arguments.json:
        _say(json.dumps(_sample_record(result)))
        return 0
    for name, estimate in result.estimates.items():
        low, high = estimate.interval
        _say(f"{name} = {estimate.value} (standard error {estimate.stderr}, interval [{low}, {high}])")
    _say(f"size {result.size}, seed {result.seed}, {result.backend}, {result.seconds:.2f} s")
    return 0


def _sample_record(result: Any) -> dict[str, Any]:
    estimates = {
        name: {
            "value": str(item.value),
            "stderr": str(item.stderr),
            "interval": [str(item.interval[0]), str(item.interval[1])],
        }
        for name, item in result.estimates.items()
    }
    return {
        "estimates": estimates,
        "size": int(result.size),
        "seed": int(result.seed),
        "backend": str(result.backend),
        "seconds": round(float(result.seconds), 6),
    }


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
    function = _engine("asymp.check", "ask")
    verdict = function(arguments.statement, to=arguments.to, assume=arguments.assume)
    from asymp.export import table

    why = verdict.reason or (verdict.evidence[0].detail if verdict.evidence else "")
    if arguments.json:
        _say(json.dumps({"outcome": verdict.outcome, "strength": verdict.strength, "why": why}))
    else:
        _say(table.explanation(verdict, None, _colour()), end="")
    return 0


def _expand(arguments: Arguments) -> int:
    _require(bool(arguments.expression) != bool(arguments.equation), "give one expression, or --equation")
    _require(not arguments.equation or bool(arguments.unknown), "--equation needs --unknown")
    function = _engine("asymp.expand", "expand_text")
    result = function(
        arguments.expression, to=arguments.to, assume=arguments.assume, order=arguments.order,
        equation=arguments.equation, unknown=arguments.unknown,
    )
    if arguments.json:
        _say(json.dumps(result))
    elif "refused" in result:
        return _fail("asymp expand", result["refused"], 1)
    else:
        for case in result.get("cases", [result]):
            when = f"[{case['when']}]  " if "when" in case else ""
            rest = case["remainder"]
            _say(f"{when}{' + '.join(case['terms'])} + {rest['kind']}({rest['growth']})")
    return 0


def _engine(module: str, name: str) -> Callable[..., Any]:
    function = getattr(importlib.import_module(module), name, None)
    if function is None:
        raise UsageError("not in this version: it arrives with the expansion engine")
    found: Callable[..., Any] = function
    return found


# --- figures and documents -------------------------------------------------------------------


def _figure(arguments: Arguments) -> int:
    from asymp import registry

    figures = registry.paper(arguments.key).figures()
    names = [arguments.name] if arguments.name else list(figures)
    _require(bool(names), f"{arguments.key} has no figures")
    for name in names:
        if name not in figures:
            raise UsageError(_unknown("figure", name, figures))
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
    from asymp import parallel, registry
    from asymp.export import latex, record

    folder = _folder(arguments.out)
    keys = [arguments.key] if arguments.key else list(registry.papers())
    _require(bool(keys), "no papers are registered: install the package first (pip install .)")
    paths = []
    for key in keys:
        paper = registry.paper(key)
        places = [parallel.Place(claim.id) for claim in paper.claims()]
        progress = _Progress(len(places))
        found = {}
        for place, verdict in parallel.check_all(places, arguments.jobs, arguments.quick, progress.start):
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


class _Progress:
    """What is being checked, on standard error: one changing line on a terminal, else plain lines."""

    def __init__(self, total: int) -> None:
        self.total, self.begun, self.finished = total, 0, 0
        self.terminal = sys.stderr.isatty()
        self.drawn = False

    def start(self, place: Place) -> None:
        """A claim is being started."""
        self.begun += 1
        if self.terminal:
            self.clear()
            sys.stderr.write(f"[{self.finished}/{self.total}] checking {place.claim_id}"[:78])
            self.drawn = True
        elif self.total > 1:
            sys.stderr.write(f"[{self.begun}/{self.total}] checking {place.claim_id}\n")
        sys.stderr.flush()

    def done(self) -> None:
        """A claim is finished; its row follows."""
        self.finished += 1
        self.clear()

    def clear(self) -> None:
        """Take the line away."""
        if self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self.drawn = False


class _SampleProgress:
    """Progress of a long run: at most two lines a second, and none for a short one."""

    def __init__(self) -> None:
        self.begin = self.last = time.perf_counter()

    def __call__(self, done: float, total: float = 1.0) -> None:
        now = time.perf_counter()
        if now - self.begin > 1.0 and now - self.last > 0.5 and total:
            self.last = now
            end = "\r" if sys.stderr.isatty() else "\n"
            sys.stderr.write(f"{100 * done / total:5.1f} %{end}")
            sys.stderr.flush()


@contextlib.contextmanager
def _terminated_as_interrupted() -> Iterator[None]:
    """A termination request is answered like Ctrl-C: what was found so far is kept."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    try:
        before = signal.signal(signal.SIGTERM, stop)
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


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


def _one_line(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 400 else text[:397] + "..."


def _unknown(noun: str, name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(known) or 'none'}"
    return f"unknown {noun} {name[:80]!r}: {hint}"


def _version() -> str:
    try:
        return importlib.metadata.version("asymp")
    except importlib.metadata.PackageNotFoundError:
        return "0.0.0"


# --- the parser ------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """Errors of usage in one line, with a suggestion for a misspelt command."""

    def error(self, message: str) -> NoReturn:
        if "invalid choice:" in message and "command" in message:
            word = message.split("invalid choice: ", 1)[1].split(" (", 1)[0].strip("'\"")
            message = _unknown("command", word, COMMANDS)
        self.exit(_fail(self.prog, " ".join(message.split()), 2))


def _positive(text: str) -> int:
    """A whole number >= 1, also written 1e6."""
    from asymp.parse import parse_number

    try:
        value = parse_number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(_one_line(error)) from error
    if value != int(value) or value < 1:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number >= 1")
    return int(value)


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 39:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number >= 0")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="asymp", description="Checks asymptotic claims of papers.")
    parser.add_argument("--version", action="version", version=f"asymp {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="command", required=True, parser_class=_Parser)

    def command(name: str, run: Callable[[Arguments], int], text: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=text, description=text)
        sub.set_defaults(run=run)
        return sub

    def checking(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--quick", action="store_true", help="fewer points, shorter samples")
        jobs = min(2, os.cpu_count() or 1)
        sub.add_argument("--jobs", type=_positive, default=jobs, help=f"processes (default {jobs})")

    def typed(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--to", required=True, metavar="LIMIT", help='such as "n->oo" or "p->0+"')
        sub.add_argument("--assume", action="append", default=[], metavar="CONDITION", help='such as "alpha>1"')

    def to_stdout(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--json", action="store_true", help="one JSON object on standard output")

    sub = command("check", _check, "check claims: all, a paper's, one, or those of a file")
    sub.add_argument("targets", nargs="*", metavar="KEY|ID|FILE")
    sub.add_argument("--json", metavar="FILE", help="write the record here ('-': standard output)")
    checking(sub)
    sub = command("list", _list, "the claims, a line each")
    sub.add_argument("targets", nargs="*", metavar="KEY|FILE")
    to_stdout(sub)
    sub = command("show", _show, "one claim: statement, derivation, evidence, correction")
    sub.add_argument("id", metavar="ID")
    sub.add_argument("--latex", action="store_true", help="as LaTeX")
    to_stdout(sub)
    checking(sub)
    sub = command("ask", _ask, "check a claim typed in")
    sub.add_argument("statement", help='such as "log(gamma(n)) ~ n*log(n)"')
    typed(sub)
    to_stdout(sub)
    sub = command("expand", _expand, "the first terms of an expansion, and its remainder")
    sub.add_argument("expression", nargs="?")
    sub.add_argument("--order", type=_positive, default=3, metavar="K")
    sub.add_argument("--equation")
    sub.add_argument("--unknown")
    typed(sub)
    to_stdout(sub)
    sub = command("enclose", _enclose, "a certified value of a registered quantity")
    sub.add_argument("quantity", metavar="QUANTITY", help="such as lfms/throughput")
    sub.add_argument("values", nargs="*", metavar="name=value")
    sub.add_argument("--digits", type=_positive, default=30)
    to_stdout(sub)
    sub = command("sample", _sample, "simulate a model: estimates with intervals")
    sub.add_argument("model", metavar="MODEL")
    sub.add_argument("values", nargs="*", metavar="name=value")
    sub.add_argument("--size", type=_positive, default=None, metavar="N")
    sub.add_argument("--seed", type=_seed, default=0, metavar="S")
    sub.add_argument("--device", choices=("auto", "cpu", "gpu"), default="auto")
    to_stdout(sub)
    sub = command("figure", _figure, "draw a paper's figures")
    sub.add_argument("key", metavar="KEY")
    sub.add_argument("name", nargs="?", metavar="NAME")
    sub.add_argument("--out", default=".", metavar="DIR")
    sub.add_argument("--format", action="append", choices=("png", "svg", "pdf"))
    to_stdout(sub)
    sub = command("export", _export, "claim sheets as LaTeX that compiles")
    sub.add_argument("key", nargs="?", metavar="KEY")
    sub.add_argument("--out", default=".", metavar="DIR")
    to_stdout(sub)
    checking(sub)
    sub = command("report", _report, "one self-contained HTML report")
    sub.add_argument("--out", default=".", metavar="DIR")
    return parser


COMMANDS = (
    "check", "list", "show", "ask", "expand", "enclose", "sample", "figure", "export", "report",
)
