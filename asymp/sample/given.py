"""What a sampler of a system is given, checked: each refusal is one line that names the argument."""

from __future__ import annotations

from collections.abc import Mapping

from asymp.queues.law import Law, proper, whole
from asymp.queues.law_text import read_law

MOST_ARRIVALS = 10**12


def run(seed: int, level: float, threads: int) -> None:
    """What all samplers with counters are given.

    Raises:
        ValueError: one of these is out of its range.
    """
    whole("seed", seed, 0, (1 << 64) - 1, "0..2^64 - 1")
    whole("threads", threads, 1, 1024)
    proper("level", level)


def settings(law: object, size: int, seed: int, level: float, runs: int, batches: int, threads: int) -> None:
    """What all samplers of systems with sizes of mean 1 are given.

    Raises:
        ValueError: one of these is out of its range.
    """
    whole("size", size, 1, MOST_ARRIVALS)
    whole("runs", runs, 1, 1 << 20)
    whole("batches", batches, 2, 1 << 20)
    run(seed, level, threads)
    if not isinstance(law, Law) or not abs(law.mean - 1) <= 1e-9:
        raise ValueError(f"law must be a law of mean 1, not {law!r}")


def on_a_cpu(values: Mapping[str, str], seed: int, device: str, what: str) -> tuple[str, Law]:
    """The law of the sizes, of mean 1, as text and as a law, of a system that is sampled on a CPU.

    Raises:
        ValueError: another device, a seed that is too large, or no law.
    """
    if device.startswith("gpu"):
        raise ValueError(f"{what} is sampled on a CPU: leave --device away")
    if seed >= 1 << 64:
        raise ValueError(f"seed must be below 2^64, not {seed}")
    text = values.get("law", "exponential")
    try:
        return text, read_law(text)(1.0)
    except ValueError as error:
        raise ValueError(f"law={text[:60]}: {error}") from None
