"""``asymp verify``: the certificates of a record replayed by the kernel, and the engine's leaves derived again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from asymp.command.executor import End, Executor, Task
from asymp.command.progress import Progress
from asymp.command.records import record, texts_of, tied
from asymp.kernel.records import BUG, GIVEN, MISSING, OPEN, REFUSED, REPLAYED, ledger, replays
from asymp.messages import one_line


def verify(arguments: Any, executor: Callable[[], Executor], say: Callable[[str], None]) -> int:
    """The exit code: 0 only if each claim of the record that is proved has a certificate that is replayed, and it has all of
    them; 3 where a rule has a bug, so that nothing is to be believed."""
    entries = record(arguments.record)["claims"]
    texts, definitions, ties = texts_of(arguments.claims)
    found = tied(replays(entries, texts, definitions), entries, ties)
    wrong = [one.told in (REFUSED, MISSING, BUG) for one in found]
    for k, entry in enumerate(entries):
        wrong[k] |= entry.get("strength") == "proved" and found[k].told not in (REPLAYED, GIVEN)
    for one, is_wrong in zip(found, wrong, strict=True):
        if arguments.all or is_wrong:
            say(f"{one.id}: {one}")
    counts = {word: sum(one.told == word for one in found) for word in (REPLAYED, GIVEN, OPEN, REFUSED, MISSING, BUG)}
    say("; ".join(f"{count} {word}" for word, count in counts.items() if count or word not in (MISSING, BUG)))
    for line in ledger(found):
        say(f"  {line}")
    bad = any(wrong)
    if arguments.leaves:
        bad |= _leaves(
            arguments, executor, say, [entry for entry, one in zip(entries, found, strict=False) if one.told == GIVEN]
        )
    return 3 if counts[BUG] else int(bad)


def _leaves(
    arguments: Any, executor: Callable[[], Executor], say: Callable[[str], None], entries: Sequence[Mapping[str, Any]]
) -> bool:
    """Derives the engine's leaves again, in watched processes; whether one is not confirmed."""
    texts = {step["data"]["statement"] for e in entries for step in e["certificate"] if step["rule"] == "leaf"}
    tasks = [Task("asymp.check.ask:confirmed", (text,), text, text) for text in sorted(texts)]
    progress = Progress(len(tasks), arguments.quiet)
    bad = 0
    with executor() as running:
        for task, ended in running.run(tasks, lambda task: progress.start(one_line(task.name, 60))):
            progress.done()
            why = ended.value if ended.end is End.FINISHED else str(ended.end)
            if why:
                bad += 1
                say(f"not confirmed ({why}): {task.name}")
    progress.clear()
    noun = "leaf" if len(tasks) == 1 else "leaves"
    say(f"{len(tasks)} {noun} of the engine derived again, {bad} not confirmed")
    return bad > 0 or running.stopped is not None
