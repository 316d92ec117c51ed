"""A sample in parts: what ``asymp sample --shard I/N`` writes, and what ``asymp merge`` makes of all of them.

A run draws blocks, each from streams of its own, and adds them in order.  A part draws some of
them and keeps what it would have added, bit for bit; the whole run is given all of them and adds them in the same order: its
totals are those of one run.  What comes before the blocks, such as a pilot, each part computes, and so does the whole.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asymp.command import sources
from asymp.command.shards import Shard
from asymp.command.usage import UsageError, assignments
from asymp.messages import one_line
from asymp.model import PARTS, Drawn, Parts, Result, named, sample
from asymp.version import __version__


def part_record(shard: Shard, asked: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """The record of a part that is drawn; which of several GPUs has drawn it does not matter."""
    asked = asked | {"device": asked["device"].partition(":")[0]}
    blocks = {str(start): [_text(array) for array in block] for start, block in parts.blocks.items()}
    told = {"index": shard.number, "of": shard.of, "program": sources.digest("all"), "run": parts.run, "found": _hash(blocks)}
    return {"asymp": __version__, "sample": asked, "shard": told, "blocks": blocks}


def readable(model: str, values: Sequence[str], size: int | None, seed: int, device: str) -> dict[str, Any]:
    """What the words of ``asymp sample`` ask for, as :func:`drawn` takes it.

    Raises:
        UsageError, ValueError: they ask for nothing that can be drawn in parts.
    """
    entry, raw = named(model), assignments(values)
    entry.read(raw)
    if not entry.in_parts:
        raise ValueError(f"{model} is not sampled in parts")
    return {"model": model, "size": size, "seed": seed, "device": device, "parameters": raw}


def drawn(index: int, of: int, asked: dict[str, Any], progress: Any = None) -> dict[str, Any]:
    """The record of a part, drawn here: what a worker of a cluster answers.

    Raises:
        ValueError: as :func:`asymp.model.sample`.
    """
    parts = Parts(index, of)
    with contextlib.suppress(Drawn), named(asked["model"]).begins(asked) as begun:  # a number that is known has no blocks
        heard = _Heard(begun, progress)
        sample(asked["model"], asked["parameters"], asked["size"], asked["seed"], asked["device"], heard, parts=parts)
    return part_record(Shard(index, of), asked, parts)


@dataclass(frozen=True)
class _Heard:
    """Progress, which also tells that blocks are drawn."""

    begun: Callable[[], None]
    progress: Any

    def __call__(self, done: float, total: float) -> None:
        if PARTS.get() is not None:  # not what comes beforehand
            self.begun()
        if self.progress is not None:
            self.progress(done, total)

    def stage(self, words: str) -> None:
        if self.progress is not None:
            self.progress.stage(words)


def _text(array: Any) -> list[Any]:
    return [str(array.dtype), list(array.shape), base64.b64encode(zlib.compress(array.tobytes(), 1)).decode()]


def _array(data: Any) -> Any:
    import numpy as np

    kind, shape, text = data
    if kind not in ("float64", "int64"):
        raise ValueError(f"numbers of kind {kind!r}")
    size = 8 * math.prod(shape := [int(one) for one in shape])
    content = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), size + 1)
    return np.frombuffer(content, kind).reshape(shape).copy()


def _hash(blocks: Any) -> str:
    return hashlib.sha256(json.dumps(blocks, sort_keys=True).encode()).hexdigest()


def is_sample(path: str) -> bool:
    """Whether a file is the record of a part of a sample, as far as its beginning says."""
    try:
        with open(path, encoding="utf-8") as stream:
            return '"sample":' in stream.read(1000)
    except (OSError, UnicodeDecodeError):
        return False


def joined(paths: Sequence[str]) -> Result:
    """The result of the whole run.

    Raises:
        UsageError: a file is no part of a sample; they are of different runs; one is missing.
    """
    parts = {path: _read(path) for path in dict.fromkeys(paths)}
    (first, known), *_ = parts.items()
    blocks: dict[int, Any] = {}
    for path, data in parts.items():
        if data["asymp"] != __version__ or data["shard"]["program"] != sources.digest("all"):
            raise UsageError(f"{path} was drawn by another version of asymp, of Python or of a library")
        for name in ("of", "run"):
            if data["shard"][name] != known["shard"][name] or data["sample"] != known["sample"]:
                raise UsageError(f"{path} is of another run than {first}")
        for start, block in data["blocks"].items():
            if blocks.setdefault(int(start), block) != block:
                raise UsageError(f"{path}: another part has drawn other numbers of block {start}")
    of = known["shard"]["of"]
    there = {data["shard"]["index"] for data in parts.values()}
    if lacking := [k for k in range(1, of + 1) if k not in there]:
        rest = f" and {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise UsageError(f"part {lacking[0]}/{of}{rest} is missing")
    whole = Parts(0, 1, {start: [_array(one) for one in block] for start, block in blocks.items()}, str(known["shard"]["run"]))
    asked = known["sample"]
    return sample(
        asked["model"], asked["parameters"], asked["size"], asked["seed"], asked["device"], parts=whole
    )


def _read(path: str) -> dict[str, Any]:
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        shard, asked = data["shard"], data["sample"]
        part = Shard(int(shard["index"]), int(shard["of"]))
        numbers = sorted(map(int, data["blocks"]))
        known = {*asked} == {"model", "parameters", "size", "seed", "device"} and 1 <= part.number <= part.of
        if not known or any(one < 0 for one in numbers) or shard["found"] != _hash(data["blocks"]):
            raise UsageError(f"{path} was changed after asymp sample wrote it")
        for block in data["blocks"].values():
            for one in block:
                _array(one)
        return dict(data)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or one_line(error)}") from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError, zlib.error) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{path} is not the record of a part of a sample as asymp sample writes it") from error
