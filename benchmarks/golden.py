"""The golden record: the verdict on every claim of the papers and on statements that are typed in, kept as data.

    python -m benchmarks.golden [--papers] [--statements]      asks all again, and says what changed: 1 where a verdict fell
    python -m benchmarks.golden --compare RECORD.json          the same of a record of whole papers by asymp check --json
    python -m benchmarks.golden [--papers] [--statements] --update [--from RECORD.json]     writes the record
    python -m benchmarks.golden --statements --collect --update      looks for the statements anew

In ``tests/golden``: ``papers.jsonl`` and ``statements.jsonl``, a line each: outcome, strength, terms, what is trusted, the
closed statement; beside each its certificates; ``statements.txt``, what is asked.  No seconds, and nothing of the machine:
``cost`` says of which one the tests ask no more than the certificate (``slow``, ``sampled``), and stays as it was first found.
"""

from __future__ import annotations

import argparse
import ast
import gzip
import hashlib
import json
import multiprocessing
import re
import shlex
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HERE = ROOT / "tests" / "golden"
STATEMENTS = "statements.txt"
SLOW = 1.0
"""Seconds of work, beyond which the tests do not ask again."""
LIMIT = 20.0
"""Seconds of the processor, beyond which a statement is none for the record."""
RANK = {"none": 0, "supported": 1, "certified": 2, "proved": 3}
DECIDED = ("holds", "refuted", "expanded")
SAYS = r"[~=<>]| iff | is | has | rounds "
"""What says something of what is beside it."""
IN_TESTS, IN_SOUNDNESS = 5, 12
"""One in so many of the texts in tests, and of the statements of the soundness run, is taken."""

Entry = dict[str, Any]
Record = dict[str, Entry]
"""By id: the words of a verdict, and its certificate."""


# --- what is asked -----------------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Question:
    """What is typed in: ``asymp ask`` or ``asymp expand``, or the root of an equation.

    >>> Question.read("root 2 x | x*exp(x) = n | n->oo | ")
    Question(kind='root', text='x*exp(x) = n', to='n->oo', assume=(), order=2, unknown='x')
    >>> str(Question.read("ask | n^a -> oo | n->oo | a>0; a<1"))
    'ask | n^a -> oo | n->oo | a>0; a<1'
    """

    kind: str
    text: str
    to: str = ""
    assume: tuple[str, ...] = ()
    order: int = 3
    unknown: str = ""

    def __str__(self) -> str:
        how = {"ask": "ask", "expand": f"expand {self.order}", "root": f"root {self.order} {self.unknown}"}[self.kind]
        return " | ".join([how, self.text, self.to, "; ".join(self.assume)])

    @classmethod
    def read(cls, line: str) -> Question:
        """A line of the file of statements."""
        how, text, to, assume = line.split(" | ")
        kind, order, unknown = (*how.split(), "3", "")[:3] if how == "ask" else (*how.split(), "")[:3]
        return cls(kind, text, to, tuple(assume.split("; ")) if assume else (), int(order), unknown)

    def answered(self) -> Entry:
        """The entry of its answer; whoever refuses to read it has answered too."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return self._asked() if self.kind == "ask" else self._expanded()
            except ValueError:
                return _entry(str(self), "refused", "none")

    def _asked(self) -> Entry:
        from asymp.check.ask import ask

        found = ask(self.text, to=self.to or None, assume=self.assume, quick=True)
        steps = None if found.certificate is None else [dict(step) for step in found.certificate]
        closed, trusts = found.claim.closed, found.trusts
        return _entry(str(self), str(found.outcome), str(found.strength), found.next_term, trusts, closed, steps)

    def _expanded(self) -> Entry:
        from asymp.answer.expansion import answered

        what = {"what": self.text} if self.kind == "expand" else {"what": None, "equation": self.text}
        unknown = self.unknown or None
        found = answered(**what, order=self.order, to=self.to, assume=self.assume, unknown=unknown)  # type: ignore[arg-type]
        if found.refused is not None:
            return _entry(str(self), "refused", "none")
        return _entry(str(self), "expanded", found.strength, str(found), found.record().get("trusts", ()))


def _entry(
    name: str, outcome: str, strength: str, terms: str | None = None, trusts: Iterable[str] = (), closed: str = "",
    certificate: list[Any] | None = None, cost: str = "",
) -> Entry:  # fmt: skip
    found: Entry = {"id": name, "outcome": outcome, "strength": strength}
    found |= {"terms": terms} if terms else {}
    found |= {"trusts": list(trusts)} if trusts else {}
    found |= {"closed": closed} if closed else {}
    found |= {"cost": cost} if cost else {}
    return found | ({"certificate": certificate} if certificate is not None else {})


def questions() -> list[Question]:
    """What the record asks."""
    lines = (HERE / STATEMENTS).read_text(encoding="utf-8").splitlines()
    return [Question.read(line) for line in lines if line and not line.startswith("#")]


def chosen(text: str, every: int) -> bool:
    """Whether a text is one of the one in ``every`` that are taken: by a hash of the text."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % every == 0


def collected() -> list[Question]:
    """The statements of the benchmarks, of the tests, of the pages and of the grammar, in the order of their texts."""
    found = {*_of_capability(), *_of_hash_seed(), *_of_pages(), *_of_grammar()}
    found |= {one for one in _of_tests() if chosen(str(one), IN_TESTS)}
    found |= {one for one in _of_soundness() if chosen(str(one), IN_SOUNDNESS)}
    return sorted(one for one in found if not re.search(r" \| |[\n;]|^ | $", one.text + one.to + "".join(one.assume)))


def _of_capability() -> Iterator[Question]:
    from benchmarks.capability.peers.asymp_cli import command
    from benchmarks.capability.problems import PROBLEMS

    for problem in PROBLEMS:
        yield from _of_command(command(problem))


def _of_hash_seed() -> Iterator[Question]:
    from benchmarks.hash_seed import ASKED

    for kind, text, to in ASKED:
        yield Question(kind, text, to)


def _of_pages() -> Iterator[Question]:
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for line in re.findall(r'asymp ((?:ask|expand) (?:"[^"]*"|[^"`;|\n])*)', page.read_text(encoding="utf-8")):
            yield from _of_command(shlex.split(line))


def _of_command(words: Sequence[str]) -> Iterator[Question]:
    """The question of a command line, if it is one of those that are asked here."""
    reader = argparse.ArgumentParser(exit_on_error=False)
    reader.add_argument("kind", choices=["ask", "expand"])
    reader.add_argument("text", nargs="?")
    for option in ("--to", "--equation", "--unknown"):
        reader.add_argument(option, default="")
    reader.add_argument("--assume", action="append", default=[])
    reader.add_argument("--order", type=int, default=3)
    try:
        read, _ = reader.parse_known_args(words)
    except argparse.ArgumentError:
        return
    if text := read.equation or read.text:
        yield Question(
            "root" if read.equation else read.kind, text, read.to, tuple(read.assume), read.order, read.unknown
        )


def _of_grammar() -> Iterator[Question]:
    from asymp.language.forms import FORMS

    for _, _, example in FORMS:
        yield Question("ask", example)


def _of_tests() -> Iterator[Question]:
    """Each text in a test that reads as a closed statement, and each in a row ``(statement, limit, assumptions)``."""
    from asymp.language.numbers import ParseError
    from asymp.language.statement import read_statement

    for path in sorted((ROOT / "tests").glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(SAYS, node.value):
                with suppress(ParseError, ValueError, RecursionError):
                    read_statement(node.value)
                    yield Question("ask", node.value)
            if isinstance(node, ast.Tuple) and 2 <= len(node.elts) <= 4:
                with suppress(ValueError):
                    text, to, *more = (ast.literal_eval(part) for part in node.elts[:3])
                    assume = tuple(more[0]) if more and isinstance(more[0], (list, tuple)) else ()
                    texts = (text, to, *assume)
                    if all(isinstance(one, str) for one in texts) and "->" in to and re.search(SAYS, text):
                        yield Question("ask", text, to, assume)


def _of_soundness() -> Iterator[Question]:
    from benchmarks.soundness import finite, runner, statements

    found = [*runner.by_hand(), *statements.range_statements(), *finite.identities(), *finite.bounds()]
    found += [one for fact in statements.all_facts() for one in statements.true_statements(fact)]
    for one in found:
        yield Question("ask", one.text, one.to or "", tuple(one.assume))


# --- what is answered --------------------------------------------------------------------------


class _Late(BaseException):
    """Not an Exception: what catches those must not take it for an answer."""


def _ring(signum: int, frame: FrameType | None) -> None:
    raise _Late


@contextmanager
def _within(seconds: float) -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, _ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _timed(question: Question) -> Entry:
    """The entry of the answer; with ``cost`` where it took long, and nothing but that where it took too long."""
    begin = time.process_time()
    try:
        with _within(LIMIT):
            found = question.answered()
    except _Late:
        return {"id": str(question), "cost": "late"}
    return found | ({"cost": "slow"} if time.process_time() - begin > SLOW else {})


def of_statements(asked: Sequence[Question], jobs: int = 2) -> Record:
    """The answers to what is typed in; those that take too long are left out."""
    found: Record = {}
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=200) as pool:
        for k, entry in enumerate(pool.imap(_timed, asked, chunksize=4), 1):
            found[entry["id"]] = entry
            if k % 50 == 0 or k == len(asked):
                print(f"{k}/{len(asked)}", file=sys.stderr, flush=True)
    late = [name for name, entry in found.items() if entry.get("cost") == "late"]
    for name in late:
        print(f"left out, more than {LIMIT:g} s: {name}", file=sys.stderr)
    return {name: entry for name, entry in found.items() if name not in late}


def of_claims(claims: Iterable[Mapping[str, Any]]) -> Record:
    """The entries of the claims in a record of ``asymp check --json``."""
    return {claim["id"]: of_claim(claim) for claim in claims}


def of_claim(claim: Mapping[str, Any]) -> Entry:
    """The entry of a claim.

    >>> claim = {"id": "a/x", "outcome": "holds", "strength": "proved", "next_term": None, "trusts": ["DLMF 5.11.2"],
    ...          "certificate": [], "evidence": [], "seconds": 9.0}
    >>> of_claim(claim)["cost"], of_claim(claim | {"evidence": [{"kind": "sampled"}]})["cost"]
    ('slow', 'sampled')
    """
    sampled = any(line["kind"] == "sampled" for line in claim["evidence"])
    cost = "sampled" if sampled else "slow" if claim["seconds"] > SLOW else ""
    terms, trusts, closed = claim["next_term"], claim["trusts"], claim.get("closed", "")
    return _entry(claim["id"], claim["outcome"], claim["strength"], terms, trusts, closed, claim["certificate"], cost)


def checked(names: Sequence[str] = (), jobs: int = 2) -> Record:
    """The entries of all claims, checked now; or of those that are named."""
    from asymp import registry
    from asymp.command.checking import check_all
    from asymp.export.record import verdict_record

    wanted = list(names) or sorted({claim.paper for claim in registry.claims()})
    return of_claims(verdict_record(verdict) for verdict in check_all(wanted, jobs).values())


def again(entry: Entry) -> Entry:
    """The entry of the same claim or statement, asked again in this process."""
    if " | " in entry["id"]:
        return Question.read(entry["id"]).answered()
    from asymp.command.claims import check_claim

    return of_claim(check_claim(entry["id"], None, False)["entry"])


# --- the record --------------------------------------------------------------------------------


def read(name: str) -> Record:
    """``papers`` or ``statements``, with the certificates."""
    found = {entry["id"]: entry for entry in _lines((HERE / f"{name}.jsonl").read_text(encoding="utf-8"))}
    for one in _lines(gzip.decompress((HERE / f"{name}-certificates.jsonl.gz").read_bytes()).decode()):
        found[one["id"]]["certificate"] = one["certificate"]
    return found


def _lines(text: str) -> Iterator[Any]:
    return map(json.loads, text.splitlines())


def write(name: str, record: Record) -> None:
    """Write it, in the order of the ids; what something costs stays as it is known."""
    known = {entry["id"]: entry for entry in read(name).values()} if (HERE / f"{name}.jsonl").exists() else {}
    plain, certificates = [], []
    for one in sorted(record):
        entry = dict(record[one])
        steps = entry.pop("certificate", None)
        entry.pop("cost", None) if one in known else None
        if cost := known.get(one, record[one]).get("cost"):
            entry["cost"] = cost
        plain.append(json.dumps(entry, ensure_ascii=False) + "\n")
        if steps is not None:
            certificates.append(json.dumps({"id": one, "certificate": steps}, ensure_ascii=False) + "\n")
    (HERE / f"{name}.jsonl").write_text("".join(plain), encoding="utf-8")
    packed = gzip.compress("".join(certificates).encode(), 9, mtime=0)
    (HERE / f"{name}-certificates.jsonl.gz").write_bytes(packed)


def stale(entry: Entry) -> str:
    """Why the certificate of an entry does not prove what is recorded; empty where it does, and where there is none to be.

    >>> step = {"rule": "algebra", "premises": [], "data": {"statement": "1 - a < 0 for a > 1"}}
    >>> entry = _entry("a/x", "holds", "proved", closed="1 - a < 0 for a > 1", certificate=[step])
    >>> stale(entry), stale(entry | {"outcome": "refuted"}), stale(entry | {"trusts": ["DLMF 5.11.2"]})
    ('', 'the certificate proves another statement', 'the theorem trusts nothing, not DLMF 5.11.2')
    """
    from asymp.kernel import records  # all rules
    from asymp.kernel.terms import Refused
    from asymp.language.bridges import BRIDGE
    from asymp.language.numbers import ParseError

    steps = entry.get("certificate")
    if steps is None:
        asserted = entry["strength"] == "proved" and entry["outcome"] != "expanded"
        return "proved, and no certificate" if asserted else ""
    try:
        theorem = records.replay(steps)
        if not records.proves(theorem, records.read_closed(entry.get("closed")), entry["outcome"] == "holds"):
            return "the certificate proves another statement"
    except (Refused, ParseError) as error:
        return f"not replayed: {error}"
    now = sorted(theorem.trusts)
    # A tie is the verdict's, not the theorem's.
    then = sorted(one for one in entry.get("trusts", []) if not one.startswith(BRIDGE))
    return (
        "" if now == then else f"the theorem trusts {', '.join(now) or 'nothing'}, not {', '.join(then) or 'nothing'}"
    )


# --- what changed ------------------------------------------------------------------------------

ROSE, CHANGED, FELL = "rose", "changed", "fell"


@dataclass(frozen=True)
class Change:
    """What is not as it was recorded: ``how`` is one of the words above."""

    id: str
    how: str
    what: str
    then: str
    now: str

    def __str__(self) -> str:
        return f"{self.how}: {self.id}: {self.what} {self.then or 'none'} -> {self.now or 'none'}"


def changes(then: Entry, now: Entry) -> list[Change]:
    """What is not the same; of the certificates, the leaves alone.

    >>> one = _entry("a/x", "holds", "certified", "1/n", ["FLINT: arb.log"])
    >>> [str(each) for each in changes(one, one | {"strength": "supported", "terms": None})]
    ['fell: a/x: strength certified -> supported', 'fell: a/x: terms 1/n -> none']
    >>> [str(each) for each in changes(one, one | {"strength": "proved", "trusts": ["DLMF 5.11.2"]})]
    ['rose: a/x: strength certified -> proved']
    >>> [str(each) for each in changes(one, one | {"trusts": ["DLMF 5.11.2"]})]
    ['fell: a/x: trusts FLINT: arb.log -> DLMF 5.11.2']
    >>> [each.how for each in changes(one | {"trusts": ["engine: sum"]}, one)]  # facts that are cited in place of the engine
    ['rose']
    >>> [each.how for each in (*changes(one, one | {"outcome": "refuted"}), *changes(one | {"outcome": "undecided"}, one))]
    ['fell', 'changed']
    """

    def change(how: str, what: str, before: Any, after: Any) -> Change:
        texts = (", ".join(one) if isinstance(one, list) else str(one or "") for one in (before, after))
        return Change(then["id"], how, what, *texts)

    if not _same_statement(then.get("closed", ""), now.get("closed", "")):
        return [change(CHANGED, "closed", then.get("closed"), now.get("closed"))]
    if then["outcome"] != now["outcome"]:
        how = FELL if then["outcome"] in DECIDED else CHANGED
        verdicts = (f"{one['outcome']} {one['strength']}" for one in (then, now))
        return [change(how, "outcome", *verdicts)]
    found = []
    rise = RANK[now["strength"] or "none"] - RANK[then["strength"] or "none"]
    if rise:
        found.append(change(ROSE if rise > 0 else FELL, "strength", then["strength"], now["strength"]))
    before, after = sorted(then.get("trusts", [])), sorted(now.get("trusts", []))
    if rise <= 0 and before != after and RANK[now["strength"]] == RANK[then["strength"]]:
        less = set(after) < set(before) or _of_engine(after) < _of_engine(before)
        found.append(change(ROSE if less else FELL, "trusts", before, after))
    if then.get("terms") != now.get("terms"):
        how = FELL if not now.get("terms") else CHANGED if then.get("terms") else ROSE
        found.append(change(how, "terms", then.get("terms"), now.get("terms")))
    if not rise and leaves(then) != leaves(now):
        found.append(
            change(ROSE if leaves(now) < leaves(then) else CHANGED, "leaves", *map(sorted, (leaves(then), leaves(now))))
        )
    return found


def _of_engine(trusts: Sequence[str]) -> set[str]:
    return {one for one in trusts if one.startswith("engine")}


def leaves(entry: Entry) -> set[str]:
    """What a certificate takes on trust of the engine: replaying it says nothing of these, asking again does."""
    return {str(step["data"]["statement"]) for step in entry.get("certificate") or () if step["rule"] == "leaf"}


def _same_statement(one: str, other: str) -> bool:
    if one == other or not one or not other:
        return one == other
    from asymp.kernel.terms import canonical
    from asymp.language.statement import read_statement

    return canonical(read_statement(one)) == canonical(read_statement(other))


def compared(then: Record, now: Record) -> list[Change]:
    """What changed, and what is no longer there; what is new is no change."""
    found = [Change(one, FELL, "entry", "recorded", "") for one in then if one not in now]
    for one, entry in then.items():
        found += changes(entry, now[one]) if one in now else []
    return found


def _told(name: str, found: Sequence[Change], then: Record, now: Record) -> str:
    count = Counter(change.how for change in found)
    words = ", ".join(f"{count[how]} {how}" for how in (FELL, CHANGED, ROSE))
    return "\n".join([*map(str, found), f"{name}: {len(now)} asked, {len(now.keys() - then.keys())} new: {words}"])


def main(words: Sequence[str] | None = None) -> int:
    """Says what changed, or writes the record; 1 where something fell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", action="store_true", help="the claims of the papers alone")
    parser.add_argument("--statements", action="store_true", help="what is typed in alone")
    parser.add_argument("--from", dest="source", metavar="RECORD", help="the papers' verdicts, from asymp check --json")
    parser.add_argument("--compare", metavar="RECORD", help="the same as --papers --from RECORD")
    parser.add_argument("--collect", action="store_true", help="look for the statements anew")
    parser.add_argument("--update", action="store_true", help="write what is found")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(words)
    both = options.papers == options.statements
    fell = False
    if options.papers or options.compare or both:
        now = _papers(options.source or options.compare, options.jobs)
        then = read("papers") if (HERE / "papers.jsonl").exists() else {}
        about = {one.partition("/")[0] for one in now}
        fell |= _done("papers", {k: v for k, v in then.items() if k.partition("/")[0] in about}, now)
        if options.update:
            write("papers", {**{k: v for k, v in then.items() if k.partition("/")[0] not in about}, **now})
    if options.statements or (both and not options.compare):
        now = of_statements(collected() if options.collect else questions(), options.jobs)
        fell |= _done("statements", read("statements") if (HERE / "statements.jsonl").exists() else {}, now)
        if options.update:
            lines = "".join(f"{one}\n" for one in sorted(now))
            (HERE / STATEMENTS).write_text(lines, encoding="utf-8")
            write("statements", now)
    return int(fell)


def _papers(source: str | None, jobs: int) -> Record:
    if source is None:
        return checked(jobs=jobs)
    return of_claims(json.loads(Path(source).read_text(encoding="utf-8"))["claims"])


def _done(name: str, then: Record, now: Record) -> bool:
    found = compared(then, now)
    print(_told(name, found, then, now))
    return any(change.how == FELL for change in found)


if __name__ == "__main__":
    raise SystemExit(main())
