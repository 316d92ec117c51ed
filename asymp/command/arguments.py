"""The words of the command line: commands, options, and their types."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NoReturn

from asymp.messages import one_line, unknown


class _Parser(argparse.ArgumentParser):
    """Errors of usage in one line, with a suggestion for a misspelt command."""

    known: tuple[str, ...] = ()

    def error(self, message: str) -> NoReturn:
        if "invalid choice:" in message and "command" in message:
            word = message.split("invalid choice: ", 1)[1].split(" (", 1)[0].strip("'\"")
            message = unknown("command", word, self.known)
        self.exit(2, f"{self.prog}: {one_line(message)}\n")


class _Version(argparse.Action):
    """The version, and with ``--verbose`` before it the libraries and where things lie."""

    def __init__(self, option_strings: Sequence[str], dest: str, version: str, help: str) -> None:
        super().__init__(option_strings, dest, nargs=0, default=argparse.SUPPRESS, help=help)
        self.version = version

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: Any) -> None:
        """Say it, and end."""
        text = f"asymp {self.version}"
        if hasattr(namespace, "verbose"):
            from asymp.command.about import about

            text = about()
        parser._print_message(f"{text}\n", sys.stdout)
        parser.exit()


def _number(text: str) -> Fraction:
    """A decimal without a sign, exactly; ValueError where it is none."""
    from asymp.language.numbers import DECIMAL, exact

    if not re.fullmatch(DECIMAL, plain := text.strip()) or len(plain) > 40:
        raise ValueError("no number")
    return exact(plain)


def _positive(text: str, most: int = 10**9) -> int:
    """A whole number >= 1, also written 1e6; ``most`` is far beyond all use."""
    try:
        value = _number(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number >= 1") from error
    if value != int(value) or value < 1:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number >= 1")
    if value > most:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is more than {most}")
    return int(value)


def _size(text: str) -> int:
    return _positive(text, 10**18)


def _jobs(text: str) -> int:
    return _positive(text, 4096)


def _bytes(text: str) -> int:
    """A size such as 4G, 500M or 1e9."""
    unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}.get(text[-1:].upper(), 0)
    try:
        value = _number(text[:-1] if unit else text) * (unit or 1)
    except ValueError:
        value = Fraction(0)
    if not (1 << 20) <= value < (1 << 60):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a size of 1M or more, such as 500M or 4G")
    return int(value)


def _shard(text: str) -> Any:
    from asymp.command.shards import read

    try:
        return read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(one_line(error)) from error


def _device(text: str) -> str:
    from asymp.model import is_gpu

    if text not in ("auto", "cpu") and not is_gpu(text):
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is no device: auto, cpu, gpu, or gpu:1 for the second GPU")
    return text


def _address(text: str) -> str:
    from asymp.command.cluster import HERE, SCHEMES

    if text != HERE and not (text.startswith(SCHEMES) and len(text) > len(SCHEMES[0])):
        raise argparse.ArgumentTypeError(f"{text[:80]!r} is no address of a scheduler, such as tcp://node1:8786")
    return text


def _seed(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 39:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number >= 0")
    return int(text)


def build(version: str) -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = _Parser(prog="asymp", description="Checks asymptotic claims of papers.")
    parser.add_argument("--version", action=_Version, version=version, help="the version; with --verbose, all that it runs with")
    parser.add_argument("--verbose", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", metavar="command", required=True, parser_class=_Parser)

    def command(name: str, text: str, more: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(name, help=text, description=text, epilog=more or None)

    def targets(sub: argparse.ArgumentParser, count: str = "*") -> None:
        """The same for every command that takes claims."""
        text = "a paper's key, a claim's id, a file of claims (.toml, .py, .tex), or a claim of it; queues/NAME of the library"
        text += " (none: claims.toml where there is one here, else all papers)" if count == "*" else ""
        sub.add_argument("targets", nargs=count, metavar="KEY|ID|FILE|FILE::ID", help=text)

    def quiet(sub: argparse.ArgumentParser, text: str) -> None:
        sub.add_argument("--quiet", "-q", action="store_true", help=text)

    def trusting(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--trust-code", action="store_true", help="run the model.py that a file of claims names")

    def checking(sub: argparse.ArgumentParser) -> None:
        trusting(sub)
        sub.add_argument("--quick", action="store_true", help="fewer points, shorter samples")
        sub.add_argument("--fresh", action="store_true", help="take nothing from the store of verdicts (asymp store)")
        processes(sub)
        limited(sub, 300, "a claim is undecided after so long")

    def processes(sub: argparse.ArgumentParser, text: str = "processes") -> None:
        jobs = min(2, os.cpu_count() or 1)
        sub.add_argument("--jobs", type=_jobs, default=jobs, help=f"{text} (default {jobs})")

    def verbose(sub: argparse.ArgumentParser) -> None:
        said = "all steps of a derivation; of a refusal, all that was tried and why it failed"
        sub.add_argument("--verbose", "-v", action="store_true", help=said)

    def limited(sub: argparse.ArgumentParser, seconds: int | None, text: str = "give up after so long") -> None:
        text += f" (default {seconds or 'none'})"
        sub.add_argument("--timeout", type=_positive, default=seconds, metavar="SECONDS", help=text)
        sub.add_argument("--cpu", type=_positive, metavar="SECONDS", help="the same of processor time (default none)")
        memory = "the most that a process may hold, such as 4G (default: nine tenths of the machine's, shared)"
        sub.add_argument("--memory", type=_bytes, metavar="SIZE", help=memory)

    def typed(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--to", metavar="LIMIT", help='such as "n->oo" or "p->0+"')
        sub.add_argument("--assume", action="append", default=[], metavar="CONDITION", help='such as "alpha>1"')

    def sharded(sub: argparse.ArgumentParser, text: str) -> None:
        sub.add_argument("--shard", type=_shard, metavar="I/N", help=text)

    def plain_text(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--ascii", action="store_true", help="formulas as they are typed, on a terminal too")

    def to_stdout(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--json", action="store_true", help="one JSON object on standard output")

    def clustered(sub: argparse.ArgumentParser) -> None:
        text = "workers of Dask: of a scheduler that is there, such as tcp://node1:8786, or started for this run"
        sub.add_argument("--cluster", type=_address, nargs="?", const="here", metavar="ADDRESS", help=text)

    sub = command("check", "check claims: all, a paper's, one, or those of a file", "Exit status: 0 if every outcome is "
                  "the expected one, 1 if not, 2 for bad input.")
    targets(sub)
    sub.add_argument("--json", metavar="FILE", help="write the record here ('-': standard output)")
    read = "of a record that asymp check has written: nothing is checked again"
    sub.add_argument("--from", dest="source", metavar="RECORD", help=read)
    plain_text(sub)
    sub.add_argument("--sarif", metavar="FILE", help="write what fails, is undecided or unreadable, for code review")
    sharded(sub, "check part I of N of the claims: asymp merge makes one record of those of all parts")
    clustered(sub)
    sub.add_argument("--resume", action="store_true", help="go on from what an ended run has left beside the record")
    anew = ("full", "draw the samples anew that are kept, and compare"), ("keep", "the same, and keep what is drawn instead")
    for word, text in anew:
        sub.add_argument(f"--{word}", dest="full", action="store_const", default="", const=word, help=text)
    quiet(sub, "no progress, and nothing of what is as expected")
    checking(sub)
    sub = command("verify", "replay the certificates of a record: nothing but the kernel is needed")
    sub.add_argument("record", metavar="RECORD")
    sub.add_argument("--all", action="store_true", help="a line for each claim, not only for what is wrong")
    sub.add_argument("--claims", metavar="FILE", help="the statements are to be those of this file of claims")
    sub.add_argument("--leaves", action="store_true", help="derive what the engine is trusted for again (needs SymPy)")
    processes(sub, "processes for --leaves")
    quiet(sub, "no progress")
    limited(sub, 120, "a leaf is not confirmed after so long")
    sub = command("list", "the claims, a line each")
    targets(sub)
    sub.add_argument("--readings", action="store_true", help="what the machine reads in their quotes, and how each stands to it")
    to_stdout(sub)
    trusting(sub)
    limited(sub, 300)
    sub = command("show", "claims in full: statement, derivation, evidence, correction", "Exit status: 0 if every outcome is "
                  "the expected one, 1 if not, 2 for bad input.  With --json one claim that is named is one object, several "
                  "are {\"claims\": [...]}.")
    targets(sub, "+")
    sub.add_argument("--latex", action="store_true", help="as LaTeX")
    plain_text(sub)
    sub.add_argument("--verbose", "-v", action="store_true", help="the derivation with all its steps, none folded away")
    to_stdout(sub)
    quiet(sub, "no progress")
    checking(sub)
    limited(command("grammar", "the language of statements, with an example of each form"), 60)
    sub = command("rules", "the rules of the kernel: what each concludes, and from what")
    sub.add_argument("names", nargs="*", metavar="RULE", help="in full, with the theory that it belongs to")
    limited(sub, 60)
    sub = command("ask", "check a claim typed in", "Exit status: 0 if the statement holds, 1 if it is refuted, 4 if that is "
                  "undecided, 2 for bad input.")
    sub.add_argument("statement", nargs="?", help='such as "log(gamma(n)) ~ n*log(n)", or "log(n) <= n for n >= 1"')
    typed(sub)
    sub.add_argument("--latex", nargs="?", const=True, default=False, metavar="FORMULA",
                     help="with a formula: the statement in LaTeX, pasted; alone: the answer as LaTeX")
    sub.add_argument("--notation", action="append", default=[], metavar="KEY=VALUE",
                     help=r"what a sign of the formula means, such as 'mun=\mu_n', or an answer, such as '\log=\ln'")
    plain_text(sub)
    to_stdout(sub)
    quiet(sub, "nothing but the exit status")
    verbose(sub)
    limited(sub, 300)
    sub = command("expand", "the first terms of an expansion, and its remainder", "Exit status: 0 if there is an answer, "
                  "1 if it is refused, 2 for bad input.")
    sub.add_argument("expression", nargs="?")
    sub.add_argument("--order", type=_positive, default=3, metavar="K")
    sub.add_argument("--equation")
    sub.add_argument("--unknown")
    sub.add_argument("--explicit", action="store_true", help="a constant for the remainder, and from where on it holds")
    typed(sub)
    sub.add_argument("--latex", action="store_true", help="as LaTeX")
    to_stdout(sub)
    limited(sub, 300)
    sub = command("enclose", "a certified value of a registered quantity, or of an expression", "Exit status: 0 if the value "
                  "is certified, 1 if it is refused, 2 for bad input.")
    text = 'such as lfms/throughput, or "Sum(1/k^2, (k, 1, n))"; the names in it get numbers, such as n=1e1000 or x=1/3'
    sub.add_argument("quantity", metavar="QUANTITY|EXPR", help=text)
    sub.add_argument("values", nargs="*", metavar="name=value")
    sub.add_argument("--digits", type=_positive, default=30)
    to_stdout(sub)
    limited(sub, 300)
    sub = command("sample", "simulate a model: estimates with intervals")
    sub.add_argument("model", metavar="MODEL")
    sub.add_argument("values", nargs="*", metavar="name=value")
    sub.add_argument("--size", type=_size, default=None, metavar="N")
    sub.add_argument("--seed", type=_seed, default=0, metavar="S")
    sub.add_argument("--device", type=_device, default="auto", metavar="auto|cpu|gpu|gpu:K", help="gpu:K is the K-th of several, "
                     "from 0; the parts of --shard and --cluster take one after another")
    sharded(sub, "draw part I of N of the blocks, and write them: asymp merge makes the result of all parts")
    clustered(sub)
    processes(sub, "workers of --cluster")
    to_stdout(sub)
    quiet(sub, "no progress")
    limited(sub, None)
    sub = command("figure", "draw figures: a paper's, those of a file, or that of a claim", "A word after a paper's key or a "
                  "file is the name of one of its figures.")
    sub.add_argument("targets", nargs="+", metavar="KEY|ID|FILE|FILE::ID|NAME")
    sub.add_argument("--out", default=".", metavar="DIR")
    sub.add_argument("--format", action="append", choices=("png", "svg", "pdf"))
    to_stdout(sub)
    quiet(sub, "no progress, and no names of files")
    trusting(sub)
    processes(sub)
    limited(sub, None, "a figure is given up after so long")
    sub = command("export", "claim sheets as LaTeX that compiles, a file for each paper or file of claims")
    targets(sub)
    sub.add_argument("--derivations", action="store_true", help="derivations and all numbers, not only what was found")
    sub.add_argument("--out", default=".", metavar="DIR")
    to_stdout(sub)
    quiet(sub, "no progress, and no names of files")
    checking(sub)
    sub = command("report", "one self-contained HTML page: what fails first, then every claim")
    targets(sub)
    sub.add_argument("--from", dest="source", metavar="RECORD", help=read)
    sub.add_argument("--out", default=".", metavar="FILE.html|DIR")
    to_stdout(sub)
    quiet(sub, "no progress, and no names of files")
    checking(sub)
    sub = command("errata", "a letter to the authors: what fails as printed, why, what is right, what rests on it")
    targets(sub)
    sub.add_argument("--latex", action="store_true", help="as a LaTeX document")
    sub.add_argument("--from", dest="source", metavar="RECORD", help=read)
    to_stdout(sub)
    quiet(sub, "no progress")
    checking(sub)
    sub = command("merge", "the record of one run, of checks or of a sample, from those of its parts (--shard)", "Exit status: 0 "
                  "if every outcome is the expected one, 1 if not, 2 where they are not the parts of one run, or not all.")
    sub.add_argument("records", nargs="+", metavar="RECORD")
    sub.add_argument("--json", metavar="FILE", default="-", help="write the record here (default: standard output)")
    limited(sub, None)
    sub = command("store", "the store of verdicts: what is in it, by paper", "A verdict whose whole input is what it was is "
                  "taken from there by every command that checks claims, unless --fresh is given.  ASYMP_STORE names another "
                  "folder, or is off.")
    sub.add_argument("--clear", action="store_true", help="remove all of it")
    sub.add_argument("--replay", action="store_true", help="have the kernel replay each theorem; what is not replayed goes")
    to_stdout(sub)
    processes(sub, "processes for --replay")
    quiet(sub, "no progress")
    limited(sub, 300, "a theorem is not replayed after so long")
    sub = command("new", "a folder to start from: claims on a queue that hold, a test of them, a paper with marked formulas")
    sub.add_argument("folder", metavar="PAPER", help="what it is called; nothing that is there is written over")
    sub.add_argument("--queue", default="erlang-c", metavar="NAME", help="of the library (asymp list), default erlang-c")
    to_stdout(sub)
    sub = command("latex", "asymp.sty, by which a paper marks its claims and prints what asymp check found")
    sub.add_argument("--style", action="store_true", required=True, help="write asymp.sty")
    sub.add_argument("--out", default=".", metavar="DIR")
    to_stdout(sub)
    limited(sub, 60)
    sub = command("completion", "a script that makes a shell complete words", "bash: eval \"$(asymp completion bash)\" in "
                  "~/.bashrc; zsh: the same in ~/.zshrc after compinit; fish: asymp completion fish | source")
    sub.add_argument("shell", choices=("bash", "zsh", "fish"))
    sub = commands.add_parser("complete", add_help=False)  # what that script asks
    sub.add_argument("words", nargs="*")
    parser.known = tuple(name for name in commands.choices if name != "complete")
    return parser


def parse(parser: argparse.ArgumentParser, argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The arguments, ``name=value`` words also where they come after an option: argparse takes those for unknown."""
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:2] == ["--version", "--verbose"]:
        given[:2] = ["--verbose", "--version"]  # what it depends on is read before it
    for place, word in enumerate(given[:-1]):
        if word == "--cluster" and "://" not in given[place + 1]:  # what follows is no address of its
            given[place] = "--cluster=here"
    arguments, rest = parser.parse_known_args(given)
    words = [word for word in rest if "=" in word and not word.startswith("-")]
    if rest and (len(words) < len(rest) or not hasattr(arguments, "values")):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:
        arguments.values += words
    return arguments
