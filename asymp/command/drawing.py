"""What ``asymp figure`` does: the figures that words of the command line mean, and drawing one of them, which workers do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from asymp import registry
from asymp.claim import Asymptotic, Claim, Unread
from asymp.command.checking import reason
from asymp.command.executor import End, Executor, Task
from asymp.command.progress import Progress
from asymp.command.targets import Place, is_file, names_one, origin_of, resolve
from asymp.messages import one_line, unknown

One = dict[str, Any]
"""A figure: its ``name``, the ``stem`` of its file, and where it is from."""


def perform(
    arguments: Any, executor: Executor, say: Callable[[str], None], fail: Callable[[str, int], int]
) -> int:
    """The exit code: 1 where a figure is not drawn, 2 where a word means none."""
    ended = executor.one(Task("asymp.command.drawing:survey", (arguments.targets, arguments.trust_code), "figures"))
    if ended.end is not End.FINISHED:
        return fail(reason(ended, executor.limits, " that looked for figures"), 3)
    code, paths = 0, dict[str, list[str]]()
    for error in ended.value["errors"]:
        code = fail(error, 2)
    kinds = arguments.format or ["png"]
    tasks = [Task("asymp.command.drawing:draw", (one, kinds, arguments.out), one["stem"]) for one in ended.value["figures"]]
    progress = Progress(len(tasks), arguments.quiet, "drawing")
    for task, ended in executor.run(tasks, lambda task: progress.start(task.name)):
        progress.done()
        drawn: dict[str, Any] = ended.value if ended.end is End.FINISHED else {"error": reason(ended, executor.limits, "")}
        if "error" in drawn:
            code = fail(f"{task.name}: {drawn['error']}", code or 1)
            continue
        paths[task.name] = drawn["files"]
        for path in drawn["files"] if not (arguments.json or arguments.quiet) else []:
            say(path)
    progress.clear()
    if arguments.json:
        say(json.dumps({"files": [path for task in tasks for path in paths.get(task.name, [])]}))
    return code if executor.stopped is None else 128 + executor.stopped


def survey(words: Sequence[str], trust: bool = False) -> dict[str, Any]:
    """The figures that the words mean: ``{"figures": [...], "errors": [...]}``; a word after a paper or a file may name one."""
    found: list[One] = []
    errors: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        try:
            whole = _of(word, trust)
            names = []
            while left and not names_one(word) and not _is_target(left[0]):
                names.append(left.pop(0))
            for name in names:
                if name not in {one["name"] for one in whole}:
                    raise registry.RegistryError(unknown("figure", name, [one["name"] for one in whole]))
            found += [one for one in whole if not names or one["name"] in names]
        except ValueError as error:
            errors.append(one_line(error))
    return {"figures": found, "errors": errors}


def draw(one: One, kinds: Sequence[str], out: str) -> dict[str, Any]:
    """Draws it: the names of its ``files``, or the ``error``."""
    from asymp.export import plot

    try:
        figure = _made(one)
        return {"files": [str(plot.save(figure, Path(out) / f"{one['stem']}.{kind}")) for kind in kinds]}
    except ValueError as error:
        return {"error": one_line(error)}


def _is_target(word: str) -> bool:
    return word in registry.papers() or is_file(word) or "/" in word


def _of(word: str, trust: bool) -> list[One]:
    if word in registry.papers():
        names = registry.paper(word).figures()
        if not names:
            raise registry.RegistryError(f"{word} has no figures")
        return [{"name": name, "stem": f"{word}-{name}", "paper": word} for name in names]
    file, _, wanted = word.partition("::")
    if is_file(word):
        own = registry.figures_of(file, trust)
        stem = Path(file).stem
        listed = [{"name": name, "stem": f"{stem}-{name}", "file": file, "trust": trust} for name in own]
        if wanted in own or (listed and not wanted):
            return [one for one in listed if wanted in ("", one["name"])]
        places = resolve(word, trust)
        asymptotic = [place for place in places if wanted or isinstance(place.load().relation, Asymptotic)]
        if not asymptotic:
            raise registry.RegistryError(f"{file} has no figures: none of its claims is about a limit")
        return [_of_claim(place) for place in asymptotic]
    key, _, name = word.partition("/")
    if name and key in registry.papers() and name in registry.paper(key).figures():
        return [{"name": name, "stem": f"{key}-{name}", "paper": key}]
    return [_of_claim(place) for place in resolve(word, trust)]


def _of_claim(place: Place) -> One:
    slug = place.claim_id.partition("/")[2].replace("/", "-")
    return {
        "name": slug, "stem": f"{origin_of(place)['stem']}-{slug}", "claim": place.claim_id, "file": place.file,
        "trust": place.trust,
    }  # fmt: skip


def _made(one: One) -> Any:
    from asymp.answer.figures import figure_of

    if "paper" in one:
        return registry.paper(one["paper"]).figures()[one["name"]]
    if "claim" in one:
        return figure_of(_read(Place(one["claim"], one["file"], one["trust"]).load()))
    claim, order = registry.figures_of(one["file"], one["trust"])[one["name"]]
    return figure_of(_read(claim), order, f"{one['name']}: {claim.note}", stated=False)


def _read(claim: Claim) -> Claim:
    if isinstance(claim.relation, Unread):
        raise registry.RegistryError(claim.relation.reason)
    return claim
