"""What ``asymp report`` puts on its page: the entries of a record that were asked for, and their derivations."""

from __future__ import annotations

import os
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from asymp.claim import Claim, Outcome, Strength
from asymp.command.checking import Found, find, verdicts, with_corrections
from asymp.command.executor import End, Executor, Task
from asymp.command.progress import Progress
from asymp.command.records import record
from asymp.command.store import opened
from asymp.command.usage import UsageError, folder
from asymp.export.errata import rests_on

Entry = Mapping[str, Any]


def well_formed(entries: Sequence[Entry], source: str) -> list[Entry]:
    """The entries, each of which has what a page shows.

    Raises:
        UsageError: one has not.
    """
    from asymp.claim import Relation, Source
    from asymp.export.record import claim_record

    model = claim_record(Claim("x/x", Source("x", "x"), Relation(), "x"))
    for k, entry in enumerate(entries, 1):
        for name, value in model.items():
            if name in ("reading", "place"):  # a record of an earlier version has none
                continue
            if name not in entry or (isinstance(value, (str, list)) and not isinstance(entry[name], type(value))):
                raise UsageError(f"{source}: entry {k} has no {name!r} as asymp check writes it")
        if entry["outcome"] not in set(Outcome) or entry["strength"] not in set(Strength):
            raise UsageError(f"{source}: entry {k} has an outcome or a strength that there is not")
    return list(entries)


def chosen(entries: Sequence[Entry], targets: Sequence[str], find: Callable[[str], Sequence[str]]) -> list[Entry]:
    """The entries that the targets mean, with the corrections of those; ``find``: the ids that a word means elsewhere.

    Raises:
        UsageError: a target means none of them.

    >>> chosen([{"id": "a/x", "paper": "a", "correction": None}], ["a"], lambda _: [])[0]["id"]
    'a/x'
    """
    found: set[str] = set()
    for target in targets:
        own = {entry["id"] for entry in entries if target in (entry["id"], entry["paper"])}
        if not own:
            own = {entry["id"] for entry in entries} & set(find(target))
        if not own:
            raise UsageError(f"the record has no claim of {target}")
        found |= own
    found |= {str(entry["correction"]) for entry in entries if entry["id"] in found}
    return [entry for entry in entries if not targets or entry["id"] in found]


def titles_of(papers: Sequence[str], targets: Sequence[str]) -> dict[str, str]:
    """Of registered papers, and of files of claims among the targets that have one, by key."""
    from asymp import registry

    found = {key: registry.paper(key).title for key in papers if key in registry.papers()}
    for file in {target.partition("::")[0] for target in targets}:
        try:
            if file.endswith(".tex"):
                data = registry.load_data(file)
                found.setdefault(data.key, data.title)
                continue
            paper = tomllib.loads(Path(file).read_text(encoding="utf-8"))["paper"]
            found.setdefault(str(paper["key"]), str(paper["title"]))
        except (OSError, ValueError, KeyError, TypeError):  # no such file, or one without a title
            continue
    return {key: title for key, title in found.items() if key in papers}


def title_of(papers: Sequence[str], titles: Mapping[str, str]) -> str:
    """Of a page on the claims of these papers."""
    if len(papers) != 1:
        return f"{len(papers)} papers, their claims checked" if papers else "No claims"
    return titles.get(papers[0], f"The claims of {papers[0]}")


def recorded(executor: Executor, arguments: Any) -> tuple[dict[str, Any], dict[str, str]]:
    """What is asked for of a record: its data, and the titles of its papers.

    Raises:
        UsageError: it is none, or has no claim of a target.
    """
    from asymp.export.record import summary

    data = record(arguments.source)

    def ids(target: str) -> list[str]:
        return [one["id"] for one in find(executor, [target], arguments.quick, arguments.trust_code)[0]]

    entries = chosen(well_formed(data["claims"], arguments.source), arguments.targets, ids)
    seconds = data["summary"].get("seconds") if isinstance(data.get("summary"), dict) else None
    papers = list(dict.fromkeys(str(entry["paper"]) for entry in entries))
    told = summary(entries, seconds if isinstance(seconds, (int, float)) else 0.0)
    return {"asymp": str(data.get("asymp", "")), "claims": entries, "summary": told}, titles_of(papers, arguments.targets)


def checked(
    executor: Executor, claims: Sequence[Found], arguments: Any, version: str, failing: bool = False
) -> tuple[dict[str, Any], dict[str, str]]:
    """The claims, checked, with the corrections of those: data as a record has it, and titles.

    ``failing``: those alone that are expected to fail, with what rests on them; ``printed`` says how many were looked at.
    """
    from asymp.export.record import summary

    begin, printed = time.perf_counter(), sum(one["entry"]["as_printed"] for one in claims)
    chosen = _failing(claims) if failing else claims
    store = opened(arguments.fresh)
    whole = with_corrections(executor, chosen, arguments.quick, arguments.trust_code, store)
    progress = Progress(len(whole), arguments.quiet)
    found = {}
    try:
        for one, answer in verdicts(executor, whole, arguments.quick, progress.start, store=store):
            found[one["id"]] = answer["entry"]
            progress.done()
    finally:
        progress.clear()
    entries = [found[one["id"]] for one in whole if one["id"] in found]
    titles = {one["entry"]["paper"]: one["origin"]["title"] for one in whole}
    told = summary(entries, time.perf_counter() - begin)
    return {"asymp": version, "claims": entries, "summary": told, "printed": printed}, titles


def _failing(claims: Sequence[Found]) -> list[Found]:
    """Those that are expected to fail as printed, with what corrects them and what rests on them."""
    entries = {one["id"]: one["entry"] for one in claims}
    wrong = [entry for entry in entries.values() if entry["expected"] == Outcome.REFUTED]
    wanted = {str(name) for entry in wrong for name in (entry["id"], entry["correction"], *rests_on(entry, entries))}
    return [one for one in claims if one["id"] in wanted]


def derivations(executor: Executor, entries: Sequence[Entry], quiet: bool = False) -> dict[str, Any]:
    """The steps of each theorem, by the claim's id, from its certificate; none where it takes longer than a check may."""
    name = "asymp.command.reporting:derived"
    known = {entry["id"]: entry for entry in entries if entry["certificate"]}
    tasks = [Task(name, (entry["paper"], entry["certificate"]), one, entry["paper"]) for one, entry in known.items()]
    progress = Progress(len(tasks), quiet, "deriving")
    found = {}
    try:
        for task, ended in executor.run(tasks, lambda task: progress.start(task.name)):
            progress.done()
            if ended.end is End.FINISHED:
                found[task.name] = ended.value
    finally:
        progress.clear()
    return found


def derived(paper: str, certificate: Sequence[Entry]) -> list[dict[str, Any]]:
    """The proof that a certificate makes, in the paper's notation; none where it is refused.

    >>> steps = [{"rule": "boxes", "premises": [], "data": {"statement": "1 = 2", "depth": 0}}]
    >>> derived("nowhere", steps)
    []
    """
    import asymp.prove.claims  # noqa: F401  (all rules)
    from asymp import registry
    from asymp.export.derivation import data, in_notation
    from asymp.kernel.terms import Refused
    from asymp.prove.derivation import derivation

    names = registry.paper(paper).names() if paper in registry.papers() else {}
    try:
        return data(in_notation(derivation(certificate, {}), names))
    except (Refused, KeyError, TypeError, IndexError):  # an edited record
        return []


def place(out: str, keys: Sequence[str]) -> Path:
    """The file to write: ``out`` itself where it ends in .html, else a file in that folder, named by what is reported.

    Raises:
        UsageError: it cannot be written.
    """
    given = Path(out)
    if given.suffix.lower() in (".html", ".htm"):
        folder(str(given.parent))
    else:
        name = Path(keys[0].partition("::")[0]).stem if len(keys) == 1 else "report"
        given = folder(out) / f"{name}.html"
    if given.is_dir() or (given.exists() and not os.access(given, os.W_OK)):
        raise UsageError(f"--out {out}: {given} cannot be written")
    return given
