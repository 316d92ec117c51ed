"""The store attacked: entries planted, edited, cut short, moved and mixed, and none is believed.

``python -m benchmarks.faults.planted_verdicts`` makes a store of 50 entries, tries 1,000 forgeries on it, and says how many were
taken: what the store has is to be what was put there, or nothing.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from asymp.command.store import Store

EDITS = (b"refuted", b"holds"), (b"proved", b"certified"), (b"holds", b"refuted"), (b'"id": "', b'"id": "x'), (b"{", b"[")


def attacks(data: bytes, others: Sequence[bytes], rng: random.Random) -> Iterator[bytes]:
    """What may stand in the place of an entry."""
    place = rng.randrange(len(data))
    signature, _, body = data.partition(b"\n")
    yield from (signature + b"\n" + body.replace(old, new, 1) for old, new in EDITS if old in body)
    yield from (data[:place], data[:-1], b"", signature, data + b" ", b"\n" + body, b"0" * 64 + b"\n" + body)
    yield from (rng.randbytes(len(data)), body, data * 2, signature.upper() + b"\n" + body, data[::-1])
    yield data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]
    yield b"".join(rng.choices([data[:place], data[place:], b"\0"], k=3)) + b"?"
    yield rng.choice(others)


def believed(store: Store, names: Sequence[str], count: int, seed: int = 0) -> tuple[int, int]:
    """How many forgeries of entries of those names were tried, and how many were taken for the store's."""
    rng, tried, wrong = random.Random(seed), 0, 0
    files = {name: store.path("verdict", name) for name in names}
    true = {name: file.read_bytes() for name, file in files.items()}
    other = Store(store.folder.with_name(f"{store.folder.name}-with-another-key"))
    for name in names:
        other.put("verdict", name, {"id": name})
    while tried < count:
        for name, file in files.items():
            others = [data for one, data in true.items() if one != name]
            for forged in (*attacks(true[name], others, rng), other.path("verdict", name).read_bytes()):
                if forged != true[name]:
                    file.write_bytes(forged)
                    tried += 1
                    wrong += store.get("verdict", name) is not None or file.exists()
            file.write_bytes(true[name])
            wrong += store.get("verdict", name) is None
    return tried, wrong


def main() -> int:
    """Exit code 1 where one is believed."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder, "store"))
        names = [f"claim-{k}" for k in range(50)]
        for k, name in enumerate(names):
            outcome = "holds" if k % 3 else "refuted"
            store.put("verdict", name, {"id": name, "verdict": {"outcome": outcome, "strength": "proved"}})
        tried, wrong = believed(store, names, 1_000)
    print(f"{tried} planted or edited entries, {wrong} believed")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
