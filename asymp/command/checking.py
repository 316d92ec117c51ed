"""Checking many claims: what they are, then a verdict for each, whatever becomes of the process that seeks it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from asymp.command import sources
from asymp.command.cluster import Cluster
from asymp.command.executor import End, Ended, Executor, Limits, Task
from asymp.command.progress import Progress
from asymp.command.store import Store, opened
from asymp.command.stored import QUOTED, Found, Survey, answer_of, keep, taken

if TYPE_CHECKING:
    from asymp.claim import Verdict


def find(
    executor: Executor, targets: Sequence[str], quick: bool = False, trust: bool = False, full: str = "",
    store: Store | None = None,
) -> tuple[list[Found], list[str]]:  # fmt: skip
    """The claims that the words on the command line mean, and a line for each word that means none.

    Of a paper, or a file of claims, that is in the ``store`` what has changed is read.
    """
    found: dict[str, Found] = {}
    errors = []
    words = list(dict.fromkeys(targets))
    known = {word: Survey(store, word, quick, trust, full) for word in words} if store else {}
    ends = {word: Ended(End.FINISHED, {"claims": known[word].completed([])}) for word in known if known[word].whole()}
    only = {word: one.wanted for word, one in known.items()}
    tasks = [_survey(word, quick, trust, full, only.get(word)) for word in words if word not in ends]
    for task, ended in executor.run(tasks):
        every = known[task.name].completed(ended.value["claims"]) if task.name in known and _found(ended) else None
        if task.name in known and known[task.name].wanted is not None and every is None:  # what it is changed in, all is read
            known[task.name] = Survey(None, task.name, quick, trust, full)
            ended = executor.one(_survey(task.name, quick, trust, full))
        ends[task.name] = ended if every is None else Ended(End.FINISHED, {"claims": every})
    for target in words:
        ended = ends.get(target, Ended(End.INTERRUPTED))
        if _found(ended):
            for one in ended.value["claims"]:
                one["key"] = sources.key(one["about"])  # of asymp as it is now: what is read may be in the store for long
                first = found.setdefault(one["id"], one)
                if first["file"] != one["file"]:
                    origins = [each["file"] or "the papers" for each in (one, first)]
                    errors.append(f"{origins[0]}: the id {one['id']} is also in {origins[1]}")
        elif ended.end is End.FINISHED:
            errors.append(ended.value["error"])
        else:
            errors.append(f"{target}: {reason(ended, executor.limits, ' that read it')}")
    return list(found.values()), errors


def _survey(target: str, quick: bool, trust: bool, full: str, only: Sequence[str] | None = None) -> Task:
    return Task("asymp.command.claims:survey", (target, quick, trust, full, only), target)


def _found(ended: Ended) -> bool:
    return ended.end is End.FINISHED and "claims" in ended.value


def verdicts(
    executor: Executor,
    claims: Sequence[Found],
    quick: bool = False,
    started: Callable[[str], None] = lambda _: None,
    full: str = "",
    store: Store | None = None,
    say: Callable[[str], None] = lambda _: None,
    cluster: str | None = None,
) -> Iterator[tuple[Found, dict[str, Any]]]:
    """A verdict for each claim as they come, each once; fewer only if the executor is stopped.

    It has the ``entry`` of the record and, where the check came to its end, what :func:`asymp.command.claims.verdict_of` takes.
    What the ``store`` has is taken from there, first (:mod:`asymp.command.stored`).
    A check that a limit ended while it looked for a theorem has the verdict without one; another that did not finish has an
    undecided ``entry``.  Both say how it ended, and why.

    ``say`` is given a line where what the store has is not believed.  ``cluster`` is the address of one that is to check
    (:class:`asymp.command.cluster.Cluster`).
    """
    waiting = list(claims)
    if store is not None and not full:
        done = dict(_taken(executor, store, claims, quick, say))
        yield from ((one, done[one["id"]]) for one in claims if one["id"] in done)
        waiting = [one for one in claims if one["id"] not in done]
    known = {one["id"]: one for one in waiting}
    name = "asymp.command.claims:check_claim"
    tasks = []
    for one in waiting:
        arguments = (one["id"], one["file"], quick, one["key"], one.get("trust", False), full)
        tasks.append(Task(name, arguments, one["id"], one["group"]))
    runner: Executor | Cluster = executor
    if tasks and cluster:
        files = dict.fromkeys(one["file"] for one in waiting if one["file"])
        runner = Cluster(executor, cluster, [*files], ["asymp.check", "asymp.registry", "asymp.command.claims"])
    elif tasks:
        from asymp import check, registry  # noqa: F401  (imported once, for all processes)
    for task, ended in runner.run(tasks, lambda task: started(task.name)):
        one = known[task.name]
        if ended.end is End.FINISHED or ended.kept is not None:
            (ended.value if ended.end is End.FINISHED else ended.kept)["entry"] |= _quoted(one)
        if ended.end is End.FINISHED:
            if store is not None and not full:
                keep(store, one, ended.value)
            yield one, ended.value
        elif ended.kept is not None:
            yield one, kept(ended, executor.limits)
        elif ended.end is not End.INTERRUPTED:
            entry = {**one["entry"], "seconds": round(ended.seconds, 3), "ended": str(ended.end)}
            failed = "the check failed: " if ended.end in (End.RAISED, End.BROKEN) else ""
            yield one, {"entry": {**entry, "reason": failed + reason(ended, executor.limits)}}


def _quoted(one: Found) -> dict[str, Any]:
    """What the survey found of a claim's quote, which a check does not look for again."""
    return {name: one["entry"][name] for name in (*QUOTED, "as_printed") if name in one["entry"]}


def _taken(
    executor: Executor, store: Store, claims: Sequence[Found], quick: bool, say: Callable[[str], None]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the store has of the claims, by id: theorems that are to be replayed where they are."""
    by_id = {one["id"]: one for one in claims}
    found = taken(store, claims)
    if found.refused:
        say(f"the store: {_several(found.refused)} not what asymp wrote there: computed anew")
    lost = []
    tasks = [Task("asymp.command.claims:replayed", (one["verdict"], one["closed"]), name) for name, one in found.replay.items()]
    for task, ended in executor.run(tasks):
        one = found.replay[task.name]
        if ended.end is End.FINISHED and not ended.value:
            answer = answer_of(by_id[task.name], one["verdict"], quick)
            keep(store, by_id[task.name], answer)
            yield task.name, answer
        elif ended.end is not End.INTERRUPTED:
            lost.append(task.name)
            store.drop("verdict", by_id[task.name]["same"])
    if lost:
        say(f"the store: {_several(lost)} not replayed by the kernel: computed anew")
    for name, one in found.stand.items():
        yield name, answer_of(by_id[name], one["verdict"], quick)


def _several(names: Sequence[str]) -> str:
    return f"{names[0]} is" if len(names) == 1 else f"{len(names)} verdicts ({names[0]}, ...) are"


def kept(ended: Ended, limits: Limits) -> dict[str, Any]:
    """The answer that a task had when a limit ended it."""
    answer: dict[str, Any] = ended.kept
    how = {"ended": str(ended.end), "no_theorem": reason(ended, limits)}
    return {**answer, "cut": how, "entry": answer["entry"] | how}


def answers(
    executor: Executor, claims: Sequence[Found], quick: bool = False, quiet: bool = False, store: Store | None = None,
    progress: Progress | None = None,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """The whole answers by id, for :func:`asymp.command.claims.verdict_of`, with progress unless ``quiet``."""
    progress, found = progress or Progress(len(claims), quiet), {}
    try:
        for one, answer in verdicts(executor, claims, quick, progress.start, store=store):
            found[one["id"]] = answer
            progress.done()
    finally:
        progress.clear()
    return found


def with_corrections(
    executor: Executor, claims: Sequence[Found], quick: bool = False, trust: bool = False, store: Store | None = None
) -> list[Found]:
    """The claims, and after them the corrections of those that have one elsewhere."""
    known = {one["id"] for one in claims}
    wanted = []
    for one in claims:
        other = one["entry"]["correction"]
        if other and other not in known:
            wanted.append(other if one["file"] is None else f"{one['file']}::{other}")
    return [*claims, *(find(executor, wanted, quick, trust, store=store)[0] if wanted else [])]


@dataclass(frozen=True)
class Group:
    """The claims that were asked for of one paper or one file: what a document is about.

    ``name`` is the paper's key or the file's path, ``stem`` what the files that are written about it are called.
    """

    name: str
    title: str
    stem: str
    claims: list[Found] = field(default_factory=list)

    def asked(self, found: dict[str, dict[str, Any]]) -> list[tuple[str, str | None, dict[str, Any]]]:
        """Its claims that have an answer: id, file and answer, as :func:`asymp.command.claims.verdict_of` takes them."""
        return [(one["id"], one["file"], found[one["id"]]) for one in self.claims if one["id"] in found]


def groups(claims: Sequence[Found], targets: Sequence[str] = ()) -> list[Group]:
    """The claims by the paper or file that they are from, in the order of the words that name them.

    The stem of a single claim that a word names (``lfms/lemma-8.3``) is its own: the paper's document is another.

    Raises:
        ValueError: two of them would be written to the same files.
    """
    found: dict[str, Group] = {}
    for one in claims:
        origin = one["origin"]
        group = found.setdefault(origin["name"], Group(origin["name"], origin["title"], origin["stem"]))
        group.claims.append(one)
    named = set(targets)
    made = []
    for group in found.values():
        (first, *more) = group.claims
        slug = first["id"].partition("/")[2]
        alone = not more and not named & {group.name}
        made.append(Group(group.name, group.title, f"{group.stem}-{re.sub('[/:]', '-', slug)}", group.claims) if alone else group)
    stems = [group.stem for group in made]
    for group in made:
        if stems.count(group.stem) > 1:
            others = " and ".join(other.name for other in made if other.stem == group.stem)
            raise ValueError(f"{others} would be written to the same file: ask for one of them, with another --out")
    return made


def check_all(
    targets: Sequence[str], jobs: int = 2, quick: bool = False, limits: Limits = Limits(300), trust: bool = False,
    fresh: bool = False, shown: Callable[[int], Progress] = lambda total: Progress(total, quiet=True),
) -> dict[str, Verdict]:  # fmt: skip
    """The verdicts on what the command line would check, by id and in its order: for scripts and notebooks.

    What is in the user's store is taken from there unless ``fresh``; ``shown`` makes what shows the progress of so many claims.

    Raises:
        ValueError: a target that means no claim.
        KeyboardInterrupt: the run was interrupted.

    >>> check_all(["lfms/lemma-8.3"], quick=True)
    {'lfms/lemma-8.3': <Verdict lfms/lemma-8.3: refuted, proved>}
    """
    from asymp.command.claims import verdict_of
    from asymp.library import all_meant

    store, targets = opened(fresh), all_meant(targets)
    with Executor(jobs, limits) as executor:
        claims, errors = find(executor, targets, quick, trust, store=store)
        found = answers(executor, claims, quick, store=store, progress=shown(len(claims)))
    if executor.stopped is not None:
        raise KeyboardInterrupt
    if errors:
        raise ValueError("; ".join(errors))
    return {one["id"]: verdict_of(one["id"], one["file"], found[one["id"]]) for one in claims}


def reason(ended: Ended, limits: Limits, role: str = " that checked it") -> str:
    """Why there is no answer, in words; programs read the end itself.

    >>> reason(Ended(End.TIMED_OUT), Limits(wall=2))
    'no answer within 2 seconds (--timeout)'
    """
    return {
        End.TIMED_OUT: f"no answer within {limits.wall or 0:g} seconds (--timeout)",
        End.OUT_OF_PROCESSOR: f"no answer within {limits.processor or 0:g} seconds of processor time (--cpu)",
        End.OUT_OF_MEMORY: "out of memory" + (" (--memory)" if limits.memory else ""),
        End.DIED: f"the process{role} died ({ended.detail})",
        End.RAISED: ended.detail,
        End.BROKEN: ended.detail,
        End.INTERRUPTED: "interrupted",
    }.get(ended.end, "")
