"""Draws from counters: known answers, the same bits everywhere, and the laws they follow."""

from __future__ import annotations

import numpy as np
import pytest

from asymp.sample import counter

# Random123 1.14, tests/kat_vectors: philox4x32 with 10 rounds, counter, key, result.
KNOWN = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000", "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff", "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0", "d16cfe09 94fdcceb 5001e420 24126ea1"),
]


def hexes(text: str) -> list[int]:
    return [int(word, 16) for word in text.split()]


@pytest.mark.parametrize(("block", "key", "answer"), KNOWN)
def test_philox_known_answers(block, key, answer):
    arrays = [np.array([word], np.int64) for word in hexes(block)]
    assert [int(w[0]) for w in counter.philox(*arrays, *hexes(key))] == hexes(answer)
    assert list(counter.compiled()(*hexes(block), *hexes(key))) == hexes(answer)
